//! Deletion, tombstones, restoration, lineage.

use session_search_core::store::{Erasure, HistoryFrom};
use session_search_core::{ErrorKind, Visible};

use crate::factory::StoreFactory;
use crate::fixture::{append, chunk, key, leaf, name, pages, plan, session_id, tool_call, user};
use crate::kit::{Kit, refused};
use serde_json::json;

/// Search, statistics, history, list, existence, dump.
pub async fn a_deleted_session_is_gone_from_every_read(factory: &dyn StoreFactory) {
    let kit = Kit::new(factory).await;
    kit.say("a", &[user("m1", "walrus")]).await;
    kit.say_in("a", "a-s2", &[user("m2", "walrus")]).await;
    let receipt = kit.store.delete(&[key("a")]).await.unwrap();
    assert_eq!((receipt.sessions, receipt.messages, receipt.erasure), (1, 2, Erasure::Done));
    kit.expect("walrus", &[]).await;
    let statistics = kit.store.statistics(&Visible::Everything, &plan("walrus").query).await.unwrap();
    assert_eq!((statistics.messages, statistics.newest), (0, None));
    let history = kit.store.history(&Visible::Everything, &pages("a", HistoryFrom::Newest, 5)).await;
    assert_eq!(refused(history), ErrorKind::NotFound);
    assert!(kit.store.list(&Visible::Everything).await.unwrap().is_empty());
    assert!(!kit.store.exists(&key("a")).await.unwrap());
    assert!(kit.store.dump().await.unwrap().is_empty());
    let status = kit.store.status().await.unwrap();
    assert_eq!((status.sessions, status.transcripts, status.events, status.indexed), (0, 0, 0, 0));
    assert!(!status.erasing);
    kit.assert_clean().await;
}

/// Abandoned branches and messages without text count; other events do not.
pub async fn the_receipt_counts_messages_on_and_off_the_branch(factory: &dyn StoreFactory) {
    let kit = Kit::new(factory).await;
    kit.say(
        "a",
        &[
            user("m1", "apple"),
            user("m2", "banana"),
            tool_call("m3", "ls", json!({})),
            leaf("l", json!("m1")),
        ],
    )
    .await;
    kit.say("b", &[user("m1", "cherry")]).await;
    kit.say("c", &[user("m1", "durian")]).await;
    let receipt = kit.store.delete(&[key("a"), key("b")]).await.unwrap();
    assert_eq!((receipt.sessions, receipt.messages), (2, 4));
    kit.expect("apple OR cherry OR durian", &["c/m1"]).await;
}

/// Nothing to delete is no failure.
pub async fn keys_that_do_not_exist_are_passed_over(factory: &dyn StoreFactory) {
    let kit = Kit::new(factory).await;
    kit.say("a", &[user("m1", "apple")]).await;
    let receipt = kit.store.delete(&[key("x"), key("a"), key("a"), key("y")]).await.unwrap();
    assert_eq!((receipt.sessions, receipt.messages), (1, 1));
    let receipt = kit.store.delete(&[]).await.unwrap();
    assert_eq!((receipt.sessions, receipt.messages, receipt.erasure), (0, 0, Erasure::Done));
}

/// The same words in another session are still found there.
pub async fn others_stay_as_they_were(factory: &dyn StoreFactory) {
    let kit = Kit::new(factory).await;
    for session in ["a", "b", "c"] {
        kit.say(session, &[user("m1", "walrus 会议室 walrus1"), user("m2", &format!("only {session}"))])
            .await;
    }
    let others = Visible::Only([key("a"), key("c")].into());
    let before = (kit.search(&others, &plan("walrus")).await, kit.store.list(&others).await.unwrap());
    kit.store.delete(&[key("b")]).await.unwrap();
    let after = (kit.search(&others, &plan("walrus")).await, kit.store.list(&others).await.unwrap());
    assert_eq!(before, after);
    kit.expect("only", &["a/m2", "c/m2"]).await;
    kit.expect("会议", &["a/m1"]).await;
    kit.assert_clean().await;
}

