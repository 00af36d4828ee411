//! Text that was typed while the agent worked: it waits in a queue of the program's, and often stands in no other
//! record than the one that put it there.
//!
//! A text that leaves the queue becomes a user record a few lines on, or is slipped to the agent as an attachment,
//! or stands nowhere else. So it is held until the next answer shows which; only then it is taken as said.

use serde::{Deserialize, Serialize};
use session_search_core::Millis;

use crate::claude::links::key;

/// One text in the queue. The text itself never goes into the state: it is read again from its line.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Waiting {
    /// The byte offset of its line.
    pub(crate) offset: u64,
    /// A hash of the text; 0 where it is no text to be found (a command, a notification).
    pub(crate) key: u64,
    /// When it was typed.
    pub(crate) time: Option<Millis>,
    /// Whether it left the queue.
    left: bool,
    /// The text, where it was read in this run.
    #[serde(skip)]
    pub(crate) text: String,
}

/// The queue as far as the file tells.
#[derive(Debug, Default, Clone, Serialize, Deserialize)]
pub(crate) struct Queue(Vec<Waiting>);

impl Queue {
    /// A text was typed. `text` is empty for what is no text.
    pub(crate) fn enter(&mut self, text: String, offset: u64, time: Option<Millis>) {
        let key = if text.is_empty() { 0 } else { key(&text) };
        self.0.push(Waiting { offset, key, time, left: false, text });
    }

    /// The first text left the queue, or the named one.
    pub(crate) fn leave(&mut self, text: &str) {
        let named =
            (!text.is_empty()).then(|| self.0.iter().position(|one| !one.left && one.text == text)).flatten();
        let first = || self.0.iter().position(|one| !one.left);
        if let Some(at) = named.or_else(first) {
            self.0[at].left = true;
        }
    }

    /// The person took the whole queue back to edit it.
    pub(crate) fn take_back(&mut self) {
        self.0.retain(|one| one.left);
    }

    /// A user record or attachment says this: whatever it holds waits no more. Whether anything did.
    pub(crate) fn said(&mut self, text: &str) -> bool {
        let before = self.0.len();
        self.0.retain(|one| one.key == 0 || !holds(text, &one.text));
        self.0.len() < before
    }

    /// What left the queue and was not said since.
    pub(crate) fn due(&mut self) -> Vec<Waiting> {
        let (left, waits) = std::mem::take(&mut self.0).into_iter().partition(|one: &Waiting| one.left);
        self.0 = waits;
        left.into_iter().filter(|one: &Waiting| one.key != 0).collect()
    }

    /// What is still unsaid at the end of the file, in order.
    pub(crate) fn rest(&self) -> impl Iterator<Item = &Waiting> {
        self.0.iter().filter(|one| one.key != 0)
    }

    /// Texts that an earlier run read and this one must read again.
    pub(crate) fn missing(&mut self) -> impl Iterator<Item = &mut Waiting> {
        self.0.iter_mut().filter(|one| one.key != 0 && one.text.is_empty())
    }

    /// Whether nothing waits.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Whether `part` is `text`, or whole lines of it: several texts may leave the queue as one.
fn holds(text: &str, part: &str) -> bool {
    let part = part.trim();
    if part.is_empty() {
        return false;
    }
    text.match_indices(part).any(|(at, _)| {
        let end = at + part.len();
        (at == 0 || text[..at].ends_with('\n')) && (end == text.len() || text[end..].starts_with('\n'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn queue(texts: &[&str]) -> Queue {
        let mut queue = Queue::default();
        for text in texts {
            queue.enter((*text).to_owned(), 0, None);
        }
        queue
    }

    fn texts(due: Vec<Waiting>) -> Vec<String> {
        due.into_iter().map(|one| one.text).collect()
    }

    #[test]
    fn what_becomes_a_record_is_not_due() {
        let mut queue = queue(&["one", "two"]);
        queue.leave("");
        assert!(queue.said("one"));
        assert!(queue.due().is_empty());
        assert_eq!(queue.rest().count(), 1);
        queue.leave("");
        assert!(!queue.said("twofold"));
        assert_eq!(texts(queue.due()), ["two"]);
        assert!(queue.is_empty());
    }

    #[test]
    fn several_may_leave_as_one_record() {
        let mut queue = queue(&["one", "two\nlines"]);
        queue.leave("");
        queue.leave("");
        queue.said("one\ntwo\nlines");
        assert!(queue.due().is_empty());
    }

    #[test]
    fn what_is_no_text_keeps_its_place() {
        let mut queue = queue(&["", "two"]);
        queue.leave("");
        assert!(queue.due().is_empty());
        queue.leave("");
        assert_eq!(texts(queue.due()), ["two"]);
    }

    #[test]
    fn what_was_taken_back_was_not_said() {
        let mut queue = queue(&["one"]);
        queue.take_back();
        assert_eq!(queue.rest().count(), 0);
    }

    #[test]
    fn the_state_holds_no_text() {
        let saved = serde_json::to_string(&queue(&["canary"])).unwrap();
        assert!(!saved.contains("canary"));
        let mut read: Queue = serde_json::from_str(&saved).unwrap();
        assert_eq!(read.missing().count(), 1);
    }
}
