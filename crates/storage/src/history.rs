//! Pages of history.
//!
//! Where the index of a transcript is whole, entries are numbered along the branch, and a page is a range of numbers
//! and, with tools, the walk between two of them. Where it is pending, the branch is walked.

use rusqlite::{Connection, OptionalExtension};
use session_search_core::store::{
    HistoryAnswer, HistoryFrom, HistoryPage, HistoryPlan, MissingPlace, StoredMessage,
};
use session_search_core::{EventId, Millis, SessionId, Visible, text};

use crate::branch::{Node, Walk};
use crate::entries;
use crate::error::{Result, Tried, damaged, not_found};
use crate::events;
use crate::kinds::Kind;
use crate::rows::{Row, SLOTS};
use crate::sessions;
use crate::transcripts::Transcript;

/// A page, or why there is none.
type Found<T> = Result<std::result::Result<T, MissingPlace>>;

/// See [`session_search_core::TranscriptStore::history`].
pub(crate) fn page(conn: &Connection, visible: &Visible, plan: &HistoryPlan) -> Result<HistoryAnswer> {
    let session = sessions::find_visible(conn, visible, &plan.key)?
        .ok_or_else(|| not_found(format!("a session {} that may be seen", plan.key)))?;
    let (transcript, anchor) = match place(conn, session, plan)? {
        Ok(found) => found,
        Err(missing) => return Ok(HistoryAnswer::Missing(missing)),
    };
    let run = match around(conn, &transcript, anchor, plan)? {
        Ok(run) => run,
        Err(missing) => return Ok(HistoryAnswer::Missing(missing)),
    };
    cut(conn, &transcript, &run, plan).map(HistoryAnswer::Page)
}

/// The transcript that is meant, and the event that the page hangs on.
fn place(conn: &Connection, session: i64, plan: &HistoryPlan) -> Found<(Transcript, Option<Node>)> {
    let (wanted, anchor): (Option<&SessionId>, Option<&EventId>) = match &plan.from {
        HistoryFrom::Newest => (plan.session_id.as_ref(), None),
        HistoryFrom::Around(anchor) => (plan.session_id.as_ref(), Some(anchor)),
        HistoryFrom::Before(cursor) | HistoryFrom::After(cursor) => {
            if plan.session_id.as_ref().is_some_and(|id| *id != cursor.session_id) {
                return Ok(Err(MissingPlace::Message));
            }
            (Some(&cursor.session_id), Some(&cursor.event_id))
        }
    };
    let candidates = match wanted {
        Some(id) => Transcript::find(conn, session, id.as_str())?.into_iter().collect(),
        None => Transcript::of_session(conn, session)?,
    };
    let Some(anchor) = anchor else {
        return Ok(candidates.into_iter().next_back().map(|t| (t, None)).ok_or(MissingPlace::Transcript));
    };
    if candidates.is_empty() {
        return Ok(Err(MissingPlace::Transcript));
    }
    for transcript in candidates.into_iter().rev() {
        if let Some((num, kind)) = events::find(conn, transcript.num, anchor.as_str())? {
            let node = Node { num, kind };
            return Ok(if kind.role().is_some() {
                Ok((transcript, Some(node)))
            } else {
                Err(MissingPlace::Message)
            });
        }
    }
    Ok(Err(MissingPlace::Message))
}

/// A part of the branch, root first, that holds the page and at least one message more at each side where there is
/// one; and the place of the anchor in it.
struct Run {
    nodes: Vec<Node>,
    anchor: Option<usize>,
}

impl Run {
    fn of(nodes: Vec<Node>, anchor: Option<Node>) -> std::result::Result<Run, MissingPlace> {
        let Some(anchor) = anchor else { return Ok(Run { nodes, anchor: None }) };
        let place = nodes.iter().position(|node| node.num == anchor.num).ok_or(MissingPlace::OffBranch)?;
        Ok(Run { nodes, anchor: Some(place) })
    }
}

fn around(
    conn: &Connection,
    transcript: &Transcript,
    anchor: Option<Node>,
    plan: &HistoryPlan,
) -> Found<Run> {
    if transcript.pending {
        let (nodes, _) = Walk::from(conn, transcript.num, transcript.leaf).whole()?;
        return Ok(Run::of(nodes, anchor));
    }
    let more = i64::try_from(plan.limit).unwrap_or(i64::MAX / 4).min(i64::MAX / 4) + 1;
    let Some(anchor) = anchor else {
        let nodes = if plan.include_tools {
            walk_up(conn, transcript, transcript.leaf, more, None)?
        } else {
            by_number(conn, transcript, transcript.length - more, transcript.length)?
        };
        return Ok(Ok(Run { nodes, anchor: None }));
    };
    let Some(before) = entry_before(conn, transcript, anchor)? else {
        return Ok(Err(MissingPlace::OffBranch));
    };
    if !plan.include_tools && anchor.kind.is_entry() {
        let nodes = by_number(conn, transcript, before - more, before + more)?;
        return Ok(Run::of(nodes, Some(anchor)));
    }
    // From far enough behind the anchor, up to the anchor, and on.
    let end = before.saturating_add(more);
    let from = if end < transcript.length {
        entries::at(conn, transcript.num, end)?.map(|(_, event)| event)
    } else {
        transcript.leaf
    };
    let nodes = walk_up(conn, transcript, from, more, Some(anchor))?;
    Ok(Run::of(nodes, Some(anchor)))
}

