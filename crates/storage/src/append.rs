//! Append and rewind.

use std::collections::HashMap;

use session_search_core::event::same_content;
use session_search_core::store::{Append, AppendReceipt};
use session_search_core::text::searchable;
use session_search_core::{ErrorKind, Event, EventId, EventKind, LeafMove, StoreError};

use crate::error::Result;
use crate::events;
use crate::kinds::Kind;
use crate::moves::{self, Fresh};
use crate::sessions;
use crate::transcripts::Transcript;
use crate::writing::Writing;

/// Stores events; runs within a transaction or savepoint that an error undoes.
pub(crate) fn append(writing: &mut Writing, request: &Append) -> Result<AppendReceipt> {
    let conn = &writing.conn;
    let session = sessions::ensure(conn, &request.session)?;
    let mut transcript = target(writing, session, request)?;
    let first_new = events::next_number(conn)?;
    let mut adding = Adding::new(transcript.leaf);
    let mut receipt =
        AppendReceipt { session_id: transcript.session_id()?, events: Vec::new(), warnings: Vec::new() };
    for event in &request.events {
        let (id, time) = complete(event)?;
        let known = events::find(conn, transcript.num, id.as_str())?;
        if let Some((num, _)) = known {
            if !same_content(&events::raw(conn, num)?, event.raw()) {
                let message =
                    format!("event {id} is stored already and says something else; give it another id");
                return Err(StoreError::new(ErrorKind::Conflict, message));
            }
            receipt.events.push((id.clone(), false));
            continue;
        }
        adding.add(writing, &mut transcript, event, id, time, &mut receipt.warnings)?;
        receipt.events.push((id.clone(), true));
    }
    transcript.pinned = true;
    let index = writing.index()?;
    let entries = writing.entries(index.as_ref());
    let fresh = Fresh { first: first_new, texts: &adding.texts, deferred: false };
    moves::move_leaf(conn, entries.as_ref(), &mut transcript, adding.leaf, &fresh)?;
    if let (Some(first), Some(last)) = (transcript.first, transcript.last) {
        sessions::widen(conn, session, first, last)?;
    }
    transcript.save(conn)?;
    Ok(receipt)
}

/// The transcript to append to, made where it is not there.
fn target(writing: &Writing, session: i64, request: &Append) -> Result<Transcript> {
    let conn = &writing.conn;
    let all = Transcript::of_session(conn, session)?;
    let id = match &request.session_id {
        Some(id) => {
            if let Some(found) = all.iter().find(|t| t.id == id.as_str()) {
                return Ok(found.clone());
            }
            id
        }
        None => match all.last() {
            Some(current) => return Ok(current.clone()),
            None => &request.new_session_id,
        },
    };
    // Created last, whatever its events say.
    let time = request.events.first().and_then(Event::timestamp).map_or(0, |time| time.0);
    let created = all.last().map_or(time, |newest| time.max(newest.created + 1));
    Transcript::create(conn, session, id.as_str(), id.as_str(), created)
}

fn complete(event: &Event) -> Result<(&EventId, i64)> {
    match (event.id(), event.timestamp()) {
        (Some(id), Some(time)) => Ok((id, time.0)),
        _ => Err(StoreError::new(ErrorKind::Limit, "an event to store has no id or no time; give it both")),
    }
}

/// Events being added to a transcript: where the leaf goes, and the texts at hand.
pub(crate) struct Adding {
    pub(crate) leaf: Option<i64>,
    pub(crate) texts: HashMap<i64, String>,
}

impl Adding {
    pub(crate) fn new(leaf: Option<i64>) -> Adding {
        Adding { leaf, texts: HashMap::new() }
    }

    /// Stores one event that is new, and moves the leaf as it says.
    pub(crate) fn add(
        &mut self,
        writing: &Writing,
        transcript: &mut Transcript,
        event: &Event,
        id: &EventId,
        time: i64,
        warnings: &mut Vec<String>,
    ) -> Result<()> {
        let conn = &writing.conn;
        let mut text = String::new();
        if event.role().is_some() {
            let found = searchable(event.raw());
            if found.cut {
                warnings
                    .push(format!("the text of {id} is longer than 1 MiB; what is beyond is not searchable"));
            }
            text = found.text;
        }
        let kind = Kind::of(event, !text.is_empty());
        let link = events::resolve(conn, transcript.num, event.parent(), self.leaf)?;
        let num = events::insert(conn, transcript.num, id.as_str(), &link, kind, time, event)?;
        match event.kind() {
            EventKind::Leaf(LeafMove::Inert) => {}
            EventKind::Leaf(LeafMove::Empty) => self.leaf = None,
            EventKind::Leaf(LeafMove::To(to)) => {
                match events::find_node(conn, transcript.num, to.as_str())? {
                    Some(node) => self.leaf = Some(node),
                    None => warnings.push(format!("the leaf did not move: there is no event {to}")),
                }
            }
            _ => self.leaf = Some(num),
        }
        if kind.is_entry() {
            self.texts.insert(num, text);
        }
        transcript.events += 1;
        transcript.messages += i64::from(event.role().is_some());
        transcript.widen(time);
        Ok(())
    }
}
