//! The server that a game's webhook calls, and connections to it. It records the messages, and sometimes answers badly or
//! not at all.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io;
use std::net::SocketAddr;
use std::rc::Rc;

use async_trait::async_trait;
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio::sync::oneshot;
use tokio::task::spawn_local;
use turmoil::net::{TcpListener, TcpStream};
use wyrmgate::dice::Dice;
use wyrmgate::session::{Deliverer, Schedule};
use wyrmgate::webhook_sender::Exempt;
use wyrmgate::webhook_sender::{BoxedStream, Connect, Policy, WebhookSender};

/// The name of the host.
pub const HOST: &str = "hook";
const PORT: u16 = 80;
/// The number of messages out of a thousand that are answered badly while faults happen.
const BAD_OF_1000: u64 = 250;

/// The messages that the server has received.
pub struct Hook {
    dice: RefCell<Dice>,
    /// The bodies by message, in the order of their first arrival, and how often each has arrived.
    pub told: RefCell<Vec<(String, Value)>>,
    pub times: RefCell<BTreeMap<String, u64>>,
    pub problems: RefCell<Vec<String>>,
}

impl Hook {
    pub fn new(seed: u64) -> Hook {
        Hook {
            dice: RefCell::new(Dice::new(seed)),
            told: RefCell::default(),
            times: RefCell::default(),
            problems: RefCell::default(),
        }
    }

    fn note(&self, id: &str, body: Value) {
        *self.times.borrow_mut().entry(id.to_owned()).or_default() += 1;
        let mut told = self.told.borrow_mut();
        match told.iter().find(|(known, _)| known == id) {
            None => told.push((id.to_owned(), body)),
            Some((_, before)) if *before == body => {}
            Some((_, before)) => {
                let text = format!("the message {id} was {before} and is {body}");
                self.problems.borrow_mut().push(text);
            }
        }
    }
}

/// Runs the server. `is_calm` says when it stops answering badly.
pub async fn serve(
    hook: Rc<Hook>,
    is_calm: impl Fn() -> bool + Clone + 'static,
) -> turmoil::Result {
    let listener = TcpListener::bind(("0.0.0.0", PORT)).await?;
    loop {
        let (stream, _) = listener.accept().await?;
        spawn_local(answer(hook.clone(), stream, is_calm.clone()));
    }
}

async fn answer(hook: Rc<Hook>, mut stream: TcpStream, is_calm: impl Fn() -> bool) {
    let mut read = Vec::new();
    let (id, body) = loop {
        if let Some(message) = message(&read) {
            break message;
        }
        match stream.read_buf(&mut read).await {
            Ok(1..) => {}
            _ => return,
        }
    };
    let is_bad = hook.dice.borrow_mut().below(1000) < BAD_OF_1000 && !is_calm();
    // A message that is recorded although the answer is bad comes a second time.
    let is_noted = !is_bad || hook.dice.borrow_mut().below(2) == 0;
    if is_noted {
        hook.note(&id, body);
    }
    let status = match is_bad {
        false => "204 No Content",
        true if hook.dice.borrow_mut().below(2) == 0 => "500 Internal Server Error",
        true => return,
    };
    let text = format!("HTTP/1.1 {status}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
    let _ = stream.write_all(text.as_bytes()).await;
    let _ = stream.shutdown().await;
}

/// Returns the id and the body of a request, once it is complete.
fn message(read: &[u8]) -> Option<(String, Value)> {
    let text = std::str::from_utf8(read).ok()?;
    let (head, body) = text.split_once("\r\n\r\n")?;
    let field = |name: &str| {
        let mut lines = head.lines().filter_map(|line| line.split_once(": "));
        lines.find_map(|(field, value)| field.eq_ignore_ascii_case(name).then_some(value))
    };
    let length: usize = field("content-length")?.parse().ok()?;
    let is_whole = body.len() >= length;
    is_whole.then(|| {
        let id = field("webhook-id").expect("every message has an id");
        (id.to_owned(), serde_json::from_str(body).unwrap())
    })
}

/// Streams over the simulated network. Opening one cannot move between threads, which the sender's futures must.
struct Dialer(UnboundedSender<(SocketAddr, oneshot::Sender<io::Result<TcpStream>>)>);

impl Dialer {
    fn start() -> Dialer {
        let (orders, mut queue) = unbounded_channel::<(SocketAddr, oneshot::Sender<_>)>();
        spawn_local(async move {
            while let Some((address, order)) = queue.recv().await {
                spawn_local(async move {
                    // The requester may have given up.
                    let _ = order.send(TcpStream::connect(address).await);
                });
            }
        });
        Dialer(orders)
    }
}

#[async_trait]
impl Connect for Dialer {
    async fn connect(&self, address: SocketAddr) -> io::Result<BoxedStream> {
        let gone = || io::Error::from(io::ErrorKind::ConnectionAborted);
        let (order, stream) = oneshot::channel();
        self.0.send((address, order)).map_err(|_| gone())?;
        Ok(Box::new(stream.await.map_err(|_| gone())??))
    }
}

/// Returns the URL of the server. Must be called on a host.
pub fn url() -> String {
    format!("http://{}:{PORT}/", turmoil::lookup(HOST))
}

/// Returns the sender of a node, which retries soon after a failure, and takes over soon from a crashed node.
pub fn deliverer() -> Deliverer {
    let policy = Policy {
        allow: vec![Exempt::Origin {
            scheme: "http".to_owned(),
            host: turmoil::lookup(HOST).to_string(),
            port: PORT,
        }],
        ports: Vec::new(),
    };
    let schedule = Schedule {
        retry_ms: 200,
        lease_ms: 2_000,
        ..Schedule::default()
    };
    let sender = WebhookSender::unencrypted(policy).connecting(Dialer::start());
    Deliverer::new(sender, schedule, None).unwrap()
}
