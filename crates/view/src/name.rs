//! Names of values: ids for programs (`dragon-red-3`, `deck#3`) and words for people (`dragon red 3`).
//!
//! **This is the only module that names a component**, or the zone inside one, whose name says whose it is. Callers
//! must state a reader, and a [`SeenComponent`], which records who may know what. A component that the reader may not identify
//! has one of two names:
//!
//! - A component that is *told* (events, views, texts) is named by its place if everybody may know places, as in a
//!   pile, and withheld otherwise: a viewer who knew the place of a card in a hand could follow it there.
//! - A component that can be *chosen* must be referable, so a choice among cards of another hand uses places:
//!   `hand-2#3`. A component that has a proper name for the reader has no other one; otherwise its id would be an oracle.

use std::borrow::Cow;
use wyrmgate_engine::{
    SeenComponent, SeenValue, State, ViewReader, Viewer, Whole, cell_at, holder_of, sees_as,
};

use wyrmgate_engine::see::tells_places;
use wyrmgate_program::{
    Language, Localized, NONE, Program, ProgramName, Refers, Type, cell_xy, text_of,
};

const ZONE: Type = Type::Zone(None);

/// Words for the values in the holes of a text.
pub(crate) trait Titles {
    fn language(&self) -> Language;
    fn title(&self, value: &SeenValue, of: Type) -> String;
}

/// Names as this reader may read them.
#[derive(Debug, Clone, Copy)]
pub struct ReaderNames<'p> {
    program: &'p Program,
    reader: ViewReader,
}

impl<'p> ReaderNames<'p> {
    pub fn new(program: &'p Program, reader: impl Into<ViewReader>) -> ReaderNames<'p> {
        ReaderNames {
            program,
            reader: reader.into(),
        }
    }

    fn knows(&self, what: &SeenComponent) -> bool {
        self.reader.viewer.is_among(what.sight().by)
    }

    pub fn viewer(&self) -> Viewer {
        self.reader.viewer
    }

    /// Returns the id of a value; seats count from 1. `None` for `none`, and for what this reader may not know.
    pub fn id(&self, value: &SeenValue, of: Type) -> Option<Cow<'p, str>> {
        match value {
            SeenValue::Component(what) => self.component_or_place(what),
            SeenValue::Inside(holder) => self.zone_in(holder),
            SeenValue::Plain(value) if self.may_be_plain(*value, of) => {
                plain_name(self.program, *value, of)
            }
            SeenValue::Plain(_) => None,
        }
    }

