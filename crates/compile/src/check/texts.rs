//! Checks the translations of a game: each translates an existing text and has its holes, and every text for people has
//! one.

use hashbrown::HashSet;
use std::collections::BTreeMap;

use crate::names::translation::{Piece, in_words, split};
use crate::names::walk;
use wyrmgate_base::diagnostic::{Diagnostic, Report, Span, did_you_mean, meant_or};
use wyrmgate_lang::ast::{Choose, Name, Part, Stmt, StmtKind, Text, TextPart};
use wyrmgate_lang::definition::{ComponentDef, Definition, OptionType, PlainText, VarDef};
use wyrmgate_program::{DECLINE, Language, WHICH_FIRST, Words};

/// A text that a person reads.
struct Known {
    /// In text order.
    holes: Vec<String>,
    span: Span,
    /// Whether every game has it, shown or not.
    is_built_in: bool,
}

/// By the keys of their translations.
type Texts = BTreeMap<String, Known>;

/// Reports wrong translations.
pub fn check(definition: &Definition, report: &mut Report) {
    check_languages(definition, report);
    if definition.texts.translations.is_empty() {
        return;
    }
    let texts = texts(definition);
    for translation in &definition.texts.translations {
        for (key, text) in &translation.texts {
            if report.is_full() {
                return;
            }
            match texts.get(&key.text) {
                Some(known) => check_holes(known, text, report),
                None if definition.is_overlaid(key.span) => {}
                None => report.push(unknown(key, &texts)),
            }
        }
    }
}

/// Reports missing translations. An overlay that translates nothing does not have to translate what it adds.
pub fn warn(definition: &Definition, report: &mut Report) {
    if definition.texts.translations.is_empty() {
        return;
    }
    let texts = texts(definition);
    for translation in &definition.texts.translations {
        let translated = translation.texts.iter();
        let translated: HashSet<&str> = translated.map(|(key, _)| key.text.as_str()).collect();
        let overlays_translate = translation
            .texts
            .iter()
            .any(|(key, _)| definition.is_of_overlay(key.span));
        let missing = texts.iter().filter(|(key, known)| {
            !known.is_built_in
                && !translated.contains(key.as_str())
                && (overlays_translate || !definition.is_of_overlay(known.span))
        });
        for (key, known) in missing {
            let language = &translation.language;
            let message = format!("`{key}` is not translated into `{}`", language.text);
            let help = format!("add it to `translations:` below `{}:`", language.text);
            let warning = Diagnostic::warning("untranslated", known.span, message)
                .related(language.span, "the translation begins here")
                .help(help);
            report.push(warning);
        }
    }
}

fn check_languages(definition: &Definition, report: &mut Report) {
    let written = definition.texts.language.as_ref();
    let written = written.map_or("en", |language| language.text.as_str());
    for translation in &definition.texts.translations {
        let language = &translation.language;
        if language.text == written {
            let message = format!("the rules are written in `{written}` themselves");
            let help =
                "change the texts in the rules, or set `language:` if they are in another language";
            let problem = Diagnostic::error("bad-language", language.span, message);
            report.push(problem.help(help));
        }
    }
}

fn unknown(key: &Name, texts: &Texts) -> Diagnostic {
    let message = format!("no text of this game reads `{}`", key.text);
    let problem = Diagnostic::error("unknown-text", key.span, message);
    let meant = did_you_mean(&key.text, texts.keys().map(String::as_str));
    let otherwise = "the key of a translation is the original text, or the id of a clause";
    problem.help(meant_or(meant, otherwise))
}

fn check_holes(known: &Known, text: &Name, report: &mut Report) {
    let pieces = split(&text.text);
    let used: Vec<&String> = pieces.iter().filter_map(hole).collect();
    let wanted = || list(&known.holes);
    for hole in used.iter().filter(|hole| !known.holes.contains(hole)) {
        let message = format!("the text has no hole `{{{hole}}}`");
        let help = match did_you_mean(hole, known.holes.iter().map(String::as_str)) {
            Some(meant) => format!("did you mean `{{{meant}}}`?"),
            None if known.holes.is_empty() => "the text has no holes".to_owned(),
            None => format!("the holes of the text are {}", wanted()),
        };
        let problem = Diagnostic::error("wrong-hole", text.span, message).help(help);
        report.push(problem.related(known.span, "the text"));
    }
    for hole in known.holes.iter().filter(|hole| !used.contains(hole)) {
        let message = format!("the translation lacks the hole `{{{hole}}}`");
        let problem = Diagnostic::error("wrong-hole", text.span, message)
            .help(format!("the holes of the text are {}", wanted()));
        report.push(problem.related(known.span, "the text"));
    }
}

fn hole(piece: &Piece) -> Option<&String> {
    match piece {
        Piece::Hole(hole) => Some(hole),
        Piece::Words(_) => None,
    }
}

