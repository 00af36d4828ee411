//! `sessions mcp`: the tools of a model.

use super::{Work, caller};
use crate::args::McpArgs;
use crate::error::Failure;

pub(super) fn run(work: &Work, args: &McpArgs) -> Result<(), Failure> {
    if args.show_secrets {
        return Err(Failure::Value(
            "mcp refuses --show-secrets: what a model reads is always scrubbed".to_owned(),
        ));
    }
    let sessions = work.sessions()?;
    // Two threads, so that a large answer keeps no other call waiting.
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_time().build();
    let runtime = runtime.map_err(|error| Failure::System(format!("cannot start: {error}")))?;
    let served = runtime.block_on(async {
        // Times without a zone are UTC here: models know no local time.
        let context =
            caller::context(&sessions, &args.caller, &work.output).await?.in_zone(jiff::tz::TimeZone::UTC);
        let served = session_search_mcp::serve(sessions.clone(), context).await;
        sessions.close().await;
        served.map_err(|error| Failure::System(error.to_string()))
    });
    // A read of standard input that nobody answers must not hold up the end.
    runtime.shutdown_background();
    served
}
