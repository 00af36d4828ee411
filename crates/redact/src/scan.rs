//! One pass over one reading of a text: keywords, then only what they call for.

use std::ops::Range;

use crate::chars::{after_escape, at, backward, before, forward, is_alnum, is_base64, is_token};
use crate::engine::{Action, Engine};
use crate::literal::{Until, bare};
use crate::rules::{Place, Rule};
use crate::span::{Rank, Span};
use crate::{assign, card, decode, flags, header, pem, phrase, url, value, words};

/// An anchored pattern is tried on at most so many bytes; the rest of the run is added by hand.
const ANCHORED: usize = 16 * 1024;
/// The shortest run that is looked at for its own sake.
const RUN: usize = 20;

/// A token that begins like a secret and ends where its line does.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Open {
    pub(crate) start: usize,
    /// Whether a rule has found it, as far as it goes.
    pub(crate) whole: bool,
}

/// A pass over one reading.
pub(crate) struct Scan<'t> {
    engine: &'t Engine,
    text: &'t [u8],
    spans: Vec<Span>,
    /// Up to where the name last looked at reaches.
    name_end: usize,
    /// The find last made by an anchored rule.
    covered: Range<usize>,
    /// Up to where each rule has searched.
    searched: Vec<usize>,
    /// The command whose line was last read, and how far.
    command: (usize, bool),
    command_end: usize,
    /// Whether decoded text is being scanned, which is not decoded again.
    inner: bool,
    /// Starts of tokens that a rule would like to be longer and that end at a line end.
    open_tokens: Vec<Open>,
}

/// All finds in one reading.
pub(crate) fn run<'t>(engine: &'t Engine, text: &'t str, inner: bool) -> (Vec<Span>, Vec<Open>) {
    let mut scan = Scan {
        engine,
        text: text.as_bytes(),
        spans: Vec::new(),
        name_end: 0,
        covered: 0..0,
        searched: vec![0; engine.rule_count()],
        command: (0, false),
        command_end: 0,
        inner,
        open_tokens: Vec::new(),
    };
    for hit in engine.keywords.find_overlapping_iter(text) {
        for action in engine.actions(hit.pattern().as_usize()) {
            scan.act(*action, hit.start()..hit.end());
        }
    }
    card::find(scan.text, &mut scan.spans);
    scan.runs();
    (scan.spans, scan.open_tokens)
}

