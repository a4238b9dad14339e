//! The language server, over its protocol and from inside.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use serde_json::{Value, json};
use wyrmgate::desk::capabilities;
use wyrmgate::diagnostic::Span;
use wyrmgate::editor::{Project, ProjectTexts, classes, complete, hover, rename};
use wyrmgate::rules::game_folders;
use wyrmgate::schema::File;

use super::framed::Framed;
use crate::support::command::{binary, wyrmgate};

/// A game of its own, with texts as if they had been typed.
struct Desk {
    folder: tempfile::TempDir,
    buffers: BTreeMap<PathBuf, String>,
}

impl Desk {
    fn new() -> Desk {
        let folder = tempfile::tempdir().unwrap();
        let rules = folder.path().to_str().unwrap();
        assert_eq!(wyrmgate(&["new", "race", "--rules", rules]).code, 0);
        Desk {
            folder,
            buffers: BTreeMap::new(),
        }
    }

    fn game(&self) -> PathBuf {
        self.folder
            .path()
            .canonicalize()
            .unwrap()
            .join("race/game.yaml")
    }

    fn text(&self) -> String {
        fs::read_to_string(self.game()).unwrap()
    }

    /// Types something in place of a text that is there; `¦` in it is the cursor. Returns where that is.
    fn type_over(&mut self, there: &str, typed: &str) -> usize {
        let text = self.text();
        let at = text.find(there).unwrap_or_else(|| panic!("no `{there}`"));
        let cursor = at + typed.find('¦').unwrap();
        self.buffers.insert(
            self.game(),
            text.replacen(there, &typed.replace('¦', ""), 1),
        );
        cursor
    }

    fn project(&self) -> Project {
        read(&self.game(), self.folder.path(), &self.buffers).unwrap()
    }

    #[track_caller]
    fn labels(&mut self, there: &str, typed: &str) -> Vec<String> {
        let cursor = self.type_over(there, typed);
        let saved = read(&self.game(), self.folder.path(), &BTreeMap::new()).unwrap();
        let text = &self.buffers[&self.game()];
        let (_, found) = complete(File::Game, text, cursor, Some(&saved), &[]);
        found.into_iter().map(|one| one.label).collect()
    }

    fn at(&self, project: &Project, word: &str) -> Span {
        let (file, text) = project.file(&self.game()).unwrap();
        let at = text.find(word).unwrap_or_else(|| panic!("no `{word}`"));
        Span::new(file, at, at)
    }
}

/// The game of a file, with texts that are typed.
pub(super) fn read(
    path: &Path,
    rules: &Path,
    buffers: &BTreeMap<PathBuf, String>,
) -> Option<Project> {
    ProjectTexts::read(path, rules, buffers).map(Project::of)
}

#[track_caller]
fn has(labels: &[String], wanted: &[&str]) {
    for word in wanted {
        assert!(
            labels.iter().any(|label| label == word),
            "no `{word}` in {labels:?}"
        );
    }
}

#[track_caller]
fn lacks(labels: &[String], unwanted: &[&str]) {
    for word in unwanted {
        assert!(
            !labels.iter().any(|label| label == word),
            "`{word}` in {labels:?}"
        );
    }
}

#[test]
fn keys_are_completed_where_they_may_stand() {
    let mut desk = Desk::new();
    let labels = desk.labels("  deck: {title: Deck,", "  deck: {title: Deck, ca¦");
    has(&labels, &["capacity", "holds", "see"]);
    lacks(&labels, &["copies", "zones"]);
    has(
        &desk.labels("options:\n", "opt¦\noptions:\n"),
        &["options", "handlers"],
    );
    let labels = desk.labels(
        "  die: {title: Die,",
        "  pawn:\n    fa¦\n  die: {title: Die,",
    );
    has(&labels, &["faces", "kinds"]);
    has(
        &desk.labels("see: owner}", "see: ¦owner}"),
        &["viewer", "nobody"],
    );
}

