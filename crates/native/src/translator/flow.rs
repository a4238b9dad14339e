//! Where code is entered and where it goes.

use cranelift_codegen::ir::{Block, FuncRef, Value};
use wyrmgate_program::{Address, QueryId, SiteId};

/// An entry for a decision.
#[derive(Clone, Copy)]
pub(crate) struct DecisionEntry {
    pub site: SiteId,
    pub block: Block,
    pub is_made: bool,
}

/// A recursive query as a function.
#[derive(Clone, Copy)]
pub(crate) struct Recursive<F> {
    pub query: QueryId,
    pub function: F,
    /// Its number among the recursive queries.
    pub number: usize,
}

/// The effect whose operations are being translated.
#[derive(Default)]
pub(crate) struct EffectCode {
    /// The first address of the effect, and the block of each address from there on.
    pub first: Address,
    pub blocks: Vec<Block>,
    /// The number of slots of its frame.
    pub slots: u32,
}

/// Where code is entered, where it goes, and what it calls.
pub(crate) struct CodeFlow {
    pub effect: EffectCode,
    /// The number of the choice with which code is entered.
    pub choice: Value,
    /// The block for giving up.
    pub give_up: Block,
    /// Entries other than those of addresses: where choices are recorded, and where one is taken.
    pub looks: Vec<DecisionEntry>,
    pub takings: Vec<DecisionEntry>,
    /// The recursive queries, and whether this is the function of one.
    pub recursive: Vec<Recursive<FuncRef>>,
    pub is_query: bool,
}

impl CodeFlow {
    /// Returns the block of an address, if it belongs to this effect.
    pub fn block_of(&self, at: Address) -> Option<Block> {
        let number = at.checked_sub(self.effect.first)?;
        self.effect.blocks.get(number as usize).copied()
    }
}
