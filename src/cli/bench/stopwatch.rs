//! Wall-clock time and CPU time of a thread. The former means little when other programs use the same cores.

use std::fmt;
use std::time::{Duration, Instant};

/// Starts when it is created, for the creating thread.
#[derive(Debug, Clone, Copy)]
pub struct Stopwatch {
    began: Instant,
    /// CPU seconds of the thread at the start.
    cpu: Option<f64>,
}

/// Durations in seconds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Time {
    pub wall: f64,
    /// User and system time of the thread. `None` if the system does not report it.
    pub cpu: Option<f64>,
}

impl Stopwatch {
    pub fn start() -> Stopwatch {
        Stopwatch {
            cpu: thread_seconds(),
            began: Instant::now(),
        }
    }

    pub fn wall(&self) -> Duration {
        self.began.elapsed()
    }

    /// Reads the time. Must be called by the thread that created the stopwatch.
    pub fn read(&self) -> Time {
        let cpu = self.cpu.zip(thread_seconds());
        Time {
            wall: self.wall().as_secs_f64(),
            cpu: cpu.map(|(before, now)| now - before),
        }
    }
}

/// Formats as `3.0 s, 2.9 s CPU time`.
impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.1} s", self.wall)?;
        match self.cpu {
            Some(cpu) => write!(f, ", {cpu:.1} s CPU time"),
            None => Ok(()),
        }
    }
}

#[cfg(unix)]
fn thread_seconds() -> Option<f64> {
    use rustix::time::{ClockId, clock_gettime};
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Some(time.tv_sec as f64 + time.tv_nsec as f64 / 1e9)
}

#[cfg(not(unix))]
fn thread_seconds() -> Option<f64> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(unix)]
    fn sleeping_takes_time_and_no_processor() {
        let watch = Stopwatch::start();
        std::thread::sleep(Duration::from_millis(200));
        let asleep = watch.read();
        assert!(asleep.wall >= 0.2, "{asleep:?}");
        assert!(asleep.cpu.unwrap() < 0.1, "{asleep:?}");

        let watch = Stopwatch::start();
        let mut number = 0u64;
        while watch.read().cpu.unwrap() < 0.02 {
            number = std::hint::black_box(number.wrapping_mul(3) + 1);
        }
        let awake = watch.read();
        assert!(awake.wall >= 0.019, "{awake:?}");
    }
}
