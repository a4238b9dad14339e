//! The operator's view: metrics, keys, rates, pages of other origins.

use std::fs;
use std::time::{Duration, Instant};

use reqwest::header::HeaderValue;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use wyrmgate::api::OperatorScope;
use wyrmgate::config::Config;
use wyrmgate::session::{Token, TokenRights};

use super::support::{Server, TOLL, bearing, config, expect, refused, shipped, text};

async fn metrics(server: &Server) -> String {
    let answer = server.get("/metrics").send().await.unwrap();
    assert_eq!(answer.status(), StatusCode::OK);
    let media_type = answer.headers()["content-type"]
        .to_str()
        .unwrap()
        .to_owned();
    assert!(media_type.starts_with("application/openmetrics-text"));
    answer.text().await.unwrap()
}

#[tokio::test]
async fn numbers_tell_moves_latencies_streams_rulesets_and_fuel() {
    let mut config = config();
    // A reader that has gone is noticed when something is written to it.
    config.heartbeat = Duration::from_millis(50);
    let server = Server::with(config).await;
    let (session, [first, _]) = server.duel(TOLL).await;
    session.move_by(&first, json!({"id": "3.1.0"})).await;
    session.move_by(&first, json!({"id": "3.1.0"})).await;
    let stream = session
        .ask("/events", None)
        .header("accept", "text/event-stream");
    let stream = stream.send().await.unwrap();
    let text = metrics(&server).await;
    let number = |name: &str| -> f64 {
        let line = text
            .lines()
            .find(|line| line.starts_with(&format!("{name} ")));
        let line = line.unwrap_or_else(|| panic!("no {name} in {text}"));
        line.rsplit(' ').next().unwrap().parse().unwrap()
    };
    assert_eq!(number("wyrmgate_moves_total{player=\"person\"}"), 1.0);
    assert_eq!(number("wyrmgate_streams"), 1.0);
    let version = env!("CARGO_PKG_VERSION");
    let build = format!("wyrmgate_build_info{{version=\"{version}\"}}");
    assert_eq!(number(&build), 1.0);
    assert!(number("process_start_time_seconds") > 1e9);
    assert!(number("process_cpu_seconds_total") > 0.0);
    #[cfg(target_os = "linux")]
    {
        assert!(number("process_resident_memory_bytes") > 1e6);
        assert!(number("process_open_fds") > 3.0);
        assert!(number("process_max_fds") >= number("process_open_fds"));
    }
    assert!(number("wyrmgate_rulesets") >= 2.0);
    assert!(number("wyrmgate_fuel_total") > 0.0);
    let route = "method=\"POST\",route=\"/v1/sessions/{session}/moves\"";
    for status in [201, 412] {
        let name =
            format!("wyrmgate_request_duration_seconds_count{{{route},status=\"{status}\"}}");
        assert_eq!(number(&name), 1.0);
    }
    let commits = "wyrmgate_store_duration_seconds_count{call=\"commit\",outcome=\"ok\"}";
    assert!(number(commits) >= 3.0);
    drop(stream);
    let given_up = async {
        while metrics(&server).await.contains("wyrmgate_streams 1") {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(5), given_up)
        .await
        .unwrap();
}

#[tokio::test]
async fn every_answer_tells_its_quota() {
    let server = Server::start().await;
    for (path, bucket) in [
        ("/livez", "list"),
        ("/v1/nowhere", "list"),
        ("/v1/sessions/x/events", "stream"),
    ] {
        let answer = server.get(path).send().await.unwrap();
        let policy = answer.headers()["ratelimit-policy"].to_str().unwrap();
        assert!(policy.starts_with(&format!("\"{bucket}\";q=")), "{policy}");
        assert!(answer.headers().contains_key("ratelimit"));
    }
}

fn limited(rates: &[&str]) -> Config {
    let rates = rates.iter().map(|rate| rate.parse().unwrap());
    let mut config = config();
    config.rates = rates.fold(config.rates, wyrmgate::config::Rates::with);
    config
}

#[tokio::test]
async fn a_rate_that_is_set_limits_this_machine_and_the_others_do_not() {
    let server = Server::with(limited(&["create=1/h"])).await;
    let create = || server.post("/v1/sessions", json!({"game": TOLL}));
    assert_eq!(create().send().await.unwrap().status(), StatusCode::CREATED);
    refused(create(), 429, "rate-limited").await;
    // The usual rate of uploads is 30 a minute.
    for _ in 0..40 {
        let check = server.post(
            "/v1/ruleset-checks",
            json!({"name": "x", "files": {"game.yaml": "?"}}),
        );
        let status = check.send().await.unwrap().status();
        assert_ne!(status, StatusCode::TOO_MANY_REQUESTS);
    }
}

#[tokio::test]
async fn who_asks_too_often_waits() {
    let server = Server::with(limited(&["create=2/h"])).await;
    let wanted = || server.post("/v1/sessions", json!({"game": TOLL}));
    for left in [1, 0] {
        let answer = wanted().send().await.unwrap();
        assert_eq!(answer.status(), StatusCode::CREATED);
        let told = answer.headers()["ratelimit"].to_str().unwrap();
        assert!(
            told.starts_with(&format!("\"create\";r={left};t=")),
            "{told}"
        );
    }
    let problem = refused(wanted(), 429, "rate-limited").await;
    assert!(problem["retry_after"].as_u64().unwrap() > 1700, "{problem}");
    // Other buckets are full.
    expect(
        server.get("/v1/games").send().await.unwrap(),
        StatusCode::OK,
    )
    .await;
}

/// Returns the statuses of concurrent requests.
async fn at_once(count: usize, request: impl Fn() -> reqwest::RequestBuilder) -> Vec<u16> {
    let sent = (0..count).map(|_| request().send());
    let answers = futures_util::future::join_all(sent).await;
    answers
        .into_iter()
        .map(|answer| answer.unwrap().status().as_u16())
        .collect()
}

fn let_in(statuses: &[u16]) -> usize {
    statuses.iter().filter(|status| **status != 429).count()
}

#[tokio::test]
async fn many_requests_at_once_get_no_more_than_one_after_the_other() {
    let server = Server::with(limited(&["upload=5/h", "stream=30/h"])).await;
    let check = || {
        server.post(
            "/v1/ruleset-checks",
            json!({"files": {"game.yaml": "game: x"}}),
        )
    };
    assert_eq!(let_in(&at_once(100, check).await), 5);
    let session = server.create(json!({"game": TOLL})).await;
    let poll = || {
        session
            .ask("/events?after=1", None)
            .header("prefer", "wait=1")
    };
    assert_eq!(let_in(&at_once(100, poll).await), 30);
}

#[tokio::test]
async fn refused_moves_at_once_are_limited_and_legal_ones_wait_for_each_other() {
    // Two of them for the seats.
    let server = Server::with(limited(&["move=5/h"])).await;
    // Legal writes, more at once than the bucket has room for.
    let (session, tokens) = server.duel(TOLL).await;
    let orders = || {
        let wanted = json!({"orders": []});
        let order = server.put(&session.at("/standing-orders"), wanted);
        order.bearer_auth(&tokens[0])
    };
    let statuses = at_once(40, orders).await;
    assert!(statuses.iter().all(|status| *status == 200), "{statuses:?}");
    let refused = || session.order(&tokens[1], json!({"id": "3.2.0"}));
    assert_eq!(let_in(&at_once(40, refused).await), 3);
}

#[tokio::test]
async fn legal_moves_cost_nothing_and_refused_ones_do() {
    // Two of them for the seats.
    let server = Server::with(limited(&["move=6/h"])).await;
    let (session, tokens) = server.duel(TOLL).await;
    let finished = session.play_out(&tokens, |_| 0).await;
    assert!(finished["version"].as_u64().unwrap() > 6);
    for _ in 0..4 {
        let again = session.order(&tokens[0], json!({"id": "3.1.0"}));
        refused(again, 409, "session-over").await;
    }
    let again = session.order(&tokens[0], json!({"id": "3.1.0"}));
    refused(again, 429, "rate-limited").await;
}

#[tokio::test]
async fn a_client_behind_a_proxy_is_known_by_what_the_proxy_says() {
    let mut config = limited(&["create=1/h"]);
    config.proxies = 1;
    let server = Server::with(config).await;
    let wanted = |from: &str| {
        let wanted = server.post("/v1/sessions", json!({"game": TOLL}));
        wanted.header("x-forwarded-for", from)
    };
    for from in ["10.0.0.1", "10.0.0.2", "10.0.0.1, 10.0.0.3"] {
        let answer = wanted(from).send().await.unwrap();
        assert_eq!(answer.status(), StatusCode::CREATED, "{from}");
    }
    refused(wanted("10.9.9.9, 10.0.0.1"), 429, "rate-limited").await;
}

#[tokio::test]
async fn a_client_behind_a_proxy_on_this_machine_cannot_pass_for_this_machine() {
    let mut config = config();
    config.proxies = 1;
    let server = Server::with(config).await;
    // As proxies add the address to what the client has sent.
    let wanted = |sent: &[u8]| {
        let wanted = server.post("/v1/sessions", json!({"game": TOLL}));
        let forwarded = [sent, b", 10.0.0.1"].concat();
        wanted.header(
            "x-forwarded-for",
            HeaderValue::from_bytes(&forwarded).unwrap(),
        )
    };
    let status = async |sent| wanted(sent).send().await.unwrap().status();
    // The usual rate of new sessions, which clients on this machine do not have.
    for _ in 0..60 {
        assert_eq!(status(b"10.0.0.9").await, StatusCode::CREATED);
    }
    for sent in [
        &b"\xff"[..],
        b"127.0.0.1",
        b"::1",
        b"",
        b"unknown",
        b"\t\x80,",
    ] {
        // While a busy machine created those, the rate may have allowed some more.
        let mut more = 0;
        let refused = loop {
            match status(sent).await {
                StatusCode::CREATED => more += 1,
                other => break other,
            }
            assert!(more < 60, "{sent:?} passes for this machine");
        };
        assert_eq!(refused, StatusCode::TOO_MANY_REQUESTS);
    }
}

/// Raw requests, all sent before any answer is read. Returns the statuses.
async fn pipelined(server: &Server, requests: &str) -> Vec<u16> {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let address = server.url.trim_start_matches("http://");
    let mut stream = tokio::net::TcpStream::connect(address).await.unwrap();
    stream.write_all(requests.as_bytes()).await.unwrap();
    let mut answers = String::new();
    stream.read_to_string(&mut answers).await.unwrap();
    let heads = answers.split("HTTP/1.1 ").skip(1);
    heads.map(|head| head[..3].parse().unwrap()).collect()
}

#[tokio::test]
async fn no_way_of_writing_a_request_passes_a_limit() {
    let server = Server::with(limited(&["create=3/h", "upload=2/h"])).await;
    let request = |path: &str, end: &str| {
        let (body, kind) = (json!({"game": TOLL}).to_string(), "application/json");
        let length = body.len();
        format!(
            "POST {path} HTTP/1.1\r\nhost: x\r\ncontent-type: {kind}\r\ncontent-length: {length}\r\n{end}\r\n{body}"
        )
    };
    // Escaped letters are letters to the router, and a proxy may not normalize them.
    let paths = [
        "/v1/sessions",
        "/v1/%73essions",
        "/v1/session%73",
        "/v1/s%65ssions?x",
        "/%76%31/%73%65%73%73%69%6f%6e%73",
        "/v1/sessions",
    ];
    let mut all: String = paths.iter().map(|path| request(path, "")).collect();
    all += &request("/v1/sessions", "connection: close\r\n");
    let statuses = pipelined(&server, &all).await;
    let created = statuses.iter().filter(|status| **status == 201).count();
    assert!(created <= 3 && statuses.contains(&429), "{statuses:?}");
    let uploads = [
        "/v1/ruleset%2Dchecks",
        "/v1/%72ulesets",
        "/v1/rulesets",
        "/v1/ruleset-check%73",
    ];
    let mut all: String = uploads.iter().map(|path| request(path, "")).collect();
    all += &request("/v1/rulesets", "connection: close\r\n");
    let statuses = pipelined(&server, &all).await;
    assert_eq!(let_in(&statuses), 2, "{statuses:?}");
}

#[tokio::test]
async fn writes_that_are_no_play_are_limited_also_where_they_are_accepted() {
    let server = Server::with(limited(&["move=5/h"])).await;
    let (session, [mut token, _]) = server.duel(TOLL).await;
    // The two seats were claimed.
    let renew = |token: &str| {
        let renewed = server.put(&session.at("/seats/1"), json!({"renew": true}));
        renewed.bearer_auth(token)
    };
    for _ in 0..3 {
        let renewed = renew(&token).send().await.unwrap();
        token = text(&expect(renewed, StatusCode::CREATED).await, "token");
    }
    refused(renew(&token), 429, "rate-limited").await;
}

#[tokio::test]
async fn pages_of_other_origins_may_call_only_if_they_are_listed() {
    let mut config = config();
    config.allow_origins = vec!["https://play.example".parse().unwrap()];
    let server = Server::with(config).await;
    let preflight = |origin: &str| {
        let request = server.request(Method::OPTIONS, "/v1/sessions");
        let request = request.header("access-control-request-method", "POST");
        request.header("origin", origin)
    };
    let allowed = preflight("https://play.example").send().await.unwrap();
    assert_eq!(allowed.status(), StatusCode::NO_CONTENT);
    assert_eq!(
        allowed.headers()["access-control-allow-origin"],
        "https://play.example"
    );
    let headers = allowed.headers()["access-control-allow-headers"]
        .to_str()
        .unwrap();
    assert!(headers.contains("Authorization") && headers.contains("Idempotency-Key"));
    refused(preflight("https://evil.example"), 405, "method-not-allowed").await;
    for (origin, is_allowed) in [
        ("https://play.example", true),
        ("https://evil.example", false),
    ] {
        let answer = server
            .get("/v1/games")
            .header("origin", origin)
            .send()
            .await
            .unwrap();
        let headers = answer.headers();
        assert_eq!(
            headers.contains_key("access-control-allow-origin"),
            is_allowed
        );
        assert_eq!(
            headers.contains_key("access-control-expose-headers"),
            is_allowed
        );
    }
}

fn entry(name: &str, token: &Token, scopes: &[OperatorScope]) -> Value {
    let hash = serde_json::to_value(token.hash()).unwrap();
    json!({"name": name, "hash": hash, "scopes": scopes})
}

#[tokio::test]
async fn a_key_has_limits_of_its_own_from_wherever_it_asks() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("keys.yaml");
    let [lobby, ops] = [(); 2].map(|()| Token::random(TokenRights::Key).unwrap());
    let mut limited = entry("lobby", &lobby, &[OperatorScope::Create]);
    limited["rates"] = json!(["create=2/h"]);
    let entries = [limited, entry("ops", &ops, &[OperatorScope::Create])];
    fs::write(&file, json!({"keys": entries}).to_string()).unwrap();
    let mut config = config();
    config.credentials.keys = Some(file.clone());
    let server = Server::with(config).await;
    let create = |key: &Token| {
        let key = key.reveal();
        bearing(
            server.post("/v1/sessions", json!({"game": TOLL})),
            Some(&key),
        )
    };
    for left in [1, 0] {
        let answer = create(&lobby).send().await.unwrap();
        let told = answer.headers()["ratelimit"].to_str().unwrap().to_owned();
        assert!(told.starts_with(&format!("\"create\";r={left};")), "{told}");
        expect(answer, StatusCode::CREATED).await;
    }
    refused(create(&lobby), 429, "rate-limited").await;
    // Another key on the same machine is not limited, and neither is what the file does not state.
    expect(create(&ops).send().await.unwrap(), StatusCode::CREATED).await;
    let key = lobby.reveal();
    let games = bearing(server.get("/v1/games"), Some(&key));
    expect(games.send().await.unwrap(), StatusCode::OK).await;
    // A slip in a rate makes the file unreadable: no key is valid.
    let mut wrong = entry("lobby", &lobby, &[OperatorScope::Create]);
    wrong["rates"] = json!(["create=many"]);
    fs::write(&file, json!({"keys": [wrong]}).to_string()).unwrap();
    tokio::time::sleep(Duration::from_millis(900)).await;
    refused(create(&lobby), 401, "unauthenticated").await;
}

