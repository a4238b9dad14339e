//! Colors that people with any kind of color vision can tell apart, in light and dark.
//!
//! The eight colors of seats are those of M. Okabe and K. Ito, "Color Universal Design" (2008). A second sign, a letter
//! or a symbol, always accompanies a color.

/// Light or dark surroundings.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum PictureTheme {
    #[default]
    Light,
    Dark,
    /// Light or dark, as the reader prefers. The picture contains both.
    Auto,
}

/// A color as red, green and blue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rgb(pub u8, pub u8, pub u8);

/// A color in light and in dark surroundings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Color {
    pub light: Rgb,
    pub dark: Rgb,
}

impl From<Rgb> for Color {
    fn from(both: Rgb) -> Color {
        Color {
            light: both,
            dark: both,
        }
    }
}

impl Color {
    /// Returns the letters that are easier to read on this color, near black or near white.
    pub fn ink(self) -> Color {
        Color {
            light: self.light.ink(),
            dark: self.dark.ink(),
        }
    }

    /// Returns a mixture: `share` of this color, from 0 to 1, and the rest of the other.
    pub fn mixed(self, other: Color, share: f32) -> Color {
        Color {
            light: self.light.mixed(other.light, share),
            dark: self.dark.mixed(other.dark, share),
        }
    }
}

/// A color of pieces: its word in the rules, and the color.
#[derive(Debug, PartialEq, Eq)]
pub struct Swatch {
    pub word: &'static str,
    pub fill: Rgb,
}

impl Swatch {
    /// Returns the color, which is the same in all surroundings.
    pub fn color(&self) -> Color {
        self.fill.into()
    }

    /// Returns the color of letters and symbols on the face of a card: dark enough to be read.
    pub fn on_face(&self) -> Color {
        if self.word == "red" {
            return RED_ON_FACE.into();
        }
        let dark = (0..=10_u8).map(|n| self.fill.mixed(rgb(0), 1.0 - f32::from(n) * 0.1));
        let readable = |color: &Rgb| color.contrast(COLORS.face.dark) >= 4.5;
        dark.into_iter().find(readable).unwrap_or(rgb(0)).into()
    }
}

const fn swatch(word: &'static str, fill: u32) -> Swatch {
    Swatch {
        word,
        fill: rgb(fill),
    }
}

const fn rgb(hex: u32) -> Rgb {
    Rgb((hex >> 16) as u8, (hex >> 8) as u8, hex as u8)
}

/// The red of hearts and diamonds.
const RED_ON_FACE: Rgb = rgb(0xb8142c);

/// The colors that rules can name.
pub static SWATCHES: [Swatch; 15] = [
    swatch("black", 0x2b2b2b),
    swatch("blue", 0x0072b2),
    swatch("brown", 0x8a5a2b),
    swatch("gold", 0xd4af37),
    swatch("gray", 0x929292),
    swatch("green", 0x009e73),
    swatch("ochre", 0xb98a2f),
    swatch("orange", 0xe69f00),
    swatch("pink", 0xf2b8d6),
    swatch("purple", 0xcc79a7),
    swatch("red", 0xd55e00),
    swatch("silver", 0xc3c7cc),
    swatch("sky", 0x56b4e9),
    swatch("white", 0xf7f4ec),
    swatch("yellow", 0xf0e442),
];

/// The colors of seats 1 to 8.
pub const SEATS: [&str; 8] = [
    "blue", "orange", "green", "purple", "sky", "red", "yellow", "black",
];

/// Other words for colors, as values of types often use them.
const ALSO: [(&str, &str); 12] = [
    ("grey", "gray"),
    ("violet", "purple"),
    ("light_blue", "sky"),
    ("cyan", "sky"),
    ("turquoise", "sky"),
    ("azure", "sky"),
    ("scarlet", "red"),
    ("crimson", "red"),
    ("tan", "ochre"),
    ("amber", "orange"),
    ("lime", "green"),
    ("ivory", "white"),
];

