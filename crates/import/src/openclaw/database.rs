//! The SQLite database in which newer versions of OpenClaw keep an agent's transcripts.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::Metadata;
use std::path::Path;

use rusqlite::params;
use serde::{Deserialize, Serialize};
use session_search_core::source::{
    ImportSink, ReadSummary, SourceError, SourceMark, SourceRank, TranscriptSource,
};
use session_search_core::{AgentId, Millis};

use crate::feed::FeedState;
use crate::fields::Fields;
use crate::found::{Found, identity as file_identity};
use crate::lines::{Line, Lines};
use crate::links::Link;
use crate::openclaw::index::{Entry, entry};
use crate::openclaw::sqlite::{AgentDatabase, with_suffix};
use crate::out::Out;
use crate::pi::{self, PiReader};
use crate::reader::Reader;
use crate::records::{Record, Records, Step, damaged, is_object, repair_unpaired};
use crate::state::{State, unfinished};

/// An agent's database as a source of many transcripts.
pub(crate) struct Database {
    found: Found,
}

/// What is kept of a transcript between two reads.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Left {
    /// The rewrite generation.
    #[serde(default)]
    generation: String,
    /// The last row that was read; -1 before the first.
    seq: i64,
}

type LeftAll = BTreeMap<String, Left>;

/// A database's size and time, its write-ahead log included: new rows are there first. Whether deleted transcripts
/// count is part of the time, so that asking for them reads an unchanged database again.
pub(crate) fn identity(path: &Path, metadata: &Metadata, include_deleted: bool) -> SourceMark {
    let mut mark = file_identity(metadata);
    if let Ok(log) = std::fs::metadata(with_suffix(path, "-wal")) {
        let log = file_identity(&log);
        mark.size += log.size;
        mark.modified_ns = mark.modified_ns.max(log.modified_ns);
    }
    mark.modified_ns = mark.modified_ns.saturating_add(i64::from(include_deleted));
    mark
}

/// The sessions of a database.
pub(crate) fn nodes(database: &AgentDatabase) -> Vec<Entry> {
    let column = |name: &'static str| if database.has("session_nodes", &[name]) { name } else { "NULL" };
    let sql = format!(
        "SELECT session_key, {}, {}, {}, {} FROM session_nodes ORDER BY session_key",
        column("entry_json"),
        column("spawned_by"),
        column("label"),
        column("display_name")
    );
    rows(database, &sql, |row| {
        let key: String = row.get(0)?;
        let text =
            |at| row.get::<_, Option<String>>(at).map(|text| text.filter(|text| !text.trim().is_empty()));
        let json = row.get::<_, Option<String>>(1)?.unwrap_or_default();
        let mut found = match Fields::parse(&json) {
            Some(fields) => entry(&key, &fields),
            None => Entry { key, spawned_by: None, title: None },
        };
        found.spawned_by = text(2)?.or(found.spawned_by);
        found.title = text(3)?.or(text(4)?).or(found.title);
        Ok(found)
    })
}

/// The transcripts that a database knows, each with the key of its session.
pub(crate) fn windows(database: &AgentDatabase) -> Vec<(String, String)> {
    let mut found =
        rows(database, "SELECT session_id, session_key FROM session_windows ORDER BY session_id", |row| {
            Ok((row.get(0)?, row.get(1)?))
        });
    let sql =
        "SELECT session_id, session_key FROM session_transcript_archives ORDER BY session_id, generation";
    found.extend(rows(database, sql, |row| Ok((row.get(0)?, row.get(1)?))));
    found
}

/// The transcripts whose events a database holds.
pub(crate) fn transcripts(database: &AgentDatabase) -> Vec<String> {
    rows(database, "SELECT DISTINCT session_id FROM transcript_events ORDER BY session_id", |row| row.get(0))
}

