//! Other readings of a text, with a map back: what a reader or a program would make of it.
//!
//! A reading is made only where the text has what it undoes, matched like the text itself, and its finds are mapped
//! back, so that they cover what was undone too.

use std::ops::Range;

use memchr::{memchr, memchr2, memmem};

use crate::chars::{at, backward, forward, is_alnum, is_blank, is_token, is_word};

/// A text made from another, with the range of the original for each byte.
pub(crate) struct View {
    pub(crate) text: String,
    starts: Vec<usize>,
    ends: Vec<usize>,
}

impl View {
    fn with_capacity(bytes: usize) -> View {
        View {
            text: String::with_capacity(bytes),
            starts: Vec::with_capacity(bytes),
            ends: Vec::with_capacity(bytes),
        }
    }

    fn push(&mut self, c: char, from: Range<usize>) {
        self.text.push(c);
        for _ in 0..c.len_utf8() {
            self.starts.push(from.start);
            self.ends.push(from.end);
        }
    }

    fn push_str(&mut self, text: &str, from: usize) {
        for (i, c) in text.char_indices() {
            self.push(c, from + i..from + i + c.len_utf8());
        }
    }

    /// The range of the original that a range of the view was made from.
    pub(crate) fn original(&self, range: Range<usize>) -> Range<usize> {
        let start = self.starts.get(range.start).copied().unwrap_or(0);
        let end = range.end.checked_sub(1).and_then(|i| self.ends.get(i)).copied().unwrap_or(start);
        start..end.max(start)
    }
}

/// Characters that no one sees, or that highlight; and letters that look like ASCII inside tokens.
enum Unseen {
    Drop(usize),
    Become(char, usize),
}

/// Whether any look at [`unseen`] can find something. Cheap: one pass for the first byte.
pub(crate) fn has_unseen(text: &[u8]) -> bool {
    let mut i = 0;
    while i < text.len() {
        let b = text[i];
        if (b < 0x20 && !matches!(b, b'\n' | b'\t' | b'\r')) || b == 0x7f {
            return true;
        }
        let worth =
            if b >= 0x80 { may_be_unseen(text, i) } else { matches!(b, b'<' | b'*' | b'[' | b']' | b'>') };
        if worth && unseen(text, i).is_some() {
            return true;
        }
        i += if b >= 0xe0 { char_len(b) } else { 1 };
    }
    false
}

/// Whether the character at `i` can be one that [`unseen`] knows: by its first byte, and for full-width signs by what
/// stands beside them, since Chinese prose is full of those.
fn may_be_unseen(text: &[u8], i: usize) -> bool {
    match text[i] {
        0xc2 | 0xcd..=0xd3 | 0xd8 | 0xe1 | 0xe2 | 0xf3 => true,
        0xef => {
            let letter = match (at(text, i + 1), at(text, i + 2)) {
                (0xbc, third) => matches!(third, 0x90..=0x99 | 0xa1..=0xba | 0xbf),
                (0xbd, third) => (0x81..=0x9a).contains(&third),
                _ => true,
            };
            letter || (is_word(before(text, i)) && is_word(at(text, i + 3)))
        }
        _ => false,
    }
}

fn unseen(text: &[u8], i: usize) -> Option<Unseen> {
    let b = text[i];
    match b {
        0x1b => return Some(Unseen::Drop(ansi(text, i))),
        b'\n' | b'\t' | b'\r' => return None,
        0..=0x1f | 0x7f => return Some(Unseen::Drop(1)),
        b'<' | b'*' | b'[' | b']' | b'>' => return highlight(text, i).map(Unseen::Drop),
        0..=0x7e => return None,
        _ => {}
    }
    let rest = text.get(i..(i + 4).min(text.len()))?;
    let c = match std::str::from_utf8(rest) {
        Ok(s) => s.chars().next()?,
        Err(e) => std::str::from_utf8(&rest[..e.valid_up_to()]).ok()?.chars().next()?,
    };
    let len = c.len_utf8();
    match c {
        '\u{ad}'
        | '\u{34f}'
        | '\u{61c}'
        | '\u{115f}'
        | '\u{180b}'..='\u{180e}'
        | '\u{200b}'..='\u{200f}'
        | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{fe00}'..='\u{fe0f}'
        | '\u{feff}'
        | '\u{e0000}'..='\u{e01ef}'
        | '\u{80}'..='\u{9f}' => {
            let glued = in_token(before(text, i)) || before(text, i) >= 0x80 || in_token(at(text, i + len));
            glued.then_some(Unseen::Drop(len))
        }
        '\u{ff01}'..='\u{ff5e}' => {
            char::from_u32(u32::from(c) - 0xfee0).map(|ascii| Unseen::Become(ascii, len))
        }
        '\u{2010}'..='\u{2015}' | '\u{2212}' if is_alnum(before(text, i)) && is_alnum(at(text, i + len)) => {
            Some(Unseen::Become('-', len))
        }
        _ => lookalike(c).filter(|_| among_ascii(text, i, len)).map(|ascii| Unseen::Become(ascii, len)),
    }
}

