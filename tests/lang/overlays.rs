//! Overlays: the changed game, and the report if they do not fit. Each fixture in `tests/fixtures/overlays/` holds the
//! overlays of one stack, each behind a line `# --- name`; `err_*` and `warn_*` have their report beside them.

use std::fs;
use std::path::PathBuf;

use wyrmgate::check::{Checked, check, warn};
use wyrmgate::diagnostic::Report;
use wyrmgate::lang::overlay::{EditKind, Path, differences};
use wyrmgate::lang::yaml::Node;
use wyrmgate::lang::{Bundle, Loaded};

const FIXTURES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/overlays");

/// A small game, with these overlays on it.
fn stack(overlays: &[(&str, &str)]) -> (Loaded, Option<Checked>) {
    let game = fs::read_to_string(format!("{FIXTURES}/game.yaml")).unwrap();
    let mut bundle = Bundle {
        name: "race".into(),
        files: vec![("race/game.yaml".into(), game)],
        roots: vec!["race/game.yaml".into()],
    };
    for (name, text) in overlays {
        let path = format!("race/variants/{name}.yaml");
        bundle.files.push((path.clone(), (*text).into()));
        bundle.roots.push(path);
    }
    let mut loaded = bundle.load();
    let definition = loaded.definition.take();
    let checked = definition.and_then(|definition| check(&definition, &mut loaded.report));
    loaded.history.annotate(&mut loaded.report, &loaded.sources);
    (loaded, checked)
}

/// Returns the changed game; there must be no problem.
#[track_caller]
fn good(overlays: &[(&str, &str)]) -> (Loaded, Checked) {
    let (loaded, checked) = stack(overlays);
    let told = loaded.report.render(&loaded.sources, false);
    assert_eq!(told, "");
    (loaded, checked.unwrap())
}

fn codes(report: &Report) -> Vec<&str> {
    report.diagnostics.iter().map(|d| d.code).collect()
}

fn value(loaded: &Loaded, path: &str) -> Option<String> {
    let tree = loaded.tree.as_ref().unwrap();
    Path::parse(tree, path).find(tree).map(Node::in_words)
}

/// `# --- name` begins the next one.
fn parts(text: &str) -> Vec<(&str, &str)> {
    let parts = text.split("# --- ").skip(1);
    parts.map(|part| part.split_once('\n').unwrap()).collect()
}

#[test]
fn stacks_that_do_not_fit_have_the_stored_report() {
    let mut paths: Vec<PathBuf> = fs::read_dir(FIXTURES)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| {
            path.extension().is_some_and(|e| e == "yaml") && !path.ends_with("game.yaml")
        })
        .collect();
    paths.sort();
    assert!(!paths.is_empty());
    for path in paths {
        let text = fs::read_to_string(&path).unwrap();
        let (loaded, checked) = stack(&parts(&text));
        let wanted = path
            .file_name()
            .unwrap()
            .to_string_lossy()
            .starts_with("err_");
        let rendered = loaded.report.render(&loaded.sources, false);
        assert_eq!(
            loaded.report.has_errors(),
            wanted,
            "{}\n{rendered}",
            path.display()
        );
        assert!(
            wanted || checked.is_some(),
            "{}\n{rendered}",
            path.display()
        );
        let stored = path.with_extension("txt");
        if std::env::var_os("WYRMGATE_BLESS").is_some() {
            fs::write(&stored, &rendered).unwrap();
        }
        assert_eq!(fs::read_to_string(&stored).unwrap_or_default(), rendered);
    }
}

#[test]
fn values_are_changed_and_know_what_they_were() {
    let (loaded, checked) = good(&[(
        "short",
        "extends: race\nchange:\n  data: {length: 4}\n  options.windy.default: true\n  vars.wind: {start: 2}\n",
    )]);
    assert_eq!(value(&loaded, "data.length").unwrap(), "`4`");
    assert_eq!(
        value(&loaded, "vars.wind").unwrap(),
        "`{type: int, start: 2}`"
    );
    assert_eq!(checked.options[0].default, 1);
    let path = Path::parse(loaded.tree.as_ref().unwrap(), "data.length");
    let edits: Vec<_> = loaded.history.of(&path).collect();
    let [edit] = edits.as_slice() else {
        panic!("{edits:?}")
    };
    assert_eq!(
        (edit.kind, loaded.history.overlay(edit)),
        (EditKind::Changed, "short")
    );
    assert_eq!(edit.was.as_ref().unwrap().in_words(), "`6`");
}

