//! Machine code of a program: one function for each effect, made by Cranelift in memory that is first written and then
//! executed, never both (that is the care of `cranelift-jit`).

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{AbiParam, Block, InstBuilder, JumpTableData, types};
use cranelift_codegen::settings::{self, Configurable};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{FuncId, Module, ModuleError, default_libcall_names};

use super::context::Context;
use super::emit::Translator;
use super::regions::Regions;
use crate::engine::layout::Layout;
use crate::program::{Address, Dispatch, NONE, Op, Program, SiteId};

/// An effect's code: from the context, the number of an entry and that of a choice (where one is taken) to what is next,
/// an address or one of [`super::context::REST`], [`super::context::OVER`], [`super::context::GIVE_UP`].
pub(super) type Function = unsafe extern "C" fn(*mut Context, i32, u32) -> i32;

/// Programs with more operations are left to the interpreter: translating them takes too long.
const OPS_MAX: usize = 4_000;

/// Nodes of expressions that one operation may take.
const ROOM: u32 = 700;

/// What is known of components and zones for good, as tables that code reads.
pub(super) struct Facts {
    /// By component: the zone inside it.
    pub inside: Vec<i32>,
    /// By zone: the component it lies in, and its owner.
    pub holders: Vec<i32>,
    pub owners: Vec<i32>,
    /// By dispatch and component: the query or effect that a call means; nothing where there is none.
    pub queries: Vec<Vec<i32>>,
    pub effects: Vec<Vec<i32>>,
    /// By zone: who sees what lies there.
    pub sights: Vec<i32>,
}

impl Facts {
    fn of(program: &Program) -> Facts {
        let zones = &program.zones;
        let components = program.components.iter();
        Facts {
            inside: components
                .map(|c| c.holds.map_or(NONE, i32::from))
                .collect(),
            holders: zones
                .iter()
                .map(|z| z.inside.map_or(NONE, i32::from))
                .collect(),
            owners: zones
                .iter()
                .map(|z| z.owner.map_or(NONE, i32::from))
                .collect(),
            queries: meant(program, |dispatch| &dispatch.queries),
            effects: meant(program, |dispatch| &dispatch.effects),
            sights: super::seen::sights(program),
        }
    }
}

/// By dispatch and component, what is meant by the component's kind.
fn meant(program: &Program, of: impl Fn(&Dispatch) -> &Vec<Option<u16>>) -> Vec<Vec<i32>> {
    let dispatches = program.dispatches.iter();
    let by_component = dispatches.map(|dispatch| {
        let meant = of(dispatch);
        let components = program.components.iter();
        let found = components.map(|component| meant.get(usize::from(component.kind)));
        found
            .map(|found| found.copied().flatten().map_or(NONE, i32::from))
            .collect()
    });
    by_component.collect()
}

/// Where execution can begin.
#[derive(Clone, Copy)]
pub(super) struct Entry {
    pub function: Function,
    pub number: i32,
    /// Slots of the frame that the code works in.
    pub slots: usize,
}

/// The machine code of a program.
pub(super) struct Code {
    /// By address, where code can be entered there.
    pub entries: Vec<Option<Entry>>,
    /// By site where several seats decide: notes the choices of one of them.
    pub looks: Vec<Option<Entry>>,
    /// By site whose choices are noted as bits: goes on with one of them, by the number of its bit.
    pub takings: Vec<Option<Entry>>,
    /// The memory of the code; taken when that is given back.
    module: Option<JITModule>,
    /// Read by the code: as long as it is there, so are they.
    _facts: Box<Facts>,
}

impl Drop for Code {
    fn drop(&mut self) {
        self.entries.clear();
        self.looks.clear();
        self.takings.clear();
        if let Some(module) = self.module.take() {
            // SAFETY: «code is entered through its owner»: pointers to functions are in `entries`, `looks` and
            // `takings` alone, which are now empty, and whoever runs one borrows this.
            unsafe { module.free_memory() };
        }
    }
}

/// Why a program stays with the interpreter.
#[derive(Debug)]
pub(super) enum Refused {
    TooLarge,
    Incomplete,
    Machine,
}

impl From<ModuleError> for Refused {
    fn from(_: ModuleError) -> Refused {
        Refused::Machine
    }
}

/// The addresses of an effect.
struct Stretch {
    first: Address,
    end: Address,
    slots: u16,
    entries: Vec<Address>,
}

