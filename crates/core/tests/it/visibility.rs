//! Visibility: the walk, the policy and the clamp against plain readings of CONTRACT 4.

use std::collections::BTreeSet;

use proptest::collection::{btree_set, vec};
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;
use session_search_core::visibility::{
    AgentToAgent, Caller, Policy, Reach, Resolution, SandboxVisibility, Scope, TreeWalk, resolve,
};
use session_search_core::{AgentId, SessionKey, SessionName, Visible};

const AGENTS: [&str; 4] = ["main", "ops", "team-a", "team-b"];
const SCOPES: [Scope; 4] = [Scope::Own, Scope::Tree, Scope::Agent, Scope::All];

fn agent(id: &str) -> AgentId {
    AgentId::new(id).unwrap()
}

/// Session `n` of a world of few: three agents take turns.
fn session(n: usize) -> SessionName {
    SessionName { agent: agent(AGENTS[n % 3]), key: SessionKey::new(format!("k{n}")).unwrap() }
}

/// Who spawned each of twelve sessions, if anybody: cycles, and the session itself, included.
fn parents() -> impl Strategy<Value = Vec<Option<usize>>> {
    vec(option::weighted(0.8, 0..12_usize), 12)
}

/// Walks as a host does, level by level, with repeats.
fn walked(root: usize, parents: &[Option<usize>]) -> BTreeSet<SessionName> {
    let mut walk = TreeWalk::from(session(root));
    let mut levels = 0;
    while let Some(frontier) = walk.next_level() {
        let spawned = |n: &usize| parents[*n].is_some_and(|parent| frontier.contains(&session(parent)));
        let children: Vec<_> =
            (0..parents.len()).filter(spawned).flat_map(|n| [session(n), session(n)]).collect();
        walk.spawned(children);
        levels += 1;
        assert!(levels <= parents.len() + 1, "a walk ends");
    }
    walk.reached()
}

/// Whether going up from `n` leads to `root`, in as many steps as there are sessions.
fn descends(n: usize, root: usize, parents: &[Option<usize>]) -> bool {
    let mut at = Some(n);
    for _ in 0..=parents.len() {
        if at == Some(root) {
            return true;
        }
        at = at.and_then(|n| parents[n]);
    }
    false
}

fn pattern() -> impl Strategy<Value = String> {
    vec(select(vec!["*", "a", "b", "-", "m", "main", "ops", "team", "team-"]), 0..5)
        .prop_map(|parts| parts.concat())
}

fn policy() -> impl Strategy<Value = AgentToAgent> {
    (any::<bool>(), vec(pattern(), 0..3)).prop_map(|(enabled, allow)| AgentToAgent { enabled, allow })
}

/// `*` stands for any run of bytes: by trying all of them.
fn fits(pattern: &[u8], text: &[u8]) -> bool {
    match pattern.split_first() {
        None => text.is_empty(),
        Some((b'*', rest)) => (0..=text.len()).any(|from| fits(rest, &text[from..])),
        Some((byte, rest)) => text.first() == Some(byte) && fits(rest, &text[1..]),
    }
}

fn allowed(policy: &AgentToAgent, one: &str, other: &str) -> bool {
    let named = |agent: &str| policy.allow.iter().any(|pattern| fits(pattern.as_bytes(), agent.as_bytes()));
    one == other || (policy.enabled && (policy.allow.is_empty() || (named(one) && named(other))))
}

fn width(scope: Scope) -> usize {
    SCOPES.iter().position(|known| *known == scope).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_walk_reaches_what_descends_from_the_caller(parents in parents(), root in 0..12_usize) {
        let expected: BTreeSet<_> = (0..12).filter(|n| descends(*n, root, &parents)).map(session).collect();
        prop_assert_eq!(walked(root, &parents), expected);
    }

    #[test]
    fn a_policy_is_symmetric_and_matches_both(policy in policy(), one in select(AGENTS.to_vec()), other in select(AGENTS.to_vec())) {
        let got = policy.allows(&agent(one), &agent(other));
        prop_assert_eq!(got, allowed(&policy, one, other));
        prop_assert_eq!(got, policy.allows(&agent(other), &agent(one)));
    }

    #[test]
    fn the_sandbox_only_narrows(
        scope in select(SCOPES.to_vec()),
        sandboxed in any::<bool>(),
        all in any::<bool>(),
        agent_to_agent in policy(),
    ) {
        let sandbox_visibility = if all { SandboxVisibility::All } else { SandboxVisibility::Spawned };
        let policy = Policy { scope, sandboxed, sandbox_visibility, agent_to_agent };
        let effective = policy.effective_scope();
        prop_assert!(width(effective) <= width(scope));
        if sandboxed && !all {
            prop_assert!(width(effective) <= width(Scope::Tree));
            prop_assert!(scope != Scope::Own || effective == Scope::Own);
        } else {
            prop_assert_eq!(effective, scope);
        }
    }

    /// What a caller sees in each agent's store, session by session.
    #[test]
    fn what_is_resolved_is_what_the_scope_says(
        parents in parents(),
        caller in 0..12_usize,
        exists in prop::bool::weighted(0.8),
        scope in select(SCOPES.to_vec()),
        sandboxed in any::<bool>(),
        agent_to_agent in policy(),
    ) {
        let policy = Policy { scope, sandboxed, agent_to_agent: agent_to_agent.clone(), ..Policy::default() };
        let reach = match resolve(&Caller::Session(session(caller)), &policy, exists) {
            Resolution::Known(reach) => reach,
            Resolution::Walk(walk) => {
                prop_assert_eq!(walk, TreeWalk::from(session(caller)));
                Reach::Sessions(walked(caller, &parents))
            }
        };
        let own = session(caller).agent;
        for n in 0..12 {
            let SessionName { agent: of, key } = session(n);
            let expected = n == caller || (exists && match policy.effective_scope() {
                Scope::Own => false,
                Scope::Tree => descends(n, caller, &parents),
                Scope::Agent => of == own,
                Scope::All => allowed(&agent_to_agent, own.as_str(), of.as_str()),
            });
            prop_assert_eq!(reach.within(&of).admits(&key, false), expected, "{} by {}", n, caller);
            prop_assert!(!reach.within(&of).admits(&key, true), "an incognito session");
        }
    }

    #[test]
    fn narrowing_takes_away_and_keeps_the_one(
        keys in option::of(btree_set(0..6_usize, 0..6)),
        narrow in 0..6_usize,
        incognito in any::<bool>(),
    ) {
        let key = |n: usize| session(n).key;
        for visible in [
            keys.map_or(Visible::NotIncognito, |keys| Visible::Only(keys.into_iter().map(key).collect())),
            Visible::Nothing,
            Visible::NotIncognito,
        ] {
            let narrowed = visible.narrowed_to(&key(narrow));
            for n in 0..6 {
                let expected = n == narrow && visible.admits(&key(n), incognito);
                prop_assert_eq!(narrowed.admits(&key(n), incognito), expected);
            }
        }
        prop_assert!(Visible::Everything.narrowed_to(&key(narrow)).admits(&key(narrow), false));
    }
}

#[test]
fn the_operator_sees_all_but_what_is_incognito() {
    let Resolution::Known(reach) = resolve(&Caller::Operator, &Policy::default(), false) else {
        panic!("the operator needs no walk")
    };
    for of in AGENTS {
        assert_eq!(reach.within(&agent(of)), Visible::NotIncognito);
    }
}
