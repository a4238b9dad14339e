//! Sends the requests of the document's examples again and compares the answers with those that are written there.
//! `WYRMGATE_BLESS=1` writes them down.

use std::collections::BTreeMap;
use std::time::Duration;

use reqwest::{Method, Response};
use serde_json::{Value, json};
use wyrmgate::config::Config;

use crate::players::Club;
use crate::support::{Server, conforms, shipped};

const FILE: &str = "openapi/examples.json";
/// The shortest text that can be made up by chance: ids and cursors.
const RANDOM_LETTERS: usize = 12;

#[tokio::test]
async fn every_example_of_the_document_happens_again() {
    let calling = Config {
        rules: shipped(),
        webhooks: true,
        webhook_allow: vec!["http://127.0.0.1:9".parse().unwrap()],
        ..crate::support::config()
    };
    let server = Server::with(calling.clone()).await;
    // What needs an operator key happens on a server that has one.
    let club = Club::with(calling).await;
    let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(FILE);
    let mut rows: Vec<Value> =
        serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
    let is_blessing = std::env::var_os("WYRMGATE_BLESS").is_some();
    let mut kept = BTreeMap::from([
        ("stranger".to_owned(), "nobody".to_owned()),
        ("operator".to_owned(), club.keys[0].clone()),
    ]);
    let mut same = BTreeMap::new();
    for row in &mut rows {
        let server = match row["as"] == "operator" {
            true => &club.server,
            false => &server,
        };
        let answer = again(server, row, &kept, &same, is_blessing).await;
        if is_blessing {
            row["status"] = json!(answer.0);
            match &answer.1 {
                Value::Null => row.as_object_mut().unwrap().remove("gives"),
                body => row
                    .as_object_mut()
                    .unwrap()
                    .insert("gives".into(), body.clone()),
            };
        } else {
            let written = row.get("gives").cloned().unwrap_or_default();
            let differs = differs(row, &written, &answer.1, &mut same);
            assert!(
                row["status"] == answer.0 && differs.is_none(),
                "{}: {}; WYRMGATE_BLESS=1 writes it down\n{}",
                row["about"],
                differs.unwrap_or_else(|| format!("status {}", answer.0)),
                answer.1
            );
        }
        for example in examples(row) {
            let path = row["path"].as_str().unwrap();
            let joint = if path.contains('?') { '&' } else { '?' };
            let mut row = row.clone();
            row["path"] = json!(format!("{path}{joint}{example}"));
            // The members are those of the first form.
            row.as_object_mut().unwrap().remove("accept");
            if row["method"] != "GET" {
                // A stranger changes nothing, and hears first that the query is wrong.
                row["as"] = json!("stranger");
            }
            let answer = requested(server, &row, &kept).await;
            assert_ne!(answer.status(), 400, "{}", row["path"]);
        }
        for (name, pointer) in row["keep"].as_object().into_iter().flatten() {
            let value = answer.1.pointer(pointer.as_str().unwrap()).unwrap();
            kept.insert(name.clone(), value.as_str().unwrap().to_owned());
        }
    }
    if is_blessing {
        let text = serde_json::to_string_pretty(&rows).unwrap() + "\n";
        std::fs::write(file, text).unwrap();
    }
}

/// Returns the examples of the query parameters of a row's operation, one by one, as its path can have them. One that is in the
/// path already is left out.
fn examples(row: &Value) -> Vec<String> {
    let document: Value = serde_json::from_str(&wyrmgate::api::openapi_json()).unwrap();
    let items = document["paths"].as_object().unwrap().values();
    let mut operations = items.flat_map(|item| item.as_object().unwrap().values());
    let operation = operations.find(|operation| operation["operationId"] == row["operation"]);
    let parameters = operation.unwrap()["parameters"].as_array();
    let parameters = parameters.into_iter().flatten();
    let examples = parameters.filter(|parameter| parameter["in"] == "query");
    let examples = examples.filter_map(|parameter| {
        let (name, example) = (parameter["name"].as_str()?, parameter["example"].as_str()?);
        Some(format!("{name}={}", example.replace(' ', "+")))
    });
    let is_new = |example: &String| {
        !row["path"]
            .as_str()
            .unwrap()
            .contains(example.split('=').next().unwrap())
    };
    examples.filter(is_new).collect()
}

