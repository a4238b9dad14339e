//! Visibility: the keywords, or a condition over the viewer and the keys of the zone.

use crate::compile::compiler::Compiler;
use crate::compile::expressions::advice::written;
use crate::compile::habit::instead;
use crate::compile::scope::{Binding, Scope};
use crate::compile::terms::value::Value;
use crate::names::declaration::{Columns, FamilyDecl, FieldDecls};
use crate::names::types::Ty;
use crate::names::walk::mentions;
use crate::names::world::Symbol;
use wyrmgate_base::diagnostic::{Diagnostic, Span, did_you_mean};
use wyrmgate_lang::ast::{self, ExprKind, Name};
use wyrmgate_lang::definition::VarDef;
use wyrmgate_program::*;

/// The keys of a variable that have names.
#[derive(Default)]
struct KeyNames<'d> {
    /// Those before the last one, with their values.
    rows: Vec<(&'d str, Type, i32)>,
    last: Option<&'d Name>,
}

impl Compiler<'_> {
    pub fn visibilities(&mut self) {
        let def = self.def;
        for zone in &def.zones {
            if let (Some((see, span)), Some(Symbol::Family(id))) =
                (&zone.see, self.world.declared(&zone.name.text))
            {
                self.family_see(id, see, *span);
            }
        }
        for kind in def.all_kinds() {
            if let Some((see, span)) = kind.holds.as_ref().and_then(|holds| holds.see.as_ref())
                && let Some(Symbol::Kind(id)) = self.world.declared(&kind.name.text)
                && let Some((_, family)) = self.world.kind(id).inner
            {
                self.family_see(family, see, *span);
            }
        }
        for var in &def.vars {
            let Some((see, span)) = &var.see else {
                continue;
            };
            for id in self.variables_of(var) {
                self.see_rows(id, var, see, *span);
            }
        }
        self.looks_tell_nothing();
    }

    /// Reports looks of queries in a game with secrets, which their answers could tell.
    fn looks_tell_nothing(&mut self) {
        let program = &self.b.program;
        let queries = program.look.queries.iter().filter(|_| program.can_hide());
        let queries: Vec<&str> = queries.map(|(query, _)| query.as_str()).collect();
        for look in &self.def.looks {
            if queries.contains(&look.name.text.as_str()) {
                let message = format!(
                    "pictures cannot show `{}`: something is hidden",
                    look.name.text
                );
                let help = "keep what everybody may know in a variable, and give that a look";
                self.report
                    .error("look-tells-secrets", look.name.span, message, help);
            }
        }
    }

    /// Translates who sees a variable: one variable of the program for each combination of the keys before the last one,
    /// or several if it holds lists.
    fn see_rows(&mut self, id: VarId, var: &VarDef, see: &ast::Expr, span: Span) {
        let Some(decl) = self.world.var(id).cloned() else {
            return;
        };
        let names: Vec<&str> = var.rows.iter().map(|(name, _)| &*name.text).collect();
        let is_same = !mentions(see, &names);
        let rows = decl.variables() / decl.of_one();
        let (mut at, mut seen) = (usize::from(id), None);
        for row in 0..rows {
            if row == 0 || !is_same {
                let keys = decl.row(row).into_iter().zip(&names);
                let rows = keys.map(|((of, value), name)| (*name, of, value)).collect();
                let last = var.key.as_ref();
                seen = self.see_var(id, see, span, KeyNames { rows, last });
            }
            let next = at + decl.of_one() as usize;
            let own = self.b.program.vars.get_mut(at..next).unwrap_or_default();
            own.iter_mut()
                .for_each(|info| info.see = seen.unwrap_or(See::All));
            at = next;
        }
    }

    /// Returns the variable, or those of all parts of its records.
    fn variables_of(&self, var: &VarDef) -> Vec<VarId> {
        let table = match self.world.declared(&var.name.text) {
            Some(Symbol::Var(id)) => return vec![id],
            Some(Symbol::Records(table)) => self.world.tables.get(usize::from(table)),
            _ => None,
        };
        match table.map(|table| &table.columns) {
            Some(Columns::Words { variables, .. }) => variables.clone(),
            Some(Columns::Lists { .. } | Columns::None) | None => Vec::new(),
        }
    }

    fn see_var(
        &mut self,
        id: VarId,
        see: &ast::Expr,
        span: Span,
        keys: KeyNames<'_>,
    ) -> Option<See> {
        let index = self.world.var(id)?.index;
        if let ExprKind::Name(name) = &see.kind {
            match name.text.as_str() {
                "owner" if index != Some(Type::Seat) => {
                    let owned = self.seen_by_owner(index);
                    return owned.map(See::If).or_else(|| self.no_owner(span));
                }
                "top" => {
                    let help = "use `all`, `owner`, `nobody`, or a condition over `viewer`";
                    return self.problem("no-top", span, "a variable has no top", help);
                }
                _ => {}
            }
        }
        self.see(see, None, index, span, keys)
    }

    fn no_owner(&mut self, span: Span) -> Option<See> {
        let message = "this variable has no owner";
        let help = "give each seat a value with `each: seats`, or write a condition: `see: viewer = dealer`";
        self.problem("no-owner", span, message, help)
    }

    /// `see: owner` of a variable with a value for each zone or component that has an owner: the key or constant field
    /// `owner`.
    fn seen_by_owner(&mut self, index: Option<Type>) -> Option<ExprId> {
        let fields = match index? {
            Type::Zone(family) => &self.world.family(family?)?.fields,
            Type::Component(kind) => &self.world.kinds.get(usize::from(kind?))?.fields,
            Type::Int
            | Type::Bool
            | Type::Seat
            | Type::Enum(_)
            | Type::Row(_)
            | Type::Record(_)
            | Type::Amounts(_)
            | Type::Letter
            | Type::Cell
            | Type::Side => {
                return None;
            }
        };
        let owner = fields.iter().find(|field| field.name == "owner")?.clone();
        if owner.of != Type::Seat || !matches!(owner.place, FieldPlace::Constant(_)) {
            return None;
        }
        let viewer = self.b.temp(0);
        let about = self.b.temp(1);
        let Value::One(owner, _) = self.field(about, &owner) else {
            return None;
        };
        Some(self.b.binary(Binary::Equal, viewer, owner))
    }

    fn family_see(&mut self, id: FamilyId, see: &ast::Expr, span: Span) {
        let of = Some(Type::Zone(Some(id)));
        let Some(see) = self.see(see, Some(id), of, span, KeyNames::default()) else {
            return;
        };
        let zones = self.b.program.zones.iter_mut();
        let own = zones.filter(|zone| zone.family == id);
        own.for_each(|zone| zone.see = see);
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "the other forms have a general translation"
    )]
    fn see(
        &mut self,
        see: &ast::Expr,
        family: Option<FamilyId>,
        about: Option<Type>,
        span: Span,
        keys: KeyNames<'_>,
    ) -> Option<See> {
        let told = match &see.kind {
            ExprKind::None => Some("did you mean `see: nobody`?"),
            ExprKind::List(_) => Some("use one of these words, or a condition over `viewer`"),
            _ => None,
        };
        if let Some(help) = told {
            let message = "`see` must be `all`, `owner`, `nobody`, `nothing`, `top` or a condition";
            return self.problem("wrong-type", see.span, message, help);
        }
        if let ExprKind::Name(name) = &see.kind {
            match name.text.as_str() {
                "all" => return Some(See::All),
                "owner" => return self.see_owner(family, span),
                "nobody" | "count" => return Some(See::Count),
                "nothing" => return Some(See::Nothing),
                "top" => return Some(See::Top),
                _ => {}
            }
            let known = self.world.declared(&name.text).is_some();
            let near = did_you_mean(&name.text, ["all", "owner", "nobody", "nothing", "top"]);
            if let (false, Some(meant)) = (known, near) {
                let message = format!("unknown name `{}`", name.text);
                let help = format!("did you mean `see: {meant}`?");
                return self.problem("unknown-name", name.span, message, help);
            }
        }
        self.see_condition(see, family, about, keys).map(See::If)
    }

    fn see_owner(&mut self, family: Option<FamilyId>, span: Span) -> Option<See> {
        let mut zones = self.b.program.zones.iter();
        let owned = family.is_none_or(|family| {
            let is_empty = |decl: &FamilyDecl| decl.count == 0;
            self.world.family(family).is_none_or(is_empty)
                || zones.any(|zone| zone.family == family && zone.owner.is_some())
        });
        if owned {
            return Some(See::Owner);
        }
        let message = "this zone has no owner";
        let help = "add a key `owner`: `each: {owner: seats}`";
        self.problem("no-owner", span, message, help)
    }

    /// Translates a condition of visibility. The viewer is temp 0, the zone (or the index of the variable) temp 1; the
    /// keys are available by name.
    fn see_condition(
        &mut self,
        see: &ast::Expr,
        family: Option<FamilyId>,
        about: Option<Type>,
        keys: KeyNames<'_>,
    ) -> Option<ExprId> {
        let outer = std::mem::take(&mut self.scope);
        self.scope = Scope::default();
        let viewer = self.scope.temp(Ty::SEAT);
        self.scope.bind("viewer", Binding::Temp(viewer, Ty::SEAT));
        let zone = self.scope.temp(Ty::one(about));
        if about.is_some() {
            self.scope.push_it(zone, about);
        }
        if about == Some(Type::Seat) {
            self.scope.bind("owner", Binding::Temp(zone, Ty::SEAT));
        }
        for (name, of, value) in keys.rows {
            let alias = Binding::Alias(self.b.constant(value), Ty::one(of));
            self.scope.bind(name, alias);
        }
        if let (Some(key), Some(of)) = (keys.last, about) {
            self.scope.bind(&key.text, Binding::Temp(zone, Ty::one(of)));
        }
        let fields = family
            .and_then(|f| self.world.family(f))
            .map(|f| f.fields.clone());
        for field in fields.iter().flat_map(FieldDecls::iter) {
            let index = self.b.temp(zone);
            if let Value::One(value, _) = self.field(index, field) {
                let alias = Binding::Alias(value, Ty::one(field.of));
                self.scope.bind(&field.name, alias);
            }
        }
        let condition = self.expr(see, Some(Type::Bool)).and_then(|value| {
            if value.ty().of != Some(Type::Seat) {
                return self.one_written(see, value, Type::Bool);
            }
            let sign = if value.ty().list { "in" } else { "=" };
            let open = format!("viewer {sign} …");
            let meant = match written(see).as_str() {
                "viewer" => open.clone(),
                seats => format!("viewer {sign} {seats}"),
            };
            let message = "a seat is no condition on `viewer`";
            let problem = Diagnostic::error("wrong-type", see.span, message);
            self.push(instead(problem, see.span, meant, &open))
        });
        self.scope = outer;
        condition
    }
}
