//! Compiled statements: linear code whose frames are part of the state, so that it can be suspended at any decision.
//!
//! A frame is a run of words on the state's stack: return address, base of the caller, the effect, then its slots, then
//! lists. Lists are allocated at the top of the stack and freed by [`Op::Release`] and by leaving the effect.

use super::table::{Field, Row, RowFacts, field, operations};
use super::{
    DispatchId, ExprId, FamilyId, Language, Local, Localized, NotedForm, PositionId, Program,
    RowId, Set, SetId, TableId, Temp, Type, VarId, WordId,
};
use wyrmgate_base::diagnostic::Span;

pub type EffectId = u16;
pub type ClauseId = u16;
pub type SiteId = u16;
pub type TextId = u16;
/// An index into `code`.
pub type Address = u32;

/// A list of components that an operation changes, one after the other.
pub type InOrder = SetId;
/// The seats that receive it; `None`: everybody.
pub type Audience = Option<SetId>;
/// Components come to lie face down.
pub type FaceDown = bool;

operations! {
    /// Statements: one row per operation; see [`crate::Field`].
    #[derive(Debug, Clone, Copy, PartialEq)]
    pub enum Op {
        // ---- control
        Jump(to: Address) => acts + jumps,
        JumpUnless(condition: ExprId, to: Address) => acts + jumps,
        /// The arguments are evaluated in the caller's frame, then become slots of the callee.
        Call { effect: EffectId, args: ArgsId } => acts + jumps,
        /// `me` is the first argument; its kind selects the effect; without an effect, nothing happens.
        CallKind { dispatch: DispatchId, args: ArgsId } => acts + jumps,
        Return => acts + jumps,
        /// Stores the height of the stack in a slot …
        Mark(height: Local) => acts,
        /// … and frees everything above it.
        Release(height: Local) => acts,
        // ---- values
        Let(slot: Local, value: ExprId) => acts,
        /// Pushes the list; slot = offset (relative to the frame's base), slot + 1 = length.
        LetList(slot: Local, list: InOrder) => acts + makes_list,
        /// Sets the member with this number. The length stays the same. A number above `most` is a fault.
        SetMember as MemberChange { list: Local, most: u32, number: ExprId, value: ExprId } => acts,
        /// If the index (1 slot, counted up) has passed the end of the list, jumps; otherwise var = its member.
        EachNext as LoopStep { list: Local, index: Local, var: Local, exit: Address } => acts + jumps,
        SetWord { offset: WordId, value: ExprId } => acts,
        /// Nothing happens if the index is NONE; a number out of range is a fault (`strict`).
        SetWordAt as WordChange { offset: WordId, low: i32, len: u32, index: ExprId, value: ExprId, strict: bool } => acts + words(*len),
        /// Remembers the values of the list as a position, for [`crate::Expr::Recorded`].
        Record { position: PositionId, of: SetId } => acts,
        // ---- components
        Move as ComponentMove { what: ExprId, to: ExprId, place: MovePlace, face_down: FaceDown } => acts,
        /// Each member in order.
        MoveAll as MoveOfAll { what: InOrder, to: ExprId, place: MovePlace, face_down: FaceDown } => acts,
        /// Moves onto a cell of an open grid, turned by this many quarters clockwise.
        MoveToCell as CellMove { what: ExprId, zone: ExprId, cell: ExprId, turned: ExprId, face_down: FaceDown } => acts,
        Draw as ComponentDraw { count: ExprId, from: ExprId, to: ExprId, face_down: FaceDown } => acts,
        Swap(one: ExprId, other: ExprId) => acts,
        /// The contents of each zone go to the next one, those of the last to the first.
        Rotate(zones: SetId) => acts,
        Shuffle(zone: ExprId) => acts + random,
        /// Rolls the members of the list that are dice.
        Roll(dice: SetId) => acts + random,
        TurnFace { what: InOrder, down: FaceDown } => acts,
        /// The seats of the list learn what the components are; `secretly`: the others do not notice.
        Show { what: InOrder, to: SetId, secretly: bool } => acts,
        // ---- people
        /// Waits for a choice; the options of the site say where to continue. Without any choice, jumps to the site's
        /// `otherwise`.
        Choose(site: SiteId) => acts + jumps + asks,
        /// Chance answers immediately.
        ChooseAtRandom(site: SiteId) => acts + jumps + random,
        /// Every seat of the list with a choice answers secretly; continues when all have answered.
        ChooseEach { site: SiteId, seats: SetId } => acts + jumps + asks,
        /// Every seat of the list with a choice gets a public decision; continues with the first answer that is not to
        /// decline.
        ChooseFirst { site: SiteId, seats: SetId } => acts + jumps + asks,
        // ---- the course of the game
        RoundBegin => acts,
        RoundEnd => acts,
        /// Sets the active seat and stores the previous one in a slot.
        TurnBegin { seat: ExprId, before: Local } => acts,
        TurnEnd { before: Local } => acts,
        /// Sets only the active seat and stores the previous one in a slot.
        AsBegin { seat: ExprId, before: Local } => acts,
        AsEnd { before: Local } => acts,
        /// `phase` is an ordinal of the enum `phase`.
        PhaseBegin { phase: i32, before: Local } => acts,
        PhaseEnd { before: Local } => acts,
        Score { seat: ExprId, by: ExprId } => acts,
        Say { text: TextId, to: Audience } => acts,
        /// Ranks all seats by the keys (evaluated with the seat in temp 0; as many expressions in a row as `count`), most
        /// first.
        FinishRanked as RankedFinish { keys: RowId, count: u16, ties_drawn: bool } => acts + finishes + row(Row::Count(*count)),
        FinishWonBy(seats: SetId) => acts + finishes,
        FinishDrawn => acts + finishes,
    }
}

