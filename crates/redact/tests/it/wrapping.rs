//! The ways in which a text can hold a secret: what a person, a shell, a serializer or a renderer makes of it.

use crate::examples::Random;

/// A way to write a text down, and what it is called.
pub(crate) type Form = (&'static str, fn(&str, &mut Random) -> String);

/// For a token that stands alone: these break it up or write it otherwise.
pub(crate) const OF_TOKENS: &[Form] = &[
    ("wrapped lines", |s, r| format!("token is\n{}\nend", split(s, 26 + r.below(30)).join("\n"))),
    ("wrapped lines of Windows", |s, r| {
        format!("token is\r\n{}\r\nend", split(s, 26 + r.below(30)).join("\r\n"))
    }),
    ("indented lines", |s, r| format!("value:\n  {}\n", split(s, 26 + r.below(30)).join("\n  "))),
    ("shell lines", |s, r| format!("run {} now", split(s, 26 + r.below(30)).join("\\\n"))),
    ("diff lines", |s, r| format!("+{}\n", split(s, 30 + r.below(30)).join("\n+"))),
    ("quoted lines", |s, r| format!("> {}\n", split(s, 30 + r.below(30)).join("\n> "))),
    ("a concatenation", |s, r| format!("x = \"{}\"", split(s, 26 + r.below(20)).join("\" + \""))),
    ("a zero-width character", |s, r| between(s, r, "\u{200b}")),
    ("a soft hyphen", |s, r| between(s, r, "\u{ad}")),
    ("a word joiner", |s, r| between(s, r, "\u{2060}")),
    ("zero width everywhere", |s, _| s.chars().flat_map(|c| [c, '\u{200b}']).collect()),
    ("a byte order mark", |s, r| between(s, r, "\u{feff}")),
    ("a change of direction", |s, r| between(s, r, "\u{202e}")),
    ("full width", |s, _| s.chars().map(full_width).collect()),
    ("look-alikes", |s, _| s.chars().map(look_alike).collect()),
    ("terminal colours inside", |s, r| between(s, r, "\u{1b}[1m")),
    ("terminal colours around", |s, _| format!("\u{1b}[32m{s}\u{1b}[0m")),
    ("a mark", |s, r| between_two(s, r, "<mark>", "</mark>")),
    ("bold", |s, r| between_two(s, r, "**", "**")),
    ("brackets", |s, r| between_two(s, r, "[[", "]]")),
    ("arrows", |s, r| between_two(s, r, ">>>", "<<<")),
    ("percent, all", |s, _| s.bytes().map(|b| format!("%{b:02X}")).collect()),
    ("percent, as needed", |s, _| format!("https://example.org/?x={}", encoded(s))),
    ("percent, twice", |s, _| format!("https://example.org/?x={}", encoded(&encoded(s)))),
    ("escapes of one character", |s, r| {
        let at = r.below(s.len());
        format!("\"{}\\u{:04x}{}\"", &s[..at], s.as_bytes()[at], &s[at + 1..])
    }),
    ("escapes of all characters", |s, _| {
        format!("\"{}\"", s.bytes().map(|b| format!("\\u{b:04x}")).collect::<String>())
    }),
    ("hexadecimal", |s, _| s.bytes().map(|b| format!("{b:02x}")).collect()),
];

/// For any line, with its own quotes and names: these put something around it.
pub(crate) const OF_LINES: &[Form] = &[
    ("alone", |s, _| s.to_owned()),
    ("a line", |s, _| format!("\n{s}\n")),
    ("prose", |s, _| format!("we used {s} for that")),
    ("Chinese", |s, _| format!("密钥是 {s} 请保存")),
    ("code fence", |s, _| format!("\n```sh\n{s}\n```\n")),
    ("inline code", |s, _| format!("use `{s}` now")),
    ("double quotes", |s, _| format!("say \"{s}\" again")),
    ("single quotes", |s, _| format!("say '{s}' again")),
    ("json", |s, _| serde_json::json!({ "a": s, "b": [1, null] }).to_string()),
    ("json in json", |s, _| {
        serde_json::json!({ "a": serde_json::json!({ "b": s }).to_string() }).to_string()
    }),
    ("a tool result", |s, _| {
        let output = format!("$ cat settings\nfirst: 1\n{s}\nlast: 2\n");
        serde_json::json!({ "type": "tool_result", "content": [{ "type": "text", "text": output }] })
            .to_string()
    }),
    ("an added line", |s, _| format!("\n@@ -1,3 +1,3 @@\n context\n-old\n+{s}\n")),
    ("a removed line", |s, _| format!("\n@@ -1,3 +1,3 @@\n context\n-{s}\n+new\n")),
    ("a table", |s, _| format!("\n| name | value |\n| --- | --- |\n| one | {s} |\n")),
    ("shell history", |s, r| format!("\n  {}  cd src\n  {}  {s}\n", 500 + r.below(400), 501)),
    ("numbered lines", |s, _| format!("\n    11\tfirst\n    12\t{s}\n    13\tlast\n")),
    ("found lines", |s, r| format!("\nsrc/main.rs:{}:{s}\n", 1 + r.below(900))),
    ("a comment", |s, _| format!("\n// {s}\n# {s}\n")),
    ("quoted mail", |s, _| format!("\n> {s}\n> > {s}\n")),
    ("a list", |s, _| format!("\n- {s}\n* {s}\n1. {s}\n")),
    ("a log", |s, _| format!("\n2026-01-02T03:04:05Z INFO worker[12]: {s}\n")),
];

fn split(text: &str, columns: usize) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut rest = text;
    // Four characters alone on the last line are no wrap that a reader would see.
    while rest.len() > columns + 4 {
        let (head, tail) = rest.split_at(columns);
        parts.push(head);
        rest = tail;
    }
    parts.push(rest);
    parts
}

