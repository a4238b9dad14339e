//! The label of a choice that was made, for readers of its event: the words under which its seat chose it, as far as the
//! reader may know them.
//!
//! The engine has filled the holes, and says who may know a value from what lies on the table. A value that follows from
//! a component that the reader cannot identify reads as `…`: its rank would name it.

use crate::caption::{angle, caption};
use crate::components::component_in;
use crate::doc::Doc;
use crate::event_doc::event_doc_labeled;
use crate::name::{ReaderNames, Titles, whole};
use crate::text;
use wyrmgate_engine::{
    Event, LabelValue, SECRETLY, SeenComponent, SeenValue, ViewReader, Viewer, Viewers,
};
use wyrmgate_program::{Expr, Hole, Program, Set, SiteOption, TextId, TextPiece};

/// Returns the event as [`event_doc`](crate::event_doc) does, with the label of a choice. The label names a component that
/// the reader recognizes in one of the later events of the same change.
pub fn event_with_label<'p, 'e: 'p>(
    program: &'p Program,
    event: &'p Event,
    later: impl IntoIterator<Item = &'e Event>,
    reader: impl Into<ViewReader>,
) -> Option<Doc<'p>> {
    let reader = reader.into();
    let Event::Chose {
        site,
        option,
        args,
        label,
        ..
    } = event
    else {
        return event_doc_labeled(program, event, reader, None);
    };
    let site = program.site(*site)?;
    let option = site.options.get(usize::from(*option))?;
    let recognized = recognized(later);
    let recognize = |values: &[SeenValue]| recognize(values, &recognized);
    let telling = Telling {
        program,
        names: ReaderNames::new(program, reader),
        option,
        args: args.iter().map(|values| recognize(values)).collect(),
    };
    let declared = option.label;
    let declared = declared.and_then(|text| telling.declared(text, label, recognize));
    let label = declared.unwrap_or_else(|| telling.plain(label));
    event_doc_labeled(program, event, reader, Some(label))
}

/// Returns whether a viewer knows every part of a choice, from its event and the later ones of the same change. `false` for
/// other events.
pub fn is_choice_known<'e>(
    event: &Event,
    later: impl IntoIterator<Item = &'e Event>,
    viewer: Viewer,
) -> bool {
    let Event::Chose {
        seat, args, secret, ..
    } = event
    else {
        return false;
    };
    if *secret && viewer != Viewer::Seat(*seat) {
        return false;
    }
    let recognized = recognized(later);
    let mut parts = args
        .iter()
        .flat_map(|values| recognize(values, &recognized));
    parts.all(|value| component_in(&value).is_none_or(|what| what.component_for(viewer).is_some()))
}

/// Returns the components in the events up to the next choice, each where it first appears, and who recognizes it there.
/// After a shuffle, nobody can tell that it is the one that was chosen.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "the others name no component by which the chosen one is recognized"
)]
fn recognized<'e>(later: impl IntoIterator<Item = &'e Event>) -> Vec<SeenComponent> {
    let mut found: Vec<SeenComponent> = Vec::new();
    for event in later {
        let these: &[SeenComponent] = match event {
            Event::Moved { what, .. } | Event::Turned { what, .. } => std::slice::from_ref(what),
            Event::Shown { what, to } if to & SECRETLY == 0 => what,
            Event::Chose { .. } | Event::Shuffled { .. } | Event::ShuffledInside { .. } => break,
            _ => &[],
        };
        for seen in these {
            let component = whole(seen).component;
            if !found
                .iter()
                .any(|known| whole(known).component == component)
            {
                found.push(*seen);
            }
        }
    }
    found
}

fn recognize(values: &[SeenValue], recognized: &[SeenComponent]) -> Vec<SeenValue> {
    let by = |what: &SeenComponent| -> Viewers {
        let component = whole(what).component;
        let mut found = recognized.iter();
        let found = found.find(|known| whole(known).component == component);
        found.map_or(0, |known| known.sight().by)
    };
    let with = |value: &SeenValue| match value {
        SeenValue::Plain(value) => SeenValue::Plain(*value),
        SeenValue::Component(what) => SeenValue::Component(what.also_known_to(by(what))),
        SeenValue::Inside(what) => SeenValue::Inside(what.also_known_to(by(what))),
    };
    values.iter().map(with).collect()
}

