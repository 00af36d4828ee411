//! Lists, lineage, status, verification, dumps.

use std::cmp::Reverse;
use std::collections::HashMap;

use session_search_core::dump::{DumpedEvent, dump};
use session_search_core::store::{SessionSummary, StoreStatus, VerifyReport};
use session_search_core::{EventId, SessionKey, SessionName, Visible};

use super::{Model, Transcript};

impl Model {
    pub(crate) fn children(&self, of: &[SessionName]) -> Vec<SessionKey> {
        let spawned =
            |parent: &Option<SessionName>| parent.as_ref().is_some_and(|parent| of.contains(parent));
        self.lineage.iter().filter(|(_, parent)| spawned(parent)).map(|(key, _)| key.clone()).collect()
    }

    pub(crate) fn exists(&self, key: &SessionKey) -> bool {
        self.sessions.contains_key(key)
    }

    pub(crate) fn list(&self, visible: &Visible) -> Vec<SessionSummary> {
        let mut list: Vec<_> = self
            .visible(visible)
            .map(|(key, session)| SessionSummary {
                key: key.clone(),
                session_ids: session.transcripts.iter().map(|t| t.id.clone()).collect(),
                title: session.spec.title.clone(),
                project: session.spec.project.clone(),
                source: session.spec.source.clone(),
                spawned_by: session.spec.spawned_by.clone(),
                messages: session.transcripts.iter().map(|t| t.branch_messages().len() as u64).sum(),
                first: session.span().map(|(first, _)| first),
                last: session.span().map(|(_, last)| last),
                incognito: session.spec.incognito,
            })
            .collect();
        list.sort_by_key(|summary| (Reverse(summary.last), summary.key.clone()));
        list
    }

    /// Whether any transcript of a session is pending.
    pub(crate) fn is_pending(&self, key: &SessionKey) -> bool {
        self.sessions.get(key).is_some_and(|session| session.transcripts.iter().any(|t| t.pending))
    }

    /// The ids of all events of a session.
    pub(crate) fn event_ids(&self, key: &SessionKey) -> Vec<EventId> {
        let transcripts = self.sessions.get(key).into_iter().flat_map(|session| &session.transcripts);
        transcripts.flat_map(|t| t.events().iter().map(|event| event.id.clone())).collect()
    }

    /// The same sessions with nothing indexed of transcripts that are pending.
    pub(crate) fn without_pending(&self) -> Model {
        let mut model = self.clone();
        for transcript in model.transcripts_mut().filter(|transcript| transcript.pending) {
            transcript.void_index();
        }
        model
    }

    fn transcripts(&self) -> impl Iterator<Item = &Transcript> {
        self.sessions.values().flat_map(|session| &session.transcripts)
    }

    pub(crate) fn status(&self) -> StoreStatus {
        let count = |of: &dyn Fn(&Transcript) -> usize| self.transcripts().map(of).sum::<usize>() as u64;
        StoreStatus {
            agent_id: self.agent.clone(),
            sessions: self.sessions.len() as u64,
            transcripts: count(&|_| 1),
            events: count(&|t| t.events().len()),
            indexed: count(&|t| t.indexed.len()),
            pending: count(&|t| usize::from(t.pending)),
            erasing: false,
            index_version: self.pipeline.version().to_string(),
            schema_version: 1,
            bytes: count(&|t| t.events().iter().map(|event| event.raw.len()).sum()),
            read_only: false,
        }
    }

    pub(crate) fn verify(&self) -> VerifyReport {
        let mut report = VerifyReport::default();
        for (key, session) in &self.sessions {
            for transcript in &session.transcripts {
                let messages = transcript.branch_messages();
                report.checked += messages.len() as u64;
                let on_branch = transcript.indexed.iter().all(|id| messages.contains(id));
                let whole = transcript.pending || transcript.indexed.len() == messages.len();
                if !on_branch || !whole {
                    report
                        .differences
                        .push(format!("{key} / {}: the index does not fit the branch", transcript.id));
                }
            }
        }
        report
    }

    pub(crate) fn dump(&self) -> Vec<String> {
        let mut events = Vec::new();
        for (key, session) in &self.sessions {
            for transcript in &session.transcripts {
                let branch: HashMap<_, _> =
                    transcript.branch().into_iter().zip(0..).map(|(on, place)| (&on.id, place)).collect();
                for event in transcript.events() {
                    events.push(DumpedEvent {
                        key,
                        session_id: &transcript.id,
                        event_id: &event.id,
                        parent: event.parent.as_ref(),
                        timestamp: event.timestamp,
                        place: branch.get(&event.id).copied(),
                        raw: &event.raw,
                    });
                }
            }
        }
        dump(events)
    }
}
