//! Claude Code, Codex and Gemini CLI: damaged files, an independent count, growth, fixtures.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use session_search_core::{Event, EventKind, Role};

use crate::places::{files, fixtures, shared};
use crate::sink::Memory;

fn imported(path: &Path) -> (Memory, session_search_core::source::ReadSummary) {
    let mut memory = Memory::default();
    let summary = memory.import(&[path]);
    (memory, summary)
}

/// User, assistant and tool-result records, on every branch.
fn records(memory: &Memory) -> usize {
    let counts = |event: &&Event| match event.kind() {
        EventKind::Message(_) => true,
        EventKind::OtherMessage => event.raw().contains(r#""role":"toolResult""#),
        _ => false,
    };
    memory.transcripts.iter().map(|one| one.events.iter().filter(counts).count()).sum()
}

#[test]
fn files_that_broke_other_readers() {
    let Some(shared) = shared() else { return };
    let directory = shared.join("corpus/adversarial");
    let expected: BTreeMap<String, serde_json::Value> =
        serde_json::from_slice(&fs::read(directory.join("expect.json")).unwrap()).unwrap();
    let mut cases = 0;
    for (name, expected) in expected {
        let format = expected["format"].as_str().unwrap();
        if !matches!(format, "claude-code" | "codex" | "gemini-cli" | "any") {
            continue;
        }
        cases += 1;
        let (memory, summary) = imported(&directory.join(&name));
        if let Some(count) = expected["records"].as_u64() {
            assert_eq!(records(&memory) as u64, count, "{name}: records");
        }
        if let Some(bad) = expected["bad_records"].as_u64() {
            assert_eq!(summary.malformed, bad, "{name}: bad records {:?}", summary.damage);
        }
        assert_eq!(summary.half, expected["pending"] == 1, "{name}: pending");
        let said: Vec<String> = memory.said().into_iter().map(|(_, text)| text).collect();
        let holds =
            |phrase: &serde_json::Value| said.iter().any(|text| text.contains(phrase.as_str().unwrap()));
        for phrase in expected["must_find"].as_array().unwrap() {
            assert!(holds(phrase), "{name}: {phrase}");
        }
        for phrase in expected["must_not_find"].as_array().unwrap() {
            assert!(!holds(phrase), "{name}: {phrase}");
        }
    }
    assert!(cases >= 28, "{cases}");
}

#[test]
fn a_damaged_line_is_named() {
    let Some(shared) = shared() else { return };
    let (_, summary) = imported(&shared.join("corpus/adversarial/02-cc-truncated-mid-line.jsonl"));
    assert_eq!((summary.damage[0].line, summary.malformed), (2, 1));
}

#[test]
fn sub_agents_are_sessions_of_their_own() {
    let Some(shared) = shared() else { return };
    let (memory, _) = imported(&shared.join("corpus/adversarial/32-cc-subagents"));
    let main = "claude:11111111-2222-4333-8444-555555555555";
    assert_eq!(memory.sessions.len(), 3);
    for agent in ["abc1234", "deadbeef"] {
        assert_eq!(memory.told(&format!("{main}:agent:{agent}")).spawned_by.as_deref(), Some(main));
    }
    assert_eq!(memory.told(main).spawned_by, None);
    assert_eq!(memory.told(main).project.as_deref(), Some("/w/p"));
}

#[test]
fn a_fork_keeps_only_what_is_its_own() {
    let Some(shared) = shared() else { return };
    let (memory, summary) = imported(&shared.join("corpus/adversarial/23-codex-fork-copied-parent.jsonl"));
    assert_eq!(memory.transcript("codex:019f0000-0000-7000-8000-00000000bbbb").said().len(), 2);
    assert_eq!((memory.sessions.len(), summary.skipped), (1, 2));
}

#[test]
fn a_compressed_twin_adds_nothing() {
    let Some(shared) = shared() else { return };
    let both = files(&shared.join("corpus/adversarial/26-codex-plain-for-zst"));
    for order in [[0, 1], [1, 0]] {
        let mut memory = Memory::default();
        let mut seen = Vec::new();
        for file in order.map(|at| &both[at]) {
            // Apart: a compressed file beside its plain one is not even opened.
            let directory = tempfile::tempdir().unwrap();
            let path = directory.path().join(file.file_name().unwrap());
            fs::copy(file, &path).unwrap();
            memory.import(&[&path]);
            seen.push((memory.messages, branches(&memory)));
        }
        assert_eq!(seen[0].0, 2);
        assert_eq!(seen[0], seen[1]);
    }
    let (memory, _) = imported(&shared.join("corpus/adversarial/26-codex-plain-for-zst"));
    assert_eq!((memory.messages, memory.transcripts.len()), (2, 1));
}

#[test]
fn titles_by_rank() {
    let Some(shared) = shared() else { return };
    let (memory, _) = imported(&shared.join("corpus/adversarial/45-cc-queued-and-attachment-text.jsonl"));
    let told = memory.sessions.values().next().unwrap();
    assert_eq!(told.title.as_deref(), Some("My titled session"));
    let queued = memory.said().iter().filter(|(_, text)| text == "queued steering text").count();
    assert_eq!((queued, memory.count(Role::User)), (1, 2));
}

/// Real files, and growing ones, of all programs.
fn real(shared: &Path) -> Vec<PathBuf> {
    let parts = ["claude-code", "codex", "gemini-cli", "growth-series", "pi", "openclaw-home"];
    let all = parts.iter().flat_map(|part| files(&shared.join("corpus").join(part)));
    all.filter(|path| path.to_string_lossy().contains(".jsonl")).collect()
}

#[test]
fn as_many_messages_as_an_independent_count() {
    let Some(shared) = shared() else { return };
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/reference/count.py");
    let real = real(&shared);
    let Ok(output) = Command::new("python3").arg(script).args(&real).output() else {
        println!("skipped");
        return;
    };
    assert!(output.status.success());
    let mut compared = 0;
    let mut differences = Vec::new();
    for row in String::from_utf8(output.stdout).unwrap().lines() {
        let mut cells = row.split('\t');
        let (path, users, answers) = (cells.next().unwrap(), cells.next().unwrap(), cells.next().unwrap());
        let (memory, _) = imported(Path::new(path));
        let ours = (memory.count(Role::User).to_string(), memory.count(Role::Assistant).to_string());
        if (ours.0.as_str(), ours.1.as_str()) != (users, answers) {
            differences.push(format!("{path}: here {ours:?}, there {users} {answers}"));
        }
        compared += 1;
    }
    assert_eq!(compared, real.len());
    assert!(differences.is_empty(), "{differences:#?}");
}

/// What a store is after an import: every branch, event by event.
fn branches(memory: &Memory) -> Vec<(String, String, Vec<String>)> {
    let mut all: Vec<_> = memory
        .transcripts
        .iter()
        .map(|one| {
            let events = one.branch().iter().map(|event| event.raw().to_owned()).collect();
            (one.key.as_str().to_owned(), one.id.as_str().to_owned(), events)
        })
        .collect();
    all.sort();
    all
}

/// Imports prefixes of a file, each on top of the one before, and then the whole; it must be as the whole at once.
#[track_caller]
fn grows(bytes: &[u8], name: &str, cuts: &[usize]) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join(name);
    fs::write(&path, bytes).unwrap();
    let (whole, _) = imported(&path);
    let mut grown = Memory::default();
    for cut in cuts {
        fs::write(&path, &bytes[..*cut]).unwrap();
        grown.import(&[&path]);
    }
    fs::write(&path, bytes).unwrap();
    grown.import(&[&path]);
    assert_eq!(branches(&grown), branches(&whole), "{name} cut at {cuts:?}");
    assert_eq!(grown.sessions, whole.sessions, "{name} cut at {cuts:?}");
    let before = grown.messages;
    grown.import(&[&path]);
    assert_eq!(grown.messages, before, "{name}: a second run");
}

