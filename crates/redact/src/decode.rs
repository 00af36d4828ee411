//! Base64 and hexadecimal, decoded only to look inside.

/// Decoded text is looked at up to so many bytes.
const LONGEST: usize = 48 * 1024;

/// The text that a run of base64 holds, if it holds text. Most runs are rejected after a few bytes.
pub(crate) fn base64_text(run: &[u8]) -> Option<String> {
    let run = run.strip_suffix(b"==").or_else(|| run.strip_suffix(b"=")).unwrap_or(run);
    if run.len() % 4 == 1 {
        return base64_text(&run[..run.len() - 1]);
    }
    let mut out = Vec::with_capacity((run.len() * 3 / 4).min(LONGEST));
    for chunk in run.chunks(4) {
        let mut bits = 0u32;
        for &b in chunk {
            bits = (bits << 6) | u32::from(sextet(b)?);
        }
        let fill = 4 - chunk.len();
        bits <<= 6 * fill as u32;
        let bytes = bits.to_be_bytes();
        let decoded = &bytes[1..4 - fill];
        if !decoded.iter().all(|b| printable(*b)) {
            return None;
        }
        out.extend_from_slice(decoded);
        if out.len() >= LONGEST {
            break;
        }
    }
    text(out)
}

/// The text that a run of hexadecimal digits holds, if it holds text.
pub(crate) fn hex_text(run: &[u8]) -> Option<String> {
    if !run.len().is_multiple_of(2) {
        return None;
    }
    let mut out = Vec::with_capacity((run.len() / 2).min(LONGEST));
    for pair in run.chunks(2).take(LONGEST) {
        let high = char::from(pair[0]).to_digit(16)?;
        let low = char::from(pair[1]).to_digit(16)?;
        let byte = u8::try_from(high * 16 + low).ok()?;
        if !printable(byte) {
            return None;
        }
        out.push(byte);
    }
    text(out)
}

fn text(bytes: Vec<u8>) -> Option<String> {
    (bytes.len() >= 8).then(|| String::from_utf8(bytes).ok()).flatten()
}

fn printable(b: u8) -> bool {
    (0x20..0x7f).contains(&b) || matches!(b, b'\n' | b'\r' | b'\t')
}

fn sextet(b: u8) -> Option<u8> {
    Some(match b {
        b'A'..=b'Z' => b - b'A',
        b'a'..=b'z' => b - b'a' + 26,
        b'0'..=b'9' => b - b'0' + 52,
        b'+' | b'-' => 62,
        b'/' | b'_' => 63,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_comes_out_and_noise_does_not() {
        assert_eq!(base64_text(b"aGVsbG8gd29ybGQ=").as_deref(), Some("hello world"));
        assert_eq!(base64_text(b"iVBORw0KGgoAAAANSUhEUg"), None);
        assert_eq!(hex_text(b"68656c6c6f20776f726c64").as_deref(), Some("hello world"));
        assert_eq!(hex_text(b"9f86d081884c7d659a2feaa0c55ad015"), None);
    }
}
