//! Bad requests, broken stores.

use session_search_api::core::visibility::{AgentToAgent, Policy, Scope};
use session_search_api::{ApiError, Context, ListRequest, SearchRequest, SessionSearch};

use crate::world::{World, caller, ids, name, search, settings};

#[tokio::test]
async fn bad_values_name_their_range() {
    let world = World::memory();
    world.say("agent:main:main", &[("m", "user", "hello", 1)]).await;
    let tree = caller("main", "agent:main:main", Scope::Tree);
    let operator = Context::operator();
    let cases: [(&Context, SearchRequest, &str); 10] = [
        (&tree, search(""), "type one or more words"),
        (&tree, search(" \t\0 "), "type one or more words"),
        (&tree, search("-- (("), "type at least one word"),
        (&tree, search("-only"), "only excludes"),
        (&tree, search(&"w ".repeat(65)), "from 1 to 64"),
        (&tree, search(&"x".repeat(4_097)), "from 1 to 4096"),
        (&tree, SearchRequest { limit: Some(26), ..search("x") }, "from 1 to 25"),
        (&operator, SearchRequest { limit: Some(1_001), ..search("x") }, "from 1 to 1000"),
        (&tree, SearchRequest { limit: Some(0), ..search("x") }, "from 1 to 25"),
        (&tree, SearchRequest { per_session: Some(0), ..search("x") }, "from 1 to 1000"),
    ];
    for (context, request, says) in cases {
        let error = world.api.search(context, &request).await.unwrap_err();
        assert!(matches!(error, ApiError::Invalid(_)) && error.to_string().contains(says), "{error}");
        assert_eq!((error.status(), error.is_mendable()), ("error", true));
    }
}

#[tokio::test]
async fn a_store_that_fails_is_reported_and_the_others_answer() {
    let world = World::memory();
    world.say("agent:main:main", &[("m", "user", "hello", 1)]).await;
    world.say("agent:ops:main", &[("o", "user", "hello", 1)]).await;
    world.api.close().await;
    world.home().break_store("ops");
    let found = world.find(&Context::operator(), search("hello")).await;
    assert_eq!(ids(&found), ["m"]);
    assert!(found.warning.unwrap().contains("ops (damaged)"));
    let listed = world.list(&Context::operator()).await;
    assert_eq!((listed.sessions.len(), listed.warning.unwrap().contains("ops")), (1, true));

    let seeing = Policy {
        scope: Scope::All,
        agent_to_agent: AgentToAgent { enabled: true, allow: Vec::new() },
        ..Policy::default()
    };
    let found = world.find(&Context::session(name("main", "agent:main:main"), seeing), search("hello")).await;
    assert!(found.warning.is_some());
    for scope in [Scope::Own, Scope::Tree, Scope::Agent, Scope::All] {
        let found = world.find(&caller("main", "agent:main:main", scope), search("hello")).await;
        assert_eq!(
            (ids(&found), found.warning),
            (vec!["m".to_owned()], None),
            "who may not see it hears nothing"
        );
    }
    world.home().break_store("main");
    world.api.close().await;
    let error = world.api.search(&Context::operator(), &search("hello")).await.unwrap_err();
    assert!(matches!(error, ApiError::Store(_)), "where no store answers there is no answer");
}

#[tokio::test]
async fn homes_that_are_none() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("file");
    std::fs::write(&file, "x").unwrap();
    let api = SessionSearch::open(&file, &settings());
    assert!(matches!(api.search(&Context::operator(), &search("x")).await, Err(ApiError::Store(_))));

    let missing = SessionSearch::open(directory.path().join("none"), &settings());
    let found = missing.search(&Context::operator(), &search("x")).await.unwrap();
    assert!(found.results.is_empty() && !found.hints.is_empty());
    assert!(missing.list(&Context::operator(), &ListRequest::default()).await.unwrap().sessions.is_empty());
    assert!(!directory.path().join("none").exists(), "asking makes nothing");

    let agent = directory.path().join("agents").join("main");
    std::fs::create_dir_all(&agent).unwrap();
    std::fs::write(
        agent.join("sessions.sqlite"),
        "no database, but longer than a header of one hundred bytes: ".repeat(9),
    )
    .unwrap();
    std::fs::create_dir(directory.path().join("agents").join("Not An Agent")).unwrap();
    let api = SessionSearch::open(directory.path(), &settings());
    let error = api.search(&Context::operator(), &search("x")).await.unwrap_err();
    assert!(matches!(error, ApiError::Store(_)), "{error}");
}

#[tokio::test]
async fn an_id_that_is_taken_is_a_conflict_and_nothing_is_stored() {
    for world in World::both() {
        world.say("agent:main:main", &[("m", "user", "hello", 1)]).await;
        let again = crate::world::message("m", "user", "hello", 1);
        let same = world
            .api
            .append(&session_search_api::AppendRequest::to("agent:main:main"), vec![again])
            .await
            .unwrap();
        assert!(!same.events[0].new);
        let new = crate::world::message("n", "user", "new", 2);
        let other = crate::world::message("m", "user", "other words", 1);
        let error = world
            .api
            .append(&session_search_api::AppendRequest::to("agent:main:main"), vec![new, other])
            .await
            .unwrap_err();
        assert!(error.to_string().contains('m') && !error.to_string().contains("other words"));
        assert!(world.ids(search("new")).await.is_empty());
    }
}
