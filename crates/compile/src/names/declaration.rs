//! What a game declares: types, kinds, zones, variables and records, each with what its uses need to know.

use hashbrown::HashMap;
use std::sync::Arc;

use wyrmgate_program::{
    EnumId, Expr, ExprId, FamilyId, FieldPlace, KindId, Op, SetId, TableId, Type, VarId,
    WordByIndex, WordChange, ZoneId,
};

/// Things by name; names are looked up at every word of a game.
pub type ByName<T> = HashMap<String, T, foldhash::fast::RandomState>;

#[derive(Debug, Clone)]
pub struct EnumDecl {
    pub name: String,
    pub values: Vec<String>,
}

#[derive(Debug, Clone)]
pub struct FieldDecl {
    pub name: String,
    pub of: Type,
    pub place: FieldPlace,
    /// For changing fields: the number of components that have it, from `first` on.
    pub count: u32,
}

/// Fields in order, indexed by name.
#[derive(Debug, Clone, Default)]
pub struct FieldDecls {
    all: Vec<FieldDecl>,
    by_name: ByName<usize>,
}

impl FieldDecls {
    pub fn push(&mut self, field: FieldDecl) {
        let at = self.all.len();
        self.by_name.entry(field.name.clone()).or_insert(at);
        self.all.push(field);
    }

    /// Returns the first field with this name.
    pub fn named(&self, name: &str) -> Option<&FieldDecl> {
        self.all.get(*self.by_name.get(name)?)
    }

    pub fn iter(&self) -> std::slice::Iter<'_, FieldDecl> {
        self.all.iter()
    }
}

#[derive(Debug, Clone, Default)]
pub struct KindDecl {
    pub name: String,
    pub plural: String,
    pub family: Option<KindId>,
    pub first: u32,
    pub count: u32,
    pub fields: FieldDecls,
    /// The first kind of the family that has a field with this name.
    pub below: ByName<KindId>,
    /// The field that names the zone inside, and its family.
    pub inner: Option<(String, FamilyId)>,
    /// `dragon(red, 3)`: sizes of the keys and the table of components.
    pub by_keys: Option<KeysDecl>,
}

/// How to look up a component by its keys: see [`wyrmgate_program::Expr::ComponentAt`].
#[derive(Debug, Clone)]
pub struct KeysDecl {
    pub types: Vec<Type>,
    pub sizes: TableId,
    pub table: TableId,
}

#[derive(Debug, Clone, Default)]
pub struct FamilyDecl {
    pub name: String,
    pub holds: Option<KindId>,
    /// For the zone inside a component: the kind of that component.
    pub holder: Option<KindId>,
    pub keys: Vec<KeyDecl>,
    /// Keys and fields: by zone number.
    pub fields: FieldDecls,
    pub first: ZoneId,
    pub count: u16,
    /// The combinations of its keys for which there is a zone, in order; `None`: all of them.
    pub present: Option<Vec<usize>>,
    pub open_grid: bool,
    /// The directions in which spaces are adjacent, unless a rule says otherwise.
    pub directions: Vec<i32>,
    /// The straight lines of a board that is not a grid.
    pub lines: Vec<Vec<i32>>,
    /// For each zone, the points that it consists of; empty if each is a point of its own.
    pub points: Vec<Vec<BoardPoint>>,
    /// For each zone, the zones next to it, if a board of corners, sides or ways says so.
    pub beside: Vec<Vec<i32>>,
}

impl FamilyDecl {
    pub fn has(&self, zone: i32) -> bool {
        let first = i32::from(self.first);
        (first..first + i32::from(self.count)).contains(&zone)
    }

    /// Returns the number of each zone with its points.
    pub fn zones_with_points(&self) -> impl Iterator<Item = (i32, Vec<BoardPoint>)> {
        (i32::from(self.first)..)
            .zip(0..usize::from(self.count))
            .map(|(zone, place)| {
                let known = self.points.get(place);
                (
                    zone,
                    known.map_or_else(|| vec![own_point(zone)], Clone::clone),
                )
            })
    }
}

/// A corner of the spaces of a grid: the number of its family, and its place in sixths of a space; or a zone.
pub type BoardPoint = [i32; 3];

/// Returns the point that a zone without corners is.
pub fn own_point(zone: i32) -> BoardPoint {
    [wyrmgate_program::NONE, zone, 0]
}

/// One key of a zone family and its values, in order.
#[derive(Debug, Clone)]
pub struct KeyDecl {
    /// Shared by all scopes with the key.
    pub name: Arc<str>,
    pub of: Type,
    pub values: Vec<i32>,
}

#[derive(Debug, Clone)]
pub struct VarDecl {
    pub name: String,
    pub of: Type,
    pub index: Option<Type>,
    pub low: i32,
    pub offset: u32,
    pub len: u32,
    /// The keys before the last one. Each combination of them has `len` words and is a variable of the program.
    pub rows: Vec<RowKey>,
    /// Each value is a list, whose length is the word of this variable.
    pub list: Option<ListDecl>,
}

impl VarDecl {
    /// Returns the words of the variable by its last key.
    pub fn run(&self) -> WordRun {
        WordRun::new(self.offset, self.low, self.len)
    }
}