impl Op {
    /// Returns whether components come to lie face down.
    pub fn turns_down(self) -> bool {
        let mut down = false;
        self.each_field(&mut |field| down |= matches!(field, Field::FaceDown(true)));
        down
    }

    /// Returns whether it can hide something that everybody could see: face-down components, or answers until all are given.
    pub fn hides(self) -> bool {
        self.turns_down() || matches!(self, Op::ChooseEach { .. })
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MovePlace {
    Top,
    Bottom,
    /// 1-based; clamped to the ends.
    At(ExprId),
}

/// An entry of [`super::Instructions::args`].
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
    /// The types of the first slots: lists (two slots) and values (one).
    pub params: Vec<Type>,
    pub list_params: Vec<bool>,
    /// All slots, parameters included.
    pub slots: u16,
    /// The slots that refer to components or zones at some time. Other slots hold other values, whatever their numbers
    /// are.
    pub of_components: Vec<SlotOf>,
    pub span: Span,
}

/// A name of an effect, and where its value lies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedSlot {
    pub name: String,
    pub slot: Local,
    pub of: Type,
    /// Two slots: the offset of the list from the first word of the frame, and its length.
    pub is_list: bool,
    /// Slots or pairs of slots, one for each seat, contain the answers to a simultaneous decision.
    pub by_seat: bool,
}

/// How a slot refers to components.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum SlotOf {
    Component(Local),
    /// This slot and the next contain the position of a list of them.
    Components(Local),
    /// A zone, possibly one inside a component.
    Zone(Local),
    Zones(Local),
}

/// The name of the option that declines.
pub const DECLINE: &str = "decline";

/// Asks a seat for the order of replacements or triggers.
pub const WHICH_FIRST: &str = "Which comes first?";

