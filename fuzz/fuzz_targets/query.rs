//! Any input is a query or a clear error; a query's own text, taken as a message, gives an excerpt within its bounds.
#![no_main]

use libfuzzer_sys::fuzz_target;
use session_search_core::limits::MAX_SNIPPET_CHARS;
use session_search_core::query::Query;
use session_search_core::snippet::snippet;
use session_search_core::words::tokens;

fuzz_target!(|input: (&str, &str)| {
    let (typed, text) = input;
    match Query::parse(typed) {
        Ok(query) => {
            assert!(!query.groups().is_empty());
            assert!(query.clauses().count() <= 64);
            let all = tokens(text, &[]);
            let matches = query.matches(&all);
            let counts = query.counts(&all);
            assert_eq!(counts.len(), query.clauses().count());
            if matches {
                assert!(counts.iter().any(|count| *count > 0));
            }
            let shown = snippet(text, &query, &[]);
            assert!(shown.text.chars().count() <= MAX_SNIPPET_CHARS + 4);
            for range in &shown.highlights {
                assert!(shown.text.get(range.clone()).is_some());
            }
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
});
