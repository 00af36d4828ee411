//! The lists of a query's clauses, read directly (see [`crate::postings`]), and where a row stands in all of them.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use rusqlite::Connection;
use session_search_core::Visible;
use session_search_core::query::{Clause, Query};
use session_search_core::score::{MOST_PLACES, Nearness};
use session_search_core::store::{Matching, SearchPlan};

use super::expression;
use super::scope::Scope;
use crate::error::Result;
use crate::postings::{Cursor, Posting, Postings, Reader};
use crate::rows::Row;
use crate::schema::Index;

/// Bytes that the lists of one search may take; what needs more is left to FTS5.
pub(crate) const BUDGET: usize = 48 << 20;

/// Lists that were read for the statistics of a query, for the search that follows.
#[derive(Debug, Default)]
pub(crate) struct Remembered {
    /// Who saw the rows.
    visible: Option<Visible>,
    /// By the clause as FTS5 would be asked it, and the generation of the table.
    lists: HashMap<(String, i64), Arc<Postings>>,
    bytes: usize,
}

/// Bytes of lists that are remembered.
const REMEMBERED: usize = 16 << 20;

impl Remembered {
    /// Begins anew for what this caller sees.
    pub(crate) fn begin(visible: &Visible) -> Remembered {
        Remembered { visible: Some(visible.clone()), ..Remembered::default() }
    }

    /// Whether the lists are of what this caller sees.
    pub(crate) fn serves(&self, visible: &Visible) -> bool {
        self.visible.as_ref() == Some(visible)
    }

    /// Remembers a list, where there is room.
    pub(crate) fn keep(&mut self, clause: &Clause, index: &Index, list: Postings) {
        if self.bytes + list.bytes() <= REMEMBERED {
            self.bytes += list.bytes();
            self.lists.insert((expression::one(clause).text, index.generation), Arc::new(list));
        }
    }

    /// The list of a clause; with `places`, only one that has them.
    pub(crate) fn get(&self, clause: &Clause, index: &Index, places: bool) -> Option<Arc<Postings>> {
        if self.lists.is_empty() {
            return None;
        }
        let list = self.lists.get(&(expression::one(clause).text, index.generation))?;
        (!places || list.has_places()).then(|| Arc::clone(list))
    }
}

/// The lists of a query in one table.
#[derive(Debug)]
pub(crate) struct Lists {
    /// In the order of [`Query::clauses`]. Those of a search for all clauses may lack rows that match elsewhere no
    /// more.
    clauses: Vec<Arc<Postings>>,
    exclusions: Vec<Arc<Postings>>,
}

impl Lists {
    /// Reads the lists of a plan; `None` where FTS5 must be asked.
    pub(crate) fn read(
        conn: &Connection,
        (place, index): (usize, &Index),
        plan: &SearchPlan,
        remembered: &Remembered,
        scope: &mut Scope<'_>,
        cancelled: &AtomicBool,
    ) -> Result<Option<Lists>> {
        let mut reader = Reader::new(conn, index, cancelled, BUDGET)?;
        let query = &*plan.query;
        // What is remembered may be of another query, which needed no places.
        let places = query.clauses().count() > 1;
        let mut clauses: Vec<Option<Arc<Postings>>> =
            query.clauses().map(|(_, clause)| remembered.get(clause, index, places)).collect();
        // The rarest group first: what is not in it need not be kept of the others.
        let mut order: Vec<usize> = (0..query.groups().len()).collect();
        order.sort_by_key(|group| frequency(plan, *group));
        let mut driver: Option<Vec<Arc<Postings>>> = None;
        for group in order {
            for n in numbers(query, group) {
                if clauses[n].is_some() {
                    continue;
                }
                let Some((_, clause)) = query.clauses().nth(n) else { return Ok(None) };
                let list = within(&mut reader, clause, driver.as_deref(), (place, scope))?;
                let Some(list) = list else { return Ok(None) };
                clauses[n] = Some(Arc::new(list));
            }
            if driver.is_none() && plan.matching == Matching::All {
                driver = numbers(query, group).map(|n| clauses[n].clone()).collect();
            }
        }
        let mut exclusions = Vec::new();
        for clause in query.exclusions() {
            let Some(list) = within(&mut reader, clause, driver.as_deref(), (place, scope))? else {
                return Ok(None);
            };
            exclusions.push(Arc::new(list));
        }
        Ok(clauses.into_iter().collect::<Option<_>>().map(|clauses| Lists { clauses, exclusions }))
    }
}

