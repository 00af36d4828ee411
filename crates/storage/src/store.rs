//! The store behind the trait: each call becomes a job of the writer or a reader.

use std::cell::RefCell;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use async_trait::async_trait;
use session_search_core::query::Query;
use session_search_core::source::{ImportChunk, ImportReceipt, SourceMark};
use session_search_core::store::{
    Answer, Append, AppendReceipt, DeleteReceipt, HistoryAnswer, HistoryPlan, ReconcileStep, Rewind,
    RewindReceipt, SearchPlan, SessionSummary, Statistics, StoreHits, StoreStatus, VerifyReport,
};
use session_search_core::{
    AgentId, ErrorKind, EventId, SessionId, SessionKey, SessionName, StoreError, TextPipeline,
    TranscriptStore, Visible,
};

use crate::connection::Place;
use crate::erase;
use crate::error::Result;
use crate::generation::Seen;
use crate::options::OpenOptions;
use crate::readers::{Readers, Reading};
use crate::writer::Writer;
use crate::writing::Writing;
use crate::{
    append, delete, dump, history, import, list, marks, reconcile, search, sessions, status, verify,
};

/// One agent's sessions in one SQLite database.
///
/// ```
/// use std::sync::Arc;
/// use session_search_core::{AgentId, PipelineVersion, TextPipeline, TranscriptStore, words};
/// use session_search_storage::{OpenOptions, SqliteStore};
///
/// struct Plain;
/// impl TextPipeline for Plain {
///     fn version(&self) -> PipelineVersion { PipelineVersion::new(words::WORDS_VERSION, "none") }
///     fn prepare(&self, text: &str) -> words::Prepared { words::prepare(text, &[]) }
///     fn tokens(&self, text: &str) -> (String, Vec<words::Token>) { (text.to_owned(), words::tokens(text, &[])) }
/// }
///
/// # let directory = tempfile::tempdir().unwrap();
/// # let path = directory.path().join("main").join("sessions.sqlite");
/// let store = SqliteStore::open(&path, AgentId::new("main").unwrap(), OpenOptions::default(), Arc::new(Plain)).unwrap();
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
/// assert_eq!(store.status().await.unwrap().sessions, 0);
/// store.close().await.unwrap();
/// # });
/// ```
pub struct SqliteStore {
    agent: AgentId,
    path: PathBuf,
    read_only: bool,
    pipeline: Arc<dyn TextPipeline>,
    writer: Writer,
    readers: Readers,
}

impl fmt::Debug for SqliteStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SqliteStore")
            .field("agent", &self.agent)
            .field("path", &self.path)
            .finish_non_exhaustive()
    }
}

impl SqliteStore {
    /// Opens the store in a file, which is made where the options say so. Takes no write lock where it is there and
    /// of today's schema. Threads start with the first call that needs them.
    ///
    /// # Errors
    /// `NotFound` where nothing is there and nothing is to be made; `Corrupt` for what is no store of ours;
    /// `SchemaTooNew`; `Busy` where another process holds it for longer than `busy_wait`; `ReadOnly` where it must be
    /// written and cannot be; `Full`; `Io`.
    pub fn open(
        path: &Path,
        agent: AgentId,
        options: OpenOptions,
        pipeline: Arc<dyn TextPipeline>,
    ) -> Result<SqliteStore> {
        let (place, conn) = Place::open(path, &options)?;
        let read_only = place.read_only();
        let readers = Readers::new(place.clone(), options.readers);
        let (seen, wait) = (Seen::now(&conn)?, options.busy_wait);
        let (first, port) = (if read_only { None } else { Some(conn) }, Arc::clone(&pipeline));
        let writer = Writer::new(Box::new(move || {
            let conn = match first {
                Some(conn) => conn,
                None => place.writer()?,
            };
            Ok(Writing { conn, pipeline: port, seen, wait, plan: None, erased: RefCell::new(None) })
        }));
        Ok(SqliteStore { agent, path: path.to_owned(), read_only, pipeline, writer, readers })
    }

