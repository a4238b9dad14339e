//! Pictures: every shipped game in mid-play, as its seats and everybody else see it. A new game is covered at once.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

use serde_json::Map;
use wyrmgate::bot::RandomBot;
use wyrmgate::engine::{self, Collect, Seeded, State, Viewer};
use wyrmgate::picture::{
    self, Decision, DrawingOptions, PartRole, PictureNode, PictureTheme, Piece, Rect, Sight,
};
use wyrmgate::program::{Form, Language, Program};
use wyrmgate::rules::{Ruleset, game_folders};
use wyrmgate::view::{Doc, Members, ViewDoc, decision_docs, event_doc, view, view_to_send};

use super::root;
use crate::support::command::wyrmgate;

pub fn games() -> Vec<PathBuf> {
    let folders = game_folders(&root().join("rules")).unwrap();
    assert!(folders.len() >= 13, "{folders:?}");
    folders
}

/// A game in mid-play.
struct Table {
    name: String,
    program: Arc<Program>,
    positions: Vec<Position>,
}

static TABLES: LazyLock<Vec<Table>> =
    LazyLock::new(|| games().iter().map(|folder| table(folder)).collect());

fn table(folder: &Path) -> Table {
    let ruleset = Ruleset::from_folder(folder).unwrap().unwrap();
    let mut seats = [3, 2, 4, 5].into_iter();
    let program = seats.find_map(|seats| ruleset.program(seats, &Map::new()).ok());
    let program = program.unwrap();
    Table {
        name: folder.file_name().unwrap().to_string_lossy().into_owned(),
        positions: positions(&program, &[4, 21, 38]),
        program,
    }
}

/// A position, and what happened last.
struct Position {
    state: State,
    last: Collect,
}

/// Plays at random and stops after each of these numbers of decisions.
fn positions(program: &Program, stops: &[u32]) -> Vec<Position> {
    let seed = [7; 32];
    let mut bot = RandomBot::for_game(&seed);
    let mut last = Collect::default();
    let mut state = engine::start(program, seed, &mut Seeded, &mut last).unwrap();
    let mut found = Vec::new();
    for made in 0..=stops.iter().copied().max().unwrap() {
        if stops.contains(&made) {
            let kept = std::mem::take(&mut last);
            found.push(Position {
                state: state.clone(),
                last: kept,
            });
        }
        let Some(owed) = engine::pending(program, &state).first().copied() else {
            break;
        };
        let choice = bot.choose(program, &state, &owed).unwrap().unwrap();
        last.0.clear();
        engine::step(
            program,
            &mut state,
            owed.index,
            &choice,
            &mut Seeded,
            &mut last,
        )
        .unwrap();
    }
    found
}

/// The view, events and decision of one viewer.
struct Received<'p> {
    program: &'p Program,
    seat: Option<u32>,
    view: ViewDoc,
    events: Vec<Doc<'p>>,
    decision: Option<Decision>,
}

impl<'p> Received<'p> {
    fn of(program: &'p Program, position: &'p Position, seat: Option<u32>) -> Received<'p> {
        let viewer = match seat {
            Some(seat) => Viewer::Seat(u8::try_from(seat).unwrap() - 1),
            None => Viewer::Public,
        };
        let reader = viewer.reading(Language::default());
        let state = &position.state;
        let events = position.last.0.iter();
        let owed = engine::pending(program, state);
        let own = owed
            .iter()
            .find(|owed| Some(u32::from(owed.seat) + 1) == seat);
        Received {
            program,
            seat,
            view: view(program, state, reader),
            events: events
                .filter_map(|event| event_doc(program, event, reader))
                .collect(),
            decision: own
                .map(|owed| Decision::of(&decision_docs(program, state, owed, 500, 0).unwrap())),
        }
    }

    fn sight(&self) -> Sight<'_> {
        Sight {
            program: self.program,
            view: Some(&self.view),
            language: Language::default(),
            seat: self.seat,
            names: &[],
            clocks: &[],
            events: &self.events,
            decision: self.decision.as_ref(),
            answers: &[],
        }
    }
}

