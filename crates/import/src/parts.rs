//! The blocks of a message that may hold tool parts beside text, and the text of a tool's output.

use session_search_core::Role;
use session_search_core::limits::MAX_SEARCHABLE_BYTES;

use crate::fields::{self, quote};
use crate::native::{cut, cut_json};

/// The text of one message keeps this many bytes: more than is searchable, less than an event may have.
const MAX_TEXT_BYTES: usize = 4 * MAX_SEARCHABLE_BYTES;

/// The blocks of one message: text whole, tool parts cut.
#[derive(Debug, Default)]
pub(crate) struct Parts {
    blocks: Vec<String>,
    text_bytes: usize,
}

impl Parts {
    /// Adds text.
    pub(crate) fn text(&mut self, text: &str) {
        let room = MAX_TEXT_BYTES.saturating_sub(self.text_bytes);
        let text = &text[..text.floor_char_boundary(room.min(text.len()))];
        if !text.is_empty() {
            self.text_bytes += text.len();
            self.blocks.push(format!(r#"{{"type":"text","text":{}}}"#, quote(text)));
        }
    }

    /// Adds a call. `arguments` is JSON.
    pub(crate) fn call(&mut self, id: Option<&str>, name: Option<&str>, arguments: Option<&str>) {
        let mut block = r#"{"type":"toolCall""#.to_owned();
        for (field, value) in [("id", id), ("name", name)] {
            if let Some(value) = value {
                block.push_str(&format!(r#","{field}":{}"#, quote(cut(value))));
            }
        }
        if let Some(arguments) = arguments {
            let arguments = match fields::string(arguments) {
                Some(text) => quote(cut(&text)),
                None => cut_json(arguments),
            };
            block.push_str(&format!(r#","arguments":{arguments}"#));
        }
        block.push('}');
        self.blocks.push(block);
    }

    /// Adds a result that stands beside other parts of a message.
    pub(crate) fn result(&mut self, id: Option<&str>, text: &str) {
        let id = id.map_or_else(String::new, |id| format!(r#","tool_use_id":{}"#, quote(cut(id))));
        self.blocks.push(format!(r#"{{"type":"tool_result"{id},"content":{}}}"#, quote(cut(text))));
    }

    /// The message of a person or the assistant.
    pub(crate) fn message(&self, role: Role) -> String {
        format!(r#"{{"role":"{}","content":[{}]}}"#, role.as_str(), self.blocks.join(","))
    }
}

/// The text of a tool's output: a string, or the texts of an array of blocks joined by newlines.
pub(crate) fn output_text(content: &str) -> String {
    if let Some(text) = fields::string(content) {
        return text.into_owned();
    }
    let text = |block: &str| {
        if let Some(text) = fields::string(block) {
            return Some(text.into_owned());
        }
        fields::object(block)?.string("text").map(std::borrow::Cow::into_owned)
    };
    fields::array(content).into_iter().filter_map(text).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use session_search_core::text::{ToolKind, searchable, tools};

    use super::*;
    use crate::native::TOOL_CHARS;

    #[test]
    fn a_message_is_read_back_as_it_was_built() {
        let mut parts = Parts::default();
        parts.text("say \"one\"");
        parts.call(Some("c1"), Some("read"), Some(r#"{"path":"a"}"#));
        parts.call(None, None, Some(r#""{\"cmd\":1}""#));
        parts.result(Some("c1"), &"é".repeat(TOOL_CHARS + 1));
        parts.text("two");
        let raw = format!(r#"{{"type":"message","message":{}}}"#, parts.message(Role::Assistant));
        assert_eq!(searchable(&raw).text, "say \"one\"\ntwo");
        let tools = tools(&raw);
        assert_eq!((tools[0].kind, tools[0].text.as_str()), (ToolKind::Call, r#"{"path":"a"}"#));
        assert_eq!(tools[1].text, r#"{"cmd":1}"#);
        assert_eq!((tools[2].kind, tools[2].text.chars().count()), (ToolKind::Result, TOOL_CHARS));
    }

    #[test]
    fn outputs_of_every_form() {
        assert_eq!(output_text(r#"[{"type":"text","text":"a"},{"type":"image","data":"x"},"b",7]"#), "a\nb");
        assert_eq!(output_text(r#""plain""#), "plain");
        assert_eq!(output_text("null"), "");
    }

    #[test]
    fn text_is_bounded() {
        let mut parts = Parts::default();
        for _ in 0..5 {
            parts.text(&"é".repeat(MAX_SEARCHABLE_BYTES));
        }
        assert!(parts.message(Role::User).len() < MAX_TEXT_BYTES + 1_000);
    }
}
