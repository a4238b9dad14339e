//! The results of the games of a setting.

use serde::Serialize;

use super::found::{GameId, Violation};
use super::game::LawGame;
use super::hidden::Revealed;
use super::plan::Plan;
use super::rest::Compared;
use crate::oddities::Oddities;
use crate::statistics::Counts;
use wyrmgate_base::diagnostic::Span;
use wyrmgate_program::Program;

/// The games of one setting. Its size does not grow with their number.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Proof {
    /// The bound that the rules state, in decisions.
    pub bound: u32,
    pub games: u64,
    /// Games in which at least one law was broken.
    pub games_broken: u64,
    /// The lengths of the games that ended.
    pub lengths: Counts,
    pub longest: Option<Longest>,
    /// How often each law of the plan was looked at.
    pub looked: Vec<u64>,
    /// The comparisons of the law `hidden`.
    pub compared: Compared,
    /// The values that the rules reveal on purpose, their places, and how often they mattered.
    pub reveals: Vec<(Span, Revealed)>,
    pub violations: Vec<Violation>,
    pub odd: Oddities,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Longest {
    #[serde(flatten)]
    pub game: GameId,
    pub decisions: u32,
    /// Whether it ended; otherwise it was abandoned there.
    pub finished: bool,
}

impl Proof {
    pub(super) fn add(&mut self, plan: &Plan, played: LawGame) {
        self.games += u64::from(!played.is_cut || !played.broken.is_empty());
        self.games_broken += u64::from(!played.broken.is_empty());
        if played.finished {
            self.lengths.add(played.decisions);
        }
        self.looked.resize(plan.laws.len(), 0);
        for (sum, looked) in self.looked.iter_mut().zip(&played.looked) {
            *sum += looked;
        }
        self.compared.add(&played.compared);
        self.odd.merge(&played.odd, "");
        if !played.is_cut {
            self.add_longest(&played);
        }
        self.violations.extend(played.broken);
    }

    /// Completes the proof after the last game.
    pub(super) fn finish(&mut self, program: &Program) {
        let infos = program.origins.reveals.iter().enumerate();
        let rows = self.compared.reveals.rows();
        let rows = infos.map(|(number, info)| {
            let row = rows.get(number).copied().unwrap_or_default();
            (info.span, row)
        });
        self.reveals = rows.collect();
        self.violations
            .sort_by_key(|violation| violation.game.number);
    }

    /// Keeps the longest game; of equally long games the first one, so that the result does not depend on timing.
    fn add_longest(&mut self, played: &LawGame) {
        let rank = |decisions: u32, number: u64| (decisions, std::cmp::Reverse(number));
        let longest = self.longest.as_ref();
        let before = longest.map(|longest| rank(longest.decisions, longest.game.number));
        if before < Some(rank(played.decisions, played.game.number)) {
            self.longest = Some(Longest {
                game: played.game.clone(),
                decisions: played.decisions,
                finished: played.finished,
            });
        }
    }

    pub fn holds(&self) -> bool {
        self.games_broken == 0
    }
}
