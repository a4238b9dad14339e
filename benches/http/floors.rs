//! The floors: servers that only parse a move, store it and answer.
//!
//! They are bare actix-web with one route and know neither rules nor tokens. They write as much as a move of a game
//! does: a state of 1 KiB and an entry of 200 bytes.

use std::io;
use std::net::TcpListener;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;

use actix_web::{App, HttpResponse, HttpServer, web};
use redb::{Database, ReadableTable, TableDefinition};
use redis::Script;
use redis::aio::MultiplexedConnection;
use serde::{Deserialize, Serialize};
use tokio::sync::oneshot;

use crate::server::Kind;

const STATE: [u8; 1024] = [7; 1024];
const ENTRY: [u8; 200] = [9; 200];
/// Number of sessions that take turns.
const SESSIONS: u64 = 64;
const EXPIRY_MS: u64 = 30 * 24 * 3_600_000;
const GROUP_MAX: usize = 16;

#[derive(Deserialize)]
struct Move {
    id: String,
}

/// The response, as long as the receipt of a move.
#[derive(Serialize)]
struct Receipt<'a> {
    session: &'a str,
    id: &'a str,
    status: &'a str,
    seats: [u8; 2],
    version: u64,
    at: &'a str,
    text: &'a str,
}

pub fn serve(kind: Kind, redis: Option<&str>) -> io::Result<()> {
    let redis = redis.unwrap_or_default().to_owned();
    actix_web::rt::System::new().block_on(async move {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        println!("listening on http://{}", listener.local_addr()?);
        let keeper = Keeper::open(kind, &redis).await;
        let server = HttpServer::new(move || {
            App::new()
                .app_data(web::Data::new(keeper.clone()))
                .route("/v1/sessions/{session}/moves", web::post().to(answer))
        });
        server.workers(1).listen(listener)?.run().await
    })
}

async fn answer(
    keeper: web::Data<Keeper>,
    path: web::Path<String>,
    order: web::Json<Move>,
) -> HttpResponse {
    let version = keeper.keep().await;
    HttpResponse::Created().json(Receipt {
        session: &path,
        id: &order.id,
        status: "running",
        seats: [1, 2],
        version,
        at: "2026-01-01T00:00:00Z",
        text: "as many words as one event of a game would need to be told in, more or less",
    })
}

/// The place where a floor stores its moves.
#[derive(Clone)]
enum Keeper {
    Nowhere,
    Redis(MultiplexedConnection, Script),
    Redb(mpsc::Sender<oneshot::Sender<u64>>),
}

/// The next session and its version. Moves of one client are in order, as each session has one player.
static NEXT: AtomicU64 = AtomicU64::new(0);

/// The minimum of a commit: compare, replace, append to the log, set the expiry, notify.
const COMMIT: &str = "
if redis.call('HGET', KEYS[1], 'v') ~= ARGV[1] and ARGV[1] ~= '0' then return redis.error_reply('STALE') end
redis.call('HSET', KEYS[1], 'v', ARGV[1] + 1, 's', ARGV[2])
redis.call('XADD', KEYS[2], (ARGV[1] + 1) .. '-0', 'b', ARGV[3])
redis.call('PEXPIRE', KEYS[1], ARGV[4])
redis.call('PEXPIRE', KEYS[2], ARGV[4])
redis.call('PUBLISH', KEYS[1], ARGV[1] + 1)
return 1";

impl Keeper {
    async fn open(kind: Kind, redis: &str) -> Keeper {
        match kind {
            Kind::Script => {
                let client = redis::Client::open(redis).expect("an address of Redis");
                let connection = client.get_multiplexed_async_connection().await;
                Keeper::Redis(connection.expect("Redis answers"), Script::new(COMMIT))
            }
            Kind::Grouped => Keeper::Redb(start_writer()),
            _ => Keeper::Nowhere,
        }
    }

    /// Returns the version of the next session.
    async fn keep(&self) -> u64 {
        match self {
            Keeper::Nowhere => 1,
            Keeper::Redis(connection, script) => keep_in_redis(connection.clone(), script).await,
            Keeper::Redb(writer) => {
                let (reply, answer) = oneshot::channel();
                writer.send(reply).expect("the writer lives");
                answer.await.expect("the writer answers")
            }
        }
    }
}

async fn keep_in_redis(mut connection: MultiplexedConnection, script: &Script) -> u64 {
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let (session, version) = (number % SESSIONS, number / SESSIONS);
    let mut call = script.key(format!("{{{session}}}s"));
    call.key(format!("{{{session}}}e")).arg(version);
    call.arg(&STATE[..]).arg(&ENTRY[..]).arg(EXPIRY_MS);
    let done: Result<u8, _> = call.invoke_async(&mut connection).await;
    // Two requests of one session may overtake each other here; a refusal costs about as much.
    let _ = done;
    version + 1
}

const STATES: TableDefinition<u64, (u64, &[u8])> = TableDefinition::new("states");
const LOG: TableDefinition<(u64, u64), &[u8]> = TableDefinition::new("log");

/// A thread that writes the pending moves, up to 16 at once, in one durable transaction.
fn start_writer() -> mpsc::Sender<oneshot::Sender<u64>> {
    let (sender, receiver) = mpsc::channel::<oneshot::Sender<u64>>();
    let database = Database::create("floor.redb").expect("a database");
    std::thread::spawn(move || {
        while let Ok(first) = receiver.recv() {
            let mut group = vec![first];
            group.extend(receiver.try_iter().take(GROUP_MAX - 1));
            let versions = write_group(&database, group.len()).expect("the disk writes");
            for (reply, version) in group.into_iter().zip(versions) {
                // The receiver is gone if the caller has hung up.
                let _ = reply.send(version);
            }
        }
    });
    sender
}

fn write_group(database: &Database, moves: usize) -> Result<Vec<u64>, redb::Error> {
    let write = database.begin_write()?;
    let mut versions = Vec::with_capacity(moves);
    {
        let mut states = write.open_table(STATES)?;
        let mut log = write.open_table(LOG)?;
        for _ in 0..moves {
            let session = NEXT.fetch_add(1, Ordering::Relaxed) % SESSIONS;
            let version = states.get(session)?.map_or(0, |row| row.value().0) + 1;
            states.insert(session, (version, &STATE[..]))?;
            log.insert((session, version), &ENTRY[..])?;
            versions.push(version);
        }
    }
    write.commit()?;
    Ok(versions)
}
