//! Generated messages: seeded, with a Zipf vocabulary, lengths like those of real conversations (a median of about 90
//! characters and a long tail), and one tenth in Chinese.

use std::collections::{HashMap, HashSet};

use session_search_core::{Millis, Role};

/// Words of the Latin vocabulary.
const VOCABULARY: usize = 60_000;
/// Characters that Chinese words are made of: U+4E00 and on.
const HAN: u64 = 3_000;
/// Sessions of many messages, and how many those have at least.
const LONG: usize = 2;
const LONG_MESSAGES: usize = 950;
/// Chinese words of two characters.
const HAN_WORDS: usize = 20_000;

/// One generated message.
pub(crate) struct Message {
    /// Number of its session.
    pub(crate) session: usize,
    /// Number within the whole corpus.
    pub(crate) number: usize,
    /// Who said it.
    pub(crate) role: Role,
    /// When.
    pub(crate) timestamp: Millis,
    /// What.
    pub(crate) text: String,
}

impl Message {
    /// The key of its session.
    pub(crate) fn session_key(&self) -> String {
        key(self.session)
    }

    /// Its id.
    pub(crate) fn id(&self) -> String {
        format!("m{:x}", self.number)
    }

    /// The event as a runtime would write it.
    pub(crate) fn event(&self, parent: Option<&str>) -> String {
        serde_json::json!({
            "type": "message", "id": self.id(), "parentId": parent, "timestamp": self.timestamp.0,
            "message": {"role": self.role.as_str(), "content": [{"type": "text", "text": self.text}]},
        })
        .to_string()
    }
}

/// The key of a session by its number.
pub(crate) fn key(session: usize) -> String {
    format!("agent:main:chat:{session}")
}

/// A small generator (xorshift64*): the same seed gives the same corpus everywhere.
pub(crate) struct Random(u64);

