//! Walks a text and hands its terms to a [`Sink`].

use super::class::{Case, Class, info};
use super::folding::{Clusters, Taken, fold_cluster};
use super::parts::{self, Letter};
use super::token::{Kind, Sink};
use super::{MAX_TERM_BYTES, emoji, symbols};

/// What the word under way is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Run {
    None,
    Plain,
    Dense,
}

/// Walks texts; keeps its buffers between them.
pub(super) struct Scanner<'s, S> {
    pub(super) sink: &'s mut S,
    run: Run,
    /// The folded word under way, if plain; scratch for terms else.
    word: String,
    letters: Vec<Letter>,
    starts: Vec<usize>,
    /// Bytes of the whole text that the word under way covers; of its last character, if dense.
    start: usize,
    end: usize,
    /// The last character of the dense run under way.
    last: char,
    folded: Vec<(char, Case)>,
    /// Where the last word of letters ended, in bytes of the whole text.
    touched: usize,
}

impl<'s, S: Sink> Scanner<'s, S> {
    pub(super) fn new(sink: &'s mut S) -> Self {
        Scanner {
            sink,
            run: Run::None,
            word: String::new(),
            letters: Vec::new(),
            starts: Vec::new(),
            start: 0,
            end: 0,
            last: '\0',
            folded: Vec::new(),
            touched: usize::MAX,
        }
    }

    /// Splits `text`, which begins at byte `offset` of the whole and ends every word.
    pub(super) fn segment(&mut self, text: &str, offset: usize) {
        let mut clusters = Clusters::new(text, 0);
        while let Some(&byte) = text.as_bytes().get(clusters.at()) {
            if byte.is_ascii() && self.ascii(text, offset, &mut clusters) {
                continue;
            }
            self.cluster(text, offset, &mut clusters);
        }
        self.finish();
    }

    /// Reads ASCII where that needs no look at other characters; false where it does.
    fn ascii(&mut self, text: &str, offset: usize, clusters: &mut Clusters<'_>) -> bool {
        let bytes = text.as_bytes();
        let from = clusters.at();
        if bytes[from].is_ascii_alphanumeric() {
            if self.run == Run::Plain {
                return false;
            }
            let to = bytes[from..]
                .iter()
                .position(|b| !b.is_ascii_alphanumeric())
                .map_or(bytes.len(), |n| from + n);
            if !ends_word(text, to) {
                return false;
            }
            self.finish();
            self.ascii_word(text, offset, from, to, clusters);
            return true;
        }
        if matches!(bytes[from], b'.' | b'#' | b'*' | b'+') {
            return false;
        }
        self.finish();
        let to = bytes[from..].iter().position(|b| !is_blank(*b)).map_or(bytes.len(), |n| from + n);
        // A byte of another script may go with the one before, which ends words all the same.
        clusters.go(to);
        true
    }

    /// A whole word of ASCII letters and digits, `from..to`.
    fn ascii_word(&mut self, text: &str, offset: usize, from: usize, to: usize, clusters: &mut Clusters<'_>) {
        let raw = &text[from..to];
        clusters.go(to);
        if to - from == 1
            && raw.as_bytes()[0].is_ascii_alphabetic()
            && self.symbol(raw, offset + from, &text[to..], clusters)
        {
            return;
        }
        let span = offset + from..offset + to;
        self.touched = span.end;
        let upper = raw.bytes().any(|b| b.is_ascii_uppercase());
        if !upper {
            self.sink.main(&raw[..raw.len().min(MAX_TERM_BYTES)], span, Kind::Word);
            return;
        }
        self.word.clear();
        self.word.push_str(&raw[..raw.len().min(MAX_TERM_BYTES)]);
        self.word.make_ascii_lowercase();
        self.sink.main(&self.word, span.clone(), Kind::Word);
        let inner = raw.len() <= parts::MAX_CHARS && raw.bytes().skip(1).any(|b| b.is_ascii_uppercase());
        if inner {
            self.letters.clear();
            self.letters.extend(raw.bytes().enumerate().map(|(n, b)| Letter {
                case: match b {
                    b'A'..=b'Z' => Case::Upper,
                    b'a'..=b'z' => Case::Lower,
                    _ => Case::Neither,
                },
                folded: n,
                original: span.start + n,
            }));
            self.parts(span.end);
            self.letters.clear();
        }
        self.word.clear();
    }

