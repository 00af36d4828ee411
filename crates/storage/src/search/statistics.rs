//! Counting the clauses of a query among the visible messages.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use rusqlite::Connection;
use session_search_core::query::Query;
use session_search_core::store::Statistics;
use session_search_core::{Millis, Visible};

use super::cache::Matches;
use super::expression;
use super::pass::{look, occurrences};
use super::scope::Scope;
use crate::error::{Result, Tried};
use crate::rank::{self, Flow, Matched, Visit};
use crate::readers::Reading;
use crate::rows::{self, Row, SLOTS};
use crate::schema;
use crate::sessions;
use crate::state;

/// Matches that are remembered for the search that follows: 16 MiB.
const REMEMBERED: usize = 2 << 20;
/// Newest entries that are looked at for one that may be seen.
const NEWEST: usize = 256;

/// See [`session_search_core::TranscriptStore::statistics`].
pub(crate) fn statistics(
    reading: &mut Reading<'_>,
    visible: &Visible,
    query: &Arc<Query>,
) -> Result<Statistics> {
    let clauses: Vec<_> = query.clauses().map(|(_, clause)| expression::one(clause)).collect();
    let mut statistics = Statistics { messages: 0, frequencies: vec![0; clauses.len()], newest: None };
    if *visible == Visible::Nothing {
        return Ok(statistics);
    }
    let (conn, cancelled) = (reading.conn, reading.cancelled);
    reading.cache.renew(conn)?;
    let indexes = schema::indexes(conn)?;
    statistics.messages = messages(conn, visible)?;
    let generations = indexes.iter().map(|index| index.generation).collect();
    let mut scope = Scope::new(conn, &mut *reading.cache, visible, None, generations)?;
    statistics.newest = newest(conn, &mut scope)?.map(Millis);
    let remember = clauses.len() == 1 && indexes.len() == 1;
    let mut matches = Vec::new();
    for (clause, frequency) in clauses.iter().zip(&mut statistics.frequencies) {
        for (place, index) in indexes.iter().enumerate() {
            for range in scope.ranges(clause.prefixes) {
                let mut counting = Counting {
                    scope: &mut scope,
                    place,
                    phrases: &clause.phrases[0],
                    count: 0,
                    matches: remember.then_some(&mut matches),
                    cancelled,
                    until_look: 1_024,
                    outcome: Ok(()),
                };
                rank::scan(conn, &index.name, &clause.text, range, clause.single, &mut counting)?;
                counting.outcome?;
                *frequency += counting.count;
            }
        }
    }
    drop(scope);
    if let ([clause], [index], true) = (clauses.as_slice(), indexes.as_slice(), matches.len() < REMEMBERED) {
        reading.cache.matches = Some(Matches {
            expression: clause.text.clone(),
            visible: visible.clone(),
            generation: index.generation,
            rows: matches,
        });
    }
    Ok(statistics)
}

/// Counts the matches in scope.
struct Counting<'s, 'a> {
    scope: &'s mut Scope<'a>,
    place: usize,
    phrases: &'s Range<usize>,
    count: u64,
    matches: Option<&'s mut Vec<u64>>,
    cancelled: &'s AtomicBool,
    until_look: u32,
    outcome: Result<()>,
}

impl Visit for Counting<'_, '_> {
    fn visit(&mut self, matched: &Matched<'_>) -> Flow {
        self.outcome = self.one(matched);
        if self.outcome.is_ok() { Flow::Next } else { Flow::Stop }
    }
}

impl Counting<'_, '_> {
    fn one(&mut self, matched: &Matched<'_>) -> Result<()> {
        look(&mut self.until_look, self.cancelled)?;
        let row = Row(matched.row());
        if self.scope.index_of(row.block())? != Some(self.place) {
            return Ok(());
        }
        self.count += 1;
        if let Some(matches) = &mut self.matches
            && matches.len() < REMEMBERED
        {
            let count = u64::from(occurrences(matched, self.phrases));
            matches.push(u64::try_from(row.0).unwrap_or(0) << 8 | count.min(0xff));
        }
        Ok(())
    }
}

/// How many messages may be seen: from counts that are kept.
fn messages(conn: &Connection, visible: &Visible) -> Result<u64> {
    const INDEXED: &str = "ifnull(sum(t.entries + ifnull(t.length - t.tail, 0)), 0)";
    let what = "count the messages";
    let number = |count: i64| u64::try_from(count).unwrap_or(0);
    match visible {
        Visible::Nothing => Ok(0),
        Visible::Only(keys) => {
            let sql = format!("SELECT {INDEXED} FROM transcripts t WHERE t.session = ?1");
            let mut statement = conn.prepare_cached(&sql).tried(what)?;
            let mut total = 0;
            for key in keys {
                if let Some(session) = sessions::find_visible(conn, visible, key)? {
                    total += number(statement.query_row([session], |row| row.get(0)).tried(what)?);
                }
            }
            Ok(total)
        }
        Visible::NotIncognito => Ok(number(state::indexed(conn, false)?)),
        Visible::Everything => Ok(number(state::indexed(conn, false)? + state::indexed(conn, true)?)),
    }
}

/// The time of the newest message in scope: among the newest of all, else in the named blocks, else by going on.
fn newest(conn: &Connection, scope: &mut Scope<'_>) -> Result<Option<i64>> {
    let what = "look for the newest message";
    let named = scope.named().map(<[i64]>::to_vec);
    let mut statement = conn.prepare_cached("SELECT row, ts FROM entries ORDER BY ts DESC").tried(what)?;
    let mut rows = statement.query([]).tried(what)?;
    let mut seen = 0;
    while let Some(row) = rows.next().tried(what)? {
        let (place, ts): (i64, i64) = (row.get(0).tried(what)?, row.get(1).tried(what)?);
        if scope.index_of(Row(place).block())?.is_some() {
            return Ok(Some(ts));
        }
        seen += 1;
        if seen >= NEWEST && named.is_some() {
            break;
        }
    }
    let mut newest = None;
    for block in named.unwrap_or_default() {
        let within: Option<i64> = conn
            .prepare_cached("SELECT max(ts) FROM entries WHERE row BETWEEN ?1 AND ?2")
            .and_then(|mut s| s.query_row(rows::range(block, 0, SLOTS), |row| row.get(0)))
            .tried(what)?;
        newest = newest.max(within);
    }
    Ok(newest)
}
