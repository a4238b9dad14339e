//! Chance: shuffles, random choices, and dice whose numbers were computed ahead.

use crate::choices::noting::{Into, NameSource, NotedName, NotedSite, Noting};
use crate::events::shuffle;
use crate::memory::ahead;
use crate::memory::buffers::MEMBERS_MAX;
use crate::memory::context::Context;
use crate::translator::emit::{Translator, at};
use crate::translator::helper;
use crate::translator::known::ScalarValue;
use std::mem::offset_of;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, BlockArg, InstBuilder, Value, types};

use wyrmgate_engine::layout::header;
use wyrmgate_engine::ops::random::die_of;
use wyrmgate_engine::rng::{Label, Rng};
use wyrmgate_program::{Address, BinderSize, Expr, ExprId, SEATS_MAX, Set, SetId, SiteId};

impl Translator<'_> {
    /// Shuffles a zone whose components all fit into a buffer.
    pub fn shuffle(&mut self, zone: ExprId) -> Option<()> {
        if self.layout.components > MEMBERS_MAX {
            return None;
        }
        let zone = self.word_of(zone);
        self.counts.new_events += 1;
        self.call_helper(shuffle::shuffle as *const u8, &[zone], None);
        Some(())
    }

    /// Takes a random member for the only name.
    pub fn choose_at_random(&mut self, place: Address, site_id: SiteId) -> Option<Vec<Address>> {
        let site = self.program.site(site_id)?;
        let [option] = site.options.as_slice() else {
            return None;
        };
        let [name] = option.binders.as_slice() else {
            return None;
        };
        let plain = option.conditions.is_empty();
        let source = self.source(name);
        if !plain || name.count != BinderSize::One || matches!(source, NameSource::Asked) {
            return None;
        }
        self.has_slot(name.local)?;
        let seat = self.word_of(site.who);
        let (least, most) = (self.int(0), self.int(SEATS_MAX as i32 - 1));
        let seat = self.b.ins().smax(seat, least);
        let seat = self.b.ins().smin(seat, most);
        self.known.temps.clear();
        self.set_temp(site.seat_temp, ScalarValue::Word(seat));
        let otherwise = self.b.create_block();
        let of = NotedSite {
            id: site_id,
            site,
            seat,
            // Nothing jumps there: lists of hidden components are arranged.
            by_interpreter: otherwise,
        };
        let noting = Noting {
            of,
            number: 0,
            option,
            into: Into::Menu,
        };
        let noted = NotedName {
            noting,
            number: 0,
            binder: name,
            source,
        };
        let buffer = self.buffer_of(0);
        self.counts.work += 1;
        let count = self.gather(noted, buffer)?;
        let draw = self.b.create_block();
        self.count();
        self.branch(count, draw, otherwise);
        self.b.switch_to_block(draw);
        let drawn = self.drawn(count)?;
        let member = self.place(buffer.first, drawn);
        let member = self.load(types::I32, member, 0);
        self.set_local(name.local, member)?;
        let mut next = self.go_on(place, option.target);
        self.b.switch_to_block(otherwise);
        next.extend(self.go_on(place, site.otherwise));
        Some(next)
    }

    /// Emits a random number below a count of at least one. [`helper::draw`] is called only if the number has not been
    /// computed ahead, or is rejected.
    fn drawn(&mut self, count: Value) -> Option<Value> {
        self.counts.new_events += 1;
        self.count();
        let [several, take, ask, after] = self.blocks();
        let drawn = self.b.append_block_param(after, types::I32);
        let is_only = self.is(IntCC::Equal, count, 1);
        self.branch(is_only, ask, several);
        self.b.switch_to_block(several);
        let draws = self.state_word(header::DRAWS);
        let number = self.number_ahead(Label::Choose, draws, ask);
        let rest = self.b.ins().urem(number, count);
        // As in `StreamsAhead::below`, numbers beyond the last whole multiple are rejected.
        let whole = self.b.ins().isub(number, rest);
        let most = self.b.ins().ineg(count);
        let beyond = self.b.ins().icmp(IntCC::UnsignedGreaterThan, whole, most);
        self.branch(beyond, ask, take);
        self.b.switch_to_block(take);
        let draws = self.b.ins().iadd_imm_s(draws, 1);
        self.set_state_word(header::DRAWS, draws);
        self.jump(after, &[BlockArg::Value(rest)]);
        self.b.set_cold_block(ask);
        self.b.switch_to_block(ask);
        let asked = self.call_helper(helper::draw as *const u8, &[count], Some(types::I32))?;
        self.jump(after, &[BlockArg::Value(asked)]);
        self.b.switch_to_block(after);
        Some(drawn)
    }

    /// Rolls one known die.
    pub fn roll(&mut self, dice: SetId) -> Option<()> {
        let program = self.program;
        let Set::List { first, count: 1 } = *program.sets.get(dice as usize)? else {
            return self.roll_all(dice);
        };
        let Expr::Const(die) = *program.exprs.get(first as usize)? else {
            return None;
        };
        let (word, faces, _) = die_of(program, die)?;
        if word as usize >= self.layout.vars {
            return None;
        }
        self.counts.work += 1;
        self.counts.new_events += 1;
        let side = self.side(faces.len() as u32)?;
        let base = self.pointer(faces.as_ptr());
        let place = self.place(base, side);
        let face = self.load(types::I32, place, 0);
        self.put(word, face)
    }

    /// Emits the roll of a die. [`helper::roll`] is called only if the number has not been computed ahead, or is
    /// rejected.
    fn side(&mut self, sides: u32) -> Option<Value> {
        self.count();
        let [ask, after] = self.blocks();
        let side = self.b.append_block_param(after, types::I32);
        if sides >= 2 {
            let draws = self.state_word(header::DRAWS);
            let number = self.number_ahead(Label::Roll, draws, ask);
            let rest = self.rest_of(number, sides);
            let whole = self.b.ins().isub(number, rest);
            // As in `StreamsAhead::below`, numbers beyond the last whole multiple are rejected.
            let most = i64::from(u32::MAX - (sides - 1));
            let whole = self.b.ins().uextend(types::I64, whole);
            let beyond = self.is(IntCC::UnsignedGreaterThan, whole, most);
            let take = self.b.create_block();
            self.branch(beyond, ask, take);
            self.b.switch_to_block(take);
            let draws = self.b.ins().iadd_imm_s(draws, 1);
            self.set_state_word(header::DRAWS, draws);
            self.jump(after, &[BlockArg::Value(rest)]);
        } else {
            self.jump(ask, &[]);
        }
        self.b.set_cold_block(ask);
        self.b.switch_to_block(ask);
        let sides = self.int(sides as i32);
        let asked = self.call_helper(helper::roll as *const u8, &[sides], Some(types::I32))?;
        self.jump(after, &[BlockArg::Value(asked)]);
        self.b.switch_to_block(after);
        Some(side)
    }

    /// Emits the first number of the stream of the next random operation, if it is known; otherwise jumps to the other block.
    fn number_ahead(&mut self, label: Label, draws: Value, other: Block) -> Value {
        let here = offset_of!(Context, ahead);
        let stream = self.b.ins().uextend(types::I64, draws);
        let label = self.long(Rng::stream(label, 0));
        let stream = self.b.ins().bor(stream, label);
        let first = self.part(types::I64, at(here + ahead::FIRST));
        let known = self.part(types::I64, at(here + ahead::KNOWN));
        let number = self.b.ins().isub(stream, first);
        let is_known = self.b.ins().icmp(IntCC::UnsignedLessThan, number, known);
        let known = self.b.create_block();
        self.branch(is_known, known, other);
        self.b.switch_to_block(known);
        // «No more known than there is room for».
        let numbers = i64::from(at(here + ahead::NUMBERS));
        let numbers = self.b.ins().iadd_imm_s(self.context, numbers);
        let bytes = self.b.ins().ishl_imm_u(number, 2);
        let place = self.b.ins().iadd(numbers, bytes);
        self.load(types::I32, place, 0)
    }

    /// Emits the remainder of a division by a constant of at least two, by multiplication, which is exact for 32 bits
    /// (Lemire, Kaser and Kurz, Faster remainder by direct computation, 2019).
    fn rest_of(&mut self, number: Value, by: u32) -> Value {
        let number = self.b.ins().uextend(types::I64, number);
        let part = self.long(u64::MAX / u64::from(by) + 1);
        let low = self.b.ins().imul(part, number);
        let by = self.long(u64::from(by));
        let rest = self.b.ins().umulhi(low, by);
        self.b.ins().ireduce(types::I32, rest)
    }
}
