//! The compiled form of a game for one setup (number of seats and option values): plain data, immutable, shared.
//!
//! This is the only interface between the compiler (`lang → check → compile`) and the engine (`engine → session →
//! api`). All values at run time are `i32`: integers, 0 or 1 for truth values, an ordinal for enum values, a number for
//! seats, components and zones; [`NONE`] is `none`. Every operation is total: a question to `none` returns `none`, 0,
//! false or an empty list.

mod expr;
mod fingerprint;
mod grid;
mod language;
mod layout;
mod mask;
mod naming;
mod op;
mod repeats;

pub use expr::*;
pub use fingerprint::Fingerprint;
pub use grid::*;
pub use language::*;
pub use layout::*;
pub use mask::*;
pub use naming::Naming;
pub use op::*;
pub use repeats::may_repeat;

use std::collections::BTreeMap;

use wyrmgate_base::diagnostic::Span;

/// Nothing: no seat, no component, no zone, no enum value.
pub const NONE: i32 = -1;

/// The most seats a game can have.
pub const SEATS_MAX: usize = 8;

/// A whole game, ready to be played with this many seats and these options.
#[derive(Debug, Clone, Default)]
pub struct Program {
    // ---- what it is
    pub game: String,
    /// The overlays on it, in order: `short+windy`; empty without any.
    pub variant: String,
    /// Tags of the languages its texts are in; the first is the one the rules are written in.
    pub languages: Vec<String>,
    pub texts: Texts,
    pub words: Words,
    /// Names the ruleset (all merged text); set by whoever loaded it.
    pub digest: String,
    /// What states name this program by, once the engine has worked it out: every state that is written names it.
    pub fingerprint: Fingerprint,
    pub seats: usize,
    /// Declared options in order, with the value chosen.
    pub options: Vec<OptionInfo>,
    /// No game is longer than this under random play, in decisions.
    pub bound: u32,

    // ---- what exists
    pub enums: Vec<EnumInfo>,
    pub kinds: Vec<KindInfo>,
    pub components: Vec<ComponentInfo>,
    pub families: Vec<FamilyInfo>,
    pub zones: Vec<ZoneInfo>,
    pub vars: Vec<VarInfo>,
    /// Number of words all variables and changing fields take together; see [`VarInfo::offset`].
    pub var_words: usize,
    /// Constant tables: fields by component, keys by zone, data lists. Indexed by the holder's number.
    pub tables: Vec<Vec<i32>>,
    pub clauses: Vec<ClauseInfo>,

    // ---- what happens
    pub exprs: Vec<Expr>,
    /// Where each expression that can overflow was written: (expression, place), sorted by expression.
    pub expr_spans: Vec<(ExprId, wyrmgate_base::diagnostic::Span)>,
    /// Conditions that carry out clauses: sorted by expression.
    pub expr_cites: Vec<(ExprId, Vec<ClauseId>)>,
    /// Lists that carry out clauses, because of what is not in them: sorted by list.
    pub set_cites: Vec<(SetId, Vec<ClauseId>)>,
    pub sets: Vec<Set>,
    /// Lists that were made faster, as they were written: sorted by list.
    pub written_sets: Vec<(SetId, Set)>,
    pub masks: Vec<MaskInfo>,
    /// Constants of masks.
    pub bits: Vec<Bits>,
    pub lines: Vec<Lines>,
    /// What the rules reveal on purpose, in the order in which it was met.
    pub reveals: Vec<RevealInfo>,
    /// How many [`Mask::Kept`] there are.
    pub kept: u16,
    pub queries: Vec<QueryInfo>,
    pub dispatches: Vec<Dispatch>,
    pub code: Vec<Op>,
    /// As `code`, with fewer operations: for play in which nobody asks which of them run. Empty where there is none.
    pub quick: Vec<Op>,
    /// Where each op of `code` was written, and the clauses it carries out.
    pub code_spans: Vec<Span>,
    pub code_cites: Vec<Vec<ClauseId>>,
    /// Where a game can rest: the address at which an effect goes on after a decision or a call, and how many of its
    /// slots belong to names that are in scope there. Sorted.
    pub rests: Vec<(Address, Local)>,
    /// Argument lists of calls; see [`Op::Call`].
    pub args: Vec<Vec<Arg>>,
    pub effects: Vec<EffectInfo>,
    pub sites: Vec<Site>,
    pub texts_with_holes: Vec<TextInfo>,
    /// The effect the game starts with.
    pub play: EffectId,
    /// How many expressions and lists can at most lie within each other while one of them is evaluated, if that is known:
    /// then it is within the limit of the engine, and nobody has to count.
    pub nesting: Option<u32>,
    /// What says who leads while the game goes on; `None` if the rules do not say it.
    pub standing: Option<StandingInfo>,
    /// Effects and queries by name (words joined with `_`), for tools that call them from outside.
    pub effect_names: BTreeMap<String, EffectId>,
    pub query_names: BTreeMap<String, QueryId>,
}

