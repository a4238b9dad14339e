//! Look-ups: words, tables, zones and components by key, kinds of components and zones.

use super::Eval;
use crate::fault::Halt;
use wyrmgate_program::{ExprId, FamilyId, KindId, Local, SEATS_MAX, TableId};

impl Eval<'_> {
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
    pub(super) fn zone_in(&mut self, family: FamilyId, zone: ExprId) -> Result<i32, Halt> {
        let zone = self.value(zone)?;
        Ok(self.program.zone_in(family, zone))
    }

    #[inline(never)]
    pub(super) fn zone_of(&mut self, of: ExprId) -> Result<i32, Halt> {
        Ok(self.state.zone_of(self.value(of)?))
    }

    #[inline(never)]
    pub(super) fn place_of(&mut self, of: ExprId) -> Result<i32, Halt> {
        let component = self.value(of)?;
        Ok(self.scratch.memo.place_of(self.state, component))
    }

    #[inline(never)]
    pub(super) fn zone_count(&mut self, zone: ExprId) -> Result<i32, Halt> {
        Ok(self.state.zone_count(self.value(zone)?))
    }

    #[inline(never)]
    pub(super) fn zone_first(&mut self, zone: ExprId) -> Result<i32, Halt> {
        Ok(self.state.zone_first(self.value(zone)?))
    }

    #[inline(never)]
    pub(super) fn zone_last(&mut self, zone: ExprId) -> Result<i32, Halt> {
        Ok(self.state.zone_last(self.value(zone)?))
    }

    #[inline(never)]
    pub(super) fn is_free_zone(&mut self, zone: ExprId) -> Result<i32, Halt> {
        let zone = self.value(zone)?;
        let free = self.state.is_zone(zone) && self.state.zone_first(zone) < 0;
        Ok(i32::from(free))
    }

    #[inline(never)]
    pub(super) fn inside(&mut self, of: ExprId) -> Result<i32, Halt> {
        let component = self.value(of)?;
        Ok(self.program.inside(component))
    }

    #[inline(never)]
    pub(super) fn holder_of(&mut self, zone: ExprId) -> Result<i32, Halt> {
        let zone = self.value(zone)?;
        Ok(self.program.holder_of(zone))
    }

    #[inline(never)]
    pub(super) fn owner_of(&mut self, zone: ExprId) -> Result<i32, Halt> {
        let zone = self.value(zone)?;
        Ok(self.program.owner_of(zone))
    }

    #[inline(never)]
    pub(super) fn lies(&mut self, of: ExprId, face_down: bool) -> Result<i32, Halt> {
        let component = self.value(of)?;
        let is_one = self.state.is_component(component);
        Ok(i32::from(
            is_one && self.state.is_face_down(component) == face_down,
        ))
    }

    #[inline(never)]
    pub(super) fn is_kind(&mut self, kind: KindId, of: ExprId) -> Result<i32, Halt> {
        let component = self.value(of)?;
        Ok(i32::from(self.program.is_kind(kind, component)))
    }

    #[inline(never)]
    pub(super) fn seat_after(&mut self, seat: ExprId, by: i8) -> Result<i32, Halt> {
        let seat = self.value(seat)?;
        Ok(self.state.seat_after(seat, by))
    }
}
