//! A name, a separator, a value: environments, settings, JSON and YAML in any quoting, code, flags, XML, prose.
//!
//! The name is found by its stem and parsed by hand. One large pattern would be tried anew at every offset.

mod accept;
mod separator;

use std::ops::Range;

use crate::chars::{self, after_escape, at, backward, before, forward, is_alnum, is_blank};
use crate::keyname::{Named, Strength, judge};
use crate::literal::{Until, bare, quote_at, quoted, skip_blanks, skip_space};
use crate::span::{Rank, Span};
use crate::value;

use accept::{accepts, long_hex, rejected};
use separator::{
    connection_string, cut_pairs, default_of_block, member_value, operator, prefix_end, trim_scheme,
    type_then_equals,
};

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
        start = (start..stem.start).rev().find(|i| after_escape(text, *i)).unwrap_or(start);
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
        // The verb, and what a test does.
        if self.is_pass() && !matches!(sep, Sep::Tight | Sep::Equals | Sep::Colon | Sep::Flag) {
            return None;
        }
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

    fn is_pass(&self) -> bool {
        self.text[self.range.clone()].eq_ignore_ascii_case(b"pass")
    }

    /// Whether the name, in quotes, is an argument or an element, not the value of something.
    fn is_argument(&self) -> bool {
        let quote = self.range.start.saturating_sub(1);
        let i = backward(self.text, quote, 8, |b| is_blank(b) || matches!(b, b'\\' | b'\n'));
        matches!(before(self.text, i), b'(' | b',' | b'[' | b'{')
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
        let mut bracket = false;
        while closed && matches!(at(text, i), b']' | b')') {
            bracket = true;
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
            b',' if closed && !bracket && (self.is_argument() || member_value(text, i).is_some()) => {
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
        let below = matches!(at(text, i), b'\n' | b'\r' | b'\\')
            || (matches!(at(text, i), b'|' | b'>') && matches!(at(text, i + 1), b'\n' | b'-'));
        if below && quote_at(text, i).is_none() {
            return self.next_line(named, sep, i);
        }
        if sep == Sep::Loose {
            return self.prose(named, i);
        }
        i = prefix_end(text, i);
        if let Some(open) = quote_at(text, i) {
            let (inside, closed) = quoted(text, i, open);
            let inside = trim_scheme(text, inside);
            let whole = closed || inside.end == text.len() || at(text, inside.end) == b'\n';
            let is_key =
                closed && at(text, skip_blanks(text, inside.end + open.len)) == b':' && sep == Sep::Structure;
            let ok = whole && !is_key && accepts(named, sep, &text[inside.clone()], true);
            return if ok { Some(inside) } else { self.fallback(named, inside.end) };
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
