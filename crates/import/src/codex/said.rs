//! What of a Codex message a person typed, and what the program put there.

use std::borrow::Cow;

use sha2::{Digest, Sha256};

use crate::fields;

/// Beginnings of user texts that the program writes: surroundings, instructions, permissions, skills, marks of
/// aborted turns.
const INJECTED: [&str; 17] = [
    "<environment_context",
    "<user_instructions",
    "# AGENTS.md instructions",
    "<INSTRUCTIONS>",
    "<permissions",
    "<turn_aborted",
    "<skill>",
    "<user_shell_command",
    "<subagent_notification",
    "<collaboration_mode",
    "<personality",
    "<model_switch",
    "<apps_instructions",
    "<skills_instructions",
    "<plugins_instructions",
    "<environments_context",
    "<hook_context",
];

/// What a person typed of one text; empty where the program wrote it.
pub(crate) fn typed(text: &str) -> &str {
    let text = text.trim();
    if INJECTED.iter().any(|beginning| text.starts_with(beginning)) || is_image_tag(text) {
        return "";
    }
    text
}

/// `<image name=[Image #1]>` and `</image>` stand around pictures.
fn is_image_tag(text: &str) -> bool {
    let inner = text.strip_prefix('<').and_then(|text| text.strip_suffix('>'));
    inner.is_some_and(|inner| {
        inner.trim_start_matches('/').starts_with("image") && !inner.contains(['<', '>'])
    })
}

/// The texts of a message's content: of a string, or of blocks of text.
pub(crate) fn texts(content: &str) -> Vec<Cow<'_, str>> {
    if let Some(text) = fields::string(content) {
        return vec![text];
    }
    fields::array(content).into_iter().filter_map(block_text).collect()
}

fn block_text(block: &str) -> Option<Cow<'_, str>> {
    let block = fields::object(block)?;
    match block.string("type")?.as_ref() {
        "text" | "Text" | "input_text" | "output_text" => block.string("text"),
        _ => None,
    }
}

/// The texts of a user's content that a person typed, or of an assistant's content, joined by newlines.
pub(crate) fn joined(content: &str, user: bool) -> String {
    let texts = texts(content);
    let kept: Vec<&str> = texts.iter().map(|text| if user { typed(text) } else { text.trim() }).collect();
    let kept: Vec<&str> = kept.into_iter().filter(|text| !text.is_empty()).collect();
    kept.join("\n")
}

/// A hash of a text without its white space, which the two forms of a message do not share.
pub(crate) fn key(text: &str) -> u64 {
    let mut hash = Sha256::new();
    for word in text.split_whitespace() {
        hash.update(word.as_bytes());
    }
    hash.finalize().iter().take(8).fold(0, |key, byte| key << 8 | u64::from(*byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn program_text_is_not_typed() {
        assert_eq!(typed(" <environment_context>\n</environment_context>"), "");
        assert_eq!(typed("# AGENTS.md instructions for /w"), "");
        assert_eq!(typed("<image name=[Image #1]>"), "");
        assert_eq!(typed("</image>"), "");
        assert_eq!(typed("<images> do not load"), "<images> do not load");
        assert_eq!(typed("<div>why?</div> "), "<div>why?</div>");
    }

    #[test]
    fn content_of_every_form() {
        let content = r#"[{"type":"input_text","text":"<environment_context>x"},{"type":"input_image","image_url":"data:"},
            {"type":"input_text","text":"one"},{"type":"Text","text":"two"},7,"no"]"#;
        assert_eq!(joined(content, true), "one\ntwo");
        assert_eq!(joined(r#""plain""#, true), "plain");
        assert_eq!(joined("{}", false), "");
    }

    #[test]
    fn white_space_does_not_tell_texts_apart() {
        assert_eq!(key("a  b\nc"), key("ab c"));
        assert_ne!(key("a"), key("b"));
    }
}
