//! A page of a conversation as people read it.

use std::fmt::Write;

use session_search_api::core::Role;
use session_search_api::core::text::ToolKind;
use session_search_api::{HistoryMessage, HistoryResponse, HistoryTool};

use super::screen::{ASIDE, ASSISTANT, HEADING, MATCH, Screen, USER};
use super::when::local;
use super::wrap::{fit, wrap};

/// The page; `anchor` is the message that it was asked for, which is pointed at.
pub(crate) fn page(page: &HistoryResponse, anchor: Option<&str>, screen: Screen) -> String {
    let mut out = String::new();
    let key = fit(page.session_key.as_str(), screen.width);
    let _ = writeln!(out, "{}", screen.paint(HEADING, &key));
    let mut about = format!("agent {}", page.agent_id);
    if let Some(session) = &page.session_id {
        about = format!("{about} · transcript {}", fit(session.as_str(), screen.width));
    }
    let _ = writeln!(out, "{}", screen.paint(ASIDE, &about));
    if let Some(older) = &page.older {
        let _ = writeln!(out, "\n{}", screen.paint(ASIDE, &format!("older messages: --before {older}")));
    }
    for message in &page.messages {
        one(&mut out, message, anchor == Some(message.message_id.as_str()), screen);
    }
    if let Some(newer) = &page.newer {
        let _ = writeln!(out, "\n{}", screen.paint(ASIDE, &format!("newer messages: --after {newer}")));
    }
    out
}

fn one(out: &mut String, message: &HistoryMessage, anchor: bool, screen: Screen) {
    let who = match message.role {
        Role::User => screen.paint(USER, "user"),
        Role::Assistant => screen.paint(ASSISTANT, "assistant"),
    };
    let pointer = if anchor { screen.paint(MATCH, "> ") } else { String::new() };
    let time = screen.paint(ASIDE, &local(message.timestamp));
    let id = screen.paint(ASIDE, &fit(message.message_id.as_str(), screen.width));
    let _ = writeln!(out, "\n{pointer}{time} {who} {id}");
    for line in wrap(&message.text, &[], screen.width - 2, screen) {
        let _ = writeln!(out, "{}", format!("  {line}").trim_end());
    }
    for tool in &message.tools {
        part(out, tool, screen);
    }
    let mut notes = Vec::new();
    if let Some(offset) = message.next_text_offset {
        notes.push(format!("the text goes on: --around {} --text-offset {offset}", message.message_id));
    } else if message.truncated {
        notes.push("the text goes on".to_owned());
    }
    if message.tools_omitted > 0 {
        notes.push(format!("{} more tool parts", message.tools_omitted));
    }
    for note in notes {
        let _ = writeln!(out, "  {}", screen.paint(ASIDE, &format!("[{}]", fit(&note, screen.width))));
    }
}

fn part(out: &mut String, tool: &HistoryTool, screen: Screen) {
    let what = match tool.kind {
        ToolKind::Call => "call",
        ToolKind::Result => "result",
    };
    let name = tool.name.as_deref().map(|name| format!(" {}", fit(name, screen.width))).unwrap_or_default();
    let _ = writeln!(out, "  {}", screen.paint(ASIDE, &format!("[{what}{name}]")));
    for line in wrap(&tool.text, &[], screen.width - 4, screen) {
        let _ = writeln!(out, "{}", format!("    {line}").trim_end());
    }
    if tool.truncated {
        let _ = writeln!(out, "    {}", screen.paint(ASIDE, "[cut]"));
    }
}
