//! Rows of transcripts.

use rusqlite::{Connection, OptionalExtension, Row};
use session_search_core::SessionId;

use crate::error::{Result, Tried, damaged};
use crate::{sessions, state};

/// A transcript as its row says it. Changes are kept by [`Transcript::save`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Transcript {
    /// Its number.
    pub(crate) num: i64,
    /// Its session; `None`: deleted, waits to be erased.
    pub(crate) session: Option<i64>,
    /// Its id.
    pub(crate) id: String,
    /// The id that its source gave it; differs from `id` in the second and later parts.
    pub(crate) source_id: String,
    /// Orders the transcripts of a session, with the id.
    pub(crate) created: i64,
    /// The earliest time of an event.
    pub(crate) first: Option<i64>,
    /// The latest time of an event.
    pub(crate) last: Option<i64>,
    /// The event that is the leaf.
    pub(crate) leaf: Option<i64>,
    /// The id that the branch ends at because no such event is there.
    pub(crate) open_root: Option<String>,
    /// The rank of the source that the leaf comes from.
    pub(crate) leaf_rank: Option<i64>,
    /// The name of that source.
    pub(crate) leaf_source: Option<String>,
    /// Whether imports leave the leaf alone.
    pub(crate) pinned: bool,
    /// Events, moves of the leaf included.
    pub(crate) events: i64,
    /// Messages of user and assistant, on and off the branch.
    pub(crate) messages: i64,
    /// Messages with text on the branch: how many entries there should be.
    pub(crate) length: i64,
    /// How many entries there are from the start of the branch on, without a gap.
    pub(crate) entries: i64,
    /// Where, behind a gap, entries go on to the end: what was appended while the transcript was pending.
    pub(crate) tail: Option<i64>,
    /// Whether entries are missing.
    pub(crate) pending: bool,
    /// Whether blocks must be built anew.
    pub(crate) stale: bool,
    /// What the row says.
    stored: Stored,
}

/// What of a row is compared when it is saved.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Stored {
    session: Option<i64>,
    indexed: i64,
    /// What readers remember.
    shown: (String, i64, Option<i64>),
}

const COLUMNS: &str = "num, session, id, source_id, created, first, last, leaf, open_root, leaf_rank, pinned, events, \
                       messages, length, entries, tail, pending, stale, leaf_source";

fn read(row: &Row<'_>) -> rusqlite::Result<Transcript> {
    let mut transcript = Transcript {
        num: row.get(0)?,
        session: row.get(1)?,
        id: row.get(2)?,
        source_id: row.get(3)?,
        created: row.get(4)?,
        first: row.get(5)?,
        last: row.get(6)?,
        leaf: row.get(7)?,
        open_root: row.get(8)?,
        leaf_rank: row.get(9)?,
        pinned: row.get(10)?,
        events: row.get(11)?,
        messages: row.get(12)?,
        length: row.get(13)?,
        entries: row.get(14)?,
        tail: row.get(15)?,
        pending: row.get(16)?,
        stale: row.get(17)?,
        leaf_source: row.get(18)?,
        stored: Stored { session: None, indexed: 0, shown: Default::default() },
    };
    transcript.stored = transcript.now();
    Ok(transcript)
}

impl Transcript {
    /// Reads one by number.
    pub(crate) fn load(conn: &Connection, num: i64) -> Result<Option<Transcript>> {
        one(conn, "num = ?1", [num])
    }

    /// The transcript of a session by its id.
    pub(crate) fn find(conn: &Connection, session: i64, id: &str) -> Result<Option<Transcript>> {
        one(conn, "session = ?1 AND id = ?2", (session, id))
    }

    /// The one created last.
    pub(crate) fn current(conn: &Connection, session: i64) -> Result<Option<Transcript>> {
        Ok(Transcript::of_session(conn, session)?.pop())
    }

    /// All of a session, oldest first.
    pub(crate) fn of_session(conn: &Connection, session: i64) -> Result<Vec<Transcript>> {
        many(conn, "session = ?1 ORDER BY created, first, num", [session])
    }

    /// The parts of one id of a source, by number of part.
    pub(crate) fn parts(conn: &Connection, session: i64, source_id: &str) -> Result<Vec<Transcript>> {
        many(conn, "session = ?1 AND source_id = ?2 ORDER BY created, num", (session, source_id))
    }