/// Calls a function with what each viewer receives in each game in mid-play.
fn each_received(check: impl Fn(&str, &Received<'_>)) {
    for table in &*TABLES {
        for position in &table.positions {
            for seat in [None, Some(1), Some(2)] {
                let decisions = position.state.decisions_made();
                let at = format!("{} after {decisions} decisions, seat {seat:?}", table.name);
                check(&at, &Received::of(&table.program, position, seat));
            }
        }
    }
}

fn layout(received: &Received<'_>, size: u16) -> PictureNode {
    let drawing = DrawingOptions {
        size,
        ..DrawingOptions::default()
    };
    picture::layout(&received.sight(), drawing).unwrap()
}

fn nodes(root: &PictureNode) -> Vec<&PictureNode> {
    let mut all = Vec::new();
    root.each(&mut |node| all.push(node));
    all
}

/// The ids of the components that a view shows, also of those inside others.
fn components_of<'v>(components: impl Iterator<Item = &'v Members<'v>>) -> BTreeSet<String> {
    let mut ids = BTreeSet::new();
    for component in components {
        ids.extend(component.get("id").and_then(Doc::as_str).map(str::to_owned));
        let inside = component
            .get("holds")
            .and_then(|holds| holds.get("components"));
        let inside = inside.and_then(Doc::as_list).unwrap_or_default();
        ids.extend(components_of(inside.iter().filter_map(Doc::as_object)));
    }
    ids
}

fn shown(view: &ViewDoc) -> BTreeSet<String> {
    components_of(view.zones.values().flat_map(|zone| &zone.components))
}

/// Returns whether the look hides what has this name.
fn is_hidden(program: &Program, name: &str) -> bool {
    let style = program.look.things.get(name);
    style.is_some_and(|style| style.form == Some(Form::Hidden))
}

#[test]
fn every_zone_component_and_choice_carries_its_id() {
    each_received(|at, received| {
        let root = layout(received, 1280);
        let all = nodes(&root);
        let ids: Vec<&str> = all
            .iter()
            .map(|node| node.id.as_str())
            .filter(|id| !id.is_empty())
            .collect();
        let once: BTreeSet<&str> = ids.iter().copied().collect();
        assert_eq!(once.len(), ids.len(), "{at}: an id occurs twice");
        for (id, zone) in &received.view.zones {
            if is_hidden(received.program, &zone.family) {
                continue;
            }
            // Of a very large board, only what is used is drawn.
            let of_family = received.view.zones.values();
            let of_family = of_family.filter(|other| other.family == zone.family);
            if of_family.count() > 400 && zone.components.is_empty() {
                continue;
            }
            assert!(once.contains(id.as_str()), "{at}: no zone {id}");
            let is_pile = all.iter().any(|node| {
                node.id == *id
                    && node.what == PartRole::Zone
                    && zone.components.len() > nodes(node).len()
            });
            let is_hidden = |component: &Members<'_>| {
                let kind = component.get("kind").and_then(Doc::as_str);
                kind.is_some_and(|kind| is_hidden(received.program, kind))
            };
            let drawn = zone.components.iter().filter(|one| !is_hidden(one));
            for component in drawn.filter_map(|one| one.get("id")?.as_str()) {
                let is_there = is_pile
                    || once.contains(component)
                    || all
                        .iter()
                        .any(|node| node.id == *id && node.what == PartRole::Zone);
                assert!(is_there, "{at}: no component {component} in {id}");
            }
        }
        let choices: BTreeSet<&str> = all
            .iter()
            .flat_map(|node| {
                node.choices
                    .iter()
                    .map(String::as_str)
                    .chain([node.id.as_str()])
            })
            .collect();
        let scene = picture::scene(&received.sight());
        for choice in received
            .decision
            .iter()
            .flat_map(|decision| &decision.choices)
        {
            let is_there = choices.contains(choice.id.as_str()) || scene.more_choices > 0;
            assert!(is_there, "{at}: no choice {} {}", choice.id, choice.label);
        }
    });
}

