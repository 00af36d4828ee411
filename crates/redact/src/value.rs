//! What a value looks like: a literal worth hiding, a placeholder, a reference to a secret kept elsewhere, code.

use std::sync::OnceLock;

use aho_corasick::AhoCorasick;

use crate::chars::{at, is_alnum, is_token};
use crate::words;

/// Accepts everything: for patterns that say all there is to say.
pub(crate) fn anything(_: &[u8]) -> bool {
    true
}

/// At least one digit.
pub(crate) fn has_digit(value: &[u8]) -> bool {
    value.iter().any(u8::is_ascii_digit)
}

/// A digit, or letters of no word: what a prefix with few words behind it needs.
pub(crate) fn no_words(value: &[u8]) -> bool {
    has_digit(value) || random_case(value)
}

/// Letters of both cases.
pub(crate) fn mixed_case(value: &[u8]) -> bool {
    value.iter().any(u8::is_ascii_lowercase) && value.iter().any(u8::is_ascii_uppercase)
}

/// Not words joined by dashes: digits among the letters, or both cases in turn.
pub(crate) fn mixed(value: &[u8]) -> bool {
    let digits = value.iter().filter(|b| b.is_ascii_digit()).count();
    (digits >= 2 && turns(value) >= 2)
        || (digits >= 1 && turns(value) >= 4 && mixed_case(value))
        || (digits == 0 && !word_like(value))
}

/// The same for what is no name of anything: capitals in a row that end within a word are enough.
pub(crate) fn uneven(value: &[u8]) -> bool {
    let ended =
        |w: &&[u8]| w[0].is_ascii_uppercase() && w[1].is_ascii_uppercase() && w[2].is_ascii_lowercase();
    mixed(value) || value.windows(3).filter(ended).count() >= 2
}

/// Not one of the credentials that documentation prints.
pub(crate) fn not_example(value: &[u8]) -> bool {
    !contains_ci(value, b"example")
}

/// A base64 header that says how a JSON web token is signed or encrypted.
pub(crate) fn jwt_header(value: &[u8]) -> bool {
    // `"alg"`, `"typ"`, `"enc"`, `"kid"` and `"cty"` at the offsets at which base64 can hold them.
    const NAMES: &[&[u8]] =
        &[b"hbGci", b"0eXAi", b"lbmMi", b"raWQi", b"jdHki", b"iYWxn", b"InR5c", b"Imtpc", b"0aWQi"];
    value.len() >= 20 && NAMES.iter().any(|name| memchr::memmem::find(value, name).is_some())
}

/// How often the class changes between neighbours: lower case, upper case, digit. A capital that begins a word counts
/// once, so that `camelCase` stays low and random text is high.
pub(crate) fn turns(value: &[u8]) -> usize {
    let class = |b: u8| match b {
        b'0'..=b'9' => 1,
        b'a'..=b'z' => 2,
        b'A'..=b'Z' => 3,
        _ => 0,
    };
    value
        .windows(2)
        .filter(|w| {
            let (a, b) = (class(w[0]), class(w[1]));
            a != b && a != 0 && b != 0 && !(a == 3 && b == 2)
        })
        .count()
}

/// Shannon entropy in bits a byte.
pub(crate) fn entropy(value: &[u8]) -> f32 {
    let mut counts = [0u32; 256];
    for &b in value {
        counts[usize::from(b)] += 1;
    }
    let total = value.len().max(1) as f32;
    counts.iter().filter(|&&n| n > 0).map(|&n| n as f32 / total).map(|p| -p * p.log2()).sum()
}

/// `8-4-4-4-12` hexadecimal digits.
pub(crate) fn is_uuid(value: &[u8]) -> bool {
    value.len() == 36
        && value.iter().enumerate().all(|(i, b)| match i {
            8 | 13 | 18 | 23 => *b == b'-',
            _ => b.is_ascii_alphanumeric(),
        })
}

