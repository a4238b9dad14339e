//! Queries: named expressions of the game, translated on first use, and those of kinds, selected by kind.

mod calls;

use hashbrown::HashMap;
use std::borrow::Cow;

use crate::compile::compiler::Compiler;
use crate::compile::compiler::queries::{Progress, QueryDecl};
use crate::compile::declarations::effect::assign;
use crate::compile::expressions::function::is_known_function;
use crate::compile::scope::{Binding, Scope};
use crate::compile::terms::value::Value;
use crate::names::reserved::is_reserved;
use crate::names::types::{Families, Ty};
use crate::names::walk::{mentions, repeated};
use crate::names::world::Symbol;
use wyrmgate_base::diagnostic::{Diagnostic, Span, meant_or};
use wyrmgate_lang::ast::{self, Name, Signature};
use wyrmgate_lang::definition::{Definition, OptionType, QueryDef};
use wyrmgate_program::*;

/// Queries up to this weight are inlined: cheaper than a call, and bounded, because the weight of a query includes what
/// was inlined into it.
const INLINE_WEIGHT_MAX: usize = 48;

/// Number of translated expressions that weigh as much as one that is in the program. Most have less; a query whose expressions
/// come to nothing would otherwise be translated again and again.
const EFFORT: usize = 8;

/// Members that exist in every game.
const EVERYWHERE: &[&str] = &["zone", "place", "holder", "owner", "cell", "rotation"];

/// Where values, fields and keys are declared, by name.
struct Taken<'d> {
    values: HashMap<&'d str, Span>,
    fields: HashMap<&'d str, Span>,
}

impl<'d> Taken<'d> {
    fn of(def: &'d Definition) -> Taken<'d> {
        let options = def.options.iter().filter_map(|option| match &option.of {
            OptionType::OneOf(values) => Some(values),
            OptionType::Bool | OptionType::Range { .. } => None,
        });
        let types = def.values.types.iter().map(|of| &of.values);
        let of_kinds = def.all_kinds().flat_map(|kind| {
            let inside = kind.holds.iter().map(|holds| &holds.field);
            let named = kind.each.iter().chain(&kind.fields);
            named.map(|(name, _)| name).chain(inside)
        });
        let parts = def.values.records.iter().flat_map(|record| &record.parts);
        let parts = parts.map(|(name, _)| name);
        let zones = def.zones.iter();
        let of_zones = zones.flat_map(|zone| zone.each.iter().chain(&zone.fields));
        Taken {
            values: places(types.chain(options).flatten()),
            fields: places(of_kinds.chain(of_zones.map(|(name, _)| name)).chain(parts)),
        }
    }
}

/// Returns the first location of each name.
fn places<'d>(names: impl Iterator<Item = &'d Name>) -> HashMap<&'d str, Span> {
    let mut places = HashMap::new();
    for name in names {
        places.entry(name.text.as_str()).or_insert(name.span);
    }
    places
}

impl<'d> Compiler<'d> {
    pub fn declare_queries(&mut self) {
        let taken = Taken::of(self.def);
        self.declare_modifiers();
        for def in &self.def.behavior.queries {
            let Some((name, params)) = self.query_signature(&def.signature, None) else {
                if let Signature::Call { name, .. } = &def.signature {
                    self.world.declare_failed(&name.text);
                }
                continue;
            };
            self.means_only_this(&name, &taken);
            let body = self.modified(&name, &params, &def.body);
            let index = self.add_query(name.clone(), params, body);
            self.declare_recursion(index, &def.signature);
            self.world.declare(&name, Symbol::Query(index), self.report);
            let id = self.queries.all.get(index).map_or(0, |q| q.id);
            // Tools and pictures ask only those with one parameter or none.
            let params = self.queries.params.get(index);
            if params.is_some_and(|params| params.len() < 2) {
                self.b.program.origins.query_names.insert(name.text, id);
            }
        }
        self.check_modifiers();
        self.declare_positions();
        for (kind, of) in self.world.behaviors(self.def) {
            if let Some(kind) = kind {
                self.declare_member_queries(kind, &of.queries);
            }
        }
    }

    pub(crate) fn add_query(
        &mut self,
        name: Name,
        params: Vec<(String, Ty)>,
        body: Cow<'d, ast::Expr>,
    ) -> usize {
        self.queries.params.push(params.clone());
        let params = self.by_parts(&params);
        let words = params
            .iter()
            .map(|(_, ty)| if ty.list { 2 } else { 1 })
            .sum();
        let id = self.new_query(&name, words);
        self.queries.all.push(QueryDecl {
            name,
            params,
            body,
            id,
            progress: Progress::NotYet,
            weight: 0,
            recursive: None,
        });
        self.queries.all.len() - 1
    }

