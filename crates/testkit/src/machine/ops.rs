//! What can happen to a store, and what it can be asked.

use std::sync::Arc;

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;
use proptest_state_machine::ReferenceStateMachine;
use session_search_core::source::{ImportChunk, SourceRank};
use session_search_core::store::{Append, Filter, Matching, Order, Rewind, SearchPlan};
use session_search_core::{Event, EventId, Millis, Role, SessionKey, Visible};

use crate::factory::agent;
use crate::fixture::{Draft, append, at, chunk, event_id, key, name, only, plan, session_id, user};
use crate::model::Model;
use crate::pipeline::TestPipeline;
use crate::strategies::{log, query, text, time};

/// The sessions of the machine.
pub(super) const KEYS: [&str; 5] = ["k0", "k1", "k2", "k3", "k4"];
/// How many messages an [`Op::Bulk`] appends: enough for a move over them to be a large one.
const BULK: usize = 230;

/// Something that happens. `Debug` shows all of it, made-up text included, so that a failure can be read.
#[derive(Clone)]
pub enum Op {
    /// An append, to the current transcript or a named one.
    Append(Box<Append>),
    /// An import.
    Import(Box<ImportChunk>),
    /// Many appended messages at once.
    Bulk(SessionKey),
    /// A move of the leaf.
    Rewind(Rewind),
    /// A deletion.
    Delete(Vec<SessionKey>),
    /// A step of reconciliation, of at most so many entries.
    Step(usize),
    /// Reconciliation to its end.
    Settle,
    /// All transcripts of a session, or of all, marked pending.
    MarkPending(Option<SessionKey>),
    /// The store is closed and opened again.
    Reopen,
    /// A search.
    Search(Box<Ask>),
    /// A page of history.
    History(Box<Page>),
}

impl std::fmt::Debug for Op {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let lines = |events: &[Event]| events.iter().map(|event| event.raw().to_owned()).collect::<Vec<_>>();
        match self {
            Op::Append(append) => {
                let Append { session, session_id, .. } = append.as_ref();
                let (key, hidden) = (&session.key, session.incognito);
                write!(f, "Append({key} {session_id:?} incognito={hidden} {:#?})", lines(&append.events))
            }
            Op::Import(chunk) => {
                let ImportChunk { session, session_id, rank, source, leaf, defer_index, restore, .. } =
                    chunk.as_ref();
                write!(f, "Import({} {session_id} {rank:?} leaf={leaf:?} defer={defer_index} ", session.key)?;
                write!(f, "source={source:?} restore={restore} {:#?})", lines(&chunk.events))
            }
            Op::Bulk(key) => write!(f, "Bulk({key})"),
            Op::Rewind(rewind) => write!(f, "{rewind:?}"),
            Op::Delete(keys) => write!(f, "Delete({keys:?})"),
            Op::Step(entries) => write!(f, "Step({entries})"),
            Op::Settle => f.write_str("Settle"),
            Op::MarkPending(key) => write!(f, "MarkPending({key:?})"),
            Op::Reopen => f.write_str("Reopen"),
            Op::Search(ask) => write!(f, "{ask:?}"),
            Op::History(page) => write!(f, "{page:?}"),
        }
    }
}

/// A search by someone.
#[derive(Clone)]
pub struct Ask {
    /// What may be seen; `Err`: what that session reaches by lineage.
    pub visible: Result<Visible, SessionKey>,
    /// The query as typed.
    pub query: String,
    /// The rest.
    pub plan: SearchPlan,
}

impl std::fmt::Debug for Ask {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let SearchPlan { matching, filter, order, limit, per_session, .. } = &self.plan;
        write!(
            f,
            "Ask({:?} by {:?}, {matching:?} {order:?} {limit} {per_session:?} {filter:?})",
            self.query, self.visible
        )
    }
}

/// A page of history that someone asks for.
#[derive(Debug, Clone)]
pub struct Page {
    /// What may be seen.
    pub visible: Visible,
    /// The session.
    pub key: SessionKey,
    /// The transcript.
    pub session_id: Option<String>,
    /// Around this event, before it, after it; else the newest page.
    pub place: Option<(u8, EventId)>,
    /// How many messages.
    pub limit: usize,
    /// With tools.
    pub include_tools: bool,
}

/// The reference of the state machine: the model.
#[derive(Debug)]
pub(super) struct Reference;

impl ReferenceStateMachine for Reference {
    type State = Model;
    type Transition = Op;

