//! The schema: numbered steps that never change once released, and the full-text tables.
//!
//! | table | holds |
//! | --- | --- |
//! | `sessions` | one row a session |
//! | `lineage` | who spawned whom, keys only; outlives deletion |
//! | `transcripts` | one row a transcript; without a session: deleted, waits to be erased |
//! | `events` | every event as it came; `parent` is the number of an event, or the id of one that is not there |
//! | `blocks` | which entries of which transcript the row ids of a block are, and in which index; no transcript: discarded |
//! | `entries` | one row an index entry: row id, event, time, and a hash by which copies are found |
//! | `indexes` | the full-text tables: the last is current, an older one serves until it is replaced |
//! | `tombstones`, `sources` | what imports heed, and know of files |
//! | `state` | counters; see `state` |

use rusqlite::{Connection, OptionalExtension, TransactionBehavior};
use session_search_core::words::TOKENCHARS;
use session_search_core::{ErrorKind, StoreError};

use crate::error::{Result, Tried};

/// `ssrh` as a number: marks a database as ours.
pub(crate) const APPLICATION_ID: i32 = 0x7373_7268;

/// The steps; `user_version` counts those that were taken. A released step is never edited.
const STEPS: &[&str] = &["
CREATE TABLE sessions(
    num INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, title TEXT, project TEXT, source TEXT NOT NULL,
    incognito INTEGER NOT NULL, first INTEGER, last INTEGER) STRICT;
CREATE INDEX sessions_incognito ON sessions(num) WHERE incognito;
CREATE TABLE lineage(key TEXT PRIMARY KEY, agent TEXT NOT NULL, parent TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE INDEX lineage_parent ON lineage(agent, parent);
CREATE TABLE transcripts(
    num INTEGER PRIMARY KEY, session INTEGER, id TEXT NOT NULL, source_id TEXT NOT NULL, created INTEGER NOT NULL,
    first INTEGER, last INTEGER, leaf INTEGER, open_root TEXT, leaf_rank INTEGER, leaf_source TEXT, pinned INTEGER NOT NULL,
    events INTEGER NOT NULL, messages INTEGER NOT NULL, length INTEGER NOT NULL, entries INTEGER NOT NULL,
    tail INTEGER, pending INTEGER NOT NULL, stale INTEGER NOT NULL) STRICT;
CREATE UNIQUE INDEX transcripts_id ON transcripts(session, id) WHERE session IS NOT NULL;
CREATE INDEX transcripts_source ON transcripts(session, source_id);
CREATE INDEX transcripts_pending ON transcripts(num) WHERE pending OR stale;
CREATE INDEX transcripts_doomed ON transcripts(num) WHERE session IS NULL;
CREATE TABLE events(
    num INTEGER PRIMARY KEY, transcript INTEGER NOT NULL, id TEXT NOT NULL, parent ANY, kind INTEGER NOT NULL,
    ts INTEGER NOT NULL, raw ANY NOT NULL) STRICT;
CREATE UNIQUE INDEX events_id ON events(transcript, id);
CREATE TABLE blocks(
    block INTEGER PRIMARY KEY, transcript INTEGER, first INTEGER NOT NULL,
    gen INTEGER NOT NULL) STRICT;
CREATE UNIQUE INDEX blocks_transcript ON blocks(transcript, first);
CREATE INDEX blocks_gen ON blocks(gen);
CREATE INDEX blocks_discarded ON blocks(block) WHERE transcript IS NULL;
CREATE TABLE entries(
    row INTEGER PRIMARY KEY, event INTEGER NOT NULL, ts INTEGER NOT NULL, copy INTEGER NOT NULL) STRICT;
CREATE INDEX entries_time ON entries(ts);
CREATE INDEX entries_copy ON entries(copy);
CREATE TABLE indexes(gen INTEGER PRIMARY KEY, version TEXT NOT NULL, name TEXT NOT NULL) STRICT;
CREATE TABLE tombstones(key TEXT NOT NULL, id TEXT NOT NULL, PRIMARY KEY(key, id)) STRICT, WITHOUT ROWID;
CREATE TABLE sources(
    path TEXT PRIMARY KEY, size INTEGER NOT NULL, modified_ns INTEGER NOT NULL, inode INTEGER NOT NULL,
    offset INTEGER NOT NULL, hash TEXT NOT NULL, state TEXT NOT NULL) STRICT;
CREATE TABLE state(name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;
INSERT INTO state(name, value) VALUES('epoch', 0), ('indexed', 0), ('indexed_incognito', 0);
"];

/// The schema that this program writes.
pub(crate) fn newest() -> i32 {
    i32::try_from(STEPS.len()).unwrap_or(i32::MAX)
}

/// What an open file turned out to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Found {
    /// Nothing yet.
    Empty,
    /// A store of this schema, up to the newest.
    Store(i32),
}

/// Looks at the header; takes no write lock.
pub(crate) fn inspect(conn: &Connection, path: &str) -> Result<Found> {
    let number = |pragma: &str| -> Result<i32> {
        conn.pragma_query_value(None, pragma, |row| row.get(0)).tried(&format!("read the header of {path}"))
    };
    let (application, version) = (number("application_id")?, number("user_version")?);
    if application == 0 && version == 0 {
        let tables: i64 = conn
            .query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))
            .tried(&format!("read the tables of {path}"))?;
        if tables == 0 {
            return Ok(Found::Empty);
        }
    }
    if application != APPLICATION_ID {
        let message = format!("{path} is a database of another program; name another file or directory");
        return Err(StoreError::new(ErrorKind::Corrupt, message));
    }
    if version > newest() {
        let message = format!(
            "{path} was written by a newer version of this program (schema {version}, this one knows {}); \
             update the program",
            newest()
        );
        return Err(StoreError::new(ErrorKind::SchemaTooNew, message));
    }
    Ok(Found::Store(version))
}

