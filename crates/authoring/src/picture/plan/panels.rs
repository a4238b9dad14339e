//! The panels of the players and their counters.

use super::{BOLD, CARD, CARD_IN_HAND, GAP, PANEL_MIN, Planner, chip, flowed, stacked};
use crate::picture::drawing::{Anchor, DrawnShape, Figure, PartRole, PictureNode, Rect};
use crate::picture::paint::{LETTERS, TEXT, bold, draw_badge, sign_shapes, symbol_shape, text};
use crate::picture::palette::COLORS;
use crate::picture::scene::{Counter, Scene, ScenePlayer};
use crate::picture::symbols;
use crate::picture::wording::{self, width};

/// Draws the color and the symbol of a player, or the number of the seat.
fn draw_seat(node: &mut PictureNode, player: &ScenePlayer) {
    let fill = player.color.map_or(COLORS.paper, |color| color.color());
    let line = Some((COLORS.ink, 1.0));
    node.draw(DrawnShape::circle((13.0, 13.0), 12.0, fill, line));
    let (ink, seat) = (fill.ink(), player.seat.to_string());
    match (player.symbol, player.sign) {
        (Some(symbol), _) => {
            node.draw(symbol_shape(symbol, Rect::new(5.0, 5.0, 16.0, 16.0), ink));
        }
        (None, Some(sign)) => node.draw_all(sign_shapes(sign, (13.0, 13.0), 12.0, fill)),
        (None, None) => node.draw(bold((13.0, 18.0), Anchor::Middle, TEXT, ink, &seat)),
    }
}

