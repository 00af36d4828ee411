//! Every bound, as a constant with its unit and as a type that shows it was applied.

use std::fmt;

/// Bound of one event line: 16 MiB.
pub const MAX_EVENT_BYTES: usize = 16 << 20;
/// Bound of the searchable text of one message: 1 MiB. What is beyond it is cut, and the cut reported.
pub const MAX_SEARCHABLE_BYTES: usize = 1 << 20;
/// Bound of a title, in characters (code points).
pub const MAX_TITLE_CHARS: usize = 200;
/// Bound of a query, in characters.
pub const MAX_QUERY_CHARS: usize = 4_096;
/// Bound of the words of a query, as typed, repeats included; a run without spaces counts as one.
pub const MAX_QUERY_WORDS: usize = 64;
/// Bound of the prefixes of a query.
pub const MAX_QUERY_PREFIXES: usize = 8;
/// Bound of a snippet, in characters, ellipses not counted.
pub const MAX_SNIPPET_CHARS: usize = 300;
/// Bound of a whole search response, in bytes of UTF-8 JSON: 32 KiB.
pub const MAX_SEARCH_RESPONSE_BYTES: usize = 32 << 10;
/// Bound of the text of a message in a history page, in characters.
pub const MAX_HISTORY_TEXT_CHARS: usize = 4_000;
/// Bound of a tool call or result in a history page, in characters.
pub const MAX_TOOL_CHARS: usize = 2_000;
/// Bound of one message in a history page, in bytes of JSON: 16 KiB.
pub const MAX_HISTORY_MESSAGE_BYTES: usize = 16 << 10;
/// Bound of a history page, in bytes of JSON: 80 KiB.
pub const MAX_HISTORY_PAGE_BYTES: usize = 80 << 10;
/// How many other sessions `alsoIn` names.
pub const MAX_ALSO_IN: usize = 5;
/// A branch move that touches at most this many messages is reindexed in its own transaction.
pub const SMALL_BRANCH_MOVE: usize = 100;

/// A value out of its range; the message names the range.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{what} is {value}; it must be from {min} to {max}")]
pub struct OutOfRange {
    /// Which value: `limit`, `perSession`.
    pub what: &'static str,
    /// What was given.
    pub value: i64,
    /// The least that is allowed.
    pub min: i64,
    /// The most that is allowed.
    pub max: i64,
}

fn in_range(what: &'static str, value: i64, min: i64, max: i64) -> Result<usize, OutOfRange> {
    if (min..=max).contains(&value) {
        // Within small bounds, so it fits.
        return usize::try_from(value).map_err(|_| OutOfRange { what, value, min, max });
    }
    Err(OutOfRange { what, value, min, max })
}

/// How many hits a search returns at most: 1 to 25 for a caller, to 1,000 for the operator; 10 where nothing is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SearchLimit(usize);

impl SearchLimit {
    /// What holds where nothing is said.
    pub const DEFAULT: SearchLimit = SearchLimit(10);
    /// The most for a caller.
    pub const MAX_CALLER: i64 = 25;
    /// The most for the operator.
    pub const MAX_OPERATOR: i64 = 1_000;

    /// For a session that calls a tool.
    ///
    /// # Errors
    /// [`OutOfRange`] outside 1 to 25.
    pub fn for_caller(value: i64) -> Result<SearchLimit, OutOfRange> {
        in_range("limit", value, 1, Self::MAX_CALLER).map(SearchLimit)
    }

    /// For the operator.
    ///
    /// # Errors
    /// [`OutOfRange`] outside 1 to 1,000.
    pub fn for_operator(value: i64) -> Result<SearchLimit, OutOfRange> {
        in_range("limit", value, 1, Self::MAX_OPERATOR).map(SearchLimit)
    }

    /// The number.
    #[must_use]
    pub fn get(self) -> usize {
        self.0
    }
}

/// How many hits of one session a search returns at most: 1 to 1,000; 3 where nothing is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PerSession(usize);

impl PerSession {
    /// What holds where nothing is said and no session is named.
    pub const DEFAULT: PerSession = PerSession(3);

    /// # Errors
    /// [`OutOfRange`] outside 1 to 1,000.
    pub fn new(value: i64) -> Result<PerSession, OutOfRange> {
        in_range("perSession", value, 1, 1_000).map(PerSession)
    }

