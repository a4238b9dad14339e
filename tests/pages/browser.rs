//! A browser, driven by the W3C WebDriver protocol (https://www.w3.org/TR/webdriver2/): Chromium, or Firefox with
//! `WYRMGATE_BROWSER=firefox`, for which `firefox` and `geckodriver` must be installed.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use reqwest::Method;
use serde_json::{Value, json};

/// The name of an element in the protocol.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";
/// How long a page may take to show what a test waits for.
const PATIENCE: Duration = Duration::from_secs(20);

/// The names under which distributions install the browser.
const BROWSERS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "chrome"];
const FIREFOXES: [&str; 2] = ["firefox-esr", "firefox"];

/// A browser without a screen, with one window. It ends when dropped.
pub struct Browser {
    driver: Child,
    client: reqwest::Client,
    session: String,
}

pub fn is_firefox() -> bool {
    std::env::var_os("WYRMGATE_BROWSER").is_some_and(|name| name == "firefox")
}

/// Says that a test needs commands that only Chromium has. Returns whether it can run.
pub fn needs_chromium(why: &str) -> bool {
    if is_firefox() {
        println!("only in Chromium: {why}");
    }
    !is_firefox()
}

/// Starts the driver on a port of its choice. `None` if it ends at once.
fn drive() -> Option<(Child, u16)> {
    let (name, args, before_port): (_, &[&str], _) = match is_firefox() {
        true => (
            "geckodriver",
            &["--port=0", "--log=info", "--allow-system-access"],
            "Listening on 127.0.0.1:",
        ),
        false => (
            "chromedriver",
            &["--port=0", "--log-level=SEVERE"],
            "started successfully on port ",
        ),
    };
    let mut driver = Command::new(name)
        .args(args)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap_or_else(|error| panic!("{name}: {error}; `./test` installs Chromium's"));
    let lines = BufReader::new(driver.stdout.take().unwrap()).lines();
    let mut lines = lines.map_while(Result::ok);
    let port = lines.find_map(|line| {
        let port = line.split_once(before_port)?.1;
        port.trim().trim_end_matches('.').parse().ok()
    });
    // A driver whose words nobody reads ends.
    std::thread::spawn(move || lines.for_each(drop));
    if port.is_none() {
        let _ = driver.wait();
    }
    Some((driver, port?))
}

/// An element of a page.
#[derive(Debug, Clone)]
pub struct Element(Value);

impl Browser {
    pub async fn start() -> Browser {
        // It takes one port for both versions of IP, and ends if somebody else has that port in one of them.
        let (driver, port) = (0..5)
            .find_map(|_| drive())
            .expect("chromedriver did not start");
        let client = reqwest::Client::builder()
            .timeout(Duration::from_secs(120))
            .build()
            .unwrap();
        let mut browser = Browser {
            driver,
            client,
            session: format!("http://127.0.0.1:{port}/session"),
        };
        let made = browser.call(Method::POST, "", capabilities()).await;
        let id = made["sessionId"].as_str().unwrap();
        browser.session = format!("{}/{id}", browser.session);
        browser
    }

    /// A command; the value of its answer.
    pub async fn call(&self, method: Method, path: &str, body: Value) -> Value {
        self.try_call(method, path, body)
            .await
            .unwrap_or_else(|problem| panic!("{path}: {problem}"))
    }

    async fn try_call(&self, method: Method, path: &str, body: Value) -> Result<Value, String> {
        let url = format!("{}{path}", self.session);
        let mut request = self.client.request(method.clone(), url);
        if method == Method::POST {
            request = request.json(&body);
        }
        let response = request.send().await.map_err(|error| error.to_string())?;
        let is_good = response.status().is_success();
        let mut answer: Value = response.json().await.map_err(|error| error.to_string())?;
        match is_good {
            true => Ok(answer["value"].take()),
            false => Err(answer["value"]["message"].to_string()),
        }
    }

    pub async fn open(&self, url: &str) {
        self.call(Method::POST, "/url", json!({"url": url})).await;
    }

    pub async fn address(&self) -> String {
        let url = self.call(Method::GET, "/url", Value::Null).await;
        url.as_str().unwrap().to_owned()
    }

