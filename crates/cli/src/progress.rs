//! Progress of long work, on standard error where that is a terminal.

use std::io::IsTerminal;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A line that tells what is being done; invisible where nobody watches. Gone when dropped.
#[derive(Debug)]
pub(crate) struct Progress(ProgressBar);

impl Progress {
    /// Counts things up to `total`; 0 where that is not known.
    pub(crate) fn start(what: &'static str, total: u64) -> Progress {
        if !std::io::stderr().is_terminal() {
            return Progress(ProgressBar::hidden());
        }
        let bar = ProgressBar::with_draw_target((total > 0).then_some(total), ProgressDrawTarget::stderr());
        let form = if total > 0 {
            "{prefix} {bar:24} {pos}/{len} {wide_msg}"
        } else {
            "{prefix} {spinner} {pos} {wide_msg}"
        };
        // A template that does not parse leaves the plain one.
        if let Ok(style) = ProgressStyle::with_template(form) {
            bar.set_style(style);
        }
        bar.set_prefix(what);
        bar.enable_steady_tick(Duration::from_millis(120));
        Progress(bar)
    }

    /// Says how far it is.
    pub(crate) fn at(&self, position: u64) {
        self.0.set_position(position);
    }

    /// Says what is in work now.
    pub(crate) fn now(&self, what: &str) {
        self.0.set_message(session_search_redact::display::escape(what).into_owned());
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

/// Progress of an import: a file at a time.
pub(crate) struct Importing {
    line: Progress,
    done: AtomicU64,
}

impl Importing {
    /// Counts files.
    pub(crate) fn start(files: usize) -> Importing {
        Importing { line: Progress::start("importing", files as u64), done: AtomicU64::new(0) }
    }
}

impl session_search_api::Progress for Importing {
    fn begins(&self, path: &str, _: u64) {
        self.line.now(path);
    }

    fn reads(&self, _: u64) {}

    fn ends(&self, _: &str) {
        self.line.at(self.done.fetch_add(1, Ordering::Relaxed) + 1);
    }
}
