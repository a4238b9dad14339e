//! `/v1/games`: the catalog of games.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};

use crate::api::catalog::checking::findings;
use crate::api::request::call::{ApiCall, Handled, NoParameters};
use crate::api::request::lists;
use crate::api::response::respond::{self, ListPage, page_schema};
use crate::api::shared::finding::Finding;
use crate::api::shared::language::{self, Accepted};
use crate::api::shared::problem::Problem;
use std::sync::Arc;
use wyrmgate_authoring::rules::{Catalog, GameOffer, Ruleset, option_value};
use wyrmgate_compile::check::{Checked, OptionFact, Shape};
use wyrmgate_program::Language;
use wyrmgate_sessions::Service;

/// A game of the catalog.
#[derive(Serialize, ToSchema)]
pub struct Game {
    /// The name that sessions use.
    name: String,
    title: String,
    about: String,
    /// The languages of its texts. The first is the language of the rules.
    #[schema(example = json!(["en", "es"]))]
    languages: Vec<String>,
    /// The supported numbers of seats.
    #[schema(example = json!([2, 3, 4]))]
    players: Vec<usize>,
    options: Vec<GameOption>,
    endings: GameEndings,
    /// The variants of the game. A session selects them with `variant`.
    variants: Vec<Variant>,
    /// Set if the newest version of the rules has errors and this is an older one. Lists the errors of the newest
    /// version.
    #[serde(skip_serializing_if = "Option::is_none")]
    broken: Option<Vec<Finding>>,
    /// Digest of the current ruleset.
    ruleset: String,
    /// Link to its rules.
    #[schema(example = "/v1/rulesets/…")]
    ruleset_link: String,
    /// Link to the numbers of its choices, for programs that learn.
    #[schema(example = "/v1/rulesets/…/actions")]
    actions_link: String,
}

/// A game with changed rules.
#[derive(Serialize, ToSchema)]
pub struct Variant {
    /// The name that sessions use.
    #[schema(example = "short")]
    name: String,
    title: String,
    about: String,
    /// The overlays, in the order in which they apply. The last one is the variant itself.
    #[schema(example = json!(["calm", "short"]))]
    overlays: Vec<String>,
    players: Vec<usize>,
    options: Vec<GameOption>,
    endings: GameEndings,
    /// Digest of its current ruleset.
    ruleset: String,
    #[schema(example = "/v1/rulesets/…")]
    ruleset_link: String,
    #[schema(example = "/v1/rulesets/…/actions")]
    actions_link: String,
}

/// How sessions of a game may end besides by its rules, as far as their `endings` allow.
#[derive(Serialize, ToSchema)]
pub struct GameEndings {
    /// Whether all players may agree on a draw.
    draws: bool,
    /// Whether the rules say what follows when a seat resigns. Otherwise the other one of two sides wins.
    resigns: bool,
}

impl GameEndings {
    fn of(checked: &Checked) -> GameEndings {
        GameEndings {
            draws: checked.may_agree_on_draw(),
            resigns: checked.says_what_resigning_means(),
        }
    }
}

/// A setting that is chosen when a session is created.
#[derive(Serialize, ToSchema)]
pub struct GameOption {
    name: String,
    title: String,
    /// A description of its changes. Empty if the title says enough.
    text: String,
    kind: OptionKind,
    /// The default value: a number, a Boolean or a name.
    #[schema(value_type = OptionValue)]
    default: Value,
    /// Defaults by number of seats, if they depend on it.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    #[schema(value_type = std::collections::HashMap<String, OptionValue>)]
    default_with_seats: BTreeMap<usize, Value>,
    /// Conditions on options and seats. All of them must hold for any value other than the default.
    #[schema(example = json!(["count(seats) > 2"]))]
    requires: Vec<String>,
    /// Conditions on options and seats. None of them may hold for any value other than the default.
    excludes: Vec<String>,
    /// Minimum of a `number`.
    #[serde(skip_serializing_if = "Option::is_none")]
    low: Option<i32>,
    /// Maximum of a `number`.
    #[serde(skip_serializing_if = "Option::is_none")]
    high: Option<i32>,
    /// Distance between allowed values of a `number`.
    #[serde(skip_serializing_if = "Option::is_none")]
    step: Option<i32>,
    /// The allowed values of a `name`.
    #[serde(skip_serializing_if = "Option::is_none")]
    names: Option<Vec<String>>,
    /// The titles of the names.
    #[serde(skip_serializing_if = "Option::is_none")]
    titles: Option<Vec<String>>,
}

/// The type of an option.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum OptionKind {
    Bool,
    Number,
    Name,
}

/// A number, a Boolean or a name.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only the schema is used")]
pub enum OptionValue {
    Truth(bool),
    Number(i32),
    Name(String),
}

