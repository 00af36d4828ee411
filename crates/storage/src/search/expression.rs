//! From a query to an expression of FTS5.
//!
//! Nothing that was typed becomes syntax: every term stands in a quoted string. The table's tokenizer splits those
//! at spaces only, since terms hold nothing else that parts words.

use std::ops::Range;

use session_search_core::query::{Clause, Group, Query};

/// An expression, and which of its phrases belong to which clause.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Expression {
    /// In the language of FTS5.
    pub(crate) text: String,
    /// For each clause, in the order of [`Query::clauses`]: the numbers of its phrases.
    pub(crate) phrases: Vec<Range<usize>>,
    /// Whether it is one phrase and nothing else.
    pub(crate) single: bool,
    /// Whether a part of it begins words only: costly to ask again and again.
    pub(crate) prefixes: bool,
}

#[derive(Default)]
struct Writer {
    text: String,
    phrases: Vec<Range<usize>>,
    next: usize,
    prefixes: bool,
}

impl Writer {
    /// One phrase for each alternative, any of which will do.
    fn clause(&mut self, clause: &Clause) {
        let from = self.next;
        for (n, sequence) in clause.alternatives().iter().enumerate() {
            if n > 0 {
                self.text.push_str(" OR ");
            }
            self.text.push('"');
            for (n, element) in sequence.iter().enumerate() {
                if n > 0 {
                    self.text.push(' ');
                }
                self.text.push_str(&element.term.replace('"', "\"\""));
            }
            self.text.push('"');
            if sequence.last().is_some_and(|element| element.prefix) {
                self.text.push_str(" *");
                self.prefixes = true;
            }
            self.next += 1;
        }
        self.phrases.push(from..self.next);
    }

    fn group(&mut self, group: &Group) {
        for (n, clause) in group.clauses().iter().enumerate() {
            if n > 0 {
                self.text.push_str(" OR ");
            }
            self.clause(clause);
        }
    }

    fn joined<'a>(&mut self, groups: impl IntoIterator<Item = &'a Group>, word: &str) {
        for (n, group) in groups.into_iter().enumerate() {
            if n > 0 {
                self.text.push_str(word);
            }
            self.text.push('(');
            self.group(group);
            self.text.push(')');
        }
    }

    fn exclude(&mut self, exclusions: &[Clause]) {
        if exclusions.is_empty() {
            return;
        }
        self.text = format!("({}) NOT (", self.text);
        for (n, clause) in exclusions.iter().enumerate() {
            if n > 0 {
                self.text.push_str(" OR ");
            }
            self.clause(clause);
            self.phrases.pop();
        }
        self.text.push(')');
    }

    fn done(self) -> Expression {
        let single = self.next == 1;
        Expression { text: self.text, phrases: self.phrases, single, prefixes: self.prefixes }
    }
}

/// Every group, and none of the exclusions.
pub(crate) fn all(query: &Query) -> Expression {
    let mut writer = Writer::default();
    writer.joined(query.groups(), " AND ");
    writer.exclude(query.exclusions());
    writer.done()
}

/// Every binding group, any of the plain ones, and none of the exclusions.
pub(crate) fn most(query: &Query) -> Expression {
    let mut writer = Writer::default();
    let (plain, binding): (Vec<_>, Vec<_>) =
        query.groups().iter().enumerate().partition(|(_, g)| g.is_plain());
    writer.joined(binding.iter().map(|(_, group)| *group), " AND ");
    if !plain.is_empty() {
        writer.text.push_str(if binding.is_empty() { "(" } else { " AND (" });
        writer.joined(plain.iter().map(|(_, group)| *group), " OR ");
        writer.text.push(')');
    }
    // Clauses were written binding groups first; put their phrases back in the order of the query.
    let mut written = std::mem::take(&mut writer.phrases).into_iter();
    let mut by_group = vec![Vec::new(); query.groups().len()];
    for (n, group) in binding.iter().chain(&plain) {
        by_group[*n] = written.by_ref().take(group.clauses().len()).collect();
    }
    writer.phrases = by_group.into_iter().flatten().collect();
    writer.exclude(query.exclusions());
    writer.done()
}

/// One clause alone.
pub(crate) fn one(clause: &Clause) -> Expression {
    let mut writer = Writer::default();
    writer.clause(clause);
    writer.done()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn query(text: &str) -> Query {
        Query::parse(text).unwrap()
    }

    #[test]
    fn terms_stand_in_quotes() {
        let expression = all(&query("NEAR col:xy \"ab cd\" mig* -no OR"));
        assert_eq!(
            expression.text,
            r#"(("near") AND ("col xy") AND ("ab cd") AND ("mig" *) AND ("or")) NOT ("no")"#
        );
        assert_eq!(expression.phrases, [0..1, 1..2, 2..3, 3..4, 4..5]);
        assert!(expression.prefixes);
    }

    #[test]
    fn alternatives_and_groups_keep_their_numbers() {
        let expression = all(&query("getUserName OR cats dogs"));
        assert_eq!(expression.text, r#"("getusername" OR "get user name" OR "cats") AND ("dogs")"#);
        assert_eq!(expression.phrases, [0..2, 2..3, 3..4]);
    }

    #[test]
    fn most_puts_what_binds_first_but_numbers_as_typed() {
        let expression = most(&query("one \"two three\" four -five"));
        assert_eq!(expression.text, r#"(("two three") AND (("one") OR ("four"))) NOT ("five")"#);
        assert_eq!(expression.phrases, [1..2, 0..1, 2..3]);
    }
}
