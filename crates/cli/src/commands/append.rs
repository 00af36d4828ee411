//! `sessions append`: events from standard input.

use std::io::{self, BufRead, BufReader};

use session_search_api::core::limits::MAX_EVENT_BYTES;
use session_search_api::core::{AgentId, Event, IdError, SessionId, SessionKey};
use session_search_api::{AppendOutcome, AppendRequest, SessionSearch};

use super::Work;
use crate::args::AppendArgs;
use crate::error::Failure;
use crate::input::{Line, read_line};
use crate::output::Output;

/// Bytes read at once.
const BUFFER: usize = 64 << 10;

pub(super) fn run(work: &Work, args: AppendArgs) -> Result<(), Failure> {
    let request = AppendRequest {
        session_key: args.key,
        agent_id: args.agent,
        session_id: args.session_id,
        spawned_by: args.spawned_by,
        title: args.title,
        incognito: args.incognito,
        ..AppendRequest::default()
    };
    check(&request).map_err(|error| Failure::Value(error.to_string()))?;
    work.with_sessions(|sessions| async move {
        let mut lines = Lines { input: BufReader::with_capacity(BUFFER, io::stdin().lock()), number: 0 };
        if args.batch {
            all(&sessions, &request, &mut lines, &work.output).await
        } else {
            one_by_one(&sessions, &request, &mut lines, &work.output).await
        }
    })
}

async fn one_by_one(
    sessions: &SessionSearch,
    request: &AppendRequest,
    lines: &mut Lines<impl BufRead>,
    output: &Output,
) -> Result<(), Failure> {
    let mut any = false;
    while let Some(event) = lines.next()? {
        any = true;
        let stored = sessions.append(request, vec![event]).await.map_err(|error| lines.failed(&error))?;
        acknowledge(output, &stored)?;
    }
    if any { Ok(()) } else { nothing(sessions, request).await }
}

async fn all(
    sessions: &SessionSearch,
    request: &AppendRequest,
    lines: &mut Lines<impl BufRead>,
    output: &Output,
) -> Result<(), Failure> {
    let mut events = Vec::new();
    while let Some(event) = lines.next()? {
        events.push(event);
    }
    if events.is_empty() {
        return nothing(sessions, request).await;
    }
    acknowledge(output, &sessions.append(request, events).await?)
}

/// Without an event there is nothing to store, unless something is said of the session itself.
async fn nothing(sessions: &SessionSearch, request: &AppendRequest) -> Result<(), Failure> {
    if request.title.is_some() || request.incognito {
        sessions.append(request, Vec::new()).await?;
    }
    Ok(())
}

/// Refuses bad names before any input is read.
fn check(request: &AppendRequest) -> Result<(), IdError> {
    SessionKey::new(request.session_key.as_str())?.owner()?;
    request.agent_id.as_deref().map(AgentId::new).transpose()?;
    request.session_id.as_deref().map(SessionId::new).transpose()?;
    request.spawned_by.as_deref().map(SessionKey::new).transpose()?;
    Ok(())
}

/// Prints the ids of what is durable.
fn acknowledge(output: &Output, stored: &AppendOutcome) -> Result<(), Failure> {
    stored.warnings.iter().for_each(|warning| output.note("warning", warning));
    let mut lines = Vec::new();
    for event in &stored.events {
        let line = serde_json::json!({"id": event.id}).to_string();
        lines.extend_from_slice(line.as_bytes());
        lines.push(b'\n');
    }
    output.bytes(&lines)
}

/// The events of the input, by line.
struct Lines<R> {
    input: R,
    number: u64,
}

impl<R: BufRead> Lines<R> {
    /// The next event; blank lines are passed over.
    fn next(&mut self) -> Result<Option<Event>, Failure> {
        loop {
            self.number += 1;
            let line =
                match read_line(&mut self.input, MAX_EVENT_BYTES).map_err(|error| Failure::input(&error))? {
                    None => return Ok(None),
                    Some(Line::Text(line)) => line,
                    Some(Line::TooLong(bytes)) => {
                        let why = format!(
                            "the event has {bytes} bytes; at most {MAX_EVENT_BYTES} (16 MiB) are allowed"
                        );
                        return Err(self.failed(&why));
                    }
                };
            if line.iter().all(u8::is_ascii_whitespace) {
                continue;
            }
            let line = String::from_utf8(line).map_err(|error| {
                let column = error.utf8_error().valid_up_to() + 1;
                self.failed(&format!("the event is not UTF-8 (column {column})"))
            })?;
            return Event::parse(line).map(Some).map_err(|error| self.failed(&error));
        }
    }

    /// A failure that names the line that was read last.
    fn failed(&self, why: &dyn std::fmt::Display) -> Failure {
        Failure::Line { line: self.number, why: why.to_string() }
    }
}
