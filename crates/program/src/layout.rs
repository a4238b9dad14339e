//! The static layout of a game: kinds, components, zones, variables, and the offsets of their values in the state.

use super::{ExprId, Localized, ProgramName, TableId};

pub type EnumId = u16;
pub type KindId = u16;
pub type ComponentId = u16;
pub type FamilyId = u16;
pub type ZoneId = u16;
pub type VarId = u16;

/// The zone of all components out of play; always number 0.
pub const BOX: ZoneId = 0;

/// The meaning of an `i32`, for names in views, choices and texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Type {
    Int,
    Bool,
    Seat,
    Enum(EnumId),
    /// A component of this kind (or family of kinds); any component if `None`.
    Component(Option<KindId>),
    /// A zone of this family; any zone if `None`.
    Zone(Option<FamilyId>),
    /// A place of a grid, packed by [`cell`].
    Cell,
    /// north, east, south, west: 0 to 3, clockwise
    Side,
    /// A list in a list of lists, by their numbers: only while a constant is worked out.
    Row(u16),
    /// A member of a table of records, by its number in the table: only while rules are translated.
    Record(u16),
    /// How many of a value of the enum: only in lists, which have one for each value, in their order.
    Amounts(EnumId),
    /// A character of a text, by its number in Unicode: only in lists, which are texts.
    Letter,
}

/// The kind of thing in play that a value names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refers {
    ToComponent,
    /// Possibly to one inside a component.
    ToZone,
    ToNothing,
}

impl Type {
    pub fn refers(self) -> Refers {
        match self {
            Type::Component(_) => Refers::ToComponent,
            Type::Zone(_) => Refers::ToZone,
            Type::Int
            | Type::Bool
            | Type::Seat
            | Type::Enum(_)
            | Type::Cell
            | Type::Side
            | Type::Row(_)
            | Type::Record(_)
            | Type::Amounts(_)
            | Type::Letter => Refers::ToNothing,
        }
    }
}

/// Returns the text of letters; other numbers are left out.
pub fn text_of(letters: impl IntoIterator<Item = i32>) -> String {
    let chars = letters.into_iter();
    let chars = chars.filter_map(|letter| char::from_u32(u32::try_from(letter).ok()?));
    chars.collect()
}

/// Packs a place of an unbounded grid; both coordinates within ±16,000, x to the east, y to the south.
pub const fn cell(x: i32, y: i32) -> i32 {
    ((y + 16_384) << 15) | (x + 16_384)
}

/// Returns the coordinates of a packed [`cell`].
pub const fn cell_xy(cell: i32) -> (i32, i32) {
    ((cell & 0x7fff) - 16_384, (cell >> 15) - 16_384)
}

#[derive(Debug, Clone)]
pub struct EnumInfo {
    pub name: String,
    pub values: Vec<String>,
    /// The titles of the values; a value without a title is shown by its name.
    pub titles: Vec<Localized>,
}

/// The form of the cells of open grids.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum CellForm {
    #[default]
    Square,
    Hexagon,
}

/// The number of rotations for which tables have a row: a power of two, and at least the number of sides of a cell.
pub const ROTATIONS: i32 = 8;

impl CellForm {
    /// Returns the names of the sides, clockwise.
    pub const fn sides(self) -> &'static [&'static str] {
        match self {
            CellForm::Square => &["north", "east", "south", "west"],
            CellForm::Hexagon => &[
                "north_east",
                "east",
                "south_east",
                "south_west",
                "west",
                "north_west",
            ],
        }
    }

    /// Returns the number of sides, and of the ways in which a tile can be turned.
    pub const fn count(self) -> i32 {
        self.sides().len() as i32
    }
}

/// A kind of component, or a family of kinds (then `first..first + count` covers all its kinds).
#[derive(Debug, Clone)]
pub struct KindInfo {
    pub name: String,
    pub title: Localized,
    pub text: Localized,
    pub family: Option<KindId>,
    pub first: u32,
    pub count: u32,
    /// In the order of declaration, inherited ones first.
    pub fields: Vec<FieldInfo>,
    /// A die: its field `face` is [`FieldInfo`] number `face`, with this many sides (values `faces[i]`).
    pub die: Option<DieInfo>,
    /// Whether only their fields distinguish components of this kind (copies).
    pub has_copies: bool,
    /// Whether a zone can hold it in which the order means nothing. Then it does not matter either which copy is which.
    pub alike: bool,
}

#[derive(Debug, Clone)]
pub struct DieInfo {
    pub field: usize,
    pub faces: Vec<i32>,
}

#[derive(Debug, Clone)]
pub struct FieldInfo {
    pub name: String,
    pub of: Type,
    pub at: FieldPlace,
    /// Whether the field stays visible when the component is hidden, because it is printed on the back.
    pub on_back: bool,
}

impl FieldInfo {
    /// Returns whether it can refer to different components in play.
    pub fn refers(&self) -> bool {
        matches!(self.of, Type::Component(_)) && matches!(self.at, FieldPlace::Changing { .. })
    }

