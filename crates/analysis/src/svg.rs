//! A builder for SVG charts of shares and numbers. Knows no games.

use std::fmt::{Display, Write};

use crate::statistics::{Bar, Counts, Share, highest};

/// Chart colors that remain distinguishable with red-green color blindness and in print. They are classes of the style, which
/// has them for light and for dark surroundings.
pub const BLUE: &str = "blue";
pub const ORANGE: &str = "orange";
pub const GRAY: &str = "gray";
pub const INK: &str = "ink";

const STYLE: &str = "text{fill:#222}.ground{fill:#fff}.blue{fill:#0072b2;stroke:#0072b2}.orange{fill:#d55e00;stroke:#d55e00}\
.gray{fill:#8a8a8a;stroke:#8a8a8a}.ink{fill:none;stroke:#222}.grid{stroke:#d8d8d8}rect{stroke-width:0}\
@media(prefers-color-scheme:dark){text{fill:#eee}.ground{fill:#1b1d21}.blue{fill:#56b4e9;stroke:#56b4e9}\
.orange{fill:#e69f00;stroke:#e69f00}.gray{fill:#a0a0a0;stroke:#a0a0a0}.ink{stroke:#eee}.grid{stroke:#444}}";

/// A place in a picture: to the right and down.
#[derive(Debug, Clone, Copy)]
pub struct SvgPoint {
    pub x: f64,
    pub y: f64,
}

pub const fn at(x: f64, y: f64) -> SvgPoint {
    SvgPoint { x, y }
}

/// The alignment of a text relative to its point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextAnchor {
    Start,
    Middle,
    End,
}

#[derive(Debug, Clone)]
pub struct SvgPicture {
    out: String,
}

impl SvgPicture {
    pub fn new(width: f64, height: f64) -> SvgPicture {
        SvgPicture {
            out: format!(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
                 viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"12\">\n\
                 <style>{STYLE}</style><rect width=\"100%\" height=\"100%\" class=\"ground\"/>\n"
            ),
        }
    }

    /// Returns the whole document.
    pub fn end(self) -> String {
        self.out + "</svg>\n"
    }

    pub fn text(&mut self, point: SvgPoint, anchor: TextAnchor, what: impl Display) {
        let anchor = match anchor {
            TextAnchor::Start => "start",
            TextAnchor::Middle => "middle",
            TextAnchor::End => "end",
        };
        let (SvgPoint { x, y }, what) = (point, escaped(&what.to_string()));
        self.push(format_args!(
            "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{what}</text>\n"
        ));
    }

    /// Writes a line of a panel's head, at this height.
    pub fn title(&mut self, y: f64, what: impl Display) {
        self.text(at(MARGIN, y), TextAnchor::Start, what);
    }

    /// Draws a bar that stands with its left corner on a point, with a tooltip.
    pub fn bar(
        &mut self,
        foot: SvgPoint,
        width: f64,
        height: f64,
        color: &str,
        title: impl Display,
    ) {
        let title = escaped(&title.to_string());
        let (left, top) = (foot.x, foot.y - height);
        self.push(format_args!(
            "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" class=\"{color}\">\
            <title>{title}</title></rect>\n"
        ));
    }

    pub fn line(&mut self, from: SvgPoint, to: SvgPoint, color: &str) {
        self.path(from, to, format_args!("\"{color}\""));
    }

    /// Draws a dashed line, for reference values.
    pub fn dashes(&mut self, from: SvgPoint, to: SvgPoint, color: &str) {
        self.path(
            from,
            to,
            format_args!("\"{color}\" stroke-dasharray=\"4 3\""),
        );
    }

    fn path(&mut self, from: SvgPoint, to: SvgPoint, class: std::fmt::Arguments<'_>) {
        let (SvgPoint { x: x1, y: y1 }, SvgPoint { x: x2, y: y2 }) = (from, to);
        self.push(format_args!(
            "<path d=\"M{x1:.1} {y1:.1}L{x2:.1} {y2:.1}\" class={class}/>\n"
        ));
    }

    /// Draws a vertical interval from `low` to `high` at `x`.
    pub fn whisker(&mut self, x: f64, low: f64, high: f64, color: &str) {
        self.line(at(x, low), at(x, high), color);
        for y in [low, high] {
            self.line(at(x - 4.0, y), at(x + 4.0, y), color);
        }
    }

