//! Homes that cannot be used as they are: each says what is wrong, and what to do.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use crate::harness::{Home, message};

#[track_caller]
fn fails(home: &Home, arguments: &[&str], says: &[&str]) {
    let run = home.run(&[&["--json"], arguments].concat());
    assert_eq!(run.status, 1, "{arguments:?}: {}{}", run.out, run.err);
    assert_eq!(run.document()["status"], "error");
    for word in says {
        assert!(run.err.contains(word), "{arguments:?}: {:?} lacks {word:?}", run.err);
    }
}

#[test]
fn a_home_that_is_not_there_yet_holds_nothing() {
    let home = Home::new();
    assert!(home.hits(&["anything"]).is_empty());
    assert_eq!(home.json(&["list"]), serde_json::json!({"sessions": []}));
    assert!(!home.path().exists(), "reading makes no home");
}

#[test]
fn a_home_that_is_a_file() {
    let home = Home::new();
    std::fs::write(home.path(), "not a directory").unwrap();
    fails(&home, &["search", "x"], &["directory"]);
    fails(&home, &["list"], &["directory"]);
    let run = home.feed(&["append", "agent:main:main"], message(1, "user", "x"));
    assert_eq!(run.status, 1);
    assert!(run.err.contains("directory"), "{}", run.err);
    assert_eq!(std::fs::read(home.path()).unwrap(), b"not a directory");
}

#[test]
fn a_store_that_is_no_database() {
    let home = Home::new();
    let database = home.database("main");
    std::fs::create_dir_all(database.parent().unwrap()).unwrap();
    std::fs::write(
        &database,
        "this is text, and long enough to be taken for a header of a database".repeat(20),
    )
    .unwrap();
    fails(&home, &["search", "x"], &["sessions.sqlite", "database"]);
    let kept = std::fs::read(&database).unwrap();
    let run = home.feed(&["append", "agent:main:main"], message(1, "user", "x"));
    assert_eq!(run.status, 1, "{}", run.out);
    assert_eq!(std::fs::read(&database).unwrap(), kept, "the file was touched");
}

#[test]
fn a_store_of_a_newer_schema() {
    let home = Home::new();
    home.talk("agent:main:main", &[("user", "alpha")], &[]);
    set_user_version(&home.database("main"), 9_999);
    fails(&home, &["search", "alpha"], &["newer"]);
    let run = home.feed(&["append", "agent:main:main"], message(2, "user", "x"));
    assert_eq!(run.status, 1);
    assert!(run.err.contains("newer"), "{}", run.err);
}

/// The big-endian number at byte 60 of an SQLite file; the file must not be in use and have no write-ahead log.
fn set_user_version(database: &Path, version: u32) {
    let mut bytes = std::fs::read(database).unwrap();
    bytes[60..64].copy_from_slice(&version.to_be_bytes());
    std::fs::write(database, bytes).unwrap();
    for suffix in ["-wal", "-shm"] {
        let _ = std::fs::remove_file(format!("{}{suffix}", database.display()));
    }
}

fn am_root() -> bool {
    // Root may read and write everything, so permissions cannot be tried.
    std::process::Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout == b"0\n")
}

#[test]
fn a_read_only_home_can_be_read_and_says_why_it_cannot_be_written() {
    let home = Home::new();
    home.talk("agent:main:main", &[("user", "alpha")], &[]);
    if am_root() {
        println!("skipped: root may write everything");
        return;
    }
    let directory = home.database("main").parent().unwrap().to_owned();
    for path in [home.database("main"), directory.clone()] {
        let mode = if path.is_dir() { 0o500 } else { 0o400 };
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
    }
    assert_eq!(home.hits(&["alpha"]), ["alpha"]);
    let run = home.feed(&["append", "agent:main:main"], message(2, "user", "x"));
    assert_eq!(run.status, 1);
    assert!(run.err.contains("read"), "{}", run.err);
    std::fs::set_permissions(&directory, std::fs::Permissions::from_mode(0o700)).unwrap();
}

#[test]
fn an_unreadable_home() {
    let home = Home::new();
    home.talk("agent:main:main", &[("user", "alpha")], &[]);
    if am_root() {
        println!("skipped: root may read everything");
        return;
    }
    std::fs::set_permissions(home.path(), std::fs::Permissions::from_mode(0o000)).unwrap();
    fails(&home, &["search", "alpha"], &["permission"]);
    std::fs::set_permissions(home.path(), std::fs::Permissions::from_mode(0o700)).unwrap();
}
