//! No search confirms a secret: two homes that differ only in the characters of secrets give the same bytes to every
//! question, whoever asks.

use std::collections::BTreeSet;

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use session_search_api::core::Role;
use session_search_api::core::store::Order;
use session_search_api::core::visibility::{AgentToAgent, Policy, Scope};
use session_search_api::redact::Redactor;
use session_search_api::{AppendRequest, Context, HistoryRequest, ListRequest, SearchRequest};

use crate::world::{Question, World, caller, name, runtime, search};

const WORDS: [&str; 8] = ["quokka", "backoff", "deploy", "会议室", "user_name", "café", "push", "rotated"];
const KEYS: [&str; 4] = ["agent:main:a", "agent:main:b", "agent:main:c", "agent:ops:a"];

/// Letters and digits by chance, the same for the same seed.
fn random(seed: u64, count: usize) -> String {
    const ALPHABET: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize
    };
    (0..count).map(|_| char::from(ALPHABET[next() % ALPHABET.len()])).collect()
}

/// A text around a secret, and the secret.
fn secret(kind: usize, seed: u64) -> (String, String) {
    let word = |n: usize| WORDS[(seed >> (8 * n)) as usize % 3];
    let (around, secret) = match kind % 8 {
        0 => ("@".to_owned(), ["ghp", "_", &random(seed, 36)].concat()),
        1 => ("DB_PASSWORD=@".to_owned(), format!("{}!7{}", random(seed, 9), random(seed ^ 1, 6))),
        2 => ("DB_PASSWORD='@'".to_owned(), format!("{}-{}9!{}", word(0), random(seed, 4), word(1))),
        3 => ("postgres://app:@@db.internal/x".to_owned(), format!("{}4x", random(seed, 18))),
        4 => {
            ("Authorization: Bearer @".to_owned(), format!("{}5t{}", random(seed, 20), random(seed ^ 2, 18)))
        }
        5 => ("{\"api_key\": \"@\"}".to_owned(), format!("{}8q{}", random(seed, 14), random(seed ^ 3, 16))),
        6 => (
            ["-----BEGIN RSA PRIVATE", " KEY-----\n@\n-----END RSA PRIVATE", " KEY-----"].concat(),
            [random(seed, 64), random(seed ^ 4, 64), random(seed ^ 5, 64), random(seed ^ 6, 40)].join("\n"),
        ),
        _ => ("mysql --password @ app".to_owned(), format!("{}7z!{}", word(2), random(seed, 8))),
    };
    (around.replacen('@', &secret, 1), secret)
}

/// A message to be: its session, the words before and behind the secret, which secret, if any.
#[derive(Debug, Clone)]
struct Told {
    session: usize,
    before: Vec<usize>,
    after: Vec<usize>,
    secret: Option<usize>,
    user: bool,
}

/// A question to be: parts of a query, and how it is asked.
#[derive(Debug, Clone)]
struct Asked {
    parts: Vec<Part>,
    strict: bool,
    recent: bool,
    exclude_current: bool,
    role: usize,
    session: usize,
    per_session: Option<i64>,
    limit: i64,
}

/// A part of a query: a word or a piece of a secret, and what is done with it.
#[derive(Debug, Clone)]
struct Part {
    form: usize,
    word: usize,
    secret: usize,
    from: usize,
    len: usize,
    mine: bool,
}

#[derive(Debug, Clone)]
struct Guess {
    told: Vec<Told>,
    kinds: Vec<usize>,
    one: Vec<u64>,
    other: Vec<u64>,
    asked: Vec<Asked>,
    caller: usize,
}

fn guess() -> impl Strategy<Value = Guess> {
    let words = || prop::collection::vec(0..WORDS.len(), 0..4);
    let told = (0..KEYS.len(), words(), words(), prop::option::weighted(0.8, 0..3_usize), any::<bool>())
        .prop_map(|(session, before, after, secret, user)| Told { session, before, after, secret, user });
    let part = (0..9_usize, 0..WORDS.len(), 0..3_usize, 0..24_usize, 1..40_usize, any::<bool>())
        .prop_map(|(form, word, secret, from, len, mine)| Part { form, word, secret, from, len, mine });
    let how = (any::<(bool, bool, bool)>(), 0..4_usize, 0..9_usize, prop::option::of(1..4_i64), 1..8_i64);
    let asked = (prop::collection::vec(part, 1..5), how).prop_map(
        |(parts, ((strict, recent, exclude_current), role, session, per_session, limit))| Asked {
            parts,
            strict,
            recent,
            exclude_current,
            role,
            session,
            per_session,
            limit,
        },
    );
    (
        prop::collection::vec(told, 1..8),
        prop::collection::vec(0..8_usize, 3),
        prop::collection::vec(any::<u64>(), 3),
        prop::collection::vec(any::<u64>(), 3),
        prop::collection::vec(asked, 1..9),
        0..6_usize,
    )
        .prop_map(|(told, kinds, one, other, asked, caller)| Guess {
            told,
            kinds,
            one,
            other,
            asked,
            caller,
        })
}

impl Guess {
    fn text(&self, told: &Told, seeds: &[u64]) -> String {
        let words = |list: &[usize]| list.iter().map(|w| WORDS[*w]).collect::<Vec<_>>().join(" ");
        let middle = told.secret.map_or("plain".to_owned(), |n| secret(self.kinds[n], seeds[n]).0);
        format!("{} {middle} {}", words(&told.before), words(&told.after))
    }

