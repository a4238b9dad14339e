//! Lists many choices in little room: whole parts with which several choices begin are written once.
//!
//! ```text
//! #0 Place a stone on a1          Place a stone on …: #0 a1; #1 a2; #3 b1
//! #1 Place a stone on a2    ──▶   #2 Pass
//! #2 Pass
//! #3 Place a stone on b1
//! ```

/// A choice: the number by which it is known, and its words.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct BriefChoice {
    pub number: u64,
    pub words: String,
    /// Where whole parts of the words end, in bytes.
    pub cuts: Vec<usize>,
    /// The number of the choice that is the same for its reader.
    pub same_as: Option<u64>,
    /// Whether another choice has the same words.
    pub is_ambiguous: bool,
    /// Ids of what it refers to, which distinguish choices with the same words.
    pub refers: Vec<String>,
}

/// A list that fits its room.
#[derive(Debug, PartialEq)]
pub struct FittingList {
    pub text: String,
    /// Whether each item is in it, not only the parts with which several begin.
    pub is_whole: bool,
}

/// Up to this number of letters, each choice has a line of its own.
const PLAIN_MAX: usize = 500;
/// Deeper groups are not divided any more.
const DEPTH_MAX: usize = 2;

/// Lists items in at most this number of letters, each on a line if so wanted. If they do not fit, groups of them are only
/// counted.
pub fn listed(items: &[BriefChoice], room: usize, on_lines: bool) -> FittingList {
    let plain = items.iter().map(|item| single(item, &item.words) + "\n");
    let plain: String = plain.collect();
    let most = if on_lines { room } else { PLAIN_MAX.min(room) };
    if plain.len() <= most {
        return FittingList {
            text: plain,
            is_whole: true,
        };
    }
    let unsaid: Vec<UnsaidWords<'_>> = items.iter().map(UnsaidWords::of).collect();
    let text = |depth| grouped(&unsaid, DEPTH_MAX, depth).join("\n") + "\n";
    let whole = text(DEPTH_MAX);
    if whole.len() <= room {
        return FittingList {
            text: whole,
            is_whole: true,
        };
    }
    let mut shorter = (0..DEPTH_MAX).rev().map(text);
    let fitting = shorter.find(|text| text.len() <= room);
    FittingList {
        text: fitting.unwrap_or_else(|| cut(&text(0), room)),
        is_whole: false,
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

fn single(item: &BriefChoice, words: &str) -> String {
    format!("#{} {words}", item.number)
}

/// An item, and how many bytes of its words its groups have said.
#[derive(Clone, Copy)]
struct UnsaidWords<'i> {
    item: &'i BriefChoice,
    said: usize,
}

impl<'i> UnsaidWords<'i> {
    fn of(item: &'i BriefChoice) -> UnsaidWords<'i> {
        UnsaidWords { item, said: 0 }
    }

    fn rest(&self) -> &'i str {
        self.item.words.get(self.said..).unwrap_or_default()
    }

    /// Returns the ends of the unsaid parts after which there are more words.
    fn cuts(&self) -> impl Iterator<Item = usize> {
        let said = self.said..self.item.words.len();
        let cuts = self.item.cuts.iter().copied();
        cuts.filter(move |cut| said.contains(cut) && *cut > said.start)
    }

    /// Returns the first unsaid part with letters. `None` if nothing follows it.
    fn first(&self) -> Option<&'i str> {
        let mut begins = self.cuts().filter_map(|cut| self.to(cut));
        begins.find(|begin| begin.contains(char::is_alphanumeric))
    }

    fn to(&self, cut: usize) -> Option<&'i str> {
        self.item.words.get(self.said..cut)
    }
}

/// Puts together what begins with the same part, in order of the first of each. Groups deeper than `told` are counted.
fn grouped(items: &[UnsaidWords<'_>], depth: usize, told: usize) -> Vec<String> {
    let mut groups: Vec<Vec<UnsaidWords<'_>>> = Vec::new();
    for item in items {
        let first = item.first().filter(|_| depth > 0);
        let same = |group: &&mut Vec<UnsaidWords<'_>>| {
            first.is_some() && group.first().and_then(UnsaidWords::first) == first
        };
        match groups.iter_mut().find(same) {
            Some(group) => group.push(*item),
            None => groups.push(vec![*item]),
        }
    }
    let groups = groups.iter();
    groups.map(|group| line(group, depth, told)).collect()
}

