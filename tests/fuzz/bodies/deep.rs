//! Inputs that nest deep, which random changes of bytes hardly ever make: a recipe names what is repeated, and how often.

use std::borrow::Cow;

use wyrmgate::dice::Dice;

/// The first byte of a recipe, and what stands between its parts. Neither is text.
const RECIPE: u8 = 0xFF;
const BETWEEN: u8 = 0xFE;
/// The maximum length of what a recipe makes.
const LENGTH_MAX: usize = 60_000;

/// What opens and closes a level, in the languages that are read.
const LEVELS: &[(&str, &str)] = &[
    ("[", "]"),
    ("[[1], ", "]"),
    ("{\"a\":", "}"),
    ("{a: ", "}"),
    ("- ", ""),
    ("? ", ""),
    ("!a ", ""),
    ("a:\n ", ""),
    ("(", ")"),
    ("count(", ")"),
    ("1..2 where it = count(", ")"),
    ("\"{", "}\""),
    ("not ", ""),
    ("-", ""),
    ("1 + ", ""),
    ("a.", ""),
    ("a[", "]"),
    ("if true: ", ""),
    ("if true then 1 else ", ""),
    ("let a = 1; ", ""),
    ("some a in seats has ", ""),
    ("each a in seats: ", ""),
    ("round: ", ""),
];

/// Returns what a recipe makes; any other input as it is.
pub fn unfolded(data: &[u8]) -> Cow<'_, [u8]> {
    let Some((&[RECIPE, low, high], rest)) = data.split_first_chunk::<3>() else {
        return Cow::Borrowed(data);
    };
    let parts: Vec<&[u8]> = rest.split(|byte| *byte == BETWEEN).collect();
    let &[before, open, inner, close, after] = parts.as_slice() else {
        return Cow::Borrowed(data);
    };
    let level = (open.len() + close.len()).max(1);
    let depth = usize::from(u16::from_le_bytes([low, high])).min(LENGTH_MAX / level);
    Cow::Owned(
        [
            before,
            &open.repeat(depth),
            inner,
            &close.repeat(depth),
            after,
        ]
        .concat(),
    )
}

/// Makes a recipe from an input: a place in it nests.
pub fn recipe(input: &[u8], dice: &mut Dice) -> Vec<u8> {
    let mut below = |limit: usize| dice.below(limit.max(1) as u64) as usize;
    let at = below(input.len() + 1);
    let inner = at + below(12).min(input.len() - at);
    let (open, close) = match below(3) {
        0 => {
            let end = inner + below(12).min(input.len() - inner);
            (&input[at..inner], &input[inner..end])
        }
        _ => {
            let (open, close) = LEVELS[below(LEVELS.len())];
            (open.as_bytes(), close.as_bytes())
        }
    };
    let depth = [30, 33, 64, 65, 128, 130, 256, 260, 1_000, 10_000][below(10)] as u16;
    let [low, high] = depth.to_le_bytes();
    let parts = [
        &input[..at],
        open,
        &input[at..inner],
        close,
        &input[inner..],
    ];
    [&[RECIPE, low, high], &*parts.join(&BETWEEN)].concat()
}
