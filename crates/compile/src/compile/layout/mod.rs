//! The static layout of a game: numbers for enums, constants, zones, components and variables, and the offsets of their
//! values.

mod bundles;
mod column;
mod components;
mod contents;
mod edges;
mod fields;
mod looks;
mod order;
mod records;
mod variables;
mod zones;

use hashbrown::{HashMap, HashSet};
use std::borrow::Cow;

use self::order::{Circle, Declared, Order};
use crate::compile::builder::Builder;
use crate::compile::constants::eval::{Evaluator, Keys};
use crate::compile::setup::Setup;
use crate::names::constant::Constant;
use crate::names::declaration::*;
use crate::names::translation::Translations;
use crate::names::walk;
use crate::names::world::*;
use wyrmgate_base::cancel::checkpoint;
use wyrmgate_base::diagnostic::{Diagnostic, Report, Span};
use wyrmgate_lang::ast::{Expr, ExprKind, Name, Text};
use wyrmgate_lang::definition::*;
use wyrmgate_program::*;

/// Limits of what a game may contain; each has its diagnostic.
pub const ZONES_MAX: usize = 2_048;
pub const COMPONENTS_MAX: usize = 4_096;
pub const VAR_WORDS_MAX: usize = 16_384;

/// Keys are looked up in tables from the lowest to the highest value.
const KEYS_APART_MAX: i64 = 65_535;

/// Fills the world and the declarations of the program.
pub struct Layout<'a> {
    pub def: &'a Definition,
    pub setup: &'a Setup,
    pub world: World,
    pub b: Builder,
    pub translations: Translations,
    pub report: &'a mut Report,
}

impl<'a> Layout<'a> {
    pub fn new(def: &'a Definition, setup: &'a Setup, report: &'a mut Report) -> Self {
        let world = World::new(setup.seats);
        let mut b = Builder::default();
        b.program.seats = setup.seats;
        b.program.identity.game = def.name.text.clone();
        b.program.identity.draws = def.behavior.draws;
        b.program.identity.bound = def.bound.map_or(DEFAULT_BOUND, |(bound, _)| bound);
        let translations = Translations::of(def);
        b.program.prose.languages = translations.languages.clone();
        let is_open = |zone: &ZoneDef| matches!(zone.grid, Some(GridDef::Open(_, true)));
        if def.zones.iter().any(is_open) {
            b.program.identity.cells = CellForm::Hexagon;
        }
        b.program.prose.words = translations.words(b.program.identity.cells);
        b.program.prose.texts = translations.of_game(def);
        Layout {
            def,
            setup,
            world,
            b,
            translations,
            report,
        }
    }

    /// Lays out everything except the meaning of `see` texts and effects.
    pub fn run(&mut self) {
        let parts: [fn(&mut Self); 11] = [
            Self::clauses,
            Self::enums,
            Self::bundles,
            Self::options,
            Self::data,
            Self::places,
            Self::records,
            Self::variables,
            Self::results,
            Self::running,
            Self::looks,
        ];
        for part in parts {
            if !self.report.is_full() {
                part(self);
            }
        }
    }

    fn eval(&mut self, expr: &Expr, keys: &Keys, wanted: Option<Type>) -> Constant {
        self.evaluator().eval(expr, keys, wanted)
    }