/// The rows of a query; none where the table is not there or a row is damaged.
fn rows<T>(
    database: &AgentDatabase,
    sql: &str,
    read: impl FnMut(&rusqlite::Row<'_>) -> rusqlite::Result<T>,
) -> Vec<T> {
    let Ok(mut statement) = database.connection().prepare(sql) else { return Vec::new() };
    let Ok(found) = statement.query_map([], read) else { return Vec::new() };
    found.map_while(Result::ok).collect()
}

impl Database {
    pub(crate) fn new(found: Found) -> Database {
        Database { found }
    }

    fn mark(&self, feeds: &[FeedState], left: &LeftAll) -> SourceMark {
        let mut state = State::new(self.found.format, &self.found.agent);
        state.feeds = feeds.to_vec();
        state.own = serde_json::to_value(left).unwrap_or_default();
        SourceMark { state: state.write(), ..self.found.identity.clone() }
    }

    /// Reads the rows of one transcript that are new.
    fn transcript(
        &self,
        database: &AgentDatabase,
        session_id: &str,
        progress: &mut Progress<'_>,
        sink: &mut dyn ImportSink,
    ) -> Result<(), SourceError> {
        let generation = generation(database, session_id);
        let left = progress.left.get(session_id).filter(|left| left.generation == generation);
        let previous: Vec<FeedState> =
            progress.feeds.iter().filter(|s| s.session_id == session_id).cloned().collect();
        let stored = left.is_some() && is_stored(&previous, sink)?;
        let from = left.filter(|_| stored).map_or(-1, |left| left.seq);
        let last = last_seq(database, session_id).map_err(|error| self.found.unreadable(&error))?;
        if last == from {
            return Ok(());
        }
        let resumed = from >= 0 && last > from;
        let from = if resumed { from } else { -1 };
        let scan = |each: &mut dyn FnMut(Link)| {
            let read = each_row(database, session_id, -1, &mut |_, json| {
                pi::link(&repair_unpaired(json)).into_iter().for_each(&mut *each);
                Ok::<(), SourceError>(())
            });
            read.map_err(|error| error.of(&self.found))
        };
        let mut out = Out::new(sink, previous, resumed, Box::new(scan));
        let mut reader =
            PiReader::of_row(&self.found, session_id, SourceRank::Live, first_row(database, session_id));
        reader.start(&mut out, None)?;
        let mut reached = Left { generation, seq: from };
        let read = each_row(database, session_id, from, &mut |seq, json| {
            let line = Line {
                offset: 0,
                number: seq.unsigned_abs() + 1,
                terminated: true,
                elided: false,
                oversize: false,
            };
            let json = repair_unpaired(json);
            if is_object(&json) {
                let record = Record { text: json.trim(), line: line.number, offset: 0, elided: false };
                reader.record(record, &mut out)?;
            } else {
                damaged(progress.summary, &line, "the row is no JSON object");
            }
            reached.seq = seq;
            progress.bytes += json.len() as u64;
            out.sink.progress(progress.bytes);
            if out.is_full() {
                let (mut all, mut states) = (progress.left.clone(), progress.feeds.clone());
                all.insert(session_id.to_owned(), reached.clone());
                out.flush(|open| {
                    merge(&mut states, open);
                    let mut mark = self.mark(&states, &all);
                    unfinished(&mut mark);
                    Some((self.found.name.clone(), mark))
                })?;
            }
            Ok::<(), SourceError>(())
        });
        read.map_err(|error| error.of(&self.found))?;
        reader.end(&mut out)?;
        out.flush(|_| None)?;
        merge(&mut progress.feeds, out.states());
        progress.left.insert(session_id.to_owned(), reached);
        progress.add(out.into_summary());
        Ok(())
    }

    /// Reads a transcript that was archived within the database: JSONL, perhaps compressed.
    fn archive(
        &self,
        archive: &Archive,
        progress: &mut Progress<'_>,
        sink: &mut dyn ImportSink,
        bytes: Vec<u8>,
    ) -> Result<(), SourceError> {
        let name = format!("\0{}\0{}", archive.session_id, archive.generation);
        let input = |bytes: &[u8]| -> std::io::Result<Box<dyn std::io::Read>> {
            let bytes = std::io::Cursor::new(bytes.to_vec());
            Ok(match archive.encoding.as_str() {
                "zstd" => Box::new(zstd::stream::read::Decoder::new(bytes)?),
                _ => Box::new(bytes),
            })
        };
        let open = || input(&bytes).map(|input| Records::new(Lines::new(input)));
        let scan = |each: &mut dyn FnMut(Link)| {
            let mut unused = ReadSummary::default();
            let mut records = open().map_err(|error| self.found.unreadable(&error))?;
            while let Ok(Step::Line) = records.step::<std::io::Error>(&mut unused, &mut |record| {
                pi::link(record.text).into_iter().for_each(&mut *each);
                Ok(())
            }) {}
            Ok(())
        };
        let mut out = Out::new(sink, Vec::new(), false, Box::new(scan));
        let rank = SourceRank::Archive(archive.created);
        let mut reader = PiReader::of_row(&self.found, &archive.session_id, rank, None);
        let mut records = open().map_err(|error| self.found.unreadable(&error))?;
        let mut failure = None;
        loop {
            let step = records.step::<std::io::Error>(progress.summary, &mut |record| {
                reader.record(record, &mut out).map_err(|error| {
                    failure = Some(error);
                    std::io::ErrorKind::Other.into()
                })
            });
            if let Some(failure) = failure.take() {
                return Err(failure);
            }
            match step {
                Ok(Step::Line) => {}
                Ok(Step::End) => break,
                Err(_) => {
                    damaged(
                        progress.summary,
                        &records.position(),
                        "the archive's compressed data is damaged",
                    );
                    break;
                }
            }
            if out.is_full() {
                out.flush(|_| None)?;
            }
        }
        reader.end(&mut out)?;
        out.flush(|_| None)?;
        progress.left.insert(name, Left { generation: archive.generation.clone(), seq: 0 });
        progress.add(out.into_summary());
        Ok(())
    }
}

/// What is known so far, in a read over many transcripts.
struct Progress<'a> {
    left: LeftAll,
    feeds: Vec<FeedState>,
    summary: &'a mut ReadSummary,
    bytes: u64,
}

