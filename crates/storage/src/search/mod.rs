//! Search and statistics among the visible messages.
//!
//! 1. `expression` turns the query into FTS5's language.
//! 2. `scope` decides, by the block of a row id, what may be looked at: before any count.
//! 3. `lists` reads where the clauses occur, straight from the table (see [`crate::postings`]), where that serves.
//! 4. `pass` runs over the matches, of those lists or of FTS5 (see [`crate::rank`]); `recent` instead walks the newest
//!    messages where that is cheaper.
//! 5. `kept` keeps the best, one of each set of copies, capped per session, as they come.
//! 6. `stale` reads messages whose index is of older words or rules: nothing of that index decides an answer.
//! 7. `hits` reads what is shown of those few.

pub(crate) mod cache;
mod expression;
mod hits;
mod kept;
mod lists;
mod occurring;
mod pass;
mod recent;
mod scope;
mod score;
mod stale;
mod statistics;

use session_search_core::store::{Matching, Order, SearchPlan, StoreHits};
use session_search_core::{TextPipeline, Visible, relax::Majority};

pub(crate) use occurring::occurring;
pub(crate) use statistics::statistics;

use crate::error::Result;
use crate::readers::Reading;
use crate::schema;
use kept::Search;
use lists::Lists;
use scope::Scope;

/// The best hits of a plan.
pub(crate) fn search(
    reading: &mut Reading<'_>,
    visible: &Visible,
    plan: &SearchPlan,
    pipeline: &dyn TextPipeline,
) -> Result<StoreHits> {
    if *visible == Visible::Nothing || plan.limit == 0 || plan.per_session == Some(0) {
        return Ok(StoreHits::default());
    }
    let conn = reading.conn;
    reading.cache.renew(conn)?;
    let indexes = schema::indexes(conn)?;
    let expression = match plan.matching {
        Matching::All => expression::all(&plan.query),
        Matching::Most => expression::most(&plan.query),
    };
    let majority = (plan.matching == Matching::Most).then(|| Majority::of(&plan.query, &plan.statistics));
    let generations = indexes.iter().map(|index| index.generation).collect();
    let mut scope = {
        let cache = &mut *reading.cache;
        let lists = std::mem::take(&mut cache.lists);
        let remembered = if lists.serves(visible) { lists } else { lists::Remembered::default() };
        let scope = Scope::new(conn, cache, visible, Some(&plan.filter), generations)?;
        (scope, remembered)
    };
    let mut lists = Vec::with_capacity(indexes.len());
    let current: Vec<bool> = indexes.iter().map(|index| stale::is_current(index, pipeline)).collect();
    for (place, index) in indexes.iter().enumerate() {
        lists.push(match current[place] {
            true => Lists::read(conn, (place, index), plan, &scope.1, &mut scope.0, reading.cancelled)?,
            false => None,
        });
    }
    let all_current = current.iter().all(|current| *current);
    let mut search = Search::new(conn, scope.0, plan, expression.phrases.len());
    let asked = recent::Asked { indexes: &indexes, lists: &lists, expression: &expression };
    if plan.order == Order::Recent
        && all_current
        && recent::walk(&mut search, &asked, majority.as_ref(), reading.cancelled)?
    {
        return hits::finish_exact(&mut search);
    }
    search.restart();
    for (place, (index, lists)) in indexes.iter().zip(&lists).enumerate() {
        if !current[place] {
            continue;
        }
        match lists {
            Some(lists) => pass::over_lists(&mut search, place, lists, majority.as_ref(), reading.cancelled)?,
            None => {
                pass::over_index(
                    &mut search,
                    index,
                    place,
                    &expression,
                    majority.as_ref(),
                    reading.cancelled,
                )?;
            }
        }
    }
    if !all_current {
        stale::read_newest(&mut search, &current, majority.as_ref(), pipeline, reading.cancelled)?;
    }
    hits::finish(&mut search)
}
