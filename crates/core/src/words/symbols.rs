//! The few words that end or begin with a symbol: `C++`, `C#`, `.NET`.
//!
//! The rule is narrow so that prose and code keep their words: one ASCII letter before `++` (no third plus) or
//! before `#` (nothing that could be a number or name behind), and `.net`, a word of its own, not glued to a
//! word or a dot before it.

use super::class::{Class, info};
use super::folding::fold;

/// A sign in any of the forms that NFKC makes one.
fn sign(c: char) -> char {
    match c {
        '＋' | '﹢' | '⁺' | '₊' | '﬩' => '+',
        '＃' | '﹟' => '#',
        '．' | '․' | '﹒' | '…' | '‥' => '.',
        _ => c,
    }
}

/// The symbol that belongs to a word of one letter, at the start of what follows it, and its bytes.
pub(super) fn suffix(rest: &str) -> Option<(&'static str, usize)> {
    let mut chars = rest.char_indices();
    let (_, first) = chars.next()?;
    match sign(first) {
        '+' => {
            let (at, second) = chars.next()?;
            let third = chars.next().map(|(_, c)| sign(c));
            (sign(second) == '+' && third != Some('+')).then_some(("++", at + second.len_utf8()))
        }
        '#' => {
            let end = first.len_utf8();
            let taken = rest[end..].starts_with(['_', '#', '＃']) || begins_with_word(&rest[end..]);
            (!taken).then_some(("#", end))
        }
        _ => None,
    }
}

/// Whether `rest`, which begins with a dot, is `.net` as a word of its own: the bytes of the dot and of the
/// whole.
pub(super) fn dot_net(before: &str, rest: &str) -> Option<(usize, usize)> {
    let dot = rest.chars().next().filter(|&c| sign(c) == '.' && c != '…' && c != '‥')?.len_utf8();
    if before.chars().next_back().is_some_and(|c| sign(c) == '.') {
        return None;
    }
    let mut end = dot;
    let mut chars = rest[dot..].chars();
    for letter in ['n', 'e', 't'] {
        let c = chars.next()?;
        if info(c).simple() != Some(letter) {
            return None;
        }
        end += c.len_utf8();
    }
    (!begins_with_word(&rest[end..])).then_some((dot, end))
}

/// The words with a sign that a bare one, folded, also finds.
pub(crate) fn signed_forms(bare: &str) -> Vec<String> {
    match bare.as_bytes() {
        [b'a'..=b'z'] => vec![format!("{bare}++"), format!("{bare}#")],
        b"net" => vec![".net".to_owned()],
        _ => Vec::new(),
    }
}

/// Whether a word before would go on into `rest`.
fn begins_with_word(rest: &str) -> bool {
    for c in rest.chars() {
        let known = info(c);
        if known.class() == Class::Ignored {
            continue;
        }
        if known.extends() {
            return true;
        }
        if known.simple().is_some() {
            return known.class() == Class::Plain;
        }
        let folded = fold(c.encode_utf8(&mut [0; 4]));
        return folded.chars().next().is_some_and(|c| info(c).class() == Class::Plain);
    }
    false
}
