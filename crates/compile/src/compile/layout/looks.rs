//! The appearance of things: resolves the names in `look:`.

use super::Layout;
use crate::names::reserved::SIDES;
use crate::names::world::*;
use wyrmgate_base::diagnostic::{Diagnostic, did_you_mean, meant_or};
use wyrmgate_lang::ast::{Name, Param, Signature};
use wyrmgate_lang::definition::{LookDef, LookPart};
use wyrmgate_lang::look::{COLORS, FORMS, SYMBOLS};
use wyrmgate_program::*;

/// The subject of an entry.
#[derive(Clone, Copy)]
enum Subject {
    Zone(FamilyId),
    Component(KindId),
    Variable,
    /// With the type of its parameter, if it has one.
    Query(Option<Type>),
}

impl Subject {
    fn words(self) -> &'static str {
        match self {
            Subject::Zone(_) => "a zone",
            Subject::Component(_) => "a component",
            Subject::Variable => "a variable",
            Subject::Query(_) => "a query",
        }
    }

    fn can_be(self, form: Form) -> bool {
        match self {
            Subject::Zone(_) => form.is_of_zones(),
            Subject::Component(_) => form.is_of_components(),
            Subject::Variable => form.is_of_variables(),
            Subject::Query(_) => matches!(form, Form::Marks | Form::Counter),
        }
    }
}

/// The type of seats, whose values are their numbers.
const SEAT: &str = "seat";
/// Fields that every component has.
const OF_COMPONENTS: [&str; 6] = ["title", "kind", "owner", "face", "text", "none"];
const OF_SPACES: [&str; 1] = ["none"];
const OF_VARIABLES: [&str; 1] = ["owner"];

