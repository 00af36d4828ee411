//! Prints recall and false alarms over a directory of labelled lines, per source and rule.
//!
//! The directory is the first argument, else `redaction` in `SESSION_SEARCH_SHARED`, else in `../shared`. `--misses`
//! lists what was missed, by number, kind and length; `--show` adds the lines, for a private terminal.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command line for developers")]

#[path = "../tests/it/corpus.rs"]
mod corpus;

use std::collections::BTreeMap;
use std::process::ExitCode;

use session_search_redact::Redactor;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let show = args.iter().any(|a| a == "--show");
    let misses = show || args.iter().any(|a| a == "--misses");
    let given = args.iter().find(|a| !a.starts_with("--")).map(std::path::PathBuf::from);
    let Some(dir) = given.or_else(corpus::directory) else {
        println!("skipped: no directory of labelled lines");
        return ExitCode::SUCCESS;
    };
    let redactor = Redactor::built_in();
    positives(&redactor, &dir, misses, show);
    negatives(&redactor, &dir, misses, show);
    hard(&redactor, &dir, misses, show);
    ExitCode::SUCCESS
}

fn positives(redactor: &Redactor, dir: &std::path::Path, misses: bool, show: bool) {
    let mut tables: [BTreeMap<String, (usize, usize)>; 3] = Default::default();
    let (mut hit, mut all) = (0, 0);
    for (number, line) in corpus::positives(dir).iter().enumerate() {
        let out = redactor.scrub(&line.text).text;
        let hidden = corpus::hidden(&line.secret, &out);
        all += 1;
        hit += usize::from(hidden);
        for (table, key) in tables.iter_mut().zip([&line.source, &line.class, &line.rule]) {
            let row = table.entry(key.clone()).or_default();
            row.0 += usize::from(hidden);
            row.1 += 1;
        }
        if !hidden && misses {
            println!(
                "missed {number} {} {} ({} characters)",
                line.rule,
                line.class,
                line.secret.chars().count()
            );
            if show {
                println!("    {:?}\n    {:?}\n    {:?}", line.secret, line.text, out);
            }
        }
    }
    let [sources, classes, rules] = tables;
    println!("\nstrict recall {hit}/{all} = {:.4}", hit as f64 / all.max(1) as f64);
    for (title, table) in [("source", &sources), ("class", &classes)] {
        for (key, (hit, all)) in table {
            println!("  {title:<8} {key:<24} {hit:>5}/{all:<5} {:.3}", *hit as f64 / *all as f64);
        }
    }
    for (key, (hit, all)) in &rules {
        if hit < all || misses {
            println!("  rule     {key:<44} {hit:>4}/{all}");
        }
    }
}

fn negatives(redactor: &Redactor, dir: &std::path::Path, misses: bool, show: bool) {
    let mut table: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    let (mut changed, mut all) = (0, 0);
    for (number, line) in corpus::negatives(dir).iter().enumerate() {
        let out = redactor.scrub(&line.text);
        let row = table.entry(line.why.split(':').next().unwrap_or_default().to_owned()).or_default();
        row.1 += 1;
        all += 1;
        if out.text != line.text {
            row.0 += 1;
            changed += 1;
            if misses {
                println!("changed {number} {}", line.why);
            }
            if show {
                println!("    {:?}\n    {:?}", line.text, out.text);
            }
        }
    }
    println!("\nordinary lines changed {changed}/{all} = {:.4}", f64::from(changed) / all.max(1) as f64);
    for (key, (changed, all)) in &table {
        println!("  {key:<24} {changed:>4}/{all}");
    }
}

fn hard(redactor: &Redactor, dir: &std::path::Path, misses: bool, show: bool) {
    let (mut plain, mut told, mut all) = (0, 0, 0);
    for case in corpus::hard(dir) {
        let out = redactor.scrub(&case.line).text;
        let cut = redactor.scrub_cut(&case.line, case.edges()).text;
        all += 1;
        plain += usize::from(case.right(&out));
        told += usize::from(case.right(&cut));
        if misses && (!case.right(&out) || !case.right(&cut)) {
            println!("hard case {} plain {} told {}", case.case, case.right(&out), case.right(&cut));
            if show {
                println!("    {:?}\n    {:?}", case.line, out);
            }
        }
    }
    println!("\nhard cases right {plain}/{all}, with the cut edges told {told}/{all}");
}
