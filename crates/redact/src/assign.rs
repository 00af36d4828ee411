//! A name, a separator, a value: environments, settings, JSON and YAML in any quoting, code, flags, XML, prose.
//!
//! The name is found by its stem and parsed by hand. One large pattern would be tried anew at every offset.

use std::ops::Range;
use std::sync::OnceLock;

use aho_corasick::AhoCorasick;

use crate::chars::{self, after_escape, at, backward, before, forward, is_alnum, is_blank, starts_ci};
use crate::keyname::{Named, Strength, judge};
use crate::literal::{Until, bare, quote_at, quoted, skip_blanks, skip_space};
use crate::span::{Rank, Span};
use crate::{marker, value};

/// What stands between a name and its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sep {
    /// `=` and its kin, without blanks before it.
    Tight,
    /// `=` and its kin.
    Equals,
    /// `:`.
    Colon,
    /// `,` between quoted arguments; `>` of an element; `value=` of the next attribute or member.
    Structure,
    /// Only blanks, perhaps with `is`; or a dash.
    Loose,
    /// `=` in a list of `Name=value;` pairs.
    Pair,
    /// Blanks behind a command-line flag.
    Flag,
}

/// A name found in a text.
pub(crate) struct Name<'t> {
    text: &'t [u8],
    range: Range<usize>,
}

