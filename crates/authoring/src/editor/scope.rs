//! The names that a text binds and uses.

use super::index::{DeclaredName, NameIndex, NamedThing, Role, root_of};
use wyrmgate_lang::ast::{Block, Expr, ExprKind, Name, Part, Stmt, StmtKind, Text, named_list};

/// An effect text, a query or a value.
pub struct EditedCode<'i> {
    index: &'i mut NameIndex,
    number: u32,
}

impl<'i> EditedCode<'i> {
    pub fn new(index: &'i mut NameIndex) -> EditedCode<'i> {
        index.bodies += 1;
        let number = index.bodies;
        EditedCode { index, number }
    }

    pub fn local(&mut self, name: &Name, of: &str, of_name: Option<&Name>) {
        if let Some(of) = of_name {
            self.used(of, Role::Name);
        }
        let shown = match of.is_empty() {
            true => name.text.clone(),
            false => format!("{}: {of}", name.text),
        };
        self.index.declare(DeclaredName {
            name: name.text.clone(),
            what: NamedThing::Local,
            span: name.span,
            body: Some(self.number),
            of: of.to_owned(),
            shown,
        });
    }

    fn used(&mut self, name: &Name, role: Role) {
        self.index.note_use(name, role, Some(self.number));
    }

    fn cited(&mut self, clauses: &[Name]) {
        for clause in clauses {
            self.used(clause, Role::Clause);
        }
    }

    // ---- expressions

    pub fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Name(name) | ExprKind::Is { what: name, .. } => self.used(name, Role::Name),
            ExprKind::ItField(name, _) | ExprKind::Field(_, name, _) => {
                self.used(name, Role::Member);
            }
            ExprKind::Call(name, args) => {
                self.used(name, Role::Name);
                args.first().into_iter().for_each(|first| self.named(first));
            }
            ExprKind::Where(of, _) | ExprKind::Sorted { of, .. } | ExprKind::With { of, .. } => {
                self.named(of);
            }
            ExprKind::Let {
                name, value: of, ..
            }
            | ExprKind::Quantified { name, of, .. } => {
                self.local(name, &root_of(of), None);
            }
            ExprKind::Cited(_, clauses) => self.cited(clauses),
            // The others name nothing themselves.
            _ => {}
        }
        self.exprs(expr.parts());
    }

    /// Declares the name of `x in S` in place of a list.
    fn named(&mut self, list: &Expr) {
        if let Some((name, of)) = named_list(list) {
            self.local(name, &root_of(of), None);
        }
    }

    fn exprs<'e>(&mut self, exprs: impl IntoIterator<Item = &'e Expr>) {
        exprs.into_iter().for_each(|expr| self.expr(expr));
    }

    fn text(&mut self, text: &Text) {
        self.exprs(text.holes());
    }

    // ---- statements

    pub fn block(&mut self, block: &Block) {
        block.iter().for_each(|statement| self.statement(statement));
    }

    fn statement(&mut self, statement: &Stmt) {
        self.cited(&statement.cites);
        if let StmtKind::Choose(choose) = &statement.kind {
            let names = choose
                .options
                .iter()
                .filter_map(|option| option.name.as_ref());
            self.index
                .choices
                .extend(names.map(|name| name.text.clone()));
        }
        match &statement.kind {
            StmtKind::Phrase { terms } => self.phrase(terms),
            other => self.parts(other.parts()),
        }
    }

    fn parts(&mut self, parts: Vec<Part>) {
        let mut bound = None;
        for part in parts {
            match part {
                Part::Bound(name) => bound = Some(name),
                Part::Chosen(name) => {
                    self.index.binders.push((name.text.clone(), name.span));
                    bound = Some(name);
                }
                Part::Value(value) | Part::Condition(value) => {
                    self.expr(value);
                    if let Some(name) = bound.take() {
                        self.local(name, &root_of(value), None);
                    }
                }
                Part::Text(text) => self.text(text),
                Part::Cites(clauses) => self.cited(clauses),
                Part::Block(block) => self.block(block),
            }
        }
    }

    /// Handles a call of an effect, whose bare words may belong to its name.
    fn phrase(&mut self, terms: &[Expr]) {
        let word = |term: &Expr| match &term.kind {
            ExprKind::Name(name) => Some(name.clone()),
            _ => None,
        };
        let words: Vec<Option<Name>> = terms.iter().map(word).collect();
        let bare: Vec<Option<&Name>> = words.iter().map(Option::as_ref).collect();
        let Some((number, own)) = self.index.phrase(&bare).cloned() else {
            return self.exprs(terms);
        };
        for ((term, word), own) in terms.iter().zip(&words).zip(own) {
            match word.as_ref().filter(|_| own.is_some()) {
                Some(name) => self.used(name, Role::Effect(number)),
                None => self.expr(term),
            }
        }
    }
}
