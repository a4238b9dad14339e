//! Examples of moves: the scenarios that are marked with `show: yes`, as pictures.

use serde_json::Value;

use super::{Example, RulebookPicture, THEME, words};
use crate::brief::{self, Names};
use crate::picture::{self, Decision, ShownAnswer, Sight};
use crate::rules::Ruleset;
use crate::scenario::Scenario;
use crate::scenario::examples::each_example;
use crate::scenario::run::ScenarioMoment;
use wyrmgate_engine::{Event, State, Viewer, pending};
use wyrmgate_program::{Language, Program};
use wyrmgate_view::{Doc, ViewDoc, decision_docs_in, event_with_label, view};

/// At most this many choices of a scenario are shown: the last ones.
const MOVES_MAX: usize = 3;
/// Maximum number of choices to outline in a picture.
const CHOICES_MAX: usize = 400;
/// The events that a caption tells. The pictures show what moves.
const TOLD: [&str; 4] = ["chose", "rolled", "said", "scored"];

pub fn examples(ruleset: &Ruleset, language: Language) -> Vec<Example> {
    let mut all = Vec::new();
    let (checked, sources) = (&ruleset.checked, &ruleset.sources);
    each_example(
        &checked.definition,
        sources,
        &ruleset.examples,
        &mut |scenario, program, moments| all.push(example(scenario, program, moments, language)),
    );
    all
}

fn example(
    scenario: &Scenario,
    program: &Program,
    moments: &[ScenarioMoment],
    language: Language,
) -> Example {
    let first = moments.len().saturating_sub(MOVES_MAX + 1);
    let moments = moments.get(first..).unwrap_or_default();
    Example {
        title: title(scenario, program, language),
        clauses: scenario.shows.iter().map(|id| id.text.clone()).collect(),
        pictures: pictures(program, moments, language),
    }
}

/// Returns the name of the scenario, which has no translations: in another language, the first clause that it shows.
fn title(scenario: &Scenario, program: &Program, language: Language) -> String {
    let own = scenario.name.value.clone();
    if language == Language::default() {
        return own;
    }
    let shown = scenario.shows.first();
    let clause = shown.and_then(|id| program.prose.clauses.iter().find(|one| one.id == id.text));
    clause.map_or(own, |clause| clause.text.get(language).to_owned())
}

/// A position as the seat that chooses last sees it; for a position alone, the seat that is to choose, with its choices.
struct SeenPosition<'p> {
    view: ViewDoc,
    events: Vec<Doc<'p>>,
    decision: Option<Decision>,
    answers: Vec<ShownAnswer>,
    caption: String,
}

fn pictures(
    program: &Program,
    moments: &[ScenarioMoment],
    language: Language,
) -> Vec<RulebookPicture> {
    let names = Names::of(program, language);
    let is_alone = moments.len() == 1;
    let seat = moments.last().and_then(|moment| {
        let owing = pending(program, &moment.state);
        moment.seat.or_else(|| owing.first().map(|owed| owed.seat))
    });
    let reader = seat.map_or(Viewer::Public, Viewer::Seat).reading(language);
    let seen = moments.iter().enumerate().map(|(number, moment)| {
        // The first position is where the example begins, whatever led to it.
        let events = moment.events.iter().filter(|_| number > 0);
        let events: Vec<&Event> = events.collect();
        let events = events.iter().enumerate().filter_map(|(at, event)| {
            let later = events.iter().skip(at + 1).copied();
            event_with_label(program, event, later, reader)
        });
        let events: Vec<Doc<'_>> = events.collect();
        SeenPosition {
            view: view(program, &moment.state, reader),
            answers: picture::answers(program, &moment.state),
            decision: seat
                .filter(|_| is_alone)
                .and_then(|seat| decision(program, &moment.state, seat, language)),
            caption: match number {
                0 if is_alone => String::new(),
                0 => words::of(program.language_tag(language)).before.to_owned(),
                _ => caption(&events, &names),
            },
            events,
        }
    });
    let seen: Vec<SeenPosition<'_>> = seen.collect();
    let sights = seen.iter().map(|seen| {
        let sight = Sight {
            events: &seen.events,
            decision: seen.decision.as_ref(),
            answers: &seen.answers,
            ..Sight::of(program, &seen.view, language)
        };
        (sight, seen.caption.clone())
    });
    let drawn = picture::differences(&sights.collect::<Vec<_>>(), THEME);
    let pictures = seen.iter().zip(drawn).map(|(seen, svg)| RulebookPicture {
        title: seen.caption.clone(),
        svg,
    });
    pictures.collect()
}

/// Returns the decision that a seat owes, as it receives it.
fn decision(program: &Program, state: &State, seat: u8, language: Language) -> Option<Decision> {
    let owing = pending(program, state);
    let owed = owing.iter().find(|owed| owed.seat == seat)?;
    let doc = decision_docs_in(language, program, state, owed, CHOICES_MAX, 0).ok()?;
    Some(Decision::of(&doc))
}

fn caption(events: &[Doc<'_>], names: &Names) -> String {
    let mut is_next_turn = false;
    let is_told = |event: &&Doc<'_>| {
        let kind = event.get("type").and_then(Doc::as_str).unwrap_or_default();
        is_next_turn |= kind == "turn-began";
        // The next turn may begin with a roll, which has nothing to do with this choice.
        TOLD.contains(&kind) && !(is_next_turn && kind == "rolled")
    };
    let told = events.iter().filter(is_told).cloned().map(Value::from);
    brief::events(&told.collect::<Vec<_>>(), names).join("; ")
}
