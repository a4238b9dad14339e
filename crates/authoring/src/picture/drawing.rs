//! Shapes with places and colors.

use super::palette::Color;
use super::symbols::DrawnSymbol;

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

    /// Returns the shape of the rectangle with round corners.
    pub fn rounded(self, round: f32, fill: Option<Color>, line: Outline) -> DrawnShape {
        let figure = Figure::Rect {
            at: self,
            round,
            is_dashed: false,
        };
        DrawnShape::new(figure, fill, line)
    }
}

/// Returns the direction of a side, north first and clockwise.
pub fn toward(side: u8) -> (f32, f32) {
    let all = [(0.0, -1.0), (1.0, 0.0), (0.0, 1.0), (-1.0, 0.0)];
    all.get(usize::from(side)).copied().unwrap_or_default()
}

/// The role of a part of the picture.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum PartRole {
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

impl PartRole {
    /// Returns its class in SVG.
    pub(super) fn class(self) -> Option<&'static str> {
        match self {
            PartRole::Group => None,
            PartRole::Player => Some("player"),
            PartRole::Counter => Some("counter"),
            PartRole::Board => Some("board"),
            PartRole::Space => Some("space"),
            PartRole::Zone => Some("zone"),
            PartRole::Piece => Some("piece"),
            PartRole::Choice => Some("choice"),
        }
    }
}

/// A part of the picture: its shapes, and parts on top of them.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PictureNode {
    pub what: PartRole,
    pub id: String,
    pub title: String,
    pub choices: Vec<String>,
    /// Whether what lies below shows through.
    pub is_translucent: bool,
    pub at: Rect,
    /// Where a part that stands for a choice answers to a pointer.
    pub hit: Option<Figure>,
    pub shapes: Vec<DrawnShape>,
    pub inner: Vec<PictureNode>,
}

/// The outline of a shape: its color and width.
pub type Outline = Option<(Color, f32)>;

/// A figure with the color that fills it and its outline.
#[derive(Debug, Clone, PartialEq)]
pub struct DrawnShape {
    pub figure: Figure,
    pub fill: Option<Color>,
    pub line: Outline,
}

type Point = (f32, f32);

#[derive(Debug, Clone, PartialEq)]
pub enum Figure {
    Rect {
        at: Rect,
        round: f32,
        is_dashed: bool,
    },
    Circle {
        at: Point,
        radius: f32,
    },
    Polygon(Vec<Point>),
    /// An open line.
    Polyline(Vec<Point>),
    Symbol(&'static DrawnSymbol, Rect),
    Text {
        at: Point,
        anchor: Anchor,
        size: f32,
        weight: Weight,
        text: String,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Weight {
    Regular,
    Bold,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Anchor {
    Start,
    Middle,
    End,
}

impl Figure {
    /// Returns a rectangle with corners and whole lines.
    pub fn plain(at: Rect) -> Figure {
        Figure::Rect {
            at,
            round: 0.0,
            is_dashed: false,
        }
    }

    fn shift(&mut self, x: f32, y: f32) {
        let add = |point: &mut Point| {
            point.0 += x;
            point.1 += y;
        };
        match self {
            Figure::Rect { at, .. } | Figure::Symbol(_, at) => {
                at.x += x;
                at.y += y;
            }
            Figure::Circle { at, .. } | Figure::Text { at, .. } => add(at),
            Figure::Polygon(points) | Figure::Polyline(points) => {
                points.iter_mut().for_each(add);
            }
        }
    }
}

impl PictureNode {
    pub fn new(what: PartRole, id: &str, title: &str) -> PictureNode {
        PictureNode {
            what,
            id: id.to_owned(),
            title: title.to_owned(),
            ..PictureNode::default()
        }
    }

    /// Draws a shape over those before it.
    pub fn draw(&mut self, shape: DrawnShape) {
        self.shapes.push(shape);
    }

    pub fn draw_all(&mut self, shapes: impl IntoIterator<Item = DrawnShape>) {
        self.shapes.extend(shapes);
    }

    /// Draws a shape under those before it.
    pub fn draw_below(&mut self, shape: DrawnShape) {
        self.shapes.insert(0, shape);
    }

    /// Returns the part with everything in it moved.
    pub fn moved(mut self, x: f32, y: f32) -> PictureNode {
        self.shift(x, y);
        self
    }

    fn shift(&mut self, x: f32, y: f32) {
        self.at.x += x;
        self.at.y += y;
        for shape in &mut self.shapes {
            shape.figure.shift(x, y);
        }
        for node in &mut self.inner {
            node.shift(x, y);
        }
    }

    /// Returns whether the part stands for a choice.
    pub fn is_choice(&self) -> bool {
        self.what == PartRole::Choice || !self.choices.is_empty()
    }

    /// Calls a function for this part and each part in it.
    pub fn each<'n>(&'n self, visit: &mut dyn FnMut(&'n PictureNode)) {
        visit(self);
        for node in &self.inner {
            node.each(visit);
        }
    }

    /// Returns the first part for which a condition holds.
    pub fn find(&self, is_it: &dyn Fn(&PictureNode) -> bool) -> Option<&PictureNode> {
        if is_it(self) {
            return Some(self);
        }
        self.inner.iter().find_map(|node| node.find(is_it))
    }
}

impl DrawnShape {
    pub fn new(figure: Figure, fill: Option<Color>, line: Outline) -> DrawnShape {
        DrawnShape { figure, fill, line }
    }

    pub fn circle(at: Point, radius: f32, fill: Color, line: Outline) -> DrawnShape {
        DrawnShape::new(Figure::Circle { at, radius }, Some(fill), line)
    }

    pub fn polygon(points: Vec<Point>, fill: Option<Color>, line: Outline) -> DrawnShape {
        DrawnShape::new(Figure::Polygon(points), fill, line)
    }

    pub fn polyline(points: Vec<Point>, line: (Color, f32)) -> DrawnShape {
        DrawnShape::new(Figure::Polyline(points), None, Some(line))
    }
}
