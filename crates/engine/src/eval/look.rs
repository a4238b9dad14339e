//! Look-ups: words, tables, zones and components by key, kinds of components and zones.

use super::Eval;
use crate::fault::Halt;
use crate::see;
use wyrmgate_program::{
    ExprId, FamilyId, Local, LocalByIndex, SEATS_MAX, TableId, TableLookUp, WordByIndex,
};

impl Eval<'_> {
    /// Evaluates a part, and returns what follows from its value.
    #[inline(never)]
    pub(super) fn of(
        &mut self,
        part: ExprId,
        look: impl FnOnce(&mut Self, i32) -> i32,
    ) -> Result<i32, Halt> {
        let value = self.value(part)?;
        Ok(look(self, value))
    }

    #[inline(never)]
    pub(super) fn word_at(&mut self, word: WordByIndex) -> Result<i32, Halt> {
        let index = i64::from(self.value(word.index)?) - i64::from(word.low);
        Ok(match u32::try_from(index) {
            Ok(index) if index < word.len => self.state.var(word.offset.saturating_add(index)),
            _ => word.default,
        })
    }

    #[inline(never)]
    pub(super) fn table(&mut self, look_up: TableLookUp) -> Result<i32, Halt> {
        let index = i64::from(self.value(look_up.index)?) - i64::from(look_up.low);
        let entry = self.program.entry(look_up.table, index);
        Ok(entry.unwrap_or(look_up.default))
    }

    #[inline(never)]
    pub(super) fn local_at(&mut self, local: LocalByIndex) -> Result<i32, Halt> {
        let seat = self.value(local.index)?;
        if !(0..SEATS_MAX as i32).contains(&seat) {
            return Ok(local.default);
        }
        Ok(self.local(local.base.saturating_add(seat as Local)))
    }

    #[inline(never)]
    pub(super) fn zone_at(&mut self, family: FamilyId, keys: ExprId) -> Result<i32, Halt> {
        let program = self.program;
        program.zone_at(family, keys, |key| self.value(key))
    }

    #[inline(never)]
    pub(super) fn component_at(
        &mut self,
        table: TableId,
        sizes: TableId,
        keys: ExprId,
    ) -> Result<i32, Halt> {
        let program = self.program;
        program.component_at(table, sizes, keys, |key| self.value(key))
    }

    #[inline(never)]
    pub(super) fn knows(&mut self, seat: ExprId, component: ExprId) -> Result<i32, Halt> {
        let (seat, component) = (self.value(seat)?, self.value(component)?);
        // What a condition of visibility asks cannot depend on what it says.
        let is_asked = !self.scratch.asks_who_sees && self.state.is_component(component);
        let seat = u8::try_from(seat).ok().filter(|_| is_asked);
        let knows = |seat| see::sees(self.program, self.state, seat, component);
        Ok(i32::from(seat.is_some_and(knows)))
    }

    #[inline(never)]
    pub(super) fn lies(&mut self, of: ExprId, face_down: bool) -> Result<i32, Halt> {
        let component = self.value(of)?;
        let is_one = self.state.is_component(component);
        Ok(i32::from(
            is_one && self.state.is_face_down(component) == face_down,
        ))
    }
}
