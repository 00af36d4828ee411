//! A process that is killed: everything it acknowledged is there, nothing else, and the store is clean.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use session_search_core::store::{ReconcileStep, Rewind};
use session_search_core::{TranscriptStore, Visible};
use session_search_storage::SqliteStore;
use session_search_testkit::factory::agent;
use session_search_testkit::fixture::{append, event_id, key, user};
use session_search_testkit::pipeline::TestPipeline;

use crate::support::{Home, files_with, options};

/// Names the store that the child works on.
const VARIABLE: &str = "SESSION_SEARCH_CRASH_STORE";

/// Works without end, saying what is durable, until it is killed. An ordinary run has nothing to do here.
#[tokio::test]
async fn child() {
    let Some(path) = std::env::var_os(VARIABLE) else { return };
    let store = SqliteStore::open(path.as_ref(), agent(), options(), TestPipeline::plain()).unwrap();
    let said = |line: String| {
        let mut out = std::io::stdout();
        writeln!(out, "\n@{line}").unwrap();
        out.flush().unwrap();
    };
    for round in 0.. {
        let session = format!("s{}", round % 5);
        if round >= 5 && round % 4 == 0 {
            said(format!("deleting {session}"));
            store.delete(&[key(&session)]).await.unwrap();
            said(format!("deleted {session}"));
        }
        for n in 0..8 {
            let id = format!("r{round}n{n}");
            let text = format!("walrus canary{round}x{n}y in {session}");
            store.append(append(&session, &[user(&id, &text)])).await.unwrap();
            said(format!("appended {session} {id}"));
        }
        if round % 3 == 0 {
            let to =
                Rewind { key: key(&session), to: event_id(&format!("r{round}n5")), purge: round % 2 == 0 };
            store.rewind(to).await.unwrap();
        }
    }
}

/// Lets the child say `lines` things, kills it, and returns them.
fn kill_after(home: &Home, lines: usize) -> Vec<String> {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "crash::child", "--nocapture", "--test-threads=1"])
        .env(VARIABLE, home.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let out = BufReader::new(child.stdout.take().unwrap());
    let said = out.lines().map_while(Result::ok).filter_map(|line| line.strip_prefix('@').map(str::to_owned));
    let mut said = said.fuse();
    let mut heard: Vec<String> = said.by_ref().take(lines).collect();
    child.kill().unwrap();
    child.wait().unwrap();
    // What it said until it died.
    heard.extend(said);
    heard
}

#[tokio::test]
async fn what_was_acknowledged_is_there_and_what_was_deleted_is_gone() {
    for lines in [1, 9, 30, 47, 64, 81, 100, 133, 177] {
        let home = Home::new();
        home.store().close().await.unwrap();
        let said = kill_after(&home, lines);
        assert!(said.len() >= lines, "the child worked");
        let mut there = BTreeSet::new();
        let mut doubtful = BTreeSet::new();
        for line in &said {
            match line.split(' ').collect::<Vec<_>>()[..] {
                ["appended", session, id] => drop(there.insert((session.to_owned(), id.to_owned()))),
                ["deleting", session] => drop(doubtful.insert(session.to_owned())),
                ["deleted", session] => {
                    doubtful.remove(session);
                    there.retain(|(of, _)| of != session);
                }
                _ => panic!("{line}"),
            }
        }
        let store = home.store();
        while store.reconcile_step(100).await.unwrap() != ReconcileStep::Idle {}
        assert_eq!(store.verify(false).await.unwrap().differences, Vec::<String>::new(), "after {lines}");
        let dump = store.dump().await.unwrap().join("\n");
        for (session, id) in there.iter().filter(|(session, _)| !doubtful.contains(session)) {
            // A rewind with purge may have taken the last two of a round.
            let purged = id.ends_with("n6") || id.ends_with("n7");
            assert!(purged || dump.contains(&format!("\"{id}\"")), "{session} {id} after {lines}");
        }
        let deleted = said.iter().filter(|line| line.starts_with("deleted")).count();
        assert!(lines < 100 || deleted > 0, "the child came to deleting");
        for round in 0..40 {
            let canary = format!("canary{round}x3y");
            let stored = dump.contains(&canary);
            assert_eq!(
                !files_with(home.directory.path(), &canary).is_empty(),
                stored,
                "{canary} after {lines}"
            );
        }
        assert!(store.list(&Visible::Everything).await.unwrap().len() <= 5);
    }
}
