//! What is pending, and the state of the index.

use std::path::Path;

use rusqlite::Connection;
use session_search_core::store::StoreStatus;
use session_search_core::{PipelineVersion, Visible};

use crate::connection::beside;
use crate::error::{Result, Tried};
use crate::{erase, schema, sessions};

/// Whether everything waits, since the index is of another version (or there is none yet).
fn all_wait(conn: &Connection, version: &PipelineVersion) -> Result<bool> {
    let current = schema::indexes(conn)?.pop();
    Ok(current.is_none_or(|index| index.version != version.as_str()))
}

/// How many visible transcripts wait for reconciliation.
pub(crate) fn pending(conn: &Connection, visible: &Visible, version: &PipelineVersion) -> Result<u64> {
    // The index over those that are pending is small; the others are counted only where all of them wait.
    let (from, waits) = if all_wait(conn, version)? {
        ("transcripts", "session IS NOT NULL")
    } else {
        ("transcripts INDEXED BY transcripts_pending", "(pending OR stale) AND session IS NOT NULL")
    };
    let what = "count pending transcripts";
    let count = |condition: &str| -> Result<u64> {
        let sql = format!("SELECT count(*) FROM {from} WHERE {waits} AND {condition}");
        conn.prepare_cached(&sql)
            .and_then(|mut s| s.query_row([], |row| row.get::<_, i64>(0)))
            .tried(what)
            .map(unsigned)
    };
    match visible {
        Visible::Nothing => Ok(0),
        Visible::Everything => count("1"),
        Visible::NotIncognito => {
            count("session NOT IN (SELECT num FROM sessions INDEXED BY sessions_incognito WHERE incognito)")
        }
        Visible::Only(keys) => {
            if count("1")? == 0 {
                return Ok(0);
            }
            let sql = format!("SELECT count(*) FROM transcripts WHERE session = ?1 AND {waits}");
            let mut statement = conn.prepare_cached(&sql).tried(what)?;
            let mut total = 0;
            for key in keys {
                let Some(session) = sessions::find(conn, key)? else { continue };
                if !sessions::is_incognito(conn, session)? {
                    total += unsigned(statement.query_row([session], |row| row.get(0)).tried(what)?);
                }
            }
            Ok(total)
        }
    }
}

fn unsigned(count: i64) -> u64 {
    u64::try_from(count).unwrap_or(0)
}

/// The state of the index, over what `base` knows already.
pub(crate) fn status(conn: &Connection, base: StoreStatus, version: &PipelineVersion) -> Result<StoreStatus> {
    let what = "read the state of the store";
    let sessions: i64 = conn.query_row("SELECT count(*) FROM sessions", [], |row| row.get(0)).tried(what)?;
    let (transcripts, events, indexed): (i64, i64, i64) = conn
        .query_row(
            "SELECT count(*), ifnull(sum(events), 0), ifnull(sum(entries + ifnull(length - tail, 0)), 0)
             FROM transcripts WHERE session IS NOT NULL",
            [],
            |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)),
        )
        .tried(what)?;
    let schema_version: i64 = conn.pragma_query_value(None, "user_version", |row| row.get(0)).tried(what)?;
    Ok(StoreStatus {
        sessions: unsigned(sessions),
        transcripts: unsigned(transcripts),
        events: unsigned(events),
        indexed: unsigned(indexed),
        pending: pending(conn, &Visible::Everything, version)?,
        erasing: erase::is_waiting(conn)?,
        schema_version: u32::try_from(schema_version).unwrap_or(0),
        ..base
    })
}

/// The bytes of all files of a store.
pub(crate) fn bytes(path: &Path) -> u64 {
    let size = |path: &Path| std::fs::metadata(path).map_or(0, |meta| meta.len());
    size(path) + size(&beside(path, "-wal")) + size(&beside(path, "-shm"))
}