#[test]
fn names_are_completed_inside_block_scalars() {
    let mut desk = Desk::new();
    let line = "    shuffle deck\n";
    has(
        &desk.labels(line, "    sh¦\n"),
        &["shuffle", "show", "take_a_turn"],
    );
    let labels = desk.labels(line, "    shuffle ¦\n");
    has(&labels, &["deck", "hand", "discard", "goal"]);
    let labels = desk.labels("        move c to discard\n", "        move ¦\n");
    has(&labels, &["c", "card", "top"]);
    let labels = desk.labels("        move c to discard\n", "        active scores c.¦\n");
    has(&labels, &["color", "value", "worth", "zone"]);
    lacks(&labels, &["faces", "goal"]);
    has(
        &desk.labels("    roll die\n", "    roll die [¦\n"),
        &["RAC-01", "RAC-04"],
    );
}

#[test]
fn parts_of_records_are_completed_and_explained() {
    let mut desk = Desk::new();
    let text = desk.text().replace(
        "zones:\n",
        "  claim: {by: seat, on: color, amount: int}\nvars:\n  best_bid: claim\nzones:\n",
    );
    fs::write(desk.game(), text).unwrap();
    let line = "    shuffle deck\n";
    let labels = desk.labels(line, "    best_bid.¦\n");
    has(&labels, &["by", "on", "amount"]);
    lacks(&labels, &["goal"]);
    has(&desk.labels(line, "    best_bid = cl¦\n"), &["claim"]);
    has(&desk.labels("best_bid: claim", "best_bid: cl¦"), &["claim"]);
    desk.buffers.clear();
    let project = desk.project();
    let at = desk.at(&project, "claim: {by");
    let told = hover(&project, File::Game, at.file, at.start as usize + 1).unwrap();
    assert!(
        told.contains("claim: {by: seat, on: color, amount: int}"),
        "{told}"
    );
}

#[test]
fn parameters_are_completed_in_queries() {
    let mut desk = Desk::new();
    let labels = desk.labels("if c.color = red", "if c.¦");
    has(&labels, &["color", "value"]);
    has(&desk.labels("if c.color = red", "¦"), &["c", "red", "card"]);
}

#[test]
fn hover_tells_what_a_word_is_and_where_it_comes_from() {
    let desk = Desk::new();
    let project = desk.project();
    let told = |word: &str, offset: usize| {
        let at = desk.at(&project, word);
        hover(&project, File::Game, at.file, at.start as usize + offset).unwrap_or_default()
    };
    assert!(
        told("draw 3", 1).contains("as many as there are"),
        "{}",
        told("draw 3", 1)
    );
    assert!(
        told("hand(p) [", 1).contains("hand(owner: seats)"),
        "{}",
        told("hand(p) [", 1)
    );
    assert!(told("hand(p) [", 1).contains("race/game.yaml:"));
    assert!(
        told("c.worth\n", 3).contains("Named expressions")
            || told("c.worth\n", 3).contains("worth(card c)")
    );
    assert!(
        told("bound:", 2).contains("The maximum number of decisions"),
        "{}",
        told("bound:", 2)
    );
    assert!(
        told("[RAC-02]", 3).contains("three cards"),
        "{}",
        told("[RAC-02]", 3)
    );
}

#[test]
fn hover_tells_what_house_rules_have_changed() {
    let desk = Desk::new();
    let variants = desk.game().parent().unwrap().join("variants");
    fs::create_dir(&variants).unwrap();
    let overlay = variants.join("long.yaml");
    let text = "extends: race\nchange:\n  options.goal.default: 20\n  components.card.copies: 3\n";
    fs::write(&overlay, text).unwrap();
    let project = read(&overlay, desk.folder.path(), &BTreeMap::new()).unwrap();
    let (file, _) = project.file(&overlay).unwrap();
    assert!(
        project.report.diagnostics.is_empty(),
        "{:?}",
        project.report
    );
    let at = desk.at(&project, "card c): if");
    let card = hover(&project, File::Game, at.file, at.start as usize + 1).unwrap();
    assert!(
        card.contains("was `2`") && card.contains("by `long`"),
        "{card}"
    );
    assert_ne!(at.file, file);
}

