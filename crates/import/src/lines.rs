//! Lines of a source, split on byte 0x0A only, in bounded memory; counts, offsets and a hash of what was consumed.

use std::io::{self, Read};

use sha2::{Digest, Sha256};

use crate::elide::Elider;

/// Bytes read at once.
const BLOCK_BYTES: usize = 256 << 10;
/// A line longer than this goes through the [`Elider`].
pub(crate) const LONG_LINE_BYTES: usize = 4 << 20;
/// A line that is longer than this after eliding is given up.
pub(crate) const MAX_LINE_BYTES: usize = 24 << 20;

/// Where a line stood.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Line {
    /// Byte offset of its first byte.
    pub(crate) offset: u64,
    /// Its number, from 1.
    pub(crate) number: u64,
    /// Whether a newline ended it; `false` only at the end of the source.
    pub(crate) terminated: bool,
    /// Whether the middle of long strings was left out.
    pub(crate) elided: bool,
    /// Whether it was too long even so: its text is not there.
    pub(crate) oversize: bool,
}

/// The lines of a source, one at a time.
pub(crate) struct Lines {
    input: Box<dyn Read>,
    block: Vec<u8>,
    at: usize,
    end: usize,
    text: Vec<u8>,
    offset: u64,
    number: u64,
    hasher: Sha256,
    consumed: u64,
    consumed_lines: u64,
    consumed_hash: Sha256,
}

impl Lines {
    /// From the start of the input.
    pub(crate) fn new(input: Box<dyn Read>) -> Lines {
        Lines {
            input,
            block: vec![0; BLOCK_BYTES],
            at: 0,
            end: 0,
            text: Vec::new(),
            offset: 0,
            number: 0,
            hasher: Sha256::new(),
            consumed: 0,
            consumed_lines: 0,
            consumed_hash: Sha256::new(),
        }
    }

    /// Passes over the first `bytes` bytes, which held `lines` lines, where their hash is `hash` (hex). `false`: it
    /// is not, or there are fewer bytes; the input is of no use then.
    ///
    /// # Errors
    /// What the input says.
    pub(crate) fn pass_prefix(&mut self, bytes: u64, lines: u64, hash: &str) -> io::Result<bool> {
        while self.offset < bytes {
            if self.at == self.end && !self.refill()? {
                return Ok(false);
            }
            let there = self.end - self.at;
            let wanted = usize::try_from(bytes - self.offset).unwrap_or(usize::MAX).min(there);
            self.hasher.update(&self.block[self.at..self.at + wanted]);
            self.at += wanted;
            self.offset += wanted as u64;
        }
        self.number = lines;
        self.commit();
        Ok(self.consumed_hash() == hash)
    }

    /// The next line, without its newline in [`Lines::text`]; `None` at the end.
    ///
    /// # Errors
    /// What the input says.
    pub(crate) fn next_line(&mut self) -> io::Result<Option<Line>> {
        self.text.clear();
        let start = self.offset;
        let mut elider: Option<Elider> = None;
        let mut oversize = false;
        loop {
            if self.at == self.end && !self.refill()? {
                if self.offset == start {
                    return Ok(None);
                }
                return Ok(Some(self.line(start, false, elider.is_some(), oversize)));
            }
            let rest = &self.block[self.at..self.end];
            let newline = memchr::memchr(b'\n', rest);
            let piece = &rest[..newline.unwrap_or(rest.len())];
            let taken = piece.len() + usize::from(newline.is_some());
            self.hasher.update(&rest[..taken]);
            if !oversize {
                collect(&mut self.text, &mut elider, piece);
                if self.text.len() > MAX_LINE_BYTES {
                    oversize = true;
                    self.text = Vec::new();
                }
            }
            self.at += taken;
            self.offset += taken as u64;
            if newline.is_some() {
                return Ok(Some(self.line(start, true, elider.is_some(), oversize)));
            }
        }
    }

    fn line(&mut self, offset: u64, terminated: bool, elided: bool, oversize: bool) -> Line {
        self.number += 1;
        Line { offset, number: self.number, terminated, elided, oversize }
    }

