//! What must be equal between a store and the model.

use std::collections::BTreeSet;
use std::sync::Arc;

use session_search_core::limits::MAX_ALSO_IN;
use session_search_core::store::{
    HistoryAnswer, HistoryFrom, HistoryPlan, Order, SearchPlan, StoreHit, StoreHits,
};
use session_search_core::{Cursor, EventId, SessionId, SessionKey, Visible};

use super::ops::{Ask, KEYS, Page, settle};
use super::run::Pair;
use crate::fixture::{key, pages, plan, session_id};

/// Lists, dumps, whole histories, counts, and a search that finds much.
pub(super) async fn check_state(pair: &Pair) {
    let Pair { model, store, .. } = pair;
    for visible in [Visible::Everything, Visible::NotIncognito] {
        assert_eq!(store.list(&visible).await.unwrap(), model.list(&visible));
        let (got, expected) = (store.pending(&visible).await.unwrap(), model.pending(&visible));
        assert!(got == expected || (pair.stepped && got < expected), "{got} pending, not {expected}");
    }
    assert_eq!(store.dump().await.unwrap(), model.dump());
    for name in KEYS {
        let exists = model.exists(&key(name));
        assert_eq!(store.exists(&key(name)).await.unwrap(), exists);
        let mut whole = pages(name, HistoryFrom::Newest, 10_000);
        whole.include_tools = true;
        let (got, expected) =
            (store.history(&Visible::Everything, &whole).await, model.history(&Visible::Everything, &whole));
        assert_eq!(got.map_err(|e| e.kind()), expected.map_err(|e| e.kind()));
    }
    let (got, expected) = (store.status().await.unwrap(), model.status());
    assert_eq!(
        (got.sessions, got.transcripts, got.events, got.erasing),
        (expected.sessions, expected.transcripts, expected.events, false)
    );
    if !pair.stepped && expected.pending == 0 {
        assert_eq!((got.indexed, got.pending), (expected.indexed, 0));
    }
    let broad = plan("walrus OR seal OR 会 OR user");
    check_hits(pair, &Visible::NotIncognito, &broad).await;
    // Again within bounds that leave some of it out, as soon as there are three.
    let few = SearchPlan { limit: 2, per_session: Some(1), ..broad };
    check_hits(pair, &Visible::NotIncognito, &few).await;
}

/// A search by whoever asks.
pub(super) async fn check_search(pair: &Pair, ask: &Ask) {
    let visible = match &ask.visible {
        Ok(visible) => visible.clone(),
        Err(caller) => pair.reach(caller).await,
    };
    check_hits(pair, &visible, &ask.plan).await;
}

async fn check_hits(pair: &Pair, visible: &Visible, plan: &SearchPlan) {
    if pair.model.pending(visible) > 0 {
        return check_incomplete(pair, visible, plan).await;
    }
    let Pair { model, store, .. } = pair;
    let statistics = store.statistics(visible, &plan.query).await.unwrap();
    assert_eq!(statistics, model.statistics(visible, &plan.query));
    let plan = SearchPlan { statistics: Arc::new(statistics), ..plan.clone() };
    let unbounded = SearchPlan { limit: 10_000, per_session: None, ..plan.clone() };
    let (all, expected_all) =
        (store.search(visible, &unbounded).await.unwrap(), model.search(visible, &unbounded));
    same_set(&all, &expected_all);
    in_order(&all.hits, plan.order);
    if (plan.limit, plan.per_session) == (unbounded.limit, unbounded.per_session) {
        return;
    }
    let (got, expected) = (store.search(visible, &plan).await.unwrap(), model.search(visible, &plan));
    assert_eq!((got.hits.len(), got.left_out), (expected.hits.len(), expected.left_out));
    assert_eq!(places(&got.hits), places(&expected.hits));
    assert_eq!(got.hits, bounded(&plan, all.hits), "the best of all");
}

/// What the bounds leave of all hits in their order.
fn bounded(plan: &SearchPlan, all: Vec<StoreHit>) -> Vec<StoreHit> {
    let mut counts = std::collections::BTreeMap::<SessionKey, usize>::new();
    let within = |hit: &StoreHit| {
        let count = counts.entry(hit.key.clone()).or_default();
        *count += 1;
        plan.per_session.is_none_or(|cap| *count <= cap)
    };
    all.into_iter().filter(within).take(plan.limit).collect()
}

fn same_set(got: &StoreHits, expected: &StoreHits) {
    let set = |hits: &StoreHits| hits.hits.iter().map(told).collect::<BTreeSet<_>>();
    assert_eq!(set(got), set(expected));
    assert_eq!(got.hits.len(), expected.hits.len());
    assert_eq!(got.left_out, expected.left_out);
}

/// All that a hit says, its score to the last bit.
fn told(hit: &StoreHit) -> String {
    let also: Vec<_> = hit.also_in.iter().take(MAX_ALSO_IN).collect();
    format!(
        "{} {} {} {:?} {:?} {} {:b} {also:?} {:?} {:x}",
        hit.key,
        hit.session_id,
        hit.event_id,
        hit.role,
        hit.timestamp,
        hit.text,
        hit.clauses,
        hit.session_start,
        hit.score.to_bits()
    )
}

fn places(hits: &[StoreHit]) -> Vec<(SessionKey, EventId)> {
    hits.iter().map(|hit| (hit.key.clone(), hit.event_id.clone())).collect()
}

