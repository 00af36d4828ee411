//! One event of a transcript, in the native form: one JSON object a line (CONTRACT 1).

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::ids::{EventId, IdError};
use crate::json::parse_lenient;
use crate::limits::MAX_EVENT_BYTES;
use crate::time::Millis;

/// Who speaks in a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The person, or whatever stands in for one.
    User,
    /// The model.
    Assistant,
}

impl Role {
    /// `user` or `assistant`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Role::User => "user",
            Role::Assistant => "assistant",
        }
    }

    /// Reads what [`Role::as_str`] writes.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Role> {
        match name {
            "user" => Some(Role::User),
            "assistant" => Some(Role::Assistant),
            _ => None,
        }
    }
}

/// What an event hangs on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Parent {
    /// `parentId` is absent: the leaf at the time of the append.
    CurrentLeaf,
    /// `parentId` is `null`.
    Root,
    /// `parentId` names an event, which need not exist.
    Event(EventId),
}

/// Where a `leaf` event moves the leaf.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LeafMove {
    /// To that event; ignored, with a warning, where it is unknown.
    To(EventId),
    /// `targetId: null`: the branch becomes empty.
    Empty,
    /// `targetId` is absent: nothing happens.
    Inert,
}

/// What an event is, as far as the tree, the index and history care.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EventKind {
    /// Type `message` with role `user` or `assistant`.
    Message(Role),
    /// Type `message` with another role (tool results, system text): a node, never searchable.
    OtherMessage,
    /// Type `leaf`.
    Leaf(LeafMove),
    /// Anything else: a node of the tree.
    Other,
}

/// Why a line is no event. Never repeats what the line says.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EventError {
    /// The line is longer than [`MAX_EVENT_BYTES`].
    #[error("the event has {bytes} bytes; at most {MAX_EVENT_BYTES} (16 MiB) are allowed")]
    TooLong {
        /// Its length.
        bytes: usize,
    },
    /// The line is not one JSON object.
    #[error("the event is not one JSON object (column {column})")]
    NotJson {
        /// Where the parser stopped, in bytes, from 1; 0 where it cannot say.
        column: usize,
    },
    /// There is no `type`, or it is no string.
    #[error("the event has no \"type\" that is a string")]
    NoType,
    /// An id has the wrong form.
    #[error("the event's \"{field}\" is neither a string nor a number")]
    IdForm {
        /// `id`, `parentId` or `targetId`.
        field: &'static str,
    },
    /// An id breaks its bounds.
    #[error("the event's \"{field}\": {source}")]
    Id {
        /// `id`, `parentId` or `targetId`.
        field: &'static str,
        /// The bound.
        source: IdError,
    },
}

/// An event as it came, and what was read from it.
///
/// ```
/// use session_search_core::{Event, EventKind, Role};
/// let event = Event::parse(r#"{"type":"message","id":"m1","message":{"role":"user","content":"hi"}}"#)?;
/// assert_eq!(event.kind(), &EventKind::Message(Role::User));
/// assert_eq!(event.id().unwrap().as_str(), "m1");
/// # Ok::<(), session_search_core::event::EventError>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Event {
    raw: String,
    id: Option<EventId>,
    parent: Parent,
    kind: EventKind,
    timestamp: Option<Millis>,
}

type Fields = BTreeMap<String, Box<RawValue>>;

impl Event {
    /// Reads one event. Unknown fields and types are kept; of a repeated field the last counts.
    ///
    /// # Errors
    /// [`EventError`] where the text is no event within its bounds.
    pub fn parse(raw: impl Into<String>) -> Result<Event, EventError> {
        let raw = raw.into();
        if raw.len() > MAX_EVENT_BYTES {
            return Err(EventError::TooLong { bytes: raw.len() });
        }
        let fields: Fields =
            serde_json::from_str(&raw).map_err(|error| EventError::NotJson { column: error.column() })?;
        let kind_name: String =
            fields.get("type").and_then(|v| parse_lenient(v.get()).ok()).ok_or(EventError::NoType)?;
        let id = read_id(&fields, "id")?.flatten();
        let parent = match read_id(&fields, "parentId")? {
            None => Parent::CurrentLeaf,
            Some(None) => Parent::Root,
            Some(Some(id)) => Parent::Event(id),
        };
        let kind = match kind_name.as_str() {
            "leaf" => EventKind::Leaf(match read_id(&fields, "targetId")? {
                None => LeafMove::Inert,
                Some(None) => LeafMove::Empty,
                Some(Some(id)) => LeafMove::To(id),
            }),
            "message" => match role(&fields) {
                Some(role) => EventKind::Message(role),
                None => EventKind::OtherMessage,
            },
            _ => EventKind::Other,
        };
        let timestamp = fields.get("timestamp").and_then(|v| read_time(v));
        Ok(Event { raw, id, parent, kind, timestamp })
    }

