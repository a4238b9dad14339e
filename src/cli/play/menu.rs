//! The choices of a decision on a screen: in groups where they are many, and filtered as one types.

use serde_json::Value;

use super::end::End;
use super::table::Table;
use crate::brief;
use crate::engine::Pending;
use crate::picture::is_cell;

/// Up to this number, choices are listed one by one.
const PLAIN_MAX: usize = 14;
/// Maximum number of listed choices. Beyond it, the menu shows only their number.
pub const LISTED: usize = 4000;

/// A choice.
struct Item {
    /// From 0.
    number: u64,
    label: String,
    /// The option and the values, one after the other, as programs write them.
    steps: Vec<String>,
    /// Ids of components, zones and cells.
    refers: Vec<String>,
}

/// A line of the menu: a choice, or several that begin alike.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    pub label: String,
    /// The number of the choice, from 0; `None` for a group.
    pub number: Option<u64>,
    /// The number of choices behind it.
    pub count: usize,
    pub refers: Vec<String>,
    /// The steps with which its choices begin.
    path: Vec<String>,
}

#[derive(Default)]
pub struct Menu {
    pub prompt: Option<String>,
    /// The number of all choices.
    pub count: u64,
    pub filter: String,
    /// The row that is marked.
    pub at: usize,
    items: Vec<Item>,
    /// The steps that were taken, and the rows that were marked before.
    path: Vec<String>,
    back: Vec<(Vec<String>, usize)>,
    rows: Vec<Row>,
}

impl Menu {
    pub fn of(table: &Table<'_>, pending: &Pending) -> Result<Menu, End> {
        let doc = table.decision(pending, LISTED, 0)?;
        let (prompt, count) = (doc.prompt.clone(), doc.count);
        let choices = doc.choices.clone();
        let labels = brief::labels(&serde_json::to_value(doc).map_err(super::Stop::failure)?);
        let items = choices.into_iter().zip(labels).map(|(choice, label)| {
            let args: Vec<String> = choice
                .args
                .iter()
                .map(|(_, value)| written(&Value::from(value.clone())))
                .collect();
            let cells = args.iter().filter(|arg| is_cell(arg)).cloned();
            let mut refers = choice.refers;
            refers.extend(cells);
            Item {
                number: choice.index,
                label,
                steps: choice.option.into_iter().chain(args).collect(),
                refers,
            }
        });
        let mut menu = Menu {
            prompt,
            count,
            items: items.collect(),
            ..Menu::default()
        };
        menu.arrange(&table.names);
        Ok(menu)
    }

    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// Returns what was typed, if no label contains it.
    pub fn unlisted(&self) -> Option<&str> {
        let typed = self.filter.trim();
        let is_label = self.rows.iter().any(|row| row.label.contains(typed));
        (!typed.is_empty() && !is_label).then_some(typed)
    }

    pub fn marked(&self) -> Option<&Row> {
        self.rows.get(self.at)
    }

    /// Returns the number of the marked choice; a group is opened instead.
    pub fn enter(&mut self, names: &brief::Names) -> Option<u64> {
        let row = self.marked()?.clone();
        if row.number.is_some() {
            return row.number;
        }
        self.back.push((std::mem::take(&mut self.path), self.at));
        self.path = row.path;
        self.at = 0;
        self.arrange(names);
        None
    }

    /// Clears the filter, or goes a step back.
    pub fn step_back(&mut self, names: &brief::Names) {
        if self.filter.is_empty() {
            (self.path, self.at) = self.back.pop().unwrap_or_default();
        }
        self.filter.clear();
        self.arrange(names);
        self.at = self.at.min(self.rows.len().saturating_sub(1));
    }

    pub fn letter(&mut self, letter: char, names: &brief::Names) {
        self.filter.push(letter);
        self.at = 0;
        self.arrange(names);
    }

    pub fn erase(&mut self, names: &brief::Names) {
        if self.filter.pop().is_none() {
            return self.step_back(names);
        }
        self.at = 0;
        self.arrange(names);
    }

    /// Marks another row.
    pub fn step(&mut self, by: isize) {
        let last = self.rows.len().saturating_sub(1);
        self.at = self.at.saturating_add_signed(by).min(last);
    }

    /// Writes the rows that fit the path and the filter.
    fn arrange(&mut self, names: &brief::Names) {
        let left: Vec<&Item> = self
            .items
            .iter()
            .filter(|item| item.steps.starts_with(&self.path))
            .collect();
        self.rows = match self.filter.trim() {
            "" => rows(&left, self.path.len(), names),
            filter => {
                let words = filter.to_lowercase();
                let found = left.into_iter().filter(|item| item.fits(&words));
                found.map(Item::row).collect()
            }
        };
    }
}

impl Item {
    fn row(&self) -> Row {
        Row {
            label: self.label.clone(),
            number: Some(self.number),
            count: 1,
            refers: self.refers.clone(),
            path: self.steps.clone(),
        }
    }