pub(crate) fn is_hex(value: &[u8]) -> bool {
    value.iter().all(u8::is_ascii_hexdigit)
}

pub(crate) fn contains_ci(value: &[u8], what: &[u8]) -> bool {
    value.windows(what.len()).any(|w| w.eq_ignore_ascii_case(what))
}

/// Whether one of the words is in the value, ASCII case ignored; the automaton is built at the first call.
pub(crate) fn contains_any(cell: &OnceLock<Option<AhoCorasick>>, words: &[&[u8]], value: &[u8]) -> bool {
    cell.get_or_init(|| AhoCorasick::builder().ascii_case_insensitive(true).build(words).ok())
        .as_ref()
        .is_none_or(|automaton| automaton.is_match(value))
}

/// Too little variety for a credential: `xxxxxxxx`, `00000000`, `FakeFakeFake`, the alphabet, `1234567890`.
pub(crate) fn is_filler(value: &[u8]) -> bool {
    if value.len() < 6 {
        return false;
    }
    let mut counts = [0u16; 128];
    for b in value.iter().filter(|b| b.is_ascii()) {
        let n = &mut counts[usize::from(b.to_ascii_lowercase())];
        *n = n.saturating_add(1);
    }
    let distinct = counts.iter().filter(|n| **n > 0).count();
    let most = usize::from(counts.iter().copied().max().unwrap_or(0));
    if (distinct <= 2 && !(value.len() < 12 && distinct == 2)) || (value.len() >= 16 && distinct <= 4) {
        return true;
    }
    if most * 10 >= value.len() * 7 {
        return true;
    }
    let steps = value.windows(2).filter(|w| follows(w[0], w[1])).count();
    value.len() >= 8
        && (steps + 1 == value.len() || (value.len() >= 16 && steps * 100 >= (value.len() - 1) * 85))
}

/// Whether `b` is what comes after `a` when someone types the alphabet or counts.
fn follows(a: u8, b: u8) -> bool {
    let (a, b) = (a.to_ascii_lowercase(), b.to_ascii_lowercase());
    a.wrapping_add(1) == b || matches!((a, b), (b'9', b'0' | b'a') | (b'z', b'a' | b'0') | (b'0', b'a'))
}

/// Whether a value is a word that stands for a secret.
pub(crate) fn is_stand_in(value: &[u8]) -> bool {
    value.len() <= 16
        && std::str::from_utf8(value).is_ok_and(|v| words::means(&v.to_ascii_lowercase(), words::STAND_IN))
}

/// What a made-up or masked value contains.
const STAND_IN_PARTS: &[&[u8]] = &[
    b"example",
    b"placeholder",
    b"changeme",
    b"change_me",
    b"change-me",
    b"xxxx",
    b"redacted",
    b"****",
    b"...",
    b"your_",
    b"your-",
    b"yourkey",
    b"yourtoken",
    b"yourpass",
    b"yoursecret",
    b"your ",
    b"dummy",
    b"replace_",
    b"replace-",
    b"insert_",
    b"not_a_real",
    b"notareal",
    b"_here",
    b"-here",
    b"keyhere",
    b"tokenhere",
    b"my-secret",
    b"my_secret",
    b"mysecretpassword",
    b"todo:",
];

/// A value that stands for a secret and is none: a word from the list, `<your key>`, `***`, `sk-pro...EFGH`.
pub(crate) fn is_placeholder(value: &[u8]) -> bool {
    if !std::str::from_utf8(value).is_ok_and(|v| v.chars().any(char::is_alphanumeric)) {
        return true;
    }
    if is_stand_in(value) {
        return true;
    }
    static PARTS: OnceLock<Option<AhoCorasick>> = OnceLock::new();
    contains_any(&PARTS, STAND_IN_PARTS, value)
        || memchr::memmem::find(value, "…".as_bytes()).is_some()
        || is_filler(value)
        || is_filler(after_prefix(value))
        || (value.len() < 12 && value.iter().all(|b| matches!(b, b'x' | b'X' | b'*' | b'.' | b'-' | b'_')))
}

