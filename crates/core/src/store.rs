//! The storage trait: one agent's sessions, their transcripts and their index.
//!
//! A backend implements [`TranscriptStore`] in full (there are no default methods) and passes the contract suite
//! of the testkit. Everything the trait promises is written on its methods.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};

use crate::cursor::Cursor;
use crate::error::StoreError;
use crate::event::{Event, Role};
use crate::ids::{AgentId, EventId, SessionId, SessionKey, SessionName};
use crate::query::Query;
use crate::source::{ImportChunk, ImportReceipt, SourceMark};
use crate::text::ToolPart;
use crate::time::Millis;
use crate::visibility::Visible;

/// A result of a store.
pub type Result<T> = std::result::Result<T, StoreError>;

/// What a session is created with. On a session that exists only `title`, `project` and a turn to `incognito`
/// take effect; its lineage is fixed.
#[derive(Clone, PartialEq, Eq)]
pub struct SessionSpec {
    /// The key.
    pub key: SessionKey,
    /// Who spawned it; may be a session of another agent, deleted, or never stored.
    pub spawned_by: Option<SessionName>,
    /// A title, at most 200 characters.
    pub title: Option<String>,
    /// The working directory.
    pub project: Option<String>,
    /// Where its transcripts come from: `native`, or the name of a format.
    pub source: String,
    /// Whether it is hidden from every caller and from the operator's search.
    pub incognito: bool,
}

impl SessionSpec {
    /// A plain native session.
    #[must_use]
    pub fn native(key: SessionKey) -> SessionSpec {
        SessionSpec {
            key,
            spawned_by: None,
            title: None,
            project: None,
            source: "native".into(),
            incognito: false,
        }
    }
}

impl fmt::Debug for SessionSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SessionSpec")
            .field("key", &self.key)
            .field("spawned_by", &self.spawned_by)
            .finish_non_exhaustive()
    }
}

/// Events to append, all or none.
#[derive(Debug, Clone)]
pub struct Append {
    /// The session; created where it does not exist.
    pub session: SessionSpec,
    /// The transcript. An unknown id starts a new one (a reset). `None`: the current one, or `new_session_id` where
    /// there is none.
    pub session_id: Option<SessionId>,
    /// The id of the first transcript of a new session.
    pub new_session_id: SessionId,
    /// The events in order. Each has an id and a time ([`Event::or_id`], [`Event::or_timestamp`]).
    pub events: Vec<Event>,
}

/// What an append stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AppendReceipt {
    /// The transcript.
    pub session_id: SessionId,
    /// Each event, in order: its id, and whether it is new (`false`: it was there already and equal).
    pub events: Vec<(EventId, bool)>,
    /// What the caller should know: an unknown leaf target, text that was cut. No message text.
    pub warnings: Vec<String>,
}

/// Moves the leaf of a session's current transcript.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rewind {
    /// The session.
    pub key: SessionKey,
    /// The event that becomes the leaf.
    pub to: EventId,
    /// Whether what is then off the branch is deleted, and its bytes erased.
    pub purge: bool,
}

/// What a rewind did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RewindReceipt {
    /// The transcript whose leaf moved.
    pub session_id: SessionId,
    /// Messages that were deleted (`purge`).
    pub purged: u64,
    /// Whether their bytes are gone.
    pub erasure: Erasure,
    /// Whether the move was too large to be reindexed in its own transaction.
    pub pending: bool,
}

/// Whether the bytes of what was deleted are gone from every file of the store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Erasure {
    /// No byte is left.
    Done,
    /// Something holds some; it completes later.
    Pending {
        /// What holds them up.
        why: String,
    },
}

/// What a deletion did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeleteReceipt {
    /// Sessions that were deleted.
    pub sessions: u64,
    /// User and assistant messages that were deleted, on and off the active branches.
    pub messages: u64,
    /// Whether their bytes are gone.
    pub erasure: Erasure,
}

/// Which messages a search considers, beyond those it may see.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    /// Only this session.
    pub session: Option<SessionKey>,
    /// Not this session.
    pub exclude: Option<SessionKey>,
    /// Only this role.
    pub role: Option<Role>,
    /// From this time on (inclusive).
    pub since: Option<Millis>,
    /// Before this time (exclusive).
    pub until: Option<Millis>,
    /// Only sessions whose working directory contains this; ASCII case does not matter.
    pub project: Option<String>,
}

/// The order of hits. Ties: newer first, then session key, then message id.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Order {
    /// By score.
    #[default]
    Relevance,
    /// By time, newest first.
    Recent,
}

/// Which messages match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Matching {
    /// Those that hold every group of the query.
    All,
    /// Those that hold all binding parts (phrases, exclusions) and, of the plain words weighted by rarity
    /// ([`inverse_frequency`]; those that occur nowhere weigh what the others do on average), at least half: what
    /// [`crate::relax::Majority`] admits.
    Most,
}

