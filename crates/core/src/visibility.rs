//! Who may see what (CONTRACT 4).
//!
//! A caller, a scope and a policy become, for each agent's store, a [`Visible`]: the only thing that a read
//! accepts. Nothing here reads a store; the lineage is walked by whoever can, with a [`TreeWalk`].

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::ids::{AgentId, SessionKey, SessionName};

/// On whose behalf a request is made. Comes from the host, never from a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Caller {
    /// The person at the command line.
    Operator,
    /// A session.
    Session(SessionName),
}

/// How far a caller sees.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scope {
    /// Its own session.
    #[serde(rename = "self")]
    Own,
    /// Itself, all that it spawned, and what those spawned.
    #[default]
    Tree,
    /// The sessions of its agent.
    Agent,
    /// Every agent that the agent-to-agent policy allows, and its own.
    All,
}

/// What a sandboxed caller is clamped to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SandboxVisibility {
    /// Spawned-session visibility is on: at most [`Scope::Tree`].
    #[default]
    Spawned,
    /// No clamp.
    All,
}

/// Whether agents may see each other's sessions. Off by default.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AgentToAgent {
    /// Whether it is on at all.
    pub enabled: bool,
    /// Patterns that both agents must match, `*` standing for any run of characters; none means every pair.
    pub allow: Vec<String>,
}

impl AgentToAgent {
    /// Whether `a` may see `b`'s sessions. An agent always sees its own.
    ///
    /// ```
    /// use session_search_core::{AgentId, visibility::AgentToAgent};
    /// let [a, b] = ["team-a", "ops"].map(|id| AgentId::new(id).unwrap());
    /// assert!(!AgentToAgent::default().allows(&a, &b));
    /// assert!(AgentToAgent { enabled: true, allow: vec![] }.allows(&a, &b));
    /// assert!(!AgentToAgent { enabled: true, allow: vec!["team-*".into()] }.allows(&a, &b));
    /// ```
    #[must_use]
    pub fn allows(&self, a: &AgentId, b: &AgentId) -> bool {
        if a == b {
            return true;
        }
        let matched = |agent: &AgentId| self.allow.iter().any(|pattern| glob(pattern, agent.as_str()));
        self.enabled && (self.allow.is_empty() || (matched(a) && matched(b)))
    }
}

/// `*` is any run of characters, everything else itself. Linear in pattern times text at worst.
fn glob(pattern: &str, text: &str) -> bool {
    let (p, t) = (pattern.as_bytes(), text.as_bytes());
    let (mut pi, mut ti) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while ti < t.len() {
        if pi < p.len() && p[pi] == b'*' {
            star = Some((pi, ti));
            pi += 1;
        } else if pi < p.len() && p[pi] == t[ti] {
            pi += 1;
            ti += 1;
        } else if let Some((star_at, from)) = star {
            star = Some((star_at, from + 1));
            pi = star_at + 1;
            ti = from + 1;
        } else {
            return false;
        }
    }
    p[pi..].iter().all(|b| *b == b'*')
}

/// The host's settings for callers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Policy {
    /// The scope that was configured.
    pub scope: Scope,
    /// Whether the caller runs in a sandbox.
    pub sandboxed: bool,
    /// What a sandboxed caller is clamped to.
    pub sandbox_visibility: SandboxVisibility,
    /// Whether agents see each other.
    pub agent_to_agent: AgentToAgent,
}

impl Policy {
    /// The scope after the sandbox clamp, which only narrows.
    ///
    /// ```
    /// use session_search_core::visibility::{Policy, Scope};
    /// let clamped = |scope| Policy { scope, sandboxed: true, ..Policy::default() }.effective_scope();
    /// assert_eq!(clamped(Scope::All), Scope::Tree);
    /// assert_eq!(clamped(Scope::Own), Scope::Own);
    /// ```
    #[must_use]
    pub fn effective_scope(&self) -> Scope {
        let clamp = self.sandboxed && self.sandbox_visibility == SandboxVisibility::Spawned;
        match self.scope {
            Scope::Agent | Scope::All if clamp => Scope::Tree,
            scope => scope,
        }
    }
}

/// The sessions of one agent's store that a read may touch. Incognito sessions are left out by the store in
/// every case but [`Visible::Everything`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Visible {
    /// No session.
    Nothing,
    /// These sessions, as far as they exist and are not incognito.
    Only(BTreeSet<SessionKey>),
    /// All sessions that are not incognito.
    NotIncognito,
    /// All sessions: the operator's history and list.
    Everything,
}