fn between(s: &str, random: &mut Random, what: &str) -> String {
    let at = 1 + random.below(s.len() - 1);
    format!("{}{what}{}", &s[..at], &s[at..])
}

fn between_two(s: &str, random: &mut Random, open: &str, close: &str) -> String {
    let first = 1 + random.below(s.len() - 2);
    let second = first + 1 + random.below(s.len() - first - 1);
    format!("{}{open}{}{close}{}", &s[..first], &s[first..second], &s[second..])
}

fn full_width(c: char) -> char {
    if c.is_ascii_graphic() { char::from_u32(u32::from(c) + 0xfee0).unwrap() } else { c }
}

const PAIRS: [(char, char); 13] = [
    ('a', 'а'),
    ('c', 'с'),
    ('e', 'е'),
    ('i', 'і'),
    ('k', 'к'),
    ('o', 'о'),
    ('p', 'р'),
    ('s', 'ѕ'),
    ('x', 'х'),
    ('y', 'у'),
    ('A', 'А'),
    ('T', 'Т'),
    ('H', 'Н'),
];

fn look_alike(c: char) -> char {
    PAIRS.iter().find(|(ascii, _)| *ascii == c).map_or(c, |(_, other)| *other)
}

fn encoded(s: &str) -> String {
    let plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'.');
    s.bytes().map(|b| if plain(b) { char::from(b).to_string() } else { format!("%{b:02X}") }).collect()
}

pub(crate) fn base64(text: &str) -> String {
    const ALPHABET: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for chunk in text.as_bytes().chunks(3) {
        let bits = chunk.iter().fold(0u32, |bits, b| bits << 8 | u32::from(*b)) << (8 * (3 - chunk.len()));
        for i in 0..4 {
            out.push(if i <= chunk.len() {
                char::from(ALPHABET[(bits >> (18 - 6 * i) & 63) as usize])
            } else {
                '='
            });
        }
    }
    out
}

/// What a reader can make of a text: all escapes undone, look-alikes folded, nothing left but letters and digits.
/// Every reading is there, one after the other.
pub(crate) fn read(text: &str) -> String {
    let mut all = bare(text);
    let unescaped = undone(text);
    if unescaped != text {
        all.push('\n');
        all.push_str(&bare(&unescaped));
        all.push('\n');
        all.push_str(&bare(&undone(&unescaped)));
    }
    all
}

fn bare(text: &str) -> String {
    let folded = text.chars().map(|c| match u32::from(c) {
        wide @ 0xff01..=0xff5e => char::from_u32(wide - 0xfee0).unwrap(),
        _ => PAIRS.iter().find(|(_, other)| *other == c).map_or(c, |(ascii, _)| *ascii),
    });
    folded.filter(char::is_ascii_alphanumeric).collect()
}

/// Percent signs and escapes of JSON undone, once.
fn undone(text: &str) -> String {
    let bytes = text.as_bytes();
    let hex = |from: usize, len: usize| {
        text.get(from..from + len).and_then(|h| u8::from_str_radix(h, 16).ok()).filter(u8::is_ascii)
    };
    let (mut out, mut i) = (Vec::new(), 0);
    while i < bytes.len() {
        let (byte, len) = match bytes[i] {
            b'%' => hex(i + 1, 2).map(|b| (b, 3)),
            b'\\' if text[i + 1..].starts_with("u00") => hex(i + 4, 2).map(|b| (b, 6)),
            _ => None,
        }
        .unwrap_or((bytes[i], 1));
        out.push(byte);
        i += len;
    }
    String::from_utf8(out).unwrap()
}
