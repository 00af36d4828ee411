//! Records out of lines: what is damaged is repaired or counted, and its neighbours survive.
//!
//! A line holds one JSON object; several glued ones are each a record. NUL runs around a record, a byte order mark
//! at the very start and white space are passed over. Raw control characters in strings are escaped, unpaired
//! surrogates replaced. A line that is `{` alone begins a pretty-printed record, which ends with an unindented `}`.

use std::borrow::Cow;

use serde_json::value::RawValue;
use session_search_core::json::repair_surrogates;
use session_search_core::source::{Malformed, ReadSummary};

use crate::lines::{Line, Lines, MAX_LINE_BYTES};

/// How many damaged records are listed; the rest is only counted.
const LISTED: usize = 100;
/// How many places of a damaged line are tried for a whole record behind the damage.
const SALVAGE_TRIES: usize = 64;
/// No line longer than this is tried for records behind damage: the work grows with the square.
const SALVAGE_BYTES: usize = 1 << 20;

/// One JSON object of a source, repaired.
#[derive(Clone, Copy)]
pub(crate) struct Record<'a> {
    /// Its JSON text: an object; strings hold no unpaired surrogates.
    pub(crate) text: &'a str,
    /// Its line, from 1.
    pub(crate) line: u64,
    /// The byte offset of its line.
    pub(crate) offset: u64,
    /// Whether the middle of long strings was left out.
    pub(crate) elided: bool,
}

/// What a line was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    /// Lines were consumed; there may be more.
    Line,
    /// The source ends, perhaps in half a record.
    End,
}

/// Counts damage, and lists its beginning.
pub(crate) fn damaged(summary: &mut ReadSummary, line: &Line, why: &str) {
    summary.malformed += 1;
    if summary.damage.len() < LISTED {
        summary.damage.push(Malformed { line: line.number, offset: line.offset, why: why.to_owned() });
    }
}

/// The records of a source.
pub(crate) struct Records {
    lines: Lines,
}

impl Records {
    /// Over lines from their start, or from where a consumed prefix ends.
    pub(crate) fn new(lines: Lines) -> Records {
        Records { lines }
    }

    /// The lines beneath, for offsets and hash.
    pub(crate) fn lines(&self) -> &Lines {
        &self.lines
    }

    /// Where reading stands, as a line.
    pub(crate) fn position(&self) -> Line {
        let (offset, number) = (self.lines.offset(), self.lines.consumed_lines() + 1);
        Line { offset, number, terminated: false, elided: false, oversize: false }
    }

