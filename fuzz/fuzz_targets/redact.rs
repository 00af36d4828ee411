//! Scrubbing any text is idempotent, and its findings lie in order on character boundaries.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use session_search_redact::Redactor;

static REDACTOR: LazyLock<Redactor> = LazyLock::new(Redactor::built_in);

fuzz_target!(|text: &str| {
    let mut last = 0;
    for finding in REDACTOR.find(text) {
        assert!(finding.range.start >= last && finding.range.end > finding.range.start);
        assert!(text.is_char_boundary(finding.range.start) && text.is_char_boundary(finding.range.end));
        last = finding.range.end;
    }
    let once = REDACTOR.scrub(text).text.into_owned();
    let twice = REDACTOR.scrub(&once).text.into_owned();
    assert_eq!(once, twice);
});