impl Layout<'_> {
    pub(super) fn looks(&mut self) {
        let def = self.def;
        self.each_once(def.looks.iter().map(|look| &look.name), "look of");
        for look in &def.looks {
            if self.report.is_full() {
                return;
            }
            self.look(look);
        }
        self.hexagons();
        self.looks_of_edges();
        self.write_short();
    }

    /// Components are called as they are labeled: a queen, where the rules count to 12.
    fn write_short(&mut self) {
        let program = &mut self.b.program;
        for (number, info) in (0..).zip(&mut program.components) {
            let kind = program.kinds.get(usize::from(info.kind));
            let family = kind.and_then(|kind| program.kinds.get(usize::from(kind.family?)));
            let kinds = kind.into_iter().chain(family);
            let mut styles = kinds.filter_map(|kind| program.look.things.get(&kind.name));
            let Some(style) = styles.find(|style| !style.short.is_empty()) else {
                continue;
            };
            let fields = kind.into_iter().flat_map(|kind| &kind.fields);
            let mut tables = fields.filter_map(|field| match field.at {
                FieldPlace::Constant(table) if style.big.as_ref() == Some(&field.name) => {
                    Some(table)
                }
                FieldPlace::Constant(_)
                | FieldPlace::Changing { .. }
                | FieldPlace::ConstantList { .. } => None,
            });
            let table = tables
                .next()
                .and_then(|table| program.tables.get(table as usize));
            let value: Option<&i32> = table.and_then(|table| table.get(number));
            let value = value.map(i32::to_string);
            let mut short = style.short.iter();
            let pair = short.find(|(word, _)| Some(word) == value.as_ref());
            if let Some((word, short)) = pair {
                info.naming.write_short(word, short);
            }
        }
    }

    /// Spaces that are adjacent as hexagons are have this form, unless a look says otherwise.
    fn hexagons(&mut self) {
        let families = self.world.families.iter().zip(&self.b.program.families);
        let found = families.filter(|(declared, _)| declared.is_of_hexagons());
        for (_, family) in found {
            let things = &mut self.b.program.look.things;
            let style = things.entry(family.name.clone()).or_default();
            style.form.get_or_insert(Form::Hexes);
        }
    }

    fn look(&mut self, look: &LookDef) {
        if look.name.text == SEAT {
            let seats = (1..=SEATS_MAX).map(|seat| seat.to_string()).collect();
            return self.look_of_values(look, seats);
        }
        let subject = match self.world.declared(&look.name.text) {
            Some(Symbol::Enum(id)) => {
                let values = self.world.enum_values(id);
                return self.look_of_values(look, values);
            }
            Some(Symbol::Family(id)) => Subject::Zone(id),
            Some(Symbol::Kind(id)) => Subject::Component(id),
            Some(Symbol::Var(_) | Symbol::Records(_)) => Subject::Variable,
            _ => match self.asked(&look.name) {
                Some(of) => Subject::Query(of),
                None => return self.no_subject(&look.name),
            },
        };
        for (name, _) in &look.values {
            self.no_key(name);
        }
        let style = self.style(subject, &look.parts);
        if style.form == Some(Form::Map) && (style.map.across.is_none() || style.map.down.is_none())
        {
            let help = "add `across` and `down`, each with a field or a key of the zone: `{as: map, across: column, down: row}`";
            let message = "a map needs a place for each space";
            self.report
                .error("no-place-on-map", look.name.span, message, help);
        }
        let looks = &mut self.b.program.look;
        looks.things.insert(look.name.text.clone(), style);
        if let Subject::Query(of) = subject {
            looks.queries.push((look.name.text.clone(), of));
        }
    }

    /// Returns the type of the parameter of a query that pictures can ask.
    fn asked(&self, wanted: &Name) -> Option<Option<Type>> {
        let is_it = |name: &Name| name.text == wanted.text;
        let mut queries = self.def.behavior.queries.iter();
        let params = queries.find_map(|query| match &query.signature {
            Signature::Call { name, params, .. } => is_it(name).then_some(params.as_slice()),
            Signature::Phrase(words) => {
                (words.len() == 1 && words.iter().all(is_it)).then_some(&[][..])
            }
        })?;
        let of = |param: &Param| {
            if let Some(Symbol::Kind(kind)) = self.world.declared(&param.of.text) {
                return Some(Type::Component(Some(kind)));
            }
            (param.of.text == SEAT).then_some(Type::Seat)
        };
        let asked = match params {
            [] => None,
            [param] => Some(of(param)?),
            [_, _, ..] => return None,
        };
        self.world.mark_used(&wanted.text);
        Some(asked)
    }

    fn no_subject(&mut self, name: &Name) {
        let symbols = self.world.all_symbols();
        let has_look = |symbol: &Symbol| {
            matches!(
                symbol,
                Symbol::Enum(_)
                    | Symbol::Family(_)
                    | Symbol::Kind(_)
                    | Symbol::Var(_)
                    | Symbol::Records(_)
            )
        };
        let known = symbols.iter().filter(|(_, symbol)| has_look(symbol));
        let meant = did_you_mean(&name.text, known.map(|(name, _)| *name));
        let otherwise = "write the name of a zone, a component, a kind, a variable or a type";
        let help = meant_or(meant, otherwise);
        let message = format!("`{}` has no look, because it is not declared", name.text);
        self.unknown("unknown-name", name, message, help);
    }

    fn no_key(&mut self, name: &Name) {
        let known = wyrmgate_lang::keys::LOOK.names();
        let meant = did_you_mean(&name.text, known.iter().copied());
        let otherwise = format!("a look can have `{}`", known.join("`, `"));
        let help = meant_or(meant, otherwise);
        let message = format!("a look has no `{}`", name.text);
        self.report.error("unknown-key", name.span, message, help);
    }

    fn look_of_values(&mut self, look: &LookDef, values: Vec<String>) {
        for (key, _) in &look.parts {
            let message = format!(
                "`{}` is a type: its look is that of its values",
                look.name.text
            );
            let help = "write the values, each with a color or a symbol: `red: {color: red}`";
            self.report.error("wrong-shape", key.span, message, help);
        }
        for (value, parts) in &look.values {
            if !values.contains(&value.text) {
                let meant = did_you_mean(&value.text, values.iter().map(String::as_str));
                let otherwise = format!("its values are `{}`", values.join("`, `"));
                let help = meant_or(meant, otherwise);
                let message = format!("`{}` is not a value of `{}`", value.text, look.name.text);
                self.unknown("unknown-name", value, message, help);
                continue;
            }
            let word = |key: &str| part(parts, key).and_then(words).and_then(<[Name]>::first);
            let (color, symbol) = (word("color"), word("symbol"));
            let style = ValueStyle {
                color: color.and_then(|word| self.word(word, "color", COLORS)),
                symbol: symbol.and_then(|word| self.word(word, "symbol", SYMBOLS)),
            };
            let values = &mut self.b.program.look.values;
            values.insert((look.name.text.clone(), value.text.clone()), style);
        }
    }

    fn style(&mut self, of: Subject, parts: &[(Name, LookPart)]) -> LookStyle {
        let known = self.fields_of(of);
        let back = match part(parts, "back") {
            Some(LookPart::Inner(parts)) => Some(Box::new(self.style(of, parts))),
            _ => None,
        };
        let contents = self.fields_of_contents();
        let mut field = |key| {
            let name = part(parts, key).and_then(words)?.first()?;
            self.field_named(name, &known)
        };
        LookStyle {
            back,
            text: field("text"),
            big: field("big"),
            small: field("small"),
            arrows: field("arrows"),
            sideways: field("sideways"),
            at: field("at"),
            label: field("label"),
            shade: field("shade"),
            lane: field("lane"),
            wide: field("wide"),
            map: MapStyle {
                across: field("across"),
                down: field("down"),
                tip: field("tip"),
                joins: self.joins(of),
                between: match self.fields(parts, "between", &known).as_slice() {
                    [one, other, ..] => Some((one.clone(), other.clone())),
                    _ => None,
                },
                ends: Vec::new(),
            },
            corners: self.fields(parts, "corner", &known),
            short: self.short(parts),
            edges: self.words_by_field(parts, "edges", "color", &known),
            sort: self.fields(parts, "sort", &contents),
            total: self.fields(parts, "total", &contents).pop(),
            sides: self.sides(parts),
            form: self.form(of, parts),
            color: self.sign(parts, "color", COLORS, &known),
            symbol: self.sign(parts, "symbol", SYMBOLS, &known),
            badges: self.words_by_field(parts, "badge", "symbol", &known),
            beside: self.zone_named(parts, "beside"),
            on: self.zone_named(parts, "on"),
            numbered: self.numbered(parts),
        }
    }

    fn fields(&mut self, parts: &[(Name, LookPart)], key: &str, known: &[String]) -> Vec<String> {
        let names = part(parts, key).and_then(words).unwrap_or_default();
        let names = names.iter();
        names
            .filter_map(|name| self.field_named(name, known))
            .collect()
    }

    /// Returns the names of the fields, of a family also those of its kinds.
    fn fields_of(&self, of: Subject) -> Vec<String> {
        let program = &self.b.program;
        let mut known: Vec<String> = Vec::new();
        match of {
            Subject::Zone(id) => {
                let family = self.world.family(id);
                known.extend(
                    family
                        .into_iter()
                        .flat_map(|family| family.fields.iter())
                        .map(|field| field.name.clone()),
                );
                known.extend(OF_SPACES.map(str::to_owned));
            }
            Subject::Component(id) => {
                let is_of = |(at, kind): &(usize, &KindInfo)| {
                    *at == usize::from(id) || kind.family == Some(id)
                };
                let kinds = program.kinds.iter().enumerate().filter(is_of);
                let fields = kinds.flat_map(|(_, kind)| &kind.fields);
                known.extend(fields.map(|field| field.name.clone()));
                let family = self.world.kind(id).fields.iter();
                known.extend(family.map(|field| field.name.clone()));
                known.extend(OF_COMPONENTS.map(str::to_owned));
            }
            Subject::Variable | Subject::Query(_) => {
                known.extend(OF_VARIABLES.map(str::to_owned));
            }
        }
        known
    }

    /// Returns the names of the fields that some component has.
    fn fields_of_contents(&self) -> Vec<String> {
        let kinds = 0..self.b.program.kinds.len();
        let kinds = kinds.filter_map(|kind| KindId::try_from(kind).ok());
        kinds
            .flat_map(|kind| self.fields_of(Subject::Component(kind)))
            .collect()
    }

    fn field_named(&mut self, name: &Name, known: &[String]) -> Option<String> {
        if known.contains(&name.text) {
            return Some(name.text.clone());
        }
        let meant = did_you_mean(&name.text, known.iter().map(String::as_str));
        let help = meant_or(meant, format!("it has `{}`", known.join("`, `")));
        let message = format!("there is no field `{}` to show", name.text);
        self.unknown("unknown-field", name, message, help);
        None
    }

    fn form(&mut self, of: Subject, parts: &[(Name, LookPart)]) -> Option<Form> {
        let name = part(parts, "as").and_then(words)?.first()?;
        let Some(form) = Form::named(&name.text) else {
            self.word(name, "form", FORMS);
            return None;
        };
        if of.can_be(form) {
            return Some(form);
        }
        let fitting = FORMS
            .iter()
            .filter(|word| Form::named(word).is_some_and(|form| of.can_be(form)));
        let fitting: Vec<&str> = fitting.copied().collect();
        let message = format!("`{}` is not the form of {}", name.text, of.words());
        let help = format!("use `{}`", fitting.join("`, `"));
        self.report.error("unknown-form", name.span, message, help);
        None
    }

    fn word(&mut self, name: &Name, what: &'static str, words: &[&str]) -> Option<String> {
        if words.contains(&name.text.as_str()) {
            return Some(name.text.clone());
        }
        let meant = did_you_mean(&name.text, words.iter().copied());
        let help = meant_or(meant, format!("use `{}`", words.join("`, `")));
        let code = match what {
            "color" => "unknown-color",
            "symbol" => "unknown-symbol",
            "side" => "unknown-name",
            _ => "unknown-form",
        };
        let message = format!("there is no {what} `{}`", name.text);
        self.report
            .push(Diagnostic::error(code, name.span, message).help(help));
        None
    }

    fn sign(
        &mut self,
        parts: &[(Name, LookPart)],
        what: &'static str,
        all: &[&str],
        known: &[String],
    ) -> Option<Sign> {
        match part(parts, what)? {
            LookPart::ByValue(pairs) => {
                let pairs = pairs.iter().filter_map(|(value, word)| {
                    Some((value.text.clone(), self.word(word, what, all)?))
                });
                Some(Sign::ByValue(pairs.collect()))
            }
            LookPart::Words(names) => {
                let name = names.first()?;
                if known.contains(&name.text) {
                    return Some(Sign::Field(name.text.clone()));
                }
                let words: Vec<&str> = all
                    .iter()
                    .copied()
                    .chain(known.iter().map(String::as_str))
                    .collect();
                self.word(name, what, &words).map(Sign::Word)
            }
            LookPart::Value(_) | LookPart::Inner(_) => None,
        }
    }

    /// Returns fields, each with a word of a list.
    fn words_by_field(
        &mut self,
        parts: &[(Name, LookPart)],
        key: &str,
        what: &'static str,
        known: &[String],
    ) -> Vec<(String, String)> {
        let all = if what == "color" { COLORS } else { SYMBOLS };
        let pairs = by_value(parts, key).iter().filter_map(|(field, word)| {
            let field = self.field_named(field, known);
            let word = self.word(word, what, all);
            field.zip(word)
        });
        pairs.collect()
    }

    fn short(&self, parts: &[(Name, LookPart)]) -> Vec<(String, String)> {
        let pairs = by_value(parts, "short").iter();
        let pairs = pairs.map(|(value, word)| (value.text.clone(), word.text.clone()));
        pairs.collect()
    }

    /// Returns the sides of a board with color words or numbers of seats.
    fn sides(&mut self, parts: &[(Name, LookPart)]) -> Vec<(u8, String)> {
        let seats: Vec<String> = (1..=SEATS_MAX).map(|seat| seat.to_string()).collect();
        let words = COLORS.iter().copied();
        let words: Vec<&str> = words.chain(seats.iter().map(String::as_str)).collect();
        let pairs = by_value(parts, "sides").iter().filter_map(|(side, word)| {
            let side = self.word(side, "side", &SIDES)?;
            let at = SIDES.iter().position(|name| *name == side)?;
            u8::try_from(at).ok().zip(self.word(word, "color", &words))
        });
        pairs.collect()
    }

    fn zone_named(&mut self, parts: &[(Name, LookPart)], key: &str) -> Option<String> {
        let name = part(parts, key).and_then(words)?.first()?;
        if let Some(Symbol::Family(_)) = self.world.declared(&name.text) {
            return Some(name.text.clone());
        }
        let families = self.world.families.iter();
        let families = families.map(|family| family.name.as_str());
        let meant = did_you_mean(&name.text, families);
        let help = meant_or(meant, "write the name of a zone");
        let message = format!("there is no zone `{}`", name.text);
        self.unknown("unknown-name", name, message, help);
        None
    }

    /// Returns the pairs of spaces that the declared lines of a family join.
    fn joins(&self, of: Subject) -> Vec<(ZoneId, ZoneId)> {
        let Subject::Zone(id) = of else {
            return Vec::new();
        };
        let family = self.world.family(id);
        let lines = family.into_iter().flat_map(|family| &family.lines);
        let pairs = lines.flat_map(|line| line.windows(2));
        let join = |pair: &[i32]| match *pair {
            [one, other] => Some((one.try_into().ok()?, other.try_into().ok()?)),
            _ => None,
        };
        pairs.filter_map(join).collect()
    }

    fn numbered(&mut self, parts: &[(Name, LookPart)]) -> Option<NumberedTrack> {
        let mut number = |key| match part(parts, key) {
            Some(LookPart::Value(expr)) => Some(self.evaluator().one(expr, &Vec::new(), Type::Int)),
            _ => None,
        };
        let (from, to, line) = (number("from"), number("to"), number("line"));
        let marks = self.marks(parts);
        Some(NumberedTrack {
            from: from.unwrap_or(0),
            to: to?,
            line,
            marks,
        })
    }

    fn marks(&mut self, parts: &[(Name, LookPart)]) -> Vec<(i32, String)> {
        let mut marks = Vec::new();
        for (list, symbol) in by_value(parts, "marks") {
            let symbol = self.word(symbol, "symbol", SYMBOLS);
            let Some(spaces) = self.world.constants.get(&list.text) else {
                let names = self.world.constants.keys().map(String::as_str);
                let meant = did_you_mean(&list.text, names);
                let help = meant_or(meant, "write the name of a list under `data`");
                let message = format!("there is no constant `{}`", list.text);
                self.unknown("unknown-name", list, message, help);
                continue;
            };
            let spaces = spaces.values();
            self.world.mark_used(&list.text);
            if let Some(symbol) = symbol {
                marks.extend(spaces.into_iter().map(|space| (space, symbol.clone())));
            }
        }
        marks
    }
}

fn part<'l>(parts: &'l [(Name, LookPart)], key: &str) -> Option<&'l LookPart> {
    let found = parts.iter().find(|(name, _)| name.text == key);
    found.map(|(_, part)| part)
}

/// Returns the words of a part by what they stand for.
fn by_value<'l>(parts: &'l [(Name, LookPart)], key: &str) -> &'l [(Name, Name)] {
    match part(parts, key) {
        Some(LookPart::ByValue(pairs)) => pairs,
        Some(LookPart::Words(_) | LookPart::Value(_) | LookPart::Inner(_)) | None => &[],
    }
}

fn words(part: &LookPart) -> Option<&[Name]> {
    match part {
        LookPart::Words(names) => Some(names),
        LookPart::ByValue(_) | LookPart::Value(_) | LookPart::Inner(_) => None,
    }
}
