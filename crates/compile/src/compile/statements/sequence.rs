//! `choose … as often as possible`: a decision that repeats itself, and offers only what is part of a best sequence.
//!
//! The body becomes an effect, so that what follows a choice can be supposed. Two queries that use themselves look ahead:
//! one says how much the best sequence is worth, the other whether some sequence is worth that much. The second one ends
//! at the first such sequence. A query between the decision and these two has no parameters of its own: without names of
//! the surroundings, it is evaluated once for all choices.

use std::borrow::Cow;

use crate::compile::compiler::Compiler;
use crate::compile::compiler::effects::{EffectDecl, Step};
use crate::compile::scope::Binding;
use crate::compile::terms::pattern::{Params, Part, Pattern};
use crate::compile::tree::{Tree, named};
use crate::names::types::Ty;
use crate::names::walk::statement_mentions;
use crate::names::world::Symbol;
use wyrmgate_lang::ast::{
    BinaryOp, Binder, BinderCount, Block, Choose, Expr, ExprKind, Sequence, SetOp, Stmt, StmtKind,
    UnaryOp,
};
use wyrmgate_program::Expr as Code;

/// Names that no rules can write: how much is still missing, and whether anything has been chosen.
const MISSING: &str = "still missing";
const CHOSEN: &str = "anything chosen";

/// Maximum depth of a query that looks ahead. What-ifs have a smaller limit.
const DEEPEST: u16 = 100;

/// The names of what one such decision adds to the game.
struct Names {
    step: String,
    best: String,
    reaches: String,
    wanted: String,
    /// The parameters of all of them: the names in scope.
    outer: Params,
}

