//! The possible values of a name in a choice: the members of its domain that pass its filters, in an order that the
//! deciding seat may know.

use super::hidden::hidden_last;
use super::open::is_open;
use crate::choice::BoundValue;
use crate::eval::{self, Eval, ValueList, settle};
use crate::fault::{FaultKind, Halt};
use crate::limit::DOMAIN_MAX;
use crate::selections::{MemberOrder, Sizes};
use wyrmgate_program::{
    BinderInfo, BinderSize, Condition, LENGTH_MAX, MaskId, Set, Type, may_repeat,
};

impl Eval<'_> {
    /// Returns the possible values of this name, each once; for chance, as often as they occur.
    pub fn domain(&mut self, seat: u8, binder: &BinderInfo) -> Result<ValueList, Halt> {
        let mut members = ValueList::new();
        if let Some(mask) = binder.mask {
            self.domain_of_mask(binder, mask, &mut members)?;
            self.as_known_to(seat, binder, &mut members);
            return Ok(members);
        }
        let range = self.range_of(binder)?;
        if let Some((low, high)) = range
            && is_open(low, high)
        {
            return self.proposed(binder, low, high);
        }
        let once = !binder.repeats && may_repeat(self.program, binder.domain);
        let mut add = |eval: &mut Self, member: i32| {
            if once && members.contains(&member) {
                return Ok(());
            }
            if eval.failing(binder, member)?.is_some() {
                return Ok(());
            }
            if members.len() == DOMAIN_MAX {
                return Err(eval.scratch.halt(FaultKind::Enumeration).into());
            }
            members.push(member);
            Ok(())
        };
        settle(match range {
            Some((low, high)) => self.walk_numbers(low, high, &mut add),
            None => self.walk(binder.domain, &mut add),
        })?;
        self.as_known_to(seat, binder, &mut members);
        Ok(members)
    }

    /// Returns the mask of a name that stands for one member, if all may know their order: from the lowest on.
    pub(super) fn mask_in_order(&self, binder: &BinderInfo) -> Option<MaskId> {
        let lies = matches!(
            self.program.sets.get(binder.domain as usize),
            Some(Set::Zone(_))
        );
        let plain = binder.count == BinderSize::One && !matches!(binder.of, Type::Component(_));
        binder.mask.filter(|_| plain && !lies)
    }

    /// Returns the members of a mask: in physical order for a zone, otherwise from the lowest on.
    fn domain_of_mask(
        &mut self,
        binder: &BinderInfo,
        mask: MaskId,
        members: &mut ValueList,
    ) -> Result<(), Halt> {
        let (domain, bits) = self.members_of(mask)?;
        match self.program.sets.get(binder.domain as usize) {
            Some(&Set::Zone(zone)) if bits != 0 => {
                let zone = self.value(zone)?;
                let lying = self.state.members(zone);
                members.extend(lying.filter(|&member| bits & domain.bit(member) != 0));
            }
            _ => members.extend(eval::members(domain.first, bits)),
        }
        Ok(())
    }

    fn as_known_to(&mut self, seat: u8, binder: &BinderInfo, members: &mut ValueList) {
        if matches!(binder.of, Type::Component(_)) {
            hidden_last(self.program, self.state, seat, members);
        }
    }

    /// Returns the first filter that this member does not pass.
    pub(super) fn failing<'b>(
        &mut self,
        binder: &'b BinderInfo,
        member: i32,
    ) -> Result<Option<&'b Condition>, Halt> {
        for filter in &binder.filters {
            self.set_temp(binder.member(), member);
            if !self.truth(filter.test)? {
                return Ok(Some(filter));
            }
        }
        Ok(None)
    }

    /// Returns the first condition that does not hold.
    pub(super) fn first_failing<'c>(
        &mut self,
        conditions: &'c [Condition],
    ) -> Result<Option<&'c Condition>, Halt> {
        for condition in conditions {
            if !self.truth(condition.test)? {
                return Ok(Some(condition));
            }
        }
        Ok(None)
    }

    /// Returns how many members of a domain of this size are chosen; `None`: one.
    pub(super) fn sizes(
        &mut self,
        binder: &BinderInfo,
        domain: usize,
    ) -> Result<Option<Sizes>, Halt> {
        Ok(match binder.count {
            BinderSize::One => None,
            BinderSize::Many {
                least,
                most,
                ordered,
            } => {
                let (least, most) = (self.value(least)?, self.value(most)?);
                let form = MemberOrder::of(ordered);
                Some(Sizes::between(least, most, form, domain))
            }
            BinderSize::Any => Some(Sizes {
                least: 0,
                most: domain,
                form: MemberOrder::Subset,
            }),
            BinderSize::Permutation => Some(Sizes {
                least: domain,
                most: domain,
                form: MemberOrder::Sequence,
            }),
            BinderSize::Repeated { least, most } => {
                let (least, most) = (self.value(least)?, self.value(most)?);
                if least.max(most) > LENGTH_MAX as i32 {
                    return Err(self.scratch.halt(FaultKind::Enumeration));
                }
                Some(Sizes::between(least, most, MemberOrder::Repeated, domain))
            }
            // Its members are chosen one after the other.
            BinderSize::Path { .. } | BinderSize::Text { .. } => None,
        })
    }

    /// Makes the chosen values visible to later names, conditions and labels. Lists stay until the scratch list area is
    /// cut back.
    pub fn bind(&mut self, binder: &BinderInfo, arg: &BoundValue) {
        match arg {
            BoundValue::One(value) => self.set_temp(binder.temp, *value),
            BoundValue::Many(values) => {
                let (offset, length) = self.scratch.keep_list(values);
                self.set_temp(binder.temp, offset);
                self.set_temp(binder.temp.saturating_add(1), length);
            }
        }
    }
}
