//! The rows of a term, page by page.
//!
//! Behind the term: its first row, then for each row the size of its places in bytes (doubled; the lowest bit
//! marks that the row was deleted before), the places, and the distance to the next row. A list may go on over pages: places are cut
//! anywhere between two of them, and the first row that begins on a further page is written in full.

use rusqlite::Connection;

use super::Keep;
use super::list::Postings;
use super::page::{Page, number, size};
use super::segment::{Segment, key};
use crate::error::{Result, Tried};
use crate::schema::Index;

/// Appends the rows of a term in a segment that `keep` admits. `false` where the table is not as it should be, or
/// where the list has more than `budget` bytes.
pub(super) fn read(
    conn: &Connection,
    index: &Index,
    segment: &Segment,
    term: &str,
    keep: &mut impl Keep,
    budget: usize,
    list: &mut Postings,
) -> Result<bool> {
    let what = "search the index";
    let key = key(term);
    let Some(pages) = segment.pages_from(segment.page_of(conn, index, &key)?) else { return Ok(true) };
    let sql = format!("SELECT block FROM {}_data WHERE id BETWEEN ?1 AND ?2 ORDER BY id", index.name);
    let mut statement = conn.prepare_cached(&sql).tried(what)?;
    let mut rows = statement.query(pages).tried(what)?;
    let mut doclist = Doclist { row: 0, rest: 0, begins: false, kept: false, held: None, list };
    let mut first = true;
    while let Some(row) = rows.next().tried(what)? {
        let bytes = row.get_ref(0).tried(what)?;
        let Some(page) = bytes.as_blob().ok().and_then(Page::new) else { return Ok(false) };
        doclist.held = None;
        let state = if first { doclist.find(&page, &key, keep)? } else { doclist.go_on(&page, keep)? };
        first = false;
        match state {
            State::NextPage if doclist.list.bytes() > budget => return Ok(false),
            State::NextPage => {}
            State::Done => return Ok(true),
            State::Odd => return Ok(false),
        }
    }
    // The segment ends; nothing may be missing of what was begun.
    Ok(!first && doclist.rest == 0 && !doclist.begins)
}

/// How reading stands behind a page.
enum State {
    NextPage,
    Done,
    /// The page is not as it should be.
    Odd,
}

struct Doclist<'l> {
    row: i64,
    /// Bytes of the places of the row that stand on the next page.
    rest: usize,
    /// Whether the first row is still to come.
    begins: bool,
    /// Whether the row is kept.
    kept: bool,
    /// Where the content of this page would begin among the bytes of the list, once some of it is held.
    held: Option<usize>,
    list: &'l mut Postings,
}

impl Doclist<'_> {
    /// Looks for the term on its page, and reads what stands behind it.
    fn find(&mut self, page: &Page<'_>, key: &[u8], keep: &mut impl Keep) -> Result<State> {
        let Some((at, end)) = seek(page, key) else { return Ok(State::Odd) };
        let Some(at) = at else { return Ok(State::Done) };
        if at >= page.end {
            self.begins = true;
            return Ok(State::NextPage);
        }
        self.rows(page, at, end, keep)
    }

    /// Reads a further page.
    fn go_on(&mut self, page: &Page<'_>, keep: &mut impl Keep) -> Result<State> {
        let content = page.content();
        let end = page.first_term().unwrap_or(usize::MAX);
        if self.begins {
            if content.len() <= 4 {
                return Ok(State::NextPage);
            }
            self.begins = false;
            return self.rows(page, 4, end, keep);
        }
        if self.rest > 0 {
            let here = self.rest.min(content.len() - 4);
            if self.kept {
                // The places go on right behind those that the list holds.
                self.held = Some(self.list.more(&content[4..], here) - 4);
            }
            self.rest -= here;
        }
        match page.first_row() {
            Some(at) if at < end => self.rows(page, at, end, keep),
            _ if self.rest == 0 && end != usize::MAX => Ok(State::Done),
            _ => Ok(State::NextPage),
        }
    }

    /// Reads rows from the one at `at`, written in full, to `end` or that of the page.
    fn rows(&mut self, page: &Page<'_>, at: usize, end: usize, keep: &mut impl Keep) -> Result<State> {
        let content = page.content();
        let Some((row, mut at)) = number(content, at) else { return Ok(State::Odd) };
        self.row = row.cast_signed();
        loop {
            let Some((packed, start)) = size(content, at) else { return Ok(State::Odd) };
            if self.rest > 0 {
                return Ok(State::Odd);
            }
            let length = packed >> 1;
            at = start + length;
            self.kept = keep.keeps(self.row)?;
            let here = at.min(content.len());
            if self.kept && self.list.is_counted() {
                self.list.counted(self.row, &content[start..here]);
            } else if self.kept {
                let held = match self.held {
                    Some(held) => held,
                    // What stands before this row is not needed, nor what stands behind the term.
                    None => {
                        let held = self.list.hold(start, &content[start..end.min(content.len())]);
                        self.held = Some(held);
                        held
                    }
                };
                self.list.at(self.row, held + start, held + at);
            }
            if at >= content.len() {
                self.rest = at - content.len();
                return Ok(State::NextPage);
            }
            if at >= end {
                return Ok(State::Done);
            }
            let Some((step, next)) = number(content, at) else { return Ok(State::Odd) };
            self.row = self.row.wrapping_add(step.cast_signed());
            at = next;
        }
    }
}

/// Where the rows of a term begin on a page, `None` if it is not there, and where the next term stands. `None` for a
/// page that is not as it should be.
fn seek(page: &Page<'_>, key: &[u8]) -> Option<(Option<usize>, usize)> {
    let content = page.content();
    let mut term: Vec<u8> = Vec::new();
    let mut terms = page.terms().peekable();
    let mut first = true;
    while let Some(at) = terms.next() {
        // Of all terms but the first on a page only the end is written.
        let (shared, at) = if first { (0, at) } else { size(content, at)? };
        let (length, at) = size(content, at)?;
        let fresh = content.get(at..at.checked_add(length)?)?;
        if shared > term.len() {
            return None;
        }
        term.truncate(shared);
        term.extend_from_slice(fresh);
        first = false;
        match term.as_slice().cmp(key) {
            std::cmp::Ordering::Less => {}
            std::cmp::Ordering::Equal => {
                return Some((Some(at + length), terms.next().unwrap_or(usize::MAX)));
            }
            std::cmp::Ordering::Greater => break,
        }
    }
    Some((None, usize::MAX))
}