/// What is known of the words of a query among the visible messages: what scores are made of. Counts only visible,
/// indexed messages that are on their active branch, whatever the filter.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Visible messages that have searchable text.
    pub messages: u64,
    /// For each clause of the query ([`Query::clauses`] order), in how many of them it matches.
    pub frequencies: Vec<u64>,
    /// The time of the newest of them.
    pub newest: Option<Millis>,
}

impl Statistics {
    /// The statistics of two disjoint sets of messages, taken together.
    #[must_use]
    pub fn merged(mut self, other: &Statistics) -> Statistics {
        self.messages += other.messages;
        if self.frequencies.is_empty() {
            self.frequencies.clone_from(&other.frequencies);
        } else {
            for (sum, more) in self.frequencies.iter_mut().zip(&other.frequencies) {
                *sum += more;
            }
        }
        self.newest = self.newest.max(other.newest);
        self
    }
}

/// A search of one store.
#[derive(Debug, Clone)]
pub struct SearchPlan {
    /// What is looked for.
    pub query: Arc<Query>,
    /// How much of it must match.
    pub matching: Matching,
    /// Which messages are considered.
    pub filter: Filter,
    /// The order of hits.
    pub order: Order,
    /// How many hits are wanted at most.
    pub limit: usize,
    /// How many of one session at most; `None`: no cap.
    pub per_session: Option<usize>,
    /// The statistics that scores are made of ([`TranscriptStore::statistics`], merged over all stores searched).
    pub statistics: Arc<Statistics>,
}

/// What a store found.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct StoreHits {
    /// The best, in order, copies merged, capped per session.
    pub hits: Vec<StoreHit>,
    /// Whether a visible match was left out by `limit` or `per_session`. A copy that was merged is not left out.
    pub left_out: bool,
}

/// What [`TranscriptStore::answer`] gives.
#[derive(Debug, Clone, Default)]
pub struct Answer {
    /// Visible transcripts that wait for reconciliation. Looked for first: an index that becomes complete in between is
    /// then reported as incomplete, not the reverse.
    pub pending: u64,
    /// Of the query's clauses.
    pub statistics: Arc<Statistics>,
    /// The best hits.
    pub hits: StoreHits,
}

/// A message that matches. `Debug` shows no text.
#[derive(Clone, PartialEq)]
pub struct StoreHit {
    /// The session it is shown under: of those that hold a copy, the one whose first event is the oldest.
    pub key: SessionKey,
    /// The transcript.
    pub session_id: SessionId,
    /// The message.
    pub event_id: EventId,
    /// Who said it.
    pub role: Role,
    /// When.
    pub timestamp: Millis,
    /// Its whole searchable text, not scrubbed.
    pub text: String,
    /// Larger is better; comparable between stores searched with the same statistics.
    pub score: f64,
    /// Bit *i* is set where clause *i* of the query matches.
    pub clauses: u64,
    /// Other visible sessions that hold a copy (same id, same text), oldest first event first.
    pub also_in: Vec<(SessionKey, SessionId)>,
    /// The time of the first event of the session.
    pub session_start: Millis,
}

impl fmt::Debug for StoreHit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StoreHit")
            .field("key", &self.key)
            .field("event_id", &self.event_id)
            .field("score", &self.score)
            .field("bytes", &self.text.len())
            .finish_non_exhaustive()
    }
}

/// Which part of a session's history is wanted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HistoryFrom {
    /// The newest page of the transcript.
    Newest,
    /// The page centred on this message.
    Around(EventId),
    /// The page that ends before this place.
    Before(Cursor),
    /// The page that begins after this place.
    After(Cursor),
}

/// A page of history that is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HistoryPlan {
    /// The session.
    pub key: SessionKey,
    /// The transcript; `None`: the one that holds the anchor (the current one, else the newest), or the current one.
    pub session_id: Option<SessionId>,
    /// Which part.
    pub from: HistoryFrom,
    /// How many messages at most.
    pub limit: usize,
    /// Whether messages without searchable text, and tool parts, are wanted.
    pub include_tools: bool,
}

/// What a store answers to a [`HistoryPlan`].
#[derive(Debug, Clone, PartialEq)]
pub enum HistoryAnswer {
    /// The page.
    Page(HistoryPage),
    /// The session is there, but not the transcript, anchor or cursor.
    Missing(MissingPlace),
}

/// Why there is no page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MissingPlace {
    /// The session has no such transcript.
    Transcript,
    /// No transcript of the session holds the message (never did, or it was deleted).
    Message,
    /// The message is there, but off the active branch.
    OffBranch,
}

