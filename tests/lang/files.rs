//! Rulesets of several files, and folders.

use crate::{Read, read};
use wyrmgate::lang::load_dir;

const ROOT: &str = "game: g\nplayers: 2\ninclude: [cards.yaml, more.yaml]\ndata: {a: 1}\n";

fn messages(read: &Read) -> Vec<(&str, &str)> {
    let diagnostics = read.report.diagnostics.iter();
    diagnostics.map(|d| (d.code, d.message.as_str())).collect()
}

#[test]
fn included_files_are_merged_section_by_section() {
    let read = read(&[
        ("g/game.yaml", ROOT),
        ("g/cards.yaml", "data: {b: 2}\nclauses: {AB-1: One.}\n"),
        ("g/more.yaml", "data: {c: 3}\n"),
        ("g/unused.yaml", "nonsense: ["),
    ]);
    assert_eq!(messages(&read), []);
    let definition = read.definition.unwrap();
    let names: Vec<_> = definition
        .values
        .data
        .iter()
        .map(|data| data.name.text.as_str())
        .collect();
    assert_eq!(names, ["a", "b", "c"]);
    assert_eq!(definition.clauses.len(), 1);
    let paths: Vec<_> = read
        .sources
        .iter()
        .map(|(_, source)| source.path.as_str())
        .collect();
    assert_eq!(paths, ["g/game.yaml", "g/cards.yaml", "g/more.yaml"]);
}

#[test]
fn what_two_files_give_is_refused_with_both_places() {
    let read = read(&[
        ("game.yaml", ROOT),
        ("cards.yaml", "data: {a: 2}\n"),
        ("more.yaml", "game: h\n"),
    ]);
    let twice = [
        ("duplicate-key", "`a` is given twice"),
        ("duplicate-key", "`game` is given twice"),
    ];
    assert_eq!(messages(&read), twice);
    let rendered = read.report.render(&read.sources, false);
    assert!(
        rendered.contains("cards.yaml:1:8") && rendered.contains("game.yaml:4:8"),
        "{rendered}"
    );
}

#[test]
fn problems_of_all_files_are_reported_together() {
    let read = read(&[
        (
            "game.yaml",
            "game: g\ninclude: [cards.yaml, more.yaml, cord.yaml, more.yaml, game.yaml]\nzone: {}\n",
        ),
        ("cards.yaml", "data: [\n"),
        ("more.yaml", "data: {A: 2}\n"),
    ]);
    let codes: Vec<_> = read.report.diagnostics.iter().map(|d| d.code).collect();
    let expected = [
        "missing-file",
        "included-twice",
        "included-twice",
        "unknown-key",
        "yaml-syntax",
        "bad-name",
    ];
    assert_eq!(codes, expected);
    assert_eq!(
        read.report.diagnostics[0].help.as_deref(),
        Some("did you mean `cards.yaml`?")
    );
}

#[test]
fn a_missing_root_is_reported() {
    let read = read(&[]);
    assert_eq!(messages(&read), [("missing-file", "there is no file ``")]);
    assert!(!read.report.render(&read.sources, false).is_empty());
}

#[test]
fn a_folder_is_read_with_its_name() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().join("tiny");
    std::fs::create_dir_all(folder.join("scenarios")).unwrap();
    std::fs::write(folder.join("scenarios/a.yaml"), "x").unwrap();
    std::fs::write(folder.join("game.yaml"), ROOT).unwrap();
    std::fs::write(folder.join("cards.yaml"), b"data: {b: '\xff'}").unwrap();
    std::fs::write(folder.join("more.yaml"), "data: {b: 2 +}").unwrap();
    let loaded = load_dir(&folder).unwrap();
    let json = serde_json::json!(loaded.report.documents(&loaded.sources));
    let of = |i: usize, key: &str| json[i][key].to_string();
    assert_eq!(
        (of(0, "code"), of(0, "file")),
        ("\"encoding\"".into(), "\"tiny/cards.yaml\"".into())
    );
    assert_eq!(
        (of(1, "line"), of(1, "column"), of(1, "end_column")),
        ("1".into(), "14".into(), "14".into())
    );
    assert_eq!(of(1, "excerpt"), "\"data: {b: 2 +}\"");
    assert!(load_dir(&folder.join("nowhere")).is_err());
}

#[test]
fn thousands_of_problems_are_counted() {
    let lines = "    roll\n".repeat(1_000);
    let file = format!("game: g\nplayers: 2\neffects:\n  play: |\n{lines}");
    let read = read(&[("game.yaml", &file)]);
    assert_eq!(read.report.diagnostics.len(), 201);
    assert_eq!(
        messages(&read)[200],
        ("more-problems", "there are 800 more problems")
    );
}

#[test]
fn a_problem_in_an_effect_leaves_the_rest_to_be_checked() {
    let read = read(&[(
        "game.yaml",
        "game: g\nplayers: 2\neffects:\n  play: roll\n  other: stop\n",
    )]);
    assert!(read.report.has_errors());
    let effects = read.definition.unwrap().behavior.effects;
    assert_eq!(
        effects
            .iter()
            .map(|effect| effect.body.len())
            .collect::<Vec<_>>(),
        [0, 1]
    );
}

#[test]
fn a_digest_does_not_depend_on_line_ends() {
    let digest = |text: &str| read(&[("g/game.yaml", text)]).sources.digest();
    let unix = "game: g\nplayers: 2\n";
    assert_eq!(digest(&unix.replace('\n', "\r\n")), digest(unix));
    assert_eq!(digest(&format!("\u{feff}{unix}")), digest(unix));
    assert_ne!(digest("game: g\nplayers: 3\n"), digest(unix));
}
