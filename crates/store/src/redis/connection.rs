//! The connection of a store, its time limits, and the durability of acknowledged writes.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use parking_lot::Mutex;
use redis::cluster_routing::{
    MultipleNodeRoutingInfo, Route, RoutingInfo, SingleNodeRoutingInfo, SlotAddr,
};
use redis::{
    Cmd, ErrorKind, FromRedisValue, Pipeline, RedisError, RedisResult, ServerErrorKind, Value,
};
use tokio::time::{Instant, timeout};

use super::super::{Durability, StoreError};
use super::fault::{CommandFault, Follows};
use super::keys::tag;
use super::limits::CALL;
use super::link::Link;
use super::renewal::Renewed;
use super::script::ScriptCall;

/// How long a call is repeated that a replica refuses, until the connection leads to the master again.
const REPEATED: Duration = Duration::from_millis(1_500);
/// Time limit for a replica to confirm a write.
pub(super) const REPLICA: Duration = Duration::from_secs(1);
/// The same for probes.
const PROBED: Duration = Duration::from_millis(100);
/// Number of replicas that must have a write.
const REPLICAS: u32 = 1;
/// Duration below which a cluster call certainly ran only once, because the client retries only after an error, which
/// takes time.
const SURELY_ONCE: Duration = Duration::from_millis(20);

/// The connection that all callers use. Clones are cheap and share it.
#[derive(Clone)]
pub(super) struct Connection {
    pub(super) links: Arc<Renewed>,
    pub(super) is_cluster: bool,
    /// The required durability of writes.
    pub(super) asked: Option<Durability>,
    /// The command with which scripts publish.
    pub(super) ring: &'static str,
    /// The channel; see [`channel_of_due`](super::keys::channel_of_due).
    pub(super) channel_of_due: Arc<str>,
    /// When a server last accepted a write, unless one has failed since.
    pub(super) accepted: Arc<Mutex<Option<Instant>>>,
    /// Whether it was lost since the guard last looked: another server may answer now, or one with other settings.
    pub(super) is_in_doubt: Arc<AtomicBool>,
    /// Time limit for a replica to confirm a write.
    pub(super) patience: Duration,
}

/// The response to a write.
pub(super) struct WriteResponse<T> {
    pub(super) value: T,
    /// Whether the write may have been sent more than once.
    pub(super) maybe_twice: bool,
    /// Whether the write has the required durability. If not, it must not be acknowledged.
    pub(super) is_confirmed: bool,
}

impl Connection {
    /// Returns this connection for probes. They wait for a replica only briefly, because other writes wait behind them.
    pub(super) fn for_probes(&self) -> Connection {
        Connection {
            patience: PROBED,
            ..self.clone()
        }
    }

    fn is_replicated(&self) -> bool {
        self.asked == Some(Durability::Replicated)
    }

    /// Returns whether a server has accepted a write so recently, and none has failed since.
    pub(super) fn has_accepted_within(&self, time: Duration) -> bool {
        let accepted = *self.accepted.lock();
        accepted.is_some_and(|at| at.elapsed() < time)
    }

    /// Forgets that a server has accepted a write: the connection was lost since.
    pub(super) fn doubt(&self) {
        *self.accepted.lock() = None;
    }

    /// Runs a command.
    pub(super) async fn run<T: FromRedisValue>(&self, command: &Cmd) -> Result<T, StoreError> {
        let mut link = self.links.link();
        self.in_time(command.query_async(&mut link)).await
    }

    /// Runs commands together, but not atomically. On a cluster they go to the master of a bucket, and fail together if
    /// one of them does not belong to its keys.
    pub(super) async fn run_all(
        &self,
        commands: &Pipeline,
        bucket: u16,
    ) -> Result<Vec<Value>, StoreError> {
        let answers = self.run_each(commands, bucket).await?;
        let read = |answer: Value| answer.extract_error().map_err(of_read);
        answers.into_iter().map(read).collect()
    }

    /// Runs commands like [`Connection::run_all`], but on a cluster each one may have its own error.
    pub(super) async fn run_each(
        &self,
        commands: &Pipeline,
        bucket: u16,
    ) -> Result<Vec<Value>, StoreError> {
        match &mut self.links.link() {
            Link::Cluster(cluster) => {
                let route = Route::with_key(tag(bucket), SlotAddr::Master);
                let route = SingleNodeRoutingInfo::SpecificNode(route);
                let count = commands.len();
                self.in_time(cluster.route_pipeline(commands.clone(), 0, count, route))
                    .await
            }
            server => self.in_time(commands.query_async(server)).await,
        }
    }

