//! The information of a viewer while a game rests.

use serde_json::Value;

use crate::laws::JUDGE;
use wyrmgate_base::dice::Dice;
use wyrmgate_engine::{
    BoundValue, Choice, Fault, Pending, State, Viewer, default_choice, is_legal, pending,
    random_choice,
};
use wyrmgate_program::{BinderInfo, BinderSize, Language, Program, SiteId, Type};
use wyrmgate_view::{
    DecisionDoc, Rejection, ViewDoc, choice_from_json, choice_to_json, decision_docs_in, explain,
    view,
};

/// Maximum number of listed choices.
const CHOICES_MAX: usize = 50;

/// Choices that a viewer tries: by number, and as clients send them.
pub(super) type Tries<'a> = (&'a [(Pending, Choice)], &'a [(Pending, Value)]);

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Information {
    /// The view in each language.
    pub views: Vec<ViewDoc>,
    pub asked: Vec<ViewerDecision>,
}

/// A decision that the viewer owes.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ViewerDecision {
    pub site: SiteId,
    /// The decisions in each language, and another part of a long list.
    pub docs: Vec<DecisionDoc>,
    /// The default choice if the seat does not answer.
    pub default: Option<Value>,
    /// The reasons of refusals of the tried choices; `None` for accepted ones. First those of choices by number, then those
    /// of choices as clients send them.
    pub refused: Vec<Option<ReceivedRefusal>>,
}

/// A refusal as a client receives it, with its origin.
#[derive(Debug, Clone)]
pub(super) struct ReceivedRefusal(pub Rejection);

impl PartialEq for ReceivedRefusal {
    fn eq(&self, other: &ReceivedRefusal) -> bool {
        let parts = |it: &ReceivedRefusal| (it.0.code, it.0.clauses.clone(), it.0.message.clone());
        parts(self) == parts(other)
    }
}

impl Information {
    pub fn of(
        program: &Program,
        state: &State,
        viewer: Viewer,
        tries: Tries<'_>,
        page: u64,
    ) -> Result<Information, Fault> {
        let owed = pending(program, state);
        let mine = owed.iter().filter(|owed| Viewer::Seat(owed.seat) == viewer);
        let asked = mine.map(|owed| ViewerDecision::of(program, state, owed, tries, page));
        Ok(Information {
            views: languages(program)
                .map(|language| view(program, state, viewer.reading(language)))
                .collect(),
            asked: asked.collect::<Result<_, _>>()?,
        })
    }
}

impl ViewerDecision {
    fn of(
        program: &Program,
        state: &State,
        owed: &Pending,
        (tries, sent): Tries<'_>,
        page: u64,
    ) -> Result<ViewerDecision, Fault> {
        let list =
            |language, from| decision_docs_in(language, program, state, owed, CHOICES_MAX, from);
        let mut docs = Vec::new();
        for language in languages(program) {
            docs.push(list(language, 0)?);
        }
        let count = docs.first().map_or(0, |doc| doc.count);
        if count > CHOICES_MAX as u64 {
            docs.push(list(Language::default(), page % count)?);
        }
        let default = default_choice(program, state, owed);
        let viewer = Viewer::Seat(owed.seat);
        let tries = tries.iter().filter(|(tried, _)| tried.index == owed.index);
        let refused = tries.map(|(_, choice)| refused_choice(program, state, owed, choice));
        let sent = sent.iter().filter(|(tried, _)| tried.index == owed.index);
        let sent = sent.map(
            |(_, json)| match choice_from_json(program, state, owed, json) {
                Ok(choice) => refused_choice(program, state, owed, &choice),
                Err(rejection) => Ok(Some(ReceivedRefusal(rejection))),
            },
        );
        Ok(ViewerDecision {
            site: owed.site,
            docs,
            default: default.map(|it| choice_to_json(program, state, owed, &it, viewer).into()),
            refused: refused.chain(sent).collect::<Result<_, _>>()?,
        })
    }
}

fn refused_choice(
    program: &Program,
    state: &State,
    owed: &Pending,
    choice: &Choice,
) -> Result<Option<ReceivedRefusal>, Fault> {
    let legal = is_legal(program, state, owed, choice)?;
    Ok((!legal).then(|| ReceivedRefusal(explain(program, state, owed, choice))))
}

