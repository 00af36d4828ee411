//! No read goes beyond what is visible, and nothing invisible shows in what it answers.

use std::collections::BTreeSet;

use session_search_core::store::{Filter, HistoryAnswer, HistoryFrom, HistoryPlan, Rewind, SearchPlan};
use session_search_core::{Cursor, ErrorKind, Visible};

use crate::factory::StoreFactory;
use crate::fixture::{append, at, chunk, event_id, key, name, only, pages, plan, session_id, user};
use crate::kit::{Kit, names, refused};

async fn incognito(kit: &Kit, of: &str, id: &str, text: &str) {
    let mut append = append(of, &[user(id, text)]);
    append.session.incognito = true;
    kit.store.append(append).await.unwrap();
}

/// Search and list, for every subset of four sessions.
pub async fn no_read_goes_beyond_the_visible_set(factory: &dyn StoreFactory) {
    let kit = Kit::new(factory).await;
    let all = ["a", "b", "c", "d"];
    for session in all {
        kit.say(session, &[user(&format!("{session}1"), "walrus"), user(&format!("{session}2"), "walrus")])
            .await;
    }
    for bits in 0..16_u32 {
        let some: Vec<&str> =
            all.into_iter().enumerate().filter(|(n, _)| bits >> n & 1 == 1).map(|(_, s)| s).collect();
        let visible = only(&some);
        let expected: Vec<_> = some.iter().flat_map(|s| [format!("{s}/{s}1"), format!("{s}/{s}2")]).collect();
        assert_eq!(kit.found_among(&visible, "walrus").await, expected);
        let list: BTreeSet<_> = kit.store.list(&visible).await.unwrap().into_iter().map(|s| s.key).collect();
        assert_eq!(list, some.iter().map(|name| key(name)).collect());
    }
    assert!(kit.found_among(&Visible::Nothing, "walrus").await.is_empty());
    assert!(kit.store.list(&Visible::Nothing).await.unwrap().is_empty());
    assert!(kit.found_among(&only(&["unknown"]), "walrus").await.is_empty());
}

/// An incognito session is left out of every set but `Everything`, also where its key is named.
pub async fn incognito_sessions_are_in_everything_only(factory: &dyn StoreFactory) {
    let kit = Kit::new(factory).await;
    kit.say("a", &[user("m1", "walrus")]).await;
    incognito(&kit, "b", "m2", "walrus").await;
    let newest = pages("b", HistoryFrom::Newest, 5);
    for visible in [Visible::NotIncognito, only(&["a", "b"])] {
        assert_eq!(kit.found_among(&visible, "walrus").await, ["a/m1"]);
        assert_eq!(kit.store.list(&visible).await.unwrap().len(), 1);
        assert_eq!(refused(kit.store.history(&visible, &newest).await), ErrorKind::NotFound);
        assert_eq!(kit.store.statistics(&visible, &plan("walrus").query).await.unwrap().messages, 1);
    }
    assert!(kit.found_among(&only(&["b"]), "walrus").await.is_empty());
    assert_eq!(kit.found_among(&Visible::Everything, "walrus").await, ["a/m1", "b/m2"]);
    assert_eq!(kit.store.list(&Visible::Everything).await.unwrap().len(), 2);
    assert!(kit.store.history(&Visible::Everything, &newest).await.is_ok());
    assert!(kit.store.exists(&key("b")).await.unwrap());
}

/// What was visible is hidden from the append on that says incognito.
pub async fn a_turn_to_incognito_hides_at_once(factory: &dyn StoreFactory) {
    let kit = Kit::new(factory).await;
    kit.say("a", &[user("m1", "walrus")]).await;
    kit.expect("walrus", &["a/m1"]).await;
    incognito(&kit, "a", "m2", "walrus").await;
    kit.expect("walrus", &[]).await;
    assert_eq!(
        kit.store.statistics(&Visible::NotIncognito, &plan("walrus").query).await.unwrap().messages,
        0
    );
    assert_eq!(kit.found_among(&Visible::Everything, "walrus").await, ["a/m1", "a/m2"]);
}

/// But for the key the words are the same, so that they do not tell which of the two it is.
pub async fn unknown_and_invisible_sessions_are_refused_in_the_same_words(factory: &dyn StoreFactory) {
    let kit = Kit::new(factory).await;
    kit.say("k-one", &[user("m1", "walrus")]).await;
    incognito(&kit, "k-two", "m1", "walrus").await;
    kit.say("mine", &[user("m1", "walrus")]).await;
    let mut words = BTreeSet::new();
    for named in ["k-one", "k-two", "k-never"] {
        for from in [HistoryFrom::Newest, HistoryFrom::Around(event_id("m1"))] {
            let error = kit.store.history(&only(&["mine"]), &pages(named, from, 5)).await.unwrap_err();
            assert_eq!(error.kind(), ErrorKind::NotFound);
            words.insert(error.to_string().replace(named, "KEY"));
        }
    }
    assert_eq!(words.len(), 1, "{words:?}");
}

