//! Which filter stands between a search and its hits: asked only where there are none.

use session_search_core::AgentId;
use session_search_core::store::{Filter, Matching};

use super::find::{Job, Known};
use super::request::SearchRequest;
use super::survey::Ground;
use crate::search::find::Outcome;
use crate::session_search::Inner;

/// A filter that a request may set, under the name it has there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Narrowing {
    Role,
    Times,
    Project,
    Current,
    Session,
    Agent,
}

impl Narrowing {
    fn name(self) -> &'static str {
        match self {
            Narrowing::Role => "role",
            Narrowing::Times => "since/until",
            Narrowing::Project => "project",
            Narrowing::Current => "excludeCurrent",
            Narrowing::Session => "sessionKey",
            Narrowing::Agent => "agentId",
        }
    }

    fn all_of(request: &SearchRequest) -> Vec<Narrowing> {
        let set = [
            (Narrowing::Role, request.role.is_some()),
            (Narrowing::Times, request.since.is_some() || request.until.is_some()),
            (Narrowing::Project, request.project.is_some()),
            (Narrowing::Current, request.exclude_current),
            (Narrowing::Session, request.session_key.is_some()),
            (Narrowing::Agent, request.agent_id.is_some() && request.session_key.is_none()),
        ];
        set.into_iter().filter(|(_, set)| *set).map(|(narrowing, _)| narrowing).collect()
    }

    fn lift(self, job: &mut Job, everywhere: &[AgentId]) {
        let filter: &mut Filter = &mut job.asked.filter;
        match self {
            Narrowing::Role => filter.role = None,
            Narrowing::Times => (filter.since, filter.until) = (None, None),
            Narrowing::Project => filter.project = None,
            Narrowing::Current => job.asked.exclude_current = false,
            Narrowing::Session => {
                job.session = None;
                job.agents = everywhere.to_vec();
            }
            Narrowing::Agent => job.agents = everywhere.to_vec(),
        }
    }
}

impl Inner {
    /// The filters, each of which alone hides every match; where no single one does but all together, all of them.
    /// Empty where there would be no match either way.
    pub(crate) async fn narrowings_that_hide(
        &self,
        request: &SearchRequest,
        job: &Job,
        ground: &Ground,
    ) -> Vec<&'static str> {
        let set = Narrowing::all_of(request);
        if set.is_empty() || !self.finds_without(&set, job, ground).await {
            return Vec::new();
        }
        let mut alone = Vec::new();
        for narrowing in &set {
            if set.len() > 1 && self.finds_without(&[*narrowing], job, ground).await {
                alone.push(narrowing.name());
            }
        }
        if alone.is_empty() { set.iter().map(|narrowing| narrowing.name()).collect() } else { alone }
    }

    async fn finds_without(&self, lifted: &[Narrowing], job: &Job, ground: &Ground) -> bool {
        let mut wider = job.clone();
        for narrowing in lifted {
            narrowing.lift(&mut wider, &ground.everywhere);
        }
        self.finds_any(wider, Matching::All).await
    }

    /// Whether there is a hit.
    pub(crate) async fn finds_any(&self, mut job: Job, matching: Matching) -> bool {
        job.asked.limit = 1;
        let Outcome { shown, .. } = self.find(&job, matching, Known::new()).await;
        !shown.is_empty()
    }
}
