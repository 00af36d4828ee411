//! The suites notice a store that breaks a promise: each fault alone, in a store that is right otherwise.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use async_trait::async_trait;
use session_search_core::query::Query;
use session_search_core::source::{ImportChunk, ImportReceipt, SourceMark};
use session_search_core::store::{
    Append, AppendReceipt, DeleteReceipt, HistoryAnswer, HistoryPlan, ReconcileStep, Result, Rewind,
    RewindReceipt, SearchPlan, SessionSummary, Statistics, StoreHits, StoreStatus, VerifyReport,
};
use session_search_core::{
    AgentId, EventId, SessionId, SessionKey, SessionName, TextPipeline, TranscriptStore, Visible,
};
use session_search_testkit::{MemoryFactory, StoreFactory, StoreHome, machine};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
    /// Finds what may not be seen.
    Leak,
    /// Counts what may not be seen.
    Count,
    /// Tells of pending transcripts that may not be seen.
    Tell,
    /// Loses the last hit.
    Lose,
    /// Hides that something was left out.
    Silence,
    /// Skips a message of each page.
    Skip,
    /// Deletes one session too few.
    Keep,
    /// Forgets where a rewind goes.
    Stay,
    /// Lists too much.
    List,
}

#[derive(Debug)]
struct Faulty(Arc<dyn TranscriptStore>, Fault);

#[derive(Debug)]
struct FaultyFactory(Fault);

struct FaultyHome(Box<dyn StoreHome>, Fault);

#[async_trait]
impl StoreFactory for FaultyFactory {
    async fn create(&self) -> Box<dyn StoreHome> {
        Box::new(FaultyHome(MemoryFactory.create().await, self.0))
    }
}

#[async_trait]
impl StoreHome for FaultyHome {
    async fn open(&self, pipeline: Arc<dyn TextPipeline>) -> Arc<dyn TranscriptStore> {
        Arc::new(Faulty(self.0.open(pipeline).await, self.1))
    }
}

