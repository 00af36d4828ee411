//! What should be visible and found, computed in the plainest way from a plan.

use std::collections::BTreeSet;

use session_search_api::core::visibility::{SandboxVisibility, Scope};

use crate::generated::Plan;

/// The sessions that the caller may see: those that are there and not incognito.
pub(crate) fn visible(plan: &Plan) -> BTreeSet<usize> {
    let there = |n: &usize| !plan.sessions[*n].deleted && !plan.sessions[*n].incognito;
    reached(plan).into_iter().filter(there).collect()
}

fn reached(plan: &Plan) -> BTreeSet<usize> {
    let Some(caller) = plan.sessions.get(plan.caller) else { return BTreeSet::new() };
    if caller.deleted {
        return BTreeSet::new();
    }
    let clamped = plan.policy.sandboxed && plan.policy.sandbox_visibility == SandboxVisibility::Spawned;
    let scope = match plan.policy.scope {
        Scope::Agent | Scope::All if clamped => Scope::Tree,
        scope => scope,
    };
    let all = 0..plan.sessions.len();
    match scope {
        Scope::Own => BTreeSet::from([plan.caller]),
        Scope::Agent => all.filter(|n| plan.sessions[*n].agent == caller.agent).collect(),
        Scope::All => all.filter(|n| may_see(plan, caller.agent, plan.sessions[*n].agent)).collect(),
        Scope::Tree => {
            let mut tree = BTreeSet::from([plan.caller]);
            loop {
                let more: Vec<_> = all
                    .clone()
                    .filter(|n| {
                        !tree.contains(n)
                            && plan.sessions[*n].parent.is_some_and(|parent| tree.contains(&parent))
                    })
                    .collect();
                if more.is_empty() {
                    return tree;
                }
                tree.extend(more);
            }
        }
    }
}

fn may_see(plan: &Plan, own: &str, other: &str) -> bool {
    let policy = &plan.policy.agent_to_agent;
    let matches = |agent: &str| {
        policy.allow.iter().any(|pattern| match pattern.strip_suffix('*') {
            Some(start) => agent.starts_with(start),
            None => agent == pattern,
        })
    };
    own == other || (policy.enabled && (policy.allow.is_empty() || (matches(own) && matches(other))))
}

/// Where a word stands: `(session, message id)` among the visible.
pub(crate) fn places(plan: &Plan, word: &str) -> BTreeSet<(String, String)> {
    let mut places = BTreeSet::new();
    for n in visible(plan) {
        let session = &plan.sessions[n];
        for message in session.messages.iter().filter(|message| message.text.split(' ').any(|w| w == word)) {
            places.insert((session.key.clone(), message.id.clone()));
        }
    }
    places
}