/// Neither counts, nor frequencies, nor the newest time.
pub async fn statistics_count_visible_messages_only(factory: &dyn StoreFactory) {
    let kit = Kit::new(factory).await;
    kit.say("a", &[user("m1", "walrus narwhal").at(10), user("m2", "walrus").at(20)]).await;
    kit.say("b", &[user("m3", "walrus seal").at(99)]).await;
    incognito(&kit, "c", "m4", "walrus seal").await;
    let query = plan("walrus narwhal seal").query;
    let mine = kit.store.statistics(&only(&["a", "c"]), &query).await.unwrap();
    assert_eq!((mine.messages, mine.frequencies, mine.newest), (2, vec![2, 1, 0], Some(at(20))));
    let all = kit.store.statistics(&Visible::NotIncognito, &query).await.unwrap();
    assert_eq!((all.messages, all.frequencies, all.newest), (3, vec![3, 1, 1], Some(at(99))));
    let none = kit.store.statistics(&Visible::Nothing, &query).await.unwrap();
    assert_eq!((none.messages, none.newest), (0, None));
    assert!(none.frequencies.iter().all(|frequency| *frequency == 0));
}

/// A caller that sees no pending transcript is told of none.
pub async fn pending_counts_visible_transcripts_only(factory: &dyn StoreFactory) {
    let kit = Kit::new(factory).await;
    kit.say("a", &[user("m1", "walrus")]).await;
    let mut deferred = chunk("b", "s1", &[user("m1", "walrus")]);
    deferred.defer_index = true;
    kit.import(deferred).await;
    for (visible, expected) in [
        (only(&["a"]), 0),
        (only(&["b"]), 1),
        (only(&["a", "b"]), 1),
        (Visible::NotIncognito, 1),
        (Visible::Everything, 1),
        (Visible::Nothing, 0),
    ] {
        assert_eq!(kit.store.pending(&visible).await.unwrap(), expected, "{visible:?}");
    }
}

/// Naming a session in a filter does not make it visible.
pub async fn a_filter_does_not_widen_what_is_visible(factory: &dyn StoreFactory) {
    let kit = Kit::new(factory).await;
    kit.say("a", &[user("m1", "walrus")]).await;
    kit.say("b", &[user("m2", "walrus")]).await;
    let named = |of: &str| SearchPlan {
        filter: Filter { session: Some(key(of)), ..Filter::default() },
        ..plan("walrus")
    };
    assert_eq!(names(&kit.search(&only(&["a"]), &named("a")).await.hits), ["a/m1"]);
    let foreign = kit.search(&only(&["a"]), &named("b")).await;
    let unknown = kit.search(&only(&["a"]), &named("x")).await;
    assert!(foreign.hits.is_empty() && !foreign.left_out);
    assert_eq!(foreign, unknown);
}

/// Hits with their scores, order and flags, statistics, lists, pages: the same to the last bit while sessions that
/// the caller does not see come, change and go.
pub async fn answers_do_not_change_with_invisible_sessions(factory: &dyn StoreFactory) {
    let kit = Kit::new(factory).await;
    kit.say("mine", &[user("m1", "walrus narwhal").at(5), user("m2", "walrus walrus seal").at(6)]).await;
    kit.say("also", &[user("n1", "a walrus in a much longer message about the sea and the ice").at(7)]).await;
    let mine = only(&["mine", "also"]);
    let before = everything(&kit, &mine).await;
    for (n, foreign) in ["foreign", "aaa", "zzz"].into_iter().enumerate() {
        kit.say(
            foreign,
            &[user("f1", "walrus narwhal seal").at(1), user("m2", "walrus walrus seal").at(900)],
        )
        .await;
        assert_eq!(everything(&kit, &mine).await, before, "after {foreign} came");
        kit.store.rewind(Rewind { key: key(foreign), to: event_id("f1"), purge: n == 1 }).await.unwrap();
        assert_eq!(everything(&kit, &mine).await, before, "after {foreign} changed");
    }
    incognito(&kit, "quiet", "q1", "walrus narwhal seal").await;
    let mut deferred = chunk("late", "s1", &[user("m1", "walrus")]);
    deferred.defer_index = true;
    kit.import(deferred).await;
    assert_eq!(everything(&kit, &mine).await, before, "with a pending session");
    kit.settle().await;
    assert_eq!(everything(&kit, &mine).await, before, "after reconciliation");
    kit.store.delete(&[key("foreign"), key("late"), key("quiet")]).await.unwrap();
    assert_eq!(everything(&kit, &mine).await, before, "after deletion");
}

