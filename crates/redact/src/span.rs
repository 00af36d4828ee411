//! Ranges found, and how overlapping ones become one.

use std::cmp::Reverse;
use std::ops::Range;

/// How specific a find is: where two overlap, the more specific one names the marker.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Rank {
    /// A guess from shape and surroundings.
    Guess,
    /// A copy, or the whole of something that held a secret when decoded.
    Derived,
    /// A value with a telling name.
    Named,
    /// A shape of its own.
    Shape,
    /// A private key.
    Key,
}

/// A range of bytes to hide.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) kind: &'static str,
    pub(crate) rank: Rank,
    /// The length of the prefix that told the kind: of two shapes, the one with the longer prefix says more.
    pub(crate) prefix: usize,
}

impl Span {
    pub(crate) fn new(range: Range<usize>, kind: &'static str, rank: Rank) -> Span {
        Span { start: range.start, end: range.end, kind, rank, prefix: 0 }
    }

    pub(crate) fn with_prefix(self, prefix: usize) -> Span {
        Span { prefix, ..self }
    }

    fn weight(&self) -> (Rank, usize) {
        (self.rank, self.prefix)
    }
}

/// Sorts, joins what overlaps or touches, and leaves the markers out.
pub(crate) fn merge(mut spans: Vec<Span>, markers: &[Range<usize>]) -> Vec<Span> {
    spans.retain(|s| s.start < s.end);
    spans.sort_by_key(|s| (s.start, Reverse(s.end), Reverse(s.weight())));
    let mut joined: Vec<Span> = Vec::with_capacity(spans.len());
    for span in spans {
        match joined.last_mut() {
            Some(last) if span.start < last.end || (span.start == last.end && span.kind == last.kind) => {
                last.end = last.end.max(span.end);
                if span.weight() > last.weight() {
                    *last = Span { start: last.start, end: last.end, ..span };
                }
            }
            _ => joined.push(span),
        }
    }
    if markers.is_empty() {
        return joined;
    }
    let mut out = Vec::with_capacity(joined.len());
    let mut next = 0;
    for span in joined {
        while next > 0 && markers[next - 1].end > span.start {
            next -= 1;
        }
        while next < markers.len() && markers[next].end <= span.start {
            next += 1;
        }
        let mut start = span.start;
        while next < markers.len() && markers[next].start < span.end {
            if start < markers[next].start {
                out.push(Span { start, end: markers[next].start, ..span });
            }
            start = start.max(markers[next].end);
            next += 1;
        }
        if start < span.end {
            out.push(Span { start, ..span });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overlaps_become_one_and_take_the_most_specific_kind() {
        let spans = vec![
            Span::new(5..9, "password", Rank::Named),
            Span::new(0..6, "jwt", Rank::Shape),
            Span::new(20..22, "token", Rank::Named),
        ];
        let merged = merge(spans, &[]);
        assert_eq!(
            merged,
            vec![Span::new(0..9, "jwt", Rank::Shape), Span::new(20..22, "token", Rank::Named)]
        );
    }

    #[test]
    fn the_longer_prefix_names_a_shape_and_the_longer_range_is_kept() {
        let short = Span::new(0..40, "openai-api-key", Rank::Shape).with_prefix(3);
        let long = Span::new(0..38, "claude-api-key", Rank::Shape).with_prefix(7);
        for spans in [vec![short, long], vec![long, short]] {
            let merged = merge(spans, &[]);
            assert_eq!(merged, vec![Span { end: 40, ..long }]);
        }
    }

    #[test]
    fn markers_are_left_out() {
        let merged = merge(vec![Span::new(0..30, "token", Rank::Named)], &[5..10, 25..40]);
        assert_eq!(merged.iter().map(|s| (s.start, s.end)).collect::<Vec<_>>(), vec![(0, 5), (10, 25)]);
    }
}
