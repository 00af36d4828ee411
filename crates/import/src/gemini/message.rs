//! A message of Gemini CLI as a native one.

use std::borrow::Cow;

use session_search_core::{Millis, Role};

use crate::fields::{self, Fields};
use crate::native;
use crate::parts::{Parts, output_text};

/// Beginnings of user texts that the program writes.
const INJECTED: [&str; 2] =
    ["<session_context>", "This is the Gemini CLI. We are setting up the context for our chat"];

/// A message in its state so far.
pub(crate) struct Message {
    /// Its id in the file.
    pub(crate) id: String,
    /// When it was written.
    pub(crate) time: Option<Millis>,
    /// The native message; `None`: a notice, which is no event.
    pub(crate) native: Option<String>,
    /// What the person typed; empty where nothing.
    pub(crate) typed: String,
}

impl Message {
    /// Reads one; `None` where it is none.
    pub(crate) fn read(fields: &Fields<'_>, number: usize) -> Option<Message> {
        let kind = fields.string("type")?;
        let id = fields.string("id").filter(|id| !id.is_empty());
        let id = id.map_or_else(|| format!("#{number}"), Cow::into_owned);
        let text = fields.raw("content").map(text).unwrap_or_default();
        let mut message = Message { id, time: fields.time("timestamp"), native: None, typed: String::new() };
        message.native = match kind.as_ref() {
            "user" if INJECTED.iter().any(|beginning| text.trim_start().starts_with(beginning)) => {
                Some(native::injected(&text))
            }
            "user" => {
                let mut parts = Parts::default();
                parts.text(&text);
                message.typed = text;
                Some(parts.message(Role::User))
            }
            "gemini" => Some(answer(fields, &text)),
            _ => None,
        };
        Some(message)
    }

    /// About how much memory it takes.
    pub(crate) fn bytes(&self) -> usize {
        200 + self.id.len() + self.typed.len() + self.native.as_ref().map_or(0, String::len)
    }
}

fn answer(fields: &Fields<'_>, text: &str) -> String {
    let mut parts = Parts::default();
    parts.text(text);
    for call in fields.array("toolCalls").into_iter().filter_map(fields::object) {
        let id = call.string("id");
        parts.call(id.as_deref(), call.string("name").as_deref(), call.raw("args"));
        let result = result(&call);
        if !result.is_empty() {
            parts.result(id.as_deref(), &result);
        }
    }
    parts.message(Role::Assistant)
}

/// A string, or the texts of parts one after the other.
fn text(content: &str) -> String {
    if content.starts_with('{') {
        return fields::object(content).and_then(|part| part.string("text")).unwrap_or_default().into_owned();
    }
    output_text(content)
}

/// What a tool gave back: as it was shown, else as the model got it.
fn result(call: &Fields<'_>) -> String {
    if let Some(shown) = call.string("resultDisplay") {
        return shown.into_owned();
    }
    let response = |part: &str| {
        let response = fields::object(part)?.object("functionResponse")?.object("response")?;
        response.string("output").or_else(|| response.string("error")).map(Cow::into_owned)
    };
    let texts: Vec<String> = call.array("result").into_iter().filter_map(response).collect();
    texts.join("\n")
}

#[cfg(test)]
mod tests {
    use session_search_core::text::{searchable, tools};

    use super::*;

    fn event(message: &str) -> Option<(String, Vec<String>)> {
        let message = Message::read(&Fields::parse(message).unwrap(), 0).unwrap();
        let raw = format!(r#"{{"type":"message","message":{}}}"#, message.native?);
        let tools = tools(&raw).into_iter().map(|part| part.text).collect();
        Some((searchable(&raw).text, tools))
    }

    #[test]
    fn content_of_every_form() {
        for content in [r#""a""#, r#"[{"text":"a"},{"inlineData":{"data":"x"}}]"#, r#"{"text":"a"}"#] {
            let message = format!(r#"{{"id":"1","type":"user","content":{content}}}"#);
            assert_eq!(event(&message).unwrap().0, "a");
        }
    }

    #[test]
    fn answers_carry_their_tools() {
        let message = r#"{"id":"1","type":"gemini","content":"done","thoughts":[{"subject":"no"}],"toolCalls":[
            {"id":"c","name":"ls","args":{"p":"."},"result":[{"functionResponse":{"response":{"output":"a b"}}}]}]}"#;
        assert_eq!(
            event(message).unwrap(),
            ("done".to_owned(), vec![r#"{"p":"."}"#.to_owned(), "a b".to_owned()])
        );
    }

    #[test]
    fn notices_are_no_events() {
        for kind in ["info", "error", "warning"] {
            assert!(event(&format!(r#"{{"id":"1","type":"{kind}","content":"x"}}"#)).is_none());
        }
    }
}
