//! What exists in a setup, and the parts of the translation of its rules, in their order.

use hashbrown::HashMap;

use crate::compile::builder::Builder;
use crate::compile::compiler::Compiler;
use crate::compile::compiler::notes::Notes;
use crate::compile::layout::Layout;
use crate::compile::setup::Setup;
use crate::names::translation::Translations;
use crate::names::world::World;
use wyrmgate_base::diagnostic::Report;
use wyrmgate_lang::definition::Definition;

/// What exists in a setup, before the rules about it are translated.
pub struct LaidOut {
    pub world: World,
    pub b: Builder,
    pub translations: Translations,
}

impl LaidOut {
    pub fn of(def: &Definition, setup: &Setup, report: &mut Report) -> LaidOut {
        let mut layout = Layout::new(def, setup, report);
        layout.builtin_variables();
        layout.run();
        LaidOut {
            world: layout.world,
            b: layout.b,
            translations: layout.translations,
        }
    }

    pub fn compiler<'d>(&'d mut self, def: &'d Definition, report: &'d mut Report) -> Compiler<'d> {
        let translations = std::mem::take(&mut self.translations);
        let mut compiler = Compiler::new(def, &mut self.world, &mut self.b, translations, report);
        compiler.clauses = numbered_clauses(def);
        compiler
    }
}

/// Returns the first clause with each id.
fn numbered_clauses(def: &Definition) -> HashMap<&str, usize> {
    let clauses = def.clauses.iter().enumerate().rev();
    clauses
        .map(|(at, clause)| (clause.id.text.as_str(), at))
        .collect()
}

impl Compiler<'_> {
    pub fn run(&mut self) {
        let parts: [fn(&mut Self); 24] = [
            Self::declare_queries,
            Self::limit_queries,
            Self::declare_effects,
            Self::declare_handlers,
            Self::wrap_member_effects,
            Self::cite_declarations,
            Self::visibilities,
            Self::translate_positions,
            Self::translate_effects,
            Self::translate_watched,
            Self::translate_primitives,
            Self::translate_waiting,
            Self::translate_steps,
            Self::finish_queries,
            Self::translate_by_kinds,
            Self::check_supposed,
            Self::hide_order,
            Self::check_handlers,
            Self::find_play,
            Self::find_resigning,
            Self::translate_notation,
            Self::forget_calls_of_failed,
            Self::explain_modifiers,
            Self::check_sizes,
        ];
        for part in parts {
            if !self.report.is_full() {
                part(self);
            }
        }
    }

    pub fn notes(&mut self) -> Notes {
        let own = self.effects.all.iter().filter(|e| e.body.is_some());
        self.notes.effects = own.map(|e| (e.id, e.pattern.span)).collect();
        self.notes.used = self.world.take_used();
        std::mem::take(&mut self.notes)
    }

    /// Numbers of things are small; a larger game is rejected, never wrapped around.
    fn check_sizes(&mut self) {
        let program = &self.b.program;
        let sizes = [
            ("decisions", program.sites.len()),
            ("texts", program.prose.texts_with_holes.len()),
            ("effects and handlers", program.effects.len()),
            ("queries", program.queries.len()),
            ("kinds", program.kinds.len()),
            ("variables and changing fields", program.vars.len()),
        ];
        let most = usize::from(u16::MAX);
        if let Some((what, _)) = sizes.into_iter().find(|(_, size)| *size > most) {
            let span = self.def.name.span;
            let message = format!("a game may have at most {most} {what}");
            self.problem::<()>("too-many", span, message, "use fewer, larger parts");
        }
    }

    fn find_play(&mut self) {
        match self.b.program.origins.effect_names.get("play") {
            Some(id) => self.b.program.code.play = *id,
            None => {
                let with_parameters = self.effects.all.iter().find(|e| e.pattern.name() == "play");
                let span = with_parameters.map_or(self.def.name.span, |e| e.pattern.span);
                let message = match with_parameters {
                    Some(_) => "`play` cannot have parameters, because the game begins with it",
                    None => "the game has no effect `play`",
                };
                let help = "write `play: |` under `effects:`; it is the whole game, from setup to `finish`";
                self.problem::<()>("no-play", span, message, help);
            }
        }
    }

    fn cite_declarations(&mut self) {
        let def = self.def;
        self.cites_of(&def.players);
        for option in &def.options {
            self.cite(&option.cites);
        }
        for kind in def.all_kinds() {
            self.cite(&kind.cites);
        }
    }
}
