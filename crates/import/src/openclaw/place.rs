//! Whose a file is, told by where it lies: `agents/<agentId>/sessions/`, `agents/<agentId>/agent/`.

use std::path::Path;

use session_search_core::AgentId;

use crate::format::Format;
use crate::openclaw::index::Index;

/// The agent that a file's place (or the index beside it) names, and whether that makes it OpenClaw's.
pub(crate) fn agent_and_format(path: &Path, format: Format, index: &Index) -> (Option<AgentId>, Format) {
    if let Some(agent) = agent_of(path) {
        return (Some(agent), Format::Openclaw);
    }
    if !index.is_there() {
        return (None, format);
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    (index.owner(&name), Format::Openclaw)
}

/// The agent in whose directory a file lies.
fn agent_of(path: &Path) -> Option<AgentId> {
    let below = path.parent()?;
    let agent = below.parent()?;
    let agents = agent.parent()?;
    let named = |path: &Path, name: &str| path.file_name().is_some_and(|file| file == name);
    if !named(agents, "agents") || !(named(below, "sessions") || named(below, "agent")) {
        return None;
    }
    Some(agent_id(&agent.file_name()?.to_string_lossy()))
}

/// A directory's name as an agent id: what does not fit its alphabet becomes `-`, or, where nothing fits, a hash.
fn agent_id(name: &str) -> AgentId {
    let lower = name.to_lowercase();
    if let Ok(id) = AgentId::new(&*lower) {
        return id;
    }
    let fit = |char: char| if matches!(char, 'a'..='z' | '0'..='9' | '_' | '-') { char } else { '-' };
    let mapped: String = lower.chars().map(fit).take(48).collect();
    let hash = crate::ids::event_id(&format!("\0{name}"));
    let id = format!("{}-{}", mapped.trim_start_matches(['-', '_']), &hash.as_str()[..8]);
    match AgentId::new(id.trim_start_matches('-')) {
        Ok(id) => id,
        Err(_) => unreachable!("only letters, digits, _ and -, and a letter or digit first"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agents_of_places() {
        let of = |path: &str| agent_of(Path::new(path)).map(String::from);
        assert_eq!(of("/h/agents/main/sessions/a.jsonl").as_deref(), Some("main"));
        assert_eq!(of("/h/agents/Work/agent/openclaw-agent.sqlite").as_deref(), Some("work"));
        assert_eq!(of("/h/agents/main/other/a.jsonl"), None);
        assert_eq!(of("/a.jsonl"), None);
    }

    #[test]
    fn odd_directories_are_agents_too_and_stay_apart() {
        for name in ["My Agent", "..", "日本", "-x", &"a".repeat(80)] {
            assert_eq!(agent_id(name), agent_id(name));
        }
        assert_ne!(agent_id("日本"), agent_id("本日"));
        assert!(agent_id("My Agent").as_str().starts_with("my-agent-"));
    }
}
