//! Passwords in URLs: `scheme://user:password@host`. Scheme, user and host stay.

use std::ops::Range;

use crate::chars::{at, backward, forward, is_alnum};
use crate::span::{Rank, Span};
use crate::value;

/// The secret of the URL whose `://` is at `colon`; `slashes` is where the authority begins.
pub(crate) fn userinfo(text: &[u8], colon: usize, slashes: usize) -> Option<Span> {
    let scheme = backward(text, colon, 32, |b| is_alnum(b) || matches!(b, b'+' | b'.' | b'-'));
    if colon - scheme < 2 {
        return None;
    }
    let end = forward(text, slashes, 512, |b| {
        !matches!(b, b' ' | b'\t' | b'\n' | b'\r' | b'"' | b'\'' | b'`' | b'<' | b'>' | b'\\' | b'|')
    });
    let authority = &text[slashes..end];
    let Some(host) = at_sign(authority) else { return cut_off(text, slashes..end) };
    let info = &authority[..host];
    let span =
        |from: usize, to: usize| Some(Span::new(slashes + from..slashes + to, "url-password", Rank::Named));
    match memchr::memchr(b':', info) {
        Some(split) => {
            let (user, password) = (&info[..split], &info[split + 1..]);
            if matches!(password, b"x-oauth-basic" | b"x-oauth-token" | b"") {
                return if value::is_opaque(user, 12) { span(0, split) } else { None };
            }
            let filler = value::is_placeholder(password)
                || value::is_reference(password)
                || password == user
                || password.len() < 3
                || password.starts_with(b"[");
            if filler { None } else { span(split + 1, host) }
        }
        None if value::is_opaque(info, 16) => span(0, host),
        None => None,
    }
}

/// The `@` that ends the user information: the last one before the path. A password may hold `@` and `#` as they are,
/// and `/` where a number or more than a word follows.
fn at_sign(authority: &[u8]) -> Option<usize> {
    let path = memchr::memchr2(b'/', b'?', authority).unwrap_or(authority.len());
    memchr::memrchr(b'@', &authority[..path]).filter(|i| *i > 0)
}

/// `scheme://user:passw` at the very end of a text.
fn cut_off(text: &[u8], authority: Range<usize>) -> Option<Span> {
    if authority.end != text.len() {
        return None;
    }
    let split = memchr::memchr(b':', &text[authority.clone()])?;
    let password = &text[authority.start + split + 1..authority.end];
    let plain = !password.is_empty() && !password.iter().any(|b| matches!(b, b'/' | b'?' | b'.'));
    (plain
        && split > 0
        && value::hard_or_random(password)
        && !password[0].eq(&b'$')
        && !value::is_placeholder(password)
        && at(password, 0) != b'{'
        && value::turns(password) >= 1
        && !password.iter().all(u8::is_ascii_digit))
    .then(|| Span::new(authority.start + split + 1..authority.end, "url-password", Rank::Named))
}
