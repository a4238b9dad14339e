//! Continues a game after a decision whose choices are bits, or the members of one list.

use std::mem::offset_of;

use cranelift_codegen::ir::{Block, InstBuilder, JumpTableData, Value, types};

use crate::choices::kind::RecordingKind;
use crate::choices::noting::NameSource;
use crate::memory::context::Context;
use crate::memory::row::ChoiceRow;
use crate::translator::emit::{Translator, at, offset};
use wyrmgate_engine::frame::FRAME_HEADER;
use wyrmgate_engine::layout::header;
use wyrmgate_engine::limit::{EVENTS_PER_MOVE, FUEL_PER_MOVE};
use wyrmgate_program::{Address, BinderInfo, BinderSize, NONE, SEATS_MAX, Site, SiteId};

impl Translator<'_> {
    /// Stores in the state that the game continues after this operation.
    pub fn go_on_after(&mut self, place: Address) {
        let next = self.int(place as i32 + 1);
        self.set_state_word(header::PC, next);
    }

    /// Creates the entry of a decision in its block, and notes whether anything was emitted.
    pub fn make_entry(&mut self, site: SiteId, make: impl FnOnce(&mut Self, Block) -> Option<()>) {
        let Some(at) = self
            .flow
            .takings
            .iter()
            .position(|entry| entry.site == site)
        else {
            return;
        };
        let block = self.flow.takings.get(at).map(|entry| entry.block);
        let made = block.and_then(|block| make(self, block));
        if let Some(entry) = self.flow.takings.get_mut(at) {
            entry.is_made = made.is_some();
        }
    }

    /// Emits the code of an entry for a choice given as a bit position; `None` if nothing was emitted. Without it, the driver
    /// stores names in their slots and enters the code of the option.
    pub fn take_in(&mut self, block: Block, kind: RecordingKind, site: &Site) -> Option<()> {
        let targets = site.options.iter().map(|option| option.target);
        let targets: Vec<Block> = targets
            .map(|target| self.flow.block_of(target))
            .collect::<Option<_>>()?;
        if let RecordingKind::Options = kind {
            self.begin_taking(block);
            self.take_option(&targets);
            return Some(());
        }
        let ([target], [option]) = (targets.as_slice(), site.options.as_slice()) else {
            return None;
        };
        let [name] = option.binders.as_slice() else {
            return None;
        };
        self.has_slot(name.local)?;
        if !self.is_taken_alone(kind, name) {
            return None;
        }
        self.begin_taking(block);
        let value = self.taken(kind);
        self.set_local(name.local, value);
        self.jump(*target, &[]);
        Some(())
    }

    /// Emits the code of an entry for the choice of the first of several seats that decide, with which the choices of the next
    /// one are recorded in the block `next_seat`, or the game continues after the last one; `None` if nothing was emitted.
    pub fn take_of_seat(
        &mut self,
        block: Block,
        kind: RecordingKind,
        site: &Site,
        next_seat: Block,
    ) -> Option<()> {
        let [option] = site.options.as_slice() else {
            return None;
        };
        let [name] = option.binders.as_slice() else {
            return None;
        };
        let target = self.flow.block_of(option.target)?;
        if name.count != BinderSize::One || !self.is_taken_alone(kind, name) {
            return None;
        }
        self.begin_move(block);
        let value = self.taken(kind);
        let owing = self.state_word(header::OWING);
        let seat = self.first_owing(owing);
        let frame = self.frame();
        let slots = i64::from(offset(FRAME_HEADER + usize::from(name.local)));
        let slots = self.b.ins().iadd_imm_s(frame, slots);
        let slot = self.place(slots, seat);
        self.store(value, slot, 0);
        let others = self.b.ins().iadd_imm_s(owing, -1);
        let others = self.b.ins().band(owing, others);
        self.set_state_word(header::OWING, others);
        let [ask, done] = self.blocks();
        self.branch(others, ask, done);
        self.b.switch_to_block(ask);
        let seat = self.first_owing(others);
        self.look_of(seat, next_seat);
        self.b.switch_to_block(done);
        let (open, none) = (self.int(0), self.int(NONE));
        self.set_state_word(header::SECRET, open);
        self.set_state_word(header::SITE, none);
        self.counts.new_events += 1;
        self.count();
        self.jump(target, &[]);
        Some(())
    }

    /// Emits the lowest of the seats in a word of bits, which has at least one.
    fn first_owing(&mut self, seats: Value) -> Value {
        let lowest = self.b.ins().ctz(seats);
        // Stays within the slots even if there were none.
        self.b.ins().band_imm_u(lowest, SEATS_MAX as i64 - 1)
    }

    /// Returns whether code finds the value of the only name by the number of a choice.
    fn is_taken_alone(&self, kind: RecordingKind, name: &BinderInfo) -> bool {
        match kind {
            RecordingKind::Members(_) => true,
            RecordingKind::Rows => self.is_listed(name),
            RecordingKind::Options | RecordingKind::Elsewhere => false,
        }
    }

    /// Emits the value of the only name.
    fn taken(&mut self, kind: RecordingKind) -> Value {
        match kind {
            RecordingKind::Members(first) => {
                self.b.ins().iadd_imm_s(self.flow.choice, i64::from(first))
            }
            _ => self.member_of_first_row(),
        }
    }

    /// Returns whether the members of a name that is the last one are recorded as a list.
    fn is_listed(&self, name: &BinderInfo) -> bool {
        let is_mask = matches!(self.source(name), NameSource::Mask(_)) && !name.alike;
        name.count == BinderSize::One && !is_mask
    }

    /// Emits the member that is chosen, if the only row lists the members.
    fn member_of_first_row(&mut self) -> Value {
        let row = self.part(types::I64, at(offset_of!(Context, rest.rows.first)));
        let first = self.load(types::I64, row, at(offset_of!(ChoiceRow, low)));
        let place = self.place(first, self.flow.choice);
        self.load(types::I32, place, 0)
    }

    /// Begins a move with its full budget. Counts the event of the choice, and leaves no decision pending.
    fn begin_taking(&mut self, block: Block) {
        self.begin_move(block);
        let (nobody, none) = (self.int(0), self.int(NONE));
        self.set_state_word(header::OWING, nobody);
        self.set_state_word(header::SITE, none);
        self.counts.new_events += 1;
        self.count();
    }

    /// Begins a move with its full budget, and counts the decision.
    fn begin_move(&mut self, block: Block) {
        self.b.switch_to_block(block);
        let (work, new_events) = (
            self.long(FUEL_PER_MOVE.into()),
            self.long(EVENTS_PER_MOVE.into()),
        );
        self.b.def_var(self.counts.fuel, work);
        self.b.def_var(self.counts.events, new_events);
        let before = self.state_word(header::DECISIONS);
        let after = self.b.ins().iadd_imm_s(before, 1);
        self.set_state_word(header::DECISIONS, after);
    }

    fn take_option(&mut self, targets: &[Block]) {
        if let [first, second] = targets {
            return self.branch(self.flow.choice, *second, *first);
        }
        let pool = &mut self.b.func.dfg;
        let calls: Vec<_> = targets
            .iter()
            .map(|target| pool.block_call(*target, &[]))
            .collect();
        let otherwise = pool.block_call(self.flow.give_up, &[]);
        let table = JumpTableData::new(otherwise, &calls);
        let table = self.b.create_jump_table(table);
        self.b.ins().br_table(self.flow.choice, table);
    }
}