    /// Explains colors, in a line at this height.
    pub fn legend(&mut self, y: f64, entries: &[(&str, &str)]) {
        let mut x = MARGIN;
        for (color, words) in entries {
            self.bar(at(x, y), 10.0, 10.0, color, words);
            self.text(at(x + 15.0, y), TextAnchor::Start, words);
            x += 34.0 + 6.6 * words.chars().count() as f64;
        }
    }

    fn push(&mut self, what: std::fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = self.out.write_fmt(what);
    }
}

/// The width of charts, the usual height of a panel, and the margin around its plot.
pub const WIDTH: f64 = 640.0;
pub const PANEL: f64 = 220.0;
pub const MARGIN: f64 = 48.0;
/// Maximum number of bars in a histogram with bars of growing widths.
pub const BARS: u32 = 24;

/// The part of a panel with the bars. Their heights are shares of its own.
#[derive(Debug, Clone, Copy)]
pub struct Plot {
    pub floor: f64,
    pub height: f64,
}

impl Plot {
    /// Returns the plot of a panel of the usual height.
    pub fn of_panel(top: f64) -> Plot {
        Plot {
            floor: top + PANEL - MARGIN,
            height: PANEL - 2.0 * MARGIN,
        }
    }

    /// Writes the head of a panel with a histogram and draws its axes. The words are its title, what is counted, the greatest
    /// number, and what the numbers are. Returns the plot and its bars.
    pub fn of_counts(
        picture: &mut SvgPicture,
        top: f64,
        counts: &Counts,
        words: [&str; 4],
    ) -> (Plot, Vec<Bar>) {
        let [title, counted, most, numbers] = words;
        picture.text(at(MARGIN + 16.0, top + 14.0), TextAnchor::Start, title);
        let [median, p95] = [50, 95].map(|percent| counts.percentile(percent));
        let (total, longest) = (counts.total(), counts.most());
        let told =
            format!("{total} {counted}; median {median}, 95 % at most {p95}, {most} {longest}");
        picture.text(at(MARGIN + 16.0, top + 30.0), TextAnchor::Start, told);
        let (plot, bars) = (Plot::of_panel(top), counts.bars(BARS));
        plot.numbers(picture, highest(&bars), counted);
        plot.label(picture, WIDTH / 2.0, 32.0, numbers);
        (plot, bars)
    }

    pub fn y(&self, share: f64) -> f64 {
        self.floor - self.height * share
    }

    /// Returns the width that each bar has, with the gap beside it, if there are this many.
    pub fn step(&self, bars: usize) -> f64 {
        (WIDTH - 2.0 * MARGIN) / bars.max(1) as f64
    }

    /// Draws the ticks of the vertical axis, with lines across the panel: each tick is a height and its label. `unit` says what
    /// is counted.
    pub fn ticks(&self, picture: &mut SvgPicture, unit: &str, ticks: &[(f64, String)]) {
        for (y, label) in ticks {
            picture.line(at(MARGIN, *y), at(WIDTH - MARGIN, *y), "grid");
            picture.text(at(MARGIN - 6.0, y + 4.0), TextAnchor::End, label);
        }
        let top = ticks.iter().map(|(y, _)| *y).fold(f64::MAX, f64::min);
        if !ticks.is_empty() {
            picture.text(at(MARGIN - 42.0, top - 18.0), TextAnchor::Start, unit);
        }
    }

    /// Draws an axis from 0 to 100 %.
    pub fn percentages(&self, picture: &mut SvgPicture) {
        let percent = [0.0, 0.25, 0.5, 0.75, 1.0];
        let ticks = percent.map(|share| (self.y(share), format!("{:.0} %", share * 100.0)));
        self.ticks(picture, "", &ticks);
    }

    /// Draws an axis of round numbers up to a number.
    pub fn numbers(&self, picture: &mut SvgPicture, most: u64, unit: &str) {
        let numbers = round_numbers(most).into_iter();
        let ticks = numbers.map(|n| (self.y(n as f64 / most as f64), n.to_string()));
        self.ticks(picture, unit, &ticks.collect::<Vec<_>>());
    }

