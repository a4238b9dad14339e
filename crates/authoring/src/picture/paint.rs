//! Draws single pieces: cards, tiles, pawns, dice, discs and tokens.

mod cards;

use wyrmgate_program::Form;

use super::drawing::{
    Anchor, DrawnShape, Figure, Outline, PartRole, PictureNode, Rect, Weight, toward,
};
use super::palette::{COLORS, Color};
use super::scene::{PictureBadge, Piece, SeatSign};
use super::symbols::DrawnSymbol;
use super::values::HEXAGON;
use super::wording::{Fitted, LINE, capital, divided, fitted, width};

/// The smallest size of letters.
pub const LETTERS: f32 = 11.0;
/// The usual size of letters: shrunk, it is still the smallest.
pub const TEXT: f32 = 14.0;
/// Bold letters are wider by this factor.
const BOLD: f32 = 1.13;
/// The room below a stack for the number of its components.
const COUNT: f32 = 20.0;
/// The width of a way on a tile, as a part of its side.
const WAY: f32 = 0.26;
/// Maximum numbers of stones that are drawn in a heap and in a stack.
const HEAP_MAX: usize = 16;
const STACK_MAX: i32 = 5;
/// A card is 5 : 7.
const CARD: f32 = 7.0 / 5.0;

/// Draws pieces.
pub struct Painter;

/// Returns the size of a piece of this form, where a card has this width.
pub fn size_of(piece: &Piece, card: f32) -> (f32, f32) {
    let (w, h) = match piece.form {
        Form::Card if piece.held.is_some() => (card, card * CARD + COUNT),
        Form::Card => (card, card * CARD),
        Form::Tile => (card * 1.25, card * 1.25),
        Form::Die => (card * 0.66, card * 0.66),
        _ => (card * 0.58, card * 0.58),
    };
    match piece.is_sideways {
        true => (h, w),
        false => (w, h),
    }
}

/// Returns the width of a badge of this height.
pub fn width_of_badge(badge: &PictureBadge, side: f32) -> f32 {
    match badge.number.as_str() {
        "" => side,
        number => side + width(number) * LETTERS * BOLD + 4.0,
    }
}

/// Draws a badge whose symbol has this place; returns the width of the whole.
pub fn draw_badge(badge: &PictureBadge, room: Rect, node: &mut PictureNode) -> f32 {
    let side = room.h;
    let w = width_of_badge(badge, side);
    let whole = Rect { w, ..room };
    let (ground, ink) = match badge.color {
        Some(color) => (color.color(), color.color().ink()),
        None => (COLORS.panel, COLORS.ink),
    };
    node.draw(whole.rounded(side / 2.0, Some(ground), Some((COLORS.ink, 1.0))));
    node.draw(symbol_shape(badge.symbol, room.inset(side * 0.15), ink));
    let at = (room.right(), room.center().1 + LETTERS * 0.36);
    node.draw(bold(at, Anchor::Start, LETTERS, ink, &badge.number));
    w
}

pub fn text(at: (f32, f32), anchor: Anchor, size: f32, fill: Color, words: &str) -> DrawnShape {
    letters(at, anchor, size, fill, Weight::Regular, words)
}

pub fn bold(at: (f32, f32), anchor: Anchor, size: f32, fill: Color, words: &str) -> DrawnShape {
    letters(at, anchor, size, fill, Weight::Bold, words)
}

fn letters(
    at: (f32, f32),
    anchor: Anchor,
    size: f32,
    fill: Color,
    weight: Weight,
    words: &str,
) -> DrawnShape {
    let figure = Figure::Text {
        at,
        anchor,
        size,
        weight,
        text: words.to_owned(),
    };
    DrawnShape::new(figure, Some(fill), None)
}

/// Returns the shapes of lines of text in the middle of a box.
fn lines(fit: &Fitted, room: Rect, fill: Color, weight: Weight) -> Vec<DrawnShape> {
    let high = fit.lines.len() as f32 * fit.size * LINE;
    let (x, middle) = room.center();
    let top = middle - high / 2.0;
    let lines = fit.lines.iter().enumerate();
    let line = |(n, words): (usize, &String)| {
        let y = top + (n as f32 + 0.5) * fit.size * LINE + fit.size * 0.35;
        letters((x, y), Anchor::Middle, fit.size, fill, weight, words)
    };
    lines.map(line).collect()
}

