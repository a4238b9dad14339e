//! Records in views: the parts of a variable, each a variable of the program, are the members of one object.

use std::borrow::Cow;

use crate::doc::{Doc, Members};
use crate::view::docs::ViewDoc;
use wyrmgate_program::{PartOf, VarInfo, VarRole};

/// Returns how many lists or maps are around each record of a variable.
pub fn depth_of_records(var: &VarInfo) -> usize {
    let is_list = matches!(var.role, VarRole::Lengths { .. });
    usize::from(var.index.is_some()) + usize::from(is_list)
}

/// Returns variables by name, in which those that are parts of one variable are the members of its records.
pub fn joined<'p>(vars: impl Iterator<Item = (&'p VarInfo, Doc<'static>)>) -> Members<'static> {
    let mut all = Members::default();
    let mut bundles = Members::default();
    let mut records: Vec<(&PartOf, usize)> = Vec::new();
    for (var, doc) in vars {
        let Some(of) = &var.part else {
            all.insert(var.name.clone(), doc);
            continue;
        };
        if records
            .iter()
            .all(|(known, _)| known.variable != of.variable)
        {
            records.push((of, depth_of_records(var)));
        }
        let into = match &of.within {
            None => &mut all,
            Some(_) => &mut bundles,
        };
        let known = into.get(&of.variable).cloned();
        into.insert(
            of.variable.clone(),
            with_part(known, &of.part, doc, depth_of_records(var)),
        );
    }
    for (of, depth) in &records {
        if let (Some(whole), Some(own)) = (&of.within, bundles.get(&of.variable)) {
            let known = all.get(&whole.variable).cloned();
            let own = without_hidden(own.clone(), *depth);
            let with = with_part(known, &whole.part, own, *depth);
            all.insert(whole.variable.clone(), with);
        }
    }
    for (of, depth) in records {
        let of = of.within.as_deref().unwrap_or(of);
        let records = all.get(&of.variable).cloned().unwrap_or_default();
        all.insert(of.variable.clone(), without_hidden(records, depth));
    }
    all
}

/// Replaces a record of which every part is null by null: it is none, or hidden.
fn without_hidden(records: Doc<'static>, depth: usize) -> Doc<'static> {
    match records {
        Doc::Object(parts) if depth == 0 && parts.iter().all(|(_, part)| *part == Doc::Null) => {
            Doc::Null
        }
        Doc::List(records) if depth > 0 => {
            let records = records.into_iter();
            records
                .map(|records| without_hidden(records, depth - 1))
                .collect()
        }
        Doc::Object(records) if depth > 0 => {
            let records = records
                .iter()
                .map(|(key, records)| (key.to_owned(), without_hidden(records.clone(), depth - 1)));
            Doc::object(records)
        }
        known @ (Doc::Null
        | Doc::Bool(_)
        | Doc::Int(_)
        | Doc::Real(_)
        | Doc::Text(_)
        | Doc::List(_)
        | Doc::Object(_)) => known,
    }
}

/// Adds a part to the records of a variable; the same part of all of them comes at once.
fn with_part(
    records: Option<Doc<'static>>,
    name: &str,
    part: Doc<'static>,
    depth: usize,
) -> Doc<'static> {
    let records = records.unwrap_or_default();
    match (depth, part, records) {
        (0, part, records) => {
            let mut parts = records.as_object().cloned().unwrap_or_default();
            parts.insert(name.to_owned(), part);
            Doc::Object(parts)
        }
        (_, Doc::List(parts), records) => {
            let known = records
                .as_list()
                .unwrap_or_default()
                .to_vec()
                .into_iter()
                .map(Some)
                .chain(std::iter::repeat(None));
            let with = parts.into_iter().zip(known);
            with.map(|(part, known)| with_part(known, name, part, depth - 1))
                .collect()
        }
        (_, Doc::Object(parts), records) => {
            let with = parts.iter().map(|(key, part)| {
                let known = records.get(key).cloned();
                (
                    key.to_owned(),
                    with_part(known, name, part.clone(), depth - 1),
                )
            });
            Doc::object(with)
        }
        (_, hidden, _) => hidden,
    }
}

/// Returns what a view says about a variable of the program, which may be a part of one of the game.
pub fn seen_variable<'d>(view: &'d ViewDoc, var: &VarInfo) -> Option<Cow<'d, Doc<'static>>> {
    match &var.part {
        None => view.vars.get(&var.name).map(Cow::Borrowed),
        Some(of) => Some(Cow::Owned(seen_part(view, of, depth_of_records(var))?)),
    }
}

/// Returns what a view says about a part of records, or about a value of bundles in them.
fn seen_part(view: &ViewDoc, of: &PartOf, depth: usize) -> Option<Doc<'static>> {
    let records = seen_whole(view, of, depth)?;
    Some(part_at(&records, &of.part, depth))
}

/// Returns what a view says about the records or bundles that have a part.
pub fn seen_whole<'d>(
    view: &'d ViewDoc,
    of: &PartOf,
    depth: usize,
) -> Option<Cow<'d, Doc<'static>>> {
    match &of.within {
        None => view.vars.get(&of.variable).map(Cow::Borrowed),
        Some(whole) => Some(Cow::Owned(seen_part(view, whole, depth)?)),
    }
}

/// Returns a part of records, in the form of a variable of its own.
fn part_at<'d>(records: &Doc<'d>, part: &str, depth: usize) -> Doc<'d> {
    match (depth, records) {
        (0, record) => record[part].clone(),
        (_, Doc::List(records)) => records
            .iter()
            .map(|records| part_at(records, part, depth - 1))
            .collect(),
        (_, Doc::Object(records)) => Doc::object(
            records
                .iter()
                .map(|(key, records)| (key.to_owned(), part_at(records, part, depth - 1))),
        ),
        (_, hidden) => hidden.clone(),
    }
}
