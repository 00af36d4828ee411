//! Stores for tests, and short ways to fill and ask them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use serde_json::{Value, json};
use session_search_api::core::visibility::{Policy, Scope};
use session_search_api::core::{
    AgentId, ErrorKind, Event, Millis, SessionKey, SessionName, StoreError, TextPipeline, TranscriptStore,
};
use session_search_api::{
    ApiError, AppendRequest, Context, FixedClock, HistoryRequest, HistoryResponse, ListRequest, ListResponse,
    ScrubbedWords, SearchRequest, SearchResponse, SessionSearch, Settings, StoreProvider,
};
use session_search_testkit::MemoryStore;

/// The time of the clock: 2026-01-01T00:00:00Z.
pub(crate) const NOW: i64 = 1_767_225_600_000;

/// Where stores are, behind the handle.
pub(crate) enum Place {
    Memory(Arc<MemoryHome>),
    Sqlite { home: tempfile::TempDir },
}

/// A home with its handle.
pub(crate) struct World {
    pub(crate) api: SessionSearch,
    pub(crate) place: Place,
}

/// In-memory stores by agent.
#[derive(Debug, Default)]
pub(crate) struct MemoryHome {
    stores: Mutex<BTreeMap<AgentId, MemoryStore>>,
    broken: Mutex<BTreeSet<AgentId>>,
}

pub(crate) fn settings() -> Settings {
    Settings { clock: Arc::new(FixedClock(Millis(NOW))), ..Settings::default() }
}

impl MemoryHome {
    /// From now on this agent's store cannot be opened.
    pub(crate) fn break_store(&self, id: &str) {
        self.broken.lock().unwrap().insert(agent(id));
    }
}

fn pipeline() -> Arc<dyn TextPipeline> {
    Arc::new(ScrubbedWords::new(settings().redactor))
}

#[async_trait]
impl StoreProvider for MemoryHome {
    async fn agents(&self) -> Result<Vec<AgentId>, StoreError> {
        let mut agents: BTreeSet<_> = self.stores.lock().unwrap().keys().cloned().collect();
        agents.extend(self.broken.lock().unwrap().iter().cloned());
        Ok(agents.into_iter().collect())
    }

    async fn open(
        &self,
        agent: &AgentId,
        create: bool,
    ) -> Result<Option<Arc<dyn TranscriptStore>>, StoreError> {
        if self.broken.lock().unwrap().contains(agent) {
            return Err(StoreError::new(ErrorKind::Corrupt, "the store is damaged"));
        }
        let mut stores = self.stores.lock().unwrap();
        if create && !stores.contains_key(agent) {
            stores.insert(agent.clone(), MemoryStore::new(agent.clone(), pipeline()));
        }
        Ok(stores.get(agent).map(|store| Arc::new(store.reopen(pipeline())) as Arc<dyn TranscriptStore>))
    }
}

impl World {
    pub(crate) fn memory() -> World {
        World::memory_with(&settings())
    }

    pub(crate) fn memory_with(settings: &Settings) -> World {
        let home = Arc::new(MemoryHome::default());
        let api = SessionSearch::with_provider(Arc::clone(&home) as Arc<dyn StoreProvider>, settings);
        World { api, place: Place::Memory(home) }
    }

    pub(crate) fn sqlite() -> World {
        let home = tempfile::tempdir().unwrap();
        World { api: SessionSearch::open(home.path(), &settings()), place: Place::Sqlite { home } }
    }

    /// One of each.
    pub(crate) fn both() -> [World; 2] {
        [World::memory(), World::sqlite()]
    }

    pub(crate) fn home(&self) -> &MemoryHome {
        match &self.place {
            Place::Memory(home) => home,
            Place::Sqlite { .. } => panic!("this test is for the in-memory store"),
        }
    }

    /// The directory of the SQLite stores.
    pub(crate) fn directory(&self) -> &std::path::Path {
        match &self.place {
            Place::Memory(_) => panic!("this test is for SQLite"),
            Place::Sqlite { home } => home.path(),
        }
    }

    /// Appends messages to a session: `(id, role, text, milliseconds)`.
    pub(crate) async fn say(&self, to: &str, messages: &[(&str, &str, &str, i64)]) {
        self.append(AppendRequest::to(to), messages).await;
    }

    pub(crate) async fn append(&self, to: AppendRequest, messages: &[(&str, &str, &str, i64)]) {
        let events = messages.iter().map(|(id, role, text, time)| message(id, role, text, *time)).collect();
        self.api.append(&to, events).await.unwrap();
    }

    pub(crate) async fn find(&self, context: &Context, request: SearchRequest) -> SearchResponse {
        self.api.search(context, &request).await.unwrap()
    }

    /// What the operator finds: message ids in order.
    pub(crate) async fn ids(&self, request: SearchRequest) -> Vec<String> {
        ids(&self.find(&Context::operator(), request).await)
    }

    pub(crate) async fn read(&self, context: &Context, request: HistoryRequest) -> HistoryResponse {
        self.api.history(context, &request).await.unwrap()
    }

    pub(crate) async fn list(&self, context: &Context) -> ListResponse {
        self.api.list(context, &ListRequest::default()).await.unwrap()
    }

    /// Everything that a caller can learn from these questions, as JSON.
    pub(crate) async fn answers(&self, context: &Context, questions: &[Question]) -> Vec<String> {
        let mut answers = Vec::new();
        for question in questions {
            answers.push(match question {
                Question::Search(request) => text(self.api.search(context, request).await),
                Question::History(request) => text(self.api.history(context, request).await),
                Question::List(request) => text(self.api.list(context, request).await),
            });
        }
        answers
    }
}

/// Something that a caller asks.
#[derive(Debug, Clone)]
pub(crate) enum Question {
    Search(SearchRequest),
    History(HistoryRequest),
    List(ListRequest),
}

fn text<T: serde::Serialize>(answer: Result<T, ApiError>) -> String {
    match answer {
        Ok(answer) => serde_json::to_string(&answer).unwrap(),
        Err(error) => serde_json::to_string(&error.failure()).unwrap(),
    }
}

pub(crate) fn ids(found: &SearchResponse) -> Vec<String> {
    found.results.iter().map(|hit| hit.message_id.to_string()).collect()
}

pub(crate) fn agent(id: &str) -> AgentId {
    AgentId::new(id).unwrap()
}

pub(crate) fn name(agent_id: &str, key: &str) -> SessionName {
    SessionName { agent: agent(agent_id), key: SessionKey::new(key).unwrap() }
}

pub(crate) fn message(id: &str, role: &str, text: &str, time: i64) -> Event {
    raw(json!({"type": "message", "id": id, "timestamp": time, "message": {"role": role, "content": text}}))
}

pub(crate) fn raw(value: Value) -> Event {
    Event::parse(value.to_string()).unwrap()
}

/// A caller under a scope.
pub(crate) fn caller(agent_id: &str, key: &str, scope: Scope) -> Context {
    Context::session(name(agent_id, key), Policy { scope, ..Policy::default() })
}

pub(crate) fn search(query: &str) -> SearchRequest {
    SearchRequest::new(query)
}

/// A session that another spawned.
pub(crate) fn child(key: &str, of: &str) -> AppendRequest {
    AppendRequest { spawned_by: Some(of.into()), ..AppendRequest::to(key) }
}

/// A runtime for tests that are not async themselves.
pub(crate) fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap()
}
