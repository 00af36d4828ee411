//! The words of any text: places in order on character boundaries, both forms alike, folding idempotent.
#![no_main]

use libfuzzer_sys::fuzz_target;
use session_search_core::words::{Kind, fold, prepare, tokens};

fuzz_target!(|text: &str| {
    let all = tokens(text, &[]);
    let prepared = prepare(text, &[]);
    let joined = all.iter().map(|token| token.term.as_str()).collect::<Vec<_>>().join(" ");
    assert_eq!(joined, prepared.terms);
    let mut last = 0;
    for token in &all {
        assert!(text.is_char_boundary(token.span.start) && text.is_char_boundary(token.span.end));
        assert!(!token.term.contains([' ', '"', '\0']) && !token.term.is_empty());
        if token.kind.is_main() {
            assert!(token.span.start >= last && token.span.end > token.span.start);
            last = token.span.start;
        }
        if token.kind != Kind::Break {
            assert!(token.span.end <= text.len());
        }
    }
    let folded = fold(text);
    assert_eq!(fold(&folded), folded);
});
