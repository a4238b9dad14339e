//! Several pictures, one after the other, as an animated GIF.
//!
//! All share one palette: the colors that occur most. Each frame has only what differs from the one before.

use std::cmp::Reverse;

use gif::{Encoder, EncodingError, Frame, Repeat};
use resvg::tiny_skia::Pixmap;
use wyrmgate_base::cancel::checkpoint;
use wyrmgate_base::presume::{BrokenInvariant, Presume};

use super::pixels::painted;

/// How long a picture is shown, and the last one, in hundredths of a second.
const PACE: u16 = 80;
const LAST: u16 = 400;

/// Number of leading bits of red, green and blue that are compared; colors that agree in them count as one.
const BITS: u32 = 5;

/// Draws pictures of [`super::svg`], all equally wide, as an animation. Lower ones are filled up with their background.
///
/// # Errors
///
/// [`BrokenInvariant`] if there is no picture, or one is not ours.
pub fn gif(pictures: &[String]) -> Result<Vec<u8>, BrokenInvariant> {
    let samples = [0, pictures.len() / 2, pictures.len().saturating_sub(1)];
    let samples = samples.iter().filter_map(|at| pictures.get(*at));
    let samples = samples.map(|picture| painted(picture));
    let samples = samples.collect::<Result<Vec<Pixmap>, BrokenInvariant>>()?;
    let wide = samples.first().presume("there is a picture")?.width() as usize;
    let mut colors = SharedColors::of(&samples);
    let mut frames: Vec<Frame<'static>> = Vec::new();
    let mut shown: Vec<u8> = Vec::new();
    for picture in pictures {
        checkpoint();
        let painted = painted(picture)?;
        if painted.width() as usize != wide {
            continue; // so high that it was made smaller
        }
        let mut next = colors.numbers(&painted);
        next.truncate(next.len().saturating_sub(wide)); // the last row may be covered in part only
        let ground = next.first().copied().unwrap_or_default();
        next.resize(next.len().max(shown.len()), ground);
        frames.extend(changed(&shown, &next, wide));
        shown = next;
    }
    let high = u16::try_from(shown.len() / wide).presume("a picture is not as high")?;
    let wide = u16::try_from(wide).presume("a picture is not as wide")?;
    if let Some(first) = frames.first_mut() {
        let ground = first.buffer.first().copied().unwrap_or_default();
        first.buffer.to_mut().resize(shown.len(), ground);
        first.height = high;
    }
    if let Some(last) = frames.last_mut() {
        last.delay = LAST;
    }
    let written = encoded(&frames, [wide, high], &colors.palette.concat());
    written.presume("frames can be written into memory")
}

fn encoded(
    frames: &[Frame<'_>],
    [wide, high]: [u16; 2],
    palette: &[u8],
) -> Result<Vec<u8>, EncodingError> {
    let mut written = Vec::new();
    let mut encoder = Encoder::new(&mut written, wide, high, palette)?;
    encoder.set_repeat(Repeat::Infinite)?;
    frames
        .iter()
        .try_for_each(|frame| encoder.write_frame(frame))?;
    drop(encoder); // it writes the end
    Ok(written)
}

/// Returns the least part that contains every pixel that differs. `None` if none does.
fn changed(before: &[u8], after: &[u8], wide: usize) -> Option<Frame<'static>> {
    let rows = after.chunks(wide).enumerate();
    let differing = rows.filter_map(|(y, row)| {
        let old = before.get(y * wide..(y + 1) * wide).unwrap_or_default();
        let is_new = |x: &usize| old.get(*x) != row.get(*x);
        Some([(0..wide).find(is_new)?, y, (0..wide).rev().find(is_new)?, y])
    });
    let [left, top, right, bottom] =
        differing.reduce(|all, row| [all[0].min(row[0]), all[1], all[2].max(row[2]), row[3]])?;
    let rows = after.chunks(wide).take(bottom + 1).skip(top);
    let part = rows.flat_map(|row| row.get(left..=right).unwrap_or_default());
    let whole = |length: usize| u16::try_from(length).unwrap_or(u16::MAX);
    Some(Frame {
        left: whole(left),
        top: whole(top),
        width: whole(right - left + 1),
        height: whole(bottom - top + 1),
        buffer: part.copied().collect::<Vec<u8>>().into(),
        delay: PACE,
        ..Frame::default()
    })
}

/// At most 256 colors, and the numbers of those that are nearest to others, as far as anybody has looked for them.
struct SharedColors {
    palette: Vec<[u8; 3]>,
    nearest: Vec<Option<u8>>,
}

impl SharedColors {
    fn of(samples: &[Pixmap]) -> SharedColors {
        let mut counted = vec![([0_u64; 3], 0_u64); 1 << (3 * BITS)];
        for rgb in samples.iter().flat_map(colors) {
            if let Some((sum, count)) = counted.get_mut(bin(rgb)) {
                *count += 1;
                let parts = sum.iter_mut().zip(rgb);
                parts.for_each(|(sum, part)| *sum += u64::from(part));
            }
        }
        counted.retain(|(_, count)| *count > 0);
        counted.sort_by_key(|(_, count)| Reverse(*count));
        counted.truncate(256);
        let kept = counted.iter();
        let kept = kept.map(|(sum, count)| sum.map(|sum| (sum / count) as u8));
        SharedColors {
            palette: kept.collect(),
            nearest: vec![None; 1 << (3 * BITS)],
        }
    }

    fn numbers(&mut self, picture: &Pixmap) -> Vec<u8> {
        colors(picture).map(|rgb| self.number(rgb)).collect()
    }

    fn number(&mut self, rgb: [u8; 3]) -> u8 {
        let known = self.nearest.get_mut(bin(rgb));
        let number = known.map(|known| *known.get_or_insert_with(|| nearest(&self.palette, rgb)));
        number.unwrap_or_default()
    }
}

/// Returns the number of the color that is nearest to another one.
fn nearest(palette: &[[u8; 3]], rgb: [u8; 3]) -> u8 {
    let away = |(_, color): &(u8, &[u8; 3])| {
        let parts = color.iter().zip(rgb);
        let squares = parts.map(|(one, other)| u32::from(one.abs_diff(other)).pow(2));
        squares.sum::<u32>()
    };
    let nearest = (0..=u8::MAX).zip(palette).min_by_key(away);
    nearest.map_or(0, |(number, _)| number)
}

/// The colors of the pixels of a picture, which has no holes.
fn colors(picture: &Pixmap) -> impl Iterator<Item = [u8; 3]> {
    let pixels = picture.pixels().iter();
    pixels.map(|pixel| [pixel.red(), pixel.green(), pixel.blue()])
}

/// Returns a number that is the same for all colors that count as one.
fn bin(rgb: [u8; 3]) -> usize {
    let parts = rgb.iter();
    parts.fold(0, |number, part| {
        number << BITS | usize::from(part >> (8 - BITS))
    })
}