#[test]
fn a_name_is_renamed_wherever_it_is_meant() {
    let desk = Desk::new();
    let project = desk.project();
    let edits = rename(&project, desk.at(&project, "worth(card c)"), "price").unwrap();
    assert_eq!(edits.len(), 3, "{edits:?}");
    let edits = rename(&project, desk.at(&project, "RAC-03"), "RAC-09").unwrap();
    let files: std::collections::BTreeSet<_> = edits.iter().map(|(span, _)| span.file).collect();
    assert_eq!(files.len(), 2, "the scenarios cite it, too: {edits:?}");
    let local = rename(&project, desk.at(&project, "p in seats: draw"), "player").unwrap();
    assert_eq!(local.len(), 2, "{local:?}");
    let clash = rename(&project, desk.at(&project, "worth(card c)"), "deck");
    assert!(clash.unwrap_err().to_string().contains("declared twice"));
    assert!(rename(&project, desk.at(&project, "worth(card c)"), "Price").is_err());
}

#[test]
fn a_variable_of_records_is_renamed_in_looks_and_letters() {
    let mut desk = Desk::new();
    let game = "game: race\ntitle: Race\nplayers: 2\nbound: 10\n\
        types: {piece: {of: seat, king: bool}}\n\
        zones: {square: {each: {column: 1..2, row: 1..2}, grid: [column, row]}}\n\
        vars: {man: {each: square, type: piece}}\n\
        start: {on: square, rows: x./.O, letters: {xo: man.of, XO: [man.of, man.king]}}\n\
        look: {man.of: {color: blue}}\n\
        effects: {play: set_up; finish drawn}\n";
    desk.buffers.insert(desk.game(), game.to_owned());
    fs::remove_dir_all(desk.game().with_file_name("scenarios")).unwrap();
    let project = desk.project();
    let renamed = |word: &str, new: &str| {
        let mut edits = rename(&project, desk.at(&project, word), new).unwrap();
        edits.sort_by_key(|(span, _)| std::cmp::Reverse(span.start));
        edits.dedup();
        let mut text = game.to_owned();
        for (span, new) in edits {
            text.replace_range(span.start as usize..span.end as usize, &new);
        }
        text
    };
    assert_eq!(renamed("man: {each", "stone"), game.replace("man", "stone"));
    let part = renamed("king: bool", "crowned");
    assert_eq!(part, game.replace("king", "crowned"));
}

#[test]
fn diagnostics_are_those_of_what_is_typed() {
    let mut desk = Desk::new();
    desk.type_over("shuffle deck", "shuffle deckk¦");
    let project = desk.project();
    let problem = &project.checked().diagnostics[0];
    assert_eq!(problem.code, "unknown-name");
    let (_, text) = project.file(&desk.game()).unwrap();
    assert_eq!(
        &text[problem.span.start as usize..problem.span.end as usize],
        "deckk"
    );
}

// ---- over the protocol

pub(super) struct Client {
    server: Framed,
    next: i64,
}

impl Client {
    pub fn open(root: &Path) -> Client {
        let server = Framed::start(binary().arg("lsp"));
        let mut client = Client { server, next: 0 };
        let root = format!("file://{}", root.display());
        let answer = client.ask("initialize", json!({"capabilities": {}, "rootUri": root}));
        assert_eq!(answer["capabilities"]["hoverProvider"], true);
        client.note("initialized", json!({}));
        client
    }

