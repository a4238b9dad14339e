//! Warnings about new values of names of an effect that nothing reads, and about variables that nothing sets:
//! `each q in offers: q.gives = 1 tea` changes a copy.
//!
//! A statement reads what an earlier statement has set if it follows in the text, or if both are in a loop that begins
//! after the name.

use std::collections::BTreeSet;

use super::naming;
use crate::names::walk::{self, words};
use wyrmgate_base::diagnostic::{Diagnostic, Report, Span};
use wyrmgate_lang::ast::{Block, Expr, ExprKind, Finish, Name, Part, Stmt, StmtKind};
use wyrmgate_lang::definition::Definition;

pub fn warn(definition: &Definition, report: &mut Report) {
    never_set(definition, report);
    let records = definition.values.records.iter();
    let records: BTreeSet<&str> = records.map(|record| &*record.name.text).collect();
    // `deals` are a list of `deal`.
    let is_record = |of: &str| records.contains(of) || records.contains(of.trim_end_matches('s'));
    let vars = definition.vars.iter();
    let of_records = vars.filter(|var| is_record(&var.of.text));
    let lists = of_records.map(|var| &*var.name.text).collect();
    for text in naming::texts(definition) {
        let mut walk = NameReads {
            lists: &lists,
            report,
            locals: Vec::new(),
            loops: Vec::new(),
            now: 0,
        };
        text.params.iter().for_each(|param| walk.bind(param, None));
        walk.block(text.body);
        walk.end_names(0);
    }
}

/// Variables without a value at the start that no statement assigns.
fn never_set(definition: &Definition, report: &mut Report) {
    let (mut set, mut has_rounds, mut ranked) = (BTreeSet::new(), false, None);
    for text in walk::texts(definition) {
        walk::blocks(text, &mut |block| {
            for statement in block {
                let kind = &statement.kind;
                has_rounds |= matches!(kind, StmtKind::Round { .. });
                if let StmtKind::Set { target, .. } = kind {
                    set.extend(first_name(target));
                } else if let StmtKind::Phrase { terms } = kind {
                    let scores = terms.iter().any(|term| walk::mentions(term, &["scores"]));
                    set.extend(scores.then_some("score"));
                } else if let StmtKind::Finish(Finish::RankedBy { keys, .. }) = kind {
                    ranked = ranked.or(keys.iter().flat_map(Expr::all).find(|key| is_score(key)));
                }
            }
        });
    }
    if let Some(score) = ranked.filter(|_| !set.contains("score")) {
        let message = "no rule changes `score`, so all seats rank alike";
        let help = "write `p scores 2` where points are won, or rank by something else";
        report.push(Diagnostic::warning("never-set", score.span, message).help(help));
    }
    let lasting = definition.vars.iter().filter_map(|var| var.lasts.as_ref());
    for lasts in lasting.filter(|lasts| lasts.text == "round" && !has_rounds) {
        let message = "no round ever ends, so this lasts to the end of the game";
        let help = "write `round:` around the turns of a round, or `lasts: turn`";
        report.push(Diagnostic::warning("no-round", lasts.span, message).help(help));
    }
    let told: BTreeSet<Span> = report.diagnostics.iter().map(|told| told.span).collect();
    for var in &definition.vars {
        let name = &var.name;
        let is_known = var.start.is_some() || set.contains(&*name.text);
        if !is_known && !told.contains(&name.span) && !definition.is_overlaid(name.span) {
            let message = format!("no rule sets `{}`, so it never changes", name.text);
            let help = "set it somewhere, or give it a value with `start`; another name may be meant there";
            report.push(Diagnostic::warning("never-set", name.span, message).help(help));
        }
    }
}

/// `score[it]`, `.score`
fn is_score(expr: &Expr) -> bool {
    matches!(&expr.kind, ExprKind::Name(name) | ExprKind::Field(_, name, _) | ExprKind::ItField(name, _)
        if name.text == "score")
}

/// `offers` of `offers[2].gives`
fn first_name(target: &Expr) -> Option<&str> {
    match &target.kind {
        ExprKind::Name(name) => Some(&name.text),
        ExprKind::Index(of, _) | ExprKind::Field(of, ..) => first_name(of),
        _ => None,
    }
}

