//! The query language: every input is a valid query or gets a clear error; none is syntax to a store.
//!
//! [`Query::parse`] turns what was typed into *groups*, all of which must occur; a group is one [`Clause`], or
//! several joined by `OR`. A clause is one or a few sequences of terms that must stand side by side. A store
//! renders these as it likes; [`Query::matches`] says what they mean over the [`Token`]s of a text, and is what
//! every store must agree with.
//!
//! | typed | becomes |
//! | --- | --- |
//! | `deploy failed` | two groups |
//! | `"roll back the"` | one group, a [`ClauseKind::Phrase`] |
//! | `src/ma*` | one group, a [`ClauseKind::Prefix`]: `src`, then any term beginning with `ma` |
//! | `-staging` | an exclusion |
//! | `cats OR dogs` | one group of two clauses |
//! | `会议室` | `会议`, `议室` side by side |
//! | `会` | any term beginning with `会` |
//! | `getUserName` | `getusername`, or `get`, `user`, `name` side by side |
//! | `"in C"` | `in`, then `c`, `c++` or `c#` |

mod clause;
mod error;
mod find;
mod parse;
mod pieces;

use std::fmt;
use std::ops::Range;

pub use clause::{Clause, ClauseKind, Element, MAX_ALTERNATIVES, Sequence};
pub use error::QueryError;
pub use find::{Match, Occurrences};

use crate::words::Token;

/// A query that was read and is within its bounds.
#[derive(Clone)]
pub struct Query {
    groups: Vec<Group>,
    exclusions: Vec<Clause>,
    ignored: Vec<Ignored>,
}

/// Clauses of which one must occur. Never empty.
#[derive(Debug, Clone)]
pub struct Group {
    clauses: Vec<Clause>,
}

impl Group {
    /// The clauses that `OR` joins; one where there is no `OR`.
    #[must_use]
    pub fn clauses(&self) -> &[Clause] {
        &self.clauses
    }

    /// Whether a relaxed search may do without it: no clause of it is a phrase.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        self.clauses.iter().all(|clause| clause.kind() != ClauseKind::Phrase)
    }

    /// As typed, clauses joined by ` OR `.
    #[must_use]
    pub fn typed(&self) -> String {
        self.clauses.iter().map(Clause::typed).collect::<Vec<_>>().join(" OR ")
    }
}

/// Something of a query that has no effect.
#[derive(Clone, PartialEq, Eq)]
pub enum Ignored {
    /// A piece without a word in it, as typed.
    NoWord(String),
    /// The `*` of a piece whose last word has one character, or is an emoji; the word itself is searched for. As
    /// typed.
    ShortPrefix(String),
}

impl Ignored {
    /// The piece as typed.
    #[must_use]
    pub fn typed(&self) -> &str {
        match self {
            Ignored::NoWord(typed) | Ignored::ShortPrefix(typed) => typed,
        }
    }
}

impl Query {
    /// Reads what was typed.
    ///
    /// # Errors
    /// [`QueryError`], which says what to type, where there is nothing to look for or a bound is passed.
    ///
    /// ```
    /// use session_search_core::query::Query;
    /// use session_search_core::words::tokens;
    /// let query = Query::parse("deploy fail* -staging")?;
    /// assert!(query.matches(&tokens("The deploy to production failed.", &[])));
    /// assert!(!query.matches(&tokens("The deploy to staging failed.", &[])));
    /// # Ok::<(), session_search_core::query::QueryError>(())
    /// ```
    pub fn parse(input: &str) -> Result<Query, QueryError> {
        parse::parse(input, &[])
    }

    /// Reads what was typed, of which some byte ranges hold no word (markers of redaction), as
    /// [`crate::words::tokens`] takes them: in ascending order.
    ///
    /// A piece of nothing else is ignored. What stands around them in a piece must occur, each for itself, in quotes
    /// as a phrase; beside an `OR` and after a `-`, where a piece is one thing, its longest part counts.
    ///
    /// # Errors
    /// As [`Query::parse`].
    ///
    /// ```
    /// use session_search_core::query::Query;
    /// let query = Query::parse_skipping("key=[hidden] [hidden] \"of the [hidden]\"", &[4..12, 13..21, 30..38])?;
    /// let groups: Vec<String> = query.groups().iter().map(|group| group.typed()).collect();
    /// assert_eq!(groups, ["key=[hidden]", "\"of the [hidden]\""]);
    /// assert_eq!(query.ignored()[0].typed(), "[hidden]");
    /// # Ok::<(), session_search_core::query::QueryError>(())
    /// ```
    pub fn parse_skipping(input: &str, skip: &[Range<usize>]) -> Result<Query, QueryError> {
        parse::parse(input, skip)
    }

    /// What must occur: every group. Never empty; without repeats.
    #[must_use]
    pub fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// What must not occur: none of them. Without repeats.
    #[must_use]
    pub fn exclusions(&self) -> &[Clause] {
        &self.exclusions
    }

    /// What has no effect, in the order typed.
    #[must_use]
    pub fn ignored(&self) -> &[Ignored] {
        &self.ignored
    }

    /// All clauses that are looked for, group by group, with the number of their group. The place in this order
    /// is the clause's number in [`Match`] and [`Query::counts`].
    pub fn clauses(&self) -> impl Iterator<Item = (usize, &Clause)> {
        self.groups
            .iter()
            .enumerate()
            .flat_map(|(n, group)| group.clauses.iter().map(move |clause| (n, clause)))
    }
}

impl fmt::Debug for Query {
    /// Shows sizes only: a query may hold a secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Query({} groups, {} exclusions)", self.groups.len(), self.exclusions.len())
    }
}

impl fmt::Debug for Ignored {
    /// Shows sizes only: a query may hold a secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = if matches!(self, Ignored::NoWord(_)) { "NoWord" } else { "ShortPrefix" };
        write!(f, "{name}({} bytes)", self.typed().len())
    }
}

/// Reads what was typed: [`Query::parse`].
///
/// # Errors
/// As [`Query::parse`].
pub fn parse(input: &str) -> Result<Query, QueryError> {
    Query::parse(input)
}

/// Whether a text, given as its tokens, matches: [`Query::matches`].
#[must_use]
pub fn matches(query: &Query, tokens: &[Token]) -> bool {
    query.matches(tokens)
}
