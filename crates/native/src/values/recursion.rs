//! Recursive queries: each is a function of its own, which calls itself.

use crate::memory::buffers::STRIDE;
use crate::memory::context::{Context, QUERIES_MAX};
use crate::translator::emit::{Translator, at, offset};
use crate::translator::flow::Recursive;
use crate::translator::known::ScalarValue;
use std::mem::offset_of;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{FuncRef, InstBuilder, Value, types};
use cranelift_module::FuncId;

use wyrmgate_program::{
    Expr, ExprId, Field, Operation, Part, Program, QueryBody, QueryId, QueryInfo,
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
        if self.position.supposes {
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
        if !self.position.is_looking && !self.flow.is_query {
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
        let level_at = at(offset_of!(Context, levels)) + offset(number);
        let level = self.part(types::I32, level_at);
        let too_deep = self.is(
            IntCC::SignedGreaterThanOrEqual,
            level,
            i64::from(info.deepest),
        );
        self.refuse(too_deep);
        let deeper = self.b.ins().iadd_imm_s(level, 1);
        self.set_part(deeper, level_at);
        let answer = self.word_of(body);
        self.set_part(level, level_at);
        self.count_and_refuse();
        self.store_counts();
        let answer = self.b.ins().uextend(types::I64, answer);
        self.b.ins().return_(&[answer]);
    }
}

/// A function of a module.
pub(crate) type Declared = Recursive<FuncId>;
