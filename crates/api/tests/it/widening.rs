//! Relaxing, and hints: no empty answer without a reason.

use session_search_api::core::Role;
use session_search_api::core::visibility::Scope;
use session_search_api::{Context, SearchRequest, SearchResponse};

use crate::world::{World, caller, ids, search};

async fn filled() -> World {
    let world = World::memory();
    world
        .say(
            "agent:main:main",
            &[
                ("m1", "user", "The uploader uses exponential backoff now", 1_000),
                ("m2", "assistant", "The uploader is slow", 2_000),
                ("m3", "user", "Something about staging", 3_000),
            ],
        )
        .await;
    // What people say around what they mean, so that none of it is rare.
    for n in 0..12 {
        let chatter = [(format!("c{n}"), "which one did they use yesterday, and the other")];
        let key = format!("agent:main:chatter{n}");
        world.say(&key, &[(&chatter[0].0, "user", chatter[0].1, 4_000)]).await;
    }
    world
}

fn hints(found: &SearchResponse) -> String {
    found.hints.join("\n")
}

#[tokio::test]
async fn a_whole_question_finds_its_answer() {
    let world = filled().await;
    let found = world
        .find(&Context::operator(), search("which exponential backoff did the uploader use yesterday"))
        .await;
    assert!(found.relaxed);
    assert_eq!(ids(&found)[0], "m1");
    for word in ["`which`", "`did`", "`yesterday`"] {
        assert!(hints(&found).contains(word), "{word} in {}", hints(&found));
    }
    assert!(hints(&found).contains("Left out"));
    assert!(!hints(&found).contains("`exponential` (in every hit)"));
}

#[tokio::test]
async fn strict_prevents_it_and_says_what_relaxing_would_give() {
    let world = filled().await;
    let request = SearchRequest { strict: true, ..search("exponential backoff yesterday") };
    let found = world.find(&Context::operator(), request).await;
    assert!(!found.relaxed && found.results.is_empty());
    assert!(hints(&found).contains("Without strict"), "{}", hints(&found));
    let request = SearchRequest { strict: true, ..search("exponential backoff tomorrow") };
    let found = world.find(&Context::operator(), request).await;
    assert!(!found.relaxed && found.results.is_empty());
    assert!(hints(&found).contains("No visible message holds: `tomorrow`"), "{}", hints(&found));
}

#[tokio::test]
async fn a_full_match_is_never_relaxed() {
    let world = filled().await;
    let found = world.find(&Context::operator(), search("exponential backoff")).await;
    assert_eq!((ids(&found), found.relaxed, found.hints.len()), (vec!["m1".to_owned()], false, 0));
}

#[tokio::test]
async fn phrases_and_exclusions_stay_binding() {
    let world = filled().await;
    let found = world.find(&Context::operator(), search("\"uploader backoff\" exponential now")).await;
    assert!(found.results.is_empty() && !found.relaxed);
    assert!(hints(&found).contains("`\"uploader backoff\"`"), "{}", hints(&found));
    let found = world.find(&Context::operator(), search("exponential nowhere -backoff")).await;
    assert!(found.results.is_empty());
    assert!(hints(&found).contains("`-backoff`"), "{}", hints(&found));
}

#[tokio::test]
async fn what_was_ignored_is_named() {
    let world = filled().await;
    let found = world.find(&Context::operator(), search("backoff -- ( s*")).await;
    assert!(hints(&found).contains("no word in it: `--`, `(`"), "{}", hints(&found));
    assert!(hints(&found).contains("The * was ignored"), "{}", hints(&found));
}

#[tokio::test]
async fn the_filter_that_hides_every_match_is_named() {
    let world = filled().await;
    let request =
        SearchRequest { role: Some(Role::Assistant), since: Some("1970-01-01".into()), ..search("backoff") };
    let found = world.find(&Context::operator(), request).await;
    assert!(hints(&found).contains("There are matches without role;"), "{}", hints(&found));
    let request =
        SearchRequest { role: Some(Role::Assistant), until: Some("500".into()), ..search("backoff") };
    let found = world.find(&Context::operator(), request).await;
    assert!(hints(&found).contains("without role and since/until;"), "{}", hints(&found));
    let request = SearchRequest { role: Some(Role::Assistant), ..search("nowhere") };
    let found = world.find(&Context::operator(), request).await;
    assert!(!hints(&found).contains("There are matches"), "{}", hints(&found));
}

#[tokio::test]
async fn naming_the_wrong_session_or_agent_says_that_others_match() {
    let world = filled().await;
    world.say("agent:ops:main", &[("o", "user", "nothing of the kind", 1)]).await;
    let request = SearchRequest { session_key: Some("agent:ops:main".into()), ..search("backoff") };
    assert!(hints(&world.find(&Context::operator(), request).await).contains("without sessionKey"));
    let request = SearchRequest { agent_id: Some("ops".into()), ..search("backoff") };
    assert!(hints(&world.find(&Context::operator(), request).await).contains("without agentId"));
}

