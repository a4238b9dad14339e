//! The choices of the viewer as chips.

use super::{CHIP, Planner, chip, flowed};
use crate::picture::drawing::{Anchor, PartRole, PictureNode, Rect};
use crate::picture::paint::{TEXT, text};
use crate::picture::palette::COLORS;
use crate::picture::scene::{Pick, Scene};
use crate::picture::wording::{self, width};

impl Planner<'_> {
    pub(super) fn choices(&self, scene: &Scene, wide: f32) -> PictureNode {
        let chips = scene.choices.iter().map(|pick| self.choice(pick, wide));
        let mut chips: Vec<PictureNode> = chips.collect();
        if scene.more_choices > 0 {
            let more = Pick {
                id: String::new(),
                label: format!("+{} {}", scene.more_choices, self.words.more),
            };
            let mut node = self.choice(&more, wide);
            node.what = PartRole::Group;
            chips.push(node);
        }
        flowed(chips, wide, 6.0)
    }

    pub(super) fn choice(&self, pick: &Pick, wide: f32) -> PictureNode {
        let colors = COLORS;
        let mut node = PictureNode::new(PartRole::Choice, &pick.id, &pick.label);
        let lines = wording::lines(&pick.label, (wide - 24.0, 80.0), TEXT);
        let widths = lines.iter().map(|line| width(line) * TEXT);
        let long = widths.fold(0.0, f32::max);
        let mut y = 17.5;
        for line in &lines {
            node.draw(text((11.0, y), Anchor::Start, TEXT, colors.ink, line));
            y += 17.0;
        }
        node.at = Rect::new(0.0, 0.0, long + 22.0, y - 17.5 + CHIP - 17.0);
        node.draw_below(chip(node.at, colors.accent));
        node
    }
}
