//! Variants, rules that clients bring, and rules that change while games are played.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use reqwest::StatusCode;
use serde_json::{Value, json};
use tempfile::TempDir;
use wyrmgate::config::Config;
use wyrmgate::rules::Ruleset;

use crate::support::{Server, TOLL, config, expect, fixtures, refused, text};

/// The fixtures, with variants of one of them.
fn rules() -> TempDir {
    let rules = tempfile::tempdir().unwrap();
    for game in ["toll", "trade"] {
        fs::create_dir_all(rules.path().join(game).join("variants")).unwrap();
        let file = format!("{game}/game.yaml");
        fs::copy(fixtures().join(&file), rules.path().join(file)).unwrap();
    }
    let long = "extends: toll\ntitle: A Long Toll\nchange: {bound: 90}\n";
    write(&rules, "toll/variants/long.yaml", long);
    let named = "extends: toll\nadd: {data.spare: 3}\n";
    write(&rules, "toll/variants/spare.yaml", named);
    rules
}

fn write(rules: &TempDir, file: &str, text: &str) {
    fs::write(rules.path().join(file), text).unwrap();
}

fn serving(rules: &Path) -> Config {
    Config {
        rules: rules.to_owned(),
        ..config()
    }
}

fn upload(text: &str) -> Value {
    json!({"files": {"house.yaml": text}})
}

#[tokio::test]
async fn variants_are_listed_with_their_game_and_can_be_played() {
    let rules = rules();
    let server = Server::with(serving(rules.path())).await;
    let game = server.get("/v1/games/toll").send().await.unwrap();
    let game = expect(game, StatusCode::OK).await;
    let names: Vec<String> = game["variants"]
        .as_array()
        .unwrap()
        .iter()
        .map(|v| text(v, "name"))
        .collect();
    assert_eq!(names, ["long", "spare"]);
    assert_eq!(game["variants"][0]["title"], "A Long Toll");
    let session = server
        .create(json!({"game": TOLL, "variant": "long"}))
        .await;
    assert_eq!(session.created["variant"], "long");
    assert_eq!(session.created["game"], TOLL);
    assert_eq!(session.created["ruleset"], game["variants"][0]["ruleset"]);
    let both = server
        .create(json!({"game": TOLL, "variant": "long+spare"}))
        .await;
    assert_eq!(both.created["variant"], "long+spare");
    assert_ne!(both.created["ruleset"], session.created["ruleset"]);
    // They are found under their game.
    let listed = server.get("/v1/sessions?game=toll").send().await.unwrap();
    let listed = expect(listed, StatusCode::OK).await;
    assert_eq!(listed["items"].as_array().unwrap().len(), 2);
    refused(
        server.post("/v1/sessions", json!({"game": TOLL, "variant": "short"})),
        404,
        "not-found",
    )
    .await;
}

#[tokio::test]
async fn an_uploaded_house_rule_is_played_by_its_digest() {
    let server = Server::start().await;
    let house = upload("extends: toll\ntitle: House Toll\nchange: {bound: 77}\n");
    let checked = server
        .post("/v1/ruleset-checks", house.clone())
        .send()
        .await
        .unwrap();
    let checked = expect(checked, StatusCode::OK).await;
    let digest = text(&checked, "digest");
    let wanted = json!({"ruleset": digest});
    // A check keeps nothing.
    refused(
        server.post("/v1/sessions", wanted.clone()),
        404,
        "not-found",
    )
    .await;
    let created = server.post("/v1/rulesets", house).send().await.unwrap();
    let location = created.headers()["location"].to_str().unwrap().to_owned();
    let created = expect(created, StatusCode::CREATED).await;
    assert_eq!(created["digest"], digest.as_str());
    assert_eq!(created["name"], "toll+house");
    let ruleset = server.get(&location).send().await.unwrap();
    let ruleset = expect(ruleset, StatusCode::OK).await;
    assert_eq!(ruleset["sources"].as_array().unwrap().len(), 2);
    let session = server.create(wanted).await;
    assert_eq!(session.created["variant"], "house");
}

