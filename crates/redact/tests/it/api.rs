//! Configuration, versions, and what is never said.

use session_search_redact::{Edges, MAX_BYTES, Redactor, UNAVAILABLE, display};

use crate::examples::expand;

#[test]
fn versions_fit_a_table_name_and_follow_the_configuration() {
    let plain = Redactor::built_in().version();
    let one = Redactor::with_config("[[redaction.rules]]\nid='a'\npattern='acme-[0-9]+'").unwrap().version();
    let two =
        Redactor::with_config("[[redaction.rules]]\nid='a'\npattern='acme-[0-9]{2}'").unwrap().version();
    for version in [&plain, &one, &two] {
        assert!(
            version.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_'),
            "{version}"
        );
    }
    assert!(plain != one && one != two);
    assert_eq!(Redactor::with_config("").unwrap().version(), plain);
}

#[test]
fn user_rules_add_and_exceptions_take_away() {
    let token = expand("ghp_{w36}", 8).text;
    let config = format!(
        "[redaction]\nallow = ['^{token}$']\ndisable = ['url-password']\n[[redaction.rules]]\nid = 'acme'\nkeywords = ['acme-']\npattern = 'acme-(\\d{{4}})'\nkind = 'token'"
    );
    let redactor = Redactor::with_config(&config).unwrap();
    assert_eq!(redactor.scrub("acme-1234").text, "acme-[REDACTED:token]");
    assert_eq!(redactor.scrub(&token).text, token);
    let url = "postgres://u:q8Zt7pLw@db/x";
    assert_eq!(redactor.scrub(url).text, url);
    assert!(Redactor::built_in().scrub(&token).redacted());
}

#[test]
fn clones_are_shared_and_cross_threads() {
    let redactor = Redactor::built_in();
    let handle = std::thread::spawn({
        let redactor = redactor.clone();
        move || redactor.scrub("PASSWORD=hV8!kkq2Lm").redacted()
    });
    assert!(handle.join().unwrap());
}

#[test]
fn debug_output_says_nothing_of_the_text() {
    let text = "note PASSWORD=hV8!kkq2Lm canary";
    let scrubbed = Redactor::built_in().scrub(text);
    let shown = format!("{scrubbed:?} {:?}", scrubbed.findings);
    assert!(!shown.contains("canary") && !shown.contains("hV8"));
}

#[test]
fn a_text_beyond_the_bound_is_not_shown() {
    let text = "x".repeat(MAX_BYTES + 1);
    let out = Redactor::built_in().scrub(&text);
    assert_eq!(out.text, UNAVAILABLE);
    assert!(out.redacted());
    assert!(!Redactor::built_in().scrub(UNAVAILABLE).redacted());
}

#[test]
fn edges_are_looked_at_when_told() {
    let tail = expand("{w30}", 5).text;
    let text = format!("{tail} was pushed");
    let out = Redactor::built_in().scrub_cut(&text, Edges { left: true, right: false }).text;
    assert!(!out.contains(&tail));
    let kept = "81d084e1f0 fix parser (#123)";
    assert_eq!(Redactor::built_in().scrub_cut(kept, Edges { left: true, right: true }).text, kept);
}

#[test]
fn display_is_for_after_scrubbing() {
    let out = Redactor::built_in().scrub("a\u{1b}[31mb\u{202e}c");
    assert!(!out.redacted());
    assert_eq!(display::strip(&out.text), "a[31mbc");
}