/// One option lists only the first of several like components, another one lists each of them.
#[test]
fn each_of_several_like_components_offers_what_every_option_says() {
    let folder = root().join("rules/gallery/night-market");
    let table = table(&folder);
    let mut received = Received::of(&table.program, &table.positions[0], Some(1));
    let zones = received.view.zones.iter();
    let mut hands = zones.filter(|(id, _)| id.as_str() == "hand-1");
    let (_, hand) = hands.next().unwrap();
    let ids = hand
        .components
        .iter()
        .filter_map(|one| one.get("id")?.as_str());
    let ids: Vec<String> = ids.map(str::to_owned).collect();
    let choice = |option: &str, number: usize, refers: &str| picture::PicturedChoice {
        id: format!("{option}-{number}"),
        option: Some(option.to_owned()),
        refers: vec![refers.to_owned()],
        ..picture::PicturedChoice::default()
    };
    let each = ids
        .iter()
        .enumerate()
        .map(|(number, id)| choice("each", number, id));
    let choices = std::iter::once(choice("first", 0, &ids[0])).chain(each);
    received.decision = Some(Decision {
        count: 1 + ids.len() as u64,
        choices: choices.collect(),
        alike: vec![ids.clone()],
        ..Decision::default()
    });
    let root = layout(&received, 1280);
    let all = nodes(&root);
    assert!(ids.len() > 1);
    for (number, id) in ids.iter().enumerate() {
        let piece = all.iter().find(|node| node.id == *id).unwrap();
        assert_eq!(
            piece.choices,
            ["first-0".to_owned(), format!("each-{number}")]
        );
    }
}

#[test]
fn a_picture_names_nothing_that_its_viewer_does_not_know() {
    each_received(|at, received| {
        let known = shown(&received.view);
        let known: BTreeSet<&str> = known.iter().map(String::as_str).collect();
        let names: BTreeSet<&str> = received.program.component_names().collect();
        for node in nodes(&layout(received, 1280)) {
            if names.contains(node.id.as_str()) {
                assert!(known.contains(node.id.as_str()), "{at}: {}", node.id);
            }
        }
    });
}

fn overlap(one: &Rect, other: &Rect) -> bool {
    const SLACK: f32 = 0.6;
    one.x + SLACK < other.right()
        && other.x + SLACK < one.right()
        && one.y + SLACK < other.bottom()
        && other.y + SLACK < one.bottom()
}

fn contains(outer: &Rect, inner: &Rect) -> bool {
    const SLACK: f32 = 1.0;
    inner.x >= outer.x - SLACK
        && inner.y >= outer.y - SLACK
        && inner.right() <= outer.right() + SLACK
        && inner.bottom() <= outer.bottom() + SLACK
}

/// Everything with a name or a place of its own, with the range of what is inside it.
fn named<'n>(node: &'n PictureNode, all: &mut Vec<(&'n PictureNode, usize)>) {
    let at = all.len();
    let is_named = node.what != PartRole::Group;
    if is_named {
        all.push((node, 0));
    }
    node.inner
        .iter()
        .filter(|inner| !inner.is_translucent)
        .for_each(|inner| named(inner, all));
    let end = all.len();
    if is_named && let Some(own) = all.get_mut(at) {
        own.1 = end;
    }
}

/// Checks that parts stay inside the part that holds them, and that parts beside each other do not overlap.
fn check_places(at: &str, root: &PictureNode) {
    let mut all = Vec::new();
    named(root, &mut all);
    assert!(all.len() >= 2, "{at}: nothing is drawn");
    for (n, (one, end)) in all.iter().enumerate() {
        assert!(
            contains(&root.at, &one.at),
            "{at}: {} leaves the picture",
            one.id
        );
        for (inner, _) in &all[n + 1..*end] {
            assert!(
                contains(&one.at, &inner.at),
                "{at}: {} leaves {}",
                inner.id,
                one.id
            );
        }
        for (other, _) in &all[*end..] {
            let message = format!("{at}: {} and {} overlap", one.id, other.id);
            assert!(!overlap(&one.at, &other.at), "{message}");
        }
    }
}

/// Checks that words stay inside what they are written on.
fn check_words(at: &str, node: &PictureNode) {
    for shape in &node.shapes {
        let picture::Figure::Text {
            at: (x, _),
            anchor,
            size,
            text,
            ..
        } = &shape.figure
        else {
            continue;
        };
        assert!(*size >= 7.0 && !text.ends_with('…'), "{at}: `{text}`");
        let wide = picture::width_of(text) * size;
        let left = match anchor {
            picture::Anchor::Start => *x,
            picture::Anchor::Middle => x - wide / 2.0,
            picture::Anchor::End => x - wide,
        };
        let is_inside = left >= node.at.x - 2.0 && left + wide <= node.at.right() + 2.0;
        let is_named = node.what != PartRole::Group && node.what != PartRole::Board;
        assert!(is_inside || !is_named, "{at}: `{text}` leaves {}", node.id);
    }
}

