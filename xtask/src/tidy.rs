//! The house rules that a compiler does not check.

mod layers;
mod sources;

use std::path::Path;

use xshell::{Shell, cmd};

use crate::Outcome;

/// Checks the layers and every source file; lists all that is wrong.
pub(crate) fn run(shell: &Shell, root: &Path) -> Outcome {
    let metadata = cmd!(shell, "cargo metadata --format-version 1 --locked").quiet().read()?;
    let graph = layers::Graph::from_metadata(&metadata)?;
    let mut faults = graph.faults();
    let files = cmd!(shell, "git ls-files --cached --others --exclude-standard").quiet().read()?;
    for file in files.lines() {
        let Ok(text) = std::fs::read_to_string(root.join(file)) else { continue };
        faults.extend(sources::faults(file, &text));
    }
    if faults.is_empty() {
        println!("tidy: {} packages in their layers, {} files clean", graph.len(), files.lines().count());
        return Ok(());
    }
    for fault in &faults {
        eprintln!("tidy: {fault}");
    }
    Err(format!("{} faults", faults.len()).into())
}