    /// Returns the id of a value that the rules fix, as a key or a constant field. It is in the box, where names are public:
    /// nobody learns from it where a component is.
    pub fn fixed(&self, value: i32, of: Type) -> Option<Cow<'p, str>> {
        plain_name(self.program, value, of)
    }

    /// Returns which component it is.
    pub fn component(&self, what: &SeenComponent) -> Option<Cow<'p, str>> {
        let at = usize::from(whole(what).component);
        let info = self.program.components.get(at).filter(|_| self.knows(what));
        info.map(|info| Cow::Borrowed(read(&info.naming).0))
    }

    /// Returns a die in words, as it was when this side showed.
    pub fn side(&self, die: &SeenValue, side: &SeenValue) -> Option<String> {
        let (SeenValue::Component(what), SeenValue::Plain(side)) = (die, side) else {
            return None;
        };
        let component = i32::from(whole(what).component);
        title_of_side(self.program, component, *side, self.reader.language)
    }

    fn component_or_place(&self, what: &SeenComponent) -> Option<Cow<'p, str>> {
        self.component(what).or_else(|| {
            let zone = self.zone_of(what).filter(|_| self.is_placed(what))?;
            Some(Cow::Owned(format!("{zone}#{}", whole(what).place)))
        })
    }

    /// Returns the zone of a component.
    pub fn zone_of(&self, what: &SeenComponent) -> Option<Cow<'p, str>> {
        let zone = i32::from(whole(what).zone);
        let is_known = holder_of(self.program, zone).is_none()
            || self.reader.viewer.is_among(what.sight().located);
        zone_name(self.program, zone).filter(|_| is_known)
    }

    /// Returns the zone in a component.
    pub fn zone_in(&self, holder: &SeenComponent) -> Option<Cow<'p, str>> {
        let zone = self.program.holds(i32::from(whole(holder).component));
        let zone = zone.filter(|_| self.knows(holder))?;
        zone_name(self.program, i32::from(zone))
    }

    /// Returns whether this reader may know the place of a component in its zone.
    pub fn is_placed(&self, what: &SeenComponent) -> bool {
        let zone = i32::from(whole(what).zone);
        let by_all = holder_of(self.program, zone).is_none() && tells_places(self.program, zone);
        by_all || self.reader.viewer.is_among(what.sight().placed)
    }

    /// Numbers of components, and of zones in them, have names only with a [`SeenComponent`], or for viewers who may know
    /// everything.
    fn may_be_plain(&self, value: i32, of: Type) -> bool {
        let names_component = match of.refers() {
            Refers::ToComponent => true,
            Refers::ToZone => holder_of(self.program, value).is_some(),
            Refers::ToNothing => false,
        };
        !names_component || self.reader.viewer.is_omniscient()
    }

    fn title_of_place(&self, what: &SeenComponent) -> Option<String> {
        self.zone_of(what)?;
        let zone = zone_title(
            self.program,
            usize::from(whole(what).zone),
            self.reader.language,
        )?;
        Some(match self.is_placed(what) {
            true => format!("{zone} №{}", whole(what).place),
            false => zone,
        })
    }
}

impl Titles for ReaderNames<'_> {
    fn language(&self) -> Language {
        self.reader.language
    }

    /// Returns a value in words; an unknown component is described by its place.
    fn title(&self, value: &SeenValue, of: Type) -> String {
        let (program, language) = (self.program, self.reader.language);
        let title = match value {
            SeenValue::Component(what) if self.knows(what) => {
                component_title(program, usize::from(whole(what).component), language)
            }
            SeenValue::Component(what) => self.title_of_place(what),
            SeenValue::Inside(holder) => {
                let zone = program.holds(i32::from(whole(holder).component));
                let zone = zone.filter(|_| self.knows(holder));
                zone.and_then(|zone| zone_title(program, usize::from(zone), language))
            }
            SeenValue::Plain(value) if self.may_be_plain(*value, of) => {
                return plain_title(program, *value, of, language);
            }
            SeenValue::Plain(_) => None,
        };
        title.unwrap_or_else(|| program.prose.words.none.get(language).to_owned())
    }
}

/// Returns the id of a value as this viewer may read it anywhere; `none` for what it may not know.
pub fn name_of_value(program: &Program, viewer: Viewer, value: i32, of: Type) -> Cow<'_, str> {
    let name = ReaderNames::new(program, viewer).id(&SeenValue::Plain(value), of);
    name.unwrap_or(Cow::Borrowed("none"))
}

/// Returns a value in words as this reader may read it anywhere.
pub fn title_of_value(
    program: &Program,
    reader: impl Into<ViewReader>,
    value: i32,
    of: Type,
) -> String {
    ReaderNames::new(program, reader).title(&SeenValue::Plain(value), of)
}

