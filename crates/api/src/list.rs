//! List: the sessions that may be seen, newest first (CONTRACT 3).

use std::cmp::Reverse;
use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use session_search_core::limits::Candidates;
use session_search_core::store::SessionSummary;
use session_search_core::{AgentId, SessionId, SessionKey, SessionName, Visible};

use crate::context::Context;
use crate::error::ApiError;
use crate::json_bytes::json_bytes;
use crate::reach::{Purpose, View};
use crate::session_search::Inner;

/// Bound of a list for a caller, in bytes of JSON: 80 KiB, as a page of history. The operator's has none.
pub const MAX_LIST_BYTES: usize = 80 << 10;
/// The most sessions that a caller may ask for at once.
pub const MAX_LIST: i64 = 1_000;
/// How many a caller gets where it does not say.
pub const DEFAULT_LIST: usize = 100;

/// Which sessions are listed. Unknown fields are refused.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ListRequest {
    /// Only this agent's sessions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent_id: Option<String>,
    /// How many at most: 1 to 1,000; where nothing is said 100 for a caller, all for the operator.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<i64>,
}

/// The sessions that may be seen, newest first.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ListResponse {
    /// The sessions.
    pub sessions: Vec<ListedSession>,
    /// A visible session was left out by a bound.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub truncated: bool,
    /// What is incomplete, and why.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub warning: Option<String>,
}

/// A session in a list.
#[derive(Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ListedSession {
    /// Its agent.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub agent_id: AgentId,
    /// Its key.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub session_key: SessionKey,
    /// Its transcripts, oldest first; the last is the current one.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<String>"))]
    pub session_ids: Vec<SessionId>,
    /// Its title, scrubbed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Its working directory, scrubbed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub project: Option<String>,
    /// Where it comes from: `native`, or the name of a transcript format.
    pub source: String,
    /// The key of the session that spawned it, where that is visible too.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub spawned_by: Option<SessionKey>,
    /// The agent of that session, where it is another.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub spawned_by_agent_id: Option<AgentId>,
    /// Messages with text.
    pub messages: u64,
    /// The time of its first event, in epoch milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first: Option<i64>,
    /// The time of its last event, in epoch milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last: Option<i64>,
    /// Hidden from every caller and from search; only the operator ever sees such a session.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub incognito: bool,
}

impl std::fmt::Debug for ListedSession {
    /// Without the title.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ListedSession")
            .field("agent_id", &self.agent_id)
            .field("session_key", &self.session_key)
            .field("messages", &self.messages)
            .finish_non_exhaustive()
    }
}

impl Inner {
    /// Answers a list request.
    pub(crate) async fn list(
        &self,
        context: &Context,
        request: &ListRequest,
    ) -> Result<ListResponse, ApiError> {
        let limit = limit(context, request)?;
        let view = self.view(context, Purpose::Reading).await?;
        let agents = match request.agent_id.as_deref() {
            Some(id) => vec![self.named_agent(context, &view, id).await?],
            None => view.agents(&self.stores.agents().await?),
        };
        let (mut found, warning) = self.summaries(&view, agents).await?;
        found.sort_by(|(a_agent, a), (b_agent, b)| {
            (Reverse(a.last), a_agent, &a.key).cmp(&(Reverse(b.last), b_agent, &b.key))
        });
        let parents = self.visible_parents(context, &view, &found).await;
        let sessions =
            found.into_iter().map(|(agent, summary)| self.listed(agent, summary, &parents)).collect();
        let counted = Candidates::new(sessions).count(limit);
        let mut response = ListResponse { sessions: Vec::new(), truncated: true, warning };
        let budget = if context.is_operator() { usize::MAX } else { MAX_LIST_BYTES };
        let budget = budget.saturating_sub(json_bytes(&response));
        (response.sessions, response.truncated) = counted.fit(budget, 1, json_bytes).into_parts();
        Ok(response)
    }

