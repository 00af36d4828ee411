//! Verification: the database, the branches against the entries, and the entries against the full-text table.
//!
//! The full-text table is read term by term through `fts5vocab`, and each row's terms with their places are summed
//! into a number; the same number is made of the text prepared again. So memory grows by a few bytes a message.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use rusqlite::Connection;
use session_search_core::store::VerifyReport;
use session_search_core::{ErrorKind, TextPipeline};

use crate::branch::Walk;
use crate::entries;
use crate::error::{Result, Tried};
use crate::events;
use crate::generation;
use crate::reconcile::{self, Step};
use crate::rows::Row;
use crate::schema::{self, Index};
use crate::state;
use crate::transcripts::Transcript;
use crate::writing::Writing;

/// Differences that are listed at most.
const MOST: usize = 100;

/// See [`session_search_core::TranscriptStore::verify`].
pub(crate) fn verify(conn: &Connection, pipeline: &dyn TextPipeline) -> Result<VerifyReport> {
    let mut report = VerifyReport::default();
    check_database(conn, &mut report)?;
    let version = pipeline.version();
    let current = schema::indexes(conn)?.pop().filter(|index| index.version == version.as_str());
    let (index, mut sums) = match current.map(|index| (read_index(conn, &index), index)) {
        None => (None, HashMap::new()),
        Some((Ok(sums), index)) => (Some(index), sums),
        Some((Err(error), _)) if error.kind() == ErrorKind::Corrupt => {
            difference(&mut report, "the full-text table is damaged".to_owned());
            (None, HashMap::new())
        }
        Some((Err(error), _)) => return Err(error),
    };
    let transcripts: Vec<i64> = conn
        .prepare_cached("SELECT num FROM transcripts WHERE session IS NOT NULL ORDER BY num")
        .and_then(|mut s| s.query_map([], |row| row.get(0))?.collect())
        .tried("list the transcripts")?;
    for num in transcripts {
        let Some(transcript) = Transcript::load(conn, num)? else { continue };
        check_transcript(conn, pipeline, index.as_ref(), &transcript, &mut sums, &mut report)?;
    }
    check_counts(conn, &mut report)?;
    forget_doomed(conn, &mut sums)?;
    if !sums.is_empty() {
        difference(&mut report, format!("{} rows of the full-text table belong to no message", sums.len()));
    }
    Ok(report)
}

fn difference(report: &mut VerifyReport, line: String) {
    if report.differences.len() < MOST {
        report.differences.push(line);
    }
}

fn check_database(conn: &Connection, report: &mut VerifyReport) -> Result<()> {
    for index in schema::indexes(conn)? {
        // The check of FTS5 trusts the list of segments that this connection remembers, which others may have changed
        // since; opening a cursor makes it look again. What fails here fails below, too.
        let touch = format!("SELECT rowid FROM {0} WHERE {0} MATCH 'a' LIMIT 1", index.name);
        drop(conn.prepare(&touch).and_then(|mut s| s.exists([])));
    }
    let lines: Vec<String> = conn
        .prepare("PRAGMA quick_check(20)")
        .and_then(|mut s| s.query_map([], |row| row.get(0))?.collect())
        .tried("check the database")?;
    // What SQLite says names pages and tables, no content.
    for line in lines.into_iter().filter(|line| line != "ok") {
        difference(report, format!("database: {line}"));
    }
    Ok(())
}

/// For each row of a full-text table, the sum over its terms and their places.
fn read_index(conn: &Connection, index: &Index) -> Result<HashMap<i64, u64>> {
    let what = "read the full-text table";
    conn.execute_batch("PRAGMA query_only = 0").tried(what)?;
    let outcome = read_vocabulary(conn, index);
    let dropped =
        conn.execute_batch("DROP TABLE IF EXISTS temp.verified_terms; PRAGMA query_only = 1").tried(what);
    let sums = outcome?;
    dropped.map(|()| sums)
}

