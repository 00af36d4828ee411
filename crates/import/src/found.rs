//! A file that was found, before it is read.

use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use session_search_core::source::{SourceError, SourceMark, SourceRank};
use session_search_core::{AgentId, Millis};

use crate::format::Format;
use crate::names::FileName;
use crate::openclaw::index::Index;

/// A source file: where it is, what it was by size and time when it was found, and what its name says.
#[derive(Debug, Clone)]
pub(crate) struct Found {
    /// Where it is.
    pub(crate) path: PathBuf,
    /// The path as a name in ledgers and messages; no control characters.
    pub(crate) name: String,
    /// The agent whose store takes its sessions.
    pub(crate) agent: AgentId,
    /// Its format.
    pub(crate) format: Format,
    /// Size, time and inode when it was found.
    pub(crate) identity: SourceMark,
    /// What its name says.
    pub(crate) file: FileName,
    /// What OpenClaw says about the sessions of its directory; read when first asked.
    pub(crate) index: Arc<Index>,
    /// Whether transcripts within it that are marked as deleted count.
    pub(crate) include_deleted: bool,
}

impl Found {
    /// Whether the program that wrote it marked it as deleted.
    pub(crate) fn deleted(&self) -> bool {
        self.file.deleted
    }

    /// How much its leaf counts.
    pub(crate) fn rank(&self) -> SourceRank {
        self.file.rank
    }

    /// Opens it, decompressed.
    ///
    /// # Errors
    /// [`SourceError::Unreadable`].
    pub(crate) fn open(&self) -> Result<Box<dyn Read>, SourceError> {
        open(&self.path).map_err(|error| self.unreadable(&error))
    }

    /// Whether it is compressed as a whole.
    pub(crate) fn is_compressed(&self) -> bool {
        is_zst(&self.path)
    }

    /// That error as one of this source.
    pub(crate) fn unreadable(&self, error: &dyn std::error::Error) -> SourceError {
        SourceError::Unreadable { path: self.name.clone(), reason: error.to_string() }
    }
}

/// Opens a file, decompressed where its name ends in `.zst`.
pub(crate) fn open(path: &Path) -> io::Result<Box<dyn Read>> {
    let file = File::open(path)?;
    if is_zst(path) {
        return Ok(Box::new(zstd::stream::read::Decoder::new(file)?));
    }
    Ok(Box::new(file))
}

fn is_zst(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "zst")
}

/// Size, modification time and inode; offset, hash and state are empty.
pub(crate) fn identity(metadata: &Metadata) -> SourceMark {
    let modified_ns =
        metadata.modified().ok().map_or(0, |time| match time.duration_since(std::time::UNIX_EPOCH) {
            Ok(since) => i64::try_from(since.as_nanos()).unwrap_or(i64::MAX),
            Err(before) => i64::try_from(before.duration().as_nanos()).map_or(i64::MIN, |ns| -ns),
        });
    SourceMark {
        size: metadata.len(),
        modified_ns,
        inode: inode(metadata),
        offset: 0,
        hash: String::new(),
        state: String::new(),
    }
}

#[cfg(unix)]
fn inode(metadata: &Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::ino(metadata)
}

#[cfg(not(unix))]
fn inode(_: &Metadata) -> u64 {
    0
}

/// The time in milliseconds at which a file name says that it was made: `2026-02-28T04-44-41.856Z` with `-` for `:`,
/// also `…T04-44-41-856Z`, or without milliseconds and zone (taken as UTC).
pub(crate) fn time_in_name(text: &str) -> Option<Millis> {
    let bytes = text.as_bytes();
    if bytes.len() < 19 || !text.is_ascii() || bytes[10] != b'T' {
        return None;
    }
    let clock = |range: std::ops::Range<usize>| text.get(range);
    let fraction: String = match bytes.get(19) {
        Some(b'.' | b'-') => text[20..].chars().take_while(char::is_ascii_digit).take(3).collect(),
        _ => String::new(),
    };
    let fraction = if fraction.is_empty() { "0".to_owned() } else { fraction };
    let (hour, minute, second) = (clock(11..13)?, clock(14..16)?, clock(17..19)?);
    Millis::from_rfc3339(&format!("{}T{hour}:{minute}:{second}.{fraction}Z", &text[..10]))
}

/// A path as text for ledgers and messages: control characters escaped, bytes that are no UTF-8 as a hash.
pub(crate) fn path_name(path: &Path) -> String {
    let shown = path.to_string_lossy();
    let mut name = String::with_capacity(shown.len());
    for char in shown.chars() {
        if char.is_control() { name.extend(char.escape_default()) } else { name.push(char) }
    }
    if path.to_str().is_none() {
        // Two such paths may look alike.
        let hash = crate::ids::event_id(&format!("\0{path:?}"));
        name.push('#');
        name.push_str(&hash.as_str()[..8]);
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_in_names() {
        let expected = Some(Millis(1_772_253_881_856));
        assert_eq!(time_in_name("2026-02-28T04-44-41.856Z"), expected);
        assert_eq!(time_in_name("2026-02-28T04-44-41-856Z_0a"), expected);
        assert_eq!(time_in_name("2026-02-28T04-44-41"), Some(Millis(1_772_253_881_000)));
        assert_eq!(time_in_name("2026-02-28T04-44"), None);
        assert_eq!(time_in_name("not-a-time-at-allTxx"), None);
    }

    #[test]
    fn names_hold_no_control_characters() {
        assert_eq!(path_name(Path::new("/a/b\u{1b}[1m.jsonl")), "/a/b\\u{1b}[1m.jsonl");
    }
}
