//! Builds the scene of a view: what every client receives, in the look of the game.

mod answered;
pub(super) mod offers;
mod records;
mod variables;

use std::collections::BTreeSet;

use wyrmgate_program::{FamilyInfo, Form, Op, See, Type};
use wyrmgate_view::{Doc, Members, ViewDoc, ZoneDoc};

use super::builder::{Happened, PictureBuilder};
use super::scene::{Area, Pick, Piece, Scene, SceneBoard, ScenePlayer};
use super::sight::Sight;
use super::spaces::{self, FamilyBoards};
use super::styles::Looks;
use super::wording::{Labels, capital};
use super::{pieces, values, words};
use offers::Offers;

/// Choices that refer to nothing are listed up to this number.
const CHOICES_MAX: usize = 24;

/// Returns every component that the viewer can tell apart, wherever it lies, and its back if something is on it.
pub(super) fn every_piece(sight: &Sight<'_>) -> Vec<(Piece, Option<Piece>)> {
    let builder = PictureBuilder::of(sight);
    let zones = sight.view.into_iter().flat_map(|view| &view.zones);
    let both = zones.flat_map(|(id, zone)| {
        let docs = zone.components.iter();
        docs.filter_map(|doc| {
            let piece = pieces::piece(&builder, id, doc, Form::Row)?;
            Some((piece, pieces::back(&builder, doc)))
        })
    });
    let (pieces, backs): (Vec<Piece>, Vec<Option<Piece>>) = both.unzip();
    let mut scene = Scene {
        areas: vec![Area {
            pieces,
            ..Area::default()
        }],
        ..Scene::default()
    };
    label(&mut scene, &Labels::default());
    let pieces = scene.areas.into_iter().flat_map(|area| area.pieces);
    pieces.zip(backs).collect()
}

pub fn scene(sight: &Sight<'_>) -> Scene {
    PictureBuilder::of(sight).scene()
}

impl<'v> PictureBuilder<'v> {
    pub fn of(sight: &'v Sight<'v>) -> PictureBuilder<'v> {
        PictureBuilder {
            sight,
            looks: Looks {
                program: sight.program,
                language: sight.language,
            },
            words: words::of(sight.program.language_tag(sight.language)),
            happened: Happened::of(sight.events),
            offers: Offers::of(sight.decision),
        }
    }
}

impl Happened {
    fn of(events: &[Doc<'_>]) -> Happened {
        let mut happened = Happened::default();
        for event in events {
            let text = |key| event.get(key).and_then(Doc::as_str).map(str::to_owned);
            match text("type").as_deref() {
                Some("moved") => {
                    let (from, to) = (text("from"), text("to"));
                    if from != to {
                        happened.touched.extend(text("component").or(to.clone()));
                        happened.ways.extend(from.zip(to));
                    }
                }
                Some("set") => happened.touched.extend(text("of").or(text("component"))),
                Some("turned" | "shown") => happened.touched.extend(text("component")),
                Some("rolled") => {
                    let dice = event.get("dice").and_then(Doc::as_list).unwrap_or_default();
                    let ids = dice.iter().filter_map(|die| die.get("die")?.as_str());
                    happened.touched.extend(ids.map(str::to_owned));
                }
                // Before it there was nothing with which to compare.
                Some("game-began") => return Happened::default(),
                _ => {}
            }
        }
        happened
    }

    pub fn has_touched(&self, id: &str) -> bool {
        self.touched.contains(id)
    }
}

impl<'v> PictureBuilder<'v> {
    pub fn scene(&self) -> Scene {
        let mut scene = self.unlabeled();
        label(&mut scene, &Labels::default());
        scene
    }

    /// Returns the scene with whole labels.
    pub fn unlabeled(&self) -> Scene {
        let program = self.sight.program;
        let players = (1..=program.seats as u32).map(|seat| self.player(seat));
        let mut scene = Scene {
            title: match program.prose.texts.title.get(self.sight.language) {
                "" => program.identity.game.replace('-', " "),
                title => title.to_owned(),
            },
            status: self.words.waiting.to_owned(),
            players: players.collect(),
            ..Scene::default()
        };
        if let Some(view) = self.sight.view {
            self.course(view, &mut scene);
            self.zones(view, &mut scene);
            self.variables(view, &mut scene);
            self.signs(&mut scene);
            self.answers(&mut scene);
            for board in &mut scene.boards {
                spaces::crop(board);
                board.move_arrow = self.last_move(board);
            }
        }
        self.choices(&mut scene);
        scene
    }

    /// Shows the signs of stones also beside the names of their players.
    fn signs(&self, scene: &mut Scene) {
        let pieces = scene.spaces().flat_map(|space| &space.pieces);
        let has_signs = pieces.into_iter().any(|piece| piece.sign.is_some());
        if has_signs {
            for player in &mut scene.players {
                player.sign = self.looks.sign_of_seat(player.seat);
            }
        }
    }

