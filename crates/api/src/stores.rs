//! The open stores: a bounded number of them, the least recently used closed first.
//!
//! A use of a store is a [`Lease`]. At most half as many leases are out as stores may be open, so there is always
//! one to close. **Nobody may wait for a lease while holding one**, or two requests could wait for each other.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use session_search_core::{AgentId, StoreError, TranscriptStore};
use session_search_reconcile::{Options, Reconciler};
use tokio::sync::{OnceCell, OwnedSemaphorePermit, Semaphore};

use crate::provider::StoreProvider;
use crate::settings::MAX_OPEN_STORES;

/// A store that is open, with the task that keeps its index up to date.
#[derive(Debug)]
struct Open {
    store: Arc<dyn TranscriptStore>,
    reconciler: Reconciler,
    /// Whether deleted bytes waited when it was opened.
    erasing: bool,
}

#[derive(Debug, Default)]
struct Slot {
    open: Arc<OnceCell<Open>>,
    leases: usize,
    used: u64,
}

#[derive(Debug, Default)]
struct Table {
    slots: BTreeMap<AgentId, Slot>,
    uses: u64,
}

/// The open stores of a home.
#[derive(Debug)]
pub(crate) struct Stores {
    provider: Arc<dyn StoreProvider>,
    reconcile: Options,
    most: usize,
    leases: Arc<Semaphore>,
    table: Arc<Mutex<Table>>,
}

/// The use of an open store; while it lives the store is not closed.
#[derive(Debug)]
pub(crate) struct Lease {
    agent: AgentId,
    open: Arc<OnceCell<Open>>,
    store: Arc<dyn TranscriptStore>,
    table: Arc<Mutex<Table>>,
    _permit: OwnedSemaphorePermit,
}

/// Why there is no open store.
enum NotOpen {
    None,
    Failed(StoreError),
}

impl Stores {
    pub(crate) fn new(provider: Arc<dyn StoreProvider>, reconcile: Options, most: usize) -> Stores {
        let most = most.clamp(2, MAX_OPEN_STORES);
        Stores {
            provider,
            reconcile,
            most,
            leases: Arc::new(Semaphore::new(most / 2)),
            table: Arc::default(),
        }
    }

    /// The agents that have a store.
    pub(crate) async fn agents(&self) -> Result<Vec<AgentId>, StoreError> {
        self.provider.agents().await
    }

    /// Opens an agent's store, or takes the open one; `None` where there is none and `create` is not set.
    pub(crate) async fn lease(&self, agent: &AgentId, create: bool) -> Result<Option<Lease>, StoreError> {
        let permit = Arc::clone(&self.leases).acquire_owned().await.map_err(|_| closed())?;
        let (open, evicted) = self.claim(agent);
        // From here on the claim is given back by this guard, whatever happens, also if the future is dropped.
        let claim = Claim { agent, table: &self.table, kept: false };
        for old in evicted {
            close(old).await;
        }
        let opened = open
            .get_or_try_init(|| async {
                let store = match self.provider.open(agent, create).await {
                    Ok(Some(store)) => store,
                    Ok(None) => return Err(NotOpen::None),
                    Err(error) => return Err(NotOpen::Failed(error)),
                };
                let reconciler = Reconciler::new(Arc::clone(&store), self.reconcile);
                // A process that was killed while it erased left the rest to whoever opens the store next. A failure
                // here shows in what the store is asked next.
                let erasing = store.erasing().await.unwrap_or(false);
                if erasing {
                    reconciler.wake();
                }
                Ok(Open { store, reconciler, erasing })
            })
            .await;
        let store = match opened {
            Ok(opened) => Arc::clone(&opened.store),
            Err(NotOpen::None) => return Ok(None),
            Err(NotOpen::Failed(error)) => return Err(error),
        };
        claim.keep();
        let table = Arc::clone(&self.table);
        Ok(Some(Lease { agent: agent.clone(), open, store, table, _permit: permit }))
    }

