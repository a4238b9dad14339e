//! Games in the notation of other programs: written and read back, and compared with what another program says of them.

use std::io::Write;
use std::ops::ControlFlow;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;

use serde_json::Map;
use wyrmgate::engine::{self, State};
use wyrmgate::notation::{games_in, noted_game, recorded};
use wyrmgate::program::{Program, Syntax};
use wyrmgate::record::{Record, seed_from_number};
use wyrmgate::replay;
use wyrmgate::rules::{Ruleset, find};
use wyrmgate::simulate;
use wyrmgate::{bot::RandomBot, view};

use crate::records::each_record;
use crate::support::command::wyrmgate;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");
/// Games that are compared with another program. By hand, 1,000 were.
const GAMES: usize = 40;

fn gallery(game: &str) -> Ruleset {
    let folder = Path::new(ROOT).join("rules/gallery").join(game);
    Ruleset::from_folder(&folder).unwrap().unwrap()
}

fn program(game: &str) -> Arc<Program> {
    gallery(game).program(2, &Map::new()).unwrap()
}

fn syntax(program: &Program) -> Syntax {
    program.prose.notation.syntax.unwrap_or(Syntax::Pgn)
}

fn read(program: &Program, text: &str) -> Result<Record, String> {
    let game = games_in(text, syntax(program)).next().unwrap();
    let game = game.map_err(|problem| problem.to_string())?;
    recorded(program, &game, [0; 32], &Map::new()).map_err(|problem| problem.to_string())
}

fn texts(program: &Program, record: &Record) -> Vec<String> {
    let text = noted_game(record, program).unwrap();
    let game = games_in(&text, syntax(program)).next().unwrap().unwrap();
    game.moves.into_iter().map(|made| made.text).collect()
}

#[test]
fn what_is_exported_is_imported_as_the_same_game() {
    each_record(|program, record| {
        let text = noted_game(record, program).unwrap();
        let mut games = games_in(&text, syntax(program));
        let game = games.next().unwrap().unwrap();
        let seed = record.seed_bytes().unwrap();
        let read = recorded(program, &game, seed, &record.options);
        let read = read.unwrap_or_else(|problem| panic!("{}: {problem}\n{text}", record.game));
        assert_eq!(read, *record, "{text}");
        assert!(games.next().is_none(), "{}", record.game);
    });
}

#[test]
fn a_move_is_read_in_every_form_that_people_use() {
    let chess = program("chess");
    let short = read(
        &chess,
        "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Bxc6 dxc6 5. O-O *",
    )
    .unwrap();
    for text in [
        "1.e4 {a remark} e5 2.Nf3!? (2.d4 exd4 {; (} ) 2...Nc6 $1 3.Bb5 a6 4.Bxc6 dc6 5.0-0",
        "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5c6 d7c6 e1g1",
        "1. e2-e4 e7-e5 2. Ng1-f3 Nb8-c6 3. Bf1-b5 a7-a6 4. Bb5xc6 d7xc6 5. O-O ; the end",
    ] {
        let other = read(&chess, text);
        let texts = |record: &Record| record.log.clone();
        match text.contains("dc6") {
            true => assert!(other.unwrap_err().contains("move 8"), "{text}"),
            false => assert_eq!(texts(&other.unwrap()), texts(&short), "{text}"),
        }
    }
    assert_eq!(
        texts(&chess, &short).join(" "),
        "e4 e5 Nf3 Nc6 Bb5 a6 Bxc6 dxc6 O-O"
    );
}