/// Numbers that look random and are the same in every run.
fn places(seed: u64, below: usize, count: usize) -> Vec<usize> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % below.max(1) as u64) as usize
    };
    let mut places: Vec<usize> = (0..count).map(|_| next()).collect();
    places.sort_unstable();
    places
}

#[test]
fn growing_ends_where_reading_at_once_does() {
    let Some(shared) = shared() else { return };
    for (seed, path) in (1..).zip(real(&shared)) {
        let bytes = fs::read(&path).unwrap();
        if bytes.is_empty() {
            continue;
        }
        let name = path.file_name().unwrap().to_str().unwrap();
        grows(&bytes, name, &places(seed, bytes.len(), 3));
    }
}

#[test]
fn small_files_grow_line_by_line() {
    let Some(shared) = shared() else { return };
    let mut all = files(&fixtures().join("claude"));
    all.extend(files(&fixtures().join("codex")));
    all.extend(files(&fixtures().join("gemini")));
    all.extend(files(&fixtures().join("pi")));
    for case in [
        "23-codex",
        "24-codex",
        "25-codex",
        "28-gemini",
        "30-cc",
        "31-cc",
        "42-cc",
        "45-cc",
        "12-cc",
        "11-cc",
    ] {
        let found = files(&shared.join("corpus/adversarial"));
        all.extend(
            found.into_iter().filter(|path| path.file_name().unwrap().to_str().unwrap().starts_with(case)),
        );
    }
    for path in all {
        let bytes = fs::read(&path).unwrap();
        let ends: Vec<usize> =
            bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1).collect();
        let name = path.file_name().unwrap().to_str().unwrap();
        grows(&bytes, name, &ends);
        // The same behind a first line that is damaged, so that what it said is not there, or comes later.
        if name.ends_with("jsonl") {
            let damage = b"{\"type\":\"sess\n";
            let ends: Vec<usize> = ends.iter().map(|end| end + damage.len()).collect();
            grows(&[&damage[..], &bytes].concat(), name, &ends);
        }
    }
}