async fn everything(kit: &Kit, visible: &Visible) -> String {
    let mut said = Vec::new();
    for query in ["walrus", "narwhal seal", "wal*", "\"walrus seal\" OR ice", "walrus -seal"] {
        for (limit, per_session) in [(100, None), (1, None), (100, Some(1))] {
            let plan = SearchPlan { limit, per_session, ..plan(query) };
            said.push(format!("{:?}", kit.store.statistics(visible, &plan.query).await.unwrap()));
            let hits = kit.search(visible, &plan).await;
            let exact = |hit: &session_search_core::store::StoreHit| {
                (hit.key.clone(), hit.event_id.clone(), hit.score.to_bits(), hit.clauses, hit.also_in.clone())
            };
            said.push(format!("{:?} {}", hits.hits.iter().map(exact).collect::<Vec<_>>(), hits.left_out));
        }
    }
    said.push(format!("{:?}", kit.store.list(visible).await.unwrap()));
    said.push(kit.store.pending(visible).await.unwrap().to_string());
    said.push(format!(
        "{:?}",
        kit.store.history(visible, &pages("mine", HistoryFrom::Newest, 1)).await.unwrap()
    ));
    said.join("\n")
}

/// An anchor, a cursor, a transcript of a session that one sees not: as if there were none.
pub async fn foreign_places_are_answered_like_unknown_ones(factory: &dyn StoreFactory) {
    let kit = Kit::new(factory).await;
    kit.say("mine", &[user("m1", "walrus")]).await;
    kit.say("theirs", &[user("t1", "walrus"), user("t2", "walrus")]).await;
    let cursor =
        |session: &str, event: &str| Cursor { session_id: session_id(session), event_id: event_id(event) };
    let ask = async |session: Option<&str>, from: HistoryFrom| {
        let plan = HistoryPlan { session_id: session.map(session_id), ..pages("mine", from, 5) };
        match kit.store.history(&only(&["mine"]), &plan).await.unwrap() {
            HistoryAnswer::Missing(missing) => missing,
            HistoryAnswer::Page(page) => panic!("a page of {:?}", page.session_id),
        }
    };
    assert_eq!(
        ask(None, HistoryFrom::Around(event_id("t1"))).await,
        ask(None, HistoryFrom::Around(event_id("unknown"))).await
    );
    assert_eq!(
        ask(Some("theirs-s1"), HistoryFrom::Newest).await,
        ask(Some("unknown"), HistoryFrom::Newest).await
    );
    for made in [HistoryFrom::Before, HistoryFrom::After] {
        assert_eq!(
            ask(None, made(cursor("theirs-s1", "t1"))).await,
            ask(None, made(cursor("unknown", "t1"))).await
        );
    }
}

/// Lineage and existence are for resolving callers: they answer for hidden sessions too.
pub async fn children_and_exists_see_all(factory: &dyn StoreFactory) {
    let kit = Kit::new(factory).await;
    for (child, parent, hidden) in
        [("b", "a", true), ("c", "a", false), ("d", "b", false), ("e", "elsewhere", false)]
    {
        let mut append = append(child, &[user("m1", "walrus")]);
        append.session.spawned_by = Some(name(parent));
        append.session.incognito = hidden;
        kit.store.append(append).await.unwrap();
    }
    let children = async |of: &[&str]| {
        let of: Vec<_> = of.iter().map(|parent| name(parent)).collect();
        kit.store.children(&of).await.unwrap().into_iter().collect::<BTreeSet<_>>()
    };
    assert_eq!(children(&["a"]).await, BTreeSet::from([key("b"), key("c")]));
    assert_eq!(children(&["a", "b"]).await, BTreeSet::from([key("b"), key("c"), key("d")]));
    assert_eq!(children(&["elsewhere"]).await, BTreeSet::from([key("e")]));
    assert!(children(&["d"]).await.is_empty() && children(&[]).await.is_empty());
    let mut other_agent = name("a");
    other_agent.agent = session_search_core::AgentId::new("other").unwrap();
    assert!(kit.store.children(&[other_agent]).await.unwrap().is_empty());
    assert!(kit.store.exists(&key("b")).await.unwrap() && !kit.store.exists(&key("a")).await.unwrap());
}
