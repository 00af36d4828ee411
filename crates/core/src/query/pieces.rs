//! Splits what was typed into pieces: at white space, but for phrases in quotes.

use crate::words::is_letter_or_number;

/// A piece of a query.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Piece<'q> {
    /// What is searched for: without `-` and quotes.
    pub(super) text: &'q str,
    /// As typed, without `-`.
    pub(super) typed: &'q str,
    /// In quotes.
    pub(super) quoted: bool,
    /// After a `-`.
    pub(super) excluded: bool,
    /// Stands right behind a closing quote, and so is no operator.
    pub(super) glued: bool,
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
        pieces.push(Piece { text, typed: text, quoted: false, excluded, glued });
        rest = &from[end..];
        glued = false;
    }
}

/// The place of the quote that closes the one which `text` begins with.
fn closing_quote(text: &str) -> Option<usize> {
    text.strip_prefix('"')?.find('"').map(|at| at + 1)
}
