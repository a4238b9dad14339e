//! Positions: the part of a state that determines how the game can continue, as a short key for the tables of a search.
//!
//! Two states with the same key have the same choices and lead to the same positions. The key excludes the seed, the
//! counts of decisions and draws, the order in which positions were recorded, the numbers of the round and the turn if no rule reads them, and dead slots of
//! suspended effects. Components keep their identity, except in [`PositionKeys::key_of_kinds`].

use smallvec::SmallVec;

use crate::canonical::canonical;
use crate::frame::{CALLER, EFFECT, FRAME_HEADER, RETURN_TO};
use crate::layout::header;
use crate::state::State;
use wyrmgate_program::{
    Address, Expr, Local, Operation, Program, SEATS_MAX, Site, SlotOf, VAR_ROUND, VAR_TURN,
};

/// 128 bits of BLAKE3: equal for equal positions, and in practice only for those.
pub type PositionKey = [u8; 16];

/// Computes the keys of one program's positions.
#[derive(Debug, Clone)]
pub struct PositionKeys<'p> {
    program: &'p Program,
    /// Words of variables that increase without any rule reading them.
    idle: SmallVec<[u32; 2]>,
    /// Whether a rule asks how often a position has been recorded.
    asks_history: bool,
    /// Whether there are components that are alike.
    has_alike: bool,
}

