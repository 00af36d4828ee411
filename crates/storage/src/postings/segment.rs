//! Which segments a full-text table consists of, and on which page of one a term would stand.
//!
//! The record of the structure: four bytes that count changes of the settings, then numbers: levels, segments, writes;
//! for each level how many of its segments are being merged and how many there are; for each of these its id, its first
//! and its last page.

use rusqlite::{Connection, OptionalExtension};

use super::page::size;
use crate::error::{Result, Tried};
use crate::schema::Index;

/// The row of the structure in `<name>_data`.
const STRUCTURE: i64 = 10;
/// What follows the first four bytes of the record of a table that this module cannot read.
const OTHER_FORM: [u8; 4] = [0xff, 0, 0, 1];
/// Bits of a row id of `<name>_data` below the segment's id.
const SEGMENT_SHIFT: u32 = 37;
/// What stands before every term: the number of its index, as a character.
const MAIN: u8 = b'0';

/// A segment: an ascending run of terms, each with its rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Segment {
    id: i64,
    first: i64,
    last: i64,
}

impl Segment {
    /// The row ids of its pages from that one on, inclusive; `None` behind the last, where a table of pages that is
    /// ahead of the structure may point.
    pub(super) fn pages_from(&self, page: i64) -> Option<(i64, i64)> {
        let id = |page| (self.id << SEGMENT_SHIFT) + page;
        (page <= self.last).then(|| (id(page), id(self.last)))
    }

    /// The page on which a term stands, if it stands anywhere.
    pub(super) fn page_of(&self, conn: &Connection, index: &Index, key: &[u8]) -> Result<i64> {
        let sql = format!(
            "SELECT pgno FROM {}_idx WHERE segid = ?1 AND term <= ?2 ORDER BY term DESC LIMIT 1",
            index.name
        );
        let found: Option<i64> = conn
            .prepare_cached(&sql)
            .and_then(|mut s| s.query_row((self.id, key), |row| row.get(0)).optional())
            .tried("search the index")?;
        // The lowest bit says whether there is an index of rows.
        Ok(found.map_or(self.first, |page| (page >> 1).max(self.first)))
    }
}

/// A term as it stands in the segments.
pub(super) fn key(term: &str) -> Vec<u8> {
    let mut key = Vec::with_capacity(term.len() + 1);
    key.push(MAIN);
    key.extend_from_slice(term.as_bytes());
    key
}

/// The segments of a table, the newest first; `None` where the record is of another form.
pub(super) fn segments(conn: &Connection, index: &Index) -> Result<Option<Vec<Segment>>> {
    let record: Option<Vec<u8>> = conn
        .prepare_cached(&format!("SELECT block FROM {}_data WHERE id = ?1", index.name))
        .and_then(|mut s| s.query_row([STRUCTURE], |row| row.get(0)).optional())
        .tried("search the index")?;
    Ok(record.and_then(|record| parse(&record)))
}

fn parse(record: &[u8]) -> Option<Vec<Segment>> {
    if record.get(4..8) == Some(&OTHER_FORM) {
        return None;
    }
    let mut at = 4;
    let mut next = || {
        let (value, end) = size(record, at)?;
        at = end;
        i64::try_from(value).ok()
    };
    let (levels, count, _writes) = (next()?, next()?, next()?);
    let mut segments = Vec::new();
    for _ in 0..levels {
        let (_merging, there) = (next()?, next()?);
        let mut level = Vec::new();
        for _ in 0..there {
            let segment = Segment { id: next()?, first: next()?, last: next()? };
            (segment.first <= segment.last).then_some(())?;
            level.push(segment);
        }
        segments.extend(level.into_iter().rev());
    }
    (i64::try_from(segments.len()) == Ok(count)).then_some(segments)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_structure_names_the_segments_newest_first() {
        let record = [0, 0, 0, 7, 2, 3, 9, 0, 2, 4, 1, 1, 5, 1, 2, 0, 1, 3, 1, 0x81, 0x00];
        let found = parse(&record).unwrap();
        let ids: Vec<(i64, i64, i64)> = found.iter().map(|one| (one.id, one.first, one.last)).collect();
        assert_eq!(ids, [(5, 1, 2), (4, 1, 1), (3, 1, 128)]);
        assert_eq!(found[0].pages_from(2), Some(((5 << 37) + 2, (5 << 37) + 2)));
        assert_eq!(found[0].pages_from(3), None);
        for cut in 0..record.len() {
            assert!(parse(&record[..cut]).is_none(), "{cut}");
        }
        let mut other = record;
        other[4..8].copy_from_slice(&OTHER_FORM);
        assert!(parse(&other).is_none());
        assert_eq!(parse(&[0, 0, 0, 0, 0, 0, 0]).unwrap(), []);
    }
}
