//! Draws everything in a view: its boards, and below them the piles, rows and hands, one line of cards each.

use super::svg::{self, escaped, put};
use super::{Board, Token, color, place};
use wyrmgate_view::{Members, ViewDoc, ZoneDoc};

/// Pixels.
const MARGIN: f32 = 8.0;
const CAPTION: f32 = 22.0;
const CARD_WIDTH: f32 = 66.0;
const CARD_HEIGHT: f32 = 44.0;
const GAP: f32 = 4.0;
const CARDS_IN_ROW: usize = 10;
const WIDTH_LEAST: f32 = 360.0;
/// Color of a card whose front is unknown and whose back shows nothing.
const BACK: &str = "#7d8aa0";
const TITLE_LETTERS_MAX: usize = 10;

/// A zone that is not a board.
struct Area<'v> {
    title: &'v str,
    /// `None` if even the number is secret.
    count: Option<i32>,
    cards: Vec<Card>,
}

struct Card {
    token: Token,
    is_known: bool,
}

/// Draws the whole table as a self-contained SVG document.
pub fn draw(title: &str, boards: &[Board], view: Option<&ViewDoc>) -> String {
    let is_board = |zone: &ZoneDoc| boards.iter().any(|board| board.name == zone.family);
    let zones = view.into_iter().flat_map(|view| view.zones.values());
    let areas: Vec<Area> = zones.filter(|zone| !is_board(zone)).map(area).collect();
    let mut body = String::new();
    let (mut y, mut width) = (MARGIN, WIDTH_LEAST);
    for board in boards {
        caption(&mut body, y, &board.title);
        y += CAPTION;
        let place = format_args!("<g transform=\"translate({MARGIN} {y})\">");
        put(&mut body, place);
        svg::draw_spaces(&mut body, board);
        body.push_str("</g>");
        let (wide, high) = svg::size(board);
        width = width.max(wide + 2.0 * MARGIN);
        y += high + MARGIN;
    }
    for area in &areas {
        caption(&mut body, y, &area.caption());
        y += CAPTION;
        y += draw_cards(&mut body, area, y) + MARGIN;
        width = width.max(area.width());
    }
    let begin = svg::begin(title, width, y);
    format!("{begin}{body}</svg>\n")
}

fn caption(body: &mut String, y: f32, text: &str) {
    put(
        body,
        format_args!(
            "<text class=\"caption\" x=\"{MARGIN}\" y=\"{}\">{}</text>",
            y + CAPTION - 8.0,
            escaped(text)
        ),
    );
}

fn area(zone: &ZoneDoc) -> Area<'_> {
    Area {
        title: &zone.title,
        count: zone.count,
        cards: zone.components.iter().map(card).collect(),
    }
}

fn card(component: &Members<'_>) -> Card {
    let mut token = place::token(component);
    let is_known = !token.id.is_empty();
    if !is_known {
        token.fill = color::named(component.iter()).unwrap_or(BACK);
    }
    Card { token, is_known }
}

impl Area<'_> {
    /// Returns the title and the number of cards, which can be larger than the number drawn.
    fn caption(&self) -> String {
        match self.count {
            Some(count) => format!("{}: {count}", self.title),
            None => format!("{}: ?", self.title),
        }
    }

    fn width(&self) -> f32 {
        let cards = self.cards.len().min(CARDS_IN_ROW) as f32;
        cards * (CARD_WIDTH + GAP) + 2.0 * MARGIN
    }
}

/// Draws the cards. Returns the height that they take.
fn draw_cards(body: &mut String, area: &Area, top: f32) -> f32 {
    for (at, card) in area.cards.iter().enumerate() {
        let (column, row) = (at % CARDS_IN_ROW, at / CARDS_IN_ROW);
        let x = MARGIN + column as f32 * (CARD_WIDTH + GAP);
        let y = top + row as f32 * (CARD_HEIGHT + GAP);
        draw_card(body, card, x, y);
    }
    area.cards.len().div_ceil(CARDS_IN_ROW) as f32 * (CARD_HEIGHT + GAP)
}

fn draw_card(body: &mut String, card: &Card, x: f32, y: f32) {
    let token = &card.token;
    let id = if card.is_known {
        format!(" id=\"{}\"", escaped(&token.id))
    } else {
        String::new()
    };
    let written = if card.is_known {
        svg::shortened(&token.title, TITLE_LETTERS_MAX)
    } else {
        "?".to_owned()
    };
    put(
        body,
        format_args!(
            "<g{id}><title>{}</title><rect class=\"space\" x=\"{x}\" y=\"{y}\" width=\"{CARD_WIDTH}\" height=\"{CARD_HEIGHT}\" rx=\"5\" fill=\"{}\" fill-opacity=\"0.7\"/><text class=\"label\" x=\"{}\" y=\"{}\">{}</text></g>",
            escaped(&token.title),
            token.fill,
            x + CARD_WIDTH / 2.0,
            y + CARD_HEIGHT / 2.0 + 3.0,
            escaped(&written)
        ),
    );
}
