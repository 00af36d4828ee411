//! Moves of the leaf, small and large, and what is purged.

use serde_json::json;
use session_search_core::store::{Erasure, Rewind, RewindReceipt};
use session_search_core::{ErrorKind, Visible};

use crate::factory::StoreFactory;
use crate::fixture::{Draft, event_id, key, leaf, session_id, tool_result, user};
use crate::kit::{Kit, refused};

fn to(of: &str, event: &str) -> Rewind {
    Rewind { key: key(of), to: event_id(event), purge: false }
}

async fn rewind(kit: &Kit, of: &str, event: &str) -> RewindReceipt {
    kit.store.rewind(to(of, event)).await.unwrap()
}

/// Messages `<prefix>000`, … that say `word<n>` and `common`.
fn talk(prefix: &str, common: &str, count: i64) -> Vec<Draft> {
    let one = |n: i64| user(&format!("{prefix}{n:03}"), &format!("{common} {prefix}word{n}")).at(n);
    (0..count).map(one).collect()
}

/// Off the branch is out of search and history.
pub async fn a_rewound_text_is_not_found(factory: &dyn StoreFactory) {
    let kit = Kit::new(factory).await;
    kit.say("a", &[user("m1", "apple"), user("m2", "banana"), user("m3", "cherry")]).await;
    let receipt = rewind(&kit, "a", "m1").await;
    let expected =
        RewindReceipt { session_id: session_id("a-s1"), purged: 0, erasure: Erasure::Done, pending: false };
    assert_eq!(receipt, expected);
    assert_eq!(kit.branch("a").await, ["m1"]);
    kit.expect("banana OR cherry", &[]).await;
    kit.expect("apple", &["a/m1"]).await;
    assert_eq!(kit.store.dump().await.unwrap().len(), 3, "nothing was deleted");
    kit.assert_clean().await;
}

/// A move of some dozen messages does not wait.
pub async fn a_small_move_is_reindexed_at_once(factory: &dyn StoreFactory) {
    let kit = Kit::new(factory).await;
    kit.say("a", &talk("m", "walrus", 40)).await;
    assert!(!rewind(&kit, "a", "m004").await.pending);
    assert_eq!(kit.found("walrus").await.len(), 5);
    assert!(!rewind(&kit, "a", "m039").await.pending);
    assert_eq!(kit.found("walrus").await.len(), 40);
    assert_eq!(kit.store.pending(&Visible::Everything).await.unwrap(), 0);
    kit.assert_clean().await;
}

/// A large move is reindexed later; meanwhile what both branches share is found, and what was left never.
pub async fn a_large_move_is_pending_and_never_shows_what_was_left(factory: &dyn StoreFactory) {
    let kit = Kit::new(factory).await;
    kit.say("a", &talk("m", "walrus", 300)).await;
    let receipt = rewind(&kit, "a", "m009").await;
    assert!(receipt.pending);
    assert_eq!(kit.store.pending(&Visible::NotIncognito).await.unwrap(), 1);
    let shared: Vec<_> = (0..10).map(|n| format!("a/m{n:03}")).collect();
    assert_eq!(kit.found("walrus").await, shared);
    kit.expect("mword250", &[]).await;
    assert_eq!(kit.branch("a").await.len(), 10);
    kit.settle_in(30).await;
    assert_eq!(kit.store.pending(&Visible::NotIncognito).await.unwrap(), 0);
    assert_eq!(kit.found("walrus").await, shared);
    kit.assert_clean().await;
    // And back: pending again, complete in the end.
    assert!(rewind(&kit, "a", "m299").await.pending);
    let found = kit.found("walrus").await;
    assert!(shared.iter().all(|name| found.contains(name)));
    kit.settle_in(30).await;
    assert_eq!(kit.found("walrus").await.len(), 300);
    kit.assert_clean().await;
}

/// A second branch hides the first, and the first comes back whole.
pub async fn to_another_branch_and_back(factory: &dyn StoreFactory) {
    let kit = Kit::new(factory).await;
    kit.say("a", &[user("m1", "apple"), user("m2", "banana"), user("m3", "cherry")]).await;
    rewind(&kit, "a", "m1").await;
    kit.say("a", &[user("n2", "durian"), user("n3", "elderberry")]).await;
    assert_eq!(kit.branch("a").await, ["m1", "n2", "n3"]);
    kit.expect("banana OR cherry", &[]).await;
    rewind(&kit, "a", "m3").await;
    assert_eq!(kit.branch("a").await, ["m1", "m2", "m3"]);
    kit.expect("durian OR elderberry", &[]).await;
    kit.expect("banana OR cherry", &["a/m2", "a/m3"]).await;
    rewind(&kit, "a", "n2").await;
    assert_eq!(kit.branch("a").await, ["m1", "n2"]);
    kit.expect("apple OR banana OR cherry OR durian OR elderberry", &["a/m1", "a/n2"]).await;
    kit.assert_clean().await;
}

