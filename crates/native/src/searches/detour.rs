//! Detours: where a what-if cuts a path that holds without it, a second path stands in for the first one, which has no member
//! in common with it but its beginning and perhaps its end. Where there is none, or it is cut too, a search begins before the
//! cut, and ends where it comes back to the first path or finds another end.
//!
//! Many what-ifs cut a path, but few cut both. The second path is looked for once a position, when it is needed first.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, BlockArg, InstBuilder, Value, types};

use crate::memory::paths::SOUGHT_IN;
use crate::searches::path::{KeptPaths, NO, UNKNOWN, YES};
use crate::searches::search::{SearchMarks, SearchTrail};
use crate::searches::untouched::Runs;
use crate::translator::cycle::{Made, joined, value_of};
use crate::translator::emit::Translator;
use crate::translator::known::ScalarValue;

/// The mark of members that a search must not visit or has visited, and the mark of members that lead to the end.
const REACHED: i64 = 1;
const LEADS: i64 = 2;

/// The place of the queue from which the first member was discovered.
const NOWHERE: i32 = -1;

impl Translator<'_> {
    /// Emits the answer of the paths of a question, if the first path holds without the what-if.
    pub fn still_leads(&mut self, ways: KeptPaths, runs: &Runs) -> Value {
        let untouched = self.is_untouched(ways.first, runs);
        let answer = self.flag_by(
            untouched,
            |t| t.answer(YES),
            |t| {
                let leads = t.second_leads(ways, runs);
                let answer = t.flag_by(leads, |t| t.answer(YES), |t| t.leads_around(ways));
                t.flag(answer)
            },
        );
        self.flag(answer)
    }

    /// Emits whether the second path leads from where the first one begins.
    fn second_leads(&mut self, ways: KeptPaths, runs: &Runs) -> Value {
        let begin = self.beginning(ways.first);
        let begin_of_second = self.beginning(ways.second);
        let same = self.b.ins().icmp(IntCC::Equal, begin, begin_of_second);
        let held = self.held_before(ways.second);
        let held = self.b.ins().band(held, same);
        let leads = self.flag_by(
            held,
            |t| t.is_untouched(ways.second, runs),
            |t| t.found_second(ways, same, runs),
        );
        self.flag(leads)
    }

    /// Emits whether the second path holds, or another one is found.
    fn found_second(&mut self, ways: KeptPaths, begins: Value, runs: &Runs) -> Value {
        let no = |t: &mut Self| t.answer(UNKNOWN);
        let holds = self.flag_by(begins, |t| t.holds(ways.second, ways, Some(runs)), no);
        let holds = self.flag(holds);
        let sought = self.is_now(ways.first, SOUGHT_IN);
        let is_known = self.b.ins().bor(holds, sought);
        let found = self.flag_by(is_known, |_| holds, |t| t.seek_second(ways));
        self.flag(found)
    }

    /// Looks for a second path, and keeps it. Emits whether there is one.
    fn seek_second(&mut self, ways: KeptPaths) -> Value {
        self.note_now(ways.first, SOUGHT_IN);
        let Some(reached) = self.begin_search(ways.search, SearchTrail::Path(ways.number + 1))
        else {
            return self.answer(UNKNOWN);
        };
        let count = self.load(types::I32, ways.first, 0);
        let last = self.b.ins().iadd_imm_s(count, -1);
        self.mark_places(reached, ways.first, 1, last, REACHED);
        let begin = self.beginning(ways.first);
        let found = self.explore(ways, reached, begin, false);
        self.end_search();
        found
    }

    /// Emits whether a search that begins before a cut comes back to the path or finds an end.
    fn leads_around(&mut self, ways: KeptPaths) -> Value {
        let path = ways.first;
        let arrives = self.arrives(path, ways);
        let (cut, intact) = self.cuts(ways);
        let is_whole = self.is(IntCC::Equal, cut, 0);
        let leads = self.b.ins().band(is_whole, arrives);
        let answer = self.flag_by(
            leads,
            |t| t.answer(YES),
            |t| {
                let Some(reached) = t.begin_search(ways.search, SearchTrail::Forgotten) else {
                    return t.answer(UNKNOWN);
                };
                let none = t.int(0);
                let intact = t.b.ins().select(arrives, intact, none);
                t.mark_places(reached, path, 0, intact, LEADS);
                let count = t.load(types::I32, path, 0);
                let cut = t.b.ins().select(is_whole, count, cut);
                let begin = t.place(path, cut);
                let begin = t.load(types::I32, begin, 0);
                let found = t.explore(ways, reached, begin, true);
                t.end_search();
                let (yes, no) = (t.answer(YES), t.answer(NO));
                t.b.ins().select(found, yes, no)
            },
        );
        self.flag(answer)
    }

    /// Emits the place of the last member before the first step that fails, 0 if none does, and the number of members after
    /// the last step that fails.
    fn cuts(&mut self, ways: KeptPaths) -> (Value, Value) {
        let none = self.int(0);
        let count = self.load(types::I32, ways.first, 0);
        let cuts = self.each_step(
            ways.first,
            ways.search,
            &[none, count],
            |t, place, leads, cuts| {
                let &[cut, intact] = cuts else {
                    return (cuts.to_vec(), leads);
                };
                let before = t.b.ins().iadd_imm_s(place, 1);
                let is_first = t.is(IntCC::Equal, cut, 0);
                let cut_here = t.b.ins().select(is_first, before, cut);
                let cut = t.b.ins().select(leads, cut, cut_here);
                let intact = t.b.ins().select(leads, intact, place);
                (vec![cut, intact], t.answer(YES))
            },
        );
        match cuts.as_slice() {
            &[cut, intact] => (cut, intact),
            _ => (none, none),
        }
    }

    /// Emits whether a search from a member comes to one that leads to the end, or is one. `begins_again`: when the queue
    /// is exhausted, it continues from all members from which the search begins, so that it misses nothing.
    fn explore(
        &mut self,
        ways: KeptPaths,
        reached: SearchMarks,
        begin: Value,
        begins_again: bool,
    ) -> Value {
        let [head, inside, exhausted, again, after] = self.blocks();
        let (none, one) = (self.int(0), self.int(1));
        let (no, yes) = (self.answer(UNKNOWN), self.answer(YES));
        self.mark_reached(reached, begin);
        self.put_in_queue(reached, begin, none);
        let nowhere = self.int(NOWHERE);
        if let SearchTrail::Path(_) = reached.way {
            self.note_parent(reached.parents, none, nowhere);
        }
        let [at, count] = [(); 2].map(|()| self.b.append_block_param(head, types::I32));
        let is_last = self.b.append_block_param(head, types::I8);
        let found = self.b.append_block_param(after, types::I8);
        let misses_nothing = self.answer(i64::from(!begins_again));
        self.jump(head, &joined(&[none, one, misses_nothing], &[]));
        self.b.switch_to_block(head);
        let is_left = self.b.ins().icmp(IntCC::SignedLessThan, at, count);
        self.b.ins().brif(is_left, inside, &[], exhausted, &[]);
        self.b.switch_to_block(inside);
        let member = self.queued(reached, at);
        self.set_temp(ways.search.temp, ScalarValue::Word(member));
        let made = self.each(ways.search.next, &[count, no], &mut |t, member, made| {
            t.come_to(ways, reached, member, at, made)
        });
        let next = self.b.ins().iadd_imm_s(at, 1);
        self.go_on_unless_found(&made, after, head, next, is_last);
        self.b.switch_to_block(exhausted);
        let out = [BlockArg::from(no)];
        self.b.ins().brif(is_last, after, &out, again, &[]);
        self.b.switch_to_block(again);
        let made = match begins_again {
            true => self.each(ways.search.from, &[count, no], &mut |t, member, made| {
                t.come_to(ways, reached, member, nowhere, made)
            }),
            false => vec![count, no],
        };
        self.go_on_unless_found(&made, after, head, at, yes);
        self.b.switch_to_block(after);
        self.counts.loops += 1;
        found
    }

    fn go_on_unless_found(
        &mut self,
        made: &[Value],
        after: Block,
        head: Block,
        at: Value,
        is_last: Value,
    ) {
        let &[count, found] = made else {
            return;
        };
        let again = joined(&[at, count, is_last], &[]);
        let out = [BlockArg::from(found)];
        self.b.ins().brif(found, after, &out, head, &again);
    }

    /// Queues a member that the search has not visited before, and determines whether it is the end or leads there.
    fn come_to(
        &mut self,
        ways: KeptPaths,
        reached: SearchMarks,
        member: Value,
        parent: Value,
        made: &[Value],
    ) -> Made {
        let was = self.mark_reached(reached, member);
        let leads = self.is(IntCC::Equal, was, LEADS);
        let is_new = self.is(IntCC::Equal, was, 0);
        let count = value_of(made);
        let (now, is_end) =
            self.where_flag(is_new, member, &[count, leads], &mut |t, member, _| {
                t.put_in_queue(reached, member, count);
                t.set_temp(ways.temp, ScalarValue::Word(member));
                let is_end = t.truth(ways.condition);
                if !matches!(reached.way, SearchTrail::Forgotten) {
                    t.note_parent(reached.parents, count, parent);
                    t.keep_way(reached, member, parent, is_end);
                }
                let next = t.b.ins().iadd_imm_s(count, 1);
                (vec![next, is_end], Some(is_end))
            });
        let found = now.last().copied();
        (now, found.or(is_end))
    }

    /// Marks the members of a path at places from `last` down to the one after `end`.
    fn mark_places(&mut self, reached: SearchMarks, path: Value, end: i64, last: Value, mark: i64) {
        let [head, inside, after] = self.blocks();
        let place = self.b.append_block_param(head, types::I32);
        self.jump(head, &[last.into()]);
        self.b.switch_to_block(head);
        let more = self.is(IntCC::SignedGreaterThan, place, end);
        self.b.ins().brif(more, inside, &[], after, &[]);
        self.b.switch_to_block(inside);
        let member = self.place(path, place);
        let member = self.load(types::I32, member, 0);
        self.mark_by(reached, member, mark);
        let next = self.b.ins().iadd_imm_s(place, -1);
        self.jump(head, &[next.into()]);
        self.b.switch_to_block(after);
        self.counts.loops += 1;
    }

    /// Emits the first member of a path.
    fn beginning(&mut self, path: Value) -> Value {
        let count = self.load(types::I32, path, 0);
        let place = self.place(path, count);
        self.load(types::I32, place, 0)
    }
}
