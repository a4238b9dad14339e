//! The function of an effect: its signature, its entry points, its code.

use std::mem::offset_of;
use std::sync::Arc;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{
    AbiParam, Function, InstBuilder, JumpTableData, Signature, Value, types,
};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::JITModule;
use cranelift_module::{FuncId, Module, ModuleError};

use crate::facts::ConstantFacts;
use crate::facts::stretch::Stretch;
use crate::memory::context::Context;
use crate::translator::counts::{Numbered, WorkCounts};
use crate::translator::emit::{Translator, at};
use crate::translator::flow::{CodeFlow, DecisionEntry, EffectCode, Recursive};
use crate::translator::inlining::{Inlining, ROOM};
use crate::translator::known::KnownValues;
use crate::translator::notes::{FunctionNotes, Left};
use crate::translator::position::AskedPosition;
use crate::translator::regions::Regions;
use crate::translator::searching::Searches;
use crate::values::recursion::{Declared, QueryParam, recursive};
use wyrmgate_engine::layout::StateLayout;
use wyrmgate_engine::selections::SelectionTerms;
use wyrmgate_program::{Address, Op, Program, QueryBody, SiteId};

/// The same in a function whose what-ifs can be inline only with more of them.
const MORE_ROOM: u32 = 4 * ROOM;

/// The reason why a program stays in the interpreter.
#[derive(Debug)]
pub(crate) enum InterpretedReason {
    TooLarge,
    Incomplete,
    /// An effect of a what-if cannot be inline code.
    Inlined,
    /// An effect of a what-if, or the question after it, has too many nodes to be inline code.
    Room,
    Machine,
}

impl From<ModuleError> for InterpretedReason {
    fn from(_: ModuleError) -> InterpretedReason {
        InterpretedReason::Machine
    }
}

/// How the effects of what-ifs are translated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WhatIfs {
    Inline,
    /// In a function that may be larger than others.
    InlineInMoreRoom,
    /// As functions of their own.
    Called,
}

/// The function of an effect.
pub(crate) struct EffectFunction {
    pub function: FuncId,
    pub looks: Vec<DecisionEntry>,
    pub takings: Vec<DecisionEntry>,
}

/// The inputs and results that the functions of a program share.
pub(crate) struct FunctionParts<'p> {
    pub program: &'p Program,
    pub layout: &'p StateLayout,
    pub facts: &'p ConstantFacts,
    /// Queries that use themselves.
    pub queries: Vec<Declared>,
    /// The questions about selections.
    pub forms: Vec<Arc<SelectionTerms>>,
    /// What was left to the interpreter.
    pub left: Vec<Left>,
}

impl<'p> FunctionParts<'p> {
    /// Returns the translator of a function, to which its first block belongs and these parameters.
    fn translator<'t>(
        &self,
        module: &mut JITModule,
        mut b: FunctionBuilder<'t>,
        pointer: Value,
        choice: Value,
    ) -> Translator<'t>
    where
        'p: 't,
    {
        let give_up = b.create_block();
        let [fuel, events] = [(); 2].map(|()| b.declare_var(types::I64));
        let numbered = Numbered {
            position: b.declare_var(types::I32),
            work: b.declare_var(types::I64),
        };
        let queries = self.queries.iter();
        let recursive = queries.map(|declared| Recursive {
            query: declared.query,
            function: module.declare_func_in_func(declared.function, b.func),
            number: declared.number,
        });
        let recursive = recursive.collect();
        let regions = Regions::of(b.func);
        let mut translator = Translator {
            program: self.program,
            layout: self.layout,
            facts: self.facts,
            b,
            regions,
            context: pointer,
            words: pointer,
            lists: 0,
            known: KnownValues::default(),
            counts: WorkCounts {
                fuel,
                events,
                work: 0,
                new_events: 0,
                numbered,
                loops: 0,
            },
            flow: CodeFlow {
                effect: EffectCode::default(),
                choice,
                give_up,
                looks: Vec::new(),
                takings: Vec::new(),
                recursive,
                is_query: false,
            },
            inlining: Inlining {
                room: ROOM,
                is_on: true,
                ..Inlining::default()
            },
            position: AskedPosition::default(),
            searches: Searches::default(),
            notes: FunctionNotes {
                first_form: self.forms.len() as i32,
                ..FunctionNotes::default()
            },
        };
        translator.forget_number();
        translator
    }
}

