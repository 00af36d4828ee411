//! What must hold for every text.

use proptest::prelude::*;
use session_search_redact::{Redactor, UNAVAILABLE, is_marker, markers, rule_table};

use crate::examples::{Example, Random, expand};

/// A way to write a text down.
type Form = (&'static str, fn(&str) -> String);

/// Prose, code and other languages, without a secret in it.
const ORDINARY: &[&str] = &[
    "We moved the parser into its own module and kept the old one behind a feature.\n",
    "fn next(&mut self) -> Option<Token> { self.tokens.pop_front() }\n",
    "Die Sitzung beginnt um neun, der Schlüssel liegt beim Pförtner.\n",
    "会议记录已经发给大家,请在周五之前回复。\n",
    "commit 4d1f98451a7e3c0b6f2d8e9a1b3c5d7e9f0a2b4c fixes the token limit of 200000\n",
    "{\"id\":\"0192f3a4-7b1c-7d2e-8f00-a1b2c3d4e5f6\",\"role\":\"user\",\"key\":\"value\"}\n",
];

fn surroundings(random: &mut Random, bytes: usize) -> String {
    let mut text = String::new();
    while text.len() < bytes {
        text.push_str(ORDINARY[random.below(ORDINARY.len())]);
    }
    text
}

/// Shapes that need nothing beside them.
fn bare_examples(seed: u64) -> Vec<(&'static str, Example)> {
    rule_table()
        .flat_map(|rule| rule.hits.iter().map(move |t| (rule.id, *t)))
        .filter(|(_, t)| !t.contains([' ', '"', '=', '\n', '/', '&', '|']))
        .map(|(id, t)| (id, expand(t, seed)))
        .collect()
}

fn split(text: &str, columns: usize) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut rest = text;
    while rest.len() > columns {
        let (head, tail) = rest.split_at(columns);
        parts.push(head);
        rest = tail;
    }
    parts.push(rest);
    parts
}

fn base64(text: &str) -> String {
    const ALPHABET: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for chunk in text.as_bytes().chunks(3) {
        let bits = chunk.iter().fold(0u32, |bits, b| bits << 8 | u32::from(*b)) << (8 * (3 - chunk.len()));
        for i in 0..4 {
            out.push(if i <= chunk.len() {
                char::from(ALPHABET[(bits >> (18 - 6 * i) & 63) as usize])
            } else {
                '='
            });
        }
    }
    out
}

#[test]
fn ordinary_text_comes_back_as_it_was() {
    let redactor = Redactor::built_in();
    for text in ORDINARY {
        assert_eq!(redactor.scrub(text).text, *text);
    }
}

#[test]
fn an_example_anywhere_in_a_long_text_goes() {
    let redactor = Redactor::built_in();
    let mut random = Random(11);
    for (id, example) in bare_examples(5) {
        let (head, tail) = (random.below(5_000), random.below(5_000));
        let text = format!(
            "{}\n{}\n{}",
            surroundings(&mut random, head),
            example.text,
            surroundings(&mut random, tail)
        );
        let out = redactor.scrub(&text).text;
        assert!(!example.shows_in(&out), "{id}");
    }
}

