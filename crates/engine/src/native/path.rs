//! Paths that searches have found: where the same question is asked in one supposed position after the other, the path that
//! was found last is tried first.
//!
//! Whether a pawn can still reach its goal is asked for each wall that could be placed, and few walls stand in the way. A
//! path may come from any position, so each of its steps is tested again. One that holds is counted as the most work that a
//! search can be, because the interpreter searches. Where steps depend on words of the members only, a path is followed once for
//! all what-ifs that change none of these words; see `untouched.rs`.

use std::mem::offset_of;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{BlockArg, InstBuilder, Value, types};

use super::context::Context;
use super::emit::{Scalar, Translator, at, offset};
use super::helper::parts_of;
use super::search::{Reached, Search};
use super::untouched::Run;
use wyrmgate_program::{Expr, ExprId, Operation, Overflow, Part, Set, SetId, Temp};

/// The maximum number of paths that are kept, one for each question, and of their members.
pub(super) const PATHS_MAX: usize = 32;
const MEMBERS_MAX: usize = 127;

/// The words of a path: the number of its members, then these, from the member that was looked for to the beginning; then the
/// number of the position in which it held without a what-if, in two words, and a bit for each member.
pub(super) const PATH: usize = MARKS + MARKS_MAX as usize / 32;
pub(super) const HELD_IN: usize = MEMBERS_MAX + 1;
pub(super) const MARKS: usize = HELD_IN + 2;

/// One more than the largest member with a bit.
pub(super) const MARKS_MAX: u32 = 1_024;

/// The maximum nesting of expressions that are examined.
const DEEPEST: u32 = 8;

/// A search that looks for a member, and how much work it is at most.
#[derive(Clone, Copy)]
pub(super) struct PathSearch {
    search: Search,
    work: i64,
}

