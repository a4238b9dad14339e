//! Choices among all contents of a zone: if the seat sees them, they need not be listed. Their number is known, and the one
//! that is taken is found in the zone.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{BlockArg, InstBuilder, Value, types};

use crate::choices::named::NameSource;
use crate::choices::noting::Noting;
use crate::translator::emit::Translator;
use wyrmgate_engine::layout::{COUNT, FIRST, NEXT, ZONE_WORDS, header};
use wyrmgate_program::{BinderInfo, BinderSize, ExprId, NONE, Set, Type};

impl Translator<'_> {
    /// Returns the zone whose contents are the possible values of a name, without exception and in their order.
    pub fn whole_zone(&self, name: &BinderInfo) -> Option<ExprId> {
        let is_plain = name.count == BinderSize::One
            && name.filters.is_empty()
            && name.together.is_empty()
            && name.parts.is_empty()
            && !name.alike
            && matches!(name.of, Type::Component(_))
            && matches!(self.source(name), NameSource::Listed);
        match self.program.sets.get(name.domain as usize) {
            Some(&Set::Zone(zone)) if is_plain => Some(zone),
            _ => None,
        }
    }

    /// Records the contents of a zone as the values of the last name, if the seat sees them all; otherwise, `listed` records
    /// them in another way. Returns whether there are any.
    pub fn note_zone(
        &mut self,
        noting: &Noting<'_>,
        names: &[Value],
        zone: ExprId,
        listed: impl FnOnce(&mut Self) -> Option<Value>,
    ) -> Option<Value> {
        let zone = self.word_of(zone);
        let Some(sees) = self.sees_contents(zone, noting.seat) else {
            let count = self.count_contents(zone);
            return self.put_row_of_zone(noting, names, zone, count);
        };
        let after = self.b.create_block();
        let any = self.b.append_block_param(after, types::I8);
        let no = self.b.ins().iconst(types::I8, 0);
        let mut failed = false;
        let mut made = |made: Option<Value>| {
            failed |= made.is_none();
            made.unwrap_or(no)
        };
        let [seen, other] = self.blocks();
        self.count();
        self.branch(sees, seen, other);
        self.b.switch_to_block(seen);
        let count = self.count_contents(zone);
        let some = made(self.put_row_of_zone(noting, names, zone, count));
        self.jump(after, &[BlockArg::Value(some)]);
        self.b.switch_to_block(other);
        let some = made(listed(self));
        self.count();
        self.jump(after, &[BlockArg::Value(some)]);
        self.b.switch_to_block(after);
        (!failed).then_some(any)
    }

    /// Emits the number of components in a zone, and counts the work of looking at each of them.
    pub fn count_contents(&mut self, zone: Value) -> Value {
        let zones = self.layout.zones;
        let count = self.strided(zone, zones, header::LEN + COUNT, ZONE_WORDS, 0);
        let count = self.word(count);
        self.spend(count);
        count
    }

    /// Emits the component with this number, which is below their count, of those in a zone.
    pub fn nth_in_zone(&mut self, zone: Value, number: Value) -> Value {
        let zones = self.layout.zones;
        let first = self.strided(zone, zones, header::LEN + FIRST, ZONE_WORDS, NONE);
        let first = self.word(first);
        let [head, inside, further, after] = self.blocks();
        let member = self.b.append_block_param(head, types::I32);
        let left = self.b.append_block_param(head, types::I32);
        let found = self.b.append_block_param(after, types::I32);
        self.jump(head, &[first, number].map(BlockArg::Value));
        self.b.switch_to_block(head);
        let here = [BlockArg::Value(member)];
        self.b.ins().brif(left, inside, &[], after, &here);
        self.b.switch_to_block(inside);
        // The list leads to components only; behind its end is none.
        let components = self.layout.components as i32;
        let is_one = self.is(IntCC::UnsignedLessThan, member, components.into());
        self.b.ins().brif(is_one, further, &[], after, &here);
        self.b.switch_to_block(further);
        self.known.ranges.insert(member, (0, components - 1));
        let next = self.row_of(member, NEXT);
        // At its end, it may be no component.
        self.known.ranges.remove(&member);
        let next = self.word(next);
        let fewer = self.b.ins().iadd_imm_s(left, -1);
        self.jump(head, &[next, fewer].map(BlockArg::Value));
        self.b.switch_to_block(after);
        found
    }
}
