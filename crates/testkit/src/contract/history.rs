//! Pages of history: each message once, right places, right reasons.

use serde_json::json;
use session_search_core::store::{
    HistoryAnswer, HistoryFrom, HistoryPage, HistoryPlan, MissingPlace, Rewind,
};
use session_search_core::text::{ToolKind, ToolPart};
use session_search_core::{Cursor, Role, Visible};

use crate::factory::StoreFactory;
use crate::fixture::{
    Draft, assistant, at, chunk, event_id, key, leaf, other, pages, session_id, tool_call, tool_result, user,
};
use crate::kit::{Kit, ids};

fn talk(from: i64, to: i64) -> Vec<Draft> {
    (from..to).map(|n| user(&format!("m{n:03}"), &format!("message {n}")).at(n)).collect()
}

fn numbered(range: std::ops::Range<i64>) -> Vec<String> {
    range.map(|n| format!("m{n:03}")).collect()
}

fn edge(page: &HistoryPage, newest: bool) -> Cursor {
    let message = if newest { page.messages.last() } else { page.messages.first() };
    Cursor { session_id: page.session_id.clone(), event_id: message.unwrap().event_id.clone() }
}

/// Oldest first, with the message as stored, and whether there is more.
pub async fn the_newest_page_is_the_end_of_the_branch(factory: &dyn StoreFactory) {
    let kit = Kit::new(factory).await;
    kit.say("a", &talk(0, 9)).await;
    kit.say("a", &[assistant("m009", "message 9").at(9)]).await;
    let page = kit.page(&pages("a", HistoryFrom::Newest, 4)).await;
    assert_eq!(ids(&page), numbered(6..10));
    assert_eq!((page.older, page.newer), (true, false));
    assert_eq!(page.session_id, session_id("a-s1"));
    let last = page.messages.last().unwrap();
    assert_eq!((last.role, last.timestamp, last.text.as_str()), (Role::Assistant, at(9), "message 9"));
    assert!(last.tools.is_empty() && !format!("{last:?}").contains("message 9"));
    let whole = kit.page(&pages("a", HistoryFrom::Newest, 10)).await;
    assert_eq!((whole.messages.len(), whole.older, whole.newer), (10, false, false));
    kit.say_in("a", "a-s2", &talk(50, 52)).await;
    assert_eq!(ids(&kit.page(&pages("a", HistoryFrom::Newest, 10)).await), numbered(50..52));
    let old = HistoryPlan { session_id: Some(session_id("a-s1")), ..pages("a", HistoryFrom::Newest, 2) };
    assert_eq!(ids(&kit.page(&old).await), numbered(8..10));
}

/// Backwards from the newest page and forwards again, for every page size.
pub async fn paging_from_end_to_end_yields_each_message_once(factory: &dyn StoreFactory) {
    let kit = Kit::new(factory).await;
    kit.say("a", &talk(0, 23)).await;
    for limit in [1, 2, 5, 22, 23, 24] {
        let mut page = kit.page(&pages("a", HistoryFrom::Newest, limit)).await;
        let mut seen = ids(&page);
        while page.older {
            page = kit.page(&pages("a", HistoryFrom::Before(edge(&page, false)), limit)).await;
            assert!(page.newer && page.messages.len() <= limit && !page.messages.is_empty());
            seen.splice(0..0, ids(&page));
        }
        assert_eq!(seen, numbered(0..23), "backwards by {limit}");
        let mut seen = ids(&page);
        while page.newer {
            page = kit.page(&pages("a", HistoryFrom::After(edge(&page, true)), limit)).await;
            assert!(page.older && page.messages.len() <= limit && !page.messages.is_empty());
            seen.extend(ids(&page));
        }
        assert_eq!(seen, numbered(0..23), "forwards by {limit}");
    }
    let end = Cursor { session_id: session_id("a-s1"), event_id: event_id("m022") };
    let beyond = kit.page(&pages("a", HistoryFrom::After(end), 5)).await;
    assert_eq!((beyond.messages.len(), beyond.older, beyond.newer), (0, true, false));
    let start = Cursor { session_id: session_id("a-s1"), event_id: event_id("m000") };
    let before = kit.page(&pages("a", HistoryFrom::Before(start), 5)).await;
    assert_eq!((before.messages.len(), before.older, before.newer), (0, false, true));
}

