//! Distances in a text as a reader will see it: in characters, each run of white space counting as one.

/// White space, and control characters, which are shown as such.
pub(super) fn is_space(c: char) -> bool {
    c.is_whitespace() || c.is_control()
}

/// Bytes between two remembered columns.
const STEP: usize = 32;

/// Translates byte offsets to columns and back, each in constant time (a logarithm for the way back).
pub(super) struct Columns<'t> {
    text: &'t str,
    /// For the first character at or after each multiple of [`STEP`]: its offset and column.
    marks: Vec<(usize, usize)>,
}

/// Goes over the characters from `at`, which has column `column`, each with its column.
fn walk(text: &str, at: usize, column: usize) -> impl Iterator<Item = (usize, usize)> {
    let mut spaced = text[..at].chars().next_back().is_some_and(is_space);
    let mut next = if spaced && text[at..].starts_with(is_space) { column + 1 } else { column };
    text[at..].char_indices().map(move |(n, c)| {
        let space = is_space(c);
        // A further space stands in the column of the first.
        let here = if space && spaced { next.saturating_sub(1) } else { next };
        next = here + 1;
        spaced = space;
        (at + n, here)
    })
}

impl<'t> Columns<'t> {
    pub(super) fn new(text: &'t str) -> Columns<'t> {
        let mut marks = Vec::with_capacity(text.len() / STEP + 1);
        for (at, column) in walk(text, 0, 0) {
            if at >= marks.len() * STEP {
                marks.push((at, column));
            }
        }
        Columns { text, marks }
    }

    /// The column of the character at byte `at`, or of the end of the text.
    pub(super) fn at(&self, at: usize) -> usize {
        let after = self.marks.partition_point(|&(mark, _)| mark <= at);
        let Some(&(mark, column)) = after.checked_sub(1).and_then(|n| self.marks.get(n)) else { return 0 };
        let mut end = column;
        for (place, column) in walk(self.text, mark, column) {
            if place >= at {
                return column;
            }
            end = column + 1;
        }
        end
    }

    /// How many columns `from..to` takes.
    pub(super) fn between(&self, from: usize, to: usize) -> usize {
        self.at(to).saturating_sub(self.at(from))
    }

    /// The offset of the first character of a column, or of the end of the text.
    pub(super) fn offset(&self, column: usize) -> usize {
        let after = self.marks.partition_point(|&(_, mark)| mark < column);
        let Some(&(mark, first)) = self.marks.get(after.saturating_sub(1)) else { return 0 };
        walk(self.text, mark, first)
            .find(|&(_, here)| here >= column)
            .map_or(self.text.len(), |(place, _)| place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_white_space_once() {
        let text = "a \n\t b é  c".repeat(50);
        let folded: Vec<&str> = text.split_whitespace().collect();
        let columns = Columns::new(&text);
        assert_eq!(columns.at(text.len()), folded.join(" ").chars().count());
        assert_eq!(columns.offset(2), 5);
        assert_eq!(columns.at(5), 2);
        for (at, c) in text.char_indices().filter(|(_, c)| !is_space(*c)) {
            assert_eq!(columns.offset(columns.at(at)), at, "{c}");
        }
        assert_eq!(columns.offset(1_000_000), text.len());
        assert_eq!(Columns::new("").at(0), 0);
        assert_eq!(Columns::new("").offset(3), 0);
    }
}