/// How many messages hold a group, at most.
fn frequency(plan: &SearchPlan, group: usize) -> u64 {
    numbers(&plan.query, group).filter_map(|n| plan.statistics.frequencies.get(n)).sum()
}

/// The numbers of the clauses of a group.
fn numbers(query: &Query, group: usize) -> impl Iterator<Item = usize> + '_ {
    query.clauses().enumerate().filter(move |(_, (of, _))| *of == group).map(|(n, _)| n)
}

/// Reads a clause's list: rows in scope, or those of the driver only.
fn within(
    reader: &mut Reader<'_>,
    clause: &Clause,
    driver: Option<&[Arc<Postings>]>,
    (place, scope): (usize, &mut Scope<'_>),
) -> Result<Option<Postings>> {
    match driver {
        None => reader.clause(clause, &mut scope.of_index(place)),
        Some(driver) => {
            let mut cursors: Vec<Cursor<'_>> = driver.iter().map(|list| list.cursor()).collect();
            reader.clause(clause, &mut |row| Ok(cursors.iter_mut().any(|cursor| cursor.seek(row).is_some())))
        }
    }
}

impl Lists {
    /// The list of a query that is one clause and nothing else.
    pub(crate) fn alone(&self) -> Option<&Postings> {
        match (self.clauses.as_slice(), self.exclusions.is_empty()) {
            ([list], true) => Some(list),
            _ => None,
        }
    }
}

/// Stands on a row of all lists.
pub(crate) struct Join<'l> {
    lists: &'l Lists,
    cursors: Vec<Cursor<'l>>,
    exclusions: Vec<Cursor<'l>>,
    groups: Vec<Group>,
    matching: Matching,
    /// The clauses of which one is in every row that matches.
    drivers: Vec<usize>,
    /// By clause.
    drives: Vec<bool>,
    /// For each clause: the row where it stands now, if it occurs there.
    here: Vec<Option<Posting>>,
}

struct Group {
    clauses: std::ops::Range<usize>,
    plain: bool,
}

