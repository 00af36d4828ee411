//! Reopening: pages, anchors, tools, long texts.

use serde_json::{Value, json};

use crate::harness::{Home, message};

const KEY: &str = "agent:main:main";

fn ids(page: &Value) -> Vec<String> {
    page["messages"].as_array().unwrap().iter().map(|m| m["messageId"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn pages_as_people_read_them() {
    let home = Home::new();
    home.talk(
        KEY,
        &[
            ("user", "Where is the heron?"),
            ("assistant", "By the weir.\n\n    code stays\n"),
            ("user", "重試策略用指數退避，支付隊列在六次之後暫停，直到有人查看為止，然後再繼續。"),
        ],
        &["--title", "Birds"],
    );
    insta::assert_snapshot!("history", home.run(&["history", KEY]).shown());
    insta::assert_snapshot!(
        "history-page",
        home.run(&["history", KEY, "--around", "m2", "--limit", "1"]).shown()
    );
    insta::assert_snapshot!("history-unknown", home.run(&["history", KEY, "--around", "ghost"]).shown());
}

#[test]
fn paging_from_end_to_end_yields_each_message_once() {
    let home = Home::new();
    let talk: Vec<(&str, &str)> = (0..23).map(|_| ("user", "step")).collect();
    home.talk(KEY, &talk, &[]);
    let mut page = home.json(&["history", KEY, "--limit", "5"]);
    let mut seen = ids(&page);
    while let Some(older) = page["older"].as_str().map(str::to_owned) {
        page = home.json(&["history", KEY, "--limit", "5", "--before", &older]);
        seen.splice(0..0, ids(&page));
    }
    assert_eq!(seen, (1..=23).map(|n| format!("m{n}")).collect::<Vec<_>>());
    let mut forward = ids(&page);
    while let Some(newer) = page["newer"].as_str().map(str::to_owned) {
        page = home.json(&["history", KEY, "--limit", "5", "--after", &newer]);
        forward.extend(ids(&page));
    }
    assert_eq!(forward, seen);
}

#[test]
fn long_texts_are_cut_and_read_on() {
    let home = Home::new();
    let text: String = (0..2_000).map(|n| format!("word{n} ")).collect();
    home.talk(KEY, &[("user", text.trim_end())], &[]);
    let first = home.json(&["history", KEY, "--around", "m1"]);
    assert_eq!(first["messages"][0]["truncated"], true);
    let mut whole = String::new();
    loop {
        let offset = whole.chars().count().to_string();
        let page = home.json(&["history", KEY, "--around", "m1", "--text-offset", &offset]);
        let message =
            page["messages"].as_array().unwrap().iter().find(|m| m["messageId"] == "m1").unwrap().clone();
        let part = message["text"].as_str().unwrap();
        assert!(!part.is_empty() && part.chars().count() <= 4_000);
        whole.push_str(part);
        if message["truncated"] != true {
            break;
        }
    }
    assert_eq!(whole, text.trim_end());
}

#[test]
fn tools_are_shown_where_asked_for() {
    let home = Home::new();
    let call = json!({"type": "message", "id": "c", "timestamp": "2026-01-02T03:02:00Z", "message": {"role": "assistant",
        "content": [{"type": "text", "text": "looking"}, {"type": "toolCall", "id": "t", "name": "grep", "arguments": {"pattern": "heron"}}]}});
    let result = json!({"type": "message", "id": "r", "timestamp": "2026-01-02T03:03:00Z", "message": {"role": "toolResult",
        "toolName": "grep", "content": [{"type": "text", "text": "birds.txt:7"}]}});
    let input = format!("{}{call}\n{result}\n", message(1, "user", "find it"));
    assert_eq!(home.feed(&["append", KEY, "--session-id", "s1"], input).status, 0);
    let without = home.json(&["history", KEY]).to_string();
    assert!(!without.contains("birds.txt") && !without.contains("grep"), "{without}");
    let with = home.json(&["history", KEY, "--include-tools"]).to_string();
    assert!(with.contains("birds.txt:7") && with.contains("grep"), "{with}");
    insta::assert_snapshot!("history-tools", home.run(&["history", KEY, "--include-tools"]).shown());
    assert!(home.hits(&["birds"]).is_empty());
}