/// Brings the schema to the newest, in one transaction; another process may have done so meanwhile.
pub(crate) fn migrate(conn: &mut Connection, path: &str) -> Result<()> {
    let what = format!("set up the tables of {path}");
    let tx = conn.transaction_with_behavior(TransactionBehavior::Immediate).tried(&what)?;
    let taken = match inspect(&tx, path)? {
        Found::Empty => 0,
        Found::Store(version) => version,
    };
    for step in STEPS.iter().skip(usize::try_from(taken).unwrap_or(0)) {
        tx.execute_batch(step).tried(&what)?;
    }
    tx.pragma_update(None, "application_id", APPLICATION_ID).tried(&what)?;
    tx.pragma_update(None, "user_version", newest()).tried(&what)?;
    tx.commit().tried(&what)
}

/// One of the full-text tables.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Index {
    /// Its number; blocks name it.
    pub(crate) generation: i64,
    /// The version of words and rules that it is built with.
    pub(crate) version: String,
    /// The name of its table.
    pub(crate) name: String,
}

/// The full-text tables, oldest first; the last is current.
pub(crate) fn indexes(conn: &Connection) -> Result<Vec<Index>> {
    let mut statement = conn
        .prepare_cached("SELECT gen, version, name FROM indexes ORDER BY gen")
        .tried("read the indexes")?;
    let rows = statement
        .query_map([], |row| Ok(Index { generation: row.get(0)?, version: row.get(1)?, name: row.get(2)? }))
        .tried("read the indexes")?;
    rows.collect::<rusqlite::Result<_>>().tried("read the indexes")
}

/// Makes a new full-text table the current one.
pub(crate) fn create_index(conn: &Connection, version: &str) -> Result<Index> {
    let what = "make a full-text table";
    let last: Option<i64> = conn
        .query_row("SELECT max(gen) FROM indexes", [], |row| row.get(0))
        .optional()
        .tried(what)?
        .flatten();
    let generation = last.unwrap_or(0) + 1;
    // A version holds a-z, 0-9 and _ only. The format is set at once to that of tables with secure deletions (5):
    // FTS5 would do so with the first of them, which connections that read the old number would take for damage.
    let name = if last.is_none() { format!("fts_{version}") } else { format!("fts_{version}_{generation}") };
    conn.execute_batch(&format!(
        "CREATE VIRTUAL TABLE {name} USING fts5(terms, content='', columnsize=0, detail=full, \
         tokenize=\"ascii tokenchars '{TOKENCHARS}'\");
         REPLACE INTO {name}_config(k, v) VALUES('version', 5);
         INSERT INTO {name}({name}, rank) VALUES('secure-delete', 1);"
    ))
    .tried(what)?;
    conn.execute("INSERT INTO indexes(gen, version, name) VALUES(?1, ?2, ?3)", (generation, version, &name))
        .tried(what)?;
    Ok(Index { generation, version: version.to_owned(), name })
}
