//! Queries without parameters: nothing changes while choices are recorded, so each is evaluated once, when it is needed
//! first. The interpreter does the same, see `eval/memo.rs`. For expressions that depend on one name, see `table.rs`.

use cranelift_codegen::ir::{InstBuilder, types};
use cranelift_frontend::Variable;

use crate::function::emit::{Scalar, Translator};
use wyrmgate_program::{QueryBody, QueryId};

/// A query, and variables for whether its value is known and for the value.
pub(crate) type Once = (QueryId, Variable, Variable);

impl Translator<'_> {
    /// Forgets the values of queries, because choices are about to be recorded.
    pub fn begin_remembering(&mut self) {
        self.begin_position();
        self.is_looking = true;
        let queries = self.program.queries.iter().zip(0..);
        let of_use = queries.filter(|(query, _)| {
            query.params == 0 && query.deepest == 0 && matches!(query.body, QueryBody::Value(_))
        });
        let numbers: Vec<QueryId> = of_use.map(|(_, number)| number).collect();
        for query in numbers {
            let known = self.b.declare_var(types::I8);
            let value = self.b.declare_var(types::I32);
            let no = self.b.ins().iconst(types::I8, 0);
            self.b.def_var(known, no);
            let none = self.int(0);
            self.b.def_var(value, none);
            self.remembered.push((query, known, value));
        }
        self.begin_tables();
    }

    pub fn end_remembering(&mut self) {
        self.remembered.clear();
        self.tables.clear();
        self.is_looking = false;
    }

    /// Emits the value of a query that is evaluated once; `None` if it is not.
    pub fn once(&mut self, query: QueryId) -> Option<Scalar> {
        let of_query = |once: &&Once| once.0 == query;
        let &(_, known, value) = self.remembered.iter().find(of_query)?;
        if self.supposes {
            return None;
        }
        let QueryBody::Value(body) = self.program.queries.get(usize::from(query))?.body else {
            return None;
        };
        if self.is_short(body) {
            return None;
        }
        let is_known = self.b.use_var(known);
        let after = self.b.create_block();
        let answer = self.b.append_block_param(after, types::I32);
        self.two_ways(
            is_known,
            after,
            |t| t.b.use_var(value),
            |t| {
                let found = t.inlined(query, 0).unwrap_or(Scalar::Known(0));
                let found = t.word(found);
                t.b.def_var(value, found);
                let yes = t.b.ins().iconst(types::I8, 1);
                t.b.def_var(known, yes);
                found
            },
        );
        Some(Scalar::Word(answer))
    }
}
