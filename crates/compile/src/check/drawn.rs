//! Spaces that a drawn position names although they exist in no setup: what stands there would be lost without a word. And
//! drawings that are smaller than the board in every setup: they would lie in a corner of it.

use wyrmgate_base::diagnostic::{Diagnostic, Report};
use wyrmgate_lang::definition::{DrawnSpace, StartDef};
use wyrmgate_program::{FamilyInfo, NONE, Program};

use super::checked::Checked;

/// Spaces of the drawn start position that exist in none of the programs examined so far.
pub struct Missing<'d> {
    start: Option<&'d StartDef>,
    spaces: Option<Vec<&'d DrawnSpace>>,
    /// Spaces outside of the drawing that exist in all of them.
    beyond: Vec<&'d DrawnSpace>,
}

impl<'d> Missing<'d> {
    pub fn of(checked: &'d Checked) -> Missing<'d> {
        let start = checked.definition.positions.drawn.as_ref();
        Missing {
            start,
            spaces: None,
            beyond: start.into_iter().flat_map(|start| &start.beyond).collect(),
        }
    }

    /// Returns the spaces that this program does not have.
    pub fn from(program: &Program, checked: &Checked) -> Vec<DrawnSpace> {
        let Some(start) = &checked.definition.positions.drawn else {
            return Vec::new();
        };
        let mut families = program.families.iter();
        let Some(board) = families.find(|family| family.name == start.on.text) else {
            return Vec::new();
        };
        let spaces = start.spaces.iter().chain(&start.beyond);
        let missing = spaces.filter(|space| !exists(program, board, space));
        missing.cloned().collect()
    }

    /// Removes the spaces that another program has.
    pub fn keep(&mut self, missing: &[DrawnSpace]) {
        let Some(start) = self.start else { return };
        let before = self.spaces.take();
        let mut spaces = before.unwrap_or_else(|| start.spaces.iter().collect());
        spaces.retain(|space| missing.contains(space));
        self.spaces = Some(spaces);
        self.beyond.retain(|space| !missing.contains(space));
    }

    pub fn report(self, report: &mut Report) {
        let Some(start) = self.start else { return };
        let on = &start.on.text;
        let has_board = self.spaces.is_some();
        for space in self.spaces.into_iter().flatten() {
            let message = format!(
                "this is `{on}({}, {})`, which does not exist",
                space.column, space.row
            );
            let help = format!(
                "the first letter of a row is column 1, the last row is row 1; write a `.` where `{on}` has no space"
            );
            report.push(Diagnostic::error("drawn-space", space.span, message).help(help));
        }
        if let Some(space) = self.beyond.first().filter(|_| has_board) {
            let message = format!(
                "the drawing is smaller than the board: it has no `{on}({}, {})`",
                space.column, space.row
            );
            let help = "draw every row and every space of it; `.` is an empty space, a number stands for several";
            report.push(Diagnostic::error("drawn-board", space.span, message).help(help));
        }
    }
}

fn exists(program: &Program, board: &FamilyInfo, space: &DrawnSpace) -> bool {
    let [column, row] = board.keys.as_slice() else {
        return true; // a call with two keys is an error of its own
    };
    let mut place = 0;
    for (key, value) in [(column, space.column), (row, space.row)] {
        let Some(position) = key.values.iter().position(|known| *known == value) else {
            return false;
        };
        place += position as i32 * i32::from(key.stride);
    }
    program.zone_at_place(board, place) != NONE
}
