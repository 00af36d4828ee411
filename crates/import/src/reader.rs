//! Reading a file of records, whatever its format: where it was left, record by record, in chunks with marks.

use session_search_core::AgentId;
use session_search_core::source::{ImportSink, ReadSummary, SourceError, SourceMark, TranscriptSource};

use crate::feed::FeedState;
use crate::found::Found;
use crate::lines::Lines;
use crate::links::Link;
use crate::out::Out;
use crate::records::{Record, Records, Step};
use crate::state::{State, unfinished};

/// What a format does with the records of a file. One is made for each read.
pub(crate) trait Reader {
    /// Before the first record. Opens the feeds it needs where `out.resumed`; `own` is what [`Reader::state`] gave then.
    ///
    /// # Errors
    /// Whatever reading or the sink answers.
    fn start(&mut self, out: &mut Out<'_>, own: Option<&serde_json::Value>) -> Result<(), SourceError>;

    /// Takes a record.
    ///
    /// # Errors
    /// Whatever reading or the sink answers.
    fn record(&mut self, record: Record<'_>, out: &mut Out<'_>) -> Result<(), SourceError>;

    /// After the last record that is there now.
    ///
    /// # Errors
    /// Whatever reading or the sink answers.
    fn end(&mut self, out: &mut Out<'_>) -> Result<(), SourceError>;

    /// What to keep for reading on; ids and counts only.
    fn state(&self) -> serde_json::Value;
}

/// How a format reads files.
#[derive(Clone, Copy)]
pub(crate) struct Reading {
    /// Makes the reader of a file.
    pub(crate) reader: fn(&Found) -> Box<dyn Reader>,
    /// Id and parent of a record, for the scan of a file in which a parent does not stand before its child.
    pub(crate) link: fn(&str) -> Option<Link>,
    /// Whether a file that grew is read on; else it is read anew as a whole.
    pub(crate) resumes: bool,
}

/// A file of records as a source.
pub(crate) struct FileSource {
    found: Found,
    reading: Reading,
}

impl FileSource {
    pub(crate) fn new(found: Found, reading: Reading) -> FileSource {
        FileSource { found, reading }
    }

    /// The lines from where the source was left, where it holds what it held then; else from the start.
    fn lines(
        &self,
        last: Option<(&SourceMark, &State)>,
        sink: &mut dyn ImportSink,
    ) -> Result<(Lines, bool), SourceError> {
        if let Some((mark, state)) = last
            && self.reading.resumes
            && mark.offset > 0
            && self.is_stored(state, sink)?
        {
            let mut lines = Lines::new(self.found.open()?);
            let same = lines.pass_prefix(mark.offset, state.lines, &mark.hash);
            if same.map_err(|error| self.found.unreadable(&error))? {
                return Ok((lines, true));
            }
        }
        Ok((Lines::new(self.found.open()?), false))
    }

    /// Whether the store still holds what it was given of this source.
    fn is_stored(&self, state: &State, sink: &mut dyn ImportSink) -> Result<bool, SourceError> {
        for feed in &state.feeds {
            let Some(last) = &feed.last else { continue };
            let id = crate::ids::session_id(&feed.session_id);
            let transcript = feed.transcript.as_ref().unwrap_or(&id);
            let known =
                sink.known(&crate::ids::session_key(&feed.key), transcript, std::slice::from_ref(last))?;
            if known != [true] {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn mark(&self, lines: &Lines, feeds: Vec<FeedState>, own: serde_json::Value) -> SourceMark {
        let mut state = State::new(self.found.format, &self.found.agent);
        state.lines = lines.consumed_lines();
        state.feeds = feeds;
        state.own = own;
        SourceMark {
            offset: lines.consumed(),
            hash: lines.consumed_hash(),
            state: state.write(),
            ..self.found.identity.clone()
        }
    }
}

impl TranscriptSource for FileSource {
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
        self.found.deleted()
    }

    fn read(
        &mut self,
        last: Option<&SourceMark>,
        sink: &mut dyn ImportSink,
    ) -> Result<ReadSummary, SourceError> {
        let state =
            last.and_then(|mark| State::read(&mark.state)).filter(|state| state.agent() == &self.found.agent);
        let last = last.zip(state.as_ref());
        let (lines, resumed) = self.lines(last, sink)?;
        let previous: Vec<FeedState> = state
            .iter()
            .flat_map(|state| state.feeds.iter().cloned())
            .map(|mut feed| {
                // Its last event is there under that name.
                feed.transcript.get_or_insert_with(|| crate::ids::session_id(&feed.session_id));
                feed
            })
            .collect();
        let (found, link) = (&self.found, self.reading.link);
        let scan = Box::new(move |each: &mut dyn FnMut(Link)| scan(found, link, each));
        let mut out = Out::new(sink, previous, resumed, scan);
        let mut reader = (self.reading.reader)(found);
        let own = state.as_ref().filter(|_| resumed).map(|state| &state.own);
        reader.start(&mut out, own)?;
        let mut records = Records::new(lines);
        let mut damage = ReadSummary::default();
        loop {
            let step = records
                .step(&mut damage, &mut |record| reader.record(record, &mut out).map_err(ReadError::Source));
            let step = match step {
                Err(ReadError::Io(error)) if found.is_compressed() => {
                    // What stands before the damage is read; nothing behind it can be.
                    crate::records::damaged(
                        &mut damage,
                        &records.position(),
                        "the compressed data is damaged",
                    );
                    tracing::debug!(%error, "compressed data is damaged");
                    Step::End
                }
                step => step.map_err(|error| error.of(found))?,
            };
            if out.is_full() && step == Step::Line {
                let own = reader.state();
                out.flush(|states| {
                    let mut mark = self.mark(records.lines(), states, own);
                    unfinished(&mut mark);
                    Some((found.name.clone(), mark))
                })?;
            }
            out.sink.progress(records.lines().offset());
            if step == Step::End {
                break;
            }
        }
        reader.end(&mut out)?;
        out.flush(|_| None)?;
        let mark = self.mark(records.lines(), out.states(), reader.state());
        out.sink.mark(mark)?;
        let mut summary = out.into_summary();
        summary.malformed += damage.malformed;
        summary.damage.extend(damage.damage);
        summary.half |= damage.half;
        Ok(summary)
    }
}

/// What may stop a read.
enum ReadError {
    Io(std::io::Error),
    Source(SourceError),
}

impl From<std::io::Error> for ReadError {
    fn from(error: std::io::Error) -> ReadError {
        ReadError::Io(error)
    }
}

impl ReadError {
    fn of(self, found: &Found) -> SourceError {
        match self {
            ReadError::Io(error) => found.unreadable(&error),
            ReadError::Source(error) => error,
        }
    }
}

/// Goes through a whole file for the links of its records.
fn scan(
    found: &Found,
    link: fn(&str) -> Option<Link>,
    each: &mut dyn FnMut(Link),
) -> Result<(), SourceError> {
    let mut records = Records::new(Lines::new(found.open()?));
    let mut unused = ReadSummary::default();
    loop {
        let step = records.step::<ReadError>(&mut unused, &mut |record| {
            if let Some(link) = link(record.text) {
                each(link);
            }
            Ok(())
        });
        if step.map_err(|error| error.of(found))? == Step::End {
            return Ok(());
        }
    }
}
