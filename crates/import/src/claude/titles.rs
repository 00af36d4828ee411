//! The title of a session: the one a person gave, else the one the program made, else the summary of a leaf of this
//! file, else the first prompt.

use serde::{Deserialize, Serialize};

use crate::claude::links::key;

/// How many summaries may wait for the record they name.
const WAITING: usize = 64;

/// Where a title comes from; a higher one replaces a lower one, and an equal one the one before it.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) enum TitleFrom {
    /// There is none yet.
    #[default]
    Nowhere,
    /// The first typed prompt.
    Prompt,
    /// A summary whose leaf is in this file.
    Summary,
    /// The program.
    Program,
    /// A person.
    Person,
}

/// A summary above the record that it names.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Summary {
    /// The hash of the record's id.
    leaf: u64,
    /// The byte offset of its line.
    pub(crate) offset: u64,
    /// The summary, where it was read in this run.
    #[serde(skip)]
    pub(crate) text: String,
}

/// What is known of the title. Texts never go into the state.
#[derive(Debug, Default, Clone, Serialize, Deserialize)]
pub(crate) struct Titles {
    from: TitleFrom,
    summaries: Vec<Summary>,
    /// The byte offset of a title that came before the session was known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    held: Option<u64>,
}

impl Titles {
    /// Keeps the place of a title for when the session is known.
    pub(crate) fn hold(&mut self, offset: u64) {
        self.held = Some(offset);
    }

    /// The place of the title that is held.
    pub(crate) fn held(&self) -> Option<u64> {
        self.held
    }

    /// The session is known: nothing is held any more.
    pub(crate) fn release(&mut self) {
        self.held = None;
    }

    /// Whether a title from there is the title now.
    pub(crate) fn takes(&mut self, from: TitleFrom) -> bool {
        let takes = if from == TitleFrom::Prompt { self.from < from } else { self.from <= from };
        if takes {
            self.from = from;
        }
        takes
    }

    /// A summary names a record that is not there (yet).
    pub(crate) fn wait(&mut self, leaf: &str, offset: u64, text: String) {
        if self.summaries.len() >= WAITING {
            self.summaries.remove(0);
        }
        self.summaries.push(Summary { leaf: key(leaf), offset, text });
    }

    /// The summary that waited for this record.
    pub(crate) fn arrived(&mut self, id: &str) -> Option<String> {
        if self.summaries.is_empty() {
            return None;
        }
        let id = key(id);
        let at = self.summaries.iter().rposition(|summary| summary.leaf == id)?;
        let summary = self.summaries.remove(at);
        (!summary.text.is_empty()).then_some(summary.text)
    }

    /// Summaries that an earlier run read and this one must read again.
    pub(crate) fn missing(&mut self) -> impl Iterator<Item = &mut Summary> {
        self.summaries.iter_mut().filter(|summary| summary.text.is_empty())
    }
}

impl Summary {
    /// Whether it names that record.
    pub(crate) fn names(&self, leaf: &str) -> bool {
        self.leaf == key(leaf)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_higher_title_wins_and_a_later_one_replaces_its_like() {
        let mut titles = Titles::default();
        assert!(titles.takes(TitleFrom::Prompt));
        assert!(!titles.takes(TitleFrom::Prompt));
        assert!(titles.takes(TitleFrom::Person));
        assert!(!titles.takes(TitleFrom::Program));
        assert!(titles.takes(TitleFrom::Person));
    }

    #[test]
    fn summaries_wait_for_their_leaf() {
        let mut titles = Titles::default();
        titles.wait("a", 0, "of a".to_owned());
        titles.wait("b", 9, "of b".to_owned());
        assert_eq!(titles.arrived("c"), None);
        assert_eq!(titles.arrived("b").as_deref(), Some("of b"));
        assert_eq!(titles.arrived("b"), None);
        for at in 0..100 {
            titles.wait("x", at, "x".to_owned());
        }
        assert_eq!(titles.missing().count(), 0);
        assert_eq!(titles.summaries.len(), WAITING);
    }
}
