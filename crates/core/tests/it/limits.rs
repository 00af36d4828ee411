//! Limits: what is kept is the most that fits, and the flag says whether anything was left out.

use proptest::collection::vec;
use proptest::prelude::*;
use session_search_core::limits::{
    Candidates, HistoryLimit, MAX_TITLE_CHARS, OutOfRange, PerSession, SearchLimit, title,
};

/// How many of these may stay: by trying every number.
fn most(sizes: &[usize], count: usize, budget: usize, separator: usize) -> usize {
    let bytes = |kept: usize| sizes[..kept].iter().sum::<usize>() + separator * kept.saturating_sub(1);
    (0..=sizes.len().min(count)).rev().find(|kept| *kept == 0 || bytes(*kept) <= budget).unwrap()
}

fn checked(got: Result<usize, OutOfRange>, value: i64, max: i64) -> Result<(), TestCaseError> {
    match got {
        Ok(number) => {
            prop_assert!((1..=max).contains(&value));
            prop_assert_eq!(i64::try_from(number).unwrap(), value);
        }
        Err(error) => {
            prop_assert!(!(1..=max).contains(&value));
            let said = error.to_string();
            prop_assert!(said.contains(&value.to_string()) && said.contains("from 1 to"), "{}", said);
            prop_assert!(said.ends_with(&format!("to {max}")), "{}", said);
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_longest_beginning_that_fits_is_kept(
        sizes in vec(0..40_usize, 0..20),
        count in 0..25_usize,
        budget in 0..300_usize,
        separator in 0..3_usize,
    ) {
        let (kept, truncated) =
            Candidates::new(sizes.clone()).count(count).fit(budget, separator, |size| *size).into_parts();
        prop_assert_eq!(kept.as_slice(), &sizes[..most(&sizes, count, budget, separator)]);
        prop_assert_eq!(truncated, kept.len() < sizes.len());
    }

    #[test]
    fn what_was_bounded_once_is_bounded(sizes in vec(0..40_usize, 0..20), count in 0..25_usize, budget in 0..300_usize) {
        let bound = |sizes: Vec<usize>| Candidates::new(sizes).count(count).fit(budget, 1, |size| *size).into_parts();
        let (once, _) = bound(sizes);
        prop_assert_eq!(bound(once.clone()), (once, false));
    }

    #[test]
    fn ranges_hold_and_are_named(value in prop_oneof![-3..1_010_i64, any::<i64>()]) {
        checked(SearchLimit::for_caller(value).map(SearchLimit::get), value, 25)?;
        checked(SearchLimit::for_operator(value).map(SearchLimit::get), value, 1_000)?;
        checked(PerSession::new(value).map(PerSession::get), value, 1_000)?;
        checked(HistoryLimit::new(value).map(HistoryLimit::get), value, 100)?;
    }

    #[test]
    fn a_title_is_one_short_line(text in "[a-zé会\u{301} \n\t]{0,260}") {
        let short = title(&text);
        prop_assert!(short.chars().count() <= MAX_TITLE_CHARS);
        prop_assert!(!short.contains(['\n', '\t']) && !short.starts_with(' ') && !short.contains("  "));
        let again = title(&short);
        prop_assert_eq!(again.trim_end(), short.trim_end(), "a title stays a title");
        let words: String = text.split_whitespace().collect();
        let kept: String = short.split_whitespace().collect();
        prop_assert!(words.starts_with(&kept));
    }
}
