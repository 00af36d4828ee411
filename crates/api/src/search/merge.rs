//! From the answers of several stores to one list: copies merged, sessions capped, in order. Pure.
//!
//! Each store has merged its own copies and applied its own cap and limit. A copy that turns out to belong to a
//! session of another store has taken a place in its own store's answer that another match should have had; such
//! places are counted ([`Merged::eaten`]), so that the store can be asked for more.

use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap};

use session_search_core::limits::MAX_ALSO_IN;
use session_search_core::store::{Order, StoreHit, StoreHits};
use session_search_core::{AgentId, EventId, SessionKey};

use super::response::CopyPlace;

/// A hit and the agent whose store found it.
#[derive(Debug, Clone)]
pub(crate) struct Found {
    pub(crate) agent: AgentId,
    pub(crate) hit: StoreHit,
    pub(crate) also_in: Vec<CopyPlace>,
}

/// How many places of a store's answer were taken by what is shown elsewhere or not at all.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Eaten {
    /// In all.
    pub(crate) places: usize,
    /// By session.
    by_session: BTreeMap<SessionKey, usize>,
}

impl Eaten {
    pub(crate) fn note(&mut self, key: &SessionKey) {
        self.places += 1;
        *self.by_session.entry(key.clone()).or_default() += 1;
    }

    /// The most of one session.
    pub(crate) fn most_of_one(&self) -> usize {
        self.by_session.values().copied().max().unwrap_or(0)
    }
}

/// One list.
#[derive(Debug, Default)]
pub(crate) struct Merged {
    /// In order, copies merged, capped per session.
    pub(crate) found: Vec<Found>,
    /// Whether a match was left out by a store, or by the cap here.
    pub(crate) left_out: bool,
    /// What the stores that left matches out should be asked for more.
    pub(crate) eaten: BTreeMap<AgentId, Eaten>,
}

/// Merges what the stores answered. `per_session` of `None`: no cap.
pub(crate) fn merge(
    answers: impl IntoIterator<Item = (AgentId, StoreHits)>,
    order: Order,
    per_session: Option<usize>,
) -> Merged {
    let mut merged = Merged::default();
    let mut incomplete = Vec::new();
    let mut copies: HashMap<EventId, Vec<Vec<Found>>> = HashMap::new();
    for (agent, answer) in answers {
        merged.left_out |= answer.left_out;
        if answer.left_out {
            incomplete.push(agent.clone());
        }
        for hit in answer.hits {
            let same_id = copies.entry(hit.event_id.clone()).or_default();
            let also_in = places(&agent, &hit);
            let found = Found { agent: agent.clone(), hit, also_in };
            match same_id.iter_mut().find(|copies| copies[0].hit.text == found.hit.text) {
                Some(copies) => copies.push(found),
                None => same_id.push(vec![found]),
            }
        }
    }
    let mut found: Vec<Found> =
        copies.into_values().flatten().filter_map(|copies| join(copies, &mut merged.eaten)).collect();
    merged.eaten.retain(|agent, _| incomplete.contains(agent));
    found.sort_by(|a, b| compare(order, a, b));
    if let Some(cap) = per_session {
        let mut counts: HashMap<(AgentId, SessionKey), usize> = HashMap::new();
        found.retain(|found| {
            let count = counts.entry((found.agent.clone(), found.hit.key.clone())).or_default();
            *count += 1;
            merged.left_out |= *count > cap;
            *count <= cap
        });
    }
    merged.found = found;
    merged
}

/// The order of hits: total, since agent, key, transcript and message id name one hit.
fn compare(order: Order, a: &Found, b: &Found) -> Ordering {
    let by_score = match order {
        Order::Relevance => b.hit.score.total_cmp(&a.hit.score),
        Order::Recent => Ordering::Equal,
    };
    by_score
        .then_with(|| b.hit.timestamp.cmp(&a.hit.timestamp))
        .then_with(|| a.agent.cmp(&b.agent))
        .then_with(|| a.hit.key.cmp(&b.hit.key))
        .then_with(|| a.hit.event_id.cmp(&b.hit.event_id))
        .then_with(|| a.hit.session_id.cmp(&b.hit.session_id))
}

fn places(agent: &AgentId, hit: &StoreHit) -> Vec<CopyPlace> {
    let place = |(key, id): &(_, _)| place(agent, key, id);
    hit.also_in.iter().map(place).collect()
}

fn place(agent: &AgentId, key: &SessionKey, id: &session_search_core::SessionId) -> CopyPlace {
    CopyPlace { agent_id: agent.clone(), session_key: key.clone(), session_id: id.clone() }
}

