//! Every event in the canonical order of [`session_search_core::dump`].

use std::collections::HashMap;

use rusqlite::Connection;
use session_search_core::dump::DumpedEvent;
use session_search_core::{EventId, Millis, SessionId, SessionKey};

use crate::branch::Walk;
use crate::error::{Result, Tried, damaged};
use crate::events::{self, Link};
use crate::sessions;
use crate::transcripts::Transcript;

struct Line {
    key: SessionKey,
    session_id: SessionId,
    event_id: EventId,
    parent: Option<EventId>,
    ts: i64,
    place: Option<u64>,
    raw: String,
}

/// All events, as lines.
pub(crate) fn dump(conn: &Connection) -> Result<Vec<String>> {
    let what = "dump the store";
    let sessions: Vec<(i64, String)> = conn
        .prepare_cached("SELECT num, key FROM sessions")
        .and_then(|mut s| s.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect())
        .tried(what)?;
    let mut lines = Vec::new();
    for (num, key) in sessions {
        let key = sessions::key(key)?;
        for transcript in Transcript::of_session(conn, num)? {
            lines.extend(transcript_lines(conn, &key, &transcript)?);
        }
    }
    Ok(session_search_core::dump::dump(lines.iter().map(|line| DumpedEvent {
        key: &line.key,
        session_id: &line.session_id,
        event_id: &line.event_id,
        parent: line.parent.as_ref(),
        timestamp: Millis(line.ts),
        place: line.place,
        raw: &line.raw,
    })))
}

fn transcript_lines(conn: &Connection, key: &SessionKey, transcript: &Transcript) -> Result<Vec<Line>> {
    let what = "dump a transcript";
    let (branch, _) = Walk::from(conn, transcript.num, transcript.leaf).whole()?;
    let places: HashMap<i64, u64> = branch.iter().enumerate().map(|(n, node)| (node.num, n as u64)).collect();
    let found: Vec<(i64, Link)> = conn
        .prepare_cached("SELECT num, parent FROM events WHERE transcript = ?1")
        .and_then(|mut s| {
            s.query_map([transcript.num], |row| Ok((row.get(0)?, events::link(row.get_ref(1)?))))?.collect()
        })
        .tried(what)?;
    let mut lines = Vec::with_capacity(found.len());
    for (num, link) in found {
        let parent = match link {
            Link::Root => None,
            Link::Event(parent) => Some(events::id(conn, parent)?),
            Link::Unknown(id) => Some(EventId::new(id).map_err(|_| damaged("the id of a parent"))?),
        };
        let full = events::load(conn, num)?;
        lines.push(Line {
            key: key.clone(),
            session_id: transcript.session_id()?,
            event_id: full.id,
            parent,
            ts: full.ts,
            place: places.get(&num).copied(),
            raw: full.raw,
        });
    }
    Ok(lines)
}
