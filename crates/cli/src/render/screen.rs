//! Where readable output goes: how wide it is, and whether it may have colours.

use std::io::IsTerminal;

use anstyle::{AnsiColor, Style};

/// What is known of the place that standard output goes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Screen {
    /// Columns, at least [`MIN_WIDTH`].
    pub(crate) width: usize,
    /// Whether styles are written.
    pub(crate) styled: bool,
}

/// Narrower than this nothing readable fits; text then runs over the edge.
pub(crate) const MIN_WIDTH: usize = 24;
/// Used where nobody says how wide the output is.
const DEFAULT_WIDTH: usize = 80;

impl Screen {
    /// Looks at standard output and the environment: `COLUMNS`, `NO_COLOR`, `CLICOLOR_FORCE`, `TERM`.
    pub(crate) fn detect() -> Screen {
        let var = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        let terminal = std::io::stdout().is_terminal();
        let measured = || {
            terminal
                .then(|| terminal_size::terminal_size_of(std::io::stdout()))
                .flatten()
                .map(|(w, _)| usize::from(w.0))
        };
        let width =
            var("COLUMNS").and_then(|value| value.parse().ok()).or_else(measured).unwrap_or(DEFAULT_WIDTH);
        let forced = var("CLICOLOR_FORCE").is_some_and(|value| value != "0");
        let able = terminal && var("TERM").is_none_or(|term| term != "dumb");
        Screen { width: width.max(MIN_WIDTH), styled: var("NO_COLOR").is_none() && (forced || able) }
    }

    /// The text between the codes of a style, where styles are written.
    pub(crate) fn paint(self, style: Style, text: &str) -> String {
        if self.styled && !text.is_empty() { format!("{style}{text}{style:#}") } else { text.to_owned() }
    }
}

/// The head of a group.
pub(crate) const HEADING: Style = Style::new().bold();
/// What stands beside the text: times, ids, commands.
pub(crate) const ASIDE: Style = Style::new().dimmed();
/// Words that were searched for.
pub(crate) const MATCH: Style = AnsiColor::Yellow.on_default().bold();
/// What the person said.
pub(crate) const USER: Style = AnsiColor::Cyan.on_default();
/// What the model said.
pub(crate) const ASSISTANT: Style = AnsiColor::Green.on_default();

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn styles_stand_only_where_they_may() {
        let plain = Screen { width: 80, styled: false };
        assert_eq!(plain.paint(MATCH, "x"), "x");
        assert_eq!(Screen { styled: true, ..plain }.paint(HEADING, "x"), "\u{1b}[1mx\u{1b}[0m");
        assert_eq!(Screen { styled: true, ..plain }.paint(HEADING, ""), "");
    }
}