#[test]
fn keys_with_dots_are_paths_at_every_level() {
    let (loaded, _) = good(&[(
        "gusty",
        "extends: race\nchange:\n  components.card:\n    kinds.gust.copies: 4\n    kinds:\n      leap.copies: 3\n",
    )]);
    let copies = value(&loaded, "components.card.kinds.gust.copies");
    assert_eq!(copies.unwrap(), "`4`");
    // The full stops of texts separate nothing.
    let text = "extends: race\nadd:\n  translations.de:\n    \"No. Never.\": \"Nein. Nie.\"\n";
    let (loaded, _) = stack(&[("german", text)]);
    let texts = value(&loaded, "translations.de").unwrap();
    assert!(texts.contains("No. Never."), "{texts}");
}

#[test]
fn components_options_effects_and_clauses_are_added_and_removed() {
    let (loaded, checked) = good(&[(
        "mirrors",
        "extends: race\n\
         title: Race with Mirrors\n\
         add:\n\
         \x20 options.glass: {type: 1..3, default: 2}\n\
         \x20 components.card.kinds.mirror:\n\
         \x20   copies: glass\n\
         \x20   effects: {played(seat p): \"left(p).mount moves -2 [RACE-03]\"}\n\
         \x20 types.color: [green]\n\
         \x20 clauses.RACE-03: A mirror throws the next dragon back.\n\
         remove:\n\
         \x20 - components.card.kinds.gust\n\
         \x20 - types.color.blue\n",
    )]);
    let definition = &checked.definition;
    let kinds: Vec<_> = definition.components[1]
        .kinds
        .iter()
        .map(|k| &*k.name.text)
        .collect();
    assert_eq!(kinds, ["leap", "mirror"]);
    let colors: Vec<_> = definition.values.types[0]
        .values
        .iter()
        .map(|v| &*v.text)
        .collect();
    assert_eq!(colors, ["red", "green"]);
    assert_eq!(definition.texts.title.text, "Race with Mirrors");
    assert_eq!(checked.options.len(), 2);
    assert_eq!(value(&loaded, "components.card.kinds.gust"), None);
}

/// Two overlays meet one effect with the same words as the game does: all three handlers are kept, in order.
#[test]
fn effects_are_wrapped_by_several() {
    let wrap =
        "extends: race\nadd:\n  handlers:\n    after dragon d moves int n: d.owner scores 2\n";
    let (_, checked) = good(&[("one", wrap), ("two", wrap)]);
    assert_eq!(checked.definition.behavior.handlers.len(), 3);
}

#[test]
fn an_overlay_that_stands_on_another_may_change_the_same() {
    let short = "extends: race\nchange: {data.length: 4}\n";
    let shorter = "extends: race+short\nchange: {data.length: {was: 4, now: 3}}\n";
    let (loaded, _) = good(&[("short", short), ("shorter", shorter)]);
    assert_eq!(value(&loaded, "data.length").unwrap(), "`3`");
}

#[test]
fn a_third_overlay_decides_between_two() {
    let one = "extends: race\nchange: {data.length: 4}\n";
    let two = "extends: race\nchange: {data.length: 8}\n";
    let judge = "extends: race+one+two\nchange: {data.length: 7}\n";
    assert_eq!(
        codes(&stack(&[("one", one), ("two", two)]).0.report),
        ["overlay-conflict"]
    );
    let (loaded, _) = good(&[("one", one), ("two", two), ("judge", judge)]);
    assert_eq!(value(&loaded, "data.length").unwrap(), "`7`");
}

#[test]
fn the_same_value_from_two_overlays_is_no_conflict() {
    let short = ("short", "extends: race\nchange: {data.length: 4}");
    let brief = ("brief", "extends: race\nchange:\n  data:\n    length: '4'");
    let (loaded, _) = good(&[short, brief]);
    assert_eq!(value(&loaded, "data.length").unwrap(), "`4`");
    let long = ("long", "extends: race\nchange: {data.length: 5}");
    let (loaded, _) = stack(&[short, long]);
    assert_eq!(codes(&loaded.report), ["overlay-conflict"]);
}

