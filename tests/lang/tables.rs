//! Tables: files of comma-separated values, the forms in YAML, and overlays that change cells, rows and columns.

use wyrmgate::check::{Checked, check};
use wyrmgate::diagnostic::Report;
use wyrmgate::lang::limits::{TABLE_CELL_MAX, TABLE_COLUMNS_MAX, TABLE_ROWS_MAX};
use wyrmgate::lang::overlay::Path;
use wyrmgate::lang::yaml::Node;
use wyrmgate::lang::{Bundle, Loaded};

use crate::fuzz::mutated;
use crate::random::Random;

const GAME: &str = "game: market
title: Market
about: Buy.
players: 2
bound: 9
types: {color: [red, blue]}
data: {wares: {table: wares.csv}}
zones: {shelf: {holds: card}}
components: {card: {from: wares, in: shelf}}
effects:
  play: |
    each w in wares where w.price > 2 and w.paint = red: say \"{w}\"
    finish drawn
";

/// What a spreadsheet wrote (the dialect `excel` of Python's `csv`, with a byte order mark).
const WARES: &[u8] = include_bytes!("../fixtures/tables/wares.csv");

fn wares() -> String {
    String::from_utf8(WARES.to_vec()).unwrap()
}

/// A market with this table and these overlays (a name and its text; files with an ending lie beside the last one).
fn market(table: &str, overlays: &[(&str, &str)]) -> (Loaded, Option<Checked>) {
    of_files(&[("game.yaml", GAME), ("wares.csv", table)], overlays)
}

fn of_files(files: &[(&str, &str)], overlays: &[(&str, &str)]) -> (Loaded, Option<Checked>) {
    let file = |(name, text): &(&str, &str)| (format!("market/{name}"), (*text).to_owned());
    let mut bundle = Bundle {
        name: "market".into(),
        files: files.iter().map(file).collect(),
        roots: vec!["market/game.yaml".into()],
    };
    for (name, text) in overlays {
        let path = format!("market/variants/{name}");
        bundle.files.push((path.clone(), (*text).into()));
        if name.ends_with(".yaml") {
            bundle.roots.push(path);
        }
    }
    let mut loaded = bundle.load();
    let definition = loaded.definition.take();
    let checked = definition.and_then(|definition| check(&definition, &mut loaded.report));
    loaded.history.annotate(&mut loaded.report, &loaded.sources);
    (loaded, checked)
}

fn value(loaded: &Loaded, path: &str) -> Option<String> {
    let tree = loaded.tree.as_ref().unwrap();
    Path::parse(tree, path).find(tree).map(Node::in_words)
}

fn codes(report: &Report) -> Vec<&str> {
    report.diagnostics.iter().map(|d| d.code).collect()
}

#[track_caller]
fn good(overlays: &[(&str, &str)]) -> Loaded {
    let (loaded, checked) = market(&wares(), overlays);
    assert_eq!(loaded.report.render(&loaded.sources, false), "");
    assert!(checked.is_some());
    loaded
}

/// The first problem with this table: its place, its message and its advice.
fn told(table: &str) -> (String, String, String) {
    let (loaded, _) = market(table, &[]);
    let first = &loaded.report.diagnostics[0];
    let (line, column) = loaded
        .sources
        .line_column(first.span.file, first.span.start);
    let path = &loaded.sources.get(first.span.file).unwrap().path;
    let help = first.help.clone().unwrap_or_default();
    (
        format!("{path}:{line}:{column}"),
        first.message.clone(),
        help,
    )
}

#[test]
fn what_a_spreadsheet_writes_is_a_table() {
    let text = wares();
    assert!(text.starts_with('\u{feff}') && text.contains("\r\n") && text.contains("\"\""));
    let loaded = good(&[]);
    assert_eq!(
        value(&loaded, "data.wares.oak_chest").unwrap(),
        "`{name: oak_chest, title: Chest, of \"oak\", price:…`"
    );
    assert_eq!(
        value(&loaded, "data.wares.silk.text").unwrap(),
        "`Light, and dear. Two lines.`"
    );
}

