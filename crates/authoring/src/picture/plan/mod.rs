//! Lays out a scene: boards, zones, the panels of the players, choices.

mod areas;
mod boards;
mod choices;
mod hits;
mod panels;

use super::drawing::{Anchor, DrawnShape, PictureNode, Rect};
use super::paint::{TEXT, bold, text};
use super::palette::{COLORS, Color};
use super::scene::{Area, Scene, SceneBoard};
use super::wording::{self, width};
use super::words;

const MARGIN: f32 = 16.0;
const GAP: f32 = 12.0;
/// The width of a card on the table, and in the hand of the viewer.
const CARD: f32 = 78.0;
const CARD_IN_HAND: f32 = 92.0;
const CARD_WITH_TEXT: f32 = 132.0;
/// The least and the usual side of a space.
const SPACE_MIN: f32 = 12.0;
const SPACE: f32 = 76.0;
/// The usual side of a space on a board in the box of a player.
const SPACE_OF_OWN: f32 = 56.0;
const TILE: f32 = 116.0;
/// The least width of the column beside a board.
const COLUMN_MIN: f32 = 380.0;
const PANEL_MIN: f32 = 300.0;
const CHIP: f32 = 26.0;
/// How much higher a picture may be, in pixels, for spaces of full size instead of none.
const TALLER: f32 = 2600.0;
/// Bold letters are wider by this factor.
const BOLD: f32 = 1.13;

/// Returns the whole picture of a scene at this width.
pub fn plan(scene: &Scene, wide: f32, words: &'static words::Words) -> PictureNode {
    let boards = &scene.boards;
    Planner { words, boards }.picture(scene, wide)
}

/// Returns a board alone.
pub fn plan_board(board: &SceneBoard, wide: f32, words: &'static words::Words) -> PictureNode {
    let boards = &[];
    let node = Planner { words, boards }.board(board, wide - 2.0 * MARGIN);
    framed(vec![node.moved(MARGIN, MARGIN)], None)
}

/// Returns what is on the table and before the players, at most this wide, without a head.
pub fn plan_table(scene: &Scene, wide: f32, words: &'static words::Words) -> PictureNode {
    let boards = &scene.boards;
    let node = Planner { words, boards }.in_column(scene, wide - 2.0 * MARGIN);
    framed(vec![node.moved(MARGIN, MARGIN)], None)
}

/// Returns a zone alone, by its id.
pub fn plan_area(area: &Area, wide: f32, words: &'static words::Words) -> PictureNode {
    let boards = &[];
    let node = Planner { words, boards }.area(area, CARD_IN_HAND, wide - 2.0 * MARGIN);
    framed(vec![node.moved(MARGIN, MARGIN)], Some(wide))
}

struct Planner<'s> {
    words: &'static words::Words,
    /// All boards; those with an owner are drawn in the owner's box.
    boards: &'s [SceneBoard],
}

/// Returns parts in a frame that holds them all, complete.
fn framed(inner: Vec<PictureNode>, wide: Option<f32>) -> PictureNode {
    let right = inner.iter().map(|node| node.at.right());
    let bottom = inner.iter().map(|node| node.at.bottom());
    let right = right.fold(0.0, f32::max) + MARGIN;
    let bottom = bottom.fold(0.0, f32::max) + MARGIN;
    let mut whole = PictureNode {
        at: Rect::new(0.0, 0.0, wide.unwrap_or(right), bottom),
        inner,
        ..PictureNode::default()
    };
    hits::add(&mut whole);
    whole
}

/// Places parts one below another.
fn stacked(parts: Vec<PictureNode>, gap: f32) -> PictureNode {
    let mut node = PictureNode::default();
    for part in parts.into_iter().filter(|part| part.at.h > 0.0) {
        let y = match node.inner.is_empty() {
            true => 0.0,
            false => node.at.h + gap,
        };
        node.at.h = y + part.at.h;
        node.at.w = node.at.w.max(part.at.w);
        node.inner.push(part.moved(0.0, y));
    }
    node
}

/// Places parts side by side, in as many rows as they need.
fn flowed(parts: Vec<PictureNode>, wide: f32, gap: f32) -> PictureNode {
    let mut node = PictureNode::default();
    let (mut x, mut y, mut high) = (0.0_f32, 0.0_f32, 0.0_f32);
    for part in parts {
        if x > 0.0 && x + part.at.w > wide + 0.1 {
            (x, y, high) = (0.0, y + high + gap, 0.0);
        }
        let Rect { w, h, .. } = part.at;
        node.inner.push(part.moved(x, y));
        x += w + gap;
        high = high.max(h);
        node.at.w = node.at.w.max(x - gap);
        node.at.h = y + high;
    }
    node
}

