//! A game of three seats, made of its `effects:` and other sections, and the texts that it says.

use serde_json::{Value, json};
#[cfg(feature = "native")]
use wyrmgate::bot::RandomBot;
use wyrmgate::check::check;
use wyrmgate::diagnostic::{Sources, Span};
#[cfg(feature = "native")]
use wyrmgate::dice::Dice;
#[cfg(feature = "native")]
use wyrmgate::engine::{BoundValue, Pending, random_choice};
use wyrmgate::engine::{
    Choice, Collect, EndReason, Event, Fault, Seeded, State, StepError, Viewer, count_choices,
    default_choice, pending, start, step,
};
use wyrmgate::lang::load::load;
use wyrmgate::program::Program;
use wyrmgate::runner::Runner;
use wyrmgate::view::{
    Rejection, choice_from_json, choice_to_json, decision_docs, event_doc, sentence, view,
};

const HEAD: &str = "
game: test
include: [more.yaml]
title: Test
players: 3
zones:
  deck: {holds: card}
  row: {holds: card}
  hand: {each: {owner: seats}, holds: card}
  tray: {holds: die}
  pool: {holds: chip}
types:
  color: [red, blue]
components:
  card: {each: {rank: 1..6}, in: deck, fields: {laps: int, keeper: seat}}
  die: {plural: dice, copies: 3, faces: 1..6, in: tray}
  chip: {copies: 2, in: pool, fields: {spent: bool}}
vars:
  count_of: int
  mine: {each: seats, type: int}
";

#[derive(Debug)]
pub struct Game {
    program: Program,
    state: State,
    events: Vec<Event>,
    text: String,
}

/// Effects as they stand under `effects:`, then whole further sections.
pub fn begin(effects: &str, sections: &str) -> Game {
    try_begin(effects, sections).unwrap_or_else(|(fault, _)| panic!("{}", sentence(&fault)))
}

/// Begins a game like [`begin`]; a fault comes with the text of its location.
pub fn try_begin(effects: &str, sections: &str) -> Result<Game, (Fault, String)> {
    let effects: String = effects.lines().map(|line| format!("  {line}\n")).collect();
    let text = format!("{HEAD}effects:\n{effects}");
    let program = compiled(&text, sections);
    #[cfg(feature = "native")]
    machine_code_agrees(&program);
    let mut collect = Collect::default();
    match start(&program, [7; 32], &mut Seeded, &mut collect) {
        Ok(state) => Ok(Game {
            program,
            state,
            events: collect.0,
            text,
        }),
        Err(fault) => {
            let place = pointed_at(&text, &fault);
            Err((fault, place))
        }
    }
}

/// Enough choices for machine code to save a state from which it can replay.
#[cfg(feature = "native")]
const MOVES_COMPARED: usize = 1_200;

/// Machine code plays what the interpreter plays, move by move, and ends with the same fault at the same place.
#[cfg(feature = "native")]
pub fn machine_code_agrees(program: &Program) {
    let mut bot = RandomBot::new(1);
    let mut plain = Runner::new(program).unwrap();
    plain.interpret();
    let mut fast = Runner::new(program).unwrap();
    fast.translate();
    let mut results = (plain.begin([7; 32]), fast.begin([7; 32]));
    for move_number in 0..MOVES_COMPARED {
        assert_eq!(results.0, results.1, "machine code");
        if results.0.is_err() {
            return;
        }
        assert!(plain.state() == fast.state(), "states of machine code");
        // The choices of a game that a runner takes up must be searched again.
        if move_number % 4 == 1 {
            fast.take_up(plain.state());
        }
        let counts = (plain.count(), fast.count());
        assert_eq!(counts.0, counts.1, "choices of machine code");
        let (Ok(count @ 1..), Some(owed)) = (counts.0, plain.pending()) else {
            return;
        };
        if move_number % 4 < 2 {
            let number = bot.below(count);
            results = (plain.take(number), fast.take(number));
        } else {
            let choice = drawn_alike([&mut plain, &mut fast], &owed, bot.below(u64::MAX));
            let mut other = choice.clone();
            other.args.push(BoundValue::One(1));
            let is_legal = fast.answer_if_legal(&owed, &other);
            assert_eq!(is_legal, Ok(false), "a name too many");
            results = (
                plain.answer(&owed, &choice),
                fast.answer_if_legal(&owed, &choice)
                    .map(|legal| assert!(legal, "what was drawn is a choice")),
            );
        }
    }
}

