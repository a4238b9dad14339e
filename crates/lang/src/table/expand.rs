//! What a table stands for: a type whose values are its rows, a constant for each column, and the kinds of the families
//! that are made `from` it.

use std::borrow::Cow;

use super::form::is_table;
use super::{CODE, TEXTS};
use crate::yaml::{Node, NodeKind, Scalar};
use wyrmgate_base::diagnostic::{Diagnostic, Report, did_you_mean};

/// A table of a game, with the rows that overlays have left.
pub(crate) struct DataTable {
    pub name: Scalar,
    /// The number of other values in `data` before it.
    pub place: usize,
    /// The column with the keys, if it has a name.
    pub keys: Option<Scalar>,
    /// The other columns that are values, not texts for people.
    pub columns: Vec<Scalar>,
    /// The rows with their keys.
    pub rows: Vec<(Scalar, Node)>,
    /// The families whose kinds are the rows.
    pub families: Vec<String>,
}

impl DataTable {
    /// Returns the name of the constant with a column. No rules can write it.
    pub fn constant(&self, column: &Scalar) -> Scalar {
        let name = format!("{}.{}", self.name.text, column.text);
        Scalar::named(&name, column.span)
    }
}

/// Returns the tree of a game without tables, but with the types and kinds for which they stand, and the tables.
///
/// If not all of them could be read, the missing ones are not reported.
pub(crate) fn expand<'t>(
    tree: &'t Node,
    are_all_read: bool,
    report: &mut Report,
) -> (Cow<'t, Node>, Vec<DataTable>) {
    let families = tree.get("components").into_iter().flat_map(Node::entries);
    let is_from_table = families
        .into_iter()
        .any(|(_, family)| family.get("from").is_some());
    let has_tables = tree
        .get("data")
        .is_some_and(|data| data.entries().any(|(_, value)| is_table(value)));
    if !is_from_table && !has_tables {
        return (Cow::Borrowed(tree), Vec::new());
    }
    let mut tree = tree.clone();
    let mut tables = Vec::new();
    if let Some(NodeKind::Map(data)) = tree.get_mut("data").map(|data| &mut data.kind) {
        let mut place = 0;
        let entries = std::mem::take(data).into_iter();
        let others = entries.filter_map(|(name, value)| match is_table(&value) {
            true => {
                tables.extend(read(name, value, place, report));
                None
            }
            false => {
                place += 1;
                Some((name, value))
            }
        });
        *data = others.collect();
    }
    for table in &tables {
        add_type(&mut tree, table);
    }
    if let Some(NodeKind::Map(families)) = tree.get_mut("components").map(|node| &mut node.kind) {
        for (name, family) in families.iter_mut() {
            if let Err(unknown) = make_kinds(name, family, &mut tables)
                && are_all_read
            {
                report.push(unknown);
            }
        }
    }
    (Cow::Owned(tree), tables)
}

