//! Importing: what is new, once.

use serde_json::json;

use crate::harness::{Home, message};

/// An OpenClaw home with one session, its index, and an archive marked as deleted.
fn openclaw(home: &Home) -> String {
    let header = |id: &str| json!({"type": "session", "version": 3, "id": id, "timestamp": "2026-01-02T03:00:00Z", "cwd": "/srv/app"});
    let sessions = "openclaw/agents/main/sessions";
    home.file(
        &format!("{sessions}/s1.jsonl"),
        &format!(
            "{}\n{}{}",
            header("s1"),
            message(1, "user", "turnstone alpha"),
            message(2, "assistant", "turnstone beta")
        ),
    );
    home.file(
        &format!("{sessions}/s9.jsonl.deleted.2026-01-03T00-00-00.000Z"),
        &format!("{}\n{}", header("s9"), message(9, "user", "turnstone deleted")),
    );
    home.file(
        &format!("{sessions}/sessions.json"),
        &json!({"agent:main:main": {"sessionId": "s1", "updatedAt": 1_767_323_000_000_i64}}).to_string(),
    );
    home.path().parent().unwrap().join("openclaw").to_str().unwrap().to_owned()
}

#[test]
fn a_home_is_imported_once() {
    let home = Home::new();
    let path = openclaw(&home);
    let first = home.json(&["import", &path]);
    assert_eq!((&first["sessions"], &first["messages"]), (&json!(1), &json!(2)), "{first}");
    let fields: Vec<_> = first.as_object().unwrap().keys().map(String::as_str).collect();
    for field in ["files", "sessions", "messages", "skipped", "malformed", "pending", "warnings"] {
        assert!(fields.contains(&field), "{field} in {first}");
    }
    let again = home.json(&["import", &path]);
    assert_eq!(again["messages"], 0, "{again}");
    let found = home.json(&["search", "turnstone"]);
    let keys: Vec<_> =
        found["results"].as_array().unwrap().iter().map(|hit| hit["sessionKey"].clone()).collect();
    assert_eq!(keys, ["agent:main:main", "agent:main:main"]);
    assert_eq!(home.json(&["import", "--include-deleted", &path])["messages"], 1);
    assert_eq!(home.hits(&["turnstone deleted"]).len(), 1);
}

#[test]
fn what_was_deleted_here_stays_deleted_until_restored() {
    let home = Home::new();
    let path = openclaw(&home);
    home.json(&["import", &path]);
    home.json(&["delete", "agent:main:main"]);
    assert_eq!(home.json(&["import", "--rehash", &path])["messages"], 0);
    assert!(home.hits(&["turnstone"]).is_empty());
    assert_eq!(home.json(&["import", "--restore", &path])["messages"], 2);
    assert_eq!(home.hits(&["turnstone"]).len(), 2);
}

#[test]
fn a_path_that_is_not_there_is_a_failure() {
    let home = Home::new();
    let run = home.run(&["--json", "import", "no/such/place"]);
    assert_eq!(run.status, 1, "{}", run.out);
    assert!(run.err.contains("no/such/place"), "{}", run.err);
    // What can be imported beside it is.
    let path = openclaw(&home);
    let run = home.run(&["--json", "import", "no/such/place", &path]);
    assert_eq!(home.hits(&["turnstone"]).len(), 2, "{}", run.err);
}

#[test]
fn reports_as_people_read_them() {
    let home = Home::new();
    let path = openclaw(&home);
    insta::assert_snapshot!("import", home.run(&["import", &path]).shown());
    insta::assert_snapshot!("import-again", home.run(&["import", &path]).shown());
}

#[test]
fn sync_finds_the_usual_places() {
    let home = Home::new();
    let run = home.run(&["sync"]);
    assert_eq!(run.status, 0);
    assert!(run.err.contains("no histories") || run.out.contains("no histories"), "{}{}", run.out, run.err);
    let from = openclaw(&home);
    std::fs::rename(from, home.person().join(".openclaw")).unwrap();
    assert_eq!(home.json(&["sync"])["messages"], 2);
    assert_eq!(home.json(&["sync"])["messages"], 0);
    assert_eq!(home.hits(&["turnstone"]).len(), 2);
}

#[test]
fn a_store_older_than_its_sources_says_so() {
    let home = Home::new();
    let path = openclaw(&home);
    home.json(&["import", &path]);
    let fresh = home.run(&["search", "turnstone"]);
    assert_eq!(fresh.err, "");
    let file = format!("{path}/agents/main/sessions/s1.jsonl");
    let grown = std::fs::read_to_string(&file).unwrap() + &message(3, "user", "turnstone gamma");
    std::fs::write(&file, grown).unwrap();
    let stale = home.run(&["search", "turnstone"]);
    assert_eq!(stale.status, 0);
    assert!(stale.err.contains("sessions sync") || stale.err.contains("sessions import"), "{}", stale.err);
    let caller = home.run(&["search", "--as", "agent:main:main", "turnstone"]);
    assert_eq!(caller.err, "");
}
