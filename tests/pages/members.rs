//! Orders for each army, given by a real pointer: one after the other, back and changed until everybody has given theirs.

use serde_json::{Value, json};

use crate::browser::Browser;
use crate::playing::Table;
use crate::pointer::Pointer;
use crate::server::Server;
use crate::{all_quiet, no_barriers, picture};

/// What the window shows of the orders so far, and which army the choices are about.
const SHOWN: &str = r#"
    const given = [...document.querySelectorAll(".given li")].map((line) => line.innerText);
    const choices = [...document.querySelectorAll("[data-choice]")].map((choice) => choice.innerText);
    return { given, choices, owes: Boolean(document.documentElement.dataset.decision) };
"#;

async fn until(browser: &Browser, given: usize) -> Value {
    for _ in 0..400 {
        let shown = browser.run(SHOWN, json!([])).await;
        if shown["given"].as_array().unwrap().len() == given {
            return shown;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    panic!("{given} orders are never shown");
}

async fn click(browser: &Browser, selector: &str) {
    browser.find(selector).await;
    let place = browser
        .middle_of(&format!("document.querySelector(`{selector}`)"))
        .await;
    browser.click_at(Pointer::Mouse, &[place]).await;
}

#[tokio::test]
async fn orders_go_back_one_by_one_until_everybody_has_given_theirs() {
    let server = Server::start("memory");
    let browser = Browser::start().await;
    let windows = vec![browser.new_window().await, browser.window().await];
    let table = Table::open(&browser, &server, "crown-hill", windows).await;
    let (ann, bob) = (&table.windows[0], &table.windows[1]);
    browser.switch_to(ann).await;
    click(&browser, ".choices [data-choice$=\".1.1.0\"]").await;
    let shown = until(&browser, 1).await;
    let stays = shown["given"][0].as_str().unwrap().to_owned();
    assert!(stays.contains("stays in Northwick"), "{shown}");
    assert!(
        shown["choices"][0].as_str().unwrap().contains("Ash Wood"),
        "{shown}"
    );
    click(&browser, ".choices [data-choice$=\".1.2.0\"]").await;
    let shown = until(&browser, 2).await;
    assert_eq!(shown["owes"], false);
    no_barriers(&browser, "orders that wait for others").await;
    picture(&browser, "orders").await;
    // Both go back, and another is given in the place of the first.
    click(&browser, "[data-withdraw]").await;
    until(&browser, 1).await;
    click(&browser, "[data-withdraw]").await;
    until(&browser, 0).await;
    click(&browser, ".choices [data-choice$=\".1.1.1\"]").await;
    let shown = until(&browser, 1).await;
    assert!(
        shown["given"][0]
            .as_str()
            .unwrap()
            .contains("goes from Northwick"),
        "{shown}"
    );
    click(&browser, ".choices [data-choice$=\".1.2.0\"]").await;
    until(&browser, 2).await;
    // The orders are still there in a window that is opened again.
    browser.run("location.reload()", json!([])).await;
    until(&browser, 2).await;
    browser.switch_to(bob).await;
    until(&browser, 0).await;
    click(&browser, ".choices [data-choice$=\".2.1.0\"]").await;
    until(&browser, 1).await;
    click(&browser, ".choices [data-choice$=\".2.2.0\"]").await;
    let shown = until(&browser, 0).await;
    assert_eq!(shown["owes"], true, "the next year");
    all_quiet(&browser, &server).await;
}