/// What follows the last `_` or `-`, where that is most of the value.
fn after_prefix(value: &[u8]) -> &[u8] {
    let start = value.iter().rposition(|b| matches!(b, b'_' | b'-')).map_or(0, |i| i + 1);
    let rest = &value[start..];
    if rest.len() >= 12 && rest.len() * 5 >= value.len() * 3 { rest } else { &[] }
}

/// Beginnings of what names a secret instead of being one.
const REFERENCES: &[&[u8]] = &[
    b"op://",
    b"vault:",
    b"keyring:",
    b"env:",
    b"file:",
    b"ssm:",
    b"arn:",
    b"http://",
    b"https://",
    b"projects/",
    b"secrets.",
    b"secret/",
    b"secret://",
    b"os.environ",
    b"os.getenv",
    b"process.env",
    b"env.",
    b"ENV[",
    b"config.",
    b"settings.",
    b"self.",
    b"this.",
    b"std::",
    b"import.meta",
    b"var.",
    b"local.",
    b"data.",
    b"module.",
    b"@Microsoft.KeyVault",
    b"ENC[",
    b"encrypted:",
    b"!Ref",
    b"!Sub",
    b"!secret",
    b"aws-sm:",
    b"gcp-sm:",
    b"sops:",
    b"kv://",
    b"awskms://",
    b"mailto:",
    b"sha256:",
    b"sha512-",
    b"sha384-",
    b"sha1-",
    b"md5=",
    b"ssh-",
    b"bearer ",
];

/// A class of a regular expression: `[a-z0-9-]{1,20}`.
fn is_pattern(value: &[u8]) -> bool {
    value.starts_with(b"[")
        && [&b"a-z"[..], b"A-Z", b"0-9"].iter().any(|c| memchr::memmem::find(value, c).is_some())
}

/// A value that says where the secret is: `${TOKEN}`, `$(cat f)`, `{{ token }}`, `%TOKEN%`, `<token>`, `op://…`,
/// `process.env.X`, a path, a call.
pub(crate) fn is_reference(value: &[u8]) -> bool {
    let first = at(value, 0);
    let last = at(value, value.len().wrapping_sub(1));
    match first {
        b'$' => return dollar_reference(value),
        b'{' if last == b'}' => return true,
        b'{' if at(value, 1) == b'{' => return true,
        b'<' => return true,
        b'[' if last == b']' => return true,
        b'%' if last == b'%' && value.len() > 2 => return true,
        b'/' | b'~' if is_path(value) => return true,
        b'.' if at(value, 1) == b'/' || at(value, 1) == b'.' => return true,
        _ => {}
    }
    REFERENCES.iter().any(|r| value.len() >= r.len() && value[..r.len()].eq_ignore_ascii_case(r))
        || is_call(value)
        || is_pattern(value)
        || is_path(value)
}

fn dollar_reference(value: &[u8]) -> bool {
    match at(value, 1) {
        b'{' => value.ends_with(b"}") || !value.contains(&b'}'),
        b'(' | b'[' | b'<' => true,
        _ => {
            let body = &value[1..];
            body.len() <= 1
                || body.iter().all(|b| {
                    is_alnum(*b)
                        || matches!(*b, b'_' | b'.' | b':' | b'$' | b'-' | b'>' | b'[' | b']' | b'\'')
                })
        }
    }
}

/// `name(`, `a.b::c(`, `new Name(`, `name[`, `name<`, `&name`, `a::b`.
pub(crate) fn is_call(value: &[u8]) -> bool {
    let start = usize::from(matches!(at(value, 0), b'&' | b'*' | b'!'));
    let mut i = start;
    while i < value.len() && (is_alnum(value[i]) || matches!(value[i], b'_' | b'.' | b':')) {
        i += 1;
    }
    i > start
        && !value[start].is_ascii_digit()
        && (value.ends_with(b"(") && i + 1 == value.len()
            || matches!(at(value, i), b'(' | b'[' | b'<') && word_like(&value[start..i])
            || (i == value.len() && memchr::memmem::find(value, b"::").is_some()))
}

