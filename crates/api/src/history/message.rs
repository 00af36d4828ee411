//! One message of a page: scrubbed whole, then cut by characters, then by bytes.

use session_search_core::limits::{MAX_HISTORY_MESSAGE_BYTES, MAX_HISTORY_TEXT_CHARS, MAX_TOOL_CHARS};
use session_search_core::snippet::cut_characters;
use session_search_core::store::StoredMessage;
use session_search_core::text::ToolPart;
use session_search_redact::markers;

use super::response::{HistoryMessage, HistoryTool};
use crate::clean::{Clean, Cleaner};
use crate::json_bytes::json_bytes;

/// Turns stored messages into what may leave.
pub(crate) struct Writer<'a> {
    /// `None`: secrets are shown.
    pub(crate) cleaner: Option<&'a Cleaner>,
    pub(crate) include_tools: bool,
}

impl Writer<'_> {
    fn clean(&self, text: &str) -> Clean {
        match self.cleaner {
            Some(cleaner) => cleaner.clean(text),
            None => Cleaner::bare(text),
        }
    }

    /// The message, its text from this character on. At most [`MAX_HISTORY_MESSAGE_BYTES`] of JSON.
    pub(crate) fn message(&self, stored: &StoredMessage, offset: usize) -> HistoryMessage {
        let whole = self.clean(&stored.text);
        let mut message = HistoryMessage {
            message_id: stored.event_id.clone(),
            role: stored.role,
            timestamp: stored.timestamp.0,
            text: String::new(),
            truncated: true,
            next_text_offset: Some(usize::MAX),
            redacted: whole.redacted,
            tools: Vec::new(),
            tools_omitted: 0,
        };
        // With every flag set, so that what is left is there for the text whatever becomes of them.
        let room = MAX_HISTORY_MESSAGE_BYTES.saturating_sub(json_bytes(&message));
        let (text, more) = cut_text(&whole.text, offset, room);
        message.text = text.to_owned();
        message.truncated = more;
        message.next_text_offset = more.then(|| offset + text.chars().count());
        if self.include_tools {
            self.add_tools(&mut message, &stored.tools);
        }
        message
    }

    /// Adds tool parts in order while they fit.
    fn add_tools(&self, message: &mut HistoryMessage, parts: &[ToolPart]) {
        for (done, part) in parts.iter().enumerate() {
            let (tool, redacted) = self.tool(part);
            message.redacted |= redacted;
            message.tools.push(tool);
            message.tools_omitted = parts.len() - done - 1;
            // The parts that follow would stand in the count, so it is counted with them.
            if json_bytes(message) > MAX_HISTORY_MESSAGE_BYTES {
                message.tools.pop();
                message.tools_omitted += 1;
                return;
            }
        }
    }

    fn tool(&self, part: &ToolPart) -> (HistoryTool, bool) {
        let whole = self.clean(&part.text);
        let (text, truncated) = cut_characters(&whole.text, MAX_TOOL_CHARS, &markers(&whole.text));
        let name = part.name.as_ref().map(|name| session_search_core::limits::title(&self.clean(name).text));
        (HistoryTool { kind: part.kind, name, text: text.to_owned(), truncated }, whole.redacted)
    }
}

/// What of a text is shown from this character on, in at most so many bytes of JSON; whether it goes on.
fn cut_text(whole: &str, offset: usize, room: usize) -> (&str, bool) {
    let start = whole.char_indices().nth(offset).map_or(whole.len(), |(at, _)| at);
    let rest = &whole[start..];
    let marks = markers(rest);
    let (text, more) = cut_characters(rest, MAX_HISTORY_TEXT_CHARS, &marks);
    let mut bytes = 0;
    let fits = |c: char| {
        bytes += escaped_bytes(c);
        bytes <= room
    };
    let fitting = text
        .chars()
        .take_while({
            let mut fits = fits;
            move |c| fits(*c)
        })
        .count();
    if fitting == text.chars().count() {
        return (text, more);
    }
    (cut_characters(rest, fitting, &marks).0, true)
}

/// How many bytes a character takes within a JSON string, as `serde_json` writes it.
fn escaped_bytes(c: char) -> usize {
    match c {
        '"' | '\\' | '\n' | '\r' | '\t' | '\u{8}' | '\u{c}' => 2,
        '\0'..='\u{1f}' => 6,
        c => c.len_utf8(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use session_search_core::text::ToolKind;
    use session_search_core::{EventId, Millis, Role};

    const BARE: Writer<'static> = Writer { cleaner: None, include_tools: true };

    fn stored(text: &str, tools: Vec<ToolPart>) -> StoredMessage {
        let event_id = EventId::new("\"".repeat(256)).unwrap();
        StoredMessage {
            event_id,
            role: Role::Assistant,
            timestamp: Millis(i64::MAX),
            text: text.into(),
            tools,
        }
    }

    #[test]
    fn escapes_are_counted_as_serde_writes_them() {
        for c in (0..0x3000).filter_map(char::from_u32).chain(['\u{1f600}', '\u{fffd}']) {
            assert_eq!(escaped_bytes(c), json_bytes(&c.to_string()) - 2, "{c:?}");
        }
    }

    #[test]
    fn reading_on_yields_every_character_once() {
        for unit in ["a", "\"", "é", "\u{1f600}", "会議", "a b\n"] {
            let text = unit.repeat(5_000);
            let (mut offset, mut read) = (0, String::new());
            loop {
                let message = BARE.message(&stored(&text, Vec::new()), offset);
                assert!(json_bytes(&message) <= MAX_HISTORY_MESSAGE_BYTES);
                assert!(message.text.chars().count() <= MAX_HISTORY_TEXT_CHARS);
                read.push_str(&message.text);
                assert_eq!(message.truncated, message.next_text_offset.is_some());
                match message.next_text_offset {
                    Some(next) => offset = next,
                    None => break,
                }
            }
            assert!(read == text, "{unit:?}");
        }
    }

    #[test]
    fn an_offset_beyond_the_end_gives_nothing_more() {
        let message = BARE.message(&stored("short", Vec::new()), 99);
        assert_eq!((message.text.as_str(), message.truncated), ("", false));
    }

    #[test]
    fn tools_are_cut_and_those_that_do_not_fit_are_counted() {
        let part =
            || ToolPart { kind: ToolKind::Result, name: Some("read".into()), text: "\"".repeat(3_000) };
        let message = BARE.message(&stored("text", (0..10).map(|_| part()).collect()), 0);
        assert!(json_bytes(&message) <= MAX_HISTORY_MESSAGE_BYTES);
        // 2,000 quotes are 4,000 bytes, so three parts fit beside an id of 512 bytes.
        assert_eq!((message.tools.len(), message.tools_omitted), (3, 7));
        assert!(message.tools.iter().all(|tool| tool.truncated && tool.text.chars().count() == 2_000));
    }
}