/// Whether the letter at `i` stands in a word that is ASCII in part, at most eight such letters away from it.
fn among_ascii(text: &[u8], i: usize, len: usize) -> bool {
    let other = |b: u8| b >= 0x80;
    let left = backward(text, i, 16, other);
    let right = forward(text, i + len, 16, other);
    let part = |b: u8| is_alnum(b) || other(b);
    let sign = |sign: u8, beyond: u8| is_word(sign) || (in_token(sign) && part(beyond));
    sign(before(text, left), before(text, left.saturating_sub(1)))
        || sign(at(text, right), at(text, right + 1))
}

fn before(text: &[u8], i: usize) -> u8 {
    crate::chars::before(text, i)
}

/// Cyrillic and Greek letters that look like ASCII ones.
fn lookalike(c: char) -> Option<char> {
    Some(match c {
        'а' | 'α' => 'a',
        'А' | 'Α' => 'A',
        'В' | 'Β' => 'B',
        'с' => 'c',
        'С' => 'C',
        'е' => 'e',
        'Е' | 'Ε' => 'E',
        'һ' => 'h',
        'Н' | 'Η' => 'H',
        'і' | 'ι' => 'i',
        'І' | 'Ι' => 'I',
        'ј' => 'j',
        'к' | 'κ' => 'k',
        'К' | 'Κ' => 'K',
        'М' | 'Μ' => 'M',
        'Ν' => 'N',
        'о' | 'ο' => 'o',
        'О' | 'Ο' => 'O',
        'р' | 'ρ' => 'p',
        'Р' | 'Ρ' => 'P',
        'ѕ' => 's',
        'Ѕ' => 'S',
        'Т' | 'Τ' => 'T',
        'у' | 'υ' => 'y',
        'У' | 'Υ' => 'Y',
        'х' | 'χ' => 'x',
        'Х' | 'Χ' => 'X',
        'Ζ' => 'Z',
        _ => return None,
    })
}

/// The length of an escape sequence of a terminal.
fn ansi(text: &[u8], i: usize) -> usize {
    match at(text, i + 1) {
        b'[' => {
            let end = forward(text, i + 2, 32, |b| (0x20..0x40).contains(&b));
            if (0x40..0x7f).contains(&at(text, end)) { end + 1 - i } else { 1 }
        }
        _ => 1,
    }
}

/// The length of a highlighting mark at `i` that is glued to a token: `<mark>`, `**`, `[[`, `>>>`.
fn highlight(text: &[u8], i: usize) -> Option<usize> {
    const MARKS: &[&[u8]] = &[
        b"<mark>",
        b"</mark>",
        b"<em>",
        b"</em>",
        b"<b>",
        b"</b>",
        b"<strong>",
        b"</strong>",
        b"**",
        b"[[",
        b"]]",
        b">>>",
        b"<<<",
    ];
    let mark = MARKS.iter().find(|m| text[i..].starts_with(m))?;
    let (left, right) = (before(text, i), at(text, i + mark.len()));
    let glued = in_token(left) && in_token(right);
    glued.then_some(mark.len())
}

/// The text without what is not seen.
pub(crate) fn seen(text: &str) -> View {
    let bytes = text.as_bytes();
    let mut view = View::with_capacity(text.len());
    let mut i = 0;
    while i < bytes.len() {
        match unseen(bytes, i) {
            Some(Unseen::Drop(len)) => i += len,
            Some(Unseen::Become(c, len)) => {
                view.push(c, i..i + len);
                i += len;
            }
            None => {
                let len = char_len(bytes[i]);
                view.push_str(text.get(i..i + len).unwrap_or(""), i);
                i += len;
            }
        }
    }
    view
}

fn char_len(first: u8) -> usize {
    match first {
        0..=0x7f => 1,
        0xe0..=0xef => 3,
        0xf0..=0xff => 4,
        _ => 2,
    }
}

/// Whether there is a `%41` next to a word.
pub(crate) fn has_percent(text: &[u8]) -> bool {
    let mut from = 0;
    while let Some(i) = memchr(b'%', &text[from..]) {
        let i = from + i;
        if hex2(text, i + 1).is_some_and(|b| b.is_ascii_graphic()) {
            return true;
        }
        from = i + 1;
    }
    false
}