    /// Reserves a query of the program, whose body follows.
    pub(crate) fn new_query(&mut self, name: &Name, words: Temp) -> QueryId {
        let id = self.b.program.queries.len() as QueryId;
        self.b.program.queries.push(QueryInfo {
            name: name.text.clone(),
            params: words,
            temps: words,
            body: QueryBody::Value(0),
            deepest: 0,
            number: id,
        });
        id
    }

    /// Notes the type and the depth of a query that may use itself.
    fn declare_recursion(&mut self, index: usize, signature: &Signature) {
        let Signature::Call {
            name, recursion, ..
        } = signature
        else {
            return;
        };
        let (result, deep) = match (&recursion.result, recursion.deep) {
            (None, None) => return,
            (Some(result), Some((deep, _))) => (Some(result), deep),
            (result, _) => {
                let body = self.queries.all.get(index).map(|query| query.body.clone());
                let uses_itself = body.is_none_or(|body| mentions(&body, &[&name.text]));
                let (message, help) = match result {
                    Some(result) if !uses_itself => (
                        "only a query that uses itself states the type of its result",
                        format!(
                            "leave out `{}`, since the type follows from the value",
                            result.text
                        ),
                    ),
                    _ => (
                        "a query that uses itself needs the type of its result and a limit",
                        format!(
                            "write `int {}(…) up to 12 deep`; other queries need neither",
                            name.text
                        ),
                    ),
                };
                self.problem::<()>("recursion", name.span, message, help);
                (result.as_ref(), 1)
            }
        };
        let ty = result.and_then(|result| self.type_of(result));
        let Some(query) = self.queries.all.get_mut(index) else {
            return;
        };
        query.recursive = ty;
        if let Some(info) = self.b.program.queries.get_mut(usize::from(query.id)) {
            info.deepest = deep;
        }
    }

    /// Reports a result type or a limit of recursion on a query that cannot be recursive.
    pub(crate) fn no_recursion(&mut self, signature: &Signature, what: &str) {
        let Signature::Call { recursion, .. } = signature else {
            return;
        };
        let of_result = recursion.result.as_ref().map(|result| result.span);
        let of_limit = recursion.deep.map(|(_, span)| span);
        if let Some(span) = of_result.or(of_limit) {
            let message = format!("{what} has no result type and no limit");
            let help = "only queries under `queries:` of the game can use themselves: `int best(cards h) up to 12 deep`";
            self.problem::<()>("recursion", span, message, help);
        }
    }

    fn query_signature(
        &mut self,
        signature: &Signature,
        me: Option<KindId>,
    ) -> Option<(Name, Vec<(String, Ty)>)> {
        let mut params: Vec<(String, Ty)> = me
            .iter()
            .map(|kind| ("me".to_string(), Ty::one(Type::Component(Some(*kind)))))
            .collect();
        match signature {
            Signature::Phrase(words) => match words.as_slice() {
                [name] => Some((name.clone(), params)),
                [first, .., last] => self.problem(
                    "query-phrase",
                    first.span.to(last.span),
                    "a query has a single name",
                    "write `name(type a, type b)`; phrases are for effects",
                ),
                [] => None,
            },
            Signature::Call {
                name, params: list, ..
            } => {
                for (name, first) in repeated(list.iter().map(|param| &param.name)) {
                    self.two_parameters(&name.text, name.span, first);
                }
                for param in list {
                    params.push((param.name.text.clone(), self.type_of(&param.of)?));
                }
                Some((name.clone(), params))
            }
        }
    }

    /// Reports a query that shares its name with a value, a field, or something in every game.
    fn means_only_this(&mut self, name: &Name, taken: &Taken<'_>) {
        let text = name.text.as_str();
        let value = taken.values.get(text).map(|span| (*span, "a value"));
        let field = taken.fields.get(text).map(|span| (*span, "a field or key"));
        let (message, first) = if let Some((span, what)) = value.or(field) {
            (format!("`{text}` is already {what}"), Some((span, what)))
        } else if is_reserved(text) {
            return; // told where it is declared
        } else if EVERYWHERE.contains(&text) {
            (format!("`{text}` is a reserved name"), None)
        } else if is_known_function(text) {
            // A name of the game wins, so that a new function breaks no game.
            let message = format!("`{text}` is a function of the language, which this query hides");
            let warning = Diagnostic::warning("hidden-name", name.span, message)
                .help("rename the query, unless every use in this game means it");
            self.report.push(warning);
            return;
        } else {
            return;
        };
        let mut problem = Diagnostic::error("duplicate-name", name.span, message)
            .help("rename the query, because this name would be ambiguous");
        if let Some((span, what)) = first {
            problem = problem.related(span, format!("here it is {what}"));
        }
        self.report.push(problem);
    }