fn read_vocabulary(conn: &Connection, index: &Index) -> Result<HashMap<i64, u64>> {
    let what = "read the full-text table";
    conn.execute_batch(&format!(
        "CREATE VIRTUAL TABLE temp.verified_terms USING fts5vocab(main, {}, instance)",
        index.name
    ))
    .tried(what)?;
    let mut statement = conn.prepare("SELECT term, doc, offset FROM temp.verified_terms").tried(what)?;
    let mut rows = statement.query([]).tried(what)?;
    let mut sums: HashMap<i64, u64> = HashMap::new();
    while let Some(row) = rows.next().tried(what)? {
        let term = row.get_ref(0).tried(what)?.as_bytes().unwrap_or_default();
        let (doc, offset): (i64, i64) = (row.get(1).tried(what)?, row.get(2).tried(what)?);
        let sum = sums.entry(doc).or_default();
        *sum = sum.wrapping_add(place_of(term, offset));
    }
    Ok(sums)
}

fn place_of(term: &[u8], offset: i64) -> u64 {
    let mut hasher = DefaultHasher::new();
    (term, offset).hash(&mut hasher);
    hasher.finish()
}

/// The sum that a text's row should have; `None` where it has no words, and so no row.
fn sum_of(terms: &str) -> Option<u64> {
    let places = terms.split(' ').filter(|term| !term.is_empty()).zip(0..);
    places.map(|(term, offset)| place_of(term.as_bytes(), offset)).reduce(u64::wrapping_add)
}

fn check_transcript(
    conn: &Connection,
    pipeline: &dyn TextPipeline,
    index: Option<&Index>,
    transcript: &Transcript,
    sums: &mut HashMap<i64, u64>,
    report: &mut VerifyReport,
) -> Result<()> {
    let name = &transcript.id;
    let (nodes, _) = Walk::from(conn, transcript.num, transcript.leaf).whole()?;
    let wanted: Vec<i64> = nodes.iter().filter(|node| node.kind.is_entry()).map(|node| node.num).collect();
    report.checked += wanted.len() as u64;
    if i64::try_from(wanted.len()) != Ok(transcript.length) {
        difference(report, format!("transcript {name}: its length is noted wrong"));
    }
    let tail = transcript.tail.unwrap_or(transcript.length);
    if !transcript.pending && transcript.entries != transcript.length {
        difference(
            report,
            format!("transcript {name}: entries are missing, and it is not marked as pending"),
        );
    }
    let mut found = 0;
    for block in entries::blocks_from(conn, transcript.num, 0)? {
        for (row, event) in entries::in_slots(conn, block.block, 0, crate::rows::SLOTS)? {
            found += 1;
            let ordinal = block.first + row.slot();
            let there = ordinal < transcript.entries || (ordinal >= tail && ordinal < transcript.length);
            let right = usize::try_from(ordinal).ok().and_then(|n| wanted.get(n)) == Some(&event);
            if !there || !right {
                difference(report, format!("transcript {name}: entry {ordinal} is not that of the branch"));
                sums.remove(&row.0);
            } else if index.is_some_and(|index| index.generation == block.generation) {
                check_entry(conn, pipeline, transcript, row, event, sums, report)?;
            }
        }
    }
    if found != transcript.indexed() {
        difference(report, format!("transcript {name}: {found} entries, {} are noted", transcript.indexed()));
    }
    Ok(())
}

fn check_entry(
    conn: &Connection,
    pipeline: &dyn TextPipeline,
    transcript: &Transcript,
    row: Row,
    event: i64,
    sums: &mut HashMap<i64, u64>,
    report: &mut VerifyReport,
) -> Result<()> {
    let full = events::load(conn, event)?;
    let text = full.text();
    let prepared = pipeline.prepare(&text);
    let (ts, copy): (i64, i64) = conn
        .prepare_cached("SELECT ts, copy FROM entries WHERE row = ?1")
        .and_then(|mut s| s.query_row([row.0], |row| Ok((row.get(0)?, row.get(1)?))))
        .tried("read an index entry")?;
    let name = || format!("transcript {}, message {}", transcript.id, full.id);
    if sums.remove(&row.0) != sum_of(&prepared.terms) {
        difference(report, format!("{}: the full-text table holds other words", name()));
    }
    let same =
        Row::new(row.block(), row.slot(), full.kind.role().unwrap_or(row.role()), prepared.words) == row;
    if !same || ts != full.ts || copy != events::copy_hash(full.id.as_str(), &text) {
        difference(report, format!("{}: role, length, time or hash are noted wrong", name()));
    }
    Ok(())
}

