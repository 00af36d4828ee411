//! Index entries: a row of `entries`, a place in a block, and the terms in the full-text table, always together.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::HashMap;

use rusqlite::{Connection, OptionalExtension};
use session_search_core::limits::SMALL_BRANCH_MOVE;
use session_search_core::{Role, TextPipeline};

use crate::error::{Result, Tried, damaged};
use crate::events::{self, Full};
use crate::rows::{self, Row, SLOTS};
use crate::schema::Index;
use crate::state;
use crate::transcripts::Transcript;
use crate::writing::Erased;

/// Writes and removes entries in the current index.
pub(crate) struct Entries<'a> {
    pub(crate) conn: &'a Connection,
    pub(crate) pipeline: &'a dyn TextPipeline,
    pub(crate) index: &'a Index,
    /// Where to note terms that are taken out: see [`crate::writing::Writing`].
    pub(crate) erased: &'a RefCell<Option<Erased>>,
}

/// A block's row.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Block {
    pub(crate) block: i64,
    pub(crate) first: i64,
    pub(crate) generation: i64,
}

/// The block of a transcript that holds the entry of this ordinal.
pub(crate) fn block_of(conn: &Connection, transcript: i64, ordinal: i64) -> Result<Option<Block>> {
    let first = ordinal - ordinal % SLOTS;
    conn.prepare_cached("SELECT block, gen FROM blocks WHERE transcript = ?1 AND first = ?2")
        .and_then(|mut s| {
            s.query_row((transcript, first), |row| {
                Ok(Block { block: row.get(0)?, first, generation: row.get(1)? })
            })
            .optional()
        })
        .tried("look up a block")
}

/// The row and event of an entry, by its ordinal.
pub(crate) fn at(conn: &Connection, transcript: i64, ordinal: i64) -> Result<Option<(Row, i64)>> {
    let Some(block) = block_of(conn, transcript, ordinal)? else { return Ok(None) };
    let slot = ordinal - block.first;
    Ok(in_slots(conn, block.block, slot, slot + 1)?.pop())
}

/// The rows and events in slots `from..to` of a block, in order.
pub(crate) fn in_slots(conn: &Connection, block: i64, from: i64, to: i64) -> Result<Vec<(Row, i64)>> {
    conn.prepare_cached("SELECT row, event FROM entries WHERE row BETWEEN ?1 AND ?2 ORDER BY row")
        .and_then(|mut s| {
            s.query_map(rows::range(block, from, to), |row| Ok((Row(row.get(0)?), row.get(1)?)))?.collect()
        })
        .tried("read index entries")
}

