//! Verification: what is damaged is told and mended, what is sound raises no alarm.

use session_search_core::{TranscriptStore, Visible};
use session_search_storage::SqliteStore;
use session_search_testkit::fixture::{append, key, plan, user};

use crate::support::Home;

const COUNT: usize = 300;

async fn fill(store: &SqliteStore, session: &str) {
    let drafts: Vec<_> = (0..COUNT)
        .map(|n| {
            user(&format!("{session}{n}"), &format!("needle number{n} in {session} word{}", n * 7919 % 1_000))
        })
        .collect();
    store.append(append(session, &drafts)).await.unwrap();
}

async fn found(store: &SqliteStore) -> Vec<u64> {
    store.statistics(&Visible::Everything, &plan("needle").query).await.unwrap().frequencies
}

/// Ways of damaging a store, `{fts}` its full-text table.
const DAMAGES: [&str; 10] = [
    "DELETE FROM {fts}_data WHERE id > 10",
    "DELETE FROM {fts}_data WHERE id = 10",
    "DELETE FROM {fts}_data WHERE id = (SELECT max(id) FROM {fts}_data)",
    "UPDATE {fts}_data SET block = zeroblob(40) WHERE id > 10",
    "INSERT INTO {fts}(rowid, terms) VALUES(77, 'nobody')",
    "DELETE FROM entries WHERE row = (SELECT min(row) FROM entries)",
    "UPDATE entries SET ts = ts + 1",
    "DELETE FROM blocks",
    "UPDATE transcripts SET length = length - 1, entries = entries - 1",
    "UPDATE state SET value = value + 1 WHERE name = 'indexed'",
];

#[tokio::test]
async fn damage_is_told_and_mended() {
    for damage in DAMAGES {
        let home = Home::new();
        let store = home.store();
        fill(&store, "a").await;
        fill(&store, "b").await;
        store.close().await.unwrap();
        let conn = rusqlite::Connection::open(home.path()).unwrap();
        let table: String = conn.query_row("SELECT name FROM indexes", [], |row| row.get(0)).unwrap();
        conn.execute_batch(&damage.replace("{fts}", &table)).unwrap();
        drop(conn);
        let store = home.store();
        let told = store.verify(false).await.unwrap();
        assert!(!told.differences.is_empty() && !told.repaired, "{damage}");
        let repaired = store.verify(true).await.unwrap();
        assert_eq!(repaired.differences, told.differences, "{damage}");
        assert!(repaired.repaired, "{damage}");
        assert_eq!(store.verify(false).await.unwrap().differences, Vec::<String>::new(), "{damage}");
        assert_eq!(found(&store).await, [2 * COUNT as u64], "{damage}");
        // It goes on to work.
        fill(&store, "c").await;
        store.delete(&[key("a")]).await.unwrap();
        assert_eq!(found(&store).await, [2 * COUNT as u64], "{damage}");
        assert_eq!(store.verify(false).await.unwrap().differences, Vec::<String>::new(), "{damage}");
    }
}

/// A reader remembers how the full-text table was built up when it last looked.
#[tokio::test]
async fn what_others_wrote_meanwhile_is_no_damage() {
    let home = Home::new();
    let store = home.store();
    for round in 0..30 {
        fill(&store, &format!("s{round}")).await;
        found(&store).await;
        if round % 3 == 0 {
            store.delete(&[key(&format!("s{round}"))]).await.unwrap();
        }
        fill(&store, &format!("t{round}")).await;
        assert_eq!(store.verify(false).await.unwrap().differences, Vec::<String>::new(), "round {round}");
    }
}
