//! Signatures in which a parameter has no type: told where it is declared, and not again at every call.

use crate::compile::compiler::{Attempt, Compiler};
use wyrmgate_base::diagnostic::Diagnostic;
use wyrmgate_lang::ast::{Name, Signature};

/// What calls of a declaration with a mistake are reported as.
const CODES_OF_CALLS: [&str; 2] = ["unknown-effect", "wrong-number-of-arguments"];

impl Compiler<'_> {
    /// Reports an unknown name that the signature above it has as a word: `dragon d moves n`.
    pub(crate) fn untyped_parameter(&mut self, name: &Name) -> Attempt<()> {
        let signatures = self.def.behaviors().flat_map(|of| {
            let effects = of.effects.iter().map(|e| (e.span, &e.signature, false));
            let queries = of.queries.iter().map(|q| (q.span, &q.signature, true));
            let handlers = of.handlers.iter().map(|h| (h.span, &h.signature, false));
            effects.chain(queries).chain(handlers)
        });
        let above =
            signatures.filter(|(at, ..)| at.file == name.span.file && at.start <= name.span.start);
        let (span, signature, is_query) = above.max_by_key(|(at, ..)| at.start)?;
        let (words, query) = match signature {
            Signature::Phrase(words) => {
                (words.as_slice(), words.first().filter(|_| words.len() == 1))
            }
            Signature::Call { name, params, .. } => {
                (&[][..], Some(name).filter(|_| params.is_empty()))
            }
        };
        if let Some(query) =
            query.filter(|query| is_query && query.text != name.text && name.text.len() == 1)
        {
            let message = format!("`{}` has no parameter `{}`", query.text, name.text);
            let help = format!("declare it, such as `{}(seat {})`", query.text, name.text);
            self.effects.failed.insert(query.text.clone());
            return Some(self.problem("unknown-name", span, message, help));
        }
        let at = words.iter().position(|word| word.text == name.text)?;
        let word = words.get(at)?;
        let of = words.get(at + 1);
        let of = of.filter(|of| self.world.type_named(&of.text).is_some());
        let before = self.effects.failed.len();
        let all = words.iter().map(|word| word.text.clone());
        self.effects.failed.extend(all);
        if self.effects.failed.len() == before {
            return Some(None); // of all that lack a type, the first one is told
        }
        let message = format!(
            "`{}` has no type here: it is a word, not a parameter",
            word.text
        );
        let problem = match of {
            Some(of) => {
                let written = format!("{} {}", of.text, word.text);
                let span = word.span.to(of.span);
                let problem = Diagnostic::error("unknown-type", span, message);
                problem
                    .help(format!("the type comes first: `{written}`"))
                    .repair(span, written)
            }
            None => Diagnostic::error("unknown-type", word.span, message).help(format!(
                "write its type before it, such as `int {}`",
                word.text
            )),
        };
        Some(self.push(problem))
    }

    /// Drops what is reported at calls of declarations with a mistake.
    pub(crate) fn forget_calls_of_failed(&mut self) {
        let failed = &self.effects.failed;
        self.report.diagnostics.retain(|problem| {
            let words = problem.message.split(['`', ' ']);
            let is_call = CODES_OF_CALLS.contains(&problem.code);
            !(is_call && words.into_iter().any(|word| failed.contains(word)))
        });
    }
}