impl Progress<'_> {
    fn add(&mut self, more: ReadSummary) {
        self.summary.skipped += more.skipped;
        for warning in more.warnings {
            if !self.summary.warnings.contains(&warning) {
                self.summary.warnings.push(warning);
            }
        }
    }
}

fn merge(states: &mut Vec<FeedState>, open: Vec<FeedState>) {
    for state in open {
        states.retain(|known| known.session_id != state.session_id);
        states.push(state);
    }
}

fn is_stored(states: &[FeedState], sink: &mut dyn ImportSink) -> Result<bool, SourceError> {
    for state in states {
        let Some(last) = &state.last else { continue };
        let id = crate::ids::session_id(&state.session_id);
        let transcript = state.transcript.as_ref().unwrap_or(&id);
        let key = crate::ids::session_key(&state.key);
        if sink.known(&key, transcript, std::slice::from_ref(last))? != [true] {
            return Ok(false);
        }
    }
    Ok(true)
}

fn generation(database: &AgentDatabase, session_id: &str) -> String {
    let sql = "SELECT CAST(generation AS TEXT) FROM transcript_rewrite_watermarks WHERE session_id = ?1";
    database.connection().query_row(sql, params![session_id], |row| row.get(0)).unwrap_or_default()
}

fn last_seq(database: &AgentDatabase, session_id: &str) -> rusqlite::Result<i64> {
    let sql = "SELECT coalesce(max(seq), -1) FROM transcript_events WHERE session_id = ?1";
    database.connection().query_row(sql, params![session_id], |row| row.get(0))
}

fn first_row(database: &AgentDatabase, session_id: &str) -> Option<String> {
    let sql = "SELECT event_json FROM transcript_events WHERE session_id = ?1 ORDER BY seq LIMIT 1";
    database.connection().query_row(sql, params![session_id], |row| row.get(0)).ok()
}

/// What may stop the rows.
enum RowError {
    Sql(rusqlite::Error),
    Source(SourceError),
}

