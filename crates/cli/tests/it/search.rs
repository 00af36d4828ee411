//! Searching: what each option does, and how hits look.

use serde_json::json;

use crate::harness::{Home, message};

/// Two agents, a spawned session, and text in several scripts.
fn home() -> Home {
    let home = Home::new();
    home.talk(
        "agent:main:main",
        &[
            ("user", "Which retry policy do we want for the payment queue?"),
            ("assistant", "We chose exponential backoff with jitter; the retry policy caps at six tries, and the payment queue pauses after that so that nobody is charged twice."),
            ("user", "Thanks. 重試策略用指數退避，支付隊列在六次之後暫停。"),
        ],
        &["--title", "Payments"],
    );
    home.talk(
        "agent:main:reader",
        &[("assistant", "retry report: done")],
        &["--spawned-by", "agent:main:main"],
    );
    home.talk("notes: \"odd\" key", &[("user", "retry the odd one")], &["--agent", "ops"]);
    home
}

fn keys(home: &Home, arguments: &[&str]) -> Vec<String> {
    let answer = home.json(&[&["search"], arguments].concat());
    answer["results"]
        .as_array()
        .unwrap()
        .iter()
        .map(|hit| hit["sessionKey"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn hits_as_people_read_them() {
    let home = home();
    insta::assert_snapshot!("search", home.run(&["search", "retry"]).shown());
    let mut narrow = home.command(&["search", "重試策略"]);
    narrow.env("COLUMNS", "40");
    insta::assert_snapshot!("search-narrow", crate::harness::feed(narrow, b"").shown());
    let mut styled = home.command(&["search", "\"retry policy\""]);
    styled.env_remove("NO_COLOR").env("CLICOLOR_FORCE", "1");
    insta::assert_snapshot!(
        "search-styled",
        crate::harness::feed(styled, b"").shown().replace('\u{1b}', "ESC")
    );
    insta::assert_snapshot!("search-nothing", home.run(&["search", "zeppelin"]).shown());
    insta::assert_snapshot!("search-cut", home.run(&["search", "--limit", "1", "retry"]).shown());
}

#[test]
fn the_line_that_reopens_a_hit_does() {
    let home = home();
    let run = home.run(&["search", "odd"]);
    let line = run.out.lines().find(|line| line.contains("sessions history")).unwrap().trim();
    let shell = format!("{} --json", line.replacen("sessions", env!("CARGO_BIN_EXE_sessions"), 1));
    let mut command = home.command(&[]);
    let path = command.get_program().to_owned();
    assert!(shell.starts_with(&*path.to_string_lossy()));
    command = std::process::Command::new("bash");
    command.args(["-c", &shell]).env("SESSIONS_HOME", home.path()).env("TZ", "UTC");
    let output = command.output().unwrap();
    let page: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(page["messages"][0]["text"], "retry the odd one", "{line}");
}

#[test]
fn filters() {
    let home = home();
    assert_eq!(home.hits(&["--role", "assistant", "retry"]).len(), 2);
    assert_eq!(keys(&home, &["--agent", "ops", "retry"]), ["notes: \"odd\" key"]);
    assert_eq!(keys(&home, &["--session", "agent:main:reader", "retry"]), ["agent:main:reader"]);
    assert_eq!(home.hits(&["--per-session", "1", "retry"]).len(), 3);
    assert_eq!(home.hits(&["--limit", "2", "retry"]).len(), 2);
    assert_eq!(home.hits(&["--since", "2026-01-02T03:02:00Z", "retry"]).len(), 1);
    assert_eq!(home.hits(&["--until", "2026-01-02T03:02:00Z", "retry"]).len(), 3);
    assert_eq!(home.hits(&["--until", "2026-01-02", "retry"]).len(), 4);
    assert_eq!(home.hits(&["--since", "2026-01-03", "retry"]).len(), 0);
    let recent = home.json(&["search", "--order", "recent", "--per-session", "9", "retry"]);
    let times: Vec<_> =
        recent["results"].as_array().unwrap().iter().map(|hit| hit["timestamp"].as_i64().unwrap()).collect();
    assert!(times.len() == 4 && times.is_sorted_by(|a, b| a >= b), "{times:?}");
}

#[test]
fn times_without_a_zone_are_local() {
    let home = home();
    let count = |zone: &str, since: &str| {
        let mut command = home.command(&["--json", "search", "--since", since, "retry"]);
        command.env("TZ", zone);
        crate::harness::feed(command, b"").document()["results"].as_array().unwrap().len()
    };
    // The four messages were said between 03:01 and 03:02 UTC, which is after 12:00 in Tokyo.
    assert_eq!(count("UTC", "2026-01-02T12:00:00"), 0);
    assert_eq!(count("Asia/Tokyo", "2026-01-02T12:00:00"), 4);
    assert_eq!(count("Asia/Tokyo", "2026-01-02T12:00:00Z"), 0);
    let mut shown = home.command(&["search", "odd"]);
    shown.env("TZ", "Asia/Tokyo");
    assert!(crate::harness::feed(shown, b"").out.contains("2026-01-02 12:01"));
}

#[test]
fn what_a_caller_sees() {
    let home = home();
    let seen = |flags: &[&str]| {
        let mut keys = keys(&home, &[flags, &["--per-session", "1", "retry"]].concat());
        keys.sort();
        keys
    };
    assert_eq!(seen(&["--as", "agent:main:main"]), ["agent:main:main", "agent:main:reader"]);
    assert_eq!(seen(&["--as", "agent:main:main", "--visibility", "self"]), ["agent:main:main"]);
    assert_eq!(seen(&["--as", "agent:main:main", "--exclude-current"]), ["agent:main:reader"]);
    assert_eq!(seen(&["--as", "agent:main:reader"]), ["agent:main:reader"]);
    assert_eq!(
        seen(&["--as", "agent:main:reader", "--visibility", "agent"]),
        ["agent:main:main", "agent:main:reader"]
    );
    assert_eq!(
        seen(&["--as", "agent:main:reader", "--visibility", "agent", "--sandboxed"]),
        ["agent:main:reader"]
    );
    let all = ["--as", "agent:main:reader", "--visibility", "all"];
    assert_eq!(seen(&all).len(), 2);
    assert_eq!(seen(&[&all[..], &["--agent-to-agent"]].concat()).len(), 3);
    let allow = |pattern: &str| {
        seen(&[&all[..], &["--agent-to-agent", "--agent-to-agent-allow", pattern]].concat()).len()
    };
    assert_eq!((allow("*"), allow("m*"), allow("zzz")), (3, 2, 2));
    let notes = "notes: \"odd\" key";
    assert_eq!(seen(&["--as", notes, "--as-agent", "ops"]), [notes]);
    assert_eq!(seen(&["--as", "agent:main:ghost", "--visibility", "all"]), [""; 0]);
}

#[test]
fn flags_without_a_caller_are_said_to_be_idle() {
    let home = home();
    let run = home.run(&["search", "--visibility", "self", "odd"]);
    assert_eq!(run.status, 0);
    assert!(run.err.contains("--as"), "{}", run.err);
}

#[test]
fn the_same_search_gives_the_same_bytes() {
    let home = home();
    let first = home.run(&["--json", "search", "retry"]).out;
    assert!((0..3).all(|_| home.run(&["--json", "search", "retry"]).out == first));
}

#[test]
fn secrets_are_neither_shown_nor_found() {
    let home = Home::new();
    // Made of parts, so that no scanner takes this file for a leak.
    let secret = ["gh", "p_", "16C7e42F292c6912E7710c838347Ae178B4a"].concat();
    home.talk("agent:main:main", &[("user", &format!("the deploy token is {secret} keep it"))], &[]);
    let run = home.run(&["--json", "search", "deploy token"]);
    assert!(run.out.contains("[REDACTED:") && !run.out.contains("16C7e42F"), "{}", run.out);
    assert!(home.hits(&[&secret]).is_empty());
    assert!(home.hits(&["16C7e42F292c*"]).is_empty());
    let page = home.json(&["history", "agent:main:main"]);
    assert_eq!(page["messages"][0]["redacted"], true);
    assert!(!page.to_string().contains("16C7e42F"));
    let bare = home.json(&["history", "agent:main:main", "--show-secrets"]);
    assert!(bare["messages"][0]["text"].as_str().unwrap().contains(&secret));
}

#[test]
fn hidden_characters_are_escaped_for_people_and_removed_for_programs() {
    let home = Home::new();
    home.talk("agent:main:main", &[("user", "plum \u{202e}tart\u{1b}[2J")], &[]);
    let run = home.run(&["search", "plum"]);
    assert!(!run.out.contains(['\u{202e}', '\u{1b}']), "{}", run.out);
    let page = home.run(&["history", "agent:main:main"]);
    assert!(!page.out.contains(['\u{202e}', '\u{1b}']), "{}", page.out);
    let hit = &home.hits(&["plum"])[0];
    assert!(hit.starts_with("plum tart") && hit.is_ascii() && !hit.contains(char::is_control), "{hit:?}");
}

#[test]
fn from_imports_what_is_new_first() {
    let home = Home::new();
    let header = json!({"type": "session", "version": 3, "id": "s1", "timestamp": "2026-01-02T03:00:00Z", "cwd": "/tmp"});
    let path = home.file("pi/s1.jsonl", &format!("{header}\n{}", message(1, "user", "estuary")));
    let from = path.to_str().unwrap();
    assert_eq!(home.hits(&["--from", from, "estuary"]), ["estuary"]);
    let more = format!("{}{}", std::fs::read_to_string(&path).unwrap(), message(2, "user", "estuary again"));
    std::fs::write(&path, more).unwrap();
    assert_eq!(home.hits(&["estuary"]).len(), 1);
    assert_eq!(home.hits(&["--from", from, "estuary"]).len(), 2);
}
