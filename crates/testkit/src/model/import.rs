//! Imports: parts, ranks, pins, tombstones.

use std::collections::HashSet;

use session_search_core::source::{ImportChunk, ImportReceipt, SourceMark, later_leaf};
use session_search_core::store::Result;
use session_search_core::{EventId, Millis, SessionId, SessionKey};

use super::write::identified;
use super::{Model, Session, Transcript, check_spec};

impl Model {
    pub(crate) fn import(&mut self, chunk: &ImportChunk) -> Result<ImportReceipt> {
        check_spec(&chunk.session)?;
        let events = identified(&chunk.events)?;
        if let Some((path, mark)) = &chunk.mark {
            self.marks.insert(path.clone(), mark.clone());
        }
        let key = &chunk.session.key;
        let tombstone = (key.clone(), chunk.session_id.clone());
        if chunk.restore {
            self.tombstones.remove(&tombstone);
        } else if self.tombstones.contains(&tombstone) {
            let transcript = chunk.session_id.clone();
            return Ok(ImportReceipt { transcript, messages: 0, skipped: 0, tombstone: true, pinned: false });
        }

        self.ensure_session(&chunk.session);
        let arrival = self.next_arrival();
        let session = self.sessions.get_mut(key).expect("it was just ensured");
        let place = pick(session, chunk, arrival);
        let transcript = &mut session.transcripts[place];
        let before = transcript.branch_messages();
        let (mut messages, mut skipped) = (0, 0);
        let mut fresh = HashSet::new();
        for (event, id, timestamp) in events {
            if transcript.event(id).is_some() {
                skipped += 1;
                continue;
            }
            transcript.add(event, id, timestamp);
            fresh.insert(id.clone());
            messages += u64::from(event.role().is_some());
        }
        transcript.created = began(chunk).map_or(transcript.created, |began| transcript.created.min(began));
        let pinned = follow_source(transcript, chunk);
        transcript.reindex(&before, &fresh, chunk.defer_index);
        let arrival = transcript.arrival;
        number_parts(session, &chunk.session_id);
        session.sort_transcripts();
        let transcript = session.transcripts.iter().find(|t| t.arrival == arrival);
        let transcript = transcript.expect("nothing was removed").id.clone();
        Ok(ImportReceipt { transcript, messages, skipped, tombstone: false, pinned })
    }

    pub(crate) fn known_events(
        &self,
        key: &SessionKey,
        session_id: &SessionId,
        ids: &[EventId],
    ) -> Vec<bool> {
        let parts = || self.sessions.get(key).into_iter().flat_map(|session| parts(session, session_id));
        ids.iter().map(|id| parts().any(|part| part.event(id).is_some())).collect()
    }

    pub(crate) fn source_marks(&self) -> Vec<(String, SourceMark)> {
        self.marks.iter().map(|(path, mark)| (path.clone(), mark.clone())).collect()
    }

    pub(crate) fn mark_source(&mut self, path: &str, mark: SourceMark) {
        self.marks.insert(path.to_owned(), mark);
    }
}

/// When the transcript began, as far as the chunk says.
fn began(chunk: &ImportChunk) -> Option<Millis> {
    chunk.created.or_else(|| chunk.events.iter().filter_map(|event| event.timestamp()).min())
}

fn parts<'a>(session: &'a Session, base: &'a SessionId) -> impl Iterator<Item = &'a Transcript> {
    session.transcripts.iter().filter(move |transcript| transcript.base == *base)
}

/// The place of the transcript that a chunk goes to; a new part where none holds any of its events.
fn pick(session: &mut Session, chunk: &ImportChunk, arrival: u64) -> usize {
    let named = chunk.transcript.as_ref().and_then(|id| session.transcripts.iter().position(|t| t.id == *id));
    let sharing = || {
        let ids: HashSet<&EventId> = chunk.events.iter().filter_map(|event| event.id()).collect();
        let holds =
            |t: &Transcript| t.events().is_empty() || t.events().iter().any(|event| ids.contains(&event.id));
        let mut found: Vec<_> = (0..session.transcripts.len()).collect();
        found.retain(|place| {
            session.transcripts[*place].base == chunk.session_id && holds(&session.transcripts[*place])
        });
        // The first part by number.
        found.into_iter().min_by_key(|place| session.transcripts[*place].beginning())
    };
    // A file without events says nothing about which part it is: it finds the transcript, if there is any.
    let any = || {
        let first = session.transcripts.iter().position(|t| t.base == chunk.session_id);
        first.filter(|_| chunk.events.is_empty())
    };
    named.or_else(sharing).or_else(any).unwrap_or_else(|| {
        let created = began(chunk).unwrap_or(Millis(0));
        session.transcripts.push(Transcript::new(chunk.session_id.clone(), created, arrival));
        session.transcripts.len() - 1
    })
}

/// Moves the leaf where the source's rank allows; says whether a pin kept it from another.
fn follow_source(transcript: &mut Transcript, chunk: &ImportChunk) -> bool {
    let Some(leaf) = &chunk.leaf else { return false };
    if transcript.pinned {
        return leaf.as_ref() != transcript.leaf();
    }
    let decides = match transcript.rank {
        None => true,
        Some(best) if chunk.rank != best => chunk.rank > best,
        Some(_) => {
            (chunk.source.is_some() && chunk.source == transcript.decided)
                || is_later(transcript, leaf.as_ref())
        }
    };
    if decides && transcript.move_leaf(leaf.as_ref()) {
        transcript.rank = Some(chunk.rank);
        transcript.decided.clone_from(&chunk.source);
    }
    false
}

/// Whether, of two sources of equal rank, this leaf is later than the present one.
fn is_later(transcript: &Transcript, leaf: Option<&EventId>) -> bool {
    let timed = |id: Option<&EventId>| {
        let event = transcript.event(id?)?;
        Some((event.id.clone(), event.timestamp))
    };
    let (present, other) = (timed(transcript.leaf()), timed(leaf));
    fn shown(leaf: &Option<(EventId, Millis)>) -> Option<(&EventId, Millis)> {
        leaf.as_ref().map(|(id, time)| (id, *time))
    }
    later_leaf(shown(&present), shown(&other), |from, to| transcript.branch_from(from).contains(to))
}

/// Names the parts of one id by the order in which they begin.
fn number_parts(session: &mut Session, base: &SessionId) {
    let mut places: Vec<_> = (0..session.transcripts.len()).collect();
    places.retain(|place| session.transcripts[*place].base == *base);
    places.sort_by_key(|place| session.transcripts[*place].beginning());
    for (n, place) in places.into_iter().enumerate() {
        session.transcripts[place].id = part_id(base, n + 1);
    }
}

fn part_id(base: &SessionId, n: usize) -> SessionId {
    if n == 1 {
        return base.clone();
    }
    // An id that has no room for its number is short of it by so few bytes that cutting it keeps it apart.
    let suffix = format!("#{n}");
    let room = session_search_core::ids::MAX_ID_BYTES - suffix.len();
    let stem = &base.as_str()[..base.as_str().floor_char_boundary(room)];
    SessionId::new(format!("{stem}{suffix}")).expect("within the bound")
}
