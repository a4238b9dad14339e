//! Signatures in which a parameter has no type: told where it is declared, and not again at every call.

use crate::compile::compiler::{Attempt, Compiler};
use wyrmgate_lang::ast::{Name, Signature};

impl Compiler<'_> {
    /// Reports an unknown name that the signature above it has as a word: `dragon d moves n`.
    pub(crate) fn untyped_parameter(&mut self, name: &Name) -> Attempt<()> {
        let all = self.def.behaviors().flat_map(|of| {
            let effects = of.effects.iter().map(|e| (e.span, &e.signature, false));
            let handlers = of.handlers.iter().map(|h| (h.span, &h.signature, false));
            let effects = effects.chain(handlers);
            effects.chain(of.queries.iter().map(|q| (q.span, &q.signature, true)))
        });
        let at = name.span;
        let above = all.filter(|(of, ..)| of.file == at.file && of.start <= at.start);
        let (span, signature, is_query) = above.max_by_key(|(of, ..)| of.start)?;
        let Signature::Phrase(words) = signature else {
            return None;
        };
        let is_parameter = is_query && name.text.len() == 1;
        if !is_parameter && !words.iter().any(|word| word.text == name.text) {
            return None;
        }
        let known = self.effects.failed.len();
        self.effects
            .failed
            .extend(words.iter().map(|word| word.text.clone()));
        if self.effects.failed.len() == known {
            return Some(None); // one report for the first parameter is enough
        }
        let message = format!("`{}` is no parameter here", name.text);
        let help = match words.as_slice() {
            [query] if is_query => format!(
                "declare it with its type, such as `{}(seat {})`",
                query.text, name.text
            ),
            [] | [..] => {
                let mut pairs = words.iter().zip(words.iter().skip(1));
                let before = pairs.find(|(_, next)| next.text == name.text);
                match before.and_then(|(of, _)| self.world.suggest_type(&of.text)) {
                    Some(meant) => format!("did you mean `{meant} {}`?", name.text),
                    None => format!("a type stands before each parameter: `int {}`", name.text),
                }
            }
        };
        Some(self.problem("unknown-type", span, message, help))
    }

    /// Drops what is reported at calls of declarations with a mistake.
    pub(crate) fn forget_calls_of_failed(&mut self) {
        let failed = &self.effects.failed;
        self.report.diagnostics.retain(|problem| {
            let is_call = ["unknown-effect", "wrong-number-of-arguments"].contains(&problem.code);
            !is_call
                || !problem
                    .message
                    .split(['`', ' '])
                    .any(|word| failed.contains(word))
        });
    }
}
