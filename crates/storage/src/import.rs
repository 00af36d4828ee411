//! Imports: which part of a transcript a chunk belongs to, ranks of sources, pins, tombstones.

use rusqlite::{Connection, OptionalExtension};
use session_search_core::ids::MAX_ID_BYTES;
use session_search_core::source::{ImportChunk, ImportReceipt, SourceRank, later_leaf};
use session_search_core::{ErrorKind, Event, EventId, Millis, SessionId, StoreError};

use crate::append::Adding;
use crate::branch;
use crate::error::{Result, Tried, damaged};
use crate::events;
use crate::marks;
use crate::moves::{self, Fresh};
use crate::sessions;
use crate::state;
use crate::transcripts::Transcript;
use crate::writing::Writing;

/// Stores a chunk; runs within a transaction or savepoint that an error undoes.
pub(crate) fn import(writing: &mut Writing, chunk: &ImportChunk) -> Result<ImportReceipt> {
    let conn = &writing.conn;
    if let Some((path, mark)) = &chunk.mark {
        marks::write(conn, path, mark)?;
    }
    if heeds_tombstone(conn, chunk)? {
        let transcript = chunk.session_id.clone();
        return Ok(ImportReceipt { transcript, messages: 0, skipped: 0, tombstone: true, pinned: false });
    }
    let session = sessions::ensure(conn, &chunk.session)?;
    let mut transcript = pick(conn, session, chunk)?;
    let first_new = events::next_number(conn)?;
    let mut adding = Adding::new(transcript.leaf);
    let (mut messages, mut skipped) = (0, 0);
    for event in &chunk.events {
        let (Some(id), Some(time)) = (event.id(), event.timestamp()) else {
            return Err(StoreError::new(
                ErrorKind::Limit,
                "an event to store has no id or no time; give it both",
            ));
        };
        if events::find(conn, transcript.num, id.as_str())?.is_some() {
            skipped += 1;
            continue;
        }
        // An import says by itself where the leaf is.
        adding.leaf = transcript.leaf;
        adding.add(writing, &mut transcript, event, id, time.0, &mut Vec::new())?;
        messages += u64::from(event.role().is_some());
    }
    if let Some(began) = began(chunk) {
        transcript.created = transcript.created.min(began);
    }
    let (leaf, pinned) = follow_source(conn, &mut transcript, chunk)?;
    let index = writing.index()?;
    let target = writing.entries(index.as_ref());
    let fresh = Fresh { first: first_new, texts: &adding.texts, deferred: chunk.defer_index };
    moves::move_leaf(conn, target.as_ref(), &mut transcript, leaf, &fresh)?;
    if let (Some(first), Some(last)) = (transcript.first, transcript.last) {
        sessions::widen(conn, session, first, last)?;
    }
    transcript.save(conn)?;
    let id = number_parts(conn, session, &transcript)?;
    let transcript = SessionId::new(id).map_err(|_| damaged("the id of a transcript"))?;
    Ok(ImportReceipt { transcript, messages, skipped, tombstone: false, pinned })
}

/// Whether a tombstone keeps the chunk out; lifts it where the chunk says so.
fn heeds_tombstone(conn: &Connection, chunk: &ImportChunk) -> Result<bool> {
    let names = (chunk.session.key.as_str(), chunk.session_id.as_str());
    if chunk.restore {
        conn.prepare_cached("DELETE FROM tombstones WHERE key = ?1 AND id = ?2")
            .and_then(|mut s| s.execute(names))
            .tried("lift a tombstone")?;
        return Ok(false);
    }
    conn.prepare_cached("SELECT EXISTS(SELECT 1 FROM tombstones WHERE key = ?1 AND id = ?2)")
        .and_then(|mut s| s.query_row(names, |row| row.get(0)))
        .tried("look for a tombstone")
}

/// When the transcript began, as far as the chunk says.
fn began(chunk: &ImportChunk) -> Option<i64> {
    let first = || chunk.events.iter().filter_map(Event::timestamp).min();
    chunk.created.or_else(first).map(|time| time.0)
}

/// The transcript a chunk goes to; a new part where none holds any of its events.
fn pick(conn: &Connection, session: i64, chunk: &ImportChunk) -> Result<Transcript> {
    if let Some(named) = &chunk.transcript
        && let Some(found) = Transcript::find(conn, session, named.as_str())?
    {
        return Ok(found);
    }
    let mut parts = in_order(conn, Transcript::parts(conn, session, chunk.session_id.as_str())?)?;
    if let Some(place) = shared_part(conn, &parts, &chunk.events)? {
        return Ok(parts.swap_remove(place));
    }
    if chunk.events.is_empty() && !parts.is_empty() {
        return Ok(parts.swap_remove(0));
    }
    // Named for good once it can be counted; until then apart from the others.
    let id = if parts.is_empty() {
        chunk.session_id.as_str().to_owned()
    } else {
        format!("\u{1}{}", chunk.session_id)
    };
    Transcript::create(conn, session, &id, chunk.session_id.as_str(), began(chunk).unwrap_or(0))
}

/// The first part that is empty or holds any of the events.
fn shared_part(conn: &Connection, parts: &[Transcript], chunk: &[Event]) -> Result<Option<usize>> {
    for (place, part) in parts.iter().enumerate() {
        if part.events == 0 {
            return Ok(Some(place));
        }
        for id in chunk.iter().filter_map(Event::id) {
            if events::find(conn, part.num, id.as_str())?.is_some() {
                return Ok(Some(place));
            }
        }
    }
    Ok(None)
}

