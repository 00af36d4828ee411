//! The help of every command, as it is printed at 80 columns.

use crate::harness::Home;

#[test]
fn every_command_says_what_it_does() {
    let home = Home::new();
    for command in [
        "search",
        "history",
        "list",
        "import",
        "sync",
        "append",
        "rewind",
        "delete",
        "purge",
        "status",
        "reindex",
        "verify",
        "redact",
        "mcp",
        "completions",
    ] {
        let run = home.run(&[command, "--help"]);
        assert_eq!((run.status, run.err.as_str()), (0, ""), "{command}");
        insta::assert_snapshot!(format!("help-{command}"), run.out);
    }
    let run = home.run(&["--help"]);
    assert_eq!(run.status, 0);
    insta::assert_snapshot!("help", run.out);
}

#[test]
fn the_version_is_the_package_s() {
    let run = Home::new().run(&["--version"]);
    assert_eq!(run.out, format!("sessions {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn completions_for_the_usual_shells() {
    let home = Home::new();
    for shell in ["bash", "zsh", "fish"] {
        let run = home.run(&["completions", shell]);
        assert_eq!(run.status, 0);
        assert!(run.out.contains("per-session"), "{shell}");
    }
}
