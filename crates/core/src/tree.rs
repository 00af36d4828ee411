//! The transcript tree: events that hang on each other, and the path that the conversation now consists of.

use std::collections::{HashMap, HashSet};

use crate::event::{Event, EventKind, LeafMove, Parent};
use crate::ids::EventId;

/// What an append did to the tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Applied {
    /// The event was added and is the leaf now.
    Added,
    /// A `leaf` event moved the leaf, or emptied the branch.
    Moved,
    /// A `leaf` event without a target: nothing happened.
    Inert,
    /// A `leaf` event named an event that is not there: nothing happened.
    UnknownTarget(EventId),
    /// An event with this id is there already: nothing happened.
    Known,
}

/// A tree of events, in memory. The store keeps the same on disk; this is the definition.
///
/// ```
/// use session_search_core::{Event, EventId, tree::Tree};
/// let mut tree = Tree::default();
/// for line in [r#"{"type":"message","id":"a"}"#, r#"{"type":"message","id":"b"}"#, r#"{"type":"leaf","id":"l","targetId":"a"}"#] {
///     let event = Event::parse(line)?;
///     let id = event.id().unwrap().clone();
///     tree.apply(&event, &id);
/// }
/// assert_eq!(tree.branch(), [EventId::new("a").unwrap()]);
/// # Ok::<(), session_search_core::event::EventError>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Tree {
    parents: HashMap<EventId, Option<EventId>>,
    /// Ids of `leaf` events: taken, but no nodes.
    moves: HashSet<EventId>,
    leaf: Option<EventId>,
}

impl Tree {
    /// Appends an event under the id it is stored with.
    pub fn apply(&mut self, event: &Event, id: &EventId) -> Applied {
        if self.parents.contains_key(id) || self.moves.contains(id) {
            return Applied::Known;
        }
        if matches!(event.kind(), EventKind::Leaf(_)) {
            self.moves.insert(id.clone());
        }
        match event.kind() {
            EventKind::Leaf(LeafMove::Inert) => Applied::Inert,
            EventKind::Leaf(LeafMove::Empty) => {
                self.leaf = None;
                Applied::Moved
            }
            EventKind::Leaf(LeafMove::To(target)) => {
                if !self.parents.contains_key(target) {
                    return Applied::UnknownTarget(target.clone());
                }
                self.leaf = Some(target.clone());
                Applied::Moved
            }
            _ => {
                let parent = match event.parent() {
                    Parent::CurrentLeaf => self.leaf.clone(),
                    Parent::Root => None,
                    Parent::Event(parent) => Some(parent.clone()),
                };
                self.parents.insert(id.clone(), parent);
                self.leaf = Some(id.clone());
                Applied::Added
            }
        }
    }

    /// Moves the leaf; `false` where the event is not in the tree.
    pub fn move_leaf(&mut self, to: Option<&EventId>) -> bool {
        if let Some(id) = to
            && !self.parents.contains_key(id)
        {
            return false;
        }
        self.leaf = to.cloned();
        true
    }

    /// Removes all events but these. What hung on a removed one hangs on an absent parent now; where the leaf goes, the
    /// branch becomes empty.
    pub fn retain(&mut self, mut keep: impl FnMut(&EventId) -> bool) {
        self.parents.retain(|id, _| keep(id));
        self.moves.retain(|id| keep(id));
        self.leaf = self.leaf.take().filter(|leaf| self.parents.contains_key(leaf));
    }

    /// The leaf, where the branch is not empty.
    #[must_use]
    pub fn leaf(&self) -> Option<&EventId> {
        self.leaf.as_ref()
    }

    /// Whether an event of this id is a node of the tree.
    #[must_use]
    pub fn contains(&self, id: &EventId) -> bool {
        self.parents.contains_key(id)
    }

    /// The active branch, from its root to the leaf. A parent that is not there, or that was passed already,
    /// ends it.
    #[must_use]
    pub fn branch(&self) -> Vec<EventId> {
        path(self.leaf.clone(), |id| self.parents.get(id).cloned())
    }
}

/// The path from a leaf over the parents to a root, root first. `parent` answers `None` for an event that is not
/// there, `Some(None)` for a root. Ends at a cycle. Time and memory grow with the path.
pub fn path(leaf: Option<EventId>, parent: impl Fn(&EventId) -> Option<Option<EventId>>) -> Vec<EventId> {
    let mut path = Vec::new();
    let mut passed = HashSet::new();
    let mut next = leaf;
    while let Some(id) = next {
        if passed.contains(&id) {
            break;
        }
        let Some(up) = parent(&id) else { break };
        passed.insert(id.clone());
        path.push(id);
        next = up;
    }
    path.reverse();
    path
}