#[test]
fn wrappings_hide_nothing() {
    let redactor = Redactor::built_in();
    let forms: &[Form] = &[
        ("wrapped lines", |s| format!("token is\n{}\nend", split(s, 24).join("\n"))),
        ("indented lines", |s| format!("value:\n  {}\n", split(s, 30).join("\n  "))),
        ("shell lines", |s| format!("run {} now", split(s, 24).join("\\\n"))),
        ("diff lines", |s| format!("+{}\n", split(s, 40).join("\n+"))),
        ("a concatenation", |s| format!("x = \"{}\"", split(s, 32).join("\" + \""))),
        ("base64", |s| format!("data {}", base64(s))),
        ("code fence", |s| format!("```\n{s}\n```")),
        ("inline code", |s| format!("use `{s}` now")),
        ("json", |s| format!("{{\"a\":\"{s}\"}}")),
        ("json in json", |s| format!("{{\"a\":\"{{\\\"b\\\":\\\"{s}\\\"}}\"}}")),
        ("escaped line end", |s| format!("\"first\\n{s}\\nlast\"")),
        ("diff", |s| format!("+{s}\n-old")),
        ("table", |s| format!("| name | {s} |")),
        ("glued to Chinese", |s| format!("密钥{s}请保存")),
        ("quoted mail", |s| format!("> {s}")),
        ("zero width", |s| s.chars().flat_map(|c| [c, '\u{200b}']).collect()),
        ("terminal colours", |s| format!("\u{1b}[32m{s}\u{1b}[0m")),
        ("full width", |s| {
            s.chars()
                .map(
                    |c| if c.is_ascii_graphic() { char::from_u32(u32::from(c) + 0xfee0).unwrap() } else { c },
                )
                .collect()
        }),
        ("highlighted", |s| format!("key <mark>{}</mark>{}", &s[..s.len() / 2], &s[s.len() / 2..])),
        ("percent", |s| s.bytes().map(|b| format!("%{b:02X}")).collect()),
        ("hexadecimal", |s| s.bytes().map(|b| format!("{b:02x}")).collect()),
    ];
    let mut faults = Vec::new();
    for (id, example) in bare_examples(9) {
        for (name, form) in forms {
            let text = form(&example.text);
            let out = redactor.scrub(&text).text;
            if example.shows_in(&out) || !out.contains("[REDACTED:") {
                faults.push(format!("{id} in {name}"));
            }
        }
    }
    assert!(faults.is_empty(), "{} of them: {faults:#?}", faults.len());
}

#[test]
fn a_copy_without_its_name_goes_too() {
    let secret = expand("{w9}!{w5}", 3).text;
    let text = format!("DB_PASSWORD={secret}\nlater we log in with {secret} again");
    let out = Redactor::built_in().scrub(&text).text;
    assert!(!out.contains(&secret));
    assert_eq!(markers(&out).len(), 2);
}

#[test]
fn made_up_markers_shield_nothing() {
    let token = expand("ghp_{w36}", 4);
    for text in [
        format!("[REDACTED:{}]", token.text),
        format!("[REDACTED:x] {}", token.text),
        format!("[REDACTED:jwt]{}", token.text),
    ] {
        let out = Redactor::built_in().scrub(&text).text;
        assert!(!token.shows_in(&out), "{out}");
    }
}

#[test]
fn valid_json_stays_valid() {
    let redactor = Redactor::built_in();
    for (id, example) in bare_examples(21) {
        let inner = serde_json::json!({ "cmd": format!("export API_KEY={} && run\n", example.text), "password": "q9!fT\"\\x7Zz" }).to_string();
        let text = serde_json::json!({ "content": inner, "n": [1, 2] }).to_string();
        let out = redactor.scrub(&text).text.into_owned();
        let parsed: serde_json::Value = serde_json::from_str(&out).unwrap_or_else(|e| panic!("{id}: {e}"));
        assert!(!example.shows_in(&out), "{id}");
        let content = parsed["content"].as_str().unwrap();
        assert!(serde_json::from_str::<serde_json::Value>(content).is_ok(), "{id}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_scrubbed_once_and_for_all(text in "(\\PC|[\\n\\t\"'`=:;,{}\\[\\]<>/\\\\%-]|pass|key|token|eyJ|AKIA|://|@|-----BEGIN |ghp_|[A-Za-z0-9]{8,20}){0,60}") {
        let redactor = Redactor::built_in();
        let once = redactor.scrub(&text);
        prop_assert_ne!(&once.text, UNAVAILABLE);
        let mut end = 0;
        for found in &once.findings {
            prop_assert!(found.range.start >= end && found.range.end <= text.len() && !found.range.is_empty());
            prop_assert!(text.is_char_boundary(found.range.start) && text.is_char_boundary(found.range.end));
            let marker = format!("[REDACTED:{}]", found.kind);
            prop_assert!(is_marker(&marker));
            end = found.range.end;
        }
        prop_assert_eq!(&redactor.find(&text), &once.findings);
        let twice = redactor.scrub(&once.text);
        prop_assert_eq!(&twice.text, &once.text);
    }
}
