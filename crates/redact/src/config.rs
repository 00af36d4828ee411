//! Rules and exceptions of the user: the table `[redaction]` of `config.toml`.
//!
//! [`Redactor::with_config`](crate::Redactor::with_config) shows what may stand in it.

use std::ops::Range;

use regex::{Regex, RegexBuilder};
use serde::Deserialize;

use crate::marker;
use crate::span::{Rank, Span};

/// At most so many rules, and as many exceptions.
const MOST_RULES: usize = 64;
/// At most so many bytes of a compiled pattern.
const PATTERN_BYTES: usize = 256 * 1024;
/// At most so many bytes of a pattern as written.
const PATTERN_LENGTH: usize = 1024;

/// Why a configuration was refused. Names rules by id, never text that was scanned.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConfigError {
    /// The file is no TOML, or a field is unknown or of another type.
    #[error("reading the redaction table of config.toml: {0}")]
    Syntax(String),
    /// A pattern does not compile within its bounds.
    #[error("redaction rule `{id}`: {why}; use the syntax of the regex crate, at most 1024 characters")]
    Pattern {
        /// The rule's id, or `allow`.
        id: String,
        /// What the compiler said.
        why: String,
    },
    /// A pattern matches nothing at all, which would hide or allow every text.
    #[error("redaction rule `{id}` matches the empty text; make it say what must be there")]
    Empty {
        /// The rule's id, or `allow`.
        id: String,
    },
    /// A kind that no marker can name.
    #[error("redaction rule `{id}` names the unknown kind `{kind}`; leave it out to get `custom`")]
    Kind {
        /// The rule's id.
        id: String,
        /// The kind as written.
        kind: String,
    },
    /// More rules or exceptions than allowed.
    #[error("config.toml has more than {MOST_RULES} redaction rules or exceptions; join some with `|`")]
    TooMany,
    /// `disable` names neither a kind nor a rule.
    #[error("`disable` in config.toml names `{0}`, which is neither a kind nor the id of a rule")]
    Disabled(String),
}

#[derive(Deserialize, Default)]
struct File {
    #[serde(default)]
    redaction: Table,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
struct Table {
    #[serde(default)]
    disable: Vec<String>,
    #[serde(default)]
    allow: Vec<String>,
    #[serde(default)]
    rules: Vec<Row>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    id: String,
    pattern: String,
    #[serde(default)]
    keywords: Vec<String>,
    kind: Option<String>,
}

struct UserRule {
    pattern: Regex,
    keywords: Vec<String>,
    kind: &'static str,
}

/// A checked configuration.
pub(crate) struct User {
    rules: Vec<UserRule>,
    allow: Vec<Regex>,
    disabled: Vec<&'static str>,
    /// Distinguishes indexes built under different configurations; empty when there is nothing to distinguish.
    pub(crate) hash: String,
}

impl User {
    /// Reads and checks; `None` when nothing is configured.
    pub(crate) fn parse(toml: &str) -> Result<Option<User>, ConfigError> {
        let file: File = toml::from_str(toml).map_err(|e| ConfigError::Syntax(e.message().to_owned()))?;
        let table = file.redaction;
        if table.rules.is_empty() && table.allow.is_empty() && table.disable.is_empty() {
            return Ok(None);
        }
        if table.rules.len() > MOST_RULES || table.allow.len() > MOST_RULES {
            return Err(ConfigError::TooMany);
        }
        let hash = hash(&table);
        let rules = table.rules.into_iter().map(Row::check).collect::<Result<_, _>>()?;
        let allow = table.allow.iter().map(|p| compile("allow", p)).collect::<Result<_, _>>()?;
        let disabled = table.disable.iter().map(|n| known(n)).collect::<Result<_, _>>()?;
        Ok(Some(User { rules, allow, disabled, hash }))
    }

    /// Finds of the user's own rules.
    pub(crate) fn find(&self, text: &str, out: &mut Vec<Span>) {
        for rule in &self.rules {
            if !rule.keywords.is_empty() && !rule.keywords.iter().any(|k| text.contains(k.as_str())) {
                continue;
            }
            for found in rule.pattern.captures_iter(text) {
                if let Some(secret) = found.get(1).or_else(|| found.get(0)) {
                    out.push(Span::new(secret.range(), rule.kind, Rank::Shape));
                }
            }
        }
    }

    /// Whether a find is to be left: its kind is off, or an exception matches it.
    pub(crate) fn allows(&self, text: &str, range: Range<usize>, kind: &str) -> bool {
        self.disabled.contains(&kind)
            || text.get(range).is_some_and(|secret| self.allow.iter().any(|p| p.is_match(secret)))
    }
}

impl Row {
    fn check(self) -> Result<UserRule, ConfigError> {
        let pattern = compile(&self.id, &self.pattern)?;
        let kind = match &self.kind {
            None => "custom",
            Some(name) => marker::known_kind(name)
                .ok_or_else(|| ConfigError::Kind { id: self.id.clone(), kind: name.clone() })?,
        };
        Ok(UserRule { pattern, keywords: self.keywords, kind })
    }
}

fn known(name: &str) -> Result<&'static str, ConfigError> {
    let by_id = || crate::rules::all().find(|r| r.id == name).map(|r| r.kind);
    marker::known_kind(name).or_else(by_id).ok_or_else(|| ConfigError::Disabled(name.to_owned()))
}

fn compile(id: &str, pattern: &str) -> Result<Regex, ConfigError> {
    let refused = |why: String| ConfigError::Pattern { id: id.to_owned(), why };
    if pattern.len() > PATTERN_LENGTH {
        return Err(refused("the pattern is too long".to_owned()));
    }
    let regex = RegexBuilder::new(pattern)
        .size_limit(PATTERN_BYTES)
        .dfa_size_limit(4 * PATTERN_BYTES)
        .build()
        .map_err(|e| refused(e.to_string()))?;
    if regex.is_match("") { Err(ConfigError::Empty { id: id.to_owned() }) } else { Ok(regex) }
}

/// FNV-1a over everything that changes what is found, as eight hexadecimal digits.
fn hash(table: &Table) -> String {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut add = |text: &str| {
        for byte in text.bytes().chain([0xff]) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        }
    };
    for (name, list) in [("disable", &table.disable), ("allow", &table.allow)] {
        add(name);
        list.iter().for_each(|t| add(t));
    }
    for row in &table.rules {
        add("rule");
        add(&row.pattern);
        add(row.kind.as_deref().unwrap_or(""));
        row.keywords.iter().for_each(|t| add(t));
    }
    format!("{:08x}", (hash ^ (hash >> 32)) & 0xffff_ffff)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(toml: &str) -> String {
        User::parse(toml).err().unwrap().to_string()
    }

    #[test]
    fn mistakes_are_named() {
        assert!(error("[redaction]\nrules = 3").contains("redaction table"));
        assert!(error("[[redaction.rules]]\nid='a'\npattern='('").contains("`a`"));
        assert!(error("[[redaction.rules]]\nid='a'\npattern='x*'").contains("empty text"));
        assert!(error("[[redaction.rules]]\nid='a'\npattern='x'\nkind='nope'").contains("`nope`"));
        assert!(error("[redaction]\ndisable=['nope']").contains("neither"));
        assert!(error("[[redaction.rules]]\nid='a'\npattern='(x{1000}){1000}'").contains("`a`"));
    }

    #[test]
    fn other_tables_are_ignored_and_nothing_is_nothing() {
        assert!(User::parse("[other]\nx=1").unwrap().is_none());
        assert!(User::parse("").unwrap().is_none());
    }
}