impl Code {
    pub fn of(program: &Program, layout: &Layout) -> Result<Code, Refused> {
        if program.quick.is_empty() || program.quick.len() > OPS_MAX {
            return Err(Refused::TooLarge);
        }
        let facts = Box::new(Facts::of(program));
        let mut module = module()?;
        let stretches = stretches(program);
        let mut made: Vec<(Stretch, Made)> = Vec::new();
        let mut builder = FunctionBuilderContext::new();
        for stretch in stretches {
            // An effect that cannot be translated is left to the interpreter.
            match define(&mut module, &mut builder, program, layout, &facts, &stretch) {
                Ok(function) => made.push((stretch, function)),
                Err(Refused::Incomplete) => builder = FunctionBuilderContext::new(),
                Err(refused) => return Err(refused),
            }
        }
        module.finalize_definitions()?;
        let mut entries = vec![None; program.quick.len()];
        let mut looks = vec![None; program.sites.len()];
        let mut takings = looks.clone();
        for (stretch, made) in made {
            let address = module.get_finalized_function(made.function);
            // SAFETY: «code has this signature»: the function was declared with it in `define`.
            let function = unsafe { std::mem::transmute::<*const u8, Function>(address) };
            let entry = |number| Entry {
                function,
                number,
                slots: usize::from(stretch.slots),
            };
            for (number, at) in (0..).zip(&stretch.entries) {
                if let Some(place) = entries.get_mut(*at as usize) {
                    *place = Some(entry(number));
                }
            }
            let numbers = stretch.entries.len() as i32..;
            let looks_made = made.looks.len();
            let doors = made.looks.into_iter().chain(made.takings);
            for ((number, door), at) in numbers.zip(doors).zip(0..) {
                let of_kind = if at < looks_made {
                    &mut looks
                } else {
                    &mut takings
                };
                let place = of_kind.get_mut(usize::from(door.site));
                if let Some(place) = place.filter(|_| door.is_made) {
                    *place = Some(entry(number));
                }
            }
        }
        Ok(Code {
            entries,
            looks,
            takings,
            module: Some(module),
            _facts: facts,
        })
    }
}

fn module() -> Result<JITModule, Refused> {
    let mut flags = settings::builder();
    let all = [
        ("opt_level", "speed"),
        ("use_colocated_libcalls", "false"),
        ("is_pic", "false"),
        (
            "enable_verifier",
            if cfg!(debug_assertions) {
                "true"
            } else {
                "false"
            },
        ),
    ];
    for (name, value) in all {
        flags.set(name, value).map_err(|_| Refused::Machine)?;
    }
    let isa = cranelift_native::builder().map_err(|_| Refused::Machine)?;
    let isa = isa
        .finish(settings::Flags::new(flags))
        .map_err(|_| Refused::Machine)?;
    Ok(JITModule::new(JITBuilder::with_isa(
        isa,
        default_libcall_names(),
    )))
}

/// Each effect's addresses lie in a row.
fn stretches(program: &Program) -> Vec<Stretch> {
    let mut effects: Vec<(Address, u16)> = program
        .effects
        .iter()
        .map(|effect| (effect.entry, effect.slots))
        .collect();
    effects.sort_unstable();
    effects.dedup_by_key(|(entry, _)| *entry);
    let ends = effects.iter().skip(1).map(|(entry, _)| *entry);
    let ends: Vec<Address> = ends.chain([program.quick.len() as Address]).collect();
    let stretches = effects.into_iter().zip(ends);
    stretches
        .map(|((first, slots), end)| Stretch {
            first,
            end,
            slots,
            entries: entries(program, first, end),
        })
        .collect()
}

/// Where an effect is begun or gone on with.
fn entries(program: &Program, first: Address, end: Address) -> Vec<Address> {
    let mut entries = vec![first];
    for at in first..end {
        match program.quick.get(at as usize) {
            Some(Op::Call { .. } | Op::CallKind { .. }) => entries.push(at + 1),
            Some(&(Op::Choose(site) | Op::ChooseAtRandom(site) | Op::ChooseEach { site, .. })) => {
                entries.extend(goes_on(program, site))
            }
            _ => {}
        }
    }
    entries.retain(|at| (first..end).contains(at));
    entries.sort_unstable();
    entries.dedup();
    entries
}

fn goes_on(program: &Program, site: SiteId) -> impl Iterator<Item = Address> {
    let site = program.sites.get(usize::from(site));
    site.into_iter().flat_map(|site| {
        let targets = site.options.iter().map(|option| option.target);
        targets.chain([site.otherwise])
    })
}

fn define(
    module: &mut JITModule,
    builder: &mut FunctionBuilderContext,
    program: &Program,
    layout: &Layout,
    facts: &Facts,
    stretch: &Stretch,
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
        temps: Vec::new(),
        work: 0,
        told: 0,
        depth: 0,
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

/// The function of an effect.
struct Made {
    function: FuncId,
    looks: Vec<Door>,
    takings: Vec<Door>,
}

/// An entry for a decision.
#[derive(Clone, Copy)]
pub(super) struct Door {
    pub site: SiteId,
    pub block: Block,
    pub is_made: bool,
}

/// A door for each decision of an effect, as `site_of` its operations says.
fn doors(
    program: &Program,
    stretch: &Stretch,
    b: &mut FunctionBuilder<'_>,
    site_of: impl Fn(&Op) -> Option<SiteId>,
) -> Vec<Door> {
    let ops = program
        .quick
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

/// Every block ends, and leads only to blocks that are there.
fn is_complete(function: &cranelift_codegen::ir::Function) -> bool {
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
    /// Loads what lasts for the whole function and goes to the entry of this number.
    fn begin(&mut self, number: cranelift_codegen::ir::Value, entries: &[Address]) {
        let words = super::emit::at(std::mem::offset_of!(Context, words));
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
