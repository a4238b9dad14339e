//! Finds the clauses that were carried out: those cited by something that ran, was offered or taken, or was evaluated.

use std::collections::{BTreeMap, BTreeSet};

use super::reached::ReachedParts;
use wyrmgate_base::diagnostic::Span;
use wyrmgate_compile::check::citations::{
    CitedBy, citations, component_exprs, components, declared, place_of,
};
use wyrmgate_compile::names::walk::{blocks, texts};
use wyrmgate_lang::ast::{Expr, ExprKind, Name, Signature, Stmt};
use wyrmgate_lang::definition::{Definition, QueryDef};

/// Returns every cited clause and whether it was carried out.
pub fn carried_out(definition: &Definition, reached: &ReachedParts) -> BTreeMap<String, bool> {
    let kinds = components(definition);
    let queries = queries_asked(definition, reached);
    let mut all = BTreeMap::new();
    for citation in citations(definition) {
        let ran = match citation.by {
            CitedBy::Game => reached.games > 0,
            CitedBy::Kind(number) => kinds.get(number).is_some_and(|kind| {
                let known = reached.components.get(&kind.name.text);
                known.is_none_or(|all| all.values().any(|used| used.games > 0))
            }),
            CitedBy::Code { at, around } => has_run(reached, at, around),
            CitedBy::Option(span) => reached.options.get(&span).is_some_and(|o| o.chosen > 0),
            CitedBy::Offer(span) => {
                let option = reached.options.get(&span);
                option.is_some_and(|option| option.offered > 0 || option.chosen > 0)
            }
            CitedBy::Query(span) => queries.contains(&span),
        };
        *all.entry(citation.clause.text.clone()).or_default() |= ran;
    }
    all
}

/// Returns whether something ran. Something without code of its own ran if its surroundings ran, or else if the game
/// was played.
fn has_run(reached: &ReachedParts, at: Span, around: Option<Span>) -> bool {
    let games = |at: &Span| reached.statements.get(at).copied();
    let games = games(&at).or_else(|| games(&around?));
    games.is_none_or(|games| games > 0)
}

/// Returns the places of queries that are mentioned by something that ran or that were evaluated themselves.
fn queries_asked(definition: &Definition, reached: &ReachedParts) -> BTreeSet<Span> {
    let mut names = BTreeSet::new();
    let kinds = components(definition);
    let of_kinds = kinds.iter().flat_map(|kind| component_exprs(kind));
    for expr in declared(definition).into_iter().chain(of_kinds) {
        spoken_of(expr, &mut names);
    }
    for text in texts(definition) {
        blocks(text, &mut |block| {
            let ran = block.iter().filter(|s| has_run(reached, place_of(s), None));
            ran.flat_map(Stmt::exprs)
                .for_each(|expr| spoken_of(expr, &mut names));
        });
    }
    let handlers = kinds.iter().flat_map(|kind| &kind.behavior.handlers);
    for handler in handlers.chain(&definition.behavior.handlers) {
        let conditions = handler.exprs();
        conditions.for_each(|condition| spoken_of(condition, &mut names));
    }
    let modifiers = kinds.iter().flat_map(|kind| &kind.behavior.modifiers);
    let modifiers: Vec<_> = modifiers.chain(&definition.behavior.modifiers).collect();
    for expr in modifiers.iter().flat_map(|modifier| modifier.exprs()) {
        spoken_of(expr, &mut names);
    }
    let of_kinds = kinds.iter().flat_map(|kind| &kind.behavior.queries);
    let mut left: Vec<&QueryDef> = definition.behavior.queries.iter().chain(of_kinds).collect();
    let mut asked = BTreeSet::new();
    loop {
        let (now, later) = left
            .into_iter()
            .partition(|query| words(&query.signature).any(|word| names.contains(&*word.text)));
        left = later;
        let now: Vec<&QueryDef> = now;
        if now.is_empty() {
            let is_asked = |signature| words(signature).any(|word| names.contains(&*word.text));
            let of_asked = modifiers.iter().filter(|of| is_asked(&of.signature));
            asked.extend(of_asked.map(|modifier| modifier.span));
            return asked;
        }
        for query in now {
            asked.insert(query.span);
            spoken_of(&query.body, &mut names);
        }
    }
}

/// Returns the words by which a query can be called.
fn words(signature: &Signature) -> impl Iterator<Item = &Name> {
    match signature {
        Signature::Call { name, .. } => std::slice::from_ref(name).iter(),
        Signature::Phrase(names) => names.iter(),
    }
}

/// Collects every name in an expression that may belong to a query.
fn spoken_of<'e>(expr: &'e Expr, names: &mut BTreeSet<&'e str>) {
    match &expr.kind {
        ExprKind::Name(name)
        | ExprKind::Call(name, _)
        | ExprKind::ItField(name, _)
        | ExprKind::Field(_, name, _)
        | ExprKind::Is { what: name, .. } => {
            names.insert(&name.text);
        }
        _ => {}
    }
    for part in expr.parts() {
        spoken_of(part, names);
    }
}