impl Compiler<'_> {
    pub(crate) fn sequence(
        &mut self,
        choose: &Choose,
        sequence: &Sequence,
        statement: &Stmt,
    ) -> Option<()> {
        let body = self.sequence_fits(choose, sequence)?;
        let [option] = choose.options.as_slice() else {
            return None;
        };
        let outer = self.surroundings(statement)?;
        let number = self.queries.all.len();
        let names = Names {
            step: format!("step {number}"),
            best: format!("best sequence {number}"),
            reaches: format!("sequence {number}"),
            wanted: format!("wanted {number}"),
            outer,
        };
        let bound = self.types_of(&option.binders)?;
        self.add_step(&names, bound, body, statement);
        let ahead = Ahead {
            tree: Tree {
                span: sequence.span,
            },
            names: &names,
            binders: &option.binders,
            condition: option.condition.as_ref(),
            sequence,
        };
        self.add_look_ahead(&names.best, &names.outer, Ty::INT, ahead.best());
        let mut params = names.outer.clone();
        params.push((MISSING.to_owned(), Ty::INT));
        self.add_look_ahead(&names.reaches, &params, Ty::BOOL, ahead.reaches());
        self.add_look_ahead(&names.wanted, &names.outer, Ty::INT, ahead.wanted());
        let statements = ahead.statements(choose, statement);
        self.block(&statements);
        Some(())
    }

    /// Rejects what cannot repeat itself; returns the body.
    fn sequence_fits<'c>(&mut self, choose: &'c Choose, sequence: &Sequence) -> Option<&'c Block> {
        let plain = choose.options.iter().all(|option| {
            let mut counts = option.binders.iter().map(|binder| &binder.count);
            option.name.is_none() && counts.all(|count| *count == BinderCount::One)
        });
        let help = if choose.may {
            "remove `may`: a seat that may stop does not have to go on as long as possible"
        } else if choose.each.is_some() || choose.at_random || choose.always {
            "a decision of several seats, of chance or in any case is made once: write a loop around it"
        } else if !plain {
            "write `choose x in S, y in T as often as possible: …`, with one member for each name"
        } else if choose.body.is_none() {
            "write a `:` behind it, and what each choice does; what follows in the next lines happens once, after the last choice"
        } else {
            return choose.body.as_ref();
        };
        let message = "this decision cannot repeat itself";
        self.problem("sequence", sequence.span, message, help)
    }

    /// Returns the names of the surroundings that the decision mentions; `None` if one of them has a mistake.
    fn surroundings(&mut self, statement: &Stmt) -> Option<Params> {
        let mut found = Params::new();
        let bindings: Vec<(String, Binding)> = self
            .scope
            .bindings()
            .map(|(name, binding)| (name.to_owned(), binding))
            .collect();
        for (name, binding) in bindings {
            // Of a record, each part has a name.
            let (written, _) = name.split_once('.').unwrap_or((&name, ""));
            if !statement_mentions(statement, written) {
                continue;
            }
            if binding == Binding::Failed {
                return None;
            }
            let Some(ty) = binding.ty() else { continue };
            found.retain(|(known, _)| *known != name);
            found.push((name, ty));
        }
        Some(found)
    }

    /// Returns the names of a decision with their types.
    fn types_of(&mut self, binders: &[Binder]) -> Option<Params> {
        let mark = self.scope.mark();
        let mut bound = Params::new();
        for binder in binders {
            let name = &binder.name.text;
            let found = self.binder_list(without_conditions(&binder.of), name);
            let Some((_, of)) = found else {
                self.scope.reset(mark);
                return None;
            };
            let ty = Ty::one(of);
            let temp = self.scope.temp(ty);
            self.scope.bind(name, Binding::Temp(temp, ty));
            bound.push((name.clone(), ty));
        }
        self.scope.reset(mark);
        Some(bound)
    }

    /// Declares the effect of one choice; its body is translated later.
    fn add_step(&mut self, names: &Names, bound: Params, body: &Block, statement: &Stmt) {
        let mut params = names.outer.clone();
        params.retain(|(name, _)| bound.iter().all(|(other, _)| other != name));
        let outer = params.len();
        params.extend(bound);
        let span = statement.span;
        let mut parts = vec![Part::Word(names.step.clone())];
        parts.extend(
            params
                .iter()
                .map(|(name, ty)| Part::Param(name.clone(), *ty)),
        );
        let pattern = Pattern {
            parts,
            call_style: true,
            span,
            param_spans: vec![span; params.len()],
            records: Vec::new(),
        };
        let effect = self.add_effect("step", &params, span);
        self.effects.index.add(&pattern, self.effects.all.len());
        self.effects.all.push(EffectDecl {
            pattern,
            body: None,
            id: effect,
            me: None,
            result: None,
        });
        self.effects.steps.push(Step {
            effect,
            params,
            outer,
            body: body.clone(),
        });
    }

    fn add_look_ahead(&mut self, name: &str, params: &Params, result: Ty, body: Expr) {
        let name = Tree { span: body.span }.word(name);
        let index = self.add_query(name.clone(), params.clone(), Cow::Owned(body));
        if let Some(query) = self.queries.all.get_mut(index) {
            query.recursive = Some(result);
            if let Some(info) = self.b.program.queries.get_mut(usize::from(query.id)) {
                info.deepest = DEEPEST;
            }
        }
        self.world.declare(&name, Symbol::Query(index), self.report);
        self.world.mark_used(&name.text);
    }

    /// Translates the bodies of decisions that repeat themselves.
    pub(crate) fn translate_steps(&mut self) {
        while let Some(step) = self.effects.steps.pop() {
            self.effect_body(step.effect, &step.params, |c| {
                for (name, ty) in step.params.iter().take(step.outer) {
                    if let Some(Binding::Local(slot, _)) = c.scope.find(name)
                        && !ty.list
                    {
                        let value = c.b.expr(Code::Local(slot));
                        c.scope.bind(name, Binding::Alias(value, *ty));
                    }
                }
                c.block(&step.body);
            });
        }
    }
}

fn without_conditions(mut of: &Expr) -> &Expr {
    while let ExprKind::Where(inner, _) | ExprKind::Cited(inner, _) = &of.kind {
        of = inner;
    }
    of
}

/// Builds what looks ahead, and the loop.
struct Ahead<'a> {
    tree: Tree,
    names: &'a Names,
    binders: &'a [Binder],
    condition: Option<&'a Expr>,
    sequence: &'a Sequence,
}

