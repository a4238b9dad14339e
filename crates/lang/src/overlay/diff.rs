//! The differences between two games, value by value.

use super::path::Path;
use crate::yaml::{Node, NodeKind};

/// A place where two games differ.
#[derive(Debug, Clone)]
pub struct Difference {
    pub path: Path,
    /// The value in the first game; none if only the second has it.
    pub was: Option<Node>,
    /// The value in the second game.
    pub now: Option<Node>,
}

impl Difference {
    fn new(path: Path, was: Option<&Node>, now: Option<&Node>) -> Difference {
        let (was, now) = (was.cloned(), now.cloned());
        Difference { path, was, now }
    }
}

/// Returns all differences, in the order of the first game, then those that only the second has.
pub fn differences(first: &Node, second: &Node) -> Vec<Difference> {
    let mut found = Vec::new();
    compare(first, second, &Path::default(), &mut found);
    found
}

fn compare(first: &Node, second: &Node, path: &Path, found: &mut Vec<Difference>) {
    if first.says_the_same(second) {
        return;
    }
    let both_maps = matches!(
        (&first.kind, &second.kind),
        (NodeKind::Map(_), NodeKind::Map(_))
    );
    if !both_maps || path.place().is_whole(first) {
        found.push(Difference::new(path.clone(), Some(first), Some(second)));
        return;
    }
    let mut matched = vec![false; second.entries().count()];
    for (key, was) in first.entries() {
        let inner = path.below(&key.text);
        let same_key = |(at, (other, _)): &(usize, (&_, &Node))| {
            let other: &crate::yaml::Scalar = other;
            other.text == key.text && matched.get(*at) == Some(&false)
        };
        match second.entries().enumerate().find(same_key) {
            Some((at, (_, now))) => {
                if let Some(done) = matched.get_mut(at) {
                    *done = true;
                }
                compare(was, now, &inner, found);
            }
            None => found.push(Difference::new(inner, Some(was), None)),
        }
    }
    let new = second
        .entries()
        .zip(matched)
        .filter(|(_, matched)| !matched);
    let new = new.map(|((key, now), _)| (path.below(&key.text), now));
    found.extend(new.map(|(path, now)| Difference::new(path, None, Some(now))));
}
