//! Servers that are started, and stopped when their handle is dropped.

use std::io::{BufRead, BufReader};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use redis::FromRedisValue;
use tempfile::TempDir;

/// A single server or a cluster.
pub struct Redis {
    pub url: String,
    /// Masters first.
    servers: Vec<Server>,
    options: Vec<String>,
    folder: TempDir,
}

struct Server {
    url: String,
    /// The process; `None` if others have started it.
    process: Option<Child>,
    is_killed: bool,
}

/// The folder, which is removed with its owner.
pub struct Node {
    pub address: String,
    process: Child,
}

const MASTERS: usize = 3;
/// The same as in `store/redis/keys.rs`.
const BUCKETS: u16 = 1_024;
const OF_CLUSTER: [&str; 8] = [
    "--cluster-enabled",
    "yes",
    "--cluster-node-timeout",
    "2000",
    "--cluster-replica-validity-factor",
    "0",
    "--repl-diskless-sync-delay",
    "0",
];
const START: Duration = Duration::from_secs(30);

impl Redis {
    /// `options` are those of the configuration file, as arguments.
    pub fn alone(options: &[String]) -> Redis {
        let mut redis = Redis::none(options);
        redis.begin(&[]);
        redis.url = redis.servers[0].url.clone();
        redis
    }

    /// Connects to a single server that others have started, and that keeps running.
    pub fn there(url: &str) -> Redis {
        let mut redis = Redis::none(&[]);
        redis.url = url.to_owned();
        redis.servers.push(Server {
            url: url.to_owned(),
            process: None,
            is_killed: false,
        });
        redis
    }

    /// Starts three masters with a replica each.
    pub fn cluster(options: &[String]) -> Redis {
        let mut redis = Redis::none(options);
        (0..2 * MASTERS).for_each(|_| redis.begin(&OF_CLUSTER));
        let urls = redis.servers.iter().map(|server| &server.url);
        let hosts: Vec<_> = urls.map(|url| url.replace("redis://", "")).collect();
        let mut create = Command::new("redis-cli");
        create.args(["--cluster", "create"]).args(&hosts);
        create.args(["--cluster-replicas", "1", "--cluster-yes"]);
        let created = create.stdout(Stdio::null()).status();
        assert!(created.expect("redis-cli is installed").success());
        redis.url = format!("redis+cluster://{}", hosts.join(","));
        redis
    }

    fn none(options: &[String]) -> Redis {
        Redis {
            url: String::new(),
            servers: Vec::new(),
            options: options.to_vec(),
            folder: tempfile::tempdir().expect("a folder"),
        }
    }

