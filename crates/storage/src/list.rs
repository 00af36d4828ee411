//! The list of sessions.

use std::cmp::Reverse;

use rusqlite::{Connection, OptionalExtension};
use session_search_core::store::SessionSummary;
use session_search_core::{Millis, SessionKey, Visible};

use crate::error::{Result, Tried};
use crate::sessions;
use crate::transcripts::Transcript;

/// The visible sessions, newest last event first, then by key.
pub(crate) fn list(conn: &Connection, visible: &Visible) -> Result<Vec<SessionSummary>> {
    let mut list = Vec::new();
    match visible {
        Visible::Nothing => {}
        Visible::Only(keys) => {
            for key in keys {
                if let Some(num) = sessions::find_visible(conn, visible, key)? {
                    list.extend(summary(conn, num)?);
                }
            }
        }
        Visible::NotIncognito | Visible::Everything => {
            let condition = if *visible == Visible::Everything { "1" } else { "NOT incognito" };
            let nums: Vec<i64> = conn
                .prepare_cached(&format!("SELECT num FROM sessions WHERE {condition}"))
                .and_then(|mut s| s.query_map([], |row| row.get(0))?.collect())
                .tried("list the sessions")?;
            for num in nums {
                list.extend(summary(conn, num)?);
            }
        }
    }
    list.sort_by(|a, b| (Reverse(a.last), &a.key).cmp(&(Reverse(b.last), &b.key)));
    Ok(list)
}

fn summary(conn: &Connection, num: i64) -> Result<Option<SessionSummary>> {
    type Columns = (String, Option<String>, Option<String>, String, bool, Option<i64>, Option<i64>);
    let found: Option<Columns> = conn
        .prepare_cached(
            "SELECT key, title, project, source, incognito, first, last FROM sessions WHERE num = ?1",
        )
        .and_then(|mut s| {
            s.query_row([num], |row| {
                Ok((
                    row.get(0)?,
                    row.get(1)?,
                    row.get(2)?,
                    row.get(3)?,
                    row.get(4)?,
                    row.get(5)?,
                    row.get(6)?,
                ))
            })
            .optional()
        })
        .tried("read a session")?;
    let Some((key, title, project, source, incognito, first, last)) = found else { return Ok(None) };
    let transcripts = Transcript::of_session(conn, num)?;
    let key: SessionKey = sessions::key(key)?;
    Ok(Some(SessionSummary {
        session_ids: transcripts.iter().map(Transcript::session_id).collect::<Result<_>>()?,
        title,
        project,
        source,
        spawned_by: sessions::parent(conn, key.as_str())?,
        messages: u64::try_from(transcripts.iter().map(|t| t.length).sum::<i64>()).unwrap_or(0),
        first: first.map(Millis),
        last: last.map(Millis),
        incognito,
        key,
    }))
}
