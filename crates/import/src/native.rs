//! Native messages out of parts, each bounded: tool calls and results cut, everything binary left out.

use std::fmt::Write;

use crate::fields::quote;

/// Characters that are kept of a tool call's arguments or a tool's result: more than history shows, so that what
/// looks like a secret near its bound is still seen as a whole.
pub(crate) const TOOL_CHARS: usize = 4_000;
/// Bytes that are kept of any other field of a record that no one searches.
pub(crate) const FIELD_BYTES: usize = 4_000;

/// A part of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Part<'a> {
    /// What was said.
    Text(&'a str),
    /// A tool call: its id, the tool's name, its arguments as JSON.
    Call { id: Option<&'a str>, name: &'a str, arguments: &'a str },
}

/// The field `message` of what a person or the assistant said.
pub(crate) fn message(role: session_search_core::Role, parts: &[Part<'_>]) -> String {
    with_role(role.as_str(), parts)
}

/// The field `message` of text that nobody said: reminders, echoes, summaries, other injected text. A node of the
/// tree, not searchable; cut like a tool's result.
pub(crate) fn injected(text: &str) -> String {
    with_role(INJECTED, &[Part::Text(cut(text))])
}

/// The role of messages that nobody said.
pub(crate) const INJECTED: &str = "injected";

fn with_role(role: &str, parts: &[Part<'_>]) -> String {
    let mut json = format!("{{\"role\":{},\"content\":[", quote(role));
    for (at, part) in parts.iter().enumerate() {
        if at > 0 {
            json.push(',');
        }
        match part {
            Part::Text(text) => {
                let _ = write!(json, "{{\"type\":\"text\",\"text\":{}}}", quote(text));
            }
            Part::Call { id, name, arguments } => {
                json.push_str("{\"type\":\"toolCall\"");
                if let Some(id) = id {
                    let _ = write!(json, ",\"id\":{}", quote(cut(id)));
                }
                let _ =
                    write!(json, ",\"name\":{},\"arguments\":{}}}", quote(cut(name)), cut_json(arguments));
            }
        }
    }
    json.push_str("]}");
    json
}

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
    use session_search_core::Role;
    use session_search_core::text::{searchable, tools};

    fn event(message: &str) -> String {
        format!(r#"{{"type":"message","message":{message}}}"#)
    }

    #[test]
    fn what_is_built_is_read_back() {
        let call = Part::Call { id: Some("c1"), name: "bash", arguments: r#"{"command":"ls"}"# };
        let raw = event(&message(Role::Assistant, &[Part::Text("one \"two\""), call, Part::Text("three")]));
        assert_eq!(searchable(&raw).text, "one \"two\"\nthree");
        assert_eq!(tools(&raw)[0].text, r#"{"command":"ls"}"#);
        let raw = event(&tool_result(Some("c1"), Some("bash"), "out", true));
        assert_eq!((tools(&raw)[0].name.as_deref(), tools(&raw)[0].text.as_str()), (Some("bash"), "out"));
    }

    #[test]
    fn long_parts_are_cut_between_characters() {
        let long = "é".repeat(TOOL_CHARS + 1);
        let raw = event(&tool_result(None, None, &long, false));
        assert_eq!(tools(&raw)[0].text.chars().count(), TOOL_CHARS);
        let arguments = format!("{{\"x\":\"{long}\"}}");
        let raw =
            event(&message(Role::Assistant, &[Part::Call { id: None, name: "t", arguments: &arguments }]));
        assert!(tools(&raw)[0].text.starts_with("{\"x\":\"é"));
        assert_eq!(tools(&raw)[0].text.chars().count(), TOOL_CHARS);
    }
}
