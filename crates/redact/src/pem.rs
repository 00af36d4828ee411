//! Private keys in PEM and its relatives: whole, cut at either side, in JSON strings, behind gutters, in one line.
//!
//! The lines that begin and end a block may stay; what is between goes. A body is looked at over at most [`LONGEST`]
//! bytes, which keeps the work linear.

use std::ops::Range;

use memchr::memmem;

use crate::chars::{at, backward, forward, is_alnum};
use crate::span::{Rank, Span};
use crate::value;

/// The longest body looked at: an RSA key of 16,384 bits has about 12 KiB.
const LONGEST: usize = 32 * 1024;

/// What follows a `-----BEGIN` at `begin`, if it is a private key. Returns where the scan may go on, too.
pub(crate) fn from_begin(text: &[u8], begin: usize) -> Option<Span> {
    let label = label(text, begin)?;
    let kind = secret_kind(&text[label.clone()])?;
    let body = label.end..text.len().min(label.end + LONGEST);
    // Only up to the next beginning: what lies behind it is looked at from there.
    let again = next_begin(&text[body.clone()]);
    let near = &text[body.start..body.start + again.unwrap_or(body.len())];
    let stop = memmem::find(near, b"-----END").or_else(|| memmem::find(near, b"---- END"));
    let range = match (stop, again) {
        (Some(stop), _) => body.start..body.start + stop,
        _ => {
            let stop = body.start + again.unwrap_or(body.len());
            let of_lines = lines(text, body.start, stop);
            if of_lines.is_empty() { words(text, body.start, stop) } else { of_lines }
        }
    };
    let range = trim(text, range);
    (range.len() >= 8).then(|| Span::new(range, kind, Rank::Key))
}

/// Where the next block begins.
fn next_begin(text: &[u8]) -> Option<usize> {
    memmem::find_iter(text, b"BEGIN")
        .find(|i| text[..*i].ends_with(b"-----") || text[..*i].ends_with(b"---- "))
        .map(|i| i - 5)
}

/// What stands before a `-----END … PRIVATE KEY-----` at `end` that has no beginning.
pub(crate) fn before_end(text: &[u8], end: usize) -> Option<Span> {
    let label = label(text, end)?;
    let kind = secret_kind(&text[label])?;
    let from = end.saturating_sub(LONGEST);
    let mut start = end;
    for line in Lines::before(text, end) {
        if !line.is_empty() && !is_body(&text[line.clone()]) {
            break;
        }
        if !line.is_empty() {
            start = line.start;
        }
        if start < from {
            break;
        }
    }
    if start == end {
        start = words_before(text, end);
    }
    if start == end || before_is_begun(&text[from..end]) {
        return None;
    }
    let range = trim(text, start..end);
    (range.len() >= 8).then(|| Span::new(range, kind, Rank::Key))
}

/// Whether a beginning stands before, so that the block was found from there.
fn before_is_begun(text: &[u8]) -> bool {
    memmem::rfind(text, b"-----BEGIN").is_some_and(|b| memmem::find(&text[b..], b"-----END").is_none())
}

/// The lines after `Private-Lines: n` of a PuTTY key.
pub(crate) fn putty(text: &[u8], end: usize) -> Option<Span> {
    let stop = text.len().min(end + LONGEST);
    let digits = forward(text, end, 6, |b| b.is_ascii_digit() || b == b' ');
    let range = trim(text, lines(text, digits, stop));
    (range.len() >= 16).then(|| Span::new(range, "putty-private-key", Rank::Key))
}

/// The label between `-----BEGIN ` and `-----`, with its end behind the dashes.
fn label(text: &[u8], at_: usize) -> Option<Range<usize>> {
    let start = at_ + 8;
    let end = forward(text, start, 64, |b| {
        b.is_ascii_uppercase() || b.is_ascii_digit() || matches!(b, b' ' | b'/')
    });
    let dashes = forward(text, end, 6, |b| b == b'-');
    (dashes - end >= 4).then_some(start..dashes)
}

