//! Which rows of the index a request may look at: everything is decided by the block of a row.

use std::sync::Arc;

use rusqlite::{Connection, OptionalExtension};
use session_search_core::store::Filter;
use session_search_core::{SessionKey, Visible};

use super::cache::{Cache, Known, ScopeKey, SessionInfo, TranscriptInfo};
use crate::error::{Result, Tried};
use crate::postings::Keep;
use crate::rank::ALL_ROWS;
use crate::rows::{self, Row, SLOTS};
use crate::sessions;

/// Ranges of rows that are asked one by one, rather than all rows in one pass.
const MANY_RANGES: usize = 256;
/// The same for an expression with prefixes, which every range would expand anew.
const MANY_PREFIX_RANGES: usize = 8;

const UNKNOWN: u8 = 0;
const OUTSIDE: u8 = u8::MAX;

/// The rows of a request.
pub(crate) struct Scope<'a> {
    conn: &'a Connection,
    cache: &'a mut Cache,
    visible: &'a Visible,
    filter: Option<&'a Filter>,
    key: ScopeKey,
    /// By block: unknown, outside, or the place of its generation plus one.
    known: Vec<u8>,
    /// The blocks, where they are few and named.
    named: Option<Vec<i64>>,
}

impl Drop for Scope<'_> {
    /// What was found out serves the next request.
    fn drop(&mut self) {
        let known = Known { marks: std::mem::take(&mut self.known), named: self.named.take() };
        self.cache.keep_scope(self.key.clone(), known);
    }
}

