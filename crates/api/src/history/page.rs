//! A page within its bytes: messages farthest from where the reader looks are dropped first. Pure.

use session_search_core::limits::MAX_HISTORY_PAGE_BYTES;
use session_search_core::store::{HistoryFrom, HistoryPage};
use session_search_core::{Cursor, EventId, SessionId, SessionName};

use super::message::Writer;
use super::response::{HistoryMessage, HistoryResponse};
use crate::json_bytes::json_bytes;

/// Which end of a page matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Keep {
    /// The newest messages.
    Newest,
    /// The oldest messages.
    Oldest,
    /// Those around this place of the page.
    Around(usize),
}

impl Keep {
    pub(crate) fn of(from: &HistoryFrom, page: &HistoryPage) -> Keep {
        match from {
            HistoryFrom::Newest | HistoryFrom::Before(_) => Keep::Newest,
            HistoryFrom::After(_) => Keep::Oldest,
            HistoryFrom::Around(id) => page
                .messages
                .iter()
                .position(|message| message.event_id == *id)
                .map_or(Keep::Newest, Keep::Around),
        }
    }
}

/// Bound of a cursor as text, with its name in JSON: ids of 256 bytes each and two more, in base 64.
const CURSOR_BYTES: usize = 720;

/// Writes the page. `offset` is where the anchor's text begins.
pub(crate) fn build(
    name: SessionName,
    page: HistoryPage,
    keep: Keep,
    offset: usize,
    reason: Option<&str>,
    writer: &Writer<'_>,
) -> HistoryResponse {
    let messages: Vec<HistoryMessage> = page
        .messages
        .iter()
        .enumerate()
        .map(|(n, stored)| writer.message(stored, if keep == Keep::Around(n) { offset } else { 0 }))
        .collect();
    let beyond = offset > 0 && matches!(keep, Keep::Around(n) if messages[n].text.is_empty());
    let reason = if beyond { Some("textOffset is beyond the end of the text") } else { reason };
    let mut response = HistoryResponse {
        agent_id: name.agent,
        session_key: name.key,
        session_id: Some(page.session_id.clone()),
        messages: Vec::new(),
        older: None,
        newer: None,
        reason: reason.map(str::to_owned),
    };
    let room = MAX_HISTORY_PAGE_BYTES.saturating_sub(json_bytes(&response) + 2 * CURSOR_BYTES);
    let sizes: Vec<usize> = messages.iter().map(|message| json_bytes(message) + 1).collect();
    let kept = fitting(&sizes, keep, room);
    let dropped_newer = kept.end < messages.len();
    let dropped_older = kept.start > 0;
    response.messages = messages.into_iter().skip(kept.start).take(kept.len()).collect();
    let ends = response.messages.first().zip(response.messages.last());
    let ends = ends.map(|(first, last)| (first.message_id.clone(), last.message_id.clone()));
    if let Some((first, last)) = ends {
        response.older = (page.older || dropped_older).then(|| cursor(&page.session_id, first));
        response.newer = (page.newer || dropped_newer).then(|| cursor(&page.session_id, last));
    }
    response
}

fn cursor(session_id: &SessionId, event_id: EventId) -> String {
    Cursor { session_id: session_id.clone(), event_id }.to_string()
}

/// The messages that fit, side by side: grown from where the reader looks, the nearer first, newer before older at the
/// same distance. Ends at the first that does not fit on its side.
fn fitting(sizes: &[usize], keep: Keep, room: usize) -> std::ops::Range<usize> {
    let (mut start, mut end) = match keep {
        Keep::Newest => (sizes.len(), sizes.len()),
        Keep::Oldest => (0, 0),
        Keep::Around(n) => (n, n),
    };
    let anchor = end;
    let mut used = 0;
    let (mut newer_open, mut older_open) = (true, true);
    loop {
        newer_open &= end < sizes.len() && used + sizes[end] <= room;
        older_open &= start > 0 && used + sizes[start - 1] <= room;
        if !newer_open && !older_open {
            return start..end;
        }
        if newer_open && (!older_open || end - anchor <= anchor - start) {
            used += sizes[end];
            end += 1;
        } else {
            start -= 1;
            used += sizes[start];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_that_matters_is_kept() {
        let sizes = [10; 6];
        assert_eq!(fitting(&sizes, Keep::Newest, 35), 3..6);
        assert_eq!(fitting(&sizes, Keep::Oldest, 35), 0..3);
        assert_eq!(fitting(&sizes, Keep::Around(2), 30), 1..4);
        assert_eq!(fitting(&sizes, Keep::Around(2), 10), 2..3);
        assert_eq!(fitting(&sizes, Keep::Around(0), 30), 0..3);
        assert_eq!(fitting(&sizes, Keep::Around(5), 30), 3..6);
        assert_eq!(fitting(&sizes, Keep::Around(2), 1_000), 0..6);
        assert_eq!(fitting(&[], Keep::Newest, 10), 0..0);
    }

    #[test]
    fn no_gap_arises_behind_a_message_that_does_not_fit() {
        assert_eq!(fitting(&[1, 100, 1, 1], Keep::Newest, 10), 2..4);
        assert_eq!(fitting(&[1, 100, 5, 1, 1], Keep::Around(2), 10), 2..5);
    }
}