/// A name of an effect, and where it is read and set, as numbers of statements in the order of the text.
struct ScopedName<'d> {
    name: &'d Name,
    /// The list of records of which it is a member, so that its parts are copies.
    of: Option<&'d str>,
    /// The number of loops around it.
    depth: usize,
    last_read: usize,
    writes: Vec<Write>,
}

/// An assignment, and the first statement that could read it.
struct Write {
    span: Span,
    read_from: usize,
}

struct NameReads<'d, 'r> {
    /// Variables that are lists of records.
    lists: &'r BTreeSet<&'d str>,
    report: &'r mut Report,
    locals: Vec<ScopedName<'d>>,
    /// Where each loop around the statement begins.
    loops: Vec<usize>,
    /// The number of the statement.
    now: usize,
}

impl<'d> NameReads<'d, '_> {
    fn bind(&mut self, name: &'d Name, of: Option<&'d str>) {
        self.locals.push(ScopedName {
            name,
            of,
            depth: self.loops.len(),
            last_read: 0,
            writes: Vec::new(),
        });
    }

    fn block(&mut self, block: &'d Block) {
        let outside = self.locals.len();
        block.iter().for_each(|statement| self.statement(statement));
        self.end_names(outside);
    }

    fn statement(&mut self, statement: &'d Stmt) {
        self.now += 1;
        if let StmtKind::Set { target, value, .. } = &statement.kind {
            self.read(value);
            return self.set(target);
        }
        let is_loop = match &statement.kind {
            StmtKind::Choose(choose) => choose.sequence.is_some(),
            kind => matches!(
                kind,
                StmtKind::Each { .. }
                    | StmtKind::Repeat { .. }
                    | StmtKind::While { .. }
                    | StmtKind::Turns { .. }
            ),
        };
        if is_loop {
            self.loops.push(self.now);
        }
        let mut named = None;
        for part in statement.kind.parts() {
            match part {
                Part::Bound(name) | Part::Chosen(name) => named = Some(name),
                Part::Value(value) | Part::Condition(value) => {
                    self.read(value);
                    if let Some(name) = named.take() {
                        let mut lists = words(value).map(|name| &*name.text);
                        self.bind(name, lists.find(|name| self.lists.contains(name)));
                    }
                }
                Part::Text(text) => text.holes().for_each(|hole| self.read(hole)),
                Part::Block(block) => self.block(block),
                Part::Cites(_) => {}
            }
        }
        if is_loop {
            self.loops.pop();
        }
        if statement.kind == StmtKind::Proceed {
            let now = self.now;
            let all = self.locals.iter_mut();
            all.for_each(|local| local.last_read = now);
        }
    }

    fn read(&mut self, value: &Expr) {
        words(value).for_each(|name| self.read_name(&name.text));
    }

    fn read_name(&mut self, name: &str) {
        let mut inner = self.locals.iter_mut().rev();
        if let Some(local) = inner.find(|local| local.name.text == name) {
            local.last_read = self.now;
        }
    }

    fn set(&mut self, target: &'d Expr) {
        let (name, is_part) = match &target.kind {
            ExprKind::Field(of, ..) => (of.as_name(), true),
            _ => (target.as_name(), false),
        };
        let mut inner = self.locals.iter_mut().rev();
        let local = name.and_then(|name| inner.find(|local| local.name.text == name.text));
        match local.filter(|local| !is_part || local.of.is_some()) {
            Some(local) => {
                let since = self.loops.get(local.depth).copied();
                local.writes.push(Write {
                    span: target.span,
                    read_from: since.unwrap_or(self.now + 1),
                });
            }
            None => self.read(target),
        }
    }

    /// Ends the names after the first ones.
    fn end_names(&mut self, outside: usize) {
        for local in self.locals.drain(outside..) {
            let name = &local.name.text;
            let unread = |write: &&Write| local.last_read < write.read_from;
            for write in local.writes.iter().filter(unread) {
                let message = format!("nothing reads this new value of `{name}`");
                let help = match local.of {
                    Some(list) => format!(
                        "`{name}` is a copy of a member; assign to the list itself: `{list}[1] = …`"
                    ),
                    None => format!(
                        "`{name}` is a name of this effect only; assign the variable or the field that you mean"
                    ),
                };
                let warning = Diagnostic::warning("unread", write.span, message);
                self.report.push(warning.help(help));
            }
        }
    }
}
