//! The names that a text binds and uses.

use super::index::{Declared, Index, Role, Use, What, root_of};
use wyrmgate_lang::ast::{
    Binder, BinderCount, Block, Choose, ChooseOption, Expr, ExprKind, Finish, Name, Place, Stmt,
    StmtKind, Text, TextPart,
};

/// An effect text, a query or a value.
pub struct Body<'i> {
    index: &'i mut Index,
    number: u32,
}

impl<'i> Body<'i> {
    pub fn new(index: &'i mut Index) -> Body<'i> {
        index.bodies += 1;
        let number = index.bodies;
        Body { index, number }
    }

    pub fn local(&mut self, name: &Name, of: &str, of_name: Option<&Name>) {
        if let Some(of) = of_name {
            self.used(of, Role::Name);
        }
        let shown = match of.is_empty() {
            true => name.text.clone(),
            false => format!("{}: {of}", name.text),
        };
        self.index.declare(Declared {
            name: name.text.clone(),
            what: What::Local,
            span: name.span,
            body: Some(self.number),
            of: of.to_owned(),
            shown,
        });
    }

    fn used(&mut self, name: &Name, role: Role) {
        self.index.uses.push(Use {
            name: name.text.clone(),
            span: name.span,
            role,
            body: Some(self.number),
        });
    }

    fn cited(&mut self, clauses: &[Name]) {
        clauses
            .iter()
            .for_each(|clause| self.used(clause, Role::Clause));
    }

    // ---- expressions

    pub fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Int(_) | ExprKind::Bool(_) | ExprKind::None | ExprKind::It => {}
            ExprKind::Text(text) => self.text(text),
            ExprKind::Name(name) => self.used(name, Role::Name),
            ExprKind::ItField(name, args) => {
                self.used(name, Role::Member);
                self.exprs(args.iter().flatten());
            }
            ExprKind::Field(of, name, args) => {
                self.expr(of);
                self.used(name, Role::Member);
                self.exprs(args.iter().flatten());
            }
            ExprKind::Call(name, args) => {
                self.used(name, Role::Name);
                self.exprs(args);
            }
            ExprKind::List(items) => self.exprs(items),
            ExprKind::Unary(_, one) => self.expr(one),
            ExprKind::Index(a, b)
            | ExprKind::Range(a, b)
            | ExprKind::Binary(_, a, b)
            | ExprKind::Where(a, b) => {
                self.exprs([&**a, &**b]);
            }
            ExprKind::Is { subject, what, .. } => {
                self.expr(subject);
                self.used(what, Role::Name);
            }
            ExprKind::If(a, b, c) => self.exprs([&**a, &**b, &**c]),
            ExprKind::Sorted { of, key, .. } | ExprKind::With { of, key, .. } => {
                self.exprs([&**of, &**key])
            }
            ExprKind::Quantified {
                name,
                of,
                condition,
                ..
            } => {
                self.expr(of);
                self.local(name, &root_of(of), None);
                self.expr(condition);
            }
            ExprKind::Cited(of, clauses) => {
                self.expr(of);
                self.cited(clauses);
            }
        }
    }

    fn exprs<'e>(&mut self, exprs: impl IntoIterator<Item = &'e Expr>) {
        exprs.into_iter().for_each(|expr| self.expr(expr));
    }

    fn text(&mut self, text: &Text) {
        for part in &text.parts {
            if let TextPart::Hole(expr, _) = part {
                self.expr(expr);
            }
        }
    }

    // ---- statements

    pub fn block(&mut self, block: &Block) {
        block.iter().for_each(|statement| self.statement(statement));
    }

    fn statement(&mut self, statement: &Stmt) {
        self.cited(&statement.cites);
        match &statement.kind {
            StmtKind::Let { name, value } => {
                self.expr(value);
                self.local(name, &root_of(value), None);
            }
            StmtKind::Set { target, value, .. } => self.exprs([target, value]),
            StmtKind::If { arms, otherwise } => {
                for (condition, body) in arms {
                    self.expr(condition);
                    self.block(body);
                }
                otherwise.iter().for_each(|body| self.block(body));
            }
            StmtKind::Each { name, of, body } => {
                self.expr(of);
                self.local(name, &root_of(of), None);
                self.block(body);
            }
            StmtKind::Repeat { times, body } => {
                self.exprs(times);
                self.block(body);
            }
            StmtKind::While { condition, body } => self.headed(condition, body),
            StmtKind::TurnOf { who, body } | StmtKind::As { who, body } => self.headed(who, body),
            StmtKind::Turns { from, body } => self.headed(from, body),
            StmtKind::Phase { body, .. } | StmtKind::Round { body } => self.block(body),
            StmtKind::Choose(choose) => self.choose(choose),
            StmtKind::Ask {
                who,
                prompt,
                yes,
                no,
                ..
            } => {
                self.exprs(who);
                self.text(prompt);
                self.block(yes);
                no.iter().for_each(|body| self.block(body));
            }
            StmtKind::Phrase { terms } => self.phrase(terms),
            other => self.physical(other),
        }
    }

    fn headed(&mut self, head: &Expr, body: &Block) {
        self.expr(head);
        self.block(body);
    }

    fn physical(&mut self, statement: &StmtKind) {
        match statement {
            StmtKind::Move {
                what,
                to,
                place,
                turned,
                ..
            } => {
                self.exprs([what, to]);
                if let Place::At(at) = place {
                    self.expr(at);
                }
                self.exprs(turned);
            }
            StmtKind::Draw {
                count, from, to, ..
            } => self.exprs([count, from, to]),
            StmtKind::Shuffle { zone } => self.expr(zone),
            StmtKind::Roll { dice } => self.expr(dice),
            StmtKind::Swap { one, other } => self.exprs([one, other]),
            StmtKind::Turn { what, .. } => self.expr(what),
            StmtKind::Show { what, to } => self.exprs([what, to]),
            StmtKind::Say { text, to } => {
                self.text(text);
                self.exprs(to);
            }
            StmtKind::Finish(Finish::RankedBy { keys, .. }) => self.exprs(keys),
            StmtKind::Finish(Finish::WonBy(who)) => self.expr(who),
            _ => {}
        }
    }

    /// Handles a call of an effect, whose bare words may belong to its name.
    fn phrase(&mut self, terms: &[Expr]) {
        let word = |term: &Expr| match &term.kind {
            ExprKind::Name(name) => Some(name.clone()),
            _ => None,
        };
        let words: Vec<Option<Name>> = terms.iter().map(word).collect();
        let texts: Vec<Option<&str>> = words
            .iter()
            .map(|word| word.as_ref().map(|name| name.text.as_str()))
            .collect();
        let Some(number) = self.index.phrase(&texts) else {
            return self.exprs(terms);
        };
        let found = self
            .index
            .phrases
            .iter()
            .find(|(effect, _)| *effect == number);
        let is_word: Vec<bool> = found.map_or(Vec::new(), |(_, parts)| {
            parts
                .iter()
                .map(|part| matches!(part, super::index::Part::Word(_)))
                .collect()
        });
        for ((term, word), is_word) in terms.iter().zip(words).zip(is_word) {
            match word.filter(|_| is_word) {
                Some(name) => self.used(&name, Role::Effect(number)),
                None => self.expr(term),
            }
        }
    }

    // ---- decisions

    fn choose(&mut self, choose: &Choose) {
        self.exprs(&choose.who);
        if let Some((name, of)) = &choose.each {
            self.expr(of);
            self.local(name, &root_of(of), None);
        }
        choose.prompt.iter().for_each(|prompt| self.text(prompt));
        choose.options.iter().for_each(|option| self.option(option));
        choose.body.iter().for_each(|body| self.block(body));
        choose.otherwise.iter().for_each(|body| self.block(body));
    }

    fn option(&mut self, option: &ChooseOption) {
        option.label.iter().for_each(|label| self.text(label));
        option.binders.iter().for_each(|binder| self.binder(binder));
        self.exprs(&option.condition);
        let default = option.default.as_ref();
        default
            .iter()
            .for_each(|default| self.exprs(&default.condition));
        self.cited(&option.cites);
        option.body.iter().for_each(|body| self.block(body));
    }

    fn binder(&mut self, binder: &Binder) {
        if let BinderCount::Exactly(count) | BinderCount::UpTo(count) = &binder.count {
            self.expr(count);
        }
        self.expr(&binder.of);
        let bound = (binder.name.text.clone(), binder.name.span);
        self.index.binders.push(bound);
        self.local(&binder.name, &root_of(&binder.of), None);
    }
}
