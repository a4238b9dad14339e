//! Which member of a joined list leads to a value: see [`crate::lists::inverse`].

use std::collections::HashMap;

use wyrmgate_program::{
    Expr, ExprId, Field, NONE, Program, QueryBody, Set, SetId, TableId, Temp, range,
};

/// The maximum size of a table in bytes.
const BYTES_MAX: usize = 1 << 17;

/// The maximum nesting of lists and expressions that are examined.
const DEEPEST: u32 = 12;

/// The work that is counted for each list or expression around the members of a list.
const OF_NODE: i64 = 2;

/// By two numbers, which member of a list leads from one to the other.
pub(crate) struct InverseTable {
    pub first_row: i32,
    pub rows: u32,
    pub first_value: i32,
    pub values: u32,
    /// The number of a member, less this, is an entry of the table; 0 is none.
    pub before_members: i32,
    pub members: Vec<u8>,
}

/// A list of this form, and how to ask it for a value.
pub(crate) struct Inverse {
    pub table: usize,
    /// The list whose members lead to values, and the temp that holds one of them.
    pub of: SetId,
    pub temp: Temp,
    /// The number of the row.
    pub row: ExprId,
    /// The list of a member, of which its row of the constant table is a part.
    pub list: Option<SetId>,
    /// At least as much work as the interpreter counts to ask all members.
    pub work: i64,
}

/// Where the values of a member stand in constant tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum ValueSource {
    Lists { starts: TableId, members: TableId },
    Values(TableId),
}

/// How the number of a list or value depends on a member and on the number of the row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct RowNumbering {
    source: ValueSource,
    low: i32,
    low_of_member: i32,
    low_of_row: i32,
    rows: i32,
}

#[derive(Default)]
pub(crate) struct Inverses {
    pub by_set: HashMap<SetId, Inverse>,
    pub tables: Vec<InverseTable>,
}

/// Returns all lists of this form.
pub(crate) fn inverses(program: &Program) -> Inverses {
    let mut inverses = Inverses::default();
    let mut known: HashMap<RowNumbering, Option<usize>> = HashMap::new();
    for (id, set) in (0..).zip(&program.sets) {
        let Some((numbered, mut inverse)) = form(program, *set) else {
            continue;
        };
        let tables = &mut inverses.tables;
        let table = known.entry(numbered).or_insert_with(|| {
            tables.push(InverseTable::of(program, numbered)?);
            Some(tables.len() - 1)
        });
        if let Some(table) = *table {
            inverse.table = table;
            inverses.by_set.insert(id, inverse);
        }
    }
    inverses
}

/// Returns how a list is numbered, if it has one of the two forms.
fn form(program: &Program, set: Set) -> Option<(RowNumbering, Inverse)> {
    let (of, temp, list, (source, low, number), lists) = match set {
        Set::Joined { of, temp, list } => {
            let (starts, members, low, number, lists) = row_of(program, list, DEEPEST)?;
            let source = ValueSource::Lists { starts, members };
            (of, temp, Some(list), (source, low, number), lists)
        }
        Set::Keys { of, temp, key } => {
            let &Expr::Table {
                table,
                low,
                index,
                default: NONE,
            } = program.exprs.get(key as usize)?
            else {
                return None;
            };
            (of, temp, None, (ValueSource::Values(table), low, index), 1)
        }
        _ => return None,
    };
    let &Expr::Pair {
        one,
        other,
        low_of_one,
        low_of_other,
        count,
    } = program.exprs.get(number as usize)?
    else {
        return None;
    };
    let is_member =
        matches!(program.exprs.get(one as usize), Some(Expr::Temp(member)) if *member == temp);
    if !is_member || !is_plain(program, other, Some(temp), DEEPEST) {
        return None;
    }
    // Otherwise one number could stand for two pairs.
    let (least, most) = range(program, other, &[])?;
    if least < low_of_other || i64::from(most) - i64::from(low_of_other) >= i64::from(count) {
        return None;
    }
    let numbered = RowNumbering {
        source,
        low,
        low_of_member: low_of_one,
        low_of_row: low_of_other,
        rows: count,
    };
    let (members, nodes) = at_most(program, of, DEEPEST)?;
    let inverse = Inverse {
        table: 0,
        of,
        temp,
        row: other,
        list,
        work: members * (1 + lists) + nodes * OF_NODE,
    };
    Some((numbered, inverse))
}

/// Returns the constant table of which a list is a part, the number of its row, and how many lists that takes.
fn row_of(
    program: &Program,
    list: SetId,
    deepest: u32,
) -> Option<(TableId, TableId, i32, ExprId, i64)> {
    let deepest = deepest.checked_sub(1)?;
    match *program.sets.get(list as usize)? {
        Set::Keyed {
            starts,
            members,
            low,
            value,
            ..
        } => Some((starts, members, low, value, 1)),
        Set::Where { of, .. } | Set::UpTo { of, .. } => {
            let (starts, members, low, value, lists) = row_of(program, of, deepest)?;
            Some((starts, members, low, value, lists + 1))
        }
        _ => None,
    }
}

