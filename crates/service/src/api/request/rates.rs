//! Rate limits by client and by kind of request.
//!
//! A bucket implements the generic cell rate algorithm: one number per client, the time at which the bucket is full
//! again. A request is charged when it arrives, so concurrent requests have the same limit as consecutive ones. Play
//! drains the move bucket only where it is refused: a move reserves its charge and gets it back when it is accepted. A
//! move that finds everything reserved waits for the moves before it, and is refused only if those are refused. A legal
//! game is therefore never throttled, however fast it is played. Other writes, such as new tokens, have no natural end
//! and are always charged.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use actix_web::dev::ServiceRequest;
use actix_web::http::header::{HeaderMap, HeaderName, HeaderValue};
use actix_web::http::{Method, StatusCode};
use parking_lot::Mutex;
use tokio::sync::Notify;

use crate::api::request::access::OwnerKey;
use crate::api::request::client::{Client, client_of, network};
use crate::config::{Bucket, Config, Rate};

const POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");
const LIMIT: HeaderName = HeaderName::from_static("ratelimit");

/// Number of clients above which those with full buckets are dropped.
const CLIENTS_MAX: usize = 50_000;

/// The buckets of all clients of this node.
pub struct ClientBuckets {
    began: Instant,
    clients: Mutex<Clients>,
    /// Notifies waiting requests when a reservation ends.
    settled: Notify,
}

/// Who has a bucket: a client, or an operator key with limits of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Debtor {
    Network(Client),
    Key([u8; 32]),
}

struct Clients {
    debts: HashMap<(Bucket, Debtor), Debt>,
    /// Number of entries above which those with full buckets are dropped again.
    sweep_at: usize,
}

/// How much of a bucket a client has used.
#[derive(Debug, Clone, Copy, Default)]
struct Debt {
    /// When the bucket is full again, in nanoseconds since `began`.
    full_at: u64,
    /// Requests in progress that may get their charge back.
    reserved: u64,
}

/// The charge of a request. Dropping a reservation without settling it keeps the charge, because the outcome is
/// unknown.
pub struct Charge {
    rates: Arc<ClientBuckets>,
    quota: Quota,
    is_reserved: bool,
}

/// The remaining quota of a client.
#[derive(Debug, Clone, Copy)]
pub struct Quota {
    pub bucket: Bucket,
    client: Option<Debtor>,
    rate: Rate,
    /// Whether an accepted request gets its charge back.
    is_play: bool,
    /// Number of requests that would be accepted now.
    left: u64,
    /// Time until the bucket is full.
    full_in: Duration,
    /// Time until one request is accepted.
    pub wait: Duration,
}

impl Default for ClientBuckets {
    fn default() -> Self {
        ClientBuckets {
            began: Instant::now(),
            clients: Mutex::new(Clients {
                debts: HashMap::new(),
                sweep_at: CLIENTS_MAX,
            }),
            settled: Notify::new(),
        }
    }
}

impl ClientBuckets {
    /// Returns the quota of the client, or of its operator key, before the request is charged.
    pub fn quota(&self, request: &ServiceRequest, config: &Config, key: Option<OwnerKey>) -> Quota {
        // The path as the router reads it: `%73essions` is `sessions` there.
        let (method, path) = (request.method(), request.match_info().as_str());
        let bucket = bucket_of(method, path);
        let client = client_of(request.peer_addr(), request.headers(), config.proxies);
        let client = client
            .map(network)
            .filter(|client| config.rates.set(bucket).is_some() || !client.is_loopback());
        let of_key = key.and_then(|key| Some((Debtor::Key(key.hash.0), key.rates.set(bucket)?)));
        let (client, rate) = match of_key {
            Some((key, rate)) => (Some(key), rate),
            None => (client.map(Debtor::Network), config.rates.of(bucket)),
        };
        Quota {
            is_play: is_play(method, path),
            ..self.look(bucket, client, rate)
        }
    }

    /// Returns the quota of a client whose request could not be parsed.
    pub fn quota_of(&self, peer: Option<SocketAddr>, config: &Config) -> Quota {
        let client = peer.map(|peer| network(peer.ip())).filter(|client| {
            let is_set = config.rates.set(Bucket::List).is_some();
            config.proxies == 0 && (is_set || !client.is_loopback())
        });
        let client = client.map(Debtor::Network);
        self.look(Bucket::List, client, config.rates.of(Bucket::List))
    }

    fn look(&self, bucket: Bucket, client: Option<Debtor>, rate: Rate) -> Quota {
        let Some(of) = client else {
            return quota(bucket, None, rate, Debt::default(), 0); // who has no limit owes nothing at any time
        };
        let known = self.clients.lock().debts.get(&(bucket, of)).copied();
        quota(bucket, client, rate, known.unwrap_or_default(), self.now())
    }

