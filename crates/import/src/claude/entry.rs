//! A record of the conversation as a draft of an event.

use std::borrow::Cow;

use session_search_core::Role;

use crate::claude::links::{Class, Named};
use crate::claude::said;
use crate::draft::{Draft, Up};
use crate::fields::{self, Fields};
use crate::native;
use crate::parts::{Parts, output_text};

/// What a record is.
pub(crate) struct Entry {
    /// Its part in the tree.
    pub(crate) class: Class,
    /// The event it becomes, without id and parent; `None`: it only links.
    pub(crate) draft: Option<Draft>,
    /// What a person typed in it; empty where nothing.
    pub(crate) typed: String,
    /// Whether the assistant says something in it.
    pub(crate) answer: bool,
}

/// The types whose records only link.
const NOISE: [&str; 4] = ["progress", "system", "attachment", "file-history-snapshot"];

/// Reads a record that may be part of the tree; `None`: it has no usable message.
pub(crate) fn read(record: &Fields<'_>, kind: &str) -> Option<Entry> {
    match role(record, kind) {
        Some(role) => {
            let message = record.object("message")?;
            Some(match role {
                Role::User => user(record, &message),
                Role::Assistant => assistant(record, &message),
            })
        }
        None if kind == "attachment" => Some(attachment(record)),
        None => {
            let draft = (!NOISE.contains(&kind)).then(|| draft(record, kind));
            Some(Entry { class: Class::Noise, draft, typed: String::new(), answer: false })
        }
    }
}

/// Who speaks; before version 1.0 only the message said it.
pub(crate) fn role(record: &Fields<'_>, kind: &str) -> Option<Role> {
    if !kind.is_empty() {
        return Role::from_name(kind);
    }
    Role::from_name(&record.object("message")?.string("role")?)
}

/// What a record names as its parent. Over a compaction the logical parent counts.
pub(crate) fn named<'a>(record: &'a Fields<'_>, logical: &'a mut Option<Cow<'a, str>>) -> Named<'a> {
    *logical = record.string("logicalParentUuid").or_else(|| record.string("parentUuid"));
    match logical {
        Some(id) => Named::Record(id),
        None if record.raw("parentUuid") == Some("null") => Named::Root,
        None => Named::Nothing,
    }
}

fn draft(record: &Fields<'_>, kind: &str) -> Draft {
    Draft::new(kind, None, Up::Leaf, record.time("timestamp"))
}

fn user(record: &Fields<'_>, message: &Fields<'_>) -> Entry {
    let content = message.raw("content").unwrap_or("null");
    let flagged = said::flagged(record);
    let typed = if flagged { String::new() } else { said::typed_content(content) };
    let results: Vec<Fields<'_>> = fields::array(content)
        .into_iter()
        .filter_map(fields::object)
        .filter(|block| block.string("type").is_some_and(|kind| kind == "tool_result"))
        .collect();
    let output = |block: &Fields<'_>| block.raw("content").map(output_text).unwrap_or_default();
    let draft = if !typed.is_empty() || (results.is_empty() && said::blocks(content).is_empty() && !flagged) {
        let mut parts = Parts::default();
        parts.text(&typed);
        for result in &results {
            parts.result(result.string("tool_use_id").as_deref(), &output(result));
        }
        draft(record, "message").with("message", parts.message(Role::User))
    } else if results.is_empty() {
        injected(record, content)
    } else {
        let id = if results.len() == 1 { results[0].string("tool_use_id") } else { None };
        let text = results.iter().map(output).collect::<Vec<_>>().join("\n");
        let failed = results.iter().any(|block| block.flag("is_error"));
        draft(record, "message").with("message", native::tool_result(id.as_deref(), None, &text, failed))
    };
    let class = if typed.is_empty() { Class::Message } else { Class::Prompt };
    Entry { class, draft: Some(draft), typed, answer: false }
}

/// What the program put in the person's mouth: a node of the tree that no search finds.
fn injected(record: &Fields<'_>, content: &str) -> Draft {
    let text = said::blocks(content).join("\n");
    draft(record, "message").with("message", native::injected(&text))
}

fn assistant(record: &Fields<'_>, message: &Fields<'_>) -> Entry {
    let content = message.raw("content").unwrap_or("null");
    if said::synthetic(record, message) {
        return Entry {
            class: Class::Message,
            draft: Some(injected(record, content)),
            typed: String::new(),
            answer: false,
        };
    }
    let mut parts = Parts::default();
    if let Some(text) = fields::string(content) {
        parts.text(&text);
    }
    for block in fields::array(content).into_iter().filter_map(fields::object) {
        match block.string("type").as_deref() {
            Some("text") => parts.text(&block.string("text").unwrap_or_default()),
            Some("tool_use" | "server_tool_use") => {
                parts.call(
                    block.string("id").as_deref(),
                    block.string("name").as_deref(),
                    block.raw("input"),
                );
            }
            _ => {}
        }
    }
    let draft = draft(record, "message").with("message", parts.message(Role::Assistant));
    Entry { class: Class::Message, draft: Some(draft), typed: String::new(), answer: true }
}

