//! Where a value begins and ends: quotes of every sort and depth, and values without quotes.

use std::ops::Range;

use crate::chars::{at, is_blank};

/// The longest value looked at.
const LONGEST: usize = 4096;
/// The longest without quotes. Short, since names that follow each other without white space each read what is behind.
const LONGEST_BARE: usize = 1024;

/// A quotation mark as written: plain, behind backslashes, as an HTML entity, percent-encoded or as a JSON escape.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Quote {
    /// `"`, `'` or `` ` ``.
    pub(crate) mark: u8,
    /// Bytes that it takes.
    pub(crate) len: usize,
    /// Backslashes before it: the depth of nesting.
    depth: usize,
}

/// The quotation mark at `i`.
pub(crate) fn quote_at(text: &[u8], i: usize) -> Option<Quote> {
    let plain = |mark, len| Some(Quote { mark, len, depth: 0 });
    match at(text, i) {
        mark @ (b'"' | b'\'' | b'`') => plain(mark, 1),
        b'\\' => {
            let mut depth = 0;
            while depth < 16 && at(text, i + depth) == b'\\' {
                depth += 1;
            }
            match at(text, i + depth) {
                mark @ (b'"' | b'\'' | b'`') => Some(Quote { mark, len: depth + 1, depth }),
                b'u' => match text.get(i + depth + 1..i + depth + 5)? {
                    b"0022" => Some(Quote { mark: b'"', len: depth + 5, depth }),
                    b"0027" => Some(Quote { mark: b'\'', len: depth + 5, depth }),
                    _ => None,
                },
                _ => None,
            }
        }
        b'&' => [("&quot;", b'"'), ("&#34;", b'"'), ("&#39;", b'\''), ("&#x27;", b'\''), ("&apos;", b'\'')]
            .iter()
            .find(|(name, _)| text[i..].starts_with(name.as_bytes()))
            .and_then(|(name, mark)| plain(*mark, name.len())),
        b'%' => match text.get(i + 1..i + 3)? {
            b"22" => plain(b'"', 3),
            b"27" => plain(b'\'', 3),
            _ => None,
        },
        _ => None,
    }
}

/// The inside of a quoted value that opens at `i`, and whether it was closed on its line.
pub(crate) fn quoted(text: &[u8], i: usize, open: Quote) -> (Range<usize>, bool) {
    let start = i + open.len;
    let end = text.len().min(start + LONGEST);
    let mut j = start;
    while j < end {
        match text[j] {
            b'\n' => return (start..j, false),
            b'"' | b'\'' | b'`' | b'\\' | b'&' | b'%' => match quote_at(text, j) {
                Some(q) if q.mark == open.mark && q.depth <= open.depth => return (start..j, true),
                Some(q) => j += q.len,
                None if text[j] == b'\\' => {
                    while j < end && text[j] == b'\\' {
                        j += 1;
                    }
                }
                None => j += 1,
            },
            _ => j += 1,
        }
    }
    // Cut at a bound or at the end of the text: back to the start of a character.
    while j > start && j < text.len() && (text[j] & 0xc0) == 0x80 {
        j -= 1;
    }
    (start..j, false)
}

/// What ends a value that has no quotes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Until {
    /// White space, quotes, and `, ;` before white space.
    Space,
    /// Also `&` and `#`: a query parameter.
    Query,
    /// Also `;`: a part of a connection string.
    Semicolon,
}

