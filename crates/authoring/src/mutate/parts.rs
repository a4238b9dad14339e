//! Mutations of declarations: options, constants, zones, components, variables, queries, handlers.

use std::sync::Arc;

use super::expr::becomes;
use super::walk::MutationWalk;
use wyrmgate_base::diagnostic::Span;
use wyrmgate_lang::ast::{BinaryOp, Expr, ExprKind, Name};
use wyrmgate_lang::definition::{
    Behavior, ComponentDef, Definition, HandlerDef, ModifierDef, OptionDef, OptionType, VarDef,
    ZoneDef,
};
use wyrmgate_lang::table::is_cell;

impl MutationWalk {
    pub(super) fn definition(&mut self, game: &mut Definition) {
        self.expr(&mut game.players);
        for option in &mut game.options {
            self.setting(option);
        }
        let data = game.values.data.iter_mut().chain(&mut game.positions.kept);
        self.exprs(data.map(|data| &mut data.value));
        game.zones.iter_mut().for_each(|zone| self.zone(zone));
        for component in &mut game.components {
            self.component(component);
        }
        game.vars.iter_mut().for_each(|var| self.var(var));
        // The drawn position is one value, not a rule for each of its letters; its effect is the last one.
        let has_drawn = game.positions.drawn.is_some();
        let drawn = has_drawn.then(|| game.behavior.effects.pop()).flatten();
        self.behavior(&mut game.behavior);
        game.behavior.effects.extend(drawn);
    }

    fn setting(&mut self, option: &mut OptionDef) {
        self.default(&mut option.default, &option.of);
        let place = |condition: &Expr| Some((condition.span, "this condition is left out".into()));
        self.members(&mut option.requires, false, place, MutationWalk::condition);
    }

    fn default(&mut self, default: &mut Expr, of: &OptionType) {
        let span = default.span;
        let (OptionType::OneOf(names), ExprKind::Name(name)) = (of, &mut default.kind) else {
            return self.expr(default);
        };
        let position = names.iter().position(|other| other.text == name.text);
        let next = position.and_then(|at| names.get(at + 1).or(names.first()));
        if let Some(next) = next.filter(|next| next.text != name.text)
            && self.is(span, becomes(&name.text, &next.text))
        {
            name.text.clone_from(&next.text);
        }
    }

    fn pairs(&mut self, pairs: &mut [(Name, Expr)]) {
        self.exprs(pairs.iter_mut().map(|(_, value)| value));
    }

    pub(super) fn exprs<'e>(&mut self, exprs: impl IntoIterator<Item = &'e mut Expr>) {
        exprs.into_iter().for_each(|expr| self.expr(expr));
    }

    fn zone(&mut self, zone: &mut ZoneDef) {
        self.pairs(&mut zone.each);
        self.see(&mut zone.see);
        self.optional_condition(&mut zone.condition);
        self.optional_expr(&mut zone.capacity, "`capacity` is left out");
        self.exprs(zone.directions.iter_mut().chain(&mut zone.lines));
        self.pairs(&mut zone.fields);
    }

    /// Changes the visibility: a restricted zone becomes visible to all, and a public one to nobody.
    fn see(&mut self, see: &mut Option<(Expr, Span)>) {
        let Some((expr, _)) = see else { return };
        let ExprKind::Name(name) = &mut expr.kind else {
            return self.condition(expr);
        };
        let other = if name.text == "all" { "nobody" } else { "all" };
        if self.is(name.span, format_args!("`{}` becomes `{other}`", name.text)) {
            name.text = other.to_owned();
        }
    }

    fn component(&mut self, component: &mut ComponentDef) {
        self.pairs(&mut component.each);
        if let Some(copies) = &mut component.copies {
            self.copies(copies);
        }
        self.optional_condition(&mut component.condition);
        self.exprs(&mut component.faces);
        self.pairs(&mut component.fields);
        let place = |name: &Name| {
            let what = format!("`{}` is no longer on the back", name.text);
            Some((name.span, what))
        };
        self.members(&mut component.back, false, place, |_, _| {});
        if let Some(holds) = &mut component.holds {
            self.see(&mut holds.see);
        }
        self.optional_expr(&mut component.starts_in, "they begin out of play");
        self.behavior(&mut component.behavior);
        let place = |kind: &ComponentDef| {
            let what = format!("the kind `{}` is left out", kind.name.text);
            Some((kind.name.span, what))
        };
        self.members(&mut component.kinds, false, place, MutationWalk::component);
    }

    /// Increases a computed number by one.
    fn copies(&mut self, copies: &mut Expr) {
        let span = copies.span;
        let is_number = matches!(copies.kind, ExprKind::Int(_)) || is_cell(copies);
        if !is_number && self.is(span, "there is one more of each") {
            let one = Expr::new(ExprKind::Int(1), span);
            let number = Box::new(copies.clone());
            copies.kind = ExprKind::Binary(BinaryOp::Add, number, Box::new(one));
        } else {
            self.expr(copies);
        }
    }

    fn var(&mut self, var: &mut VarDef) {
        self.pairs(&mut var.rows);
        self.exprs(var.each.iter_mut().chain(&mut var.most));
        self.see(&mut var.see);
        self.optional_expr(&mut var.start, "`start` is left out");
        let place = |lasts: &Name| (lasts.span, "it lasts for the whole game");
        self.optional(&mut var.lasts, place, |_, _| {});
    }

    fn behavior(&mut self, behavior: &mut Behavior) {
        let queries = behavior.queries.iter_mut();
        self.exprs(queries.map(|query| &mut query.body));
        for effect in &mut behavior.effects {
            self.block(Arc::make_mut(&mut effect.body));
        }
        let place = |handler: &HandlerDef| Some((handler.span, "this handler is left out".into()));
        self.members(&mut behavior.handlers, false, place, MutationWalk::handler);
        let place =
            |modifier: &ModifierDef| Some((modifier.span, "this modifier is left out".into()));
        self.members(&mut behavior.modifiers, false, place, |walk, modifier| {
            walk.optional_condition(&mut modifier.condition);
            walk.exprs(modifier.set.iter_mut().chain(&mut modifier.add));
        });
    }

    fn handler(&mut self, handler: &mut HandlerDef) {
        self.optional_condition(&mut handler.condition);
        self.exprs(&mut handler.by);
        self.pairs(&mut handler.keeps);
        self.block(Arc::make_mut(&mut handler.body));
    }
}