#[async_trait]
impl TranscriptStore for Faulty {
    fn agent(&self) -> &AgentId {
        self.0.agent()
    }
    fn read_only(&self) -> bool {
        self.0.read_only()
    }
    async fn append(&self, append: Append) -> Result<AppendReceipt> {
        self.0.append(append).await
    }
    async fn rewind(&self, rewind: Rewind) -> Result<RewindReceipt> {
        let key = rewind.key.clone();
        let before = self.0.history(&Visible::Everything, &newest(&key)).await;
        let receipt = self.0.rewind(rewind).await?;
        if let (Fault::Stay, Ok(HistoryAnswer::Page(page))) = (self.1, before)
            && let Some(last) = page.messages.last()
        {
            let _ = self.0.rewind(Rewind { key, to: last.event_id.clone(), purge: false }).await;
        }
        Ok(receipt)
    }
    async fn delete(&self, keys: &[SessionKey]) -> Result<DeleteReceipt> {
        let keys =
            if self.1 == Fault::Keep { keys.split_last().map_or(keys, |(_, rest)| rest) } else { keys };
        self.0.delete(keys).await
    }
    async fn import(&self, chunk: ImportChunk) -> Result<ImportReceipt> {
        self.0.import(chunk).await
    }
    async fn known_events(
        &self,
        key: &SessionKey,
        session_id: &SessionId,
        ids: &[EventId],
    ) -> Result<Vec<bool>> {
        self.0.known_events(key, session_id, ids).await
    }
    async fn source_marks(&self) -> Result<Vec<(String, SourceMark)>> {
        self.0.source_marks().await
    }
    async fn mark_source(&self, path: &str, mark: SourceMark) -> Result<()> {
        self.0.mark_source(path, mark).await
    }
    async fn children(&self, of: &[SessionName]) -> Result<Vec<SessionKey>> {
        self.0.children(of).await
    }
    async fn exists(&self, key: &SessionKey) -> Result<bool> {
        self.0.exists(key).await
    }
    async fn statistics(&self, visible: &Visible, query: &Arc<Query>) -> Result<Statistics> {
        let visible = if self.1 == Fault::Count { &Visible::Everything } else { visible };
        self.0.statistics(visible, query).await
    }
    async fn occurring(&self, visible: &Visible, terms: &[String]) -> Result<Vec<u64>> {
        let visible = if self.1 == Fault::Count { &Visible::Everything } else { visible };
        self.0.occurring(visible, terms).await
    }
    async fn search(&self, visible: &Visible, plan: &SearchPlan) -> Result<StoreHits> {
        let visible = if self.1 == Fault::Leak { &Visible::Everything } else { visible };
        let mut hits = self.0.search(visible, plan).await?;
        if self.1 == Fault::Lose && hits.hits.len() > 2 {
            hits.hits.pop();
        }
        hits.left_out &= self.1 != Fault::Silence;
        Ok(hits)
    }
    async fn pending(&self, visible: &Visible) -> Result<u64> {
        let visible = if self.1 == Fault::Tell { &Visible::Everything } else { visible };
        self.0.pending(visible).await
    }
    async fn erasing(&self) -> Result<bool> {
        self.0.erasing().await
    }
    async fn history(&self, visible: &Visible, plan: &HistoryPlan) -> Result<HistoryAnswer> {
        let mut answer = self.0.history(visible, plan).await?;
        if let (Fault::Skip, HistoryAnswer::Page(page)) = (self.1, &mut answer)
            && page.messages.len() > 2
        {
            page.messages.remove(1);
        }
        Ok(answer)
    }
    async fn list(&self, visible: &Visible) -> Result<Vec<SessionSummary>> {
        let visible = if self.1 == Fault::List { &Visible::Everything } else { visible };
        self.0.list(visible).await
    }
    async fn reconcile_step(&self, entries: usize) -> Result<ReconcileStep> {
        self.0.reconcile_step(entries).await
    }
    async fn mark_pending(&self, key: Option<&SessionKey>) -> Result<u64> {
        self.0.mark_pending(key).await
    }
    async fn verify(&self, repair: bool) -> Result<VerifyReport> {
        self.0.verify(repair).await
    }
    async fn status(&self) -> Result<StoreStatus> {
        self.0.status().await
    }
    async fn dump(&self) -> Result<Vec<String>> {
        self.0.dump().await
    }
    async fn close(&self) -> Result<()> {
        self.0.close().await
    }
}

fn newest(key: &SessionKey) -> HistoryPlan {
    let from = session_search_core::store::HistoryFrom::Newest;
    HistoryPlan { key: key.clone(), session_id: None, from, limit: 1, include_tools: false }
}

fn notices(suite: impl FnOnce()) -> bool {
    catch_unwind(AssertUnwindSafe(suite)).is_err()
}

#[test]
fn the_machine_notices() {
    for fault in [
        Fault::Leak,
        Fault::Count,
        Fault::Lose,
        Fault::Silence,
        Fault::Skip,
        Fault::Keep,
        Fault::Stay,
        Fault::List,
    ] {
        assert!(notices(|| machine::run(&FaultyFactory(fault), 200)), "{fault:?} goes unnoticed");
    }
}

#[test]
fn the_law_of_what_is_invisible_notices() {
    for fault in [Fault::Leak, Fault::Count, Fault::Tell, Fault::List] {
        assert!(notices(|| machine::invisible(&FaultyFactory(fault), 200)), "{fault:?} goes unnoticed");
    }
}

#[tokio::test]
async fn the_contract_notices() {
    use futures::FutureExt;
    use session_search_testkit::contract;
    for fault in [
        Fault::Leak,
        Fault::Count,
        Fault::Tell,
        Fault::Lose,
        Fault::Silence,
        Fault::Skip,
        Fault::Keep,
        Fault::Stay,
    ] {
        let mut noticed = 0;
        for (_, check) in contract::checks() {
            let factory = FaultyFactory(fault);
            noticed += usize::from(AssertUnwindSafe(check(&factory)).catch_unwind().await.is_err());
        }
        assert!(noticed > 0, "{fault:?} goes unnoticed");
    }
}