    /// Notes a use, and takes out what must be closed for it.
    fn claim(&self, agent: &AgentId) -> (Arc<OnceCell<Open>>, Vec<Arc<OnceCell<Open>>>) {
        let mut table = lock(&self.table);
        table.uses += 1;
        let used = table.uses;
        let slot = table.slots.entry(agent.clone()).or_default();
        slot.leases += 1;
        slot.used = used;
        let open = Arc::clone(&slot.open);
        let mut evicted = Vec::new();
        while table.slots.len() > self.most {
            let idle = table.slots.iter().filter(|(_, slot)| slot.leases == 0);
            let Some(oldest) = idle.min_by_key(|(_, slot)| slot.used).map(|(agent, _)| agent.clone()) else {
                break;
            };
            evicted.extend(table.slots.remove(&oldest).map(|slot| slot.open));
        }
        (open, evicted)
    }

    /// Whether any store that is open can be read only.
    pub(crate) fn any_read_only(&self) -> bool {
        let table = lock(&self.table);
        table.slots.values().filter_map(|slot| slot.open.get()).any(|open| open.store.read_only())
    }

    /// Erases what waited in the stores that are open, for at most that long. What a reader holds up stays.
    pub(crate) async fn finish_erasures(&self, wait: Duration) {
        let waiting: Vec<_> = {
            let table = lock(&self.table);
            let open = table.slots.values().map(|slot| Arc::clone(&slot.open));
            open.filter(|open| open.get().is_some_and(|open| open.erasing)).collect()
        };
        let all = async {
            for open in waiting.iter().filter_map(|open| open.get()) {
                if let Err(error) = open.reconciler.finish_erasure().await {
                    let agent = open.store.agent();
                    tracing::warn!(%agent, kind = ?error.kind(), "deleted bytes could not be erased");
                }
            }
        };
        drop(tokio::time::timeout(wait, all).await);
    }

    /// Closes every store that nobody uses.
    pub(crate) async fn close(&self) {
        let idle: Vec<_> = {
            let mut table = lock(&self.table);
            let slots = std::mem::take(&mut table.slots);
            let (idle, used): (BTreeMap<_, _>, _) = slots.into_iter().partition(|(_, slot)| slot.leases == 0);
            table.slots = used;
            idle.into_values().map(|slot| slot.open).collect()
        };
        for open in idle {
            close(open).await;
        }
    }

    #[cfg(test)]
    fn open_agents(&self) -> Vec<String> {
        lock(&self.table).slots.keys().map(ToString::to_string).collect()
    }
}

impl Lease {
    pub(crate) fn store(&self) -> &Arc<dyn TranscriptStore> {
        &self.store
    }

    /// The task that keeps the store's index up to date.
    pub(crate) fn reconciler(&self) -> Option<&Reconciler> {
        self.open.get().map(|open| &open.reconciler)
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        give_back(&self.table, &self.agent);
    }
}

/// A use that is noted but not yet a lease.
struct Claim<'a> {
    agent: &'a AgentId,
    table: &'a Mutex<Table>,
    kept: bool,
}

impl Claim<'_> {
    fn keep(mut self) {
        self.kept = true;
    }
}

impl Drop for Claim<'_> {
    fn drop(&mut self) {
        if !self.kept {
            give_back(self.table, self.agent);
        }
    }
}

fn give_back(table: &Mutex<Table>, agent: &AgentId) {
    let mut table = lock(table);
    if let Some(slot) = table.slots.get_mut(agent) {
        slot.leases = slot.leases.saturating_sub(1);
        if slot.leases == 0 && !slot.open.initialized() {
            table.slots.remove(agent);
        }
    }
}

async fn close(open: Arc<OnceCell<Open>>) {
    let Some(open) = Arc::into_inner(open).and_then(OnceCell::into_inner) else { return };
    open.reconciler.stop();
    if let Err(error) = open.store.close().await {
        tracing::warn!(agent = %open.store.agent(), kind = ?error.kind(), "a store did not close cleanly");
    }
}