#[test]
fn a_series_of_one_file_ends_as_its_last_member() {
    let Some(shared) = shared() else { return };
    let mut series: Vec<Vec<u8>> =
        files(&shared.join("corpus/growth-series")).iter().map(|path| fs::read(path).unwrap()).collect();
    series.sort_by_key(Vec::len);
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("full.jsonl");
    let mut memory = Memory::default();
    for bytes in &series {
        fs::write(&path, bytes).unwrap();
        memory.import(&[&path]);
    }
    let (whole, _) = imported(&path);
    assert_eq!(branches(&memory), branches(&whole));
}

/// What a person said and what was answered, session by session, in the fixtures of a program.
#[track_caller]
fn fixture(program: &str, expected: &[(&str, &str, &[&str])]) -> Memory {
    let (memory, summary) = imported(&fixtures().join(program));
    assert_eq!((summary.malformed, summary.half), (0, false));
    for (key, title, said) in expected {
        let found: Vec<String> = memory.transcript(key).said().into_iter().map(|(_, text)| text).collect();
        assert_eq!(found.len(), said.len(), "{key}: {found:?}");
        for (found, beginning) in found.iter().zip(*said) {
            assert!(found.starts_with(beginning), "{key}: {found} is not {beginning}");
        }
        assert_eq!(memory.told(key).title.as_deref(), Some(*title));
    }
    assert_eq!(memory.transcripts.len(), expected.len());
    memory
}

#[test]
fn a_session_of_claude_code() {
    let main = "claude:7d0c1b52-3a4e-4c6f-9b1d-2e8f5a6c7d01";
    let side = format!("{main}:agent:a1b2c3d");
    let said = [
        "The payment client",
        "I will look",
        "und bitte",
        "Added `retry",
        "Actually, drop",
        "Jitter is gone",
        "支払い",
        "はい。",
    ];
    let task = "Find every caller of send.";
    let memory = fixture(
        "claude",
        &[(main, "Retries for the payment client", &said), (&side, task, &[task, "Three callers"])],
    );
    assert_eq!(memory.told(main).project.as_deref(), Some("/home/mira/shop"));
    assert_eq!(memory.told(&side).spawned_by.as_deref(), Some(main));
    let tools = |event: &&Event| session_search_core::text::tools(event.raw()).len();
    assert_eq!(memory.transcript(main).branch().iter().map(tools).sum::<usize>(), 4);
}

#[test]
fn a_thread_of_codex() {
    let key = "codex:019e8c30-4d00-7a10-8c00-5a5a5a5a5a01";
    let said = ["Почему", "Столбец", "Then make", "It checks", "ตรวจสอบ", "ตารางที่สองเรียบร้อย"];
    let memory = fixture("codex", &[(key, "Idempotent order migration", &said)]);
    assert_eq!(memory.told(key).project.as_deref(), Some("/home/mira/shop"));
    // What was rolled back is kept, off the branch.
    let all = memory.transcripts[0].events.iter().filter(|event| event.role() == Some(Role::User)).count();
    assert_eq!((memory.count(Role::User), all), (3, 4));
}

#[test]
fn sessions_of_gemini() {
    let (lines, document) =
        ("gemini:3f1f8a70-9b3d-4f55-9d0e-1c2b3a4d5e6f", "gemini:58b0c3d2-1111-4222-8333-944455556666");
    fixture(
        "gemini",
        &[
            (lines, "재고 동기화가 왜 느린지 알려줘", &["재고", "동기화가", "Batch", "The sync"]),
            (document, "¿Dónde se valida el código postal?", &["¿Dónde", "En `address"]),
        ],
    );
}

/// The searchable texts after importing a Claude Code file of these records.
fn claude(records: &[String]) -> (Memory, Vec<String>) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("s.jsonl");
    fs::write(&path, records.join("\n") + "\n").unwrap();
    let (memory, _) = imported(&path);
    let said = memory.said().into_iter().map(|(_, text)| text).collect();
    (memory, said)
}

fn record(kind: &str, id: &str, parent: &str, text: &str, more: &str) -> String {
    let parent = if parent.is_empty() { "null".to_owned() } else { format!("\"{parent}\"") };
    format!(
        r#"{{"type":"{kind}","uuid":"{id}","parentUuid":{parent},"sessionId":"s"{more},"message":{{"role":"{kind}","content":"{text}"}}}}"#
    )
}

