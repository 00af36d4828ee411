//! Import: transcripts that other programs wrote, brought into the stores.
//!
//! A source is skipped unopened where size, time and inode are as noted when it was last read. Each chunk is stored
//! with its note in one transaction, so an import that was interrupted is simply run again.

mod report;
mod sink;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use session_search_core::source::{ReadSummary, SourceError, SourceMark, TranscriptSource};
use session_search_core::{AgentId, SessionKey, StoreError};

pub use report::{ImportOptions, ImportReport, MAX_WARNINGS, NoProgress, Progress};

use crate::error::ApiError;
use crate::session_search::Inner;
use sink::{Sink, Stored};

/// What is noted about the sources of each agent.
type Ledger = BTreeMap<AgentId, BTreeMap<String, SourceMark>>;

/// What is done with a source that is due.
struct Due {
    source: Box<dyn TranscriptSource>,
    /// How far it was read before.
    last: Option<SourceMark>,
}

/// How reading a source ended, and the source, which the reading thread hands back.
struct Read {
    source: Box<dyn TranscriptSource>,
    end: Result<ReadSummary, SourceError>,
    stored: Stored,
}

impl Inner {
    /// Imports the sources one after the other.
    pub(crate) async fn import(
        &self,
        sources: impl Iterator<Item = Box<dyn TranscriptSource>> + Send,
        options: &ImportOptions,
        progress: Arc<dyn Progress>,
    ) -> Result<ImportReport, ApiError> {
        // A home that cannot be read fails here, once, and not for every source.
        self.stores.agents().await?;
        let mut report = ImportReport::default();
        let mut ledger = Ledger::new();
        let mut sessions: BTreeSet<(AgentId, SessionKey)> = BTreeSet::new();
        for source in sources {
            report.files += 1;
            progress.begins(source.path(), source.identity().size);
            let path = source.path().to_owned();
            match self.due(source, options, &mut ledger).await {
                Ok(Some(due)) => match self.read(due, options, &progress).await {
                    Ok(read) => report.add(read, &mut sessions, &mut ledger),
                    Err(error) => report.failed(&path, &error.to_string()),
                },
                Ok(None) => {}
                Err(error) => report.failed(&path, &error.to_string()),
            }
            progress.ends(&path);
        }
        report.sessions = sessions.len() as u64;
        Ok(report)
    }

    /// What is noted about the sources of all agents.
    pub(crate) async fn source_marks(&self) -> Result<Vec<(String, SourceMark)>, ApiError> {
        let agents = self.stores.agents().await?;
        let answers = self.ask_each(agents, |_, store| async move { store.source_marks().await }).await;
        Ok(answers.into_iter().filter_map(|(_, marks)| marks.ok()).flatten().collect())
    }

    /// Whether a source has to be read, and from where.
    async fn due(
        &self,
        source: Box<dyn TranscriptSource>,
        options: &ImportOptions,
        ledger: &mut Ledger,
    ) -> Result<Option<Due>, ApiError> {
        if source.deleted() && !options.include_deleted {
            return Ok(None);
        }
        let agent = source.agent().clone();
        let marks = match ledger.entry(agent) {
            std::collections::btree_map::Entry::Occupied(known) => known.into_mut(),
            std::collections::btree_map::Entry::Vacant(new) => {
                let marks = match self.stores.lease(new.key(), false).await? {
                    Some(lease) => lease.store().source_marks().await?.into_iter().collect(),
                    None => BTreeMap::new(),
                };
                new.insert(marks)
            }
        };
        let last = marks.get(source.path()).cloned();
        let unchanged = last.as_ref().is_some_and(|last| same_file(last, source.identity()));
        if unchanged && !options.rehash && !options.restore {
            return Ok(None);
        }
        // Restoring reads from the start: what was consumed then was refused by a tombstone.
        let last = if options.restore { None } else { last };
        Ok(Some(Due { source, last }))
    }

    /// Reads a source on a thread that may block.
    async fn read(
        &self,
        due: Due,
        options: &ImportOptions,
        progress: &Arc<dyn Progress>,
    ) -> Result<Read, ApiError> {
        let Due { mut source, last } = due;
        let lease = self.lease_or_create(source.agent()).await?;
        let mut sink = Sink::new(lease, source.path().to_owned(), options, Arc::clone(progress));
        let reading = tokio::task::spawn_blocking(move || {
            let end = source.read(last.as_ref(), &mut sink);
            Read { source, end, stored: sink.into_stored() }
        });
        reading.await.map_err(|_| {
            let kind = session_search_core::ErrorKind::Io;
            ApiError::Store(StoreError::new(
                kind,
                "the reader gave up on this file; it was not imported as a whole",
            ))
        })
    }
}

/// Whether a file is as it was, as far as can be told without opening it.
fn same_file(noted: &SourceMark, now: &SourceMark) -> bool {
    (noted.size, noted.modified_ns, noted.inode) == (now.size, now.modified_ns, now.inode)
}

impl ImportReport {
    fn add(&mut self, read: Read, sessions: &mut BTreeSet<(AgentId, SessionKey)>, ledger: &mut Ledger) {
        let Read { source, end, stored } = read;
        let agent = source.agent();
        self.messages += stored.messages;
        self.skipped += stored.skipped;
        for warning in stored.warnings {
            self.warn(source.path(), &warning);
        }
        sessions.extend(stored.sessions.into_iter().map(|key| (agent.clone(), key)));
        if let (Some(mark), Some(marks)) = (stored.mark, ledger.get_mut(agent)) {
            marks.insert(source.path().to_owned(), mark);
        }
        match end {
            Ok(summary) => self.add_summary(source.path(), &summary),
            // What it says names the path already.
            Err(error) => self.failed("", &error.to_string()),
        }
    }

    fn add_summary(&mut self, path: &str, summary: &ReadSummary) {
        self.malformed += summary.malformed;
        self.skipped += summary.skipped;
        self.pending += u64::from(summary.half);
        for damage in &summary.damage {
            self.warn(path, &format!("{damage:?}"));
        }
        let listed = summary.damage.len() as u64;
        if summary.malformed > listed {
            self.warn(path, &format!("{} more records could not be read", summary.malformed - listed));
        }
        for warning in &summary.warnings {
            self.warn(path, warning);
        }
    }
}