    /// Charges a request that has just arrived. Returns the quota as an error if nothing is left.
    pub async fn charge(self: &Arc<Self>, quota: Quota) -> Result<Charge, Quota> {
        loop {
            // Subscribe before checking, so that a reservation that ends after the check is noticed.
            let settled = self.settled.notified();
            match self.try_charge(quota) {
                Some(charged) => return charged,
                None => settled.await,
            }
        }
    }

    /// Tries to charge. Returns `None` if requests in progress have reserved everything that is left.
    fn try_charge(self: &Arc<Self>, quota: Quota) -> Option<Result<Charge, Quota>> {
        let is_reserved = quota.client.is_some() && quota.is_play;
        let charge = |quota| Charge {
            rates: self.clone(),
            quota,
            is_reserved,
        };
        let Some(client) = quota.client else {
            return Some(Ok(charge(quota)));
        };
        let now = self.now();
        let mut all = self.clients.lock();
        all.sweep(now);
        let debt = all.debts.entry((quota.bucket, client)).or_default();
        let settled = Debt {
            reserved: 0,
            ..*debt
        };
        let settled = quota.after(settled, now);
        if settled.is_empty() {
            return Some(Err(settled));
        }
        if quota.after(*debt, now).is_empty() {
            return None;
        }
        match is_reserved {
            true => debt.reserved += 1,
            false => debt.charge(quota.rate, now),
        }
        Some(Ok(charge(quota.after(*debt, now))))
    }

    /// Ends a reservation and returns the remaining quota.
    fn settle(&self, quota: Quota, is_charged: bool) -> Quota {
        let Some(client) = quota.client else {
            return quota;
        };
        let now = self.now();
        let debt = {
            let mut all = self.clients.lock();
            let debt = all.debts.entry((quota.bucket, client)).or_default();
            debt.reserved = debt.reserved.saturating_sub(1);
            if is_charged {
                debt.charge(quota.rate, now);
            }
            *debt
        };
        self.settled.notify_waiters();
        quota.after(debt, now)
    }

    fn now(&self) -> u64 {
        u64::try_from(self.began.elapsed().as_nanos()).unwrap_or(u64::MAX / 2)
    }
}

impl Clients {
    /// Drops clients with full buckets when there are many. The next time is at twice as many clients as are left, so that
    /// a flood from many addresses does not make every request look at all of them.
    fn sweep(&mut self, now: u64) {
        if self.debts.len() < self.sweep_at {
            return;
        }
        let is_kept = |debt: &Debt| debt.full_at > now || debt.reserved > 0;
        self.debts.retain(|_, debt| is_kept(debt));
        self.sweep_at = CLIENTS_MAX.max(self.debts.len().saturating_mul(2));
    }
}

impl Debt {
    fn charge(&mut self, rate: Rate, now: u64) {
        self.full_at = self.full_at.max(now).saturating_add(spacing(rate));
    }
}

impl Charge {
    /// Refunds the charge if a response with this status is free. Returns the remaining quota.
    pub fn settle(mut self, status: StatusCode) -> Quota {
        if !std::mem::take(&mut self.is_reserved) {
            return self.quota;
        }
        self.rates.settle(self.quota, status.is_client_error())
    }
}

impl Drop for Charge {
    fn drop(&mut self) {
        if self.is_reserved {
            self.rates.settle(self.quota, true);
        }
    }
}

/// Returns the time in nanoseconds in which the bucket regains one request.
fn spacing(rate: Rate) -> u64 {
    window(rate) / rate.requests.max(1)
}

fn window(rate: Rate) -> u64 {
    u64::try_from(rate.window.as_nanos()).unwrap_or(u64::MAX / 4)
}

fn quota(bucket: Bucket, client: Option<Debtor>, rate: Rate, debt: Debt, now: u64) -> Quota {
    let spacing = spacing(rate).max(1);
    let reserved = spacing.saturating_mul(debt.reserved);
    let owed = debt.full_at.saturating_sub(now).saturating_add(reserved);
    let room = window(rate).saturating_sub(owed);
    let left = (room / spacing).min(rate.requests);
    let wait = if left > 0 { 0 } else { spacing - room };
    Quota {
        bucket,
        client,
        rate,
        is_play: false,
        left,
        full_in: Duration::from_nanos(owed),
        wait: Duration::from_nanos(wait),
    }
}

impl Quota {
    pub fn is_empty(&self) -> bool {
        self.left == 0
    }

    /// Returns the quota of the same client with another debt.
    fn after(self, debt: Debt, now: u64) -> Quota {
        quota(self.bucket, self.client, self.rate, debt, now)
    }

    /// Adds the headers of the IETF draft on rate limit headers.
    pub fn add_headers(self, headers: &mut HeaderMap) {
        let (name, window) = (self.bucket.name(), seconds(self.rate.window));
        let policy = format!("\"{name}\";q={};w={window}", self.rate.requests);
        let limit = format!("\"{name}\";r={};t={}", self.left, seconds(self.full_in));
        for (header, value) in [(POLICY, policy), (LIMIT, limit)] {
            if let Ok(value) = HeaderValue::try_from(value) {
                headers.insert(header, value);
            }
        }
    }
}