    /// The first pending ones.
    pub(crate) fn first_pending(conn: &Connection) -> Result<Option<Transcript>> {
        one(conn, "(pending OR stale) AND session IS NOT NULL ORDER BY num LIMIT 1", [])
    }

    /// The first that waits to be erased.
    pub(crate) fn first_doomed(conn: &Connection) -> Result<Option<Transcript>> {
        one(conn, "session IS NULL ORDER BY num LIMIT 1", [])
    }

    /// Makes an empty one.
    pub(crate) fn create(
        conn: &Connection,
        session: i64,
        id: &str,
        source: &str,
        created: i64,
    ) -> Result<Transcript> {
        conn.prepare_cached(
            "INSERT INTO transcripts(session, id, source_id, created, pinned, events, messages, length, entries, pending, stale)
             VALUES(?1, ?2, ?3, ?4, 0, 0, 0, 0, 0, 0, 0)",
        )
        .and_then(|mut s| s.execute((session, id, source, created)))
        .tried("store a transcript")?;
        Transcript::load(conn, conn.last_insert_rowid())?.ok_or_else(|| damaged("a transcript just stored"))
    }

    fn now(&self) -> Stored {
        let shown = (self.id.clone(), self.created, self.first);
        Stored { session: self.session, indexed: self.indexed(), shown }
    }

    /// Counts entries, and tells readers where what they remember changed.
    fn note_changes(&self, conn: &Connection) -> Result<()> {
        let (before, now) = (&self.stored, self.now());
        if before.session != now.session || (before.shown != now.shown && before.shown.2.is_some()) {
            state::next_epoch(conn)?;
        }
        if before.session == now.session {
            if let Some(session) = now.session.filter(|_| before.indexed != now.indexed) {
                let incognito = sessions::is_incognito(conn, session)?;
                state::count_indexed(conn, incognito, now.indexed - before.indexed)?;
            }
            return Ok(());
        }
        if let Some(session) = before.session {
            state::count_indexed(conn, sessions::is_incognito(conn, session)?, -before.indexed)?;
        }
        match now.session {
            Some(session) => state::count_indexed(conn, sessions::is_incognito(conn, session)?, now.indexed),
            None => Ok(()),
        }
    }

    /// Keeps every field but number, and source id.
    pub(crate) fn save(&mut self, conn: &Connection) -> Result<()> {
        self.note_changes(conn)?;
        self.stored = self.now();
        conn.prepare_cached(
            "UPDATE transcripts SET session = ?2, id = ?3, created = ?4, first = ?5, last = ?6, leaf = ?7,
             open_root = ?8, leaf_rank = ?9, pinned = ?10, events = ?11, messages = ?12, length = ?13, entries = ?14,
             tail = ?15, pending = ?16, stale = ?17, leaf_source = ?18 WHERE num = ?1",
        )
        .and_then(|mut s| {
            s.execute(rusqlite::params![
                self.num, self.session, self.id, self.created, self.first, self.last, self.leaf, self.open_root,
                self.leaf_rank, self.pinned, self.events, self.messages, self.length, self.entries, self.tail,
                self.pending, self.stale, self.leaf_source,
            ])
        })
        .tried("store a transcript")
        .map(drop)
    }

    /// How many entries there are.
    pub(crate) fn indexed(&self) -> i64 {
        self.entries + self.tail.map_or(0, |tail| self.length - tail)
    }

    /// Notes the time of an event.
    pub(crate) fn widen(&mut self, time: i64) {
        self.first = Some(self.first.map_or(time, |first| first.min(time)));
        self.last = Some(self.last.map_or(time, |last| last.max(time)));
    }

    /// Its id as a type.
    pub(crate) fn session_id(&self) -> Result<SessionId> {
        SessionId::new(self.id.clone()).map_err(|_| damaged("the id of a transcript"))
    }
}

fn one(conn: &Connection, clause: &str, params: impl rusqlite::Params) -> Result<Option<Transcript>> {
    conn.prepare_cached(&format!("SELECT {COLUMNS} FROM transcripts WHERE {clause}"))
        .and_then(|mut s| s.query_row(params, read).optional())
        .tried("read a transcript")
}

fn many(conn: &Connection, clause: &str, params: impl rusqlite::Params) -> Result<Vec<Transcript>> {
    conn.prepare_cached(&format!("SELECT {COLUMNS} FROM transcripts WHERE {clause}"))
        .and_then(|mut s| s.query_map(params, read)?.collect())
        .tried("read transcripts")
}
