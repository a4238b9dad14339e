//! Mutations of statements: removes them, swaps their branches, or drops words.

use super::walk::MutationWalk;
use wyrmgate_base::diagnostic::Span;
use wyrmgate_lang::ast::{
    Binder, BinderCount, Block, ByDefault, Choose, ChooseOption, Expr, ExprKind, Face, Finish,
    Form, Name, PartMut, Place, SetOp, Stmt, StmtKind, UnaryOp,
};

impl MutationWalk {
    pub(super) fn block(&mut self, block: &mut Block) {
        let place = |stmt: &Stmt| {
            // Without its name, nothing below would compile.
            let is_let = matches!(stmt.kind, StmtKind::Let { .. });
            (!is_let).then(|| (stmt.span, "this statement is left out".to_owned()))
        };
        self.members(block, false, place, MutationWalk::stmt);
    }

    fn stmt(&mut self, stmt: &mut Stmt) {
        let span = stmt.span;
        match &mut stmt.kind {
            StmtKind::Set { target, op, value } => {
                self.set_op(op, span);
                self.expr(target);
                self.expr(value);
            }
            StmtKind::If { arms, otherwise } => self.branches(arms, otherwise, span),
            StmtKind::Each { of, body, .. } => self.each(of, body),
            StmtKind::Repeat { times, body } => self.repeat(times, body, span),
            StmtKind::While { condition, body } => {
                if self.is(condition.span, "this is done once at most") {
                    stmt.kind = once_if(condition.clone(), std::mem::take(body), span);
                } else {
                    self.condition(condition);
                    self.block(body);
                }
            }
            StmtKind::Choose(choose) => self.choose(choose, span),
            StmtKind::Ask {
                who,
                yes,
                no,
                default_yes,
                ..
            } => {
                if *default_yes {
                    *default_yes = !self.is(span, "`default yes` is left out");
                }
                if self.is(span, "the answers change places") {
                    let before = std::mem::take(yes);
                    *yes = no.replace(before).unwrap_or_default();
                }
                self.decider(who);
                self.block(yes);
                no.iter_mut().for_each(|block| self.block(block));
            }
            StmtKind::Turn { what, face } => {
                if self.is(span, "`up` and `down` change places") {
                    *face = match face {
                        Face::Up => Face::Down,
                        Face::Down => Face::Up,
                    };
                }
                self.expr(what);
            }
            StmtKind::Finish(finish) => self.finish(finish, span),
            other => self.parts(other.parts_mut(), span),
        }
    }

    /// Changes each part by itself.
    fn parts(&mut self, parts: Vec<PartMut>, span: Span) {
        for part in parts {
            match part {
                PartMut::Value(value) => self.expr(value),
                PartMut::Block(block) => self.block(block),
                PartMut::Place(place) => self.place(place, span),
                PartMut::Side(face) => self.face(face, span),
                PartMut::Turned(turned) => self.optional_expr(turned, "`turned` is left out"),
            }
        }
    }

    fn each(&mut self, of: &mut Expr, body: &mut Block) {
        if self.is(of.span, "only the first of them has its turn") {
            *of = first_of(of.clone());
        } else {
            self.expr(of);
            self.block(body);
        }
    }

    fn repeat(&mut self, times: &mut Option<Expr>, body: &mut Block, span: Span) {
        match times {
            Some(times) => self.expr(times),
            None if self.is(span, "this is done once only") => {
                *times = Some(number(1, span));
            }
            None => {}
        }
        self.block(body);
    }

    fn set_op(&mut self, op: &mut SetOp, span: Span) {
        let (what, other) = match op {
            SetOp::Set => return,
            SetOp::Add => ("`+=` becomes `-=`", SetOp::Subtract),
            SetOp::Subtract => ("`-=` becomes `+=`", SetOp::Add),
        };
        if self.is(span, what) {
            *op = other;
        }
    }

    fn branches(&mut self, arms: &mut [(Expr, Block)], otherwise: &mut Option<Block>, span: Span) {
        if let ([(_, then)], Some(otherwise)) = (&mut *arms, &mut *otherwise)
            && self.is(span, "`if` and `else` change places")
        {
            std::mem::swap(then, otherwise);
        }
        for (condition, body) in arms {
            self.condition(condition);
            self.block(body);
        }
        self.else_of(otherwise, span);
    }

