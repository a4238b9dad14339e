//! DNS resolution.

use std::io;
use std::net::{SocketAddr, ToSocketAddrs};
use std::sync::{Arc, LazyLock};

use async_trait::async_trait;
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;

/// Maximum number of lookups that take place at the same time in this process. Each has a thread, which nobody can stop: a
/// lookup continues when its caller has given up. Other work needs threads, too.
const LOOKUPS_MAX: usize = 128;

/// Resolves host names.
#[async_trait]
pub trait Resolve: Send + Sync + 'static {
    /// Returns all addresses of a named host, with this port.
    async fn resolve(&self, host: &str, port: u16) -> io::Result<Vec<SocketAddr>>;
}

/// The resolver of the operating system.
pub struct SystemResolver;

#[async_trait]
impl Resolve for SystemResolver {
    async fn resolve(&self, host: &str, port: u16) -> io::Result<Vec<SocketAddr>> {
        static LOOKUPS: LazyLock<Arc<Semaphore>> =
            LazyLock::new(|| Arc::new(Semaphore::new(LOOKUPS_MAX)));
        let host = host.to_owned();
        let look_up = move || Ok((host.as_str(), port).to_socket_addrs()?.collect());
        beside(&LOOKUPS, look_up).await
    }
}

/// Runs a lookup on a thread of its own as soon as there are few enough, also counting those whose caller has gone.
async fn beside<T: Send + 'static>(
    lookups: &Arc<Semaphore>,
    look_up: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> io::Result<T> {
    let turn = lookups.clone().acquire_owned().await;
    let turn = turn.map_err(io::Error::other)?;
    let found = spawn_blocking(move || {
        let found = look_up();
        drop(turn);
        found
    });
    found.await.map_err(io::Error::other)?
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    use tokio::time::timeout;

    use super::*;

    #[tokio::test]
    async fn lookups_that_were_given_up_still_count() {
        let lookups = Arc::new(Semaphore::new(2));
        let (begun, (done, wait)) = (Arc::new(AtomicUsize::new(0)), std::sync::mpsc::channel());
        let wait = Arc::new(std::sync::Mutex::new(wait));
        let slow = || {
            let (begun, wait) = (begun.clone(), wait.clone());
            move || {
                begun.fetch_add(1, Ordering::SeqCst);
                wait.lock().unwrap().recv().map_err(io::Error::other)
            }
        };
        for _ in 0..5 {
            let given_up = timeout(Duration::from_millis(50), beside(&lookups, slow()));
            assert!(given_up.await.is_err());
        }
        assert_eq!(begun.load(Ordering::SeqCst), 2);
        (0..2).for_each(|_| done.send(()).unwrap());
        let answer = timeout(Duration::from_secs(5), beside(&lookups, || Ok(7))).await;
        assert_eq!(answer.unwrap().unwrap(), 7);
    }
}