#[test]
fn a_table_in_yaml_is_the_same_as_one_in_a_file() {
    let csv = "name,price,paint\nsilk,3,red\nrope,1,\"if windy then blue else red\"\n";
    let list = "[{name: silk, price: 3, paint: red}, {name: rope, price: 1, paint: if windy then blue else red}]";
    let rows = "{columns: [name, price, paint], rows: [[silk, 3, red], [rope, 1, if windy then blue else red]]}";
    let game = GAME.replace(
        "types:",
        "options: {windy: {type: bool, default: false, title: W}}\ntypes:",
    );
    let definitions: Vec<_> = [list, rows, "{table: wares.csv}"]
        .into_iter()
        .map(|table| {
            let game = game.replace("{table: wares.csv}", table);
            let (loaded, checked) = of_files(&[("game.yaml", &game), ("wares.csv", csv)], &[]);
            assert_eq!(loaded.report.render(&loaded.sources, false), "");
            let columns = &checked.unwrap().definition.values.data;
            let names: Vec<_> = columns.iter().map(|c| c.name.text.clone()).collect();
            (names, value(&loaded, "data.wares").unwrap())
        })
        .collect();
    assert_eq!(
        definitions[0].0,
        ["wares.name", "wares.price", "wares.paint"]
    );
    assert!(
        definitions.windows(2).all(|two| two[0] == two[1]),
        "{definitions:?}"
    );
}

#[test]
fn mistakes_in_a_file_are_told_at_their_row_and_column() {
    let of = |table: &str| {
        let (place, message, help) = told(table);
        assert!(!help.is_empty(), "{message}");
        (place, message)
    };
    let at = |place: &str, message: &str| (format!("market/wares.csv:{place}"), message.to_owned());
    let head = "name,price,paint\n";
    let with = |rows: &str| of(&format!("{head}{rows}"));
    let wrong = "this cell of the column `price` is no value of the language";
    assert_eq!(with("silk,=B2+1,red\n"), at("2:6", wrong));
    assert_eq!(with("silk,\"1,5\",red\n"), at("2:7", wrong));
    assert_eq!(with("silk,3,red\n,3,red\n"), at("3:1", "row 2 has no key"));
    assert_eq!(
        of("name,,price,paint\nsilk,1,3,red\n"),
        at("1:6", "column 2 has no name")
    );
    assert_eq!(
        with("silk,3\n"),
        at("2:1", "this row has 2 cells, and the header 3")
    );
    assert_eq!(
        with("silk,3,red\nrope,1,red\nsilk,2,red\n"),
        at("4:1", "`silk` is given twice")
    );
    assert_eq!(
        of("name,price,price\nsilk,3,4\n"),
        at("1:12", "`price` is given twice")
    );
    assert_eq!(
        with("silk,,red\n"),
        at("2:6", "the row `silk` has no `price`")
    );
    assert_eq!(
        with("silk,a lot,red\n"),
        at(
            "2:6",
            "this cell of the column `price` is no value of the language"
        )
    );
    assert_eq!(with("silk,3,green\n"), at("2:8", "unknown name `green`"));
    assert_eq!(
        with("rope,1,red\nsilk,true,red\n"),
        at("3:6", "expected a number, found a truth value")
    );
    assert_eq!(with("Silk,3,red\n"), at("2:1", "`Silk` is not a name"));
    assert_eq!(
        of("Name,price,paint\nsilk,3,red\n"),
        at("1:1", "`Name` is not a name")
    );
    assert_eq!(
        with("\"silk,3,red\n"),
        at("2:1", "this quote is never closed")
    );
    assert_eq!(
        with("\"silk\"s,3,red\n"),
        at("2:7", "there is text behind the closing quote of this cell")
    );
    assert_eq!(of(""), at("1:1", "this table is empty"));
    assert_eq!(of(head), at("1:1", "this table has no rows"));
}

#[test]
fn tables_have_limits() {
    let rows: String = (0..=TABLE_ROWS_MAX)
        .map(|i| format!("w{i},3,red\n"))
        .collect();
    let (place, message, _) = told(&format!("name,price,paint\n{rows}"));
    assert_eq!(place, format!("market/wares.csv:{}:1", TABLE_ROWS_MAX + 2));
    assert_eq!(message, "a table has at most 1000 rows");
    let columns: Vec<_> = (0..=TABLE_COLUMNS_MAX).map(|i| format!("c{i}")).collect();
    assert_eq!(told(&columns.join(",")).1, "a table has at most 50 columns");
    let long = "x".repeat(TABLE_CELL_MAX + 1);
    let (place, message, _) = told(&format!("name,price,paint\nsilk,3,{long}\n"));
    assert_eq!(
        (place.as_str(), message.as_str()),
        ("market/wares.csv:2:8", "a cell has at most 1000 bytes")
    );
}

