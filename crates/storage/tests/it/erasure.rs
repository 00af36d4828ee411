//! No byte of what was deleted is left in any file.

use std::sync::Arc;

use session_search_core::store::{Erasure, ReconcileStep, Rewind};
use session_search_core::{SessionKey, TranscriptStore, Visible};
use session_search_storage::SqliteStore;
use session_search_testkit::fixture::{append, event_id, key, plan, user};

use crate::support::{Home, files_with};

/// Words that begin like many others, so that they stand at the edges of pages and differ in the last character only.
fn neighbours(session: &str, n: usize) -> String {
    let chinese = char::from_u32(0x4e00 + u32::try_from(n).unwrap()).unwrap();
    format!("zqxjkvbw{n:05}{session} common words 堙{chinese}埻{session} xyzzyplugh{}", n % 7)
}

async fn fill(store: &SqliteStore, session: &str, count: usize) {
    for chunk in (0..count).collect::<Vec<_>>().chunks(200) {
        let drafts: Vec<_> =
            chunk.iter().map(|n| user(&format!("{session}{n:05}"), &neighbours(session, *n))).collect();
        store.append(append(session, &drafts)).await.unwrap();
    }
}

/// The words of the deleted session: every one of them ends in its name, its neighbours' in another's.
fn canaries(session: &str, count: usize) -> Vec<String> {
    (0..count)
        .flat_map(|n| {
            let chinese = char::from_u32(0x4e00 + u32::try_from(n).unwrap()).unwrap();
            [format!("zqxjkvbw{n:05}{session}"), format!("堙{chinese}埻{session}")]
        })
        .collect()
}

fn assert_gone(home: &Home, canaries: &[String]) {
    let mut bytes = Vec::new();
    for entry in std::fs::read_dir(home.path().parent().unwrap()).unwrap() {
        let path = entry.unwrap().path();
        bytes.push((path.clone(), std::fs::read(path).unwrap()));
    }
    let left: Vec<_> = canaries
        .iter()
        .flat_map(|canary| {
            bytes
                .iter()
                .filter(|(_, bytes)| memchr::memmem::find(bytes, canary.as_bytes()).is_some())
                .map(move |(path, _)| (canary.clone(), path.file_name().unwrap().to_owned()))
        })
        .collect();
    assert!(left.is_empty(), "{} of {} left: {:?}", left.len(), canaries.len(), &left[..left.len().min(5)]);
}

#[tokio::test]
async fn a_deleted_session_leaves_no_byte() {
    let home = Home::new();
    let store = home.store();
    for session in ["a", "b", "c"] {
        fill(&store, session, 1_500).await;
    }
    let canaries = canaries("b", 1_500);
    assert!(
        !files_with(home.directory.path(), &canaries[7]).is_empty(),
        "the search for bytes finds what is there"
    );
    let receipt = store.delete(&[key("b")]).await.unwrap();
    assert_eq!((receipt.sessions, receipt.messages, receipt.erasure), (1, 1_500, Erasure::Done));
    assert_gone(&home, &canaries);
    assert_eq!(store.verify(false).await.unwrap().differences, Vec::<String>::new());
    store.close().await.unwrap();
    assert_gone(&home, &canaries);
}

/// Interleaved appends put the deleted words next to others in every page.
#[tokio::test]
async fn sessions_that_grew_side_by_side_are_parted_cleanly() {
    let home = Home::new();
    let store = home.store();
    for n in 0..700 {
        for session in ["a", "b"] {
            let draft = user(&format!("{session}{n:05}"), &neighbours(session, n));
            store.append(append(session, &[draft])).await.unwrap();
        }
    }
    assert_eq!(store.delete(&[key("a")]).await.unwrap().erasure, Erasure::Done);
    assert_gone(&home, &canaries("a", 700));
    assert_eq!(store.verify(false).await.unwrap().differences, Vec::<String>::new());
    assert_eq!(store.status().await.unwrap().indexed, 700);
}

