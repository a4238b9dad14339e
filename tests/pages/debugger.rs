//! The debugger of the workbench.

use serde_json::json;

use crate::browser::Browser;
use crate::pointer::Pointer;
use crate::returning::value;
use crate::server::Server;
use crate::workbench::{IN_EDITOR, text, until};
use crate::{all_quiet, no_barriers};

const GAME: &str = "\
game: heap
title: Heap
players: 2
vars:
  pile: {type: int, start: 12}
effects:
  play: |
    let p = seat(1)
    repeat:
      turn of p:
        choose n in 1..3 where n <= pile and n != 2 \"How many?\":
          take n
        if pile = 0: finish won by p
      p = left(p)
  take int n: |
    pile -= n
";

/// The line on which a text of the game stands, from 1.
fn line_of(text: &str) -> usize {
    GAME.lines().position(|line| line.contains(text)).unwrap() + 1
}

/// Clicks beside the number of a line.
async fn click_beside(browser: &Browser, line: usize) {
    let number = format!(
        "[...{IN_EDITOR}.querySelectorAll('.cm-lineNumbers .cm-gutterElement')].find((one) => one.textContent === '{line}')"
    );
    let (_, y) = browser.middle_of(&number).await;
    let gutter = format!(
        "return {IN_EDITOR}.querySelector('.cm-breakpoints').getBoundingClientRect().x + 4"
    );
    let x = browser.run(&gutter, json!([])).await.as_f64().unwrap();
    browser.click_at(Pointer::Mouse, &[(x, y)]).await;
}

async fn is_told(browser: &Browser, told: &str) {
    until(
        browser,
        &format!(
            "document.querySelector('[data-told]').textContent.includes({})",
            json!(told)
        ),
    )
    .await;
}

#[tokio::test]
async fn rules_are_debugged_in_the_workbench() {
    let server = Server::start("memory");
    let browser = Browser::start().await;
    browser.open(&format!("{}/workbench", server.url)).await;
    let scenarios = "- scenario: One move\n  steps:\n    - play: {n: 3}\n    - play: {n: 1}\n";
    let work = json!({"game": null, "files": {"game.yaml": GAME, "one.scenarios.yaml": scenarios}});
    let store = "localStorage.setItem('wyrmgate.workbench', JSON.stringify(arguments[0]))";
    browser.run(store, json!([work])).await;
    browser.open("about:blank").await;
    browser.open(&format!("{}/workbench", server.url)).await;
    browser.find("html[data-check=valid]").await;
    browser.click(".trial .choices [data-choice$='.1']").await;
    until(
        &browser,
        "document.querySelector('.trial b[role=status]')?.textContent.includes('Seat 2')",
    )
    .await;
    let word = |class, word| {
        format!(
            "[...{IN_EDITOR}.querySelectorAll('.cm-is-{class}')].some((one) => one.textContent === '{word}')"
        )
    };
    for (class, one) in [
        ("keyword", "choose"),
        ("variable", "pile"),
        ("parameter", "n"),
    ] {
        until(&browser, &word(class, one)).await;
    }
    browser.click("[data-tab=debugger]").await;

    // The game at the table, up to a breakpoint that is moved down with its line.
    click_beside(&browser, line_of("take int n")).await;
    browser.find("[data-condition]").await;
    browser.click("[data-launch]").await;
    is_told(&browser, "Stopped at a breakpoint.").await;
    // The mark went down to the next statement.
    let mark = format!("[data-condition='{}']", line_of("pile -= n"));
    browser.find(&mark).await;
    let stack = text(&browser, ".stack").await;
    assert!(stack.contains("take") && stack.contains("play"), "{stack}");
    let names = text(&browser, ".stack ~ .members").await;
    assert!(names.contains("n 3"), "{names}");
    until(
        &browser,
        &format!("{IN_EDITOR}.querySelector('.cm-here').textContent.includes('pile -= n')"),
    )
    .await;
    no_barriers(&browser, "the debugger").await;

    // Steps in both directions, and what expressions are worth there.
    browser.click("[data-watch]").await;
    browser.press("pile * 2\u{E007}").await;
    browser.find("[data-worth='pile * 2']:not(:empty)").await;
    assert_eq!(text(&browser, "[data-worth='pile * 2']").await, "24");
    browser.click("[data-go=next]").await;
    until(
        &browser,
        "document.querySelector(\"[data-worth='pile * 2']\").textContent !== '24'",
    )
    .await;
    browser.click("[data-go=stepBack]").await;
    until(
        &browser,
        "document.querySelector(\"[data-worth='pile * 2']\").textContent === '24'",
    )
    .await;
    browser.click("[data-go=continue]").await;
    is_told(&browser, "the game waits for seat 2").await;

    // A scenario, with a condition.
    browser.retype("[data-condition]", "n = 1\u{e004}").await; // Tab
    let choose = ".debugger select option[value='scenario One move']";
    browser.click(choose).await;
    browser.click("[data-launch]").await;
    is_told(&browser, "Stopped at a breakpoint.").await;
    until(
        &browser,
        "document.querySelector(\"[data-worth='pile * 2']\").textContent === '18'",
    )
    .await;

    // Why a choice is not offered.
    browser.click("[data-go=reverseContinue]").await;
    is_told(&browser, "At the first statement.").await;
    // What stands above the field may still come, and move it away from the pointer.
    while value(&browser, "document.querySelector('[data-arg=n]').value").await != "2" {
        browser.retype("[data-arg=n]", "2").await;
    }
    browser.click("[data-why]").await;
    browser.find("[data-because]").await;
    let because = text(&browser, "[data-because]").await;
    assert!(
        because.contains("✗") && because.contains("n != 2") && because.contains("not offered"),
        "{because}"
    );
    all_quiet(&browser, &server).await;

    // Few authors debug at a time; who leaves makes room.
    let many = "import('/pages/workbench/language.js').then(async ({ Language }) => { const all = []; \
        try { for (let at = 0; at < 9; at += 1) { const one = new Language(''); all.push(one); await one.debug('initialize'); } } \
        catch (error) { window.refused = `${all.length} ${error.message}`; } \
        all[0].close(); await new Promise((done) => setTimeout(done, 300)); \
        window.again = (await all[all.length - 1].debug('initialize')).body.supportsStepBack; \
        all.forEach((one) => one.close()); })";
    browser.run(many, json!([])).await;
    until(&browser, "window.again").await;
    let refused = browser.run("return window.refused", json!([])).await;
    assert_eq!(
        refused,
        "4 too many games are being debugged here; try again later"
    );

    // Breakpoints and expressions are there again on the next visit.
    let address = browser.address().await;
    browser.open("about:blank").await;
    browser.open(&address).await;
    until(
        &browser,
        &format!("[...{IN_EDITOR}?.querySelectorAll('.cm-breakpoints') ?? []].some((one) => one.textContent.includes('◆'))"),
    )
    .await;
    browser.click("[data-tab=debugger]").await;
    browser.find(&mark).await;
    until(
        &browser,
        &format!("document.querySelector(\"{mark}\").value === 'n = 1'"),
    )
    .await;
    browser.click(choose).await;
    browser.click("[data-launch]").await;
    is_told(&browser, "Stopped at a breakpoint.").await;
    browser.find("[data-worth='pile * 2']").await;
}
