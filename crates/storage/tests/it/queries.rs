//! Random queries, and those that fuzzing found worth keeping.

use proptest::prelude::*;

use crate::scan::{SAID, ask};

/// Pieces of what was said and of the language of queries.
fn typed() -> impl Strategy<Value = String> {
    let said: Vec<&str> = SAID.iter().flat_map(|(_, texts)| texts.iter().copied()).collect();
    let cut = (0..said.len(), any::<prop::sample::Index>(), 1..9_usize).prop_map(move |(n, from, length)| {
        let characters: Vec<char> = said[n].chars().collect();
        if characters.is_empty() {
            return String::new();
        }
        characters[from.index(characters.len())..].iter().take(length).collect()
    });
    let sign =
        prop::sample::select(vec![" ", " OR ", " -", "\"", "*", "-\"", "* ", "\" ", " the ", "or", ".", "_"]);
    let piece = prop_oneof![3 => cut, 2 => sign.prop_map(str::to_owned), 1 => any::<String>()];
    prop::collection::vec(piece, 1..7).prop_map(|pieces| pieces.concat())
}

#[test]
fn both_stores_find_what_a_scan_finds() {
    let config = ProptestConfig { cases: 1_500, failure_persistence: None, ..ProptestConfig::default() };
    proptest!(config, |(typed in typed(), how in any::<u16>())| ask(&typed, how));
}