    fn evaluator(&mut self) -> Evaluator<'_> {
        Evaluator {
            world: &mut self.world,
            b: &mut self.b,
            report: self.report,
        }
    }

    /// Reports an unknown name; nothing if its declaration has been rejected already.
    fn unknown(
        &mut self,
        code: &'static str,
        name: &Name,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        if !self.world.has_failed(&name.text) {
            let unknown = Diagnostic::error(code, name.span, message).help(help);
            self.report.push(unknown.unknown(&name.text));
        }
    }

    fn clauses(&mut self) {
        for clause in &self.def.clauses {
            let id = clause.id.text.clone();
            let text = self.translations.called(&id, &clause.text.text);
            self.b.program.prose.clauses.push(ClauseInfo { id, text });
        }
    }

    // ---- types, options, data

    fn enums(&mut self) {
        // enum 0 holds the names of all phases
        let phases = walk::phases(self.def);
        let titles = phases.iter().map(|name| self.translations.name(name));
        let titles = titles.collect();
        self.add_enum("phase", phases, titles);
        for decl in &self.def.values.types {
            if self.report.is_full() {
                return;
            }
            self.each_once(&decl.values, "value");
            if decl.values.is_empty() {
                let message = format!("`{}` has no values", decl.name.text);
                let help = "list the values: `color: [red, blue]`";
                self.report
                    .error("no-values", decl.name.span, message, help);
            }
            let values = decl.values.iter().map(|v| v.text.clone()).collect();
            let titled = decl.titles.iter().zip(&decl.values);
            let titles = titled.map(|(title, value)| self.translations.title(title, &value.text));
            let titles = titles.collect();
            let id = self.add_enum(&decl.name.text, values, titles);
            self.world
                .declare(&decl.name, Symbol::Enum(id), self.report);
        }
    }

    fn add_enum(&mut self, name: &str, values: Vec<String>, titles: Vec<Localized>) -> EnumId {
        self.world.enums.push(EnumDecl {
            name: name.into(),
            values: values.clone(),
        });
        self.b.program.enums.push(EnumInfo {
            name: name.into(),
            values,
            titles,
        });
        self.world.enums.len() as EnumId - 1
    }

    fn options(&mut self) {
        for option in &self.def.options {
            let of = match &option.of {
                OptionType::Bool => Type::Bool,
                OptionType::Range { .. } => Type::Int,
                OptionType::OneOf(values) => {
                    self.each_once(values, "value");
                    let values: Vec<String> = values.iter().map(|v| v.text.clone()).collect();
                    let titles = values.iter().map(|name| self.translations.name(name));
                    let titles = titles.collect();
                    Type::Enum(self.add_enum(&option.name.text, values, titles))
                }
            };
            // the check of options reports its mistakes
            let default = Evaluator {
                world: &mut self.world,
                b: &mut self.b,
                report: &mut Report::default(),
            }
            .one(&option.default, &Vec::new(), of);
            let value = self
                .setup
                .options
                .get(&option.name.text)
                .copied()
                .unwrap_or(default);
            self.declare_constant(&option.name, Constant::One(Some(of), value));
            self.b.program.identity.options.push(OptionInfo {
                name: option.name.text.clone(),
                value,
            });
        }
    }

    fn data(&mut self) {
        for data in &self.def.values.data {
            if self.report.is_full() {
                return;
            }
            let before = self.report.diagnostics.len();
            if let ExprKind::Text(text) = &data.value.kind {
                self.word_list(&data.name, text);
                continue;
            }
            let value = self.eval(&data.value, &Vec::new(), None);
            if self.report.diagnostics.len() > before {
                self.world.declare_failed(&data.name.text);
                continue;
            }
            self.declare_constant(&data.name, value);
        }
    }

    fn word_list(&mut self, name: &Name, text: &Text) {
        let key = text.key().to_lowercase();
        let mut words: Vec<&str> = key.split_whitespace().collect();
        words.sort_unstable();
        let words = self.b.words(words.into_iter());
        self.world.declare(name, Symbol::Words(words), self.report);
    }

    fn declare_constant(&mut self, name: &Name, value: Constant) {
        self.world.declare(name, Symbol::Constant, self.report);
        self.world.constants.insert(name.text.clone(), value);
    }

    // ---- zones and components

    fn places(&mut self) {
        self.out_of_play();
        let order = Order::of(self.def);
        for circle in &order.circles {
            self.circle(circle);
        }
        let mut beginnings = Vec::new();
        for declared in order.all {
            checkpoint();
            if self.report.is_full() {
                return;
            }
            match declared {
                Declared::Zone(zone) => self.zone_family(zone),
                Declared::Family(family) => self.component_family(family, &mut beginnings),
            }
        }
        self.contents(beginnings);
    }

    fn circle(&mut self, circle: &Circle<'_>) {
        let (zone, kind) = (&circle.zone.text, &circle.kind.text);
        let message = format!("the zone `{zone}` and the kind `{kind}` need each other first");
        let help = format!(
            "`{kind}` exists before a zone with it as a key: do not mention `{zone}` in its `each`, `if`, `copies` and `fields`; `in` may"
        );
        self.report
            .error("circular-zone", circle.span, message, help);
        self.world.declare_failed(zone);
    }

    // ---- for all of them

    fn key_domains(&mut self, each: &[&(Name, Expr)]) -> Vec<KeyDecl> {
        self.each_once(each.iter().map(|(name, _)| name), "key");
        let mut keys = Vec::new();
        for (name, domain) in each {
            let (of, values) = self.domain(domain);
            keys.push(KeyDecl {
                name: name.text.as_str().into(),
                of,
                values,
            });
        }
        keys
    }

    /// Returns whether keys depend on a declaration that has a mistake.
    fn mentions_failed(&self, each: &[(Name, Expr)]) -> bool {
        let mut names = each.iter().flat_map(|(_, domain)| walk::names(domain));
        names.any(|name| self.world.has_failed(&name.text))
    }

    /// Returns the values of an `each`: single values, each once, within a range that a table can cover.
    fn domain(&mut self, expr: &Expr) -> (Type, Vec<i32>) {
        let list = self.eval(expr, &Vec::new(), None);
        let of = list.of().unwrap_or(Type::Int);
        if self.no_lists_in(&list, expr.span) {
            return (of, Vec::new());
        }
        let mut values = list.values();
        let mut sorted = values.clone();
        sorted.sort_unstable();
        if let Some(pair) = sorted.windows(2).find(|pair| pair.first() == pair.last()) {
            let value = pair.first().copied().unwrap_or(NONE);
            let message = format!("this list contains `{}` twice", self.value_name(value, of));
            let help = "two components would have the same name; use `copies` for identical ones";
            self.report.error("value-twice", expr.span, message, help);
            values.clear();
        }
        if let (Some(low), Some(high)) = (sorted.first(), sorted.last())
            && i64::from(*high) - i64::from(*low) > KEYS_APART_MAX
        {
            let message = format!("`{low}` and `{high}` are too far apart for keys");
            let help =
                format!("keys span at most {KEYS_APART_MAX}; use a field for larger numbers");
            self.report
                .error("keys-too-far-apart", expr.span, message, help);
            values.clear();
        }
        (of, values)
    }

    /// Reports lists where single values are needed.
    fn no_lists_in(&mut self, constant: &Constant, span: Span) -> bool {
        let found = constant.is_of_lists();
        if found {
            let help = "a list of lists can only be indexed: `rows[2]`";
            self.report
                .error("list-in-list", span, "this is a list of lists", help);
        }
        found
    }

    fn each_once<'n>(&mut self, names: impl IntoIterator<Item = &'n Name>, what: &str) {
        for (name, first) in walk::repeated(names) {
            let message = format!("the {what} `{}` occurs twice", name.text);
            let twice = Diagnostic::error("duplicate-name", name.span, message);
            let twice = twice.related(first, "first here");
            self.report.push(twice.help("remove or rename one"));
        }
    }

    /// Returns the number of combinations of the keys, if it is at most `room`.
    fn combinations(&self, keys: &[KeyDecl], room: usize) -> Option<usize> {
        let sizes = keys.iter().map(|key| key.values.len());
        let count = sizes.fold(1, usize::saturating_mul);
        (count <= room).then_some(count)
    }

    /// Evaluates a count, which must not be negative, for each of several scopes with the same keys.
    fn amounts(&mut self, expr: &Expr, scopes: &[Keys], what: &str) -> Vec<usize> {
        let numbers = self.evaluator().each(expr, scopes, Type::Int);
        if let Some(number) = numbers.iter().find(|number| **number < 0) {
            let message = format!("{what} cannot be {number}");
            let help = "write 0 or a positive number";
            self.report.error("negative", expr.span, message, help);
        }
        let numbers = numbers.into_iter();
        numbers
            .map(|number| usize::try_from(number).unwrap_or(0))
            .collect()
    }

    fn limit(&mut self, name: &Name, what: &str, max: usize) {
        let message = format!("a game may have at most {max} {what}");
        let help = "this one exceeds the limit; check its `each` and `copies`";
        self.report.error("too-many", name.span, message, help);
    }

    /// `dragon-red-3`
    fn name_with_keys(&self, name: &str, keys: &[KeyDecl], values: &[i32]) -> String {
        let mut name = name.to_owned();
        for (key, value) in keys.iter().zip(values) {
            name.push('-');
            name.push_str(&self.value_name(*value, key.of));
        }
        name
    }

    /// Returns the keys in words, for the title of a component or zone.
    fn keys_title(&self, keys: &[KeyDecl], values: &[i32]) -> Localized {
        let in_language = |number: usize| {
            let language = Language(number as u16);
            let mut title = String::new();
            for (at, (key, value)) in keys.iter().zip(values).enumerate() {
                if at > 0 {
                    title.push(' ');
                }
                title.push_str(&self.value_title(*value, key.of, language));
            }
            title
        };
        let languages = 0..self.translations.languages.len();
        Localized::new(languages.map(in_language).collect())
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "the other forms have a general translation"
    )]
    fn value_title(&self, value: i32, of: Type, language: Language) -> Cow<'_, str> {
        let title = match of {
            Type::Enum(id) => {
                let info = self.b.program.enums.get(usize::from(id));
                let title = info.and_then(|info| info.titles.at(value));
                title.map(|title| title.get(language).into())
            }
            Type::Component(_) => {
                let component = ComponentId::try_from(value).ok();
                let title = component.and_then(|at| self.b.program.title_in_box(at, language));
                title.map(Cow::Owned)
            }
            _ => None,
        };
        title.unwrap_or_else(|| self.value_name(value, of))
    }

    /// Returns the form of a key's value in a component's or zone's name.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "the other forms have a general translation"
    )]
    fn value_name(&self, value: i32, of: Type) -> Cow<'_, str> {
        match of {
            Type::Enum(id) => {
                let values = self.world.enums.get(id as usize).map(|e| &e.values);
                let name = values.and_then(|v| v.get(value as usize));
                name.map_or("", String::as_str).into()
            }
            Type::Seat => (value + 1).to_string().into(),
            Type::Bool => if value == 1 { "yes" } else { "no" }.into(),
            Type::Component(_) => {
                let name = self.b.program.component_names().nth(value.max(0) as usize);
                name.unwrap_or_default().into()
            }
            _ => value.to_string().into(),
        }
    }
}

