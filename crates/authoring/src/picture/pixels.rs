//! Pictures as PNG, for programs that show no SVG: language models, chats, notebooks.
//!
//! The pixels are those of the SVG, so there is one drawing. The fonts come along, and no others are used, so that a
//! picture is the same on every machine.

use std::sync::{Arc, OnceLock};

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::fontdb::{Database, Source};
use resvg::usvg::{Options, Tree};
use wyrmgate_base::presume::{BrokenInvariant, Presume};

/// The maximum number of pixels. Larger pictures are made smaller.
pub const PIXELS_MAX: f32 = 4_000_000.0;

/// Draws a picture of [`super::svg`] as PNG.
///
/// # Errors
///
/// [`BrokenInvariant`] if the picture is not one of ours.
pub fn png(svg: &str) -> Result<Vec<u8>, BrokenInvariant> {
    let options = Options {
        font_family: FAMILY.to_owned(),
        fontdb: fonts(),
        ..Options::default()
    };
    let tree = Tree::from_str(svg, &options).presume("our pictures are SVG")?;
    let (wide, high) = (tree.size().width(), tree.size().height());
    let scale = (PIXELS_MAX / (wide * high)).sqrt().min(1.0);
    let whole = |length: f32| (length * scale).round().max(1.0) as u32;
    let pixels = Pixmap::new(whole(wide), whole(high));
    let mut pixels = pixels.presume("a picture has pixels")?;
    let smaller = Transform::from_scale(scale, scale);
    resvg::render(&tree, smaller, &mut pixels.as_mut());
    pixels.encode_png().presume("pixels can be written as PNG")
}

const FAMILY: &str = "DejaVu Sans";

/// Returns our fonts. They are read once.
fn fonts() -> Arc<Database> {
    static FONTS: OnceLock<Arc<Database>> = OnceLock::new();
    let read = || {
        let mut fonts = Database::new();
        for font in [dejavu::sans::regular(), dejavu::sans::bold()] {
            fonts.load_font_source(Source::Binary(Arc::new(font)));
        }
        fonts.set_sans_serif_family(FAMILY);
        Arc::new(fonts)
    };
    Arc::clone(FONTS.get_or_init(read))
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
    fn no_fonts_but_ours_are_used() {
        assert_eq!(fonts().len(), 2);
    }

    #[test]
    fn a_picture_that_is_too_large_becomes_smaller() {
        let large = picture(8000, 2000, "");
        assert_eq!((large.width(), large.height()), (4000, 1000));
    }

    #[test]
    fn letters_and_chess_pieces_are_drawn() {
        for word in ["e4", "ñ", "→", "✕", "♞"] {
            assert!(inked(&picture(200, 100, word)) > 50, "{word}");
        }
    }
}
