//! A decision as its seat sees it: what is asked, and the choices with labels.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::choice::{Arg, Choice, Pending};
use crate::choices::{self, groups};
use crate::eval::{Eval, Stop, settle};
use crate::fault::{Fault, Halt};
use crate::json::args_to_json;
use crate::name::Pointing;
use crate::see::{Reader, Viewer};
use crate::state::State;
use crate::text;
use wyrmgate_program::{BinderInfo, BinderSize, Language, Program, Site, SiteOption, Type};

/// The form of a decision, so that a client can choose a fitting control.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DecisionKind {
    /// One of several things.
    Pick,
    /// Any number of things.
    Subset,
    /// Things in an order.
    Order,
    /// A number.
    Amount,
    /// A place of a grid.
    Placement,
    /// A way from space to space.
    Path,
    YesNo,
    /// A value by name: a colour, a side.
    Value,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DecisionDoc {
    /// Names the decision among those owed at present.
    pub id: String,
    /// Names the place in the rules: the same whenever and whoever is asked there.
    pub name: String,
    /// From 1.
    pub seat: u32,
    pub prompt: Option<String>,
    pub kind: DecisionKind,
    /// How many choices there are in all.
    pub count: u64,
    /// Whether `choices` lists them all.
    pub complete: bool,
    pub clauses: Vec<String>,
    /// Names of the options that have choices; `decline` where all others may be declined.
    pub options: Vec<String>,
    pub choices: Vec<ChoiceDoc>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ChoiceDoc {
    /// The number of the choice, from 0: see [`super::nth_choice`].
    pub index: u64,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub option: Option<String>,
    pub args: Map<String, Value>,
    pub label: String,
    /// Ids of the components and zones it speaks of.
    pub refers: Vec<String>,
}

/// The decision with at most `limit` choices, from number `offset` on.
pub fn decision_docs(
    program: &Program,
    state: &State,
    pending: &Pending,
    limit: usize,
    offset: u64,
) -> Result<DecisionDoc, Fault> {
    decision_docs_in(Language::default(), program, state, pending, limit, offset)
}

/// As [`decision_docs`], in this language.
pub fn decision_docs_in(
    language: Language,
    program: &Program,
    state: &State,
    pending: &Pending,
    limit: usize,
    offset: u64,
) -> Result<DecisionDoc, Fault> {
    let mut doc = DecisionDoc {
        id: format!("d{}", pending.index),
        name: String::new(),
        seat: u32::from(pending.seat) + 1,
        prompt: None,
        kind: DecisionKind::Pick,
        count: 0,
        complete: false,
        clauses: Vec::new(),
        options: Vec::new(),
        choices: Vec::new(),
    };
    let Some(site) = program.sites.get(usize::from(pending.site)) else {
        return Ok(doc);
    };
    doc.name.clone_from(&site.name);
    doc.kind = kind_of(site);
    doc.clauses = clause_names(program, site);
    let reader = Viewer::Seat(pending.seat).reading(language);
    choices::look(program, state, |eval| {
        doc.prompt = prompt(eval, site, pending.seat, reader)?;
        list(eval, site, pending.seat, reader, (limit, offset), &mut doc)
    })?;
    doc.complete = offset == 0 && doc.choices.len() as u64 == doc.count;
    Ok(doc)
}

fn clause_names(program: &Program, site: &Site) -> Vec<String> {
    let cites = site.cites.iter();
    let clauses = cites.filter_map(|&clause| program.clauses.get(usize::from(clause)));
    clauses.map(|clause| clause.id.clone()).collect()
}

fn prompt(
    eval: &mut Eval<'_>,
    site: &Site,
    seat: u8,
    reader: Reader,
) -> Result<Option<String>, Halt> {
    let Some(prompt) = site.prompt else {
        return Ok(None);
    };
    eval.set_temp(site.seat_temp, i32::from(seat));
    let holes = text::evaluated(eval, prompt)?;
    Ok(Some(text::read(
        eval.program,
        prompt,
        &holes,
        &pointing(eval, reader),
    )))
}

fn list(
    eval: &mut Eval<'_>,
    site: &Site,
    seat: u8,
    reader: Reader,
    (limit, offset): (usize, u64),
    doc: &mut DecisionDoc,
) -> Result<(), Halt> {
    settle(groups(eval, site, seat, &mut |eval, prefix, group| {
        let weight = group.weight();
        let Some(option) = site.options.get(usize::from(prefix.option)) else {
            return Err(Stop::Enough);
        };
        note_option(doc, option, weight);
        let passed = doc.count;
        doc.count = doc.count.saturating_add(weight);
        let first = offset.saturating_sub(passed);
        let room = limit.saturating_sub(doc.choices.len()) as u64;
        for number in first..weight.min(first.saturating_add(room)) {
            eval.scratch.spend()?;
            let choice = group.choice(prefix, number);
            let index = passed.saturating_add(number);
            doc.choices
                .push(choice_doc(eval, option, reader, &choice, index)?);
        }
        Ok(())
    }))
}

fn note_option(doc: &mut DecisionDoc, option: &SiteOption, weight: u64) {
    let known = option.name.is_empty() || doc.options.contains(&option.name);
    if weight > 0 && !known {
        doc.options.push(option.name.clone());
    }
}

fn choice_doc(
    eval: &mut Eval<'_>,
    option: &SiteOption,
    reader: Reader,
    choice: &Choice,
    index: u64,
) -> Result<ChoiceDoc, Halt> {
    let viewer = reader.viewer;
    let (program, state) = (eval.program, eval.state);
    Ok(ChoiceDoc {
        index,
        option: (!option.name.is_empty()).then(|| option.name.clone()),
        args: args_to_json(program, state, viewer, option, &choice.args),
        label: label(eval, option, reader, choice)?,
        refers: refers(pointing(eval, reader), option, choice),
    })
}

fn pointing<'a>(eval: &Eval<'a>, reader: Reader) -> Pointing<'a> {
    Pointing {
        program: eval.program,
        state: eval.state,
        reader,
    }
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

