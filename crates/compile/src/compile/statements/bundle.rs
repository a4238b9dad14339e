//! Bundles that a seat chooses: `3 b in purse`, `up to 2 b in purse`, `any b in purse`.
//!
//! Chosen is a number for each value, `b.wood` and then `b.ore`, within what the numbers before leave: no bundle is listed
//! twice, and none that is too large.

use crate::compile::compiler::Compiler;
use crate::compile::expressions::bundles::BundleType;
use crate::compile::expressions::records::part_name;
use crate::compile::expressions::selections::without_conditions;
use crate::compile::passes::masks::tree::depends;
use crate::compile::scope::Binding;
use crate::compile::statements::binder::conjuncts_of;
use crate::compile::statements::choose::Manner;
use crate::compile::terms::value::Value;
use crate::names::types::Ty;
use wyrmgate_base::diagnostic::Span;
use wyrmgate_lang::ast::{self, BinderCount};
use wyrmgate_program::*;

/// The limits of a bundle that is chosen.
struct BundleLimits {
    /// The number of values.
    count: usize,
    /// How many there are of each value; `None`: any number.
    amounts: Option<Vec<ExprId>>,
    least: ExprId,
    /// How many are chosen at most; `None`: all that there are.
    most: Option<ExprId>,
    span: Span,
}

impl Compiler<'_> {
    /// Translates a name for a bundle that is part of another one, or (`None`) for any of its type.
    pub(crate) fn bundle_binders(
        &mut self,
        binder: &ast::Binder,
        ty: BundleType,
        whole: Option<Value>,
        manner: Manner,
    ) -> Option<Vec<(BinderInfo, Ty)>> {
        let (domain, filters) = without_conditions(&binder.of);
        let cites = self.cites_of(domain);
        let limits = self.bundle_limits(binder, ty, whole, domain.span)?;
        let name = &binder.name.text;
        let mut chosen: Vec<(BinderInfo, Ty)> = Vec::new();
        for (number, (part, _)) in self.record_decl(ty.record).parts.iter().enumerate() {
            let before: Vec<Temp> = chosen.iter().map(|(info, _)| info.temp).collect();
            let domain = self.amounts_left(&limits, number, &before);
            self.b.cite_set(domain, cites.clone());
            let temp = self.scope.temp(Ty::INT);
            let part = part_name(name, part);
            self.scope.bind(&part, Binding::Temp(temp, Ty::INT));
            let local = self.slot_of_answer(manner, Ty::INT);
            let info = BinderInfo {
                repeats: manner == Manner::AtRandom,
                ..BinderInfo::of_one(&part, Type::Int, domain, temp, local)
            };
            chosen.push((info, Ty::INT));
        }
        let mut conditions = Vec::new();
        let outer = self.scope.selection.replace(name.clone());
        for (conjunct, cites) in filters.iter().flat_map(|filter| conjuncts_of(filter)) {
            self.conjunct(conjunct, &cites, &mut conditions);
        }
        self.scope.selection = outer;
        for condition in conditions {
            self.ask_early(condition, &mut chosen);
        }
        Some(chosen)
    }

    fn bundle_limits(
        &mut self,
        binder: &ast::Binder,
        ty: BundleType,
        whole: Option<Value>,
        span: Span,
    ) -> Option<BundleLimits> {
        let amounts = whole.map(|whole| self.amounts_in(whole, ty));
        let (least, most) = match &binder.count {
            BinderCount::Any if whole.is_none() => return self.boundless(binder, ty),
            BinderCount::Any => (self.b.constant(0), None),
            count @ (BinderCount::One
            | BinderCount::All
            | BinderCount::Exactly(_)
            | BinderCount::UpTo(_)) => {
                let (least, most) = self.numbers_of(count);
                (least, Some(most))
            }
        };
        Some(BundleLimits {
            count: self.record_decl(ty.record).parts.len(),
            amounts,
            least,
            most,
            span,
        })
    }

    /// Returns the amounts from which this value can choose, given those of the values before it. The least leaves the values
    /// after it enough for the whole size, and the most is what there is.
    fn amounts_left(&mut self, limits: &BundleLimits, number: usize, before: &[Temp]) -> SetId {
        let span = limits.span;
        let zero = self.b.constant(0);
        let mut taken = zero;
        for temp in before {
            let amount = self.b.temp(*temp);
            taken = self.calculated(Binary::Add, taken, amount, span);
        }
        let room = limits
            .most
            .map(|most| self.calculated(Binary::Subtract, most, taken, span));
        let own = limits.amounts.as_ref().and_then(|all| all.get(number));
        let high = match (own.copied(), room) {
            (Some(own), Some(room)) => self.b.binary(Binary::Min, own, room),
            (own, room) => own.or(room).unwrap_or(zero),
        };
        let after = limits.amounts.iter().flatten().skip(number + 1).copied();
        let after = after.reduce(|one, other| self.calculated(Binary::Add, one, other, span));
        let is_enough = limits.amounts.is_none() && number + 1 < limits.count;
        let is_enough = is_enough || self.b.get(limits.least) == Expr::Const(0);
        let low = if is_enough {
            zero
        } else {
            let need = self.calculated(Binary::Subtract, limits.least, taken, span);
            let need = self.calculated(Binary::Subtract, need, after.unwrap_or(zero), span);
            self.b.binary(Binary::Max, need, zero)
        };
        self.b.set(Set::Range(low, high))
    }

    /// Asks each part of a condition as soon as the amounts are chosen on which it depends.
    fn ask_early(&mut self, condition: Condition, chosen: &mut [(BinderInfo, Ty)]) {
        if let Expr::And(one, other) = self.b.get(condition.test) {
            for test in [one, other] {
                let condition = Condition {
                    test,
                    ..condition.clone()
                };
                self.ask_early(condition, chosen);
            }
            return;
        }
        let depends = |info: &BinderInfo| depends(&self.b.program, condition.test, info.temp);
        let last = chosen.iter().rposition(|(info, _)| depends(info));
        if let Some((info, _)) = chosen.get_mut(last.unwrap_or_default()) {
            info.filters.push(condition);
        }
    }

    fn boundless<T>(&mut self, binder: &ast::Binder, ty: BundleType) -> Option<T> {
        let name = self.record_decl(ty.record).name;
        let own = &binder.name.text;
        let message = format!("there is no end of bundles of the type `{name}`");
        let help = format!("say how many: `up to 3 {own} in {name}`, or of what: `any {own} in …`");
        self.problem("no-most", binder.of.span, message, help)
    }
}
