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
            let parts = record.parts.iter().map(|part| self.part(part));
            let parts: Option<Vec<(String, Type)>> =
                parts.collect::<Vec<_>>().into_iter().collect();
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
            });
            self.world
                .declare(&record.name, Symbol::RecordType(number), self.report);
        }
    }

    /// Returns the name and the type of a part; `None` after a diagnostic.
    fn part(&mut self, (name, of): &(Name, Name)) -> Option<(String, Type)> {
        if is_reserved(&name.text) {
            let message = format!("`{}` is a reserved name", name.text);
            let help = format!(
                "choose another name for this part, such as `the_{}`",
                name.text
            );
            self.report.error("reserved-name", name.span, message, help);
            return None;
        }
        let mut records = self
            .def
            .values
            .records
            .iter()
            .map(|record| &record.name.text);
        if records.any(|record| *record == of.text) {
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
        Some((name.text.clone(), self.single_type(of)?))
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
            let name = Name::new(format!("{}.{part}", def.name.text), def.name.span);
            let own = VarDef {
                name,
                start,
                ..def.clone()
            };
            let first = self.b.program.vars.len();
            self.typed_variable(&own, *of_part);
            self.note_parts(first, &def.name.text, part, of.bundle_of);
            match self.world.declared(&own.name.text) {
                Some(Symbol::Var(id)) if self.report.diagnostics.len() == problems => {
                    variables.push(id);
                }
                _ => return self.world.declare_failed(&def.name.text),
            }
        }
        let Some(columns) = self.columns(variables) else {
            return self.world.declare_failed(&def.name.text);
        };
        let table = self.world.add_table(record, columns);
        self.world
            .declare(&def.name, Symbol::Records(table), self.report);
    }

    /// Returns how many parts a value of this type has.
    pub(super) fn parts_in(&self, ty: Ty) -> usize {
        match ty.of {
            Some(Type::Record(table)) => self.world.record_of(table).map_or(1, |of| of.parts.len()),
            _ => 1,
        }
    }

    /// Notes of which variable those from `first` on are a part.
    fn note_parts(&mut self, first: usize, variable: &str, part: &str, bundle_of: Option<EnumId>) {
        for info in self.b.program.vars.iter_mut().skip(first) {
            let keys = info.name.get(variable.len() + 1 + part.len()..);
            let variable = format!("{variable}{}", keys.unwrap_or_default());
            let part = part.to_owned();
            info.title = match bundle_of {
                Some(_) => self.translations.name(&variable),
                None => self.translations.name(&format!("{variable} {part}")),
            };
            info.part = Some(PartOf {
                variable,
                part,
                bundle_of,
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
            ExprKind::Call(name, args) if name.text == of.name && args.len() == of.parts.len() => {
                args.get(number).cloned()
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
                let names: Vec<&str> = of.parts.iter().map(|(name, _)| name.as_str()).collect();
                let message = format!("expected a {}", of.name);
                let help = format!("write its parts: `{}({})`", of.name, names.join(", "));
                self.report.error("wrong-type", start.span, message, help);
                None
            }
        }
    }
}
