//! Running over the matches of an expression.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use session_search_core::relax::Majority;
use session_search_core::score::{LEVELS, MOST_OCCURRENCES, MOST_PLACES, Nearness};
use session_search_core::{ErrorKind, StoreError};

use super::expression::Expression;
use super::kept::Search;
use super::lists::{Join, Lists};
use crate::error::Result;
use crate::rank::{self, Flow, Matched, Visit};
use crate::rows::Row;
use crate::schema::Index;

/// Matches between two looks at whether anybody still waits.
const LOOK_EVERY: u32 = 4_096;
/// Matches from which on it pays to know, for each length, which can be passed over.
const MANY: usize = 1_024;

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

/// Ranks all matches in the lists of one index, the last rows first: they are mostly the newest, so that few of those
/// that follow come into question.
pub(crate) fn over_lists(
    search: &mut Search<'_>,
    place: usize,
    lists: &Lists,
    majority: Option<&Majority>,
    cancelled: &AtomicBool,
) -> Result<()> {
    let mut until_look = LOOK_EVERY;
    // The lists hold what may be seen; a filter may ask for less of it.
    let all = search.scope.is_whole();
    if let (Some(list), None) = (lists.alone(), majority) {
        // Of a short list, finding this out would cost more than it saves.
        let (many, mut least, mut changes) = (list.len() >= MANY, [0; LEVELS], search.changes);
        for posting in list.rows().iter().rev() {
            look(&mut until_look, cancelled)?;
            let row = Row(posting.row);
            if !search.admits_role(row) || !(all || search.scope.index_of(row.block())? == Some(place)) {
                continue;
            }
            let count = list.count(*posting, MOST_OCCURRENCES);
            if count < least[row.level() % LEVELS] && !search.filters_time() {
                search.matched += 1;
                continue;
            }
            let base = search.weights.clause(0, count, row.level());
            take(search, row, base, 1, false, |_| 0.0)?;
            if many && changes != search.changes {
                (least, changes) = (search.least_occurrences(), search.changes);
            }
        }
        return Ok(());
    }
    let mut join = Join::new(&search.plan.query, search.plan.matching, lists);
    join.go_to_end();
    if let Some((driver, others)) = join.driver() {
        for posting in driver.rows().iter().rev() {
            look(&mut until_look, cancelled)?;
            let may = others.as_ref().is_none_or(|others| others.has(posting.row));
            if may && join.stand_on(posting.row) {
                one(search, place, &join, Row(posting.row), majority, false)?;
            }
        }
        return Ok(());
    }
    while let Some(row) = join.row_before() {
        look(&mut until_look, cancelled)?;
        if join.stand_on(row) {
            one(search, place, &join, Row(row), majority, false)?;
        }
    }
    Ok(())
}

/// Ranks the row on which a join stands.
pub(crate) fn one(
    search: &mut Search<'_>,
    place: usize,
    join: &Join<'_>,
    row: Row,
    majority: Option<&Majority>,
    exact: bool,
) -> Result<()> {
    let all = search.scope.is_whole();
    if !search.admits_role(row) || !(all || search.scope.index_of(row.block())? == Some(place)) {
        return Ok(());
    }
    let (mut base, mut clauses) = (0.0, 0_u64);
    for (n, count) in join.counts(MOST_OCCURRENCES) {
        clauses |= 1 << (n & 63);
        base += search.weights.clause(n, count, row.level());
    }
    if majority.is_some_and(|majority| !majority.admits(clauses)) {
        return Ok(());
    }
    take(search, row, base, clauses, exact, |near| join.nearness(near))
}

/// Counts a match that passed all but the filter of times, and offers it where it may be kept.
fn take(
    search: &mut Search<'_>,
    row: Row,
    base: f64,
    clauses: u64,
    exact: bool,
    near: impl FnOnce(&mut Nearness) -> f64,
) -> Result<()> {
    let mut entry = None;
    if search.filters_time() {
        let read = search.entry(row)?;
        if !search.admits_time(read.ts) {
            return Ok(());
        }
        entry = Some(read);
    }
    search.matched += 1;
    if !exact && !search.may_keep(search.weights.at_most(base)) {
        return Ok(());
    }
    // Places are cheaper to look at than entries.
    let near = near(&mut search.near);
    let at_most = search.weights.at_most_when(base, near);
    if !exact && (!search.may_keep(at_most) || search.is_capped(row, at_most)?) {
        return Ok(());
    }
    let entry = match entry {
        Some(entry) => entry,
        None => search.entry(row)?,
    };
    search.offer(entry, base, near, clauses, exact)
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
        take(self.search, row, base, clauses, self.exact, |near| nearness(matched, phrases, near))
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

/// How near the clauses stand to each other in a match of FTS5, in the order typed.
fn nearness(matched: &Matched<'_>, phrases: &[Range<usize>], near: &mut Nearness) -> f64 {
    near.restart();
    for clause in phrases {
        let mut places = Vec::new();
        for phrase in clause.clone() {
            let mut left = MOST_PLACES;
            matched.each_position(phrase, |place| {
                places.push(place);
                left -= 1;
                left > 0
            });
        }
        places.sort_unstable();
        places.truncate(MOST_PLACES);
        near.add(places);
    }
    near.value()
}
