//! What of a transcript is indexed, and what waits.

use std::collections::HashSet;

use session_search_core::limits::SMALL_BRANCH_MOVE;
use session_search_core::store::ReconcileStep;
use session_search_core::tree::common_prefix;
use session_search_core::{EventId, SessionKey, Visible};

use super::{Model, Transcript};

impl Transcript {
    /// Brings the index after a change of the branch or new events, as far as the change's own transaction does.
    ///
    /// `before` are the messages of the branch as it was, `fresh` the events that the change stored. A small move
    /// is done at once; of a large one the common beginning stays. New messages get their entry in any case, unless
    /// `deferred`.
    pub(super) fn reindex(&mut self, before: &[EventId], fresh: &HashSet<EventId>, deferred: bool) {
        let now = self.branch_messages();
        let (old, new): (HashSet<_>, HashSet<_>) = (before.iter().collect(), now.iter().collect());
        let leaving = before.iter().filter(|id| !new.contains(id)).count();
        let entering = now.iter().filter(|id| !old.contains(id) && !fresh.contains(*id)).count();
        if leaving + entering > SMALL_BRANCH_MOVE {
            let kept: HashSet<_> = now[..common_prefix(before, &now)].iter().collect();
            self.indexed.retain(|id| kept.contains(id));
            self.pending = true;
        } else {
            self.indexed.retain(|id| new.contains(id));
        }
        let whole = !self.pending && !deferred;
        for id in &now {
            if whole || (fresh.contains(id) && !deferred) {
                self.indexed.insert(id.clone());
            }
        }
        self.pending |= self.indexed.len() < now.len();
    }
}

impl Model {
    pub(crate) fn pending(&self, visible: &Visible) -> u64 {
        let transcripts = self.visible(visible).flat_map(|(_, session)| &session.transcripts);
        transcripts.filter(|transcript| transcript.pending).count() as u64
    }

    pub(crate) fn reconcile_step(&mut self, entries: usize) -> ReconcileStep {
        let Some(transcript) = self.transcripts_mut().find(|transcript| transcript.pending) else {
            return ReconcileStep::Idle;
        };
        let mut missing = transcript.branch_messages();
        missing.retain(|id| !transcript.indexed.contains(id));
        transcript.pending = missing.len() > entries.max(1);
        missing.truncate(entries.max(1));
        let written = missing.len() as u64;
        transcript.indexed.extend(missing);
        ReconcileStep::Progress { entries: written }
    }

    pub(crate) fn mark_pending(&mut self, key: Option<&SessionKey>) -> u64 {
        let mut marked = 0;
        for (_, session) in self.sessions.iter_mut().filter(|(of, _)| key.is_none_or(|key| *of == key)) {
            for transcript in &mut session.transcripts {
                transcript.void_index();
                marked += 1;
            }
        }
        marked
    }
}
