//! Sessions as people read them, one in two lines.

use std::fmt::Write;

use session_search_api::{ListResponse, ListedSession};

use super::screen::{ASIDE, HEADING, Screen};
use super::when::local;
use super::wrap::fit;

/// All of them.
pub(crate) fn sessions(answer: &ListResponse, screen: Screen) -> String {
    if answer.sessions.is_empty() {
        return "No sessions.\n".to_owned();
    }
    let mut out = String::new();
    for session in &answer.sessions {
        one(&mut out, session, screen);
    }
    let count = match answer.sessions.len() {
        1 => "1 session".to_owned(),
        many => format!("{many} sessions"),
    };
    let more = if answer.truncated { "; there are more: raise --limit" } else { "" };
    let _ = writeln!(out, "{count}{more}");
    out
}

fn one(out: &mut String, session: &ListedSession, screen: Screen) {
    let when = session.last.map_or_else(|| "-".to_owned(), local);
    let room = screen.width.saturating_sub(when.len() + 1);
    let key = fit(session.session_key.as_str(), room);
    let _ = writeln!(out, "{} {}", screen.paint(ASIDE, &when), screen.paint(HEADING, &key));
    if let Some(title) = &session.title {
        let _ = writeln!(out, "  {}", fit(title, screen.width - 2));
    }
    let messages = if session.messages == 1 { "message" } else { "messages" };
    let mut about = vec![format!("agent {}", session.agent_id), format!("{} {messages}", session.messages)];
    about.push(session.source.clone());
    about.extend(session.project.clone());
    about.extend(session.spawned_by.as_ref().map(|key| format!("spawned by {key}")));
    if session.session_ids.len() > 1 {
        about.push(format!("{} transcripts", session.session_ids.len()));
    }
    if session.incognito {
        about.push("incognito".to_owned());
    }
    let _ = writeln!(out, "  {}\n", screen.paint(ASIDE, &fit(&about.join(" · "), screen.width - 2)));
}
