//! Components as pieces of a scene, and the marks that variables make.

use wyrmgate_program::{FieldInfo, FieldPlace, Form, KindInfo, Sign, Type, VarInfo};
use wyrmgate_view::{Doc, Members};

use super::builder::PictureBuilder;
use super::scene::{PictureBadge, Piece};
use super::styles::{Layers, Looks, SignPart, is_set, type_of};
use super::values::{plain, seat, side};
use super::{bundles, palette, symbols};

/// People count at most this number of stones at a glance.
const FEW: i32 = 3;

/// The sign on a component that lies face down and is known to the viewer.
pub(super) const FACE_DOWN: &str = "↓";

/// Returns a component in a zone of this form. `None` if its look hides it.
pub(super) fn piece(
    builder: &PictureBuilder<'_>,
    zone: &str,
    doc: &Members<'_>,
    within: Form,
) -> Option<Piece> {
    let id = text(doc, "id");
    let looks = &builder.looks;
    let Some(kind) = kind_of(looks, doc) else {
        return Some(hidden(builder, zone, doc, within));
    };
    let form = looks.form_of(kind, within);
    if form == Form::Hidden {
        return None;
    }
    let owner = doc.get("owner").and_then(Doc::as_whole);
    let face_down = doc.get("face").and_then(Doc::as_str) == Some("down");
    let mut piece = Piece {
        form,
        color: looks.color(kind, doc, form),
        symbol: looks.symbol(kind, doc, form),
        is_new: builder.happened.has_touched(&id),
        choices: builder.offers.at(&id),
        title: text(doc, "title"),
        id,
        ..Piece::default()
    };
    words(looks, kind, doc, &mut piece);
    signs(looks, kind, doc, &mut piece);
    if let Some(owner) = owner.filter(|owner| needs_number(looks, &piece, *owner)) {
        piece.corners.insert(0, owner.to_string());
    }
    // A card in a hand is held face down, which needs no mark.
    if face_down && within != Form::Fan {
        piece.corners.push(FACE_DOWN.to_owned());
    }
    contents(builder, doc, &mut piece);
    Some(piece)
}

/// Returns the kind of a component, if the viewer knows it.
pub(super) fn kind_of<'p>(looks: &Looks<'p>, doc: &Members<'_>) -> Option<&'p KindInfo> {
    looks.kind(doc.get("kind")?.as_str()?)
}

/// Returns the back of a component, if something of it is on its back.
pub(super) fn back(builder: &PictureBuilder<'_>, doc: &Members<'_>) -> Option<Piece> {
    let kind = kind_of(&builder.looks, doc)?;
    let has_back = kind.fields.iter().any(|field| field.on_back);
    has_back.then(|| hidden(builder, "", doc, Form::Row))
}

/// Returns a component that the viewer cannot identify: its back.
fn hidden(builder: &PictureBuilder<'_>, zone: &str, doc: &Members<'_>, within: Form) -> Piece {
    let looks = &builder.looks;
    let place = doc.get("place").map(Doc::to_string).unwrap_or_default();
    let style = looks.of_back(doc);
    let words = |field: &str| words_on_back(looks, field, doc.get(field)?);
    let on_back = |field: &str| Some((looks.field_on_back(field)?.of, doc.get(field)?));
    let sign = |part: SignPart| looks.word_of_sign(part, part.of_look(style?)?, on_back);
    let told = |(name, value): (&str, &Doc<'_>)| {
        let words = words_on_back(looks, name, value)?;
        (!words.is_empty()).then(|| format!("{} {words}", name.replace('_', " ")))
    };
    let told: Vec<String> = doc.iter().filter_map(told).collect();
    let sideways = looks.field_on_back("sideways").is_some() && is_set(doc.get("sideways"));
    let big = style.and_then(|style| words(style.big.as_ref()?));
    let corners = style.map_or(&[][..], |style| style.corners.as_slice());
    let corners = corners.iter().filter_map(|field| words(field));
    Piece {
        form: match within {
            Form::Tray => Form::Die,
            _ => Form::Card,
        },
        title: match told.is_empty() {
            true => format!("#{place}"),
            false => format!("#{place}: {}", told.join(", ")),
        },
        text: match style {
            Some(_) => String::new(),
            None => told.join(", "),
        },
        big: big.unwrap_or_default(),
        color: sign(SignPart::Color).and_then(palette::named),
        symbol: sign(SignPart::Symbol).and_then(symbols::named),
        corners: corners.collect(),
        is_hidden: true,
        is_sideways: sideways,
        choices: builder.offers.at(&format!("{zone}#{place}")),
        ..Piece::default()
    }
}