/// Copies in several stores become one hit, under the session whose first event is the oldest. `None` of none.
fn join(mut copies: Vec<Found>, eaten: &mut BTreeMap<AgentId, Eaten>) -> Option<Found> {
    copies.sort_by(|a, b| {
        (a.hit.session_start, &a.agent, &a.hit.key).cmp(&(b.hit.session_start, &b.agent, &b.hit.key))
    });
    let mut copies = copies.into_iter();
    let mut first = copies.next()?;
    for copy in copies {
        eaten.entry(copy.agent.clone()).or_default().note(&copy.hit.key);
        first.also_in.push(place(&copy.agent, &copy.hit.key, &copy.hit.session_id));
        first.also_in.extend(copy.also_in);
    }
    first.also_in.truncate(MAX_ALSO_IN);
    Some(first)
}

#[cfg(test)]
mod tests {
    use super::*;
    use session_search_core::{Millis, Role, SessionId};

    fn agent(id: &str) -> AgentId {
        AgentId::new(id).unwrap()
    }

    fn hit(key: &str, id: &str, score: f64, time: i64, start: i64) -> StoreHit {
        StoreHit {
            key: SessionKey::new(key).unwrap(),
            session_id: SessionId::new(format!("s-{key}")).unwrap(),
            event_id: EventId::new(id).unwrap(),
            role: Role::User,
            timestamp: Millis(time),
            text: format!("text of {id}"),
            score,
            clauses: 1,
            also_in: Vec::new(),
            session_start: Millis(start),
        }
    }

    fn answer(agent_id: &str, left_out: bool, hits: Vec<StoreHit>) -> (AgentId, StoreHits) {
        (agent(agent_id), StoreHits { hits, left_out })
    }

    fn ids(merged: &Merged) -> Vec<String> {
        merged.found.iter().map(|f| format!("{}/{}/{}", f.agent, f.hit.key, f.hit.event_id)).collect()
    }

    #[test]
    fn ties_are_total() {
        let answers = vec![
            answer("b", false, vec![hit("k", "m1", 2.0, 5, 0), hit("k", "m2", 1.0, 5, 0)]),
            answer(
                "a",
                false,
                vec![hit("z", "m3", 1.0, 5, 0), hit("k", "m5", 1.0, 5, 0), hit("k", "m4", 1.0, 6, 0)],
            ),
        ];
        let merged = merge(answers, Order::Relevance, None);
        assert_eq!(ids(&merged), ["b/k/m1", "a/k/m4", "a/k/m5", "a/z/m3", "b/k/m2"]);
        assert!(!merged.left_out && merged.eaten.is_empty());
    }

    #[test]
    fn recent_looks_at_the_time_first_and_never_at_the_score() {
        let answers = vec![answer("a", false, vec![hit("k", "old", 9.0, 1, 0), hit("k", "new", 1.0, 2, 0)])];
        assert_eq!(ids(&merge(answers, Order::Recent, None)), ["a/k/new", "a/k/old"]);
    }

    #[test]
    fn copies_across_stores_are_one_hit_under_the_oldest_session() {
        let mut first = hit("k", "m", 1.0, 5, 30);
        first.also_in = vec![(SessionKey::new("k2").unwrap(), SessionId::new("s2").unwrap())];
        let answers = vec![
            answer("a", true, vec![first]),
            answer("b", true, vec![hit("x", "m", 1.0, 5, 10)]),
            answer("c", false, vec![hit("y", "m", 1.0, 5, 20)]),
        ];
        let merged = merge(answers, Order::Relevance, None);
        assert_eq!(ids(&merged), ["b/x/m"]);
        let also: Vec<_> = merged.found[0].also_in.iter().map(|p| p.session_key.as_str()).collect();
        assert_eq!(also, ["y", "k", "k2"]);
        // Only a, which left matches out, is worth asking again.
        assert_eq!(merged.eaten.keys().map(AgentId::as_str).collect::<Vec<_>>(), ["a"]);
        assert_eq!((merged.eaten[&agent("a")].places, merged.eaten[&agent("a")].most_of_one()), (1, 1));
    }

    #[test]
    fn the_same_id_with_another_text_is_another_message() {
        let mut other = hit("x", "m", 1.0, 5, 10);
        other.text = "something else".into();
        let answers =
            vec![answer("a", false, vec![hit("k", "m", 1.0, 5, 30)]), answer("b", false, vec![other])];
        assert_eq!(ids(&merge(answers, Order::Relevance, None)).len(), 2);
    }

    #[test]
    fn the_cap_counts_sessions_of_different_agents_apart() {
        let answers = vec![
            answer("a", false, vec![hit("k", "1", 3.0, 0, 0), hit("k", "2", 2.0, 0, 0)]),
            answer("b", false, vec![hit("k", "3", 1.0, 0, 0)]),
        ];
        let merged = merge(answers, Order::Relevance, Some(1));
        assert_eq!(ids(&merged), ["a/k/1", "b/k/3"]);
        assert!(merged.left_out);
    }
}
