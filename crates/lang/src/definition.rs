//! A game as written: the YAML with its effect texts parsed, every value with its location.
//!
//! Every list has the order of the file. Names are not resolved here.

use std::sync::Arc;

use crate::ast::{Block, Expr, ExprKind, Name, Signature, Text};
use wyrmgate_base::diagnostic::{FileId, Span};

/// A text for people in the language of the rules; empty if missing. [`TranslationDef`]s contain the others.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PlainText {
    pub text: String,
    pub span: Span,
}

/// The root of `game.yaml` (with the files it includes).
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Definition {
    /// `game: cliff-race`
    pub name: Name,
    pub texts: GameTexts,
    pub origin: Origin,
    /// `players: 2..5` or `players: [2, 4, 6]`, with the clause cited
    pub players: Expr,
    /// `bound: 20000`: the maximum number of decisions under random play
    pub bound: Option<(u32, Span)>,
    pub options: Vec<OptionDef>,
    pub values: ValueDefs,
    pub zones: Vec<ZoneDef>,
    pub components: Vec<ComponentDef>,
    pub vars: Vec<VarDef>,
    pub positions: PositionDefs,
    pub behavior: Behavior,
    pub clauses: Vec<ClauseDef>,
    /// The appearance of things: the section, then the keys `look` in the order of the file.
    pub looks: Vec<LookDef>,
    /// Warnings that are intended.
    pub allow: Vec<AllowDef>,
}

impl Definition {
    /// Returns every kind of component: each family, followed by its kinds.
    pub fn all_kinds(&self) -> impl Iterator<Item = &ComponentDef> {
        self.components.iter().flat_map(ComponentDef::with_kinds)
    }

    /// Returns the behavior of the game, then that of every kind.
    pub fn behaviors(&self) -> impl Iterator<Item = &Behavior> {
        let of_kinds = self.all_kinds().map(|kind| &kind.behavior);
        std::iter::once(&self.behavior).chain(of_kinds)
    }

    /// Returns whether overlays change the rules that stand here, so that some of these may have lost their use.
    pub fn is_overlaid(&self, span: Span) -> bool {
        self.origin
            .overlaid_from
            .is_some_and(|first| span.file < first)
    }

    /// Returns whether an overlay contains this.
    pub fn is_of_overlay(&self, span: Span) -> bool {
        self.origin
            .overlaid_from
            .is_some_and(|first| span.file >= first)
    }
}

/// What a game is called, and what is said about it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct GameTexts {
    /// `title: …`
    pub title: PlainText,
    /// `language: en`: the language of the rules
    pub language: Option<Name>,
    pub translations: Vec<TranslationDef>,
    /// `about: …`: one or two sentences for the catalog
    pub about: PlainText,
    pub notation: NotationDef,
}

/// `notation: {file: pgn, choices: {move: "{from}{to}"}}`: how choices are written for other programs
#[derive(Debug, Clone, Default, PartialEq)]
pub struct NotationDef {
    /// `file: pgn`
    pub file: Option<Name>,
    pub tags: Vec<(Name, Text)>,
    /// `letters: {file: abcdefgh}`: the texts for the values of a type, a field or a query
    pub letters: Vec<(Name, Vec<String>)>,
    /// `after: {checked: ["+", "#"]}`: a query, and what is added when it holds after the choice, also when the game is over
    pub after: Vec<(Name, Vec<String>)>,
    /// The name of an option, or the names that a decision without options binds, and the texts of a choice.
    pub choices: Vec<(Name, Vec<Text>)>,
    /// `position: ["{stands(it)}", "{active}"]`: what stands on a space, and the words after the rows
    pub position: Vec<Text>,
}

/// The files of a definition.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Origin {
    /// The name of the folder of `game.yaml`; empty if it is not known.
    pub folder: String,
    /// The first file of an overlay.
    pub overlaid_from: Option<FileId>,
}

/// The types and the constants of a game.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ValueDefs {
    pub types: Vec<EnumDef>,
    /// The types under `types` that have parts instead of values.
    pub records: Vec<RecordDef>,
    pub data: Vec<DataDef>,
}

/// The positions of a game.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PositionDefs {
    /// Those that the game can remember, with the values that make them.
    pub kept: Vec<DataDef>,
    /// How positions are drawn.
    pub drawn: Option<StartDef>,
}

/// What the game, or a kind of components, computes and does.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Behavior {
    pub queries: Vec<QueryDef>,
    pub effects: Vec<EffectDef>,
    pub handlers: Vec<HandlerDef>,
    pub modifiers: Vec<ModifierDef>,
    /// `draws: never`: whether the players may agree on a draw
    pub draws: Option<bool>,
}

