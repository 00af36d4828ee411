//! Recovery phrases: twelve to twenty-four short words after a name that says so.

use crate::chars::{forward, line_end};
use crate::literal::{quote_at, skip_space};
use crate::span::{Rank, Span};

/// Words that begin a look; found by the prefilter.
pub(crate) const STEMS: &[&str] = &[
    "seed phrase",
    "recovery phrase",
    "mnemonic",
    "seed words",
    "secret phrase",
    "wallet seed",
    "backup phrase",
];

/// The words after the name that ends at `end`, if they are a phrase.
pub(crate) fn after(text: &[u8], end: usize) -> Option<Span> {
    let limit = line_end(text, end, 24);
    let mut i = end;
    while i < limit && !matches!(text[i], b':' | b'=') {
        i += 1;
    }
    i = skip_space(text, (i + 1).min(text.len()));
    if let Some(q) = quote_at(text, i) {
        i += q.len;
    }
    let start = i;
    let mut last = i;
    let mut count = 0;
    while count < 25 {
        // Numbered lists: `1. word 2. word`.
        let number = forward(text, i, 3, |b| b.is_ascii_digit() || matches!(b, b'.' | b')'));
        let word = skip_space(text, number);
        let end = forward(text, word, 10, |b| b.is_ascii_lowercase());
        if !(3..=8).contains(&(end - word)) {
            break;
        }
        count += 1;
        last = end;
        i = skip_space(text, forward(text, end, 1, |b| b == b','));
        if i == end {
            break;
        }
    }
    matches!(count, 12 | 15 | 18 | 21 | 24).then(|| Span::new(start..last, "recovery-phrase", Rank::Named))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn twelve_words_after_a_name_are_a_phrase() {
        let words = "apple bridge candle dragon engine forest guitar hammer island jungle kitten ladder";
        let text = format!("seed phrase: {words}\n");
        let span = after(text.as_bytes(), "seed phrase".len()).unwrap();
        assert_eq!(&text[span.start..span.end], words);
        assert_eq!(after(b"mnemonic: apple bridge candle", 8), None);
    }
}
