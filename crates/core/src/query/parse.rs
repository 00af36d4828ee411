//! From pieces to groups and exclusions, within the bounds.

use super::clause::{Clause, ClauseKind, clause};
use super::pieces::{Piece, split};
use super::{Group, Ignored, Query, QueryError};
use crate::limits::{MAX_QUERY_CHARS, MAX_QUERY_PREFIXES, MAX_QUERY_WORDS};

/// A piece with a word in it.
struct Operand<'q> {
    piece: Piece<'q>,
    clause: Clause,
}

impl Operand<'_> {
    fn may_be_operator(&self) -> bool {
        let piece = self.piece;
        piece.text == "OR" && !piece.quoted && !piece.excluded && !piece.glued
    }
}

pub(super) fn parse(input: &str) -> Result<Query, QueryError> {
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
        match clause(piece.text, piece.typed, piece.quoted) {
            Some((clause, short)) => {
                if short {
                    ignored.push(Ignored::ShortPrefix(piece.typed.to_owned()));
                }
                operands.push(Operand { piece, clause });
            }
            // The full stop behind a phrase is no piece of its own.
            None if piece.glued => {}
            None => ignored.push(Ignored::NoWord(piece.typed.to_owned())),
        }
    }
    let joins = operators(&operands);
    let counted =
        || operands.iter().zip(&joins).filter(|(_, joins)| !**joins).map(|(operand, _)| &operand.clause);
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
    for (n, Operand { piece, clause }) in operands.into_iter().enumerate() {
        if joins[n] {
            continue;
        }
        if piece.excluded {
            push_new(&mut exclusions, clause);
        } else if n > 0 && joins[n - 1] {
            if let Some(group) = groups.last_mut() {
                push_new(&mut group.clauses, clause);
            }
        } else {
            groups.push(Group { clauses: vec![clause] });
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