/// Returns whether an expression walks no list, asks no query, and does not depend on a temp.
fn is_plain(program: &Program, expr: ExprId, without: Option<Temp>, deepest: u32) -> bool {
    let (Some(expr), Some(deepest)) = (program.exprs.get(expr as usize), deepest.checked_sub(1))
    else {
        return false;
    };
    let mut plain = true;
    expr.each_field(&mut |field| {
        plain &= match field {
            Field::Expr(part) => is_plain(program, *part, without, deepest),
            Field::Temp(temp) => Some(*temp) != without,
            Field::Word(_) | Field::Frame(_) => true,
            Field::Row(_)
            | Field::Set(_)
            | Field::InOrder(_)
            | Field::Mask(_)
            | Field::ListTemp(_)
            | Field::Bound(_)
            | Field::BoundList(_)
            | Field::Query(_)
            | Field::Dispatch(_)
            | Field::Address(_)
            | Field::Site(_)
            | Field::Args(_)
            | Field::Supposed(_)
            | Field::FaceDown(_) => false,
        };
    });
    plain
}

/// Returns the maximum number of members of a list that is found without walking others, and how many lists and
/// expressions that takes.
fn at_most(program: &Program, list: SetId, deepest: u32) -> Option<(i64, i64)> {
    let deepest = deepest.checked_sub(1)?;
    match *program.sets.get(list as usize)? {
        Set::Empty => Some((0, 1)),
        Set::Table(table) => {
            let members = program.tables.get(table as usize)?.len();
            Some((i64::try_from(members).ok()?, 1))
        }
        Set::Keyed { starts, value, .. } if is_plain(program, value, None, DEEPEST) => {
            let starts = program.tables.get(starts as usize)?;
            let lengths = starts.windows(2).map(|ends| match ends {
                [begin, end] => i64::from(*end) - i64::from(*begin),
                _ => 0,
            });
            Some((lengths.max()?, 1))
        }
        Set::If(condition, then, otherwise) if is_plain(program, condition, None, DEEPEST) => {
            let (then, otherwise) = (
                at_most(program, then, deepest)?,
                at_most(program, otherwise, deepest)?,
            );
            Some((then.0.max(otherwise.0), then.1 + otherwise.1 + 1))
        }
        Set::Concat(one, other) => {
            let (one, other) = (
                at_most(program, one, deepest)?,
                at_most(program, other, deepest)?,
            );
            Some((one.0 + other.0, one.1 + other.1 + 1))
        }
        Set::Call { query, args } => {
            let info = program.query(query).filter(|info| info.deepest == 0)?;
            let QueryBody::List(list) = info.body else {
                return None;
            };
            let mut args = args..args.checked_add(u32::from(info.params))?;
            if !args.all(|arg| is_plain(program, arg, None, DEEPEST)) {
                return None;
            }
            let (members, nodes) = at_most(program, list, deepest)?;
            Some((members, nodes + 2))
        }
        _ => None,
    }
}

impl InverseTable {
    /// Returns the table, if at most one member leads from each row to each value.
    fn of(program: &Program, numbered: RowNumbering) -> Option<InverseTable> {
        let table = |id: TableId| program.tables.get(id as usize).map(Vec::as_slice);
        let (first_value, last) = match numbered.source {
            ValueSource::Lists { members, .. } => ends(table(members)?, i32::MIN)?,
            ValueSource::Values(values) => ends(table(values)?, NONE + 1)?,
        };
        let rows = u32::try_from(numbered.rows).ok()?;
        let values = u32::try_from(i64::from(last) - i64::from(first_value) + 1).ok()?;
        let bytes = (rows as usize).checked_mul(values as usize)?;
        if bytes > BYTES_MAX || bytes == 0 {
            return None;
        }
        let mut of = InverseTable {
            first_row: numbered.low_of_row,
            rows,
            first_value,
            values,
            before_members: numbered.low_of_member.checked_sub(1)?,
            members: vec![0; bytes],
        };
        match numbered.source {
            ValueSource::Lists { starts, members } => {
                let (starts, members) = (table(starts)?, table(members)?);
                for (at, range) in starts.windows(2).enumerate() {
                    let &[begin, end] = range else { return None };
                    let list = usize::try_from(begin).ok()?..usize::try_from(end).ok()?;
                    of.add(at, numbered.low, members.get(list)?)?;
                }
            }
            ValueSource::Values(values) => {
                let values = table(values)?.chunks(1).enumerate();
                for (at, value) in values.filter(|(_, value)| *value != [NONE]) {
                    of.add(at, numbered.low, value)?;
                }
            }
        }
        Some(of)
    }

    /// Adds the values at one place of the source; `None` if another member leads to one of them, too.
    fn add(&mut self, at: usize, low: i32, values: &[i32]) -> Option<()> {
        let number = i64::try_from(at).ok()? + i64::from(low);
        if number < 0 {
            return Some(());
        }
        let rows = i64::from(self.rows);
        let (member, row) = (u8::try_from(number / rows + 1).ok()?, number % rows);
        for value in values {
            let column = i64::from(*value) - i64::from(self.first_value);
            let place = usize::try_from(row * i64::from(self.values) + column).ok()?;
            let entry = self.members.get_mut(place)?;
            if *entry != 0 && *entry != member {
                return None;
            }
            *entry = member;
        }
        Some(())
    }
}

/// Returns the least and the greatest of the values that are not below a bound.
fn ends(values: &[i32], bound: i32) -> Option<(i32, i32)> {
    let some = || values.iter().copied().filter(|value| *value >= bound);
    Some((some().min()?, some().max()?))
}
