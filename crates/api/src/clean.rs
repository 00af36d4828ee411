//! The last thing that happens to every text before it leaves: scrubbed as a whole, and rid of characters that hide
//! or reorder what a reader sees.

use std::borrow::Cow;
use std::sync::Arc;

use session_search_core::limits;
use session_search_redact::{Redactor, display};

/// A text that may leave.
pub(crate) struct Clean {
    /// The text.
    pub(crate) text: String,
    /// Whether anything was replaced by a marker.
    pub(crate) redacted: bool,
}

/// Scrubs and strips.
#[derive(Debug, Clone)]
pub(crate) struct Cleaner {
    redactor: Arc<Redactor>,
}

impl Cleaner {
    pub(crate) fn new(redactor: Arc<Redactor>) -> Cleaner {
        Cleaner { redactor }
    }

    /// Scrubs only: what the index was built from.
    pub(crate) fn scrub<'t>(&self, text: &'t str) -> Scrubbed<'t> {
        let scrubbed = self.redactor.scrub(text);
        Scrubbed { redacted: scrubbed.redacted(), text: scrubbed.text }
    }

    /// Scrubs a whole text, then strips it. What comes to light only when hidden characters are gone is scrubbed too.
    pub(crate) fn clean(&self, text: &str) -> Clean {
        let first = self.scrub(text);
        let (text, again) = match self.strip(&first.text) {
            None => (first.text.into_owned(), false),
            Some((stripped, again)) => (stripped, again),
        };
        Clean { text, redacted: first.redacted || again }
    }

    /// Strips a scrubbed text, and scrubs it once more; whether that found anything. `None` where there was nothing
    /// to strip.
    pub(crate) fn strip(&self, scrubbed: &str) -> Option<(String, bool)> {
        let Cow::Owned(stripped) = strip(scrubbed) else { return None };
        let again = self.redactor.scrub(&stripped);
        let found = again.redacted();
        Some(if found { (again.text.into_owned(), true) } else { (stripped, false) })
    }

    /// A title or a hint: clean, on one line, within the bound of titles. One that was stored at that bound may end in
    /// half a secret, which no rule knows: it loses its last token.
    pub(crate) fn title(&self, text: &str) -> String {
        let clean = self.clean(text).text;
        let cut = text.chars().count() >= limits::MAX_TITLE_CHARS;
        limits::title(if cut { without_half_token(&clean) } else { &clean })
    }

    /// Strips a text that is shown with its secrets, for the operator who asked for that.
    pub(crate) fn bare(text: &str) -> Clean {
        Clean { text: strip(text).into_owned(), redacted: false }
    }
}

/// A scrubbed text.
pub(crate) struct Scrubbed<'t> {
    pub(crate) text: Cow<'t, str>,
    pub(crate) redacted: bool,
}

/// The text without a token at its very end: eight characters or more that are no plain word.
fn without_half_token(text: &str) -> &str {
    let start = text.trim_end_matches(|c: char| c.is_ascii_graphic()).len();
    let run = &text.as_bytes()[start..];
    let odd = |b: &u8| !b.is_ascii_lowercase();
    if run.len() >= 8 && run.iter().skip(1).any(odd) && !text.ends_with(']') { &text[..start] } else { text }
}

/// Line separators of all kinds become newlines, so that words do not run together; then hidden characters go.
pub(crate) fn strip(text: &str) -> Cow<'_, str> {
    let separator = |c: char| matches!(c, '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}');
    if !text.contains(separator) {
        return display::strip(text);
    }
    let lines = text.replace("\r\n", "\n").replace(separator, "\n");
    Cow::Owned(display::strip(&lines).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_at_its_bound_loses_half_a_token() {
        let cleaner = Cleaner::new(Arc::new(Redactor::built_in()));
        let token = ["sk", "-", "q7Zt4mXv9TqL2wRk8ZcN6bHd3YsJ7fPg5KtWe1Qa4Vn6"].concat();
        for words in 150..200 {
            let whole = format!("{} {token}", "a".repeat(words));
            let title = cleaner.title(&limits::title(&whole));
            let shown = token.as_bytes().windows(8).any(|w| title.contains(std::str::from_utf8(w).unwrap()));
            assert!(!shown, "{title}");
        }
        let plain = "words of no secret ".repeat(20);
        assert_eq!(cleaner.title(&limits::title(&plain)), limits::title(&plain));
        assert_eq!(cleaner.title(&"é".repeat(300)).chars().count(), 200);
    }
}
