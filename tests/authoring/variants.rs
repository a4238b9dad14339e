//! The language server on games with overlays: names and changes in several files.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::lsp::Client;

const GAME: &str = "\
game: heap
title: Heap
players: 2 [HEAP-01]
bound: 100
options:
  size: {type: 3..9, default: 5}
zones:
  heap: {holds: stone}
  gone: {holds: stone}
components:
  stone: {copies: size, in: heap}
effects:
  play: |
    turns from seat(1):
      choose c in heap: move c to gone
      if heap is empty: finish won by active
clauses:
  HEAP-01: Two play.
";
const ONE: &str =
    "extends: heap\nchange:\n  options.size.default: 7\n  components.stone.copies: size + 1\n";
const TWO: &str =
    "extends: heap\nadd:\n  handlers:\n    after move(stone s, gone z): say \"{size} stones\"\n";

/// Two games in folders with one name, each with two overlays.
struct Shelf(tempfile::TempDir);

impl Shelf {
    fn new() -> Shelf {
        let shelf = Shelf(tempfile::tempdir().unwrap());
        for folder in ["one", "two"] {
            let variants = shelf.path(folder, "variants");
            fs::create_dir_all(&variants).unwrap();
            fs::write(shelf.path(folder, "game.yaml"), GAME).unwrap();
            fs::write(variants.join("one.yaml"), ONE).unwrap();
            fs::write(variants.join("two.yaml"), TWO).unwrap();
        }
        shelf
    }

    fn path(&self, folder: &str, file: &str) -> PathBuf {
        let root = self.0.path().canonicalize().unwrap();
        root.join(folder).join("heap").join(file)
    }

    fn uri(&self, folder: &str, file: &str) -> String {
        format!("file://{}", self.path(folder, file).display())
    }

    fn client(&self) -> Client {
        Client::open(&self.0.path().canonicalize().unwrap().join("one"))
    }

    /// The place of the first letter of a text in a file of the first game.
    fn place(&self, file: &str, there: &str) -> Value {
        let text = fs::read_to_string(self.path("one", file)).unwrap();
        let at = text.find(there).unwrap();
        let line = text[..at].matches('\n').count();
        let character = at - text[..at].rfind('\n').map_or(0, |at| at + 1);
        json!({"textDocument": {"uri": self.uri("one", file)}, "position": {"line": line, "character": character}})
    }
}

fn open(client: &mut Client, uri: &str, text: &str, version: i64) {
    let document = json!({"uri": uri, "languageId": "yaml", "version": version, "text": text});
    client.note("textDocument/didOpen", json!({"textDocument": document}));
}

#[test]
fn folders_with_one_name_are_both_checked() {
    let shelf = Shelf::new();
    let mut client = shelf.client();
    let wrong = GAME.replace("choose c in heap", "choose c in heep");
    for folder in ["one", "two"] {
        open(&mut client, &shelf.uri(folder, "game.yaml"), &wrong, 4);
    }
    let mut found = client.published(2);
    found.sort_by_key(|params| params["uri"].to_string());
    for (params, folder) in found.iter().zip(["one", "two"]) {
        assert_eq!(params["uri"], shelf.uri(folder, "game.yaml"));
        assert_eq!(params["version"], 4, "{params}");
        assert_eq!(params["diagnostics"][0]["code"], "unknown-name", "{params}");
    }
    client.close();
}

#[test]
fn a_name_is_found_and_renamed_in_overlays() {
    let shelf = Shelf::new();
    let mut client = shelf.client();
    for (file, there) in [
        ("game.yaml", "size: {type"),
        ("variants/two.yaml", "size} stones"),
    ] {
        let mut about = shelf.place(file, there);
        about["context"] = json!({"includeDeclaration": true});
        let found = client.ask("textDocument/references", about.clone());
        let count = |file: &str| {
            let uri = shelf.uri("one", file);
            found
                .as_array()
                .unwrap()
                .iter()
                .filter(|place| place["uri"] == uri)
                .count()
        };
        let counts = ["game.yaml", "variants/one.yaml", "variants/two.yaml"].map(count);
        assert_eq!(counts, [2, 2, 1], "{file}: {found:#}");
        about["newName"] = "number".into();
        let renamed = client.ask("textDocument/rename", about);
        let edits = |file: &str| {
            renamed["changes"][shelf.uri("one", file)]
                .as_array()
                .map_or(0, Vec::len)
        };
        assert_eq!(
            ["game.yaml", "variants/one.yaml", "variants/two.yaml"].map(edits),
            [2, 2, 1],
            "{renamed:#}"
        );
    }
    client.close();
}

#[test]
fn a_path_of_an_overlay_leads_to_what_it_changes() {
    let shelf = Shelf::new();
    let mut client = shelf.client();
    let place = shelf.place("variants/one.yaml", "copies: size");
    let found = client.ask("textDocument/definition", place);
    assert_eq!(found[0]["uri"], shelf.uri("one", "game.yaml"), "{found}");
    let line = GAME
        .lines()
        .position(|line| line.contains("copies"))
        .unwrap();
    assert_eq!(found[0]["range"]["start"]["line"], line);
    client.close();
}

