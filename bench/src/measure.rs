//! Times, their median, and the table that they end up in.

use std::time::{Duration, Instant};

use serde::Serialize;

/// What is asked of a figure.
#[derive(Debug, Clone, Copy, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum Goal {
    /// The ratio should be at least this.
    AtLeast(f64),
    /// The ratio should be at most this.
    AtMost(f64),
    /// Shown for comparison.
    Shown,
}

/// One measured figure, always against something measured in the same run.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Row {
    /// What was asked.
    pub(crate) request: String,
    /// Ours, in `unit`.
    pub(crate) ours: f64,
    /// What it is compared with, in `unit`.
    pub(crate) baseline: f64,
    /// What the baseline is.
    pub(crate) against: String,
    /// `ms`, `bytes`, …
    pub(crate) unit: String,
    /// `baseline / ours` for an [`Goal::AtLeast`] (above 1: we are faster), `ours / baseline` else.
    pub(crate) ratio: f64,
    /// What is wanted.
    pub(crate) goal: Goal,
}

impl Row {
    /// A row whose ratio says how many times faster we are.
    pub(crate) fn faster(request: &str, ours: Duration, stock: Duration, at_least: Option<f64>) -> Row {
        let (ours, baseline) = (millis(ours), millis(stock));
        let goal = at_least.map_or(Goal::Shown, Goal::AtLeast);
        Row::new(request, ours, baseline, "stock FTS5", "ms", baseline / ours, goal)
    }

    /// A row whose ratio says what part, or multiple, of the baseline ours is.
    pub(crate) fn part(
        request: &str,
        ours: f64,
        baseline: f64,
        against: &str,
        unit: &str,
        at_most: Option<f64>,
    ) -> Row {
        let goal = at_most.map_or(Goal::Shown, Goal::AtMost);
        Row::new(request, ours, baseline, against, unit, ours / baseline, goal)
    }

    fn new(
        request: &str,
        ours: f64,
        baseline: f64,
        against: &str,
        unit: &str,
        ratio: f64,
        goal: Goal,
    ) -> Row {
        Row {
            request: request.into(),
            ours,
            baseline,
            against: against.into(),
            unit: unit.into(),
            ratio,
            goal,
        }
    }

    /// Whether the goal is met; `true` where there is none.
    pub(crate) fn met(&self) -> bool {
        match self.goal {
            Goal::AtLeast(least) => self.ratio >= least,
            Goal::AtMost(most) => self.ratio <= most,
            Goal::Shown => true,
        }
    }
}

/// A duration in milliseconds.
pub(crate) fn millis(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1_000.0
}

/// How long one call takes.
pub(crate) fn time<T>(call: impl FnOnce() -> T) -> (Duration, T) {
    let start = Instant::now();
    let answer = call();
    (start.elapsed(), answer)
}

/// The medians of two calls, measured in turns, so that a slow moment of the machine meets both.
pub(crate) fn medians(turns: usize, mut ours: impl FnMut(), mut stock: impl FnMut()) -> (Duration, Duration) {
    ours();
    stock();
    let mut times: (Vec<Duration>, Vec<Duration>) = (Vec::new(), Vec::new());
    for _ in 0..turns {
        times.0.push(time(&mut ours).0);
        times.1.push(time(&mut stock).0);
    }
    (quantile(&mut times.0, 0.5), quantile(&mut times.1, 0.5))
}

/// The value below which that part of the sample lies; zero for an empty one.
pub(crate) fn quantile(sample: &mut [Duration], part: f64) -> Duration {
    sample.sort_unstable();
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "small samples"
    )]
    let place = ((sample.len().saturating_sub(1)) as f64 * part).round() as usize;
    sample.get(place).copied().unwrap_or_default()
}

/// The mean; zero for an empty sample.
pub(crate) fn mean(sample: &[Duration]) -> Duration {
    let count = u32::try_from(sample.len()).unwrap_or(u32::MAX).max(1);
    sample.iter().sum::<Duration>() / count
}

/// Prints the table for people.
pub(crate) fn print(rows: &[Row]) {
    println!("{:<58} {:>12} {:>12} {:>9}  {:<9} goal", "request", "ours", "baseline", "ratio", "unit");
    for row in rows {
        let goal = match row.goal {
            Goal::AtLeast(least) => format!(">= {least}"),
            Goal::AtMost(most) => format!("<= {most}"),
            Goal::Shown => String::new(),
        };
        let mark = if row.met() { "" } else { "  MISSED" };
        println!(
            "{:<58} {:>12.3} {:>12.3} {:>9.2}  {:<9} {goal}{mark}",
            row.request, row.ours, row.baseline, row.ratio, row.unit
        );
    }
}
