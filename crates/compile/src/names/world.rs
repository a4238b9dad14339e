//! The names that a game declares, and what each refers to.

use hashbrown::HashSet;
use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::LazyLock;

use super::constant::Constant;
use super::declaration::{
    ByName, Columns, EnumDecl, FamilyDecl, FieldDecl, KindDecl, ListDecl, RecordDecl, Running,
    TableDecl, VarDecl,
};
use super::reserved::{meaning, reserved_names};
use super::types::Families;
use wyrmgate_base::diagnostic::{Diagnostic, Report, Span, did_you_mean};
use wyrmgate_lang::ast::Name;
use wyrmgate_lang::definition::{Behavior, Definition};
use wyrmgate_program::{
    EnumId, FamilyId, KindId, Lasts, Localized, NONE, PositionId, Program, See, Type, VarId,
    VarInfo, VarRole, WordTables, ZoneId,
};

/// The meaning of a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Symbol {
    Enum(EnumId),
    Kind(KindId),
    /// `dragons`: all components of the kind
    Plural(KindId),
    Family(FamilyId),
    Var(VarId),
    /// A type with parts, by its number among [`World::records`].
    RecordType(u16),
    /// A variable whose values are records, by its number among [`World::tables`].
    Records(u16),
    /// Data or an option: see [`World::constants`].
    Constant,
    /// A list of words.
    Words(WordTables),
    /// A position that the game can remember, by its number.
    Position(PositionId),
    /// A query: index into [`World::queries`].
    Query(usize),
}

impl Symbol {
    pub fn describe(self) -> &'static str {
        match self {
            Symbol::Enum(_) => "a type",
            Symbol::Kind(_) => "a kind of component",
            Symbol::Plural(_) => "the plural of a kind of component",
            Symbol::Family(_) => "a zone",
            Symbol::Var(_) | Symbol::Records(_) => "a variable",
            Symbol::RecordType(_) => "a type",
            Symbol::Constant => "a constant or an option",
            Symbol::Words(_) => "a list of words",
            Symbol::Position(_) => "a position",
            Symbol::Query(_) => "a query",
        }
    }
}

#[derive(Debug, Clone)]
struct Declared {
    symbol: Symbol,
    span: Span,
    /// Whether something uses it; otherwise the declaration is unused.
    is_used: Cell<bool>,
}

/// The values of enums by name.
#[derive(Debug, Clone, Default)]
struct Values {
    /// The number of enums included.
    enums: usize,
    by_name: ByName<Vec<(EnumId, i32)>>,
}

impl Values {
    /// Adds the enums declared since.
    fn add(&mut self, enums: &[EnumDecl]) {
        for (id, decl) in (0..).zip(enums).skip(self.enums) {
            for (place, value) in (0..).zip(&decl.values) {
                let known = self.by_name.entry(value.clone()).or_default();
                if known.last().is_none_or(|(last, _)| *last != id) {
                    known.push((id, place));
                }
            }
        }
        self.enums = enums.len();
    }
}

/// Where the results of effects are, if any effect has one.
#[derive(Debug, Clone, Copy, Default)]
pub struct ResultWords {
    pub word: Option<u32>,
    /// The variable for lists.
    pub list: Option<(VarId, ListDecl)>,
}

/// All declarations of a game for one setup.
#[derive(Debug, Clone, Default)]
pub struct World {
    pub seats: usize,
    pub enums: Vec<EnumDecl>,
    pub kinds: Vec<KindDecl>,
    pub families: Vec<FamilyDecl>,
    pub vars: Vec<VarDecl>,
    pub records: Vec<RecordDecl>,
    /// The first tables are those of the types, see [`Columns::None`].
    pub tables: Vec<TableDecl>,
    pub constants: ByName<Constant>,
    pub results: ResultWords,
    /// The words that say whether a handler with `once` is running, by its place in the files.
    pub running: Vec<(Span, Running)>,
    /// The board with coordinates, and its spaces by their names.
    coordinates: Option<(FamilyId, ByName<ZoneId>)>,
    symbols: ByName<Declared>,
    values: RefCell<Values>,
    /// Names that were used before their declaration.
    used: RefCell<HashSet<String>>,
    /// Names whose declaration has a mistake, so that their uses are not reported.
    failed: BTreeSet<String>,
}

