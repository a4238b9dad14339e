//! What an operator runs beside the server, and what the log of the server says.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use reqwest::{Client, Method, RequestBuilder};
use serde_json::{Value, json};
use wyrmgate::session::{Token, TokenRights};

use super::support::command::{Ran, Service, binary, wyrmgate};
use super::{GAMES, lines_of_json};

/// Runs the doctor in a folder.
fn doctor(folder: &Path, args: &[&str], variables: &[(&str, &str)]) -> Ran {
    let games = Path::new(env!("CARGO_MANIFEST_DIR")).join(GAMES);
    let mut command = binary();
    command.current_dir(folder).envs(variables.iter().copied());
    command.args(["doctor", "--json"]).args(args);
    if !args.contains(&"--listen") {
        command.args(["--listen", "127.0.0.1:0"]);
    }
    if !args.contains(&"--rules") {
        command.arg("--rules").arg(games);
    }
    command.output().unwrap().into()
}

/// The results of all checks that are not well, by name.
fn ills(ran: &Ran) -> Vec<(String, String)> {
    let report = ran.json();
    let rows = report["checks"].as_array().unwrap().iter();
    let ill = rows.filter(|row| row["result"] != "ok");
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    ill.inspect(|row| assert!(!text(&row["advice"]).is_empty(), "{row}"))
        .map(|row| (text(&row["check"]), text(&row["result"])))
        .collect()
}

#[test]
fn a_doctor_says_what_is_wrong_and_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let well = doctor(here, &[], &[]);
    assert_eq!((well.code, ills(&well)), (0, vec![]), "{}", well.out);
    assert_eq!(
        fs::read_dir(here).unwrap().count(),
        0,
        "nothing was created"
    );

    let (store, keys) = (here.join("w.redb"), here.join("keys.yaml"));
    fs::write(&store, "this is no store").unwrap();
    fs::write(&keys, "keys: [{name: x}]\n").unwrap();
    fs::write(here.join("slip.yaml"), "wrokers: 2\n").unwrap();
    fs::set_permissions(&store, fs::Permissions::from_mode(0o644)).unwrap();
    let at = format!("embedded:{}", store.display());
    let redis = "redis://127.0.0.1:1/";
    let hook = [
        "--webhooks",
        "--webhook-allow",
        "http://127.0.0.1:1",
        "--public-url",
        "https://x.example",
    ];
    for (args, variables, code, expected) in [
        (
            &["--store", "memory"][..],
            &[][..],
            1,
            &[("store", "warning")][..],
        ),
        (
            &["--store", &at],
            &[],
            2,
            &[("store", "failure"), ("file", "warning")],
        ),
        (&["--store", redis], &[], 2, &[("store", "failure")]),
        (
            &["--keys", keys.to_str().unwrap()],
            &[],
            2,
            &[("keys", "failure")],
        ),
        (
            &["--config", "slip.yaml"],
            &[],
            2,
            &[("settings", "failure")],
        ),
        (&["--log", "warning"], &[], 2, &[("settings", "failure")]),
        (
            &[],
            &[("WYRMGATE_WROKERS", "2")],
            2,
            &[("settings", "failure")],
        ),
        (
            &[],
            &[("WYRMGATE_COLOR_OF_DICE", "red")],
            1,
            &[("settings", "warning")],
        ),
        (
            &["--rules", "no-such-folder"],
            &[],
            2,
            &[("rules", "failure")],
        ),
        (&hook, &[], 1, &[("webhooks", "warning")]),
    ] {
        let ran = doctor(here, args, variables);
        let expected: Vec<(String, String)> = expected
            .iter()
            .map(|(check, result)| ((*check).to_owned(), (*result).to_owned()))
            .collect();
        assert_eq!(
            (ills(&ran), ran.code),
            (expected, code),
            "{args:?} {}",
            ran.out
        );
    }
    assert_eq!(fs::read_to_string(&store).unwrap(), "this is no store");
    let told = binary()
        .args(["doctor", "--store", "memory"])
        .output()
        .unwrap();
    let told = String::from_utf8(told.stdout).unwrap();
    assert!(told.contains("warning  store "), "{told}");
}

