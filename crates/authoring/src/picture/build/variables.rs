//! Draws variables: marks on spaces, counters beside players and boards, notes on components.

use std::collections::BTreeMap;

use wyrmgate_program::{EnumId, Form, Sign, Type, VarInfo, VarRole};
use wyrmgate_view::{Doc, Members, ViewDoc, depth_of_records, seen_variable, seen_whole};

use crate::picture::builder::PictureBuilder;
use crate::picture::scene::{Area, Counter, PictureBadge, Piece, Scene};
use crate::picture::styles::is_set;
use crate::picture::wording::capital;
use crate::picture::{bundles, pieces, spaces, symbols, values};

/// Maximum number of dice that are drawn for one number.
const DICE_MAX: usize = 12;

impl PictureBuilder<'_> {
    pub(super) fn variables(&self, view: &ViewDoc, scene: &mut Scene) {
        for var in &self.sight.program.vars {
            let Some(value) = seen_variable(view, var).filter(|_| !var.internal) else {
                continue;
            };
            let form = self.looks.of_variable(var).and_then(|style| style.form);
            if form == Some(Form::Hidden) {
                continue;
            }
            if let Some(of) = bundles::whole(self.sight.program, var) {
                self.bundles(var, of, view, scene);
                continue;
            }
            if self.records(var, view, scene) {
                continue;
            }
            if let VarRole::Lengths { of, .. } = var.role
                && of != Type::Letter
            {
                self.lists(var, of, &value, scene);
                continue;
            }
            match (var.index, &*value) {
                (None, value) => self.single(var, value, scene),
                (Some(Type::Seat), Doc::List(values)) => self.by_seat(var, values, scene),
                (Some(Type::Zone(_)), Doc::Object(values)) => {
                    self.by_zone(var, values, view, scene)
                }
                (Some(Type::Component(_)), Doc::Object(values)) => {
                    self.by_component(var, values, scene);
                }
                (Some(of), value) if form == Some(Form::Dice) => self.dice(var, of, value, scene),
                (Some(of), value) => {
                    let values = self.by_key(var, of, value).into_iter();
                    for (_, words, value) in values.filter(|(.., value)| is_set(Some(value))) {
                        let counter = self.counter(var, Some(&words), Some(&words));
                        scene.counters.push(self.with_value(var, counter, value));
                    }
                }
            }
        }
    }

    /// Draws each number as often as its value says, as dice.
    fn dice(&self, var: &VarInfo, of: Type, value: &Doc<'_>, scene: &mut Scene) {
        let numbers = self.by_key(var, of, value).into_iter();
        let dice = numbers.flat_map(|(id, words, times)| {
            let times = times
                .as_whole()
                .and_then(|times| usize::try_from(times).ok());
            let die = Piece {
                form: Form::Die,
                title: format!("{} {id}", self.title(var)),
                label: words.clone(),
                text: words,
                choices: self.offers.at(&format!("{}-{id}", var.name)),
                ..Piece::default()
            };
            std::iter::repeat_n(die, times.unwrap_or(0).min(DICE_MAX))
        });
        let pieces: Vec<Piece> = dice.collect();
        scene.areas.push(Area {
            id: format!("var:{}", var.name),
            title: capital(&self.title(var)),
            form: Form::Tray,
            count: i32::try_from(pieces.len()).ok(),
            pieces,
            ..Area::default()
        });
    }

    /// Returns the values of a variable with their keys: as ids, and in words.
    fn by_key<'d>(
        &self,
        var: &VarInfo,
        of: Type,
        value: &'d Doc<'d>,
    ) -> Vec<(String, String, &'d Doc<'d>)> {
        match (of, value) {
            (Type::Int, Doc::List(values)) => {
                let numbered = (i64::from(var.low)..).map(|number| number.to_string());
                let numbered = numbered.zip(values);
                let numbered = numbered.map(|(number, value)| (number.clone(), number, value));
                numbered.collect()
            }
            (_, Doc::Object(values)) => {
                let words = |id: &str| self.looks.words(of, &Doc::from(id));
                let values = values.iter();
                let values = values.map(|(id, value)| (id.to_owned(), words(id), value));
                values.collect()
            }
            _ => Vec::new(),
        }
    }

    /// Draws lists as counters with their members: those of a seat beside it, all others with their key.
    fn lists(&self, var: &VarInfo, of: Type, value: &Doc<'_>, scene: &mut Scene) {
        match (var.index, value) {
            (Some(Type::Seat), Doc::List(lists)) => {
                for (player, list) in scene.players.iter_mut().zip(lists) {
                    let counter = self.counter(var, Some(&player.seat.to_string()), None);
                    player.counters.extend(self.listed(counter, of, list));
                }
            }
            (Some(key), Doc::List(_) | Doc::Object(_)) => {
                for (id, words, list) in self.by_key(var, key, value) {
                    let counter = self.counter(var, Some(&id), Some(&words));
                    scene.counters.extend(self.listed(counter, of, list));
                }
            }
            (_, list) => {
                let counter = self.counter(var, None, None);
                scene.counters.extend(self.listed(counter, of, list));
            }
        }
    }

    /// Returns the counter of a list; `None` if it is empty or hidden.
    fn listed(&self, counter: Counter, of: Type, list: &Doc<'_>) -> Option<Counter> {
        let members = list.as_list().filter(|members| !members.is_empty())?;
        let between = if matches!(of, Type::Amounts(_)) {
            "; "
        } else {
            ", "
        };
        let words = members.iter().map(|member| self.words(of, member));
        Some(Counter {
            value: words.collect::<Vec<String>>().join(between),
            ..counter
        })
    }

    fn title(&self, var: &VarInfo) -> String {
        self.looks.title(&var.title, &var.name).replace('_', " ")
    }

    /// Returns a counter without a value, for a variable or one of its keys.
    fn counter(&self, var: &VarInfo, key: Option<&str>, words: Option<&str>) -> Counter {
        let style = self.looks.of_variable(var);
        let with = |name: &str, between: &str, end: Option<&str>| match end {
            Some(end) => format!("{name}{between}{end}"),
            None => name.to_owned(),
        };
        Counter {
            id: with(&var.name, "-", key),
            label: with(&self.title(var), " ", words),
            value: String::new(),
            symbol: style.and_then(|style| match style.symbol.as_ref()? {
                Sign::Word(word) => symbols::named(word),
                _ => None,
            }),
            badges: Vec::new(),
        }
    }

    /// Draws a variable of bundles: symbols with numbers.
    fn bundles(&self, var: &VarInfo, of: Option<EnumId>, view: &ViewDoc, scene: &mut Scene) {
        let (Some(of), Some(part)) = (of, &var.part) else {
            return; // drawn with the first part
        };
        let Some(bundles) = seen_whole(view, part, depth_of_records(var)) else {
            return;
        };
        let named = VarInfo {
            name: part.variable.clone(),
            ..var.clone()
        };
        if let VarRole::Lengths { .. } = var.role {
            return self.lists(&named, Type::Amounts(of), &bundles, scene);
        }
        let counter = |key: Option<&str>, words: Option<&str>, bundle: &Doc<'_>| Counter {
            value: bundles::words(&self.looks, of, bundle),
            badges: bundles::badges(&self.looks, of, bundle),
            ..self.counter(&named, key, words)
        };
        match (var.index, bundles.as_ref()) {
            (None, bundle) => scene.counters.push(counter(None, None, bundle)),
            (Some(Type::Seat), Doc::List(bundles)) => {
                let known = scene.players.iter_mut().zip(bundles);
                for (player, bundle) in known.filter(|(_, bundle)| **bundle != Doc::Null) {
                    let seat = player.seat.to_string();
                    player.counters.push(counter(Some(&seat), None, bundle));
                }
            }
            (Some(Type::Component(_)), Doc::Object(bundles)) => {
                scene.each_piece_mut(&mut |piece| {
                    let bundle = bundles.get(&piece.id);
                    let badges = bundle.map(|bundle| bundles::badges(&self.looks, of, bundle));
                    piece.badges.extend(badges.into_iter().flatten());
                });
            }
            (Some(key), bundles) => {
                for (id, words, bundle) in self.by_key(var, key, bundles) {
                    let counter = counter(Some(&id), Some(&words), bundle);
                    scene
                        .counters
                        .extend(Some(counter).filter(|one| !one.badges.is_empty()));
                }
            }
        }
    }

    fn with_value(&self, var: &VarInfo, counter: Counter, value: &Doc<'_>) -> Counter {
        Counter {
            value: match value {
                Doc::Bool(true) => String::new(),
                value => self.words(var.of, value),
            },
            ..counter
        }
    }

    /// Returns a value in words: the name of a seat, the title of a component or a zone.
    pub(super) fn words(&self, of: Type, value: &Doc<'_>) -> String {
        let title = match of {
            Type::Seat => values::seat(value).map(|seat| self.name(seat)),
            Type::Component(_) | Type::Zone(_) => value.as_str().and_then(|id| self.title_of(id)),
            _ => None,
        };
        title.unwrap_or_else(|| self.looks.words(of, value))
    }

    /// Returns the title of a zone or of a component that the viewer sees.
    fn title_of(&self, id: &str) -> Option<String> {
        let zones = &self.sight.view?.zones;
        let components = zones.values().flat_map(|zone| &zone.components);
        let is_it = |doc: &&Members<'_>| doc.get("id").and_then(Doc::as_str) == Some(id);
        let component = || components.into_iter().find(is_it)?.get("title")?.as_str();
        let zone = zones.get(id).map(|zone| zone.title.as_str());
        zone.or_else(component).map(str::to_owned)
    }

    fn single(&self, var: &VarInfo, value: &Doc<'_>, scene: &mut Scene) {
        if !is_set(Some(value)) {
            return;
        }
        let counter = self.counter(var, None, None);
        if var.of != Type::Seat {
            let counter = self.with_value(var, counter, value);
            return scene.counters.push(counter);
        }
        let seat = value.as_whole();
        let mut players = scene.players.iter_mut();
        if let Some(player) = players.find(|player| Some(i64::from(player.seat)) == seat) {
            player.counters.push(counter);
        }
    }

    fn by_seat(&self, var: &VarInfo, values: &[Doc<'_>], scene: &mut Scene) {
        if !values.iter().any(|value| is_set(Some(value))) {
            return;
        }
        let style = self.looks.of_variable(var);
        let on = style.and_then(|style| style.on.as_ref());
        for (player, value) in scene.players.iter_mut().zip(values) {
            if let Some(on) = on {
                let mut boards = scene.boards.iter_mut();
                if let Some(board) = boards.find(|board| board.id == *on) {
                    let mark = pieces::mark(self, var, value, Some(player.seat));
                    spaces::put(board, value.as_whole(), mark);
                }
                continue;
            }
            let is_number = var.of == Type::Int && *value != Doc::Null;
            if is_set(Some(value)) || is_number {
                let counter = self.counter(var, Some(&player.seat.to_string()), None);
                player.counters.push(self.with_value(var, counter, value));
            }
        }
    }

    fn by_zone(&self, var: &VarInfo, values: &Members<'_>, view: &ViewDoc, scene: &mut Scene) {
        let style = self.looks.of_variable(var);
        let color = style.and_then(|style| style.color.as_ref());
        let is_of_owner = matches!(color, Some(Sign::Field(field)) if field == "owner");
        for (id, value) in values.iter().filter(|(_, value)| is_set(Some(value))) {
            let zone = view.zones.get(id);
            let Some(space) = scene.spaces_mut().find(|space| space.id == id) else {
                let title = zone.map_or(id, |zone| zone.title.as_str());
                let counter = self.counter(var, Some(id), Some(title));
                scene.counters.push(self.with_value(var, counter, value));
                continue;
            };
            let owner = zone.filter(|_| is_of_owner);
            let owner = owner.and_then(|zone| values::seat(zone.keys.get("owner")?));
            let mut mark = pieces::mark(self, var, value, owner);
            mark.is_new = self.happened.has_touched(id);
            let is_more = matches!(value, Doc::Bool(_));
            let below = space
                .pieces
                .last_mut()
                .filter(|below| is_more && below.sign.is_some());
            match below.zip(mark.symbol) {
                Some((below, symbol)) => below.badges.push(PictureBadge {
                    symbol,
                    number: String::new(),
                    color: None,
                }),
                None => space.pieces.push(mark),
            }
        }
    }

    fn by_component(&self, var: &VarInfo, values: &Members<'_>, scene: &mut Scene) {
        let title = self.title(var);
        let words = |value: &Doc<'_>| match value {
            Doc::Bool(_) => title.clone(),
            value => self.looks.words(var.of, value),
        };
        let noted = values.iter().filter(|(_, value)| is_set(Some(value)));
        let noted: BTreeMap<&str, String> = noted.map(|(id, value)| (id, words(value))).collect();
        scene.each_piece_mut(&mut |piece| {
            piece.corners.extend(noted.get(piece.id.as_str()).cloned());
        });
    }
}
