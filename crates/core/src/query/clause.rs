//! One thing to look for, and the sequences of terms that are it.

use std::fmt;

use crate::words::{self, Kind, Token};

/// A term of a [`Sequence`].
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Element {
    /// The term, folded, as [`words::prepare`] writes it.
    pub term: String,
    /// Whether every term that begins so will do. Only ever on the last element of a sequence.
    pub prefix: bool,
}

impl fmt::Debug for Element {
    /// Shows sizes only: a query may hold a secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Element({} bytes{})", self.term.len(), if self.prefix { ", prefix" } else { "" })
    }
}

/// Terms that must stand side by side, in this order. Never empty.
pub type Sequence = Vec<Element>;

/// How a clause was typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ClauseKind {
    /// A piece of plain text: one word, or several that its punctuation joins.
    Word,
    /// In quotes: binding, never relaxed.
    Phrase,
    /// With a `*` behind its last word.
    Prefix,
}

/// A clause has at most so many alternatives.
pub const MAX_ALTERNATIVES: usize = 28;

/// One thing to look for: it occurs where any of its alternatives does.
#[derive(Clone)]
pub struct Clause {
    pub(super) typed: String,
    pub(super) kind: ClauseKind,
    pub(super) words: usize,
    pub(super) alternatives: Vec<Sequence>,
}

impl Clause {
    /// As typed, with its quotes or `*`, without the `-` of an exclusion.
    #[must_use]
    pub fn typed(&self) -> &str {
        &self.typed
    }

    /// How it was typed.
    #[must_use]
    pub fn kind(&self) -> ClauseKind {
        self.kind
    }

    /// How many words it has; a run without spaces counts as one. At least 1.
    #[must_use]
    pub fn words(&self) -> usize {
        self.words
    }

    /// The sequences of terms, any of which is an occurrence. One; more where an identifier in camel case may stand
    /// whole or in parts (`getusername`, `get user name`), or where several words hold a bare letter or `net`, which
    /// also find `C++`, `C#` and `.NET` (`like c`, `like c++`, `like c#`). At most [`MAX_ALTERNATIVES`].
    #[must_use]
    pub fn alternatives(&self) -> &[Sequence] {
        &self.alternatives
    }

    /// Whether another means the same, however typed.
    #[must_use]
    pub fn same_as(&self, other: &Clause) -> bool {
        self.kind == other.kind && self.alternatives == other.alternatives
    }
}

impl fmt::Debug for Clause {
    /// Shows sizes only: a query may hold a secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Clause({:?}, {} words)", self.kind, self.words)
    }
}

/// The clause of a piece's text, and whether a `*` was left out because its word is too short. Nothing where
/// the text holds no word.
pub(super) fn clause(text: &str, typed: &str, quoted: bool) -> Option<(Clause, bool)> {
    let all = words::tokens(text, &[]);
    let main = all.iter().take_while(|token| token.kind.is_main()).count();
    let (main, extra) = all.split_at(main);
    let last = main.last()?;
    let starred = !quoted && last.kind == Kind::Word && text.get(last.span.end..) == Some("*");
    let short = starred && !may_begin(&last.term);
    let prefix = starred && !short;
    let kind = match (quoted, prefix) {
        (true, _) => ClauseKind::Phrase,
        (false, true) => ClauseKind::Prefix,
        (false, false) => ClauseKind::Word,
    };
    let mut alternatives = with_signs(sequence(main, prefix), main, text);
    alternatives.extend(in_parts(main, extra, prefix));
    let words = main.iter().filter(|token| token.kind != Kind::Pair).count();
    Some((Clause { typed: typed.to_owned(), kind, words, alternatives }, short))
}

/// Whether a word is long enough, and a word of letters, to stand before a `*`.
fn may_begin(term: &str) -> bool {
    let mut chars = term.chars();
    chars.next().is_some_and(|c| !words::is_emoji(c) && !words::is_flag_half(c)) && chars.next().is_some()
}

/// The terms of the main half as they must stand side by side.
///
/// The index holds a run of *n* characters as *n* terms, of which the last is the last character alone. A run
/// that ends the sequence may go on in the text, so the lone last character is left out; of a run of one
/// character any term that begins with it will do. A run with something behind it must end there, and does if
/// its lone last character is there. A run that begins the sequence may begin anywhere.
fn sequence(main: &[Token], prefix: bool) -> Sequence {
    let mut elements: Sequence =
        main.iter().map(|token| Element { term: token.term.clone(), prefix: false }).collect();
    let run_goes_on = main.len() > 1 && main[main.len() - 2].kind == Kind::Pair;
    match main.last().map(|token| token.kind) {
        Some(Kind::Last) if run_goes_on => {
            elements.pop();
        }
        Some(Kind::Last) => mark_prefix(&mut elements),
        _ if prefix => mark_prefix(&mut elements),
        _ => {}
    }
    elements
}

/// The sequence, and what else it stands for: alone, a bare letter is found by the extra half of what has a sign;
/// among others it must be looked for with each sign in its place. From the left, as far as the bound allows.
fn with_signs(sequence: Sequence, main: &[Token], text: &str) -> Vec<Sequence> {
    let mut alternatives = vec![sequence];
    if main.len() < 2 {
        return alternatives;
    }
    for (place, token) in main.iter().enumerate() {
        // The letter of `don't` is the end of a word.
        let bare = !text[..token.span.start].ends_with(['\'', '’']);
        let element = alternatives[0].get(place).filter(|element| bare && !element.prefix);
        let signed = element.map(|element| words::signed_forms(&element.term)).unwrap_or_default();
        // One is kept for the parts of identifiers.
        if alternatives.len() * (signed.len() + 1) >= MAX_ALTERNATIVES {
            break;
        }
        for n in 0..alternatives.len() {
            for term in &signed {
                let mut other = alternatives[n].clone();
                other[place].term.clone_from(term);
                alternatives.push(other);
            }
        }
    }
    alternatives
}

fn mark_prefix(elements: &mut Sequence) {
    if let Some(last) = elements.last_mut() {
        last.prefix = true;
    }
}

/// The same with every identifier taken apart, if there is one. A last part of one letter is no prefix: it would
/// stand for a large part of all words.
fn in_parts(main: &[Token], extra: &[Token], prefix: bool) -> Option<Sequence> {
    let parts: Vec<&Token> = extra.iter().filter(|token| token.kind == Kind::Part).collect();
    if parts.is_empty() {
        return None;
    }
    let mut apart = Vec::new();
    for word in main {
        let inside = |part: &&&Token| word.span.start <= part.span.start && part.span.end <= word.span.end;
        let before = apart.len();
        if word.kind == Kind::Word {
            apart.extend(parts.iter().filter(inside).map(|&part| part.clone()));
        }
        if apart.len() == before {
            apart.push(word.clone());
        }
    }
    if prefix && !apart.last().is_some_and(|part| may_begin(&part.term)) {
        return None;
    }
    Some(sequence(&apart, prefix))
}
