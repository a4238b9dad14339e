//! Decisions: the only places where a game rests.

use smallvec::SmallVec;

use super::looking::{has_choice, looking};
use super::showing::seats_of;
use super::{answering, label};
use crate::chance::Draw;
use crate::choice::{Answer, BoundValue, Choice};
use crate::choices::{self, ChoiceMenu, Group, MemberOrder, Sizes, groups};
use crate::eval::{IterationStop, ValueList, members, settle};
use crate::event::{Event, Oddity};
use crate::fault::{Fault, FaultKind, Halt};
use crate::layout::header;
use crate::machine::{Machine, NextAction};
use crate::rng::{Label, Rng};
use crate::see;
use crate::seen::SeenValue;
use wyrmgate_program::{
    BinderInfo, BinderSize, NONE, SEATS_MAX, SetId, Site, SiteId, SiteOption, Type,
};

pub fn choose(m: &mut Machine, site_id: SiteId) -> Result<NextAction, Halt> {
    let site = site(m, site_id)?;
    m.cite(&site.cites);
    let seat = m.value(site.who)?;
    if !is_seat(m, seat) || !has_choice_for_menu(m, site, seat)? {
        return Ok(skip(m, site));
    }
    wait(m, site_id, 1 << seat, false)
}

pub fn choose_each(m: &mut Machine, site_id: SiteId, seats: SetId) -> Result<NextAction, Halt> {
    let site = site(m, site_id)?;
    m.cite(&site.cites);
    answering::clear(m, site);
    let owing = owing_of(m, site, seats)?;
    if owing == 0 {
        return Ok(skip(m, site));
    }
    wait(m, site_id, owing, true)
}

pub fn choose_first(m: &mut Machine, site_id: SiteId, seats: SetId) -> Result<NextAction, Halt> {
    let site = site(m, site_id)?;
    m.cite(&site.cites);
    let owing = owing_of(m, site, seats)?;
    if owing == 0 {
        return Ok(skip(m, site));
    }
    wait(m, site_id, owing, false)
}

/// Goes on without a decision.
fn skip(m: &mut Machine, site: &Site) -> NextAction {
    if site.is_expected {
        m.tell(|observer, place| observer.odd(Oddity::Skipped, place));
    }
    m.pc = site.otherwise as usize;
    NextAction::Go
}

/// Returns the seats of a list that have a choice, as bits.
fn owing_of(m: &mut Machine, site: &Site, seats: SetId) -> Result<i32, Halt> {
    let asked = seats_of(m, seats)?;
    let mut owing = 0;
    for seat in 0..m.state.layout.seats as i32 {
        let owes = asked >> seat & 1 != 0
            && match site.members() {
                Some(members) => answering::begin(m, site, members, seat)?,
                None => has_choice(m, site, seat)?,
            };
        owing |= i32::from(owes) << seat;
    }
    Ok(owing)
}

fn site<'a>(m: &mut Machine<'a>, site: SiteId) -> Result<&'a Site, Halt> {
    let program = m.program;
    match program.site(site) {
        Some(site) => Ok(site),
        None => Err(m.scratch.halt(FaultKind::Program)),
    }
}

fn is_seat(m: &Machine, seat: i32) -> bool {
    (0..m.state.layout.seats as i32).contains(&seat)
}

fn wait(m: &mut Machine, site: SiteId, owing: i32, secret: bool) -> Result<NextAction, Halt> {
    m.state.set_head(header::SITE, i32::from(site));
    m.state.set_head(header::OWING, owing);
    m.state.set_head(header::SECRET, i32::from(secret));
    Ok(NextAction::Rest)
}

/// Returns the same as [`has_choice`], and records all choices if the game is played from a menu.
fn has_choice_for_menu(m: &mut Machine, site: &Site, seat: i32) -> Result<bool, Halt> {
    let Some(menu) = m.menu.take() else {
        return has_first_choice(m, site, seat);
    };
    let noted = looking(m, |eval| menu.note(eval, site, seat as u8));
    let any = site.always || menu.has_proper();
    if !any {
        menu.clear();
    }
    m.menu = Some(menu);
    noted.map(|()| any)
}

