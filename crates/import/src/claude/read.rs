//! The reader of Claude Code's files.

use std::fs::File;
use std::io::{self, Seek, SeekFrom};
use std::path::Path;

use serde::{Deserialize, Serialize};
use session_search_core::limits;
use session_search_core::source::{Malformed, ReadSummary, SourceError};

use crate::claude::entry::{self, Entry};
use crate::claude::identity::Identity;
use crate::claude::links::{Class, Links, Place};
use crate::claude::queue::{Queue, Waiting};
use crate::claude::said;
use crate::claude::sides::Sides;
use crate::claude::titles::{TitleFrom, Titles};
use crate::draft::{Draft, Up};
use crate::feed::Feed;
use crate::fields::Fields;
use crate::found::Found;
use crate::ids;
use crate::lines::Lines;
use crate::out::{FeedNumber, Out};
use crate::parts::Parts;
use crate::reader::Reader;
use crate::records::{Record, Records};
use session_search_core::{Millis, Role};

/// What is kept between two reads; no text.
#[derive(Default, Clone, Serialize, Deserialize)]
struct Own {
    identity: Option<Identity>,
    links: Links,
    queue: Queue,
    titles: Titles,
    sides: Sides,
    /// Whether the working directory is known.
    project: bool,
    /// Records without an id so far.
    unnamed: u64,
}

/// Reads one file.
pub(crate) struct ClaudeReader {
    found: Found,
    own: Own,
    main: Option<FeedNumber>,
    /// A title that came before the session was known.
    held: Option<String>,
}

impl Reader for ClaudeReader {
    fn start(&mut self, out: &mut Out<'_>, own: Option<&serde_json::Value>) -> Result<(), SourceError> {
        let Some(own) = own.and_then(|own| serde_json::from_value::<Own>(own.clone()).ok()) else {
            return Ok(());
        };
        self.own = own;
        if let Some(identity) = &self.own.identity {
            self.main = Some(out.open(feed(identity, &self.found)));
            for side in self.own.sides.iter_mut() {
                side.feed = Some(out.open(feed(&identity.side(&side.agent), &self.found)));
            }
        }
        self.read_again();
        Ok(())
    }

    fn record(&mut self, record: Record<'_>, out: &mut Out<'_>) -> Result<(), SourceError> {
        let Some(fields) = Fields::parse(record.text) else { return Ok(()) };
        let kind = fields.string("type").unwrap_or_default();
        match kind.as_ref() {
            "queue-operation" => self.queue_operation(&fields, record.offset),
            "custom-title" => self.title(TitleFrom::Person, fields.string("customTitle"), record.offset, out),
            "ai-title" => self.title(TitleFrom::Program, fields.string("aiTitle"), record.offset, out),
            "summary" => self.summary(&fields, record.offset, out),
            _ => return self.tree_record(&fields, &kind, record, out),
        }
        Ok(())
    }

    fn end(&mut self, out: &mut Out<'_>) -> Result<(), SourceError> {
        let Some(main) = self.main else { return Ok(()) };
        out.feed(main).set_leaf(self.own.links.tip().cloned());
        // Still in the queue: found at the end, until a later read shows where it went.
        let rest: Vec<Waiting> = self.own.queue.rest().cloned().collect();
        let mut above = self.own.links.tip().map(|tip| tip.as_str().to_owned()).unwrap_or_default();
        for waiting in rest {
            let id = queued_id(&out.feed(main).session_id, &waiting, &above);
            let mut draft = queued_draft(&waiting, &id);
            draft.up = Up::Leaf;
            out.push(main, &draft)?;
            above = id;
        }
        Ok(())
    }

    fn state(&self) -> serde_json::Value {
        serde_json::to_value(&self.own).unwrap_or_default()
    }
}

impl ClaudeReader {
    pub(crate) fn new(found: &Found) -> ClaudeReader {
        ClaudeReader { found: found.clone(), own: Own::default(), main: None, held: None }
    }

    fn queue_operation(&mut self, fields: &Fields<'_>, offset: u64) {
        let text = || fields.raw("content").map(said::queued).unwrap_or_default();
        match fields.string("operation").as_deref() {
            Some("enqueue") => self.own.queue.enter(text(), offset, fields.time("timestamp")),
            Some("dequeue" | "remove") => self.own.queue.leave(&text()),
            Some("popAll") => self.own.queue.take_back(),
            _ => {}
        }
    }

