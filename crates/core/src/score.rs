//! What a match is worth: one formula for all stores, so that the same messages score the same to the last bit.
//!
//! A clause that occurs *t* times in a message of *w* words is worth `idf · t · (k + 1) / (t + k · (1 − b + b · w / 30))`.
//! The sum over the clauses, in their order, is multiplied by what their nearness and the age of the message add.
//!
//! Nothing here depends on messages that may not be seen: *idf* comes from the statistics of the plan, the usual length is
//! a constant, and ages count from the newest visible message, never from the clock. Only additions, multiplications,
//! divisions and one logarithm, in a fixed order.

/// How fast more occurrences stop to count (*k*).
const SATURATION: f64 = 1.2;
/// How much the length counts (*b*).
const LENGTH_SHARE: f64 = 0.6;
/// The length in words at which it neither helps nor hurts.
const USUAL_WORDS: f64 = 30.0;
/// How much more the newest message is worth than a very old one.
const RECENCY: f64 = 0.15;
/// The age in milliseconds at which half of that is gone: 30 days.
const HALF_LIFE: f64 = 30.0 * 86_400_000.0;
/// How much words that stand together are worth more than words apart.
const NEARNESS: f64 = 0.3;
/// Occurrences of a clause beyond these count no more.
pub const MOST_OCCURRENCES: u32 = 64;
/// Places of a clause that nearness looks at.
pub const MOST_PLACES: usize = 64;
/// The levels of length: see [`level`].
pub const LEVELS: usize = 32;

/// The level of a length in words: 2·log2(words + 1), rounded down, at most 31. By integers only, so that every machine
/// gives the same. Scores know lengths by their level only, so that an index can keep them in five bits.
///
/// ```
/// use session_search_core::score::level;
/// assert_eq!([level(0), level(1), level(2), level(10), level(u32::MAX)], [0, 2, 3, 6, 31]);
/// ```
#[must_use]
pub fn level(words: u32) -> usize {
    let square = (u64::from(words) + 1).saturating_mul(u64::from(words) + 1);
    usize::try_from(square.ilog2()).unwrap_or(LEVELS).min(LEVELS - 1)
}

/// The length in words that a level stands for.
#[must_use]
pub fn words_at(level: usize) -> f64 {
    let level = i32::try_from(level).unwrap_or(0);
    2_f64.powi(level / 2) * if level % 2 == 1 { std::f64::consts::SQRT_2 } else { 1.0 }
}

/// What the length does to the saturation, by level.
#[must_use]
pub fn damping(level: usize) -> f64 {
    SATURATION * (1.0 - LENGTH_SHARE + LENGTH_SHARE * words_at(level) / USUAL_WORDS)
}

/// What a clause of this weight ([`crate::store::inverse_frequency`]) is worth that occurs so often, at most
/// [`MOST_OCCURRENCES`], in a message of this [`damping`].
#[must_use]
#[inline]
pub fn clause(weight: f64, occurrences: u32, damping: f64) -> f64 {
    let occurrences = f64::from(occurrences);
    weight * occurrences * (SATURATION + 1.0) / (occurrences + damping)
}

/// The score of a match whose clauses are worth `base`. `near`: see [`Nearness::value`]; `age_ms`: how much older than the
/// newest visible message it is, in milliseconds.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "ages are far below 2^52 milliseconds")]
pub fn whole(base: f64, near: f64, age_ms: i64) -> f64 {
    // A rational decay instead of a power, so that every machine gives the same bits.
    let recent = HALF_LIFE / (HALF_LIFE + age_ms.max(0) as f64);
    base * (1.0 + NEARNESS * near) * (1.0 + RECENCY * recent)
}

/// How near the clauses of a query stand to each other in a message.
#[derive(Debug, Default)]
pub struct Nearness {
    before: Vec<u32>,
    now: Vec<u32>,
    sum: f64,
    pairs: u32,
}

impl Nearness {
    /// Begins with another message. Memory is kept.
    pub fn restart(&mut self) {
        self.before.clear();
        (self.sum, self.pairs) = (0.0, 0);
    }

    /// Takes the places of the next clause, in the order typed: the numbers of the terms that its occurrences begin
    /// with, ascending, at most about [`MOST_PLACES`]. Clauses that do not occur are passed over.
    pub fn add(&mut self, places: impl IntoIterator<Item = u32>) {
        self.now.clear();
        self.now.extend(places);
        if self.now.is_empty() {
            return;
        }
        if !self.before.is_empty() {
            self.sum += 1.0 / f64::from(least_distance(&self.before, &self.now).max(1));
            self.pairs += 1;
        }
        std::mem::swap(&mut self.before, &mut self.now);
    }

    /// The mean, over neighbours, of one over their least distance: from 0 to 1; 0 where one clause matches alone.
    #[must_use]
    pub fn value(&self) -> f64 {
        if self.pairs == 0 { 0.0 } else { self.sum / f64::from(self.pairs) }
    }
}

/// The least distance between two ascending lists, neither of them empty.
fn least_distance(a: &[u32], b: &[u32]) -> u32 {
    let (mut i, mut j, mut least) = (0, 0, u32::MAX);
    while i < a.len() && j < b.len() {
        least = least.min(a[i].abs_diff(b[j]));
        if a[i] < b[j] { i += 1 } else { j += 1 }
    }
    least
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances() {
        assert_eq!(least_distance(&[1, 50], &[20, 52]), 2);
        assert_eq!(least_distance(&[9], &[1, 2, 3]), 6);
        assert_eq!(least_distance(&[4], &[4]), 0);
    }

    #[test]
    fn levels_are_half_powers_of_two() {
        assert!((words_at(6) - 8.0).abs() < 1e-9);
        assert!((words_at(7) - 11.313_708_498_984_76).abs() < 1e-9);
    }

    #[test]
    fn neighbours_are_nearest() {
        let near = |lists: &[&[u32]]| {
            let mut near = Nearness::default();
            lists.iter().for_each(|places| near.add(places.to_vec()));
            near.value()
        };
        assert_eq!(near(&[&[4]]), 0.0);
        let mut again = Nearness::default();
        [vec![1], vec![3]].into_iter().for_each(|places| again.add(places));
        again.restart();
        [vec![9], vec![1, 13]].into_iter().for_each(|places| again.add(places));
        assert_eq!(again.value(), 0.25, "nothing of the message before");
        assert_eq!(near(&[&[4], &[5], &[6]]), 1.0);
        assert_eq!(near(&[&[4], &[], &[8]]), 0.25, "a clause that is not there is passed over");
    }

    #[test]
    fn more_shorter_nearer_and_newer_is_better() {
        assert!(clause(2.0, 2, damping(10)) > clause(2.0, 1, damping(10)));
        assert!(clause(2.0, 1, damping(5)) > clause(2.0, 1, damping(10)));
        assert!(whole(1.0, 1.0, 5) > whole(1.0, 0.5, 5));
        assert!(whole(1.0, 0.5, 5) > whole(1.0, 0.5, 500_000_000));
        assert_eq!(whole(1.0, 0.0, -5), whole(1.0, 0.0, 0), "newer than the newest: imports have odd times");
    }
}
