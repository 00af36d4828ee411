//! Classes of bytes. ASCII only: a boundary must not depend on what Unicode calls a letter, or a token glued to Chinese
//! text would have none.

/// A letter or digit.
pub(crate) const fn is_alnum(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
}

/// What identifiers and most tokens are made of: letters, digits, `_` and `-`.
pub(crate) const fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-'
}

/// What encoded tokens are made of: the above and `+ / = . ~`.
pub(crate) const fn is_token(byte: u8) -> bool {
    is_word(byte) || matches!(byte, b'+' | b'/' | b'=' | b'.' | b'~')
}

/// The alphabet of base64, both variants, with padding.
pub(crate) const fn is_base64(byte: u8) -> bool {
    is_word(byte) || matches!(byte, b'+' | b'/' | b'=')
}

/// Space or tab.
pub(crate) const fn is_blank(byte: u8) -> bool {
    byte == b' ' || byte == b'\t'
}

/// The byte at `at`, or 0 outside the text.
pub(crate) fn at(text: &[u8], at: usize) -> u8 {
    text.get(at).copied().unwrap_or(0)
}

/// The byte before `at`, or 0 at the start.
pub(crate) fn before(text: &[u8], at: usize) -> u8 {
    if at == 0 { 0 } else { text.get(at - 1).copied().unwrap_or(0) }
}

/// Moves `at` forward while `class` holds, over at most `limit` bytes.
pub(crate) fn forward(text: &[u8], at: usize, limit: usize, class: impl Fn(u8) -> bool) -> usize {
    let end = text.len().min(at.saturating_add(limit));
    let mut i = at;
    while i < end && class(text[i]) {
        i += 1;
    }
    i
}

/// Moves `at` backward while `class` holds for the byte before, over at most `limit` bytes.
pub(crate) fn backward(text: &[u8], at: usize, limit: usize, class: impl Fn(u8) -> bool) -> usize {
    let start = at.saturating_sub(limit);
    let mut i = at;
    while i > start && class(text[i - 1]) {
        i -= 1;
    }
    i
}

/// Whether `text[at..]` begins with `what`, ASCII case ignored.
pub(crate) fn starts_ci(text: &[u8], at: usize, what: &str) -> bool {
    text.get(at..at.saturating_add(what.len())).is_some_and(|t| t.eq_ignore_ascii_case(what.as_bytes()))
}

/// Whether the bytes before `at` are an escape that separates words although it ends in a letter or digit: `\n`, `\t`,
/// `\r`, `\u5bc6`, `%3D`.
pub(crate) fn after_escape(text: &[u8], at: usize) -> bool {
    let byte = |back: usize| if at >= back { text[at - back] } else { 0 };
    if at >= 2 && byte(2) == b'\\' && matches!(byte(1), b'n' | b't' | b'r' | b'f' | b'b') {
        return true;
    }
    if at >= 3 && byte(3) == b'%' && byte(2).is_ascii_hexdigit() && byte(1).is_ascii_hexdigit() {
        return true;
    }
    at >= 6 && byte(6) == b'\\' && byte(5) == b'u' && text[at - 4..at].iter().all(u8::is_ascii_hexdigit)
}

/// The start of the line that holds `at`, at most `limit` bytes back.
pub(crate) fn line_start(text: &[u8], at: usize, limit: usize) -> usize {
    backward(text, at, limit, |b| b != b'\n')
}

/// The end of the line that holds `at`, at most `limit` bytes on.
pub(crate) fn line_end(text: &[u8], at: usize, limit: usize) -> usize {
    forward(text, at, limit, |b| b != b'\n')
}
