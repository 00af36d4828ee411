//! What a source file may hold: its size, its name, its words.

/// Bound of a Rust file, in lines.
const MAX_LINES: usize = 600;
/// The one place where `unsafe` may stand.
const UNSAFE_HOME: &str = "crates/storage/src/rank";
/// What `core` must do without, as it stands in source.
const IMPURE: [&str; 6] = ["std::fs", "std::net", "std::env", "SystemTime", "Instant::now", "std::process"];
/// File stems that say nothing of what a file holds.
const EMPTY_NAMES: [&str; 6] = ["utils", "util", "helpers", "helper", "manager", "common"];

/// All that is wrong with one file, a sentence each.
pub(super) fn faults(path: &str, text: &str) -> Vec<String> {
    let mut faults = Vec::new();
    faults.extend(words(path, text));
    if path.ends_with(".rs") {
        faults.extend(rust(path, text));
    }
    faults
}

fn rust(path: &str, text: &str) -> Vec<String> {
    let mut faults = Vec::new();
    let lines = text.lines().count();
    if lines > MAX_LINES {
        faults.push(format!("{path} has {lines} lines; at most {MAX_LINES}"));
    }
    let stem = path.rsplit('/').next().and_then(|name| name.strip_suffix(".rs")).unwrap_or_default();
    if EMPTY_NAMES.contains(&stem) {
        faults.push(format!("{path} is named for nothing in particular"));
    }
    if path.ends_with("src/lib.rs") && !text.starts_with("//!") {
        faults.push(format!("{path} does not begin by saying what a reader must know"));
    }
    let code = || text.lines().enumerate().filter(|(_, line)| !line.trim_start().starts_with("//"));
    for (number, line) in code() {
        let at = format!("{path}:{}", number + 1);
        if has_word(line, "unsafe") && !path.starts_with(UNSAFE_HOME) && !path.starts_with("xtask/") {
            faults.push(format!("{at}: unsafe code outside {UNSAFE_HOME}"));
        }
        let sleeps = ["thread::sleep", "time::sleep("];
        if path.contains("/tests/") && sleeps.iter().any(|sleep| line.contains(sleep)) {
            faults.push(format!("{at}: a test sleeps"));
        }
        if path.starts_with("crates/core/src")
            && let Some(found) = IMPURE.iter().find(|impure| line.contains(**impure))
        {
            faults.push(format!("{at}: core does without {found}"));
        }
    }
    faults
}

/// Words that mark something unfinished, and paths of one machine.
fn words(path: &str, text: &str) -> Vec<String> {
    if path.starts_with("LICENSE") || path.ends_with(".lock") || path.starts_with("xtask/src/tidy") {
        return Vec::new();
    }
    let unfinished = [
        ["TO", "DO"].concat(),
        ["FIX", "ME"].concat(),
        ["todo", "!("].concat(),
        ["unimplemented", "!("].concat(),
    ];
    let mut faults = Vec::new();
    for (number, line) in text.lines().enumerate() {
        if unfinished.iter().any(|word| has_word(line, word)) {
            faults.push(format!("{path}:{}: left to do", number + 1));
        }
        if line.contains("/work/") || line.contains("/root/") {
            faults.push(format!("{path}:{}: a path of one machine", number + 1));
        }
    }
    faults
}

fn has_word(line: &str, word: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(word).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let after = line[at + word.len()..].chars().next();
        !(before.is_some_and(is_part) || word.ends_with(char::is_alphanumeric) && after.is_some_and(is_part))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sound_files_have_no_faults() {
        assert!(faults("crates/core/src/ids.rs", "//! Ids.\nfn unsafe_code() {}\n").is_empty());
        assert!(faults("README.md", "words").is_empty());
    }

    #[test]
    fn each_rule_finds_its_fault() {
        let one = |path: &str, text: &str, expected: &str| {
            let found = faults(path, text);
            assert!(found.len() == 1 && found[0].contains(expected), "{path}: {found:?}");
        };
        one("crates/api/src/big.rs", &"\n".repeat(601), "601 lines");
        one("crates/api/src/utils.rs", "", "named for nothing");
        one("crates/api/src/lib.rs", "pub mod a;", "does not begin");
        one("crates/api/src/a.rs", "unsafe { }", "unsafe code outside");
        one("crates/api/tests/it/a.rs", "std::thread::sleep(x)", "sleeps");
        one("crates/core/src/a.rs", "use std::fs;", "core does without std::fs");
        one("crates/api/src/a.rs", &format!("// {}{}: later", "TO", "DO"), "left to do");
        one("README.md", &format!("see {}{}", "/wo", "rk/main"), "path of one machine");
    }

    #[test]
    fn unsafe_has_one_home() {
        assert!(faults("crates/storage/src/rank/pass.rs", "unsafe { }").is_empty());
    }
}