#[tokio::test]
async fn an_overlay_can_lie_on_uploaded_rules() {
    let server = Server::start().await;
    let house = upload("extends: toll\ntitle: House Toll\n");
    let house = server.post("/v1/rulesets", house).send().await.unwrap();
    let house = text(&expect(house, StatusCode::CREATED).await, "digest");
    let on = |base: &str, file: &str, extends: &str| {
        let files = json!({file: format!("extends: {extends}\nchange: {{bound: 77}}\n")});
        json!({"files": files, "base": base})
    };
    let second = server.post("/v1/rulesets", on(&house, "second.yaml", "toll"));
    let second = expect(second.send().await.unwrap(), StatusCode::CREATED).await;
    assert_eq!(second["name"], "toll+house+second");
    let session = server.create(json!({"ruleset": second["digest"]})).await;
    assert_eq!(session.created["variant"], "house+second");
    for wrong in [
        on(&"0".repeat(64), "second.yaml", "toll"),
        on(&house, "house.yaml", "toll"),
        on(&house, "second.yaml", "trade"),
    ] {
        refused(server.post("/v1/rulesets", wrong), 422, "unprocessable").await;
    }
}

#[tokio::test]
async fn a_whole_game_can_be_uploaded() {
    let server = Server::start().await;
    let game = fs::read_to_string(fixtures().join("trade/game.yaml")).unwrap();
    let created = server.post("/v1/rulesets", json!({"files": {"game.yaml": game}}));
    let created = expect(created.send().await.unwrap(), StatusCode::CREATED).await;
    server.create(json!({"ruleset": created["digest"]})).await;
}

/// A game whose cards are in a file beside it, as a spreadsheet writes it.
fn market(table: &str) -> Value {
    let game = "game: market\ntitle: Market\nabout: Buy.\nplayers: 2\nbound: 9\ndata: {wares: {table: wares.csv}}\n\
        zones: {shelf: {holds: card}}\ncomponents: {card: {from: wares, in: shelf}}\neffects:\n  play: |\n    \
        choose c in shelf where c.price > 1 by seat(1) label \"Buy {c} for {c.price}\" \"Which?\": move c to box\n    \
        finish drawn\n";
    json!({"files": {"game.yaml": game, "wares.csv": table}})
}

#[tokio::test]
async fn a_game_is_uploaded_with_its_tables_and_kept_with_them() {
    let store = tempfile::tempdir().unwrap();
    let config = Config {
        store: format!("embedded:{}", store.path().join("kept.redb").display()),
        ..config()
    };
    let server = Server::with(config.clone()).await;
    let create = |table: &str| server.post("/v1/rulesets", market(table));
    let table = "\u{feff}name,title,price\r\nsilk,\"Silk, red\",3\r\nrope,,1\r\n";
    let created = expect(create(table).send().await.unwrap(), StatusCode::CREATED).await;
    let digest = text(&created, "digest");
    let dearer = table.replace(",3", ",4");
    let other = expect(create(&dearer).send().await.unwrap(), StatusCode::CREATED).await;
    assert_ne!(other["digest"], digest.as_str());
    let wrong = refused(create("name,price\nsilk,red\n"), 422, "invalid-ruleset").await;
    let told = &wrong["diagnostics"][0];
    assert_eq!(
        (
            told["file"].as_str(),
            told["line"].as_u64(),
            told["column"].as_u64()
        ),
        (Some("market/wares.csv"), Some(2), Some(6))
    );
    drop(server);
    let server = Server::with(config).await;
    let wanted = json!({"ruleset": digest, "seats": 2});
    let first = server
        .post("/v1/steps", wanted.clone())
        .send()
        .await
        .unwrap();
    let first = expect(first, StatusCode::OK).await;
    let label = &first["decisions"][0]["choices"][0]["label"];
    assert_eq!(label, "Buy Silk, red for 3", "{first}");
    server.create(json!({"ruleset": digest})).await;
}

/// A choice among more subsets than any client can count: 2^70 of them.
const MANY: &str = "\
game: many
title: Many
players: [1]
zones:
  hand: {title: Hand, holds: card}
components:
  card: {title: Card, copies: 70, in: hand}
effects:
  play: |
    choose any c in hand by seat(1) \"Which?\"
    finish drawn
";

#[tokio::test]
async fn a_count_is_a_number_that_clients_can_read() {
    let server = Server::start().await;
    let created = server.post("/v1/rulesets", json!({"files": {"game.yaml": MANY}}));
    let created = expect(created.send().await.unwrap(), StatusCode::CREATED).await;
    let wanted = json!({"ruleset": created["digest"], "seats": 1});
    let first = server.post("/v1/steps", wanted).send().await.unwrap();
    let first = expect(first, StatusCode::OK).await;
    // The largest whole number that every JSON reader keeps; the choices that are listed are fewer.
    let decision = &first["decisions"][0];
    assert_eq!(
        decision["count"],
        (1_u64 << 53) - 1,
        "{}",
        first["decisions"]
    );
    assert_eq!(decision["complete"], false);
}

