//! Delete, purge and rewind: what takes sessions or messages away.

use serde::Serialize;
use session_search_core::store::{DeleteReceipt, Erasure, Rewind};
use session_search_core::{AgentId, EventId, Millis, SessionId, SessionKey, Visible};

use crate::error::ApiError;
use crate::session_search::Inner;

/// What a deletion did: `{"sessions","messages","erasure":"done"|"pending","why"}`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DeleteOutcome {
    /// Sessions that were deleted.
    pub sessions: u64,
    /// User and assistant messages that were deleted.
    pub messages: u64,
    /// Whether their bytes are gone from every file.
    pub erasure: ErasureState,
    /// What holds them up.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// Agents whose stores failed, so that nothing of theirs was deleted ([`crate::SessionSearch::purge`]).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub failed: Vec<String>,
}

/// Whether bytes are gone.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ErasureState {
    /// No byte is left.
    #[default]
    Done,
    /// Something holds some; it completes later.
    Pending,
}

/// What a rewind did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RewindOutcome {
    /// The agent.
    pub agent_id: AgentId,
    /// The session.
    pub session_key: SessionKey,
    /// The transcript whose leaf moved.
    pub session_id: SessionId,
    /// Messages that were deleted.
    pub purged: u64,
    /// Whether their bytes are gone from every file.
    pub erasure: ErasureState,
    /// What holds them up.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// Whether the move was too large to be reindexed at once; it is done in the background.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub pending: bool,
}

impl Inner {
    /// Deletes a session.
    pub(crate) async fn delete(&self, key: &str, agent: Option<&str>) -> Result<DeleteOutcome, ApiError> {
        let name = self.stored_session(key, agent).await?;
        let lease = self.lease_or_create(&name.agent).await?;
        let receipt = lease.store().delete(&[name.key]).await?;
        let mut outcome = DeleteOutcome::default();
        outcome.add(receipt);
        if let (ErasureState::Pending, Some(reconciler)) = (outcome.erasure, lease.reconciler()) {
            reconciler.wake();
        }
        Ok(outcome)
    }

    /// Deletes the sessions of all agents whose last event is older than this. Sessions without events stay.
    pub(crate) async fn purge(&self, before: Millis) -> Result<DeleteOutcome, ApiError> {
        let agents = self.stores.agents().await?;
        let answers = self
            .ask_each(agents, |_, store| async move {
                let old = store.list(&Visible::Everything).await?.into_iter();
                let old = old.filter(|session| session.last.is_some_and(|last| last < before));
                let keys: Vec<SessionKey> = old.map(|session| session.key).collect();
                if keys.is_empty() { Ok(None) } else { store.delete(&keys).await.map(Some) }
            })
            .await;
        let mut outcome = DeleteOutcome::default();
        let (mut error, mut answered) = (None, false);
        for (agent, answer) in answers {
            match answer {
                Ok(receipt) => {
                    answered = true;
                    receipt.into_iter().for_each(|receipt| outcome.add(receipt));
                }
                Err(failure) => {
                    outcome.failed.push(agent.to_string());
                    error = Some(failure);
                }
            }
        }
        match error {
            Some(error) if !answered => Err(error.into()),
            _ => Ok(outcome),
        }
    }

    /// Moves the leaf of a session's current transcript.
    pub(crate) async fn rewind(
        &self,
        key: &str,
        agent: Option<&str>,
        to: &str,
        purge: bool,
    ) -> Result<RewindOutcome, ApiError> {
        let to = EventId::new(to)?;
        let name = self.stored_session(key, agent).await?;
        let lease = self.lease_or_create(&name.agent).await?;
        let receipt = lease.store().rewind(Rewind { key: name.key.clone(), to, purge }).await?;
        let (erasure, why) = state(receipt.erasure);
        if let (true, Some(reconciler)) =
            (receipt.pending || erasure == ErasureState::Pending, lease.reconciler())
        {
            reconciler.wake();
        }
        Ok(RewindOutcome {
            agent_id: name.agent,
            session_key: name.key,
            session_id: receipt.session_id,
            purged: receipt.purged,
            erasure,
            why,
            pending: receipt.pending,
        })
    }
}

impl DeleteOutcome {
    fn add(&mut self, receipt: DeleteReceipt) {
        self.sessions += receipt.sessions;
        self.messages += receipt.messages;
        if let (ErasureState::Pending, why) = state(receipt.erasure) {
            self.erasure = ErasureState::Pending;
            self.why = why;
        }
    }
}

fn state(erasure: Erasure) -> (ErasureState, Option<String>) {
    match erasure {
        Erasure::Done => (ErasureState::Done, None),
        Erasure::Pending { why } => (ErasureState::Pending, Some(why)),
    }
}
