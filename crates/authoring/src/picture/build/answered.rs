//! Shows the answers of queries: marks on what they list, counters of the game and of seats, numbers on components.

use wyrmgate_engine::Evaluated;
use wyrmgate_program::{Form, Localized, Type};

use crate::picture::answers::ShownAnswer;
use crate::picture::builder::PictureBuilder;
use crate::picture::scene::{Counter, Scene};

impl PictureBuilder<'_> {
    pub(super) fn answers(&self, scene: &mut Scene) {
        for answer in self.sight.answers {
            let style = self.looks.of_thing(&answer.query);
            let is_mark = style.is_some_and(|style| style.form == Some(Form::Marks));
            match &answer.found {
                Evaluated::Many(listed) => self.mark(answer, listed, scene),
                Evaluated::One(value) if is_mark => self.mark(answer, &[*value], scene),
                Evaluated::One(value) => self.count(answer, *value, scene),
            }
        }
    }

    /// Marks components, or what lies on spaces if the look names their board.
    fn mark(&self, answer: &ShownAnswer, listed: &[i32], scene: &mut Scene) {
        let style = self.looks.of_thing(&answer.query);
        let are_spaces = style.is_some_and(|style| style.on.is_some());
        let names = listed
            .iter()
            .filter_map(|number| self.name_of(*number, are_spaces));
        let ids: Vec<&str> = names.collect();
        let is_listed = |id: &str| ids.contains(&id);
        for space in scene.spaces_mut().filter(|space| is_listed(&space.id)) {
            let pieces = space.pieces.iter_mut();
            pieces.for_each(|piece| piece.is_marked = true);
        }
        scene.each_piece_mut(&mut |piece| piece.is_marked |= is_listed(&piece.id));
    }

    fn count(&self, answer: &ShownAnswer, value: i32, scene: &mut Scene) {
        let seat = answer.about.and_then(|about| usize::try_from(about).ok());
        if let Some(Type::Component(_)) = answer.of {
            let id = answer.about.and_then(|number| self.name_of(number, false));
            return scene.each_piece_mut(&mut |piece| {
                if value > 0 && Some(piece.id.as_str()) == id {
                    piece.corners.push(value.to_string());
                }
            });
        }
        let key = seat.map_or(String::new(), |seat| format!("-{}", seat + 1));
        let counter = Counter {
            id: answer.query.clone() + &key,
            label: self.looks.title(&Localized::default(), &answer.query),
            value: value.to_string(),
            symbol: None,
            badges: Vec::new(),
        };
        match seat.and_then(|seat| scene.players.get_mut(seat)) {
            Some(player) => player.counters.push(counter),
            None => scene.counters.push(counter),
        }
    }

    fn name_of(&self, number: i32, is_zone: bool) -> Option<&str> {
        let (program, number) = (self.sight.program, usize::try_from(number).ok()?);
        match is_zone {
            true => program.zone_names().nth(number),
            false => program.component_names().nth(number),
        }
    }
}
