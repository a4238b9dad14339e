//! Recursive queries: each is a function of its own, which calls itself.
//!
//! Results are remembered for as long as the position is the same. A remembered result counts as much work as finding it
//! did, and is used only where finding it would not nest too deep.

use crate::memory::buffers::STRIDE;
use crate::memory::context::Context;
use crate::memory::results::{QUERIES_MAX, RememberedResult, Results};
use crate::translator::emit::{Translator, at, offset};
use crate::translator::flow::Recursive;
use crate::translator::known::ScalarValue;
use std::hash::{BuildHasher, Hasher};
use std::mem::offset_of;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{FuncRef, InstBuilder, Value, types};
use cranelift_module::FuncId;
use foldhash::quality::FixedState;

use wyrmgate_program::{
    Expr, ExprId, Field, Operation, Part, Program, QueryBody, QueryId, QueryInfo, Temp,
};

/// The maximum recursion depth on the native stack.
const DEEPEST_MAX: u16 = 128;

/// The maximum number of arguments, a list being two.
const PARAMS_MAX: usize = 8;

/// A parameter of a query.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum QueryParam {
    Value,
    List,
}

/// Returns the queries that become functions, with their parameters.
pub(crate) fn recursive(program: &Program) -> Vec<(QueryId, Vec<QueryParam>)> {
    let queries = program.queries.iter().zip(0..);
    let of_use = queries.filter(|(info, _)| {
        let is_value = matches!(info.body, QueryBody::Value(_));
        (1..=DEEPEST_MAX).contains(&info.deepest) && is_value
    });
    let all = of_use.filter_map(|(info, query)| Some((query, params_of(program, query, info)?)));
    all.take(QUERIES_MAX).collect()
}

/// Returns the parameters of a query as its first call has them.
fn params_of(program: &Program, query: QueryId, info: &QueryInfo) -> Option<Vec<QueryParam>> {
    let args = program.exprs.iter().find_map(|expr| match *expr {
        Expr::Call { query: of, args } if of == query => Some(args),
        _ => None,
    })?;
    let (mut params, mut temps, mut arg) = (Vec::new(), 0, args);
    while temps < usize::from(info.params) {
        let (param, size) = match program.exprs.get(arg as usize)? {
            Expr::ListArgument(_) => (QueryParam::List, 2),
            _ => (QueryParam::Value, 1),
        };
        params.push(param);
        temps += size;
        arg += 1;
    }
    (temps <= PARAMS_MAX).then_some(params)
}

/// Returns the recursive queries on which a part depends.
pub(crate) fn used_by(program: &Program, part: Part) -> Vec<QueryId> {
    let mut open = vec![part];
    let mut seen: Vec<Part> = Vec::new();
    let mut found = Vec::new();
    while let Some(part) = open.pop() {
        if seen.contains(&part) {
            continue;
        }
        seen.push(part);
        let Some(node) = program.node(part) else {
            continue;
        };
        let mut queries = Vec::new();
        node.each_field(&mut |field| {
            if let Field::Query(query) = field {
                queries.push(*query);
            }
        });
        open.extend(node.parts(program));
        for query in queries {
            let Some(info) = program.query(query) else {
                continue;
            };
            if info.deepest > 0 && !found.contains(&query) {
                found.push(query);
            }
            open.push(info.body.part());
        }
    }
    found
}

