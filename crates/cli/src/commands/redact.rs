//! `sessions redact`: a filter that scrubs credentials, and keeps the lines.

use std::borrow::Cow;
use std::io::{self, Read};
use std::ops::Range;

use memchr::{memmem, memrchr};
use serde::Serialize;
use session_search_redact::{Redactor, UNAVAILABLE};

use super::Work;
use crate::args::RedactArgs;
use crate::error::Failure;

/// Where a credential stands, and what it is; never what it says.
#[derive(Debug, PartialEq, Eq, Serialize)]
struct Place {
    kind: &'static str,
    /// From 1.
    line: usize,
    /// In characters, from 1.
    column: usize,
}

#[derive(Serialize)]
struct Report {
    findings: Vec<Place>,
}

/// So many bytes are read before a piece is scanned and written.
const PIECE: usize = 8 << 20;
/// Beyond so many bytes a piece ends at any line, also within what looks like a private key.
const LONGEST: usize = 4 * PIECE;

pub(super) fn run(work: &Work, args: &RedactArgs) -> Result<(), Failure> {
    let redactor = work.redactor()?;
    let mut stdin = io::stdin().lock();
    let mut findings = Vec::new();
    let mut lines = 0;
    pieces(&mut stdin, |bytes| {
        let piece = Piece::new(bytes);
        if !args.report {
            return work.output.bytes(&scrubbed(&redactor, &piece));
        }
        findings.extend(places(&redactor, &piece.text, lines));
        lines += piece.text.matches('\n').count();
        Ok(())
    })?;
    if !args.report {
        return Ok(());
    }
    if work.output.json {
        return work.output.document(&Report { findings });
    }
    let shown = |place: &Place| format!("line {}, column {}: {}\n", place.line, place.column, place.kind);
    work.output.text(&findings.iter().map(shown).collect::<String>())
}

/// Reads to the end, and hands on pieces that end with lines and not within a private key.
fn pieces(source: &mut impl Read, mut each: impl FnMut(&[u8]) -> Result<(), Failure>) -> Result<(), Failure> {
    let mut held = Vec::new();
    loop {
        let read = source
            .by_ref()
            .take(PIECE as u64)
            .read_to_end(&mut held)
            .map_err(|error| Failure::input(&error))?;
        if read < PIECE {
            return each(&held);
        }
        if let Some(end) = piece_end(&held, LONGEST) {
            each(&held[..end])?;
            held.drain(..end);
        }
    }
}

/// Where a piece can end: behind the last line that is no part of a key which goes on.
fn piece_end(held: &[u8], longest: usize) -> Option<usize> {
    let open = memmem::rfind(held, b"-----BEGIN")
        .filter(|begin| memmem::find(&held[*begin..], b"-----END").is_none())
        .unwrap_or(held.len());
    let before = memrchr(b'\n', &held[..open]);
    let any = if held.len() >= longest { memrchr(b'\n', held) } else { None };
    before.or(any).map(|at| at + 1)
}

/// A piece as text, with the bytes that are none: they pass as they are.
struct Piece<'b> {
    text: Cow<'b, str>,
    /// Where a replacement character stands for bytes, and which.
    odd: Vec<(usize, &'b [u8])>,
}

