//! Whose transcript a file is: a session's, or that of a sub-agent of a session.

use std::path::Path;

use serde::{Deserialize, Serialize};
use session_search_core::store::SessionSpec;
use session_search_core::{AgentId, SessionId, SessionName};

use crate::fields::Fields;
use crate::ids;

/// The session, and the sub-agent where the file is one's.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Identity {
    /// The session's id.
    pub(crate) session: String,
    /// The sub-agent's id.
    pub(crate) agent: Option<String>,
}

impl Identity {
    /// From the path and the first record of the conversation.
    ///
    /// A file named by a UUID is that session, whatever ids the records of a resumed copy carry. Sub-agents' files
    /// carry the session id of their parent.
    pub(crate) fn of(path: &Path, stem: &str, record: &Fields<'_>) -> Identity {
        let given = record.string("sessionId").filter(|id| !id.is_empty());
        if let Some(agent) = stem.strip_prefix("agent-") {
            let session = given.map(std::borrow::Cow::into_owned).or_else(|| parent_directory(path));
            return Identity {
                session: session.unwrap_or_else(|| stem.to_owned()),
                agent: Some(agent.to_owned()),
            };
        }
        if is_uuid(stem) {
            return Identity { session: stem.to_owned(), agent: None };
        }
        Identity { session: given.map_or_else(|| stem.to_owned(), std::borrow::Cow::into_owned), agent: None }
    }

    /// The same session's sub-agent.
    pub(crate) fn side(&self, agent: &str) -> Identity {
        Identity { session: self.session.clone(), agent: Some(agent.to_owned()) }
    }

    /// The session's key and lineage.
    pub(crate) fn spec(&self, store: &AgentId) -> SessionSpec {
        let main = format!("claude:{}", self.session);
        let spawned_by =
            self.agent.as_ref().map(|_| SessionName { agent: store.clone(), key: ids::session_key(&main) });
        let key = self.agent.as_ref().map_or(main.clone(), |agent| format!("{main}:agent:{agent}"));
        let key = ids::session_key(&key);
        SessionSpec {
            key,
            spawned_by,
            title: None,
            project: None,
            source: "claude".to_owned(),
            incognito: false,
        }
    }

    /// The id of the transcript. That of a sub-agent names its session too: agent ids are short.
    pub(crate) fn session_id(&self) -> SessionId {
        match &self.agent {
            Some(agent) => ids::session_id(&format!("{}:agent:{agent}", self.session)),
            None => ids::session_id(&self.session),
        }
    }
}

/// The directory above `subagents`: it is named by the session.
fn parent_directory(path: &Path) -> Option<String> {
    let above =
        path.ancestors().skip_while(|path| path.file_name().is_none_or(|name| name != "subagents")).nth(1)?;
    Some(above.file_name()?.to_string_lossy().into_owned())
}

/// Eight, four, four, four and twelve hex digits.
fn is_uuid(text: &str) -> bool {
    text.len() == 36
        && text.bytes().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    const UUID: &str = "11111111-2222-4333-8444-555555555555";

    #[track_caller]
    fn check(path: &str, record: &str, key: &str, parent: Option<&str>) {
        let stem = Path::new(path).file_stem().unwrap().to_str().unwrap();
        let identity = Identity::of(Path::new(path), stem, &Fields::parse(record).unwrap());
        let spec = identity.spec(&AgentId::new("claude").unwrap());
        assert_eq!(spec.key.as_str(), key);
        assert_eq!(spec.spawned_by.map(|name| name.key.as_str().to_owned()).as_deref(), parent);
    }

    #[test]
    fn names_and_records_say_whose_it_is() {
        check(&format!("/p/{UUID}.jsonl"), r#"{"sessionId":"old"}"#, &format!("claude:{UUID}"), None);
        check("/p/full.jsonl", r#"{"sessionId":"s"}"#, "claude:s", None);
        check("/p/full.jsonl", "{}", "claude:full", None);
        let agent = format!("/p/{UUID}/subagents/workflows/wf_1/agent-a1.jsonl");
        let (main, side) = (format!("claude:{UUID}"), format!("claude:{UUID}:agent:a1"));
        check(&agent, "{}", &side, Some(&main));
        check("/p/agent-b2.jsonl", r#"{"sessionId":"s"}"#, "claude:s:agent:b2", Some("claude:s"));
    }
}
