//! The compiled form of a game for one setup (number of seats and option values): plain data, immutable, shared.
//!
//! This is the only interface between the compiler (`lang → check → compile`) and the engine (`engine → session →
//! api`). All values at run time are `i32`: integers, 0 or 1 for truth values, an ordinal for enum values, a number for
//! seats, components and zones; [`NONE`] is `none`. Every operation is total: a question to `none` returns `none`, 0,
//! false or an empty list.

#![deny(clippy::wildcard_enum_match_arm)]

mod by_number;
mod classes;
mod derived;
mod expr;
mod grid;
mod language;
mod layout;
mod look;
mod lookup;
mod mask;
mod naming;
mod notation;
mod number;
mod op;
mod overflow;
mod owners;
pub mod pure;
mod range;
mod repeats;
mod searched;
mod table;
mod walk;
mod ways;

pub use by_number::ByNumber;
pub use classes::{Classes, changes, kinds};
pub use derived::{Derived, Fingerprint, Numbering, Spelling, Translation};
pub use expr::*;
pub use grid::*;
pub use language::*;
pub use layout::*;
pub use look::*;
pub use mask::*;
pub use naming::ProgramName;
pub use notation::*;
pub use number::*;
pub use op::*;
pub use overflow::Overflow;
pub use owners::Owner;
pub use range::{range, range_of_members};
pub use repeats::{may_repeat, may_repeat_by_tables};
pub use searched::is_searched;
pub use table::{Field, Row, RowFacts};
pub use walk::{Node, Operation, Part};

use std::collections::BTreeMap;

use wyrmgate_base::diagnostic::Span;

/// `none`: no seat, component, zone or enum value.
pub const NONE: i32 = -1;

/// The maximum number of seats.
pub const SEATS_MAX: usize = 8;

/// A whole game, compiled for this number of seats and these options.
#[derive(Debug, Clone, Default)]
pub struct Program {
    pub identity: Identity,
    pub prose: Prose,
    pub code: Instructions,
    pub origins: Origins,
    pub room: Room,
    pub caches: Caches,
    pub seats: usize,
    pub enums: Vec<EnumInfo>,
    pub kinds: Vec<KindInfo>,
    pub components: Vec<ComponentInfo>,
    pub families: Vec<FamilyInfo>,
    pub zones: Vec<ZoneInfo>,
    pub vars: Vec<VarInfo>,
    /// Constant tables: fields by component, keys by zone, data lists. Indexed by the holder's number.
    pub tables: Vec<Vec<i32>>,
    pub look: GameLooks,
    pub exprs: Vec<Expr>,
    pub sets: Vec<Set>,
    pub masks: Vec<MaskInfo>,
    /// Constants of masks.
    pub bits: Vec<Bits>,
    pub queries: Vec<QueryInfo>,
    pub dispatches: Vec<Dispatch>,
    pub effects: Vec<EffectInfo>,
    pub sites: Vec<Site>,
    /// How the seats rank while the game is running; `None` if the rules do not say it.
    pub standing: Option<StandingInfo>,
}

/// Which game a program is, and for which options.
#[derive(Debug, Clone, Default)]
pub struct Identity {
    pub game: String,
    /// The overlays on it, in order: `short+windy`; empty without any.
    pub variant: String,
    /// Identifies the ruleset (all merged text); set by the loader.
    pub digest: String,
    /// Declared options in order, with the value chosen.
    pub options: Vec<OptionInfo>,
    /// The maximum number of decisions under random play.
    pub bound: u32,
    /// Whether all may agree on a draw, if the rules say it.
    pub draws: Option<bool>,
    /// The form of the cells of its open grids.
    pub cells: CellForm,
}

/// What a game says, in all its languages.
#[derive(Debug, Clone, Default)]
pub struct Prose {
    /// Tags of the languages of its texts; the first is the language of the rules.
    pub languages: Vec<String>,
    pub texts: Texts,
    pub words: Words,
    pub clauses: Vec<ClauseInfo>,
    pub texts_with_holes: Vec<TextInfo>,
    pub notation: Notation,
}

/// What happens in a game: the code of all effects.
#[derive(Debug, Clone, Default)]
pub struct Instructions {
    pub ops: Vec<Op>,
    /// Where each operation was written, and the clauses it implements.
    pub spans: Vec<Span>,
    pub cites: Vec<Vec<ClauseId>>,
    /// Where a game can rest: the address at which an effect resumes after a decision or a call, and how many of its
    /// slots belong to names in scope there. Sorted.
    pub rests: Vec<(Address, Local)>,
    /// The names of effects and their slots, for debuggers: from which address of the code on which names are in scope. Sorted.
    pub names_in_scope: Vec<(Address, Vec<NamedSlot>)>,
    /// Argument lists of calls; see [`Op::Call`].
    pub args: Vec<Vec<Arg>>,
    /// The effect with which the game starts.
    pub play: EffectId,
    /// What happens when a seat resigns, if the rules say it.
    pub resigns: Option<Resigning>,
    /// The query with the seats that play together with a seat, its only parameter.
    pub team: Option<QueryId>,
}

