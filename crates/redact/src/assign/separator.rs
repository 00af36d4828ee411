//! What stands between a name and its value, and in front of a literal.

use std::ops::Range;

use crate::chars::{at, backward, before, forward, is_alnum, is_blank, starts_ci};
use crate::literal::{quote_at, skip_blanks};

/// The end of an assignment or comparison operator at `i`: up to four of `: = ? + . ! ~ | >` with a `=` or `:` among them.
pub(super) fn operator(text: &[u8], i: usize) -> Option<usize> {
    let wide = text.get(i..i + 3).is_some_and(|b| b == "：".as_bytes() || b == "＝".as_bytes());
    if wide {
        return Some(i + 3);
    }
    let end = forward(text, i, 4, |b| {
        matches!(b, b':' | b'=' | b'?' | b'+' | b'.' | b'!' | b'~' | b'|' | b'>' | b'-')
    });
    let signs = &text[i..end];
    let known = matches!(
        signs,
        b"=" | b":"
            | b":="
            | b"::="
            | b":::="
            | b"?="
            | b"+="
            | b".="
            | b"||="
            | b"??="
            | b"=>"
            | b"->"
            | b"=="
            | b"==="
            | b"!="
            | b"!=="
            | b"=~"
            | b"|="
    );
    if known {
        return Some(end);
    }
    // `=-----BEGIN`, `=.5`: the value begins with one of the signs.
    matches!(at(text, i), b'=' | b':').then_some(i + 1).filter(|_| end > i && !signs.starts_with(b"::"))
}

/// Behind `string =`, `: &str =`: the value of a declaration with a type.
pub(super) fn type_then_equals(text: &[u8], i: usize) -> Option<usize> {
    let mut j = forward(text, i, 2, |b| matches!(b, b'&' | b'*'));
    j = forward(text, j, 24, |b| b.is_ascii_alphabetic() || matches!(b, b'<' | b'>' | b'\'' | b'?'));
    if j == i {
        return None;
    }
    let equals = skip_blanks(text, j);
    (at(text, equals) == b'=' && at(text, equals + 1) != b'=' && equals > j)
        .then(|| skip_blanks(text, equals + 1))
}

/// Behind `value=` or `"value":` after the name's own closing quote and comma.
pub(super) fn member_value(text: &[u8], i: usize) -> Option<usize> {
    let mut j = skip_blanks(text, i);
    if at(text, j) == b',' {
        j = skip_blanks(text, j + 1);
    }
    if let Some(q) = quote_at(text, j) {
        j += q.len;
    }
    if !starts_ci(text, j, "value") {
        return None;
    }
    j += 5;
    if let Some(q) = quote_at(text, j) {
        j += q.len;
    }
    j = skip_blanks(text, j);
    matches!(at(text, j), b'=' | b':').then(|| skip_blanks(text, j + 1))
}

/// Behind `default =` in a block that declares a variable.
pub(super) fn default_of_block(text: &[u8], i: usize) -> Option<usize> {
    let end = text.len().min(i + 200);
    let block = &text[i..end];
    let block = &block[..memchr::memchr(b'}', block).unwrap_or(block.len())];
    let found = memchr::memmem::find(block, b"default")?;
    let equals = skip_blanks(text, i + found + "default".len());
    (at(text, equals) == b'=').then(|| skip_blanks(text, equals + 1))
}

/// Behind what may stand before a literal: `@`, `b`, `String::from(`, `new Key(`.
pub(super) fn prefix_end(text: &[u8], i: usize) -> usize {
    if matches!(at(text, i), b'@' | b'b' | b'r' | b'f' | b'u') && quote_at(text, i + 1).is_some() {
        return i + 1;
    }
    for call in ["String::from(", "String.valueOf(", "new String(", "SecretString::new(", "SecureString("] {
        if starts_ci(text, i, call) {
            return i + call.len();
        }
    }
    i
}

/// Leaves out `Bearer ` and the like at the start of a value.
pub(super) fn trim_scheme(text: &[u8], range: Range<usize>) -> Range<usize> {
    for scheme in ["Bearer ", "Basic ", "Token ", "ApiKey ", "token "] {
        if starts_ci(text, range.start, scheme) && range.len() > scheme.len() {
            return range.start + scheme.len()..range.end;
        }
    }
    range
}

/// Ends a tight value where the next `name=` of a list begins: `a=1,b=2`.
pub(super) fn cut_pairs(text: &[u8], range: Range<usize>) -> Range<usize> {
    let value = &text[range.clone()];
    let Some(comma) = memchr::memchr(b',', value) else { return range };
    let name = forward(value, comma + 1, 32, |b| is_alnum(b) || b == b'_');
    if name > comma + 1 && at(value, name) == b'=' { range.start..range.start + comma } else { range }
}

/// Whether the name stands in a list of `Name=value;` pairs.
pub(super) fn connection_string(text: &[u8], name: usize) -> bool {
    let previous = backward(text, name, 8, is_blank);
    if before(text, previous) == b';' {
        return true;
    }
    let line = &text[name.saturating_sub(160)..name];
    memchr::memchr(b';', line).is_some() && memchr::memchr(b'=', line).is_some()
}