pub fn languages(program: &Program) -> impl Iterator<Item = Language> {
    (0..program.prose.languages.len().max(1) as u16).map(Language)
}

/// Returns choices that the viewer could try: legal ones, legal ones with one changed value, and arbitrary ones.
pub(super) fn tries(
    program: &Program,
    state: &State,
    viewer: Viewer,
    count: usize,
    dice: &mut Dice,
) -> Vec<(Pending, Choice)> {
    let mut tries = Vec::new();
    for owed in pending(program, state) {
        if Viewer::Seat(owed.seat) != viewer {
            continue;
        }
        for number in 0..count {
            let tried = match number % 2 {
                0 => any(program, &owed, dice),
                _ => near(program, state, &owed, dice),
            };
            tries.extend(tried.map(|choice| (owed, choice)));
        }
    }
    tries
}

/// Returns choices as clients send them: every second one with the names that the viewer reads, the others with the names that
/// only the rules know.
pub(super) fn sent(
    program: &Program,
    state: &State,
    viewer: Viewer,
    tries: &[(Pending, Choice)],
) -> Vec<(Pending, Value)> {
    let readers = [viewer, JUDGE].into_iter().cycle();
    let sent = tries.iter().zip(readers).map(|((owed, choice), reader)| {
        (
            *owed,
            choice_to_json(program, state, owed, choice, reader).into(),
        )
    });
    sent.collect()
}

/// Returns a random option with random values of the right types.
fn any(program: &Program, owed: &Pending, dice: &mut Dice) -> Option<Choice> {
    let site = program.site(owed.site)?;
    let option = dice.below(site.options.len() as u64) as usize;
    let binders = &site.options.get(option)?.binders;
    let args = binders.iter().map(|binder| any_arg(program, binder, dice));
    Some(Choice {
        option: option as u16,
        args: args.collect(),
    })
}

fn any_arg(program: &Program, binder: &BinderInfo, dice: &mut Dice) -> BoundValue {
    let mut value = || any_value(program, binder.of, dice);
    match binder.count {
        BinderSize::One => BoundValue::One(value()),
        _ => BoundValue::Many([value(), value()].into_iter().collect()),
    }
}

fn any_value(program: &Program, of: Type, dice: &mut Dice) -> i32 {
    let (first, count) = match of {
        Type::Int if dice.one_in(2) => (-1, 14),
        Type::Int | Type::Row(_) | Type::Record(_) | Type::Amounts(_) | Type::Letter => (0, 128),
        Type::Bool => (0, 2),
        Type::Seat => (0, program.seats),
        Type::Side => (0, program.identity.cells.sides().len()),
        Type::Enum(id) => {
            let info = program.enums.get(usize::from(id));
            (0, info.map_or(0, |info| info.values.len()))
        }
        Type::Component(kind) => {
            let kind = kind.and_then(|kind| program.kind(kind));
            let all = (0, program.components.len());
            kind.map_or(all, |kind| (kind.first as i32, kind.count as usize))
        }
        Type::Zone(family) => {
            let family = family.and_then(|family| program.family(family));
            let all = (0, program.zones.len());
            family.map_or(all, |family| {
                (i32::from(family.first), usize::from(family.count))
            })
        }
        Type::Cell => (wyrmgate_program::cell(0, 0), 3),
    };
    first + dice.below(count.max(1) as u64) as i32
}

/// Returns one of its choices, with another value in one place.
fn near(program: &Program, state: &State, owed: &Pending, dice: &mut Dice) -> Option<Choice> {
    let drawn = random_choice(program, state, owed, &mut |n| dice.below(n));
    let mut choice = drawn.ok()??;
    let site = program.site(owed.site)?;
    let binders = &site.options.get(usize::from(choice.option))?.binders;
    let name = dice.below(binders.len() as u64) as usize;
    let of = binders.get(name)?.of;
    match choice.args.get_mut(name)? {
        BoundValue::One(value) if of == Type::Int && dice.one_in(2) => {
            *value = value.saturating_add(dice.below(9) as i32 - 4);
        }
        BoundValue::One(value) => *value = any_value(program, of, dice),
        BoundValue::Many(values) => {
            let at = dice.below(values.len() as u64) as usize;
            *values.get_mut(at)? = any_value(program, of, dice);
        }
    }
    Some(choice)
}