/// Defines the function of an effect.
pub(crate) fn define(
    module: &mut JITModule,
    builder: &mut FunctionBuilderContext,
    parts: &mut FunctionParts<'_>,
    stretch: &Stretch,
    what_ifs: WhatIfs,
) -> Result<EffectFunction, InterpretedReason> {
    let program = parts.program;
    let mut context = module.make_context();
    let signature = &mut context.func.signature;
    let params = [types::I64, types::I32, types::I32].map(AbiParam::new);
    signature.params.extend(params);
    signature.returns.push(AbiParam::new(types::I32));
    let signature = signature.clone();
    let mut b = FunctionBuilder::new(&mut context.func, builder);
    let entry = b.create_block();
    b.append_block_params_for_function_params(entry);
    b.switch_to_block(entry);
    let [pointer, number, choice] = *b.block_params(entry) else {
        return Err(InterpretedReason::Machine);
    };
    let blocks = (stretch.first..stretch.end)
        .map(|_| b.create_block())
        .collect();
    let looks = decision_entries(program, stretch, &mut b);
    let takings = decision_entries(program, stretch, &mut b);
    let mut translator = parts.translator(module, b, pointer, choice);
    translator.flow.effect = EffectCode {
        first: stretch.first,
        blocks,
        slots: u32::from(stretch.slots),
    };
    translator.inlining.is_on = what_ifs != WhatIfs::Called;
    let room = match what_ifs {
        WhatIfs::InlineInMoreRoom => MORE_ROOM,
        WhatIfs::Inline | WhatIfs::Called => ROOM,
    };
    (translator.flow.looks, translator.flow.takings) = (looks, takings);
    translator.begin(number, &stretch.entries);
    translator.operations(&stretch.entries, room);
    translator.close_entries();
    finish(&mut translator)?;
    let Translator { b, flow, notes, .. } = translator;
    b.finalize(module.target_config());
    let function = module.declare_anonymous_function(&signature)?;
    module.define_function(function, &mut context)?;
    module.clear_context(&mut context);
    parts.forms.extend(notes.forms);
    parts.left.extend(notes.left);
    Ok(EffectFunction {
        function,
        looks: flow.looks,
        takings: flow.takings,
    })
}

/// Ends a function, if all of it could be translated.
fn finish(translator: &mut Translator<'_>) -> Result<(), InterpretedReason> {
    translator.finish_giving_up();
    translator.b.seal_all_blocks();
    if translator.inlining.fails {
        return Err(match translator.inlining.lacks_room {
            true => InterpretedReason::Room,
            false => InterpretedReason::Inlined,
        });
    }
    match is_complete(translator.b.func) {
        true => Ok(()),
        false => Err(InterpretedReason::Incomplete),
    }
}

/// Defines the functions of recursive queries; returns how many there are.
pub(crate) fn define_queries(
    module: &mut JITModule,
    parts: &mut FunctionParts<'_>,
) -> Result<usize, InterpretedReason> {
    let all = recursive(parts.program);
    let mut signatures = Vec::new();
    for (number, (query, params)) in all.iter().enumerate() {
        let mut signature = module.make_signature();
        signature.params.push(AbiParam::new(types::I64));
        for param in params {
            match param {
                QueryParam::Value => signature.params.push(AbiParam::new(types::I32)),
                QueryParam::List => signature.params.extend([AbiParam::new(types::I64); 2]),
            }
        }
        signature.returns.push(AbiParam::new(types::I64));
        parts.queries.push(Declared {
            query: *query,
            function: module.declare_anonymous_function(&signature)?,
            number,
        });
        signatures.push(signature);
    }
    let mut failed = Vec::new();
    for (declared, signature) in parts.queries.clone().into_iter().zip(signatures) {
        // If the function cannot do it, the interpreter evaluates the whole query.
        let mut define = |answers| define_query(module, parts, &declared, &signature, answers);
        match define(true) {
            Ok(()) => {}
            Err(
                InterpretedReason::Incomplete
                | InterpretedReason::Inlined
                | InterpretedReason::Room,
            ) => {
                define(false)?;
                failed.push(declared.query);
            }
            Err(refused) => return Err(refused),
        }
    }
    parts
        .queries
        .retain(|declared| !failed.contains(&declared.query));
    Ok(all.len())
}

