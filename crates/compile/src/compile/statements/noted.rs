//! `notation:`: the texts in which choices are written.

use crate::compile::compiler::Compiler;
use crate::names::types::Ty;
use wyrmgate_base::diagnostic::{Diagnostic, did_you_mean, meant_or};
use wyrmgate_lang::ast::{self, ExprKind, Name, TextPart};
use wyrmgate_program::*;

impl Compiler<'_> {
    /// Translates the forms of a choice of this option, while its names are in scope.
    pub(super) fn forms(&mut self, option: &str, binders: &[BinderInfo]) -> Vec<NotedForm> {
        let named = called(option, binders);
        let mut choices = self.def.texts.notation.choices.iter();
        let forms = choices.find(|(name, _)| name.text == named);
        let forms = forms.into_iter().flat_map(|(_, forms)| forms);
        forms.filter_map(|form| self.form(form)).collect()
    }

    fn form(&mut self, form: &ast::Text) -> Option<NotedForm> {
        let text = self.text(form)?;
        let holes = form.parts.iter().filter_map(|part| match part {
            TextPart::Hole(expr, _) => Some(expr),
            TextPart::Literal(_) => None,
        });
        let of = self.b.program.prose.texts_with_holes.last()?;
        let types = of.holes.iter().map(|hole| hole.of());
        let letters = holes.zip(types).map(|(expr, of)| self.letters(expr, of));
        Some(NotedForm {
            letters: letters.collect(),
            text,
        })
    }

    /// Returns the number of the letters for a hole: those of what it names last, or else of its type.
    fn letters(&self, expr: &ast::Expr, of: Type) -> Option<usize> {
        let letters = &self.def.texts.notation.letters;
        let of_name = |name: &str| letters.iter().position(|(known, _)| known.text == name);
        let last = named_last(expr).and_then(|name| of_name(&name.text));
        let Type::Enum(id) = of else { return last };
        last.or_else(|| of_name(&self.b.program.enums.get(usize::from(id))?.name))
    }

    /// Translates what the notation says besides choices, and reports entries that belong to nothing.
    pub(crate) fn translate_notation(&mut self) {
        let notation = &self.def.texts.notation;
        let tags = notation.tags.iter();
        let tags = tags.filter_map(|(name, text)| Some((name.text.clone(), self.text(text)?)));
        let tags = tags.collect();
        let file = notation.file.as_ref();
        let syntax = file.and_then(|file| Syntax::named(&file.text));
        if let (Some(file), None) = (file, syntax) {
            let help = "use `pgn`, `pdn` or `sgf`";
            let message = format!("there is no syntax `{}`", file.text);
            self.unknown::<()>("unknown-name", file, message, help);
        }
        let name = |(name, texts): &(Name, Vec<String>)| (name.text.clone(), texts.clone());
        let position = self.position_form();
        self.b.program.prose.notation = Notation {
            syntax,
            tags,
            letters: notation
                .letters
                .iter()
                .map(|(_, all)| all.clone())
                .collect(),
            after: notation.after.iter().map(name).collect(),
            position,
        };
        self.letters_fit();
        let campaigns = self
            .def
            .options
            .iter()
            .filter_map(|option| option.campaign.as_ref());
        for query in notation
            .after
            .iter()
            .map(|(query, _)| query)
            .chain(campaigns)
        {
            let named = self.b.program.origins.query_names.get(&query.text);
            let query_of = named.and_then(|id| self.b.program.queries.get(usize::from(*id)));
            match query_of.is_some_and(|known| known.params == 0) {
                true => self.world.mark_used(&query.text),
                false => {
                    let message = format!("there is no query `{}`", query.text);
                    let help = "write the name of a query without parameters";
                    self.unknown::<()>("unknown-name", query, message, help);
                }
            }
        }
        let sites = self.b.program.sites.iter();
        let options = sites.flat_map(|site| &site.options);
        let known: Vec<String> = options
            .map(|option| called(&option.name, &option.binders))
            .collect();
        let choices = notation.choices.iter();
        let is_lost = |(name, _): &&(Name, _)| {
            !known.contains(&name.text) && !self.def.is_overlaid(name.span)
        };
        if self.report.has_errors() || known.is_empty() {
            return; // a choice with a mistake is not among those known
        }
        for (name, _) in choices.filter(is_lost) {
            let meant = did_you_mean(&name.text, known.iter().map(String::as_str));
            let otherwise = format!(
                "write the name of an option, or the names of a decision without options; there is `{}`",
                known.join("`, `")
            );
            let message = format!("no choice is called `{}`", name.text);
            let help = meant_or(meant, otherwise);
            self.unknown::<()>("unknown-name", name, message, help);
        }
    }
}

