//! Writes boards as SVG without scripts, fonts or links.

use std::fmt::Write;

use super::{Board, Space, Token, color};

/// Size of a space and distance between spaces, in pixels.
const SPACE: f32 = 72.0;
const GAP: f32 = 4.0;
const TOKEN: f32 = 11.0;
/// Number of tokens side by side on a space before a new row begins.
const TOKENS_IN_ROW: usize = 3;
/// Maximum number of tokens to draw; the rest is only counted.
const TOKENS_MAX: usize = 6;
const LABEL_LETTERS_MAX: usize = 11;

const STYLE: &str = "text{font-family:sans-serif;text-anchor:middle;fill:#222}.label{font-size:10px}.caption{font-size:13px;font-weight:bold;text-anchor:start}.mark{font-size:10px;font-weight:bold;dominant-baseline:central}.left{text-anchor:start}.light{fill:#fff}.number{font-size:10px;font-weight:bold;text-anchor:end}.space{stroke:#6b5d45}.token{stroke:#222}";

pub fn draw(board: &Board) -> String {
    let (width, height) = size(board);
    let mut svg = begin(&board.title, width, height);
    draw_spaces(&mut svg, board);
    svg.push_str("</svg>\n");
    svg
}

/// Returns the width and height of a board in pixels.
pub fn size(board: &Board) -> (f32, f32) {
    (board.width * SPACE + GAP, board.height * SPACE + GAP)
}

/// Begins a document.
pub fn begin(title: &str, width: f32, height: f32) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" role=\"img\"><title>{}</title><style>{STYLE}</style>",
        escaped(title)
    )
}

pub fn draw_spaces(svg: &mut String, board: &Board) {
    for space in &board.spaces {
        draw_space(svg, space);
    }
}

fn draw_space(svg: &mut String, space: &Space) {
    let (x, y) = (space.x * SPACE + GAP, space.y * SPACE + GAP);
    let side = SPACE - GAP;
    let fill = space.fill.unwrap_or(color::PLAIN);
    put(
        svg,
        format_args!(
            "<g id=\"{}\"><title>{}</title><rect class=\"space\" x=\"{x}\" y=\"{y}\" width=\"{side}\" height=\"{side}\" rx=\"6\" fill=\"{fill}\" fill-opacity=\"0.55\"/>",
            escaped(&space.id),
            escaped(&space.title)
        ),
    );
    let (middle, bottom) = (x + side / 2.0, y + side - 5.0);
    // Beside a number, the label stands on the left.
    let (class, at) = match space.number.is_empty() {
        true => ("label", middle),
        false => ("label left", x + 6.0),
    };
    let label = shortened(&space.label, LABEL_LETTERS_MAX);
    put(
        svg,
        format_args!(
            "<text class=\"{class}\" x=\"{at}\" y=\"{bottom}\">{}</text>",
            escaped(&label)
        ),
    );
    draw_number(svg, &space.number, x + side - 7.0, bottom);
    let in_rows = space.tokens.len().min(TOKENS_MAX);
    for (at, token) in space.tokens.iter().take(TOKENS_MAX).enumerate() {
        let (column, row) = (at % TOKENS_IN_ROW, at / TOKENS_IN_ROW);
        // Center a row that is not full.
        let in_row = (in_rows - row * TOKENS_IN_ROW).min(TOKENS_IN_ROW);
        let step = side / TOKENS_IN_ROW as f32;
        let left = x + (side - step * in_row as f32) / 2.0;
        draw_token(
            svg,
            token,
            left + step * (column as f32 + 0.5),
            y + 15.0 + row as f32 * 25.0,
        );
    }
    let more = space.tokens.len().saturating_sub(TOKENS_MAX);
    if more > 0 {
        put(
            svg,
            format_args!(
                "<text class=\"label\" x=\"{}\" y=\"{}\">+{more}</text>",
                match space.number.is_empty() {
                    true => x + side - 10.0,
                    false => middle,
                },
                bottom
            ),
        );
    }
    svg.push_str("</g>");
}

/// Draws a number in the lower right corner.
fn draw_number(svg: &mut String, number: &str, right: f32, bottom: f32) {
    if !number.is_empty() {
        put(
            svg,
            format_args!(
                "<text class=\"number\" x=\"{right}\" y=\"{bottom}\">{}</text>",
                escaped(number)
            ),
        );
    }
}

fn draw_token(svg: &mut String, token: &Token, x: f32, y: f32) {
    put(
        svg,
        format_args!(
            "<g><title>{}</title><circle class=\"token\" cx=\"{x}\" cy=\"{y}\" r=\"{TOKEN}\" fill=\"{}\"/><text class=\"{}\" x=\"{x}\" y=\"{y}\">{}</text></g>",
            escaped(&token.title),
            token.fill,
            if token.is_dark { "mark light" } else { "mark" },
            escaped(&token.mark)
        ),
    );
}

/// Appends to a string, which cannot fail.
pub fn put(svg: &mut String, what: std::fmt::Arguments<'_>) {
    let _ = svg.write_fmt(what);
}

pub fn shortened(label: &str, letters_max: usize) -> String {
    if label.chars().count() <= letters_max {
        return label.to_owned();
    }
    let head: String = label.chars().take(letters_max - 1).collect();
    format!("{}…", head.trim_end())
}

pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