impl World {
    /// Creates a world without declarations.
    pub fn new(seats: usize) -> World {
        World {
            seats,
            ..World::default()
        }
    }

    /// Returns a list of words by its name.
    pub fn word_list(&self, name: &str) -> Option<WordTables> {
        let Some(Symbol::Words(words)) = self.symbol(name) else {
            return None;
        };
        Some(words)
    }

    /// Returns the list of words whose name comes first.
    pub fn some_words(&self) -> Option<WordTables> {
        self.names()
            .into_iter()
            .find_map(|name| self.word_list(name))
    }

    /// Declares a name; declaring it twice is a problem of the second place.
    pub fn declare(&mut self, name: &Name, symbol: Symbol, report: &mut Report) {
        if let Some(meaning) = meaning(&name.text) {
            let message = format!("`{}` is a reserved name", name.text);
            let help = format!(
                "choose another name: `{}` is {meaning} in every game",
                name.text
            );
            report.push(Diagnostic::error("reserved-name", name.span, message).help(help));
            self.declare_failed(&name.text);
            return;
        }
        if let Some(Declared { symbol, span, .. }) = self.symbols.get(&name.text) {
            report.push(
                Diagnostic::error(
                    "duplicate-name",
                    name.span,
                    format!("`{}` is declared twice", name.text),
                )
                .related(*span, format!("here it is {}", symbol.describe()))
                .help("rename one of them"),
            );
            return;
        }
        self.put(&name.text, symbol, name.span);
    }

    fn put(&mut self, name: &str, symbol: Symbol, span: Span) {
        let is_used = Cell::new(false);
        let declared = Declared {
            symbol,
            span,
            is_used,
        };
        self.symbols.insert(name.to_owned(), declared);
    }

    /// Records a declaration with a mistake that has been reported.
    pub fn declare_failed(&mut self, name: &str) {
        self.failed.insert(name.to_string());
        self.failed.insert(format!("{name}s")); // the type of lists of it
    }

    pub fn has_failed(&self, name: &str) -> bool {
        name.is_empty() || self.failed.contains(name)
    }

    /// Names a space: `e4`.
    pub fn name_space(&mut self, name: &str, family: FamilyId, zone: ZoneId) {
        let (board, spaces) = self.coordinates.get_or_insert_default();
        *board = family;
        spaces.insert(name.to_owned(), zone);
    }

    /// Returns the board with coordinates and its space with this name, if the name has the form of coordinates.
    pub fn space_named(&self, name: &str) -> Option<(FamilyId, Option<ZoneId>)> {
        let (family, spaces) = self.coordinates.as_ref()?;
        let row = name.trim_start_matches(|c: char| c.is_ascii_lowercase());
        let has_both = row.len() < name.len() && !row.starts_with('0');
        let is_row = !row.is_empty() && row.chars().all(|c| c.is_ascii_digit());
        if !has_both || !is_row {
            return None;
        }
        self.mark_used(self.family_name(*family));
        Some((*family, spaces.get(name).copied()))
    }

    /// Declares a name of every game.
    pub fn declare_builtin(&mut self, name: &str, symbol: Symbol) {
        self.put(name, symbol, Span::default());
    }

    /// Returns the meaning of a name and marks it as used.
    pub fn symbol(&self, name: &str) -> Option<Symbol> {
        let found = self.symbols.get(name)?;
        found.is_used.set(true);
        Some(found.symbol)
    }

    /// Returns the meaning of a name without marking it as used, for its own declaration.
    pub fn declared(&self, name: &str) -> Option<Symbol> {
        self.symbols.get(name).map(|declared| declared.symbol)
    }