#[tokio::test]
async fn rules_that_do_not_check_are_refused_with_every_diagnostic() {
    let server = Server::start().await;
    let wrong = upload("extends: toll\nchange:\n  bund: 3\n  data.nowhere: 4\n");
    let problem = refused(
        server.post("/v1/rulesets", wrong.clone()),
        422,
        "invalid-ruleset",
    )
    .await;
    let diagnostics = problem["diagnostics"].as_array().unwrap();
    assert_eq!(diagnostics.len(), 2, "{problem}");
    let gone = diagnostics
        .iter()
        .find(|d| d["code"] == "vanished-target")
        .unwrap();
    assert_eq!(
        (gone["file"].as_str(), gone["line"].as_u64()),
        (Some("house.yaml"), Some(4))
    );
    assert!(gone["help"].is_string());
    refused(
        server.post("/v1/ruleset-checks", wrong),
        422,
        "invalid-ruleset",
    )
    .await;
    let nowhere = upload("extends: nowhere\n");
    let problem = refused(server.post("/v1/rulesets", nowhere), 422, "invalid-ruleset").await;
    assert_eq!(problem["diagnostics"][0]["code"], "unknown-base");
    let many = "absent, ".repeat(3_000);
    let many = upload(&format!("extends: toll\ninclude: [{many}]\n"));
    let problem = refused(
        server.post("/v1/ruleset-checks", many),
        422,
        "invalid-ruleset",
    )
    .await;
    assert_eq!(problem["diagnostics"].as_array().unwrap().len(), 100);
    let path = json!({"files": {"../house.yaml": "extends: toll\n"}});
    refused(server.post("/v1/rulesets", path), 422, "unprocessable").await;
}

/// Each limit answers by its name.
#[tokio::test]
async fn limits_of_rulesets_have_names() {
    let server = Server::start().await;
    let data = |text: &str| format!("extends: toll\nadd:\n  data.x: {text}\n");
    let bomb = (1..20).fold(
        "  data.a0: &a0 [1, 2, 3, 4, 5, 6, 7, 8]\n".to_owned(),
        |text, n| {
            let row = vec![format!("*a{}", n - 1); 8].join(", ");
            text + &format!("  data.a{n}: &a{n} [{row}]\n")
        },
    );
    let aliases = vec!["*a"; 300].join(", ");
    let many = vec!["1"; 60_000].join(",");
    let cases = [
        (
            "yaml-depth",
            data(&format!("{}1{}", "[".repeat(40), "]".repeat(40))),
        ),
        ("yaml-nodes", format!("extends: toll\nadd:\n{bomb}")),
        ("yaml-nodes", data(&format!("[{many}]"))),
        (
            "yaml-aliases",
            format!("extends: toll\nadd:\n  data.a: &a 1\n  data.b: [{aliases}]\n"),
        ),
        ("yaml-scalar", data(&format!("\"{}\"", "a".repeat(70_000)))),
        (
            "file-size",
            format!("extends: toll\n#{}\n", "x".repeat(300_000)),
        ),
        (
            "nesting",
            data(&format!("\"{}1{}\"", "(".repeat(200), ")".repeat(200))),
        ),
        (
            "effect-size",
            format!(
                "extends: toll\nadd:\n  effects.long: |\n    {}\n",
                "say \"x\"; ".repeat(3_000)
            ),
        ),
        ("operators", data(&format!("\"1{}\"", " + 1".repeat(400)))),
    ];
    for (code, text) in cases {
        let started = Instant::now();
        let problem = refused(
            server.post("/v1/ruleset-checks", upload(&text)),
            422,
            "invalid-ruleset",
        )
        .await;
        let found = problem["diagnostics"].as_array().unwrap();
        assert!(
            found.iter().any(|d| d["code"] == code),
            "{code}: {}",
            problem["detail"]
        );
        assert!(started.elapsed() < Duration::from_secs(10), "{code}");
    }
    let files = (0..6).map(|n| (format!("f{n}.yaml"), json!("#".repeat(250_000))));
    let mut files: serde_json::Map<String, Value> = files.collect();
    files.insert(
        "house.yaml".into(),
        json!("extends: toll\ninclude: [f0.yaml, f1.yaml, f2.yaml, f3.yaml, f4.yaml]\n"),
    );
    let problem = refused(
        server.post("/v1/ruleset-checks", json!({"files": files})),
        422,
        "invalid-ruleset",
    )
    .await;
    let found = problem["diagnostics"].as_array().unwrap();
    assert!(
        found.iter().any(|d| d["code"] == "bundle-size"),
        "{}",
        problem["detail"]
    );
    // The answer is read although it comes while the body is still being sent.
    let huge = upload(&"#".repeat(7_000_000));
    for _ in 0..10 {
        refused(server.post("/v1/rulesets", huge.clone()), 413, "too-large").await;
    }
}

