//! Mutations of declarations: options, constants, zones, components, variables, queries, handlers.

use std::sync::Arc;

use super::walk::MutationWalk;
use wyrmgate_base::diagnostic::Span;
use wyrmgate_lang::ast::{BinaryOp, Expr, ExprKind, Name};
use wyrmgate_lang::definition::{
    Behavior, ComponentDef, Definition, HandlerDef, ModifierDef, OptionDef, OptionType, VarDef,
    ZoneDef,
};

impl MutationWalk {
    pub(super) fn definition(&mut self, game: &mut Definition) {
        self.expr(&mut game.players);
        game.options
            .iter_mut()
            .for_each(|option| self.setting(option));
        game.values
            .data
            .iter_mut()
            .chain(&mut game.positions.kept)
            .for_each(|data| self.expr(&mut data.value));
        game.zones.iter_mut().for_each(|zone| self.zone(zone));
        game.components
            .iter_mut()
            .for_each(|component| self.component(component));
        game.vars.iter_mut().for_each(|var| self.var(var));
        // The drawn position is one value, not a rule for each of its letters; its effect is the last one.
        let drawn = match game.positions.drawn.is_none() {
            true => None,
            false => game.behavior.effects.pop(),
        };
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
            && self.is(
                span,
                format_args!("`{}` becomes `{}`", name.text, next.text),
            )
        {
            name.text.clone_from(&next.text);
        }
    }

    fn pairs(&mut self, pairs: &mut [(Name, Expr)]) {
        pairs.iter_mut().for_each(|(_, value)| self.expr(value));
    }

    fn zone(&mut self, zone: &mut ZoneDef) {
        self.pairs(&mut zone.each);
        self.see(&mut zone.see);
        let place = |condition: &Expr| (condition.span, "this condition is left out");
        self.optional(&mut zone.condition, place, MutationWalk::condition);
        let place = |capacity: &Expr| (capacity.span, "`capacity` is left out");
        self.optional(&mut zone.capacity, place, MutationWalk::expr);
        [&mut zone.directions, &mut zone.lines]
            .into_iter()
            .flatten()
            .for_each(|value| self.expr(value));
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
        component
            .copies
            .iter_mut()
            .for_each(|copies| self.copies(copies));
        let place = |condition: &Expr| (condition.span, "this condition is left out");
        self.optional(&mut component.condition, place, MutationWalk::condition);
        component
            .faces
            .iter_mut()
            .for_each(|faces| self.expr(faces));
        self.pairs(&mut component.fields);
        let place = |name: &Name| {
            let what = format!("`{}` is no longer on the back", name.text);
            Some((name.span, what))
        };
        self.members(&mut component.back, false, place, |_, _| {});
        component
            .holds
            .iter_mut()
            .for_each(|holds| self.see(&mut holds.see));
        let place = |zone: &Expr| (zone.span, "they begin out of play");
        self.optional(&mut component.starts_in, place, MutationWalk::expr);
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
        if !matches!(copies.kind, ExprKind::Int(_)) && self.is(span, "there is one more of each") {
            let one = Expr::new(ExprKind::Int(1), span);
            let number = Box::new(copies.clone());
            copies.kind = ExprKind::Binary(BinaryOp::Add, number, Box::new(one));
        } else {
            self.expr(copies);
        }
    }

    fn var(&mut self, var: &mut VarDef) {
        self.pairs(&mut var.rows);
        let numbers = [&mut var.each, &mut var.most];
        numbers.into_iter().flatten().for_each(|of| self.expr(of));
        self.see(&mut var.see);
        let place = |start: &Expr| (start.span, "`start` is left out");
        self.optional(&mut var.start, place, MutationWalk::expr);
        let place = |lasts: &Name| (lasts.span, "it lasts for the whole game");
        self.optional(&mut var.lasts, place, |_, _| {});
    }

    fn behavior(&mut self, behavior: &mut Behavior) {
        behavior
            .queries
            .iter_mut()
            .for_each(|query| self.expr(&mut query.body));
        behavior
            .effects
            .iter_mut()
            .for_each(|effect| self.block(Arc::make_mut(&mut effect.body)));
        let place = |handler: &HandlerDef| Some((handler.span, "this handler is left out".into()));
        self.members(&mut behavior.handlers, false, place, MutationWalk::handler);
        let place =
            |modifier: &ModifierDef| Some((modifier.span, "this modifier is left out".into()));
        self.members(&mut behavior.modifiers, false, place, |walk, modifier| {
            let place = |condition: &Expr| (condition.span, "this condition is left out");
            walk.optional(&mut modifier.condition, place, MutationWalk::condition);
            modifier.set.iter_mut().for_each(|set| walk.expr(set));
            modifier.add.iter_mut().for_each(|add| walk.expr(add));
        });
    }

    fn handler(&mut self, handler: &mut HandlerDef) {
        let place = |condition: &Expr| (condition.span, "this condition is left out");
        self.optional(&mut handler.condition, place, MutationWalk::condition);
        handler.by.iter_mut().for_each(|by| self.expr(by));
        self.pairs(&mut handler.keeps);
        self.block(Arc::make_mut(&mut handler.body));
    }
}