    /// Emits `letter` with the symbol that `rest` begins with, and without; false where there is none.
    fn symbol(&mut self, letter: &str, at: usize, rest: &str, clusters: &mut Clusters<'_>) -> bool {
        let Some((symbol, bytes)) = symbols::suffix(rest) else { return false };
        let mut term = letter.to_ascii_lowercase();
        let width = clusters.at();
        clusters.go(width + bytes);
        let end = at + letter.len();
        self.sink.extra(&term, at..end, Kind::Bare, true);
        term.push_str(symbol);
        self.sink.main(&term, at..end + bytes, Kind::Word);
        true
    }

    /// Reads one character with all that goes with it.
    fn cluster(&mut self, text: &str, offset: usize, clusters: &mut Clusters<'_>) {
        let Some((c, known)) = clusters.start() else { return };
        let from = clusters.at();
        match known.class() {
            Class::Ignored => return clusters.skip(c),
            Class::Emoji | Class::Flag => return self.emoji(offset, clusters),
            _ => {}
        }
        if c.is_ascii() && self.keycap(offset, clusters) {
            return;
        }
        if known.class() == Class::Other && self.sign(text, offset, clusters) {
            return;
        }
        match (clusters.take(c), known.simple()) {
            (Taken::One(end), Some(folded)) => {
                self.feed(folded, known.class(), known.case(), offset + from, offset + end);
            }
            (Taken::One(end), None) => self.fold_and_feed(&[c], offset + from, offset + end),
            (Taken::Many(end), Some(folded)) if clusters.is_inert() => {
                self.feed(folded, known.class(), known.case(), offset + from, offset + end);
                for &mark in &clusters.cluster()[1..] {
                    self.feed(mark, info(mark).class(), Case::Neither, offset + from, offset + end);
                }
            }
            (Taken::Many(end), _) => self.fold_and_feed(clusters.cluster(), offset + from, offset + end),
        }
    }

    fn fold_and_feed(&mut self, cluster: &[char], start: usize, end: usize) {
        let mut folded = std::mem::take(&mut self.folded);
        fold_cluster(cluster, &mut folded);
        for &(c, case) in &folded {
            self.feed(c, info(c).class(), case, start, end);
        }
        self.folded = folded;
    }

    /// A sign that may belong to a word: of `c++`, `c#` after one letter, of `.net` before.
    fn sign(&mut self, text: &str, offset: usize, clusters: &mut Clusters<'_>) -> bool {
        let rest = clusters.rest();
        if self.run == Run::Plain && self.word.len() == 1 && self.word.as_bytes()[0].is_ascii_alphabetic() {
            // Only ignored characters may lie between; with some, the letter does not touch the sign.
            if self.end == offset + clusters.at() {
                let letter = std::mem::take(&mut self.word);
                let found = symbols::suffix(rest);
                if let Some((symbol, bytes)) = found {
                    let end = self.end + bytes;
                    self.sink.main(&format!("{letter}{symbol}"), self.start..end, Kind::Word);
                    self.sink.extra(&letter, self.start..self.end, Kind::Bare, true);
                    self.run = Run::None;
                    self.letters.clear();
                    clusters.go(clusters.at() + bytes);
                    return true;
                }
                self.word = letter;
            }
        }
        if self.run == Run::Plain || self.touched == offset + clusters.at() {
            return false;
        }
        let Some((dot, bytes)) = symbols::dot_net(&text[..clusters.at()], rest) else { return false };
        self.finish();
        let start = offset + clusters.at();
        self.sink.main(".net", start..start + bytes, Kind::Word);
        self.sink.extra("net", start + dot..start + bytes, Kind::Bare, true);
        self.touched = start + bytes;
        clusters.go(clusters.at() + bytes);
        true
    }

