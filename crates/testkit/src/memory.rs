//! The in-memory store: strict, naive, the model for everything else.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use session_search_core::query::Query;
use session_search_core::source::{ImportChunk, ImportReceipt, SourceMark};
use session_search_core::store::{
    Append, AppendReceipt, DeleteReceipt, HistoryAnswer, HistoryPlan, ReconcileStep, Result, Rewind,
    RewindReceipt, SearchPlan, SessionSummary, Statistics, StoreHits, StoreStatus, VerifyReport,
};
use session_search_core::{
    AgentId, ErrorKind, EventId, SessionId, SessionKey, SessionName, StoreError, TextPipeline,
    TranscriptStore, Visible,
};

use crate::model::Model;

/// A store that keeps everything in memory and computes every answer by looking at all of it.
///
/// Not fast, and nothing to keep: each operation does what the words of [`TranscriptStore`] say in the simplest way.
/// Handles that [`MemoryStore::reopen`] gives share the same sessions.
pub struct MemoryStore {
    agent: AgentId,
    model: Arc<Mutex<Model>>,
    closed: AtomicBool,
}

impl MemoryStore {
    /// An empty store.
    #[must_use]
    pub fn new(agent: AgentId, pipeline: Arc<dyn TextPipeline>) -> MemoryStore {
        let model = Arc::new(Mutex::new(Model::new(agent.clone(), pipeline)));
        MemoryStore { agent, model, closed: AtomicBool::new(false) }
    }

    /// Another handle to the same sessions, with a pipeline of its own. Under another version of the pipeline every
    /// transcript becomes pending.
    #[must_use]
    pub fn reopen(&self, pipeline: Arc<dyn TextPipeline>) -> MemoryStore {
        self.lock().open_with(pipeline);
        MemoryStore {
            agent: self.agent.clone(),
            model: Arc::clone(&self.model),
            closed: AtomicBool::new(false),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Model> {
        self.model.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn open(&self) -> Result<MutexGuard<'_, Model>> {
        if self.closed.load(Ordering::SeqCst) {
            return Err(StoreError::new(ErrorKind::Closed, "the store was closed; open it again"));
        }
        Ok(self.lock())
    }
}

impl fmt::Debug for MemoryStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MemoryStore").field("agent", &self.agent).finish_non_exhaustive()
    }
}

#[async_trait]
impl TranscriptStore for MemoryStore {
    fn agent(&self) -> &AgentId {
        &self.agent
    }

    async fn append(&self, append: Append) -> Result<AppendReceipt> {
        self.open()?.append(&append)
    }

    async fn rewind(&self, rewind: Rewind) -> Result<RewindReceipt> {
        self.open()?.rewind(&rewind)
    }

    async fn delete(&self, keys: &[SessionKey]) -> Result<DeleteReceipt> {
        Ok(self.open()?.delete(keys))
    }

    async fn import(&self, chunk: ImportChunk) -> Result<ImportReceipt> {
        self.open()?.import(&chunk)
    }

    async fn known_events(
        &self,
        key: &SessionKey,
        session_id: &SessionId,
        ids: &[EventId],
    ) -> Result<Vec<bool>> {
        Ok(self.open()?.known_events(key, session_id, ids))
    }

    async fn source_marks(&self) -> Result<Vec<(String, SourceMark)>> {
        Ok(self.open()?.source_marks())
    }

    async fn mark_source(&self, path: &str, mark: SourceMark) -> Result<()> {
        self.open()?.mark_source(path, mark);
        Ok(())
    }

    async fn children(&self, of: &[SessionName]) -> Result<Vec<SessionKey>> {
        Ok(self.open()?.children(of))
    }

    async fn exists(&self, key: &SessionKey) -> Result<bool> {
        Ok(self.open()?.exists(key))
    }

    async fn statistics(&self, visible: &Visible, query: &Arc<Query>) -> Result<Statistics> {
        Ok(self.open()?.statistics(visible, query))
    }

    async fn occurring(&self, visible: &Visible, terms: &[String]) -> Result<Vec<u64>> {
        Ok(self.open()?.occurring(visible, terms))
    }

    async fn search(&self, visible: &Visible, plan: &SearchPlan) -> Result<StoreHits> {
        Ok(self.open()?.search(visible, plan))
    }

    async fn pending(&self, visible: &Visible) -> Result<u64> {
        Ok(self.open()?.pending(visible))
    }

    async fn erasing(&self) -> Result<bool> {
        self.open().map(|_| false)
    }

    async fn history(&self, visible: &Visible, plan: &HistoryPlan) -> Result<HistoryAnswer> {
        self.open()?.history(visible, plan)
    }

    async fn list(&self, visible: &Visible) -> Result<Vec<SessionSummary>> {
        Ok(self.open()?.list(visible))
    }

    async fn reconcile_step(&self, entries: usize) -> Result<ReconcileStep> {
        Ok(self.open()?.reconcile_step(entries))
    }

    async fn mark_pending(&self, key: Option<&SessionKey>) -> Result<u64> {
        Ok(self.open()?.mark_pending(key))
    }

    async fn verify(&self, _repair: bool) -> Result<VerifyReport> {
        Ok(self.open()?.verify())
    }

    async fn status(&self) -> Result<StoreStatus> {
        Ok(self.open()?.status())
    }

    async fn dump(&self) -> Result<Vec<String>> {
        Ok(self.open()?.dump())
    }

    async fn close(&self) -> Result<()> {
        self.closed.store(true, Ordering::SeqCst);
        Ok(())
    }
}
