//! The command line of session-search.
fn main() {}
