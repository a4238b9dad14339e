//! Searches whose order does not matter, because somebody only asks whether there is a certain member: members are visited
//! when they are discovered, and those from which nothing follows are not queued.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};

use crate::searches::search::SearchMarks;
use crate::translator::cycle::{Body, LoopBody, Made, joined};
use crate::translator::emit::Translator;
use crate::translator::known::ScalarValue;
use wyrmgate_program::{
    Expr, ExprId, Operation, Part, QueryBody, Set, SetId, TableId, Temp, WithinSearch,
};

/// The maximum nesting of expressions that are examined.
const DEEPEST: u32 = 20;

/// How a search continues from a member, which a temp holds: only where a condition holds, if there is one; and to which others.
#[derive(Clone, Copy)]
pub(crate) struct SearchSteps {
    pub temp: Temp,
    pub only: Option<ExprId>,
    pub next: SetId,
    /// The most work that the interpreter does for one member.
    pub work: i64,
}

/// Values that discoveries pass on: those of the body, then the length of the queue and whether that is enough.
struct PassedValues;

impl PassedValues {
    fn own(made: &[Value]) -> &[Value] {
        made.get(..made.len().saturating_sub(2)).unwrap_or_default()
    }

    fn count(made: &[Value]) -> Value {
        let place = made.len().wrapping_sub(2);
        made.get(place).copied().unwrap_or(Value::from_u32(0))
    }

    fn enough(made: &[Value]) -> Value {
        made.last().copied().unwrap_or(Value::from_u32(0))
    }
}

impl<'t> Translator<'t> {
    /// Runs a body for each thing that a search finds, in any order.
    pub fn discover_all(
        &mut self,
        search: WithinSearch,
        steps: SearchSteps,
        reached: SearchMarks,
        to: LoopBody<'_, 't>,
    ) -> Vec<Value> {
        let LoopBody { made, body } = to;
        let (none, no) = (self.int(0), self.b.ins().iconst(types::I8, 0));
        let begin: Vec<Value> = made.iter().copied().chain([none, no]).collect();
        let first = self.int(-1);
        let begun = self.each(search.from, &begin, &mut |t, member, made| {
            t.discover(steps, reached, member, first, made, body)
        });
        let [head, inside, after] = self.blocks();
        let noted = std::mem::take(&mut self.counts.work);
        let at = self.b.append_block_param(head, types::I32);
        let so_far = self.params_like(head, &begun);
        let end = self.params_like(after, made);
        self.jump(head, &joined(&[none], &begun));
        self.b.switch_to_block(head);
        let count = PassedValues::count(&so_far);
        let is_left = self.b.ins().icmp(IntCC::SignedLessThan, at, count);
        let enough = PassedValues::enough(&so_far);
        let goes_on = self.opposite(enough);
        let more = self.b.ins().band(is_left, goes_on);
        let out = joined(PassedValues::own(&so_far), &[]);
        self.b.ins().brif(more, inside, &[], after, &out);
        self.b.switch_to_block(inside);
        let member = self.queued(reached, at);
        self.set_temp(search.temp, ScalarValue::Word(member));
        let made = self.each(steps.next, &so_far, &mut |t, member, made| {
            t.discover(steps, reached, member, at, made, body)
        });
        // There are no more members than marks: the work is checked afterwards.
        self.counts.work += 1;
        self.count();
        let at = self.b.ins().iadd_imm_s(at, 1);
        self.jump(head, &joined(&[at], &made));
        self.b.switch_to_block(after);
        self.counts.loops += 1;
        self.counts.work = noted;
        end
    }

    /// Visits a member that has not been discovered before, and queues it if something may follow. `parent`: the place of
    /// the queue from which it was discovered.
    fn discover(
        &mut self,
        steps: SearchSteps,
        reached: SearchMarks,
        member: Value,
        parent: Value,
        made: &[Value],
        body: Body<'_, 't>,
    ) -> Made {
        let is_new = self.mark_new(reached, member);
        self.where_flag(is_new, member, made, &mut |t, member, made| {
            let before = t.known.temps.clone();
            let (own, enough) = body(t, member, PassedValues::own(made));
            t.known.temps.clone_from(&before);
            if let Some(enough) = enough {
                t.keep_way(reached, member, parent, enough);
            }
            let joins = match steps.only {
                Some(condition) => {
                    t.set_temp(steps.temp, ScalarValue::Word(member));
                    let holds = t.truth(condition);
                    t.b.ins().uextend(types::I32, holds)
                }
                None => t.int(1),
            };
            t.known.temps = before;
            let count = PassedValues::count(made);
            t.put_in_queue(reached, member, count);
            if reached.way.is_some() {
                t.note_parent(reached.parents, count, parent);
            }
            let count = t.b.ins().iadd(count, joins);
            let enough = enough.unwrap_or_else(|| t.b.ins().iconst(types::I8, 0));
            // Counts as if all members discovered so far and all of their neighbors had been visited, which is never less
            // than a search in order counts.
            t.counts.work += steps.work;
            let own = own.into_iter().chain([count, enough]);
            (own.collect(), Some(enough))
        })
    }

