//! Excerpts: what they show, how they are cut.

use std::ops::Range;

use proptest::prelude::*;
use session_search_core::query::parse;
use session_search_core::snippet::{Snippet, cut_characters, snippet};
use session_search_core::words::tokens;
use unicode_segmentation::UnicodeSegmentation;

fn excerpt(query: &str, text: &str) -> Snippet {
    snippet(text, &parse(query).unwrap(), &[])
}

/// The excerpt with its matches in brackets.
fn marked(query: &str, text: &str) -> String {
    let found = excerpt(query, text);
    let mut out = String::new();
    let mut from = 0;
    for Range { start, end } in found.highlights {
        out.push_str(&format!("{}[{}]", &found.text[from..start], &found.text[start..end]));
        from = end;
    }
    out.push_str(&found.text[from..]);
    out
}

fn flat(text: &str) -> String {
    text.split(|c: char| c.is_whitespace() || c.is_control())
        .filter(|part| !part.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

const FILLER: &str = "lorem ipsum dolor sit amet consectetur adipiscing elit sed do eiusmod tempor ";

#[test]
fn short_texts_are_whole_and_on_one_line() {
    assert_eq!(marked("b", " a\n\t b\r\n c "), "a [b] c");
    assert_eq!(marked("user", "call getUserName()"), "call get[User]Name()");
    assert_eq!(marked("getUserName", "call getUserName()"), "call [getUserName]()");
    assert_eq!(marked("会议室 cafe", "明天CAFÉ会议室见"), "明天[CAFÉ会议室]见");
    assert_eq!(marked("\"a b\" cd*", "a\n  b, cde c"), "[a b], [cde] c");
    assert_eq!(marked("c++ -x", "C++ and c"), "[C++] and c");
    assert_eq!(
        marked("name value", "| name | value |\n|---|---|\n| a | 1 |\n"),
        "| [name] | [value] | |---|---| | a | 1 |"
    );
    assert!(!excerpt("a", "a").cut);
    assert_eq!(excerpt("a", "").text, "");
    assert_eq!(excerpt("a", " \n ").text, "");
    assert_eq!(excerpt("zzz", "nothing here").highlights, []);
}

#[test]
fn long_texts_are_cut_around_the_match() {
    let text = format!("{}NEEDLE {}", FILLER.repeat(20), FILLER.repeat(20));
    let found = excerpt("needle", &text);
    assert!(found.cut);
    assert!(found.text.starts_with("… ") && found.text.ends_with(" …"), "{}", found.text);
    let length = found.text.chars().count();
    assert!((270..=300).contains(&length), "{length}");
    // Between words at both ends.
    let inner = found.text.trim_matches(['…', ' ']);
    assert!(inner.split(' ').all(|word| word == "NEEDLE" || FILLER.split(' ').any(|w| w == word)), "{inner}");
    // At the end of the text what stands before takes the room.
    let found = excerpt("needle", &format!("{}NEEDLE", FILLER.repeat(20)));
    assert!(found.text.starts_with("… ") && found.text.ends_with("NEEDLE"));
    assert!(found.text.chars().count() > 270);
    // At its start nothing is cut before.
    let found = excerpt("needle", &format!("NEEDLE {}", FILLER.repeat(20)));
    assert!(found.text.starts_with("NEEDLE lorem") && found.text.ends_with(" …"));
    // Without a match the beginning.
    let found = excerpt("absent", &text);
    assert!(found.text.starts_with("lorem ipsum") && found.highlights.is_empty());
}

#[test]
fn a_sentence_or_line_begins_the_excerpt() {
    let sentence = format!("{}. We chose the NEEDLE at last. {}", FILLER.repeat(9), FILLER.repeat(9));
    assert!(excerpt("needle", &sentence).text.starts_with("… We chose the NEEDLE at last. lorem"));
    let quoted = format!("{} \"Enough.\" The NEEDLE moved. {}", FILLER.repeat(9), FILLER.repeat(9));
    assert!(excerpt("needle", &quoted).text.starts_with("… The NEEDLE moved. lorem"));
    let line = format!("{}\n    let needle = 1;\n{}", FILLER.repeat(9), FILLER.repeat(9));
    assert!(excerpt("needle", &line).text.starts_with("… let needle = 1; lorem"));
    // A mark that combines with the space before it is cut off with it.
    let mark = format!("{}. \u{113b8} We chose the NEEDLE at last. {}", FILLER.repeat(9), FILLER.repeat(9));
    assert!(excerpt("needle", &mark).text.starts_with("… We chose the NEEDLE at last. lorem"));
    let han = format!("{}。我们选择了退避算法。{}", "数据库迁移失败".repeat(60), "数据库迁移失败".repeat(60));
    assert!(excerpt("退避", &han).text.starts_with("… 我们选择了退避算法。数据库"));
}

#[test]
fn the_window_shows_the_most_different_words() {
    let far = FILLER.repeat(8);
    let text = format!("alpha alpha alpha {far} alpha beta {far} alpha x y z beta gamma {far} gamma");
    let found = excerpt("alpha beta gamma", &text);
    assert!(found.text.contains("alpha x y z beta gamma"), "{}", found.text);
    assert_eq!(found.highlights.len(), 3);
    // Of equals the one where they stand nearest, then the first.
    let text = format!("beta one two alpha {far} alpha beta {far} beta alpha");
    assert!(excerpt("alpha beta", &text).text.contains("alpha beta lorem"));
    // A phrase counts as its words.
    let text = format!("one two {far} red green blue {far}");
    assert!(excerpt("one two \"red green blue\"", &text).text.contains("red green blue"));
    // A phrase too long to show is shown from its start.
    let long = "alpha beta ".repeat(30);
    let found = excerpt(&format!("\"{long}\""), &format!("{far}{long}{far}"));
    assert!(found.text.contains("alpha beta alpha") && found.text.chars().count() <= 300);
}

#[test]
fn graphemes_and_markers_stay_whole() {
    let family = "👩\u{200D}👩\u{200D}👧\u{200D}👦";
    let found = excerpt("needle", &format!("needle {}", family.repeat(60)));
    let inner = found.text.trim_start_matches("needle ").trim_end_matches(" …");
    assert!(inner.graphemes(true).all(|grapheme| grapheme == family), "{inner}");
    let marker = "[REDACTED:github-token]";
    for lead in 250..300 {
        let text = format!("needle {}{marker} {}", "x".repeat(lead), FILLER.repeat(5));
        let at = text.find(marker).unwrap();
        let protect = [at..at + marker.len()];
        let found = snippet(&text, &parse("needle").unwrap(), &protect);
        assert!(found.text.contains(marker) || !found.text.contains('['), "{}", found.text);
        assert!(found.text.chars().count() <= 300);
    }
    for lead in 20..140 {
        let text = format!("{}{marker}{} needle {}", FILLER.repeat(9), "x".repeat(lead), FILLER.repeat(9));
        let at = text.find(marker).unwrap();
        let protect = [at..at + marker.len()];
        let found = snippet(&text, &parse("needle").unwrap(), &protect);
        assert!(found.text.contains("needle"));
        assert!(found.text.contains(marker) || !found.text.contains(']'), "{}", found.text);
    }
    // Words of a marker are no matches.
    assert!(snippet("a [REDACTED:a] a", &parse("redacted OR a").unwrap(), &[2..14]).highlights.len() == 2);
}

#[test]
fn hostile_texts_are_bounded() {
    let one = "a ".repeat(1 << 19);
    assert_eq!(excerpt("a \"a a a\"", &one).text.chars().count(), 299);
    let zalgo = format!("needle {}", "\u{301}".repeat(1 << 19));
    assert!(excerpt("needle", &zalgo).text.chars().count() <= 300);
    let flags = "🇯🇵".repeat(1 << 16);
    assert!(excerpt("needle", &flags).text.chars().count() <= 300);
    let blank = format!("{}needle{}x", " ".repeat(1 << 19), "\n".repeat(1 << 19));
    assert_eq!(marked("needle", &blank), "[needle] x");
    let run = "会".repeat(1 << 18);
    assert_eq!(excerpt(&"会".repeat(4_096), &run).text.chars().count(), 300);
}

#[test]
fn characters_are_cut_between_graphemes_and_markers() {
    assert_eq!(cut_characters("", 0, &[]), ("", false));
    assert_eq!(cut_characters("ab", 0, &[]), ("", true));
    assert_eq!(cut_characters("ééé", 3, &[]), ("ééé", false));
    assert_eq!(cut_characters("e\u{301}e\u{301}", 3, &[]), ("e\u{301}", true));
    assert_eq!(cut_characters("\r\n\r\n", 3, &[]), ("\r\n", true));
    assert_eq!(cut_characters(&format!("e{}", "\u{301}".repeat(10)), 4, &[]).0.chars().count(), 4);
    assert_eq!(cut_characters("ab[m]cd", 4, &[2..5]), ("ab", true));
    assert_eq!(cut_characters("ab[m]cd", 5, &[2..5]), ("ab[m]", true));
    assert_eq!(cut_characters("ab[m]cd", 2, &[2..5]), ("ab", true));
    assert_eq!(cut_characters("[m]cd", 2, &[0..3]), ("", true));
}

fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => prop::sample::select(vec!["alpha", "beta", "会议", " ", "\n", ". ", "。", "\t\t", "getUserName", "👩\u{200D}💻", "e\u{301}", "[R:x]"])
            .prop_map(str::to_owned),
        1 => "[a-z ]{1,60}",
        1 => "\\PC{0,8}",
    ];
    prop::collection::vec(piece, 0..120).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn excerpts_keep_their_laws(text in text(), query in prop::sample::select(vec![
        "alpha", "alpha beta", "会 getUserName", "\"alpha beta\" OR 议", "name -alpha", "bet* zzz", "👩\u{200D}💻 e",
    ])) {
        let protect: Vec<Range<usize>> = text.match_indices("[R:x]").map(|(at, marker)| at..at + marker.len()).collect();
        let query = parse(query).unwrap();
        let found = snippet(&text, &query, &protect);
        prop_assert!(found.text.chars().count() <= 300);
        let whole = flat(&text);
        prop_assert_eq!(found.cut, whole.chars().count() > 300);
        let inner = found.text.strip_prefix("… ").filter(|_| found.cut).unwrap_or(&found.text);
        let inner = inner.strip_suffix(" …").filter(|_| found.cut).unwrap_or(inner);
        prop_assert!(whole.contains(inner), "{:?} of {:?}", inner, whole);
        prop_assert_eq!(flat(&found.text), found.text.clone());
        // A marker is there whole or not at all.
        prop_assert_eq!(inner.matches("[R:").count(), inner.matches("[R:x]").count());
        prop_assert_eq!(inner.matches(":x]").count(), inner.matches("[R:x]").count());
        // What matches is marked, and something is, if anything does.
        let mut from = 0;
        for span in &found.highlights {
            prop_assert!(span.start >= from && span.start < span.end && found.text.get(span.clone()).is_some());
            from = span.end + 1;
        }
        let matched = !query.find(&tokens(&text, &protect)).is_empty();
        prop_assert_eq!(matched, !found.highlights.is_empty(), "{:?}", text);
    }

    #[test]
    fn no_window_holds_more_words(words in prop::collection::vec(0_usize..12, 1..120)) {
        // Words of five letters, so that windows can be counted by hand; few of them are looked for.
        let names = ["aaaaa", "bbbbb", "ccccc"];
        let text: Vec<&str> = words.iter().map(|&n| names.get(n).copied().unwrap_or("xxxxx")).collect();
        let found = excerpt("aaaaa bbbbb ccccc", &text.join(" "));
        let shown = names.iter().filter(|name| found.text.contains(**name)).count();
        // 296 characters hold 49 words with the spaces between them.
        let most = text.windows(text.len().min(49))
            .map(|window| names.iter().filter(|name| window.contains(name)).count())
            .max();
        prop_assert_eq!(Some(shown), most);
    }

    #[test]
    fn cuts_keep_their_laws(text in text(), most in 0_usize..400) {
        let protect: Vec<Range<usize>> = text.match_indices("[R:x]").map(|(at, marker)| at..at + marker.len()).collect();
        let (start, cut) = cut_characters(&text, most, &protect);
        prop_assert!(text.starts_with(start));
        prop_assert!(start.chars().count() <= most);
        prop_assert_eq!(cut, start.len() < text.len());
        prop_assert!(!protect.iter().any(|marker| marker.start < start.len() && start.len() < marker.end));
        // Nothing is left out that would fit, but for what must stay whole.
        prop_assert_eq!(cut, text.chars().count() > most);
    }
}