impl Visible {
    /// Whether a session of this key may be seen, given whether it is incognito.
    #[must_use]
    pub fn admits(&self, key: &SessionKey, incognito: bool) -> bool {
        match self {
            Visible::Nothing => false,
            Visible::Only(keys) => !incognito && keys.contains(key),
            Visible::NotIncognito => !incognito,
            Visible::Everything => true,
        }
    }

    /// The same, narrowed to one session.
    #[must_use]
    pub fn narrowed_to(&self, key: &SessionKey) -> Visible {
        let alone = || Visible::Only(BTreeSet::from([key.clone()]));
        match self {
            Visible::Nothing => Visible::Nothing,
            Visible::Only(keys) if keys.contains(key) => alone(),
            Visible::Only(_) => Visible::Nothing,
            Visible::NotIncognito | Visible::Everything => alone(),
        }
    }
}

/// What a caller reaches, over all agents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reach {
    /// The operator: every agent.
    Operator,
    /// These sessions, wherever they are.
    Sessions(BTreeSet<SessionName>),
    /// All sessions of one agent.
    Agent(AgentId),
    /// All sessions of the agents that this agent's policy allows.
    Allowed(AgentId, AgentToAgent),
}

impl Reach {
    /// What may be searched, listed or reopened in that agent's store.
    #[must_use]
    pub fn within(&self, agent: &AgentId) -> Visible {
        match self {
            Reach::Operator => Visible::NotIncognito,
            Reach::Sessions(names) => {
                let keys: BTreeSet<_> =
                    names.iter().filter(|n| n.agent == *agent).map(|n| n.key.clone()).collect();
                if keys.is_empty() { Visible::Nothing } else { Visible::Only(keys) }
            }
            Reach::Agent(own) if own == agent => Visible::NotIncognito,
            Reach::Allowed(own, policy) if policy.allows(own, agent) => Visible::NotIncognito,
            Reach::Agent(_) | Reach::Allowed(..) => Visible::Nothing,
        }
    }
}

/// How a caller's reach is found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Resolution {
    /// It is known already.
    Known(Reach),
    /// The lineage must be walked from the caller.
    Walk(TreeWalk),
}

/// Starts to resolve a caller's reach. `exists` says whether the caller's own session exists (and is not
/// deleted): a caller that does not exist sees only itself.
#[must_use]
pub fn resolve(caller: &Caller, policy: &Policy, exists: bool) -> Resolution {
    let Caller::Session(name) = caller else { return Resolution::Known(Reach::Operator) };
    let own = || Resolution::Known(Reach::Sessions(BTreeSet::from([name.clone()])));
    if !exists {
        return own();
    }
    match policy.effective_scope() {
        Scope::Own => own(),
        Scope::Tree => Resolution::Walk(TreeWalk::from(name.clone())),
        Scope::Agent => Resolution::Known(Reach::Agent(name.agent.clone())),
        Scope::All => Resolution::Known(Reach::Allowed(name.agent.clone(), policy.agent_to_agent.clone())),
    }
}

/// A walk down the lineage, level by level, so that whoever can read lineages (asynchronously or not) drives it.
/// Passes through sessions that are invisible or deleted; cycles end.
///
/// ```
/// use session_search_core::{AgentId, SessionKey, SessionName, visibility::TreeWalk};
/// let name = |key: &str| SessionName { agent: AgentId::new("main").unwrap(), key: SessionKey::new(key).unwrap() };
/// let mut walk = TreeWalk::from(name("a"));
/// while let Some(frontier) = walk.next_level() {
///     // Whoever spawned whom: a spawned b, b spawned a.
///     let children = frontier.iter().map(|n| name(if n.key.as_str() == "a" { "b" } else { "a" })).collect::<Vec<_>>();
///     walk.spawned(children);
/// }
/// assert_eq!(walk.reached().len(), 2);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TreeWalk {
    reached: BTreeSet<SessionName>,
    frontier: Vec<SessionName>,
}

impl TreeWalk {
    /// A walk that starts at this session.
    #[must_use]
    pub fn from(root: SessionName) -> TreeWalk {
        TreeWalk { reached: BTreeSet::from([root.clone()]), frontier: vec![root] }
    }

