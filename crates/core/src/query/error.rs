//! What a query can be refused for.

use crate::limits::{MAX_QUERY_CHARS, MAX_QUERY_PREFIXES, MAX_QUERY_WORDS};

/// Why a query was refused, and what to type instead. Holds nothing of the query.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum QueryError {
    /// Nothing, or white space only.
    #[error(
        "the query is empty: type one or more words (from 1 to {MAX_QUERY_CHARS} characters), or a \"phrase in quotes\""
    )]
    Empty,
    /// More than [`MAX_QUERY_CHARS`] characters.
    #[error(
        "the query has {characters} characters; it must have from 1 to {MAX_QUERY_CHARS}: keep its most telling words"
    )]
    TooLong {
        /// How many it has.
        characters: usize,
    },
    /// Signs only.
    #[error("the query holds no word: type at least one word of letters or digits, or an emoji")]
    NoWord,
    /// Nothing but exclusions.
    #[error("the query only excludes: type at least one word to look for beside what begins with \"-\"")]
    OnlyExclusions,
    /// More than [`MAX_QUERY_WORDS`] words, repeats included.
    #[error(
        "the query has {words} words; it must have from 1 to {MAX_QUERY_WORDS}: keep its most telling words"
    )]
    TooManyWords {
        /// How many it has.
        words: usize,
    },
    /// More than [`MAX_QUERY_PREFIXES`] prefixes, repeats included.
    #[error(
        "the query has {prefixes} prefixes (words that end in \"*\"); it must have from 0 to {MAX_QUERY_PREFIXES}"
    )]
    TooManyPrefixes {
        /// How many it has.
        prefixes: usize,
    },
}
