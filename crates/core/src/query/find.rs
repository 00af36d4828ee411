//! Where the clauses of a query occur among the terms of a text.
//!
//! Time grows with the terms of the text and those of the query, not with their product: a text of a million
//! repetitions costs what any text of its length does.

use std::collections::HashMap;
use std::fmt;
use std::ops::Range;

use super::{Clause, Query};
use crate::score::MOST_PLACES;
use crate::words::{self, Kind, Sink, Token};

/// An occurrence of a clause.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Match {
    /// Bytes of the original text, from the first term to the last.
    pub span: Range<usize>,
    /// The clause's number in the order of [`Query::clauses`].
    pub clause: usize,
}

/// Where the clauses of a query occur in one text, which was read once.
pub struct Occurrences {
    finder: Finder,
    counts: Vec<usize>,
}

impl fmt::Debug for Occurrences {
    /// Shows the counts only.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Occurrences({:?})", self.counts)
    }
}

impl Occurrences {
    /// How often each clause occurs: see [`Query::counts`].
    #[must_use]
    pub fn counts(&self) -> &[usize] {
        &self.counts
    }

    pub(crate) fn matches(&self) -> Vec<Match> {
        self.finder.matches()
    }
}

impl Query {
    /// Reads a text for the clauses. `protect`: byte ranges that hold no word, ascending (markers of redaction).
    ///
    /// ```
    /// use session_search_core::query::Query;
    /// let query = Query::parse("backoff OR delay limit")?;
    /// let found = query.occurrences("no delay, no limit, no delay", &[]);
    /// assert_eq!(found.counts(), [0, 2, 1]);
    /// assert!(query.is_met(&found));
    /// # Ok::<(), session_search_core::query::QueryError>(())
    /// ```
    #[must_use]
    pub fn occurrences(&self, text: &str, protect: &[Range<usize>]) -> Occurrences {
        let mut finder = Finder::new(self.clauses().map(|(_, clause)| clause));
        words::scan_into(text, protect, &mut finder);
        Occurrences { counts: finder.counts(), finder }
    }

    /// Whether a clause of every group occurs.
    #[must_use]
    pub fn is_met(&self, occurrences: &Occurrences) -> bool {
        self.groups_of(occurrences.counts()).into_iter().all(|found| found)
    }

    /// Whether an exclusion occurs in a text: see [`Query::occurrences`].
    #[must_use]
    pub fn excludes(&self, text: &str, protect: &[Range<usize>]) -> bool {
        if self.exclusions.is_empty() {
            return false;
        }
        let mut finder = Finder::new(self.exclusions.iter());
        words::scan_into(text, protect, &mut finder);
        finder.counts().into_iter().any(|count| count > 0)
    }

    /// Whether a text, given as its tokens, matches: a clause of every group occurs, and no exclusion.
    #[must_use]
    pub fn matches(&self, tokens: &[Token]) -> bool {
        self.groups_found(tokens).into_iter().all(|found| found) && !self.is_excluded(tokens)
    }

    /// For each group, whether a clause of it occurs: what a relaxed search weighs.
    #[must_use]
    pub fn groups_found(&self, tokens: &[Token]) -> Vec<bool> {
        self.groups_of(&self.counts(tokens))
    }

    fn groups_of(&self, counts: &[usize]) -> Vec<bool> {
        let mut found = vec![false; self.groups.len()];
        for ((group, _), count) in self.clauses().zip(counts) {
            found[group] |= *count > 0;
        }
        found
    }

    /// Whether an exclusion occurs.
    #[must_use]
    pub fn is_excluded(&self, tokens: &[Token]) -> bool {
        if self.exclusions.is_empty() {
            return false;
        }
        Finder::new(self.exclusions.iter()).read(tokens).counts().into_iter().any(|count| count > 0)
    }

    /// How often each clause occurs, in the order of [`Query::clauses`]: over all its alternatives, in both
    /// halves of the terms, overlapping occurrences counted.
    #[must_use]
    pub fn counts(&self, tokens: &[Token]) -> Vec<usize> {
        Finder::new(self.clauses().map(|(_, clause)| clause)).read(tokens).counts()
    }

    /// For each clause, in the order of [`Query::clauses`], the numbers of the tokens that its occurrences begin with,
    /// ascending: what [`crate::score::Nearness`] takes. Of each alternative no more than it looks at.
    #[must_use]
    pub fn places(&self, tokens: &[Token]) -> Vec<Vec<u32>> {
        let finder = Finder::new(self.clauses().map(|(_, clause)| clause)).read(tokens);
        let mut places: Vec<Vec<u32>> = vec![Vec::new(); finder.clauses];
        for pattern in &finder.patterns {
            let found = &mut places[pattern.clause];
            let mut left = MOST_PLACES;
            pattern.each(&finder.main, |first, _| {
                if left > 0 {
                    found.push(u32::try_from(first).unwrap_or(u32::MAX));
                    left -= 1;
                }
            });
        }
        for places in &mut places {
            places.sort_unstable();
            places.truncate(MOST_PLACES);
        }
        places
    }

    /// Where the clauses occur, in the order of the text.
    #[must_use]
    pub fn find(&self, tokens: &[Token]) -> Vec<Match> {
        Finder::new(self.clauses().map(|(_, clause)| clause)).read(tokens).matches()
    }
}

/// A sequence of one clause, its terms as numbers.
struct Pattern {
    clause: usize,
    /// Numbers of the terms that must be equal: all, or all but the last.
    exact: Vec<u32>,
    /// Number of the prefix behind them.
    prefix: Option<u32>,
    /// For each length of a match of `exact`, the longest shorter one that it ends with.
    shorter: Vec<usize>,
}