#[tokio::test]
async fn titles_go_too_and_so_does_what_was_purged() {
    let home = Home::new();
    let store = home.store();
    let mut titled =
        append("a", &[user("m1", "kept"), user("m2", "canarypurged"), user("m3", "canarypurgee")]);
    titled.session.title = Some("canarytitle".into());
    titled.session.project = Some("/canary/project".into());
    store.append(titled).await.unwrap();
    let purge = Rewind { key: key("a"), to: event_id("m1"), purge: true };
    let receipt = store.rewind(purge).await.unwrap();
    assert_eq!((receipt.purged, receipt.erasure), (2, Erasure::Done));
    assert_gone(&home, &["canarypurged".into(), "canarypurgee".into()]);
    store.delete(&[key("a")]).await.unwrap();
    assert_gone(&home, &["canarytitle".into(), "/canary/project".into(), "kept".into()]);
}

#[tokio::test]
async fn a_reader_that_is_held_open_delays_the_end_and_another_handle_finishes() {
    let home = Home::new();
    let store = home.store();
    fill(&store, "a", 300).await;
    fill(&store, "b", 300).await;
    let mut reader = rusqlite::Connection::open(home.path()).unwrap();
    let snapshot = reader.transaction().unwrap();
    let held: i64 = snapshot.query_row("SELECT count(*) FROM events", [], |row| row.get(0)).unwrap();
    assert_eq!(held, 600);
    let receipt = store.delete(&[key("a")]).await.unwrap();
    let Erasure::Pending { why } = receipt.erasure else { panic!("a reader holds the log") };
    assert!(why.contains("reader"), "{why}");
    let gone = store.exists(&key("a")).await.unwrap();
    assert!(!gone && store.status().await.unwrap().erasing);
    assert_eq!(store.reconcile_step(100).await.unwrap(), ReconcileStep::Waiting);
    drop(snapshot);
    let other = home.store();
    while other.reconcile_step(100).await.unwrap() != ReconcileStep::Idle {}
    assert!(!store.status().await.unwrap().erasing);
    assert_gone(&home, &canaries("a", 300));
    assert_eq!(store.verify(false).await.unwrap().differences, Vec::<String>::new());
}

/// A crash between the two halves of a delete: what was unreachable stays so, and goes at the next opportunity.
#[tokio::test]
async fn an_erasure_that_was_cut_off_is_taken_up_again() {
    let home = Home::new();
    let store = home.store();
    fill(&store, "a", 400).await;
    fill(&store, "b", 400).await;
    store.close().await.unwrap();
    // What the first transaction of a delete does.
    let conn = rusqlite::Connection::open(home.path()).unwrap();
    conn.execute_batch(
        "BEGIN IMMEDIATE;
         UPDATE transcripts SET session = NULL WHERE session = (SELECT num FROM sessions WHERE key = 'a');
         DELETE FROM sessions WHERE key = 'a';
         INSERT OR REPLACE INTO state(name, value) VALUES('erasing', 1);
         UPDATE state SET value = value - 400 WHERE name = 'indexed';
         UPDATE state SET value = value + 1 WHERE name = 'epoch';
         COMMIT",
    )
    .unwrap();
    drop(conn);
    let store = home.store();
    let found = store.statistics(&Visible::Everything, &plan("common").query).await.unwrap();
    assert_eq!((found.messages, found.frequencies), (400, vec![400]));
    let mut steps = 0;
    while store.reconcile_step(50).await.unwrap() != ReconcileStep::Idle {
        steps += 1;
        // Cut off again and again, and all the while clean.
        if steps % 3 == 0 {
            assert_eq!(store.verify(false).await.unwrap().differences, Vec::<String>::new());
        }
        assert!(steps < 1_000);
    }
    assert!(steps > 5, "short transactions");
    assert_gone(&home, &canaries("a", 400));
}

#[tokio::test]
async fn other_writers_come_in_between() {
    let home = Home::new();
    let store = Arc::new(home.store());
    fill(&store, "a", 1_000).await;
    let other = home.store();
    let deleting = tokio::spawn({
        let store = Arc::clone(&store);
        async move { store.delete(&[SessionKey::new("a").unwrap()]).await.unwrap() }
    });
    let mut appended = 0;
    while !deleting.is_finished() {
        other.append(append("b", &[user(&format!("n{appended}"), "between")])).await.unwrap();
        appended += 1;
    }
    assert_eq!(deleting.await.unwrap().messages, 1_000);
    assert!(appended > 1, "{appended}");
    // Its own log may hold some that the other handle's appends keep alive; a step ends it.
    while store.reconcile_step(100).await.unwrap() != ReconcileStep::Idle {}
    assert_gone(&home, &canaries("a", 1_000));
}
