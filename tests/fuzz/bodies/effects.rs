//! The text of an effect in a game that has a little of everything: read, checked, and played both as it is written and as it
//! is optimized. Both have to play the same game.

use wyrmgate::bot::RandomBot;
use wyrmgate::engine::{self, FaultKind, Seeded, Silent, State, StepError};
use wyrmgate::program::Program;

use super::{rules, table};

const LENGTH_MAX: usize = 2_000;
const MOVES: usize = 12;

pub fn run(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    if text.len() > LENGTH_MAX {
        return;
    }
    if let Some(programs) = table::programs(text) {
        compare(&programs);
    }
}

fn compare(programs: &[Program; 2]) {
    let begin = |program| engine::start(program, [1; 32], &mut Seeded, &mut Silent);
    let [fast, plain] = programs;
    let (mut one, mut other) = match (begin(fast), begin(plain)) {
        (Ok(one), Ok(other)) => (one, other),
        (one, other) => return same_fault(one.err().map(|f| f.kind), other.err().map(|f| f.kind)),
    };
    let mut bot = RandomBot::new(1);
    for _ in 0..MOVES {
        assert_eq!(table::shown(fast, &one), table::shown(plain, &other));
        let bytes = one.encode(fast);
        assert_eq!(State::decode(fast, &bytes).as_ref(), Ok(&one));
        let owed = engine::pending(fast, &one);
        let Some(pending) = owed.first() else { break };
        let number = bot.below(1 << 32);
        let first = table::step(fast, &mut one, pending, number);
        let second = table::step(plain, &mut other, pending, number);
        if first.is_err() || second.is_err() {
            return same_fault(fault(first), fault(second));
        }
    }
}

fn fault(done: Result<(), StepError>) -> Option<FaultKind> {
    match done {
        Ok(()) => None,
        Err(StepError::Fault(fault)) => Some(fault.kind),
        Err(StepError::Refused(refused)) => panic!("a listed choice is refused: {refused:?}"),
    }
}

/// One of them may do with less work or less depth; a number that is too large is too large for both.
fn same_fault(one: Option<FaultKind>, other: Option<FaultKind>) {
    let of_rules = |kind| matches!(kind, FaultKind::Overflow | FaultKind::Key);
    let is_limit = |kind: Option<FaultKind>| kind.is_some_and(|kind| !of_rules(kind));
    assert!(
        one == other || is_limit(one) || is_limit(other),
        "{one:?} as it is played, {other:?} as it is written"
    );
    assert_ne!(
        one,
        Some(FaultKind::Program),
        "checked rules make sound programs"
    );
}

/// The examples of the language's description.
pub fn seeds() -> Vec<Vec<u8>> {
    let pages = ["reference", "boards", "handlers"];
    let pages = pages.map(|page| rules::path(&format!("rules/guide/{page}.md")));
    let text = pages.map(|page| std::fs::read_to_string(page).unwrap());
    let text = text.concat();
    let blocks = text.split("```effect\n").skip(1);
    let effects = blocks.filter_map(|block| Some(block.split_once("```")?.0.as_bytes().to_vec()));
    let lines = text.lines().filter_map(|line| line.split_once(" # => "));
    let conditions = lines.map(|(expr, _)| format!("let x = {}\nsay \"{{x}}\"", expr.trim()));
    effects.chain(conditions.map(String::into_bytes)).collect()
}
