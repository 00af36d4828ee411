//! How a [`crate::SessionSearch`] works.

use std::fmt;
use std::sync::Arc;

use session_search_reconcile::Options;
use session_search_redact::Redactor;

use crate::clock::{Clock, SystemClock};

/// Bound of [`Settings::open_stores`]: 32 stores with three connections of two files each, and one shared,
/// stay under 256 files.
pub const MAX_OPEN_STORES: usize = 32;

/// How a [`crate::SessionSearch`] works. Start from [`Settings::default`].
#[derive(Clone)]
pub struct Settings {
    /// The rules by which every text that leaves is scrubbed, and with which the index is built.
    pub redactor: Arc<Redactor>,
    /// Tells the time at which events arrive.
    pub clock: Arc<dyn Clock>,
    /// How pending transcripts are brought up to date in the background.
    pub reconcile: Options,
    /// How many stores stay open at most: 2 to [`MAX_OPEN_STORES`], values beyond are brought into that range. The
    /// least recently used is closed first.
    pub open_stores: usize,
    /// How many stores one request reads at the same time, at least 1.
    pub at_once: usize,
}

impl Default for Settings {
    /// The built-in rules, the system's clock, [`MAX_OPEN_STORES`] open stores, 8 at once. Reconciliation starts when
    /// a search meets pending transcripts, and looks again every 30 seconds.
    fn default() -> Settings {
        Settings {
            redactor: Arc::new(Redactor::built_in()),
            clock: Arc::new(SystemClock),
            reconcile: Options { at_start: false, ..Options::default() },
            open_stores: MAX_OPEN_STORES,
            at_once: 8,
        }
    }
}

impl fmt::Debug for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Settings")
            .field("rules", &self.redactor.version())
            .field("clock", &self.clock)
            .field("reconcile", &self.reconcile)
            .field("open_stores", &self.open_stores)
            .field("at_once", &self.at_once)
            .finish()
    }
}
