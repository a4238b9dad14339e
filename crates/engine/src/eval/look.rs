//! Look-ups: words, tables, zones and components by key, kinds of components and zones.

use super::Eval;
use crate::fault::Halt;
use wyrmgate_program::{ExprId, FamilyId, KindId, Local, NONE, SEATS_MAX, TableId};

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
    pub(super) fn count_words(
        &mut self,
        offset: u32,
        len: u32,
        value: ExprId,
    ) -> Result<i32, Halt> {
        let value = self.value(value)?;
        let words = self.state.vars(offset, len).iter();
        Ok(words.map(|word| i32::from(*word == value)).sum())
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
        Ok(self.table_entry(table, index).unwrap_or(default))
    }

    fn table_entry(&self, table: TableId, index: i64) -> Option<i32> {
        let index = usize::try_from(index).ok()?;
        self.program.tables.get(table as usize)?.get(index).copied()
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
        let Some(family) = program.families.get(usize::from(family)) else {
            return Ok(NONE);
        };
        let mut zone = i32::from(family.first);
        for (key, info) in family.keys.iter().enumerate() {
            let value = self.value(keys + key as ExprId)?;
            let place = usize::try_from(i64::from(value) - i64::from(info.low));
            let position = place.ok().and_then(|at| info.positions.get(at).copied());
            match position {
                Some(position) if position >= 0 => zone += position * i32::from(info.stride),
                _ => return Ok(NONE),
            }
        }
        Ok(zone)
    }

    #[inline(never)]
    pub(super) fn component_at(
        &mut self,
        table: TableId,
        sizes: TableId,
        keys: ExprId,
    ) -> Result<i32, Halt> {
        let program = self.program;
        let Some(sizes) = program.tables.get(sizes as usize) else {
            return Ok(NONE);
        };
        let mut number = 0i64;
        for (key, pair) in sizes.chunks_exact(2).enumerate() {
            let &[low, size] = pair else {
                return Ok(NONE);
            };
            let digit = i64::from(self.value(keys + key as ExprId)?) - i64::from(low);
            if digit < 0 || digit >= i64::from(size) {
                return Ok(NONE);
            }
            number = number.saturating_mul(i64::from(size)).saturating_add(digit);
        }
        Ok(self.table_entry(table, number).unwrap_or(NONE))
    }

    #[inline(never)]
    pub(super) fn zone_in(&mut self, family: FamilyId, zone: ExprId) -> Result<i32, Halt> {
        let zone = self.value(zone)?;
        let belongs = self
            .program
            .families
            .get(usize::from(family))
            .is_some_and(|family| {
                let first = i32::from(family.first);
                (first..first + i32::from(family.count)).contains(&zone)
            });
        Ok(if belongs { zone } else { NONE })
    }

    #[inline(never)]
    pub(super) fn zone_of(&mut self, of: ExprId) -> Result<i32, Halt> {
        Ok(self.state.zone_of(self.value(of)?))
    }

    #[inline(never)]
    pub(super) fn place_of(&mut self, of: ExprId) -> Result<i32, Halt> {
        Ok(self.state.place_of(self.value(of)?))
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
        let info = usize::try_from(component)
            .ok()
            .and_then(|component| self.program.components.get(component));
        Ok(info.and_then(|info| info.holds).map_or(NONE, i32::from))
    }

    #[inline(never)]
    pub(super) fn holder_of(&mut self, zone: ExprId) -> Result<i32, Halt> {
        let zone = self.value(zone)?;
        let info = usize::try_from(zone)
            .ok()
            .and_then(|zone| self.program.zones.get(zone));
        Ok(info.and_then(|info| info.inside).map_or(NONE, i32::from))
    }

    #[inline(never)]
    pub(super) fn owner_of(&mut self, zone: ExprId) -> Result<i32, Halt> {
        let zone = self.value(zone)?;
        let info = usize::try_from(zone)
            .ok()
            .and_then(|zone| self.program.zones.get(zone));
        Ok(info.and_then(|info| info.owner).map_or(NONE, i32::from))
    }

    #[inline(never)]
    pub(super) fn is_face_up(&mut self, of: ExprId) -> Result<i32, Halt> {
        let component = self.value(of)?;
        let up = self.state.is_component(component) && !self.state.is_face_down(component);
        Ok(i32::from(up))
    }

    /// A kind, or a family of kinds, covers a run of components.
    #[inline(never)]
    pub(super) fn is_kind(&mut self, kind: KindId, of: ExprId) -> Result<i32, Halt> {
        let component = self.value(of)?;
        let is = self
            .program
            .kinds
            .get(usize::from(kind))
            .is_some_and(|kind| {
                u32::try_from(component).is_ok_and(|component| {
                    component >= kind.first && component - kind.first < kind.count
                })
            });
        Ok(i32::from(is))
    }

    #[inline(never)]
    pub(super) fn seat_after(&mut self, seat: ExprId, by: i8) -> Result<i32, Halt> {
        let seat = self.value(seat)?;
        Ok(self.state.seat_after(seat, by))
    }
}
