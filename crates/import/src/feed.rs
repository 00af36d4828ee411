//! One transcript on its way to the sink: drafts in, linked events out, in chunks.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};
use session_search_core::source::{ImportChunk, ImportSink, SourceError, SourceMark, SourceRank};
use session_search_core::store::SessionSpec;
use session_search_core::{Event, EventId, EventKind, LeafMove, Millis, SessionId};

use crate::draft::{Draft, Up};
use crate::ids;
use crate::links::Links;

/// A chunk holds about this many events at most.
const CHUNK_EVENTS: usize = 500;
/// A chunk holds about this many bytes at most.
const CHUNK_BYTES: usize = 4 << 20;

/// What is kept between two reads of a source about a transcript in it: ids and counts only.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct FeedState {
    /// The session's key.
    pub(crate) key: String,
    /// The transcript's id as the source names it.
    pub(crate) session_id: String,
    /// The transcript that the store put it into.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) transcript: Option<SessionId>,
    /// Records so far.
    pub(crate) ordinal: u64,
    /// The record read last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) last: Option<EventId>,
    /// The leaf.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) leaf: Option<EventId>,
    /// The time of the record read last.
    pub(crate) time: Millis,
}

/// One transcript of a source.
pub(crate) struct Feed {
    /// The session; a title or project that is learnt on the way may be set.
    pub(crate) spec: SessionSpec,
    pub(crate) session_id: SessionId,
    pub(crate) rank: SourceRank,
    /// When it began, where the source says so.
    pub(crate) created: Option<Millis>,
    pub(crate) links: Links,
    pub(crate) resumed: bool,
    transcript: Option<SessionId>,
    ordinal: u64,
    last: Option<EventId>,
    leaf: Option<EventId>,
    time: Millis,
    moves: HashMap<EventId, Option<EventId>>,
    events: Vec<Event>,
    bytes: usize,
    moved: bool,
    dead: bool,
}

/// What became of a draft.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pushed {
    /// It waits for the next flush.
    Taken,
    /// Its id was there before.
    Known,
    /// It breaks a bound.
    TooLong,
}

impl Feed {
    /// A transcript from its start. `time` is for records that have none before the first that has one.
    pub(crate) fn new(
        spec: SessionSpec,
        session_id: SessionId,
        rank: SourceRank,
        created: Option<Millis>,
        time: Millis,
    ) -> Feed {
        Feed {
            spec,
            session_id,
            rank,
            created,
            links: Links::default(),
            resumed: false,
            transcript: None,
            ordinal: 0,
            last: None,
            leaf: None,
            time,
            moves: HashMap::new(),
            events: Vec::new(),
            bytes: 0,
            moved: false,
            dead: false,
        }
    }

    /// Goes on where the source was left.
    pub(crate) fn resume(&mut self, state: &FeedState) {
        self.resumed = true;
        self.transcript.clone_from(&state.transcript);
        self.ordinal = state.ordinal;
        self.last.clone_from(&state.last);
        self.leaf.clone_from(&state.leaf);
        self.time = state.time;
    }

    /// What to keep for the next read.
    pub(crate) fn state(&self) -> FeedState {
        FeedState {
            key: self.spec.key.as_str().to_owned(),
            session_id: self.session_id.as_str().to_owned(),
            transcript: self.transcript.clone(),
            ordinal: self.ordinal,
            last: self.last.clone(),
            leaf: self.leaf.clone(),
            time: self.time,
        }
    }

    /// The record pushed last.
    pub(crate) fn last(&self) -> Option<&EventId> {
        self.last.as_ref()
    }

    /// The id that a draft gets: its own, or one made of its number. Counts it.
    pub(crate) fn next_id(&mut self, draft: &Draft) -> EventId {
        self.ordinal += 1;
        match &draft.id {
            Some(given) => ids::event_id(given),
            None => ids::numbered_id(&self.session_id, self.ordinal),
        }
    }

    /// The parent that a draft asks for and whether it must be checked.
    pub(crate) fn wanted(&self, draft: &Draft) -> Option<EventId> {
        match &draft.up {
            Up::Leaf => self.leaf.clone(),
            Up::Root => None,
            Up::Id(given) => {
                let id = ids::event_id(given);
                // A `leaf` record is no node: what hangs on it hangs on what was the leaf.
                match self.moves.get(&id) {
                    Some(leaf) => leaf.clone(),
                    None => Some(id),
                }
            }
        }
    }

    /// Takes a draft under that id with its settled parent.
    pub(crate) fn take(&mut self, draft: &Draft, id: EventId, parent: Option<EventId>, gap: bool) -> Pushed {
        if self.links.has(&id) {
            return Pushed::Known;
        }
        let time = draft.time.unwrap_or(self.time);
        let Some(event) = draft.settle(&id, parent.as_ref(), time, gap) else { return Pushed::TooLong };
        self.links.settle(&id, parent.as_ref());
        self.time = time;
        match event.kind() {
            EventKind::Leaf(LeafMove::Inert) => {}
            EventKind::Leaf(LeafMove::Empty) => self.leaf = None,
            EventKind::Leaf(LeafMove::To(target)) => {
                if self.links.has(target) || self.resumed {
                    self.leaf = Some(target.clone());
                }
            }
            _ => {
                self.leaf = Some(id.clone());
                self.last = Some(id);
            }
        }
        if let EventKind::Leaf(_) = event.kind() {
            self.moves.extend(event.id().map(|id| (id.clone(), self.leaf.clone())));
        }
        self.moved = true;
        self.bytes += event.raw().len();
        if !self.dead {
            self.events.push(event);
        }
        Pushed::Taken
    }

    /// Sets the session's title; it is sent even where no event follows.
    pub(crate) fn set_title(&mut self, title: String) {
        if self.spec.title.as_ref() != Some(&title) {
            self.spec.title = Some(title);
            self.moved = true;
        }
    }

    /// Sets the leaf where it is not the event that came last.
    pub(crate) fn set_leaf(&mut self, leaf: Option<EventId>) {
        self.moved |= self.leaf != leaf;
        self.leaf = leaf;
    }

    /// Whether a chunk is full.
    pub(crate) fn is_full(&self) -> bool {
        self.events.len() >= CHUNK_EVENTS || self.bytes >= CHUNK_BYTES
    }

    /// Whether anything waits for the next flush.
    pub(crate) fn is_dirty(&self) -> bool {
        self.moved && !self.dead
    }

    /// Sends what waits.
    pub(crate) fn flush(
        &mut self,
        sink: &mut dyn ImportSink,
        mark: Option<(String, SourceMark)>,
    ) -> Result<(), SourceError> {
        let events = std::mem::take(&mut self.events);
        self.bytes = 0;
        self.moved = false;
        let receipt = sink.store(ImportChunk {
            session: self.spec.clone(),
            session_id: self.session_id.clone(),
            transcript: self.transcript.clone(),
            rank: self.rank,
            source: None,
            created: self.created,
            events,
            leaf: Some(self.leaf.clone()),
            defer_index: false,
            restore: false,
            mark,
        })?;
        self.dead |= receipt.tombstone;
        self.transcript = Some(receipt.transcript);
        Ok(())
    }
}
