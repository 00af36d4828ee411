//! Rows of sessions and their lineage.

use rusqlite::{Connection, OptionalExtension};
use session_search_core::limits::MAX_TITLE_CHARS;
use session_search_core::store::SessionSpec;
use session_search_core::{ErrorKind, SessionKey, SessionName, StoreError};

use crate::error::{Result, Tried, damaged};
use crate::state;
use crate::transcripts::Transcript;

/// The number of a session.
pub(crate) fn find(conn: &Connection, key: &SessionKey) -> Result<Option<i64>> {
    conn.prepare_cached("SELECT num FROM sessions WHERE key = ?1")
        .and_then(|mut statement| statement.query_row([key.as_str()], |row| row.get(0)).optional())
        .tried("look up a session")
}

/// The number of a session that may have to be made. On one that exists, only title, project and a turn to
/// incognito take effect.
pub(crate) fn ensure(conn: &Connection, spec: &SessionSpec) -> Result<i64> {
    let long = spec.title.as_ref().is_some_and(|title| title.chars().count() > MAX_TITLE_CHARS);
    if long {
        let message =
            format!("the title of {} has more than {MAX_TITLE_CHARS} characters; shorten it", spec.key);
        return Err(StoreError::new(ErrorKind::Limit, message));
    }
    let what = "store a session";
    if let Some(num) = find(conn, &spec.key)? {
        if spec.title.is_some() || spec.project.is_some() || spec.incognito {
            note_changes(conn, num, spec)?;
            conn.prepare_cached(
                "UPDATE sessions SET title = ifnull(?2, title), project = ifnull(?3, project),
                 incognito = max(incognito, ?4) WHERE num = ?1",
            )
            .and_then(|mut s| s.execute((num, &spec.title, &spec.project, spec.incognito)))
            .tried(what)?;
        }
        return Ok(num);
    }
    conn.prepare_cached(
        "INSERT INTO sessions(key, title, project, source, incognito) VALUES(?1, ?2, ?3, ?4, ?5)",
    )
    .and_then(|mut s| {
        s.execute((spec.key.as_str(), &spec.title, &spec.project, &spec.source, spec.incognito))
    })
    .tried(what)?;
    let num = conn.last_insert_rowid();
    if let Some(parent) = &spec.spawned_by {
        // Kept from a deleted session of the same key, if any: lineage is fixed when a key is first used.
        conn.prepare_cached(
            "INSERT INTO lineage(key, agent, parent) VALUES(?1, ?2, ?3) ON CONFLICT DO NOTHING",
        )
        .and_then(|mut s| s.execute((spec.key.as_str(), parent.agent.as_str(), parent.key.as_str())))
        .tried(what)?;
    }
    Ok(num)
}

/// Tells readers where what they remember of a session changes, and counts its entries where it turns incognito.
fn note_changes(conn: &Connection, num: i64, spec: &SessionSpec) -> Result<()> {
    let what = "look at a session";
    let (project, incognito): (Option<String>, bool) = conn
        .prepare_cached("SELECT project, incognito FROM sessions WHERE num = ?1")
        .and_then(|mut s| s.query_row([num], |row| Ok((row.get(0)?, row.get(1)?))))
        .tried(what)?;
    let turns = spec.incognito && !incognito;
    if turns {
        let indexed: i64 = Transcript::of_session(conn, num)?.iter().map(Transcript::indexed).sum();
        state::count_indexed(conn, false, -indexed)?;
        state::count_indexed(conn, true, indexed)?;
    }
    if turns || (spec.project.is_some() && spec.project != project) {
        state::next_epoch(conn)?;
    }
    Ok(())
}

/// Widens the times of a session.
pub(crate) fn widen(conn: &Connection, num: i64, first: i64, last: i64) -> Result<()> {
    let earlier = conn
        .prepare_cached("SELECT EXISTS(SELECT 1 FROM sessions WHERE num = ?1 AND first > ?2)")
        .and_then(|mut s| s.query_row((num, first), |row| row.get::<_, bool>(0)))
        .tried("look at the times of a session")?;
    if earlier {
        state::next_epoch(conn)?;
    }
    conn.prepare_cached(
        "UPDATE sessions SET first = min(ifnull(first, ?2), ?2), last = max(ifnull(last, ?3), ?3)
         WHERE num = ?1 AND (first IS NULL OR first > ?2 OR last < ?3)",
    )
    .and_then(|mut s| s.execute((num, first, last)))
    .tried("note the times of a session")
    .map(drop)
}

/// Reads a stored key.
pub(crate) fn key(text: String) -> Result<SessionKey> {
    SessionKey::new(text).map_err(|_| damaged("a session key"))
}

/// Who spawned a session.
pub(crate) fn parent(conn: &Connection, of: &str) -> Result<Option<SessionName>> {
    let found: Option<(String, String)> = conn
        .prepare_cached("SELECT agent, parent FROM lineage WHERE key = ?1")
        .and_then(|mut s| s.query_row([of], |row| Ok((row.get(0)?, row.get(1)?))).optional())
        .tried("read a lineage")?;
    let Some((agent, parent)) = found else { return Ok(None) };
    let agent = agent.parse().map_err(|_| damaged("an agent in a lineage"))?;
    Ok(Some(SessionName { agent, key: key(parent)? }))
}

/// The sessions that any of these spawned, in order.
pub(crate) fn children(conn: &Connection, of: &[SessionName]) -> Result<Vec<SessionKey>> {
    let what = "read the lineage";
    let mut statement =
        conn.prepare_cached("SELECT key FROM lineage WHERE agent = ?1 AND parent = ?2").tried(what)?;
    let mut found = std::collections::BTreeSet::new();
    for name in of {
        let rows = statement
            .query_map((name.agent.as_str(), name.key.as_str()), |row| row.get::<_, String>(0))
            .tried(what)?;
        for row in rows {
            found.insert(key(row.tried(what)?)?);
        }
    }
    Ok(found.into_iter().collect())
}

/// Whether a session is incognito.
pub(crate) fn is_incognito(conn: &Connection, num: i64) -> Result<bool> {
    conn.prepare_cached("SELECT incognito FROM sessions WHERE num = ?1")
        .and_then(|mut s| s.query_row([num], |row| row.get(0)))
        .tried("look at a session")
}

/// The number of a session that may be seen.
pub(crate) fn find_visible(
    conn: &Connection,
    visible: &session_search_core::Visible,
    key: &SessionKey,
) -> Result<Option<i64>> {
    let Some(num) = find(conn, key)? else { return Ok(None) };
    Ok(visible.admits(key, is_incognito(conn, num)?).then_some(num))
}
