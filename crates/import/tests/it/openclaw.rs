//! OpenClaw and pi: damaged files, a real home in both its forms, growth, archives, hostile input.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use session_search_core::source::{ReadSummary, SourceRank};
use session_search_core::{EventKind, Role};
use session_search_import::{DiscoverOptions, discover, is_unchanged};

use crate::places::{files, fixtures, shared};
use crate::sink::Memory;

fn imported(path: &Path) -> (Memory, ReadSummary) {
    let mut memory = Memory::default();
    let summary = memory.import(&[path]);
    (memory, summary)
}

fn texts(memory: &Memory) -> Vec<String> {
    memory.said().into_iter().map(|(_, text)| text).collect()
}

fn messages(memory: &Memory) -> usize {
    let counts = |event: &&session_search_core::Event| match event.kind() {
        EventKind::Message(_) => true,
        EventKind::OtherMessage => event.raw().contains(r#""role":"toolResult""#),
        _ => false,
    };
    memory.transcripts.iter().map(|one| one.events.iter().filter(counts).count()).sum()
}

#[test]
fn files_that_broke_other_readers() {
    let Some(shared) = shared() else { return };
    let directory = shared.join("corpus/adversarial");
    let expected: BTreeMap<String, serde_json::Value> =
        serde_json::from_slice(&fs::read(directory.join("expect.json")).unwrap()).unwrap();
    let mut cases = 0;
    for (name, expected) in expected {
        if !matches!(expected["format"].as_str().unwrap(), "openclaw" | "pi" | "any") {
            continue;
        }
        cases += 1;
        let (memory, summary) = imported(&directory.join(&name));
        if let Some(count) = expected["records"].as_u64() {
            assert_eq!(messages(&memory) as u64, count, "{name}: records");
        }
        if let Some(bad) = expected["bad_records"].as_u64() {
            assert_eq!(summary.malformed, bad, "{name}: bad records {:?}", summary.damage);
        }
        assert!(!summary.half, "{name}");
        let said = texts(&memory);
        let holds =
            |phrase: &serde_json::Value| said.iter().any(|text| text.contains(phrase.as_str().unwrap()));
        for phrase in expected["must_find"].as_array().unwrap() {
            assert!(holds(phrase), "{name}: {phrase}");
        }
        for phrase in expected["must_not_find"].as_array().unwrap() {
            assert!(!holds(phrase), "{name}: {phrase}");
        }
    }
    assert!(cases >= 19, "{cases}");
}

#[test]
fn archives_of_one_session_are_its_transcripts() {
    let Some(shared) = shared() else { return };
    let directory = shared.join("corpus/adversarial/29-oc-archive-names");
    let options = |include_deleted| DiscoverOptions { include_deleted, ..DiscoverOptions::default() };
    let found = discover(std::slice::from_ref(&directory), &options(false), &|_| None);
    assert_eq!((found.sources.len(), found.deleted, found.warnings), (3, 2, vec![]));
    assert!(
        found.sources.iter().all(|source| source.agent().as_str() == "main" && source.format() == "openclaw")
    );
    let mut all = Memory::default();
    for mut source in discover(&[directory], &options(true), &|_| None).sources {
        source.read(None, &mut all).unwrap();
    }
    assert_eq!(messages(&all), 4);
    assert_eq!(all.sessions.keys().map(|key| key.as_str()).collect::<Vec<_>>(), ["agent:main:main"]);
}

#[test]
fn a_home_is_found_on_its_active_branches() {
    let Some(shared) = shared() else { return };
    let home = shared.join("corpus/openclaw-home");
    let sessions = home.join("agents/main/sessions");
    let database = home.join("agents/main/agent/openclaw-agent.sqlite");
    // Facts of the files: each of four conversations goes back once, by a prompt and an answer.
    let check = |memory: &Memory, what: &str| {
        let said = texts(memory);
        let quokkas = said.iter().filter(|text| text.contains("quokka")).count();
        assert_eq!(quokkas, 8, "{what}");
        assert_eq!(memory.transcripts.len(), 7, "{what}");
        let keys: Vec<&str> = memory.sessions.keys().map(|key| key.as_str()).collect();
        let expected = [
            "agent:main:main",
            "agent:main:slack:channel:c7",
            "agent:main:subagent:6ef37c31-9360-4544-81b6-7a140ecfcb2c",
            "agent:main:telegram:direct:1001",
            "cron:nightly",
        ];
        assert_eq!(keys, expected, "{what}");
        assert_eq!(memory.told(expected[2]).spawned_by.as_deref(), Some("agent:main:main"));
    };
    let dump = |memory: &Memory| -> BTreeSet<String> {
        let line = |one: &crate::sink::Transcript| {
            let ids: Vec<&str> = one.branch().iter().map(|event| event.id().unwrap().as_str()).collect();
            format!("{} {} {} {}", one.key, one.id, one.events.len(), ids.join(","))
        };
        memory.transcripts.iter().map(line).collect()
    };
    let (files_only, _) = imported(&sessions);
    check(&files_only, "files");
    let (rows_only, summary) = imported(&database);
    check(&rows_only, "database");
    assert_eq!((summary.malformed, summary.skipped), (0, 0));
    let mut both = Memory::default();
    both.import(&[&sessions, &database]);
    check(&both, "files, then database");
    let mut other = Memory::default();
    other.import(&[&database, &sessions]);
    assert_eq!(dump(&both), dump(&other));
    assert_eq!(dump(&files_only), dump(&rows_only));
    assert_eq!(both.messages, files_only.messages);
}

#[test]
fn what_went_back_is_off_the_branch() {
    let Some(shared) = shared() else { return };
    let (memory, _) = imported(&shared.join("corpus/openclaw-home/agents/main/sessions"));
    let rewound: Vec<_> = memory
        .transcripts
        .iter()
        .filter(|one| one.said().iter().any(|(_, text)| text.contains("quokka")))
        .collect();
    assert_eq!(rewound.len(), 4);
    for one in rewound {
        assert!(one.branch().len() < one.events.len(), "{}", one.id);
    }
}

#[test]
fn deleted_archives_in_a_database_come_only_when_asked() {
    let Some(shared) = shared() else { return };
    let path = shared.join("corpus/openclaw-home/agents/main/agent/openclaw-agent.sqlite");
    let options = DiscoverOptions { include_deleted: true, ..DiscoverOptions::default() };
    let mut found = discover(std::slice::from_ref(&path), &options, &|_| None);
    let mut memory = Memory::default();
    found.sources[0].read(None, &mut memory).unwrap();
    assert!(memory.transcripts.iter().any(|one| one.id.as_str().starts_with("dead0000")));
    assert_eq!(memory.transcripts.len(), 8);
    // The unchanged database is read again when the question is another one.
    let plain = discover(&[path], &DiscoverOptions::default(), &|_| None);
    assert!(!is_unchanged(plain.sources[0].identity(), found.sources[0].identity()));
}

#[test]
fn pi_sessions_are_keyed_by_their_ids() {
    let Some(shared) = shared() else { return };
    for file in files(&shared.join("corpus/pi")) {
        let found = discover(std::slice::from_ref(&file), &DiscoverOptions::default(), &|_| None);
        // One file there is of Claude Code: the content tells.
        let claude = file.ends_with("tests/sample_session.jsonl");
        let expected = if claude { "claude" } else { "pi" };
        assert_eq!((found.sources.len(), found.sources[0].format()), (1, expected), "{file:?}");
        if claude {
            continue;
        }
        let (memory, summary) = imported(&file);
        // One of them holds a line that is no JSON, on purpose.
        let damaged: Vec<u64> = summary.damage.iter().map(|damage| damage.line).collect();
        assert_eq!(
            damaged,
            if file.ends_with("testdata/pi/session.jsonl") { vec![10] } else { vec![] },
            "{file:?}"
        );
        assert!(memory.sessions.keys().all(|key| key.as_str().starts_with("pi:")));
        assert!(memory.count(Role::User) > 0 && memory.count(Role::Assistant) > 0, "{file:?}");
    }
}

const HEADER: &str =
    r#"{"type":"session","version":3,"id":"s-1","timestamp":"2026-05-01T10:00:00.000Z","cwd":"/w"}"#;

fn line(id: &str, parent: Option<&str>, text: &str) -> String {
    let parent = parent.map_or("null".to_owned(), |parent| format!("\"{parent}\""));
    format!(
        r#"{{"type":"message","id":"{id}","parentId":{parent},"message":{{"role":"user","content":"{text}"}}}}"#
    )
}

#[test]
fn a_file_that_grows_is_read_on_and_a_rewritten_one_anew() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("s-1.jsonl");
    let one = format!("{HEADER}\n{}\n{}", line("a", None, "first"), &line("b", Some("a"), "second")[..40]);
    fs::write(&path, &one).unwrap();
    let mut memory = Memory::default();
    let summary = memory.import(&[&path]);
    assert!(summary.half && summary.malformed == 0);
    assert_eq!(texts(&memory), ["first"]);
    let whole = format!("{HEADER}\n{}\n{}\n", line("a", None, "first"), line("b", Some("a"), "second"));
    fs::write(&path, &whole).unwrap();
    let summary = memory.import(&[&path]);
    assert_eq!((summary.half, summary.skipped, memory.messages), (false, 0, 2));
    assert_eq!(texts(&memory), ["first", "second"]);
    assert_eq!((memory.transcripts.len(), memory.transcripts[0].events.len()), (1, 2));
    let mark = memory.marks.values().next().unwrap();
    assert_eq!(mark.offset, whole.len() as u64);
    // Rewritten with another end: the branch follows, what was there stays.
    fs::write(&path, format!("{HEADER}\n{}\n{}\n", line("a", None, "first"), line("c", Some("a"), "third")))
        .unwrap();
    memory.import(&[&path]);
    assert_eq!(texts(&memory), ["first", "third"]);
    assert_eq!((memory.transcripts.len(), memory.messages), (1, 3));
    memory.import(&[&path]);
    assert_eq!(memory.messages, 3);
}