/// Returns the shapes of the first of several texts that fits into a box.
pub fn written(
    texts: &[&str],
    room: Rect,
    size: f32,
    fill: Color,
    weight: Weight,
) -> Vec<DrawnShape> {
    let mut texts = texts.iter().filter(|text| !text.is_empty());
    let wide = match weight {
        Weight::Regular => room.w,
        Weight::Bold => room.w / BOLD,
    };
    let found = texts.find_map(|text| {
        let room = (wide, room.h);
        fitted(text, room, size).or_else(|| divided(text, room, size))
    });
    found.map_or_else(Vec::new, |fit| lines(&fit, room, fill, weight))
}

/// Returns the shapes of a number or a word that is written large, in smaller letters if it is too wide.
fn large(words: &str, room: Rect, size: f32, fill: Color) -> Vec<DrawnShape> {
    let words = capital(words);
    let fitting = room.w / (width(&words).max(0.1) * BOLD) * 0.99;
    let size = size.min(fitting.max(LETTERS));
    written(&[&words], room, size, fill, Weight::Bold)
}

impl Painter {
    /// Returns the outline of what changed last or can be chosen.
    pub fn outline(&self, is_new: bool, can_choose: bool) -> (Color, f32) {
        match (is_new, can_choose) {
            (true, _) => (COLORS.last, 3.0),
            (_, true) => (COLORS.accent, 2.5),
            _ => (COLORS.line, 1.0),
        }
    }

    /// Draws a piece within a box.
    pub fn piece(&self, piece: &Piece, at: Rect) -> PictureNode {
        let mut node = PictureNode::new(PartRole::Piece, &piece.id, &piece.title);
        node.at = at;
        node.choices.clone_from(&piece.choices);
        if piece.is_marked {
            let fill = COLORS.marked.mixed(COLORS.board, 0.4);
            let room = at.inset(-1.0);
            node.draw(room.rounded(at.w * 0.25, Some(fill), None));
        }
        match piece.form {
            _ if piece.is_hidden => self.back(piece, at, &mut node),
            Form::Tile => self.tile(piece, at, &mut node),
            Form::Card => match piece.held {
                Some(held) => self.stack(piece, held, at, &mut node),
                None => self.card(piece, at, &mut node),
            },
            Form::Die => self.die(piece, at, &mut node),
            Form::Stones => self.stones(piece, at, &mut node),
            _ => self.round(piece, at, &mut node),
        }
        self.badges(piece, at, &mut node);
        if piece.is_marked {
            let is_round = piece.form != Form::Card && piece.symbol.is_none();
            let round = at.w * if is_round { 0.5 } else { 0.25 };
            node.draw(at.rounded(round, None, Some((COLORS.marked, 3.5))));
        }
        node
    }

    fn border(&self, piece: &Piece) -> Outline {
        Some(self.outline(piece.is_new, !piece.choices.is_empty()))
    }

    fn sheet(&self, piece: &Piece, at: Rect, fill: Color) -> DrawnShape {
        at.inset(1.0)
            .rounded(at.w.min(at.h) * 0.08, Some(fill), self.border(piece))
    }

    /// Draws a mark that fills its space, such as a wall.
    pub fn bar(&self, piece: &Piece, at: Rect) -> PictureNode {
        let mut node = PictureNode::new(PartRole::Piece, &piece.id, &piece.title);
        node.at = at;
        let fill = piece.color.map_or(COLORS.ink, |color| color.color());
        let line = piece.is_new.then_some((COLORS.last, 2.5));
        node.draw(at.rounded(1.0, Some(fill), line));
        node
    }

    /// Draws as many stones as the number of a variable, one beside the other.
    fn stones(&self, piece: &Piece, at: Rect, node: &mut PictureNode) {
        let count = usize::try_from(piece.held.unwrap_or(0)).unwrap_or(0);
        let one = Piece {
            form: Form::Token,
            color: piece.color,
            sign: Some(SeatSign::Plain),
            is_new: piece.is_new,
            ..Piece::default()
        };
        let stones = vec![one; count.min(HEAP_MAX)];
        node.inner
            .extend(self.spread(&stones, at.inset(at.w * 0.1), 0.34));
    }

