//! The best matches so far: in the final order, at most `limit`, at most `per_session` of a session, one of each set
//! of copies.
//!
//! Keeping the best of each session and of all as they come gives the same as sorting everything, capping and
//! cutting: what is put out is worse than all that stays, and so is what it kept out.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::sync::Arc;

use rusqlite::{CachedStatement, Connection, OptionalExtension};
use session_search_core::EventId;
use session_search_core::score::{LEVELS, Nearness};
use session_search_core::store::{Order, SearchPlan};

use super::cache::{SessionInfo, TranscriptInfo};
use super::scope::Scope;
use super::score::Weights;
use crate::error::{Result, Tried, damaged};
use crate::events;
use crate::rows::Row;

/// A search under way.
pub(crate) struct Search<'a> {
    pub(crate) conn: &'a Connection,
    pub(crate) scope: Scope<'a>,
    pub(crate) plan: &'a SearchPlan,
    pub(crate) weights: Weights,
    /// Where nearness is found out.
    pub(crate) near: Nearness,
    /// The block whose session was looked up last, and that session.
    asked_last: Option<(i64, Option<i64>)>,
    /// Reads entries.
    entries: Option<CachedStatement<'a>>,
    /// The best, best first.
    pub(crate) kept: Vec<Candidate>,
    per_session: HashMap<i64, usize>,
    /// Matches seen, copies included.
    pub(crate) matched: u64,
    /// How often what is kept has changed.
    pub(crate) changes: u64,
    /// Whether a match that is no copy was left out. Exact only where nothing was passed over unseen.
    pub(crate) dropped: bool,
}

/// A match that may become a hit.
#[derive(Debug, Clone)]
pub(crate) struct Candidate {
    pub(crate) row: Row,
    pub(crate) event: i64,
    pub(crate) id: EventId,
    pub(crate) copy: i64,
    pub(crate) ts: i64,
    pub(crate) score: f64,
    pub(crate) clauses: u64,
    pub(crate) transcript: Arc<TranscriptInfo>,
    pub(crate) session: Arc<SessionInfo>,
    /// All that say the same, itself included, the one that is shown first.
    pub(crate) copies: Vec<Copy>,
}

/// A message that says the same under the same id, itself included.
#[derive(Debug, Clone)]
pub(crate) struct Copy {
    pub(crate) row: Row,
    pub(crate) transcript: Arc<TranscriptInfo>,
    pub(crate) session: Arc<SessionInfo>,
}

/// What the index knows of an entry.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Entry {
    pub(crate) row: Row,
    pub(crate) event: i64,
    pub(crate) ts: i64,
    pub(crate) copy: i64,
}

