//! Every game and every variant in mid-play, in windows of a desk and of a phone.
//!
//! `WYRMGATE_PICTURES=DIR WYRMGATE_PAGES=whole cargo test --test pages in_mid_play` keeps a picture of each, to be looked at;
//! `WYRMGATE_GAMES=chess,hex` of these.

use std::time::Duration;

use serde_json::{Value, json};

use crate::browser::Browser;
use crate::pointer::Pointer;
use crate::server::Server;
use crate::{picture, plays_everything};

/// Choices that a person makes before the picture, if the game is so long.
const CHOICES: usize = 9;

/// Shown in every run of the tests.
const ALWAYS: [&str; 2] = ["drakon", "chess+atomic"];

/// What must hold of any window: nothing is wider than it, and the board is there.
const FITS: &str = "const { scrollWidth, clientWidth } = document.documentElement; \
    return [scrollWidth <= clientWidth, document.querySelector('.drawing svg').getBoundingClientRect().width > 200]";

/// Plays against bots for a while. Returns where the page shows the table.
async fn played(server: &Server, game: &str, players: &Value) -> String {
    let counts = players.as_array().unwrap().iter();
    let counts: Vec<u64> = counts.filter_map(Value::as_u64).collect();
    let seats = counts.iter().find(|count| **count > 1);
    let mut seats = vec!["random"; *seats.unwrap_or(&counts[0]) as usize];
    seats[0] = "open";
    let mut wanted =
        json!({"seats": seats, "seed": "07".repeat(32), "replies": {"least_ms": 0, "most_ms": 0}});
    match game.split_once('+') {
        Some((game, variant)) => {
            (wanted["game"], wanted["variant"]) = (json!(game), json!(variant))
        }
        None => wanted["game"] = json!(game),
    }
    let made = server.post("/v1/sessions", wanted).await;
    let path = format!("/v1/sessions/{}", made["id"].as_str().unwrap());
    let claimed = server
        .put(&format!("{path}/seats/1"), json!({"name": "Ann"}))
        .await;
    let token = claimed["token"].as_str().unwrap();
    let mut made = 0;
    while made < CHOICES {
        let view = server
            .get_as(&format!("{path}/view?include=actions"), token)
            .await;
        if view["status"] == "finished" {
            break;
        }
        let Some(decision) = view["decisions"].get(0) else {
            tokio::time::sleep(Duration::from_millis(20)).await;
            continue;
        };
        let choices = decision["choices"].as_array().unwrap();
        let choice = &choices[made * 7 % choices.len()]["id"];
        let moves = format!("{path}/moves");
        server.post_as(&moves, token, json!({"id": choice})).await;
        made += 1;
    }
    let id = path.rsplit('/').next().unwrap();
    format!("{}/#/t/{id}/seat/1/{token}", server.url)
}

#[tokio::test]
async fn all_games_and_variants_are_shown_in_mid_play() {
    let server = Server::start("memory");
    let browser = Browser::start().await;
    let games = server.get_as("/v1/games?limit=100", "").await;
    let mut all: Vec<(String, &Value)> = Vec::new();
    for game in games["items"].as_array().unwrap() {
        let name = game["name"].as_str().unwrap();
        all.push((name.to_owned(), &game["players"]));
        for variant in game["variants"].as_array().into_iter().flatten() {
            let variant_name = variant["name"].as_str().unwrap();
            all.push((format!("{name}+{variant_name}"), &variant["players"]));
        }
    }
    let wanted = std::env::var("WYRMGATE_GAMES").unwrap_or_default();
    all.retain(|(name, _)| match wanted.is_empty() {
        true => plays_everything() || ALWAYS.contains(&name.as_str()),
        false => wanted.split(',').any(|one| one == name),
    });
    assert!(!all.is_empty());
    for (name, players) in all {
        let address = played(&server, &name, players).await;
        for (place, size, pointer) in [
            ("desk", (1280, 800), Pointer::Mouse),
            ("phone", (390, 844), Pointer::Touch),
        ] {
            browser.become_window(size, pointer).await;
            browser.open("about:blank").await;
            browser.open(&address).await;
            browser
                .find(".drawing svg .piece, .drawing svg .space, .drawing svg .zone")
                .await;
            tokio::time::sleep(Duration::from_millis(600)).await;
            let fits = browser.run(FITS, json!([])).await;
            assert_eq!(fits, json!([true, true]), "{name}, {place}");
            picture(&browser, &format!("{}-{place}", name.replace('+', "-"))).await;
        }
    }
}