/// The bound of games that declare none.
const DEFAULT_BOUND: u32 = 10_000;

/// Returns the fields that stay visible when the component is hidden.
fn on_back<'d>(defs: &[&'d ComponentDef]) -> HashSet<&'d str> {
    let names = defs.iter().flat_map(|def| &def.back);
    names.map(|name| name.text.as_str()).collect()
}

fn scope_of(keys: &[KeyDecl], values: &[i32]) -> Keys {
    let pairs = keys.iter().zip(values);
    pairs
        .map(|(key, value)| (key.name.clone(), Constant::One(Some(key.of), *value)))
        .collect()
}

/// Returns the values of the keys for the `place`-th combination; the last key changes fastest.
fn combination(keys: &[KeyDecl], mut place: usize) -> Vec<i32> {
    let mut values = vec![NONE; keys.len()];
    for (slot, key) in values.iter_mut().zip(keys).rev() {
        let size = key.values.len().max(1);
        *slot = key.values.get(place % size).copied().unwrap_or(NONE);
        place /= size;
    }
    values
}

/// Joins the declarations of a kind and of its family. That of the kind replaces one with the same name.
fn merged<'d>(
    defs: &[&'d ComponentDef],
    of: impl Fn(&'d ComponentDef) -> &'d [(Name, Expr)],
) -> Vec<&'d (Name, Expr)> {
    let mut all: Vec<&(Name, Expr)> = Vec::new();
    for def in defs {
        let inherited = all.iter().enumerate().rev();
        let inherited: HashMap<&str, usize> = inherited
            .map(|(at, (name, _))| (name.text.as_str(), at))
            .collect();
        for said in of(def) {
            let known = inherited.get(said.0.text.as_str());
            match known.and_then(|at| all.get_mut(*at)) {
                Some(known) => *known = said,
                None => all.push(said),
            }
        }
    }
    all
}
