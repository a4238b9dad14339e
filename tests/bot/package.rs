//! The Python package: its own tests, those of the hosts, and the client against this server.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use super::server;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// The folder of the test binary, where the native module is built, too.
fn built() -> PathBuf {
    let program = std::env::current_exe().unwrap();
    program.parent().unwrap().to_owned()
}

fn run(command: &mut Command) {
    let output = command.output().unwrap();
    let told = [output.stdout, output.stderr].concat();
    let told = String::from_utf8_lossy(&told);
    assert!(output.status.success(), "{command:?}\n{told}");
}

/// A Python with the hosts. It is made once for each list of packages.
fn python() -> PathBuf {
    let wanted = root().join("python/tests/requirements.txt");
    let folder = built().join("../../python-venv");
    let (python, noted) = (folder.join("bin/python"), folder.join("requirements.txt"));
    let list = fs::read(&wanted).unwrap();
    if fs::read(&noted).is_ok_and(|known| known == list) {
        return python;
    }
    run(Command::new("python3")
        .args(["-m", "venv", "--clear"])
        .arg(&folder));
    let mut pip = Command::new(&python);
    pip.args([
        "-m",
        "pip",
        "install",
        "--quiet",
        "--no-deps",
        "--no-compile",
    ]);
    run(pip
        .args([
            "--disable-pip-version-check",
            "--only-binary",
            ":all:",
            "-r",
        ])
        .arg(&wanted));
    fs::write(&noted, list).unwrap();
    python
}

/// The package as it would be installed: the files of `python/wyrmgate`, and the native module of this build.
fn package() -> PathBuf {
    let folder = built().join("../python-package");
    let inside = folder.join("wyrmgate");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&inside).unwrap();
    let link = |from: &Path, name: &str| symlink(from, inside.join(name)).unwrap();
    for entry in fs::read_dir(root().join("python/wyrmgate")).unwrap() {
        let path = entry.unwrap().path();
        link(&path, &path.file_name().unwrap().to_string_lossy());
    }
    link(&built().join("libwyrmgate_python.so"), "_native.abi3.so");
    folder
}

#[tokio::test(flavor = "multi_thread")]
async fn the_package_passes_its_tests_and_those_of_the_hosts() {
    let server = server().await;
    let url = server.url.clone();
    let tests = tokio::task::spawn_blocking(move || {
        let mut python = Command::new(python());
        python.args([
            "-B",
            "-W",
            "ignore",
            "-m",
            "unittest",
            "discover",
            "-s",
            "python/tests",
        ]);
        python.current_dir(root()).env("PYTHONPATH", package());
        run(python.env("WYRMGATE_URL", url));
    });
    tests.await.unwrap();
}

/// A wheel that `python/wheel` has built, installed without a network by somebody who has no Rust.
#[test]
fn the_wheel_is_installed_in_ten_seconds_and_plays() {
    let wheels = fs::read_dir(built().join("../../wheels"));
    let wheels = wheels
        .into_iter()
        .flatten()
        .map(|entry| entry.unwrap().path());
    let Some(wheel) = wheels
        .into_iter()
        .find(|path| path.extension().is_some_and(|end| end == "whl"))
    else {
        eprintln!("SKIPPED: there is no wheel in target/wheels; `python/wheel` builds it");
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    run(Command::new("python3")
        .args(["-m", "venv"])
        .arg(folder.path()));
    let python = folder.path().join("bin/python");
    let began = Instant::now();
    let mut pip = Command::new(&python);
    pip.args([
        "-m",
        "pip",
        "install",
        "--quiet",
        "--no-index",
        "--disable-pip-version-check",
    ]);
    run(pip
        .arg("--find-links")
        .arg(built().join("../../wheel-needs"))
        .arg(wheel));
    let took = began.elapsed();
    assert!(took < Duration::from_secs(10), "{took:?}");
    let play = "import wyrmgate; game = wyrmgate.load('rules/gallery/connect-four'); state = game.new_state(seed=7)
while not state.is_over: state.step(state.legal_actions()[0])";
    let mut playing = Command::new(&python);
    playing.args(["-c", play]).current_dir(root());
    run(playing
        .env("PATH", "/usr/bin:/bin")
        .env_remove("PYTHONPATH"));
}
