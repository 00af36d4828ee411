//! Automation for session-search.
fn main() {}
