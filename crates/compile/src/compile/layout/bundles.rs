//! Types of bundles: records whose parts are the values of a type, and are numbers.

use super::Layout;
use crate::names::constant::Constant;
use crate::names::declaration::{Columns, RecordDecl};
use crate::names::world::Symbol;
use wyrmgate_base::diagnostic::{did_you_mean, meant_or};
use wyrmgate_lang::ast::{Expr, ExprKind, Name};
use wyrmgate_program::{EnumId, Type};

/// Maximum number of values of a type of which there are bundles.
const VALUES_MAX: usize = 32;

impl Layout<'_> {
    /// Declares the types of bundles, which constants can contain, and makes room for all records.
    pub(super) fn bundles(&mut self) {
        let def = self.def;
        for record in 0..def.values.records.len() {
            self.world.add_table(record as u16, Columns::None);
        }
        for record in &def.values.records {
            let Some(of) = &record.bundle_of else {
                continue;
            };
            let Some(values) = self.values_of_bundle(&record.name, of) else {
                self.world.declare_failed(&record.name.text);
                continue;
            };
            let names = self.world.enum_values(values);
            if names.len() > VALUES_MAX {
                let message = format!("a bundle of {} values", names.len());
                let help = format!(
                    "at most {VALUES_MAX} values: each choice of a bundle is a number for every one"
                );
                self.report.error("too-many", of.span, message, help);
            }
            let names = names.into_iter().take(VALUES_MAX);
            let number = self.world.records.len() as u16;
            self.world.records.push(RecordDecl {
                name: record.name.text.clone(),
                parts: names.map(|name| (name, Type::Int)).collect(),
                bundle_of: Some(values),
                bundles: Vec::new(),
            });
            self.world
                .declare(&record.name, Symbol::RecordType(number), self.report);
        }
    }

    /// Returns the type of which there are bundles; `None` after a diagnostic.
    fn values_of_bundle(&mut self, name: &Name, of: &Name) -> Option<EnumId> {
        let Some(Symbol::Enum(values)) = self.world.symbol(&of.text) else {
            let types = self.def.values.types.iter();
            let known = types.map(|known| known.name.text.as_str());
            let meant = did_you_mean(&of.text, known);
            let otherwise = "a bundle counts the values of a type: `gem: [ruby, pearl]`";
            let message = format!("`{}` is not a type with values", of.text);
            self.unknown("unknown-type", of, message, meant_or(meant, otherwise));
            return None;
        };
        let known = self.world.records.iter();
        let mut twins = known.filter(|known| known.bundle_of == Some(values));
        if let Some(twin) = twins.next() {
            let message = format!("`{}` are bundles of `{}`, too", twin.name, of.text);
            let help = format!("use `{}` for both", twin.name);
            self.report.error("part-type", name.span, message, help);
            return None;
        }
        Some(values)
    }

    /// Returns what `start` says about one value of bundles: a number, or one for each key.
    pub(super) fn start_of_amount(
        &mut self,
        start: &Expr,
        of: &RecordDecl,
        values: EnumId,
        number: usize,
    ) -> Option<Expr> {
        let problems = self.report.diagnostics.len();
        let found = self.eval(start, &Vec::new(), None);
        if self.report.diagnostics.len() > problems {
            return None;
        }
        let amount = |bundle: &Constant| {
            let amount = bundle.values().get(number).copied();
            Expr::new(ExprKind::Int(amount.unwrap_or_default()), start.span)
        };
        if found.of() != Some(Type::Amounts(values)) {
            let message = format!("expected a {}", of.name);
            let first = of.parts.first().map_or("…", |(name, _)| name);
            let help = format!("write a bundle: `2 {first}`");
            self.report.error("wrong-type", start.span, message, help);
            return None;
        }
        if !found.is_of_lists() {
            return Some(amount(&found));
        }
        let each = found.items().iter().map(amount).collect();
        Some(Expr::new(ExprKind::List(each), start.span))
    }
}
