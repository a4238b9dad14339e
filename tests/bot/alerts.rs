//! The alerts of `deploy/prometheus/alerts.yaml` are quiet while all is well, and fire on what a real server tells then.

use std::collections::{BTreeMap, BTreeSet};

use futures_util::future::join_all;
use serde_json::{Value, json};
use wyrmgate::config::Config;

use crate::support::{Server, config};

/// What a server has told, as seconds before the next time.
const BETWEEN: f64 = 300.0;

type Labels = BTreeMap<String, String>;

/// The values of a scrape: names with labels.
fn samples(text: &str) -> Vec<(String, Labels, f64)> {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let sample = |line: &str| {
        let (series, value) = line.rsplit_once(' ').unwrap();
        let (name, labels) = series.split_once('{').unwrap_or((series, "}"));
        let labels = labels.trim_end_matches('}').split("\",");
        let labels = labels.filter_map(|label| label.split_once("=\""));
        let labels = labels.map(|(key, value)| (key.to_owned(), value.replace('"', "")));
        (name.to_owned(), labels.collect(), value.parse().unwrap())
    };
    lines.map(sample).collect()
}

fn fits(selector: &str, name: &str, labels: &Labels) -> bool {
    let (wanted, matchers) = selector.split_once('{').unwrap_or((selector, "}"));
    let matchers = matchers.trim_end_matches('}').split(',');
    let is_met = |matcher: &str| {
        let (label, value) = matcher.split_once('=').unwrap();
        let value = value.trim_start_matches('~').trim_matches('"');
        let known = labels
            .get(label.trim_end_matches('!'))
            .map_or("", String::as_str);
        match (label.ends_with('!'), matcher.contains("=~")) {
            (true, _) => known != value,
            (false, false) => known == value,
            (false, true) => {
                let both = known.chars().zip(value.chars());
                known.len() == value.len() && both.into_iter().all(|(k, v)| v == '.' || k == v)
            }
        }
    };
    name == wanted && matchers.filter(|matcher| !matcher.is_empty()).all(is_met)
}

/// The values of an expression of this file, by the labels under which it groups them.
fn values(expr: &str, before: &str, after: &str) -> BTreeMap<Vec<String>, f64> {
    let (how, rest) = expr.split_once(" by (").unwrap();
    let (labels, rest) = rest.split_once(") (").unwrap();
    let labels: Vec<&str> = labels.split(", ").collect();
    let inner = rest.strip_suffix(')').unwrap();
    if let Some((one, other)) = inner.split_once(" / ") {
        let all = |selector| {
            let expr = format!("{how} by (instance) ({selector})");
            values(&expr, before, after).values().next().copied()
        };
        return BTreeMap::from([(vec![], all(one).unwrap() / all(other).unwrap())]);
    }
    let rate = inner
        .strip_prefix("rate(")
        .map(|rest| rest.strip_suffix("[5m])").unwrap());
    let selector = rate.unwrap_or(inner);
    let earlier = samples(before);
    let mut groups = BTreeMap::new();
    for (name, of, value) in samples(after) {
        if !fits(selector, &name, &of) {
            continue;
        }
        let same = earlier
            .iter()
            .find(|(known, labels, _)| *known == name && *labels == of);
        let begun = same.map_or(0.0, |(_, _, value)| *value);
        let value = if rate.is_some() {
            (value - begun) / BETWEEN
        } else {
            value
        };
        let key = labels
            .iter()
            .filter_map(|label| of.get(*label).cloned())
            .collect();
        let group: &mut f64 = groups.entry(key).or_default();
        *group = if how == "sum" {
            *group + value
        } else {
            group.max(value)
        };
    }
    groups
}

/// The names of the alerts that fire.
fn firing(before: &str, after: &str) -> BTreeSet<String> {
    let file = std::fs::read_to_string("deploy/prometheus/alerts.yaml").unwrap();
    let file: Value = serde_yaml::from_str(&file).unwrap();
    let rules = file["groups"][0]["rules"].as_array().unwrap().iter();
    let fires = rules.filter(|rule| {
        let (expr, limit) = rule["expr"].as_str().unwrap().split_once(" > ").unwrap();
        let limit: f64 = limit.parse().unwrap();
        values(expr, before, after)
            .values()
            .any(|value| *value > limit)
    });
    fires
        .map(|rule| rule["alert"].as_str().unwrap().to_owned())
        .collect()
}

async fn told(server: &Server) -> String {
    let answer = server.get("/metrics").send().await.unwrap();
    answer.text().await.unwrap()
}

#[tokio::test]
async fn alerts_fire_when_something_is_wrong_and_only_then() {
    let mut redis = crate::server::Server::start();
    let limited = Config {
        store: redis.url(),
        rates: "upload=1/m".parse().unwrap(),
        ..config()
    };
    let server = Server::with(limited).await;
    let session = server.create(json!({"game": "toll"})).await;
    let path = session.path.clone();
    let quiet = told(&server).await;
    assert_eq!(firing(&quiet, &quiet), BTreeSet::new());
    for _ in 0..2 {
        server.get(&path).send().await.unwrap();
    }
    assert_eq!(firing(&quiet, &told(&server).await), BTreeSet::new());

    for _ in 0..8 {
        let uploads = (0..50).map(|_| server.post("/v1/rulesets", json!({})).send());
        join_all(uploads).await;
    }
    let refused = told(&server).await;
    assert_eq!(
        firing(&quiet, &refused),
        BTreeSet::from(["WyrmgateRefuses".to_owned()])
    );

    redis.kill();
    let created = (0..60).map(|_| server.post("/v1/sessions", json!({"game": "toll"})).send());
    join_all(created).await;
    let failed = firing(&refused, &told(&server).await);
    for name in ["WyrmgateRequestsFail", "WyrmgateStoreFails"] {
        assert!(failed.contains(name), "{name} of {failed:?}");
    }

    // As if bots were late, and connections many.
    let late = "wyrmgate_due_oldest_seconds{work=\"bots\"} 31\n";
    let most = "process_open_fds 900\nprocess_max_fds 1000\n";
    let told = firing(late, &format!("{late}{most}"));
    let wanted = ["WyrmgateFilesRunOut", "WyrmgateWorkIsLate"].map(str::to_owned);
    assert_eq!(told, wanted.into());
}