fn plain_name(program: &Program, value: i32, of: Type) -> Option<Cow<'_, str>> {
    let at = usize::try_from(value).ok();
    match of {
        Type::Int | Type::Row(_) | Type::Record(_) | Type::Amounts(_) => {
            Some(Cow::Owned(value.to_string()))
        }
        Type::Letter => Some(Cow::Owned(text_of([value]))),
        Type::Bool => Some(Cow::Borrowed(if value > 0 { "true" } else { "false" })),
        Type::Seat => at.map(|seat| Cow::Owned((seat + 1).to_string())),
        Type::Cell => at.map(|_| {
            let (x, y) = cell_xy(value);
            Cow::Owned(format!("{x},{y}"))
        }),
        Type::Enum(number) => {
            let info = program.enums.get(usize::from(number))?;
            info.values.get(at?).map(|value| Cow::Borrowed(&**value))
        }
        Type::Component(_) => {
            let info = program.components.get(at?)?;
            Some(Cow::Borrowed(read(&info.naming).0))
        }
        Type::Zone(_) => zone_name(program, value),
        Type::Side => {
            let sides = program.identity.cells.sides();
            sides.get(at?).map(|side| Cow::Borrowed(*side))
        }
    }
}

/// Returns the only access to names; callers have checked that the reader may know.
#[expect(clippy::disallowed_methods, reason = "all other code asks this file")]
fn read(naming: &ProgramName) -> (&str, &Localized) {
    naming.unasked()
}

fn zone_name(program: &Program, zone: i32) -> Option<Cow<'_, str>> {
    let info = program.zones.get(usize::try_from(zone).ok()?)?;
    Some(Cow::Borrowed(read(&info.naming).0))
}

/// Returns the last part of the name of a zone in a component: `cards` of `stack-3.cards`.
fn name_inside(program: &Program, zone: i32) -> String {
    let name = zone_name(program, zone).unwrap_or_default();
    let inside = name.rsplit_once('.');
    inside.map_or_else(String::new, |(_, inside)| inside.to_owned())
}

// ---- choosing

/// Names with which this reader refers to things in a state.
#[derive(Clone, Copy)]
pub(crate) struct Pointing<'a> {
    pub program: &'a Program,
    pub state: &'a State,
    pub reader: ViewReader,
}

impl<'a> Pointing<'a> {
    pub fn of(program: &'a Program, state: &'a State, reader: impl Into<ViewReader>) -> Self {
        Pointing {
            program,
            state,
            reader: reader.into(),
        }
    }

    fn identifies(&self, component: i32) -> bool {
        sees_as(self.program, self.state, self.reader.viewer, component)
    }

    /// Returns the id with which this reader can choose a value.
    pub fn id(&self, value: i32, of: Type) -> String {
        match of.refers() {
            Refers::ToComponent if self.state.is_component(value) => self.component(value),
            Refers::ToZone => self.zone(value),
            Refers::ToComponent | Refers::ToNothing => {
                let name = plain_name(self.program, value, of);
                name.map_or_else(|| "none".to_owned(), Cow::into_owned)
            }
        }
    }

    fn component(&self, component: i32) -> String {
        if self.identifies(component) {
            let name = plain_name(self.program, component, Type::Component(None));
            return name.map(Cow::into_owned).unwrap_or_default();
        }
        let zone = self.zone(self.state.zone_of(component));
        format!("{zone}#{}", self.state.place_of(component))
    }

    fn zone(&self, zone: i32) -> String {
        if let Some(holder) = holder_of(self.program, zone)
            && !self.identifies(holder)
        {
            let inside = name_inside(self.program, zone);
            return format!("{}.{inside}", self.component(holder));
        }
        zone_name(self.program, zone).map_or_else(|| "none".to_owned(), Cow::into_owned)
    }

    fn component_from(&self, name: &str) -> Option<i32> {
        if let Some((zone, place)) = name.rsplit_once('#')
            && let Ok(place) = place.parse()
        {
            let component = self.state.at_place(self.zone_from(zone)?, place);
            // A reader that knows the component must name it: one choice, one name.
            let by_place = self.reader.viewer.is_omniscient() || !self.identifies(component);
            return (component != NONE && by_place).then_some(component);
        }
        let found = i32::from(self.program.component_called(name)?);
        self.identifies(found).then_some(found)
    }

    fn zone_from(&self, name: &str) -> Option<i32> {
        if let Some((holder, inside)) = name.rsplit_once('.') {
            let holder = self.component_from(holder)?;
            let zone = i32::from(self.program.holds(holder)?);
            return (name_inside(self.program, zone) == inside).then_some(zone);
        }
        let at = self.program.open_zone_called(name)?;
        Some(i32::from(at))
    }