#[test]
fn a_doctor_sees_the_server_that_runs_and_does_not_touch_its_store() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("w.redb");
    let store = format!("embedded:{}", file.display());
    let service = Service::start(&["--rules", GAMES, "--store", &store]);
    let beside = doctor(
        folder.path(),
        &["--store", &store, "--listen", &service.address],
        &[],
    );
    assert_eq!((beside.code, ills(&beside)), (0, vec![]), "{}", beside.out);
    let report = beside.json();
    assert!(
        report
            .to_string()
            .contains("the server that runs has opened it"),
        "{report}"
    );
    assert_eq!(
        fs::metadata(&file).unwrap().permissions().mode() & 0o777,
        0o600
    );
    assert_eq!(service.stop(), 0);
    fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
    let later = Command::new("touch")
        .args(["-d", "1 hour"])
        .arg(&file)
        .status();
    assert!(later.unwrap().success());
    let ran = doctor(folder.path(), &["--store", &store], &[]);
    let warned = [("file", "warning"), ("clock", "warning")];
    let warned = warned.map(|(check, result)| (check.to_owned(), result.to_owned()));
    assert_eq!((ran.code, ills(&ran)), (1, warned.to_vec()), "{}", ran.out);
}

#[test]
fn shells_complete_and_pages_of_the_manual_are_written() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let ran = wyrmgate(&["completions", shell]);
        assert_eq!(ran.code, 0, "{shell}");
        assert!(ran.out.contains("session-lifetime"), "{shell}");
    }
    let bash = wyrmgate(&["completions", "bash"]).out;
    let checked = super::wyrmgate_with_input(&["completions", "bash"], "").out;
    assert_eq!(bash, checked);
    let syntax = Command::new("bash").args(["-n", "-c", &bash]).status();
    assert!(syntax.unwrap().success());
    assert_eq!(wyrmgate(&["completions", "abacus"]).code, 2);

    let folder = tempfile::tempdir().unwrap();
    let page = wyrmgate(&["man"]).out;
    assert!(page.contains(".TH wyrmgate 1"), "{page}");
    let folder = folder.path().join("man1");
    assert_eq!(
        wyrmgate(&["man", "--write", folder.to_str().unwrap()]).code,
        0
    );
    let serve = fs::read_to_string(folder.join("wyrmgate-serve.1")).unwrap();
    assert!(serve.contains("session\\-lifetime"), "{serve}");
}

/// A server whose log is read, and what must not be in it.
struct Logged {
    client: Client,
    url: String,
    secrets: Vec<String>,
}

impl Logged {
    fn request(&self, method: Method, path: &str, token: Option<&str>) -> RequestBuilder {
        let request = self.client.request(method, format!("{}{path}", self.url));
        match token {
            Some(token) => request.bearer_auth(token),
            None => request,
        }
    }

    /// Sends a request and notes the secrets of the answer: all texts that begin like ours.
    async fn send(
        &mut self,
        method: Method,
        path: &str,
        token: Option<&str>,
        body: Value,
    ) -> Value {
        let request = self.request(method, path, token);
        let answer = match body.is_null() {
            true => request.send().await,
            false => request.json(&body).send().await,
        };
        let text = answer.unwrap().text().await.unwrap();
        let value = serde_json::from_str(&text).unwrap_or_default();
        self.note(&value);
        self.note(&body);
        value
    }

    fn note(&mut self, value: &Value) {
        match value {
            Value::String(text) => {
                let is_secret = ["wg_", "whsec_"]
                    .iter()
                    .any(|begin| text.starts_with(begin));
                let digits = text.rsplit('_').next().unwrap();
                self.secrets
                    .extend((is_secret && digits.len() > 16).then(|| digits.to_owned()));
            }
            Value::Array(elements) => elements.iter().for_each(|element| self.note(element)),
            Value::Object(members) => members.values().for_each(|member| self.note(member)),
            _ => {}
        }
    }
}