#[test]
fn a_file_that_was_changed_elsewhere_is_read_again() {
    let shelf = Shelf::new();
    let mut client = shelf.client();
    let file = Path::new("game.yaml");
    let place = shelf.place("game.yaml", "gone\n");
    let told = client.ask("textDocument/hover", place.clone());
    assert!(
        told["contents"]["value"].as_str().unwrap().contains("gone"),
        "{told}"
    );
    let renamed = GAME.replace("gone", "past");
    fs::write(shelf.path("one", file.to_str().unwrap()), renamed).unwrap();
    let told = client.ask("textDocument/hover", place);
    assert!(
        told["contents"]["value"].as_str().unwrap().contains("past"),
        "{told}"
    );
    client.close();
}

#[test]
fn uses_in_a_file_are_highlighted() {
    let shelf = Shelf::new();
    let mut client = shelf.client();
    let found = client.ask(
        "textDocument/documentHighlight",
        shelf.place("game.yaml", "stone: {copies"),
    );
    assert_eq!(found.as_array().unwrap().len(), 3, "{found}");
    client.close();
}

fn ask(method: &str, about: Value) -> Value {
    let shelf = Shelf::new();
    let mut client = shelf.client();
    let text = fs::read_to_string(shelf.path("one", "game.yaml")).unwrap();
    open(&mut client, &shelf.uri("one", "game.yaml"), &text, 1);
    let mut params = json!({"textDocument": {"uri": shelf.uri("one", "game.yaml")}});
    for (key, value) in about.as_object().unwrap() {
        params[key] = value.clone();
    }
    let found = client.ask(method, params);
    client.close();
    found
}

#[test]
fn a_file_has_an_outline() {
    let found = ask("textDocument/documentSymbol", json!({}));
    let names = |of: &Value| -> Vec<String> {
        let all = of.as_array().unwrap().iter();
        all.map(|one| one["name"].as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(names(&found)[4..6], ["options", "zones"]);
    assert_eq!(names(&found[5]["children"]), ["heap", "gone"]);
    let found = ask("textDocument/foldingRange", json!({}));
    let zones = GAME.lines().position(|line| line == "zones:").unwrap();
    let is_zones = |fold: &Value| fold["startLine"] == zones && fold["endLine"] == zones + 2;
    assert!(found.as_array().unwrap().iter().any(is_zones), "{found}");
    let place = json!({"positions": [{"line": zones + 1, "character": 9}]});
    let found = ask("textDocument/selectionRange", place);
    let lines = |range: &Value| [range["start"]["line"].clone(), range["end"]["line"].clone()];
    assert_eq!(
        lines(&found[0]["range"]),
        [json!(zones + 1), json!(zones + 1)],
        "{found}"
    );
    let around = |one: &Value| one["parent"].clone();
    let section = std::iter::successors(Some(found[0].clone()), |one| {
        Some(around(one)).filter(Value::is_object)
    });
    assert!(
        section
            .map(|one| lines(&one["range"]))
            .any(|at| at == [json!(zones), json!(zones + 2)]),
        "{found}"
    );
    let found = ask("workspace/symbol", json!({"query": "ston"}));
    assert_eq!(found[0]["name"], "stone", "{found}");
}

#[test]
fn a_line_that_overlays_change_says_so() {
    let found = ask("textDocument/codeLens", json!({}));
    let lines: Vec<u64> = found
        .as_array()
        .unwrap()
        .iter()
        .map(|lens| lens["range"]["start"]["line"].as_u64().unwrap())
        .collect();
    let at = |there: &str| GAME.lines().position(|line| line.contains(there)).unwrap() as u64;
    assert_eq!(lines, [at("default: 5"), at("copies: size")], "{found}");
    assert_eq!(found[0]["command"]["title"], "`one` changes this");
}

#[test]
fn an_overlay_shows_what_it_replaces_and_leads_to_its_game() {
    let shelf = Shelf::new();
    let mut client = shelf.client();
    let about = json!({"textDocument": {"uri": shelf.uri("one", "variants/one.yaml")}});
    let found = client.ask("textDocument/inlayHint", about.clone());
    assert_eq!(found[0]["label"], "was `5`", "{found}");
    assert_eq!(found[0]["position"]["line"], 2, "{found}");
    let found = client.ask("textDocument/documentLink", about);
    assert_eq!(found[0]["target"], shelf.uri("one", "game.yaml"), "{found}");
    client.close();
}

#[test]
fn what_is_called_is_shown_with_its_arguments() {
    let place = |there: &str| {
        let at = GAME.find(there).unwrap() + there.len();
        let line = GAME[..at].matches('\n').count();
        json!({"position": {"line": line, "character": at - GAME[..at].rfind('\n').unwrap() - 1}})
    };
    let found = ask("textDocument/signatureHelp", place("turns from seat("));
    let label = found["signatures"][0]["label"].as_str().unwrap();
    assert!(label.starts_with("seat("), "{found}");
    assert_eq!(found["activeParameter"], 0, "{found}");
}

#[test]
fn a_line_below_a_block_is_indented() {
    let shelf = Shelf::new();
    let mut client = shelf.client();
    let text = GAME.replace(
        "    turns from seat(1):\n",
        "    turns from seat(1):\n    \n",
    );
    open(&mut client, &shelf.uri("one", "game.yaml"), &text, 1);
    let line = text
        .lines()
        .position(|line| line.contains("turns from"))
        .unwrap()
        + 1;
    let about = json!({
        "textDocument": {"uri": shelf.uri("one", "game.yaml")}, "position": {"line": line, "character": 4}, "ch": "\n", "options": {},
    });
    let found = client.ask("textDocument/onTypeFormatting", about);
    assert_eq!(found[0]["newText"], "  ", "{found}");
    client.close();
}
