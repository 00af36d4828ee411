//! The handle: everything the product does, over the stores of one home.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use session_search_core::source::{SourceMark, TranscriptSource};
use session_search_core::store::{StoreStatus, VerifyReport};
use session_search_core::{AgentId, Event, Millis, SessionKey, SessionName};
use session_search_redact::Redactor;

use crate::append::{AppendOutcome, AppendRequest};
use crate::backend;
use crate::clean::Cleaner;
use crate::clock::Clock;
use crate::context::Context;
use crate::delete::{DeleteOutcome, RewindOutcome};
use crate::error::ApiError;
use crate::history::{HistoryRequest, HistoryResponse};
use crate::import::{ImportOptions, ImportReport, Progress};
use crate::index::{PerAgent, ReindexOutcome};
use crate::list::{ListRequest, ListResponse};
use crate::provider::StoreProvider;
use crate::search::{SearchRequest, SearchResponse};
use crate::settings::Settings;
use crate::stores::{Lease, Stores};

/// What all clones of a handle share.
#[derive(Debug)]
pub(crate) struct Inner {
    pub(crate) stores: Stores,
    pub(crate) cleaner: Cleaner,
    pub(crate) redactor: Arc<Redactor>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) at_once: usize,
}

/// The use cases. A handle is cheap to clone; all clones share the open stores. Its methods must be called within a
/// tokio runtime with time enabled.
///
/// Reading methods take a [`Context`]: who asks, under which rules. Writing methods are the host's own, who needs no
/// leave.
#[derive(Debug, Clone)]
pub struct SessionSearch {
    inner: Arc<Inner>,
}

impl SessionSearch {
    /// A handle on a home: the directory that holds, or will hold, `agents/<agentId>/sessions.sqlite`. Touches no
    /// file; a home that is not there is an empty one until something is stored.
    #[must_use]
    pub fn open(home: impl Into<PathBuf>, settings: &Settings) -> SessionSearch {
        SessionSearch::with_provider(backend::provider(home.into(), settings), settings)
    }

    /// A handle on stores that come from elsewhere. They must be opened with [`crate::ScrubbedWords`] over the
    /// settings' redactor.
    #[must_use]
    pub fn with_provider(provider: Arc<dyn StoreProvider>, settings: &Settings) -> SessionSearch {
        let inner = Inner {
            stores: Stores::new(provider, settings.reconcile, settings.open_stores),
            cleaner: Cleaner::new(Arc::clone(&settings.redactor)),
            redactor: Arc::clone(&settings.redactor),
            clock: Arc::clone(&settings.clock),
            at_once: settings.at_once.max(1),
        };
        SessionSearch { inner: Arc::new(inner) }
    }

    /// Searches messages (CONTRACT 2).
    ///
    /// # Errors
    /// [`ApiError::Invalid`] names what is out of range; [`ApiError::Forbidden`] where the caller names what it may
    /// not see; [`ApiError::Store`] where every store that was to be searched failed.
    pub async fn search(
        &self,
        context: &Context,
        request: &SearchRequest,
    ) -> Result<SearchResponse, ApiError> {
        self.inner.search(context, request).await
    }

    /// Reads a page of a session (CONTRACT 3).
    ///
    /// # Errors
    /// As [`SessionSearch::search`]; [`ApiError::NotFound`] where the operator names a session that is not there.
    pub async fn history(
        &self,
        context: &Context,
        request: &HistoryRequest,
    ) -> Result<HistoryResponse, ApiError> {
        self.inner.history(context, request).await
    }

    /// Lists sessions (CONTRACT 3).
    ///
    /// # Errors
    /// As [`SessionSearch::search`].
    pub async fn list(&self, context: &Context, request: &ListRequest) -> Result<ListResponse, ApiError> {
        self.inner.list(context, request).await
    }

    /// Appends events, all or none: durable and searchable when it returns. Makes the store and the session where
    /// they are not there.
    ///
    /// # Errors
    /// [`ApiError::Invalid`] for bad ids; [`ApiError::Store`] with a `Conflict` where an id is taken by another event.
    pub async fn append(
        &self,
        request: &AppendRequest,
        events: Vec<Event>,
    ) -> Result<AppendOutcome, ApiError> {
        self.inner.append(request, events).await
    }

    /// Moves the leaf of a session's current transcript to an event; `purge` deletes what is then off the branch.
    ///
    /// # Errors
    /// [`ApiError::NotFound`] or a store's `NotFound` where the session or event is not there.
    pub async fn rewind(
        &self,
        session_key: &str,
        agent_id: Option<&str>,
        to: &str,
        purge: bool,
    ) -> Result<RewindOutcome, ApiError> {
        self.inner.rewind(session_key, agent_id, to, purge).await
    }

