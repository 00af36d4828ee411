//! `sessions list`.

use session_search_api::ListRequest;

use super::{Work, caller};
use crate::args::ListArgs;
use crate::error::Failure;
use crate::render::list;

pub(super) fn run(work: &Work, args: &ListArgs) -> Result<(), Failure> {
    work.with_sessions(|sessions| async move {
        let context = caller::context(&sessions, &args.caller, &work.output).await?;
        let request = ListRequest { agent_id: args.agent.clone(), limit: args.limit };
        let answer = sessions.list(&context, &request).await?;
        if work.output.json {
            return work.output.document(&answer);
        }
        work.output.text(&list::sessions(&answer, work.output.screen))?;
        if let Some(warning) = &answer.warning {
            work.output.note("warning", warning);
        }
        Ok(())
    })
}
