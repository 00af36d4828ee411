//! What a search finds and how it says it.

use session_search_api::core::Role;
use session_search_api::core::store::Order;
use session_search_api::core::visibility::Scope;
use session_search_api::{Context, SearchRequest};

use crate::world::{World, caller, ids, search};

const MAIN: &str = "agent:main:main";

async fn conversation(world: &World) {
    world
        .say(
            MAIN,
            &[
                ("m1", "user", "How should the uploader retry?", 1_764_540_000_000),
                ("m2", "assistant", "We chose exponential backoff for the uploader.", 1_764_540_001_000),
                ("m3", "user", "Thanks, backoff it is.", 1_764_540_002_000),
            ],
        )
        .await;
}

#[tokio::test]
async fn a_hit_has_the_stated_form() {
    for world in World::both() {
        conversation(&world).await;
        let found = world.find(&Context::operator(), search("exponential")).await;
        let json = serde_json::to_value(&found).unwrap();
        let hit = &json["results"][0];
        assert_eq!(hit["agentId"], "main");
        assert_eq!(hit["sessionKey"], MAIN);
        assert_eq!(hit["messageId"], "m2");
        assert_eq!(hit["role"], "assistant");
        assert_eq!(hit["timestamp"], 1_764_540_001_000_i64);
        assert_eq!(hit["snippet"], "We chose exponential backoff for the uploader.");
        assert!(hit["score"].as_f64().unwrap() > 0.0);
        let keys: Vec<_> = hit.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(keys.len(), 8, "{keys:?}");
        assert_eq!(json.as_object().unwrap().keys().collect::<Vec<_>>(), ["results"], "no flag applies");
        assert_eq!(&found.results[0].snippet[found.results[0].highlights[0].clone()], "exponential");
    }
}

#[tokio::test]
async fn a_message_is_found_as_soon_as_its_append_returned_and_not_after_its_deletion() {
    for world in World::both() {
        conversation(&world).await;
        world.say(MAIN, &[("m4", "user", "quokka", 1_764_540_003_000)]).await;
        assert_eq!(world.ids(search("quokka")).await, ["m4"]);
        let gone = world.api.delete(MAIN, None).await.unwrap();
        assert_eq!((gone.sessions, gone.messages), (1, 4));
        assert!(world.ids(search("quokka")).await.is_empty());
        assert!(world.api.delete(MAIN, None).await.is_err());
    }
}

#[tokio::test]
async fn filters_narrow() {
    for world in World::both() {
        conversation(&world).await;
        world.say("agent:main:other", &[("o1", "user", "backoff elsewhere", 1_764_626_400_000)]).await;
        let with = |change: fn(&mut SearchRequest)| {
            let mut request = search("backoff");
            change(&mut request);
            request
        };
        let sorted = |mut ids: Vec<String>| {
            ids.sort();
            ids
        };
        assert_eq!(sorted(world.ids(search("backoff")).await), ["m2", "m3", "o1"]);
        assert_eq!(world.ids(with(|r| r.role = Some(Role::Assistant))).await, ["m2"]);
        assert_eq!(world.ids(with(|r| r.session_key = Some("agent:main:other".into()))).await, ["o1"]);
        assert_eq!(world.ids(with(|r| r.since = Some("2025-12-01".into()))).await, ["o1"]);
        assert_eq!(sorted(world.ids(with(|r| r.until = Some("2025-11-30".into()))).await), ["m2", "m3"]);
        assert_eq!(world.ids(with(|r| r.since = Some("1764540002000".into()))).await.len(), 2, "inclusive");
        assert_eq!(world.ids(with(|r| r.until = Some("1764540002000".into()))).await, ["m2"], "exclusive");
        assert_eq!(world.ids(with(|r| r.order = Some(Order::Recent))).await, ["o1", "m3", "m2"]);
    }
}

#[tokio::test]
async fn project_is_part_of_the_working_directory() {
    for world in World::both() {
        let mut to = session_search_api::AppendRequest::to(MAIN);
        to.project = Some("/home/me/Uploader".into());
        world.append(to, &[("m1", "user", "retry", 1)]).await;
        world.say("agent:main:b", &[("m2", "user", "retry", 2)]).await;
        let request = SearchRequest { project: Some("uploader".into()), ..search("retry") };
        assert_eq!(world.ids(request).await, ["m1"]);
        let request = SearchRequest { project: Some(String::new()), ..search("retry") };
        assert!(world.api.search(&Context::operator(), &request).await.is_err());
    }
}