impl Planner<'_> {
    fn picture(&self, scene: &Scene, wide: f32) -> PictureNode {
        let inner = wide - 2.0 * MARGIN;
        let head = self.head(scene, inner);
        let table = self.table(scene, inner);
        let choices = self.choices(scene, inner);
        let whole = stacked(vec![head, table, choices], GAP);
        framed(vec![whole.moved(MARGIN, MARGIN)], Some(wide))
    }

    // ---- the head: what game, whose turn, what can be done

    fn head(&self, scene: &Scene, wide: f32) -> PictureNode {
        let colors = COLORS;
        let mut node = PictureNode::default();
        let title = 24.0_f32.min(24.0 * wide / (width(&scene.title) * 26.0).max(wide));
        let (at, ink) = ((0.0, 22.0), colors.ink);
        node.draw(bold(at, Anchor::Start, title, ink, &scene.title));
        let course = scene.course.join(" · ");
        let is_beside = width(&scene.title) * 26.0 + width(&course) * TEXT + 30.0 < wide;
        let mut y = 22.0;
        if is_beside {
            node.draw(text((wide, y), Anchor::End, TEXT, colors.faint, &course));
        } else if !course.is_empty() {
            y += 20.0;
            node.draw(text((0.0, y), Anchor::Start, TEXT, colors.faint, &course));
        }
        y += 24.0;
        let mut status = scene.status.clone();
        if let Some(prompt) = &scene.prompt {
            status = format!("{status}: {prompt}");
        }
        let has_ended = scene.players.iter().any(|player| player.has_won);
        let color = if has_ended { colors.ink } else { colors.accent };
        for line in wording::lines(&status, (wide / BOLD, 60.0), 16.0) {
            node.draw(bold((0.0, y), Anchor::Start, 16.0, color, &line));
            y += 20.0;
        }
        node.at = Rect::new(0.0, 0.0, wide, y - 12.0);
        node
    }

    // ---- the table

    /// Lays out everything on the table: in one column, or with a column beside the board, whichever is lower.
    fn table(&self, scene: &Scene, wide: f32) -> PictureNode {
        let mut best = self.in_column(scene, wide);
        let mut cost = best.at.h + self.smallness(scene, wide);
        for share in [0.45, 0.52, 0.6, 0.68] {
            if let Some(node) = self.beside_board(scene, wide, share) {
                let own = node.at.h + self.smallness(scene, wide * share);
                if own < cost {
                    (best, cost) = (node, own);
                }
            }
        }
        best
    }

    /// Returns how much higher a picture may be so that its boards are not as small as in this width.
    fn smallness(&self, scene: &Scene, wide: f32) -> f32 {
        let boards = scene.open_boards().map(|board| {
            let most = boards::most_of(board);
            let missing = most - self.unit(board, wide);
            TALLER * missing.max(0.0) / most
        });
        boards.sum()
    }

    fn in_column(&self, scene: &Scene, wide: f32) -> PictureNode {
        let mut parts: Vec<PictureNode> = Vec::new();
        for board in scene.open_boards() {
            let board = self.board_with_neighbors(scene, board, wide);
            let x = (wide - board.at.w) / 2.0;
            parts.push(PictureNode {
                at: Rect::new(0.0, 0.0, wide, board.at.h),
                inner: vec![board.moved(x.max(0.0), 0.0)],
                ..PictureNode::default()
            });
        }
        parts.push(self.shared(scene, wide));
        parts.push(self.panels(scene, wide));
        stacked(parts, GAP)
    }

    fn beside_board(&self, scene: &Scene, wide: f32, share: f32) -> Option<PictureNode> {
        if scene.open_boards().next().is_none() || wide * (1.0 - share) < COLUMN_MIN {
            return None;
        }
        let room = wide * share;
        let boards = scene.open_boards();
        let boards = boards.map(|board| self.board_with_neighbors(scene, board, room));
        let left = stacked(boards.collect(), GAP);
        let x = left.at.w + GAP * 1.5;
        let column = wide - x;
        let (own, others) = panels::sorted(&scene.players);
        let (shared, others) = (self.shared(scene, column), self.others(&others, column));
        let right = stacked(vec![shared, others], GAP);
        let upper = PictureNode {
            at: Rect::new(0.0, 0.0, wide, left.at.h.max(right.at.h)),
            inner: vec![left, right.moved(x, 0.0)],
            ..PictureNode::default()
        };
        Some(stacked(vec![upper, self.own(&own, wide)], GAP))
    }

    fn board_with_neighbors(&self, scene: &Scene, board: &SceneBoard, wide: f32) -> PictureNode {
        let neighbors = scene.areas.iter();
        let neighbors = neighbors.filter(|area| area.beside.as_ref() == Some(&board.id));
        let neighbors = neighbors.map(|area| self.area(area, CARD, wide));
        let neighbors = flowed(neighbors.collect(), wide, GAP);
        stacked(vec![self.board(board, wide), neighbors], GAP)
    }

    /// Lays out what belongs to nobody.
    fn shared(&self, scene: &Scene, wide: f32) -> PictureNode {
        let is_beside = |area: &&Area| {
            let mut boards = scene.boards.iter();
            boards.any(|board| area.beside.as_ref() == Some(&board.id))
        };
        let areas = scene.areas.iter().filter(|area| !is_beside(area));
        let counters = self.counters(&scene.counters, wide);
        stacked(vec![counters, self.areas(areas, CARD, wide)], GAP)
    }
}

fn chip(at: Rect, line: Color) -> DrawnShape {
    let fill = Some(COLORS.panel);
    at.inset(1.0).rounded(12.0, fill, Some((line, 1.5)))
}