#[tokio::test]
async fn a_key_has_a_name_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("keys.yaml");
    for name in ["", "a\nb"] {
        let key = entry(name, &Token::random(TokenRights::Key).unwrap(), &[]);
        fs::write(&file, json!({"keys": [key]}).to_string()).unwrap();
        let mut config = config();
        config.credentials.keys = Some(file.clone());
        let said = wyrmgate::api::start(config).await.err().unwrap();
        assert!(said.to_string().contains("the name of a key"), "{said}");
    }
}

#[tokio::test]
async fn where_there_are_keys_only_they_create_manage_and_measure() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("keys.yaml");
    let [lobby, ops, next] = [(); 3].map(|()| Token::random(TokenRights::Key).unwrap());
    let entries = [
        entry("lobby", &lobby, &[OperatorScope::Create]),
        entry(
            "ops",
            &ops,
            &[OperatorScope::Manage, OperatorScope::Metrics],
        ),
    ];
    fs::write(&file, json!({"keys": entries}).to_string()).unwrap();
    let mut config = config();
    config.credentials.keys = Some(file.clone());
    let server = Server::with(config).await;
    let create = |token: Option<&str>| {
        let wanted = json!({"game": TOLL, "visibility": "private"});
        bearing(server.post("/v1/sessions", wanted), token)
    };
    refused(create(None), 401, "unauthenticated").await;
    refused(create(Some(&next.reveal())), 401, "unauthenticated").await;
    refused(create(Some(&ops.reveal())), 403, "forbidden").await;
    let created = create(Some(&lobby.reveal())).send().await.unwrap();
    let created = expect(created, StatusCode::CREATED).await;
    let path = format!("/v1/sessions/{}", created["id"].as_str().unwrap());

    // Its key does not open a private session; that of the operator does.
    let look = |token: &Token| server.get(&path).bearer_auth(token.reveal());
    refused(look(&lobby), 404, "not-found").await;
    expect(look(&ops).send().await.unwrap(), StatusCode::OK).await;
    let games = server.get("/v1/games").bearer_auth(lobby.reveal());
    expect(games.send().await.unwrap(), StatusCode::OK).await;

    refused(server.get("/metrics"), 401, "unauthenticated").await;
    let numbers = server.get("/metrics").bearer_auth(ops.reveal());
    assert_eq!(numbers.send().await.unwrap().status(), StatusCode::OK);

    // Rotation: the old key is of no use within a second.
    let entries = [entry("lobby", &next, &[OperatorScope::Create])];
    fs::write(&file, json!({"keys": entries}).to_string()).unwrap();
    tokio::time::sleep(Duration::from_millis(900)).await;
    refused(create(Some(&lobby.reveal())), 401, "unauthenticated").await;
    let created = create(Some(&next.reveal())).send().await.unwrap();
    assert_eq!(created.status(), StatusCode::CREATED);
}