impl Scan<'_> {
    fn act(&mut self, action: Action, hit: Range<usize>) {
        match action {
            Action::Rule(number) => self.rule(number, hit),
            Action::Name => self.name(hit),
            Action::Url => {
                let found = url::userinfo(self.text, hit.start, hit.end);
                self.spans.extend(found);
            }
            Action::PemBegin => self.pem(hit.start),
            Action::PemEnd => {
                let found = pem::before_end(self.text, hit.start);
                self.spans.extend(found);
            }
            Action::Putty => {
                let found = pem::putty(self.text, hit.end);
                self.spans.extend(found);
            }
            Action::Authorization => {
                let found = header::authorization(self.text, hit.end);
                self.spans.extend(found);
            }
            Action::Bearer => {
                let found = header::starts_word(self.text, hit.start)
                    .then(|| header::bearer(self.text, hit.end - 1))
                    .flatten();
                self.spans.extend(found);
            }
            Action::Cookie => header::cookies(self.text, hit.end, &mut self.spans),
            Action::Query => self.query(hit.end),
            Action::Command(number) => {
                let seen = self.command == (number, true) && hit.start < self.command_end;
                if !seen && header::starts_word(self.text, hit.start) && !is_alnum(at(self.text, hit.end)) {
                    self.command = (number, true);
                    self.command_end = hit.end + flags::REACH;
                    flags::after(&flags::COMMANDS[number], self.text, hit.end, &mut self.spans);
                }
            }
            Action::Echoed => {
                let found = flags::echoed(self.text, hit.start, hit.end);
                self.spans.extend(found);
            }
            Action::Phrase => {
                let found = phrase::after(self.text, hit.end);
                self.spans.extend(found);
            }
        }
    }

    fn pem(&mut self, begin: usize) {
        if let Some(span) = pem::from_begin(self.text, begin) {
            self.spans.push(span);
        }
    }

    fn name(&mut self, hit: Range<usize>) {
        if hit.start < self.name_end {
            return;
        }
        let name = assign::Name::around(self.text, hit);
        self.name_end = name.end();
        self.spans.extend(name.value());
    }

    fn query(&mut self, from: usize) {
        let range = bare(self.text, from, Until::Query);
        let value = &self.text[range.clone()];
        let escapes = value.iter().filter(|b| matches!(**b, b'%' | b'+' | b'(')).count();
        if value::is_opaque(value, 16)
            && escapes * 8 < value.len()
            && !value::is_placeholder(value)
            && !value::is_reference(value)
        {
            self.spans.push(Span::new(range, "query-secret", Rank::Named));
        }
    }

    fn rule(&mut self, number: usize, hit: Range<usize>) {
        let rule = self.engine.rule(number);
        match rule.place {
            Place::Start => self.anchored(number, rule, hit),
            Place::Near(back, ahead) => self.nearby(number, rule, hit, back, ahead),
            Place::Run => {}
        }
    }

    /// Whether a keyword of this length may begin here. Short ones need a real boundary.
    fn boundary(&self, start: usize, keyword: usize) -> bool {
        match before(self.text, start) {
            b'-' if begins_line(self.text, start - 1) => true,
            b'_' | b'-' => keyword >= 4,
            b if is_alnum(b) => after_escape(self.text, start),
            // In the middle of base64.
            b'+' => start < 2 || !is_alnum(self.text[start - 2]) || !is_alnum(self.text[start + keyword - 1]),
            _ => true,
        }
    }

    fn anchored(&mut self, number: usize, rule: &'static Rule, hit: Range<usize>) {
        let inside = self.covered.start < hit.start && hit.start < self.covered.end;
        if inside || !self.boundary(hit.start, hit.len()) {
            return;
        }
        // Within one run of token characters a rule is tried once: the run is what it would read again.
        let relaxed = matches!(before(self.text, hit.start), b'_' | b'-' | b'.' | b'/' | b'=' | b'+' | b'~');
        if relaxed && hit.start < self.searched[number] {
            return;
        }
        let text = self.text;
        let window = &text[hit.start..text.len().min(hit.start + ANCHORED)];
        let Some(pattern) = self.engine.pattern(number) else { return };
        let Some(found) = pattern.captures(window) else {
            if relaxed || self.searched[number] <= hit.start {
                self.searched[number] = forward(text, hit.start, 512, is_token);
            }
            self.cut_short(rule, hit);
            return;
        };
        let Some(whole) = found.get(0) else { return };
        let secret = found.get(1).unwrap_or(whole);
        let mut end = hit.start + secret.end();
        if secret.end() == window.len() {
            end = forward(text, end, usize::MAX, is_token);
        }
        let range = hit.start + secret.start()..end;
        self.covered = hit.start..end;
        self.open(hit.start, end, true);
        self.keep(rule, range, hit.len());
    }

    fn keep(&mut self, rule: &'static Rule, range: Range<usize>, prefix: usize) {
        let secret = &self.text[range.clone()];
        let body = &secret[prefix.min(secret.len().saturating_sub(6))..];
        if (rule.check)(body) && !value::is_filler(body) && !sounds_made_up(secret) {
            self.spans.push(Span::new(range, rule.kind, Rank::Shape).with_prefix(prefix));
        }
    }

    fn nearby(&mut self, number: usize, rule: &'static Rule, hit: Range<usize>, back: usize, ahead: usize) {
        if hit.start < self.searched[number] {
            return;
        }
        let text = self.text;
        let start = hit.start.saturating_sub(back);
        let end = text.len().min(hit.end + ahead);
        self.searched[number] = end.saturating_sub(ahead / 2).max(hit.end);
        let Some(pattern) = self.engine.pattern(number) else { return };
        let mut any = false;
        for found in pattern.captures_iter(&text[start..end]) {
            let Some(whole) = found.get(0) else { continue };
            let secret = found.get(1).unwrap_or(whole);
            let range = start + secret.start()..start + secret.end();
            any = true;
            let starts_here = found.get(1).is_some()
                || !is_alnum(before(text, range.start))
                || after_escape(text, range.start)
                || back == 0;
            if starts_here {
                self.keep(rule, range, 0);
            }
        }
        if !any {
            let run = |b: u8| is_token(b) || b == b':';
            self.open(backward(text, hit.start, 128, run), forward(text, hit.end, 512, run), false);
        }
    }

    /// A prefix that only one thing has, at the very end of the text: its first characters are all that is there.
    fn cut_short(&mut self, rule: &'static Rule, hit: Range<usize>) {
        let end = forward(self.text, hit.end, 64, |b| is_token(b) && b != b'.');
        self.open(
            hit.start,
            forward(self.text, hit.end, 512, |b| is_token(b) || matches!(b, b':' | b'$')),
            false,
        );
        if end != self.text.len() {
            return;
        }
        let body = &self.text[hit.end..end];
        let telling = hit.len() >= 8 && self.text[hit.clone()].iter().filter(|b| !is_alnum(**b)).count() >= 2;
        let prefix = self.text[hit.start..hit.end - 1].to_ascii_lowercase();
        let word = std::str::from_utf8(&prefix)
            .is_ok_and(|p| words::means(p, words::STAND_IN | words::ABOUT) || p == "live");
        let random = body.len() >= 4 && hit.len() >= 4 && value::mixed_case(body) && !word;
        let exact = rule.keywords.iter().any(|k| k.as_bytes() == &self.text[hit.clone()]);
        if exact
            && ((telling
                && !body.is_empty()
                && !value::is_placeholder(body)
                && !body.iter().all(|b| b.is_ascii_lowercase()))
                || (random && !value::is_placeholder(body)))
        {
            self.spans.push(Span::new(hit.start..end, rule.kind, Rank::Guess));
        }
    }

    /// Notes a token that ends where its line does, for the reading that joins lines.
    fn open(&mut self, start: usize, end: usize, whole: bool) {
        let at_break = matches!(at(self.text, end), b'\n' | b'\r' | b'\\' | b'"' | b'\'' | b' ');
        if at_break && self.open_tokens.last().is_none_or(|o| o.start != start || o.whole != whole) {
            self.open_tokens.push(Open { start, whole });
        }
    }

    /// An opaque value with a service's name right before it: `vendor-value`, `vendor KEY value`, `vendor_token: 'value'`.
    fn service(&mut self, run: Range<usize>) {
        let text = self.text;
        let glued = forward(text, run.start, 32, is_alnum);
        let from = match at(text, glued) {
            b'=' | b'-' | b'_' | b'.' if is_service(&text[run.start..glued]) => glued + 1,
            _ if service_before(text, run.start) => run.start,
            _ => return,
        };
        let range = bare(text, from, Until::Query);
        let value = &text[range.clone()];
        let shaped = (value::is_opaque(value, 16) && value::turns(value) >= 3)
            || (value::is_uuid(value) && value::has_digit(value));
        let whole =
            shaped && !value::is_path(value) && !value::is_placeholder(value) && !value::is_reference(value);
        if whole && !value.iter().any(|b| matches!(b, b'(' | b'@')) {
            self.spans.push(Span::new(range, "api-key", Rank::Guess));
        }
    }

    /// Long runs of token characters: rules for whole runs, and what they hold when decoded.
    fn runs(&mut self) {
        let text = self.text;
        let mut i = RUN - 1;
        while i < text.len() {
            if !is_token(text[i]) {
                i += RUN;
                continue;
            }
            let mut start = i;
            while start > 0 && i - start < RUN && is_token(text[start - 1]) {
                start -= 1;
            }
            if i - start == RUN {
                start = backward(text, start, usize::MAX, is_token);
            }
            let end = forward(text, i, usize::MAX, is_token);
            if end - start >= RUN {
                self.run_of_token(start..end);
            }
            i = end + RUN;
        }
    }

    fn run_of_token(&mut self, range: Range<usize>) {
        let text = self.text;
        if range.len() <= 512 {
            let engine = self.engine;
            for &number in &engine.run_rules {
                if let Some(found) = engine.pattern(number).and_then(|p| p.find(&text[range.clone()])) {
                    let at = range.start + found.start()..range.start + found.end();
                    if !is_alnum(before(text, at.start)) || after_escape(text, at.start) {
                        self.keep(engine.rule(number), at, 0);
                    }
                }
            }
        }
        if self.inner {
            return;
        }
        if range.len() <= 2048 && value::has_digit(&text[range.clone()]) {
            self.service(range.clone());
        }
        let mut from = range.start;
        while from < range.end {
            let start = forward(text, from, range.end - from, |b| !is_base64(b) || b == b'=');
            let end = forward(text, start, (range.end - start).min(64 * 1024), |b| is_base64(b) && b != b'=');
            let padded = forward(text, end, 2.min(range.end - end), |b| b == b'=');
            if end - start >= 24 {
                self.encoded(start..padded);
            }
            from = padded.max(start + 1);
        }
    }

    /// Hides a run that holds a secret when decoded.
    fn encoded(&mut self, range: Range<usize>) {
        let run = &self.text[range.clone()];
        let hex = if run.len() >= 32 && value::is_hex(run) { decode::hex_text(run) } else { None };
        let Some(inside) = hex.or_else(|| decode::base64_text(run)) else { return };
        let (found, _) = self::run(self.engine, &inside, true);
        if found.iter().any(|s| s.rank >= Rank::Named) {
            self.spans.push(Span::new(range, "encoded-secret", Rank::Derived));
        }
    }
}

