//! The reader of Codex's files, of every generation: one JSON document, bare items, envelopes, pages.

use serde::{Deserialize, Serialize};
use session_search_core::source::SourceError;
use session_search_core::{EventId, Millis, Role, SessionId, limits};

use crate::codex::item;
use crate::codex::meta::{Thread, id_in_name};
use crate::codex::said;
use crate::codex::twins::{Form, Seat, Twins};
use crate::draft::{Draft, Up};
use crate::feed::{Feed, Pushed};
use crate::fields::{self, Fields, quote};
use crate::found::{Found, time_in_name};
use crate::ids;
use crate::native;
use crate::out::{FeedNumber, Out};
use crate::parts::Parts;
use crate::reader::Reader;
use crate::records::Record;

/// How many turns can be rolled back.
const MAX_TURNS: usize = 100_000;

/// Where the title comes from.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
enum Titled {
    #[default]
    No,
    Prompt,
    Name,
}

/// What is kept between two reads; no text.
#[derive(Debug, Default, Clone, Serialize, Deserialize)]
struct Own {
    thread: Option<Thread>,
    twins: Twins,
    /// The leaf before each prompt of the active branch, for rollbacks.
    turns: Vec<Option<EventId>>,
    leaf: Option<EventId>,
    titled: Titled,
    /// The working directory, until it is sent with the first event.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    directory: Option<String>,
    /// Items without an id so far.
    unnamed: u64,
}

/// Reads one file.
pub(crate) struct CodexReader {
    found: Found,
    own: Own,
    feed: Option<FeedNumber>,
}

impl Reader for CodexReader {
    fn start(&mut self, out: &mut Out<'_>, own: Option<&serde_json::Value>) -> Result<(), SourceError> {
        let Some(own) = own.and_then(|own| serde_json::from_value::<Own>(own.clone()).ok()) else {
            return Ok(());
        };
        self.own = own;
        if let Some(thread) = &self.own.thread {
            self.feed = Some(out.open(feed(thread, &self.found)));
        }
        Ok(())
    }

    fn record(&mut self, record: Record<'_>, out: &mut Out<'_>) -> Result<(), SourceError> {
        let Some(fields) = Fields::parse(record.text) else { return Ok(()) };
        let kind = fields.string("type").unwrap_or_default();
        let time = fields.time("timestamp");
        if let Some(payload) = fields.object("payload") {
            return self.envelope(&kind, &payload, time, fields.number("ordinal"), out);
        }
        if let Some(session) = fields.object("session")
            && fields.raw("items").is_some()
        {
            self.meta(&session, session.time("timestamp"), out);
            for item in fields.array("items").into_iter().filter_map(fields::object) {
                self.item(&item, item.time("timestamp"), out)?;
            }
            return Ok(());
        }
        if kind.is_empty() && fields.raw("role").is_none() {
            // The bare first line of old files; others of that form are states.
            if fields.raw("id").is_some() && fields.raw("record_type").is_none() {
                self.meta(&fields, time, out);
            }
            return Ok(());
        }
        self.item(&fields, time, out)
    }

    fn end(&mut self, _: &mut Out<'_>) -> Result<(), SourceError> {
        Ok(())
    }

    fn state(&self) -> serde_json::Value {
        serde_json::to_value(&self.own).unwrap_or_default()
    }
}

impl CodexReader {
    pub(crate) fn new(found: &Found) -> CodexReader {
        CodexReader { found: found.clone(), own: Own::default(), feed: None }
    }

    fn envelope(
        &mut self,
        kind: &str,
        payload: &Fields<'_>,
        time: Option<Millis>,
        ordinal: Option<u64>,
        out: &mut Out<'_>,
    ) -> Result<(), SourceError> {
        if kind == "session_meta" {
            self.meta(payload, time, out);
            return Ok(());
        }
        if let Some(thread) = &mut self.own.thread {
            if matches!(kind, "turn_context" | "event_msg")
                && let Some(turn) = payload.string("turn_id")
            {
                thread.turn(&turn);
            }
            if thread.is_copied(time, ordinal) {
                let message =
                    kind == "response_item" && payload.string("type").is_some_and(|kind| kind == "message");
                out.summary.skipped += u64::from(message);
                return Ok(());
            }
        }
        match kind {
            "response_item" => self.item(payload, time, out),
            "event_msg" => self.event(payload, time, out),
            "compacted" => self.compacted(payload, time, out),
            _ => Ok(()),
        }
    }