/// A run of messages of one transcript's active branch, oldest first.
#[derive(Debug, Clone, PartialEq)]
pub struct HistoryPage {
    /// The transcript.
    pub session_id: SessionId,
    /// The messages.
    pub messages: Vec<StoredMessage>,
    /// Whether there are older ones.
    pub older: bool,
    /// Whether there are newer ones.
    pub newer: bool,
}

/// A message as stored, not scrubbed. `Debug` shows no text.
#[derive(Clone, PartialEq)]
pub struct StoredMessage {
    /// Its id.
    pub event_id: EventId,
    /// Who said it.
    pub role: Role,
    /// When.
    pub timestamp: Millis,
    /// Its searchable text, whole.
    pub text: String,
    /// Its tool calls, and the results that follow it on the branch before the next message; empty unless asked for.
    pub tools: Vec<ToolPart>,
}

impl fmt::Debug for StoredMessage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StoredMessage")
            .field("event_id", &self.event_id)
            .field("role", &self.role)
            .field("bytes", &self.text.len())
            .finish_non_exhaustive()
    }
}

/// A session in a list. `Debug` shows no title.
#[derive(Clone, PartialEq, Eq)]
pub struct SessionSummary {
    /// Its key.
    pub key: SessionKey,
    /// Its transcripts, oldest first; the last is the current one.
    pub session_ids: Vec<SessionId>,
    /// Its title, not scrubbed.
    pub title: Option<String>,
    /// Its working directory.
    pub project: Option<String>,
    /// Where it comes from.
    pub source: String,
    /// Who spawned it.
    pub spawned_by: Option<SessionName>,
    /// Messages with searchable text on the active branches of its transcripts.
    pub messages: u64,
    /// The time of its first event; `None` where it has none.
    pub first: Option<Millis>,
    /// The time of its last event.
    pub last: Option<Millis>,
    /// Whether it is incognito.
    pub incognito: bool,
}

impl fmt::Debug for SessionSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SessionSummary")
            .field("key", &self.key)
            .field("messages", &self.messages)
            .finish_non_exhaustive()
    }
}

/// What one step of reconciliation did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReconcileStep {
    /// Nothing is pending, and nothing waits to be erased.
    Idle,
    /// Work was done; there may be more.
    Progress {
        /// Index entries written or removed.
        entries: u64,
    },
    /// What is left waits for something that a further step cannot hurry (a reader that holds up a checkpoint).
    Waiting,
}

/// The state of a store's index.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct StoreStatus {
    /// The agent.
    pub agent_id: AgentId,
    /// Sessions.
    pub sessions: u64,
    /// Transcripts.
    pub transcripts: u64,
    /// Events.
    pub events: u64,
    /// Messages in the index.
    pub indexed: u64,
    /// Transcripts that wait for reconciliation.
    pub pending: u64,
    /// Whether deleted bytes wait to be erased.
    pub erasing: bool,
    /// The version of the words and the rules that the index is built with.
    pub index_version: String,
    /// The version of the schema.
    pub schema_version: u32,
    /// Bytes of all files of the store.
    pub bytes: u64,
    /// Whether the store was opened read-only.
    pub read_only: bool,
}

/// What a verification found. Each difference names ids only.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct VerifyReport {
    /// Messages compared with their index entries.
    pub checked: u64,
    /// What differs, a line each, at most 100; empty where all is well.
    pub differences: Vec<String>,
    /// Whether differences were repaired (with `repair`), or are being repaired by reconciliation.
    pub repaired: bool,
}

/// Messages that [`TranscriptStore::occurring`] counts at most for one term.
pub const MOST_OCCURRING: u64 = 1_000;

/// One agent's store.
///
/// Every method may be called from any task. A future that is dropped may still take effect; reads that nobody
/// waits for are interrupted. All reads take what may be seen; a session outside it is answered as one that does
/// not exist ([`crate::ErrorKind::NotFound`]).
#[async_trait]
pub trait TranscriptStore: Send + Sync + fmt::Debug {
    /// The agent whose sessions these are.
    fn agent(&self) -> &AgentId;

    /// Whether the place of the store can be read only, so that nothing can be stored, erased or indexed.
    fn read_only(&self) -> bool {
        false
    }

    /// Appends events, all or none, durable and searchable when it returns. An event whose id is taken by an
    /// equal one is a no-op; by another is a `Conflict` that names it, and nothing is stored. Pins the leaf
    /// against imports.
    async fn append(&self, append: Append) -> Result<AppendReceipt>;

    /// Moves the leaf of the current transcript and pins it. `NotFound` where the session or the event is not there.
    async fn rewind(&self, rewind: Rewind) -> Result<RewindReceipt>;

    /// Deletes sessions: unreachable in one transaction, with a tombstone for each transcript; then erased. Keys that
    /// do not exist are passed over. Lineage outlives deletion.
    async fn delete(&self, keys: &[SessionKey]) -> Result<DeleteReceipt>;

