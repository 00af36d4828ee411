//! Where readers put what they read: the feeds of one source, and the links between its records.

use session_search_core::source::{ImportSink, ReadSummary, SourceError, SourceMark};

use crate::draft::{Draft, Up};
use crate::feed::{Feed, FeedState, Pushed};
use crate::links::{Ahead, Link, Links};

/// Scans a source once for the links of its records.
pub(crate) type Scan<'a> = Box<dyn FnMut(&mut dyn FnMut(Link)) -> Result<(), SourceError> + 'a>;

/// How many different warnings one source may give.
const MAX_WARNINGS: usize = 20;

/// A place of a feed in [`Out`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct FeedNumber(usize);

/// The feeds of one source that is being read.
pub(crate) struct Out<'a> {
    pub(crate) sink: &'a mut dyn ImportSink,
    /// What the reader has to say; damage of records is counted elsewhere and added at the end.
    pub(crate) summary: ReadSummary,
    /// What was kept from the last read, whether it is read on from there or anew.
    pub(crate) previous: Vec<FeedState>,
    /// Whether it is read on from where it was left.
    pub(crate) resumed: bool,
    feeds: Vec<Feed>,
    scan: Scan<'a>,
}

impl<'a> Out<'a> {
    pub(crate) fn new(
        sink: &'a mut dyn ImportSink,
        previous: Vec<FeedState>,
        resumed: bool,
        scan: Scan<'a>,
    ) -> Out<'a> {
        Out { sink, summary: ReadSummary::default(), previous, resumed, feeds: Vec::new(), scan }
    }

    /// Adds a feed; where the source is read on and held that transcript before, it goes on there.
    pub(crate) fn open(&mut self, mut feed: Feed) -> FeedNumber {
        if self.resumed
            && let Some(state) = self.previous.iter().find(|state| {
                state.session_id == feed.session_id.as_str() && state.key == feed.spec.key.as_str()
            })
        {
            feed.resume(state);
        }
        self.feeds.push(feed);
        FeedNumber(self.feeds.len() - 1)
    }

    /// The feed.
    pub(crate) fn feed(&mut self, number: FeedNumber) -> &mut Feed {
        &mut self.feeds[number.0]
    }

    /// Adds a warning once.
    pub(crate) fn warn(&mut self, warning: String) {
        if self.summary.warnings.len() < MAX_WARNINGS && !self.summary.warnings.contains(&warning) {
            self.summary.warnings.push(warning);
        }
    }

    /// Links a draft and gives it to its feed.
    ///
    /// # Errors
    /// Whatever the sink or the scan of the source answers.
    pub(crate) fn push(&mut self, number: FeedNumber, draft: &Draft) -> Result<Pushed, SourceError> {
        let id = self.feeds[number.0].next_id(draft);
        if self.feeds[number.0].links.has(&id) {
            self.summary.skipped += 1;
            return Ok(Pushed::Known);
        }
        let wanted = self.feeds[number.0].wanted(draft);
        let mut stored = false;
        if let (Some(parent), Up::Id(_)) = (&wanted, &draft.up)
            && !self.feeds[number.0].links.has(parent)
        {
            stored = self.is_stored(number, parent)?;
            if !stored && *parent != id {
                self.scan(number)?;
            }
        }
        let feed = &mut self.feeds[number.0];
        // The leaf and the record before are of this read, or of the one before.
        stored |= feed.resumed && !matches!(draft.up, Up::Id(_));
        let (parent, gap) = match wanted {
            None => (None, false),
            Some(parent) if feed.links.may_hang(&id, &parent, stored) => (Some(parent), false),
            Some(_) => {
                let resumed = feed.resumed;
                let last = feed.last().cloned();
                (last.filter(|last| feed.links.may_hang(&id, last, resumed)), true)
            }
        };
        let pushed = feed.take(draft, id, parent, gap);
        if pushed == Pushed::TooLong {
            self.warn("a record was left out: it is longer than an event may be (16 MiB)".to_owned());
        }
        Ok(pushed)
    }

    fn is_stored(
        &mut self,
        number: FeedNumber,
        id: &session_search_core::EventId,
    ) -> Result<bool, SourceError> {
        let feed = &self.feeds[number.0];
        if !feed.resumed {
            return Ok(false);
        }
        let state = feed.state();
        let transcript = state.transcript.as_ref().unwrap_or(&feed.session_id);
        let known = self.sink.known(&feed.spec.key, transcript, std::slice::from_ref(id))?;
        Ok(known.first().copied().unwrap_or(false))
    }

    fn scan(&mut self, number: FeedNumber) -> Result<(), SourceError> {
        let links: &Links = &self.feeds[number.0].links;
        if links.is_scanned() {
            return Ok(());
        }
        let mut ahead = Ahead::default();
        (self.scan)(&mut |link| ahead.add(links, &link))?;
        self.feeds[number.0].links.set_ahead(ahead);
        Ok(())
    }

    /// Whether any feed holds a full chunk.
    pub(crate) fn is_full(&self) -> bool {
        self.feeds.iter().any(Feed::is_full)
    }

    /// Sends what waits; the last chunk carries the mark, made of what to keep of each feed. `false`: nothing waited,
    /// and the mark was not sent.
    ///
    /// # Errors
    /// Whatever the sink answers.
    pub(crate) fn flush(
        &mut self,
        mark: impl FnOnce(Vec<FeedState>) -> Option<(String, SourceMark)>,
    ) -> Result<bool, SourceError> {
        let Some(final_dirty) = self.feeds.iter().rposition(Feed::is_dirty) else { return Ok(false) };
        for at in 0..final_dirty {
            if self.feeds[at].is_dirty() {
                self.feeds[at].flush(self.sink, None)?;
            }
        }
        let mark = mark(self.states());
        self.feeds[final_dirty].flush(self.sink, mark)?;
        Ok(true)
    }

    /// What to keep of each feed, also of those that were not opened in this read.
    pub(crate) fn states(&self) -> Vec<FeedState> {
        let mut states: Vec<FeedState> = self.feeds.iter().map(Feed::state).collect();
        if self.resumed {
            for state in &self.previous {
                if !states.iter().any(|open| (&open.key, &open.session_id) == (&state.key, &state.session_id))
                {
                    states.push(state.clone());
                }
            }
        }
        states
    }

    /// Gives back what the reader had to say.
    pub(crate) fn into_summary(self) -> ReadSummary {
        self.summary
    }
}
