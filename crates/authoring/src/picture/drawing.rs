//! Shapes with places, and how they are written as SVG: without scripts, fonts or links.

use std::fmt::{Arguments, Write as _};

use super::palette::Rgb;
use super::symbols::{SIDE, Symbol};

/// A rectangle, in pixels.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Rect {
    pub x: f32,
    pub y: f32,
    pub w: f32,
    pub h: f32,
}

impl Rect {
    pub const fn new(x: f32, y: f32, w: f32, h: f32) -> Rect {
        Rect { x, y, w, h }
    }

    pub fn right(&self) -> f32 {
        self.x + self.w
    }

    pub fn bottom(&self) -> f32 {
        self.y + self.h
    }

    pub fn center(&self) -> (f32, f32) {
        (self.x + self.w / 2.0, self.y + self.h / 2.0)
    }

    /// Returns the rectangle with this margin inside.
    pub fn inset(&self, margin: f32) -> Rect {
        Rect::new(
            self.x + margin,
            self.y + margin,
            (self.w - 2.0 * margin).max(0.0),
            (self.h - 2.0 * margin).max(0.0),
        )
    }
}

/// What a part of the picture stands for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum What {
    #[default]
    Group,
    Player,
    Counter,
    Board,
    Space,
    Zone,
    Piece,
    Choice,
}

impl What {
    fn class(self) -> Option<&'static str> {
        match self {
            What::Group => None,
            What::Player => Some("player"),
            What::Counter => Some("counter"),
            What::Board => Some("board"),
            What::Space => Some("space"),
            What::Zone => Some("zone"),
            What::Piece => Some("piece"),
            What::Choice => Some("choice"),
        }
    }
}

/// A part of the picture: its shapes, and parts on top of them.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Node {
    pub what: What,
    pub id: String,
    pub title: String,
    pub choices: Vec<String>,
    /// Whether what lies below shows through.
    pub is_sheer: bool,
    pub at: Rect,
    pub shapes: Vec<Shape>,
    pub inner: Vec<Node>,
}

/// The outline of a shape: its color and width.
pub type Outline = Option<(Rgb, f32)>;

