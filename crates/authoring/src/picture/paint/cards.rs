//! Cards: their faces and backs, and stacks of components that hold others.

use super::super::drawing::{Anchor, PictureNode, Rect, Weight};
use super::super::palette::{COLORS, Color};
use super::super::scene::Piece;
use super::super::wording::{capital, is_word, width};
use super::{
    BOLD, COUNT, LETTERS, Painter, TEXT, bold, large, split, stacked_below, symbol_shape, written,
};

impl Painter {
    pub(super) fn back(&self, piece: &Piece, at: Rect, node: &mut PictureNode) {
        let fill = piece.color.map_or(COLORS.back, |color| color.color());
        let ink = fill.ink();
        node.draw(self.sheet(piece, at, fill));
        let short = at.w.min(at.h);
        let line = Some((ink.mixed(fill, 0.45), 1.0));
        node.draw(at.inset(short * 0.08).rounded(short * 0.06, None, line));
        self.corners(piece, at, ink, node);
        let side = short * 0.42;
        let (x, y) = (at.x + (at.w - side) / 2.0, at.y + (at.h - side) / 2.0);
        let middle = Rect::new(x, y, side, side);
        match piece.symbol {
            Some(symbol) => node.draw(symbol_shape(symbol, middle, ink)),
            None if !piece.big.is_empty() => {
                node.draw_all(large(&piece.big, middle, side, ink));
            }
            None => {
                let room = at.inset(short * 0.12);
                node.draw_all(written(&[&piece.text], room, TEXT, ink, Weight::Regular));
            }
        }
    }

    /// Writes up to two words into the upper corners, and the others below.
    pub(super) fn corners(&self, piece: &Piece, at: Rect, ink: Color, node: &mut PictureNode) {
        let size = (at.w.min(at.h) * 0.2).clamp(LETTERS, 20.0);
        let edge = at.w.min(at.h) * 0.09 + 2.0;
        let places = [
            ((at.x + edge, at.y + edge + size * 0.75), Anchor::Start),
            ((at.right() - edge, at.bottom() - edge), Anchor::End),
            ((at.right() - edge, at.y + edge + size * 0.75), Anchor::End),
            ((at.x + edge, at.bottom() - edge), Anchor::Start),
        ];
        for (words, (place, anchor)) in piece.corners.iter().zip(places) {
            node.draw(bold(place, anchor, size, ink, words));
        }
    }

    pub(super) fn card(&self, piece: &Piece, at: Rect, node: &mut PictureNode) {
        let colors = COLORS;
        let (words, label) = (capital(&piece.text), capital(&piece.label));
        let texts = [words.as_str(), label.as_str()];
        let is_blank = words.is_empty() && piece.small.is_empty();
        // A whole word is no sign.
        let is_sign = !(is_word(&piece.big) || piece.big.is_empty() && piece.symbol.is_none());
        if is_blank && is_sign {
            return self.face(piece, at, node);
        }
        node.draw(self.sheet(piece, at, colors.paper));
        let edge = 3.0;
        let head = Rect::new(at.x + edge, at.y + edge, at.w - 2.0 * edge, at.h * 0.36);
        let fill = piece.color.map_or(colors.paper, |color| color.color());
        let has_head = piece.color.is_some() || !piece.big.is_empty() || piece.symbol.is_some();
        let ink = fill.ink();
        if has_head {
            node.draw(head.rounded(at.w * 0.06, Some(fill), None));
            self.head(piece, head, ink, node);
        }
        let top = if has_head { head.bottom() } else { at.y + edge };
        let body = Rect::new(
            at.x + edge + 1.0,
            top + 1.0,
            at.w - 2.0 * edge - 2.0,
            at.bottom() - top - edge - 1.0,
        );
        // The corners are below the words.
        let is_free = piece.corners.is_empty() && piece.badges.is_empty();
        let mut corners = piece.corners.clone();
        corners.dedup();
        corners.truncate(2);
        let sum: f32 = corners.iter().map(|words| width(words)).sum();
        let is_wide = corners.len() > 1 && sum * TEXT * BOLD > body.w - 10.0;
        let rows = match piece.badges.len() > 3 || is_wide {
            true => 34.0,
            false => 20.0,
        };
        let foot = if is_free { 0.0 } else { rows };
        let free = Rect {
            h: (body.h - foot).max(0.0),
            ..body
        };
        let (room, small) = split(free, piece);
        let ink = colors.ink;
        if !words.is_empty() {
            node.draw_all(written(&texts, room, TEXT, ink, Weight::Regular));
        }
        if let Some(room) = small {
            let ink = colors.faint;
            node.draw_all(written(&[&piece.small], room, TEXT, ink, Weight::Regular));
        }
        for (n, words) in corners.iter().enumerate() {
            let above = if is_wide && n == 0 { 18.0 } else { 4.0 };
            let (x, anchor) = match n {
                0 => (body.x + 3.0, Anchor::Start),
                _ => (body.right() - 3.0, Anchor::End),
            };
            let place = (x, body.bottom() - above);
            node.draw(bold(place, anchor, TEXT, ink, words));
        }
    }

