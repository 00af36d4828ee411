//! How the contract suite and the state machine get stores of a backend.

use std::sync::Arc;

use async_trait::async_trait;
use session_search_core::{AgentId, TextPipeline, TranscriptStore};

use crate::memory::MemoryStore;

/// The agent of every store under test.
pub const AGENT: &str = "main";

/// The agent of every store under test, as an id.
#[must_use]
pub fn agent() -> AgentId {
    AgentId::new(AGENT).expect("a plain name")
}

/// Makes places for stores of one backend.
#[async_trait]
pub trait StoreFactory: Send + Sync {
    /// A new place without a store: a directory, a database. It is gone when what is returned is dropped.
    async fn create(&self) -> Box<dyn StoreHome>;
}

/// A place where a store lives.
#[async_trait]
pub trait StoreHome: Send + Sync {
    /// Opens the store of [`AGENT`] there, as another process would: each call is a handle of its own onto the same
    /// sessions. The first call finds it empty.
    async fn open(&self, pipeline: Arc<dyn TextPipeline>) -> Arc<dyn TranscriptStore>;
}

/// Makes [`MemoryStore`]s.
#[derive(Debug, Default, Clone, Copy)]
pub struct MemoryFactory;

#[async_trait]
impl StoreFactory for MemoryFactory {
    async fn create(&self) -> Box<dyn StoreHome> {
        Box::new(std::sync::Mutex::new(None::<MemoryStore>))
    }
}

#[async_trait]
impl StoreHome for std::sync::Mutex<Option<MemoryStore>> {
    async fn open(&self, pipeline: Arc<dyn TextPipeline>) -> Arc<dyn TranscriptStore> {
        let mut first = self.lock().expect("no handle panics while it opens");
        let first = first.get_or_insert_with(|| MemoryStore::new(agent(), Arc::clone(&pipeline)));
        Arc::new(first.reopen(pipeline))
    }
}