    /// The number.
    #[must_use]
    pub fn get(self) -> usize {
        self.0
    }
}

/// How many messages a history page holds at most: 1 to 100; 20 where nothing is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HistoryLimit(usize);

impl HistoryLimit {
    /// What holds where nothing is said.
    pub const DEFAULT: HistoryLimit = HistoryLimit(20);

    /// # Errors
    /// [`OutOfRange`] outside 1 to 100.
    pub fn new(value: i64) -> Result<HistoryLimit, OutOfRange> {
        in_range("limit", value, 1, 100).map(HistoryLimit)
    }

    /// The number.
    #[must_use]
    pub fn get(self) -> usize {
        self.0
    }
}

/// Things in their final order to which no bound was applied yet.
pub struct Candidates<T>(Vec<T>);

/// The first of them by number; whether any was left out.
pub struct Counted<T> {
    kept: Vec<T>,
    left_out: bool,
}

/// The first of them by number and bytes: what may leave.
pub struct Bounded<T> {
    kept: Vec<T>,
    truncated: bool,
}

impl<T> Candidates<T> {
    /// Takes them in their final order.
    #[must_use]
    pub fn new(items: Vec<T>) -> Candidates<T> {
        Candidates(items)
    }

    /// Keeps at most `count`.
    #[must_use]
    pub fn count(mut self, count: usize) -> Counted<T> {
        let left_out = self.0.len() > count;
        self.0.truncate(count);
        Counted { kept: self.0, left_out }
    }
}

impl<T> Counted<T> {
    /// Keeps whole items from the front while their sizes, with `separator` bytes between two, fit `budget` bytes.
    #[must_use]
    pub fn fit(mut self, budget: usize, separator: usize, size: impl Fn(&T) -> usize) -> Bounded<T> {
        let mut used = 0_usize;
        let mut fitting = 0;
        for item in &self.kept {
            let more = size(item) + if fitting == 0 { 0 } else { separator };
            if used + more > budget {
                break;
            }
            used += more;
            fitting += 1;
        }
        let truncated = self.left_out || fitting < self.kept.len();
        self.kept.truncate(fitting);
        Bounded { kept: self.kept, truncated }
    }
}

impl<T> Bounded<T> {
    /// What was kept, and whether anything was left out.
    #[must_use]
    pub fn into_parts(self) -> (Vec<T>, bool) {
        (self.kept, self.truncated)
    }
}

impl<T> fmt::Debug for Candidates<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Candidates({})", self.0.len())
    }
}

impl<T> fmt::Debug for Counted<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Counted({})", self.kept.len())
    }
}

impl<T> fmt::Debug for Bounded<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Bounded({})", self.kept.len())
    }
}

/// Cuts a title to its bound, on one line.
#[must_use]
pub fn title(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    line.chars().take(MAX_TITLE_CHARS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_named_in_the_error() {
        assert_eq!(SearchLimit::for_caller(25).unwrap().get(), 25);
        assert_eq!(
            SearchLimit::for_caller(26).unwrap_err().to_string(),
            "limit is 26; it must be from 1 to 25"
        );
        assert!(SearchLimit::for_operator(1_000).is_ok());
        assert!(SearchLimit::for_operator(1_001).is_err());
        assert!(SearchLimit::for_caller(0).is_err());
        assert!(HistoryLimit::new(101).is_err());
        assert!(HistoryLimit::new(100).is_ok());
        assert!(PerSession::new(0).is_err());
    }

    #[test]
    fn counts_and_bytes_bound_from_the_end() {
        let items = || Candidates::new(vec!["aaaa", "bb", "c"]);
        assert_eq!(items().count(2).fit(100, 1, |s| s.len()).into_parts(), (vec!["aaaa", "bb"], true));
        assert_eq!(items().count(3).fit(9, 1, |s| s.len()).into_parts(), (vec!["aaaa", "bb", "c"], false));
        assert_eq!(items().count(3).fit(8, 1, |s| s.len()).into_parts(), (vec!["aaaa", "bb"], true));
        assert_eq!(items().count(3).fit(3, 1, |s| s.len()).into_parts(), (vec![], true));
    }

    #[test]
    fn titles_stay_on_one_line() {
        assert_eq!(title(" a\n b\t"), "a b");
        assert_eq!(title(&"é".repeat(300)).chars().count(), 200);
    }
}
