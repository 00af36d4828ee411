//! Sub-agents whose records stand in the main file (versions before 2.0): each is a session of its own, in file order.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use crate::claude::links::{Named, key};
use crate::out::FeedNumber;

/// How many of them one file may hold; records of further ones go to the last.
const MAX_SIDES: usize = 10_000;

/// One sub-agent.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Side {
    /// Its id, or that of its first record.
    pub(crate) agent: String,
    /// Whether it has a title.
    #[serde(default)]
    pub(crate) titled: bool,
    /// Where its events go in this run.
    #[serde(skip)]
    pub(crate) feed: Option<FeedNumber>,
}

/// The sub-agents of a file.
#[derive(Debug, Default, Clone, Serialize, Deserialize)]
pub(crate) struct Sides {
    sides: Vec<Side>,
    /// Hashes of their records' ids.
    records: HashMap<u64, usize>,
}

impl Sides {
    /// Whether a record of this id was added.
    pub(crate) fn contains(&self, id: &str) -> bool {
        self.records.contains_key(&key(id))
    }

    /// Adds a record: to the sub-agent it names, else to that of its parent, else to the last, where it only lost its
    /// parent; a root begins a new one.
    pub(crate) fn add(&mut self, id: &str, named: Named<'_>, agent: Option<&str>) -> &mut Side {
        let found = match (agent, named) {
            (Some(agent), _) => self.sides.iter().position(|side| side.agent == agent),
            (None, Named::Record(parent)) => {
                self.records.get(&key(parent)).copied().or(self.sides.len().checked_sub(1))
            }
            (None, Named::Nothing) => self.sides.len().checked_sub(1),
            (None, Named::Root) => None,
        };
        let at = found.unwrap_or_else(|| {
            if self.sides.len() < MAX_SIDES {
                let agent = agent.unwrap_or(id).to_owned();
                self.sides.push(Side { agent, titled: false, feed: None });
            }
            self.sides.len() - 1
        });
        self.records.insert(key(id), at);
        &mut self.sides[at]
    }

    /// All of them.
    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = &mut Side> {
        self.sides.iter_mut()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_find_their_sub_agent() {
        let mut sides = Sides::default();
        let mut add =
            |id: &str, named: Named<'_>, agent: Option<&str>| sides.add(id, named, agent).agent.clone();
        assert_eq!(add("a", Named::Root, None), "a");
        assert_eq!(add("b", Named::Root, None), "b");
        assert_eq!(add("a2", Named::Record("a"), None), "a");
        assert_eq!(add("b2", Named::Record("lost"), None), "b");
        assert_eq!(add("c", Named::Root, Some("ag")), "ag");
        assert_eq!(add("c2", Named::Record("a"), Some("ag")), "ag");
        assert!(sides.contains("c2") && !sides.contains("d"));
    }
}
