//! One question to many stores: several at the same time, a bounded number.

use std::future::Future;
use std::sync::Arc;

use futures::stream::{self, StreamExt};
use session_search_core::{AgentId, StoreError, TranscriptStore};

use crate::session_search::Inner;
use crate::stores::Lease;

impl Inner {
    /// Asks each of these agents' stores, `at_once` at the same time, and gives the answers in the same order. An
    /// agent without a store gives none. Each question holds its store for its own duration only.
    pub(crate) async fn ask_each<T, F, Fut>(
        &self,
        agents: impl IntoIterator<Item = AgentId>,
        ask: F,
    ) -> Vec<(AgentId, Result<T, StoreError>)>
    where
        F: Fn(AgentId, Arc<dyn TranscriptStore>) -> Fut,
        Fut: Future<Output = Result<T, StoreError>>,
    {
        self.lease_each(agents, |agent, lease| {
            let answer = ask(agent, Arc::clone(lease.store()));
            async move {
                let answer = answer.await;
                drop(lease);
                answer
            }
        })
        .await
    }

    /// The same, for questions that need more than the store.
    pub(crate) async fn lease_each<T, F, Fut>(
        &self,
        agents: impl IntoIterator<Item = AgentId>,
        ask: F,
    ) -> Vec<(AgentId, Result<T, StoreError>)>
    where
        F: Fn(AgentId, Lease) -> Fut,
        Fut: Future<Output = Result<T, StoreError>>,
    {
        let ask = &ask;
        // Collected first: the stream must not borrow from the caller's iterator.
        let agents: Vec<AgentId> = agents.into_iter().collect();
        let questions = agents.into_iter().map(|agent| async move {
            let answer = match self.stores.lease(&agent, false).await {
                Ok(Some(lease)) => Some(ask(agent.clone(), lease).await),
                Ok(None) => None,
                Err(error) => Some(Err(error)),
            };
            answer.map(|answer| (agent, answer))
        });
        let answers: Vec<_> = stream::iter(questions).buffered(self.at_once).collect().await;
        answers.into_iter().flatten().collect()
    }
}
