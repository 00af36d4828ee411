//! No message text and no credential in any error, log or remark.

use crate::harness::{Home, message};

const CANARY: &str = "zqxcanaryword";

#[test]
fn failures_and_logs_say_nothing_of_the_text() {
    let home = Home::new();
    home.talk("agent:main:main", &[("user", CANARY)], &["--title", CANARY]);
    let bad_json = format!("{{\"type\":\"message\",\"message\":{{\"content\":\"{CANARY}\"");
    let conflict = message(1, "user", &format!("{CANARY} changed"));
    let odd_id = format!("{{\"type\":\"message\",\"id\":[\"{CANARY}\"]}}");
    for input in [bad_json, conflict, odd_id, format!("{CANARY}\n"), format!("\"{CANARY}\"\n")] {
        for flags in [&["append", "agent:main:main"][..], &["--json", "append", "agent:main:main", "--batch"]]
        {
            let mut command = home.command(flags);
            command.env("SESSIONS_LOG", "trace");
            let run = crate::harness::feed(command, input.as_bytes());
            assert_eq!(run.status, 1);
            assert!(!run.err.contains(CANARY) && !run.out.contains(CANARY), "{input}: {}", run.err);
        }
    }
    for arguments in [
        &["search", "nothing", "here"][..],
        &["list"],
        &["status"],
        &["verify"],
        &["reindex"],
        &["rewind", "agent:main:main", "--to", "m1"],
        &["delete", "agent:main:main"],
    ] {
        let mut command = home.command(arguments);
        command.env("SESSIONS_LOG", "trace");
        let run = crate::harness::feed(command, b"");
        assert!(!run.err.contains(CANARY), "{arguments:?}: {}", run.err);
    }
}

#[test]
fn damaged_transcripts_are_reported_by_place_only() {
    let home = Home::new();
    let text = format!(
        "{{\"type\":\"session\",\"version\":3,\"id\":\"s1\",\"timestamp\":\"2026-01-02T03:00:00Z\",\"cwd\":\"/tmp\"}}\n{{\"type\":\"message\",\"id\":\"a\",\"parentId\":null,\"timestamp\":\"2026-01-02T03:00:00Z\",\"message\":{{\"role\":\"user\",\"content\":\"sound\"}}}}\n{{\"broken\": {CANARY}\n"
    );
    let path = home.file("pi/s1.jsonl", &text);
    let run = home.run(&["--json", "import", path.to_str().unwrap()]);
    assert_eq!(run.status, 0, "{}", run.err);
    assert_eq!(run.document()["malformed"], 1, "{}", run.out);
    assert!(!run.err.contains(CANARY) && !run.out.contains(CANARY), "{}{}", run.out, run.err);
    assert_eq!(home.hits(&["sound"]), ["sound"]);
}

#[test]
fn a_reader_that_goes_away_ends_it_quietly() {
    let home = Home::new();
    let lines: Vec<(&str, String)> =
        (0..50).map(|n| ("user", format!("heron number {n} {}", "by the weir ".repeat(50)))).collect();
    let lines: Vec<(&str, &str)> = lines.iter().map(|(role, text)| (*role, text.as_str())).collect();
    home.talk("agent:main:main", &lines, &[]);
    for arguments in [
        &["search", "--limit", "50", "--per-session", "50", "heron"][..],
        &["--json", "history", "agent:main:main", "--limit", "50"],
    ] {
        let mut child = home.command(arguments).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!((output.status.code(), output.stderr), (Some(0), vec![]), "{arguments:?}");
    }
}
