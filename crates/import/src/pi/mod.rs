//! The JSONL that pi and OpenClaw write, versions 1 to 3.

mod header;
mod said;
mod slim;

use serde::Deserialize;
use session_search_core::source::{SourceError, SourceRank};
use session_search_core::store::SessionSpec;
use session_search_core::{AgentId, EventId, SessionId, SessionKey, SessionName};

use crate::draft::{Draft, Up};
use crate::feed::Feed;
use crate::fields::Fields;
use crate::format::Format;
use crate::found::{Found, time_in_name};
use crate::ids;
use crate::links::Link;
use crate::openclaw::index::{Entry, MIGRATED};
use crate::out::{FeedNumber, Out};
use crate::reader::{Reader, Reading};
use crate::records::Record;

use header::Header;

/// How many keys an archive that no index names is tried with.
const KEY_TRIES: usize = 2_000;

/// How such files are read.
pub(crate) const READING: Reading =
    Reading { reader: |found| Box::new(PiReader::of_file(found)), link, resumes: true };

/// Reads one transcript.
pub(crate) struct PiReader {
    found: Found,
    /// The transcript's id where the source tells it apart from its records.
    row_id: Option<String>,
    rank: SourceRank,
    header: Option<Header>,
    feed: Option<FeedNumber>,
    records: u64,
}

impl PiReader {
    /// Of a JSONL file.
    fn of_file(found: &Found) -> PiReader {
        PiReader {
            rank: found.rank(),
            found: found.clone(),
            row_id: None,
            header: None,
            feed: None,
            records: 0,
        }
    }

    /// Of rows or an archive of a database. `first`: its first row, where reading starts behind it.
    pub(crate) fn of_row(
        found: &Found,
        session_id: &str,
        rank: SourceRank,
        first: Option<String>,
    ) -> PiReader {
        let header = first.and_then(|json| Header::read(&Fields::parse(&json)?));
        let row_id = Some(session_id.to_owned());
        PiReader { found: found.clone(), row_id, rank, header, feed: None, records: 0 }
    }

    /// The transcript's id. In OpenClaw the file's name says it; in pi the header, since a fork may keep a name.
    fn session_id(&self) -> SessionId {
        let stem = self.found.file.stem.as_str();
        let header = self.header.as_ref().and_then(|header| header.id.as_deref());
        let given = match (&self.row_id, header) {
            (Some(id), _) => id,
            (None, Some(id)) if self.found.format == Format::Pi || self.rank == SourceRank::Live => id,
            // `<time>_<id>` is how pi names files.
            (None, _) => match stem.split_once('_') {
                Some((time, id)) if time_in_name(time).is_some() && !id.is_empty() => id,
                _ => stem,
            },
        };
        ids::session_id(given)
    }

    /// The session: the one that the source was imported under before, the one the index names, the one that holds the
    /// first event already (of an archive whose session has moved on), or one of its own.
    fn key(
        &self,
        session_id: &SessionId,
        first: Option<&EventId>,
        out: &mut Out<'_>,
    ) -> Result<(SessionKey, Option<Entry>), SourceError> {
        let index = &self.found.index;
        if let Some(state) = out.previous.iter().find(|state| state.session_id == session_id.as_str()) {
            let key = state.key.clone();
            return Ok((ids::session_key(&key), index.of_key(&key).cloned()));
        }
        if self.found.format == Format::Openclaw {
            if let Some(entry) = self.entry(session_id) {
                return Ok((ids::session_key(&entry.key), Some(entry)));
            }
            if let Some(first) = first {
                for key in index.keys().take(KEY_TRIES) {
                    let tried = ids::session_key(key);
                    if out.sink.known(&tried, session_id, std::slice::from_ref(first))? == [true] {
                        return Ok((tried, index.of_key(key).cloned()));
                    }
                }
            }
            let own = format!("agent:{}:session:{}", self.found.agent, session_id);
            return Ok((ids::session_key(&own), None));
        }
        Ok((ids::session_key(&format!("pi:{session_id}")), None))
    }

    fn entry(&self, session_id: &SessionId) -> Option<Entry> {
        let stem = if self.row_id.is_some() { session_id.as_str() } else { self.found.file.stem.as_str() };
        self.found.index.entry(stem, session_id.as_str()).cloned()
    }