    fn stone(&self, piece: &Piece, at: Rect, node: &mut PictureNode) {
        let fill = piece.color.map_or(COLORS.paper, |color| color.color());
        let line = match piece.is_new {
            true => (COLORS.last, 2.0),
            false => (COLORS.ink.mixed(fill, 0.75), 1.0),
        };
        let radius = at.w / 2.0 - 0.8;
        node.draw(DrawnShape::circle(at.center(), radius, fill, Some(line)));
    }

    /// Draws stones one behind the other, up to five, where `place` says; the number is on the last of more.
    pub fn stack_of_stones(
        &self,
        piece: &Piece,
        step: f32,
        place: impl Fn(f32) -> Rect,
    ) -> PictureNode {
        let first = place(0.0);
        let Some(count) = piece.held.filter(|_| piece.form == Form::Stones) else {
            return self.piece(piece, first);
        };
        let mut node = PictureNode::new(PartRole::Piece, &piece.id, &piece.title);
        let last = place(step * (count.clamp(1, STACK_MAX) - 1) as f32);
        let (x, y) = (first.x.min(last.x), first.y.min(last.y));
        let (right, bottom) = (
            first.right().max(last.right()),
            first.bottom().max(last.bottom()),
        );
        node.at = Rect::new(x, y, right - x, bottom - y);
        for n in 0..count.min(STACK_MAX) {
            self.stone(piece, place(step * n as f32), &mut node);
        }
        if count > STACK_MAX {
            let fill = piece.color.map_or(COLORS.paper, |color| color.color());
            let room = last.inset(last.w * 0.1);
            node.draw_all(large(&count.to_string(), room, last.w * 0.55, fill.ink()));
        }
        node
    }

    fn tile(&self, piece: &Piece, at: Rect, node: &mut PictureNode) {
        let colors = COLORS;
        let mixed = piece
            .color
            .map(|color| color.color().mixed(colors.paper, 0.5));
        let fill = mixed.unwrap_or(colors.paper);
        let ink = fill.ink();
        node.draw(self.sheet(piece, at, fill));
        for (side, color) in &piece.edges {
            node.draw(way(*side, at, color.color()));
        }
        if let Some((_, color)) = piece.edges.first() {
            let radius = at.w * WAY * 0.75;
            node.draw(DrawnShape::circle(at.center(), radius, color.color(), None));
        }
        for side in &piece.arrows {
            node.draw(match *side >= HEXAGON {
                true => way(*side, at, colors.accent),
                false => arrow(*side, at, colors.accent),
            });
        }
        let margin = if piece.arrows.is_empty() { 0.06 } else { 0.155 };
        let room = at.inset(at.w * margin);
        let (face, standing) = match piece.inside.is_empty() {
            true => (room, None),
            false => {
                let upper = Rect::new(room.x, room.y, room.w, room.h * 0.46);
                let lower = Rect::new(room.x, room.y + room.h * 0.46, room.w, room.h * 0.54);
                (upper, Some(lower))
            }
        };
        self.tile_face(piece, at, face, ink, node);
        if let Some(room) = standing {
            node.inner.extend(self.spread(&piece.inside, room, 0.98));
        }
        self.corners(piece, at, ink, node);
    }

    /// Draws the symbol and the words of a tile: both, if there is room, or the words alone.
    fn tile_face(&self, piece: &Piece, at: Rect, room: Rect, ink: Color, node: &mut PictureNode) {
        let is_crowded = room.h < at.h * 0.5;
        // Words may reach closer to the left and right edge than arrows do, above and below their tips.
        let wide = Rect::new(at.x + 2.0, room.y, at.w - 4.0, room.h);
        let texts = [piece.text.as_str(), piece.label.as_str()];
        let Some(symbol) = piece.symbol else {
            return node.draw_all(written(&texts, room, TEXT, ink, Weight::Regular));
        };
        if is_crowded {
            return node.draw(symbol_shape(symbol, room.inset(room.h * 0.06), ink));
        }
        // Words may be as wide as the tile below the arrows at its sides.
        let has = |side: u8| piece.arrows.contains(&side);
        let top = if has(0) { 0.14 } else { 0.06 };
        let foot = if has(2) { 0.13 } else { 0.04 };
        let below =
            |cut: f32| Rect::new(wide.x, at.y + at.h * cut, wide.w, at.h * (1.0 - cut - foot));
        // A smaller symbol makes room for a second line.
        let fits = |cut: &f32| fitted(&piece.text, (wide.w, below(*cut).h), TEXT).is_some();
        let cut = [0.61, 0.52, 0.43].into_iter().find(fits).unwrap_or(0.61);
        let lower = below(cut);
        let high = at.h * (cut - 0.02 - top);
        let upper = Rect::new(room.x, at.y + at.h * top, room.w, high);
        node.draw(symbol_shape(symbol, upper.inset(upper.h * 0.05), ink));
        node.draw_all(written(&texts, lower, TEXT, ink, Weight::Regular));
    }

