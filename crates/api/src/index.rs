//! The life of the index: status, reindex, verify, and waiting for it to be complete.

use std::time::Duration;

use serde::Serialize;
use session_search_core::store::{StoreStatus, VerifyReport};
use session_search_core::{AgentId, StoreError};
use session_search_reconcile::Unfinished;

use crate::context::Context;
use crate::error::ApiError;
use crate::reach::Purpose;
use crate::session_search::Inner;

/// What each agent's store said; a store that failed does not keep the others from answering.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PerAgent<T> {
    /// The agent.
    pub agent_id: AgentId,
    /// What its store said.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub answer: Option<T>,
    /// Why it said nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// What reindexing began.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ReindexOutcome {
    /// Transcripts whose index is built anew.
    pub transcripts: u64,
    /// Whether all of it is done; else it goes on in the background.
    pub complete: bool,
}

impl Inner {
    /// The state of every agent's index, by agent.
    pub(crate) async fn status(&self) -> Result<Vec<PerAgent<StoreStatus>>, ApiError> {
        let agents = self.stores.agents().await?;
        let answers = self.ask_each(agents, |_, store| async move { store.status().await }).await;
        Ok(answers.into_iter().map(per_agent).collect())
    }

    /// Compares every agent's index with its transcripts, and checks its database.
    pub(crate) async fn verify(&self, repair: bool) -> Result<Vec<PerAgent<VerifyReport>>, ApiError> {
        let agents = self.stores.agents().await?;
        let answers = self.ask_each(agents, |_, store| async move { store.verify(repair).await }).await;
        Ok(answers.into_iter().map(per_agent).collect())
    }

    /// Builds the index of one session, or of all, anew; waits that long for it.
    pub(crate) async fn reindex(
        &self,
        session: Option<(&str, Option<&str>)>,
        wait: Duration,
    ) -> Result<ReindexOutcome, ApiError> {
        let name = match session {
            Some((key, agent)) => Some(self.stored_session(key, agent).await?),
            None => None,
        };
        let agents = match &name {
            Some(name) => vec![name.agent.clone()],
            None => self.stores.agents().await?,
        };
        let key = name.as_ref().map(|name| &name.key);
        let answers = self
            .lease_each(agents, |_, lease| async move {
                let marked = lease.store().mark_pending(key).await?;
                let complete = match lease.reconciler() {
                    Some(reconciler) => finished(reconciler.finish(wait).await)?,
                    None => false,
                };
                Ok((marked, complete))
            })
            .await;
        let mut outcome = ReindexOutcome { transcripts: 0, complete: true };
        for (_, answer) in answers {
            let (marked, complete) = answer?;
            outcome.transcripts += marked;
            outcome.complete &= complete;
        }
        Ok(outcome)
    }

    /// Brings what is pending and visible to this caller up to date, for at most that long; whether all of it is.
    pub(crate) async fn wait_for_index(&self, context: &Context, wait: Duration) -> Result<bool, ApiError> {
        let view = self.view(context, Purpose::Search).await?;
        let agents = view.agents(&self.stores.agents().await?);
        let all = self.lease_each(agents, |agent, lease| {
            let visible = view.within(&agent);
            async move {
                if lease.store().pending(&visible).await? == 0 {
                    return Ok(true);
                }
                let Some(reconciler) = lease.reconciler() else { return Ok(false) };
                let mut status = reconciler.status();
                reconciler.wake();
                // Steps bring other sessions of the store up to date too; only the visible ones are waited for.
                while lease.store().pending(&visible).await? > 0 {
                    if status.changed().await.is_err() {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
        });
        match tokio::time::timeout(wait, all).await {
            // A store that fails is reported by the search itself.
            Ok(answers) => Ok(answers.iter().all(|(_, answer)| matches!(answer, Ok(true)))),
            Err(_) => Ok(false),
        }
    }
}

fn finished(end: Result<(), Unfinished>) -> Result<bool, StoreError> {
    match end {
        Ok(()) => Ok(true),
        Err(Unfinished::Store(error)) => Err(error),
        Err(Unfinished::TimedOut | Unfinished::Stopped) => Ok(false),
    }
}

fn per_agent<T>((agent_id, answer): (AgentId, Result<T, StoreError>)) -> PerAgent<T> {
    match answer {
        Ok(answer) => PerAgent { agent_id, answer: Some(answer), error: None },
        Err(error) => PerAgent { agent_id, answer: None, error: Some(error.to_string()) },
    }
}
