//! The answers of queries that a game shows in its pictures. Only games in which nothing is ever hidden have any.

use wyrmgate_engine::{Evaluated, State, answer};
use wyrmgate_program::{Form, KindId, Localized, Program, Type};

use super::builder::PictureBuilder;
use super::scene::{Counter, Piece, Scene};

/// The answer of a query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownAnswer {
    query: String,
    about: AskedAbout,
    found: Evaluated,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum AskedAbout {
    Game,
    /// From 0.
    Seat(i32),
    /// By its number.
    Component(i32),
}

impl AskedAbout {
    fn argument(&self) -> Option<i32> {
        match self {
            AskedAbout::Game => None,
            AskedAbout::Seat(number) | AskedAbout::Component(number) => Some(*number),
        }
    }
}

/// Returns the answers in a position, which everybody may know.
pub fn answers(program: &Program, state: &State) -> Vec<ShownAnswer> {
    if program.can_hide() {
        return Vec::new();
    }
    let mut answers = Vec::new();
    for (query, of) in &program.look.queries {
        for about in subjects(program, *of) {
            let found = answer(program, state, query, about.argument());
            answers.extend(found.map(|found| ShownAnswer {
                query: query.clone(),
                about,
                found,
            }));
        }
    }
    answers
}

/// Returns everything about which a query with this parameter is asked.
fn subjects(program: &Program, of: Option<Type>) -> Vec<AskedAbout> {
    let is_of = |kind: KindId, wanted: KindId| {
        let family = program.kind(kind).and_then(|kind| kind.family);
        kind == wanted || family == Some(wanted)
    };
    match of {
        None => vec![AskedAbout::Game],
        Some(Type::Component(Some(wanted))) => {
            let all = program.components.iter().zip(0..);
            let all = all.filter(|(component, _)| is_of(component.kind, wanted));
            all.map(|(_, number)| AskedAbout::Component(number))
                .collect()
        }
        Some(_) => (0..program.seats as i32).map(AskedAbout::Seat).collect(),
    }
}

impl PictureBuilder<'_> {
    /// Shows answers: marks on what a query lists, counters of the game and of seats, numbers on components.
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
        let program = self.sight.program;
        let style = self.looks.of_thing(&answer.query);
        let are_spaces = style.is_some_and(|style| style.on.is_some());
        let name = |number: &i32| {
            let number = usize::try_from(*number).ok()?;
            match are_spaces {
                true => program.zone_names().nth(number),
                false => program.component_names().nth(number),
            }
        };
        let ids: Vec<&str> = listed.iter().filter_map(name).collect();
        let is_listed = |id: &str| ids.contains(&id);
        for space in scene.spaces_mut().filter(|space| is_listed(&space.id)) {
            space
                .pieces
                .iter_mut()
                .for_each(|piece| piece.is_marked = true);
        }
        scene.each_piece_mut(&mut |piece| piece.is_marked |= is_listed(&piece.id));
    }

    fn count(&self, answer: &ShownAnswer, value: i32, scene: &mut Scene) {
        let program = self.sight.program;
        let counter = |key: &str| Counter {
            id: format!("{}{key}", answer.query),
            label: self.looks.title(&Localized::default(), &answer.query),
            value: value.to_string(),
            symbol: None,
        };
        match answer.about {
            AskedAbout::Game => scene.counters.push(counter("")),
            AskedAbout::Seat(seat) => {
                let player = usize::try_from(seat).ok();
                if let Some(player) = player.and_then(|at| scene.players.get_mut(at)) {
                    player.counters.push(counter(&format!("-{}", seat + 1)));
                }
            }
            AskedAbout::Component(number) => {
                let number = usize::try_from(number).ok();
                let id = number.and_then(|number| program.component_names().nth(number));
                let is_it = |piece: &Piece| value > 0 && Some(piece.id.as_str()) == id;
                scene.each_piece_mut(&mut |piece| {
                    if is_it(piece) {
                        piece.corners.push(value.to_string());
                    }
                });
            }
        }
    }
}
