//! Filters, order, limits, caps, and what a hit says.

use session_search_core::store::{Filter, Order, SearchPlan};
use session_search_core::{Role, Visible};

use crate::factory::StoreFactory;
use crate::fixture::{append, assistant, at, key, plan, session_id, user};
use crate::kit::{Kit, names};
use crate::pipeline::TestPipeline;

async fn found(kit: &Kit, filter: Filter) -> Vec<String> {
    let mut found =
        names(&kit.search(&Visible::NotIncognito, &SearchPlan { filter, ..plan("walrus") }).await.hits);
    found.sort();
    found
}

/// `since` is inclusive, `until` exclusive; the project is a part of the working directory in any ASCII case.
pub async fn filters_by_role_time_and_project(factory: &dyn StoreFactory) {
    let kit = Kit::new(factory).await;
    let mut first = append("a", &[user("m1", "walrus").at(10), assistant("m2", "walrus").at(20)]);
    first.session.project = Some("/home/u/Shop-API".into());
    kit.store.append(first).await.unwrap();
    kit.say("b", &[user("m3", "walrus").at(30)]).await;
    let none = Filter::default;
    assert_eq!(found(&kit, none()).await, ["a/m1", "a/m2", "b/m3"]);
    assert_eq!(found(&kit, Filter { role: Some(Role::User), ..none() }).await, ["a/m1", "b/m3"]);
    assert_eq!(found(&kit, Filter { role: Some(Role::Assistant), ..none() }).await, ["a/m2"]);
    assert_eq!(found(&kit, Filter { since: Some(at(20)), ..none() }).await, ["a/m2", "b/m3"]);
    assert_eq!(found(&kit, Filter { until: Some(at(20)), ..none() }).await, ["a/m1"]);
    let range = Filter { since: Some(at(10)), until: Some(at(30)), ..none() };
    assert_eq!(found(&kit, range).await, ["a/m1", "a/m2"]);
    let empty = Filter { since: Some(at(20)), until: Some(at(20)), ..none() };
    assert!(found(&kit, empty).await.is_empty());
    for (project, expected) in
        [("shop-api", 2), ("SHOP", 2), ("/home", 2), ("shop_api", 0), ("%", 0), ("home/u", 2)]
    {
        let filter = Filter { project: Some(project.into()), ..none() };
        assert_eq!(found(&kit, filter).await.len(), expected, "{project}");
    }
    let both = Filter { project: Some("shop".into()), role: Some(Role::User), since: Some(at(11)), ..none() };
    assert!(found(&kit, both).await.is_empty());
}

/// Only one session, or all but one.
pub async fn filters_by_session(factory: &dyn StoreFactory) {
    let kit = Kit::new(factory).await;
    for session in ["a", "b", "c"] {
        kit.say(session, &[user(&format!("{session}1"), "walrus")]).await;
    }
    let none = Filter::default;
    assert_eq!(found(&kit, Filter { session: Some(key("b")), ..none() }).await, ["b/b1"]);
    assert_eq!(found(&kit, Filter { exclude: Some(key("b")), ..none() }).await, ["a/a1", "c/c1"]);
    let both = Filter { session: Some(key("b")), exclude: Some(key("b")), ..none() };
    assert!(found(&kit, both).await.is_empty());
    assert_eq!(found(&kit, Filter { exclude: Some(key("x")), ..none() }).await.len(), 3);
}

/// Newest first; then by session key, then by message id, byte for byte.
pub async fn recent_is_by_time_and_ties_are_total(factory: &dyn StoreFactory) {
    let kit = Kit::new(factory).await;
    kit.say("b", &[user("z", "walrus").at(5), user("M", "walrus").at(5), user("m", "walrus walrus").at(5)])
        .await;
    kit.say("a", &[user("y", "walrus").at(5), user("x", "walrus").at(9), user("w", "walrus").at(1)]).await;
    let recent = SearchPlan { order: Order::Recent, ..plan("walrus") };
    let all = ["a/x", "a/y", "b/M", "b/m", "b/z", "a/w"];
    assert_eq!(names(&kit.search(&Visible::Everything, &recent).await.hits), all);
    for limit in 1..=all.len() + 1 {
        let some = kit.search(&Visible::Everything, &SearchPlan { limit, ..recent.clone() }).await;
        assert_eq!(names(&some.hits), all[..limit.min(all.len())]);
        assert_eq!(some.left_out, limit < all.len());
    }
}

