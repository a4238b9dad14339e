//! The looks of things, with the defaults that follow from names, titles and types.

use wyrmgate_program::{
    FamilyInfo, FieldInfo, Form, KindInfo, Language, Localized, LookStyle, Program, See, Sign,
    Type, ValueStyle, VarInfo,
};
use wyrmgate_view::{Doc, Members};

use super::palette::{self, Swatch};
use super::scene::SeatSign;
use super::symbols::{self, DrawnSymbol};
use super::values;

/// Names of numbers that cards and tokens show large.
const BIG: [&str; 8] = [
    "rank", "number", "value", "points", "strength", "steps", "worth", "level",
];

/// Parts of names that tell the form of a component.
const FORMS_BY_NAME: [(&str, Form); 17] = [
    ("card", Form::Card),
    ("tile", Form::Tile),
    ("coin", Form::Disc),
    ("chip", Form::Disc),
    ("stone", Form::Disc),
    ("gem", Form::Disc),
    ("disc", Form::Disc),
    ("disk", Form::Disc),
    ("bead", Form::Disc),
    ("pawn", Form::Pawn),
    ("piece", Form::Pawn),
    ("meeple", Form::Pawn),
    ("figure", Form::Pawn),
    ("man", Form::Pawn),
    ("token", Form::Token),
    ("marker", Form::Token),
    ("cube", Form::Token),
];

/// A sign of a thing or a value.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum SignPart {
    Color,
    Symbol,
}

impl SignPart {
    pub fn of_look(self, style: &LookStyle) -> Option<&Sign> {
        match self {
            SignPart::Color => style.color.as_ref(),
            SignPart::Symbol => style.symbol.as_ref(),
        }
    }

    fn of_entry(self, style: &ValueStyle) -> Option<&str> {
        match self {
            SignPart::Color => style.color.as_deref(),
            SignPart::Symbol => style.symbol.as_deref(),
        }
    }
}

/// The looks of one game.
#[derive(Clone, Copy)]
pub struct Looks<'p> {
    pub program: &'p Program,
    pub language: Language,
}

/// The look of a kind, and behind it that of its family.
#[derive(Clone, Copy, Default)]
pub struct Layers<'p>([Option<&'p LookStyle>; 2]);

impl<'p> Layers<'p> {
    pub fn get<T>(&self, of: impl Fn(&'p LookStyle) -> Option<T>) -> Option<T> {
        self.0.iter().flatten().find_map(|style| of(style))
    }
}

impl<'p> Looks<'p> {
    pub fn of_thing(&self, name: &str) -> Option<&'p LookStyle> {
        self.program.look.things.get(name)
    }

