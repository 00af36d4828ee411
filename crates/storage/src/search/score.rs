//! What a match is worth ([`session_search_core::score`]), with what is the same for a whole search computed once.

use session_search_core::score::{self, LEVELS, MOST_OCCURRENCES};
use session_search_core::store::{Statistics, inverse_frequency};

/// The parts of a score that are the same for a whole search.
pub(crate) struct Weights {
    /// For each clause.
    idf: Vec<f64>,
    /// What the length does to the saturation, by level.
    length: [f64; LEVELS],
    newest: i64,
    /// The largest nearness there can be.
    nearest: f64,
}

impl Weights {
    /// From the statistics of a plan.
    pub(crate) fn new(statistics: &Statistics, clauses: usize) -> Weights {
        let frequency = |n: usize| statistics.frequencies.get(n).copied().unwrap_or(0);
        Weights {
            idf: (0..clauses).map(|n| inverse_frequency(statistics.messages, frequency(n))).collect(),
            length: std::array::from_fn(score::damping),
            newest: statistics.newest.map_or(0, |newest| newest.0),
            nearest: if clauses > 1 { 1.0 } else { 0.0 },
        }
    }

    /// What a clause that occurs so often in a message of this length is worth.
    #[inline]
    pub(crate) fn clause(&self, clause: usize, occurrences: u32, level: usize) -> f64 {
        score::clause(self.idf[clause], occurrences, self.length[level % LEVELS])
    }

    /// The most that a match can be worth whose clauses are worth `base`.
    #[inline]
    pub(crate) fn at_most(&self, base: f64) -> f64 {
        self.at_most_when(base, self.nearest)
    }

    /// The most that it can be worth where the clauses stand so near to each other.
    #[inline]
    pub(crate) fn at_most_when(&self, base: f64, near: f64) -> f64 {
        score::whole(base, near, 0)
    }

    /// By level of length: how often the only clause of a query must occur at least, so that the match can be worth
    /// `wanted`; one more than ever counts, where it cannot.
    pub(crate) fn least_occurrences(&self, wanted: f64) -> [u32; LEVELS] {
        std::array::from_fn(|level| {
            let enough = |count: &u32| self.at_most(self.clause(0, *count, level)) >= wanted;
            (1..=MOST_OCCURRENCES).find(enough).unwrap_or(MOST_OCCURRENCES + 1)
        })
    }

    /// The score. `near` is from 0 (apart) to 1 (side by side).
    pub(crate) fn score(&self, base: f64, near: f64, time: i64) -> f64 {
        score::whole(base, near, self.newest.saturating_sub(time))
    }
}
