//! Numbers of variable length, and the parts of a page of a segment.
//!
//! A page: two bytes for the offset of the first row that belongs to a term of an earlier page (0: none), two for the
//! size of its content including these four bytes, the content, then the offsets of its terms, each from the one
//! before.

/// A number of variable length at `at`, and where it ends: seven bits a byte, the highest first; a ninth byte gives
/// eight.
#[inline]
pub(super) fn number(bytes: &[u8], at: usize) -> Option<(u64, usize)> {
    let first = *bytes.get(at)?;
    if first < 0x80 {
        return Some((u64::from(first), at + 1));
    }
    let mut value = u64::from(first & 0x7f);
    for n in 1..8 {
        let byte = *bytes.get(at + n)?;
        value = value << 7 | u64::from(byte & 0x7f);
        if byte < 0x80 {
            return Some((value, at + n + 1));
        }
    }
    let byte = *bytes.get(at + 8)?;
    Some((value << 8 | u64::from(byte), at + 9))
}

/// The same where it must be an offset or a length.
#[inline]
pub(super) fn size(bytes: &[u8], at: usize) -> Option<(usize, usize)> {
    let (value, end) = number(bytes, at)?;
    Some((usize::try_from(value).ok().filter(|size| *size < 1 << 32)?, end))
}

/// A page.
#[derive(Clone, Copy)]
pub(super) struct Page<'p> {
    bytes: &'p [u8],
    /// The end of the content.
    pub(super) end: usize,
}

impl<'p> Page<'p> {
    /// `None` where it is none.
    pub(super) fn new(bytes: &'p [u8]) -> Option<Page<'p>> {
        let end = usize::from(u16::from_be_bytes([*bytes.get(2)?, *bytes.get(3)?]));
        (end >= 4 && end <= bytes.len()).then_some(Page { bytes, end })
    }

    /// Header and content.
    pub(super) fn content(&self) -> &'p [u8] {
        &self.bytes[..self.end]
    }

    /// Where the first row stands that belongs to a term of an earlier page.
    pub(super) fn first_row(&self) -> Option<usize> {
        let at = usize::from(u16::from_be_bytes([self.bytes[0], self.bytes[1]]));
        (at >= 4 && at < self.end).then_some(at)
    }

    /// Where its first term stands.
    pub(super) fn first_term(&self) -> Option<usize> {
        self.terms().next()
    }

    /// Where its terms stand.
    pub(super) fn terms(&self) -> impl Iterator<Item = usize> + use<'p> {
        let (bytes, mut at, mut term) = (self.bytes, self.end, 0);
        std::iter::from_fn(move || {
            let (step, next) = size(bytes, at)?;
            at = next;
            term += step;
            Some(term)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_one_to_nine_bytes() {
        for (bytes, value) in [
            (&[0x00][..], 0),
            (&[0x7f], 127),
            (&[0x81, 0x00], 128),
            (&[0xff, 0x7f], 16_383),
            (&[0x81, 0x80, 0x00], 16_384),
            (&[0x81, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x00], 1 << 49),
            (&[0xff; 9], u64::MAX),
        ] {
            assert_eq!(number(bytes, 0), Some((value, bytes.len())));
            assert_eq!(number(&bytes[..bytes.len() - 1], 0), None);
        }
        assert_eq!(size(&[0xff; 9], 0), None);
    }

    #[test]
    fn pages_say_where_rows_and_terms_stand() {
        let bytes = [0, 6, 0, 10, 1, 2, 3, 4, 5, 6, 5, 3];
        let page = Page::new(&bytes).unwrap();
        assert_eq!((page.end, page.first_row(), page.first_term()), (10, Some(6), Some(5)));
        assert_eq!(page.terms().collect::<Vec<_>>(), [5, 8]);
        assert!(Page::new(&[0, 0, 0, 5, 0][..4]).is_none());
        assert!(Page::new(&[0, 0, 0, 3]).is_none());
        assert!(Page::new(&[0, 0]).is_none());
        let bare = Page::new(&[0, 0, 0, 4]).unwrap();
        assert_eq!((bare.first_row(), bare.first_term()), (None, None));
    }
}