#[test]
fn what_cannot_be_read_is_told_with_its_line_and_move() {
    let chess = program("chess");
    let told = |text: &str| read(&chess, text).unwrap_err();
    let two = told("1. Nc3 d5 2. Nb5 d4\n3. Nf3 e5 4. Nxd4");
    assert_eq!(two, "line 2, move 7: `Nxd4` means Nbxd4, Nfxd4");
    let none = told("[Event \"?\"]\n\n1. e5");
    assert!(
        none.starts_with("line 3, move 1: no choice is written `e5`; there are "),
        "{none}"
    );
    assert_eq!(told("1. e4 {never"), "line 1: there is no `}` after this");
    let over = told("1. f3 e5 2. g4 Qh4# 3. a3");
    assert_eq!(over, "line 1, move 5: the game is over by the rules");
    let other = told("1. f3 e5 2. g4 Qh4# 1-0");
    assert_eq!(
        other,
        "line 1, move 4: the text says 1-0, and the rules another result"
    );
}

#[test]
fn a_result_that_no_rule_gives_is_kept() {
    let chess = program("chess");
    let record = read(&chess, "1. e4 e5 1-0").unwrap();
    assert_eq!(record.outcome.as_ref().unwrap().winners, [1]);
    let text = noted_game(&record, &chess).unwrap();
    assert!(text.ends_with("1. e4 e5 1-0\n"), "{text}");
    let open = read(&chess, "1. e4 e5 *").unwrap();
    assert!(open.outcome.is_none());
}

#[test]
fn several_steps_are_one_move() {
    let draughts = program("draughts");
    let jumps = "11-16 22-18 10-15 18x11 8x15 23-18 15x22 26x17 4-8 24-20 7-11 27-24 11-15 20x4";
    let record = read(&draughts, jumps).unwrap();
    let whole = jumps.replace("20x4", "20x11x4");
    assert_eq!(texts(&draughts, &record).join(" "), whole);
    let other = read(&draughts, &whole).unwrap();
    assert_eq!(other.log, record.log);
    let international = program("international-draughts");
    let text = "34-29 19-24 29-23 18x29 40-34 29x40 45x34 20-25 33-29 24x33 38x29 14-20 31-26 10-14 39-33 13-19 32-28 12-18 29-23 18x38 43x32 17-21 26x17 11x33";
    let record = read(&international, text).unwrap();
    let whole = text
        .replace("18x38", "18x29x38")
        .replace("11x33", "11x22x33");
    assert_eq!(texts(&international, &record).join(" "), whole);
}

#[test]
fn stones_are_nodes() {
    let go = program("go");
    let text = "(;FF[4]GM[1]SZ[9]C[a \\] remark];B[dd](;W[fe];B[tt];W[])(;W[aa]))";
    let record = read(&go, text).unwrap();
    assert_eq!(texts(&go, &record), ["dd", "fe", "", ""]);
    let text = noted_game(&record, &go).unwrap();
    assert!(
        text.starts_with("(;FF[4]CA[UTF-8]GM[1]SZ[9]KM[7.5]RE["),
        "{text}"
    );
}

// ---- files

#[test]
fn files_are_imported_and_exported() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let text =
        "[Event \"one\"]\n\n1. e4 e5 *\n\n[Event \"two\"]\n\n1. d4 d6 2. Zz 1-0\n\n1. c4 1/2-1/2\n";
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(text.as_bytes()).unwrap();
    std::fs::write(path("games.pgn.gz"), gzip.finish().unwrap()).unwrap();
    let rules = format!("{ROOT}/rules");
    let imported = wyrmgate(&[
        "import",
        &path("games.pgn.gz"),
        "--game",
        "chess",
        "--records",
        &path("records"),
        "--rules",
        &rules,
    ]);
    assert_eq!(imported.code, 1, "{}", imported.err);
    assert_eq!(imported.out, "2 games read, 1 not\n");
    assert!(
        imported
            .err
            .contains("line 7, move 3: no choice is written `Zz`"),
        "{}",
        imported.err
    );
    let records =
        ["chess-000001.json", "chess-000002.json"].map(|name| path(&format!("records/{name}")));
    let exported = wyrmgate(&["export", &records[0], &records[1], "--rules", &rules]);
    assert_eq!(exported.code, 0, "{}", exported.err);
    assert!(exported.out.contains("\n1. e4 e5 *\n"), "{}", exported.out);
    assert!(
        exported.out.contains("\n1. c4 1/2-1/2\n"),
        "{}",
        exported.out
    );
    let replayed = wyrmgate(&["replay", &records[0], &records[1], "--rules", &rules]);
    assert_eq!(replayed.code, 0, "{}", replayed.err);
    let missing = wyrmgate(&[
        "import",
        &path("no.pgn"),
        "--game",
        "chess",
        "--rules",
        &rules,
    ]);
    assert_eq!(missing.code, 2, "{}", missing.err);
}

