//! What a reader remembers between two reads of the same state of the store.

use std::collections::HashMap;
use std::sync::Arc;

use rusqlite::{Connection, OptionalExtension};
use session_search_core::{SessionId, SessionKey, Visible};

use crate::error::{Result, Tried, damaged};
use crate::sessions;

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

/// The matches of the last query of one clause that statistics were asked for: `row << 8 | occurrences`.
#[derive(Debug)]
pub(crate) struct Matches {
    pub(crate) expression: String,
    pub(crate) visible: Visible,
    pub(crate) generation: i64,
    pub(crate) rows: Vec<u64>,
}

/// See the module.
#[derive(Debug, Default)]
pub(crate) struct Cache {
    state: Option<i64>,
    blocks: HashMap<i64, Option<BlockInfo>>,
    transcripts: HashMap<i64, Arc<TranscriptInfo>>,
    sessions: HashMap<i64, Arc<SessionInfo>>,
    whole: bool,
    /// Visible messages under [`Visible::NotIncognito`] and [`Visible::Everything`].
    pub(crate) totals: [Option<u64>; 2],
    pub(crate) matches: Option<Matches>,
}

/// Blocks looked up one by one before all are read at once.
const FEW: usize = 256;

impl Cache {
    /// Forgets everything where another connection changed the store since.
    pub(crate) fn renew(&mut self, conn: &Connection) -> Result<()> {
        let now: i64 = conn
            .pragma_query_value(None, "data_version", |row| row.get(0))
            .tried("look for changes of the store")?;
        if self.state != Some(now) {
            *self = Cache { state: Some(now), ..Cache::default() };
        }
        Ok(())
    }

    /// Where a block belongs; `None` where it was discarded.
    pub(crate) fn block(&mut self, conn: &Connection, block: i64) -> Result<Option<BlockInfo>> {
        if let Some(found) = self.blocks.get(&block) {
            return Ok(*found);
        }
        if self.whole {
            return Ok(None);
        }
        if self.blocks.len() >= FEW {
            self.read_all(conn)?;
            return self.block(conn, block);
        }
        let found = conn
            .prepare_cached("SELECT transcript, gen FROM blocks WHERE block = ?1 AND transcript IS NOT NULL")
            .and_then(|mut s| {
                s.query_row([block], |row| Ok(BlockInfo { transcript: row.get(0)?, generation: row.get(1)? }))
                    .optional()
            })
            .tried("look up a block")?;
        self.blocks.insert(block, found);
        Ok(found)
    }

    fn read_all(&mut self, conn: &Connection) -> Result<()> {
        let mut statement = conn
            .prepare_cached("SELECT block, transcript, gen FROM blocks WHERE transcript IS NOT NULL")
            .tried("read the blocks")?;
        let rows = statement
            .query_map([], |row| {
                Ok((row.get(0)?, BlockInfo { transcript: row.get(1)?, generation: row.get(2)? }))
            })
            .tried("read the blocks")?;
        for row in rows {
            let (block, info) = row.tried("read the blocks")?;
            self.blocks.insert(block, Some(info));
        }
        self.whole = true;
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