fn line(group: &[UnsaidWords<'_>], depth: usize, told: usize) -> String {
    let (Some(first), true) = (group.first(), group.len() > 1) else {
        let lines = group.iter().map(|of| single(of.item, of.rest().trim()));
        return lines.collect::<Vec<_>>().join("; ");
    };
    let is_shared = |cut: &usize| {
        let begin = first.to(*cut);
        group
            .iter()
            .all(|of| of.to(*cut) == begin && of.cuts().any(|other| other == *cut))
    };
    let said = first.cuts().take_while(is_shared).last();
    let said = said.unwrap_or(first.said);
    let begin = first.to(said).unwrap_or_default().trim();
    let Some(told) = told.checked_sub(1) else {
        return format!("{begin} … ({}×)", group.len());
    };
    let rest = group.iter().map(|of| UnsaidWords { said, ..*of });
    let members = grouped(&rest.collect::<Vec<_>>(), depth.saturating_sub(1), told);
    let members = members.join("; ");
    match depth == DEPTH_MAX {
        true => format!("{begin} …: {members}"),
        false => format!("{begin} … [{members}]"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Parts end at `|`.
    fn items(words: &[String]) -> Vec<BriefChoice> {
        let item = |(number, words): (usize, &String)| {
            let ends = words.match_indices('|').enumerate();
            BriefChoice {
                number: number as u64,
                words: words.replace('|', ""),
                cuts: ends.map(|(earlier, (at, _))| at - earlier).collect(),
                ..BriefChoice::default()
            }
        };
        words.iter().enumerate().map(item).collect()
    }

    #[test]
    fn a_short_list_has_a_line_for_each_choice() {
        let words = ["Pass", "Place on |a1|"].map(str::to_owned);
        let listed = listed(&items(&words), 1000, false);
        assert_eq!(listed.text, "#0 Pass\n#1 Place on a1\n");
        assert!(listed.is_whole);
    }

    #[test]
    fn whole_parts_with_which_many_begin_are_written_once() {
        let cells = ["a1", "a2", "b1", "b2"];
        let words: Vec<String> = (0..8)
            .flat_map(|n| cells.map(|cell| format!("Lay |tile {n}| of the quarry at |{cell}|")))
            .chain(["Pass".to_owned()])
            .collect();
        let items = items(&words);
        let all = listed(&items, 1000, false);
        let begin = "Lay …: tile 0 of the quarry at … [#0 a1; #1 a2; #2 b1; #3 b2]; tile 1 of";
        assert!(all.is_whole && all.text.starts_with(begin), "{}", all.text);
        assert!(all.text.ends_with("\n#32 Pass\n"), "{}", all.text);
        // If the room is too small, groups are only counted.
        let less = listed(&items, 300, false);
        let begin = "Lay …: tile 0 of the quarry at … (4×); tile 1 of";
        assert!(
            !less.is_whole && less.text.starts_with(begin),
            "{}",
            less.text
        );
        assert_eq!(listed(&items, 30, false).text, "Lay … (32×)\n#32 Pass\n");
        assert_eq!(listed(&items, 10, false).text, "…\n");
        assert_eq!(listed(&items, 2000, true).text.lines().count(), 33);
    }

    #[test]
    fn names_are_never_divided() {
        let pair = |one, other| format!("|Movement {one}|, |Movement {other}|");
        let numbers = (2..5).flat_map(|one| (2..5).map(move |other| (one, other)));
        let mut words: Vec<String> = numbers.map(|(one, other)| pair(one, other)).collect();
        words.push("|Movement 2|".to_owned());
        let told = listed(&items(&words), 200, false);
        assert_eq!(
            told.text.lines().next(),
            Some("Movement 2, …: #0 Movement 2; #1 Movement 3; #2 Movement 4")
        );
        assert!(told.text.ends_with("\n#9 Movement 2\n"), "{}", told.text);
    }
}
