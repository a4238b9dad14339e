//! `wyrmgate new`: creates a minimal game or house rules that you can play and change.

use std::fs;
use std::path::{Path, PathBuf};

use super::schema::write_schemas;
use super::setup::{RulesArgs, find_game, from_here, ruleset, unwritable};
use super::{Stop, Verdict};
use crate::diagnostic::Sources;
use crate::lang::ast::{Expr, Name};
use crate::lang::definition::Definition;

const EXAMPLES: &str = "\
Examples:
  wyrmgate new dragon-race                     a small game in rules/dragon-race
  wyrmgate new long-march --overlay my-game    house rules for a game, in rules/my-game/variants
  wyrmgate new --overlay my-game               the same, called `house`

The new files check, play and pass their scenario at once. The command never overwrites existing files.";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Name of the game: lowercase letters, digits and `-`
    #[arg(required_unless_present = "overlay")]
    name: Option<String>,
    /// Create house rules for this game
    #[arg(long, value_name = "GAME")]
    overlay: Option<String>,
    #[command(flatten)]
    rules: RulesArgs,
}

const GAME: &str = include_str!("game.yaml");
const SCENARIOS: &str = include_str!("scenarios.yaml");
const OVERLAY: &str = include_str!("overlay.yaml");
const OVERLAY_SCENARIOS: &str = include_str!("overlay.scenarios.yaml");

/// The default name of overlays.
const HOUSE: &str = "house";

pub fn run(args: &Args) -> Result<Verdict, Stop> {
    let name = args.name.as_deref().unwrap_or(HOUSE);
    if !is_good(name) {
        let advice = "lowercase letters, digits and `-`, beginning with a letter";
        return Err(Stop::usage(format!(
            "`{name}` is not a valid name: use {advice}"
        )));
    }
    match &args.overlay {
        None => game(name, &args.rules.rules),
        Some(base) => overlay(name, base, &args.rules.rules),
    }
}

fn is_good(name: &str) -> bool {
    let good = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    name.starts_with(|c: char| c.is_ascii_lowercase()) && name.chars().all(good)
}

fn game(name: &str, rules: &Path) -> Result<Verdict, Stop> {
    if let Ok(other) = find_game(name, rules) {
        let place = other.folder.display();
        return Err(Stop::usage(format!(
            "{place} already exists, and two games cannot have the same name"
        )));
    }
    let folder = rules.join(name);
    let path = folder.display().to_string();
    let title = title_of(name);
    let clause = clause_of(name);
    let holes = [
        ("schema", "../schema"),
        ("name", name),
        ("path", &path),
        ("title", &title),
        ("clause", &clause),
    ];
    let scenario_holes = [("schema", "../../schema"), ("clause", clause.as_str())];
    write_all(&[
        (folder.join("game.yaml"), filled(GAME, &holes)),
        (
            folder.join("scenarios/first.yaml"),
            filled(SCENARIOS, &scenario_holes),
        ),
    ])?;
    schemas(rules)?;
    say!("try `wyrmgate play {path}`");
    Ok(Verdict::Good)
}

fn overlay(name: &str, base: &str, rules: &Path) -> Result<Verdict, Stop> {
    let stack = find_game(base, rules)?;
    let read = ruleset(&stack)?;
    // The name with all overlays: `cliff-race+short`.
    let game = stack.name.clone();
    let folder = stack.folder;
    let known = Known::of(&read.checked.definition, &read.sources);
    let title = format!("{} ({})", known.title, title_of(name).to_lowercase());
    let seats = read.checked.seats.first().copied().unwrap_or(2).to_string();
    let shelf = rules.canonicalize().unwrap_or_else(|_| rules.to_owned());
    let depth = folder
        .strip_prefix(&shelf)
        .map_or(1, |inside| inside.components().count());
    let schema = format!("{}schema", "../".repeat(depth + 1));
    let holes = [
        ("schema", schema.as_str()),
        ("game", &game),
        ("name", name),
        ("title", &title),
        ("base", &known.title),
        ("known", &known.values),
        ("example", &known.example),
        ("removable", &known.removable),
        ("seats", &seats),
    ];
    let variants = folder.join("variants");
    write_all(&[
        (
            variants.join(format!("{name}.yaml")),
            filled(OVERLAY, &holes),
        ),
        (
            variants.join(format!("{name}.scenarios.yaml")),
            filled(OVERLAY_SCENARIOS, &holes),
        ),
    ])?;
    schemas(rules)?;
    say!("try `wyrmgate play {game}+{name}`");
    Ok(Verdict::Good)
}

