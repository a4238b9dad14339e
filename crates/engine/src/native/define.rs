//! The function of an effect: its signature, its entry points, its code.

use std::collections::HashMap;
use std::mem::offset_of;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{AbiParam, Block, Function, InstBuilder, JumpTableData, Value, types};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::JITModule;
use cranelift_module::{FuncId, Module};

use super::code::Refused;
use super::context::Context;
use super::emit::{Translator, at};
use super::facts::Facts;
use super::regions::Regions;
use super::stretch::Stretch;
use crate::layout::Layout;
use wyrmgate_program::{Address, Op, Program, SiteId};

/// The maximum number of expression nodes per operation.
pub(super) const ROOM: u32 = 700;

/// The function of an effect.
pub(super) struct Made {
    pub function: FuncId,
    pub looks: Vec<Door>,
    pub takings: Vec<Door>,
}

/// An entry for a decision.
#[derive(Clone, Copy)]
pub(super) struct Door {
    pub site: SiteId,
    pub block: Block,
    pub is_made: bool,
}

/// `inlines`: whether effects of what-ifs become inline code.
pub(super) fn define(
    module: &mut JITModule,
    builder: &mut FunctionBuilderContext,
    program: &Program,
    layout: &Layout,
    facts: &Facts,
    (stretch, inlines): (&Stretch, bool),
) -> Result<Made, Refused> {
    let mut context = module.make_context();
    let signature = &mut context.func.signature;
    signature.params.push(AbiParam::new(types::I64));
    signature.params.push(AbiParam::new(types::I32));
    signature.params.push(AbiParam::new(types::I32));
    signature.returns.push(AbiParam::new(types::I32));
    let call_conv = signature.call_conv;
    let signature = signature.clone();
    let mut b = FunctionBuilder::new(&mut context.func, builder);
    let entry = b.create_block();
    b.append_block_params_for_function_params(entry);
    b.switch_to_block(entry);
    let [pointer, number, choice] = *b.block_params(entry) else {
        return Err(Refused::Machine);
    };
    let blocks = (stretch.first..stretch.end)
        .map(|_| b.create_block())
        .collect();
    let give_up = b.create_block();
    let looks = doors(program, stretch, &mut b, |op| match op {
        Op::ChooseEach { site, .. } => Some(*site),
        _ => None,
    });
    let takings = doors(program, stretch, &mut b, |op| match op {
        Op::Choose(site) => Some(*site),
        _ => None,
    });
    let [fuel, events] = [(); 2].map(|()| b.declare_var(types::I64));
    let regions = Regions::of(b.func);
    let mut translator = Translator {
        program,
        layout,
        facts,
        b,
        regions,
        context: pointer,
        words: pointer,
        choice,
        fuel,
        events,
        give_up,
        first: stretch.first,
        blocks,
        slots: u32::from(stretch.slots),
        ranges: HashMap::new(),
        remembered: Vec::new(),
        loops: 0,
        temps: Vec::new(),
        work: 0,
        told: 0,
        depth: 0,
        supposes: false,
        is_looking: false,
        inlines,
        inlined_effects: 0,
        fails_inline: false,
        inlined: Vec::new(),
        searched: HashMap::new(),
        searches: 0,
        any_order: false,
        room: ROOM,
        lists: 0,
        asks: 0,
        looks,
        takings,
        call_conv,
    };
    translator.begin(number, &stretch.entries);
    translator.operations(&stretch.entries, ROOM);
    translator.finish_doors();
    translator.finish_giving_up();
    translator.b.seal_all_blocks();
    if translator.fails_inline {
        return Err(Refused::Inlined);
    }
    if !is_complete(translator.b.func) {
        return Err(Refused::Incomplete);
    }
    let looks = std::mem::take(&mut translator.looks);
    let takings = std::mem::take(&mut translator.takings);
    translator.b.finalize(module.target_config());
    let function = module.declare_anonymous_function(&signature)?;
    module.define_function(function, &mut context)?;
    module.clear_context(&mut context);
    Ok(Made {
        function,
        looks,
        takings,
    })
}

/// Returns an entry for each decision of an effect, as `site_of` its operations says.
fn doors(
    program: &Program,
    stretch: &Stretch,
    b: &mut FunctionBuilder<'_>,
    site_of: impl Fn(&Op) -> Option<SiteId>,
) -> Vec<Door> {
    let ops = program
        .optimized
        .get(stretch.first as usize..stretch.end as usize);
    let sites = ops.unwrap_or_default().iter().filter_map(site_of);
    sites
        .map(|site| Door {
            site,
            block: b.create_block(),
            is_made: false,
        })
        .collect()
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
    /// Loads what lasts for the whole function and jumps to the entry with this number.
    fn begin(&mut self, number: Value, entries: &[Address]) {
        let words = at(offset_of!(Context, words));
        self.words = self.part(types::I64, words);
        let give_up = self.b.func.dfg.block_call(self.give_up, &[]);
        let mut blocks = Vec::with_capacity(entries.len());
        let mut doors = Vec::with_capacity(entries.len());
        for entry in entries {
            let door = self.b.create_block();
            blocks.push(self.b.func.dfg.block_call(door, &[]));
            doors.push((door, self.block_of(*entry).unwrap_or(self.give_up)));
        }
        for door in self.looks.iter().chain(&self.takings) {
            blocks.push(self.b.func.dfg.block_call(door.block, &[]));
        }
        let count = blocks.len();
        let table = self
            .b
            .create_jump_table(JumpTableData::new(give_up, &blocks));
        // Nearly always a choice is taken.
        if let [taking] = self.takings.as_slice() {
            let (block, others) = (taking.block, self.b.create_block());
            let takes = self.is(IntCC::Equal, number, (count - 1) as i64);
            self.branch(takes, block, others);
            self.b.switch_to_block(others);
        }
        self.b.ins().br_table(number, table);
        for (door, block) in doors {
            self.b.switch_to_block(door);
            self.take_over_counts();
            self.jump(block, &[]);
        }
    }
}
