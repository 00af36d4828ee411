//! From pieces to groups and exclusions, within the bounds.

use std::ops::Range;

use super::clause::{Clause, ClauseKind, clause};
use super::pieces::{Piece, split};
use super::{Group, Ignored, Query, QueryError};
use crate::limits::{MAX_QUERY_CHARS, MAX_QUERY_PREFIXES, MAX_QUERY_WORDS};

/// A piece with a word in it.
struct Operand<'q> {
    piece: Piece<'q>,
    /// One; more where a skipped range parts the piece. Never empty.
    clauses: Vec<Clause>,
}

impl Operand<'_> {
    fn may_be_operator(&self) -> bool {
        let piece = self.piece;
        piece.text == "OR" && !piece.quoted && !piece.excluded && !piece.glued
    }

    /// The clause with the most words: stands for all where the piece must be one.
    fn main(self) -> Option<Clause> {
        self.clauses.into_iter().rev().max_by_key(Clause::words)
    }
}

pub(super) fn parse(input: &str, skip: &[Range<usize>]) -> Result<Query, QueryError> {
    let characters = input.chars().count();
    if characters > MAX_QUERY_CHARS {
        return Err(QueryError::TooLong { characters });
    }
    let pieces = split(input);
    if pieces.is_empty() {
        return Err(QueryError::Empty);
    }
    let mut ignored = Vec::new();
    let mut operands = Vec::new();
    for piece in pieces {
        let parts = piece.around(skip);
        let read = parts.into_iter().filter_map(|text| clause(text, piece.typed, piece.quoted));
        let (clauses, short): (Vec<_>, Vec<_>) = read.unzip();
        if short.contains(&true) {
            ignored.push(Ignored::ShortPrefix(piece.typed.to_owned()));
        }
        if !clauses.is_empty() {
            operands.push(Operand { piece, clauses });
        } else if !piece.glued {
            // The full stop behind a phrase is no piece of its own.
            ignored.push(Ignored::NoWord(piece.typed.to_owned()));
        }
    }
    let joins = operators(&operands);
    let counted = || {
        operands.iter().zip(&joins).filter(|(_, joins)| !**joins).flat_map(|(operand, _)| &operand.clauses)
    };
    let words = counted().map(Clause::words).sum();
    if words > MAX_QUERY_WORDS {
        return Err(QueryError::TooManyWords { words });
    }
    let prefixes = counted().filter(|clause| clause.kind() == ClauseKind::Prefix).count();
    if prefixes > MAX_QUERY_PREFIXES {
        return Err(QueryError::TooManyPrefixes { prefixes });
    }
    if operands.is_empty() {
        return Err(QueryError::NoWord);
    }
    let query = group(operands, &joins, ignored);
    if query.groups.is_empty() { Err(QueryError::OnlyExclusions) } else { Ok(query) }
}

/// Which operands are the operator `OR`: those between two positive operands, read from the left.
fn operators(operands: &[Operand<'_>]) -> Vec<bool> {
    let mut joins: Vec<bool> = Vec::with_capacity(operands.len());
    for (n, operand) in operands.iter().enumerate() {
        let before = n > 0 && !joins[n - 1] && !operands[n - 1].piece.excluded;
        let after = operands.get(n + 1).is_some_and(|next| !next.piece.excluded);
        joins.push(operand.may_be_operator() && before && after);
    }
    joins
}

fn group(operands: Vec<Operand<'_>>, joins: &[bool], ignored: Vec<Ignored>) -> Query {
    let mut groups: Vec<Group> = Vec::new();
    let mut exclusions = Vec::new();
    for (n, operand) in operands.into_iter().enumerate() {
        let goes_on = n > 0 && joins[n - 1];
        if joins[n] {
            continue;
        }
        if operand.piece.excluded {
            operand.main().into_iter().for_each(|clause| push_new(&mut exclusions, clause));
        } else if let Some(group) = groups.last_mut().filter(|_| goes_on) {
            operand.main().into_iter().for_each(|clause| push_new(&mut group.clauses, clause));
        } else if joins.get(n + 1) == Some(&true) {
            groups.extend(operand.main().map(|clause| Group { clauses: vec![clause] }));
        } else {
            groups.extend(operand.clauses.into_iter().map(|clause| Group { clauses: vec![clause] }));
        }
    }
    let mut distinct: Vec<Group> = Vec::new();
    for group in groups {
        if !distinct.iter().any(|known| same(known, &group)) {
            distinct.push(group);
        }
    }
    Query { groups: distinct, exclusions, ignored }
}

fn push_new(clauses: &mut Vec<Clause>, clause: Clause) {
    if !clauses.iter().any(|known| known.same_as(&clause)) {
        clauses.push(clause);
    }
}

/// Whether two groups have the same clauses, in whatever order.
fn same(one: &Group, other: &Group) -> bool {
    one.clauses.len() == other.clauses.len()
        && one.clauses.iter().all(|clause| other.clauses.iter().any(|known| known.same_as(clause)))
}