#[tokio::test]
async fn the_log_says_who_did_what_and_never_a_secret() {
    let folder = tempfile::tempdir().unwrap();
    let (keys, log) = (folder.path().join("keys.yaml"), folder.path().join("log"));
    let key = Token::random(TokenRights::Key).unwrap();
    let hash = serde_json::to_value(key.hash()).unwrap();
    let scopes = [
        "create", "manage", "upload", "simulate", "metrics", "backup", "players",
    ];
    let entry = json!({"name": "lobby", "hash": hash, "scopes": scopes});
    fs::write(&keys, json!({"keys": [entry]}).to_string()).unwrap();
    let args = [
        "--rules",
        GAMES,
        "--store",
        "memory",
        "--log",
        "trace",
        "--log-format",
        "json",
        "--webhooks",
        "--webhook-allow",
        "http://127.0.0.1:1",
        "--webhook-retry",
        "100ms",
        "--keys",
        keys.to_str().unwrap(),
    ];
    let service = Service::start_with(&args, &[], &log);
    let key = key.reveal();
    let mut server = Logged {
        client: Client::new(),
        url: format!("http://{}", service.address),
        secrets: vec![key.rsplit('_').next().unwrap().to_owned()],
    };
    let key = Some(key.as_str());
    let seed = "5eed".repeat(16);
    let wanted = json!({"game": "nim", "visibility": "private", "seed": seed, "spectators": {"policy": "live"}});
    let created = server.send(Method::POST, "/v1/sessions", key, wanted).await;
    let path = format!("/v1/sessions/{}", created["id"].as_str().unwrap());
    let at = |rest: &str| format!("{path}{rest}");
    let [owner, invite] =
        ["owner_token", "invite_code"].map(|name| created[name].as_str().unwrap().to_owned());
    let owner = Some(owner.as_str());
    let chosen = "Chosen0123456789abcdefghijklmnopqrstuvwxyz";
    let claim =
        json!({"invite_code": invite, "secret": chosen, "entropy": "e7".repeat(32), "name": "Ann"});
    let seat = server
        .send(Method::PUT, &at("/seats/1"), None, claim.clone())
        .await;
    let seat = seat["token"]
        .as_str()
        .unwrap_or_else(|| panic!("{seat}"))
        .to_owned();
    server
        .send(
            Method::PUT,
            &at("/seats/2"),
            None,
            json!({"invite_code": invite}),
        )
        .await;
    for kind in ["spectator", "invite"] {
        server
            .send(
                Method::PUT,
                &at(&format!("/tokens/{kind}")),
                owner,
                json!({}),
            )
            .await;
    }
    let hook = json!({"url": "http://127.0.0.1:1/hook-of-nobody", "events": ["session.changed"]});
    server
        .send(Method::POST, &at("/webhooks"), owner, hook)
        .await;
    let guest = server
        .send(Method::POST, "/v1/players", None, json!({"name": "Bea"}))
        .await;
    assert!(guest["token"].is_string(), "{guest}");
    let ticket = server
        .send(Method::POST, &at("/stream-tickets"), Some(&seat), json!({}))
        .await;
    let ticket = ticket["ticket"].as_str().unwrap().to_owned();
    let stream = server.request(Method::GET, &at(&format!("/stream?ticket={ticket}")), None);
    drop(stream.send().await.unwrap());
    let actions = server
        .send(Method::GET, &at("/actions"), Some(&seat), Value::Null)
        .await;
    let choice = actions["items"][0]["choices"][0]["id"].clone();
    server
        .send(
            Method::POST,
            &at("/moves"),
            Some(&seat),
            json!({"id": choice}),
        )
        .await;
    let step = server
        .send(
            Method::POST,
            "/v1/steps",
            key,
            json!({"game": "nim", "seats": 2, "seed": seed}),
        )
        .await;
    let sealed = step["state"]
        .as_str()
        .unwrap_or_else(|| panic!("{step}"))
        .to_owned();
    // Slips of clients: secrets where they do not belong.
    for place in [
        format!("/v1/sessions/{seat}/view"),
        at(&format!("/view?token={seat}")),
        at(&format!("/seats/{seat}")),
        format!("/{seat}"),
    ] {
        server.send(Method::GET, &place, None, Value::Null).await;
    }
    server
        .send(
            Method::POST,
            &at("/moves"),
            Some("wg_seat_no"),
            json!({"id": &seat, "token": &seat}),
        )
        .await;
    server
        .send(
            Method::POST,
            "/v1/sessions",
            key,
            json!({"game": &seat, "seed": &seat}),
        )
        .await;
    let backup = server
        .request(Method::GET, "/backup", key)
        .send()
        .await
        .unwrap();
    assert!(backup.text().await.unwrap().len() > 100);
    tokio::time::sleep(std::time::Duration::from_millis(400)).await;
    server.send(Method::DELETE, &path, owner, Value::Null).await;
    fs::write(&keys, json!({"keys": []}).to_string()).unwrap();
    tokio::time::sleep(std::time::Duration::from_millis(700)).await;
    server
        .send(Method::POST, "/v1/sessions", key, json!({"game": "nim"}))
        .await;
    assert_eq!(service.stop(), 0);

    let text = fs::read_to_string(&log).unwrap();
    server
        .secrets
        .extend([seed, chosen.into(), "e7".repeat(32), ticket, sealed]);
    server.secrets.sort();
    server.secrets.dedup();
    assert!(server.secrets.len() > 12, "{:?}", server.secrets);
    for secret in &server.secrets {
        let line = text.lines().find(|line| line.contains(secret.as_str()));
        assert_eq!(line, None, "{secret}");
    }

    let lines: Vec<Value> = lines_of_json(&text);
    let audit: Vec<&Value> = lines
        .iter()
        .filter(|line| line["target"] == "audit")
        .collect();
    let did = |method: &str, route: &str, status: u16| {
        let is_it = |line: &&&Value| {
            line["method"] == method && line["route"] == route && line["status"] == status
        };
        *audit
            .iter()
            .find(is_it)
            .unwrap_or_else(|| panic!("{method} {route} {status}"))
    };
    let creation = did("POST", "/v1/sessions", 201);
    assert_eq!(
        (&creation["by"], &creation["key"]),
        (&json!("key"), &json!("lobby"))
    );
    assert_eq!(creation["address"], "127.0.0.1");
    assert!(creation["request_id"].as_str().unwrap().len() > 8);
    let is_refused = |line: &&&Value| {
        line["route"] == "/v1/sessions"
            && line["key"] == "lobby"
            && line["status"].as_u64() >= Some(400)
    };
    assert!(audit.iter().any(|line| is_refused(&line)), "refusals too");
    assert_eq!(did("GET", "/backup", 200)["key"], "lobby");
    assert_eq!(
        did("PUT", "/v1/sessions/{session}/tokens/{kind}", 200)["by"],
        "owner"
    );
    let deletion = did("DELETE", "/v1/sessions/{session}", 204);
    assert_eq!(
        (&deletion["by"], &deletion["path"]),
        (&json!("owner"), &json!(path))
    );
    assert!(deletion.get("key").is_none());
    assert_eq!(did("POST", "/v1/sessions", 401)["by"], "key");
    assert!(
        audit.iter().any(|line| line["message"] == "reread"),
        "the file of keys"
    );
    // Play is no act of an operator.
    assert!(audit.iter().all(|line| {
        !line["path"]
            .as_str()
            .unwrap_or_default()
            .ends_with("/moves")
    }));
    let moved = lines
        .iter()
        .find(|line| line["message"] == "answered" && line["by"] == "seat");
    assert_eq!(moved.unwrap()["address"], "127.0.0.1");
}
