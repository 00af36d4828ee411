//! The transcript tree against a walk that is told nothing but the rules.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use session_search_core::tree::{Applied, Tree, common_prefix};
use session_search_core::{Event, EventId};

/// What arrives: an id out of few, and what it says.
#[derive(Debug, Clone)]
enum Line {
    /// `parentId` absent, `null`, or an id that need not be there.
    Node { id: u8, parent: Option<Option<u8>> },
    /// `targetId` absent, `null`, or an id that need not be there.
    Leaf { id: u8, target: Option<Option<u8>> },
}

fn name(id: u8) -> EventId {
    EventId::new(format!("e{id}")).unwrap()
}

impl Line {
    fn id(&self) -> u8 {
        match self {
            Line::Node { id, .. } | Line::Leaf { id, .. } => *id,
        }
    }

    fn event(&self) -> Event {
        let field = |name: &str, value: &Option<Option<u8>>| match value {
            None => String::new(),
            Some(None) => format!(r#","{name}":null"#),
            Some(Some(id)) => format!(r#","{name}":"e{id}""#),
        };
        let (kind, link) = match self {
            Line::Node { parent, .. } => ("message", field("parentId", parent)),
            Line::Leaf { target, .. } => ("leaf", field("targetId", target)),
        };
        Event::parse(format!(r#"{{"type":"{kind}","id":"e{}"{link}}}"#, self.id())).unwrap()
    }
}

fn lines() -> impl Strategy<Value = Vec<Line>> {
    let link = || option::weighted(0.6, option::weighted(0.85, 0..12_u8));
    let node = (0..12_u8, link()).prop_map(|(id, parent)| Line::Node { id, parent });
    let leaf = (0..12_u8, link()).prop_map(|(id, target)| Line::Leaf { id, target });
    vec(prop_oneof![5 => node, 1 => leaf], 0..40)
}

/// The nodes with their parents in the order of their arrival, and the leaf: by reading the lines again from the
/// first for every question.
#[derive(Default)]
struct Naive {
    nodes: Vec<(u8, Option<u8>)>,
    taken: Vec<u8>,
    leaf: Option<u8>,
}

impl Naive {
    fn read(lines: &[Line]) -> Naive {
        let mut naive = Naive::default();
        for line in lines {
            if naive.taken.contains(&line.id()) {
                continue;
            }
            naive.taken.push(line.id());
            match line {
                Line::Node { id, parent } => {
                    naive.nodes.push((*id, parent.unwrap_or(naive.leaf)));
                    naive.leaf = Some(*id);
                }
                Line::Leaf { target: Some(None), .. } => naive.leaf = None,
                Line::Leaf { target: Some(Some(target)), .. } if naive.parent(*target).is_some() => {
                    naive.leaf = Some(*target);
                }
                Line::Leaf { .. } => {}
            }
        }
        naive
    }

    fn parent(&self, id: u8) -> Option<Option<u8>> {
        self.nodes.iter().find(|(node, _)| *node == id).map(|(_, parent)| *parent)
    }

    fn branch(&self) -> Vec<EventId> {
        let mut up: Vec<u8> = Vec::new();
        let mut next = self.leaf;
        while let Some(id) = next
            && let Some(parent) = self.parent(id)
            && !up.contains(&id)
        {
            up.push(id);
            next = parent;
        }
        up.into_iter().rev().map(name).collect()
    }
}

fn grown(lines: &[Line]) -> (Tree, Vec<Applied>) {
    let mut tree = Tree::default();
    let applied = lines.iter().map(|line| tree.apply(&line.event(), &name(line.id()))).collect();
    (tree, applied)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_branch_is_what_a_naive_walk_gives_after_every_event(lines in lines()) {
        let mut tree = Tree::default();
        for n in 0..lines.len() {
            tree.apply(&lines[n].event(), &name(lines[n].id()));
            let naive = Naive::read(&lines[..=n]);
            prop_assert_eq!(tree.branch(), naive.branch());
            prop_assert_eq!(tree.leaf().cloned(), naive.leaf.map(name));
        }
    }

    #[test]
    fn what_apply_says_is_what_it_did(lines in lines()) {
        let mut tree = Tree::default();
        for line in lines {
            let (id, before) = (name(line.id()), tree.clone());
            match tree.apply(&line.event(), &id) {
                Applied::Added => {
                    prop_assert!(tree.contains(&id) && !before.contains(&id));
                    prop_assert_eq!(tree.leaf(), Some(&id));
                }
                Applied::Moved => {
                    let is_leaf = matches!(line, Line::Leaf { .. });
                    prop_assert!(is_leaf && !tree.contains(&id));
                }
                Applied::UnknownTarget(target) => {
                    prop_assert!(!tree.contains(&target));
                    prop_assert_eq!(tree.leaf(), before.leaf());
                }
                Applied::Inert | Applied::Known => {
                    prop_assert_eq!(tree.leaf(), before.leaf());
                    prop_assert_eq!(tree.branch(), before.branch());
                }
            }
        }
    }

    #[test]
    fn a_second_reading_changes_nothing(lines in lines()) {
        let (mut tree, _) = grown(&lines);
        let before = tree.branch();
        for line in &lines {
            prop_assert_eq!(tree.apply(&line.event(), &name(line.id())), Applied::Known);
        }
        prop_assert_eq!(tree.branch(), before);
    }

    #[test]
    fn a_branch_never_repeats_and_ends_at_the_leaf(lines in lines()) {
        let (tree, _) = grown(&lines);
        let branch = tree.branch();
        let mut sorted = branch.clone();
        sorted.sort();
        sorted.dedup();
        prop_assert_eq!(sorted.len(), branch.len());
        prop_assert_eq!(branch.last(), tree.leaf());
    }

    #[test]
    fn the_leaf_moves_to_nodes_only(lines in lines(), to in option::of(0..14_u8)) {
        let (mut tree, _) = grown(&lines);
        let before = tree.leaf().cloned();
        let id = to.map(name);
        let moved = tree.move_leaf(id.as_ref());
        let there = to.is_none_or(|id| Naive::read(&lines).parent(id).is_some());
        prop_assert_eq!(moved, there);
        prop_assert_eq!(tree.leaf().cloned(), if moved { id } else { before });
    }

    #[test]
    fn a_common_prefix_is_the_longest(one in vec(0..3_u8, 0..8), two in vec(0..3_u8, 0..8)) {
        let length = common_prefix(&one, &two);
        prop_assert_eq!(&one[..length], &two[..length]);
        prop_assert!(one.get(length).is_none() || one.get(length) != two.get(length));
    }
}
