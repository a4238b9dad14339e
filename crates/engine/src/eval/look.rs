//! Look-ups: words, tables, zones and components by key, kinds of components and zones.

use super::Eval;
use crate::fault::Halt;
use crate::see;
use wyrmgate_program::{ExprId, FamilyId, Local, SEATS_MAX, TableId};

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
    pub(super) fn word_at(
        &mut self,
        offset: u32,
        low: i32,
        len: u32,
        index: ExprId,
        default: i32,
    ) -> Result<i32, Halt> {
        let index = i64::from(self.value(index)?) - i64::from(low);
        Ok(match u32::try_from(index) {
            Ok(index) if index < len => self.state.var(offset.saturating_add(index)),
            _ => default,
        })
    }

    #[inline(never)]
    pub(super) fn table(
        &mut self,
        table: TableId,
        low: i32,
        index: ExprId,
        default: i32,
    ) -> Result<i32, Halt> {
        let index = i64::from(self.value(index)?) - i64::from(low);
        Ok(self.program.entry(table, index).unwrap_or(default))
    }

    #[inline(never)]
    pub(super) fn local_at(
        &mut self,
        base: Local,
        index: ExprId,
        default: i32,
    ) -> Result<i32, Halt> {
        let seat = self.value(index)?;
        if !(0..SEATS_MAX as i32).contains(&seat) {
            return Ok(default);
        }
        Ok(self.local(base.saturating_add(seat as Local)))
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