/// Whether a line begins at `at`: a dash there is the gutter of a diff.
fn begins_line(text: &[u8], at: usize) -> bool {
    matches!(before(text, at), 0 | b'\n' | b'"') || text[..at].ends_with(b"\\n")
}

/// Words that may stand between a service's name and a value.
const FILLERS: &[&str] =
    &["key", "token", "secret", "api", "access", "private", "auth", "apikey", "is", "pat", "id"];

fn is_service(word: &[u8]) -> bool {
    word.len() >= 4
        && word.len() <= 24
        && std::str::from_utf8(word).is_ok_and(|w| words::means(&w.to_ascii_lowercase(), words::SERVICE))
}

/// Whether a service's name stands before `at`, with at most three small words between.
fn service_before(text: &[u8], at: usize) -> bool {
    let mut i = at;
    for _ in 0..4 {
        let gap = backward(text, i, 6, |b| {
            matches!(b, b' ' | b'\t' | b'"' | b'\'' | b'`' | b'=' | b':' | b'>' | b'\\' | b'_' | b'-' | b'.')
        });
        let word = backward(text, gap, 24, is_alnum);
        if gap == i || word == gap {
            return false;
        }
        if is_service(&text[word..gap]) {
            return true;
        }
        if !FILLERS.iter().any(|f| text[word..gap].eq_ignore_ascii_case(f.as_bytes())) {
            return false;
        }
        i = word;
    }
    false
}

/// Whether a token says of itself that it is none.
fn sounds_made_up(secret: &[u8]) -> bool {
    [
        &b"EXAMPLEEXAMPLE"[..],
        b"xxxxxxxx",
        b"XXXXXXXX",
        b"your-",
        b"YOUR_",
        b"your_",
        b"placeholder",
        b"TokenHere",
        b"STRINGHERE",
        b"...",
    ]
    .iter()
    .any(|w| memchr::memmem::find(secret, w).is_some())
}
