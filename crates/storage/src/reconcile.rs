//! One step of reconciliation: a short transaction that brings the index closer to the transcripts.
//!
//! The state is in the rows, so a step that was cut off by a crash is simply taken again:
//!
//! - discarded blocks are removed, so that what is deleted is gone first;
//! - then entries that are missing are added, in order, up to the end or to the tail;
//! - then blocks of an older index are built anew, one after the other;
//! - tables without blocks are dropped.

use std::collections::HashMap;

use rusqlite::{Connection, OptionalExtension};
use session_search_core::SessionKey;
use session_search_core::store::ReconcileStep;

use crate::entries::{self, Block, Entries};
use crate::erase;
use crate::error::{Result, Tried};
use crate::generation;
use crate::plan::Plan;
use crate::sessions;
use crate::transcripts::Transcript;
use crate::writing::Writing;

/// What a step did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    /// Nothing was pending.
    Idle,
    /// So many entries were written or removed.
    Worked(u64),
}

/// Takes one step in a transaction of its own. Takes no write lock where nothing is pending.
pub(crate) fn step(writing: &mut Writing, entries: u64) -> Result<Step> {
    if !needs_work(writing)? {
        return Ok(Step::Idle);
    }
    writing.transaction(|writing| {
        let Some(index) = writing.index()? else { return Ok(Step::Idle) };
        let plan = writing.plan.take();
        let most = entries.max(1);
        let target = writing.target(&index);
        if let Some(gone) = remove_discarded(&target, most)? {
            writing.plan = plan;
            return Ok(Step::Worked(gone));
        }
        let Some(mut transcript) = Transcript::first_pending(&writing.conn)? else {
            let dropped = generation::drop_replaced(&writing.conn, &index)?;
            return Ok(if dropped { Step::Worked(0) } else { Step::Idle });
        };
        let (done, plan) = advance(&target, &mut transcript, most, plan)?;
        transcript.save(&writing.conn)?;
        writing.plan = plan;
        Ok(Step::Worked(done))
    })
}

fn needs_work(writing: &Writing) -> Result<bool> {
    let version = writing.pipeline.version();
    let indexes = crate::schema::indexes(&writing.conn)?;
    let ours = indexes.last().is_some_and(|index| index.version == version.as_str());
    let replaceable = indexes.last().is_some_and(|index| index.generation <= writing.seen.0);
    if !ours {
        return Ok(replaceable);
    }
    let waiting = "SELECT EXISTS(SELECT 1 FROM blocks WHERE transcript IS NULL)
                   OR EXISTS(SELECT 1 FROM transcripts WHERE (pending OR stale) AND session IS NOT NULL)";
    let waiting: bool = writing
        .conn
        .prepare_cached(waiting)
        .and_then(|mut s| s.query_row([], |row| row.get(0)))
        .tried("look for pending transcripts")?;
    Ok(waiting || indexes.len() > 1)
}

fn advance(
    index: &Entries<'_>,
    transcript: &mut Transcript,
    most: u64,
    plan: Option<Plan>,
) -> Result<(u64, Option<Plan>)> {
    if transcript.pending {
        let plan = Plan::of(index.conn, transcript, plan)?;
        transcript.length = plan.length();
        let end = transcript.tail.unwrap_or(transcript.length);
        let room = u64::try_from(end - transcript.entries).unwrap_or(0).min(most);
        let nums = plan.slice(transcript.entries, usize::try_from(room).unwrap_or(usize::MAX)).to_vec();
        let done = index.write_from(transcript.num, transcript.entries, nums, &HashMap::new())?;
        transcript.entries += i64::try_from(done).unwrap_or(i64::MAX);
        if transcript.entries < end {
            return Ok((done, Some(plan)));
        }
        transcript.entries = transcript.length;
        transcript.tail = None;
        transcript.pending = false;
        return Ok((done, None));
    }
    let mut done = 0;
    while done < most {
        match stale_block(index.conn, transcript.num, index.index.generation)? {
            Some(block) => done += index.rebuild(block)?,
            None => {
                transcript.stale = false;
                break;
            }
        }
    }
    Ok((done, None))
}

/// Removes discarded blocks with their entries, about `most` entries. Returns how many went, or `None` where there
/// is no such block.
pub(crate) fn remove_discarded(index: &Entries<'_>, most: u64) -> Result<Option<u64>> {
    let mut done = None;
    while done.unwrap_or(0) < most {
        let found = index
            .conn
            .prepare_cached(
                "SELECT block, first, gen FROM blocks WHERE transcript IS NULL ORDER BY block LIMIT 1",
            )
            .and_then(|mut s| s.query_row([], read_block).optional())
            .tried("look for discarded blocks")?;
        let Some(block) = found else { break };
        *done.get_or_insert(0) += index.drop_block(block)?.max(1);
    }
    Ok(done)
}

fn read_block(row: &rusqlite::Row<'_>) -> rusqlite::Result<Block> {
    Ok(Block { block: row.get(0)?, first: row.get(1)?, generation: row.get(2)? })
}

fn stale_block(conn: &Connection, transcript: i64, generation: i64) -> Result<Option<Block>> {
    conn.prepare_cached(
        "SELECT block, first, gen FROM blocks WHERE transcript = ?1 AND gen <> ?2 ORDER BY first LIMIT 1",
    )
    .and_then(|mut s| s.query_row((transcript, generation), read_block).optional())
    .tried("look for blocks to rebuild")
}

/// Marks the transcripts of a session, or of all, so that they are built anew. Returns how many.
pub(crate) fn mark_pending(writing: &mut Writing, key: Option<&SessionKey>) -> Result<u64> {
    let conn = &writing.conn;
    let Some(key) = key else {
        let count: i64 = conn
            .query_row("SELECT count(*) FROM transcripts WHERE session IS NOT NULL", [], |row| row.get(0))
            .tried("count the transcripts")?;
        if writing.index()?.is_some() {
            generation::replace(conn, writing.pipeline.version().as_str())?;
        }
        return Ok(u64::try_from(count).unwrap_or(0));
    };
    let Some(session) = sessions::find(conn, key)? else { return Ok(0) };
    let mut marked = 0;
    for mut transcript in Transcript::of_session(conn, session)? {
        entries::discard(conn, &mut transcript, 0)?;
        transcript.tail = None;
        transcript.save(conn)?;
        marked += 1;
    }
    Ok(marked)
}

/// One step of whatever waits: erasure first, then the index.
pub(crate) fn next(writing: &mut Writing, entries: u64) -> Result<ReconcileStep> {
    let mut held = false;
    if erase::is_waiting(&writing.conn)? {
        match erase::step(writing, entries)? {
            erase::Outcome::Worked(gone) => return Ok(ReconcileStep::Progress { entries: gone }),
            erase::Outcome::Done => return Ok(ReconcileStep::Progress { entries: 0 }),
            erase::Outcome::Held(_) => held = true,
        }
    }
    Ok(match step(writing, entries)? {
        Step::Worked(entries) => ReconcileStep::Progress { entries },
        Step::Idle if held => ReconcileStep::Waiting,
        Step::Idle => ReconcileStep::Idle,
    })
}