    /// Reads the next line (or the lines of a pretty-printed record), hands its records to `each`, and consumes it
    /// unless it is the half-written end.
    ///
    /// # Errors
    /// What the input or `each` says.
    pub(crate) fn step<E: From<std::io::Error>>(
        &mut self,
        summary: &mut ReadSummary,
        each: &mut dyn FnMut(Record<'_>) -> Result<(), E>,
    ) -> Result<Step, E> {
        let Some(line) = self.lines.next_line()? else { return Ok(Step::End) };
        if line.oversize {
            damaged(summary, &line, "the record is longer than 24 MiB without its long strings");
            self.lines.commit();
            return Ok(Step::Line);
        }
        if matches!(shell(self.lines.text(), line.offset), b"{" | b"[") && line.terminated {
            return self.pretty(line, summary, each);
        }
        let text = shell(self.lines.text(), line.offset);
        let half = !line.terminated && !is_whole(text);
        if half {
            summary.half = true;
            return Ok(Step::End);
        }
        if text.is_empty() && self.lines.text().contains(&0) {
            damaged(summary, &line, "nothing but NUL bytes");
        }
        read_line(text, &line, summary, each)?;
        self.lines.trim();
        self.lines.commit();
        Ok(Step::Line)
    }

    /// A record over several lines, from the line that is only its bracket on.
    fn pretty<E: From<std::io::Error>>(
        &mut self,
        first: Line,
        summary: &mut ReadSummary,
        each: &mut dyn FnMut(Record<'_>) -> Result<(), E>,
    ) -> Result<Step, E> {
        let mut text = shell(self.lines.text(), first.offset).to_vec();
        let close: &[u8] = if text == b"{" { b"}" } else { b"]" };
        let mut oversize = false;
        loop {
            let Some(line) = self.lines.next_line()? else {
                summary.half = true;
                return Ok(Step::End);
            };
            let piece = self.lines.text().strip_suffix(b"\r").unwrap_or(self.lines.text());
            if piece.starts_with(br#"{""#) {
                // A record of its own: the bracket was damage.
                damaged(summary, &first, "half a record");
                let own = shell(piece, line.offset);
                if !line.terminated && !is_whole(own) {
                    summary.half = true;
                    return Ok(Step::End);
                }
                read_line(own, &line, summary, each)?;
                break;
            }
            oversize |= line.oversize || text.len() + piece.len() > MAX_LINE_BYTES;
            if oversize {
                text = Vec::new();
            } else {
                text.push(b'\n');
                text.extend_from_slice(piece);
            }
            if piece == close {
                if oversize {
                    damaged(summary, &first, "the record is longer than 24 MiB");
                } else {
                    read_line(&text, &first, summary, each)?;
                }
                break;
            }
        }
        self.lines.commit();
        Ok(Step::Line)
    }
}

/// A line without what may surround a record: byte order mark (at the start only), NUL runs, white space.
fn shell(line: &[u8], offset: u64) -> &[u8] {
    let line = if offset == 0 { line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line) } else { line };
    let around = |byte: &u8| matches!(byte, 0 | b' ' | b'\t' | b'\r' | 0x0b | 0x0c);
    let start = line.iter().position(|byte| !around(byte)).unwrap_or(line.len());
    let end = line.iter().rposition(|byte| !around(byte)).map_or(start, |last| last + 1);
    &line[start..end]
}

/// Whether an unterminated last line needs no rest: it is blank, or holds whole objects only.
fn is_whole(text: &[u8]) -> bool {
    if text.is_empty() {
        return true;
    }
    let Ok(text) = std::str::from_utf8(text) else { return false };
    let mut objects = values(text).peekable();
    objects.peek().is_some() && objects.all(|value| value.is_ok_and(|value| value.get().starts_with('{')))
}

fn values(text: &str) -> impl Iterator<Item = Result<&RawValue, serde_json::Error>> {
    serde_json::Deserializer::from_str(text).into_iter::<&RawValue>()
}

/// Whether a text is one JSON object.
pub(crate) fn is_object(text: &str) -> bool {
    text.trim_start().starts_with('{') && serde_json::from_str::<&RawValue>(text).is_ok()
}

fn read_line<E>(
    text: &[u8],
    line: &Line,
    summary: &mut ReadSummary,
    each: &mut dyn FnMut(Record<'_>) -> Result<(), E>,
) -> Result<(), E> {
    if text.is_empty() {
        return Ok(());
    }
    let Ok(text) = std::str::from_utf8(text) else {
        damaged(summary, line, "the record is not UTF-8");
        return Ok(());
    };
    let text = repair_unpaired(text);
    let record = |text| Record { text, line: line.number, offset: line.offset, elided: line.elided };
    let mut whole = Vec::new();
    let mut end = 0;
    let mut stream = serde_json::Deserializer::from_str(&text).into_iter::<&RawValue>();
    let mut failed = None;
    loop {
        match stream.next() {
            None => break,
            Some(Ok(value)) => {
                end = stream.byte_offset();
                whole.push(value.get());
            }
            Some(Err(error)) => {
                failed = Some(error);
                break;
            }
        }
    }
    for value in whole {
        if value.starts_with('{') {
            each(record(value))?;
        } else {
            damaged(summary, line, "a JSON value that is no object");
        }
    }
    let Some(error) = failed else { return Ok(()) };
    let rest = &text[end..];
    if let Some(repaired) = escape_controls(rest)
        && values(&repaired).all(|value| value.is_ok())
    {
        for value in values(&repaired).flatten() {
            each(record(value.get()))?;
        }
        return Ok(());
    }
    damaged(summary, line, why(&error));
    for value in behind(rest) {
        each(record(value))?;
    }
    Ok(())
}

fn why(error: &serde_json::Error) -> &'static str {
    if error.is_eof() { "half a record" } else { "the record is not JSON" }
}

/// Replaces unpaired surrogates, so that every string can be read.
pub(crate) fn repair_unpaired(text: &str) -> Cow<'_, str> {
    // Most lines hold no escaped surrogate at all.
    let suspicious = memchr::memmem::find_iter(text.as_bytes(), br"\u")
        .any(|at| matches!(text.as_bytes().get(at + 2), Some(b'd' | b'D')));
    if suspicious { repair_surrogates(text) } else { Cow::Borrowed(text) }
}

/// Escapes raw control characters within strings; `None` where there are none.
fn escape_controls(text: &str) -> Option<String> {
    if !text.bytes().any(|byte| byte < 0x20) {
        return None;
    }
    let mut out = String::with_capacity(text.len() + 64);
    let (mut inside, mut escaped) = (false, false);
    for char in text.chars() {
        if inside && char < ' ' {
            out.push_str(&format!("\\u{:04x}", u32::from(char)));
            escaped = false;
            continue;
        }
        match char {
            '"' if !escaped => inside = !inside,
            _ => {}
        }
        escaped = inside && char == '\\' && !escaped;
        out.push(char);
    }
    Some(out)
}

