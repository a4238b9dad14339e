//! The lengths of games as a picture (SVG): one panel per game, with the bars of the text.

use crate::statistics::{Bar, Counts};
use crate::svg::{BLUE, MARGIN, PANEL, Plot, SvgPicture, WIDTH};

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
    let title = format!("{game}: decisions per game");
    let words = [&*title, "games", "longest", "decisions in a game"];
    let (plot, bars) = Plot::of_counts(picture, top, lengths, words);
    let title = |bar: &Bar| format!("{} to {}: {} games", bar.from, bar.to, bar.times);
    plot.bars(picture, &bars, BLUE, title, |_| None);
    plot.line(picture);
    plot.ends(picture, lengths);
    let half = bars.len() / 2;
    if let Some(middle) = bars.get(half) {
        let left = MARGIN + plot.step(bars.len()) * half as f64;
        plot.label(picture, left, 15.0, middle.from);
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