    fn die(&self, piece: &Piece, at: Rect, node: &mut PictureNode) {
        let fill = piece.color.map_or(COLORS.paper, |color| color.color());
        let ink = fill.ink();
        let inner = at.inset(1.5);
        node.draw(inner.rounded(at.w * 0.2, Some(fill), self.border(piece)));
        let face: Option<u8> = piece.label.parse().ok();
        match (piece.symbol, face) {
            (Some(symbol), _) => {
                node.draw(symbol_shape(symbol, at.inset(at.w * 0.2), ink));
            }
            (None, Some(face @ 1..=6)) => {
                for (x, y) in pips(face) {
                    let center = (at.x + at.w * x, at.y + at.h * y);
                    node.draw(DrawnShape::circle(center, at.w * 0.085, ink, None));
                }
            }
            _ => {
                let room = at.inset(at.w * 0.1);
                let texts = [piece.text.as_str(), piece.label.as_str()];
                node.draw_all(written(&texts, room, TEXT, ink, Weight::Bold));
            }
        }
    }

    /// Draws a pawn, a disc or a token.
    fn round(&self, piece: &Piece, at: Rect, node: &mut PictureNode) {
        let colors = COLORS;
        let fill = piece.color.map_or(colors.paper, |color| color.color());
        let line = match piece.is_new || !piece.choices.is_empty() {
            true => self.border(piece),
            false => Some((colors.ink.mixed(fill, 0.75), 1.2)),
        };
        if let (Form::Token, Some(symbol)) = (piece.form, piece.symbol) {
            // A figure without a disc under it: its outline is what sets it off.
            let line = line.map_or(colors.ink, |(color, _)| color);
            let outline = piece.color.map(|_| (line, 1.2));
            let fill = piece.color.map_or(colors.ink, |color| color.color());
            let figure = Figure::Symbol(symbol, at);
            return node.draw(DrawnShape::new(figure, Some(fill), outline));
        }
        let radius = at.w.min(at.h) / 2.0 - 1.5;
        node.draw(DrawnShape::circle(at.center(), radius, fill, line));
        if piece.form == Form::Disc {
            let line = Some((fill.ink().mixed(fill, 0.5), 1.0));
            node.draw(DrawnShape::circle(at.center(), radius * 0.8, fill, line));
        }
        // A mark that says more about the one below it, such as a crown.
        let more = piece.badges.first().filter(|_| piece.is_mark);
        match (more, piece.sign) {
            (Some(badge), _) => {
                let room = at.inset(at.w.min(at.h) * 0.22);
                node.draw(symbol_shape(badge.symbol, room, fill.ink()));
            }
            (None, Some(sign)) => node.draw_all(sign_shapes(sign, at.center(), radius, fill)),
            (None, None) => self.inscription(piece, at, fill.ink(), node),
        }
    }

    /// Draws the symbol, the number or the word on a round piece.
    fn inscription(&self, piece: &Piece, at: Rect, ink: Color, node: &mut PictureNode) {
        let side = at.w.min(at.h);
        let room = at.inset(side * 0.17);
        // In very little room, the owner matters more than the kind.
        let whose = piece.corners.first().filter(|_| is_tiny(at));
        // A number that the rules want large says more than the symbol of its kind.
        let symbol = piece
            .symbol
            .filter(|_| whose.is_none() && piece.big.is_empty());
        match symbol {
            Some(symbol) => node.draw(symbol_shape(symbol, room.inset(side * 0.04), ink)),
            None => {
                let words = match (whose, piece.big.as_str()) {
                    (Some(whose), _) => whose.as_str(),
                    (None, "") => piece.label.as_str(),
                    (None, big) => big,
                };
                let size = (side * 0.42).max(LETTERS);
                let size = size.min(room.w / width(words).max(0.1)).max(7.0);
                let (x, y) = at.center();
                let words = bold((x, y + size * 0.36), Anchor::Middle, size, ink, words);
                node.draw(words);
            }
        }
    }