    /// A title record. Before the session is known its place is kept, and its text as long as this read lasts.
    fn title(
        &mut self,
        from: TitleFrom,
        text: Option<std::borrow::Cow<'_, str>>,
        offset: u64,
        out: &mut Out<'_>,
    ) {
        let title = limits::title(&text.unwrap_or_default());
        if title.is_empty() || !self.own.titles.takes(from) {
            return;
        }
        match self.main {
            Some(main) => out.feed(main).set_title(title),
            None => {
                self.own.titles.hold(offset);
                self.held = Some(title);
            }
        }
    }

    fn summary(&mut self, fields: &Fields<'_>, offset: u64, out: &mut Out<'_>) {
        let (Some(text), Some(leaf)) = (fields.string("summary"), fields.string("leafUuid")) else { return };
        if self.own.links.contains(&leaf) {
            self.title(TitleFrom::Summary, Some(text), offset, out);
        } else {
            // Perhaps of a record further on, perhaps of another file.
            self.own.titles.wait(&leaf, offset, limits::title(&text));
        }
    }

    fn tree_record(
        &mut self,
        fields: &Fields<'_>,
        kind: &str,
        record: Record<'_>,
        out: &mut Out<'_>,
    ) -> Result<(), SourceError> {
        let given = fields.string("uuid").filter(|id| !id.is_empty());
        if given.is_none() && kind != "attachment" && entry::role(fields, kind).is_none() {
            return Ok(());
        }
        let Some(entry) = entry::read(fields, kind) else {
            malformed(&mut out.summary, record);
            return Ok(());
        };
        let identity = match &self.own.identity {
            Some(identity) => identity.clone(),
            None => self.begin(fields, out),
        };
        let id = match given {
            Some(id) => id.into_owned(),
            None => {
                self.own.unnamed += 1;
                ids::numbered_id(&identity.session_id(), self.own.unnamed).as_str().to_owned()
            }
        };
        if self.own.links.contains(&id) || self.own.sides.contains(&id) {
            out.summary.skipped += 1;
            return Ok(());
        }
        if fields.flag("isSidechain") && identity.agent.is_none() {
            return self.side_record(&identity, fields, entry, &id, out);
        }
        self.main_record(fields, entry, &id, record.offset, out)
    }

    fn main_record(
        &mut self,
        fields: &Fields<'_>,
        entry: Entry,
        id: &str,
        offset: u64,
        out: &mut Out<'_>,
    ) -> Result<(), SourceError> {
        let Some(main) = self.main else { return Ok(()) };
        if !self.own.project
            && entry.draft.is_some()
            && let Some(directory) = fields.string("cwd").filter(|directory| !directory.is_empty())
        {
            self.own.project = true;
            out.feed(main).spec.project = Some(directory.into_owned());
        }
        if !self.own.queue.is_empty() {
            if !entry.typed.is_empty() {
                self.own.queue.said(&entry.typed);
            }
            if entry.answer || entry.class == Class::Prompt {
                self.say_what_is_due(main, out)?;
            }
        }
        let event = ids::event_id(id);
        let mut logical = None;
        let named = entry::named(fields, &mut logical);
        let place = self.own.links.add(id, named, entry.class, entry.draft.is_some().then_some(&event));
        if let Some(draft) = entry.draft {
            self.push(main, draft, id, place, out)?;
        }
        if entry.class == Class::Prompt {
            self.title(TitleFrom::Prompt, Some(entry.typed.as_str().into()), offset, out);
        }
        if let Some(summary) = self.own.titles.arrived(id) {
            self.title(TitleFrom::Summary, Some(summary.into()), offset, out);
        }
        Ok(())
    }

    fn side_record(
        &mut self,
        identity: &Identity,
        fields: &Fields<'_>,
        entry: Entry,
        id: &str,
        out: &mut Out<'_>,
    ) -> Result<(), SourceError> {
        let mut logical = None;
        let named = entry::named(fields, &mut logical);
        let side = self.own.sides.add(id, named, fields.string("agentId").as_deref());
        let Some(mut draft) = entry.draft else { return Ok(()) };
        let number = match side.feed {
            Some(number) => number,
            None => {
                let mut feed = feed(&identity.side(&side.agent), &self.found);
                feed.spec.project = fields.string("cwd").map(std::borrow::Cow::into_owned);
                *side.feed.insert(out.open(feed))
            }
        };
        if !side.titled && !entry.typed.is_empty() {
            side.titled = true;
            out.feed(number).set_title(limits::title(&entry.typed));
        }
        (draft.id, draft.up) = (Some(id.to_owned()), Up::Leaf);
        out.push(number, &draft)?;
        Ok(())
    }

