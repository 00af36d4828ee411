//! Imports: sources that are made up, read into real stores.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use session_search_api::core::source::{
    ImportChunk, ImportSink, Malformed, ReadSummary, SourceError, SourceMark, SourceRank, TranscriptSource,
};
use session_search_api::core::store::SessionSpec;
use session_search_api::core::{AgentId, Event, EventId, SessionId, SessionKey};
use session_search_api::{Context, ImportOptions, ImportReport, NoProgress, Progress};

use crate::world::{World, agent, search};

/// A source in memory.
pub(crate) struct Made {
    path: String,
    agent: AgentId,
    key: String,
    messages: Vec<(String, String)>,
    identity: SourceMark,
    deleted: bool,
    /// Fails after so many messages.
    fails_after: Option<usize>,
    panics: bool,
    reads: Arc<AtomicU64>,
}

fn made(path: &str, agent_id: &str, key: &str, messages: &[(&str, &str)]) -> Made {
    Made {
        path: path.into(),
        agent: agent(agent_id),
        key: key.into(),
        messages: messages.iter().map(|(id, text)| ((*id).to_owned(), (*text).to_owned())).collect(),
        identity: SourceMark {
            size: messages.len() as u64,
            modified_ns: 1,
            inode: 1,
            offset: 0,
            hash: String::new(),
            state: String::new(),
        },
        deleted: false,
        fails_after: None,
        panics: false,
        reads: Arc::default(),
    }
}

/// A source with one session.
pub(crate) fn source(
    path: &str,
    agent_id: &str,
    key: &str,
    messages: &[(&str, &str)],
) -> Box<dyn TranscriptSource> {
    Box::new(made(path, agent_id, key, messages))
}

impl TranscriptSource for Made {
    fn path(&self) -> &str {
        &self.path
    }
    fn agent(&self) -> &AgentId {
        &self.agent
    }
    fn format(&self) -> &'static str {
        "pi"
    }
    fn identity(&self) -> &SourceMark {
        &self.identity
    }
    fn deleted(&self) -> bool {
        self.deleted
    }

    fn read(
        &mut self,
        last: Option<&SourceMark>,
        sink: &mut dyn ImportSink,
    ) -> Result<ReadSummary, SourceError> {
        self.reads.fetch_add(1, Ordering::SeqCst);
        assert!(!self.panics, "a reader that breaks");
        let from = last.map_or(0, |mark| usize::try_from(mark.offset).unwrap());
        let session =
            SessionSpec { source: "pi".into(), ..SessionSpec::native(SessionKey::new(&*self.key).unwrap()) };
        let mut transcript = None;
        for (n, (id, text)) in self.messages.iter().enumerate().skip(from) {
            if self.fails_after == Some(n) {
                return Err(SourceError::Unreadable {
                    path: self.path.clone(),
                    reason: "the disk is gone".into(),
                });
            }
            let parent = n.checked_sub(1).map(|before| self.messages[before].0.clone());
            let event = serde_json::json!({"type": "message", "id": id, "parentId": parent, "timestamp": n as i64,
                "message": {"role": "user", "content": text}});
            let done = SourceMark { offset: n as u64 + 1, ..self.identity.clone() };
            let whole = n + 1 == self.messages.len();
            let receipt = sink.store(ImportChunk {
                session: session.clone(),
                session_id: SessionId::new(format!("t-{}", self.key)).unwrap(),
                transcript: transcript.clone(),
                rank: SourceRank::Live,
                source: None,
                created: None,
                events: vec![Event::parse(event.to_string()).unwrap()],
                leaf: Some(Some(EventId::new(&**id).unwrap())),
                defer_index: false,
                restore: false,
                // A file that is half read is not as it was: its noted size says how far.
                mark: Some((
                    self.path.clone(),
                    SourceMark { size: if whole { done.size } else { 0 }, ..done },
                )),
            })?;
            transcript = Some(receipt.transcript);
            sink.progress(n as u64 + 1);
        }
        if self.messages.is_empty() {
            sink.mark(self.identity.clone())?;
        }
        let damage = vec![Malformed { line: 3, offset: 77, why: "not one JSON object".into() }];
        Ok(ReadSummary { malformed: 2, damage, skipped: 0, half: true, warnings: vec!["a note".into()] })
    }
}

async fn import(
    world: &World,
    sources: Vec<Box<dyn TranscriptSource>>,
    options: ImportOptions,
) -> ImportReport {
    world.api.import(sources, &options, Arc::new(NoProgress)).await.unwrap()
}

