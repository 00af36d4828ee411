//! `sessions redact`: a filter that scrubs credentials, and keeps the lines.

use std::io::{self, Read};

use serde::Serialize;
use session_search_redact::{MAX_BYTES, Redactor};

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

pub(super) fn run(work: &Work, args: &RedactArgs) -> Result<(), Failure> {
    let redactor = work.redactor()?;
    let mut input = Vec::new();
    io::stdin().lock().read_to_end(&mut input).map_err(|error| Failure::input(&error))?;
    // Bytes that are no text hide no credential that anybody could use as one.
    let text = String::from_utf8_lossy(&input);
    if !args.report {
        return parts(&text, MAX_BYTES / 2)
            .into_iter()
            .try_for_each(|part| work.output.bytes(scrubbed(&redactor, part).as_bytes()));
    }
    let mut findings = Vec::new();
    let mut lines = 0;
    for part in parts(&text, MAX_BYTES / 2) {
        findings.extend(places(&redactor, part, lines));
        lines += part.matches('\n').count();
    }
    if work.output.json {
        return work.output.document(&Report { findings });
    }
    let shown = |place: &Place| format!("line {}, column {}: {}\n", place.line, place.column, place.kind);
    work.output.text(&findings.iter().map(shown).collect::<String>())
}

/// Scrubs, and puts the ends of the lines that a find covered behind its marker.
fn scrubbed(redactor: &Redactor, text: &str) -> String {
    let scrubbed = redactor.scrub(text);
    let mut out = String::with_capacity(scrubbed.text.len());
    let mut from = 0;
    // A text that could not be scanned is replaced as a whole.
    if let [whole] = scrubbed.findings.as_slice()
        && whole.range == (0..text.len())
    {
        return scrubbed.text.into_owned() + &ends(text);
    }
    for finding in &scrubbed.findings {
        out.push_str(&text[from..finding.range.start]);
        out.push_str("[REDACTED:");
        out.push_str(finding.kind);
        out.push(']');
        out.push_str(&ends(&text[finding.range.clone()]));
        from = finding.range.end;
    }
    out.push_str(&text[from..]);
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

/// Cuts a text that is too large to be scanned as one between two lines, and not within a private key.
fn parts(text: &str, most: usize) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut rest = text;
    while rest.len() > most {
        let head = &rest[..rest.floor_char_boundary(most)];
        let open = head.rfind("-----BEGIN").filter(|begin| !head[*begin..].contains("-----END"));
        let cut = head[..open.unwrap_or(head.len())].rfind('\n').or_else(|| head.rfind('\n'));
        let Some(cut) = cut else { break };
        let (part, later) = rest.split_at(cut + 1);
        parts.push(part);
        rest = later;
    }
    parts.push(rest);
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_end_with_lines_and_keep_keys_whole() {
        assert_eq!(parts("abc", 8), ["abc"]);
        assert_eq!(parts("ab\ncd\nef", 6), ["ab\ncd\n", "ef"]);
        assert_eq!(
            parts("a\n-----BEGIN X\nbody\n-----END X\nz\n", 20),
            ["a\n", "-----BEGIN X\nbody\n", "-----END X\nz\n"]
        );
        assert_eq!(parts("no end at all", 4), ["no end at all"]);
        let text = "line of text\n".repeat(100);
        assert_eq!(parts(&text, 64).concat(), text);
    }
}
