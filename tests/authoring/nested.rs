//! No rules end the process, however deep they nest: each construct, at its limit and beyond, goes through everything that reads
//! rules, plays them or draws games, on the smallest stack that anything runs on.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};
use wyrmgate::bot::{Bot, RandomBot};
use wyrmgate::debugger::protocol::{Debugged, Wanted};
use wyrmgate::debugger::{BYTES_MAX, Pace, RecordWalk, inspect};
use wyrmgate::desk::{Desk, Home};
use wyrmgate::dice::Dice;
use wyrmgate::engine::{self, Seeded, Silent, Viewer};
use wyrmgate::format::format;
use wyrmgate::imagine::Imagination;
use wyrmgate::lang::Bundle;
use wyrmgate::picture::{self, DrawingOptions, Midgame, Sight};
use wyrmgate::program::{Language, Program};
use wyrmgate::rules::Ruleset;
use wyrmgate::schema::File;
use wyrmgate::simulate::{self, Plan};
use wyrmgate::view::{Doc, decision_docs, event_doc, view, view_to_send};
use wyrmgate::{mutate, rulebook};

use crate::support::nested::{CONSTRUCTS, FAR, Nested};

/// The stack of the threads that serve requests and compute, and of every thread that does not say otherwise. A program's own
/// thread has more, and so have threads of Python.
const SMALLEST_STACK: usize = 2 << 20;

/// Does work on a thread with the smallest stack.
fn on_smallest_stack<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    let thread = std::thread::Builder::new().stack_size(SMALLEST_STACK);
    thread.spawn(work).unwrap().join().unwrap()
}

fn bundle(files: &[String]) -> Bundle {
    let names = (0..).map(|number| match number {
        0 => "game.yaml".to_owned(),
        number => format!("overlay-{number}.yaml"),
    });
    let names: Vec<String> = names.take(files.len()).collect();
    Bundle {
        name: "nested".into(),
        files: names.iter().cloned().zip(files.iter().cloned()).collect(),
        roots: names,
    }
}

/// Sends rules through everything. Returns the code of the first report, if they have errors.
fn everything(files: &[String]) -> Option<&'static str> {
    for text in files {
        let _ = format(File::Game, text);
    }
    in_an_editor(&files[0]);
    match Ruleset::from_bundle(&bundle(files)) {
        Ok(ruleset) => {
            ruleset.warnings();
            play(&ruleset);
            describe(&ruleset);
            None
        }
        Err(broken) => {
            let _ = (broken.to_string(), broken.findings());
            broken.report.diagnostics.first().map(|first| first.code)
        }
    }
}

fn in_an_editor(text: &str) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("nested/game.yaml");
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(&path, text).unwrap();
    let uri = format!("file://{}", path.display());
    let mut desk = Desk::new(Home::Folder(folder.path().to_owned()));
    let document = json!({"uri": uri, "text": text});
    desk.note("textDocument/didOpen", &json!({"textDocument": document}));
    desk.diagnostics();
    let line = text.lines().count() / 2;
    let params = json!({
        "textDocument": {"uri": uri},
        "position": {"line": line, "character": 4},
        "range": {"start": {"line": line, "character": 0}, "end": {"line": line, "character": 4}},
        "context": {"diagnostics": []},
        "newName": "renamed",
    });
    for method in [
        "completion",
        "hover",
        "definition",
        "references",
        "prepareRename",
        "rename",
        "semanticTokens/full",
        "formatting",
        "codeAction",
    ] {
        let _ = desk.answer(&format!("textDocument/{method}"), &params);
    }
    let project = super::lsp::read(&path, folder.path(), &BTreeMap::new());
    let wanted: Wanted = serde_json::from_value(json!({"game": path, "seed": 1})).unwrap();
    let debugged = project.map(|project| Debugged::of(project, &wanted, BYTES_MAX));
    if let Some(Ok(debugged)) = debugged
        && let Some(mut walk) = RecordWalk::new(debugged.course)
    {
        for _ in 0..200 {
            walk.forward(Pace::Into);
        }
        let program = walk.course().game.program.clone();
        if let Some(here) = walk.here() {
            inspect::position(&program, here);
            inspect::running(&program, here);
        }
        walk.back(Pace::Over);
    }
}