    /// Returns the behavior of the game, then that of each kind that is declared.
    pub fn behaviors<'d>(&self, def: &'d Definition) -> Vec<(Option<KindId>, &'d Behavior)> {
        let of_kinds = def.all_kinds().filter_map(|kind| {
            let Some(Symbol::Kind(id)) = self.declared(&kind.name.text) else {
                return None;
            };
            Some((Some(id), &kind.behavior))
        });
        let of_game = (None, &def.behavior);
        std::iter::once(of_game).chain(of_kinds).collect()
    }

    pub fn mark_used(&self, name: &str) {
        match self.symbols.get(name) {
            Some(declared) => declared.is_used.set(true),
            None => drop(self.used.borrow_mut().insert(name.to_owned())),
        }
    }

    /// Returns all names used so far.
    pub fn take_used(&self) -> BTreeSet<String> {
        let declared = self.symbols.iter();
        let declared = declared.filter(|(_, declared)| declared.is_used.get());
        let mut used: BTreeSet<String> = self.used.take().into_iter().collect();
        used.extend(declared.map(|(name, _)| name.clone()));
        used
    }

    /// Adds a variable that the rules do not declare: `len` words, each of which begins with `start`. Returns the first word.
    pub fn take_words(
        &mut self,
        program: &mut Program,
        name: &str,
        of: Type,
        len: u32,
        start: i32,
    ) -> u32 {
        let offset = program.room.var_words as u32;
        program.room.var_words += len as usize;
        program.vars.push(VarInfo {
            name: name.to_owned(),
            title: Localized::default(),
            of,
            index: None,
            low: 0,
            offset,
            len,
            start,
            starts: Vec::new(),
            see: See::Nothing,
            lasts: Lasts::Game,
            internal: true,
            role: VarRole::Values,
            part: None,
        });
        self.vars.push(VarDecl {
            name: String::new(),
            of,
            index: None,
            low: 0,
            offset,
            len,
            rows: Vec::new(),
            list: None,
        });
        offset
    }

    /// Returns the type of the records of a table.
    pub fn record_of(&self, table: u16) -> Option<&RecordDecl> {
        let table = self.tables.get(usize::from(table))?;
        self.records.get(usize::from(table.record))
    }

    /// Adds records that are found by a number.
    pub fn add_table(&mut self, record: u16, columns: Columns) -> u16 {
        self.tables.push(TableDecl { record, columns });
        self.tables.len() as u16 - 1
    }

    pub fn var(&self, id: VarId) -> Option<&VarDecl> {
        self.vars.get(usize::from(id))
    }

    pub fn family(&self, id: FamilyId) -> Option<&FamilyDecl> {
        self.families.get(usize::from(id))
    }

    pub fn kind(&self, id: KindId) -> &KindDecl {
        static NOBODY: LazyLock<KindDecl> = LazyLock::new(KindDecl::default);
        self.kinds.get(id as usize).unwrap_or(&NOBODY)
    }

    /// Returns the field of a kind, or of a kind of its family.
    pub fn field(&self, kind: KindId, name: &str) -> Option<&FieldDecl> {
        let decl = self.kind(kind);
        let below = || self.kind(*decl.below.get(name)?).fields.named(name);
        decl.fields.named(name).or_else(below)
    }

    pub fn add_field(&mut self, kind: KindId, field: FieldDecl) {
        let family = self.kind(kind).family;
        if let Some(family) = family.and_then(|id| self.kinds.get_mut(usize::from(id))) {
            family.below.entry(field.name.clone()).or_insert(kind);
        }
        if let Some(kind) = self.kinds.get_mut(usize::from(kind)) {
            kind.fields.push(field);
        }
    }

    /// Returns the kinds of a family, which are declared directly after it.
    pub fn kinds_of(&self, family: KindId) -> Range<KindId> {
        let first = family.saturating_add(1);
        let rest = self.kinds.get(usize::from(first)..).unwrap_or_default();
        let kinds = rest.iter().take_while(|kind| kind.family == Some(family));
        first..first.saturating_add(kinds.count() as KindId)
    }

    /// Returns a kind and the kinds of its family.
    pub fn with_kinds_of(&self, family: KindId) -> Range<KindId> {
        family..self.kinds_of(family).end
    }

    pub fn enum_value(&self, id: EnumId, value: &str) -> Option<i32> {
        let (_, place) = self.values(value).into_iter().find(|(of, _)| *of == id)?;
        self.mark_enum(id);
        Some(place)
    }

    fn values(&self, name: &str) -> Vec<(EnumId, i32)> {
        let mut values = self.values.borrow_mut();
        values.add(&self.enums);
        values.by_name.get(name).cloned().unwrap_or_default()
    }

    fn mark_enum(&self, id: EnumId) {
        if let Some(decl) = self.enums.get(usize::from(id)) {
            self.mark_used(&decl.name);
        }
    }

    /// Returns the zone of a family with these keys, if it exists.
    pub fn zone_by_keys(&self, id: FamilyId, wanted: &[i32]) -> i32 {
        let Some(family) = self.family(id) else {
            return NONE;
        };
        let mut offset = 0;
        for (key, value) in family.keys.iter().zip(wanted) {
            let Some(place) = key.values.iter().position(|v| v == value) else {
                return NONE;
            };
            offset = offset * key.values.len() + place;
        }
        let place = match &family.present {
            None => Some(offset),
            Some(present) => present.binary_search(&offset).ok(),
        };
        place.map_or(NONE, |place| i32::from(family.first) + place as i32)
    }

    /// Returns every type that has a value with this name.
    pub fn enums_with(&self, value: &str) -> Vec<(EnumId, i32)> {
        let found = self.values(value);
        found.iter().for_each(|(id, _)| self.mark_enum(*id));
        found
    }

    /// Returns all declared names with their meanings, in a stable order.
    pub fn all_symbols(&self) -> Vec<(&str, Symbol)> {
        let names = self.names().into_iter();
        let symbols = names.filter_map(|name| Some((name, self.declared(name)?)));
        symbols.collect()
    }

    /// Returns the values of a type.
    pub fn enum_values(&self, id: EnumId) -> Vec<String> {
        self.enums
            .get(usize::from(id))
            .map_or(Vec::new(), |of| of.values.clone())
    }

    /// Returns all declared names, in a stable order.
    pub(super) fn names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.symbols.keys().map(String::as_str).collect();
        names.sort_unstable();
        names
    }

    /// Returns the kind of component that was probably meant.
    pub fn suggest_kind(&self, wanted: &str) -> Option<String> {
        let singular = |kind: &&KindDecl| kind.plural == wanted;
        let named = self
            .kinds
            .iter()
            .find(singular)
            .map(|kind| kind.name.clone());
        let kinds = self.kinds.iter().map(|kind| kind.name.as_str());
        named.or_else(|| did_you_mean(wanted, kinds).map(str::to_owned))
    }

    /// Returns the name of the game that was probably meant.
    pub fn suggest(&self, wanted: &str, more: &[&str]) -> Option<String> {
        let values = self
            .enums
            .iter()
            .flat_map(|e| e.values.iter().map(String::as_str));
        let names = self
            .names()
            .into_iter()
            .chain(values)
            .chain(more.iter().copied());
        let reserved: Vec<&str> = reserved_names().collect();
        let all = names.chain(reserved);
        did_you_mean(wanted, all.filter(|name| *name != wanted)).map(str::to_string)
    }
}

impl Families for World {
    fn kind_in(&self, kind: KindId, family: KindId) -> bool {
        self.kind(kind).family == Some(family)
    }
    fn family_of(&self, kind: KindId) -> Option<KindId> {
        self.kind(kind).family
    }
    fn kind_name(&self, kind: KindId) -> &str {
        &self.kind(kind).name
    }
    fn kind_plural(&self, kind: KindId) -> &str {
        &self.kind(kind).plural
    }
    fn family_name(&self, family: FamilyId) -> &str {
        self.family(family).map_or("", |f| &f.name)
    }
    fn enum_name(&self, id: EnumId) -> &str {
        self.enums.get(id as usize).map_or("", |e| &e.name)
    }
    fn record_name(&self, table: u16) -> &str {
        self.record_of(table).map_or("", |record| &record.name)
    }
}
