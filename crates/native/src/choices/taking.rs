//! Continues a game after a decision whose choices are bits, or the members of one list.

use std::mem::offset_of;

use cranelift_codegen::ir::{Block, InstBuilder, JumpTableData, Value, types};

use crate::choices::named::Source;
use crate::driver::context::Context;
use crate::driver::menu::{Kind, Row};
use crate::function::emit::{Translator, at};
use wyrmgate_engine::layout::header;
use wyrmgate_engine::limit::{EVENTS_PER_MOVE, FUEL_PER_MOVE};
use wyrmgate_program::{Address, BinderInfo, BinderSize, NONE, Site, SiteId};

impl Translator<'_> {
    /// Stores in the state that the game continues after this operation.
    pub fn go_on_after(&mut self, place: Address) {
        let next = self.int(place as i32 + 1);
        self.set_state_word(header::PC, next);
    }

    /// Creates the entry for a choice of a decision, given as a bit position. Without one, the driver stores names in
    /// their slots and enters the code of the option.
    pub fn take_by_bit(&mut self, kind: Kind, (site_id, site): (SiteId, &Site)) {
        let mut entries = self.takings.iter();
        let entry = entries.position(|entry| entry.site == site_id);
        let block = entry
            .and_then(|entry| self.takings.get(entry))
            .map(|entry| entry.block);
        let is_made = block
            .and_then(|block| self.take_in(block, kind, site))
            .is_some();
        if let Some(entry) = entry.and_then(|entry| self.takings.get_mut(entry)) {
            entry.is_made = is_made;
        }
    }

    /// Emits the code of an entry; `None` if nothing was emitted.
    fn take_in(&mut self, block: Block, kind: Kind, site: &Site) -> Option<()> {
        let targets = site.options.iter().map(|option| option.target);
        let targets: Vec<Block> = targets
            .map(|target| self.block_of(target))
            .collect::<Option<_>>()?;
        if let Kind::Options = kind {
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
        let value = match kind {
            Kind::Members(first) => {
                self.begin_taking(block);
                self.b.ins().iadd_imm_s(self.choice, i64::from(first))
            }
            Kind::Rows if self.is_listed(name) => {
                self.begin_taking(block);
                self.listed_in_first_row()
            }
            _ => return None,
        };
        self.set_local(name.local, value);
        self.jump(*target, &[]);
        Some(())
    }

    /// Returns whether the members of a name that is the last one are recorded as a list.
    fn is_listed(&self, name: &BinderInfo) -> bool {
        let is_mask = matches!(self.source(name), Source::Mask(_)) && !name.alike;
        name.count == BinderSize::One && !is_mask && name.parts.is_empty()
    }

    /// Emits the member that is chosen, if the only row lists the members.
    fn listed_in_first_row(&mut self) -> Value {
        let row = self.part(types::I64, at(offset_of!(Context, first_row)));
        let first = self.load(types::I64, row, at(offset_of!(Row, low)));
        let place = self.place(first, self.choice);
        self.load(types::I32, place, 0)
    }

    /// Begins a move with its full budget. Counts the event of the choice, and leaves no decision pending.
    fn begin_taking(&mut self, block: Block) {
        self.b.switch_to_block(block);
        let (work, new_events) = (
            self.long(FUEL_PER_MOVE.into()),
            self.long(EVENTS_PER_MOVE.into()),
        );
        self.b.def_var(self.fuel, work);
        self.b.def_var(self.events, new_events);
        let before = self.state_word(header::DECISIONS);
        let after = self.b.ins().iadd_imm_s(before, 1);
        self.set_state_word(header::DECISIONS, after);
        let (nobody, none) = (self.int(0), self.int(NONE));
        self.set_state_word(header::OWING, nobody);
        self.set_state_word(header::SITE, none);
        self.new_events += 1;
        self.count();
    }

    fn take_option(&mut self, targets: &[Block]) {
        if let [first, second] = targets {
            return self.branch(self.choice, *second, *first);
        }
        let pool = &mut self.b.func.dfg;
        let calls: Vec<_> = targets
            .iter()
            .map(|target| pool.block_call(*target, &[]))
            .collect();
        let otherwise = pool.block_call(self.give_up, &[]);
        let table = JumpTableData::new(otherwise, &calls);
        let table = self.b.create_jump_table(table);
        self.b.ins().br_table(self.choice, table);
    }
}