/// Returns the color that a word names: `red`, `light_blue`, `is_green`.
pub fn named(word: &str) -> Option<&'static Swatch> {
    called(word).or_else(|| called(word.rsplit_once('_')?.1))
}

/// Returns the color that a whole word names.
pub fn called(word: &str) -> Option<&'static Swatch> {
    let also = ALSO.iter().find(|(other, _)| *other == word);
    let word = also.map_or(word, |(_, word)| word);
    SWATCHES.iter().find(|swatch| swatch.word == word)
}

/// Returns the word for the color of a seat, counted from 1.
pub fn word_of_seat(seat: u32) -> Option<&'static str> {
    let at = usize::try_from(seat.saturating_sub(1)).ok()? % SEATS.len();
    SEATS.get(at).copied()
}

impl Rgb {
    pub fn hex(self) -> String {
        let Rgb(red, green, blue) = self;
        format!("#{red:02x}{green:02x}{blue:02x}")
    }

    /// Returns the relative luminance, as WCAG 2 defines it.
    pub fn luminance(self) -> f32 {
        let linear = |part: u8| {
            let part = f32::from(part) / 255.0;
            match part <= 0.040_45 {
                true => part / 12.92,
                false => ((part + 0.055) / 1.055).powf(2.4),
            }
        };
        0.2126 * linear(self.0) + 0.7152 * linear(self.1) + 0.0722 * linear(self.2)
    }

