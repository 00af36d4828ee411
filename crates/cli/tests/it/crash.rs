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