#[test]
fn nothing_overlaps_on_a_desk_and_on_a_phone() {
    each_received(|at, received| {
        for size in [1280, 460] {
            let root = layout(received, size);
            check_places(&format!("{at}, {size} wide"), &root);
            nodes(&root).iter().for_each(|node| check_words(at, node));
        }
    });
}

/// Returns the visible features of a small piece.
fn appearance(piece: &Piece) -> (Form, Option<&str>, Option<&str>, &str, &str, Vec<String>) {
    (
        piece.form,
        piece.color.map(|color| color.word),
        piece.symbol.map(|symbol| symbol.word),
        &piece.label,
        &piece.big,
        piece.corners.clone(),
    )
}

#[test]
fn abbreviations_never_make_two_things_look_alike() {
    each_received(|at, received| {
        let scene = picture::scene(&received.sight());
        let mut seen: BTreeMap<String, String> = BTreeMap::new();
        scene.each_piece(&mut |piece| {
            let is_short = !piece.label.is_empty() && !piece.is_hidden && !piece.is_mark;
            if is_short && piece.form == Form::Pawn {
                let look = format!("{:?}", appearance(piece));
                let title = seen.entry(look).or_insert_with(|| piece.title.clone());
                assert_eq!(*title, piece.title, "{at}");
            }
        });
    });
}

#[test]
fn text_is_as_wide_as_asked_and_names_what_lies_open() {
    each_received(|at, received| {
        for columns in [100, 60] {
            let text = picture::text(&received.sight(), columns);
            let wide = text.lines().map(|line| line.chars().count()).max().unwrap();
            assert!(wide <= usize::from(columns), "{at}: {wide} columns\n{text}");
            assert!(!text.contains('\u{1b}'));
        }
    });
}

fn drawn(received: &Received, theme: PictureTheme) -> String {
    let drawing = DrawingOptions {
        theme,
        ..DrawingOptions::default()
    };
    picture::svg(&received.sight(), drawing).unwrap()
}

#[test]
fn every_picture_is_well_formed() {
    each_received(|at, received| {
        for theme in [PictureTheme::Light, PictureTheme::Dark, PictureTheme::Auto] {
            let svg = drawn(received, theme);
            assert_eq!(
                svg.matches("<g").count(),
                svg.matches("</g>").count(),
                "{at}"
            );
            let mut words = svg.split(|c: char| !c.is_alphanumeric());
            assert!(!words.any(|word| ["NaN", "inf"].contains(&word)), "{at}");
            assert!(!svg.contains("href") && !svg.contains("<script"), "{at}");
        }
    });
}

/// Returns a picture for both themes with the colors of one of them.
fn settled(svg: &str, is_dark: bool) -> String {
    let mut out = String::new();
    for (at, element) in svg
        .replace("svg{color-scheme:light dark}", "")
        .split('<')
        .enumerate()
    {
        let gap = if at > 0 { "<" } else { "" };
        let Some((before, rest)) = element.split_once(" style=\"") else {
            out += &format!("{gap}{element}");
            continue;
        };
        let (style, after) = rest.split_once('"').unwrap();
        let mut before = before.to_owned();
        for part in style.split(';') {
            let (name, colors) = part.split_once(":light-dark(").unwrap();
            let (light, dark) = colors.strip_suffix(')').unwrap().split_once(',').unwrap();
            let color = |of: &str| format!(" {name}=\"{of}\"");
            assert!(before.contains(&color(light)), "{element}");
            if is_dark {
                before = before.replace(&color(light), &color(dark));
            }
        }
        out += &format!("{gap}{before}{after}");
    }
    out
}