/// How many elements at their beginning two branches share: what stays indexed when one becomes the other.
#[must_use]
pub fn common_prefix<T: PartialEq>(old: &[T], new: &[T]) -> usize {
    old.iter().zip(new).take_while(|(a, b)| a == b).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grow(lines: &[&str]) -> (Tree, Vec<Applied>) {
        let mut tree = Tree::default();
        let mut done = Vec::new();
        for line in lines {
            let event = Event::parse(*line).unwrap();
            let id = event.id().unwrap().clone();
            done.push(tree.apply(&event, &id));
        }
        (tree, done)
    }

    fn branch(lines: &[&str]) -> Vec<String> {
        grow(lines).0.branch().into_iter().map(String::from).collect()
    }

    #[test]
    fn absent_parents_continue_and_null_starts_anew() {
        assert_eq!(branch(&[r#"{"type":"a","id":"1"}"#, r#"{"type":"a","id":"2"}"#]), ["1", "2"]);
        assert_eq!(branch(&[r#"{"type":"a","id":"1"}"#, r#"{"type":"a","id":"2","parentId":null}"#]), ["2"]);
    }

    #[test]
    fn an_orphan_waits_for_its_parent() {
        let orphan = r#"{"type":"a","id":"2","parentId":"1"}"#;
        assert_eq!(branch(&[orphan]), ["2"]);
        assert_eq!(
            branch(&[
                orphan,
                r#"{"type":"a","id":"1","parentId":null}"#,
                r#"{"type":"leaf","id":"l","targetId":"2"}"#
            ]),
            ["1", "2"]
        );
    }

    #[test]
    fn cycles_end() {
        assert_eq!(branch(&[r#"{"type":"a","id":"1","parentId":"1"}"#]), ["1"]);
        assert_eq!(
            branch(&[r#"{"type":"a","id":"1","parentId":"2"}"#, r#"{"type":"a","id":"2","parentId":"1"}"#]),
            ["1", "2"]
        );
    }

    #[test]
    fn leaf_moves() {
        let one = r#"{"type":"a","id":"1"}"#;
        let two = r#"{"type":"a","id":"2"}"#;
        assert!(branch(&[one, two, r#"{"type":"leaf","id":"l","targetId":null}"#]).is_empty());
        assert_eq!(branch(&[one, two, r#"{"type":"leaf","id":"l","targetId":"1"}"#]), ["1"]);
        assert_eq!(branch(&[one, two, r#"{"type":"leaf","id":"l"}"#]), ["1", "2"]);
        let (tree, done) = grow(&[one, two, r#"{"type":"leaf","id":"l","targetId":"9"}"#]);
        assert_eq!(tree.branch().len(), 2);
        assert_eq!(done[2], Applied::UnknownTarget(EventId::new("9").unwrap()));
        assert_eq!(
            branch(&[one, two, r#"{"type":"leaf","id":"l","targetId":null}"#, r#"{"type":"a","id":"3"}"#]),
            ["3"]
        );
    }

    #[test]
    fn what_is_kept_keeps_its_parents() {
        let (mut tree, _) = grow(&[
            r#"{"type":"a","id":"1"}"#,
            r#"{"type":"a","id":"2"}"#,
            r#"{"type":"a","id":"3"}"#,
            r#"{"type":"leaf","id":"l","targetId":"2"}"#,
        ]);
        let ids = |ids: &[&str]| ids.iter().map(|id| EventId::new(*id).unwrap()).collect::<Vec<_>>();
        let kept = tree.branch();
        tree.retain(|id| kept.contains(id));
        assert_eq!(tree.branch(), ids(&["1", "2"]));
        assert!(!tree.contains(&ids(&["3"])[0]));
        tree.retain(|id| id.as_str() == "2");
        assert_eq!(tree.branch(), ids(&["2"]));
        tree.retain(|_| false);
        assert_eq!((tree.leaf(), tree.branch()), (None, vec![]));
    }

    #[test]
    fn prefixes() {
        assert_eq!(common_prefix(&[1, 2, 3], &[1, 2, 4, 5]), 2);
        assert_eq!(common_prefix::<u8>(&[], &[1]), 0);
    }
}
