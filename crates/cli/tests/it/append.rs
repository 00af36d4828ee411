//! Writing: what is acknowledged is there, in order, under the ids that were printed.

use serde_json::{Value, json};

use crate::harness::{Home, message};

#[test]
fn ids_are_printed_one_a_line_and_found_at_once() {
    let home = Home::new();
    let event = json!({"type": "message", "message": {"role": "user", "content": "a heron by the weir"}});
    let run = home.feed(&["append", "agent:main:main"], format!("{event}\n{event}\n"));
    assert_eq!(run.status, 0, "{}", run.err);
    let ids: Vec<Value> = run.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(ids.len(), 2);
    assert!(ids.iter().all(|id| id.as_object().unwrap().len() == 1 && id["id"].is_string()));
    assert_ne!(ids[0], ids[1]);
    assert_eq!(home.hits(&["heron weir"]).len(), 2);
    let page = home.json(&["history", "agent:main:main"]);
    let stored: Vec<_> =
        page["messages"].as_array().unwrap().iter().map(|m| json!({"id": m["messageId"]})).collect();
    assert_eq!(stored, ids);
}

#[test]
fn blank_lines_are_nothing_and_a_last_line_needs_no_end() {
    let home = Home::new();
    let run = home.feed(
        &["append", "agent:main:main"],
        format!("\n{}\r\n{}", message(1, "user", "one").trim_end(), message(2, "user", "two").trim_end()),
    );
    assert_eq!((run.status, run.out.as_str()), (0, "{\"id\":\"m1\"}\n{\"id\":\"m2\"}\n"), "{}", run.err);
    let nothing = home.feed(&["append", "agent:main:main"], "");
    assert_eq!((nothing.status, nothing.out.as_str()), (0, ""));
}

#[test]
fn a_new_session_id_is_a_reset() {
    let home = Home::new();
    let first = home.feed(&["append", "agent:main:main", "--session-id", "s1"], message(1, "user", "otter"));
    let second =
        home.feed(&["append", "agent:main:main", "--session-id", "s2"], message(2, "user", "otters two"));
    assert_eq!((first.status, second.status), (0, 0));
    let listed = home.json(&["list"]);
    assert_eq!(listed["sessions"][0]["sessionIds"], json!(["s1", "s2"]));
    let current = home.json(&["history", "agent:main:main"]);
    assert_eq!(
        (current["sessionId"].as_str(), current["messages"].as_array().unwrap().len()),
        (Some("s2"), 1)
    );
    assert_eq!(home.hits(&["otter*"]).len(), 2);
}

#[test]
fn a_batch_is_stored_whole() {
    let home = Home::new();
    let lines: String = (1..=40).map(|n| message(n, "user", "batch of many")).collect();
    let run = home.feed(&["append", "agent:main:main", "--batch"], lines);
    let expected: String = (1..=40).map(|n| format!("{{\"id\":\"m{n}\"}}\n")).collect();
    assert_eq!((run.status, run.out), (0, expected), "{}", run.err);
    let conflict = message(41, "user", "new") + &message(1, "user", "another text");
    let run = home.feed(&["append", "agent:main:main", "--batch"], conflict);
    assert_eq!((run.status, run.out.as_str()), (1, ""));
    assert!(run.err.contains("m1"), "{}", run.err);
    assert!(home.hits(&["new"]).is_empty());
}

#[test]
fn titles_lineage_and_incognito_are_kept() {
    let home = Home::new();
    home.talk("agent:main:main", &[("user", "parent")], &["--title", "Planning the  weir"]);
    home.talk("agent:main:child", &[("user", "child")], &["--spawned-by", "agent:main:main"]);
    home.talk("agent:main:quiet", &[("user", "hush")], &["--incognito"]);
    let listed = home.json(&["list"]);
    let session = |key: &str| {
        let found = listed["sessions"].as_array().unwrap().iter().find(|s| s["sessionKey"] == key);
        found.unwrap_or_else(|| panic!("{key} in {listed}")).clone()
    };
    assert_eq!(session("agent:main:main")["title"], "Planning the weir");
    assert_eq!(session("agent:main:child")["spawnedBy"], "agent:main:main");
    assert!(home.hits(&["hush"]).is_empty());
    let page = home.json(&["history", "agent:main:quiet"]);
    assert_eq!(page["messages"][0]["text"], "hush");
    let seen = home.json(&["list", "--as", "agent:main:quiet", "--visibility", "agent"]);
    assert!(!seen.to_string().contains("agent:main:quiet"), "{seen}");
}

#[test]
fn unknown_leaf_targets_are_a_warning() {
    let home = Home::new();
    home.talk("agent:main:main", &[("user", "one")], &[]);
    let run = home
        .feed(&["append", "agent:main:main"], "{\"type\":\"leaf\",\"id\":\"l1\",\"targetId\":\"ghost\"}\n");
    assert_eq!((run.status, run.out.as_str()), (0, "{\"id\":\"l1\"}\n"));
    assert!(run.err.contains("ghost"), "{}", run.err);
    assert_eq!(home.hits(&["one"]), ["one"]);
}
