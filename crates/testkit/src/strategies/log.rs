//! Events that fork, dangle and bite their tails, and sessions that spawn each other.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use serde_json::json;
use session_search_core::SessionName;

use super::text::text;
use crate::fixture::{Draft, assistant, leaf, name, other, tool_call, tool_result, user};

/// A time after [`crate::fixture::T0`], of few, so that there are ties.
pub fn time() -> impl Strategy<Value = i64> {
    20..60_i64
}

/// The id of one of few events.
fn id(prefix: &'static str) -> impl Strategy<Value = String> {
    (0..14_u8).prop_map(move |n| format!("{prefix}{n}"))
}

/// A text of its own for each id, so that one id in two places is mostly a copy.
fn usual_text(id: &str) -> String {
    const TEXTS: [&str; 7] = [
        "walrus on the ice",
        "narwhal and seal",
        "会议室 in 東京都庁",
        "the walrus, the seal",
        "getUserName in src/main.rs",
        "seals C++",
        "open sesame1 café",
    ];
    let n: usize = id.bytes().map(usize::from).sum();
    TEXTS[n % TEXTS.len()].to_owned()
}

/// An event under one of few ids that begin so: mostly messages; parents absent, null, there, not there, itself.
pub fn draft(prefix: &'static str) -> impl Strategy<Value = Draft> {
    let content = id(prefix).prop_flat_map(|id| {
        let usual = usual_text(&id);
        (Just(id), prop_oneof![4 => Just(usual), 1 => text()])
    });
    let message = (content, any::<bool>()).prop_map(|((id, text), said)| {
        // The role belongs to the id, so that the same text again is the same message.
        if id.len() % 2 == 0 && !said { user(&id, &text) } else { assistant(&id, &text) }
    });
    let other_event = (id(prefix), 0..3_u8).prop_map(|(id, kind)| match kind {
        0 => tool_call(&format!("t{id}"), "ls", json!({"path": "walrus"})),
        1 => tool_result(&format!("r{id}"), "ls", "seal"),
        _ => other("compaction", &format!("c{id}")),
    });
    let event = (
        prop_oneof![5 => message, 1 => other_event],
        option::weighted(0.35, option::weighted(0.9, id(prefix))),
    );
    let event = event.prop_map(|(draft, parent)| match parent {
        None => draft,
        Some(None) => draft.root(),
        Some(Some(parent)) => draft.under(&parent),
    });
    let target =
        option::weighted(0.9, id(prefix)).prop_map(|target| target.map_or(json!(null), |id| json!(id)));
    let moved = (id(prefix), target).prop_map(|(id, target)| leaf(&format!("l{id}"), target));
    (prop_oneof![9 => event, 1 => moved], time()).prop_map(|(draft, time)| draft.at(time))
}

/// Events in the order of their arrival.
pub fn log(prefix: &'static str, most: usize) -> impl Strategy<Value = Vec<Draft>> {
    vec(draft(prefix), 1..=most)
}

/// Who spawned each of so many sessions `k0`, `k1`, …: another of them (cycles and itself included), one that is
/// not there, or nobody.
pub fn lineage(sessions: usize) -> impl Strategy<Value = Vec<Option<SessionName>>> {
    vec(option::weighted(0.8, 0..=sessions), sessions)
        .prop_map(|parents| parents.into_iter().map(|n| n.map(|n| name(&format!("k{n}")))).collect())
}
