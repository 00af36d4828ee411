//! A transcript of the model: its events in the order of their arrival, its tree, and what of it is indexed.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, OnceLock};

use session_search_core::event::{EventKind, Parent, same_content};
use session_search_core::source::SourceRank;
use session_search_core::tree::{Applied, Tree, path};
use session_search_core::words::Token;
use session_search_core::{Event, EventId, Millis, Role, SessionId, TextPipeline, text};

/// An event as it is kept.
#[derive(Clone)]
pub(crate) struct Stored {
    pub(crate) id: EventId,
    /// Resolved: the leaf of its time where the event did not say.
    pub(crate) parent: Option<EventId>,
    pub(crate) timestamp: Millis,
    pub(crate) kind: EventKind,
    pub(crate) raw: String,
    /// The searchable text of a message; empty for all else.
    pub(crate) text: String,
    /// Whether that text was cut.
    pub(crate) cut: bool,
    /// Its terms, once they were asked for.
    tokens: OnceLock<Vec<Token>>,
}

impl Stored {
    pub(crate) fn role(&self) -> Option<Role> {
        match self.kind {
            EventKind::Message(role) => Some(role),
            _ => None,
        }
    }

    /// The terms of its text. The same pipeline for all calls: see [`Transcript::forget_terms`].
    pub(crate) fn tokens(&self, pipeline: &dyn TextPipeline) -> &[Token] {
        self.tokens.get_or_init(|| pipeline.tokens(&self.text).1)
    }

    /// Whether it is a message that can be found.
    pub(crate) fn searchable(&self) -> bool {
        !self.text.is_empty()
    }
}

#[derive(Clone)]
pub(crate) struct Transcript {
    /// `<base>`, or `<base>#n` for a later part.
    pub(crate) id: SessionId,
    /// The id as its source names it.
    pub(crate) base: SessionId,
    pub(crate) created: Millis,
    pub(crate) arrival: u64,
    pub(crate) rank: Option<SourceRank>,
    /// The source that decided where the leaf is.
    pub(crate) decided: Option<String>,
    pub(crate) pinned: bool,
    pub(crate) pending: bool,
    /// Messages that have an entry; all of them on the branch.
    pub(crate) indexed: HashSet<EventId>,
    events: Vec<Arc<Stored>>,
    places: HashMap<EventId, usize>,
    tree: Tree,
}

impl Transcript {
    pub(crate) fn new(id: SessionId, created: Millis, arrival: u64) -> Transcript {
        Transcript {
            base: id.clone(),
            id,
            created,
            arrival,
            rank: None,
            decided: None,
            pinned: false,
            pending: false,
            indexed: HashSet::new(),
            events: Vec::new(),
            places: HashMap::new(),
            tree: Tree::default(),
        }
    }

    pub(crate) fn events(&self) -> &[Arc<Stored>] {
        &self.events
    }

    pub(crate) fn event(&self, id: &EventId) -> Option<&Arc<Stored>> {
        self.places.get(id).map(|place| &self.events[*place])
    }

    pub(crate) fn leaf(&self) -> Option<&EventId> {
        self.tree.leaf()
    }

    /// Moves the leaf; `false` where the event is no node.
    pub(crate) fn move_leaf(&mut self, to: Option<&EventId>) -> bool {
        self.tree.move_leaf(to)
    }

    /// The active branch, root first.
    pub(crate) fn branch(&self) -> Vec<&Arc<Stored>> {
        self.tree.branch().iter().filter_map(|id| self.event(id)).collect()
    }

    /// The branch that would end at this event.
    pub(crate) fn branch_from(&self, leaf: &EventId) -> Vec<EventId> {
        path(Some(leaf.clone()), |id| self.event(id).map(|event| event.parent.clone()))
    }

    /// The messages of the active branch that can be found, oldest first.
    pub(crate) fn branch_messages(&self) -> Vec<EventId> {
        self.branch().into_iter().filter(|event| event.searchable()).map(|event| event.id.clone()).collect()
    }

    /// Stores an event that is not there yet, as an append does: the leaf moves.
    pub(crate) fn append(&mut self, event: &Event, id: &EventId, timestamp: Millis) -> Applied {
        let parent = match event.parent() {
            Parent::CurrentLeaf => self.tree.leaf().cloned(),
            Parent::Root => None,
            Parent::Event(parent) => Some(parent.clone()),
        };
        let searchable = event.role().map(|_| text::searchable(event.raw())).unwrap_or_default();
        let stored = Stored {
            id: id.clone(),
            parent,
            timestamp,
            kind: event.kind().clone(),
            raw: event.raw().to_owned(),
            text: searchable.text,
            cut: searchable.cut,
            tokens: OnceLock::new(),
        };
        let applied = self.tree.apply(event, id);
        self.places.insert(id.clone(), self.events.len());
        self.events.push(Arc::new(stored));
        applied
    }

    /// Stores an event that is not there yet, as an import does: the leaf stays.
    pub(crate) fn add(&mut self, event: &Event, id: &EventId, timestamp: Millis) {
        let leaf = self.tree.leaf().cloned();
        self.append(event, id, timestamp);
        self.tree.move_leaf(leaf.as_ref());
    }

    /// Whether an event of this id is there: `None`, or whether it says the same.
    pub(crate) fn compare(&self, id: &EventId, raw: &str) -> Option<bool> {
        self.event(id).map(|known| same_content(&known.raw, raw))
    }

    /// Deletes what is off the active branch; returns how many messages went.
    pub(crate) fn purge(&mut self) -> u64 {
        let kept: HashSet<EventId> = self.tree.branch().into_iter().collect();
        let gone = |event: &&Arc<Stored>| !kept.contains(&event.id) && event.role().is_some();
        let purged = self.events.iter().filter(gone).count() as u64;
        self.events.retain(|event| kept.contains(&event.id));
        self.places =
            self.events.iter().enumerate().map(|(place, event)| (event.id.clone(), place)).collect();
        self.tree.retain(|id| kept.contains(id));
        purged
    }

    /// The first of its events by time, then id: what parts are numbered by.
    pub(crate) fn beginning(&self) -> Option<(Millis, EventId)> {
        self.events.iter().map(|event| (event.timestamp, event.id.clone())).min()
    }

    /// Has all texts split anew, by another pipeline.
    pub(crate) fn forget_terms(&mut self) {
        for event in &mut self.events {
            *event = Arc::new(Stored { tokens: OnceLock::new(), ..Stored::clone(event) });
        }
    }

    /// Takes all entries out of the index; reconciliation writes them anew.
    pub(crate) fn void_index(&mut self) {
        self.indexed.clear();
        self.pending = true;
    }
}