    pub fn name(&self, seat: u32) -> String {
        let at = usize::try_from(seat.saturating_sub(1)).unwrap_or_default();
        let name = self.sight.names.get(at).cloned().flatten();
        name.unwrap_or_else(|| self.seat_title(seat))
    }

    /// Returns what a seat is called in events: `Seat 2`.
    pub fn seat_title(&self, seat: u32) -> String {
        let word = self.sight.program.prose.words.seat.get(self.sight.language);
        format!("{} {seat}", capital(word))
    }

    fn player(&self, seat: u32) -> ScenePlayer {
        let view = self.sight.view;
        let at = usize::try_from(seat.saturating_sub(1)).unwrap_or_default();
        let outcome = view.and_then(|view| view.outcome.as_ref());
        ScenePlayer {
            seat,
            name: self.name(seat),
            color: self.looks.color_of_seat(seat),
            symbol: self.looks.symbol_of_seat(seat),
            is_viewer: self.sight.seat == Some(seat),
            is_active: outcome.is_none() && view.is_some_and(|view| view.active == Some(seat)),
            decides: view.is_some_and(|view| view.decisions.iter().any(|owed| owed.seat == seat)),
            has_won: outcome.is_some_and(|outcome| outcome.winners.contains(&seat)),
            score: view
                .filter(|_| self.has_scores())
                .and_then(|view| view.scores.get(at).copied()),
            clock: self.sight.clocks.get(at).cloned().flatten(),
            choices: self.offers.at(&format!("seat:{seat}")),
            ..ScenePlayer::default()
        }
    }

    /// Returns whether the rules count points.
    fn has_scores(&self) -> bool {
        let view = self.sight.view;
        let counts = |op: &Op| matches!(op, Op::Score { .. });
        view.is_some_and(|view| view.scores.iter().any(|score| *score != 0))
            || self.sight.program.code.ops.iter().any(counts)
    }

    fn course(&self, view: &ViewDoc, scene: &mut Scene) {
        let number = |word: &str, n: i32| (n > 0).then(|| format!("{word} {n}"));
        let phase = view.phase.as_ref().map(|phase| {
            let phase = Doc::from(phase.as_str());
            self.looks.words(Type::Enum(0), &phase)
        });
        let parts = [
            number(self.words.round, view.round),
            number(self.words.turn, view.turn),
            phase,
        ];
        scene.course = parts.into_iter().flatten().collect();
        scene.status = self.status(view);
    }

    fn status(&self, view: &ViewDoc) -> String {
        let names = |seats: &[u32]| {
            let names = seats.iter().map(|seat| self.name(*seat));
            names.collect::<Vec<_>>().join(", ")
        };
        match &view.outcome {
            Some(outcome) if outcome.drawn || outcome.winners.is_empty() => {
                self.words.drawn.to_owned()
            }
            Some(outcome) => format!("{} {}", self.words.wins, names(&outcome.winners)),
            None => {
                let mut owing: Vec<u32> = view.decisions.iter().map(|owed| owed.seat).collect();
                owing.dedup();
                match self.sight.seat {
                    Some(seat) if owing.contains(&seat) => self.words.you_decide.to_owned(),
                    _ => {
                        let decides = self.words.decides.trim_end_matches(':');
                        format!("{} {decides}", names(&owing))
                    }
                }
            }
        }
    }

    // ---- zones

    fn zones(&self, view: &ViewDoc, scene: &mut Scene) {
        for family in self.sight.program.families.iter().skip(1) {
            let zones = view.zones.iter();
            let zones = zones.filter(|(_, zone)| zone.family == family.name);
            let form = self.looks.form_of_zones(family);
            match form {
                Form::Hidden | Form::Ways => {}
                Form::Row | Form::Fan | Form::Pile | Form::Tray => zones.for_each(|(id, zone)| {
                    let area = self.area(family, form, id, zone);
                    let owner = zone.keys.get("owner").and_then(values::seat);
                    let mut players = scene.players.iter_mut();
                    match players.find(|player| Some(player.seat) == owner) {
                        Some(player) => player.areas.push(area),
                        None => scene.areas.push(area),
                    }
                }),
                _ => {
                    let zones: Vec<_> = zones.collect();
                    let boards = FamilyBoards::of(self, family);
                    scene.boards.extend(boards.boards(form, &zones));
                }
            }
        }
        for family in self.sight.program.families.iter().skip(1) {
            if self.looks.form_of_zones(family) == Form::Ways {
                FamilyBoards::of(self, family).add_ways(view, scene);
            }
        }
    }