/// The whole records at the end of a damaged line: a record cut by the next one, which is spliced onto it.
fn behind(rest: &str) -> Vec<&str> {
    if rest.len() > SALVAGE_BYTES {
        return Vec::new();
    }
    for at in
        memchr::memmem::find_iter(rest.as_bytes(), br#"{""#).skip_while(|at| *at == 0).take(SALVAGE_TRIES)
    {
        let found: Result<Vec<&RawValue>, _> = values(&rest[at..]).collect();
        if let Ok(found) = found
            && found.iter().all(|value| value.get().starts_with('{'))
        {
            return found.into_iter().map(RawValue::get).collect();
        }
    }
    Vec::new()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8]) -> (Vec<String>, ReadSummary, u64) {
        let mut records = Records::new(Lines::new(Box::new(std::io::Cursor::new(bytes.to_vec()))));
        let (mut summary, mut found) = (ReadSummary::default(), Vec::new());
        loop {
            let mut each = |record: Record<'_>| -> Result<(), std::io::Error> {
                found.push(record.text.to_owned());
                Ok(())
            };
            if records.step(&mut summary, &mut each).unwrap() == Step::End {
                break;
            }
        }
        (found, summary, records.lines().consumed())
    }

    #[track_caller]
    fn check(bytes: &[u8], records: &[&str], malformed: u64, half: bool) {
        let (found, summary, consumed) = read(bytes);
        assert_eq!(found, records);
        assert_eq!((summary.malformed, summary.half), (malformed, half));
        assert_eq!(consumed == bytes.len() as u64, !half);
    }

    const A: &str = r#"{"a":1}"#;
    const B: &str = r#"{"b":[2]}"#;

    #[test]
    fn lines_ends_and_what_surrounds_records() {
        check(b"\xef\xbb\xbf{\"a\":1}\r\n\r\n  \n{\"b\":[2]}", &[A, B], 0, false);
        check(b"\0\0{\"a\":1}\0\0\n\0\0\0\n{\"b\":[2]}\n\0\0", &[A, B], 2, false);
        check(b"{\"a\":1}{\"b\":[2]}\n", &[A, B], 0, false);
        check(b"", &[], 0, false);
        // A byte order mark elsewhere is damage.
        check(b"{\"a\":1}\n\xef\xbb\xbf{\"b\":[2]}\n", &[A, B], 1, false);
    }

    #[test]
    fn half_an_end_waits_and_half_a_line_does_not() {
        check(b"{\"a\":1}\n{\"b\":[", &[A], 0, true);
        check(b"{\"a\":1}\n12", &[A], 0, true);
        check(b"{\"b\":[\n{\"a\":1}\n", &[A], 1, false);
        check(b"{\"x\":\"cut off{\"a\":1}\n{\"b\":[2]}\n", &[A, B], 1, false);
        check(b"{\"a\":1}f\n", &[A], 1, false);
    }

    #[test]
    fn not_utf8_and_not_json_lose_one_record() {
        check(b"{\"x\":\"\xe6\x9c\"}\n{\"a\":1}\n", &[A], 1, false);
        check(b"undefined\nnull\n[1]\n\"s\"\nNaN\n{\"a\":1}\n", &[A], 5, false);
    }

    #[test]
    fn surrogates_and_control_characters_are_repaired() {
        check(b"{\"a\":\"\\ud83d!\"}\n", &[r#"{"a":"\ufffd!"}"#], 0, false);
        check(b"{\"a\":\"x\x1b[1m\\\"\ty\"}\n", &[r#"{"a":"x\u001b[1m\"\u0009y"}"#], 0, false);
    }

    #[test]
    fn pretty_printed_records() {
        check(
            b"{\n  \"a\": 1\n}\n{\n \"b\": {\n }\n}",
            &["{\n  \"a\": 1\n}", "{\n \"b\": {\n }\n}"],
            0,
            false,
        );
        check(b"{\n  \"a\": 1\n", &[], 0, true);
        check(b"{\n{\"a\":1}\n", &[A], 1, false);
    }

    #[test]
    fn nesting_is_no_danger() {
        let deep = format!("{{\"x\":{}{}}}\n{A}\n", "[".repeat(20_000), "]".repeat(20_000));
        assert_eq!(read(deep.as_bytes()).0.len(), 2);
        let open = format!("{}\n{A}\n", "{\"x\":".repeat(20_000));
        check(open.as_bytes(), &[A], 1, false);
    }
}
