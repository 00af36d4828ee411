//! What a cut leaves at either end of a text: the tail of a token, half a name, lines from the middle of a key.
//!
//! Scrubbing the whole before cutting is what keeps secrets in; this is for texts that arrive cut.

use std::ops::Range;

use crate::chars::{at, forward, is_token, is_word};
use crate::literal::{Until, bare};
use crate::pem::Lines;
use crate::span::{Rank, Span};
use crate::value;

/// Which ends of a text are known to be cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Edges {
    /// Something came before the first byte.
    pub left: bool,
    /// Something comes after the last byte.
    pub right: bool,
}

/// Finds at the edges.
pub(crate) fn find(text: &[u8], edges: Edges, out: &mut Vec<Span>) {
    key_lines(text, edges, out);
    let run = 0..forward(text, 0, 4096, is_token);
    half_name(text, out);
    let min = if edges.left { 16 } else { 24 };
    // Without the flag: only where the text goes on behind it, since a text may consist of an identifier.
    let alone = run.end == text.len();
    if (!alone || edges.left)
        && tail(&text[run.clone()], min, edges.left)
        && matches!(at(text, run.end), 0 | b' ' | b'\n' | b'"' | b'\'' | b',' | b')' | b'\\')
    {
        out.push(Span::new(run, "fragment", Rank::Guess));
    }
    if edges.right {
        let start = crate::chars::backward(text, text.len(), 4096, is_token);
        if start > 0 && tail(&text[start..], 20, true) && value::turns(&text[start..]) >= 8 {
            out.push(Span::new(start..text.len(), "fragment", Rank::Guess));
        }
    }
}

/// Whether a run can be the tail of a token.
fn tail(run: &[u8], min: usize, known: bool) -> bool {
    let digits = run.iter().filter(|b| b.is_ascii_digit()).count();
    let plain = run.iter().all(|b| is_word(*b)) || (known && !value::is_path(run));
    run.len() >= min
        && plain
        && digits > usize::from(!known)
        && value::mixed_case(run)
        && !value::is_uuid(run)
        && !value::is_hex(run)
        && !value::word_like(run)
        && value::entropy(run) >= 3.3
        && value::turns(run) * 3 >= run.len()
        && (!known || run.iter().any(u8::is_ascii_lowercase))
        && !has_known_prefix(run)
}

/// `toolu_…`, `chatcmpl-…`: identifiers that say what they are.
fn has_known_prefix(run: &[u8]) -> bool {
    let word = forward(run, 0, 12, |b| b.is_ascii_lowercase());
    word >= 3 && matches!(at(run, word), b'_' | b'-')
}

/// `sswd=value` at the very start: half a name.
fn half_name(text: &[u8], out: &mut Vec<Span>) {
    let end = forward(text, 0, 12, |b| b.is_ascii_alphanumeric() || b == b'_');
    let name = text[..end].to_ascii_lowercase();
    const ENDS: &[&[u8]] = &[
        b"sswd",
        b"swd",
        b"wd",
        b"ssword",
        b"sword",
        b"word",
        b"assword",
        b"ecret",
        b"cret",
        b"oken",
        b"ken",
        b"_key",
        b"api_key",
        b"pikey",
        b"ikey",
        b"ssphrase",
    ];
    if !ENDS.contains(&name.as_slice()) || !matches!(at(text, end), b'=' | b':') {
        return;
    }
    let range = bare(text, forward(text, end + 1, 4, |b| b == b' '), Until::Space);
    let value = &text[range.clone()];
    if value::is_opaque(value, 12) && !value::is_placeholder(value) && !value::is_reference(value) {
        out.push(Span::new(range, "fragment", Rank::Guess));
    }
}

/// Lines from the middle of a key: base64 of equal length, from the start of the text or to its end, and no sign of a
/// certificate, a public key or a picture.
fn key_lines(text: &[u8], edges: Edges, out: &mut Vec<Span>) {
    let public = [&b"BEGIN CERT"[..], b"PUBLIC KEY", b"END CERT", b"base64,", b"Content-Transfer-Encoding"]
        .iter()
        .any(|w| memchr::memmem::find(text, w).is_some());
    if public || text.len() < 64 {
        return;
    }
    let mut lines: Vec<Range<usize>> = Vec::new();
    let mut rest = false;
    for line in Lines::after(text, 0, 16 * 1024) {
        if line.is_empty() {
            continue;
        }
        if !text[line.clone()].iter().all(|b| b.is_ascii_alphanumeric() || matches!(*b, b'+' | b'/' | b'=')) {
            rest = true;
            break;
        }
        lines.push(line);
    }
    let (Some(first), Some(last)) = (lines.first(), lines.last()) else { return };
    let longest = lines.iter().map(Range::len).max().unwrap_or(0);
    let full = lines.iter().filter(|l| l.len() == longest).count();
    let inner = lines.len().saturating_sub(2);
    let known = edges.left || edges.right;
    let whole = first.start <= 8 && (!rest || full >= 2);
    let enough = full >= 2 || (full == 1 && lines.len() == 3 && lines[1].len() == longest);
    let picture = [&b"iVBOR"[..], b"/9j/", b"R0lGOD", b"UklGR", b"JVBER", b"AAAAI", b"UEsDB", b"H4sI"]
        .iter()
        .any(|m| text[first.clone()].starts_with(m));
    let turns: usize =
        lines.iter().filter(|l| l.len() == longest).map(|l| value::turns(&text[l.clone()])).sum();
    // Two in five for random lines, give or take as many as a few lines allow.
    // A random line without a digit is rare, but lines are many.
    let dry = lines.iter().filter(|l| l.len() == longest && !value::has_digit(&text[(*l).clone()])).count();
    let random = turns * 4 >= full * longest
        && dry <= full / 4
        && lines.iter().filter(|l| l.len() == longest).all(|l| noise(&text[l.clone()]));
    if (60..=80).contains(&longest)
        && whole
        && enough
        && full + 2 >= lines.len()
        && random
        && !picture
        && (known || inner + 2 >= lines.len())
    {
        out.push(Span::new(first.start..last.end, "private-key", Rank::Guess));
    }
}

fn noise(line: &[u8]) -> bool {
    value::mixed_case(line) && value::entropy(line) >= 4.5 && value::turns(line) * 9 >= line.len()
}
