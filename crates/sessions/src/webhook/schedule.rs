//! When webhooks are called again, and for how long a node may call them.

/// Maximum delay between attempts.
const WAIT_MAX_MS: u64 = 6 * 3_600_000;
/// Factor by which the delay grows with each failure.
const FACTOR: u64 = 3;

/// Timing of retries and leases.
#[derive(Debug, Clone, Copy)]
pub struct Schedule {
    /// Delay between the first failure and the next attempt.
    pub retry_ms: u64,
    /// A webhook that has failed for this long is disabled.
    pub give_up_ms: u64,
    /// Duration of a lease. A node that writes nothing for this long is considered dead.
    pub lease_ms: u64,
}

impl Default for Schedule {
    fn default() -> Schedule {
        Schedule {
            retry_ms: 5_000,
            give_up_ms: 3 * 24 * 3_600_000,
            lease_ms: 15_000,
        }
    }
}

impl Schedule {
    /// Returns the delay after this many consecutive failures, with up to a fifth of random jitter, so that many
    /// receivers that failed together are not retried together. `dice` draws a number below its argument.
    pub(crate) fn wait_ms(&self, attempts: u32, dice: &mut dyn FnMut(u64) -> u64) -> u64 {
        let grown = FACTOR.saturating_pow(attempts.saturating_sub(1));
        let wait = self.retry_ms.saturating_mul(grown).min(WAIT_MAX_MS);
        wait - wait / 5 + dice(wait / 5 * 2 + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_failure_waits_longer_and_never_all_the_same() {
        let schedule = Schedule {
            retry_ms: 5_000,
            give_up_ms: 1,
            lease_ms: 1,
        };
        let least = |attempts| schedule.wait_ms(attempts, &mut |_| 0);
        let most = |attempts| schedule.wait_ms(attempts, &mut |below| below - 1);
        assert_eq!((least(1), most(1)), (4_000, 6_000));
        assert_eq!((least(2), most(2)), (12_000, 18_000));
        assert_eq!(least(5), 324_000);
        assert_eq!(most(40), WAIT_MAX_MS / 5 * 6);
        assert_eq!(most(u32::MAX), WAIT_MAX_MS / 5 * 6);
    }
}