#[test]
fn a_picture_for_both_themes_is_that_of_each() {
    each_received(|at, received| {
        let both = drawn(received, PictureTheme::Auto);
        for (theme, is_dark) in [(PictureTheme::Light, false), (PictureTheme::Dark, true)] {
            assert_eq!(settled(&both, is_dark), drawn(received, theme), "{at}");
        }
    });
}

/// What a part that stands for a choice covers answers to a pointer, and a piece alone on a place that stands for nothing
/// has all of it. What lies over them, such as an arrow, does not.
#[test]
fn each_choice_answers_in_its_whole_place() {
    each_received(|at, received| {
        let root = layout(received, 1280);
        let all = nodes(&root);
        let svg = drawn(received, PictureTheme::Light);
        let choices = all.iter().filter(|node| node.is_choice());
        let hits = svg
            .matches("class=\"hit\" fill=\"none\" pointer-events=\"all\"")
            .count();
        assert_eq!(choices.clone().count(), hits, "{at}");
        assert_eq!(
            hits > 0,
            svg[..200].contains("pointer-events=\"none\""),
            "{at}"
        );
        for space in all
            .iter()
            .filter(|node| node.what == PartRole::Space && !node.is_choice())
        {
            let live: Vec<&PictureNode> = space
                .inner
                .iter()
                .filter(|piece| piece.is_choice())
                .collect();
            if let ([piece], Some(picture::Figure::Rect { at: area, .. })) =
                (&live[..], live.first().and_then(|piece| piece.hit.as_ref()))
            {
                assert!(contains(area, &space.at), "{at}: {}", piece.id);
            }
        }
    });
}

/// Backgammon's points face each other, and the bar and what lies beside the board are round.
#[test]
fn spaces_of_a_map_taper_off_to_the_side_that_the_rules_name() {
    let drawn = wyrmgate(&["draw", "backgammon", "--steps", "30", "--seed", "7"]);
    assert_eq!(drawn.code, 0, "{}", drawn.err);
    let points = |id: &str| -> Vec<(f32, f32)> {
        let (_, space) = drawn.out.split_once(&format!("id=\"{id}\">")).unwrap();
        let (_, shape) = space.split_once("<polygon points=\"").unwrap();
        let (corners, _) = shape.split_once('"').unwrap();
        let corner = |corner: &str| {
            let (x, y) = corner.split_once(',').unwrap();
            (x.parse().unwrap(), y.parse().unwrap())
        };
        corners.split(' ').map(corner).collect()
    };
    // The last corner is the tip.
    let (below, above) = (points("point-1-1"), points("point-1-24"));
    assert!(below[2].1 < below[0].1 && above[2].1 > above[0].1);
    assert!(below[2].0 > below[0].0.min(below[1].0) && below[2].0 < below[0].0.max(below[1].0));
    let (_, bar) = drawn.out.split_once("id=\"point-1-25\">").unwrap();
    assert!(bar[..bar.find("<g").unwrap()].contains("<rect"));
}

#[test]
fn a_zone_can_be_drawn_alone() {
    let draw = |rest: &[&str]| {
        let mut args = vec!["draw", "mount-drago", "--steps", "12", "--seed", "3"];
        args.extend(rest);
        wyrmgate(&args)
    };
    let hand = draw(&["--seat", "1", "--focus", "hand-1"]);
    assert_eq!(hand.code, 0, "{}", hand.err);
    assert!(hand.out.contains("id=\"hand-1\"") && !hand.out.contains("id=\"space-0\""));
    let board = draw(&["--focus", "space"]);
    assert!(board.out.contains("id=\"space-0\"") && !board.out.contains("id=\"hand-1\""));
    let nothing = draw(&["--focus", "nowhere"]);
    assert_eq!(nothing.code, 2, "{}", nothing.out);
    assert!(nothing.err.contains("no zone `nowhere`"), "{}", nothing.err);
    let text = draw(&["--text", "60"]);
    assert!(text.out.starts_with("Mount Drago"), "{}", text.out);
}