    /// The sessions whose children are wanted next; `None` when the walk is done.
    pub fn next_level(&mut self) -> Option<Vec<SessionName>> {
        if self.frontier.is_empty() { None } else { Some(std::mem::take(&mut self.frontier)) }
    }

    /// Takes the children found for the last level, in any order and with repeats.
    pub fn spawned(&mut self, children: impl IntoIterator<Item = SessionName>) {
        for child in children {
            if self.reached.insert(child.clone()) {
                self.frontier.push(child);
            }
        }
    }

    /// All sessions reached, the first included.
    #[must_use]
    pub fn reached(self) -> BTreeSet<SessionName> {
        self.reached
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn agent(id: &str) -> AgentId {
        AgentId::new(id).unwrap()
    }

    fn name(agent_id: &str, key: &str) -> SessionName {
        SessionName { agent: agent(agent_id), key: SessionKey::new(key).unwrap() }
    }

    #[test]
    fn only_the_star_is_special_in_patterns() {
        for (pattern, text, matches) in [
            ("*", "anything", true),
            ("a*c", "abc", true),
            ("a*c", "ac", true),
            ("a*c", "ab", false),
            ("a", "ab", false),
            ("**a", "ba", true),
            ("a.c", "abc", false),
            ("a?", "ab", false),
            ("", "", true),
            ("*-bot", "x-y-bot", true),
            ("a*b*c", "a1b2b3c", true),
            ("a*b*c", "a1c", false),
        ] {
            assert_eq!(glob(pattern, text), matches, "{pattern} {text}");
        }
    }

    #[test]
    fn both_agents_must_match_and_none_means_every_pair() {
        let policy = |allow: &[&str]| AgentToAgent {
            enabled: true,
            allow: allow.iter().map(|s| (*s).to_owned()).collect(),
        };
        assert!(policy(&["main", "ops"]).allows(&agent("main"), &agent("ops")));
        assert!(!policy(&["main"]).allows(&agent("main"), &agent("ops")));
        assert!(policy(&[]).allows(&agent("main"), &agent("ops")));
        assert!(policy(&["zzz"]).allows(&agent("main"), &agent("main")));
        assert!(!AgentToAgent { enabled: false, allow: vec!["*".into()] }.allows(&agent("a"), &agent("b")));
    }

    #[test]
    fn the_clamp_only_narrows() {
        let scopes = [Scope::Own, Scope::Tree, Scope::Agent, Scope::All];
        for scope in scopes {
            let free = Policy {
                scope,
                sandboxed: true,
                sandbox_visibility: SandboxVisibility::All,
                ..Policy::default()
            };
            assert_eq!(free.effective_scope(), scope);
            let clamped = Policy { sandbox_visibility: SandboxVisibility::Spawned, ..free };
            let expected = if scope == Scope::Own { Scope::Own } else { Scope::Tree };
            assert_eq!(clamped.effective_scope(), expected);
        }
    }

    #[test]
    fn a_caller_that_does_not_exist_sees_itself_only() {
        let caller = Caller::Session(name("main", "ghost"));
        let policy = Policy { scope: Scope::All, ..Policy::default() };
        let expected = Resolution::Known(Reach::Sessions(BTreeSet::from([name("main", "ghost")])));
        assert_eq!(resolve(&caller, &policy, false), expected);
    }

    #[test]
    fn reach_per_agent() {
        let sessions = Reach::Sessions(BTreeSet::from([name("main", "a"), name("ops", "b")]));
        assert_eq!(
            sessions.within(&agent("ops")),
            Visible::Only(BTreeSet::from([SessionKey::new("b").unwrap()]))
        );
        assert_eq!(sessions.within(&agent("third")), Visible::Nothing);
        assert_eq!(Reach::Agent(agent("main")).within(&agent("ops")), Visible::Nothing);
        let all = Reach::Allowed(agent("main"), AgentToAgent::default());
        assert_eq!(all.within(&agent("main")), Visible::NotIncognito);
        assert_eq!(all.within(&agent("ops")), Visible::Nothing);
    }

    #[test]
    fn incognito_is_left_out_of_all_but_everything() {
        let key = SessionKey::new("k").unwrap();
        assert!(!Visible::Only(BTreeSet::from([key.clone()])).admits(&key, true));
        assert!(!Visible::NotIncognito.admits(&key, true));
        assert!(Visible::Everything.admits(&key, true));
        assert_eq!(Visible::Only(BTreeSet::new()).narrowed_to(&key), Visible::Nothing);
    }
}