/// Returns the same as [`has_choice`], and records the choices that it finds, if requested.
fn has_first_choice(m: &mut Machine, site: &Site, seat: i32) -> Result<bool, Halt> {
    match m.first.take().filter(|_| !site.always) {
        None => has_choice(m, site, seat),
        Some(first) => {
            let any = looking(m, |eval| first.note_first(eval, site, seat as u8));
            m.first = Some(first);
            any
        }
    }
}

// ---- answering

/// Applies the answer of a seat; the choice has been validated.
pub fn answer(
    m: &mut Machine,
    site_id: SiteId,
    seat: u8,
    choice: &impl Answer,
) -> Result<NextAction, Halt> {
    let site = site(m, site_id)?;
    let secret = m.state.head(header::SECRET) != 0;
    let decisions = m.state.head(header::DECISIONS).wrapping_add(1);
    m.state.set_head(header::DECISIONS, decisions);
    let Some(option) = site.options.get(usize::from(choice.option())) else {
        return Err(m.scratch.halt(FaultKind::Program));
    };
    cite_choice(m, option);
    let mut untold = None;
    m.emit(|m| {
        let label = label::values(m, seat, option, choice);
        untold = label.as_ref().err().map(|fault| fault.kind);
        Event::Chose {
            seat,
            site: site_id,
            option: choice.option(),
            args: seen_args(m, option, choice),
            secret,
            label: label.unwrap_or_default(),
        }
    })?;
    if let Some(kind) = untold {
        m.tell(|observer, span| observer.untold(Fault { kind, span }));
    }
    answering::bind(m, site, option, choice, secret.then_some(seat))?;
    let mut owing = m.state.head(header::OWING);
    if !answering::goes_on(m, site, seat)? {
        owing &= !(1 << seat);
    }
    if let Some(first) = site.first
        && !site.declines(choice.option())
    {
        m.set_local(first, i32::from(seat));
        owing = 0;
    }
    m.state.set_head(header::OWING, owing);
    if owing != 0 {
        return Ok(NextAction::Rest);
    }
    m.state.set_head(header::SITE, NONE);
    m.state.set_head(header::SECRET, 0);
    m.pc = option.target as usize;
    Ok(NextAction::Go)
}

fn cite_choice(m: &mut Machine, option: &SiteOption) {
    if !m.wants_clauses() {
        return;
    }
    m.cite(&option.cites);
    let of_names = option.binders.iter().flat_map(BinderInfo::all_conditions);
    for condition in option.conditions.iter().chain(of_names) {
        m.cite(&condition.cites);
    }
}

fn seen_args(m: &Machine, option: &SiteOption, answer: &impl Answer) -> Vec<Vec<SeenValue>> {
    let binders = option.binders.iter().enumerate();
    binders
        .filter_map(|(name, binder)| Some((binder, answer.values(name)?)))
        .map(|(binder, values)| {
            let values = values.iter();
            values
                .map(|&value| see::seen_value(m.program, m.state, value, binder.of))
                .collect()
        })
        .collect()
}

// ---- chance decides

pub fn choose_at_random(m: &mut Machine, site_id: SiteId) -> Result<NextAction, Halt> {
    m.tell_of_draw();
    let site = site(m, site_id)?;
    m.cite(&site.cites);
    let seat = m.value(site.who)?.clamp(0, SEATS_MAX as i32 - 1) as u8;
    let Some(choice) = draw_choice(m, site, site_id, seat)? else {
        return Ok(skip(m, site));
    };
    let Some(option) = site.options.get(usize::from(choice.option)) else {
        return Err(m.scratch.halt(FaultKind::Program));
    };
    cite_choice(m, option);
    m.emit(|m| Event::Drawn {
        site: site_id,
        option: choice.option,
        args: seen_args(m, option, &choice),
    })?;
    answering::bind(m, site, option, &choice, None)?;
    m.pc = option.target as usize;
    Ok(NextAction::Go)
}

fn draw_choice(
    m: &mut Machine,
    site: &Site,
    site_id: SiteId,
    seat: u8,
) -> Result<Option<Choice>, Halt> {
    if let [option] = site.options.as_slice()
        && let [binder] = option.binders.as_slice()
        && let Some((members, sizes)) = only_group(m, site, seat)?
    {
        match sizes {
            None => return Ok(draw_members(m, site_id, binder, &members, 1)),
            Some(sizes) if sizes.least == sizes.most => {
                let values = draw_members(m, site_id, binder, &members, sizes.most);
                return Ok(values.map(|choice| as_list(choice, &members, sizes)));
            }
            Some(_) => {}
        }
    }
    draw_by_number(m, site, site_id, seat)
}

