//! Where to cut: between graphemes, never through a marker, and where a reader would.

use std::ops::Range;

use unicode_segmentation::GraphemeCursor;

use super::columns::{Columns, is_space};
use super::window::ROOM;
use crate::limits::MAX_SNIPPET_CHARS;

/// A sentence or line that begins so many columns before the match is near.
const NEAR: usize = 120;
/// Where none is near, the excerpt starts so many columns before the match.
const LEAD: usize = 50;
/// The excerpt ends between words if so many columns before its bound are enough for that.
const TAIL: usize = 24;

/// The start of a text, at most `max_chars` characters, and whether any was left out. Cut between graphemes and
/// before a range of `protect` (bytes, ascending) that the cut would go through; the start is empty where such a
/// range begins the text and is longer than the bound. A grapheme longer than the bound is cut between
/// characters.
///
/// ```
/// use session_search_core::snippet::cut_characters;
/// assert_eq!(cut_characters("abc", 3, &[]), ("abc", false));
/// assert_eq!(cut_characters("ab\u{1F468}\u{200D}\u{1F4BB}", 4, &[]), ("ab", true));
/// assert_eq!(cut_characters("key [REDACTED:aws]", 9, &[4..18]), ("key ", true));
/// ```
#[must_use]
pub fn cut_characters<'t>(text: &'t str, max_chars: usize, protect: &[Range<usize>]) -> (&'t str, bool) {
    // No character takes more than four bytes, so a short text need not be counted.
    if text.len() <= max_chars {
        return (text, false);
    }
    let Some((end, _)) = text.char_indices().nth(max_chars) else { return (text, false) };
    let between = grapheme_at_or_before(text, end);
    let end = if between == 0 { end } else { between };
    let end = marker_through(protect, end).map_or(end, |marker| marker.start);
    (&text[..text.floor_char_boundary(end)], true)
}

/// The marker that a cut at `at` would go through.
fn marker_through(protect: &[Range<usize>], at: usize) -> Option<&Range<usize>> {
    let next = protect.partition_point(|marker| marker.end <= at);
    protect.get(next).filter(|marker| marker.start < at)
}

/// The last boundary between graphemes at or before `at`, a character boundary.
fn grapheme_at_or_before(text: &str, at: usize) -> usize {
    let mut cursor = GraphemeCursor::new(at, text.len(), true);
    // The whole text is at hand, so the cursor never asks for more.
    if cursor.is_boundary(text, 0) == Ok(true) {
        return at;
    }
    cursor.prev_boundary(text, 0).ok().flatten().unwrap_or(0)
}

/// The first boundary between graphemes at or after `at`, a character boundary.
fn grapheme_at_or_after(text: &str, at: usize) -> usize {
    let mut cursor = GraphemeCursor::new(at, text.len(), true);
    if cursor.is_boundary(text, 0) == Ok(true) {
        return at;
    }
    cursor.next_boundary(text, 0).ok().flatten().unwrap_or(text.len())
}

/// The excerpt of `all` around what is `shown`, or at its beginning. `all` has more columns than an excerpt.
pub(super) fn around(
    text: &str,
    columns: &Columns<'_>,
    all: Range<usize>,
    shown: Option<Range<usize>>,
    protect: &[Range<usize>],
) -> Range<usize> {
    let shown = shown.unwrap_or(all.start..all.start);
    let start = start(text, columns, &all, &shown, protect);
    let end = end(text, columns, &all, start, shown.end, protect);
    start..end
}

fn start(
    text: &str,
    columns: &Columns<'_>,
    all: &Range<usize>,
    shown: &Range<usize>,
    protect: &[Range<usize>],
) -> usize {
    let room = ROOM.saturating_sub(columns.between(shown.start, shown.end));
    let behind = columns.between(shown.end, all.end);
    // What the text behind the match does not need goes to the text before it.
    let spare = room.saturating_sub(behind);
    let most = spare.max(room.min(NEAR));
    let here = columns.at(shown.start);
    if columns.between(all.start, shown.start) <= most {
        return all.start;
    }
    let lowest = columns.offset(here - most);
    let begins = |at: &usize| begins_sentence(text, *at);
    let before = text[lowest..shown.start].char_indices().map(|(n, _)| lowest + n);
    let mut places = before.chain(std::iter::once(shown.start).filter(|_| shown.start < text.len()));
    let sentence = if spare > LEAD { places.find(begins) } else { places.rfind(begins) };
    let chosen = sentence.unwrap_or_else(|| {
        let lead = columns.offset(here - most.min(LEAD.max(spare)));
        let space = text[lead..shown.start].find(is_space).map(|n| lead + n);
        let word = space.map(|space| space + text[space..].find(|c| !is_space(c)).unwrap_or(0));
        word.unwrap_or(lead)
    });
    let chosen = marker_through(protect, chosen).map_or(chosen, |marker| text.ceil_char_boundary(marker.end));
    let between = grapheme_at_or_after(text, chosen);
    let start = if between <= shown.start { between } else { chosen.min(shown.start) };
    // A mark that combines with a space is passed together with it, up to the next space.
    start + text[start..shown.start].find(|c| !is_space(c)).unwrap_or(shown.start - start)
}

/// Whether a sentence or line begins at `at`: with something to read, after a line's end or after a full stop.
fn begins_sentence(text: &str, at: usize) -> bool {
    let mut before = text[..at].chars().rev();
    let Some(previous) = before.next() else { return true };
    if text[at..].chars().next().is_none_or(is_space) {
        return false;
    }
    if !is_space(previous) {
        // Scripts that put no space behind a sentence's end.
        let last = if is_closing(previous) { before.next() } else { Some(previous) };
        return matches!(last, Some('。' | '！' | '？' | '।' | '။' | '។'));
    }
    // White space of any length, in which a line may end, then perhaps a full stop. Bounded, since a hostile
    // text may hold nothing else.
    let mut previous = previous;
    for _ in 0..NEAR {
        if matches!(previous, '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}') {
            return true;
        }
        if !is_space(previous) {
            break;
        }
        let Some(next) = before.next() else { return true };
        previous = next;
    }
    let last = if is_closing(previous) { before.next() } else { Some(previous) };
    matches!(last, Some('.' | '!' | '?' | '…' | '؟' | '۔' | '。' | '！' | '？'))
}

/// A quote or bracket that closes behind the full stop.
fn is_closing(c: char) -> bool {
    matches!(c, '"' | '\'' | ')' | ']' | '”' | '’' | '»' | '」' | '』' | '）')
}

fn end(
    text: &str,
    columns: &Columns<'_>,
    all: &Range<usize>,
    start: usize,
    shown: usize,
    protect: &[Range<usize>],
) -> usize {
    let room = MAX_SNIPPET_CHARS - if start > all.start { 2 } else { 0 };
    let from = columns.at(start);
    if columns.between(start, all.end) <= room {
        return all.end;
    }
    let bound = columns.offset(from + room - 2).min(all.end);
    let between = grapheme_at_or_before(text, bound);
    let mut end = if between > start && between >= shown { between } else { bound };
    let earliest = columns.offset(columns.at(end).saturating_sub(TAIL)).max(shown).max(start);
    if earliest < end && !text[end..].starts_with(is_space) {
        end = text[earliest..end].rfind(is_space).map_or(end, |n| earliest + n);
    }
    if let Some(marker) = marker_through(protect, end) {
        end = text.floor_char_boundary(marker.start).max(start);
    }
    start + text[start..end].trim_end_matches(is_space).len()
}
