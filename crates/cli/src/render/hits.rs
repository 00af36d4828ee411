//! Hits as people read them: grouped by session, in the order of each group's best hit.

use std::collections::BTreeMap;
use std::fmt::Write;

use session_search_api::core::{AgentId, Role, SessionKey};
use session_search_api::{Hit, SearchResponse};

use super::screen::{ASIDE, ASSISTANT, HEADING, Screen, USER};
use super::shell::quoted;
use super::when::local;
use super::wrap::{fit, wrap};

/// What is said of a session at the head of its hits.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Head {
    /// Its title.
    pub(crate) title: Option<String>,
    /// Its working directory.
    pub(crate) project: Option<String>,
}

/// The heads of sessions, by agent and key.
pub(crate) type Heads = BTreeMap<(AgentId, SessionKey), Head>;

/// The whole answer. `home` is the flag that reopening needs, where the home was given by one.
pub(crate) fn hits(answer: &SearchResponse, heads: &Heads, home: Option<&str>, screen: Screen) -> String {
    let mut out = String::new();
    for group in grouped(&answer.results) {
        if let Some(first) = group.first() {
            let head = heads.get(&(first.agent_id.clone(), first.session_key.clone()));
            heading(&mut out, first, head, screen);
        }
        for hit in group {
            one(&mut out, hit, home, screen);
        }
    }
    out.push_str(&summary(answer));
    out
}

fn grouped(hits: &[Hit]) -> Vec<Vec<&Hit>> {
    let mut groups: Vec<Vec<&Hit>> = Vec::new();
    for hit in hits {
        let same = |group: &&mut Vec<&Hit>| {
            group
                .iter()
                .any(|other| (&other.agent_id, &other.session_key) == (&hit.agent_id, &hit.session_key))
        };
        match groups.iter_mut().find(same) {
            Some(group) => group.push(hit),
            None => groups.push(vec![hit]),
        }
    }
    groups
}

fn heading(out: &mut String, hit: &Hit, head: Option<&Head>, screen: Screen) {
    let title = head.and_then(|head| head.title.as_deref());
    let key = fit(hit.session_key.as_str(), screen.width);
    let first = title.map_or_else(|| key.clone(), |title| fit(title, screen.width));
    let mut rest = format!("agent {}", hit.agent_id);
    if title.is_some() {
        rest = format!("{key} · {rest}");
    }
    if let Some(project) = head.and_then(|head| head.project.as_deref()) {
        rest = format!("{rest} · {}", fit(project, screen.width));
    }
    let _ = writeln!(out, "{}", screen.paint(HEADING, &first));
    let _ = writeln!(out, "{}\n", screen.paint(ASIDE, &rest));
}

fn one(out: &mut String, hit: &Hit, home: Option<&str>, screen: Screen) {
    let who = match hit.role {
        Role::User => screen.paint(USER, "user"),
        Role::Assistant => screen.paint(ASSISTANT, "assistant"),
    };
    let _ = writeln!(out, "  {} {who}", screen.paint(ASIDE, &local(hit.timestamp)));
    for line in wrap(&hit.snippet, &hit.highlights, screen.width - 4, screen) {
        let _ = writeln!(out, "    {line}");
    }
    for place in &hit.also_in {
        let also =
            format!("also in {} (agent {})", fit(place.session_key.as_str(), screen.width), place.agent_id);
        let _ = writeln!(out, "    {}", screen.paint(ASIDE, &also));
    }
    let _ = writeln!(out, "    {}\n", screen.paint(ASIDE, &reopen(hit, home)));
}

/// The command that reopens the conversation around a hit, to be pasted into a shell as it is.
fn reopen(hit: &Hit, home: Option<&str>) -> String {
    let key = hit.session_key.as_str();
    let mut words = vec!["sessions".to_owned()];
    if let Some(home) = home {
        words.extend(flag("--home", home));
    }
    words.push("history".to_owned());
    // A word that begins like a flag is taken for one unless `--` stands before it.
    let dashed = key.starts_with('-');
    if !dashed {
        words.push(quoted(key));
    }
    words.extend(flag("--around", hit.message_id.as_str()));
    words.extend(flag("--session-id", hit.session_id.as_str()));
    if !hit.session_key.owner().is_ok_and(|owner| owner.as_ref() == Some(&hit.agent_id)) {
        words.extend(flag("--agent", hit.agent_id.as_str()));
    }
    if dashed {
        words.extend(["--".to_owned(), quoted(key)]);
    }
    words.join(" ")
}

fn flag(name: &str, value: &str) -> Vec<String> {
    if value.starts_with('-') {
        return vec![format!("{name}={}", quoted(value))];
    }
    vec![name.to_owned(), quoted(value)]
}

fn summary(answer: &SearchResponse) -> String {
    let hits = match answer.results.len() {
        0 => return "No hits.\n".to_owned(),
        1 => "1 hit".to_owned(),
        many => format!("{many} hits"),
    };
    let more = if answer.truncated {
        "; there are more: narrow the search, or raise --limit or --per-session"
    } else {
        ""
    };
    format!("{hits}{more}\n")
}
