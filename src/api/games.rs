//! `/v1/games`: what can be played here.

use actix_web::{HttpRequest, HttpResponse, get, web};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};

use super::context::Context;
use super::extract::{Asked, Nothing};
use super::lists;
use super::problem::{Code, Problem};
use super::respond::{self, Page};
use crate::check::{OptionFact, Shape};
use crate::program::Localised;
use crate::rules::{Ruleset, option_value};

/// A game of the catalogue.
#[derive(Serialize, ToSchema)]
pub struct Game {
    /// What sessions call it.
    name: String,
    title: String,
    about: String,
    /// The numbers of seats it can have.
    #[schema(example = json!([2, 3, 4]))]
    players: Vec<usize>,
    options: Vec<GameOption>,
    /// Digest of the present ruleset.
    ruleset: String,
    /// Where its rules are.
    #[schema(example = "/v1/rulesets/…")]
    ruleset_link: String,
}

/// Something that is chosen when a session is created.
#[derive(Serialize, ToSchema)]
pub struct GameOption {
    name: String,
    title: String,
    /// What it changes; empty where the title says it all.
    text: String,
    kind: OptionKind,
    /// The value it has if nothing is said: a number, true or false, or a name.
    #[schema(value_type = OptionValue)]
    default: Value,
    /// The least number, of a `number`.
    #[serde(skip_serializing_if = "Option::is_none")]
    low: Option<i32>,
    /// The greatest number, of a `number`.
    #[serde(skip_serializing_if = "Option::is_none")]
    high: Option<i32>,
    /// From one allowed number to the next, of a `number`.
    #[serde(skip_serializing_if = "Option::is_none")]
    step: Option<i32>,
    /// The allowed names, of a `name`.
    #[serde(skip_serializing_if = "Option::is_none")]
    names: Option<Vec<String>>,
}

/// What kind of value an option has.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum OptionKind {
    Bool,
    Number,
    Name,
}

/// A number, true or false, or a name.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only its schema is used")]
pub enum OptionValue {
    Truth(bool),
    Number(i32),
    Name(String),
}

/// A page of games.
#[derive(ToSchema)]
#[expect(dead_code, reason = "only its schema is used")]
pub struct GamePage {
    items: Vec<Game>,
    /// The cursor of the next page.
    #[schema(required)]
    next: Option<String>,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct GameList {
    /// The most items of the page.
    #[param(minimum = 1, maximum = 100, default = 20)]
    limit: Option<usize>,
    /// `next` of the page before.
    cursor: Option<String>,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub struct GamePath {
    /// The name of a game.
    game: String,
}

/// The games that can be played
#[utoipa::path(
    operation_id = "listGames", tag = "games", params(GameList),
    responses((status = 200, description = "One page of the catalogue, by name", body = GamePage)),
    extensions(("x-codes" = json!(["malformed"]))),
)]
#[get("/v1/games")]
pub async fn list(
    context: Context,
    request: HttpRequest,
    query: Asked<GameList>,
) -> Result<HttpResponse, Problem> {
    let Asked(query) = query;
    let limit = lists::limit(query.limit)?;
    let after = query.cursor.unwrap_or_default();
    let games = context.service().library().games();
    let mut rest = games.filter(|game| game.name > after);
    let items: Vec<Game> = rest
        .by_ref()
        .take(limit)
        .map(|game| describe(game))
        .collect();
    let has_more = rest.next().is_some();
    let last = items.last().map(|game| game.name.clone());
    let next = last.filter(|_| has_more);
    respond::page(&request, &Page { items, next })
}

/// One game
#[utoipa::path(
    operation_id = "getGame", tag = "games", params(GamePath),
    responses((status = 200, description = "The game", body = Game)),
    extensions(("x-codes" = json!(["not-found"]))),
)]
#[get("/v1/games/{game}")]
pub async fn get(
    context: Context,
    path: web::Path<GamePath>,
    _: Asked<Nothing>,
) -> Result<HttpResponse, Problem> {
    let game = context.service().library().game(&path.game);
    respond::ok(&describe(game.ok_or_else(|| Problem::new(Code::NotFound))?))
}

fn describe(ruleset: &Ruleset) -> Game {
    let definition = &ruleset.checked.definition;
    let title = definition.title.get("en");
    let title = if title.is_empty() {
        &ruleset.name
    } else {
        title
    };
    Game {
        name: ruleset.name.clone(),
        title: title.to_owned(),
        about: definition.about.get("en").to_owned(),
        players: ruleset.checked.seats.clone(),
        options: ruleset.checked.options.iter().map(option).collect(),
        ruleset: ruleset.digest.clone(),
        ruleset_link: format!("/v1/rulesets/{}", ruleset.digest),
    }
}

fn option(fact: &OptionFact) -> GameOption {
    let (kind, range, names) = match &fact.shape {
        Shape::Bool => (OptionKind::Bool, None, None),
        Shape::Range { low, high, step } => (OptionKind::Number, Some((*low, *high, *step)), None),
        Shape::OneOf(names) => (OptionKind::Name, None, Some(names.clone())),
    };
    GameOption {
        name: fact.name.clone(),
        title: in_english(&fact.title, &fact.name),
        text: in_english(&fact.text, ""),
        kind,
        default: option_value(fact, fact.default),
        low: range.map(|range| range.0),
        high: range.map(|range| range.1),
        step: range.map(|range| range.2),
        names,
    }
}

/// The English text, else the first, else the name.
pub fn in_english(text: &Localised, name: &str) -> String {
    let english = text.iter().find(|(tag, _)| tag == "en");
    let found = english.or_else(|| text.first()).map(|(_, text)| text);
    match found {
        Some(text) if !text.is_empty() => text.clone(),
        _ => name.to_owned(),
    }
}
