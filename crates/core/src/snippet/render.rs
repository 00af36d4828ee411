//! Writes an excerpt on one line and finds its matches there.

use std::ops::Range;

use super::Snippet;
use super::columns::is_space;
use crate::query::Match;

/// The excerpt `range` of `text`, with an ellipsis where something is `before` or `after` it.
pub(super) fn render(
    text: &str,
    range: Range<usize>,
    before: bool,
    after: bool,
    matches: &[Match],
) -> Snippet {
    let mut out = String::with_capacity(range.len() + 8);
    if before {
        out.push('…');
        out.push(' ');
    }
    let marked = marked(&range, matches);
    let mut marked = marked.iter().peekable();
    let mut highlights: Vec<Range<usize>> = Vec::new();
    let mut open = None;
    let mut spaced = false;
    for (n, c) in text[range.clone()].char_indices() {
        let at = range.start + n;
        if open.is_some() && marked.peek().is_some_and(|span| span.end <= at) {
            close(&mut open, &out, &mut highlights);
            marked.next();
        }
        if open.is_none() && marked.peek().is_some_and(|span| span.start <= at) {
            open = Some(out.len());
        }
        let space = is_space(c);
        match (space, spaced) {
            (false, _) => out.push(c),
            (true, false) => out.push(' '),
            (true, true) => {}
        }
        spaced = space;
    }
    close(&mut open, &out, &mut highlights);
    if after {
        if !out.is_empty() && !out.ends_with(' ') {
            out.push(' ');
        }
        out.push('…');
    }
    Snippet { text: out, highlights, cut: before || after }
}

fn close(open: &mut Option<usize>, out: &str, highlights: &mut Vec<Range<usize>>) {
    if let Some(start) = open.take().filter(|&start| start < out.len()) {
        highlights.push(start..out.len());
    }
}

/// The parts of `range` that matched, overlapping and touching ones joined.
fn marked(range: &Range<usize>, matches: &[Match]) -> Vec<Range<usize>> {
    let mut joined: Vec<Range<usize>> = Vec::new();
    let until = matches.partition_point(|found| found.span.start < range.end);
    for found in &matches[..until] {
        let span = found.span.start.max(range.start)..found.span.end.min(range.end);
        if span.is_empty() {
            continue;
        }
        match joined.last_mut() {
            Some(last) if span.start <= last.end => last.end = last.end.max(span.end),
            _ => joined.push(span),
        }
    }
    joined
}
