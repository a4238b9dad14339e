//! The class of each word of a file, for editors that color it: a keyword, an effect, a field.

use std::path::Path;

use super::index::{NameIndex, NameUse, Role};
use super::project::Project;
use super::{NamedThing, words};
use wyrmgate_base::diagnostic::{FileId, Span};
use wyrmgate_lang::effect::Lexeme;

wyrmgate_base::named_enum! {
    /// The class of a word, as the language server protocol knows them.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Class {
        Keyword = "keyword",
        Number = "number",
        String = "string",
        Comment = "comment",
        /// The id of a clause.
        Decorator = "decorator",
        /// An effect, a query or a function.
        Function = "function",
        /// A variable of the game, its data or its options.
        Variable = "variable",
        /// A parameter, or a name bound by a statement.
        Parameter = "parameter",
        /// A field of components or zones.
        Property = "property",
        /// A type, or a kind of components.
        Type = "type",
        /// A zone.
        Class = "class",
        /// A value of a type.
        EnumMember = "enumMember",
    }
}

impl Class {
    /// In the order of their numbers.
    fn of_lexeme(lexeme: Lexeme) -> Class {
        match lexeme {
            Lexeme::Keyword => Class::Keyword,
            Lexeme::Number => Class::Number,
            Lexeme::Text => Class::String,
            Lexeme::Clause => Class::Decorator,
            Lexeme::Comment => Class::Comment,
        }
    }

    fn of_what(what: NamedThing) -> Class {
        match what {
            NamedThing::Option | NamedThing::Data | NamedThing::Var => Class::Variable,
            NamedThing::Type | NamedThing::Kind | NamedThing::Plural => Class::Type,
            NamedThing::Value => Class::EnumMember,
            NamedThing::Zone => Class::Class,
            NamedThing::Query | NamedThing::Effect => Class::Function,
            NamedThing::Clause => Class::Decorator,
            NamedThing::Field => Class::Property,
            NamedThing::Local => Class::Parameter,
        }
    }
}

/// A word and its class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Classified {
    pub span: Span,
    pub class: Class,
}

/// Returns the classes of the words of a file in order, without overlaps and each on one line. Keys of YAML that declare no
/// name are omitted.
pub fn classes(project: &Project, path: &Path) -> Vec<Classified> {
    let Some((file, text)) = project.file(path) else {
        return Vec::new();
    };
    let mut found = names_in(project.index(), file);
    let lexemes = project.written.iter().flat_map(|written| written.lexemes());
    let lexemes = lexemes.filter(|(span, _)| span.file == file);
    found.extend(lexemes.map(|(span, lexeme)| Classified {
        span,
        class: Class::of_lexeme(lexeme),
    }));
    // A name stands before the keyword that it would be elsewhere.
    found.sort_by_key(|one| one.span.start);
    let mut end = 0;
    found.retain(|one| {
        let is_free = one.span.start >= end && one.span.end > one.span.start;
        let keeps = is_free && is_on_one_line(text, one.span);
        end = if keeps { one.span.end } else { end };
        keeps
    });
    found
}

fn is_on_one_line(text: &str, span: Span) -> bool {
    let written = text.get(span.start as usize..span.end as usize);
    written.is_some_and(|written| !written.contains('\n'))
}

fn names_in(index: &NameIndex, file: FileId) -> Vec<Classified> {
    let declared = index.declared.iter().map(|declared| Classified {
        span: declared.span,
        class: Class::of_what(declared.what),
    });
    let uses = index.uses.iter().filter(|used| used.span.file == file);
    let used = uses.filter_map(|used| {
        Some(Classified {
            span: used.span,
            class: class_of(index, used)?,
        })
    });
    let declared = declared.filter(|one| one.span.file == file);
    declared.chain(used).collect()
}

/// Returns the class of a name; `None` if the rules do not say what it is.
fn class_of(index: &NameIndex, used: &NameUse) -> Option<Class> {
    let meant = index.resolve(used);
    match meant.first() {
        Some(declared) => Some(Class::of_what(declared.what)),
        None if words::is_function(&used.name) => Some(Class::Function),
        None if words::is_name(&used.name) => Some(Class::Keyword),
        None => match used.role {
            Role::Member => Some(Class::Property),
            Role::Name | Role::Clause | Role::Effect(_) => None,
        },
    }
}
