//! Numbers about the whole store, kept in the transactions that change them.
//!
//! | name | is |
//! | --- | --- |
//! | `epoch` | counts changes of what readers remember: where a block that exists belongs, and what is known of its transcript and session. New blocks do not count |
//! | `indexed`, `indexed_incognito` | entries of sessions that are not incognito, and that are |
//! | `erasing` | there while deleted bytes wait to be erased |

use rusqlite::{Connection, OptionalExtension};

use crate::error::{Result, Tried};

/// Tells readers to forget what they remember.
pub(crate) fn next_epoch(conn: &Connection) -> Result<()> {
    conn.prepare_cached("UPDATE state SET value = value + 1 WHERE name = 'epoch'")
        .and_then(|mut s| s.execute([]))
        .tried("note a change for readers")
        .map(drop)
}

/// The epoch.
pub(crate) fn epoch(conn: &Connection) -> Result<i64> {
    number(conn, "epoch")
}

/// How many entries there are, of sessions that are incognito or of those that are not.
pub(crate) fn indexed(conn: &Connection, incognito: bool) -> Result<i64> {
    number(conn, name(incognito))
}

/// Counts entries that came or went.
pub(crate) fn count_indexed(conn: &Connection, incognito: bool, more: i64) -> Result<()> {
    if more == 0 {
        return Ok(());
    }
    conn.prepare_cached("UPDATE state SET value = value + ?2 WHERE name = ?1")
        .and_then(|mut s| s.execute((name(incognito), more)))
        .tried("count index entries")
        .map(drop)
}

fn name(incognito: bool) -> &'static str {
    if incognito { "indexed_incognito" } else { "indexed" }
}

fn number(conn: &Connection, name: &str) -> Result<i64> {
    let found = conn
        .prepare_cached("SELECT value FROM state WHERE name = ?1")
        .and_then(|mut s| s.query_row([name], |row| row.get(0)).optional())
        .tried("read a counter")?;
    Ok(found.unwrap_or(0))
}