    /// Returns whether the label contains all of these words, or the choice has this number.
    fn fits(&self, filter: &str) -> bool {
        let label = self.label.to_lowercase();
        let mut words = filter.split_whitespace();
        filter.parse() == Ok(self.number + 1) || words.all(|word| label.contains(word))
    }
}

/// Writes a value as programs do.
fn written(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// Lists choices; many are put together by the first step, from this one on, in which they differ.
fn rows(items: &[&Item], from: usize, names: &brief::Names) -> Vec<Row> {
    let plain = || items.iter().map(|item| item.row()).collect();
    if items.len() <= PLAIN_MAX {
        return plain();
    }
    let longest = items.iter().map(|item| item.steps.len()).max();
    let mut levels = from..longest.unwrap_or(0);
    let differs = |level: &usize| {
        let mut steps = items.iter().map(|item| item.steps.get(*level));
        let first = steps.next();
        steps.any(|step| Some(step) != first)
    };
    let Some(level) = levels.find(differs) else {
        return plain();
    };
    let mut groups: Vec<(Option<&String>, Vec<&Item>)> = Vec::new();
    for item in items {
        let step = item.steps.get(level);
        match groups.iter_mut().find(|(known, _)| *known == step) {
            Some((_, members)) => members.push(item),
            None => groups.push((step, vec![item])),
        }
    }
    if groups.len() == items.len() {
        return plain();
    }
    let shared = alike(items);
    let rows = |(step, members): &(Option<&String>, Vec<&Item>)| match (step, members.as_slice()) {
        (Some(step), members @ [first, _, ..]) => {
            let path = first.steps.get(..=level).unwrap_or_default();
            vec![group(members, step, path, &shared, names)]
        }
        (_, members) => members.iter().map(|item| item.row()).collect(),
    };
    groups.iter().flat_map(rows).collect()
}

/// Puts choices together that have this step. It is named by the words with which their labels begin, if these say more than
/// those of all choices, which are `shared`, and else by the value.
fn group(
    members: &[&Item],
    step: &str,
    path: &[String],
    shared: &[&str],
    names: &brief::Names,
) -> Row {
    let words = alike(members);
    let label = match words.len() > shared.len() {
        true => words.join(" "),
        false if shared.is_empty() => names.name(step),
        false => format!("{} … {}", shared.join(" "), names.name(step)),
    };
    Row {
        label: format!("{} …", label.trim_end_matches([',', ':', ' '])),
        number: None,
        count: members.len(),
        refers: vec![step.to_owned()],
        path: path.to_vec(),
    }
}

/// Returns the words with which all labels begin.
fn alike<'i>(items: &[&'i Item]) -> Vec<&'i str> {
    let mut labels = items
        .iter()
        .map(|item| item.label.split(' ').collect::<Vec<_>>());
    let Some(mut words) = labels.next() else {
        return Vec::new();
    };
    for other in labels {
        let same = words
            .iter()
            .zip(&other)
            .take_while(|(one, other)| one == other);
        let same = same.count();
        words.truncate(same);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(number: u64, label: &str, steps: &[&str]) -> Item {
        Item {
            number,
            label: label.to_owned(),
            steps: steps.iter().map(|step| (*step).to_owned()).collect(),
            refers: Vec::new(),
        }
    }

    /// Sixteen places for each of two tiles, and a move.
    fn menu() -> Menu {
        let lay = |number: u64| {
            let (tile, cell) = (number / 16, number % 16);
            let cell = format!("{cell},0");
            item(
                number,
                &format!("Lay tile {tile} at {cell}"),
                &["lay", &tile.to_string(), &cell],
            )
        };
        let items = (0..32).map(lay).chain([item(32, "Move away", &["walk"])]);
        let mut menu = Menu {
            items: items.collect(),
            ..Menu::default()
        };
        menu.arrange(&brief::Names::default());
        menu
    }

    fn labels(menu: &Menu) -> Vec<&str> {
        menu.rows().iter().map(|row| row.label.as_str()).collect()
    }

    #[test]
    fn many_choices_are_put_together_by_their_next_step() {
        let names = brief::Names::default();
        let mut menu = menu();
        assert_eq!(labels(&menu), ["Lay tile …", "Move away"]);
        assert_eq!(menu.enter(&names), None);
        assert_eq!(labels(&menu), ["Lay tile 0 at …", "Lay tile 1 at …"]);
        menu.step(1);
        assert_eq!(menu.enter(&names), None);
        assert_eq!(menu.rows().len(), 16);
        menu.step(2);
        assert_eq!(menu.enter(&names), Some(18));
        menu.step_back(&names);
        menu.step_back(&names);
        assert_eq!(labels(&menu), ["Lay tile …", "Move away"]);
    }

    #[test]
    fn a_filter_lists_choices_by_their_words_or_their_number() {
        let names = brief::Names::default();
        let mut menu = menu();
        for letter in "1 LAY 7,".chars() {
            menu.letter(letter, &names);
        }
        assert_eq!(labels(&menu), ["Lay tile 1 at 7,0"]);
        menu.step_back(&names);
        "33".chars().for_each(|letter| menu.letter(letter, &names));
        assert_eq!(menu.enter(&names), Some(32));
    }
}
