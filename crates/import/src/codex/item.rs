//! Items of the model's context as drafts of events: tool calls and their results.

use session_search_core::{Millis, Role};

use crate::draft::{Draft, Up};
use crate::fields::{self, Fields};
use crate::native;
use crate::parts::{Parts, output_text};

/// A call or a result, and what tells it from others in its thread: its kind and the call's id.
pub(crate) struct Tool {
    /// The event, without its id.
    pub(crate) draft: Draft,
    /// The id of the call, where there is one.
    pub(crate) call: Option<String>,
}

/// Reads a tool's call or result; `None` for other items.
pub(crate) fn tool(payload: &Fields<'_>, kind: &str, time: Option<Millis>) -> Option<Tool> {
    let call = payload.string("call_id").or_else(|| payload.string("id")).map(std::borrow::Cow::into_owned);
    let message = if let Some(name) = kind.strip_suffix("_output") {
        if !is_call(name) {
            return None;
        }
        native::tool_result(call.as_deref(), None, &output(payload), false)
    } else if is_call(kind) {
        let mut parts = Parts::default();
        let name = payload.string("name");
        let name = name.as_deref().unwrap_or_else(|| kind.trim_end_matches("_call"));
        let arguments = ["arguments", "input", "action", "query"].iter().find_map(|field| payload.raw(field));
        parts.call(call.as_deref(), Some(name), arguments);
        parts.message(Role::Assistant)
    } else {
        return None;
    };
    Some(Tool { draft: Draft::new("message", None, Up::Leaf, time).with("message", message), call })
}

fn is_call(kind: &str) -> bool {
    matches!(
        kind,
        "function_call"
            | "custom_tool_call"
            | "local_shell_call"
            | "web_search_call"
            | "tool_search_call"
            | "mcp_tool_call"
    )
}

/// A result's text: a string, which may be JSON with an `output` of its own; or an array; or an object with text.
fn output(payload: &Fields<'_>) -> String {
    let Some(raw) = payload.raw("output").or_else(|| payload.raw("result")) else { return String::new() };
    if let Some(text) = fields::string(raw) {
        let inner = fields::object(text.trim()).and_then(|inner| inner.raw("output").map(output_text));
        return inner.filter(|inner| !inner.is_empty()).unwrap_or_else(|| text.into_owned());
    }
    match fields::object(raw) {
        Some(inner) => ["output", "content", "text"]
            .iter()
            .find_map(|field| inner.raw(field))
            .map(output_text)
            .unwrap_or_default(),
        None => output_text(raw),
    }
}

#[cfg(test)]
mod tests {
    use session_search_core::EventId;
    use session_search_core::text::{ToolKind, tools};

    use super::*;

    #[track_caller]
    fn check(payload: &str, kind: ToolKind, name: Option<&str>, text: &str) {
        let payload = Fields::parse(payload).unwrap();
        let tool = tool(&payload, &payload.string("type").unwrap(), None).unwrap();
        let event = tool.draft.settle(&EventId::new("e").unwrap(), None, Millis(0), false).unwrap();
        let part = tools(event.raw()).remove(0);
        assert_eq!((part.kind, part.name.as_deref(), part.text.as_str()), (kind, name, text));
    }

    #[test]
    fn calls_and_results_of_every_form() {
        let (call, result) = (ToolKind::Call, ToolKind::Result);
        check(
            r#"{"type":"function_call","name":"shell","arguments":"{\"a\":1}","call_id":"c"}"#,
            call,
            Some("shell"),
            r#"{"a":1}"#,
        );
        check(r#"{"type":"function_call","name":"p","arguments":{"a":1}}"#, call, Some("p"), r#"{"a":1}"#);
        check(
            r#"{"type":"web_search_call","action":{"query":"x"}}"#,
            call,
            Some("web_search"),
            r#"{"query":"x"}"#,
        );
        check(
            r#"{"type":"function_call_output","output":"{\"output\":\"list\",\"metadata\":{}}"}"#,
            result,
            None,
            "list",
        );
        check(r#"{"type":"function_call_output","output":"plain"}"#, result, None, "plain");
        check(
            r#"{"type":"custom_tool_call_output","output":[{"type":"input_text","text":"a"},{"type":"input_image"}]}"#,
            result,
            None,
            "a",
        );
        check(
            r#"{"type":"function_call_output","output":{"content":"c","success":true}}"#,
            result,
            None,
            "c",
        );
    }

    #[test]
    fn other_items_are_no_tools() {
        let payload = Fields::parse(r#"{"type":"reasoning"}"#).unwrap();
        assert!(tool(&payload, "reasoning", None).is_none());
        assert!(tool(&payload, "reasoning_output", None).is_none());
    }
}