/// The label the rules give, or the option and the values in words.
fn label(
    eval: &mut Eval<'_>,
    option: &SiteOption,
    reader: Reader,
    choice: &Choice,
) -> Result<String, Halt> {
    let Some(label) = option.label else {
        return Ok(plain_label(pointing(eval, reader), option, choice));
    };
    let lists = eval.scratch.lists.len();
    for (binder, arg) in option.binders.iter().zip(&choice.args) {
        eval.bind(binder, arg);
    }
    let holes = text::evaluated(eval, label)?;
    eval.scratch.lists.truncate(lists);
    Ok(text::read(
        eval.program,
        label,
        &holes,
        &pointing(eval, reader),
    ))
}

fn plain_label(pointing: Pointing<'_>, option: &SiteOption, choice: &Choice) -> String {
    let language = pointing.reader.language;
    let mut words = Vec::new();
    if !option.name.is_empty() {
        words.push(option_title(option, language));
    }
    for (binder, arg) in option.binders.iter().zip(&choice.args) {
        let title = |&value: &i32| pointing.title_now(value, binder.of);
        words.push(match arg {
            Arg::One(value) => title(value),
            Arg::Many(values) if values.is_empty() => {
                pointing.program.words.none.get(language).to_owned()
            }
            Arg::Many(values) => values.iter().map(title).collect::<Vec<_>>().join(", "),
        });
    }
    words.join(" ")
}

fn option_title(option: &SiteOption, language: Language) -> String {
    match option.title.get(language) {
        "" => option.name.replace('_', " "),
        title => title.to_owned(),
    }
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
        (BinderSize::Permutation | BinderSize::Many { ordered: true, .. }, _) => {
            DecisionKind::Order
        }
        (BinderSize::Any | BinderSize::Many { .. }, _) => DecisionKind::Subset,
        (BinderSize::One, Type::Int) => DecisionKind::Amount,
        (BinderSize::One, Type::Enum(_) | Type::Side | Type::Bool) => DecisionKind::Value,
        (BinderSize::One, _) => DecisionKind::Pick,
    }
}

/// Several spaces of one board, one after the other, and before them perhaps who goes there.
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
