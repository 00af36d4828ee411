//! The contract suite: what every store promises, as plain functions that any backend can call.
//!
//! ```no_run
//! # async fn run() {
//! use session_search_testkit::{MemoryFactory, contract};
//! contract::all(&MemoryFactory).await;
//! # }
//! ```

pub mod append;
pub mod copies;
pub mod delete;
pub mod history;
pub mod import;
pub mod language;
pub mod lifecycle;
pub mod list;
pub mod pending;
pub mod rewind;
pub mod search;
pub mod visibility;

use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::pin::Pin;

use futures::FutureExt;

use crate::factory::StoreFactory;

/// A promise, as a function that panics where a store breaks it.
pub type Check = for<'a> fn(&'a dyn StoreFactory) -> Pin<Box<dyn Future<Output = ()> + 'a>>;

macro_rules! suite {
    ($($module:ident { $($check:ident),+ $(,)? })+) => {
        /// All promises with their names, `subject::promise`.
        #[must_use]
        pub fn checks() -> Vec<(&'static str, Check)> {
            vec![$($(
                (concat!(stringify!($module), "::", stringify!($check)), |factory| Box::pin($module::$check(factory))),
            )+)+]
        }
    };
}

suite! {
    append {
        what_was_appended_is_found_at_once,
        the_same_event_again_is_no_event,
        another_event_under_the_same_id_is_a_conflict_and_nothing_is_stored,
        ids_are_compared_within_a_batch_too,
        a_new_session_with_a_conflict_does_not_come_to_be,
        leaf_events_move_the_leaf,
        a_leaf_event_with_an_unknown_target_warns,
        an_orphan_ends_the_branch_until_its_parent_comes,
        cycles_end,
        a_null_parent_begins_anew,
        a_new_session_id_is_a_reset,
        without_a_session_id_it_goes_to_the_current_transcript,
        an_old_transcript_takes_appends_without_becoming_current,
        text_beyond_the_bound_is_cut_with_a_warning,
        only_the_text_of_messages_is_found,
        a_session_that_exists_takes_title_project_and_incognito,
        lineage_is_fixed_by_the_first_append,
        events_are_kept_as_they_came,
        a_large_batch_is_whole,
    }
    rewind {
        a_rewound_text_is_not_found,
        a_small_move_is_reindexed_at_once,
        a_large_move_is_pending_and_never_shows_what_was_left,
        to_another_branch_and_back,
        back_and_forth_over_large_branches,
        what_is_not_there_cannot_be_rewound_to,
        only_the_current_transcript_moves,
        an_append_goes_on_from_the_new_leaf,
        purge_deletes_what_is_off_the_branch,
        purge_of_a_large_branch_is_clean,
    }
    delete {
        a_deleted_session_is_gone_from_every_read,
        the_receipt_counts_messages_on_and_off_the_branch,
        keys_that_do_not_exist_are_passed_over,
        others_stay_as_they_were,
        an_import_heeds_the_tombstone_until_it_restores,
        other_transcripts_under_the_key_are_imported,
        a_deleted_session_can_be_begun_again,
        lineage_outlives_deletion,
        a_pending_session_takes_its_work_with_it,
    }
    visibility {
        no_read_goes_beyond_the_visible_set,
        incognito_sessions_are_in_everything_only,
        a_turn_to_incognito_hides_at_once,
        unknown_and_invisible_sessions_are_refused_in_the_same_words,
        statistics_count_visible_messages_only,
        pending_counts_visible_transcripts_only,
        a_filter_does_not_widen_what_is_visible,
        answers_do_not_change_with_invisible_sessions,
        foreign_places_are_answered_like_unknown_ones,
        children_and_exists_see_all,
    }
    language {
        words_phrases_prefixes_exclusions_and_or,
        scripts_without_spaces,
        identifiers_whole_and_by_part,
        syntax_of_others_is_ordinary_text,
        queries_at_their_bounds,
        scrubbed_words_are_not_in_the_index,
        phrases_do_not_run_across_markers,
        relaxed_search_holds_at_least_half,
        phrases_and_exclusions_stay_binding_when_relaxed,
    }
    search {
        filters_by_role_time_and_project,
        filters_by_session,
        recent_is_by_time_and_ties_are_total,
        relevance_is_total_and_repeatable,
        rarer_and_denser_is_better,
        the_limit_leaves_out,
        the_cap_of_a_session_leaves_out,
        the_best_of_each_session_stay,
        hits_say_which_clauses_match,
        hits_carry_the_message_as_stored,
        statistics_are_what_counting_gives,
        occurring_terms_are_counted_among_visible_messages,
        all_transcripts_of_a_session_are_searched,
    }
    copies {
        a_copy_is_one_hit_under_the_oldest_session,
        copies_differ_by_text_or_id,
        copies_are_merged_after_filters,
        copies_are_merged_before_the_cap,
        only_visible_copies_are_named,
        copies_within_a_session_are_one_hit,
    }
    history {
        the_newest_page_is_the_end_of_the_branch,
        paging_from_end_to_end_yields_each_message_once,
        pages_stay_right_while_messages_are_appended,
        the_page_is_centred_on_its_anchor,
        places_that_are_not_on_the_branch,
        an_anchor_finds_its_transcript,
        tools_follow_their_message,
        history_is_right_while_pending,
        an_empty_branch_is_an_empty_page,
    }
    list {
        newest_first_then_by_key,
        what_an_entry_says,
        counts_are_of_active_branches,
    }
    import {
        an_import_is_idempotent,
        the_first_record_of_an_id_wins,
        the_highest_rank_sets_the_leaf_in_any_order,
        of_equal_ranks_the_later_leaf_decides_in_any_order,
        a_local_append_pins_the_leaf,
        a_local_rewind_pins_the_leaf,
        parts_are_numbered_by_time_in_any_order,
        transcripts_are_ordered_by_when_they_began_in_any_order,
        a_transcript_comes_in_several_chunks,
        known_events_are_told_over_all_parts,
        marks_are_kept_by_path,
        a_leaf_that_is_not_there_is_ignored,
        an_imported_branch_is_the_leafs,
        a_file_without_events_is_a_session_without_messages,
    }
    pending {
        a_deferred_import_is_pending_until_it_is_reconciled,
        only_the_deferred_part_waits,
        small_steps_lead_to_the_same_end,
        an_append_to_a_pending_transcript_is_found_at_once,
        appends_during_reconciliation_are_not_lost,
        a_steady_stream_of_appends_does_not_starve_it,
        a_branch_change_during_reconciliation_is_heeded,
        marked_transcripts_are_built_anew,
        another_version_of_the_pipeline_is_built_anew,
        idle_is_idle,
    }
    lifecycle {
        everything_survives_reopening,
        two_handles_see_one_store,
        a_closed_store_answers_closed,
        status_counts,
        verify_is_clean_after_everything,
        debug_shows_no_text,
    }
}

/// Runs the whole suite; prints the name of each promise before it is checked, and goes on after one that is broken.
///
/// # Panics
/// Where the store breaks a promise, with the names of all that it breaks.
#[expect(clippy::print_stdout, reason = "shown by the test harness when something fails")]
pub async fn all(factory: &dyn StoreFactory) {
    let mut broken = Vec::new();
    for (name, check) in checks() {
        println!("{name}");
        if AssertUnwindSafe(check(factory)).catch_unwind().await.is_err() {
            broken.push(name);
        }
    }
    assert!(broken.is_empty(), "broken: {broken:#?}");
}