#[tokio::test]
async fn one_session_does_not_fill_the_answer_unless_it_is_named() {
    for world in World::both() {
        let many: Vec<(String, i64)> = (0..8).map(|n| (format!("m{n}"), n)).collect();
        let many: Vec<_> = many.iter().map(|(id, time)| (id.as_str(), "user", "same words", *time)).collect();
        world.say(MAIN, &many).await;
        world.say("agent:main:b", &[("b", "user", "same words", 0)]).await;
        let found = world.find(&Context::operator(), search("same")).await;
        assert_eq!((found.results.len(), found.truncated), (4, true));
        let found =
            world.find(&Context::operator(), SearchRequest { per_session: Some(8), ..search("same") }).await;
        assert_eq!((found.results.len(), found.truncated), (9, false));
        let named = SearchRequest { session_key: Some(MAIN.into()), ..search("same") };
        assert_eq!(world.ids(named).await.len(), 8);
        let two = SearchRequest { limit: Some(2), ..search("same") };
        let found = world.find(&Context::operator(), two).await;
        assert_eq!((found.results.len(), found.truncated), (2, true));
    }
}

#[tokio::test]
async fn the_session_that_asks_can_be_left_out() {
    for world in World::both() {
        conversation(&world).await;
        world.say("agent:main:other", &[("o1", "user", "backoff elsewhere", 5)]).await;
        let context = caller("main", MAIN, Scope::Agent);
        let without = SearchRequest { exclude_current: true, ..search("backoff") };
        assert_eq!(ids(&world.find(&context, without.clone()).await), ["o1"]);
        let operator = world.find(&Context::operator(), without).await;
        assert_eq!(operator.results.len(), 3, "the operator has no current session");
    }
}

#[tokio::test]
async fn a_response_stays_within_its_bytes() {
    for world in World::both() {
        for n in 0..120 {
            let text = format!("needle {}", "\"quoted\\text\" ".repeat(40));
            world.say(&format!("agent:main:{n}"), &[(&format!("m{n}"), "user", &text, n)]).await;
        }
        let request = SearchRequest { limit: Some(1_000), ..search("needle") };
        let found = world.find(&Context::operator(), request).await;
        let bytes = serde_json::to_string(&found).unwrap().len();
        assert!(bytes <= 32 << 10, "{bytes}");
        assert!(found.truncated && found.results.len() > 20, "{}", found.results.len());
        let mut longer = found.clone();
        longer.results.push(found.results[0].clone());
        assert!(serde_json::to_string(&longer).unwrap().len() > 32 << 10, "one more would not have fitted");
    }
}

#[tokio::test]
async fn incognito_sessions_are_found_by_nobody() {
    for world in World::both() {
        let mut hidden = crate::world::child("agent:main:hidden", MAIN);
        hidden.incognito = true;
        conversation(&world).await;
        world.append(hidden, &[("h", "user", "backoff in private", 1)]).await;
        for context in
            [Context::operator(), caller("main", MAIN, Scope::Tree), caller("main", MAIN, Scope::Agent)]
        {
            assert_eq!(world.find(&context, search("private")).await.results.len(), 0);
        }
        let listed = world.list(&Context::operator()).await;
        assert!(listed.sessions.iter().any(|session| session.incognito), "the operator's list shows it");
        assert_eq!(world.list(&caller("main", MAIN, Scope::Agent)).await.sessions.len(), 1);
    }
}

#[tokio::test]
async fn text_off_the_branch_is_not_found() {
    for world in World::both() {
        conversation(&world).await;
        let moved = world.api.rewind(MAIN, None, "m1", false).await.unwrap();
        assert_eq!((moved.purged, moved.pending), (0, false));
        assert!(world.ids(search("exponential")).await.is_empty());
        assert_eq!(world.ids(search("uploader")).await, ["m1"]);
    }
}

#[tokio::test]
async fn recent_messages_are_preferred_counting_from_the_newest_visible_one() {
    const YEAR: i64 = 365 * 86_400_000;
    let told = async |shift: i64, own: bool| {
        let world = World::memory();
        for (key, time) in [("agent:main:main", 10 * YEAR), ("agent:main:old", 8 * YEAR)] {
            world.say(key, &[(key, "user", "exponential backoff", time + shift)]).await;
        }
        let context = if own { caller("main", "agent:main:old", Scope::Own) } else { Context::operator() };
        let found = world.find(&context, search("backoff")).await;
        found.results.iter().map(|hit| (hit.message_id.to_string(), hit.score)).collect::<Vec<_>>()
    };
    let all = told(0, false).await;
    assert_eq!(
        all.iter().map(|hit| hit.0.as_str()).collect::<Vec<_>>(),
        ["agent:main:main", "agent:main:old"]
    );
    assert!(all[0].1 > all[1].1 && all[0].1 < all[1].1 * 1.2, "a gentle preference: {all:?}");
    assert_eq!(told(30 * YEAR, false).await, all, "the clock does not count");
    let own = told(0, true).await;
    assert_eq!(own.len(), 1);
    assert_eq!(told(-5 * YEAR, true).await, own, "nor does what is not visible");
}