impl<'b> Piece<'b> {
    fn new(bytes: &'b [u8]) -> Piece<'b> {
        if let Ok(text) = std::str::from_utf8(bytes) {
            return Piece { text: Cow::Borrowed(text), odd: Vec::new() };
        }
        let (mut text, mut odd) = (String::with_capacity(bytes.len()), Vec::new());
        for chunk in bytes.utf8_chunks() {
            text.push_str(chunk.valid());
            if !chunk.invalid().is_empty() {
                odd.push((text.len(), chunk.invalid()));
                text.push(char::REPLACEMENT_CHARACTER);
            }
        }
        Piece { text: Cow::Owned(text), odd }
    }

    /// A range of the text as it came.
    fn push(&self, range: Range<usize>, out: &mut Vec<u8>) {
        let mut from = range.start;
        let first = self.odd.partition_point(|(at, _)| *at < range.start);
        for (at, bytes) in self.odd[first..].iter().take_while(|(at, _)| *at < range.end) {
            out.extend_from_slice(&self.text.as_bytes()[from..*at]);
            out.extend_from_slice(bytes);
            from = at + char::REPLACEMENT_CHARACTER.len_utf8();
        }
        out.extend_from_slice(&self.text.as_bytes()[from.min(range.end)..range.end]);
    }
}

/// Scrubs, and puts the ends of the lines that a find covered behind its marker.
fn scrubbed(redactor: &Redactor, piece: &Piece<'_>) -> Vec<u8> {
    let text = &*piece.text;
    let scrubbed = redactor.scrub(text);
    let mut out = Vec::with_capacity(text.len());
    // A text that could not be scanned is replaced as a whole.
    if scrubbed.text == UNAVAILABLE && scrubbed.redacted() {
        out.extend_from_slice(UNAVAILABLE.as_bytes());
        out.extend_from_slice(ends(text).as_bytes());
        return out;
    }
    let mut from = 0;
    for finding in &scrubbed.findings {
        piece.push(from..finding.range.start, &mut out);
        out.extend_from_slice(format!("[REDACTED:{}]", finding.kind).as_bytes());
        out.extend_from_slice(ends(&text[finding.range.clone()]).as_bytes());
        from = finding.range.end;
    }
    piece.push(from..text.len(), &mut out);
    out
}

/// The ends of the lines in a text, one after the other.
fn ends(covered: &str) -> String {
    let end = |line: &str| if line.ends_with("\r\n") { "\r\n" } else { "\n" };
    covered.split_inclusive('\n').filter(|line| line.ends_with('\n')).map(end).collect()
}

/// Where the credentials of a text are, whose first line has `before` lines before it.
fn places(redactor: &Redactor, text: &str, before: usize) -> Vec<Place> {
    let mut places = Vec::new();
    let (mut at, mut line, mut start) = (0, before + 1, 0);
    for finding in redactor.find(text) {
        let skipped = &text[at..finding.range.start];
        line += skipped.matches('\n').count();
        if let Some(end) = skipped.rfind('\n') {
            start = at + end + 1;
        }
        at = finding.range.start;
        places.push(Place { kind: finding.kind, line, column: text[start..at].chars().count() + 1 });
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_end_with_lines_and_keep_keys_whole() {
        assert_eq!(piece_end(b"abc", 8), None);
        assert_eq!(piece_end(b"ab\ncd", 8), Some(3));
        assert_eq!(piece_end(b"a\n-----BEGIN X\nbody\n", 80), Some(2));
        assert_eq!(piece_end(b"-----BEGIN X\nbody\n", 80), None);
        assert_eq!(piece_end(b"-----BEGIN X\nbody\n", 8), Some(18));
        assert_eq!(piece_end(b"-----BEGIN X\nbody\n-----END X\nz", 80), Some(29));
    }

    #[test]
    fn every_byte_is_handed_on_once() {
        let line = b"a line of thirty characters..\n";
        let bytes = line.repeat(3 * PIECE / line.len() + 17);
        for input in [&bytes[..], b"", b"no end", &bytes[..PIECE]] {
            let mut seen = Vec::new();
            let mut source = input;
            pieces(&mut source, |piece| {
                seen.extend_from_slice(piece);
                Ok(())
            })
            .unwrap_or_else(|_| panic!("reading a slice does not fail"));
            assert!(seen == input);
        }
    }

    #[test]
    fn bytes_that_are_no_text_pass_unchanged() {
        let token = ["gh", "p_", "16C7e42F292c6912E7710c838347Ae178B4a"].concat();
        let bytes = [&b"\xff\xfe a\x80"[..], token.as_bytes(), b" \xf0\x9f b\0\r\n\xc3"].concat();
        let out = scrubbed(&Redactor::built_in(), &Piece::new(&bytes));
        assert_eq!(out, b"\xff\xfe a\x80[REDACTED:github-token] \xf0\x9f b\0\r\n\xc3");
    }
}
