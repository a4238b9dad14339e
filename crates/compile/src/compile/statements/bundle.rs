//! Bundles that a seat chooses: `3 b in purse`, `up to 2 b in purse`, `any b in purse`.
//!
//! Chosen are values of the type, each as often as the bundle contains it. The list has a fixed order, so one bundle is one
//! choice.

use crate::compile::compiler::Compiler;
use crate::compile::expressions::bundles::BundleType;
use crate::compile::expressions::selections::without_conditions;
use crate::compile::scope::Binding;
use crate::compile::statements::binder::{BinderConditions, conjuncts_of};
use crate::compile::statements::choose::Manner;
use crate::compile::terms::value::Value;
use crate::names::types::Ty;
use wyrmgate_lang::ast::{self, BinderCount};
use wyrmgate_program::*;

impl Compiler<'_> {
    /// Translates a name for a bundle that is part of another one, or (`None`) for any of its type.
    pub(crate) fn bundle_binder(
        &mut self,
        binder: &ast::Binder,
        ty: BundleType,
        whole: Option<Value>,
        manner: Manner,
    ) -> Option<(BinderInfo, Ty)> {
        let (domain, filters) = without_conditions(&binder.of);
        let cites = self.cites_of(domain);
        let amounts = whole.map(|whole| self.amounts_in(whole, ty));
        let (least, most) = match (&binder.count, whole) {
            (BinderCount::Any, None) => return self.boundless(binder, ty),
            (BinderCount::Any, Some(whole)) => {
                let none = self.b.constant(0);
                (none, self.total(whole, ty, domain.span))
            }
            (count, _) => self.numbers_of(count),
        };
        let of = Type::Enum(ty.values);
        let last = self.record_decl(ty.record).parts.len() as i32 - 1;
        let Value::List(set, _) = self.range_of(0, last, of) else {
            return None;
        };
        self.b.cite_set(set, cites.clone());
        let temp = self.scope.temp(Ty::list(of));
        let list = self.b.set(Set::Temp(temp));
        let chosen = self.gathered(list, ty);
        let mut conditions = BinderConditions::default();
        if let Some(amounts) = amounts {
            for (own, most) in self.amounts_in(chosen, ty).into_iter().zip(amounts) {
                let test = self.b.binary(Binary::LessOrEqual, own, most);
                let (cites, span) = (cites.clone(), domain.span);
                conditions.together.push(Condition { test, cites, span });
            }
        }
        let name = &binder.name.text;
        self.bind_bundle(name, chosen, ty);
        let outer = self.scope.selection.replace(name.clone());
        for (conjunct, cites) in filters.iter().flat_map(|filter| conjuncts_of(filter)) {
            self.conjunct(conjunct, &cites, &mut conditions.together);
        }
        self.scope.selection = outer;
        let list = Ty::list(Type::Record(ty.record));
        let local = self.slot_of_answer(manner, list);
        let info = BinderInfo {
            repeats: manner == Manner::AtRandom,
            together: conditions.together,
            count: BinderSize::Repeated { least, most },
            ..BinderInfo::of_one(name, of, set, temp, local)
        };
        Some((info, list))
    }

    /// Binds a name to a bundle: each amount has a name of its own.
    fn bind_bundle(&mut self, name: &str, bundle: Value, ty: BundleType) {
        let amounts = self.amounts_in(bundle, ty);
        let parts = self.by_parts(&[(name.to_owned(), bundle.ty())]);
        for ((part, of), amount) in parts.into_iter().zip(amounts) {
            self.scope.bind(&part, Binding::Alias(amount, of));
        }
    }

    /// Binds the name of an answer, which lies in a slot.
    pub(crate) fn bind_answer(&mut self, name: &str, slot: Local, ty: Ty) {
        let bundle = self.bundle_type(ty.element()).filter(|_| ty.list);
        let Some(of) = bundle else {
            return self.scope.bind(name, Binding::Local(slot, ty));
        };
        let list = self.b.set(Set::Local(slot));
        let bundle = self.gathered(list, of);
        self.bind_bundle(name, bundle, of);
    }

    /// Binds the name of an option to the bundle that a seat has chosen with it; returns whether it has.
    pub(crate) fn bind_bundle_of_seat(&mut self, name: &str, ty: Ty, bundle: Value) -> bool {
        let of = self.bundle_type(ty.element()).filter(|_| ty.list);
        of.inspect(|of| self.bind_bundle(name, bundle, *of))
            .is_some()
    }

    fn boundless<T>(&mut self, binder: &ast::Binder, ty: BundleType) -> Option<T> {
        let name = self.record_decl(ty.record).name;
        let own = &binder.name.text;
        let message = format!("there is no end of bundles of the type `{name}`");
        let help = format!("say how many: `up to 3 {own} in {name}`, or of what: `any {own} in …`");
        self.problem("boundless", binder.of.span, message, help)
    }
}
