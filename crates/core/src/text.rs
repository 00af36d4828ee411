//! What of an event is text: the searchable text of a message, and its tool parts (CONTRACT 1 and 3).

use std::collections::BTreeMap;
use std::fmt;

use serde_json::value::RawValue;

use crate::json::parse_lenient;
use crate::limits::MAX_SEARCHABLE_BYTES;

type Fields = BTreeMap<String, Box<RawValue>>;

/// The searchable text of a message, at most [`MAX_SEARCHABLE_BYTES`].
#[derive(Clone, Default, PartialEq, Eq)]
pub struct SearchableText {
    /// The text; empty where the message has none.
    pub text: String,
    /// Whether text beyond the bound was cut off.
    pub cut: bool,
}

impl fmt::Debug for SearchableText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SearchableText {{ bytes: {}, cut: {} }}", self.text.len(), self.cut)
    }
}

/// Reads the searchable text of a raw event: the string content of its `message`, or its blocks `text`,
/// `input_text` and `output_text` joined by newlines. Nothing else counts; what cannot be read is passed over.
/// The caller decides whether the event is a message at all ([`crate::Event::role`]).
///
/// ```
/// let raw = r#"{"type":"message","message":{"role":"user","content":[
///     {"type":"text","text":"one"},{"type":"image","data":"AAAA"},null,{"type":"input_text","text":"two"}]}}"#;
/// assert_eq!(session_search_core::text::searchable(raw).text, "one\ntwo");
/// ```
#[must_use]
pub fn searchable(raw: &str) -> SearchableText {
    let mut out = SearchableText::default();
    let Some(content) = message(raw).and_then(|mut message| message.remove("content")) else { return out };
    if let Some(text) = string(&content) {
        push(&mut out, &text);
        return out;
    }
    let mut first = true;
    for block in blocks(&content) {
        if !matches!(kind(&block).as_deref(), Some("text" | "input_text" | "output_text")) {
            continue;
        }
        let Some(text) = block.get("text").and_then(|value| string(value)) else { continue };
        if !std::mem::take(&mut first) {
            push(&mut out, "\n");
        }
        push(&mut out, &text);
    }
    out
}

fn push(out: &mut SearchableText, text: &str) {
    let room = MAX_SEARCHABLE_BYTES - out.text.len();
    if out.cut || text.len() <= room {
        if !out.cut {
            out.text.push_str(text);
        }
        return;
    }
    out.text.push_str(&text[..text.floor_char_boundary(room)]);
    out.cut = true;
}

/// A tool's part in a conversation.
#[derive(Clone, PartialEq, Eq)]
pub struct ToolPart {
    /// Call or result.
    pub kind: ToolKind,
    /// The tool's name, where the event says it.
    pub name: Option<String>,
    /// The arguments as JSON, or the result's text.
    pub text: String,
}

impl fmt::Debug for ToolPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ToolPart {{ kind: {:?}, bytes: {} }}", self.kind, self.text.len())
    }
}

/// The two halves of a tool's use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ToolKind {
    /// What the assistant asked for.
    Call,
    /// What came back.
    Result,
}

/// Reads the tool calls and results of a raw event: blocks `toolCall` / `tool_use` / `tool_result`, messages of
/// role `toolResult` / `tool`, and `bashExecution` (its command and its output).
#[must_use]
pub fn tools(raw: &str) -> Vec<ToolPart> {
    let Some(message) = message(raw) else { return Vec::new() };
    let text_of = |field: &str| message.get(field).and_then(|value| string(value));
    match text_of("role").as_deref() {
        Some("toolResult" | "tool") => {
            let text = message.get("content").map(|content| plain_text(content)).unwrap_or_default();
            vec![ToolPart { kind: ToolKind::Result, name: text_of("toolName"), text }]
        }
        Some("bashExecution") => {
            let part =
                |kind, field| Some(ToolPart { kind, name: Some("bash".to_owned()), text: text_of(field)? });
            [part(ToolKind::Call, "command"), part(ToolKind::Result, "output")]
                .into_iter()
                .flatten()
                .collect()
        }
        _ => message.get("content").map(|content| block_tools(content)).unwrap_or_default(),
    }
}