impl Entries<'_> {
    /// Writes the entry of this ordinal, which has none yet.
    fn put(&self, transcript: i64, ordinal: i64, num: i64, event: &Head<'_>) -> Result<()> {
        let block = match block_of(self.conn, transcript, ordinal)? {
            Some(block) => self.fresh(block)?,
            None => self.allocate(transcript, ordinal)?,
        };
        self.write(block.block, ordinal - block.first, num, event)
    }

    fn write(&self, block: i64, slot: i64, num: i64, event: &Head<'_>) -> Result<()> {
        let prepared = self.pipeline.prepare(event.text);
        let row = Row::new(block, slot, event.role, prepared.words);
        let copy = events::copy_hash(event.id, event.text);
        self.conn
            .prepare_cached("INSERT INTO entries(row, event, ts, copy) VALUES(?1, ?2, ?3, ?4)")
            .and_then(|mut s| s.execute((row.0, num, event.ts, copy)))
            .tried("store an index entry")?;
        if prepared.terms.is_empty() {
            return Ok(());
        }
        let sql = format!("INSERT INTO {}(rowid, terms) VALUES(?1, ?2)", self.index.name);
        self.conn
            .prepare_cached(&sql)
            .and_then(|mut s| s.execute((row.0, prepared.terms)))
            .tried("write to the full-text table")
            .map(drop)
    }

    /// The block, rebuilt where it is of an older index, since that table cannot be written with today's words.
    fn fresh(&self, block: Block) -> Result<Block> {
        if block.generation == self.index.generation {
            return Ok(block);
        }
        self.rebuild(block)?;
        Ok(Block { generation: self.index.generation, ..block })
    }

    fn allocate(&self, transcript: i64, ordinal: i64) -> Result<Block> {
        let first = ordinal - ordinal % SLOTS;
        self.conn
            .prepare_cached(
                "INSERT INTO blocks(block, transcript, first, gen)
                 VALUES((SELECT ifnull(max(block), 0) + 1 FROM blocks), ?1, ?2, ?3)",
            )
            .and_then(|mut s| s.execute((transcript, first, self.index.generation)))
            .tried("store a block")?;
        Ok(Block { block: self.conn.last_insert_rowid(), first, generation: self.index.generation })
    }

    /// Builds the entries of a block anew in the current index. Those in an older table stay there, out of reach,
    /// until that table goes.
    pub(crate) fn rebuild(&self, block: Block) -> Result<u64> {
        state::next_epoch(self.conn)?;
        let old = in_slots(self.conn, block.block, 0, SLOTS)?;
        if block.generation == self.index.generation {
            for (row, event) in &old {
                self.forget(&self.index.name, *row, *event)?;
            }
        }
        self.conn
            .prepare_cached("DELETE FROM entries WHERE row BETWEEN ?1 AND ?2")
            .and_then(|mut s| s.execute(rows::range(block.block, 0, SLOTS)))
            .tried("remove index entries")?;
        for (row, num) in &old {
            let full = events::load(self.conn, *num)?;
            let text = full.text();
            self.write(block.block, row.slot(), *num, &Head::of(&full, &text)?)?;
        }
        self.conn
            .prepare_cached("UPDATE blocks SET gen = ?2 WHERE block = ?1")
            .and_then(|mut s| s.execute((block.block, self.index.generation)))
            .tried("store a block")?;
        Ok(old.len() as u64)
    }

    /// Removes the entries of a transcript from ordinal `from` on, `count` of them at most. Few are removed here and
    /// now; of many, whole blocks are discarded: out of reach at once, removed later by reconciliation.
    pub(crate) fn cut(&self, transcript: i64, from: i64, count: i64) -> Result<()> {
        let few = count <= i64::try_from(SMALL_BRANCH_MOVE).unwrap_or(i64::MAX);
        if from % SLOTS != 0
            && let Some(block) = block_of(self.conn, transcript, from)?
        {
            // Its slots are used again, so it must be of the current index.
            let block = self.fresh(block)?;
            self.clear(block, from - block.first, SLOTS)?;
        }
        let whole = (from + SLOTS - 1) / SLOTS * SLOTS;
        if !few {
            state::next_epoch(self.conn)?;
            return self
                .conn
                .prepare_cached("UPDATE blocks SET transcript = NULL WHERE transcript = ?1 AND first >= ?2")
                .and_then(|mut s| s.execute((transcript, whole)))
                .tried("discard blocks")
                .map(drop);
        }
        for block in blocks_from(self.conn, transcript, whole)? {
            self.drop_block(block)?;
        }
        Ok(())
    }

    /// Removes a block with its entries. Returns how many there were.
    pub(crate) fn drop_block(&self, block: Block) -> Result<u64> {
        state::next_epoch(self.conn)?;
        let gone = self.clear(block, 0, SLOTS)?;
        self.conn
            .prepare_cached("DELETE FROM blocks WHERE block = ?1")
            .and_then(|mut s| s.execute([block.block]))
            .tried("remove a block")?;
        Ok(gone)
    }

    /// Removes at most `most` entries of a block, from its end, and the block once it is empty. Returns how many went.
    pub(crate) fn shrink_block(&self, block: Block, most: i64) -> Result<u64> {
        let entries = in_slots(self.conn, block.block, 0, SLOTS)?;
        let keep = entries.len().saturating_sub(usize::try_from(most).unwrap_or(usize::MAX));
        match entries.get(keep).filter(|_| keep > 0) {
            Some((row, _)) => self.clear(block, row.slot(), SLOTS),
            None => self.drop_block(block),
        }
    }

    /// Removes the entries in slots `from..to`. Those of an index with other words stay in its table, out of reach,
    /// until it goes.
    fn clear(&self, block: Block, from: i64, to: i64) -> Result<u64> {
        let entries = in_slots(self.conn, block.block, from, to)?;
        if let Some(table) = self.table_of(block)? {
            for (row, event) in &entries {
                self.forget(&table, *row, *event)?;
            }
        }
        self.conn
            .prepare_cached("DELETE FROM entries WHERE row BETWEEN ?1 AND ?2")
            .and_then(|mut s| s.execute(rows::range(block.block, from, to)))
            .tried("remove index entries")?;
        Ok(entries.len() as u64)
    }

    /// The full-text table of a block, where it is built with today's words.
    fn table_of(&self, block: Block) -> Result<Option<String>> {
        if block.generation == self.index.generation {
            return Ok(Some(self.index.name.clone()));
        }
        self.conn
            .prepare_cached("SELECT name FROM indexes WHERE gen = ?1 AND version = ?2")
            .and_then(|mut s| {
                s.query_row((block.generation, &self.index.version), |row| row.get(0)).optional()
            })
            .tried("read the indexes")
    }

    /// Takes the terms of an entry out of a full-text table.
    fn forget(&self, table: &str, row: Row, event: i64) -> Result<()> {
        let terms = self.pipeline.prepare(&events::load(self.conn, event)?.text()).terms;
        if terms.is_empty() {
            return Ok(());
        }
        if let Some(erased) = &mut *self.erased.borrow_mut() {
            erased.extend(terms.split(' ').map(|term| Box::from(term.as_bytes())));
        }
        let sql = format!("INSERT INTO {table}({table}, rowid, terms) VALUES('delete', ?1, ?2)");
        self.conn
            .prepare_cached(&sql)
            .and_then(|mut s| s.execute((row.0, terms)))
            .tried("remove from the full-text table")
            .map(drop)
    }

    /// Writes events as the entries from ordinal `from` on. `texts` holds those that are at hand.
    pub(crate) fn write_from(
        &self,
        transcript: i64,
        from: i64,
        nums: impl IntoIterator<Item = i64>,
        texts: &HashMap<i64, String>,
    ) -> Result<u64> {
        let mut ordinal = from;
        for num in nums {
            let full = events::load(self.conn, num)?;
            let text = texts.get(&num).map_or_else(|| full.text().into(), Cow::from);
            self.put(transcript, ordinal, num, &Head::of(&full, &text)?)?;
            ordinal += 1;
        }
        Ok(u64::try_from(ordinal - from).unwrap_or(0))
    }
}

