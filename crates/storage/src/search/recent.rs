//! `order: recent` without a pass: walks the newest messages and asks of each whether it matches. Where the words are
//! frequent, a few dozen answer what a pass would find among hundreds of thousands.

use std::sync::atomic::AtomicBool;

use session_search_core::relax::Majority;
use session_search_core::store::SearchPlan;

use super::expression::Expression;
use super::kept::{Entry, Search};
use super::lists::{Join, Lists};
use super::pass::{self, Ranking};
use crate::error::{Result, Tried};
use crate::rank;
use crate::rows::Row;
use crate::schema::Index;

/// Messages that are asked at most; beyond, a pass costs no more.
const MOST_ASKED: u64 = 4_000;
/// Messages that are looked at at most, most of them out of scope.
const MOST_SEEN: u64 = 50_000;

/// What is asked of each message, by the place of its index.
pub(crate) struct Asked<'a> {
    pub(crate) indexes: &'a [Index],
    pub(crate) lists: &'a [Option<Lists>],
    pub(crate) expression: &'a Expression,
}

/// Walks; `true` where that gave the whole answer.
pub(crate) fn walk(
    search: &mut Search<'_>,
    asked_for: &Asked<'_>,
    majority: Option<&Majority>,
    cancelled: &AtomicBool,
) -> Result<bool> {
    let Asked { indexes, lists, expression } = asked_for;
    if expression.prefixes || !is_frequent(search.plan) {
        return Ok(false);
    }
    let join = |lists| Join::new(&search.plan.query, search.plan.matching, lists);
    let mut joins: Vec<Option<Join<'_>>> = lists.iter().map(|lists| lists.as_ref().map(join)).collect();
    let what = "walk the newest messages";
    let conn = search.conn;
    let until = search.plan.filter.until.map_or(i64::MAX, |until| until.0);
    let since = search.plan.filter.since.map_or(i64::MIN, |since| since.0);
    let mut statement = conn
        .prepare_cached(
            "SELECT row, event, ts, copy FROM entries WHERE ts < ?1 AND ts >= ?2 ORDER BY ts DESC",
        )
        .tried(what)?;
    let mut rows = statement.query([until, since]).tried(what)?;
    let (mut asked, mut seen) = (0, 0);
    while let Some(row) = rows.next().tried(what)? {
        let read = |row: &rusqlite::Row<'_>| {
            Ok(Entry { row: Row(row.get(0)?), event: row.get(1)?, ts: row.get(2)?, copy: row.get(3)? })
        };
        let entry = read(row).tried(what)?;
        let enough = search.dropped && search.kept.len() >= search.plan.limit;
        if enough && search.kept.last().is_some_and(|worst| entry.ts < worst.ts) {
            return Ok(true);
        }
        seen += 1;
        if seen > MOST_SEEN || asked > MOST_ASKED {
            return Ok(false);
        }
        if !search.admits_role(entry.row) {
            continue;
        }
        let Some(place) = search.scope.index_of(entry.row.block())? else { continue };
        if search.dropped && search.has_enough_of(entry)? {
            continue;
        }
        asked += 1;
        if let Some(join) = &mut joins[place] {
            if join.stand_on(entry.row.0) {
                pass::one(search, place, join, entry.row, majority, true)?;
            }
            continue;
        }
        let mut ranking = Ranking {
            search,
            place,
            phrases: &expression.phrases,
            majority,
            cancelled,
            until_look: 1,
            exact: true,
            outcome: Ok(()),
        };
        rank::scan(
            conn,
            &indexes[place].name,
            &expression.text,
            (entry.row.0, entry.row.0),
            false,
            &mut ranking,
        )?;
        ranking.outcome?;
    }
    Ok(true)
}

/// Whether so many messages match that the newest few are found soon: as if clauses occurred independently.
#[expect(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
fn is_frequent(plan: &SearchPlan) -> bool {
    let messages = plan.statistics.messages.max(1) as f64;
    let mut share = 1.0;
    let mut next = 0;
    for group in plan.query.groups() {
        let clauses = next..next + group.clauses().len();
        next = clauses.end;
        let frequency =
            clauses.filter_map(|n| plan.statistics.frequencies.get(n)).max().copied().unwrap_or(0);
        share *= frequency as f64 / messages;
    }
    let wanted = (plan.limit + 1) as f64;
    share > 0.0 && wanted / share < MOST_ASKED as f64 / 4.0
}
