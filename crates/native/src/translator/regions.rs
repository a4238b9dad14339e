//! Memory regions that never alias, so that code need not reload what it has stored or loaded before.

use std::borrow::Cow;

use cranelift_codegen::ir::{AliasRegion, AliasRegionData, Function, MemFlagsData};

/// The flags for loads and stores in each part of memory.
#[derive(Clone, Copy)]
pub(crate) struct Regions {
    /// The context itself, without the targets of its pointers. Numbers computed ahead are read as `rest`, because code
    /// never writes them.
    pub context: MemFlagsData,
    /// Counts of changes.
    pub counts: MemFlagsData,
    /// Marks and queues of searches, and values kept for a loop, on the native stack.
    pub searches: MemFlagsData,
    /// All other memory.
    pub rest: MemFlagsData,
    /// All other memory, for loads and stores of several words at once that may begin at any word.
    pub rest_anywhere: MemFlagsData,
}

impl Regions {
    pub fn of(function: &mut Function) -> Regions {
        let mut regions = (0..).zip(["context", "changes", "searches", "rest"]).map(
            |(user_id, description)| -> AliasRegion {
                let description = Cow::Borrowed(description);
                function.dfg.alias_regions.insert(AliasRegionData {
                    user_id,
                    description,
                })
            },
        );
        let [context, counts, searches, rest] = std::array::from_fn(|_| regions.next());
        let of = |region| MemFlagsData::trusted().with_alias_region(region);
        let anywhere = MemFlagsData::new().with_notrap();
        Regions {
            context: of(context),
            counts: of(counts),
            searches: of(searches),
            rest: of(rest),
            rest_anywhere: anywhere.with_alias_region(rest),
        }
    }
}
