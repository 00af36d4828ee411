//! What a match is worth ([`session_search_core::score`]), with what is the same for a whole search computed once.

use session_search_core::score::{self, LEVELS, NEARNESS, RECENCY};
use session_search_core::store::{Statistics, inverse_frequency};

/// The parts of a score that are the same for a whole search.
pub(crate) struct Weights {
    /// For each clause.
    idf: Vec<f64>,
    /// What the length does to the saturation, by level.
    length: [f64; LEVELS],
    newest: i64,
    /// The largest factor that recency and nearness can bring together.
    most: f64,
}

impl Weights {
    /// From the statistics of a plan.
    pub(crate) fn new(statistics: &Statistics, clauses: usize) -> Weights {
        let frequency = |n: usize| statistics.frequencies.get(n).copied().unwrap_or(0);
        Weights {
            idf: (0..clauses).map(|n| inverse_frequency(statistics.messages, frequency(n))).collect(),
            length: std::array::from_fn(score::damping),
            newest: statistics.newest.map_or(0, |newest| newest.0),
            most: (1.0 + RECENCY) * if clauses > 1 { 1.0 + NEARNESS } else { 1.0 },
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
        base * self.most
    }

    /// The score. `near` is from 0 (apart) to 1 (side by side).
    pub(crate) fn score(&self, base: f64, near: f64, time: i64) -> f64 {
        score::whole(base, near, self.newest.saturating_sub(time))
    }
}