    /// The first one says whose file it is.
    fn meta(&mut self, meta: &Fields<'_>, time: Option<Millis>, out: &mut Out<'_>) {
        match &mut self.own.thread {
            Some(thread) => thread.meets(meta),
            None => {
                self.begin(Thread::of(meta, time, id_in_name(&self.found.file.stem)), out);
                self.own.directory = meta.string("cwd").map(std::borrow::Cow::into_owned);
            }
        }
    }

    fn begin(&mut self, thread: Thread, out: &mut Out<'_>) -> FeedNumber {
        let number = out.open(feed(&thread, &self.found));
        self.own.thread = Some(thread);
        *self.feed.insert(number)
    }

    /// The feed and the transcript's id; where the meta line was lost the file's name says whose it is.
    fn open(&mut self, out: &mut Out<'_>) -> (FeedNumber, SessionId) {
        let feed = match self.feed {
            Some(feed) => feed,
            None => self.begin(Thread::of(&Fields::default(), None, id_in_name(&self.found.file.stem)), out),
        };
        (feed, out.feed(feed).session_id.clone())
    }

    fn item(
        &mut self,
        payload: &Fields<'_>,
        time: Option<Millis>,
        out: &mut Out<'_>,
    ) -> Result<(), SourceError> {
        let kind = payload.string("type").unwrap_or_default();
        if kind == "message" || (kind.is_empty() && payload.raw("role").is_some()) {
            let role = payload.string("role").unwrap_or_default();
            let content = payload.raw("content").unwrap_or("null");
            return match Role::from_name(&role) {
                Some(role) => {
                    let text = said::joined(content, role == Role::User);
                    if text.is_empty() {
                        self.injected(content, time, out)
                    } else {
                        self.said(role, &text, Form::Item, time, out)
                    }
                }
                None => self.injected(content, time, out),
            };
        }
        let Some(tool) = item::tool(payload, &kind, time) else { return Ok(()) };
        let (_, session) = self.open(out);
        let id = match &tool.call {
            Some(call) => named_id(&session, &[&kind, &payload.string("name").unwrap_or_default(), call]),
            None => self.unnamed_id(&session),
        };
        self.push(tool.draft, id, out)
    }