impl<'a> Search<'a> {
    pub(crate) fn new(
        conn: &'a Connection,
        scope: Scope<'a>,
        plan: &'a SearchPlan,
        clauses: usize,
    ) -> Search<'a> {
        let weights = Weights::new(&plan.statistics, clauses);
        let (kept, per_session) = (Vec::new(), HashMap::new());
        Search {
            conn,
            scope,
            plan,
            weights,
            near: Nearness::default(),
            asked_last: None,
            entries: None,
            kept,
            per_session,
            matched: 0,
            changes: 0,
            dropped: false,
        }
    }

    /// Forgets what was found so far.
    pub(crate) fn restart(&mut self) {
        self.kept.clear();
        self.per_session.clear();
        self.matched = 0;
        self.dropped = false;
    }

    /// Whether a row may be a match at all, by what its id says.
    #[inline]
    pub(crate) fn admits_role(&self, row: Row) -> bool {
        self.plan.filter.role.is_none_or(|role| role == row.role())
    }

    /// Whether times matter for what matches.
    pub(crate) fn filters_time(&self) -> bool {
        self.plan.filter.since.is_some() || self.plan.filter.until.is_some()
    }

    /// Whether a time passes the filter.
    pub(crate) fn admits_time(&self, ts: i64) -> bool {
        self.plan.filter.since.is_none_or(|since| ts >= since.0)
            && self.plan.filter.until.is_none_or(|until| ts < until.0)
    }

    /// Reads the entry of a row.
    pub(crate) fn entry(&mut self, row: Row) -> Result<Entry> {
        let what = "read an index entry";
        // Asked many times in a search, so it is prepared once.
        let statement = match &mut self.entries {
            Some(statement) => statement,
            none => none.insert(
                self.conn.prepare_cached("SELECT event, ts, copy FROM entries WHERE row = ?1").tried(what)?,
            ),
        };
        let read =
            |r: &rusqlite::Row<'_>| Ok(Entry { row, event: r.get(0)?, ts: r.get(1)?, copy: r.get(2)? });
        let found = statement.query_row([row.0], read).optional().tried(what)?;
        found.ok_or_else(|| damaged("a row of the index without a message"))
    }

    /// The score below which nothing is kept any more; `None` while there is none.
    #[inline]
    fn bar(&self) -> Option<f64> {
        if self.kept.len() < self.plan.limit || self.plan.order == Order::Recent {
            return None;
        }
        self.kept.last().map(|worst| worst.score)
    }

    /// Whether a match that is worth at most this can still be kept.
    #[inline]
    pub(crate) fn may_keep(&self, at_most: f64) -> bool {
        self.bar().is_none_or(|bar| at_most >= bar)
    }

    /// By level of length: how often the only clause of a query must occur at least in a match that can still be kept.
    pub(crate) fn least_occurrences(&self) -> [u32; LEVELS] {
        self.bar().map_or([0; LEVELS], |bar| self.weights.least_occurrences(bar))
    }

    /// Whether a match that is worth at most this comes after as many of its session as are kept of it.
    pub(crate) fn is_capped(&mut self, row: Row, at_most: f64) -> Result<bool> {
        let (Some(cap), Order::Relevance) = (self.plan.per_session, self.plan.order) else {
            return Ok(false);
        };
        let block = row.block();
        let session = match self.asked_last {
            Some((asked, session)) if asked == block => session,
            _ => {
                let session = self.scope.owner(block)?.map(|(_, session)| session.num);
                self.asked_last = Some((block, session));
                session
            }
        };
        let Some(session) = session else { return Ok(false) };
        if self.per_session.get(&session).is_none_or(|count| *count < cap) {
            return Ok(false);
        }
        let worst = self.kept.iter().rfind(|kept| kept.session.num == session);
        Ok(worst.is_some_and(|worst| at_most < worst.score))
    }

    /// Offers a match that was counted already. `exact`: rather take the trouble to find out whether it is a copy
    /// than pass over it.
    pub(crate) fn offer(
        &mut self,
        entry: Entry,
        base: f64,
        near: f64,
        clauses: u64,
        exact: bool,
    ) -> Result<()> {
        let score = self.weights.score(base, near, entry.ts);
        let full = self.kept.len() >= self.plan.limit;
        if full && !exact && self.is_behind(score, entry.ts) {
            self.dropped = true;
            return Ok(());
        }
        let Some((transcript, session)) = self.scope.owner(entry.row.block())? else { return Ok(()) };
        if !exact && self.is_behind_its_own(session.num, score, entry.ts) {
            self.dropped = true;
            return Ok(());
        }
        let id = events::id(self.conn, entry.event)?;
        let mut candidate = Candidate {
            row: entry.row,
            event: entry.event,
            id,
            copy: entry.copy,
            ts: entry.ts,
            score,
            clauses,
            transcript,
            session,
            copies: Vec::new(),
        };
        candidate.copies = self.copies(&candidate)?;
        if candidate.copies.first().is_some_and(|first| first.row != candidate.row) {
            // It comes by itself, or is left out by itself.
            return Ok(());
        }
        self.keep(candidate);
        Ok(())
    }

    /// Whether a session has as many newer messages as are kept of it, so that this one need not be asked.
    pub(crate) fn has_enough_of(&mut self, entry: Entry) -> Result<bool> {
        let Some(cap) = self.plan.per_session else { return Ok(false) };
        let Some((_, session)) = self.scope.owner(entry.row.block())? else { return Ok(false) };
        if self.per_session.get(&session.num).is_none_or(|count| *count < cap) {
            return Ok(false);
        }
        let oldest = self.kept.iter().rfind(|kept| kept.session.num == session.num);
        Ok(oldest.is_some_and(|kept| entry.ts < kept.ts))
    }

    /// Whether it stands behind the worst that is kept, by score and time alone.
    fn is_behind(&self, score: f64, ts: i64) -> bool {
        self.kept.last().is_some_and(|worst| self.is_worse(score, ts, worst))
    }

    /// Whether as many of its session as may be kept stand before it.
    fn is_behind_its_own(&self, session: i64, score: f64, ts: i64) -> bool {
        let Some(cap) = self.plan.per_session else { return false };
        if self.per_session.get(&session).is_none_or(|count| *count < cap) {
            return false;
        }
        let worst = self.kept.iter().rfind(|kept| kept.session.num == session);
        worst.is_some_and(|worst| self.is_worse(score, ts, worst))
    }

    fn is_worse(&self, score: f64, ts: i64, than: &Candidate) -> bool {
        match self.plan.order {
            Order::Relevance => score < than.score || (score == than.score && ts < than.ts),
            Order::Recent => ts < than.ts,
        }
    }

    /// All copies of a message that may be seen and pass the filter, the one that is shown first: that of the session
    /// whose first event is the oldest, then of the least key; of one session that of the newest transcript.
    fn copies(&mut self, of: &Candidate) -> Result<Vec<Copy>> {
        let same: Vec<Entry> = self
            .conn
            .prepare_cached("SELECT row, event, ts FROM entries WHERE copy = ?1 ORDER BY row")
            .and_then(|mut s| {
                let read = |r: &rusqlite::Row<'_>| {
                    Ok(Entry { row: Row(r.get(0)?), event: r.get(1)?, ts: r.get(2)?, copy: of.copy })
                };
                s.query_map([of.copy], read)?.collect()
            })
            .tried("look for copies of a message")?;
        let mut copies = Vec::with_capacity(same.len());
        for entry in &same {
            if !self.admits_role(entry.row) || !self.admits_time(entry.ts) {
                continue;
            }
            let Some((transcript, session)) = self.scope.owner(entry.row.block())? else { continue };
            if entry.row == of.row || self.says_the_same(of, entry.event)? {
                copies.push(Copy { row: entry.row, transcript, session });
            }
        }
        copies.sort_by(|a, b| {
            let place = |copy: &'_ Copy| (copy.session.first, copy.session.key.clone());
            place(a).cmp(&place(b)).then_with(|| b.transcript.order.cmp(&a.transcript.order))
        });
        Ok(copies)
    }

    fn says_the_same(&self, of: &Candidate, event: i64) -> Result<bool> {
        let (one, other) = (events::load(self.conn, of.event)?, events::load(self.conn, event)?);
        Ok(one.id == other.id && one.text() == other.text())
    }

    fn order(&self, a: &Candidate, b: &Candidate) -> Ordering {
        let by_score = match self.plan.order {
            Order::Relevance => b.score.total_cmp(&a.score),
            Order::Recent => Ordering::Equal,
        };
        by_score
            .then(b.ts.cmp(&a.ts))
            .then_with(|| a.session.key.cmp(&b.session.key))
            .then_with(|| a.id.cmp(&b.id))
            .then_with(|| a.transcript.id.cmp(&b.transcript.id))
    }

    fn keep(&mut self, candidate: Candidate) {
        let place = self.kept.partition_point(|kept| self.order(kept, &candidate) == Ordering::Less);
        if place >= self.plan.limit {
            self.dropped = true;
            return;
        }
        let session = candidate.session.num;
        let cap = self.plan.per_session.unwrap_or(usize::MAX);
        let count = self.per_session.get(&session).copied().unwrap_or(0);
        if count >= cap {
            self.dropped = true;
            let last = self.kept.iter().rposition(|kept| kept.session.num == session);
            match last.filter(|last| *last >= place) {
                Some(last) => {
                    self.kept.remove(last);
                }
                None => return,
            }
        } else {
            self.per_session.insert(session, count + 1);
        }
        self.changes += 1;
        self.kept.insert(place, candidate);
        if self.kept.len() > self.plan.limit
            && let Some(out) = self.kept.pop()
        {
            self.dropped = true;
            if let Some(count) = self.per_session.get_mut(&out.session.num) {
                *count -= 1;
            }
        }
    }
}
