//! Records as they came, apart from what no one searches: tool parts cut, thinking and binary data left out.

use std::fmt::Write;

use crate::fields::{Fields, array, object, quote, string};
use crate::ids;
use crate::native::{FIELD_BYTES, INJECTED, cut, cut_json};
use crate::pi::said::is_injected;

/// All fields of a record but those that a draft holds itself.
pub(super) fn fields(record: &Fields<'_>, kind: &str) -> Vec<(String, String)> {
    let mut out = Vec::new();
    for (name, json) in record.iter() {
        let kept = match name {
            "type" | "id" | "parentId" | "timestamp" | "gap" => None,
            "message" if kind == "message" => {
                Some(object(json).map_or_else(|| json.to_owned(), |m| message(&m)))
            }
            "targetId" if kind == "leaf" => Some(target(json)),
            _ => bounded(json),
        };
        out.extend(kept.map(|json| (name.to_owned(), json)));
    }
    out
}

fn target(json: &str) -> String {
    match string(json) {
        Some(id) => quote(ids::event_id(&id).as_str()),
        None if json == "null" || json.parse::<f64>().is_ok() => json.to_owned(),
        None => quote(ids::event_id(json).as_str()),
    }
}

/// A field that no one searches: as it is where it is short; a long string cut, anything else long left out.
fn bounded(json: &str) -> Option<String> {
    if json.len() <= FIELD_BYTES {
        return Some(json.to_owned());
    }
    string(json).map(|text| quote(cut(&text)))
}

fn message(message: &Fields<'_>) -> String {
    let role = message.string("role").unwrap_or_default();
    let injected = is_injected(&role, message);
    let said = matches!(role.as_ref(), "user" | "assistant") && !injected;
    let mut out = String::from("{");
    for (name, json) in message.iter() {
        let kept = match name {
            "role" if injected => Some(format!("{},\"originalRole\":{json}", quote(INJECTED))),
            "content" => Some(content(json, said)),
            _ => bounded(json),
        };
        if let Some(json) = kept {
            push_field(&mut out, name, &json);
        }
    }
    out.push('}');
    out
}

fn push_field(out: &mut String, name: &str, json: &str) {
    if out.len() > 1 {
        out.push(',');
    }
    let _ = write!(out, "{}:{json}", quote(name));
}

fn content(json: &str, said: bool) -> String {
    if let Some(text) = string(json) {
        return if said { json.to_owned() } else { quote(cut(&text)) };
    }
    if !json.starts_with('[') {
        return bounded(json).unwrap_or_else(|| "null".to_owned());
    }
    let kept: Vec<String> = array(json).into_iter().filter_map(|item| block(item, said)).collect();
    format!("[{}]", kept.join(","))
}

/// One block of a message; `None` where nothing of it is kept.
fn block(json: &str, said: bool) -> Option<String> {
    let Some(fields) = object(json) else { return bounded(json) };
    let kind = fields.string("type").unwrap_or_default();
    if matches!(kind.as_ref(), "thinking" | "redacted_thinking" | "reasoning") {
        return None;
    }
    let mut out = String::from("{");
    for (name, value) in fields.iter() {
        let kept = match (kind.as_ref(), name) {
            ("text" | "input_text" | "output_text", "text") if said => Some(value.to_owned()),
            ("toolCall" | "tool_use", "arguments" | "input") => Some(cut_json(value)),
            ("tool_result", "content") => Some(content(value, false)),
            // Binary data of images, sounds and files, whatever its length.
            (_, "data" | "image_url" | "source") => None,
            _ => bounded(value),
        };
        if let Some(json) = kept {
            push_field(&mut out, name, &json);
        }
    }
    out.push('}');
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use session_search_core::text::{searchable, tools};

    fn slim(record: &str) -> String {
        let parsed = Fields::parse(record).unwrap();
        let kept = fields(&parsed, &parsed.string("type").unwrap());
        let body: Vec<String> = kept.iter().map(|(name, json)| format!("{}:{json}", quote(name))).collect();
        format!("{{\"type\":{},{}}}", parsed.raw("type").unwrap(), body.join(","))
    }

    #[test]
    fn what_was_said_stays_and_binary_data_goes() {
        let long = "word ".repeat(5_000);
        let data = "QUJD".repeat(10_000);
        let raw = slim(&format!(
            r#"{{"type":"message","message":{{"role":"user","content":[{{"type":"text","text":"{long}"}},
            {{"type":"image","data":"{data}","mimeType":"image/png"}},{{"type":"thinking","thinking":"hm"}},7,null]}},"x":1}}"#
        ));
        assert_eq!(searchable(&raw).text, long);
        assert!(raw.contains("image/png") && raw.contains("\"x\":1"));
        assert!(!raw.contains("QUJD") && !raw.contains("hm\""));
    }

    #[test]
    fn tool_parts_are_cut() {
        let long = "word ".repeat(5_000);
        let raw = slim(&format!(
            r#"{{"type":"message","message":{{"role":"toolResult","toolName":"read","content":[{{"type":"text","text":"{long}"}}],"details":{{"x":"{long}"}}}}}}"#
        ));
        assert_eq!(tools(&raw)[0].text.len(), 4_000);
        assert!(raw.len() < 5_000);
        let raw = slim(&format!(
            r#"{{"type":"message","message":{{"role":"assistant","content":[{{"type":"toolCall","name":"write","arguments":{{"x":"{long}"}}}}]}}}}"#
        ));
        assert_eq!(tools(&raw)[0].text.len(), 4_000);
        let raw = slim(&format!(
            r#"{{"type":"message","message":{{"role":"bashExecution","command":"ls","output":"{long}"}}}}"#
        ));
        assert_eq!(tools(&raw)[1].text.len(), 4_000);
    }

    #[test]
    fn injected_text_is_no_message() {
        let raw = slim(
            r#"{"type":"message","message":{"role":"user","content":"Read HEARTBEAT.md if it exists."}}"#,
        );
        let event = session_search_core::Event::parse(raw).unwrap();
        assert_eq!(event.role(), None);
    }
}
