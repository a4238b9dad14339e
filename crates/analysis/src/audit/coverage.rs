//! Coverage of a program: what ran, moved, was offered and was chosen in many games. It observes the games as they are
//! played.

use std::collections::BTreeMap;

use crate::oddities::Oddities;
use wyrmgate_base::diagnostic::Span;
use wyrmgate_engine::{
    AssignmentTarget, At, Event, Fault, Observer, Oddity, Pending, SeenComponent, SeenValue, State,
    Viewer, for_each_offer,
};
use wyrmgate_program::{Address, Op, Program, SiteId, Type};

/// The omniscient viewer that counts what games reach.
#[expect(
    clippy::disallowed_methods,
    reason = "the games of an audit are played by nobody"
)]
const AUDITOR: Viewer = Viewer::omniscient();

/// Counters by address, site, component, zone and variable of one program.
#[derive(Debug, Clone)]
pub struct Coverage<'p> {
    pub program: &'p Program,
    game: u64,
    /// The last operation.
    last: Option<Address>,
    /// By address.
    pub(super) operations: Vec<Games>,
    /// For each conditional jump, how often its condition was false and true.
    pub(super) branches: Vec<[u64; 2]>,
    /// Counters by site and option.
    pub(super) options: Vec<Vec<OptionCount>>,
    pub(super) components: Vec<ComponentCount>,
    /// Number of decisions so far, so that each counts once.
    decisions: u64,
    pub(super) zones: Vec<bool>,
    pub(super) vars: Vec<bool>,
    /// The seats that were asked, one bit each.
    pub(super) asked: u32,
    /// Number of games that ended with the operation at this address. `None` means the end of `play`.
    pub(super) endings: BTreeMap<Option<Address>, u64>,
    pub(super) odd: Oddities,
    /// The first text of the game that could not be made.
    pub(super) untold: Option<Fault>,
}

/// The counters of a component.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ComponentCount {
    pub used: Games,
    /// Number of games in which a seat chose it.
    pub chosen: Games,
    /// Number of decisions at which it could be chosen.
    pub offered: Games,
}

/// The counters of an option.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct OptionCount {
    /// Number of decisions at which it had a choice.
    pub offered: u64,
    /// Expected number of times it is taken, if every choice of a decision is equally likely.
    pub expected: f64,
    /// Number of times it was taken.
    pub chosen: u64,
}

impl OptionCount {
    pub fn add(&mut self, other: &OptionCount) {
        self.offered += other.offered;
        self.expected += other.expected;
        self.chosen += other.chosen;
    }
}

/// The number of games or decisions in which something happened.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Games {
    pub count: u64,
    /// The last game counted, so that each counts once.
    last: u64,
}

impl Games {
    fn note(&mut self, game: u64) {
        if self.last != game {
            self.last = game;
            self.count += 1;
        }
    }

    fn add(&mut self, other: &Games) {
        self.count += other.count;
    }
}

