//! Short texts for language models: how long they are in every shipped game, and that they say what a seat needs.

use serde_json::{Map, json};
use wyrmgate::bot::RandomBot;
use wyrmgate::brief::{self, BriefDecision, CHOICES_ROOM};
use wyrmgate::engine::{self, Pending, Seeded, Silent, State, Viewer};
use wyrmgate::picture::{self, Sight, words};
use wyrmgate::program::{Language, Program};
use wyrmgate::rules::Ruleset;
use wyrmgate::view::{decision_docs, view};

use super::pictures::games;

/// The letters that a position with its choices may have: in the middle of all positions of a game, and at most. Tokenizers make
/// about one token of three to four letters.
const MEDIAN_MAX: usize = 1_600;
const MOST: usize = 2_600;
/// The decisions of one game that are looked at.
const DECISIONS: usize = 120;

/// A position as its seat reads it.
fn text(program: &Program, state: &State, owed: &Pending) -> String {
    let reader = Viewer::Seat(owed.seat).reading(Language::default());
    let view = view(program, state, reader);
    let sight = Sight {
        program,
        view: Some(&view),
        language: Language::default(),
        seat: Some(u32::from(owed.seat) + 1),
        names: &[],
        clocks: &[],
        events: &[],
        decision: None,
        answers: &[],
    };
    let decision = decision_docs(program, state, owed, 500, 0).unwrap();
    let decision = BriefDecision::of(decision);
    let begin = format!("123.{}", owed.seat + 1);
    picture::brief(&sight) + &brief::answers(&decision, &begin, words::of("en"), CHOICES_ROOM)
}

fn texts(program: &Program) -> Vec<String> {
    let seed = [5; 32];
    let mut bot = RandomBot::for_game(&seed);
    let mut state = engine::start(program, seed, &mut Seeded, &mut Silent).unwrap();
    let mut texts = Vec::new();
    while let Some(owed) = engine::pending(program, &state).first().copied() {
        texts.push(text(program, &state, &owed));
        let choice = bot.choose(program, &state, &owed).unwrap().unwrap();
        engine::step(
            program,
            &mut state,
            owed.index,
            &choice,
            &mut Seeded,
            &mut Silent,
        )
        .unwrap();
        if texts.len() == DECISIONS {
            break;
        }
    }
    texts
}

#[test]
fn positions_of_every_game_fit_in_few_letters() {
    let print = std::env::var_os("WYRMGATE_TEXTS");
    let mut long = Vec::new();
    for folder in games() {
        let name = folder.file_name().unwrap().to_string_lossy().into_owned();
        let ruleset = Ruleset::from_folder(&folder).unwrap().unwrap();
        let mut seats = [3, 2, 4, 5].into_iter();
        let program = seats.find_map(|seats| ruleset.program(seats, &Map::new()).ok());
        let texts = texts(&program.unwrap());
        // For tests with a real tokenizer, see docs/language-models.md.
        if let Some(folder) = &print {
            let file = std::path::Path::new(folder).join(format!("{name}.json"));
            std::fs::write(file, json!(texts).to_string()).unwrap();
        }
        let mut lengths: Vec<usize> = texts.iter().map(|text| text.chars().count()).collect();
        lengths.sort_unstable();
        let (median, most) = (lengths[lengths.len() / 2], *lengths.last().unwrap());
        if median > MEDIAN_MAX || most > MOST {
            long.push(format!("{name}: {median}, at most {most}"));
        }
    }
    assert!(long.is_empty(), "{long:#?}");
}

#[test]
fn the_text_says_who_decides_what_is_where_and_how_to_answer() {
    let folder = games()
        .into_iter()
        .find(|folder| folder.ends_with("tic-tac-toe"))
        .unwrap();
    let ruleset = Ruleset::from_folder(&folder).unwrap().unwrap();
    let program = ruleset.program(2, &Map::new()).unwrap();
    let texts = texts(&program);
    assert_eq!(
        texts[2],
        "Tic-tac-toe · Turn 3\nYour decision\nSquare\n3 · · ·\n2 · · ✕\n1 · · ○\n  1 2 3\n▶ Seat 1 ✕ (you) · blue\n  Seat 2 ○ · orange\n\
         Mark which square?\n7 choices (#N). Answer with 123.1.N\n#0 Square 1 1\n#1 Square 1 2\n#2 Square 1 3\n#3 Square 2 1\n#4 Square 2 2\n\
         #5 Square 2 3\n#6 Square 3 3\n"
    );
}
