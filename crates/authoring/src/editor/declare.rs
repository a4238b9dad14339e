//! Collects the declarations of a definition, section by section.

use super::index::{DeclaredName, NameIndex, NamedThing, Role, root_of};
use wyrmgate_compile::names::reserved::TYPES;
use wyrmgate_lang::ast::{Expr, Name, Signature};
use wyrmgate_lang::definition::{
    Behavior, ComponentDef, Definition, EffectDef, OptionType, QueryDef, ZoneDef,
};

pub(super) struct Declare<'i> {
    pub(super) index: &'i mut NameIndex,
}

impl Declare<'_> {
    // ---- types, which stand before parameters

    fn types(&mut self, definition: &Definition) {
        let values = &definition.values;
        let types = values.types.iter().map(|of| &of.name);
        let types = types.chain(values.records.iter().map(|of| &of.name));
        let zones = definition.zones.iter().map(|zone| &zone.name);
        let kinds = definition.all_kinds();
        let kinds = kinds.flat_map(|kind| std::iter::once(&kind.name).chain(&kind.plural));
        let declared = types.chain(zones).chain(kinds);
        for name in TYPES
            .into_iter()
            .chain(declared.map(|name| name.text.as_str()))
        {
            self.index.types.insert(name.to_owned());
            self.index.types.insert(format!("{name}s"));
        }
    }

    // ---- sections

    fn names(&mut self, definition: &Definition) {
        for option in &definition.options {
            self.add(&option.name, NamedThing::Option, "", "");
            if let OptionType::OneOf(values) = &option.of {
                self.values(values, &option.name);
            }
        }
        for data in definition
            .values
            .data
            .iter()
            .chain(&definition.positions.kept)
        {
            self.add(&data.name, NamedThing::Data, "", "");
        }
        for of in &definition.values.types {
            self.add(&of.name, NamedThing::Type, "", "");
            self.values(&of.values, &of.name);
        }
        for of in &definition.values.records {
            let parts = of.parts.iter();
            let parts = parts.map(|(part, of)| format!("{}: {}", part.text, of.text));
            let parts: Vec<String> = parts.collect();
            let shown = match &of.bundle_of {
                Some(values) => format!("{}: bundle of {}", of.name.text, values.text),
                None => format!("{}: {{{}}}", of.name.text, parts.join(", ")),
            };
            self.add(&of.name, NamedThing::Type, "", &shown);
            for (part, _) in &of.parts {
                self.add(part, NamedThing::Field, &of.name.text, "");
            }
        }
        definition.zones.iter().for_each(|zone| self.zone(zone));
        for component in &definition.components {
            self.component(component, "");
        }
        for var in &definition.vars {
            let each = var.each.as_ref();
            let index = each.map_or(String::new(), |each| format!("[{}]", root_of(each)));
            let shown = format!("{}{index}: {}", var.name.text, var.of.text);
            self.add(&var.name, NamedThing::Var, &var.of.text, &shown);
        }
        self.behavior(&definition.behavior);
        for clause in &definition.clauses {
            self.add(&clause.id, NamedThing::Clause, "", &clause.text.text);
        }
        self.translated_clauses(definition);
    }

    /// Collects translations of clauses, which appear under the clause's id.
    fn translated_clauses(&mut self, definition: &Definition) {
        for translation in &definition.texts.translations {
            for (key, _) in &translation.texts {
                let mut clauses = definition.clauses.iter();
                if clauses.any(|clause| clause.id.text == key.text) {
                    self.used(key, Role::Clause);
                }
            }
        }
    }

    /// Adds the values of a type or an option.
    fn values(&mut self, values: &[Name], of: &Name) {
        for value in values {
            self.add(value, NamedThing::Value, &of.text, "");
        }
    }

    fn add(&mut self, name: &Name, what: NamedThing, of: &str, shown: &str) {
        self.index.declare(DeclaredName {
            name: name.text.clone(),
            what,
            span: name.span,
            body: None,
            of: of.to_owned(),
            shown: match shown {
                "" => name.text.clone(),
                shown => shown.to_owned(),
            },
        });
    }

    fn zone(&mut self, zone: &ZoneDef) {
        let keys = zone.each.iter().map(typed);
        let shown = with_keys(&zone.name, &keys.collect::<Vec<_>>());
        let holds = zone.holds.as_ref().map_or("", |holds| &holds.text);
        self.add(&zone.name, NamedThing::Zone, holds, &shown);
        for field in zone.each.iter().chain(&zone.fields) {
            self.field(field, &zone.name.text);
        }
    }

    fn field(&mut self, field: &(Name, Expr), of: &str) {
        self.add(&field.0, NamedThing::Field, of, &typed(field));
    }

    fn component(&mut self, component: &ComponentDef, family: &str) {
        let name = &component.name.text;
        let keys = component.each.iter().map(typed);
        let shown = with_keys(&component.name, &keys.collect::<Vec<_>>());
        self.add(&component.name, NamedThing::Kind, family, &shown);
        if let Some(plural) = &component.plural {
            self.add(plural, NamedThing::Plural, name, "");
        }
        for field in component.each.iter().chain(&component.fields) {
            self.field(field, name);
        }
        if let Some(holds) = &component.holds {
            self.add(&holds.field, NamedThing::Field, name, "");
        }
        self.behavior(&component.behavior);
        for kind in &component.kinds {
            self.component(kind, name);
        }
    }

    fn behavior(&mut self, rules: &Behavior) {
        rules.queries.iter().for_each(|query| self.query(query));
        rules.effects.iter().for_each(|effect| self.effect(effect));
    }

    fn query(&mut self, query: &QueryDef) {
        if let Some(name) = query.signature.first_word() {
            let first = match &query.signature {
                Signature::Call { params, .. } => params.first(),
                Signature::Phrase(_) => None,
            };
            let of = first.map_or("", |param| &param.of.text);
            self.add(name, NamedThing::Query, of, &shown(&query.signature));
        }
    }

    fn effect(&mut self, effect: &EffectDef) {
        let Some(first) = effect.signature.first_word() else {
            return;
        };
        let Signature::Phrase(names) = &effect.signature else {
            return self.add(first, NamedThing::Effect, "", &shown(&effect.signature));
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
        let words = parts.iter();
        let words = words.map(|(of, name)| of.is_none().then(|| name.text.clone()));
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
        Signature::Phrase(names) => {
            let words = names.iter().map(|name| name.text.as_str());
            words.collect::<Vec<_>>().join(" ")
        }
        Signature::Call { name, params, .. } => {
            let params = params.iter();
            let params = params.map(|param| format!("{} {}", param.of.text, param.name.text));
            format!("{}({})", name.text, params.collect::<Vec<_>>().join(", "))
        }
    }
}

/// Formats `owner: seats`; without a known type, the name alone.
fn typed((name, of): &(Name, Expr)) -> String {
    match root_of(of).as_str() {
        "" => name.text.clone(),
        root => format!("{}: {root}", name.text),
    }
}

/// Formats `hand(owner: seats)`; without keys, the name alone.
fn with_keys(name: &Name, keys: &[String]) -> String {
    match keys.is_empty() {
        true => name.text.clone(),
        false => format!("{}({})", name.text, keys.join(", ")),
    }
}

impl NameIndex {
    /// Returns the index of a game: everything that can be called first, then its callers.
    pub fn of(definition: &Definition) -> NameIndex {
        let mut index = NameIndex::default();
        let mut declare = Declare { index: &mut index };
        declare.types(definition);
        declare.names(definition);
        declare.texts(definition);
        index
    }
}
