//! Why there is nothing, and what would help: sentences that a model can act on.
//!
//! They are made of visible things only, and hold words of the query only as typed and scrubbed.

use session_search_core::query::{ClauseKind, Group, Ignored, Query};
use session_search_core::store::{Matching, Statistics};
use session_search_core::visibility::Scope;

use super::find::{Job, Outcome};
use super::near::Spelling;
use super::request::SearchRequest;
use super::show::Shown;
use super::survey::{Ground, Survey};
use crate::clean::Cleaner;
use crate::context::Context;
use crate::session_search::Inner;

/// How many words a hint names.
const NAMED_WORDS: usize = 8;
/// How many characters of one word it shows.
const WORD_CHARS: usize = 40;
/// What stands for a word that is, or is part of, a secret.
const REDACTED: &str = "(redacted)";

impl Inner {
    /// The hints for what was found.
    pub(crate) async fn hints(
        &self,
        context: &Context,
        request: &SearchRequest,
        ground: &Ground,
        job: &Job,
        survey: &Survey,
        outcome: &Outcome,
    ) -> Vec<String> {
        let words = Words::new(&self.cleaner, &request.query);
        let query = &*job.asked.query;
        let mut hints = Vec::new();
        hints.extend(words.ignored(query));
        if survey.statistics.messages > 0 {
            hints.extend(words.nowhere(query, &survey.statistics, survey.pending));
            if outcome.shown.is_empty() || outcome.relaxed {
                hints.extend(words.near(self.near_spellings(job, &survey.speaking).await));
            }
        }
        if outcome.relaxed {
            hints.extend(words.left_out(query, &outcome.shown));
        }
        if outcome.shown.is_empty() {
            self.reasons(context, request, ground, job, survey, &words, &mut hints).await;
        }
        hints.iter().map(|hint| self.cleaner.clean(hint).text).collect()
    }

    /// Why there is no hit. At least one reason is added.
    #[expect(clippy::too_many_arguments, reason = "all that is known about the search")]
    async fn reasons(
        &self,
        context: &Context,
        request: &SearchRequest,
        ground: &Ground,
        job: &Job,
        survey: &Survey,
        words: &Words<'_>,
        hints: &mut Vec<String>,
    ) {
        if survey.statistics.messages == 0 {
            hints.push(nothing_there(context, survey.pending));
            return;
        }
        let filter = &job.asked.filter;
        if let (Some(since), Some(until)) = (filter.since, filter.until)
            && since >= until
        {
            hints.push("since is not before until, so no message can lie between them.".into());
        }
        let hiding = self.narrowings_that_hide(request, job, ground).await;
        if !hiding.is_empty() {
            hints.push(format!(
                "There are matches without {}; leave that out to see them.",
                hiding.join(" and ")
            ));
        }
        let query = &*job.asked.query;
        if job.asked.strict && job.may_relax() && self.finds_any(job.clone(), Matching::Most).await {
            hints.push("Without strict, the messages that hold most of the words are returned.".into());
        }
        if !query.exclusions().is_empty() {
            let excluded =
                query.exclusions().iter().map(|clause| words.show(&format!("-{}", clause.typed())));
            hints.push(format!("Messages that hold what was excluded are left out: {}.", list(excluded)));
        }
        let phrases = query.clauses().filter(|(_, clause)| clause.kind() == ClauseKind::Phrase);
        let phrases: Vec<_> = phrases.map(|(_, clause)| words.show(clause.typed())).collect();
        if !phrases.is_empty() {
            hints.push(format!(
                "A phrase in quotes must occur word for word ({}); try its telling words without quotes.",
                list(phrases.into_iter())
            ));
        }
        hints.push(advice(context, query));
    }
}

fn nothing_there(context: &Context, pending: bool) -> String {
    match (context.is_operator(), pending) {
        (_, true) => "No message that may be seen is indexed yet; ask again in a moment.".into(),
        (true, false) => "There is no message to search; import or append some first.".into(),
        (false, false) => {
            format!("This caller sees no session with messages (visibility: {}).", scope_name(context))
        }
    }
}

/// The last hint of an empty answer: always something to try.
fn advice(context: &Context, query: &Query) -> String {
    let seen = if context.is_operator() {
        String::new()
    } else {
        format!(" Searched were the sessions this caller may see (visibility: {}).", scope_name(context))
    };
    let advice = if query.groups().len() > 1 {
        "No message matches the whole query; try fewer or other words, or word* for words that begin so."
    } else {
        "No message matches; try another word, its stem with * (migrat*), or a part of it."
    };
    format!("{advice}{seen}")
}

