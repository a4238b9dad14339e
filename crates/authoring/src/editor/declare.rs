//! Collects the declarations of a definition, section by section.

use super::index::{DeclaredName, NameIndex, NamedThing, Role, root_of};
use wyrmgate_lang::ast::{Name, Signature};
use wyrmgate_lang::definition::{
    ComponentDef, Definition, EffectDef, OptionType, QueryDef, ZoneDef,
};

const TYPES: [&str; 12] = [
    "int",
    "bool",
    "seat",
    "zone",
    "component",
    "cell",
    "side",
    "ints",
    "seats",
    "zones",
    "components",
    "cells",
];

/// Collects everything that can be called first, then its callers.
pub fn all(index: &mut NameIndex, definition: &Definition) {
    let mut declare = Declare { index };
    declare.types(definition);
    declare.names(definition);
    declare.texts(definition);
}

pub(super) struct Declare<'i> {
    pub(super) index: &'i mut NameIndex,
}

impl Declare<'_> {
    // ---- types, which stand before parameters

    fn types(&mut self, definition: &Definition) {
        let mut names: Vec<&str> = TYPES.to_vec();
        names.extend(
            definition
                .values
                .types
                .iter()
                .map(|of| of.name.text.as_str()),
        );
        names.extend(
            definition
                .values
                .records
                .iter()
                .map(|of| of.name.text.as_str()),
        );
        names.extend(definition.zones.iter().map(|zone| zone.name.text.as_str()));
        for kind in definition.all_kinds() {
            let written = std::iter::once(&kind.name).chain(&kind.plural);
            names.extend(written.map(|name| name.text.as_str()));
        }
        let plurals: Vec<String> = names.iter().map(|name| format!("{name}s")).collect();
        self.index
            .types
            .extend(names.into_iter().map(str::to_owned));
        self.index.types.extend(plurals);
    }

    // ---- sections

    fn names(&mut self, definition: &Definition) {
        for option in &definition.options {
            self.add(&option.name, NamedThing::Option, "", "");
            if let OptionType::OneOf(values) = &option.of {
                values
                    .iter()
                    .for_each(|value| self.add(value, NamedThing::Value, &option.name.text, ""));
            }
        }
        for data in &definition.values.data {
            self.add(&data.name, NamedThing::Data, "", "");
        }
        for position in &definition.positions.kept {
            self.add(&position.name, NamedThing::Data, "", "");
        }
        for of in &definition.values.types {
            self.add(&of.name, NamedThing::Type, "", "");
            of.values
                .iter()
                .for_each(|value| self.add(value, NamedThing::Value, &of.name.text, ""));
        }
        for of in &definition.values.records {
            let parts = of.parts.iter();
            let parts = parts.map(|(part, of)| format!("{}: {}", part.text, of.text));
            let parts: Vec<String> = parts.collect();
            let shown = format!("{}: {{{}}}", of.name.text, parts.join(", "));
            self.add(&of.name, NamedThing::Type, "", &shown);
            for (part, _) in &of.parts {
                self.add(part, NamedThing::Field, &of.name.text, "");
            }
        }
        definition.zones.iter().for_each(|zone| self.zone(zone));
        definition
            .components
            .iter()
            .for_each(|component| self.component(component, ""));
        for var in &definition.vars {
            let index = var
                .each
                .as_ref()
                .map_or(String::new(), |each| format!("[{}]", root_of(each)));
            let shown = format!("{}{index}: {}", var.name.text, var.of.text);
            self.add(&var.name, NamedThing::Var, &var.of.text, &shown);
        }
        definition
            .behavior
            .queries
            .iter()
            .for_each(|query| self.query(query));
        definition
            .behavior
            .effects
            .iter()
            .for_each(|effect| self.effect(effect));
        for clause in &definition.clauses {
            self.add(&clause.id, NamedThing::Clause, "", &clause.text.text);
        }
        self.translated_clauses(definition);
    }

    /// Collects translations of clauses, which appear under the clause's id.
    fn translated_clauses(&mut self, definition: &Definition) {
        for translation in &definition.texts.translations {
            for (key, _) in &translation.texts {
                if definition
                    .clauses
                    .iter()
                    .any(|clause| clause.id.text == key.text)
                {
                    self.used(key, Role::Clause);
                }
            }
        }
    }

    fn add(&mut self, name: &Name, what: NamedThing, of: &str, shown: &str) {
        self.index.declare(DeclaredName {
            name: name.text.clone(),
            what,
            span: name.span,
            body: None,
            of: of.to_owned(),
            shown: if shown.is_empty() {
                name.text.clone()
            } else {
                shown.to_owned()
            },
        });
    }

    fn zone(&mut self, zone: &ZoneDef) {
        let keys: Vec<String> = zone
            .each
            .iter()
            .map(|(key, of)| format!("{}: {}", key.text, root_of(of)))
            .collect();
        let shown = match keys.is_empty() {
            true => zone.name.text.clone(),
            false => format!("{}({})", zone.name.text, keys.join(", ")),
        };
        let holds = zone.holds.as_ref().map_or("", |holds| &holds.text);
        self.add(&zone.name, NamedThing::Zone, holds, &shown);
        for (field, _) in zone.each.iter().chain(&zone.fields) {
            self.add(field, NamedThing::Field, &zone.name.text, "");
        }
    }

    fn component(&mut self, component: &ComponentDef, family: &str) {
        let name = &component.name.text;
        let keys: Vec<&str> = component
            .each
            .iter()
            .map(|(key, _)| key.text.as_str())
            .collect();
        let shown = match keys.is_empty() {
            true => name.clone(),
            false => format!("{name}({})", keys.join(", ")),
        };
        self.add(&component.name, NamedThing::Kind, family, &shown);
        if let Some(plural) = &component.plural {
            self.add(plural, NamedThing::Plural, name, "");
        }
        for (field, _) in component.each.iter().chain(&component.fields) {
            self.add(field, NamedThing::Field, name, "");
        }
        if let Some(holds) = &component.holds {
            self.add(&holds.field, NamedThing::Field, name, "");
        }
        let rules = &component.behavior;
        rules.queries.iter().for_each(|query| self.query(query));
        rules.effects.iter().for_each(|effect| self.effect(effect));
        component
            .kinds
            .iter()
            .for_each(|kind| self.component(kind, name));
    }

    fn query(&mut self, query: &QueryDef) {
        if let Some(name) = query.signature.first_word().cloned() {
            let first = match &query.signature {
                Signature::Call { params, .. } => params.first().map(|param| param.of.text.clone()),
                Signature::Phrase(_) => None,
            };
            self.add(
                &name,
                NamedThing::Query,
                &first.unwrap_or_default(),
                &shown(&query.signature),
            );
        }
    }

    fn effect(&mut self, effect: &EffectDef) {
        let Some(first) = effect.signature.first_word().cloned() else {
            return;
        };
        let Signature::Phrase(names) = &effect.signature else {
            return self.add(&first, NamedThing::Effect, "", &shown(&effect.signature));
        };
        let parts = self.parts(names);
        let words = parts.iter().filter(|(of, _)| of.is_none());
        let words: Vec<&Name> = words.map(|(_, name)| *name).collect();
        let texts: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
        let number = self.index.declare(DeclaredName {
            name: texts.join(" "),
            what: NamedThing::Effect,
            span: words.first().map_or(first.span, |word| word.span),
            body: None,
            of: String::new(),
            shown: shown(&effect.signature),
        });
        let words = parts.iter().map(|(of, name)| match of {
            None => Some(name.text.clone()),
            Some(_) => None,
        });
        self.index.phrases.push((number, words.collect()));
    }

    /// Returns the parts of a phrase: words, and parameters with their types.
    pub(super) fn parts<'n>(&self, names: &'n [Name]) -> Vec<(Option<&'n Name>, &'n Name)> {
        let mut parts = Vec::new();
        let mut rest = names.iter();
        while let Some(first) = rest.next() {
            let is_type = self.index.types.contains(&first.text);
            match rest.as_slice().first().filter(|_| is_type) {
                Some(name) => {
                    rest.next();
                    parts.push((Some(first), name));
                }
                None => parts.push((None, first)),
            }
        }
        parts
    }
}

fn shown(signature: &Signature) -> String {
    match signature {
        Signature::Phrase(names) => names
            .iter()
            .map(|name| name.text.as_str())
            .collect::<Vec<_>>()
            .join(" "),
        Signature::Call { name, params, .. } => {
            let params: Vec<String> = params
                .iter()
                .map(|param| format!("{} {}", param.of.text, param.name.text))
                .collect();
            format!("{}({})", name.text, params.join(", "))
        }
    }
}

impl NameIndex {
    /// Returns the index of a game, including names in the expressions and effect texts of scenarios.
    pub fn of(definition: &Definition) -> NameIndex {
        let mut index = NameIndex::default();
        all(&mut index, definition);
        index
    }
}
