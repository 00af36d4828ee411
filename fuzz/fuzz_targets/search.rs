//! Both stores find for any query what a naive scan finds.
#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../crates/storage/tests/it/scan.rs"]
mod scan;

fuzz_target!(|input: (u16, &str)| scan::ask(input.1, input.0));