impl Translator<'_> {
    /// Calls the function of a query; `None` if nothing was emitted.
    pub fn call_recursive(&mut self, query: QueryId, args: ExprId) -> Option<ScalarValue> {
        let of_query = |recursive: &&Recursive<FuncRef>| recursive.query == query;
        let function = self.flow.recursive.iter().find(of_query)?.function;
        if self.reuse.supposes {
            return None;
        }
        let info = self.program.query(query)?;
        let open = self.lists;
        let window = self.window(info, args, None);
        let mut values = vec![self.context];
        for (_, value) in window {
            match value {
                ScalarValue::List(first, end) => values.extend([first, end]),
                value => values.push(self.word(value)),
            }
        }
        let signature = self.b.func.dfg.ext_funcs.get(function)?.signature;
        let params = &self.b.func.dfg.signatures.get(signature)?.params;
        if params.len() != values.len() {
            return None;
        }
        if !self.reuse.is_looking && !self.flow.is_query {
            self.begin_position();
        }
        // The function gets buffers behind those in use here.
        let place = at(offset_of!(Context, members.buffers));
        let members = self.part(types::I64, place);
        let beyond = i64::from(offset(self.lists * STRIDE));
        let beyond = self.b.ins().iadd_imm_s(members, beyond);
        let last = self.part(types::I64, at(offset_of!(Context, members.last)));
        let full = self.b.ins().icmp(IntCC::UnsignedGreaterThan, beyond, last);
        self.refuse(full);
        self.set_part(beyond, place);
        self.count();
        self.store_counts();
        let call = self.b.ins().call(function, &values);
        let answer = self.b.inst_results(call).first().copied()?;
        self.load_counts();
        self.set_part(members, place);
        self.refuse_negative(answer);
        self.lists = open;
        Some(ScalarValue::Word(self.b.ins().ireduce(types::I32, answer)))
    }

    /// Binds the temps of a query to the parameters of its function.
    pub fn bind_params(&mut self, params: &[Value]) {
        let (mut temp, mut rest) = (0, params);
        while let Some((value, others)) = rest.split_first() {
            let is_list = self.b.func.dfg.value_type(*value) == types::I64;
            match others.split_first() {
                Some((end, others)) if is_list => {
                    self.known
                        .temps
                        .push((temp, ScalarValue::List(*value, *end)));
                    (temp, rest) = (temp + 2, others);
                }
                _ => {
                    self.known.temps.push((temp, ScalarValue::Word(*value)));
                    (temp, rest) = (temp + 1, others);
                }
            }
        }
    }

    /// Emits the function of a query, whose parameters are known.
    pub fn answer_recursive(&mut self, number: usize, info: &QueryInfo, body: ExprId) {
        let level_at = at(offset_of!(Context, queries.levels)) + offset(number);
        let level = self.part(types::I32, level_at);
        let too_deep = self.is(
            IntCC::SignedGreaterThanOrEqual,
            level,
            i64::from(info.deepest),
        );
        self.refuse(too_deep);
        let deeper = self.b.ins().iadd_imm_s(level, 1);
        self.set_part(deeper, level_at);
        let answer = match used_by(self.program, Part::Expr(body)).as_slice() {
            [only] if *only == info.number => self.remembered(number, level, body),
            _ => self.word_of(body),
        };
        self.set_part(level, level_at);
        self.count_and_refuse();
        self.store_counts();
        let answer = self.b.ins().uextend(types::I64, answer);
        self.b.ins().return_(&[answer]);
    }

    /// Emits the value of a body, remembered.
    fn remembered(&mut self, number: usize, level: Value, body: ExprId) -> Value {
        let reached_at = at(offset_of!(Context, queries.reached)) + offset(number);
        let before = self.part(types::I32, reached_at);
        let question = self.question();
        let arguments = {
            let number = self.int(number as i32);
            let (values, lists) = (self.int(question.1), self.int(question.2));
            [number, question.0, values, lists]
        };
        let recall = recall as *const u8;
        let known = self.call_helper(recall, &arguments, Some(types::I64));
        let known = known.unwrap_or(self.context);
        let is_unknown = self.is(IntCC::SignedLessThan, known, 0);
        let fuel = self.b.use_var(self.counts.fuel);
        self.one_of(
            types::I32,
            is_unknown,
            |t| {
                t.set_part(level, reached_at);
                let value = t.word_of(body);
                t.call_helper(
                    remember as *const u8,
                    &[arguments[0], question.0, value, fuel],
                    None,
                );
                let reached = t.part(types::I32, reached_at);
                let reached = t.b.ins().smax(reached, before);
                t.set_part(reached, reached_at);
                value
            },
            |t| t.b.ins().ireduce(types::I32, known),
        )
    }

    /// Stores the arguments where helpers read them, values first, then lists, behind a place for the number of the
    /// question. Returns the address, the number of values and the number of lists.
    fn question(&mut self) -> (Value, i32, i32) {
        let temps: Vec<(Temp, ScalarValue)> = self.known.temps.clone();
        let size = (1 + PARAMS_MAX) * size_of::<u64>();
        let slot = self.native_memory(size as u32, size_of::<u64>() as u32);
        let question = self.b.ins().stack_addr(types::I64, slot, 0);
        let mut place = size_of::<u64>() as i32;
        let mut put = |t: &mut Self, value: Value| {
            t.store(value, question, place);
            place += size_of::<u64>() as i32;
        };
        let (mut values, mut lists) = (0, 0);
        for (_, scalar) in &temps {
            if !matches!(scalar, ScalarValue::List(..)) {
                let value = self.word(*scalar);
                let value = self.b.ins().sextend(types::I64, value);
                put(self, value);
                values += 1;
            }
        }
        for (_, scalar) in &temps {
            if let ScalarValue::List(first, end) = scalar {
                put(self, *first);
                put(self, *end);
                lists += 1;
            }
        }
        (question, values, lists)
    }
}