impl Planner<'_> {
    /// Lays out the panels of the players; the viewer's comes last.
    pub(super) fn panels(&self, scene: &Scene, wide: f32) -> PictureNode {
        let (own, others) = sorted(&scene.players);
        stacked(vec![self.others(&others, wide), self.own(&own, wide)], GAP)
    }

    /// Lays out panels in as many columns as make them lowest.
    pub(super) fn others(&self, players: &[&ScenePlayer], wide: f32) -> PictureNode {
        if players.is_empty() {
            return PictureNode::default();
        }
        let most = (wide / PANEL_MIN).floor().max(1.0) as usize;
        let columns = 1..=most.min(players.len());
        let tried = columns.map(|columns| self.panels_in(players, wide, columns));
        let lowest = tried.min_by(|a, b| a.at.h.total_cmp(&b.at.h));
        lowest.unwrap_or_default()
    }

    pub(super) fn own(&self, players: &[&ScenePlayer], wide: f32) -> PictureNode {
        let panels = players.iter();
        let panels = panels.map(|player| self.panel(player, wide, CARD_IN_HAND));
        stacked(panels.collect(), GAP)
    }

    pub(super) fn panels_in(
        &self,
        players: &[&ScenePlayer],
        wide: f32,
        columns: usize,
    ) -> PictureNode {
        let column = (wide - GAP * (columns - 1) as f32) / columns as f32;
        let rows = players.chunks(columns.max(1)).map(|row| {
            let panels = row.iter();
            let panels = panels.map(|player| self.panel(player, column, CARD * 0.92));
            let mut panels: Vec<PictureNode> = panels.collect();
            let high = panels.iter().map(|panel| panel.at.h).fold(0.0, f32::max);
            for panel in &mut panels {
                raise(panel, high);
            }
            flowed(panels, wide, GAP)
        });
        stacked(rows.collect(), GAP)
    }

    pub(super) fn panel(&self, player: &ScenePlayer, wide: f32, card: f32) -> PictureNode {
        let colors = COLORS;
        let id = format!("player:{}", player.seat);
        let mut node = PictureNode::new(PartRole::Player, &id, &player.name);
        let inner = wide - 2.0 * GAP;
        let head = self.panel_head(player, inner);
        let counters = self.counters(&player.counters, inner);
        let own = self.boards.iter();
        let own = own.filter(|board| board.owner == Some(player.seat));
        let boards = own.map(|board| self.board(board, inner)).collect();
        let boards = flowed(boards, inner, GAP);
        let body = self.areas(player.areas.iter(), card, inner);
        let body = stacked(vec![head, counters, boards, body], 8.0);
        let high = body.at.h + 2.0 * GAP;
        let line = match player.decides || player.is_active || player.has_won {
            true => (colors.accent, 3.0),
            false => (colors.line, 1.0),
        };
        node.at = Rect::new(0.0, 0.0, wide, high);
        let frame = node.at.inset(1.5);
        node.draw(frame.rounded(10.0, Some(colors.panel), Some(line)));
        node.inner.push(body.moved(GAP, GAP));
        node
    }

    /// Draws the color, the name, the score and the clock of a player, and whether the player is to decide.
    pub(super) fn panel_head(&self, player: &ScenePlayer, wide: f32) -> PictureNode {
        let mut node = PictureNode::default();
        if !player.choices.is_empty() {
            let id = format!("seat:{}", player.seat);
            node = PictureNode::new(PartRole::Counter, &id, &player.name);
            node.choices.clone_from(&player.choices);
            let frame = Rect::new(-3.0, -3.0, wide + 6.0, 33.0);
            node.draw(frame.rounded(14.0, None, Some((COLORS.accent, 2.5))));
        }
        draw_seat(&mut node, player);
        let mut x = 32.0;
        let signs = [
            (player.has_won, "crown"),
            (player.decides && !player.has_won, "hourglass"),
        ];
        for (_, word) in signs.into_iter().filter(|(is_so, _)| *is_so) {
            if let Some(symbol) = symbols::named(word) {
                let at = Rect::new(x, 4.0, 18.0, 18.0);
                node.draw(symbol_shape(symbol, at, COLORS.accent));
                x += 24.0;
            }
        }
        let right = self.draw_score_and_clock(&mut node, player, wide);
        self.draw_name(&mut node, player, x, right);
        node.at = Rect::new(0.0, 0.0, wide, 27.0);
        node
    }

    /// Draws the score and the clock at the right end; returns where they begin.
    fn draw_score_and_clock(&self, node: &mut PictureNode, player: &ScenePlayer, wide: f32) -> f32 {
        let colors = COLORS;
        let mut right = wide;
        let mut put = |shape| node.draw(shape);
        if let Some(score) = player.score {
            let score = score.to_string();
            put(bold((right, 21.0), Anchor::End, 22.0, colors.ink, &score));
            right -= width(&score) * 24.0 + 4.0;
            let (at, word) = ((right, 20.0), self.words.points);
            put(text(at, Anchor::End, LETTERS, colors.faint, word));
            right -= width(word) * LETTERS + 10.0;
        }
        if let Some(clock) = &player.clock {
            put(text((right, 19.0), Anchor::End, TEXT, colors.ink, clock));
            right -= width(clock) * TEXT + 10.0;
        }
        right
    }

    /// Draws the name of a player between two places, or the number of the seat if the name does not fit.
    fn draw_name(&self, node: &mut PictureNode, player: &ScenePlayer, x: f32, right: f32) {
        let name = match player.is_viewer {
            true => format!("{} ({})", player.name, self.words.you),
            false => player.name.clone(),
        };
        let mut put = |y, size, words: &str| {
            let shape = bold((x, y), Anchor::Start, size, COLORS.ink, words);
            node.draw(shape);
        };
        let room = ((right - x).max(40.0) / BOLD, 27.0);
        let Some(fit) = wording::fitted(&name, room, 16.0) else {
            return put(19.0, 16.0, &player.seat.to_string());
        };
        let line_height = fit.size * wording::LINE;
        let top = 13.5 - fit.lines.len() as f32 * line_height / 2.0;
        for (n, line) in fit.lines.iter().enumerate() {
            let y = top + (n as f32 + 0.5) * line_height + fit.size * 0.35;
            put(y, fit.size, line);
        }
    }

    pub(super) fn counters(&self, counters: &[Counter], wide: f32) -> PictureNode {
        let chips = counters.iter().map(|counter| self.counter(counter));
        flowed(chips.collect(), wide, 6.0)
    }

    pub(super) fn counter(&self, counter: &Counter) -> PictureNode {
        let colors = COLORS;
        let id = format!("var:{}", counter.id);
        let title = format!("{} {}", counter.label, counter.value);
        let mut node = PictureNode::new(PartRole::Counter, &id, title.trim_end());
        let mut x = 9.0;
        if let Some(symbol) = counter.symbol {
            let at = Rect::new(x, 5.0, 15.0, 15.0);
            node.draw(symbol_shape(symbol, at, colors.ink));
            x += 20.0;
        }
        let (at, label) = ((x, 17.0), &counter.label);
        node.draw(text(at, Anchor::Start, 12.0, colors.faint, label));
        x += width(&counter.label) * 12.0;
        for badge in &counter.badges {
            x += 3.0;
            x += draw_badge(badge, Rect::new(x, 4.5, 16.0, 16.0), &mut node);
        }
        if !counter.value.is_empty() && counter.badges.is_empty() {
            x += 6.0;
            let (at, value) = ((x, 17.5), &counter.value);
            node.draw(bold(at, Anchor::Start, TEXT, colors.ink, value));
            x += width(&counter.value) * TEXT * 1.1;
        }
        node.at = Rect::new(0.0, 0.0, x + 9.0, 25.0);
        node.draw_below(chip(node.at, colors.line));
        node
    }
}

/// Returns the viewer, if it has something in its zones, and the other players.
pub(super) fn sorted(players: &[ScenePlayer]) -> (Vec<&ScenePlayer>, Vec<&ScenePlayer>) {
    let has_pieces = |player: &ScenePlayer| player.areas.iter().any(|area| !area.pieces.is_empty());
    players
        .iter()
        .partition(|player| player.is_viewer && has_pieces(player))
}

/// Makes a panel as high as its neighbors.
fn raise(panel: &mut PictureNode, high: f32) {
    panel.at.h = high;
    let frame = panel.at.inset(1.5);
    if let Some(Figure::Rect { at, .. }) = panel.shapes.first_mut().map(|shape| &mut shape.figure) {
        *at = frame;
    }
}