    /// Returns the last move from space to space of a board.
    fn last_move(&self, board: &SceneBoard) -> Option<(usize, usize)> {
        let at = |id: &String| board.spaces.iter().position(|space| space.id == *id);
        let ways = self.happened.ways.iter().rev();
        let mut on_board = ways.filter_map(|(from, to)| at(from).zip(at(to)));
        on_board.next()
    }

    fn area(&self, family: &FamilyInfo, form: Form, id: &str, zone: &ZoneDoc) -> Area {
        let style = self.looks.of_thing(&family.name);
        let beside = style.and_then(|style| style.beside.clone());
        let mut pieces = self.pieces(id, zone, form);
        if form == Form::Pile {
            pieces.drain(..pieces.len().saturating_sub(1));
        }
        let total = style.and_then(|style| total(zone, style.total.as_ref()?));
        let total = total.map_or(String::new(), |total| format!(" = {total}"));
        let family_title = self.looks.title(&family.title, &family.name);
        let is_only_owned = zone.keys.iter().count() == 1 && zone.keys.get("owner").is_some();
        Area {
            id: id.to_owned(),
            title: match is_only_owned {
                true => capital(&family_title),
                false => capital(&zone.title),
            } + &total,
            form,
            count: zone.count,
            pieces,
            is_new: self.happened.has_touched(id),
            choices: self.offers.at(id),
            beside,
        }
    }

    pub fn pieces(&self, id: &str, zone: &ZoneDoc, form: Form) -> Vec<Piece> {
        let style = self.looks.of_thing(&zone.family);
        let sort = style.map_or(&[][..], |style| style.sort.as_slice());
        let mut shown: Vec<&Members<'_>> = zone.components.iter().collect();
        shown.sort_by_cached_key(|doc| self.looks.order(doc, sort));
        let shown = shown.into_iter();
        let shown = shown.map(|doc| pieces::piece(self, id, doc, form));
        let mut pieces: Vec<Piece> = shown.flatten().collect();
        // A hand is drawn as it is held: cards that cannot be told apart too.
        let unseen = zone.count.unwrap_or(0) - pieces.len() as i32;
        if form == Form::Pile && pieces.is_empty() && unseen > 0 && is_pile_of_cards(self, id) {
            pieces.push(Piece::unseen(Form::Card));
        }
        pieces
    }

    // ---- choices

    fn choices(&self, scene: &mut Scene) {
        let Some(decision) = self.sight.decision else {
            return;
        };
        scene.prompt.clone_from(&decision.prompt);
        let shown = chosen(scene);
        let rest = decision.choices.iter();
        let rest = rest.filter(|choice| !shown.contains(&choice.id));
        let rest = rest.map(|choice| Pick {
            id: choice.id.clone(),
            label: choice.label.clone(),
        });
        scene.choices = rest.collect();
        let unlisted = decision.count.saturating_sub(decision.choices.len() as u64);
        scene.more_choices = unlisted + scene.choices.len().saturating_sub(CHOICES_MAX) as u64;
        scene.choices.truncate(CHOICES_MAX);
    }
}

/// Returns the choices that something in the scene carries.
fn chosen(scene: &Scene) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    found.extend(scene.all_areas().flat_map(|area| area.choices.clone()));
    found.extend(
        scene
            .players
            .iter()
            .flat_map(|player| player.choices.clone()),
    );
    found.extend(scene.spaces().flat_map(|space| space.choices.clone()));
    scene.each_piece(&mut |piece| found.extend(piece.choices.iter().cloned()));
    found
}

/// Returns the sum of a field over the components in a zone. `None` unless the viewer sees all of them, and there are any.
fn total(zone: &ZoneDoc, field: &str) -> Option<i64> {
    let is_whole =
        zone.count.unwrap_or(0) > 0 && zone.count == zone.components.len().try_into().ok();
    let values = zone.components.iter().map(|doc| doc.get(field)?.as_whole());
    values.sum::<Option<i64>>().filter(|_| is_whole)
}

/// Returns whether the hidden components of a zone look like cards: all that can be in a pile and is not told apart.
fn is_pile_of_cards(builder: &PictureBuilder<'_>, zone: &str) -> bool {
    let program = builder.sight.program;
    let at = program.open_zone_called(zone);
    let info = at.and_then(|at| program.zones.get(usize::from(at)));
    info.is_some_and(|info| matches!(info.see, See::Count | See::Top))
}

/// Gives pieces with little room labels of two or three letters, different for different titles: these, or new ones.
pub(super) fn label(scene: &mut Scene, known: &Labels) {
    let mut texts: BTreeSet<&str> = BTreeSet::new();
    scene.each_piece(&mut |piece| {
        texts.insert(&piece.label);
    });
    texts.remove("");
    let labels = known.with(texts);
    scene.each_piece_mut(&mut |piece| piece.label = labels.get(&piece.label).to_owned());
}
