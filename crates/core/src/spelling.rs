//! Words that a misspelt one may stand for. Made from the word alone, never from a vocabulary: which of them is then
//! offered can depend on visible messages only, and the work on the length of the word only.

use std::collections::BTreeSet;

use crate::query::{Clause, ClauseKind};

/// Shorter words have too many neighbours to tell which is meant.
const SHORTEST: usize = 4;
/// Longer ones are no words that people type.
const LONGEST: usize = 24;

/// The letters of alphabets in which a wrong or missing letter is replaced, as folding leaves them.
const ALPHABETS: [(char, char); 5] = [('a', 'z'), ('а', 'я'), ('α', 'ω'), ('א', 'ת'), ('ء', 'ي')];

/// The word of a clause, where it is one that may be misspelt: a single plain word of letters, from 4 to 24 of them.
#[must_use]
pub fn misspellable(clause: &Clause) -> Option<&str> {
    let [element] = clause.alternatives().first()?.as_slice() else { return None };
    let plain = clause.kind() == ClauseKind::Word && clause.words() == 1 && !element.prefix;
    let letters = element.term.chars().count();
    let is_word = (SHORTEST..=LONGEST).contains(&letters) && element.term.chars().all(char::is_alphabetic);
    (plain && is_word).then_some(element.term.as_str())
}

/// Terms near to a folded one, each once, without itself: first those one edit away (a letter too many, missing, wrong,
/// or two exchanged), then those two letters too many or exchanges away. At most about 55 for each letter.
///
/// ```
/// use session_search_core::spelling::near;
/// let [one, two] = near("bakcoff");
/// assert!(one.contains(&"backoff".to_owned()));
/// assert!(two.contains(&"backof".to_owned()), "an exchange, and a letter too many");
/// ```
#[must_use]
pub fn near(term: &str) -> [Vec<String>; 2] {
    let letters: Vec<char> = term.chars().collect();
    let mut one: BTreeSet<Vec<char>> = rearranged(&letters).collect();
    let mut two: BTreeSet<Vec<char>> = one.iter().flat_map(|once| rearranged(once)).collect();
    for letter in alphabet(&letters) {
        for place in 0..=letters.len() {
            let mut longer = letters.clone();
            longer.insert(place, letter);
            one.insert(longer);
            if place < letters.len() {
                let mut other = letters.clone();
                other[place] = letter;
                one.insert(other);
            }
        }
    }
    one.remove(&letters);
    two.remove(&letters);
    let two = two.difference(&one).cloned().collect();
    [one, two].map(|set: BTreeSet<Vec<char>>| {
        set.into_iter().filter(|word| word.len() >= SHORTEST - 1).map(String::from_iter).collect()
    })
}

/// One letter left out, or two neighbours exchanged.
fn rearranged(letters: &[char]) -> impl Iterator<Item = Vec<char>> + '_ {
    let without = (0..letters.len()).map(|place| {
        let mut shorter = letters.to_vec();
        shorter.remove(place);
        shorter
    });
    let exchanged = (1..letters.len()).map(|place| {
        let mut other = letters.to_vec();
        other.swap(place - 1, place);
        other
    });
    without.chain(exchanged)
}

/// The letters that may be meant: the alphabet that the word is written in.
fn alphabet(letters: &[char]) -> impl Iterator<Item = char> + use<> {
    let written = |(from, to): &&(char, char)| letters.iter().any(|letter| (*from..=*to).contains(letter));
    let found = ALPHABETS.iter().find(written).copied();
    found.into_iter().flat_map(|(from, to)| from..=to).filter(|letter| letter.is_alphabetic())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::Query;

    #[test]
    fn usual_mistakes_are_near_what_is_meant() {
        let pairs = [
            ("recieve", "receive"),
            ("seperate", "separate"),
            ("accomodate", "accommodate"),
            ("postgers", "postgres"),
            ("exponetial", "exponential"),
            ("authentification", "authentication"),
            ("migraiton", "migration"),
            ("ackoff", "backoff"),
            ("переиндексаця", "переиндексация"),
            ("ευρετριο", "ευρετηριο"),
        ];
        for (typed, meant) in pairs {
            assert!(near(typed).concat().contains(&meant.to_owned()), "{typed}");
        }
    }

    #[test]
    fn none_is_the_word_itself_or_twice_there() {
        for word in ["aaaa", "letter", "ябда", "שלום"] {
            let all = near(word).concat();
            let once: BTreeSet<_> = all.iter().collect();
            assert_eq!(once.len(), all.len());
            assert!(!all.contains(&word.to_owned()));
            assert!(all.len() < 56 * word.chars().count() + 60 + word.chars().count().pow(2) * 4);
        }
    }

    #[test]
    fn only_single_plain_words_are_misspelt() {
        let word = |query: &str| {
            let query = Query::parse(query).unwrap();
            query.clauses().next().and_then(|(_, clause)| misspellable(clause).map(str::to_owned))
        };
        assert_eq!(word("Bakcoff").as_deref(), Some("bakcoff"));
        assert_eq!(word("getUsrName").as_deref(), Some("getusrname"));
        for query in [
            "foo",
            "bakc*",
            "\"bakcoff\"",
            "foo.barr",
            "v1234",
            "会议室会议",
            "안녕하세요",
            "x".repeat(25).as_str(),
        ] {
            assert_eq!(word(query), None, "{query}");
        }
    }
}