/// Large moves on top of each other, before any of them was reconciled.
pub async fn back_and_forth_over_large_branches(factory: &dyn StoreFactory) {
    let kit = Kit::new(factory).await;
    kit.say("a", &talk("m", "walrus", 150)).await;
    rewind(&kit, "a", "m004").await;
    kit.say("a", &talk("n", "narwhal", 150)).await;
    assert_eq!(kit.found("narwhal").await.len(), 150, "what was appended is found, pending or not");
    rewind(&kit, "a", "m149").await;
    kit.expect("narwhal", &[]).await;
    rewind(&kit, "a", "n149").await;
    let allowed: Vec<_> = (0..5).map(|n| format!("a/m{n:03}")).collect();
    assert!(kit.found("walrus").await.iter().all(|name| allowed.contains(name)));
    kit.settle_in(40).await;
    assert_eq!(kit.found("walrus").await, allowed);
    assert_eq!(kit.found("narwhal").await.len(), 150);
    kit.assert_clean().await;
}

/// Unknown sessions, unknown events, and `leaf` events, which are no nodes.
pub async fn what_is_not_there_cannot_be_rewound_to(factory: &dyn StoreFactory) {
    let kit = Kit::new(factory).await;
    kit.say("a", &[user("m1", "apple"), user("m2", "banana"), leaf("l1", json!("m2"))]).await;
    let before = kit.store.dump().await.unwrap();
    for rewind in [to("b", "m1"), to("a", "m9"), to("a", "l1")] {
        let purge = Rewind { purge: true, ..rewind.clone() };
        assert_eq!(refused(kit.store.rewind(rewind).await), ErrorKind::NotFound);
        assert_eq!(refused(kit.store.rewind(purge).await), ErrorKind::NotFound);
    }
    assert_eq!(kit.store.dump().await.unwrap(), before);
}

/// An event of an older transcript is not there, as far as a rewind goes.
pub async fn only_the_current_transcript_moves(factory: &dyn StoreFactory) {
    let kit = Kit::new(factory).await;
    kit.say("a", &[user("m1", "apple"), user("m2", "banana")]).await;
    kit.say_in("a", "a-s2", &[user("n1", "cherry"), user("n2", "durian")]).await;
    assert_eq!(refused(kit.store.rewind(to("a", "m1")).await), ErrorKind::NotFound);
    assert_eq!(rewind(&kit, "a", "n1").await.session_id, session_id("a-s2"));
    kit.expect("apple OR banana OR cherry OR durian", &["a/m1", "a/m2", "a/n1"]).await;
}

/// An event without a parent hangs on the leaf as it is now.
pub async fn an_append_goes_on_from_the_new_leaf(factory: &dyn StoreFactory) {
    let kit = Kit::new(factory).await;
    kit.say("a", &[user("m1", "apple"), user("m2", "banana")]).await;
    rewind(&kit, "a", "m1").await;
    // An event that is there already is no event: the leaf stays.
    kit.say("a", &[user("m2", "banana")]).await;
    assert_eq!(kit.branch("a").await, ["m1"]);
    kit.say("a", &[user("m3", "cherry")]).await;
    assert_eq!(kit.branch("a").await, ["m1", "m3"]);
}

/// Purged events are not in the store any more: their ids are free again.
pub async fn purge_deletes_what_is_off_the_branch(factory: &dyn StoreFactory) {
    let kit = Kit::new(factory).await;
    kit.say(
        "a",
        &[
            user("m1", "apple"),
            user("m2", "banana"),
            tool_result("t1", "read", "out"),
            user("m3", ""),
            leaf("l", json!("m3")),
        ],
    )
    .await;
    kit.say("b", &[user("m2", "banana")]).await;
    let receipt = kit.store.rewind(Rewind { purge: true, ..to("a", "m1") }).await.unwrap();
    assert_eq!((receipt.purged, receipt.pending), (2, false), "m2 and m3; a tool's result is no message");
    assert_eq!(receipt.erasure, Erasure::Done);
    let dump = kit.store.dump().await.unwrap();
    assert_eq!(dump.len(), 2, "{dump:?}");
    kit.expect("banana", &["b/m2"]).await;
    let receipt = kit.say("a", &[user("m2", "blueberry")]).await;
    assert_eq!(receipt.events, [(event_id("m2"), true)]);
    assert_eq!(kit.branch("a").await, ["m1", "m2"]);
    kit.expect("blueberry", &["a/m2"]).await;
    kit.assert_clean().await;
}

/// A purge may be larger than what is reindexed at once, and may meet a pending transcript.
pub async fn purge_of_a_large_branch_is_clean(factory: &dyn StoreFactory) {
    let kit = Kit::new(factory).await;
    kit.say("a", &talk("m", "walrus", 260)).await;
    rewind(&kit, "a", "m019").await;
    let receipt = kit.store.rewind(Rewind { purge: true, ..to("a", "m009") }).await.unwrap();
    assert_eq!(receipt.purged, 250);
    assert_eq!(kit.store.dump().await.unwrap().len(), 10);
    kit.settle().await;
    assert_eq!(kit.found("walrus").await.len(), 10);
    assert_eq!(kit.store.status().await.unwrap().indexed, 10);
    kit.assert_clean().await;
}
