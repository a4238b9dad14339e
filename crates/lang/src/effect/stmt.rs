//! Statements that compute, repeat and say.

use pest::iterators::Pairs;

use super::Rule;
use super::builder::{Builder, Part, next, skip_to};
use crate::ast::{
    BinaryOp, Binder, BinderCount, Choose, Expr, ExprKind, Finish, Name, PartMut, SetOp, Stmt,
    StmtKind, TurnOrder,
};
use wyrmgate_base::diagnostic::Span;

impl Builder<'_> {
    pub(super) fn parse_statement(&mut self, part: Part) -> Option<Stmt> {
        let span = self.head_span(&part);
        let written = part
            .clone()
            .into_inner()
            .find(|p| p.as_rule() == Rule::cites);
        let mut kind = self.parse_kind(part)?;
        let mut cites = match &mut kind {
            StmtKind::Choose(choose) => take_choice_cites(choose),
            StmtKind::Phrase { .. } => Vec::new(),
            kind => last_value(kind).map(take_cites).unwrap_or_default(),
        };
        cites.extend(
            written
                .map(|part| self.parse_cites(part))
                .unwrap_or_default(),
        );
        Some(Stmt { kind, span, cites })
    }

    fn parse_kind(&mut self, part: Part) -> Option<StmtKind> {
        let rule = part.as_rule();
        let span = self.head_span(&part);
        let mut inner = part.into_inner();
        let parts = &mut inner;
        if let Some(ordinary) = self.parse_ordinary(rule, parts) {
            return ordinary;
        }
        match rule {
            Rule::set_stmt => self.parse_set(parts),
            Rule::if_stmt => self.parse_if(parts),
            Rule::each_stmt => self.parse_each(parts, span),
            Rule::any_stmt => self.parse_any(parts, span),
            Rule::repeat_stmt => self.parse_repeat(parts),
            Rule::choose_stmt => {
                let may = next(parts, Rule::kw_may).is_some();
                let choose = Choose {
                    may,
                    ..Choose::default()
                };
                self.parse_choose(parts, span, choose)
            }
            Rule::ask_stmt => self.parse_ask(parts),
            Rule::move_stmt => self.parse_move(parts),
            Rule::finish_stmt => self.parse_finish(parts),
            Rule::jump_stmt => parse_jump(parts),
            _ => self.parse_phrase(parts),
        }
    }

    fn parse_set(&mut self, parts: &mut Pairs<Rule>) -> Option<StmtKind> {
        let target = self.next_expr(parts)?;
        let op = match parts.next()?.as_rule() {
            Rule::add_assign => SetOp::Add,
            Rule::subtract_assign => SetOp::Subtract,
            _ => SetOp::Set,
        };
        let value = self.next_expr(parts)?;
        self.check_target(&target);
        Some(StmtKind::Set { target, op, value })
    }

    fn check_target(&mut self, target: &Expr) {
        let fits = match &target.kind {
            ExprKind::Name(_) | ExprKind::Index(..) => true,
            ExprKind::Field(_, _, args) | ExprKind::ItField(_, args) => args.is_none(),
            _ => false,
        };
        if !fits {
            let help = match &target.kind {
                ExprKind::Call(..) => {
                    "a variable has its key in brackets, `score[p]`; what lies in a zone changes with `move c to hand(p)`"
                }
                _ => {
                    "you can set a variable (`x`), its value at an index (`score[p]`) or a field (`x.field`)"
                }
            };
            self.error("bad-target", target.span, "this cannot be set", help);
        }
    }

    fn parse_if(&mut self, parts: &mut Pairs<Rule>) -> Option<StmtKind> {
        let condition = self.next_expr(parts)?;
        Some(StmtKind::If {
            arms: vec![(condition, self.parse_body(parts))],
            otherwise: None,
        })
    }

    fn parse_each(&mut self, parts: &mut Pairs<Rule>, span: Span) -> Option<StmtKind> {
        let name = self.next_name(parts);
        let of = self.next_expr(parts)?;
        match parts.peek().map(|part| part.as_rule()) {
            Some(chooses @ (Rule::kw_chooses | Rule::kw_may)) => {
                let choose = Choose {
                    each: Some((name, of)),
                    may: chooses == Rule::kw_may,
                    ..Choose::default()
                };
                self.parse_choose(parts, span, choose)
            }
            _ => Some(StmtKind::Each {
                name,
                of,
                body: self.parse_body(parts),
            }),
        }
    }

    fn parse_any(&mut self, parts: &mut Pairs<Rule>, span: Span) -> Option<StmtKind> {
        let name = self.next_name(parts);
        let of = self.next_expr(parts)?;
        let choose = Choose {
            each: Some((name, of)),
            first: true,
            may: next(parts, Rule::kw_may).is_some(),
            ..Choose::default()
        };
        self.parse_choose(parts, span, choose)
    }

    pub(super) fn parse_order(&mut self, parts: &mut Pairs<Rule>) -> TurnOrder {
        let mut order = TurnOrder::default();
        let is_option = |rule| matches!(rule, Rule::turns_by | Rule::skipping | Rule::repeating);
        while let Some(part) = parts.peek().filter(|part| is_option(part.as_rule())) {
            parts.next();
            let place = match part.as_rule() {
                Rule::turns_by => &mut order.by,
                Rule::skipping => &mut order.skipping,
                _ => &mut order.repeating,
            };
            self.set_once(place, &part, Self::expr_in);
        }
        order
    }

    fn parse_repeat(&mut self, parts: &mut Pairs<Rule>) -> Option<StmtKind> {
        parts.next(); // `repeat`
        let times = next(parts, Rule::expr).map(|part| self.parse_whole_expr(part));
        Some(StmtKind::Repeat {
            times,
            body: self.parse_body(parts),
        })
    }

    fn parse_ask(&mut self, parts: &mut Pairs<Rule>) -> Option<StmtKind> {
        parts.next(); // `ask`
        let who = next(parts, Rule::expr).map(|part| self.parse_whole_expr(part));
        let (any, who) = any_of(who);
        let prompt = self.next_text(parts);
        let answer = next(parts, Rule::default_word).and_then(|_| parts.next());
        Some(StmtKind::Ask {
            any,
            who,
            prompt,
            default_yes: answer.is_some_and(|answer| answer.as_rule() == Rule::kw_yes),
            yes: self.parse_body(parts),
            no: None,
        })
    }

    fn parse_finish(&mut self, parts: &mut Pairs<Rule>) -> Option<StmtKind> {
        let is_manner = |rule| matches!(rule, Rule::ranked | Rule::won | Rule::kw_drawn);
        let manner = skip_to(parts, is_manner)?;
        Some(StmtKind::Finish(match manner.as_rule() {
            Rule::ranked => self.parse_ranked(manner),
            Rule::won => Finish::WonBy(self.next_expr(&mut manner.into_inner())?),
            _ => Finish::Drawn,
        }))
    }

    fn parse_ranked(&mut self, part: Part) -> Finish {
        let ties_drawn = part.clone().into_inner().any(|p| p.as_rule() == Rule::ties);
        let keys = part.into_inner().filter(|p| p.as_rule() == Rule::expr);
        Finish::RankedBy {
            keys: keys.map(|p| self.parse_whole_expr(p)).collect(),
            ties_drawn,
        }
    }

    fn parse_phrase(&mut self, parts: &mut Pairs<Rule>) -> Option<StmtKind> {
        let mut terms = Vec::new();
        for part in parts {
            match part.as_rule() {
                Rule::term => terms.extend(apart(self.parse_whole_expr(part))),
                Rule::reserved_word => {
                    let name = self.name(&part);
                    let span = name.span;
                    terms.push(Expr::new(ExprKind::Name(name), span));
                }
                _ => {}
            }
        }
        Some(StmtKind::Phrase { terms })
    }
}

