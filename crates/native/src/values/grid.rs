//! Open grids: the contents of a cell and its neighbors, read from the table that the interpreter maintains.

use std::mem::offset_of;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};

use crate::lists::list_helper;
use crate::masks::bits::MaskBits;
use crate::memory::context::Context;
use crate::memory::grid::OpenGrid;
use crate::translator::emit::{GRIDS, Translator, at, offset};
use crate::translator::known::ScalarValue;
use wyrmgate_engine::eval::REACH;
use wyrmgate_program::{
    BitsId, CellForm, Domain, ExprId, MaskId, NONE, Program, ROTATIONS, cell, cell_xy,
};

/// The number of bits for the column in a packed cell.
const COLUMN_BITS: i64 = 15;

/// From a place to the one south of it.
const SOUTH: i32 = cell(0, 1) - cell(0, 0);

/// The distance from a cell to its neighbor on each side, for squares and hexagons.
static SQUARES: [i32; 4] = [-SOUTH, 1, SOUTH, -1];
static HEXAGONS: [i32; 6] = [-SOUTH, 1, SOUTH + 1, SOUTH, -1, -SOUTH - 1];

fn steps(program: &Program) -> &'static [i32] {
    match program.identity.cells {
        CellForm::Square => &SQUARES,
        CellForm::Hexagon => &HEXAGONS,
    }
}

const fn of_grid(field: usize) -> i32 {
    at(offset_of!(Context, grid) + field)
}

