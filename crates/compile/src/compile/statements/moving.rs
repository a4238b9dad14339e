//! Statements that move components.

use crate::compile::compiler::Compiler;
use crate::compile::declarations::primitive::one_move;
use crate::compile::terms::value::{Value, ValueAt};
use crate::names::types::{Families, Ty};
use crate::names::world::Symbol;
use wyrmgate_base::diagnostic::Span;
use wyrmgate_lang::ast::{self, ExprKind, Face, Place};
use wyrmgate_program::*;

impl Compiler<'_> {
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "the other forms have a general translation"
    )]
    pub fn move_statement(
        &mut self,
        what: &ast::Expr,
        to: &ast::Expr,
        place: &Place,
        face: Option<Face>,
        turned: Option<&ast::Expr>,
    ) -> Option<()> {
        let what_value = self.expr(what, None);
        let to_value = self.expr(to, Some(Type::Zone(None)));
        let (what_value, to_value) = (what_value?, to_value?);
        let zone = self.one_written(to, to_value, Type::Zone(None))?;
        self.note_filled(to_value);
        self.zone_takes(what_value.ty(), to_value.ty(), what.span)?;
        let open = matches!(to_value.ty().of, Some(Type::Zone(Some(f))) if self.world.family(f).is_some_and(|f| f.open_grid));
        if open && let Place::At(cell) = place {
            let (what, face_down) = (what_value.at(what.span), face == Some(Face::Down));
            return self.move_to_cell(what, zone, cell, turned, face_down);
        }
        if let Some(turned) = turned {
            let message = "a component is turned only on a cell of an open grid";
            let help = "move it to a cell (`at c turned 1`) of a zone with `grid: open`, or remove `turned`";
            return self.problem("no-grid", turned.span, message, help);
        }
        let place = match place {
            Place::Top => MovePlace::Top,
            Place::Bottom => MovePlace::Bottom,
            Place::At(at) => MovePlace::At(self.number(at)?),
        };
        let face_down = face == Some(Face::Down);
        let is_met = self.meets_move(what_value.ty(), to_value.ty());
        match what_value {
            Value::One(component, Some(Type::Component(_)) | None) if is_met => {
                self.emit_move(component, zone, place, face_down)
            }
            Value::One(component, Some(Type::Component(_)) | None) => {
                self.b.emit(one_move(component, zone, place, face_down));
            }
            _ => {
                let (set, of) = self.list_of(what_value);
                if !self.world.fits(of, Some(Type::Component(None))) {
                    return self.mismatch(what.span, what_value.ty(), Ty::COMPONENT);
                }
                match is_met {
                    true => self.emit_move_all(set, zone, place, face_down),
                    false => drop(self.b.emit(Op::MoveAll(MoveOfAll {
                        what: set,
                        to: zone,
                        place,
                        face_down,
                    }))),
                }
            }
        }
        Some(())
    }

    fn move_to_cell(
        &mut self,
        what: ValueAt,
        zone: ExprId,
        cell: &ast::Expr,
        turned: Option<&ast::Expr>,
        face_down: bool,
    ) -> Option<()> {
        let what = self.one_from(what.value, Type::Component(None), what.span)?;
        let cell = self.one(cell, Type::Cell)?;
        let turned = match turned {
            Some(turned) => self.number(turned)?,
            None => self.b.constant(0),
        };
        self.emit_move_to_cell([what, zone, cell, turned], face_down);
        Some(())
    }

    /// Checks that a zone holds this kind of component.
    fn zone_takes(&mut self, what: Ty, to: Ty, span: Span) -> Option<()> {
        let (Some(of @ Type::Component(_)), Some(Type::Zone(Some(family)))) = (what.of, to.of)
        else {
            return Some(());
        };
        let holds = self.world.family(family)?.holds;
        let Some(kind) = holds.filter(|kind| {
            !self
                .world
                .fits(Some(of), Some(Type::Component(Some(*kind))))
        }) else {
            return Some(());
        };
        let zone = self.world.family_name(family).to_string();
        let found = self.world.name_of(what);
        let message = format!("`{zone}` does not hold {found}");
        let help = format!(
            "its declaration says `holds: {}`",
            self.world.kind_name(kind)
        );
        self.problem("wrong-kind-for-zone", span, message, help)
    }

    /// `draw card from deck`: `draw` needs a number, not a component.
    fn number_drawn(&mut self, count: &ast::Expr) -> Option<ExprId> {
        if let ExprKind::Name(name) = &count.kind
            && let Some(Symbol::Kind(_) | Symbol::Plural(_)) = self.world.declared(&name.text)
        {
            let message = format!("`draw` needs a number, and `{}` is a component", name.text);
            let help =
                "write a number: `draw 1 from …`; to move a particular card, write `move c to …`";
            return self.problem("wrong-type", count.span, message, help);
        }
        self.number(count)
    }

    pub fn draw(
        &mut self,
        count: &ast::Expr,
        from: &ast::Expr,
        to: &ast::Expr,
        face: Option<Face>,
    ) -> Option<()> {
        let count = self.number_drawn(count);
        let (from_value, to_value) = (self.zone_value(from), self.zone_value(to));
        if let Some((value, _)) = from_value
            && let Some(Some(name)) = self.zone_named(value)
        {
            self.notes.doubts.drawn.push((name, from.span));
        }
        if let Some((value, _)) = to_value {
            self.note_filled(value);
        }
        let (from, to) = (from_value?.1, to_value?.1);
        self.emit_draw(count?, from, to, face == Some(Face::Down));
        Some(())
    }

    fn zone_value(&mut self, zone: &ast::Expr) -> Option<(Value, ExprId)> {
        let wanted = Type::Zone(None);
        let value = self.expr(zone, Some(wanted))?;
        Some((value, self.one_written(zone, value, wanted)?))
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "only zones are asked for")]
    /// Returns the name of the zones to which this one belongs; `Some(None)` if it is known only in play.
    fn zone_named(&self, zone: Value) -> Option<Option<String>> {
        match zone.ty().of? {
            Type::Zone(Some(family)) => Some(Some(self.world.family_name(family).to_owned())),
            Type::Zone(None) => Some(None),
            _ => None,
        }
    }

    fn note_filled(&mut self, zone: Value) {
        let name = self.zone_named(zone);
        self.notes.doubts.filled.extend(name);
    }
}