/// A place in the rules where a seat decides.
#[derive(Debug, Clone)]
pub struct Site {
    /// The name of the effect that contains it, with a number from the second one on; empty if only chance decides.
    pub name: String,
    /// Who decides; not used by `ChooseEach` and `ChooseFirst`.
    pub who: ExprId,
    /// `ChooseFirst`: the slot of the seat that answered.
    pub first: Option<Local>,
    /// `ChooseEach` with several options or for each member: where the numbers of the chosen options are.
    pub chosen: Option<ChosenOptions>,
    /// Whether seats that can only decline are asked, too.
    pub always: bool,
    /// `ChooseEach`: the temp and the local of the seat whose choices are enumerated. The temp is set to the deciding
    /// seat for every site.
    pub seat_temp: Temp,
    pub prompt: Option<TextId>,
    pub options: Vec<SiteOption>,
    /// Where to continue if no seat has a choice.
    pub otherwise: Address,
    /// Whether the rules say nothing about that case.
    pub is_expected: bool,
    /// Whether the last option is to decline. It is offered only in addition to other choices.
    pub may_decline: bool,
    /// A yes/no decision: two options named `yes` and `no`.
    pub is_ask: bool,
    /// The size of the window of temps for conditions and domains.
    pub temps: u16,
    pub span: Span,
    pub cites: Vec<ClauseId>,
}

impl Site {
    /// Creates a decision of a seat, still without options.
    pub fn new(who: ExprId, seat_temp: Temp, span: Span) -> Site {
        Site {
            name: String::new(),
            who,
            first: None,
            chosen: None,
            always: false,
            seat_temp,
            prompt: None,
            options: Vec::new(),
            otherwise: 0,
            is_expected: false,
            may_decline: false,
            is_ask: false,
            temps: 0,
            span,
            cites: Vec::new(),
        }
    }

    /// Returns the options except the one to decline.
    pub fn proper_options(&self) -> &[SiteOption] {
        let count = self.options.len() - usize::from(self.may_decline && !self.options.is_empty());
        self.options.get(..count).unwrap_or_default()
    }

    /// Returns whether the option means that the seat does not want to.
    pub fn declines(&self, option: u16) -> bool {
        let option = usize::from(option);
        match self.is_ask {
            true => option > 0,
            false => option >= self.proper_options().len(),
        }
    }

    /// Returns the members of which each has an answer of its own.
    pub fn members(&self) -> Option<SiteMembers> {
        self.chosen?.members
    }

    /// Returns the first slots of what all seats answer, and whether each answer is a list, which takes two.
    pub fn answers(&self) -> impl Iterator<Item = (Local, bool)> {
        let listed = self.members().is_some();
        let names = self.options.iter().flat_map(|option| &option.binders);
        let names = names.map(move |name| (name.local, listed || name.count != BinderSize::One));
        let chosen = self.chosen.iter().map(move |chosen| (chosen.first, listed));
        chosen.chain(names)
    }

    /// Returns whether it asks in the plain way: one seat, or each seat for one kind of choice, if there is any.
    pub fn is_plain(&self) -> bool {
        self.first.is_none() && self.chosen.is_none() && !self.always
    }
}

/// Where `ChooseEach` stores the numbers of the chosen options.
#[derive(Debug, Clone, Copy)]
pub struct ChosenOptions {
    /// The first of the slots, one for each seat; with members, two for each seat.
    pub first: Local,
    pub members: Option<SiteMembers>,
}

/// The members of a list about which a seat decides one after the other. The answers of a seat are lists with a value for each.
#[derive(Debug, Clone, Copy)]
pub struct SiteMembers {
    /// How many the deciding seat has.
    pub count: ExprId,
    /// The first of the slots, one for each seat, of the number of the member that is asked about, from 1.
    pub at: Local,
}

#[derive(Debug, Clone)]
pub struct SiteOption {
    /// Empty for a plain `choose`.
    pub name: String,
    /// The name in words, for options without a label.
    pub title: Localized,
    pub label: Option<TextId>,
    /// How the notation of the game writes it, the shortest first.
    pub forms: Vec<NotedForm>,
    /// All of them must hold for the option to be offered.
    pub conditions: Vec<Condition>,
    pub binders: Vec<BinderInfo>,
    /// The default when a seat's time runs out, if it is a choice of this option: the first one that fulfills these
    /// conditions, evaluated when all names are bound. At most one option of a site has them.
    pub default: Option<Vec<Condition>>,
    /// Where to continue when it is chosen.
    pub target: Address,
    pub cites: Vec<ClauseId>,
    pub span: Span,
}