    /// Returns the contrast of two colors, from 1 to 21.
    pub fn contrast(self, other: Rgb) -> f32 {
        let (a, b) = (self.luminance(), other.luminance());
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    /// Returns the letters that are easier to read on this color, near black or near white.
    pub fn ink(self) -> Rgb {
        let (dark, light) = (rgb(0x1a1a1a), rgb(0xffffff));
        match self.contrast(dark) >= self.contrast(light) {
            true => dark,
            false => light,
        }
    }

    /// Returns a mixture: `share` of this color, from 0 to 1, and the rest of the other.
    pub fn mixed(self, other: Rgb, share: f32) -> Rgb {
        let mix = |own: u8, other: u8| {
            let mixed = f32::from(own) * share + f32::from(other) * (1.0 - share);
            mixed.round() as u8
        };
        Rgb(
            mix(self.0, other.0),
            mix(self.1, other.1),
            mix(self.2, other.2),
        )
    }
}

/// The colors of everything that is not a piece.
#[derive(Debug, Clone, Copy)]
pub struct SurroundingColors {
    pub ground: Color,
    pub panel: Color,
    pub line: Color,
    pub ink: Color,
    pub faint: Color,
    pub paper: Color,
    /// The face of a card with nothing but signs.
    pub face: Color,
    pub back: Color,
    pub board: Color,
    pub board_other: Color,
    pub accent: Color,
    pub last: Color,
    pub marked: Color,
    /// The ground of stones on crossings, black and white ones.
    pub wood: Color,
}

pub const COLORS: SurroundingColors = SurroundingColors {
    ground: color(0xf3efe6, 0x16181d),
    panel: color(0xfdfbf6, 0x20242b),
    line: color(0x8d8471, 0x6d7482),
    ink: color(0x1f1d19, 0xf1efe9),
    faint: color(0x5c5649, 0xb3b0a8),
    paper: color(0xfffefa, 0x2c313a),
    face: color(0xfffefa, 0xe9e6de),
    back: color(0x4a5d7d, 0x55688a),
    board: color(0xe6dcc5, 0x353b45),
    board_other: color(0xd5c7a8, 0x2a2f38),
    accent: color(0x8f2d56, 0xff9ec4),
    last: color(0x6a1fd0, 0xb794ff),
    wood: color(0xe3c98f, 0x8f7749),
    marked: color(0xe0115f, 0xff6b9d),
};

const fn color(light: u32, dark: u32) -> Color {
    Color {
        light: rgb(light),
        dark: rgb(dark),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Matrices for linear light that simulate total lack of one kind of cone (Viénot, Brettel and Mollon 1999 for the
    /// first two; Brettel's approximation by Machado, Oliveira and Fernandes 2009 for the third).
    const VISIONS: [(&str, [[f32; 3]; 3]); 4] = [
        (
            "common",
            [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        ),
        (
            "protanopia",
            [
                [0.112_38, 0.887_62, 0.0],
                [0.112_38, 0.887_62, 0.0],
                [0.004_01, -0.004_01, 1.0],
            ],
        ),
        (
            "deuteranopia",
            [
                [0.292_75, 0.707_25, 0.0],
                [0.292_75, 0.707_25, 0.0],
                [-0.022_34, 0.022_34, 1.0],
            ],
        ),
        (
            "tritanopia",
            [
                [1.255_53, -0.076_75, -0.178_78],
                [-0.078_41, 0.930_81, 0.147_60],
                [0.004_73, 0.691_37, 0.303_90],
            ],
        ),
    ];

    fn linear(part: u8) -> f32 {
        let part = f32::from(part) / 255.0;
        match part <= 0.040_45 {
            true => part / 12.92,
            false => ((part + 0.055) / 1.055).powf(2.4),
        }
    }

    /// Lightness and two axes of color (CIE Lab, white D65).
    fn lab(color: Rgb, vision: &[[f32; 3]; 3]) -> [f32; 3] {
        let own = [linear(color.0), linear(color.1), linear(color.2)];
        let dot = |row: &[f32; 3], v: &[f32; 3]| row.iter().zip(v).map(|(a, b)| a * b).sum::<f32>();
        let seen = vision.map(|row| dot(&row, &own).clamp(0.0, 1.0));
        let xyz = [
            [0.4124, 0.3576, 0.1805],
            [0.2126, 0.7152, 0.0722],
            [0.0193, 0.1192, 0.9505],
        ]
        .map(|row| dot(&row, &seen));
        let f = |t: f32| match t > 0.008_856 {
            true => t.cbrt(),
            false => 7.787 * t + 16.0 / 116.0,
        };
        let (x, y, z) = (f(xyz[0] / 0.9505), f(xyz[1]), f(xyz[2] / 1.089));
        [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
    }

    #[test]
    fn seats_can_be_told_apart_with_every_kind_of_color_vision() {
        let colors = || SEATS.iter().map(|word| named(word).unwrap());
        for (vision, matrix) in &VISIONS {
            for (at, one) in colors().enumerate() {
                for other in colors().skip(at + 1) {
                    let (a, b) = (lab(one.fill, matrix), lab(other.fill, matrix));
                    let apart = a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f32>();
                    assert!(
                        apart.sqrt() > 11.0,
                        "{vision}: {} and {} are {} apart",
                        one.word,
                        other.word,
                        apart.sqrt()
                    );
                }
            }
        }
    }

    #[test]
    fn letters_can_be_read() {
        for swatch in &SWATCHES {
            let contrast = swatch.fill.contrast(swatch.fill.ink());
            assert!(contrast >= 4.5, "{}: {contrast}", swatch.word);
        }
        let c = COLORS;
        for (on, letters) in [
            (c.ground, c.ink),
            (c.panel, c.ink),
            (c.panel, c.faint),
            (c.ground, c.faint),
            (c.paper, c.ink),
            (c.board, c.ink),
            (c.board_other, c.ink),
            (c.panel, c.accent),
        ] {
            let contrast = letters
                .light
                .contrast(on.light)
                .min(letters.dark.contrast(on.dark));
            assert!(contrast >= 4.5, "{letters:?} on {on:?}");
        }
    }

    #[test]
    fn the_rules_and_the_palette_have_the_same_words() {
        let words: Vec<&str> = SWATCHES.iter().map(|swatch| swatch.word).collect();
        assert_eq!(words, wyrmgate_lang::look::COLORS);
    }
}
