//! The program itself, serving the shipped games on one address, even after it was killed.

use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::process::{Child, Command, Stdio};

use serde_json::Value;

pub struct Server {
    child: Child,
    pub url: String,
    address: String,
}

impl Server {
    pub fn start(store: &str) -> Server {
        Server::start_with(store, &[])
    }

    pub fn start_with(store: &str, more: &[&str]) -> Server {
        // The address must stay the same when the server starts again; a browser takes another one for another server.
        let free = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = free.local_addr().unwrap().to_string();
        drop(free);
        Server {
            child: serve(&address, store, more),
            url: format!("http://{address}"),
            address,
        }
    }

    pub fn kill(&mut self) {
        self.child.kill().unwrap(); // SIGKILL
        self.child.wait().unwrap();
    }

    pub fn start_again(&mut self, store: &str) {
        self.child = serve(&self.address, store, &[]);
    }

    pub async fn post(&self, path: &str, body: Value) -> Value {
        self.post_as(path, "", body).await
    }

    /// Writes with a token.
    pub async fn post_as(&self, path: &str, token: &str, body: Value) -> Value {
        let request = reqwest::Client::new().post(format!("{}{path}", self.url));
        answer(with(request, token).json(&body)).await
    }

    /// Reads with a token.
    pub async fn get_as(&self, path: &str, token: &str) -> Value {
        let request = reqwest::Client::new().get(format!("{}{path}", self.url));
        answer(with(request, token)).await
    }

    pub async fn put(&self, path: &str, body: Value) -> Value {
        self.put_as(path, "", body).await
    }

    /// The same with a token.
    pub async fn put_as(&self, path: &str, token: &str, body: Value) -> Value {
        let request = reqwest::Client::new().put(format!("{}{path}", self.url));
        answer(with(request, token).json(&body)).await
    }
}

fn with(request: reqwest::RequestBuilder, token: &str) -> reqwest::RequestBuilder {
    match token {
        "" => request,
        token => request.bearer_auth(token),
    }
}

async fn answer(request: reqwest::RequestBuilder) -> Value {
    let response = request.send().await.unwrap();
    let status = response.status();
    let url = response.url().clone();
    let body = response.text().await.unwrap();
    assert!(status.is_success(), "{url}: {status} {body}");
    serde_json::from_str(&body).unwrap()
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Returns once the server answers.
fn serve(address: &str, store: &str, more: &[&str]) -> Child {
    let mut child = Command::new(env!("CARGO_BIN_EXE_wyrmgate"))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args([
            "serve", "--listen", address, "--rules", "rules", "--store", store,
        ])
        .args(more)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let is_up = lines
        .map_while(Result::ok)
        .any(|line| line.contains("listening on"));
    assert!(is_up, "the server did not start");
    child
}