    /// Returns a value in words as it is now: a die is described by its face.
    pub fn title_now(&self, value: i32, of: Type) -> String {
        let is_known = matches!(of, Type::Component(_)) && self.identifies(value);
        let die = is_known
            .then(|| side_up(self.program, self.state, value, self.reader.language))
            .flatten();
        die.unwrap_or_else(|| self.title_of(value, of))
    }

    fn title_of(&self, value: i32, of: Type) -> String {
        let (program, language) = (self.program, self.reader.language);
        match of.refers() {
            Refers::ToComponent if self.state.is_component(value) && !self.identifies(value) => {
                let zone = self.title_of(self.state.zone_of(value), ZONE);
                format!("{zone} №{}", self.state.place_of(value))
            }
            Refers::ToZone => match holder_of(program, value) {
                Some(holder) if !self.identifies(holder) => {
                    let at = usize::try_from(value).ok();
                    let family = at.and_then(|at| family_title(program, at, language));
                    let holder = self.title_of(holder, Type::Component(None));
                    format!("{holder} {}", family.unwrap_or_default())
                }
                _ => plain_title(program, value, of, language),
            },
            Refers::ToComponent | Refers::ToNothing => plain_title(program, value, of, language),
        }
    }
}

impl Titles for Pointing<'_> {
    fn language(&self) -> Language {
        self.reader.language
    }

    fn title(&self, value: &SeenValue, of: Type) -> String {
        match value {
            SeenValue::Plain(value) => self.title_of(*value, of),
            SeenValue::Component(what) => self.title_of(i32::from(whole(what).component), of),
            SeenValue::Inside(holder) => {
                let zone = self.program.inside(i32::from(whole(holder).component));
                self.title_of(zone, ZONE)
            }
        }
    }
}

/// Returns the value to which this viewer refers by this name in a choice.
pub fn value_from_name(
    program: &Program,
    state: &State,
    viewer: Viewer,
    name: &str,
    of: Type,
) -> Option<i32> {
    if name == "none" && !matches!(of, Type::Enum(_)) {
        return Some(NONE);
    }
    let pointing = Pointing::of(program, state, viewer);
    match of {
        Type::Int | Type::Row(_) | Type::Record(_) | Type::Amounts(_) => name.parse().ok(),
        Type::Letter => name.chars().next().map(|letter| letter as i32),
        Type::Bool => name.parse::<bool>().ok().map(i32::from),
        Type::Seat => {
            let seat: i32 = name.parse().ok()?;
            (1..=program.seats as i32).contains(&seat).then(|| seat - 1)
        }
        Type::Enum(number) => {
            let values = &program.enums.get(usize::from(number))?.values;
            let at = values.iter().position(|value| value == name);
            at.map_or((name == "none").then_some(NONE), |at| Some(at as i32))
        }
        Type::Component(_) => pointing.component_from(name),
        Type::Zone(_) => pointing.zone_from(name),
        Type::Cell => {
            let (x, y) = name.split_once(',')?;
            let cell = cell_at(x.trim().parse().ok()?, y.trim().parse().ok()?);
            (cell != NONE).then_some(cell)
        }
        Type::Side => program
            .identity
            .cells
            .sides()
            .iter()
            .position(|side| *side == name)
            .map(|at| at as i32),
    }
}

// ---- words