struct Telling<'p> {
    program: &'p Program,
    names: ReaderNames<'p>,
    option: &'p SiteOption,
    args: Vec<Vec<SeenValue>>,
}

impl Telling<'_> {
    /// Fills the label that the rules declare. `None` if no hole of it can be filled.
    fn declared(
        &self,
        label: TextId,
        values: &[LabelValue],
        recognize: impl Fn(&[SeenValue]) -> Vec<SeenValue>,
    ) -> Option<String> {
        let texts = &self.program.prose.texts_with_holes;
        let info = texts.get(usize::from(label))?;
        let mut chosen = self.args.iter().flatten();
        let knows_choice = chosen.all(|value| self.is_known(value));
        let viewer = self.names.viewer();
        let filled = info.holes.iter().enumerate().map(|(number, hole)| {
            let value = values.get(number)?;
            let values = match self.is_chosen(*hole) {
                true => value.as_chosen(),
                false => value.for_viewer(viewer, knows_choice)?,
            };
            let values = recognize(values);
            Some(text::in_hole(self.program, *hole, &values, &self.names).concat())
        });
        let filled: Vec<Option<String>> = filled.collect();
        if !filled.is_empty() && filled.iter().all(Option::is_none) {
            return None;
        }
        let parts = info.parts_in(self.names.language()).iter();
        let text = parts.map(|part| match part {
            TextPiece::Words(words) => words.as_str(),
            TextPiece::Hole(number) => {
                let filled = filled.get(*number).and_then(Option::as_deref);
                filled.unwrap_or(text::UNTOLD)
            }
        });
        Some(text.collect())
    }

    fn is_known(&self, value: &SeenValue) -> bool {
        match value {
            SeenValue::Plain(_) => true,
            SeenValue::Component(what) => self.names.component(what).is_some(),
            SeenValue::Inside(holder) => self.names.zone_in(holder).is_some(),
        }
    }

    /// Returns whether a hole contains what was chosen, which is named as in the choice itself, or where it lay.
    fn is_chosen(&self, hole: Hole) -> bool {
        let program = self.program;
        let is_temp = |id: u32| matches!(program.exprs.get(id as usize), Some(Expr::Temp(_)));
        match hole {
            Hole::Value(id, _) => match program.exprs.get(id as usize) {
                Some(Expr::ZoneOf(of)) => is_temp(*of),
                _ => is_temp(id),
            },
            Hole::List(id, _) => matches!(program.sets.get(id as usize), Some(Set::Temp(_))),
        }
    }

    /// Returns the option and the values in words; dice by the sides that showed, by name.
    fn plain(&self, sides: &[LabelValue]) -> String {
        let told = self.option.binders.iter().zip(&self.args).enumerate();
        let told = told.map(|(name, (binder, values))| {
            let sides = sides.get(name).filter(|_| self.option.label.is_none());
            let sides = sides.and_then(|sides| sides.for_viewer(self.names.viewer(), true));
            let sides = sides.unwrap_or_default().iter().zip(values);
            let sides = sides.map(|(side, die)| self.names.side(die, side));
            let sides: Option<Vec<String>> = sides.collect();
            if let Some(sides) = sides.filter(|sides| !sides.is_empty()) {
                return sides;
            }
            let title = |value: &SeenValue| match value {
                SeenValue::Plain(turns) if binder.is_rotation => {
                    angle(*turns, self.program.identity.cells)
                }
                SeenValue::Plain(_) | SeenValue::Component(_) | SeenValue::Inside(_) => {
                    self.names.title(value, binder.of)
                }
            };
            values.iter().map(title).collect()
        });
        caption(self.program, self.names.language(), self.option, told).concat()
    }
}
