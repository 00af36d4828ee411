//! Prints how long a scan takes, as a multiple of counting words with a regular expression over the same text in the
//! same run; what the first call costs; and how time grows when hostile input doubles.
#![allow(clippy::print_stdout, reason = "a command line for developers")]

use std::hint::black_box;
use std::time::{Duration, Instant};

use regex::Regex;
use session_search_redact::Redactor;

fn main() {
    let redactor = Redactor::built_in();
    let first = cpu();
    black_box(redactor.scrub("the first call, with export API_KEY=nothing in it").redacted());
    println!("first call {:.1} ms of CPU", (cpu() - first).as_secs_f64() * 1e3);
    let words = Regex::new(r"\w+").unwrap_or_else(|_| unreachable!());
    let own = std::env::args().nth(1).and_then(|p| std::fs::read_to_string(p).ok());
    let mut texts = vec![
        ("prose", PROSE.repeat(200)),
        ("code", CODE.repeat(200)),
        ("json", JSON.repeat(200)),
        ("chinese", CHINESE.repeat(200)),
    ];
    texts.extend(own.map(|t| ("given", t)));
    for (name, text) in &texts {
        let found = redactor.find(text).len();
        let scan = best(|| redactor.scrub(text).findings.len());
        let count = best(|| words.find_iter(text).count());
        let per_kib = scan.as_secs_f64() * 1e6 / (text.len() as f64 / 1024.0);
        println!(
            "{name:<8} {per_kib:>7.1} µs/KiB, {:.2} times counting words, {found} finds",
            scan.as_secs_f64() / count.as_secs_f64()
        );
    }
    for (name, piece) in HOSTILE {
        let make = |bytes: usize| piece.repeat(bytes / piece.len());
        let (one, two) = (make(128 << 10), make(256 << 10));
        let (f1, f2) =
            (best(|| redactor.scrub(&one).findings.len()), best(|| redactor.scrub(&two).findings.len()));
        let ratio = f2.as_secs_f64() / f1.as_secs_f64();
        println!(
            "{name:<14} {:>8.2} ms for 256 KiB, doubling costs {ratio:.2}{}",
            f2.as_secs_f64() * 1e3,
            if ratio > 2.6 { "  TOO MUCH" } else { "" }
        );
    }
}

/// What this thread has used of a CPU; where the system does not tell, the clock.
fn cpu() -> Duration {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let used =
        told.and_then(|t| t.split_whitespace().next().and_then(|n| n.parse().ok()).map(Duration::from_nanos));
    used.unwrap_or_else(|| START.get_or_init(Instant::now).elapsed())
}

static START: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();

/// The time of one run, over enough of them that the ticks of the clock do not matter.
fn best(mut run: impl FnMut() -> usize) -> Duration {
    black_box(run());
    let start = cpu();
    let mut runs = 0;
    loop {
        black_box(run());
        runs += 1;
        let used = cpu() - start;
        if used > Duration::from_millis(150) {
            return used / runs;
        }
    }
}

const PROSE: &str = "When the migration finished we checked that every row had its new column, that the old index was gone, and that \
the nightly job would pick up the rest. Nobody had written down why the limit was five, so we kept it. The password policy \
asks for twelve characters; the token limit is another matter, and the key takeaway was to ship early.\n";
const CODE: &str = "    let token = lexer.next_token();\n    if let Some(key) = self.cache.get(&key_of(token)) {\n        return Ok(key.clone());\n    \
}\n    for (key, value) in headers.iter() {\n        trace!(\"header {key:?} {value:?}\");\n    }\n    self.tokens.push(Token::new(Kind::Ident, span));\n";
const JSON: &str = "{\"type\":\"message\",\"id\":\"0192f3a4-7b1c-7d2e-8f00-a1b2c3d4e5f6\",\"parentId\":null,\"timestamp\":1764540000000,\"message\":{\"role\":\
\"assistant\",\"content\":[{\"type\":\"text\",\"text\":\"I changed src/main.rs:\\n\\n```rust\\nlet x = 1;\\n```\\nand ran `cargo test`.\"}]},\"usage\":{\"input_tokens\":812}}\n";
const CHINESE: &str = "会议记录已经发给大家,请在周五之前回复。服务端的配置改好了,明天上线。\n";

const HOSTILE: &[(&str, &str)] = &[
    ("A", "A"),
    ("backslashes", "\\"),
    ("quotes", "\""),
    ("single quotes", "'"),
    ("BEGIN", "BEGIN"),
    ("-----BEGIN", "-----BEGIN"),
    ("private keys", "-----BEGIN RSA PRIVATE KEY-----\n"),
    ("ends", "-----END RSA PRIVATE KEY-----\n"),
    ("a_b.", "a_b."),
    ("sk-", "sk-"),
    ("ghp_", "ghp_"),
    ("eyJ.", "eyJ."),
    ("ewog-", "ewog-"),
    ("key=", "key="),
    ("key=\"", "key=\""),
    ("key='x", "password='x"),
    ("token ", "token "),
    ("TOKEN is ", "TOKEN is "),
    ("://", "://"),
    ("a://b:c", "a://b:c"),
    ("@", "a://b@"),
    ("percent", "%41"),
    ("escapes", "\\u0041"),
    ("zero width", "a\u{200b}"),
    ("digits", "4"),
    ("digit groups", "4111 "),
    ("base64 lines", "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVphYmNkZWZnaGlqa2xtbm9wcXJzdHV2d3g0\n"),
    ("nested base64", "Z2hwX1pxdW1w"),
    ("cookie", "cookie: a=b; "),
    ("curl", "curl -u "),
    ("line ends", "\n"),
    ("wraps", "ghp_a1B2c3D4e5\n"),
    ("words", "seed phrase: apple "),
    ("&quot;", "&quot;"),
    ("secrets", "PASSWORD=aB3$xY9!kL2 "),
    ("markers", "[REDACTED:jwt]"),
    ("\"d\":\"", "\"d\":\""),
    ("Unseal", "Unseal Key: "),
    ("dots", "."),
    ("equals", "="),
    ("mixed", "key:\\\"'<mark>%3D=\u{ad}-"),
];