impl<'p> PositionKeys<'p> {
    pub fn new(program: &'p Program) -> PositionKeys<'p> {
        let counters = [VAR_ROUND, VAR_TURN].into_iter();
        let words = counters.filter_map(|var| Some(program.var(var)?.offset));
        PositionKeys {
            program,
            idle: words.filter(|word| !is_read(program, *word)).collect(),
            asks_history: program
                .exprs
                .iter()
                .any(|expr| matches!(expr, Expr::Recorded { .. })),
            has_alike: program.kinds.iter().any(|kind| kind.alike),
        }
    }

    pub fn key(&self, state: &State) -> PositionKey {
        self.hash(&self.essence(state))
    }

    /// Returns the key that a position shares with others in which components that are alike have changed places, or
    /// only an order differs that means nothing.
    pub fn key_of_kinds(&self, state: &State) -> PositionKey {
        let state = self.essence(state);
        // Recorded positions may name components.
        match self.has_alike && !self.asks_history {
            true => self.hash(&canonical(self.program, &state, &self.speaks_of(&state))),
            false => self.hash(&state),
        }
    }

    /// Returns the components to which suspended effects refer, and those that pending answers name.
    pub fn speaks_of(&self, state: &State) -> Vec<i32> {
        let mut spoken_of = Vec::new();
        let answers = self.answers(state);
        self.each_frame(state, &mut |at, goes_on, runs| {
            let effect = usize::try_from(state.slot(at + EFFECT)).ok();
            let effect = effect.and_then(|effect| self.program.effects.get(effect));
            let in_scope = self.program.slots_in_scope(goes_on as Address);
            let slots = effect.map_or(&[][..], |effect| &effect.of_components);
            let is_live = |local: Local| {
                in_scope.is_none_or(|end| local < end) || runs && answers.contains(&local)
            };
            for slot in slots {
                let place = |local: Local| at + FRAME_HEADER + usize::from(local);
                match *slot {
                    SlotOf::Component(local) if is_live(local) => {
                        spoken_of.push(state.slot(place(local)));
                    }
                    SlotOf::Components(local) if is_live(local) => {
                        let first = at as i64 + i64::from(state.slot(place(local)));
                        let end = first + i64::from(state.slot(place(local) + 1));
                        let list = (first.max(0)..end).map_while(|at| state.stack.get(at as usize));
                        spoken_of.extend(list);
                    }
                    // Contents of components are not interchangeable.
                    SlotOf::Component(_)
                    | SlotOf::Components(_)
                    | SlotOf::Zone(_)
                    | SlotOf::Zones(_) => {}
                }
            }
        });
        spoken_of
    }

    /// Returns the state without what makes no difference.
    fn essence(&self, state: &State) -> State {
        let mut state = state.clone();
        state.set_head(header::DECISIONS, 0);
        state.set_head(header::DRAWS, 0);
        for word in &self.idle {
            state.set_var(*word, 0);
        }
        self.clear_frames(&mut state);
        state
    }

    fn hash(&self, state: &State) -> PositionKey {
        let mut hash = blake3::Hasher::new();
        add(&mut hash, &state.words);
        add(&mut hash, &state.stack);
        let outcome = state.outcome().map(postcard::to_stdvec);
        if let Some(Ok(bytes)) = outcome {
            hash.update(&bytes);
        }
        if self.asks_history {
            for number in state.history.sorted() {
                hash.update(&number.to_le_bytes());
            }
        }
        let mut key = PositionKey::default();
        hash.finalize_xof().fill(&mut key);
        key
    }

    /// Clears slots that are out of scope.
    fn clear_frames(&self, state: &mut State) {
        let mut frames = SmallVec::<[(usize, i32, bool); 16]>::new();
        self.each_frame(state, &mut |at, goes_on, runs| {
            frames.push((at, goes_on, runs))
        });
        for (at, goes_on, runs) in frames {
            let answers = match runs {
                true => self.answers(state),
                false => Slots::new(),
            };
            self.clear_frame(state, at, goes_on, &answers);
        }
    }

    /// Visits where each frame begins, where it continues, and whether it is the one that runs, from this one down to the
    /// first.
    fn each_frame(&self, state: &State, visit: &mut dyn FnMut(usize, i32, bool)) {
        let mut base = state.head(header::BASE);
        let mut goes_on = state.head(header::PC);
        for level in 0..state.head(header::DEPTH) {
            let Ok(at) = usize::try_from(base) else {
                return;
            };
            visit(at, goes_on, level == 0);
            goes_on = state.slot(at + RETURN_TO);
            base = state.slot(at + CALLER);
        }
    }

    fn clear_frame(&self, state: &mut State, at: usize, goes_on: i32, answers: &Slots) {
        let effect = usize::try_from(state.slot(at + EFFECT)).ok();
        let effect = effect.and_then(|effect| self.program.effects.get(effect));
        let in_scope = self.program.slots_in_scope(goes_on as Address);
        let (Some(effect), Some(in_scope)) = (effect, in_scope) else {
            return;
        };
        for slot in (in_scope..effect.slots).filter(|slot| !answers.contains(slot)) {
            state.set_slot(at + FRAME_HEADER + usize::from(slot), 0);
        }
    }

    /// Slots with answers of a simultaneous decision that is not complete.
    fn answers(&self, state: &State) -> Slots {
        let site = usize::try_from(state.head(header::SITE)).ok();
        match site.and_then(|site| self.program.sites.get(site)) {
            Some(site) if state.head(header::SECRET) != 0 => slots_of_answers(site),
            _ => Slots::new(),
        }
    }
}

type Slots = SmallVec<[Local; 16]>;

fn slots_of_answers(site: &Site) -> Slots {
    let of_names = site.answers().flat_map(|(first, is_list)| {
        let each = if is_list { 2 } else { 1 };
        first..first.saturating_add(SEATS_MAX as Local * each)
    });
    let members = site.members();
    let numbers = members
        .into_iter()
        .flat_map(|members| members.at..members.at.saturating_add(SEATS_MAX as Local));
    of_names.chain(numbers).collect()
}

fn add(hash: &mut blake3::Hasher, words: &[i32]) {
    let bytes: SmallVec<[u8; 2048]> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    hash.update(&bytes);
}

/// Returns whether any expression reads this word of the variables.
fn is_read(program: &Program, word: u32) -> bool {
    let mut exprs = program.exprs.iter();
    exprs.any(|expr| expr.words().is_some_and(|words| words.contains(&word)))
}
