//! Draws a simulation as SVG: wins by seat and by bot, and lengths of games.

use super::Summary;
use crate::statistics::{Bar, Share, highest};
use crate::svg::{BLUE, GRAY, MARGIN, ORANGE, Plot, SvgPicture, WIDTH};

const PANEL: f64 = 230.0;
/// The room above the plot of a panel, for its title and its legend.
const HEAD: f64 = 60.0;

/// Draws a panel of wins and a panel of lengths.
pub fn svg(summary: &Summary) -> String {
    let mut picture = SvgPicture::new(WIDTH, 2.0 * PANEL);
    wins(&mut picture, summary);
    lengths(&mut picture, summary);
    picture.end()
}

fn plot(top: f64) -> Plot {
    Plot {
        floor: top + PANEL - MARGIN,
        height: PANEL - HEAD - MARGIN,
    }
}

fn wins(picture: &mut SvgPicture, summary: &Summary) {
    let title = format!(
        "{}: {} games, {}. Whiskers: 95 % intervals",
        summary.game,
        summary.games,
        summary.wins_title()
    );
    picture.title(18.0, title);
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
    picture.legend(40.0, &legend);
    let plot = plot(0.0);
    plot.percentages(picture);
    let step = plot.step(bars.len());
    for (number, (name, share, color)) in bars.iter().enumerate() {
        let left = MARGIN + step * number as f64 + step * 0.2;
        let middle = plot.share(picture, left, step * 0.6, share, color, name);
        plot.label(picture, middle, 16.0, name);
    }
    plot.line(picture);
}

fn lengths(picture: &mut SvgPicture, summary: &Summary) {
    let length = &summary.length;
    let title = format!(
        "Lengths: median {}, half of all games {} to {}, 95 % at most {}",
        length.median, length.lower_quartile, length.upper_quartile, length.p95
    );
    picture.title(PANEL + 18.0, title);
    let (plot, bars) = (plot(PANEL), &summary.lengths);
    plot.numbers(picture, highest(bars), "games");
    let every = bars.len().div_ceil(8).max(1);
    let title = |bar: &Bar| format!("{} to {} decisions: {} games", bar.from, bar.to, bar.times);
    let label = |number: usize| (number.is_multiple_of(every)).then_some(16.0);
    plot.bars(picture, bars, BLUE, title, label);
    plot.line(picture);
    plot.label(picture, WIDTH / 2.0, 34.0, "decisions in a game");
}