/// Worlds that are too large, and games that never stop: told by name, while others play on.
#[tokio::test]
async fn hostile_rules_slow_nobody() {
    let server = Server::start().await;
    let (session, tokens) = server.duel(TOLL).await;
    let head = "game: evil\nplayers: 2\nbound: 9\n";
    let idle = "effects: {play: finish drawn}\n";
    let hostile = [
        format!("{head}components: {{thing: {{each: {{a: 1..60000, b: 1..60000}}}}}}\n{idle}"),
        format!("{head}components: {{thing: {{copies: 2000000000}}}}\n{idle}"),
        format!("{head}zones: {{place: {{each: {{a: 1..2000000000}}}}}}\n{idle}"),
        format!("{head}vars: {{many: {{each: 1..2000000000, type: int}}}}\n{idle}"),
        format!("{head}data: {{many: 1..2000000000}}\n{idle}"),
        format!("{head}data: {{sum: \"sum(1..2000000000)\"}}\n{idle}"),
    ];
    for text in hostile {
        let started = Instant::now();
        let evil = server.post("/v1/ruleset-checks", json!({"files": {"game.yaml": text}}));
        let (evil, view) = tokio::join!(evil.send(), session.view(&tokens[0]));
        assert!(view["state"].is_object() || view["zones"].is_object() || view.is_object());
        let status = evil.unwrap().status();
        assert!(!status.is_server_error(), "{status}: {text}");
        assert!(started.elapsed() < Duration::from_secs(10), "{text}");
    }
    let endless = format!("{head}effects:\n  play: |\n    repeat: say \"again\"\n");
    let sent = server
        .post("/v1/rulesets", json!({"files": {"game.yaml": endless}}))
        .send()
        .await
        .unwrap();
    if sent.status() == StatusCode::CREATED {
        let created = expect(sent, StatusCode::CREATED).await;
        let wanted = json!({"ruleset": created["digest"], "seats": ["random", "random"]});
        refused(
            server.post("/v1/sessions", wanted),
            422,
            "rules-budget-exceeded",
        )
        .await;
    }
}