/// The same random numbers draw the same choice from the choices of either runner and from those of the engine.
#[cfg(feature = "native")]
fn drawn_alike(runners: [&mut Runner<'_>; 2], owed: &Pending, seed: u64) -> Choice {
    let dice = || Dice::new(seed);
    let [plain, fast] = runners;
    let (program, state) = (plain.program(), plain.state().clone());
    let mut numbers = dice();
    let expected = random_choice(program, &state, owed, &mut |n| numbers.below(n));
    for runner in [plain, fast] {
        let mut numbers = dice();
        let drawn = runner.random_choice(owed, &mut |n| numbers.below(n));
        assert_eq!(drawn, expected, "choices drawn");
    }
    expected.unwrap().unwrap()
}

fn compiled(text: &str, sections: &str) -> Program {
    let more = if sections.trim().is_empty() {
        "clauses: {}"
    } else {
        sections
    };
    let files = [("game.yaml", text), ("more.yaml", more)]
        .map(|(name, text)| (format!("test/{name}"), text.to_owned()));
    let mut sources = Sources::default();
    let (definition, mut report) = load(&mut sources, &files, "test/game.yaml");
    let checked = definition.and_then(|definition| check(&definition, &mut report));
    let checked = checked.unwrap_or_else(|| panic!("{}", report.render(&sources, false)));
    let setup = checked.setup(3, &Default::default()).unwrap();
    checked.compile(&setup).unwrap()
}

fn pointed_at(text: &str, fault: &Fault) -> String {
    let span = fault.span.unwrap();
    text[span.start as usize..span.end as usize].to_owned()
}

/// Returns the texts of a game without decisions.
pub fn said(effects: &str, sections: &str) -> Vec<String> {
    let game = begin(effects, sections);
    assert_eq!(game.waiting(), Vec::<u8>::new());
    game.said()
}

/// Why an answer was not taken.
#[derive(Debug)]
pub enum NotTaken {
    Rejected(Rejection),
    Fault(Fault),
}

impl Game {
    /// Seats that owe a decision, from 1.
    pub fn waiting(&self) -> Vec<u8> {
        let owed = pending(&self.program, &self.state);
        owed.iter().map(|p| p.seat + 1).collect()
    }

    /// How many choices the seat has.
    pub fn choices(&self, seat: u8) -> u64 {
        let owed = pending(&self.program, &self.state);
        let pending = owed.iter().find(|p| p.seat + 1 == seat).unwrap();
        count_choices(&self.program, &self.state, pending).unwrap()
    }

    pub fn said(&self) -> Vec<String> {
        self.said_to(Viewer::omniscient())
    }

    pub fn said_to(&self, viewer: Viewer) -> Vec<String> {
        let docs = self.events.iter();
        let docs = docs.filter_map(|event| event_doc(&self.program, event, viewer));
        let docs = docs.map(Value::from);
        let said = docs.filter(|doc| doc["type"] == "said");
        said.map(|doc| doc["text"].as_str().unwrap().to_owned())
            .collect()
    }

    /// The decision of a seat as clients see it.
    pub fn decision(&self, seat: u8) -> Value {
        let owed = pending(&self.program, &self.state);
        let pending = owed.iter().find(|p| p.seat + 1 == seat).unwrap();
        let doc = decision_docs(&self.program, &self.state, pending, 100, 0).unwrap();
        serde_json::to_value(doc).unwrap()
    }

    /// The last event of this type, as everybody sees it.
    pub fn told(&self, of: &str) -> Value {
        self.all_told(of).pop().unwrap()
    }

    /// Returns all events of this type, as everybody sees them.
    pub fn all_told(&self, of: &str) -> Vec<Value> {
        let docs = self.events.iter();
        let docs = docs.filter_map(|event| event_doc(&self.program, event, Viewer::Public));
        let docs = docs.map(Value::from);
        docs.filter(|doc| doc["type"] == of).collect()
    }

    /// A zone as somebody sees it who sees all.
    /// A variable as a viewer sees it.
    pub fn var(&self, name: &str, viewer: Viewer) -> Value {
        let seen = view(&self.program, &self.state, viewer);
        serde_json::to_value(seen).unwrap()["vars"][name].clone()
    }

    pub fn zone(&self, name: &str) -> Value {
        let view = view(&self.program, &self.state, Viewer::omniscient());
        serde_json::to_value(&view.zones[name]).unwrap()
    }

    /// Answers and is glad that it could.
    pub fn answer(&mut self, seat: u8, option: &str, args: Value) {
        self.try_answer(seat, option, args)
            .unwrap_or_else(|error| panic!("{error:?}"));
    }

    pub fn yes(&mut self, seat: u8) {
        self.answer(seat, "yes", json!({}));
    }

    pub fn no(&mut self, seat: u8) {
        self.answer(seat, "no", json!({}));
    }

    /// A plain `choose` of one name.
    pub fn choose(&mut self, seat: u8, name: &str, value: Value) {
        self.answer(seat, "", json!({ name: value }));
    }

    pub fn try_answer(&mut self, seat: u8, option: &str, args: Value) -> Result<(), NotTaken> {
        let owed = pending(&self.program, &self.state);
        let owed = *owed.iter().find(|p| p.seat + 1 == seat).unwrap();
        let choice = match option {
            "" => json!({ "args": args }),
            option => json!({ "option": option, "args": args }),
        };
        let choice = choice_from_json(&self.program, &self.state, &owed, &choice)
            .map_err(NotTaken::Rejected)?;
        let mut collect = Collect::default();
        step(
            &self.program,
            &mut self.state,
            owed.index,
            &choice,
            &mut Seeded,
            &mut collect,
        )
        .map_err(|error| match error {
            StepError::Fault(fault) => NotTaken::Fault(fault),
            StepError::Refused(refused) => NotTaken::Rejected(Rejection::of(
                &self.program,
                &self.state,
                owed.seat,
                refused,
            )),
        })?;
        self.events.extend(collect.0);
        Ok(())
    }

    /// Lets a seat resign, after this many secret answers to the decision that is owed. Returns whether it could.
    pub fn resign(&mut self, seat: u8, answers: usize) -> bool {
        self.state.forget_decisions(answers);
        let (index, choice) = (
            usize::from(seat - 1),
            Choice::resigning(EndReason::Resigned),
        );
        let mut collect = Collect::default();
        let (program, state) = (&self.program, &mut self.state);
        match step(program, state, index, &choice, &mut Seeded, &mut collect) {
            Ok(()) => self.events.extend(collect.0),
            Err(StepError::Refused(_)) => return false,
            Err(StepError::Fault(fault)) => panic!("{}", sentence(&fault)),
        }
        true
    }

    pub fn events(&self) -> &[Event] {
        &self.events
    }

    pub fn state(&self) -> &State {
        &self.state
    }

    /// Plays the default of a seat whose time is up and returns it; `None` if the rules declare none.
    pub fn run_out_of_time(&mut self, seat: u8) -> Option<Value> {
        let owed = pending(&self.program, &self.state);
        let owed = *owed.iter().find(|p| p.seat + 1 == seat).unwrap();
        let choice = default_choice(&self.program, &self.state, &owed)?;
        let told = Value::from(choice_to_json(
            &self.program,
            &self.state,
            &owed,
            &choice,
            Viewer::omniscient(),
        ));
        self.try_answer(
            seat,
            told["option"].as_str().unwrap_or(""),
            told["args"].clone(),
        )
        .unwrap();
        Some(told)
    }

    /// The first choice that is listed.
    pub fn answer_first(&mut self, seat: u8) {
        let first = self.decision(seat)["choices"][0].clone();
        self.answer(
            seat,
            first["option"].as_str().unwrap_or(""),
            first["args"].clone(),
        );
    }

    /// The clauses that forbid a choice.
    pub fn forbidden_by(&mut self, seat: u8, option: &str, args: Value) -> Vec<&str> {
        let Err(NotTaken::Rejected(rejection)) = self.try_answer(seat, option, args) else {
            panic!("it is not refused");
        };
        let clauses = rejection.clauses.iter();
        clauses
            .map(|clause| self.program.prose.clauses[usize::from(*clause)].id.as_str())
            .collect()
    }

    /// Goes on with what was saved.
    pub fn reload(&mut self) {
        let saved = self.state.encode(&self.program);
        self.state = State::decode(&self.program, &saved).unwrap();
    }

    /// The clauses that refuse an answer.
    pub fn clauses_against(&mut self, seat: u8, option: &str, args: Value) -> Vec<String> {
        let Err(NotTaken::Rejected(rejection)) = self.try_answer(seat, option, args) else {
            panic!("accepted");
        };
        let ids = rejection.clauses.iter();
        ids.map(|id| self.program.prose.clauses[usize::from(*id)].id.clone())
            .collect()
    }

    pub fn is_over(&self) -> bool {
        self.state.outcome().is_some()
    }

    pub fn scores(&self) -> Vec<i32> {
        view(&self.program, &self.state, Viewer::omniscient()).scores
    }

    pub fn program(&self) -> &Program {
        &self.program
    }

    /// The text of the rules at a place in the effects.
    pub fn text_of(&self, place: Span) -> &str {
        let range = place.start as usize..place.end as usize;
        self.text.get(range).unwrap_or_default()
    }

    /// Returns the text at the location of a fault.
    pub fn text_at(&self, fault: &Fault) -> String {
        pointed_at(&self.text, fault)
    }
}
