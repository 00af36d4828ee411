//! The active branch: walking it, and what a move of the leaf changes.
//!
//! `core::tree` is the definition; here the same is done on disk, in steps that grow with the move and not with
//! the transcript.

use std::collections::HashSet;

use rusqlite::Connection;
use session_search_core::tree::common_prefix;

use crate::error::Result;
use crate::events::{self, Link};
use crate::kinds::Kind;
use crate::transcripts::Transcript;

/// A node of the branch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Node {
    pub(crate) num: i64,
    pub(crate) kind: Kind,
}

/// A walk from a leaf towards the root.
pub(crate) struct Walk<'a> {
    conn: &'a Connection,
    transcript: i64,
    next: Option<i64>,
    /// Events from this number on count as not there.
    before: i64,
    passed: HashSet<i64>,
    /// The id that the walk ended at because no such event is there, or because it was passed already.
    open_root: Option<String>,
}

impl<'a> Walk<'a> {
    /// From this leaf.
    pub(crate) fn from(conn: &'a Connection, transcript: i64, leaf: Option<i64>) -> Walk<'a> {
        Walk { conn, transcript, next: leaf, before: i64::MAX, passed: HashSet::new(), open_root: None }
    }

    /// The next node, towards the root.
    pub(crate) fn step(&mut self) -> Result<Option<Node>> {
        let Some(num) = self.next.take().filter(|num| *num < self.before) else { return Ok(None) };
        if self.passed.contains(&num) {
            self.open_root = Some(events::id(self.conn, num)?.into());
            return Ok(None);
        }
        let Some(head) = events::head(self.conn, num)? else { return Ok(None) };
        self.passed.insert(num);
        self.next = match head.link {
            Link::Root => None,
            Link::Event(parent) => Some(parent),
            Link::Unknown(id) => {
                let found =
                    events::find_node(self.conn, self.transcript, &id)?.filter(|num| *num < self.before);
                if found.is_none() {
                    self.open_root = Some(id);
                }
                found
            }
        };
        Ok(Some(Node { num, kind: head.kind }))
    }

    /// All nodes from the root to the leaf.
    pub(crate) fn whole(mut self) -> Result<(Vec<Node>, Option<String>)> {
        let mut nodes = Vec::new();
        while let Some(node) = self.step()? {
            nodes.push(node);
        }
        nodes.reverse();
        Ok((nodes, self.open_root))
    }
}

/// Whether the branch that ends at `from` passes `wanted`.
pub(crate) fn passes(
    conn: &Connection,
    transcript: i64,
    from: Option<i64>,
    wanted: Option<i64>,
) -> Result<bool> {
    let mut walk = Walk::from(conn, transcript, from);
    while let Some(node) = walk.step()? {
        if Some(node.num) == wanted {
            return Ok(true);
        }
    }
    Ok(false)
}

/// What a move of the leaf does to the entries of a transcript.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Change {
    /// Entries that leave the branch at its end; `None`: all.
    pub(crate) removed: Option<i64>,
    /// Nodes with text that join it, from the root on.
    pub(crate) added: Vec<Node>,
    /// Where the new branch ends at an event that is not there: its id. `None`: the root is the old one.
    pub(crate) root: Option<Option<String>>,
}

/// Compares the branch of a transcript as stored (its leaf, among events before `first_new`) with the one that ends
/// at `new`. The two walks take turns, so that the cost grows with the longer way to where they meet.
pub(crate) fn change(
    conn: &Connection,
    old: &Transcript,
    new: Option<i64>,
    first_new: i64,
) -> Result<Change> {
    let mut old_walk = Walk { before: first_new, ..Walk::from(conn, old.num, old.leaf) };
    if is_open(conn, old)? {
        return change_of_whole(conn, old, old_walk, new);
    }
    let mut new_walk = Walk::from(conn, old.num, new);
    let (mut old_path, mut new_path) = (Vec::new(), Vec::new());
    let meeting = meet(&mut old_walk, &mut new_walk, &mut old_path, &mut new_path)?;
    let entries = |path: &[Node]| -> Vec<Node> {
        path.iter().rev().filter(|node| node.kind.is_entry()).copied().collect()
    };
    let Some(at) = meeting else {
        return Ok(Change { removed: None, added: entries(&new_path), root: Some(new_walk.open_root) });
    };
    let before = |path: &[Node]| path.iter().position(|node| node.num == at).unwrap_or(path.len());
    let removed = entries(&old_path[..before(&old_path)]).len();
    let added = entries(&new_path[..before(&new_path)]);
    Ok(Change { removed: Some(i64::try_from(removed).unwrap_or(i64::MAX)), added, root: None })
}

/// Walks both ways in turns until one reaches a node that the other passed.
fn meet(
    old: &mut Walk<'_>,
    new: &mut Walk<'_>,
    old_path: &mut Vec<Node>,
    new_path: &mut Vec<Node>,
) -> Result<Option<i64>> {
    let (mut old_going, mut new_going) = (true, true);
    while old_going || new_going {
        if new_going {
            match new.step()? {
                Some(node) => {
                    new_path.push(node);
                    if old.passed.contains(&node.num) {
                        return Ok(Some(node.num));
                    }
                }
                None => new_going = false,
            }
        }
        if old_going {
            match old.step()? {
                Some(node) => {
                    old_path.push(node);
                    if new.passed.contains(&node.num) {
                        return Ok(Some(node.num));
                    }
                }
                None => old_going = false,
            }
        }
    }
    Ok(None)
}

/// Whether the way above the root of a branch may be another than it was: the parent that it ended for want of is
/// there, or it ended in a cycle, which another leaf enters elsewhere.
pub(crate) fn is_open(conn: &Connection, old: &Transcript) -> Result<bool> {
    let Some(id) = &old.open_root else { return Ok(false) };
    Ok(events::find_node(conn, old.num, id)?.is_some())
}

/// Compares the branches from their roots on.
fn change_of_whole(
    conn: &Connection,
    old: &Transcript,
    old_walk: Walk<'_>,
    new: Option<i64>,
) -> Result<Change> {
    let entries =
        |nodes: Vec<Node>| -> Vec<Node> { nodes.into_iter().filter(|node| node.kind.is_entry()).collect() };
    let before = entries(old_walk.whole()?.0);
    let (now, root) = Walk::from(conn, old.num, new).whole()?;
    let mut now = entries(now);
    let shared = common_prefix(&before, &now);
    let removed = i64::try_from(before.len() - shared).unwrap_or(i64::MAX);
    Ok(Change { removed: Some(removed), added: now.split_off(shared), root: Some(root) })
}
