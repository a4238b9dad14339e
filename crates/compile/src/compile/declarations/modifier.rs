//! Modifiers: what changes the value of a query, in layers.
//!
//! A query with modifiers is translated as one expression: its own body, then the modifiers of each layer, first those
//! that set the value and then those that add to it. A modifier of a kind applies for each component, which is `me`.

use std::borrow::Cow;

use crate::compile::compiler::Compiler;
use crate::compile::compiler::queries::ModifierDecl;
use crate::compile::terms::pattern::Params;
use crate::compile::tree::Tree;
use crate::names::walk::mentions;
use wyrmgate_base::diagnostic::{Diagnostic, did_you_mean, meant_or};
use wyrmgate_lang::ast::{BinaryOp, Expr, Name, Param, Signature};
use wyrmgate_lang::definition::{ModifierDef, QueryDef};
use wyrmgate_lang::limits::MODIFIERS_MAX;
use wyrmgate_program::KindId;

/// The name of the value so far, in a modifier.
const VALUE: &str = "value";
/// The component of a kind that sets the value.
const SOURCE: &str = "the source";

impl<'d> Compiler<'d> {
    pub(crate) fn declare_modifiers(&mut self) {
        for (me, of) in self.world.behaviors(self.def) {
            let declared = of.modifiers.iter().map(|def| ModifierDecl {
                def,
                me,
                met: false,
            });
            self.queries.modifiers.extend(declared);
        }
    }

    /// Returns the body of a query with its modifiers.
    pub(crate) fn modified(
        &mut self,
        name: &Name,
        params: &Params,
        body: &'d Expr,
    ) -> Cow<'d, Expr> {
        let mut own: Vec<(&'d ModifierDef, Option<KindId>)> = Vec::new();
        for modifier in &mut self.queries.modifiers {
            let of = modifier.def.signature.first_word();
            if of.is_some_and(|of| of.text == name.text) {
                modifier.met = true;
                own.push((modifier.def, modifier.me));
            }
        }
        own.retain(|(def, _)| self.modifier_fits(def, name, params));
        if let Some((def, _)) = own.get(MODIFIERS_MAX) {
            let message = format!("`{}` has more than {MODIFIERS_MAX} modifiers", name.text);
            let help = "let one modifier add what several add, or ask a field of the component";
            self.problem::<()>("modifiers", def.span, message, help);
            own.truncate(MODIFIERS_MAX);
        }
        let layer =
            |(def, _): &(&ModifierDef, Option<KindId>)| def.layer.map_or(1, |(layer, _)| layer);
        own.sort_by_key(layer);
        let mut value = Cow::Borrowed(body);
        for layer in own.chunk_by(|one, other| layer(one) == layer(other)) {
            for (def, me) in layer {
                value = self.set_by(def, *me, params, value);
            }
            for (def, me) in layer {
                value = self.added_by(def, *me, params, value);
            }
        }
        value
    }

    /// Returns whether a modifier repeats the types of the query's parameters.
    fn modifier_fits(&mut self, def: &ModifierDef, name: &Name, params: &Params) -> bool {
        let mut own = Vec::new();
        for param in params_of(&def.signature) {
            own.extend(self.type_of(&param.of));
        }
        let fits = own.iter().eq(params.iter().map(|(_, ty)| ty));
        if !fits {
            let message = format!("the parameters of `{}` differ from these", name.text);
            let shown: Vec<String> = params
                .iter()
                .map(|(name, ty)| format!("{} {name}", self.world.type_word(*ty)))
                .collect();
            let help = match shown.is_empty() {
                true => format!("write `{}`", name.text),
                false => format!("write `{}({})`", name.text, shown.join(", ")),
            };
            self.problem::<()>("modifier", def.span, message, help);
        }
        fits
    }

