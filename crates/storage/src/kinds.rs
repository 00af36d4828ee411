//! The kinds of events as they are stored: what the tree, the index and history need to know of each.

use session_search_core::{Event, EventKind, Role};

/// What an event is. The numbers are in the database and never change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Kind {
    /// A node without a part in the conversation.
    Other = 0,
    /// A move of the leaf: no node.
    Leaf = 1,
    /// A message of another role.
    OtherMessage = 2,
    /// A message of the user without searchable text.
    User = 3,
    /// A message of the assistant without searchable text.
    Assistant = 4,
    /// A message of the user with text.
    UserText = 5,
    /// A message of the assistant with text.
    AssistantText = 6,
}

impl Kind {
    /// The kind of an event, given whether it has searchable text.
    pub(crate) fn of(event: &Event, has_text: bool) -> Kind {
        match (event.kind(), has_text) {
            (EventKind::Message(Role::User), true) => Kind::UserText,
            (EventKind::Message(Role::User), false) => Kind::User,
            (EventKind::Message(Role::Assistant), true) => Kind::AssistantText,
            (EventKind::Message(Role::Assistant), false) => Kind::Assistant,
            (EventKind::OtherMessage, _) => Kind::OtherMessage,
            (EventKind::Leaf(_), _) => Kind::Leaf,
            (EventKind::Other, _) => Kind::Other,
        }
    }

    /// Reads the stored number.
    pub(crate) fn from_number(number: i64) -> Kind {
        match number {
            1 => Kind::Leaf,
            2 => Kind::OtherMessage,
            3 => Kind::User,
            4 => Kind::Assistant,
            5 => Kind::UserText,
            6 => Kind::AssistantText,
            _ => Kind::Other,
        }
    }

    /// Who said it, where it is a message of the conversation.
    pub(crate) fn role(self) -> Option<Role> {
        match self {
            Kind::User | Kind::UserText => Some(Role::User),
            Kind::Assistant | Kind::AssistantText => Some(Role::Assistant),
            Kind::Other | Kind::Leaf | Kind::OtherMessage => None,
        }
    }

    /// Whether it has an index entry while it is on the branch.
    pub(crate) fn is_entry(self) -> bool {
        matches!(self, Kind::UserText | Kind::AssistantText)
    }

    /// Whether it is a node of the tree.
    pub(crate) fn is_node(self) -> bool {
        self != Kind::Leaf
    }
}
