//! Completion over the protocol: places in the games of this repository, each with the names that must be among the first five.

use std::fs;

use serde_json::{Value, json};

use super::lsp::{Client, shipped};

/// A place: a file, a text in it, and what is typed in its place, with `¦` for the cursor; then the names that must be
/// among the first five that fit.
type Place = (
    &'static str,
    &'static str,
    &'static str,
    &'static [&'static str],
);

const MOUNT: &str = "mount-drago/game.yaml";
const DRAKON: &str = "drakon/game.yaml";
const TAILWIND: &str = "mount-drago/variants/tailwind.yaml";
const HALL: &str = "drakon/variants/golden-hall.yaml";
const RIDING: &str = "mount-drago/scenarios/riding.yaml";
const CHAMBERS: &str = "drakon/scenarios/chambers.yaml";

const DRAW: &str = "draw 1 from deck to hand(p)";
const ADD: &str = "add:\n";

const BASE: [Place; 20] = [
    (MOUNT, "queries:\n", "mod¦\nqueries:\n", &["modifiers"]),
    (MOUNT, "{title: Deck,", "{title: Deck, ca¦", &["capacity"]),
    (
        MOUNT,
        "holds: card, see",
        "holds: ¦, see",
        &["card", "dragon"],
    ),
    (MOUNT, "in: deck}", "in: ¦}", &["deck", "hand", "discard"]),
    (MOUNT, "see: owner}", "see: ¦}", &["owner", "nobody", "all"]),
    (
        MOUNT,
        "queries:\n",
        "vars:\n  last: {type: c¦}\nqueries:\n",
        &["card", "color"],
    ),
    (MOUNT, "track: at", "track: ¦", &["at"]),
    (MOUNT, "shuffle deck\n", "shuffle ¦\n", &["deck", "discard"]),
    (MOUNT, DRAW, "draw 1 from ¦", &["deck"]),
    (MOUNT, DRAW, "draw 1 from deck to ¦", &["hand"]),
    (MOUNT, "c is laid for d\n", "if c.¦\n", &["color", "number"]),
    (
        MOUNT,
        "if d.space.is_blue [DRC-19]",
        "if d.space.¦ [DRC-19]",
        &["is_blue", "is_green"],
    ),
    (
        MOUNT,
        "[DRC-19]: small",
        "[DRC-1¦]: small",
        &["DRC-10", "DRC-11"],
    ),
    (
        MOUNT,
        "final_scoring = twice",
        "final_scoring = ¦",
        &["once", "twice"],
    ),
    (
        MOUNT,
        "if deck is empty: return",
        "if deck is ¦",
        &["empty"],
    ),
    (
        MOUNT,
        "choose c in hand(active) where",
        "choose c in ¦",
        &["hand"],
    ),
    (
        MOUNT,
        "look:\n",
        "handlers:\n  after dra¦\nlook:\n",
        &["dragon d climbs int n"],
    ),
    (
        MOUNT,
        "look:\n",
        "modifiers:\n  ¦\nlook:\n",
        &["mount(seat p)", "rider(dragon d)"],
    ),
    (MOUNT, "look:\n", "look:\n  disc¦\n", &["discard"]),
    (
        DRAKON,
        "f.owner loses gold to hoard",
        "f.owner lo¦",
        &["loses gold to"],
    ),
];

const OVERLAYS: [Place; 14] = [
    (TAILWIND, ADD, "change:\n  da¦\nadd:\n", &["data"]),
    (
        TAILWIND,
        ADD,
        "change:\n  data.¦\nadd:\n",
        &["side_for_2_and_3"],
    ),
    (
        TAILWIND,
        ADD,
        "change:\n  options.final_scoring.¦\nadd:\n",
        &["type", "default"],
    ),
    (
        TAILWIND,
        ADD,
        "change:\n  effects.¦\nadd:\n",
        &["play", "take_turn"],
    ),
    (
        HALL,
        ADD,
        "change:\n  components.chamber.kinds.fi¦\nadd:\n",
        &["find_a_coin"],
    ),
    (
        TAILWIND,
        ADD,
        "change:\n  components.card.¦\nadd:\n",
        &["each", "copies"],
    ),
    (
        TAILWIND,
        ADD,
        "change:\n  effects.take_turn:\n    c¦\nadd:\n",
        &["c is laid for d"],
    ),
    (
        TAILWIND,
        ADD,
        "change:\n  components.dragon: {¦}\nadd:\n",
        &["each", "in"],
    ),
    (
        TAILWIND,
        ADD,
        "change:\n  zones:\n    ¦\nadd:\n",
        &["deck", "discard"],
    ),
    (
        TAILWIND,
        "handlers:\n",
        "handlers:\n    before sum¦\n",
        &["summit_scoring"],
    ),
    (TAILWIND, "if d is hindmost", "if d is ¦", &["hindmost"]),
    (
        TAILWIND,
        ADD,
        "remove: [options.¦]\nadd:\n",
        &["final_scoring"],
    ),
    (
        TAILWIND,
        ADD,
        "remove:\n  - zones.dis¦\nadd:\n",
        &["discard"],
    ),
    (
        TAILWIND,
        "extends: mount-drago",
        "extends: mo¦",
        &["mount-drago"],
    ),
];