/// Returns a table in which every row has the same columns.
fn read(name: Scalar, value: Node, place: usize, report: &mut Report) -> Option<DataTable> {
    let NodeKind::Map(rows) = value.kind else {
        return None;
    };
    let rows: Vec<(Scalar, Node)> = rows.into_iter().collect();
    let (first_key, first) = rows.first()?;
    let columns: Vec<Scalar> = first.entries().map(|(column, _)| column.clone()).collect();
    let is_key = |column: &Scalar, (key, row): &(Scalar, Node)| {
        let cell = row.get(&column.text);
        cell.is_none_or(|cell| cell.text() == Some(&*key.text))
    };
    let is_text = |column: &Scalar| TEXTS.contains(&&*column.text);
    let keys = columns.iter().find(|column| !is_text(column)).cloned();
    let keys = keys.filter(|column| rows.iter().all(|row| is_key(column, row)));
    let columns = columns
        .into_iter()
        .filter(|column| Some(column) != keys.as_ref());
    let table = DataTable {
        place,
        columns: columns.filter(|column| !is_text(column)).collect(),
        keys,
        families: Vec::new(),
        name,
        rows: Vec::new(),
    };
    let known = || first.keys();
    for (key, row) in &rows {
        for column in &table.columns {
            let cell = row.get(&column.text);
            if cell.is_none_or(Node::is_missing) {
                let message = format!("the row `{}` has no `{}`", key.text, column.text);
                let help = "every row has a value in every column: write it here, such as `0`, `none` or `false`";
                let span = cell.map_or(key.span, |cell| cell.span);
                let gap = Diagnostic::error(CODE, span, message).help(help);
                report.push(gap.related(column.span, "the column"));
            }
        }
        for (column, _) in row
            .entries()
            .filter(|(column, _)| first.get(&column.text).is_none())
        {
            let message = format!(
                "the first row, `{}`, has no `{}`",
                first_key.text, column.text
            );
            let listed = known().collect::<Vec<_>>().join("`, `");
            let columns = format!("the columns are `{listed}`");
            let help = match did_you_mean(&column.text, known()) {
                Some(near) => format!("did you mean `{near}`? {columns}"),
                None => columns,
            };
            report.error(CODE, column.span, message, help);
        }
    }
    Some(DataTable { rows, ..table })
}

fn add_type(tree: &mut Node, table: &DataTable) {
    let value = |(key, row): &(Scalar, Node)| {
        let mut value = Node::empty_map(key.span);
        put_text(&mut value, row, "title");
        (key.clone(), value)
    };
    let values = table.rows.iter().map(value).collect();
    let values = Node::new(NodeKind::Map(values), table.name.span);
    if tree.get("types").is_none() {
        let span = table.name.span;
        tree.put(Scalar::named("types", span), Node::empty_map(span));
    }
    if let Some(types) = tree.get_mut("types") {
        types.push(table.name.clone(), values);
    }
}

/// Gives a kind or a value the text of its row, unless it has one.
fn put_text(of: &mut Node, row: &Node, column: &str) {
    let entry = row.entry(column).filter(|(_, text)| !text.is_missing());
    if let Some((key, text)) = entry.filter(|_| of.get(column).is_none()) {
        of.put(key.clone(), text.clone());
    }
}

/// Puts a kind for each row before the kinds that a family has besides.
fn make_kinds(
    name: &Scalar,
    family: &mut Node,
    tables: &mut [DataTable],
) -> Result<(), Diagnostic> {
    let Some(from) = family.take("from") else {
        return Ok(());
    };
    let wanted = from.text().unwrap_or_default();
    let known: Vec<String> = tables.iter().map(|t| t.name.text.to_string()).collect();
    let Some(table) = tables.iter_mut().find(|table| *table.name.text == *wanted) else {
        let message = format!("there is no table `{wanted}` in `data`");
        let help = match did_you_mean(wanted, known.iter().map(String::as_str)) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "name one: `from: spells` for `spells: {table: spells.csv}`".to_owned(),
        };
        return Err(Diagnostic::error(CODE, from.span, message).help(help));
    };
    table.families.push(name.text.to_string());
    let mut own = family
        .take("kinds")
        .unwrap_or_else(|| Node::empty_map(from.span));
    let mut kinds = Node::empty_map(from.span);
    for (key, row) in &table.rows {
        let written = own.take(&key.text).filter(|kind| !kind.is_missing());
        let mut kind = written.unwrap_or_else(|| Node::empty_map(key.span));
        for column in TEXTS {
            put_text(&mut kind, row, column);
        }
        kinds.push(key.clone(), kind);
    }
    own.sweep();
    if let NodeKind::Map(others) = own.kind {
        others
            .into_iter()
            .for_each(|(key, kind)| kinds.push(key, kind));
    }
    family.put(Scalar::named("kinds", from.span), kinds);
    Ok(())
}
