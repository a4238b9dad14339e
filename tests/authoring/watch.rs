//! `--watch` runs a command again after a change, until Ctrl-C.

#![cfg(unix)]

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use crate::support::command::{binary, wyrmgate};

#[test]
fn a_change_is_checked_again_until_ctrl_c() {
    let folder = tempfile::tempdir().unwrap();
    let rules = folder.path().to_str().unwrap();
    assert_eq!(wyrmgate(&["new", "a-game", "--rules", rules]).code, 0);
    let game = folder.path().join("a-game");
    let mut child = binary()
        .args(["check", game.to_str().unwrap(), "--watch"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap())
        .lines()
        .map(Result::unwrap);
    let mut until = |wanted: &str| lines.by_ref().find(|line| line.contains(wanted)).unwrap();
    until("a-game: no problems");
    until("watching for changes");
    let file = game.join("game.yaml");
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.replace("take_a_turn\n", "take_a_trun\n")).unwrap();
    until("take_a_trun");
    until("error");
    fs::write(
        &file,
        format!("{text}data: {{wares: {{table: wares.csv}}}}\n"),
    )
    .unwrap();
    until("there is no file `a-game/wares.csv`");
    until("watching for changes");
    fs::write(game.join("wares.csv"), "name,price\nsilk,a lot\n").unwrap();
    until("a-game/wares.csv:2:6");
    until("watching for changes");
    fs::remove_file(game.join("wares.csv")).unwrap();
    fs::write(&file, text).unwrap();
    until("a-game: no problems");
    until("watching for changes");
    Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status()
        .unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));
}
