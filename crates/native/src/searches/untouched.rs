//! Determines whether a what-if changes anything on which a path depends. A path that held in the position from which
//! what-ifs start holds in each of them that writes none of the words along it, and is not followed again.

use std::mem::offset_of;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{BlockArg, InstBuilder, Value, types};

use crate::memory::context::Context;
use crate::memory::paths::{HELD_IN, MARKS, MARKS_MAX};
use crate::memory::undo::SavedWord;
use crate::translator::emit::{Translator, at, offset};
use wyrmgate_program::{
    Expr, ExprId, MemberTest, Node, Operation, Part, QueryBody, QueryId, Set, SetId, Temp,
    WithinSearch, WordByIndex,
};

/// The maximum number of variables on which steps depend.
const RUNS_MAX: usize = 4;

/// The maximum nesting of expressions that are examined.
const DEEPEST: u32 = 12;

/// Words of a variable with a value for each member: the first one, and the member to which it belongs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct VariableWords {
    first: u32,
    low: u32,
    len: u32,
}

/// All words on which a path depends.
pub(crate) type Runs = Vec<VariableWords>;

impl Translator<'_> {
    /// Returns the variables on which the steps of a search and the condition on its end depend, if they are read only
    /// for members of the path, and nothing else is read.
    pub fn words_of_path(&self, search: WithinSearch, end: MemberTest) -> Option<Runs> {
        let mut along = PathWords {
            t: self,
            members: vec![search.temp, end.temp],
            params: None,
            runs: Vec::new(),
        };
        along.steps(search.next, DEEPEST)?;
        along.part(Part::Expr(end.condition), DEEPEST)?;
        Some(along.runs)
    }

    /// Emits whether a path is known to hold in the position from which what-ifs start.
    pub fn held_before(&mut self, path: Value) -> Value {
        let then = self.load(types::I64, path, offset(HELD_IN));
        let now = self.part(types::I64, at(offset_of!(Context, what_if.base_number)));
        self.b.ins().icmp(IntCC::Equal, then, now)
    }

    /// Notes that a path holds in the position from which what-ifs start, if it holds now and the what-if changes none of
    /// its words.
    pub fn note_held(&mut self, path: Value, runs: &[VariableWords], holds: Value) {
        let untouched = self.is_untouched(path, runs);
        let untouched = self.b.ins().band(untouched, holds);
        let now = self.part(types::I64, at(offset_of!(Context, what_if.base_number)));
        let never = self.long(0);
        let held_in = self.b.ins().select(untouched, now, never);
        self.store(held_in, path, offset(HELD_IN));
    }

    /// Emits whether none of the words that what-ifs have changed so far belongs to a member of the path.
    pub fn is_untouched(&mut self, path: Value, runs: &[VariableWords]) -> Value {
        let [head, inside, after] = self.blocks();
        let place = self.b.append_block_param(head, types::I64);
        let flag = self.b.append_block_param(after, types::I8);
        let first = self.part(types::I64, at(offset_of!(Context, what_if.undo.first)));
        let end = self.part(types::I64, at(offset_of!(Context, what_if.undo.next)));
        self.jump(head, &[first.into()]);
        self.b.switch_to_block(head);
        let more = self.b.ins().icmp(IntCC::UnsignedLessThan, place, end);
        let yes = self.b.ins().iconst(types::I8, 1);
        let out = [BlockArg::from(yes)];
        self.b.ins().brif(more, inside, &[], after, &out);
        self.b.switch_to_block(inside);
        let word = self.load(types::I32, place, at(offset_of!(SavedWord, word)));
        let mut touched = self.int(0);
        for run in runs {
            let of_run = self.is_on_path(path, *run, word);
            touched = self.b.ins().bor(touched, of_run);
        }
        let untouched = self.is(IntCC::Equal, touched, 0);
        let next = self
            .b
            .ins()
            .iadd_imm_s(place, size_of::<SavedWord>() as i64);
        let again = [BlockArg::from(next)];
        let out = [BlockArg::from(untouched)];
        self.b.ins().brif(untouched, head, &again, after, &out);
        self.b.switch_to_block(after);
        self.counts.loops += 1;
        flag
    }

    /// Emits 1 if a word of the state belongs to a member of the path, 0 otherwise.
    fn is_on_path(&mut self, path: Value, run: VariableWords, word: Value) -> Value {
        let number = self.b.ins().iadd_imm_s(word, -i64::from(run.first));
        let is_inside = self.is(IntCC::UnsignedLessThan, number, i64::from(run.len));
        let none = self.int(0);
        let number = self.b.ins().select(is_inside, number, none);
        let member = self.b.ins().iadd_imm_s(number, i64::from(run.low));
        let mark = self.b.ins().ushr_imm_u(member, 5);
        let mark = self.place(path, mark);
        let marks = self.load(types::I32, mark, offset(MARKS));
        // The shift uses only the lowest five bits of the member.
        let marks = self.b.ins().ushr(marks, member);
        let marked = self.b.ins().band_imm_u(marks, 1);
        let is_inside = self.b.ins().uextend(types::I32, is_inside);
        self.b.ins().band(marked, is_inside)
    }
}

