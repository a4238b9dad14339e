//! Zones, components and seats by their keys.

use crate::compile::compiler::Compiler;
use crate::compile::compiler::notes::KeyedThing;
use crate::compile::expressions::advice::counted;
use crate::compile::terms::value::{Value, ValueAt};
use wyrmgate_base::diagnostic::Span;
use wyrmgate_lang::ast;
use wyrmgate_program::*;

impl Compiler<'_> {
    fn keys(
        &mut self,
        args: &[ast::Expr],
        types: &[Type],
        span: Span,
        what: &str,
        is_zone: bool,
    ) -> Option<ExprId> {
        if args.len() != types.len() {
            let message = match types.len() {
                0 => format!("`{what}` has no keys"),
                n => format!("`{what}` has {}, {} given", counted(n, "key"), args.len()),
            };
            let help = match types.len() {
                0 => format!("write `{what}` without parentheses"),
                _ if is_zone => "give each key of its `each`, in order".into(),
                _ => "give each key of its `each` in order, then the number of the copy if there are copies".into(),
            };
            return self.problem("wrong-number-of-keys", span, message, help);
        }
        let mut keys = Vec::new();
        for (arg, of) in args.iter().zip(types) {
            keys.push(self.one(arg, *of)?);
        }
        // in a row even if there is only one of them already in place
        Some(self.b.row(&keys))
    }

    pub fn zone_at(&mut self, id: FamilyId, args: &[ast::Expr], span: Span) -> Option<Value> {
        let family = self.world.family(id)?;
        let types = family.keys.iter().map(|k| k.of).collect::<Vec<_>>();
        let name = family.name.clone();
        let keys = self.keys(args, &types, span, &name, true)?;
        let zone = self.value(Expr::ZoneAt { family: id, keys }, Type::Zone(Some(id)));
        self.must_exist(zone, span, KeyedThing::Zone);
        Some(zone)
    }

    pub fn component_at(&mut self, kind: KindId, args: &[ast::Expr], span: Span) -> Option<Value> {
        let decl = self.world.kind(kind);
        let name = decl.name.clone();
        let Some(by) = decl.by_keys.clone() else {
            let message = format!("`{name}` is a family and has no keys of its own");
            let help = "use one of its kinds";
            return self.problem("no-keys", span, message, help);
        };
        let keys = self.keys(args, &by.types, span, &name, false)?;
        let expr = Expr::ComponentAt {
            table: by.table,
            sizes: by.sizes,
            keys,
        };
        let component = self.value(expr, Type::Component(Some(kind)));
        self.must_exist(component, span, KeyedThing::Component);
        Some(component)
    }

    /// Notes a value with constant keys, and whether it exists in this setup.
    fn must_exist(&mut self, value: Value, span: Span, what: KeyedThing) {
        if let Value::One(value, _) = value
            && let Some(found) = self.known_value(value)
        {
            let doubts = &mut self.notes.doubts;
            doubts.named.push((span, what, found != NONE));
        }
    }

    /// `seat(1)` is the first seat; beyond the last there is none.
    pub fn seat_number(&mut self, first: ValueAt) -> Option<Value> {
        let number = self.one_from(first.value, Type::Int, first.span)?;
        let seats = self.world.seats as i32;
        let exists = self
            .known_value(number)
            .is_none_or(|of| (1..=seats).contains(&of));
        let doubts = &mut self.notes.doubts;
        doubts.named.push((first.span, KeyedThing::Seat, exists));
        let table = self.b.table((0..seats).collect());
        let expr = Expr::Table(TableLookUp {
            table,
            low: 1,
            index: number,
            default: NONE,
        });
        Some(Value::One(self.b.expr(expr), Some(Type::Seat)))
    }
}