    /// Opens another window and returns its name.
    pub async fn new_window(&self) -> String {
        let made = self
            .call(Method::POST, "/window/new", json!({"type": "window"}))
            .await;
        made["handle"].as_str().unwrap().to_owned()
    }

    pub async fn window(&self) -> String {
        let name = self.call(Method::GET, "/window", Value::Null).await;
        name.as_str().unwrap().to_owned()
    }

    pub async fn switch_to(&self, window: &str) {
        self.call(Method::POST, "/window", json!({"handle": window}))
            .await;
    }

    /// Gives the window the size and the resolution of a phone, or of a desktop.
    pub async fn resize(&self, width: u32, height: u32, is_phone: bool) {
        if is_firefox() {
            return self.resize_firefox(width, height).await;
        }
        let metrics = json!({
            "width": width, "height": height, "mobile": is_phone,
            "deviceScaleFactor": if is_phone { 2 } else { 1 },
        });
        self.cdp("Emulation.setDeviceMetricsOverride", metrics)
            .await;
    }

    /// Its windows have a smallest width for people, and the size of a window is that with its frame.
    async fn resize_firefox(&self, width: u32, height: u32) {
        let context = async |name: &str| {
            self.call(Method::POST, "/moz/context", json!({"context": name}))
                .await;
        };
        context("chrome").await;
        let narrow = "document.documentElement.style.setProperty('min-width', '0', 'important')";
        self.run(narrow, json!([])).await;
        context("content").await;
        let frame = self
            .run(
                "return [outerWidth - innerWidth, outerHeight - innerHeight]",
                json!([]),
            )
            .await;
        let with_frame = |size: u32, at: usize| u64::from(size) + frame[at].as_u64().unwrap_or(0);
        let rect = json!({"width": with_frame(width, 0), "height": with_frame(height, 1)});
        self.call(Method::POST, "/window/rect", rect).await;
    }

    /// A command that only Chromium has (https://chromedevtools.github.io/devtools-protocol/).
    pub async fn cdp(&self, command: &str, params: Value) -> Value {
        let body = json!({"cmd": command, "params": params});
        self.call(Method::POST, "/goog/cdp/execute", body).await
    }

    /// Runs a script, and waits for its promise.
    pub async fn run(&self, script: &str, args: Value) -> Value {
        let body = json!({"script": script, "args": args});
        self.call(Method::POST, "/execute/sync", body).await
    }

