//! A decision as its seat sees it: the prompt, and the choices with labels.

use std::collections::HashMap;

use serde::Serialize;
use wyrmgate_engine::{
    Choice, ChoiceMenu, Fault, FaultKind, Filled, ListedChoice, Pending, State, Viewer,
    groups_alike, list,
};

use crate::caption::{angle, caption};
use crate::doc::Members;
use crate::name::Pointing;
use crate::notation::distinct_notes;
use crate::same::{self, Appearance};
use crate::{keyed, text};
use wyrmgate_program::{BinderInfo, BinderSize, Language, Program, Site, SiteOption, Type};

/// The form of a decision, so that a client can choose a fitting control.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum DecisionKind {
    /// One member of a list.
    #[default]
    Pick,
    /// Any number of members.
    Subset,
    /// Members in an order.
    Order,
    /// A number.
    Amount,
    /// A place on a grid.
    Placement,
    /// A path from space to space.
    Path,
    YesNo,
    /// A value by name: a color, a side.
    Value,
    /// A text that the seat writes.
    Text,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct DecisionDoc {
    /// Identifies the decision among those pending now.
    pub id: String,
    /// Identifies the place in the rules: always the same for a decision of the rules.
    pub name: String,
    /// From 1.
    pub seat: u32,
    pub prompt: Option<String>,
    pub kind: DecisionKind,
    /// The total number of choices.
    pub count: u64,
    /// Whether `choices` lists them all.
    pub complete: bool,
    pub clauses: Vec<String>,
    /// Names of the options with choices; `decline` if all others may be declined.
    pub options: Vec<String>,
    /// Groups of ids of components that nothing distinguishes: choices refer to the first ones of each group.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub alike: Vec<Vec<String>>,
    pub choices: Vec<ChoiceDoc>,
    /// Why one of the texts here could not be made.
    #[serde(skip)]
    pub untold: Option<FaultKind>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ChoiceDoc {
    /// The number of the choice, from 0: see [`super::nth_choice`].
    pub index: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub option: Option<String>,
    pub args: Members<'static>,
    pub label: String,
    /// The choice in the notation of the game, if it has one and all choices are listed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub notation: Option<String>,
    /// Ids of the components and zones to which it refers.
    pub refers: Vec<String>,
    /// If it refers to nothing: the places on the table of which it names a key, such as all squares of a column.
    #[serde(skip)]
    pub places: Vec<String>,
    /// Where the whole parts of the label end, in bytes: names are never divided.
    #[serde(skip)]
    pub cuts: Vec<usize>,
    /// The number of an earlier choice with the same label that is the same for the seat: with a like component beside this one.
    #[serde(skip)]
    pub same_as: Option<u64>,
    /// Whether a choice with the same label is another one for the seat.
    #[serde(skip)]
    pub is_ambiguous: bool,
}

/// Returns the decision with at most `limit` choices, from number `offset` on.
pub fn decision_docs(
    program: &Program,
    state: &State,
    pending: &Pending,
    limit: usize,
    offset: u64,
) -> Result<DecisionDoc, Fault> {
    decision_docs_in(Language::default(), program, state, pending, limit, offset)
}

/// Returns the same as [`decision_docs`], in this language.
pub fn decision_docs_in(
    language: Language,
    program: &Program,
    state: &State,
    pending: &Pending,
    limit: usize,
    offset: u64,
) -> Result<DecisionDoc, Fault> {
    let menu = ChoiceMenu::of(program, state, pending)?;
    decision_docs_of(&menu, language, program, state, pending, limit, offset)
}

/// Returns the same of a decision whose choices are known.
pub fn decision_docs_of(
    menu: &ChoiceMenu,
    language: Language,
    program: &Program,
    state: &State,
    pending: &Pending,
    limit: usize,
    offset: u64,
) -> Result<DecisionDoc, Fault> {
    let owed = DecisionDoc {
        id: format!("d{}", pending.index),
        seat: u32::from(pending.seat) + 1,
        ..DecisionDoc::default()
    };
    let Some(site) = program.site(pending.site) else {
        return Ok(owed);
    };
    let reader = Viewer::Seat(pending.seat).reading(language);
    let pointing = Pointing::of(program, state, reader);
    let listing = list(program, state, pending, menu, limit, offset)?;
    let alike = groups_alike(program, state, pending)?;
    let choices = listing.choices.iter();
    let mut choices: Vec<ChoiceDoc> = choices
        .filter_map(|listed| choice_doc(pointing, site, listed))
        .collect();
    note_same(pointing, site, &listing.choices, &mut choices);
    let is_complete = offset == 0 && choices.len() as u64 == listing.count && !listing.is_open;
    if is_complete && site.options.iter().any(|option| !option.forms.is_empty()) {
        // Choices that cannot be written down can still be made.
        let notes = distinct_notes(program, state, pending, menu).unwrap_or_default();
        for (choice, note) in choices.iter_mut().zip(notes) {
            choice.notation = note;
        }
    }
    Ok(DecisionDoc {
        name: site.name.clone(),
        prompt: listing
            .prompt
            .as_ref()
            .map(|prompt| parts(pointing, prompt).concat()),
        kind: kind_of(site),
        count: listing.count,
        complete: is_complete,
        clauses: clause_names(program, site),
        untold: listing.untold(),
        options: option_names(site, &listing.options),
        alike: alike.iter().map(|group| ids(pointing, group)).collect(),
        choices,
        ..owed
    })
}

fn ids(pointing: Pointing<'_>, components: &[i32]) -> Vec<String> {
    let components = components.iter();
    let ids = components.map(|component| pointing.id(*component, Type::Component(None)));
    ids.collect()
}

fn clause_names(program: &Program, site: &Site) -> Vec<String> {
    let cites = site.cites.iter();
    let clauses = cites.filter_map(|&clause| program.prose.clauses.get(usize::from(clause)));
    clauses.map(|clause| clause.id.clone()).collect()
}

fn parts(pointing: Pointing<'_>, filled: &Filled) -> Vec<String> {
    text::parts(pointing.program, filled.text, &filled.holes, &pointing)
}

/// Returns the names of these options, each once. An option without a name has none.
fn option_names(site: &Site, options: &[u16]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    let options = options.iter();
    for option in options.filter_map(|&number| site.options.get(usize::from(number))) {
        if !option.name.is_empty() && !names.contains(&option.name) {
            names.push(option.name.clone());
        }
    }
    names
}

fn choice_doc(pointing: Pointing<'_>, site: &Site, listed: &ListedChoice) -> Option<ChoiceDoc> {
    let choice = &listed.choice;
    let option = site.options.get(usize::from(choice.option))?;
    let label = match &listed.label {
        Some(label) => parts(pointing, label),
        None => plain_label(pointing, option, choice),
    };
    let refers = refers(pointing, option, choice);
    let places = match refers.is_empty() {
        true => keyed::places(pointing, option, choice),
        false => Vec::new(),
    };
    Some(ChoiceDoc {
        places,
        index: listed.index,
        option: (!option.name.is_empty()).then(|| option.name.clone()),
        args: pointing.args(option, &choice.args),
        label: label.concat(),
        notation: None,
        refers,
        cuts: cuts(&label),
        same_as: None,
        is_ambiguous: false,
    })
}

/// Notes for each choice the first one with the same label whose components look and lie the same.
fn note_same(pointing: Pointing<'_>, site: &Site, listed: &[ListedChoice], docs: &mut [ChoiceDoc]) {
    let mut counts: HashMap<String, usize> = HashMap::new();
    for doc in &*docs {
        *counts.entry(doc.label.clone()).or_default() += 1;
    }
    if counts.len() == docs.len() {
        return;
    }
    let mut firsts: HashMap<(String, Vec<Appearance>), u64> = HashMap::new();
    for (listed, doc) in listed.iter().zip(&mut *docs) {
        if counts.get(&doc.label).is_some_and(|count| *count > 1) {
            let looks = same::appearances(pointing, site, &listed.choice);
            let first = firsts.entry((doc.label.clone(), looks));
            let first = *first.or_insert(doc.index);
            doc.same_as = (first != doc.index).then_some(first);
        }
    }
    let mut kinds: HashMap<&String, usize> = HashMap::new();
    for (label, _) in firsts.keys() {
        *kinds.entry(label).or_default() += 1;
    }
    for doc in docs {
        doc.is_ambiguous = kinds.get(&doc.label).is_some_and(|count| *count > 1);
    }
}

fn cuts(parts: &[String]) -> Vec<usize> {
    let ends = parts.iter().scan(0, |end, part| {
        *end += part.len();
        Some(*end)
    });
    ends.collect()
}

fn refers(pointing: Pointing<'_>, option: &SiteOption, choice: &Choice) -> Vec<String> {
    let things = option
        .binders
        .iter()
        .zip(&choice.args)
        .filter(|(binder, _)| matches!(binder.of, Type::Component(_) | Type::Zone(_)));
    things
        .flat_map(|(binder, arg)| arg.values().iter().map(|&value| (value, binder.of)))
        .filter(|(value, _)| *value >= 0)
        .map(|(value, of)| pointing.id(value, of))
        .collect()
}

/// Returns the option and the values in words, if the rules declare no label.
fn plain_label(pointing: Pointing<'_>, option: &SiteOption, choice: &Choice) -> Vec<String> {
    let told = option.binders.iter().zip(&choice.args);
    let told = told.map(|(binder, arg)| {
        let title = |&value: &i32| match binder.is_rotation {
            true => angle(value, pointing.program.identity.cells),
            false => pointing.title_now(value, binder.of),
        };
        arg.values().iter().map(title).collect()
    });
    caption(pointing.program, pointing.reader.language, option, told)
}

fn kind_of(site: &Site) -> DecisionKind {
    if site.is_ask {
        return DecisionKind::YesNo;
    }
    let [option] = site.proper_options() else {
        return DecisionKind::Pick;
    };
    let types = || option.binders.iter().map(|binder| binder.of);
    if types().any(|of| of == Type::Cell) {
        return DecisionKind::Placement;
    }
    if is_path(&option.binders) {
        return DecisionKind::Path;
    }
    let [binder] = option.binders.as_slice() else {
        return DecisionKind::Pick;
    };
    match (binder.count, binder.of) {
        (BinderSize::Path { .. }, _) => DecisionKind::Path,
        (BinderSize::Text { .. }, _) => DecisionKind::Text,
        (count, _) if count.is_ordered() => DecisionKind::Order,
        (
            BinderSize::Any
            | BinderSize::Permutation
            | BinderSize::Many { .. }
            | BinderSize::Repeated { .. },
            _,
        ) => DecisionKind::Subset,
        (BinderSize::One, Type::Int) => DecisionKind::Amount,
        (BinderSize::One, Type::Enum(_) | Type::Side | Type::Bool) => DecisionKind::Value,
        (BinderSize::One, _) => DecisionKind::Pick,
    }
}

/// Returns whether this is a path: several spaces of one board in sequence, perhaps preceded by the component that
/// moves.
fn is_path(binders: &[BinderInfo]) -> bool {
    let steps = match binders {
        [walker, steps @ ..] if matches!(walker.of, Type::Component(_)) => steps,
        steps => steps,
    };
    let one_family = steps.windows(2).all(|pair| match pair {
        [one, other] => one.of == other.of,
        _ => true,
    });
    let are_spaces = steps
        .iter()
        .all(|step| step.count == BinderSize::One && matches!(step.of, Type::Zone(Some(_))));
    steps.len() > 1 && are_spaces && one_family
}
