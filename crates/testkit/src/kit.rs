//! A store with short ways to ask it, for tests: every refusal that a test does not ask for is a panic.

use std::sync::Arc;

use session_search_core::source::{ImportChunk, ImportReceipt};
use session_search_core::store::{
    AppendReceipt, HistoryAnswer, HistoryFrom, HistoryPage, HistoryPlan, ReconcileStep, SearchPlan,
    SessionSummary, StoreHit, StoreHits,
};
use session_search_core::{ErrorKind, TextPipeline, TranscriptStore, Visible};

use crate::factory::{StoreFactory, StoreHome};
use crate::fixture::{self, Draft};
use crate::pipeline::TestPipeline;

/// How many steps of reconciliation end any test's work.
const MANY_STEPS: usize = 10_000;

/// A store under test and the place it lives in.
pub struct Kit {
    /// The store.
    pub store: Arc<dyn TranscriptStore>,
    home: Box<dyn StoreHome>,
    pipeline: Arc<dyn TextPipeline>,
}

impl Kit {
    /// A new, empty store with plain words.
    pub async fn new(factory: &dyn StoreFactory) -> Kit {
        Kit::with(factory, TestPipeline::plain()).await
    }

    /// A new, empty store with that pipeline.
    pub async fn with(factory: &dyn StoreFactory, pipeline: Arc<dyn TextPipeline>) -> Kit {
        let home = factory.create().await;
        let store = home.open(Arc::clone(&pipeline)).await;
        Kit { store, home, pipeline }
    }

    /// Another handle onto the same sessions, beside the first.
    pub async fn second_handle(&self) -> Arc<dyn TranscriptStore> {
        self.home.open(Arc::clone(&self.pipeline)).await
    }

    /// Closes the store and opens it again, with that pipeline from then on.
    pub async fn reopen_with(&mut self, pipeline: Arc<dyn TextPipeline>) {
        self.store.close().await.unwrap();
        self.pipeline = pipeline;
        self.store = self.home.open(Arc::clone(&self.pipeline)).await;
    }

    /// Opens the store again after a test closed it.
    pub async fn reopen_after_close(&mut self) {
        self.store = self.home.open(Arc::clone(&self.pipeline)).await;
    }

    /// Closes the store and opens it again.
    pub async fn reopen(&mut self) {
        self.reopen_with(Arc::clone(&self.pipeline)).await;
    }

    /// Appends to the current transcript.
    pub async fn say(&self, to: &str, drafts: &[Draft]) -> AppendReceipt {
        self.store.append(fixture::append(to, drafts)).await.unwrap()
    }

    /// Appends to that transcript.
    pub async fn say_in(&self, to: &str, transcript: &str, drafts: &[Draft]) -> AppendReceipt {
        self.store.append(fixture::append_to(to, transcript, drafts)).await.unwrap()
    }

    /// Imports a chunk.
    pub async fn import(&self, chunk: ImportChunk) -> ImportReceipt {
        self.store.import(chunk).await.unwrap()
    }

    /// Searches with the statistics of what is visible.
    pub async fn search(&self, visible: &Visible, plan: &SearchPlan) -> StoreHits {
        let statistics = Arc::new(self.store.statistics(visible, &plan.query).await.unwrap());
        self.store.search(visible, &SearchPlan { statistics, ..plan.clone() }).await.unwrap()
    }

    /// What is found among all sessions that are not incognito: `key/message`, sorted.
    pub async fn found(&self, query: &str) -> Vec<String> {
        self.found_among(&Visible::NotIncognito, query).await
    }

    /// What is found among these sessions: `key/message`, sorted.
    pub async fn found_among(&self, visible: &Visible, query: &str) -> Vec<String> {
        let mut names = names(&self.search(visible, &fixture::plan(query)).await.hits);
        names.sort();
        names
    }

    /// Asserts what is found among all sessions that are not incognito.
    pub async fn expect(&self, query: &str, expected: &[&str]) {
        assert_eq!(self.found(query).await, expected, "search for {query:?}");
    }

    /// A page, seen by everyone who sees what is not incognito.
    pub async fn page(&self, plan: &HistoryPlan) -> HistoryPage {
        match self.store.history(&Visible::NotIncognito, plan).await.unwrap() {
            HistoryAnswer::Page(page) => page,
            HistoryAnswer::Missing(missing) => panic!("no page, but {missing:?}, for {plan:?}"),
        }
    }

    /// The ids of all messages of the current transcript's branch, oldest first.
    pub async fn branch(&self, of: &str) -> Vec<String> {
        let page = self.page(&fixture::pages(of, HistoryFrom::Newest, usize::MAX / 4)).await;
        ids(&page)
    }

    /// The list entry of a session.
    pub async fn listed(&self, of: &str) -> Option<SessionSummary> {
        let list = self.store.list(&Visible::Everything).await.unwrap();
        list.into_iter().find(|summary| summary.key.as_str() == of)
    }

    /// Reconciles until nothing is left to do, in steps of at most so many entries.
    pub async fn settle_in(&self, entries: usize) {
        for _ in 0..MANY_STEPS {
            match self.store.reconcile_step(entries).await.unwrap() {
                ReconcileStep::Idle => return,
                ReconcileStep::Progress { .. } => {}
                ReconcileStep::Waiting => panic!("nothing holds this store up"),
            }
        }
        panic!("reconciliation does not end");
    }

    /// Reconciles until nothing is left to do.
    pub async fn settle(&self) {
        self.settle_in(50).await;
    }

    /// Asserts that the index fits the transcripts.
    pub async fn assert_clean(&self) {
        assert_eq!(self.store.verify(false).await.unwrap().differences, Vec::<String>::new());
    }
}

/// Hits as `key/message`, in their order.
#[must_use]
pub fn names(hits: &[StoreHit]) -> Vec<String> {
    hits.iter().map(|hit| format!("{}/{}", hit.key, hit.event_id)).collect()
}

/// The ids of a page's messages.
#[must_use]
pub fn ids(page: &HistoryPage) -> Vec<String> {
    page.messages.iter().map(|message| message.event_id.to_string()).collect()
}

/// The kind of a refusal; a panic where there is none.
#[track_caller]
pub fn refused<T: std::fmt::Debug>(result: session_search_core::store::Result<T>) -> ErrorKind {
    result.expect_err("this is refused").kind()
}
