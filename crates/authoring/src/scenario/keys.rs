//! The keys of scenario files, with their values and documentation (see [`wyrmgate_lang::keys`]).

use wyrmgate_lang::shape::{Naming, Referent, Section, Shape};
use wyrmgate_lang::table_of_keys;

const CLAUSES: Shape = Shape::Either(&[Shape::Clause, Shape::List(&Shape::Clause)]);
const CHOICE_NAME: Shape = Shape::NameOf(Referent::Choice);
const ZONE: Shape = Shape::NameOf(Referent::ZoneId);
const COMPONENT: Shape = Shape::NameOf(Referent::ComponentId);
const IDS: Shape = Shape::Either(&[COMPONENT, Shape::List(&COMPONENT)]);
const NUMBERS: Shape = Shape::Either(&[Shape::Number, Shape::List(&Shape::Number)]);
const CHOICES: Shape = Shape::List(&Shape::Map(&CHOICE));
const LUCK: Shape = Shape::List(&Shape::Either(&[Shape::Json, Shape::Map(&RESULT)]));
const VALUES: Shape = Shape::List(&Shape::Json);
const EVENTS: Shape = Shape::List(&Shape::Map(&EVENT));

/// A file under `scenarios/`.
pub static FILE: Shape = Shape::List(&Shape::Map(&SCENARIO));

table_of_keys! {
    pub static SCENARIO = "a scenario";
    required "scenario": Shape::Text, "The first dragon on the last space wins at once",
        "What the scenario shows, in a sentence.";
    "shows": CLAUSES, "[RACE-01, RACE-03]", "The clauses that the scenario demonstrates.";
    "show": Shape::Either(&[Shape::Word(&["yes"]), Shape::Truth]), "yes",
        "The rulebook shows the choices that end the scenario as pictures.";
    "given": Shape::Map(&GIVEN), "{seats: 2, options: {hand_size: 2}}",
        "The setup of the game and the results of chance.";
    "refused": Shape::Map(&REFUSED_SETUP), "{option: seats, clause: RACE-04}",
        "Instead of steps: the setup must be refused.";
    "steps": Shape::List(&Shape::Map(&STEP)), "- play: {option: keep}", "The steps, in order.";
}

table_of_keys! {
    pub static GIVEN = "the given setup";
    "seats": Shape::Number, "2", "The number of seats. Default: the minimum of the game.";
    "options": Shape::Section(&OPTIONS), "{windy: true}",
        "Options of the game that differ from their defaults.";
    "seed": Shape::Number, "7", "The seed of all chance that `luck` leaves open.";
    "position": Shape::Text, "1x1/3/1o1", "The start position, drawn as under `start` of the game.";
    "luck": LUCK, "[null, 1, 3]",
        "Results of chance in order: the value of an `at random`, or `{a: 3, b: 1}` if it has several names; each die of a roll; `{top: [ids]}` of a shuffle; `null` leaves one to the seed.";
}

pub static OPTIONS: Section = Section::new(Naming::Option, Shape::Json);

table_of_keys! {
    /// All other keys are names that a random choice binds, and its `option`.
    pub static RESULT = "a result of chance", others Shape::Json;
    "top": IDS, "[gust-1, gust-2]",
        "Of a shuffle: the ids of the components on top, the topmost first.";
}

table_of_keys! {
    pub static REFUSED_SETUP = "a refused setup";
    "option": Shape::NameOf(Referent::Option), "seats", "The option, or `seats`, that causes the refusal.";
    "clause": Shape::Clause, "RACE-04", "The clause that refuses the setup.";
}

table_of_keys! {
    pub static STEP = "a scenario's step";
    "arrange": Shape::Effect, "move gust(1) to hand(active)",
        "Effect text that sets up any position.";
    "waiting": Shape::Map(&WAITING), "{seat: 1, options: [play, keep]}",
        "Checks which seats owe which decision.";
    "play": Shape::Map(&CHOICE), "{option: play, c: gust-1}",
        "Makes a choice: its option, and the values of its binders.";
    "refused": Shape::Map(&REFUSED), "{option: play, c: gust-1, clause: RACE-02}",
        "Checks that a choice is refused and changes nothing.";
    "luck": LUCK, "[3, 1]", "The next results of chance.";
    "random": Shape::Number, "5", "Makes this many random choices.";
    "late": Shape::Number, "1",
        "Lets the time of this seat run out, so that its `default` is played.";
    "resigns": Shape::Number, "1", "Lets this seat resign, as the effect `resigns` says.";
    "expect": Shape::Conditions, "score[seat(1)] = 3", "Checks conditions.";
    "sees": Shape::Map(&SEES), "{seat: 2, hides: [gust-1]}", "Checks a part of what a seat sees.";
    "events": EVENTS, "[{type: scored, seat: 1}]",
        "Checks parts of the events since the last play, in order.";
    "no_events": EVENTS, "[{type: scored}]",
        "Checks that no such event has happened since the last play.";
    "over": Shape::Map(&OVER), "{winners: [1]}", "Checks that the game has ended, and how.";
}

