//! Draws an audit as SVG: wins, lengths of games and numbers of choices.

use super::summary::Summary;
use crate::laws::panel;
use crate::statistics::{Bar, Counts, SeatTest};
use crate::svg::{BLUE, GRAY, INK, MARGIN, ORANGE, PANEL, Plot, SvgPicture, WIDTH, at};

/// The meaning of the intervals of all charts.
pub(super) const INTERVALS: &str = "Intervals: of 20 such runs, 19 contain the true value (95 %)";

/// Draws a panel of wins and, for each setting, panels of lengths and choices.
pub fn svg(game: &str, rows: &[Summary]) -> String {
    let mut picture = SvgPicture::new(WIDTH, PANEL * (1 + 2 * rows.len()) as f64);
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
fn wins(picture: &mut SvgPicture, game: &str, rows: &[Summary]) {
    let title = format!("{game}: wins by seat. {INTERVALS}");
    picture.title(18.0, title);
    let legend = [
        (BLUE, "share of wins"),
        (ORANGE, "unfair: too far from the dashed line, a fair share"),
    ];
    picture.legend(36.0, &legend);
    let bars: usize = rows.iter().map(|row| row.seats.len() + 1).sum();
    let plot = Plot::of_panel(0.0);
    let step = plot.step(bars);
    plot.percentages(picture);
    let mut left = MARGIN;
    for row in rows {
        let width = step * row.seats.len() as f64;
        for (number, seat) in row.seats.iter().enumerate() {
            seat_bar(picture, plot, left + step * number as f64, step, seat);
        }
        if let Some(fair) = row.seats.first().map(|seat| seat.fair) {
            let y = plot.y(fair);
            picture.dashes(at(left, y), at(left + width, y), INK);
        }
        let label = format!("{} seats", row.setting.seats);
        plot.label(picture, left + width / 2.0, 30.0, label);
        left += width + step;
    }
    plot.line(picture);
}

fn seat_bar(picture: &mut SvgPicture, plot: Plot, left: f64, step: f64, seat: &SeatTest) {
    let color = if seat.unfair { ORANGE } else { BLUE };
    let name = format!("seat {}", seat.seat);
    let middle = plot.share(picture, left, step - 4.0, &seat.share, color, name);
    plot.label(picture, middle, 15.0, seat.seat);
}

/// Draws choices as bars with geometrically growing widths.
fn choices(picture: &mut SvgPicture, top: f64, setting: &str, choices: &Counts) {
    let title = format!("{setting}: choices at a decision");
    let words = [&*title, "decisions", "most", "choices at a decision"];
    let (plot, bars) = Plot::of_counts(picture, top, choices, words);
    let title = |bar: &Bar| {
        let Bar { from, to, times } = bar;
        format!("{from} to {to} choices: {times} decisions")
    };
    plot.bars(picture, &bars, GRAY, title, |_| Some(15.0));
    plot.line(picture);
}
