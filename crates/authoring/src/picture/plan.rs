//! Lays out a scene: boards, zones, the panels of the players, choices.

use wyrmgate_program::Form;

use super::drawing::{Anchor, Node, Rect, Shape, What};
use super::paint::{LETTERS, Painter, TEXT, bold, sign, size_of, text, written};
use super::palette::Rgb;
use super::scene::{Area, Board, Counter, Pick, Piece, Player, Scene, Space};
use super::wording::width;
use super::{symbols, words};

const MARGIN: f32 = 16.0;
const GAP: f32 = 12.0;
/// The width of a card on the table, and in the hand of the viewer.
const CARD: f32 = 78.0;
const CARD_IN_HAND: f32 = 92.0;
const CARD_WITH_TEXT: f32 = 132.0;
/// The least and the usual side of a space.
const SPACE_MIN: f32 = 12.0;
const SPACE: f32 = 76.0;
const TILE: f32 = 116.0;
/// The least width of the column beside a board.
const COLUMN_MIN: f32 = 380.0;
const PANEL_MIN: f32 = 300.0;
const CHIP: f32 = 26.0;
/// How much higher a picture may be, in pixels, for spaces of full size instead of none.
const TALLER: f32 = 2600.0;
/// The distance of rows of hexagons, in spaces.
const ROW_OF_HEXES: f32 = 0.866;
/// Bold letters are wider by this factor.
const BOLD: f32 = 1.13;

/// Returns the whole picture of a scene at this width.
pub fn plan(scene: &Scene, painter: Painter, wide: f32, words: &'static words::Words) -> Node {
    let planner = Planner { painter, words };
    planner.picture(scene, wide)
}

/// Returns a board alone.
pub fn plan_board(
    board: &Board,
    painter: Painter,
    wide: f32,
    words: &'static words::Words,
) -> Node {
    let planner = Planner { painter, words };
    let node = planner.board(board, wide - 2.0 * MARGIN);
    framed(vec![node.moved(MARGIN, MARGIN)], None)
}

/// Returns a zone alone, by its id.
pub fn plan_area(area: &Area, painter: Painter, wide: f32, words: &'static words::Words) -> Node {
    let planner = Planner { painter, words };
    let node = planner.area(area, CARD_IN_HAND, wide - 2.0 * MARGIN);
    framed(vec![node.moved(MARGIN, MARGIN)], Some(wide))
}

struct Planner {
    painter: Painter,
    words: &'static words::Words,
}

/// Returns parts in a frame that holds them all.
fn framed(inner: Vec<Node>, wide: Option<f32>) -> Node {
    let right = inner.iter().map(|node| node.at.right());
    let bottom = inner.iter().map(|node| node.at.bottom());
    let right = right.fold(0.0, f32::max) + MARGIN;
    let bottom = bottom.fold(0.0, f32::max) + MARGIN;
    Node {
        at: Rect::new(0.0, 0.0, wide.unwrap_or(right), bottom),
        inner,
        ..Node::default()
    }
}

