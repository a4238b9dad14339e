//! A node's connections to servers over the simulated network. The redis crate provides frames, pipelines, pushes and the
//! client of a cluster. Its connection manager for a single server opens only sockets of the operating system, so this
//! file does the same for simulated ones: it connects again when the connection is lost, waits between attempts, and
//! subscribes again.

use std::collections::BTreeSet;
use std::io;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, LazyLock, Mutex, Weak};
use std::task::{Context, Poll};
use std::time::Duration;

use futures_util::task::AtomicWaker;
use redis::aio::{ConnectionLike, MultiplexedConnection};
use redis::{
    AsyncConnectionConfig, Cmd, Pipeline, ProtocolVersion, PushKind, RedisConnectionInfo,
    RedisFuture, RedisResult, Value,
};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio::sync::oneshot;
use tokio::task::spawn_local;
use tokio::time::{sleep, timeout};
use turmoil::net::TcpStream;
use wyrmgate::store::{OnPush, Wire};

use crate::model::{ALONE, PORT};

/// The time limit of an answer, as the store sets it for the connection manager.
const RESPONSE: Duration = Duration::from_secs(2);
const CONNECT: Duration = Duration::from_secs(1);
const ATTEMPTS: u32 = 4;
const RETRY_FIRST_MS: u64 = 50;

static INFO: LazyLock<RedisConnectionInfo> =
    LazyLock::new(|| RedisConnectionInfo::default().set_protocol(ProtocolVersion::RESP3));

/// The faults of a node's connections.
#[derive(Default)]
pub struct Fate {
    /// Whether the node is crashing, so that it sends nothing any more.
    pub frozen: AtomicBool,
    /// The number of writes in progress.
    pub writes: AtomicU64,
    /// The number of messages of writes until the node crashes; 0 if no crash is planned.
    pub exchanges_left: AtomicU64,
    lines: Mutex<Vec<Weak<End>>>,
}

/// Whether a connection has ended, and the tasks to wake then.
#[derive(Default)]
struct End {
    is_reached: AtomicBool,
    reader: AtomicWaker,
}

impl Fate {
    /// Breaks all current connections; messages in transit are lost, and both ends notice. Returns their number.
    pub fn break_lines(&self) -> usize {
        let lines = std::mem::take(&mut *self.lines.lock().unwrap());
        let broken = lines.iter().filter_map(Weak::upgrade);
        let end = |line: Arc<End>| {
            line.is_reached.store(true, Ordering::Relaxed);
            line.reader.wake();
        };
        broken.map(end).count()
    }

    /// Returns whether the node crashes at the message that it is about to send or has just received.
    fn dies_of_message(&self) -> bool {
        let left = self.exchanges_left.load(Ordering::Relaxed);
        if left == 0 || self.writes.load(Ordering::Relaxed) == 0 {
            return false;
        }
        self.exchanges_left.store(left - 1, Ordering::Relaxed);
        let dies = left == 1;
        if dies {
            self.frozen.store(true, Ordering::Relaxed);
        }
        dies
    }
}

/// A stream that ends when a fault breaks it.
pub struct Line {
    stream: TcpStream,
    fate: Arc<Fate>,
    end: Arc<End>,
}

impl Line {
    fn stops(&self) -> Option<Poll<io::Error>> {
        if self.fate.frozen.load(Ordering::Relaxed) {
            return Some(Poll::Pending);
        }
        let is_broken = self.end.is_reached.load(Ordering::Relaxed);
        is_broken.then(|| Poll::Ready(io::ErrorKind::ConnectionReset.into()))
    }
}

impl AsyncRead for Line {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        self.end.reader.register(cx.waker());
        if let Some(stop) = self.stops() {
            return stop.map(Err);
        }
        let before = buffer.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(cx, buffer);
        let is_message = buffer.filled().len() > before;
        if is_message && self.fate.dies_of_message() {
            buffer.set_filled(before);
            return Poll::Pending;
        }
        read
    }
}

impl AsyncWrite for Line {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        match self.stops() {
            Some(stop) => stop.map(Err),
            None if self.fate.dies_of_message() => Poll::Pending,
            None => Pin::new(&mut self.stream).poll_write(cx, bytes),
        }
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self.stops() {
            Some(stop) => stop.map(Err),
            None => Pin::new(&mut self.stream).poll_flush(cx),
        }
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

/// Opens a node's connections. Simulated connections cannot be opened in futures that move between threads, as those of
/// the store do, so a task on the node opens them.
#[derive(Clone)]
pub struct Dialer {
    orders: UnboundedSender<(String, oneshot::Sender<io::Result<TcpStream>>)>,
    fate: Arc<Fate>,
}

impl Dialer {
    /// Starts the task on the node on which this is called.
    pub fn start(fate: Arc<Fate>) -> Dialer {
        let (orders, mut queue) = unbounded_channel::<(String, oneshot::Sender<_>)>();
        spawn_local(async move {
            while let Some((host, order)) = queue.recv().await {
                spawn_local(async move {
                    // The requester may have given up.
                    let _ = order.send(TcpStream::connect((host, PORT)).await);
                });
            }
        });
        Dialer { orders, fate }
    }

