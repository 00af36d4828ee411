//! `sessions search`.

use std::collections::BTreeSet;
use std::time::Duration;

use session_search_api::core::Role;
use session_search_api::core::store::Order;
use session_search_api::{Context, ListRequest, SearchRequest, SearchResponse, SessionSearch, TimeInput};

use super::{Work, caller, import, stale};
use crate::args::{ImportOptions, OrderName, RoleName, SearchArgs};
use crate::error::Failure;
use crate::progress::Progress;
use crate::render::hits::{self, Head, Heads};

pub(super) fn run(work: &Work, args: SearchArgs) -> Result<(), Failure> {
    work.with_sessions(|sessions| async move {
        let context = caller::context(&sessions, &args.caller, &work.output).await?;
        if !args.from.is_empty() {
            let report = import::paths(&sessions, &args.from, &ImportOptions::default()).await?;
            report.warnings.iter().for_each(|warning| work.output.note("warning", warning));
        }
        if context.is_operator() {
            stale::say(&sessions, &args.from, &work.output).await;
        }
        if args.wait > 0 {
            let _progress = Progress::start("bringing the index up to date", 0);
            sessions.wait_for_index(&context, Duration::from_secs(args.wait)).await?;
        }
        let answer = sessions.search(&context, &request(&args)).await?;
        if work.output.json {
            return work.output.document(&answer);
        }
        show(work, &sessions, &context, &answer).await
    })
}

fn request(args: &SearchArgs) -> SearchRequest {
    SearchRequest {
        query: args.query.join(" "),
        session_key: args.session.clone(),
        agent_id: args.agent.clone(),
        project: args.project.clone(),
        role: args.role.map(|role| match role {
            RoleName::User => Role::User,
            RoleName::Assistant => Role::Assistant,
        }),
        since: args.since.as_deref().map(TimeInput::from),
        until: args.until.as_deref().map(TimeInput::from),
        order: args.order.map(|order| match order {
            OrderName::Relevance => Order::Relevance,
            OrderName::Recent => Order::Recent,
        }),
        limit: args.limit,
        per_session: args.per_session,
        exclude_current: args.exclude_current,
        strict: args.strict,
    }
}

async fn show(
    work: &Work,
    sessions: &SessionSearch,
    context: &Context,
    answer: &SearchResponse,
) -> Result<(), Failure> {
    let heads = if answer.results.is_empty() { Heads::new() } else { heads(sessions, context, answer).await };
    work.output.text(&hits::hits(answer, &heads, work.home_flag.as_deref(), work.output.screen))?;
    if let Some(warning) = &answer.warning {
        work.output.note("warning", warning);
    }
    answer.hints.iter().for_each(|hint| work.output.note("hint", hint));
    Ok(())
}

/// Titles and directories of the sessions with hits. Hits are shown without where they cannot be had.
async fn heads(sessions: &SessionSearch, context: &Context, answer: &SearchResponse) -> Heads {
    let Ok(listed) = sessions.list(context, &ListRequest::default()).await else { return Heads::new() };
    let hit: BTreeSet<_> = answer.results.iter().map(|hit| (&hit.agent_id, &hit.session_key)).collect();
    let named = listed
        .sessions
        .into_iter()
        .filter(|session| hit.contains(&(&session.agent_id, &session.session_key)));
    named
        .map(|session| {
            let head = Head { title: session.title, project: session.project };
            ((session.agent_id, session.session_key), head)
        })
        .collect()
}
