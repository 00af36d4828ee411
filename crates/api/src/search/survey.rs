//! Before the search: which stores are asked, and what they know of the words of the query.

use std::sync::Arc;

use session_search_core::store::Statistics;
use session_search_core::{AgentId, ErrorKind, SessionName, StoreError};

use super::find::{Job, Known};
use super::request::SearchRequest;
use crate::context::Context;
use crate::error::ApiError;
use crate::reach::View;
use crate::session_search::Inner;

/// Where a search looks.
#[derive(Debug, Clone)]
pub(crate) struct Ground {
    /// The agents whose stores are asked.
    pub(crate) agents: Vec<AgentId>,
    /// The one session that is asked for.
    pub(crate) session: Option<SessionName>,
    /// All agents of which something may be seen.
    pub(crate) everywhere: Vec<AgentId>,
}

/// What the stores said.
#[derive(Debug, Clone)]
pub(crate) struct Survey {
    /// Over all visible messages of the agents asked.
    pub(crate) statistics: Arc<Statistics>,
    /// Whether visible transcripts wait for their index.
    pub(crate) pending: bool,
    /// The agents whose stores answered.
    pub(crate) readable: Vec<AgentId>,
    /// Those of them that hold a visible message.
    pub(crate) speaking: Vec<AgentId>,
    failed: Vec<(AgentId, ErrorKind)>,
}

/// How many failed stores a warning names.
const NAMED_FAILURES: usize = 5;

impl Inner {
    /// Looks up the names in a request.
    pub(crate) async fn ground(
        &self,
        context: &Context,
        view: &View,
        request: &SearchRequest,
    ) -> Result<Ground, ApiError> {
        let everywhere = view.agents(&self.stores.agents().await?);
        let agent = request.agent_id.as_deref();
        if let Some(key) = &request.session_key {
            let session = self.named_session(context, view, key, agent).await?;
            return Ok(Ground { agents: vec![session.agent.clone()], session: Some(session), everywhere });
        }
        let agents = match agent {
            Some(id) => vec![self.named_agent(context, view, id).await?],
            None => everywhere.clone(),
        };
        Ok(Ground { agents, session: None, everywhere })
    }

    /// Counts the words of the query, and looks for pending transcripts, which wakes their reconciliation. A store that
    /// is asked alone gives its hits as well.
    pub(crate) async fn survey(
        &self,
        view: &View,
        ground: &Ground,
        job: &Job,
    ) -> Result<(Survey, Known), ApiError> {
        let alone = ground.agents.len() == 1;
        let answers = self
            .lease_each(ground.agents.iter().cloned(), |agent, lease| {
                let visible = view.within(&agent);
                let waiting = match &ground.session {
                    Some(session) => visible.narrowed_to(&session.key),
                    None => visible.clone(),
                };
                async move {
                    let store = lease.store();
                    let (pending, statistics, hits) = if alone {
                        let answer = store.answer(&waiting, &visible, &job.first_plan(&agent)).await?;
                        (answer.pending, answer.statistics, Some(answer.hits))
                    } else {
                        // Pending first: see `Answer::pending`.
                        let pending = store.pending(&waiting).await?;
                        (pending, Arc::new(store.statistics(&visible, &job.asked.query).await?), None)
                    };
                    if let (true, Some(reconciler)) = (pending > 0, lease.reconciler()) {
                        reconciler.wake();
                    }
                    Ok((pending, statistics, hits))
                }
            })
            .await;
        let mut survey = Survey {
            statistics: Arc::default(),
            pending: false,
            readable: Vec::new(),
            speaking: Vec::new(),
            failed: Vec::new(),
        };
        let mut known = Known::new();
        let mut statistics =
            Statistics { frequencies: vec![0; job.asked.query.clauses().count()], ..Statistics::default() };
        let mut last_error: Option<StoreError> = None;
        for (agent, answer) in answers {
            match answer {
                Ok((pending, more, hits)) => {
                    survey.pending |= pending > 0;
                    statistics = statistics.merged(&more);
                    if more.messages > 0 {
                        survey.speaking.push(agent.clone());
                    }
                    known.extend(hits.map(|hits| (agent.clone(), hits)));
                    survey.readable.push(agent);
                }
                Err(error) => {
                    survey.failed.push((agent, error.kind()));
                    last_error = Some(error);
                }
            }
        }
        match last_error {
            Some(error) if survey.readable.is_empty() => return Err(error.into()),
            _ => survey.statistics = Arc::new(statistics),
        }
        Ok((survey, known))
    }
}

impl Survey {
    /// What is incomplete, and why. Only stores that the caller may see into are asked, so only those are named.
    pub(crate) fn warning(
        &self,
        context: &Context,
        also_failed: Vec<(AgentId, ErrorKind)>,
    ) -> Option<String> {
        let mut sentences = Vec::new();
        if self.pending {
            sentences.push(
                "Some sessions are still being indexed, so hits may be missing; ask again in a moment."
                    .to_owned(),
            );
        }
        let mut failed = self.failed.clone();
        failed.extend(also_failed);
        failed.sort_by(|a, b| a.0.cmp(&b.0));
        failed.dedup_by(|a, b| a.0 == b.0);
        if !failed.is_empty() {
            let more = failed.len().saturating_sub(NAMED_FAILURES);
            let named = failed
                .iter()
                .take(NAMED_FAILURES)
                .map(|(agent, kind)| format!("{agent} ({})", reason(*kind)));
            let named = named.collect::<Vec<_>>().join(", ");
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            let advice = if context.is_operator() { "; see sessions status and sessions verify" } else { "" };
            sentences.push(format!("These agents' stores could not be searched: {named}{more}{advice}."));
        }
        if sentences.is_empty() { None } else { Some(sentences.join(" ")) }
    }
}

fn reason(kind: ErrorKind) -> &'static str {
    match kind {
        ErrorKind::Busy => "in use by another process",
        ErrorKind::Corrupt => "damaged",
        ErrorKind::SchemaTooNew => "written by a newer version",
        ErrorKind::Full => "disk full",
        ErrorKind::Closed => "closed",
        _ => "unreadable",
    }
}
