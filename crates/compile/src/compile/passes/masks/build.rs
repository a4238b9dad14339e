//! Masks under construction: equal masks are shared, and known ones become constants.

use hashbrown::HashMap;

use super::facts::Facts;
use super::tree::same;
use wyrmgate_program::pure::{self, Known};
use wyrmgate_program::*;

/// A member of a domain: conditions are compiled for all members at once, and the temp stands for one of them.
#[derive(Clone, Copy)]
pub struct Member {
    pub temp: Temp,
    pub domain: Domain,
}

impl Member {
    pub fn new(temp: Temp, domain: Domain) -> Member {
        Member { temp, domain }
    }

    /// Returns the member for each bit of a mask, in order.
    pub fn each(self) -> impl Iterator<Item = i32> {
        let bits = 0..i32::from(self.domain.len);
        bits.map(move |bit| self.domain.first + bit)
    }
}

/// Masks under construction.
pub struct Masks<'p> {
    pub program: &'p mut Program,
    /// The first unused temp.
    pub fresh: Temp,
    known: HashMap<MaskInfo, MaskId>,
    /// The possible values of bound temps.
    pub(super) ranges: Vec<(Temp, i32, i32)>,
    /// Expressions that masks contain, to share equal ones.
    exprs: Vec<ExprId>,
}

