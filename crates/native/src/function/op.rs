//! Operations as inline code or as calls of the interpreter.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types;

use crate::translator::emit::Translator;
use crate::translator::helper;
use crate::translator::notes::Part;
use wyrmgate_program::{Address, ExprId, Lasts, Op, VAR_ROUND};

impl Translator<'_> {
    /// Translates everything reachable from the entries.
    pub fn operations(&mut self, entries: &[Address], room: u32) {
        let lists = self.lists;
        let mut open: Vec<Address> = entries.to_vec();
        let mut done: Vec<Address> = Vec::new();
        while let Some(at) = open.pop() {
            let Some(block) = self.flow.block_of(at).filter(|_| !done.contains(&at)) else {
                continue;
            };
            done.push(at);
            self.notes.operation_at = at;
            self.b.switch_to_block(block);
            let op = self.program.code.ops.get(at as usize);
            // Jumps count as work only.
            if !matches!(op, Some(Op::Jump(_) | Op::JumpUnless(..))) {
                self.forget_number();
            }
            let decides = matches!(op, Some(Op::Choose(_) | Op::ChooseEach { .. }));
            self.inlining.room = if decides { DECISION * room } else { room };
            self.known.temps.clear();
            self.lists = lists;
            self.counts.work = 1;
            let next = self.operation(at);
            debug_assert_eq!(
                (self.counts.work, self.counts.new_events),
                (0, 0),
                "counted at {at}"
            );
            open.extend(next);
        }
        // The blocks of unreachable addresses.
        for (number, block) in self.flow.effect.blocks.clone().into_iter().enumerate() {
            if !done.contains(&(self.flow.effect.first + number as Address)) {
                self.b.switch_to_block(block);
                self.jump(self.flow.give_up, &[]);
            }
        }
    }

    /// Emits the code of one operation; returns where it can lead.
    pub fn operation(&mut self, at: Address) -> Vec<Address> {
        let Some(&op) = self.program.code.ops.get(at as usize) else {
            self.counts.work = 0;
            self.jump(self.flow.give_up, &[]);
            return Vec::new();
        };
        let in_place = match op {
            Op::Mark(local) => self.mark(local),
            Op::Release(local) => self.release(local),
            Op::LetList(local, set) => self.let_list(local, set),
            Op::MoveAll(how) => self.move_all(how),
            Op::Draw(how) => self.draw(how),
            Op::Let(local, value) => self.let_value(local, value),
            Op::SetMember(change) => self.set_member(change),
            Op::SetWord { offset, value } => self.set_word(offset, value),
            Op::SetWordAt(change) => self.set_word_at(change),
            Op::Record { position, of } => self.record(position, of),
            Op::Move(how) => self.move_one(how),
            Op::Shuffle(zone) => self.shuffle(zone),
            Op::Roll(dice) => self.roll(dice),
            Op::RoundBegin => self
                .count_up(VAR_ROUND)
                .map(|()| self.counts.new_events += 1),
            Op::RoundEnd => {
                self.counts.new_events += 1;
                self.reset(Lasts::Round)
            }
            Op::TurnBegin { seat, before } => self.turn_begin(seat, before),
            Op::TurnEnd { before } => self.turn_end(before),
            Op::AsBegin { seat, before } => self.as_begin(seat, before),
            Op::AsEnd { before } => self.as_end(before),
            Op::PhaseBegin { phase, before } => self.phase_begin(phase, before),
            Op::PhaseEnd { before } => self.phase_end(before),
            Op::Score { seat, by } => self.score(seat, by),
            // Nobody observes the game.
            Op::Say { to: None, .. } => {
                self.counts.new_events += 1;
                Some(())
            }
            _ => return self.leading(at, op),
        };
        match in_place {
            Some(()) => self.go_on(at, at + 1),
            None => self.perform(at, op),
        }
    }

    /// Emits the code of an operation that can lead elsewhere than to the next one; returns where.
    fn leading(&mut self, at: Address, op: Op) -> Vec<Address> {
        let leads = match op {
            Op::Jump(to) => Some(self.go_on(at, to)),
            Op::JumpUnless(condition, to) => Some(self.jump_unless(at, condition, to)),
            Op::Call { effect, args } if self.inlining.is_inside() => {
                Some(self.call_inline(at, effect, args))
            }
            Op::Call { effect, args } => self.call(at, effect, args),
            Op::CallKind { dispatch, args } => self.call_effect_of_kind(at, dispatch, args),
            Op::Return => Some(self.leave()),
            Op::EachNext(step) => self.each_next(at, step),
            Op::Choose(site) => self.choose(at, site),
            Op::ChooseEach { site, seats } => self.choose_each(at, site, seats),
            Op::ChooseAtRandom(site) => self.choose_at_random(at, site),

            _ => None,
        };
        leads.unwrap_or_else(|| self.perform(at, op))
    }

    /// Continues at an address; before anything is repeated, checks the work.
    pub fn go_on(&mut self, at: Address, to: Address) -> Vec<Address> {
        self.count();
        // Decisions check the work themselves.
        let decides = matches!(self.program.code.ops.get(to as usize), Some(Op::Choose(_)));
        if to <= at && !decides {
            self.refuse_exhausted();
        }
        match self.flow.block_of(to) {
            Some(block) => {
                self.jump(block, &[]);
                vec![to]
            }
            None => {
                // The address belongs to the effect, so there is a block.
                self.inlining.fails |= self.inlining.is_inside();
                let to = self.int(to as i32);
                self.leave_with(to);
                Vec::new()
            }
        }
    }

    /// Leaves the operation to the interpreter.
    pub fn perform(&mut self, at: Address, op: Op) -> Vec<Address> {
        // The interpreter cannot run an operation of an inline effect, which has no frame.
        self.inlining.fails |= self.inlining.is_inside();
        self.notes.leave(Part::Operation);
        // The interpreter counts its own work, but not the step to this operation.
        let number = self.int(at as i32);
        let next = self.call_helper(helper::perform as *const u8, &[number], Some(types::I32));
        let Some(next) = next else {
            return Vec::new();
        };
        let facts = op.facts();
        if facts.jumps || facts.finishes {
            self.leave_with(next);
            return Vec::new();
        }
        let leaves = self.is(IntCC::SignedLessThan, next, 0);
        let [out, on] = self.blocks();
        self.branch(leaves, out, on);
        self.b.switch_to_block(out);
        self.leave_with(next);
        self.b.switch_to_block(on);
        self.go_on(at, at + 1)
    }

    pub fn jump_unless(&mut self, at: Address, condition: ExprId, to: Address) -> Vec<Address> {
        let holds = self.truth(condition);
        self.count();
        let [then, otherwise] = self.blocks();
        self.branch(holds, then, otherwise);
        self.b.switch_to_block(then);
        let mut next = self.go_on(at, at + 1);
        self.b.switch_to_block(otherwise);
        next.extend(self.go_on(at, to));
        next
    }
}

/// The work of a decision compared with other operations.
const DECISION: u32 = 2;
