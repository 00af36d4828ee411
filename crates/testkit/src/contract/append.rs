//! Appends: idempotent, all or none, and the tree they grow.

use serde_json::json;
use session_search_core::store::SessionSpec;
use session_search_core::{ErrorKind, Visible};

use crate::factory::StoreFactory;
use crate::fixture::{
    append, append_to, assistant, event_id, events, key, leaf, name, other, session_id, user,
};
use crate::kit::{Kit, refused};

/// Found by a search that starts after the append returned; the receipt names what was stored.
pub async fn what_was_appended_is_found_at_once(factory: &dyn StoreFactory) {
    let kit = Kit::new(factory).await;
    let receipt = kit.say("a", &[user("m1", "exponential backoff"), assistant("m2", "linear backoff")]).await;
    assert_eq!(receipt.session_id, session_id("a-s1"));
    assert_eq!(receipt.events, [(event_id("m1"), true), (event_id("m2"), true)]);
    assert!(receipt.warnings.is_empty());
    kit.expect("backoff", &["a/m1", "a/m2"]).await;
    kit.expect("exponential", &["a/m1"]).await;
    kit.assert_clean().await;
}

/// An equal event under the same id: nothing changes, and the receipt says so.
pub async fn the_same_event_again_is_no_event(factory: &dyn StoreFactory) {
    let kit = Kit::new(factory).await;
    kit.say("a", &[user("m1", "walrus"), user("m2", "second")]).await;
    let before = kit.store.dump().await.unwrap();
    let receipt = kit.say("a", &[user("m1", "walrus")]).await;
    assert_eq!(receipt.events, [(event_id("m1"), false)]);
    // Other white space and another time are the same message.
    let line =
        r#"{ "timestamp" : 1, "id": "m1", "type":"message", "message":{"content":"walrus","role":"user"} }"#;
    let mut again = append("a", &[]);
    again.events = vec![session_search_core::Event::parse(line).unwrap()];
    assert_eq!(kit.store.append(again).await.unwrap().events, [(event_id("m1"), false)]);
    assert_eq!(kit.store.dump().await.unwrap(), before);
    assert_eq!(kit.branch("a").await, ["m1", "m2"]);
    kit.expect("walrus", &["a/m1"]).await;
}

/// A conflict names the id, repeats no text, and stores nothing of its batch.
pub async fn another_event_under_the_same_id_is_a_conflict_and_nothing_is_stored(factory: &dyn StoreFactory) {
    let kit = Kit::new(factory).await;
    kit.say("a", &[user("m1", "walrus")]).await;
    let before = kit.store.dump().await.unwrap();
    let batch = [user("m2", "fine"), user("m1", "narwhal"), user("m3", "fine")];
    let error = kit.store.append(append("a", &batch)).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Conflict);
    let said = error.to_string();
    assert!(said.contains("m1") && !said.contains("narwhal") && !said.contains("walrus"), "{said}");
    assert_eq!(kit.store.dump().await.unwrap(), before);
    kit.expect("fine OR narwhal", &[]).await;
    // An event without a message is compared as a whole.
    kit.say("a", &[other("label", "x").with("label", json!("one"))]).await;
    let twin = append("a", &[other("label", "x").with("label", json!("two"))]);
    assert_eq!(refused(kit.store.append(twin).await), ErrorKind::Conflict);
    let same = append("a", &[other("label", "x").with("label", json!("one"))]);
    assert_eq!(kit.store.append(same).await.unwrap().events, [(event_id("x"), false)]);
    // The store goes on.
    kit.say("a", &[user("m2", "fine")]).await;
    kit.expect("fine", &["a/m2"]).await;
    kit.assert_clean().await;
}

/// The second of two events under one id within a batch is a no-op or a conflict, as if it came later.
pub async fn ids_are_compared_within_a_batch_too(factory: &dyn StoreFactory) {
    let kit = Kit::new(factory).await;
    let receipt = kit.say("a", &[user("m1", "one"), user("m1", "one"), user("m2", "two")]).await;
    assert_eq!(receipt.events, [(event_id("m1"), true), (event_id("m1"), false), (event_id("m2"), true)]);
    let batch = append("a", &[user("m3", "three"), user("m3", "four")]);
    assert_eq!(refused(kit.store.append(batch).await), ErrorKind::Conflict);
    assert_eq!(kit.branch("a").await, ["m1", "m2"]);
}