/// A cursor means the same place, also in a session that was reset since.
pub async fn pages_stay_right_while_messages_are_appended(factory: &dyn StoreFactory) {
    let kit = Kit::new(factory).await;
    kit.say("a", &talk(0, 10)).await;
    let mut page = kit.page(&pages("a", HistoryFrom::Newest, 3)).await;
    let mut seen = ids(&page);
    let mut next = 10;
    while page.older {
        kit.say("a", &talk(next, next + 2)).await;
        next += 2;
        page = kit.page(&pages("a", HistoryFrom::Before(edge(&page, false)), 3)).await;
        seen.splice(0..0, ids(&page));
    }
    assert_eq!(seen, numbered(0..10));
    let last = Cursor { session_id: session_id("a-s1"), event_id: event_id("m009") };
    kit.say_in("a", "a-s2", &talk(70, 72)).await;
    let newer = kit.page(&pages("a", HistoryFrom::After(last), 100)).await;
    assert_eq!(ids(&newer), numbered(10..next), "a cursor names its transcript");
}

/// As many before as after; at an end the page holds the anchor all the same.
pub async fn the_page_is_centred_on_its_anchor(factory: &dyn StoreFactory) {
    let kit = Kit::new(factory).await;
    kit.say("a", &talk(0, 40)).await;
    for limit in [1, 2, 5, 10, 100] {
        for at in [0, 1, 7, 20, 38, 39] {
            let page =
                kit.page(&pages("a", HistoryFrom::Around(event_id(&format!("m{at:03}"))), limit)).await;
            let ids = ids(&page);
            let place =
                ids.iter().position(|id| *id == format!("m{at:03}")).expect("the anchor is on its page");
            let (before, after) = (place, ids.len() - 1 - place);
            let first = at - place as i64;
            assert_eq!(ids, numbered(first..first + ids.len() as i64), "a run without gaps");
            assert!(ids.len() <= limit);
            assert_eq!((page.older, page.newer), (first > 0, first + (ids.len() as i64) < 40));
            if at >= limit as i64 && at + (limit as i64) < 40 {
                assert_eq!(ids.len(), limit);
                assert!(before.abs_diff(after) <= 1, "{before} before, {after} after");
            }
        }
    }
}

/// Never the tail: a reason.
pub async fn places_that_are_not_on_the_branch(factory: &dyn StoreFactory) {
    let kit = Kit::new(factory).await;
    kit.say("a", &talk(0, 5)).await;
    kit.store.rewind(Rewind { key: key("a"), to: event_id("m001"), purge: false }).await.unwrap();
    kit.say("a", &[user("n", "on")]).await;
    let missing = async |session: Option<&str>, from: HistoryFrom| {
        let plan = HistoryPlan { session_id: session.map(session_id), ..pages("a", from, 5) };
        match kit.store.history(&Visible::NotIncognito, &plan).await.unwrap() {
            HistoryAnswer::Missing(missing) => missing,
            HistoryAnswer::Page(page) => panic!("{:?}", ids(&page)),
        }
    };
    let around = |id: &str| HistoryFrom::Around(event_id(id));
    let cursor = |id: &str| Cursor { session_id: session_id("a-s1"), event_id: event_id(id) };
    assert_eq!(missing(None, around("m003")).await, MissingPlace::OffBranch);
    assert_eq!(missing(Some("a-s1"), around("m003")).await, MissingPlace::OffBranch);
    assert_eq!(missing(None, around("unknown")).await, MissingPlace::Message);
    assert_eq!(missing(Some("unknown"), HistoryFrom::Newest).await, MissingPlace::Transcript);
    assert_eq!(missing(Some("unknown"), around("n")).await, MissingPlace::Transcript);
    for made in [HistoryFrom::Before, HistoryFrom::After] {
        assert_eq!(missing(None, made(cursor("m003"))).await, MissingPlace::OffBranch);
        assert_eq!(missing(None, made(cursor("unknown"))).await, MissingPlace::Message);
    }
    // Once purged it was never there.
    kit.store.rewind(Rewind { key: key("a"), to: event_id("n"), purge: true }).await.unwrap();
    assert_eq!(missing(None, around("m003")).await, MissingPlace::Message);
}