fn list(holes: &[String]) -> String {
    let holes: Vec<String> = holes.iter().map(|hole| format!("`{{{hole}}}`")).collect();
    holes.join(", ")
}

// ---- what there is to read

fn texts(definition: &Definition) -> Texts {
    let mut all = All(Texts::new());
    all.text(&definition.texts.title);
    all.text(&definition.texts.about);
    for option in &definition.options {
        all.title(&option.title, &option.name);
        all.text(&option.text);
        if let OptionType::OneOf(values) = &option.of {
            values.iter().for_each(|value| all.name(value));
        }
    }
    for of in &definition.values.types {
        for (value, title) in of.values.iter().zip(&of.titles) {
            all.title(title, value);
        }
    }
    for zone in &definition.zones {
        all.title(&zone.title, &zone.name);
    }
    for kind in definition.all_kinds() {
        all.kind(kind);
    }
    for var in &definition.vars {
        all.variable(var, definition);
    }
    for clause in &definition.clauses {
        all.add(clause.id.text.clone(), Vec::new(), clause.id.span);
    }
    for text in walk::texts(definition) {
        walk::blocks(text, &mut |block| {
            block.iter().for_each(|statement| all.statement(statement));
        });
    }
    all.words();
    all.0
}

struct All(Texts);

impl All {
    fn add(&mut self, key: String, holes: Vec<String>, span: Span) {
        self.0.entry(key).or_insert(Known {
            holes,
            span,
            is_built_in: false,
        });
    }

    /// Braces in a plain text are words, as they are in its translations, which must have the same.
    fn text(&mut self, text: &PlainText) {
        if !text.text.is_empty() {
            let pieces = split(&text.text);
            let braces = pieces.iter().filter_map(hole).cloned();
            self.add(text.text.clone(), braces.collect(), text.span);
        }
    }

    fn name(&mut self, name: &Name) {
        self.add(in_words(&name.text), Vec::new(), name.span);
    }

    /// Visits the texts of a variable. The parts of a record are shown separately: `bid amount`.
    fn variable(&mut self, var: &VarDef, definition: &Definition) {
        let singular = var.of.text.strip_suffix('s');
        let is_of = |name: &str| name == var.of.text || Some(name) == singular;
        let mut records = definition.values.records.iter();
        let found = records.find(|record| is_of(&record.name.text));
        let Some(record) = found.filter(|record| record.bundle_of.is_none()) else {
            return self.name(&var.name);
        };
        for (part, _) in &record.parts {
            let words = format!("{} {}", in_words(&var.name.text), in_words(&part.text));
            self.add(words, Vec::new(), var.name.span);
        }
    }

    fn title(&mut self, title: &PlainText, name: &Name) {
        if title.text.is_empty() {
            self.name(name);
        } else {
            self.text(title);
        }
    }

    fn kind(&mut self, kind: &ComponentDef) {
        self.title(&kind.title, &kind.name);
        self.text(&kind.text);
        if let Some(holds) = &kind.holds {
            self.name(&holds.field);
        }
    }

    fn statement(&mut self, statement: &Stmt) {
        match &statement.kind {
            StmtKind::Choose(choose) => self.choose(choose),
            StmtKind::Ask { prompt, .. } => {
                self.effect_text(prompt);
                for answer in ["yes", "no"] {
                    self.add(answer.to_owned(), Vec::new(), prompt.span);
                }
            }
            StmtKind::Phase { name, .. } => self.name(name),
            other => {
                for part in other.parts() {
                    if let Part::Text(text) = part {
                        self.effect_text(text);
                    }
                }
            }
        }
    }

    fn choose(&mut self, choose: &Choose) {
        choose.prompt.iter().for_each(|text| self.effect_text(text));
        if let Some(option) = choose.options.first().filter(|_| choose.may) {
            self.add(DECLINE.to_owned(), Vec::new(), option.span);
        }
        for option in &choose.options {
            match (&option.label, &option.name) {
                (Some(label), _) => self.effect_text(label),
                (None, Some(name)) => self.name(name),
                (None, None) => {}
            }
        }
    }

    fn effect_text(&mut self, text: &Text) {
        let holes = text.parts.iter().filter_map(|part| match part {
            TextPart::Hole(_, written) => Some(written.clone()),
            TextPart::Literal(_) => None,
        });
        self.add(text.key(), holes.collect(), text.span);
    }

    /// Adds the words of the engine, all of which may be shown.
    fn words(&mut self) {
        let mut add = |word: &str| {
            self.0.entry(word.to_owned()).or_insert(Known {
                holes: Vec::new(),
                span: Span::default(),
                is_built_in: true,
            });
        };
        add(WHICH_FIRST);
        Words::default().map(|word| {
            add(word.get(Language::default()));
            word
        });
    }
}