impl<'t> Name<'t> {
    /// The whole name around a stem, with its dots and dashes.
    pub(crate) fn around(text: &'t [u8], stem: Range<usize>) -> Name<'t> {
        let ident = |b: u8| is_alnum(b) || matches!(b, b'_' | b'-' | b'.' | b'$');
        let mut start = backward(text, stem.start, 64, ident);
        // `\nTOKEN`: the letter belongs to the escape.
        for i in start..stem.start {
            if after_escape(text, i) {
                start = i;
            }
        }
        let mut end = forward(text, stem.end, 64, |b| is_alnum(b) || b == b'_');
        while matches!(at(text, end), b'-' | b'.') {
            let word = forward(text, end + 1, 20, |b| b.is_ascii_alphabetic() || b == b'_');
            if word == end + 1 || is_alnum(at(text, word)) || (word - end > 18) {
                break;
            }
            end = word;
        }
        Name { text, range: start..end }
    }

    pub(crate) fn end(&self) -> usize {
        self.range.end
    }

    /// The secret that this name introduces, if it does.
    pub(crate) fn value(&self) -> Option<Span> {
        let text = self.text;
        if text[..self.range.start].ends_with(b"//") {
            // The user of a URL.
            return None;
        }
        let Some((sep, from)) = self.separator() else {
            return self.compared().map(|r| Span::new(r, "secret", Rank::Named));
        };
        let named = self.judge()?;
        let found = self.literal(named, sep, from).or_else(|| self.compared())?;
        let rank = if matches!(sep, Sep::Loose) { Rank::Guess } else { Rank::Named };
        let aws = value::contains_ci(&text[self.range.clone()], b"aws") && found.len() >= 38;
        let kind = if aws && named.kind == "api-key" { "aws-secret-key" } else { named.kind };
        Some(Span::new(found, kind, rank))
    }

    fn judge(&self) -> Option<Named> {
        let name = &self.text[self.range.clone()];
        if name.iter().any(|b| *b >= 0x80) || name.is_empty() {
            return Some(Named { strength: Strength::Password, kind: "password", caps: false });
        }
        judge(name)
    }

    fn is_flag(&self) -> bool {
        at(self.text, self.range.start) == b'-' || before(self.text, self.range.start) == b'-'
    }

    fn in_query(&self) -> bool {
        matches!(before(self.text, self.range.start), b'?' | b'&')
    }

    /// The separator after the name and where the value starts.
    fn separator(&self) -> Option<(Sep, usize)> {
        let text = self.text;
        let mut i = self.range.end;
        if at(text, i) == b'[' {
            let close = forward(text, i + 1, 8, |b| b.is_ascii_digit());
            if at(text, close) == b']' {
                i = close + 1;
            }
        }
        let mut closed = false;
        while let Some(q) = quote_at(text, i).filter(|_| !closed) {
            i += q.len;
            closed = true;
        }
        while closed && matches!(at(text, i), b']' | b')') {
            i += 1;
        }
        let gap = skip_blanks(text, i);
        let tight = gap == i;
        i = gap;
        if let Some(next) = operator(text, i) {
            let colon = next == i + 1 && text[i] == b':';
            let sep = if colon {
                Sep::Colon
            } else if tight {
                Sep::Tight
            } else {
                Sep::Equals
            };
            return Some((sep, self.after_type(next, colon)));
        }
        match at(text, i) {
            b',' if closed => {
                Some((Sep::Structure, member_value(text, i + 1).unwrap_or_else(|| skip_blanks(text, i + 1))))
            }
            b'>' => Some((Sep::Structure, skip_space(text, i + 1))),
            b'|' if !tight => Some((Sep::Structure, skip_blanks(text, i + 1))),
            b'-' | b'.' if tight => Some((Sep::Loose, i + 1)),
            b'{' if closed => default_of_block(text, i).map(|v| (Sep::Equals, v)),
            _ if closed => member_value(text, i).map(|v| (Sep::Structure, v)),
            _ if tight => None,
            _ if self.is_flag() => Some((Sep::Flag, i)),
            _ => type_then_equals(text, i).map(|v| (Sep::Equals, v)).or(Some((Sep::Loose, i))),
        }
    }

    /// Behind `: String =` or the blanks after an operator, where the value is.
    fn after_type(&self, i: usize, colon: bool) -> usize {
        let i = skip_blanks(self.text, i);
        if colon { type_then_equals(self.text, i).unwrap_or(i) } else { i }
    }

    /// The literal at `from`, if the name and its form make it a secret.
    fn literal(&self, named: Named, sep: Sep, from: usize) -> Option<Range<usize>> {
        let text = self.text;
        let mut i = from;
        if matches!(at(text, i), b'\n' | b'\r' | b'\\')
            || (matches!(at(text, i), b'|' | b'>') && matches!(at(text, i + 1), b'\n' | b'-'))
        {
            if quote_at(text, i).is_none() {
                return self.next_line(named, sep, i);
            }
        }
        i = prefix_end(text, i);
        if let Some(open) = quote_at(text, i) {
            let (inside, closed) = quoted(text, i, open);
            let inside = trim_scheme(text, inside);
            let whole = closed || inside.end == text.len() || at(text, inside.end) == b'\n';
            let ok = whole && accepts(named, sep, &text[inside.clone()], true);
            return if ok { Some(inside) } else { self.fallback(named, inside.end) };
        }
        if sep == Sep::Loose {
            return self.prose(named, i);
        }
        let pair = matches!(sep, Sep::Tight | Sep::Equals) && connection_string(text, self.range.start);
        let sep = if pair { Sep::Pair } else { sep };
        let until = if self.in_query() {
            Until::Query
        } else if pair {
            Until::Semicolon
        } else {
            Until::Space
        };
        let range = trim_scheme(text, bare(text, i, until));
        let range = if sep == Sep::Tight && named.strength != Strength::Password {
            cut_pairs(text, range)
        } else {
            range
        };
        let element = chars::before(text, from) != b'>' || at(text, range.end) == b'<';
        if element && accepts(named, sep, &text[range.clone()], false) {
            Some(range)
        } else {
            self.fallback(named, range.start)
        }
    }

    /// A value on the line after the name, as in YAML blocks, XML and wrapped text.
    fn next_line(&self, named: Named, sep: Sep, i: usize) -> Option<Range<usize>> {
        let text = self.text;
        let mut i = i;
        if matches!(at(text, i), b'|' | b'>') {
            i = forward(text, i, 4, |b| matches!(b, b'|' | b'>' | b'-' | b'+'));
        }
        let i = skip_space(text, if at(text, i) == b'\\' && at(text, i + 1) == b'\n' { i + 2 } else { i });
        let range = bare(text, i, Until::Space);
        let value = &text[range.clone()];
        let next = at(text, range.end);
        let alone = matches!(next, 0 | b'\n' | b'\r' | b'<' | b'\\') || quote_at(text, range.end).is_some();
        (alone
            && sep != Sep::Loose
            && named.strength > Strength::Weak
            && !rejected(value)
            && value::is_opaque(value, 12))
        .then_some(range)
    }

    /// A literal later on the line where the value itself is a call or a reference: `env("X", "literal")`, `x || "…"`.
    fn fallback(&self, named: Named, from: usize) -> Option<Range<usize>> {
        let text = self.text;
        let limit = text.len().min(from + 120);
        let mut i = from;
        let mut seen = 0;
        while i < limit && text[i] != b'\n' && text[i] != b';' && seen < 4 {
            let Some(open) = quote_at(text, i) else {
                i += 1;
                continue;
            };
            let (inside, closed) = quoted(text, i, open);
            let value = &text[inside.clone()];
            let led = matches!(before(text, i), b' ' | b'(' | b',');
            let good = named.strength >= Strength::Medium
                && (value::is_opaque(value, 16)
                    || (named.strength == Strength::Password
                        && value::hard(value)
                        && value::turns(value) >= 2)
                    || (named.strength == Strength::Strong
                        && value.len() >= 8
                        && value::has_digit(value)
                        && value::turns(value) >= 2));
            if closed && led && good && !rejected(value) && !value.contains(&b' ') {
                return Some(inside);
            }
            i = inside.end + open.len;
            seen += 1;
        }
        None
    }

    /// `"literal" == password`.
    fn compared(&self) -> Option<Range<usize>> {
        let text = self.text;
        let mut i = backward(text, self.range.start, 8, is_blank);
        let operator = backward(text, i, 3, |b| matches!(b, b'=' | b'!'));
        if i - operator < 2 || operator == 0 {
            return None;
        }
        i = backward(text, operator, 8, is_blank);
        let mark = before(text, i);
        if !matches!(mark, b'"' | b'\'' | b'`') {
            return None;
        }
        let end = i - 1;
        let start = backward(text, end, 256, |b| b != mark && b != b'\n');
        let named = self.judge().filter(|n| n.strength >= Strength::Strong)?;
        (before(text, start) == mark && accepts(named, Sep::Equals, &text[start..end], true))
            .then_some(start..end)
    }

    /// A value that only blanks and small words separate from its name: `TOKEN abc…`, `the password is abc…`.
    fn prose(&self, named: Named, from: usize) -> Option<Range<usize>> {
        let text = self.text;
        let mut i = from;
        let mut said = false;
        for _ in 0..5 {
            let word_end = forward(text, i, 16, |b| b.is_ascii_alphabetic() || b == b'_');
            let word = &text[i..word_end];
            let is_separator = matches!(at(text, i), b':' | b'=' | b'-');
            if is_separator {
                said = true;
                i = skip_blanks(text, i + 1);
            } else if !word.is_empty()
                && is_blank_or_colon(at(text, word_end))
                && FILLERS.iter().any(|f| word.eq_ignore_ascii_case(f.as_bytes()))
            {
                said |= matches!(word, b"is" | b"was" | b"to" | b"are");
                i = skip_blanks(text, word_end);
            } else {
                break;
            }
        }
        let range = match quote_at(text, i) {
            Some(open) => quoted(text, i, open).0,
            None => bare(text, i, Until::Space),
        };
        let value = &text[range.clone()];
        if rejected(value) || value.contains(&b' ') {
            return None;
        }
        let ok = match named.strength {
            Strength::Password if said || after_login(text, self.range.start) => {
                value.len() >= 6 && value::hard(value) && value::has_digit(value)
            }
            Strength::Password => value::is_opaque(value, 12),
            _ => {
                (value::is_opaque(value, 16)
                    || (named.caps || caps_last(&text[self.range.clone()]))
                        && (value::is_block(value, 16) || long_hex(value)))
                    && (value::turns(value) >= 3 || value::is_block(value, 20))
                    && (named.caps || said || !is_plain_hex(value))
            }
        };
        (ok && !value::is_path(value)).then_some(range)
    }
}

const FILLERS: &[&str] = &[
    "is",
    "was",
    "are",
    "to",
    "for",
    "the",
    "this",
    "it",
    "here",
    "now",
    "my",
    "your",
    "our",
    "new",
    "of",
    "be",
    "will",
    "set",
    "value",
    "key",
    "token",
    "secret",
    "access",
    "api",
    "private",
    "follows",
    "blob",
    "following",
    "as",
    "with",
    "public",
    "API_KEY",
];

/// Whether a name ends in capitals: `vendorSECRET`, `vendor_TOKEN`.
fn caps_last(name: &[u8]) -> bool {
    name.len() >= 3 && name[name.len() - 3..].iter().all(u8::is_ascii_uppercase)
}

fn is_blank_or_colon(b: u8) -> bool {
    is_blank(b) || b == b':' || b == b'='
}

fn is_plain_hex(value: &[u8]) -> bool {
    value.len() == 40 && value::is_hex(value)
}

/// Whether a user name stands shortly before: `login x password y`, `user:master password:y`.
fn after_login(text: &[u8], at: usize) -> bool {
    let from = at.saturating_sub(64);
    let near = &text[from..at];
    [&b"login "[..], b"user", b"machine ", b"id:"].iter().any(|w| value::contains_ci(near, w))
}

/// The end of an assignment or comparison operator at `i`: up to four of `: = ? + . ! ~ | >` with a `=` or `:` among them.
fn operator(text: &[u8], i: usize) -> Option<usize> {
    let wide = text.get(i..i + 3).is_some_and(|b| b == "：".as_bytes() || b == "＝".as_bytes());
    if wide {
        return Some(i + 3);
    }
    let end = forward(text, i, 4, |b| {
        matches!(b, b':' | b'=' | b'?' | b'+' | b'.' | b'!' | b'~' | b'|' | b'>' | b'-')
    });
    let signs = &text[i..end];
    let known = matches!(
        signs,
        b"=" | b":"
            | b":="
            | b"::="
            | b":::="
            | b"?="
            | b"+="
            | b".="
            | b"||="
            | b"??="
            | b"=>"
            | b"->"
            | b"=="
            | b"==="
            | b"!="
            | b"!=="
            | b"=~"
            | b"|="
    );
    if known {
        return Some(end);
    }
    // `=-----BEGIN`, `=.5`: the value begins with one of the signs.
    matches!(at(text, i), b'=' | b':').then_some(i + 1).filter(|_| end > i && !signs.starts_with(b"::"))
}

/// Behind `string =`, `: &str =`: the value of a declaration with a type.
fn type_then_equals(text: &[u8], i: usize) -> Option<usize> {
    let mut j = forward(text, i, 2, |b| matches!(b, b'&' | b'*'));
    j = forward(text, j, 24, |b| b.is_ascii_alphabetic() || matches!(b, b'<' | b'>' | b'\'' | b'?'));
    if j == i {
        return None;
    }
    let equals = skip_blanks(text, j);
    (at(text, equals) == b'=' && at(text, equals + 1) != b'=' && equals > j)
        .then(|| skip_blanks(text, equals + 1))
}

/// Behind `value=` or `"value":` after the name's own closing quote and comma.
fn member_value(text: &[u8], i: usize) -> Option<usize> {
    let mut j = skip_blanks(text, i);
    if at(text, j) == b',' {
        j = skip_blanks(text, j + 1);
    }
    if let Some(q) = quote_at(text, j) {
        j += q.len;
    }
    if !starts_ci(text, j, "value") {
        return None;
    }
    j += 5;
    if let Some(q) = quote_at(text, j) {
        j += q.len;
    }
    j = skip_blanks(text, j);
    matches!(at(text, j), b'=' | b':').then(|| skip_blanks(text, j + 1))
}

/// Behind `default =` in a block that declares a variable.
fn default_of_block(text: &[u8], i: usize) -> Option<usize> {
    let end = text.len().min(i + 200);
    let block = &text[i..end];
    let block = &block[..memchr::memchr(b'}', block).unwrap_or(block.len())];
    let found = memchr::memmem::find(block, b"default")?;
    let equals = skip_blanks(text, i + found + "default".len());
    (at(text, equals) == b'=').then(|| skip_blanks(text, equals + 1))
}

/// Behind what may stand before a literal: `@`, `b`, `String::from(`, `new Key(`.
fn prefix_end(text: &[u8], i: usize) -> usize {
    if matches!(at(text, i), b'@' | b'b' | b'r' | b'f' | b'u') && quote_at(text, i + 1).is_some() {
        return i + 1;
    }
    for call in ["String::from(", "String.valueOf(", "new String(", "SecretString::new(", "SecureString("] {
        if starts_ci(text, i, call) {
            return i + call.len();
        }
    }
    i
}

/// Leaves out `Bearer ` and the like at the start of a value.
fn trim_scheme(text: &[u8], range: Range<usize>) -> Range<usize> {
    for scheme in ["Bearer ", "Basic ", "Token ", "ApiKey ", "token "] {
        if starts_ci(text, range.start, scheme) && range.len() > scheme.len() {
            return range.start + scheme.len()..range.end;
        }
    }
    range
}

/// Ends a tight value where the next `name=` of a list begins: `a=1,b=2`.
fn cut_pairs(text: &[u8], range: Range<usize>) -> Range<usize> {
    let value = &text[range.clone()];
    let Some(comma) = memchr::memchr(b',', value) else { return range };
    let name = forward(value, comma + 1, 32, |b| is_alnum(b) || b == b'_');
    if name > comma + 1 && at(value, name) == b'=' { range.start..range.start + comma } else { range }
}

/// Whether the name stands in a list of `Name=value;` pairs.
fn connection_string(text: &[u8], name: usize) -> bool {
    let previous = backward(text, name, 8, is_blank);
    if before(text, previous) == b';' {
        return true;
    }
    let line = &text[name.saturating_sub(160)..name];
    memchr::memchr(b';', line).is_some() && memchr::memchr(b'=', line).is_some()
}

fn rejected(value: &[u8]) -> bool {
    value::is_placeholder(value)
        || value::is_reference(value)
        || value.starts_with(b"[REDACTED:")
        || starts_with_marker(value)
}

fn starts_with_marker(value: &[u8]) -> bool {
    std::str::from_utf8(value).is_ok_and(marker::is_marker)
        || value.starts_with(marker::UNAVAILABLE.as_bytes())
}

fn accepts(named: Named, sep: Sep, value: &[u8], in_quotes: bool) -> bool {
    // `a=b=c=…`: a list of names, each of which is looked at by itself.
    if !in_quotes && value.len() > 128 && value.iter().filter(|b| **b == b'=').count() > 8 {
        return false;
    }
    if rejected(value) || (value.starts_with(b"-") && sep == Sep::Flag) {
        return false;
    }
    match named.strength {
        Strength::Password => password(named, sep, value, in_quotes),
        Strength::Strong => strong(named, sep, value, in_quotes),
        Strength::Medium => {
            value::is_opaque(value, 10)
                || value::is_uuid(value)
                || long_hex(value)
                || value::is_block(value, 16)
        }
        Strength::Weak => {
            (value::is_opaque(value, 16)
                && value::turns(value) >= 4
                && !value::is_uuid(value)
                && !(is_hash_length(value) && value::is_hex(value)))
                || (named.caps && long_hex(value))
        }
    }
}

fn long_hex(value: &[u8]) -> bool {
    value.len() >= 16 && value::is_hex(value) && value::has_digit(value) && value::turns(value) >= 2
}

fn is_hash_length(value: &[u8]) -> bool {
    matches!(value.len(), 7..=12 | 32 | 40 | 64)
}

/// Words of a sentence about passwords.
fn speaks(value: &[u8]) -> bool {
    static AUTOMATON: OnceLock<Option<AhoCorasick>> = OnceLock::new();
    const TALK: &[&[u8]] = &[
        b"pass",
        b"enter",
        b"your",
        b"please",
        b"must",
        b"invalid",
        b"incorrect",
        b"require",
        b"token",
        b"secret",
        b"key",
        b"login",
        b"wrong",
        b"forgot",
        b"confirm",
        b" is ",
        b" the ",
    ];
    value::contains_any(&AUTOMATON, TALK, value)
}

fn password(named: Named, sep: Sep, value: &[u8], in_quotes: bool) -> bool {
    // What stands between two literals is no literal.
    let glue = in_quotes && matches!(at(value, 0), b'+' | b')' | b',' | b';') && value.contains(&b'(');
    if value.len() < 4 || glue {
        return false;
    }
    if in_quotes {
        if value.contains(&b' ') {
            return matches!(sep, Sep::Equals | Sep::Tight)
                && value.len() <= 64
                && !speaks(value)
                && !value.ends_with(b".");
        }
        let glued = value.len() >= 8
            && value.iter().all(u8::is_ascii_lowercase)
            && matches!(sep, Sep::Equals | Sep::Tight);
        let named_like = !glued
            && value.iter().all(|b| is_alnum(*b) || matches!(*b, b'_' | b'-' | b'.'))
            && speaks(value)
            && value::word_like(value)
            && !value::has_digit(value);
        return (value::hard(value) || value.len() >= 6) && !named_like;
    }
    let env = named.caps && sep == Sep::Tight;
    if sep == Sep::Pair {
        return !is_code(value) || value.len() >= 8;
    }
    if sep == Sep::Flag || env {
        return value.len() >= 6 && (value::hard(value) || !speaks(value)) && !is_code(value);
    }
    value::hard(value)
        && !is_code(value)
        && !(speaks(value)
            && value::word_like(value)
            && !value.iter().any(|b| matches!(*b, b'!' | b'$' | b'#')))
}

/// A path of identifiers, a generic, a slice: what follows a name in a program.
fn is_code(value: &[u8]) -> bool {
    let ident = value.iter().all(|b| is_alnum(*b) || matches!(*b, b'_' | b'.' | b':' | b'&' | b'*'));
    (ident
        && value::word_like(value)
        && (!value::has_digit(value) || value.contains(&b':') || value.contains(&b'.')))
        || matches!(at(value, 0), b'&' | b'*' | b'(' | b'|') && !value::has_digit(value)
        || (matches!(at(value, 0), b'?' | b'!' | b'=') && value.len() < 8)
}

fn strong(named: Named, sep: Sep, value: &[u8], in_quotes: bool) -> bool {
    if value.len() < 8 {
        return false;
    }
    if value::is_opaque(value, 8)
        || value::is_uuid(value)
        || long_hex(value)
        || value::is_block(value, 16)
        || value::is_noisy(value)
    {
        return true;
    }
    if in_quotes {
        if value.contains(&b' ') {
            return matches!(sep, Sep::Equals | Sep::Tight)
                && value.len() <= 64
                && !speaks(value)
                && !value.ends_with(b".");
        }
        let plain = value.iter().all(|b| is_alnum(*b) || matches!(*b, b'_' | b'-' | b'.' | b'/' | b':'));
        return !plain || (value::has_digit(value) && !speaks(value)) || !value::word_like(value);
    }
    let loose = (named.caps && sep == Sep::Tight) || sep == Sep::Flag;
    value::hard(value)
        && value::has_digit(value)
        && !is_code(value)
        && (loose || value::turns(value) >= 2 || matches!(sep, Sep::Structure | Sep::Tight | Sep::Pair))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str, stem: &str) -> Option<String> {
        let at = text.to_ascii_lowercase().find(stem).unwrap();
        let span = Name::around(text.as_bytes(), at..at + stem.len()).value()?;
        Some(text[span.start..span.end].to_owned())
    }