    fn begin(&mut self, more: &[&str]) {
        let port = free_port();
        let folder = self.folder.path().join(port.to_string());
        std::fs::create_dir(&folder).expect("a folder");
        let process = Command::new("redis-server")
            .args(["--port", &port.to_string(), "--bind", "127.0.0.1"])
            .args(["--save", "", "--appendonly", "no"])
            .args(["--maxmemory-policy", "noeviction"])
            .arg("--dir")
            .arg(folder)
            .args(more)
            .args(&self.options)
            .stdout(Stdio::null())
            .spawn()
            .expect("redis-server is installed");
        self.servers.push(Server {
            url: format!("redis://127.0.0.1:{port}"),
            process: Some(process),
            is_killed: false,
        });
        let began = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(began.elapsed() < START, "no Redis");
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Waits until a client can write to all masters and replicas follow them.
    pub async fn is_settled(&self) {
        let began = Instant::now();
        while !self.has_settled().await {
            assert!(began.elapsed() < START, "the cluster does not settle");
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
    }

    async fn has_settled(&self) -> bool {
        if self.servers.len() == 1 {
            return true;
        }
        let states: Vec<String> = self.ask(redis::cmd("CLUSTER").arg("INFO")).await;
        let links: Vec<String> = self.ask(redis::cmd("INFO").arg("replication")).await;
        let following = links
            .iter()
            .filter(|link| link.contains("master_link_status:up"));
        states
            .iter()
            .all(|state| state.contains("cluster_state:ok"))
            && following.count() == MASTERS
    }

    /// The servers that start first become masters.
    pub fn kill_a_master(&mut self) {
        let server = &mut self.servers[0];
        let process = server.process.as_mut().expect("it is ours");
        process.kill().expect("it runs");
        process.wait().expect("it ends");
        server.is_killed = true;
    }

    async fn ask<T: FromRedisValue>(&self, command: &redis::Cmd) -> Vec<T> {
        let mut answers = Vec::new();
        for server in self.servers.iter().filter(|server| !server.is_killed) {
            let client = redis::Client::open(server.url.as_str()).expect("an address");
            let connection = client.get_multiplexed_async_connection().await;
            let mut connection = connection.expect("Redis answers");
            let answer = command.query_async(&mut connection).await;
            answers.push(answer.expect("Redis answers"));
        }
        answers
    }

    /// Returns the sum of these statistics over the masters.
    async fn sum(&self, section: &str, line: impl Fn(&str) -> Option<f64>) -> f64 {
        let infos: Vec<String> = self.ask(redis::cmd("INFO").arg(section)).await;
        let masters = infos.iter().take(MASTERS.min(infos.len()));
        masters.flat_map(|info| info.lines()).filter_map(line).sum()
    }

    /// Returns the memory of all masters in bytes.
    pub async fn memory(&self) -> f64 {
        self.memory_of("used_memory:").await
    }

    /// Returns the memory according to the operating system.
    pub async fn resident(&self) -> f64 {
        self.memory_of("used_memory_rss:").await
    }

    async fn memory_of(&self, name: &str) -> f64 {
        self.sum("memory", |line| line.strip_prefix(name)?.parse().ok())
            .await
    }

    /// Returns the number of commands, including those within scripts, without those of this program.
    pub async fn commands(&self) -> f64 {
        const OURS: [&str; 7] = [
            "info", "hello", "client", "cluster", "select", "replconf", "ping",
        ];
        self.sum("commandstats", |line| {
            let (name, rest) = line.strip_prefix("cmdstat_")?.split_once(":calls=")?;
            let is_ours = OURS.iter().any(|word| name.starts_with(word));
            let count = rest.split(',').next()?.parse().ok();
            count.filter(|_| !is_ours)
        })
        .await
    }

    /// Returns the bytes received and sent.
    pub async fn traffic(&self) -> (f64, f64) {
        let of = |name: &'static str| {
            self.sum("stats", move |line| line.strip_prefix(name)?.parse().ok())
        };
        (
            of("total_net_input_bytes:").await,
            of("total_net_output_bytes:").await,
        )
    }

    /// Seconds of processor time.
    pub async fn busy(&self) -> f64 {
        self.sum("cpu", |line| {
            let (name, seconds) = line.split_once(':')?;
            let counts = ["used_cpu_sys", "used_cpu_user"].contains(&name);
            seconds.parse().ok().filter(|_| counts)
        })
        .await
    }

    /// Returns the number of keys that have expired since the server was started.
    pub async fn expired(&self) -> f64 {
        self.sum("stats", |line| {
            line.strip_prefix("expired_keys:")?.parse().ok()
        })
        .await
    }

    /// Sessions in the lists of what is to expire, of a single server.
    pub async fn mortal(&self) -> f64 {
        let mut count = redis::pipe();
        for bucket in 0..BUCKETS {
            count.cmd("ZCARD").arg(format!("{{{bucket}}}z"));
        }
        let client = redis::Client::open(self.url.as_str()).expect("an address");
        let connection = client.get_multiplexed_async_connection().await;
        let mut connection = connection.expect("Redis answers");
        let counts: Vec<f64> = count.query_async(&mut connection).await.expect("numbers");
        counts.iter().sum()
    }
}

impl Drop for Redis {
    fn drop(&mut self) {
        let processes = self
            .servers
            .iter_mut()
            .filter_map(|server| server.process.as_mut());
        for process in processes {
            // The process may have ended by itself.
            let _ = process.kill();
            let _ = process.wait();
        }
    }
}

impl Node {
    pub fn start(store: &str, program: Option<&str>, more: &[&str]) -> Node {
        let built = env!("CARGO_BIN_EXE_wyrmgate");
        let mut process = Command::new(program.unwrap_or(built))
            .args(["serve", "--listen", "127.0.0.1:0"])
            .args(["--rules", concat!(env!("CARGO_MANIFEST_DIR"), "/rules")])
            .args(["--store", store])
            .args(more)
            .stdout(Stdio::piped())
            .spawn()
            .expect("the node starts");
        let lines = BufReader::new(process.stdout.take().expect("stdout is piped")).lines();
        let mut lines = lines.map_while(Result::ok);
        let line = lines.find(|line| line.contains("listening on"));
        let line = line.expect("the node says where it listens");
        let (_, address) = line.split_once("http://").expect("an address");
        let address = address.trim().to_owned();
        // The process continues to print.
        std::thread::spawn(move || lines.for_each(drop));
        Node { address, process }
    }

    /// Waits until it serves sessions.
    pub async fn is_ready(&self) {
        let url = format!("http://{}/readyz", self.address);
        let began = Instant::now();
        while !reqwest::get(&url)
            .await
            .is_ok_and(|answer| answer.status().is_success())
        {
            assert!(began.elapsed() < START, "the node is not ready");
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    }

    /// Returns the memory in bytes according to the operating system; 0 if it is unknown.
    pub fn resident(&self) -> f64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.process.id()));
        let status = status.unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let kibibytes: Option<f64> =
            line.and_then(|line| line.split_whitespace().next()?.parse().ok());
        kibibytes.unwrap_or_default() * 1024.0
    }

    /// Returns the CPU time in seconds, to the hundredth; 0 if it is unknown.
    pub fn busy(&self) -> f64 {
        const TICKS: f64 = 100.0; // of Linux, a second
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.process.id()));
        let stat = stat.unwrap_or_default();
        let fields = stat.rsplit_once(") ").map(|(_, rest)| rest);
        let fields: Vec<&str> = fields.unwrap_or_default().split(' ').collect();
        let ticks = |place: usize| -> f64 {
            fields
                .get(place)
                .and_then(|field| field.parse().ok())
                .unwrap_or_default()
        };
        (ticks(11) + ticks(12)) / TICKS
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
