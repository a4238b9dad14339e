//! Draws a simulation as SVG: wins by seat and by bot, and lengths of games.

use super::Summary;
use crate::statistics::Share;
use crate::svg::{Anchor, BLUE, GRAY, INK, ORANGE, Picture, round_numbers};

const WIDTH: f64 = 640.0;
const PANEL: f64 = 230.0;
const MARGIN: f64 = 48.0;
/// The room above the plot of a panel, for its title and its legend.
const HEAD: f64 = 60.0;

/// Draws a panel of wins and a panel of lengths.
pub fn svg(summary: &Summary) -> String {
    let mut picture = Picture::new(WIDTH, 2.0 * PANEL);
    wins(&mut picture, summary);
    lengths(&mut picture, summary);
    picture.end()
}

fn height_of(floor: f64, share: f64) -> f64 {
    floor - (PANEL - HEAD - MARGIN) * share
}

fn wins(picture: &mut Picture, summary: &Summary) {
    let title = format!(
        "{}: {} games. Whiskers: 95 % intervals",
        summary.game, summary.games
    );
    picture.text((MARGIN, 18.0), Anchor::Start, title);
    let seats = summary.wins.iter();
    let mut bars: Vec<(String, Share, &str)> = seats
        .map(|wins| (format!("seat {}", wins.seat), wins.share, BLUE))
        .collect();
    let bots = summary.players.iter();
    bars.extend(bots.map(|wins| (wins.player.name().to_owned(), wins.share, ORANGE)));
    bars.push(("drawn".to_owned(), summary.drawn, GRAY));
    let legend = [
        (BLUE, "wins of a seat"),
        (ORANGE, "wins of a bot"),
        (GRAY, "drawn games"),
    ];
    let is_used = |color: &str| bars.iter().any(|(_, _, own)| *own == color);
    let legend: Vec<_> = legend
        .into_iter()
        .filter(|(color, _)| is_used(color))
        .collect();
    picture.legend((MARGIN, 40.0), &legend);
    let floor = PANEL - MARGIN;
    let percent = [0.0, 0.25, 0.5, 0.75, 1.0];
    let ticks = percent.map(|share| (height_of(floor, share), format!("{:.0} %", share * 100.0)));
    picture.ticks((MARGIN, WIDTH - MARGIN), "", &ticks);
    let step = (WIDTH - 2.0 * MARGIN) / bars.len().max(1) as f64;
    for (number, (name, share, color)) in bars.iter().enumerate() {
        let left = MARGIN + step * number as f64 + step * 0.2;
        let width = step * 0.6;
        let size = (width, floor - height_of(floor, share.share));
        let title = format!(
            "{name}: {:.1} % ({:.1} % to {:.1} %)",
            share.share * 100.0,
            share.low * 100.0,
            share.high * 100.0
        );
        picture.bar((left, floor), size, color, title);
        let (low, high) = (height_of(floor, share.low), height_of(floor, share.high));
        picture.whisker(left + width / 2.0, low, high, INK);
        picture.text((left + width / 2.0, floor + 16.0), Anchor::Middle, name);
    }
    picture.line((MARGIN, floor), (WIDTH - MARGIN, floor), INK);
}

fn lengths(picture: &mut Picture, summary: &Summary) {
    let length = &summary.length;
    let title = format!(
        "Lengths: median {}, half of all games {} to {}, 95 % at most {}",
        length.median, length.lower_quartile, length.upper_quartile, length.p95
    );
    picture.text((MARGIN, PANEL + 18.0), Anchor::Start, title);
    let floor = 2.0 * PANEL - MARGIN;
    let most = summary.lengths.iter().map(|bar| bar.games).max();
    let most = most.unwrap_or(0).max(1);
    let ticks = round_numbers(most).into_iter();
    let ticks = ticks.map(|games| {
        (
            height_of(floor, games as f64 / most as f64),
            games.to_string(),
        )
    });
    let ticks: Vec<_> = ticks.collect();
    picture.ticks((MARGIN, WIDTH - MARGIN), "games", &ticks);
    let step = (WIDTH - 2.0 * MARGIN) / summary.lengths.len().max(1) as f64;
    let every = summary.lengths.len().div_ceil(8).max(1);
    for (number, bar) in summary.lengths.iter().enumerate() {
        let left = MARGIN + step * number as f64;
        let size = (
            (step - 2.0).max(1.0),
            floor - height_of(floor, bar.games as f64 / most as f64),
        );
        let title = format!("{} to {} decisions: {} games", bar.from, bar.to, bar.games);
        picture.bar((left, floor), size, BLUE, title);
        if number % every == 0 {
            picture.text((left + step / 2.0, floor + 16.0), Anchor::Middle, bar.from);
        }
    }
    picture.line((MARGIN, floor), (WIDTH - MARGIN, floor), INK);
    picture.text(
        (WIDTH / 2.0, floor + 34.0),
        Anchor::Middle,
        "decisions in a game",
    );
}
