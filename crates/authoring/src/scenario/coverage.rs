//! Clause coverage: which clauses the scenarios of a game cover, and whether their code really ran.

use std::collections::BTreeSet;

use super::Scenario;
use wyrmgate_base::diagnostic::{Diagnostic, Report, meant_or, numbered_like};
use wyrmgate_lang::ast::Name;
use wyrmgate_lang::definition::{ClauseDef, Definition};
use wyrmgate_lang::overlay::History;
use wyrmgate_program::{BinderInfo, ClauseId, Program, Site};

/// The covered clauses and all clauses of the game, or of an overlay.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ClauseCoverage {
    pub total: usize,
    pub shown: Vec<String>,
    /// Number and text of each clause that no passing scenario covers.
    pub missing: Vec<(String, String)>,
}

impl ClauseCoverage {
    /// Computes the coverage. `shown` are the clauses of passing scenarios.
    pub fn of<'s>(
        definition: &Definition,
        history: &History,
        shown: impl Iterator<Item = &'s str>,
    ) -> ClauseCoverage {
        let claimed: BTreeSet<&str> = shown.collect();
        let mut coverage = ClauseCoverage::default();
        let clauses = definition.clauses.iter();
        for clause in clauses.filter(|clause| is_own(clause, history)) {
            coverage.total += 1;
            let id = clause.id.text.clone();
            match claimed.contains(id.as_str()) {
                true => coverage.shown.push(id),
                false => coverage.missing.push((id, clause.text.text.clone())),
            }
        }
        coverage
    }

    /// Returns the percentage, rounded down, so that 100 means all.
    pub fn percent(&self) -> usize {
        (self.shown.len() * 100)
            .checked_div(self.total)
            .unwrap_or(100)
    }
}

/// Returns whether the clause belongs to the last overlay, whose scenarios must cover it.
fn is_own(clause: &ClauseDef, history: &History) -> bool {
    let Some(last) = history.overlays.len().checked_sub(1) else {
        return true;
    };
    let own = history.edits.iter().filter(|edit| edit.overlay == last);
    own.filter_map(|edit| edit.now.as_ref())
        .any(|written| written.covers(clause.text.span))
}

/// Reports clauses in scenarios that do not exist.
pub fn expect_known_clauses(definition: &Definition, scenarios: &[Scenario], report: &mut Report) {
    let known = |id: &str| definition.clauses.iter().any(|clause| clause.id.text == id);
    let refused = scenarios.iter().filter_map(|one| one.refused.as_ref());
    let refusing = refused.filter_map(|refused| refused.clause.as_ref());
    let shown = scenarios.iter().flat_map(|scenario| &scenario.shows);
    for id in shown.chain(refusing) {
        if !known(&id.text) {
            let message = format!("there is no clause `{}`", id.text);
            report.push(
                Diagnostic::error("unknown-clause", id.span, message)
                    .help(advice(&id.text, &definition.clauses)),
            );
        }
    }
}

fn advice(wanted: &str, clauses: &[ClauseDef]) -> String {
    meant_or(
        numbered_like(wanted, clauses.iter().map(|clause| clause.id.text.as_str())),
        format!("add `{wanted}: …` under `clauses` in the game's file"),
    )
}

/// Returns the clauses that a scenario claims to cover and the rules cite, but whose code never ran.
pub fn idle_claims<'s>(
    program: &Program,
    scenario: &'s Scenario,
    ran: &BTreeSet<ClauseId>,
) -> Vec<&'s Name> {
    let cited = cited(program);
    let idle = scenario.shows.iter().filter(|claim| {
        let mut clauses = program.prose.clauses.iter();
        let id = clauses.position(|clause| clause.id == claim.text);
        id.is_some_and(|id| cited.contains(&(id as ClauseId)) && !ran.contains(&(id as ClauseId)))
    });
    idle.collect()
}

pub fn idle_warning(claim: &Name) -> Diagnostic {
    let message = format!("the rules of `{}` never ran in this scenario", claim.text);
    Diagnostic::warning("idle-clause", claim.span, message)
        .help("let the scenario reach a rule that cites the clause, or remove the claim")
}

/// Returns every clause that some code or condition of the program implements.
pub(crate) fn cited(program: &Program) -> BTreeSet<ClauseId> {
    let of_code = program.code.cites.iter().flatten();
    let of_sites = program.sites.iter().flat_map(cited_at);
    of_code.chain(of_sites).copied().collect()
}

/// Returns the clauses of a decision, of its options and of their conditions.
pub(super) fn cited_at(site: &Site) -> impl Iterator<Item = &ClauseId> {
    let options = site.options.iter().flat_map(|option| {
        let filters = option.binders.iter().flat_map(BinderInfo::all_conditions);
        let conditions = option.conditions.iter().chain(filters);
        let cites = conditions.flat_map(|condition| &condition.cites);
        option.cites.iter().chain(cites)
    });
    site.cites.iter().chain(options)
}