    fn writable(&self) -> Result<&Writer> {
        if self.read_only {
            let message =
                format!("{} was opened read-only; open it where it can be written", self.path.display());
            return Err(StoreError::new(ErrorKind::ReadOnly, message));
        }
        Ok(&self.writer)
    }
}

#[async_trait]
impl TranscriptStore for SqliteStore {
    fn agent(&self) -> &AgentId {
        &self.agent
    }

    fn read_only(&self) -> bool {
        self.read_only
    }

    async fn append(&self, request: Append) -> Result<AppendReceipt> {
        self.writable()?.shared(move |writing| append::append(writing, &request)).await
    }

    async fn rewind(&self, request: Rewind) -> Result<RewindReceipt> {
        self.writable()?.alone(move |writing| delete::rewind(writing, &request)).await
    }

    async fn delete(&self, keys: &[SessionKey]) -> Result<DeleteReceipt> {
        let keys = keys.to_vec();
        self.writable()?.alone(move |writing| delete::delete(writing, &keys)).await
    }

    async fn import(&self, chunk: ImportChunk) -> Result<ImportReceipt> {
        self.writable()?.shared(move |writing| import::import(writing, &chunk)).await
    }

    async fn known_events(
        &self,
        key: &SessionKey,
        session_id: &SessionId,
        ids: &[EventId],
    ) -> Result<Vec<bool>> {
        let (key, session_id, ids) = (key.clone(), session_id.clone(), ids.to_vec());
        self.readers.read(move |reading| import::known(reading.conn, &key, &session_id, &ids)).await
    }

    async fn source_marks(&self) -> Result<Vec<(String, SourceMark)>> {
        self.readers.read(|reading| marks::all(reading.conn)).await
    }

    async fn mark_source(&self, path: &str, mark: SourceMark) -> Result<()> {
        let path = path.to_owned();
        self.writable()?.shared(move |writing| marks::write(&writing.conn, &path, &mark)).await
    }

    async fn children(&self, of: &[SessionName]) -> Result<Vec<SessionKey>> {
        let of = of.to_vec();
        self.readers.read(move |reading| sessions::children(reading.conn, &of)).await
    }

    async fn exists(&self, key: &SessionKey) -> Result<bool> {
        let key = key.clone();
        self.readers.read(move |reading| Ok(sessions::find(reading.conn, &key)?.is_some())).await
    }

    async fn statistics(&self, visible: &Visible, query: &Arc<Query>) -> Result<Statistics> {
        let (visible, query, pipeline) = (visible.clone(), Arc::clone(query), Arc::clone(&self.pipeline));
        self.readers.read(move |reading| search::statistics(reading, &visible, &query, &*pipeline)).await
    }

    async fn occurring(&self, visible: &Visible, terms: &[String]) -> Result<Vec<u64>> {
        let (visible, terms, pipeline) = (visible.clone(), terms.to_vec(), Arc::clone(&self.pipeline));
        self.readers.read(move |reading| search::occurring(reading, &visible, &terms, &*pipeline)).await
    }

    async fn search(&self, visible: &Visible, plan: &SearchPlan) -> Result<StoreHits> {
        let (visible, plan, pipeline) = (visible.clone(), plan.clone(), Arc::clone(&self.pipeline));
        self.readers.read(move |reading| search::search(reading, &visible, &plan, &*pipeline)).await
    }

