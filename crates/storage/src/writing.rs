//! What the bodies of write transactions work with.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rusqlite::{Connection, ErrorCode, TransactionBehavior};
use session_search_core::TextPipeline;

use crate::entries::Entries;
use crate::error::{Result, Tried};
use crate::generation::{self, Seen};
use crate::plan::Plan;
use crate::schema::Index;

/// The writing connection of a store, and what its thread keeps.
pub(crate) struct Writing {
    pub(crate) conn: Connection,
    pub(crate) pipeline: Arc<dyn TextPipeline>,
    pub(crate) seen: Seen,
    /// How long to wait for other writers.
    pub(crate) wait: Duration,
    /// The branch of the transcript that reconciliation works on.
    pub(crate) plan: Option<Plan>,
    /// The terms taken out of the index since a deletion began; `None` while none is under way here.
    pub(crate) erased: RefCell<Option<Erased>>,
}

/// Terms of deleted messages.
pub(crate) type Erased = BTreeSet<Box<[u8]>>;

impl Writing {
    /// Runs `body` in a transaction of its own.
    pub(crate) fn transaction<T>(&mut self, body: impl FnOnce(&mut Writing) -> Result<T>) -> Result<T> {
        begin(&self.conn, self.wait)?;
        match body(self) {
            Ok(value) => commit(&self.conn).map(|()| value),
            Err(error) => {
                roll_back(&self.conn);
                Err(error)
            }
        }
    }

    /// The table to write entries to; see [`generation::current`].
    pub(crate) fn index(&self) -> Result<Option<Index>> {
        generation::current(&self.conn, self.pipeline.as_ref(), self.seen)
    }

    /// Writes and removes entries in this table.
    pub(crate) fn target<'a>(&'a self, index: &'a Index) -> Entries<'a> {
        Entries { conn: &self.conn, pipeline: self.pipeline.as_ref(), index, erased: &self.erased }
    }

    /// The same, where there is one to write to.
    pub(crate) fn entries<'a>(&'a self, index: Option<&'a Index>) -> Option<Entries<'a>> {
        index.map(|index| self.target(index))
    }
}

/// Time between two attempts to write while another connection does. SQLite's own waiting grows to a tenth of a
/// second, in which a busy writer comes and goes many times.
const RETRY: Duration = Duration::from_millis(2);

/// Begins a write transaction; waits for other writers as long as the store was opened to wait.
pub(crate) fn begin(conn: &Connection, wait: Duration) -> Result<()> {
    let what = "begin to write";
    let began = Instant::now();
    conn.busy_timeout(Duration::ZERO).tried(what)?;
    let outcome = loop {
        match conn.execute_batch("BEGIN IMMEDIATE") {
            Err(error) if is_busy(&error) && began.elapsed() < wait => std::thread::sleep(RETRY),
            outcome => break outcome,
        }
    };
    conn.busy_timeout(wait).tried(what)?;
    outcome.tried(what)
}

fn is_busy(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked))
}

/// Commits. Where that fails nothing was stored.
pub(crate) fn commit(conn: &Connection) -> Result<()> {
    let outcome = conn.execute_batch("COMMIT").tried("store durably");
    if outcome.is_err() {
        roll_back(conn);
    }
    outcome
}

/// Gives a transaction up.
pub(crate) fn roll_back(conn: &Connection) {
    if !conn.is_autocommit()
        && let Err(error) = conn.execute_batch("ROLLBACK")
    {
        tracing::error!(
            code = error.sqlite_error().map_or(0, |e| e.extended_code),
            "a transaction cannot be given up"
        );
    }
}

/// Runs `body` within a savepoint of the open transaction.
pub(crate) fn savepoint<T>(writing: &mut Writing, body: impl FnOnce(&mut Writing) -> Result<T>) -> Result<T> {
    writing.conn.execute_batch("SAVEPOINT one").tried("begin to write")?;
    let outcome = body(writing);
    let end = if outcome.is_ok() { "RELEASE one" } else { "ROLLBACK TO one; RELEASE one" };
    writing.conn.execute_batch(end).tried("end a part of a transaction")?;
    outcome
}

/// A read transaction: several reads of one state of the store.
pub(crate) fn snapshot<T>(conn: &mut Connection, body: impl FnOnce(&Connection) -> Result<T>) -> Result<T> {
    let tx = conn.transaction_with_behavior(TransactionBehavior::Deferred).tried("begin to read")?;
    let outcome = body(&tx)?;
    tx.finish().tried("end a read")?;
    Ok(outcome)
}
