//! Writes shapes as SVG: without scripts, fonts or links.

use std::fmt::{Arguments, Write as _};

use super::drawing::{Anchor, DrawnShape, Figure, Outline, PartRole, PictureNode, Rect, Weight};
use super::palette::{COLORS, Color, PictureTheme};
use super::symbols::{DrawnSymbol, SIDE};

/// A picture as a document of its own.
#[derive(Debug, Clone, Copy)]
pub struct Document<'s> {
    pub title: &'s str,
    pub ground: Color,
    pub theme: PictureTheme,
}

impl<'s> Document<'s> {
    /// Returns a document on the usual ground.
    pub fn of(title: &'s str, theme: PictureTheme) -> Document<'s> {
        Document {
            title,
            ground: COLORS.ground,
            theme,
        }
    }

    /// Writes the shapes. `width` is their width on the screen.
    pub fn svg(&self, root: &PictureNode, width: f32) -> String {
        let Rect { w, h, .. } = root.at;
        self.document(root, &short(width), &short(width * h / w.max(1.0)))
    }

    /// Writes the shapes in a size on paper.
    pub fn svg_in_millimeters(&self, root: &PictureNode, width: f32, height: f32) -> String {
        let in_millimeters = |length: f32| format!("{}mm", short(length));
        self.document(root, &in_millimeters(width), &in_millimeters(height))
    }

    fn document(&self, root: &PictureNode, width: &str, height: &str) -> String {
        let Rect { x, y, w, h } = root.at;
        let (x, y, w, h) = (short(x), short(y), short(w), short(h));
        let mut writer = MarkupWriter {
            out: String::new(),
            theme: self.theme,
            has_hits: root.find(&|node| node.hit.is_some()).is_some(),
        };
        let scheme = match self.theme {
            PictureTheme::Auto => "svg{color-scheme:light dark}",
            PictureTheme::Light | PictureTheme::Dark => "",
        };
        let inert = match writer.has_hits {
            true => " pointer-events=\"none\"",
            false => "",
        };
        writer.put(format_args!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"{x} {y} {w} {h}\" width=\"{width}\" height=\"{height}\" role=\"img\"{inert}><title>{}</title><style>text{{font-family:'DejaVu Sans','Noto Sans',system-ui,sans-serif}}path{{fill-rule:evenodd}}{scheme}</style><rect x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\"",
            escaped(self.title),
        ));
        writer.paint(Some(self.ground), None);
        writer.out.push_str("/>");
        writer.node(root);
        writer.out.push_str("</svg>\n");
        writer.out
    }
}

struct MarkupWriter {
    out: String,
    theme: PictureTheme,
    /// Whether something in the picture stands for a choice. Then only this, and pieces with titles to read, answer to a
    /// pointer: what is drawn over a place must not keep the pointer away from it.
    has_hits: bool,
}

impl MarkupWriter {
    fn node(&mut self, node: &PictureNode) {
        let is_plain = node.id.is_empty()
            && node.title.is_empty()
            && node.what == PartRole::Group
            && !node.is_translucent;
        if !is_plain {
            self.out.push_str("<g");
            if let Some(class) = node.what.class() {
                self.attribute("class", class);
            }
            if !node.id.is_empty() {
                self.attribute("id", &node.id);
            }
            if node.is_translucent {
                self.attribute("opacity", "0.6");
            }
            if self.has_hits && node.what == PartRole::Piece {
                self.attribute("pointer-events", "auto");
            }
            if !node.choices.is_empty() {
                self.attribute("data-choices", &node.choices.join(" "));
            }
            self.out.push('>');
            if !node.title.is_empty() {
                self.put(format_args!("<title>{}</title>", escaped(&node.title)));
            }
        }
        for shape in &node.shapes {
            self.shape(shape, node.is_choice());
        }
        if let Some(hit) = &node.hit {
            self.hit(hit);
        }
        for inner in &node.inner {
            self.node(inner);
        }
        if !is_plain {
            self.out.push_str("</g>");
        }
    }

    fn attribute(&mut self, name: &str, value: &str) {
        self.put(format_args!(" {name}=\"{}\"", escaped(value)));
    }

    /// Writes the invisible area in which a part answers to a pointer.
    fn hit(&mut self, area: &Figure) {
        self.figure(area);
        self.out
            .push_str(" class=\"hit\" fill=\"none\" pointer-events=\"all\"/>");
    }

