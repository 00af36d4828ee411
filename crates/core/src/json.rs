//! JSON as transcripts really hold it.

use std::borrow::Cow;

use serde::de::DeserializeOwned;

/// Replaces each escape of an unpaired surrogate (`\ud800` to `\udfff`) by `\ufffd`, so that the text can be
/// parsed; pairs stay. Linear in the length.
///
/// ```
/// use session_search_core::json::repair_surrogates;
/// assert_eq!(repair_surrogates(r#"{"a":"\ud83d!"}"#), r#"{"a":"\ufffd!"}"#);
/// assert_eq!(repair_surrogates(r#"{"a":"\ud83d\ude80"}"#), r#"{"a":"\ud83d\ude80"}"#);
/// ```
#[must_use]
pub fn repair_surrogates(json: &str) -> Cow<'_, str> {
    let bytes = json.as_bytes();
    let mut out: Option<String> = None;
    let (mut at, mut copied) = (0, 0);
    while at < bytes.len() {
        if bytes[at] != b'\\' {
            at += 1;
            continue;
        }
        match unit(bytes, at) {
            Some(0xd800..=0xdbff) if matches!(unit(bytes, at + 6), Some(0xdc00..=0xdfff)) => at += 12,
            Some(0xd800..=0xdfff) => {
                let out = out.get_or_insert_with(String::new);
                out.push_str(&json[copied..at]);
                out.push_str("\\ufffd");
                at += 6;
                copied = at;
            }
            Some(_) => at += 6,
            None => at += 2,
        }
    }
    match out {
        None => Cow::Borrowed(json),
        Some(mut out) => {
            out.push_str(&json[copied..]);
            Cow::Owned(out)
        }
    }
}

/// The code unit that the `\uXXXX` at this place stands for.
fn unit(bytes: &[u8], at: usize) -> Option<u16> {
    let escape = bytes.get(at..at + 6)?;
    if escape[0] != b'\\' || escape[1] != b'u' {
        return None;
    }
    let digits = std::str::from_utf8(&escape[2..]).ok()?;
    if !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
        return None;
    }
    u16::from_str_radix(digits, 16).ok()
}

/// Parses JSON; where that fails for unpaired surrogates, parses the repaired text.
///
/// # Errors
/// The error of the first attempt where no repair helps.
pub fn parse_lenient<T: DeserializeOwned>(json: &str) -> Result<T, serde_json::Error> {
    serde_json::from_str(json).or_else(|error| match repair_surrogates(json) {
        Cow::Borrowed(_) => Err(error),
        Cow::Owned(repaired) => serde_json::from_str(&repaired).map_err(|_| error),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escaped_backslashes_shield_what_follows() {
        let text = r#"{"a":"\\ud83d"}"#;
        assert_eq!(repair_surrogates(text), text);
    }

    #[test]
    fn a_low_surrogate_alone_and_a_pair_the_wrong_way_round() {
        assert_eq!(repair_surrogates(r"\ude80\ud83dx"), r"\ufffd\ufffdx");
        assert_eq!(repair_surrogates(r"\ud83d\ud83d\ude80"), r"\ufffd\ud83d\ude80");
        assert_eq!(repair_surrogates(r"\ud83"), r"\ud83");
        assert_eq!(repair_surrogates("\\"), "\\");
    }

    #[test]
    fn parses_what_can_be_repaired() {
        let value: serde_json::Value = parse_lenient(r#"{"a":"x\udc00y"}"#).unwrap();
        assert_eq!(value["a"], "x\u{fffd}y");
        assert!(parse_lenient::<serde_json::Value>("{").is_err());
    }
}