    /// Runs a command without keys on the master of a slot.
    pub(super) async fn run_at<T: FromRedisValue>(
        &self,
        command: &Cmd,
        slot: u16,
    ) -> Result<T, StoreError> {
        let route = SingleNodeRoutingInfo::SpecificNode(Route::new(slot, SlotAddr::Master));
        let answer = self.routed(command, RoutingInfo::SingleNode(route)).await?;
        let answer = answer.extract_error().map_err(of_read)?;
        read(answer)
    }

    /// Runs a command where a cluster should, or on the only server.
    async fn routed(&self, command: &Cmd, route: RoutingInfo) -> Result<Value, StoreError> {
        match &mut self.links.link() {
            Link::Cluster(cluster) => {
                self.in_time(cluster.route_command(command.clone(), route))
                    .await
            }
            server => self.in_time(command.query_async(server)).await,
        }
    }

    /// Queries each master of a cluster, or the only server.
    pub(super) async fn ask_masters<T: FromRedisValue>(
        &self,
        question: &Cmd,
    ) -> Result<Vec<T>, StoreError> {
        let masters = RoutingInfo::MultiNode((MultipleNodeRoutingInfo::AllMasters, None));
        match self.routed(question, masters).await? {
            Value::Map(by_address) if self.is_cluster => {
                let answers = by_address.into_iter().map(|(_, answer)| read(answer));
                answers.collect()
            }
            answer => Ok(vec![read(answer)?]),
        }
    }

    /// Runs a script that writes.
    pub(super) async fn write<T: FromRedisValue>(
        &self,
        call: &ScriptCall,
    ) -> Result<WriteResponse<T>, CommandFault> {
        let began = Instant::now();
        let answer = match self.send(call.by_digest()).await {
            Err(error) if is_unknown_script(&error) => self.send(&call.by_text()).await,
            answer => answer,
        };
        self.judge(answer, began)
    }

    /// Runs a read-only script.
    pub(super) async fn evaluate<T: FromRedisValue>(
        &self,
        call: &ScriptCall,
    ) -> Result<T, StoreError> {
        let mut link = self.links.link();
        let asked = async {
            match call.by_digest().query_async(&mut link).await {
                Err(error) if is_unknown_script(&error) => {
                    call.by_text().query_async(&mut link).await
                }
                answer => answer,
            }
        };
        self.in_time(asked).await
    }

    /// Runs a single command that writes.
    pub(super) async fn write_one<T: FromRedisValue>(
        &self,
        command: &Cmd,
    ) -> Result<WriteResponse<T>, CommandFault> {
        let began = Instant::now();
        let answer = self.send(command).await;
        self.judge(answer, began)
    }

    fn judge<T: FromRedisValue>(
        &self,
        answer: RedisResult<Vec<Value>>,
        began: Instant,
    ) -> Result<WriteResponse<T>, CommandFault> {
        let maybe_twice = self.is_cluster && began.elapsed() > SURELY_ONCE;
        let fault = |error| match CommandFault::of(&error) {
            // The refusal may belong to a second attempt that only the client knows of.
            CommandFault::Refused(StoreError::Unavailable(why)) if maybe_twice => {
                CommandFault::Silence(why)
            }
            fault => fault,
        };
        let mut values = answer.map_err(fault)?.into_iter();
        *self.accepted.lock() = Some(Instant::now());
        let value = values.next().unwrap_or(Value::Nil);
        let replicas = values.next().and_then(|n| u32::from_redis_value(n).ok());
        Ok(WriteResponse {
            value: T::from_redis_value(value).map_err(|error| fault(error.into()))?,
            maybe_twice,
            is_confirmed: !self.is_replicated() || replicas.is_some_and(|n| n >= REPLICAS),
        })
    }

    /// Sends a write. One that a replica has refused is sent again once there is another connection.
    async fn send(&self, command: &Cmd) -> RedisResult<Vec<Value>> {
        let began = Instant::now();
        loop {
            let sent = timeout(CALL, self.send_once(command)).await;
            let answer = self.heard(sent.unwrap_or_else(|_| Err(silence())));
            let follows = answer.as_ref().err().map(Follows::of);
            if follows != Some(Follows::Reconnecting) || began.elapsed() > REPEATED {
                return answer;
            }
            self.links.renewed().await;
        }
    }