fn block_tools(content: &RawValue) -> Vec<ToolPart> {
    let mut parts = Vec::new();
    for block in blocks(content) {
        let name = block.get("name").and_then(|value| string(value));
        match kind(&block).as_deref() {
            Some("toolCall" | "tool_use") => {
                let arguments = block.get("arguments").or_else(|| block.get("input"));
                let text = arguments.map(|value| string(value).unwrap_or_else(|| value.get().to_owned()));
                parts.push(ToolPart { kind: ToolKind::Call, name, text: text.unwrap_or_default() });
            }
            Some("tool_result") => {
                let text = block.get("content").map(|value| plain_text(value)).unwrap_or_default();
                parts.push(ToolPart { kind: ToolKind::Result, name, text });
            }
            _ => {}
        }
    }
    parts
}

/// A string, or the text blocks of an array joined by newlines.
fn plain_text(content: &RawValue) -> String {
    if let Some(text) = string(content) {
        return text;
    }
    let texts = blocks(content).filter_map(|block| string(block.get("text")?));
    texts.collect::<Vec<_>>().join("\n")
}

fn message(raw: &str) -> Option<Fields> {
    let mut fields: Fields = serde_json::from_str(raw).ok()?;
    serde_json::from_str(fields.remove("message")?.get()).ok()
}

fn string(value: &RawValue) -> Option<String> {
    let text = value.get();
    text.starts_with('"').then(|| parse_lenient(text).ok()).flatten()
}

fn blocks(content: &RawValue) -> impl Iterator<Item = Fields> {
    let items: Vec<Box<RawValue>> = serde_json::from_str(content.get()).unwrap_or_default();
    items.into_iter().filter_map(|item| serde_json::from_str(item.get()).ok())
}

fn kind(block: &Fields) -> Option<String> {
    string(block.get("type")?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(content: &str) -> String {
        searchable(&format!(r#"{{"type":"message","message":{{"role":"user","content":{content}}}}}"#)).text
    }

    #[test]
    fn only_text_blocks_count() {
        assert_eq!(text(r#""plain""#), "plain");
        assert_eq!(
            text(r#"[{"type":"thinking","thinking":"no"},{"type":"output_text","text":"yes"}]"#),
            "yes"
        );
        assert_eq!(
            text(r#"[{"type":"tool_result","content":"no"},{"type":"toolCall","arguments":{"a":"no"}}]"#),
            ""
        );
        assert_eq!(
            text(
                r#"["no", 5, null, {"type":"text"}, {"type":"text","text":7}, {"type":"text","text":"ok"}]"#
            ),
            "ok"
        );
        assert_eq!(text("null"), "");
        assert_eq!(text(r#""half \ud83d pair""#), "half \u{fffd} pair");
        assert_eq!(searchable(r#"{"type":"message"}"#).text, "");
    }

    #[test]
    fn text_is_cut_at_the_bound_between_characters() {
        let long = "é".repeat(MAX_SEARCHABLE_BYTES / 2);
        assert!(!searchable(&format!(r#"{{"message":{{"content":"{long}"}}}}"#)).cut);
        let cut = searchable(&format!(r#"{{"message":{{"content":"x{long}"}}}}"#));
        assert!(cut.cut);
        assert_eq!(cut.text.len(), MAX_SEARCHABLE_BYTES - 1);
    }

    #[test]
    fn tool_parts_of_every_form() {
        let parts = |message: &str| {
            tools(&format!(r#"{{"type":"message","message":{message}}}"#))
                .into_iter()
                .map(|part| (part.kind, part.name.unwrap_or_default(), part.text))
                .collect::<Vec<_>>()
        };
        let (call, result) = (ToolKind::Call, ToolKind::Result);
        assert_eq!(
            parts(
                r#"{"role":"assistant","content":[{"type":"toolCall","name":"read","arguments":{"p":1}}]}"#
            ),
            [(call, "read".to_owned(), r#"{"p":1}"#.to_owned())]
        );
        assert_eq!(
            parts(
                r#"{"role":"toolResult","toolName":"read","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}"#
            ),
            [(result, "read".to_owned(), "a\nb".to_owned())]
        );
        assert_eq!(
            parts(r#"{"role":"bashExecution","command":"ls","output":"x"}"#),
            [(call, "bash".to_owned(), "ls".to_owned()), (result, "bash".to_owned(), "x".to_owned())]
        );
        assert_eq!(
            parts(r#"{"role":"user","content":[{"type":"tool_result","content":"out"}]}"#),
            [(result, String::new(), "out".to_owned())]
        );
        assert!(parts(r#"{"role":"user","content":"x"}"#).is_empty());
    }
}
