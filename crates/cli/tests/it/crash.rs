//! A writer that is killed: everything it acknowledged is there, and the store is whole.

use std::io::{BufRead, BufReader, Write};

use serde_json::Value;

use crate::harness::{Home, message};

/// Starts an append, kills it with SIGKILL after that many acknowledgements, and returns how many it gave in all.
fn killed_after(home: &Home, flags: &[&str], first: usize, acknowledged: usize) -> Vec<String> {
    let mut child = home
        .command(&[&["append", "agent:main:main"], flags].concat())
        .stdin(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    let writer = std::thread::spawn(move || {
        // Writes until the reader is dead; more than it can ever take before that.
        for number in first..first + 5_000 {
            let line = event(number);
            if stdin.write_all(line.as_bytes()).is_err() {
                return;
            }
        }
    });
    let mut ids = Vec::new();
    let mut line = String::new();
    while ids.len() < acknowledged && stdout.read_line(&mut line).unwrap() > 0 {
        ids.push(serde_json::from_str::<Value>(&line).unwrap()["id"].as_str().unwrap().to_owned());
        line.clear();
    }
    child.kill().unwrap();
    child.wait().unwrap();
    // What was printed before the kill was acknowledged too; a line cut short was not.
    while stdout.read_line(&mut line).unwrap() > 0 {
        if line.ends_with('\n') {
            ids.push(serde_json::from_str::<Value>(&line).unwrap()["id"].as_str().unwrap().to_owned());
        }
        line.clear();
    }
    writer.join().unwrap();
    ids
}

fn event(number: usize) -> String {
    message(number, "user", &format!("kingfisher sighting{number}"))
}

#[test]
fn what_was_acknowledged_survives_sigkill() {
    let home = Home::new();
    let mut acknowledged = Vec::new();
    for (round, after) in [1, 7, 40, 2, 23].into_iter().enumerate() {
        let ids = killed_after(&home, &[], 1 + round * 5_000, after);
        assert!(ids.len() >= after);
        acknowledged.extend(ids);
        let verified = home.run(&["verify"]);
        assert_eq!(verified.status, 0, "{}{}", verified.out, verified.err);
    }
    for id in &acknowledged {
        let number = id.strip_prefix('m').unwrap();
        assert_eq!(home.hits(&[&format!("sighting{number}")]).len(), 1, "{id}");
    }
    let mut stored = Vec::new();
    let mut page = home.json(&["history", "agent:main:main", "--limit", "100"]);
    loop {
        let ids =
            page["messages"].as_array().unwrap().iter().map(|m| m["messageId"].as_str().unwrap().to_owned());
        stored.splice(0..0, ids);
        let Some(older) = page["older"].as_str().map(str::to_owned) else { break };
        page = home.json(&["history", "agent:main:main", "--limit", "100", "--before", &older]);
    }
    // In each round what was acknowledged, at most one more that was durable before it could be said, and nothing else.
    assert!(acknowledged.iter().all(|id| stored.contains(id)));
    assert!(
        stored.len() <= acknowledged.len() + 5,
        "{} stored, {} acknowledged",
        stored.len(),
        acknowledged.len()
    );
}

#[test]
fn a_batch_that_is_killed_is_whole_or_absent() {
    let home = Home::new();
    home.talk("agent:main:main", &[("user", "before")], &[]);
    let lines: String = (2..=2_001).map(event).collect();
    let mut child = home
        .command(&["append", "agent:main:main", "--batch"])
        .stdin(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(lines.as_bytes()).unwrap();
    drop(stdin);
    // Somewhere between reading and committing; wherever it is, the law is the same.
    child.kill().unwrap();
    let acknowledged = child.wait_with_output().unwrap().stdout;
    let stored = home.json(&["list"])["sessions"][0]["messages"].as_u64().unwrap();
    assert!(stored == 1 || stored == 2_001, "{stored}");
    if acknowledged.contains(&b'\n') {
        assert_eq!(stored, 2_001);
    }
    assert_eq!(home.run(&["verify"]).status, 0);
}

/// What a delete that is killed after its first transaction leaves: the session out of reach, its bytes still there.
fn cut_off_a_delete(home: &Home, key: &str) {
    let store = rusqlite::Connection::open(home.database("main")).unwrap();
    store
        .execute_batch(&format!(
            "BEGIN IMMEDIATE;
             UPDATE transcripts SET session = NULL WHERE session = (SELECT num FROM sessions WHERE key = '{key}');
             DELETE FROM sessions WHERE key = '{key}';
             INSERT OR REPLACE INTO state(name, value) VALUES('erasing', 1);
             UPDATE state SET value = value - 40 WHERE name = 'indexed';
             UPDATE state SET value = value + 1 WHERE name = 'epoch';
             COMMIT"
        ))
        .unwrap();
}

/// Whether any file of the home holds these bytes.
fn holds(home: &Home, bytes: &str) -> bool {
    let directory = home.database("main").parent().unwrap().to_owned();
    std::fs::read_dir(directory).unwrap().any(|file| {
        let content = std::fs::read(file.unwrap().path()).unwrap();
        memchr::memmem::find(&content, bytes.as_bytes()).is_some()
    })
}

#[test]
fn whatever_command_comes_next_takes_a_cut_off_erasure_up() {
    let next: [&[&str]; 7] = [
        &["search", "kept"],
        &["list"],
        &["history", "agent:main:keep"],
        &["status"],
        &["append", "agent:main:keep"],
        &["delete", "agent:main:other"],
        &["sync"],
    ];
    for arguments in next {
        let home = Home::new();
        let told: Vec<String> = (0..40).map(|n| format!("erasable{n:03} 消失的话{n:03}")).collect();
        let told: Vec<(&str, &str)> = told.iter().map(|text| ("user", text.as_str())).collect();
        home.talk("agent:main:main", &told, &[]);
        home.talk("agent:main:keep", &[("user", "kept")], &[]);
        home.talk("agent:main:other", &[("user", "other")], &[]);
        cut_off_a_delete(&home, "agent:main:main");
        assert!(holds(&home, "erasable017"), "the search for bytes finds what is there");
        let run = home.feed(arguments, message(99, "user", "more"));
        assert_eq!(run.status, 0, "{arguments:?}: {}", run.err);
        for n in 0..40 {
            assert!(!holds(&home, &format!("erasable{n:03}")), "{arguments:?}: {n}");
            assert!(!holds(&home, &format!("消失的话{n:03}")), "{arguments:?}: {n}");
        }
        assert_eq!(home.hits(&["kept"]), ["kept"]);
        assert_eq!(home.run(&["verify"]).status, 0, "{arguments:?}");
    }
}

/// A delete that is killed at some moment, then any command: the session is there as it was, or nothing of it is.
#[test]
fn a_delete_that_is_killed_leaves_all_or_nothing() {
    let next: [&[&str]; 5] =
        [&["search", "kept"], &["list"], &["status"], &["history", "agent:main:keep"], &["sync"]];
    let (mut there, mut gone) = (0, 0);
    const COMMITTED: usize = usize::MAX - 1;
    const ENDED: usize = usize::MAX;
    let moments = [0, 40, 400, 1_200, 4_000, 12_000, 40_000, COMMITTED, COMMITTED, ENDED];
    for (round, looks) in moments.into_iter().enumerate() {
        let home = Home::new();
        let told: Vec<String> =
            (0..600).map(|n| format!("erasable{n:03} 消失的话{n:03} mixed混合{n:03}x")).collect();
        let told: Vec<(&str, &str)> = told.iter().map(|text| ("user", text.as_str())).collect();
        home.talk("agent:main:main", &told, &["--title", "erasabletitle"]);
        home.talk("agent:main:keep", &[("user", "kept")], &[]);
        let mut child = home.command(&["delete", "agent:main:main"]).spawn().unwrap();
        // Moments are counted in looks at the file, so that none depends on a clock; one comes when the session is out
        // of reach and its bytes are not yet gone, one after the end.
        let reader = rusqlite::Connection::open(home.database("main")).unwrap();
        let listed = || reader.query_row("SELECT count(*) FROM sessions", [], |row| row.get::<_, i64>(0));
        match looks {
            COMMITTED => while child.try_wait().unwrap().is_none() && listed().is_ok_and(|n| n == 2) {},
            ENDED => drop(child.wait().unwrap()),
            _ => (0..looks).for_each(|_| {
                std::hint::black_box(std::fs::metadata(home.database("main")).unwrap().len());
            }),
        }
        drop(reader);
        child.kill().unwrap();
        child.wait().unwrap();
        let run = home.run(next[round % next.len()]);
        assert_eq!(run.status, 0, "{}", run.err);
        if home.run(&["history", "agent:main:main"]).status == 0 {
            there += 1;
            assert_eq!(home.json(&["list"])["sessions"][0]["messages"].as_u64().unwrap().max(600), 600);
            assert_eq!(home.hits(&["erasable017"]).len(), 1);
        } else {
            gone += 1;
            for n in 0..600 {
                for word in [format!("erasable{n:03}"), format!("消失的话{n:03}"), format!("混合{n:03}x")]
                {
                    assert!(!holds(&home, &word), "{word} after {looks} looks");
                }
            }
            assert!(!holds(&home, "erasabletitle"));
        }
        assert_eq!(home.hits(&["kept"]), ["kept"]);
        assert_eq!(home.run(&["verify"]).status, 0);
    }
    assert!(there > 0 && gone > 0, "{there} {gone}");
}
