//! Compiled statements: linear code whose frames are part of the state, so that it can be suspended at any decision.
//!
//! A frame is a run of words on the state's stack: return address, base of the caller, the effect, then its slots, then
//! lists. Lists are allocated at the top of the stack and freed by [`Op::Release`] and by leaving the effect.

use super::{DispatchId, ExprId, Language, Local, Localised, SetId, Temp, Type};
use wyrmgate_base::diagnostic::Span;

pub type EffectId = u16;
pub type ClauseId = u16;
pub type SiteId = u16;
pub type TextId = u16;
/// An index into `code`.
pub type Address = u32;

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Op {
    // ---- control
    Jump(Address),
    JumpUnless(ExprId, Address),
    /// Arguments: `argc` of [`Arg`]s are evaluated in the caller's frame, then become slots of the callee.
    Call {
        effect: EffectId,
        args: ArgsId,
    },
    /// `me` is the first argument; the effect is chosen by its kind; no effect: nothing happens.
    CallKind {
        dispatch: DispatchId,
        args: ArgsId,
    },
    Return,
    /// Remembers the height of the stack in a slot …
    Mark(Local),
    /// … and frees everything above it.
    Release(Local),
    // ---- values
    Let(Local, ExprId),
    /// Pushes the list; slot = offset (relative to the frame's base), slot + 1 = length.
    LetList(Local, SetId),
    /// If index (1 slot, counted up) has passed the list's end, jump; else var = its member.
    EachNext {
        list: Local,
        index: Local,
        var: Local,
        exit: Address,
    },
    SetWord {
        offset: u32,
        value: ExprId,
    },
    /// Nothing happens if the index is nothing; a number outside is a fault (`strict`).
    SetWordAt {
        offset: u32,
        low: i32,
        len: u32,
        index: ExprId,
        value: ExprId,
        strict: bool,
    },
    // ---- components
    Move {
        what: ExprId,
        to: ExprId,
        place: MovePlace,
        face_down: bool,
    },
    /// Each member in order.
    MoveAll {
        what: SetId,
        to: ExprId,
        place: MovePlace,
        face_down: bool,
    },
    /// Onto a place of an open grid, turned by so many quarters clockwise.
    MoveToCell {
        what: ExprId,
        zone: ExprId,
        cell: ExprId,
        turned: ExprId,
    },
    Draw {
        count: ExprId,
        from: ExprId,
        to: ExprId,
        face_down: bool,
    },
    Swap(ExprId, ExprId),
    Shuffle(ExprId),
    /// Dice of the list that are dice.
    Roll(SetId),
    TurnFace {
        what: SetId,
        down: bool,
    },
    /// The seats of the list learn what the components are.
    Show {
        what: SetId,
        to: SetId,
    },
    // ---- people
    /// Waits for a choice; the site's options say where to go on. No choice at all: jump to the site's `otherwise`.
    Choose(SiteId),
    /// Answered at once by chance.
    ChooseAtRandom(SiteId),
    /// Every seat of the list with a choice answers secretly; goes on when all have.
    ChooseEach {
        site: SiteId,
        seats: SetId,
    },
    // ---- the course of the game
    RoundBegin,
    RoundEnd,
    /// Sets the active seat, remembers the one before in a slot.
    TurnBegin {
        seat: ExprId,
        before: Local,
    },
    TurnEnd {
        before: Local,
    },
    /// [`Op::TurnEnd`], then [`Op::TurnBegin`] of the seat after the one in a slot, which is put into it; who was active
    /// before the turns stays noted. Only in [`super::Program::quick`].
    NextTurn {
        seat: Local,
        goes_on: Address,
    },
    /// Sets the active seat and nothing else, remembers the one before in a slot.
    AsBegin {
        seat: ExprId,
        before: Local,
    },
    AsEnd {
        before: Local,
    },
    /// `phase` is an ordinal of the enum `phase`.
    PhaseBegin {
        phase: i32,
        before: Local,
    },
    PhaseEnd {
        before: Local,
    },
    Score {
        seat: ExprId,
        by: ExprId,
    },
    /// `to` None: everybody
    Say {
        text: TextId,
        to: Option<SetId>,
    },
    /// Ranks all seats by the keys (evaluated with the seat in temp 0; as many expressions in a row as `count`), most first.
    FinishRanked {
        keys: ExprId,
        count: u16,
        ties_drawn: bool,
    },
    FinishWonBy(SetId),
    FinishDrawn,
}

