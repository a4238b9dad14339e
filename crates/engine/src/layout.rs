//! The layout of the words of a state: the header; three words per zone; a row per component; all variables.

use wyrmgate_program::{CellForm, Lasts, Program};

/// Words of the header.
pub mod header {
    /// The number of decisions made.
    pub const DECISIONS: usize = 0;
    /// The number of random operations; see [`crate::rng`].
    pub const DRAWS: usize = 1;
    /// Where to continue, as an index into the code.
    pub const PC: usize = 2;
    /// The running frame's place on the stack.
    pub const BASE: usize = 3;
    /// The number of frames on the stack.
    pub const DEPTH: usize = 4;
    /// The pending site, or NONE.
    pub const SITE: usize = 5;
    /// Seats that owe a decision, as bits.
    pub const OWING: usize = 6;
    /// 1 for a simultaneous decision; about members of lists, it is one more for each answer.
    pub const SECRET: usize = 7;
    pub const LEN: usize = 8;
}

/// Words of a zone.
pub const ZONE_WORDS: usize = 3;
pub const FIRST: usize = 0;
pub const LAST: usize = 1;
pub const COUNT: usize = 2;

/// Words of a component.
pub const ZONE: usize = 0;
pub const NEXT: usize = 1;
pub const PREVIOUS: usize = 2;
pub const FLAGS: usize = 3;
pub const CELL: usize = 4;
pub const ROTATION: usize = 5;

/// Flag: lies face down.
pub const FACE_DOWN: i32 = 1;
/// Flags from here: seat s has been shown this component.
pub const SHOWN_SHIFT: i32 = 1;
/// All flags there are.
pub const FLAGS_ALL: i32 = (1 << (SHOWN_SHIFT + wyrmgate_program::SEATS_MAX as i32)) - 1;

/// The offsets in the words, derived from the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct StateLayout {
    pub seats: usize,
    pub zones: usize,
    pub components: usize,
    /// The number of words per component.
    pub row: usize,
    pub components_at: usize,
    pub vars_at: usize,
    pub vars: usize,
    /// The size of the lowest window of temps: large enough for every expression.
    pub temps: usize,
    /// Where the built-in variables are: active, round, turn, phase, score.
    pub built_in: [u32; 5],
    /// The number of words of the variables that every game has, which come first.
    pub course_words: u32,
    /// The form of the cells of open grids.
    pub cells: CellForm,
    /// Whether variables are reset at the end of a turn.
    pub forgets_turns: bool,
    /// Whether values of a seat are reset when its turn begins.
    pub forgets_own_turns: bool,
}

impl StateLayout {
    pub fn of(program: &Program) -> StateLayout {
        let open = program.families.iter().any(|family| family.open_grid);
        let row = if open { 6 } else { 4 };
        let zones = program.zones.len();
        let components = program.components.len();
        let components_at = header::LEN + zones * ZONE_WORDS;
        StateLayout {
            seats: program.seats,
            zones,
            components,
            row,
            components_at,
            vars_at: components_at + components * row,
            vars: program.room.var_words,
            temps: program.lowest_window(),
            cells: program.identity.cells,
            course_words: program.course_words(),
            forgets_turns: program.vars.iter().any(|var| var.lasts == Lasts::Turn),
            forgets_own_turns: program.vars.iter().any(|var| var.lasts == Lasts::UntilTurn),
            built_in: std::array::from_fn(|i| {
                let var = program.vars.get(i);
                var.map_or(u32::MAX, |var| var.offset)
            }),
        }
    }

    pub fn words(&self) -> usize {
        self.vars_at + self.vars
    }

    pub fn has_cells(&self) -> bool {
        self.row > CELL
    }
}
