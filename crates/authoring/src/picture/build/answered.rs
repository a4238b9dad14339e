//! Shows the answers of queries: marks on what they list, counters of the game and of seats, of numbers or of components, and
//! numbers on components.

use wyrmgate_engine::Evaluated;
use wyrmgate_program::{Form, Localized, Type};

use crate::picture::answers::ShownAnswer;
use crate::picture::builder::PictureBuilder;
use crate::picture::scene::{Counter, PictureBadge, Piece, Scene};
use crate::picture::{pieces, symbols};

impl PictureBuilder<'_> {
    pub(super) fn answers(&self, scene: &mut Scene) {
        for answer in self.sight.answers {
            let style = self.looks.of_thing(&answer.query);
            let form = style.and_then(|style| style.form);
            let is_mark = form == Some(Form::Marks);
            match &answer.found {
                Evaluated::Many(_) if form == Some(Form::Counter) => self.gather(answer, scene),
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
        if let Some(Type::Component(_)) = answer.of {
            let id = answer.about.and_then(|number| self.name_of(number, false));
            return scene.each_piece_mut(&mut |piece| {
                if value > 0 && Some(piece.id.as_str()) == id {
                    piece.corners.push(value.to_string());
                }
            });
        }
        self.tell(answer, value.to_string(), Vec::new(), scene);
    }

    /// Counts components that look alike, wherever they are: symbols with numbers.
    fn gather(&self, answer: &ShownAnswer, scene: &mut Scene) {
        let docs = answer.gathered.iter();
        let looks = &self.looks;
        let called = |doc| {
            let kind = pieces::kind_of(looks, doc)?;
            let label = pieces::state(looks, kind, doc);
            Some(Piece {
                label: label.unwrap_or_else(|| looks.title(&kind.title, &kind.name)),
                ..pieces::piece(self, "", doc, Form::Row)?
            })
        };
        let mut counted: Vec<(Piece, usize)> = Vec::new();
        for piece in docs.filter_map(called) {
            let key = |of: &Piece| (of.label.clone(), of.symbol, of.color);
            let is_alike = |(other, _): &&mut (Piece, usize)| key(other) == key(&piece);
            match counted.iter_mut().find(is_alike) {
                Some((_, count)) => *count += 1,
                None => counted.push((piece, 1)),
            }
        }
        let words = counted.iter();
        let words = words.map(|(piece, count)| format!("{count} {}", piece.label));
        let badges = counted.iter().filter_map(|(piece, count)| {
            Some(PictureBadge {
                symbol: piece.symbol.or_else(|| symbols::named("circle"))?,
                number: count.to_string(),
                color: piece.color,
            })
        });
        let words: Vec<String> = words.collect();
        if !words.is_empty() {
            self.tell(answer, words.join(", "), badges.collect(), scene);
        }
    }

    /// Adds a counter of the game or of a seat.
    fn tell(
        &self,
        answer: &ShownAnswer,
        value: String,
        badges: Vec<PictureBadge>,
        scene: &mut Scene,
    ) {
        let seat = answer.about.and_then(|about| usize::try_from(about).ok());
        let key = seat.map_or(String::new(), |seat| format!("-{}", seat + 1));
        let counter = Counter {
            id: answer.query.clone() + &key,
            label: self.looks.title(&Localized::default(), &answer.query),
            value,
            symbol: None,
            badges,
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