    /// Writes the name and the place of an element.
    fn figure(&mut self, figure: &Figure) {
        match figure {
            Figure::Rect { at, round, .. } => {
                let [x, y, w, h, round] = [at.x, at.y, at.w, at.h, *round].map(short);
                self.put(format_args!(
                    "<rect x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\" rx=\"{round}\""
                ));
            }
            Figure::Circle { at, radius } => {
                let (x, y, r) = (short(at.0), short(at.1), short(*radius));
                self.put(format_args!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{r}\""));
            }
            Figure::Polygon(points) => self.points("polygon", points),
            Figure::Polyline(points) => self.points("polyline", points),
            Figure::Symbol(symbol, at) => self.symbol(symbol, *at),
            Figure::Text { at, size, .. } => {
                let (x, y, size) = (short(at.0), short(at.1), short(*size));
                self.put(format_args!(
                    "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\""
                ));
            }
        }
    }

    /// Writes a shape. The outline that says that a part can be chosen is a `mark`, which clients take away again.
    fn shape(&mut self, shape: &DrawnShape, is_choice: bool) {
        self.figure(&shape.figure);
        let is_mark = |(color, _): &(Color, f32)| is_choice && *color == COLORS.accent;
        if shape.line.as_ref().is_some_and(is_mark) {
            self.attribute("class", "mark");
        }
        self.paint(shape.fill, shape.line);
        match &shape.figure {
            Figure::Rect {
                is_dashed: true, ..
            } => self.attribute("stroke-dasharray", "5 4"),
            Figure::Polyline(_) => {
                self.attribute("stroke-linejoin", "round");
                self.attribute("stroke-linecap", "round");
            }
            Figure::Symbol(..) if shape.line.is_some() => {
                self.attribute("stroke-linejoin", "round");
            }
            Figure::Text {
                anchor,
                weight,
                text,
                ..
            } => {
                self.style(*anchor, *weight);
                return self.put(format_args!(">{}</text>", escaped(text)));
            }
            _ => {}
        }
        self.out.push_str("/>");
    }

    /// Writes the attributes of a text.
    fn style(&mut self, anchor: Anchor, weight: Weight) {
        match anchor {
            Anchor::Start => {}
            Anchor::Middle => self.attribute("text-anchor", "middle"),
            Anchor::End => self.attribute("text-anchor", "end"),
        }
        if weight == Weight::Bold {
            self.attribute("font-weight", "bold");
        }
    }

    fn symbol(&mut self, symbol: &DrawnSymbol, at: Rect) {
        let scale = at.w.min(at.h) / SIDE;
        let (cx, cy) = at.center();
        let [x, y] = [cx, cy].map(|middle| short(middle - SIDE * scale / 2.0));
        self.put(format_args!(
            "<path transform=\"translate({x} {y}) scale({scale:.3})\" d=\"{}\"",
            symbol.path
        ));
    }

    fn paint(&mut self, fill: Option<Color>, line: Outline) {
        let mut auto = String::new();
        match fill {
            Some(fill) => self.color("fill", fill, &mut auto),
            None => self.attribute("fill", "none"),
        }
        if let Some((color, width)) = line {
            self.color("stroke", color, &mut auto);
            self.attribute("stroke-width", &short(width));
        }
        if !auto.is_empty() {
            self.attribute("style", &auto);
        }
    }

    /// Writes a color. With both themes the light one is an attribute, for programs that know no others, and both are
    /// added to a style.
    fn color(&mut self, name: &str, Color { light, dark }: Color, auto: &mut String) {
        let color = match self.theme {
            PictureTheme::Dark => dark,
            PictureTheme::Light | PictureTheme::Auto => light,
        };
        self.attribute(name, &color.hex());
        if self.theme == PictureTheme::Auto && light != dark {
            let gap = if auto.is_empty() { "" } else { ";" };
            *auto += &format!("{gap}{name}:light-dark({},{})", light.hex(), dark.hex());
        }
    }

    fn points(&mut self, name: &str, points: &[(f32, f32)]) {
        let points = points.iter();
        let points = points.map(|(x, y)| format!("{},{}", short(*x), short(*y)));
        let points = points.collect::<Vec<_>>().join(" ");
        self.put(format_args!("<{name} points=\"{points}\""));
    }

    /// Appends to a string, which cannot fail.
    fn put(&mut self, what: Arguments<'_>) {
        let _ = self.out.write_fmt(what);
    }
}

/// Formats a length with at most one digit behind the point.
fn short(length: f32) -> String {
    let text = format!("{length:.1}");
    match text.strip_suffix(".0").unwrap_or(&text) {
        "-0" => "0".to_owned(),
        text => text.to_owned(),
    }
}

pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
