//! What is read here is what FTS5 says: for tables of any history, with pages of any size.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::AtomicBool;

use proptest::collection::vec;
use proptest::prelude::*;
use rusqlite::Connection;
use session_search_core::query::Query;

use super::{Postings, Reader};
use crate::schema::{self, Index};

/// A table that is on its own, and the terms of its rows.
struct Table {
    conn: Connection,
    index: Index,
    rows: BTreeMap<i64, Vec<String>>,
}

/// What a transaction does.
#[derive(Debug, Clone)]
enum Change {
    Insert(i64, Vec<String>),
    Delete(i64),
}

impl Table {
    /// With pages of so many bytes.
    fn new(page: i64) -> Table {
        let conn = Connection::open_in_memory().unwrap();
        conn.execute_batch("CREATE TABLE indexes(gen INTEGER PRIMARY KEY, version TEXT, name TEXT)").unwrap();
        let index = schema::create_index(&conn, "test").unwrap();
        let name = &index.name;
        conn.execute(&format!("INSERT INTO {name}({name}, rank) VALUES('pgsz', ?1)"), [page]).unwrap();
        Table { conn, index, rows: BTreeMap::new() }
    }

    /// One transaction, after which FTS5 writes a segment.
    fn commit(&mut self, changes: &[Change]) {
        let name = self.index.name.clone();
        self.conn.execute_batch("BEGIN").unwrap();
        for change in changes {
            match change {
                Change::Insert(row, terms) if !self.rows.contains_key(row) => {
                    let sql = format!("INSERT INTO {name}(rowid, terms) VALUES(?1, ?2)");
                    self.conn.execute(&sql, (row, terms.join(" "))).unwrap();
                    self.rows.insert(*row, terms.clone());
                }
                Change::Delete(row) => {
                    let Some(terms) = self.rows.remove(row) else { continue };
                    let sql = format!("INSERT INTO {name}({name}, rowid, terms) VALUES('delete', ?1, ?2)");
                    self.conn.execute(&sql, (row, terms.join(" "))).unwrap();
                }
                Change::Insert(..) => {}
            }
        }
        self.conn.execute_batch("COMMIT").unwrap();
    }

    fn read(&self, query: &str, keep: impl Fn(i64) -> bool) -> Option<Postings> {
        let query = Query::parse(query).unwrap();
        let cancelled = AtomicBool::new(false);
        let mut reader = Reader::new(&self.conn, &self.index, &cancelled, usize::MAX).unwrap();
        let (_, clause) = query.clauses().next().unwrap();
        reader.clause(clause, &mut |row| Ok(keep(row))).unwrap()
    }

    /// The places at which terms stand side by side, found by looking.
    fn expected(&self, phrase: &[&str]) -> Vec<(i64, Vec<u64>)> {
        let found = self.rows.iter().map(|(row, terms)| {
            let places = terms.windows(phrase.len()).zip(0..);
            (*row, places.filter(|(window, _)| *window == phrase).map(|(_, place)| place).collect())
        });
        found.filter(|(_, places): &(i64, Vec<u64>)| !places.is_empty()).collect()
    }

    fn check(&self, phrase: &[&str]) {
        let list = self.read(&format!("\"{}\"", phrase.join(" ")), |_| true).expect("a list");
        assert_eq!(shown(&list), self.expected(phrase), "{phrase:?}");
    }

    fn terms(&self) -> BTreeSet<&str> {
        self.rows.values().flatten().map(String::as_str).collect()
    }
}

fn shown(list: &Postings) -> Vec<(i64, Vec<u64>)> {
    list.rows().iter().map(|posting| (posting.row, list.places_of(*posting).collect())).collect()
}

/// Few terms, so that lists are long; some that share their beginnings.
fn term() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => prop::sample::select(vec!["ab", "abc", "abcd", "mm", "zz", "会议", "议室"]).prop_map(str::to_owned),
        1 => (0..40_u8).prop_map(|n| format!("word{n}")),
        1 => (1..60_usize).prop_map(|n| "qx".repeat(n)),
    ]
}