fn in_order(hits: &[StoreHit], order: Order) {
    for pair in hits.windows(2) {
        let [one, two] = pair else { continue };
        let by_score = match order {
            Order::Relevance => two.score.total_cmp(&one.score),
            Order::Recent => std::cmp::Ordering::Equal,
        };
        let ids = |hit: &StoreHit| (hit.key.clone(), hit.event_id.clone(), hit.session_id.clone());
        let order = by_score.then(two.timestamp.cmp(&one.timestamp)).then_with(|| ids(one).cmp(&ids(two)));
        assert!(order.is_lt(), "{one:?} before {two:?}");
    }
}

/// While something visible is pending: all that is found will be found in the end, and what is in transcripts that
/// are not pending is found.
async fn check_incomplete(pair: &Pair, visible: &Visible, plan: &SearchPlan) {
    let plan = SearchPlan {
        limit: 10_000,
        per_session: None,
        matching: session_search_core::store::Matching::All,
        ..plan.clone()
    };
    let ids =
        |hits: StoreHits| hits.hits.into_iter().map(|hit| (hit.event_id, hit.text)).collect::<BTreeSet<_>>();
    let got = ids(pair.store.search(visible, &plan).await.unwrap());
    let mut settled = pair.model.clone();
    settle(&mut settled);
    let most = ids(settled.search(visible, &plan));
    assert!(got.is_subset(&most), "{:?} is not on a branch", got.difference(&most).collect::<Vec<_>>());
    let least = ids(pair.model.without_pending().search(visible, &plan));
    assert!(least.is_subset(&got), "{:?} is not found", least.difference(&got).collect::<Vec<_>>());
    let statistics = pair.store.statistics(visible, &plan.query).await.unwrap();
    assert!(statistics.messages <= settled.statistics(visible, &plan.query).messages);
}

/// What was just appended, has text and is on the branch is found, pending or not.
pub(super) async fn check_fresh(pair: &Pair, of: &SessionKey, transcript: &SessionId, fresh: &[&EventId]) {
    let visible = Visible::Everything;
    let everything = plan("walrus OR seal OR seals OR narwhal OR 会 OR user OR ice OR the");
    let session = Visible::Only([of.clone()].into());
    let visible = if pair.model.list(&session).is_empty() { visible } else { session };
    let found = pair.store.search(&visible, &everything).await.unwrap();
    let mut settled = pair.model.clone();
    settle(&mut settled);
    for hit in settled.search(&visible, &everything).hits {
        let new = hit.key == *of && hit.session_id == *transcript && fresh.contains(&&hit.event_id);
        let same = |other: &StoreHit| (&other.event_id, &other.text) == (&hit.event_id, &hit.text);
        assert!(!new || found.hits.iter().any(same), "{} was appended and is not found", hit.event_id);
    }
}

/// A page, by whatever it hangs on.
pub(super) async fn check_page(pair: &Pair, page: &Page) {
    let current = |page: &Page| {
        let list = pair.model.list(&Visible::Everything);
        let summary = list.iter().find(|summary| summary.key == page.key);
        summary.and_then(|summary| summary.session_ids.last().cloned())
    };
    let named = page.session_id.as_deref().map(session_id);
    let cursor = |event_id: &EventId| Cursor {
        session_id: named.clone().or_else(|| current(page)).unwrap_or_else(|| session_id("unknown")),
        event_id: event_id.clone(),
    };
    let from = match &page.place {
        None => HistoryFrom::Newest,
        Some((0, id)) => HistoryFrom::Around(id.clone()),
        Some((1, id)) => HistoryFrom::Before(cursor(id)),
        Some((_, id)) => HistoryFrom::After(cursor(id)),
    };
    let plan = HistoryPlan {
        key: page.key.clone(),
        session_id: named,
        from,
        limit: page.limit,
        include_tools: page.include_tools,
    };
    let (got, expected) =
        (pair.store.history(&page.visible, &plan).await, pair.model.history(&page.visible, &plan));
    match (got, expected) {
        (Ok(HistoryAnswer::Page(got)), Ok(HistoryAnswer::Page(expected))) => {
            if let HistoryFrom::Around(anchor) = &plan.from {
                around(pair, &plan, &got, anchor);
            } else {
                assert_eq!(got, expected, "{plan:?}");
            }
        }
        (got, expected) => assert_eq!(got.map_err(|e| e.kind()), expected.map_err(|e| e.kind()), "{plan:?}"),
    }
}

/// A page around an anchor is a run of the whole that holds it; which side gets more is not said.
fn around(pair: &Pair, plan: &HistoryPlan, got: &session_search_core::store::HistoryPage, anchor: &EventId) {
    let whole = HistoryPlan {
        session_id: Some(got.session_id.clone()),
        from: HistoryFrom::Newest,
        limit: 10_000,
        ..plan.clone()
    };
    let Ok(HistoryAnswer::Page(whole)) = pair.model.history(&Visible::Everything, &whole) else {
        panic!("the model has no such transcript")
    };
    let place = |id: &EventId| whole.messages.iter().position(|message| message.event_id == *id);
    let Some(first) = got.messages.first() else {
        assert!(whole.messages.is_empty() || place(anchor).is_none(), "{anchor} is on no page");
        return;
    };
    let start = place(&first.event_id).expect("a page of messages on the branch");
    let end = start + got.messages.len();
    assert_eq!(got.messages, whole.messages[start..end]);
    assert_eq!((got.older, got.newer), (start > 0, end < whole.messages.len()));
    assert!(got.messages.len() <= plan.limit);
    if let Some(at) = place(anchor) {
        assert!((start..end).contains(&at));
        if at >= plan.limit && at + plan.limit < whole.messages.len() {
            assert_eq!(end - start, plan.limit);
            assert!((at - start).abs_diff(end - 1 - at) <= 1);
        }
    }
}
