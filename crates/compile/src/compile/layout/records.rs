//! Types with parts, and variables whose values have such a type: a variable for each part.

use super::Layout;
use crate::names::declaration::*;
use crate::names::reserved::is_reserved;
use crate::names::types::Ty;
use crate::names::world::*;
use wyrmgate_lang::ast::{Expr, ExprKind, Name};
use wyrmgate_lang::definition::*;
use wyrmgate_program::*;

impl Layout<'_> {
    /// Declares the types with parts, when all types of parts are known.
    pub(super) fn records(&mut self) {
        let def = self.def;
        let records = def.values.records.iter();
        for record in records.filter(|record| record.bundle_of.is_none()) {
            self.each_once(record.parts.iter().map(|(name, _)| name), "part");
            let mut bundles = Vec::new();
            let parts = record.parts.iter();
            let parts = parts.map(|part| self.part(part, &mut bundles));
            let parts: Vec<Option<Vec<(String, Type)>>> = parts.collect();
            let parts: Option<Vec<_>> = parts.into_iter().collect();
            let parts = parts.map(|parts| parts.concat());
            let Some(parts) = parts.filter(|parts| self.is_only_one(record, parts)) else {
                self.world.declare_failed(&record.name.text);
                continue;
            };
            let number = self.world.records.len() as u16;
            let name = record.name.text.clone();
            self.world.records.push(RecordDecl {
                name,
                parts,
                bundle_of: None,
                bundles,
            });
            self.world
                .declare(&record.name, Symbol::RecordType(number), self.report);
        }
    }

    /// Returns the values of a part, with names and types: one, or those of a bundle; `None` after a diagnostic.
    fn part(
        &mut self,
        (name, of): &(Name, Name),
        bundles: &mut Vec<(String, u16)>,
    ) -> Option<Vec<(String, Type)>> {
        if is_reserved(&name.text) {
            let message = format!("`{}` is a reserved name", name.text);
            let help = format!(
                "choose another name for this part, such as `the_{}`",
                name.text
            );
            self.report.error("reserved-name", name.span, message, help);
            return None;
        }
        let declared = self.world.symbol(&of.text);
        if let Some(Symbol::RecordType(number)) = declared
            && let Some(bundle) = self.world.records.get(usize::from(number))
            && bundle.bundle_of.is_some()
        {
            bundles.push((name.text.clone(), number));
            let amounts = bundle.parts.iter();
            let amounts = amounts.map(|(value, of)| (format!("{}.{value}", name.text), *of));
            return Some(amounts.collect());
        }
        let mut records = self.def.values.records.iter();
        if records.any(|record| record.name.text == of.text) {
            if self.world.has_failed(&of.text) {
                return None;
            }
            let message = format!("`{}` has parts itself, so it cannot be a part", of.text);
            let help = "declare its parts here, one by one";
            self.report.error("part-type", of.span, message, help);
            return None;
        }
        if let Some(Ty {
            of: Some(member),
            list: true,
        }) = self.world.type_named(&of.text)
        {
            let message = format!("`{}` is a list, and a part is a single value", of.text);
            let one = self.world.type_word(Ty::one(member));
            let help = format!(
                "write `{}: {one}`, and declare a variable for the list",
                name.text
            );
            self.report.error("part-type", of.span, message, help);
            return None;
        }
        Some(vec![(name.text.clone(), self.single_type(of)?)])
    }

    /// Reports a record with the same parts as another one, which would be one type with two names.
    fn is_only_one(&mut self, record: &RecordDef, parts: &[(String, Type)]) -> bool {
        let mut known = self.world.records.iter();
        let Some(twin) = known.find(|known| known.parts == parts) else {
            return true;
        };
        let message = format!(
            "`{}` has the same parts as `{}`",
            record.name.text, twin.name
        );
        let help = format!("use `{}` for both, or rename a part", twin.name);
        self.report
            .error("part-type", record.name.span, message, help);
        false
    }

    /// `bid: claim`, `bids: {type: claims, most: 12}`: a variable for each part.
    pub(super) fn record_variable(&mut self, def: &VarDef, record: u16) {
        let Some(of) = self.world.records.get(usize::from(record)).cloned() else {
            return;
        };
        let mut variables = Vec::new();
        for (number, (part, of_part)) in of.parts.iter().enumerate() {
            let problems = self.report.diagnostics.len();
            let start = def.start.as_ref();
            let start = start.and_then(|start| self.start_of_part(start, &of, number));
            let whole = &def.name.text;
            let name = Name::new(format!("{whole}.{part}"), def.name.span);
            let own = VarDef {
                name,
                start,
                ..def.clone()
            };
            let first = self.b.program.vars.len();
            self.typed_variable(&own, *of_part);
            match part.split_once('.') {
                None => self.note_parts(first, whole, part, of.bundle_of),
                Some((bundle, value)) => {
                    let values = of.bundles.iter().find(|(known, _)| known == bundle);
                    let values =
                        values.and_then(|(_, id)| self.world.records.get(usize::from(*id)));
                    let values = values.and_then(|bundle| bundle.bundle_of);
                    self.note_parts(first, &format!("{whole}.{bundle}"), value, values);
                }
            }
            match self.world.declared(&own.name.text) {
                Some(Symbol::Var(id)) if self.report.diagnostics.len() == problems => {
                    variables.push(id);
                }
                _ => return self.world.declare_failed(&def.name.text),
            }
        }
        for part in of.written_parts() {
            if let (Some(bundle), Some(own)) = (part.bundle, variables.get(part.values)) {
                let name = format!("{}.{}", def.name.text, part.name);
                self.table_of(&Name::new(name, def.name.span), bundle, own.to_vec());
            }
        }
        self.table_of(&def.name, record, variables);
    }

    /// Declares the records whose parts are these variables.
    fn table_of(&mut self, name: &Name, record: u16, variables: Vec<VarId>) {
        let Some(columns) = self.columns(variables) else {
            return self.world.declare_failed(&name.text);
        };
        let table = self.world.add_table(record, columns);
        self.world
            .declare(name, Symbol::Records(table), self.report);
    }

    /// Returns how many parts a value of this type has.
    pub(super) fn parts_in(&self, ty: Ty) -> usize {
        match ty.of {
            Some(Type::Record(table)) => self.world.record_of(table).map_or(1, |of| of.parts.len()),
            _ => 1,
        }
    }

    /// Notes of which variable those from `first` on are a part: one of records, or of bundles, which can be in records.
    fn note_parts(&mut self, first: usize, variable: &str, part: &str, bundle_of: Option<EnumId>) {
        for info in self.b.program.vars.iter_mut().skip(first) {
            let keys = info.name.get(variable.len() + 1 + part.len()..);
            let keys = keys.unwrap_or_default();
            let whole = variable.split_once('.').map(|(whole, part)| PartOf {
                variable: format!("{whole}{keys}"),
                part: part.to_owned(),
                bundle_of: None,
                within: None,
            });
            let variable = format!("{variable}{keys}");
            let part = part.to_owned();
            info.title = match (&whole, bundle_of) {
                (Some(of), _) => self
                    .translations
                    .name(&format!("{} {}", of.variable, of.part)),
                (None, Some(_)) => self.translations.name(&variable),
                (None, None) => self.translations.name(&format!("{variable} {part}")),
            };
            info.part = Some(PartOf {
                variable,
                part,
                bundle_of,
                within: whole.map(Box::new),
            });
        }
    }

    /// Returns where the records of these variables, one for each part, are found by a number.
    fn columns(&self, variables: Vec<VarId>) -> Option<Columns> {
        let decls = variables.iter();
        let decls = decls.map(|id| self.world.var(*id));
        let decls: Vec<&VarDecl> = decls.collect::<Option<_>>()?;
        let var = decls.first()?;
        let (low, len) = match (var.list, var.index) {
            (Some(list), None) => (1, list.most),
            (Some(list), Some(_)) => (0, list.most.saturating_mul(var.combinations())),
            (None, Some(_)) if var.rows.is_empty() => (var.low, var.len),
            (None, _) => (0, var.words()),
        };
        let offset = |var: &&VarDecl| var.list.map_or(var.offset, |list| list.members);
        Some(Columns::Words {
            offsets: decls.iter().map(offset).collect(),
            variables,
            low,
            len,
        })
    }

    /// What `start` says about one part: `claim(none, red, 2)`, or a list of such records.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "only these forms are records"
    )]
    fn start_of_part(&mut self, start: &Expr, of: &RecordDecl, number: usize) -> Option<Expr> {
        if let Some(values) = of.bundle_of {
            return self.start_of_amount(start, of, values, number);
        }
        match &start.kind {
            ExprKind::Call(name, args)
                if name.text == of.name && args.len() == of.written_parts().len() =>
            {
                let written = of.written_parts();
                let at = written
                    .iter()
                    .position(|part| part.values.contains(&number))?;
                let (arg, part) = (args.get(at)?, written.get(at)?);
                let Some(bundle) = part.bundle else {
                    return Some(arg.clone());
                };
                let bundle = self.world.records.get(usize::from(bundle))?.clone();
                self.start_of_amount(arg, &bundle, bundle.bundle_of?, number - part.values.start)
            }
            ExprKind::List(records) => {
                let parts = records
                    .iter()
                    .map(|start| self.start_of_part(start, of, number));
                let parts = parts
                    .collect::<Vec<_>>()
                    .into_iter()
                    .collect::<Option<_>>()?;
                let (kind, span) = (ExprKind::List(parts), start.span);
                Some(Expr::new(kind, span))
            }
            _ => {
                let message = format!("expected a {}", of.name);
                let help = format!("write its parts: `{}({})`", of.name, of.names_of_parts());
                self.report.error("wrong-type", start.span, message, help);
                None
            }
        }
    }
}