    /// Deletes a session. When it returns nothing of it is found; the outcome says whether its bytes are gone too.
    ///
    /// # Errors
    /// [`ApiError::NotFound`] where the session is not there.
    pub async fn delete(&self, session_key: &str, agent_id: Option<&str>) -> Result<DeleteOutcome, ApiError> {
        self.inner.delete(session_key, agent_id).await
    }

    /// Deletes every session whose last event is older than `age`, by the clock of the settings.
    ///
    /// # Errors
    /// Where every store failed; those that failed beside others are named in the outcome.
    pub async fn purge(&self, age: Duration) -> Result<DeleteOutcome, ApiError> {
        let age = i64::try_from(age.as_millis()).unwrap_or(i64::MAX);
        self.inner.purge(Millis(self.inner.clock.now().0.saturating_sub(age))).await
    }

    /// Imports transcripts that other programs wrote. A source that fails never stops the rest.
    ///
    /// # Errors
    /// Where the home itself cannot be read; everything else is in the report.
    pub async fn import<I>(
        &self,
        sources: I,
        options: &ImportOptions,
        progress: Arc<dyn Progress>,
    ) -> Result<ImportReport, ApiError>
    where
        I: IntoIterator<Item = Box<dyn TranscriptSource>>,
        I::IntoIter: Send,
    {
        self.inner.import(sources.into_iter(), options, progress).await
    }

    /// What is noted about the sources that were imported: path and mark, of all agents. With it a source that did
    /// not change can be told from others without being opened.
    ///
    /// # Errors
    /// Where the home cannot be read; agents whose stores fail are passed over.
    pub async fn source_marks(&self) -> Result<Vec<(String, SourceMark)>, ApiError> {
        self.inner.source_marks().await
    }

    /// The state of every agent's index.
    ///
    /// # Errors
    /// Where the home cannot be read.
    pub async fn status(&self) -> Result<Vec<PerAgent<StoreStatus>>, ApiError> {
        self.inner.status().await
    }

    /// Builds the index of one session, or of all, anew, and waits that long for it.
    ///
    /// # Errors
    /// [`ApiError::NotFound`] where the session is not there; the failure of a store.
    pub async fn reindex(
        &self,
        session: Option<(&str, Option<&str>)>,
        wait: Duration,
    ) -> Result<ReindexOutcome, ApiError> {
        self.inner.reindex(session, wait).await
    }

    /// Compares every index entry with the transcripts, and checks the databases.
    ///
    /// # Errors
    /// Where the home cannot be read.
    pub async fn verify(&self, repair: bool) -> Result<Vec<PerAgent<VerifyReport>>, ApiError> {
        self.inner.verify(repair).await
    }

    /// Brings what is pending and visible to this caller up to date, for at most that long; whether all of it is.
    ///
    /// # Errors
    /// Where the home cannot be read.
    pub async fn wait_for_index(&self, context: &Context, wait: Duration) -> Result<bool, ApiError> {
        self.inner.wait_for_index(context, wait).await
    }

    /// Takes up, in the stores opened so far, erasures that another process left unfinished, for at most that long.
    /// A process that lives on need not call this: the work begins by itself when a store is opened.
    pub async fn finish_erasures(&self, wait: Duration) {
        self.inner.stores.finish_erasures(wait).await;
    }

    /// Whether any store opened so far can be read only: nothing in it is stored, erased or indexed.
    #[must_use]
    pub fn any_read_only(&self) -> bool {
        self.inner.stores.any_read_only()
    }

    /// The rules by which texts are scrubbed.
    #[must_use]
    pub fn redactor(&self) -> &Arc<Redactor> {
        &self.inner.redactor
    }

    /// Closes the open stores, waiting for what they write. The handle can go on to be used: they open again.
    pub async fn close(&self) {
        self.inner.stores.close().await;
    }
}

impl Inner {
    /// Opens an agent's store, and makes it where it is not there.
    pub(crate) async fn lease_or_create(&self, agent: &AgentId) -> Result<Lease, ApiError> {
        let lease = self.stores.lease(agent, true).await?;
        lease.ok_or_else(|| ApiError::NotFound(format!("there is no store of agent {agent}")))
    }

    /// A stored session, looked up as the operator does.
    pub(crate) async fn stored_session(
        &self,
        key: &str,
        agent: Option<&str>,
    ) -> Result<SessionName, ApiError> {
        let agent = agent.map(AgentId::new).transpose()?;
        self.for_operator(SessionKey::new(key)?, agent).await
    }
}