    /// Returns the word of the variables with its value for a component, if it can change.
    pub fn word_of(&self, component: i32) -> Option<u32> {
        match self.at {
            FieldPlace::Changing { offset, first } => {
                Some(offset + u32::try_from(component).ok()?.checked_sub(first)?)
            }
            FieldPlace::Constant(_) | FieldPlace::ConstantList { .. } => None,
        }
    }
}

/// Where the values of a field are stored; both are indexed by component number minus `first` of a kind or family.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FieldPlace {
    /// `tables[table][component]` (indexed by the component's own number)
    Constant(TableId),
    /// A list: `tables[members]` from `tables[starts][component]` to the next start
    ConstantList { starts: TableId, members: TableId },
    /// a word of the state: `vars[offset + component - first]`
    Changing { offset: u32, first: u32 },
}

#[derive(Debug, Clone)]
pub struct ComponentInfo {
    /// The most specific kind.
    pub kind: KindId,
    /// Kind, keys, and the number of the copy if there are copies.
    pub naming: ProgramName,
    /// The zone inside it.
    pub holds: Option<ZoneId>,
    pub starts_in: ZoneId,
}

#[derive(Debug, Clone)]
pub struct FamilyInfo {
    pub name: String,
    pub title: Localized,
    pub keys: Vec<KeyInfo>,
    pub fields: Vec<FieldInfo>,
    pub first: ZoneId,
    pub count: u16,
    /// By the place of a combination of keys among all of them: its zone, or none. `None` if every combination has one.
    pub places: Option<TableId>,
    /// An unbounded grid: its components have cells (see [`cell`]) and rotations.
    pub open_grid: bool,
    /// Two keys are coordinates of a bounded grid (indexes into `keys`): column, row.
    pub grid: Option<(usize, usize)>,
    pub track: Option<usize>,
    /// Whether the order of the components in its zones means nothing.
    pub any_order: bool,
}

/// One key of a zone family. The place of a combination of keys is the sum over keys of position × stride; see
/// [`super::Program::zone_at_place`].
#[derive(Debug, Clone)]
pub struct KeyInfo {
    pub name: String,
    pub of: Type,
    pub values: Vec<i32>,
    pub stride: u16,
    /// By zone number: the key's value. Also usable as a field.
    pub table: TableId,
    /// `positions[value - low]`, or -1.
    pub low: i32,
    pub positions: Vec<i32>,
}

/// Who sees which components of a zone. A face-down component is hidden in every zone except `Owner` ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum See {
    All,
    Owner,
    /// Only the number of components (and the back of the top one).
    Count,
    /// Not even the number.
    Nothing,
    /// Everybody sees the top one; the others are counted.
    Top,
    /// A condition with the viewer in temp 0 (and the zone in temp 1).
    If(ExprId),
}

#[derive(Debug, Clone)]
pub struct ZoneInfo {
    pub family: FamilyId,
    pub naming: ProgramName,
    /// The component that contains it.
    pub inside: Option<ComponentId>,
    /// The seat of its key `owner`, if it has one.
    pub owner: Option<u8>,
    pub see: See,
    pub capacity: Option<u16>,
}

/// A variable: `len` words from `offset` (one, or one for each member of `index`).
#[derive(Debug, Clone)]
pub struct VarInfo {
    pub name: String,
    pub title: Localized,
    pub of: Type,
    /// `None` for a single value; then `len` is 1.
    pub index: Option<Type>,
    /// The index value of word i is `low + i`.
    pub low: i32,
    pub offset: u32,
    pub len: u32,
    pub start: i32,
    /// The first value of each word, if they differ.
    pub starts: Vec<i32>,
    pub see: See,
    pub lasts: Lasts,
    /// Not shown to people, because the compiler created it.
    pub internal: bool,
    pub role: VarRole,
    /// The variable of records that it is a part of.
    pub part: Option<PartOf>,
}

/// A part of a variable whose values are records: `bid.amount`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartOf {
    pub variable: String,
    pub part: String,
    /// Of bundles: the type of which `part` is a value.
    pub bundle_of: Option<EnumId>,
    /// Of bundles in records: the part of the record that the bundle is.
    pub within: Option<Box<PartOf>>,
}

/// The role of the words of a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VarRole {
    Values,
    /// The lengths of lists. As many variables as this number follow, with the first members, the second ones and so on.
    Lengths {
        of: Type,
        most: u32,
    },
    Members,
}

impl VarInfo {
    /// Returns the first value of a word, from 0.
    pub fn start_of(&self, word: u32) -> i32 {
        let own = self.starts.get(word as usize);
        own.copied().unwrap_or(self.start)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lasts {
    Game,
    Round,
    Turn,
    /// The value of a seat lasts until its next turn begins.
    UntilTurn,
}

/// Variables of every game, at these numbers; `score` has one word per seat.
pub const VAR_ACTIVE: VarId = 0;
pub const VAR_ROUND: VarId = 1;
pub const VAR_TURN: VarId = 2;
/// The phase's number in [`super::Op::PhaseBegin`]'s text table; see [`EnumInfo`] named `phase`.
pub const VAR_PHASE: VarId = 3;
pub const VAR_SCORE: VarId = 4;
