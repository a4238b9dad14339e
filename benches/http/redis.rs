//! A Redis server of our own, on a free port of this machine, with nothing written to disk.

use std::net::{TcpListener, TcpStream};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use crate::server::pinned;

/// Ends with its owner.
pub struct RedisServer {
    process: Child,
    port: u16,
}

impl RedisServer {
    /// As the operator's guide asks: `noeviction`. Nothing is saved, so that the disk does not speak in the figures.
    pub fn start() -> RedisServer {
        let port = free_port();
        let process = pinned("1", "redis-server")
            .args(["--port", &port.to_string(), "--bind", "127.0.0.1"])
            .args(["--save", "", "--appendonly", "no"])
            .args(["--maxmemory-policy", "noeviction"])
            .stdout(Stdio::null())
            .spawn()
            .expect("redis-server is installed");
        let server = RedisServer { process, port };
        let began = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(
                began.elapsed() < Duration::from_secs(10),
                "redis-server does not answer"
            );
            std::thread::sleep(Duration::from_millis(10));
        }
        server
    }

    pub fn url(&self) -> String {
        format!("redis://127.0.0.1:{}/", self.port)
    }
}

impl Drop for RedisServer {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    listener.local_addr().expect("its address").port()
}
