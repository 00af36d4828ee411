//! The hits of all stores: asked for, merged, checked again with the rules of today.
//!
//! What a store gives may shrink afterwards: copies turn out to belong to another store's session, or a text no
//! longer matches since the rules of redaction have changed. A store that had more is then asked for more, in a
//! bounded number of rounds.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use session_search_core::relax::Majority;
use session_search_core::store::{Filter, Matching, Order, SearchPlan, Statistics, StoreHit, StoreHits};
use session_search_core::{AgentId, ErrorKind, EventId, SessionId, SessionKey, SessionName};

use super::merge::{Eaten, Found, Merged, merge};
use super::request::Checked;
use super::show::{Shown, show};
use super::survey::{Ground, Survey};
use crate::context::Context;
use crate::reach::View;
use crate::session_search::Inner;

/// No more hits than this fit the bytes of a response, so no store is asked for more: the shortest hit has 115
/// bytes of JSON.
const MOST_THAT_FIT: usize = 300;
/// How often stores are asked for more.
const ROUNDS: usize = 4;

/// Everything that decides which hits there are.
#[derive(Debug, Clone)]
pub(crate) struct Job {
    pub(crate) asked: Checked,
    pub(crate) view: View,
    pub(crate) agents: Vec<AgentId>,
    pub(crate) session: Option<SessionName>,
    /// The session that asks.
    pub(crate) current: Option<SessionName>,
    pub(crate) statistics: Arc<Statistics>,
}

/// What was found.
#[derive(Default)]
pub(crate) struct Outcome {
    pub(crate) shown: Vec<Shown>,
    pub(crate) left_out: bool,
    pub(crate) relaxed: bool,
    pub(crate) failed: Vec<(AgentId, ErrorKind)>,
}

/// What stores answered already.
pub(crate) type Known = BTreeMap<AgentId, StoreHits>;

/// A place in a store's answer.
type Place = (AgentId, SessionKey, SessionId, EventId);

fn place(agent: &AgentId, hit: &StoreHit) -> Place {
    (agent.clone(), hit.key.clone(), hit.session_id.clone(), hit.event_id.clone())
}

impl Job {
    pub(crate) fn new(context: &Context, view: &View, ground: &Ground, asked: Checked) -> Job {
        Job {
            asked,
            view: view.clone(),
            agents: ground.agents.clone(),
            session: ground.session.clone(),
            current: context.session_name().cloned(),
            statistics: Arc::default(),
        }
    }

    /// Goes on with the stores that answered, and what they said of the words.
    pub(crate) fn take(&mut self, survey: &Survey) {
        self.agents.retain(|agent| survey.readable.contains(agent));
        self.statistics = Arc::clone(&survey.statistics);
    }

    /// What a store is asked first.
    pub(crate) fn first_plan(&self, agent: &AgentId) -> SearchPlan {
        self.plan(agent, Matching::All, &Eaten::default())
    }

    /// Whether there is a word to do without.
    pub(crate) fn may_relax(&self) -> bool {
        self.asked.query.groups().iter().filter(|group| group.is_plain()).count() > 1
    }

    fn filter(&self, agent: &AgentId) -> Filter {
        let here = |name: &Option<SessionName>| {
            name.as_ref().filter(|name| name.agent == *agent).map(|name| name.key.clone())
        };
        let exclude = if self.asked.exclude_current { here(&self.current) } else { None };
        Filter { session: here(&self.session), exclude, ..self.asked.filter.clone() }
    }

    fn plan(&self, agent: &AgentId, matching: Matching, more: &Eaten) -> SearchPlan {
        SearchPlan {
            query: Arc::clone(&self.asked.query),
            matching,
            filter: self.filter(agent),
            order: self.asked.order,
            limit: self.asked.limit.min(MOST_THAT_FIT) + more.places,
            per_session: self.asked.per_session.map(|cap| cap + more.most_of_one()),
            statistics: Arc::clone(&self.statistics),
        }
    }
}

