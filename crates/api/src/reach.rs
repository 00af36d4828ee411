//! What a caller may see, found by reading the lineage of all stores.

use std::collections::BTreeSet;
use std::sync::Arc;

use session_search_core::visibility::{Reach, Resolution, TreeWalk, resolve};
use session_search_core::{AgentId, SessionName, Visible};

use crate::context::Context;
use crate::error::ApiError;
use crate::session_search::Inner;

/// What is reached and for what: the operator's search leaves incognito sessions out, history and list do not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    Search,
    Reading,
}

/// What a caller sees.
#[derive(Debug, Clone)]
pub(crate) struct View {
    reach: Reach,
    purpose: Purpose,
}

impl View {
    /// What of this agent's store may be read.
    pub(crate) fn within(&self, agent: &AgentId) -> Visible {
        match (&self.reach, self.purpose) {
            (Reach::Operator, Purpose::Reading) => Visible::Everything,
            (reach, _) => reach.within(agent),
        }
    }

    /// The agents of which something may be seen, as far as the rules alone tell: some of them may hold nothing
    /// visible. `known` are those that have a store.
    pub(crate) fn agents(&self, known: &[AgentId]) -> Vec<AgentId> {
        match &self.reach {
            Reach::Sessions(names) => names.iter().map(|name| name.agent.clone()).collect::<BTreeSet<_>>(),
            Reach::Agent(own) => BTreeSet::from([own.clone()]),
            Reach::Operator | Reach::Allowed(..) => {
                known.iter().filter(|agent| self.within(agent) != Visible::Nothing).cloned().collect()
            }
        }
        .into_iter()
        .collect()
    }

    /// Whether it is made of single sessions, so that the rules alone do not tell which agents may be named.
    pub(crate) fn is_of_sessions(&self) -> bool {
        matches!(self.reach, Reach::Sessions(_))
    }
}

impl Inner {
    /// Finds what the caller may see.
    pub(crate) async fn view(&self, context: &Context, purpose: Purpose) -> Result<View, ApiError> {
        let exists = match context.session_name() {
            None => false,
            Some(name) => self.session_exists(name).await,
        };
        let reach = match resolve(context.caller(), context.policy(), exists) {
            Resolution::Known(reach) => reach,
            Resolution::Walk(walk) => Reach::Sessions(self.walk(walk).await?),
        };
        Ok(View { reach, purpose })
    }

    /// A caller whose store fails is taken as one that does not exist: it sees itself only. The failure shows when
    /// that store is read.
    async fn session_exists(&self, name: &SessionName) -> bool {
        let key = &name.key;
        let answers =
            self.ask_each([name.agent.clone()], |_, store| async move { store.exists(key).await }).await;
        matches!(answers.first(), Some((_, Ok(true))))
    }

    /// Walks down the lineage through all stores. One that fails has no children: to say so would tell of sessions
    /// that may be invisible.
    async fn walk(&self, mut walk: TreeWalk) -> Result<BTreeSet<SessionName>, ApiError> {
        let agents = self.stores.agents().await?;
        while let Some(level) = walk.next_level() {
            let level: Arc<[SessionName]> = level.into();
            let answers = self
                .ask_each(agents.iter().cloned(), |_, store| {
                    let level = Arc::clone(&level);
                    async move { store.children(&level).await }
                })
                .await;
            for (agent, answer) in answers {
                match answer {
                    Ok(keys) => {
                        walk.spawned(keys.into_iter().map(|key| SessionName { agent: agent.clone(), key }))
                    }
                    Err(error) => {
                        tracing::warn!(%agent, kind = ?error.kind(), "the lineage in a store cannot be read")
                    }
                }
            }
        }
        Ok(walk.reached())
    }
}