    pub fn note(&mut self, method: &str, params: Value) {
        self.server
            .send(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    pub fn ask(&mut self, method: &str, params: Value) -> Value {
        self.next += 1;
        let id = self.next;
        self.server
            .send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        loop {
            let message = self.server.receive();
            if message["id"] == id {
                assert!(message.get("error").is_none(), "{message}");
                return message["result"].clone();
            }
        }
    }

    /// The next diagnostics of a file.
    pub fn problems(&mut self, uri: &str) -> Vec<Value> {
        loop {
            let message = self.server.receive();
            if message["method"] == "textDocument/publishDiagnostics"
                && message["params"]["uri"] == uri
            {
                return message["params"]["diagnostics"].as_array().unwrap().clone();
            }
        }
    }

    /// The parameters of this many diagnostics.
    pub fn published(&mut self, number: usize) -> Vec<Value> {
        let mut found = Vec::new();
        while found.len() < number {
            let message = self.server.receive();
            if message["method"] == "textDocument/publishDiagnostics" {
                found.push(message["params"].clone());
            }
        }
        found
    }

    pub fn close(mut self) {
        self.ask("shutdown", Value::Null);
        self.note("exit", Value::Null);
        assert_eq!(self.server.code(), Some(0));
    }
}

#[test]
fn an_editor_is_served_over_standard_input_and_output() {
    let desk = Desk::new();
    let path = desk.game();
    let mut client = Client::open(path.parent().unwrap().parent().unwrap());
    let uri = format!("file://{}", path.display());
    // an animal in the comment: positions count UTF-16 units
    let text = desk
        .text()
        .replace("    shuffle deck\n", "    say \"🐉\"; shuffle dekc\n");
    let document = json!({"uri": uri, "languageId": "yaml", "version": 1, "text": text});
    client.note("textDocument/didOpen", json!({"textDocument": document}));
    let problems = client.problems(&uri);
    assert_eq!(problems.len(), 1, "{problems:?}");
    assert_eq!(problems[0]["code"], "unknown-name");
    let line = text.lines().position(|line| line.contains("dekc")).unwrap();
    let start = "    say \"🐉\"; shuffle ".encode_utf16().count();
    let range = json!({"start": {"line": line, "character": start}, "end": {"line": line, "character": start + 4}});
    assert_eq!(problems[0]["range"], range);

    let mended = text.replace("dekc", "deck");
    let change =
        json!({"textDocument": {"uri": uri, "version": 2}, "contentChanges": [{"text": mended}]});
    client.note("textDocument/didChange", change);
    assert_eq!(client.problems(&uri), Vec::<Value>::new());

    let place =
        json!({"textDocument": {"uri": uri}, "position": {"line": line, "character": start + 1}});
    let definition = client.ask("textDocument/definition", place.clone());
    let declared = mended
        .lines()
        .position(|line| line.starts_with("  deck:"))
        .unwrap();
    assert_eq!(
        definition[0]["range"]["start"],
        json!({"line": declared, "character": 2})
    );
    let told = client.ask("textDocument/hover", place.clone());
    assert!(
        told["contents"]["value"]
            .as_str()
            .unwrap()
            .contains("**zone** `deck`"),
        "{told}"
    );
    let found = client.ask("textDocument/completion", place.clone());
    assert!(
        found["items"]
            .as_array()
            .unwrap()
            .iter()
            .any(|item| item["label"] == "discard")
    );
    let mut new = place.clone();
    new["newName"] = "pile".into();
    let edits = client.ask("textDocument/rename", new);
    assert!(
        edits["changes"][&uri].as_array().unwrap().len() >= 3,
        "{edits}"
    );
    let mut all = place;
    all["context"] = json!({"includeDeclaration": true});
    assert!(
        client
            .ask("textDocument/references", all)
            .as_array()
            .unwrap()
            .len()
            >= 3
    );
    let ugly = mended
        .replace("    shuffle", "      shuffle")
        .replace("players: 2", "players:   2");
    let change =
        json!({"textDocument": {"uri": uri, "version": 3}, "contentChanges": [{"text": ugly}]});
    client.note("textDocument/didChange", change);
    let fair = client.ask(
        "textDocument/formatting",
        json!({"textDocument": {"uri": uri}, "options": {}}),
    );
    assert!(
        fair[0]["newText"].as_str().unwrap().contains("players: 2"),
        "{fair}"
    );
    client.close();
}

/// A message that knows the change offers it.
#[test]
fn repairs_are_quick_fixes() {
    let desk = Desk::new();
    let game = desk.game();
    let mut client = Client::open(game.parent().unwrap().parent().unwrap());
    let uri = format!("file://{}", desk.game().display());
    // the second and the third letter are Cyrillic
    let text = desk
        .text()
        .replace("shuffle deck", "shuffle d\u{435}\u{441}k");
    let document = json!({"uri": uri, "languageId": "yaml", "version": 1, "text": text});
    client.note("textDocument/didOpen", json!({"textDocument": document}));
    let problems = client.problems(&uri);
    let range = &problems[0]["range"];
    let ask = |client: &mut Client, range: &Value| {
        client.ask(
            "textDocument/codeAction",
            json!({"textDocument": {"uri": uri}, "range": range, "context": {"diagnostics": []}}),
        )
    };
    let fixes = ask(&mut client, range);
    let title = "Replace `d\u{435}\u{441}k` with `deck`";
    assert_eq!(fixes[0]["title"], title, "{problems:?} {fixes}");
    assert_eq!(fixes[0]["diagnostics"][0], problems[0]);
    // the whole word, not only the letter that the message marks
    let edit = &fixes[0]["edit"]["changes"][&uri][0];
    assert_eq!(edit["newText"], "deck");
    let (begin, end) = (&edit["range"]["start"], &edit["range"]["end"]);
    assert_eq!(begin["line"], range["start"]["line"]);
    let width = end["character"].as_u64().unwrap() - begin["character"].as_u64().unwrap();
    assert_eq!(width, 4, "{edit}");
    let above = json!({"start": {"line": 0, "character": 0}, "end": {"line": 1, "character": 0}});
    assert_eq!(ask(&mut client, &above), json!([]));
    client.close();
}

/// A house rule that speaks of what is renamed.
const HOUSE: &str = "\
extends: race
change:
  options.goal.default: 12
add:
  components.card.fields: {lucky: color = red}
  handlers.after scores(seat p, int n): |
    if n > 4 and goal > 9: draw 1 from deck to hand(p)
";

#[test]
fn a_game_passes_its_scenarios_whatever_is_renamed() {
    let desk = Desk::new();
    let game = desk.game();
    let rules = game.parent().unwrap().parent().unwrap();
    let variants = rules.join("race/variants");
    fs::create_dir_all(&variants).unwrap();
    fs::write(variants.join("house.yaml"), HOUSE).unwrap();
    let mut client = Client::open(rules);
    let renamed = [
        ("  card: {title", "leaf"),
        ("goal: {type", "target"),
        ("red, blue", "scarlet"),
        ("deck: {title", "pile"),
        ("c in hand(active)", "k"),
    ];
    for (there, new) in renamed {
        let text = desk.text();
        let indent = there.len() - there.trim_start().len();
        let at = text.find(there).unwrap() + indent;
        let line = text[..at].matches('\n').count();
        let character = at - text[..at].rfind('\n').map_or(0, |end| end + 1);
        let edits = client.ask(
            "textDocument/rename",
            json!({
                "textDocument": {"uri": format!("file://{}", game.display())},
                "position": {"line": line, "character": character}, "newName": new,
            }),
        );
        for (uri, edits) in edits["changes"].as_object().unwrap() {
            apply(Path::new(uri.strip_prefix("file://").unwrap()), edits);
        }
        let tested = wyrmgate(&["test", rules.to_str().unwrap()]);
        assert_eq!(tested.code, 0, "{new}: {}{}", tested.out, tested.err);
    }
    let house = fs::read_to_string(variants.join("house.yaml")).unwrap();
    assert!(house.contains("options.target.default"), "{house}");
    assert!(house.contains("components.leaf.fields"), "{house}");
    client.close();
}

#[test]
fn an_overlay_is_offered_to_state_what_it_replaces() {
    let desk = Desk::new();
    let game = desk.game();
    let rules = game.parent().unwrap().parent().unwrap();
    let variants = rules.join("race/variants");
    fs::create_dir_all(&variants).unwrap();
    let file = variants.join("house.yaml");
    fs::write(&file, HOUSE).unwrap();
    let mut client = Client::open(rules);
    let uri = format!("file://{}", file.display());
    let ask = |client: &mut Client| {
        let at = json!({"line": 2, "character": 4});
        let range = json!({"start": at, "end": at});
        client.ask(
            "textDocument/codeAction",
            json!({"textDocument": {"uri": uri}, "range": range, "context": {"diagnostics": []}}),
        )
    };
    let offered = ask(&mut client);
    let title = "State the value that this replaces (`was`)";
    assert_eq!(offered[0]["title"], title, "{offered}");
    apply(&file, &offered[0]["edit"]["changes"][&uri]);
    let house = fs::read_to_string(&file).unwrap();
    assert!(
        house.contains("options.goal.default: {was: 10, now: 12}"),
        "{house}"
    );
    let tested = wyrmgate(&[
        "check",
        file.to_str().unwrap(),
        "--rules",
        rules.to_str().unwrap(),
    ]);
    assert_eq!(tested.code, 0, "{}{}", tested.out, tested.err);
    client.close();
}

/// The edits of one file, which has nothing but ASCII in it.
fn apply(path: &Path, edits: &Value) {
    let text = fs::read_to_string(path).unwrap();
    let begins: Vec<usize> = std::iter::once(0)
        .chain(text.match_indices('\n').map(|(at, _)| at + 1))
        .collect();
    let byte = |place: &Value| {
        let part = |name: &str| place[name].as_u64().unwrap() as usize;
        begins[part("line")] + part("character")
    };
    let mut edits: Vec<(usize, usize, &str)> = edits
        .as_array()
        .unwrap()
        .iter()
        .map(|edit| {
            let range = &edit["range"];
            let new = edit["newText"].as_str().unwrap();
            (byte(&range["start"]), byte(&range["end"]), new)
        })
        .collect();
    edits.sort_unstable();
    let mut text = text;
    for (start, end, new) in edits.into_iter().rev() {
        text.replace_range(start..end, new);
    }
    fs::write(path, text).unwrap();
}

#[test]
fn the_editors_folder_starts_this_server() {
    let read = |path: &str| fs::read_to_string(Path::new("editors").join(path)).unwrap();
    let package: Value = serde_json::from_str(&read("vscode/package.json")).unwrap();
    // The package contains all that its manifest and its program name, and asks for no module that it does not install.
    let main = package["main"].as_str().unwrap();
    let script = read(&format!("vscode/{main}"));
    let packing = read("vscode/package");
    let required = script
        .split("require(\"")
        .skip(1)
        .filter_map(|rest| rest.split('"').next());
    for module in required {
        let is_there = match module.strip_prefix("./") {
            Some(file) => packing.contains(file),
            None => {
                let name = module.split('/').next().unwrap();
                name == "vscode" || package["dependencies"][name].is_string()
            }
        };
        assert!(is_there, "{module}");
    }
    for name in [
        main.trim_start_matches("./"),
        "package.json",
        "README.md",
        "syntaxes",
    ] {
        assert!(packing.contains(name), "{name}");
    }
    for debugger in package["contributes"]["debuggers"].as_array().unwrap() {
        let kind = debugger["type"].as_str().unwrap();
        let factory = format!("registerDebugAdapterDescriptorFactory(\"{kind}\"");
        assert!(script.contains(&factory), "{kind}");
    }
    for grammar in package["contributes"]["grammars"].as_array().unwrap() {
        let path = format!("vscode/{}", grammar["path"].as_str().unwrap());
        let grammar_file: Value = serde_json::from_str(&read(&path)).unwrap();
        assert_eq!(grammar_file["scopeName"], grammar["scopeName"], "{path}");
    }
    assert!(read("vscode/extension.js").contains("args: [\"lsp\"]"));
    assert!(read("vscode/package").contains("scenarios.js"));
    assert!(read("neovim/wyrmgate.lua").contains("{ \"wyrmgate\", \"lsp\" }"));
}

/// The studies of the workbench are those of the commands; one that is stopped has the games so far.
fn studies(desk: &wyrmgate::desk::Desk, about: &Value) {
    let run = |method: &str, stops: bool| {
        let progress = wyrmgate::desk::StudyProgress::default();
        progress.stop.store(stops, Ordering::Relaxed);
        let mut params = about.clone();
        params["games"] = json!(20);
        let found = desk.study(method, &params).unwrap().run(&progress).unwrap();
        let done = progress.done.load(Ordering::Relaxed);
        (found, done, progress.all.load(Ordering::Relaxed))
    };
    let (found, done, all) = run("wyrmgate/audit", false);
    assert_eq!(done, all);
    let text = found["text"].as_str().unwrap();
    assert!(text.contains("every game ended"), "{text}");
    assert!(found["svg"].as_str().unwrap().contains("wins by seat"));
    let (found, done, all) = run("wyrmgate/impact", false);
    assert_eq!(done, all);
    let text = found["text"].as_str().unwrap();
    assert!(
        text.contains("20 games") && text.contains("difference"),
        "{text}"
    );
    let (found, done, _) = run("wyrmgate/audit", true);
    assert_eq!((done, &found["interrupted"]), (0, &json!(true)));
}

/// The desk of the workbench: what a client sends is all there is, besides the games of the server.
#[test]
fn rules_that_were_sent_are_the_only_files_there_are() {
    let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/games");
    let (library, broken) = wyrmgate::rules::Library::read(&games).unwrap();
    assert!(broken.is_empty());
    let home = wyrmgate::desk::Home::Catalog(library.catalog());
    let mut desk = wyrmgate::desk::Desk::new(home);
    let about = |name: &str, line: u32, character: u32| {
        json!({
            "textDocument": {"uri": format!("file:///work/{name}")},
            "position": {"line": line, "character": character},
        })
    };
    let mut open = |name: &str, text: &str| {
        let uri = format!("file:///work/{name}");
        desk.note(
            "textDocument/didOpen",
            &json!({"textDocument": {"uri": uri, "text": text}}),
        );
        desk.diagnostics()
    };
    open(
        "house.yaml",
        "extends: nim\nchange:\n  options.heap_size.default: 5\n",
    );
    let wrong = open(
        "house.yaml",
        "extends: nim\nchange:\n  options.heap_sise.default: 5\n",
    );
    assert!(json!(wrong).to_string().contains("heap_size"), "{wrong:?}");
    open(
        "house.yaml",
        "extends: nim\nchange:\n  options.heap_size.default: 5\n",
    );
    open(
        "house.scenarios.yaml",
        "- scenario: Five stones\n  given: {seats: 2, luck: [1]}\n  steps:\n    - expect: count(heap) = 5\n\
         - scenario: Four stones\n  given: {seats: 2, luck: [1]}\n  steps:\n    - expect: count(heap) = 4\n",
    );
    let covered = desk.answer("wyrmgate/coverage", &about("house.scenarios.yaml", 0, 0));
    let covered = covered.unwrap();
    let played = &covered["scenarios"];
    assert_eq!(
        (&played[0]["passed"], &played[1]["passed"]),
        (&json!(true), &json!(false)),
        "{played}"
    );
    // The scenario that passes sets up the heap and takes nothing of it.
    let unreached = covered["unreached"].as_object().unwrap();
    let lines = unreached
        .values()
        .flat_map(|lines| lines.as_array().unwrap());
    assert!(lines.count() >= 2, "{covered}");
    let reached = covered["reached"].as_object().unwrap();
    assert!(!reached.is_empty(), "{covered}");
    let rules = unreached.keys().chain(reached.keys());
    let rules = rules.into_iter().all(|file| !file.contains("scenarios"));
    assert!(rules, "{covered}");
    studies(&desk, &about("house.yaml", 0, 0));
    let found = desk
        .answer("textDocument/completion", &about("house.yaml", 2, 10))
        .unwrap();
    assert!(!found["items"].as_array().unwrap().is_empty(), "{found}");

    // A file of this machine is no file.
    let file = games.join("nim/game.yaml");
    let asked = json!({
        "textDocument": {"uri": format!("file://{}", file.display())},
        "position": {"line": 20, "character": 10},
    });
    for method in ["textDocument/hover", "textDocument/definition"] {
        assert_eq!(
            desk.answer(method, &asked).unwrap(),
            Value::Null,
            "{method}"
        );
    }
    assert_eq!(
        desk.answer("textDocument/formatting", &asked).unwrap(),
        json!([])
    );
}

/// The words of a file with their classes, one line of the file per line.
fn classified(project: &Project, path: &Path) -> Vec<String> {
    let (_, text) = project.file(path).unwrap();
    let mut lines: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    for one in classes(project, path) {
        let (start, end) = (one.span.start as usize, one.span.end as usize);
        let word = format!("{} {}", one.class.name(), &text[start..end]);
        let line = text[..start].matches('\n').count();
        lines.entry(line).or_default().push(word);
    }
    lines.into_values().map(|words| words.join(" · ")).collect()
}

pub(super) fn shipped() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("rules")
}

#[test]
fn words_have_classes() {
    let game = shipped().join("gallery/pig/game.yaml");
    let project = read(&game, &shipped(), &BTreeMap::new()).unwrap();
    let found = classified(&project, &game);
    let wanted = [
        "keyword turns · keyword from · function seat · number 1",
        "keyword repeat · comment # until `stop`, which ends the turn",
        "keyword choose · string \" · variable won · string  points this turn. Roll again?\"",
        "keyword option · string \"Roll\" · decorator PIG-01",
        "keyword if · type die · property face · number 1 · keyword stop · decorator PIG-02",
        "comment # Points beyond the target do not count.",
    ];
    for line in wanted {
        assert!(
            found.iter().any(|known| known == line),
            "no {line} in {found:#?}"
        );
    }
}

#[test]
fn the_words_of_every_game_are_classified_in_order() {
    for folder in game_folders(&shipped()).unwrap() {
        let game = folder.join("game.yaml");
        let project = read(&game, &shipped(), &BTreeMap::new()).unwrap();
        let found = classes(&project, &game);
        let follows = found
            .windows(2)
            .all(|two| two[0].span.end <= two[1].span.start);
        assert!(follows && !found.is_empty(), "{}", game.display());
        // A file with an error in one line has the other lines' classes.
        let (_, text) = project.file(&game).unwrap();
        let broken = text.replacen("\n    if ", "\n    if if ", 1);
        let buffers = BTreeMap::from([(game.clone(), broken)]);
        let broken = read(&game, &shipped(), &buffers).unwrap();
        let fewer = classes(&broken, &game).len();
        assert!(fewer * 10 > found.len() * 3, "{}: {fewer}", game.display());
    }
}

#[test]
fn classes_travel_as_relative_places() {
    let mut desk = Desk::new();
    desk.type_over("about:", "# é🐉\nabout:¦");
    let text = desk.buffers[&desk.game()].clone();
    let mut client = Client::open(desk.folder.path());
    let uri = format!("file://{}", desk.game().display());
    let document = json!({"uri": uri, "languageId": "yaml", "version": 1, "text": text});
    client.note("textDocument/didOpen", json!({"textDocument": document}));
    let asked = json!({"textDocument": {"uri": uri}});
    let data = client.ask("textDocument/semanticTokens/full", asked);
    client.close();
    let numbers: Vec<usize> = serde_json::from_value(data["data"].clone()).unwrap();
    let able = capabilities();
    let legend = &able["capabilities"]["semanticTokensProvider"]["legend"]["tokenTypes"];
    let lines: Vec<Vec<u16>> = text
        .lines()
        .map(|line| line.encode_utf16().collect())
        .collect();
    let (mut line, mut column, mut found) = (0, 0, Vec::new());
    for token in numbers.chunks(5) {
        column = if token[0] == 0 {
            column + token[1]
        } else {
            token[1]
        };
        line += token[0];
        let word = String::from_utf16(&lines[line][column..column + token[2]]).unwrap();
        found.push(format!("{} {word}", legend[token[3]].as_str().unwrap()));
    }
    let project = desk.project();
    let wanted = classified(&project, &desk.game()).join(" · ");
    assert_eq!(found.join(" · "), wanted);
}
