//! Query calls: a window of temps for the arguments, then the body.

use super::set::{Each, Walk, settle};
use super::{Eval, Scratch, ValueList};
use crate::fault::{FaultKind, Halt};
use wyrmgate_program::{
    ByNumber, DispatchId, Expr, ExprId, NONE, QueryBody, QueryId, QueryInfo, SetId,
};

/// The value of an expression, or the members of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Evaluated {
    One(i32),
    Many(Vec<i32>),
}

/// The state to restore when a query has been evaluated.
pub struct Window {
    before: usize,
    pub(super) temps: usize,
    lists: usize,
    /// The query, if it may use itself.
    recursive: Option<QueryId>,
}

impl<'a> Eval<'a> {
    /// Evaluates a query; `me` is its first argument, if it is already known.
    #[inline(never)]
    pub(super) fn call(
        &mut self,
        query: QueryId,
        args: ExprId,
        me: Option<i32>,
    ) -> Result<i32, Halt> {
        if let Some(value) = self.kept_value(query)? {
            return Ok(value);
        }
        let program = self.program;
        let Some(query) = program.query(query) else {
            return Ok(NONE);
        };
        let window = self.open(query, args, me)?;
        let supposed = self.remembered(query, &window, args);
        if let Some(value) = supposed.and_then(|supposed| self.recall(supposed)) {
            self.close(window);
            return value;
        }
        let before = self.scratch.fuel;
        let value = match query.body {
            QueryBody::Value(body) => self.value(body)?,
            QueryBody::List(_) => NONE,
        };
        if let Some(supposed) = supposed {
            self.remember(supposed, value, before);
        }
        self.close(window);
        Ok(value)
    }

    #[inline(never)]
    pub(super) fn call_kind(&mut self, dispatch: DispatchId, args: ExprId) -> Result<i32, Halt> {
        let program = self.program;
        let me = self.value(args)?;
        match self.query_of_kind(dispatch, me) {
            Some(query) => self.call(query, args, Some(me)),
            None => {
                let dispatch = program.dispatches.get(usize::from(dispatch));
                Ok(dispatch.map_or(NONE, |dispatch| dispatch.default))
            }
        }
    }

    /// Iterates over the list that a query returns.
    pub(super) fn each_of_call(
        &mut self,
        query: QueryId,
        args: ExprId,
        me: Option<i32>,
        visit: Each<'_, 'a>,
    ) -> Walk {
        if let Some(kept) = self.kept_list(query)? {
            for at in kept {
                self.scratch.spend()?;
                let member = self.scratch.memo.member(at);
                visit(self, member)?;
            }
            return Ok(());
        }
        let program = self.program;
        let Some(query) = program.query(query) else {
            return Ok(());
        };
        let QueryBody::List(body) = query.body else {
            return Ok(());
        };
        let window = self.open(query, args, me)?;
        let (caller, callee) = (window.before, self.window);
        // The visitor belongs to the caller and reads the caller's temps.
        let result = self.each(body, &mut |eval, member| {
            eval.window = caller;
            let result = visit(eval, member);
            eval.window = callee;
            result
        });
        self.close(window);
        result
    }

    /// Returns the answer of a query without arguments, or with this one only.
    pub fn answer(&mut self, query: QueryId, argument: Option<i32>) -> Result<Evaluated, Halt> {
        let body = self.program.query(query).map(|query| query.body);
        if !matches!(body, Some(QueryBody::List(_))) {
            return self.call(query, 0, argument).map(Evaluated::One);
        }
        let mut members = Vec::new();
        settle(self.each_of_call(query, 0, argument, &mut |_, member| {
            members.push(member);
            Ok(())
        }))?;
        Ok(Evaluated::Many(members))
    }

    /// Returns the list of a query with this argument only.
    pub fn list_of_query(&mut self, query: QueryId, argument: i32) -> Result<ValueList, Halt> {
        let mut members = ValueList::new();
        settle(
            self.each_of_call(query, 0, Some(argument), &mut |_, member| {
                members.push(member);
                Ok(())
            }),
        )?;
        Ok(members)
    }

