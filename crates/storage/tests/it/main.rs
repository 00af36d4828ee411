//! The SQLite store as a whole: the contract suite, opening, erasure, crashes, other processes.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout, reason = "a panic is a failed test")]

mod contract;
mod crash;
mod damage;
mod erasure;
mod opening;
mod queries;
mod remembering;
mod scan;
mod support;
