//! Characters that change what a reader sees without being seen: controls, bidirectional marks and tag characters.
//!
//! People get them as visible escapes, machines do not get them at all. `\n` and `\t` stay.

use std::borrow::Cow;

/// Whether a character is shown as an escape to people and removed for machines: C0 and C1 controls but `\n` and `\t`,
/// bidirectional marks, embeddings and isolates, zero-width space, word joiner and invisible operators, the byte order
/// mark, interlinear anchors, line and paragraph separators, tag characters. Joiners (U+200C, U+200D) stay: emoji and
/// several scripts need them.
fn hidden(c: char) -> bool {
    matches!(c,
        '\0'..='\u{8}' | '\u{b}'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{61c}' | '\u{200b}' | '\u{200e}' | '\u{200f}'
        | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
        | '\u{e0000}'..='\u{e007f}')
}

/// Where the first hidden character is.
fn first_hidden(text: &str) -> Option<usize> {
    text.char_indices().find(|(_, c)| hidden(*c)).map(|(at, _)| at)
}

/// Makes hidden characters visible: `\u{1b}` becomes the six characters `\u{1b}`.
///
/// ```
/// assert_eq!(session_search_redact::display::escape("a\u{1b}[31mb\n"), "a\\u{1b}[31mb\n");
/// ```
pub fn escape(text: &str) -> Cow<'_, str> {
    let Some(first) = first_hidden(text) else { return Cow::Borrowed(text) };
    let (head, tail) = text.split_at(first);
    let mut out = String::with_capacity(text.len() + 16);
    out.push_str(head);
    for c in tail.chars() {
        if hidden(c) {
            out.extend(c.escape_unicode());
        } else {
            out.push(c);
        }
    }
    Cow::Owned(out)
}

/// Removes hidden characters.
///
/// ```
/// assert_eq!(session_search_redact::display::strip("a\u{202e}b\t"), "ab\t");
/// ```
pub fn strip(text: &str) -> Cow<'_, str> {
    let Some(first) = first_hidden(text) else { return Cow::Borrowed(text) };
    let (head, tail) = text.split_at(first);
    let mut out = String::with_capacity(text.len());
    out.push_str(head);
    out.extend(tail.chars().filter(|c| !hidden(*c)));
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinary_text_is_borrowed() {
        for text in ["", "plain\n\ttext", "привет", "会议 👩\u{200d}💻"] {
            assert!(matches!(escape(text), Cow::Borrowed(_)), "{text:?}");
            assert!(matches!(strip(text), Cow::Borrowed(_)), "{text:?}");
        }
    }

    #[test]
    fn every_hidden_class_is_handled() {
        for c in ['\0', '\r', '\u{1b}', '\u{7f}', '\u{85}', '\u{200e}', '\u{2066}', '\u{feff}', '\u{e0041}'] {
            let text = format!("a{c}b");
            assert_eq!(strip(&text), "ab");
            assert_eq!(escape(&text), format!("a\\u{{{:x}}}b", u32::from(c)));
        }
    }
}
