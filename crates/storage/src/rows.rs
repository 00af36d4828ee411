//! Row ids of the full-text table: they carry what a ranking pass needs, so that it looks nothing up.
//!
//! | bits | hold |
//! | --- | --- |
//! | 12 and up | the block: [`SLOTS`] places of one transcript, numbered as they are needed |
//! | 6 to 11 | the slot: the place within the block |
//! | 5 | the role: 1 for the assistant |
//! | 0 to 4 | the length in words, in half powers of two |
//!
//! Blocks keep row ids small and dense (a word that occurs once costs the bytes of its row id), which a
//! transcript number in the high bits would not: measured, that made the index a third larger. A transcript is a
//! few ranges of row ids; blocks that are allocated together make one.

use session_search_core::{Role, score};

/// How many entries a block holds.
pub(crate) const SLOTS: i64 = 64;

const BLOCK_SHIFT: u32 = 12;
const SLOT_SHIFT: u32 = 6;
const ROLE_BIT: i64 = 1 << 5;
const MAX_LEVEL: i64 = 31;

/// A row id of the full-text table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Row(pub(crate) i64);

impl Row {
    /// The row of an entry of `words` words in a slot of a block.
    pub(crate) fn new(block: i64, slot: i64, role: Role, words: u32) -> Row {
        let role = if role == Role::Assistant { ROLE_BIT } else { 0 };
        Row(block << BLOCK_SHIFT | slot << SLOT_SHIFT | role | level(words))
    }

    /// The block it lies in.
    pub(crate) fn block(self) -> i64 {
        self.0 >> BLOCK_SHIFT
    }

    /// The place within the block.
    pub(crate) fn slot(self) -> i64 {
        self.0 >> SLOT_SHIFT & (SLOTS - 1)
    }

    /// The number of its slot among those of all blocks: unique, and small where row ids are. Row ids are not negative.
    #[inline]
    pub(crate) fn place(self) -> usize {
        usize::try_from(self.0 >> SLOT_SHIFT).unwrap_or(0)
    }

    /// Who said it.
    pub(crate) fn role(self) -> Role {
        if self.0 & ROLE_BIT == 0 { Role::User } else { Role::Assistant }
    }

    /// The level of its length, 0 to 31: see [`score::words_at`].
    pub(crate) fn level(self) -> usize {
        usize::try_from(self.0 & MAX_LEVEL).unwrap_or(0)
    }
}

/// The row ids that slots `from..to` of a block may have, inclusive.
pub(crate) fn range(block: i64, from: i64, to: i64) -> (i64, i64) {
    (block << BLOCK_SHIFT | from << SLOT_SHIFT, (block << BLOCK_SHIFT) + (to << SLOT_SHIFT) - 1)
}

/// The level of a length, as bits: see [`score::level`].
fn level(words: u32) -> i64 {
    i64::try_from(score::level(words)).unwrap_or(MAX_LEVEL)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_give_back_what_they_were_made_of() {
        for (block, slot, role, words) in
            [(1, 0, Role::User, 0), (1, 63, Role::Assistant, 1), (1 << 40, 17, Role::User, u32::MAX)]
        {
            let row = Row::new(block, slot, role, words);
            assert_eq!((row.block(), row.slot(), row.role()), (block, slot, role));
            let (from, to) = range(block, slot, slot + 1);
            assert!((from..=to).contains(&row.0));
            assert!(!(from..=to).contains(&Row::new(block + 1, slot, role, words).0));
        }
    }

    #[test]
    fn lengths_are_half_powers_of_two() {
        for (words, expected) in [(0, 0), (1, 2), (2, 3), (3, 4), (7, 6), (10, 6), (11, 7), (u32::MAX, 31)] {
            assert_eq!(level(words), expected, "{words}");
        }
    }
}