/// Returns the words for a value that is printed on the back of a component.
fn words_on_back(looks: &Looks<'_>, field: &str, value: &Doc<'_>) -> Option<String> {
    let of = looks.field_on_back(field)?.of;
    Some(match value {
        Doc::Int(number) => number.to_string(),
        value => looks.words(of, value),
    })
}

/// Returns whether only the color of a figure says whose it is, and more than light and dark must be told apart.
fn needs_number(looks: &Looks<'_>, piece: &Piece, owner: i64) -> bool {
    let owner = u32::try_from(owner).ok();
    let of_owner = owner.and_then(|seat| looks.color_of_seat(seat));
    let is_figure = matches!(piece.form, Form::Pawn | Form::Token | Form::Disc);
    let is_owners = of_owner.is_some() && piece.color == of_owner;
    is_figure && piece.symbol.is_some() && is_owners && !looks.are_clear()
}

fn text(doc: &Members<'_>, key: &str) -> String {
    let text = doc.get(key).and_then(Doc::as_str);
    text.unwrap_or_default().to_owned()
}

/// Adds the texts on a component.
fn words(looks: &Looks<'_>, kind: &KindInfo, doc: &Members<'_>, piece: &mut Piece) {
    let layers = looks.of_kind(kind);
    let field = |name: &str| {
        if name == "text" {
            return kind.text.get(looks.language).to_owned();
        }
        let of = type_of(&kind.fields, name).unwrap_or(Type::Int);
        match doc.get(name) {
            Some(Doc::Int(number)) if of == Type::Int => number.to_string(),
            Some(value) => looks.words(of, value),
            None => String::new(),
        }
    };
    if let Some(big) = looks.big(kind, piece.form) {
        piece.big = field(&big);
        let id = doc.get(&big).and_then(Doc::as_str);
        shorten(layers, id, piece);
        let filled = layers.get(|style| style.shade.as_deref());
        if filled.is_some_and(|field| !is_set(doc.get(field))) {
            piece.big.clear();
            piece.color = None;
        }
    }
    let wanted = layers.get(|style| style.text.as_deref());
    piece.text = match wanted {
        None | Some("title") => without_end(&piece.title, &piece.big),
        Some("none") => String::new(),
        Some("kind") => looks.title(&kind.title, &kind.name),
        Some(name) => field(name),
    };
    // Below a letter or a word, the name of the kind says nothing.
    let says_kind = piece.text == looks.title(&kind.title, &kind.name);
    if wanted.is_none() && says_kind && piece.big.starts_with(char::is_alphabetic) {
        piece.text.clear();
    }
    if let Some(small) = layers.get(|style| style.small.as_deref()) {
        piece.small = field(small);
    }
    let corners = layers.get(|style| (!style.corners.is_empty()).then_some(&style.corners));
    let corners = corners.into_iter().flatten();
    let corners = corners.map(|name| field(name));
    piece.corners = corners.filter(|words| !words.is_empty()).collect();
    piece.label = match wanted {
        Some("none") => String::new(),
        None => state(looks, kind, doc).unwrap_or_else(|| label(looks, kind, doc, &piece.title)),
        Some("title") => label(looks, kind, doc, &piece.title),
        Some(_) => piece.text.clone(),
    };
    if let (Some(face), Some(die)) = (doc.get("face"), &kind.die) {
        let of = type_of(&kind.fields, "face").unwrap_or(Type::Int);
        piece.label = match face {
            // No side is up before the first roll.
            Doc::Int(number) if !die.faces.iter().any(|face| i64::from(*face) == *number) => {
                String::new()
            }
            Doc::Int(number) => number.to_string(),
            face => looks.words(of, face),
        };
        piece.text.clone_from(&piece.label);
        if !piece.label.is_empty() {
            piece.title = format!("{}: {}", piece.title, piece.label);
        }
    }
}

