//! Ways: spaces between two spaces of a map, such as roads with a length, a color and an owner.

use wyrmgate_program::{FamilyInfo, Form, MapPlace};
use wyrmgate_view::{Doc, ViewDoc, ZoneDoc};

use super::super::scene::{RoadSpace, Scene, SceneBoard};
use super::FamilyBoards;
use crate::picture::values;

impl FamilyBoards<'_> {
    /// Puts the ways of the family on their map.
    pub(in crate::picture) fn add_ways(&self, view: &ViewDoc, scene: &mut Scene) {
        let Some(style) = self.style else {
            return;
        };
        let Some(map) = &style.on else {
            return;
        };
        let Some(board) = scene.boards.iter_mut().find(|board| board.id == *map) else {
            return;
        };
        let zones = view.zones.iter();
        let zones = zones.filter(|(_, zone)| zone.family == self.family.name);
        for (number, (id, zone)) in zones.enumerate() {
            let ends = match &style.map.between {
                Some(between) => ends_by_field(view, board, zone, between),
                None => self.ends(view, board, style.map.ends.get(number)),
            };
            if let Some(ends) = ends {
                let space = self.space(id, zone, Form::Map);
                let is_edge = board.form != Form::Map && style.map.between.is_none();
                board.ways.push(RoadSpace {
                    ends,
                    is_edge,
                    space,
                });
            }
        }
    }

    /// Returns where the ends of a way, a side or a corner lie.
    fn ends(
        &self,
        view: &ViewDoc,
        board: &SceneBoard,
        places: Option<&Vec<MapPlace>>,
    ) -> Option<[(f32, f32); 2]> {
        let place = |place: &MapPlace| {
            let families = &self.builder.sight.program.families;
            let offset = |family: &FamilyInfo| place.zone.checked_sub(family.first);
            let of = families
                .iter()
                .rfind(|family| offset(family).is_some_and(|at| at < family.count))?;
            let mut spaces = view.zones.iter().filter(|(_, zone)| zone.family == of.name);
            let (id, _) = spaces.nth(offset(of)?.into())?;
            let space = board.spaces.iter().find(|space| space.id == *id)?;
            let [across, ahead] = [place.across, place.ahead].map(|part| part as f32 / 6.0);
            let shift = if board.form == Form::Hexes {
                ahead / 2.0
            } else {
                0.0
            };
            Some((
                space.x + across + shift,
                space.y - ahead * board.step_of_rows(),
            ))
        };
        let places = places?;
        let (first, last) = (place(places.first()?)?, place(places.last()?)?);
        Some([first, last])
    }
}

/// Returns where the spaces lie that two fields of a way name.
fn ends_by_field(
    view: &ViewDoc,
    board: &SceneBoard,
    zone: &ZoneDoc,
    between: &(String, String),
) -> Option<[(f32, f32); 2]> {
    let end = |field: &String| {
        let mut known = values::constants(zone);
        let (_, wanted) = known.find(|(name, _)| name == field)?;
        let mut spaces = board.spaces.iter();
        let space = spaces.find(|space| is_called(view, &space.id, wanted))?;
        Some((space.x, space.y))
    };
    Some([end(&between.0)?, end(&between.1)?])
}

/// Returns whether a value means a space: by its id, or by its first key.
fn is_called(view: &ViewDoc, id: &str, wanted: &Doc<'_>) -> bool {
    let zone = view.zones.get(id);
    let key = zone.and_then(|zone| values::constants(zone).next());
    wanted.as_str() == Some(id) || key.is_some_and(|(_, value)| value == wanted)
}
