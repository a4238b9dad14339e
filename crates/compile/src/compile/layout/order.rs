//! The order in which zones and kinds are laid out: zones first, because components can have them as keys. A kind that
//! a zone mentions comes before this zone.

use hashbrown::{HashMap, HashSet};

use crate::names::walk;
use wyrmgate_base::diagnostic::Span;
use wyrmgate_lang::ast::{Expr, Name};
use wyrmgate_lang::definition::{ComponentDef, Definition, ZoneDef};

/// How many declarations can need each other in a row. Beyond that, they stay in the order in which they are written, and the
/// one that comes too early is reported as unknown.
const NEEDS_MAX: usize = 64;

/// A declaration of zones or of kinds.
#[derive(Clone, Copy)]
pub(super) enum Declared<'d> {
    Zone(&'d ZoneDef),
    Family(&'d ComponentDef),
}

/// Zones and kinds of which each needs the other first.
pub(super) struct Circle<'d> {
    /// The zone that cannot be laid out.
    pub zone: &'d Name,
    pub kind: &'d Name,
    /// Where one mentions the other a second time.
    pub span: Span,
}

/// Zones and kinds in the order in which they are laid out, without the zones of circles.
#[derive(Default)]
pub(super) struct Order<'d> {
    pub all: Vec<Declared<'d>>,
    pub circles: Vec<Circle<'d>>,
}

impl Order<'_> {
    pub fn of(def: &Definition) -> Order<'_> {
        let zones = def.zones.iter().map(Declared::Zone);
        let all: Vec<Declared<'_>> = zones
            .chain(def.components.iter().map(Declared::Family))
            .collect();
        let mut visit = Visit {
            by_name: by_name(&all),
            values: values(def),
            begun: HashSet::new(),
            done: HashSet::new(),
            needs: 0,
            order: Order::default(),
            all,
        };
        for at in 0..visit.all.len() {
            visit.put(at);
        }
        visit.order
    }
}

/// A walk over the declarations, by their places.
struct Visit<'d> {
    all: Vec<Declared<'d>>,
    by_name: HashMap<String, usize>,
    /// Values of types, whose names can also be those of kinds.
    values: HashSet<&'d str>,
    begun: HashSet<usize>,
    done: HashSet<usize>,
    /// How many declarations wait for the current one.
    needs: usize,
    order: Order<'d>,
}

impl<'d> Visit<'d> {
    fn put(&mut self, at: usize) {
        let Some(declared) = self.all.get(at).copied() else {
            return;
        };
        if self.needs == NEEDS_MAX || !self.begun.insert(at) {
            return;
        }
        let circles = self.order.circles.len();
        self.needs += 1;
        for name in declared.mentioned() {
            self.put_before(name, at, declared);
        }
        self.needs -= 1;
        self.done.insert(at);
        let fails = |circle: &Circle<'_>| circle.zone.span == declared.name().span;
        let new = self.order.circles.get(circles..).unwrap_or_default();
        if !new.iter().any(fails) {
            self.order.all.push(declared);
        }
    }

    /// Puts what a declaration mentions before it, if it can be known there: a kind above, or what is not of its sort.
    fn put_before(&mut self, name: &'d Name, at: usize, declared: Declared<'d>) {
        let Some(&before) = self.by_name.get(&name.text) else {
            return;
        };
        if before == at || self.values.contains(name.text.as_str()) {
            return;
        }
        let Some(other) = self.all.get(before).copied() else {
            return;
        };
        let circle = match (declared, other) {
            (Declared::Family(kind), Declared::Zone(zone)) => Some((zone, kind)),
            (Declared::Zone(zone), Declared::Family(kind)) => Some((zone, kind)),
            (Declared::Zone(_), Declared::Zone(_)) | (Declared::Family(_), Declared::Family(_)) => {
                None
            }
        };
        if circle.is_none() && before > at {
            return;
        }
        let in_progress = self.begun.contains(&before) && !self.done.contains(&before);
        match circle.filter(|_| in_progress) {
            Some((zone, kind)) => self.order.circles.push(Circle {
                zone: &zone.name,
                kind: &kind.name,
                span: name.span,
            }),
            None => self.put(before),
        }
    }
}

impl<'d> Declared<'d> {
    fn name(self) -> &'d Name {
        match self {
            Declared::Zone(zone) => &zone.name,
            Declared::Family(family) => &family.name,
        }
    }

    /// Returns the names that must mean something when it is laid out, without those of its own keys and fields.
    fn mentioned(self) -> Vec<&'d Name> {
        let mut found = Vec::new();
        match self {
            Declared::Zone(zone) => {
                let more = [
                    &zone.condition,
                    &zone.capacity,
                    &zone.lines,
                    &zone.directions,
                ];
                let own = [&zone.each, &zone.fields];
                mentions(own, more, &mut found);
            }
            Declared::Family(family) => {
                for kind in family.with_kinds() {
                    let more = [&kind.condition, &kind.copies, &kind.faces, &None];
                    let own = [&kind.each, &kind.fields];
                    mentions(own, more, &mut found);
                }
            }
        }
        found
    }
}

fn mentions<'d>(
    pairs: [&'d Vec<(Name, Expr)>; 2],
    more: [&'d Option<Expr>; 4],
    found: &mut Vec<&'d Name>,
) {
    let pairs = pairs.into_iter().flatten();
    let own: HashSet<&str> = pairs.clone().map(|(name, _)| name.text.as_str()).collect();
    let values = pairs.map(|(_, value)| value);
    let values = values.chain(more.into_iter().flatten());
    let names = values.flat_map(walk::words);
    found.extend(names.filter(|name| !own.contains(name.text.as_str())));
}

/// Returns the places of zones and of families by each name that refers to them.
fn by_name(all: &[Declared<'_>]) -> HashMap<String, usize> {
    let mut names = HashMap::new();
    for (at, declared) in all.iter().enumerate() {
        match declared {
            Declared::Zone(zone) => {
                names.insert(zone.name.text.clone(), at);
            }
            Declared::Family(family) => {
                for kind in family.with_kinds() {
                    names.insert(kind.name.text.clone(), at);
                    names.insert(kind.plural_name().text, at);
                }
            }
        }
    }
    names
}

fn values(def: &Definition) -> HashSet<&str> {
    let values = def.values.types.iter().flat_map(|decl| &decl.values);
    values.map(|value| value.text.as_str()).collect()
}