/// What the rules do when a seat resigns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Resigning {
    /// The effect, with the seat as its only parameter.
    pub effect: EffectId,
    /// The variable that says of each seat whether it has resigned.
    pub resigned: VarId,
}

/// Where the parts of a program come from: places, clauses and names of the rules, for explanations and tools.
#[derive(Debug, Clone, Default)]
pub struct Origins {
    /// Where each expression that can overflow was written: (expression, location), sorted by expression.
    pub expr_spans: Vec<(ExprId, wyrmgate_base::diagnostic::Span)>,
    /// Conditions that implement clauses, sorted by expression.
    pub expr_cites: Vec<(ExprId, Vec<ClauseId>)>,
    /// Lists that implement clauses by what they exclude, sorted by list.
    pub set_cites: Vec<(SetId, Vec<ClauseId>)>,
    /// Optimized lists as they were written, sorted by list.
    pub written_sets: Vec<(SetId, Set)>,
    /// The `revealed(…)` of the rules, in the order of translation.
    pub reveals: Vec<RevealInfo>,
    /// Effects and queries by name (words joined with `_`), for tools that call them from outside. Queries have at most one
    /// parameter.
    pub effect_names: BTreeMap<String, EffectId>,
    pub query_names: BTreeMap<String, QueryId>,
}

/// How much room states and evaluations need.
#[derive(Debug, Clone, Default)]
pub struct Room {
    /// Number of words all variables and changing fields take together; see [`VarInfo::offset`].
    pub var_words: usize,
    /// The number of [`Mask::Kept`] masks.
    pub kept: u16,
}

/// What others compute from a program at most once.
#[derive(Debug, Clone, Default)]
pub struct Caches {
    /// The number by which states identify this program, cached once the engine has computed it, because every encoded
    /// state contains it.
    pub fingerprint: Fingerprint,
    /// Made by the engine once the program is played often.
    pub translation: Translation,
    /// Its actions as numbers, for programs that learn.
    pub spaces: Numbering,
    /// What views of it have in common.
    pub spelling: Spelling,
    /// Which components are copies of each other.
    pub classes: Derived<Classes>,
    /// By word of the variables; see [`Program::owner_of_word`].
    pub owners: Derived<Vec<Owner>>,
    /// See [`Program::lowest_window`].
    pub temps: Derived<Temp>,
}

impl Program {
    /// Returns the game and its overlays: `cliff-race+short`.
    pub fn name(&self) -> String {
        match self.identity.variant.as_str() {
            "" => self.identity.game.clone(),
            variant => format!("{}+{variant}", self.identity.game),
        }
    }

    /// Returns the tag of a language: `es`.
    pub fn language_tag(&self, language: Language) -> &str {
        let tag = self.prose.languages.get(usize::from(language.0));
        tag.map_or("", String::as_str)
    }

    /// Returns how many slots of a suspended effect are in scope; `None` for an address where no effect can rest.
    pub fn slots_in_scope(&self, goes_on: Address) -> Option<Local> {
        let found = self
            .code
            .rests
            .binary_search_by_key(&goes_on, |(at, _)| *at);
        let (_, slots) = self.code.rests.get(found.ok()?)?;
        Some(*slots)
    }

    /// Returns whether anything in this game can ever be hidden from anybody: a component, a variable, or an answer.
    pub fn can_hide(&self) -> bool {
        let mut zones = self.zones.iter().skip(usize::from(BOX) + 1);
        let mut vars = self.vars.iter().filter(|var| !var.internal);
        zones.any(|zone| zone.see != See::All)
            || vars.any(|var| var.see != See::All)
            || self.code.ops.iter().any(|op| op.hides())
    }

    /// Returns a list as it was written, if it was optimized.
    pub fn written_set(&self, set: SetId) -> Option<Set> {
        let found = self
            .origins
            .written_sets
            .binary_search_by_key(&set, |(id, _)| *id);
        let written = found.ok().and_then(|at| self.origins.written_sets.get(at));
        written
            .map(|(_, set)| *set)
            .or_else(|| self.sets.get(set as usize).copied())
    }

