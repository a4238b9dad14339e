//! Evaluates queries whose results are kept: those without parameters, and those that use themselves in supposed positions.

use super::Eval;
use super::call::Window;
use super::memo::Kept;
use super::remembered::Question;
use crate::fault::Halt;
use crate::history::PositionHash;
use wyrmgate_program::{Expr, ExprId, QueryBody, QueryId, QueryInfo};

impl Eval<'_> {
    /// Returns the cached members of a list query without parameters; `None` if it has parameters, or the cache is off.
    pub(super) fn kept_list(&mut self, query: QueryId) -> Result<Option<Kept>, Halt> {
        let Some(body) = self.keepable(query) else {
            return Ok(None);
        };
        if let Some(kept) = self.scratch.memo.find(query) {
            return Ok(Some(kept));
        }
        let QueryBody::List(body) = body else {
            return Ok(None);
        };
        let members = self.alone(query, |eval| eval.gather(body))?;
        Ok(self.scratch.memo.keep(query, &members))
    }

    /// Returns the value of a query without parameters, kept.
    pub(super) fn kept_value(&mut self, query: QueryId) -> Result<Option<i32>, Halt> {
        let Some(body) = self.keepable(query) else {
            return Ok(None);
        };
        if let Some(kept) = self.scratch.memo.find(query) {
            return Ok(Some(self.scratch.memo.member(kept.start)));
        }
        let QueryBody::Value(body) = body else {
            return Ok(None);
        };
        let value = self.alone(query, |eval| eval.value(body))?;
        self.scratch.memo.keep(query, &[value]);
        Ok(Some(value))
    }

    fn keepable(&self, query: QueryId) -> Option<QueryBody> {
        if !self.scratch.memo.on {
            return None;
        }
        let info = self.program.query(query)?;
        (info.params == 0).then_some(info.body)
    }

    /// Evaluates in a window of the query's own.
    fn alone<T>(
        &mut self,
        query: QueryId,
        evaluate: impl FnOnce(&mut Self) -> Result<T, Halt>,
    ) -> Result<T, Halt> {
        let program = self.program;
        let Some(info) = program.query(query) else {
            return Err(Halt);
        };
        const NO_ARGUMENTS: ExprId = 0;
        self.deeper()?;
        let window = self.open(info, NO_ARGUMENTS, None)?;
        let answer = evaluate(self)?;
        self.close(window);
        self.shallower();
        Ok(answer)
    }

    /// Returns whether the cached list contains this value.
    pub(super) fn kept_contains(
        &mut self,
        query: QueryId,
        value: i32,
    ) -> Result<Option<bool>, Halt> {
        let kept = self.kept_list(query)?;
        Ok(kept.map(|kept| self.scratch.memo.get(kept).contains(&value)))
    }

    /// Returns the number of a question whose answer is worth remembering.
    pub(super) fn remembered(
        &self,
        query: &QueryInfo,
        window: &Window,
        args: ExprId,
    ) -> Option<Question> {
        let is_on = self.scratch.memo.remembered.on;
        if query.deepest == 0 || self.scratch.what_ifs == 0 || !is_on {
            return None;
        }
        let exprs = self.program.exprs.get(args as usize..)?;
        let exprs = exprs.iter().take(usize::from(query.params));
        if exprs
            .clone()
            .any(|arg| matches!(arg, Expr::ListArgument(_)))
        {
            return None;
        }
        let mut hash = PositionHash::of(query.number);
        let temps = self.scratch.temps.get(window.temps..)?;
        temps
            .iter()
            .take(usize::from(query.params))
            .for_each(|arg| hash.add(*arg));
        self.state.words.iter().for_each(|word| hash.add(*word));
        self.state.history.each(|half| hash.add(half));
        Some(hash.number())
    }

    /// Returns a known answer, at its cost.
    pub(super) fn recall(&mut self, question: Question) -> Option<Result<i32, Halt>> {
        let (value, cost) = self.scratch.memo.remembered.get(question)?;
        Some(match self.scratch.fuel.checked_sub(cost) {
            Some(left) => {
                self.scratch.fuel = left;
                Ok(value)
            }
            None => {
                let limit = self.scratch.limit;
                Err(self.scratch.halt(limit))
            }
        })
    }

    pub(super) fn remember(&mut self, question: Question, value: i32, before: u32) {
        let cost = before.saturating_sub(self.scratch.fuel);
        self.scratch.memo.remembered.keep(question, value, cost);
    }
}