#[tokio::test]
async fn a_second_import_opens_nothing_and_adds_nothing() {
    for world in World::both() {
        let first = made("/x/a.jsonl", "pi", "pi:1", &[("1", "alpha"), ("2", "beta")]);
        let reads = Arc::clone(&first.reads);
        let again = || {
            let mut made = made("/x/a.jsonl", "pi", "pi:1", &[("1", "alpha"), ("2", "beta")]);
            made.reads = Arc::clone(&reads);
            made
        };
        let report = import(&world, vec![Box::new(first)], ImportOptions::default()).await;
        assert_eq!((report.files, report.sessions, report.messages), (1, 1, 2));
        assert_eq!((report.malformed, report.pending), (2, 1));
        assert_eq!(
            report.warnings,
            [
                "/x/a.jsonl: line 3 (byte 77): not one JSON object",
                "/x/a.jsonl: 1 more records could not be read",
                "/x/a.jsonl: a note"
            ]
        );
        let json = serde_json::to_value(&report).unwrap();
        let keys: Vec<_> = json.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(keys, ["files", "malformed", "messages", "pending", "sessions", "skipped", "warnings"]);

        let report = import(&world, vec![Box::new(again())], ImportOptions::default()).await;
        assert_eq!((report.messages, report.warnings.len(), reads.load(Ordering::SeqCst)), (0, 0, 1));
        let report = import(
            &world,
            vec![Box::new(again())],
            ImportOptions { rehash: true, ..ImportOptions::default() },
        )
        .await;
        assert_eq!((report.messages, reads.load(Ordering::SeqCst)), (0, 2));
        let mut touched = again();
        touched.identity.modified_ns = 2;
        import(&world, vec![Box::new(touched)], ImportOptions::default()).await;
        assert_eq!(reads.load(Ordering::SeqCst), 3);
    }
}

#[tokio::test]
async fn one_bad_source_never_stops_the_rest_and_what_was_interrupted_goes_on() {
    for world in World::both() {
        let mut half = made("/x/half", "pi", "pi:1", &[("1", "alpha"), ("2", "beta"), ("3", "gamma")]);
        half.fails_after = Some(2);
        let mut broken = made("/x/broken", "pi", "pi:2", &[("1", "alpha")]);
        broken.panics = true;
        let good = source("/x/good", "claude", "claude:1", &[("1", "delta")]);
        let report =
            import(&world, vec![Box::new(half), Box::new(broken), good], ImportOptions::default()).await;
        assert_eq!((report.files, report.messages, report.failed), (3, 3, 2));
        assert!(report.warnings.iter().any(|w| w.contains("the disk is gone")), "{:?}", report.warnings);
        assert!(report.warnings.iter().any(|w| w.starts_with("/x/broken: the reader gave up")));
        let again = made("/x/half", "pi", "pi:1", &[("1", "alpha"), ("2", "beta"), ("3", "gamma")]);
        let report = import(&world, vec![Box::new(again)], ImportOptions::default()).await;
        assert_eq!((report.messages, report.failed), (1, 0));
        assert_eq!(world.ids(search("gamma")).await, ["3"]);
    }
}

#[tokio::test]
async fn deleted_sources_wait_to_be_asked_for() {
    let world = World::memory();
    let gone = || {
        let mut made = made("/x/a", "pi", "pi:1", &[("1", "alpha")]);
        made.deleted = true;
        Box::new(made) as Box<dyn TranscriptSource>
    };
    assert_eq!(import(&world, vec![gone()], ImportOptions::default()).await.messages, 0);
    let included = ImportOptions { include_deleted: true, ..ImportOptions::default() };
    assert_eq!(import(&world, vec![gone()], included).await.messages, 1);
}

#[tokio::test]
async fn a_deleted_session_stays_away_until_it_is_restored() {
    for world in World::both() {
        let file = |time| {
            let mut made = made("/x/a", "pi", "pi:1", &[("1", "alpha")]);
            made.identity.modified_ns = time;
            Box::new(made) as Box<dyn TranscriptSource>
        };
        import(&world, vec![file(1)], ImportOptions::default()).await;
        world.api.delete("pi:1", None).await.unwrap();
        let rehash = ImportOptions { rehash: true, ..ImportOptions::default() };
        import(&world, vec![file(2)], rehash).await;
        assert!(world.ids(search("alpha")).await.is_empty());
        let restore = ImportOptions { restore: true, ..ImportOptions::default() };
        let report = import(&world, vec![file(2)], restore).await;
        assert_eq!(report.messages, 1);
        assert_eq!(world.ids(search("alpha")).await, ["1"]);
    }
}

#[derive(Default)]
struct Heard(std::sync::Mutex<Vec<String>>);

impl Progress for Heard {
    fn begins(&self, path: &str, bytes: u64) {
        self.0.lock().unwrap().push(format!("begins {path} {bytes}"));
    }
    fn reads(&self, bytes: u64) {
        self.0.lock().unwrap().push(format!("reads {bytes}"));
    }
    fn ends(&self, path: &str) {
        self.0.lock().unwrap().push(format!("ends {path}"));
    }
}

#[tokio::test]
async fn progress_is_told() {
    let world = World::memory();
    let heard = Arc::new(Heard::default());
    let sources = [source("a", "pi", "pi:1", &[("1", "x"), ("2", "y")])];
    world
        .api
        .import(sources, &ImportOptions::default(), Arc::clone(&heard) as Arc<dyn Progress>)
        .await
        .unwrap();
    assert_eq!(*heard.0.lock().unwrap(), ["begins a 2", "reads 1", "reads 2", "ends a"]);
    let listed = world.list(&Context::operator()).await;
    assert_eq!(listed.sessions[0].source, "pi");
}