    /// Draws the badges of a piece along its lower edge, and for round pieces the words in its corners.
    fn badges(&self, piece: &Piece, at: Rect, node: &mut PictureNode) {
        let most = if piece.badges.len() > 2 { 16.0 } else { 22.0 };
        let side = (at.w.min(at.h) * 0.4).clamp(12.0, most);
        let badges = piece.badges.iter().filter(|_| !piece.is_mark);
        let (mut x, mut y) = (at.x, at.bottom() - side);
        for badge in badges {
            if x > at.x && x + width_of_badge(badge, side) > at.right() {
                (x, y) = (at.x, y - side);
            }
            x += draw_badge(badge, Rect::new(x, y, side, side), node);
        }
        let forms = [Form::Pawn, Form::Disc, Form::Token, Form::Die, Form::Stones];
        let is_round = !piece.is_hidden && !is_tiny(at) && forms.contains(&piece.form);
        if let Some(words) = piece.corners.first().filter(|_| is_round) {
            let size = LETTERS;
            let wide = width(words) * size + 6.0;
            let room = Rect::new(at.right() - wide, at.bottom() - 14.0, wide, 14.0);
            node.draw(room.rounded(7.0, Some(COLORS.panel), Some((COLORS.ink, 1.0))));
            let (x, y) = room.center();
            let ink = COLORS.ink;
            node.draw(bold((x, y + 4.0), Anchor::Middle, size, ink, words));
        }
    }

    /// Draws pieces side by side in a box, as large as they fit, up to a share of its shorter side.
    pub fn spread(&self, pieces: &[Piece], room: Rect, share: f32) -> Vec<PictureNode> {
        let high = |piece: &Piece| if piece.form == Form::Card { CARD } else { 1.0 };
        let tall = pieces.iter().map(high).fold(1.0, f32::max);
        let count = pieces.len().max(1);
        let size = |columns: usize| {
            let rows = count.div_ceil(columns);
            (room.w / columns as f32).min(room.h / (rows as f32 * tall))
        };
        let columns = (1..=count).max_by(|a, b| size(*a).total_cmp(&size(*b)));
        let columns = columns.unwrap_or(1);
        let step = size(columns).min(room.w.min(room.h) * share / tall.min(1.2));
        let rows = count.div_ceil(columns);
        let top = room.y + (room.h - step * tall * rows as f32) / 2.0;
        let place = |(n, piece): (usize, &Piece)| {
            let (row, column) = (n / columns, n % columns);
            let in_row = (count - row * columns).min(columns);
            let left = room.x + (room.w - step * in_row as f32) / 2.0;
            let (x, y) = (left + step * column as f32, top + step * tall * row as f32);
            let at = Rect::new(x, y, step, step * high(piece));
            self.piece(piece, at.inset((step * 0.03).min(2.0)))
        };
        pieces.iter().enumerate().map(place).collect()
    }
}

/// Returns the quiet sign of a seat on a stone of this color.
pub fn sign_shapes(
    sign: SeatSign,
    center: (f32, f32),
    radius: f32,
    fill: Color,
) -> Vec<DrawnShape> {
    let ink = fill.ink().mixed(fill, 0.6);
    match sign {
        SeatSign::Plain => Vec::new(),
        SeatSign::Ring => {
            let (radius, line) = (radius * 0.55, Some((ink, radius * 0.16)));
            let figure = Figure::Circle { at: center, radius };
            vec![DrawnShape::new(figure, None, line)]
        }
        SeatSign::Dot => vec![DrawnShape::circle(center, radius * 0.3, ink, None)],
    }
}