impl Program {
    /// The game and the overlays on it, as people name them: `cliff-race+short`.
    pub fn name(&self) -> String {
        match self.variant.as_str() {
            "" => self.game.clone(),
            variant => format!("{}+{variant}", self.game),
        }
    }

    /// How many slots of a suspended effect still mean something; `None` for an address where none can rest.
    pub fn slots_in_scope(&self, goes_on: Address) -> Option<Local> {
        let found = self.rests.binary_search_by_key(&goes_on, |(at, _)| *at);
        let (_, slots) = self.rests.get(found.ok()?)?;
        Some(*slots)
    }

    /// A list as it was written, whatever it is now.
    pub fn written_set(&self, set: SetId) -> Option<Set> {
        let found = self.written_sets.binary_search_by_key(&set, |(id, _)| *id);
        let written = found.ok().and_then(|at| self.written_sets.get(at));
        written
            .map(|(_, set)| *set)
            .or_else(|| self.sets.get(set as usize).copied())
    }

    /// The clauses a condition cites itself.
    pub fn cites_of(&self, expr: ExprId) -> &[ClauseId] {
        cited_by(&self.expr_cites, expr)
    }

    /// A list by its number, of those that two tables hold: where each begins, and their members. Empty if there is none.
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

    /// How many words the variables that every game has take: they come first.
    pub fn course_words(&self) -> u32 {
        let last = self.vars.get(usize::from(VAR_SCORE));
        last.map_or(0, |score| score.offset + score.len)
    }

    /// The clauses a list cites itself.
    pub fn cites_of_list(&self, set: SetId) -> &[ClauseId] {
        cited_by(&self.set_cites, set)
    }
}

fn cited_by(cites: &[(u32, Vec<ClauseId>)], id: u32) -> &[ClauseId] {
    let found = cites.binary_search_by_key(&id, |(id, _)| *id);
    let cited = found.ok().and_then(|at| cites.get(at));
    cited.map_or(&[], |(_, clauses)| clauses)
}

/// What seats are compared by while the game goes on: expressions in a row, evaluated with the seat in temp 0, the most
/// important first and more of it better.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StandingInfo {
    pub keys: ExprId,
    pub count: u16,
}

/// An index into [`Program::reveals`].
pub type RevealId = u16;

/// Something that the rules reveal on purpose: `revealed(…)`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RevealInfo {
    pub span: Span,
}

/// Texts of the game as a whole.
#[derive(Debug, Clone, Default)]
pub struct Texts {
    pub title: Localised,
    pub about: Localised,
}

/// Words that the engine puts into texts by itself.
#[derive(Debug, Clone)]
pub struct Words {
    /// `seat` of `seat 2`
    pub seat: Localised,
    pub yes: Localised,
    pub no: Localised,
    pub none: Localised,
    pub decline: Localised,
    /// Clockwise, from the north.
    pub sides: [Localised; 4],
}

impl Default for Words {
    fn default() -> Words {
        Words {
            seat: "seat".into(),
            yes: "yes".into(),
            no: "no".into(),
            none: "none".into(),
            decline: DECLINE.into(),
            sides: ["north", "east", "south", "west"].map(Localised::from),
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
    pub text: Localised,
}