fn hex2(text: &[u8], i: usize) -> Option<u8> {
    let digit = |b: u8| char::from(b).to_digit(16);
    u8::try_from(digit(at(text, i))? * 16 + digit(at(text, i + 1))?).ok()
}

/// The text with `%XX` undone, as far as the bytes are ASCII.
pub(crate) fn percent_decoded(text: &str) -> View {
    decoded(text, |bytes, i| (bytes[i] == b'%').then(|| hex2(bytes, i + 1).map(|b| (b, 3))).flatten())
}

/// Whether there is an escape of JSON that hides a character: `\/`, `\u0040`, `\x40`.
pub(crate) fn has_escapes(text: &[u8]) -> bool {
    [&b"\\/"[..], b"\\u00", b"\\x"].iter().any(|e| memmem::find(text, e).is_some())
}

/// The text with `\/`, `\u00XX` and `\xXX` undone; other escapes stay, since they part words.
pub(crate) fn unescaped(text: &str) -> View {
    decoded(text, |bytes, i| {
        if bytes[i] != b'\\' {
            return None;
        }
        match at(bytes, i + 1) {
            b'/' => Some((b'/', 2)),
            b'u' if at(bytes, i + 2) == b'0' && at(bytes, i + 3) == b'0' => {
                hex2(bytes, i + 4).map(|b| (b, 6))
            }
            b'x' => hex2(bytes, i + 2).map(|b| (b, 4)),
            _ => None,
        }
    })
}

fn decoded(text: &str, undo: impl Fn(&[u8], usize) -> Option<(u8, usize)>) -> View {
    let bytes = text.as_bytes();
    let mut view = View::with_capacity(text.len());
    let mut i = 0;
    while i < bytes.len() {
        match undo(bytes, i).filter(|(b, _)| b.is_ascii()) {
            Some((b, len)) => {
                view.push(char::from(b), i..i + len);
                i += len;
            }
            None => {
                let len = char_len(bytes[i]);
                view.push_str(text.get(i..i + len).unwrap_or(""), i);
                i += len;
            }
        }
    }
    view
}

/// Where a token goes on behind a line end: the range from the end of its first part to the start of the next.
///
/// Lines of one width go together, and one shorter line behind them; with `eager`, shorter ones too that are no words.
/// `worth` says whether the part before the break, from its start, may be the beginning of a secret.
pub(crate) fn wraps(
    text: &[u8],
    eager: bool,
    worth: impl Fn(Range<usize>) -> Beginning,
) -> Vec<Range<usize>> {
    let mut out: Vec<Range<usize>> = Vec::new();
    let mut from = 0;
    // The length of the piece before the one at hand.
    let mut width = 0;
    while let Some(i) = memchr2(b'\n', b'+', text.get(from..).unwrap_or(&[])) {
        let i = from + i;
        from = i + 1;
        let line = text[i] == b'\n';
        let Some(gap) = (if line { line_gap(text, i) } else { concatenation(text, i) }) else {
            continue;
        };
        let mut start = backward(text, gap.start, 256, in_token);
        if at(text, start) == b'+' && matches!(before(text, start), 0 | b'\n') {
            start += 1;
        }
        let right = &text[gap.end..forward(text, gap.end, 256, in_token)];
        // A gutter may look like the token's first character.
        let continues = out.last().is_some_and(|last| last.end >= start && last.end < gap.start);
        if let Some(last) = out.last().filter(|_| continues) {
            start = last.end;
        }
        let piece = gap.start - start;
        let full = continues && piece >= width;
        let word = line && plain_word(right);
        let glue = match worth(start..gap.start) {
            _ if full => true,
            Beginning::Incomplete => !continues || eager,
            Beginning::Whole => !word && (right.len() >= 2 || !line) && (!continues || eager),
            Beginning::No => continues && eager && !word,
        };
        if glue && !right.is_empty() {
            out.push(gap.clone());
            from = from.max(gap.end);
            width = piece;
        }
    }
    out
}

/// What the part before a break may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Beginning {
    /// Nothing that a secret begins with.
    No,
    /// Enough to be a secret, which may go on.
    Whole,
    /// What only a secret begins with, and too little of it.
    Incomplete,
}

/// Token characters, and those that a few kinds have besides.
fn in_token(b: u8) -> bool {
    is_token(b) || matches!(b, b':' | b'$')
}