/// Writes the short word for what is written large: a number, or a value of a type by its name.
fn shorten(layers: Layers<'_>, id: Option<&str>, piece: &mut Piece) {
    let short = layers.get(|style| (!style.short.is_empty()).then_some(&style.short));
    let mut short = short.into_iter().flatten();
    let Some((_, word)) =
        short.find(|(value, _)| *value == piece.big || Some(value.as_str()) == id)
    else {
        return;
    };
    piece.big.clone_from(word);
}

/// Returns the title without a number at its end that is written elsewhere.
fn without_end(title: &str, end: &str) -> String {
    let short = title.strip_suffix(end).filter(|_| !end.is_empty());
    let short = short.and_then(|short| short.strip_suffix(' '));
    short.unwrap_or(title).to_owned()
}

/// Returns what distinguishes a component from others of its kind: its keys except its owner, or its kind.
fn label(looks: &Looks<'_>, kind: &KindInfo, doc: &Members<'_>, title: &str) -> String {
    let of_kind = looks.title(&kind.title, &kind.name);
    let keys = title.strip_prefix(of_kind.as_str()).unwrap_or_default();
    let owner = doc.get("owner").map(Doc::to_string).unwrap_or_default();
    let mut keys: Vec<&str> = keys.split_whitespace().collect();
    let is_owned = keys.first().is_some_and(|key| *key == owner);
    if is_owned && keys.len() > 1 {
        keys.remove(0);
    }
    match keys.is_empty() {
        true => of_kind,
        false => keys.join(" "),
    }
}

/// Returns the value of the first field that says what a component has become: a man that is a rook.
pub(super) fn state(looks: &Looks<'_>, kind: &KindInfo, doc: &Members<'_>) -> Option<String> {
    let is_state = |field: &&FieldInfo| {
        matches!(field.of, Type::Enum(_)) && matches!(field.at, FieldPlace::Changing { .. })
    };
    let field = kind.fields.iter().find(is_state)?;
    let words = looks.words(field.of, doc.get(&field.name)?);
    (kind.die.is_none() && !words.is_empty()).then_some(words)
}

/// Adds arrows, badges and the position of a component.
fn signs(looks: &Looks<'_>, kind: &KindInfo, doc: &Members<'_>, piece: &mut Piece) {
    let layers = looks.of_kind(kind);
    let turned = doc.get("turned").and_then(Doc::as_whole).unwrap_or(0);
    let is_sides = |field: &&FieldInfo| field.of == Type::Side;
    let arrows = layers.get(|style| style.arrows.as_deref());
    let edges = layers.get(|style| (!style.edges.is_empty()).then_some(&style.edges));
    let edges = edges.into_iter().flatten();
    let arrows = arrows.or_else(|| {
        let field = kind.fields.iter().find(is_sides)?;
        let is_bare = piece.form == Form::Tile && edges.clone().next().is_none();
        is_bare.then_some(field.name.as_str())
    });
    let number = |of: &Doc<'_>| side(of, turned, looks.program.identity.cells);
    let sides = |name: &str| {
        let sides = doc.get(name).and_then(Doc::as_list).unwrap_or_default();
        sides.iter().filter_map(number)
    };
    piece.arrows = arrows.into_iter().flat_map(sides).collect();
    let edges = edges.filter_map(|(field, word)| Some((field, palette::named(word)?)));
    let edges = edges.flat_map(|(field, color)| sides(field).map(move |side| (side, color)));
    piece.edges = edges.collect();
    let badges = layers.get(|style| (!style.badges.is_empty()).then_some(&style.badges));
    let badges = badges.into_iter().flatten();
    let badges = badges.filter(|(field, _)| is_set(doc.get(field)));
    let badges = badges.filter_map(|(field, symbol)| {
        let number = doc.get(field).and_then(Doc::as_whole);
        let number = number.map_or(String::new(), |number| number.to_string());
        Some(PictureBadge {
            symbol: symbols::named(symbol)?,
            number,
            color: None,
        })
    });
    piece.badges = badges.collect();
    for field in &kind.fields {
        if let (Type::Amounts(of), Some(bundle)) = (field.of, doc.get(&field.name)) {
            piece.badges.extend(bundles::badges(looks, of, bundle));
        }
    }
    let sideways = layers.get(|style| style.sideways.as_deref());
    piece.is_sideways = sideways.is_some_and(|name| is_set(doc.get(name)));
}

