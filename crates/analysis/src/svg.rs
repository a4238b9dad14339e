//! A builder for SVG charts. Knows no games.

use std::fmt::{Display, Write};

/// Chart colors that remain distinguishable with red-green color blindness and in print.
pub const BLUE: &str = "#4a78a8";
pub const ORANGE: &str = "#d98032";
pub const GRAY: &str = "#999";
pub const INK: &str = "#333";

/// The alignment of a text relative to its point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Anchor {
    Start,
    Middle,
    End,
}

#[derive(Debug, Clone)]
pub struct Picture {
    out: String,
}

impl Picture {
    pub fn new(width: f64, height: f64) -> Picture {
        Picture {
            out: format!(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
                 viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"11\" fill=\"{INK}\">\n\
                 <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n"
            ),
        }
    }

    /// Returns the whole document.
    pub fn end(self) -> String {
        self.out + "</svg>\n"
    }

    pub fn text(&mut self, (x, y): (f64, f64), anchor: Anchor, what: impl Display) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let what = escaped(&what.to_string());
        self.push(format_args!(
            "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{what}</text>\n"
        ));
    }

    /// Draws a bar that stands on `floor`, with a tooltip.
    pub fn bar(
        &mut self,
        (left, floor): (f64, f64),
        (width, height): (f64, f64),
        color: &str,
        title: impl Display,
    ) {
        let title = escaped(&title.to_string());
        let top = floor - height;
        self.push(format_args!(
            "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" fill=\"{color}\">\
             <title>{title}</title></rect>\n"
        ));
    }

    pub fn line(&mut self, (x1, y1): (f64, f64), (x2, y2): (f64, f64), color: &str) {
        self.push(format_args!(
            "<path d=\"M{x1:.1} {y1:.1}L{x2:.1} {y2:.1}\" stroke=\"{color}\"/>\n"
        ));
    }

    /// Like [`Picture::line`], dashed, for reference values.
    pub fn dashes(&mut self, (x1, y1): (f64, f64), (x2, y2): (f64, f64), color: &str) {
        self.push(format_args!(
            "<path d=\"M{x1:.1} {y1:.1}L{x2:.1} {y2:.1}\" stroke=\"{color}\" stroke-dasharray=\"4 3\"/>\n"
        ));
    }

    /// Draws a vertical interval from `low` to `high` at `x`.
    pub fn whisker(&mut self, x: f64, low: f64, high: f64, color: &str) {
        self.line((x, low), (x, high), color);
        for y in [low, high] {
            self.line((x - 4.0, y), (x + 4.0, y), color);
        }
    }

    fn push(&mut self, what: std::fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = self.out.write_fmt(what);
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_escaped() {
        let mut picture = Picture::new(10.0, 10.0);
        picture.text((1.0, 2.0), Anchor::End, "a<b & c");
        picture.bar((0.0, 9.0), (1.0, 2.0), BLUE, "x > y");
        let picture = picture.end();
        assert!(picture.contains("text-anchor=\"end\">a&lt;b &amp; c</text>"));
        assert!(picture.contains("y=\"7.0\"") && picture.contains("<title>x &gt; y</title>"));
        assert!(picture.starts_with("<svg ") && picture.ends_with("</svg>\n"));
    }
}
