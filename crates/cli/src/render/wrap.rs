//! Breaks text into lines by the columns it takes: wide characters count as two, marks as none.

use std::ops::Range;

use session_search_redact::display;
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

use super::screen::{MATCH, Screen};

/// A grapheme as it is shown.
struct Cell {
    text: String,
    width: usize,
    marked: bool,
}

/// Escapes what must not reach a terminal, breaks the text at `width` columns, and paints the marked byte ranges.
/// Lines of the text stay lines. Ranges off character boundaries mark the characters they touch.
pub(crate) fn wrap(text: &str, marks: &[Range<usize>], width: usize, screen: Screen) -> Vec<String> {
    let mut lines = Vec::new();
    for line in lines_of(text) {
        let cells = cells(&text[line.clone()], line.start, marks);
        for row in rows(&cells, width.max(2)) {
            lines.push(paint(&cells[row], screen));
        }
    }
    lines
}

/// The byte ranges of a text's lines, without their ends.
fn lines_of(text: &str) -> Vec<Range<usize>> {
    let mut at = 0;
    let mut lines = Vec::new();
    for line in text.split_inclusive('\n') {
        let shown = line.strip_suffix('\n').unwrap_or(line);
        let shown = shown.strip_suffix('\r').unwrap_or(shown);
        lines.push(at..at + shown.len());
        at += line.len();
    }
    lines
}

fn cells(line: &str, offset: usize, marks: &[Range<usize>]) -> Vec<Cell> {
    let mut cells = Vec::with_capacity(line.len());
    let mut column = 0;
    for (at, grapheme) in line.grapheme_indices(true) {
        let (from, to) = (offset + at, offset + at + grapheme.len());
        let marked = marks.iter().any(|mark| mark.start < to && from < mark.end);
        let text = if grapheme == "\t" {
            " ".repeat(4 - column % 4)
        } else {
            display::escape(grapheme).into_owned()
        };
        let width = text.width();
        column += width;
        cells.push(Cell { text, width, marked });
    }
    cells
}

/// Splits cells into rows that fit: after white space where there is some, beside a wide character, else anywhere.
fn rows(cells: &[Cell], width: usize) -> Vec<Range<usize>> {
    let mut rows = Vec::new();
    let (mut start, mut used, mut gap) = (0, 0, None);
    let mut at = 0;
    while at < cells.len() {
        let cell = &cells[at];
        let blank = cell.text.trim().is_empty();
        if used + cell.width > width && at > start && !blank {
            let end = gap.filter(|gap| *gap > start).unwrap_or(at);
            rows.push(start..end);
            (start, used, gap) = (end, 0, None);
            at = end;
            continue;
        }
        used += cell.width;
        at += 1;
        let next = cells.get(at);
        let beside_wide = cell.width >= 2 || next.is_some_and(|next| next.width >= 2);
        let holds = opens(&cell.text) || next.is_some_and(|next| closes(&next.text));
        if blank || (beside_wide && !holds) {
            // A line may be broken before the cell that comes next.
            gap = Some(at);
        }
    }
    rows.push(start..cells.len());
    rows
}

/// Punctuation that must not stand at the beginning of a line.
fn closes(text: &str) -> bool {
    text.starts_with(['、', '。', '，', '．', '！', '？', '：', '；', '）', '」', '』', '】', '》', 'ー'])
}

/// Punctuation that must not stand at the end of a line.
fn opens(text: &str) -> bool {
    text.starts_with(['（', '「', '『', '【', '《'])
}

fn paint(cells: &[Cell], screen: Screen) -> String {
    let trailing = cells.iter().rev().take_while(|cell| cell.text.trim().is_empty()).count();
    let mut out = String::new();
    for run in cells[..cells.len() - trailing].chunk_by(|a, b| a.marked == b.marked) {
        let text: String = run.iter().map(|cell| cell.text.as_str()).collect();
        let marked = run.first().is_some_and(|cell| cell.marked);
        out.push_str(&if marked { screen.paint(MATCH, &text) } else { text });
    }
    out
}

/// One line of at most `width` columns, escaped; what does not fit is cut and an ellipsis set.
pub(crate) fn fit(text: &str, width: usize) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let line = display::escape(&line).into_owned();
    if line.width() <= width {
        return line;
    }
    let mut out = String::new();
    let mut used = 1;
    for grapheme in line.graphemes(true) {
        used += grapheme.width();
        if used > width {
            break;
        }
        out.push_str(grapheme);
    }
    format!("{}…", out.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: Screen = Screen { width: 80, styled: false };
    const STYLED: Screen = Screen { width: 80, styled: true };

    fn plain(text: &str, width: usize) -> Vec<String> {
        wrap(text, &[], width, PLAIN)
    }

    #[test]
    fn breaks_at_spaces_and_keeps_lines() {
        assert_eq!(plain("the quick brown fox", 10), ["the quick", "brown fox"]);
        assert_eq!(plain("a\n\nb\r\n", 10), ["a", "", "b"]);
        assert_eq!(plain("abcdefghij", 4), ["abcd", "efgh", "ij"]);
        assert!(plain("", 10).is_empty());
    }

    #[test]
    fn wide_characters_take_two_columns() {
        assert_eq!(plain("会议记录在这里", 6), ["会议记", "录在这", "里"]);
        assert_eq!(plain("ab会议", 5), ["ab会", "议"]);
        assert_eq!(plain("会议。记录", 4), ["会", "议。", "记录"]);
        assert_eq!(plain("e\u{301}e\u{301}e\u{301}", 2), ["e\u{301}e\u{301}", "e\u{301}"]);
    }

    #[test]
    fn marks_survive_breaks_and_escapes() {
        assert_eq!(
            wrap("a red fox", std::slice::from_ref(&(2..9)), 5, STYLED),
            ["a \u{1b}[1m\u{1b}[33mred\u{1b}[0m", "\u{1b}[1m\u{1b}[33mfox\u{1b}[0m"]
        );
        let after_escape = wrap("\u{1b}[2Jx", std::slice::from_ref(&(4..5)), 40, STYLED);
        assert_eq!(after_escape, ["\\u{1b}[2J\u{1b}[1m\u{1b}[33mx\u{1b}[0m"]);
    }

    #[test]
    fn nothing_reaches_a_terminal_as_control() {
        for text in ["\u{1b}]0;t\u{7}", "a\u{202e}b", "\u{9b}31m", "x\u{e0041}"] {
            let shown = plain(text, 40).concat() + &fit(text, 40);
            assert!(shown.is_ascii() && !shown.bytes().any(|b| b < 0x20 || b == 0x7f), "{shown:?}");
        }
    }

    #[test]
    fn fits_one_line() {
        assert_eq!(fit("one\ntwo", 10), "one two");
        assert_eq!(fit("one two three", 8), "one two…");
        assert_eq!(fit("会议记录", 6), "会议…");
        assert_eq!(fit("会议记录", 8), "会议记录");
    }
}
