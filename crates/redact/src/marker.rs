//! What stands in the place of a secret: `[REDACTED:kind]`, of a known kind. Anything else that looks like one is text.

use std::ops::Range;
use std::sync::OnceLock;

use memchr::memmem;

use crate::rules;

const OPEN: &[u8] = b"[REDACTED:";
/// Longer than any kind, so that the search for `]` ends.
const LONGEST_KIND: usize = 40;

/// What comes back instead of the text when a scan failed or met a bound: never the text itself.
pub const UNAVAILABLE: &str = "[redaction-unavailable]";

fn sorted_kinds() -> &'static [&'static str] {
    static KINDS: OnceLock<Vec<&'static str>> = OnceLock::new();
    KINDS.get_or_init(|| {
        let mut kinds: Vec<&'static str> =
            rules::all().map(|rule| rule.kind).chain(rules::STRUCTURAL_KINDS.iter().copied()).collect();
        kinds.sort_unstable();
        kinds.dedup();
        kinds
    })
}

/// All kinds that a marker can name, sorted, each once.
///
/// ```
/// assert!(session_search_redact::kinds().count() >= 120);
/// ```
pub fn kinds() -> impl Iterator<Item = &'static str> {
    sorted_kinds().iter().copied()
}

/// The kind as the table spells it, if there is one of that name.
pub(crate) fn known_kind(name: &str) -> Option<&'static str> {
    let kinds = sorted_kinds();
    kinds.binary_search(&name).ok().map(|at| kinds[at])
}

/// Whether `text` is exactly one marker of a known kind.
///
/// ```
/// use session_search_redact::is_marker;
/// assert!(is_marker("[REDACTED:password]"));
/// assert!(!is_marker("[REDACTED:anything]"));
/// ```
pub fn is_marker(text: &str) -> bool {
    marker_len(text.as_bytes()) == Some(text.len())
}

/// The length in bytes of the marker that `text` begins with.
fn marker_len(text: &[u8]) -> Option<usize> {
    let rest = text.strip_prefix(OPEN)?;
    let end = memchr::memchr(b']', rest.get(..rest.len().min(LONGEST_KIND))?)?;
    known_kind(std::str::from_utf8(&rest[..end]).ok()?)?;
    Some(OPEN.len() + end + 1)
}

/// Byte ranges of all markers of a known kind, in order. A marker is no word of an index, and a snippet must not cut
/// one.
///
/// ```
/// let text = "key [REDACTED:password] and [REDACTED:made-up]";
/// assert_eq!(session_search_redact::markers(text), vec![4..23]);
/// ```
pub fn markers(text: &str) -> Vec<Range<usize>> {
    ranges(text.as_bytes())
}

pub(crate) fn ranges(text: &[u8]) -> Vec<Range<usize>> {
    memmem::find_iter(text, OPEN)
        .filter_map(|start| marker_len(&text[start..]).map(|len| start..start + len))
        .collect()
}

/// The marker for a kind.
pub(crate) fn push(kind: &str, out: &mut String) {
    out.push_str("[REDACTED:");
    out.push_str(kind);
    out.push(']');
}