#[test]
fn a_table_of_a_thousand_rows_is_checked_soon() {
    let row = |i: usize| {
        format!(
            "w{i},{i},{}\n",
            if i.is_multiple_of(2) { "red" } else { "blue" }
        )
    };
    let rows: String = (0..TABLE_ROWS_MAX).map(row).collect();
    let begun = std::time::Instant::now();
    let (loaded, checked) = market(&format!("name,price,paint\n{rows}"), &[]);
    assert_eq!(loaded.report.render(&loaded.sources, false), "");
    assert!(checked.is_some());
    let seconds = begun.elapsed().as_secs_f64();
    assert!(seconds < 30.0, "{seconds} s");
}

#[test]
fn files_that_are_missing_or_no_tables_are_named() {
    let of = |game: &str| {
        let (loaded, _) = of_files(&[("game.yaml", game), ("wares.csv", &wares())], &[]);
        let told = loaded.report.diagnostics.iter();
        told.map(|d| (d.code, d.message.clone(), d.help.clone().unwrap()))
            .collect::<Vec<_>>()
    };
    let missing = of(&GAME.replace("wares.csv", "ware.csv"));
    let expected = (
        "missing-file",
        "there is no file `market/ware.csv`".into(),
        "did you mean `wares.csv`?".into(),
    );
    assert_eq!(missing, [expected]);
    let other = of(&GAME.replace("wares.csv", "wares.xls"));
    assert_eq!(
        other[0].1,
        "`wares.xls` is no file of comma-separated values"
    );
    let unknown = of(&GAME.replace("from: wares", "from: ware"));
    assert_eq!(unknown[0].1, "there is no table `ware` in `data`");
    assert_eq!(unknown[0].2, "did you mean `wares`?");
}

#[test]
fn overlays_change_cells_rows_and_columns() {
    let loaded = good(&[
        (
            "other.yaml",
            "extends: market
change:
  data.wares.silk.price: {was: 3, now: 7}
  data.wares.columns.paint: {rope: red, oak_chest: red}
add:
  data.wares.lamp: {title: Lamp, price: 4, paint: blue, text: Shines.}
  data.wares.columns.weight: {silk: 1, rope: 2, oak_chest: 9, lamp: 3}
remove:
  - data.wares.barrel
  - data.wares.columns.copies
",
        ),
        (
            "back.yaml",
            "extends: market+other\nadd: {data.wares.columns.copies: {silk: 1, rope: 1, oak_chest: 1, lamp: 2}}\n",
        ),
    ]);
    let cell = |row: &str, column: &str| value(&loaded, &format!("data.wares.{row}.{column}"));
    assert_eq!(cell("silk", "price").unwrap(), "`7`");
    assert_eq!(cell("rope", "paint").unwrap(), "`red`");
    assert_eq!(cell("lamp", "weight").unwrap(), "`3`");
    assert_eq!(cell("lamp", "copies").unwrap(), "`2`");
    assert_eq!(value(&loaded, "data.wares.barrel"), None);
    let told = |overlay: &str| {
        let (loaded, _) = market(&wares(), &[("other.yaml", overlay)]);
        (
            codes(&loaded.report).join(" "),
            loaded.report.render(&loaded.sources, false),
        )
    };
    let of = |change: &str| told(&format!("extends: market\n{change}\n"));
    assert_eq!(of("change: {data.wares.silk.cost: 7}").0, "vanished-target");
    for nothing in ["price: 7", "price: [7]", "price: {}", "price:"] {
        let told = of(&format!("change: {{data.wares.columns: {{{nothing}}}}}"));
        assert_eq!(told.0, "table", "{nothing}: {}", told.1);
    }
    assert_eq!(of("change: {data.wares.columns: 3}").0, "table");
    assert_eq!(
        of("change: {data.wares.silks.price: 7}").0,
        "vanished-target"
    );
    assert_eq!(of("remove: [data.wares.columns.cost]").0, "vanished-target");
    assert_eq!(of("add: {data.wares.silk.price: 7}").0, "already-there");
    assert_eq!(
        of("change: {data.wares.silk.price: {was: 2, now: 7}}").0,
        "base-changed"
    );
    let (code, text) = of("add: {data.wares.lamp: {title: Lamp, price: 4, copies: 1, paint: blu}}");
    assert_eq!(code, "unknown-name", "{text}");
    let (code, text) = of("add: {data.wares.lamp: {price: 4, paint: blue}}");
    assert!(
        code == "table" && text.contains("the row `lamp` has no `copies`"),
        "{text}"
    );
    let (code, text) = of("add: {data.wares.columns.weight: {silk: 1}}");
    assert!(
        code.starts_with("table") && text.contains("has no `weight`"),
        "{text}"
    );
}

