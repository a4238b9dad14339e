//! No word that a player reads is a name from the rules or from the program, in any shipped game.

use serde_json::{Value, json};

use crate::browser::Browser;
use crate::plays_everything;
use crate::server::Server;

/// Choices that each game has gone on before its words are read.
const CHOICES: usize = 6;

/// All words of a page, each with where it stands.
const COLLECT: &str = r#"
    const found = [];
    const add = (place, text) => text?.trim() && found.push([place, text.replace(/\s+/g, " ").trim()]);
    const all = (place, selector, read) => document.querySelectorAll(selector).forEach((part) => add(place, read(part)));
    all("log", ".log p", (part) => part.firstChild?.textContent);
    all("choices", ".choices button:not(.clause), .choices h2, .choices .latest", (part) => part.textContent);
    all("bar", ".state, .bar .quiet, .bar .name", (part) => part.textContent);
    all("label", "[aria-label]", (part) => part.getAttribute("aria-label") + "\u0000");
    all("title", ".drawing title", (part) => part.textContent);
    all("drawn", ".drawing text", (part) => part.textContent);
    document.querySelector("pre.text")?.textContent.split("\n").forEach((line) => add("characters", line));
    return found;
"#;

/// Returns what is wrong with words, if anything is.
fn fault(place: &str, words: &str, ids: &[String]) -> Option<String> {
    if place == "label" && words.trim_end_matches('\0').ends_with(" – ") {
        return Some("it ends with a dash".to_owned());
    }
    let words = words.trim_end_matches('\0');
    let is_letter = |letter: char| letter.is_alphanumeric() || "_-#".contains(letter);
    let parts = || {
        words
            .split(|letter: char| !is_letter(letter))
            .filter(|part| !part.is_empty())
    };
    let raw = ["null", "undefined", "NaN", "true", "false", "box"];
    if let Some(part) = parts().find(|part| raw.contains(part) || part.contains('_')) {
        return Some(format!("`{part}` is a word of the program"));
    }
    if let Some(part) = parts().find(|part| ids.iter().any(|id| id == part)) {
        return Some(format!("`{part}` is the id of something"));
    }
    // `Card 1 5`: numbers from the rules, which tell a player nothing. The places of a board have numbers.
    let parts: Vec<&str> = words.split(' ').collect();
    let is_number =
        |part: &str| !part.is_empty() && part.chars().all(|letter| letter.is_ascii_digit());
    let is_kind = |part: &str| ["Man", "Card", "Pawn", "Piece", "Die", "Line"].contains(&part);
    let is_keyed = parts
        .windows(3)
        .any(|of| is_kind(of[0]) && is_number(of[1]) && is_number(of[2]));
    if is_keyed {
        return Some("it has the keys of a component".to_owned());
    }
    let is_counted = place != "characters"
        && words.ends_with(')')
        && words
            .rsplit_once(" (")
            .is_some_and(|(_, end)| is_number(end.trim_end_matches(')')));
    is_counted.then(|| "it tells things apart by a number".to_owned())
}

/// Makes choices for a seat until there were enough or the game is over.
async fn advance(server: &Server, id: &str, token: &str) {
    let client = reqwest::Client::new();
    let mut made = 0;
    for _ in 0..200 {
        let view = client.get(format!(
            "{}/v1/sessions/{id}/view?include=actions",
            server.url
        ));
        let view: Value = view
            .bearer_auth(token)
            .send()
            .await
            .unwrap()
            .json()
            .await
            .unwrap();
        let choices = view["decisions"][0]["choices"].as_array();
        let Some(choices) = choices.filter(|_| made < CHOICES) else {
            if made == CHOICES || view["status"] == "finished" {
                return;
            }
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
            continue;
        };
        let choice = &choices[(made * 7 + 3) % choices.len()];
        let request = client.post(format!("{}/v1/sessions/{id}/moves", server.url));
        let request = request
            .bearer_auth(token)
            .json(&json!({"id": choice["id"]}));
        made += usize::from(request.send().await.unwrap().status().is_success());
    }
}

/// Returns the ids of a game that are no words.
async fn ids(server: &Server, ruleset: &str) -> Vec<String> {
    let url = format!(
        "{}/v1/rulesets/{ruleset}?fields=kinds.components,decisions.name",
        server.url
    );
    let rules: Value = reqwest::get(url).await.unwrap().json().await.unwrap();
    let components = rules["kinds"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|kind| kind["components"].as_array().unwrap());
    let decisions = rules["decisions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|decision| &decision["name"]);
    let names = components
        .chain(decisions)
        .map(|name| name.as_str().unwrap().to_owned());
    names
        .filter(|name| name.contains(['-', '_', '#']))
        .collect()
}

#[tokio::test]
async fn no_word_is_a_name_of_the_rules_or_the_program() {
    let server = Server::start("memory");
    let browser = Browser::start().await;
    let url = format!("{}/v1/games?limit=100", server.url);
    let games: Value = reqwest::get(url).await.unwrap().json().await.unwrap();
    let games = games["items"].as_array().unwrap();
    // Every third game; all of them in a long test.
    let step = if plays_everything() { 1 } else { 3 };
    let mut faults = Vec::new();
    for game in games.iter().step_by(step) {
        let name = game["name"].as_str().unwrap();
        let seats = game["players"]
            .as_array()
            .unwrap()
            .iter()
            .filter_map(Value::as_u64)
            .find(|seats| *seats > 1);
        let bots = seats.unwrap_or(1) - 1;
        let mut seats = vec!["open"];
        seats.extend((0..bots).map(|_| "random"));
        let session = json!({"game": name, "seats": seats, "seed": "07".repeat(32)});
        let id = server.post("/v1/sessions", session).await["id"].clone();
        let id = id.as_str().unwrap();
        let claimed = server
            .put(
                &format!("/v1/sessions/{id}/seats/1"),
                json!({"name": "Ann"}),
            )
            .await;
        let token = claimed["token"].as_str().unwrap();
        advance(&server, id, token).await;
        browser.open("about:blank").await;
        browser
            .open(&format!("{}/#/t/{id}/seat/1/{token}", server.url))
            .await;
        browser.find(".drawing svg").await;
        browser.find(".log li").await;
        let ids = ids(&server, game["ruleset"].as_str().unwrap()).await;
        let mut found = browser.run(COLLECT, json!([])).await;
        browser.click("[data-tab=textBoard]").await;
        browser.find("pre.text:not(:empty)").await;
        let characters = browser.run(COLLECT, json!([])).await;
        let found = found.as_array_mut().unwrap();
        found.extend(characters.as_array().unwrap().iter().cloned());
        for pair in found {
            let (place, words) = (pair[0].as_str().unwrap(), pair[1].as_str().unwrap());
            let fault = fault(place, words, &ids);
            faults.extend(fault.map(|fault| format!("{name}, {place}: {words:?}: {fault}")));
        }
    }
    faults.dedup();
    assert!(faults.is_empty(), "{faults:#?}");
}