/// Rounds up to whole seconds, at least one.
fn seconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis().div_ceil(1000)).unwrap_or(u64::MAX)
}

fn bucket_of(method: &Method, path: &str) -> Bucket {
    let is_read = matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS);
    let last = path
        .trim_end_matches('/')
        .rsplit('/')
        .next()
        .unwrap_or_default();
    match (is_read, last) {
        (true, "events" | "stream") => Bucket::Stream,
        (true, _) => Bucket::List,
        (
            false,
            "sessions" | "session-batches" | "seeks" | "players" | "tournaments" | "start"
            | "forks" | "simulations" | "webhooks" | "pings",
        ) => Bucket::Create,
        (false, "steps") => Bucket::Step,
        (false, "stream-tickets") => Bucket::Stream,
        (false, "rulesets" | "ruleset-checks") => Bucket::Upload,
        (false, _) => Bucket::Move,
    }
}

/// Returns whether a request is play, which costs nothing where it is accepted.
fn is_play(method: &Method, path: &str) -> bool {
    let last = path.rsplit('/').next().unwrap_or_default();
    let is_write = matches!(*method, Method::POST | Method::PUT);
    let is_ending = matches!(
        last,
        "resignations" | "draw-offers" | "abort" | "claims" | "pause"
    );
    is_write && (is_ending || matches!(last, "moves" | "standing-orders" | "undos"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::IpAddr;

    const RATE: Rate = Rate {
        requests: 3,
        window: Duration::from_secs(3600),
    };

    #[test]
    fn a_bucket_gives_what_its_rate_says_and_then_nothing() {
        let rates = Arc::new(ClientBuckets::default());
        let client = Some(Debtor::Network(IpAddr::from([10, 0, 0, 1])));
        let look = || rates.look(Bucket::Create, client, RATE);
        for left in [2, 1, 0] {
            let charge = rates.try_charge(look()).unwrap().ok().unwrap();
            assert_eq!(charge.settle(StatusCode::NOT_FOUND).left, left);
        }
        let quota = rates.try_charge(look()).unwrap().err().unwrap();
        let wait = quota.wait.as_secs();
        assert!((1190..=1200).contains(&wait), "{wait}");
        let other = rates.look(Bucket::List, client, RATE);
        assert_eq!(other.left, 3);
    }

    #[tokio::test]
    async fn a_move_waits_for_reservations_and_is_refused_for_refusals() {
        let rates = Arc::new(ClientBuckets::default());
        let client = Some(Debtor::Network(IpAddr::from([10, 0, 0, 1])));
        let look = || Quota {
            is_play: true,
            ..rates.look(Bucket::Move, client, RATE)
        };
        let charge = || rates.try_charge(look());
        let mut held: Vec<Charge> = Vec::new();
        for _ in 0..3 {
            held.push(charge().unwrap().ok().unwrap());
        }
        assert!(charge().is_none());
        let waiting = tokio::spawn({
            let (rates, quota) = (rates.clone(), look());
            async move { rates.charge(quota).await.is_ok() }
        });
        tokio::task::yield_now().await;
        // An accepted move frees its reservation; a refused or aborted one does not.
        assert_eq!(held.pop().unwrap().settle(StatusCode::CREATED).left, 1);
        assert!(waiting.await.unwrap());
        held.pop().unwrap().settle(StatusCode::CONFLICT);
        drop(held);
        assert!(matches!(charge(), Some(Err(_))));
    }

    #[test]
    fn requests_fall_into_their_buckets() {
        for path in ["/v1/sessions", "/v1/seeks"] {
            assert_eq!(bucket_of(&Method::POST, path), Bucket::Create);
        }
        assert_eq!(
            bucket_of(&Method::POST, "/v1/sessions/x/moves"),
            Bucket::Move
        );
        assert_eq!(
            bucket_of(&Method::GET, "/v1/sessions/x/events"),
            Bucket::Stream
        );
        assert_eq!(bucket_of(&Method::GET, "/v1/sessions"), Bucket::List);
        assert_eq!(bucket_of(&Method::POST, "/v1/rulesets"), Bucket::Upload);
    }

    #[test]
    fn many_clients_are_looked_at_only_when_they_have_doubled() {
        let rates = Arc::new(ClientBuckets::default());
        let mut all = rates.clients.lock();
        let debt = Debt {
            full_at: u64::MAX,
            reserved: 0,
        };
        for number in 0..CLIENTS_MAX as u32 {
            let client = Debtor::Network(IpAddr::from(number.to_be_bytes()));
            all.debts.insert((Bucket::List, client), debt);
        }
        all.sweep(0);
        assert_eq!(
            (all.debts.len(), all.sweep_at),
            (CLIENTS_MAX, 2 * CLIENTS_MAX)
        );
        all.debts.clear();
        all.sweep_at = 0;
        all.sweep(0);
        assert_eq!(all.sweep_at, CLIENTS_MAX);
    }
}
