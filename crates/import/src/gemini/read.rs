//! The reader of Gemini CLI's files.

use std::collections::HashMap;
use std::path::Path;

use session_search_core::source::SourceError;
use session_search_core::store::SessionSpec;
use session_search_core::{AgentId, EventId, Millis, SessionName, limits};

use crate::draft::{Draft, Up};
use crate::feed::Feed;
use crate::fields::{self, Fields};
use crate::found::Found;
use crate::gemini::message::Message;
use crate::ids;
use crate::out::{FeedNumber, Out};
use crate::reader::Reader;
use crate::records::Record;

/// How much of a conversation is held back for later states of its messages; beyond that the older half is settled.
const HELD_BYTES: usize = 32 << 20;

/// A message and the one it hangs on.
struct Node {
    /// `None` once it is settled.
    message: Option<Message>,
    above: Option<usize>,
    /// The event that it, or the nearest message above it, became.
    event: Option<EventId>,
}

/// Reads one file.
pub(crate) struct GeminiReader {
    found: Found,
    session: Option<String>,
    began: Option<Millis>,
    title: Option<String>,
    nodes: Vec<Node>,
    by_id: HashMap<String, usize>,
    /// The message that the conversation ends with.
    tip: Option<usize>,
    settled: usize,
    held: usize,
    feed: Option<FeedNumber>,
}

impl Reader for GeminiReader {
    fn start(&mut self, _: &mut Out<'_>, _: Option<&serde_json::Value>) -> Result<(), SourceError> {
        Ok(())
    }

    fn record(&mut self, record: Record<'_>, out: &mut Out<'_>) -> Result<(), SourceError> {
        let Some(fields) = Fields::parse(record.text) else { return Ok(()) };
        if let Some(target) = fields.string("$rewindTo") {
            self.rewind(&target);
        } else if let Some(set) = fields.object("$set") {
            self.document(&set);
        } else if fields.raw("type").is_some() && fields.raw("messages").is_none() {
            self.put(&fields);
        } else {
            self.document(&fields);
        }
        if self.held > HELD_BYTES {
            let half = self.settled + (self.nodes.len() - self.settled) / 2;
            self.settle(half, out)?;
        }
        Ok(())
    }

    fn end(&mut self, out: &mut Out<'_>) -> Result<(), SourceError> {
        self.settle(self.nodes.len(), out)?;
        if let Some(feed) = self.feed {
            let leaf = self.tip.and_then(|tip| self.nodes[tip].event.clone());
            out.feed(feed).set_leaf(leaf);
        }
        Ok(())
    }

    fn state(&self) -> serde_json::Value {
        serde_json::Value::Null
    }
}

impl GeminiReader {
    pub(crate) fn new(found: &Found) -> GeminiReader {
        GeminiReader {
            found: found.clone(),
            session: None,
            began: None,
            title: None,
            nodes: Vec::new(),
            by_id: HashMap::new(),
            tip: None,
            settled: 0,
            held: 0,
            feed: None,
        }
    }

    /// Fields of the session, perhaps with messages.
    fn document(&mut self, fields: &Fields<'_>) {
        if self.session.is_none() {
            self.session =
                fields.string("sessionId").filter(|id| !id.is_empty()).map(std::borrow::Cow::into_owned);
        }
        self.began = self.began.or_else(|| fields.time("startTime"));
        if let Some(summary) =
            fields.string("summary").map(|text| limits::title(&text)).filter(|text| !text.is_empty())
        {
            self.title = Some(summary);
        }
        for message in fields.array("messages").into_iter().filter_map(fields::object) {
            self.put(&message);
        }
    }

    /// A message, or a later state of one.
    fn put(&mut self, fields: &Fields<'_>) {
        let Some(message) = Message::read(fields, self.nodes.len()) else { return };
        if let Some(at) = self.by_id.get(&message.id) {
            if let Some(before) = &mut self.nodes[*at].message {
                self.held = self.held.saturating_sub(before.bytes()) + message.bytes();
                *before = message;
            }
            return;
        }
        self.held += message.bytes();
        self.by_id.insert(message.id.clone(), self.nodes.len());
        self.nodes.push(Node { message: Some(message), above: self.tip, event: None });
        self.tip = Some(self.nodes.len() - 1);
    }

