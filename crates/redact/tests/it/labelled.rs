//! Figures over the labelled lines, and what must hold for each of them.

use session_search_redact::Redactor;

use crate::corpus;

macro_rules! directory {
    () => {
        match corpus::directory() {
            Some(dir) => dir,
            None => {
                println!("skipped: no labelled lines");
                return;
            }
        }
    };
}

#[test]
fn nearly_every_labelled_secret_goes() {
    let dir = directory!();
    let redactor = Redactor::built_in();
    let lines = corpus::positives(&dir);
    let hit = lines.iter().filter(|l| corpus::hidden(&l.secret, &redactor.scrub(&l.text).text)).count();
    assert!(hit * 100 >= lines.len() * 95, "{hit} of {}", lines.len());
}

#[test]
fn ordinary_lines_stay_and_lines_of_code_always() {
    let dir = directory!();
    let redactor = Redactor::built_in();
    let lines = corpus::negatives(&dir);
    let changed: Vec<&str> =
        lines.iter().filter(|l| redactor.scrub(&l.text).redacted()).map(|l| l.why.as_str()).collect();
    assert!(changed.len() * 100 <= lines.len() * 3, "{} of {}", changed.len(), lines.len());
    assert!(!changed.iter().any(|why| why.starts_with("code")), "lines of code changed");
}

#[test]
fn hard_cases_are_right() {
    let dir = directory!();
    let redactor = Redactor::built_in();
    let cases = corpus::hard(&dir);
    let right = cases.iter().filter(|c| c.right(&redactor.scrub_cut(&c.line, c.edges()).text)).count();
    assert!(right >= 62, "{right} of {}", cases.len());
}

#[test]
fn scrubbing_twice_equals_scrubbing_once() {
    let dir = directory!();
    let redactor = Redactor::built_in();
    let texts = corpus::positives(&dir)
        .into_iter()
        .map(|l| l.text)
        .chain(corpus::negatives(&dir).into_iter().map(|l| l.text))
        .chain(corpus::hard(&dir).into_iter().map(|c| c.line));
    for (number, text) in texts.enumerate() {
        let once = redactor.scrub(&text).text.into_owned();
        assert_eq!(redactor.scrub(&once).text, once, "line {number}");
    }
}
