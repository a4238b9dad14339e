//! Pictures as PNG, for programs that show no SVG: language models, chats, notebooks.
//!
//! The pixels are those of the SVG, so there is one drawing. Letters become outlines of the fonts that come along, so that
//! a picture is the same on every machine.

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};
use wyrmgate_base::presume::{BrokenInvariant, Presume};

use super::lettering::with_outlines;

/// The maximum number of pixels. Larger pictures are made smaller.
pub const PIXELS_MAX: f32 = 4_000_000.0;

/// Draws a picture of [`super::svg`] as PNG.
///
/// # Errors
///
/// [`BrokenInvariant`] if the picture is not one of ours.
pub fn png(svg: &str) -> Result<Vec<u8>, BrokenInvariant> {
    let encoded = painted(svg)?.encode_png();
    encoded.presume("pixels can be written as PNG")
}

/// Draws the pixels of a picture.
pub(super) fn painted(svg: &str) -> Result<Pixmap, BrokenInvariant> {
    let outlined = with_outlines(svg).presume("our pictures are XML, and our fonts can be read")?;
    let tree = Tree::from_str(&outlined, &Options::default());
    let tree = tree.presume("our pictures are SVG")?;
    let (wide, high) = (tree.size().width(), tree.size().height());
    let scale = (PIXELS_MAX / (wide * high)).sqrt().min(1.0);
    let whole = |length: f32| (length * scale).round().max(1.0) as u32;
    let pixels = Pixmap::new(whole(wide), whole(high));
    let mut pixels = pixels.presume("a picture has pixels")?;
    let smaller = Transform::from_scale(scale, scale);
    resvg::render(&tree, smaller, &mut pixels.as_mut());
    Ok(pixels)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Draws a word in black on white.
    fn picture(wide: u32, high: u32, word: &str) -> Pixmap {
        let size = format!("width=\"{wide}\" height=\"{high}\"");
        let svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" {size}><rect {size} fill=\"#fff\"/><text x=\"20\" y=\"60\" font-size=\"40\">{word}</text></svg>"
        );
        Pixmap::decode_png(&png(&svg).unwrap()).unwrap()
    }

    fn inked(picture: &Pixmap) -> usize {
        let pixels = picture.pixels().iter();
        pixels.filter(|pixel| pixel.red() < 128).count()
    }

    #[test]
    fn a_picture_has_the_size_of_its_svg() {
        let small = picture(300, 100, "");
        assert_eq!((small.width(), small.height()), (300, 100));
        assert_eq!(inked(&small), 0);
    }

    #[test]
    fn a_picture_that_is_too_large_becomes_smaller() {
        let large = picture(8000, 2000, "");
        assert_eq!((large.width(), large.height()), (4000, 1000));
    }

    /// The first and the last column of a picture that have ink.
    fn extent(attributes: &str, word: &str) -> (u32, u32) {
        let svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"300\" height=\"100\"><rect width=\"300\" height=\"100\" \
             fill=\"#fff\"/><text x=\"150\" y=\"60\" font-size=\"40\"{attributes}>{word}</text></svg>"
        );
        let picture = Pixmap::decode_png(&png(&svg).unwrap()).unwrap();
        let is_inked = |x: &u32| (0..100).any(|y| picture.pixel(*x, y).unwrap().red() < 128);
        let columns: Vec<u32> = (0..300).filter(is_inked).collect();
        (columns[0], *columns.last().unwrap())
    }

    #[test]
    fn words_stand_at_their_anchor_and_bold_ones_are_wider() {
        let (left, right) = extent("", "HIH");
        assert!((150..157).contains(&left), "{left}");
        let width = right - left;
        let (left, right) = extent(" text-anchor=\"end\"", "HIH");
        assert!((143..151).contains(&right) && right - left == width);
        let (left, right) = extent(" text-anchor=\"middle\"", "HIH");
        assert!(left.abs_diff(300 - right) < 4, "{left} {right}");
        let (left, right) = extent(" font-weight=\"bold\"", "HIH");
        assert!(right - left > width);
        assert_eq!(extent("", "I &amp; I"), extent("", "I &#38; I"));
    }

    #[test]
    fn letters_and_chess_pieces_are_drawn() {
        for word in ["e4", "ñ", "→", "✕", "♞"] {
            assert!(inked(&picture(200, 100, word)) > 50, "{word}");
        }
    }
}
