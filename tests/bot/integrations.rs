//! The integrations in `examples/`, each run as its own page says, against one server, all at the same time.
//!
//! A missing tool is a failure with its name, never a pass. `./test` installs what is needed. `examples/Play.java` needs a generated
//! client, which takes minutes: `tests/clients/run java` makes it and plays.

use std::collections::BTreeSet;
use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::json;

use super::support::{Server, config, shipped, text};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");
const LINES_MAX: usize = 100;

/// An integration: its arguments, and some words that it must print.
struct Row {
    line: String,
    prints: Vec<&'static str>,
}

fn row(line: impl Into<String>, prints: &[&'static str]) -> Row {
    Row {
        line: line.into(),
        prints: prints.to_vec(),
    }
}

/// Tools that `./test` puts into this folder if the system does not have them.
fn tools() -> PathBuf {
    Path::new(ROOT).join("target/tools")
}

/// A shell in the root of the repository, which finds the tools.
fn shell(line: &str) -> Command {
    let path = std::env::var("PATH").unwrap_or_default();
    let own = tools().join("node_modules/.bin");
    let mut command = Command::new("bash");
    command
        .args(["-c", line])
        .current_dir(ROOT)
        .env("PATH", format!("{path}:{}", own.display()))
        .env("PYTHONPATH", tools().join("python"))
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .env("WYRMGATE", env!("CARGO_BIN_EXE_wyrmgate"));
    command
}

fn run(row: &Row) -> Output {
    let mut command = shell(&row.line);
    command.stdin(Stdio::null()).output().unwrap()
}

/// Returns the mistake of a run, if there is one.
fn fault(row: &Row) -> Option<String> {
    let output = run(row);
    let printed = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    let missing: Vec<_> = row
        .prints
        .iter()
        .filter(|words| !printed.contains(**words))
        .collect();
    let is_wrong = !output.status.success() || !missing.is_empty();
    is_wrong.then(|| format!("{}\n{printed}{errors}\nmissing: {missing:?}", row.line))
}

/// A port below those that systems give to outgoing connections.
fn port() -> u16 {
    let first = 12_000 + (std::process::id() % 20_000) as u16;
    let mut ports = first..32_700;
    ports
        .find(|port| TcpListener::bind(("127.0.0.1", *port)).is_ok())
        .unwrap()
}

async fn running(call: impl FnOnce() -> Vec<String> + Send + 'static) -> Vec<String> {
    tokio::task::spawn_blocking(call).await.unwrap()
}

fn faults(rows: &[Row]) -> Vec<String> {
    std::thread::scope(|scope| {
        let runs: Vec<_> = rows.iter().map(|row| scope.spawn(|| fault(row))).collect();
        let faults = runs.into_iter().map(|run| run.join().unwrap());
        faults.flatten().collect()
    })
}

/// Compiles the TypeScript example as a user's project would, strictly, into a folder where the package is installed, and
/// checks the types of the package on the way.
fn typescript(folder: &Path) -> String {
    let package = Path::new(ROOT).join("clients/typescript");
    fs::create_dir_all(folder.join("node_modules")).unwrap();
    std::os::unix::fs::symlink(&package, folder.join("node_modules/wyrmgate")).unwrap();
    let examples = Path::new(ROOT).join("examples");
    fs::copy(examples.join("play.ts"), folder.join("play.ts")).unwrap();
    fs::copy(package.join("test/types.ts"), folder.join("types.ts")).unwrap();
    fs::write(folder.join("package.json"), r#"{"type": "module"}"#).unwrap();
    let settings = json!({
        "extends": package.join("tsconfig.json"),
        "compilerOptions": {"noEmit": false, "types": ["node"], "typeRoots": [tools().join("node_modules/@types")]},
        "files": ["play.ts", "types.ts"],
        "include": [],
    });
    fs::write(folder.join("tsconfig.json"), settings.to_string()).unwrap();
    format!("cd {} && tsc --project . && node play.js", folder.display())
}

#[tokio::test]
async fn every_integration_plays_on_a_real_server() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).display().to_string();
    let hook = port();
    let mut config = config();
    config.rules = shipped();
    config.webhooks = true;
    config.webhook_allow = vec![format!("http://127.0.0.1:{hook}").parse().unwrap()];
    let server = Server::with(config).await;
    let watched = server.create(json!({"game": "nim", "seats": ["open", "random"]}));
    let (url, watched) = (server.url.clone(), text(&watched.await.created, "id"));
    let (wall, report) = (at("wall"), at("report.md"));
    let compiled = typescript(&folder.path().join("typescript"));
    let programs = "'python3 examples/choose.py' 'python3 examples/choose.py first'";
    let rows = [
        row(
            format!("examples/table.sh {url} tic-tac-toe"),
            &["Mark which square?", "\"winners\""],
        ),
        row(
            format!("python3 examples/async_tables.py {url} tic-tac-toe kuhn-poker sneaky-dragons"),
            &[
                "tic-tac-toe: won by",
                "kuhn-poker: won by",
                "sneaky-dragons: won by",
            ],
        ),
        row(
            format!("{compiled} {url} tic-tac-toe"),
            &["Tic-tac-toe: won by", "1 × game-began", "1 × finished"],
        ),
        row(
            format!("python3 examples/evaluate.py {url} kuhn-poker {programs}"),
            &["100 games of kuhn-poker", "% to", "choose.py first"],
        ),
        row(
            format!("python3 examples/tournament.py {url} kuhn-poker random greedy {programs}"),
            &["16 games of kuhn-poker", "greedy", "Elo", " to +"],
        ),
        row(
            format!(
                "python3 examples/bot.py {url} {watched} 1 & python3 examples/spectator_wall.py {url} {wall} --sessions {watched} && \
                 wait && grep --quiet '<svg' {wall}/{watched}.svg && grep {watched}.svg {wall}/index.html"
            ),
            &["1 tables are over", "nim: bot.py, random (finished"],
        ),
        row(
            format!("python3 examples/webhook_player.py {url} tic-tac-toe {hook}"),
            &["messages: {\"winners\""],
        ),
        row(
            format!(
                "python3 examples/nightly_report.py rules/gallery/goofspiel {report} --games 60; cat {report}"
            ),
            &[
                "goofspiel",
                "2 seats, seat 1",
                "four, 2 seats, decisions: 26 → 8",
            ],
        ),
    ];
    let faults = running(move || faults(&rows)).await;
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
}

