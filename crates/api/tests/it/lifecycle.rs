//! Append, purge, rewind, and the life of the index.

use std::sync::Arc;
use std::time::Duration;

use session_search_api::core::visibility::Scope;
use session_search_api::{AppendRequest, Context, ErasureState, ImportOptions, NoProgress};

use crate::importing::source;
use crate::world::{NOW, World, caller, raw, search};

const LONG: Duration = Duration::from_secs(60);

#[tokio::test]
async fn events_without_id_or_time_get_one() {
    for world in World::both() {
        let bare =
            || raw(serde_json::json!({"type": "message", "message": {"role": "user", "content": "hello"}}));
        let stored = world.api.append(&AppendRequest::to("notes"), vec![bare(), bare()]).await.unwrap();
        assert_eq!((stored.agent_id.as_str(), stored.events.len()), ("main", 2));
        assert_ne!(stored.events[0].id, stored.events[1].id);
        assert!(stored.events.iter().all(|event| event.new));
        let found = world.find(&Context::operator(), search("hello")).await;
        assert!(found.results.iter().all(|hit| hit.timestamp == NOW));
        let reset = AppendRequest { session_id: Some("fresh".into()), ..AppendRequest::to("notes") };
        assert_eq!(world.api.append(&reset, vec![bare()]).await.unwrap().session_id.as_str(), "fresh");
        let on = world.api.append(&AppendRequest::to("notes"), vec![bare()]).await.unwrap();
        assert_eq!(on.session_id.as_str(), "fresh", "the current transcript is the one created last");
    }
}

#[tokio::test]
async fn purge_takes_what_is_older() {
    for world in World::both() {
        world.say("agent:main:old", &[("1", "user", "ancient", NOW - 10_000)]).await;
        world
            .say("agent:ops:old", &[("1", "user", "ancient", NOW - 9_000), ("2", "user", "recent", NOW - 10)])
            .await;
        world.say("agent:ops:older", &[("1", "user", "ancient", NOW - 20_000)]).await;
        let purged = world.api.purge(Duration::from_secs(5)).await.unwrap();
        assert_eq!((purged.sessions, purged.messages, purged.erasure), (2, 2, ErasureState::Done));
        assert_eq!(world.list(&Context::operator()).await.sessions.len(), 1);
        let json = serde_json::to_value(&purged).unwrap();
        assert_eq!(json, serde_json::json!({"sessions": 2, "messages": 2, "erasure": "done"}));
    }
}

#[tokio::test]
async fn rewind_can_delete_what_is_then_off_the_branch() {
    for world in World::both() {
        world.say("agent:main:main", &[("1", "user", "keep", 1), ("2", "user", "remove", 2)]).await;
        let moved = world.api.rewind("agent:main:main", None, "1", true).await.unwrap();
        assert_eq!((moved.purged, moved.erasure), (1, ErasureState::Done));
        assert!(world.api.rewind("agent:main:main", None, "2", false).await.is_err());
        assert!(world.api.rewind("agent:main:none", None, "1", false).await.is_err());
    }
}

#[tokio::test]
async fn a_search_that_meets_pending_sessions_says_so_and_wakes_their_reconciliation() {
    for world in World::both() {
        world.say("agent:main:main", &[("m", "user", "quokka here", 1)]).await;
        let deferred = ImportOptions { defer_index: true, ..ImportOptions::default() };
        let texts: Vec<(String, String)> =
            (0..50).map(|n| (format!("i{n}"), format!("quokka {n}"))).collect();
        let texts: Vec<(&str, &str)> = texts.iter().map(|(id, text)| (id.as_str(), text.as_str())).collect();
        let imported = source("a.jsonl", "main", "agent:main:imported", &texts);
        world.api.import([imported], &deferred, Arc::new(NoProgress)).await.unwrap();

        let tree = caller("main", "agent:main:main", Scope::Tree);
        let blind = world.find(&tree, search("quokka")).await;
        assert!(!blind.indexing && blind.warning.is_none(), "who sees no pending session hears nothing");

        let first = world.find(&Context::operator(), search("quokka")).await;
        assert!(first.indexing && first.warning.unwrap().contains("still being indexed"));
        assert!(world.api.wait_for_index(&Context::operator(), LONG).await.unwrap());
        let named = session_search_api::SearchRequest {
            session_key: Some("agent:main:imported".into()),
            limit: Some(100),
            ..search("quokka")
        };
        let complete = world.find(&Context::operator(), named).await;
        assert_eq!((complete.results.len(), complete.indexing, complete.warning), (50, false, None));
    }
}

#[tokio::test]
async fn reindex_status_and_verify() {
    for world in World::both() {
        world.say("agent:main:main", &[("m", "user", "quokka", 1)]).await;
        world.say("agent:ops:main", &[("m", "user", "quokka", 1)]).await;
        let done = world.api.reindex(None, LONG).await.unwrap();
        assert_eq!((done.transcripts, done.complete), (2, true));
        let one = world.api.reindex(Some(("agent:ops:main", None)), LONG).await.unwrap();
        assert_eq!((one.transcripts, one.complete), (1, true));
        assert!(world.api.reindex(Some(("agent:ops:none", None)), LONG).await.is_err());
        let status = world.api.status().await.unwrap();
        let json = serde_json::to_value(&status).unwrap();
        assert_eq!((&json[0]["agentId"], &json[1]["agentId"]), (&"main".into(), &"ops".into()));
        assert_eq!((&json[0]["pending"], &json[0]["indexed"]), (&0.into(), &1.into()));
        for report in world.api.verify(false).await.unwrap() {
            assert_eq!(report.answer.unwrap().differences, Vec::<String>::new());
        }
    }
}
