//! Draws a comparison as SVG: wins under both rules, their differences, and lengths of games.

use super::chart::INTERVALS;
use super::impact::{Impact, ImpactMeasure};
use crate::statistics::Counts;
use crate::svg::{BARS, BLUE, INK, MARGIN, ORANGE, PANEL, Plot, SvgPicture, WIDTH, at};

/// Draws three panels for each number of seats.
pub fn impact_svg(base: &str, other: &str, rows: &[Impact]) -> String {
    let mut picture = SvgPicture::new(WIDTH, PANEL * (3 * rows.len()).max(1) as f64);
    for (number, row) in rows.iter().enumerate() {
        let seats = row.seats;
        let top = PANEL * (3 * number) as f64;
        let sides = [(BLUE, base), (ORANGE, other)];
        let title = format!("{seats} seats: wins. {INTERVALS}");
        let plot = panel(&mut picture, top, &title, &sides);
        wins(&mut picture, plot, row);
        let title = format!("{seats} seats: difference of wins in percentage points, game by game");
        let legend = [(BLUE, "may be chance"), (ORANGE, "significant")];
        let plot = panel(&mut picture, top + PANEL, &title, &legend);
        differences(&mut picture, plot, row);
        let title = format!("{seats} seats: decisions per game");
        let plot = panel(&mut picture, top + 2.0 * PANEL, &title, &sides);
        lengths(&mut picture, plot, &row.lengths);
    }
    picture.end()
}

/// Writes the head of a panel. Returns its plot.
fn panel(picture: &mut SvgPicture, top: f64, title: &str, legend: &[(&str, &str)]) -> Plot {
    picture.title(top + 18.0, title);
    picture.legend(top + 36.0, legend);
    Plot::of_panel(top)
}

fn shares(row: &Impact) -> Vec<&ImpactMeasure> {
    row.measures.iter().filter(|m| m.is_share).collect()
}

fn wins(picture: &mut SvgPicture, plot: Plot, row: &Impact) {
    let shares = shares(row);
    let step = plot.step(shares.len());
    plot.percentages(picture);
    for (number, measure) in shares.into_iter().enumerate() {
        let left = MARGIN + step * number as f64;
        let width = (step / 2.0 - 4.0).max(1.0);
        let sides = [(measure.base, BLUE), (measure.other, ORANGE)];
        for (side, (mean, color)) in sides.into_iter().enumerate() {
            let from = left + (width + 2.0) * side as f64;
            let title = format!("{}: {:.1} %", measure.name, mean.mean * 100.0);
            plot.bar(picture, from, width, mean.mean, color, title);
            plot.whisker(picture, from + width / 2.0, mean.low, mean.high);
        }
        plot.label(picture, left + width, 15.0, &measure.name);
    }
    plot.line(picture);
}

/// Draws intervals around the line of no difference.
fn differences(picture: &mut SvgPicture, plot: Plot, row: &Impact) {
    let shares = shares(row);
    let ends = shares.iter().map(|m| m.difference);
    let reach = ends.fold(0.01_f64, |most, d| most.max(d.high.abs()).max(d.low.abs()));
    let y = |difference: f64| plot.y((difference / reach + 1.0) / 2.0);
    let step = plot.step(shares.len());
    let ends = [-reach, -reach / 2.0, 0.0, reach / 2.0, reach];
    plot.ticks(picture, "", &ends.map(|end| (y(end), points(end))));
    picture.dashes(at(MARGIN, y(0.0)), at(WIDTH - MARGIN, y(0.0)), INK);
    for (number, measure) in shares.into_iter().enumerate() {
        let x = MARGIN + step * (number as f64 + 0.5);
        let difference = measure.difference;
        let color = if measure.significant { ORANGE } else { BLUE };
        picture.whisker(x, y(difference.low), y(difference.high), color);
        let (middle, title) = (y(difference.mean), points(difference.mean));
        picture.bar(at(x - 3.0, middle + 3.0), 6.0, 6.0, color, title);
        plot.label(picture, x, 15.0, &measure.name);
    }
}

/// Formats a difference in percentage points as `+3.9`.
fn points(difference: f64) -> String {
    format!("{:+.1}", difference * 100.0)
}

/// Draws both histograms with the same bars.
fn lengths(picture: &mut SvgPicture, plot: Plot, lengths: &[Counts; 2]) {
    let [base, other] = lengths;
    let mut both = base.clone();
    both.merge(other);
    let bars = both.bars(BARS);
    let times = |counts: &Counts| -> Vec<u64> {
        let each = bars.iter().map(|bar| counts.within(bar.from, bar.to));
        each.collect()
    };
    let sides = [(times(base), BLUE), (times(other), ORANGE)];
    let most = sides.iter().flat_map(|(times, _)| times).max();
    let most = most.copied().unwrap_or(0).max(1);
    let step = plot.step(bars.len());
    plot.numbers(picture, most, "games");
    plot.label(picture, WIDTH / 2.0, 30.0, "decisions in a game");
    for (side, (times, color)) in sides.iter().enumerate() {
        for ((number, bar), times) in bars.iter().enumerate().zip(times) {
            let left = MARGIN + step * (number as f64 + side as f64 / 2.0);
            let title = format!("{} to {}: {times} games", bar.from, bar.to);
            let share = *times as f64 / most as f64;
            plot.bar(picture, left, step / 2.0 - 1.0, share, color, title);
        }
    }
    plot.line(picture);
    plot.ends(picture, &both);
}
