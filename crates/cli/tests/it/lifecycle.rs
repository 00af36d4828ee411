//! The index: pending, brought up to date, rebuilt, verified.

use serde_json::json;

use crate::harness::{Home, message};

/// A pi session of that many messages.
fn transcript(home: &Home, messages: usize) -> String {
    let header = json!({"type": "session", "version": 3, "id": "s1", "timestamp": "2026-01-02T03:00:00Z", "cwd": "/tmp"});
    let body: String = (1..=messages).map(|n| message(n, "user", &format!("sandpiper number{n}"))).collect();
    home.file("pi/s1.jsonl", &format!("{header}\n{body}")).to_str().unwrap().to_owned()
}

#[test]
fn a_deferred_import_is_pending_until_a_search_waits_for_it() {
    let home = Home::new();
    let path = transcript(&home, 100);
    let report = home.json(&["import", "--defer-index", &path]);
    assert_eq!(report["messages"], 100);
    let status = home.json(&["status"]);
    assert_eq!(status["agents"][0]["pending"], 1, "{status}");
    let at_once = home.json(&["search", "--wait", "0", "sandpiper"]);
    assert_eq!(at_once["indexing"], true, "{at_once}");
    assert!(at_once["warning"].is_string());
    let complete = home.json(&["search", "--per-session", "1000", "--limit", "1000", "sandpiper"]);
    assert_eq!(complete["results"].as_array().unwrap().len(), 100);
    assert!(
        complete.get("indexing").is_none() && complete.get("warning").is_none(),
        "{}",
        complete["warning"]
    );
    assert_eq!(home.json(&["status"])["agents"][0]["pending"], 0);
}

#[test]
fn who_sees_nothing_pending_hears_nothing_of_it() {
    let home = Home::new();
    home.talk("agent:main:main", &[("user", "sandpiper")], &[]);
    let before = home.run(&["--json", "search", "--as", "agent:main:main", "--wait", "0", "sandpiper"]).out;
    let path = transcript(&home, 50);
    home.json(&["import", "--defer-index", "--agent", "main", &path]);
    let after = home.run(&["--json", "search", "--as", "agent:main:main", "--wait", "0", "sandpiper"]).out;
    assert_eq!(before, after);
}

#[test]
fn status_reindex_and_verify_as_people_read_them() {
    let home = Home::new();
    home.talk("agent:main:main", &[("user", "one"), ("assistant", "two")], &[]);
    let status = home.run(&["status"]);
    assert_eq!(status.status, 0);
    assert!(status.out.contains("main") && status.out.contains('2'), "{}", status.out);
    insta::assert_snapshot!("reindex", home.run(&["reindex"]).shown());
    insta::assert_snapshot!("reindex-key", home.run(&["reindex", "agent:main:main"]).shown());
    insta::assert_snapshot!("verify", home.run(&["verify"]).shown());
    assert_eq!(home.hits(&["one"]), ["one"]);
}