    /// Draws a card that has only signs as people know it: the number and the symbol in two corners, and large in the middle.
    fn face(&self, piece: &Piece, at: Rect, node: &mut PictureNode) {
        let fill = COLORS.face;
        let ink = piece.color.map_or(fill.ink(), |color| color.on_face());
        node.draw(self.sheet(piece, at, fill));
        let edge = at.w * 0.05 + 2.0;
        let side = at.w * 0.28;
        let number = if piece.big.is_empty() {
            0.0
        } else {
            side * 1.1
        };
        let symbol = if piece.symbol.is_some() { side } else { 0.0 };
        let high = number + symbol;
        let first = Rect::new(at.x + edge, at.y + edge, side, high);
        let (right, bottom) = (at.right() - edge - side, at.bottom() - edge - high);
        for corner in [first, Rect::new(right, bottom, side, high)] {
            let upper = Rect {
                h: number,
                ..corner
            };
            node.draw_all(large(&piece.big, upper, side, ink));
            if let Some(symbol) = piece.symbol {
                let lower = Rect::new(corner.x, upper.bottom(), side, side);
                node.draw(symbol_shape(symbol, lower.inset(side * 0.08), ink));
            }
        }
        let middle = Rect::new(at.x + side, at.y, at.w - 2.0 * side, at.h);
        match piece.symbol {
            Some(symbol) => node.draw(symbol_shape(symbol, middle, ink)),
            None => node.draw_all(large(&piece.big, middle, middle.w, ink)),
        }
        let free = [
            (at.x + edge, at.bottom() - edge, Anchor::Start),
            (at.right() - edge, at.y + edge + LETTERS, Anchor::End),
        ];
        for (words, (x, y, anchor)) in piece.corners.iter().zip(free) {
            node.draw(bold((x, y), anchor, LETTERS, ink, words));
        }
    }

    /// Draws the number and the symbol of a card.
    fn head(&self, piece: &Piece, at: Rect, ink: Color, node: &mut PictureNode) {
        let inner = at.inset(at.h * 0.08);
        let (big, symbol) = match (piece.big.is_empty(), piece.symbol) {
            (true, _) => (None, Some(inner)),
            (false, None) => (Some(inner), None),
            (false, Some(_)) => {
                let side = (inner.w / 2.0).min(inner.h);
                let rest = inner.w - side;
                (
                    Some(Rect::new(inner.x, inner.y, rest, inner.h)),
                    Some(Rect::new(inner.x + rest, inner.y, side, inner.h)),
                )
            }
        };
        if let Some(room) = big {
            node.draw_all(large(&piece.big, room, room.h * 0.86, ink));
        }
        if let (Some(symbol), Some(room)) = (piece.symbol, symbol) {
            node.draw(symbol_shape(symbol, room.inset(room.h * 0.05), ink));
        }
    }

    /// Draws a component that holds others: the top one, and how many there are.
    pub(super) fn stack(&self, piece: &Piece, held: i32, at: Rect, node: &mut PictureNode) {
        let step = (at.w * 0.05).min(4.0);
        let room = COUNT.min(at.h * 0.2);
        let card = Rect::new(
            at.x + 3.0,
            at.y + step * 3.0 + 2.0,
            at.w - step * 3.0 - 6.0,
            at.h - step * 3.0 - room - 2.0,
        );
        node.draw_all(stacked_below(card, held, step, card.w * 0.08));
        self.top_of_stack(piece, card, node);
        let count = format!("×{held}");
        let words = std::iter::once(&count).chain(&piece.corners);
        let words: Vec<&str> = words.map(String::as_str).collect();
        let words = words.join(" ");
        let high = at.bottom() - card.bottom();
        let below = Rect::new(at.x + 2.0, card.bottom(), at.w - 4.0, high);
        let texts = [words.as_str(), piece.label.as_str()];
        let ink = COLORS.ink;
        node.draw_all(written(&texts, below, TEXT, ink, Weight::Bold));
        if piece.is_new || !piece.choices.is_empty() {
            node.draw(at.rounded(card.w * 0.1, None, self.border(piece)));
        }
    }

    fn top_of_stack(&self, piece: &Piece, at: Rect, node: &mut PictureNode) {
        match piece.inside.last().cloned() {
            Some(mut top) => {
                // The outline around the stack is enough.
                top.is_new = false;
                node.inner.push(self.piece(&top, at));
            }
            None => self.card(piece, at, node),
        }
    }
}
