//! From the caller flags to a context.

use jiff::tz::TimeZone;
use session_search_api::core::visibility::{AgentToAgent, Policy, SandboxVisibility, Scope};
use session_search_api::core::{AgentId, IdError, SessionKey, SessionName};
use session_search_api::{Context, DEFAULT_AGENT, ListRequest, SessionSearch};

use crate::args::{CallerFlags, SandboxSees, Sees};
use crate::error::Failure;
use crate::output::Output;

/// On whose behalf to read. Times without a zone are local.
///
/// # Errors
/// [`Failure::Value`] for ids that are none, and for a key whose agent is not clear.
pub(super) async fn context(
    sessions: &SessionSearch,
    flags: &CallerFlags,
    output: &Output,
) -> Result<Context, Failure> {
    let context = match &flags.as_key {
        None => {
            if flags.has_policy() {
                output
                    .note("note", "the visibility flags have no effect without --as: the operator sees all");
            }
            Context::operator()
        }
        Some(key) => {
            let key = SessionKey::new(key.as_str()).map_err(|error| refuse(&error))?;
            let agent = agent(sessions, &key, flags.as_agent.as_deref()).await?;
            Context::session(SessionName { agent, key }, policy(flags))
        }
    };
    Ok(context.in_zone(TimeZone::system()))
}

fn refuse(error: &IdError) -> Failure {
    Failure::Value(format!("--as: {error}"))
}

fn policy(flags: &CallerFlags) -> Policy {
    Policy {
        scope: match flags.visibility {
            Sees::Own => Scope::Own,
            Sees::Tree => Scope::Tree,
            Sees::Agent => Scope::Agent,
            Sees::All => Scope::All,
        },
        sandboxed: flags.sandboxed,
        sandbox_visibility: match flags.sandbox_visibility {
            SandboxSees::Spawned => SandboxVisibility::Spawned,
            SandboxSees::All => SandboxVisibility::All,
        },
        agent_to_agent: AgentToAgent {
            enabled: flags.agent_to_agent,
            allow: flags.agent_to_agent_allow.clone(),
        },
    }
}

/// The caller's agent: as its key says, as the flag says, or the one that holds the key.
async fn agent(sessions: &SessionSearch, key: &SessionKey, given: Option<&str>) -> Result<AgentId, Failure> {
    let given = given
        .map(AgentId::new)
        .transpose()
        .map_err(|error| Failure::Value(format!("--as-agent: {error}")))?;
    match (key.owner().map_err(|error| refuse(&error))?, given) {
        (Some(owner), Some(given)) if owner != given => Err(Failure::Value(format!(
            "--as-agent: the key belongs to agent {owner}, not to {given}; leave it out"
        ))),
        (Some(agent), _) | (None, Some(agent)) => Ok(agent),
        (None, None) => holder(sessions, key).await,
    }
}

async fn holder(sessions: &SessionSearch, key: &SessionKey) -> Result<AgentId, Failure> {
    let listed = sessions.list(&Context::operator(), &ListRequest::default()).await?.sessions;
    let holders: Vec<AgentId> = listed
        .into_iter()
        .filter(|session| session.session_key == *key)
        .map(|session| session.agent_id)
        .collect();
    match holders.as_slice() {
        [] => AgentId::new(DEFAULT_AGENT).map_err(|error| refuse(&error)),
        [only] => Ok(only.clone()),
        several => {
            let names = several.iter().map(AgentId::as_str).collect::<Vec<_>>().join(", ");
            Err(Failure::Value(format!(
                "--as: several agents have that session ({names}); name one with --as-agent"
            )))
        }
    }
}
