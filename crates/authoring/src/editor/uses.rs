//! Collects the uses of names in a definition and its scenarios, text by text.

use super::declare::Declare;
use super::index::{NameIndex, Role};
use super::scope::EditedCode;
use crate::scenario::{Scenario, StepKind};
use wyrmgate_lang::ast::{Expr, Name, Signature};
use wyrmgate_lang::definition::{
    Behavior, ComponentDef, Definition, GridDef, HandlerDef, LookDef, LookPart, ModifierDef,
    VarDef, ZoneDef,
};

impl Declare<'_> {
    pub(super) fn texts(&mut self, definition: &Definition) {
        self.value(&definition.players);
        for option in &definition.options {
            self.value(&option.default);
            self.expressions(&option.requires);
            self.cited(&option.cites);
        }
        for data in definition
            .values
            .data
            .iter()
            .chain(&definition.positions.kept)
        {
            self.value(&data.value);
        }
        for zone in &definition.zones {
            self.zone_texts(zone);
        }
        for look in &definition.looks {
            self.look(look);
        }
        for component in &definition.components {
            self.texts_of(component);
        }
        for record in &definition.values.records {
            let parts = record.parts.iter().map(|(_, of)| of);
            for of in parts.chain(&record.bundle_of) {
                self.used(of, Role::Name);
            }
        }
        for var in &definition.vars {
            self.variable_texts(var);
        }
        self.rules(&definition.behavior);
    }

    fn rules(&mut self, rules: &Behavior) {
        for query in &rules.queries {
            self.body_of(&query.signature).expr(&query.body);
        }
        for effect in &rules.effects {
            self.body_of(&effect.signature).block(&effect.body);
        }
        for handler in &rules.handlers {
            self.handler_text(handler);
        }
        for modifier in &rules.modifiers {
            self.modifier_text(modifier);
        }
    }

    fn expressions<'e>(&mut self, values: impl IntoIterator<Item = &'e Expr>) {
        for value in values {
            self.value(value);
        }
    }

    fn zone_texts(&mut self, zone: &ZoneDef) {
        if let Some(holds) = &zone.holds {
            self.used(holds, Role::Name);
        }
        if let Some(track) = &zone.track {
            self.used(track, Role::Member);
        }
        match &zone.grid {
            Some(GridDef::Keys(column, row)) => {
                self.used(column, Role::Member);
                self.used(row, Role::Member);
            }
            Some(GridDef::Corners(board) | GridDef::Sides(board)) => self.used(board, Role::Name),
            Some(GridDef::Joins(ends)) => self.value(ends),
            Some(GridDef::Open(..)) | None => {}
        }
        self.pairs(&zone.each);
        self.pairs(&zone.fields);
        self.expressions(zone.see.iter().map(|(see, _)| see));
        self.expressions(zone.condition.iter().chain(&zone.capacity));
        self.expressions(zone.directions.iter().chain(&zone.lines));
    }

    fn variable_texts(&mut self, var: &VarDef) {
        self.used(&var.of, Role::Name);
        self.pairs(&var.rows);
        self.expressions(var.each.iter().chain(&var.most).chain(&var.start));
        self.expressions(var.see.iter().map(|(see, _)| see));
    }

    /// Visits the names in a look: of what it describes, of fields and of boards.
    fn look(&mut self, look: &LookDef) {
        if look.is_entry {
            self.used(&look.name, Role::Name);
        }
        for (key, part) in &look.parts {
            match (key.text.as_str(), part) {
                ("as" | "color" | "symbol", _) => {}
                ("beside" | "on", LookPart::Words(names)) => {
                    names.iter().for_each(|name| self.used(name, Role::Name));
                }
                (_, LookPart::Words(names)) => {
                    names.iter().for_each(|name| self.used(name, Role::Member));
                }
                (_, LookPart::Value(value)) => self.value(value),
                (_, LookPart::ByValue(_) | LookPart::Inner(_)) => {}
            }
        }
    }

    fn texts_of(&mut self, component: &ComponentDef) {
        self.pairs(&component.each);
        self.pairs(&component.fields);
        for field in &component.back {
            self.used(field, Role::Member);
        }
        if let Some(holds) = &component.holds {
            self.used(&holds.of, Role::Name);
            holds.see.iter().for_each(|(see, _)| self.value(see));
        }
        self.expressions(component.copies.iter().chain(&component.condition));
        self.expressions(component.faces.iter().chain(&component.starts_in));
        self.cited(&component.cites);
        self.rules(&component.behavior);
        component.kinds.iter().for_each(|kind| self.texts_of(kind));
    }

    pub(super) fn used(&mut self, name: &Name, role: Role) {
        self.index.note_use(name, role, None);
    }

    fn cited<'n>(&mut self, clauses: impl IntoIterator<Item = &'n Name>) {
        for clause in clauses {
            self.used(clause, Role::Clause);
        }
    }

    fn pairs(&mut self, pairs: &[(Name, Expr)]) {
        pairs.iter().for_each(|(_, value)| self.value(value));
    }

    fn value(&mut self, value: &Expr) {
        EditedCode::new(self.index).expr(value);
    }

    /// Returns the body below a signature, whose parameters it knows.
    fn body_of(&mut self, signature: &Signature) -> EditedCode<'_> {
        let params = self.params(signature);
        let mut body = EditedCode::new(self.index);
        for (of, name) in params {
            body.local(&name, &of.text, Some(&of));
        }
        body
    }

    fn handler_text(&mut self, handler: &HandlerDef) {
        if let Signature::Phrase(names) = &handler.signature {
            let parts = self.parts(names);
            let words = parts.iter().map(|(of, name)| of.is_none().then_some(*name));
            let words: Vec<Option<&Name>> = words.collect();
            if let Some((number, _)) = self.index.phrase(&words).cloned() {
                for word in words.into_iter().flatten() {
                    self.used(word, Role::Effect(number));
                }
            }
        } else if let Some(name) = handler.signature.first_word() {
            self.used(name, Role::Name);
        }
        let within = handler.within.as_ref();
        let within = within.map_or(Vec::new(), |(signature, _)| self.params(signature));
        let mut body = self.body_of(&handler.signature);
        for (name, value) in &handler.keeps {
            body.expr(value);
            body.local(name, "a value before the event", None);
        }
        for (of, name) in within {
            body.local(&name, &of.text, Some(&of));
        }
        let conditions = handler.condition.iter().chain(&handler.by);
        conditions.for_each(|condition| body.expr(condition));
        body.block(&handler.body);
    }

    fn modifier_text(&mut self, modifier: &ModifierDef) {
        if let Some(name) = modifier.signature.first_word() {
            self.used(name, Role::Name);
        }
        let mut body = self.body_of(&modifier.signature);
        modifier.exprs().for_each(|expr| body.expr(expr));
    }

    /// Collects the types and names of parameters.
    fn params(&self, signature: &Signature) -> Vec<(Name, Name)> {
        match signature {
            Signature::Call { params, .. } => {
                let params = params.iter();
                let params = params.map(|param| (param.of.clone(), param.name.clone()));
                params.collect()
            }
            Signature::Phrase(names) => {
                let parts = self.parts(names).into_iter();
                let params = parts.filter_map(|(of, name)| Some((of?.clone(), name.clone())));
                params.collect()
            }
        }
    }
}

/// Collects the uses in scenarios.
pub fn scenarios(index: &mut NameIndex, scenarios: &[Scenario]) {
    let mut declare = Declare { index };
    for scenario in scenarios {
        declare.cited(&scenario.shows);
        let refused = scenario.refused.iter();
        declare.cited(refused.flat_map(|refused| &refused.clause));
        for (option, _) in &scenario.given.options {
            declare.used(option, Role::Name);
        }
        for step in &scenario.steps {
            match &step.kind {
                StepKind::Arrange(block) => EditedCode::new(declare.index).block(block),
                StepKind::Expect(conditions) => declare.expressions(conditions),
                StepKind::Play(choice) => declare.index.choices.extend(choice.option.clone()),
                StepKind::Refused(refused) => declare.cited(&refused.clause),
                _ => {}
            }
        }
    }
}
