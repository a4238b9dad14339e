//! Calls whose meaning depends on the kind of a component: one branch per meaning.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, BlockArg, Value, types};

use crate::translator::emit::Translator;
use crate::translator::inlining::DEPTH_MAX;
use crate::translator::known::ScalarValue;
use wyrmgate_program::{DispatchId, ExprId, NONE, QueryBody, QueryId};

/// With less room than this for nodes, the interpreter handles a call.
const ROOM_MIN: u32 = 40;

/// The part of the room that is kept for code after a call.
const LEFT: u32 = 4;

impl Translator<'_> {
    /// Emits the value of a query of a kind.
    pub fn call_kind(&mut self, dispatch: DispatchId, args: ExprId) -> Option<ScalarValue> {
        let default = self.program.dispatches.get(usize::from(dispatch))?.default;
        let value = self.of_kind(dispatch, args, default, |t, body| match body {
            QueryBody::Value(body) => t.word_of(body),
            QueryBody::List(_) => t.int(NONE),
        })?;
        Some(ScalarValue::Word(value))
    }

    /// Builds the list of a query of a kind in a buffer; returns its length.
    pub fn gather_of_kind(
        &mut self,
        dispatch: DispatchId,
        args: ExprId,
        number: usize,
    ) -> Option<Value> {
        self.of_kind(dispatch, args, 0, |t, body| match body {
            QueryBody::List(body) => t.gather_list(body, number),
            QueryBody::Value(_) => t.int(0),
        })
    }

    /// Emits a branch for each meaning of a call, with the word that `emit` makes of its body, and one with the default for
    /// components without a query.
    fn of_kind(
        &mut self,
        dispatch: DispatchId,
        args: ExprId,
        default: i32,
        emit: impl Fn(&mut Self, QueryBody) -> Value,
    ) -> Option<Value> {
        let program = self.program;
        let meant = self.meanings(dispatch)?;
        let me = self.word_of(args);
        let [after, nothing] = self.blocks();
        let answer = self.b.append_block_param(after, types::I32);
        self.by_meaning(dispatch, me, &meant, nothing, &mut |t, query| {
            let value = match program.query(query) {
                Some(info) => t.with_arguments(info, args, Some(me), |t| emit(t, info.body)),
                None => t.int(default),
            };
            t.count();
            t.jump(after, &[BlockArg::Value(value)]);
        });
        let default = self.int(default);
        self.jump(after, &[BlockArg::Value(default)]);
        self.b.switch_to_block(after);
        Some(answer)
    }

    /// Returns the possible meanings of a call, the most common first; `None` leaves it to the interpreter.
    fn meanings(&self, dispatch: DispatchId) -> Option<Vec<QueryId>> {
        let by_component = self.facts.queries.get(usize::from(dispatch))?;
        let room = self.inlining.room >= ROOM_MIN && self.inlining.depth < DEPTH_MAX;
        if by_component.is_empty() || !room {
            return None;
        }
        let mut counted: Vec<(usize, QueryId)> = Vec::new();
        for query in by_component {
            let Ok(query) = QueryId::try_from(*query) else {
                continue;
            };
            match counted.iter_mut().find(|(_, known)| *known == query) {
                Some((count, _)) => *count += 1,
                None => counted.push((1, query)),
            }
        }
        counted.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
        Some(counted.into_iter().map(|(_, query)| query).collect())
    }

    /// Emits one branch per meaning, whose code `body` emits and ends; continues in the block for no meaning.
    fn by_meaning(
        &mut self,
        dispatch: DispatchId,
        me: Value,
        meant: &[QueryId],
        nothing: Block,
        body: &mut dyn FnMut(&mut Self, QueryId),
    ) {
        let by_component = self.facts.queries.get(usize::from(dispatch));
        let by_component = by_component.map_or(&[][..], Vec::as_slice);
        let base = self.pointer(by_component.as_ptr());
        let means = self.entry(base, me, 0, by_component.len() as u32, NONE);
        let means = self.word(means);
        self.count();
        // The most common one comes first. Some room is left for the code after the call.
        let left = self.inlining.room / LEFT;
        self.inlining.room -= left;
        for query in meant {
            let [this, other] = self.blocks();
            let is_this = self.is(IntCC::Equal, means, i64::from(*query));
            self.branch(is_this, this, other);
            self.b.switch_to_block(this);
            body(self, *query);
            self.b.switch_to_block(other);
        }
        self.inlining.room += left;
        self.jump(nothing, &[]);
        self.b.switch_to_block(nothing);
    }
}