impl<'a> Scope<'a> {
    /// What may be seen, narrowed by what a filter says of sessions.
    pub(crate) fn new(
        conn: &'a Connection,
        cache: &'a mut Cache,
        visible: &'a Visible,
        filter: Option<&'a Filter>,
        generations: Vec<i64>,
    ) -> Result<Scope<'a>> {
        let last: Option<i64> = conn
            .prepare_cached("SELECT max(block) FROM blocks")
            .and_then(|mut s| s.query_row([], |row| row.get(0)).optional())
            .tried("look up a block")?
            .flatten();
        let blocks = usize::try_from(last.unwrap_or(0)).unwrap_or(0) + 1;
        let key = ScopeKey {
            visible: visible.clone(),
            session: filter.and_then(|filter| filter.session.clone()),
            exclude: filter.and_then(|filter| filter.exclude.clone()),
            project: filter.and_then(|filter| filter.project.clone()),
            generations,
        };
        if let Some(mut known) = cache.take_scope(&key) {
            // Blocks that came since.
            known.marks.resize(blocks, UNKNOWN);
            return Ok(Scope { conn, cache, visible, filter, key, known: known.marks, named: known.named });
        }
        let known = vec![UNKNOWN; blocks];
        let mut scope = Scope { conn, cache, visible, filter, key, known, named: None };
        scope.name_blocks()?;
        Ok(scope)
    }

    /// Looks up the blocks of the sessions that are named, and puts all others outside.
    fn name_blocks(&mut self) -> Result<()> {
        let only = self.filter.and_then(|filter| filter.session.as_ref());
        let keys: Vec<SessionKey> = match (self.visible, only) {
            (_, Some(key)) => vec![key.clone()],
            (Visible::Only(keys), None) => keys.iter().cloned().collect(),
            (Visible::Nothing, None) => Vec::new(),
            (Visible::NotIncognito | Visible::Everything, None) => return Ok(()),
        };
        self.known.fill(OUTSIDE);
        let mut named = Vec::new();
        for key in keys {
            let Some(session) = sessions::find(self.conn, &key)? else { continue };
            let blocks: Vec<(i64, i64, i64)> = self
                .conn
                .prepare_cached(
                    "SELECT b.block, b.transcript, b.gen FROM transcripts t JOIN blocks b ON b.transcript = t.num
                     WHERE t.session = ?1",
                )
                .and_then(|mut s| {
                    s.query_map([session], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?.collect()
                })
                .tried("look up the blocks of a session")?;
            for (block, transcript, generation) in blocks {
                let mark = self.judge(transcript, generation)?;
                if let Some(known) = usize::try_from(block).ok().and_then(|block| self.known.get_mut(block)) {
                    *known = mark;
                }
                if mark != OUTSIDE {
                    named.push(block);
                }
            }
        }
        named.sort_unstable();
        self.named = Some(named);
        Ok(())
    }

    fn judge(&mut self, transcript: i64, generation: i64) -> Result<u8> {
        let Some((_, session)) = self.cache.transcript(self.conn, transcript)? else { return Ok(OUTSIDE) };
        if !self.admits(&session) {
            return Ok(OUTSIDE);
        }
        let place = self.key.generations.iter().position(|known| *known == generation);
        Ok(place.and_then(|place| u8::try_from(place + 1).ok()).unwrap_or(OUTSIDE))
    }

    fn admits(&self, session: &SessionInfo) -> bool {
        if !self.visible.admits(&session.key, session.incognito) {
            return false;
        }
        let Some(filter) = self.filter else { return true };
        filter.session.as_ref().is_none_or(|only| *only == session.key)
            && filter.exclude.as_ref() != Some(&session.key)
            && filter.project.as_ref().is_none_or(|wanted| {
                let project = session.project.as_deref().map(str::to_ascii_lowercase);
                project.is_some_and(|project| project.contains(&wanted.to_ascii_lowercase()))
            })
    }

    /// The place of the index that holds a block's rows, where they may be looked at.
    #[inline]
    pub(crate) fn index_of(&mut self, block: i64) -> Result<Option<usize>> {
        let Some(place) = usize::try_from(block).ok().filter(|place| *place < self.known.len()) else {
            return Ok(None);
        };
        if self.known[place] == UNKNOWN {
            self.known[place] = match self.cache.block(self.conn, block)? {
                Some(info) => self.judge(info.transcript, info.generation)?,
                None => OUTSIDE,
            };
        }
        let known = self.known[place];
        Ok((known != OUTSIDE).then(|| usize::from(known) - 1))
    }

    /// Whether what may be seen is not narrowed by the filter.
    pub(crate) fn is_whole(&self) -> bool {
        self.key.session.is_none() && self.key.exclude.is_none() && self.key.project.is_none()
    }

    /// Keeps the rows of one index.
    pub(crate) fn of_index(&mut self, place: usize) -> OfIndex<'_, 'a> {
        OfIndex { scope: self, place, last: None }
    }

    /// The transcript and session of a block that may be looked at.
    pub(crate) fn owner(&mut self, block: i64) -> Result<Option<(Arc<TranscriptInfo>, Arc<SessionInfo>)>> {
        if self.index_of(block)?.is_none() {
            return Ok(None);
        }
        match self.cache.block(self.conn, block)? {
            Some(info) => self.cache.transcript(self.conn, info.transcript),
            None => Ok(None),
        }
    }

    /// The ranges of rows to ask for: all rows, or a few ranges where that costs less.
    pub(crate) fn ranges(&self, prefixes: bool) -> Vec<(i64, i64)> {
        let Some(named) = &self.named else { return vec![ALL_ROWS] };
        let mut ranges: Vec<(i64, i64)> = Vec::new();
        for block in named {
            let (from, to) = rows::range(*block, 0, SLOTS);
            match ranges.last_mut() {
                Some(last) if last.1 + 1 == from => last.1 = to,
                _ => ranges.push((from, to)),
            }
        }
        let most = if prefixes { MANY_PREFIX_RANGES } else { MANY_RANGES };
        if ranges.len() > most { vec![ALL_ROWS] } else { ranges }
    }

    /// The named blocks, where the request names sessions.
    pub(crate) fn named(&self) -> Option<&[i64]> {
        self.named.as_deref()
    }
}

/// Keeps rows that may be looked at, of one index.
pub(crate) struct OfIndex<'s, 'a> {
    scope: &'s mut Scope<'a>,
    place: usize,
    /// The block asked last: rows of one block come together.
    last: Option<(i64, bool)>,
}

impl Keep for OfIndex<'_, '_> {
    #[inline]
    fn keeps(&mut self, row: i64) -> Result<bool> {
        let block = Row(row).block();
        if let Some((last, kept)) = self.last
            && last == block
        {
            return Ok(kept);
        }
        let kept = self.scope.index_of(block)? == Some(self.place);
        self.last = Some((block, kept));
        Ok(kept)
    }
}
