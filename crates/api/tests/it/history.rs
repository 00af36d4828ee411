//! Pages of history.

use session_search_api::core::visibility::Scope;
use session_search_api::{ApiError, AppendRequest, Context, HistoryRequest, HistoryResponse};

use crate::world::{World, caller, raw};

const MAIN: &str = "agent:main:main";

fn newest(limit: i64) -> HistoryRequest {
    HistoryRequest { limit: Some(limit), ..HistoryRequest::newest(MAIN) }
}

fn around(message: &str, limit: i64) -> HistoryRequest {
    HistoryRequest { message_id: Some(message.into()), ..newest(limit) }
}

fn ids(page: &HistoryResponse) -> Vec<&str> {
    page.messages.iter().map(|message| message.message_id.as_str()).collect()
}

async fn numbered(world: &World, count: usize) {
    let texts: Vec<(String, String)> = (0..count).map(|n| (format!("m{n}"), format!("text {n}"))).collect();
    let messages: Vec<_> = texts
        .iter()
        .enumerate()
        .map(|(n, (id, text))| (id.as_str(), "user", text.as_str(), n as i64))
        .collect();
    world.say(MAIN, &messages).await;
}

#[tokio::test]
async fn the_newest_page_then_older_ones() {
    for world in World::both() {
        numbered(&world, 7).await;
        let page = world.read(&Context::operator(), newest(3)).await;
        assert_eq!(ids(&page), ["m4", "m5", "m6"]);
        assert!(page.newer.is_none() && page.reason.is_none() && page.session_id.is_some());
        let page = world.read(&Context::operator(), HistoryRequest { before: page.older, ..newest(3) }).await;
        assert_eq!(ids(&page), ["m1", "m2", "m3"]);
        let last = world
            .read(&Context::operator(), HistoryRequest { before: page.older.clone(), ..newest(3) })
            .await;
        assert_eq!((ids(&last), last.older.is_some()), (vec!["m0"], false));
        let forward =
            world.read(&Context::operator(), HistoryRequest { after: last.newer, ..newest(3) }).await;
        assert_eq!(ids(&forward), ["m1", "m2", "m3"]);
    }
}

#[tokio::test]
async fn an_anchor_is_in_the_middle() {
    for world in World::both() {
        numbered(&world, 9).await;
        let page = world.read(&Context::operator(), around("m4", 5)).await;
        assert_eq!(ids(&page), ["m2", "m3", "m4", "m5", "m6"]);
        assert!(page.older.is_some() && page.newer.is_some());
        // A cursor counts before an anchor that is still in the request.
        let request = HistoryRequest { before: page.older, ..around("m4", 5) };
        assert_eq!(ids(&world.read(&Context::operator(), request).await), ["m0", "m1"]);
    }
}

#[tokio::test]
async fn places_that_are_not_there_give_an_empty_page_with_a_reason() {
    for world in World::both() {
        numbered(&world, 5).await;
        world.say("agent:main:other", &[("x", "user", "elsewhere", 1), ("y", "user", "elsewhere", 2)]).await;
        let theirs = HistoryRequest { limit: Some(1), ..HistoryRequest::newest("agent:main:other") };
        let foreign = world.read(&Context::operator(), theirs).await.older;
        world.api.rewind(MAIN, None, "m2", false).await.unwrap();
        let requests = [
            (around("m4", 5), "rewound"),
            (around("nowhere", 5), "holds that message"),
            (around("x", 5), "holds that message"),
            (around(&"i".repeat(300), 5), "holds that message"),
            (HistoryRequest { session_id: Some("none".into()), ..newest(5) }, "no transcript"),
            (HistoryRequest { before: Some("?".into()), ..newest(5) }, "no cursor"),
            (HistoryRequest { after: foreign, ..newest(5) }, "no cursor"),
        ];
        for (request, reason) in requests {
            let page = world.read(&Context::operator(), request.clone()).await;
            assert!(page.messages.is_empty() && page.older.is_none() && page.newer.is_none(), "{request:?}");
            assert!(page.reason.as_ref().unwrap().contains(reason), "{request:?}: {:?}", page.reason);
        }
    }
}

#[tokio::test]
async fn the_end_of_a_session_says_that_it_is_the_end() {
    let world = World::memory();
    numbered(&world, 2).await;
    let page = world.read(&Context::operator(), newest(1)).await;
    let first = world.read(&Context::operator(), HistoryRequest { before: page.older, ..newest(1) }).await;
    let end = world.read(&Context::operator(), HistoryRequest { after: first.newer, ..newest(5) }).await;
    assert_eq!((ids(&end), end.newer.is_none()), (vec!["m1"], true));
    // The caller's own session, before its first message.
    let own = caller("main", "agent:main:new", Scope::Tree);
    let page = world.read(&own, HistoryRequest::newest("agent:main:new")).await;
    assert!(page.messages.is_empty() && page.reason.unwrap().contains("no messages yet"));
}

#[tokio::test]
async fn an_anchor_is_found_in_the_transcript_that_holds_it() {
    for world in World::both() {
        numbered(&world, 3).await;
        let reset = AppendRequest { session_id: Some("second".into()), ..AppendRequest::to(MAIN) };
        world.append(reset, &[("n0", "user", "after the reset", 100)]).await;
        assert_eq!(ids(&world.read(&Context::operator(), newest(5)).await), ["n0"]);
        let page = world.read(&Context::operator(), around("m1", 5)).await;
        assert_eq!(ids(&page), ["m0", "m1", "m2"]);
        assert_ne!(page.session_id.unwrap().as_str(), "second");
    }
}

