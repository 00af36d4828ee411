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

/// Everything that the program can be asked, with a log of everything; what it says beside its answer holds nothing of
/// what was said in the sessions.
#[test]
fn no_command_says_a_word_of_the_text_beside_its_answer() {
    let home = Home::new();
    home.talk("agent:main:main", &[("user", CANARY), ("assistant", CANARY)], &["--title", CANARY]);
    home.talk("agent:ops:main", &[("user", CANARY)], &[]);
    let line = |id: &str, parent: &str| {
        format!(
            "{{\"type\":\"message\",\"id\":\"{id}\",\"parentId\":{parent},\"timestamp\":\"2026-01-02T03:00:00Z\",\"message\":{{\"role\":\"user\",\"content\":\"{CANARY} {id}\"}}}}\n"
        )
    };
    let head = "{\"type\":\"session\",\"version\":3,\"id\":\"s9\",\"timestamp\":\"2026-01-02T03:00:00Z\",\"cwd\":\"/tmp\"}\n";
    let text = format!("{head}{}{}{{\"{CANARY}\n\u{0}{CANARY}\n", line("a", "null"), line("b", "\"a\""));
    let path = home.file("pi/s9.jsonl", &text);
    let other = home.file("notes.jsonl", &format!("{CANARY}\n[1,\n"));
    let (path, other) = (path.to_str().unwrap(), other.to_str().unwrap());
    let run = |arguments: &[&str], input: &str| {
        let mut command = home.command(arguments);
        command.env("SESSIONS_LOG", "trace").env("RUST_BACKTRACE", "full");
        let run = crate::harness::feed(command, input.as_bytes());
        assert!(!run.err.contains(CANARY), "{arguments:?}: {}", run.err);
        run
    };
    let commands: &[&[&str]] = &[
        &["search", CANARY],
        &["search", "--strict", CANARY],
        &["search", "--as", "agent:main:main", CANARY],
        &["history", "agent:main:main"],
        &["history", "agent:main:main", "--around", "m1", "--tools"],
        &["history", "agent:main:main", "--show-secrets"],
        &["history", "agent:main:none"],
        &["list"],
        &["import", path],
        &["import", other],
        &["import", path, other],
        &["sync"],
        &["status"],
        &["verify"],
        &["verify", "--repair"],
        &["reindex"],
        &["rewind", "agent:main:main", "--to", "m1"],
        &["rewind", "agent:main:main", "--to", "none"],
        &["completions", "bash"],
        &["purge", "--older-than", "1000d"],
        &["delete", "agent:ops:main"],
        &["delete", "agent:ops:main"],
        &["purge", "--older-than", "0d"],
    ];
    for arguments in commands {
        run(arguments, "");
        run(&[&["--json"], *arguments].concat(), "");
    }
    let said = run(&["redact"], CANARY);
    assert_eq!(said.out, CANARY);
    let said = run(&["redact", "--report"], &format!("{CANARY} password={CANARY}9!x\n"));
    assert!(!said.out.contains(CANARY) && said.out.starts_with("line 1"), "{}", said.out);
    // What a host may send, right and wrong.
    let calls = format!(
        "{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{{}},\"clientInfo\":{{\"name\":\"t\",\"version\":\"1\"}}}}}}\n\
         {{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}}\n\
         {{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":{{\"name\":\"sessions_search\",\"arguments\":{{\"query\":\"{CANARY}\"}}}}}}\n\
         {{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tools/call\",\"params\":{{\"name\":\"sessions_search\",\"arguments\":{{\"{CANARY}\":1}}}}}}\n\
         {{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"{CANARY}\"}}\n{CANARY}\n"
    );
    run(&["mcp", "--operator"], &calls);
}

/// A damaged database, and a store that is none.
#[test]
fn damage_is_reported_without_the_text() {
    let home = Home::new();
    let told: Vec<String> = (0..200).map(|n| format!("{CANARY} number {n}")).collect();
    let told: Vec<(&str, &str)> = told.iter().map(|text| ("user", text.as_str())).collect();
    home.talk("agent:main:main", &told, &[]);
    let path = home.database("main");
    let sound = std::fs::read(&path).unwrap();
    for (from, to) in [(sound.len() / 2, sound.len() / 2 + 9_000), (4_096, 16_384), (100, 4_000)] {
        let mut bytes = sound.clone();
        bytes[from..to.min(sound.len())].iter_mut().for_each(|b| *b ^= 0x15);
        std::fs::write(&path, &bytes).unwrap();
        for arguments in
            [&["search", "number"][..], &["history", "agent:main:main"], &["verify"], &["list"], &["reindex"]]
        {
            let mut command = home.command(arguments);
            command.env("SESSIONS_LOG", "trace");
            let run = crate::harness::feed(command, b"");
            assert!(!run.err.contains(CANARY), "{arguments:?}: {}", run.err);
        }
    }
}
