//! The vendored files: those that were reviewed, with their licenses, and few enough.

use std::fs;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::server::Server;

/// axe-core (https://github.com/dequelabs/axe-core, MPL-2.0), unchanged. It is part of these tests, not of the program.
pub const AXE: &str = include_str!("axe/axe.min.js");

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap();
    let mut found: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    found.sort();
    found
}

fn sums_hold(folder: &str) {
    let folder = root().join(folder);
    let sums = fs::read_to_string(folder.join("SHA256SUMS")).unwrap();
    let mut listed: Vec<&str> = Vec::new();
    for line in sums.lines() {
        let (sum, name) = line.split_once("  ").unwrap();
        let bytes = fs::read(folder.join(name)).unwrap();
        let hash = Sha256::digest(&bytes);
        let hash: String = hash.iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(hash, sum, "{name} was changed");
        listed.push(name);
    }
    for file in files(&folder) {
        let name = file.file_name().unwrap().to_str().unwrap().to_owned();
        let is_ours = ["SHA256SUMS", "update"].contains(&name.as_str());
        assert!(
            is_ours || listed.contains(&name.as_str()),
            "{name} is not in SHA256SUMS"
        );
    }
    assert!(listed.iter().any(|name| name.starts_with("LICENSE")));
}

#[test]
fn vendored_files_are_those_of_the_checksums() {
    sums_hold("crates/service/pages/vendor");
    sums_hold("crates/service/pages/workbench/vendor");
    sums_hold("tests/pages/axe");
}

/// Some systems install no drawings: `WYRMGATE_BLESS=1` draws the icon again.
#[test]
fn the_icons_in_pixels_are_those_of_the_drawing() {
    let pages = root().join("crates/service/pages");
    let drawing = fs::read_to_string(pages.join("icon.svg")).unwrap();
    for size in [192, 512] {
        let sized = format!("<svg width=\"{size}\" height=\"{size}\" ");
        let drawn = wyrmgate::picture::png(&drawing.replacen("<svg ", &sized, 1)).unwrap();
        let file = pages.join(format!("icon-{size}.png"));
        if std::env::var_os("WYRMGATE_BLESS").is_some() {
            fs::write(&file, &drawn).unwrap();
        }
        assert!(fs::read(&file).unwrap() == drawn, "{size}");
    }
}

/// The page is served file by file; a file that is missing in the list is a page that does not load.
#[test]
fn every_file_of_the_page_is_part_of_the_program() {
    let listed =
        fs::read_to_string(root().join("crates/service/src/api/operation/pages.rs")).unwrap();
    let pages = root().join("crates/service/pages");
    let folders = ["", "vendor", "workbench", "workbench/vendor"];
    for file in folders.iter().flat_map(|folder| files(&pages.join(folder))) {
        let name = file.strip_prefix(&pages).unwrap().to_str().unwrap();
        let is_served = [".js", ".css", ".svg", ".png", ".webmanifest"]
            .iter()
            .any(|end| name.ends_with(end));
        assert!(
            !is_served || listed.contains(&format!("\"{name}\":")),
            "{name}"
        );
    }
}

/// The page speaks to the server through the TypeScript package, which is tested in Node and in the browser.
#[test]
fn the_page_has_no_client_of_its_own() {
    let pages = root().join("crates/service/pages");
    let scripts = ["", "workbench"].iter();
    for file in scripts.flat_map(|folder| files(&pages.join(folder))) {
        if file.extension().is_none_or(|end| end != "js") {
            continue;
        }
        let script = fs::read_to_string(&file).unwrap();
        let of_clients = [
            "EventSource",
            "event-stream",
            "Last-Event-ID",
            "Idempotency-Key",
            "Bearer",
        ];
        for name in of_clients {
            assert!(!script.contains(name), "{name} in {}", file.display());
        }
        // `api.js` notes the time of each answer on its way to the package; `worker.js` keeps the files of the page.
        let fetches = script.matches(" fetch(").count();
        let may = file.ends_with("pages/api.js") || file.ends_with("pages/worker.js");
        assert_eq!(fetches, usize::from(may), "{}", file.display());
    }
}

/// Everything that a browser loads that has nothing of the page yet; the workbench adds its own parts.
#[tokio::test]
async fn the_pages_are_small() {
    let server = Server::start("memory");
    assert!(sent(&server, &["", "vendor"]).await < 150_000);
    assert!(sent(&server, &["workbench", "workbench/vendor"]).await < 250_000);
}

/// Returns how many bytes the files of these folders are when they are sent.
async fn sent(server: &Server, folders: &[&str]) -> usize {
    let pages = root().join("crates/service/pages");
    let mut bytes = 0;
    let files = folders.iter().flat_map(|folder| files(&pages.join(folder)));
    for file in files.chain([pages.join("client.js")]) {
        let name = file.strip_prefix(&pages).unwrap().to_str().unwrap();
        if [".js", ".css", ".svg"]
            .iter()
            .any(|end| name.ends_with(end))
        {
            let url = format!("{}/pages/{name}", server.url);
            let request = reqwest::Client::new()
                .get(url)
                .header("accept-encoding", "gzip");
            let sent = request.send().await.unwrap().error_for_status().unwrap();
            let is_compressed = sent.headers().contains_key("content-encoding");
            let length = sent.bytes().await.unwrap().len();
            assert!(is_compressed || length < 1024, "{name}");
            bytes += length;
        }
    }
    bytes
}
