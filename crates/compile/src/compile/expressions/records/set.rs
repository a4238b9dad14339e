//! Assignments to records and their parts.
//!
//! `bid = claim(active, red, 4)` becomes an assignment to each part, with the values that all of them have before the
//! first one changes.

use super::names::part_name;
use crate::compile::compiler::{Attempt, Compiler};
use crate::compile::expressions::bundles::BundleType;
use crate::compile::scope::Binding;
use crate::compile::terms::place::Change;
use crate::compile::terms::value::{Value, ValueAt};
use crate::compile::tree::Tree;
use crate::names::declaration::{Columns, WordRun};
use crate::names::types::{Families, Ty};
use crate::names::world::Symbol;
use wyrmgate_base::diagnostic::{Span, did_you_mean, meant_or};
use wyrmgate_lang::ast::{self, ExprKind, Name, SetOp};
use wyrmgate_program::*;

/// The operation of an assignment.
#[derive(Clone, Copy)]
struct Target {
    record: u16,
    is_list: bool,
}

impl Compiler<'_> {
    /// `bid = …`, `bids += …`, `bid.amount = …`; `None`: the target is no record and no part of one.
    pub(crate) fn set_in_record(&mut self, target: &ast::Expr, change: Change<'_>) -> Attempt<()> {
        let target = &self.with_bundles_named(target);
        if let Some(done) = self.set_amount(target, change) {
            return Some(done);
        }
        let root = if let ExprKind::Field(of, _, None) = &target.kind {
            of
        } else {
            target
        };
        if let Some(named) = self.records_named(root)
            && !named.has_its_keys()
        {
            self.records_of(&named, root.span); // which reports it
            return Some(None);
        }
        if let ExprKind::Field(of, part, None) = &target.kind
            && let Some(Target {
                record,
                is_list: false,
            }) = self.target(of)
        {
            let known = self.record_decl(record).written_parts();
            if known.iter().all(|known| known.name != part.text) {
                return Some(self.no_such_part(record, part));
            }
            let path = path_of(of, &part.text)?;
            return Some(self.set_statement(&path, change));
        }
        let place = self.target(target)?;
        let mark = self.scope.mark();
        let done = match place.is_list {
            true => self.set_records(target, place.record, change),
            false => self.set_record(target, place.record, change),
        };
        self.scope.reset(mark);
        Some(done)
    }

    /// Returns a target in which the bundles of records are variables or names of their own: `bid.price` in
    /// `bid.price.red`.
    fn with_bundles_named(&mut self, target: &ast::Expr) -> ast::Expr {
        let mut named = target.clone();
        if self.world.records.iter().all(|of| of.bundles.is_empty()) {
            return named;
        }
        if let ExprKind::Index(of, _) | ExprKind::Field(of, _, None) = &mut named.kind {
            **of = self.with_bundles_named(of);
        }
        if let ExprKind::Field(of, part, None) = &named.kind
            && let Some(found) = self.target(of).filter(|found| !found.is_list)
            && let bundles = self.record_decl(found.record).bundles
            && bundles.iter().any(|(name, _)| *name == part.text)
            && let Some(path) = path_of(of, &part.text)
        {
            return path;
        }
        named
    }

    /// Reports a part that a record does not have.
    pub(crate) fn no_such_part<T>(&mut self, record: u16, part: &Name) -> Option<T> {
        let decl = self.record_decl(record);
        let names = decl.names_of_parts();
        let meant = did_you_mean(&part.text, names.split(", "));
        let help = meant_or(meant, format!("it has {names}"));
        let what = self.world.name_of(Ty::one(Type::Record(record)));
        let message = format!("{what} has no `{}`", part.text);
        self.unknown("unknown-field", part, message, help)
    }

    /// Returns which record, or list of records, an assignment would change.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "nothing else can be assigned"
    )]
    fn target(&mut self, target: &ast::Expr) -> Option<Target> {
        if let Some(named) = self.records_named(target) {
            let record = self.record_type(Some(Type::Record(named.table)))?;
            let (wanted, is_list) = (named.keys_wanted(), named.var.list.is_some());
            let is_member = named.keys.len() > wanted;
            return Some(Target {
                record,
                is_list: is_list && !is_member,
            });
        }
        match &target.kind {
            ExprKind::Name(name) => match self.scope.find(&name.text) {
                Some(Binding::Parts) => {
                    let parts = self.scope.parts(&name.text);
                    let (record, is_list) = self.type_of_parts(&parts)?;
                    Some(Target { record, is_list })
                }
                _ => None,
            },
            ExprKind::Field(of, name, None) => {
                let Some(Symbol::Records(table)) = self.world.declared(&name.text) else {
                    return None;
                };
                let Value::One(key, Some(of)) = self.expr(of, None)? else {
                    return None;
                };
                self.records_at(table, key, of)?;
                let (record, (_, var)) = (
                    self.record_type(Some(Type::Record(table)))?,
                    self.first_part(table)?,
                );
                Some(Target {
                    record,
                    is_list: var.list.is_some(),
                })
            }
            _ => None,
        }
    }

    fn set_record(&mut self, target: &ast::Expr, record: u16, change: Change<'_>) -> Option<()> {
        let Change { op, value, span } = change;
        let decl = self.record_decl(record);
        if decl.bundle_of.is_some() {
            let target = self.with_kept_keys(target)?;
            let found = self.changed_bundle(&target, record, change)?;
            return self.set_whole(&target, record, found.at(value.span), span);
        }
        if op != SetOp::Set {
            let what = self.world.name_of(Ty::one(Type::Record(record)));
            let number = decl.parts.iter().find(|(_, of)| *of == Type::Int);
            let help = match number {
                Some((part, _)) => format!("change the part that is a number: `….{part} += …`"),
                None => "use `=` to assign another value".to_owned(),
            };
            return self.problem("not-a-number", span, format!("cannot add to {what}"), help);
        }
        let found = self.expr(value, Some(Type::Record(record)))?;
        let found = self.kept_record(found);
        let target = self.with_kept_keys(target)?;
        self.set_whole(&target, record, found.at(value.span), span)
    }

    fn set_whole(
        &mut self,
        target: &ast::Expr,
        record: u16,
        value: ValueAt,
        span: Span,
    ) -> Option<()> {
        let found = self.kept_record(value.value);
        let parts = self.parts_of(found, record, value.span)?;
        let parts = self.kept_parts(target, parts, record);
        self.set_parts(target, record, SetOp::Set, &parts, span)
    }

    /// Assigns to one part of what a target names.
    pub(crate) fn set_named_part(
        &mut self,
        of: &ast::Expr,
        part: &Name,
        value: &ast::Expr,
    ) -> Option<()> {
        let path = path_of(of, &part.text)?;
        let (op, span) = (SetOp::Set, part.span);
        self.set_statement(&path, Change { op, value, span })
    }

    /// Returns the type of the bundle that an assignment would change.
    pub(crate) fn bundle_target(&mut self, target: &ast::Expr) -> Option<BundleType> {
        let found = self.target(target).filter(|found| !found.is_list)?;
        self.bundle_type(Ty::one(Type::Record(found.record)))
    }

    /// Assigns to each part. Its value has a name that no author can write.
    fn set_parts(
        &mut self,
        target: &ast::Expr,
        record: u16,
        op: SetOp,
        values: &[Binding],
        span: Span,
    ) -> Option<()> {
        let decl = self.record_decl(record);
        for ((part, _), binding) in decl.parts.iter().zip(values) {
            let name = format!("the new {part}");
            self.scope.bind(&name, *binding);
            let value = Tree { span }.name(&name);
            let path = path_of(target, part)?;
            let change = Change {
                op,
                value: &value,
                span,
            };
            self.set_statement(&path, change)?;
        }
        Some(())
    }

    /// Copies the values of parts that could change while the parts before them are assigned.
    fn kept_parts(&mut self, target: &ast::Expr, parts: Vec<ExprId>, record: u16) -> Vec<Binding> {
        let decl = self.record_decl(record);
        let own = self.words_of_target(target);
        let mut kept = Vec::new();
        for (number, (part, (_, of))) in parts.into_iter().zip(&decl.parts).enumerate() {
            let stays = match (self.b.get(part), &own) {
                _ if number == 0 => true,
                (Expr::Const(_), _) | (Expr::Local(_), Some(_)) => true,
                (Expr::Word(word), Some(own)) => !own.contains(&word),
                _ => false,
            };
            let part = if stays {
                part
            } else {
                self.kept_value(part, *of)
            };
            kept.push(Binding::Alias(part, Ty::one(*of)));
        }
        kept
    }

    /// Returns the first words of the variables of a target; `None` if it is a name of the effect.
    fn words_of_target(&self, target: &ast::Expr) -> Option<Vec<u32>> {
        let named = self.records_named(target)?;
        let table = self.world.tables.get(usize::from(named.table))?;
        let Columns::Words {
            variables, offsets, ..
        } = &table.columns
        else {
            return None;
        };
        // The lengths of lists are words, too.
        let lengths = variables.iter().filter_map(|id| self.world.var(*id));
        let lengths = lengths.map(|var| var.offset);
        Some(offsets.iter().copied().chain(lengths).collect())
    }

    /// `last(bids).amount += 1`: a part of a record that was found in a variable.
    pub(crate) fn set_part(
        &mut self,
        index: ExprId,
        of: Option<Type>,
        part: &Name,
        change: Change<'_>,
    ) -> Attempt<()> {
        let record = self.record_type(of)?;
        let decl = self.record_decl(record);
        let Some(number) = decl.parts.iter().position(|(name, _)| *name == part.text) else {
            let is_bundle = decl.bundles.iter().any(|(name, _)| *name == part.text);
            return Some(match is_bundle {
                true => self.cannot_set(part.span),
                false => self.no_such_part(record, part),
            });
        };
        let Some(Type::Record(table)) = of else {
            return None;
        };
        let columns = self.world.tables.get(usize::from(table))?.columns.clone();
        let Columns::Words {
            offsets, low, len, ..
        } = columns
        else {
            return Some(self.cannot_set(part.span));
        };
        let old = self.part(Value::One(index, of), number);
        let (_, of_part) = *decl.parts.get(number)?;
        let value = self.new_value(old, Some(of_part), change)?;
        let offset = *offsets.get(number)?;
        self.b
            .emit(WordRun::new(offset, low, len).set(index, value, false));
        Some(Some(()))
    }

    // ---- lists

    fn set_records(&mut self, target: &ast::Expr, record: u16, change: Change<'_>) -> Option<()> {
        let Change { op, value, span } = change;
        let found = self.expr(value, Some(Type::Record(record)))?;
        let target = self.with_kept_keys(target)?;
        if !found.ty().list && op != SetOp::Subtract {
            let found = self.kept_record(found);
            let parts = self.parts_of(found, record, value.span)?;
            let parts = self.kept_parts(&target, parts, record);
            return self.set_parts(&target, record, op, &parts, span);
        }
        let height = self.scope.local(Ty::INT);
        self.b.emit(Op::Mark(height));
        let (op, list) = match op {
            SetOp::Set | SetOp::Add => (op, found),
            SetOp::Subtract => {
                let old = self.expr(&target, None)?;
                let (old, of) = self.list_of(old);
                let rest = self.records_without(old, of, found.at(value.span), record)?;
                (SetOp::Set, rest)
            }
        };
        let lists = self.columns(list, record, true, value.span)?;
        let all = Ty::list(Type::Record(record));
        let parts = self.by_parts(&[(String::new(), all)]);
        let slots = self.emit_values(&parts, lists);
        let slots = slots.into_iter().zip(&parts);
        let slots = slots.map(|(slot, (_, ty))| Binding::Local(slot, *ty));
        let slots: Vec<Binding> = slots.collect();
        let done = self.set_parts(&target, record, op, &slots, span);
        self.b.emit(Op::Release(height));
        done
    }

    /// Evaluates the keys of a target once, before any part changes.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "nothing else can be assigned"
    )]
    pub(crate) fn with_kept_keys(&mut self, target: &ast::Expr) -> Option<ast::Expr> {
        let span = target.span;
        let kind = match &target.kind {
            ExprKind::Index(of, index) => {
                let of = self.with_kept_keys(of)?;
                ExprKind::Index(Box::new(of), Box::new(self.kept_key(index)?))
            }
            ExprKind::Field(of, name, None) => {
                ExprKind::Field(Box::new(self.kept_key(of)?), name.clone(), None)
            }
            kind => kind.clone(),
        };
        Some(ast::Expr::new(kind, span))
    }

    fn kept_key(&mut self, key: &ast::Expr) -> Option<ast::Expr> {
        if matches!(key.kind, ExprKind::Name(_) | ExprKind::Int(_)) {
            return Some(key.clone());
        }
        let Value::One(value, of) = self.expr(key, None)? else {
            return Some(key.clone()); // which is reported
        };
        let kept = self.kept_value(value, of.unwrap_or(Type::Int));
        let name = format!("the key at {}", key.span.start);
        let ty = Ty::one(of);
        self.scope.bind(&name, Binding::Alias(kept, ty));
        Some(Tree { span: key.span }.name(&name))
    }
}

/// Returns the part of what an expression names: `bid.amount`, `claims.amount[p]`.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "nothing else can be assigned"
)]
fn path_of(of: &ast::Expr, part: &str) -> Option<ast::Expr> {
    let named = |name: &Name| Name::new(part_name(&name.text, part), name.span);
    let kind = match &of.kind {
        ExprKind::Name(name) => ExprKind::Name(named(name)),
        ExprKind::Index(of, index) => ExprKind::Index(Box::new(path_of(of, part)?), index.clone()),
        ExprKind::Field(of, name, None) => ExprKind::Field(of.clone(), named(name), None),
        _ => return None,
    };
    Some(ast::Expr::new(kind, of.span))
}
