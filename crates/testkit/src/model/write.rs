//! Append, rewind, delete.

use std::collections::{HashMap, HashSet};

use session_search_core::event::same_content;
use session_search_core::store::{
    Append, AppendReceipt, DeleteReceipt, Erasure, Result, Rewind, RewindReceipt,
};
use session_search_core::tree::Applied;
use session_search_core::{ErrorKind, Event, EventId, Millis, SessionId, SessionKey, StoreError};

use super::{Model, Session, Transcript, check_spec, not_found};

impl Model {
    pub(crate) fn append(&mut self, append: &Append) -> Result<AppendReceipt> {
        check_spec(&append.session)?;
        let events = identified(&append.events)?;
        let session_id = self.target(append);
        let known = self.sessions.get(&append.session.key);
        let known = known.and_then(|s| s.transcripts.iter().find(|t| t.id == session_id));
        let new = check_ids(known, &events)?;

        self.ensure_session(&append.session);
        let arrival = self.next_arrival();
        let session = self.sessions.get_mut(&append.session.key).expect("it was just ensured");
        let transcript = reset(session, &session_id, &events, arrival);
        let before = transcript.branch_messages();
        let mut warnings = Vec::new();
        let mut fresh = HashSet::new();
        for ((event, id, timestamp), new) in events.iter().zip(&new) {
            if !*new {
                continue;
            }
            fresh.insert((*id).clone());
            if let Applied::UnknownTarget(target) = transcript.append(event, id, *timestamp) {
                warnings.push(format!("{id}: there is no event {target}; the leaf stays where it was"));
            }
            if transcript.event(id).is_some_and(|stored| stored.cut) {
                warnings.push(format!("{id}: only the first 1 MiB of its text can be found"));
            }
        }
        transcript.pinned = true;
        transcript.reindex(&before, &fresh, false);
        let events = events.iter().zip(new).map(|((_, id, _), new)| ((*id).clone(), new)).collect();
        Ok(AppendReceipt { session_id, events, warnings })
    }

    /// The transcript that an append goes to.
    fn target(&self, append: &Append) -> SessionId {
        let current = || {
            let session = self.sessions.get(&append.session.key)?;
            session.transcripts.last().map(|transcript| transcript.id.clone())
        };
        append.session_id.clone().or_else(current).unwrap_or_else(|| append.new_session_id.clone())
    }

    pub(crate) fn rewind(&mut self, rewind: &Rewind) -> Result<RewindReceipt> {
        let missing = || not_found("session or event", &format!("{} / {}", rewind.key, rewind.to));
        let session = self.sessions.get_mut(&rewind.key).ok_or_else(missing)?;
        let transcript = session.transcripts.last_mut().ok_or_else(missing)?;
        let before = transcript.branch_messages();
        if !transcript.move_leaf(Some(&rewind.to)) {
            return Err(missing());
        }
        transcript.pinned = true;
        let was_pending = transcript.pending;
        transcript.reindex(&before, &HashSet::new(), false);
        let purged = if rewind.purge { transcript.purge() } else { 0 };
        Ok(RewindReceipt {
            session_id: transcript.id.clone(),
            purged,
            erasure: Erasure::Done,
            pending: transcript.pending && !was_pending,
        })
    }

    pub(crate) fn delete(&mut self, keys: &[SessionKey]) -> DeleteReceipt {
        let mut receipt = DeleteReceipt { sessions: 0, messages: 0, erasure: Erasure::Done };
        for key in keys {
            let Some(session) = self.sessions.remove(key) else { continue };
            receipt.sessions += 1;
            for transcript in session.transcripts {
                receipt.messages += transcript.events().iter().filter(|e| e.role().is_some()).count() as u64;
                self.tombstones.insert((key.clone(), transcript.base.clone()));
                self.tombstones.insert((key.clone(), transcript.id));
            }
        }
        receipt
    }
}

type Identified<'a> = (&'a Event, &'a EventId, Millis);

/// The events with the ids and times that every event of an append or import has.
pub(super) fn identified(events: &[Event]) -> Result<Vec<Identified<'_>>> {
    let one = |event| {
        let event: &Event = event;
        let refused =
            || StoreError::new(ErrorKind::Limit, "an event has no id or no time; give it both first");
        Ok((event, event.id().ok_or_else(refused)?, event.timestamp().ok_or_else(refused)?))
    };
    events.iter().map(one).collect()
}

/// For each event whether it is new; a `Conflict` where an id is taken by something else.
fn check_ids(transcript: Option<&Transcript>, events: &[Identified<'_>]) -> Result<Vec<bool>> {
    let mut within: HashMap<&EventId, &str> = HashMap::new();
    let mut new = Vec::with_capacity(events.len());
    for (event, id, _) in events {
        let stored = transcript.and_then(|t| t.compare(id, event.raw()));
        let same = stored.or_else(|| within.get(id).map(|raw| same_content(raw, event.raw())));
        match same {
            Some(false) => {
                let text = format!(
                    "event {id} is there already and says something else; give the new one another id"
                );
                return Err(StoreError::new(ErrorKind::Conflict, text));
            }
            Some(true) => new.push(false),
            None => {
                within.insert(id, event.raw());
                new.push(true);
            }
        }
    }
    Ok(new)
}

/// The transcript of this id; a new one becomes the last, whatever the times of its events.
fn reset<'a>(
    session: &'a mut Session,
    id: &SessionId,
    events: &[Identified<'_>],
    arrival: u64,
) -> &'a mut Transcript {
    let place = session.transcripts.iter().position(|t| t.id == *id).unwrap_or_else(|| {
        let first = events.first().map_or(Millis(0), |(_, _, timestamp)| *timestamp);
        let after = session.transcripts.last().map_or(first, |last| Millis(last.created.0 + 1));
        session.transcripts.push(Transcript::new(id.clone(), first.max(after), arrival));
        session.transcripts.len() - 1
    });
    &mut session.transcripts[place]
}
