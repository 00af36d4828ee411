//! The suites of the kit over its own in-memory store.

mod faults;
mod memory;
