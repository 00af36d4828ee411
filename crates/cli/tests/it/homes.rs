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

fn set_user_version(database: &Path, version: u32) {
    let database = rusqlite::Connection::open(database).unwrap();
    database.pragma_update(None, "user_version", version).unwrap();
}

fn am_root() -> bool {
    // Root may read and write everything, so permissions cannot be tried.
    std::process::Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout == b"0\n")
}

/// The program as run by a user without rights over the home; by the present one, where that is not root.
struct Ordinary {
    home: Home,
    program: std::path::PathBuf,
    root: bool,
}

impl Ordinary {
    const NOBODY: u32 = 65_534;

    fn new(home: Home) -> Ordinary {
        let program = home.person().join("sessions");
        std::fs::copy(env!("CARGO_BIN_EXE_sessions"), &program).unwrap();
        Ordinary { home, program, root: am_root() }
    }

    /// Takes all rights to write away, or all rights; the files are the user's own.
    fn restrict(&self, directories: u32, files: u32) {
        let mut paths = vec![self.home.path(), self.home.path().parent().unwrap().to_owned()];
        while let Some(path) = paths.pop() {
            let outside = !path.starts_with(self.home.path());
            if path.is_dir() && !outside {
                paths.extend(std::fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
            }
            let mode = if outside {
                0o755
            } else if path.is_dir() {
                directories
            } else {
                files
            };
            if self.root {
                std::os::unix::fs::chown(&path, Some(Self::NOBODY), Some(Self::NOBODY)).unwrap();
            }
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
        }
    }

    fn run(&self, arguments: &[&str], input: &str) -> crate::harness::Run {
        let mut command = self.home.command_of(&self.program, arguments);
        if self.root {
            std::os::unix::process::CommandExt::uid(&mut command, Self::NOBODY);
        }
        crate::harness::feed(command, input.as_bytes())
    }
}

#[test]
fn a_read_only_home_can_be_read_and_says_so() {
    let home = Home::new();
    home.talk("agent:main:main", &[("user", "alpha")], &[]);
    let ordinary = Ordinary::new(home);
    ordinary.restrict(0o500, 0o400);
    for arguments in [&["search", "alpha"][..], &["history", "agent:main:main"], &["list"]] {
        let run = ordinary.run(arguments, "");
        assert_eq!(run.status, 0, "{}", run.err);
        assert!(run.out.contains("main:main"), "{}", run.out);
        assert!(run.err.contains("read only"), "{arguments:?}: {}", run.err);
    }
    let run = ordinary.run(&["append", "agent:main:main"], &message(2, "user", "x"));
    assert_eq!(run.status, 1);
    assert!(run.err.contains("read-only"), "{}", run.err);
    ordinary.restrict(0o700, 0o600);
    let run = ordinary.run(&["search", "alpha"], "");
    assert!(run.out.contains("alpha") && !run.err.contains("read only"), "{}", run.err);
}

#[test]
fn a_home_without_any_rights_says_so() {
    let home = Home::new();
    home.talk("agent:main:main", &[("user", "alpha")], &[]);
    let ordinary = Ordinary::new(home);
    ordinary.restrict(0o000, 0o000);
    let run = ordinary.run(&["search", "alpha"], "");
    ordinary.restrict(0o700, 0o600);
    assert_eq!(run.status, 1, "{}", run.out);
    assert!(run.err.to_lowercase().contains("permission"), "{}", run.err);
}