/// Returns the number and the word of `2 wood`, which a phrase can say with a word of its own: `d moves 2 spaces`.
fn apart(term: Expr) -> Vec<Expr> {
    match term.kind {
        ExprKind::Binary(BinaryOp::Portion, number, word) => vec![*number, *word],
        kind => vec![Expr::new(kind, term.span)],
    }
}

/// Splits `any p in seats where …` into the name and the list.
fn any_of(who: Option<Expr>) -> (Option<Name>, Option<Expr>) {
    let Some(mut seats) = who else {
        return (None, None);
    };
    let name = take_any(&mut seats);
    (name, Some(seats))
}

/// Removes `any p in` from the list below its filters.
fn take_any(seats: &mut Expr) -> Option<Name> {
    match &mut seats.kind {
        ExprKind::Where(of, _) | ExprKind::Sorted { of, .. } | ExprKind::With { of, .. } => {
            take_any(of)
        }
        ExprKind::Selections(binder) if binder.count == BinderCount::Any => {
            let Binder { name, of, .. } = (**binder).clone();
            *seats = of;
            Some(name)
        }
        _ => None,
    }
}

fn parse_jump(parts: &mut Pairs<Rule>) -> Option<StmtKind> {
    Some(match parts.next()?.as_str() {
        "stop" => StmtKind::Stop,
        "next" => StmtKind::Next,
        "return" => StmtKind::Return,
        "proceed" => StmtKind::Proceed,
        "prevent" => StmtKind::Prevent,
        _ => StmtKind::Resolve,
    })
}

/// Returns the expression at whose end a citation belongs to the statement: its last value. (A citation at a condition
/// stays there, because it names the clause that forbids.)
fn last_value(kind: &mut StmtKind) -> Option<&mut Expr> {
    let parts = kind.parts_mut().into_iter();
    let values = parts.filter_map(|part| match part {
        PartMut::Value(value) => Some(value),
        PartMut::Block(_) | PartMut::Place(_) | PartMut::Side(_) | PartMut::Turned(_) => None,
    });
    values.last()
}

/// Removes the citation from the end of an expression.
pub(super) fn take_cites(expr: &mut Expr) -> Vec<Name> {
    let placeholder = ExprKind::None;
    match std::mem::replace(&mut expr.kind, placeholder) {
        ExprKind::Cited(inner, cites) => {
            *expr = *inner;
            cites
        }
        kind => {
            expr.kind = kind;
            Vec::new()
        }
    }
}

fn take_choice_cites(choose: &mut Choose) -> Vec<Name> {
    let options = choose
        .options
        .iter_mut()
        .filter(|option| option.body.is_none());
    let mut cites: Vec<Name> = options
        .flat_map(|option| std::mem::take(&mut option.cites))
        .collect();
    cites.extend(choose.who.as_mut().map(take_cites).unwrap_or_default());
    cites
}
