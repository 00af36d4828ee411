//! Which session and which agent a request means by a name.
//!
//! For a caller, what it may not see and what is not there get the same answer, [`ApiError::Forbidden`], and only
//! what is visible decides which it is.

use session_search_core::{AgentId, SessionKey, SessionName, Visible};

use crate::context::Context;
use crate::error::ApiError;
use crate::reach::View;
use crate::session_search::Inner;

impl Inner {
    /// The agent that a request names.
    pub(crate) async fn named_agent(
        &self,
        context: &Context,
        view: &View,
        id: &str,
    ) -> Result<AgentId, ApiError> {
        let agent = AgentId::new(id)?;
        if context.is_operator() {
            return if self.stores.agents().await?.contains(&agent) {
                Ok(agent)
            } else {
                Err(ApiError::NotFound(format!(
                    "there is no agent {agent}; list the sessions to see which there are"
                )))
            };
        }
        if context.session_name().is_some_and(|own| own.agent == agent) {
            return Ok(agent);
        }
        match view.within(&agent) {
            Visible::Nothing => Err(ApiError::Forbidden),
            // Lineage passes through invisible and deleted sessions; only a visible one makes its agent known.
            visible if view.is_of_sessions() && !self.holds_any(&agent, &visible).await? => {
                Err(ApiError::Forbidden)
            }
            _ => Ok(agent),
        }
    }

    /// The session that a request names, with or without its agent.
    pub(crate) async fn named_session(
        &self,
        context: &Context,
        view: &View,
        key: &str,
        agent: Option<&str>,
    ) -> Result<SessionName, ApiError> {
        let key = SessionKey::new(key)?;
        let agent = match agent {
            Some(id) => Some(self.named_agent(context, view, id).await?),
            None => None,
        };
        if context.is_operator() {
            self.for_operator(key, agent).await
        } else {
            self.for_caller(context, view, key, agent).await
        }
    }

    pub(crate) async fn for_operator(
        &self,
        key: SessionKey,
        agent: Option<AgentId>,
    ) -> Result<SessionName, ApiError> {
        let given = agent.is_some();
        let owner = if given { None } else { key.owner().ok().flatten() };
        if let Some(agent) = agent.or(owner) {
            if self.holds(&agent, &key).await? {
                return Ok(SessionName { agent, key });
            }
            if given {
                return Err(ApiError::NotFound(format!(
                    "agent {agent} has no session {key}; list its sessions to see which it has"
                )));
            }
        }
        let agents = self.stores.agents().await?;
        let asked = &key;
        let answers = self.ask_each(agents, |_, store| async move { store.exists(asked).await }).await;
        let mut failure = None;
        let mut holders = Vec::new();
        for (agent, answer) in answers {
            match answer {
                Ok(true) => holders.push(agent),
                Ok(false) => {}
                Err(error) => failure = Some(error),
            }
        }
        match (holders.len(), failure) {
            (1, _) => Ok(SessionName { agent: holders.remove(0), key }),
            (0, Some(error)) => Err(error.into()),
            (0, None) => Err(ApiError::NotFound(format!(
                "there is no session {key}; list the sessions to see which there are"
            ))),
            _ => Err(several(&key, &holders)),
        }
    }

    async fn holds(&self, agent: &AgentId, key: &SessionKey) -> Result<bool, ApiError> {
        match self.stores.lease(agent, false).await? {
            Some(lease) => Ok(lease.store().exists(key).await?),
            None => Ok(false),
        }
    }

    async fn for_caller(
        &self,
        context: &Context,
        view: &View,
        key: SessionKey,
        agent: Option<AgentId>,
    ) -> Result<SessionName, ApiError> {
        let Some(own) = context.session_name() else { return Err(ApiError::Forbidden) };
        if let Some(agent) = agent {
            let name = SessionName { agent, key };
            return if self.may_name(own, view, &name).await? { Ok(name) } else { Err(ApiError::Forbidden) };
        }
        let owner = key.owner().ok().flatten();
        for first in owner.iter().chain([&own.agent]) {
            let name = SessionName { agent: first.clone(), key: key.clone() };
            if self.may_name(own, view, &name).await? {
                return Ok(name);
            }
        }
        let known = self.stores.agents().await?;
        let mut holders = Vec::new();
        for agent in view.agents(&known) {
            let name = SessionName { agent, key: key.clone() };
            if self.may_name(own, view, &name).await? {
                holders.push(name.agent);
            }
        }
        match holders.len() {
            0 => Err(ApiError::Forbidden),
            1 => Ok(SessionName { agent: holders.remove(0), key }),
            _ => Err(several(&key, &holders)),
        }
    }

    /// A caller may name itself, also before its first message is stored, and what it sees.
    async fn may_name(&self, own: &SessionName, view: &View, name: &SessionName) -> Result<bool, ApiError> {
        if own == name {
            return Ok(true);
        }
        let alone = view.within(&name.agent).narrowed_to(&name.key);
        Ok(alone != Visible::Nothing && self.holds_any(&name.agent, &alone).await?)
    }

    async fn holds_any(&self, agent: &AgentId, visible: &Visible) -> Result<bool, ApiError> {
        match self.stores.lease(agent, false).await? {
            Some(lease) => Ok(!lease.store().list(visible).await?.is_empty()),
            None => Ok(false),
        }
    }
}

fn several(key: &SessionKey, holders: &[AgentId]) -> ApiError {
    let agents = holders.iter().map(AgentId::as_str).collect::<Vec<_>>().join(", ");
    ApiError::Invalid(format!(
        "several agents have a session {key} ({agents}); name one with agentId (--agent)"
    ))
}