    fn init_state() -> BoxedStrategy<Model> {
        Just(Model::new(agent(), TestPipeline::scrubbing())).boxed()
    }

    fn transitions(state: &Model) -> BoxedStrategy<Op> {
        op(&KEYS, state).boxed()
    }

    fn apply(mut state: Model, op: &Op) -> Model {
        happen(&mut state, op);
        state
    }
}

/// Applies an operation to the model, whatever it answers.
pub(super) fn happen(model: &mut Model, op: &Op) {
    match op {
        Op::Append(append) => drop(model.append(append)),
        Op::Import(chunk) => drop(model.import(chunk)),
        Op::Bulk(key) => drop(model.append(&bulk(key))),
        Op::Rewind(rewind) => drop(model.rewind(rewind)),
        Op::Delete(keys) => drop(model.delete(keys)),
        Op::Settle => settle(model),
        Op::MarkPending(key) => drop(model.mark_pending(key.as_ref())),
        // How far a step gets is the store's affair; the model waits for it to be done.
        Op::Step(_) | Op::Reopen | Op::Search(_) | Op::History(_) => {}
    }
}

/// Reconciles the model to its end.
pub(super) fn settle(model: &mut Model) {
    while model.reconcile_step(usize::MAX) != session_search_core::store::ReconcileStep::Idle {}
}

/// The append of an [`Op::Bulk`].
pub(super) fn bulk(key: &SessionKey) -> Append {
    const TEXTS: [&str; 4] = ["walrus in bulk", "ice", "会议 seal", "the user"];
    let draft = |n: usize| user(&format!("b{n:03}"), TEXTS[n % TEXTS.len()]).at(n as i64 / 4);
    described(append(key.as_str(), &(0..BULK).map(draft).collect::<Vec<_>>()))
}

/// Gives each session the lineage and project that always are its.
fn described(mut append: Append) -> Append {
    let (parent, project) = traits(append.session.key.as_str());
    append.session.spawned_by = parent.map(name);
    append.session.project = project.map(str::to_owned);
    append
}

fn traits(key: &str) -> (Option<&'static str>, Option<&'static str>) {
    match key {
        "k1" => (Some("k0"), Some("/srv/Shop")),
        "k2" => (Some("k1"), Some("/srv/shop-api")),
        "k3" => (Some("elsewhere"), None),
        "k4" => (Some("k4"), None),
        _ => (None, Some("/home")),
    }
}

/// An operation on these sessions, aimed at what the model holds.
pub(super) fn op(keys: &'static [&'static str], state: &Model) -> impl Strategy<Value = Op> + use<> {
    let mut ids: Vec<EventId> = keys.iter().flat_map(|name| state.event_ids(&key(name))).collect();
    ids.sort();
    ids.dedup();
    ids.push(event_id("unknown"));
    prop_oneof![
        20 => appends(keys),
        8 => imports(keys),
        1 => any_key(keys).prop_map(Op::Bulk),
        10 => (any_key(keys), select(ids.clone()), prop::bool::weighted(0.2))
            .prop_map(|(key, to, purge)| Op::Rewind(Rewind { key, to, purge })),
        2 => vec(any_key(keys), 1..3).prop_map(Op::Delete),
        4 => (1..80_usize).prop_map(Op::Step),
        4 => Just(Op::Settle),
        2 => option::of(any_key(keys)).prop_map(Op::MarkPending),
        2 => Just(Op::Reopen),
        16 => asks(keys).prop_map(|ask| Op::Search(Box::new(ask))),
        10 => page(keys, ids).prop_map(|page| Op::History(Box::new(page))),
    ]
}

pub(super) fn any_key(keys: &'static [&'static str]) -> impl Strategy<Value = SessionKey> {
    select(keys).prop_map(key)
}

fn appends(keys: &'static [&'static str]) -> impl Strategy<Value = Op> {
    let transcript = option::weighted(0.3, 1..4_u8);
    (any_key(keys), transcript, log("e", 6), prop::bool::weighted(0.03)).prop_map(
        |(key, transcript, drafts, hidden)| {
            let mut append = described(append(key.as_str(), &drafts));
            append.session_id = transcript.map(|n| session_id(&format!("{key}-s{n}")));
            append.session.incognito = hidden;
            Op::Append(Box::new(append))
        },
    )
}

