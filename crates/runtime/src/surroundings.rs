//! What a process has from outside, besides what it is sent: the time of day, numbers at random, and threads for long work.
//!
//! They come from the operating system, except on a thread on which a test has put others in their place: then a run can
//! be repeated exactly, and a day takes a moment. All that `store` and `session` ask of a clock or of chance, they ask here;
//! pauses and time limits are tokio's affair, whose clock a test can stop as well.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::{SystemTime, UNIX_EPOCH};

use rand::TryRng;
use rand::rngs::SysRng;
use tokio::task::spawn_blocking;

/// Another clock and another chance.
pub trait Surroundings {
    /// Unix milliseconds.
    fn now_ms(&self) -> u64;
    /// Fills all of it.
    fn fill(&self, bytes: &mut [u8]);
}

/// The operating system gave no randomness.
#[derive(Debug, Clone, Copy, thiserror::Error)]
#[error("the operating system gives no randomness")]
pub struct NoEntropy;

/// So many are made of one call of the operating system, which takes longer than all the rest of a number.
const STOCKED: usize = 32;

thread_local! {
    static OTHERS: RefCell<Option<Rc<dyn Surroundings>>> = const { RefCell::new(None) };
    static STOCK: RefCell<Vec<u64>> = const { RefCell::new(Vec::new()) };
}

/// Unix milliseconds; 0 on a machine whose clock stands before 1970.
pub fn now_ms() -> u64 {
    if let Some(others) = others() {
        return others.now_ms();
    }
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

/// Bits that nobody can foresee; fails only if the operating system gives none.
pub fn fill(bytes: &mut [u8]) -> Result<(), NoEntropy> {
    match others() {
        Some(others) => others.fill(bytes),
        None => SysRng.try_fill_bytes(bytes).map_err(|_| NoEntropy)?,
    }
    Ok(())
}

/// 256 of them.
pub fn entropy() -> Result<[u8; 32], NoEntropy> {
    let mut bits = [0; 32];
    fill(&mut bits)?;
    Ok(bits)
}

/// 64 of them, where many are needed.
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

/// Does long work on a thread beside those that serve; where a test has put others in the operating system's place, here and
/// at once, because nobody can foresee when another thread is done. `None` if the work has panicked.
pub async fn beside<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
    if others().is_some() {
        return Some(work());
    }
    spawn_blocking(work).await.ok()
}

/// Puts others in the place of the operating system's, on this thread, until the answer is dropped.
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

/// Other surroundings, until dropped.
pub struct Replaced {
    before: Option<Rc<dyn Surroundings>>,
}

impl Drop for Replaced {
    fn drop(&mut self) {
        OTHERS.set(self.before.take());
    }
}

/// None where a thread ends.
fn others() -> Option<Rc<dyn Surroundings>> {
    let others = OTHERS.try_with(|others| others.try_borrow().ok()?.clone());
    others.ok().flatten()
}