impl Compiler<'_> {
    fn position_form(&mut self) -> Option<NotedPosition> {
        let def = self.def;
        let (letter, words) = def.texts.notation.position.split_first()?;
        let board = def
            .positions
            .drawn
            .as_ref()
            .map(|start| start.on.text.as_str());
        let mut families = self.b.program.families.iter();
        let Some(on) = families.position(|family| Some(family.name.as_str()) == board) else {
            let help =
                "declare `start`, which reads positions, with the spaces `on` which they stand";
            let message = "the game does not say how a position is drawn";
            return self.problem("drawn-position", letter.span, message, help);
        };
        let (on, mark) = (on as FamilyId, self.scope.mark());
        let space = self.scope.temp(Ty::one(Some(Type::Zone(Some(on)))));
        self.scope.push_it(space, Some(Type::Zone(Some(on))));
        let letter = self.form(letter);
        self.scope.reset(mark);
        let words = words.iter().map(|word| self.form(word));
        let words = words.collect::<Option<_>>()?;
        letter.map(|letter| NotedPosition {
            on,
            space,
            letter,
            words,
        })
    }

    /// Reports letters of a type or of a key of zones that has more values, and those that no form uses.
    fn letters_fit(&mut self) {
        let notation = &self.def.texts.notation;
        let forms = notation.choices.iter().flat_map(|(_, forms)| forms);
        let forms = forms.chain(&notation.position);
        let holes = forms.flat_map(ast::Text::holes).filter_map(named_last);
        let used: Vec<&str> = holes.map(|name| name.text.as_str()).collect();
        for (name, letters) in &notation.letters {
            let program = &self.b.program;
            let of_type = program.enums.iter().find(|of| of.name == name.text);
            if of_type.is_none() && !used.contains(&name.text.as_str()) {
                let meant = did_you_mean(&name.text, used.iter().copied());
                let otherwise =
                    "write what a hole names last, `column` for `{s.column}`, or a type";
                let message = format!("no form has a hole that ends with `{}`", name.text);
                let help = meant_or(meant, otherwise);
                let warning = Diagnostic::warning("unused", name.span, message);
                self.report.push(warning.help(help));
                continue;
            }
            let families = program.families.iter();
            let mut keys = families.flat_map(|family| &family.keys);
            let key = keys.find(|key| key.name == name.text && key.of == Type::Int);
            let values = of_type.map(|of| of.values.len());
            let values = values.or_else(|| Some(*key?.values.iter().max()? as usize));
            if let Some(values) = values.filter(|values| letters.len() < *values) {
                let message = format!(
                    "`{}` has {values} values, but only {} letters",
                    name.text,
                    letters.len()
                );
                let help = "write a letter for each value, `abcdefgh`, or a list of texts";
                self.problem::<()>("wrong-shape", name.span, message, help);
            }
        }
    }
}

/// Returns how the notation refers to an option: by its name, or else by the names that it binds.
fn called(option: &str, binders: &[BinderInfo]) -> String {
    if !option.is_empty() {
        return option.to_owned();
    }
    let names: Vec<&str> = binders.iter().map(|binder| binder.name.as_str()).collect();
    names.join(" ")
}

fn named_last(expr: &ast::Expr) -> Option<&Name> {
    if let ExprKind::Index(of, _) = &expr.kind {
        return named_last(of);
    }
    let (ExprKind::Name(name) | ExprKind::Field(_, name, _) | ExprKind::Call(name, _)) = &expr.kind
    else {
        return None;
    };
    Some(name)
}