/// The words of the rules are listed in the reference.
#[test]
fn the_reference_lists_every_form_color_and_symbol() {
    let page = fs::read_to_string(root().join("rules/guide/looks.md")).unwrap();
    let start = page.find("## Looks").expect("a section `Looks`");
    let section = &page[start..];
    let section = section.split("\n## ").next().unwrap();
    let words = wyrmgate::lang::look::FORMS
        .iter()
        .chain(wyrmgate::lang::look::COLORS)
        .chain(wyrmgate::lang::look::SYMBOLS);
    let missing: Vec<_> = words
        .filter(|word| !section.contains(&format!("`{word}`")))
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
    for form in wyrmgate::lang::look::FORMS {
        assert!(Form::named(form).is_some(), "{form}");
    }
}

/// A look is short, and overlays can change it.
#[test]
fn looks_are_short() {
    for folder in games() {
        let game = fs::read_to_string(folder.join("game.yaml")).unwrap();
        let look = game.split("\nlook:\n").nth(1).unwrap_or_default();
        let lines = look.lines().take_while(|line| line.starts_with(' '));
        let lines = lines.count() + usize::from(game.contains("\nlook: {"));
        let has_looks = game.contains("look: ") || game.contains("\nlook:\n");
        assert!(has_looks && lines <= 40, "{}: {lines}", folder.display());
    }
}

#[test]
fn an_overlay_can_change_the_look() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("gray.yaml");
    let overlay =
        "extends: mount-drago\nchange:\n  look.card.symbol: crown\nadd:\n  look.discard: hidden\n";
    fs::write(&file, overlay).unwrap();
    let draw = |game: &str| {
        let ran = wyrmgate(&["draw", game, "--steps", "9", "--seed", "3", "--seat", "1"]);
        assert_eq!(ran.code, 0, "{}", ran.err);
        ran.out
    };
    let (plain, changed) = (draw("mount-drago"), draw(file.to_str().unwrap()));
    assert!(plain.contains("id=\"discard\"") && !changed.contains("id=\"discard\""));
    assert_ne!(plain, changed);
}

#[test]
fn a_name_that_ends_in_png_gives_pixels() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("board.png");
    let file = file.to_str().unwrap();
    let draw = |more: &[&str]| {
        let args = [
            "draw", "chess", "--steps", "9", "--seed", "3", "--size", "400",
        ];
        wyrmgate(&[&args, more].concat())
    };
    assert_eq!(draw(&["--out", file]).code, 0);
    let pixels = fs::read(file).unwrap();
    assert_eq!(pixels, wyrmgate::picture::png(&draw(&[]).out).unwrap());
    for wrong in [["--text", "80"], ["--theme", "auto"]] {
        let ran = draw(&[&wrong[..], &["--out", file]].concat());
        assert_eq!(ran.code, 2, "{wrong:?}: {}", ran.err);
    }
}

#[test]
fn a_die_shows_no_side_before_its_first_roll() {
    let text = |steps: &str| {
        let ran = wyrmgate(&["draw", "pig", "--steps", steps, "--seed", "1", "--text"]);
        assert_eq!(ran.code, 0, "{}", ran.err);
        ran.out
    };
    assert!(text("0").contains("Tray (1): [Die]"), "{}", text("0"));
    assert!(!text("1").contains("[Die]"), "{}", text("1"));
}

const BOARD_OF_BOARDS: &str = "
game: nested
title: Nested
players: 2
bound: 100
zones:
  space: {each: {wide: 1..2, high: 1..3, column: 1..2, row: 1..2}}
  field: {each: {column: 1..2, row: 1..2}}
vars:
  mark: {each: space, type: seat}
effects:
  play: |
    turns from seat(1):
      choose s in space where mark[s] = none \"Where?\": mark[s] = active
      else: finish drawn
";