#[test]
fn what_is_unchanged_is_not_opened() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("s-1.jsonl");
    fs::write(&path, format!("{HEADER}\n{}\n", line("a", None, "first"))).unwrap();
    let mut memory = Memory::default();
    memory.import(&[&path]);
    // The same name, size and time with other content: an opened file would be of no known format.
    let identity = fs::metadata(&path).unwrap().modified().unwrap();
    let length = fs::metadata(&path).unwrap().len();
    let file = fs::OpenOptions::new().write(true).open(&path).unwrap();
    std::io::Write::write_all(
        &mut &file,
        " ".repeat(usize::try_from(length).unwrap()).replace(' ', "x").as_bytes(),
    )
    .unwrap();
    file.set_modified(identity).unwrap();
    let known = discover(std::slice::from_ref(&path), &DiscoverOptions::default(), &|name| {
        memory.marks.get(name).cloned()
    });
    assert_eq!(known.sources.len(), 1);
    let mark = &memory.marks[known.sources[0].path()];
    assert!(is_unchanged(known.sources[0].identity(), mark));
    let opened = discover(&[path], &DiscoverOptions::default(), &|_| None);
    assert!(opened.sources.is_empty() && opened.warnings[0].contains("no known transcript format"));
}

#[test]
fn long_transcripts_come_in_chunks_and_can_be_stopped_between_them() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("s-1.jsonl");
    let mut content = format!("{HEADER}\n");
    let mut parent: Option<String> = None;
    for number in 0..2_300 {
        let id = format!("{number:08x}");
        writeln!(content, "{}", line(&id, parent.as_deref(), &format!("message number{number}"))).unwrap();
        parent = Some(id);
    }
    fs::write(&path, &content).unwrap();
    let mut memory = Memory::default();
    memory.import(&[&path]);
    assert_eq!(memory.chunks, 5);
    assert_eq!((memory.transcripts.len(), memory.said().len()), (1, 2_300));
    let last = memory.marks.values().next().unwrap().clone();
    assert_eq!(last.size, content.len() as u64);
}

