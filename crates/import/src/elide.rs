//! Leaves out the middle of what nobody searches while a long line streams by: base64, endless strings and
//! arrays of numbers. What comes out is valid JSON where what goes in was.

/// A string of a long line keeps this many bytes: twice what is searchable.
const STRING_BYTES: usize = 2 << 20;
/// Once this much of a line was kept, its further strings keep [`LATE_STRING_BYTES`].
const CROWDED_BYTES: usize = 8 << 20;
/// See [`CROWDED_BYTES`].
const LATE_STRING_BYTES: usize = 4 << 10;
/// What is looked at to tell base64 from text.
const PROBE_BYTES: usize = 4 << 10;
/// A run of numbers outside strings keeps this many bytes.
const NUMBERS_BYTES: usize = 64 << 10;

/// The state of the filter between two pieces of one line.
#[derive(Debug, Default)]
pub(crate) struct Elider {
    state: State,
    /// Bytes of the current string, or of the current run of numbers.
    run: usize,
    /// Where the current string began in the output.
    start: usize,
    /// Bytes of an escape that are still to come.
    escape: u8,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum State {
    #[default]
    Outside,
    /// A run of numbers whose rest is left out.
    Numbers,
    Inside,
    /// A string whose rest is left out.
    Dropping,
}

impl Elider {
    /// Takes the next piece of the line and appends what is kept of it.
    pub(crate) fn push(&mut self, piece: &[u8], out: &mut Vec<u8>) {
        let mut at = 0;
        while at < piece.len() {
            if self.state == State::Dropping && self.escape == 0 {
                // Only a quote or an escape matters here.
                match memchr::memchr2(b'"', b'\\', &piece[at..]) {
                    None => return,
                    Some(next) => at += next,
                }
            }
            match self.state {
                State::Outside | State::Numbers => self.outside(piece[at], out),
                State::Inside | State::Dropping => self.inside(piece[at], out),
            }
            at += 1;
        }
    }

    fn outside(&mut self, byte: u8, out: &mut Vec<u8>) {
        let exponent = matches!(byte, b'e' | b'E')
            && (self.state == State::Numbers || out.last().is_some_and(u8::is_ascii_digit));
        if exponent || matches!(byte, b'0'..=b'9' | b',' | b'.' | b'-' | b'+' | b' ' | b'\t') {
            self.run += 1;
            if self.run > NUMBERS_BYTES {
                self.state = State::Numbers;
            } else {
                out.push(byte);
            }
            return;
        }
        if self.state == State::Numbers {
            // The cut may stand within a number or after a comma.
            while matches!(out.last(), Some(b',' | b'.' | b'-' | b'+' | b'e' | b'E' | b' ' | b'\t')) {
                out.pop();
            }
            let opened = matches!(out.last(), None | Some(b'[' | b'{' | b':'));
            if !opened && !matches!(byte, b']' | b'}' | b':') {
                out.push(b',');
            }
        }
        self.run = 0;
        out.push(byte);
        self.state = State::Outside;
        if byte == b'"' {
            self.state = State::Inside;
            self.start = out.len();
        }
    }

    fn inside(&mut self, byte: u8, out: &mut Vec<u8>) {
        let whole = self.escape == 0;
        if whole && byte == b'"' {
            out.push(byte);
            self.state = State::Outside;
            self.run = 0;
            return;
        }
        if self.state == State::Inside && whole && self.full(byte, out) {
            self.state = State::Dropping;
        }
        self.escape = match (self.escape, byte) {
            (0, b'\\') => 1,
            (0, _) => 0,
            (1, b'u') => 4,
            (1, _) => 0,
            (left, _) => left - 1,
        };
        if self.state == State::Inside {
            out.push(byte);
            self.run += 1;
        }
    }

    /// Whether the string ends here, at a place between characters.
    fn full(&self, byte: u8, out: &[u8]) -> bool {
        let boundary = byte & 0xc0 != 0x80;
        if self.run < PROBE_BYTES || !boundary {
            return false;
        }
        let bound = if self.start > CROWDED_BYTES { LATE_STRING_BYTES } else { STRING_BYTES };
        self.run >= bound || (self.run == PROBE_BYTES && is_base64(&out[self.start..]))
    }
}

/// Whether the beginning of a string says that it is base64, bare or as a `data:` URL.
pub(crate) fn is_base64(beginning: &[u8]) -> bool {
    let body = if beginning.starts_with(b"data:") {
        match memchr::memmem::find(&beginning[..beginning.len().min(256)], b";base64,") {
            Some(at) => &beginning[at + 8..],
            None => return false,
        }
    } else {
        beginning
    };
    body.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=' | b'-' | b'_'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn elide(line: &[u8], piece: usize) -> Vec<u8> {
        let (mut elider, mut out) = (Elider::default(), Vec::new());
        for piece in line.chunks(piece) {
            elider.push(piece, &mut out);
        }
        out
    }

    #[test]
    fn short_things_stay_as_they_are() {
        let line = br#"{"a":"x\"y\\","b":[1,2.5e-3,-4],"c":{"d":null,"e":"\ud83d\ude80"}}"#;
        for piece in [1, 7, 100] {
            assert_eq!(elide(line, piece), line);
        }
    }

    #[test]
    fn base64_is_cut_and_text_around_it_stays() {
        let data = "QUJD".repeat(500_000);
        for prefix in ["", "data:image/png;base64,"] {
            let line = format!(r#"{{"before":"one two","data":"{prefix}{data}","after":"three"}}"#);
            let out = elide(line.as_bytes(), 64 << 10);
            assert!(out.len() < 3 * PROBE_BYTES, "{}", out.len());
            let value: serde_json::Value = serde_json::from_slice(&out).unwrap();
            assert_eq!((&value["before"], &value["after"]), (&"one two".into(), &"three".into()));
        }
    }

    #[test]
    fn text_is_cut_between_characters_and_escapes() {
        for unit in ["é a", r"\n b", r"\u00e9 ", r#"\" q"#, "ไท "] {
            let line = format!(r#"{{"text":"{}","after":[1]}}"#, unit.repeat(1 << 20));
            let out = elide(line.as_bytes(), 8191);
            let value: serde_json::Value = serde_json::from_slice(&out).unwrap();
            assert!(out.len() <= STRING_BYTES + 64, "{unit}: {}", out.len());
            assert!(value["text"].as_str().unwrap().len() > STRING_BYTES / 4);
            assert_eq!(value["after"][0], 1);
        }
    }

    #[test]
    fn arrays_of_numbers_are_cut() {
        for number in ["12,", "1.5e+3, ", "-7,"] {
            let line = format!(
                r#"{{"data":[{}3],"more":[{}"x"],"after":true}}"#,
                number.repeat(99_999),
                number.repeat(99_999)
            );
            let out = elide(line.as_bytes(), 1000);
            assert!(out.len() < 3 * NUMBERS_BYTES);
            let value: serde_json::Value = serde_json::from_slice(&out).unwrap();
            assert_eq!(value["after"], true);
        }
    }

    #[test]
    fn a_crowd_of_strings_is_thinned() {
        let line = format!("[{}\"end\"]", format!("\"{}\",", "some words ".repeat(50_000)).repeat(64));
        let out = elide(line.as_bytes(), 1 << 16);
        assert!(out.len() < CROWDED_BYTES + (1 << 20));
        assert!(serde_json::from_slice::<Vec<String>>(&out).is_ok());
    }
}