/// Asks until it is so.
async fn becomes(server: &Server, path: &str, holds: impl Fn(&Value) -> bool) -> Value {
    for _ in 0..100 {
        let found = server.get(path).send().await.unwrap();
        let found = expect(found, StatusCode::OK).await;
        if holds(&found) {
            return found;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("{path} does not become so");
}

#[tokio::test]
async fn an_edited_file_is_offered_and_sessions_keep_their_rules() {
    let rules = rules();
    let server = Server::with(serving(rules.path())).await;
    let session = server.create(json!({"game": TOLL})).await;
    let before = text(&session.created, "ruleset");
    let good = fs::read_to_string(fixtures().join("toll/game.yaml")).unwrap();
    write(&rules, "toll/game.yaml", &format!("{good}# edited\n"));
    let game = becomes(&server, "/v1/games/toll", |game| {
        game["ruleset"] != before.as_str()
    })
    .await;
    let newer = text(&game, "ruleset");
    assert_eq!(session.get("", None).await["ruleset"], before.as_str());

    write(&rules, "toll/game.yaml", &format!("{good}nonsense: 1\n"));
    let game = becomes(&server, "/v1/games/toll", |game| game["broken"].is_array()).await;
    assert_eq!(game["ruleset"], newer.as_str());
    assert_eq!(game["broken"][0]["code"], "unknown-key");
    let ready = becomes(&server, "/readyz", |_| true).await;
    assert!(
        ready["broken"].as_array().unwrap().contains(&json!("toll")),
        "{ready}"
    );
    server.create(json!({"game": TOLL})).await;

    write(&rules, "toll/game.yaml", &good);
    let game = becomes(&server, "/v1/games/toll", |game| {
        game["ruleset"] == before.as_str()
    })
    .await;
    assert!(game["broken"].is_null());
}

#[tokio::test]
async fn an_edited_table_is_offered() {
    let rules = rules();
    fs::create_dir_all(rules.path().join("market")).unwrap();
    let files = market("name,price\nsilk,3\n");
    for name in ["game.yaml", "wares.csv"] {
        write(
            &rules,
            &format!("market/{name}"),
            files["files"][name].as_str().unwrap(),
        );
    }
    let server = Server::with(serving(rules.path())).await;
    let before = server.get("/v1/games/market").send().await.unwrap();
    let before = text(&expect(before, StatusCode::OK).await, "ruleset");
    write(&rules, "market/wares.csv", "name,price\nsilk,31\n");
    becomes(&server, "/v1/games/market", |game| {
        game["ruleset"] != before.as_str()
    })
    .await;
    write(&rules, "market/wares.csv", "name,price\nsilk\n");
    let game = becomes(&server, "/v1/games/market", |game| {
        game["broken"].is_array()
    })
    .await;
    assert_eq!(game["broken"][0]["file"], "market/wares.csv", "{game}");
}

#[tokio::test]
async fn a_session_outlives_its_rules_and_a_restart() {
    let rules = rules();
    let store = tempfile::tempdir().unwrap();
    let config = Config {
        store: format!("embedded:{}", store.path().join("kept.redb").display()),
        ..serving(rules.path())
    };
    let server = Server::with(config.clone()).await;
    let session = server
        .create(json!({"game": TOLL, "variant": "long+spare"}))
        .await;
    let (path, digest) = (session.path.clone(), text(&session.created, "ruleset"));
    drop(server);
    fs::remove_dir_all(rules.path().join("toll")).unwrap();
    let server = Server::with(config).await;
    let session = server.get(&path).send().await.unwrap();
    assert_eq!(
        expect(session, StatusCode::OK).await["ruleset"],
        digest.as_str()
    );
    refused(server.get("/v1/games/toll"), 404, "not-found").await;
    server.create(json!({"ruleset": digest})).await;
}

#[tokio::test]
async fn a_ruleset_has_a_rulebook_and_a_picture_for_people() {
    let server = Server::start().await;
    let game = server.get("/v1/games/toll").send().await.unwrap();
    let game = expect(game, StatusCode::OK).await;
    let path = text(&game, "ruleset_link");
    let look = async |rest: &str, of: &str| {
        let answer = server.get(&format!("{path}/{rest}")).send().await.unwrap();
        assert_eq!(answer.status(), StatusCode::OK, "{rest}");
        assert_eq!(answer.headers()["content-type"], of);
        let policy = answer.headers()["content-security-policy"]
            .to_str()
            .unwrap();
        assert!(policy.starts_with("default-src 'none'"), "{policy}");
        let tag = answer.headers()["etag"].to_str().unwrap().to_owned();
        let again = server
            .get(&format!("{path}/{rest}"))
            .header("if-none-match", tag);
        assert_eq!(
            again.send().await.unwrap().status(),
            StatusCode::NOT_MODIFIED
        );
        answer.text().await.unwrap()
    };
    let page = look("rulebook", "text/html; charset=utf-8").await;
    assert!(
        page.contains(&format!("<h1>{}</h1>", text(&game, "title"))),
        "{page}"
    );
    let light = look("board.svg", "image/svg+xml").await;
    let dark = look("board.svg?theme=dark&size=480", "image/svg+xml").await;
    assert!(light.starts_with("<svg ") && dark.contains("width=\"480\""));
    let painted = server.get(&format!("{path}/board.png?theme=dark&size=480"));
    let painted = painted.send().await.unwrap();
    assert_eq!(painted.headers()["content-type"], "image/png");
    let pixels = painted.bytes().await.unwrap();
    assert_eq!(pixels, wyrmgate::picture::png(&dark).unwrap());
    refused(
        server.get(&format!("{path}/board.svg?size=1")),
        400,
        "malformed",
    )
    .await;
    refused(server.get("/v1/rulesets/none/rulebook"), 404, "not-found").await;
}

#[tokio::test]
async fn rules_are_found_by_a_digest_that_an_earlier_version_gave_them() {
    let rules = rules();
    let unix = fs::read_to_string(rules.path().join("toll/game.yaml")).unwrap();
    write(&rules, "toll/game.yaml", &unix.replace('\n', "\r\n"));
    let read = Ruleset::from_folder(&rules.path().join("toll"))
        .unwrap()
        .unwrap();
    let [old, _] = read.sources.earlier_digests();
    assert_ne!(old, read.digest);
    let server = Server::with(serving(rules.path())).await;
    let session = server.create(json!({"ruleset": old})).await;
    assert_eq!(session.created["ruleset"], old.as_str());
    let told = server
        .get(&format!("/v1/rulesets/{old}"))
        .send()
        .await
        .unwrap();
    let told = expect(told, StatusCode::OK).await;
    assert_eq!(told["digest"], old.as_str());
}
