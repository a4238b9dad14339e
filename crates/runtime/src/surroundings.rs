//! The environment of a process: the time of day, random numbers, threads for long work, and the network to a cluster.
//!
//! It comes from the operating system, unless a test has replaced it on the current thread. A simulation can then
//! repeat a run exactly, and a day takes a moment. `store` and `session` read clocks and random numbers only here.
//! Pauses and time limits belong to tokio, whose clock a test can stop as well.

use std::cell::RefCell;
use std::io;
use std::pin::Pin;
use std::rc::Rc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rand::TryRng;
use rand::rngs::SysRng;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::task::spawn_blocking;
use tokio::time::sleep;

/// A bidirectional byte stream.
pub trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> Stream for T {}

/// A connection that is being opened.
pub type Connecting = Pin<Box<dyn Future<Output = io::Result<Box<dyn Stream>>> + Send>>;

/// A replacement for the clock, the random numbers and the network.
pub trait Surroundings {
    /// Returns Unix milliseconds.
    fn now_ms(&self) -> u64;
    /// Fills the whole buffer.
    fn fill(&self, bytes: &mut [u8]);
    /// Returns how long the next long work takes. Here it is done in a moment, after that time.
    fn work_takes(&self) -> Duration {
        Duration::ZERO
    }
    /// Opens a connection. `None` stands for the network of the operating system.
    fn connect(&self, _host: &str, _port: u16) -> Option<Connecting> {
        None
    }
}

/// The operating system provided no randomness.
#[derive(Debug, Clone, Copy, thiserror::Error)]
#[error("the operating system gives no randomness")]
pub struct NoEntropy;

/// Number of random numbers drawn per system call, because the call costs more than everything else.
const STOCKED: usize = 32;

thread_local! {
    static OTHERS: RefCell<Option<Rc<dyn Surroundings>>> = const { RefCell::new(None) };
    static STOCK: RefCell<Vec<u64>> = const { RefCell::new(Vec::new()) };
}

/// Returns Unix milliseconds, or 0 if the clock is set before 1970.
pub fn now_ms() -> u64 {
    if let Some(others) = others() {
        return others.now_ms();
    }
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

/// Fills a buffer with unpredictable bits. Fails only if the operating system provides none.
pub fn fill(bytes: &mut [u8]) -> Result<(), NoEntropy> {
    match others() {
        Some(others) => others.fill(bytes),
        None => SysRng.try_fill_bytes(bytes).map_err(|_| NoEntropy)?,
    }
    Ok(())
}

/// Returns random bytes, as many as the type asks for.
pub fn entropy<const N: usize>() -> Result<[u8; N], NoEntropy> {
    let mut bytes = [0; N];
    fill(&mut bytes)?;
    Ok(bytes)
}

/// Returns 64 random bits, for callers that need many numbers.
pub fn number() -> Result<u64, NoEntropy> {
    if others().is_some() {
        let mut bytes = [0; 8];
        fill(&mut bytes)?;
        return Ok(u64::from_le_bytes(bytes));
    }
    STOCK.with_borrow_mut(|stock| {
        if stock.is_empty() {
            let mut bytes = [[0; 8]; STOCKED];
            fill(bytes.as_flattened_mut())?;
            stock.extend(bytes.map(u64::from_le_bytes));
        }
        Ok(stock.pop().unwrap_or_default())
    })
}

/// Opens a connection over the replaced network. Returns `None` if callers have to use the operating system's.
pub fn connect(host: &str, port: u16) -> Option<Connecting> {
    others()?.connect(host, port)
}

/// Runs long work on a thread beside those that serve requests. In a replaced environment, runs it here when the time that
/// it takes has passed, because the end of another thread is unpredictable. Returns `None` if the work panicked.
pub async fn beside<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
    if let Some(takes) = others().map(|others| others.work_takes()) {
        sleep(takes).await;
        return Some(work());
    }
    spawn_blocking(work).await.ok()
}

/// Replaces the surroundings of the operating system on this thread until the returned guard is dropped.
///
/// ```
/// # use std::rc::Rc;
/// # use wyrmgate_runtime::surroundings::{self, Surroundings};
/// struct Noon;
/// impl Surroundings for Noon {
///     fn now_ms(&self) -> u64 { 12 * 3_600_000 }
///     fn fill(&self, bytes: &mut [u8]) { bytes.fill(7) }
/// }
/// let noon = surroundings::replace(Rc::new(Noon));
/// assert_eq!(surroundings::now_ms(), 43_200_000);
/// assert_eq!(surroundings::entropy().unwrap(), [7; 32]);
/// drop(noon);
/// assert!(surroundings::now_ms() > 43_200_000);
/// ```
#[must_use]
pub fn replace(others: Rc<dyn Surroundings>) -> Replaced {
    Replaced {
        before: OTHERS.replace(Some(others)),
    }
}

/// A replaced environment, restored on drop.
pub struct Replaced {
    before: Option<Rc<dyn Surroundings>>,
}

impl Drop for Replaced {
    fn drop(&mut self) {
        OTHERS.set(self.before.take());
    }
}

/// Returns `None` while a thread ends.
fn others() -> Option<Rc<dyn Surroundings>> {
    let others = OTHERS.try_with(|others| others.try_borrow().ok()?.clone());
    others.ok().flatten()
}