    /// Stores a part of an imported transcript, all or none. See [`ImportChunk`].
    async fn import(&self, chunk: ImportChunk) -> Result<ImportReceipt>;

    /// Which of these events the transcript (or any part `<id>#n` of it) holds: how an importer that reads on in a
    /// grown file resolves links to what it stored before. Ids only, for importers.
    async fn known_events(
        &self,
        key: &SessionKey,
        session_id: &SessionId,
        ids: &[EventId],
    ) -> Result<Vec<bool>>;

    /// What was noted about sources, by path.
    async fn source_marks(&self) -> Result<Vec<(String, SourceMark)>>;

    /// Notes a source without a chunk (a file that holds no session).
    async fn mark_source(&self, path: &str, mark: SourceMark) -> Result<()>;

    /// The sessions of this store that any of these spawned, deleted and incognito ones included. Keys only.
    async fn children(&self, of: &[SessionName]) -> Result<Vec<SessionKey>>;

    /// Whether a session exists (incognito ones do, deleted ones do not). For callers and for keys without an agent.
    async fn exists(&self, key: &SessionKey) -> Result<bool>;

    /// Counts the clauses of a query among the visible messages.
    async fn statistics(&self, visible: &Visible, query: &Arc<Query>) -> Result<Statistics>;

    /// In how many visible messages each of these terms (folded, as [`crate::words::prepare`] writes them) occurs, counted
    /// up to [`MOST_OCCURRING`]. Meant for terms most of which occur nowhere.
    async fn occurring(&self, visible: &Visible, terms: &[String]) -> Result<Vec<u64>>;

    /// The best hits among the visible messages. Text off the active branch is never found, also while a transcript is
    /// pending; what of a pending transcript is still indexed and on its branch is found.
    async fn search(&self, visible: &Visible, plan: &SearchPlan) -> Result<StoreHits>;

    /// All that a request to one store needs, of one state of it: what is pending among `waiting`, the statistics of the
    /// plan's query, and the hits by these statistics (those of the plan are not looked at).
    async fn answer(&self, waiting: &Visible, visible: &Visible, plan: &SearchPlan) -> Result<Answer> {
        let pending = self.pending(waiting).await?;
        let statistics = Arc::new(self.statistics(visible, &plan.query).await?);
        let plan = SearchPlan { statistics: Arc::clone(&statistics), ..plan.clone() };
        Ok(Answer { pending, hits: self.search(visible, &plan).await?, statistics })
    }

    /// How many visible transcripts wait for reconciliation.
    async fn pending(&self, visible: &Visible) -> Result<u64>;

    /// Whether bytes of what was deleted wait for [`TranscriptStore::reconcile_step`]; never where the store cannot be
    /// written.
    async fn erasing(&self) -> Result<bool>;

    /// A page of history. Right also while a transcript is pending.
    async fn history(&self, visible: &Visible, plan: &HistoryPlan) -> Result<HistoryAnswer>;

    /// The visible sessions, newest last event first, then by key.
    async fn list(&self, visible: &Visible) -> Result<Vec<SessionSummary>>;

    /// One short transaction of reconciliation or erasure, at most about `entries` index entries. Idempotent; any
    /// number of processes may call it.
    async fn reconcile_step(&self, entries: usize) -> Result<ReconcileStep>;

    /// Marks the transcripts of one session, or of all, as pending, so that reconciliation builds them anew.
    /// Returns how many.
    async fn mark_pending(&self, key: Option<&SessionKey>) -> Result<u64>;

    /// Compares every index entry with the transcripts, and checks the database.
    async fn verify(&self, repair: bool) -> Result<VerifyReport>;

    /// The state of the index.
    async fn status(&self) -> Result<StoreStatus>;

    /// Every event in a canonical order, as lines of text that are equal where two stores hold the same: for
    /// tests and comparisons. Holds message text.
    async fn dump(&self) -> Result<Vec<String>>;

    /// Ends the store: waits for writes under way, answers later calls with `Closed`.
    async fn close(&self) -> Result<()>;
}

/// The weight of a clause that occurs in `frequency` of `messages` messages, always above zero: ln(1 + (N − f + ½) / (f + ½)).
///
/// ```
/// use session_search_core::store::inverse_frequency;
/// assert!(inverse_frequency(1_000, 1) > inverse_frequency(1_000, 500));
/// assert!(inverse_frequency(10, 10) > 0.0);
/// ```
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
pub fn inverse_frequency(messages: u64, frequency: u64) -> f64 {
    let (n, f) = (messages.max(frequency) as f64, frequency as f64);
    (1.0 + (n - f + 0.5) / (f + 0.5)).ln()
}
