//! Ways: spaces between two spaces of a map, such as roads with a length, a color and an owner.

use wyrmgate_program::Form;
use wyrmgate_view::{Doc, ViewDoc};

use super::super::scene::{RoadSpace, Scene};
use super::FamilyBoards;
use crate::picture::values;

impl FamilyBoards<'_> {
    /// Puts the ways of the family on their map.
    pub(in crate::picture) fn add_ways(&self, view: &ViewDoc, scene: &mut Scene) {
        let style = self.style;
        let on_map = style.and_then(|style| style.on.as_ref().zip(style.map.between.as_ref()));
        let Some((map, (from, to))) = on_map else {
            return;
        };
        let Some(board) = scene.boards.iter_mut().find(|board| board.id == *map) else {
            return;
        };
        let zones = view.zones.iter();
        for (id, zone) in zones.filter(|(_, zone)| zone.family == self.family.name) {
            let end = |field: &String| {
                let mut known = values::constants(zone);
                let (_, wanted) = known.find(|(name, _)| name == field)?;
                let mut spaces = board.spaces.iter();
                spaces.position(|space| is_called(view, &space.id, wanted))
            };
            if let Some(ends) = end(from).zip(end(to)) {
                let space = self.space(id, zone, Form::Map);
                board.ways.push(RoadSpace { ends, space });
            }
        }
    }
}

/// Returns whether a value means a space: by its id, or by its first key.
fn is_called(view: &ViewDoc, id: &str, wanted: &Doc<'_>) -> bool {
    let zone = view.zones.get(id);
    let key = zone.and_then(|zone| values::constants(zone).next());
    wanted.as_str() == Some(id) || key.is_some_and(|(_, value)| value == wanted)
}