    fn set_by(
        &self,
        def: &ModifierDef,
        me: Option<KindId>,
        params: &Params,
        value: Cow<'d, Expr>,
    ) -> Cow<'d, Expr> {
        let Some(set) = &def.set else { return value };
        let tree = Tree { span: set.span };
        let set = own_names(def, params, set.clone());
        let condition = own_condition(def, params);
        let changed = match me {
            None => match condition {
                Some(condition) => tree.either(condition, set, tree.name(VALUE)),
                None => set,
            },
            Some(kind) => {
                let all = tree.name(&self.world.kind(kind).plural);
                let last = tree.call("last", vec![tree.members("me", all, condition)]);
                let set = tree.named("me", tree.name(SOURCE), set);
                let is_some = tree.is(tree.name(SOURCE), "some");
                let set = tree.either(is_some, set, tree.name(VALUE));
                tree.named(SOURCE, last, set)
            }
        };
        Cow::Owned(tree.named(VALUE, value.into_owned(), changed))
    }

    fn added_by(
        &self,
        def: &ModifierDef,
        me: Option<KindId>,
        params: &Params,
        value: Cow<'d, Expr>,
    ) -> Cow<'d, Expr> {
        let Some(add) = &def.add else { return value };
        let tree = Tree { span: add.span };
        let add = own_names(def, params, add.clone());
        let condition = own_condition(def, params);
        let added = match (me, condition) {
            (None, Some(condition)) => tree.either(condition, add, tree.int(0)),
            (None, None) => add,
            (Some(kind), condition) => {
                let all = tree.name(&self.world.kind(kind).plural);
                tree.call("sum", vec![tree.members("me", all, condition), add])
            }
        };
        let uses_value = def.exprs().any(|expr| mentions(expr, &[VALUE]));
        if !uses_value {
            return Cow::Owned(tree.binary(BinaryOp::Add, value.into_owned(), added));
        }
        let sum = tree.binary(BinaryOp::Add, tree.name(VALUE), added);
        Cow::Owned(tree.named(VALUE, value.into_owned(), sum))
    }

    /// Reports modifiers of queries that do not exist.
    pub(crate) fn check_modifiers(&mut self) {
        let unmet: Vec<&ModifierDef> = self
            .queries
            .modifiers
            .iter()
            .filter(|modifier| !modifier.met)
            .map(|modifier| modifier.def)
            .collect();
        for def in unmet {
            let written = def.signature.first_word().map_or("", |name| &name.text);
            let known = self.def.behavior.queries.iter();
            let known = known.filter_map(|query| query.signature.first_word());
            let meant = did_you_mean(written, known.map(|name| name.text.as_str()));
            let otherwise = "declare the unmodified value under `queries:` of the game";
            let help = meant_or(meant, otherwise);
            let message = format!("the game has no query `{written}`");
            self.problem::<()>("modifier", def.span, message, help);
        }
    }
}

impl Compiler<'_> {
    /// Says of a modifier with another type than its query that this is the mistake.
    pub(crate) fn explain_modifiers(&mut self) {
        for of in &self.queries.modifiers {
            let Some(name) = of.def.signature.first_word() else {
                continue;
            };
            let is_own = |query: &&QueryDef| {
                let own = query.signature.first_word();
                own.is_some_and(|own| own.text == name.text)
            };
            let query = self.def.behavior.queries.iter().find(is_own);
            let body = query.map(|query| query.body.span);
            for (verb, value) in [("set", &of.def.set), ("add", &of.def.add)] {
                let Some(value) = value else { continue };
                let place = if verb == "set" {
                    Some(value.span)
                } else {
                    body
                };
                let is_of = |problem: &&mut Diagnostic| {
                    problem.code == "wrong-type" && Some(problem.span) == place
                };
                for problem in self.report.diagnostics.iter_mut().filter(is_of) {
                    let (_, own) = problem.message.split_once("found ").unwrap_or_default();
                    let message = format!(
                        "`{}` is {own}, and `{verb}` gives something else",
                        name.text
                    );
                    let help = "what a modifier gives has the type of the query that it changes";
                    *problem = Diagnostic::error("modifier", value.span, message).help(help);
                }
            }
        }
    }
}

fn params_of(signature: &Signature) -> &[Param] {
    match signature {
        Signature::Call { params, .. } => params,
        Signature::Phrase(_) => &[],
    }
}

/// Returns the condition of a modifier, in the names that it uses itself.
fn own_condition(def: &ModifierDef, params: &Params) -> Option<Expr> {
    let condition = def.condition.clone();
    condition.map(|condition| own_names(def, params, condition))
}

/// Gives the parameters of the query the names that the modifier uses: all of them new names first, because one of them
/// may be the name of another parameter.
fn own_names(def: &ModifierDef, params: &Params, expr: Expr) -> Expr {
    let tree = Tree { span: expr.span };
    let own = params_of(&def.signature)
        .iter()
        .map(|param| &param.name.text);
    let renamed: Vec<(&String, &String)> = own
        .zip(params.iter().map(|(name, _)| name))
        .filter(|(own, name)| own != name)
        .collect();
    let passed = |name: &str| format!("the {name}");
    let mut expr = expr;
    for (own, name) in &renamed {
        expr = tree.named(own, tree.name(&passed(name)), expr);
    }
    for (_, name) in &renamed {
        expr = tree.named(&passed(name), tree.name(name), expr);
    }
    expr
}
