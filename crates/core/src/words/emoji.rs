//! Emoji: how far a sequence goes, and the term it is.

use super::scripts::{is_emoji, is_flag_half, is_skin_tone};

const JOINER: char = '\u{200D}';
const KEYCAP: char = '\u{20E3}';

fn is_presentation(c: char) -> bool {
    matches!(c, '\u{FE0E}' | '\u{FE0F}')
}

/// An emoji sequence at the start of a text.
pub(super) struct Sequence {
    /// How many bytes it takes.
    pub(super) bytes: usize,
    /// The term without its skin tones, where it has some and something is left.
    pub(super) bare: Option<String>,
}

/// Reads the sequence that begins with an emoji or half a flag, writing its term: presentation selectors are
/// left out, joined emoji, skin tones and the tags of a black flag belong to it.
pub(super) fn sequence(text: &str, term: &mut String) -> Sequence {
    term.clear();
    let mut bare = String::new();
    let mut chars = text.char_indices().peekable();
    let mut bytes = 0;
    let mut previous = None;
    while let Some(&(at, c)) = chars.peek() {
        let belongs = match previous {
            None => true,
            Some(JOINER) => is_emoji(c),
            Some(p) if is_flag_half(p) => is_flag_half(c) && term.chars().count() == 1,
            Some(_) => {
                is_presentation(c)
                    || is_skin_tone(c)
                    || c == KEYCAP
                    || c == JOINER
                    || (text.starts_with('\u{1F3F4}') && matches!(c, '\u{E0020}'..='\u{E007F}'))
            }
        };
        if !belongs {
            break;
        }
        chars.next();
        // A joiner counts only with what it joins.
        if c == JOINER && !chars.peek().is_some_and(|&(_, next)| is_emoji(next)) {
            break;
        }
        bytes = at + c.len_utf8();
        if !is_presentation(c) && c != KEYCAP {
            term.push(c);
            if !is_skin_tone(c) {
                bare.push(c);
            }
        }
        previous = if is_presentation(c) { previous } else { Some(c) };
    }
    let toned = bare.len() < term.len() && !bare.is_empty();
    Sequence { bytes, bare: toned.then_some(bare) }
}

/// The bytes of a keycap (`1️⃣`) at the start of a text.
pub(super) fn keycap(text: &str) -> Option<usize> {
    let mut chars = text.char_indices();
    chars.next().filter(|(_, c)| matches!(c, '0'..='9' | '#' | '*'))?;
    let (mut at, mut c) = chars.next()?;
    if is_presentation(c) {
        (at, c) = chars.next()?;
    }
    (c == KEYCAP).then(|| at + c.len_utf8())
}