/// All or none covers the session itself.
pub async fn a_new_session_with_a_conflict_does_not_come_to_be(factory: &dyn StoreFactory) {
    let kit = Kit::new(factory).await;
    let batch = append("a", &[user("m1", "one"), user("m1", "two")]);
    assert_eq!(refused(kit.store.append(batch).await), ErrorKind::Conflict);
    assert!(!kit.store.exists(&key("a")).await.unwrap());
    assert!(kit.store.list(&Visible::Everything).await.unwrap().is_empty());
    assert!(kit.store.dump().await.unwrap().is_empty());
}

/// `leaf` events: to an event, to nothing, to nowhere in particular.
pub async fn leaf_events_move_the_leaf(factory: &dyn StoreFactory) {
    let kit = Kit::new(factory).await;
    kit.say("a", &[user("m1", "apple"), user("m2", "banana"), user("m3", "cherry")]).await;
    let receipt = kit.say("a", &[leaf("l1", json!("m1"))]).await;
    assert!(receipt.warnings.is_empty());
    assert_eq!(kit.branch("a").await, ["m1"]);
    kit.expect("apple OR banana OR cherry", &["a/m1"]).await;
    kit.say("a", &[leaf("l2", json!(null))]).await;
    assert!(kit.branch("a").await.is_empty());
    kit.expect("apple OR banana OR cherry", &[]).await;
    kit.say("a", &[leaf("l3", json!("m3")), other("leaf", "l4")]).await;
    assert_eq!(kit.branch("a").await, ["m1", "m2", "m3"]);
    kit.expect("apple OR banana OR cherry", &["a/m1", "a/m2", "a/m3"]).await;
    // After an emptied branch the next event is a root.
    kit.say("a", &[leaf("l5", json!(null)), user("m4", "date")]).await;
    assert_eq!(kit.branch("a").await, ["m4"]);
    kit.assert_clean().await;
}

/// The leaf stays, the event is kept, and the receipt says why nothing happened.
pub async fn a_leaf_event_with_an_unknown_target_warns(factory: &dyn StoreFactory) {
    let kit = Kit::new(factory).await;
    let receipt = kit.say("a", &[user("m1", "apple"), leaf("l1", json!("nowhere"))]).await;
    assert_eq!(receipt.events.len(), 2);
    assert_eq!(receipt.warnings.len(), 1, "{:?}", receipt.warnings);
    assert!(receipt.warnings[0].contains("nowhere"));
    assert_eq!(kit.branch("a").await, ["m1"]);
    assert_eq!(kit.store.dump().await.unwrap().len(), 2);
    // A leaf event is no node that another could be moved to.
    let receipt = kit.say("a", &[leaf("l2", json!("l1"))]).await;
    assert_eq!(receipt.warnings.len(), 1);
    assert_eq!(kit.branch("a").await, ["m1"]);
}

/// A parent that is not there ends the branch; once it is there the branch goes on.
pub async fn an_orphan_ends_the_branch_until_its_parent_comes(factory: &dyn StoreFactory) {
    let kit = Kit::new(factory).await;
    kit.say("a", &[user("m1", "apple"), user("m3", "cherry").under("m2")]).await;
    assert_eq!(kit.branch("a").await, ["m3"]);
    kit.expect("apple OR cherry", &["a/m3"]).await;
    kit.say("a", &[user("m2", "banana").under("m1"), leaf("l1", json!("m3"))]).await;
    assert_eq!(kit.branch("a").await, ["m1", "m2", "m3"]);
    kit.expect("apple OR banana OR cherry", &["a/m1", "a/m2", "a/m3"]).await;
    kit.assert_clean().await;
}

/// The missing parent may come while the orphan's branch is the active one.
async fn a_late_parent_on_the_branch(kit: &Kit) {
    kit.say("late", &[user("c", "cherry").under("b"), user("d", "date").under("c")]).await;
    kit.say("late", &[user("b", "banana").root(), leaf("l", json!("d"))]).await;
    assert_eq!(kit.branch("late").await, ["b", "c", "d"]);
}

/// A cycle ends the branch where it closes, and nothing loops.
pub async fn cycles_end(factory: &dyn StoreFactory) {
    let kit = Kit::new(factory).await;
    kit.say("self", &[user("m1", "apple").under("m1")]).await;
    assert_eq!(kit.branch("self").await, ["m1"]);
    kit.say("two", &[user("m1", "apple").under("m2"), user("m2", "banana").under("m1")]).await;
    assert_eq!(kit.branch("two").await, ["m1", "m2"]);
    kit.say("two", &[user("m3", "cherry").under("m1")]).await;
    assert_eq!(kit.branch("two").await, ["m2", "m1", "m3"]);
    kit.expect("cherry", &["two/m3"]).await;
    kit.expect("banana", &["two/m2"]).await;
    a_late_parent_on_the_branch(&kit).await;
    kit.assert_clean().await;
}