#[test]
fn paths_that_hold_nothing_get_a_line_each() {
    let home = tempfile::tempdir().unwrap();
    fs::create_dir(home.path().join("empty")).unwrap();
    fs::write(home.path().join("notes.txt"), "hello").unwrap();
    fs::write(home.path().join("other.jsonl"), "{\"name\":\"x\"}\n").unwrap();
    let at = |name: &str| home.path().join(name);
    let paths = [at("gone"), at("empty"), at("notes.txt"), at("other.jsonl")];
    let found = discover(&paths, &DiscoverOptions::default(), &|_| None);
    assert!(found.sources.is_empty());
    let expected =
        ["no such file", "holds no transcripts", "no known transcript format", "no known transcript format"];
    assert_eq!(found.warnings.len(), 4);
    for (warning, expected) in found.warnings.iter().zip(expected) {
        assert!(warning.contains(expected), "{warning}");
    }
}

#[cfg(unix)]
#[test]
fn links_in_a_circle_end() {
    let home = tempfile::tempdir().unwrap();
    fs::write(home.path().join("s-1.jsonl"), format!("{HEADER}\n")).unwrap();
    std::os::unix::fs::symlink(home.path(), home.path().join("again")).unwrap();
    std::os::unix::fs::symlink(home.path().join("s-1.jsonl"), home.path().join("twin.jsonl")).unwrap();
    std::os::unix::fs::symlink(home.path().join("gone"), home.path().join("dangling.jsonl")).unwrap();
    let found = discover(&[home.path().to_path_buf()], &DiscoverOptions::default(), &|_| None);
    assert_eq!(found.sources.len(), 1);
}

