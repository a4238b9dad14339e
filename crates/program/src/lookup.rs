//! Look-ups in what a program declares: the same for the interpreter, for constants and for constant folding.

use super::{
    ByNumber, ComponentInfo, EffectId, EffectInfo, ExprId, FamilyId, FamilyInfo, FieldInfo, KindId,
    KindInfo, NONE, Program, QueryId, QueryInfo, Site, SiteId, SiteOption, TableId, VarId, VarInfo,
    ZoneId, ZoneInfo,
};

impl Program {
    /// Returns a component by its number. `none` is none.
    #[inline]
    pub fn component(&self, component: i32) -> Option<&ComponentInfo> {
        self.components.at(component)
    }

    /// Returns a kind of component.
    #[inline]
    pub fn kind(&self, kind: KindId) -> Option<&KindInfo> {
        self.kinds.get(usize::from(kind))
    }

    /// Returns a family of zones.
    #[inline]
    pub fn family(&self, family: FamilyId) -> Option<&FamilyInfo> {
        self.families.get(usize::from(family))
    }

    /// Returns a variable.
    #[inline]
    pub fn var(&self, var: VarId) -> Option<&VarInfo> {
        self.vars.get(usize::from(var))
    }

    /// Returns a query.
    #[inline]
    pub fn query(&self, query: QueryId) -> Option<&QueryInfo> {
        self.queries.get(usize::from(query))
    }

    /// Returns an effect.
    #[inline]
    pub fn effect(&self, effect: EffectId) -> Option<&EffectInfo> {
        self.effects.get(usize::from(effect))
    }

    /// Returns a place where the rules ask for a decision.
    #[inline]
    pub fn site(&self, site: SiteId) -> Option<&Site> {
        self.sites.get(usize::from(site))
    }

    /// Returns one of the options of a decision.
    #[inline]
    pub fn option(&self, site: SiteId, option: u16) -> Option<&SiteOption> {
        self.site(site)?.options.get(usize::from(option))
    }

    /// Returns the most specific kind of a component.
    pub fn kind_of(&self, component: i32) -> Option<&KindInfo> {
        self.kind(self.component(component)?.kind)
    }

    /// Returns the field with the side of a die.
    pub fn side_of(&self, component: i32) -> Option<&FieldInfo> {
        let kind = self.kind_of(component)?;
        kind.fields.get(kind.die.as_ref()?.field)
    }

    /// Returns the value at this place of a table, from 0.
    #[inline]
    pub fn entry(&self, table: TableId, at: i64) -> Option<i32> {
        let at = usize::try_from(at).ok()?;
        self.tables.get(table as usize)?.get(at).copied()
    }

    /// Returns the zone with these keys, which `key` evaluates one after the other until one names no zone.
    #[inline]
    pub fn zone_at<E>(
        &self,
        family: FamilyId,
        keys: ExprId,
        mut key: impl FnMut(ExprId) -> Result<i32, E>,
    ) -> Result<i32, E> {
        let Some(family) = self.families.get(usize::from(family)) else {
            return Ok(NONE);
        };
        let mut place_of_all = 0;
        for (id, info) in (keys..).zip(&family.keys) {
            let place = usize::try_from(i64::from(key(id)?) - i64::from(info.low));
            let position = place.ok().and_then(|at| info.positions.get(at).copied());
            match position {
                Some(position) if position >= 0 => {
                    place_of_all += position * i32::from(info.stride);
                }
                _ => return Ok(NONE),
            }
        }
        Ok(self.zone_at_place(family, place_of_all))
    }

    /// Returns the zone at a place among all combinations of the keys of a family.
    #[inline]
    pub fn zone_at_place(&self, family: &FamilyInfo, place: i32) -> i32 {
        match family.places {
            None => i32::from(family.first) + place,
            Some(zones) => self.entry(zones, place.into()).unwrap_or(NONE),
        }
    }

    /// Returns the component with these keys, which `key` evaluates one after the other until one names no component.
    #[inline]
    pub fn component_at<E>(
        &self,
        table: TableId,
        sizes: TableId,
        keys: ExprId,
        mut key: impl FnMut(ExprId) -> Result<i32, E>,
    ) -> Result<i32, E> {
        let Some(sizes) = self.tables.get(sizes as usize) else {
            return Ok(NONE);
        };
        let mut number = 0i64;
        for (id, pair) in (keys..).zip(sizes.chunks_exact(2)) {
            let &[low, size] = pair else {
                return Ok(NONE);
            };
            let digit = i64::from(key(id)?) - i64::from(low);
            if digit < 0 || digit >= i64::from(size) {
                return Ok(NONE);
            }
            number = number.saturating_mul(i64::from(size)).saturating_add(digit);
        }
        Ok(self.entry(table, number).unwrap_or(NONE))
    }

    /// Returns the zone if it belongs to the family.
    #[inline]
    pub fn zone_in(&self, family: FamilyId, zone: i32) -> i32 {
        let belongs = self
            .families
            .get(usize::from(family))
            .is_some_and(|family| {
                let first = i32::from(family.first);
                (first..first + i32::from(family.count)).contains(&zone)
            });
        if belongs { zone } else { NONE }
    }

    #[inline]
    pub fn zone_info(&self, zone: i32) -> Option<&ZoneInfo> {
        self.zones.at(zone)
    }

    /// Returns the zone inside a component, if it can hold others.
    #[inline]
    pub fn holds(&self, component: i32) -> Option<ZoneId> {
        self.component(component)?.holds
    }

    /// Returns the zone inside a component as a value.
    #[inline]
    pub fn inside(&self, component: i32) -> i32 {
        self.holds(component).map_or(NONE, i32::from)
    }

    /// Returns the component that contains a zone.
    #[inline]
    pub fn holder_of(&self, zone: i32) -> i32 {
        let info = self.zone_info(zone);
        info.and_then(|info| info.inside).map_or(NONE, i32::from)
    }

    #[inline]
    pub fn owner_of(&self, zone: i32) -> i32 {
        let info = self.zone_info(zone);
        info.and_then(|info| info.owner).map_or(NONE, i32::from)
    }

    /// Returns whether a component belongs to a kind, or a family of kinds, which covers a run of components.
    #[inline]
    pub fn is_kind(&self, kind: KindId, component: i32) -> bool {
        let kind = self.kinds.get(usize::from(kind));
        kind.is_some_and(|kind| {
            u32::try_from(component).is_ok_and(|component| {
                component >= kind.first && component - kind.first < kind.count
            })
        })
    }
}