/// Words of the state in a row, of which the first one has the index `low`.
#[derive(Debug, Clone, Copy)]
pub struct WordRun {
    offset: u32,
    low: i32,
    len: u32,
}

impl WordRun {
    pub fn new(offset: u32, low: i32, len: u32) -> WordRun {
        WordRun { offset, low, len }
    }

    /// Returns the word at an index.
    pub fn at(self, index: ExprId, default: i32) -> Expr {
        let WordRun { offset, low, len } = self;
        Expr::WordAt(WordByIndex {
            offset,
            low,
            len,
            index,
            default,
        })
    }

    /// Sets the word at an index. Another index is a fault if this is strict, and has no effect otherwise.
    pub fn set(self, index: ExprId, value: ExprId, strict: bool) -> Op {
        let WordRun { offset, low, len } = self;
        Op::SetWordAt(WordChange {
            offset,
            low,
            len,
            index,
            value,
            strict,
        })
    }
}

/// What a variable with lists has beside their lengths.
#[derive(Debug, Clone, Copy)]
pub struct ListDecl {
    /// The type of the members.
    pub of: Type,
    /// The largest number of members of a list.
    pub most: u32,
    /// The first word of the members: the first members of the lists of all keys, then the second ones …
    pub members: u32,
}

/// A key of a variable before the last one: its values are those from `low` on.
#[derive(Debug, Clone, Copy)]
pub struct RowKey {
    pub of: Type,
    pub low: i32,
    pub count: u32,
}

impl VarDecl {
    /// Returns the number of words for all keys.
    pub fn words(&self) -> u32 {
        self.variables().saturating_mul(self.len)
    }

    /// Returns the number of combinations of its keys.
    pub fn combinations(&self) -> u32 {
        self.of_rows().saturating_mul(self.len)
    }

    /// Returns the number of variables of the program: one for each combination of the keys before the last one, and for
    /// a list also one for each member.
    pub fn variables(&self) -> u32 {
        self.of_rows().saturating_mul(self.of_one())
    }

    /// Returns the number of variables of the program for one combination of the keys before the last one.
    pub fn of_one(&self) -> u32 {
        self.list.map_or(1, |list| list.most.saturating_add(1))
    }

    /// Returns the keys before the last one for the `number`-th combination of them; the last of these changes fastest.
    pub fn row(&self, mut number: u32) -> Vec<(Type, i32)> {
        let mut keys: Vec<(Type, i32)> = Vec::new();
        for row in self.rows.iter().rev() {
            let count = row.count.max(1);
            keys.push((row.of, row.low + (number % count) as i32));
            number /= count;
        }
        keys.reverse();
        keys
    }

    fn of_rows(&self) -> u32 {
        self.rows.iter().map(|row| row.count).product()
    }
}

/// A type with parts.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordDecl {
    pub name: String,
    /// The single values of which it consists. Those of a part that is a bundle have names with a dot: `price.red`.
    pub parts: Vec<(String, Type)>,
    /// Of bundles: the type whose values are the parts.
    pub bundle_of: Option<EnumId>,
    /// The parts that are bundles, with the numbers of their types among [`crate::names::world::World::records`].
    pub bundles: Vec<(String, u16)>,
}

/// A part of a record as the rules name it: one value, or a bundle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenPart {
    pub name: String,
    /// Its values among [`RecordDecl::parts`].
    pub values: std::ops::Range<usize>,
    /// The type of the bundle.
    pub bundle: Option<u16>,
}

impl RecordDecl {
    /// Returns the parts as the rules name them.
    pub fn written_parts(&self) -> Vec<WrittenPart> {
        let mut all: Vec<WrittenPart> = Vec::new();
        for (number, (part, _)) in self.parts.iter().enumerate() {
            let name = part.split_once('.').map_or(part.as_str(), |(name, _)| name);
            if let Some(last) = all.last_mut()
                && last.name == name
            {
                last.values.end = number + 1;
                continue;
            }
            let bundle = self.bundles.iter().find(|(known, _)| known == name);
            all.push(WrittenPart {
                name: name.to_owned(),
                values: number..number + 1,
                bundle: bundle.map(|(_, bundle)| *bundle),
            });
        }
        all
    }

    /// Returns the names of the parts as the rules write them, with commas.
    pub fn names_of_parts(&self) -> String {
        let parts = self.written_parts().into_iter().map(|part| part.name);
        parts.collect::<Vec<_>>().join(", ")
    }
}

/// Records of one type that are found by a number, as [`Type::Record`] says.
#[derive(Debug, Clone)]
pub struct TableDecl {
    /// Its number among [`World::records`].
    pub record: u16,
    pub columns: Columns,
}

/// Where the parts of the records of a table are, the same part of all of them together.
#[derive(Debug, Clone)]
pub enum Columns {
    /// Nowhere: the type itself, of records that are known by their parts.
    None,
    /// In variables, by their numbers. The word of a record is that of its number, from `low` on.
    Words {
        variables: Vec<VarId>,
        offsets: Vec<u32>,
        low: i32,
        len: u32,
    },
    /// In lists. `all` lists the numbers of their members.
    Lists { lists: Vec<SetId>, all: SetId },
}

/// The word that says whether a handler is running. A handler of a kind has one for each component.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Running {
    pub offset: u32,
    /// The first component of the kind, and how many there are.
    pub of_kind: Option<(i32, u32)>,
}
