//! Constant lists as bits: which values each of them contains.

use std::collections::HashMap;

use wyrmgate_program::{Program, Set, TableId};

/// The maximum size of a relation in bytes.
const BYTES_MAX: usize = 1 << 16;

/// Which values each of several lists contains.
pub(crate) struct ListRelation {
    pub first: i32,
    pub width: u32,
    pub lists: u32,
    /// One bit for each value, a row for each list; rows begin with a word of their own.
    pub words: Vec<u64>,
}

pub(crate) type Relations = HashMap<(TableId, TableId), ListRelation>;

/// Returns the relations of all lists by number.
pub(crate) fn relations(program: &Program) -> Relations {
    let lists = program.sets.iter().filter_map(|set| match *set {
        Set::Keyed(list) => Some((list.starts, list.members)),
        _ => None,
    });
    let related = lists.filter_map(|(starts, members)| {
        let table = |id: TableId| program.tables.get(id as usize);
        let relation = ListRelation::of(table(starts)?, table(members)?)?;
        Some(((starts, members), relation))
    });
    related.collect()
}

impl ListRelation {
    fn of(starts: &[i32], members: &[i32]) -> Option<ListRelation> {
        let (first, last) = (*members.iter().min()?, *members.iter().max()?);
        let width = u32::try_from(i64::from(last) - i64::from(first) + 1).ok()?;
        let words = width.div_ceil(u64::BITS) as usize;
        let lists = starts.len().checked_sub(1)?;
        if words.checked_mul(lists)? > BYTES_MAX / size_of::<u64>() {
            return None;
        }
        let mut relation = ListRelation {
            first,
            width,
            lists: u32::try_from(lists).ok()?,
            words: vec![0; words * lists],
        };
        let ends = starts.iter().zip(starts.iter().skip(1));
        for ((begin, end), row) in ends.zip(relation.words.chunks_mut(words)) {
            let list = members.get(usize::try_from(*begin).ok()?..usize::try_from(*end).ok()?);
            for member in list? {
                let at = (i64::from(*member) - i64::from(first)) as usize;
                *row.get_mut(at / u64::BITS as usize)? |= 1 << (at % u64::BITS as usize);
            }
        }
        Some(relation)
    }
}
