//! Deleting: unreachable, erased, and not imported again.

use std::path::Path;

use crate::harness::{Home, message};

/// Whether any file under a directory holds these bytes.
fn on_disk(directory: &Path, needle: &str) -> bool {
    let entries = std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    entries.into_iter().any(|path| {
        if path.is_dir() {
            return on_disk(&path, needle);
        }
        let bytes = std::fs::read(&path).unwrap();
        memchr::memmem::find(&bytes, needle.as_bytes()).is_some()
    })
}

#[test]
fn a_deleted_session_is_gone_to_the_byte() {
    let home = Home::new();
    // Canaries that differ from their neighbours in the last character only, in Latin and in Chinese.
    home.talk("agent:main:kept", &[("user", "canaryzqxa 金絲雀甲 stays")], &[]);
    home.talk(
        "agent:main:gone",
        &[("user", "canaryzqxb 金絲雀乙 leaves"), ("assistant", "canaryzqxc 金絲雀丙")],
        &[],
    );
    assert_eq!(home.hits(&["canaryzqxb"]).len(), 1);
    assert!(on_disk(&home.path(), "canaryzqxb") && on_disk(&home.path(), "金絲雀乙"));
    let receipt = home.json(&["delete", "agent:main:gone"]);
    assert_eq!(receipt, serde_json::json!({"sessions": 1, "messages": 2, "erasure": "done"}));
    for canary in ["canaryzqxb", "canaryzqxc", "金絲雀乙", "金絲雀丙", "絲雀乙", "雀丙"] {
        assert!(!on_disk(&home.path(), canary), "{canary} is still on disk");
        assert!(home.hits(&[canary]).is_empty(), "{canary} is still found");
    }
    assert_eq!(home.hits(&["canaryzqxa"]).len(), 1);
    assert_eq!(home.hits(&["金絲雀甲"]).len(), 1);
    assert_eq!(home.run(&["verify"]).status, 0);
    assert_eq!(home.run(&["history", "agent:main:gone"]).status, 1);
}

#[test]
fn deleting_what_is_not_there_deletes_nothing() {
    let home = Home::new();
    home.talk("agent:main:main", &[("user", "one")], &[]);
    let run = home.run(&["--json", "delete", "agent:main:ghost"]);
    // Either answer is honest; what counts is that nothing else went.
    assert!(run.status == 1 || run.document()["sessions"] == 0, "{}", run.out);
    assert_eq!(home.hits(&["one"]), ["one"]);
}

#[test]
fn purge_takes_what_is_older_than_an_age() {
    let home = Home::new();
    let old = message(1, "user", "sediment").replace("2026-01-02", "2001-01-02");
    assert_eq!(home.feed(&["append", "agent:main:old"], old).status, 0);
    let now = "{\"type\":\"message\",\"message\":{\"role\":\"user\",\"content\":\"ripple\"}}\n";
    assert_eq!(home.feed(&["append", "agent:main:new"], now).status, 0);
    let receipt = home.json(&["purge", "--older-than", "1y"]);
    assert_eq!(receipt, serde_json::json!({"sessions": 1, "messages": 1, "erasure": "done"}));
    assert!(home.hits(&["sediment"]).is_empty());
    assert_eq!(home.hits(&["ripple"]), ["ripple"]);
    assert!(!on_disk(&home.path(), "sediment"));
    assert_eq!(home.json(&["purge", "--older-than", "30d"])["sessions"], 0);
}

#[test]
fn a_rewind_hides_and_with_purge_erases() {
    let home = Home::new();
    home.talk(
        "agent:main:main",
        &[("user", "first step"), ("assistant", "wrongturnzqx"), ("user", "wronggoalzqx")],
        &[],
    );
    home.json(&["rewind", "agent:main:main", "--to", "m1"]);
    assert!(home.hits(&["wrongturnzqx"]).is_empty());
    assert!(on_disk(&home.path(), "wrongturnzqx"));
    home.json(&["rewind", "agent:main:main", "--to", "m2"]);
    assert_eq!(home.hits(&["wrongturnzqx"]).len(), 1);
    home.json(&["rewind", "agent:main:main", "--to", "m1", "--purge"]);
    assert!(!on_disk(&home.path(), "wrongturnzqx") && !on_disk(&home.path(), "wronggoalzqx"));
    assert_eq!(home.hits(&["step"]), ["first step"]);
    assert_eq!(home.run(&["verify"]).status, 0);
}
