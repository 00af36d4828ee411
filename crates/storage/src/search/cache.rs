//! What a reader remembers between two reads of the same state of the store.

use std::collections::HashMap;
use std::sync::Arc;

use rusqlite::{Connection, OptionalExtension};
use session_search_core::{SessionId, SessionKey, Visible};

use super::lists::Remembered;
use crate::error::{Result, Tried, damaged};
use crate::{sessions, state};

/// Where a block belongs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BlockInfo {
    pub(crate) transcript: i64,
    pub(crate) generation: i64,
}

/// A transcript, as far as hits need it.
#[derive(Debug, Clone)]
pub(crate) struct TranscriptInfo {
    pub(crate) id: SessionId,
    pub(crate) session: i64,
    /// Orders the transcripts of a session.
    pub(crate) order: (i64, Option<i64>, i64),
}

/// A session, as far as hits need it.
#[derive(Debug, Clone)]
pub(crate) struct SessionInfo {
    pub(crate) num: i64,
    pub(crate) key: SessionKey,
    pub(crate) incognito: bool,
    pub(crate) project: Option<String>,
    pub(crate) first: Option<i64>,
}

/// What decides which blocks a request may look at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ScopeKey {
    pub(crate) visible: Visible,
    pub(crate) session: Option<SessionKey>,
    pub(crate) exclude: Option<SessionKey>,
    pub(crate) project: Option<String>,
    pub(crate) generations: Vec<i64>,
}

/// Which blocks a request may look at: see [`super::scope::Scope`].
#[derive(Debug, Clone, Default)]
pub(crate) struct Known {
    pub(crate) marks: Vec<u8>,
    pub(crate) named: Option<Vec<i64>>,
}

/// See the module.
#[derive(Debug, Default)]
pub(crate) struct Cache {
    /// Changes with every transaction of another connection.
    version: Option<i64>,
    /// See [`crate::state`].
    epoch: Option<i64>,
    /// By number; only blocks that exist.
    blocks: HashMap<i64, BlockInfo>,
    transcripts: HashMap<i64, Arc<TranscriptInfo>>,
    sessions: HashMap<i64, Arc<SessionInfo>>,
    /// The scopes of the last requests, newest last.
    scopes: Vec<(ScopeKey, Known)>,
    /// What statistics read last, for the search that follows.
    pub(crate) lists: Remembered,
}

/// Blocks looked up one by one before all are read at once.
const FEW: usize = 256;
/// Scopes that are remembered: statistics and search of one request, and one more.
const SCOPES: usize = 3;

impl Cache {
    /// Forgets what another connection changed since.
    pub(crate) fn renew(&mut self, conn: &Connection) -> Result<()> {
        let version: i64 = conn
            .prepare_cached("PRAGMA data_version")
            .and_then(|mut s| s.query_row([], |row| row.get(0)))
            .tried("look for changes of the store")?;
        if self.version == Some(version) {
            return Ok(());
        }
        let epoch = state::epoch(conn)?;
        if self.epoch != Some(epoch) {
            *self = Cache { epoch: Some(epoch), ..Cache::default() };
        }
        self.version = Some(version);
        self.lists = Remembered::default();
        // New blocks of sessions that are named would be missing.
        self.scopes.retain(|(_, known)| known.named.is_none());
        Ok(())
    }

    /// What is remembered of a scope.
    pub(crate) fn take_scope(&mut self, key: &ScopeKey) -> Option<Known> {
        let place = self.scopes.iter().position(|(known, _)| known == key)?;
        Some(self.scopes.remove(place).1)
    }

    /// Remembers a scope.
    pub(crate) fn keep_scope(&mut self, key: ScopeKey, known: Known) {
        if self.scopes.len() >= SCOPES {
            self.scopes.remove(0);
        }
        self.scopes.push((key, known));
    }

    /// Where a block belongs; `None` where it was discarded.
    pub(crate) fn block(&mut self, conn: &Connection, block: i64) -> Result<Option<BlockInfo>> {
        if let Some(found) = self.blocks.get(&block) {
            return Ok(Some(*found));
        }
        if self.blocks.len() == FEW {
            self.read_all(conn)?;
            if let Some(found) = self.blocks.get(&block) {
                return Ok(Some(*found));
            }
        }
        let found = conn
            .prepare_cached("SELECT transcript, gen FROM blocks WHERE block = ?1 AND transcript IS NOT NULL")
            .and_then(|mut s| {
                s.query_row([block], |row| Ok(BlockInfo { transcript: row.get(0)?, generation: row.get(1)? }))
                    .optional()
            })
            .tried("look up a block")?;
        if let Some(found) = found {
            self.blocks.insert(block, found);
        }
        Ok(found)
    }

    fn read_all(&mut self, conn: &Connection) -> Result<()> {
        let what = "read the blocks";
        let mut statement = conn
            .prepare_cached("SELECT block, transcript, gen FROM blocks WHERE transcript IS NOT NULL")
            .tried(what)?;
        let rows = statement
            .query_map([], |row| {
                Ok((row.get(0)?, BlockInfo { transcript: row.get(1)?, generation: row.get(2)? }))
            })
            .tried(what)?;
        for row in rows {
            let (block, info) = row.tried(what)?;
            self.blocks.insert(block, info);
        }
        Ok(())
    }

    /// A transcript and its session; `None` where it was deleted.
    pub(crate) fn transcript(
        &mut self,
        conn: &Connection,
        num: i64,
    ) -> Result<Option<(Arc<TranscriptInfo>, Arc<SessionInfo>)>> {
        let known = self.transcripts.get(&num).cloned();
        let info = match known {
            Some(info) => info,
            None => {
                let found: Option<(String, Option<i64>, i64, Option<i64>)> = conn
                    .prepare_cached("SELECT id, session, created, first FROM transcripts WHERE num = ?1")
                    .and_then(|mut s| {
                        s.query_row([num], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)))
                            .optional()
                    })
                    .tried("look up a transcript")?;
                let Some((id, Some(session), created, first)) = found else { return Ok(None) };
                let id = SessionId::new(id).map_err(|_| damaged("the id of a transcript"))?;
                let info = Arc::new(TranscriptInfo { id, session, order: (created, first, num) });
                self.transcripts.insert(num, Arc::clone(&info));
                info
            }
        };
        let session = self.session(conn, info.session)?;
        Ok(session.map(|session| (info, session)))
    }

    fn session(&mut self, conn: &Connection, num: i64) -> Result<Option<Arc<SessionInfo>>> {
        if let Some(info) = self.sessions.get(&num) {
            return Ok(Some(Arc::clone(info)));
        }
        let found = conn
            .prepare_cached("SELECT key, incognito, project, first FROM sessions WHERE num = ?1")
            .and_then(|mut s| {
                s.query_row([num], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?))).optional()
            })
            .tried("look up a session")?;
        let Some((key, incognito, project, first)) = found else { return Ok(None) };
        let info = Arc::new(SessionInfo { num, key: sessions::key(key)?, incognito, project, first });
        self.sessions.insert(num, Arc::clone(&info));
        Ok(Some(info))
    }
}
