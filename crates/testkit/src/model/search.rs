//! Search and statistics by looking at every message.

use std::collections::HashMap;

use session_search_core::relax::Majority;
use session_search_core::store::{
    Filter, MOST_OCCURRING, Matching, Order, SearchPlan, Statistics, StoreHit, StoreHits, inverse_frequency,
};
use session_search_core::words::Token;
use session_search_core::{Millis, SessionKey, Visible, query::Query, score};

use super::merge::{Found, merge};
use super::{Model, Session, Stored};

impl Model {
    /// Calls `each` with every visible message that is indexed and on its branch.
    fn each_indexed<'a>(
        &'a self,
        visible: &Visible,
        mut each: impl FnMut(&'a SessionKey, &'a Session, usize, &'a Stored),
    ) {
        for (key, session) in &self.sessions {
            if !visible.admits(key, session.spec.incognito) {
                continue;
            }
            for (place, transcript) in session.transcripts.iter().enumerate() {
                let found = transcript.branch().into_iter().filter(|event| event.searchable());
                for event in found.filter(|event| transcript.indexed.contains(&event.id)) {
                    each(key, session, place, event);
                }
            }
        }
    }

    pub(crate) fn statistics(&self, visible: &Visible, query: &Query) -> Statistics {
        let frequencies = vec![0; query.clauses().count()];
        let mut statistics = Statistics { messages: 0, frequencies, newest: None };
        self.each_indexed(visible, |_, _, _, event| {
            statistics.messages += 1;
            statistics.newest = statistics.newest.max(Some(event.timestamp));
            let counts = query.counts(event.tokens(self.pipeline.as_ref()));
            for (frequency, count) in statistics.frequencies.iter_mut().zip(counts) {
                *frequency += u64::from(count > 0);
            }
        });
        statistics
    }

    pub(crate) fn occurring(&self, visible: &Visible, terms: &[String]) -> Vec<u64> {
        let mut counts = vec![0_u64; terms.len()];
        self.each_indexed(visible, |_, _, _, event| {
            let tokens = event.tokens(self.pipeline.as_ref());
            for (count, term) in counts.iter_mut().zip(terms) {
                *count += u64::from(tokens.iter().any(|token| token.term == *term));
            }
        });
        counts.into_iter().map(|count| count.min(MOST_OCCURRING)).collect()
    }

    pub(crate) fn search(&self, visible: &Visible, plan: &SearchPlan) -> StoreHits {
        let most = Majority::of(&plan.query, &plan.statistics);
        let starts: HashMap<&SessionKey, Millis> =
            self.sessions.iter().filter_map(|(key, session)| Some((key, session.span()?.0))).collect();
        let mut found = Vec::new();
        self.each_indexed(visible, |key, session, place, event| {
            if !admits(&plan.filter, key, session, event) {
                return;
            }
            let tokens = event.tokens(self.pipeline.as_ref());
            let counts = plan.query.counts(tokens);
            let clauses =
                counts.iter().enumerate().fold(0, |bits, (n, count)| bits | (u64::from(*count > 0) << n));
            let matches = clauses != 0
                && match plan.matching {
                    Matching::All => plan.query.matches(tokens),
                    Matching::Most => most.admits(clauses) && !plan.query.is_excluded(tokens),
                };
            if matches {
                let score = score(&plan.statistics, &plan.query, &counts, event, tokens);
                let transcript = &session.transcripts[place];
                let start = starts.get(key).copied();
                found.push(Found { key, start, transcript, place, event, clauses, score });
            }
        });
        bounded(plan, merge(found))
    }
}

/// Whether the filter lets a message pass.
fn admits(filter: &Filter, key: &SessionKey, session: &Session, event: &Stored) -> bool {
    let project = |wanted: &String| {
        let project = session.spec.project.as_deref().map(str::to_ascii_lowercase);
        project.is_some_and(|project| project.contains(&wanted.to_ascii_lowercase()))
    };
    filter.session.as_ref().is_none_or(|only| only == key)
        && filter.exclude.as_ref() != Some(key)
        && filter.role.is_none_or(|role| event.role() == Some(role))
        && filter.since.is_none_or(|since| event.timestamp >= since)
        && filter.until.is_none_or(|until| event.timestamp < until)
        && filter.project.as_ref().is_none_or(project)
}

/// Orders, then caps, then counts.
fn bounded(plan: &SearchPlan, mut hits: Vec<StoreHit>) -> StoreHits {
    hits.sort_by(|a, b| {
        let by_score = match plan.order {
            Order::Relevance => b.score.total_cmp(&a.score),
            Order::Recent => std::cmp::Ordering::Equal,
        };
        let ids = |hit: &StoreHit| (hit.key.clone(), hit.event_id.clone(), hit.session_id.clone());
        by_score.then(b.timestamp.cmp(&a.timestamp)).then_with(|| ids(a).cmp(&ids(b)))
    });
    let matched = hits.len();
    if let Some(cap) = plan.per_session {
        let mut counts = HashMap::<SessionKey, usize>::new();
        hits.retain(|hit| {
            let count = counts.entry(hit.key.clone()).or_default();
            *count += 1;
            *count <= cap
        });
    }
    hits.truncate(plan.limit);
    StoreHits { left_out: hits.len() < matched, hits }
}

/// The score of a message: see [`session_search_core::score`].
fn score(statistics: &Statistics, query: &Query, counts: &[usize], event: &Stored, tokens: &[Token]) -> f64 {
    let words = tokens.iter().filter(|token| token.kind.is_main()).count();
    let damping = score::damping(score::level(u32::try_from(words).unwrap_or(u32::MAX)));
    let mut base = 0.0;
    for (n, count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
        let frequency = statistics.frequencies.get(n).copied().unwrap_or(0);
        let occurrences = u32::try_from(*count).unwrap_or(u32::MAX).min(score::MOST_OCCURRENCES);
        base += score::clause(inverse_frequency(statistics.messages, frequency), occurrences, damping);
    }
    let mut near = score::Nearness::default();
    query.places(tokens).into_iter().for_each(|places| near.add(places));
    let newest = statistics.newest.map_or(0, |newest| newest.0);
    score::whole(base, near.value(), newest.saturating_sub(event.timestamp.0))
}
