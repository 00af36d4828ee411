//! Erasing what was deleted, in short transactions, until no file of the store holds a byte of it.
//!
//! Four places hold deleted bytes, and go in this order: discarded blocks (their terms in the full-text table),
//! the blocks and events of transcripts without a session, separators of the full-text table (`separators`), and
//! the write-ahead log. `state` says that something is left, so that a crash only delays the rest.

use std::time::{Duration, Instant};

use rusqlite::{Connection, OptionalExtension};
use session_search_core::store::Erasure;

use crate::entries::{self, Entries};
use crate::error::{Result, Tried};
use crate::reconcile;
use crate::schema;
use crate::separators;
use crate::transcripts::Transcript;
use crate::writing::{Erased, Writing};

/// A transaction of erasure should take about so long: other writers wait for it.
const SHARE: Duration = Duration::from_millis(40);
/// Entries in the first transaction.
const FIRST: u64 = 16;
/// Events in one transaction, and their bytes.
const EVENTS: i64 = 256;
const EVENT_BYTES: i64 = 4 << 20;
/// Steps that are taken, and entries in each, to replace an index with other words.
const REPLACING: usize = 200;
const REPLACED: u64 = 128;
/// Pages of the log that erasure writes before they are copied into the database: the last step copies the rest.
const LOG_PAGES: i64 = 8_000;
/// Between two transactions, others have a turn of at least so long: longer than they wait between two attempts.
const TURN: Duration = Duration::from_millis(3);
/// How long the last step waits for readers of an older state.
const WAIT: Duration = Duration::from_millis(100);

/// Prepares for a deletion by this process: terms that are taken out are noted from here on, so that the last step
/// need not look at all separators. Not where other deleted bytes wait: whose terms are gone cannot be known.
pub(crate) fn begin(writing: &Writing) -> Result<()> {
    let known = !is_waiting(&writing.conn)?;
    writing.erased.replace(known.then(Erased::new));
    Ok(())
}

/// Notes, in the transaction that deletes, that bytes wait to be erased: 1 where who erases them will know all terms
/// that were taken out, 2 where not.
pub(crate) fn note(conn: &Connection) -> Result<()> {
    conn.prepare_cached("INSERT OR IGNORE INTO state(name, value) VALUES('erasing', 1)")
        .and_then(|mut s| s.execute([]))
        .tried("note a deletion")
        .map(drop)
}

/// Whether bytes wait to be erased.
pub(crate) fn is_waiting(conn: &Connection) -> Result<bool> {
    conn.prepare_cached("SELECT EXISTS(SELECT 1 FROM state WHERE name = 'erasing')")
        .and_then(|mut s| s.query_row([], |row| row.get(0)))
        .tried("look for deleted bytes")
}

/// Erases all there is, transaction by transaction.
pub(crate) fn finish(writing: &mut Writing) -> Result<Erasure> {
    let what = "set how durable transactions are";
    let conn = &writing.conn;
    let number = |pragma: &str| conn.pragma_query_value(None, pragma, |row| row.get::<_, i64>(0)).tried(what);
    let (level, pages) = (number("synchronous")?, number("wal_autocheckpoint")?);
    // A step that is lost with the power is taken again; the last one waits for the disk in any case.
    conn.pragma_update(None, "synchronous", "NORMAL").tried(what)?;
    conn.pragma_update(None, "wal_autocheckpoint", LOG_PAGES).tried(what)?;
    let outcome = steps(writing);
    writing.conn.pragma_update(None, "wal_autocheckpoint", pages).tried(what)?;
    writing.conn.pragma_update(None, "synchronous", level).tried(what)?;
    writing.erased.replace(None);
    outcome
}

fn steps(writing: &mut Writing) -> Result<Erasure> {
    let mut most = FIRST;
    let mut version = data_version(&writing.conn)?;
    loop {
        let began = Instant::now();
        match step(writing, most)? {
            Outcome::Worked(_) => {}
            Outcome::Done => return Ok(Erasure::Done),
            Outcome::Held(why) => return Ok(Erasure::Pending { why }),
        }
        let took = began.elapsed();
        // Whoever waits comes in; where somebody did, for longer.
        let now = data_version(&writing.conn)?;
        let turn = if std::mem::replace(&mut version, now) == now { TURN } else { took / 4 };
        std::thread::sleep(turn.clamp(TURN, 4 * TURN));
        if took > SHARE {
            most = (most / 2).max(1);
        } else if took < SHARE / 3 {
            most = most.saturating_mul(2);
        }
    }
}

/// Changes with every transaction of another connection.
fn data_version(conn: &Connection) -> Result<i64> {
    conn.pragma_query_value(None, "data_version", |row| row.get(0)).tried("look for changes of the store")
}

/// What a step of erasure did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// So many entries or events went; there may be more.
    Worked(u64),
    /// Nothing is left in any file.
    Done,
    /// What is left waits for something else.
    Held(String),
}

