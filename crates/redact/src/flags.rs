//! Secrets on command lines that only the command makes recognisable: `-p`, `-u`, `-w`, a bare argument.

use std::ops::Range;

use crate::chars::{at, before, is_alnum, is_blank, starts_ci};
use crate::header::user_password;
use crate::literal::{Until, bare, quote_at, quoted, skip_blanks};
use crate::span::{Rank, Span};
use crate::value;

/// How a command takes its secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Takes {
    /// `-p secret`, `--pass=secret`.
    Secret,
    /// `-psecret`, glued.
    Glued,
    /// `-u user:secret`.
    UserSecret,
    /// The first argument that is no flag.
    Argument,
}

/// A command, and what follows it.
pub(crate) struct Command {
    /// Found by the prefilter.
    pub(crate) name: &'static str,
    flags: &'static [(&'static str, Takes)],
}

const fn command(name: &'static str, flags: &'static [(&'static str, Takes)]) -> Command {
    Command { name, flags }
}

pub(crate) const COMMANDS: &[Command] = &[
    command(
        "curl",
        &[
            ("-u", Takes::UserSecret),
            ("--user", Takes::UserSecret),
            ("--proxy-user", Takes::UserSecret),
            ("-U", Takes::UserSecret),
        ],
    ),
    command("docker login", &[("-p", Takes::Secret)]),
    command("podman login", &[("-p", Takes::Secret)]),
    command("helm registry login", &[("-p", Takes::Secret)]),
    command("az login", &[("-p", Takes::Secret)]),
    command("oc login", &[("-p", Takes::Secret)]),
    command("mysql", &[("-p", Takes::Glued)]),
    command("mariadb", &[("-p", Takes::Glued)]),
    command("mongo", &[("-p", Takes::Secret)]),
    command("redis-cli", &[("-a", Takes::Secret)]),
    command("ldapsearch", &[("-w", Takes::Secret)]),
    command("ldapmodify", &[("-w", Takes::Secret)]),
    command("ldapadd", &[("-w", Takes::Secret)]),
    command("sshpass", &[("-p", Takes::Secret), ("-p", Takes::Glued)]),
    command("sqlcmd", &[("-P", Takes::Secret)]),
    command("smbclient", &[("-U", Takes::UserSecret)]),
    command("wget", &[("--user", Takes::UserSecret)]),
    command("httpie", &[("-a", Takes::UserSecret)]),
    command("vault login", &[("", Takes::Argument)]),
    command("cargo login", &[("", Takes::Argument)]),
    command("op signin", &[("", Takes::Argument)]),
    command("wandb login", &[("", Takes::Argument)]),
    command("secret set", &[("--body", Takes::Secret), ("-b", Takes::Secret)]),
    command("secrets put", &[("--value", Takes::Secret)]),
    command("keychain", &[("-w", Takes::Secret)]),
];

/// So many bytes of a command's line are read.
pub(crate) const REACH: usize = 768;

/// Secrets in the rest of the line after a command; `end` is where its name ends.
pub(crate) fn after(command: &Command, text: &[u8], end: usize, out: &mut Vec<Span>) {
    let limit = text.len().min(end + REACH);
    let mut i = end;
    let mut words = 0;
    while i < limit && words < 40 {
        if text[i] == b'\n' {
            if before(text, i) != b'\\' {
                return;
            }
            i += 1;
            continue;
        }
        if !is_blank(text[i]) {
            i += 1;
            continue;
        }
        i = skip_blanks(text, i);
        words += 1;
        for (flag, takes) in command.flags {
            if let Some(range) = taken(text, i, flag, *takes, words) {
                out.push(Span::new(range, "password", Rank::Named));
            }
        }
        if command.flags.iter().any(|(_, takes)| *takes == Takes::Argument) {
            return;
        }
    }
}

fn taken(text: &[u8], i: usize, flag: &str, takes: Takes, words: usize) -> Option<Range<usize>> {
    if takes == Takes::Argument {
        let range = word(text, i);
        return (words == 1
            && at(text, i) != b'-'
            && good(&text[range.clone()], 10)
            && value::has_digit(&text[range.clone()]))
        .then_some(range);
    }
    if text.get(i..i + flag.len()) != Some(flag.as_bytes()) {
        return None;
    }
    let next = i + flag.len();
    match takes {
        Takes::Glued => {
            let range = word(text, next);
            (!is_blank(at(text, next))
                && at(text, next) != b'='
                && good(&text[range.clone()], 6)
                && value::hard_or_random(&text[range.clone()]))
            .then_some(range)
        }
        Takes::Secret | Takes::UserSecret => {
            let from = match at(text, next) {
                b' ' | b'\t' => skip_blanks(text, next),
                b'=' => next + 1,
                _ => return None,
            };
            let range = word(text, from);
            if takes == Takes::UserSecret {
                return user_password(text, range);
            }
            let value = &text[range.clone()];
            (good(value, 4)
                && (value::hard_or_random(value) || value.len() >= 8 && !value::word_like(value))
                && !value.starts_with(b"-")
                && !value.contains(&b':'))
            .then_some(range)
        }
        Takes::Argument => None,
    }
}

fn word(text: &[u8], i: usize) -> Range<usize> {
    quote_at(text, i).map_or_else(|| bare(text, i, Until::Space), |q| quoted(text, i, q).0)
}

fn good(value: &[u8], min: usize) -> bool {
    value.len() >= min
        && !value::is_placeholder(value)
        && !value::is_reference(value)
        && !value.contains(&b' ')
        && !value.starts_with(b"[REDACTED:")
}

/// `echo SECRET | command --password-stdin` and `--password-command "echo SECRET"`; `at` is where the flag stands.
pub(crate) fn echoed(text: &[u8], flag: usize, end: usize) -> Option<Span> {
    let line = crate::chars::line_start(text, flag, 256);
    let found = memchr::memmem::find(&text[line..flag], b"echo ")
        .map(|i| line + i)
        .or_else(|| memchr::memmem::find(&text[end..text.len().min(end + 32)], b"echo ").map(|i| end + i))?;
    if is_alnum(before(text, found)) {
        return None;
    }
    let mut i = skip_blanks(text, found + 4);
    if starts_ci(text, i, "-n ") {
        i = skip_blanks(text, i + 2);
    }
    let range = word(text, i);
    (good(&text[range.clone()], 6) && value::hard_or_random(&text[range.clone()]))
        .then(|| Span::new(range, "password", Rank::Named))
}