table_of_keys! {
    /// All other keys are names that the choice binds.
    pub static CHOICE = "a choice", others Shape::Json;
    "seat": Shape::Number, "1", "The number of the seat, from 1.";
    "option": CHOICE_NAME, "play", "The name of the option, or `decline`.";
}

table_of_keys! {
    pub static REFUSED = "a choice that is refused", others Shape::Json;
    "seat": Shape::Number, "1", "The number of the seat, from 1.";
    "option": CHOICE_NAME, "play", "The name of the option, or `decline`.";
    "code": Shape::Word(&["illegal-choice", "not-your-turn", "session-over", "malformed"]), "illegal-choice", "The code of the refusal.";
    "clause": Shape::Clause, "RACE-02", "The clause that forbids it.";
}

table_of_keys! {
    pub static WAITING = "`waiting`";
    "seat": Shape::Number, "1", "The number of the seat, from 1.";
    "seats": NUMBERS, "[1, 2]", "All seats that owe a decision.";
    "option": CHOICE_NAME, "play", "The name of the only option.";
    "prompt": Shape::Text, "Play a card?", "The prompt of the decision.";
    "kind": Shape::Word(&["pick", "subset", "order", "amount", "placement", "path", "yes-no", "value"]), "pick", "The kind of decision.";
    "options": Shape::Either(&[CHOICE_NAME, Shape::List(&CHOICE_NAME)]), "[play, keep]", "The names of all options.";
    "count": Shape::Number, "3", "The number of choices.";
    "choices": CHOICES, "[{c: gust-1}]", "All choices, in any order.";
    "includes": CHOICES, "[{c: gust-1}]", "Some of the choices.";
    "excludes": CHOICES, "[{c: gust-1}]", "Choices that are not possible.";
}

table_of_keys! {
    pub static SEES = "`sees`";
    required "seat": Shape::Either(&[Shape::Number, Shape::Word(&["public"])]), "1",
        "The viewer: the number of a seat, or `public`.";
    "view": Shape::Json, "{turn: 3}", "A part of the view.";
    "hides": IDS, "[gust-1]", "Ids that must not be in the view.";
    "events": EVENTS, "[{type: moved, to: hand-2}]",
        "Parts of the events since the last play as the viewer receives them, in order.";
    "no_events": EVENTS, "[{component: gust-1}]",
        "Checks that the viewer has received no such event since the last play.";
}

table_of_keys! {
    pub static OVER = "`over`";
    "winners": NUMBERS, "[1]", "The winners.";
    "drawn": Shape::Truth, "true", "Whether the game is a draw.";
    "ranking": VALUES, "[[12, 3], [9, 5]]", "The numbers that were compared, best first.";
}

table_of_keys! {
    /// All other keys are members of single types of events.
    pub static EVENT = "a part of an event", others Shape::Json;
    "type": Shape::Word(&["moved", "scored", "rolled", "shuffled", "turned", "shown", "chose", "drawn", "said", "set",
        "finished", "game-began", "round-began", "round-ended", "turn-began", "turn-ended", "phase-began", "phase-ended"]),
        "moved", "The type of the event.";
    "component": COMPONENT, "gust-1", "The id of the component.";
    "from": ZONE, "deck", "The zone that the component left.";
    "to": Shape::Either(&[ZONE, Shape::List(&Shape::Number)]), "hand-2",
        "The zone that the component entered, or the seats that saw something.";
    "seat": Shape::Json, "1", "The number of the seat, from 1.";
    "zone": ZONE, "deck", "The zone.";
    "by": Shape::Json, "2", "The difference of a score.";
    "option": CHOICE_NAME, "play", "The option of a choice.";
}
