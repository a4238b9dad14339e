//! Deployment files match this build: versions, metrics, settings, files that parse. `deploy/lint` and `docs/site/build`
//! check the rest with tools that are too large for every run.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use serde_json::{Value, json};
use wyrmgate::metrics::Metrics;

use super::support::Server;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

fn read(path: &str) -> String {
    fs::read_to_string(Path::new(ROOT).join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn yaml(path: &str) -> Value {
    serde_yaml::from_str(&read(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true if path.ends_with("node_modules") => {}
            true => files(&path, found),
            false => found.push(path),
        }
    }
}

/// Files of the packages, by their path in the repository.
fn shipped() -> Vec<String> {
    let mut found = Vec::new();
    for folder in ["deploy", "editors", "clients", ".github", "docs/site"] {
        files(&Path::new(ROOT).join(folder), &mut found);
    }
    let names = found.iter().map(|path| path.strip_prefix(ROOT).unwrap());
    names
        .map(|path| path.to_str().unwrap().to_owned())
        .collect()
}

#[test]
fn every_package_has_the_version_of_the_program() {
    let version = env!("CARGO_PKG_VERSION");
    for path in [
        "clients/typescript/package.json",
        "editors/vscode/package.json",
        "editors/tree-sitter/package.json",
        "editors/tree-sitter/tree-sitter.json",
        "deploy/helm/wyrmgate/Chart.yaml",
    ] {
        let file = yaml(path);
        let found = file.get("version").unwrap_or(&file["metadata"]["version"]);
        assert_eq!(*found, version, "{path}");
    }
    let chart = yaml("deploy/helm/wyrmgate/Chart.yaml");
    assert_eq!(chart["appVersion"], version);
    assert!(read("docs/installation.md").contains(&format!("deploy/action@v{version}")));
}

#[test]
fn every_file_parses_and_every_script_has_the_right_form() {
    let names = shipped();
    assert!(names.len() > 40, "{names:?}");
    for name in names {
        let is_template = name.contains("/templates/");
        let is_script = read(&name).starts_with("#!/usr/bin/env bash");
        if name.ends_with(".json") {
            let parsed: Result<Value, _> = serde_json::from_str(&read(&name));
            assert!(parsed.is_ok(), "{name}: {parsed:?}");
        } else if is_script {
            let mut command = Command::new("bash");
            command.arg("-n").arg(Path::new(ROOT).join(&name));
            let checked = command.output().unwrap();
            let errors = String::from_utf8_lossy(&checked.stderr);
            assert!(checked.status.success(), "{name}: {errors}");
        } else if (name.ends_with(".yml") || name.ends_with(".yaml")) && !is_template {
            // The generator of the site has a tag of its own.
            let text = read(&name).replace("!!python/object/apply:pymdownx.slugs.slugify", "");
            let parsed: Result<Value, _> = serde_yaml::from_str(&text);
            assert!(parsed.is_ok(), "{name}: {parsed:?}");
        }
    }
}

/// The metrics of a server that has played, as Prometheus names them. Some appear only once they have counted something, and
/// no bot has thought and no webhook was called there; nothing waited.
async fn metrics() -> BTreeSet<String> {
    let server = Server::start().await;
    server.create(json!({"game": "toll"})).await;
    let text = server.get("/metrics").send().await.unwrap();
    let rare = Metrics::default();
    rare.thought(true);
    rare.called_webhook("delivered");
    rare.waited("bot", Duration::ZERO);
    rare.load().file_is(1);
    let text = text.text().await.unwrap() + &rare.text();
    let kinds = text
        .lines()
        .filter_map(|line| line.strip_prefix("# TYPE ")?.split_once(' '));
    let names = kinds.flat_map(|(name, kind)| match kind {
        "counter" => vec![format!("{name}_total")],
        "info" => vec![format!("{name}_info")],
        "histogram" => ["bucket", "count", "sum"]
            .map(|part| format!("{name}_{part}"))
            .into(),
        _ => vec![name.to_owned()],
    });
    names.collect()
}

fn words_with(text: &str, prefix: &str) -> BTreeSet<String> {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    let words = words.filter(|word| word.starts_with(prefix));
    words.map(str::to_owned).collect()
}

#[tokio::test]
async fn every_metric_of_the_dashboard_exists_and_every_metric_is_shown() {
    let dashboard = read("deploy/grafana/wyrmgate.json");
    let mut shown = words_with(&dashboard, "wyrmgate_");
    shown.extend(words_with(&dashboard, "process_"));
    let metrics = metrics().await;
    assert!(metrics.len() > 8, "{metrics:?}");
    let unknown: Vec<_> = shown.difference(&metrics).collect();
    assert!(unknown.is_empty(), "{unknown:?}");
    let kind = |name: &String| {
        let parts = ["_bucket", "_count", "_sum"];
        let part = parts.iter().find_map(|part| name.strip_suffix(part));
        part.unwrap_or(name).to_owned()
    };
    let shown: BTreeSet<_> = shown.iter().map(kind).collect();
    let missing: Vec<_> = metrics
        .iter()
        .filter(|name| !shown.contains(&kind(name)))
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn settings_of_the_chart_and_of_the_debian_package_exist() {
    let page = read("docs/operation.md");
    let values = ["values.yaml", "values-cluster.yaml"]
        .map(|name| yaml(&format!("deploy/helm/wyrmgate/{name}"))["settings"].clone());
    let debian = yaml("deploy/debian/wyrmgate.yaml");
    for settings in values.iter().chain([&debian]) {
        for name in settings.as_object().unwrap().keys() {
            assert!(page.contains(&format!("| `{name}` |")), "{name}");
        }
    }
}

/// Whether a path matches a pattern of a schema catalog: `**` is any folders, `*` any part of one name.
fn matches(pattern: &[&str], path: &[&str]) -> bool {
    match (pattern, path) {
        ([], []) => true,
        (["**", rest @ ..], _) => (0..=path.len()).any(|skipped| matches(rest, &path[skipped..])),
        ([first, rest @ ..], [name, others @ ..]) => {
            let fits = match first.split_once('*') {
                Some((start, end)) => {
                    name.len() >= start.len() + end.len()
                        && name.starts_with(start)
                        && name.ends_with(end)
                }
                None => first == name,
            };
            fits && matches(rest, others)
        }
        _ => false,
    }
}

#[test]
fn each_file_of_rules_matches_the_schema_that_it_names_and_no_other() {
    let catalog = yaml("editors/schemas.json");
    let schemas: Vec<_> = catalog["schemas"].as_array().unwrap().iter().collect();
    let mut found = Vec::new();
    files(&Path::new(ROOT).join("rules"), &mut found);
    let mut checked = 0;
    for path in found {
        let text = fs::read_to_string(&path).unwrap_or_default();
        let first = text.lines().next().unwrap_or_default();
        let Some((_, named)) = first.split_once("$schema=") else {
            continue;
        };
        let name = path.strip_prefix(ROOT).unwrap().to_str().unwrap();
        let parts: Vec<&str> = name.split('/').collect();
        let is_one = |schema: &&&Value| {
            let patterns = schema["fileMatch"].as_array().unwrap().iter();
            let patterns = patterns.map(|pattern| pattern.as_str().unwrap());
            let (not, wanted): (Vec<_>, Vec<_>) = patterns.partition(|p| p.starts_with('!'));
            let fits = |pattern: &str| matches(&pattern.split('/').collect::<Vec<_>>(), &parts);
            wanted.into_iter().any(fits) && !not.into_iter().any(|p| fits(&p[1..]))
        };
        let urls: Vec<_> = schemas.iter().filter(is_one).collect();
        assert_eq!(urls.len(), 1, "{name}: {urls:?}");
        let file = Path::new(urls[0]["url"].as_str().unwrap())
            .file_name()
            .unwrap();
        assert!(named.ends_with(file.to_str().unwrap()), "{name}: {urls:?}");
        checked += 1;
    }
    assert!(checked > 80, "{checked}");
}

/// The image is built from what `.dockerignore` lets through.
#[test]
fn the_image_gets_everything_that_the_build_reads() {
    let allowed = read(".dockerignore");
    let allowed: Vec<_> = allowed.lines().collect();
    let built = [
        "Cargo.toml",
        "Cargo.lock",
        "benches",
        "clients",
        "crates",
        "dist",
        "openapi",
        "rules",
        "src",
    ];
    for name in built {
        assert!(allowed.contains(&format!("!{name}").as_str()), "{name}");
    }
}

/// Nobody should have to look for the address of the repository in more than one place.
#[test]
fn the_address_of_the_repository_is_stated_once() {
    let named = shipped().into_iter().filter(|name| {
        // The formula takes it as an argument, which its first lines show.
        name != "deploy/homebrew/formula" && read(name).contains("github.com/OWNER")
    });
    assert_eq!(named.collect::<Vec<_>>(), Vec::<String>::new());
    assert!(read("Cargo.toml").contains("repository = "));
}

#[test]
fn the_formula_names_every_archive_with_its_digest() {
    let folder = tempfile::tempdir().unwrap();
    let (version, targets) = (
        env!("CARGO_PKG_VERSION"),
        [
            "aarch64-apple-darwin",
            "x86_64-apple-darwin",
            "aarch64-unknown-linux-musl",
            "x86_64-unknown-linux-musl",
        ],
    );
    let sums = targets.iter().zip('a'..).map(|(target, digit)| {
        let digest = digit.to_string().repeat(64);
        format!("{digest}  wyrmgate-{version}-{target}.tgz\n")
    });
    let list = folder.path().join("SHA256SUMS");
    fs::write(&list, sums.collect::<String>()).unwrap();
    let formula = Command::new(Path::new(ROOT).join("deploy/homebrew/formula"))
        .arg("https://example.org/wyrmgate")
        .arg(&list)
        .output()
        .unwrap();
    let text = String::from_utf8(formula.stdout).unwrap();
    for (target, digit) in targets.iter().zip('a'..) {
        let url = format!("/releases/download/v{version}/wyrmgate-{version}-{target}.tgz\"\n");
        let (_, after) = text.split_once(&url).unwrap();
        let digest = digit.to_string().repeat(64);
        assert!(
            after
                .trim_start()
                .starts_with(&format!("sha256 \"{digest}\""))
        );
    }
    let workflow = read(".github/workflows/release.yml");
    for target in targets {
        assert!(workflow.contains(target), "{target}");
    }
}

/// The action on a pull request that makes a game longer, and on one that breaks a scenario.
#[test]
fn the_action_reports_what_a_change_of_rules_does() {
    let folder = tempfile::tempdir().unwrap();
    let shell = |line: &str| {
        let ran = Command::new("bash")
            .args(["-euc", line])
            .current_dir(folder.path())
            .env("WYRMGATE", env!("CARGO_BIN_EXE_wyrmgate"))
            .env("ROOT", ROOT)
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&ran.stdout) + String::from_utf8_lossy(&ran.stderr);
        (ran.status.code(), text.into_owned())
    };
    let report = "python3 $ROOT/deploy/action/report.py rules report.md --base HEAD --games 100; cat report.md";
    let (code, text) = shell(
        "git init --quiet . && mkdir rules && cp -R $ROOT/rules/gallery/nim rules && git add -A
         git -c user.name=Test -c user.email=test@localhost commit --quiet -m Rules",
    );
    assert_eq!(code, Some(0), "{text}");
    let (_, text) = shell(report);
    assert!(
        text.contains("all scenarios pass") && text.contains("No game plays differently"),
        "{text}"
    );
    let (_, text) = shell(&format!(
        "sed -i.bak 's/row: 1..4/row: 1..3/' rules/nim/game.yaml && rm rules/nim/game.yaml.bak
         set +e; {report}"
    ));
    for words in ["Something is wrong", "wyrmgate test", "| 2 | decisions | "] {
        assert!(text.contains(words), "{words}: {text}");
    }
}
