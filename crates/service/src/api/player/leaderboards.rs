//! Ratings of players, and lists of the best.

use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::api::catalog::games;
use crate::api::request::call::{ApiCall, Handled};
use crate::api::request::context::JsonContext;
use crate::api::request::lists;
use crate::api::response::respond::{self, ListPage, page_schema};
use crate::api::session::ratings::{ClassRating, RatingState};
use crate::api::shared::problem::Problem;
use wyrmgate_runtime::surroundings::now_ms;
use wyrmgate_sessions::{
    ClockClass, PlayerId, PlayerProfile, RatingClass, Refusal, player_of, rating_index,
};

/// A player as everybody sees it.
#[derive(Serialize, ToSchema)]
pub struct PublicPlayer {
    #[schema(value_type = String, pattern = "^p_[0-9a-f]{32}$")]
    id: PlayerId,
    /// Display name.
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    ratings: Vec<ClassRating>,
}

/// A player in a list of the best.
#[derive(Serialize, ToSchema)]
pub struct RankedPlayer {
    #[schema(value_type = String, pattern = "^p_[0-9a-f]{32}$")]
    player: PlayerId,
    /// Display name.
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[serde(flatten)]
    state: RatingState,
}

page_schema!("A page of a leaderboard.", "Cursor of the next page.", LeaderboardPage: RankedPlayer);

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub struct PlayerPath {
    /// The id of a player.
    #[param(pattern = "^p_[0-9a-f]{32}$")]
    player: String,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub struct LeaderboardPath {
    /// The name of a game.
    game: String,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct Leaderboard {
    /// The class of clocks.
    clock: ClockClass,
    /// A variant of the game.
    variant: Option<String>,
    /// Maximum number of items in the page.
    #[param(minimum = 1, maximum = 100, default = 20)]
    limit: Option<usize>,
    /// `next` from the previous page.
    #[param(pattern = "^[0-9a-f]{16}[A-Za-z0-9_-]+$")]
    cursor: Option<String>,
}

/// Get the ratings of the player who calls
///
/// One for each game, variant and class of clocks in which the player has finished a rated game.
#[utoipa::path(
    get, path = "/v1/players/me/ratings",
    operation_id = "getPlayerRatings", tag = "players",
    responses((status = 200, description = "The ratings, by game, variant and class of clocks", body = PublicPlayer)),
)]
pub async fn own(ApiCall { context, .. }: ApiCall) -> Handled {
    seen(&context, context.player()?).await
}

/// Get a player
///
/// What everybody may know of a player: its name and its ratings. A player who was forgotten, or never was there, has neither.
#[utoipa::path(
    get, path = "/v1/players/{player}",
    operation_id = "getPublicPlayer", tag = "players", params(PlayerPath),
    responses((status = 200, description = "The player", body = PublicPlayer)),
)]
pub async fn get(ApiCall { context, path, .. }: ApiCall<PlayerPath>) -> Handled {
    let id: PlayerId = path.player.parse().map_err(|_| Refusal::NotFound)?;
    seen(&context, id).await
}

async fn seen(context: &JsonContext, id: PlayerId) -> Handled {
    let profile = context.service().player(id).await?;
    respond::ok(&PublicPlayer {
        id,
        ratings: ClassRating::all(&profile.ratings, now_ms()),
        name: profile.name,
    })
}

/// List the players with the best ratings
///
/// Of one game and class of clocks. Provisional ratings are not listed; a page may have fewer items than `limit` although there
/// is a next page.
#[utoipa::path(
    get, path = "/v1/games/{game}/leaderboard",
    operation_id = "getLeaderboard", tag = "games", params(LeaderboardPath, Leaderboard),
    responses((status = 200, description = "A page of the leaderboard", body = LeaderboardPage)),
)]
pub async fn list(call: ApiCall<LeaderboardPath, Leaderboard>) -> Handled {
    let (context, path, query) = (call.context, call.path, call.query);
    let game = match &query.variant {
        Some(variant) => format!("{}+{variant}", path.game),
        None => path.game.clone(),
    };
    let service = context.service();
    let Some(ruleset) = service.game(&game).await else {
        let catalog = service.library().catalog();
        return Err(match &query.variant {
            Some(variant) => games::unknown_variant(&catalog, &path.game, variant),
            None => games::unknown(&catalog, &path.game),
        });
    };
    let class = RatingClass {
        game: ruleset.name.clone(),
        clock: query.clock,
    };
    let after = lists::cursor(query.cursor.as_deref())?;
    let listed = rating_index(&class).page(after, lists::limit(query.limit)?);
    let page = service.list(listed).await?;
    let items = page.items.iter();
    let items = items.map(|listed| ranked(&listed.session, &listed.status, &class));
    let items: Vec<Option<RankedPlayer>> = items.collect::<Result<_, Problem>>()?;
    let next = page.next.map(|cursor| cursor.encode());
    let items = items.into_iter().flatten().collect();
    respond::page(&context.request, &ListPage { items, next })
}

/// Returns a listed player, unless it has not played for so long that its rating is provisional again.
fn ranked(
    record: &str,
    status: &[u8],
    class: &RatingClass,
) -> Result<Option<RankedPlayer>, Problem> {
    let rated = PlayerProfile::decode(status).map_err(Refusal::Store)?;
    let rating = rated.ratings.get(class).map(|of| of.at(now_ms()));
    let player = player_of(record).zip(rating.filter(|of| !of.is_provisional()));
    Ok(player.map(|(player, rating)| RankedPlayer {
        player,
        name: rated.name,
        state: RatingState::of(rating),
    }))
}