/// A tombstone names the transcript; `restore` lifts it.
pub async fn an_import_heeds_the_tombstone_until_it_restores(factory: &dyn StoreFactory) {
    let mut kit = Kit::new(factory).await;
    let file = || chunk("a", "s1", &[user("m1", "walrus"), user("m2", "walrus")]);
    assert_eq!(kit.import(file()).await.messages, 2);
    kit.store.delete(&[key("a")]).await.unwrap();
    let receipt = kit.import(file()).await;
    assert!(receipt.tombstone);
    assert_eq!(receipt.messages, 0);
    assert!(!kit.store.exists(&key("a")).await.unwrap());
    kit.expect("walrus", &[]).await;
    kit.reopen().await;
    assert!(kit.import(file()).await.tombstone, "a tombstone outlives the process");
    let mut restored = file();
    restored.restore = true;
    let receipt = kit.import(restored).await;
    assert_eq!((receipt.tombstone, receipt.messages), (false, 2));
    kit.expect("walrus", &["a/m1", "a/m2"]).await;
    let receipt = kit.import(file()).await;
    assert_eq!((receipt.tombstone, receipt.messages, receipt.skipped), (false, 0, 2));
}

/// A tombstone is about one transcript, not about its key, and not about another session's transcript.
pub async fn other_transcripts_under_the_key_are_imported(factory: &dyn StoreFactory) {
    let kit = Kit::new(factory).await;
    kit.import(chunk("a", "s1", &[user("m1", "apple")])).await;
    kit.store.delete(&[key("a")]).await.unwrap();
    let receipt = kit.import(chunk("a", "s2", &[user("m1", "banana")])).await;
    assert_eq!((receipt.tombstone, receipt.messages), (false, 1));
    let receipt = kit.import(chunk("b", "s1", &[user("m1", "cherry")])).await;
    assert_eq!((receipt.tombstone, receipt.messages), (false, 1));
    assert!(kit.import(chunk("a", "s1", &[user("m1", "apple")])).await.tombstone);
    assert_eq!(kit.listed("a").await.unwrap().session_ids, [session_id("s2")]);
}

/// An append under a deleted key begins a new session.
pub async fn a_deleted_session_can_be_begun_again(factory: &dyn StoreFactory) {
    let kit = Kit::new(factory).await;
    let mut first = append("a", &[user("m1", "apple")]);
    first.session.title = Some("old title".into());
    kit.store.append(first).await.unwrap();
    kit.store.delete(&[key("a")]).await.unwrap();
    let receipt = kit.say("a", &[user("m1", "banana")]).await;
    assert!(receipt.events[0].1);
    kit.expect("apple", &[]).await;
    kit.expect("banana", &["a/m1"]).await;
    assert_eq!(kit.branch("a").await, ["m1"]);
    assert_eq!(kit.listed("a").await.unwrap().title, None);
    kit.assert_clean().await;
}

/// A deleted session still stands between its parent and its children.
pub async fn lineage_outlives_deletion(factory: &dyn StoreFactory) {
    let mut kit = Kit::new(factory).await;
    for (child, parent) in [("b", "a"), ("c", "b")] {
        let mut append = append(child, &[user("m1", "walrus")]);
        append.session.spawned_by = Some(name(parent));
        kit.store.append(append).await.unwrap();
    }
    kit.store.delete(&[key("b")]).await.unwrap();
    kit.reopen().await;
    assert_eq!(kit.store.children(&[name("a")]).await.unwrap(), [key("b")]);
    assert_eq!(kit.store.children(&[name("b")]).await.unwrap(), [key("c")]);
    assert!(!kit.store.exists(&key("b")).await.unwrap());
}

/// Deleting what is pending leaves nothing to do.
pub async fn a_pending_session_takes_its_work_with_it(factory: &dyn StoreFactory) {
    let kit = Kit::new(factory).await;
    let mut deferred = chunk("a", "s1", &[user("m1", "walrus")]);
    deferred.defer_index = true;
    kit.import(deferred).await;
    assert_eq!(kit.store.pending(&Visible::Everything).await.unwrap(), 1);
    kit.store.delete(&[key("a")]).await.unwrap();
    assert_eq!(kit.store.pending(&Visible::Everything).await.unwrap(), 0);
    kit.settle().await;
    kit.expect("walrus", &[]).await;
    kit.assert_clean().await;
}
