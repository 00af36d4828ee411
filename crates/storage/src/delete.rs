//! Deleting: unreachable in one transaction, with tombstones; the bytes go afterwards (see `erase`).

use session_search_core::SessionKey;
use session_search_core::store::{DeleteReceipt, Erasure, Rewind, RewindReceipt};

use crate::branch::Walk;
use crate::erase;
use crate::error::{Result, Tried, not_found};
use crate::events;
use crate::moves::{self, Fresh};
use crate::sessions;
use crate::transcripts::Transcript;
use crate::writing::Writing;

/// Deletes sessions, then erases what they held.
pub(crate) fn delete(writing: &mut Writing, keys: &[SessionKey]) -> Result<DeleteReceipt> {
    let mut receipt = DeleteReceipt { sessions: 0, messages: 0, erasure: Erasure::Done };
    erase::begin(writing)?;
    writing.transaction(|writing| {
        for key in keys {
            if let Some(messages) = doom_session(writing, key)? {
                receipt.sessions += 1;
                receipt.messages += messages;
            }
        }
        if receipt.sessions > 0 { erase::note(&writing.conn) } else { Ok(()) }
    })?;
    if receipt.sessions > 0 {
        receipt.erasure = erase::finish(writing)?;
    }
    Ok(receipt)
}

/// Takes a session out of reach. Returns how many messages it held; `None` where there is no such session.
fn doom_session(writing: &Writing, key: &SessionKey) -> Result<Option<u64>> {
    let conn = &writing.conn;
    let what = "delete a session";
    let Some(session) = sessions::find(conn, key)? else { return Ok(None) };
    let mut messages = 0;
    for mut transcript in Transcript::of_session(conn, session)? {
        messages += u64::try_from(transcript.messages).unwrap_or(0);
        for id in [&transcript.id, &transcript.source_id] {
            conn.prepare_cached("INSERT OR IGNORE INTO tombstones(key, id) VALUES(?1, ?2)")
                .and_then(|mut s| s.execute((key.as_str(), id)))
                .tried(what)?;
        }
        transcript.session = None;
        transcript.save(conn)?;
    }
    conn.prepare_cached("DELETE FROM sessions WHERE num = ?1")
        .and_then(|mut s| s.execute([session]))
        .tried(what)?;
    Ok(Some(messages))
}

/// Moves the leaf of the current transcript; with `purge`, deletes and erases what is then off the branch.
pub(crate) fn rewind(writing: &mut Writing, request: &Rewind) -> Result<RewindReceipt> {
    if request.purge {
        erase::begin(writing)?;
    }
    let mut receipt = writing.transaction(|writing| move_back(writing, request))?;
    if request.purge {
        receipt.erasure = erase::finish(writing)?;
    }
    Ok(receipt)
}

fn move_back(writing: &mut Writing, request: &Rewind) -> Result<RewindReceipt> {
    let conn = &writing.conn;
    let missing = || not_found(format!("session {} or its event {}", request.key, request.to));
    let session = sessions::find(conn, &request.key)?.ok_or_else(missing)?;
    let mut transcript = Transcript::current(conn, session)?.ok_or_else(missing)?;
    let leaf = events::find_node(conn, transcript.num, request.to.as_str())?.ok_or_else(missing)?;
    let was_pending = transcript.pending;
    let index = writing.index()?;
    let entries = writing.entries(index.as_ref());
    let fresh = Fresh { first: i64::MAX, texts: &std::collections::HashMap::new(), deferred: false };
    moves::move_leaf(conn, entries.as_ref(), &mut transcript, Some(leaf), &fresh)?;
    transcript.pinned = true;
    let mut purged = 0;
    if request.purge {
        purged = doom_off_branch(writing, session, &mut transcript)?;
        erase::note(conn)?;
    }
    transcript.save(conn)?;
    if request.purge {
        renew_times(writing, session)?;
    }
    Ok(RewindReceipt {
        session_id: transcript.session_id()?,
        purged,
        erasure: Erasure::Done,
        pending: transcript.pending && !was_pending,
    })
}

/// Moves the events that are off the branch to a transcript without a session, which waits to be erased. Returns
/// how many messages of the conversation were among them.
fn doom_off_branch(writing: &Writing, session: i64, transcript: &mut Transcript) -> Result<u64> {
    let conn = &writing.conn;
    let what = "purge a transcript";
    let (branch, _) = Walk::from(conn, transcript.num, transcript.leaf).whole()?;
    let kept: std::collections::HashSet<i64> = branch.iter().map(|node| node.num).collect();
    let all: Vec<(i64, i64, i64)> = conn
        .prepare_cached("SELECT num, kind, ts FROM events WHERE transcript = ?1")
        .and_then(|mut s| {
            s.query_map([transcript.num], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?.collect()
        })
        .tried(what)?;
    let mut grave = Transcript::create(conn, session, "\u{1}purged", "\u{1}purged", 0)?;
    let mut purged = 0;
    (transcript.first, transcript.last) = (None, None);
    for (num, kind, ts) in all {
        if kept.contains(&num) {
            transcript.widen(ts);
            continue;
        }
        let message = crate::kinds::Kind::from_number(kind).role().is_some();
        purged += u64::from(message);
        transcript.events -= 1;
        transcript.messages -= i64::from(message);
        grave.events += 1;
        conn.prepare_cached("UPDATE events SET transcript = ?2 WHERE num = ?1")
            .and_then(|mut s| s.execute((num, grave.num)))
            .tried(what)?;
    }
    grave.session = None;
    grave.save(conn)?;
    Ok(purged)
}

/// Reads the times of a session anew from its transcripts.
fn renew_times(writing: &Writing, session: i64) -> Result<()> {
    writing
        .conn
        .prepare_cached(
            "UPDATE sessions SET (first, last) =
             (SELECT min(first), max(last) FROM transcripts WHERE session = ?1) WHERE num = ?1",
        )
        .and_then(|mut s| s.execute([session]))
        .tried("note the times of a session")
        .map(drop)
}
