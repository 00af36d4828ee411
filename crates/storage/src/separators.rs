//! Separators of the full-text table that outlived their term.
//!
//! FTS5 notes for each leaf page the shortest beginning of its first term that parts it from the page before. When
//! that term is deleted, even securely, the separator stays: it may hold the whole term. Here each such separator
//! is replaced by one made of the term that now stands first; both part the pages equally well.

use rusqlite::{Connection, OptionalExtension};

use crate::error::{Result, Tried};

/// Looks at every separator of a full-text table and replaces those that are no beginning of their page's first
/// term. Reads the beginning of each page: one small read per 4 KiB of index.
pub(crate) fn renew(conn: &Connection, table: &str) -> Result<u64> {
    let what = "rewrite the separators of the index";
    let separators: Vec<(i64, Vec<u8>, i64)> = conn
        .prepare_cached(&format!("SELECT segid, CAST(term AS BLOB), pgno >> 1 FROM {table}_idx"))
        .and_then(|mut s| s.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?.collect())
        .tried(what)?;
    let mut renewed = 0;
    for (segment, old, page) in separators {
        let leaf: Option<Vec<u8>> = conn
            .prepare_cached(&format!("SELECT block FROM {table}_data WHERE id = ?1"))
            .and_then(|mut s| s.query_row([(segment << 37) + page], |row| row.get(0)).optional())
            .tried(what)?;
        let Some(first) = leaf.as_deref().and_then(first_term) else { continue };
        let shared = first.iter().zip(&old).take_while(|(a, b)| a == b).count();
        if shared == old.len() || shared >= first.len() {
            continue;
        }
        conn.prepare_cached(&format!(
            "UPDATE {table}_idx SET term = ?3 WHERE segid = ?1 AND CAST(term AS BLOB) = ?2"
        ))
        .and_then(|mut s| s.execute((segment, &old, &first[..=shared])))
        .tried(what)?;
        renewed += 1;
    }
    Ok(renewed)
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
    fn numbers_of_several_bytes() {
        assert_eq!(varint(&[0x7f]), Some((127, 1)));
        assert_eq!(varint(&[0x81, 0x00]), Some((128, 2)));
        assert_eq!(varint(&[0x81]), None);
    }
}