impl Behavior {
    /// Returns the places and the signatures of all parts.
    pub fn signatures(&self) -> impl Iterator<Item = (Span, &Signature)> {
        let queries = self.queries.iter().map(|d| (d.span, &d.signature));
        let effects = self.effects.iter().map(|d| (d.span, &d.signature));
        let handlers = self.handlers.iter().map(|d| (d.span, &d.signature));
        let modifiers = self.modifiers.iter().map(|d| (d.span, &d.signature));
        queries.chain(effects).chain(handlers).chain(modifiers)
    }
}

/// The effects that letters of a position call: the letters, and the name of the effect
pub type Legend = Vec<(Name, Name)>;

/// `start: {on: square, rows: …, letters: {xo: stands}}`, without its rows, which become the effect `set_up`
#[derive(Debug, Clone, PartialEq)]
pub struct StartDef {
    /// The family of zones on which letters stand.
    pub on: Name,
    pub letters: Legend,
    /// The meanings of the words after the rows, in order.
    pub then: Vec<Legend>,
    /// The variables that an entry can name instead of an effect, with their types.
    pub variables: Vec<(String, String)>,
    /// The spaces that have a letter in a drawing, or are named behind it.
    pub spaces: Vec<DrawnSpace>,
    /// The spaces right of the lowest row and above the first column, which a drawing of the whole board does not have.
    pub beyond: Vec<DrawnSpace>,
}

/// A space that a drawn position names.
#[derive(Debug, Clone, PartialEq)]
pub struct DrawnSpace {
    pub column: i32,
    pub row: i32,
    /// The place of the drawing.
    pub span: Span,
}

impl StartDef {
    /// Returns the effects that letters can call, in any position.
    pub fn called(&self) -> impl Iterator<Item = &Name> {
        let legends = std::iter::once(&self.letters).chain(&self.then);
        legends.flatten().map(|(_, effect)| effect)
    }
}

/// `blocks: {type: 0..5, default: 0, title: …, text: …, requires: …, excludes: …}`
#[derive(Debug, Clone, PartialEq)]
pub struct OptionDef {
    pub name: Name,
    pub of: OptionType,
    pub default: Expr,
    pub title: PlainText,
    pub text: PlainText,
    /// conditions over options and `seats` that must hold (`requires: team = none or size(seats) in [4, 6]`)
    pub requires: Vec<Expr>,
    /// The source text of each condition, in the same order
    pub wordings: Vec<Wording>,
    /// The query whose value at the end is that of the option in a rematch
    pub campaign: Option<Name>,
    /// The clauses that the option implements
    pub cites: Vec<Name>,
}

