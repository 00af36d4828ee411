//! Search and statistics among the visible messages.
//!
//! 1. `expression` turns the query into FTS5's language.
//! 2. `scope` decides, by the block of a row id, what may be looked at: before any count.
//! 3. `pass` runs over the matches (see [`crate::rank`]); `recent` instead walks the newest messages where that is
//!    cheaper.
//! 4. `kept` keeps the best, one of each set of copies, capped per session, as they come.
//! 5. `hits` reads what is shown of those few.

pub(crate) mod cache;
mod expression;
mod hits;
mod kept;
mod occurring;
mod pass;
mod recent;
mod scope;
mod score;
mod statistics;

use session_search_core::store::{Matching, Order, SearchPlan, StoreHits};
use session_search_core::{Visible, relax::Majority};

pub(crate) use occurring::occurring;
pub(crate) use statistics::statistics;

use crate::error::Result;
use crate::readers::Reading;
use crate::schema;
use expression::Expression;
use kept::Search;
use scope::Scope;

/// The best hits of a plan.
pub(crate) fn search(reading: &mut Reading<'_>, visible: &Visible, plan: &SearchPlan) -> Result<StoreHits> {
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
    let cached = take_matches(reading, visible, plan, &expression, &indexes);
    let generations = indexes.iter().map(|index| index.generation).collect();
    let scope = Scope::new(conn, &mut *reading.cache, visible, Some(&plan.filter), generations)?;
    let mut search = Search::new(conn, scope, plan, expression.phrases.len());
    if let Some(matches) = cached {
        let outcome = pass::over_cached(&mut search, &matches.rows);
        let hits = outcome.and_then(|()| hits::finish(&mut search));
        drop(search);
        reading.cache.matches = Some(matches);
        return hits;
    }
    if plan.order == Order::Recent
        && recent::walk(&mut search, &indexes, &expression, majority.as_ref(), reading.cancelled)?
    {
        return hits::finish_exact(&mut search);
    }
    search.restart();
    for (place, index) in indexes.iter().enumerate() {
        pass::over_index(&mut search, index, place, &expression, majority.as_ref(), reading.cancelled)?;
    }
    hits::finish(&mut search)
}

/// The matches that statistics found just now for the same query of one clause, where they serve.
fn take_matches(
    reading: &mut Reading<'_>,
    visible: &Visible,
    plan: &SearchPlan,
    expression: &Expression,
    indexes: &[schema::Index],
) -> Option<cache::Matches> {
    let [index] = indexes else { return None };
    let one = expression.phrases.len() == 1 && plan.query.exclusions().is_empty();
    if !one || plan.order == Order::Recent {
        return None;
    }
    let fits = |matches: &cache::Matches| {
        matches.expression == expression::one_of(&plan.query)
            && matches.visible == *visible
            && matches.generation == index.generation
    };
    let matches = reading.cache.matches.take()?;
    if fits(&matches) {
        return Some(matches);
    }
    reading.cache.matches = Some(matches);
    None
}
