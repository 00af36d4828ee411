//! Which occurrences to show.

use std::ops::Range;

use super::columns::Columns;
use crate::limits::MAX_SNIPPET_CHARS;
use crate::query::Match;

/// Room for text: an ellipsis and a space at both ends.
pub(super) const ROOM: usize = MAX_SNIPPET_CHARS - 4;

/// The smallest range that holds the most different query words within [`ROOM`] columns, a clause counting as
/// many words as `weights` says; of equals the narrowest, then the first. Nothing where nothing occurs.
pub(super) fn best(columns: &Columns<'_>, matches: &[Match], weights: &[usize]) -> Option<Range<usize>> {
    // A match that is longer than the room is shown from its start.
    let places: Vec<(usize, usize)> = matches
        .iter()
        .map(|found| {
            let start = columns.at(found.span.start);
            (start, columns.at(found.span.end).min(start + ROOM))
        })
        .collect();
    let mut inside = vec![0_usize; weights.len()];
    let (mut first, mut weight) = (0, 0);
    let mut best: Option<(usize, usize, usize, usize)> = None;
    for (last, found) in matches.iter().enumerate() {
        if inside[found.clause] == 0 {
            weight += weights[found.clause];
        }
        inside[found.clause] += 1;
        // Drops what does not fit, then what a later match of the same clause makes needless.
        while first < last {
            let clause = matches[first].clause;
            if places[last].1 <= places[first].0 + ROOM && inside[clause] == 1 {
                break;
            }
            inside[clause] -= 1;
            if inside[clause] == 0 {
                weight -= weights[clause];
            }
            first += 1;
        }
        let width = places[last].1.saturating_sub(places[first].0);
        let better = best.is_none_or(|(most, narrowest, ..)| {
            weight > most || (weight == most && width < narrowest && weights.len() > 1)
        });
        if better {
            best = Some((weight, width, first, last));
        }
    }
    best.map(|(_, _, first, last)| {
        let start = matches[first].span.start;
        // Overlapping matches may end behind the last one, but none beyond the room.
        let end = places[first..=last].iter().map(|place| place.1).max().unwrap_or(0);
        start..columns.offset(end).max(start)
    })
}