/// Text that was slipped to the agent while it worked is an attachment; all others are noise.
fn attachment(record: &Fields<'_>) -> Entry {
    let mut entry = Entry { class: Class::Noise, draft: None, typed: String::new(), answer: false };
    let Some(attachment) = record.object("attachment") else { return entry };
    let is_prompt = attachment.string("commandMode").is_none_or(|mode| mode == "prompt");
    if attachment.string("type").is_none_or(|kind| kind != "queued_command") || !is_prompt {
        return entry;
    }
    entry.typed = attachment.raw("prompt").map(said::queued).unwrap_or_default();
    if !entry.typed.is_empty() {
        entry.class = Class::Message;
        entry.draft = Some(typed_draft(&entry.typed, record));
    }
    entry
}

fn typed_draft(text: &str, record: &Fields<'_>) -> Draft {
    let mut parts = Parts::default();
    parts.text(text);
    draft(record, "message").with("message", parts.message(Role::User))
}

#[cfg(test)]
mod tests {
    use session_search_core::text::{searchable, tools};
    use session_search_core::{EventId, EventKind, Millis};

    use super::*;

    /// The event's kind, searchable text and tool texts, and the record's class.
    fn event(record: &str) -> (EventKind, String, Vec<String>, Class) {
        let record = Fields::parse(record).unwrap();
        let kind = record.string("type").unwrap_or_default();
        let entry = read(&record, &kind).unwrap();
        let event = entry.draft.unwrap().settle(&EventId::new("e").unwrap(), None, Millis(0), false).unwrap();
        let tools = tools(event.raw()).into_iter().map(|part| part.text).collect();
        let text = event.role().map(|_| searchable(event.raw()).text).unwrap_or_default();
        (event.kind().clone(), text, tools, entry.class)
    }

    #[test]
    fn tool_results_are_no_messages_of_a_person() {
        let record = r#"{"type":"user","toolUseResult":{"stdout":"again"},"message":{"role":"user","content":[
            {"type":"tool_result","tool_use_id":"t","content":[{"type":"text","text":"out"},{"type":"image"}]}]}}"#;
        let (kind, text, tools, class) = event(record);
        assert_eq!((kind, text.as_str(), class), (EventKind::OtherMessage, "", Class::Message));
        assert_eq!(tools, ["out"]);
    }

    #[test]
    fn typed_words_beside_a_result_are_found() {
        let record = r#"{"type":"user","message":{"content":[{"type":"tool_result","content":"no"},{"type":"text","text":"stop"}]}}"#;
        let (kind, text, tools, class) = event(record);
        assert_eq!((kind, text.as_str(), class), (EventKind::Message(Role::User), "stop", Class::Prompt));
        assert_eq!(tools, ["no"]);
    }

    #[test]
    fn machine_text_is_a_node_only() {
        for record in [
            r#"{"type":"user","isMeta":true,"message":{"role":"user","content":"canary"}}"#,
            r#"{"type":"user","isCompactSummary":true,"message":{"role":"user","content":"canary"}}"#,
            r#"{"type":"user","message":{"role":"user","content":"<command-name>/x</command-name>"}}"#,
            r#"{"type":"user","origin":{"kind":"task-notification"},"message":{"role":"user","content":"canary"}}"#,
            r#"{"type":"assistant","isApiErrorMessage":true,"message":{"content":[{"type":"text","text":"canary"}]}}"#,
            r#"{"type":"assistant","message":{"model":"<synthetic>","content":[{"type":"text","text":"canary"}]}}"#,
        ] {
            assert_eq!(event(record).0, EventKind::OtherMessage, "{record}");
        }
    }

    #[test]
    fn answers_keep_text_and_calls_and_lose_thoughts() {
        let record = r#"{"message":{"role":"assistant","content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"so"},
            {"type":"tool_use","id":"t","name":"Read","input":{"a":1}}]}}"#;
        let (kind, text, tools, _) = event(record);
        assert_eq!((kind, text.as_str()), (EventKind::Message(Role::Assistant), "so"));
        assert_eq!(tools, [r#"{"a":1}"#]);
    }

    #[test]
    fn queued_text_in_an_attachment_is_typed() {
        let record = r#"{"type":"attachment","attachment":{"type":"queued_command","commandMode":"prompt","prompt":"also this"}}"#;
        let (kind, text, _, class) = event(record);
        assert_eq!(
            (kind, text.as_str(), class),
            (EventKind::Message(Role::User), "also this", Class::Message)
        );
        let noise =
            r#"{"type":"attachment","attachment":{"type":"queued_command","prompt":"<task-notification>x"}}"#;
        assert!(read(&Fields::parse(noise).unwrap(), "attachment").unwrap().draft.is_none());
    }

    #[test]
    fn a_message_that_is_no_object_is_not_usable() {
        assert!(read(&Fields::parse(r#"{"type":"user","message":"error"}"#).unwrap(), "user").is_none());
    }
}
