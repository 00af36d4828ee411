//! Lines of standard input, bounded: a line beyond the bound is passed over without being held in memory.

use std::io::{self, BufRead};

/// What a line of input is.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Line {
    /// A line without its end.
    Text(Vec<u8>),
    /// A line of more than the bound; its length in bytes.
    TooLong(usize),
}

/// Reads one line of at most `max` bytes, its end (`\n` or `\r\n`) not counted; `None` at the end of the input.
///
/// # Errors
/// Whatever reading gives, interruptions aside.
pub(crate) fn read_line(input: &mut impl BufRead, max: usize) -> io::Result<Option<Line>> {
    let mut text = Vec::new();
    let mut length = 0_usize;
    let mut ended = false;
    let mut last = None;
    while !ended {
        let buffer = match input.fill_buf() {
            Ok(buffer) => buffer,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if buffer.is_empty() {
            break;
        }
        let (part, used) = match buffer.iter().position(|byte| *byte == b'\n') {
            Some(end) => {
                ended = true;
                (&buffer[..end], end + 1)
            }
            None => (buffer, buffer.len()),
        };
        length += part.len();
        last = Some(part.last().copied().or(last.flatten()));
        // One byte more is kept, since it may be the `\r` of the line's end.
        if length <= max + 1 {
            text.extend_from_slice(part);
        } else if text.capacity() > 0 {
            text = Vec::new();
        }
        input.consume(used);
    }
    let Some(last) = last else { return Ok(None) };
    if last == Some(b'\r') {
        text.pop();
        length -= 1;
    }
    Ok(Some(if length > max { Line::TooLong(length) } else { Line::Text(text) }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::BufReader;

    fn lines(input: &str, max: usize, buffer: usize) -> Vec<Line> {
        let mut reader = BufReader::with_capacity(buffer, input.as_bytes());
        std::iter::from_fn(|| read_line(&mut reader, max).unwrap()).collect()
    }

    fn text(line: &str) -> Line {
        Line::Text(line.as_bytes().to_vec())
    }

    #[test]
    fn ends_are_taken_off_whatever_the_buffer() {
        for buffer in 1..9 {
            assert_eq!(lines("ab\r\n\ncd", 3, buffer), [text("ab"), text(""), text("cd")], "{buffer}");
            assert_eq!(lines("", 3, buffer), []);
            assert_eq!(lines("\n", 3, buffer), [text("")]);
        }
    }

    #[test]
    fn long_lines_are_passed_over() {
        for buffer in 1..9 {
            assert_eq!(
                lines("abcd\nabc\nabc\r\nabcd\r", 3, buffer),
                [Line::TooLong(4), text("abc"), text("abc"), Line::TooLong(4)]
            );
            assert_eq!(lines("abcdefgh\nx", 3, buffer), [Line::TooLong(8), text("x")]);
        }
    }
}