    /// Returns the named type, or `None` after a diagnostic.
    pub fn type_of(&mut self, name: &Name) -> Option<Ty> {
        let found = self.world.type_named(&name.text);
        if found.is_none() {
            let meant = self.world.suggest_type(&name.text);
            let otherwise = "types are int, bool, seat, zone, component, and those of this game: enums, kinds, zones, and their plurals";
            let help = meant_or(meant, otherwise);
            let message = format!("`{}` is not a type", name.text);
            self.unknown::<()>("unknown-type", name, message, help);
        }
        found
    }

    fn declare_member_queries(&mut self, kind: KindId, queries: &'d [QueryDef]) {
        for def in queries {
            self.no_recursion(&def.signature, "a query of a kind");
            let Some((name, params)) = self.query_signature(&def.signature, Some(kind)) else {
                continue;
            };
            let known = self.queries.of_kinds.remove(&name.text);
            let mut member = self.member_decl(known, &name, kind, &params);
            let text = name.text.clone();
            let index = self.add_query(name, params, Cow::Borrowed(&def.body));
            let id = self.queries.all.get(index).map_or(0, |query| query.id);
            if let Some(info) = self
                .b
                .program
                .dispatches
                .get_mut(usize::from(member.dispatch))
            {
                assign(&mut info.queries, self.world, kind, id);
            }
            member.by_kind.push((kind, index));
            self.queries.of_kinds.insert(text, member);
        }
    }

    pub fn member_query(&self, name: &str) -> Option<String> {
        let known = self.queries.of_kinds.contains_key(name);
        known.then(|| name.to_string())
    }

    /// Translates all unused queries, so that their problems are reported too.
    pub fn finish_queries(&mut self) {
        for index in 0..self.queries.all.len() {
            if self.report.is_full() {
                return;
            }
            self.translate_query(index);
        }
    }

    /// Reports a query that uses itself without saying how deep it goes.
    fn uses_itself(&mut self, name: &Name) -> Option<Ty> {
        let message = format!(
            "`{}` uses itself, directly or through other queries",
            name.text
        );
        let help = format!(
            "state its type and how deep it goes at most, `int {}(…) up to 12 deep`, or use a loop or a list function",
            name.text
        );
        self.problem("circular-query", name.span, message, help)
    }

    /// Returns the type of a query's result; translates its body on first use.
    pub fn translate_query(&mut self, index: usize) -> Option<Ty> {
        let query = self.queries.all.get_mut(index)?;
        match query.progress {
            Progress::Done(ty) => return Some(ty),
            Progress::Failed => return None,
            Progress::Busy if query.recursive.is_some() => return query.recursive,
            Progress::Busy => {
                query.progress = Progress::Failed;
                let name = query.name.clone();
                return self.uses_itself(&name);
            }
            Progress::NotYet => query.progress = Progress::Busy,
        }
        let (body, id, params) = (query.body.clone(), query.id, query.params.clone());
        let outer = std::mem::take(&mut self.scope);
        self.scope = Scope::default();
        for (name, ty) in &params {
            let temp = self.scope.temp(*ty);
            self.scope.bind(name, Binding::Temp(temp, *ty));
        }
        let (before, what_ifs) = (self.b.size(), self.effects.supposed.len());
        let effort = self.b.effort;
        let value = self.expr(&body, None);
        // The arguments of a query with a what-if keep the values they had before it.
        let weight = match self.effects.supposed.len() == what_ifs {
            true => (self.b.size() - before).max((self.b.effort - effort) / EFFORT),
            false => usize::MAX,
        };
        let temps = self.scope.temps_max;
        self.scope = outer;
        let ty = value.map(Value::ty);
        let recursive = self.queries.all.get(index)?.recursive;
        if let (Some(found), Some(wanted)) = (ty, recursive)
            && (found.list != wanted.list || !self.world.fits(found.of, wanted.of))
        {
            self.mismatch::<()>(body.span, found, wanted);
        }
        let (ty, weight) = match recursive {
            Some(wanted) => (ty.map(|_| wanted), usize::MAX),
            None => (ty, weight),
        };
        if let (Some(value), Some(info)) = (value, self.b.program.queries.get_mut(id as usize)) {
            info.temps = temps;
            info.body = match value {
                Value::One(expr, _) => QueryBody::Value(expr),
                Value::List(set, _) => QueryBody::List(set),
                // The queries of its parts are called instead.
                Value::Record(_, first) => QueryBody::Value(first),
            };
        }
        if let Some(query) = self.queries.all.get_mut(index)
            && query.progress == Progress::Busy
        {
            query.weight = weight;
            query.progress = ty.map_or(Progress::Failed, Progress::Done);
        }
        ty
    }
}
