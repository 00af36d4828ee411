//! Splits what was typed into pieces: at white space, but for phrases in quotes.

use std::ops::Range;

use crate::words::is_letter_or_number;

/// A piece of a query.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Piece<'q> {
    /// What is searched for: without `-` and quotes.
    pub(super) text: &'q str,
    /// Where the text begins, in bytes of the query.
    at: usize,
    /// As typed, without `-`.
    pub(super) typed: &'q str,
    /// In quotes.
    pub(super) quoted: bool,
    /// After a `-`.
    pub(super) excluded: bool,
    /// Stands right behind a closing quote, and so is no operator.
    pub(super) glued: bool,
}

impl<'q> Piece<'q> {
    /// What stands before, between and behind the skipped ranges; all of the text where there are none.
    pub(super) fn around(&self, skip: &[Range<usize>]) -> Vec<&'q str> {
        let mut parts = Vec::new();
        let mut from = 0;
        for range in skip {
            let start = self.text.floor_char_boundary(range.start.saturating_sub(self.at).max(from));
            let end = self.text.ceil_char_boundary(range.end.saturating_sub(self.at).max(start));
            if start < end {
                parts.push(&self.text[from..start]);
                from = end;
            }
        }
        parts.push(&self.text[from..]);
        parts
    }
}

fn is_space(c: char) -> bool {
    c.is_whitespace() || c.is_control()
}

/// Splits a query. A quote opens at the start of a piece or after its `-`, if another closes it; what stands
/// right behind the closing one is a piece of ordinary text.
pub(super) fn split(query: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut rest = query;
    let mut glued = false;
    loop {
        let trimmed = rest.trim_start_matches(is_space);
        glued = glued && trimmed.len() == rest.len();
        rest = trimmed;
        if rest.is_empty() {
            return pieces;
        }
        let minus = rest.starts_with('-') && !glued;
        let body = if minus { &rest[1..] } else { rest };
        if let Some(end) = closing_quote(body).filter(|_| !glued) {
            pieces.push(Piece {
                text: &body[1..end],
                at: query.len() - body.len() + 1,
                typed: &body[..=end],
                quoted: true,
                excluded: minus,
                glued: false,
            });
            rest = &body[end + 1..];
            glued = true;
            continue;
        }
        let excluded = minus && body.chars().next().is_some_and(is_letter_or_number);
        let from = if excluded { body } else { rest };
        let end = from.find(is_space).unwrap_or(from.len());
        let text = &from[..end];
        pieces.push(Piece {
            text,
            at: query.len() - from.len(),
            typed: text,
            quoted: false,
            excluded,
            glued,
        });
        rest = &from[end..];
        glued = false;
    }
}

/// The place of the quote that closes the one which `text` begins with.
fn closing_quote(text: &str) -> Option<usize> {
    text.strip_prefix('"')?.find('"').map(|at| at + 1)
}
