//! Which format a file is of, told by its first records.

use std::io::Read;
use std::path::Path;

use session_search_core::source::ReadSummary;

use crate::fields::Fields;
use crate::format::Format;
use crate::found::open;
use crate::lines::Lines;
use crate::records::{Record, Records, Step};

/// How much of a file is looked at.
const PEEK_BYTES: u64 = 256 << 10;
/// How many records are looked at.
const PEEK_RECORDS: usize = 200;

/// What a look at a file said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Detected {
    /// Its records are of that format.
    Format(Format),
    /// There is no record in it yet.
    Empty,
    /// It holds something else.
    Unknown,
}

/// Looks at the beginning of a file.
///
/// # Errors
/// What opening or reading it says.
pub(crate) fn detect(path: &Path) -> std::io::Result<Detected> {
    let mut start = Vec::new();
    open(path)?.take(PEEK_BYTES).read_to_end(&mut start)?;
    Ok(detect_bytes(&start))
}

fn detect_bytes(start: &[u8]) -> Detected {
    let mut records = Records::new(Lines::new(Box::new(std::io::Cursor::new(start.to_vec()))));
    let (mut damage, mut found, mut seen) = (ReadSummary::default(), None, 0);
    loop {
        let mut each = |record: Record<'_>| -> std::io::Result<()> {
            seen += 1;
            found = found.or_else(|| of_record(&Fields::parse(record.text)?));
            Ok(())
        };
        match records.step(&mut damage, &mut each) {
            Ok(Step::Line) if found.is_none() && seen < PEEK_RECORDS => {}
            _ => break,
        }
    }
    match found.or_else(|| of_text(&String::from_utf8_lossy(start))) {
        Some(format) => Detected::Format(format),
        None if seen == 0 && start.iter().all(|byte| byte.is_ascii_whitespace() || *byte == 0) => {
            Detected::Empty
        }
        None => Detected::Unknown,
    }
}

/// The format that has such records. Of OpenClaw and pi, which share one, it says pi: only the place tells them apart.
fn of_record(record: &Fields<'_>) -> Option<Format> {
    let has = |name: &str| record.raw(name).is_some();
    let kind = record.string("type").unwrap_or_default();
    if has("$set") || has("$rewindTo") || (has("sessionId") && has("projectHash")) {
        return Some(Format::Gemini);
    }
    if has("payload") || record.string("record_type").is_some() || (has("session") && has("items")) {
        return Some(Format::Codex);
    }
    if has("parentUuid")
        || has("uuid")
        || has("leafUuid")
        || has("costUSD")
        || (has("sessionId") && !kind.is_empty())
    {
        return (!has("traceSchema")).then_some(Format::Claude);
    }
    if kind == "file-history-snapshot" || (matches!(kind.as_ref(), "user" | "assistant") && has("message")) {
        return Some(Format::Claude);
    }
    match kind.as_ref() {
        "session" if has("id") || has("cwd") => Some(Format::Pi),
        "message" if has("message") => Some(Format::Pi),
        "message" | "reasoning" | "function_call" if has("role") || has("call_id") || has("summary") => {
            Some(Format::Codex)
        }
        "compaction"
        | "branch_summary"
        | "custom_message"
        | "model_change"
        | "thinking_level_change"
        | "session_info"
            if has("id") =>
        {
            Some(Format::Pi)
        }
        "" if has("id") && has("timestamp") && (has("instructions") || has("git")) => Some(Format::Codex),
        _ => None,
    }
}

/// The same for a beginning that holds no whole record: by the names in it.
fn of_text(start: &str) -> Option<Format> {
    let has = |name: &str| memchr::memmem::find(start.as_bytes(), format!("\"{name}\"").as_bytes()).is_some();
    if has("parentUuid") || (has("uuid") && has("sessionId")) {
        Some(Format::Claude)
    } else if has("projectHash") && has("sessionId") {
        Some(Format::Gemini)
    } else if (has("payload") && (has("response_item") || has("event_msg") || has("session_meta")))
        || (has("session") && has("items") && has("role"))
    {
        Some(Format::Codex)
    } else if has("parentId") && has("message") && has("role") {
        Some(Format::Pi)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(start: &str, expected: Detected) {
        assert_eq!(detect_bytes(start.as_bytes()), expected);
    }

    #[test]
    fn first_records_tell() {
        check(
            r#"{"type":"session","version":3,"id":"a","timestamp":"x","cwd":"/w"}"#,
            Detected::Format(Format::Pi),
        );
        check(
            "{\"type\":\"sess\n{\"type\":\"message\",\"id\":\"1\",\"message\":{}}\n",
            Detected::Format(Format::Pi),
        );
        check(
            r#"{"parentUuid":null,"uuid":"a","sessionId":"s","type":"user"}"#,
            Detected::Format(Format::Claude),
        );
        check(r#"{"type":"summary","summary":"x","leafUuid":"u"}"#, Detected::Format(Format::Claude));
        check(r#"{"type":"user","message":{"content":"x"}}"#, Detected::Format(Format::Claude));
        check(r#"{"timestamp":"x","type":"session_meta","payload":{}}"#, Detected::Format(Format::Codex));
        check(r#"{"id":"a","timestamp":"x","instructions":null}"#, Detected::Format(Format::Codex));
        check(r#"{"sessionId":"a","projectHash":"h","kind":"main"}"#, Detected::Format(Format::Gemini));
        check("\n \n\0", Detected::Empty);
        check("", Detected::Empty);
        check(r#"{"traceSchema":"t","sessionId":"s","type":"session.started"}"#, Detected::Unknown);
        check(r#"{"name":"x","version":"1"}"#, Detected::Unknown);
        check("hello", Detected::Unknown);
    }

    #[test]
    fn half_a_first_record_tells_by_its_names() {
        check(
            r#"{"parentUuid":null,"sessionId":"s","message":{"content":[{"data":"AAAA"#,
            Detected::Format(Format::Claude),
        );
        check(
            "{\n  \"sessionId\": \"a\",\n  \"projectHash\": \"h\",\n  \"mess",
            Detected::Format(Format::Gemini),
        );
    }
}
