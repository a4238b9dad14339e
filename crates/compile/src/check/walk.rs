//! Walks over a definition as written.

use indexmap::IndexSet;

use wyrmgate_lang::ast::{
    BinderCount, Block, Choose, Expr, ExprKind, Finish, Name, Place, Stmt, StmtKind, Text, TextPart,
};
use wyrmgate_lang::definition::{ComponentDef, Definition};

/// Returns every effect text of a definition.
pub fn texts(def: &Definition) -> Vec<&Block> {
    let mut all: Vec<&Block> = def.effects.iter().map(|effect| &*effect.body).collect();
    all.extend(def.handlers.iter().map(|handler| &*handler.body));
    for component in &def.components {
        texts_of(component, &mut all);
    }
    all
}

fn texts_of<'d>(component: &'d ComponentDef, all: &mut Vec<&'d Block>) {
    all.extend(component.effects.iter().map(|effect| &*effect.body));
    all.extend(component.handlers.iter().map(|handler| &*handler.body));
    for kind in &component.kinds {
        texts_of(kind, all);
    }
}

/// Visits a block and all nested blocks.
pub fn blocks<'d>(block: &'d Block, visit: &mut dyn FnMut(&'d Block)) {
    visit(block);
    for statement in block {
        for inner in blocks_of(statement) {
            blocks(inner, visit);
        }
    }
}

/// Returns the blocks of a statement.
pub fn blocks_of(statement: &Stmt) -> Vec<&Block> {
    match &statement.kind {
        StmtKind::If { arms, otherwise } => {
            let arms = arms.iter().map(|(_, body)| body);
            arms.chain(otherwise).collect()
        }
        StmtKind::Each { body, .. }
        | StmtKind::Repeat { body, .. }
        | StmtKind::While { body, .. }
        | StmtKind::TurnOf { body, .. }
        | StmtKind::Turns { body, .. }
        | StmtKind::As { body, .. }
        | StmtKind::Phase { body, .. }
        | StmtKind::Round { body } => vec![body],
        StmtKind::Ask { yes, no, .. } => std::iter::once(yes).chain(no).collect(),
        StmtKind::Choose(choose) => {
            let options = choose.options.iter().filter_map(|o| o.body.as_ref());
            options
                .chain(&choose.body)
                .chain(&choose.otherwise)
                .collect()
        }
        _ => Vec::new(),
    }
}

/// Returns the names of all phases, each once, in file order.
pub fn phases(def: &Definition) -> Vec<String> {
    let mut names: IndexSet<String> = IndexSet::new();
    for text in texts(def) {
        blocks(text, &mut |block| {
            for statement in block {
                if let StmtKind::Phase { name, .. } = &statement.kind {
                    names.insert(name.text.clone());
                }
            }
        });
    }
    names.into_iter().collect()
}

/// Returns whether an expression refers to one of these names.
pub fn mentions(expr: &Expr, names: &[&str]) -> bool {
    let says = |name: &Name| names.contains(&name.text.as_str());
    if let ExprKind::Name(name) | ExprKind::Call(name, _) = &expr.kind
        && says(name)
    {
        return true;
    }
    parts(expr).into_iter().any(|part| mentions(part, names))
}

