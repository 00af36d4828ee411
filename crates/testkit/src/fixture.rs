//! Short ways to write what tests hand to a store.

use std::sync::Arc;

use serde_json::{Map, Value, json};
use session_search_core::query::Query;
use session_search_core::source::{ImportChunk, SourceRank};
use session_search_core::store::{
    Append, Filter, HistoryFrom, HistoryPlan, Matching, Order, SearchPlan, SessionSpec, Statistics,
};
use session_search_core::{Event, EventId, Millis, SessionId, SessionKey, SessionName, Visible};

use crate::factory::agent;

/// The time that events have where a test does not say: 2023-11-14T22:13:20Z.
pub const T0: i64 = 1_700_000_000_000;

/// A session key.
#[must_use]
pub fn key(name: &str) -> SessionKey {
    SessionKey::new(name).expect("a key within its bounds")
}

/// An event id.
#[must_use]
pub fn event_id(id: &str) -> EventId {
    EventId::new(id).expect("an id within its bounds")
}

/// A transcript's id.
#[must_use]
pub fn session_id(id: &str) -> SessionId {
    SessionId::new(id).expect("an id within its bounds")
}

/// A session of the agent under test.
#[must_use]
pub fn name(of: &str) -> SessionName {
    SessionName { agent: agent(), key: key(of) }
}

/// These sessions and no other.
#[must_use]
pub fn only(keys: &[&str]) -> Visible {
    Visible::Only(keys.iter().map(|name| key(name)).collect())
}

/// A query that is known to parse.
#[must_use]
pub fn query(text: &str) -> Arc<Query> {
    Arc::new(Query::parse(text).expect("a query that parses"))
}

/// An event under construction.
///
/// ```
/// use session_search_testkit::fixture::user;
/// let event = user("m2", "hello").under("m1").at(5).event();
/// assert_eq!(event.timestamp().unwrap().0, session_search_testkit::fixture::T0 + 5);
/// ```
#[derive(Clone)]
pub struct Draft(Map<String, Value>);

impl std::fmt::Debug for Draft {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.line())
    }
}

impl Draft {
    fn new(kind: &str, id: &str) -> Draft {
        Draft(Map::from_iter([("type".to_owned(), json!(kind)), ("id".to_owned(), json!(id))])).at(0)
    }

    /// Sets a field to what it shall be.
    #[must_use]
    pub fn with(mut self, field: &str, value: Value) -> Draft {
        self.0.insert(field.to_owned(), value);
        self
    }

    /// Hangs it on that event, there or not.
    #[must_use]
    pub fn under(self, parent: &str) -> Draft {
        self.with("parentId", json!(parent))
    }

    /// Makes it a root.
    #[must_use]
    pub fn root(self) -> Draft {
        self.with("parentId", Value::Null)
    }

    /// Gives it a time: so many milliseconds after [`T0`].
    #[must_use]
    pub fn at(self, after: i64) -> Draft {
        self.with("timestamp", json!(T0 + after))
    }

    /// The line as a transcript holds it.
    #[must_use]
    pub fn line(&self) -> String {
        Value::Object(self.0.clone()).to_string()
    }

    /// The event.
    #[must_use]
    pub fn event(&self) -> Event {
        Event::parse(self.line()).expect("a draft within the bounds")
    }
}

/// A message of the user; its parent is the leaf.
#[must_use]
pub fn user(id: &str, text: &str) -> Draft {
    Draft::new("message", id).with("message", json!({"role": "user", "content": text}))
}

/// A message of the assistant; its parent is the leaf.
#[must_use]
pub fn assistant(id: &str, text: &str) -> Draft {
    Draft::new("message", id)
        .with("message", json!({"role": "assistant", "content": [{"type": "text", "text": text}]}))
}

/// A message of the assistant that only calls a tool.
#[must_use]
pub fn tool_call(id: &str, tool: &str, arguments: Value) -> Draft {
    let block = json!({"type": "toolCall", "name": tool, "arguments": arguments});
    Draft::new("message", id).with("message", json!({"role": "assistant", "content": [block]}))
}

/// A tool's result.
#[must_use]
pub fn tool_result(id: &str, tool: &str, text: &str) -> Draft {
    Draft::new("message", id)
        .with("message", json!({"role": "toolResult", "toolName": tool, "content": text}))
}

/// An event of another type.
#[must_use]
pub fn other(kind: &str, id: &str) -> Draft {
    Draft::new(kind, id)
}

/// A `leaf` event; `target` as JSON, since `null` and an id differ.
#[must_use]
pub fn leaf(id: &str, target: Value) -> Draft {
    Draft::new("leaf", id).with("targetId", target)
}

/// The events of drafts.
#[must_use]
pub fn events(drafts: &[Draft]) -> Vec<Event> {
    drafts.iter().map(Draft::event).collect()
}

/// An append to the current transcript of a session; of a new one the first transcript is `<key>-s1`.
#[must_use]
pub fn append(to: &str, drafts: &[Draft]) -> Append {
    Append {
        session: SessionSpec::native(key(to)),
        session_id: None,
        new_session_id: session_id(&format!("{to}-s1")),
        events: events(drafts),
    }
}

/// An append to that transcript.
#[must_use]
pub fn append_to(to: &str, transcript: &str, drafts: &[Draft]) -> Append {
    Append { session_id: Some(session_id(transcript)), ..append(to, drafts) }
}

/// A chunk of a live file. Drafts without a parent are linked in order; the last is the leaf.
#[must_use]
pub fn chunk(to: &str, transcript: &str, drafts: &[Draft]) -> ImportChunk {
    let mut linked: Vec<Draft> = Vec::new();
    for draft in drafts {
        let before = linked.last().map(|before| before.0["id"].clone());
        let known = draft.0.get("parentId").cloned();
        linked.push(draft.clone().with("parentId", known.or(before).unwrap_or(Value::Null)));
    }
    let last = linked.iter().rev().find(|draft| draft.0["type"] != json!("leaf"));
    ImportChunk {
        session: SessionSpec { source: "pi".into(), ..SessionSpec::native(key(to)) },
        session_id: session_id(transcript),
        transcript: None,
        rank: SourceRank::Live,
        source: None,
        created: None,
        leaf: Some(last.map(|draft| event_id(draft.0["id"].as_str().expect("an id")))),
        events: events(&linked),
        defer_index: false,
        restore: false,
        mark: None,
    }
}

/// A search by relevance without filter, cap or (in effect) limit. Its statistics are empty: set them, or leave it
/// to [`crate::Kit::search`].
#[must_use]
pub fn plan(text: &str) -> SearchPlan {
    SearchPlan {
        query: query(text),
        matching: Matching::All,
        filter: Filter::default(),
        order: Order::Relevance,
        limit: 10_000,
        per_session: None,
        statistics: Arc::new(Statistics::default()),
    }
}

/// A page of history of the current transcript, or of that of the anchor.
#[must_use]
pub fn pages(of: &str, from: HistoryFrom, limit: usize) -> HistoryPlan {
    HistoryPlan { key: key(of), session_id: None, from, limit, include_tools: false }
}

/// A time after [`T0`].
#[must_use]
pub fn at(after: i64) -> Millis {
    Millis(T0 + after)
}