    /// Returns the look of a variable. A part of records without a look of its own has that of the whole, and so has each
    /// value of the first of several keys (`debt-1`).
    pub fn of_variable(&self, var: &VarInfo) -> Option<&'p LookStyle> {
        let part = var.part.as_ref().map(|part| part.variable.as_str());
        let names = [Some(var.name.as_str()), part].into_iter().flatten();
        let whole = |name: &'_ str| name.split('-').next().and_then(|name| self.of_thing(name));
        names
            .into_iter()
            .find_map(|name| self.of_thing(name).or_else(|| whole(name)))
    }

    pub fn of_kind(&self, kind: &KindInfo) -> Layers<'p> {
        let family = self.family_of(kind);
        Layers([
            self.of_thing(&kind.name),
            family.and_then(|family| self.of_thing(&family.name)),
        ])
    }

    pub fn kind(&self, name: &str) -> Option<&'p KindInfo> {
        self.program.kinds.iter().find(|kind| kind.name == name)
    }

    pub fn family_of(&self, kind: &KindInfo) -> Option<&'p KindInfo> {
        let family = kind.family?;
        self.program.kind(family)
    }

    /// Returns the look of the backs of components that show these fields.
    pub fn of_back(&self, back: &Members<'_>) -> Option<&'p LookStyle> {
        let shown = |style: &&LookStyle| {
            let named = style.big.iter().chain(&style.corners);
            named.into_iter().all(|field| back.get(field).is_some())
        };
        let things = self.program.look.things.values();
        let backs = things.filter_map(|style| style.back.as_deref());
        backs.into_iter().find(shown)
    }

    /// Returns a field that hidden components show on their backs.
    pub fn field_on_back(&self, name: &str) -> Option<&'p FieldInfo> {
        let fields = self.program.kinds.iter().flat_map(|kind| &kind.fields);
        fields
            .into_iter()
            .find(|field| field.on_back && field.name == name)
    }

    // ---- forms

    /// Returns the form of the zones of a family.
    pub fn form_of_zones(&self, family: &FamilyInfo) -> Form {
        let style = self.of_thing(&family.name);
        if let Some(form) = style.and_then(|style| style.form) {
            return form;
        }
        if style.is_some_and(|style| style.numbered.is_some()) || family.track.is_some() {
            return Form::Track;
        }
        if family.open_grid {
            return Form::Tiles;
        }
        if family.grid.is_some() {
            return Form::Grid;
        }
        let zone = self.program.zones.get(usize::from(family.first));
        let see = zone.map_or(See::All, |zone| zone.see);
        // Places by two numbers, or by two pairs of numbers, are a board even if the rules do not say so.
        let is_numbered = family.keys.iter().all(|key| key.of == Type::Int);
        if see == See::All && is_numbered && matches!(family.keys.len(), 2 | 4) {
            return Form::Grid;
        }
        let is_called = |word: &str| family.name.split('_').any(|part| part == word);
        match see {
            See::Count | See::Nothing | See::Top => Form::Pile,
            See::Owner | See::If(_) => Form::Fan,
            See::All
                if ["discard", "pile", "deck", "stack"]
                    .into_iter()
                    .any(is_called) =>
            {
                Form::Pile
            }
            See::All if ["tray", "cup", "dice"].into_iter().any(is_called) => Form::Tray,
            See::All => Form::Row,
        }
    }

    /// Returns the form of a component in a zone of this form.
    pub fn form_of(&self, kind: &KindInfo, within: Form) -> Form {
        if let Some(form) = self.of_kind(kind).get(|style| style.form) {
            return form;
        }
        if kind.die.is_some() {
            return Form::Die;
        }
        if within == Form::Tiles {
            return Form::Tile;
        }
        let family = self.family_of(kind).map(|family| family.name.as_str());
        let names = family.into_iter().chain([kind.name.as_str()]);
        let by_name = |name: &str| {
            let mut forms = FORMS_BY_NAME.iter();
            let is_in = |word: &str| name.split('_').any(|part| part == word);
            forms.find(|(word, _)| is_in(word)).map(|(_, form)| *form)
        };
        let found = names.into_iter().find_map(by_name);
        found.unwrap_or(match within {
            Form::Grid | Form::Hexes | Form::Track | Form::Circle | Form::Map => Form::Pawn,
            Form::Tray => Form::Token,
            _ => Form::Card,
        })
    }

    /// Returns the place of a component in an order by these fields. What the viewer does not know comes last.
    pub fn order(&self, doc: &Members<'_>, fields: &[String]) -> Vec<i64> {
        let kind = doc.get("kind").and_then(Doc::as_str);
        let kind = kind.and_then(|kind| self.kind(kind));
        let place = |field: &String| match (type_of(&kind?.fields, field)?, doc.get(field)?) {
            (Type::Enum(id), Doc::Text(word)) => {
                let values = &self.program.enums.get(usize::from(id))?.values;
                i64::try_from(values.iter().position(|value| value == word)?).ok()
            }
            (_, value) => value.as_whole(),
        };
        fields
            .iter()
            .map(|field| place(field).unwrap_or(i64::MAX))
            .collect()
    }

    // ---- colors and symbols

    /// Returns the color of a seat, counted from 1.
    pub fn color_of_seat(&self, seat: u32) -> Option<&'static Swatch> {
        palette::named(self.word_of_seat(SignPart::Color, seat)?)
    }

    /// Returns whether light and dark tell the seats apart.
    pub fn are_clear(&self) -> bool {
        let seats = (1..=self.program.seats as u32).filter_map(|seat| self.color_of_seat(seat));
        let shades: Vec<f32> = seats.map(|color| color.fill.luminance()).collect();
        let is_light = |shade: &f32| *shade > 0.8;
        shades.len() == 2 && shades.iter().filter(|shade| is_light(shade)).count() == 1
    }

    /// Returns the quiet sign of a seat without a symbol. `None` if there are too many seats.
    pub fn sign_of_seat(&self, seat: u32) -> Option<SeatSign> {
        let has_symbol = self.symbol_of_seat(seat).is_some();
        let sign = match (self.are_clear(), seat) {
            (true, _) => SeatSign::Plain,
            (false, 1) => SeatSign::Ring,
            (false, _) => SeatSign::Dot,
        };
        Some(sign).filter(|_| self.program.seats <= 2 && !has_symbol)
    }

    fn word_of_seat(&self, part: SignPart, seat: u32) -> Option<&'p str> {
        let style = self.value("seat", &seat.to_string());
        let usual = || match part {
            SignPart::Color => palette::word_of_seat(seat),
            SignPart::Symbol => None,
        };
        style.and_then(|style| part.of_entry(style)).or_else(usual)
    }

    fn value(&self, of: &str, value: &str) -> Option<&'p ValueStyle> {
        let values = &self.program.look.values;
        values.get(&(of.to_owned(), value.to_owned()))
    }

    /// Returns the word for the color or the symbol of a value: without an entry, the value itself.
    pub fn word_of_value(&self, part: SignPart, of: Type, value: &'p Doc<'_>) -> Option<&'p str> {
        if of == Type::Seat {
            return self.word_of_seat(part, values::seat(value)?);
        }
        let word = value.as_str()?;
        let info = match of {
            Type::Enum(id) => self.program.enums.get(usize::from(id)),
            _ => None,
        };
        let own = info.and_then(|info| self.value(&info.name, word));
        own.and_then(|style| part.of_entry(style)).or(Some(word))
    }

    /// Returns the word of a sign that is one, or that of the field that it names, by its type and value.
    pub fn word_of_sign(
        &self,
        part: SignPart,
        sign: &'p Sign,
        field: impl Fn(&str) -> Option<(Type, &'p Doc<'p>)>,
    ) -> Option<&'p str> {
        match sign {
            Sign::Word(word) => Some(word),
            Sign::Field(name) => {
                let (of, value) = field(name)?;
                self.word_of_value(part, of, value)
            }
            Sign::ByValue(_) => None,
        }
    }

    /// Returns the word for a component of a sign in its look.
    fn word_of_component(
        &self,
        part: SignPart,
        sign: &'p Sign,
        kind: &'p KindInfo,
        doc: &'p Members<'p>,
    ) -> Option<&'p str> {
        match sign {
            Sign::ByValue(pairs) => self.word_for(pairs, kind, doc),
            Sign::Field(field) if part == SignPart::Symbol && field == "kind" => Some(&kind.name),
            _ => self.word_of_sign(part, sign, |field| {
                Some((type_of(&kind.fields, field)?, doc.get(field)?))
            }),
        }
    }

    pub fn color(&self, kind: &KindInfo, doc: &Members<'_>, form: Form) -> Option<&'static Swatch> {
        let part = SignPart::Color;
        if let Some(sign) = self.of_kind(kind).get(|style| part.of_look(style)) {
            return palette::named(self.word_of_component(part, sign, kind, doc)?);
        }
        let mut fields = kind.fields.iter();
        if let Some(field) = fields.find(|field| self.are_colors(field.of)) {
            let value = doc.get(&field.name)?;
            return palette::named(self.word_of_value(part, field.of, value)?);
        }
        match doc.get("owner").and_then(values::seat) {
            Some(seat) if form != Form::Tile => self.color_of_seat(seat),
            _ => palette::called(&kind.name),
        }
    }

    /// Returns whether every value of a type has a color.
    fn are_colors(&self, of: Type) -> bool {
        let Type::Enum(id) = of else { return false };
        let Some(info) = self.program.enums.get(usize::from(id)) else {
            return false;
        };
        let has_color = |value: &String| {
            let own = self.value(&info.name, value);
            own.is_some_and(|style| style.color.is_some()) || palette::named(value).is_some()
        };
        !info.values.is_empty() && info.values.iter().all(has_color)
    }

    pub fn symbol_of_seat(&self, seat: u32) -> Option<&'static DrawnSymbol> {
        symbols::named(self.word_of_seat(SignPart::Symbol, seat)?)
    }

    pub fn symbol(
        &self,
        kind: &KindInfo,
        doc: &Members<'_>,
        form: Form,
    ) -> Option<&'static DrawnSymbol> {
        let part = SignPart::Symbol;
        if let Some(sign) = self.of_kind(kind).get(|style| part.of_look(style)) {
            return symbols::named(self.word_of_component(part, sign, kind, doc)?);
        }
        if kind.die.is_some() {
            let of = type_of(&kind.fields, "face")?;
            return symbols::named(self.word_of_value(part, of, doc.get("face")?)?);
        }
        // A figure with a color of its own has letters as its second sign.
        let has_color = kind.fields.iter().any(|field| self.are_colors(field.of));
        let is_flat = matches!(form, Form::Card | Form::Tile);
        symbols::named(&kind.name).filter(|_| is_flat || !has_color)
    }

    /// Returns the word for a component, by its kind, its family, its owner, or the side of a die that is up.
    fn word_for<'w>(
        &self,
        pairs: &'w [(String, String)],
        kind: &KindInfo,
        doc: &Members<'_>,
    ) -> Option<&'w str> {
        let owner = doc.get("owner").map(Doc::to_string);
        let face = doc.get("face").and_then(Doc::as_str);
        let family = self.family_of(kind).map(|family| family.name.as_str());
        let names = [Some(kind.name.as_str()), family, owner.as_deref(), face];
        let names = names.into_iter().flatten();
        let found = names.into_iter().find_map(|name| {
            let mut pairs = pairs.iter();
            pairs.find(|(value, _)| value == name)
        });
        found.map(|(_, word)| word.as_str())
    }

    /// Returns the field that is written large. Where only one text has room, a text that the rules name is that.
    pub fn big(&self, kind: &KindInfo, form: Form) -> Option<String> {
        let layers = self.of_kind(kind);
        if let Some(field) = layers.get(|style| style.big.clone()) {
            return Some(field);
        }
        if form != Form::Card && layers.get(|style| style.text.as_deref()).is_some() {
            return None;
        }
        let is_number = |field: &&FieldInfo| field.of == Type::Int;
        let known = BIG.into_iter().find(|name| {
            let mut fields = kind.fields.iter().filter(is_number);
            fields.any(|field| field.name == *name)
        });
        let is_flat = matches!(form, Form::Card | Form::Disc | Form::Token);
        known.filter(|_| is_flat).map(str::to_owned)
    }

    // ---- words

    /// Returns a title, or the name of what has none.
    pub fn title(&self, title: &Localized, name: &str) -> String {
        match title.get(self.language) {
            "" => name.replace('_', " "),
            title => title.to_owned(),
        }
    }

    /// Returns a value in words; empty for none, no and zero.
    pub fn words(&self, of: Type, value: &Doc<'_>) -> String {
        match (of, value) {
            (_, Doc::Null | Doc::Bool(false)) => String::new(),
            (_, Doc::Bool(true)) => self.program.prose.words.yes.get(self.language).to_owned(),
            (Type::Amounts(id), Doc::Object(bundle)) => {
                let some = bundle.iter().filter_map(|(value, amount)| {
                    let amount = amount.as_whole().filter(|amount| *amount > 0)?;
                    let title = self.title_of_value(usize::from(id), value);
                    Some(format!("{amount} {title}"))
                });
                some.collect::<Vec<_>>().join(", ")
            }
            (Type::Enum(id), Doc::Text(word)) => self.title_of_value(usize::from(id), word),
            (_, Doc::Text(text)) => text.replace('_', " "),
            (_, Doc::List(values)) => {
                let words = values.iter().map(|value| self.words(of, value));
                words.collect::<Vec<_>>().join(", ")
            }
            (_, value) => value.to_string(),
        }
    }

    fn title_of_value(&self, id: usize, word: &str) -> String {
        let info = self.program.enums.get(id);
        let title = info.and_then(|info| {
            let at = info.values.iter().position(|value| value == word)?;
            info.titles.get(at)
        });
        self.title(title.unwrap_or(&Localized::default()), word)
    }
}

/// Returns the type of a field.
pub fn type_of(fields: &[FieldInfo], name: &str) -> Option<Type> {
    let field = fields.iter().find(|field| field.name == name);
    field.map(|field| field.of)
}

/// Returns whether a value is there: not none, not no, not zero.
pub fn is_set(value: Option<&Doc<'_>>) -> bool {
    match value {
        None | Some(Doc::Null | Doc::Bool(false)) => false,
        Some(Doc::Int(number)) => *number > 0,
        Some(_) => true,
    }
}