impl<'l> Join<'l> {
    pub(crate) fn new(query: &Query, matching: Matching, lists: &'l Lists) -> Join<'l> {
        let mut next = 0;
        let groups: Vec<Group> = query
            .groups()
            .iter()
            .map(|group| {
                let clauses = next..next + group.clauses().len();
                next = clauses.end;
                Group { clauses, plain: group.is_plain() }
            })
            .collect();
        let size = |group: &&Group| group.clauses.clone().map(|n| lists.clauses[n].len()).sum::<usize>();
        let all = matching == Matching::All;
        let binding = groups.iter().filter(|group| all || !group.plain).min_by_key(size);
        let drivers: Vec<usize> = match binding {
            Some(group) => group.clauses.clone().collect(),
            None => (0..lists.clauses.len()).collect(),
        };
        Join {
            drives: (0..lists.clauses.len()).map(|n| drivers.contains(&n)).collect(),
            lists,
            cursors: lists.clauses.iter().map(|list| list.cursor()).collect(),
            exclusions: lists.exclusions.iter().map(|list| list.cursor()).collect(),
            here: vec![None; lists.clauses.len()],
            groups,
            matching,
            drivers,
        }
    }

    /// Goes behind the last row.
    pub(crate) fn go_to_end(&mut self) {
        self.cursors.iter_mut().for_each(Cursor::go_to_end);
    }

    /// The row before that may match.
    pub(crate) fn row_before(&self) -> Option<i64> {
        self.drivers.iter().filter_map(|n| self.cursors[*n].row_before()).max()
    }

    /// Goes to a row; whether the query, or in a relaxed search what binds and something else of it, matches there.
    pub(crate) fn stand_on(&mut self, row: i64) -> bool {
        let all = self.matching == Matching::All;
        let (mut plain, mut any_plain) = (false, false);
        // All of these, whatever the rest says: they are where the walk stands.
        for n in &self.drivers {
            self.here[*n] = self.cursors[*n].seek(row);
        }
        for group in &self.groups {
            let mut found = false;
            for n in group.clauses.clone() {
                if !self.drives[n] {
                    self.here[n] = self.cursors[n].seek(row);
                }
                found |= self.here[n].is_some();
            }
            if !found && (all || !group.plain) {
                return false;
            }
            if group.plain {
                any_plain = true;
                plain |= found;
            }
        }
        if !all && any_plain && !plain {
            return false;
        }
        !self.exclusions.iter_mut().any(|cursor| cursor.seek(row).is_some())
    }

    /// How often each clause occurs here, up to `most`; those that do not are passed over.
    pub(crate) fn counts(&self, most: u32) -> impl Iterator<Item = (usize, u32)> + '_ {
        self.here.iter().enumerate().filter_map(move |(n, posting)| {
            posting.map(|posting| (n, self.lists.clauses[n].count(posting, most)))
        })
    }

    /// How near the clauses stand to each other here, by the first places of each, in the order typed.
    pub(crate) fn nearness(&self, near: &mut Nearness) -> f64 {
        near.restart();
        for (posting, list) in self.here.iter().zip(&self.lists.clauses) {
            if let Some(posting) = posting {
                let places = list.places_of(*posting).take(MOST_PLACES);
                near.add(places.map(|place| u32::try_from(place).unwrap_or(u32::MAX)));
            }
        }
        near.value()
    }

    /// The one clause that is in every row that matches, where there is one; and what rows of it to pass over, where
    /// finding that out is worth it.
    pub(crate) fn driver(&self) -> Option<(&'l Postings, Option<Slots>)> {
        let [driver] = self.drivers.as_slice() else { return None };
        let driver: &'l Postings = &self.lists.clauses[*driver];
        let others = self.groups.iter().filter(|group| !group.clauses.contains(&self.drivers[0]));
        let (true, Some(other)) = (
            self.matching == Matching::All && driver.len() >= MANY,
            others.min_by_key(|group| self.size(group)),
        ) else {
            return Some((driver, None));
        };
        let worth = self.size(other) / 32 <= driver.len();
        Some((driver, worth.then(|| Slots::of(other.clauses.clone().map(|n| &*self.lists.clauses[n])))))
    }

    fn size(&self, group: &Group) -> usize {
        group.clauses.clone().map(|n| self.lists.clauses[n].len()).sum()
    }
}

/// Rows from which on it pays to know beforehand which the other words are in.
const MANY: usize = 256;

/// Which slots of which blocks some lists have rows in: a bit each.
pub(crate) struct Slots {
    bits: Vec<u64>,
}

impl Slots {
    fn of<'p>(lists: impl Iterator<Item = &'p Postings>) -> Slots {
        let mut bits: Vec<u64> = Vec::new();
        for list in lists {
            let last = list.rows().last().map_or(0, |posting| Row(posting.row).place() + 1);
            bits.resize(bits.len().max(last.div_ceil(64)), 0);
            for posting in list.rows() {
                let place = Row(posting.row).place();
                bits[place / 64] |= 1 << (place % 64);
            }
        }
        Slots { bits }
    }

    /// Whether a list has a row in the slot of this one.
    #[inline]
    pub(crate) fn has(&self, row: i64) -> bool {
        let place = Row(row).place();
        self.bits.get(place / 64).is_some_and(|bits| bits >> (place % 64) & 1 == 1)
    }
}
