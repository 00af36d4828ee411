//! What must hold before a change goes in.

use xshell::{Shell, cmd};

use crate::Outcome;

/// Runs every check in turn and stops at the first that fails.
pub(crate) fn run(shell: &Shell) -> Outcome {
    let _rustdoc = shell.push_env("RUSTDOCFLAGS", "-D warnings");
    cmd!(shell, "cargo fmt --all --check").run()?;
    cmd!(shell, "cargo clippy --workspace --all-targets --locked -- -D warnings").run()?;
    cmd!(shell, "cargo test --workspace --locked").run()?;
    cmd!(shell, "cargo doc --workspace --no-deps --document-private-items --locked").run()?;
    crate::tidy::run(shell, &crate::root())
}
