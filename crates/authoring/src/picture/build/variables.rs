//! Draws variables: marks on spaces, counters beside players and boards, notes on components.

use std::collections::BTreeMap;

use wyrmgate_program::{Form, Sign, Type, VarInfo, VarRole};
use wyrmgate_view::{Doc, Members, ViewDoc, seen_variable};

use crate::picture::builder::PictureBuilder;
use crate::picture::scene::{Counter, Scene};
use crate::picture::styles::is_set;
use crate::picture::{pieces, spaces, symbols, values};

impl PictureBuilder<'_> {
    pub(super) fn variables(&self, view: &ViewDoc, scene: &mut Scene) {
        for var in &self.sight.program.vars {
            let Some(value) = seen_variable(view, var).filter(|_| !var.internal) else {
                continue;
            };
            let value = &*value;
            let form = self.looks.of_variable(var).and_then(|style| style.form);
            if form == Some(Form::Hidden) {
                continue;
            }
            if let VarRole::Lengths { of, .. } = var.role {
                self.lists(var, of, value, scene);
                continue;
            }
            match (var.index, value) {
                (None, value) => self.single(var, value, scene),
                (Some(Type::Seat), Doc::List(values)) => self.by_seat(var, values, scene),
                (Some(Type::Int), Doc::List(values)) => self.by_number(var, values, scene),
                (Some(Type::Zone(_)), Doc::Object(values)) => {
                    self.by_zone(var, values, view, scene)
                }
                (Some(Type::Component(_)), Doc::Object(values)) => {
                    self.by_component(var, values, scene);
                }
                (Some(of), Doc::Object(values)) => {
                    for (key, value) in values.iter().filter(|(_, value)| is_set(Some(value))) {
                        let words = self.looks.words(of, &Doc::from(key));
                        let (id, label) = self.name_with_key(var, &words, &words);
                        scene.counters.push(self.counter(var, id, label, value));
                    }
                }
                _ => {}
            }
        }
    }

    /// Draws lists as counters with their members: those of a seat beside it, all others with their key.
    fn lists(&self, var: &VarInfo, of: Type, value: &Doc<'_>, scene: &mut Scene) {
        match (var.index, value) {
            (Some(Type::Seat), Doc::List(lists)) => {
                for (player, list) in scene.players.iter_mut().zip(lists) {
                    let id = format!("{}-{}", var.name, player.seat);
                    let listed = self.listed(var, (id, self.title(var)), of, list);
                    player.counters.extend(listed);
                }
            }
            (Some(Type::Int), Doc::List(lists)) => {
                for (number, list) in (i64::from(var.low)..).zip(lists) {
                    let name = self.name_with_key(var, &number.to_string(), &number.to_string());
                    scene.counters.extend(self.listed(var, name, of, list));
                }
            }
            (Some(key), Doc::Object(lists)) => {
                for (id, list) in lists.iter() {
                    let words = self.looks.words(key, &Doc::from(id));
                    let name = self.name_with_key(var, id, &words);
                    scene.counters.extend(self.listed(var, name, of, list));
                }
            }
            (_, list) => {
                let name = (var.name.clone(), self.title(var));
                scene.counters.extend(self.listed(var, name, of, list));
            }
        }
    }

    /// Returns the id and the label of the counter of one key.
    fn name_with_key(&self, var: &VarInfo, id: &str, words: &str) -> (String, String) {
        let label = format!("{} {words}", self.title(var));
        (format!("{}-{id}", var.name), label)
    }

    /// Returns the counter of a list; `None` if it is empty or hidden.
    fn listed(
        &self,
        var: &VarInfo,
        (id, label): (String, String),
        of: Type,
        list: &Doc<'_>,
    ) -> Option<Counter> {
        let Doc::List(members) = list else {
            return None;
        };
        let words: Vec<String> = members
            .iter()
            .map(|member| self.words(of, member))
            .collect();
        let counter = self.counter(var, id, label, &Doc::Bool(true));
        (!words.is_empty()).then(|| Counter {
            value: words.join(", "),
            ..counter
        })
    }

    fn title(&self, var: &VarInfo) -> String {
        self.looks.title(&var.title, &var.name).replace('_', " ")
    }

    fn counter(&self, var: &VarInfo, id: String, label: String, value: &Doc<'_>) -> Counter {
        let style = self.looks.of_variable(var);
        let symbol = style.and_then(|style| match style.symbol.as_ref()? {
            Sign::Word(word) => symbols::named(word),
            _ => None,
        });
        let value = match value {
            Doc::Bool(true) => String::new(),
            value => self.words(var.of, value),
        };
        Counter {
            id,
            label,
            value,
            symbol,
        }
    }

    /// Returns a value in words: the name of a seat, the title of a component or a zone.
    fn words(&self, of: Type, value: &Doc<'_>) -> String {
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
        match var.of {
            Type::Seat => {
                let seat = value.as_whole();
                let mut players = scene.players.iter_mut();
                if let Some(player) = players.find(|player| Some(i64::from(player.seat)) == seat) {
                    let counter =
                        self.counter(var, var.name.clone(), self.title(var), &Doc::Bool(true));
                    player.counters.push(counter);
                }
            }
            _ => {
                let counter = self.counter(var, var.name.clone(), self.title(var), value);
                scene.counters.push(counter);
            }
        }
    }

    fn by_seat(&self, var: &VarInfo, values: &[Doc<'_>], scene: &mut Scene) {
        let is_any = values.iter().any(|value| is_set(Some(value)));
        let on = self
            .looks
            .of_variable(var)
            .and_then(|style| style.on.as_ref());
        if !is_any {
            return;
        }
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
                let id = format!("{}-{}", var.name, player.seat);
                let counter = self.counter(var, id, self.title(var), value);
                player.counters.push(counter);
            }
        }
    }

    /// Adds one counter for each number whose value is not 0, no or none.
    fn by_number(&self, var: &VarInfo, values: &[Doc<'_>], scene: &mut Scene) {
        let numbered = (i64::from(var.low)..).zip(values);
        for (number, value) in numbered.filter(|(_, value)| is_set(Some(value))) {
            let number = number.to_string();
            let (id, label) = self.name_with_key(var, &number, &number);
            scene.counters.push(self.counter(var, id, label, value));
        }
    }

    fn by_zone(&self, var: &VarInfo, values: &Members<'_>, view: &ViewDoc, scene: &mut Scene) {
        let style = self.looks.of_variable(var);
        let color = style.and_then(|style| style.color.as_ref());
        let is_of_owner = matches!(color, Some(Sign::Field(field)) if field == "owner");
        for (zone, value) in values.iter().filter(|(_, value)| is_set(Some(value))) {
            let Some(space) = scene.spaces_mut().find(|space| space.id == zone) else {
                let title = view
                    .zones
                    .get(zone)
                    .map_or(zone, |zone| zone.title.as_str());
                let (id, label) = self.name_with_key(var, zone, title);
                scene.counters.push(self.counter(var, id, label, value));
                continue;
            };
            let owner = view.zones.get(zone).filter(|_| is_of_owner);
            let owner = owner.and_then(|zone| values::seat(zone.keys.get("owner")?));
            let mut mark = pieces::mark(self, var, value, owner);
            mark.is_new = self.happened.has_touched(zone);
            space.pieces.push(mark);
        }
    }

    fn by_component(&self, var: &VarInfo, values: &Members<'_>, scene: &mut Scene) {
        let title = self.title(var);
        let noted: BTreeMap<&str, String> = values
            .iter()
            .filter(|(_, value)| is_set(Some(value)))
            .map(|(id, value)| {
                let words = match value {
                    Doc::Bool(_) => title.clone(),
                    value => self.looks.words(var.of, value),
                };
                (id, words)
            })
            .collect();
        scene.each_piece_mut(&mut |piece| {
            if let Some(words) = noted.get(piece.id.as_str()) {
                piece.corners.push(words.clone());
            }
        });
    }
}
