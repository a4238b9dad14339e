//! A real Redis Cluster for one test: several servers on free loopback ports, gone at the end.

use std::time::{Duration, Instant};

use redis::aio::MultiplexedConnection;
use redis::{Cmd, FromRedisValue, cmd};
use tokio::time::sleep;

use crate::server::{Server, free_port};

const SLOTS: usize = 16_384;
const PATIENCE: Duration = Duration::from_secs(30);
/// The time after which a silent node is considered dead.
pub const NODE_TIMEOUT_MS: &str = "1000";

/// The servers, masters first; replica i belongs to master i.
pub struct Cluster {
    pub nodes: Vec<Server>,
    masters: usize,
}

impl Cluster {
    pub async fn start(masters: usize, replicas: usize) -> Cluster {
        Cluster::start_with(masters, replicas, &[]).await
    }

    pub async fn start_with(masters: usize, replicas: usize, options: &[&str]) -> Cluster {
        let nodes = (0..masters + replicas).map(|_| node(options)).collect();
        let cluster = Cluster { nodes, masters };
        cluster.share_slots().await;
        cluster.meet().await;
        cluster.attach_replicas().await;
        cluster
    }

    async fn share_slots(&self) {
        for (number, master) in self.nodes[..self.masters].iter().enumerate() {
            let first = number * SLOTS / self.masters;
            let last = (number + 1) * SLOTS / self.masters - 1;
            let range = ["ADDSLOTSRANGE", &first.to_string(), &last.to_string()].map(str::to_owned);
            tell::<()>(master, cmd("CLUSTER").arg(&range)).await;
        }
        for (number, node) in self.nodes.iter().enumerate() {
            tell::<()>(node, cmd("CLUSTER").arg("SET-CONFIG-EPOCH").arg(number + 1)).await;
        }
    }

    async fn meet(&self) {
        for node in &self.nodes[1..] {
            let bus: (String, u16) = tell(node, cmd("CONFIG").arg("GET").arg("cluster-port")).await;
            let mut meet = cmd("CLUSTER");
            meet.arg("MEET").arg("127.0.0.1").arg(node.port).arg(bus.1);
            tell::<()>(&self.nodes[0], &meet).await;
        }
        let all = format!("cluster_known_nodes:{}\r", self.nodes.len());
        for node in &self.nodes {
            until(async || {
                let info: String = tell(node, cmd("CLUSTER").arg("INFO")).await;
                info.contains("cluster_state:ok") && info.contains(&all)
            })
            .await;
        }
    }

    async fn attach_replicas(&self) {
        for (master, replica) in self.nodes.iter().zip(&self.nodes[self.masters..]) {
            let id: String = tell(master, cmd("CLUSTER").arg("MYID")).await;
            tell::<()>(replica, cmd("CLUSTER").arg("REPLICATE").arg(id)).await;
            until(async || {
                let info: String = tell(replica, cmd("INFO").arg("replication")).await;
                info.contains("master_link_status:up")
            })
            .await;
        }
    }

    /// Names two of the nodes; the store finds the others.
    pub fn url(&self) -> String {
        let seeds = self.nodes.iter().rev().take(2);
        let seeds: Vec<_> = seeds
            .map(|node| format!("127.0.0.1:{}", node.port))
            .collect();
        format!("redis+cluster://{}", seeds.join(","))
    }

    pub async fn forget_everything(&self) {
        for master in &self.nodes[..self.masters] {
            tell::<()>(master, &cmd("FLUSHALL")).await;
        }
    }
}

fn node(options: &[&str]) -> Server {
    let bus = free_port().to_string();
    let of_cluster = [
        "--cluster-enabled",
        "yes",
        "--cluster-port",
        &bus,
        "--cluster-announce-ip",
        "127.0.0.1",
        "--cluster-node-timeout",
        NODE_TIMEOUT_MS,
        "--cluster-replica-validity-factor",
        "0",
        "--repl-diskless-sync-delay",
        "0",
    ];
    Server::start_with(&[&of_cluster, options].concat())
}

/// Returns a connection to one server for the test.
pub async fn raw(server: &Server) -> MultiplexedConnection {
    let client = redis::Client::open(server.url()).unwrap();
    client.get_multiplexed_async_connection().await.unwrap()
}

pub async fn tell<T: FromRedisValue>(server: &Server, command: &Cmd) -> T {
    command.query_async(&mut raw(server).await).await.unwrap()
}

/// Waits until a condition holds.
pub async fn until(mut is_so: impl AsyncFnMut() -> bool) {
    let began = Instant::now();
    while !is_so().await {
        assert!(began.elapsed() < PATIENCE, "it never came to that");
        sleep(Duration::from_millis(20)).await;
    }
}
