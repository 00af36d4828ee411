//! From a hit of a store to a hit that may leave: scrubbed, checked again, cut to its snippet.

use std::ops::Range;

use session_search_core::query::Query;
use session_search_core::relax::Majority;
use session_search_core::snippet::{Snippet, around, snippet};
use session_search_redact::markers;

use super::merge::Found;
use super::response::Hit;
use crate::clean::{Cleaner, strip};

/// A hit that may leave.
pub(crate) struct Shown {
    pub(crate) hit: Hit,
    /// Bit *i* is set where clause *i* of the query occurs in the scrubbed text.
    pub(crate) clauses: u64,
}

/// Scrubs the whole text and looks whether it still matches: an index may have been built with older rules. `most`
/// is there where most of the words are enough.
pub(crate) fn show(
    cleaner: &Cleaner,
    query: &Query,
    most: Option<&Majority>,
    found: &Found,
) -> Option<Shown> {
    let scrubbed = cleaner.scrub(&found.hit.text).text;
    let marks = markers(&scrubbed);
    let occurrences = query.occurrences(&scrubbed, &marks);
    let clauses = bits(occurrences.counts());
    let met = most.map_or_else(|| query.is_met(&occurrences), |most| most.admits(clauses));
    if !met || query.excludes(&scrubbed, &marks) {
        return None;
    }
    let (snippet, highlights) = match cleaner.strip(&scrubbed) {
        None => plain(around(&scrubbed, query, &marks, &occurrences)),
        // More came to light when hidden characters were gone: what is shown is cut from that text.
        Some((clean, true)) => plain(snippet(&clean, query, &markers(&clean))),
        Some((_, false)) => stripped(around(&scrubbed, query, &marks, &occurrences)),
    };
    let hit = Hit {
        agent_id: found.agent.clone(),
        session_key: found.hit.key.clone(),
        session_id: found.hit.session_id.clone(),
        message_id: found.hit.event_id.clone(),
        role: found.hit.role,
        timestamp: found.hit.timestamp.0,
        snippet,
        score: found.hit.score,
        also_in: found.also_in.clone(),
        highlights,
    };
    Some(Shown { hit, clauses })
}

fn bits(counts: &[usize]) -> u64 {
    counts.iter().take(64).enumerate().fold(0, |bits, (n, count)| bits | u64::from(*count > 0) << n)
}

fn plain(snippet: Snippet) -> (String, Vec<Range<usize>>) {
    (snippet.text, snippet.highlights)
}

/// Strips a snippet piece by piece, so that its highlights stay on their words.
fn stripped(snippet: Snippet) -> (String, Vec<Range<usize>>) {
    let mut text = String::with_capacity(snippet.text.len());
    let mut highlights = Vec::with_capacity(snippet.highlights.len());
    let mut from = 0;
    for range in snippet.highlights {
        text.push_str(&strip(&snippet.text[from..range.start]));
        let start = text.len();
        text.push_str(&strip(&snippet.text[range.clone()]));
        highlights.push(start..text.len());
        from = range.end;
    }
    text.push_str(&strip(&snippet.text[from..]));
    (text, highlights)
}
