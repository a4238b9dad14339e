//! Corners, sides and ways: what touches what, ways along edges, and regions.

use hashbrown::HashMap;

use super::OnBoard;
use crate::compile::compiler::Compiler;
use crate::compile::terms::value::{Value, ValueAt};
use crate::names::declaration::{BoardPoint, FamilyDecl, own_point};
use crate::names::types::{Families, Ty};
use crate::names::world::Symbol;
use wyrmgate_base::diagnostic::Span;
use wyrmgate_lang::ast;
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
            let message = "this needs a space, and the name of the zones that touch it";
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
        self.way_along(Fold::LongestPath, &[], &edges, length, passes, name)
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
            Some(length),
            None,
            name,
        )
    }

    /// Returns a list of edges; `None` after a diagnostic if they join nothing.
    fn edges(&mut self, edges: ValueAt) -> Option<Edges> {
        let (list, of) = self.list_from(edges.value, edges.span)?;
        let mut found = None;
        if let Some(Type::Zone(Some(family))) = of {
            found = self.ends(family);
        }
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
        let families = (0..).zip(&self.world.families);
        let zones = families.flat_map(|(id, decl)| {
            let zones = decl.zones_with_points();
            zones.map(move |(zone, points)| (points, (id, zone)))
        });
        let nodes: HashMap<Vec<BoardPoint>, (FamilyId, i32)> = zones.collect();
        let mut families = Vec::new();
        let mut ends = [0, 1].map(|_| vec![NONE; edges.first.into()]);
        for points in &edges.points {
            let [one, other] = points[..] else {
                return None;
            };
            for (end, point) in ends.iter_mut().zip([one, other]) {
                let (family, zone) = nodes.get(&[point][..]).copied()?;
                families.push(family);
                end.push(zone);
            }
        }
        families.dedup();
        let nodes = families.first().filter(|_| families.len() == 1);
        Some((nodes.copied(), ends.map(|end| self.b.table(end))))
    }

    /// Applies a function to some numbers and those of edges: two ends and a length each. An edge ends at `none` where no way
    /// leads on.
    fn way_along(
        &mut self,
        fold: Fold,
        before: &[ExprId],
        edges: &Edges,
        length: Option<&ast::Expr>,
        passes: Option<&ast::Expr>,
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
        let before = self.b.list(before);
        let of = self.b.set(Set::Concat(before, edges));
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
        let at = OnBoard {
            family,
            zone: other,
        };
        let beside = ways.and_then(|ways| self.beside(at, &ways));
        let next = beside.and_then(|beside| self.only(beside, condition, of));
        self.scope.reset(mark);
        let from = self.b.list(&[zone]);
        let Value::List(group, _) = self.all_within(from, (member, next?), of) else {
            return None;
        };
        let earlier = self.b.binary(Binary::Less, other, zone);
        let is_asked = self.b.expr(Expr::Contains(spaces, other));
        let earlier = self.b.expr(Expr::And(earlier, is_asked));
        let has_earlier = self.b.some(group, member, earlier);
        let is_first = self.b.not(has_earlier);
        let (_, belongs) = belongs?;
        let is_first = self.b.expr(Expr::And(belongs, is_first));
        Some(Value::List(self.b.filtered(spaces, temp, is_first), of))
    }
}

/// Returns the zones of one family that touch each zone of another: those with all points of it, or the other way round.
fn touched(one: &FamilyDecl, other: &FamilyDecl) -> Vec<Vec<i32>> {
    let others: Vec<(i32, Vec<BoardPoint>)> = other.zones_with_points().collect();
    let touching = |(zone, points): &(i32, Vec<BoardPoint>)| {
        let is_in =
            |few: &[BoardPoint], many: &[BoardPoint]| few.iter().all(|at| many.contains(at));
        let own = own_point(*zone);
        let touches = |(other, others): &&(i32, Vec<BoardPoint>)| {
            let is_end = others.contains(&own) || points.contains(&own_point(*other));
            *other != *zone && (is_end || is_in(points, others) || is_in(others, points))
        };
        others
            .iter()
            .filter(touches)
            .map(|(zone, _)| *zone)
            .collect()
    };
    one.zones_with_points().map(|of| touching(&of)).collect()
}