/// A condition of an option as its author wrote it.
#[derive(Debug, Clone, PartialEq)]
pub struct Wording {
    pub text: String,
    /// Whether the condition is under `excludes` and must not hold.
    pub excludes: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub enum OptionType {
    /// `type: bool`
    Bool,
    /// `type: 0..5`; `type: 12..36 by 2`
    Range { low: i32, high: i32, step: i32 },
    /// `type: [once, twice]`
    OneOf(Vec<Name>),
}

/// `color: [red, yellow]`
#[derive(Debug, Clone, PartialEq)]
pub struct EnumDef {
    pub name: Name,
    pub values: Vec<Name>,
    pub titles: Vec<PlainText>,
}

/// `claim: {by: seat, on: color, amount: int}`: a type whose values consist of parts
#[derive(Debug, Clone, PartialEq)]
pub struct RecordDef {
    pub name: Name,
    /// The name and the type of each part.
    pub parts: Vec<(Name, Name)>,
    /// `purse: bundle of gem`: the type whose values are the parts, which are numbers.
    pub bundle_of: Option<Name>,
}

/// `bonus: [7, 3, 5, 7, 9]`: a constant, a list, or a list by option (`{if: …, then: …, else: …}` as an expression).
/// A data value is written as YAML scalars and lists, or as an expression in a string.
#[derive(Debug, Clone, PartialEq)]
pub struct DataDef {
    pub name: Name,
    pub value: Expr,
}

/// `hand: {each: {owner: seats}, holds: card, see: owner}`
#[derive(Debug, Clone, PartialEq)]
pub struct ZoneDef {
    pub name: Name,
    pub title: PlainText,
    /// `each: {path: paths, at: 1..10}`: one zone for each combination; the keys are fields of the zone
    pub each: Vec<(Name, Expr)>,
    /// `holds: card`: the kind, or family of kinds, that it can hold; anything if absent
    pub holds: Option<Name>,
    /// `see: all | owner | nobody | count | nothing | top`, or a condition over `viewer` and the keys
    pub see: Option<(Expr, Span)>,
    /// `if: abs(column - row) < 5`: zones whose keys do not fulfill it do not exist
    pub condition: Option<Expr>,
    /// `capacity: 1`
    pub capacity: Option<Expr>,
    /// `order: any`: the order of the components means nothing
    pub any_order: bool,
    /// `grid: [column, row]`: two of the keys are coordinates; `grid: open`: an unbounded grid; or `corners`, `sides`, `joins`
    pub grid: Option<GridDef>,
    /// `directions: orthogonal`: the directions in which spaces of the grid are adjacent
    pub directions: Option<Expr>,
    /// `lines: [[1, 2, 3], [3, 4, 5]]`: the straight lines of a board that is not a grid
    pub lines: Option<Expr>,
    /// `coordinates: a1`: spaces are named with a letter and a number
    pub coordinates: Option<Span>,
    /// `track: at`: this key orders the spaces
    pub track: Option<Name>,
    /// `fields: {number: max(0, at - plain)}`: constants of each zone, over its keys
    pub fields: Vec<(Name, Expr)>,
}

#[derive(Debug, Clone, PartialEq)]
pub enum GridDef {
    /// `grid: open`, or (true) `grid: open hexagons`
    Open(Span, bool),
    Keys(Name, Name),
    /// `corners: land`: the corners of the spaces of a grid
    Corners(Name),
    /// `sides: land`: the sides of the spaces of a grid
    Sides(Name),
    /// `joins: [town(a), town(b)]`: the two zones that each zone lies between
    Joins(Expr),
}

/// ```yaml
/// card:
///   kinds:
///     dragon: {each: {color: color, rank: 1..7}}
///     ice: {copies: 4}
///   in: deck
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct ComponentDef {
    pub name: Name,
    /// `plural: dice`; by default the name plus `s`
    pub plural: Option<Name>,
    pub title: PlainText,
    pub text: PlainText,
    /// `each: {owner: seats, path: paths}`: one for each combination; the keys are fields
    pub each: Vec<(Name, Expr)>,
    /// `copies: 4`: that many of each combination; may depend on options
    pub copies: Option<Expr>,
    /// `if: option`: the component exists only if this holds
    pub condition: Option<Expr>,
    /// `faces: element`: a die; the field `face` is the side facing up
    pub faces: Option<Expr>,
    /// `fields: {cost: 3, laps: int, named: color}`: a constant value over the keys, or the name of a type for a field
    /// that changes during play (initially 0, false or none)
    pub fields: Vec<(Name, Expr)>,
    /// `back: [courage, footprint]`: fields that stay visible when the component is hidden
    pub back: Vec<Name>,
    /// `holds: {cards: card}`: it contains a zone of its own
    pub holds: Option<HoldsDef>,
    /// `in: reserve(owner)`: where it begins; out of play (`box`) if absent
    pub starts_in: Option<Expr>,
    pub behavior: Behavior,
    /// `kinds:` — the kinds of this family; they inherit everything above
    pub kinds: Vec<ComponentDef>,
    pub cites: Vec<Name>,
}

impl ComponentDef {
    /// Returns the family, followed by its kinds.
    pub fn with_kinds(&self) -> impl Iterator<Item = &ComponentDef> {
        std::iter::once(self).chain(&self.kinds)
    }

