//! Near spellings of words that occur nowhere: made from the word as typed, and looked up among the visible messages.

use std::cmp::Reverse;

use session_search_core::AgentId;
use session_search_core::spelling::{misspellable, near};

use super::find::Job;
use crate::session_search::Inner;

/// Words for which a near spelling is looked for.
const WORDS: usize = 3;
/// Terms that are looked up at most, in all stores together: about a second. Counted for the stores that hold a visible
/// message, so that nothing else shows in what is found.
const LOOKUPS: usize = 50_000;

/// A word that occurs nowhere, and one near to it that does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Spelling {
    pub(crate) typed: String,
    pub(crate) near: String,
}

impl Inner {
    /// For the first few words that occur in no visible message, the nearest term that does: of several the most
    /// frequent, then the first in the order of letters. `speaking`: the agents whose stores hold a visible message.
    pub(crate) async fn near_spellings(&self, job: &Job, speaking: &[AgentId]) -> Vec<Spelling> {
        let clauses = job.asked.query.clauses().zip(&job.statistics.frequencies);
        let absent = clauses.filter(|(_, frequency)| **frequency == 0);
        let words: Vec<(String, [Vec<String>; 2])> = absent
            .filter_map(|((_, clause), _)| Some((clause.typed().to_owned(), near(misspellable(clause)?))))
            .take(WORDS)
            .collect();
        let mut found = Vec::new();
        let mut left = LOOKUPS;
        for (typed, candidates) in words {
            for candidates in candidates {
                let Some(rest) = left.checked_sub(candidates.len() * speaking.len()) else { return found };
                left = rest;
                if let Some(near) = self.most_frequent(job, speaking, candidates).await {
                    found.push(Spelling { typed, near });
                    break;
                }
            }
        }
        found
    }

    /// Of these terms, which are in order, the one in most visible messages.
    async fn most_frequent(&self, job: &Job, agents: &[AgentId], terms: Vec<String>) -> Option<String> {
        let answers = self
            .ask_each(agents.iter().cloned(), |agent, store| {
                let (visible, terms) = (job.view.within(&agent), terms.clone());
                async move { store.occurring(&visible, &terms).await }
            })
            .await;
        let mut counts = vec![0_u64; terms.len()];
        // A store that fails is reported by the search itself.
        for more in answers.into_iter().filter_map(|(_, answer)| answer.ok()) {
            counts.iter_mut().zip(more).for_each(|(sum, count)| *sum += count);
        }
        let present = terms.into_iter().zip(counts).filter(|(_, count)| *count > 0);
        present.min_by_key(|(_, count)| Reverse(*count)).map(|(term, _)| term)
    }
}
