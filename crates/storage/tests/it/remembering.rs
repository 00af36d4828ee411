//! What a reader remembers of one request changes nothing in the next.

use std::collections::BTreeSet;

use session_search_core::store::SearchPlan;
use session_search_core::{TranscriptStore, Visible};
use session_search_storage::{OpenOptions, SqliteStore};
use session_search_testkit::factory::agent;
use session_search_testkit::fixture::{append, key, plan, user};
use session_search_testkit::pipeline::TestPipeline;

use crate::support::{Home, options};

const QUERIES: [&str; 9] = [
    "backoff",
    "deploy",
    "backoff deploy",
    "deploy -quokka",
    "\"backoff deploy\"",
    "quokka OR backoff",
    "back*",
    "quokka",
    "backoff quokka deploy",
];

/// With one reader, so that it sees every request.
fn open(home: &Home) -> SqliteStore {
    let options = OpenOptions { readers: 1, ..options() };
    SqliteStore::open(&home.path(), agent(), options, TestPipeline::plain()).unwrap()
}

async fn answer(store: &SqliteStore, visible: &Visible, plan: &SearchPlan) -> Vec<(String, u64, u64)> {
    let hits = store.search(visible, plan).await.unwrap().hits;
    hits.iter().map(|hit| (hit.event_id.to_string(), hit.score.to_bits(), hit.clauses)).collect()
}

#[tokio::test]
async fn no_request_changes_the_next() {
    let home = Home::new();
    let store = open(&home);
    let texts = [
        "backoff backoff deploy",
        "deploy far from any backoff",
        "quokka",
        "backoff quokka deploy",
        "deploy",
    ];
    for session in ["a", "b"] {
        let drafts: Vec<_> = texts
            .iter()
            .enumerate()
            .map(|(n, text)| user(&format!("{session}{n}"), text).at(n as i64))
            .collect();
        store.append(append(session, &drafts)).await.unwrap();
    }
    let some = Visible::Only(BTreeSet::from([key("a")]));
    for visible in [&Visible::Everything, &some] {
        for query in QUERIES {
            let mut asked = plan(query);
            asked.statistics = store.statistics(visible, &asked.query).await.unwrap().into();
            let fresh = open(&home);
            let expected = answer(&fresh, visible, &asked).await;
            fresh.close().await.unwrap();
            for before in QUERIES {
                for seen in [&Visible::Everything, &some] {
                    store.statistics(seen, &plan(before).query).await.unwrap();
                    assert_eq!(answer(&store, visible, &asked).await, expected, "{query} after {before}");
                    // And once more, with what that search remembered.
                    assert_eq!(answer(&store, visible, &asked).await, expected, "{query} after itself");
                }
            }
        }
    }
}
