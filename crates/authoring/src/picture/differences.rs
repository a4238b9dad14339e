//! Small pictures of positions in which something differs: what stays as it is is left out.

use std::collections::BTreeSet;

use super::drawing::PictureNode;
use super::markup::Document;
use super::palette::PictureTheme;
use super::scene::{Area, Counter, Scene, ScenePlayer};
use super::sight::Sight;
use super::{build, plan, words_of};

/// The width of a picture in a text, two of which stand side by side; of one with a large board; and how many spaces such a
/// board has in a row.
const IN_TEXT: f32 = 388.0;
const WIDE: f32 = 780.0;
const LARGE: f32 = 11.0;
/// A picture that would be higher leaves out zones in which its viewer can tell nothing apart, such as the hands of others.
const HIGH: f32 = 640.0;

/// Draws each position with the boards, zones, counters and players in which any of them differs from the one before. A
/// position alone is drawn with everything that it has.
pub fn differences(sights: &[(Sight<'_>, String)], theme: PictureTheme) -> Vec<String> {
    let differing = Differing::of(sights);
    let scenes = sights.iter().map(|(sight, _)| {
        let mut scene = build::scene(sight);
        differing.keep(&mut scene);
        scene
    });
    let mut scenes: Vec<Scene> = scenes.collect();
    let mut planned = planned(&scenes, sights);
    if planned.iter().any(|root| root.at.h > HIGH) {
        leave_out_unseen(&mut scenes);
        planned = self::planned(&scenes, sights);
    }
    let drawn = planned.iter().zip(sights);
    let drawn = drawn.map(|(root, (_, title))| Document::of(title, theme).svg(root, root.at.w));
    drawn.collect()
}

fn planned(scenes: &[Scene], sights: &[(Sight<'_>, String)]) -> Vec<PictureNode> {
    let boards = scenes.iter().flat_map(|scene| &scene.boards);
    let is_large = boards.map(|board| board.width).fold(0.0, f32::max) >= LARGE;
    let wide = if is_large { WIDE } else { IN_TEXT };
    let pairs = scenes.iter().zip(sights);
    let nodes = pairs.map(|(scene, (sight, _))| plan::plan_table(scene, wide, words_of(sight)));
    nodes.collect()
}

/// Removes zones in which no picture shows anything.
fn leave_out_unseen(scenes: &mut [Scene]) {
    let mut seen: BTreeSet<String> = BTreeSet::new();
    for scene in scenes.iter() {
        let is_seen = |area: &&Area| area.pieces.iter().any(|piece| !piece.is_hidden);
        let shown = scene.all_areas().filter(is_seen);
        seen.extend(shown.map(|area| area.id.clone()));
    }
    let is_empty = |player: &ScenePlayer| player.areas.is_empty() && player.counters.is_empty();
    for scene in scenes {
        scene.areas.retain(|area| seen.contains(&area.id));
        for player in &mut scene.players {
            player.areas.retain(|area| seen.contains(&area.id));
        }
        scene.players.retain(|player| !is_empty(player));
    }
}

/// The ids of what differs. `None` if everything is shown.
struct Differing(Option<BTreeSet<String>>);

impl Differing {
    fn of(sights: &[(Sight<'_>, String)]) -> Differing {
        let scenes = sights.iter().map(|(sight, _)| plain(sight));
        let scenes: Vec<Scene> = scenes.collect();
        let mut ids = BTreeSet::new();
        for pair in scenes.windows(2) {
            if let [before, after] = pair {
                compare(&before.boards, &after.boards, |board| &board.id, &mut ids);
                compare(&before.areas, &after.areas, |area| &area.id, &mut ids);
                compare(&before.counters, &after.counters, |one| &one.id, &mut ids);
                for (before, after) in before.players.iter().zip(&after.players) {
                    compare(&before.areas, &after.areas, |area| &area.id, &mut ids);
                    compare(&before.counters, &after.counters, |one| &one.id, &mut ids);
                    if before.score != after.score {
                        ids.insert(of_player(after));
                    }
                }
            }
        }
        Differing(Some(ids).filter(|ids| !ids.is_empty()))
    }

    fn keep(&self, scene: &mut Scene) {
        let Some(ids) = &self.0 else {
            return;
        };
        let is_kept = |area: &Area| ids.contains(&area.id);
        let counts = |counter: &Counter| ids.contains(&counter.id);
        scene.boards.retain(|board| ids.contains(&board.id));
        scene.areas.retain(is_kept);
        scene.counters.retain(counts);
        for player in &mut scene.players {
            player.areas.retain(is_kept);
            player.counters.retain(counts);
        }
        scene.players.retain(|player| {
            let has_parts = !player.areas.is_empty() || !player.counters.is_empty();
            has_parts || ids.contains(&of_player(player))
        });
    }
}

fn of_player(player: &ScenePlayer) -> String {
    format!("player:{}", player.seat)
}

/// Returns the scene of a position alone. Labels depend on everything else in a picture, and are left out.
fn plain(sight: &Sight<'_>) -> Scene {
    let mut scene = build::scene(&Sight {
        events: &[],
        decision: None,
        ..*sight
    });
    scene.each_piece_mut(&mut |piece| piece.label.clear());
    scene
}

/// Notes the ids of parts that are not in both lists, or differ.
fn compare<T: PartialEq>(
    before: &[T],
    after: &[T],
    id: impl Fn(&T) -> &String,
    ids: &mut BTreeSet<String>,
) {
    let lone = |these: &[T], others: &[T], ids: &mut BTreeSet<String>| {
        let alone = these.iter().filter(|one| !others.contains(one));
        ids.extend(alone.map(|one| id(one).clone()));
    };
    lone(before, after, ids);
    lone(after, before, ids);
}