impl Masks<'_> {
    pub fn new(program: &mut Program, fresh: Temp) -> Masks<'_> {
        Masks {
            program,
            fresh,
            known: HashMap::new(),
            ranges: Vec::new(),
            exprs: Vec::new(),
        }
    }

    pub fn fresh(&mut self) -> Temp {
        self.fresh += 1;
        self.fresh - 1
    }

    pub fn mask(&mut self, domain: Domain, mask: Mask) -> MaskId {
        let info = MaskInfo { domain, mask };
        if let Some(known) = self.known.get(&info) {
            return *known;
        }
        self.program.masks.push(info);
        let id = self.program.masks.len() as MaskId - 1;
        self.known.insert(info, id);
        id
    }

    fn get(&self, id: MaskId) -> Mask {
        let info = self.program.masks.get(id as usize);
        info.map_or(Mask::Const(0), |info| info.mask)
    }

    pub fn constant(&mut self, domain: Domain, bits: Bits) -> MaskId {
        let bits = bits & domain.all();
        let at = self.rows(vec![bits]);
        self.mask(domain, Mask::Const(at))
    }

    /// Returns where these constants begin.
    pub(super) fn rows(&mut self, rows: Vec<Bits>) -> BitsId {
        let all = &mut self.program.bits;
        let known = all
            .windows(rows.len().max(1))
            .position(|known| known == rows);
        known.unwrap_or_else(|| {
            all.extend_from_slice(&rows);
            all.len() - rows.len()
        }) as BitsId
    }

    fn constant_of(&self, id: MaskId) -> Option<Bits> {
        match self.get(id) {
            Mask::Const(at) => self.program.bits.get(at as usize).copied(),
            _ => None,
        }
    }

    pub fn both(&mut self, domain: Domain, one: MaskId, other: MaskId) -> MaskId {
        match (self.constant_of(one), self.constant_of(other)) {
            (Some(a), Some(b)) => self.constant(domain, a & b),
            (Some(all), _) if all == domain.all() => other,
            (_, Some(all)) if all == domain.all() => one,
            (Some(0), _) => one,
            (_, Some(_)) if self.can_overflow(one) => self.mask(domain, Mask::And(one, other)),
            (_, Some(0)) => other,
            // A constant first: it costs least.
            (None, Some(_)) => self.mask(domain, Mask::And(other, one)),
            _ => self.mask(domain, Mask::And(one, other)),
        }
    }

    pub(super) fn can_overflow(&self, id: MaskId) -> bool {
        Overflow::new(self.program, &self.ranges).of_mask(id)
    }

    pub fn either(&mut self, domain: Domain, one: MaskId, other: MaskId) -> MaskId {
        match (self.constant_of(one), self.constant_of(other)) {
            (Some(a), Some(b)) => self.constant(domain, a | b),
            (Some(0), _) => other,
            (_, Some(0)) => one,
            _ => self.mask(domain, Mask::Or(one, other)),
        }
    }

    pub fn not(&mut self, domain: Domain, of: MaskId) -> MaskId {
        match (self.constant_of(of), self.get(of)) {
            (Some(bits), _) => self.constant(domain, !bits),
            (_, Mask::Not(of)) => of,
            _ => self.mask(domain, Mask::Not(of)),
        }
    }

    pub(super) fn when(&mut self, domain: Domain, condition: ExprId) -> MaskId {
        match pure::truth(self.program, condition, &mut Known::default()) {
            Some(true) => self.constant(domain, Bits::MAX),
            Some(false) => self.constant(domain, 0),
            None => {
                let condition = self.once(condition);
                self.mask(domain, Mask::When(condition))
            }
        }
    }

    pub fn row(&mut self, domain: Domain, rows: Vec<Bits>, low: i32, index: ExprId) -> MaskId {
        let count = rows.len() as u32;
        let rows = self.rows(rows);
        let index = self.once(index);
        self.mask(
            domain,
            Mask::Row(MaskRow {
                rows,
                low,
                count,
                index,
            }),
        )
    }

    /// Returns the same expression under its existing number.
    pub(super) fn once(&mut self, id: ExprId) -> ExprId {
        let known = self
            .exprs
            .iter()
            .find(|known| same(self.program, **known, id));
        if let Some(known) = known {
            return *known;
        }
        self.exprs.push(id);
        id
    }

    /// Caches a mask per state, if it depends on nothing else.
    pub fn kept(&mut self, of: MaskId) -> MaskId {
        let mut facts = Facts::default();
        facts.of_mask(self.program, of);
        let domain = self.program.masks.get(of as usize).map(|info| info.domain);
        let Some(domain) = domain.filter(|_| facts.is_closed()) else {
            return of;
        };
        let reads = facts.reads;
        self.kept_once(of, domain, |slot| Mask::Kept { slot, of, reads })
    }

    /// Caches a mask per state and values of the one or two temps on which it depends.
    pub fn kept_for_temps(&mut self, of: MaskId) -> MaskId {
        let mut facts = Facts::default();
        facts.of_mask(self.program, of);
        let domain = self.program.masks.get(of as usize).map(|info| info.domain);
        let (Some(domain), Some(free)) = (domain, facts.free_temps()) else {
            return of;
        };
        let reads = facts.reads;
        let temps = match *free.as_slice() {
            [] => return self.kept(of),
            [one] => [one, one],
            [one, other] => [one, other],
            _ => return of,
        };
        self.kept_once(of, domain, |slot| {
            Mask::KeptFor(KeptForTemps {
                slot,
                of,
                reads,
                temps,
            })
        })
    }

    /// Returns the number of temps on which a mask depends.
    pub(super) fn temps_asked(&self, of: MaskId) -> usize {
        let mut facts = Facts::default();
        facts.of_mask(self.program, of);
        facts.free_temps().map_or(usize::MAX, |free| free.len())
    }

    fn kept_once(&mut self, of: MaskId, domain: Domain, mask: impl FnOnce(u16) -> Mask) -> MaskId {
        let already = self.known.iter().find_map(|(info, id)| match info.mask {
            Mask::Kept { of: known, .. } | Mask::KeptFor(KeptForTemps { of: known, .. })
                if known == of =>
            {
                Some(*id)
            }
            _ => None,
        });
        if let Some(already) = already {
            return already;
        }
        let slot = self.program.room.kept;
        self.program.room.kept += 1;
        self.mask(domain, mask(slot))
    }
}

/// Returns the bits of these members of a domain.
pub fn bits_of(domain: Domain, members: &[i32]) -> Bits {
    let bits = members.iter().map(|member| domain.bit(*member));
    bits.fold(0, |row, bit| row | bit)
}

/// Returns the smallest domain of all these values without NONE; `None` if it is too large or empty.
pub fn span(values: &[i32]) -> Option<Domain> {
    let there = values.iter().filter(|value| **value >= 0);
    let (low, high) = (*there.clone().min()?, *there.max()?);
    let len = u16::try_from(high - low + 1).ok()?;
    (usize::from(len) <= DOMAIN_BITS).then_some(Domain { first: low, len })
}