fn queue(operation: &str, text: &str) -> String {
    format!(r#"{{"type":"queue-operation","operation":"{operation}","sessionId":"s","content":"{text}"}}"#)
}

#[test]
fn queued_text_is_found_once_wherever_the_file_ends() {
    let records = [
        record("user", "a", "", "first", ""),
        queue("enqueue", "steer left"),
        queue("enqueue", "steer right"),
        queue("enqueue", "/compact"),
        record("assistant", "b", "a", "working", ""),
        queue("remove", ""),
        record("assistant", "c", "b", "turning left", ""),
        queue("dequeue", ""),
        record("user", "d", "c", "steer right", ""),
        record("assistant", "e", "d", "turning right", ""),
    ];
    for end in 3..=records.len() {
        let (_, said) = claude(&records[..end]);
        for text in ["steer left", "steer right"] {
            assert_eq!(said.iter().filter(|one| *one == text).count(), 1, "{text} in {said:?}");
        }
        assert!(!said.iter().any(|text| text.contains("compact")));
    }
    let (_, said) = claude(&records);
    assert_eq!(said, ["first", "working", "steer left", "turning left", "steer right", "turning right"]);
    let bytes = records.join("\n") + "\n";
    let ends: Vec<usize> = bytes.match_indices('\n').map(|(at, _)| at + 1).collect();
    grows(bytes.as_bytes(), "s.jsonl", &ends);
}

#[test]
fn sub_agents_within_a_file_are_sessions_of_their_own() {
    let side = r#","isSidechain":true"#;
    let records = [
        record("user", "a", "", "main prompt", ""),
        record("user", "x", "", "task one", side),
        record("assistant", "x2", "x", "found one", side),
        record("user", "y", "", "task two", side),
        record("assistant", "b", "a", "main answer", ""),
        record("assistant", "y2", "y", "found two", side),
    ];
    let (memory, _) = claude(&records);
    let said =
        |key: &str| memory.transcript(key).said().into_iter().map(|(_, text)| text).collect::<Vec<_>>();
    assert_eq!(said("claude:s"), ["main prompt", "main answer"]);
    assert_eq!(said("claude:s:agent:x"), ["task one", "found one"]);
    assert_eq!(said("claude:s:agent:y"), ["task two", "found two"]);
    assert_eq!(memory.told("claude:s:agent:y").spawned_by.as_deref(), Some("claude:s"));
    let bytes = records.join("\n") + "\n";
    let ends: Vec<usize> = bytes.match_indices('\n').map(|(at, _)| at + 1).collect();
    grows(bytes.as_bytes(), "s.jsonl", &ends);
}

#[test]
fn a_summary_is_the_title_of_the_file_that_holds_its_leaf() {
    let summary =
        |leaf: &str, text: &str| format!(r#"{{"type":"summary","summary":"{text}","leafUuid":"{leaf}"}}"#);
    let records = [
        summary("elsewhere", "of another file"),
        summary("b", "of this file"),
        record("user", "a", "", "prompt", ""),
        record("assistant", "b", "a", "answer", ""),
    ];
    let (memory, _) = claude(&records);
    assert_eq!(memory.told("claude:s").title.as_deref(), Some("of this file"));
    let (memory, _) = claude(&records[..3]);
    assert_eq!(memory.told("claude:s").title.as_deref(), Some("prompt"));
    let bytes = records.join("\n") + "\n";
    let ends: Vec<usize> = bytes.match_indices('\n').map(|(at, _)| at + 1).collect();
    grows(bytes.as_bytes(), "s.jsonl", &ends);
}

#[test]
fn a_gap_is_marked_and_bridged() {
    let records = [record("user", "a", "", "island one", ""), record("user", "b", "lost", "island two", "")];
    let (memory, said) = claude(&records);
    assert_eq!(said, ["island one", "island two"]);
    let marked = |event: &Event| event.raw().contains(r#""gap":true"#);
    assert_eq!(memory.transcripts[0].events.iter().map(marked).collect::<Vec<_>>(), [false, true]);
}

#[test]
fn states_and_marks_hold_no_text() {
    let records = [
        queue("enqueue", "canary queued"),
        r#"{"type":"custom-title","customTitle":"canary title","sessionId":"s"}"#.to_owned(),
        r#"{"type":"summary","summary":"canary summary","leafUuid":"zzz"}"#.to_owned(),
        record("user", "a", "", "canary prompt", ""),
    ];
    let (memory, _) = claude(&records);
    assert!(memory.marks.values().all(|mark| !mark.state.contains("canary")));
    assert_eq!(memory.marks.len(), 1);
}