fn plain_title(program: &Program, value: i32, of: Type, language: Language) -> String {
    let at = usize::try_from(value).ok();
    let words = &program.prose.words;
    let known = match of {
        Type::Seat => at.map(|seat| format!("{} {}", words.seat.get(language), seat + 1)),
        Type::Bool => {
            let truth = if value > 0 { &words.yes } else { &words.no };
            Some(truth.get(language).to_owned())
        }
        Type::Enum(number) => {
            at.and_then(|at| enum_title(program, usize::from(number), at, language))
        }
        Type::Component(_) => at.and_then(|at| component_title(program, at, language)),
        Type::Zone(_) => at.and_then(|at| zone_title(program, at, language)),
        Type::Side => at.and_then(|at| Some(words.sides.get(at)?.get(language).to_owned())),
        Type::Int | Type::Row(_) | Type::Record(_) | Type::Amounts(_) => return value.to_string(),
        Type::Letter => return text_of([value]),
        Type::Cell => plain_name(program, value, of).map(Cow::into_owned),
    };
    known.unwrap_or_else(|| words.none.get(language).to_owned())
}

fn side_up(program: &Program, state: &State, component: i32, language: Language) -> Option<String> {
    let word = program.side_of(component)?.word_of(component)?;
    title_of_side(program, component, state.var(word), language)
}

fn title_of_side(
    program: &Program,
    component: i32,
    face: i32,
    language: Language,
) -> Option<String> {
    let field = program.side_of(component)?;
    let die = program.kind_of(component)?.die.as_ref()?;
    let is_side = die.faces.contains(&face);
    let is_plain = !matches!(field.of, Type::Component(_) | Type::Zone(_));
    (is_side && is_plain).then(|| plain_title(program, face, field.of, language))
}

pub(crate) fn enum_title(
    program: &Program,
    number: usize,
    at: usize,
    language: Language,
) -> Option<String> {
    let info = program.enums.get(number)?;
    let name = info.values.get(at)?;
    let title = info.titles.get(at);
    let title = title.map_or(&**name, |title| title_or_name(title, name, language));
    Some(title.to_owned())
}

/// `Dragon red 3`
fn component_title(program: &Program, at: usize, language: Language) -> Option<String> {
    let info = program.components.get(at)?;
    let kind = program.kind(info.kind)?;
    Some(kind.titled(read(&info.naming).1.get(language), language))
}

/// `Hand 2`; for a zone inside a component, `Stack 3 cards`.
fn zone_title(program: &Program, at: usize, language: Language) -> Option<String> {
    let info = program.zones.get(at)?;
    let family = program.family(info.family)?;
    let of_family = family_title(program, at, language)?;
    let Some(holder) = info.inside else {
        let (name, keys) = read(&info.naming);
        let rest = name.strip_prefix(&family.name);
        if rest.is_none_or(|rest| !rest.is_empty() && !rest.starts_with('-')) {
            return Some(keys.get(language).to_owned()); // it has a name of its own: `e4`
        }
        let keys = match keys.get(language) {
            "" => name.strip_prefix(&family.name).unwrap_or_default(),
            keys => keys,
        };
        let title = format!("{of_family} {}", keys.replace('-', " ").trim_start());
        return Some(title.trim_end().to_owned());
    };
    let holder = component_title(program, usize::from(holder), language)?;
    Some(format!("{holder} {of_family}"))
}

/// Returns the words for a zone that is not in a component, which are public.
pub(crate) fn title_of_zone(program: &Program, zone: usize, language: Language) -> Option<String> {
    let info = program.zones.get(zone)?;
    let title = zone_title(program, zone, language).filter(|_| info.inside.is_none())?;
    Some(title)
}

fn family_title(program: &Program, zone: usize, language: Language) -> Option<&str> {
    let info = program.zones.get(zone)?;
    let family = program.family(info.family)?;
    Some(title_or_name(&family.title, &family.name, language))
}

fn title_or_name<'p>(title: &'p Localized, name: &'p str, language: Language) -> &'p str {
    match title.get(language) {
        "" => name,
        title => title,
    }
}

/// Returns the component of an event and its place, for the code that then decides what the reader receives.
#[expect(
    clippy::disallowed_methods,
    reason = "names and events of this crate ask first who may know"
)]
pub(crate) const fn whole(what: &SeenComponent) -> Whole {
    what.whole()
}
