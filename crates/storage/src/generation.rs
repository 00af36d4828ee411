//! Which full-text table is current, and whether this process may write to it.
//!
//! A deletion must give FTS5 exactly what was inserted, so a table belongs to one version of words and rules. When
//! a process with another version first writes, it makes a new table, marks every transcript as stale, and
//! reconciliation moves block after block over; searches read both tables until the old one is empty and dropped.

use rusqlite::Connection;
use session_search_core::TextPipeline;

use crate::error::{Result, Tried};
use crate::schema::{self, Index};

/// The newest table when this process opened the store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Seen(pub(crate) i64);

impl Seen {
    /// Reads it.
    pub(crate) fn now(conn: &Connection) -> Result<Seen> {
        conn.query_row("SELECT ifnull(max(gen), 0) FROM indexes", [], |row| row.get(0))
            .tried("read the indexes")
            .map(Seen)
    }
}

/// The table that entries are written to; `None` where a process with a newer version replaced it since we
/// opened the store: what we store then waits for that process, as pending.
pub(crate) fn current(conn: &Connection, pipeline: &dyn TextPipeline, seen: Seen) -> Result<Option<Index>> {
    let version = pipeline.version();
    match schema::indexes(conn)?.pop() {
        Some(index) if index.version == version.as_str() => Ok(Some(index)),
        Some(index) if index.generation > seen.0 => Ok(None),
        Some(_) => replace(conn, version.as_str()).map(Some),
        None => schema::create_index(conn, version.as_str()).map(Some),
    }
}

/// Begins a new table: everything is built anew in it.
pub(crate) fn replace(conn: &Connection, version: &str) -> Result<Index> {
    let index = schema::create_index(conn, version)?;
    conn.execute("UPDATE transcripts SET stale = 1 WHERE session IS NOT NULL AND NOT stale", [])
        .tried("mark transcripts for reindexing")?;
    Ok(index)
}

/// Drops tables in which no block is left. Returns whether any was dropped.
pub(crate) fn drop_replaced(conn: &Connection, current: &Index) -> Result<bool> {
    let mut dropped = false;
    for index in schema::indexes(conn)? {
        if index.generation >= current.generation {
            continue;
        }
        let used: bool = conn
            .prepare_cached("SELECT EXISTS(SELECT 1 FROM blocks WHERE gen = ?1)")
            .and_then(|mut s| s.query_row([index.generation], |row| row.get(0)))
            .tried("look for blocks")?;
        if !used {
            conn.execute_batch(&format!("DROP TABLE {}", index.name))
                .tried("drop a replaced full-text table")?;
            conn.execute("DELETE FROM indexes WHERE gen = ?1", [index.generation])
                .tried("drop a replaced index")?;
            dropped = true;
        }
    }
    Ok(dropped)
}