/// What [`state`] should say of entries: of sessions that are not incognito, and of those that are.
fn counts(conn: &Connection) -> Result<[i64; 2]> {
    let mut counts = [0; 2];
    for (incognito, count) in [false, true].into_iter().zip(&mut counts) {
        *count = conn
            .prepare_cached(
                "SELECT ifnull(sum(t.entries + ifnull(t.length - t.tail, 0)), 0)
                 FROM transcripts t JOIN sessions s ON s.num = t.session WHERE s.incognito = ?1",
            )
            .and_then(|mut s| s.query_row([incognito], |row| row.get(0)))
            .tried("count index entries")?;
    }
    Ok(counts)
}

fn check_counts(conn: &Connection, report: &mut VerifyReport) -> Result<()> {
    if counts(conn)? != [state::indexed(conn, false)?, state::indexed(conn, true)?] {
        difference(report, "the numbers of index entries are noted wrong".to_owned());
    }
    Ok(())
}

fn count_again(conn: &Connection) -> Result<()> {
    for (incognito, count) in [false, true].into_iter().zip(counts(conn)?) {
        state::count_indexed(conn, incognito, count - state::indexed(conn, incognito)?)?;
    }
    Ok(())
}

/// Rows of blocks that are out of reach are no difference: they wait to be removed.
fn forget_doomed(conn: &Connection, sums: &mut HashMap<i64, u64>) -> Result<()> {
    let doomed: Vec<i64> = conn
        .prepare_cached(
            "SELECT e.row FROM blocks b JOIN entries e ON e.row BETWEEN b.block << 12 AND (b.block << 12) + 4095
             WHERE b.transcript IS NULL
                OR b.transcript IN (SELECT num FROM transcripts WHERE session IS NULL)",
        )
        .and_then(|mut s| s.query_map([], |row| row.get(0))?.collect())
        .tried("look for what waits to be removed")?;
    for row in doomed {
        sums.remove(&row);
    }
    Ok(())
}

/// Repairs what can be: lengths and entries of every transcript are found anew, and everything is indexed again in a
/// new table, which is complete when this returns. Whether that was enough, another verification tells.
pub(crate) fn repair(writing: &mut Writing) -> Result<()> {
    writing.transaction(|writing| {
        let conn = &writing.conn;
        let nums: Vec<i64> = conn
            .prepare_cached("SELECT num FROM transcripts WHERE session IS NOT NULL")
            .and_then(|mut s| s.query_map([], |row| row.get(0))?.collect())
            .tried("list the transcripts")?;
        if writing.index()?.is_none() {
            return Ok(());
        }
        generation::replace(conn, writing.pipeline.version().as_str())?;
        conn.execute_batch("DELETE FROM entries; DELETE FROM blocks").tried("remove the index entries")?;
        state::next_epoch(conn)?;
        for num in nums {
            let Some(mut transcript) = Transcript::load(conn, num)? else { continue };
            let (nodes, root) = Walk::from(conn, num, transcript.leaf).whole()?;
            transcript.length =
                i64::try_from(nodes.iter().filter(|node| node.kind.is_entry()).count()).unwrap_or(i64::MAX);
            transcript.open_root = root;
            (transcript.entries, transcript.tail, transcript.stale) = (0, None, false);
            transcript.pending = true;
            transcript.save(conn)?;
        }
        count_again(conn)
    })?;
    while let Step::Worked(_) = reconcile::step(writing, 2_000)? {}
    Ok(())
}