impl SiteOption {
    /// Creates an option without a label, names and conditions.
    pub fn bare(name: String, title: Localized, target: Address, span: Span) -> SiteOption {
        SiteOption {
            name,
            title,
            label: None,
            forms: Vec::new(),
            conditions: Vec::new(),
            binders: Vec::new(),
            default: None,
            target,
            cites: Vec::new(),
            span,
        }
    }
}

/// A key of something on the table, which the values of a choice are, as a column is a key of squares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyOf {
    /// The place of the key among those of the family, and that of the active seat, if that is one of them.
    Zones {
        family: FamilyId,
        key: usize,
        owner: Option<usize>,
    },
    /// Of a variable with a value for each key.
    Variable(VarId),
}

/// A name bound by a choice. `domain` may use the temps of earlier binders.
#[derive(Debug, Clone)]
pub struct BinderInfo {
    pub name: String,
    pub of: Type,
    /// The list from which the value is chosen, without the filter.
    pub domain: SetId,
    /// The filter, as conjuncts with their clauses: all must hold, with the member in `temp`.
    pub filters: Vec<Condition>,
    /// Conditions on all chosen members together: all must hold, with the list in `temp` and the next one.
    pub together: Vec<Condition>,
    pub temp: Temp,
    /// The steps of a path.
    pub path: Option<PathInfo>,
    /// Whether chance counts repetitions, so that a member that occurs twice is twice as likely. For a seat, it is one
    /// choice.
    pub repeats: bool,
    /// The members that pass all filters, if a mask gives them. A zone is then walked only for its order.
    pub mask: Option<super::MaskId>,
    /// Whether some of the members can be alike: the choices then contain one of each kind, and the others are legal.
    pub alike: bool,
    /// Whether the number says by how many quarters a component is turned clockwise.
    pub is_rotation: bool,
    /// Where the answer is stored: one slot (value), two (list), or SEATS_MAX times that (simultaneous).
    pub local: Local,
    pub count: BinderSize,
    /// The keys that a number or a word is, as the conditions use it.
    pub keys: Vec<KeyOf>,
}

impl BinderInfo {
    /// Creates a name for one member of a list, without conditions.
    pub fn of_one(name: &str, of: Type, domain: SetId, temp: Temp, local: Local) -> BinderInfo {
        BinderInfo {
            name: name.to_owned(),
            of,
            domain,
            filters: Vec::new(),
            together: Vec::new(),
            temp,
            path: None,
            repeats: false,
            mask: None,
            alike: false,
            is_rotation: false,
            local,
            count: BinderSize::One,
            keys: Vec::new(),
        }
    }

    /// Returns the conditions on its members, and on all of them together.
    pub fn all_conditions(&self) -> impl Iterator<Item = &Condition> {
        self.filters.iter().chain(&self.together)
    }

    /// Returns the ends of the range from which one number is chosen by a seat; `None` for every other name.
    pub fn range(&self, program: &Program) -> Option<(ExprId, ExprId)> {
        let is_number = self.count == BinderSize::One && self.of == Type::Int;
        match program.sets.get(self.domain as usize) {
            Some(&Set::Range(low, high)) if is_number && !self.repeats => Some((low, high)),
            Some(_) | None => None,
        }
    }

    /// Returns whether a choice can have a value for it that is not listed: a text, or a number of a long range.
    pub fn may_be_given(&self, program: &Program) -> bool {
        self.is_text() || self.range(program).is_some()
    }

    pub fn is_text(&self) -> bool {
        matches!(self.count, BinderSize::Text { .. })
    }

