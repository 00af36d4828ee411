//! Pages of history, cut from the whole list of a transcript's messages.

use std::ops::Range;

use session_search_core::event::EventKind;
use session_search_core::store::{
    HistoryAnswer, HistoryFrom, HistoryPage, HistoryPlan, MissingPlace, Result, StoredMessage,
};
use session_search_core::{EventId, SessionId, Visible, text};

use super::{Model, Session, Transcript, not_found};

impl Model {
    pub(crate) fn history(&self, visible: &Visible, plan: &HistoryPlan) -> Result<HistoryAnswer> {
        let session = self.sessions.get(&plan.key).filter(|s| visible.admits(&plan.key, s.spec.incognito));
        let session = session.ok_or_else(|| not_found("session", &plan.key))?;
        Ok(page(session, plan).map_or_else(HistoryAnswer::Missing, HistoryAnswer::Page))
    }
}

fn page(session: &Session, plan: &HistoryPlan) -> std::result::Result<HistoryPage, MissingPlace> {
    let (transcript, anchor) = place(session, plan)?;
    let messages = messages(transcript, plan.include_tools);
    let range = match anchor {
        None => messages.len().saturating_sub(plan.limit)..messages.len(),
        Some(anchor) => {
            let at = position(transcript, &messages, anchor)?;
            let listed = messages.get(at).is_some_and(|message| message.event_id == *anchor);
            window(&plan.from, at, listed, plan.limit, messages.len())
        }
    };
    Ok(HistoryPage {
        session_id: transcript.id.clone(),
        older: range.start > 0,
        newer: range.end < messages.len(),
        messages: messages[range].to_vec(),
    })
}

/// The transcript that is meant, and the message that the page hangs on.
fn place<'a>(
    session: &'a Session,
    plan: &'a HistoryPlan,
) -> std::result::Result<(&'a Transcript, Option<&'a EventId>), MissingPlace> {
    let (session_id, anchor): (Option<&SessionId>, _) = match &plan.from {
        HistoryFrom::Newest => (plan.session_id.as_ref(), None),
        HistoryFrom::Around(anchor) => (plan.session_id.as_ref(), Some(anchor)),
        HistoryFrom::Before(cursor) | HistoryFrom::After(cursor) => {
            if plan.session_id.as_ref().is_some_and(|id| *id != cursor.session_id) {
                return Err(MissingPlace::Message);
            }
            (Some(&cursor.session_id), Some(&cursor.event_id))
        }
    };
    let mut newest_first = session.transcripts.iter().rev();
    let transcript = match (session_id, anchor) {
        (Some(id), _) => newest_first.find(|t| t.id == *id).ok_or(MissingPlace::Transcript)?,
        (None, None) => newest_first.next().ok_or(MissingPlace::Transcript)?,
        (None, Some(anchor)) => {
            newest_first.find(|t| t.event(anchor).is_some()).ok_or(MissingPlace::Message)?
        }
    };
    Ok((transcript, anchor))
}

/// Where a message stands in the list, or would stand if it were one that is listed.
fn position(
    transcript: &Transcript,
    messages: &[StoredMessage],
    anchor: &EventId,
) -> std::result::Result<usize, MissingPlace> {
    let event =
        transcript.event(anchor).filter(|event| event.role().is_some()).ok_or(MissingPlace::Message)?;
    let branch = transcript.branch();
    let place = branch.iter().position(|on| on.id == event.id).ok_or(MissingPlace::OffBranch)?;
    let before = |message: &&StoredMessage| branch[..place].iter().any(|event| event.id == message.event_id);
    Ok(messages.iter().filter(before).count())
}

/// The page: `at` is the anchor's place, or that of the first message behind it where it is not `listed`.
fn window(from: &HistoryFrom, at: usize, listed: bool, limit: usize, total: usize) -> Range<usize> {
    match from {
        HistoryFrom::Before(_) => at.saturating_sub(limit)..at,
        HistoryFrom::After(_) => {
            let start = at + usize::from(listed);
            start..(start + limit).min(total)
        }
        HistoryFrom::Around(_) | HistoryFrom::Newest => {
            let start = at.saturating_sub(limit / 2).min(total.saturating_sub(limit));
            start..(start + limit).min(total)
        }
    }
}

/// The messages of the active branch, oldest first, with their tool parts where those are wanted.
fn messages(transcript: &Transcript, include_tools: bool) -> Vec<StoredMessage> {
    let mut messages: Vec<StoredMessage> = Vec::new();
    for event in transcript.branch() {
        match (event.role(), &event.kind) {
            (Some(role), _) if include_tools || event.searchable() => messages.push(StoredMessage {
                event_id: event.id.clone(),
                role,
                timestamp: event.timestamp,
                text: event.text.clone(),
                tools: if include_tools { text::tools(&event.raw) } else { Vec::new() },
            }),
            (None, EventKind::OtherMessage) if include_tools => {
                if let Some(message) = messages.last_mut() {
                    message.tools.extend(text::tools(&event.raw));
                }
            }
            _ => {}
        }
    }
    messages
}
