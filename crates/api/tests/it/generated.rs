//! Made-up homes: sessions of several agents with lineage, copies, incognito and deleted ones, and a caller.

use proptest::prelude::*;
use session_search_api::core::visibility::{AgentToAgent, Policy, SandboxVisibility, Scope};
use session_search_api::{AppendRequest, Context};

use crate::world::{World, message, name};

pub(crate) const AGENTS: [&str; 3] = ["main", "ops", "lab"];
pub(crate) const WORDS: [&str; 6] = ["quokka", "backoff", "deploy", "会议室", "user_name", "café"];

/// A session to be.
#[derive(Debug, Clone)]
pub(crate) struct Session {
    pub(crate) agent: &'static str,
    pub(crate) key: String,
    /// Which other session spawned it; may be itself, or one that spawned it in turn.
    pub(crate) parent: Option<usize>,
    pub(crate) incognito: bool,
    pub(crate) deleted: bool,
    pub(crate) messages: Vec<Message>,
}

/// A message to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Message {
    pub(crate) id: String,
    pub(crate) text: String,
    pub(crate) role: &'static str,
    pub(crate) time: i64,
}

/// A home to be, and who asks.
#[derive(Debug, Clone)]
pub(crate) struct Plan {
    pub(crate) sessions: Vec<Session>,
    /// Which session asks; beyond the last: one that does not exist.
    pub(crate) caller: usize,
    pub(crate) policy: Policy,
}

fn messages() -> impl Strategy<Value = Vec<(Vec<usize>, bool, i64, Option<usize>)>> {
    let words = prop::collection::vec(0..WORDS.len(), 1..5);
    // Of the fourth part, some say that the message is a copy of one of three.
    prop::collection::vec((words, any::<bool>(), 0..50_i64, prop::option::weighted(0.25, 0..3_usize)), 1..4)
}

fn policy() -> impl Strategy<Value = Policy> {
    let scope = prop::sample::select(vec![
        Scope::Own,
        Scope::Tree,
        Scope::Tree,
        Scope::Agent,
        Scope::All,
        Scope::All,
    ]);
    let allow =
        prop::sample::select(vec![vec![], vec!["*"], vec!["main", "ops"], vec!["o*", "lab"], vec!["nobody"]]);
    (scope, any::<bool>(), any::<bool>(), any::<bool>(), allow).prop_map(
        |(scope, sandboxed, clamp, enabled, allow)| Policy {
            scope,
            sandboxed,
            sandbox_visibility: if clamp { SandboxVisibility::Spawned } else { SandboxVisibility::All },
            agent_to_agent: AgentToAgent { enabled, allow: allow.into_iter().map(str::to_owned).collect() },
        },
    )
}

pub(crate) fn plan() -> impl Strategy<Value = Plan> {
    let session = (
        0..AGENTS.len(),
        prop::option::weighted(0.6, 0..7_usize),
        prop::bool::weighted(0.15),
        prop::bool::weighted(0.15),
        messages(),
    );
    (prop::collection::vec(session, 1..7), 0..8_usize, policy()).prop_map(|(sessions, caller, policy)| Plan {
        caller: caller.min(sessions.len()),
        sessions: sessions
            .into_iter()
            .enumerate()
            .map(|(n, (agent, parent, incognito, deleted, messages))| Session {
                agent: AGENTS[agent],
                key: format!("agent:{}:k{n}", AGENTS[agent]),
                parent,
                incognito,
                deleted,
                messages: messages.into_iter().enumerate().map(|(m, made)| write(n, m, made)).collect(),
            })
            .collect(),
        policy,
    })
}

fn write(session: usize, place: usize, made: (Vec<usize>, bool, i64, Option<usize>)) -> Message {
    let (words, user, time, copy) = made;
    if let Some(copy) = copy {
        // A copy has its id, text, role and time wherever it stands.
        return Message {
            id: format!("copy{copy}"),
            text: format!("copied {}", WORDS[copy]),
            role: "user",
            time: 1_000,
        };
    }
    let text = words.iter().map(|word| WORDS[*word]).collect::<Vec<_>>().join(" ");
    Message {
        id: format!("m{session}-{place}"),
        text,
        role: if user { "user" } else { "assistant" },
        time: 1_000 + time,
    }
}

impl Plan {
    pub(crate) fn context(&self) -> Context {
        let own = self
            .sessions
            .get(self.caller)
            .map_or(name("main", "agent:main:ghost"), |s| name(s.agent, &s.key));
        Context::session(own, self.policy.clone())
    }

    /// Fills a world.
    pub(crate) async fn fill(&self, world: &World) {
        for n in 0..self.sessions.len() {
            self.store(world, n).await;
        }
        for session in self.sessions.iter().filter(|session| session.deleted) {
            world.api.delete(&session.key, None).await.unwrap();
        }
    }

    /// Stores one session.
    pub(crate) async fn store(&self, world: &World, n: usize) {
        let session = &self.sessions[n];
        let parent = session.parent.map(|parent| match self.sessions.get(parent) {
            Some(parent) => parent.key.clone(),
            None => "agent:lab:never-stored".to_owned(),
        });
        let to = AppendRequest {
            spawned_by: parent,
            incognito: session.incognito,
            session_id: Some(format!("t{n}")),
            ..AppendRequest::to(&session.key)
        };
        let mut told: Vec<&Message> = Vec::new();
        for message in &session.messages {
            if !told.contains(&message) {
                told.push(message);
            }
        }
        let events = told.iter().map(|m| message(&m.id, m.role, &m.text, m.time)).collect();
        world.api.append(&to, events).await.unwrap();
    }
}
