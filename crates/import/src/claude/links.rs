//! Where each record of a Claude Code file hangs.
//!
//! The file's own links fork everywhere: parallel tool calls, progress records, several records of one answer. A
//! fork is a branch only where two typed prompts share a parent; everything else is joined in file order. So a
//! transcript is a tree of *turns*: each typed prompt begins one, and what follows hangs on the end of its turn.
//! What two prompts share is their *anchor*: the nearest message above them, past progress and other noise.
//!
//! All of it must be known when a grown file is read on, so it goes into the state of the source: hashes of ids and
//! numbers, a dozen bytes a record.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};
use session_search_core::EventId;
use sha2::{Digest, Sha256};

/// How often the conversation may return to a branch that was left; beyond that records are joined in file order.
/// Bounds the work on files made to cost it.
const MAX_RETURNS: u32 = 4_096;

/// What a record names as its parent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Named<'a> {
    /// It has no such field.
    Nothing,
    /// `null`: it says it is a root.
    Root,
    /// The id of a record.
    Record(&'a str),
}

/// What a record is to the tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Class {
    /// A typed prompt.
    Prompt,
    /// Another part of the conversation: an answer, a tool's result, injected text.
    Message,
    /// Anything else; part of the chain only.
    Noise,
}

/// Where an event goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Place {
    /// Its parent; `None`: a root.
    pub(crate) parent: Option<EventId>,
    /// The parent it names is nowhere above it.
    pub(crate) gap: bool,
}

/// A typed prompt and what follows it, up to the next.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Turn {
    /// The turn above; always an earlier one.
    up: Option<u32>,
    /// The last event in it.
    tip: Option<EventId>,
}

/// Where the prompts of one anchor hang.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Fork {
    turn: u32,
    parent: Option<EventId>,
}

#[derive(Debug, Clone, Copy)]
struct Node {
    turn: u32,
    /// The record that is its anchor; `None`: there is no message above it.
    anchor: Option<u32>,
}

/// The links of one transcript.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(from = "Saved", into = "Saved")]
pub(crate) struct Links {
    by_id: HashMap<u64, u32>,
    nodes: Vec<Node>,
    turns: Vec<Turn>,
    forks: HashMap<Option<u32>, Fork>,
    current: u32,
    /// Whether any record named a parent that is there: in a file without links `null` says nothing.
    linked: bool,
    /// Whether there was any prompt or message.
    spoken: bool,
    branched: bool,
    returns: u32,
}

impl Default for Links {
    fn default() -> Links {
        Links {
            by_id: HashMap::new(),
            nodes: Vec::new(),
            turns: vec![Turn { up: None, tip: None }],
            forks: HashMap::new(),
            current: 0,
            linked: false,
            spoken: false,
            branched: false,
            returns: 0,
        }
    }
}

impl Links {
    /// Whether a record of this id was added.
    pub(crate) fn contains(&self, id: &str) -> bool {
        self.by_id.contains_key(&key(id))
    }

    /// The leaf: the last event of the current turn.
    pub(crate) fn tip(&self) -> Option<&EventId> {
        let mut turn = self.current;
        loop {
            let here = self.turn(turn)?;
            match (&here.tip, here.up) {
                (Some(tip), _) => return Some(tip),
                (None, Some(up)) => turn = up,
                (None, None) => return None,
            }
        }
    }

    /// Adds a record. `event` is the event it becomes, where it becomes one.
    pub(crate) fn add(&mut self, id: &str, named: Named<'_>, class: Class, event: Option<&EventId>) -> Place {
        let above = match named {
            Named::Record(name) => self.by_id.get(&key(name)).copied(),
            _ => None,
        };
        self.linked |= above.is_some();
        let root = named == Named::Root && self.linked;
        let gap = matches!(named, Named::Record(_)) && above.is_none();
        let anchor = match above {
            Some(above) => self.node(above).and_then(|node| node.anchor),
            None if root => None,
            None => self.nodes.last().and_then(|node| node.anchor),
        };
        // Only a link that is there is shared; a first prompt without a parent shares the root.
        let shares = above.is_some() || root || (named == Named::Root && !self.spoken);
        self.spoken |= class != Class::Noise;
        let (turn, parent) = match class {
            Class::Prompt => self.prompt(above, anchor, shares),
            _ => {
                let turn = self.joined(above, class == Class::Message);
                (turn, self.tip_of(turn))
            }
        };
        let at = u32::try_from(self.nodes.len()).unwrap_or(u32::MAX);
        self.by_id.insert(key(id), at);
        let anchor = if class == Class::Noise { anchor } else { Some(at) };
        self.nodes.push(Node { turn, anchor });
        if let (Some(event), Some(turn)) = (event, self.turns.get_mut(turn as usize)) {
            turn.tip = Some(event.clone());
        }
        Place { parent, gap }
    }

    /// Adds an event that is no record of the file's tree, at the end of the current turn.
    pub(crate) fn append(&mut self, event: &EventId) -> Place {
        let parent = self.tip().cloned();
        if let Some(turn) = self.turns.get_mut(self.current as usize) {
            turn.tip = Some(event.clone());
        }
        Place { parent, gap: false }
    }

