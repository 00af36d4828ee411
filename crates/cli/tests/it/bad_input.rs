//! Input that is wrong: each gets its stated answer and exit status, at the command line and as JSON.

use crate::harness::{Home, message};

/// Runs it as JSON; the failure must be one document on standard output, with exit status 1, and say the same in words
/// on standard error.
#[track_caller]
fn refused(home: &Home, arguments: &[&str]) -> (String, String) {
    let run = home.run(&[&["--json"], arguments].concat());
    assert_eq!(run.status, 1, "{arguments:?}: {}{}", run.out, run.err);
    let document = run.document();
    let error = document["error"].as_str().unwrap().to_owned();
    assert!(run.err.contains(&error), "{} lacks {error}", run.err);
    (document["status"].as_str().unwrap().to_owned(), error)
}

#[track_caller]
fn error(home: &Home, arguments: &[&str], says: &str) {
    let (status, error) = refused(home, arguments);
    assert_eq!(status, "error", "{arguments:?}");
    assert!(error.contains(says), "{arguments:?}: {error:?} lacks {says:?}");
}

fn home() -> Home {
    let home = Home::new();
    home.talk("agent:main:main", &[("user", "alpha beta"), ("assistant", "gamma")], &[]);
    home
}

#[test]
fn queries_without_a_word_say_what_to_type() {
    let home = home();
    for query in ["", " ", "...", "\"\"", "*", "-", "^ ( )", "- - -"] {
        error(&home, &["search", "--", query], "word");
    }
    for query in ["-alpha", "-\"alpha beta\"", "-alph*", "-alpha ..."] {
        error(&home, &["search", "--", query], "word");
    }
}

#[test]
fn queries_beyond_their_bounds_name_the_bound() {
    let home = home();
    error(&home, &["search", &"a".repeat(4_097)], "4096");
    assert_eq!(home.run(&["search", &"a".repeat(4_096)]).status, 0);
    error(&home, &["search", &"w ".repeat(65)], "64");
    assert_eq!(home.run(&["search", &"w ".repeat(64)]).status, 0);
    error(&home, &["search", &"pre* ".repeat(9)], "8");
    assert_eq!(home.run(&["search", &"pre* ".repeat(8)]).status, 0);
}

#[test]
fn odd_queries_are_queries() {
    let home = home();
    for query in [
        "\"alpha",
        "alpha\"",
        "alpha AND",
        "NEAR(alpha",
        "alpha:beta",
        "^alpha",
        "alpha OR",
        "'; DROP TABLE x; --",
    ] {
        let run = home.run(&["search", "--", query]);
        assert_eq!(run.status, 0, "{query}: {}", run.err);
    }
    assert_eq!(home.hits(&["\"alpha"]), ["alpha beta"]);
    assert_eq!(home.hits(&["alpha\tbeta"]), ["alpha beta"]);
    assert_eq!(home.hits(&["alpha\u{1}beta"]), ["alpha beta"]);
}

#[test]
fn numbers_out_of_range_name_the_range() {
    let home = home();
    for limit in ["0", "-1", "1001", "9223372036854775807"] {
        error(&home, &["search", "--limit", limit, "alpha"], "1 to 1000");
    }
    for limit in ["0", "26"] {
        error(&home, &["search", "--as", "agent:main:main", "--limit", limit, "alpha"], "1 to 25");
    }
    error(&home, &["search", "--per-session", "0", "alpha"], "1 to 1000");
    for limit in ["0", "101"] {
        error(&home, &["history", "agent:main:main", "--limit", limit], "1 to 100");
    }
    error(&home, &["history", "agent:main:main", "--around", "m1", "--text-offset", "-1"], "textOffset");
}

#[test]
fn times_that_are_none_are_refused() {
    let home = home();
    for time in ["yesterday", "2026-02-30", "2026-13-01", "12:00", ""] {
        error(&home, &["search", "--since", time, "alpha"], "since");
        error(&home, &["search", "--until", time, "alpha"], "until");
    }
    for age in ["", "30", "-3d", "soon"] {
        error(&home, &["purge", "--older-than", age], "30d");
    }
}

#[test]
fn unknown_and_forbidden_keys_get_the_same_words() {
    let home = home();
    home.talk("agent:main:other", &[("user", "delta")], &[]);
    home.talk("agent:ops:main", &[("user", "delta")], &[]);
    let caller = ["--as", "agent:main:main"];
    for command in [&["history"][..], &["search", "delta", "--session"]] {
        let ask = |key: &str| {
            let arguments = match command {
                ["history"] => [&["history", key][..], &caller].concat(),
                _ => [&["search", "--session", key][..], &caller, &["delta"]].concat(),
            };
            refused(&home, &arguments)
        };
        let (status, words) = ask("agent:main:other");
        assert_eq!(status, "forbidden");
        for key in ["agent:main:ghost", "agent:ops:main", "agent:ghost:main", "claude:nothing"] {
            assert_eq!(ask(key), (status.clone(), words.clone()), "{key}");
        }
    }
    let foreign =
        |agent: &str| refused(&home, &[&["search", "--agent", agent][..], &caller, &["delta"]].concat());
    assert_eq!(foreign("ops"), foreign("ghost"));
    assert_eq!(foreign("ops").0, "forbidden");
}

#[test]
fn the_operator_hears_what_is_not_there() {
    let home = home();
    error(&home, &["history", "agent:main:ghost"], "agent:main:ghost");
    error(&home, &["rewind", "agent:main:ghost", "--to", "m1"], "agent:main:ghost");
    error(&home, &["rewind", "agent:main:main", "--to", "m9"], "m9");
}