    fn else_of(&mut self, otherwise: &mut Option<Block>, span: Span) {
        let place = |block: &Block| {
            let first = block.first().map_or(span, |stmt| stmt.span);
            (first, "`else` is left out")
        };
        self.optional(otherwise, place, MutationWalk::block);
    }

    /// Lets the active seat decide instead of another one.
    fn decider(&mut self, who: &mut Option<Expr>) {
        let kind = who.as_ref().map(|who| &who.kind);
        if !matches!(kind, Some(ExprKind::Name(name)) if name.text == "active") {
            self.optional_expr(who, "the active seat decides");
        }
    }

    fn choose(&mut self, choose: &mut Choose, span: Span) {
        self.decider(&mut choose.who);
        if choose.may {
            choose.may = !self.is(span, "`may` is left out");
        }
        choose.each.iter_mut().for_each(|(_, of)| self.expr(of));
        let place = |option: &ChooseOption| {
            let name = option.name.as_ref()?;
            Some((name.span, format!("the option `{}` is left out", name.text)))
        };
        self.members(&mut choose.options, true, place, MutationWalk::option);
        choose.body.iter_mut().for_each(|body| self.block(body));
        self.else_of(&mut choose.otherwise, span);
    }

    fn option(&mut self, option: &mut ChooseOption) {
        for binder in &mut option.binders {
            self.binder(binder);
        }
        self.optional_condition(&mut option.condition);
        let place = |default: &ByDefault| (default.span, "`default` is left out");
        self.optional(&mut option.default, place, MutationWalk::by_default);
        option.body.iter_mut().for_each(|body| self.block(body));
    }

    fn by_default(&mut self, default: &mut ByDefault) {
        let place = |condition: &Expr| (condition.span, "the condition of `default` is left out");
        self.optional(&mut default.condition, place, MutationWalk::condition);
    }

    fn binder(&mut self, binder: &mut Binder) {
        self.expr(&mut binder.of);
        if let Form::Path(start) = &mut binder.form {
            self.expr(start);
        }
        match &mut binder.count {
            BinderCount::Exactly(count) | BinderCount::UpTo(count) => self.expr(count),
            BinderCount::One | BinderCount::Any | BinderCount::All => return,
        }
        if let BinderCount::UpTo(count) = &binder.count
            && self.is(count.span, "`up to` is left out")
        {
            binder.count = BinderCount::Exactly(count.clone());
        }
    }

    fn place(&mut self, place: &mut Place, span: Span) {
        let what = match place {
            Place::Top => return,
            Place::Bottom => "`at bottom` is left out",
            Place::At(at) => {
                self.expr(at);
                "`at` is left out"
            }
        };
        if self.is(span, what) {
            *place = Place::Top;
        }
    }

    fn face(&mut self, face: &mut Option<Face>, span: Span) {
        let place = |face: &Face| match face {
            Face::Up => (span, "`face up` is left out"),
            Face::Down => (span, "`face down` is left out"),
        };
        self.optional(face, place, |_, _| {});
    }

    fn finish(&mut self, finish: &mut Finish, span: Span) {
        match finish {
            Finish::RankedBy { keys, ties_drawn } => {
                let what = match ties_drawn {
                    true => "`ties drawn` is left out",
                    false => "ties are drawn",
                };
                *ties_drawn ^= self.is(span, what);
                let place = |key: &Expr| Some((key.span, "this number is left out".to_owned()));
                self.members(keys, true, place, MutationWalk::expr);
            }
            Finish::WonBy(who) => self.expr(who),
            Finish::Drawn => {}
        }
    }
}

fn number(number: i32, span: Span) -> Expr {
    Expr::new(ExprKind::Int(number), span)
}

/// Returns a list of only its first member.
fn first_of(list: Expr) -> Expr {
    let span = list.span;
    let take = Name::new("take", span);
    Expr::new(ExprKind::Call(take, vec![list, number(1, span)]), span)
}

/// Returns a loop with at most one pass, so that `stop` and `next` in it keep their meaning.
fn once_if(condition: Expr, mut body: Block, span: Span) -> StmtKind {
    let place = condition.span;
    let not = Expr::new(ExprKind::Unary(UnaryOp::Not, Box::new(condition)), place);
    let plain = |kind: StmtKind| Stmt {
        kind,
        span,
        cites: Vec::new(),
    };
    let unless = StmtKind::If {
        arms: vec![(not, vec![plain(StmtKind::Stop)])],
        otherwise: None,
    };
    body.insert(0, plain(unless));
    StmtKind::Repeat {
        times: Some(number(1, span)),
        body,
    }
}
