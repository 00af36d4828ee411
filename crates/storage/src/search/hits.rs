//! From what was kept to what is returned.

use session_search_core::Millis;
use session_search_core::store::{StoreHit, StoreHits};

use super::kept::{Candidate, Search};
use crate::error::{Result, damaged};
use crate::events;

/// The hits of a search that counted every match: something was left out where there were more matches than the
/// hits and their copies.
pub(crate) fn finish(search: &mut Search<'_>) -> Result<StoreHits> {
    let (hits, shown) = hits(search)?;
    Ok(StoreHits { hits, left_out: search.matched > shown })
}

/// The hits of a search that ended early but passed over nothing.
pub(crate) fn finish_exact(search: &mut Search<'_>) -> Result<StoreHits> {
    let (hits, _) = hits(search)?;
    Ok(StoreHits { hits, left_out: search.dropped })
}

/// The hits, and how many messages they and their copies are.
fn hits(search: &mut Search<'_>) -> Result<(Vec<StoreHit>, u64)> {
    let mut hits = Vec::with_capacity(search.kept.len());
    let mut shown = 0;
    for candidate in std::mem::take(&mut search.kept) {
        shown += candidate.copies.len() as u64;
        hits.push(hit(search, &candidate)?);
    }
    Ok((hits, shown))
}

fn hit(search: &Search<'_>, candidate: &Candidate) -> Result<StoreHit> {
    let full = events::load(search.conn, candidate.event)?;
    let role = full.kind.role().ok_or_else(|| damaged("an index entry of what is no message"))?;
    let mut also_in = Vec::new();
    for copy in &candidate.copies {
        let known = also_in.iter().any(|(key, _)| *key == copy.session.key);
        if copy.session.num != candidate.session.num && !known {
            also_in.push((copy.session.key.clone(), copy.transcript.id.clone()));
        }
    }
    Ok(StoreHit {
        key: candidate.session.key.clone(),
        session_id: candidate.transcript.id.clone(),
        event_id: candidate.id.clone(),
        role,
        timestamp: Millis(candidate.ts),
        text: full.text(),
        score: candidate.score,
        clauses: candidate.clauses,
        also_in,
        session_start: Millis(candidate.session.first.unwrap_or(0)),
    })
}
