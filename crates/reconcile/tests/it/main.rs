//! The reconciler over a store whose answers are scripted, in paused time.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "tests")]

mod driver;
mod scripted;