// ---- another program

/// Runs python-chess; nothing if it is not installed, as `./test` does.
fn python(args: &[&str], input: &str) -> Option<String> {
    let run = |args: &[&str], input: &str| {
        let mut python = Command::new("python3")
            .args(args)
            .env("PYTHONPATH", format!("{ROOT}/target/tools/python"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .ok()?;
        let input = input.to_owned();
        let mut to = python.stdin.take()?;
        let writing = std::thread::spawn(move || to.write_all(input.as_bytes()));
        let output = python.wait_with_output().ok()?;
        let _ = writing.join();
        let is_good = output.status.success();
        is_good.then(|| String::from_utf8(output.stdout).unwrap())
    };
    if run(&["-c", "import chess"], "").is_none() {
        eprintln!("SKIPPED: python-chess is not there; `./test` installs it into target/tools");
        return None;
    }
    let script = format!("{ROOT}/tests/replay/notation.py");
    let all: Vec<&str> = std::iter::once(script.as_str())
        .chain(args.iter().copied())
        .collect();
    Some(run(&all, input).expect("the other program fails"))
}

fn position(program: &Program, state: &State) -> String {
    view::noted_position(program, state).unwrap()
}

fn from_position(rules: &str, text: &str) -> (Arc<Program>, State) {
    let gallery = Path::new(ROOT).join("rules/gallery");
    let bundle = find(rules, &gallery).unwrap().bundle().unwrap();
    let read = Ruleset::from_position(bundle, text);
    let program = read.unwrap().program(2, &Map::new()).unwrap();
    let state = engine::start(&program, [0; 32], &mut engine::Seeded, &mut engine::Silent);
    (program, state.unwrap())
}

/// The note of a move, the notes of a list and what reading knows are the same texts, each the first that tells its choice apart.
#[test]
fn a_note_is_the_same_for_one_choice_and_for_all() {
    let (mut noted, mut told_apart, mut bot) = (0, 0, RandomBot::new(5));
    for game in ["chess", "xiangqi"] {
        let program = program(game);
        let (chance, nobody) = (&mut engine::Seeded, &mut engine::Silent);
        let mut state = engine::start(&program, [5; 32], chance, nobody).unwrap();
        for _ in 0..150 {
            let Some(owed) = engine::first_owed(&state) else {
                break;
            };
            let all = view::noted_choices(&program, &state, &owed).unwrap();
            let list = engine::ChoiceMenu::of;
            noted += all.len();
            let doc = view::decision_docs(&program, &state, &owed, usize::MAX, 0).unwrap();
            for (one, listed) in all.iter().zip(&doc.choices) {
                let (note, choice) = (one.note.as_ref(), &one.choice);
                let alone = view::note(&program, &state, &owed, choice, list);
                assert_eq!(alone.unwrap().as_ref(), note, "{game}");
                assert_eq!(listed.notation.as_ref(), note, "{game}");
                let known = one.texts.iter().position(|text| Some(text) == note);
                told_apart += usize::from(known.unwrap() > 0);
                let before = &one.texts[..known.unwrap()];
                let means_others =
                    |text| all.iter().filter(|one| one.texts.contains(text)).count() > 1;
                assert!(before.iter().all(means_others), "{game}: {one:?}");
            }
            let choice = bot.choose(&program, &state, &owed).unwrap().unwrap();
            engine::step_legal(&program, &mut state, 0, &choice, chance, nobody).unwrap();
        }
    }
    assert!(told_apart > 0, "{told_apart} of {noted}");
}

#[test]
fn positions_of_another_program_are_read_and_written() {
    let Some(text) = python(&["positions", "4", "7"], "") else {
        return;
    };
    let mut count = 0;
    for line in text.lines() {
        let [variant, text, moves] = line.split('\t').collect::<Vec<_>>().try_into().unwrap();
        let rules = match variant {
            "chess" => variant,
            "kingofthehill" => "chess+king-of-the-hill",
            "racingkings" => "chess+racing-kings",
            other => &format!("chess+{other}"),
        };
        let (program, state) = from_position(rules, text);
        assert_eq!(position(&program, &state), text, "{variant}");
        let owed = engine::pending(&program, &state);
        let mut known = 0;
        let counted = engine::for_each_choice(&program, &state, &owed[0], &mut |_| {
            known += 1;
            ControlFlow::Continue(())
        });
        counted.unwrap();
        assert_eq!(known.to_string(), moves, "{variant} {text}");
        count += 1;
    }
    assert_eq!(count, 24);
}

#[test]
fn what_a_position_says_is_read_back() {
    let games = [
        "draughts",
        "international-draughts",
        "othello",
        "shogi",
        "shogi+mini",
        "xiangqi",
    ];
    for (game, seed) in games.into_iter().zip(11..) {
        let plain = find(game, &Path::new(ROOT).join("rules/gallery"));
        let ruleset = Ruleset::from_stack(&plain.unwrap()).unwrap().unwrap();
        let program = ruleset.program(2, &Map::new()).unwrap();
        let seed = seed_from_number(seed);
        let bot = RandomBot::for_game(&seed);
        let options = ruleset.complete_options(2, &Map::new()).unwrap();
        let (_, mut record) = simulate::play_and_record(&program, seed, &options, bot).unwrap();
        record.log.truncate(40);
        record.outcome = None;
        let text = position(
            &program,
            &replay::play_beginning(&record, &program).unwrap(),
        );
        let (program, state) = from_position(game, &text);
        assert_eq!(position(&program, &state), text, "{game}");
    }
    let text = "lnsgk2nl/1r1sg2b1/pppp+Ppppp/9/9/9/PPPP1PPPP/1B5R1/LNSGKGSNL w G2Pp 37";
    let (program, state) = from_position("shogi", text);
    assert_eq!(position(&program, &state), text);
}

#[test]
fn games_of_another_program_are_read_as_it_means_them() {
    let Some(text) = python(&["write", &GAMES.to_string(), "7"], "") else {
        return;
    };
    let chess = program("chess");
    let mut count = 0;
    for game in games_in(&text, Syntax::Pgn) {
        let game = game.unwrap();
        let record = recorded(&chess, &game, [0; 32], &Map::new());
        let record = record.unwrap_or_else(|problem| panic!("{problem}"));
        let state = replay::play(&record, &chess, &mut |_| Ok::<(), replay::ReplayError>(()));
        assert_eq!(position(&chess, &state.unwrap()), game.tag("End").unwrap());
        count += 1;
    }
    assert_eq!(count, GAMES);
}

#[test]
fn another_program_reads_what_is_exported_and_would_write_it_so() {
    let (ruleset, chess) = (gallery("chess"), program("chess"));
    let options = ruleset.complete_options(2, &Map::new()).unwrap();
    let mut all = String::new();
    let mut expected = Vec::new();
    for seed in (0..10).map(seed_from_number) {
        let bot = RandomBot::for_game(&seed);
        let (_, mut record) = simulate::play_and_record(&chess, seed, &options, bot).unwrap();
        record.log.truncate(160);
        record.outcome = None;
        let state = replay::play_beginning(&record, &chess).unwrap();
        all += &(noted_game(&record, &chess).unwrap() + "\n");
        let texts = texts(&chess, &record).join(" ");
        expected.push(format!("{}\t{texts}", position(&chess, &state)));
    }
    let Some(read) = python(&["read"], &all) else {
        return;
    };
    let read: Vec<&str> = read.lines().collect();
    assert_eq!(read, expected);
}
