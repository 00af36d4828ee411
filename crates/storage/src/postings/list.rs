//! Lists of rows with places, and what can be made of them.

use super::page::number;

/// A row, and where its places stand among those of the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Posting {
    pub(crate) row: i64,
    at: u32,
    end: u32,
}

/// Rows in which something occurs, ascending once sorted, and its places in each, or only their number. Memory: 16
/// bytes a row, and what the list takes in the table.
#[derive(Debug, Clone, Default)]
pub(crate) struct Postings {
    rows: Vec<Posting>,
    /// Whether places are only counted: a row's are then `end - at`.
    counted: bool,
    /// Whether a row did not come behind the one before it.
    unsorted: bool,
    /// Holds places as FTS5 writes them (the distance of each to the one before, plus 2), and what stood between them.
    places: Vec<u8>,
}

/// What FTS5 adds to each distance: smaller numbers would name a column.
const BASE: u64 = 2;

impl Postings {
    /// An empty list; `counted`: of places only their number will be known.
    pub(super) fn new(counted: bool) -> Postings {
        Postings { counted, ..Postings::default() }
    }

    /// Whether places are only counted.
    #[inline]
    pub(super) fn is_counted(&self) -> bool {
        self.counted
    }

    /// Adds a row by the number of its places.
    #[inline]
    pub(super) fn counted(&mut self, row: i64, bytes: &[u8]) {
        self.add(Posting { row, at: 0, end: ends(bytes) });
    }

    /// Adds a row whose places lie there among the bytes held, or will: see [`Postings::more`].
    #[inline]
    pub(super) fn at(&mut self, row: i64, at: usize, end: usize) {
        let place = |place| u32::try_from(place).unwrap_or(u32::MAX);
        self.add(Posting { row, at: place(at), end: place(end) });
    }

    /// Holds bytes of a page that begin at `from` there; where the page would begin among the bytes held.
    pub(super) fn hold(&mut self, from: usize, bytes: &[u8]) -> usize {
        // So many that the difference is none below zero.
        self.places.resize(self.places.len().max(from), 0);
        let begin = self.places.len() - from;
        self.places.extend_from_slice(bytes);
        begin
    }

    /// Goes on with the places of the row added last: the first `here` of these bytes. Where they begin among the bytes
    /// held, which is right behind those that are held already.
    pub(super) fn more(&mut self, bytes: &[u8], here: usize) -> usize {
        if self.counted {
            if let Some(last) = self.rows.last_mut() {
                last.end = last.end.saturating_add(ends(&bytes[..here]));
            }
            return 4;
        }
        self.places.extend_from_slice(bytes);
        self.places.len() - bytes.len()
    }

    #[inline]
    fn add(&mut self, posting: Posting) {
        self.unsorted |= self.rows.last().is_some_and(|last| last.row >= posting.row);
        self.rows.push(posting);
    }

    fn push(&mut self, row: i64, places: &[u64]) {
        let at = self.places.len();
        let mut before = 0;
        for place in places {
            write(place - before + BASE, &mut self.places);
            before = *place;
        }
        self.at(row, at, self.places.len());
    }

    /// Whether places are known, not only their number.
    pub(crate) fn has_places(&self) -> bool {
        !self.counted
    }

    /// The memory it takes, about.
    pub(crate) fn bytes(&self) -> usize {
        self.rows.len() * size_of::<Posting>() + self.places.len()
    }

    /// How many rows there are.
    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    /// The rows, ascending.
    pub(crate) fn rows(&self) -> &[Posting] {
        &self.rows
    }

    /// Sorts the rows of several segments, the newest last: of a row that was written anew the newest counts, and one
    /// without places was deleted. `None` where there are too many places to be told apart.
    pub(super) fn sorted(mut self) -> Option<Postings> {
        if self.places.len() >= u32::MAX as usize {
            return None;
        }
        if self.unsorted {
            self.rows.sort_by_key(|posting| posting.row);
            // Of equal rows the first is kept, so it takes over what the later one says.
            self.rows.dedup_by(|later, first| {
                let same = later.row == first.row;
                if same {
                    *first = *later;
                }
                same
            });
            self.unsorted = false;
        }
        if self.rows.iter().any(|posting| posting.at >= posting.end) {
            self.rows.retain(|posting| posting.at < posting.end);
        }
        Some(self)
    }

    /// How many places a row has, counted up to `most`.
    #[inline]
    pub(crate) fn count(&self, posting: Posting, most: u32) -> u32 {
        if self.counted {
            return posting.end.min(most);
        }
        ends(&self.places[posting.at as usize..posting.end as usize]).min(most)
    }

