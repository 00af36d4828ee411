//! A store in memory that knows no more than an importer needs: transcripts as trees of events.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use session_search_core::source::{
    ImportChunk, ImportReceipt, ImportSink, ReadSummary, SourceMark, SourceRank,
};
use session_search_core::{
    Event, EventId, Millis, Parent, Role, SessionId, SessionKey, StoreError, text, tree,
};
use session_search_import::{DiscoverOptions, discover};

/// One transcript.
pub(crate) struct Transcript {
    pub(crate) key: SessionKey,
    pub(crate) id: SessionId,
    pub(crate) events: Vec<Event>,
    by_id: HashMap<EventId, usize>,
    pub(crate) leaf: Option<EventId>,
    rank: Option<SourceRank>,
}

/// What a session was told to be.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct Told {
    pub(crate) title: Option<String>,
    pub(crate) project: Option<String>,
    pub(crate) spawned_by: Option<String>,
}

/// Takes chunks, and keeps the marks of sources.
#[derive(Default)]
pub(crate) struct Memory {
    pub(crate) transcripts: Vec<Transcript>,
    pub(crate) sessions: BTreeMap<SessionKey, Told>,
    pub(crate) marks: HashMap<String, SourceMark>,
    pub(crate) messages: u64,
    pub(crate) chunks: usize,
    source: String,
}

impl Transcript {
    /// The events of the active branch, root first.
    pub(crate) fn branch(&self) -> Vec<&Event> {
        let parent = |id: &EventId| {
            let event = &self.events[*self.by_id.get(id)?];
            Some(match event.parent() {
                Parent::Event(parent) => Some(parent.clone()),
                _ => None,
            })
        };
        tree::path(self.leaf.clone(), parent).iter().map(|id| &self.events[self.by_id[id]]).collect()
    }

    /// Role and text of what is found on the active branch.
    pub(crate) fn said(&self) -> Vec<(Role, String)> {
        let said = |event: &&Event| Some((event.role()?, text::searchable(event.raw()).text));
        self.branch().iter().filter_map(said).filter(|(_, text)| !text.trim().is_empty()).collect()
    }
}

impl Memory {
    /// Imports whatever is under the paths, in order.
    pub(crate) fn import(&mut self, paths: &[&Path]) -> ReadSummary {
        let paths: Vec<PathBuf> = paths.iter().map(|path| path.to_path_buf()).collect();
        let mut found = discover(&paths, &DiscoverOptions::default(), &|_| None);
        let mut all = ReadSummary::default();
        for source in &mut found.sources {
            let last = self.marks.get(source.path()).cloned();
            self.source = source.path().to_owned();
            let summary = source.read(last.as_ref(), self).unwrap();
            all.malformed += summary.malformed;
            all.skipped += summary.skipped;
            all.half |= summary.half;
            all.damage.extend(summary.damage);
            all.warnings.extend(summary.warnings);
        }
        all
    }

    pub(crate) fn transcript(&self, key: &str) -> &Transcript {
        self.transcripts
            .iter()
            .find(|one| one.key.as_str() == key)
            .unwrap_or_else(|| panic!("no session {key}"))
    }

    pub(crate) fn told(&self, key: &str) -> &Told {
        &self.sessions[&SessionKey::new(key).unwrap()]
    }

    /// What a search finds, in every session.
    pub(crate) fn said(&self) -> Vec<(Role, String)> {
        self.transcripts.iter().flat_map(Transcript::said).collect()
    }

    pub(crate) fn count(&self, role: Role) -> usize {
        self.said().iter().filter(|(one, _)| *one == role).count()
    }

    fn pick(&mut self, chunk: &ImportChunk) -> usize {
        let key = &chunk.session.key;
        if let Some(wanted) = &chunk.transcript
            && let Some(at) = self.transcripts.iter().position(|one| one.key == *key && one.id == *wanted)
        {
            return at;
        }
        let base = chunk.session_id.as_str();
        let is_part = |one: &Transcript| {
            let rest = one.id.as_str().strip_prefix(base);
            one.key == *key && rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('#'))
        };
        let holds =
            |one: &Transcript| chunk.events.iter().any(|event| one.by_id.contains_key(event.id().unwrap()));
        if let Some(at) = self.transcripts.iter().position(|one| is_part(one) && holds(one)) {
            return at;
        }
        let parts = self.transcripts.iter().filter(|one| is_part(one)).count();
        let id = if parts == 0 { base.to_owned() } else { format!("{base}#{}", parts + 1) };
        self.transcripts.push(Transcript {
            key: key.clone(),
            id: SessionId::new(id).unwrap(),
            events: Vec::new(),
            by_id: HashMap::new(),
            leaf: None,
            rank: None,
        });
        self.transcripts.len() - 1
    }
}

impl ImportSink for Memory {
    fn store(&mut self, chunk: ImportChunk) -> Result<ImportReceipt, StoreError> {
        self.chunks += 1;
        let at = self.pick(&chunk);
        let told = self.sessions.entry(chunk.session.key.clone()).or_default();
        told.title = chunk.session.title.clone().or(told.title.take());
        told.project = chunk.session.project.clone().or(told.project.take());
        told.spawned_by = told.spawned_by.take().or(chunk.session.spawned_by.map(|name| name.key.into()));
        let transcript = &mut self.transcripts[at];
        let (mut messages, mut skipped) = (0, 0);
        for event in chunk.events {
            assert!(event.timestamp() >= Some(Millis(0)) && *event.parent() != Parent::CurrentLeaf);
            let id = event.id().unwrap().clone();
            if transcript.by_id.contains_key(&id) {
                skipped += 1;
                continue;
            }
            messages += u64::from(event.role().is_some());
            transcript.by_id.insert(id, transcript.events.len());
            transcript.events.push(event);
        }
        if let Some(leaf) = chunk.leaf
            && transcript.rank.is_none_or(|rank| rank <= chunk.rank)
        {
            transcript.rank = Some(chunk.rank);
            transcript.leaf = leaf;
        }
        if let Some((path, mark)) = chunk.mark {
            self.marks.insert(path, mark);
        }
        self.messages += messages;
        Ok(ImportReceipt {
            transcript: transcript.id.clone(),
            messages,
            skipped,
            tombstone: false,
            pinned: false,
        })
    }

    fn known(
        &mut self,
        key: &SessionKey,
        session_id: &SessionId,
        ids: &[EventId],
    ) -> Result<Vec<bool>, StoreError> {
        let transcript = self.transcripts.iter().find(|one| one.key == *key && one.id == *session_id);
        Ok(ids.iter().map(|id| transcript.is_some_and(|one| one.by_id.contains_key(id))).collect())
    }

    fn mark(&mut self, mark: SourceMark) -> Result<(), StoreError> {
        self.marks.insert(self.source.clone(), mark);
        Ok(())
    }

    fn progress(&mut self, _: u64) {}
}