/// Returns a way from the middle of a tile to a side.
fn way(side: u8, at: Rect, fill: Color) -> DrawnShape {
    if let Some(side) = side.checked_sub(HEXAGON) {
        let angle = std::f32::consts::TAU * (f32::from(side) - 1.0) / 6.0;
        let ((x, y), long) = (at.center(), at.w * (0.5 - WAY / 2.0) - 1.0);
        let end = (x + long * angle.cos(), y + long * angle.sin());
        return DrawnShape::polyline(vec![(x, y), end], (fill, at.w * WAY));
    }
    let (half, (x, y), (right, down)) = (at.w * WAY / 2.0, at.center(), toward(side));
    let long = at.w / 2.0 - 2.0 - half;
    let room = Rect::new(
        x - half + long * right.min(0.0),
        y - half + long * down.min(0.0),
        half * 2.0 + long * right.abs(),
        half * 2.0 + long * down.abs(),
    );
    room.rounded(0.0, Some(fill), None)
}

/// Draws a hexagon with a tip above and one below.
pub(super) fn hexagon(at: Rect, fill: Color, line: Outline) -> DrawnShape {
    let (x, y) = at.center();
    let radius = at.w * 0.565;
    let corner = |n: usize| {
        let angle = std::f32::consts::TAU * (n as f32 + 0.5) / 6.0;
        (x + radius * angle.cos(), y + radius * angle.sin())
    };
    DrawnShape::polygon((0..6).map(corner).collect(), Some(fill), line)
}

/// Returns whether a piece has no room for a second sign.
fn is_tiny(at: Rect) -> bool {
    at.w.min(at.h) < 30.0
}

pub fn symbol_shape(symbol: &'static DrawnSymbol, at: Rect, fill: Color) -> DrawnShape {
    DrawnShape::new(Figure::Symbol(symbol, at), Some(fill), None)
}

/// Returns the sheets below the top of a stack of this many, up to three, each a step further up and to the right.
pub fn stacked_below(
    top: Rect,
    count: i32,
    step: f32,
    round: f32,
) -> impl Iterator<Item = DrawnShape> {
    let under = (count - 1).clamp(0, 3);
    (0..under).rev().map(move |n| {
        let shift = step * (n + 1) as f32;
        let at = Rect::new(top.x + shift, top.y - shift, top.w, top.h).inset(1.0);
        at.rounded(round, Some(COLORS.paper), Some((COLORS.line, 1.0)))
    })
}

/// Returns an arrow at a side of a tile that points outward.
fn arrow(side: u8, at: Rect, fill: Color) -> DrawnShape {
    let (half, long, edge) = (at.w * 0.13, at.w * 0.11, 3.0);
    let (x, y) = at.center();
    let (tip, foot, half) = match side {
        0 => (at.y + edge, at.y + edge + long, half),
        1 => (at.right() - edge, at.right() - edge - long, half),
        2 => (at.bottom() - edge, at.bottom() - edge - long, -half),
        _ => (at.x + edge, at.x + edge + long, -half),
    };
    let points = match side {
        0 | 2 => vec![(x, tip), (x + half, foot), (x - half, foot)],
        _ => vec![(tip, y), (foot, y + half), (foot, y - half)],
    };
    DrawnShape::polygon(points, Some(fill), None)
}

/// Returns the places of the pips of a die, in parts of its side.
fn pips(face: u8) -> Vec<(f32, f32)> {
    let (a, b, c) = (0.27, 0.5, 0.73);
    match face {
        1 => vec![(b, b)],
        2 => vec![(a, c), (c, a)],
        3 => vec![(a, c), (b, b), (c, a)],
        4 => vec![(a, a), (a, c), (c, a), (c, c)],
        5 => vec![(a, a), (a, c), (b, b), (c, a), (c, c)],
        _ => vec![(a, a), (a, b), (a, c), (c, a), (c, b), (c, c)],
    }
}

/// Splits the body of a card into the room for its words and that for its text, if that fits.
fn split(body: Rect, piece: &Piece) -> (Rect, Option<Rect>) {
    let high = body.h * 0.38;
    let words = Rect::new(body.x, body.y, body.w, high);
    let small = Rect::new(body.x, body.y + high, body.w, body.h - high);
    match fitted(&piece.small, (small.w, small.h), TEXT) {
        Some(_) if !piece.small.is_empty() => (words, Some(small)),
        _ => (body, None),
    }
}
