//! Builds parts of the syntax tree that no author wrote, for constructs that are translated as others. A name with a
//! space in it cannot collide with one of the game.

use wyrmgate_base::diagnostic::Span;
use wyrmgate_lang::ast::{BinaryOp, Expr, ExprKind, Name, Stmt, StmtKind};

/// Builds expressions that all have the same location.
#[derive(Clone, Copy)]
pub struct Tree {
    pub span: Span,
}

impl Tree {
    pub fn of(self, kind: ExprKind) -> Expr {
        Expr::new(kind, self.span)
    }

    pub fn word(self, text: &str) -> Name {
        Name::new(text, self.span)
    }

    pub fn name(self, text: &str) -> Expr {
        self.of(ExprKind::Name(self.word(text)))
    }

    pub fn int(self, number: i32) -> Expr {
        self.of(ExprKind::Int(number))
    }

    pub fn binary(self, op: BinaryOp, left: Expr, right: Expr) -> Expr {
        self.of(ExprKind::Binary(op, Box::new(left), Box::new(right)))
    }

    pub fn call(self, name: &str, args: Vec<Expr>) -> Expr {
        self.of(ExprKind::Call(self.word(name), args))
    }

    pub fn either(self, condition: Expr, then: Expr, otherwise: Expr) -> Expr {
        let (condition, then) = (Box::new(condition), Box::new(then));
        self.of(ExprKind::If(condition, then, Box::new(otherwise)))
    }

    /// `let name = value; body`
    pub fn named(self, name: &str, value: Expr, body: Expr) -> Expr {
        self.of(ExprKind::Let {
            name: self.word(name),
            value: Box::new(value),
            body: Box::new(body),
        })
    }

    /// `name in list where condition`
    pub fn members(self, name: &str, list: Expr, condition: Option<Expr>) -> Expr {
        let list = self.binary(BinaryOp::In, self.name(name), list);
        match condition {
            Some(condition) => self.of(ExprKind::Where(Box::new(list), Box::new(condition))),
            None => list,
        }
    }

    pub fn statement(self, kind: StmtKind) -> Stmt {
        Stmt {
            kind,
            span: self.span,
            cites: Vec::new(),
        }
    }

    pub fn is(self, subject: Expr, what: &str) -> Expr {
        self.of(ExprKind::Is {
            subject: Box::new(subject),
            negated: false,
            what: self.word(what),
        })
    }
}

/// Returns `x in S where …` for `S where …`.
pub fn named(name: &Expr, list: &Expr) -> Expr {
    let kind = if let ExprKind::Where(of, condition) = &list.kind {
        ExprKind::Where(Box::new(named(name, of)), condition.clone())
    } else {
        let (name, list) = (Box::new(name.clone()), Box::new(list.clone()));
        ExprKind::Binary(BinaryOp::In, name, list)
    };
    let span = list.span;
    Expr::new(kind, span)
}