/// Returns the members of a site with one option and one name, if there are choices.
fn only_group(
    m: &mut Machine,
    site: &Site,
    seat: u8,
) -> Result<Option<(ValueList, Option<Sizes>)>, Halt> {
    looking(m, |eval| {
        let mut found = None;
        settle(groups(eval, site, seat, &mut |_, _, group| {
            found = match group {
                _ if group.weight() == 0 => None,
                Group::Itself | Group::Counted(_) => None,
                Group::Many(_, sizes) if sizes.form == MemberOrder::Repeated => None,
                Group::One(members) => Some((ValueList::from_slice(members), None)),
                Group::Bits(domain, bits) => Some((members(domain.first, bits).collect(), None)),
                Group::Many(members, sizes) => Some((ValueList::from_slice(members), Some(sizes))),
            };
            Err(IterationStop::Enough)
        }))?;
        Ok(found)
    })
}

/// Draws members one by one, none twice, in the order drawn.
fn draw_members(
    m: &mut Machine,
    site: SiteId,
    binder: &BinderInfo,
    members: &[i32],
    count: usize,
) -> Option<Choice> {
    let mut rng = m.next_stream(Label::Choose);
    let mut rest = ValueList::from_slice(members);
    let mut drawn: SmallVec<[i32; 8]> = SmallVec::new();
    for _ in 0..count.min(members.len()) {
        let at = draw_value(m, &mut rng, site, binder.of, &rest);
        drawn.push(rest.remove(at));
    }
    let arg = match (binder.count, drawn.first()) {
        (BinderSize::One, Some(&value)) => BoundValue::One(value),
        (BinderSize::One, None) => return None,
        _ => BoundValue::Many(drawn),
    };
    Some(Choice {
        option: 0,
        args: SmallVec::from_iter([arg]),
    })
}

fn draw_value(m: &mut Machine, rng: &mut Rng, site: SiteId, of: Type, values: &[i32]) -> usize {
    let count = values.len() as u32;
    let what = Draw::Value { site, values, of };
    let at = m.chance.draw(rng, count, what);
    at.min(count.saturating_sub(1)) as usize
}

/// Returns the choice with subsets in the order of their domains.
fn as_list(mut choice: Choice, members: &[i32], sizes: Sizes) -> Choice {
    if let Some(BoundValue::Many(values)) = choice.args.first_mut()
        && sizes.form == MemberOrder::Subset
    {
        values.sort_by_cached_key(|value| members.iter().position(|member| member == value));
    }
    choice
}

/// The largest number of choices that are listed for a tool that forces one of them.
const FORCED_MAX: u64 = 10_000;

/// Draws the number of a choice among all of them.
fn draw_by_number(
    m: &mut Machine,
    site: &Site,
    site_id: SiteId,
    seat: u8,
) -> Result<Option<Choice>, Halt> {
    let count = looking(m, |eval| choices::count(eval, site, seat))?;
    if count == 0 {
        return Ok(None);
    }
    if m.chance.forces_choice() && count <= FORCED_MAX {
        let mut menu = ChoiceMenu::default();
        looking(m, |eval| menu.note(eval, site, seat))?;
        let choices = (0..count).filter_map(|number| menu.choice(site, number));
        let mut choices: Vec<Choice> = choices.collect();
        if let Some(at) = m.chance.forced(site_id, &choices)
            && at < choices.len()
        {
            // As if it had been drawn, so that later draws do not change.
            m.next_stream(Label::Choose);
            return Ok(Some(choices.swap_remove(at)));
        }
    }
    let mut rng = m.next_stream(Label::Choose);
    let number = match u32::try_from(count) {
        Ok(small) => {
            let what = Draw::Choice { site: site_id };
            u64::from(m.chance.draw(&mut rng, small, what).min(small - 1))
        }
        Err(_) => rng.below_u64(count),
    };
    looking(m, |eval| choices::nth(eval, site, seat, number))
}