#[tokio::test]
async fn without_keys_only_this_machine_is_served() {
    let mut config = config();
    config.listen = "0.0.0.0:0".into();
    let refused = wyrmgate::api::start(config).await;
    let said = refused.err().unwrap().to_string();
    assert!(said.contains("--keys FILE"), "{said}");
}

/// The answer to the first request that is answered at all, and when that was.
#[tokio::test]
async fn a_page_that_gives_its_own_name_to_this_machine_reads_nothing() {
    let server = Server::start().await;
    let ask =
        |server: &Server, path: &str, host: &'static str| server.get(path).header("host", host);
    let stranger = async |request: reqwest::RequestBuilder| {
        let refused = request.send().await.unwrap();
        assert_eq!(refused.status(), StatusCode::FORBIDDEN);
        let problem: Value = refused.json().await.unwrap();
        assert_eq!(problem["code"], "forbidden", "{problem}");
    };
    for path in ["/backup", "/metrics", "/v1/sessions", "/", "/workbench"] {
        stranger(ask(&server, path, "evil.example:8080")).await;
    }
    let order = server.post("/v1/sessions", json!({"game": TOLL}));
    stranger(order.header("host", "evil.example")).await;
    let ours = ask(&server, "/metrics", "localhost:8080").send().await;
    assert_eq!(ours.unwrap().status(), StatusCode::OK);
    // What only looks like an address or a local name.
    for host in [
        "[::1].evil.example",
        "[::1",
        "localhost@evil.example",
        "localhost:80.evil.example",
        "localhost, evil.example",
        "[evil.example]",
    ] {
        stranger(ask(&server, "/metrics", host)).await;
    }
    let unreadable = reqwest::header::HeaderValue::from_bytes(b"evil\xe9.example").unwrap();
    stranger(server.get("/metrics").header("host", unreadable)).await;
    // Where the operator has said how the server is called, it is called so.
    let mut named = config();
    named.pages.public_url = Some("https://play.example".parse().unwrap());
    let server = Server::with(named).await;
    let ours = ask(&server, "/v1/games", "play.example").send().await;
    assert_eq!(ours.unwrap().status(), StatusCode::OK);
    stranger(ask(&server, "/v1/games", "evil.example")).await;
}

