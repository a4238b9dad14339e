//! Zones apart from boards: rows of cards, piles, names of empty ones.

use wyrmgate_program::Form;

use super::{BOLD, CARD_IN_HAND, CARD_WITH_TEXT, GAP, Planner, chip, flowed, stacked};
use crate::picture::drawing::{Anchor, PartRole, PictureNode, Rect};
use crate::picture::paint::{Painter, bold, size_of, stacked_below, text};
use crate::picture::palette::COLORS;
use crate::picture::scene::{Area, Piece};
use crate::picture::wording::{self, width};

/// Maximum number of cards in a hand that are drawn large enough for their text.
const LARGE_CARDS_MAX: usize = 9;
/// Maximum number of backs that are drawn for unseen components.
const BACKS_MAX: i32 = 12;

impl Planner<'_> {
    /// Lays out zones: first those that contain something, then the names of the others.
    pub(super) fn areas<'s>(
        &self,
        areas: impl Iterator<Item = &'s Area>,
        card: f32,
        wide: f32,
    ) -> PictureNode {
        let (empty, full): (Vec<&Area>, Vec<&Area>) = areas.partition(|area| is_empty(area));
        let full = full.into_iter().map(|area| self.area(area, card, wide));
        let empty = empty.into_iter().map(|area| self.empty(area));
        let full = flowed(full.collect(), wide, GAP);
        stacked(vec![full, flowed(empty.collect(), wide, GAP)], 8.0)
    }

    /// Draws the name of a zone in which nothing lies.
    pub(super) fn empty(&self, area: &Area) -> PictureNode {
        let mut node = PictureNode::new(PartRole::Zone, &area.id, &area.title);
        node.choices.clone_from(&area.choices);
        let words = match area.count {
            Some(_) => format!("{} –", area.title),
            None => format!("{} ?", area.title),
        };
        let has_frame = area.is_new || !area.choices.is_empty();
        let (edge, high) = if has_frame { (8.0, 26.0) } else { (0.0, 22.0) };
        let long = width(&words) * 12.0;
        node.at = Rect::new(0.0, 0.0, long + 2.0 * edge, high);
        if has_frame {
            let (line, _) = Painter.outline(area.is_new, true);
            node.draw(chip(node.at, line));
        }
        let at = (edge, high / 2.0 + 4.5);
        node.draw(text(at, Anchor::Start, 12.0, COLORS.faint, &words));
        node
    }

    /// Draws a zone: its name, and what lies in it.
    pub(super) fn area(&self, area: &Area, card: f32, wide: f32) -> PictureNode {
        let colors = COLORS;
        let mut node = PictureNode::new(PartRole::Zone, &area.id, &area.title);
        node.choices.clone_from(&area.choices);
        let count = match area.count {
            Some(count) if area.form == Form::Pile => count.to_string(),
            Some(count) if count as usize != area.pieces.len() => count.to_string(),
            Some(_) => String::new(),
            None => "?".to_owned(),
        };
        let caption = match count.as_str() {
            "" => area.title.clone(),
            count => format!("{} · {count}", area.title),
        };
        let body = match area.form {
            Form::Pile => self.pile(area, card),
            _ => self.row(area, self.card_of(area, card), wide - 12.0),
        };
        let wanted = width(&caption) * 12.5 * BOLD + 16.0;
        let w = (body.at.w + 12.0).max(wanted.min(wide));
        let room = ((w - 12.0) / BOLD, 60.0);
        let mut y = 16.0;
        for line in &wording::lines(&caption, room, 12.5) {
            node.draw(bold((6.0, y), Anchor::Start, 12.5, colors.faint, line));
            y += 15.0;
        }
        y -= 15.0 - 7.0;
        let h = match body.at.h > 0.0 {
            true => y + body.at.h + 6.0,
            false => y,
        };
        node.at = Rect::new(0.0, 0.0, w, h);
        let (line, thick) = Painter.outline(area.is_new, !area.choices.is_empty());
        let ground = colors.board.mixed(colors.panel, 0.35);
        let inner = node.at.inset(thick / 2.0);
        node.draw_below(inner.rounded(7.0, Some(ground), Some((line, thick))));
        let x = match area.form {
            Form::Pile => (w - body.at.w) / 2.0,
            _ => 6.0,
        };
        node.inner.push(body.moved(x, y));
        node
    }

    /// Returns the width of the cards in a zone: those with text that their viewer holds are larger.
    pub(super) fn card_of(&self, area: &Area, card: f32) -> f32 {
        let has_text = area.pieces.iter().any(|piece| !piece.small.is_empty());
        let is_held = card >= CARD_IN_HAND && area.form == Form::Fan;
        match has_text && is_held && area.pieces.len() <= LARGE_CARDS_MAX {
            true => CARD_WITH_TEXT,
            false => card,
        }
    }

    pub(super) fn pile(&self, area: &Area, card: f32) -> PictureNode {
        let count = area.count.unwrap_or(0);
        let top = area.pieces.last();
        let piece = top.cloned().unwrap_or(Piece::unseen(Form::Card));
        let (w, h) = size_of(&piece, card * 0.86);
        let mut node = PictureNode::default();
        let at = Rect::new(0.0, 9.0, w, h);
        node.draw_all(stacked_below(at, count, 3.0, w.min(h) * 0.08));
        node.inner.push(Painter.piece(&piece, at));
        node.at = Rect::new(0.0, 0.0, w + 9.0, h + 9.0);
        node
    }

    /// Draws components side by side, in as many rows as they need.
    pub(super) fn row(&self, area: &Area, card: f32, wide: f32) -> PictureNode {
        let shown = area.pieces.iter().map(|piece| {
            let (w, h) = size_of(piece, card);
            Painter.piece(piece, Rect::new(0.0, 0.0, w, h))
        });
        let mut nodes: Vec<PictureNode> = shown.collect();
        let unseen = area.count.unwrap_or(0) - area.pieces.len() as i32;
        if unseen > 0 {
            nodes.push(self.unseen(unseen, card, area.form));
        }
        flowed(nodes, wide.max(card), 6.0)
    }

    /// Draws a few small backs for components of which only the number is known.
    pub(super) fn unseen(&self, count: i32, card: f32, within: Form) -> PictureNode {
        let back = Piece::unseen(match within {
            Form::Tray => Form::Die,
            _ => Form::Card,
        });
        let (w, h) = size_of(&back, card * 0.5);
        let step = w * 0.42;
        let mut node = PictureNode::default();
        let shown = count.clamp(1, BACKS_MAX);
        for n in 0..shown {
            let at = Rect::new(step * n as f32, 0.0, w, h);
            let mut back = Painter.piece(&back, at);
            back.what = PartRole::Group;
            node.inner.push(back);
        }
        node.at = Rect::new(0.0, 0.0, step * (shown - 1) as f32 + w, h);
        node
    }
}

/// Returns whether nothing lies in a zone, or nobody may know whether anything does.
fn is_empty(area: &Area) -> bool {
    area.pieces.is_empty() && area.count.unwrap_or(0) == 0
}