    /// The places of a row, ascending; none where they were only counted.
    pub(crate) fn places_of(&self, posting: Posting) -> impl Iterator<Item = u64> + '_ {
        let range = if self.counted { 0..0 } else { posting.at as usize..posting.end as usize };
        let bytes = &self.places[range];
        let (mut at, mut place) = (0, 0_u64);
        std::iter::from_fn(move || {
            let (step, next) = number(bytes, at)?;
            at = next;
            place = place.wrapping_add(step.wrapping_sub(BASE));
            Some(place)
        })
    }

    /// A cursor before the first row.
    pub(crate) fn cursor(&self) -> Cursor<'_> {
        Cursor { rows: &self.rows, at: 0 }
    }
}

/// How many numbers end in these bytes.
#[inline]
fn ends(bytes: &[u8]) -> u32 {
    // One place is what most rows have.
    match bytes {
        [_] => 1,
        _ => u32::try_from(bytes.iter().filter(|byte| **byte < 0x80).count()).unwrap_or(u32::MAX),
    }
}

fn write(value: u64, out: &mut Vec<u8>) {
    let mut shift = 56;
    while shift > 0 && value >> shift == 0 {
        shift -= 7;
    }
    while shift > 0 {
        out.push((value >> shift & 0x7f) as u8 | 0x80);
        shift -= 7;
    }
    out.push((value & 0x7f) as u8);
}

/// A place in a list. Going anywhere costs a logarithm of the distance.
#[derive(Debug, Clone)]
pub(crate) struct Cursor<'p> {
    rows: &'p [Posting],
    at: usize,
}

impl Cursor<'_> {
    /// The row it stands on; `None` behind the last.
    #[cfg(test)]
    pub(crate) fn row(&self) -> Option<i64> {
        self.rows.get(self.at).map(|posting| posting.row)
    }

    /// The row before the one it stands on, or the last, where it stands behind that.
    #[inline]
    pub(crate) fn row_before(&self) -> Option<i64> {
        self.at.checked_sub(1).map(|at| self.rows[at].row)
    }

    /// Goes behind the last row.
    pub(crate) fn go_to_end(&mut self) {
        self.at = self.rows.len();
    }

    /// Goes to that row, or to the first behind it; forwards or backwards. The row, if it is there.
    #[inline]
    pub(crate) fn seek(&mut self, row: i64) -> Option<Posting> {
        // One back is where a walk from the end goes.
        if let Some(before) = self.at.checked_sub(1).and_then(|at| self.rows.get(at))
            && before.row == row
        {
            self.at -= 1;
            return Some(*before);
        }
        let below = |at: usize| self.rows[at].row < row;
        let (mut low, mut high) = (self.at, self.at);
        // Ever further, until the row lies between; then halving.
        let mut step = 1;
        if high < self.rows.len() && below(high) {
            while high < self.rows.len() && below(high) {
                low = high + 1;
                high = (high + step).min(self.rows.len());
                step *= 2;
            }
        } else {
            while low > 0 && !below(low - 1) {
                high = low - 1;
                low = low.saturating_sub(step);
                step *= 2;
            }
        }
        low = low.min(high);
        self.at = low + self.rows[low..high].partition_point(|posting| posting.row < row);
        self.rows.get(self.at).filter(|posting| posting.row == row).copied()
    }
}

/// The rows of either, the places of both where a row is in both.
pub(super) fn union(a: &Postings, b: &Postings) -> Postings {
    let mut out = Postings::default();
    let (mut left, mut right) = (a.rows.iter().peekable(), b.rows.iter().peekable());
    loop {
        let (one, other) = (left.peek().map(|p| p.row), right.peek().map(|p| p.row));
        let row = match (one, other) {
            (None, None) => return out,
            (Some(row), None) | (None, Some(row)) => row,
            (Some(one), Some(other)) => one.min(other),
        };
        let mut places: Vec<u64> = Vec::new();
        if let Some(posting) = left.next_if(|posting| posting.row == row) {
            places.extend(a.places_of(*posting));
        }
        if let Some(posting) = right.next_if(|posting| posting.row == row) {
            places.extend(b.places_of(*posting));
        }
        places.sort_unstable();
        out.push(row, &places);
    }
}