    /// Gives an event without an id the one it is stored under; the raw text stays as it came.
    #[must_use]
    pub fn or_id(mut self, id: impl FnOnce() -> EventId) -> Event {
        self.id.get_or_insert_with(id);
        self
    }

    /// Gives an event without a time the one it is stored under.
    #[must_use]
    pub fn or_timestamp(mut self, time: Millis) -> Event {
        self.timestamp.get_or_insert(time);
        self
    }

    /// The line as it came.
    #[must_use]
    pub fn raw(&self) -> &str {
        &self.raw
    }

    /// The event's own id, where it has one.
    #[must_use]
    pub fn id(&self) -> Option<&EventId> {
        self.id.as_ref()
    }

    /// What it hangs on.
    #[must_use]
    pub fn parent(&self) -> &Parent {
        &self.parent
    }

    /// What it is.
    #[must_use]
    pub fn kind(&self) -> &EventKind {
        &self.kind
    }

    /// The role, where it is a message.
    #[must_use]
    pub fn role(&self) -> Option<Role> {
        match self.kind {
            EventKind::Message(role) => Some(role),
            _ => None,
        }
    }

    /// The time it carries; `None` where that is missing or nonsense.
    #[must_use]
    pub fn timestamp(&self) -> Option<Millis> {
        self.timestamp
    }
}

impl fmt::Debug for Event {
    /// Ids and lengths only: events hold what people said.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Event")
            .field("id", &self.id)
            .field("parent", &self.parent)
            .field("kind", &self.kind)
            .field("timestamp", &self.timestamp)
            .field("bytes", &self.raw.len())
            .finish()
    }
}

/// Whether two events under one id say the same: an equal `message`, or, where one has none, equal events.
/// Numbers, order of fields and white space are compared as JSON, not as text.
#[must_use]
pub fn same_content(a: &str, b: &str) -> bool {
    if a == b {
        return true;
    }
    let message = |raw: &str| {
        let mut fields: Fields = serde_json::from_str(raw).ok()?;
        fields.remove("message").map(|value| value.get().to_owned())
    };
    match (message(a), message(b)) {
        (Some(a), Some(b)) => same_json(&a, &b),
        _ => same_json(a, b),
    }
}

fn same_json(a: &str, b: &str) -> bool {
    let value = |raw: &str| parse_lenient::<serde_json::Value>(raw);
    match (value(a), value(b)) {
        (Ok(a), Ok(b)) => a == b,
        // Nested beyond what is parsed into values: only the same text is surely equal.
        _ => a == b,
    }
}

/// Absent: `None`; `null`: `Some(None)`; a string or number: its text.
fn read_id(fields: &Fields, field: &'static str) -> Result<Option<Option<EventId>>, EventError> {
    let Some(value) = fields.get(field) else { return Ok(None) };
    let text = value.get();
    let id = match text.as_bytes().first() {
        Some(b'n') => return Ok(Some(None)),
        Some(b'"') => parse_lenient::<String>(text).map_err(|_| EventError::IdForm { field })?,
        Some(b'-' | b'0'..=b'9') => text.to_owned(),
        _ => return Err(EventError::IdForm { field }),
    };
    match EventId::new(id) {
        Ok(id) => Ok(Some(Some(id))),
        Err(source) => Err(EventError::Id { field, source }),
    }
}

fn role(fields: &Fields) -> Option<Role> {
    let message: Fields = serde_json::from_str(fields.get("message")?.get()).ok()?;
    let name: String = parse_lenient(message.get("role")?.get()).ok()?;
    Role::from_name(&name)
}

