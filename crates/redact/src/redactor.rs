//! The public face: a redactor, what it finds, what it makes of a text.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use crate::config::{ConfigError, User};
use crate::edges::{self, Edges};
use crate::marker::{self, UNAVAILABLE};
use crate::span::{Rank, Span, merge};
use crate::view::{self, Beginning, View};
use crate::{RULES_VERSION, engine, repeat, scan, value};

/// The longest text that is scanned, in bytes. A longer one comes back as [`UNAVAILABLE`].
pub const MAX_BYTES: usize = 64 * 1024 * 1024;

/// At most so many rounds until nothing more is found.
const ROUNDS: usize = 24;

/// A secret in a text. Holds where it is, never what it is.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// Bytes of the input, on character boundaries.
    pub range: Range<usize>,
    /// What the marker says; one of [`crate::kinds`].
    pub kind: &'static str,
}

/// A text without its secrets.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Scrubbed<'t> {
    /// Borrowed where nothing was found.
    pub text: Cow<'t, str>,
    /// What was found, in order, not overlapping; ranges are of the input.
    pub findings: Vec<Finding>,
}

impl Scrubbed<'_> {
    /// Whether anything was hidden.
    pub fn redacted(&self) -> bool {
        !self.findings.is_empty()
    }
}

impl fmt::Debug for Scrubbed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scrubbed")
            .field("bytes", &self.text.len())
            .field("findings", &self.findings.len())
            .finish()
    }
}

/// Finds secrets. Cheap to clone; all clones share what is compiled.
#[derive(Clone, Default)]
pub struct Redactor {
    user: Option<Arc<User>>,
}

impl fmt::Debug for Redactor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Redactor").field("version", &self.version()).finish()
    }
}

impl Redactor {
    /// The built-in rules alone. Patterns are compiled when first needed.
    pub fn built_in() -> Redactor {
        Redactor::default()
    }

    /// The built-in rules with those in the table `[redaction]` of a `config.toml`.
    ///
    /// # Errors
    ///
    /// If the table does not parse, a pattern does not compile within its bounds or matches the empty text, a kind is
    /// unknown, or there are more than 64 rules or exceptions. The error names the rule.
    ///
    /// ```
    /// use session_search_redact::Redactor;
    /// let config = r#"
    ///     [redaction]
    ///     disable = ["payment-card"]         # kinds or ids of rules
    ///     allow = ["^docs-[a-z]+$"]          # finds that match are left
    ///
    ///     [[redaction.rules]]
    ///     id = "acme-token"
    ///     pattern = "acme_([0-9a-f]{8})"     # the first group, if any, is the secret
    ///     keywords = ["acme_"]               # optional: at least one must be in the text
    ///     kind = "token"                     # optional: a known kind, else `custom`
    /// "#;
    /// let redactor = Redactor::with_config(config)?;
    /// assert_eq!(redactor.scrub("use acme_0123abcd").text, "use acme_[REDACTED:token]");
    /// # Ok::<(), session_search_redact::ConfigError>(())
    /// ```
    pub fn with_config(toml: &str) -> Result<Redactor, ConfigError> {
        Ok(Redactor { user: User::parse(toml)?.map(Arc::new) })
    }

    /// The version of the rules, the user's included: lower-case letters, digits and `_`, fit for a table's name.
    pub fn version(&self) -> String {
        match &self.user {
            None => RULES_VERSION.to_string(),
            Some(user) => format!("{RULES_VERSION}_{}", user.hash),
        }
    }

