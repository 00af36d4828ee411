//! Append: events of a session, durable and searchable when it returns.

use serde::Serialize;
use session_search_core::store::{Append, SessionSpec};
use session_search_core::{AgentId, Event, EventId, SessionId, SessionKey, SessionName};

use crate::clock::new_id;
use crate::error::ApiError;
use crate::session_search::Inner;

/// The agent that takes sessions whose key and request name none.
pub const DEFAULT_AGENT: &str = "main";

/// Where events go. Made with [`AppendRequest::to`]; the other fields matter for a session that does not exist yet,
/// but `title`, `project` and `incognito`, which also change one that does.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AppendRequest {
    /// The session's key; `agent:X:…` belongs to agent X.
    pub session_key: String,
    /// The agent, where the key does not name it; [`DEFAULT_AGENT`] where neither does.
    pub agent_id: Option<String>,
    /// The transcript. A new id starts a new one (a reset); without it the current one goes on.
    pub session_id: Option<String>,
    /// The key of the session that spawned this one; of the agent that the key names, else of this session's agent.
    pub spawned_by: Option<String>,
    /// A title; cut at 200 characters.
    pub title: Option<String>,
    /// The working directory.
    pub project: Option<String>,
    /// Whether to hide it from every caller and from search.
    pub incognito: bool,
}

impl AppendRequest {
    /// Appends to the current transcript of this session.
    #[must_use]
    pub fn to(session_key: impl Into<String>) -> AppendRequest {
        AppendRequest { session_key: session_key.into(), ..AppendRequest::default() }
    }
}

/// What was stored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AppendOutcome {
    /// The agent.
    pub agent_id: AgentId,
    /// The session.
    pub session_key: SessionKey,
    /// The transcript.
    pub session_id: SessionId,
    /// The events, in order.
    pub events: Vec<AppendedEvent>,
    /// What the caller should know; no message text.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// An event as it was stored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AppendedEvent {
    /// Its id.
    pub id: EventId,
    /// Whether it is new; `false`: an equal one was there.
    pub new: bool,
}

impl Inner {
    /// Appends events in one transaction. Those without an id get one, those without a time that of their arrival.
    pub(crate) async fn append(
        &self,
        request: &AppendRequest,
        events: Vec<Event>,
    ) -> Result<AppendOutcome, ApiError> {
        let (agent, spec) = target(request)?;
        let now = self.clock.now();
        let id = |text: String| EventId::new(text);
        let mut prepared = Vec::with_capacity(events.len());
        for event in events {
            let fresh = id(new_id(now))?;
            prepared.push(event.or_id(|| fresh).or_timestamp(now));
        }
        let append = Append {
            session: spec,
            session_id: request.session_id.as_deref().map(SessionId::new).transpose()?,
            new_session_id: SessionId::new(new_id(now))?,
            events: prepared,
        };
        let session_key = append.session.key.clone();
        let lease = self.lease_or_create(&agent).await?;
        let receipt = lease.store().append(append).await?;
        Ok(AppendOutcome {
            agent_id: agent,
            session_key,
            session_id: receipt.session_id,
            events: receipt.events.into_iter().map(|(id, new)| AppendedEvent { id, new }).collect(),
            warnings: receipt.warnings,
        })
    }
}

/// The agent and the session that a request names.
fn target(request: &AppendRequest) -> Result<(AgentId, SessionSpec), ApiError> {
    let key = SessionKey::new(request.session_key.as_str())?;
    let given = request.agent_id.as_deref().map(AgentId::new).transpose()?;
    let agent = match (key.owner()?, given) {
        (Some(owner), Some(given)) if owner != given => {
            return Err(ApiError::Invalid(format!(
                "the key belongs to agent {owner}, not to {given}; leave agentId out"
            )));
        }
        (Some(agent), _) | (None, Some(agent)) => agent,
        (None, None) => AgentId::new(DEFAULT_AGENT)?,
    };
    let spawned_by = match request.spawned_by.as_deref().map(SessionKey::new).transpose()? {
        None => None,
        Some(parent) => {
            let owner = parent.owner()?.unwrap_or_else(|| agent.clone());
            Some(SessionName { agent: owner, key: parent })
        }
    };
    let spec = SessionSpec {
        spawned_by,
        title: request.title.as_deref().map(session_search_core::limits::title),
        project: request.project.clone(),
        incognito: request.incognito,
        ..SessionSpec::native(key)
    };
    Ok((agent, spec))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn agent_of(key: &str, agent: Option<&str>) -> Result<String, ApiError> {
        let request = AppendRequest { agent_id: agent.map(Into::into), ..AppendRequest::to(key) };
        target(&request).map(|(agent, _)| agent.to_string())
    }

    #[test]
    fn the_key_names_the_agent_then_the_request_then_main_takes_it() {
        assert_eq!(agent_of("agent:ops:x", None).unwrap(), "ops");
        assert_eq!(agent_of("agent:ops:x", Some("ops")).unwrap(), "ops");
        assert_eq!(agent_of("claude:1", Some("claude")).unwrap(), "claude");
        assert_eq!(agent_of("notes", None).unwrap(), "main");
        assert!(
            agent_of("agent:ops:x", Some("main")).unwrap_err().to_string().contains("belongs to agent ops")
        );
        for path in ["agent:../x:y", "agent:a/b:y", "agent::y"] {
            assert!(matches!(agent_of(path, None), Err(ApiError::Invalid(_))), "{path}");
        }
        assert!(matches!(agent_of("notes", Some("..")), Err(ApiError::Invalid(_))));
    }

    #[test]
    fn a_parent_is_of_the_agent_its_key_names_else_of_the_same() {
        let parent = |key: &str, parent: &str| {
            let request = AppendRequest { spawned_by: Some(parent.into()), ..AppendRequest::to(key) };
            target(&request).unwrap().1.spawned_by.unwrap().agent.to_string()
        };
        assert_eq!(parent("agent:ops:x", "agent:main:main"), "main");
        assert_eq!(parent("agent:ops:x", "plain"), "ops");
    }
}
