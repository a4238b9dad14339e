//! Corners, sides and ways: what touches what, ways along edges, and regions.

use hashbrown::{HashMap, HashSet};

use super::OnBoard;
use crate::compile::compiler::Compiler;
use crate::compile::terms::value::{Value, ValueAt};
use crate::names::declaration::{FamilyDecl, Point, own_point};
use crate::names::types::{Families, Ty};
use crate::names::world::Symbol;
use wyrmgate_base::diagnostic::Span;
use wyrmgate_lang::ast;
use wyrmgate_program::pure::{self, Known};
use wyrmgate_program::*;

/// A list of edges, and where they lead.
struct Edges {
    list: SetId,
    of: Option<Type>,
    nodes: Option<Type>,
    /// By the number of an edge: each of its two ends.
    ends: [TableId; 2],
}

impl Compiler<'_> {
    /// `touching(hex, corner)`
    pub fn touching(&mut self, space: ValueAt, family: &ast::Expr, name: Span) -> Option<Value> {
        let zone = self.one_from(space.value, Type::Zone(None), space.span)?;
        let found = family
            .as_name()
            .and_then(|name| self.world.symbol(&name.text));
        let (Some(Symbol::Family(to)), Some(Type::Zone(Some(from)))) = (found, space.value.ty().of)
        else {
            let message = "this needs a space of a board, and the name of the zones that touch it";
            let help = "write `touching(hex, corner)`";
            return self.problem("no-board", name, message, help);
        };
        let (one, other) = (self.world.family(from)?, self.world.family(to)?);
        let touching = touched(one, other);
        if touching.iter().all(Vec::is_empty) {
            let message = format!("no `{}` touches a `{}`", other.name, one.name);
            let help =
                "declare which do: `corners: land`, `sides: land`, or `joins` with two zones";
            return self.problem("no-board", name, message, help);
        }
        let first = self.b.constant(one.first.into());
        let value = self.b.binary(Binary::Subtract, zone, first);
        let set = self.listed(&touching, value);
        Some(Value::List(set, Some(Type::Zone(Some(to)))))
    }

    /// `longest_path(road where owner[it] = p, 1, built[it] in [none, p])`
    pub fn longest_path(
        &mut self,
        edges: ValueAt,
        length: Option<&ast::Expr>,
        passes: Option<&ast::Expr>,
        name: Span,
    ) -> Option<Value> {
        let edges = self.edges(edges)?;
        self.way_along(Fold::LongestPath, &[], &edges, (length, passes), name)
    }

    /// `distance(a, b, tracks, .length)`
    pub fn length_of_way(
        &mut self,
        from: ValueAt,
        to: &ast::Expr,
        edges: &ast::Expr,
        length: &ast::Expr,
        name: Span,
    ) -> Option<Value> {
        let list = self.expr(edges, None)?;
        let edges = self.edges(list.at(edges.span))?;
        let node = edges.nodes?;
        let from = self.one_from(from.value, node, from.span)?;
        let to = self.one(to, node)?;
        self.way_along(
            Fold::Distance,
            &[from, to],
            &edges,
            (Some(length), None),
            name,
        )
    }

    /// Returns a list of edges; `None` after a diagnostic if they join nothing.
    fn edges(&mut self, edges: ValueAt) -> Option<Edges> {
        let (list, of) = self.list_from(edges.value, edges.span)?;
        let found = match of {
            Some(Type::Zone(Some(family))) => self.ends(family),
            _ => None,
        };
        let Some((nodes, ends)) = found else {
            let message = "these are no edges between nodes";
            let help =
                "pass zones with `joins`, or with `sides` of a board that also has `corners`";
            return self.problem("no-board", edges.span, message, help);
        };
        let nodes = Some(Type::Zone(nodes));
        Some(Edges {
            list,
            of,
            nodes,
            ends,
        })
    }

    /// Returns the family of the nodes that edges join, and the two ends of each edge.
    fn ends(&mut self, family: FamilyId) -> Option<(Option<FamilyId>, [TableId; 2])> {
        let edges = self.world.family(family)?;
        let mut nodes: HashMap<Point, (FamilyId, i32)> = HashMap::new();
        for (id, decl) in (0..).zip(&self.world.families) {
            for (zone, points) in decl.zones_with_points() {
                if let [point] = points[..] {
                    nodes.insert(point, (id, zone));
                }
            }
        }
        let mut families = HashSet::new();
        let mut ends = [0, 1].map(|_| vec![NONE; edges.first.into()]);
        for points in &edges.points {
            let [one, other] = points[..] else {
                return None;
            };
            for (end, point) in ends.iter_mut().zip([one, other]) {
                let (family, zone) = nodes.get(&point).copied()?;
                families.insert(family);
                end.push(zone);
            }
        }
        let mut families = families.into_iter();
        let nodes = families.next()?;
        let nodes = families.next().map_or(Some(nodes), |_| None);
        Some((nodes, ends.map(|end| self.b.table(end))))
    }

    /// Applies a function to some numbers and those of edges: two ends and a length each. An edge ends at `none` where no way
    /// leads on.
    fn way_along(
        &mut self,
        fold: Fold,
        before: &[ExprId],
        edges: &Edges,
        (length, passes): (Option<&ast::Expr>, Option<&ast::Expr>),
        name: Span,
    ) -> Option<Value> {
        let mark = self.scope.mark();
        let length = match length {
            None => Some(self.b.constant(1)),
            Some(length) => self.key(length, edges.of, None).and_then(|(_, key, ty)| {
                let is_number = self.world.fits(ty.of, Some(Type::Int));
                is_number
                    .then_some(key)
                    .or_else(|| self.mismatch(length.span, ty, Ty::INT))
            }),
        };
        let temp = self.scope.temp(Ty::one(edges.of));
        let edge = self.b.temp(temp);
        let passes = passes.map(|passes| self.filter(passes, edges.nodes, None));
        let number = self.scope.temp(Ty::INT);
        self.scope.reset(mark);
        let mut numbers = Vec::new();
        for table in edges.ends {
            let end = self.b.look_up(table, edge);
            numbers.push(match passes {
                None => end,
                Some(passes) => {
                    let (temp, condition) = passes?;
                    let (node, none) = (self.b.temp(temp), self.b.constant(NONE));
                    let body = self.b.expr(Expr::If(condition, node, none));
                    self.b.expr(Expr::Let {
                        value: end,
                        temp,
                        body,
                    })
                }
            });
        }
        numbers.push(length?);
        let list = self.b.list(&numbers);
        let of = edges.list;
        let edges = self.b.set(Set::Joined { of, temp, list });
        let first = self.b.list(before);
        let of = if before.is_empty() {
            edges
        } else {
            self.b.set(Set::Concat(first, edges))
        };
        let (temp, key) = (number, self.b.temp(number));
        let found = Expr::Fold(FoldedKeys {
            fold,
            of,
            temp,
            key,
        });
        Some(Value::One(
            self.b.checked_expr(found, name),
            Some(Type::Int),
        ))
    }

    /// `groups(court, flag[it] is some)`: the spaces whose group has no earlier one.
    pub fn groups(&mut self, spaces: ValueAt, condition: &ast::Expr, name: Span) -> Option<Value> {
        let (family, spaces) = self.spaces(spaces)?;
        let of = Some(Type::Zone(Some(family)));
        let mark = self.scope.mark();
        let belongs = self.filter(condition, of, None);
        let temp = self.scope.temp(Ty::one(of));
        let zone = self.b.temp(temp);
        let ways = self.ways_of_a_search(family, None, name);
        let member = self.scope.temp(Ty::one(of));
        let other = self.b.temp(member);
        let beside = ways.and_then(|ways| {
            self.beside(
                OnBoard {
                    family,
                    zone: other,
                },
                &ways,
            )
        });
        let next = beside.and_then(|beside| self.only(beside, condition, of));
        self.scope.reset(mark);
        let from = self.b.list(&[zone]);
        let Value::List(group, _) = self.all_within(from, (member, next?), of) else {
            return None;
        };
        let mut earlier = self.b.binary(Binary::Less, other, zone);
        let known = pure::list(&self.b.program, spaces, &mut Known::default());
        let count = self.world.family(family)?.count;
        if known.is_none_or(|known| known.len() != usize::from(count)) {
            let is_asked = self.b.expr(Expr::Contains(spaces, other));
            earlier = self.b.expr(Expr::And(earlier, is_asked));
        }
        let has_earlier = self.b.some(group, member, earlier);
        let is_first = self.b.not(has_earlier);
        let (_, belongs) = belongs?;
        let is_first = self.b.expr(Expr::And(belongs, is_first));
        Some(Value::List(self.b.filtered(spaces, temp, is_first), of))
    }
}

/// Returns the zones of one family that touch each zone of another: those with all points of it, or the other way round.
fn touched(one: &FamilyDecl, other: &FamilyDecl) -> Vec<Vec<i32>> {
    let mut zones_at: HashMap<Point, Vec<(i32, Vec<Point>)>> = HashMap::new();
    for (zone, points) in other.zones_with_points() {
        for point in points.iter().copied().chain([own_point(zone)]) {
            zones_at
                .entry(point)
                .or_default()
                .push((zone, points.clone()));
        }
    }
    let touching = |(zone, points): (i32, Vec<Point>)| {
        let own = own_point(zone);
        let mut found = Vec::new();
        for point in points.iter().chain([&own]) {
            for (other, others) in zones_at.get(point).into_iter().flatten() {
                let is_in =
                    |few: &[Point], many: &[Point]| few.iter().all(|point| many.contains(point));
                let is_joined = *point == own || *point == own_point(*other);
                let touches = is_joined || is_in(&points, others) || is_in(others, &points);
                if touches && *other != zone && !found.contains(other) {
                    found.push(*other);
                }
            }
        }
        found
    };
    one.zones_with_points().map(touching).collect()
}