page_schema!("A page of games.", "Cursor of the next page.", GamePage: Game);

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct GameList {
    /// Maximum number of items in the page.
    #[param(minimum = 1, maximum = 100, default = 20)]
    limit: Option<usize>,
    /// `next` from the previous page.
    cursor: Option<String>,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub struct GamePath {
    /// The name of a game.
    game: String,
}

/// List the games
///
/// Games in the order of their names, each with its options, its variants and the numbers of seats.
#[utoipa::path(
    get, path = "/v1/games",
    operation_id = "listGames", tag = "games", params(GameList),
    responses((status = 200, description = "A page of the catalog", body = GamePage)),
    extensions(("x-language" = json!(true))),
)]
pub async fn list(ApiCall { context, query, .. }: ApiCall<NoParameters, GameList>) -> Handled {
    let limit = lists::limit(query.limit)?;
    // A list in which games are missing would be wrong.
    context.app().opened().await;
    let catalog = context.service().library().catalog();
    let shown = query.cursor.map_or(0, |last| shown_up_to(&catalog, &last));
    let mut rest = catalog.games.iter().skip(shown);
    let games = rest.by_ref().take(limit);
    let games = games.map(|offer| describe(&catalog, offer, &context.accepted));
    let games: Vec<(Game, &str)> = games.collect::<Result<_, _>>()?;
    let (items, tags): (Vec<Game>, Vec<&str>) = games.into_iter().unzip();
    let has_more = rest.next().is_some();
    let last = items.last().map(|game| game.name.clone());
    let next = last.filter(|_| has_more);
    let response = respond::page(&context.request, &ListPage { items, next })?;
    Ok(language::said(response, tags))
}

/// Returns the number of games on the pages up to and including this one.
fn shown_up_to(catalog: &Catalog, last: &str) -> usize {
    let mut games = catalog.games.iter();
    let at = games.position(|offer| offer.ruleset.name == last);
    at.map_or(0, |at| at + 1)
}

/// Get a game
///
/// Everything that a table needs: title, options with their bounds, variants, clauses, languages and numbers of seats.
#[utoipa::path(
    get, path = "/v1/games/{game}",
    operation_id = "getGame", tag = "games", params(GamePath),
    responses((status = 200, description = "The game", body = Game)),
    extensions(("x-language" = json!(true))),
)]
pub async fn get(ApiCall { context, path, .. }: ApiCall<GamePath>) -> Handled {
    let catalog = context.service().catalog_with(&path.game).await;
    let offer = catalog.offer(&path.game);
    let offer = offer.ok_or_else(|| unknown(&catalog, &path.game))?;
    let (game, tag) = describe(&catalog, offer, &context.accepted)?;
    Ok(language::said(respond::ok(&game)?, [tag]))
}

/// Returns the problem with the name of a game, with the games that exist.
pub fn unknown(catalog: &Catalog, game: &str) -> Problem {
    let games = catalog.offers().map(|offer| offer.ruleset.name.clone());
    Problem::unknown("game", game, games.collect())
}

/// Returns the problem with a digest, with those of the games that this server offers.
pub fn unknown_ruleset(catalog: &Catalog, digest: &str) -> Problem {
    let digests = catalog.offers().map(|offer| offer.ruleset.digest.clone());
    Problem::unknown("ruleset", digest, digests.collect())
}

/// Returns the ruleset that a client named by its game or by its digest. `either` tells a client that it sent both or
/// neither.
pub async fn named(
    service: &Service,
    game: Option<&str>,
    digest: Option<&str>,
    either: &str,
) -> Result<Arc<Ruleset>, Problem> {
    match (game, digest) {
        (Some(game), None) => {
            let ruleset = service.game(game).await;
            ruleset.ok_or_else(|| unknown(&service.library().catalog(), game))
        }
        (None, Some(digest)) => {
            let ruleset = service.ruleset(digest).await?;
            ruleset.ok_or_else(|| unknown_ruleset(&service.library().catalog(), digest))
        }
        _ => Err(Problem::malformed("", either)),
    }
}

/// Returns the problem with the name of a game or of its variants, with those that exist.
pub fn unknown_variant(catalog: &Catalog, game: &str, variant: &str) -> Problem {
    let Some(offer) = catalog.offer(game) else {
        return unknown(catalog, game);
    };
    let variants = offer.variants.iter();
    let names: Vec<String> = variants
        .map(|variant| variant.variant().to_owned())
        .collect();
    let is_unknown = |name: &&str| !names.iter().any(|known| known == name);
    let wrong = variant.split('+').find(is_unknown).unwrap_or(variant);
    Problem::unknown(&format!("variant of `{game}`"), wrong, names)
}

/// Returns the game in the client's preferred language, and the tag of that language.
fn describe<'r>(
    catalog: &Catalog,
    offer: &'r GameOffer,
    accepted: &Accepted,
) -> Result<(Game, &'r str), Problem> {
    let broken = catalog.broken(&offer.ruleset.name);
    let broken = broken.map(|broken| findings(&broken.findings()));
    let ruleset = &*offer.ruleset;
    let checked = &ruleset.checked;
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
        endings: GameEndings::of(checked),
        variants: variants
            .map(|variant| describe_variant(variant, accepted))
            .collect(),
        broken: broken.transpose()?,
        ruleset: ruleset.digest.clone(),
        ruleset_link: format!("/v1/rulesets/{}", ruleset.digest),
        actions_link: format!("/v1/rulesets/{}/actions", ruleset.digest),
    };
    Ok((game, language::tag_of(&checked.languages, language)))
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
        endings: GameEndings::of(checked),
        ruleset: ruleset.digest.clone(),
        ruleset_link: format!("/v1/rulesets/{}", ruleset.digest),
        actions_link: format!("/v1/rulesets/{}/actions", ruleset.digest),
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
