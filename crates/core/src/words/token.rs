//! Terms with their places, and the two forms in which they leave: a list, and the text of the index.

use std::fmt;
use std::ops::Range;

use super::SEPARATOR;

/// What a [`Token`] is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Main half: a word of its own.
    Word,
    /// Main half: a character of a run without spaces, with the one after it.
    Pair,
    /// Main half: the last character of a run without spaces (the only one, where no [`Kind::Pair`] precedes).
    Last,
    /// Extra half: a part of an identifier.
    Part,
    /// Extra half: a word without its symbol or modifier, as `c` of `C++`.
    Bare,
    /// Nothing: phrases do not run across. The term is [`SEPARATOR`], the span empty.
    Break,
}

impl Kind {
    /// Whether it belongs to the main half and is a term of the text.
    #[must_use]
    pub fn is_main(self) -> bool {
        matches!(self, Kind::Word | Kind::Pair | Kind::Last)
    }
}

/// One term of a text. Tokens next to each other in the list stand side by side for phrases.
#[derive(Clone, PartialEq, Eq)]
pub struct Token {
    /// The term, folded: what the index holds.
    pub term: String,
    /// The bytes of the original text that it stands for, on character boundaries.
    pub span: Range<usize>,
    /// What it is.
    pub kind: Kind,
}

impl fmt::Debug for Token {
    /// Never shows the term: it is text of a message.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Token({:?}, {:?}, {} bytes)", self.kind, self.span, self.term.len())
    }
}

/// A text as the full-text table takes it.
#[derive(Clone, PartialEq, Eq)]
pub struct Prepared {
    /// Terms separated by single spaces; empty where the text holds no word.
    pub terms: String,
    /// How many terms the main half has: the length of the text for ranking.
    pub words: u32,
}

impl fmt::Debug for Prepared {
    /// Shows sizes only.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Prepared({} words, {} bytes)", self.words, self.terms.len())
    }
}

/// Takes the terms of a text as they are found. Both halves arrive interleaved; the taker keeps them apart.
pub(crate) trait Sink {
    /// A term of the main half.
    fn main(&mut self, term: &str, span: Range<usize>, kind: Kind);
    /// A term of the extra half; `first` of its group.
    fn extra(&mut self, term: &str, span: Range<usize>, kind: Kind, first: bool);
    /// A place in the main half over which no phrase runs.
    fn gap(&mut self);
}

/// Collects tokens.
#[derive(Default)]
pub(super) struct Collect {
    main: Vec<Token>,
    extra: Vec<Token>,
    gap: bool,
}

fn break_at(offset: usize) -> Token {
    Token { term: SEPARATOR.to_owned(), span: offset..offset, kind: Kind::Break }
}

impl Collect {
    pub(super) fn finish(mut self) -> Vec<Token> {
        self.main.append(&mut self.extra);
        self.main
    }
}

impl Sink for Collect {
    fn main(&mut self, term: &str, span: Range<usize>, kind: Kind) {
        if std::mem::take(&mut self.gap) && !self.main.is_empty() {
            self.main.push(break_at(span.start));
        }
        self.main.push(Token { term: term.to_owned(), span, kind });
    }

    fn extra(&mut self, term: &str, span: Range<usize>, kind: Kind, first: bool) {
        if first {
            self.extra.push(break_at(span.start));
        }
        self.extra.push(Token { term: term.to_owned(), span, kind });
    }

    fn gap(&mut self) {
        self.gap = true;
    }
}

/// Writes the text of the index.
pub(super) struct Write {
    main: String,
    extra: String,
    words: u32,
    gap: bool,
}

impl Write {
    pub(super) fn with_capacity(bytes: usize) -> Write {
        // Pairs take six bytes and a space where their text took three; grown when met.
        Write {
            main: String::with_capacity(bytes + bytes / 8 + 16),
            extra: String::new(),
            words: 0,
            gap: false,
        }
    }

    pub(super) fn finish(mut self) -> Prepared {
        // The main half ends, and the extra half begins, with what a space must part; main is never empty here
        // if extra is not, since every extra term goes with a main one.
        self.main.push_str(&self.extra);
        Prepared { terms: self.main, words: self.words }
    }
}

impl Sink for Write {
    #[inline]
    fn main(&mut self, term: &str, _: Range<usize>, _: Kind) {
        if self.words > 0 {
            if std::mem::take(&mut self.gap) {
                self.main.push(' ');
                self.main.push_str(SEPARATOR);
            }
            self.main.push(' ');
        }
        self.gap = false;
        self.main.push_str(term);
        self.words = self.words.saturating_add(1);
    }

    fn extra(&mut self, term: &str, _: Range<usize>, _: Kind, first: bool) {
        if first {
            self.extra.push(' ');
            self.extra.push_str(SEPARATOR);
        }
        self.extra.push(' ');
        self.extra.push_str(term);
    }

    fn gap(&mut self) {
        self.gap = true;
    }
}