async fn first_answer(url: String) -> (Instant, Value) {
    loop {
        if let Ok(answer) = reqwest::get(&url).await {
            assert_eq!(answer.status(), StatusCode::OK, "{url}");
            return (Instant::now(), answer.json().await.unwrap());
        }
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}

#[tokio::test]
async fn whoever_asks_while_the_rules_are_read_waits_and_misses_no_game() {
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = free.local_addr().unwrap();
    drop(free);
    let config = Config {
        listen: address.to_string(),
        rules: shipped(),
        ..config()
    };
    let asking = |path: &str| first_answer(format!("http://{address}{path}"));
    let first = wyrmgate::rules::game_folders(&config.rules).unwrap();
    let first = first[0].file_name().unwrap().to_string_lossy();
    let game = format!("/v1/games/{first}");
    let (server, (alive, _), (offered, _), (listed, games), (_, ready)) = tokio::join!(
        Server::with(config),
        asking("/livez"),
        asking(&game),
        asking("/v1/games"),
        asking("/readyz"),
    );
    assert!(alive < listed, "to be alive needs no rules");
    assert!(offered < listed, "a game is offered when it has been read");
    let now = server.get("/v1/games").send().await.unwrap();
    let now: Value = expect(now, StatusCode::OK).await;
    assert_eq!(games, now);
    let count = games["items"].as_array().unwrap().len();
    assert!(count > 14, "{count}");
    // The list has pages.
    assert!(ready["games"].as_u64().unwrap() as usize >= count);
}

/// As Java's client does in the first request of a connection.
#[tokio::test]
async fn a_connection_that_offers_http_2_is_answered_and_told_that_it_closes() {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let server = Server::start().await;
    let address = server.url.strip_prefix("http://").unwrap();
    let mut stream = tokio::net::TcpStream::connect(address).await.unwrap();
    let request = "GET /livez HTTP/1.1\r\nhost: x\r\nconnection: Upgrade, HTTP2-Settings\r\nupgrade: h2c\r\n\
                   http2-settings: AAMAAABkAAQAAP__\r\n\r\n";
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
    assert!(answer.contains("\r\nconnection: close\r\n"), "{answer}");
}

#[tokio::test]
async fn a_language_model_finds_how_to_play_where_it_looks_first() {
    let server = Server::start().await;
    let page = server.get("/llms.txt").send().await.unwrap();
    assert_eq!(page.status(), StatusCode::OK);
    let page = page.text().await.unwrap();
    assert!(page.starts_with("# Wyrmgate\n\n> "), "{page}");
    // Every page that it names exists, with an example for each parameter.
    let links = page.split("](").skip(1);
    let links = links.filter_map(|rest| rest.split(')').next());
    let mut count = 0;
    for link in links {
        let path = link.replace("{game}", TOLL).replace("{code}", "not-found");
        let found = server.get(&path).send().await.unwrap();
        assert_eq!(found.status(), StatusCode::OK, "{path}");
        count += 1;
    }
    assert!(count > 5);
}
