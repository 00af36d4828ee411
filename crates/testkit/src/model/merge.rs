//! Copies of a message in several sessions become one hit.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use session_search_core::store::StoreHit;
use session_search_core::{EventId, Millis, SessionKey};

use super::{Stored, Transcript};

/// A message that matches.
pub(super) struct Found<'a> {
    pub(super) key: &'a SessionKey,
    /// The time of the first event of the session.
    pub(super) start: Option<Millis>,
    pub(super) transcript: &'a Transcript,
    /// Which of the session's transcripts that is.
    pub(super) place: usize,
    pub(super) event: &'a Stored,
    pub(super) clauses: u64,
    pub(super) score: f64,
}

/// One hit for each id and text: under the session whose first event is the oldest, then the least key; of several
/// transcripts of one session the newest.
pub(super) fn merge(found: Vec<Found<'_>>) -> Vec<StoreHit> {
    let mut copies: BTreeMap<(&EventId, &str), Vec<Found<'_>>> = BTreeMap::new();
    for found in found {
        copies.entry((&found.event.id, found.event.text.as_str())).or_default().push(found);
    }
    copies.into_values().filter_map(one_hit).collect()
}

fn one_hit(mut copies: Vec<Found<'_>>) -> Option<StoreHit> {
    copies.sort_by_key(|copy| (copy.start, copy.key, Reverse(copy.place)));
    copies.dedup_by(|later, earlier| later.key == earlier.key);
    let (shown, others) = copies.split_first()?;
    Some(StoreHit {
        key: shown.key.clone(),
        session_id: shown.transcript.id.clone(),
        event_id: shown.event.id.clone(),
        role: shown.event.role()?,
        timestamp: shown.event.timestamp,
        text: shown.event.text.clone(),
        score: shown.score,
        clauses: shown.clauses,
        also_in: others.iter().map(|copy| (copy.key.clone(), copy.transcript.id.clone())).collect(),
        session_start: shown.start?,
    })
}
