//! What an import is told, and what it tells.

use serde::Serialize;
use session_search_redact::display;

/// How to import.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ImportOptions {
    /// Leave the index entries to reconciliation.
    pub defer_index: bool,
    /// Read again what is unchanged, and lift the tombstones that are met.
    pub restore: bool,
    /// Also read sources that their program marked as deleted.
    pub include_deleted: bool,
    /// Open sources also where size, time and inode are as before.
    pub rehash: bool,
}

/// Bound of the warnings of a report; those beyond are counted in the last one.
pub const MAX_WARNINGS: usize = 1_000;

/// What an import did. No text of any source.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ImportReport {
    /// Sources that were looked at, unchanged ones included.
    pub files: u64,
    /// Sessions that were read.
    pub sessions: u64,
    /// Newly stored user and assistant messages.
    pub messages: u64,
    /// Events that were there already.
    pub skipped: u64,
    /// Records that could not be read.
    pub malformed: u64,
    /// Files that end in half a record, which waits for its rest.
    pub pending: u64,
    /// What the user should know, each with its file.
    pub warnings: Vec<String>,
    /// Sources that could not be imported as a whole; each has a warning.
    #[serde(skip)]
    pub failed: u64,
    /// Warnings beyond [`MAX_WARNINGS`].
    #[serde(skip)]
    pub unlisted_warnings: u64,
}

impl ImportReport {
    pub(crate) fn warn(&mut self, path: &str, warning: &str) {
        if self.warnings.len() >= MAX_WARNINGS {
            self.unlisted_warnings += 1;
            return;
        }
        let line = if path.is_empty() { warning.to_owned() } else { format!("{path}: {warning}") };
        self.warnings.push(display::escape(&line).into_owned());
    }

    pub(crate) fn failed(&mut self, path: &str, why: &str) {
        self.failed += 1;
        self.warn(path, why);
    }
}

/// Hears how far an import is. Called from several threads, one after the other.
pub trait Progress: Send + Sync {
    /// A source is next; it has so many bytes.
    fn begins(&self, path: &str, bytes: u64);
    /// So many bytes of it were read so far.
    fn reads(&self, bytes: u64);
    /// It is done with, read or not.
    fn ends(&self, path: &str);
}

/// Hears nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoProgress;

impl Progress for NoProgress {
    fn begins(&self, _: &str, _: u64) {}
    fn reads(&self, _: u64) {}
    fn ends(&self, _: &str) {}
}
