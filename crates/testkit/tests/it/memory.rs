//! The in-memory store keeps the contract.

use session_search_testkit::{MemoryFactory, contract, machine};

#[tokio::test]
async fn the_contract() {
    contract::all(&MemoryFactory).await;
}

#[test]
fn the_machine() {
    machine::run(&MemoryFactory, 1_000);
}

#[test]
fn what_is_invisible_does_not_show() {
    machine::invisible(&MemoryFactory, 1_000);
}