    pub async fn find(&self, selector: &str) -> Element {
        let waiting = Instant::now();
        loop {
            if let Some(found) = self.all(selector).await.into_iter().next() {
                return found;
            }
            if waiting.elapsed() > PATIENCE {
                let page = self.run("return document.body.innerText", json!([])).await;
                panic!("`{selector}` did not appear; the page shows {page}");
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    pub async fn all(&self, selector: &str) -> Vec<Element> {
        let body = json!({"using": "css selector", "value": selector});
        let found = self.call(Method::POST, "/elements", body).await;
        let found = found.as_array().unwrap().iter();
        found
            .map(|element| Element(element[ELEMENT].clone()))
            .collect()
    }

    /// Clicks as a person does: what is covered or out of sight cannot be clicked. A page that has just been drawn again
    /// is looked at again.
    pub async fn click(&self, selector: &str) {
        let waiting = Instant::now();
        loop {
            let Element(id) = self.find(selector).await;
            let path = format!("/element/{}/click", id.as_str().unwrap());
            match self.try_call(Method::POST, &path, json!({})).await {
                Ok(_) => return,
                // Firefox does not click on groups of a drawing.
                Err(problem) if problem.contains("could not be scrolled") => {
                    let element = format!("document.querySelector({})", json!(selector));
                    return self.click_in(&element).await;
                }
                Err(problem) if waiting.elapsed() > PATIENCE => panic!("`{selector}`: {problem}"),
                Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
            }
        }
    }

    /// Answers the question that the page asks, or will ask soon.
    pub async fn answer(&self, is_yes: bool) {
        let path = if is_yes {
            "/alert/accept"
        } else {
            "/alert/dismiss"
        };
        let waiting = Instant::now();
        while let Err(problem) = self.try_call(Method::POST, path, json!({})).await {
            assert!(waiting.elapsed() < PATIENCE, "{path}: {problem}");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// Presses keys in the window, such as `\u{e007}` for Enter.
    pub async fn press(&self, keys: &str) {
        let actions = keys.chars().flat_map(|key| {
            ["keyDown", "keyUp"].map(|kind| json!({"type": kind, "value": key.to_string()}))
        });
        let actions: Vec<Value> = actions.collect();
        let body = json!({"actions": [{"type": "key", "id": "keys", "actions": actions}]});
        self.call(Method::POST, "/actions", body).await;
    }

    /// Presses a key while others are held, such as `\u{e009}` for Control.
    pub async fn press_with(&self, held: &str, key: char) {
        let keys = || held.chars().chain([key]);
        let event = |kind: &str, key: char| json!({"type": kind, "value": key.to_string()});
        let down = keys().map(|key| event("keyDown", key));
        let up: Vec<Value> = keys().map(|key| event("keyUp", key)).collect();
        let actions: Vec<Value> = down.chain(up.into_iter().rev()).collect();
        let body = json!({"actions": [{"type": "key", "id": "keys", "actions": actions}]});
        self.call(Method::POST, "/actions", body).await;
    }

    /// A picture of the window, as PNG.
    pub async fn screenshot(&self, file: &str) {
        use base64::Engine as _;
        let taken = self.call(Method::GET, "/screenshot", Value::Null).await;
        let bytes = base64::engine::general_purpose::STANDARD.decode(taken.as_str().unwrap());
        std::fs::write(file, bytes.unwrap()).unwrap();
    }

    /// The entries of a log since it was read last: `browser` is the console, `performance` the network.
    /// Firefox tells no logs.
    pub async fn log(&self, kind: &str) -> Vec<Value> {
        if is_firefox() {
            return Vec::new();
        }
        let read = self
            .call(Method::POST, "/se/log", json!({"type": kind}))
            .await;
        read.as_array().unwrap().clone()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // The driver leaves the browser behind when it stops, unless the session was deleted. This may be within a
        // runtime, so it is asked without one.
        let _ = delete(&self.session);
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

/// Deletes what is at an address of this machine, and waits until it is done.
fn delete(url: &str) -> std::io::Result<()> {
    let rest = url.strip_prefix("http://").unwrap_or(url);
    let (address, path) = rest.split_once('/').unwrap_or((rest, ""));
    let mut stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    write!(
        stream,
        "DELETE /{path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n"
    )?;
    BufReader::new(stream).read_line(&mut String::new())?;
    Ok(())
}

fn capabilities() -> Value {
    let names: &[&str] = if is_firefox() { &FIREFOXES } else { &BROWSERS };
    let paths = std::env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = std::env::split_paths(&paths).collect();
    let mut found =
        (names.iter()).flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    let binary = found
        .find(|path| path.exists())
        .expect("no browser is installed");
    let of_browser = match is_firefox() {
        true => firefox(&binary),
        false => chromium(&binary),
    };
    let mut wanted = json!({"timeouts": {"script": 110_000}});
    wanted
        .as_object_mut()
        .unwrap()
        .extend(of_browser.as_object().unwrap().clone());
    json!({"capabilities": {"alwaysMatch": wanted}})
}

fn chromium(binary: &Path) -> Value {
    let options = json!({
        "binary": binary,
        "args": [
            "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--window-size=1280,900",
            "--disable-background-timer-throttling", "--disable-backgrounding-occluded-windows",
            "--disable-renderer-backgrounding", "--disable-background-networking", "--disable-component-update",
            "--disable-sync", "--disable-extensions", "--no-first-run", "--lang=en",
        ],
        "perfLoggingPrefs": {"enableNetwork": true, "enablePage": false},
    });
    json!({
        "browserName": "chrome",
        "goog:chromeOptions": options,
        "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"},
    })
}

fn firefox(binary: &Path) -> Value {
    json!({
        "browserName": "firefox",
        "unhandledPromptBehavior": "ignore",
        "moz:firefoxOptions": {
            "binary": binary,
            "args": ["-headless", "--width=1280", "--height=985"],
            "prefs": {"intl.accept_languages": "en", "ui.prefersReducedMotion": 1, "dom.w3c_touch_events.enabled": 1},
        },
    })
}