/// Places parts one below another.
fn stacked(parts: Vec<Node>, gap: f32) -> Node {
    let mut node = Node::default();
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
fn flowed(parts: Vec<Node>, wide: f32, gap: f32) -> Node {
    let mut node = Node::default();
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

impl Planner {
    fn ink(&self) -> Rgb {
        self.painter.colors.ink
    }

    fn picture(&self, scene: &Scene, wide: f32) -> Node {
        let inner = wide - 2.0 * MARGIN;
        let head = self.head(scene, inner);
        let table = self.table(scene, inner);
        let choices = self.choices(scene, inner);
        let whole = stacked(vec![head, table, choices], GAP);
        framed(vec![whole.moved(MARGIN, MARGIN)], Some(wide))
    }

    // ---- the head: what game, whose turn, what can be done

    fn head(&self, scene: &Scene, wide: f32) -> Node {
        let colors = self.painter.colors;
        let mut node = Node::default();
        let title = 24.0_f32.min(24.0 * wide / (width(&scene.title) * 26.0).max(wide));
        node.shapes.push(bold(
            (0.0, 22.0),
            Anchor::Start,
            title,
            colors.ink,
            &scene.title,
        ));
        let course = scene.course.join(" · ");
        let is_beside = width(&scene.title) * 26.0 + width(&course) * TEXT + 30.0 < wide;
        let mut y = 22.0;
        if is_beside {
            node.shapes
                .push(text((wide, y), Anchor::End, TEXT, colors.faint, &course));
        } else if !course.is_empty() {
            y += 20.0;
            node.shapes
                .push(text((0.0, y), Anchor::Start, TEXT, colors.faint, &course));
        }
        y += 24.0;
        let mut status = scene.status.clone();
        if let Some(prompt) = &scene.prompt {
            status = format!("{status}: {prompt}");
        }
        let has_ended = scene.players.iter().any(|player| player.has_won);
        let color = if has_ended { colors.ink } else { colors.accent };
        let lines = super::wording::fitted(&status, (wide / BOLD, 60.0), 16.0);
        for line in lines.map(|fit| fit.lines).unwrap_or(vec![status]) {
            node.shapes
                .push(bold((0.0, y), Anchor::Start, 16.0, color, &line));
            y += 20.0;
        }
        node.at = Rect::new(0.0, 0.0, wide, y - 12.0);
        node
    }

    // ---- the table

    /// Lays out everything on the table: in one column, or with a column beside the board, whichever is lower.
    fn table(&self, scene: &Scene, wide: f32) -> Node {
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
        let boards = scene.boards.iter().map(|board| {
            let most = most_of(board);
            let missing = most - self.unit(board, wide);
            TALLER * missing.max(0.0) / most
        });
        boards.sum()
    }

    fn in_column(&self, scene: &Scene, wide: f32) -> Node {
        let mut parts: Vec<Node> = Vec::new();
        for board in &scene.boards {
            let board = self.board_with_neighbors(scene, board, wide);
            let x = (wide - board.at.w) / 2.0;
            parts.push(Node {
                at: Rect::new(0.0, 0.0, wide, board.at.h),
                inner: vec![board.moved(x.max(0.0), 0.0)],
                ..Node::default()
            });
        }
        parts.push(self.shared(scene, wide));
        parts.push(self.panels(scene, wide));
        stacked(parts, GAP)
    }

    fn beside_board(&self, scene: &Scene, wide: f32, share: f32) -> Option<Node> {
        if scene.boards.is_empty() || wide * (1.0 - share) < COLUMN_MIN {
            return None;
        }
        let room = wide * share;
        let boards = scene.boards.iter();
        let boards = boards.map(|board| self.board_with_neighbors(scene, board, room));
        let left = stacked(boards.collect(), GAP);
        let x = left.at.w + GAP * 1.5;
        let column = wide - x;
        let (own, others) = sorted(&scene.players);
        let right = stacked(
            vec![self.shared(scene, column), self.others(&others, column)],
            GAP,
        );
        let mut upper = Node {
            at: Rect::new(0.0, 0.0, wide, left.at.h.max(right.at.h)),
            ..Node::default()
        };
        upper.inner.push(left);
        upper.inner.push(right.moved(x, 0.0));
        Some(stacked(vec![upper, self.own(&own, wide)], GAP))
    }

    fn board_with_neighbors(&self, scene: &Scene, board: &Board, wide: f32) -> Node {
        let neighbors = scene.areas.iter();
        let neighbors = neighbors.filter(|area| area.beside.as_ref() == Some(&board.id));
        let neighbors: Vec<Node> = neighbors.map(|area| self.area(area, CARD, wide)).collect();
        let neighbors = flowed(neighbors, wide, GAP);
        stacked(vec![self.board(board, wide), neighbors], GAP)
    }

    /// Lays out what belongs to nobody.
    fn shared(&self, scene: &Scene, wide: f32) -> Node {
        let is_beside = |area: &&Area| {
            let mut boards = scene.boards.iter();
            boards.any(|board| area.beside.as_ref() == Some(&board.id))
        };
        let areas = scene.areas.iter().filter(|area| !is_beside(area));
        let counters = self.counters(&scene.counters, wide);
        stacked(vec![counters, self.areas(areas, CARD, wide)], GAP)
    }

    /// Lays out zones: first those that contain something, then the names of the others.
    fn areas<'s>(&self, areas: impl Iterator<Item = &'s Area>, card: f32, wide: f32) -> Node {
        let (empty, full): (Vec<&Area>, Vec<&Area>) = areas.partition(|area| is_empty(area));
        let full = full.into_iter().map(|area| self.area(area, card, wide));
        let empty = empty.into_iter().map(|area| self.empty(area));
        let full = flowed(full.collect(), wide, GAP);
        stacked(vec![full, flowed(empty.collect(), wide, GAP)], 8.0)
    }

    /// Draws the name of a zone in which nothing lies.
    fn empty(&self, area: &Area) -> Node {
        let mut node = Node::new(What::Zone, &area.id, &area.title);
        node.choices.clone_from(&area.choices);
        let words = match area.count {
            Some(_) => format!("{} –", area.title),
            None => format!("{} ?", area.title),
        };
        let faint = self.painter.colors.faint;
        let has_frame = area.is_new || !area.choices.is_empty();
        let edge = if has_frame { 8.0 } else { 0.0 };
        let long = width(&words) * 12.0;
        node.at = Rect::new(0.0, 0.0, long + 2.0 * edge, 22.0);
        if has_frame {
            let (line, _) = self.painter.outline(area.is_new, true);
            node.shapes
                .push(chip(node.at, self.painter.colors.panel, line));
        }
        node.shapes
            .push(text((edge, 15.5), Anchor::Start, 12.0, faint, &words));
        node
    }

    // ---- players

    /// Lays out the panels of the players; the viewer's comes last.
    fn panels(&self, scene: &Scene, wide: f32) -> Node {
        let (own, others) = sorted(&scene.players);
        stacked(vec![self.others(&others, wide), self.own(&own, wide)], GAP)
    }

    /// Lays out panels in as many columns as make them lowest.
    fn others(&self, players: &[&Player], wide: f32) -> Node {
        if players.is_empty() {
            return Node::default();
        }
        let most = (wide / PANEL_MIN).floor().max(1.0) as usize;
        let columns = 1..=most.min(players.len());
        let tried = columns.map(|columns| self.panels_in(players, wide, columns));
        let lowest = tried.min_by(|a, b| a.at.h.total_cmp(&b.at.h));
        lowest.unwrap_or_default()
    }

    fn own(&self, players: &[&Player], wide: f32) -> Node {
        let panels = players.iter();
        let panels = panels.map(|player| self.panel(player, wide, CARD_IN_HAND));
        stacked(panels.collect(), GAP)
    }

    fn panels_in(&self, players: &[&Player], wide: f32, columns: usize) -> Node {
        let column = (wide - GAP * (columns - 1) as f32) / columns as f32;
        let rows = players.chunks(columns.max(1)).map(|row| {
            let panels = row
                .iter()
                .map(|player| self.panel(player, column, CARD * 0.92));
            let mut panels: Vec<Node> = panels.collect();
            let high = panels.iter().map(|panel| panel.at.h).fold(0.0, f32::max);
            for panel in &mut panels {
                raise(panel, high);
            }
            flowed(panels, wide, GAP)
        });
        stacked(rows.collect(), GAP)
    }

    fn panel(&self, player: &Player, wide: f32, card: f32) -> Node {
        let colors = self.painter.colors;
        let id = format!("player:{}", player.seat);
        let mut node = Node::new(What::Player, &id, &player.name);
        let inner = wide - 2.0 * GAP;
        let head = self.panel_head(player, inner);
        let counters = self.counters(&player.counters, inner);
        let body = self.areas(player.areas.iter(), card, inner);
        let body = stacked(vec![head, counters, body], 8.0);
        let high = body.at.h + 2.0 * GAP;
        let line = match player.decides || player.is_active || player.has_won {
            true => (colors.accent, 3.0),
            false => (colors.line, 1.0),
        };
        node.at = Rect::new(0.0, 0.0, wide, high);
        node.shapes.push(Shape::Rect {
            at: node.at.inset(1.5),
            round: 10.0,
            fill: Some(colors.panel),
            line: Some(line),
            is_dashed: false,
        });
        node.inner.push(body.moved(GAP, GAP));
        node
    }

    /// Draws the color, the name, the score and the clock of a player, and who is to decide.
    fn panel_head(&self, player: &Player, wide: f32) -> Node {
        let colors = self.painter.colors;
        let mut node = Node::default();
        let fill = player.color.map_or(colors.paper, |color| color.fill);
        node.shapes.push(Shape::Circle {
            at: (13.0, 13.0),
            radius: 12.0,
            fill,
            line: Some((colors.ink, 1.0)),
        });
        match player.symbol {
            Some(symbol) => {
                let at = Rect::new(5.0, 5.0, 16.0, 16.0);
                node.shapes.push(sign(symbol, at, fill.ink()));
            }
            None => {
                let seat = player.seat.to_string();
                let at = (13.0, 18.0);
                node.shapes
                    .push(bold(at, Anchor::Middle, TEXT, fill.ink(), &seat));
            }
        }
        let mut x = 32.0;
        let signs = [
            (player.has_won, "crown"),
            (player.decides && !player.has_won, "hourglass"),
        ];
        for (_, word) in signs.into_iter().filter(|(is_so, _)| *is_so) {
            if let Some(symbol) = symbols::named(word) {
                let at = Rect::new(x, 4.0, 18.0, 18.0);
                node.shapes.push(sign(symbol, at, colors.accent));
                x += 24.0;
            }
        }
        let mut right = wide;
        if let Some(score) = player.score {
            let score = score.to_string();
            node.shapes
                .push(bold((right, 21.0), Anchor::End, 22.0, colors.ink, &score));
            right -= width(&score) * 24.0 + 4.0;
            let word = self.words.points;
            node.shapes.push(text(
                (right, 20.0),
                Anchor::End,
                LETTERS,
                colors.faint,
                word,
            ));
            right -= width(word) * LETTERS + 10.0;
        }
        if let Some(clock) = &player.clock {
            node.shapes
                .push(text((right, 19.0), Anchor::End, TEXT, colors.ink, clock));
            right -= width(clock) * TEXT + 10.0;
        }
        let name = match player.is_viewer {
            true => format!("{} ({})", player.name, self.words.you),
            false => player.name.clone(),
        };
        let room = Rect::new(x, 0.0, (right - x).max(40.0), 27.0);
        let fit = super::wording::fitted(&name, (room.w / BOLD, room.h), 16.0);
        match fit {
            Some(fit) => {
                let high = fit.lines.len() as f32 * fit.size * super::wording::LINE;
                for (n, line) in fit.lines.iter().enumerate() {
                    let y = 13.5 - high / 2.0
                        + (n as f32 + 0.5) * fit.size * super::wording::LINE
                        + fit.size * 0.35;
                    node.shapes
                        .push(bold((x, y), Anchor::Start, fit.size, colors.ink, line));
                }
            }
            None => {
                let seat = format!("{}", player.seat);
                node.shapes
                    .push(bold((x, 19.0), Anchor::Start, 16.0, colors.ink, &seat));
            }
        }
        node.at = Rect::new(0.0, 0.0, wide, 27.0);
        node
    }

    fn counters(&self, counters: &[Counter], wide: f32) -> Node {
        let chips = counters.iter().map(|counter| self.counter(counter));
        flowed(chips.collect(), wide, 6.0)
    }

    fn counter(&self, counter: &Counter) -> Node {
        let colors = self.painter.colors;
        let id = format!("var:{}", counter.id);
        let title = format!("{} {}", counter.label, counter.value);
        let mut node = Node::new(What::Counter, &id, title.trim_end());
        let mut x = 9.0;
        if let Some(symbol) = counter.symbol {
            let at = Rect::new(x, 5.0, 15.0, 15.0);
            node.shapes.push(sign(symbol, at, colors.ink));
            x += 20.0;
        }
        node.shapes.push(text(
            (x, 17.0),
            Anchor::Start,
            12.0,
            colors.faint,
            &counter.label,
        ));
        x += width(&counter.label) * 12.0;
        if !counter.value.is_empty() {
            x += 6.0;
            node.shapes.push(bold(
                (x, 17.5),
                Anchor::Start,
                TEXT,
                colors.ink,
                &counter.value,
            ));
            x += width(&counter.value) * TEXT * 1.1;
        }
        node.at = Rect::new(0.0, 0.0, x + 9.0, 25.0);
        node.shapes
            .insert(0, chip(node.at, colors.panel, colors.line));
        node
    }

    // ---- zones

    /// Draws a zone: its name, and what lies in it.
    fn area(&self, area: &Area, card: f32, wide: f32) -> Node {
        let colors = self.painter.colors;
        let mut node = Node::new(What::Zone, &area.id, &area.title);
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
        let caption_lines = super::wording::fitted(&caption, room, 12.5);
        let caption_lines = caption_lines.map_or_else(|| vec![caption], |fit| fit.lines);
        let mut y = 16.0;
        for line in &caption_lines {
            node.shapes
                .push(bold((6.0, y), Anchor::Start, 12.5, colors.faint, line));
            y += 15.0;
        }
        y -= 15.0 - 7.0;
        let h = match body.at.h > 0.0 {
            true => y + body.at.h + 6.0,
            false => y,
        };
        node.at = Rect::new(0.0, 0.0, w, h);
        let (line, thick) = self.painter.outline(area.is_new, !area.choices.is_empty());
        node.shapes.insert(
            0,
            Shape::Rect {
                at: node.at.inset(thick / 2.0),
                round: 7.0,
                fill: Some(colors.board.mixed(colors.panel, 0.35)),
                line: Some((line, thick)),
                is_dashed: false,
            },
        );
        let x = match area.form {
            Form::Pile => (w - body.at.w) / 2.0,
            _ => 6.0,
        };
        node.inner.push(body.moved(x, y));
        node
    }

    /// Returns the width of the cards in a zone: those with text that their viewer holds are larger.
    fn card_of(&self, area: &Area, card: f32) -> f32 {
        let has_text = area.pieces.iter().any(|piece| !piece.small.is_empty());
        match has_text && card >= CARD_IN_HAND && area.form == Form::Fan && area.pieces.len() <= 9 {
            true => CARD_WITH_TEXT,
            false => card,
        }
    }

    fn pile(&self, area: &Area, card: f32) -> Node {
        let count = area.count.unwrap_or(0);
        let top = area.pieces.last();
        let piece = top.cloned().unwrap_or(Piece {
            form: Form::Card,
            is_hidden: true,
            ..Piece::default()
        });
        let (w, h) = size_of(&piece, card * 0.86);
        let mut node = Node::default();
        let under = (count - 1).clamp(0, 3);
        let step = 3.0;
        for n in (0..under).rev() {
            let shift = step * (n + 1) as f32;
            node.shapes.push(Shape::Rect {
                at: Rect::new(shift, 9.0 - shift, w, h).inset(1.0),
                round: w.min(h) * 0.08,
                fill: Some(self.painter.colors.paper),
                line: Some((self.painter.colors.line, 1.0)),
                is_dashed: false,
            });
        }
        node.inner
            .push(self.painter.piece(&piece, Rect::new(0.0, 9.0, w, h)));
        node.at = Rect::new(0.0, 0.0, w + 9.0, h + 9.0);
        node
    }

    /// Draws components side by side, in as many rows as they need.
    fn row(&self, area: &Area, card: f32, wide: f32) -> Node {
        let shown = area.pieces.iter();
        let mut nodes: Vec<Node> = shown
            .map(|piece| {
                let (w, h) = size_of(piece, card);
                self.painter.piece(piece, Rect::new(0.0, 0.0, w, h))
            })
            .collect();
        let unseen = area.count.unwrap_or(0) - area.pieces.len() as i32;
        if unseen > 0 {
            nodes.push(self.unseen(unseen, card, area.form));
        }
        flowed(nodes, wide.max(card), 6.0)
    }

    /// Draws a few small backs for components of which only the number is known.
    fn unseen(&self, count: i32, card: f32, within: Form) -> Node {
        let back = Piece {
            form: if within == Form::Tray {
                Form::Die
            } else {
                Form::Card
            },
            is_hidden: true,
            ..Piece::default()
        };
        let (w, h) = size_of(&back, card * 0.5);
        let step = w * 0.42;
        let mut node = Node::default();
        let shown = count.clamp(1, 12);
        for n in 0..shown {
            let at = Rect::new(step * n as f32, 0.0, w, h);
            let mut back = self.painter.piece(&back, at);
            back.what = What::Group;
            node.inner.push(back);
        }
        node.at = Rect::new(0.0, 0.0, step * (shown - 1) as f32 + w, h);
        node
    }

    // ---- boards

    fn board(&self, board: &Board, wide: f32) -> Node {
        let colors = self.painter.colors;
        let id = match board.spaces.iter().all(|space| space.id.is_empty()) {
            true => board.id.clone(),
            false => format!("board:{}", board.id),
        };
        let mut node = Node::new(What::Board, &id, &board.title);
        let unit = self.unit(board, wide);
        let gap = match board.form {
            Form::Track | Form::Circle => unit * 0.08,
            Form::Tiles => 3.0,
            _ => 1.0,
        };
        let labels = board.rows.iter().map(|(_, words)| width(words) * 12.0);
        let left = labels.fold(0.0, f32::max);
        let left = if left > 0.0 { left + 16.0 } else { 8.0 };
        let below = if board.columns.is_empty() { 8.0 } else { 24.0 };
        let (w, h) = (board.width * unit, board.height * unit);
        node.at = Rect::new(0.0, 0.0, left + w + 8.0, 8.0 + h + below);
        node.shapes.push(Shape::Rect {
            at: node.at,
            round: 10.0,
            fill: Some(colors.panel),
            line: Some((colors.line, 1.0)),
            is_dashed: false,
        });
        for (row, words) in &board.rows {
            let at = (left - 8.0, 8.0 + (row + 0.5) * unit + 4.0);
            node.shapes
                .push(text(at, Anchor::End, 12.0, colors.faint, words));
        }
        for (column, words) in &board.columns {
            let at = (left + (column + 0.5) * unit, 8.0 + h + 16.0);
            node.shapes
                .push(text(at, Anchor::Middle, 12.0, colors.faint, words));
        }
        let place =
            |space: &Space| Rect::new(left + space.x * unit, 8.0 + space.y * unit, unit, unit);
        if matches!(board.form, Form::Track | Form::Circle) && board.rows.is_empty() {
            let mut points: Vec<_> = board
                .spaces
                .iter()
                .map(|space| place(space).center())
                .collect();
            if board.form == Form::Circle {
                points.extend(points.first().copied());
            }
            node.shapes.push(Shape::Way {
                points,
                line: (colors.line, unit * 0.12),
            });
        }
        for space in &board.spaces {
            let at = place(space).inset(gap);
            let mut drawn = match board.form {
                Form::Tiles => self.cell(space, at),
                form => self.space(space, form, at),
            };
            if space.is_line {
                let is_back = (space.y as usize) % 2 == 1;
                let x = if is_back {
                    at.x - gap
                } else {
                    at.right() + gap
                };
                drawn.shapes.push(Shape::Way {
                    points: vec![(x, at.y - gap), (x, at.bottom() + gap)],
                    line: (colors.last, 5.0),
                });
            }
            node.inner.push(drawn);
        }
        let way = board.move_arrow.and_then(|(from, to)| {
            let from = place(board.spaces.get(from)?).center();
            let to = place(board.spaces.get(to)?).center();
            (from != to).then_some((from, to))
        });
        if let Some((from, to)) = way {
            node.inner.push(self.arrow(from, to, unit));
        }
        node
    }

    /// Returns the side of a space.
    fn unit(&self, board: &Board, wide: f32) -> f32 {
        let labels = board.rows.iter().map(|(_, words)| width(words) * 12.0);
        let left = labels.fold(0.0, f32::max) + 24.0;
        let most = most_of(board);
        ((wide - left) / board.width.max(1.0))
            .min(most)
            .max(SPACE_MIN)
    }

    fn space(&self, space: &Space, form: Form, at: Rect) -> Node {
        let colors = self.painter.colors;
        let mut node = Node::new(What::Space, &space.id, &space.title);
        node.choices.clone_from(&space.choices);
        node.at = at;
        let is_other = (space.x.floor() + space.y.round()) as i64 % 2 == 0 && form == Form::Grid;
        let ground = match (space.is_special, is_other) {
            (true, _) => colors.accent.mixed(colors.board, 0.2),
            (_, true) => colors.board_other,
            _ => colors.board,
        };
        let fill = space
            .color
            .map_or(ground, |color| color.fill.mixed(ground, 0.6));
        let is_free_choice = !space.choices.is_empty();
        let line = match (space.is_new, is_free_choice, form) {
            (false, false, Form::Grid) => None,
            (is_new, can_choose, _) => Some(self.painter.outline(is_new, can_choose)),
        };
        let inner = match line {
            Some((_, thick)) => at.inset(thick / 2.0),
            None => at,
        };
        if form == Form::Hexes {
            // The tips of a hexagon reach between those of the rows beside it.
            let tip = at.h * (1.0 - ROW_OF_HEXES) / 2.0;
            node.at = Rect::new(at.x, at.y + tip, at.w, at.h - 2.0 * tip);
            node.shapes.push(hexagon(at, fill, line));
        } else {
            node.shapes.push(Shape::Rect {
                at: inner,
                round: if form == Form::Grid { 0.0 } else { at.w * 0.12 },
                fill: Some(fill),
                line,
                is_dashed: false,
            });
        }
        let ink = fill.ink();
        let mut room = at.inset(at.w * 0.05 + 1.0);
        if let Some(symbol) = space.symbol {
            let side = at.w * if space.pieces.is_empty() { 0.5 } else { 0.26 };
            let (x, y) = match space.pieces.is_empty() {
                true => (at.x + (at.w - side) / 2.0, at.y + (at.h - side) / 2.0),
                false => (at.right() - side - 3.0, at.y + 3.0),
            };
            let faded = ink.mixed(fill, 0.55);
            node.shapes
                .push(sign(symbol, Rect::new(x, y, side, side), faded));
        }
        if !space.label.is_empty() {
            let is_free = space.pieces.is_empty() && space.symbol.is_none();
            let size = if is_free {
                (at.w * 0.3).max(LETTERS)
            } else {
                12.0
            };
            match is_free {
                true => {
                    let faded = ink.mixed(fill, 0.75);
                    node.shapes
                        .extend(written(&[&space.label], room, size, faded, true));
                }
                false => {
                    let place = (room.x + 1.0, room.y + 10.0);
                    node.shapes
                        .push(bold(place, Anchor::Start, size, ink, &space.label));
                    room.y += 12.0;
                    room.h -= 12.0;
                }
            }
        }
        let share = if form == Form::Grid { 0.92 } else { 0.8 };
        node.inner = self.painter.spread(&space.pieces, room, share);
        node
    }

    /// Draws a cell of a table of tiles.
    fn cell(&self, space: &Space, at: Rect) -> Node {
        let colors = self.painter.colors;
        let mut node = Node::new(
            What::Space,
            "",
            if space.is_target { &space.title } else { "" },
        );
        node.at = at;
        node.choices.clone_from(&space.choices);
        if space.is_target {
            node.shapes.push(Shape::Rect {
                at: at.inset(at.w * 0.06),
                round: 6.0,
                fill: None,
                line: Some((colors.accent, 2.0)),
                is_dashed: true,
            });
        }
        let pieces = space.pieces.iter();
        node.inner = pieces.map(|piece| self.painter.piece(piece, at)).collect();
        node
    }

    fn arrow(&self, from: (f32, f32), to: (f32, f32), unit: f32) -> Node {
        let color = self.painter.colors.last;
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        let long = dx.hypot(dy).max(0.1);
        let (ux, uy) = (dx / long, dy / long);
        // The arrow ends at the edge of what has moved.
        let tip = (to.0 - ux * unit * 0.36, to.1 - uy * unit * 0.36);
        let base = (tip.0 - ux * 13.0, tip.1 - uy * 13.0);
        let mut node = Node {
            is_sheer: true,
            ..Node::default()
        };
        node.shapes.push(Shape::Way {
            points: vec![from, base],
            line: (color, 4.0),
        });
        node.shapes.push(Shape::Polygon {
            points: vec![
                tip,
                (base.0 - uy * 8.0, base.1 + ux * 8.0),
                (base.0 + uy * 8.0, base.1 - ux * 8.0),
            ],
            fill: color,
            line: None,
        });
        node
    }

    // ---- choices

    fn choices(&self, scene: &Scene, wide: f32) -> Node {
        let chips = scene.choices.iter().map(|pick| self.choice(pick, wide));
        let mut chips: Vec<Node> = chips.collect();
        if scene.more_choices > 0 {
            let more = Pick {
                id: String::new(),
                label: format!("+{} {}", scene.more_choices, self.words.more),
            };
            let mut node = self.choice(&more, wide);
            node.what = What::Group;
            chips.push(node);
        }
        flowed(chips, wide, 6.0)
    }

    fn choice(&self, pick: &Pick, wide: f32) -> Node {
        let colors = self.painter.colors;
        let mut node = Node::new(What::Choice, &pick.id, &pick.label);
        let fit = super::wording::fitted(&pick.label, (wide - 24.0, 80.0), TEXT);
        let lines = fit.map_or_else(|| vec![pick.label.clone()], |fit| fit.lines);
        let long = lines
            .iter()
            .map(|line| width(line) * TEXT)
            .fold(0.0, f32::max);
        let mut y = 17.5;
        for line in &lines {
            node.shapes
                .push(text((11.0, y), Anchor::Start, TEXT, self.ink(), line));
            y += 17.0;
        }
        node.at = Rect::new(0.0, 0.0, long + 22.0, y - 17.5 + CHIP - 17.0);
        node.shapes
            .insert(0, chip(node.at, colors.panel, colors.accent));
        node
    }
}

fn chip(at: Rect, fill: Rgb, line: Rgb) -> Shape {
    Shape::Rect {
        at: at.inset(1.0),
        round: 12.0,
        fill: Some(fill),
        line: Some((line, 1.5)),
        is_dashed: false,
    }
}

/// Returns whether nothing lies in a zone, or nobody may know whether anything does.
fn is_empty(area: &Area) -> bool {
    area.pieces.is_empty() && area.count.unwrap_or(0) == 0
}

/// Returns the viewer, if it has something in its zones, and the other players.
fn sorted(players: &[Player]) -> (Vec<&Player>, Vec<&Player>) {
    let has_pieces = |player: &Player| player.areas.iter().any(|area| !area.pieces.is_empty());
    players
        .iter()
        .partition(|player| player.is_viewer && has_pieces(player))
}

/// Returns the side that the spaces of a board should have.
fn most_of(board: &Board) -> f32 {
    let is_crowded = || board.spaces.iter().any(|space| space.pieces.len() > 3);
    match board.form {
        Form::Tiles => TILE,
        Form::Grid | Form::Hexes if board.width <= 4.0 => SPACE * 1.5,
        Form::Track if is_crowded() => SPACE * 1.25,
        _ => SPACE,
    }
}

/// Makes a panel as high as its neighbors.
fn raise(panel: &mut Node, high: f32) {
    panel.at.h = high;
    let frame = panel.at.inset(1.5);
    if let Some(Shape::Rect { at, .. }) = panel.shapes.first_mut() {
        *at = frame;
    }
}

fn hexagon(at: Rect, fill: Rgb, line: Option<(Rgb, f32)>) -> Shape {
    let (x, y) = at.center();
    let radius = at.w * 0.565;
    let corner = |n: usize| {
        let angle = std::f32::consts::TAU * (n as f32 + 0.5) / 6.0;
        (x + radius * angle.cos(), y + radius * angle.sin())
    };
    Shape::Polygon {
        points: (0..6).map(corner).collect(),
        fill,
        line,
    }
}