    /// Returns the most work of a search for a member that fulfills a condition; `None` if it is not known, or if the number
    /// of steps is limited.
    pub fn most_work_of(&self, search: WithinSearch, condition: ExprId) -> Option<i64> {
        let &Expr::Const(steps) = self.program.exprs.get(search.steps as usize)? else {
            return None;
        };
        let farthest = self.farthest(search.next)?;
        let members = i64::from(self.marks_of(search.next)?);
        let of_member = self.steps_of(search)?.work + self.work_of(condition, DEEPEST)?;
        (i64::from(steps) >= i64::from(farthest)).then_some((members + 1) * (of_member + 2))
    }

    /// Returns how a search continues, if that is a short list.
    pub fn steps_of(&self, search: WithinSearch) -> Option<SearchSteps> {
        let WithinSearch { temp, next, .. } = search;
        let (only, next) = match *self.program.sets.get(next as usize)? {
            Set::If(condition, then, otherwise) if self.is_nothing(otherwise) => {
                (Some(condition), then)
            }
            _ => (None, next),
        };
        let condition = only.map_or(Some(0), |only| self.work_of(only, DEEPEST))?;
        let work = 2 + 2 * condition + self.work_of_list(next)?;
        Some(SearchSteps {
            temp,
            only,
            next,
            work,
        })
    }

    /// Returns the most work of walking a list of what lies beside something; `None` for other lists.
    fn work_of_list(&self, set: SetId) -> Option<i64> {
        match *self.program.sets.get(set as usize)? {
            Set::Keyed(list) => {
                let members = self.longest_list(list.starts)?;
                Some(2 * members + self.work_of(list.value, DEEPEST)?)
            }
            Set::Table(table) => {
                let members = self.program.tables.get(table as usize)?.len();
                i64::try_from(2 * members).ok()
            }
            Set::Where(test) => {
                let all = self.work_of_list(test.of)?;
                Some(all + all * (1 + self.work_of(test.condition, DEEPEST)?))
            }
            _ => None,
        }
    }

    fn longest_list(&self, starts: TableId) -> Option<i64> {
        let starts = self.program.tables.get(starts as usize)?;
        let lengths = starts.windows(2).map(|pair| match pair {
            [first, end] => i64::from(*end) - i64::from(*first),
            _ => 0,
        });
        lengths.max()
    }

    /// Returns the most work of an expression that walks no list but short ones that are written out; `None` for others.
    pub fn work_of(&self, expr: ExprId, deepest: u32) -> Option<i64> {
        let deepest = deepest.checked_sub(1)?;
        let expr = *self.program.exprs.get(expr as usize)?;
        match expr {
            Expr::Call { query, .. } => {
                let info = self.program.query(query)?;
                let QueryBody::Value(body) = info.body else {
                    return None;
                };
                (info.deepest == 0).then_some(())?;
                Some(1 + self.work_of_parts(expr, deepest)? + self.work_of(body, deepest)?)
            }
            Expr::CallKind { .. }
            | Expr::After(_)
            | Expr::LetList { .. }
            | Expr::Recorded { .. }
            | Expr::Selections(_)
            | Expr::InARow(_) => None,
            _ => self.work_of_parts(expr, deepest),
        }
    }

    /// Returns the most work of the parts of an expression, each evaluated for every member of a list that it walks.
    fn work_of_parts(&self, expr: Expr, deepest: u32) -> Option<i64> {
        let (mut sum, mut times) = (0, 1);
        for part in expr.parts(self.program) {
            sum += match part {
                Part::Expr(part) => self.work_of(part, deepest)?,
                Part::Set(list) => {
                    let &Set::List { first, count } = self.program.sets.get(list as usize)? else {
                        return None;
                    };
                    times += i64::from(count);
                    let members = first..first.checked_add(count.into())?;
                    let members = members.map(|member| self.work_of(member, deepest));
                    2 * i64::from(count) + members.sum::<Option<i64>>()?
                }
            };
        }
        Some(sum * times)
    }
}
