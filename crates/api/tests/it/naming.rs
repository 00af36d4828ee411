//! Names of sessions and agents: found, forbidden, not there, or of several.

use session_search_api::core::visibility::{AgentToAgent, Policy, Scope};
use session_search_api::{ApiError, Context, HistoryRequest, SearchRequest};

use crate::world::{World, caller, child, name, search};

async fn filled() -> World {
    let world = World::memory();
    world.say("agent:main:main", &[("m", "user", "hello from main", 1)]).await;
    world
        .append(child("agent:ops:task", "agent:main:main"), &[("t", "user", "hello from the task", 2)])
        .await;
    world.say("agent:ops:main", &[("o", "user", "hello from ops", 3)]).await;
    for agent in ["main", "ops"] {
        let to = session_search_api::AppendRequest {
            agent_id: Some(agent.into()),
            ..session_search_api::AppendRequest::to("global")
        };
        world.append(to, &[("g", "user", &format!("global of {agent}"), 4)]).await;
    }
    world
}

fn at(key: &str, agent: Option<&str>) -> SearchRequest {
    SearchRequest {
        session_key: Some(key.into()),
        agent_id: agent.map(Into::into),
        ..search("hello OR global")
    }
}

#[tokio::test]
async fn the_operator_gets_not_found_or_is_asked_which() {
    let world = filled().await;
    let error = |request: SearchRequest| {
        let api = world.api.clone();
        async move { api.search(&Context::operator(), &request).await.unwrap_err() }
    };
    assert!(matches!(error(at("agent:main:nothing", None)).await, ApiError::NotFound(_)));
    assert!(matches!(error(at("agent:main:main", Some("ops"))).await, ApiError::NotFound(_)));
    assert!(matches!(error(at("x", Some("nobody"))).await, ApiError::NotFound(_)));
    let which = error(at("global", None)).await.to_string();
    assert!(which.contains("main, ops") && which.contains("--agent"), "{which}");
    assert_eq!(world.ids(at("global", Some("ops"))).await, ["g"]);
    assert_eq!(world.ids(at("agent:ops:main", None)).await, ["o"]);
}

#[tokio::test]
async fn a_key_that_names_another_agent_than_the_one_that_holds_it_is_found() {
    let world = filled().await;
    let source =
        crate::importing::source("backup.jsonl", "backup", "agent:gone:main", &[("b", "from a backup")]);
    world
        .api
        .import([source], &Default::default(), std::sync::Arc::new(session_search_api::NoProgress))
        .await
        .unwrap();
    let page = world.read(&Context::operator(), HistoryRequest::newest("agent:gone:main")).await;
    assert_eq!(page.agent_id.as_str(), "backup");
}

#[tokio::test]
async fn a_caller_gets_the_same_words_for_all_it_may_not_see() {
    let world = filled().await;
    let context = caller("main", "agent:main:main", Scope::Tree);
    let mut said = std::collections::BTreeSet::new();
    for (key, agent) in [
        ("agent:ops:main", None),
        ("agent:ops:nothing", None),
        ("agent:nobody:x", None),
        ("global", None),
        ("global", Some("main")),
        ("global", Some("ops")),
        ("global", Some("nobody")),
        ("x", Some("nobody")),
    ] {
        let error = world.api.search(&context, &at(key, agent)).await.unwrap_err();
        assert!(matches!(error, ApiError::Forbidden), "{key} {agent:?}: {error}");
        said.insert(serde_json::to_string(&error.failure()).unwrap());
        let request = HistoryRequest { agent_id: agent.map(Into::into), ..HistoryRequest::newest(key) };
        said.insert(
            serde_json::to_string(&world.api.history(&context, &request).await.unwrap_err().failure())
                .unwrap(),
        );
    }
    assert_eq!(said.len(), 1);
    assert!(said.first().unwrap().starts_with(r#"{"status":"forbidden","error":""#));
}

#[tokio::test]
async fn a_caller_finds_its_own_agent_first_then_those_it_may_see() {
    let world = filled().await;
    let policy = Policy {
        scope: Scope::All,
        agent_to_agent: AgentToAgent { enabled: true, allow: Vec::new() },
        ..Policy::default()
    };
    let context = Context::session(name("ops", "agent:ops:main"), policy);
    let found = world.find(&context, at("global", None)).await;
    assert_eq!(found.results[0].snippet, "global of ops");
    let found = world.find(&context, at("agent:main:main", None)).await;
    assert_eq!(found.results[0].message_id.as_str(), "m");
    // The child of another agent is in the tree, and its agent may be named.
    let tree = caller("main", "agent:main:main", Scope::Tree);
    assert_eq!(world.find(&tree, at("agent:ops:task", Some("ops"))).await.results.len(), 1);
    let ops = SearchRequest { agent_id: Some("ops".into()), ..search("hello") };
    let found = world.find(&tree, ops).await;
    assert_eq!(found.results.iter().map(|h| h.message_id.as_str()).collect::<Vec<_>>(), ["t"]);
}

#[tokio::test]
async fn names_beyond_their_bounds_are_errors_that_say_so() {
    let world = filled().await;
    let tree = caller("main", "agent:main:main", Scope::Tree);
    for context in [Context::operator(), tree] {
        for (key, agent, says) in [
            ("", None, "session key is empty"),
            (&*"k".repeat(513), None, "at most 512"),
            ("a\0b", None, "control character"),
            ("main", Some("../etc"), "an agent id is"),
        ] {
            let error = world.api.search(&context, &at(key, agent)).await.unwrap_err();
            assert!(error.to_string().contains(says), "{error}");
        }
    }
}