/// Keeps the path to a member that was discovered from place `at` of the queue; -1: it is one of the first.
///
/// `queue` and `parents` have as many words as code has stored there: each member, and the place from which it was
/// discovered, which comes before its own.
pub(super) unsafe extern "C" fn keep_path(
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
    let mut count = 1;
    let mut next = from;
    path[1] = found;
    while let Ok(place) = usize::try_from(next) {
        let Some(member) = path.get_mut(count + 1).filter(|_| count < MEMBERS_MAX) else {
            path[0] = 0;
            return;
        };
        // SAFETY: «parents come first»: code has stored a member and its parent at every place from which it went on.
        unsafe {
            *member = *queue.add(place);
            next = *parents.add(place);
        }
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

impl Translator<'_> {
    /// Returns the search of a list in which a member is looked for, if that is worth following an earlier path: the same
    /// question is asked in many supposed positions, and always from the same place.
    pub fn path_search(&self, of: SetId, condition: ExprId) -> Option<PathSearch> {
        let &Set::Within {
            from,
            steps,
            temp,
            next,
        } = self.program.sets.get(of as usize)?
        else {
            return None;
        };
        if self.paths >= PATHS_MAX
            || self.scope.supposed == 0
            || !self.is_always(Part::Set(from), &mut Vec::new(), DEEPEST)
        {
            return None;
        }
        let search = Search {
            from,
            steps,
            temp,
            next,
        };
        let work = self.most_work_of(search, condition)?;
        // What the interpreter asks of members beside the path must not fail.
        let mut overflow = Overflow::new(self.program, &[]);
        if overflow.of_set(next) || overflow.of_expr(condition) {
            return None;
        }
        Some(PathSearch { search, work })
    }

    /// Emits whether a path that was found earlier still leads to a member that fulfils the condition; if not, whether a
    /// search finds one.
    pub fn some_on_a_path(
        &mut self,
        path_search: PathSearch,
        (temp, condition): (Temp, ExprId),
        search: impl FnOnce(&mut Self) -> Value,
    ) -> Value {
        let number = self.paths;
        self.paths += 1;
        let first = self.part(types::I64, at(offset_of!(Context, paths)));
        let path = self
            .b
            .ins()
            .iadd_imm_s(first, i64::from(offset(number * PATH)));
        self.count();
        let leads = self.leads(path, path_search.search, (temp, condition));
        let found = self.flag_by(
            leads,
            |t| {
                let left = t.b.use_var(t.fuel);
                let left = t.b.ins().iadd_imm_s(left, -path_search.work);
                t.b.def_var(t.fuel, left);
                t.b.ins().iconst(types::I8, 1)
            },
            |t| {
                t.keeps_path = Some(number);
                search(t)
            },
        );
        self.keeps_path = None;
        self.flag(found)
    }

    /// Emits whether a path begins where the search does, each of its steps is one of the search, and its end fulfils the
    /// condition.
    fn leads(&mut self, path: Value, search: Search, (temp, condition): (Temp, ExprId)) -> Value {
        let before = self.temps.clone();
        let noted = std::mem::take(&mut self.work);
        let count = self.load(types::I32, path, 0);
        let is_there = self.is(IntCC::SignedGreaterThan, count, 0);
        let begins = self.flag_by(
            is_there,
            |t| {
                let place = t.place(path, count);
                let begin = t.load(types::I32, place, 0);
                t.contains_value(search.from, begin)
            },
            |t| t.b.ins().iconst(types::I8, 0),
        );
        let begins = self.flag(begins);
        let leads = self.flag_by(
            begins,
            |t| match t.words_of_path(search, (temp, condition)) {
                Some(runs) => {
                    let held = t.held_before(path);
                    let holds = t.flag_by(
                        held,
                        |t| t.still_leads((path, count), search, (temp, condition), &runs),
                        |t| t.holds((path, count), search, (temp, condition), Some(&runs)),
                    );
                    t.flag(holds)
                }
                None => t.holds((path, count), search, (temp, condition), None),
            },
            |t| t.b.ins().iconst(types::I8, 0),
        );
        // The interpreter follows no path, so this is no work.
        (self.temps, self.work) = (before, noted);
        self.flag(leads)
    }

    /// Emits whether a path that holds in the position from which what-ifs start leads to its end in this one, if need be
    /// with a detour.
    fn still_leads(
        &mut self,
        (path, count): (Value, Value),
        search: Search,
        end: (Temp, ExprId),
        runs: &[Run],
    ) -> Value {
        let untouched = self.is_untouched(path, runs);
        let leads = self.flag_by(
            untouched,
            |t| t.b.ins().iconst(types::I8, 1),
            |t| t.leads_around((path, count), search, end),
        );
        self.flag(leads)
    }

    /// Emits whether each step of a path is one of the search, and its end fulfils the condition. `runs`: the words on which
    /// that depends, if it is worth noting that it holds.
    fn holds(
        &mut self,
        (path, count): (Value, Value),
        search: Search,
        (temp, condition): (Temp, ExprId),
        runs: Option<&[Run]>,
    ) -> Value {
        let no = |t: &mut Self| t.b.ins().iconst(types::I8, 0);
        let follows = self.follow(path, count, search);
        let arrives = self.flag_by(
            follows,
            |t| {
                let end = t.load(types::I32, path, offset(1));
                t.set_temp(temp, Scalar::Word(end));
                t.truth(condition)
            },
            no,
        );
        let arrives = self.flag(arrives);
        let Some(runs) = runs else {
            return arrives;
        };
        let noted = self.flag_by(
            arrives,
            |t| {
                t.note_held(path, runs);
                t.b.ins().iconst(types::I8, 1)
            },
            no,
        );
        self.flag(noted)
    }

    /// Emits whether each member of a path is one step from the next one.
    fn follow(&mut self, path: Value, count: Value, search: Search) -> Value {
        let [head, inside, after] = [(); 3].map(|()| self.b.create_block());
        let place = self.b.append_block_param(head, types::I32);
        let flag = self.b.append_block_param(after, types::I8);
        self.jump(head, &[count.into()]);
        self.b.switch_to_block(head);
        let more = self.is(IntCC::SignedGreaterThan, place, 1);
        let yes = self.b.ins().iconst(types::I8, 1);
        self.b
            .ins()
            .brif(more, inside, &[], after, &[BlockArg::from(yes)]);
        self.b.switch_to_block(inside);
        let member = self.place(path, place);
        let next = self.load(types::I32, member, -offset(1));
        let member = self.load(types::I32, member, 0);
        self.set_temp(search.temp, Scalar::Word(member));
        let leads = self.contains_value(search.next, next);
        let place = self.b.ins().iadd_imm_s(place, -1);
        let again = [BlockArg::from(place)];
        let out = [BlockArg::from(leads)];
        self.b.ins().brif(leads, head, &again, after, &out);
        self.b.switch_to_block(after);
        self.loops += 1;
        flag
    }

    /// Keeps the path to a member if it is the one that was looked for.
    pub fn keep_path(
        &mut self,
        (number, parents): (usize, Value),
        reached: Reached,
        (member, parent): (Value, Value),
        is_it: Value,
    ) {
        let (keeps, after) = (self.b.create_block(), self.b.create_block());
        self.count();
        self.b.set_cold_block(keeps);
        self.branch(is_it, keeps, after);
        self.b.switch_to_block(keeps);
        let number = self.int(number as i32);
        let arguments = [number, reached.queue, parents, member, parent];
        self.call_helper(keep_path as *const u8, &arguments, None);
        self.jump(after, &[]);
        self.b.switch_to_block(after);
    }

    /// Notes from which place of the queue a member was discovered.
    pub fn note_parent(&mut self, parents: Value, place: Value, parent: Value) {
        let place = self.place(parents, place);
        let flags = self.regions.searches;
        self.b.ins().store(flags, parent, place, 0);
    }

    /// Returns whether a part has the same value whatever the members of the lists around it are. `bound`: the temps of lists
    /// inside it.
    fn is_always(&self, part: Part, bound: &mut Vec<Temp>, deepest: u32) -> bool {
        let Some(deepest) = deepest.checked_sub(1) else {
            return false;
        };
        let (parts, binds) = match part {
            Part::Expr(id) => match self.program.exprs.get(id as usize) {
                Some(Expr::Temp(temp)) => return bound.contains(temp) || self.is_number(*temp),
                Some(Expr::Call { .. } | Expr::Local(_)) | None => return false,
                Some(expr) => (expr.parts(self.program), expr.bound()),
            },
            Part::Set(id) => match self.program.sets.get(id as usize) {
                Some(Set::Call { .. } | Set::Temp(_) | Set::Local(_)) | None => return false,
                Some(set) => (set.parts(self.program), set.bound()),
            },
        };
        bound.extend(binds);
        let mut parts = parts.into_iter();
        parts.all(|part| self.is_always(part, bound, deepest))
    }

    /// Returns whether a temp is a number that is known now.
    pub fn is_number(&self, temp: Temp) -> bool {
        matches!(self.temp(temp), Some(Scalar::Known(_)))
    }
}
