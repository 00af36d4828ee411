//! Authorization headers and cookies, in HTTP, in JSON, on command lines.

use std::ops::Range;

use crate::chars::{at, backward, before, forward, is_alnum, is_blank, is_word, starts_ci};
use crate::literal::{Until, bare, quote_at, skip_blanks};
use crate::span::{Rank, Span};
use crate::value;

/// The credential of `Authorization: Scheme credential`; `end` is where the word ends.
pub(crate) fn authorization(text: &[u8], end: usize) -> Option<Span> {
    let mut i = end;
    if let Some(q) = quote_at(text, i) {
        i += q.len;
    }
    i = skip_blanks(text, i);
    i = match at(text, i) {
        b':' | b'=' | b',' => skip_blanks(text, i + 1),
        b'\'' | b']' => return None,
        _ => return None,
    };
    let mut i = if at(text, i) == b'>' { skip_blanks(text, i + 1) } else { i };
    if let Some(q) = quote_at(text, i) {
        i = skip_blanks(text, i + q.len);
    }
    let word = forward(text, i, 16, is_word);
    let schemed = word > i && is_blank(at(text, word));
    if schemed {
        i = skip_blanks(text, word);
        // The parameters of a digest are secrets of their own.
        if at(text, forward(text, i, 24, is_word)) == b'='
            && quote_at(text, forward(text, i, 24, is_word) + 1).is_some()
        {
            return None;
        }
    }
    let range = bare(text, i, Until::Space);
    let token = &text[range.clone()];
    let refused =
        value::is_placeholder(token) || value::is_reference(token) || token.starts_with(b"[REDACTED:");
    let strong =
        token.len() >= 6 && (value::has_digit(token) || value::mixed_case(token) || token.ends_with(b"="));
    let good = if schemed {
        strong && !is_word_only(token)
    } else {
        value::is_opaque(token, 16) || value::is_uuid(token)
    };
    (!refused && good).then(|| Span::new(range, "authorization", Rank::Named))
}

/// A capitalised or lower-case word, as prose puts after a scheme.
fn is_word_only(token: &[u8]) -> bool {
    token.len() < 14 && token.iter().skip(1).all(u8::is_ascii_lowercase)
}

/// The token after `Bearer ` where no header name stands before it.
pub(crate) fn bearer(text: &[u8], end: usize) -> Option<Span> {
    let i = skip_blanks(text, end);
    if i == end {
        return None;
    }
    let i = quote_at(text, i).map_or(i, |q| i + q.len);
    let range = bare(text, i, Until::Space);
    let token = &text[range.clone()];
    (value::is_opaque(token, 16) && !value::is_placeholder(token) && !value::is_reference(token))
        .then(|| Span::new(range, "authorization", Rank::Named))
}

/// The values in `Cookie: a=b; c=d` and `Set-Cookie: a=b; Path=/`; `end` is where the word `cookie` ends.
pub(crate) fn cookies(text: &[u8], end: usize, out: &mut Vec<Span>) {
    let mut i = quote_at(text, end).map_or(end, |q| end + q.len);
    if at(text, i) != b':' && at(text, i) != b'=' {
        return;
    }
    i = skip_blanks(text, i + 1);
    if let Some(q) = quote_at(text, i) {
        i += q.len;
    }
    for _ in 0..64 {
        let name = i..forward(text, i, 64, |b| is_word(b) || matches!(b, b'.' | b'%'));
        if name.is_empty() || at(text, name.end) != b'=' {
            return;
        }
        let value = forward(text, name.end + 1, 4096, |b| {
            !matches!(b, b';' | b' ' | b'\n' | b'\r' | b'"' | b'\'' | b'\\' | b',' | b'`' | b'<')
        });
        if secret_cookie(&text[name.clone()], &text[name.end + 1..value]) {
            out.push(Span::new(name.end + 1..value, "cookie", Rank::Named));
        }
        if at(text, value) != b';' {
            return;
        }
        i = skip_blanks(text, value + 1);
    }
}

fn secret_cookie(name: &[u8], value: &[u8]) -> bool {
    const NAMES: &[&[u8]] = &[
        b"sess",
        b"sid",
        b"auth",
        b"token",
        b"jwt",
        b"remember",
        b"csrf",
        b"xsrf",
        b"secret",
        b"key",
        b"login",
        b"ticket",
        b"identity",
    ];
    if value::is_placeholder(value) || value::is_reference(value) || value.starts_with(b"[REDACTED:") {
        return false;
    }
    let named = NAMES.iter().any(|n| value::contains_ci(name, n));
    (named && value.len() >= 8 && value::has_digit(value))
        || value::is_opaque(value, 20) && value::turns(value) >= 4
}

/// `user:password` after `curl -u` and the like: the range of the password.
pub(crate) fn user_password(text: &[u8], range: Range<usize>) -> Option<Range<usize>> {
    let value = &text[range.clone()];
    let split = memchr::memchr(b':', value)?;
    let password = range.start + split + 1..range.end;
    let word = &text[password.clone()];
    let known =
        value::is_placeholder(word) || value::is_reference(word) || word.len() < 3 || word.starts_with(b"[");
    (!known && split > 0).then_some(password)
}

/// Whether the word before `at` on this line is a flag that takes a header: `-H`, `--header`.
pub(crate) fn starts_word(text: &[u8], at: usize) -> bool {
    let b = before(text, at);
    !is_alnum(b)
        || crate::chars::after_escape(text, at)
        || starts_ci(text, backward(text, at, 6, is_alnum), "proxy")
}
