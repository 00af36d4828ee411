//! Words: one pure, versioned function that prepares text for the index, splits what is typed, and finds the
//! places that an excerpt shows.
//!
//! # Terms
//!
//! A text becomes a sequence of *terms*, each with the bytes of the text it stands for ([`tokens`]); joined by
//! single spaces they are what the full-text table is fed with ([`prepare`]). The table splits at spaces and
//! changes nothing: a term holds folded letters, marks and digits, and of ASCII's symbols only those in
//! [`TOKENCHARS`].
//!
//! The sequence has two halves. The **main** half follows the text:
//!
//! - a **word**, a maximal run of letters, marks and digits, is one term, folded;
//! - a run of a script written without spaces, and of Hangul, of *n* characters is *n* terms: the *n*−1
//!   overlapping pairs, then the last character alone. So the term at each place begins with the character of
//!   that place, which is what makes substrings of every length findable (see [`crate::query`]);
//! - an emoji sequence is a word; `c++`, `c#` and `.net` are words;
//! - a skipped range (a marker of redaction) is a [`Kind::Break`], over which no phrase runs.
//!
//! The **extra** half holds what else a word is found by, in groups, each after a [`Kind::Break`]: the parts of
//! an identifier (`getUserName`: `get user name`), the bare form of `c++` (`c`), of a keycap (its digit), of an
//! emoji with a skin tone (the emoji without it).
//!
//! # Folding
//!
//! Default-ignorable characters (zero-width, bidirectional, soft hyphen, variation selectors) and the Arabic
//! tatweel are skipped, so they split no word. Then NFKC, full case folding with dotted and dotless i alike,
//! and decimal digits of every script as ASCII digits. Marks are dropped on Latin, Greek, Arabic and Hebrew
//! letters and on digits; on Cyrillic ones the stress marks (on `г` and `к` they make other letters) and the
//! dots of `ё`; all others stay.
//!
//! # Changing it
//!
//! The index holds what this function gave when a text was stored, and a deletion must give the same again:
//! any change of its output needs a new [`WORDS_VERSION`]. A hash over all of Unicode in the tests notices.

mod class;
mod emoji;
mod folding;
mod parts;
mod scan;
mod scripts;
mod symbols;
mod token;

use std::ops::Range;

pub use folding::fold;
pub use token::{Kind, Prepared, Token};

pub(crate) use scripts::{is_emoji, is_flag_half, is_letter_or_number};
pub(crate) use symbols::signed_forms;
pub(crate) use token::Sink;

/// Version of the output of this module; part of the version of every index.
pub const WORDS_VERSION: u32 = 1;

/// The ASCII characters other than letters and digits that stand in terms.
pub const TOKENCHARS: &str = "+#.";

/// The term that stands for a [`Kind::Break`]: a private-use character that is in no word.
pub const SEPARATOR: &str = "\u{E000}";

/// A word counts by its first so many bytes (full-text tables cut at 32,768).
pub const MAX_TERM_BYTES: usize = 32_000;

/// Splits a text into its terms: the main half in the order of the text, then the extra half.
///
/// `skip` are byte ranges that hold no word (markers of redaction), in ascending order; they act as breaks.
///
/// ```
/// use session_search_core::words::{Kind, tokens};
/// let text = "修改youer服务端";
/// let terms: Vec<_> = tokens(text, &[]).into_iter().map(|t| t.term).collect();
/// assert_eq!(terms, ["修改", "改", "youer", "服务", "务端", "端"]);
/// let all = tokens("getUserName()", &[]);
/// let spelled: Vec<_> = all.iter().filter(|t| t.kind != Kind::Break).map(|t| (t.term.as_str(), t.span.clone())).collect();
/// assert_eq!(spelled, [("getusername", 0..11), ("get", 0..3), ("user", 3..7), ("name", 7..11)]);
/// ```
#[must_use]
pub fn tokens(text: &str, skip: &[Range<usize>]) -> Vec<Token> {
    let mut sink = token::Collect::default();
    scan_into(text, skip, &mut sink);
    sink.finish()
}

/// The terms of a text as the full-text table takes them, separated by single spaces; the same that [`tokens`]
/// gives.
///
/// ```
/// use session_search_core::words::prepare;
/// let prepared = prepare("Straße, CAFÉ", &[]);
/// assert_eq!((prepared.terms.as_str(), prepared.words), ("strasse cafe", 2));
/// ```
#[must_use]
pub fn prepare(text: &str, skip: &[Range<usize>]) -> Prepared {
    let mut sink = token::Write::with_capacity(text.len());
    scan_into(text, skip, &mut sink);
    sink.finish()
}

/// Feeds the terms of a text to `sink`, main and extra ones interleaved.
pub(crate) fn scan_into<S: Sink>(text: &str, skip: &[Range<usize>], sink: &mut S) {
    let mut scanner = scan::Scanner::new(sink);
    let mut from = 0;
    for range in skip {
        let start = text.floor_char_boundary(range.start.max(from));
        let end = text.ceil_char_boundary(range.end.max(start));
        if start >= end {
            continue;
        }
        scanner.segment(&text[from..start], from);
        scanner.sink.gap();
        from = end;
    }
    scanner.segment(&text[from..], from);
}
