//! The label of a choice that was made, for readers of its event: the words under which its seat chose it, as far as the
//! reader may know them.
//!
//! The state is gone when an event is read. A hole of the label is therefore filled from the values of the choice alone.
//! What needs the state reads as `…`, and so does what follows from a component that the reader cannot identify: its rank
//! would name it.

use crate::doc::Doc;
use crate::event_doc::told;
use crate::name::{Names, Titles, whole};
use crate::text;
use wyrmgate_engine::{Event, Reader, SeenValue};
use wyrmgate_program::pure::{self, Known};
use wyrmgate_program::{
    BinderInfo, BinderSize, Expr, Hole, Language, Localised, Program, Set, SiteOption, Temp,
    TextId, TextPiece,
};

/// What cannot be said.
const UNTOLD: &str = "…";

/// Returns the event as [`event_doc`](crate::event_doc) does, with the label of a choice.
pub fn event_with_label<'p>(
    program: &'p Program,
    event: &'p Event,
    reader: impl Into<Reader>,
) -> Option<Doc<'p>> {
    let reader = reader.into();
    told(program, event, reader, label(program, event, reader))
}

/// Returns the label of an event that is a choice.
fn label(program: &Program, event: &Event, reader: Reader) -> Option<String> {
    let Event::Chose {
        site, option, args, ..
    } = event
    else {
        return None;
    };
    let site = program.sites.get(usize::from(*site))?;
    let option = site.options.get(usize::from(*option))?;
    let telling = Telling {
        program,
        names: Names::new(program, reader),
        option,
        args,
    };
    let declared = option.label.and_then(|label| telling.declared(label));
    Some(declared.unwrap_or_else(|| telling.plain()))
}

/// Returns the name of an option in words.
pub(crate) fn option_title(name: &str, title: &Localised, language: Language) -> String {
    match title.get(language) {
        "" => name.replace('_', " "),
        title => title.to_owned(),
    }
}

struct Telling<'p> {
    program: &'p Program,
    names: Names<'p>,
    option: &'p SiteOption,
    args: &'p [Vec<SeenValue>],
}

impl<'p> Telling<'p> {
    fn chosen(&self) -> impl Iterator<Item = (&'p BinderInfo, &'p [SeenValue])> {
        let args = self.args.iter().map(Vec::as_slice);
        self.option.binders.iter().zip(args)
    }

    /// Returns what was chosen for a name.
    fn value_in(&self, temp: Temp) -> Option<Vec<SeenValue>> {
        let (_, values) = self.chosen().find(|(binder, _)| binder.temp == temp)?;
        Some(values.to_vec())
    }

    /// Fills the label that the rules declare. `None` if no hole of it can be filled.
    fn declared(&self, label: TextId) -> Option<String> {
        let info = self.program.texts_with_holes.get(usize::from(label))?;
        let filled = info.holes.iter().map(|hole| self.filled(*hole));
        let filled: Vec<Option<String>> = filled.collect();
        if !filled.is_empty() && filled.iter().all(Option::is_none) {
            return None;
        }
        let parts = info.parts_in(self.names.language()).iter();
        let told = parts.map(|part| match part {
            TextPiece::Words(words) => words.as_str(),
            TextPiece::Hole(number) => filled
                .get(*number)
                .and_then(Option::as_deref)
                .unwrap_or(UNTOLD),
        });
        Some(told.collect())
    }

    fn filled(&self, hole: Hole) -> Option<String> {
        let values = self.values_in(hole)?;
        Some(text::in_hole(self.program, hole, &values, &self.names))
    }

    fn values_in(&self, hole: Hole) -> Option<Vec<SeenValue>> {
        let program = self.program;
        match hole {
            Hole::Value(id, _) => {
                let expr = *program.exprs.get(id as usize)?;
                if let Expr::Temp(temp) = expr {
                    return self.value_in(temp);
                }
                if let Expr::ZoneOf(of) = expr {
                    return self.zone_of(of);
                }
                let value = pure::value(program, id, &mut self.known()?)?;
                Some(vec![SeenValue::Plain(value)])
            }
            Hole::List(id, _) => {
                if let Set::Temp(temp) = *program.sets.get(id as usize)? {
                    return self.value_in(temp);
                }
                let members = pure::list(program, id, &mut self.known()?)?;
                Some(members.into_iter().map(SeenValue::Plain).collect())
            }
        }
    }

    /// Returns the zone in which a chosen component lay.
    fn zone_of(&self, of: u32) -> Option<Vec<SeenValue>> {
        let Some(Expr::Temp(temp)) = self.program.exprs.get(of as usize) else {
            return None;
        };
        let values = self.value_in(*temp)?;
        let [SeenValue::Component(what)] = values.as_slice() else {
            return None;
        };
        self.names.zone_of(what)?;
        Some(vec![SeenValue::Plain(i32::from(whole(what).zone))])
    }

    /// Returns the chosen values, to compute with. `None` if the reader does not know all of them.
    fn known(&self) -> Option<Known> {
        let mut known = Known::default();
        for (binder, values) in self.chosen() {
            let ([value], BinderSize::One) = (values, binder.count) else {
                continue;
            };
            let value = match value {
                SeenValue::Plain(value) => *value,
                SeenValue::Component(what) => {
                    self.names.component(what)?;
                    i32::from(whole(what).component)
                }
                SeenValue::Inside(holder) => {
                    self.names.zone_in(holder)?;
                    let at = usize::from(whole(holder).component);
                    i32::from(self.program.components.get(at)?.holds?)
                }
            };
            known = known.and(binder.temp, value);
        }
        Some(known)
    }

    /// Returns the option and the values in words.
    fn plain(&self) -> String {
        let language = self.names.language();
        let mut words = Vec::new();
        if !self.option.name.is_empty() {
            words.push(option_title(
                &self.option.name,
                &self.option.title,
                language,
            ));
        }
        for (binder, values) in self.chosen() {
            let title = |value: &SeenValue| self.names.title(value, binder.of);
            words.push(match values {
                [] => self.program.words.none.get(language).to_owned(),
                values => values.iter().map(title).collect::<Vec<_>>().join(", "),
            });
        }
        words.join(" ")
    }
}