fn secret_kind(label: &[u8]) -> Option<&'static str> {
    memmem::find(label, b"PRIVATE")?;
    Some(if memmem::find(label, b"PGP").is_some() { "pgp-private-key" } else { "private-key" })
}

/// From `start` on, the lines that can belong to a body.
fn lines(text: &[u8], start: usize, stop: usize) -> Range<usize> {
    let mut end = start;
    for line in Lines::after(text, start, stop) {
        let content = &text[line.clone()];
        if content.is_empty() {
            continue;
        }
        if !is_body(content) && !is_header(content) {
            break;
        }
        end = line.end;
    }
    start..end
}

/// As [`lines`], where spaces stand for the line ends, as in a title.
fn words(text: &[u8], start: usize, stop: usize) -> Range<usize> {
    let (mut end, mut i) = (start, start);
    while i < stop {
        let from = forward(text, i, 4, |b| matches!(b, b' ' | b'\t' | b'\n' | b'\r'));
        let to = forward(text, from, stop.saturating_sub(from), |b| {
            is_alnum(b) || matches!(b, b'+' | b'/' | b'=')
        });
        let last = end > start && to == text.len();
        if to == from || !(last || is_body(&text[from..to])) {
            break;
        }
        (end, i) = (to, to);
    }
    start..end
}

/// As [`words`], backwards from `end`.
fn words_before(text: &[u8], end: usize) -> usize {
    let (mut start, mut i) = (end, end);
    let floor = end.saturating_sub(LONGEST);
    while i > floor {
        let to = backward(text, i, 4, |b| matches!(b, b' ' | b'\t' | b'\n' | b'\r'));
        let from = backward(text, to, to - floor, |b| is_alnum(b) || matches!(b, b'+' | b'/' | b'='));
        if from == to || !is_body(&text[from..to]) {
            break;
        }
        (start, i) = (from, from);
    }
    start
}

/// `Proc-Type: 4,ENCRYPTED`, `DEK-Info: …`, `Version: …`, `Comment: …`.
fn is_header(content: &[u8]) -> bool {
    [&b"Proc-Type:"[..], b"DEK-Info:", b"Version:", b"Comment:", b"Hash:", b"Charset:"]
        .iter()
        .any(|h| content.starts_with(h))
}

/// Base64 and nothing else, of a length that words do not have, or a last short line with a digit or sign in it.
fn is_body(content: &[u8]) -> bool {
    let base64 = content.iter().all(|b| is_alnum(*b) || matches!(*b, b'+' | b'/' | b'='));
    base64
        && (content.len() >= 24
            || value::turns(content) >= 2
            || content.contains(&b'=')
            || content.contains(&b'+'))
}

/// Moves both ends inwards to the first and last character of base64, and over what escapes and gutters leave.
fn trim(text: &[u8], range: Range<usize>) -> Range<usize> {
    let Range { mut start, mut end } = range;
    while start < end {
        let b = text[start];
        if b == b'\\' && start + 1 < end {
            start += if matches!(text[start + 1], b'n' | b'r' | b't' | b'\\' | b'"') { 2 } else { 1 };
        } else if is_alnum(b) || matches!(b, b'+' | b'/') && is_alnum(at(text, start + 1)) {
            // A line number.
            let digits = forward(text, start, 7, |b| b.is_ascii_digit());
            if digits > start && matches!(at(text, digits), b'\t' | b' ' | b'|' | b':') {
                start = digits;
            } else {
                break;
            }
        } else {
            start += 1;
        }
    }
    while end > start && !(is_alnum(text[end - 1]) || matches!(text[end - 1], b'=' | b'+' | b'/')) {
        end -= 1;
    }
    // `\n` before the last line: the letter is not base64.
    while end >= start + 2 && text[end - 2] == b'\\' && matches!(text[end - 1], b'n' | b'r' | b't') {
        end -= 2;
        while end > start && matches!(text[end - 1], b'\\' | b' ' | b'\n') {
            end -= 1;
        }
    }
    // The line number of the closing line.
    let digits = backward(text, end, 7, |b| b.is_ascii_digit());
    if digits > start
        && digits < end
        && matches!(text[digits - 1], b' ' | b'\n')
        && matches!(at(text, end), b'\t' | b' ' | b'|' | b':')
    {
        end = digits;
        while end > start && matches!(text[end - 1], b' ' | b'\n' | b'\r' | b'\t') {
            end -= 1;
        }
    }
    start..end
}

