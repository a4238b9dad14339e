//! Statements that move and turn components.

use pest::iterators::Pairs;

use super::Rule;
use super::builder::{Builder, Part, face};
use crate::ast::{Place, StmtKind};

impl Builder<'_> {
    pub(super) fn parse_move(&mut self, parts: &mut Pairs<Rule>) -> Option<StmtKind> {
        let (what, to) = (self.next_expr(parts)?, self.next_expr(parts)?);
        let (mut place, mut side, mut turned) = (None, None, None);
        for part in parts {
            match part.as_rule() {
                Rule::at_place => self.set_once(&mut place, &part.clone(), Self::parse_place),
                Rule::face => self.set_once(&mut side, &part.clone(), |_, part| Some(face(part))),
                Rule::turned => self.set_once(&mut turned, &part.clone(), Self::expr_in),
                _ => {}
            }
        }
        Some(StmtKind::Move {
            what,
            to,
            place: place.unwrap_or(Place::Top),
            face: side,
            turned,
        })
    }

    /// Fills a slot; a second value for it is rejected.
    pub(super) fn set_once<T>(
        &mut self,
        slot: &mut Option<T>,
        part: &Part,
        parse: impl FnOnce(&mut Self, Part) -> Option<T>,
    ) {
        let value = parse(self, part.clone());
        if slot.is_some() {
            let help = "remove one of them; the labels of choices follow `label`, as in `label \"Take {c}\"`";
            let message = "this statement says such a thing twice";
            self.error("said-twice", self.span(part), message, help);
        } else {
            *slot = value;
        }
    }

    fn parse_place(&mut self, part: Part) -> Option<Place> {
        let place = part.into_inner().next_back()?;
        Some(match place.as_rule() {
            Rule::kw_bottom => Place::Bottom,
            Rule::kw_top => Place::Top,
            _ => Place::At(self.parse_whole_expr(place)),
        })
    }
}