    /// Returns whether the list of a query contains this value.
    pub(super) fn call_contains(
        &mut self,
        query: QueryId,
        args: ExprId,
        me: Option<i32>,
        value: i32,
    ) -> Result<bool, Halt> {
        if let Some(found) = self.kept_contains(query, value)? {
            return Ok(found);
        }
        let program = self.program;
        let Some(query) = program.query(query) else {
            return Ok(false);
        };
        let QueryBody::List(body) = query.body else {
            return Ok(false);
        };
        self.deeper()?;
        let window = self.open(query, args, me)?;
        let found = self.contains(body, value)?;
        self.close(window);
        self.shallower();
        Ok(found)
    }

    pub(super) fn each_of_call_kind(
        &mut self,
        dispatch: DispatchId,
        args: ExprId,
        visit: Each<'_, 'a>,
    ) -> Walk {
        let me = self.value(args)?;
        match self.query_of_kind(dispatch, me) {
            Some(query) => self.each_of_call(query, args, Some(me), visit),
            None => Ok(()),
        }
    }

    pub(super) fn query_of_kind(&self, dispatch: DispatchId, me: i32) -> Option<QueryId> {
        let component = self.program.components.at(me)?;
        let dispatch = self.program.dispatches.get(usize::from(dispatch))?;
        let queries = &dispatch.queries;
        queries.get(usize::from(component.kind)).copied().flatten()
    }

    /// Evaluates the arguments in the current window into the first temps of a new one.
    pub fn open(
        &mut self,
        query: &QueryInfo,
        args: ExprId,
        me: Option<i32>,
    ) -> Result<Window, Halt> {
        self.scratch.spend()?;
        let window = Window {
            before: self.window,
            temps: self.scratch.temps.len(),
            lists: self.scratch.lists.len(),
            recursive: (query.deepest > 0).then_some(query.number),
        };
        let mut arg = args;
        if let Some(me) = me {
            self.scratch.temps.push(me);
            arg += 1;
        }
        let end = window.temps + usize::from(query.params);
        while self.scratch.temps.len() < end {
            match self.program.exprs.get(arg as usize) {
                Some(Expr::ListArgument(set)) => self.push_list(*set)?,
                _ => {
                    let value = self.value(arg)?;
                    self.scratch.temps.push(value);
                }
            }
            arg += 1;
        }
        if window.recursive.is_some() {
            self.enter_again(query)?;
        }
        let size = usize::from(query.temps.max(query.params));
        self.scratch.temps.resize(window.temps + size, NONE);
        self.window = window.temps;
        Ok(window)
    }

    /// Pushes a list argument: two temps, offset and length.
    fn push_list(&mut self, set: SetId) -> Result<(), Halt> {
        let members = self.gather(set)?;
        let (offset, length) = self.scratch.keep_list(&members);
        self.scratch.temps.push(offset);
        self.scratch.temps.push(length);
        Ok(())
    }

    /// Counts how often a query is nested in itself.
    #[cold]
    fn enter_again(&mut self, query: &QueryInfo) -> Result<(), Halt> {
        let levels = &mut self.scratch.recursions;
        let number = usize::from(query.number);
        if levels.len() <= number {
            levels.resize(number + 1, 0);
        }
        match levels.get_mut(number) {
            Some(level) if *level < query.deepest => *level += 1,
            _ => return Err(self.scratch.halt(FaultKind::Depth)),
        }
        Ok(())
    }

    pub fn close(&mut self, window: Window) {
        if let Some(query) = window.recursive
            && let Some(level) = self.scratch.recursions.get_mut(usize::from(query))
        {
            *level = level.saturating_sub(1);
        }
        self.window = window.before;
        self.scratch.temps.truncate(window.temps);
        self.scratch.lists.truncate(window.lists);
    }
}

impl Scratch {
    /// Puts a list where temps can refer to it: its offset and length.
    pub fn keep_list(&mut self, members: &[i32]) -> (i32, i32) {
        let offset = self.lists.len() as i32;
        self.lists.extend_from_slice(members);
        (offset, members.len() as i32)
    }
}
