//! Codex writes most messages twice: as an item of the model's context and as an event for its screen, in either
//! order and a few lines apart. Some stand in one form only.
//!
//! Messages of one role that follow each other are a *run*. Within a run the same text counts as often as the form
//! that holds it more often: the n-th in one form is the twin of the n-th in the other. The place of a message (run,
//! role, text, n) does not depend on which form came first, nor on damage elsewhere, and so makes its id.

use serde::{Deserialize, Serialize};
use session_search_core::Role;

/// Which form a message has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// Of the model's context.
    Item,
    /// Of the screen.
    Screen,
}

/// Where a message stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Seat {
    /// The number of its run, from 1.
    pub(crate) run: u64,
    /// Which of its text within the run, from 0.
    pub(crate) number: u32,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Seen {
    text: u64,
    items: u32,
    screens: u32,
}

/// What was said lately, as hashes and counts.
#[derive(Debug, Default, Clone, Serialize, Deserialize)]
pub(crate) struct Twins {
    runs: u64,
    speaker: Option<Role>,
    user: Vec<Seen>,
    assistant: Vec<Seen>,
}

impl Twins {
    /// What was said before has no twins in what follows.
    pub(crate) fn part(&mut self) {
        self.speaker = None;
        self.user.clear();
        self.assistant.clear();
    }

    /// A message was read; `None`: its twin was there already. `text` is a hash without regard to white space.
    pub(crate) fn see(&mut self, role: Role, text: u64, form: Form) -> Option<Seat> {
        let seen = match role {
            Role::User => &mut self.user,
            Role::Assistant => &mut self.assistant,
        };
        if let Some(seen) = seen.iter_mut().find(|seen| seen.text == text) {
            let (own, other) = match form {
                Form::Item => (&mut seen.items, seen.screens),
                Form::Screen => (&mut seen.screens, seen.items),
            };
            if *own < other {
                *own += 1;
                return None;
            }
        }
        if self.speaker != Some(role) {
            self.runs += 1;
            self.speaker = Some(role);
            seen.clear();
        }
        let at = seen.iter().position(|one| one.text == text).unwrap_or_else(|| {
            seen.push(Seen { text, items: 0, screens: 0 });
            seen.len() - 1
        });
        let number = seen[at].items.max(seen[at].screens);
        match form {
            Form::Item => seen[at].items += 1,
            Form::Screen => seen[at].screens += 1,
        }
        Some(Seat { run: self.runs, number })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows of role (`u`, `a`), form (`i`, `s`) and text; answers those that are kept.
    fn kept(rows: &str) -> String {
        let mut twins = Twins::default();
        let mut out = Vec::new();
        for row in rows.split(' ') {
            let mut letters = row.chars();
            let role = if letters.next() == Some('u') { Role::User } else { Role::Assistant };
            let form = if letters.next() == Some('i') { Form::Item } else { Form::Screen };
            let text = letters.next().map_or(0, u64::from);
            if twins.see(role, text, form).is_some() {
                out.push(row);
            }
            twins = serde_json::from_str(&serde_json::to_string(&twins).unwrap()).unwrap();
        }
        out.join(" ")
    }

    #[test]
    fn twins_in_either_order_are_one() {
        assert_eq!(kept("ui1 us1 as2 ai2"), "ui1 as2");
        assert_eq!(kept("ui1 ai2 us1 as2"), "ui1 ai2");
        assert_eq!(kept("as1 as2 ai1 ai2"), "as1 as2");
    }

    #[test]
    fn what_stands_in_one_form_only_is_kept() {
        assert_eq!(kept("ui1 as2 as3 ai3"), "ui1 as2 as3");
        assert_eq!(kept("us1 as2 us3"), "us1 as2 us3");
    }

    #[test]
    fn the_same_words_again_are_another_message() {
        assert_eq!(kept("uiy usy ai1 as1 uiy usy"), "uiy ai1 uiy");
        assert_eq!(kept("uiy usy uiy usy"), "uiy uiy");
        assert_eq!(kept("uiy uiy usy usy"), "uiy uiy");
    }

    #[test]
    fn seats_do_not_depend_on_the_form_that_came_first() {
        let seat = |forms: [Form; 2]| {
            let mut twins = Twins::default();
            let seats = forms.map(|form| twins.see(Role::User, 7, form));
            (seats, twins.see(Role::Assistant, 7, Form::Item))
        };
        assert_eq!(seat([Form::Item, Form::Screen]), seat([Form::Screen, Form::Item]));
    }
}