#[test]
fn ids_beyond_their_bounds_and_ids_that_try_to_be_paths() {
    let home = home();
    for agent in ["../escape", "/etc", "Main", "", "a.b", &"a".repeat(65)] {
        error(&home, &["search", "--agent", agent, "alpha"], "agent id");
        error(&home, &["append", "key", "--agent", agent], "agent id");
    }
    error(&home, &["append", "agent:../escape:main"], "agent id");
    error(&home, &["history", &"k".repeat(513)], "512");
    error(&home, &["history", ""], "empty");
    error(&home, &["append", "k", "--session-id", &"s".repeat(257)], "256");
    // A key is never a path, whatever it looks like.
    home.talk("../../../escape", &[("user", "epsilon")], &["--agent", "main"]);
    assert_eq!(home.hits(&["epsilon"]), ["epsilon"]);
    let made: Vec<_> =
        std::fs::read_dir(home.path().join("agents")).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert_eq!(made, ["main"]);
}

#[test]
fn bad_cursors_give_an_empty_page_with_a_reason() {
    let home = home();
    for flag in ["--before", "--after"] {
        let page = home.json(&["history", "agent:main:main", flag, "nonsense"]);
        assert_eq!(page["messages"], serde_json::json!([]), "{page}");
        assert!(page["reason"].is_string(), "{page}");
    }
    let page = home.json(&["history", "agent:main:main", "--around", "ghost"]);
    assert_eq!(page["messages"], serde_json::json!([]));
    assert!(page["reason"].is_string());
    let beyond = home.json(&["history", "agent:main:main", "--around", &"m".repeat(257)]);
    assert_eq!(beyond["reason"], page["reason"]);
}

#[test]
fn command_lines_that_do_not_parse_end_with_2_and_print_no_result() {
    let home = home();
    for arguments in [
        &[][..],
        &["search"],
        &["search", "--limit", "ten", "alpha"],
        &["search", "--colour", "alpha"],
        &["history"],
        &["mcp"],
        &["mcp", "--as", "k", "--operator"],
        &["search", "--as", "k", "--from", "x", "alpha"],
        &["purge"],
        &["rewind", "k"],
        &["import"],
        &["import", "--format", "docx", "x"],
        &["frobnicate"],
    ] {
        let run = home.run(&[&["--json"], arguments].concat());
        assert_eq!((run.status, run.out.as_str()), (2, ""), "{arguments:?}: {}", run.err);
        assert!(run.err.contains("--help"), "{arguments:?}: {}", run.err);
    }
}

#[test]
fn a_key_of_several_agents_needs_the_agent() {
    let home = home();
    for agent in ["one", "two"] {
        home.talk("shared", &[("user", "zeta")], &["--agent", agent]);
    }
    for command in [
        &["history", "shared"][..],
        &["delete", "shared"],
        &["rewind", "shared", "--to", "m1"],
        &["reindex", "shared"],
    ] {
        error(&home, command, "--agent");
        error(&home, command, "one, two");
    }
    let page = home.json(&["history", "shared", "--agent", "two"]);
    assert_eq!(page["agentId"], "two");
}

#[test]
fn lines_that_are_no_events_end_an_append_by_number() {
    for (bad, says) in [
        ("not json\n", "line 2"),
        ("[1]\n", "line 2"),
        ("{\"id\":\"x\"}\n", "type"),
        ("{\"type\":\"message\",\"id\":\"\"}\n", "id"),
        ("{\"type\":\"message\",\"id\":[]}\n", "id"),
    ] {
        let input = format!("{}{bad}{}", message(1, "user", "kept"), message(3, "user", "lost"));
        for batch in [false, true] {
            let home = Home::new();
            let flags: &[&str] = if batch {
                &["append", "k", "--agent", "a", "--batch"]
            } else {
                &["append", "k", "--agent", "a"]
            };
            let run = home.feed(flags, &input);
            assert_eq!(run.status, 1, "{bad}");
            assert!(run.err.contains("line 2") && run.err.contains(says), "{bad}: {}", run.err);
            assert_eq!(run.out, if batch { "" } else { "{\"id\":\"m1\"}\n" });
            let kept: &[&str] = if batch { &[] } else { &["kept"] };
            assert_eq!(home.hits(&["kept"]), kept);
            assert!(home.hits(&["lost"]).is_empty());
        }
    }
}

#[test]
fn a_duplicate_id_is_a_no_op_or_an_error_that_names_it() {
    let home = home();
    let again = home.feed(&["append", "agent:main:main"], message(1, "user", "alpha beta"));
    assert_eq!((again.status, again.out.as_str()), (0, "{\"id\":\"m1\"}\n"), "{}", again.err);
    let other = home.feed(&["append", "agent:main:main"], message(1, "user", "something else"));
    assert_eq!((other.status, other.out.as_str()), (1, ""));
    assert!(other.err.contains("line 1") && other.err.contains("m1"), "{}", other.err);
    assert_eq!(home.hits(&["alpha"]), ["alpha beta"]);
}

#[test]
fn a_line_beyond_16_mib_is_refused() {
    let home = Home::new();
    let most = 16 << 20;
    let frame = message(1, "user", "").len() - 1;
    let fits = message(1, "user", &"x".repeat(most - frame));
    assert_eq!(fits.len() - 1, most);
    let run = home.feed(&["append", "k", "--agent", "a"], &fits);
    assert_eq!((run.status, run.out.as_str()), (0, "{\"id\":\"m1\"}\n"), "{}", run.err);
    let over = message(2, "user", &"x".repeat(most - frame + 1));
    let run = home.feed(&["append", "k", "--agent", "a"], &over);
    assert_eq!((run.status, run.out.as_str()), (1, ""));
    assert!(run.err.contains("line 1") && run.err.contains("16 MiB"), "{}", run.err);
}
