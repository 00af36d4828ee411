//! Opening again, several handles, closing, status, verification.

use serde_json::json;
use session_search_core::source::SourceMark;
use session_search_core::store::{HistoryFrom, Rewind};
use session_search_core::{ErrorKind, Visible};

use crate::factory::{AGENT, StoreFactory};
use crate::fixture::{append, chunk, event_id, key, leaf, name, pages, plan, session_id, tool_result, user};
use crate::kit::{Kit, refused};
use crate::pipeline::TestPipeline;

/// A store with a bit of everything.
async fn lively(factory: &dyn StoreFactory) -> Kit {
    let kit = Kit::with(factory, TestPipeline::scrubbing()).await;
    kit.say("a", &[user("m1", "walrus"), tool_result("t", "ls", "x"), user("m2", "narwhal 会议室")]).await;
    kit.say("a", &[leaf("l", json!("m1")), user("m3", "seal sesame9")]).await;
    kit.say_in("a", "a-s2", &[user("m4", "walrus")]).await;
    let mut child = append("b", &[user("m1", "walrus")]);
    child.session.spawned_by = Some(name("a"));
    child.session.incognito = true;
    kit.store.append(child).await.unwrap();
    kit.import(chunk("c", "s", &[user("x", "orca").at(5)])).await;
    let mut late = chunk("d", "s", &[user("y", "orca").at(6)]);
    late.defer_index = true;
    kit.import(late).await;
    kit.say("gone", &[user("m1", "walrus")]).await;
    kit.store.delete(&[key("gone")]).await.unwrap();
    kit.store.rewind(Rewind { key: key("c"), to: event_id("x"), purge: true }).await.unwrap();
    kit
}

async fn picture(kit: &Kit) -> String {
    let store = &kit.store;
    let mut said = vec![format!("{:?}", store.dump().await.unwrap())];
    for visible in [Visible::NotIncognito, Visible::Everything] {
        for query in ["walrus", "orca", "narwhal OR seal", "会议"] {
            said.push(format!("{:?}", kit.search(&visible, &plan(query)).await));
        }
        said.push(format!(
            "{:?} {}",
            store.list(&visible).await.unwrap(),
            store.pending(&visible).await.unwrap()
        ));
        said.push(format!(
            "{:?}",
            store.history(&visible, &pages("a", HistoryFrom::Newest, 9)).await.unwrap()
        ));
    }
    said.push(format!("{:?}", store.children(&[name("a")]).await.unwrap()));
    said.join("\n")
}

/// To the last bit, pending work included.
pub async fn everything_survives_reopening(factory: &dyn StoreFactory) {
    let mut kit = lively(factory).await;
    let before = picture(&kit).await;
    kit.reopen().await;
    assert_eq!(picture(&kit).await, before);
    kit.settle().await;
    kit.expect("orca", &["c/x", "d/y"]).await;
    kit.assert_clean().await;
}

/// What one handle has written another reads, also one that was opened before.
pub async fn two_handles_see_one_store(factory: &dyn StoreFactory) {
    let kit = Kit::new(factory).await;
    let second = kit.second_handle().await;
    kit.say("a", &[user("m1", "walrus")]).await;
    assert!(second.exists(&key("a")).await.unwrap());
    second.append(append("a", &[user("m2", "walrus")])).await.unwrap();
    kit.expect("walrus", &["a/m1", "a/m2"]).await;
    assert_eq!(refused(second.append(append("a", &[user("m1", "narwhal")])).await), ErrorKind::Conflict);
    second.close().await.unwrap();
    kit.say("a", &[user("m3", "walrus")]).await;
    kit.expect("walrus", &["a/m1", "a/m2", "a/m3"]).await;
    kit.assert_clean().await;
}

/// Every method, and nothing happens.
pub async fn a_closed_store_answers_closed(factory: &dyn StoreFactory) {
    let mut kit = Kit::new(factory).await;
    kit.say("a", &[user("m1", "walrus")]).await;
    let store = kit.store.clone();
    store.close().await.unwrap();
    let (all, query) = (Visible::Everything, plan("walrus").query);
    let mark = SourceMark {
        size: 0,
        modified_ns: 0,
        inode: 0,
        offset: 0,
        hash: String::new(),
        state: String::new(),
    };
    let rewind = Rewind { key: key("a"), to: event_id("m1"), purge: true };
    let kinds = [
        refused(store.append(append("a", &[user("m2", "narwhal")])).await),
        refused(store.rewind(rewind).await),
        refused(store.delete(&[key("a")]).await),
        refused(store.import(chunk("b", "s", &[user("m2", "narwhal")])).await),
        refused(store.known_events(&key("a"), &session_id("a-s1"), &[event_id("m1")]).await),
        refused(store.source_marks().await),
        refused(store.mark_source("/x", mark).await),
        refused(store.children(&[name("a")]).await),
        refused(store.exists(&key("a")).await),
        refused(store.statistics(&all, &query).await),
        refused(store.search(&all, &plan("walrus")).await),
        refused(store.pending(&all).await),
        refused(store.history(&all, &pages("a", HistoryFrom::Newest, 5)).await),
        refused(store.list(&all).await),
        refused(store.reconcile_step(5).await),
        refused(store.mark_pending(None).await),
        refused(store.verify(false).await),
        refused(store.status().await),
        refused(store.dump().await),
    ];
    assert!(kinds.iter().all(|kind| *kind == ErrorKind::Closed), "{kinds:?}");
    assert_eq!(store.agent().as_str(), AGENT);
    kit.reopen_after_close().await;
    kit.expect("walrus OR narwhal", &["a/m1"]).await;
    assert_eq!(kit.store.dump().await.unwrap().len(), 1);
}

/// Sessions, transcripts, events, entries.
pub async fn status_counts(factory: &dyn StoreFactory) {
    let kit = lively(factory).await;
    let status = kit.store.status().await.unwrap();
    assert_eq!(status.agent_id.as_str(), AGENT);
    assert_eq!((status.sessions, status.transcripts, status.events), (4, 5, 9));
    assert_eq!((status.indexed, status.pending), (5, 1), "m1 and m3, m4, b's, c's; d's waits");
    assert!(!status.erasing && !status.read_only && status.bytes > 0);
    kit.settle().await;
    let status = kit.store.status().await.unwrap();
    assert_eq!((status.indexed, status.pending), (6, 0));
}

/// A verification that repairs finds nothing to repair, and changes nothing.
pub async fn verify_is_clean_after_everything(factory: &dyn StoreFactory) {
    let kit = lively(factory).await;
    kit.assert_clean().await;
    kit.settle().await;
    let before = picture(&kit).await;
    let report = kit.store.verify(true).await.unwrap();
    assert!(report.differences.is_empty(), "{:?}", report.differences);
    assert_eq!(report.checked, 6);
    assert_eq!(picture(&kit).await, before);
}

/// Whatever a store shows of itself.
pub async fn debug_shows_no_text(factory: &dyn StoreFactory) {
    let kit = Kit::new(factory).await;
    kit.say("a", &[user("m1", "walrus")]).await;
    assert!(!format!("{:?}", kit.store).contains("walrus"));
    let status = serde_json::to_string(&kit.store.status().await.unwrap()).unwrap();
    assert!(!status.contains("walrus"));
}