fn change() -> impl Strategy<Value = Change> {
    let row = prop_oneof![1..60_i64, 1_000_000..1_000_040_i64];
    prop_oneof![
        5 => (row.clone(), vec(term(), 1..40)).prop_map(|(row, terms)| Change::Insert(row, terms)),
        1 => (row.clone(), term(), 50..400_usize)
            .prop_map(|(row, term, count)| Change::Insert(row, vec![term; count])),
        2 => row.prop_map(Change::Delete),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn lists_are_those_of_the_rows(
        page in prop::sample::select(vec![32_i64, 40, 64, 100, 300, 4_050]),
        transactions in vec(vec(change(), 1..12), 1..25),
    ) {
        let mut table = Table::new(page);
        for changes in &transactions {
            table.commit(changes);
        }
        for term in table.terms() {
            table.check(&[term]);
        }
        for phrase in [&["ab", "abc"][..], &["zz", "zz"], &["zz", "zz", "zz"], &["mm", "ab", "mm"], &["absent"]] {
            table.check(phrase);
        }
    }
}

#[test]
fn rows_that_are_not_wanted_are_passed_over() {
    let mut table = Table::new(64);
    let rows: Vec<Change> = (1..500)
        .map(|row| Change::Insert(row, vec!["ab".to_owned(); usize::try_from(row % 90).unwrap() + 1]))
        .collect();
    table.commit(&rows);
    let list = table.read("ab", |row| row % 7 == 3).unwrap();
    let expected: Vec<_> = table.expected(&["ab"]).into_iter().filter(|(row, _)| row % 7 == 3).collect();
    assert_eq!(shown(&list), expected);
}

#[test]
fn prefixes_and_lists_beyond_the_budget_are_left_to_fts5() {
    let mut table = Table::new(64);
    table.commit(&(1..500).map(|row| Change::Insert(row, vec!["ab".to_owned()])).collect::<Vec<_>>());
    assert!(table.read("ab*", |_| true).is_none());
    let cancelled = AtomicBool::new(false);
    let mut reader = Reader::new(&table.conn, &table.index, &cancelled, 1_000).unwrap();
    let query = Query::parse("ab").unwrap();
    let (_, clause) = query.clauses().next().unwrap();
    assert!(reader.clause(clause, &mut |_| Ok(true)).unwrap().is_none());
    assert_eq!(reader.clause(clause, &mut |row| Ok(row == 3)).unwrap().unwrap().len(), 1);
}

/// Whatever a page is replaced by, reading ends; what it says then may be wrong, as FTS5's answer would be.
#[test]
fn damaged_pages_do_no_harm() {
    let mut table = Table::new(64);
    let rows: Vec<Change> =
        (1..200).map(|row| Change::Insert(row, vec!["ab".to_owned(), format!("word{}", row % 9)])).collect();
    table.commit(&rows);
    let name = table.index.name.clone();
    let pages: Vec<(i64, Vec<u8>)> = table
        .conn
        .prepare(&format!("SELECT id, block FROM {name}_data WHERE id >= 10"))
        .unwrap()
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))
        .unwrap()
        .collect::<Result<_, _>>()
        .unwrap();
    let put = |id: i64, bytes: &[u8]| {
        let sql = format!("UPDATE {name}_data SET block = ?2 WHERE id = ?1");
        table.conn.execute(&sql, (id, bytes)).unwrap();
    };
    for (id, page) in pages.iter().take(6) {
        for at in 0..page.len() {
            for byte in [0, 1, 0x7f, 0x80, 0xff, page[at] ^ 1] {
                let mut other = page.clone();
                other[at] = byte;
                put(*id, &other);
                let _ = table.read("ab", |_| true);
                let _ = table.read("word3", |_| true);
            }
            put(*id, &page[..at]);
            let _ = table.read("ab", |_| true);
        }
        put(*id, page);
    }
    table.check(&["ab"]);
}
