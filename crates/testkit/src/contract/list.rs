//! Lists of sessions.

use serde_json::json;
use session_search_core::Visible;
use session_search_core::store::SessionSpec;

use crate::factory::StoreFactory;
use crate::fixture::{append, at, chunk, key, leaf, name, session_id, tool_call, user};
use crate::kit::Kit;

/// By the last event; sessions without one at the end; ties by key.
pub async fn newest_first_then_by_key(factory: &dyn StoreFactory) {
    let kit = Kit::new(factory).await;
    for (session, time) in [("c", 5), ("a", 5), ("b", 9), ("d", 1)] {
        kit.say(session, &[user("m1", "x").at(time)]).await;
    }
    let keys = async || {
        let list = kit.store.list(&Visible::NotIncognito).await.unwrap();
        list.into_iter().map(|summary| summary.key.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(keys().await, ["b", "a", "c", "d"]);
    kit.say("d", &[user("m2", "y").at(10)]).await;
    assert_eq!(keys().await, ["d", "b", "a", "c"]);
    kit.import(chunk("e", "s", &[])).await;
    assert_eq!(keys().await, ["d", "b", "a", "c", "e"]);
}

/// Everything that was said about a session, and when it was.
pub async fn what_an_entry_says(factory: &dyn StoreFactory) {
    let kit = Kit::new(factory).await;
    let mut first = append("a", &[user("m1", "one").at(50), user("m2", "two").at(20)]);
    first.session = SessionSpec {
        key: key("a"),
        spawned_by: Some(name("parent")),
        title: Some("A title".into()),
        project: Some("/srv".into()),
        source: "native".into(),
        incognito: false,
    };
    kit.store.append(first).await.unwrap();
    kit.say_in("a", "a-s2", &[user("m3", "three").at(40)]).await;
    let listed = kit.listed("a").await.unwrap();
    assert_eq!(listed.session_ids, [session_id("a-s1"), session_id("a-s2")]);
    assert_eq!((listed.title.as_deref(), listed.project.as_deref()), (Some("A title"), Some("/srv")));
    assert_eq!((listed.source.as_str(), listed.spawned_by.clone()), ("native", Some(name("parent"))));
    assert_eq!((listed.messages, listed.first, listed.last), (3, Some(at(20)), Some(at(50))));
    assert!(!listed.incognito && !format!("{listed:?}").contains("A title"));
    kit.import(chunk("b", "s", &[user("m1", "one")])).await;
    assert_eq!(kit.listed("b").await.unwrap().source, "pi");
}

/// Messages with text, on the branch, of all transcripts.
pub async fn counts_are_of_active_branches(factory: &dyn StoreFactory) {
    let kit = Kit::new(factory).await;
    kit.say(
        "a",
        &[user("m1", "one"), tool_call("m2", "ls", json!({})), user("m3", "three"), user("m4", "four")],
    )
    .await;
    assert_eq!(kit.listed("a").await.unwrap().messages, 3);
    kit.say("a", &[leaf("l", json!("m3")).at(99)]).await;
    let listed = kit.listed("a").await.unwrap();
    assert_eq!((listed.messages, listed.last), (2, Some(at(99))));
    kit.say_in("a", "a-s2", &[user("n1", "one")]).await;
    assert_eq!(kit.listed("a").await.unwrap().messages, 3);
}
