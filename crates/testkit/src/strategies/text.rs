//! Texts in several scripts over a small vocabulary, and queries that hit them.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use session_search_core::query::Query;

/// What texts and queries are made of. Some words are parts or relatives of others.
const WORDS: [&str; 28] = [
    "walrus",
    "Walrus",
    "narwhal",
    "seal",
    "seals",
    "the",
    "ice",
    "café",
    "CAFE",
    "Straße",
    "don't",
    "getUserName",
    "user",
    "snake_case",
    "src/main.rs",
    "C++",
    "c",
    "v1.2",
    "会议",
    "会议室",
    "修改youer服务端",
    "議",
    "東京都庁",
    "都庁",
    "회의실",
    "ประชุม",
    "🚀",
    "sesame1",
];

/// What stands between two words.
const GAPS: [&str; 7] = [" ", " ", " ", ", ", "\n", ". ", ""];

/// A word.
pub fn word() -> impl Strategy<Value = String> {
    select(WORDS.as_slice()).prop_map(str::to_owned)
}

/// A text of up to eight words; now and then empty, or signs only.
pub fn text() -> impl Strategy<Value = String> {
    let words = vec((word(), select(GAPS.as_slice())), 0..8);
    let text = words.prop_map(|words| words.into_iter().map(|(word, gap)| word + gap).collect::<String>());
    prop_oneof![20 => text, 1 => Just("?! --".to_owned()), 1 => Just(String::new())]
}

/// A query that parses: words, phrases, prefixes, exclusions, `OR`.
pub fn query() -> impl Strategy<Value = String> {
    vec((piece(), 0..10_u8), 1..5)
        .prop_map(joined)
        .prop_filter("a query that parses", |text| Query::parse(text).is_ok())
}

fn joined(pieces: Vec<(String, u8)>) -> String {
    let mut query = String::new();
    for (piece, joint) in pieces {
        if !query.is_empty() {
            query.push_str(if joint < 3 { " OR " } else { " " });
        }
        query.push_str(&piece);
    }
    query
}

fn piece() -> impl Strategy<Value = String> {
    let phrase = vec(word(), 1..4).prop_map(|words| format!("\"{}\"", words.join(" ")));
    let prefix = (word(), 1..5_usize).prop_map(|(word, length)| {
        let beginning: String = word.chars().take(length).collect();
        format!("{beginning}*")
    });
    prop_oneof![
        8 => word(),
        2 => phrase,
        2 => prefix,
        1 => word().prop_map(|word| format!("-{word}")),
        1 => (word(), word()).prop_map(|(one, two)| format!("-\"{one} {two}\"")),
        1 => word().prop_map(|word| word.chars().take(1).collect()),
    ]
}
