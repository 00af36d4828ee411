//! Running over the matches of an expression.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use session_search_core::relax::Majority;
use session_search_core::score::{MOST_OCCURRENCES, MOST_PLACES, Nearness};
use session_search_core::{ErrorKind, StoreError};

use super::expression::Expression;
use super::kept::Search;
use crate::error::Result;
use crate::rank::{self, Flow, Matched, Visit};
use crate::rows::Row;
use crate::schema::Index;

/// Matches between two looks at whether anybody still waits.
const LOOK_EVERY: u32 = 4_096;

/// Ranks all matches in one index.
pub(crate) fn over_index(
    search: &mut Search<'_>,
    index: &Index,
    place: usize,
    expression: &Expression,
    majority: Option<&Majority>,
    cancelled: &AtomicBool,
) -> Result<()> {
    for range in search.scope.ranges(expression.prefixes) {
        let mut ranking = Ranking {
            search,
            place,
            phrases: &expression.phrases,
            majority,
            cancelled,
            until_look: LOOK_EVERY,
            exact: false,
            outcome: Ok(()),
        };
        rank::scan(
            ranking.search.conn,
            &index.name,
            &expression.text,
            range,
            expression.single,
            &mut ranking,
        )?;
        ranking.outcome?;
    }
    Ok(())
}

/// Ranks the matches that statistics found: rows with their occurrences.
pub(crate) fn over_cached(search: &mut Search<'_>, rows: &[u64]) -> Result<()> {
    for packed in rows {
        let row = Row(i64::try_from(packed >> 8).unwrap_or(i64::MAX));
        if !search.admits_role(row) || search.scope.index_of(row.block())?.is_none() {
            continue;
        }
        let base = search.weights.clause(0, (packed & 0xff) as u32, row.level());
        take(search, row, base, 1, false, || 0.0)?;
    }
    Ok(())
}

/// Counts a match that passed all but the filter of times, and offers it where it may be kept.
fn take(
    search: &mut Search<'_>,
    row: Row,
    base: f64,
    clauses: u64,
    exact: bool,
    near: impl FnOnce() -> f64,
) -> Result<()> {
    if search.filters_time() {
        let entry = search.entry(row)?;
        if !search.admits_time(entry.ts) {
            return Ok(());
        }
        search.matched += 1;
        if exact || search.may_keep(base) {
            search.offer(entry, base, near(), clauses, exact)?;
        }
        return Ok(());
    }
    search.matched += 1;
    if exact || search.may_keep(base) {
        let entry = search.entry(row)?;
        search.offer(entry, base, near(), clauses, exact)?;
    }
    Ok(())
}

/// The visitor that ranks.
pub(crate) struct Ranking<'s, 'a> {
    pub(crate) search: &'s mut Search<'a>,
    /// The place of the index among the generations.
    pub(crate) place: usize,
    pub(crate) phrases: &'s [Range<usize>],
    pub(crate) majority: Option<&'s Majority>,
    pub(crate) cancelled: &'s AtomicBool,
    pub(crate) until_look: u32,
    /// See [`Search::offer`].
    pub(crate) exact: bool,
    pub(crate) outcome: Result<()>,
}

impl Visit for Ranking<'_, '_> {
    fn visit(&mut self, matched: &Matched<'_>) -> Flow {
        self.outcome = self.one(matched);
        if self.outcome.is_ok() { Flow::Next } else { Flow::Stop }
    }
}

impl Ranking<'_, '_> {
    fn one(&mut self, matched: &Matched<'_>) -> Result<()> {
        look(&mut self.until_look, self.cancelled)?;
        let row = Row(matched.row());
        if !self.search.admits_role(row) || self.search.scope.index_of(row.block())? != Some(self.place) {
            return Ok(());
        }
        let (mut base, mut clauses) = (0.0, 0_u64);
        for (n, phrases) in self.phrases.iter().enumerate() {
            let count = occurrences(matched, phrases);
            if count > 0 {
                clauses |= 1 << (n & 63);
                base += self.search.weights.clause(n, count, row.level());
            }
        }
        if self.majority.is_some_and(|majority| !majority.admits(clauses)) {
            return Ok(());
        }
        let phrases = self.phrases;
        take(self.search, row, base, clauses, self.exact, || nearness(matched, phrases))
    }
}

/// Gives up where nobody waits any more.
pub(crate) fn look(until: &mut u32, cancelled: &AtomicBool) -> Result<()> {
    *until -= 1;
    if *until > 0 {
        return Ok(());
    }
    *until = LOOK_EVERY;
    if cancelled.load(Ordering::Relaxed) {
        return Err(StoreError::new(ErrorKind::Cancelled, "the read was given up"));
    }
    Ok(())
}

/// How often a clause occurs: all its alternatives together.
#[inline]
pub(crate) fn occurrences(matched: &Matched<'_>, phrases: &Range<usize>) -> u32 {
    let mut count = 0;
    for phrase in phrases.clone() {
        count += matched.count(phrase, MOST_OCCURRENCES - count.min(MOST_OCCURRENCES - 1));
    }
    count.min(MOST_OCCURRENCES)
}

/// How near the clauses stand to each other, in the order typed.
fn nearness(matched: &Matched<'_>, phrases: &[Range<usize>]) -> f64 {
    let mut near = Nearness::default();
    for clause in phrases {
        let mut places = Vec::new();
        for phrase in clause.clone() {
            matched.each_position(phrase, |place| {
                places.push(place);
                places.len() < MOST_PLACES
            });
        }
        places.sort_unstable();
        near.add(places);
    }
    near.value()
}