/// Defines the function of a recursive query. Unless `answers`, the function always gives up.
fn define_query(
    module: &mut JITModule,
    parts: &mut FunctionParts<'_>,
    declared: &Declared,
    signature: &Signature,
    answers: bool,
) -> Result<(), InterpretedReason> {
    let info = parts.program.query(declared.query);
    let Some((info, QueryBody::Value(body))) = info.map(|info| (info, info.body)) else {
        return Err(InterpretedReason::Machine);
    };
    let mut builder = FunctionBuilderContext::new();
    let mut context = module.make_context();
    context.func.signature = signature.clone();
    let mut b = FunctionBuilder::new(&mut context.func, &mut builder);
    let entry = b.create_block();
    b.append_block_params_for_function_params(entry);
    b.switch_to_block(entry);
    let params = b.block_params(entry).to_vec();
    let Some((pointer, params)) = params.split_first() else {
        return Err(InterpretedReason::Machine);
    };
    let mut translator = parts.translator(module, b, *pointer, *pointer);
    translator.flow.is_query = true;
    translator.inlining.room = ROOM * 4;
    translator.words = translator.part(types::I64, at(offset_of!(Context, words)));
    translator.load_counts();
    translator.bind_params(params);
    match answers {
        true => translator.answer_recursive(declared.number, info, body),
        false => {
            let give_up = translator.flow.give_up;
            translator.jump(give_up, &[]);
        }
    }
    finish(&mut translator)?;
    let forms = std::mem::take(&mut translator.notes.forms);
    translator.b.finalize(module.target_config());
    module.define_function(declared.function, &mut context)?;
    module.clear_context(&mut context);
    parts.forms.extend(forms);
    Ok(())
}

/// Returns an entry for each decision of an effect.
fn decision_entries(
    program: &Program,
    stretch: &Stretch,
    b: &mut FunctionBuilder<'_>,
) -> Vec<DecisionEntry> {
    let ops = program
        .code
        .ops
        .get(stretch.first as usize..stretch.end as usize);
    let sites = ops.unwrap_or_default().iter().filter_map(decision_of);
    sites
        .map(|site| DecisionEntry {
            site,
            block: b.create_block(),
            is_made: false,
        })
        .collect()
}

fn decision_of(op: &Op) -> Option<SiteId> {
    match op {
        Op::Choose(site) | Op::ChooseEach { site, .. } => Some(*site),
        _ => None,
    }
}

/// Returns whether every block ends, and leads only to existing blocks.
fn is_complete(function: &Function) -> bool {
    let layout = &function.layout;
    layout.blocks().all(|block| {
        let last = layout.last_inst(block);
        last.is_some_and(|last| {
            let last = &function.dfg.insts[last];
            let pools = (&function.dfg.jump_tables, &function.dfg.exception_tables);
            let mut leads = last.branch_destination(pools.0, pools.1).iter();
            let inserted =
                leads.all(|call| layout.is_block_inserted(call.block(&function.dfg.value_lists)));
            last.opcode().is_terminator() && inserted
        })
    })
}

impl Translator<'_> {
    /// Loads values that are constant in the function, and jumps to the entry with this number.
    fn begin(&mut self, number: Value, entries: &[Address]) {
        let words = at(offset_of!(Context, words));
        self.words = self.part(types::I64, words);
        let give_up = self.b.func.dfg.block_call(self.flow.give_up, &[]);
        let mut blocks = Vec::with_capacity(entries.len());
        let mut arrivals = Vec::with_capacity(entries.len());
        for entry in entries {
            let arrival = self.b.create_block();
            blocks.push(self.b.func.dfg.block_call(arrival, &[]));
            arrivals.push((
                arrival,
                self.flow.block_of(*entry).unwrap_or(self.flow.give_up),
            ));
        }
        for entry in self.flow.looks.iter().chain(&self.flow.takings) {
            blocks.push(self.b.func.dfg.block_call(entry.block, &[]));
        }
        let count = blocks.len();
        let table = JumpTableData::new(give_up, &blocks);
        let table = self.b.create_jump_table(table);
        // Most often, a choice is taken.
        if let [taking] = self.flow.takings.as_slice() {
            let (block, others) = (taking.block, self.b.create_block());
            let takes = self.is(IntCC::Equal, number, (count - 1) as i64);
            self.branch(takes, block, others);
            self.b.switch_to_block(others);
        }
        self.b.ins().br_table(number, table);
        for (arrival, block) in arrivals {
            self.b.switch_to_block(arrival);
            self.load_counts();
            self.jump(block, &[]);
        }
    }
}