impl Translator<'_> {
    /// Emits the row of a mask that the contents of a cell's neighbors select; `None` leaves it to the interpreter.
    pub fn around(
        &mut self,
        id: MaskId,
        domain: Domain,
        zone: ExprId,
        place: ExprId,
        rows: BitsId,
    ) -> Option<MaskBits> {
        let components = u32::try_from(self.layout.components).ok()?;
        self.fits(rows, (components + 1) * ROTATIONS as u32)?;
        let (first, len) = (domain.first, domain.len);
        if (first, len) != (0, 4) {
            return None;
        }
        let place = self.word_of(place);
        let spot = self.spot(zone, place);
        let sides = self.one_of(
            types::I64,
            spot.inside,
            |t| t.sides_around(&spot, rows),
            |t| {
                let all = t.constant(domain.all(), false);
                t.ask_bits(id, all).low
            },
        );
        Some(MaskBits::new(sides, None))
    }

    /// Emits the sides that the contents of the neighbors of a cell in the table select, one bit each.
    fn sides_around(&mut self, spot: &GridCell, rows: BitsId) -> Value {
        let width = self.b.ins().ishl_imm_u(spot.width, 2);
        let north = self.b.ins().isub(spot.address, width);
        let south = self.b.ins().iadd(spot.address, width);
        let looks = [
            (north, 0),
            (spot.address, offset(1)),
            (south, 0),
            (spot.address, -offset(1)),
        ];
        let table = self.program.bits.as_ptr().wrapping_add(rows as usize);
        let table = self.pointer(table);
        let mut sides = self.long(0);
        for (side, (address, by)) in looks.into_iter().enumerate() {
            let lies = self.load(types::I32, address, by);
            let lies = self.b.ins().uextend(types::I64, lies);
            let bytes = self.b.ins().ishl_imm_u(lies, 4);
            let row = self.b.ins().iadd(table, bytes);
            let row = self.load(types::I64, row, 0);
            let bit = self.b.ins().band_imm_u(row, 1 << side);
            sides = self.b.ins().bor(sides, bit);
        }
        sides
    }

    /// Emits the component at a cell.
    pub fn at_cell(&mut self, id: ExprId, zone: ExprId, place: ExprId) -> ScalarValue {
        let place = self.word_of(place);
        let spot = self.spot(zone, place);
        ScalarValue::Word(self.one_of(
            types::I32,
            spot.inside,
            |t| {
                let lies = t.load(types::I32, spot.address, 0);
                let bits = ROTATIONS.trailing_zeros();
                let component = t.b.ins().sshr_imm_u(lies, i64::from(bits));
                t.b.ins().iadd_imm_s(component, -1)
            },
            |t| {
                let asked = t.ask(id);
                t.word(asked)
            },
        ))
    }

    /// Emits the position of a cell in the table of a grid.
    fn spot(&mut self, zone: ExprId, place: Value) -> GridCell {
        let zone = self.word_of(zone);
        self.look_at_grid(zone);
        let left = self.part(types::I32, of_grid(offset_of!(OpenGrid, left)));
        let top = self.part(types::I32, of_grid(offset_of!(OpenGrid, top)));
        let width = self.part(types::I32, of_grid(offset_of!(OpenGrid, width)));
        let column = self.b.ins().band_imm_u(place, (1 << COLUMN_BITS) - 1);
        let column = self.b.ins().isub(column, left);
        let row = self.b.ins().sshr_imm_u(place, COLUMN_BITS);
        let row = self.b.ins().isub(row, top);
        let inner = self.part(types::I32, of_grid(offset_of!(OpenGrid, inner_width)));
        let from_edge = self.b.ins().iadd_imm_s(column, -1);
        let within = self.b.ins().icmp(IntCC::UnsignedLessThan, from_edge, inner);
        let inner = self.part(types::I32, of_grid(offset_of!(OpenGrid, inner_height)));
        let from_edge = self.b.ins().iadd_imm_s(row, -1);
        let below = self.b.ins().icmp(IntCC::UnsignedLessThan, from_edge, inner);
        let inside = self.b.ins().band(within, below);
        let index = self.b.ins().imul(row, width);
        let index = self.b.ins().iadd(index, column);
        let index = self.b.ins().sextend(types::I64, index);
        let bytes = self.b.ins().ishl_imm_u(index, 2);
        let table = self.part(types::I64, of_grid(offset_of!(OpenGrid, at)));
        GridCell {
            inside,
            address: self.b.ins().iadd(table, bytes),
            width: self.b.ins().uextend(types::I64, width),
        }
    }

    /// Makes the table of a grid the current one.
    fn look_at_grid(&mut self, zone: Value) {
        let looked_at = self.part(types::I32, of_grid(offset_of!(OpenGrid, zone)));
        let then = self.part(types::I64, of_grid(offset_of!(OpenGrid, now)));
        let now = self.changes(GRIDS);
        let same = self.b.ins().icmp(IntCC::Equal, looked_at, zone);
        let still = self.b.ins().icmp(IntCC::Equal, then, now);
        let known = self.b.ins().band(same, still);
        let [look, after] = self.blocks();
        self.count();
        self.branch(known, after, look);
        self.b.set_cold_block(look);
        self.b.switch_to_block(look);
        self.call_helper(list_helper::look_at_grid as *const u8, &[zone], None);
        self.jump(after, &[]);
        self.b.switch_to_block(after);
    }

    /// Emits the adjacent cell on a side.
    pub fn cell_beside(&mut self, place: ExprId, side: ExprId) -> ScalarValue {
        let steps = steps(self.program);
        let (place, side) = (self.word_of(place), self.value(side));
        let is_side = match side {
            ScalarValue::Known(_) => None,
            _ => {
                let side = self.word(side);
                Some(self.is(IntCC::UnsignedLessThan, side, steps.len() as i64))
            }
        };
        let step = match side {
            ScalarValue::Known(side) => {
                let step = usize::try_from(side).ok().and_then(|side| steps.get(side));
                match step {
                    Some(step) => self.int(*step),
                    None => return ScalarValue::Known(NONE),
                }
            }
            side => {
                let side = self.word(side);
                let table = self.pointer(steps.as_ptr());
                let step = self.entry(table, side, 0, steps.len() as u32, 0);
                self.word(step)
            }
        };
        let beside = self.b.ins().iadd(place, step);
        let column = self.b.ins().band_imm_u(beside, (1 << COLUMN_BITS) - 1);
        let row = self.b.ins().sshr_imm_u(beside, COLUMN_BITS);
        let mut good = self.is(IntCC::SignedGreaterThanOrEqual, place, 0);
        let (x, y) = cell_xy(0);
        for (coordinate, zero) in [(column, x), (row, y)] {
            let from_least = i64::from(zero + REACH);
            let within = self.b.ins().iadd_imm_s(coordinate, from_least);
            let within = self.is(IntCC::UnsignedLessThan, within, i64::from(2 * REACH + 1));
            good = self.b.ins().band(good, within);
        }
        if let Some(is_side) = is_side {
            good = self.b.ins().band(good, is_side);
        }
        let none = self.int(NONE);
        ScalarValue::Word(self.b.ins().select(good, beside, none))
    }

    /// Emits the side this many sides further clockwise.
    pub fn side_turned(&mut self, side: ExprId, by: ExprId) -> ScalarValue {
        let count = steps(self.program).len() as i64;
        let (side, by) = (self.word_of(side), self.word_of(by));
        let turned = match self.program.identity.cells {
            CellForm::Square => {
                let turned = self.b.ins().iadd(side, by);
                self.b.ins().band_imm_u(turned, 3)
            }
            CellForm::Hexagon => {
                let sides = self.int(count as i32);
                let by = self.modulo(by, sides, (NONE.into(), 0), (count, count));
                let turned = self.b.ins().iadd(side, by);
                self.modulo(turned, sides, (0, 2 * count), (count, count))
            }
        };
        let is_side = self.is(IntCC::UnsignedLessThan, side, count);
        let none = self.int(NONE);
        ScalarValue::Word(self.b.ins().select(is_side, turned, none))
    }
}

/// A cell in the table of a grid.
struct GridCell {
    /// Whether it and its neighbors are in the table.
    inside: Value,
    address: Value,
    /// The distance from one row to the next, in 64 bits.
    width: Value,
}