    /// Replaces every secret in a whole text by its marker.
    pub fn scrub<'t>(&self, text: &'t str) -> Scrubbed<'t> {
        self.scrub_cut(text, Edges::default())
    }

    /// As [`scrub`](Redactor::scrub), for a text known to be cut: what may be the rest of a secret at a cut edge goes too.
    ///
    /// ```
    /// use session_search_redact::{Edges, Redactor};
    /// let edges = Edges { left: true, right: false };
    /// let scrubbed = Redactor::built_in().scrub_cut("xT4mQ9vLr2WnZ7pHc3Kd8Rb5 was pushed", edges);
    /// assert_eq!(scrubbed.text, "[REDACTED:fragment] was pushed");
    /// ```
    pub fn scrub_cut<'t>(&self, text: &'t str, edges: Edges) -> Scrubbed<'t> {
        match self.spans(text, edges) {
            Some(spans) if spans.is_empty() => Scrubbed { text: Cow::Borrowed(text), findings: Vec::new() },
            Some(spans) => match replace(text, &spans) {
                Some(out) => Scrubbed { text: Cow::Owned(out), findings: findings(&spans) },
                None => unavailable(text),
            },
            None => unavailable(text),
        }
    }

    /// Where the secrets are: sorted, merged, not overlapping. A text that cannot be scanned is one find.
    pub fn find(&self, text: &str) -> Vec<Finding> {
        match self.spans(text, Edges::default()) {
            Some(spans) => findings(&spans),
            None => unavailable(text).findings,
        }
    }

    /// All rounds; `None` on a panic or beyond a bound.
    fn spans(&self, text: &str, edges: Edges) -> Option<Vec<Span>> {
        if text.len() > MAX_BYTES {
            return None;
        }
        catch_unwind(AssertUnwindSafe(|| self.rounds(text, edges))).ok().flatten()
    }

    fn rounds(&self, text: &str, edges: Edges) -> Option<Vec<Span>> {
        let mut spans = self.round(text, edges);
        if spans.is_empty() {
            return Some(spans);
        }
        for _ in 0..ROUNDS {
            let scrubbed = replace(text, &spans)?;
            let more = self.round(&scrubbed, edges);
            if more.is_empty() {
                return Some(spans);
            }
            let back = originals(&more, &spans);
            let mut all = spans.clone();
            all.extend(back);
            spans = merge(all, &marker::ranges(text.as_bytes()));
        }
        None
    }

    /// One look at a text in all its readings.
    fn round(&self, text: &str, edges: Edges) -> Vec<Span> {
        let bytes = text.as_bytes();
        let engine = engine::built_in();
        let (mut spans, open) = scan::run(engine, text, false);
        edges::find(bytes, edges, &mut spans);
        if let Some(user) = &self.user {
            user.find(text, &mut spans);
        }
        let first = spans.len();
        self.other_readings(text, &open, &mut spans);
        if spans.is_empty() {
            return spans;
        }
        spans[..].iter_mut().skip(first).for_each(|s| s.end = s.end.min(bytes.len()));
        repeat::copies(text, &mut spans);
        if let Some(user) = &self.user {
            spans.retain(|s| !user.allows(text, s.start..s.end, s.kind));
        }
        merge(spans, &marker::ranges(bytes))
    }

    fn other_readings(&self, text: &str, open: &[scan::Open], spans: &mut Vec<Span>) {
        let bytes = text.as_bytes();
        if view::has_unseen(bytes) {
            let seen = view::seen(text);
            self.read(&seen, spans);
            if view::has_percent(seen.text.as_bytes()) {
                self.read(&view::percent_decoded(text), spans);
            }
        } else if view::has_percent(bytes) {
            let once = view::percent_decoded(text);
            self.read(&once, spans);
            if view::has_percent(once.text.as_bytes()) {
                let twice = view::percent_decoded(&once.text);
                let (found, _) = scan::run(engine::built_in(), &twice.text, false);
                spans.extend(found.iter().map(|s| map(s, once.original(twice.original(s.start..s.end)))));
            }
        }
        if view::has_escapes(bytes) {
            self.read(&view::unescaped(text), spans);
        }
        self.wrapped(text, open, spans);
    }

    /// Reads the text with its wrapped tokens joined. What two lines only make together counts if it spans the break.
    fn wrapped(&self, text: &str, open: &[scan::Open], spans: &mut Vec<Span>) {
        let mut open = open.to_vec();
        open.sort_unstable_by_key(|o| (o.start, !o.whole));
        let mut ends: Vec<usize> = spans.iter().map(|s| s.end).collect();
        ends.sort_unstable();
        let worth = |left: Range<usize>| {
            let first = open.partition_point(|o| o.start < left.start);
            let begun = open.get(first).filter(|o| o.start < left.end);
            match begun {
                Some(token) if !token.whole => Beginning::Incomplete,
                Some(_) => Beginning::Whole,
                None if ends.binary_search(&left.end).is_ok() => Beginning::Whole,
                None if left.len() >= 12 && generated(&text.as_bytes()[left.clone()]) => Beginning::Whole,
                None => Beginning::No,
            }
        };
        let gaps = view::wraps(text.as_bytes(), false, worth);
        if !gaps.is_empty() {
            self.read(&view::joined(text, &gaps), spans);
        }
        // People break lines where they like; but one line too many may spoil what has a fixed length.
        let more = view::wraps(text.as_bytes(), true, worth);
        if more != gaps {
            self.read(&view::joined(text, &more), spans);
        }
    }

    fn read(&self, view: &View, spans: &mut Vec<Span>) {
        let (found, _) = scan::run(engine::built_in(), &view.text, false);
        spans.extend(found.iter().map(|s| map(s, view.original(s.start..s.end))));
        if let Some(user) = &self.user {
            let mut own = Vec::new();
            user.find(&view.text, &mut own);
            spans.extend(own.iter().map(|s| map(s, view.original(s.start..s.end))));
        }
    }
}

/// Whether a line of a wrapped token looks made by a generator.
fn generated(line: &[u8]) -> bool {
    value::is_opaque(line, 12)
        || (line.len() >= 16 && value::mixed_case(line) && value::turns(line) * 4 >= line.len())
}

fn map(span: &Span, to: Range<usize>) -> Span {
    Span { start: to.start, end: to.end, ..*span }
}

/// Where finds in the scrubbed text were in the text before. They hold no marker, so each lies between two; both lists
/// are in order.
fn originals(found: &[Span], hidden: &[Span]) -> Vec<Span> {
    let (mut removed, mut added, mut next) = (0usize, 0usize, 0usize);
    let mut out = Vec::with_capacity(found.len());
    for span in found {
        while let Some(before) = hidden.get(next) {
            let marker = before.kind.len() + "[REDACTED:]".len();
            if before.start + added - removed + marker > span.start {
                break;
            }
            removed += before.end - before.start;
            added += marker;
            next += 1;
        }
        out.push(Span {
            start: span.start + removed - added,
            end: span.end + removed - added,
            rank: Rank::Guess,
            ..*span
        });
    }
    out
}

fn findings(spans: &[Span]) -> Vec<Finding> {
    spans.iter().map(|s| Finding { range: s.start..s.end, kind: s.kind }).collect()
}

/// The text with markers; `None` if a range is not on character boundaries.
fn replace(text: &str, spans: &[Span]) -> Option<String> {
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    for span in spans {
        out.push_str(text.get(from..span.start)?);
        marker::push(span.kind, &mut out);
        from = span.end;
        text.get(span.start..span.end)?;
    }
    out.push_str(text.get(from..)?);
    Some(out)
}

fn unavailable(text: &str) -> Scrubbed<'static> {
    Scrubbed {
        text: Cow::Borrowed(UNAVAILABLE),
        findings: vec![Finding { range: 0..text.len(), kind: "custom" }],
    }
}