/// Sends a request. One that only reads, or that states how it ends, is repeated while a bot or a simulation still works on what it should find: until
/// it finds that, and a member has the value that the row states (`until`).
async fn again(
    server: &Server,
    row: &Value,
    kept: &BTreeMap<String, String>,
    same: &BTreeMap<String, String>,
    is_blessing: bool,
) -> (u16, Value) {
    for _ in 0..100 {
        let answer = send(server, row, kept).await;
        let written = row.get("gives").cloned().unwrap_or_default();
        let fits = row["status"] == answer.0
            && differs(row, &written, &answer.1, &mut same.clone()).is_none();
        let pointer = row["until"]["at"].as_str();
        let is_settled = pointer.is_none_or(|at| answer.1.pointer(at) == Some(&row["until"]["is"]));
        let is_enough = fits || is_blessing && answer.0 < 300;
        let is_repeated = row["method"] == "GET" || pointer.is_some();
        if is_settled && is_enough || !is_repeated {
            return answer;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    send(server, row, kept).await
}

async fn send(server: &Server, row: &Value, kept: &BTreeMap<String, String>) -> (u16, Value) {
    let mut response = requested(server, row, kept).await;
    let status = response.status().as_u16();
    let text = match row["accept"].as_str() {
        Some("text/event-stream") => first_message(&mut response).await,
        _ => response.text().await.unwrap(),
    };
    match (row["accept"].as_str(), text.as_str()) {
        (_, "") => (status, Value::Null),
        (Some(_), _) => (status, Value::String(text)),
        (None, _) => {
            let body = serde_json::from_str(&text).unwrap();
            let path = filled(row["path"].as_str().unwrap(), kept);
            let (path, _) = path.split_once('?').unwrap_or((&path, ""));
            conforms(path, status, &body);
            (status, body)
        }
    }
}

async fn requested(server: &Server, row: &Value, kept: &BTreeMap<String, String>) -> Response {
    let method: Method = row["method"].as_str().unwrap().parse().unwrap();
    let path = filled(row["path"].as_str().unwrap(), kept);
    let mut request = server.request(method, &path);
    if let Some(name) = row["as"].as_str() {
        request = request.bearer_auth(&kept[name]);
    }
    if let Some(form) = row["accept"].as_str() {
        request = request.header("Accept", form);
    }
    if let Some(body) = row.get("send") {
        let body: Value = serde_json::from_str(&filled(&body.to_string(), kept)).unwrap();
        request = request.json(&body);
    }
    request.send().await.unwrap()
}

async fn first_message(stream: &mut Response) -> String {
    let mut text = String::new();
    while let Some(chunk) = stream.chunk().await.unwrap() {
        text += std::str::from_utf8(&chunk).unwrap();
        if let Some((first, _)) = text.split_once("\n\n") {
            return format!("{first}\n\n");
        }
    }
    panic!("the stream ended: {text}");
}

fn filled(text: &str, kept: &BTreeMap<String, String>) -> String {
    kept.iter().fold(text.to_owned(), |text, (name, value)| {
        text.replace(&format!("{{{name}}}"), value)
    })
}

/// Returns where the answer of a row differs, except in what is drawn by lot.
fn differs(
    row: &Value,
    written: &Value,
    now: &Value,
    same: &mut BTreeMap<String, String>,
) -> Option<String> {
    let [mut written, mut now] = [written.clone(), now.clone()];
    for pointer in row["by_lot"].as_array().into_iter().flatten() {
        for of in [&mut written, &mut now] {
            if let Some(drawn) = of.pointer_mut(pointer.as_str().unwrap()) {
                *drawn = Value::Null;
            }
        }
    }
    difference(&written, &now, same)
}

/// Returns where an answer differs from the one that is written. Generated values may differ, but consistently: `same`
/// maps each written value to its present one.
fn difference(written: &Value, now: &Value, same: &mut BTreeMap<String, String>) -> Option<String> {
    match (written, now) {
        (Value::Object(one), Value::Object(other)) => {
            let names =
                |of: &serde_json::Map<String, Value>| of.keys().cloned().collect::<Vec<_>>();
            if names(one) != names(other) {
                return Some(format!("members {:?}, not {:?}", names(other), names(one)));
            }
            let mut all = one
                .iter()
                .filter(|(name, _)| *name != "played" && *name != "took_ms");
            all.find_map(|(name, value)| {
                difference(value, &other[name], same).map(|rest| format!("{name}: {rest}"))
            })
        }
        (Value::Array(one), Value::Array(other)) if one.len() == other.len() => {
            let mut both = one.iter().zip(other);
            both.find_map(|(one, other)| difference(one, other, same))
        }
        (Value::String(one), Value::String(other)) => text_difference(one, other, same),
        _ => (written != now).then(|| format!("{now}, not {written}")),
    }
}

fn text_difference(one: &str, other: &str, same: &mut BTreeMap<String, String>) -> Option<String> {
    if one.contains('\n') || one.contains('{') {
        return lines_difference(one, other, same);
    }
    let is_fine =
        one == other || is_random(one) && is_random(other) || is_time(one) && is_time(other);
    if !is_fine {
        return Some(format!("{other}, not {one}"));
    }
    let now = same
        .entry(one.to_owned())
        .or_insert_with(|| other.to_owned());
    let is_new = is_time(one) || now == other;
    (!is_new).then(|| format!("{other}, not {now}, which is {one} now"))
}

fn lines_difference(one: &str, other: &str, same: &mut BTreeMap<String, String>) -> Option<String> {
    if one.lines().count() != other.lines().count() {
        return Some(format!("{other:?}, not {one:?}"));
    }
    one.lines().zip(other.lines()).find_map(|(one, other)| {
        let json = |line: &str| {
            let begin = line.find('{')?;
            serde_json::from_str::<Value>(&line[begin..]).ok()
        };
        match (json(one), json(other)) {
            (Some(one), Some(other)) => difference(&one, &other, same),
            _ => (one != other && !is_random(one.trim_start_matches("id: ")))
                .then(|| format!("{other}, not {one}")),
        }
    })
}

/// Returns whether a text can be made up: an id, a token, a digest, a cursor, or a path with one of them.
fn is_random(text: &str) -> bool {
    let run = |text: &str| {
        text.chars()
            .all(|c| c.is_ascii_alphanumeric() || "-_+=".contains(c))
    };
    let mut parts = text.split('/').chain([text.trim_start_matches("whsec_")]);
    let is_long = |part: &str| {
        part.len() >= RANDOM_LETTERS
            && run(part)
            && part
                .chars()
                .any(|c| c.is_ascii_digit() || c.is_ascii_uppercase())
    };
    parts.any(is_long) || text.starts_with("whsec_")
}

fn is_time(text: &str) -> bool {
    text.parse::<jiff::Timestamp>().is_ok()
}