#[derive(Debug, Clone, PartialEq)]
pub enum Shape {
    Rect {
        at: Rect,
        round: f32,
        fill: Option<Rgb>,
        line: Outline,
        is_dashed: bool,
    },
    Circle {
        at: (f32, f32),
        radius: f32,
        fill: Rgb,
        line: Outline,
    },
    Polygon {
        points: Vec<(f32, f32)>,
        fill: Rgb,
        line: Outline,
    },
    /// An open line.
    Way {
        points: Vec<(f32, f32)>,
        line: (Rgb, f32),
    },
    Sign {
        symbol: &'static Symbol,
        at: Rect,
        fill: Rgb,
        line: Option<Rgb>,
    },
    Text {
        at: (f32, f32),
        anchor: Anchor,
        size: f32,
        is_bold: bool,
        fill: Rgb,
        text: String,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Anchor {
    Start,
    Middle,
    End,
}

impl Node {
    pub fn new(what: What, id: &str, title: &str) -> Node {
        Node {
            what,
            id: id.to_owned(),
            title: title.to_owned(),
            ..Node::default()
        }
    }

    /// Returns the part with everything in it moved.
    pub fn moved(mut self, x: f32, y: f32) -> Node {
        self.shift(x, y);
        self
    }

    fn shift(&mut self, x: f32, y: f32) {
        self.at.x += x;
        self.at.y += y;
        for shape in &mut self.shapes {
            shape.shift(x, y);
        }
        for node in &mut self.inner {
            node.shift(x, y);
        }
    }

    /// Calls a function for this part and each part in it.
    pub fn each<'n>(&'n self, visit: &mut dyn FnMut(&'n Node)) {
        visit(self);
        for node in &self.inner {
            node.each(visit);
        }
    }

    /// Returns the first part for which a condition holds.
    pub fn find(&self, is_it: &dyn Fn(&Node) -> bool) -> Option<&Node> {
        if is_it(self) {
            return Some(self);
        }
        self.inner.iter().find_map(|node| node.find(is_it))
    }
}

impl Shape {
    fn shift(&mut self, x: f32, y: f32) {
        let add = |point: &mut (f32, f32)| {
            point.0 += x;
            point.1 += y;
        };
        match self {
            Shape::Rect { at, .. } | Shape::Sign { at, .. } => {
                at.x += x;
                at.y += y;
            }
            Shape::Circle { at, .. } | Shape::Text { at, .. } => add(at),
            Shape::Polygon { points, .. } | Shape::Way { points, .. } => {
                points.iter_mut().for_each(add);
            }
        }
    }
}

/// Writes a picture as a document of its own. `width` is its width on the screen.
pub fn svg(root: &Node, title: &str, ground: Rgb, width: f32) -> String {
    let Rect { w, h, .. } = root.at;
    let size = (short(width), short(width * h / w.max(1.0)));
    document(root, title, ground, (&size.0, &size.1))
}

/// Like [`svg`], for paper.
pub fn svg_in_millimeters(root: &Node, title: &str, ground: Rgb, size: (f32, f32)) -> String {
    let in_millimeters = |length: f32| format!("{}mm", short(length));
    let size = (in_millimeters(size.0), in_millimeters(size.1));
    document(root, title, ground, (&size.0, &size.1))
}

fn document(root: &Node, title: &str, ground: Rgb, (width, height): (&str, &str)) -> String {
    let Rect { x, y, w, h } = root.at;
    let mut out = String::new();
    put(
        &mut out,
        format_args!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"{} {} {} {}\" width=\"{}\" height=\"{}\" role=\"img\"><title>{}</title><style>text{{font-family:'DejaVu Sans','Noto Sans',system-ui,sans-serif}}path{{fill-rule:evenodd}}</style><rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"/>",
            short(x),
            short(y),
            short(w),
            short(h),
            width,
            height,
            escaped(title),
            short(x),
            short(y),
            short(w),
            short(h),
            ground.hex()
        ),
    );
    write_node(&mut out, root);
    out.push_str("</svg>\n");
    out
}

fn write_node(out: &mut String, node: &Node) {
    let is_plain =
        node.id.is_empty() && node.title.is_empty() && node.what == What::Group && !node.is_sheer;
    if !is_plain {
        out.push_str("<g");
        if let Some(class) = node.what.class() {
            attribute(out, "class", class);
        }
        if !node.id.is_empty() {
            attribute(out, "id", &node.id);
        }
        if node.is_sheer {
            attribute(out, "opacity", "0.6");
        }
        if !node.choices.is_empty() {
            attribute(out, "data-choices", &node.choices.join(" "));
        }
        out.push('>');
        if !node.title.is_empty() {
            put(out, format_args!("<title>{}</title>", escaped(&node.title)));
        }
    }
    for shape in &node.shapes {
        write_shape(out, shape);
    }
    for inner in &node.inner {
        write_node(out, inner);
    }
    if !is_plain {
        out.push_str("</g>");
    }
}

fn attribute(out: &mut String, name: &str, value: &str) {
    put(out, format_args!(" {name}=\"{}\"", escaped(value)));
}

fn write_shape(out: &mut String, shape: &Shape) {
    match shape {
        Shape::Rect {
            at,
            round,
            fill,
            line,
            is_dashed,
        } => {
            put(
                out,
                format_args!(
                    "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"{}\"",
                    short(at.x),
                    short(at.y),
                    short(at.w),
                    short(at.h),
                    short(*round)
                ),
            );
            write_paint(out, *fill, *line);
            if *is_dashed {
                attribute(out, "stroke-dasharray", "5 4");
            }
            out.push_str("/>");
        }
        Shape::Circle {
            at,
            radius,
            fill,
            line,
        } => {
            put(
                out,
                format_args!(
                    "<circle cx=\"{}\" cy=\"{}\" r=\"{}\"",
                    short(at.0),
                    short(at.1),
                    short(*radius)
                ),
            );
            write_paint(out, Some(*fill), *line);
            out.push_str("/>");
        }
        Shape::Polygon { points, fill, line } => {
            put(out, format_args!("<polygon points=\"{}\"", listed(points)));
            write_paint(out, Some(*fill), *line);
            out.push_str("/>");
        }
        Shape::Way { points, line } => {
            put(out, format_args!("<polyline points=\"{}\"", listed(points)));
            write_paint(out, None, Some(*line));
            out.push_str(" stroke-linejoin=\"round\" stroke-linecap=\"round\"/>");
        }
        Shape::Sign {
            symbol,
            at,
            fill,
            line,
        } => write_sign(out, symbol, *at, *fill, *line),
        Shape::Text {
            at,
            anchor,
            size,
            is_bold,
            fill,
            text,
        } => {
            put(
                out,
                format_args!(
                    "<text x=\"{}\" y=\"{}\" font-size=\"{}\" fill=\"{}\"",
                    short(at.0),
                    short(at.1),
                    short(*size),
                    fill.hex()
                ),
            );
            match anchor {
                Anchor::Start => {}
                Anchor::Middle => attribute(out, "text-anchor", "middle"),
                Anchor::End => attribute(out, "text-anchor", "end"),
            }
            if *is_bold {
                attribute(out, "font-weight", "bold");
            }
            put(out, format_args!(">{}</text>", escaped(text)));
        }
    }
}

fn write_sign(out: &mut String, symbol: &Symbol, at: Rect, fill: Rgb, line: Option<Rgb>) {
    let scale = at.w.min(at.h) / SIDE;
    let (cx, cy) = at.center();
    let (x, y) = (cx - SIDE * scale / 2.0, cy - SIDE * scale / 2.0);
    put(
        out,
        format_args!(
            "<path transform=\"translate({} {}) scale({:.3})\" d=\"{}\"",
            short(x),
            short(y),
            scale,
            symbol.path
        ),
    );
    write_paint(out, Some(fill), line.map(|line| (line, 1.2)));
    if line.is_some() {
        attribute(out, "stroke-linejoin", "round");
    }
    out.push_str("/>");
}

fn write_paint(out: &mut String, fill: Option<Rgb>, line: Outline) {
    match fill {
        Some(fill) => attribute(out, "fill", &fill.hex()),
        None => attribute(out, "fill", "none"),
    }
    if let Some((color, width)) = line {
        attribute(out, "stroke", &color.hex());
        attribute(out, "stroke-width", &short(width));
    }
}

fn listed(points: &[(f32, f32)]) -> String {
    let points = points.iter();
    let points = points.map(|(x, y)| format!("{},{}", short(*x), short(*y)));
    points.collect::<Vec<_>>().join(" ")
}

/// Formats a length with at most one digit behind the point.
fn short(length: f32) -> String {
    let text = format!("{length:.1}");
    let text = text.strip_suffix(".0").unwrap_or(&text);
    match text {
        "-0" => "0".to_owned(),
        text => text.to_owned(),
    }
}

/// Appends to a string, which cannot fail.
fn put(out: &mut String, what: Arguments<'_>) {
    let _ = out.write_fmt(what);
}

pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
