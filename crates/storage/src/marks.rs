//! What was noted about sources.

use rusqlite::Connection;
use session_search_core::source::SourceMark;

use crate::error::{Result, Tried};

/// Notes a source.
pub(crate) fn write(conn: &Connection, path: &str, mark: &SourceMark) -> Result<()> {
    let number = |value: u64| i64::from_ne_bytes(value.to_ne_bytes());
    conn.prepare_cached(
        "INSERT OR REPLACE INTO sources(path, size, modified_ns, inode, offset, hash, state)
         VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    )
    .and_then(|mut s| {
        s.execute(rusqlite::params![
            path,
            number(mark.size),
            mark.modified_ns,
            number(mark.inode),
            number(mark.offset),
            mark.hash,
            mark.state
        ])
    })
    .tried("note a source")
    .map(drop)
}

/// All that is noted, by path.
pub(crate) fn all(conn: &Connection) -> Result<Vec<(String, SourceMark)>> {
    let number = |value: i64| u64::from_ne_bytes(value.to_ne_bytes());
    conn.prepare_cached(
        "SELECT path, size, modified_ns, inode, offset, hash, state FROM sources ORDER BY path",
    )
    .and_then(|mut s| {
        s.query_map([], |row| {
            Ok((
                row.get(0)?,
                SourceMark {
                    size: number(row.get(1)?),
                    modified_ns: row.get(2)?,
                    inode: number(row.get(3)?),
                    offset: number(row.get(4)?),
                    hash: row.get(5)?,
                    state: row.get(6)?,
                },
            ))
        })?
        .collect()
    })
    .tried("read what is known of sources")
}
