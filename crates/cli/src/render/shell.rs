//! Words that can be pasted into a shell.

use session_search_redact::display;

/// The word as it is where that is safe, else in single quotes. Hidden characters are escaped visibly, in the form
/// `$'…'` that shells turn back.
pub(crate) fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "@%+=:,./_-".contains(c);
    if !word.is_empty() && word.chars().all(plain) && !word.starts_with('-') {
        return word.to_owned();
    }
    if display::escape(word) == word {
        return format!("'{}'", word.replace('\'', r"'\''"));
    }
    let mut out = String::from("$'");
    for c in word.chars() {
        match c {
            '\'' | '\\' => out.extend(['\\', c]),
            c if display::escape(c.encode_utf8(&mut [0; 4])).len() > c.len_utf8() => {
                out.push_str(&format!("\\U{:08x}", u32::from(c)));
            }
            c => out.push(c),
        }
    }
    out.push('\'');
    out
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn quotes_what_a_shell_would_read_otherwise() {
        for (word, expected) in [
            ("agent:main:main", "agent:main:main"),
            ("", "''"),
            ("-x", "'-x'"),
            ("a b", "'a b'"),
            ("it's", r"'it'\''s'"),
            ("$(reboot)", "'$(reboot)'"),
            ("~/x", "'~/x'"),
            ("会议", "会议"),
            ("a\u{202e}'b", r"$'a\U0000202e\'b'"),
        ] {
            assert_eq!(quoted(word), expected);
        }
    }
}