fn scope_name(context: &Context) -> &'static str {
    match context.policy().effective_scope() {
        Scope::Own => "self",
        Scope::Tree => "tree",
        Scope::Agent => "agent",
        Scope::All => "all",
    }
}

/// Shows words of a query.
struct Words<'a> {
    cleaner: &'a Cleaner,
    /// The whole query, scrubbed: a secret may be one only beside the words around it.
    scrubbed: String,
}

impl<'a> Words<'a> {
    fn new(cleaner: &'a Cleaner, query: &str) -> Words<'a> {
        Words { cleaner, scrubbed: cleaner.scrub(query).text.into_owned() }
    }

    /// A piece as typed, cut, in quotes; a marker where it is, or is part of, a secret.
    fn show(&self, typed: &str) -> String {
        let cleaned = self.cleaner.clean(typed);
        if cleaned.redacted || !self.scrubbed.contains(typed) {
            return REDACTED.into();
        }
        let mut shown: String = cleaned.text.split_whitespace().collect::<Vec<_>>().join(" ");
        if let Some((at, _)) = shown.char_indices().nth(WORD_CHARS) {
            shown.truncate(at);
            shown.push('…');
        }
        format!("`{shown}`")
    }

    fn ignored(&self, query: &Query) -> Vec<String> {
        let pieces = |short: bool| {
            let of_kind = move |piece: &&Ignored| matches!(piece, Ignored::ShortPrefix(_)) == short;
            query.ignored().iter().filter(of_kind).map(|piece| self.show(piece.typed())).collect::<Vec<_>>()
        };
        let mut hints = Vec::new();
        let (no_word, short) = (pieces(false), pieces(true));
        if !no_word.is_empty() {
            hints.push(format!("Ignored, since there is no word in it: {}.", list(no_word.into_iter())));
        }
        if !short.is_empty() {
            hints.push(format!(
                "The * was ignored, since it needs at least two characters before it: {}.",
                list(short.into_iter())
            ));
        }
        hints
    }

    fn nowhere(&self, query: &Query, statistics: &Statistics, pending: bool) -> Option<String> {
        let absent = query.clauses().zip(&statistics.frequencies).filter(|(_, frequency)| **frequency == 0);
        let absent: Vec<_> = absent.map(|((_, clause), _)| self.show(clause.typed())).collect();
        let so_far = if pending { " indexed so far" } else { "" };
        (!absent.is_empty())
            .then(|| format!("No visible message{so_far} holds: {}.", list(absent.into_iter())))
    }

    fn near(&self, spellings: Vec<Spelling>) -> Option<String> {
        let shown = spellings.into_iter().filter_map(|spelling| {
            let typed = self.show(&spelling.typed);
            (typed != REDACTED).then(|| format!("`{}` for {typed}", spelling.near))
        });
        let shown: Vec<_> = shown.collect();
        (!shown.is_empty()).then(|| format!("Near spellings that do occur: {}.", list(shown.into_iter())))
    }

    /// The words that hits of a relaxed search do without.
    fn left_out(&self, query: &Query, shown: &[Shown]) -> Option<String> {
        let mut first = 0;
        let mut missing = Vec::new();
        for group in query.groups() {
            let clauses = first..first + group.clauses().len();
            first = clauses.end;
            let bits = clauses.filter(|n| *n < 64).fold(0_u64, |bits, n| bits | 1 << n);
            let without = shown.iter().filter(|shown| shown.clauses & bits == 0).count();
            if without == shown.len() {
                missing.push(format!("{} (in every hit)", self.group(group)));
            } else if without > 0 {
                missing.push(format!("{} (in some hits)", self.group(group)));
            }
        }
        (!missing.is_empty()).then(|| {
            format!(
                "No message holds all the words, so these hold most of them. Left out: {}.",
                list(missing.into_iter())
            )
        })
    }

    fn group(&self, group: &Group) -> String {
        group.clauses().iter().map(|clause| self.show(clause.typed())).collect::<Vec<_>>().join(" OR ")
    }
}

/// The first few, joined by commas.
fn list(items: impl Iterator<Item = String>) -> String {
    let mut items: Vec<String> = items.collect();
    let more = items.len().saturating_sub(NAMED_WORDS);
    items.truncate(NAMED_WORDS);
    let named = items.join(", ");
    if more > 0 { format!("{named} and {more} more") } else { named }
}