impl Ahead<'_> {
    fn worth(&self) -> Expr {
        let worth = self.sequence.worth.clone();
        worth.unwrap_or_else(|| self.tree.int(1))
    }

    fn missing(&self) -> Expr {
        self.tree.name(MISSING)
    }

    /// Makes a call with the names of the surroundings before its own arguments.
    fn call(&self, name: &str, own: Vec<Expr>) -> Expr {
        let outer = self.names.outer.iter();
        let outer = outer.map(|(name, _)| self.tree.name(name));
        self.tree.call(name, outer.chain(own).collect())
    }

    fn step(&self) -> Expr {
        let is_bound = |name: &str| self.binders.iter().any(|b| b.name.text == name);
        let outer = self.names.outer.iter().map(|(name, _)| name.as_str());
        let outer = outer.filter(|name| !is_bound(name));
        let bound = self.binders.iter().map(|b| b.name.text.as_str());
        let args = outer.chain(bound).map(|name| self.tree.name(name));
        self.tree.call(&self.names.step, args.collect())
    }

    /// Returns whether a choice is worth what is missing, or something that follows it is.
    fn suffices(&self) -> Expr {
        let tree = self.tree;
        let at_once = tree.binary(BinaryOp::MoreOrEqual, self.worth(), self.missing());
        let rest = tree.binary(BinaryOp::Subtract, self.missing(), self.worth());
        let follows = self.call(&self.names.reaches, vec![rest]);
        let later = tree.call("after", vec![self.step(), follows]);
        tree.binary(BinaryOp::Or, at_once, later)
    }

    /// Asks a function about all choices.
    fn of_all(&self, function: &str, value: Expr) -> Expr {
        let mut condition = self.condition;
        let binders = self.binders.iter().rev();
        binders.fold(value, |value, binder| {
            let name = self.tree.of(ExprKind::Name(binder.name.clone()));
            let mut list = named(&name, &binder.of);
            if let Some(condition) = condition.take() {
                let filter = (Box::new(list), Box::new(condition.clone()));
                list = self.tree.of(ExprKind::Where(filter.0, filter.1));
            }
            self.tree.call(function, vec![list, value])
        })
    }

    fn reaches(&self) -> Expr {
        self.of_all("any", self.suffices())
    }

    fn best(&self) -> Expr {
        let follows = self.call(&self.names.best, Vec::new());
        let later = self.tree.call("after", vec![self.step(), follows]);
        let all = self.tree.binary(BinaryOp::Add, self.worth(), later);
        self.of_all("max", all)
    }

    /// Returns the worth of the best sequence. `up to` says when the search can stop.
    fn wanted(&self) -> Expr {
        let tree = self.tree;
        let best = self.call(&self.names.best, Vec::new());
        let Some(most) = &self.sequence.most else {
            return best;
        };
        let reached = self.call(&self.names.reaches, vec![self.missing()]);
        let known = tree.either(reached, self.missing(), best);
        tree.named(MISSING, most.clone(), known)
    }

    fn statements(&self, choose: &Choose, statement: &Stmt) -> Block {
        let tree = self.tree;
        let decision = Stmt {
            kind: StmtKind::Choose(Box::new(self.decision(choose))),
            ..statement.clone()
        };
        let repeated = tree.statement(StmtKind::Repeat {
            times: None,
            body: vec![decision],
        });
        or_otherwise(tree, repeated, choose.otherwise.as_ref())
    }

    /// Returns the decision itself, once.
    fn decision(&self, choose: &Choose) -> Choose {
        let tree = self.tree;
        let mut once = choose.clone();
        once.sequence = None;
        for option in &mut once.options {
            let any = tree.binary(BinaryOp::More, self.missing(), tree.int(0));
            let is_best = tree.binary(BinaryOp::And, any, self.suffices());
            let wanted = self.call(&self.names.wanted, Vec::new());
            let is_best = tree.named(MISSING, wanted, is_best);
            option.condition = Some(match option.condition.take() {
                Some(condition) => tree.binary(BinaryOp::And, condition, is_best),
                None => is_best,
            });
        }
        let step = StmtKind::Phrase {
            terms: vec![self.step()],
        };
        let mut body = vec![tree.statement(step)];
        if choose.otherwise.is_some() {
            body.push(note_choice(tree));
        }
        once.body = Some(body);
        once.otherwise = Some(vec![tree.statement(StmtKind::Stop)]);
        once
    }
}

/// Notes that something has been chosen, for [`or_otherwise`].
pub(super) fn note_choice(tree: Tree) -> Stmt {
    tree.statement(StmtKind::Set {
        target: tree.name(CHOSEN),
        op: SetOp::Set,
        value: tree.of(ExprKind::Bool(true)),
    })
}

/// Returns a decision that repeats itself, followed by what happens if nothing has been chosen.
pub(super) fn or_otherwise(tree: Tree, repeated: Stmt, otherwise: Option<&Block>) -> Block {
    let Some(otherwise) = otherwise else {
        return vec![repeated];
    };
    let nothing = tree.of(ExprKind::Unary(UnaryOp::Not, Box::new(tree.name(CHOSEN))));
    let before = tree.statement(StmtKind::Let {
        name: tree.word(CHOSEN),
        value: tree.of(ExprKind::Bool(false)),
    });
    let if_nothing = tree.statement(StmtKind::If {
        arms: vec![(nothing, otherwise.clone())],
        otherwise: None,
    });
    vec![before, repeated, if_nothing]
}