    fn context(&self) -> Context {
        let everyone = Policy {
            scope: Scope::All,
            agent_to_agent: AgentToAgent { enabled: true, allow: vec![] },
            ..Policy::default()
        };
        match self.caller {
            0 => Context::operator(),
            1 => caller("main", KEYS[0], Scope::Own),
            2 => caller("main", KEYS[0], Scope::Tree),
            3 => caller("main", KEYS[1], Scope::Agent),
            4 => Context::session(name("ops", KEYS[3]), everyone),
            _ => caller("lab", "agent:lab:ghost", Scope::Agent),
        }
    }

    /// A part as it is typed; what it names may be in one home, in the other, or in none.
    fn typed(&self, part: &Part) -> String {
        let seeds = if part.mine { &self.one } else { &self.other };
        let (around, secret) = secret(self.kinds[part.secret], seeds[part.secret]);
        let piece: String = secret.chars().skip(part.from % 12).take(part.len).collect();
        let start: String = secret.chars().take(part.len).collect();
        let line: String = around.chars().take(part.len + 8).collect();
        let word = WORDS[part.word];
        match part.form {
            0 => word.to_owned(),
            1 => start,
            2 => format!("{start}*"),
            3 => format!("\"{word} {start}\"").replace('\n', " "),
            4 => format!("-{start}"),
            5 => format!("{word} OR {piece}"),
            6 => format!("-\"{piece} {word}\"").replace('\n', " "),
            7 => line.replace('"', ""),
            _ => format!("{}*", piece.to_lowercase()),
        }
    }

    fn questions(&self) -> Vec<Question> {
        let search_of = |asked: &Asked| SearchRequest {
            strict: asked.strict,
            order: asked.recent.then_some(Order::Recent),
            exclude_current: asked.exclude_current,
            role: [None, None, Some(Role::User), Some(Role::Assistant)][asked.role],
            session_key: KEYS.get(asked.session).map(|key| (*key).to_owned()),
            per_session: asked.per_session,
            limit: Some(asked.limit),
            ..search(&asked.parts.iter().map(|p| self.typed(p)).collect::<Vec<_>>().join(" "))
        };
        let mut questions: Vec<Question> =
            self.asked.iter().map(|a| Question::Search(search_of(a))).collect();
        questions.push(Question::List(ListRequest::default()));
        questions.extend(KEYS.iter().map(|key| Question::History(HistoryRequest::newest(*key))));
        questions
    }

    async fn fill(&self, world: &World, seeds: &[u64]) {
        for (n, told) in self.told.iter().enumerate() {
            let title = told.secret.map(|s| format!("about {}", secret(self.kinds[s], seeds[s]).0));
            let to = AppendRequest {
                title,
                session_id: Some(format!("t{}", told.session)),
                ..AppendRequest::to(KEYS[told.session])
            };
            let role = if told.user { "user" } else { "assistant" };
            world.append(to, &[(&format!("m{n}"), role, &self.text(told, seeds), 1_000 + n as i64)]).await;
        }
    }

    /// Whether the texts are the same once scrubbed: a secret that is told apart by what is not hidden of it is no
    /// matter of searches.
    fn differ_only_in_secrets(&self) -> bool {
        let redactor = Redactor::built_in();
        self.told.iter().all(|told| {
            let (one, other) = (self.text(told, &self.one), self.text(told, &self.other));
            redactor.scrub(&one).text == redactor.scrub(&other).text
        })
    }
}

async fn same_answers(one: &World, other: &World, guess: &Guess) -> Result<(), TestCaseError> {
    prop_assume!(guess.differ_only_in_secrets());
    guess.fill(one, &guess.one).await;
    guess.fill(other, &guess.other).await;
    let (context, questions) = (guess.context(), guess.questions());
    let answers = one.answers(&context, &questions).await;
    let others = other.answers(&context, &questions).await;
    for ((question, answer), other) in questions.iter().zip(&answers).zip(&others) {
        prop_assert_eq!(answer, other, "{:?}", question);
    }
    // Nothing of a secret is in an answer, except where the question said it: hints repeat the query, scrubbed.
    let seeds: BTreeSet<(usize, u64)> =
        guess.told.iter().filter_map(|t| t.secret).map(|s| (guess.kinds[s], guess.one[s])).collect();
    for (kind, seed) in seeds {
        let secret = secret(kind, seed).1;
        for (question, answer) in questions.iter().zip(&answers) {
            let asked = matches!(question, Question::Search(_));
            let shown =
                secret.as_bytes().windows(8).any(|w| answer.contains(std::str::from_utf8(w).unwrap()));
            prop_assert!(asked || !shown, "{:?}", question);
        }
    }
    Ok(())
}

fn law(cases: u32, check: impl Fn(Guess) -> Result<(), TestCaseError>) {
    let config = Config { cases, failure_persistence: None, max_shrink_iters: 1_000, ..Config::default() };
    TestRunner::new(config).run(&guess(), check).unwrap();
}

#[test]
fn no_question_tells_two_secrets_apart() {
    let runtime = runtime();
    law(1_000, |guess| runtime.block_on(same_answers(&World::memory(), &World::memory(), &guess)));
}

#[test]
fn no_question_tells_two_secrets_apart_in_sqlite() {
    let runtime = runtime();
    law(40, |guess| runtime.block_on(same_answers(&World::sqlite(), &World::sqlite(), &guess)));
}

/// The law above is about something: the same questions do tell words apart that are no secrets.
#[test]
fn questions_tell_plain_words_apart() {
    runtime().block_on(async {
        let (one, other) = (World::memory(), World::memory());
        one.say(KEYS[0], &[("m", "user", "the word is quokka", 1)]).await;
        other.say(KEYS[0], &[("m", "user", "the word is backoff", 1)]).await;
        let questions = [Question::Search(search("quok*"))];
        let context = Context::operator();
        assert_ne!(one.answers(&context, &questions).await, other.answers(&context, &questions).await);
    });
}
