//! Lists of sessions.

use session_search_api::core::visibility::Scope;
use session_search_api::{AppendRequest, Context, ListRequest};

use crate::world::{World, caller, child};

#[tokio::test]
async fn sessions_are_listed_newest_first_across_agents() {
    for world in World::both() {
        world.say("agent:main:a", &[("1", "user", "one", 1_000), ("2", "user", "two", 5_000)]).await;
        world.say("agent:ops:b", &[("1", "user", "one", 9_000)]).await;
        let to = AppendRequest {
            title: Some("  A title\non two lines ".into()),
            project: Some("/srv/x".into()),
            ..child("agent:main:c", "agent:main:a")
        };
        world.append(to, &[("1", "user", "one", 7_000)]).await;
        let json = serde_json::to_value(world.list(&Context::operator()).await).unwrap();
        let keys: Vec<_> =
            json["sessions"].as_array().unwrap().iter().map(|s| s["sessionKey"].as_str().unwrap()).collect();
        assert_eq!(keys, ["agent:ops:b", "agent:main:c", "agent:main:a"]);
        let listed = &json["sessions"][1];
        assert_eq!(listed["title"], "A title on two lines");
        assert_eq!((&listed["project"], &listed["source"]), (&"/srv/x".into(), &"native".into()));
        assert_eq!((&listed["spawnedBy"], &listed["messages"]), (&"agent:main:a".into(), &1.into()));
        assert_eq!((&listed["first"], &listed["last"]), (&7_000_000.into(), &7_000_000.into()));
        assert_eq!(listed["sessionIds"].as_array().unwrap().len(), 1);
        assert!(json.get("truncated").is_none());
    }
}

#[tokio::test]
async fn a_parent_that_is_not_visible_is_not_named() {
    for world in World::both() {
        world.say("agent:ops:boss", &[("1", "user", "one", 1)]).await;
        world.append(child("agent:main:worker", "agent:ops:boss"), &[("1", "user", "one", 2)]).await;
        world.append(child("agent:ops:sub", "agent:main:worker"), &[("1", "user", "one", 3)]).await;
        let seen = world.list(&caller("main", "agent:main:worker", Scope::Tree)).await;
        let parents: Vec<_> = seen
            .sessions
            .iter()
            .map(|s| {
                (
                    s.session_key.as_str(),
                    s.spawned_by.as_ref().map(|k| k.as_str()),
                    s.spawned_by_agent_id.is_some(),
                )
            })
            .collect();
        assert_eq!(
            parents,
            [("agent:ops:sub", Some("agent:main:worker"), true), ("agent:main:worker", None, false)]
        );
    }
}

#[tokio::test]
async fn a_list_for_a_caller_is_bounded_and_says_so() {
    let world = World::memory();
    for n in 0..130 {
        world.say(&format!("agent:main:{n}"), &[("1", "user", "one", n)]).await;
    }
    let context = caller("main", "agent:main:0", Scope::Agent);
    let listed = world.list(&context).await;
    assert_eq!((listed.sessions.len(), listed.truncated), (100, true));
    let all = ListRequest { limit: Some(200), ..ListRequest::default() };
    let listed = world.api.list(&context, &all).await.unwrap();
    assert_eq!((listed.sessions.len(), listed.truncated), (130, false));
    assert_eq!(world.list(&Context::operator()).await.sessions.len(), 130);
    for limit in [0, 1_001] {
        let request = ListRequest { limit: Some(limit), ..ListRequest::default() };
        let error = world.api.list(&context, &request).await.unwrap_err().to_string();
        assert!(error.contains("from 1 to 1000"), "{error}");
    }
}
