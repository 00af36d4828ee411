//! Separators of the full-text table that outlived their term.
//!
//! FTS5 notes for each leaf page the shortest beginning of its first term that parts it from the page before. When
//! that term is deleted, even securely, the separator stays: it may hold the whole term. Here each such separator
//! is replaced by one made of the term that now stands first; both part the pages equally well.

use rusqlite::{Connection, OptionalExtension};

use crate::error::{Result, Tried};
use crate::writing::Erased;

/// A separator that outlived its term.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Stale {
    segment: i64,
    old: Vec<u8>,
    new: Vec<u8>,
}

/// Finds the separators that are no beginning of their page's first term. Looks at all separators, but only at those
/// pages whose separator is the beginning of an erased term; at all where it is not known which terms were erased.
pub(crate) fn find(conn: &Connection, table: &str, erased: Option<&Erased>) -> Result<Vec<Stale>> {
    let what = "look at the separators of the index";
    let mut statement = conn
        .prepare_cached(&format!("SELECT segid, CAST(term AS BLOB), pgno >> 1 FROM {table}_idx"))
        .tried(what)?;
    let mut rows = statement.query([]).tried(what)?;
    let mut stale = Vec::new();
    while let Some(row) = rows.next().tried(what)? {
        let old = row.get_ref(1).tried(what)?.as_bytes().unwrap_or_default();
        if old.is_empty() || erased.is_some_and(|erased| !begins_any(old, erased)) {
            continue;
        }
        let (segment, page): (i64, i64) = (row.get(0).tried(what)?, row.get(2).tried(what)?);
        let leaf: Option<Vec<u8>> = conn
            .prepare_cached(&format!("SELECT block FROM {table}_data WHERE id = ?1"))
            .and_then(|mut s| s.query_row([(segment << 37) + page], |row| row.get(0)).optional())
            .tried(what)?;
        let Some(first) = leaf.as_deref().and_then(first_term) else { continue };
        let shared = first.iter().zip(old).take_while(|(a, b)| a == b).count();
        if shared < old.len() && shared < first.len() {
            stale.push(Stale { segment, old: old.to_vec(), new: first[..=shared].to_vec() });
        }
    }
    Ok(stale)
}

/// Replaces them, each by the shortest beginning of the page's first term that still parts the pages.
pub(crate) fn renew(conn: &Connection, table: &str, erased: Option<&Erased>) -> Result<()> {
    let what = "rewrite the separators of the index";
    for stale in find(conn, table, erased)? {
        conn.prepare_cached(&format!(
            "UPDATE {table}_idx SET term = ?3 WHERE segid = ?1 AND CAST(term AS BLOB) = ?2"
        ))
        .and_then(|mut s| s.execute((stale.segment, &stale.old, &stale.new)))
        .tried(what)?;
    }
    Ok(())
}

/// Whether a separator, which starts with a byte that names the index, is the beginning of an erased term.
fn begins_any(separator: &[u8], erased: &Erased) -> bool {
    let beginning = &separator[1..];
    let range = erased.range::<[u8], _>((std::ops::Bound::Included(beginning), std::ops::Bound::Unbounded));
    range.into_iter().next().is_some_and(|term| term.starts_with(beginning))
}

/// The first term of a leaf page: bytes 2 and 3 say where the page's own index begins, whose first number is the
/// place of the term, which begins with its length.
fn first_term(leaf: &[u8]) -> Option<&[u8]> {
    let footer = usize::from(u16::from_be_bytes([*leaf.get(2)?, *leaf.get(3)?]));
    let (place, _) = varint(leaf.get(footer..)?)?;
    let rest = leaf.get(place..footer)?;
    let (length, size) = varint(rest)?;
    rest.get(size..size + length)
}

/// A number of up to 28 bits in SQLite's variable form, and its size.
fn varint(bytes: &[u8]) -> Option<(usize, usize)> {
    let mut value = 0;
    for (place, byte) in bytes.iter().enumerate().take(4) {
        value = value << 7 | usize::from(byte & 0x7f);
        if byte & 0x80 == 0 {
            return Some((value, place + 1));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_term_of_a_page() {
        // Header of four bytes, a term "0ab" at 4, its footer at 8.
        let leaf = [0, 0, 0, 8, 3, b'0', b'a', b'b', 4];
        assert_eq!(first_term(&leaf), Some(&b"0ab"[..]));
        assert_eq!(first_term(&[0, 0, 0, 4]), None);
        assert_eq!(first_term(&[]), None);
    }

    #[test]
    fn beginnings_of_erased_terms() {
        let erased: Erased = ["walrus", "seal"].map(|term| Box::from(term.as_bytes())).into();
        assert!(begins_any(b"0wal", &erased) && begins_any(b"0seal", &erased) && begins_any(b"0", &erased));
        assert!(!begins_any(b"0walruses", &erased) && !begins_any(b"0x", &erased));
    }

    #[test]
    fn numbers_of_several_bytes() {
        assert_eq!(varint(&[0x7f]), Some((127, 1)));
        assert_eq!(varint(&[0x81, 0x00]), Some((128, 2)));
        assert_eq!(varint(&[0x81]), None);
    }
}