/// The rows and places of `before` that `term` follows at a distance.
pub(super) fn follow(before: &Postings, term: &Postings, distance: usize) -> Postings {
    let mut out = Postings::default();
    let mut cursor = before.cursor();
    let distance = distance as u64;
    let mut places: Vec<u64> = Vec::new();
    for posting in &term.rows {
        let Some(first) = cursor.seek(posting.row) else { continue };
        let mut behind = term.places_of(*posting).peekable();
        places.clear();
        places.extend(before.places_of(first).filter(|place| {
            while behind.next_if(|next| *next < place + distance).is_some() {}
            behind.peek() == Some(&(place + distance))
        }));
        if !places.is_empty() {
            out.push(posting.row, &places);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(rows: &[(i64, &[u64])]) -> Postings {
        let mut list = Postings::default();
        for (row, places) in rows {
            list.push(*row, places);
        }
        list
    }

    fn shown(list: &Postings) -> Vec<(i64, Vec<u64>)> {
        list.rows().iter().map(|posting| (posting.row, list.places_of(*posting).collect())).collect()
    }

    #[test]
    fn places_come_back_as_they_were() {
        let rows: [(i64, &[u64]); 3] = [(1, &[0]), (2, &[3, 4, 130, 1 << 20]), (9, &[5, 1 << 40])];
        let list = list(&rows);
        assert_eq!(shown(&list), rows.map(|(row, places)| (row, places.to_vec())));
        assert_eq!(list.count(list.rows()[1], 64), 4);
        assert_eq!(list.count(list.rows()[1], 3), 3);
        assert_eq!(list.count(list.rows()[0], 64), 1);
    }

    #[test]
    fn places_may_be_only_counted() {
        let mut list = Postings::new(true);
        list.counted(4, &[0x02, 0x81, 0x05]);
        list.more(&[0x09, 0x07], 1);
        let posting = list.rows()[0];
        assert_eq!(
            (list.count(posting, 64), list.count(posting, 2), list.places_of(posting).count()),
            (3, 2, 0)
        );
    }

    #[test]
    fn places_may_lie_on_two_pages() {
        let mut list = Postings::new(false);
        // The first page: two bytes of a header, a row of two places, the head of another, the first of its places.
        let held = list.hold(2, &[0x02, 0x05, 0x63, 0x04, 0x03]);
        list.at(4, held + 2, held + 4);
        list.at(9, held + 6, held + 8);
        let held = list.more(&[0x06, 0x11, 0x04, 0x02], 1) - 4;
        list.at(10, held + 7, held + 8);
        assert_eq!(shown(&list), [(4, vec![0, 3]), (9, vec![1, 5]), (10, vec![0])]);
    }

    #[test]
    fn of_several_segments_the_newest_counts() {
        let newest_last: [(i64, &[u64]); 6] =
            [(5, &[3, 4]), (6, &[2]), (2, &[7]), (5, &[9]), (6, &[]), (5, &[1])];
        assert_eq!(shown(&list(&newest_last).sorted().unwrap()), [(2, vec![7]), (5, vec![1])]);
    }

    #[test]
    fn cursors_go_both_ways() {
        let places: &[u64] = &[0];
        let rows: Vec<(i64, &[u64])> = (0..1_000).map(|n| (n * 3, places)).collect();
        let list = list(&rows);
        let mut cursor = list.cursor();
        for row in [0, 1, 3, 2_000, 2_001, 2_997, 2_998, 9_999, 6, 2_997, -1] {
            let expected = (row >= 0 && row % 3 == 0 && row < 3_000).then_some(row);
            assert_eq!(cursor.seek(row).map(|posting| posting.row), expected, "{row}");
        }
        assert_eq!((cursor.row(), cursor.row_before()), (Some(0), None));
        cursor.go_to_end();
        assert_eq!((cursor.row(), cursor.row_before()), (None, Some(2_997)));
        // From everywhere to everywhere.
        for from in (0..3_000).step_by(97) {
            for to in (-2..3_002).step_by(53) {
                let mut cursor = list.cursor();
                cursor.seek(from);
                let expected = (to >= 0 && to % 3 == 0 && to < 3_000).then_some(to);
                assert_eq!(cursor.seek(to).map(|posting| posting.row), expected, "{from} to {to}");
            }
        }
        assert_eq!(Postings::default().cursor().seek(1), None);
    }

    #[test]
    fn unions_and_phrases() {
        let a = list(&[(1, &[0, 5, 9]), (4, &[2]), (7, &[1])]);
        let b = list(&[(1, &[6, 9]), (5, &[3]), (7, &[3])]);
        assert_eq!(shown(&follow(&a, &b, 1)), [(1, vec![5])]);
        assert_eq!(shown(&follow(&a, &b, 2)), [(7, vec![1])]);
        assert_eq!(
            shown(&union(&a, &b)),
            [(1, vec![0, 5, 6, 9, 9]), (4, vec![2]), (5, vec![3]), (7, vec![1, 3])]
        );
    }
}