    fn refill(&mut self) -> io::Result<bool> {
        loop {
            match self.input.read(&mut self.block) {
                Ok(read) => {
                    (self.at, self.end) = (0, read);
                    return Ok(read > 0);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// The bytes of the line that [`Lines::next_line`] returned last.
    pub(crate) fn text(&self) -> &[u8] {
        &self.text
    }

    /// Gives up a grown buffer after a long line.
    pub(crate) fn trim(&mut self) {
        if self.text.capacity() > LONG_LINE_BYTES {
            self.text = Vec::new();
        }
    }

    /// Notes that everything read so far is consumed.
    pub(crate) fn commit(&mut self) {
        self.consumed = self.offset;
        self.consumed_lines = self.number;
        self.consumed_hash = self.hasher.clone();
    }

    /// Bytes read.
    pub(crate) fn offset(&self) -> u64 {
        self.offset
    }

    /// Bytes consumed.
    pub(crate) fn consumed(&self) -> u64 {
        self.consumed
    }

    /// Lines consumed.
    pub(crate) fn consumed_lines(&self) -> u64 {
        self.consumed_lines
    }

    /// SHA-256 of the bytes consumed, in hex.
    pub(crate) fn consumed_hash(&self) -> String {
        hex(&self.consumed_hash.clone().finalize())
    }
}

fn collect(text: &mut Vec<u8>, elider: &mut Option<Elider>, piece: &[u8]) {
    if elider.is_none() && text.len() + piece.len() > LONG_LINE_BYTES {
        let raw = std::mem::take(text);
        elider.insert(Elider::default()).push(&raw, text);
    }
    match elider {
        Some(elider) => elider.push(piece, text),
        None => text.extend_from_slice(piece),
    }
}

/// Bytes as lower-case hex.
pub(crate) fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digit = |nibble: u8| char::from(DIGITS[usize::from(nibble)]);
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(bytes: &[u8]) -> Lines {
        Lines::new(Box::new(io::Cursor::new(bytes.to_vec())))
    }

    #[test]
    fn only_the_newline_splits() {
        let mut lines = lines("a\u{2028}b\u{85}\u{b}\r\n\ncd".as_bytes());
        let first = lines.next_line().unwrap().unwrap();
        assert_eq!((first.offset, first.number, first.terminated), (0, 1, true));
        assert_eq!(lines.text(), "a\u{2028}b\u{85}\u{b}\r".as_bytes());
        let second = lines.next_line().unwrap().unwrap();
        assert_eq!((second.offset, second.number), (10, 2));
        assert_eq!(lines.text(), b"");
        let third = lines.next_line().unwrap().unwrap();
        assert_eq!((third.offset, third.number, third.terminated), (11, 3, false));
        assert_eq!(lines.text(), b"cd");
        assert!(lines.next_line().unwrap().is_none());
    }

    #[test]
    fn the_hash_covers_what_was_consumed_and_nothing_else() {
        let mut whole = lines(b"one\ntwo\nhal");
        whole.next_line().unwrap();
        whole.next_line().unwrap();
        whole.commit();
        whole.next_line().unwrap();
        assert_eq!((whole.consumed(), whole.consumed_lines(), whole.offset()), (8, 2, 11));
        // printf 'one\ntwo\n' | sha256sum
        let hash = "c3f9c8c283a2b1f2f1896f27a01cbe3cddc0c9d93f752e4639035a0f5b36f6e8";
        assert_eq!(whole.consumed_hash(), hash);
        let known = whole.consumed_hash();
        let mut again = lines(b"one\ntwo\nhalf\n");
        assert!(again.pass_prefix(8, 2, &known).unwrap());
        let line = again.next_line().unwrap().unwrap();
        assert_eq!((line.offset, line.number, again.text()), (8, 3, &b"half"[..]));
        assert!(!lines(b"One\ntwo\nhalf\n").pass_prefix(8, 2, &known).unwrap());
        assert!(!lines(b"one\n").pass_prefix(8, 2, &known).unwrap());
    }

    #[test]
    fn a_line_beyond_all_bounds_is_passed_over() {
        let mut bytes = b"[".to_vec();
        for _ in 0..MAX_LINE_BYTES / 8 {
            bytes.extend_from_slice(br#"{"a":{}},"#);
        }
        bytes.extend_from_slice(b"\nafter\n");
        let mut lines = lines(&bytes);
        assert!(lines.next_line().unwrap().unwrap().oversize);
        lines.next_line().unwrap();
        assert_eq!(lines.text(), b"after");
    }
}
