//! Draws an audit as SVG: wins, lengths of games and numbers of choices.

use super::summary::Summary;
use crate::laws::panel;
use crate::statistics::{Counts, SeatTest};
use crate::svg::{Anchor, BLUE, GRAY, INK, ORANGE, Picture, round_numbers};

const WIDTH: f64 = 640.0;
const PANEL: f64 = 220.0;
const MARGIN: f64 = 48.0;
const BARS: u32 = 24;
/// The meaning of the intervals of all charts.
pub(super) const INTERVALS: &str = "Intervals: of 20 such runs, 19 contain the true value (95 %)";

/// Draws a panel of wins and, for each setting, panels of lengths and choices.
pub fn svg(game: &str, rows: &[Summary]) -> String {
    let mut picture = Picture::new(WIDTH, PANEL * (1 + 2 * rows.len()) as f64);
    wins(&mut picture, game, rows);
    let mut top = PANEL;
    for row in rows {
        let setting = format!("{game}, {} seats", row.setting.seats);
        panel(&mut picture, top, &setting, &row.lengths);
        choices(&mut picture, top + PANEL, &setting, &row.choices);
        top += 2.0 * PANEL;
    }
    picture.end()
}

/// Draws a group of bars for each number of seats: the share of wins, its interval, and the fair share.
fn wins(picture: &mut Picture, game: &str, rows: &[Summary]) {
    let title = format!("{game}: wins by seat. {INTERVALS}");
    picture.text((MARGIN, 18.0), Anchor::Start, title);
    let legend = [
        (BLUE, "share of wins"),
        (ORANGE, "unfair: too far from the dashed line, a fair share"),
    ];
    picture.legend((MARGIN, 36.0), &legend);
    let bars: usize = rows.iter().map(|row| row.seats.len() + 1).sum();
    let step = (WIDTH - 2.0 * MARGIN) / bars.max(1) as f64;
    let floor = PANEL - MARGIN;
    let percent = [0.0, 0.25, 0.5, 0.75, 1.0];
    let ticks = percent.map(|share| (height_of(floor, share), format!("{:.0} %", share * 100.0)));
    picture.ticks((MARGIN, WIDTH - MARGIN), "", &ticks);
    let mut left = MARGIN;
    for row in rows {
        let width = step * row.seats.len() as f64;
        for (number, seat) in row.seats.iter().enumerate() {
            seat_bar(picture, left + step * number as f64, step, floor, seat);
        }
        if let Some(fair) = row.seats.first().map(|seat| seat.fair) {
            let y = height_of(floor, fair);
            picture.dashes((left, y), (left + width, y), INK);
        }
        let label = format!("{} seats", row.setting.seats);
        picture.text((left + width / 2.0, floor + 30.0), Anchor::Middle, label);
        left += width + step;
    }
    picture.line((MARGIN, floor), (WIDTH - MARGIN, floor), INK);
}

fn height_of(floor: f64, share: f64) -> f64 {
    floor - (PANEL - 2.0 * MARGIN) * share
}

fn seat_bar(picture: &mut Picture, left: f64, step: f64, floor: f64, seat: &SeatTest) {
    let share = seat.share;
    let title = format!(
        "seat {}: {:.1} % ({:.1} % to {:.1} %)",
        seat.seat,
        share.share * 100.0,
        share.low * 100.0,
        share.high * 100.0
    );
    let size = ((step - 4.0).max(1.0), floor - height_of(floor, share.share));
    let color = if seat.unfair { ORANGE } else { BLUE };
    picture.bar((left, floor), size, color, title);
    let middle = left + (step - 4.0) / 2.0;
    let (low, high) = (height_of(floor, share.low), height_of(floor, share.high));
    picture.whisker(middle, low, high, INK);
    picture.text((middle, floor + 15.0), Anchor::Middle, seat.seat);
}

/// Draws choices as bars with geometrically growing widths.
fn choices(picture: &mut Picture, top: f64, setting: &str, choices: &Counts) {
    let numbers = format!(
        "{} decisions; median {}, 95 % at most {}, most {}",
        choices.total(),
        choices.percentile(50),
        choices.percentile(95),
        choices.most()
    );
    let title = format!("{setting}: choices at a decision");
    picture.heading((MARGIN, top), title, numbers);
    let bars = choices.bars(BARS);
    let most = bars.iter().map(|bar| bar.times).max().unwrap_or(0).max(1);
    let floor = top + PANEL - MARGIN;
    let step = (WIDTH - 2.0 * MARGIN) / bars.len().max(1) as f64;
    let ticks = round_numbers(most).into_iter().map(|times| {
        let y = height_of(floor, times as f64 / most as f64);
        (y, times.to_string())
    });
    let ticks: Vec<_> = ticks.collect();
    picture.ticks((MARGIN, WIDTH - MARGIN), "decisions", &ticks);
    picture.text(
        (WIDTH / 2.0, floor + 32.0),
        Anchor::Middle,
        "choices at a decision",
    );
    for (number, bar) in bars.iter().enumerate() {
        let left = MARGIN + step * number as f64;
        let height = floor - height_of(floor, bar.times as f64 / most as f64);
        let title = format!(
            "{} to {} choices: {} decisions",
            bar.from, bar.to, bar.times
        );
        picture.bar((left, floor), ((step - 2.0).max(1.0), height), GRAY, title);
        picture.text((left + step / 2.0, floor + 15.0), Anchor::Middle, bar.from);
    }
    picture.line((MARGIN, floor), (WIDTH - MARGIN, floor), INK);
}