/// The parts of one id in the order in which they begin.
fn in_order(conn: &Connection, parts: Vec<Transcript>) -> Result<Vec<Transcript>> {
    if parts.len() < 2 {
        return Ok(parts);
    }
    let mut keyed = Vec::with_capacity(parts.len());
    for part in parts {
        let first: Option<(i64, String)> = conn
            .prepare_cached("SELECT ts, id FROM events WHERE transcript = ?1 ORDER BY ts, id LIMIT 1")
            .and_then(|mut s| s.query_row([part.num], |row| Ok((row.get(0)?, row.get(1)?))).optional())
            .tried("read how a transcript begins")?;
        keyed.push((first, part));
    }
    keyed.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.num.cmp(&b.1.num)));
    Ok(keyed.into_iter().map(|(_, part)| part).collect())
}

/// Where the leaf goes by the rank of the source, and whether a pin kept it from another place.
fn follow_source(
    conn: &Connection,
    transcript: &mut Transcript,
    chunk: &ImportChunk,
) -> Result<(Option<i64>, bool)> {
    let Some(wanted) = &chunk.leaf else { return Ok((transcript.leaf, false)) };
    let found = match wanted {
        Some(id) => events::find_node(conn, transcript.num, id.as_str())?.map(Some),
        None => Some(None),
    };
    if transcript.pinned {
        return Ok((transcript.leaf, found != Some(transcript.leaf)));
    }
    let rank = match chunk.rank {
        SourceRank::Live => i64::MAX,
        SourceRank::Archive(time) => time.0,
    };
    let Some(leaf) = found else { return Ok((transcript.leaf, false)) };
    let decides = match transcript.leaf_rank {
        None => true,
        Some(best) if rank != best => rank > best,
        Some(_) => {
            let same = chunk.source.is_some() && chunk.source == transcript.leaf_source;
            same || is_later(conn, transcript, leaf)?
        }
    };
    if !decides {
        return Ok((transcript.leaf, false));
    }
    transcript.leaf_rank = Some(rank);
    transcript.leaf_source.clone_from(&chunk.source);
    Ok((leaf, false))
}

/// Whether, of two sources of equal rank, this leaf is later than the present one.
fn is_later(conn: &Connection, transcript: &Transcript, leaf: Option<i64>) -> Result<bool> {
    let present = transcript.leaf.map(|num| events::id_and_time(conn, num)).transpose()?;
    let other = leaf.map(|num| events::id_and_time(conn, num)).transpose()?;
    fn shown(leaf: &Option<(EventId, Millis)>) -> Option<(&EventId, Millis)> {
        leaf.as_ref().map(|(id, time)| (id, *time))
    }
    let mut failed = None;
    let later = later_leaf(shown(&present), shown(&other), |from, to| {
        let passes = || -> Result<bool> {
            let start = events::find_node(conn, transcript.num, from.as_str())?;
            let wanted = events::find_node(conn, transcript.num, to.as_str())?;
            branch::passes(conn, transcript.num, start, wanted)
        };
        passes().unwrap_or_else(|error| {
            failed = Some(error);
            false
        })
    });
    failed.map_or(Ok(later), Err)
}

/// Names the parts of one id by the order in which they begin. Returns the name of the given one.
fn number_parts(conn: &Connection, session: i64, of: &Transcript) -> Result<String> {
    let parts = in_order(conn, Transcript::parts(conn, session, &of.source_id)?)?;
    let mut renamed = Vec::new();
    let mut own = of.id.clone();
    for (place, part) in parts.into_iter().enumerate() {
        let id = part_id(&of.source_id, place + 1);
        if part.num == of.num {
            own.clone_from(&id);
        }
        if part.id != id {
            renamed.push((part.num, id));
        }
    }
    // First out of each other's way: names are unique in a session.
    for (num, id) in renamed.iter().map(|(num, _)| (num, format!("\u{1}{num}"))).collect::<Vec<_>>() {
        rename(conn, *num, &id)?;
    }
    for (num, id) in &renamed {
        rename(conn, *num, id)?;
    }
    Ok(own)
}

fn rename(conn: &Connection, num: i64, id: &str) -> Result<()> {
    state::next_epoch(conn)?;
    conn.prepare_cached("UPDATE transcripts SET id = ?2 WHERE num = ?1")
        .and_then(|mut s| s.execute((num, id)))
        .tried("name the parts of a transcript")
        .map(drop)
}

fn part_id(base: &str, part: usize) -> String {
    if part == 1 {
        return base.to_owned();
    }
    let suffix = format!("#{part}");
    let stem = &base[..base.floor_char_boundary(MAX_ID_BYTES - suffix.len())];
    format!("{stem}{suffix}")
}

/// Which of these events the parts of a transcript hold.
pub(crate) fn known(
    conn: &Connection,
    key: &session_search_core::SessionKey,
    session_id: &SessionId,
    ids: &[session_search_core::EventId],
) -> Result<Vec<bool>> {
    let parts = match sessions::find(conn, key)? {
        Some(session) => Transcript::parts(conn, session, session_id.as_str())?,
        None => Vec::new(),
    };
    let holds = |id: &session_search_core::EventId| -> Result<bool> {
        for part in &parts {
            if events::find(conn, part.num, id.as_str())?.is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    };
    ids.iter().map(holds).collect()
}
