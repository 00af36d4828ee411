//! The program as a whole, run as people and programs run it.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a test that cannot go on ends here"
)]

mod append;
mod bad_input;
mod corpus;
mod crash;
mod delete;
mod harness;
mod help;
mod history;
mod homes;
mod import;
mod lifecycle;
mod list;
mod mcp;
mod redact;
mod search;
mod silence;