#[test]
fn a_reset_archive_stays_with_its_session() {
    let home = tempfile::tempdir().unwrap();
    let sessions = home.path().join("agents/main/sessions");
    fs::create_dir_all(&sessions).unwrap();
    let index = |id: &str| {
        fs::write(sessions.join("sessions.json"), format!(r#"{{"agent:main:main":{{"sessionId":"{id}"}}}}"#))
    };
    index("s-1").unwrap();
    let content = format!("{HEADER}\n{}\n", line("a", None, "before the reset"));
    fs::write(sessions.join("s-1.jsonl"), &content).unwrap();
    let mut memory = Memory::default();
    memory.import(&[&sessions]);
    fs::rename(sessions.join("s-1.jsonl"), sessions.join("s-1.jsonl.reset.2026-05-02T04-00-00.000Z"))
        .unwrap();
    index("s-2").unwrap();
    fs::write(sessions.join("s-2.jsonl"), content.replace("s-1", "s-2").replace("\"a\"", "\"b\"")).unwrap();
    memory.import(&[&sessions]);
    assert_eq!(memory.sessions.keys().map(|key| key.as_str()).collect::<Vec<_>>(), ["agent:main:main"]);
    assert_eq!((memory.transcripts.len(), memory.messages), (2, 2));
}

#[test]
fn hostile_ids_stay_ids() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("x.jsonl");
    let header = HEADER.replace("s-1", "../../../etc/passwd");
    let ids = [r#""""#, r#""\u0000""#, "{}", "null", &format!("\"{}\"", "i".repeat(300))];
    let mut content = header;
    for id in ids {
        write!(
            content,
            "\n{{\"type\":\"message\",\"id\":{id},\"message\":{{\"role\":\"user\",\"content\":\"t\"}}}}"
        )
        .unwrap();
    }
    fs::write(&path, content).unwrap();
    let (memory, summary) = imported(&path);
    assert_eq!((summary.malformed, summary.skipped), (0, 0));
    assert_eq!(memory.said().len(), 5);
    assert_eq!(fs::read_dir(home.path()).unwrap().count(), 1);
    assert!(SourceRank::Archive(session_search_core::Millis(i64::MAX)) < SourceRank::Live);
}

#[test]
fn the_fixtures_are_read_whole() {
    let (memory, summary) = imported(&fixtures().join("openclaw-home"));
    assert_eq!((summary.malformed, summary.skipped, summary.half), (0, 0, false));
    let keys: Vec<&str> = memory.sessions.keys().map(|key| key.as_str()).collect();
    // No index names the session of the reset archive.
    let reset = "agent:main:session:5d0c8a52-3f1e-4c6b-9a57-0e2f6b1d7c10";
    assert_eq!(
        keys,
        ["agent:main:main", reset, "agent:main:subagent:b7c1", "agent:main:telegram:direct:4711"]
    );
    assert_eq!(memory.told(keys[2]).spawned_by.as_deref(), Some("agent:main:main"));
    assert_eq!(memory.told(keys[0]).title.as_deref(), Some("Retries in the billing worker"));
    let said = texts(&memory);
    let says = |phrase: &str| said.iter().any(|text| text.contains(phrase));
    assert!(says("exponential backoff") && says("指数退避") && !says("fixed delay of five seconds"));
    assert!(!says("Read HEARTBEAT.md") && !says("live on staging"));
    let (pi, summary) = imported(&fixtures().join("pi"));
    assert_eq!((pi.sessions.len(), summary.malformed), (2, 0));
}
