//! Labelled lines, decoded at run time from the directory of shared data, which may not be there.
#![allow(
    dead_code,
    clippy::unwrap_used,
    reason = "shared by tests and an example, which read different fields"
)]

use std::path::{Path, PathBuf};

use session_search_redact::Edges;

/// A line with a secret.
pub(crate) struct Positive {
    pub(crate) rule: String,
    pub(crate) secret: String,
    pub(crate) text: String,
    pub(crate) class: String,
    pub(crate) source: String,
}

/// A line that must come back unchanged.
pub(crate) struct Negative {
    pub(crate) why: String,
    pub(crate) text: String,
}

/// A line that is hard, with what must go and what must stay.
#[derive(serde::Deserialize)]
pub(crate) struct Hard {
    pub(crate) case: String,
    pub(crate) line: String,
    hide: Vec<String>,
    keep: Vec<String>,
    cut_left: bool,
    cut_right: bool,
}

impl Hard {
    /// Which ends are cut.
    pub(crate) fn edges(&self) -> Edges {
        Edges { left: self.cut_left, right: self.cut_right }
    }

    /// Whether all of `hide` is gone and all of `keep` is there.
    pub(crate) fn right(&self, out: &str) -> bool {
        self.hide.iter().all(|secret| {
            if secret.chars().count() < 8 { !out.contains(secret.as_str()) } else { hidden(secret, out) }
        }) && self.keep.iter().all(|kept| out.contains(kept.as_str()))
            && (!self.hide.is_empty() || out == self.line)
    }
}

/// The directory `redaction` of the shared data, if it is there.
pub(crate) fn directory() -> Option<PathBuf> {
    let shared = std::env::var_os("SESSION_SEARCH_SHARED")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"), PathBuf::from);
    let dir = shared.join("redaction");
    dir.is_dir().then_some(dir)
}

/// Strict recall: no eight characters of the secret in a row are in what came out; a shorter secret is not there.
pub(crate) fn hidden(secret: &str, out: &str) -> bool {
    let chars: Vec<char> = secret.chars().collect();
    if chars.len() < 8 {
        return !out.contains(secret);
    }
    !chars.windows(8).any(|w| out.contains(&w.iter().collect::<String>()))
}

pub(crate) fn positives(dir: &Path) -> Vec<Positive> {
    rows(dir, "positives.")
        .into_iter()
        .map(|f| Positive {
            rule: f[0].clone(),
            secret: field(&f[1]),
            text: field(&f[2]),
            class: f[3].clone(),
            source: f[4].clone(),
        })
        .collect()
}

pub(crate) fn negatives(dir: &Path) -> Vec<Negative> {
    rows(dir, "negatives.").into_iter().map(|f| Negative { why: f[0].clone(), text: field(&f[1]) }).collect()
}

pub(crate) fn hard(dir: &Path) -> Vec<Hard> {
    lines(dir, "hard.")
        .iter()
        .map(|line| {
            let mut case: Hard = serde_json::from_str(line).unwrap();
            case.line = decode(&case.line);
            case.hide = case.hide.iter().map(|s| decode(s)).collect();
            case.keep = case.keep.iter().map(|s| decode(s)).collect();
            case
        })
        .collect()
}

fn rows(dir: &Path, prefix: &str) -> Vec<Vec<String>> {
    lines(dir, prefix).iter().map(|line| line.split('\t').map(str::to_owned).collect()).collect()
}

fn lines(dir: &Path, prefix: &str) -> Vec<String> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(dir)
        .unwrap()
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.file_name().is_some_and(|n| n.to_string_lossy().starts_with(prefix)))
        .collect();
    files.sort();
    files
        .iter()
        .flat_map(|f| std::fs::read_to_string(f).unwrap().lines().map(str::to_owned).collect::<Vec<_>>())
        .collect()
}

/// Undoes reversal and base64.
fn decode(text: &str) -> String {
    let mut bytes = Vec::new();
    let (mut bits, mut have) = (0u32, 0u32);
    for b in text.bytes().rev().filter(|b| *b != b'=') {
        let value = match b {
            b'A'..=b'Z' => b - b'A',
            b'a'..=b'z' => b - b'a' + 26,
            b'0'..=b'9' => b - b'0' + 52,
            b'+' => 62,
            _ => 63,
        };
        bits = bits << 6 | u32::from(value);
        have += 6;
        if have >= 8 {
            have -= 8;
            bytes.push((bits >> have & 0xff) as u8);
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Undoes the escapes of tab-separated fields, too.
fn field(text: &str) -> String {
    let decoded = decode(text);
    let mut out = String::new();
    let mut chars = decoded.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => match chars.next() {
                Some('t') => out.push('\t'),
                Some('n') => out.push('\n'),
                Some('r') => out.push('\r'),
                Some(other) => out.push(other),
                None => out.push('\\'),
            },
            other => out.push(other),
        }
    }
    out
}