/// Returns the expressions of a statement itself, including those in its texts, without its blocks.
pub fn statement_exprs(statement: &Stmt) -> Vec<&Expr> {
    match &statement.kind {
        StmtKind::Let { value, .. } => vec![value],
        StmtKind::Set { target, value, .. } => vec![target, value],
        StmtKind::If { arms, .. } => arms.iter().map(|(condition, _)| condition).collect(),
        StmtKind::Each { of, .. } => vec![of],
        StmtKind::Repeat { times, .. } => times.iter().collect(),
        StmtKind::While { condition, .. } => vec![condition],
        StmtKind::Choose(choose) => choose_exprs(choose),
        StmtKind::Ask { who, prompt, .. } => who.iter().chain(holes(prompt)).collect(),
        StmtKind::Move {
            what,
            to,
            place,
            turned,
            ..
        } => {
            let at = match place {
                Place::At(at) => Some(at),
                Place::Top | Place::Bottom => None,
            };
            [what, to].into_iter().chain(at).chain(turned).collect()
        }
        StmtKind::Draw {
            count, from, to, ..
        } => vec![count, from, to],
        StmtKind::Shuffle { zone: one } | StmtKind::Roll { dice: one } => vec![one],
        StmtKind::Swap { one, other } => vec![one, other],
        StmtKind::Turn { what, .. } => vec![what],
        StmtKind::TurnOf { who, .. } | StmtKind::Turns { from: who, .. } => vec![who],
        StmtKind::As { who, .. } => vec![who],
        StmtKind::Say { text, to } => holes(text).chain(to).collect(),
        StmtKind::Show { what, to } => vec![what, to],
        StmtKind::Finish(Finish::RankedBy { keys, .. }) => keys.iter().collect(),
        StmtKind::Finish(Finish::WonBy(seats)) => vec![seats],
        StmtKind::Phrase { terms } => terms.iter().collect(),
        StmtKind::Phase { .. }
        | StmtKind::Round { .. }
        | StmtKind::Finish(Finish::Drawn)
        | StmtKind::Stop
        | StmtKind::Next
        | StmtKind::Return
        | StmtKind::Proceed
        | StmtKind::Prevent => Vec::new(),
    }
}

fn choose_exprs(choose: &Choose) -> Vec<&Expr> {
    let mut all: Vec<&Expr> = choose.who.iter().collect();
    all.extend(choose.each.iter().map(|(_, seats)| seats));
    all.extend(choose.prompt.iter().flat_map(holes));
    for option in &choose.options {
        all.extend(option.label.iter().flat_map(holes));
        all.extend(&option.condition);
        let default = option.default.as_ref();
        all.extend(default.and_then(|default| default.condition.as_ref()));
        for binder in &option.binders {
            all.push(&binder.of);
            if let BinderCount::Exactly(count) | BinderCount::UpTo(count) = &binder.count {
                all.push(count);
            }
        }
    }
    all
}

fn holes(text: &Text) -> impl Iterator<Item = &Expr> {
    text.parts.iter().filter_map(hole)
}

/// Returns the direct parts of an expression.
pub fn parts(expr: &Expr) -> Vec<&Expr> {
    match &expr.kind {
        ExprKind::Int(_)
        | ExprKind::Bool(_)
        | ExprKind::None
        | ExprKind::Name(_)
        | ExprKind::It => Vec::new(),
        ExprKind::Text(text) => text.parts.iter().filter_map(hole).collect(),
        ExprKind::ItField(_, args) => args.iter().flatten().collect(),
        ExprKind::Field(of, _, args) => {
            let args = args.iter().flatten();
            std::iter::once(&**of).chain(args).collect()
        }
        ExprKind::Call(_, items) | ExprKind::List(items) => items.iter().collect(),
        ExprKind::Unary(_, one) | ExprKind::Cited(one, _) => vec![one],
        ExprKind::Is { subject, .. } => vec![subject],
        ExprKind::Index(a, b)
        | ExprKind::Range(a, b)
        | ExprKind::Binary(_, a, b)
        | ExprKind::Where(a, b)
        | ExprKind::Sorted { of: a, key: b, .. }
        | ExprKind::With { of: a, key: b, .. }
        | ExprKind::Quantified {
            of: a,
            condition: b,
            ..
        } => vec![a, b],
        ExprKind::If(a, b, c) => vec![a, b, c],
    }
}

fn hole(part: &TextPart) -> Option<&Expr> {
    match part {
        TextPart::Hole(expr, _) => Some(expr),
        TextPart::Literal(_) => None,
    }
}
