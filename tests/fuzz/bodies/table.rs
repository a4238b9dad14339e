//! A small game that has a little of everything, for texts that are tried in it.

use std::sync::LazyLock;

use serde_json::Value;
use wyrmgate::bot::RandomBot;
use wyrmgate::compile::compile_as_written;
use wyrmgate::engine::{self, Choice, Pending, Seeded, Silent, State, StepError, Viewer};
use wyrmgate::program::Program;

use super::rules;

const CHOICES_SHOWN: usize = 20;

/// The rules, with `EFFECT` where an effect belongs.
fn text() -> &'static str {
    static TEXT: LazyLock<String> =
        LazyLock::new(|| std::fs::read_to_string(rules::path("tests/fuzz/table.yaml")).unwrap());
    &TEXT
}

/// The game with this effect, as it is played and as it is written; `None` if it has mistakes.
pub fn programs(effect: &str) -> Option<[Program; 2]> {
    let lines: Vec<String> = effect.lines().map(|line| format!("    {line}\n")).collect();
    let text = text().replace("    EFFECT\n", &lines.concat());
    let (_, checked) = rules::read(&[("game.yaml", &text)], &["game.yaml"]);
    let checked = checked?;
    let setup = checked.setup(2, &Default::default()).unwrap();
    let mut report = Default::default();
    let plain = compile_as_written(&checked.definition, &setup, &mut report);
    Some([checked.compile(&setup).unwrap(), plain.unwrap()])
}

/// The game in which the effect does nothing.
pub fn program() -> &'static Program {
    static PROGRAM: LazyLock<Program> = LazyLock::new(|| {
        let [program, _] = programs("").unwrap();
        program
    });
    &PROGRAM
}

/// Returns a game after this number of moves.
pub fn played(program: &Program, seed: u8, moves: usize) -> State {
    let mut state = engine::start(program, [seed; 32], &mut Seeded, &mut Silent).unwrap();
    let mut bot = RandomBot::new(u64::from(seed));
    for _ in 0..moves {
        let owed = engine::pending(program, &state);
        let Some(pending) = owed.first() else { break };
        step(program, &mut state, pending, bot.below(1 << 32)).unwrap();
    }
    state
}

/// Takes the choice with this number, modulo how many there are.
pub fn step(
    program: &Program,
    state: &mut State,
    pending: &Pending,
    number: u64,
) -> Result<(), StepError> {
    let count = engine::count_choices(program, state, pending)?;
    assert!(count > 0, "somebody owes a decision without a choice");
    let choice = engine::nth_choice(program, state, pending, number % count)?.unwrap();
    let (chance, observer) = (&mut Seeded, &mut Silent);
    engine::step(program, state, pending.index, &choice, chance, observer)
}

/// A choice as the one who makes it sends it.
pub fn to_json(program: &Program, state: &State, pending: &Pending, choice: &Choice) -> Value {
    wyrmgate::view::choice_to_json(program, state, pending, choice, Viewer::Seat(pending.seat))
        .into()
}

/// Everything that people can be shown of a state.
pub fn shown(program: &Program, state: &State) -> String {
    let seats = (0..program.seats as u8).map(Viewer::Seat);
    let mut shown = String::new();
    for viewer in std::iter::once(Viewer::Public).chain(seats) {
        let view = wyrmgate::view::view(program, state, viewer);
        shown += &serde_json::to_string(&view).unwrap();
    }
    for pending in engine::pending(program, state) {
        if let Ok(doc) = wyrmgate::view::decision_docs(program, state, &pending, CHOICES_SHOWN, 0) {
            shown += &serde_json::to_string(&doc).unwrap();
        }
    }
    shown
}