/// The unquoted value at `i`.
pub(crate) fn bare(text: &[u8], i: usize, until: Until) -> Range<usize> {
    let end = text.len().min(i + LONGEST_BARE);
    let mut j = i;
    let mut opened = 0usize;
    while j < end {
        let b = text[j];
        let next = at(text, j + 1);
        match b {
            b'\n' | b'\r' | b' ' | b'\t' | b'"' | b'\'' | b'`' | b'<' => break,
            b'&' if until == Until::Query || (j > i && quote_at(text, j).is_some()) => break,
            b'#' if until == Until::Query => break,
            b';' if until == Until::Semicolon => break,
            b'|' if next == b'\n' || is_blank(next) || next == b'|' || next == 0 => break,
            b',' | b';' if ends_value(next) => break,
            b'\\' if escape_ends(text, j) => break,
            b'(' | b'[' | b'{' => opened += 1,
            b')' | b']' | b'}' if opened > 0 => opened -= 1,
            b')' | b']' | b'}' | b'>'
                if ends_value(next) || matches!(next, b')' | b']' | b'}' | b',' | b';' | b'.' | b':') =>
            {
                break;
            }
            _ => {}
        }
        j += 1;
    }
    while j > i && j < text.len() && (text[j] & 0xc0) == 0x80 {
        j -= 1;
    }
    // A full stop or the like at the end belongs to the sentence; three say that the value is not whole.
    if text[i..j].ends_with(b"...") {
        return i..j;
    }
    while j > i && matches!(text[j - 1], b'.' | b',' | b';' | b':') {
        j -= 1;
    }
    i..j
}

fn ends_value(next: u8) -> bool {
    matches!(next, 0 | b'\n' | b'\r' | b' ' | b'\t' | b'"' | b'\'' | b'`' | b'<' | b'\\')
}

/// Whether a backslash begins an escape that ends a value inside a JSON string, or a line that goes on.
fn escape_ends(text: &[u8], i: usize) -> bool {
    matches!(at(text, i + 1), b'n' | b'r' | b't' | b'"' | b'\'' | b'`' | b'\n' | b'\r' | b'u' | b'\\' | 0)
}

/// Moves over spaces and tabs, written out or as `\t`.
pub(crate) fn skip_blanks(text: &[u8], mut i: usize) -> usize {
    let limit = i + 64;
    while i < limit {
        if is_blank(at(text, i)) {
            i += 1;
        } else if at(text, i) == b'\\' && at(text, i + 1) == b't' {
            i += 2;
        } else {
            break;
        }
    }
    i
}

/// Moves over white space of any sort, line ends and their escapes included.
pub(crate) fn skip_space(text: &[u8], mut i: usize) -> usize {
    let limit = i + 64;
    while i < limit {
        if matches!(at(text, i), b' ' | b'\t' | b'\n' | b'\r') {
            i += 1;
        } else if at(text, i) == b'\\' && matches!(at(text, i + 1), b't' | b'n' | b'r') {
            i += 2;
        } else {
            break;
        }
    }
    i
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inside(text: &str) -> &str {
        let at = text.find(['"', '\'', '\\', '&']).unwrap();
        let open = quote_at(text.as_bytes(), at).unwrap();
        &text[quoted(text.as_bytes(), at, open).0]
    }

    #[test]
    fn quotes_close_at_their_own_depth() {
        assert_eq!(inside(r#"x="a\"b" y"#), r#"a\"b"#);
        assert_eq!(inside(r#"{\"k\": 1}"#), "k");
        assert_eq!(inside(r#"\\\"deep\\\" \"#), "deep");
        assert_eq!(inside("&quot;in html&quot;"), "in html");
        assert_eq!(inside(r"\u0022json\u0022"), "json");
    }

    #[test]
    fn bare_values_leave_what_is_around_them() {
        let bare_str = |text: &'static str, until| &text[bare(text.as_bytes(), 0, until)];
        assert_eq!(bare_str("abc, next", Until::Space), "abc");
        assert_eq!(bare_str("abc&x=1", Until::Query), "abc");
        assert_eq!(bare_str("Wint3r&Sun\nX", Until::Space), "Wint3r&Sun");
        assert_eq!(bare_str(r"abc\nnext", Until::Space), "abc");
        assert_eq!(bare_str("abc)", Until::Space), "abc");
        assert_eq!(bare_str("f(abc);", Until::Space), "f(abc)");
    }
}
