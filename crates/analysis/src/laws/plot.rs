//! The lengths of games as a picture (SVG): one panel per game, with the bars of the text.

use crate::statistics::Counts;
use crate::svg::{Anchor, BLUE, INK, Picture, round_numbers};

const PANEL_WIDTH: f64 = 640.0;
const PANEL_HEIGHT: f64 = 220.0;
const MARGIN: f64 = 48.0;
const BARS: u32 = 24;

/// Returns a panel for each game and its lengths.
pub fn svg(games: &[(&str, &Counts)]) -> String {
    let mut picture = Picture::new(PANEL_WIDTH, PANEL_HEIGHT * games.len().max(1) as f64);
    for (number, (game, lengths)) in games.iter().enumerate() {
        panel(&mut picture, PANEL_HEIGHT * number as f64, game, lengths);
    }
    picture.end()
}

/// Draws one panel, from `top` down; also a part of other pictures.
pub(crate) fn panel(picture: &mut Picture, top: f64, game: &str, lengths: &Counts) {
    let numbers = format!(
        "{} games; median {}, 95 % at most {}, longest {}",
        lengths.total(),
        lengths.percentile(50),
        lengths.percentile(95),
        lengths.most()
    );
    let title = format!("{game}: decisions per game");
    picture.heading((MARGIN, top), title, numbers);
    let bars = lengths.bars(BARS);
    let most = bars.iter().map(|bar| bar.times).max().unwrap_or(0).max(1);
    let (floor, room) = (top + PANEL_HEIGHT - MARGIN, PANEL_HEIGHT - 2.0 * MARGIN);
    let (left, right) = (MARGIN, PANEL_WIDTH - MARGIN);
    let step = (right - left) / bars.len().max(1) as f64;
    let ticks = round_numbers(most).into_iter();
    let ticks = ticks.map(|games| (floor - room * games as f64 / most as f64, games.to_string()));
    let ticks: Vec<_> = ticks.collect();
    picture.ticks((left, right), "games", &ticks);
    picture.text(
        (PANEL_WIDTH / 2.0, floor + 32.0),
        Anchor::Middle,
        "decisions in a game",
    );
    for (number, bar) in bars.iter().enumerate() {
        let size = ((step - 2.0).max(1.0), room * bar.times as f64 / most as f64);
        let title = format!("{} to {}: {} games", bar.from, bar.to, bar.times);
        picture.bar((left + step * number as f64, floor), size, BLUE, title);
    }
    picture.line((left, floor), (right, floor), INK);
    picture.text((left, floor + 15.0), Anchor::Start, lengths.least());
    picture.text((right, floor + 15.0), Anchor::End, lengths.most());
    if let Some(middle) = bars.get(bars.len() / 2) {
        let at = left + step * (bars.len() / 2) as f64;
        picture.text((at, floor + 15.0), Anchor::Middle, middle.from);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_game_has_a_panel() {
        let mut lengths = Counts::default();
        (1..50).for_each(|length| lengths.add(length));
        let nothing = Counts::default();
        let picture = svg(&[("cliff-race", &lengths), ("a<b", &nothing)]);
        assert!(picture.starts_with("<svg ") && picture.ends_with("</svg>\n"));
        assert!(picture.contains("cliff-race: decisions") && picture.contains("a&lt;b: decisions"));
        assert!(picture.contains("49 games; median 25") && picture.contains("0 games; "));
        // A letter is 6.6 wide on average.
        let texts = picture
            .split("</text>")
            .filter_map(|text| text.rsplit_once('>'));
        assert!(texts.map(|(_, words)| words.chars().count()).max() < Some(90));
        assert!(!picture.contains("NaN") && !picture.contains("inf"));
    }
}
