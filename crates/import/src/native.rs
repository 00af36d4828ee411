//! Native messages, each part bounded: tool calls and results cut, everything binary left out.

use std::fmt::Write;

use crate::fields::quote;

/// Characters that are kept of a tool call's arguments or a tool's result: more than history shows, so that what
/// looks like a secret near its bound is still seen as a whole.
pub(crate) const TOOL_CHARS: usize = 4_000;
/// Bytes that are kept of any other field of a record that no one searches.
pub(crate) const FIELD_BYTES: usize = 4_000;

/// The field `message` of text that nobody said: reminders, echoes, summaries, other injected text. A node of the
/// tree, not searchable; cut like a tool's result.
pub(crate) fn injected(text: &str) -> String {
    format!("{{\"role\":{},\"content\":{}}}", quote(INJECTED), quote(cut(text)))
}

/// The role of messages that nobody said.
pub(crate) const INJECTED: &str = "injected";

/// The field `message` of a tool's result.
pub(crate) fn tool_result(call_id: Option<&str>, name: Option<&str>, text: &str, is_error: bool) -> String {
    let mut json = String::from("{\"role\":\"toolResult\"");
    if let Some(id) = call_id {
        let _ = write!(json, ",\"toolCallId\":{}", quote(cut(id)));
    }
    if let Some(name) = name {
        let _ = write!(json, ",\"toolName\":{}", quote(cut(name)));
    }
    let _ = write!(json, ",\"content\":[{{\"type\":\"text\",\"text\":{}}}]", quote(cut(text)));
    if is_error {
        json.push_str(",\"isError\":true");
    }
    json.push('}');
    json
}

/// The first [`TOOL_CHARS`] characters.
pub(crate) fn cut(text: &str) -> &str {
    if text.len() <= TOOL_CHARS {
        return text;
    }
    text.char_indices().nth(TOOL_CHARS).map_or(text, |(end, _)| &text[..end])
}

/// JSON as it is where it is short; else its beginning, as a JSON string.
pub(crate) fn cut_json(json: &str) -> String {
    let kept = cut(json);
    if kept.len() == json.len() { json.to_owned() } else { quote(kept) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use session_search_core::text::{searchable, tools};

    fn event(message: &str) -> String {
        format!(r#"{{"type":"message","message":{message}}}"#)
    }

    #[test]
    fn what_is_built_is_read_back() {
        let raw = event(&tool_result(Some("c1"), Some("bash"), "out", true));
        assert_eq!((tools(&raw)[0].name.as_deref(), tools(&raw)[0].text.as_str()), (Some("bash"), "out"));
        let raw = event(&injected("a \"reminder\""));
        assert_eq!(session_search_core::Event::parse(&*raw).unwrap().role(), None);
        assert_eq!(searchable(&raw).text, "a \"reminder\"");
    }

    #[test]
    fn long_parts_are_cut_between_characters() {
        let long = "é".repeat(TOOL_CHARS + 1);
        let raw = event(&tool_result(None, None, &long, false));
        assert_eq!(tools(&raw)[0].text.chars().count(), TOOL_CHARS);
        assert_eq!(cut_json("{\"x\":1}"), "{\"x\":1}");
        let cut: String = serde_json::from_str(&cut_json(&format!("{{\"x\":\"{long}\"}}"))).unwrap();
        assert!(cut.starts_with("{\"x\":\"é") && cut.chars().count() == TOOL_CHARS);
    }
}