/// Computes the number of a question; returns its result without its sign, or a negative number if it is unknown.
pub(crate) unsafe extern "C" fn recall(
    context: *mut Context,
    query: u32,
    question: *mut u64,
    values: u32,
    lists: u32,
) -> i64 {
    // SAFETY: «one context»: as for the other helpers.
    let context = unsafe { &mut *context };
    let count = 1 + values as usize + 2 * lists as usize;
    // SAFETY: «room for members»: code has stored these words on the native stack.
    let words = unsafe { std::slice::from_raw_parts_mut(question, count.min(1 + PARAMS_MAX)) };
    let Some((place, words)) = words.split_first_mut() else {
        return -1;
    };
    let mut number = FixedState::default().build_hasher();
    number.write_u64(context.what_if.base_number);
    number.write_u32(query);
    let (plain, lists) = words.split_at(words.len().min(values as usize));
    plain.iter().for_each(|value| number.write_u64(*value));
    for [first, end] in lists.as_chunks::<2>().0 {
        let count = (end - first) as usize / size_of::<i32>();
        // SAFETY: «room for members»: the members of a list lie between its two addresses, without gaps.
        let members = unsafe { std::slice::from_raw_parts(*first as *const i32, count) };
        number.write_usize(count);
        members.iter().for_each(|one| number.write_i32(*one));
    }
    *place = number.finish().max(1);
    let Some((level, reached, deepest)) = context.nesting(query as usize) else {
        return -1;
    };
    let result = results_of(context).and_then(|all| all.place(*place));
    let Some(result) = result.filter(|result| result.question == *place) else {
        return -1;
    };
    // `level` is that of the questions that this query asks.
    let deepened = level - 1 + result.height;
    if deepened >= deepest {
        return -1;
    }
    if let Some(place) = context.queries.reached.get_mut(query as usize) {
        *place = deepened.max(reached);
    }
    context.remaining.fuel -= i64::from(result.cost);
    i64::from(result.value.cast_unsigned())
}

/// Remembers the result of a question that has a number. `before` is the budget that was left when the question was
/// asked.
pub(crate) unsafe extern "C" fn remember(
    context: *mut Context,
    query: u32,
    question: *const u64,
    value: i32,
    before: i64,
) {
    // SAFETY: «one context»: as for the other helpers.
    let context = unsafe { &mut *context };
    // SAFETY: «room for members»: the place for the number of the question comes first.
    let question = unsafe { *question };
    let Some((level, reached, _)) = context.nesting(query as usize) else {
        return;
    };
    let height = reached - (level - 1);
    let Ok(cost) = u32::try_from(before - context.remaining.fuel) else {
        return;
    };
    let place = results_of(context).and_then(|all| all.place(question));
    if let Some(place) = place {
        *place = RememberedResult {
            question,
            value,
            cost,
            height,
        };
    }
}

fn results_of<'r>(context: &Context) -> Option<&'r mut Results> {
    // SAFETY: «the memory of the driver waits»: the driver uses this only between moves.
    unsafe { context.queries.results.as_mut() }
}

/// A function of a module.
pub(crate) type Declared = Recursive<FuncId>;