/// `parentId: null` is a root: what was before is off the branch.
pub async fn a_null_parent_begins_anew(factory: &dyn StoreFactory) {
    let kit = Kit::new(factory).await;
    kit.say("a", &[user("m1", "apple"), user("m2", "banana").root()]).await;
    assert_eq!(kit.branch("a").await, ["m2"]);
    kit.expect("apple", &[]).await;
    kit.expect("banana", &["a/m2"]).await;
}

/// A session id that the session does not have starts a transcript, which becomes current; the text of the old one
/// stays searchable.
pub async fn a_new_session_id_is_a_reset(factory: &dyn StoreFactory) {
    let kit = Kit::new(factory).await;
    kit.say("a", &[user("m1", "apple").at(500)]).await;
    // Its events are older than what is there: it is current all the same.
    let receipt = kit.say_in("a", "a-s2", &[user("m1", "banana").at(3)]).await;
    assert_eq!(receipt.session_id, session_id("a-s2"));
    assert_eq!(receipt.events, [(event_id("m1"), true)]);
    let listed = kit.listed("a").await.unwrap();
    assert_eq!(listed.session_ids, [session_id("a-s1"), session_id("a-s2")]);
    assert_eq!(kit.branch("a").await, ["m1"]);
    kit.expect("apple OR banana", &["a/m1", "a/m1"]).await;
    kit.say_in("a", "a-s3", &[user("m9", "cherry").at(700)]).await;
    assert_eq!(kit.branch("a").await, ["m9"]);
}

/// `session_id: None` means the current transcript, `new_session_id` only where there is none.
pub async fn without_a_session_id_it_goes_to_the_current_transcript(factory: &dyn StoreFactory) {
    let kit = Kit::new(factory).await;
    kit.say("a", &[user("m1", "apple")]).await;
    kit.say_in("a", "a-s2", &[user("m2", "banana")]).await;
    let mut append = append("a", &[user("m3", "cherry")]);
    append.new_session_id = session_id("never");
    assert_eq!(kit.store.append(append).await.unwrap().session_id, session_id("a-s2"));
    assert_eq!(kit.branch("a").await, ["m2", "m3"]);
}

/// A transcript that is named and exists is appended to, current or not.
pub async fn an_old_transcript_takes_appends_without_becoming_current(factory: &dyn StoreFactory) {
    let kit = Kit::new(factory).await;
    kit.say("a", &[user("m1", "apple")]).await;
    kit.say_in("a", "a-s2", &[user("m2", "banana")]).await;
    kit.say_in("a", "a-s1", &[user("m3", "cherry").at(9_000)]).await;
    assert_eq!(kit.branch("a").await, ["m2"]);
    let listed = kit.listed("a").await.unwrap();
    assert_eq!(listed.session_ids, [session_id("a-s1"), session_id("a-s2")]);
    kit.expect("cherry", &["a/m3"]).await;
    assert_eq!(kit.store.append(append_to("a", "a-s1", &[])).await.unwrap().session_id, session_id("a-s1"));
}

/// Beyond 1 MiB the text is cut, and the receipt says so without repeating it.
pub async fn text_beyond_the_bound_is_cut_with_a_warning(factory: &dyn StoreFactory) {
    let kit = Kit::new(factory).await;
    let text = format!("walrus {} narwhal", "filler ".repeat((1 << 20) / 7));
    let receipt = kit.say("a", &[user("m1", &text), user("m2", "short")]).await;
    assert_eq!(receipt.warnings.len(), 1);
    assert!(receipt.warnings[0].contains("m1") && !receipt.warnings[0].contains("walrus"));
    kit.expect("walrus", &["a/m1"]).await;
    kit.expect("narwhal", &[]).await;
}

/// No tool calls, results, reasoning, other roles or other events.
pub async fn only_the_text_of_messages_is_found(factory: &dyn StoreFactory) {
    let kit = Kit::new(factory).await;
    let blocks = json!({"role": "assistant", "content": [
        {"type": "thinking", "thinking": "walrus"}, {"type": "toolCall", "name": "walrus", "arguments": {"a": "walrus"}},
        {"type": "text", "text": "one"}, {"type": "output_text", "text": "two"}]});
    kit.say(
        "a",
        &[
            user("m1", "").with("message", blocks),
            user("m2", "").with("message", json!({"role": "toolResult", "content": "walrus"})),
            user("m3", "").with("message", json!({"role": "system", "content": "walrus"})),
            other("compaction", "m4").with("summary", json!("walrus")),
            user("m5", "three"),
        ],
    )
    .await;
    kit.expect("walrus", &[]).await;
    kit.expect("\"one two\"", &["a/m1"]).await;
    assert_eq!(kit.branch("a").await, ["m1", "m5"]);
    kit.assert_clean().await;
}

