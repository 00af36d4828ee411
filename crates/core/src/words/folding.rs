//! Folding: NFKC, case, digits, and the marks that do not count.

use unicode_normalization::UnicodeNormalization;

use super::class::{Case, Class, case_of, info};
use super::scripts;

/// Folds a character with all that composes with it, none of them an ignored one, into `out`: what it folds
/// to, and the case that had.
pub(super) fn fold_cluster(cluster: &[char], out: &mut Vec<(char, Case)>) {
    out.clear();
    let mut base = None;
    let kept = cluster.iter().copied().nfkd().filter(|&c| {
        if scripts::is_ignored(c) {
            return false;
        }
        if !scripts::is_mark(c) {
            base = Some(c);
            return true;
        }
        !scripts::drops_mark(base, c)
    });
    for c in kept.nfc() {
        let case = case_of(c);
        fold_char(c, &mut |folded| out.push((folded, case)));
    }
}

/// Full case folding by way of upper case, which also joins dotless and dotted i; digits as ASCII.
fn fold_char(c: char, push: &mut impl FnMut(char)) {
    if scripts::is_mark(c) {
        return push(c);
    }
    if let Some(digit) = scripts::digit_value(c).and_then(|value| char::from_digit(value, 10)) {
        return push(digit);
    }
    let lowered = c.to_uppercase().flat_map(char::to_lowercase);
    if lowered.clone().eq(std::iter::once(c)) {
        return push(c);
    }
    // `ẞ` has no upper case but itself, and takes two rounds.
    for next in lowered {
        if next == c { push(next) } else { fold_char(next, push) }
    }
}

/// Folds a text as [`super::tokens`] folds its words: equal words have equal folded forms. Punctuation stays,
/// ignored characters go. Folding what is folded changes nothing.
///
/// ```
/// use session_search_core::words::fold;
/// assert_eq!(fold("ＣＡＦÉ Straße İstanbul ﬁle"), "cafe strasse istanbul file");
/// ```
#[must_use]
pub fn fold(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = Clusters::new(text, 0);
    let mut folded = Vec::new();
    while let Some(start) = rest.start() {
        let (c, known) = start;
        if known.class() == Class::Ignored {
            rest.skip(c);
            continue;
        }
        match rest.take(c) {
            Taken::One(_) if known.simple().is_some() => out.extend(known.simple()),
            Taken::One(_) => {
                fold_cluster(&[c], &mut folded);
                out.extend(folded.iter().map(|(c, _)| *c));
            }
            Taken::Many(_) => {
                fold_cluster(rest.cluster(), &mut folded);
                out.extend(folded.iter().map(|(c, _)| *c));
            }
        }
    }
    out
}

/// Reads a text cluster by cluster: a character with the ones that compose with it.
pub(super) struct Clusters<'t> {
    text: &'t str,
    at: usize,
    cluster: Vec<char>,
    inert: bool,
}

/// A cluster that was read, by its last byte's successor.
pub(super) enum Taken {
    /// One character.
    One(usize),
    /// Several: see [`Clusters::cluster`].
    Many(usize),
}

impl<'t> Clusters<'t> {
    pub(super) fn new(text: &'t str, at: usize) -> Clusters<'t> {
        Clusters { text, at, cluster: Vec::new(), inert: false }
    }

    /// Where reading stands, in bytes.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// Goes on at another place, which is a character boundary.
    pub(super) fn go(&mut self, at: usize) {
        self.at = at;
    }

    /// The text from where reading stands.
    pub(super) fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    /// The next character, not read.
    pub(super) fn start(&self) -> Option<(char, super::class::Info)> {
        self.rest().chars().next().map(|c| (c, info(c)))
    }

    /// Reads the next character `c` and drops it.
    pub(super) fn skip(&mut self, c: char) {
        self.at += c.len_utf8();
    }

    /// Reads the cluster that begins with the next character `first`, which is not an ignored one. Ignored
    /// characters within are left out; those behind are not read.
    pub(super) fn take(&mut self, first: char) -> Taken {
        self.at += first.len_utf8();
        let mut end = self.at;
        let mut place = self.at;
        let mut many = false;
        let mut ordered = false;
        for c in self.text[self.at..].chars() {
            place += c.len_utf8();
            let known = info(c);
            if known.class() == Class::Ignored {
                continue;
            }
            if !known.extends() {
                break;
            }
            if !many {
                many = true;
                self.cluster.clear();
                self.cluster.push(first);
                self.inert = info(first).simple().is_some();
            }
            self.inert &= known.is_inert() && !(ordered && known.is_ordered());
            ordered |= known.is_ordered();
            self.cluster.push(c);
            end = place;
        }
        self.at = end;
        if many { Taken::Many(end) } else { Taken::One(end) }
    }

    /// Whether the last cluster of several is a character that folds to one, with marks that stay as they are:
    /// it folds to that and those. True of most syllables of India and South-East Asia, and cheap.
    pub(super) fn is_inert(&self) -> bool {
        self.inert
    }

    /// The characters of the last cluster of several.
    pub(super) fn cluster(&self) -> &[char] {
        &self.cluster
    }
}
