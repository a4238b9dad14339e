//! The lengths of games as a picture (SVG): one panel a game, the bars as in the text.

use std::fmt::Write;

use super::lengths::{LengthBar, Lengths};

const PANEL_WIDTH: f64 = 640.0;
const PANEL_HEIGHT: f64 = 220.0;
const MARGIN: f64 = 48.0;
const BARS: u32 = 24;

/// A panel for each game and its lengths.
pub fn svg(games: &[(&str, &Lengths)]) -> String {
    let (width, height) = (PANEL_WIDTH, PANEL_HEIGHT * games.len().max(1) as f64);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"11\" fill=\"#333\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n"
    );
    for (number, (game, lengths)) in games.iter().enumerate() {
        panel(&mut out, PANEL_HEIGHT * number as f64, game, lengths);
    }
    out + "</svg>\n"
}

fn panel(out: &mut String, top: f64, game: &str, lengths: &Lengths) {
    let bars = lengths.bars(BARS);
    let most = bars.iter().map(|bar| bar.games).max().unwrap_or(0).max(1);
    let title = format!(
        "{}: {} games, decisions a game (median {}, 95 % at most {}, longest {})",
        escaped(game),
        lengths.total(),
        lengths.percentile(50),
        lengths.percentile(95),
        lengths.most()
    );
    text(out, MARGIN, top + 22.0, "start", &title);
    let (floor, room) = (top + PANEL_HEIGHT - MARGIN, PANEL_HEIGHT - 2.0 * MARGIN);
    let step = (PANEL_WIDTH - 2.0 * MARGIN) / bars.len().max(1) as f64;
    for (number, bar) in bars.iter().enumerate() {
        let left = MARGIN + step * number as f64;
        let height = room * bar.games as f64 / most as f64;
        draw_bar(out, (left, floor, step, height), bar);
    }
    let (left, right) = (MARGIN, PANEL_WIDTH - MARGIN);
    line(out, left, right, floor);
    text(
        out,
        left,
        floor + 15.0,
        "start",
        &lengths.least().to_string(),
    );
    text(out, right, floor + 15.0, "end", &lengths.most().to_string());
    if let Some(middle) = bars.get(bars.len() / 2) {
        let at = MARGIN + step * (bars.len() / 2) as f64;
        text(out, at, floor + 15.0, "middle", &middle.from.to_string());
    }
    text(
        out,
        left - 6.0,
        floor - room + 4.0,
        "end",
        &most.to_string(),
    );
}

/// With a tooltip that says what it stands for.
fn draw_bar(out: &mut String, (left, floor, width, height): (f64, f64, f64, f64), bar: &LengthBar) {
    let (top, width) = (floor - height, (width - 2.0).max(1.0));
    push(
        out,
        format_args!(
            "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" fill=\"#4a78a8\">\
             <title>{} to {}: {} games</title></rect>\n",
            bar.from, bar.to, bar.games
        ),
    );
}

fn line(out: &mut String, from: f64, to: f64, y: f64) {
    push(
        out,
        format_args!("<path d=\"M{from} {y}H{to}\" stroke=\"#333\"/>\n"),
    );
}

fn text(out: &mut String, x: f64, y: f64, anchor: &str, what: &str) {
    push(
        out,
        format_args!("<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{what}</text>\n"),
    );
}

fn push(out: &mut String, what: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = out.write_fmt(what);
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_game_has_a_panel() {
        let mut lengths = Lengths::default();
        (1..50).for_each(|length| lengths.add(length));
        let nothing = Lengths::default();
        let picture = svg(&[("cliff-race", &lengths), ("a<b", &nothing)]);
        assert!(picture.starts_with("<svg ") && picture.ends_with("</svg>\n"));
        assert!(picture.contains("cliff-race: 49 games") && picture.contains("a&lt;b: 0 games"));
        assert!(!picture.contains("NaN") && !picture.contains("inf"));
    }
}
