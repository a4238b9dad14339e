//! `/v1/games`: what can be played here.

use std::collections::BTreeMap;

use actix_web::{HttpRequest, HttpResponse};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};

use super::checking::{Finding, findings};
use super::context::Context;
use super::extract::{Asked, Nothing};
use super::language::{self, Accepted};
use super::lists;
use super::path::Named;
use super::problem::{Code, Problem};
use super::respond::{self, Page};
use wyrmgate_authoring::rules::{Catalogue, Offer, Ruleset, option_value};
use wyrmgate_compile::check::{OptionFact, Shape};
use wyrmgate_program::Language;

/// A game of the catalogue.
#[derive(Serialize, ToSchema)]
pub struct Game {
    /// What sessions call it.
    name: String,
    title: String,
    about: String,
    /// The languages its texts are in; the first is the one its rules are written in.
    #[schema(example = json!(["en", "es"]))]
    languages: Vec<String>,
    /// The numbers of seats it can have.
    #[schema(example = json!([2, 3, 4]))]
    players: Vec<usize>,
    options: Vec<GameOption>,
    /// The game with changed rules: what a session can ask for as its `variant`.
    variants: Vec<Variant>,
    /// There is a newer version of the rules that has errors; this is the one before. What is wrong with the newer one.
    #[serde(skip_serializing_if = "Option::is_none")]
    broken: Option<Vec<Finding>>,
    /// Digest of the present ruleset.
    ruleset: String,
    /// Where its rules are.
    #[schema(example = "/v1/rulesets/…")]
    ruleset_link: String,
}

/// A game with changed rules.
#[derive(Serialize, ToSchema)]
pub struct Variant {
    /// What sessions call it.
    #[schema(example = "short")]
    name: String,
    title: String,
    about: String,
    /// What lies on the game, in order: its own name last.
    #[schema(example = json!(["calm", "short"]))]
    overlays: Vec<String>,
    players: Vec<usize>,
    options: Vec<GameOption>,
    /// Digest of its present ruleset.
    ruleset: String,
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
    /// The default where it depends on the number of seats, by that number.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    #[schema(value_type = std::collections::HashMap<String, OptionValue>)]
    default_with_seats: BTreeMap<usize, Value>,
    /// Conditions over options and seats, all of which must hold if it is to have another value.
    #[schema(example = json!(["count(seats) > 2"]))]
    requires: Vec<String>,
    /// Conditions of which none may hold then.
    excludes: Vec<String>,
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
    /// The names in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    titles: Option<Vec<String>>,
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
    get, path = "/v1/games",
    operation_id = "listGames", tag = "games", params(GameList),
    responses((status = 200, description = "One page of the catalogue, in its order", body = GamePage)),
    extensions(("x-codes" = json!(["malformed"])), ("x-language" = json!(true))),
)]
pub async fn list(
    context: Context,
    request: HttpRequest,
    query: Asked<GameList>,
) -> Result<HttpResponse, Problem> {
    let Asked(query) = query;
    let limit = lists::limit(query.limit)?;
    let catalogue = context.service().library().catalogue();
    let shown = query
        .cursor
        .map_or(0, |last| shown_up_to(&catalogue, &last));
    let mut rest = catalogue.games.iter().skip(shown);
    let told = rest.by_ref().take(limit);
    let told = told.map(|offer| describe(&catalogue, offer, &context.accepted));
    let (items, tags): (Vec<Game>, Vec<&str>) = told.unzip();
    let has_more = rest.next().is_some();
    let last = items.last().map(|game| game.name.clone());
    let next = last.filter(|_| has_more);
    let mut response = respond::page(&request, &Page { items, next })?;
    language::say(&mut response, tags);
    Ok(response)
}

/// How many games the pages have shown of which the last ended with this one.
fn shown_up_to(catalogue: &Catalogue, last: &str) -> usize {
    let mut games = catalogue.games.iter();
    let at = games.position(|offer| offer.ruleset.name == last);
    at.map_or(0, |at| at + 1)
}