    /// The visible sessions of these agents, and a warning about those whose stores failed. Fails where all do.
    pub(crate) async fn summaries(
        &self,
        view: &View,
        agents: Vec<AgentId>,
    ) -> Result<(Vec<(AgentId, SessionSummary)>, Option<String>), ApiError> {
        let answers = self
            .ask_each(agents, |agent, store| {
                let visible = view.within(&agent);
                async move { store.list(&visible).await }
            })
            .await;
        let (mut found, mut failed, mut error, mut answered) = (Vec::new(), Vec::new(), None, false);
        for (agent, answer) in answers {
            match answer {
                Ok(summaries) => {
                    answered = true;
                    found.extend(summaries.into_iter().map(|summary| (agent.clone(), summary)));
                }
                Err(failure) => {
                    failed.push(agent.to_string());
                    error = Some(failure);
                }
            }
        }
        match error {
            Some(error) if !answered => Err(error.into()),
            None => Ok((found, None)),
            Some(_) => {
                Ok((found, Some(format!("These agents' stores could not be read: {}.", failed.join(", ")))))
            }
        }
    }

    /// Which parents of these sessions may be named: those that are visible themselves.
    async fn visible_parents(
        &self,
        context: &Context,
        view: &View,
        found: &[(AgentId, SessionSummary)],
    ) -> BTreeSet<SessionName> {
        let parents: BTreeSet<SessionName> =
            found.iter().filter_map(|(_, summary)| summary.spawned_by.clone()).collect();
        if context.is_operator() {
            return parents;
        }
        let listed: BTreeSet<SessionName> = found
            .iter()
            .map(|(agent, summary)| SessionName { agent: agent.clone(), key: summary.key.clone() })
            .collect();
        let (mut visible, unknown): (BTreeSet<_>, BTreeSet<_>) =
            parents.into_iter().partition(|parent| listed.contains(parent));
        let mut by_agent: std::collections::BTreeMap<AgentId, BTreeSet<SessionKey>> = Default::default();
        for parent in unknown {
            if view.within(&parent.agent).narrowed_to(&parent.key) != Visible::Nothing {
                by_agent.entry(parent.agent).or_default().insert(parent.key);
            }
        }
        let agents: Vec<AgentId> = by_agent.keys().cloned().collect();
        let answers = self
            .ask_each(agents, |agent, store| {
                let keys = by_agent.get(&agent).cloned().unwrap_or_default();
                async move { store.list(&Visible::Only(keys)).await }
            })
            .await;
        for (agent, answer) in answers {
            let keys = answer.unwrap_or_default().into_iter().map(|summary| summary.key);
            visible.extend(keys.map(|key| SessionName { agent: agent.clone(), key }));
        }
        visible
    }

    fn listed(
        &self,
        agent: AgentId,
        summary: SessionSummary,
        parents: &BTreeSet<SessionName>,
    ) -> ListedSession {
        let parent = summary.spawned_by.filter(|parent| parents.contains(parent));
        let (spawned_by_agent_id, spawned_by) = match parent {
            None => (None, None),
            Some(parent) => (Some(parent.agent).filter(|other| *other != agent), Some(parent.key)),
        };
        ListedSession {
            agent_id: agent,
            session_key: summary.key,
            session_ids: summary.session_ids,
            title: summary.title.map(|title| self.cleaner.title(&title)),
            project: summary.project.map(|project| self.cleaner.clean(&project).text),
            source: summary.source,
            spawned_by,
            spawned_by_agent_id,
            messages: summary.messages,
            first: summary.first.map(|time| time.0),
            last: summary.last.map(|time| time.0),
            incognito: summary.incognito,
        }
    }
}

fn limit(context: &Context, request: &ListRequest) -> Result<usize, ApiError> {
    match request.limit {
        None if context.is_operator() => Ok(usize::MAX),
        None => Ok(DEFAULT_LIST),
        Some(limit) => match usize::try_from(limit) {
            Ok(count) if (1..=MAX_LIST).contains(&limit) => Ok(count),
            _ => Err(ApiError::Invalid(format!("limit is {limit}; it must be from 1 to {MAX_LIST}"))),
        },
    }
}
