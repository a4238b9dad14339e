//! Letters as outlines: the texts of a picture become paths, drawn with the fonts that come along.

use std::fmt::Write as _;

use resvg::usvg::roxmltree::{Document, Error as InvalidXml, Node};
use ttf_parser::{Face, FaceParsingError, OutlineBuilder};

/// Why the texts of a picture cannot become paths.
#[derive(Debug, thiserror::Error)]
pub enum LetteringError {
    #[error(transparent)]
    Picture(#[from] InvalidXml),
    #[error(transparent)]
    Font(#[from] FaceParsingError),
    #[error("a text has no place or no size")]
    Unplaced,
}

/// Returns a picture of ours with paths in place of its texts.
pub fn with_outlines(svg: &str) -> Result<String, LetteringError> {
    let picture = Document::parse(svg)?;
    let fonts = [dejavu::sans::regular(), dejavu::sans::bold()];
    let [regular, bold] = fonts.map(|font| Face::parse(font, 0));
    let (regular, bold) = (regular?, bold?);
    let mut outlined = String::with_capacity(svg.len());
    let mut end = 0;
    for text in picture
        .descendants()
        .filter(|node| node.has_tag_name("text"))
    {
        let is_bold = text.attribute("font-weight") == Some("bold");
        let path = path_of(text, if is_bold { &bold } else { &regular });
        let place = text.range();
        outlined += svg.get(end..place.start).unwrap_or_default();
        outlined += &path.ok_or(LetteringError::Unplaced)?;
        end = place.end;
    }
    outlined += svg.get(end..).unwrap_or_default();
    Ok(outlined)
}

/// Returns the path that draws a text, in the colors of the text; `None` if it has no place or no size.
fn path_of(text: Node<'_, '_>, font: &Face<'_>) -> Option<String> {
    let number = |name| text.attribute(name)?.parse::<f32>().ok();
    let scale = number("font-size")? / f32::from(font.units_per_em());
    let mut line = LetterLine {
        drawn: String::new(),
        scale,
        origin: (0.0, number("y")?),
    };
    let letters = text.text().unwrap_or_default().chars();
    let glyphs: Vec<_> = letters
        .map(|c| font.glyph_index(c).unwrap_or_default())
        .collect();
    let advance = |glyph| f32::from(font.glyph_hor_advance(glyph).unwrap_or_default()) * scale;
    let width: f32 = glyphs.iter().copied().map(advance).sum();
    let before = match text.attribute("text-anchor") {
        Some("middle") => width / 2.0,
        Some("end") => width,
        _ => 0.0,
    };
    line.origin.0 = number("x")? - before;
    for glyph in glyphs {
        font.outline_glyph(glyph, &mut line);
        line.origin.0 += advance(glyph);
    }
    let colors = ["fill", "stroke", "stroke-width", "style"].into_iter();
    let colors = colors.filter_map(|name| Some((name, text.attribute(name)?)));
    let colors: String = colors
        .map(|(name, value)| format!(" {name}=\"{value}\""))
        .collect();
    Some(format!("<path d=\"{}\"{colors}/>", line.drawn))
}

/// A line of letters as the data of a path.
struct LetterLine {
    drawn: String,
    /// Pixels per unit of the font, whose vertical axis points up.
    scale: f32,
    /// Where the next letter stands.
    origin: (f32, f32),
}

impl LetterLine {
    fn put(&mut self, command: char, points: &[(f32, f32)]) {
        self.drawn.push(command);
        for (x, y) in points {
            let x = self.origin.0 + x * self.scale;
            let y = self.origin.1 - y * self.scale;
            // Appending to a string cannot fail.
            let _ = write!(self.drawn, "{x:.2} {y:.2} ");
        }
    }
}

impl OutlineBuilder for LetterLine {
    fn move_to(&mut self, x: f32, y: f32) {
        self.put('M', &[(x, y)]);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.put('L', &[(x, y)]);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        self.put('Q', &[(x1, y1), (x, y)]);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        self.put('C', &[(x1, y1), (x2, y2), (x, y)]);
    }

    fn close(&mut self) {
        self.drawn.push('Z');
    }
}