/// Scores fall, ties are newer first, then key, then id; and a second search gives the same bits.
pub async fn relevance_is_total_and_repeatable(factory: &dyn StoreFactory) {
    let kit = Kit::new(factory).await;
    for (session, from) in [("b", 0), ("a", 3), ("c", 3)] {
        let drafts: Vec<_> = (0..12_i64)
            .map(|n| {
                user(&format!("{session}{n:02}"), &format!("walrus {}", "ice ".repeat(n as usize % 4)))
                    .at(from + n / 6)
            })
            .collect();
        kit.say(session, &drafts).await;
    }
    let first = kit.search(&Visible::Everything, &plan("walrus ice")).await;
    assert_eq!(first.hits.len(), 27);
    for pair in first.hits.windows(2) {
        let sort_key = |n: usize| (pair[n].key.clone(), pair[n].event_id.clone());
        let order = pair[1].score.total_cmp(&pair[0].score).then(pair[1].timestamp.cmp(&pair[0].timestamp));
        assert!(order.then_with(|| sort_key(0).cmp(&sort_key(1))).is_lt(), "{pair:?}");
        assert!(pair[0].score.is_finite());
    }
    assert_eq!(kit.search(&Visible::Everything, &plan("walrus ice")).await, first);
    for limit in [1, 5, 26, 27] {
        let some = kit.search(&Visible::Everything, &SearchPlan { limit, ..plan("walrus ice") }).await;
        assert_eq!(some.hits, first.hits[..limit], "the best {limit}");
        assert_eq!(some.left_out, limit < 27);
    }
}

/// What anyone expects of a ranking, whatever its formula.
pub async fn rarer_and_denser_is_better(factory: &dyn StoreFactory) {
    let kit = Kit::new(factory).await;
    let mut drafts: Vec<_> =
        (0..30).map(|n| user(&format!("c{n:02}"), "common words all the way").at(n)).collect();
    drafts.push(user("rare", "common and rare words").at(0));
    drafts.push(user("long", &format!("rare {}", "padding text that goes on ".repeat(60))).at(50));
    drafts.push(user("short", "other and rare words").at(0));
    kit.say("a", &drafts).await;
    let either = kit.search(&Visible::Everything, &plan("common OR rare")).await;
    let place = |id: &str| either.hits.iter().position(|hit| hit.event_id.as_str() == id).unwrap();
    assert!(place("rare") < place("short"), "both words are better than one of them");
    assert!(place("short") < place("c00"), "a rare word is better than a common one");
    let rare = kit.search(&Visible::Everything, &plan("rare")).await;
    assert_eq!(names(&rare.hits).last().map(String::as_str), Some("a/long"), "the word is lost in it");
}

/// No more than asked for; `left_out` only where there are more.
pub async fn the_limit_leaves_out(factory: &dyn StoreFactory) {
    let kit = Kit::new(factory).await;
    let drafts: Vec<_> = (0..5).map(|n| user(&format!("m{n}"), "walrus").at(n)).collect();
    kit.say("a", &drafts).await;
    for (limit, expected, left_out) in [(4, 4, true), (5, 5, false), (6, 5, false), (1, 1, true)] {
        let hits = kit.search(&Visible::Everything, &SearchPlan { limit, ..plan("walrus") }).await;
        assert_eq!((hits.hits.len(), hits.left_out), (expected, left_out), "limit {limit}");
    }
    let none = kit.search(&Visible::Everything, &SearchPlan { limit: 1, ..plan("narwhal") }).await;
    assert!(none.hits.is_empty() && !none.left_out);
}

/// `left_out` also where only the cap left something out.
pub async fn the_cap_of_a_session_leaves_out(factory: &dyn StoreFactory) {
    let kit = Kit::new(factory).await;
    for session in ["a", "b"] {
        let drafts: Vec<_> = (0..4).map(|n| user(&format!("{session}{n}"), "walrus").at(n)).collect();
        kit.say(session, &drafts).await;
    }
    for (cap, limit, expected, left_out) in [
        (Some(1), 100, 2, true),
        (Some(3), 100, 6, true),
        (Some(4), 100, 8, false),
        (Some(9), 100, 8, false),
        (None, 100, 8, false),
        (Some(3), 5, 5, true),
        (Some(1), 2, 2, true),
    ] {
        let plan = SearchPlan { per_session: cap, limit, ..plan("walrus") };
        let hits = kit.search(&Visible::Everything, &plan).await;
        assert_eq!((hits.hits.len(), hits.left_out), (expected, left_out), "{cap:?} of {limit}");
        if let Some(cap) = cap {
            for session in ["a", "b"] {
                assert!(hits.hits.iter().filter(|hit| hit.key == key(session)).count() <= cap);
            }
        }
    }
}

/// The cap keeps the best of a session, and other sessions move up.
pub async fn the_best_of_each_session_stay(factory: &dyn StoreFactory) {
    let kit = Kit::new(factory).await;
    let drafts: Vec<_> = (0..50).map(|n| user(&format!("m{n:02}"), "walrus").at(100 + n)).collect();
    kit.say("loud", &drafts).await;
    kit.say("quiet", &[user("q1", "walrus").at(1), user("q2", "walrus").at(2)]).await;
    let plan = SearchPlan { order: Order::Recent, per_session: Some(2), limit: 4, ..plan("walrus") };
    let hits = kit.search(&Visible::Everything, &plan).await;
    assert_eq!(names(&hits.hits), ["loud/m49", "loud/m48", "quiet/q2", "quiet/q1"]);
    assert!(hits.left_out);
}