/// The table stays consistent between two statements, so a panic elsewhere does not spoil it.
fn lock(table: &Mutex<Table>) -> std::sync::MutexGuard<'_, Table> {
    table.lock().unwrap_or_else(PoisonError::into_inner)
}

fn closed() -> StoreError {
    StoreError::new(session_search_core::ErrorKind::Closed, "the stores were closed")
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use async_trait::async_trait;
    use session_search_core::ErrorKind;
    use session_search_testkit::MemoryStore;
    use session_search_testkit::pipeline::TestPipeline;

    use super::*;

    #[derive(Debug, Default)]
    struct Counting {
        opened: AtomicUsize,
    }

    #[async_trait]
    impl StoreProvider for Counting {
        async fn agents(&self) -> Result<Vec<AgentId>, StoreError> {
            Ok(Vec::new())
        }

        async fn open(
            &self,
            agent: &AgentId,
            _: bool,
        ) -> Result<Option<Arc<dyn TranscriptStore>>, StoreError> {
            tokio::task::yield_now().await;
            match agent.as_str() {
                "none" => return Ok(None),
                "broken" => return Err(StoreError::new(ErrorKind::Corrupt, "damaged")),
                _ => {}
            }
            self.opened.fetch_add(1, Ordering::SeqCst);
            Ok(Some(Arc::new(MemoryStore::new(agent.clone(), TestPipeline::plain()))))
        }
    }

    fn stores(most: usize) -> (Arc<Counting>, Stores) {
        let provider = Arc::new(Counting::default());
        let options = Options { at_start: false, ..Options::default() };
        let stores = Stores::new(Arc::clone(&provider) as Arc<dyn StoreProvider>, options, most);
        (provider, stores)
    }

    fn agent(id: &str) -> AgentId {
        AgentId::new(id).unwrap()
    }

    #[tokio::test]
    async fn the_least_recently_used_is_closed_first() {
        let (provider, stores) = stores(3);
        for id in ["a", "b", "c", "a", "d", "a"] {
            assert!(stores.lease(&agent(id), false).await.unwrap().is_some());
        }
        assert_eq!(stores.open_agents(), ["a", "c", "d"]);
        assert_eq!(provider.opened.load(Ordering::SeqCst), 4, "a stayed open");
    }

    #[tokio::test]
    async fn a_store_in_use_is_not_closed() {
        let (_, stores) = stores(2);
        let held = stores.lease(&agent("held"), false).await.unwrap().unwrap();
        stores.close().await;
        assert!(held.store().status().await.is_ok());
        drop(held);
        let status = stores.lease(&agent("other"), false).await.unwrap().unwrap();
        assert_eq!(stores.open_agents(), ["held", "other"]);
        drop(status);
        stores.close().await;
        assert!(stores.open_agents().is_empty());
    }

    #[tokio::test]
    async fn two_at_the_same_time_open_it_once() {
        let (provider, stores) = stores(8);
        let a = agent("a");
        let (one, two) = tokio::join!(stores.lease(&a, false), stores.lease(&a, false));
        assert!(one.unwrap().is_some() && two.unwrap().is_some());
        assert_eq!(provider.opened.load(Ordering::SeqCst), 1);
    }

    #[tokio::test]
    async fn what_did_not_open_takes_no_place() {
        let (_, stores) = stores(2);
        assert!(stores.lease(&agent("none"), false).await.unwrap().is_none());
        assert_eq!(stores.lease(&agent("broken"), false).await.unwrap_err().kind(), ErrorKind::Corrupt);
        assert!(stores.open_agents().is_empty());
    }

    #[tokio::test]
    async fn a_dropped_wait_gives_its_place_back() {
        let (_, stores) = stores(2);
        let held = stores.lease(&agent("a"), false).await.unwrap();
        let b = agent("b");
        let mut waiting = Box::pin(stores.lease(&b, false));
        assert!(futures::poll!(&mut waiting).is_pending(), "half of two may be out");
        drop(waiting);
        drop(held);
        assert!(stores.lease(&b, false).await.unwrap().is_some());
    }
}