    /// Returns the place of an expression that can overflow.
    pub fn span_of(&self, expr: ExprId) -> Option<Span> {
        let spans = &self.origins.expr_spans;
        let at = spans.binary_search_by_key(&expr, |(id, _)| *id).ok()?;
        spans.get(at).map(|(_, span)| *span)
    }

    /// Returns the clauses that a condition itself cites.
    pub fn cites_of(&self, expr: ExprId) -> &[ClauseId] {
        cited_by(&self.origins.expr_cites, expr)
    }

    /// Returns the member of a table at an index; NONE if there is none.
    pub fn constant(&self, table: TableId, at: i32) -> i32 {
        let table = self.tables.get(table as usize);
        let at = usize::try_from(at).ok();
        at.and_then(|at| table?.get(at).copied()).unwrap_or(NONE)
    }

    /// Returns a list by its number, from two tables: the starts and the members. Empty if there is none.
    pub fn listed(&self, starts: TableId, members: TableId, number: i32) -> &[i32] {
        let table = |id: TableId| self.tables.get(id as usize).map_or(&[][..], Vec::as_slice);
        let list = || {
            let starts = table(starts);
            let at = usize::try_from(number).ok()?;
            let first = usize::try_from(*starts.get(at)?).ok()?;
            let end = usize::try_from(*starts.get(at + 1)?).ok()?;
            table(members).get(first..end)
        };
        list().unwrap_or(&[])
    }

    /// Returns the number of words in a list.
    pub fn word_count(&self, words: WordTables) -> usize {
        let starts = self.tables.get(words.starts as usize);
        starts.map_or(0, |starts| starts.len().saturating_sub(1))
    }

    /// Returns a word of a list by its number, as letters.
    pub fn word(&self, words: WordTables, number: usize) -> &[i32] {
        self.listed(words.starts, words.letters, number as i32)
    }

    /// Returns whether a seat ever writes a text.
    pub fn asks_for_text(&self) -> bool {
        let options = self.sites.iter().flat_map(|site| &site.options);
        options
            .flat_map(|option| &option.binders)
            .any(BinderInfo::is_text)
    }

    /// Returns the number of words of the variables that every game has, which come first.
    pub fn course_words(&self) -> u32 {
        let last = self.vars.get(usize::from(VAR_SCORE));
        last.map_or(0, |score| score.offset + score.len)
    }

    /// Returns the clauses that a list itself cites.
    pub fn cites_of_list(&self, set: SetId) -> &[ClauseId] {
        cited_by(&self.origins.set_cites, set)
    }
}

fn cited_by(cites: &[(u32, Vec<ClauseId>)], id: u32) -> &[ClauseId] {
    let found = cites.binary_search_by_key(&id, |(id, _)| *id);
    let cited = found.ok().and_then(|at| cites.get(at));
    cited.map_or(&[], |(_, clauses)| clauses)
}

/// The numbers by which seats rank while the game is running: consecutive expressions, evaluated with the seat in temp
/// 0, the most important first; higher is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StandingInfo {
    pub keys: ExprId,
    pub count: u16,
}

/// An index into [`Origins::reveals`].
pub type RevealId = u16;

/// Something that the rules reveal on purpose: `revealed(…)`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RevealInfo {
    pub span: Span,
}

/// Texts of the game as a whole.
#[derive(Debug, Clone, Default)]
pub struct Texts {
    pub title: Localized,
    pub about: Localized,
}

/// Words that the engine itself adds to texts.
#[derive(Debug, Clone)]
pub struct Words {
    /// `seat` of `seat 2`
    pub seat: Localized,
    pub yes: Localized,
    pub no: Localized,
    pub none: Localized,
    pub decline: Localized,
    /// Clockwise, from the north.
    pub sides: Vec<Localized>,
}

impl Words {
    /// Returns the words with each of them changed.
    pub fn map(self, mut change: impl FnMut(Localized) -> Localized) -> Words {
        Words {
            seat: change(self.seat),
            yes: change(self.yes),
            no: change(self.no),
            none: change(self.none),
            decline: change(self.decline),
            sides: self.sides.into_iter().map(change).collect(),
        }
    }
}

impl Default for Words {
    fn default() -> Words {
        Words {
            seat: "seat".into(),
            yes: "yes".into(),
            no: "no".into(),
            none: "none".into(),
            decline: DECLINE.into(),
            sides: CellForm::default()
                .sides()
                .iter()
                .copied()
                .map(Localized::from)
                .collect(),
        }
    }
}

#[derive(Debug, Clone)]
pub struct OptionInfo {
    pub name: String,
    pub value: i32,
}

#[derive(Debug, Clone)]
pub struct ClauseInfo {
    pub id: String,
    pub text: Localized,
}
