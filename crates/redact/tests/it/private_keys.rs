//! Private keys: the body goes, and only the body, whatever stands on the lines beside it.

use session_search_redact::Redactor;

use crate::examples::expand;

const LABELS: [&str; 5] =
    ["RSA PRIVATE KEY", "EC PRIVATE KEY", "PRIVATE KEY", "ENCRYPTED PRIVATE KEY", "OPENSSH PRIVATE KEY"];

/// A key of six lines, with the given line end.
fn block(label: &str, end: &str, seed: u64) -> (String, String, String) {
    let body = expand("{b64}\n{b64}\n{b64}\n{b64}\n{b64}\n{b30}==", seed).text.replace('\n', end);
    (format!("-----BEGIN {label}-----"), body, format!("-----END {label}-----"))
}

#[test]
fn the_lines_that_begin_and_end_a_key_are_left_whole() {
    let token = expand("ghp_{w36}", 3).text;
    let openai = expand("sk-proj-{u74}T3BlbkFJ{u74}", 3).text;
    let before = [
        String::new(),
        "see below".into(),
        token.clone(),
        format!("TOKEN={token}"),
        format!("\"{token}\""),
        openai,
        expand("{h40}", 4).text,
        expand("{w50}", 5).text,
        expand("{b64}", 6).text,
        "a-word-with-dashes-at-its-end--".into(),
    ];
    let mut faults = Vec::new();
    for label in LABELS {
        for end in ["\n", "\r\n", "\n\n"] {
            for (number, beside) in before.iter().enumerate() {
                let (begin, body, last) = block(label, end, number as u64);
                let text = [beside, begin.as_str(), &body, &last, beside, ""].join(end);
                let out = Redactor::built_in().scrub(&text).text;
                let kept = format!("{end}{begin}{end}[REDACTED:private-key]{end}{last}{end}");
                if !out.contains(&kept) {
                    faults.push(format!("{label}, {end:?}, {number}: {out:?}"));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{} of them: {:#?}", faults.len(), &faults[..faults.len().min(6)]);
}

#[test]
fn a_key_in_one_line_goes_wherever_it_is_cut() {
    for (seed, label) in LABELS.into_iter().enumerate() {
        for end in ["\n", " ", "\\n", "  "] {
            let body = expand("{b64}\n{b64}\n{b64}\n{b40}=", seed as u64);
            let key = format!(
                "-----BEGIN {label}-----{end}{}{end}-----END {label}-----",
                body.text.replace('\n', end)
            );
            for cut in (45..key.len()).step_by(7) {
                for text in [format!("about {}", &key[..cut]), key[cut - 45..].to_owned()] {
                    let out = Redactor::built_in().scrub(&text).text;
                    // What a cut leaves of the first or last line is less than a secret.
                    let shown =
                        body.parts.iter().filter(|part| out.contains(&part[part.len() - 30..])).count();
                    assert_eq!(shown, 0, "{label}, {end:?}, {cut}: {out}");
                }
            }
        }
    }
}

#[test]
fn what_stands_between_two_keys_stays() {
    let (begin, body, last) = block(LABELS[0], "\n", 1);
    let (_, other, _) = block(LABELS[0], "\n", 2);
    let text = format!("{begin}\n{body}\n{last}\nThe next one is the old key:\n{begin}\n{other}\n{last}\n");
    let marker = "[REDACTED:private-key]";
    let expected =
        format!("{begin}\n{marker}\n{last}\nThe next one is the old key:\n{begin}\n{marker}\n{last}\n");
    assert_eq!(Redactor::built_in().scrub(&text).text, expected);
}

#[test]
fn certificates_and_public_keys_stay() {
    for label in ["CERTIFICATE", "PUBLIC KEY", "RSA PUBLIC KEY", "CERTIFICATE REQUEST"] {
        let (begin, body, last) = block(label, "\n", 3);
        let text = format!("{begin}\n{body}\n{last}\n");
        assert_eq!(Redactor::built_in().scrub(&text).text, text, "{label}");
    }
}