#[tokio::test]
async fn long_texts_are_cut_and_read_on() {
    for world in World::both() {
        let text: String = (0..2_000).map(|n| format!("wörd{n} ")).collect();
        world.say(MAIN, &[("m0", "user", "before", 0), ("m", "user", &text, 1)]).await;
        let (mut read, mut offset) = (String::new(), 0);
        loop {
            let request = HistoryRequest { text_offset: Some(offset), ..around("m", 5) };
            let page = world.read(&Context::operator(), request).await;
            assert_eq!(page.messages[0].text, "before", "only the anchor's text is read on");
            let message = &page.messages[1];
            assert!(message.text.chars().count() <= 4_000);
            read.push_str(&message.text);
            match message.next_text_offset {
                Some(next) => offset = i64::try_from(next).unwrap(),
                None => break,
            }
        }
        assert_eq!(read, text);
        let request = HistoryRequest { text_offset: Some(500_000), ..around("m", 1) };
        let page = world.read(&Context::operator(), request).await;
        assert!(page.reason.unwrap().contains("beyond the end"));
    }
}

#[tokio::test]
async fn a_page_stays_within_its_bytes_and_drops_from_the_far_end() {
    for world in World::both() {
        let text = "\u{1f600}".repeat(3_900);
        let events: Vec<(String, i64)> = (0..20).map(|n| (format!("m{n:02}"), n)).collect();
        let messages: Vec<_> =
            events.iter().map(|(id, n)| (id.as_str(), "user", text.as_str(), *n)).collect();
        world.say(MAIN, &messages).await;
        let bytes = |page: &HistoryResponse| serde_json::to_string(page).unwrap().len();

        let page = world.read(&Context::operator(), newest(20)).await;
        assert!(bytes(&page) <= 80 << 10);
        assert_eq!(ids(&page), ["m15", "m16", "m17", "m18", "m19"]);
        assert!(page.older.is_some() && page.newer.is_none());
        let before =
            world.read(&Context::operator(), HistoryRequest { before: page.older, ..newest(20) }).await;
        assert_eq!(
            ids(&before),
            ["m10", "m11", "m12", "m13", "m14"],
            "nothing is skipped by what was dropped"
        );

        let page = world.read(&Context::operator(), around("m10", 20)).await;
        assert!(bytes(&page) <= 80 << 10);
        assert_eq!(ids(&page), ["m08", "m09", "m10", "m11", "m12"]);
        let after =
            world.read(&Context::operator(), HistoryRequest { after: page.newer, ..newest(20) }).await;
        assert_eq!(ids(&after), ["m13", "m14", "m15", "m16", "m17"]);
    }
}

#[tokio::test]
async fn tools_follow_their_message_where_they_are_asked_for() {
    for world in World::both() {
        let call = raw(
            serde_json::json!({"type": "message", "id": "c", "timestamp": 1, "message": {"role": "assistant",
            "content": [{"type": "text", "text": "reading"}, {"type": "toolCall", "name": "read", "arguments": {"p": "a.rs"}}]}}),
        );
        let long = "x".repeat(2_500);
        let result = raw(serde_json::json!({"type": "message", "id": "r", "timestamp": 2,
            "message": {"role": "toolResult", "toolName": "read", "content": long}}));
        world.api.append(&AppendRequest::to(MAIN), vec![call, result]).await.unwrap();
        world.say(MAIN, &[("m", "user", "thanks", 3)]).await;
        let page = world.read(&Context::operator(), newest(5)).await;
        assert_eq!(ids(&page), ["c", "m"]);
        assert!(page.messages[0].tools.is_empty());
        let page =
            world.read(&Context::operator(), HistoryRequest { include_tools: true, ..newest(5) }).await;
        let json = serde_json::to_value(&page).unwrap();
        let tools = &json["messages"][0]["tools"];
        assert_eq!(tools[0], serde_json::json!({"kind": "call", "name": "read", "text": "{\"p\":\"a.rs\"}"}));
        assert_eq!(tools[1]["text"].as_str().unwrap().len(), 2_000);
        assert_eq!((&tools[1]["kind"], &tools[1]["truncated"]), (&"result".into(), &true.into()));
    }
}

#[tokio::test]
async fn values_out_of_range_are_named() {
    let world = World::memory();
    numbered(&world, 3).await;
    let bad = [
        (newest(0), "from 1 to 100"),
        (newest(101), "from 1 to 100"),
        (HistoryRequest { text_offset: Some(-1), ..around("m1", 5) }, "textOffset is -1"),
        (HistoryRequest { text_offset: Some(5), ..newest(5) }, "needs a messageId"),
        (
            HistoryRequest { before: Some("a".into()), after: Some("b".into()), ..newest(5) },
            "exclude each other",
        ),
    ];
    for (request, says) in bad {
        let error = world.api.history(&Context::operator(), &request).await.unwrap_err();
        assert!(matches!(error, ApiError::Invalid(_)) && error.to_string().contains(says), "{error}");
    }
    let harmless = HistoryRequest { text_offset: Some(0), ..newest(5) };
    assert_eq!(world.read(&Context::operator(), harmless).await.messages.len(), 3);
}