#[test]
fn an_overlay_brings_a_table_of_its_own() {
    let overlay = "extends: market\nadd: {data.wares: {table: more.csv}}\n";
    let more = "name,price,paint,copies\nlamp,9,blue,1\n";
    let loaded = good(&[("more.csv", more), ("more.yaml", overlay)]);
    assert_eq!(value(&loaded, "data.wares.lamp.price").unwrap(), "`9`");
}

#[test]
fn kinds_of_rows_have_rules_of_their_own() {
    let overlay = "extends: market\nadd: {components.card.kinds.silk: {fields: {soft: true}}}\n";
    let (loaded, checked) = market(&wares(), &[("soft.yaml", overlay)]);
    assert_eq!(loaded.report.render(&loaded.sources, false), "");
    let definition = checked.unwrap().definition;
    let kinds = &definition.components[0].kinds;
    let names: Vec<_> = kinds.iter().map(|kind| kind.name.text.as_str()).collect();
    assert_eq!(names, ["silk", "rope", "oak_chest", "barrel"]);
    assert!(kinds[0].fields.iter().any(|(name, _)| name.text == "soft"));
}

#[test]
fn any_bytes_of_a_table_get_an_answer() {
    let mut random = Random::new(5);
    for _ in 0..400 {
        let table = mutated(&mut random, &wares());
        let (loaded, checked) = market(&table, &[]);
        let rendered = loaded.report.render(&loaded.sources, false);
        assert!(
            checked.is_some() || loaded.report.has_errors(),
            "{table}\n{rendered}"
        );
    }
}

/// Files of other spreadsheets that say the same as plain ones.
#[test]
fn habits_of_spreadsheets_are_read() {
    let plain = "name,title,price,paint\nsilk,Silk,3,red\nrope,Rope,1,blue\n";
    let (loaded, _) = market(plain, &[]);
    let wanted = value(&loaded, "data.wares").unwrap();
    for other in [
        plain.replace(',', ";"),
        plain.replace(',', "\t"),
        format!("\u{feff}{}", plain.replace(',', ";").replace('\n', "\r\n")),
        plain.replace('\n', ",,\n") + ",,,,,\n,,,,,\n\n",
        plain.replace(',', " , ").replace("silk", "\u{a0}silk "),
        plain.replace("3", "\"3\"").replace("red", " \"red\" "),
        plain.replace('\n', "\r"),
    ] {
        let (loaded, checked) = market(&other, &[]);
        assert_eq!(loaded.report.render(&loaded.sources, false), "", "{other}");
        assert!(checked.is_some());
        assert_eq!(value(&loaded, "data.wares").unwrap(), wanted, "{other}");
    }
    let game = GAME.replace("w.price > 2", "w.dear");
    let truths = "name,title,dear,paint\nsilk,TRUE,TRUE,red\nrope,Rope,FALSE,blue\n";
    let (loaded, checked) = of_files(&[("game.yaml", &game), ("wares.csv", truths)], &[]);
    assert_eq!(loaded.report.render(&loaded.sources, false), "");
    assert!(checked.is_some());
    assert_eq!(value(&loaded, "data.wares.silk.dear").unwrap(), "`true`");
    assert_eq!(value(&loaded, "data.wares.silk.title").unwrap(), "`TRUE`");
    assert_eq!(
        told("name,price\nsilk,3\0\n").1,
        "these bytes are not UTF-8"
    );
}

#[test]
fn rows_in_yaml_have_their_key_by_name() {
    let with = |rows: &str| {
        let game = GAME.replace("{table: wares.csv}", rows);
        let (loaded, checked) = of_files(&[("game.yaml", &game)], &[]);
        (
            loaded.report.render(&loaded.sources, false),
            value(&loaded, "data.wares"),
            checked,
        )
    };
    let row = |first: &str, rest: &str| format!("{{{first}, {rest}}}");
    let rope = "{name: rope, title: Rope, price: 1, paint: blue}";
    for silk in [
        row("title: Silk, name: silk", "price: 3, paint: red"),
        row("name: silk, title: Silk", "paint: red, price: 3"),
    ] {
        for rows in [format!("[{silk}, {rope}]"), format!("[{rope}, {silk}]")] {
            let (told, wares, checked) = with(&rows);
            assert_eq!(told, "", "{rows}");
            let wares = wares.unwrap();
            assert!(
                wares.contains("silk: {") || wares.contains("rope: {"),
                "{wares}"
            );
            assert!(checked.is_some());
        }
    }
    let (told, ..) = with(&format!("[{rope}, {{title: Silk, price: 3, paint: red}}]"));
    assert!(told.contains("row 2 has no key"), "{told}");
    let (told, ..) = with("{columns: [name, price], rows: 3}");
    assert!(told.contains("this row has 1 cell"), "{told}");
    assert!(!told.contains("the only map that is a value"), "{told}");
}