    #[test]
    fn separators_of_many_languages() {
        let secret = ["9fQ2x", "LmN7vTb4KzR8"].concat();
        for form in [
            "API_KEY=#",
            "api_key: #",
            "apiKey := \"#\"",
            "{\"apiKey\":\"#\"}",
            "'api_key' => '#'",
            "apiKey: String = \"#\"",
            "let api_key = String::from(\"#\");",
            "{\\\"api_key\\\": \\\"#\\\"}",
            "<api_key>#</api_key>",
            "--api-key #",
            "os.environ[\"API_KEY\"] = \"#\"",
            "set(\"api_key\", \"#\")",
            "<add key=\"ApiKey\" value=\"#\" />",
            "api_key: |\n  #\n",
            "?api_key=#&page=2",
            "\\nAPI_KEY=#\\nX",
            "var apiKey string = \"#\"",
        ] {
            let stem = if form.to_ascii_lowercase().contains("apikey") {
                "apikey"
            } else if form.contains("api-key") {
                "api-key"
            } else {
                "api_key"
            };
            assert_eq!(found(&form.replace('#', &secret), stem).as_deref(), Some(secret.as_str()), "{form}");
        }
    }

    #[test]
    fn references_and_code_are_left() {
        for text in [
            "api_key: ${API_KEY}",
            "api_key = os.environ[\"API_KEY\"]",
            "let api_key = config.api_key();",
            "api_key: String,",
            "api_key: <your key>",
        ] {
            assert_eq!(found(text, "api_key"), None, "{text}");
        }
    }
}
