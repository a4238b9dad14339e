//! Paths that searches have found: where the same question is asked in one supposed position after the other, the path that
//! was found last is tried first.
//!
//! Whether a pawn can still reach its goal is asked for each wall that could be placed, and few walls stand in the way. A
//! path may come from any position, so each of its steps is tested again. One that holds is counted as the most work that a
//! search can be, because the interpreter searches. Where steps depend on words of the members only, a path is followed once for
//! all what-ifs that change none of these words (see `untouched.rs`), and the path that was kept before it stands in for it.

use std::mem::offset_of;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{BlockArg, InstBuilder, Value, types};

use crate::memory::context::Context;
use crate::memory::lent::parts_of;
use crate::memory::paths::{HELD_IN, MARKS, MEMBERS_MAX, OF_QUESTION, PATH, QUESTIONS_MAX};
use crate::searches::search::SearchMarks;
use crate::searches::untouched::Runs;
use crate::translator::emit::{Translator, at, offset};
use crate::translator::known::ScalarValue;
use wyrmgate_program::{
    Expr, MemberTest, Node, Operation, Overflow, Part, Set, Temp, WithinSearch,
};

/// The maximum nesting of expressions that are examined.
const DEEPEST: u32 = 8;

/// The answer of kept paths to a question.
const UNKNOWN: i64 = 0;
const YES: i64 = 1;

/// The paths that are kept for a question.
#[derive(Clone, Copy)]
struct KeptPaths {
    /// The number of the first path; the second one has the next number.
    number: usize,
    /// The address of the first path.
    path: Value,
    search: WithinSearch,
    /// The condition that the end fulfills.
    end: MemberTest,
}

/// A search for a member that fulfills a condition, and its maximum work.
#[derive(Clone, Copy)]
pub(crate) struct PathSearch {
    search: WithinSearch,
    end: MemberTest,
    work: i64,
}

/// The members on the way to one that a search has found, from this one back to where the search began.
pub(crate) struct WayBack {
    member: Option<i32>,
    place: i32,
    queue: *const i32,
    parents: *const i32,
}

impl WayBack {
    /// Begins at a member that was discovered from a place of the queue; -1: the search began there.
    ///
    /// # Safety
    /// `queue` and `parents` must have a word at this place and at each that follows from it: a member, and the place from
    /// which it was discovered.
    pub unsafe fn new(queue: *const i32, parents: *const i32, member: i32, place: i32) -> WayBack {
        WayBack {
            member: Some(member),
            place,
            queue,
            parents,
        }
    }
}

impl Iterator for WayBack {
    type Item = i32;

    fn next(&mut self) -> Option<i32> {
        let member = self.member.take()?;
        if let Ok(place) = usize::try_from(self.place) {
            // SAFETY: «parents come first»: code has stored a member and its parent at every place from which it went on.
            unsafe {
                self.member = Some(*self.queue.add(place));
                self.place = *self.parents.add(place);
            }
        }
        Some(member)
    }
}

/// Keeps the path to a member that was discovered from place `from` of the queue; -1: it is one of the first.
///
/// `queue` and `parents` have as many words as code has stored there: each member, and the place from which it was
/// discovered, which comes before its own.
pub(crate) unsafe extern "C" fn keep_path(
    context: *mut Context,
    number: u32,
    queue: *const i32,
    parents: *const i32,
    found: i32,
    from: i32,
) {
    let (context, _) = parts_of(context);
    let Some(path) = context.path(number as usize) else {
        return;
    };
    path[HELD_IN..].fill(0);
    let mut count = 0;
    // SAFETY: code has stored `queue` and `parents`.
    for member in unsafe { WayBack::new(queue, parents, found, from) } {
        let Some(place) = path.get_mut(count + 1).filter(|_| count < MEMBERS_MAX) else {
            path[0] = 0;
            return;
        };
        *place = member;
        count += 1;
    }
    path[0] = count as i32;
    let (members, marks) = path.split_at_mut(MARKS);
    for member in members.iter().skip(1).take(count) {
        let mark = marks.get_mut((*member as usize) / 32);
        mark.into_iter()
            .for_each(|mark| *mark |= 1 << (member & 31));
    }
}

/// Exchanges the two paths of a question.
pub(crate) unsafe extern "C" fn exchange_paths(context: *mut Context, number: u32) {
    let (context, _) = parts_of(context);
    let number = number as usize;
    let paths = [number, number + 1].map(|number| context.path(number).map(|path| *path));
    let [Some(first), Some(second)] = paths else {
        return;
    };
    for (number, path) in [(number, second), (number + 1, first)] {
        if let Some(place) = context.path(number) {
            *place = path;
        }
    }
}