    /// Begins a turn: beside the prompt that shares the anchor, else after what is there.
    fn prompt(&mut self, above: Option<u32>, anchor: Option<u32>, shares: bool) -> (u32, Option<EventId>) {
        let fork = if shares { self.forks.get(&anchor).cloned() } else { None };
        let fork = match fork {
            Some(fork) => {
                self.branched = true;
                fork
            }
            None => {
                let turn = self.joined(above, true);
                let fork = Fork { turn, parent: self.tip_of(turn) };
                if shares {
                    self.forks.insert(anchor, fork.clone());
                }
                fork
            }
        };
        self.current = u32::try_from(self.turns.len()).unwrap_or(u32::MAX);
        self.turns.push(Turn { up: Some(fork.turn), tip: None });
        (self.current, fork.parent)
    }

    /// The turn that a record is joined to: the current one, or, where it continues a branch that was left, the
    /// end of that; `moves`: the conversation goes on there.
    fn joined(&mut self, above: Option<u32>, moves: bool) -> u32 {
        let Some(node) = above.and_then(|above| self.node(above)) else { return self.current };
        if !self.branched || self.descends(self.current, node.turn) || self.returns >= MAX_RETURNS {
            return self.current;
        }
        self.returns += 1;
        let last = u32::try_from(self.turns.len() - 1).unwrap_or(u32::MAX);
        let turn = (node.turn..=last).rev().find(|turn| self.descends(*turn, node.turn)).unwrap_or(node.turn);
        if moves {
            self.current = turn;
        }
        turn
    }

    /// Whether `turn` is `above` or hangs below it.
    fn descends(&self, turn: u32, above: u32) -> bool {
        let mut turn = turn;
        while turn > above {
            match self.turn(turn).and_then(|turn| turn.up) {
                Some(up) => turn = up,
                None => return false,
            }
        }
        turn == above
    }

    fn tip_of(&self, turn: u32) -> Option<EventId> {
        let mut turn = self.turn(turn)?;
        loop {
            match (&turn.tip, turn.up) {
                (Some(tip), _) => return Some(tip.clone()),
                (None, Some(up)) => turn = self.turn(up)?,
                (None, None) => return None,
            }
        }
    }

    fn turn(&self, at: u32) -> Option<&Turn> {
        self.turns.get(at as usize)
    }

    fn node(&self, at: u32) -> Option<Node> {
        self.nodes.get(at as usize).copied()
    }
}

/// A hash of an id, for sets that go into the state.
pub(crate) fn key(id: &str) -> u64 {
    let hash = Sha256::digest(id.as_bytes());
    hash.iter().take(8).fold(0, |key, byte| key << 8 | u64::from(*byte))
}

/// [`Links`] as it is written: a line of text for the records, and what the tree needs.
#[derive(Serialize, Deserialize)]
struct Saved {
    /// Twelve characters a record: its hash, and where its anchor is (`.`: itself, `-`: where that of the record
    /// before is, `+`: see `anchors`).
    records: String,
    anchors: Vec<(u32, Option<u32>)>,
    /// From which record on which turn.
    turns: Vec<(u32, u32)>,
    tree: Vec<Turn>,
    forks: Vec<(Option<u32>, Fork)>,
    current: u32,
    linked: bool,
    spoken: bool,
    branched: bool,
    returns: u32,
}

/// Characters of a hash in [`Saved`].
const DIGITS: usize = 11;
const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

fn write_hash(mut hash: u64, out: &mut String) {
    for _ in 0..DIGITS {
        out.push(char::from(ALPHABET[(hash & 63) as usize]));
        hash >>= 6;
    }
}

fn read_hash(digits: &[u8]) -> u64 {
    let digit = |byte: &u8| ALPHABET.iter().position(|one| one == byte).unwrap_or(0) as u64;
    digits.iter().rev().fold(0, |hash, byte| hash << 6 | digit(byte))
}

impl From<Links> for Saved {
    fn from(links: Links) -> Saved {
        let mut ids = vec![0; links.nodes.len()];
        for (id, at) in &links.by_id {
            if let Some(slot) = ids.get_mut(*at as usize) {
                *slot = *id;
            }
        }
        let mut records = String::with_capacity(ids.len() * (DIGITS + 1));
        let (mut anchors, mut turns) = (Vec::new(), Vec::new());
        let (mut last_anchor, mut last_turn) = (None, None);
        for ((at, node), id) in (0_u32..).zip(&links.nodes).zip(ids) {
            write_hash(id, &mut records);
            if node.anchor == Some(at) {
                records.push('.');
            } else if node.anchor == last_anchor {
                records.push('-');
            } else {
                records.push('+');
                anchors.push((at, node.anchor));
            }
            if last_turn != Some(node.turn) {
                turns.push((at, node.turn));
            }
            (last_anchor, last_turn) = (node.anchor, Some(node.turn));
        }
        let mut forks: Vec<_> = links.forks.into_iter().collect();
        forks.sort_by_key(|(anchor, _)| *anchor);
        Saved {
            records,
            anchors,
            turns,
            tree: links.turns,
            forks,
            current: links.current,
            linked: links.linked,
            spoken: links.spoken,
            branched: links.branched,
            returns: links.returns,
        }
    }
}

