//! How a screen reader reads a table: the tree of roles and names must read as a person would describe the table.

use std::collections::HashMap;

use serde_json::{Value, json};

use crate::all_quiet;
use crate::browser::{Browser, needs_chromium};
use crate::everyday::Pair;
use crate::returning::{play, until};
use crate::server::Server;

/// The tree as lines such as `button Pawn (Ann)`, in the order in which they are read. A description follows its name.
async fn told(browser: &Browser) -> Vec<String> {
    let tree = browser.cdp("Accessibility.getFullAXTree", json!({})).await;
    let nodes = tree["nodes"].as_array().unwrap();
    let by_id: HashMap<&str, &Value> = nodes
        .iter()
        .map(|node| (node["nodeId"].as_str().unwrap(), node))
        .collect();
    let mut open = vec![nodes[0]["nodeId"].as_str().unwrap()];
    let mut lines = Vec::new();
    while let Some(node) = open.pop().and_then(|id| by_id.get(id)) {
        let word = |name: &str| node[name]["value"].as_str().unwrap_or_default();
        let is_said = node["ignored"] == json!(false)
            && !["generic", "none", "InlineTextBox"].contains(&word("role"));
        if is_said {
            let line = [word("role"), word("name"), word("description")].join(" ");
            lines.push(line.trim().to_owned());
        }
        let children = node["childIds"].as_array().into_iter().flatten();
        open.extend(children.rev().filter_map(Value::as_str));
    }
    lines
}

/// Checks that the tree contains these texts, each once and in this order.
fn are_told(lines: &[String], wanted: &[&str]) {
    let place = |wanted: &&str| {
        let found = (0..lines.len()).filter(|at| lines[*at] == **wanted);
        let found: Vec<usize> = found.collect();
        assert_eq!(found.len(), 1, "{wanted}: {found:?} in {lines:#?}");
        found[0]
    };
    let places: Vec<usize> = wanted.iter().map(place).collect();
    assert!(places.is_sorted(), "{wanted:?}: {places:?} in {lines:#?}");
}

/// Checks what no line may be: a code of the rules, a name that is said again, a sign that is read aloud.
fn is_plain(lines: &[String]) {
    for line in lines {
        let (role, name) = line.split_once(' ').unwrap_or((line, ""));
        let words: Vec<&str> = name.split(' ').collect();
        let (first, second) = words.split_at(words.len() / 2);
        let is_twice = ["button", "group"].contains(&role) && first == second;
        let has_code = name.contains('_') || name.ends_with('–') || name.contains('›');
        let cell = name
            .split_once(',')
            .map(|(x, y)| x.parse::<i32>().and(y.parse::<i32>()));
        let is_cell = cell.is_some_and(|cell| cell.is_ok());
        assert!(
            name.is_empty() || !is_twice && !has_code && !is_cell,
            "{line}"
        );
    }
}

#[tokio::test]
async fn a_table_is_told_as_a_person_would_tell_it() {
    if !needs_chromium("it tells its tree for screen readers") {
        return;
    }
    let server = Server::start("memory");
    let browser = Browser::start().await;
    let table = Pair::open(&server, &browser, "chess").await;
    browser.find(".drawing .live").await;
    let lines = told(&browser).await;
    is_plain(&lines);
    // Row by row from the top, as the board is seen; each man with whose it is.
    let kings = ["group King (Bob)", "group King (Ann)"];
    are_told(
        &lines,
        &[
            "group Board",
            "group a8",
            kings[0],
            "group h8",
            "group a7",
            "group a1",
            kings[1],
            "group h1",
        ],
    );
    let pawns = lines.iter().filter(|line| **line == "button Pawn (Ann)");
    assert_eq!(pawns.count(), 8);
    table.choose(&server, 1, "e4").await;
    browser.find("html[data-decision='']").await;
    table.choose(&server, 2, "e5").await;
    browser.find(".drawing [id=e5] .piece").await;
    let live = "document.querySelector('[aria-live=polite].unseen').innerText";
    until(
        &browser,
        &format!("{live} === 'Bob: Pawn from e7 to e5. Your move'"),
    )
    .await;
    // The head says whose turn it is, and no more.
    let said = "document.querySelectorAll('[role=status]')].map((one) => one.innerText).filter(Boolean).join()";
    until(&browser, &format!("[...{said} === 'Your decision'")).await;

    play(&browser, &server, "hearts").await;
    browser.find(".drawing .live").await;
    let lines = told(&browser).await;
    is_plain(&lines);
    let others = [2, 3, 4].map(|seat| format!("group Seat {seat} (bot: medium): 0 points"));
    let hands = lines.iter().filter(|line| **line == "group Hand: 13");
    assert_eq!(hands.count(), 3, "{lines:#?}");
    let others = others.iter().map(String::as_str);
    let all: Vec<&str> = ["group Trick"]
        .into_iter()
        .chain(others)
        .chain(["group Hand"])
        .collect();
    are_told(&lines, &all);
    let cards = lines.iter().filter(|line| line.starts_with("button Card "));
    assert_eq!(
        cards.count(),
        2 * 13,
        "on the table, and as choices: {lines:#?}"
    );

    play(&browser, &server, "drakon").await;
    browser.find(".choices [data-choice]").await;
    let lines = told(&browser).await;
    is_plain(&lines);
    // The copy of the hand that is seen below the board is not told again.
    are_told(
        &lines,
        &[
            "group Lair",
            "group Start (4 arrows)",
            "group Hoard: 28",
            "group Hand: 4",
            "group Hand",
        ],
    );
    all_quiet(&browser, &server).await;
}
