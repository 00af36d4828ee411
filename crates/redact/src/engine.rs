//! The prefilter and the patterns behind it: built once, patterns compiled when first needed.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};
use regex::bytes::{Regex, RegexBuilder};

use crate::flags::COMMANDS;
use crate::rules::{Place, Rule};
use crate::{keyname, phrase, rules};

/// What to do where a keyword stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Action {
    /// Try the rule of this number.
    Rule(usize),
    /// Look at the name around.
    Name,
    /// `://`.
    Url,
    PemBegin,
    PemEnd,
    Putty,
    Authorization,
    Bearer,
    Cookie,
    /// A query parameter that is a secret by its name alone.
    Query,
    /// A command of this number.
    Command(usize),
    Echoed,
    Phrase,
}

/// Keywords with an action of their own.
const FIXED: &[(&str, Action)] = &[
    ("://", Action::Url),
    ("-----BEGIN", Action::PemBegin),
    ("---- BEGIN", Action::PemBegin),
    ("-----END", Action::PemEnd),
    ("Private-Lines:", Action::Putty),
    ("authorization", Action::Authorization),
    ("bearer ", Action::Bearer),
    ("cookie", Action::Cookie),
    ("password-stdin", Action::Echoed),
    ("password-command", Action::Echoed),
    ("&code=", Action::Query),
    ("?code=", Action::Query),
    ("&sig=", Action::Query),
    ("&signature=", Action::Query),
    ("Credential=", Action::Query),
];

/// All rules, ready to run.
pub(crate) struct Engine {
    pub(crate) keywords: AhoCorasick,
    actions: Vec<Vec<Action>>,
    rules: Vec<(&'static Rule, OnceLock<Option<Regex>>)>,
    /// Rules that are tried on whole runs.
    pub(crate) run_rules: Vec<usize>,
}

/// The engine of the built-in rules.
pub(crate) fn built_in() -> &'static Engine {
    static ENGINE: OnceLock<Engine> = OnceLock::new();
    ENGINE.get_or_init(Engine::new)
}

impl Engine {
    fn new() -> Engine {
        let rules: Vec<_> = rules::all().map(|rule| (rule, OnceLock::new())).collect();
        let mut by_word: BTreeMap<String, Vec<Action>> = BTreeMap::new();
        let mut add = |word: &str, action| by_word.entry(word.to_ascii_lowercase()).or_default().push(action);
        for (number, (rule, _)) in rules.iter().enumerate() {
            for word in rule.keywords {
                add(word, Action::Rule(number));
            }
        }
        for word in keyname::STEMS.split_whitespace() {
            add(word, Action::Name);
        }
        for (word, action) in FIXED {
            add(word, *action);
        }
        for (number, command) in COMMANDS.iter().enumerate() {
            add(command.name, Action::Command(number));
        }
        for word in phrase::STEMS {
            add(word, Action::Phrase);
        }
        let run_rules =
            rules.iter().enumerate().filter(|(_, r)| r.0.place == Place::Run).map(|(n, _)| n).collect();
        let words: Vec<&String> = by_word.keys().collect();
        Engine { keywords: automaton(&words), actions: by_word.into_values().collect(), rules, run_rules }
    }

    pub(crate) fn actions(&self, keyword: usize) -> &[Action] {
        self.actions.get(keyword).map_or(&[], Vec::as_slice)
    }

    pub(crate) fn rule_count(&self) -> usize {
        self.rules.len()
    }

    pub(crate) fn rule(&self, number: usize) -> &'static Rule {
        self.rules[number].0
    }

    /// The compiled pattern of a rule; `None` if it does not compile, which a test rules out.
    pub(crate) fn pattern(&self, number: usize) -> Option<&Regex> {
        let (rule, cell) = &self.rules[number];
        cell.get_or_init(|| compile(rule)).as_ref()
    }
}

fn automaton(words: &[&String]) -> AhoCorasick {
    let built = AhoCorasick::builder()
        .ascii_case_insensitive(true)
        .match_kind(MatchKind::Standard)
        .kind(Some(AhoCorasickKind::DFA))
        .build(words);
    match built {
        Ok(automaton) => automaton,
        // Too many keywords for the table's limits: fewer than the test of the table allows. Nothing may pass unseen.
        Err(_) => panic!("the table of keywords is too large"),
    }
}

fn compile(rule: &Rule) -> Option<Regex> {
    let pattern =
        if rule.place == Place::Start { format!(r"\A(?:{})", rule.pattern) } else { rule.pattern.to_owned() };
    RegexBuilder::new(&pattern).unicode(false).size_limit(1 << 20).build().ok()
}
