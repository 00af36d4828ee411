//! What each character is to the words, looked up in pages that are worked out when first met.

use std::sync::OnceLock;

use unicode_normalization::char::{canonical_combining_class, decompose_compatible, is_public_assigned};
use unicode_normalization::{IsNormalized, is_nfc_quick, is_nfkc_quick, is_nfkd_quick};
use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};

use super::folding::fold_cluster;
use super::scripts;

/// What a character is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    /// No part of a word: ends one.
    Other,
    /// Skipped: ends none.
    Ignored,
    /// Of a word of a script with spaces.
    Plain,
    /// Of a run without spaces.
    Dense,
    /// A mark that goes with whatever stands before it.
    Mark,
    /// Begins an emoji.
    Emoji,
    /// Half a flag.
    Flag,
}

/// Upper or lower case, for the parts of identifiers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Case {
    Neither,
    Lower,
    Upper,
}

/// Case of a character, title case counting as upper.
pub(super) fn case_of(c: char) -> Case {
    if c.is_uppercase() || c.general_category() == GeneralCategory::TitlecaseLetter {
        Case::Upper
    } else if c.is_lowercase() {
        Case::Lower
    } else {
        Case::Neither
    }
}

/// All that is known of one character, packed: bits 0 to 20 what it folds to, 21 to 23 its class, 24 whether it
/// goes with the character before it, 25 whether it folds to one character, 26 and 27 its case, 28 whether it is
/// a mark that always stays as it is, 29 whether marks around it may have to change places.
#[derive(Clone, Copy)]
pub(super) struct Info(u32);

const EXTENDS: u32 = 1 << 24;
const SIMPLE: u32 = 1 << 25;
const INERT: u32 = 1 << 28;
const ORDERED: u32 = 1 << 29;

impl Info {
    fn new(class: Class, target: char, case: Case, flags: u32) -> Info {
        Info(u32::from(target) | (class as u32) << 21 | (case as u32) << 26 | flags)
    }

    pub(super) fn class(self) -> Class {
        match self.0 >> 21 & 7 {
            1 => Class::Ignored,
            2 => Class::Plain,
            3 => Class::Dense,
            4 => Class::Mark,
            5 => Class::Emoji,
            6 => Class::Flag,
            _ => Class::Other,
        }
    }

    pub(super) fn case(self) -> Case {
        match self.0 >> 26 & 3 {
            1 => Case::Lower,
            2 => Case::Upper,
            _ => Case::Neither,
        }
    }

    /// Whether it is normalized together with the character before it.
    pub(super) fn extends(self) -> bool {
        self.0 & EXTENDS != 0
    }

    /// Whether it is a mark that no normalization or folding changes, joins or drops.
    pub(super) fn is_inert(self) -> bool {
        self.0 & INERT != 0
    }

    /// Whether normalization may move it behind another such mark.
    pub(super) fn is_ordered(self) -> bool {
        self.0 & ORDERED != 0
    }

    /// What it folds to, where it stands alone and that is one character.
    pub(super) fn simple(self) -> Option<char> {
        if self.0 & SIMPLE == 0 {
            return None;
        }
        char::from_u32(self.0 & 0x1F_FFFF)
    }
}

static PAGES: [OnceLock<Box<[Info; 256]>>; 0x1100] = [const { OnceLock::new() }; 0x1100];

/// What is known of `c`.
#[inline]
pub(super) fn info(c: char) -> Info {
    let place = u32::from(c);
    let page = PAGES[(place >> 8) as usize].get_or_init(|| page(place & !0xFF));
    page[(place & 0xFF) as usize]
}

fn page(first: u32) -> Box<[Info; 256]> {
    let of =
        |place: u32| char::from_u32(place).map_or(Info::new(Class::Other, '\0', Case::Neither, 0), work_out);
    Box::new(std::array::from_fn(|n| of(first + n as u32)))
}

fn work_out(c: char) -> Info {
    // The bulk of Han and Hangul stand for themselves; the shortcut saves a millisecond on the first Chinese text.
    if matches!(u32::from(c), 0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xAC00..=0xD7A3) {
        return Info::new(Class::Dense, c, Case::Neither, SIMPLE);
    }
    let alone = |class| Info::new(class, c, Case::Neither, SIMPLE);
    if scripts::is_ignored(c) {
        return alone(Class::Ignored);
    }
    if scripts::is_flag_half(c) {
        return alone(Class::Flag);
    }
    if scripts::is_trade_sign(c) || !is_public_assigned(c) {
        return alone(Class::Other);
    }
    if scripts::is_emoji(c) {
        return alone(Class::Emoji);
    }
    if extends(c) {
        let inert = if is_inert(c) { INERT } else { 0 };
        let ordered = if canonical_combining_class(c) == 0 { 0 } else { ORDERED };
        return Info::new(class_of(c), c, Case::Neither, EXTENDS | inert | ordered);
    }
    let mut folded = Vec::new();
    fold_cluster(&[c], &mut folded);
    match folded.as_slice() {
        [(one, case)] => Info::new(class_of(*one), *one, *case, SIMPLE),
        _ => Info::new(class_of(c), c, Case::Neither, 0),
    }
}

/// A character goes with the one before it if it is a mark or may compose with it.
fn extends(c: char) -> bool {
    let mut first = None;
    decompose_compatible(c, |d| {
        if first.is_none() && !scripts::is_ignored(d) {
            first = Some(d);
        }
    });
    first.is_some_and(|d| {
        scripts::is_mark(d)
            || canonical_combining_class(d) != 0
            || is_nfc_quick(std::iter::once(d)) == IsNormalized::Maybe
    })
}

fn is_inert(c: char) -> bool {
    scripts::is_mark(c)
        && is_nfkc_quick(std::iter::once(c)) == IsNormalized::Yes
        && is_nfkd_quick(std::iter::once(c)) == IsNormalized::Yes
        && !scripts::may_drop(c)
}

/// The class of a folded character.
fn class_of(c: char) -> Class {
    if scripts::is_common_mark(c) {
        Class::Mark
    } else if !scripts::is_mark(c) && !scripts::is_letter_or_number(c) {
        Class::Other
    } else if scripts::is_dense(c) {
        Class::Dense
    } else {
        Class::Plain
    }
}