impl<'p> Coverage<'p> {
    pub fn new(program: &'p Program) -> Coverage<'p> {
        let none = OptionCount::default();
        let sites = program.sites.iter();
        let by_site = sites.map(|site| vec![none; site.options.len()]);
        Coverage {
            program,
            game: 0,
            last: None,
            operations: vec![Games::default(); program.code.ops.len()],
            branches: vec![[0; 2]; program.code.ops.len()],
            options: by_site.collect(),
            components: vec![ComponentCount::default(); program.components.len()],
            decisions: 0,
            zones: vec![false; program.zones.len()],
            vars: vec![false; program.vars.len()],
            asked: 0,
            endings: BTreeMap::new(),
            odd: Oddities::default(),
            untold: None,
        }
    }

    /// Begins a game. Numbers start at 1 and are unique.
    pub fn begin_game(&mut self, number: u64) {
        self.game = number;
        self.last = None;
        self.odd.game = number;
    }

    /// Adds the counters of other games of the same program.
    pub fn merge(&mut self, other: &Coverage<'_>) {
        add(&mut self.operations, &other.operations, Games::add);
        add(&mut self.branches, &other.branches, |a, b| {
            add(a, b, |a, b| *a += b);
        });
        add(&mut self.options, &other.options, |a, b| {
            add(a, b, OptionCount::add);
        });
        add(&mut self.components, &other.components, |a, b| {
            a.used.add(&b.used);
            a.offered.add(&b.offered);
            a.chosen.add(&b.chosen);
        });
        add(&mut self.zones, &other.zones, |a, b| *a |= b);
        add(&mut self.vars, &other.vars, |a, b| *a |= b);
        self.asked |= other.asked;
        self.odd.merge(&other.odd, "");
        for (address, games) in &other.endings {
            *self.endings.entry(*address).or_default() += games;
        }
    }

    // ---- noting

    /// Counts what a decision offers. Returns the number of its choices.
    pub fn offers(&mut self, state: &State, owed: &Pending) -> Result<u64, Fault> {
        self.decisions += 1;
        self.asked |= 1 << owed.seat;
        let (program, decision) = (self.program, self.decisions);
        let site = program.site(owed.site);
        let mut choices = vec![0u64; site.map_or(0, |site| site.options.len())];
        for_each_offer(program, state, owed, &mut |offer| {
            if let Some(count) = choices.get_mut(offer.option) {
                *count = count.saturating_add(offer.choices);
            }
            let Some(option) = site.and_then(|site| site.options.get(offer.option)) else {
                return;
            };
            let is_component = |name: usize| {
                let binder = option.binders.get(name);
                binder.is_some_and(|binder| matches!(binder.of, Type::Component(_)))
            };
            if !(0..option.binders.len()).any(is_component) {
                return;
            }
            offer.for_each_value(&mut |name, value| {
                let component = usize::try_from(value).ok().filter(|_| is_component(name));
                if let Some(counts) = component.and_then(|at| self.components.get_mut(at)) {
                    counts.offered.note(decision);
                }
            });
        })?;
        let all = choices.iter().fold(0u64, |all, n| all.saturating_add(*n));
        let counts = self.options.get_mut(usize::from(owed.site));
        for (count, choices) in counts.into_iter().flatten().zip(choices) {
            count.offered += u64::from(choices > 0);
            count.expected += choices as f64 / all.max(1) as f64;
        }
        Ok(all)
    }

    fn branch_went_to(&mut self, address: Address) {
        let Some(before) = self.last else { return };
        let Some(Op::JumpUnless(_, to)) = self.program.code.ops.get(before as usize) else {
            return;
        };
        let held = address == before + 1;
        if held != (address == *to)
            && let Some(branch) = self.branches.get_mut(before as usize)
            && let Some(count) = branch.get_mut(usize::from(held))
        {
            *count += 1;
        }
    }

    /// Notes that a component was used. Returns its other counters.
    fn component(&mut self, seen: &SeenComponent) -> Option<&mut ComponentCount> {
        let component = seen.component_for(AUDITOR).map(usize::from)?;
        let counts = self.components.get_mut(component)?;
        counts.used.note(self.game);
        Some(counts)
    }

    /// Notes that a component was used where it lies.
    fn used(&mut self, seen: &SeenComponent) {
        self.component(seen);
        if let Some((zone, _)) = seen.place_for(AUDITOR) {
            self.zone(usize::from(zone));
        }
    }

    /// Notes that a seat, or chance, chose a component.
    fn chosen(&mut self, seen: &SeenComponent) {
        let game = self.game;
        if let Some(counts) = self.component(seen) {
            counts.chosen.note(game);
        }
    }

    fn zone(&mut self, zone: usize) {
        if let Some(touched) = self.zones.get_mut(zone) {
            *touched = true;
        }
    }

    fn var(&mut self, var: usize) {
        if let Some(changed) = self.vars.get_mut(var) {
            *changed = true;
        }
    }

    /// Returns the operation that ended the game, if it is one that can.
    fn finishing(&self) -> Option<Address> {
        let last = self.last?;
        let operation = self.program.code.ops.get(last as usize)?;
        operation.facts().finishes.then_some(last)
    }

    /// Counts the zone in a component.
    fn zone_in(&mut self, holder: &SeenComponent) {
        let holder = holder.component_for(AUDITOR).map(i32::from);
        if let Some(zone) = holder.and_then(|holder| self.program.holds(holder)) {
            self.zone(usize::from(zone));
        }
    }

    fn taken(&mut self, site: SiteId, option: u16, args: &[Vec<SeenValue>]) {
        let (site, option) = (usize::from(site), usize::from(option));
        let counts = self.options.get_mut(site);
        if let Some(count) = counts.and_then(|counts| counts.get_mut(option)) {
            count.chosen += 1;
        }
        let info = self.program.sites.get(site);
        let Some(info) = info.and_then(|site| site.options.get(option)) else {
            return;
        };
        for (binder, values) in info.binders.iter().zip(args) {
            for value in values {
                match value {
                    SeenValue::Component(seen) => self.chosen(seen),
                    SeenValue::Plain(zone) if matches!(binder.of, Type::Zone(_)) => {
                        self.zone(usize::try_from(*zone).unwrap_or(usize::MAX));
                    }
                    SeenValue::Inside(holder) => self.zone_in(holder),
                    SeenValue::Plain(_) => {}
                }
            }
        }
    }
}

fn add<T>(own: &mut [T], others: &[T], add: impl Fn(&mut T, &T)) {
    own.iter_mut()
        .zip(others)
        .for_each(|(own, other)| add(own, other));
}

impl Observer for Coverage<'_> {
    fn operation(&mut self, At { address, .. }: At<'_>) {
        self.branch_went_to(address);
        self.last = Some(address);
        let game = self.game;
        if let Some(games) = self.operations.get_mut(address as usize) {
            games.note(game);
        }
    }

    fn odd(&mut self, what: Oddity, place: Option<Span>) {
        self.odd.odd(what, place);
    }

    fn untold(&mut self, fault: Fault) {
        self.untold.get_or_insert(fault);
    }

    fn event(&mut self, event: Event) {
        match event {
            Event::Moved { what, to, .. } => {
                self.used(&what);
                self.zone(usize::from(to));
            }
            Event::Rolled { dice } => dice.iter().for_each(|(die, _)| self.used(die)),
            Event::Turned { what, .. }
            | Event::Given {
                to: AssignmentTarget::Field { what, .. },
                ..
            } => self.used(&what),
            Event::Shown { what, .. } => what.iter().for_each(|seen| self.used(seen)),
            Event::Shuffled { zone, .. } => self.zone(usize::from(zone)),
            Event::ShuffledInside { holder, .. } => self.zone_in(&holder),
            Event::Chose {
                site, option, args, ..
            }
            | Event::Drawn { site, option, args } => self.taken(site, option, &args),
            Event::Given {
                to: AssignmentTarget::Var { var, .. },
                ..
            } => self.var(usize::from(var)),
            Event::Finished(_) => {
                *self.endings.entry(self.finishing()).or_default() += 1;
            }
            _ => {}
        }
    }
}
