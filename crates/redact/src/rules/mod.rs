//! The table of rules, split over files by family. A row is data: what must be near, what a find looks like, what it is
//! called, and examples that a test runs.
//!
//! Three ways to match:
//!
//! * [`Place::Start`]: the pattern begins with a keyword. It is tried only where one stands at a boundary, anchored.
//! * [`Place::Run`]: the pattern is the whole of a long run of token characters; there is no keyword.
//! * [`Place::Near`]: the keyword is inside the find, or before it. The pattern is searched in a window around it.
//!
//! Lengths are open at the top: a fixed length leaves the tail of a token that has grown since. The first group, where a
//! pattern has one, is the secret; else the whole match is.
//!
//! Examples are templates, so that no file holds what looks like a live credential: `{w36}` stands for 36 characters
//! of a class (see `tests/it/examples.rs`, which expands them): `w` letters and digits, `a` lower case and digits,
//! `A` upper case and digits, `h` and `H` hexadecimal, `l` letters, `d` digits, `b` base64, `u` base64 for URLs.

mod chat;
mod cloud;
mod context;
mod data;
mod forge;
mod keys;
mod llm;
mod payment;
mod saas;
mod tools;

use crate::value;

/// A row of the table.
#[derive(Debug)]
pub(crate) struct Rule {
    /// Names the rule; unique.
    pub(crate) id: &'static str,
    /// What the marker says.
    pub(crate) kind: &'static str,
    /// At least one must be there, ASCII case ignored, before the pattern is tried.
    pub(crate) keywords: &'static [&'static str],
    /// A regular expression over bytes, without Unicode classes.
    pub(crate) pattern: &'static str,
    /// Where the pattern is tried.
    pub(crate) place: Place,
    /// What the secret must also be.
    pub(crate) check: fn(&[u8]) -> bool,
    /// Templates that must be found.
    pub(crate) hits: &'static [&'static str],
    /// Templates in which this rule must find nothing.
    pub(crate) misses: &'static [&'static str],
}

/// Where a pattern is tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// At the keyword, which must follow a boundary.
    Start,
    /// Anywhere from so many bytes before the keyword to so many after it.
    Near(usize, usize),
    /// On a whole run of token characters; no keyword.
    Run,
}

const fn rule(
    id: &'static str,
    keywords: &'static [&'static str],
    pattern: &'static str,
    hits: &'static [&'static str],
    misses: &'static [&'static str],
) -> Rule {
    Rule { id, kind: id, keywords, pattern, place: Place::Start, check: value::anything, hits, misses }
}

impl Rule {
    const fn kind(mut self, kind: &'static str) -> Rule {
        self.kind = kind;
        self
    }

    const fn near(mut self, back: usize, ahead: usize) -> Rule {
        self.place = Place::Near(back, ahead);
        self
    }

    const fn run(mut self) -> Rule {
        self.place = Place::Run;
        self
    }

    const fn check(mut self, check: fn(&[u8]) -> bool) -> Rule {
        self.check = check;
        self
    }
}

/// Every row, in a fixed order.
pub(crate) fn all() -> impl Iterator<Item = &'static Rule> {
    [
        llm::RULES,
        forge::RULES,
        tools::RULES,
        cloud::RULES,
        data::RULES,
        saas::RULES,
        chat::RULES,
        payment::RULES,
        keys::RULES,
        context::RULES,
    ]
    .into_iter()
    .flatten()
}

/// Kinds that code finds, not a pattern: assignments, headers, URLs and what needs arithmetic or several lines.
pub(crate) const STRUCTURAL_KINDS: &[&str] = &[
    "api-key",
    "authorization",
    "aws-secret-key",
    "connection-password",
    "cookie",
    "credential",
    "custom",
    "encoded-secret",
    "fragment",
    "passphrase",
    "password",
    "payment-card",
    "pgp-private-key",
    "private-key",
    "putty-private-key",
    "query-secret",
    "recovery-phrase",
    "secret",
    "token",
    "url-password",
];