/// One game
#[utoipa::path(
    get, path = "/v1/games/{game}",
    operation_id = "getGame", tag = "games", params(GamePath),
    responses((status = 200, description = "The game", body = Game)),
    extensions(("x-codes" = json!(["not-found"])), ("x-language" = json!(true))),
)]
pub async fn get(
    context: Context,
    path: Named<GamePath>,
    _: Asked<Nothing>,
) -> Result<HttpResponse, Problem> {
    let catalogue = context.service().library().catalogue();
    let offer = catalogue.offer(&path.game);
    let offer = offer.ok_or_else(|| Problem::new(Code::NotFound))?;
    let (game, tag) = describe(&catalogue, offer, &context.accepted);
    let mut response = respond::ok(&game)?;
    language::say(&mut response, [tag]);
    Ok(response)
}

/// The game in the language that the client likes best, and the tag of that language.
fn describe<'r>(catalogue: &Catalogue, offer: &'r Offer, accepted: &Accepted) -> (Game, &'r str) {
    let ruleset = &*offer.ruleset;
    let checked = &ruleset.checked;
    let broken = catalogue.broken(&ruleset.name);
    let variants = offer.variants.iter();
    let language = accepted.among(&checked.languages);
    let options = checked.options.iter();
    let game = Game {
        name: ruleset.name.clone(),
        title: checked.texts.title.get(language).to_owned(),
        about: checked.texts.about.get(language).to_owned(),
        languages: checked.languages.clone(),
        players: checked.seats.clone(),
        options: options
            .map(|fact| option(fact, &checked.seats, language))
            .collect(),
        variants: variants
            .map(|variant| describe_variant(variant, accepted))
            .collect(),
        broken: broken.map(|broken| findings(&broken.findings())),
        ruleset: ruleset.digest.clone(),
        ruleset_link: format!("/v1/rulesets/{}", ruleset.digest),
    };
    (game, language::tag_of(&checked.languages, language))
}

fn describe_variant(ruleset: &Ruleset, accepted: &Accepted) -> Variant {
    let checked = &ruleset.checked;
    let language = accepted.among(&checked.languages);
    let overlays = ruleset.variant().split('+').map(str::to_owned);
    let options = checked.options.iter();
    Variant {
        name: ruleset.own_name().to_owned(),
        title: checked.texts.title.get(language).to_owned(),
        about: checked.texts.about.get(language).to_owned(),
        overlays: overlays.collect(),
        players: checked.seats.clone(),
        options: options
            .map(|fact| option(fact, &checked.seats, language))
            .collect(),
        ruleset: ruleset.digest.clone(),
        ruleset_link: format!("/v1/rulesets/{}", ruleset.digest),
    }
}

fn option(fact: &OptionFact, players: &[usize], language: Language) -> GameOption {
    let (kind, range, names) = match &fact.shape {
        Shape::Bool => (OptionKind::Bool, None, None),
        Shape::Range { low, high, step } => (OptionKind::Number, Some((*low, *high, *step)), None),
        Shape::OneOf(names) => (OptionKind::Name, None, Some(names.clone())),
    };
    let by_seats = fact.default_with.iter();
    let by_seats = by_seats.filter(|(seats, _)| players.contains(seats));
    let titles = fact.titles.iter();
    let titles: Vec<String> = titles.map(|title| title.get(language).to_owned()).collect();
    GameOption {
        name: fact.name.clone(),
        title: fact.title.get(language).to_owned(),
        text: fact.text.get(language).to_owned(),
        kind,
        default: option_value(fact, fact.default),
        default_with_seats: by_seats
            .map(|(seats, value)| (*seats, option_value(fact, *value)))
            .collect(),
        requires: fact.requires.clone(),
        excludes: fact.excludes.clone(),
        low: range.map(|range| range.0),
        high: range.map(|range| range.1),
        step: range.map(|range| range.2),
        titles: names.is_some().then_some(titles),
        names,
    }
}
