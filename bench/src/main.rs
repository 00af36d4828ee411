//! Measures session-search against stock FTS5 in the same run.
fn main() {}