    fn keycap(&mut self, offset: usize, clusters: &mut Clusters<'_>) -> bool {
        let rest = clusters.rest();
        let Some(bytes) = emoji::keycap(rest) else { return false };
        self.finish();
        let start = offset + clusters.at();
        let digit = &rest[..1];
        if digit.as_bytes()[0].is_ascii_digit() {
            self.sink.extra(digit, start..start + 1, Kind::Bare, true);
            self.sink.main(&format!("{digit}\u{20E3}"), start..start + bytes, Kind::Word);
        }
        clusters.go(clusters.at() + bytes);
        true
    }

    fn emoji(&mut self, offset: usize, clusters: &mut Clusters<'_>) {
        self.finish();
        let found = emoji::sequence(clusters.rest(), &mut self.word);
        let start = offset + clusters.at();
        let span = start..start + found.bytes;
        let cut = self.word.floor_char_boundary(MAX_TERM_BYTES);
        self.sink.main(&self.word[..cut], span.clone(), Kind::Word);
        if let Some(bare) = found.bare {
            self.sink.extra(&bare[..bare.floor_char_boundary(MAX_TERM_BYTES)], span, Kind::Bare, true);
        }
        self.word.clear();
        clusters.go(clusters.at() + found.bytes);
    }

    /// Adds a folded character, which stands for the bytes `start..end` of the whole text.
    fn feed(&mut self, c: char, class: Class, case: Case, start: usize, end: usize) {
        let run = match class {
            Class::Plain => Run::Plain,
            Class::Dense => Run::Dense,
            // Without a base it belongs to no word.
            Class::Mark => self.run,
            Class::Other | Class::Ignored | Class::Emoji | Class::Flag => Run::None,
        };
        if run != self.run {
            self.finish();
        }
        match run {
            Run::None => {}
            Run::Plain => {
                if self.run == Run::None {
                    self.start = start;
                }
                if self.letters.len() <= parts::MAX_CHARS {
                    self.letters.push(Letter { case, folded: self.word.len(), original: start });
                }
                if self.word.len() + c.len_utf8() <= MAX_TERM_BYTES {
                    self.word.push(c);
                }
                self.end = end;
            }
            Run::Dense => {
                if self.run == Run::Dense {
                    self.word.clear();
                    self.word.push(self.last);
                    self.word.push(c);
                    self.sink.main(&self.word, self.start..end, Kind::Pair);
                }
                (self.last, self.start, self.end) = (c, start, end);
            }
        }
        self.run = run;
    }

    /// Ends the word under way.
    fn finish(&mut self) {
        match std::mem::replace(&mut self.run, Run::None) {
            Run::None => return,
            Run::Plain => {
                self.sink.main(&self.word, self.start..self.end, Kind::Word);
                self.parts(self.end);
            }
            Run::Dense => {
                let mut buffer = [0; 4];
                self.sink.main(self.last.encode_utf8(&mut buffer), self.start..self.end, Kind::Last);
            }
        }
        self.word.clear();
        self.letters.clear();
    }

    /// Emits the parts of the identifier in `word` and `letters`, which ends at byte `end` of the text.
    fn parts(&mut self, end: usize) {
        parts::starts(&self.word, &self.letters, &mut self.starts);
        for (n, &first) in self.starts.iter().enumerate() {
            let next = self.starts.get(n + 1).and_then(|&next| self.letters.get(next));
            let (folded_end, original_end) = next.map_or((self.word.len(), end), |l| (l.folded, l.original));
            let Letter { folded, original, .. } = self.letters[first];
            self.sink.extra(&self.word[folded..folded_end], original..original_end, Kind::Part, n == 0);
        }
    }
}

/// Whether the ASCII word that ends at `to` cannot go on there.
fn ends_word(text: &str, to: usize) -> bool {
    match text.as_bytes().get(to) {
        None => true,
        Some(byte) if byte.is_ascii() => true,
        Some(_) => text[to..].chars().next().is_none_or(|c| {
            let known = info(c);
            known.class() != Class::Ignored
                && !known.extends()
                && known.simple().is_some()
                && matches!(known.class(), Class::Other | Class::Dense)
        }),
    }
}

/// ASCII that is no part of a word and begins none.
fn is_blank(byte: u8) -> bool {
    byte.is_ascii() && !byte.is_ascii_alphanumeric() && !matches!(byte, b'.' | b'#' | b'*' | b'+')
}
