//! The sink that a reader feeds: blocking on the reader's side, a store on the other.

use std::collections::BTreeSet;
use std::sync::Arc;

use session_search_core::source::{ImportChunk, ImportReceipt, ImportSink, SourceMark};
use session_search_core::{EventId, SessionId, SessionKey, StoreError};
use tokio::runtime::Handle;

use super::report::{ImportOptions, Progress};
use crate::stores::Lease;

/// What was stored of one source.
#[derive(Debug, Default)]
pub(super) struct Stored {
    pub(super) messages: u64,
    pub(super) skipped: u64,
    pub(super) sessions: BTreeSet<SessionKey>,
    pub(super) mark: Option<SourceMark>,
    pub(super) warnings: BTreeSet<String>,
}

/// Stores what a reader reads. Lives on a thread that may block.
pub(super) struct Sink {
    lease: Lease,
    path: String,
    defer_index: bool,
    restore: bool,
    progress: Arc<dyn Progress>,
    runtime: Handle,
    stored: Stored,
}

impl Sink {
    /// Must be made within the runtime.
    pub(super) fn new(
        lease: Lease,
        path: String,
        options: &ImportOptions,
        progress: Arc<dyn Progress>,
    ) -> Sink {
        Sink {
            lease,
            path,
            defer_index: options.defer_index,
            restore: options.restore,
            progress,
            runtime: Handle::current(),
            stored: Stored::default(),
        }
    }

    pub(super) fn into_stored(self) -> Stored {
        self.stored
    }
}

impl ImportSink for Sink {
    fn store(&mut self, mut chunk: ImportChunk) -> Result<ImportReceipt, StoreError> {
        chunk.defer_index = self.defer_index;
        chunk.restore = self.restore;
        chunk.source = Some(self.path.clone());
        let key = chunk.session.key.clone();
        let mark = chunk.mark.as_ref().filter(|(path, _)| *path == self.path).map(|(_, mark)| mark.clone());
        let receipt = self.runtime.block_on(self.lease.store().import(chunk))?;
        self.stored.messages += receipt.messages;
        self.stored.skipped += receipt.skipped;
        self.stored.mark = mark.or(self.stored.mark.take());
        let warnings = &mut self.stored.warnings;
        if receipt.tombstone {
            warnings
                .insert(format!("session {key} was deleted here, so it stays out; --restore brings it back"));
        } else {
            self.stored.sessions.insert(key.clone());
        }
        if receipt.pinned {
            warnings.insert(format!(
                "session {key} was changed here, so it keeps its own place in the conversation"
            ));
        }
        Ok(receipt)
    }

    fn known(
        &mut self,
        key: &SessionKey,
        session_id: &SessionId,
        ids: &[EventId],
    ) -> Result<Vec<bool>, StoreError> {
        self.runtime.block_on(self.lease.store().known_events(key, session_id, ids))
    }

    fn mark(&mut self, mark: SourceMark) -> Result<(), StoreError> {
        self.runtime.block_on(self.lease.store().mark_source(&self.path, mark.clone()))?;
        self.stored.mark = Some(mark);
        Ok(())
    }

    fn progress(&mut self, bytes: u64) {
        self.progress.reads(bytes);
    }
}