    /// Returns the response, followed by the number of replicas if they count. `WAIT` covers everything that the server
    /// had written when the previous command on the same connection finished, including the first attempt of a retried
    /// write.
    async fn send_once(&self, command: &Cmd) -> RedisResult<Vec<Value>> {
        let mut link = self.links.link();
        if !self.is_replicated() {
            return Ok(vec![command.query_async(&mut link).await?]);
        }
        let patience = u64::try_from(self.patience.as_millis()).unwrap_or(u64::MAX);
        let mut commands = Pipeline::with_capacity(2);
        commands.add_command(command.clone());
        commands.cmd("WAIT").arg(REPLICAS).arg(patience);
        commands.query_async(&mut link).await
    }

    /// Subscribes to a session's channel.
    pub(super) async fn subscribe(&self, channel: &str) -> Result<(), StoreError> {
        match &mut self.links.shared() {
            Link::Cluster(cluster) if self.is_sharded() => {
                self.in_time(cluster.ssubscribe(channel)).await
            }
            _ => self.listen(channel).await,
        }
    }

    /// Subscribes to a channel that belongs to no session. Messages reach all subscribers, whichever server they are
    /// published on.
    pub(super) async fn listen(&self, channel: &str) -> Result<(), StoreError> {
        match &mut self.links.shared() {
            Link::Server(server) => self.in_time(server.subscribe(channel)).await,
            Link::Wired(wire) => self.in_time(wire.subscribe(channel)).await,
            Link::Cluster(cluster) => self.in_time(cluster.subscribe(channel)).await,
        }
    }

    pub(super) async fn unsubscribe(&self, channel: &str) -> Result<(), StoreError> {
        match &mut self.links.shared() {
            Link::Server(server) => self.in_time(server.unsubscribe(channel)).await,
            Link::Wired(wire) => self.in_time(wire.unsubscribe(channel)).await,
            Link::Cluster(cluster) if self.is_sharded() => {
                self.in_time(cluster.sunsubscribe(channel)).await
            }
            Link::Cluster(cluster) => self.in_time(cluster.unsubscribe(channel)).await,
        }
    }

    fn is_sharded(&self) -> bool {
        self.ring == "SPUBLISH"
    }

    async fn in_time<T>(
        &self,
        call: impl Future<Output = RedisResult<T>>,
    ) -> Result<T, StoreError> {
        let answer = timeout(CALL, call).await.unwrap_or_else(|_| Err(silence()));
        self.heard(answer).map_err(of_read)
    }

    /// Records what follows from the response, or from its absence, for the connection and for readiness.
    fn heard<T>(&self, answer: RedisResult<T>) -> RedisResult<T> {
        let follows = answer.as_ref().err().map_or(Follows::Nothing, Follows::of);
        match follows {
            Follows::Silence => self.links.is_silent(),
            Follows::Reconnecting => self.links.is_wrong(),
            Follows::Nothing | Follows::Waiting => self.links.is_answered(),
        }
        if follows != Follows::Nothing {
            *self.accepted.lock() = None;
        }
        if matches!(follows, Follows::Silence | Follows::Reconnecting) {
            self.is_in_doubt.store(true, Ordering::Relaxed);
        }
        answer
    }
}

/// Returns the error of a command that reads.
pub(super) fn of_read(error: RedisError) -> StoreError {
    CommandFault::of(&error).of_read()
}

fn silence() -> RedisError {
    (ErrorKind::Io, "no response in time").into()
}

fn is_unknown_script(error: &RedisError) -> bool {
    error.kind() == ErrorKind::Server(ServerErrorKind::NoScript)
}

/// Returns the durability that clients see. If the servers are configured for less, this fails at once instead of with
/// every move.
pub(super) fn agree(
    asked: Option<Durability>,
    found: Durability,
) -> Result<Durability, StoreError> {
    match asked {
        Some(Durability::Replicated) => Ok(Durability::Replicated),
        Some(asked) if asked > found => Err(StoreError::Misconfigured(format!(
            "`durability={asked}` is requested, but Redis is configured for `{found}`; see `appendonly` and `appendfsync`"
        ))),
        _ => Ok(found),
    }
}

fn read<T: FromRedisValue>(answer: Value) -> Result<T, StoreError> {
    T::from_redis_value(answer).map_err(|error| of_read(error.into()))
}