/// Title, project, and a turn to incognito (never back) take effect; nothing said changes nothing.
pub async fn a_session_that_exists_takes_title_project_and_incognito(factory: &dyn StoreFactory) {
    let kit = Kit::new(factory).await;
    kit.say("a", &[user("m1", "apple")]).await;
    let said = SessionSpec {
        title: Some("A title".into()),
        project: Some("/srv/app".into()),
        source: "other".into(),
        ..SessionSpec::native(key("a"))
    };
    let mut more = append("a", &[user("m2", "banana")]);
    more.session = said;
    kit.store.append(more).await.unwrap();
    kit.say("a", &[user("m3", "cherry")]).await;
    let listed = kit.listed("a").await.unwrap();
    assert_eq!((listed.title.as_deref(), listed.project.as_deref()), (Some("A title"), Some("/srv/app")));
    assert_eq!((listed.source.as_str(), listed.incognito), ("native", false));
    let mut hidden = append("a", &[]);
    hidden.session.incognito = true;
    kit.store.append(hidden).await.unwrap();
    kit.say("a", &[user("m4", "date")]).await;
    assert!(kit.listed("a").await.unwrap().incognito);
}

/// A second append cannot give a session another parent.
pub async fn lineage_is_fixed_by_the_first_append(factory: &dyn StoreFactory) {
    let kit = Kit::new(factory).await;
    let spawned = |by: Option<&str>| {
        let mut append = append("child", &[]);
        append.session.spawned_by = by.map(name);
        append
    };
    kit.store.append(spawned(Some("parent"))).await.unwrap();
    kit.store.append(spawned(Some("thief"))).await.unwrap();
    kit.store.append(spawned(None)).await.unwrap();
    assert_eq!(kit.store.children(&[name("parent")]).await.unwrap(), [key("child")]);
    assert!(kit.store.children(&[name("thief")]).await.unwrap().is_empty());
    assert_eq!(kit.listed("child").await.unwrap().spawned_by, Some(name("parent")));
    let mut orphan = append("orphan", &[]);
    kit.store.append(orphan.clone()).await.unwrap();
    orphan.session.spawned_by = Some(name("thief"));
    kit.store.append(orphan).await.unwrap();
    assert!(kit.store.children(&[name("thief")]).await.unwrap().is_empty());
}

/// Unknown fields and types, odd spacing, escapes: byte for byte.
pub async fn events_are_kept_as_they_came(factory: &dyn StoreFactory) {
    let kit = Kit::new(factory).await;
    let lines = [
        r#"{ "type":"message" ,"id":"m1","timestamp":5,"extra":{"z":1,"a":[1.50,"\u00e9"]},"message":{"role":"user","content":"x"}}"#,
        r#"{"type":"never_heard_of","id":"m2","timestamp":6,"type2":null}"#,
    ];
    let mut append = append("a", &[]);
    append.events = lines.iter().map(|line| session_search_core::Event::parse(*line).unwrap()).collect();
    kit.store.append(append).await.unwrap();
    let dump: Vec<serde_json::Value> =
        kit.store.dump().await.unwrap().iter().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(
        dump,
        [
            json!(["a", "a-s1", "m1", null, 5_000, 0, lines[0]]),
            json!(["a", "a-s1", "m2", "m1", 6_000, 1, lines[1]]),
        ]
    );
}

/// A batch of many messages is stored, found and counted whole, at once.
pub async fn a_large_batch_is_whole(factory: &dyn StoreFactory) {
    let kit = Kit::new(factory).await;
    let drafts: Vec<_> =
        (0..350).map(|n| user(&format!("m{n:03}"), &format!("walrus number{n}")).at(n)).collect();
    let mut batch = append("a", &[]);
    batch.events = events(&drafts);
    assert_eq!(kit.store.append(batch).await.unwrap().events.len(), 350);
    assert_eq!(kit.store.pending(&Visible::Everything).await.unwrap(), 0);
    assert_eq!(kit.found("walrus").await.len(), 350);
    kit.expect("number349", &["a/m349"]).await;
    assert_eq!(kit.branch("a").await.len(), 350);
    kit.assert_clean().await;
}
