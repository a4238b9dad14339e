//! Warnings about indexes that count otherwise than what they index: `bonus[n]` for `n in 0..5`, and `stone[n]`, whose
//! keys begin at 0.

use std::collections::BTreeMap;

use super::alike::literal_number;
use crate::names::walk;
use wyrmgate_base::diagnostic::{Diagnostic, Report};
use wyrmgate_lang::ast::{Expr, ExprKind, Name, Part, Stmt, named_list};
use wyrmgate_lang::definition::Definition;

pub fn warn(definition: &Definition, report: &mut Report) {
    for query in definition.behaviors().flat_map(|of| &of.queries) {
        let exprs: Vec<&Expr> = query.body.all().collect();
        warn_in(definition, &exprs, Vec::new(), report);
    }
    for text in walk::texts(definition) {
        let (mut exprs, mut named) = (Vec::new(), Vec::new());
        walk::blocks(text, &mut |block| {
            exprs.extend(block.iter().flat_map(Stmt::exprs).flat_map(Expr::all));
            for parts in block.iter().map(|statement| statement.kind.parts()) {
                for pair in parts.windows(2) {
                    if let [Part::Bound(name) | Part::Chosen(name), Part::Value(of)] = pair {
                        named.push((*name, *of));
                    }
                }
            }
        });
        warn_in(definition, &exprs, named, report);
    }
}

/// Looks at the expressions of one text, and at the lists of its names.
fn warn_in<'d>(
    definition: &'d Definition,
    exprs: &[&'d Expr],
    mut named: Vec<(&'d Name, &'d Expr)>,
    report: &mut Report,
) {
    for expr in exprs {
        named.extend(named_list(expr));
        if let ExprKind::Quantified { name, of, .. } = &expr.kind {
            named.push((name, of));
        }
    }
    // Nothing is known of a name for several ranges; a comparison may keep an index within the list.
    let mut ranges = BTreeMap::new();
    for (name, of) in named {
        let range = range(definition, of);
        let known = ranges.entry(&*name.text).or_insert(range);
        *known = known.filter(|known| Some(*known) == range);
    }
    for expr in exprs {
        if let ExprKind::Binary(op, a, b) = &expr.kind
            && op.is_comparison()
        {
            let sides = [a, b].into_iter().filter_map(|side| side.as_name());
            for name in sides {
                ranges.remove(&*name.text);
            }
        }
    }
    let mut told = |expr: &Expr, code: &'static str, message: String, help: &str| {
        report.push(Diagnostic::warning(code, expr.span, message).help(help));
    };
    for expr in exprs {
        let ExprKind::Index(of, at) = &expr.kind else {
            continue;
        };
        let Some(name) = of.as_name() else { continue };
        if let Some((one, low)) = first_key(definition, &name.text)
            && low != 1
        {
            let message = format!(
                "`{name}[…]` counts from 1, and the keys of `{name}` from {low}",
                name = name.text
            );
            let help = format!("write `{one}(…)` for the one with this key");
            told(expr, "zone-in-brackets", message, &help);
        }
        if let Some(ExprKind::List(members)) = constant(definition, name).map(|list| &list.kind)
            && let Some(at) = at.as_name()
            && let Some(Some((low, high))) = ranges.get(&*at.text)
            && (*low < 1 || *high > members.len() as i64)
        {
            let (list, at, count) = (&name.text, &at.text, members.len());
            let message =
                format!("`{list}` has {count} members, and `{at}` goes from {low} to {high}");
            let help = "lists count from 1, and what is missing reads as 0: add members, or shift the index";
            told(expr, "before-first", message, help);
        }
    }
}

/// Returns the name of one of these zones or components, and its first key, if numbers are its only one.
fn first_key<'d>(definition: &'d Definition, list: &str) -> Option<(&'d str, i64)> {
    let zone = definition.zones.iter().find(|zone| zone.name.text == list);
    let zones = zone.into_iter().map(|zone| (&zone.name, &zone.each));
    let kinds = definition.all_kinds().filter(|kind| kind.copies.is_none());
    let kinds = kinds.filter(|kind| kind.plural_name().text == list);
    let (name, each) = zones
        .chain(kinds.map(|kind| (&kind.name, &kind.each)))
        .next()?;
    let [(_, keys)] = each.as_slice() else {
        return None;
    };
    Some((&name.text, range(definition, keys)?.0))
}

fn range(definition: &Definition, of: &Expr) -> Option<(i64, i64)> {
    if let ExprKind::Where(of, _) = &of.kind {
        return range(definition, of);
    }
    let ExprKind::Range(low, high) = &of.kind else {
        return None;
    };
    let number = |end: &Expr| {
        let constant = end.as_name().and_then(|name| constant(definition, name));
        literal_number(constant.unwrap_or(end))
    };
    Some((number(low)?, number(high)?))
}

fn constant<'d>(definition: &'d Definition, name: &Name) -> Option<&'d Expr> {
    let mut data = definition.values.data.iter();
    let constant = data.find(|data| data.name.text == name.text);
    constant.map(|data| &data.value)
}
