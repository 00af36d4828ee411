//! Once found, every copy goes: a secret that stands elsewhere in the same text without its name.

use aho_corasick::{AhoCorasick, MatchKind};

use crate::chars::{at, before, is_alnum};
use crate::span::{Rank, Span};
use crate::value;

/// At most so many different secrets are looked for again.
const MOST: usize = 512;

/// Adds the copies of what `spans` holds.
pub(crate) fn copies(text: &str, spans: &mut Vec<Span>) {
    let bytes = text.as_bytes();
    let mut secrets: Vec<(&[u8], &'static str)> = spans
        .iter()
        .filter(|s| s.end - s.start <= 4096 && s.rank != Rank::Derived)
        .map(|s| (&bytes[s.start..s.end], s.kind))
        .filter(|(secret, _)| distinctive(secret))
        .collect();
    secrets.sort_unstable();
    secrets.dedup_by_key(|s| s.0);
    secrets.truncate(MOST);
    if secrets.is_empty() {
        return;
    }
    let built =
        AhoCorasick::builder().match_kind(MatchKind::LeftmostLongest).build(secrets.iter().map(|s| s.0));
    let Ok(automaton) = built else { return };
    for found in automaton.find_iter(text) {
        let (secret, kind) = secrets[found.pattern().as_usize()];
        let whole = !is_alnum(before(bytes, found.start())) && !is_alnum(at(bytes, found.end()));
        if whole || secret.len() >= 10 {
            spans.push(Span::new(found.start()..found.end(), kind, Rank::Derived));
        }
    }
}

/// Long and odd enough that a second occurrence is no coincidence.
fn distinctive(secret: &[u8]) -> bool {
    secret.len() >= 6 && (value::hard(secret) || (secret.len() >= 12 && !value::word_like(secret)))
}
