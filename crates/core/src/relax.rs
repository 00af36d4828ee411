//! Which messages a relaxed search finds (CONTRACT 2, [`crate::store::Matching::Most`]): one rule for all stores.

use crate::query::Query;
use crate::store::{Statistics, inverse_frequency};

/// Decides, from the clauses that occur in a message, whether it holds enough of a query: every binding group, and
/// of the plain ones, weighted by rarity, at least half.
///
/// A group's weight is the [`inverse_frequency`] of its most frequent clause. A group that occurs in no visible
/// message would be the rarest of all, yet tells nothing of where the answer is: it weighs what the plain groups that
/// occur do on average, so a few words in vain do not empty the result, and one word that occurs beside many in vain
/// is not enough. Weights are whole numbers (millionths, at least one), so that equal halves are equal in whatever
/// order they are summed.
///
/// ```
/// use session_search_core::{query::Query, relax::Majority, store::Statistics};
/// let query = Query::parse("the backoff").unwrap();
/// let statistics = Statistics { messages: 100, frequencies: vec![90, 2], newest: None };
/// let most = Majority::of(&query, &statistics);
/// assert!(most.admits(0b10) && most.admits(0b11) && !most.admits(0b01));
/// ```
#[derive(Debug, Clone)]
pub struct Majority {
    groups: Vec<Weighted>,
}

#[derive(Debug, Clone, Copy)]
struct Weighted {
    /// The clauses of the group, as bits.
    clauses: u64,
    /// `None`: binding.
    weight: Option<u64>,
}

impl Majority {
    /// For a query, given how often its clauses occur.
    #[must_use]
    pub fn of(query: &Query, statistics: &Statistics) -> Majority {
        let mut groups = Vec::with_capacity(query.groups().len());
        let mut unseen = Vec::new();
        let (mut seen, mut sum) = (0_u64, 0_u64);
        let mut next = 0_usize;
        for group in query.groups() {
            let range = next..next + group.clauses().len();
            next = range.end;
            let frequency =
                range.clone().filter_map(|n| statistics.frequencies.get(n)).max().copied().unwrap_or(0);
            let weight =
                group.is_plain().then(|| millionths(inverse_frequency(statistics.messages, frequency)));
            match weight {
                Some(_) if frequency == 0 => unseen.push(groups.len()),
                Some(weight) => (seen, sum) = (seen + 1, sum + weight),
                None => {}
            }
            groups.push(Weighted { clauses: range.fold(0, |bits, n| bits | bit(n)), weight });
        }
        // Rounded down: those that occur are never outweighed by as many that do not.
        if let Some(mean) = sum.checked_div(seen) {
            for n in unseen {
                groups[n].weight = Some(mean);
            }
        }
        Majority { groups }
    }

    /// Whether a message in which these clauses occur (bit *i*: clause *i* of [`Query::clauses`]) holds enough.
    /// Exclusions are not looked at.
    #[must_use]
    pub fn admits(&self, clauses: u64) -> bool {
        let (mut held, mut total) = (0_u64, 0_u64);
        for group in &self.groups {
            let found = group.clauses & clauses != 0;
            match group.weight {
                None if !found => return false,
                None => {}
                Some(weight) => {
                    total += weight;
                    held += if found { weight } else { 0 };
                }
            }
        }
        held * 2 >= total
    }
}

fn bit(n: usize) -> u64 {
    u32::try_from(n).ok().and_then(|n| 1_u64.checked_shl(n)).unwrap_or(0)
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 0 and about 50")]
fn millionths(weight: f64) -> u64 {
    ((weight * 1e6).round() as u64).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn most(query: &str, frequencies: &[u64]) -> Majority {
        let statistics = Statistics { messages: 1_000, frequencies: frequencies.to_vec(), newest: None };
        Majority::of(&Query::parse(query).unwrap(), &statistics)
    }

    #[test]
    fn half_of_equal_words_is_enough() {
        let four = most("a1 b2 c3 d4", &[7, 7, 7, 7]);
        assert!(four.admits(0b0011) && four.admits(0b1010) && !four.admits(0b1000));
    }

    #[test]
    fn phrases_stay_binding() {
        let query = most("a1 \"b2 c3\"", &[500, 1]);
        assert!(!query.admits(0b01));
        assert!(!query.admits(0b10), "the only plain word is missing");
        assert!(query.admits(0b11));
        assert!(most("\"b2 c3\"", &[1]).admits(1));
    }

    #[test]
    fn words_in_vain_weigh_no_more_than_the_others() {
        assert!(most("backoff zzyzx", &[40, 0]).admits(0b01), "half");
        assert!(!most("backoff zzyzx qqqq", &[40, 0, 0]).admits(0b001), "a third");
        let one_of_five = most("backup a1 b2 c3 d4", &[40, 0, 0, 0, 0]);
        assert!(!one_of_five.admits(0b1));
        // why does the nightly postgres backup fail with timeouts
        let frequencies = [0, 0, 800, 1, 30, 30, 0, 1, 0];
        let question = most("w1 d2 the nightly postgres backup f3 with t4", &frequencies);
        assert!(question.admits(0b0_1011_1100), "all that occur: five of nine");
        assert!(!question.admits(0b0_0011_0000), "of those that occur, the lesser part");
    }

    #[test]
    fn any_number_of_words_in_vain_up_to_those_that_occur_leaves_their_message_found() {
        for seen in 1..20_u64 {
            for vain in 0..20_u64 {
                let query: Vec<String> = (0..seen + vain).map(|n| format!("w{n}")).collect();
                // Frequencies whose weights do not divide evenly.
                let frequencies: Vec<u64> =
                    (0..seen + vain).map(|n| if n < seen { 1 + n * 37 } else { 0 }).collect();
                let found = most(&query.join(" "), &frequencies).admits((1 << seen) - 1);
                if vain <= seen {
                    assert!(found, "{seen} words occur, {vain} do not");
                } else if vain > 2 * seen {
                    assert!(!found, "{seen} words occur, {vain} do not");
                }
            }
        }
    }

    #[test]
    fn where_no_plain_word_occurs_none_is_enough() {
        let query = most("\"b2 c3\" a1 d4", &[3, 0, 0]);
        assert!(!query.admits(0b001) && !query.admits(0));
        assert!(!most("a1 b2", &[0, 0]).admits(0));
    }

    #[test]
    fn a_group_weighs_what_its_most_frequent_clause_does() {
        // a1 OR b2 counts as common as b2, so c3 alone is more than half.
        let query = most("a1 OR b2 c3", &[1, 900, 10]);
        assert!(query.admits(0b100) && !query.admits(0b001));
    }
}