    async fn answer(&self, waiting: &Visible, visible: &Visible, plan: &SearchPlan) -> Result<Answer> {
        let (waiting, visible, plan) = (waiting.clone(), visible.clone(), plan.clone());
        let pipeline = Arc::clone(&self.pipeline);
        let body = move |reading: &mut Reading<'_>| {
            let pending = status::pending(reading.conn, &waiting, &pipeline.version())?;
            let statistics = Arc::new(search::statistics(reading, &visible, &plan.query, &*pipeline)?);
            let plan = SearchPlan { statistics: Arc::clone(&statistics), ..plan };
            let hits = search::search(reading, &visible, &plan, &*pipeline)?;
            Ok(Answer { pending, statistics, hits })
        };
        self.readers.read(body).await
    }

    async fn pending(&self, visible: &Visible) -> Result<u64> {
        let (visible, version) = (visible.clone(), self.pipeline.version());
        self.readers.read(move |reading| status::pending(reading.conn, &visible, &version)).await
    }

    async fn erasing(&self) -> Result<bool> {
        if self.read_only {
            return Ok(false);
        }
        self.readers.read(|reading| erase::is_waiting(reading.conn)).await
    }

    async fn history(&self, visible: &Visible, plan: &HistoryPlan) -> Result<HistoryAnswer> {
        let (visible, plan) = (visible.clone(), plan.clone());
        self.readers.read(move |reading| history::page(reading.conn, &visible, &plan)).await
    }

    async fn list(&self, visible: &Visible) -> Result<Vec<SessionSummary>> {
        let visible = visible.clone();
        self.readers.read(move |reading| list::list(reading.conn, &visible)).await
    }

    async fn reconcile_step(&self, entries: usize) -> Result<ReconcileStep> {
        let entries = u64::try_from(entries).unwrap_or(u64::MAX);
        self.writable()?.alone(move |writing| reconcile::next(writing, entries)).await
    }

    async fn mark_pending(&self, key: Option<&SessionKey>) -> Result<u64> {
        let key = key.cloned();
        let body = move |writing: &mut Writing| {
            writing.transaction(|writing| reconcile::mark_pending(writing, key.as_ref()))
        };
        self.writable()?.alone(body).await
    }

    async fn verify(&self, repair: bool) -> Result<VerifyReport> {
        let look = || {
            let pipeline = Arc::clone(&self.pipeline);
            self.readers.read(move |reading| verify::verify(reading.conn, pipeline.as_ref()))
        };
        let mut report = look().await?;
        if repair && !report.differences.is_empty() {
            self.writable()?.alone(verify::repair).await?;
            report.repaired = look().await?.differences.is_empty();
        }
        Ok(report)
    }

    async fn status(&self) -> Result<StoreStatus> {
        let base = StoreStatus {
            agent_id: self.agent.clone(),
            sessions: 0,
            transcripts: 0,
            events: 0,
            indexed: 0,
            pending: 0,
            erasing: false,
            index_version: self.pipeline.version().to_string(),
            schema_version: 0,
            bytes: status::bytes(&self.path),
            read_only: self.read_only,
        };
        let version = self.pipeline.version();
        self.readers.read(move |reading| status::status(reading.conn, base, &version)).await
    }

    async fn dump(&self) -> Result<Vec<String>> {
        self.readers.read(|reading| dump::dump(reading.conn)).await
    }

    async fn close(&self) -> Result<()> {
        let readers = self.readers.close();
        let writer = self.writer.close();
        if readers.is_empty() && writer.is_none() {
            return Ok(());
        }
        // Joined elsewhere, so that no task's thread is held up.
        let (sender, receiver) = tokio::sync::oneshot::channel();
        let join = move || {
            for thread in readers {
                drop(thread.join());
            }
            // The last connection to end folds the write-ahead log into the file. Two that end at once can each take
            // the other for one still at work, and leave the log: so the writer ends alone, and a store without one
            // leaves it to the next that opens.
            if let Some(end) = writer {
                end();
            }
            // The caller may have stopped to wait.
            let _ = sender.send(());
        };
        std::thread::Builder::new().name("session-close".into()).spawn(join).map_err(|error| {
            StoreError::new(ErrorKind::Io, "cannot wait for the store's threads").with_source(error)
        })?;
        drop(receiver.await);
        Ok(())
    }
}
