//! Published transcripts, where they are at hand: what was said is found where it was said, in whatever order files
//! come, and once.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::harness::Home;

/// The directory of the transcripts; `None`, said on standard output, where there is none.
fn corpus() -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2)?;
    let shared =
        std::env::var_os("SESSION_SEARCH_SHARED").map_or_else(|| root.join("../shared"), PathBuf::from);
    let corpus = shared.join("corpus");
    if corpus.is_dir() {
        return corpus.canonicalize().ok();
    }
    println!("skipped");
    None
}

fn files(directory: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path, ending));
        } else if path.to_string_lossy().ends_with(ending) {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// A sentence, and the message that holds it.
struct Sentence {
    text: String,
    session: String,
    message: String,
}

/// Lines of plain words out of what a person typed and what the assistant said, read without the readers: records of
/// Claude Code that are neither tool results nor marked as written by the program.
fn sentences(path: &Path) -> Vec<Sentence> {
    let mut found = Vec::new();
    for line in std::fs::read_to_string(path).unwrap().lines() {
        let Ok(record) = serde_json::from_str::<Value>(line) else { continue };
        let marked =
            ["isMeta", "isCompactSummary", "isVisibleInTranscriptOnly", "isSidechain", "isApiErrorMessage"]
                .iter()
                .any(|mark| record[*mark] == true);
        let (Some(session), Some(message)) = (record["sessionId"].as_str(), record["uuid"].as_str()) else {
            continue;
        };
        if marked || !matches!(record["type"].as_str(), Some("user" | "assistant")) {
            continue;
        }
        for text in texts(&record["message"]["content"]) {
            if text.trim_start().starts_with(['<', '[']) {
                continue;
            }
            for sentence in text.lines().filter_map(plain) {
                found.push(Sentence {
                    text: sentence,
                    session: session.to_owned(),
                    message: message.to_owned(),
                });
            }
        }
    }
    found
}

fn texts(content: &Value) -> Vec<&str> {
    match content {
        Value::String(text) => vec![text],
        Value::Array(blocks) => blocks
            .iter()
            .filter(|block| block["type"] == "text")
            .filter_map(|block| block["text"].as_str())
            .collect(),
        _ => Vec::new(),
    }
}

/// The first twelve words of a line that is a sentence and nothing else.
fn plain(line: &str) -> Option<String> {
    let line = line.trim();
    let simple = |c: char| c.is_ascii_alphabetic() || matches!(c, ' ' | ',' | '.' | '\'' | '-');
    let words: Vec<&str> = line.split(' ').filter(|word| !word.is_empty()).take(12).collect();
    (line.chars().all(simple) && words.len() >= 6).then(|| words.join(" "))
}

/// Every so-manieth, from a seed: the same sample at each run.
fn sample(all: Vec<Sentence>, wanted: usize) -> Vec<Sentence> {
    let mut state = 0x5eed_u64;
    let mut keyed: Vec<(u64, Sentence)> = all
        .into_iter()
        .map(|sentence| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 16, sentence)
        })
        .collect();
    keyed.sort_by_key(|(key, _)| *key);
    keyed.into_iter().take(wanted).map(|(_, sentence)| sentence).collect()
}

#[test]
fn two_hundred_sentences_are_found_where_they_were_said() {
    let Some(corpus) = corpus() else { return };
    let home = Home::new();
    let source = corpus.join("claude-code");
    home.json(&["import", source.to_str().unwrap()]);
    let all = files(&source, ".jsonl").iter().flat_map(|path| sentences(path)).collect();
    let sample = sample(all, 200);
    assert_eq!(sample.len(), 200);
    let mut lost = Vec::new();
    for Sentence { text, session, message } in &sample {
        let key = format!("claude:{session}");
        let query = format!("\"{text}\"");
        let found = home.json(&["search", "--limit", "1000", "--session", &key, "--", &query]);
        let here = |hit: &Value| hit["messageId"] == message.as_str() && hit["sessionKey"] == key.as_str();
        if !found["results"].as_array().unwrap().iter().any(here) {
            lost.push(format!("{key} {message}"));
        }
    }
    assert!(lost.is_empty(), "{} of 200: {lost:#?}", lost.len());
}

/// What a home holds, as far as its reader can tell: sessions with all their messages.
fn held(home: &Home) -> BTreeMap<String, (Value, Vec<Value>)> {
    let list = home.json(&["list"]);
    let mut held = BTreeMap::new();
    for session in list["sessions"].as_array().unwrap() {
        let (agent, key) = (session["agentId"].as_str().unwrap(), session["sessionKey"].as_str().unwrap());
        let mut messages = Vec::new();
        for id in session["sessionIds"].as_array().unwrap() {
            let id = id.as_str().unwrap();
            let mut page =
                home.json(&["history", key, "--agent", agent, "--session-id", id, "--limit", "100"]);
            loop {
                messages.extend(page["messages"].as_array().unwrap().iter().rev().cloned());
                let Some(older) = page["older"].as_str().map(str::to_owned) else { break };
                let arguments = [
                    "history",
                    key,
                    "--agent",
                    agent,
                    "--session-id",
                    id,
                    "--limit",
                    "100",
                    "--before",
                    &older,
                ];
                page = home.json(&arguments);
            }
        }
        held.insert(format!("{agent} {key}"), (session.clone(), messages));
    }
    held
}

#[test]
fn the_order_of_files_does_not_matter_and_a_second_run_adds_nothing() {
    let Some(corpus) = corpus() else { return };
    let parts = ["claude-code", "codex", "gemini-cli", "growth-series", "openclaw-home", "pi"];
    let mut paths: Vec<String> = Vec::new();
    for part in parts {
        let all = files(&corpus.join(part), "");
        let read = |path: &PathBuf| !path.ends_with("sessions.json");
        paths.extend(all.iter().filter(|path| read(path)).map(|path| path.display().to_string()));
    }
    let import = |paths: &[String]| {
        let home = Home::new();
        // One run a file: no run sees more than what came before it.
        for path in paths {
            home.json(&["import", path]);
        }
        for path in paths {
            assert_eq!(home.json(&["import", path])["messages"], 0, "{path}");
        }
        assert_eq!(home.run(&["verify"]).status, 0);
        held(&home)
    };
    let forth = import(&paths);
    paths.reverse();
    let back = import(&paths);
    assert_eq!(forth.keys().collect::<Vec<_>>(), back.keys().collect::<Vec<_>>());
    for (name, one) in &forth {
        assert!(one == &back[name], "{name} differs: {} or {}", one.0, back[name].0);
    }
}
