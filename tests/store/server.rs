//! A real Redis server for one test: on a free loopback port, in a folder of its own, removed at the end.

use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// The names of the server's program; the second one is a compatible fork.
const PROGRAMS: [&str; 2] = ["redis-server", "valkey-server"];
const START: Duration = Duration::from_secs(10);
/// The number of attempts, because another process can take the port before the server does.
const PORT_ATTEMPTS: usize = 5;

pub struct Server {
    child: Child,
    pub port: u16,
    options: Vec<String>,
    folder: TempDir,
}

impl Server {
    /// Starts a server that keeps everything in memory.
    pub fn start() -> Self {
        Server::start_with(&["--appendonly", "no"])
    }

    pub fn start_with(options: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let options: Vec<String> = options.iter().map(|option| option.to_string()).collect();
        for _ in 0..PORT_ATTEMPTS {
            let port = free_port();
            let mut child = spawn(port, &options, &folder);
            if answers(&mut child, port) {
                return Server {
                    child,
                    port,
                    options,
                    folder,
                };
            }
        }
        panic!("no Redis server came up on a free port");
    }

    pub fn url(&self) -> String {
        format!("redis://127.0.0.1:{}", self.port)
    }

    /// Kills the process.
    pub fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Starts the same server again, with its data.
    pub fn restart(&mut self) {
        self.child = spawn(self.port, &self.options, &self.folder);
        assert!(
            answers(&mut self.child, self.port),
            "the Redis server did not come back"
        );
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // The process may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The ports to try. They are below those of outgoing connections, which could take a port before the server does.
const PORTS: std::ops::Range<u32> = 12_000..32_000;

/// Returns a free port, another one at each call.
pub fn free_port() -> u16 {
    static CALLS: AtomicU32 = AtomicU32::new(0);
    loop {
        let number =
            std::process::id().wrapping_mul(997) % 20_000 + CALLS.fetch_add(1, Ordering::Relaxed);
        let port = (PORTS.start + number % (PORTS.end - PORTS.start)) as u16;
        if TcpListener::bind(("127.0.0.1", port)).is_ok() {
            return port;
        }
    }
}

fn spawn(port: u16, options: &[String], folder: &TempDir) -> Child {
    let spawned = PROGRAMS.iter().find_map(|program| {
        Command::new(program)
            .args([
                "--bind",
                "127.0.0.1",
                "--port",
                &port.to_string(),
                "--save",
                "",
            ])
            .arg("--dir")
            .arg(folder.path())
            .args(options)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .ok()
    });
    spawned.expect("there is no redis-server on this machine; run ./test, which installs one")
}

fn answers(child: &mut Child, port: u16) -> bool {
    let began = Instant::now();
    while began.elapsed() < START {
        if child.try_wait().unwrap().is_some() {
            return false;
        }
        if TcpStream::connect(("127.0.0.1", port)).is_ok() {
            return true;
        }
        sleep(Duration::from_millis(10));
    }
    let _ = child.kill();
    false
}