    fn event(
        &mut self,
        payload: &Fields<'_>,
        time: Option<Millis>,
        out: &mut Out<'_>,
    ) -> Result<(), SourceError> {
        let kind = payload.string("type").unwrap_or_default();
        match kind.as_ref() {
            "user_message" | "agent_message" => {
                let role = if kind == "user_message" { Role::User } else { Role::Assistant };
                self.shown(role, payload.raw("message"), time, out)
            }
            "item_completed" => {
                let Some(item) = payload.object("item") else { return Ok(()) };
                let role = match item.string("type").as_deref() {
                    Some("UserMessage" | "user_message") => Role::User,
                    Some("AgentMessage" | "agent_message") => Role::Assistant,
                    _ => return Ok(()),
                };
                self.shown(role, item.raw("content").or_else(|| item.raw("text")), time, out)
            }
            "thread_name_updated" => {
                let name =
                    payload.string("thread_name").or_else(|| payload.string("name")).unwrap_or_default();
                self.title(Titled::Name, &name, out);
                Ok(())
            }
            "thread_rolled_back" => {
                self.roll_back(payload.number("num_turns").unwrap_or(1), out);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// A message of the screen.
    fn shown(
        &mut self,
        role: Role,
        content: Option<&str>,
        time: Option<Millis>,
        out: &mut Out<'_>,
    ) -> Result<(), SourceError> {
        let text = content.map(|content| said::joined(content, role == Role::User)).unwrap_or_default();
        if text.is_empty() { Ok(()) } else { self.said(role, &text, Form::Screen, time, out) }
    }

    fn said(
        &mut self,
        role: Role,
        text: &str,
        form: Form,
        time: Option<Millis>,
        out: &mut Out<'_>,
    ) -> Result<(), SourceError> {
        let key = said::key(text);
        let Some(Seat { run, number }) = self.own.twins.see(role, key, form) else { return Ok(()) };
        let (_, session) = self.open(out);
        let id =
            named_id(&session, &[role.as_str(), &run.to_string(), &format!("{key:x}"), &number.to_string()]);
        if role == Role::User {
            if self.own.turns.len() < MAX_TURNS {
                self.own.turns.push(self.own.leaf.clone());
            }
            self.title(Titled::Prompt, text, out);
        }
        let mut parts = Parts::default();
        parts.text(text);
        self.push(Draft::new("message", None, Up::Leaf, time).with("message", parts.message(role)), id, out)
    }

    /// Text that nobody said: a node that no search finds.
    fn injected(
        &mut self,
        content: &str,
        time: Option<Millis>,
        out: &mut Out<'_>,
    ) -> Result<(), SourceError> {
        let text = said::texts(content).join("\n");
        if text.is_empty() {
            return Ok(());
        }
        let (_, session) = self.open(out);
        let id = self.unnamed_id(&session);
        self.push(
            Draft::new("message", None, Up::Leaf, time).with("message", native::injected(&text)),
            id,
            out,
        )
    }

    /// The history that replaces what was before is a copy; only the mark of it is kept.
    fn compacted(
        &mut self,
        payload: &Fields<'_>,
        time: Option<Millis>,
        out: &mut Out<'_>,
    ) -> Result<(), SourceError> {
        let (_, session) = self.open(out);
        let id = self.unnamed_id(&session);
        let summary = payload.string("message").unwrap_or_default();
        self.push(
            Draft::new("compaction", None, Up::Leaf, time).with("summary", quote(native::cut(&summary))),
            id,
            out,
        )
    }

    /// The last prompts and what followed them are no part of the conversation any more.
    fn roll_back(&mut self, turns: u64, out: &mut Out<'_>) {
        let Some(feed) = self.feed else { return };
        let kept = self.own.turns.len().saturating_sub(usize::try_from(turns).unwrap_or(usize::MAX));
        if let Some(leaf) = self.own.turns.get(kept).cloned() {
            self.own.turns.truncate(kept);
            self.own.leaf.clone_from(&leaf);
            self.own.twins.part();
            out.feed(feed).set_leaf(leaf);
        }
    }

    fn title(&mut self, from: Titled, text: &str, out: &mut Out<'_>) {
        let title = limits::title(text);
        if title.is_empty() || from < self.own.titled || (from == Titled::Prompt && self.own.titled == from) {
            return;
        }
        let (feed, _) = self.open(out);
        self.own.titled = from;
        out.feed(feed).set_title(title);
    }

    fn push(&mut self, mut draft: Draft, id: EventId, out: &mut Out<'_>) -> Result<(), SourceError> {
        let (feed, _) = self.open(out);
        draft.id = Some(id.as_str().to_owned());
        if let Some(directory) = self.own.directory.take() {
            out.feed(feed).spec.project = Some(directory);
        }
        if out.push(feed, &draft)? == Pushed::Taken {
            self.own.leaf = Some(id);
        }
        Ok(())
    }

    fn unnamed_id(&mut self, session: &SessionId) -> EventId {
        self.own.unnamed += 1;
        named_id(session, &["item", &self.own.unnamed.to_string()])
    }
}

fn feed(thread: &Thread, found: &Found) -> Feed {
    let named = found.file.stem.strip_prefix("rollout-").and_then(time_in_name);
    let start = thread.began.or(named).unwrap_or(Millis(0));
    Feed::new(thread.spec(&found.agent), ids::session_id(&thread.id), found.rank(), thread.began, start)
}

/// A hash of the thread's id and what names a record in it.
fn named_id(session: &SessionId, parts: &[&str]) -> EventId {
    // An id with control characters becomes a hash.
    ids::event_id(&format!("codex\0{session}\0{}", parts.join("\0")))
}
