//! Lists every place of a definition that cites a clause, and what must run for the clause to be implemented there.

use wyrmgate_base::diagnostic::Span;
use wyrmgate_lang::ast::{Block, ChooseOption, Expr, ExprKind, Name, Stmt, StmtKind};
use wyrmgate_lang::definition::{Behavior, ComponentDef, Definition, GridDef, HandlerDef};

/// A citation of a clause.
#[derive(Debug, Clone, PartialEq)]
pub struct Citation<'d> {
    pub clause: &'d Name,
    pub by: CitedBy,
}

/// The source of a citation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CitedBy {
    /// A declaration of the whole game, which holds in every game.
    Game,
    /// A kind of components: its index among all declared ones, as [`components`] visits them.
    Kind(usize),
    /// A statement or a condition. If it has no code of its own, the enclosing one decides.
    Code { at: Span, around: Option<Span> },
    /// An option of a decision, when it is taken.
    Option(Span),
    /// A condition or a list of an option, when the option is offered.
    Offer(Span),
    /// A query, by the location of its declaration.
    Query(Span),
}

/// Returns all citations of a definition, in the order of its parts.
pub fn citations(def: &Definition) -> Vec<Citation<'_>> {
    let mut walk = Walk { all: Vec::new() };
    walk.expr(&def.players, CitedBy::Game);
    for option in &def.options {
        walk.names(&option.cites, CitedBy::Game);
        option
            .requires
            .iter()
            .chain([&option.default])
            .for_each(|expr| walk.expr(expr, CitedBy::Game));
    }
    for expr in declared(def) {
        walk.expr(expr, CitedBy::Game);
    }
    for (number, component) in components(def).into_iter().enumerate() {
        walk.names(&component.cites, CitedBy::Kind(number));
        for expr in component_exprs(component) {
            walk.expr(expr, CitedBy::Kind(number));
        }
        walk.behavior(&component.behavior);
    }
    walk.behavior(&def.behavior);
    walk.all
}

/// Returns families and kinds, each before the kinds in it.
pub fn components(def: &Definition) -> Vec<&ComponentDef> {
    def.all_kinds().collect()
}

/// Returns the expressions of data, positions, zones and variables.
pub fn declared(def: &Definition) -> Vec<&Expr> {
    let mut all: Vec<&Expr> = def.values.data.iter().map(|data| &data.value).collect();
    all.extend(def.positions.kept.iter().map(|position| &position.value));
    for zone in &def.zones {
        all.extend(zone.each.iter().map(|(_, of)| of));
        all.extend(zone.see.as_ref().map(|(see, _)| see));
        all.extend(zone.condition.iter().chain(&zone.capacity));
        all.extend(zone.directions.iter().chain(&zone.lines));
        if let Some(GridDef::Joins(ends)) = &zone.grid {
            all.push(ends);
        }
        all.extend(zone.fields.iter().map(|(_, value)| value));
    }
    for var in &def.vars {
        all.extend(var.rows.iter().map(|(_, of)| of).chain(&var.each));
        all.extend(var.see.as_ref().map(|(see, _)| see));
        all.extend(var.most.iter().chain(&var.start));
    }
    all
}

/// Returns the expressions of a kind's declaration, without its queries and effects.
pub fn component_exprs(component: &ComponentDef) -> Vec<&Expr> {
    let mut all: Vec<&Expr> = component.each.iter().map(|(_, of)| of).collect();
    all.extend(&component.copies);
    all.extend(&component.condition);
    all.extend(&component.faces);
    all.extend(component.fields.iter().map(|(_, value)| value));
    let holds = component.holds.as_ref();
    all.extend(
        holds
            .and_then(|holds| holds.see.as_ref())
            .map(|(see, _)| see),
    );
    all.extend(&component.starts_in);
    all
}

/// Returns where the code of a statement begins: `if` and `while` have no code except that of their conditions.
pub fn place_of(statement: &Stmt) -> Span {
    match &statement.kind {
        StmtKind::If { arms, .. } => arms.first().map_or(statement.span, |(c, _)| c.span),
        _ => statement.span,
    }
}

struct Walk<'d> {
    all: Vec<Citation<'d>>,
}

impl<'d> Walk<'d> {
    fn names(&mut self, clauses: &'d [Name], by: CitedBy) {
        let cited = clauses.iter().map(|clause| Citation { clause, by });
        self.all.extend(cited);
    }

    fn expr(&mut self, expr: &'d Expr, by: CitedBy) {
        for part in expr.all() {
            if let ExprKind::Cited(_, clauses) = &part.kind {
                self.names(clauses, by);
            }
        }
    }

    fn behavior(&mut self, behavior: &'d Behavior) {
        for query in &behavior.queries {
            self.expr(&query.body, CitedBy::Query(query.span));
        }
        for effect in &behavior.effects {
            self.block(&effect.body, None);
        }
        for handler in &behavior.handlers {
            self.handler(handler);
        }
        for modifier in &behavior.modifiers {
            for expr in modifier.exprs() {
                self.expr(expr, CitedBy::Query(modifier.span));
            }
        }
    }

