//! Draws a comparison as SVG: wins under both rules, their differences, and lengths of games.

use super::chart::INTERVALS;
use super::impact::{Impact, Measure};
use crate::statistics::Counts;
use crate::svg::{Anchor, BLUE, INK, ORANGE, Picture, round_numbers};

const WIDTH: f64 = 640.0;
const PANEL: f64 = 220.0;
const MARGIN: f64 = 48.0;
const BARS: u32 = 24;

/// Draws three panels for each number of seats.
pub fn impact_svg(base: &str, other: &str, rows: &[Impact]) -> String {
    let mut picture = Picture::new(WIDTH, PANEL * (3 * rows.len()).max(1) as f64);
    for (number, row) in rows.iter().enumerate() {
        let top = PANEL * (3 * number) as f64;
        let seats = row.seats;
        let title = format!("{seats} seats: wins. {INTERVALS}");
        panel(&mut picture, top, &title);
        picture.legend((MARGIN, top + 36.0), &[(BLUE, base), (ORANGE, other)]);
        wins(&mut picture, top, row);
        let title = format!("{seats} seats: difference of wins in percentage points, game by game");
        panel(&mut picture, top + PANEL, &title);
        let legend = [(BLUE, "may be chance"), (ORANGE, "significant")];
        picture.legend((MARGIN, top + PANEL + 36.0), &legend);
        differences(&mut picture, top + PANEL, row);
        let title = format!("{seats} seats: decisions per game");
        panel(&mut picture, top + 2.0 * PANEL, &title);
        let legend = [(BLUE, base), (ORANGE, other)];
        picture.legend((MARGIN, top + 2.0 * PANEL + 36.0), &legend);
        lengths(&mut picture, top + 2.0 * PANEL, &row.lengths);
    }
    picture.end()
}

fn panel(picture: &mut Picture, top: f64, title: &str) {
    picture.text((MARGIN, top + 18.0), Anchor::Start, title);
}

/// Returns the height of a share on a scale from 0 to 1.
fn y_of(top: f64, share: f64) -> f64 {
    top + PANEL - MARGIN - (PANEL - 2.0 * MARGIN) * share
}

fn shares(row: &Impact) -> Vec<&Measure> {
    row.measures.iter().filter(|m| m.is_share).collect()
}

fn wins(picture: &mut Picture, top: f64, row: &Impact) {
    let shares = shares(row);
    let step = (WIDTH - 2.0 * MARGIN) / shares.len().max(1) as f64;
    let floor = y_of(top, 0.0);
    let percent = [0.0, 0.25, 0.5, 0.75, 1.0];
    let ticks = percent.map(|share| (y_of(top, share), format!("{:.0} %", share * 100.0)));
    picture.ticks((MARGIN, WIDTH - MARGIN), "", &ticks);
    for (number, measure) in shares.into_iter().enumerate() {
        let left = MARGIN + step * number as f64;
        let width = (step / 2.0 - 4.0).max(1.0);
        let sides = [(measure.base, BLUE), (measure.other, ORANGE)];
        for (side, (mean, color)) in sides.into_iter().enumerate() {
            let at = left + (width + 2.0) * side as f64;
            let title = format!("{}: {:.1} %", measure.name, mean.mean * 100.0);
            let height = floor - y_of(top, mean.mean);
            picture.bar((at, floor), (width, height), color, title);
            let (low, high) = (y_of(top, mean.low), y_of(top, mean.high));
            picture.whisker(at + width / 2.0, low, high, INK);
        }
        let middle = (left + width, floor + 15.0);
        picture.text(middle, Anchor::Middle, &measure.name);
    }
    picture.line((MARGIN, floor), (WIDTH - MARGIN, floor), INK);
}

/// Draws intervals around the line of no difference.
fn differences(picture: &mut Picture, top: f64, row: &Impact) {
    let shares = shares(row);
    let ends = shares.iter().map(|m| m.difference);
    let reach = ends.fold(0.01_f64, |most, d| most.max(d.high.abs()).max(d.low.abs()));
    let y = |difference: f64| y_of(top, (difference / reach + 1.0) / 2.0);
    let step = (WIDTH - 2.0 * MARGIN) / shares.len().max(1) as f64;
    let ends = [-reach, -reach / 2.0, 0.0, reach / 2.0, reach];
    let ticks = ends.map(|end| (y(end), points(end)));
    picture.ticks((MARGIN, WIDTH - MARGIN), "", &ticks);
    picture.dashes((MARGIN, y(0.0)), (WIDTH - MARGIN, y(0.0)), INK);
    for (number, measure) in shares.into_iter().enumerate() {
        let x = MARGIN + step * (number as f64 + 0.5);
        let difference = measure.difference;
        let color = if measure.significant { ORANGE } else { BLUE };
        picture.whisker(x, y(difference.low), y(difference.high), color);
        let (middle, title) = (y(difference.mean), points(difference.mean));
        picture.bar((x - 3.0, middle + 3.0), (6.0, 6.0), color, title);
        let at = (x, top + PANEL - MARGIN + 15.0);
        picture.text(at, Anchor::Middle, &measure.name);
    }
}

/// Formats a difference in percentage points as `+3.9`.
fn points(difference: f64) -> String {
    format!("{:+.1}", difference * 100.0)
}

/// Draws both histograms with the same bars.
fn lengths(picture: &mut Picture, top: f64, lengths: &[Counts; 2]) {
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
    let most = most.copied().unwrap_or(0).max(1) as f64;
    let floor = y_of(top, 0.0);
    let step = (WIDTH - 2.0 * MARGIN) / bars.len().max(1) as f64;
    let ticks = round_numbers(most as u64).into_iter();
    let ticks = ticks.map(|times| (y_of(top, times as f64 / most), times.to_string()));
    let ticks: Vec<_> = ticks.collect();
    picture.ticks((MARGIN, WIDTH - MARGIN), "games", &ticks);
    picture.text(
        (WIDTH / 2.0, floor + 30.0),
        Anchor::Middle,
        "decisions in a game",
    );
    for (side, (times, color)) in sides.iter().enumerate() {
        for ((number, bar), times) in bars.iter().enumerate().zip(times) {
            let left = MARGIN + step * (number as f64 + side as f64 / 2.0);
            let title = format!("{} to {}: {times} games", bar.from, bar.to);
            let height = floor - y_of(top, *times as f64 / most);
            let width = (step / 2.0 - 1.0).max(1.0);
            picture.bar((left, floor), (width, height), color, title);
        }
    }
    picture.line((MARGIN, floor), (WIDTH - MARGIN, floor), INK);
    picture.text((MARGIN, floor + 15.0), Anchor::Start, both.least());
    let right = (WIDTH - MARGIN, floor + 15.0);
    picture.text(right, Anchor::End, both.most());
}