impl Inner {
    /// Finds the hits, at most as many as the limit and no more than can fit. The stores of `known` are not asked again
    /// for what they were asked first.
    pub(crate) async fn find(&self, job: &Job, matching: Matching, known: Known) -> Outcome {
        let most = match matching {
            Matching::All => None,
            Matching::Most => Some(Majority::of(&job.asked.query, &job.statistics)),
        };
        let mut outcome = Outcome::default();
        let mut answers = known;
        let mut granted: BTreeMap<AgentId, Eaten> = BTreeMap::new();
        let mut dropped: BTreeSet<Place> = BTreeSet::new();
        let mut wanted: Vec<AgentId> =
            job.agents.iter().filter(|agent| !answers.contains_key(agent)).cloned().collect();
        for round in 0..=ROUNDS {
            self.ask(job, matching, &wanted, &granted, &mut answers, &mut outcome.failed).await;
            let Merged { found, left_out, mut eaten } =
                merge(without(&answers, &dropped), job.asked.order, job.asked.per_session);
            let (shown, refused) = self.show_first(job, most.as_ref(), found);
            outcome.left_out = left_out || shown.left_out;
            outcome.shown = shown.shown;
            for place in dropped.iter().chain(&refused) {
                if answers.get(&place.0).is_some_and(|answer| answer.left_out) {
                    eaten.entry(place.0.clone()).or_default().note(&place.1);
                }
            }
            let any_refused = !refused.is_empty();
            dropped.extend(refused);
            wanted = eaten
                .iter()
                .filter(|(agent, eaten)| granted.get(*agent) != Some(*eaten))
                .map(|(a, _)| a.clone())
                .collect();
            if round == ROUNDS || (wanted.is_empty() && !any_refused) {
                break;
            }
            granted.extend(eaten);
        }
        outcome
    }

    /// Asks these stores, and replaces their answers.
    async fn ask(
        &self,
        job: &Job,
        matching: Matching,
        wanted: &[AgentId],
        granted: &BTreeMap<AgentId, Eaten>,
        answers: &mut BTreeMap<AgentId, StoreHits>,
        failed: &mut Vec<(AgentId, ErrorKind)>,
    ) {
        let none = Eaten::default();
        let got = self
            .ask_each(wanted.iter().cloned(), |agent, store| {
                let plan = job.plan(&agent, matching, granted.get(&agent).unwrap_or(&none));
                let visible = job.view.within(&agent);
                async move { store.search(&visible, &plan).await }
            })
            .await;
        for (agent, answer) in got {
            match answer {
                Ok(hits) => {
                    answers.insert(agent, hits);
                }
                Err(error) => failed.push((agent, error.kind())),
            }
        }
    }

    /// The first of these that still match, and the places of those that do not.
    fn show_first(&self, job: &Job, most: Option<&Majority>, found: Vec<Found>) -> (Outcome, Vec<Place>) {
        let limit = job.asked.limit.min(MOST_THAT_FIT);
        let mut refused = Vec::new();
        let mut kept: Vec<Shown> = Vec::new();
        let mut left_out = false;
        for found in found {
            if kept.len() == limit {
                left_out = true;
                break;
            }
            match show(&self.cleaner, &job.asked.query, most, &found) {
                Some(shown) => kept.push(shown),
                None => refused.push(place(&found.agent, &found.hit)),
            }
        }
        in_shown_order(&mut kept, job.asked.order);
        (Outcome { shown: kept, left_out, ..Outcome::default() }, refused)
    }
}

/// Rounds the scores, and sorts by what is then seen, so that order and scores agree.
fn in_shown_order(shown: &mut [Shown], order: Order) {
    for shown in shown.iter_mut() {
        shown.hit.score = (shown.hit.score * 1e4).round() / 1e4;
    }
    if order == Order::Relevance {
        // Stable: equal scores are in order of time only after this, the rest of the order is kept.
        shown.sort_by(|a, b| {
            let (a, b) = (&a.hit, &b.hit);
            b.score.total_cmp(&a.score).then_with(|| {
                (Reverse(a.timestamp), &a.agent_id, &a.session_key, &a.message_id).cmp(&(
                    Reverse(b.timestamp),
                    &b.agent_id,
                    &b.session_key,
                    &b.message_id,
                ))
            })
        });
    }
}

fn without(answers: &BTreeMap<AgentId, StoreHits>, dropped: &BTreeSet<Place>) -> Vec<(AgentId, StoreHits)> {
    let kept = |agent: &AgentId, answer: &StoreHits| {
        let mut answer = answer.clone();
        if !dropped.is_empty() {
            answer.hits.retain(|hit| !dropped.contains(&place(agent, hit)));
        }
        answer
    };
    answers.iter().map(|(agent, answer)| (agent.clone(), kept(agent, answer))).collect()
}