impl Random {
    /// Starts it; zero is no seed.
    pub(crate) fn new(seed: u64) -> Random {
        Random(seed.max(1).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// A number below `bound`.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() >> 11).unwrap_or(0) % bound.max(1)
    }

    /// From 0 to 1.
    #[expect(clippy::cast_precision_loss, reason = "53 bits fit")]
    fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// Cumulative weights of a Zipf distribution with exponent 1.
#[expect(clippy::cast_precision_loss, reason = "a rank")]
fn zipf(size: usize) -> Vec<f64> {
    let mut sum = 0.0;
    let weights: Vec<f64> = (1..=size)
        .map(|rank| {
            sum += 1.0 / rank as f64;
            sum
        })
        .collect();
    weights.iter().map(|weight| weight / sum).collect()
}

/// Makes `count` messages in `sessions` sessions, in the order of time.
pub(crate) fn generate(seed: u64, count: usize, sessions: usize) -> Vec<Message> {
    let mut random = Random::new(seed);
    let latin: Vec<String> = (0..VOCABULARY).map(|rank| latin_word(rank, &mut random)).collect();
    let han: Vec<String> = (0..HAN_WORDS).map(|_| han_word(&mut random)).collect();
    let (latin_weights, han_weights) = (zipf(VOCABULARY), zipf(HAN_WORDS));
    let start = 1_700_000_000_000_i64;
    let mut messages = Vec::with_capacity(count);
    let mut long = [0; LONG];
    for number in 0..count {
        // Sessions come one after another, a few at a time, as they do in life.
        let around = number * sessions / count;
        let mut session = (around + random.below(4)).min(sessions - 1);
        // A few of them go on for long.
        let which = number * (LONG + 1) / count;
        if let Some(said) = which.checked_sub(1).and_then(|which| long.get_mut(which))
            && *said < LONG_MESSAGES
            && random.below(4) == 0
        {
            session = which * sessions / (LONG + 1);
            *said += 1;
        }
        let characters = length(&mut random);
        let text = if random.below(10) == 0 {
            sentence(characters / 2, &han, &han_weights, "", &mut random)
        } else {
            sentence(characters, &latin, &latin_weights, " ", &mut random)
        };
        let role = if random.below(5) == 0 { Role::User } else { Role::Assistant };
        let timestamp = Millis(start + i64::try_from(number).unwrap_or(0) * 30_000);
        messages.push(Message { session, number, role, timestamp, text });
    }
    messages
}

/// Log-normal: a median of 90 characters, one in a hundred above 2,500.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped")]
fn length(random: &mut Random) -> usize {
    let normal =
        (-2.0 * random.unit().max(1e-12).ln()).sqrt() * (std::f64::consts::TAU * random.unit()).cos();
    (90.0 * (1.4 * normal).exp()).clamp(4.0, 12_000.0) as usize
}

fn sentence(
    characters: usize,
    words: &[String],
    weights: &[f64],
    space: &str,
    random: &mut Random,
) -> String {
    let mut text = String::with_capacity(characters + 16);
    let mut written = 0;
    while written < characters {
        let drawn = random.unit();
        let at = weights.partition_point(|weight| *weight < drawn).min(words.len() - 1);
        if written > 0 {
            text.push_str(space);
        }
        text.push_str(&words[at]);
        written += words[at].chars().count() + space.len();
    }
    text.push(if space.is_empty() { '。' } else { '.' });
    text
}

/// Frequent words are short; the rank is spelled into the word, so that no two are equal.
fn latin_word(rank: usize, random: &mut Random) -> String {
    const ONSETS: [&str; 16] =
        ["b", "d", "f", "g", "k", "l", "m", "n", "p", "r", "s", "t", "v", "st", "tr", "ch"];
    const VOWELS: [&str; 5] = ["a", "e", "i", "o", "u"];
    let mut word = String::new();
    let mut rest = rank + 1;
    while rest > 0 {
        word.push_str(ONSETS[rest % 16]);
        word.push_str(VOWELS[(rest / 16) % 5]);
        rest /= 80;
    }
    if rank > 2_000 && random.below(2) == 0 {
        word.push_str("ing");
    }
    word
}

fn han_word(random: &mut Random) -> String {
    let mut character = || {
        let code = 0x4e00 + u64::try_from(random.below(usize::try_from(HAN).unwrap_or(1))).unwrap_or(0);
        char::from_u32(u32::try_from(code).unwrap_or(0x4e00)).unwrap_or('一')
    };
    [character(), character()].iter().collect()
}

/// Words with their number of messages.
pub(crate) struct Frequencies(HashMap<String, usize>);

impl Frequencies {
    /// Counts the words of a corpus by splitting at spaces; of Chinese text its pairs.
    pub(crate) fn count(messages: &[Message]) -> Frequencies {
        let mut counts: HashMap<String, usize> = HashMap::new();
        for message in messages {
            let mut seen = HashSet::new();
            if message.text.starts_with(|c: char| c >= '\u{4e00}') {
                let characters: Vec<char> = message.text.trim_end_matches('。').chars().collect();
                seen.extend(characters.windows(2).map(|pair| pair.iter().collect::<String>()));
            } else {
                seen.extend(message.text.trim_end_matches('.').split(' ').map(str::to_owned));
            }
            for word in seen {
                *counts.entry(word).or_default() += 1;
            }
        }
        Frequencies(counts)
    }

    /// The words nearest to that number of messages, nearest first; Chinese ones or others.
    pub(crate) fn nearest(&self, target: usize, chinese: bool) -> Vec<&str> {
        let mut words: Vec<(&str, usize)> = self
            .0
            .iter()
            .filter(|(word, _)| word.starts_with(|c: char| c >= '\u{4e00}') == chinese)
            .map(|(word, count)| (word.as_str(), *count))
            .collect();
        words.sort_unstable_by_key(|(word, count)| (count.abs_diff(target), *word));
        words.into_iter().take(8).map(|(word, _)| word).collect()
    }

    /// In how many messages a word stands.
    pub(crate) fn of(&self, word: &str) -> usize {
        self.0.get(word).copied().unwrap_or(0)
    }
}