#[test]
fn one_member_of_a_list_is_changed_by_its_number() {
    let third = ("third", "extends: race\nchange: {\"data.bonus[3]\": 7}");
    let first = (
        "first",
        "extends: race\nchange:\n  data:\n    bonus[1]: {was: 0, now: 2}",
    );
    let (loaded, _) = good(&[third, first]);
    assert_eq!(value(&loaded, "data.bonus").unwrap(), "`[2, 1, 7]`");
    let path = Path::parse(loaded.tree.as_ref().unwrap(), "data.bonus");
    let path = path.below("[3]");
    assert_eq!(path.to_string(), "data.bonus[3]");
    assert_eq!(loaded.history.of(&path).count(), 1);
    let whole = ("whole", "extends: race\nchange: {data.bonus: [3]}");
    let (loaded, _) = stack(&[third, whole]);
    assert_eq!(codes(&loaded.report), ["overlay-conflict"]);
    let stale = "extends: race\nchange:\n  data.bonus[2]: {was: 0, now: 2}";
    assert_eq!(
        codes(&stack(&[("stale", stale)]).0.report),
        ["base-changed"]
    );
}

#[test]
fn titles_are_no_conflict() {
    let (one, two) = ("extends: race\ntitle: One\n", "extends: race\ntitle: Two\n");
    let (_, checked) = good(&[("one", one), ("two", two)]);
    assert_eq!(checked.definition.texts.title.text, "Two");
}

#[test]
fn the_digest_names_the_overlays_and_their_order() {
    let digest = |overlays: &[(&str, &str)]| stack(overlays).0.sources.digest();
    let one = ("one", "extends: race\nchange: {bound: 99}\n");
    let two = ("two", "extends: race\nchange: {data.length: 5}\n");
    let all = [
        digest(&[]),
        digest(&[one]),
        digest(&[one, two]),
        digest(&[two, one]),
    ];
    let distinct: std::collections::BTreeSet<_> = all.iter().collect();
    assert_eq!(distinct.len(), all.len());
}

#[test]
fn differences_are_told_value_by_value() {
    let (plain, _) = good(&[]);
    let (changed, _) = good(&[(
        "short",
        "extends: race\nchange: {data.length: 4}\nremove: [components.card.kinds.gust]\nadd: {clauses.RACE-03: A third.}\n",
    )]);
    let found = differences(plain.tree.as_ref().unwrap(), changed.tree.as_ref().unwrap());
    let told: Vec<String> = found
        .iter()
        .map(|d| format!("{} {} {}", d.path, d.was.is_some(), d.now.is_some()))
        .collect();
    assert_eq!(
        told,
        [
            "data.length true true",
            "components.card.kinds.gust true false",
            "clauses.RACE-03 false true",
        ]
    );
}

/// The codes of what is reported about a translated game with an overlay.
fn reported_with(overlay: &str) -> Vec<String> {
    let game = fs::read_to_string(format!("{FIXTURES}/../rules/toll/game.yaml")).unwrap();
    let files = [
        ("toll/game.yaml", game),
        ("toll/house.yaml", overlay.into()),
    ];
    let files = files.map(|(path, text)| (path.to_owned(), text));
    let bundle = Bundle {
        name: "toll".into(),
        roots: files.iter().map(|(path, _)| path.clone()).collect(),
        files: files.into(),
    };
    let mut loaded = bundle.load();
    let definition = loaded.definition.take().unwrap();
    let checked = check(&definition, &mut loaded.report).unwrap();
    warn(&checked, &mut loaded.report);
    let codes = codes(&loaded.report).into_iter();
    codes.map(str::to_owned).collect()
}

#[test]
fn an_overlay_that_translates_nothing_needs_no_translation() {
    let house = "extends: toll\ntitle: House rule\nabout: Tolls are dear.\n";
    assert_eq!(reported_with(house), Vec::<String>::new());
    let translated = "add:\n  translations.es.House rule: Regla de la casa\n";
    assert_eq!(
        reported_with(&[house, translated].concat()),
        ["untranslated"]
    );
}
