//! The scrubber as a filter.

use crate::harness::Home;

fn secret() -> String {
    ["gh", "p_", "16C7e42F292c6912E7710c838347Ae178B4a"].concat()
}

fn key() -> String {
    let [begin, end] = ["BEGIN", "END"].map(|word| format!("-----{word} RSA {} KEY-----", "PRIVATE"));
    let body = "MIIEowIBAAKCAQEAx0y7cFJx9lYt0nHqZ3vQmXw2rKd8sT5uGfBpVjNaLkOeIiRz\n".repeat(3);
    format!("{begin}\n{body}{end}\n")
}

#[test]
fn lines_are_kept_and_credentials_are_not() {
    let home = Home::new();
    let input = format!("first\ntoken {}\r\n\r\n{}last without an end", secret(), key());
    let run = home.feed(&["redact"], &input);
    assert_eq!((run.status, run.err.as_str()), (0, ""));
    assert_eq!(run.out.matches('\n').count(), input.matches('\n').count());
    let lines: Vec<_> = run.out.split('\n').collect();
    assert_eq!(lines[0], "first");
    assert!(lines[1].starts_with("token [REDACTED:") && lines[1].ends_with("]\r"), "{}", run.out);
    assert_eq!(lines.last(), Some(&"last without an end"));
    assert!(!run.out.contains("16C7e42F") && !run.out.contains("MIIEow"), "{}", run.out);
    assert_eq!(home.feed(&["redact"], &run.out).out, run.out, "twice is once");
    assert_eq!(home.feed(&["redact"], "").out, "");
    assert_eq!(home.feed(&["redact"], "nothing here\n").out, "nothing here\n");
}

#[test]
fn the_report_names_places_and_no_values() {
    let home = Home::new();
    let input = format!("first\n重試 token {}\n", secret());
    let run = home.feed(&["redact", "--report"], &input);
    assert_eq!(run.status, 0);
    assert!(run.out.starts_with("line 2, column 10: "), "{}", run.out);
    assert!(!run.out.contains("16C7e42F"));
    let run = home.feed(&["--json", "redact", "--report"], &input);
    let finding = &run.document()["findings"][0];
    assert_eq!((finding["line"].as_u64(), finding["column"].as_u64()), (Some(2), Some(10)));
    assert!(finding["kind"].is_string() && finding.as_object().unwrap().len() == 3, "{finding}");
}
