//! Handlers that match no effect and no event.

use crate::compile::compiler::Compiler;
use crate::compile::compiler::effects::EffectDecl;
use crate::compile::declarations::primitive;
use crate::compile::terms::pattern::{Part, Pattern};
use crate::names::types::Ty;
use wyrmgate_base::diagnostic::{PROBLEMS_MAX, Span, misspelled};
use wyrmgate_lang::elsewhere::Elsewhere;
use wyrmgate_lang::words_of_elsewhere;

/// Events of other systems.
const HAPPENINGS_ELSEWHERE: Elsewhere = words_of_elsewhere! {
    "turn_ends" "end_of_turn" "turn_end" "end_turn" => "handle the effect that a turn consists of, or `after turn_begins(seat p)` of the next seat";
    "finish" "finishes" "game_ends" "game_over" => "nothing happens after `finish`: write what happens before it";
    "round_begins" "round_ends" "setup" => "write it in `play`, where it begins; there is `after turn_begins(seat p)`";
};

impl Compiler<'_> {
    pub fn check_handlers(&mut self) {
        self.meet_unused_happenings();
        let unmet: Vec<(Span, String)> = self
            .handlers
            .all
            .iter()
            .filter(|h| {
                !h.met
                    && !h
                        .pattern
                        .words()
                        .iter()
                        .any(|w| self.effects.failed.contains(w))
            })
            .take(PROBLEMS_MAX) // each is compared with every effect
            .map(|h| (h.pattern.span, self.what_can_be_met(&h.pattern)))
            .collect();
        let unmet = unmet.into_iter().chain(self.unmet_watches());
        for (span, help) in unmet.collect::<Vec<_>>() {
            let message = "no effect or event matches this";
            self.problem::<()>("handler-meets-nothing", span, message, help);
        }
    }

    /// Translates handlers of events that never happen in the game, to report their mistakes.
    fn meet_unused_happenings(&mut self) {
        for pattern in primitive::happenings() {
            let meeting = self.handlers.by_shape.get(&pattern.shape());
            let mut meeting = meeting.into_iter().flatten();
            let is_unmet = |at: &usize| self.handlers.get(*at).is_some_and(|h| !h.met);
            if meeting.any(is_unmet) {
                let params = pattern.params();
                let id = self.add_effect(&pattern.name(), &params, Span::default());
                self.wrap(id, id, pattern, &params);
            }
        }
        self.translate_primitives();
    }

    /// Formats an effect as handlers name it: that of a kind has the component as its first parameter.
    fn handled_as(&self, effect: &EffectDecl<'_>) -> String {
        let mut pattern = effect.pattern.clone();
        pattern.call_style |= effect.me.is_some();
        if let (Some(_), Some(me)) = (effect.me, pattern.parts.get_mut(1)) {
            *me = Part::Param("c".to_owned(), Ty::COMPONENT);
        }
        pattern.shown(self.world)
    }

    pub(crate) fn what_can_be_met(&self, pattern: &Pattern) -> String {
        let spoken: Vec<String> = pattern.words();
        let meant = |happening: &Pattern| {
            let words = (pattern.name(), happening.name());
            pattern.call_style && misspelled(&words.0, [words.1.as_str()]).is_some()
        };
        let happenings = primitive::happenings().iter();
        if let Some(happening) = happenings.clone().find(|happening| meant(happening)) {
            return format!("did you mean `{}`?", happening.shown(self.world));
        }
        let first = spoken.first().map(String::as_str).unwrap_or_default();
        if let Some(happening) = happenings.clone().find(|known| known.name() == first) {
            let shown = happening.shown(self.world);
            return format!("this event has all its parameters: `{shown}`");
        }
        if let Some(advice) = HAPPENINGS_ELSEWHERE.advice(first) {
            return advice.to_owned();
        }
        if let Some(effect) = self.most_like(&spoken, false) {
            let called = self.handled_as(effect);
            return match effect.pattern.name() == pattern.name() {
                true => format!("it is declared as `{called}`: write that, with names of your own"),
                false => format!("did you mean `{called}`?"),
            };
        }
        let happenings: Vec<String> = happenings
            .map(|pattern| pattern.shown(self.world))
            .collect();
        format!(
            "repeat the words of an effect with your own parameter names, or use one of {}",
            happenings.join(", ")
        )
    }
}
