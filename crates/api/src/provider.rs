//! Where stores come from: the port behind which a backend hides.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use session_search_core::{AgentId, StoreError, TranscriptStore};

/// Opens the stores of agents.
#[async_trait]
pub trait StoreProvider: Send + Sync + fmt::Debug {
    /// The agents that have a store, sorted, each once. Opens none of them.
    ///
    /// # Errors
    /// Where the place of the stores cannot be read.
    async fn agents(&self) -> Result<Vec<AgentId>, StoreError>;

    /// Opens an agent's store; `None` where there is none and `create` is not set. Each call may give a handle of
    /// its own.
    ///
    /// # Errors
    /// Whatever opening it meets.
    async fn open(
        &self,
        agent: &AgentId,
        create: bool,
    ) -> Result<Option<Arc<dyn TranscriptStore>>, StoreError>;
}
