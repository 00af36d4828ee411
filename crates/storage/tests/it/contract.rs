//! The suites that every store passes.

use session_search_testkit::{contract, machine};

use crate::support::SqliteFactory;

#[tokio::test]
async fn the_contract() {
    contract::all(&SqliteFactory).await;
}

#[test]
fn the_machine() {
    machine::run(&SqliteFactory, 1_000);
}

#[test]
fn what_is_invisible_does_not_show() {
    machine::invisible(&SqliteFactory, 1_000);
}