    fn handler(&mut self, handler: &'d HandlerDef) {
        for expr in handler.exprs() {
            let (at, around) = (expr.span, None);
            self.expr(expr, CitedBy::Code { at, around });
        }
        self.block(&handler.body, None);
    }

    fn block(&mut self, block: &'d Block, around: Option<Span>) {
        for statement in block {
            self.statement(statement, around);
            let place = Some(place_of(statement));
            for inner in statement.blocks() {
                self.block(inner, place);
            }
        }
    }

    fn statement(&mut self, statement: &'d Stmt, around: Option<Span>) {
        let at = place_of(statement);
        let by = CitedBy::Code { at, around };
        self.names(&statement.cites, by);
        match &statement.kind {
            StmtKind::If { arms, .. } => {
                for (condition, body) in arms {
                    // A condition that an option of the game decides has no code; its body has.
                    let around = body.first().map(place_of);
                    let at = condition.span;
                    self.expr(condition, CitedBy::Code { at, around });
                }
            }
            StmtKind::While { condition, .. } => {
                let at = condition.span;
                self.expr(condition, CitedBy::Code { at, around });
            }
            StmtKind::Choose(choose) => {
                let asked = choose
                    .who
                    .iter()
                    .chain(choose.each.iter().map(|(_, seats)| seats));
                asked.for_each(|expr| self.expr(expr, by));
                choose.options.iter().for_each(|option| self.option(option));
            }
            _ => {
                for expr in statement.exprs() {
                    self.expr(expr, by);
                }
            }
        }
    }

    fn option(&mut self, option: &'d ChooseOption) {
        self.names(&option.cites, CitedBy::Option(option.span));
        let default = option.default.as_ref();
        let default = default.and_then(|default| default.condition.as_ref());
        let binders = option.binders.iter().map(|binder| &binder.of);
        for expr in binders.chain(&option.condition).chain(default) {
            self.expr(expr, CitedBy::Offer(option.span));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::{Path, PathBuf};

    use super::*;
    use wyrmgate_base::diagnostic::Sources;
    use wyrmgate_lang::Stack;

    /// Finds the citations in the text of a game's files: `[X-01]`, `[X-01 X-02]`.
    fn in_text(sources: &Sources, known: &BTreeSet<&str>) -> BTreeSet<(String, usize)> {
        let mut found = BTreeSet::new();
        for (_, source) in sources.iter() {
            let mut at = 0;
            for line in source.text.split_inclusive('\n') {
                let code = line.split(" #").next().unwrap();
                let code = if code.starts_with('#') { "" } else { code };
                for (start, inner) in brackets(code).into_iter().chain(alone(code)) {
                    let words = inner.split([' ', ',']).filter(|word| !word.is_empty());
                    let is_citation = words.clone().all(|word| known.contains(word));
                    let mut from = start;
                    for word in words.filter(|_| is_citation) {
                        let place = from + code[from..].find(word).unwrap();
                        found.insert((source.path.clone(), at + place));
                        from = place + word.len();
                    }
                }
                at += line.len();
            }
        }
        found
    }

    /// Finds the single clause that an option shows, which needs no brackets: `shows: X-01`.
    fn alone(line: &str) -> Option<(usize, &str)> {
        let start = line.find("shows: ")? + "shows: ".len();
        let of_clause = |c: char| c.is_ascii_alphanumeric() || c == '-';
        let end = line[start..].find(|c| !of_clause(c));
        let word = end.map_or(&line[start..], |end| &line[start..start + end]);
        (!word.is_empty()).then_some((start, word))
    }

    fn brackets(line: &str) -> Vec<(usize, &str)> {
        let opens = line.match_indices('[').map(|(at, _)| at + 1);
        opens
            .filter_map(|at| Some((at, &line[at..at + line[at..].find(']')?])))
            .collect()
    }

    fn folders(shelf: &Path) -> Vec<PathBuf> {
        wyrmgate_authoring::rules::game_folders(shelf).unwrap()
    }

    #[test]
    fn every_clause_cited_in_a_game_is_found_where_it_is_cited() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let mut all = folders(&root.join("rules"));
        all.extend(folders(&root.join("rules/gallery")));
        all.extend(folders(&root.join("tests/fixtures/audited")));
        assert!(all.len() > 10, "{all:?}");
        for folder in all {
            let loaded = Stack::of_folder(&folder).bundle().unwrap().load();
            let def = loaded.definition.unwrap();
            let known: BTreeSet<&str> = def.clauses.iter().map(|c| c.id.text.as_str()).collect();
            let by_walk = citations(&def).into_iter().map(|citation| {
                let span = citation.clause.span;
                let source = loaded.sources.get(span.file).unwrap();
                (source.path.clone(), span.start as usize)
            });
            let by_walk: BTreeSet<_> = by_walk.collect();
            let by_text = in_text(&loaded.sources, &known);
            let differ: Vec<_> = by_walk.symmetric_difference(&by_text).collect();
            assert!(differ.is_empty(), "{}: {differ:?}", folder.display());
        }
    }
}
