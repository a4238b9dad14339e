//! What is started, and stopped by its handle.

use std::io::{BufRead, BufReader};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use redis::FromRedisValue;
use tempfile::TempDir;

/// A single server, a cluster, or what others have started.
pub struct Redis {
    pub url: String,
    ports: Vec<u16>,
    others: Option<String>,
    processes: Vec<Option<Child>>,
    _folder: TempDir,
}

/// Ends with its owner.
pub struct Node {
    pub address: String,
    process: Child,
}

const MASTERS: usize = 3;

impl Redis {
    pub fn alone() -> Redis {
        let mut redis = Redis::none();
        redis.begin(&[]);
        redis.url = format!("redis://127.0.0.1:{}/", redis.ports[0]);
        redis
    }

    pub fn of_others(url: &str) -> Redis {
        let mut redis = Redis::none();
        (redis.url, redis.others) = (url.to_owned(), Some(url.to_owned()));
        redis
    }

    /// Three masters with a replica each.
    pub fn cluster() -> Redis {
        let mut redis = Redis::none();
        for _ in 0..2 * MASTERS {
            redis.begin(&[
                "--cluster-enabled",
                "yes",
                "--cluster-node-timeout",
                "2000",
                "--cluster-replica-validity-factor",
                "0",
                "--repl-diskless-sync-delay",
                "0",
            ]);
        }
        let hosts: Vec<_> = redis
            .ports
            .iter()
            .map(|port| format!("127.0.0.1:{port}"))
            .collect();
        let mut create = Command::new("redis-cli");
        create.args(["--cluster", "create"]).args(&hosts);
        create.args(["--cluster-replicas", "1", "--cluster-yes"]);
        let created = create.stdout(Stdio::null()).status();
        assert!(created.expect("redis-cli is installed").success());
        std::thread::sleep(Duration::from_secs(4));
        redis.url = format!("redis+cluster://{},{}", hosts[0], hosts[1]);
        redis
    }

    fn none() -> Redis {
        Redis {
            url: String::new(),
            ports: Vec::new(),
            others: None,
            processes: Vec::new(),
            _folder: tempfile::tempdir().expect("a folder"),
        }
    }

    fn begin(&mut self, more: &[&str]) {
        let port = free_port();
        let folder = self._folder.path().join(port.to_string());
        std::fs::create_dir(&folder).expect("a folder");
        let process = Command::new("redis-server")
            .args(["--port", &port.to_string(), "--bind", "127.0.0.1"])
            .args(["--save", "", "--appendonly", "no"])
            .args(["--maxmemory-policy", "noeviction", "--maxmemory", "9gb"])
            .arg("--dir")
            .arg(folder)
            .args(more)
            .stdout(Stdio::null())
            .spawn()
            .expect("redis-server is installed");
        self.processes.push(Some(process));
        self.ports.push(port);
        let began = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(began.elapsed() < Duration::from_secs(10), "no Redis");
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Of the first two masters the one with the first sessions, whichever.
    pub fn kill_a_master(&mut self) {
        let mut process = self.processes[0].take().expect("it runs");
        process.kill().expect("it is ours");
        process.wait().expect("it ends");
    }

    async fn ask<T: FromRedisValue>(&self, command: &redis::Cmd) -> Vec<T> {
        let living = self.ports.iter().zip(&self.processes);
        let living = living.filter(|(_, process)| process.is_some());
        let mut urls: Vec<_> = living
            .map(|(port, _)| format!("redis://127.0.0.1:{port}"))
            .collect();
        urls.extend(self.others.clone());
        let mut answers = Vec::new();
        for url in urls {
            let client = redis::Client::open(url).expect("an address");
            let connection = client.get_multiplexed_async_connection().await;
            let mut connection = connection.expect("Redis answers");
            answers.push(
                command
                    .query_async(&mut connection)
                    .await
                    .expect("Redis answers"),
            );
        }
        answers
    }

    async fn info(&self, section: &str, line: impl Fn(&str) -> Option<f64>) -> f64 {
        let infos: Vec<String> = self.ask(redis::cmd("INFO").arg(section)).await;
        let masters = infos.iter().take(match infos.len() {
            count if count > 1 => MASTERS,
            _ => 1,
        });
        masters.flat_map(|info| info.lines()).filter_map(line).sum()
    }

    /// Of all masters, in bytes.
    pub async fn memory(&self) -> f64 {
        self.info("memory", |line| {
            line.strip_prefix("used_memory:")?.parse().ok()
        })
        .await
    }

    /// All that were run, those within scripts included and those of this program left out.
    pub async fn commands(&self) -> f64 {
        self.info("commandstats", |line| {
            let (name, rest) = line.strip_prefix("cmdstat_")?.split_once(":calls=")?;
            let ours = [
                "info", "hello", "client", "dbsize", "select", "replconf", "ping",
            ];
            let is_ours = ours.iter().any(|word| name.starts_with(word));
            let count = rest.split(',').next()?.parse().ok();
            count.filter(|_| !is_ours)
        })
        .await
    }

    pub async fn keys(&self) -> f64 {
        self.info("keyspace", |line| {
            line.strip_prefix("db0:keys=")?
                .split(',')
                .next()?
                .parse()
                .ok()
        })
        .await
    }
}

impl Drop for Redis {
    fn drop(&mut self) {
        for process in self.processes.iter_mut().flatten() {
            // It may have ended by itself.
            let _ = process.kill();
            let _ = process.wait();
        }
    }
}

impl Node {
    pub fn start(store: &str, program: Option<&str>) -> Node {
        let built = env!("CARGO_BIN_EXE_wyrmgate");
        let mut process = Command::new(program.unwrap_or(built))
            .args(["serve", "--listen", "127.0.0.1:0"])
            .args(["--rules", concat!(env!("CARGO_MANIFEST_DIR"), "/rules")])
            .args(["--store", store])
            .stdout(Stdio::piped())
            .spawn()
            .expect("the node starts");
        let lines = BufReader::new(process.stdout.take().expect("stdout is piped")).lines();
        let mut lines = lines.map_while(Result::ok);
        let line = lines.find(|line| line.contains("listening on"));
        let line = line.expect("the node says where it listens");
        let (_, address) = line.split_once("http://").expect("an address");
        let address = address.trim().to_owned();
        // It goes on printing.
        std::thread::spawn(move || lines.for_each(drop));
        Node { address, process }
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn free_port() -> u16 {
    // The bus of a cluster listens 10,000 above.
    loop {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let port = listener.local_addr().expect("its address").port();
        if port < 55_000 {
            return port;
        }
    }
}