fn read_time(value: &RawValue) -> Option<Millis> {
    let text = value.get();
    if text.starts_with('"') {
        Millis::from_rfc3339(&parse_lenient::<String>(text).ok()?)
    } else {
        Millis::from_number(text.parse().ok()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parents_and_leaves_tell_absent_from_null() {
        let parent = |raw: &str| Event::parse(raw).unwrap().parent().clone();
        assert_eq!(parent(r#"{"type":"x"}"#), Parent::CurrentLeaf);
        assert_eq!(parent(r#"{"type":"x","parentId":null}"#), Parent::Root);
        assert_eq!(parent(r#"{"type":"x","parentId":7}"#), Parent::Event(EventId::new("7").unwrap()));
        let kind = |raw: &str| Event::parse(raw).unwrap().kind().clone();
        assert_eq!(kind(r#"{"type":"leaf"}"#), EventKind::Leaf(LeafMove::Inert));
        assert_eq!(kind(r#"{"type":"leaf","targetId":null}"#), EventKind::Leaf(LeafMove::Empty));
        assert_eq!(kind(r#"{"type":"message"}"#), EventKind::OtherMessage);
        assert_eq!(kind(r#"{"type":"message","message":{"role":"toolResult"}}"#), EventKind::OtherMessage);
    }

    #[test]
    fn bad_lines_say_why_and_nothing_of_what_they_hold() {
        let error = |raw: &str| Event::parse(raw).unwrap_err().to_string();
        assert!(error("{\"secret").contains("not one JSON object"));
        assert!(!error("{\"secret").contains("secret"));
        assert!(error("[1]").contains("not one JSON object"));
        assert!(error("{}").contains("type"));
        assert!(error(r#"{"type":5}"#).contains("type"));
        assert!(error(r#"{"type":"x","id":{}}"#).contains("\"id\""));
        assert!(error(r#"{"type":"x","id":""}"#).contains("empty"));
        assert!(error(&format!(r#"{{"type":"x","parentId":"{}"}}"#, "a".repeat(257))).contains("257"));
        assert!(matches!(Event::parse(" ".repeat(MAX_EVENT_BYTES + 1)), Err(EventError::TooLong { .. })));
    }

    #[test]
    fn times_come_as_text_or_number_or_not_at_all() {
        let time =
            |value: &str| Event::parse(format!(r#"{{"type":"x","timestamp":{value}}}"#)).unwrap().timestamp();
        assert_eq!(time("1764540000000"), Some(Millis(1_764_540_000_000)));
        assert_eq!(time("1764540000"), Some(Millis(1_764_540_000_000)));
        assert_eq!(time("\"2025-11-30T22:00:00Z\""), Some(Millis(1_764_540_000_000)));
        for nonsense in ["null", "\"soon\"", "{}", "-4", "1e300"] {
            assert_eq!(time(nonsense), None, "{nonsense}");
        }
    }

    #[test]
    fn content_is_compared_as_json() {
        let a = r#"{"type":"message","id":"a","message":{"role":"user","content":"x"},"timestamp":1}"#;
        let b = r#"{"timestamp":2,"type":"message","id":"a","message":{"content":"x", "role":"user"}}"#;
        let c = r#"{"type":"message","id":"a","message":{"role":"user","content":"y"},"timestamp":1}"#;
        assert!(same_content(a, b));
        assert!(!same_content(a, c));
        assert!(!same_content(r#"{"type":"x","v":1}"#, r#"{"type":"x","v":2}"#));
        assert!(same_content(r#"{"type":"x","v":1}"#, r#"{"v":1,"type":"x"}"#));
    }

    #[test]
    fn nesting_beyond_any_stack_is_only_carried() {
        let deep = format!(r#"{{"type":"custom","data":{}{}}}"#, "[".repeat(20_000), "]".repeat(20_000));
        assert_eq!(Event::parse(deep).unwrap().kind(), &EventKind::Other);
    }

    #[test]
    fn debug_shows_no_text() {
        let event =
            Event::parse(r#"{"type":"message","message":{"role":"user","content":"canary"}}"#).unwrap();
        assert!(!format!("{event:?}").contains("canary"));
    }
}
