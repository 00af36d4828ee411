//! Every row of the table keeps its promises.

use std::collections::BTreeSet;

use session_search_redact::{Redactor, is_marker, kinds, rule_table};

use crate::examples::expand;

#[test]
fn rows_are_well_formed() {
    let mut ids = BTreeSet::new();
    for rule in rule_table() {
        assert!(ids.insert(rule.id), "{} stands twice", rule.id);
        assert!(!rule.hits.is_empty(), "{} has no example", rule.id);
        assert!(!rule.misses.is_empty(), "{} has no counter-example", rule.id);
        let compiled =
            regex::bytes::RegexBuilder::new(rule.pattern).unicode(false).size_limit(1 << 20).build();
        assert!(compiled.is_ok(), "{}: {:?}", rule.id, compiled.err());
        assert!(
            rule.kind.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-'),
            "{}",
            rule.kind
        );
        assert!(is_marker(&format!("[REDACTED:{}]", rule.kind)), "{}", rule.kind);
    }
    assert!(kinds().count() >= 120, "{} kinds", kinds().count());
}

#[test]
fn markers_hold_no_piece_of_a_prefix() {
    let mut faults = BTreeSet::new();
    for rule in rule_table() {
        let whole = regex::bytes::Regex::new(&format!("(?-u){}", rule.pattern)).unwrap().captures_len() == 1;
        for word in rule.keywords.iter().filter(|_| whole) {
            let shared = word
                .as_bytes()
                .windows(8)
                .any(|w| std::str::from_utf8(w).is_ok_and(|w| rule.kind.contains(w)));
            if shared {
                faults.insert(rule.kind);
            }
        }
    }
    assert!(faults.is_empty(), "{faults:?}");
}

#[test]
fn hits_are_found_and_nothing_of_them_is_left() {
    let redactor = Redactor::built_in();
    let mut faults = Vec::new();
    for rule in rule_table() {
        for (number, template) in rule.hits.iter().enumerate() {
            for seed in 1..4 {
                let example = expand(template, seed * 1_000 + number as u64);
                let text = format!("see {} here", example.text);
                let out = redactor.scrub(&text);
                if !out.redacted() || example.shows_in(&out.text) {
                    faults.push(format!("{} ({template})", rule.id));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{} missed: {faults:#?}", faults.len());
}

#[test]
fn misses_are_left_by_their_rule() {
    let redactor = Redactor::built_in();
    let mut faults = Vec::new();
    for rule in rule_table() {
        for template in rule.misses {
            let text = format!("see {} here", expand(template, 7).text);
            if redactor.find(&text).iter().any(|f| f.kind == rule.kind) {
                faults.push(format!("{} ({template})", rule.id));
            }
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}

#[test]
fn a_find_is_called_what_its_row_says() {
    let redactor = Redactor::built_in();
    let mut faults = BTreeSet::new();
    for rule in rule_table() {
        for template in rule.hits {
            let text = format!("see {} here", expand(template, 17).text);
            let found = redactor.find(&text);
            if !found.iter().any(|f| f.kind == rule.kind) {
                let kinds: Vec<&str> = found.iter().map(|f| f.kind).collect();
                faults.insert(format!("{} ({template}) as {kinds:?}", rule.id));
            }
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}

#[test]
fn each_kind_of_the_table_is_one_that_a_marker_can_name() {
    let kinds_of_rows: BTreeSet<&str> = rule_table().map(|rule| rule.kind).collect();
    assert!(kinds_of_rows.len() >= 120, "{} kinds", kinds_of_rows.len());
    assert!(kinds_of_rows.iter().all(|kind| kinds().any(|known| known == *kind)));
}

#[test]
fn no_row_holds_what_it_looks_for() {
    let redactor = Redactor::built_in();
    let mut faults = BTreeSet::new();
    for rule in rule_table() {
        for template in rule.hits.iter().filter(|t| expand(t, 1).parts.iter().any(|p| p.len() >= 16)) {
            // A key's first line in base64 is its whole telling part, and no secret.
            let found = redactor.find(template);
            if rule.kind != "base64-private-key" && found.iter().any(|f| f.kind == rule.kind) {
                faults.insert(format!("{} is spelt out: {template}", rule.id));
            }
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}
