//! The use cases over the in-memory store and over SQLite.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "tests")]

mod errors;
mod forms;
mod generated;
mod guessing;
mod history;
mod importing;
mod laws;
mod lifecycle;
mod list;
mod naming;
mod new_rules;
mod oracle;
mod rows;
mod search;
mod secrets;
mod several_agents;
mod widening;
mod world;