impl Translator<'_> {
    /// Returns the search of a list in which a member is looked for, if following an earlier path is worthwhile: the same
    /// question is asked in many supposed positions, and always from the same place.
    pub fn path_search(&self, end: MemberTest) -> Option<PathSearch> {
        let &Set::Within(search) = self.program.sets.get(end.of as usize)? else {
            return None;
        };
        if self.searches.paths >= QUESTIONS_MAX
            || !self.position.supposes
            || !self.is_always(Part::Set(search.from), &mut Vec::new(), DEEPEST)
        {
            return None;
        }
        let work = self.most_work_of(search, end.condition)?;
        // Conditions on members beside the path, which only the interpreter evaluates, must not fail.
        let mut overflow = Overflow::new(self.program, &[]);
        if overflow.of_set(search.next) || overflow.of_expr(end.condition) {
            return None;
        }
        Some(PathSearch { search, end, work })
    }

    /// Emits whether a path that was found earlier still leads to a member that fulfills the condition; if not, whether a
    /// search finds one.
    pub fn some_on_a_path(
        &mut self,
        path_search: PathSearch,
        search: impl FnOnce(&mut Self) -> Value,
    ) -> Value {
        let number = self.searches.paths * OF_QUESTION;
        self.searches.paths += 1;
        let ways = self.ways(number, path_search);
        self.count();
        let (before, noted) = (
            self.known.temps.clone(),
            std::mem::take(&mut self.counts.work),
        );
        let answer = self.answer_by_paths(ways);
        // The interpreter follows no path, so this counts no work.
        (self.known.temps, self.counts.work) = (before, noted);
        let found = self.flag_by(
            answer,
            |t| {
                let left = t.b.use_var(t.counts.fuel);
                let left = t.b.ins().iadd_imm_s(left, -path_search.work);
                t.b.def_var(t.counts.fuel, left);
                t.answer(YES)
            },
            |t| {
                t.searches.keeps_path = Some(number);
                search(t)
            },
        );
        self.searches.keeps_path = None;
        self.flag(found)
    }

    fn ways(&mut self, number: usize, path_search: PathSearch) -> KeptPaths {
        let paths = self.part(types::I64, at(offset_of!(Context, what_if.paths)));
        let from = i64::from(offset(number * PATH));
        KeptPaths {
            number,
            path: self.b.ins().iadd_imm_s(paths, from),
            search: path_search.search,
            end: path_search.end,
        }
    }

    /// Emits the answer of the kept paths: that of the first one, or that of the second one in its place.
    fn answer_by_paths(&mut self, ways: KeptPaths) -> Value {
        let runs = self.words_of_path(ways.search, ways.end);
        let [head, other, exchange, after] = self.blocks();
        let is_second = self.b.append_block_param(head, types::I8);
        let answer = self.b.append_block_param(after, types::I8);
        let (no, yes) = (self.answer(UNKNOWN), self.answer(YES));
        self.jump(head, &[no.into()]);
        self.b.switch_to_block(head);
        let by_first = self.answer_by_first(ways, runs.as_ref());
        let (known, unknown) = ([BlockArg::from(by_first)], self.answer(UNKNOWN));
        self.b.ins().brif(by_first, after, &known, other, &[]);
        self.b.switch_to_block(other);
        let unknown = [BlockArg::from(unknown)];
        if runs.is_some() {
            self.b.set_cold_block(exchange);
            self.b.ins().brif(is_second, after, &unknown, exchange, &[]);
        } else {
            self.jump(after, &unknown);
        }
        self.b.switch_to_block(exchange);
        let number = self.int(ways.number as i32);
        self.call_helper(exchange_paths as *const u8, &[number], None);
        self.jump(head, &[yes.into()]);
        self.b.switch_to_block(after);
        self.counts.loops += 1;
        answer
    }

    fn answer_by_first(&mut self, ways: KeptPaths, runs: Option<&Runs>) -> Value {
        let path = ways.path;
        let count = self.load(types::I32, path, 0);
        let is_there = self.is(IntCC::SignedGreaterThan, count, 0);
        let begins = self.flag_by(
            is_there,
            |t| {
                let place = t.place(path, count);
                let begin = t.load(types::I32, place, 0);
                t.contains_value(ways.search.from, begin)
            },
            |t| t.answer(UNKNOWN),
        );
        let begins = self.flag(begins);
        let answer = self.flag_by(
            begins,
            |t| {
                let Some(runs) = runs else {
                    return t.holds(ways, None);
                };
                let held = t.held_before(path);
                let still = |t: &mut Self| t.still_holds(ways, runs);
                let answer = t.flag_by(held, still, |t| t.holds(ways, Some(runs)));
                t.flag(answer)
            },
            |t| t.answer(UNKNOWN),
        );
        self.flag(answer)
    }

    fn answer(&mut self, answer: i64) -> Value {
        self.b.ins().iconst(types::I8, answer)
    }

    /// Emits whether a path holds that did so without the what-ifs.
    fn still_holds(&mut self, ways: KeptPaths, runs: &Runs) -> Value {
        let untouched = self.is_untouched(ways.path, runs);
        let yes = |t: &mut Self| t.answer(YES);
        let answer = self.flag_by(untouched, yes, |t| t.holds(ways, None));
        self.flag(answer)
    }

    /// Emits whether each step of a path is one of the search, and its end fulfills the condition. `runs`: the words on
    /// which that depends, if the result is to be kept.
    fn holds(&mut self, ways: KeptPaths, runs: Option<&Runs>) -> Value {
        let follows = self.follows(ways.path, ways.search);
        let holds = self.flag_by(
            follows,
            |t| {
                let end = t.load(types::I32, ways.path, offset(1));
                t.set_temp(ways.end.temp, ScalarValue::Word(end));
                let arrives = t.truth(ways.end.condition);
                if let Some(runs) = runs {
                    t.note_held(ways.path, runs, arrives);
                }
                arrives
            },
            |t| t.answer(UNKNOWN),
        );
        self.flag(holds)
    }

    /// Emits whether each member of a path, from its beginning on, is one step from the next one.
    fn follows(&mut self, path: Value, search: WithinSearch) -> Value {
        let [head, inside, after] = self.blocks();
        let place = self.b.append_block_param(head, types::I32);
        let followed = self.b.append_block_param(after, types::I8);
        let (count, yes) = (self.load(types::I32, path, 0), self.answer(YES));
        self.jump(head, &[count.into()]);
        self.b.switch_to_block(head);
        let more = self.is(IntCC::SignedGreaterThan, place, 1);
        self.b.ins().brif(more, inside, &[], after, &[yes.into()]);
        self.b.switch_to_block(inside);
        let member = self.place(path, place);
        let next = self.load(types::I32, member, -offset(1));
        let member = self.load(types::I32, member, 0);
        self.set_temp(search.temp, ScalarValue::Word(member));
        let leads = self.contains_value(search.next, next);
        let place = self.b.ins().iadd_imm_s(place, -1);
        let (again, out) = ([place.into()], [leads.into()]);
        self.b.ins().brif(leads, head, &again, after, &out);
        self.b.switch_to_block(after);
        self.counts.loops += 1;
        followed
    }

    /// Keeps the way to a member if it is the one that was looked for.
    pub fn keep_way(&mut self, reached: SearchMarks, member: Value, parent: Value, is_it: Value) {
        let Some(number) = reached.way else {
            return;
        };
        let [keeps, after] = self.blocks();
        self.count();
        self.b.set_cold_block(keeps);
        self.branch(is_it, keeps, after);
        self.b.switch_to_block(keeps);
        let number = self.int(number as i32);
        let arguments = [number, reached.queue, reached.parents, member, parent];
        self.call_helper(keep_path as *const u8, &arguments, None);
        self.jump(after, &[]);
        self.b.switch_to_block(after);
    }

    /// Notes from which place of the queue a member was discovered.
    pub fn note_parent(&mut self, parents: Value, place: Value, parent: Value) {
        let place = self.place(parents, place);
        self.b.ins().store(self.regions.searches, parent, place, 0);
    }

    /// Returns whether a part has the same value whatever the members of the lists around it are. `bound`: the temps of lists
    /// inside it.
    fn is_always(&self, part: Part, bound: &mut Vec<Temp>, deepest: u32) -> bool {
        let Some(deepest) = deepest.checked_sub(1) else {
            return false;
        };
        let Some(node) = self.program.node(part) else {
            return false;
        };
        match node {
            Node::Expr(Expr::Temp(temp)) => return bound.contains(&temp) || self.is_number(temp),
            Node::Expr(Expr::Call { .. } | Expr::Local(_))
            | Node::Set(Set::Call { .. } | Set::Temp(_) | Set::Local(_)) => return false,
            Node::Expr(_) | Node::Set(_) => {}
        }
        bound.extend(node.bound());
        let mut parts = node.parts(self.program).into_iter();
        parts.all(|part| self.is_always(part, bound, deepest))
    }

    /// Returns whether a temp is a number that is known during translation.
    pub fn is_number(&self, temp: Temp) -> bool {
        matches!(self.temp(temp), Some(ScalarValue::Known(_)))
    }
}