/// Reads the terms of a text once and remembers those that the clauses hold.
struct Finder {
    clauses: usize,
    terms: HashMap<String, u32>,
    prefixes: Vec<String>,
    patterns: Vec<Pattern>,
    main: Half,
    extra: Half,
    gap: bool,
}

/// No term of the query.
const OTHER: u32 = u32::MAX;

/// The terms of one half of a text.
#[derive(Default)]
struct Half {
    terms: Vec<u32>,
    spans: Vec<Range<usize>>,
    /// Place and number of the prefixes that occur, by place.
    prefixes: Vec<(usize, u32)>,
}

impl Half {
    fn push_break(&mut self, at: usize) {
        self.terms.push(OTHER);
        self.spans.push(at..at);
    }
}

impl Finder {
    /// Looks for these clauses, numbered in this order.
    pub(crate) fn new<'q>(clauses: impl Iterator<Item = &'q Clause>) -> Finder {
        let mut finder = Finder {
            clauses: 0,
            terms: HashMap::new(),
            prefixes: Vec::new(),
            patterns: Vec::new(),
            main: Half::default(),
            extra: Half::default(),
            gap: false,
        };
        for (n, clause) in clauses.enumerate() {
            finder.clauses = n + 1;
            for sequence in clause.alternatives() {
                let mut exact = Vec::with_capacity(sequence.len());
                let mut prefix = None;
                for element in sequence {
                    if element.prefix {
                        prefix = Some(finder.prefix(&element.term));
                    } else {
                        exact.push(finder.term(&element.term));
                    }
                }
                let shorter = shorter(&exact);
                finder.patterns.push(Pattern { clause: n, exact, prefix, shorter });
            }
        }
        finder
    }

    fn term(&mut self, term: &str) -> u32 {
        let next = self.terms.len() as u32;
        *self.terms.entry(term.to_owned()).or_insert(next)
    }

    fn prefix(&mut self, prefix: &str) -> u32 {
        let known = self.prefixes.iter().position(|p| p == prefix);
        known.unwrap_or_else(|| {
            self.prefixes.push(prefix.to_owned());
            self.prefixes.len() - 1
        }) as u32
    }

    fn read(mut self, tokens: &[Token]) -> Finder {
        for token in tokens {
            match token.kind {
                Kind::Break => self.main.push_break(token.span.start),
                _ => push(&mut self.main, &self.terms, &self.prefixes, &token.term, token.span.clone()),
            }
        }
        self
    }

    /// How often each clause occurs.
    fn counts(&self) -> Vec<usize> {
        let mut counts = vec![0; self.clauses];
        self.each(|clause, _| counts[clause] += 1);
        counts
    }

    /// Where the clauses occur, in the order of the text.
    pub(crate) fn matches(&self) -> Vec<Match> {
        let mut found = Vec::new();
        self.each(|clause, span| found.push(Match { span, clause }));
        found.sort_unstable_by(|a, b| {
            (a.span.start, a.span.end, a.clause).cmp(&(b.span.start, b.span.end, b.clause))
        });
        found.dedup();
        found
    }

    fn each(&self, mut found: impl FnMut(usize, Range<usize>)) {
        for half in [&self.main, &self.extra] {
            for pattern in &self.patterns {
                pattern.each(half, |first, last| {
                    found(pattern.clause, half.spans[first].start..half.spans[last].end);
                });
            }
        }
    }
}

fn push(half: &mut Half, terms: &HashMap<String, u32>, prefixes: &[String], term: &str, span: Range<usize>) {
    for (n, prefix) in prefixes.iter().enumerate() {
        if term.starts_with(prefix.as_str()) {
            half.prefixes.push((half.terms.len(), n as u32));
        }
    }
    half.terms.push(terms.get(term).copied().unwrap_or(OTHER));
    half.spans.push(span);
}

impl Sink for Finder {
    fn main(&mut self, term: &str, span: Range<usize>, _: Kind) {
        if std::mem::take(&mut self.gap) {
            self.main.push_break(span.start);
        }
        push(&mut self.main, &self.terms, &self.prefixes, term, span);
    }

    fn extra(&mut self, term: &str, span: Range<usize>, _: Kind, first: bool) {
        if first {
            self.extra.push_break(span.start);
        }
        push(&mut self.extra, &self.terms, &self.prefixes, term, span);
    }

    fn gap(&mut self) {
        self.gap = true;
    }
}

impl Pattern {
    /// Calls `found` with the places of the first and last term of each occurrence.
    fn each(&self, half: &Half, mut found: impl FnMut(usize, usize)) {
        if self.exact.is_empty() {
            let hits = half.prefixes.iter().filter(|(_, prefix)| Some(*prefix) == self.prefix);
            return hits.for_each(|&(place, _)| found(place, place));
        }
        let length = self.exact.len();
        let mut matched = 0;
        for (place, &term) in half.terms.iter().enumerate() {
            while matched > 0 && (matched == length || self.exact[matched] != term) {
                matched = self.shorter[matched - 1];
            }
            if self.exact[matched] == term {
                matched += 1;
            }
            if matched < length {
                continue;
            }
            let first = place + 1 - length;
            match self.prefix {
                None => found(first, place),
                Some(prefix) if half.prefixes.binary_search(&(place + 1, prefix)).is_ok() => {
                    found(first, place + 1);
                }
                Some(_) => {}
            }
        }
    }
}

/// The table of Knuth, Morris and Pratt.
fn shorter(terms: &[u32]) -> Vec<usize> {
    let mut table = vec![0; terms.len()];
    let mut matched = 0;
    for n in 1..terms.len() {
        while matched > 0 && terms[n] != terms[matched] {
            matched = table[matched - 1];
        }
        if terms[n] == terms[matched] {
            matched += 1;
        }
        table[n] = matched;
    }
    table
}
