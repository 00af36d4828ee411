//! Copies of a message, as resumed, forked and compacted sessions hold them.

use session_search_core::Visible;
use session_search_core::store::{Filter, SearchPlan, StoreHit};

use crate::factory::StoreFactory;
use crate::fixture::{assistant, at, chunk, key, only, plan, user};
use crate::kit::{Kit, names};

fn also(hit: &StoreHit) -> Vec<String> {
    hit.also_in.iter().map(|(key, session_id)| format!("{key}/{session_id}")).collect()
}

/// Sessions `a` (began 30), `b` (began 10), `c` (began 20) with one message in common.
async fn three(factory: &dyn StoreFactory) -> Kit {
    let kit = Kit::new(factory).await;
    for (session, begins) in [("a", 30), ("b", 10), ("c", 20)] {
        let own = user(&format!("{session}0"), "own beginning").at(begins);
        kit.say(session, &[own, user("m", "the walrus copy").at(100)]).await;
    }
    kit
}

/// The oldest first event decides, not the key or the order of arrival; the others are named, oldest first.
pub async fn a_copy_is_one_hit_under_the_oldest_session(factory: &dyn StoreFactory) {
    let kit = three(factory).await;
    let hits = kit.search(&Visible::Everything, &plan("walrus")).await;
    assert_eq!(names(&hits.hits), ["b/m"]);
    assert_eq!(also(&hits.hits[0]), ["c/c-s1", "a/a-s1"]);
    assert_eq!(hits.hits[0].session_start, at(10));
    assert!(!hits.left_out, "a copy that was merged is not left out");
    // Equal beginnings: the least key.
    for session in ["y", "x"] {
        kit.say(session, &[user("n", "another narwhal").at(7)]).await;
    }
    let hits = kit.search(&Visible::Everything, &plan("narwhal")).await.hits;
    assert_eq!((names(&hits), also(&hits[0])), (vec!["x/n".to_owned()], vec!["y/y-s1".to_owned()]));
}

/// Equal text alone is no copy, nor is an equal id alone.
pub async fn copies_differ_by_text_or_id(factory: &dyn StoreFactory) {
    let kit = Kit::new(factory).await;
    kit.say("a", &[user("m1", "walrus"), user("m2", "walrus")]).await;
    kit.say("b", &[user("m1", "walrus."), user("m3", "walrus")]).await;
    kit.expect("walrus", &["a/m1", "a/m2", "b/m1", "b/m3"]).await;
}

/// A session that the filter leaves out is neither shown nor named.
pub async fn copies_are_merged_after_filters(factory: &dyn StoreFactory) {
    let kit = three(factory).await;
    let filtered = async |filter: Filter| {
        kit.search(&Visible::Everything, &SearchPlan { filter, ..plan("walrus") }).await
    };
    let hits = filtered(Filter { exclude: Some(key("b")), ..Filter::default() }).await.hits;
    assert_eq!((names(&hits), also(&hits[0])), (vec!["c/m".to_owned()], vec!["a/a-s1".to_owned()]));
    let hits = filtered(Filter { session: Some(key("a")), ..Filter::default() }).await.hits;
    assert_eq!((names(&hits), also(&hits[0])), (vec!["a/m".to_owned()], vec![]));
    // The filter is about each copy's own time.
    kit.say("d", &[user("m", "the walrus copy").at(5_000)]).await;
    let hits = filtered(Filter { since: Some(at(200)), ..Filter::default() }).await.hits;
    assert_eq!((names(&hits), also(&hits[0])), (vec!["d/m".to_owned()], vec![]));
}

/// A merged copy takes no place under the cap or the limit, and its session no part in it.
pub async fn copies_are_merged_before_the_cap(factory: &dyn StoreFactory) {
    let kit = three(factory).await;
    kit.say("b", &[assistant("b1", "walrus").at(200)]).await;
    kit.say("a", &[assistant("a1", "walrus").at(300)]).await;
    let capped = SearchPlan { per_session: Some(2), limit: 3, ..plan("walrus") };
    let hits = kit.search(&Visible::Everything, &capped).await;
    let mut found = names(&hits.hits);
    found.sort();
    assert_eq!((found, hits.left_out), (vec!["a/a1".to_owned(), "b/b1".to_owned(), "b/m".to_owned()], false));
}

/// A copy in a session that one may not see is none.
pub async fn only_visible_copies_are_named(factory: &dyn StoreFactory) {
    let kit = three(factory).await;
    let hits = kit.search(&only(&["a", "c"]), &plan("walrus")).await.hits;
    assert_eq!((names(&hits), also(&hits[0])), (vec!["c/m".to_owned()], vec!["a/a-s1".to_owned()]));
    let hits = kit.search(&only(&["a"]), &plan("walrus")).await.hits;
    assert_eq!((names(&hits), also(&hits[0])), (vec!["a/m".to_owned()], vec![]));
}

/// A compacted copy in the same session does not make a second hit, nor name its own session.
pub async fn copies_within_a_session_are_one_hit(factory: &dyn StoreFactory) {
    let kit = Kit::new(factory).await;
    kit.import(chunk("a", "s1", &[user("m", "walrus").at(1)])).await;
    kit.import(chunk("a", "s2", &[user("n", "first").at(5), user("m", "walrus").at(6)])).await;
    kit.import(chunk("b", "s3", &[user("m", "walrus").at(9)])).await;
    let hits = kit.search(&Visible::Everything, &plan("walrus")).await;
    assert_eq!(names(&hits.hits), ["a/m"]);
    assert_eq!(also(&hits.hits[0]), ["b/s3"]);
    assert!(!hits.left_out);
}