/// The parts of a game that are useful to someone who wants to change it.
struct Known {
    title: String,
    values: String,
    example: String,
    removable: String,
}

impl Known {
    fn of(definition: &Definition, sources: &Sources) -> Known {
        let (data, options) = (&definition.values.data, &definition.options);
        let named = data.iter().map(|data| format!(" data.{}", data.name.text));
        let of_options = options
            .iter()
            .map(|known| format!(" options.{}", known.name.text));
        let named: Vec<String> = named.chain(of_options).collect();
        let values = match named.is_empty() {
            true => " no data and no options".to_owned(),
            false => named.join(","),
        };
        let example = match (data.first(), options.first()) {
            (Some(data), _) => pinned(&data.name, "", &data.value, sources),
            (None, Some(option)) => pinned(&option.name, ".default", &option.default, sources),
            (None, None) => "bound: 5000".to_owned(),
        };
        let removable = options.first().map_or_else(
            || "clauses.ABC-01".to_owned(),
            |known| format!("options.{}", known.name.text),
        );
        let title = &definition.texts.title.text;
        Known {
            title: match title.as_str() {
                "" => title_of(&definition.name.text),
                title => title.to_owned(),
            },
            values,
            example,
            removable,
        }
    }
}

/// Returns a change that states the value for which it was written, as lines of a comment.
fn pinned(name: &Name, rest: &str, value: &Expr, sources: &Sources) -> String {
    let text = sources
        .get(value.span.file)
        .map_or("", |source| &source.text);
    let was = text.get(value.span.start as usize..value.span.end as usize);
    let section = if rest.is_empty() { "data" } else { "options" };
    let was = was.unwrap_or_default().replace('\n', " ");
    format!(
        "{section}.{}{rest}:\n#     was: {was}\n#     now: 3",
        name.text
    )
}

fn filled(template: &str, holes: &[(&str, &str)]) -> String {
    let fill = |text: String, (name, value): &(&str, &str)| {
        text.replace(&format!("{{{{{name}}}}}"), value)
    };
    holes.iter().fold(template.to_owned(), fill)
}

fn write_all(files: &[(PathBuf, String)]) -> Result<(), Stop> {
    if let Some((path, _)) = files.iter().find(|(path, _)| path.exists()) {
        return Err(Stop::usage(format!("{} already exists", path.display())));
    }
    for (path, text) in files {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(|error| unwritable(folder, &error))?;
        }
        fs::write(path, text).map_err(|error| unwritable(path, &error))?;
        say!("{}", from_here(path).display());
    }
    Ok(())
}

/// Writes the schemas that the first lines name, unless they exist.
fn schemas(rules: &Path) -> Result<(), Stop> {
    let folder = rules.join("schema");
    if folder.exists() {
        return Ok(());
    }
    write_schemas(&folder)
}

/// Converts `dragon-race` to `Dragon Race`.
fn title_of(name: &str) -> String {
    let words = name.split('-').map(|word| {
        let mut letters = word.chars();
        let first = letters.next().map(|c| c.to_ascii_uppercase());
        first.into_iter().chain(letters).collect::<String>()
    });
    words.collect::<Vec<_>>().join(" ")
}

/// Converts `dragon-race` to `DRA`.
fn clause_of(name: &str) -> String {
    let letters = name.chars().filter(char::is_ascii_alphabetic).take(3);
    let letters: String = letters.map(|c| c.to_ascii_uppercase()).collect();
    if letters.len() < 2 {
        "NEW".to_owned()
    } else {
        letters
    }
}