/// The number of the last entry at or above an event, −1 where there is none; nothing where that entry is off the
/// branch, and so the event with it.
fn entry_before(conn: &Connection, transcript: &Transcript, anchor: Node) -> Result<Option<i64>> {
    let mut walk = Walk::from(conn, transcript.num, Some(anchor.num));
    while let Some(node) = walk.step()? {
        if node.kind.is_entry() {
            return number_of(conn, transcript, node.num);
        }
    }
    Ok(Some(-1))
}

/// The number of an event's entry, where it has one.
fn number_of(conn: &Connection, transcript: &Transcript, num: i64) -> Result<Option<i64>> {
    let full = events::load(conn, num)?;
    let copy = events::copy_hash(full.id.as_str(), &full.text());
    let what = "look up an index entry";
    let mut statement =
        conn.prepare_cached("SELECT row FROM entries WHERE copy = ?1 AND event = ?2").tried(what)?;
    let rows: Vec<i64> =
        statement.query_map((copy, num), |row| row.get(0)).and_then(Iterator::collect).tried(what)?;
    for row in rows.into_iter().map(Row) {
        let first: Option<i64> = conn
            .prepare_cached("SELECT first FROM blocks WHERE block = ?1 AND transcript = ?2")
            .and_then(|mut s| s.query_row((row.block(), transcript.num), |row| row.get(0)).optional())
            .tried(what)?;
        if let Some(first) = first {
            return Ok(Some(first + row.slot()));
        }
    }
    Ok(None)
}

/// The entries numbered `from..to`, as far as there are such.
fn by_number(conn: &Connection, transcript: &Transcript, from: i64, to: i64) -> Result<Vec<Node>> {
    let (mut next, to) = (from.max(0), to.saturating_add(1).min(transcript.length));
    let mut nodes = Vec::new();
    while next < to {
        let block = entries::block_of(conn, transcript.num, next)?
            .ok_or_else(|| damaged("a block that is not there"))?;
        let end = to.min(block.first + SLOTS);
        for (row, num) in entries::in_slots(conn, block.block, next - block.first, end - block.first)? {
            let kind = if row.role() == session_search_core::Role::User {
                Kind::UserText
            } else {
                Kind::AssistantText
            };
            nodes.push(Node { num, kind });
        }
        next = end;
    }
    Ok(nodes)
}

/// The branch from an event up to `anchor`, and on until `more` messages were passed; root first.
fn walk_up(
    conn: &Connection,
    transcript: &Transcript,
    from: Option<i64>,
    more: i64,
    anchor: Option<Node>,
) -> Result<Vec<Node>> {
    let mut walk = Walk::from(conn, transcript.num, from);
    let (mut nodes, mut passed, mut counting) = (Vec::new(), 0, anchor.is_none());
    while passed < more
        && let Some(node) = walk.step()?
    {
        passed += i64::from(counting && node.kind.role().is_some());
        counting |= anchor.is_some_and(|anchor| anchor.num == node.num);
        nodes.push(node);
    }
    nodes.reverse();
    Ok(nodes)
}

/// The page out of a run.
fn cut(conn: &Connection, transcript: &Transcript, run: &Run, plan: &HistoryPlan) -> Result<HistoryPage> {
    let listed =
        |node: &Node| if plan.include_tools { node.kind.role().is_some() } else { node.kind.is_entry() };
    let places: Vec<usize> = (0..run.nodes.len()).filter(|place| listed(&run.nodes[*place])).collect();
    let total = places.len();
    let range = match run.anchor {
        None => total.saturating_sub(plan.limit)..total,
        Some(anchor) => {
            let at = places.partition_point(|place| *place < anchor);
            let is_listed = places.get(at) == Some(&anchor);
            match &plan.from {
                HistoryFrom::Before(_) => at.saturating_sub(plan.limit)..at,
                HistoryFrom::After(_) => {
                    let start = at + usize::from(is_listed);
                    start..start.saturating_add(plan.limit).min(total)
                }
                HistoryFrom::Around(_) | HistoryFrom::Newest => {
                    let start = at.saturating_sub(plan.limit / 2).min(total.saturating_sub(plan.limit));
                    start..start.saturating_add(plan.limit).min(total)
                }
            }
        }
    };
    let mut messages = Vec::with_capacity(range.len());
    for at in range.clone() {
        let next = places.get(at + 1).copied().unwrap_or(run.nodes.len());
        messages.push(message(conn, &run.nodes[places[at]..next], plan.include_tools)?);
    }
    Ok(HistoryPage {
        session_id: transcript.session_id()?,
        messages,
        older: range.start > 0,
        newer: range.end < total,
    })
}

/// A message, and the nodes behind it that may be results of its tools.
fn message(conn: &Connection, nodes: &[Node], include_tools: bool) -> Result<StoredMessage> {
    let full = events::load(conn, nodes[0].num)?;
    let role = full.kind.role().ok_or_else(|| damaged("a message that is none"))?;
    let mut tools = Vec::new();
    if include_tools {
        tools = text::tools(&full.raw);
        for node in nodes[1..].iter().filter(|node| node.kind == Kind::OtherMessage) {
            tools.extend(text::tools(&events::raw(conn, node.num)?));
        }
    }
    let text = full.text();
    Ok(StoredMessage { event_id: full.id, role, timestamp: Millis(full.ts), text, tools })
}
