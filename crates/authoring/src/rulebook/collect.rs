//! Collects the content of a rulebook.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::changes::{CLAUSES, COMPONENTS, OPTIONS, OverlayChanges};
use super::examples::examples;
use super::words::{self, Words};
use super::{
    ComponentRow, GlossaryEntry, OptionRow, RulebookClause, RulebookPage, RulebookPicture, THEME,
};
use crate::picture;
use crate::rules::Ruleset;
use wyrmgate_compile::check::{OptionFact, Shape};
use wyrmgate_engine::{Seeded, Silent, ViewReader, Viewer, start};
use wyrmgate_program::{FieldInfo, FieldPlace, KindInfo, Language, Program, See, Type};
use wyrmgate_view::{title_of_value, view};

/// Maximum number of values of a key to list. Of longer lists, only the first and the last.
const VALUES_MAX: usize = 12;

/// Returns the page of a ruleset in one language. `None` if it has no program for any number of players.
pub fn collect(ruleset: &Ruleset, language: Language) -> Option<RulebookPage> {
    let checked = &ruleset.checked;
    let defaults = serde_json::Map::new();
    let seats = checked.seats.iter();
    let programs =
        seats.filter_map(|seats| Some((*seats, ruleset.program(*seats, &defaults).ok()?)));
    let programs: Vec<(usize, Arc<Program>)> = programs.collect();
    let (_, program) = programs.first()?;
    let changes = OverlayChanges::of(ruleset, language);
    let clauses = program.prose.clauses.iter().map(|clause| RulebookClause {
        change: changes.of_entry(CLAUSES, &clause.id),
        id: clause.id.clone(),
        text: clause.text.get(language).to_owned(),
    });
    let mut clauses: Vec<RulebookClause> = clauses.collect();
    clauses.extend(changes.removed(&clauses));
    let options = checked.options.iter();
    Some(RulebookPage {
        title: program.prose.texts.title.get(language).to_owned(),
        about: program.prose.texts.about.get(language).to_owned(),
        language: program.language_tag(language).to_owned(),
        seats: checked.seats.clone(),
        options: options
            .map(|option| option_row(option, language, &changes))
            .collect(),
        components: components(&programs, language, &changes),
        boards: boards(program, language),
        clauses,
        examples: examples(ruleset, language),
        numbers: changes.numbers,
        glossary: glossary(program, language),
    })
}

fn option_row(option: &OptionFact, language: Language, changes: &OverlayChanges) -> OptionRow {
    let named = |value: i32| match (&option.shape, usize::try_from(value)) {
        (Shape::OneOf(_), Ok(at)) => {
            let title = option.titles.get(at);
            title.map_or("", |title| title.get(language)).to_owned()
        }
        (Shape::Bool, _) => if value == 0 { "no" } else { "yes" }.to_owned(),
        _ => option.shape.show(value),
    };
    let values = match &option.shape {
        Shape::OneOf(names) => {
            let names = (0..names.len()).map(|at| named(at as i32));
            names.collect::<Vec<_>>().join(", ")
        }
        Shape::Bool => "yes, no".to_owned(),
        Shape::Range { low, high, step: 1 } => format!("{low}–{high}"),
        Shape::Range { low, high, step } => format!("{low}–{high} in steps of {step}"),
    };
    OptionRow {
        title: option.title.get(language).to_owned(),
        values,
        default: named(option.default),
        text: option.text.get(language).to_owned(),
        change: changes.of_entry(OPTIONS, &option.name),
    }
}

// ---- components

/// Returns every kind that exists for some number of players; families only as their kinds.
fn components(
    programs: &[(usize, Arc<Program>)],
    language: Language,
    changes: &OverlayChanges,
) -> Vec<ComponentRow> {
    let Some((_, first)) = programs.first() else {
        return Vec::new();
    };
    let words = words::of(first.language_tag(language));
    let looks = picture::contents(first, language);
    let leaves = first.kinds.iter().filter(|kind| !is_family(first, kind));
    let rows = leaves.filter_map(|kind| {
        let counts = programs.iter();
        let counts = counts.map(|(seats, program)| (*seats, count_of(program, &kind.name)));
        let counts: Vec<(usize, u32)> = counts.collect();
        let (_, most) = programs
            .iter()
            .zip(&counts)
            .max_by_key(|(_, (_, count))| *count)?
            .0;
        let there = most.kinds.iter().find(|other| other.name == kind.name)?;
        (there.count > 0).then(|| ComponentRow {
            title: kind.title.get(language).to_owned(),
            count: count_text(&counts, words),
            pictures: looks_of(&kind.name, &looks),
            keys: keys(most, there, language),
            text: kind.text.get(language).to_owned(),
            change: changes.of_entry(COMPONENTS, &kind.name),
        })
    });
    rows.collect()
}

/// Maximum number of pictures of one kind.
const LOOKS_MAX: usize = 10;

fn looks_of(kind: &str, looks: &[picture::AlikeComponents]) -> Vec<String> {
    let own = looks.iter().filter(|alike| alike.kind == kind);
    own.take(LOOKS_MAX).map(|alike| alike.svg(THEME)).collect()
}

fn is_family(program: &Program, kind: &KindInfo) -> bool {
    let kinds = program.kinds.iter();
    let mut families = kinds.filter_map(|other| program.kind(other.family?));
    families.any(|family| std::ptr::eq(family, kind))
}

fn count_of(program: &Program, name: &str) -> u32 {
    let kind = program.kinds.iter().find(|kind| kind.name == name);
    kind.map_or(0, |kind| kind.count)
}