/// Lines of a body, each without gutter, quotes, escapes and blanks. A line ends at `\n`, real or as an escape.
pub(crate) struct Lines<'t> {
    text: &'t [u8],
    /// What is left, from either side.
    left: Range<usize>,
    backwards: bool,
}

impl<'t> Lines<'t> {
    pub(crate) fn after(text: &'t [u8], start: usize, stop: usize) -> Lines<'t> {
        Lines { text, left: start..stop.min(text.len()), backwards: false }
    }

    fn before(text: &'t [u8], end: usize) -> Lines<'t> {
        Lines { text, left: end.saturating_sub(LONGEST)..end, backwards: true }
    }

    fn content(&self, line: Range<usize>) -> Range<usize> {
        let Range { mut start, mut end } = line;
        let skip = |b: u8| {
            matches!(
                b,
                b' ' | b'\t'
                    | b'>'
                    | b'|'
                    | b'#'
                    | b'*'
                    | b'"'
                    | b'\''
                    | b'`'
                    | b'\r'
                    | b'-'
                    | b','
                    | b'\\'
                    | b';'
            )
        };
        start = forward(self.text, start, 64, skip).min(end);
        let digits = forward(self.text, start, 7, |b| b.is_ascii_digit()).min(end);
        if digits > start && digits < end && matches!(self.text[digits], b'\t' | b' ' | b'|' | b':') {
            start = forward(self.text, digits, 8, |b| skip(b) || b == b':').min(end);
        }
        while end > start
            && (skip(self.text[end - 1])
                || self.text[end - 1] == b'+' && end >= 2 && matches!(self.text[end - 2], b' ' | b'"'))
        {
            end -= 1;
        }
        // A diff's gutter; a plus inside base64 is followed by more of a full line.
        if at(self.text, start) == b'+' && end > start + 1 && (end - start) % 4 == 1 {
            start += 1;
        }
        start..end
    }
}

/// The last line end, real or escaped: where it begins and ends.
fn last_line_end(text: &[u8]) -> Option<(usize, usize)> {
    memchr::memrchr2_iter(b'\n', b'\\', text).find_map(|i| match text[i] {
        b'\n' => Some((i, i + 1)),
        _ if at(text, i + 1) == b'n' => Some((i, i + 2)),
        _ => None,
    })
}

impl Iterator for Lines<'_> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        if self.left.is_empty() {
            return None;
        }
        let rest = &self.text[self.left.clone()];
        if self.backwards {
            // Lines are short; one search never goes back further than one could be long.
            let skipped = rest.len().saturating_sub(2048);
            let rest = &rest[skipped..];
            let (cut, start) = last_line_end(rest).unwrap_or((0, 0));
            let line = self.left.start + skipped + start..self.left.end;
            self.left.end = self.left.start + skipped + cut;
            return Some(self.content(line));
        }
        let real = memchr::memchr(b'\n', rest).map(|i| (i, i + 1));
        let escaped = memmem::find(&rest[..real.map_or(rest.len(), |r| r.0)], b"\\n").map(|i| (i, i + 2));
        let (cut, next) = escaped.or(real).unwrap_or((rest.len(), rest.len()));
        let line = self.left.start..self.left.start + cut;
        self.left.start += next;
        Some(self.content(line))
    }
}
