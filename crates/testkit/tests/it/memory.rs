//! The in-memory store keeps the contract.

use session_search_testkit::{MemoryFactory, contract};

#[tokio::test]
async fn the_contract() {
    contract::all(&MemoryFactory).await;
}
