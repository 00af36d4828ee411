//! What a store means, in the simplest code: plain collections, everything computed anew each time.
//!
//! [`Model`] is synchronous and cheap to clone, so that it serves twice: behind [`crate::MemoryStore`], and as the
//! reference of the state machine ([`crate::machine`]). Where the words of the trait leave a choice, this is the
//! one that holds.

mod history;
mod import;
mod index;
mod merge;
mod reports;
mod search;
mod transcript;
mod write;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

use session_search_core::source::SourceMark;
use session_search_core::store::{Result, SessionSpec};
use session_search_core::{
    AgentId, ErrorKind, Millis, SessionId, SessionKey, SessionName, StoreError, TextPipeline, Visible,
};

pub(crate) use transcript::{Stored, Transcript};

/// One agent's sessions.
#[derive(Clone)]
pub(crate) struct Model {
    agent: AgentId,
    pipeline: Arc<dyn TextPipeline>,
    sessions: BTreeMap<SessionKey, Session>,
    /// Who spawned each session that ever was: outlives deletion, and what it said first stays.
    lineage: BTreeMap<SessionKey, Option<SessionName>>,
    tombstones: BTreeSet<(SessionKey, SessionId)>,
    marks: BTreeMap<String, SourceMark>,
    /// Numbers transcripts in the order of their arrival.
    arrivals: u64,
}

/// A session and its transcripts, oldest first.
#[derive(Clone)]
pub(crate) struct Session {
    pub(crate) spec: SessionSpec,
    pub(crate) transcripts: Vec<Transcript>,
}

impl fmt::Debug for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let transcripts: usize = self.sessions.values().map(|s| s.transcripts.len()).sum();
        write!(
            f,
            "Model {{ agent: {}, sessions: {}, transcripts: {transcripts} }}",
            self.agent,
            self.sessions.len()
        )
    }
}

impl Session {
    /// The times of its first and last event.
    pub(crate) fn span(&self) -> Option<(Millis, Millis)> {
        let times = || self.transcripts.iter().flat_map(|t| t.events().iter().map(|event| event.timestamp));
        Some((times().min()?, times().max()?))
    }

    /// By when they began; of two that began at once, by their events, so that the order of imports does not count.
    fn sort_transcripts(&mut self) {
        self.transcripts.sort_by_key(|t| (t.created, t.beginning(), t.arrival));
    }
}

impl Model {
    pub(crate) fn new(agent: AgentId, pipeline: Arc<dyn TextPipeline>) -> Model {
        Model {
            agent,
            pipeline,
            sessions: BTreeMap::new(),
            lineage: BTreeMap::new(),
            tombstones: BTreeSet::new(),
            marks: BTreeMap::new(),
            arrivals: 0,
        }
    }

    /// Takes another pipeline: under another version nothing that was indexed counts any more.
    pub(crate) fn open_with(&mut self, pipeline: Arc<dyn TextPipeline>) {
        if pipeline.version() == self.pipeline.version() {
            return;
        }
        self.pipeline = pipeline;
        for transcript in self.transcripts_mut() {
            transcript.void_index();
            transcript.forget_terms();
        }
    }

    fn transcripts_mut(&mut self) -> impl Iterator<Item = &mut Transcript> {
        self.sessions.values_mut().flat_map(|session| &mut session.transcripts)
    }

    fn visible<'a>(&'a self, visible: &'a Visible) -> impl Iterator<Item = (&'a SessionKey, &'a Session)> {
        self.sessions.iter().filter(|(key, session)| visible.admits(key, session.spec.incognito))
    }

    /// Creates the session, or gives it what a session that exists takes from a spec.
    fn ensure_session(&mut self, spec: &SessionSpec) {
        let lineage = self.lineage.entry(spec.key.clone()).or_insert_with(|| spec.spawned_by.clone()).clone();
        match self.sessions.get_mut(&spec.key) {
            None => {
                let spec = SessionSpec { spawned_by: lineage, ..spec.clone() };
                self.sessions.insert(spec.key.clone(), Session { spec, transcripts: Vec::new() });
            }
            Some(session) => {
                let known = &mut session.spec;
                known.title = spec.title.clone().or_else(|| known.title.take());
                known.project = spec.project.clone().or_else(|| known.project.take());
                known.incognito |= spec.incognito;
            }
        }
    }

    fn next_arrival(&mut self) -> u64 {
        self.arrivals += 1;
        self.arrivals
    }
}

fn not_found(what: &str, name: &dyn fmt::Display) -> StoreError {
    StoreError::new(
        ErrorKind::NotFound,
        format!("there is no {what} {name} that may be seen; list the sessions"),
    )
}

/// A model refuses what no caller of a store may hand in.
fn check_spec(spec: &SessionSpec) -> Result<()> {
    let characters = spec.title.as_deref().map_or(0, |title| title.chars().count());
    if characters > session_search_core::limits::MAX_TITLE_CHARS {
        let text = format!("the title of {} has {characters} characters; cut it to 200", spec.key);
        return Err(StoreError::new(ErrorKind::Limit, text));
    }
    Ok(())
}