/// Without a word about it, places by two numbers are a grid, and by four numbers a grid of grids.
#[test]
fn places_by_numbers_are_boards() {
    let folder = tempfile::tempdir().unwrap();
    let game = folder.path().join("nested");
    fs::create_dir(&game).unwrap();
    fs::write(game.join("game.yaml"), BOARD_OF_BOARDS).unwrap();
    let ran = wyrmgate(&["draw", game.to_str().unwrap(), "--text"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let inner = "┌────┬────┐  ┌────┬────┐";
    let one = "┌───┬───┐";
    let lines: Vec<&str> = ran.out.lines().collect();
    let tops = lines.iter().filter(|line| line.trim() == inner).count();
    assert_eq!(tops, 3, "{}", ran.out);
    assert!(lines.iter().any(|line| line.trim() == one), "{}", ran.out);
}

const LISTS: &str = "
game: lists
title: Lists
players: 2
bound: 100
types: {color: [red, light_blue]}
vars:
  bids: {type: ints, each: {by: seats, on: color}, most: 3}
  steps: {type: colors, each: {by: seats, at: 2..3}, most: 3}
  said_by: {type: seats, each: color, most: 3}
  unseen: {type: ints, each: {by: seats, on: color}, most: 3, see: nobody}
effects:
  play: |
    bids[seat(1)][light_blue] += [4, 7]
    bids[seat(2)][red] += 5
    steps[seat(2)][3] += [red, light_blue]
    said_by[red] += seat(2)
    unseen[seat(1)][red] += 9
    ask seat(1) \"Go on?\": finish drawn
";

#[test]
fn lists_with_several_keys_are_shown_with_their_keys() {
    let folder = tempfile::tempdir().unwrap();
    let game = folder.path().join("lists");
    fs::create_dir(&game).unwrap();
    fs::write(game.join("game.yaml"), LISTS).unwrap();
    let ran = wyrmgate(&["draw", game.to_str().unwrap(), "--text"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let shown = ran.out.lines().find(|line| line.starts_with("bids"));
    assert_eq!(
        shown,
        Some(
            "bids 1 light blue 4, 7 · bids 2 red 5 · steps 2 3 red, light blue · said by red Seat 2"
        ),
        "{}",
        ran.out
    );
}

const VALUES: &str = "
game: values
title: Values
players: 2
bound: 100
types:
  color: [red, light_blue]
  claim: {by: seat, on: color, amount: int}
vars:
  left: {type: int, each: 2..4}
  bid: claim
  claims: {type: claims, each: seats, most: 3}
look:
  bid.on: hidden
effects:
  play: |
    left[3] = 5
    bid = claim(seat(2), light_blue, 4)
    claims[seat(1)] += [bid, claim(seat(1), red, 2)]
    ask seat(1) \"Go on?\": finish drawn
";

#[test]
fn values_by_number_and_parts_of_records_are_shown() {
    let folder = tempfile::tempdir().unwrap();
    let game = folder.path().join("values");
    fs::create_dir(&game).unwrap();
    fs::write(game.join("game.yaml"), VALUES).unwrap();
    let ran = wyrmgate(&["draw", game.to_str().unwrap(), "--text"]);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("left 3 5 · bid amount 4"), "{}", ran.out);
    let of_first = "claims by Seat 2, Seat 1 · claims on light blue, red · claims amount 4, 2";
    let words: Vec<&str> = ran.out.split_whitespace().collect();
    assert!(words.join(" ").contains(of_first), "{}", ran.out);
}

/// The picture on the first page of the project is one that anybody can draw.
#[test]
fn the_picture_of_the_readme_is_up_to_date() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let command = readme.split("`wyrmgate draw ").nth(1).unwrap();
    let command = command.split('`').next().unwrap();
    let mut args = vec!["draw"];
    args.extend(command.split(' '));
    let ran = wyrmgate(&args);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let path = root().join("docs/pictures/drakon.svg");
    if std::env::var_os("WYRMGATE_BLESS").is_some() {
        fs::write(&path, &ran.out).unwrap();
    }
    let stored = fs::read_to_string(&path).unwrap_or_default();
    assert!(stored == ran.out, "WYRMGATE_BLESS=1 draws it again");
}

#[test]
fn a_view_that_is_sent_reads_as_its_document() {
    for table in TABLES.iter() {
        let program = &table.program;
        let seats = (0..program.seats as u8).map(Viewer::Seat);
        for viewer in seats.chain([Viewer::Public]) {
            for language in (0..program.prose.languages.len().max(1)).map(|at| Language(at as u16))
            {
                let reader = viewer.reading(language);
                for position in &table.positions {
                    let to_send = view_to_send(program, &position.state, reader);
                    let document = view(program, &position.state, reader);
                    let document = serde_json::to_string(&document).unwrap();
                    let sent = serde_json::to_string(&to_send).unwrap();
                    assert_eq!(sent, document, "{}, {reader:?}", table.name);
                }
            }
        }
    }
}
