//! Operations on both, compared after each.

use std::sync::Arc;

use proptest::test_runner::TestRunner;
use proptest_state_machine::ReferenceStateMachine;
use session_search_core::store::{ReconcileStep, Rewind};
use session_search_core::{EventId, SessionKey, TranscriptStore, Visible};

use super::check::{check_page, check_search, check_state};
use super::ops::{Op, Reference, bulk, pipeline, settle};
use super::{config, runtime};
use crate::factory::{StoreFactory, StoreHome};
use crate::model::Model;

/// Runs so many random histories of up to 24 operations over stores of this factory, and compares each with the
/// model after every operation: receipts, hits, pages, lists, lineage, counts, dumps.
///
/// # Panics
/// Where a store differs, with the shortest history found that shows it.
pub fn run(factory: &dyn StoreFactory, cases: u32) {
    let runtime = runtime();
    let mut runner = TestRunner::new(config(cases));
    let outcome = runner.run(&Reference::sequential_strategy(1..24), |(model, ops, _)| {
        runtime.block_on(async {
            let mut pair = Pair::new(factory, model).await;
            for op in &ops {
                pair.apply(op).await;
                check_state(&pair).await;
            }
            pair.apply(&Op::Settle).await;
            check_state(&pair).await;
        });
        Ok(())
    });
    if let Err(failure) = outcome {
        panic!("{failure}");
    }
}

/// A store and its model.
pub(super) struct Pair {
    pub(super) model: Model,
    pub(super) store: Arc<dyn TranscriptStore>,
    /// Whether the store has reconciled some of what the model still has pending.
    pub(super) stepped: bool,
    home: Box<dyn StoreHome>,
}

impl Pair {
    pub(super) async fn new(factory: &dyn StoreFactory, model: Model) -> Pair {
        let home = factory.create().await;
        let store = home.open(pipeline()).await;
        Pair { model, store, stepped: false, home }
    }

    /// Does it to both, and compares the receipts.
    pub(super) async fn apply(&mut self, op: &Op) {
        match op {
            Op::Append(append) => self.append(append).await,
            Op::Bulk(key) => self.append(&bulk(key)).await,
            Op::Import(chunk) => {
                let (expected, got) = (self.model.import(chunk), self.store.import((**chunk).clone()).await);
                assert_eq!(got.map_err(|e| e.kind()), expected.map_err(|e| e.kind()));
            }
            Op::Rewind(rewind) => self.rewind(rewind).await,
            Op::Delete(keys) => {
                assert_eq!(self.store.delete(keys).await.unwrap(), self.model.delete(keys));
            }
            Op::Step(entries) => {
                let step = self.store.reconcile_step(*entries).await.unwrap();
                self.stepped = true;
                assert_ne!(step, ReconcileStep::Waiting);
                assert!(
                    step != ReconcileStep::Idle
                        || self.store.pending(&Visible::Everything).await.unwrap() == 0
                );
            }
            Op::Settle => self.settle().await,
            Op::MarkPending(key) => {
                let expected = self.model.mark_pending(key.as_ref());
                if key.as_ref().is_none_or(|key| self.model.exists(key)) {
                    assert_eq!(self.store.mark_pending(key.as_ref()).await.unwrap(), expected);
                }
            }
            Op::Reopen => {
                self.store.close().await.unwrap();
                self.store = self.home.open(pipeline()).await;
            }
            Op::Search(ask) => check_search(self, ask).await,
            Op::History(page) => check_page(self, page).await,
        }
    }

    async fn append(&mut self, append: &session_search_core::store::Append) {
        let (expected, got) = (self.model.append(append), self.store.append(append.clone()).await);
        match (expected, got) {
            (Ok(expected), Ok(got)) => {
                assert_eq!((&got.session_id, &got.events), (&expected.session_id, &expected.events));
                assert_eq!(got.warnings.len(), expected.warnings.len(), "{:?}", got.warnings);
                let fresh: Vec<&EventId> =
                    got.events.iter().filter(|(_, new)| *new).map(|(id, _)| id).collect();
                super::check::check_fresh(self, &append.session.key, &got.session_id, &fresh).await;
            }
            (expected, got) => assert_eq!(got.map_err(|e| e.kind()), expected.map_err(|e| e.kind())),
        }
    }

    async fn rewind(&mut self, rewind: &Rewind) {
        let waited = self.model.is_pending(&rewind.key);
        let (expected, got) = (self.model.rewind(rewind), self.store.rewind(rewind.clone()).await);
        match (expected, got) {
            (Ok(mut expected), Ok(got)) => {
                if waited {
                    // Whether one that was pending already counts is not said.
                    expected.pending = got.pending;
                }
                assert_eq!(got, expected);
            }
            (expected, got) => assert_eq!(got.map_err(|e| e.kind()), expected.map_err(|e| e.kind())),
        }
    }

    async fn settle(&mut self) {
        for _ in 0..10_000 {
            if self.store.reconcile_step(100).await.unwrap() == ReconcileStep::Idle {
                settle(&mut self.model);
                self.stepped = false;
                let report = self.store.verify(false).await.unwrap();
                assert_eq!(report.differences, Vec::<String>::new());
                return;
            }
        }
        panic!("reconciliation does not end");
    }

    /// What a session reaches by lineage, as the store tells it.
    pub(super) async fn reach(&self, caller: &SessionKey) -> Visible {
        use session_search_core::SessionName;
        use session_search_core::visibility::{Reach, TreeWalk};
        let agent = self.store.agent().clone();
        let name = |key: SessionKey| SessionName { agent: agent.clone(), key };
        let mut walk = TreeWalk::from(name(caller.clone()));
        while let Some(frontier) = walk.next_level() {
            let mut children = self.store.children(&frontier).await.unwrap();
            let mut expected = self.model.children(&frontier);
            children.sort();
            expected.sort();
            assert_eq!(children, expected, "children of {frontier:?}");
            walk.spawned(children.into_iter().map(name));
        }
        Reach::Sessions(walk.reached()).within(&agent)
    }
}