/// The line end at `i` with what belongs to it: a backslash before, indentation and a gutter behind.
fn line_gap(text: &[u8], i: usize) -> Option<Range<usize>> {
    let mut start = i;
    if before(text, start) == b'\r' {
        start -= 1;
    }
    let spaces = backward(text, start, 4, is_blank);
    if before(text, spaces) == b'\\' {
        start = spaces - 1;
    }
    let mut end = forward(text, i + 1, 32, is_blank);
    if matches!(at(text, end), b'>' | b'|' | b'+' | b'#' | b'*') {
        end = forward(text, end + 1, 8, is_blank);
    }
    let inside = start > 0 && in_token(before(text, start)) && in_token(at(text, end));
    // The lines that begin and end a key are no part of what stands beside them.
    let armour = text[..start].ends_with(b"----") || text[end..].starts_with(b"----");
    (inside && !armour).then_some(start..end)
}

/// `" + "` between two parts of a literal; `i` is at the plus.
fn concatenation(text: &[u8], i: usize) -> Option<Range<usize>> {
    let left = backward(text, i, 4, |b| is_blank(b) || b == b'\n');
    let mark = before(text, left);
    let right = forward(text, i + 1, 40, |b| is_blank(b) || b == b'\n');
    (matches!(mark, b'"' | b'\'') && at(text, right) == mark && left >= 2).then(|| left - 1..right + 1)
}

/// A word of prose, or of a log, that begins the next line by itself.
fn plain_word(part: &[u8]) -> bool {
    let word = part
        .strip_suffix(b".")
        .or_else(|| part.strip_suffix(b","))
        .or_else(|| part.strip_suffix(b":"))
        .unwrap_or(part);
    let letters = word.iter().all(|b| b.is_ascii_alphabetic());
    let cased = word.iter().skip(1).all(u8::is_ascii_lowercase) || word.iter().all(u8::is_ascii_uppercase);
    (letters && cased && word.len() < 16 && pronounceable(word))
        || memchr(b'=', &part[..part.len().saturating_sub(2)]).is_some()
}

/// Vowels, and no long run of consonants.
fn pronounceable(word: &[u8]) -> bool {
    let vowel = |b: &u8| matches!(b.to_ascii_lowercase(), b'a' | b'e' | b'i' | b'o' | b'u' | b'y');
    let capitals = word.iter().all(u8::is_ascii_uppercase);
    let most = if capitals { 3 } else { 4 };
    // No word in capitals begins with a letter twice, or has one of these twice.
    if capitals
        && (word.first() == word.get(1)
            || [b"AA", b"UU", b"II"].iter().any(|p| memmem::find(word, *p).is_some()))
    {
        return false;
    }
    // No word holds a letter three times in a row.
    if word.windows(3).any(|w| w[0].eq_ignore_ascii_case(&w[1]) && w[1].eq_ignore_ascii_case(&w[2])) {
        return false;
    }
    // Three consonants begin a word at most.
    let begins = word.iter().position(vowel).is_none_or(|onset| onset <= 3);
    word.len() < 4 || (begins && word.iter().any(vowel) && word.split(vowel).all(|run| run.len() <= most))
}

/// The text without the given ranges.
pub(crate) fn joined(text: &str, gaps: &[Range<usize>]) -> View {
    let mut view = View::with_capacity(text.len());
    let mut from = 0;
    for gap in gaps {
        view.push_str(text.get(from..gap.start).unwrap_or(""), from);
        from = gap.end;
    }
    view.push_str(text.get(from..).unwrap_or(""), from);
    view
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn views_map_back_over_what_they_undo() {
        let text = "g\u{200d}h\u{200d}p_x";
        assert!(has_unseen(text.as_bytes()));
        let view = seen(text);
        assert_eq!(view.text, "ghp_x");
        assert_eq!(view.original(0..5), 0..text.len());
        let view = percent_decoded("a%3Ab");
        assert_eq!((view.text.as_str(), view.original(1..2)), ("a:b", 1..4));
        assert_eq!(unescaped(r"https:\/\/x\n").text, r"https://x\n");
    }

    #[test]
    fn ordinary_text_needs_no_other_reading() {
        for text in
            ["plain **bold** text", "привет, мир", "会议记录", "a < b && c > d", "[[link]]", "100% sure"]
        {
            assert!(!has_unseen(text.as_bytes()), "{text}");
            assert!(!has_percent(text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn only_token_runs_are_joined() {
        let gaps = |text: &str| {
            wraps(
                text.as_bytes(),
                false,
                |left| if left.len() >= 12 { Beginning::Whole } else { Beginning::No },
            )
            .len()
        };
        assert_eq!(gaps("abcdefghijkl1\n  mnop2qrs"), 1);
        assert_eq!(gaps("abcdefghijkl1\nword"), 0);
        assert_eq!(gaps("\"abcdefghijkl1\" + \"mnop2qrs\""), 1);
        assert_eq!(gaps("abcdefghijkl1\r\n-----BEGIN X-----\nabcdefghijkl1\n-----END X-----\nabc2"), 0);
    }
}