/// Bit *i* is clause *i*, over groups and alternatives.
pub async fn hits_say_which_clauses_match(factory: &dyn StoreFactory) {
    let kit = Kit::new(factory).await;
    kit.say("a", &[user("m1", "apple banana"), user("m2", "apple cherry durian"), user("m3", "banana")])
        .await;
    let hits = kit.search(&Visible::Everything, &plan("apple banana OR cherry OR dur*")).await.hits;
    let mut bits: Vec<_> = hits.iter().map(|hit| (hit.event_id.to_string(), hit.clauses)).collect();
    bits.sort();
    assert_eq!(bits, [("m1".to_owned(), 0b0011), ("m2".to_owned(), 0b1101)]);
}

/// Ids, role, times, and the whole text.
pub async fn hits_carry_the_message_as_stored(factory: &dyn StoreFactory) {
    let kit = Kit::new(factory).await;
    let text = format!("Ein Walroß\n\twalrus — {}", "und mehr ".repeat(500));
    kit.say("a", &[user("m0", "first").at(3), assistant("m1", &text).at(7)]).await;
    let hits = kit.search(&Visible::Everything, &plan("walrus")).await.hits;
    let [hit] = hits.as_slice() else { panic!("one hit, not {}", hits.len()) };
    assert_eq!((&hit.key, &hit.session_id, hit.event_id.as_str()), (&key("a"), &session_id("a-s1"), "m1"));
    assert_eq!((hit.role, hit.timestamp, hit.session_start), (Role::Assistant, at(7), at(3)));
    assert_eq!(hit.text, text);
    assert!(hit.also_in.is_empty());
    assert!(!format!("{hit:?}").contains("walrus"), "no text in Debug");
}

/// Each clause in how many messages, however often in each.
pub async fn statistics_are_what_counting_gives(factory: &dyn StoreFactory) {
    let kit = Kit::new(factory).await;
    kit.say("a", &[user("m1", "apple apple apple").at(4), user("m2", "").at(9), user("m3", "!?").at(2)])
        .await;
    kit.say("b", &[user("m4", "apple banana").at(3), user("m5", "apples").at(1)]).await;
    let query = plan("apple \"apple banana\" app* -cherry nowhere OR banana").query;
    let statistics = kit.store.statistics(&Visible::Everything, &query).await.unwrap();
    assert_eq!(statistics.messages, 4, "a message without text is none, one without words is");
    assert_eq!(statistics.frequencies, [2, 1, 3, 0, 1]);
    assert_eq!(statistics.newest, Some(at(4)));
}

/// Terms are counted among visible messages, in both halves of an entry; what is scrubbed or unseen is nowhere.
pub async fn occurring_terms_are_counted_among_visible_messages(factory: &dyn StoreFactory) {
    let kit = Kit::with(factory, TestPipeline::scrubbing()).await;
    kit.say(
        "a",
        &[user("m1", "walrus walrus"), user("m2", "the walrus, getIceFloe"), user("m3", "sesame9key")],
    )
    .await;
    kit.say("b", &[user("m4", "walrus seal")]).await;
    let terms = ["walrus", "seal", "floe", "geticefloe", "walru", "sesame9key", "redacted", "a\"b", ""];
    let terms = terms.map(str::to_owned);
    let count = async |visible| kit.store.occurring(&visible, &terms).await.unwrap();
    assert_eq!(count(Visible::Everything).await, [3, 1, 1, 1, 0, 0, 0, 0, 0]);
    assert_eq!(count(Visible::Only([key("a")].into())).await, [2, 0, 1, 1, 0, 0, 0, 0, 0]);
    assert_eq!(count(Visible::Only([key("b")].into())).await, [1, 1, 0, 0, 0, 0, 0, 0, 0]);
    assert_eq!(count(Visible::Nothing).await, [0; 9]);
}

/// A reset does not hide what was said before.
pub async fn all_transcripts_of_a_session_are_searched(factory: &dyn StoreFactory) {
    let kit = Kit::new(factory).await;
    kit.say("a", &[user("m1", "walrus")]).await;
    kit.say_in("a", "a-s2", &[user("m2", "walrus")]).await;
    kit.say_in("a", "a-s3", &[user("m3", "walrus")]).await;
    let hits = kit.search(&Visible::Everything, &SearchPlan { per_session: Some(2), ..plan("walrus") }).await;
    assert_eq!((hits.hits.len(), hits.left_out), (2, true), "the cap is of the session");
    let hits = kit.search(&Visible::Everything, &plan("walrus")).await.hits;
    let mut ids: Vec<_> = hits.iter().map(|hit| hit.session_id.to_string()).collect();
    ids.sort();
    assert_eq!(ids, ["a-s1", "a-s2", "a-s3"]);
}