    pub async fn dial(self, host: String) -> io::Result<Line> {
        let (order, stream) = oneshot::channel();
        let gone = |_| io::Error::from(io::ErrorKind::ConnectionAborted);
        self.orders.send((host, order)).map_err(|_| gone(()))?;
        let stream = stream.await.map_err(|_| gone(()))??;
        let end = Arc::new(End::default());
        self.fate.lines.lock().unwrap().push(Arc::downgrade(&end));
        Ok(Line {
            stream,
            fate: self.fate,
            end,
        })
    }
}

/// A connection to a single server. Clones share it.
#[derive(Clone)]
pub struct Simulated(Arc<Shell>);

struct Shell {
    dialer: Dialer,
    on_push: Arc<OnPush>,
    /// `None` while the connection is lost.
    connection: tokio::sync::Mutex<Option<(u64, MultiplexedConnection)>>,
    made: Mutex<u64>,
    channels: Mutex<BTreeSet<String>>,
}

impl Simulated {
    pub async fn connect(on_push: OnPush, dialer: Dialer) -> RedisResult<Box<dyn Wire>> {
        let shell = Arc::new(Shell {
            dialer,
            on_push: Arc::new(on_push),
            connection: tokio::sync::Mutex::new(None),
            made: Mutex::new(0),
            channels: Mutex::default(),
        });
        shell.connection().await?;
        Ok(Box::new(Simulated(shell)))
    }
}

impl Shell {
    fn connection(self: &Arc<Self>) -> RedisFuture<'_, (u64, MultiplexedConnection)> {
        Box::pin(async move {
            let mut connection = self.connection.lock().await;
            if let Some(connection) = &*connection {
                return Ok(connection.clone());
            }
            let mut pause = RETRY_FIRST_MS;
            for _ in 1..ATTEMPTS {
                if let Ok(made) = self.open().await {
                    *connection = Some(made.clone());
                    return Ok(made);
                }
                sleep(Duration::from_millis(pause)).await;
                pause *= 2;
            }
            let made = self.open().await?;
            *connection = Some(made.clone());
            Ok(made)
        })
    }

    async fn open(self: &Arc<Self>) -> RedisResult<(u64, MultiplexedConnection)> {
        let opening = async {
            let line = self.dialer.clone().dial(ALONE.to_owned()).await?;
            let on_push = self.on_push.clone();
            let config = AsyncConnectionConfig::new()
                .set_response_timeout(Some(RESPONSE))
                .set_push_sender(move |push| -> Result<(), ()> {
                    on_push(push);
                    Ok(())
                });
            MultiplexedConnection::new_with_config(&INFO, line, config).await
        };
        let opened = timeout(CONNECT, opening).await;
        let (mut connection, driver) =
            opened.map_err(|_| io::Error::from(io::ErrorKind::TimedOut))??;
        let number = {
            let mut made = self.made.lock().unwrap();
            *made += 1;
            *made
        };
        let shell = Arc::downgrade(self);
        tokio::spawn(async move {
            driver.await;
            if let Some(shell) = shell.upgrade() {
                shell.lost(number).await;
            }
        });
        let channels: Vec<String> = self.channels.lock().unwrap().iter().cloned().collect();
        if !channels.is_empty() {
            connection.subscribe(channels).await?;
        }
        Ok((number, connection))
    }

    /// Connects again at once, because there may be subscribers even if there are no requests.
    async fn lost(self: &Arc<Self>, number: u64) {
        {
            let mut connection = self.connection.lock().await;
            if connection
                .as_ref()
                .is_none_or(|(present, _)| *present != number)
            {
                return;
            }
            *connection = None;
        }
        (self.on_push)(redis::PushInfo {
            kind: PushKind::Disconnection,
            data: Vec::new(),
        });
        // The next call tries to connect again.
        let _ = self.connection().await;
    }
}

impl ConnectionLike for Simulated {
    fn req_packed_command<'a>(&'a mut self, command: &'a Cmd) -> RedisFuture<'a, Value> {
        Box::pin(async move {
            let (_, mut connection) = self.0.connection().await?;
            connection.send_packed_command(command).await
        })
    }

    fn req_packed_commands<'a>(
        &'a mut self,
        commands: &'a Pipeline,
        offset: usize,
        count: usize,
    ) -> RedisFuture<'a, Vec<Value>> {
        Box::pin(async move {
            let (_, mut connection) = self.0.connection().await?;
            connection
                .send_packed_commands(commands, offset, count)
                .await
        })
    }

    fn get_db(&self) -> i64 {
        0
    }
}

impl Wire for Simulated {
    fn handle(&self) -> Box<dyn Wire> {
        Box::new(self.clone())
    }

    fn subscribe<'a>(&'a mut self, channel: &'a str) -> RedisFuture<'a, ()> {
        Box::pin(async move {
            let (_, mut connection) = self.0.connection().await?;
            connection.subscribe(channel).await?;
            self.0.channels.lock().unwrap().insert(channel.to_owned());
            Ok(())
        })
    }

    fn unsubscribe<'a>(&'a mut self, channel: &'a str) -> RedisFuture<'a, ()> {
        Box::pin(async move {
            self.0.channels.lock().unwrap().remove(channel);
            let (_, mut connection) = self.0.connection().await?;
            connection.unsubscribe(channel).await
        })
    }
}
