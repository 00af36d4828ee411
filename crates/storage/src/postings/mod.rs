//! The full-text table read directly: the rows in which a term stands, and its places there.
//!
//! FTS5 builds and maintains its table; its own query engine costs about a tenth of a microsecond for each match and
//! phrase, most of it spent between its layers. The lists themselves are plain: this module decodes them as they lie
//! in the shadow tables `<name>_data` and `<name>_idx`, a few nanoseconds a match, and `search::evaluate` joins them.
//!
//! What it relies on, all of it checked as it reads:
//!
//! - The format of a table with `detail=full`, one column and no prefix indexes, versions 4 and 5, which FTS5 must keep
//!   reading itself.
//! - Of a row that stands in several segments the newest counts, and one without places there was deleted. (Deletion is
//!   secure, so this comes only of rows that were deleted and written anew at once.)
//!
//! Whatever is not as expected is answered with `None`, and the caller asks FTS5 instead, which then answers, or says
//! what is damaged. Sequences that end in a prefix are left to FTS5 as well.
//!
//! | file | holds |
//! | --- | --- |
//! | `page` | numbers of variable length, and the parts of a page |
//! | `segment` | which segments there are, and where a term stands in each |
//! | `doclist` | the rows and places of a term, page by page |
//! | `list` | what was read, and what can be made of it: unions and phrases |

mod doclist;
mod list;
mod page;
mod segment;
#[cfg(test)]
mod tests;

use std::sync::atomic::{AtomicBool, Ordering};

use rusqlite::Connection;
use session_search_core::query::Clause;
use session_search_core::{ErrorKind, StoreError};

pub(crate) use list::{Cursor, Posting, Postings};

use crate::error::Result;
use crate::schema::Index;
use segment::Segment;

/// Reads lists of one full-text table.
pub(crate) struct Reader<'a> {
    pub(crate) conn: &'a Connection,
    pub(crate) index: &'a Index,
    pub(crate) cancelled: &'a AtomicBool,
    /// Bytes that may still be kept of lists; what would need more is given up.
    pub(crate) budget: usize,
    segments: Option<Vec<Segment>>,
}

/// Decides which rows are kept.
pub(crate) trait Keep {
    /// Whether this one is; rows come ascending, for each segment anew.
    fn keeps(&mut self, row: i64) -> Result<bool>;
}

impl<F: FnMut(i64) -> Result<bool>> Keep for F {
    #[inline]
    fn keeps(&mut self, row: i64) -> Result<bool> {
        self(row)
    }
}

impl<'a> Reader<'a> {
    pub(crate) fn new(
        conn: &'a Connection,
        index: &'a Index,
        cancelled: &'a AtomicBool,
        budget: usize,
    ) -> Result<Reader<'a>> {
        let segments = segment::segments(conn, index)?;
        Ok(Reader { conn, index, cancelled, budget, segments })
    }

    /// The rows in which a clause occurs, ascending, with the places of its first terms; only rows that `keep` admits.
    /// `None` where FTS5 must be asked.
    pub(crate) fn clause(&mut self, clause: &Clause, keep: &mut impl Keep) -> Result<Option<Postings>> {
        let mut all: Option<Postings> = None;
        for sequence in clause.alternatives() {
            let mut found: Option<Postings> = None;
            for (n, element) in sequence.iter().enumerate() {
                if element.prefix {
                    return Ok(None);
                }
                let list = match &found {
                    None => self.term(&element.term, false, keep)?,
                    // Only what stands in all terms so far can be the phrase.
                    Some(before) => {
                        let mut cursor = before.cursor();
                        self.term(&element.term, false, &mut |row| Ok(cursor.seek(row).is_some()))?
                    }
                };
                let Some(list) = list else { return Ok(None) };
                found = Some(match found {
                    None => list,
                    Some(before) => list::follow(&before, &list, n),
                });
            }
            let Some(found) = found else { return Ok(None) };
            all = Some(match all {
                None => found,
                Some(before) => list::union(&before, &found),
            });
        }
        Ok(all)
    }

    /// The same of a clause of one term, with the number of its places only.
    pub(crate) fn counted(&mut self, clause: &Clause, keep: &mut impl Keep) -> Result<Option<Postings>> {
        match clause.alternatives() {
            [sequence] => match sequence.as_slice() {
                [element] if !element.prefix => self.term(&element.term, true, keep),
                _ => self.clause(clause, keep),
            },
            _ => self.clause(clause, keep),
        }
    }

    /// The rows in which a term stands; `counted`: see [`Postings::new`].
    fn term(&mut self, term: &str, counted: bool, keep: &mut impl Keep) -> Result<Option<Postings>> {
        let Some(segments) = &self.segments else { return Ok(None) };
        let mut list = Postings::new(counted);
        // The oldest first: rows mostly come ascending then.
        for segment in segments.iter().rev() {
            if self.cancelled.load(Ordering::Relaxed) {
                return Err(StoreError::new(ErrorKind::Cancelled, "the read was given up"));
            }
            if !doclist::read(self.conn, self.index, segment, term, keep, self.budget, &mut list)? {
                return Ok(None);
            }
        }
        self.budget = self.budget.saturating_sub(list.bytes());
        Ok(list.sorted())
    }
}
