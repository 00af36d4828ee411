//! Parents, resolved while the records stream by (CONTRACT 7): a parent that is missing, or would close a cycle, is
//! replaced by the record before.
//!
//! Ids are kept as 64-bit hashes only. Nearly every parent stands before its child, which needs one look into a set.
//! The first one that does not makes us scan the whole source once for ids and parents ([`Ahead`]).

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, RandomState};

use session_search_core::EventId;

/// Steps that one walk along parents may take; a longer one counts as a cycle.
const WALK_STEPS: usize = 100_000;
/// Steps that all walks of one transcript may take together.
const ALL_STEPS: usize = 20_000_000;

/// A record's id and parent, for the scan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Link {
    /// Its id.
    pub(crate) id: EventId,
    /// Its parent, where it has one.
    pub(crate) parent: Option<EventId>,
}

/// Every id of a source with its parent, as hashes; of a repeated id the first.
#[derive(Debug, Default)]
pub(crate) struct Ahead(HashMap<u64, Option<u64>>);

impl Ahead {
    /// Takes one record of the scan.
    pub(crate) fn add(&mut self, links: &Links, link: &Link) {
        let parent = link.parent.as_ref().map(|parent| links.hash(parent));
        self.0.entry(links.hash(&link.id)).or_insert(parent);
    }
}

/// The links of one transcript so far.
#[derive(Debug, Default)]
pub(crate) struct Links {
    hasher: RandomState,
    seen: HashSet<u64>,
    ahead: Option<Ahead>,
    /// Records that were named as a parent before they came.
    awaited: HashSet<u64>,
    /// Settled parents, from the first forward link on.
    settled: HashMap<u64, Option<u64>>,
    steps: usize,
}

impl Links {
    fn hash(&self, id: &EventId) -> u64 {
        self.hasher.hash_one(id.as_str())
    }

    /// Whether a record of that id came already.
    pub(crate) fn has(&self, id: &EventId) -> bool {
        self.seen.contains(&self.hash(id))
    }

    /// Whether the source was scanned.
    pub(crate) fn is_scanned(&self) -> bool {
        self.ahead.is_some()
    }

    /// Takes the scan of the source.
    pub(crate) fn set_ahead(&mut self, ahead: Ahead) {
        self.ahead = Some(ahead);
    }

    /// Whether `id` may hang on `parent`: it is there (`stored`: in the store already; before it; or further on), and
    /// that closes no cycle.
    pub(crate) fn may_hang(&mut self, id: &EventId, parent: &EventId, stored: bool) -> bool {
        let (id, parent) = (self.hash(id), self.hash(parent));
        if id == parent {
            return false;
        }
        if self.seen.contains(&parent) {
            // Only a record that another one waits for can be reached from one that came before it.
            return !self.awaited.contains(&id) || !self.reaches(parent, id);
        }
        if stored {
            return true;
        }
        let there = self.ahead.as_ref().is_some_and(|ahead| ahead.0.contains_key(&parent));
        there && !self.reaches(parent, id)
    }

    /// Notes a record and the parent it was given; `false` where its id came before.
    pub(crate) fn settle(&mut self, id: &EventId, parent: Option<&EventId>) -> bool {
        let hash = self.hash(id);
        if !self.seen.insert(hash) {
            return false;
        }
        let parent = parent.map(|parent| self.hash(parent));
        if let Some(parent) = parent
            && self.ahead.as_ref().is_some_and(|ahead| ahead.0.contains_key(&parent))
            && !self.seen.contains(&parent)
        {
            self.awaited.insert(parent);
        }
        if !self.awaited.is_empty() {
            self.settled.insert(hash, parent);
        }
        true
    }

    /// Whether the way from `from` over parents, settled ones and those still to come, passes `to`.
    fn reaches(&mut self, from: u64, to: u64) -> bool {
        let mut passed = HashSet::new();
        let mut next = Some(from);
        while let Some(at) = next {
            if at == to {
                return true;
            }
            if !passed.insert(at) {
                return false;
            }
            self.steps += 1;
            if passed.len() > WALK_STEPS || self.steps > ALL_STEPS {
                return true;
            }
            next = match self.settled.get(&at) {
                Some(parent) => *parent,
                None if self.seen.contains(&at) => None,
                None => self.ahead.as_ref().and_then(|ahead| ahead.0.get(&at).copied().flatten()),
            };
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(text: &str) -> EventId {
        EventId::new(text).unwrap()
    }

    /// Resolves records (id, parent) as a feed does; answers the settled parents.
    fn resolve(records: &[(&str, Option<&str>)]) -> Vec<Option<String>> {
        let mut links = Links::default();
        let mut ahead = Ahead::default();
        for (name, parent) in records {
            ahead.add(&links, &Link { id: id(name), parent: parent.map(id) });
        }
        links.set_ahead(ahead);
        let mut last: Option<EventId> = None;
        let mut out = Vec::new();
        for (name, parent) in records {
            let wanted = parent.map(id);
            let parent = match wanted {
                Some(parent) if links.may_hang(&id(name), &parent, false) => Some(parent),
                Some(_) => last.clone().filter(|last| links.may_hang(&id(name), last, false)),
                None => None,
            };
            links.settle(&id(name), parent.as_ref());
            last = Some(id(name));
            out.push(parent.map(String::from));
        }
        out
    }

    #[track_caller]
    fn check(records: &[(&str, Option<&str>)], parents: &[Option<&str>]) {
        assert_eq!(resolve(records), parents.iter().map(|p| p.map(str::to_owned)).collect::<Vec<_>>());
    }

    #[test]
    fn cycles_break_at_their_first_record() {
        check(&[("1", Some("3")), ("2", Some("1")), ("3", Some("2"))], &[None, Some("1"), Some("2")]);
        check(&[("4", Some("4"))], &[None]);
        check(&[("0", None), ("5", Some("6")), ("6", Some("5"))], &[None, Some("0"), Some("5")]);
    }

    #[test]
    fn missing_parents_are_the_record_before_and_later_ones_stay() {
        check(&[("1", None), ("2", Some("lost"))], &[None, Some("1")]);
        check(&[("2", Some("1")), ("1", None)], &[Some("1"), None]);
        check(&[("1", Some("lost"))], &[None]);
    }

    #[test]
    fn a_replacement_closes_no_cycle_either() {
        // 1 waits for 3; 2 is an orphan and takes 1; 3 may hang on neither.
        check(&[("1", Some("3")), ("2", Some("lost")), ("3", Some("2"))], &[Some("3"), Some("1"), None]);
    }
}