/// The first block of a transcript.
pub(crate) fn first_block(conn: &Connection, transcript: i64) -> Result<Option<Block>> {
    conn.prepare_cached("SELECT block, first, gen FROM blocks WHERE transcript = ?1 ORDER BY first LIMIT 1")
        .and_then(|mut s| {
            s.query_row([transcript], |row| {
                Ok(Block { block: row.get(0)?, first: row.get(1)?, generation: row.get(2)? })
            })
            .optional()
        })
        .tried("look up a block")
}

/// The blocks of a transcript that begin at this ordinal or later.
pub(crate) fn blocks_from(conn: &Connection, transcript: i64, first: i64) -> Result<Vec<Block>> {
    conn.prepare_cached(
        "SELECT block, first, gen FROM blocks WHERE transcript = ?1 AND first >= ?2 ORDER BY first",
    )
    .and_then(|mut s| {
        s.query_map((transcript, first), |row| {
            Ok(Block { block: row.get(0)?, first: row.get(1)?, generation: row.get(2)? })
        })?
        .collect()
    })
    .tried("look up blocks")
}

/// What an entry is made of.
pub(crate) struct Head<'a> {
    id: &'a str,
    role: Role,
    ts: i64,
    text: &'a str,
}

impl<'a> Head<'a> {
    fn of(full: &'a Full, text: &'a str) -> Result<Head<'a>> {
        let role = full.kind.role().ok_or_else(|| damaged("an index entry of what is no message"))?;
        Ok(Head { id: full.id.as_str(), role, ts: full.ts, text })
    }
}

/// Puts the entries of a transcript from ordinal `kept` on out of reach without touching the index: for a process
/// whose words are not those of the current table. The block that holds `kept` goes as a whole.
pub(crate) fn discard(conn: &Connection, transcript: &mut Transcript, kept: i64) -> Result<()> {
    state::next_epoch(conn)?;
    let first = kept - kept % SLOTS;
    conn.prepare_cached("UPDATE blocks SET transcript = NULL WHERE transcript = ?1 AND first >= ?2")
        .and_then(|mut s| s.execute((transcript.num, first)))
        .tried("discard blocks")?;
    if transcript.tail.is_some_and(|tail| tail < kept) {
        transcript.tail = None;
        conn.prepare_cached("UPDATE blocks SET transcript = NULL WHERE transcript = ?1 AND first >= ?2")
            .and_then(|mut s| s.execute((transcript.num, transcript.entries - transcript.entries % SLOTS)))
            .tried("discard blocks")?;
        transcript.entries -= transcript.entries % SLOTS;
    }
    transcript.entries = transcript.entries.min(first);
    transcript.pending = true;
    Ok(())
}
