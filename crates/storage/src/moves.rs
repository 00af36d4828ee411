//! Applying a change of the branch to the entries: at once where it is small, else by marking it pending.
//!
//! Entries are numbered along the branch. What leaves it is taken out of reach in the same transaction, whatever its
//! size ([`Entries::cut`]). What joins it is written at once where it is new or small; else a gap stays, and behind
//! it a *tail* of what was appended since, so that a message is found as soon as its append has returned.

use std::collections::HashMap;

use rusqlite::Connection;
use session_search_core::limits::SMALL_BRANCH_MOVE;

use crate::branch::{self, Change, Node};
use crate::entries::Entries;
use crate::error::Result;
use crate::transcripts::Transcript;

/// New events, and what is known of them.
pub(crate) struct Fresh<'a> {
    /// Events from this number on are new.
    pub(crate) first: i64,
    /// The texts at hand, by number.
    pub(crate) texts: &'a HashMap<i64, String>,
    /// Whether their entries are left to reconciliation.
    pub(crate) deferred: bool,
}

/// Moves the leaf of a transcript and brings entries, `length`, `tail` and `pending` after. `index` is `None` where
/// this process must not write entries. Does not save the transcript.
pub(crate) fn move_leaf(
    conn: &Connection,
    index: Option<&Entries<'_>>,
    transcript: &mut Transcript,
    leaf: Option<i64>,
    fresh: &Fresh<'_>,
) -> Result<()> {
    let still = leaf == transcript.leaf && !branch::is_open(conn, transcript)?;
    let change = if still { Change::default() } else { branch::change(conn, transcript, leaf, fresh.first)? };
    transcript.leaf = leaf;
    if still {
        return Ok(());
    }
    if let Some(root) = change.root {
        transcript.open_root = root;
    }
    let kept = change.removed.map_or(0, |removed| (transcript.length - removed).max(0));
    let leaving = transcript.length - kept;
    leave(conn, index, transcript, kept)?;
    let joining = change.added.iter().filter(|node| node.num < fresh.first).count();
    let small = usize::try_from(leaving).unwrap_or(usize::MAX).saturating_add(joining) <= SMALL_BRANCH_MOVE;
    // Of a large move something is left to reconciliation, be it only to remove what was discarded.
    transcript.pending |= !small;
    join(index, transcript, &change.added, fresh, small)
}

/// Takes the entries from ordinal `kept` on out.
fn leave(
    conn: &Connection,
    index: Option<&Entries<'_>>,
    transcript: &mut Transcript,
    kept: i64,
) -> Result<()> {
    let before = transcript.indexed();
    let tail_from = transcript.tail.unwrap_or(transcript.length);
    let after = transcript.entries.min(kept) + (kept - tail_from).max(0);
    if before > after {
        match index {
            Some(index) => index.cut(transcript.num, kept, before - after)?,
            None => crate::entries::discard(conn, transcript, kept)?,
        }
    }
    transcript.length = kept;
    transcript.entries = transcript.entries.min(kept);
    transcript.tail = transcript.tail.filter(|tail| *tail < kept);
    Ok(())
}

/// Adds nodes behind the branch.
fn join(
    index: Option<&Entries<'_>>,
    transcript: &mut Transcript,
    added: &[Node],
    fresh: &Fresh<'_>,
    small: bool,
) -> Result<()> {
    if added.is_empty() {
        transcript.pending |= transcript.entries < transcript.length;
        return Ok(());
    }
    let count = |nodes: &[Node]| i64::try_from(nodes.len()).unwrap_or(i64::MAX);
    let from = transcript.length;
    let whole = transcript.entries == from;
    transcript.length += count(added);
    let Some(index) = index.filter(|_| !fresh.deferred || transcript.tail.is_some()) else {
        transcript.pending = true;
        return Ok(());
    };
    // Of a large move only what is new, at its end, is written now.
    let old =
        if small { 0 } else { added.iter().rposition(|node| node.num < fresh.first).map_or(0, |at| at + 1) };
    let (gap, write) = added.split_at(old);
    if !gap.is_empty()
        && let Some(tail) = transcript.tail.take()
    {
        index.cut(transcript.num, tail, from - tail)?;
    }
    let start = from + count(gap);
    index.write_from(transcript.num, start, write.iter().map(|node| node.num), fresh.texts)?;
    if whole && gap.is_empty() {
        transcript.entries = transcript.length;
    } else {
        transcript.pending = true;
        if !write.is_empty() {
            transcript.tail.get_or_insert(start);
        }
    }
    Ok(())
}