/// A file's path or name: begins at a root, or ends in a suffix that keys and settings have.
pub(crate) fn is_path(value: &[u8]) -> bool {
    const SUFFIXES: &[&[u8]] = &[
        b".pem",
        b".key",
        b".json",
        b".txt",
        b".p12",
        b".jks",
        b".crt",
        b".cer",
        b".yaml",
        b".yml",
        b".toml",
        b".ini",
        b".env",
        b".go",
        b".rs",
        b".js",
        b".ts",
        b".py",
        b".html",
        b".com",
        b".org",
        b".net",
        b".io",
        b".md",
        b".sh",
        b".keystore",
        b".pfx",
        b".pub",
        b".sock",
        b".xml",
    ];
    if SUFFIXES
        .iter()
        .any(|s| value.len() > s.len() && value[value.len() - s.len()..].eq_ignore_ascii_case(s))
    {
        return true;
    }
    if !value.iter().all(|b| is_token(*b) || matches!(*b, b'@' | b':' | b' ' | b'$')) {
        return false;
    }
    let slashes = value.iter().filter(|b| **b == b'/').count();
    slashes >= 1
        && (at(value, 0) == b'/' || at(value, 0) == b'~' || slashes >= 2)
        && value.split(|b| *b == b'/').all(|part| part.is_empty() || word_like(part))
}

/// Words, perhaps with a number at the end, joined by `_ - .` or capitals: an identifier that someone chose.
pub(crate) fn word_like(value: &[u8]) -> bool {
    let digits = value.iter().filter(|b| b.is_ascii_digit()).count();
    if digits <= 3 && random_case(value) {
        return false;
    }
    if digits == 0 {
        return true;
    }
    let changes = value
        .windows(2)
        .filter(|w| {
            w[0].is_ascii_alphabetic() && w[1].is_ascii_digit()
                || w[0].is_ascii_digit() && w[1].is_ascii_alphabetic()
        })
        .count();
    turns(value) < 3
        || (changes < 3 && digits <= 3 && turns(value) * 4 <= value.len())
        || (turns(value) * 8 < value.len() && digits * 3 < value.len())
}

/// Whether letters change case without beginning words: capitals in a row, more than once, and parts that are shorter
/// than words.
pub(crate) fn random_case(value: &[u8]) -> bool {
    let (upper, lower) = (|b: u8| b.is_ascii_uppercase(), |b: u8| b.is_ascii_lowercase());
    let pairs = |left: &dyn Fn(u8) -> bool, right: &dyn Fn(u8) -> bool| {
        value.windows(2).filter(|w| left(w[0]) && right(w[1])).count()
    };
    let (ups, lows, begun) = (pairs(&upper, &upper), pairs(&upper, &lower), pairs(&lower, &upper));
    let ended = value.windows(3).filter(|w| upper(w[0]) && upper(w[1]) && lower(w[2])).count();
    let changing = turns(value) >= 4 && turns(value) * 5 >= value.len();
    let short = ended >= 2 && (begun + ended + 1) * 3 >= value.len();
    value.len() >= 12 && ups >= 1 && lows >= 3 && (changing || short || unsayable(value))
}

/// Whether half of a long value is consonants, four or more in a row.
fn unsayable(value: &[u8]) -> bool {
    let vowel = |b: &u8| matches!(b.to_ascii_lowercase(), b'a' | b'e' | b'i' | b'o' | b'u' | b'y');
    let runs = value.split(|b| vowel(b) || !b.is_ascii_alphabetic()).map(<[u8]>::len).filter(|n| *n >= 4);
    value.len() >= 16 && runs.sum::<usize>() * 2 >= value.len()
}