/// Collects the words that are read along a path.
struct PathWords<'t, 'p> {
    t: &'t Translator<'p>,
    /// Temps that are members of the path.
    members: Vec<Temp>,
    /// Inside a query: the number of its parameters, none of which depends on anything else.
    params: Option<Temp>,
    runs: Vec<VariableWords>,
}

impl PathWords<'_, '_> {
    /// Examines the list of next members, one of which is a member of the path.
    fn steps(&mut self, next: SetId, deepest: u32) -> Option<()> {
        let deepest = deepest.checked_sub(1)?;
        match *self.t.program.sets.get(next as usize)? {
            Set::If(condition, then, otherwise) => {
                self.part(Part::Expr(condition), deepest)?;
                self.steps(then, deepest)?;
                self.steps(otherwise, deepest)
            }
            Set::Where(test) => {
                self.steps(test.of, deepest)?;
                self.members.push(test.temp);
                self.part(Part::Expr(test.condition), deepest)?;
                self.members.pop();
                Some(())
            }
            _ => self.part(Part::Set(next), deepest),
        }
    }

    fn part(&mut self, part: Part, deepest: u32) -> Option<()> {
        let deepest = deepest.checked_sub(1)?;
        let program = self.t.program;
        let node = program.node(part)?;
        match node {
            Node::Expr(Expr::Temp(temp)) => return self.is_settled(temp).then_some(()),
            Node::Expr(Expr::Call { query, args }) => return self.query(query, args, deepest),
            Node::Expr(Expr::WordAt(word)) => return self.word_of_member(word),
            Node::Expr(_) | Node::Set(_) => {}
        }
        let mut parts = node.parts(program).into_iter();
        let is_pure = node.facts().pure.then_some(());
        is_pure.and_then(|()| parts.try_for_each(|part| self.part(part, deepest)))
    }

    /// Returns whether a temp is a member of the path, or always the same.
    fn is_settled(&self, temp: Temp) -> bool {
        let is_always = match self.params {
            Some(params) => temp < params,
            None => self.t.is_number(temp),
        };
        is_always || self.members.contains(&temp)
    }

    /// Examines a query with single values as arguments.
    fn query(&mut self, query: QueryId, args: ExprId, deepest: u32) -> Option<()> {
        let program = self.t.program;
        let info = program.query(query)?;
        let (QueryBody::Value(body), 0) = (info.body, info.deepest) else {
            return None;
        };
        let mut members = Vec::new();
        for param in 0..info.params {
            let arg = args + ExprId::from(param);
            match program.exprs.get(arg as usize)? {
                Expr::ListArgument(_) => return None,
                Expr::Temp(temp) if self.members.contains(temp) => members.push(param),
                _ => self.part(Part::Expr(arg), deepest)?,
            }
        }
        let outside = (self.params, std::mem::replace(&mut self.members, members));
        self.params = Some(info.params);
        let found = self.part(Part::Expr(body), deepest);
        (self.params, self.members) = outside;
        found
    }

    fn word_of_member(&mut self, word: WordByIndex) -> Option<()> {
        let Expr::Temp(member) = self.t.program.exprs.get(word.index as usize)? else {
            return None;
        };
        let (low, len) = (u32::try_from(word.low).ok()?, word.len);
        let run = VariableWords {
            first: u32::try_from(self.t.layout.vars_at).ok()? + word.offset,
            low,
            len,
        };
        if !self.members.contains(member) || low + len > MARKS_MAX {
            return None;
        }
        if !self.runs.contains(&run) {
            self.runs.push(run);
        }
        (self.runs.len() <= RUNS_MAX).then_some(())
    }
}