/// Adds what a component holds.
fn contents(builder: &PictureBuilder<'_>, doc: &Members<'_>, piece: &mut Piece) {
    let Some(holds) = doc.get("holds").and_then(Doc::as_object) else {
        return;
    };
    let count = holds.get("count").and_then(Doc::as_whole);
    piece.held = count.and_then(|count| i32::try_from(count).ok());
    let components = holds.get("components").and_then(Doc::as_list);
    let components = components.unwrap_or_default().iter();
    let members = components.filter_map(Doc::as_object);
    let within = match piece.form {
        Form::Tile => Form::Grid,
        _ => Form::Pile,
    };
    let inside = members.filter_map(|member| self::piece(builder, &piece.id, member, within));
    piece.inside = inside.collect();
}

/// Returns the mark of a variable's value, on a space or for a seat.
pub(super) fn mark(
    builder: &PictureBuilder<'_>,
    var: &VarInfo,
    value: &Doc<'_>,
    owner: Option<u32>,
) -> Piece {
    let looks = &builder.looks;
    let style = looks.of_variable(var);
    let written = plain(value);
    let word = |part: SignPart| match part.of_look(style?)? {
        Sign::Word(word) => Some(word),
        Sign::ByValue(pairs) => {
            let mut pairs = pairs.iter();
            pairs.find(|(of, _)| *of == written).map(|(_, word)| word)
        }
        Sign::Field(_) => None,
    };
    let of_value = |part: SignPart| looks.word_of_value(part, var.of, value);
    let owner = owner.or_else(|| seat(value).filter(|_| var.of == Type::Seat));
    let of_seat = owner.and_then(|seat| looks.color_of_seat(seat));
    let title = looks.title(&var.title, &var.name);
    let words = looks.words(var.of, value);
    let form = style.and_then(|style| style.form);
    let count = value.as_whole().and_then(|count| i32::try_from(count).ok());
    let is_seat = var.of == Type::Seat && word(SignPart::Symbol).is_none();
    let own = owner.filter(|_| is_seat && word(SignPart::Color).is_none());
    let held = count.filter(|_| form == Some(Form::Stones));
    let many = held.filter(|count| *count > FEW);
    Piece {
        held,
        corners: many.map(|count| count.to_string()).into_iter().collect(),
        form: form
            .filter(|form| *form == Form::Stones)
            .unwrap_or(Form::Token),
        sign: own.and_then(|seat| looks.sign_of_seat(seat)),
        color: match word(SignPart::Color) {
            Some(word) => palette::named(word),
            None => of_seat.or_else(|| palette::named(of_value(SignPart::Color)?)),
        },
        title: format!("{title}: {words}"),
        label: match value {
            Doc::Bool(_) => title,
            _ => words,
        },
        symbol: match word(SignPart::Symbol) {
            Some(word) => symbols::named(word),
            None => of_value(SignPart::Symbol).and_then(symbols::named),
        },
        is_mark: true,
        ..Piece::default()
    }
}
