//! Rows of events.

use rusqlite::types::{ToSqlOutput, Value, ValueRef};
use rusqlite::{Connection, OptionalExtension, ToSql};
use session_search_core::text::searchable;
use session_search_core::{Event, EventId, Millis, Parent};
use sha2::{Digest, Sha256};

use crate::error::{Result, Tried, damaged};
use crate::kinds::Kind;

/// What an event hangs on, as stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Link {
    /// Nothing.
    Root,
    /// An event of the same transcript.
    Event(i64),
    /// An id that was not there when the event was stored.
    Unknown(String),
}

impl ToSql for Link {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(match self {
            Link::Root => ToSqlOutput::Owned(Value::Null),
            Link::Event(num) => ToSqlOutput::Owned(Value::Integer(*num)),
            Link::Unknown(id) => ToSqlOutput::Borrowed(ValueRef::Text(id.as_bytes())),
        })
    }
}

/// Reads a stored link.
pub(crate) fn link(value: ValueRef<'_>) -> Link {
    match value {
        ValueRef::Integer(num) => Link::Event(num),
        ValueRef::Text(id) => Link::Unknown(String::from_utf8_lossy(id).into_owned()),
        _ => Link::Root,
    }
}

/// An event without what it says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Head {
    pub(crate) num: i64,
    pub(crate) kind: Kind,
    pub(crate) link: Link,
}

/// An event with what it says. No `Debug`: it holds text.
pub(crate) struct Full {
    pub(crate) id: EventId,
    pub(crate) kind: Kind,
    pub(crate) ts: i64,
    pub(crate) raw: String,
}

/// The number and kind of an event by its id.
pub(crate) fn find(conn: &Connection, transcript: i64, id: &str) -> Result<Option<(i64, Kind)>> {
    conn.prepare_cached("SELECT num, kind FROM events WHERE transcript = ?1 AND id = ?2")
        .and_then(|mut s| {
            s.query_row((transcript, id), |row| Ok((row.get(0)?, Kind::from_number(row.get(1)?)))).optional()
        })
        .tried("look up an event")
}

/// The number of an event that is a node, by its id.
pub(crate) fn find_node(conn: &Connection, transcript: i64, id: &str) -> Result<Option<i64>> {
    Ok(find(conn, transcript, id)?.filter(|(_, kind)| kind.is_node()).map(|(num, _)| num))
}

/// Resolves the parent of an event that is about to be stored.
pub(crate) fn resolve(
    conn: &Connection,
    transcript: i64,
    parent: &Parent,
    leaf: Option<i64>,
) -> Result<Link> {
    Ok(match parent {
        Parent::CurrentLeaf => leaf.map_or(Link::Root, Link::Event),
        Parent::Root => Link::Root,
        Parent::Event(id) => match find_node(conn, transcript, id.as_str())? {
            Some(num) => Link::Event(num),
            None => Link::Unknown(id.as_str().to_owned()),
        },
    })
}

/// The id and the time of an event by its number.
pub(crate) fn id_and_time(conn: &Connection, num: i64) -> Result<(EventId, Millis)> {
    let (id, time): (String, i64) = conn
        .prepare_cached("SELECT id, ts FROM events WHERE num = ?1")
        .and_then(|mut s| s.query_row([num], |row| Ok((row.get(0)?, row.get(1)?))))
        .tried("read an event")?;
    Ok((EventId::new(id).map_err(|_| damaged("the id of an event"))?, Millis(time)))
}

/// The number that the next event will have.
pub(crate) fn next_number(conn: &Connection) -> Result<i64> {
    conn.prepare_cached("SELECT ifnull(max(num), 0) + 1 FROM events")
        .and_then(|mut s| s.query_row([], |row| row.get(0)))
        .tried("number an event")
}

/// Stores an event.
pub(crate) fn insert(
    conn: &Connection,
    transcript: i64,
    id: &str,
    link: &Link,
    kind: Kind,
    ts: i64,
    event: &Event,
) -> Result<i64> {
    conn.prepare_cached(
        "INSERT INTO events(transcript, id, parent, kind, ts, raw) VALUES(?1, ?2, ?3, ?4, ?5, ?6)",
    )
    .and_then(|mut s| s.execute((transcript, id, link, kind as u8, ts, event.raw())))
    .tried("store an event")?;
    Ok(conn.last_insert_rowid())
}

/// An event without what it says, by number.
pub(crate) fn head(conn: &Connection, num: i64) -> Result<Option<Head>> {
    conn.prepare_cached("SELECT kind, parent FROM events WHERE num = ?1")
        .and_then(|mut s| {
            s.query_row([num], |row| {
                Ok(Head { num, kind: Kind::from_number(row.get(0)?), link: link(row.get_ref(1)?) })
            })
            .optional()
        })
        .tried("read an event")
}

/// An event by number.
pub(crate) fn load(conn: &Connection, num: i64) -> Result<Full> {
    let found = conn
        .prepare_cached("SELECT id, kind, ts, raw FROM events WHERE num = ?1")
        .and_then(|mut s| {
            s.query_row([num], |row| {
                Ok((row.get::<_, String>(0)?, row.get(1)?, row.get(2)?, row.get::<_, String>(3)?))
            })
            .optional()
        })
        .tried("read an event")?;
    let Some((id, kind, ts, raw)) = found else { return Err(damaged("an event that is not there")) };
    let id = EventId::new(id).map_err(|_| damaged("the id of an event"))?;
    Ok(Full { id, kind: Kind::from_number(kind), ts, raw })
}

/// The raw line of an event.
pub(crate) fn raw(conn: &Connection, num: i64) -> Result<String> {
    Ok(load(conn, num)?.raw)
}

impl Full {
    /// Its searchable text, where it is a message of the conversation.
    pub(crate) fn text(&self) -> String {
        if self.kind.is_entry() { searchable(&self.raw).text } else { String::new() }
    }
}

/// A hash over id and text, by which copies of a message are found: 47 bits, so that it takes six bytes. What
/// it finds is compared again.
pub(crate) fn copy_hash(id: &str, text: &str) -> i64 {
    let mut hash = Sha256::new();
    hash.update((id.len() as u64).to_le_bytes());
    hash.update(id);
    hash.update(text);
    let digest = hash.finalize();
    let mut bytes = [0_u8; 8];
    bytes[2..].copy_from_slice(&digest[..6]);
    i64::from_be_bytes(bytes) >> 1
}

/// The id of an event.
pub(crate) fn id(conn: &Connection, num: i64) -> Result<EventId> {
    let found: Option<String> = conn
        .prepare_cached("SELECT id FROM events WHERE num = ?1")
        .and_then(|mut s| s.query_row([num], |row| row.get(0)).optional())
        .tried("read the id of an event")?;
    found.and_then(|id| EventId::new(id).ok()).ok_or_else(|| damaged("an event that is not there"))
}
