//! The `state` of a source's mark: what lets an unchanged source be known by its path alone, and a grown one be read
//! on. JSON; names, ids and counts only.

use serde::{Deserialize, Serialize};
use session_search_core::AgentId;
use session_search_core::source::SourceMark;

use crate::feed::FeedState;
use crate::format::Format;

/// The form of the state; another one is not read.
const STATE_VERSION: u32 = 2;

/// The state of a source.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct State {
    v: u32,
    format: String,
    agent: AgentId,
    /// Lines consumed.
    #[serde(default)]
    pub(crate) lines: u64,
    /// The transcripts of the source.
    #[serde(default)]
    pub(crate) feeds: Vec<FeedState>,
    /// The reader's own.
    #[serde(default)]
    pub(crate) own: serde_json::Value,
}

impl State {
    /// A state of a source of that format and agent.
    pub(crate) fn new(format: Format, agent: &AgentId) -> State {
        State {
            v: STATE_VERSION,
            format: format.as_str().to_owned(),
            agent: agent.clone(),
            lines: 0,
            feeds: Vec::new(),
            own: serde_json::Value::Null,
        }
    }

    /// Reads what [`State::write`] wrote; `None` for anything else.
    pub(crate) fn read(text: &str) -> Option<State> {
        let state: State = serde_json::from_str(text).ok()?;
        (state.v == STATE_VERSION && state.format().is_some()).then_some(state)
    }

    /// As text for the mark.
    pub(crate) fn write(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// The format, where it is one we know.
    pub(crate) fn format(&self) -> Option<Format> {
        self.format.parse().ok()
    }

    /// The agent.
    pub(crate) fn agent(&self) -> &AgentId {
        &self.agent
    }
}

/// Whether a source is, by size, time and inode, what it was when it was marked: it need not be opened.
#[must_use]
pub fn is_unchanged(now: &SourceMark, then: &SourceMark) -> bool {
    (now.size, now.modified_ns, now.inode) == (then.size, then.modified_ns, then.inode)
}

/// Makes the mark of a source that was read in part: no file looks like it, so that the rest is read.
pub(crate) fn unfinished(mark: &mut SourceMark) {
    (mark.size, mark.modified_ns, mark.inode) = (mark.offset, i64::MIN, 0);
}
