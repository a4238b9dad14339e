//! Groups of choices for decisions whose names stand for several members, recorded in the runner's choice set.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};

use crate::choices::noting::{NotedName, Noting};
use crate::lists::list_helper;
use crate::masks::bits::MaskBits;
use crate::translator::emit::Translator;
use crate::translator::helper;
use wyrmgate_engine::choices::MemberOrder;
use wyrmgate_program::{BinderSize, LENGTH_MAX, MaskId};

impl Translator<'_> {
    pub fn note_bits(
        &mut self,
        name: NotedName<'_>,
        mask: MaskId,
        bits: MaskBits,
    ) -> Option<Value> {
        let first = self.program.masks.get(mask as usize)?.domain.first;
        let any = self.any(bits);
        self.run_if(any, |t| {
            t.set_bits(bits);
            let place = [name.noting.number, name.number as i32, first];
            let arguments = place.map(|number| t.int(number));
            t.call_helper(helper::note_bits as *const u8, &arguments, None);
        });
        Some(any)
    }

    /// Records a group of the members in the buffer, or the choice that consists of the names themselves.
    pub fn note_list(&mut self, noting: Noting<'_>, names: usize, members: Value) {
        let (option, names) = (self.int(noting.number), self.int(names as i32));
        let arguments = [option, names, members];
        self.call_helper(helper::note_list as *const u8, &arguments, None);
    }

    /// Records a group of selections of the members in the buffer; returns whether there are any.
    pub fn note_selections(&mut self, name: NotedName<'_>, count: Value) -> Option<Value> {
        let none = self.int(0);
        let (least, most, form) = match name.binder.count {
            BinderSize::Many {
                least,
                most,
                ordered,
            } => (
                self.word_of(least),
                self.word_of(most),
                MemberOrder::of(ordered),
            ),
            BinderSize::Repeated { least, most } => (
                self.word_of(least),
                self.word_of(most),
                MemberOrder::Repeated,
            ),
            BinderSize::Any | BinderSize::One => (none, count, MemberOrder::Subset),
            BinderSize::Permutation => (count, count, MemberOrder::Sequence),
            BinderSize::Path { .. } | BinderSize::Text { .. } => return None,
        };
        if form == MemberOrder::Repeated {
            let longest = self.b.ins().smax(least, most);
            let is_long = self.is(IntCC::SignedGreaterThan, longest, LENGTH_MAX as i64);
            self.refuse(is_long);
        }
        let [_, _, option, names] = self.place_of(name);
        let form = self.int(form as i32);
        let arguments = [option, names, count, least, most, form];
        let helper = list_helper::note_selections as *const u8;
        let any = self.call_helper(helper, &arguments, Some(types::I32))?;
        Some(self.is(IntCC::NotEqual, any, 0))
    }
}
