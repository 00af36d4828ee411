//! What an importer hands to a store: transcripts that other programs wrote, in chunks.
//!
//! A reader turns a file into [`ImportChunk`]s (native events, links resolved) and feeds them to an
//! [`ImportSink`]; the sink stores them. Readers know no store, stores know no format.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::error::StoreError;
use crate::event::Event;
use crate::ids::{AgentId, EventId, SessionId, SessionKey};
use crate::store::SessionSpec;
use crate::time::Millis;

/// How much a source's leaf counts: of several sources of one transcript the highest decides, in whatever order
/// they are imported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SourceRank {
    /// An archive made at that time.
    Archive(Millis),
    /// The live file.
    Live,
}

/// What a store notes about a source, to know it again: opaque to the store but for its bytes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceMark {
    /// Size in bytes when it was read.
    pub size: u64,
    /// Modification time in nanoseconds since the epoch.
    pub modified_ns: i64,
    /// Inode (0 where the platform has none).
    pub inode: u64,
    /// Bytes from the start that were consumed: whole records only.
    pub offset: u64,
    /// SHA-256 over those bytes, in hex: tells a file that only grew from one that was rewritten.
    pub hash: String,
    /// The reader's own state for reading on, as JSON; ids and counts only, never text.
    pub state: String,
}

/// A part of an imported transcript: stored all or none, in one transaction, with its index entries unless
/// deferred.
///
/// The store picks the transcript: where `transcript` is `None`, the part of `session_id` (`<id>`, `<id>#2`, …)
/// that holds any of the events, else a new part; parts are numbered by the time of their first event. Events whose
/// id is there already are skipped (the first record wins).
#[derive(Debug, Clone)]
pub struct ImportChunk {
    /// The session; created where it does not exist.
    pub session: SessionSpec,
    /// The transcript's id as the source names it.
    pub session_id: SessionId,
    /// For the second and later chunks of one transcript in one source: the transcript the receipt named.
    pub transcript: Option<SessionId>,
    /// The rank of the source.
    pub rank: SourceRank,
    /// The name of the source (its path), where it has one. Of two sources of equal rank the one whose leaf is the later
    /// decides ([`later_leaf`]); the source that decided last may move the leaf anywhere.
    pub source: Option<String>,
    /// When the transcript began, where the source says it: orders the transcripts of a session. Else the time of
    /// its first event.
    pub created: Option<Millis>,
    /// Events with ids, times and resolved parents ([`crate::Parent::Root`] or [`crate::Parent::Event`]).
    pub events: Vec<Event>,
    /// The leaf of the source after these events. `Some(None)`: an empty branch. `None`: unchanged so far.
    pub leaf: Option<Option<EventId>>,
    /// Whether the index entries are left to reconciliation.
    pub defer_index: bool,
    /// Whether a tombstone is lifted instead of heeded.
    pub restore: bool,
    /// Noted in the same transaction: path and mark.
    pub mark: Option<(String, SourceMark)>,
}

/// Whether, of two sources of equal rank, the second one's leaf is the later. A leaf that the other's branch goes on
/// from is the earlier; of leaves that stand apart the one with the later time, then the greater id, is the later. So the
/// order in which sources are imported does not matter.
///
/// `passes(a, b)` says whether the branch that ends at `a` passes `b`.
#[must_use]
pub fn later_leaf<'a>(
    present: Option<(&'a EventId, Millis)>,
    other: Option<(&'a EventId, Millis)>,
    mut passes: impl FnMut(&'a EventId, &'a EventId) -> bool,
) -> bool {
    match (present, other) {
        (None, other) => other.is_some(),
        (Some(_), None) => false,
        (Some((present, was)), Some((other, is))) => {
            if passes(other, present) {
                return true;
            }
            !passes(present, other) && (is, other) > (was, present)
        }
    }
}

/// What the import of a chunk did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportReceipt {
    /// The transcript the events went to.
    pub transcript: SessionId,
    /// User and assistant messages that are new.
    pub messages: u64,
    /// Events that were there already.
    pub skipped: u64,
    /// A tombstone names the transcript: nothing was stored.
    pub tombstone: bool,
    /// The source has another leaf than the pinned one: the leaf did not move.
    pub pinned: bool,
}

/// Which records of a source were not taken, and where.
#[derive(Clone, PartialEq, Eq)]
pub struct Malformed {
    /// The line, from 1; 0 where the source has no lines.
    pub line: u64,
    /// The byte offset of the record.
    pub offset: u64,
    /// Why; no text of the record.
    pub why: String,
}

impl fmt::Debug for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {} (byte {}): {}", self.line, self.offset, self.why)
    }
}

/// What a reader says at the end of a source.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReadSummary {
    /// Records that could not be read (counted, also beyond those listed).
    pub malformed: u64,
    /// The first of them, at most 100.
    pub damage: Vec<Malformed>,
    /// Records that were there already within the source (the same id again).
    pub skipped: u64,
    /// The source ends in half a record, which waits for its rest.
    pub half: bool,
    /// What else the user should know; no text of the source.
    pub warnings: Vec<String>,
}

/// Why a source could not be read as a whole.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    /// The file cannot be opened or read.
    #[error("cannot read {path}: {reason}; check that the file exists and that you may read it")]
    Unreadable {
        /// The file.
        path: String,
        /// The system's reason.
        reason: String,
    },
    /// The file is of no format we know.
    #[error("{path} is of no known transcript format; name one with --format if it should be read")]
    UnknownFormat {
        /// The file.
        path: String,
    },
    /// The store refused a chunk.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// A source that was found: a file, or a database.
pub trait TranscriptSource: Send {
    /// The path, for messages and as its name in the ledger.
    fn path(&self) -> &str;
    /// The agent whose store takes its sessions.
    fn agent(&self) -> &AgentId;
    /// The name of its format: `openclaw`, `pi`, `claude`, `codex`, `gemini`.
    fn format(&self) -> &'static str;
    /// Size, modification time and inode as they are now, without opening it; offset, hash and state are empty.
    fn identity(&self) -> &SourceMark;
    /// Whether the program that wrote it marked it as deleted.
    fn deleted(&self) -> bool;
    /// Reads it, from where `last` left it where it only grew since, and feeds the sink. Damage is reported, never
    /// fatal.
    ///
    /// # Errors
    /// [`SourceError`] where the source as a whole cannot be read, or the store refuses.
    fn read(
        &mut self,
        last: Option<&SourceMark>,
        sink: &mut dyn ImportSink,
    ) -> Result<ReadSummary, SourceError>;
}

/// Takes what a reader reads.
pub trait ImportSink {
    /// Stores a chunk. `source`, `defer_index` and `restore` are the sink's to set.
    ///
    /// # Errors
    /// Whatever the store answers.
    fn store(&mut self, chunk: ImportChunk) -> Result<ImportReceipt, StoreError>;
    /// Which of these events are stored under that transcript id.
    ///
    /// # Errors
    /// Whatever the store answers.
    fn known(
        &mut self,
        key: &SessionKey,
        session_id: &SessionId,
        ids: &[EventId],
    ) -> Result<Vec<bool>, StoreError>;
    /// Notes the source at its end (also where it holds no session).
    ///
    /// # Errors
    /// Whatever the store answers.
    fn mark(&mut self, mark: SourceMark) -> Result<(), StoreError>;
    /// Bytes read so far, for progress.
    fn progress(&mut self, bytes: u64);
}