impl Op {
    /// The game is over with it.
    pub fn finishes(&self) -> bool {
        matches!(
            self,
            Op::FinishRanked { .. } | Op::FinishWonBy(_) | Op::FinishDrawn
        )
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum MovePlace {
    Top,
    Bottom,
    /// 1-based; clamped to the ends.
    At(ExprId),
}

/// An entry of [`super::Program::args`].
pub type ArgsId = u32;

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Arg {
    Value(ExprId),
    /// Copied onto the callee's stack.
    List(SetId),
}

#[derive(Debug, Clone, Default)]
pub struct EffectInfo {
    /// Words joined with `_`.
    pub name: String,
    pub entry: Address,
    /// Which of the first slots are lists (two slots) and which are values (one).
    pub params: Vec<Type>,
    pub list_params: Vec<bool>,
    /// All slots, parameters included.
    pub slots: u16,
    /// Which slots speak of components, or of zones, at some time. Others hold other things, whatever their numbers are.
    pub of_components: Vec<SlotOf>,
    pub span: Span,
}

/// What a slot says of components.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum SlotOf {
    Component(Local),
    /// This slot and the next say where a list of them lies.
    Components(Local),
    /// A zone, which may be the one in a component.
    Zone(Local),
    Zones(Local),
}

/// The name of the option that declines.
pub const DECLINE: &str = "decline";

/// A place in the rules where somebody decides.
#[derive(Debug, Clone)]
pub struct Site {
    /// Of the effect it stands in, with a number from the second one on; empty where only chance decides.
    pub name: String,
    /// Who decides; not used by `ChooseEach`.
    pub who: ExprId,
    /// `ChooseEach`: the temp and the local that hold the seat while its choices are enumerated. The temp is set for
    /// every site, to the deciding seat.
    pub seat_temp: Temp,
    pub prompt: Option<TextId>,
    pub options: Vec<SiteOption>,
    /// Where to go when nobody has a choice.
    pub otherwise: Address,
    /// The last option is to decline. It is offered only beside other choices.
    pub may_decline: bool,
    /// A yes/no decision: two options named `yes` and `no`.
    pub is_ask: bool,
    /// Size of the window of temps that conditions and domains need.
    pub temps: u16,
    pub span: Span,
    pub cites: Vec<ClauseId>,
}

impl Site {
    /// The options that are choices of something: all but the one to decline.
    pub fn proper_options(&self) -> &[SiteOption] {
        let count = self.options.len() - usize::from(self.may_decline && !self.options.is_empty());
        self.options.get(..count).unwrap_or_default()
    }
}

#[derive(Debug, Clone)]
pub struct SiteOption {
    /// Empty for a plain `choose`.
    pub name: String,
    /// The name in words, for options without a label.
    pub title: Localised,
    pub label: Option<TextId>,
    /// All must hold for the option to be offered.
    pub conditions: Vec<Condition>,
    pub binders: Vec<BinderInfo>,
    /// What must hold of the chosen values together: evaluated when all names are bound. Every selection is then
    /// looked at, so a condition on one member is better a filter.
    pub checks: Vec<Condition>,
    /// What is played for a seat whose time is up, if it is a choice of this option: the first one that fulfils these
    /// conditions, asked when all names are bound. At most one option of a site has them.
    pub default: Option<Vec<Condition>>,
    /// Where to go on when it is chosen.
    pub target: Address,
    pub cites: Vec<ClauseId>,
    pub span: Span,
}

/// A name bound by a choice. `domain` may use the temps of earlier binders.
#[derive(Debug, Clone)]
pub struct BinderInfo {
    pub name: String,
    pub of: Type,
    /// What can be chosen from, without the filter.
    pub domain: SetId,
    /// The filter, as conjuncts with their clauses: all must hold, with the member in `temp`.
    pub filters: Vec<Condition>,
    pub temp: Temp,
    /// Chance chooses: a member that stands in the list twice is twice as likely. Where somebody decides, it is one choice.
    pub repeats: bool,
    /// The members that pass all filters, where that is known at once. A zone is then walked for its order only.
    pub mask: Option<super::MaskId>,
    /// The members do not depend on the names before it.
    pub apart: bool,
    /// Where the answer goes: one slot (value), two (list), or SEATS_MAX times that (simultaneous).
    pub local: Local,
    pub count: BinderSize,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum BinderSize {
    One,
    /// A list of at least and at most so many; `ordered`: a sequence, else a subset in the order of the domain.
    Many {
        least: ExprId,
        most: ExprId,
        ordered: bool,
    },
    /// All members in some order, or every subset: `most` is the size of the domain.
    Any,
    Permutation,
}

/// One conjunct of a condition, and the clauses that it carries out.
#[derive(Debug, Clone)]
pub struct Condition {
    pub test: ExprId,
    pub cites: Vec<ClauseId>,
    pub span: Span,
}

/// A text with holes. What stands in them is the same in every language, its words and their order are not.
#[derive(Debug, Clone)]
pub struct TextInfo {
    pub holes: Vec<Hole>,
    /// By [`Language`]; the first stands for those that are missing.
    pub parts: Vec<Vec<TextPiece>>,
}

impl TextInfo {
    pub fn parts_in(&self, language: Language) -> &[TextPiece] {
        let own = self.parts.get(usize::from(language.0));
        own.or_else(|| self.parts.first())
            .map_or(&[], Vec::as_slice)
    }
}

/// What stands in a hole of a text.
#[derive(Debug, Clone, Copy)]
pub enum Hole {
    Value(ExprId, Type),
    List(SetId, Type),
}

impl Hole {
    /// The type of its value, or of the members of its list.
    pub fn of(self) -> Type {
        match self {
            Hole::Value(_, of) | Hole::List(_, of) => of,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TextPiece {
    Words(String),
    /// The hole of this number.
    Hole(usize),
}