    /// Returns whether several members are chosen, each at most once and in no order.
    pub fn is_subset(&self) -> bool {
        matches!(
            self.count,
            BinderSize::Any | BinderSize::Many { ordered: false, .. }
        )
    }

    /// Returns the name of the bundle of which this is an amount, and of which value; `None` for every other name.
    pub fn amount_in(&self) -> Option<(&str, &str)> {
        self.name.split_once('.')
    }

    /// Returns the name as the rules write it.
    pub fn whole_name(&self) -> &str {
        self.amount_in().map_or(&self.name, |(whole, _)| whole)
    }

    /// Returns the temp of a member in its filters.
    pub fn member(&self) -> Temp {
        self.path.map_or(self.temp, |path| path.member)
    }
}

/// A sequence in which the list of each member depends on those before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PathInfo {
    /// The value before the first member.
    pub start: ExprId,
    /// In the list of the next members: the last one.
    pub last: Temp,
    /// The next member in its filters; the members before are in the temps of the name.
    pub member: Temp,
}

/// Of a longer range of numbers, a choice is given and not listed.
pub const LISTED_MAX: i64 = 1_024;

/// The maximum number of members of a path, and of members that may repeat.
pub const LENGTH_MAX: usize = 100;

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum BinderSize {
    One,
    /// A list with a minimum and a maximum size; `ordered`: a sequence, otherwise a subset in the order of the domain.
    Many {
        least: ExprId,
        most: ExprId,
        ordered: bool,
    },
    /// All members in some order, or every subset: `most` is the size of the domain.
    Any,
    Permutation,
    /// Members that may repeat, in the order of the domain.
    Repeated {
        least: ExprId,
        most: ExprId,
    },
    /// A path; without numbers, until no member follows.
    Path {
        lengths: Option<(ExprId, ExprId)>,
    },
    /// A text of one letter or more, written by the seat.
    Text {
        most: ExprId,
        /// The words that are proposed.
        words: Option<WordTables>,
    },
}

/// The tables of a word list: where the letters of each word begin, and the letters of all. The words are sorted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WordTables {
    pub starts: TableId,
    pub letters: TableId,
}

impl BinderSize {
    /// Returns whether the order of the members says something.
    pub const fn is_ordered(self) -> bool {
        matches!(
            self,
            BinderSize::Permutation
                | BinderSize::Many { ordered: true, .. }
                | BinderSize::Path { .. }
                | BinderSize::Text { .. }
        )
    }

    /// Returns whether a member can occur more than once.
    pub const fn repeats(self) -> bool {
        matches!(
            self,
            BinderSize::Repeated { .. } | BinderSize::Path { .. } | BinderSize::Text { .. }
        )
    }
}

/// One conjunct of a condition, and the clauses that it implements.
#[derive(Debug, Clone)]
pub struct Condition {
    pub test: ExprId,
    pub cites: Vec<ClauseId>,
    pub span: Span,
}

/// A text with holes. The values of the holes are the same in every language; the words and their order differ.
#[derive(Debug, Clone)]
pub struct TextInfo {
    pub holes: Vec<Hole>,
    /// By [`Language`]; the first replaces missing ones.
    pub parts: Vec<Vec<TextPiece>>,
}

impl TextInfo {
    pub fn parts_in(&self, language: Language) -> &[TextPiece] {
        let own = self.parts.get(usize::from(language.0));
        own.or_else(|| self.parts.first())
            .map_or(&[], Vec::as_slice)
    }
}

/// The value of a hole in a text.
#[derive(Debug, Clone, Copy)]
pub enum Hole {
    Value(ExprId, Type),
    List(SetId, Type),
}

impl Hole {
    /// Returns the type of its value, or of the members of its list.
    pub fn of(self) -> Type {
        match self {
            Hole::Value(_, of) | Hole::List(_, of) => of,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TextPiece {
    Words(String),
    /// The hole with this number.
    Hole(usize),
}
