//! The lengths of games as a picture (SVG): one panel per game, with the bars of the text.

use crate::statistics::{Counts, highest};
use crate::svg::{BLUE, MARGIN, PANEL, Plot, SvgPicture, TextAnchor, WIDTH};

const BARS: u32 = 24;

/// Returns a panel for each game and its lengths.
pub fn svg(games: &[(&str, &Counts)]) -> String {
    let mut picture = SvgPicture::new(WIDTH, PANEL * games.len().max(1) as f64);
    for (number, (game, lengths)) in games.iter().enumerate() {
        panel(&mut picture, PANEL * number as f64, game, lengths);
    }
    picture.end()
}

/// Draws one panel, from `top` down; also a part of other pictures.
pub(crate) fn panel(picture: &mut SvgPicture, top: f64, game: &str, lengths: &Counts) {
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
    let most = highest(&bars);
    let plot = Plot::of_panel(top);
    let step = plot.step(bars.len());
    plot.numbers(picture, most, "games");
    let middle = (WIDTH / 2.0, 32.0);
    plot.label(picture, middle, TextAnchor::Middle, "decisions in a game");
    for (number, bar) in bars.iter().enumerate() {
        let title = format!("{} to {}: {} games", bar.from, bar.to, bar.times);
        let place = (MARGIN + step * number as f64, step - 2.0);
        plot.bar(picture, place, bar.times as f64 / most as f64, BLUE, title);
    }
    plot.line(picture);
    plot.ends(picture, lengths);
    if let Some(middle) = bars.get(bars.len() / 2) {
        let at = (MARGIN + step * (bars.len() / 2) as f64, 15.0);
        plot.label(picture, at, TextAnchor::Middle, middle.from);
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