    /// Returns the name of the list of all its components.
    pub fn plural_name(&self) -> Name {
        let regular = || Name::new(format!("{}s", self.name.text), self.name.span);
        self.plural.clone().unwrap_or_else(regular)
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct HoldsDef {
    /// the name of the zone inside: `cards`
    pub field: Name,
    pub of: Name,
    pub see: Option<(Expr, Span)>,
}

/// `starter: seat`, `bid: {each: seats, type: int, see: all, lasts: round, start: 0}`
#[derive(Debug, Clone, PartialEq, Default)]
pub struct VarDef {
    pub name: Name,
    pub of: Name,
    /// `each: {from: seats, to: color}`: the keys before the last one
    pub rows: Vec<(Name, Expr)>,
    /// The name of the last key, if the keys have names.
    pub key: Option<Name>,
    pub each: Option<Expr>,
    /// `most: 12`: a list has at most this many members
    pub most: Option<Expr>,
    pub see: Option<(Expr, Span)>,
    pub start: Option<Expr>,
    /// `lasts: round` or `lasts: turn`: reset to `start` at its end
    pub lasts: Option<Name>,
}

/// `rider(dragon d): the(seats where mount(it) = d)`
#[derive(Debug, Clone, PartialEq)]
pub struct QueryDef {
    pub signature: Signature,
    pub body: Expr,
    pub span: Span,
}

/// `dragon d moves int n: |` …
#[derive(Debug, Clone, PartialEq)]
pub struct EffectDef {
    pub signature: Signature,
    /// Shared by a game and its variants
    pub body: Arc<Block>,
    pub span: Span,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum When {
    Before,
    Instead,
    After,
}

/// `before seat p loses a coin: {if: …, do: …}` (or the effect text alone)
#[derive(Debug, Clone, PartialEq)]
pub struct HandlerDef {
    pub when: When,
    pub signature: Signature,
    pub condition: Option<Expr>,
    /// `once: true`: it does not handle what it does itself
    pub once: Option<Expr>,
    /// `by: p`: the seat that decides which of several such handlers comes first
    pub by: Option<Expr>,
    /// `waits: true`: it runs at the next `resolve`, not at once
    pub waits: Option<Expr>,
    /// `keeps: {from: c.zone}`: values as they were before the event
    pub keeps: Vec<(Name, Expr)>,
    /// `within: played(card c, seat p)`: it runs only while this effect does
    pub within: Option<(Signature, Span)>,
    /// `name: second_wind`: its name in decisions between handlers
    pub name: Option<Name>,
    pub body: Arc<Block>,
    pub span: Span,
}

impl HandlerDef {
    pub fn is_once(&self) -> bool {
        let once = self.once.as_ref();
        once.is_some_and(|once| once.kind == ExprKind::Bool(true))
    }

    pub fn does_wait(&self) -> bool {
        let waits = self.waits.as_ref();
        waits.is_some_and(|waits| waits.kind == ExprKind::Bool(true))
    }

    /// Returns its expressions besides those in its body.
    pub fn exprs(&self) -> impl Iterator<Item = &Expr> {
        let kept = self.keeps.iter().map(|(_, value)| value);
        self.condition.iter().chain(&self.by).chain(kept)
    }
}

/// `power(card c): {if: c.owner = me.owner, add: 1}`: what changes the value of a query
#[derive(Debug, Clone, PartialEq)]
pub struct ModifierDef {
    pub signature: Signature,
    pub condition: Option<Expr>,
    pub set: Option<Expr>,
    pub add: Option<Expr>,
    /// `layer: 2`: applies after those of layer 1
    pub layer: Option<(u32, Span)>,
    pub span: Span,
}

impl ModifierDef {
    pub fn exprs(&self) -> impl Iterator<Item = &Expr> {
        self.condition.iter().chain(&self.set).chain(&self.add)
    }
}

/// `WAY-05: Up to twice, any of the dice may be rolled again.`
#[derive(Debug, Clone, PartialEq)]
pub struct ClauseDef {
    pub id: Name,
    pub text: PlainText,
}

/// `die: {as: die, symbol: face}`: how a zone, a component, a variable or the values of a type appear
#[derive(Debug, Clone, PartialEq, Default)]
pub struct LookDef {
    pub name: Name,
    /// Whether it is an entry of the section, not a key of what it describes.
    pub is_entry: bool,
    pub parts: Vec<(Name, LookPart)>,
    /// `element: {fire: {color: red}}`: the values of a type
    pub values: Vec<(Name, Vec<(Name, LookPart)>)>,
}

#[derive(Debug, Clone, PartialEq)]
pub enum LookPart {
    /// `big: rank`, `corner: [courage, footprints]`
    Words(Vec<Name>),
    /// `symbol: {fire: flame}`
    ByValue(Vec<(Name, Name)>),
    /// `to: line + 15`
    Value(Expr),
    /// `back: {corner: courage}`
    Inner(Vec<(Name, LookPart)>),
}

/// `unused take_turn: The variants use it.`: warnings with this code are intended, if a name follows only those about it
#[derive(Debug, Clone, PartialEq)]
pub struct AllowDef {
    pub code: Name,
    pub about: Option<String>,
    pub reason: PlainText,
}

/// ```yaml
/// es:
///   Play a card: Juega una carta
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct TranslationDef {
    pub language: Name,
    /// The original text, or the id of a clause, and its translation
    pub texts: Vec<(Name, Name)>,
}