#[tokio::test]
async fn every_empty_answer_has_a_reason() {
    let empty = World::memory();
    let found = empty.find(&Context::operator(), search("anything")).await;
    assert!(hints(&found).contains("import or append"), "{}", hints(&found));
    let found = empty.find(&caller("main", "agent:main:main", Scope::Tree), search("anything")).await;
    assert!(hints(&found).contains("visibility: self") || hints(&found).contains("visibility: tree"));

    let world = filled().await;
    for query in
        ["nowhere", "uploader staging", "\"slow uploader\"", "backoff -uploader", "cats OR dogs", "x*"]
    {
        let request = SearchRequest { strict: true, ..search(query) };
        let found = world.find(&Context::operator(), request).await;
        assert!(found.results.is_empty() && !found.hints.is_empty(), "{query}");
    }
    let swapped =
        SearchRequest { since: Some("3000".into()), until: Some("2000".into()), ..search("backoff") };
    let found = world.find(&Context::operator(), swapped).await;
    assert!(hints(&found).contains("since is not before until"), "{}", hints(&found));
}

#[tokio::test]
async fn hints_stay_small_whatever_is_typed() {
    let world = filled().await;
    let long: String = (0..60).map(|n| format!("{}{n} ", "w".repeat(60))).collect();
    let found = world.find(&Context::operator(), search(long.trim())).await;
    let bytes: usize = found.hints.iter().map(String::len).sum();
    assert!(bytes < 2_000, "{bytes}");
    assert!(hints(&found).contains("and 52 more"), "{}", hints(&found));
}

#[tokio::test]
async fn a_near_spelling_that_occurs_is_named() {
    for world in World::both() {
        world.say("agent:main:main", &[("m1", "user", "Exponential backoff for the uploader", 1_000)]).await;
        let found = world.find(&Context::operator(), search("bakcoff")).await;
        assert!(found.results.is_empty());
        assert!(hints(&found).contains("No visible message holds: `bakcoff`"), "{}", hints(&found));
        assert!(hints(&found).contains("do occur: `backoff` for `bakcoff`"), "{}", hints(&found));
        let found = world.find(&Context::operator(), search("exponential uploder")).await;
        assert!(found.relaxed && hints(&found).contains("`uploader` for `uploder`"), "{}", hints(&found));
        let found = world.find(&Context::operator(), search("exponential OR uploder")).await;
        assert!(!found.results.is_empty() && !hints(&found).contains("do occur"), "there is a hit");
        let found = world.find(&Context::operator(), search("wholly-other")).await;
        assert!(!hints(&found).contains("do occur"), "{}", hints(&found));
    }
}

#[tokio::test]
async fn of_several_near_spellings_the_most_frequent_is_named() {
    for world in World::both() {
        world
            .say(
                "agent:main:main",
                &[("m1", "user", "beet", 1), ("m2", "user", "boot", 2), ("m3", "user", "the boot", 3)],
            )
            .await;
        let found = world.find(&Context::operator(), search("boet")).await;
        assert!(hints(&found).contains("`boot` for `boet`"), "{}", hints(&found));
        world.say("agent:main:main", &[("m4", "user", "boet", 4)]).await;
        let found = world.find(&Context::operator(), search("boet")).await;
        assert_eq!((ids(&found), found.hints.len()), (vec!["m4".to_owned()], 0));
    }
}

#[tokio::test]
async fn a_near_spelling_comes_from_visible_messages_only() {
    for world in World::both() {
        world.say("agent:main:main", &[("m1", "user", "nothing of the kind", 1)]).await;
        let own = caller("main", "agent:main:main", Scope::Own);
        let before = world.find(&own, search("bakcoff")).await;
        world.say("agent:main:other", &[("m2", "user", "exponential backoff", 2)]).await;
        world.say("agent:ops:main", &[("m3", "user", "backoff again", 3)]).await;
        assert_eq!(world.find(&own, search("bakcoff")).await, before);
        assert!(!hints(&before).contains("do occur"));
        let all = world.find(&Context::operator(), search("bakcoff")).await;
        assert!(hints(&all).contains("`backoff` for"), "{}", hints(&all));
    }
}

#[tokio::test]
async fn markers_and_what_they_hide_are_no_near_spelling() {
    for world in World::both() {
        let secret = format!("ghp_{}", "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bD1fH3jK5");
        world.say("agent:main:main", &[("m1", "user", &format!("token {secret} here"), 1)]).await;
        for near in ["redactd", "rdeacted", "toekn"] {
            let found = world.find(&Context::operator(), search(near)).await;
            let named = hints(&found).contains("do occur");
            assert_eq!(named, near == "toekn", "{near}: {}", hints(&found));
        }
    }
}
