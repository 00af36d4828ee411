//! In how many visible messages single terms occur: for words that nobody may have written. Terms that are in no index
//! cost one lookup each.

use std::sync::atomic::AtomicBool;

use rusqlite::OptionalExtension;
use session_search_core::store::MOST_OCCURRING;
use session_search_core::{TextPipeline, Visible};

use super::pass::look;
use super::scope::Scope;
use super::stale::is_current;
use crate::error::{Result, Tried};
use crate::rank::{self, Flow, Matched, Visit};
use crate::readers::Reading;
use crate::rows::Row;
use crate::schema;

/// See [`session_search_core::TranscriptStore::occurring`].
pub(crate) fn occurring(
    reading: &mut Reading<'_>,
    visible: &Visible,
    terms: &[String],
    pipeline: &dyn TextPipeline,
) -> Result<Vec<u64>> {
    let mut counts = vec![0; terms.len()];
    if *visible == Visible::Nothing {
        return Ok(counts);
    }
    let (conn, cancelled) = (reading.conn, reading.cancelled);
    reading.cache.renew(conn)?;
    let indexes = schema::indexes(conn)?;
    let generations = indexes.iter().map(|index| index.generation).collect();
    let mut scope = Scope::new(conn, &mut *reading.cache, visible, None, generations)?;
    let mut until_look = 1_024;
    for (term, count) in terms.iter().zip(&mut counts) {
        let expression = format!("\"{}\"", term.replace('"', "\"\""));
        for (place, index) in indexes.iter().enumerate() {
            if !is_current(index, pipeline) {
                continue;
            }
            look(&mut until_look, cancelled)?;
            let sql = format!("SELECT 1 FROM {0} WHERE {0} MATCH ?1 LIMIT 1", index.name);
            let found = conn
                .prepare_cached(&sql)
                .and_then(|mut s| s.query_row([&expression], |_| Ok(())).optional())
                .tried("look up a term")?;
            if found.is_none() {
                continue;
            }
            for range in scope.ranges(false) {
                let scope = &mut scope;
                let mut counting =
                    Counting { scope, place, count, cancelled, until_look: 1_024, outcome: Ok(()) };
                rank::scan(conn, &index.name, &expression, range, true, &mut counting)?;
                counting.outcome?;
            }
        }
    }
    Ok(counts)
}

/// Counts the matches in scope, up to a bound.
struct Counting<'s, 'a> {
    scope: &'s mut Scope<'a>,
    place: usize,
    count: &'s mut u64,
    cancelled: &'s AtomicBool,
    until_look: u32,
    outcome: Result<()>,
}

impl Visit for Counting<'_, '_> {
    fn visit(&mut self, matched: &Matched<'_>) -> Flow {
        self.outcome = self.one(matched);
        if self.outcome.is_ok() && *self.count < MOST_OCCURRING { Flow::Next } else { Flow::Stop }
    }
}

impl Counting<'_, '_> {
    fn one(&mut self, matched: &Matched<'_>) -> Result<()> {
        look(&mut self.until_look, self.cancelled)?;
        if *self.count < MOST_OCCURRING
            && self.scope.index_of(Row(matched.row()).block())? == Some(self.place)
        {
            *self.count += 1;
        }
        Ok(())
    }
}
