//! Decisions: what is chosen, by whom, and what follows.

use pest::iterators::Pairs;

use super::Rule;
use super::block::statements;
use super::builder::{Builder, Part, next, skip_to};
use super::stmt::take_cites;
use crate::ast::{
    BinaryOp, Binder, BinderCount, ByDefault, Choose, ChooseOption, Expr, ExprKind, Form, Name,
    Sequence, StmtKind, Text,
};
use wyrmgate_base::diagnostic::Span;

/// Words for declining.
const DECLINING: [&str; 5] = ["decline", "pass", "nothing", "nobody", "skip"];

/// The parts that may follow `choose`, in any order.
#[derive(Default)]
struct Parts {
    choose: Choose,
    member: Option<Binder>,
    binders: Vec<Binder>,
    at_random: Option<()>,
    always: Option<()>,
    label: Option<Text>,
    condition: Option<Expr>,
    default: Option<ByDefault>,
}

impl Parts {
    fn choose(self) -> Choose {
        Choose {
            at_random: self.at_random.is_some(),
            always: self.always.is_some(),
            ..self.choose
        }
    }
}

impl Builder<'_> {
    /// Parses the part after `choose` or `chooses`, whose seats are known.
    pub(super) fn parse_choose(
        &mut self,
        parts: &mut Pairs<Rule>,
        span: Span,
        choose: Choose,
    ) -> Option<StmtKind> {
        let mut said = Parts {
            choose,
            ..Parts::default()
        };
        let mut body = None;
        for part in parts {
            match part.as_rule() {
                Rule::body => body = Some(part),
                _ => self.parse_choice_part(&mut said, part),
            }
        }
        let member = said.member.take();
        let mut choose = match said.binders.is_empty() {
            true => self.menu(said, body, span),
            false => self.single(said, body, span),
        };
        if let Some(member) = member {
            for option in &mut choose.options {
                option.binders.insert(0, member.clone());
                option.body = option.body.take().or(choose.body.take());
            }
        }
        Some(StmtKind::Choose(Box::new(choose)))
    }

    fn parse_choice_part(&mut self, said: &mut Parts, part: Part) {
        match part.as_rule() {
            Rule::for_each => said.member = self.parse_member(part),
            Rule::binders => said.binders = self.parse_binders(part),
            Rule::decider => self.set_once(&mut said.choose.who, &part, Self::expr_in),
            Rule::only_if => self.set_once(&mut said.condition, &part, Self::expr_in),
            Rule::text_lit => {
                self.set_once(&mut said.choose.prompt, &part, |b, p| Some(b.parse_text(p)))
            }
            Rule::labeled => {
                let text = |b: &mut Self, part: Part| {
                    let text = skip_to(&mut part.into_inner(), |rule| rule == Rule::text_lit)?;
                    Some(b.parse_text(text))
                };
                self.set_once(&mut said.label, &part, text);
            }
            Rule::at_random => {
                let mut inner = part.clone().into_inner();
                said.choose.weight = skip_to(&mut inner, |rule| rule == Rule::weighted)
                    .and_then(|part| self.expr_in(part));
                self.set_once(&mut said.at_random, &part, |_, _| Some(()));
            }
            Rule::sequence => {
                self.set_once(&mut said.choose.sequence, &part, Self::parse_sequence);
            }
            Rule::in_any_case => self.set_once(&mut said.always, &part, |_, _| Some(())),
            Rule::by_default => {
                self.set_once(&mut said.default, &part, |b, p| Some(b.parse_default(p)));
            }
            _ => {}
        }
    }

    fn single(&mut self, mut said: Parts, body: Option<Part>, span: Span) -> Choose {
        let mut option = ChooseOption {
            name: None,
            label: said.label.take(),
            binders: std::mem::take(&mut said.binders),
            condition: said.condition.take(),
            default: said.default.take(),
            cites: Vec::new(),
            body: None,
            span,
        };
        let sequence = said.choose.sequence.as_mut();
        option.cites = cites_at_ends([
            option.binders.last_mut().map(|binder| &mut binder.of),
            option
                .default
                .as_mut()
                .and_then(|default| default.condition.as_mut()),
            sequence.and_then(|of| of.most.as_mut().or(of.worth.as_mut())),
        ]);
        let body = body.map(|body| self.parse_body_part(body));
        Choose {
            options: vec![option],
            body,
            ..said.choose()
        }
    }

    /// `choose "…":` with options below.
    fn menu(&mut self, said: Parts, body: Option<Part>, span: Span) -> Choose {
        if let Some(condition) = &said.condition {
            let message = "a condition on all options";
            let help = "put the `choose` below an `if`";
            self.error("menu-condition", condition.span, message, help);
        }
        if said.label.is_some() {
            let message = "`label` does not say which option";
            let help = "write the label of an option behind its name: `option rest \"Rest\"`";
            self.error("menu-default", span, message, help);
        }
        if let Some(default) = &said.default {
            let message = "`default` does not say which option";
            let help = "move `default` to the line of the option, before its `:`";
            self.error("menu-default", default.span, message, help);
        }
        Choose {
            options: self.parse_menu(body, span),
            ..said.choose()
        }
    }

    fn parse_menu(&mut self, body: Option<Part>, span: Span) -> Vec<ChooseOption> {
        let mut parts = match body {
            Some(body) => body.into_inner(),
            None => {
                let help = "name the choice (`choose c in hand(p)`), or list options in the lines below a `:`";
                self.error("empty-choice", span, "this `choose` offers nothing", help);
                return Vec::new();
            }
        };
        parts.next(); // the colon
        let before = self.report.diagnostics.len();
        let options = match parts.next() {
            Some(block) if block.as_rule() == Rule::block => {
                self.parse_options(&mut block.into_inner())
            }
            Some(sentence) if sentence.as_rule() == Rule::sentence => {
                self.parse_option_sentence(sentence)
            }
            _ => Vec::new(),
        };
        if options.is_empty() && self.report.diagnostics.len() == before {
            let help = "write `option NAME …: …` in the lines below";
            self.error("empty-choice", span, "this `choose` has no options", help);
        }
        options
    }

    fn parse_options(&mut self, lines: &mut Pairs<Rule>) -> Vec<ChooseOption> {
        let mut options = Vec::new();
        let mut above: Option<Part> = None;
        for line in lines.filter(|part| part.as_rule() == Rule::line) {
            self.report_unopened(above.replace(line.clone()), &line);
            match self.sentence_of(line) {
                Some(bad) if bad.as_rule() == Rule::bad => self.parse_bad(bad),
                Some(sentence) => options.extend(self.parse_option_sentence(sentence)),
                None => {}
            }
        }
        options
    }

    fn parse_option_sentence(&mut self, sentence: Part) -> Vec<ChooseOption> {
        let mut options = Vec::new();
        for part in statements(sentence) {
            match part.as_rule() {
                Rule::option_stmt => options.push(self.parse_option(part)),
                _ => self.refuse_statement(part),
            }
        }
        options
    }

    fn refuse_statement(&mut self, part: Part) {
        let help = "the lines below `choose \"…\":` must be its options: `option NAME …: …`";
        let message = "this line is not an option";
        self.error("not-an-option", self.head_span(&part), message, help);
        if part.as_rule() != Rule::else_stmt {
            self.parse_statement(part);
        }
    }

    pub(super) fn parse_option(&mut self, part: Part) -> ChooseOption {
        let span = self.head_span(&part);
        let mut parts = part.into_inner();
        let name = skip_to(&mut parts, |rule| rule == Rule::word).map(|word| self.name(&word));
        let label = next(&mut parts, Rule::text_lit).map(|text| self.parse_text(text));
        let mut binders = next(&mut parts, Rule::binders)
            .map(|part| self.parse_binders(part))
            .unwrap_or_default();
        let condition = next(&mut parts, Rule::only_if).and_then(|part| self.expr_in(part));
        let mut default = next(&mut parts, Rule::by_default).map(|part| self.parse_default(part));
        let mut cites = cites_at_ends([
            binders.last_mut().map(|binder| &mut binder.of),
            default
                .as_mut()
                .and_then(|default| default.condition.as_mut()),
        ]);
        cites.extend(
            next(&mut parts, Rule::cites)
                .map(|part| self.parse_cites(part))
                .unwrap_or_default(),
        );
        let body = Some(self.parse_body(&mut parts));
        ChooseOption {
            name,
            label,
            binders,
            condition,
            default,
            cites,
            body,
            span,
        }
    }

    fn parse_default(&mut self, part: Part) -> ByDefault {
        let span = self.span(&part);
        let mut parts = part.into_inner();
        let condition = skip_to(&mut parts, |rule| rule == Rule::expr);
        ByDefault {
            condition: condition.map(|part| self.parse_whole_expr(part)),
            span,
        }
    }

    fn parse_sequence(&mut self, part: Part) -> Option<Sequence> {
        let span = self.span(&part);
        let mut parts = part.into_inner();
        let goal = parts.next()?.as_rule();
        let worth = match goal == Rule::for_most {
            true => Some(self.next_expr(&mut parts)?),
            false => None,
        };
        Some(Sequence {
            worth,
            most: self.next_expr(&mut parts),
            until_all: goal == Rule::until_all,
            each: parts.any(|part| part.as_rule() == Rule::kw_each),
            span,
        })
    }

    fn parse_binders(&mut self, part: Part) -> Vec<Binder> {
        let binders = part
            .into_inner()
            .filter(|part| part.as_rule() == Rule::binder);
        binders.filter_map(|part| self.parse_binder(part)).collect()
    }

    fn parse_binder(&mut self, part: Part) -> Option<Binder> {
        let mut parts = part.into_inner();
        if let Some(path) = next(&mut parts, Rule::path) {
            return self.parse_path(path);
        }
        if let Some(written) = next(&mut parts, Rule::written) {
            return self.parse_written(written);
        }
        let is_repeated = next(&mut parts, Rule::kw_repeated);
        let form = match (&is_repeated, next(&mut parts, Rule::kw_ordered)) {
            (Some(_), _) => Form::Repeated,
            (None, Some(_)) => Form::Ordered,
            (None, None) => Form::Plain,
        };
        let quantity = next(&mut parts, Rule::quantity).and_then(|part| self.parse_quantity(part));
        self.repeats_how_often(is_repeated.as_ref(), quantity.as_ref());
        let count = quantity.unwrap_or(match form {
            Form::Ordered => BinderCount::All,
            Form::Plain | Form::Repeated | Form::Path(_) | Form::Written | Form::Member => {
                BinderCount::One
            }
        });
        let name = self.next_name(&mut parts);
        let of = self.next_expr(&mut parts)?;
        self.check_list(&of);
        Some(Binder {
            name,
            count,
            form,
            of,
        })
    }

    /// Parses `for each a in units(p)`.
    fn parse_member(&mut self, part: Part) -> Option<Binder> {
        let mut parts = part.into_inner();
        Some(Binder {
            name: self.next_name(&mut parts),
            count: BinderCount::One,
            form: Form::Member,
            of: self.next_expr(&mut parts)?,
        })
    }

    /// Parses `path up to 3 s from k in steps(it)`.
    fn parse_path(&mut self, part: Part) -> Option<Binder> {
        let mut parts = part.into_inner();
        next(&mut parts, Rule::kw_path);
        let length = next(&mut parts, Rule::path_length);
        let length = length.and_then(|part| part.into_inner().next());
        let count = length.and_then(|part| self.parse_quantity(part));
        let name = self.next_name(&mut parts);
        next(&mut parts, Rule::kw_from);
        let start = self.next_expr(&mut parts)?;
        let of = self.next_expr(&mut parts)?;
        self.check_list(&of);
        Some(Binder {
            name,
            count: count.unwrap_or(BinderCount::All),
            form: Form::Path(Box::new(start)),
            of,
        })
    }

    /// Parses `text t up to 20 letters where t in english`.
    fn parse_written(&mut self, part: Part) -> Option<Binder> {
        let mut parts = part.into_inner();
        next(&mut parts, Rule::kw_text);
        let name = self.next_name(&mut parts);
        let most = self.next_expr(&mut parts)?;
        let nothing = Expr::new(ExprKind::List(Vec::new()), name.span);
        let of = match skip_to(&mut parts, |rule| rule == Rule::expr) {
            Some(condition) => {
                let condition = self.parse_whole_expr(condition);
                let span = name.span.to(condition.span);
                Expr::new(
                    ExprKind::Where(Box::new(nothing), Box::new(condition)),
                    span,
                )
            }
            None => nothing,
        };
        Some(Binder {
            name,
            count: BinderCount::UpTo(most),
            form: Form::Written,
            of,
        })
    }

    /// Members that may be chosen again and again need a number.
    fn repeats_how_often(&mut self, repeated: Option<&Part>, quantity: Option<&BinderCount>) {
        let is_counted = matches!(
            quantity,
            Some(BinderCount::Exactly(_) | BinderCount::UpTo(_))
        );
        if let Some(repeated) = repeated.filter(|_| !is_counted) {
            let span = self.span(repeated);
            let message = "`repeated` does not say how many";
            let help = "write how many members are chosen in all: `repeated 5 c in S`, `repeated up to 5 c in S`";
            self.error("syntax", span, message, help);
        }
    }

    /// Rejects `c in A and d in B` and `c in A or decline`, where the author means something else than a list.
    fn check_list(&mut self, of: &Expr) {
        match &of.kind {
            ExprKind::Binary(BinaryOp::And, _, second) => {
                if let ExprKind::Binary(BinaryOp::In, name, _) = &second.kind
                    && let ExprKind::Name(name) = &name.kind
                {
                    let message = format!("`and` before a second name, `{}`", name.text);
                    let help = "separate several names with commas: `c in A, d in B`";
                    self.error("syntax", second.span, message, help);
                }
            }
            ExprKind::Binary(BinaryOp::Or, _, second) => {
                if let ExprKind::Name(name) = &second.kind
                    && DECLINING.contains(&name.text.as_str())
                {
                    let message = format!("`or {}` in a list", name.text);
                    let help = "to allow declining, write `may choose c in hand(p): …`";
                    self.error("syntax", second.span, message, help);
                }
            }
            _ => {}
        }
    }

    fn parse_quantity(&mut self, part: Part) -> Option<BinderCount> {
        let mut parts = part.into_inner();
        Some(match parts.peek()?.as_rule() {
            Rule::kw_any => BinderCount::Any,
            Rule::kw_up => BinderCount::UpTo(self.next_expr(&mut parts)?),
            _ => BinderCount::Exactly(self.next_expr(&mut parts)?),
        })
    }
}

/// Removes the citations at the ends of these parts of a line, where they belong to the choice.
fn cites_at_ends<'c>(ends: impl IntoIterator<Item = Option<&'c mut Expr>>) -> Vec<Name> {
    let ends = ends.into_iter().flatten();
    ends.flat_map(take_cites).collect()
}