/// One short transaction of erasure, of at most about `most` entries.
pub(crate) fn step(writing: &mut Writing, most: u64) -> Result<Outcome> {
    let removed = writing.transaction(|writing| {
        let Some(index) = writing.index()? else { return Ok(None) };
        let target = writing.target(&index);
        if writing.erased.borrow().is_none() {
            let sql = "UPDATE state SET value = 2 WHERE name = 'erasing' AND value <> 2";
            writing.conn.execute(sql, []).tried("note a deletion")?;
        }
        if let Some(gone) = reconcile::remove_discarded(&target, most)? {
            return Ok(Some(gone));
        }
        erase_transcript(&target, most).map(|gone| Some(gone.unwrap_or(0)))
    })?;
    match removed {
        None => {
            Ok(Outcome::Held("a newer version of the program keeps the index; it will erase the rest".into()))
        }
        Some(0) => last_step(writing),
        Some(gone) => Ok(Outcome::Worked(gone)),
    }
}

/// Erases a part of the first transcript that waits for it. `None` where none does.
fn erase_transcript(target: &Entries<'_>, most: u64) -> Result<Option<u64>> {
    let conn = target.conn;
    let Some(transcript) = Transcript::first_doomed(conn)? else { return Ok(None) };
    let mut gone = 0;
    let mut block = entries::first_block(conn, transcript.num)?;
    while let Some(next) = block.filter(|_| gone < most) {
        let left = i64::try_from(most - gone).unwrap_or(i64::MAX);
        gone += target.shrink_block(next, left)?;
        block = entries::first_block(conn, transcript.num)?;
    }
    if block.is_some() {
        return Ok(Some(gone.max(1)));
    }
    let found: Vec<(i64, i64)> = conn
        .prepare_cached("SELECT num, octet_length(raw) FROM events WHERE transcript = ?1 LIMIT ?2")
        .and_then(|mut s| {
            s.query_map((transcript.num, EVENTS), |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
        })
        .tried("look for deleted events")?;
    let mut bytes = 0;
    for (num, size) in &found {
        conn.prepare_cached("DELETE FROM events WHERE num = ?1")
            .and_then(|mut s| s.execute([num]))
            .tried("erase an event")?;
        gone += 1;
        bytes += size;
        if bytes > EVENT_BYTES {
            return Ok(Some(gone));
        }
    }
    if i64::try_from(found.len()).unwrap_or(i64::MAX) < EVENTS {
        conn.prepare_cached("DELETE FROM transcripts WHERE num = ?1")
            .and_then(|mut s| s.execute([transcript.num]))
            .tried("erase a transcript")?;
        gone += 1;
    }
    Ok(Some(gone))
}

/// Rewrites separators, then empties the log.
fn last_step(writing: &mut Writing) -> Result<Outcome> {
    if !replace_foreign(writing)? {
        let why = "an index with older rules is being replaced, and goes as a whole; run reindex to hurry it";
        return Ok(Outcome::Held(why.into()));
    }
    let waits: Option<i64> = writing
        .conn
        .query_row("SELECT value FROM state WHERE name = 'erasing'", [], |row| row.get(0))
        .optional()
        .tried("look for deleted bytes")?;
    let erased = writing.erased.borrow().clone().filter(|_| waits == Some(1));
    for index in schema::indexes(&writing.conn)? {
        if separators::find(&writing.conn, &index.name, erased.as_ref())?.is_empty() {
            continue;
        }
        writing.transaction(|writing| separators::renew(&writing.conn, &index.name, erased.as_ref()))?;
    }
    if !empty_log(&writing.conn)? {
        return Ok(Outcome::Held("a reader holds an older state of the store".into()));
    }
    writing.transaction(|writing| {
        let what = "note that nothing is left to erase";
        writing.conn.execute("DELETE FROM state WHERE name = 'erasing'", []).tried(what).map(drop)
    })?;
    Ok(Outcome::Done)
}

/// Whether all full-text tables are of today's words. One that is not cannot be written to: where little is left in
/// it, it is replaced here and now.
fn replace_foreign(writing: &mut Writing) -> Result<bool> {
    let version = writing.pipeline.version();
    let ours = |writing: &Writing| -> Result<bool> {
        Ok(schema::indexes(&writing.conn)?.iter().all(|index| index.version == version.as_str()))
    };
    for _ in 0..REPLACING {
        if ours(writing)? {
            return Ok(true);
        }
        if reconcile::step(writing, REPLACED)? == reconcile::Step::Idle {
            break;
        }
    }
    ours(writing)
}

/// Copies the write-ahead log into the database and cuts it to nothing. `false` where a reader prevents it.
pub(crate) fn empty_log(conn: &Connection) -> Result<bool> {
    let what = "empty the write-ahead log";
    // Most of the work without holding writers up.
    conn.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(())).tried(what)?;
    let wait: i64 = conn.query_row("PRAGMA busy_timeout", [], |row| row.get(0)).tried(what)?;
    conn.busy_timeout(WAIT).tried(what)?;
    let busy = conn.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get::<_, i64>(0)).optional();
    conn.busy_timeout(Duration::from_millis(u64::try_from(wait).unwrap_or(0))).tried(what)?;
    match busy {
        Ok(busy) => Ok(busy == Some(0)),
        Err(error) if error.sqlite_error_code() == Some(rusqlite::ErrorCode::DatabaseBusy) => Ok(false),
        Err(error) => Err(error).tried(what),
    }
}
