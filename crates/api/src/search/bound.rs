//! The last step: how many hits, and how many bytes.

use session_search_core::limits::{Candidates, MAX_SEARCH_RESPONSE_BYTES};

use super::response::SearchResponse;
use super::show::Shown;
use crate::json_bytes::json_bytes;

/// Fills the hits into a response that has everything else, as far as count and bytes allow.
pub(crate) fn bound(mut response: SearchResponse, shown: Vec<Shown>, limit: usize) -> SearchResponse {
    let left_out = std::mem::replace(&mut response.truncated, true);
    let budget = MAX_SEARCH_RESPONSE_BYTES.saturating_sub(json_bytes(&response));
    let hits = shown.into_iter().map(|shown| shown.hit).collect();
    let (results, truncated) = Candidates::new(hits).count(limit).fit(budget, 1, json_bytes).into_parts();
    response.truncated = left_out || truncated;
    response.results = results;
    response
}
