//! Lines on grids as masks: one pass over the board, then shifts.

use super::build::Masks;
use super::list::List;
use super::lists::narrowed;
use wyrmgate_program::*;

/// Compiles the longest line through a zone whose spaces fulfill a condition.
pub fn line(masks: &mut Masks, question: Expr) -> Option<Expr> {
    let Expr::InARow {
        family,
        ways,
        zone,
        temp,
        condition,
    } = question
    else {
        return None;
    };
    let info = masks.program.family(family)?;
    let domain = Domain {
        first: i32::from(info.first),
        len: info.count,
    };
    if !(1..=DOMAIN_BITS).contains(&usize::from(domain.len)) {
        return None;
    }
    let lines = lines_of(masks.program, family, ways, domain)?;
    let all = masks.constant(domain, Bits::MAX);
    let of = narrowed(masks, List::in_order(domain, all), temp, condition)?;
    let lines = known(masks.program, lines)?;
    of.pays.then_some(Expr::LineOfBits {
        zone,
        of: of.mask,
        lines,
    })
}

fn known(program: &mut Program, lines: Lines) -> Option<LinesId> {
    let at = program.lines.iter().position(|known| *known == lines);
    let at = at.unwrap_or_else(|| {
        program.lines.push(lines);
        program.lines.len() - 1
    });
    LinesId::try_from(at).ok()
}

/// Returns `None` if a step in a direction does not move by the same number of bits everywhere.
fn lines_of(
    program: &Program,
    family: FamilyId,
    followed: WaySet,
    domain: Domain,
) -> Option<Lines> {
    let mut ways = [(0, 0); 4];
    for (way, found) in ways_of(followed).zip(&mut ways) {
        let (across, along) = way;
        // Bits are moved up, so the way back is taken where it is the one that goes up.
        *found = steps_up(program, family, domain, way)
            .or_else(|| steps_up(program, family, domain, (-across, -along)))?;
    }
    Some(Lines { ways })
}

fn steps_up(
    program: &Program,
    family: FamilyId,
    domain: Domain,
    way: (i32, i32),
) -> Option<(u8, Bits)> {
    let mut by = None;
    let mut from = 0;
    for zone in domain.first..domain.first + i32::from(domain.len) {
        let next = Space::of(program, family, zone)?.step(way, 1);
        if next < 0 {
            continue;
        }
        let distance = u8::try_from(next - zone).ok()?;
        if *by.get_or_insert(distance) != distance {
            return None;
        }
        from |= domain.bit(zone);
    }
    // A board of one row has no steps across rows.
    Some((by.unwrap_or(0), from))
}
