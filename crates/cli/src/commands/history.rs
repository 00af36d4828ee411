//! `sessions history`.

use session_search_api::HistoryRequest;

use super::{Work, caller};
use crate::args::HistoryArgs;
use crate::error::Failure;
use crate::render::history;

pub(super) fn run(work: &Work, args: HistoryArgs) -> Result<(), Failure> {
    work.with_sessions(|sessions| async move {
        let mut context = caller::context(&sessions, &args.caller, &work.output).await?;
        if args.show_secrets {
            context = context.showing_secrets();
        }
        let request = HistoryRequest {
            session_key: args.key,
            agent_id: args.agent,
            session_id: args.session_id,
            message_id: args.around,
            limit: args.limit,
            before: args.before,
            after: args.after,
            include_tools: args.include_tools,
            text_offset: args.text_offset,
        };
        let page = sessions.history(&context, &request).await?;
        if work.output.json {
            return work.output.document(&page);
        }
        work.output.text(&history::page(&page, request.message_id.as_deref(), work.output.screen))?;
        if let Some(reason) = &page.reason {
            work.output.note("note", reason);
        }
        Ok(())
    })
}