/// Without a session id the transcript that holds the anchor is meant: the current one, else the newest.
pub async fn an_anchor_finds_its_transcript(factory: &dyn StoreFactory) {
    let kit = Kit::new(factory).await;
    kit.import(chunk("a", "s1", &[user("x", "one").at(1), user("y", "one").at(2)])).await;
    kit.import(chunk("a", "s2", &[user("x", "two").at(11), user("z", "two").at(12)])).await;
    kit.import(chunk("a", "s3", &[user("w", "three").at(21)])).await;
    for (anchor, session, expected) in
        [("w", None, "s3"), ("y", None, "s1"), ("x", None, "s2"), ("x", Some("s1"), "s1"), ("z", None, "s2")]
    {
        let around = HistoryFrom::Around(event_id(anchor));
        let plan = HistoryPlan { session_id: session.map(session_id), ..pages("a", around, 5) };
        assert_eq!(kit.page(&plan).await.session_id, session_id(expected), "{anchor} in {session:?}");
    }
    let elsewhere = HistoryPlan {
        session_id: Some(session_id("s3")),
        ..pages("a", HistoryFrom::Around(event_id("y")), 5)
    };
    let answer = kit.store.history(&Visible::Everything, &elsewhere).await.unwrap();
    assert_eq!(answer, HistoryAnswer::Missing(MissingPlace::Message));
}

/// Calls with the message that made them, results after it; without tools, messages with text only.
pub async fn tools_follow_their_message(factory: &dyn StoreFactory) {
    let kit = Kit::new(factory).await;
    kit.say(
        "a",
        &[
            user("m1", "list it"),
            tool_call("m2", "ls", json!({"path": "/"})),
            tool_result("r1", "ls", "bin etc"),
            other("model_change", "x"),
            tool_result("r2", "ls", "more"),
            assistant("m3", "done"),
            user("m4", ""),
        ],
    )
    .await;
    let plain = kit.page(&pages("a", HistoryFrom::Newest, 10)).await;
    assert_eq!(ids(&plain), ["m1", "m3"]);
    assert!(plain.messages.iter().all(|message| message.tools.is_empty()));
    let with_tools = HistoryPlan { include_tools: true, ..pages("a", HistoryFrom::Newest, 10) };
    let page = kit.page(&with_tools).await;
    assert_eq!(ids(&page), ["m1", "m2", "m3", "m4"]);
    let part = |kind, text: &str| ToolPart { kind, name: Some("ls".into()), text: text.into() };
    let expected = [
        part(ToolKind::Call, r#"{"path":"/"}"#),
        part(ToolKind::Result, "bin etc"),
        part(ToolKind::Result, "more"),
    ];
    assert_eq!(page.messages[1].tools, expected);
    assert!(page.messages[1].text.is_empty() && page.messages[2].tools.is_empty());
    // Cut into pages of one, the parts stay with their message.
    let mut seen = Vec::new();
    let mut one = kit.page(&HistoryPlan { limit: 1, ..with_tools.clone() }).await;
    loop {
        seen.splice(0..0, one.messages.clone());
        if !one.older {
            break;
        }
        let from = HistoryFrom::Before(edge(&one, false));
        one = kit.page(&HistoryPlan { from, limit: 1, ..with_tools.clone() }).await;
    }
    assert_eq!(seen, page.messages);
}

/// History reads the transcript, not the index.
pub async fn history_is_right_while_pending(factory: &dyn StoreFactory) {
    let kit = Kit::new(factory).await;
    let mut deferred = chunk("a", "s1", &talk(0, 300));
    deferred.defer_index = true;
    kit.import(deferred).await;
    assert_eq!(kit.branch("a").await, numbered(0..300));
    kit.store.rewind(Rewind { key: key("a"), to: event_id("m009"), purge: false }).await.unwrap();
    assert_eq!(kit.store.pending(&Visible::Everything).await.unwrap(), 1);
    assert_eq!(kit.branch("a").await, numbered(0..10));
    let page = kit.page(&pages("a", HistoryFrom::Around(event_id("m005")), 3)).await;
    assert_eq!(ids(&page), numbered(4..7));
    assert_eq!(kit.listed("a").await.unwrap().messages, 10);
}

/// A branch that was emptied, or holds no message.
pub async fn an_empty_branch_is_an_empty_page(factory: &dyn StoreFactory) {
    let kit = Kit::new(factory).await;
    kit.say("a", &[user("m1", "one"), leaf("l", json!(null))]).await;
    kit.say("b", &[other("session_info", "i")]).await;
    for session in ["a", "b"] {
        let page = kit.page(&pages(session, HistoryFrom::Newest, 5)).await;
        assert_eq!((page.messages.len(), page.older, page.newer), (0, false, false));
    }
}