    fn open(&mut self, first: Option<&EventId>, out: &mut Out<'_>) -> Result<FeedNumber, SourceError> {
        let session_id = self.session_id();
        let (key, entry) = self.key(&session_id, first, out)?;
        let header = self.header.as_ref();
        let spec = SessionSpec {
            spawned_by: entry
                .as_ref()
                .and_then(|entry| spawner(entry.spawned_by.as_deref()?, &self.found.agent)),
            title: entry
                .and_then(|entry| entry.title)
                .map(|title| session_search_core::limits::title(&title)),
            project: header.and_then(|header| header.cwd.clone()),
            source: self.found.format.as_str().to_owned(),
            incognito: false,
            key,
        };
        let created = header.and_then(|header| header.time);
        let time = created.or_else(|| time_in_name(&self.found.file.stem)).unwrap_or_default();
        let migrated = self.row_id.is_none()
            && self.rank == SourceRank::Live
            && self.found.format == Format::Openclaw
            && self.found.index.is_migrated(session_id.as_str());
        let rank = if migrated { MIGRATED } else { self.rank };
        Ok(out.open(Feed::new(spec, session_id, rank, created, time)))
    }
}

/// Who spawned a session: a key, of the agent that it names or of the same.
fn spawner(key: &str, agent: &AgentId) -> Option<SessionName> {
    let key = SessionKey::new(key).ok()?;
    let agent = key.owner().ok().flatten().unwrap_or_else(|| agent.clone());
    Some(SessionName { agent, key })
}

impl Reader for PiReader {
    fn start(&mut self, out: &mut Out<'_>, own: Option<&serde_json::Value>) -> Result<(), SourceError> {
        if !out.resumed {
            return Ok(());
        }
        self.records = own.and_then(|own| own.get("records")?.as_u64()).unwrap_or_default();
        if self.row_id.is_none() {
            self.header = own.and_then(|own| Deserialize::deserialize(own.get("header")?).ok());
        }
        if !out.previous.is_empty() {
            self.feed = Some(self.open(None, out)?);
        }
        Ok(())
    }

    fn record(&mut self, record: Record<'_>, out: &mut Out<'_>) -> Result<(), SourceError> {
        let Some(fields) = Fields::parse(record.text) else { return Ok(()) };
        self.records += 1;
        let Some(kind) = fields.string("type") else { return Ok(()) };
        if kind == "session" {
            // Later ones come from files written one after the other; they are no events.
            if self.header.is_none() && self.feed.is_none() {
                self.header = Header::read(&fields);
            }
            return Ok(());
        }
        let draft = draft(&fields, &kind);
        let feed = match self.feed {
            Some(feed) => feed,
            None => {
                let first = draft.id.as_deref().map(ids::event_id);
                let feed = self.open(first.as_ref(), out)?;
                self.feed = Some(feed);
                feed
            }
        };
        if kind == "session_info"
            && let Some(name) = fields.string("name").filter(|name| !name.trim().is_empty())
        {
            out.feed(feed).spec.title = Some(session_search_core::limits::title(&name));
        }
        if record.elided {
            out.warn(format!("line {}: the middle of long strings was left out", record.line));
        }
        out.push(feed, &draft)?;
        Ok(())
    }

    fn end(&mut self, _out: &mut Out<'_>) -> Result<(), SourceError> {
        Ok(())
    }

    fn state(&self) -> serde_json::Value {
        serde_json::json!({ "records": self.records, "header": self.header })
    }
}

/// The draft of any record but the header.
fn draft(fields: &Fields<'_>, kind: &str) -> Draft {
    let time = fields.time("timestamp").or_else(|| fields.object("message")?.time("timestamp"));
    let mut draft = Draft::new(kind, id(fields, "id"), up(fields), time);
    draft.fields = slim::fields(fields, kind);
    draft
}

fn up(fields: &Fields<'_>) -> Up {
    match fields.raw("parentId") {
        None => Up::Leaf,
        Some("null") => Up::Root,
        Some(_) => id(fields, "parentId").map_or(Up::Root, Up::Id),
    }
}

/// An id as text, whatever it is written as; `None` where there is none.
fn id(fields: &Fields<'_>, name: &str) -> Option<String> {
    match fields.raw(name)? {
        "null" => None,
        raw => Some(crate::fields::string(raw).map_or_else(|| raw.to_owned(), |text| text.into_owned())),
    }
}

/// Id and parent of a record.
pub(crate) fn link(record: &str) -> Option<Link> {
    let fields = Fields::parse(record)?;
    let event = |name| id(&fields, name).map(|given| ids::event_id(&given));
    (fields.string("type")? != "session").then_some(())?;
    Some(Link { id: event("id")?, parent: event("parentId") })
}