    pub fn bar(
        &self,
        picture: &mut SvgPicture,
        left: f64,
        width: f64,
        share: f64,
        color: &str,
        title: impl Display,
    ) {
        let height = self.floor - self.y(share);
        picture.bar(at(left, self.floor), width.max(1.0), height, color, title);
    }

    /// Draws the bars of a histogram. `label` returns how far below a bar of this number it says where the bar begins.
    pub fn bars(
        &self,
        picture: &mut SvgPicture,
        bars: &[Bar],
        color: &str,
        title: impl Fn(&Bar) -> String,
        label: impl Fn(usize) -> Option<f64>,
    ) {
        let (most, step) = (highest(bars) as f64, self.step(bars.len()));
        for (number, bar) in bars.iter().enumerate() {
            let left = MARGIN + step * number as f64;
            let share = bar.times as f64 / most;
            self.bar(picture, left, step - 2.0, share, color, title(bar));
            if let Some(y) = label(number) {
                self.label(picture, left + step / 2.0, y, bar.from);
            }
        }
    }

    /// Draws a bar of a share with its interval. Returns its middle.
    pub fn share(
        &self,
        picture: &mut SvgPicture,
        left: f64,
        width: f64,
        share: &Share,
        color: &str,
        name: impl Display,
    ) -> f64 {
        let [percent, low, high] = [share.share, share.low, share.high].map(|part| part * 100.0);
        let title = format!("{name}: {percent:.1} % ({low:.1} % to {high:.1} %)");
        self.bar(picture, left, width, share.share, color, title);
        let middle = left + width / 2.0;
        self.whisker(picture, middle, share.low, share.high);
        middle
    }

    /// Draws an interval of shares.
    pub fn whisker(&self, picture: &mut SvgPicture, x: f64, low: f64, high: f64) {
        picture.whisker(x, self.y(low), self.y(high), INK);
    }

    /// Writes below the floor, around a middle.
    pub fn label(&self, picture: &mut SvgPicture, middle: f64, y: f64, what: impl Display) {
        picture.text(at(middle, self.floor + y), TextAnchor::Middle, what);
    }

    /// Writes the numbers at which a histogram begins and ends.
    pub fn ends(&self, picture: &mut SvgPicture, lengths: &Counts) {
        let (left, right) = (at(MARGIN, self.floor + 15.0), WIDTH - MARGIN);
        picture.text(left, TextAnchor::Start, lengths.least());
        picture.text(at(right, left.y), TextAnchor::End, lengths.most());
    }

    /// Draws the line on which the bars stand.
    pub fn line(&self, picture: &mut SvgPicture) {
        picture.line(at(MARGIN, self.floor), at(WIDTH - MARGIN, self.floor), INK);
    }
}

/// Returns up to six round numbers from 0 to this one, for an axis.
fn round_numbers(most: u64) -> Vec<u64> {
    let power = 10_u64.checked_pow((most.max(1) as f64).log10() as u32);
    let power = power.unwrap_or(1).max(1);
    let steps = [power / 5, power / 2, power, power * 2].into_iter();
    let step = steps.filter(|step| *step > 0).find(|step| most / step <= 5);
    let step = step.unwrap_or(power).max(1);
    (0..=most / step).map(|number| number * step).collect()
}

/// Returns a text as a part of a document.
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_have_round_numbers() {
        assert_eq!(round_numbers(0), [0]);
        assert_eq!(round_numbers(3), [0, 1, 2, 3]);
        assert_eq!(round_numbers(9), [0, 2, 4, 6, 8]);
        assert_eq!(round_numbers(47), [0, 10, 20, 30, 40]);
        assert_eq!(round_numbers(180), [0, 50, 100, 150]);
        assert_eq!(round_numbers(999), [0, 200, 400, 600, 800]);
    }

    #[test]
    fn texts_are_escaped() {
        let mut picture = SvgPicture::new(10.0, 10.0);
        picture.text(at(1.0, 2.0), TextAnchor::End, "a<b & c");
        picture.bar(at(0.0, 9.0), 1.0, 2.0, BLUE, "x > y");
        let picture = picture.end();
        assert!(picture.contains("text-anchor=\"end\">a&lt;b &amp; c</text>"));
        assert!(picture.contains("y=\"7.0\"") && picture.contains("<title>x &gt; y</title>"));
        assert!(picture.starts_with("<svg ") && picture.ends_with("</svg>\n"));
    }
}
