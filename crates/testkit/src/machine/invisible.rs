//! A response does not change by one byte when invisible sessions are added, changed or removed.

use std::sync::Arc;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use session_search_core::store::{HistoryFrom, HistoryPlan, Order, SearchPlan};
use session_search_core::{AgentId, Cursor, SessionKey, SessionName, TranscriptStore, Visible};

use super::ops::{Ask, Op, asks, bulk, op, pipeline};
use super::{config, runtime};
use crate::factory::{StoreFactory, agent};
use crate::fixture::{key, only, pages};
use crate::model::Model;

/// What the caller sees.
const SEEN: [&str; 2] = ["k0", "k3"];
/// What it does not: before, between and after the others in every order of keys.
const UNSEEN: [&str; 4] = ["a", "k1", "k2", "z"];

/// Runs so many pairs of histories: the same operations on what is visible, in one of the two with operations on
/// invisible and incognito sessions between them. Statistics, hits with their scores, pending, pages and lists are
/// then equal to the last bit, and so are the receipts.
///
/// # Panics
/// Where they are not.
pub fn invisible(factory: &dyn StoreFactory, cases: u32) {
    let runtime = runtime();
    let mut runner = TestRunner::new(config(cases));
    let outcome = runner.run(&(histories(), vec(asks(&SEEN), 1..5)), |(ops, asks)| {
        runtime.block_on(async {
            let (alone, among) = (factory.create().await, factory.create().await);
            let (alone, among) = (alone.open(pipeline()).await, among.open(pipeline()).await);
            for (seen, op) in &ops {
                let told = apply(among.as_ref(), op).await;
                if *seen {
                    assert_eq!(apply(alone.as_ref(), op).await, told, "receipts differ");
                }
                assert_eq!(picture(among.as_ref(), &asks).await, picture(alone.as_ref(), &asks).await);
            }
        });
        Ok(())
    });
    if let Err(failure) = outcome {
        panic!("{failure}");
    }
}

/// Operations, each with whether it is on what is visible. Only whole reconciliations, since a step may spend itself
/// on what is invisible.
fn histories() -> impl Strategy<Value = Vec<(bool, Op)>> {
    let empty = Model::new(agent(), pipeline());
    let changes =
        |op: &Op| !matches!(op, Op::Step(_) | Op::Settle | Op::Reopen | Op::Search(_) | Op::History(_));
    let on = move |keys: &'static [&'static str]| op(keys, &empty).prop_filter("a change", changes);
    let (seen, unseen) = (on(&SEEN), on(&UNSEEN));
    let one = prop_oneof![
        5 => seen.prop_map(|op| (true, op)),
        7 => unseen.prop_map(|op| (false, within_unseen(op))),
        1 => Just((true, Op::Settle)),
    ];
    vec(one, 1..14)
}

/// An operation that names no session touches all of them.
fn within_unseen(op: Op) -> Op {
    match op {
        Op::MarkPending(None) => Op::MarkPending(Some(key("a"))),
        op => op,
    }
}

/// Does it, and tells what was answered.
async fn apply(store: &dyn TranscriptStore, op: &Op) -> String {
    let all_of = |keys: &[&str]| keys.iter().map(|name| key(name)).collect::<Vec<SessionKey>>();
    match op {
        Op::Append(append) => told(store.append((**append).clone()).await),
        Op::Bulk(key) => told(store.append(bulk(key)).await),
        Op::Import(chunk) => told(store.import((**chunk).clone()).await),
        Op::Rewind(rewind) => told(store.rewind(rewind.clone()).await),
        Op::Delete(keys) => told(store.delete(keys).await),
        Op::MarkPending(None) => {
            let mut marked = 0;
            for key in all_of(&SEEN) {
                marked += store.mark_pending(Some(&key)).await.unwrap_or(0);
            }
            marked.to_string()
        }
        Op::MarkPending(Some(key)) => store.mark_pending(Some(key)).await.unwrap_or(0).to_string(),
        _ => {
            let mut steps = 0;
            while store.reconcile_step(200).await.unwrap() != session_search_core::store::ReconcileStep::Idle
            {
                steps += 1;
                assert!(steps < 10_000, "reconciliation does not end");
            }
            String::new()
        }
    }
}

fn told<T: std::fmt::Debug>(result: session_search_core::store::Result<T>) -> String {
    result.map_or_else(|error| format!("{:?} {error}", error.kind()), |receipt| format!("{receipt:?}"))
}

/// All that the caller can see, scores as bits.
async fn picture(store: &dyn TranscriptStore, asks: &[Ask]) -> String {
    let visible = only(&SEEN);
    let mut said = vec![
        format!("{:?}", store.list(&visible).await.unwrap()),
        store.pending(&visible).await.unwrap().to_string(),
    ];
    for ask in asks {
        for order in [Order::Relevance, Order::Recent] {
            let visible = ask.visible.as_ref().map_or_else(|_| visible.clone(), narrowed);
            let statistics = Arc::new(store.statistics(&visible, &ask.plan.query).await.unwrap());
            said.push(format!("{statistics:?}"));
            let plan = SearchPlan { statistics, order, ..ask.plan.clone() };
            let hits = store.search(&visible, &plan).await.unwrap();
            for hit in hits.hits {
                said.push(format!(
                    "{hit:?} {:x} {} {:?} {}",
                    hit.score.to_bits(),
                    hit.session_id,
                    hit.also_in,
                    hit.text
                ));
            }
            said.push(hits.left_out.to_string());
        }
    }
    for name in SEEN {
        let newest = pages(name, HistoryFrom::Newest, 3);
        let page = told(store.history(&visible, &newest).await);
        said.push(page);
        for foreign in UNSEEN {
            let place = Cursor {
                session_id: crate::fixture::session_id(&format!("{foreign}-s1")),
                event_id: crate::fixture::event_id("e1"),
            };
            let plan = HistoryPlan { from: HistoryFrom::Before(place), ..newest.clone() };
            said.push(told(store.history(&visible, &plan).await));
        }
    }
    for foreign in UNSEEN {
        said.push(told(store.history(&visible, &pages(foreign, HistoryFrom::Newest, 3)).await));
    }
    let elsewhere = SessionName { agent: AgentId::new("other").unwrap(), key: key("k0") };
    said.push(format!("{:?}", store.children(&[elsewhere]).await.unwrap()));
    said.join("\n")
}

/// What is visible of a set: never more than what the caller sees.
fn narrowed(visible: &Visible) -> Visible {
    match visible {
        Visible::Only(keys) => {
            Visible::Only(keys.iter().filter(|key| SEEN.contains(&key.as_str())).cloned().collect())
        }
        Visible::Nothing => Visible::Nothing,
        Visible::NotIncognito | Visible::Everything => only(&SEEN),
    }
}