fn play(ruleset: &Ruleset) {
    let Ok(program) = ruleset.program(2, &Map::new()) else {
        return;
    };
    let begun = engine::start(&program, [7; 32], &mut Seeded, &mut Silent);
    let Ok(mut state) = begun else { return };
    let bytes = state.encode(&program);
    assert!(engine::State::decode(&program, &bytes).is_ok());
    let mut bot = RandomBot::new(1);
    while let Some(owed) = engine::pending(&program, &state).first() {
        let _ = decision_docs(&program, &state, owed, 20, 0);
        let Ok(Some(choice)) = bot.choose(&program, &state, owed) else {
            break;
        };
        let made = engine::step(
            &program,
            &mut state,
            owed.index,
            &choice,
            &mut Seeded,
            &mut Silent,
        );
        if made.is_err() {
            break;
        }
    }
    if let Ok(game) = Midgame::of(&program, 1) {
        show(&program, &game);
    }
    let mut imagination = Imagination::begin(&program, [7; 32], 0).ok();
    let world = imagination
        .as_mut()
        .map(|imagination| imagination.world(&mut Dice::new(1)));
    drop(world);
    simulate::run(
        &program,
        &Plan {
            first: 1,
            games: 2,
            seed: [7; 32],
            threads: 1,
            players: vec![Bot::Search1, Bot::Random],
            records: None,
        },
        &mut |_| {},
    );
}

fn show(program: &Program, game: &Midgame) {
    for viewer in [Viewer::Public, Viewer::Seat(0)] {
        let reader = viewer.reading(Language::default());
        let view = view(program, &game.state, reader);
        let json = serde_json::to_vec(&view_to_send(program, &game.state, reader)).unwrap();
        let _: Value = serde_json::from_slice(&json).expect("what is sent can be read");
        let events = game.events.iter();
        let events: Vec<Doc> = events
            .filter_map(|event| event_doc(program, event, reader))
            .collect();
        let sight = Sight {
            events: &events,
            ..Sight::of(program, &view, Language::default())
        };
        let svg = picture::svg(&sight, DrawingOptions::default()).unwrap();
        let _ = picture::png(&svg);
        picture::text(&sight, 100);
        picture::brief(&sight);
    }
}

fn describe(ruleset: &Ruleset) {
    if let Some(page) = rulebook::collect(ruleset, Language::default()) {
        rulebook::html(&page);
        rulebook::markdown(&page, |_| String::new());
    }
    let mutants = mutate::mutants(&ruleset.checked.definition);
    mutate::mutant(&ruleset.checked.definition, mutants.len() / 2);
}

fn goes_through(construct: &'static Nested, depth: usize) -> Option<&'static str> {
    eprintln!("{}: {depth} deep", construct.name);
    on_smallest_stack(move || everything(&(construct.write)(depth)))
}

/// Only the constructs whose name contains this are tried.
fn wanted() -> impl Iterator<Item = &'static Nested> {
    let only = std::env::var("WYRMGATE_NESTED").unwrap_or_default();
    CONSTRUCTS
        .iter()
        .filter(move |construct| construct.name.contains(&only))
}

/// Rules as deep as a limit allows go through everything; where there is none, as deep as this.
const DEEP: usize = 60;

#[test]
fn every_construct_nests_to_its_limit() {
    let refused = wanted().filter(|construct| construct.most > 0);
    let refused = refused.filter_map(|construct| {
        let most = construct.most.min(DEEP);
        let code = goes_through(construct, most)?;
        Some(format!("{} {most} deep: {code}", construct.name))
    });
    let refused: Vec<String> = refused.collect();
    assert!(refused.is_empty(), "{refused:#?}");
}

/// One level more may be as good, where other things nest less than the limit allows. What is far too deep is not.
#[test]
fn deeper_nesting_is_reported() {
    let mut accepted = Vec::new();
    for construct in wanted().filter(|construct| construct.most < FAR) {
        goes_through(construct, construct.most + 1);
        if goes_through(construct, FAR).is_none() {
            accepted.push(construct.name);
        }
    }
    assert!(accepted.is_empty(), "{accepted:#?}");
}
