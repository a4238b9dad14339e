//! Detours: where a what-if cuts a path that holds without it, the search begins before the cut, and ends where it comes back
//! to the path.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{BlockArg, InstBuilder, Value, types};

use super::cycle::joined;
use super::emit::{Scalar, Translator, offset};
use super::search::{Reached, Search};
use wyrmgate_program::{ExprId, Temp};

/// The maximum number of members that a detour explores before the whole search starts.
const MEMBERS_MAX: i64 = 64;

/// The mark of the members that lead to the end.
const LEADS: i64 = 2;

impl Translator<'_> {
    /// Emits whether the path still leads to its end, around what cuts it if need be. It may lead there even if not.
    pub fn leads_around(
        &mut self,
        (path, count): (Value, Value),
        search: Search,
        (temp, condition): (Temp, ExprId),
    ) -> Value {
        let no = |t: &mut Self| t.b.ins().iconst(types::I8, 0);
        let end = self.load(types::I32, path, offset(1));
        self.set_temp(temp, Scalar::Word(end));
        let arrives = self.truth(condition);
        let leads = self.flag_by(
            arrives,
            |t| {
                let (cut, intact) = t.cuts(path, count, search);
                let is_cut = t.is(IntCC::NotEqual, cut, 0);
                let leads = t.flag_by(
                    is_cut,
                    |t| t.comes_back(path, (cut, intact), search),
                    |t| t.b.ins().iconst(types::I8, 1),
                );
                t.flag(leads)
            },
            no,
        );
        self.flag(leads)
    }

    /// Emits the place of the last member before the first step that fails, 0 if none does, and the number of members after
    /// the last step that fails.
    fn cuts(&mut self, path: Value, count: Value, search: Search) -> (Value, Value) {
        let [head, inside, after] = [(); 3].map(|()| self.b.create_block());
        let [place, cut, intact] = [(); 3].map(|()| self.b.append_block_param(head, types::I32));
        let none = self.int(0);
        self.jump(head, &joined(&[count, none, count], &[]));
        self.b.switch_to_block(head);
        let more = self.is(IntCC::SignedGreaterThan, place, 1);
        self.b.ins().brif(more, inside, &[], after, &[]);
        self.b.switch_to_block(inside);
        let member = self.place(path, place);
        let next = self.load(types::I32, member, -offset(1));
        let member = self.load(types::I32, member, 0);
        self.set_temp(search.temp, Scalar::Word(member));
        let leads = self.contains_value(search.next, next);
        let is_first = self.is(IntCC::Equal, cut, 0);
        let cut_here = self.b.ins().select(is_first, place, cut);
        let cut_now = self.b.ins().select(leads, cut, cut_here);
        let next_place = self.b.ins().iadd_imm_s(place, -1);
        let intact_now = self.b.ins().select(leads, intact, next_place);
        self.jump(head, &joined(&[next_place, cut_now, intact_now], &[]));
        self.b.switch_to_block(after);
        self.loops += 1;
        (cut, intact)
    }

    /// Emits whether a short search from the member at the place `cut` comes to one of the `intact` last members.
    fn comes_back(&mut self, path: Value, (cut, intact): (Value, Value), search: Search) -> Value {
        let Some(reached) = self.begin_search(search) else {
            return self.b.ins().iconst(types::I8, 0);
        };
        self.mark_as_leading(path, intact, reached);
        let begin = self.place(path, cut);
        let begin = self.load(types::I32, begin, 0);
        self.mark_reached(reached, begin);
        let none = self.int(0);
        self.put_in_queue(reached, begin, none);
        let [head, inside, after] = [(); 3].map(|()| self.b.create_block());
        let [at, count] = [(); 2].map(|()| self.b.append_block_param(head, types::I32));
        let found = self.b.append_block_param(after, types::I8);
        let one = self.int(1);
        self.jump(head, &joined(&[none, one], &[]));
        self.b.switch_to_block(head);
        let is_left = self.b.ins().icmp(IntCC::SignedLessThan, at, count);
        let may_go_on = self.is(IntCC::SignedLessThan, at, MEMBERS_MAX);
        let more = self.b.ins().band(is_left, may_go_on);
        let no = self.b.ins().iconst(types::I8, 0);
        self.b
            .ins()
            .brif(more, inside, &[], after, &[BlockArg::from(no)]);
        self.b.switch_to_block(inside);
        let member = self.queued(reached, at);
        self.set_temp(search.temp, Scalar::Word(member));
        let made = self.each(search.next, &[count, no], &mut |t, member, made| {
            let was = t.mark_reached(reached, member);
            let (is_new, leads) = (t.is(IntCC::Equal, was, 0), t.is(IntCC::Equal, was, LEADS));
            let count = made.first().copied().unwrap_or(none);
            t.put_in_queue(reached, member, count);
            let more = t.b.ins().uextend(types::I32, is_new);
            (vec![t.b.ins().iadd(count, more), leads], Some(leads))
        });
        let &[count, leads] = made.as_slice() else {
            return no;
        };
        let at = self.b.ins().iadd_imm_s(at, 1);
        let again = joined(&[at, count], &[]);
        self.b
            .ins()
            .brif(leads, after, &[BlockArg::from(leads)], head, &again);
        self.b.switch_to_block(after);
        self.loops += 1;
        self.end_search();
        found
    }

    /// Marks the last members of a path, from which it leads to its end.
    fn mark_as_leading(&mut self, path: Value, intact: Value, reached: Reached) {
        let [head, inside, after] = [(); 3].map(|()| self.b.create_block());
        let place = self.b.append_block_param(head, types::I32);
        self.jump(head, &joined(&[intact], &[]));
        self.b.switch_to_block(head);
        let more = self.is(IntCC::SignedGreaterThan, place, 0);
        self.b.ins().brif(more, inside, &[], after, &[]);
        self.b.switch_to_block(inside);
        let member = self.place(path, place);
        let member = self.load(types::I32, member, 0);
        self.mark_by(reached, member, LEADS);
        let next = self.b.ins().iadd_imm_s(place, -1);
        self.jump(head, &joined(&[next], &[]));
        self.b.switch_to_block(after);
        self.loops += 1;
    }
}
