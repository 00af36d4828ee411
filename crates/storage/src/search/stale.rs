//! Messages whose index is of other words or rules than today's: read, not searched.
//!
//! What such an index holds may be what today's rules hide, so nothing of it may decide an answer: not which messages
//! match or are excluded, not a score, not a count. Until it is replaced, the newest of its messages are prepared anew,
//! one by one, and older ones wait for their index, as the answer says of everything that is pending. Which messages
//! are read depends on their times alone.

use std::sync::atomic::AtomicBool;

use session_search_core::TextPipeline;
use session_search_core::relax::Majority;
use session_search_core::score::{MOST_OCCURRENCES, Nearness, level};
use session_search_core::store::Matching;

use super::kept::{Entry, Search};
use super::pass;
use crate::error::{Result, Tried};
use crate::events;
use crate::rows::Row;
use crate::schema::Index;

/// Messages that are read, and bytes of their text.
const MOST_READ: usize = 4_000;
const MOST_BYTES: usize = 4 << 20;
/// Messages that are looked at, most of them out of scope or in another index.
const MOST_SEEN: usize = 50_000;

/// Whether an index is of today's words and rules.
pub(crate) fn is_current(index: &Index, pipeline: &dyn TextPipeline) -> bool {
    index.version == pipeline.version().as_str()
}

/// Offers the matches among the newest messages of the indexes that are not current.
pub(crate) fn read_newest(
    search: &mut Search<'_>,
    current: &[bool],
    majority: Option<&Majority>,
    pipeline: &dyn TextPipeline,
    cancelled: &AtomicBool,
) -> Result<()> {
    let what = "read messages of an older index";
    let conn = search.conn;
    let mut statement =
        conn.prepare_cached("SELECT row, event, ts, copy FROM entries ORDER BY ts DESC").tried(what)?;
    let mut rows = statement.query([]).tried(what)?;
    let (mut seen, mut read, mut bytes) = (0, 0, 0);
    while let Some(row) = rows.next().tried(what)? {
        pass::look(&mut 1, cancelled)?;
        seen += 1;
        if seen > MOST_SEEN || read >= MOST_READ || bytes >= MOST_BYTES {
            break;
        }
        let entry = |row: &rusqlite::Row<'_>| {
            Ok(Entry { row: Row(row.get(0)?), event: row.get(1)?, ts: row.get(2)?, copy: row.get(3)? })
        };
        let entry = entry(row).tried(what)?;
        let place = search.scope.index_of(entry.row.block())?;
        if place.is_none_or(|place| current[place]) {
            continue;
        }
        let text = events::load(conn, entry.event)?.text();
        read += 1;
        bytes += text.len();
        one(search, entry, &text, majority, pipeline)?;
    }
    Ok(())
}

fn one(
    search: &mut Search<'_>,
    entry: Entry,
    text: &str,
    majority: Option<&Majority>,
    pipeline: &dyn TextPipeline,
) -> Result<()> {
    if !search.admits_role(entry.row) || !search.admits_time(entry.ts) {
        return Ok(());
    }
    let query = &*search.plan.query;
    let (_, tokens) = pipeline.tokens(text);
    let counts = query.counts(&tokens);
    let (mut base, mut clauses) = (0.0, 0_u64);
    let words = tokens.iter().filter(|token| token.kind.is_main()).count();
    let level = level(u32::try_from(words).unwrap_or(u32::MAX));
    for (n, count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
        clauses |= 1 << (n & 63);
        let occurrences = u32::try_from(*count).unwrap_or(u32::MAX).min(MOST_OCCURRENCES);
        base += search.weights.clause(n, occurrences, level);
    }
    let met = match (search.plan.matching, majority) {
        (Matching::Most, Some(majority)) => majority.admits(clauses) && !query.is_excluded(&tokens),
        _ => query.matches(&tokens),
    };
    if !met {
        return Ok(());
    }
    let mut near = Nearness::default();
    query.places(&tokens).into_iter().for_each(|places| near.add(places));
    search.matched += 1;
    search.offer(entry, base, near.value(), clauses, true)
}
