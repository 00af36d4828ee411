//! Counting the clauses of a query among the visible messages.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use rusqlite::Connection;
use session_search_core::query::{Clause, Query};
use session_search_core::store::Statistics;
use session_search_core::{Millis, TextPipeline, Visible};

use super::expression;
use super::lists::{BUDGET, Remembered};
use super::pass::look;
use super::scope::Scope;
use super::stale::is_current;
use crate::error::{Result, Tried};
use crate::postings::Reader;
use crate::rank::{self, Flow, Matched, Visit};
use crate::readers::Reading;
use crate::rows::{self, Row, SLOTS};
use crate::schema::{self, Index};
use crate::sessions;
use crate::state;

/// Newest entries that are looked at for one that may be seen.
const NEWEST: usize = 256;

/// See [`session_search_core::TranscriptStore::statistics`].
pub(crate) fn statistics(
    reading: &mut Reading<'_>,
    visible: &Visible,
    query: &Arc<Query>,
    pipeline: &dyn TextPipeline,
) -> Result<Statistics> {
    let frequencies = vec![0; query.clauses().count()];
    let mut statistics = Statistics { messages: 0, frequencies, newest: None };
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
    let mut remembered = Remembered::begin(visible);
    let alone = query.clauses().count() == 1;
    for (place, index) in indexes.iter().enumerate() {
        // What an index of other rules counts may be what today's rules hide.
        if !is_current(index, pipeline) {
            continue;
        }
        for (n, (_, clause)) in query.clauses().enumerate() {
            let mut reader = Reader::new(conn, index, cancelled, BUDGET)?;
            let mut keep = scope.of_index(place);
            // Where one clause stands alone, nothing is near to it.
            let list =
                if alone { reader.counted(clause, &mut keep)? } else { reader.clause(clause, &mut keep)? };
            match list {
                Some(list) => {
                    statistics.frequencies[n] += list.len() as u64;
                    remembered.keep(clause, index, list);
                }
                None => {
                    statistics.frequencies[n] += ask(conn, cancelled, &mut scope, (place, index), clause)?
                }
            }
        }
    }
    drop(scope);
    reading.cache.lists = remembered;
    Ok(statistics)
}

/// Counts the matches of a clause in scope by asking FTS5.
fn ask(
    conn: &Connection,
    cancelled: &AtomicBool,
    scope: &mut Scope<'_>,
    (place, index): (usize, &Index),
    clause: &Clause,
) -> Result<u64> {
    let clause = expression::one(clause);
    let mut total = 0;
    for range in scope.ranges(clause.prefixes) {
        let mut counting =
            Counting { scope: &mut *scope, place, count: 0, cancelled, until_look: 1_024, outcome: Ok(()) };
        rank::scan(conn, &index.name, &clause.text, range, clause.single, &mut counting)?;
        counting.outcome?;
        total += counting.count;
    }
    Ok(total)
}

/// Counts the matches in scope.
struct Counting<'s, 'a> {
    scope: &'s mut Scope<'a>,
    place: usize,
    count: u64,
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
        self.count += u64::from(self.scope.index_of(Row(matched.row()).block())? == Some(self.place));
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
