//! What is answered.

use std::ops::Range;

use serde::Serialize;
use session_search_core::{AgentId, EventId, Role, SessionId, SessionKey};

/// The answer to a search (CONTRACT 2). As JSON at most 32 KiB. Flags are absent where they do not apply.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct SearchResponse {
    /// The hits, best first.
    pub results: Vec<Hit>,
    /// A visible match was left out by a bound.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub truncated: bool,
    /// No message holds all the words; these hold most of them.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub relaxed: bool,
    /// Some visible sessions are still being indexed: ask again in a moment.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub indexing: bool,
    /// What is incomplete, and why.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub warning: Option<String>,
    /// What was ignored or excluded, which words occur nowhere, what would widen the search.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub hints: Vec<String>,
}

/// A message that matches.
#[derive(Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Hit {
    /// The agent whose session it is.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub agent_id: AgentId,
    /// The session: pass it to history.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub session_key: SessionKey,
    /// The transcript: pass it to history.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub session_id: SessionId,
    /// The message: pass it to history, to read what stands around it.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub message_id: EventId,
    /// Who said it.
    #[cfg_attr(feature = "schema", schemars(with = "crate::serde_forms::RoleForm"))]
    pub role: Role,
    /// When, in epoch milliseconds.
    pub timestamp: i64,
    /// The part of the message that shows the match, scrubbed; at most 300 characters.
    pub snippet: String,
    /// Larger is better.
    pub score: f64,
    /// Other visible sessions that hold a copy of the message; at most five.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub also_in: Vec<CopyPlace>,
    /// The bytes of `snippet` that matched, in order; not part of the JSON.
    #[serde(skip)]
    #[cfg_attr(feature = "schema", schemars(skip))]
    pub highlights: Vec<Range<usize>>,
}

impl std::fmt::Debug for Hit {
    /// Without the snippet.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Hit")
            .field("agent_id", &self.agent_id)
            .field("session_key", &self.session_key)
            .field("message_id", &self.message_id)
            .field("score", &self.score)
            .finish_non_exhaustive()
    }
}

/// A session that holds a copy of a message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct CopyPlace {
    /// Its agent.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub agent_id: AgentId,
    /// The session.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub session_key: SessionKey,
    /// The transcript.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub session_id: SessionId,
}