impl From<Saved> for Links {
    fn from(saved: Saved) -> Links {
        let explicit: HashMap<u32, Option<u32>> = saved.anchors.into_iter().collect();
        let mut turns = saved.turns.into_iter().peekable();
        let (mut by_id, mut nodes) = (HashMap::new(), Vec::new());
        let (mut anchor, mut turn) = (None, 0);
        for (at, record) in (0_u32..).zip(saved.records.as_bytes().chunks_exact(DIGITS + 1)) {
            anchor = match record[DIGITS] {
                b'.' => Some(at),
                b'-' => anchor,
                _ => explicit.get(&at).copied().flatten(),
            };
            if let Some((_, next)) = turns.next_if(|(start, _)| *start <= at) {
                turn = next;
            }
            by_id.insert(read_hash(&record[..DIGITS]), at);
            nodes.push(Node { turn, anchor });
        }
        Links {
            by_id,
            nodes,
            turns: saved.tree,
            forks: saved.forks.into_iter().collect(),
            current: saved.current,
            linked: saved.linked,
            spoken: saved.spoken,
            branched: saved.branched,
            returns: saved.returns,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Feeds `id class parent` rows and answers the branch at the end. `-`: no parent named; `0`: null. Classes: `p`
    /// prompt, `m` message, `n` noise that becomes no event. State is saved and read back between all rows.
    fn branch(rows: &str) -> String {
        let mut links = Links::default();
        let mut parents = HashMap::new();
        for row in rows.split(',') {
            let parts: Vec<&str> = row.split_whitespace().collect();
            let class = match parts[1] {
                "p" => Class::Prompt,
                "m" => Class::Message,
                _ => Class::Noise,
            };
            let named = match parts[2] {
                "-" => Named::Nothing,
                "0" => Named::Root,
                name => Named::Record(name),
            };
            let event = EventId::new(parts[0]).unwrap();
            let place = links.add(parts[0], named, class, (class != Class::Noise).then_some(&event));
            if class != Class::Noise {
                parents.insert(event, place.parent);
            }
            links = serde_json::from_str(&serde_json::to_string(&links).unwrap()).unwrap();
        }
        let path = session_search_core::tree::path(links.tip().cloned(), |id| parents.get(id).cloned());
        path.iter().map(|id| id.as_str()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn parallel_tools_and_progress_are_joined() {
        assert_eq!(branch("a p 0,b m a,c m b,d m b,x n c,e m x,f m d,g m f"), "a b c d e f g");
    }

    #[test]
    fn a_rewind_is_a_branch() {
        assert_eq!(branch("a p 0,b m a,c p b,d m c,e p b,f m e"), "a b e f");
        // Through noise on either side.
        assert_eq!(branch("a p 0,b m a,x n b,c p x,d m c,y n b,e p y,f m e"), "a b e f");
        // Twice, and one within the other.
        assert_eq!(branch("a p 0,b m a,c p b,d m c,e p d,f p d,g p b,h m g"), "a b g h");
        // To the very beginning.
        assert_eq!(branch("a p 0,b m a,c p b,d p 0,e m d"), "d e");
    }

    #[test]
    fn a_branch_that_was_left_can_be_taken_up_again() {
        let left = "a p 0,b m a,c p b,d m c,e p b,f m e";
        assert_eq!(branch(&format!("{left},g m d")), "a b c d g");
        assert_eq!(branch(&format!("{left},g p d")), "a b c d g");
        // Noise there does not move the conversation.
        assert_eq!(branch(&format!("{left},x n d,g m f")), "a b e f g");
        // What hangs above the fork belongs to the branch that is current.
        assert_eq!(branch(&format!("{left},g m a")), "a b e f g");
    }

    #[test]
    fn missing_links_are_joined_in_file_order() {
        assert_eq!(branch("a p 0,b m 0,c p 0,d m 0"), "a b c d");
        assert_eq!(branch("a p -,b m -,c p -"), "a b c");
        assert_eq!(branch("a p 0,b m a,c p lost,d m c"), "a b c d");
        assert_eq!(branch("a m later,b p a,later m b"), "a b later");
        assert_eq!(branch("a p a,b m b"), "a b");
    }

    #[test]
    fn gaps_are_told() {
        let mut links = Links::default();
        let event = EventId::new("a").unwrap();
        assert!(!links.add("a", Named::Root, Class::Prompt, Some(&event)).gap);
        let place = links.add("b", Named::Record("lost"), Class::Message, None);
        assert_eq!(place, Place { parent: Some(event), gap: true });
    }

    #[test]
    fn two_prompts_in_a_row_are_one_branch() {
        assert_eq!(branch("a p 0,b p a,c m b,d p c"), "a b c d");
    }
}