/// Chunks of two files of one id, told apart by their first record, and of a third of another id.
fn imports(keys: &'static [&'static str]) -> impl Strategy<Value = Op> {
    let rank = select(vec![SourceRank::Live, SourceRank::Archive(Millis(1)), SourceRank::Archive(Millis(2))]);
    let records = vec((0..6_u8, text(), time(), option::weighted(0.2, 0..6_u8)), 0..5);
    let flags = (prop::bool::weighted(0.3), prop::bool::weighted(0.3), 0..8_u8, 0..3_u8);
    (any_key(keys), 0..3_u8, rank, records, flags).prop_map(
        |(key, file, rank, records, (defer, restore, leaf, source))| {
            let (id, prefix, begins) =
                [("imp", "x", 10), ("imp", "y", 5), ("more", "z", 7)][usize::from(file)];
            let mut drafts: Vec<Draft> =
                vec![user(&format!("{prefix}-root"), "walrus root").root().at(begins)];
            for (n, text, time, parent) in records {
                let record = user(&format!("{prefix}{n}"), &text).at(time);
                drafts
                    .push(parent.map_or(record.clone(), |parent| record.under(&format!("{prefix}{parent}"))));
            }
            let mut chunk = chunk(key.as_str(), id, &drafts);
            (chunk.rank, chunk.defer_index, chunk.restore) = (rank, defer, restore);
            let (parent, project) = traits(key.as_str());
            chunk.session.spawned_by = parent.map(name);
            chunk.session.project = project.map(str::to_owned);
            chunk.source = (source > 0).then(|| format!("file-{source}"));
            match leaf {
                0 => chunk.leaf = None,
                1 => chunk.leaf = Some(None),
                2 => chunk.leaf = Some(Some(event_id(&format!("{prefix}-root")))),
                _ => {}
            }
            Op::Import(Box::new(chunk))
        },
    )
}

fn visible(keys: &'static [&'static str]) -> impl Strategy<Value = Visible> {
    prop_oneof![
        4 => proptest::sample::subsequence(keys, 0..=keys.len()).prop_map(|some| only(&some)),
        3 => Just(Visible::NotIncognito),
        2 => Just(Visible::Everything),
        1 => Just(Visible::Nothing),
    ]
}

/// A search.
pub(super) fn asks(keys: &'static [&'static str]) -> impl Strategy<Value = Ask> {
    let visible = prop_oneof![4 => visible(keys).prop_map(Ok), 1 => any_key(keys).prop_map(Err)];
    let bounds = (option::weighted(0.4, 1..6_usize), option::weighted(0.3, 1..4_usize));
    let how = (any::<bool>(), prop::bool::weighted(0.25));
    (visible, query(), filter(keys), bounds, how).prop_map(
        |(visible, query, filter, (limit, per_session), how)| {
            let plan = SearchPlan {
                order: if how.0 { Order::Recent } else { Order::Relevance },
                matching: if how.1 { Matching::Most } else { Matching::All },
                limit: limit.unwrap_or(10_000),
                per_session,
                filter,
                ..plan(&query)
            };
            Ask { visible, query, plan }
        },
    )
}

fn filter(keys: &'static [&'static str]) -> impl Strategy<Value = Filter> {
    let role = option::weighted(0.15, select(vec![Role::User, Role::Assistant]));
    let times = (option::weighted(0.15, 0..60_i64), option::weighted(0.15, 0..60_i64));
    let sessions = (option::weighted(0.15, any_key(keys)), option::weighted(0.15, any_key(keys)));
    let project = option::weighted(0.15, select(vec!["shop", "SRV/", "zzz"]));
    (role, times, sessions, project).prop_map(|(role, (since, until), (session, exclude), project)| Filter {
        session,
        exclude,
        role,
        since: since.map(at),
        until: until.map(at),
        project: project.map(str::to_owned),
    })
}

fn page(keys: &'static [&'static str], ids: Vec<EventId>) -> impl Strategy<Value = Page> + use<> {
    let transcripts = vec!["k0-s1", "k0-s2", "k1-s1", "imp", "imp#2", "more", "unknown"];
    let place = option::weighted(0.7, (0..3_u8, select(ids)));
    (
        visible(keys),
        any_key(keys),
        option::weighted(0.4, select(transcripts)),
        place,
        1..8_usize,
        any::<bool>(),
    )
        .prop_map(|(visible, key, session_id, place, limit, include_tools)| Page {
            visible,
            key,
            session_id: session_id.map(str::to_owned),
            place,
            limit,
            include_tools,
        })
}

/// The pipeline of every store in the machine.
pub(super) fn pipeline() -> Arc<TestPipeline> {
    TestPipeline::scrubbing()
}