/// The client of `clients/typescript` plays, resumes and repeats on the same server as its users.
#[tokio::test]
async fn the_typescript_package_keeps_its_promises() {
    let mut config = config();
    config.rules = shipped();
    let server = Server::with(config).await;
    let line = format!(
        "cd clients/typescript && WYRMGATE_URL={} node --test --test-force-exit test/client.test.js",
        server.url
    );
    let rows = [row(line, &["# fail 0"])];
    let faults = running(move || faults(&rows)).await;
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
}

/// The Testing view of the extension for VS Code, without VS Code.
#[tokio::test]
async fn the_extension_shows_scenarios_and_what_they_reach() {
    let rows = [row(
        "node --test editors/vscode/test/scenarios.test.js",
        &["# fail 0"],
    )];
    let faults = running(move || faults(&rows)).await;
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
}

/// Clients as two generators make them from the document are compiled and play. `tests/clients/run` has the others.
#[tokio::test]
async fn generated_clients_play() {
    let line = "GAMES='tic-tac-toe magic-dragon' tests/clients/run python openapi-typescript";
    let rows = [row(line, &["tic-tac-toe: ", "magic-dragon: "])];
    let faults = running(move || faults(&rows)).await;
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
}

#[test]
fn the_types_are_those_of_the_openapi_document() {
    use sha2::{Digest, Sha256};
    let document = fs::read(Path::new(ROOT).join("openapi/openapi.json")).unwrap();
    let digest = Sha256::digest(document);
    let digest: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    let types = fs::read_to_string(Path::new(ROOT).join("clients/typescript/types/api.d.ts"));
    let types = types.unwrap();
    let first = types.lines().next().unwrap();
    assert!(
        first.ends_with(&digest),
        "run `clients/typescript/generate`"
    );
}

#[test]
fn an_integration_has_fewer_than_a_hundred_lines_and_a_row_in_the_table() {
    let folder = Path::new(ROOT).join("examples");
    let page = fs::read_to_string(folder.join("README.md")).unwrap();
    let mut named = BTreeSet::new();
    for entry in fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if name == "README.md" || path.is_dir() {
            continue;
        }
        assert!(page.contains(&format!("]({name})")), "{name}");
        let lines = fs::read_to_string(&path).unwrap().lines().count();
        // The verifier implements BLAKE3 and ChaCha, which other languages have as libraries.
        let max = if name == "verify_record.py" {
            200
        } else {
            LINES_MAX
        };
        assert!(lines <= max, "{name} has {lines} lines");
        named.insert(name);
    }
    assert!(named.len() > 12, "{named:?}");
}