    /// Learns whose file it is from the first record of the conversation.
    fn begin(&mut self, fields: &Fields<'_>, out: &mut Out<'_>) -> Identity {
        let identity = Identity::of(&self.found.path, &self.found.file.stem, fields);
        let main = out.open(feed(&identity, &self.found));
        if let Some(title) = self.held.take() {
            out.feed(main).set_title(title);
        }
        self.own.titles.release();
        self.main = Some(main);
        self.own.identity = Some(identity.clone());
        identity
    }

    fn push(
        &mut self,
        main: FeedNumber,
        mut draft: Draft,
        id: &str,
        place: Place,
        out: &mut Out<'_>,
    ) -> Result<(), SourceError> {
        draft.id = Some(id.to_owned());
        draft.up = place.parent.map_or(Up::Root, |parent| Up::Id(parent.into()));
        if place.gap {
            draft = draft.with("gap", "true");
        }
        out.push(main, &draft)?;
        out.feed(main).set_leaf(self.own.links.tip().cloned());
        Ok(())
    }

    /// Text that left the queue and stands in no record: said here.
    fn say_what_is_due(&mut self, main: FeedNumber, out: &mut Out<'_>) -> Result<(), SourceError> {
        for waiting in self.own.queue.due() {
            if waiting.text.is_empty() {
                continue;
            }
            let id = queued_id(&out.feed(main).session_id, &waiting, "");
            let place = self.own.links.append(&ids::event_id(&id));
            self.push(main, queued_draft(&waiting, &id), &id, place, out)?;
        }
        Ok(())
    }

    /// Reads texts again that an earlier read left waiting.
    fn read_again(&mut self) {
        let path = self.found.path.clone();
        for waiting in self.own.queue.missing() {
            waiting.text = find_at(&path, waiting.offset, |fields| {
                let text = said::queued(fields.raw("content")?);
                (waiting.key == crate::claude::links::key(&text)).then_some(text)
            });
        }
        for summary in self.own.titles.missing() {
            summary.text = find_at(&path, summary.offset, |fields| {
                let leaf = fields.string("leafUuid")?;
                if summary.names(&leaf) {
                    fields.string("summary").map(|text| limits::title(&text))
                } else {
                    None
                }
            });
        }
        if let Some(offset) = self.own.titles.held() {
            let title = find_at(&path, offset, |fields| {
                let text = fields.string("customTitle").or_else(|| fields.string("aiTitle"))?;
                Some(limits::title(&text))
            });
            self.held = (!title.is_empty()).then_some(title);
        }
    }
}

fn feed(identity: &Identity, found: &Found) -> Feed {
    Feed::new(identity.spec(&found.agent), identity.session_id(), found.rank(), None, Millis(0))
}

/// Before a text is taken as said for good, its id names what it hangs on, so that it can hang elsewhere later.
fn queued_id(session: &session_search_core::SessionId, waiting: &Waiting, above: &str) -> String {
    let time = waiting.time.map_or(-1, |time| time.0);
    // An id with control characters becomes a hash.
    ids::event_id(&format!("queued\0{session}\0{time}\0{above}\0{}", waiting.text)).as_str().to_owned()
}

fn queued_draft(waiting: &Waiting, id: &str) -> Draft {
    let mut parts = Parts::default();
    parts.text(&waiting.text);
    Draft::new("message", Some(id.to_owned()), Up::Leaf, waiting.time)
        .with("message", parts.message(Role::User))
}

/// What `pick` finds in a record of the line at that offset; empty where nothing.
fn find_at(path: &Path, offset: u64, pick: impl Fn(&Fields<'_>) -> Option<String>) -> String {
    let open = || -> io::Result<File> {
        let mut file = File::open(path)?;
        file.seek(SeekFrom::Start(offset))?;
        Ok(file)
    };
    let Ok(file) = open() else { return String::new() };
    let mut found = String::new();
    let mut unused = ReadSummary::default();
    let step = Records::new(Lines::new(Box::new(file))).step::<io::Error>(&mut unused, &mut |record| {
        if let Some(text) = Fields::parse(record.text).and_then(|fields| pick(&fields)) {
            found = text;
        }
        Ok(())
    });
    if step.is_err() { String::new() } else { found }
}

fn malformed(summary: &mut ReadSummary, record: Record<'_>) {
    summary.malformed += 1;
    if summary.damage.len() < 100 {
        let why = "the record has no message that is an object".to_owned();
        summary.damage.push(Malformed { line: record.line, offset: record.offset, why });
    }
}
