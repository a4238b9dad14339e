//! Replaces the randomness that dependencies take from the operating system: hash maps for their keys, and the cluster
//! client to choose a server and a delay.
//!
//! Each thread asks the system once and generates further numbers itself. Therefore a schedule on a cluster has a thread
//! of its own, in which the replaced function returns numbers from the seed; in other threads, it asks the system.
//! `mad-turmoil` does the same for the whole process, and also stops its clocks.

use std::cell::RefCell;
use std::thread::scope;

use wyrmgate::dice::Dice;

thread_local! {
    static SEEDED: RefCell<Option<Dice>> = const { RefCell::new(None) };
}

/// Does some work on a thread of its own, in which the seed also replaces the randomness of the system.
pub fn seeded<T: Send>(seed: u64, work: impl FnOnce() -> T + Send) -> T {
    let seeded = || {
        SEEDED.set(Some(Dice::new(seed ^ 0x5eeded)));
        work()
    };
    scope(|scope| match scope.spawn(seeded).join() {
        Ok(done) => done,
        Err(panic) => std::panic::resume_unwind(panic),
    })
}

/// Fills the buffer from the seed of this thread; returns `false` if it has none.
#[cfg(target_os = "linux")]
fn fill(buffer: &mut [u8]) -> bool {
    let filled = SEEDED.try_with(|dice| {
        let mut dice = dice.try_borrow_mut().ok()?;
        let dice = dice.as_mut()?;
        for part in buffer.chunks_mut(32) {
            part.copy_from_slice(&dice.bytes()[..part.len()]);
        }
        Some(())
    });
    filled.ok().flatten().is_some()
}

/// Replaces the function of the C library: the standard library and the crate `getrandom` find this one.
#[cfg(target_os = "linux")]
#[expect(
    unsafe_code,
    reason = "a function of the C library can only be replaced by one like it"
)]
#[unsafe(no_mangle)]
unsafe extern "C" fn getrandom(buffer: *mut u8, length: usize, _flags: u32) -> isize {
    use std::io::Read;
    if buffer.is_null() || length == 0 {
        return 0;
    }
    // SAFETY: the caller passes a buffer of this length.
    let bytes = unsafe { std::slice::from_raw_parts_mut(buffer, length) };
    let is_filled = fill(bytes)
        || std::fs::File::open("/dev/urandom").is_ok_and(|mut file| file.read_exact(bytes).is_ok());
    match is_filled {
        true => length as isize,
        false => -1,
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_seed_decides_what_a_thread_takes_from_the_system() {
    use std::hash::{BuildHasher, RandomState};
    let drawn = || (RandomState::new().hash_one(0), rand::random::<u64>());
    let (one, same, other) = (seeded(1, drawn), seeded(1, drawn), seeded(2, drawn));
    assert_eq!(one, same);
    assert!(one.0 != other.0 && one.1 != other.1);
    let (here, elsewhere) = (drawn(), std::thread::spawn(drawn).join().unwrap());
    assert!(here != elsewhere && here != one && elsewhere != one);
}
