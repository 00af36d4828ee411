//! Excerpts: the part of a text that shows why it was found, on one line.

mod columns;
mod cut;
mod render;
mod window;

use std::fmt;
use std::ops::Range;

pub use cut::cut_characters;

use crate::limits::MAX_SNIPPET_CHARS;
use crate::query::{Clause, Occurrences, Query};
use columns::Columns;

/// An excerpt of a text.
#[derive(Clone, PartialEq, Eq)]
pub struct Snippet {
    /// On one line, white space folded; an ellipsis and a space at each end where the text goes on. At most
    /// [`MAX_SNIPPET_CHARS`] characters, ellipses included.
    pub text: String,
    /// The bytes of `text` that matched, in order, not touching each other.
    pub highlights: Vec<Range<usize>>,
    /// Whether anything but white space was left out.
    pub cut: bool,
}

impl fmt::Debug for Snippet {
    /// Shows sizes only.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "Snippet({} bytes, {} highlights, cut: {})",
            self.text.len(),
            self.highlights.len(),
            self.cut
        )
    }
}

/// Cuts the excerpt of `text` that shows the most different words of `query`, and of those the one where they
/// stand nearest to each other, then the first; the beginning where none occurs.
///
/// `protect` are byte ranges (markers of redaction), in ascending order, which hold no word and are never cut
/// through. The excerpt starts at a sentence or line where one is near, else between words, and is cut between
/// graphemes (within one only if it is longer than the whole excerpt).
///
/// ```
/// use session_search_core::query::Query;
/// use session_search_core::snippet::snippet;
/// let query = Query::parse("backoff")?;
/// let found = snippet("We chose\n  exponential backoff.", &query, &[]);
/// assert_eq!(found.text, "We chose exponential backoff.");
/// assert_eq!(&found.text[found.highlights[0].clone()], "backoff");
/// # Ok::<(), session_search_core::query::QueryError>(())
/// ```
#[must_use]
pub fn snippet(text: &str, query: &Query, protect: &[Range<usize>]) -> Snippet {
    around(text, query, protect, &query.occurrences(text, protect))
}

/// [`snippet`], where the text was read already.
#[must_use]
pub fn around(text: &str, query: &Query, protect: &[Range<usize>], occurrences: &Occurrences) -> Snippet {
    let matches = occurrences.matches();
    let columns = Columns::new(text);
    let all = text.trim_start_matches(columns::is_space).len();
    let all = text.len() - all..text.trim_end_matches(columns::is_space).len();
    if all.is_empty() || columns.between(all.start, all.end) <= MAX_SNIPPET_CHARS {
        return render::render(text, all.start..all.end.max(all.start), false, false, &matches);
    }
    let weights: Vec<usize> = query.clauses().map(|(_, clause)| Clause::words(clause)).collect();
    let shown = window::best(&columns, &matches, &weights);
    let excerpt = cut::around(text, &columns, all.clone(), shown, protect);
    let (before, after) = (excerpt.start > all.start, excerpt.end < all.end);
    render::render(text, excerpt, before, after, &matches)
}
