//! Whose thread a file is. The first `session_meta` says it; a fork repeats that of its parent after its own, and then
//! the parent's history with new times.

use serde::{Deserialize, Serialize};
use session_search_core::store::SessionSpec;
use session_search_core::{AgentId, Millis, SessionName};

use crate::fields::Fields;
use crate::ids;

/// Copies are written at once: records without turns that are older than this after the first are the fork's own.
const COPY_MILLIS: i64 = 1_000;

/// A thread, and how far its file repeats another one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Thread {
    /// Its id.
    pub(crate) id: String,
    /// The thread that spawned it.
    parent: Option<String>,
    /// When it began, where it says so.
    pub(crate) began: Option<Millis>,
    /// Whether the records that follow are copied from another thread.
    copying: bool,
    /// Whether a turn with an id was seen among the copied records.
    turns: bool,
    /// The time of the first record.
    first: Option<Millis>,
    /// Pages of sub-agents begin with inherited records; their own have at least this ordinal.
    first_ordinal: Option<u64>,
}

impl Thread {
    /// From the payload of its `session_meta` (or the bare first line of old files). `named`: its id where it has none.
    pub(crate) fn of(meta: &Fields<'_>, first: Option<Millis>, named: &str) -> Thread {
        let text =
            |name: &str| meta.string(name).filter(|text| !text.is_empty()).map(std::borrow::Cow::into_owned);
        let spawned = || {
            let spawn = meta.object("source")?.object("subagent")?.object("thread_spawn")?;
            spawn.string("parent_thread_id").map(std::borrow::Cow::into_owned)
        };
        let points = meta.raw("history_base").is_some_and(|base| base != "null");
        Thread {
            id: text("id").unwrap_or_else(|| named.to_owned()),
            parent: text("parent_thread_id").or_else(spawned),
            began: meta.time("timestamp").or(first),
            copying: text("forked_from_id").is_some() && !points,
            turns: false,
            first,
            first_ordinal: meta.number("subagent_history_start_ordinal"),
        }
    }

    /// The session's key and lineage.
    pub(crate) fn spec(&self, store: &AgentId) -> SessionSpec {
        let key = |id: &str| ids::session_key(&format!("codex:{id}"));
        let parent = self.parent.as_ref().filter(|parent| **parent != self.id);
        SessionSpec {
            key: key(&self.id),
            spawned_by: parent.map(|parent| SessionName { agent: store.clone(), key: key(parent) }),
            title: None,
            project: None,
            source: "codex".to_owned(),
            incognito: false,
        }
    }

    /// Another `session_meta`: of another thread, its history follows.
    pub(crate) fn meets(&mut self, meta: &Fields<'_>) {
        self.copying |= meta.string("id").is_some_and(|id| id != self.id.as_str());
    }

    /// A turn begins: one that is not older than the thread is its own.
    pub(crate) fn turn(&mut self, id: &str) {
        let Some(turn) = uuid7_millis(id) else { return };
        self.turns = true;
        let start = uuid7_millis(&self.id).or(self.began);
        if start.is_some_and(|start| turn >= start) {
            self.copying = false;
        }
    }

    /// Whether a record is another thread's.
    pub(crate) fn is_copied(&mut self, time: Option<Millis>, ordinal: Option<u64>) -> bool {
        if self.copying
            && !self.turns
            && let (Some(time), Some(first)) = (time, self.first)
            && time.0 - first.0 > COPY_MILLIS
        {
            self.copying = false;
        }
        self.copying
            || matches!((ordinal, self.first_ordinal), (Some(ordinal), Some(first)) if ordinal < first)
    }
}

/// The time in a UUID of version 7.
fn uuid7_millis(id: &str) -> Option<Millis> {
    let digits: String = id.split('-').collect();
    if id.len() != 36 || digits.len() != 32 || !digits.is_ascii() || digits.as_bytes()[12] != b'7' {
        return None;
    }
    i64::from_str_radix(&digits[..12], 16).ok().map(Millis)
}

/// The thread's id in a file's name: `rollout-<time>-<uuid>`; else the whole name.
pub(crate) fn id_in_name(stem: &str) -> &str {
    let cut = stem.len().checked_sub(36).and_then(|at| stem.get(at..));
    cut.filter(|id| stem.starts_with("rollout-") && id.bytes().filter(|byte| *byte == b'-').count() == 4)
        .unwrap_or(stem)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn thread(meta: &str) -> Thread {
        Thread::of(&Fields::parse(meta).unwrap(), Some(Millis(1_000_000_000_000)), "named")
    }

    #[test]
    fn the_time_in_an_id() {
        // 0x019f00000000 milliseconds.
        assert_eq!(uuid7_millis("019f0000-0000-7000-8000-00000000bbbb"), Some(Millis(1_782_411_427_840)));
        assert_eq!(uuid7_millis("5973b6c0-94b8-487b-a530-2aeb6098ae0e"), None);
        assert_eq!(uuid7_millis("t1"), None);
    }

    #[test]
    fn names_hold_ids() {
        let id = "019f0000-0000-7000-8000-000000000001";
        assert_eq!(id_in_name(&format!("rollout-2026-05-01T10-00-00-{id}")), id);
        assert_eq!(id_in_name("full"), "full");
        assert_eq!(thread("{}").id, "named");
    }

    #[test]
    fn sub_agents_name_their_parent() {
        let agent = AgentId::new("codex").unwrap();
        for meta in [
            r#"{"id":"a","session_id":"p","parent_thread_id":"p"}"#,
            r#"{"id":"a","source":{"subagent":{"thread_spawn":{"parent_thread_id":"p"}}}}"#,
        ] {
            let spec = thread(meta).spec(&agent);
            assert_eq!((spec.key.as_str(), spec.spawned_by.unwrap().key.as_str()), ("codex:a", "codex:p"));
        }
        assert!(thread(r#"{"id":"a","source":"cli"}"#).spec(&agent).spawned_by.is_none());
    }

    #[test]
    fn copied_history_ends_with_the_first_turn_of_its_own() {
        let mut fork = thread(r#"{"id":"019f0000-0000-7000-8000-00000000bbbb","forked_from_id":"x"}"#);
        fork.turn("019e0000-0000-7000-8000-000000000001");
        assert!(fork.is_copied(Some(Millis(2_000_000_000_000)), None));
        fork.turn("019f0000-0001-7000-8000-000000000002");
        assert!(!fork.is_copied(None, None));
    }

    #[test]
    fn without_turns_time_tells() {
        let mut fork = thread(r#"{"id":"b","forked_from_id":"a"}"#);
        assert!(fork.is_copied(Some(Millis(1_000_000_000_500)), None));
        assert!(!fork.is_copied(Some(Millis(1_000_000_005_000)), None));
    }

    #[test]
    fn pages_point_and_do_not_copy() {
        let mut page = thread(
            r#"{"id":"b","forked_from_id":"a","history_base":{"thread_id":"a"},"subagent_history_start_ordinal":5}"#,
        );
        assert!(!page.is_copied(None, None));
        assert!(page.is_copied(None, Some(4)));
        assert!(!page.is_copied(None, Some(5)));
    }
}
