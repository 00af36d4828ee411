//! What a match is worth: frequency, length, and how recent it is.
//!
//! Nothing here depends on messages that may not be seen: rarity comes from the statistics of the plan, the usual
//! length is a constant, and recency counts from the newest visible message, never from the clock.

use session_search_core::store::{Statistics, inverse_frequency};

use crate::rows;

/// How fast more occurrences stop to count.
const SATURATION: f64 = 1.2;
/// How much the length counts.
const LENGTH_SHARE: f64 = 0.6;
/// The length in words at which it neither helps nor hurts.
const USUAL_WORDS: f64 = 30.0;
/// How much more the newest message is worth than a very old one.
const RECENCY: f64 = 0.15;
/// The age in milliseconds at which half of that is gone: 30 days.
const HALF_LIFE: f64 = 30.0 * 86_400_000.0;
/// How much words that stand together are worth more than words apart.
const NEARNESS: f64 = 0.3;

/// The parts of a score that are the same for a whole search.
pub(crate) struct Weights {
    /// For each clause.
    idf: Vec<f64>,
    /// What the length does to the saturation, by level.
    length: [f64; 32],
    newest: i64,
    /// The largest factor that recency and nearness can bring together.
    most: f64,
}

impl Weights {
    /// From the statistics of a plan.
    pub(crate) fn new(statistics: &Statistics, clauses: usize) -> Weights {
        let frequency = |n: usize| statistics.frequencies.get(n).copied().unwrap_or(0);
        let mut length = [0.0; 32];
        for (level, length) in length.iter_mut().enumerate() {
            *length = SATURATION * (1.0 - LENGTH_SHARE + LENGTH_SHARE * rows::words_at(level) / USUAL_WORDS);
        }
        Weights {
            idf: (0..clauses).map(|n| inverse_frequency(statistics.messages, frequency(n))).collect(),
            length,
            newest: statistics.newest.map_or(0, |newest| newest.0),
            most: (1.0 + RECENCY) * if clauses > 1 { 1.0 + NEARNESS } else { 1.0 },
        }
    }

    /// What a clause that occurs so often in a message of this length is worth.
    #[inline]
    pub(crate) fn clause(&self, clause: usize, occurrences: u32, level: usize) -> f64 {
        let occurrences = f64::from(occurrences);
        self.idf[clause] * occurrences * (SATURATION + 1.0) / (occurrences + self.length[level & 31])
    }

    /// The most that a match can be worth whose clauses are worth `base`.
    #[inline]
    pub(crate) fn at_most(&self, base: f64) -> f64 {
        base * self.most
    }

    /// The score. `near` is from 0 (apart) to 1 (side by side).
    #[expect(clippy::cast_precision_loss, reason = "ages are far below 2^52 milliseconds")]
    pub(crate) fn score(&self, base: f64, near: f64, time: i64) -> f64 {
        let age = self.newest.saturating_sub(time).max(0) as f64;
        // A rational decay instead of a power, so that every machine gives the same bits.
        let recent = HALF_LIFE / (HALF_LIFE + age);
        base * (1.0 + NEARNESS * near) * (1.0 + RECENCY * recent)
    }
}