#[test]
fn columns_have_the_type_of_their_first_cell_with_one_and_names_that_of_the_column() {
    let game = GAME.replace("types: {color: [red, blue]}", "types: {color: [red, blue], mood: [red, sad], pot: bundle of color, joy: bundle of mood}\nvars: {k: joy, m: mood, c: color}")
        .replace("w.price > 2 and w.paint = red", "w.price <= 2 blue and w.paint = red");
    let rows = "name,price,paint\nsilk,none,red\nrope,none,blue\ntwine,2 blue,red\n";
    let (loaded, checked) = of_files(&[("game.yaml", &game), ("wares.csv", rows)], &[]);
    let told = loaded.report.render(&loaded.sources, false);
    assert!(!told.contains("error"), "{told}");
    assert!(checked.is_some());
    let rows = "name,price,paint\nsilk,1 red,red\nrope,none,blue\n";
    let (loaded, _) = of_files(&[("game.yaml", &game), ("wares.csv", rows)], &[]);
    let told = loaded.report.render(&loaded.sources, false);
    assert!(
        told.contains("`red` is a value of `color` and `mood`"),
        "{told}"
    );
}

/// Everything that is not a map is replaced as a whole, and so is a table.
#[test]
fn a_change_of_a_whole_table_replaces_it() {
    for whole in [
        "[{name: lamp, title: Lamp, price: 4, paint: blue}]",
        "{columns: [name, price, paint], rows: [[lamp, 4, blue]]}",
        "{table: lamps.csv}",
    ] {
        let lamps = "name,price,paint\nlamp,4,blue\n";
        let change = format!("extends: market\nchange: {{data.wares: {whole}}}\n");
        let loaded = good(&[("other.yaml", &change), ("lamps.csv", lamps)]);
        let wares = value(&loaded, "data.wares").unwrap();
        assert!(wares.starts_with("`{lamp: {name: lamp"), "{whole}: {wares}");
        assert!(!wares.contains("silk"), "{whole}: {wares}");
        let edits: Vec<String> = loaded
            .history
            .edits
            .iter()
            .map(|edit| edit.path.to_string())
            .collect();
        assert_eq!(edits, ["data.wares"], "{whole}");
    }
    // Parts of it stay parts.
    for (part, wares) in [
        ("data.wares: {silk: {price: 9}}", 9),
        ("data.wares.silk.price: 9", 9),
        ("data.wares.columns.price: {silk: 9}", 9),
        ("data.wares.columns.price: {silk: {was: 3, now: 9}}", 9),
    ] {
        let loaded = good(&[(
            "other.yaml",
            &format!("extends: market\nchange: {{{part}}}\n"),
        )]);
        assert_eq!(
            value(&loaded, "data.wares.silk.price").unwrap(),
            format!("`{wares}`"),
            "{part}"
        );
        assert!(value(&loaded, "data.wares.rope.price").is_some(), "{part}");
    }
    for (wrong, told) in [
        (
            "data.wares.silk: 3",
            "`data.wares.silk` is a row, and this is one value",
        ),
        (
            "data.wares.columns.price: {was: 1, now: 2}",
            "this changes no column",
        ),
        (
            "data.wares.columns.price: {was: {silk: 3}, now: {silk: 9}}",
            "this changes no column",
        ),
        (
            "data.wares.columns.price: {silk: {was: 2, now: 9}}",
            "has changed since",
        ),
    ] {
        let (loaded, _) = market(
            &wares(),
            &[(
                "other.yaml",
                &format!("extends: market\nchange: {{{wrong}}}\n"),
            )],
        );
        let text = loaded.report.render(&loaded.sources, false);
        assert!(text.contains(told), "{wrong}: {text}");
        assert_eq!(loaded.report.diagnostics.len(), 1, "{text}");
    }
}
