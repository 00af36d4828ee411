//! The parts of identifiers: `getUserName` is `get`, `user`, `name`; `getHTTPServer` is `get`, `http`, `server`.

use super::class::Case;

/// An identifier with more characters, or more parts, is data rather than a name and has no parts.
pub(super) const MAX_CHARS: usize = 64;
const MAX_PARTS: usize = 12;

/// A character of a word: its case, where it begins in the folded word and in the text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Letter {
    pub(super) case: Case,
    pub(super) folded: usize,
    pub(super) original: usize,
}

/// Where the parts of a word begin, as indexes into `letters`; none where it is a single part.
///
/// A part begins at an upper-case letter after anything else, and at the last upper-case letter before a
/// lower-case one, except before the `s` of a plural (`userIDs`: `user`, `ids`).
pub(super) fn starts(word: &str, letters: &[Letter], out: &mut Vec<usize>) {
    out.clear();
    if letters.len() > MAX_CHARS {
        return;
    }
    let case = |n: usize| letters.get(n).map_or(Case::Neither, |letter| letter.case);
    let begins = |n: usize| {
        case(n) == Case::Upper
            && (case(n - 1) != Case::Upper
                || (case(n + 1) == Case::Lower && !is_plural(word, letters, n + 1)))
    };
    out.push(0);
    out.extend((1..letters.len()).filter(|&n| begins(n)));
    if out.len() < 2 || out.len() > MAX_PARTS {
        out.clear();
    }
}

/// Whether the letter at `n` is a single `s`, as in the plural of an abbreviation.
fn is_plural(word: &str, letters: &[Letter], n: usize) -> bool {
    letters.get(n).and_then(|letter| word.get(letter.folded..)).is_some_and(|rest| rest.starts_with('s'))
        && letters.get(n + 1).is_none_or(|next| next.case != Case::Lower)
}