    /// That message and what follows it are no part of the conversation any more.
    fn rewind(&mut self, target: &str) {
        if let Some(at) = self.by_id.get(target) {
            self.tip = self.nodes[*at].above;
        }
    }

    /// Makes events of the messages before that place.
    fn settle(&mut self, until: usize, out: &mut Out<'_>) -> Result<(), SourceError> {
        for at in self.settled..until {
            let Some(message) = self.nodes[at].message.take() else { continue };
            self.held = self.held.saturating_sub(message.bytes());
            let above = self.nodes[at].above.and_then(|above| self.nodes[above].event.clone());
            self.nodes[at].event = match &message.native {
                Some(native) => Some(self.push(&message, native, above, out)?),
                None => above,
            };
        }
        self.settled = until;
        Ok(())
    }

    fn push(
        &mut self,
        message: &Message,
        native: &str,
        above: Option<EventId>,
        out: &mut Out<'_>,
    ) -> Result<EventId, SourceError> {
        let feed = match self.feed {
            Some(feed) => feed,
            None => *self.feed.insert(out.open(self.begin())),
        };
        let parent = above.as_ref().map_or("", EventId::as_str);
        let id = event_id(&message.id, parent, native);
        let up = above.map_or(Up::Root, |above| Up::Id(above.into()));
        let draft =
            Draft::new("message", Some(id.as_str().to_owned()), up, message.time).with("message", native);
        out.push(feed, &draft)?;
        let title = limits::title(&message.typed);
        if self.title.is_none() && !title.is_empty() {
            self.title = Some(title);
        }
        if let Some(title) = &self.title {
            out.feed(feed).set_title(title.clone());
        }
        Ok(id)
    }

    fn begin(&self) -> Feed {
        let session = self.session.clone().unwrap_or_else(|| self.found.file.stem.clone());
        let (key, parent) = keys(&session, &self.found.path, &self.found.file.stem);
        let session_id = ids::session_id(key.strip_prefix("gemini:").unwrap_or(&key));
        let spec = SessionSpec {
            key: ids::session_key(&key),
            spawned_by: parent.map(|parent| spawner(&self.found.agent, &parent)),
            title: None,
            project: None,
            source: "gemini".to_owned(),
            incognito: false,
        };
        Feed::new(spec, session_id, self.found.rank(), self.began, self.began.unwrap_or(Millis(0)))
    }
}

fn spawner(agent: &AgentId, session: &str) -> SessionName {
    SessionName { agent: agent.clone(), key: ids::session_key(&format!("gemini:{session}")) }
}

/// The key of a session, and the session that spawned it: sub-agents' files lie in a directory that it names.
fn keys(session: &str, path: &Path, stem: &str) -> (String, Option<String>) {
    let directory = path.parent().and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned());
    let in_chats = path.ancestors().nth(2).and_then(Path::file_name).is_some_and(|name| name == "chats");
    match directory.filter(|_| in_chats) {
        Some(parent) if parent == session => (format!("gemini:{session}:agent:{stem}"), Some(parent)),
        Some(parent) => (format!("gemini:{session}"), Some(parent)),
        None => (format!("gemini:{session}"), None),
    }
}

/// Names a state of a message at its place.
fn event_id(id: &str, parent: &str, native: &str) -> EventId {
    // An id with control characters becomes a hash.
    ids::event_id(&format!("gemini\0{id}\0{parent}\0{native}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sub_agents_lie_in_their_parents_directory() {
        let keys = |path: &str, session: &str| keys(session, Path::new(path), "f");
        assert_eq!(keys("/t/chats/f.jsonl", "s"), ("gemini:s".to_owned(), None));
        assert_eq!(keys("/t/chats/p/f.jsonl", "s"), ("gemini:s".to_owned(), Some("p".to_owned())));
        assert_eq!(keys("/t/chats/p/f.jsonl", "p"), ("gemini:p:agent:f".to_owned(), Some("p".to_owned())));
    }

    #[test]
    fn an_event_is_named_by_what_it_says_and_where() {
        assert_eq!(event_id("a", "", "x"), event_id("a", "", "x"));
        assert_ne!(event_id("a", "", "x"), event_id("a", "", "y"));
        assert_ne!(event_id("a", "p", "x"), event_id("a", "", "x"));
    }
}