/// What stands where a password does and may be one: [`hard`], or letters of no word.
pub(crate) fn hard_or_random(value: &[u8]) -> bool {
    hard(value) || random_case(value)
}

/// Digits or signs among the letters: what password rules ask for, and few words have.
pub(crate) fn hard(value: &[u8]) -> bool {
    let letters = value.iter().any(|b| b.is_ascii_alphabetic());
    let digits = has_digit(value);
    let signs = value.iter().any(|b| {
        matches!(*b, b'!' | b'@' | b'#' | b'$' | b'%' | b'^' | b'&' | b'*' | b'+' | b'=' | b'?' | b'~')
    });
    value.len() >= 6
        && ((letters && (digits || signs)) || (digits && signs) || value.iter().any(|b| *b >= 0x80))
}

/// Letters and digits in equal measure, and nothing else: no name has so many digits.
pub(crate) fn is_block(value: &[u8], min: usize) -> bool {
    let digits = value.iter().filter(|b| b.is_ascii_digit()).count();
    value.len() >= min && value.iter().all(|b| is_alnum(*b)) && digits >= 4 && value.len() - digits >= 4
}

/// Signs that only a generator, or someone in a rage, puts together.
pub(crate) fn is_noisy(value: &[u8]) -> bool {
    let signs = value.iter().filter(|b| b.is_ascii_punctuation()).count();
    let mut kinds: Vec<u8> = value.iter().copied().filter(u8::is_ascii_punctuation).collect();
    kinds.sort_unstable();
    kinds.dedup();
    value.len() >= 12
        && kinds.len() >= 5
        && signs * 2 < value.len()
        && value.iter().any(|b| matches!(*b, b'$' | b'#' | b'!' | b'@'))
        && value.iter().all(u8::is_ascii_graphic)
        && !is_call(value)
}

/// What a generator makes: long enough, letters and digits mixed, no words, no path, no version.
pub(crate) fn is_opaque(value: &[u8], min: usize) -> bool {
    if value.len() < min || !value.iter().all(|b| b.is_ascii_graphic()) {
        return false;
    }
    let digits = value.iter().filter(|b| b.is_ascii_digit()).count();
    let letters = value.iter().filter(|b| b.is_ascii_alphabetic()).count();
    if letters == 0 || is_path(value) {
        return false;
    }
    if digits == 0 {
        return value.len() >= 20
            && letters * 10 >= value.len() * 8
            && !word_like(value)
            && entropy(value) >= 3.8;
    }
    digits >= 2 && turns(value) >= 2 && !word_like(value) && entropy(value) >= 2.8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_and_references_are_no_secrets() {
        for text in [
            "***",
            "sk-...",
            "sk-pro...EFGH",
            "your-api-key",
            "changeme",
            "xxxxxxxx",
            "0000000000",
            "abcdefghijklmnop",
            "",
            "1234567890",
        ] {
            assert!(is_placeholder(text.as_bytes()), "{text}");
        }
        for text in [
            "${TOKEN}",
            "$TOKEN",
            "$(cat f)",
            "{{ .Values.x }}",
            "%TOKEN%",
            "<your key>",
            "os.environ[\"X\"]",
            "op://a/b",
            "lexer.next_token()",
            "/run/secrets/x",
        ] {
            assert!(is_reference(text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn generated_text_is_opaque_and_names_are_not() {
        for text in ["7kR2vXw9LmTq4ZbN8c", "9c4e17b2d08f6a35", "x3Kd8TmQ5vLr2WnZ7pHc"] {
            assert!(is_opaque(text.as_bytes(), 16), "{text}");
        }
        for text in [
            "largeDialogPanel2",
            "QuarterReport-3.1",
            "env3-stage-2024110700",
            "some-written-out-name",
            "getUserNameFromToken",
        ] {
            assert!(!is_opaque(text.as_bytes(), 12), "{text}");
        }
    }
}
