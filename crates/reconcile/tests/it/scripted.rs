//! A store that answers steps from a script and nothing else.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use session_search_core::query::Query;
use session_search_core::source::{ImportChunk, ImportReceipt, SourceMark};
use session_search_core::store::{
    Append, AppendReceipt, DeleteReceipt, HistoryAnswer, HistoryPlan, ReconcileStep, Result, Rewind,
    RewindReceipt, SearchPlan, SessionSummary, Statistics, StoreHits, StoreStatus, VerifyReport,
};
use session_search_core::{
    AgentId, ErrorKind, EventId, SessionId, SessionKey, SessionName, StoreError, TranscriptStore, Visible,
};
use tokio::sync::Mutex;
use tokio::time::Instant;

/// What a step answers; idle once the script is used up.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Answer {
    Step(ReconcileStep),
    Fails(ErrorKind),
}

#[derive(Debug)]
pub(crate) struct Scripted {
    agent: AgentId,
    script: Mutex<VecDeque<Answer>>,
    /// When each step was taken, in milliseconds since the store was made.
    taken: Mutex<Vec<u128>>,
    made: Instant,
    running: AtomicUsize,
    /// The most steps that ever ran at once.
    pub(crate) most_at_once: AtomicUsize,
}

impl Scripted {
    pub(crate) fn new(script: impl IntoIterator<Item = Answer>) -> Arc<Scripted> {
        Arc::new(Scripted {
            agent: AgentId::new("main").unwrap(),
            script: Mutex::new(script.into_iter().collect()),
            taken: Mutex::default(),
            made: Instant::now(),
            running: AtomicUsize::new(0),
            most_at_once: AtomicUsize::new(0),
        })
    }

    pub(crate) async fn push(&self, answer: Answer) {
        self.script.lock().await.push_back(answer);
    }

    pub(crate) async fn taken(&self) -> Vec<u128> {
        self.taken.lock().await.clone()
    }
}

fn no<T>() -> Result<T> {
    Err(StoreError::new(ErrorKind::Io, "a reconciler has no business here"))
}

#[async_trait]
impl TranscriptStore for Scripted {
    fn agent(&self) -> &AgentId {
        &self.agent
    }

    async fn reconcile_step(&self, entries: usize) -> Result<ReconcileStep> {
        assert!(entries > 0);
        let running = self.running.fetch_add(1, Ordering::SeqCst) + 1;
        self.most_at_once.fetch_max(running, Ordering::SeqCst);
        self.taken.lock().await.push(self.made.elapsed().as_millis());
        tokio::task::yield_now().await;
        let answer = self.script.lock().await.pop_front();
        self.running.fetch_sub(1, Ordering::SeqCst);
        match answer.unwrap_or(Answer::Step(ReconcileStep::Idle)) {
            Answer::Step(step) => Ok(step),
            Answer::Fails(kind) => Err(StoreError::new(kind, "scripted")),
        }
    }

    async fn append(&self, _: Append) -> Result<AppendReceipt> {
        no()
    }
    async fn rewind(&self, _: Rewind) -> Result<RewindReceipt> {
        no()
    }
    async fn delete(&self, _: &[SessionKey]) -> Result<DeleteReceipt> {
        no()
    }
    async fn import(&self, _: ImportChunk) -> Result<ImportReceipt> {
        no()
    }
    async fn known_events(&self, _: &SessionKey, _: &SessionId, _: &[EventId]) -> Result<Vec<bool>> {
        no()
    }
    async fn source_marks(&self) -> Result<Vec<(String, SourceMark)>> {
        no()
    }
    async fn mark_source(&self, _: &str, _: SourceMark) -> Result<()> {
        no()
    }
    async fn children(&self, _: &[SessionName]) -> Result<Vec<SessionKey>> {
        no()
    }
    async fn exists(&self, _: &SessionKey) -> Result<bool> {
        no()
    }
    async fn statistics(&self, _: &Visible, _: &Arc<Query>) -> Result<Statistics> {
        no()
    }
    async fn occurring(&self, _: &Visible, _: &[String]) -> Result<Vec<u64>> {
        no()
    }
    async fn search(&self, _: &Visible, _: &SearchPlan) -> Result<StoreHits> {
        no()
    }
    async fn pending(&self, _: &Visible) -> Result<u64> {
        no()
    }
    async fn erasing(&self) -> Result<bool> {
        no()
    }
    async fn history(&self, _: &Visible, _: &HistoryPlan) -> Result<HistoryAnswer> {
        no()
    }
    async fn list(&self, _: &Visible) -> Result<Vec<SessionSummary>> {
        no()
    }
    async fn mark_pending(&self, _: Option<&SessionKey>) -> Result<u64> {
        no()
    }
    async fn verify(&self, _: bool) -> Result<VerifyReport> {
        no()
    }
    async fn status(&self) -> Result<StoreStatus> {
        no()
    }
    async fn dump(&self) -> Result<Vec<String>> {
        no()
    }
    async fn close(&self) -> Result<()> {
        no()
    }
}
