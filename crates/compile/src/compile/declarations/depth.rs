//! How deep the values of queries nest, through the queries that they use.
//!
//! Translation, optimization and play go into a value as deep as it nests, so the depth has a limit. It is computed without
//! recursion, before anything is translated.

use hashbrown::{HashMap, HashSet};

use crate::compile::compiler::Compiler;
use crate::compile::compiler::queries::Progress;
use wyrmgate_lang::ast::{Expr, ExprKind, Name};
use wyrmgate_lang::limits::QUERY_DEPTH_MAX;

/// What a name stands for: the value of a query, or the values that several kinds have under this name.
#[derive(Default)]
struct Values<'q> {
    /// The depth without that of other queries.
    own: usize,
    /// The other queries, and how deep they are used.
    uses: HashMap<&'q str, usize>,
}

impl<'q> Values<'q> {
    /// Adds an expression, in which `is_query` tells which names are queries.
    fn add(&mut self, value: &'q Expr, is_query: impl Fn(&str) -> bool) {
        let mut next = vec![(value, 1)];
        while let Some((expr, level)) = next.pop() {
            self.own = self.own.max(level);
            let name = used(expr).map(|name| name.text.as_str());
            if let Some(name) = name.filter(|name| is_query(name)) {
                let known = self.uses.entry(name).or_default();
                *known = level.max(*known);
            }
            next.extend(expr.parts().into_iter().map(|part| (part, level + 1)));
        }
    }
}

/// Returns the name by which an expression may use a query.
fn used(expr: &Expr) -> Option<&Name> {
    if let ExprKind::Name(name)
    | ExprKind::Call(name, _)
    | ExprKind::Field(_, name, _)
    | ExprKind::ItField(name, _)
    | ExprKind::Is { what: name, .. } = &expr.kind
    {
        return Some(name);
    }
    None
}

/// The depth of a value, and the query in it that nests deepest.
type Depth<'q> = (usize, Option<&'q str>);

/// Returns the depth of each value, with that of the queries in it. A query that uses itself counts once.
fn depths<'q>(values: &HashMap<&'q str, Values<'q>>) -> HashMap<&'q str, Depth<'q>> {
    let mut depths: HashMap<&str, Depth<'_>> = HashMap::new();
    let mut open: Vec<&str> = values.keys().copied().collect();
    while let Some(name) = open.last().copied() {
        let Some(of) = values.get(name) else { break };
        depths.entry(name).or_insert((0, None));
        let before = open.len();
        let uses = of.uses.keys();
        open.extend(uses.filter(|used| !depths.contains_key(*used)));
        if open.len() > before {
            continue;
        }
        let inner = of.uses.iter().map(|(used, level)| {
            let inner = depths.get(used).map_or(0, |(depth, _)| *depth);
            (level + inner, Some(*used))
        });
        let depth = inner.chain([(of.own, None)]).max();
        depths.insert(name, depth.unwrap_or_default());
        open.pop();
    }
    depths
}

/// Returns the names from a query on, each followed by the one that nests deepest in it.
fn chain(depths: &HashMap<&str, Depth<'_>>, from: &str) -> String {
    let deepest = |name: &&str| depths.get(*name).and_then(|(_, deepest)| *deepest);
    let first = depths.get_key_value(from).map(|(name, _)| *name);
    let names = std::iter::successors(first, deepest).take(QUERY_DEPTH_MAX);
    let names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
    match names.as_slice() {
        [first, second, _, .., last] => format!("{first} uses {second}, and so on to {last}"),
        names => names.join(" uses "),
    }
}

/// A query whose value nests too deep: its place, and a report, unless one about a query that it uses says it all.
type TooDeep = (usize, Option<(Name, String)>);

impl Compiler<'_> {
    /// Reports queries whose values nest too deep, and leaves them out of the translation.
    pub(crate) fn limit_queries(&mut self) {
        for (at, told) in self.too_deep() {
            if let Some(query) = self.queries.all.get_mut(at) {
                query.progress = Progress::Failed;
            }
            if let Some((name, chain)) = told {
                let name_of = &name.text;
                let message = format!(
                    "the value of `{name_of}` nests more than {QUERY_DEPTH_MAX} levels deep"
                );
                let help = format!(
                    "levels of a query count wherever it is used ({chain}): use fewer queries in a row"
                );
                self.problem::<()>("query-depth", name.span, message, help);
            }
        }
    }

    fn too_deep(&self) -> Vec<TooDeep> {
        let names = self.queries.all.iter();
        let names: HashSet<&str> = names.map(|query| query.name.text.as_str()).collect();
        let mut values: HashMap<&str, Values<'_>> = HashMap::new();
        for query in &self.queries.all {
            let of = values.entry(&query.name.text).or_default();
            of.add(&query.body, |name| names.contains(name));
        }
        let depths = depths(&values);
        let is_deep = |name: &str| {
            let known = depths.get(name);
            known.is_some_and(|(depth, _)| *depth > QUERY_DEPTH_MAX)
        };
        let queries = self.queries.all.iter().enumerate();
        let deep = queries.filter(|(_, query)| is_deep(&query.name.text));
        deep.map(|(at, query)| {
            let name = &query.name;
            let mut uses = values
                .get(name.text.as_str())
                .into_iter()
                .flat_map(|of| of.uses.keys());
            let is_first = !uses.any(|used| is_deep(used));
            (
                at,
                is_first.then(|| (name.clone(), chain(&depths, &name.text))),
            )
        })
        .collect()
    }
}
