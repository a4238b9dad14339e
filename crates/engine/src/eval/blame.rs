//! Explains why a condition is false or a value is not in a list: the clauses cited by the parts that fail.
//!
//! It runs only after a refusal, so it may evaluate parts again. It follows `and` to the side that fails, `or` to both,
//! `not` to the part that holds, filters to their condition, and queries into their bodies.

use super::Eval;
use crate::fault::Halt;
use wyrmgate_program::{ClauseId, DispatchId, Expr, ExprId, QueryBody, QueryId, Set, SetId};

type Blamed = Result<Vec<ClauseId>, Halt>;

impl Eval<'_> {
    /// Returns the clauses that make this false condition false: those of its innermost failing parts.
    pub fn blame(&mut self, condition: ExprId) -> Blamed {
        self.blame_for(condition, false)
    }

    /// Returns the clauses that determine this condition. `holds` is its value: under a `not`, parts that hold are
    /// responsible.
    fn blame_for(&mut self, condition: ExprId, holds: bool) -> Blamed {
        let deeper = self.blame_parts(condition, holds)?;
        if !deeper.is_empty() {
            return Ok(deeper);
        }
        Ok(self.program.cites_of(condition).to_vec())
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "the others need nothing special"
    )]
    fn blame_parts(&mut self, condition: ExprId, holds: bool) -> Blamed {
        let Some(expr) = self.program.exprs.get(condition as usize).copied() else {
            return Ok(Vec::new());
        };
        match expr {
            Expr::Not(of) => self.blame_for(of, !holds),
            // one side is enough to make it so: the first one that does
            Expr::And(a, b) if !holds => {
                let failing = if self.truth(a)? { b } else { a };
                self.blame_for(failing, holds)
            }
            Expr::Or(a, b) if holds => {
                let holding = if self.truth(a)? { a } else { b };
                self.blame_for(holding, holds)
            }
            // it takes both sides
            Expr::And(a, b) | Expr::Or(a, b) => {
                let mut clauses = self.blame_for(a, holds)?;
                for clause in self.blame_for(b, holds)? {
                    if !clauses.contains(&clause) {
                        clauses.push(clause);
                    }
                }
                Ok(clauses)
            }
            Expr::If(test, a, b) => {
                let which = if self.truth(test)? { a } else { b };
                self.blame_for(which, holds)
            }
            Expr::Let { value, temp, body } => {
                let value = self.value(value)?;
                self.set_temp(temp, value);
                self.blame_for(body, holds)
            }
            Expr::LetList { value, temp, body } => {
                let lists = self.name_list(value, temp)?;
                let clauses = self.blame_for(body, holds);
                self.scratch.lists.truncate(lists);
                clauses
            }
            Expr::Call { query, args } => self.blame_query(query, args, None, |eval, body| {
                eval.blame_value(body, holds)
            }),
            Expr::CallKind { dispatch, args } => {
                self.blame_query_of_kind(dispatch, args, |eval, body| eval.blame_value(body, holds))
            }
            Expr::After(after) => self.supposing(after.effect, after.args, after.count, |eval| {
                eval.blame_for(after.value, holds)
            }),
            Expr::Contains(set, member) if !holds => {
                let value = self.value(member)?;
                self.blame_absence(set, value)
            }
            _ => Ok(Vec::new()),
        }
    }

    /// Looks for clauses in the body of a query, whose first argument may be known.
    fn blame_query(
        &mut self,
        query: QueryId,
        args: ExprId,
        me: Option<i32>,
        blame: impl FnOnce(&mut Self, QueryBody) -> Blamed,
    ) -> Blamed {
        let program = self.program;
        let Some(info) = program.query(query) else {
            return Ok(Vec::new());
        };
        let window = self.open(info, args, me)?;
        let clauses = blame(self, info.body)?;
        self.close(window);
        Ok(clauses)
    }

    /// Looks for clauses in the body of the query for the kind of the first argument.
    fn blame_query_of_kind(
        &mut self,
        dispatch: DispatchId,
        args: ExprId,
        blame: impl FnOnce(&mut Self, QueryBody) -> Blamed,
    ) -> Blamed {
        let me = self.value(args)?;
        match self.query_of_kind(dispatch, me) {
            Some(query) => self.blame_query(query, args, Some(me), blame),
            None => Ok(Vec::new()),
        }
    }

    fn blame_value(&mut self, body: QueryBody, holds: bool) -> Blamed {
        match body {
            QueryBody::Value(body) => self.blame_for(body, holds),
            QueryBody::List(_) => Ok(Vec::new()),
        }
    }

    fn blame_list(&mut self, body: QueryBody, value: i32) -> Blamed {
        match body {
            QueryBody::List(body) => self.blame_absence(body, value),
            QueryBody::Value(_) => Ok(Vec::new()),
        }
    }

    /// Returns the clauses that exclude this value from a list: those of the innermost filter it does not pass, or of
    /// the list.
    pub fn blame_absence(&mut self, set: SetId, value: i32) -> Blamed {
        let deeper = self.blame_parts_of_list(set, value)?;
        if !deeper.is_empty() {
            return Ok(deeper);
        }
        Ok(self.program.cites_of_list(set).to_vec())
    }

    fn blame_parts_of_list(&mut self, set: SetId, value: i32) -> Blamed {
        let program = self.program;
        match program.written_set(set) {
            Some(Set::Where(test)) => {
                if !self.contains(test.of, value)? {
                    return self.blame_absence(test.of, value);
                }
                self.set_temp(test.temp, value);
                self.blame(test.condition)
            }
            Some(Set::If(test, a, b)) => {
                let which = if self.truth(test)? { a } else { b };
                self.blame_absence(which, value)
            }
            Some(Set::Call { query, args }) => {
                self.blame_query(query, args, None, |eval, body| eval.blame_list(body, value))
            }
            Some(Set::CallKind { dispatch, args }) => {
                self.blame_query_of_kind(dispatch, args, |eval, body| eval.blame_list(body, value))
            }
            _ => Ok(Vec::new()),
        }
    }
}