/// Formats `12`, `2 per player`, or `2: 12, 3: 18` if it depends on the number of players in another way.
fn count_text(counts: &[(usize, u32)], words: &Words) -> String {
    let each = |(seats, count): &(usize, u32)| {
        let seats = u32::try_from(*seats).ok()?;
        let is_whole = count.checked_rem(seats)? == 0;
        is_whole.then(|| count / seats)
    };
    let for_first = counts.first().and_then(each);
    match (counts, for_first) {
        ([(_, first), rest @ ..], _) if rest.iter().all(|(_, count)| count == first) => {
            first.to_string()
        }
        (counts, Some(own)) if counts.iter().all(|one| each(one) == Some(own)) => {
            words.each_player.replace("{}", &own.to_string())
        }
        (counts, _) => {
            let each = counts.iter();
            let each = each.map(|(seats, count)| format!("{seats}: {count}"));
            each.collect::<Vec<_>>().join(", ")
        }
    }
}

/// Returns the constants of a kind that differ between its components.
fn keys(program: &Program, kind: &KindInfo, language: Language) -> Vec<String> {
    let differing = kind.fields.iter().filter_map(|field| {
        let values = values(program, kind, field);
        let name = field.name.replace('_', " ");
        let several = values.len() > 1;
        several.then(|| format!("{name}: {}", listed(program, field.of, &values, language)))
    });
    differing.chain(faces(program, kind, language)).collect()
}

/// Returns the sides of a die, with equal ones counted.
fn faces(program: &Program, kind: &KindInfo, language: Language) -> Option<String> {
    let die = kind.die.as_ref()?;
    let field = kind.fields.get(die.field)?;
    let mut sides = BTreeMap::new();
    for side in &die.faces {
        *sides.entry(*side).or_default() += 1;
    }
    let sides = listed(program, field.of, &sides, language);
    Some(format!("faces: {sides}"))
}

/// Returns the values of a field with their frequencies, in order.
fn values(program: &Program, kind: &KindInfo, field: &FieldInfo) -> BTreeMap<i32, usize> {
    let mut values = BTreeMap::new();
    if let FieldPlace::Constant(table) = field.at {
        let table = program.tables.get(table as usize).into_iter().flatten();
        let own = table.skip(kind.first as usize).take(kind.count as usize);
        own.for_each(|value| *values.entry(*value).or_default() += 1);
    }
    values
}

/// The list of components is public.
#[expect(
    clippy::disallowed_methods,
    reason = "the contents of the box are public, and no state is read"
)]
const BOX: Viewer = Viewer::omniscient();

fn listed(
    program: &Program,
    of: Type,
    values: &BTreeMap<i32, usize>,
    language: Language,
) -> String {
    if matches!(of, Type::Seat) {
        return "one player each".to_owned();
    }
    let name = |value: &i32| title_of_value(program, BOX.reading(language), *value, of);
    let first = values.values().next();
    let is_even = values.values().all(|count| Some(count) == first);
    let all = values.iter().map(|(value, count)| match is_even {
        true => name(value),
        false => format!("{} ({count}×)", name(value)),
    });
    let all: Vec<String> = all.collect();
    match (values.first_key_value(), values.last_key_value()) {
        (Some((first, _)), Some((last, _))) if all.len() > VALUES_MAX => {
            format!("{}–{}", name(first), name(last))
        }
        _ => all.join(", "),
    }
}

// ---- boards

/// Returns the boards as a spectator sees them at the first decision.
fn boards(program: &Program, language: Language) -> Vec<RulebookPicture> {
    let Ok(state) = start(program, [0; 32], &mut Seeded, &mut Silent) else {
        return Vec::new();
    };
    let reader: ViewReader = Viewer::Public.reading(language);
    let seen = view(program, &state, reader);
    let boards = picture::boards(program, &seen, language, THEME);
    let pictures = boards.into_iter();
    pictures
        .map(|(title, svg)| RulebookPicture { title, svg })
        .collect()
}

// ---- words

/// Returns the titles of zones and types. Components have their own table.
fn glossary(program: &Program, language: Language) -> Vec<GlossaryEntry> {
    let families = program.families.iter().skip(1);
    let families = families.filter(|family| family.count > 0);
    let zones = families.map(|family| {
        let meaning = zone_meaning(program, usize::from(family.first));
        GlossaryEntry {
            word: family.title.get(language).to_owned(),
            meaning: match family.count {
                1 => meaning.to_owned(),
                count => format!("{count} places: each {meaning}"),
            },
        }
    });
    let types = program.enums.iter();
    let types = types.filter(|info| info.name != "phase" && !info.values.is_empty());
    let types = types.map(|info| {
        let titles = info.titles.iter().map(|title| title.get(language));
        GlossaryEntry {
            word: info.name.replace('_', " "),
            meaning: titles.collect::<Vec<_>>().join(", "),
        }
    });
    let mut all: Vec<GlossaryEntry> = zones.chain(types).collect();
    all.sort_by_key(|entry| entry.word.to_lowercase());
    all.dedup();
    all
}

fn zone_meaning(program: &Program, first: usize) -> &'static str {
    match program.zones.get(first).map(|zone| zone.see) {
        Some(See::Owner) => "a place of one player; only that player sees the components in it",
        Some(See::Count) => "a place where everyone sees only the number of components",
        Some(See::Nothing) => "a place whose contents nobody sees",
        Some(See::Top) => "a pile whose top everyone sees",
        Some(See::If(_)) => "a place whose contents only some players see",
        Some(See::All) | None => "a place whose contents everyone sees",
    }
}