const SCENARIOS: [Place; 10] = [
    (RIDING, "- play: {c: card-blue-4-1}", "- pl¦", &["play"]),
    (
        RIDING,
        "given: {luck",
        "given: {options: {¦}, luck",
        &["final_scoring"],
    ),
    (
        RIDING,
        "given: {luck",
        "given: {options: {final_scoring: ¦}, luck",
        &["once", "twice"],
    ),
    (RIDING, "shows: [DRC-11", "shows: [DRC-1¦", &["DRC-11"]),
    (
        CHAMBERS,
        "- play: {option: lay",
        "- play: {option: ¦",
        &["lay", "walk"],
    ),
    (
        RIDING,
        "{type: turn-ended, seat: 1}",
        "{type: sc¦}",
        &["scored"],
    ),
    (
        RIDING,
        "{type: turn-ended, seat: 1}",
        "{type: moved, ¦}",
        &["component", "to"],
    ),
    (
        RIDING,
        "move dragon(green) to",
        "move dragon(¦) to",
        &["green"],
    ),
    (
        RIDING,
        "- expect:\n",
        "- expect:\n        - score[¦] = 3\n",
        &["seat"],
    ),
    (
        RIDING,
        "code: illegal-choice",
        "code: ¦",
        &["illegal-choice"],
    ),
];

const BROKEN: [Place; 4] = [
    (MOUNT, DRAW, "draw 1 from ¦", &["deck"]),
    (MOUNT, "c is laid for d\n", "c.¦\n", &["color", "number"]),
    (
        DRAKON,
        "f.owner loses gold to hoard",
        "f.owner lo¦",
        &["loses gold to"],
    ),
    (TAILWIND, "if d is hindmost", "if d is ¦", &["hindmost"]),
];

/// What is half-written above the places of [`BROKEN`], instead of something that is there.
const BREAKS: [(&str, &str); 4] = [
    (
        "{title: Deck, holds: card, see: nobody}",
        "{title: Deck, holds: card, see: [nobody",
    ),
    ("title: Mount Drago\n", "title: \"Mount Drago\n"),
    ("hand_size: 4", "hand_size 4"),
    ("add:\n", "add: {\n"),
];

/// Returns the place that is not right, with the first names that are offered there.
fn missed(client: &mut Client, place: &Place, is_broken: Option<(&str, &str)>) -> Option<String> {
    let (file, there, typed, wanted) = place;
    let path = shipped().join(file);
    let saved = fs::read_to_string(&path).unwrap();
    let uri = format!("file://{}", path.display());
    let document = json!({"uri": uri, "languageId": "yaml", "version": 1, "text": saved});
    client.note("textDocument/didOpen", json!({"textDocument": document}));
    let at = saved.find(there).unwrap_or_else(|| panic!("no `{there}`"));
    let mut text = saved.replacen(there, &typed.replace('¦', ""), 1);
    let mut cursor = at + typed.find('¦').unwrap();
    if let Some((whole, half)) = is_broken {
        assert!(text.find(whole).unwrap() < cursor);
        text = text.replacen(whole, half, 1);
        cursor = cursor + half.len() - whole.len();
    }
    let change =
        json!({"textDocument": {"uri": uri, "version": 2}, "contentChanges": [{"text": text}]});
    client.note("textDocument/didChange", change);
    let line = text[..cursor].matches('\n').count();
    let start = text[..cursor].rfind('\n').map_or(0, |at| at + 1);
    let character = text[start..cursor].encode_utf16().count();
    let position = json!({"line": line, "character": character});
    let about = json!({"textDocument": {"uri": uri}, "position": position});
    let found = client.ask("textDocument/completion", about);
    client.note(
        "textDocument/didClose",
        json!({"textDocument": {"uri": uri}}),
    );
    let first = fitting(&found, &text[start..cursor]);
    let has = |name: &&str| first.iter().take(5).any(|label| label == name);
    let is_right = wanted.iter().all(has);
    let shown = typed.replace('\n', "⏎");
    (!is_right).then(|| {
        format!(
            "{shown} wants {wanted:?}, of {}: {:?}",
            first.len(),
            &first[..first.len().min(6)]
        )
    })
}

/// Returns the offered names as an editor shows them: those that go on with what is typed, in the order of the server.
fn fitting(found: &Value, line: &str) -> Vec<String> {
    let mut items: Vec<&Value> = found["items"].as_array().unwrap().iter().collect();
    items.sort_by_key(|item| item["sortText"].as_str().unwrap_or_default());
    let units: Vec<u16> = line.encode_utf16().collect();
    let fits = |item: &&Value| {
        let from = item["textEdit"]["range"]["start"]["character"]
            .as_u64()
            .unwrap();
        let typed = String::from_utf16(&units[from as usize..]).unwrap();
        item["label"].as_str().unwrap().starts_with(&typed)
    };
    let fitting = items.into_iter().filter(fits);
    fitting
        .map(|item| item["label"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn the_right_name_is_among_the_first_five() {
    let mut client = Client::open(&shipped());
    let whole = BASE.iter().chain(&OVERLAYS).chain(&SCENARIOS);
    let mut missing: Vec<String> = whole
        .filter_map(|place| missed(&mut client, place, None))
        .collect();
    let broken = BROKEN.iter().zip(BREAKS);
    missing.extend(broken.filter_map(|(place, half)| missed(&mut client, place, Some(half))));
    client.close();
    assert!(
        missing.is_empty(),
        "{} of 48 are not right:\n{}",
        missing.len(),
        missing.join("\n")
    );
}
