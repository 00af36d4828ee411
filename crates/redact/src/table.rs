//! The table of rules as others may read it: for documentation, reports and tests.

use crate::rules;

/// A row of the table.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct RuleInfo {
    /// Names the rule; unique.
    pub id: &'static str,
    /// What its marker says.
    pub kind: &'static str,
    /// One of these must be in the text, ASCII case ignored; empty for rules on whole runs.
    pub keywords: &'static [&'static str],
    /// The regular expression.
    pub pattern: &'static str,
    /// Templates of what it finds: `{w36}` stands for 36 letters and digits, see the head of `rules/mod.rs`.
    pub hits: &'static [&'static str],
    /// Templates of what it leaves.
    pub misses: &'static [&'static str],
}

/// Every row, in a fixed order.
///
/// ```
/// assert!(session_search_redact::rule_table().any(|rule| rule.kind == "jwt"));
/// ```
pub fn rule_table() -> impl Iterator<Item = RuleInfo> {
    rules::all().map(|r| RuleInfo {
        id: r.id,
        kind: r.kind,
        keywords: r.keywords,
        pattern: r.pattern,
        hits: r.hits,
        misses: r.misses,
    })
}
