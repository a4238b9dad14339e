//! Lists many choices in little room: words that several choices begin with are written once.
//!
//! ```text
//! 0 Place a stone on a1          Place a stone on: 0 a1; 1 a2; 3 b1
//! 1 Place a stone on a2    ──▶   2 Pass
//! 2 Pass
//! 3 Place a stone on b1
//! ```

use std::collections::HashMap;

/// A choice: the number by which it is known, and its words.
#[derive(Debug, Clone, PartialEq)]
pub struct BriefChoice {
    pub number: String,
    pub words: String,
}

/// A list that fits its room.
#[derive(Debug, PartialEq)]
pub struct FittingList {
    pub text: String,
    /// Whether each item is in it, not only the words with which several begin.
    pub is_whole: bool,
}

/// Up to this number of letters, each choice has a line of its own.
const PLAIN_MAX: usize = 500;
/// Deeper groups are not divided any more.
const DEPTH_MAX: usize = 6;

/// Lists items in at most this number of letters. If they do not fit, groups of them are only counted.
pub fn listed(items: &[BriefChoice], room: usize) -> FittingList {
    let plain = items.iter();
    let plain = plain.map(|item| format!("{} {}\n", item.number, item.words));
    let plain: String = plain.collect();
    if plain.len() <= PLAIN_MAX.min(room) {
        return FittingList {
            text: plain,
            is_whole: true,
        };
    }
    let words: Vec<UnsaidWords<'_>> = items.iter().map(UnsaidWords::of).collect();
    let groups = grouped(&words, DEPTH_MAX);
    let mut depths = (0..=DEPTH_MAX).rev();
    let text = |depth| -> String {
        let lines = groups.iter().map(|group| group.line(depth) + "\n");
        lines.collect()
    };
    match depths.find(|depth| text(*depth).len() <= room) {
        Some(depth) => FittingList {
            text: text(depth),
            is_whole: text(depth) == text(DEPTH_MAX),
        },
        None => FittingList {
            text: cut(&text(0), room),
            is_whole: false,
        },
    }
}

/// Returns the lines that fit.
fn cut(text: &str, room: usize) -> String {
    let mut kept = String::new();
    for line in text.lines() {
        if kept.len() + line.len() >= room {
            kept.push_str("…\n");
            break;
        }
        kept.push_str(line);
        kept.push('\n');
    }
    kept
}

/// The words of an item that its group has not said yet.
#[derive(Clone)]
struct UnsaidWords<'i> {
    number: &'i str,
    rest: Vec<&'i str>,
}

impl<'i> UnsaidWords<'i> {
    fn of(item: &'i BriefChoice) -> UnsaidWords<'i> {
        UnsaidWords {
            number: &item.number,
            rest: item.words.split(' ').collect(),
        }
    }

    fn without(&self, first: usize) -> UnsaidWords<'i> {
        UnsaidWords {
            number: self.number,
            rest: self.rest.iter().skip(first).copied().collect(),
        }
    }
}

/// One choice, or several that begin with the same words.
struct ItemGroup<'i> {
    words: Vec<&'i str>,
    /// The number of a single choice.
    number: &'i str,
    count: usize,
    members: Vec<ItemGroup<'i>>,
}

/// Puts together what begins with the same word, in order of the first of each.
fn grouped<'i>(items: &[UnsaidWords<'i>], depth: usize) -> Vec<ItemGroup<'i>> {
    let mut order: Vec<Vec<&UnsaidWords<'i>>> = Vec::new();
    let mut known: HashMap<&str, usize> = HashMap::new();
    for item in items {
        let first = item.rest.first().copied().unwrap_or_default();
        let at = *known.entry(first).or_insert(order.len());
        match order.get_mut(at) {
            Some(group) => group.push(item),
            None => order.push(vec![item]),
        }
    }
    order.iter().flat_map(|items| group(items, depth)).collect()
}

fn group<'i>(items: &[&UnsaidWords<'i>], depth: usize) -> Vec<ItemGroup<'i>> {
    let first = items.first().map_or(&[][..], |first| first.rest.as_slice());
    let shared = |words: &usize| {
        let begin = first.get(..*words);
        items.iter().all(|item| item.rest.get(..*words) == begin)
    };
    let longest = (1..=first.len()).take_while(shared).count();
    if longest == 0 || items.len() == 1 || depth == 0 {
        let single = items.iter().map(|item| ItemGroup {
            words: item.rest.clone(),
            number: item.number,
            count: 1,
            members: Vec::new(),
        });
        return single.collect();
    }
    let rest: Vec<UnsaidWords<'i>> = items.iter().map(|item| item.without(longest)).collect();
    vec![ItemGroup {
        words: first.iter().take(longest).copied().collect(),
        number: "",
        count: items.len(),
        members: grouped(&rest, depth - 1),
    }]
}

impl ItemGroup<'_> {
    /// Writes a group on a line of its own, with the groups inside it down to a depth.
    fn line(&self, depth: usize) -> String {
        self.told(depth, [": ", ""])
    }

    fn told(&self, depth: usize, [before, after]: [&str; 2]) -> String {
        if self.members.is_empty() {
            return self.single();
        }
        let Some(depth) = depth.checked_sub(1) else {
            return self.counted();
        };
        let members = self.members.iter();
        let members = members.map(|member| member.told(depth, [" (", ")"]));
        let members = members.collect::<Vec<_>>().join("; ");
        format!("{}{before}{members}{after}", self.words.join(" "))
    }

    fn single(&self) -> String {
        let told = format!("{} {}", self.number, self.words.join(" "));
        told.trim_end().to_owned()
    }

    fn counted(&self) -> String {
        format!("{} … ×{}", self.words.join(" "), self.count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn items(words: &[&str]) -> Vec<BriefChoice> {
        let item = |(number, words): (usize, &&str)| BriefChoice {
            number: number.to_string(),
            words: (*words).to_owned(),
        };
        words.iter().enumerate().map(item).collect()
    }

    #[test]
    fn a_short_list_has_a_line_for_each_choice() {
        let listed = listed(&items(&["Pass", "Place on a1"]), 1000);
        assert_eq!(listed.text, "0 Pass\n1 Place on a1\n");
        assert!(listed.is_whole);
    }

    #[test]
    fn words_that_many_begin_with_are_written_once() {
        let cells = ["a1", "a2", "b1", "b2"];
        let words: Vec<String> = (0..8)
            .flat_map(|n| cells.map(|cell| format!("Lay tile {n} of the quarry at {cell}")))
            .chain(["Pass".to_owned()])
            .collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let all = listed(&items(&words), 1000);
        assert!(
            all.is_whole && all.text.contains("\n32 Pass\n") == all.text.ends_with("32 Pass\n")
        );
        assert!(
            all.text
                .starts_with("Lay tile: 0 of the quarry at (0 a1; 1 a2; 2 b1; 3 b2); 1 of"),
            "{}",
            all.text
        );
        // If the room is too small, groups are only counted.
        let less = listed(&items(&words), 260);
        assert_eq!(
            (less.is_whole, less.text.lines().count()),
            (false, 2),
            "{}",
            less.text
        );
        assert!(
            less.text
                .starts_with("Lay tile: 0 of the quarry at … ×4; 1 of"),
            "{}",
            less.text
        );
        assert_eq!(listed(&items(&words), 30).text, "Lay tile … ×32\n32 Pass\n");
        assert_eq!(listed(&items(&words), 10).text, "…\n");
    }
}
