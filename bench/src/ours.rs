//! Our side: a home filled through the store, and searched through the use cases.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use session_search_api::core::source::{ImportChunk, SourceRank};
use session_search_api::core::store::SessionSpec;
use session_search_api::core::visibility::{Policy, Scope};
use session_search_api::core::{AgentId, Event, SessionId, SessionKey, SessionName, TranscriptStore};
use session_search_api::{Context, ScrubbedWords, SearchRequest, SessionSearch, Settings};
use session_search_redact::Redactor;
use session_search_storage::{OpenOptions, SqliteStore};
use tokio::runtime::Runtime;

use crate::corpus::{Message, key};

/// How many messages go into one transaction while the home is filled.
const CHUNK: usize = 400;

/// A home with one agent.
pub(crate) struct Ours {
    home: PathBuf,
    runtime: Runtime,
    sessions: SessionSearch,
}

impl Ours {
    /// Fills a home. The first `spawned` sessions after number 0 are spawned by it, so that a caller sees just those.
    pub(crate) fn build(home: &Path, messages: &[Message], spawned: usize) -> Result<Ours, Box<dyn Error>> {
        let ours = Ours::open(home)?;
        let store = open(home)?;
        let mut by_session: std::collections::BTreeMap<usize, Vec<&Message>> =
            std::collections::BTreeMap::new();
        for message in messages {
            by_session.entry(message.session).or_default().push(message);
        }
        for (session, list) in by_session {
            ours.block_on(fill(&store, session, &list, spawned))?;
        }
        ours.block_on(store.close())?;
        Ok(ours)
    }

    /// A home that is there.
    pub(crate) fn open(home: &Path) -> Result<Ours, Box<dyn Error>> {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
        let sessions = SessionSearch::open(home, &Settings::default());
        Ok(Ours { home: home.to_owned(), runtime, sessions })
    }

    /// The operator's search; the number of hits.
    pub(crate) fn search(&self, request: &SearchRequest) -> Result<usize, Box<dyn Error>> {
        Ok(self.runtime.block_on(self.sessions.search(&Context::operator(), request))?.results.len())
    }

    /// A search by session 0, which sees itself and what it spawned.
    pub(crate) fn search_in_tree(&self, request: &SearchRequest) -> Result<usize, Box<dyn Error>> {
        let caller = SessionName { agent: AgentId::new("main")?, key: SessionKey::new(key(0))? };
        let context = Context::session(caller, Policy { scope: Scope::Tree, ..Policy::default() });
        Ok(self.runtime.block_on(self.sessions.search(&context, request))?.results.len())
    }

    /// Deletes a session.
    pub(crate) fn delete(&self, session_key: &str) -> Result<u64, Box<dyn Error>> {
        Ok(self.runtime.block_on(self.sessions.delete(session_key, None))?.messages)
    }

    /// A second handle on the same file, as another process would have one.
    pub(crate) fn second_store(&self) -> Result<SqliteStore, Box<dyn Error>> {
        open(&self.home)
    }

    /// Runs a future of a store.
    pub(crate) fn block_on<T>(&self, future: impl Future<Output = T>) -> T {
        self.runtime.block_on(future)
    }

    /// The database file.
    pub(crate) fn database(&self) -> PathBuf {
        database(&self.home)
    }
}

fn database(home: &Path) -> PathBuf {
    home.join("agents").join("main").join("sessions.sqlite")
}

fn open(home: &Path) -> Result<SqliteStore, Box<dyn Error>> {
    let pipeline = Arc::new(ScrubbedWords::new(Redactor::built_in().into()));
    Ok(SqliteStore::open(&database(home), AgentId::new("main")?, OpenOptions::default(), pipeline)?)
}

async fn fill(
    store: &SqliteStore,
    session: usize,
    list: &[&Message],
    spawned: usize,
) -> Result<(), Box<dyn Error>> {
    let mut spec = SessionSpec::native(SessionKey::new(key(session))?);
    if (1..spawned).contains(&session) {
        spec.spawned_by = Some(SessionName { agent: AgentId::new("main")?, key: SessionKey::new(key(0))? });
    }
    let mut transcript = None;
    let mut parent: Option<String> = None;
    for chunk in list.chunks(CHUNK) {
        let mut events = Vec::with_capacity(chunk.len());
        for message in chunk {
            events.push(Event::parse(message.event(parent.as_deref()))?);
            parent = Some(message.id());
        }
        let leaf = events.last().and_then(|event| event.id().cloned());
        let receipt = store
            .import(ImportChunk {
                session: spec.clone(),
                session_id: SessionId::new(format!("s{session}"))?,
                transcript: transcript.take(),
                rank: SourceRank::Live,
                source: None,
                created: None,
                events,
                leaf: Some(leaf),
                defer_index: false,
                restore: false,
                mark: None,
            })
            .await?;
        transcript = Some(receipt.transcript);
    }
    Ok(())
}