impl RowError {
    fn of(self, found: &Found) -> SourceError {
        match self {
            RowError::Sql(error) => found.unreadable(&error),
            RowError::Source(error) => error,
        }
    }
}

impl From<rusqlite::Error> for RowError {
    fn from(error: rusqlite::Error) -> RowError {
        RowError::Sql(error)
    }
}

fn each_row(
    database: &AgentDatabase,
    session_id: &str,
    after: i64,
    each: &mut dyn FnMut(i64, &str) -> Result<(), SourceError>,
) -> Result<(), RowError> {
    let sql = "SELECT seq, event_json FROM transcript_events WHERE session_id = ?1 AND seq > ?2 ORDER BY seq";
    let mut statement = database.connection().prepare_cached(sql)?;
    let mut rows = statement.query(params![session_id, after])?;
    while let Some(row) = rows.next()? {
        let seq = row.get(0)?;
        // Text that is not UTF-8 is handed on as what it is not: JSON.
        let json = row.get_ref(1)?.as_str().unwrap_or_default();
        each(seq, json).map_err(RowError::Source)?;
    }
    Ok(())
}

struct Archive {
    session_id: String,
    generation: String,
    reason: String,
    encoding: String,
    created: Millis,
}

fn archives(database: &AgentDatabase) -> Vec<Archive> {
    let sql = "SELECT session_id, CAST(generation AS TEXT), reason, encoding, created_at
        FROM session_transcript_archives ORDER BY created_at, session_id, generation";
    rows(database, sql, |row| {
        Ok(Archive {
            session_id: row.get(0)?,
            generation: row.get(1)?,
            reason: row.get(2)?,
            encoding: row.get(3)?,
            created: Millis(row.get(4)?),
        })
    })
}

impl TranscriptSource for Database {
    fn path(&self) -> &str {
        &self.found.name
    }

    fn agent(&self) -> &AgentId {
        &self.found.agent
    }

    fn format(&self) -> &'static str {
        self.found.format.as_str()
    }

    fn identity(&self) -> &SourceMark {
        &self.found.identity
    }

    fn deleted(&self) -> bool {
        false
    }

    fn read(
        &mut self,
        last: Option<&SourceMark>,
        sink: &mut dyn ImportSink,
    ) -> Result<ReadSummary, SourceError> {
        let database =
            AgentDatabase::open(&self.found.path).map_err(|error| self.found.unreadable(&error))?;
        let known =
            last.and_then(|mark| State::read(&mark.state)).filter(|state| state.agent() == &self.found.agent);
        let left = known.as_ref().and_then(|state| serde_json::from_value(state.own.clone()).ok());
        let feeds = known.map(|state| state.feeds).unwrap_or_default();
        let mut summary = ReadSummary::default();
        let mut progress =
            Progress { left: left.unwrap_or_default(), feeds, summary: &mut summary, bytes: 0 };
        let live: BTreeSet<String> = transcripts(&database).into_iter().collect();
        for session_id in &live {
            self.transcript(&database, session_id, &mut progress, sink)?;
        }
        for archive in archives(&database) {
            if archive.reason == "deleted" && !self.found.include_deleted {
                continue;
            }
            let name = format!("\0{}\0{}", archive.session_id, archive.generation);
            if progress.left.contains_key(&name) {
                continue;
            }
            let sql = "SELECT archive_blob FROM session_transcript_archives WHERE session_id = ?1 AND CAST(generation AS TEXT) = ?2";
            let blob = database.connection().query_row(
                sql,
                params![archive.session_id, archive.generation],
                |row| {
                    row.get_ref(0).and_then(|value| value.as_bytes().map(<[u8]>::to_vec).map_err(Into::into))
                },
            );
            let blob = blob.map_err(|error| self.found.unreadable(&error))?;
            self.archive(&archive, &mut progress, sink, blob)?;
        }
        let mark = self.mark(&progress.feeds, &progress.left);
        sink.mark(mark)?;
        Ok(summary)
    }
}
