//! Turns at something scarce, round robin by caller: a caller with much work holds up another one by at most one turn.

use std::collections::VecDeque;
use std::sync::Arc;

use parking_lot::Mutex;
use tokio::sync::oneshot;

/// Gives one turn at a time.
#[derive(Clone, Default)]
pub struct Turns(Arc<Mutex<Waiting>>);

#[derive(Default)]
struct Waiting {
    is_taken: bool,
    /// Who waits, by caller. The caller in front has the next turn.
    callers: VecDeque<(String, VecDeque<oneshot::Sender<Turn>>)>,
}

/// A turn. It ends when this is dropped.
pub struct Turn(Option<Turns>);

impl Turns {
    /// Waits for the next turn of a caller.
    pub async fn turn(&self, caller: &str) -> Turn {
        let given = {
            let mut waiting = self.0.lock();
            if !std::mem::replace(&mut waiting.is_taken, true) {
                return Turn(Some(self.clone()));
            }
            let (give, given) = oneshot::channel();
            waiting.add(caller, give);
            given
        };
        // Whoever has a turn passes it on, so the answer is never missing.
        given.await.unwrap_or(Turn(None))
    }

    fn pass_on(&self) {
        loop {
            let Some(next) = self.0.lock().next() else {
                return;
            };
            match next.send(Turn(Some(self.clone()))) {
                Ok(()) => return,
                Err(mut turn) => turn.0 = None, // who asked for it does not wait any more
            }
        }
    }
}

impl Waiting {
    fn add(&mut self, caller: &str, give: oneshot::Sender<Turn>) {
        match self.callers.iter_mut().find(|(known, _)| known == caller) {
            Some((_, own)) => own.push_back(give),
            None => self.callers.push_back((caller.to_owned(), [give].into())),
        }
    }

    fn next(&mut self) -> Option<oneshot::Sender<Turn>> {
        let next = self.callers.pop_front().and_then(|(caller, mut own)| {
            let next = own.pop_front();
            if !own.is_empty() {
                self.callers.push_back((caller, own));
            }
            next
        });
        self.is_taken = next.is_some();
        next
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        if let Some(turns) = self.0.take() {
            turns.pass_on();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;
    use std::pin::pin;
    use std::task::Poll;

    use super::*;

    #[tokio::test]
    async fn callers_alternate_and_those_who_have_left_are_passed_over() {
        let (turns, order) = (Turns::default(), Arc::new(Mutex::new(Vec::new())));
        let first = turns.turn("a").await;
        let mut waiting = Vec::new();
        for caller in ["a", "a", "a", "b", "b"] {
            let (turns, order) = (turns.clone(), order.clone());
            waiting.push(tokio::spawn(async move {
                let _turn = turns.turn(caller).await;
                order.lock().push(caller);
            }));
            tokio::task::yield_now().await;
        }
        {
            let mut leaves = pin!(turns.turn("c"));
            let is_ready = poll_fn(|cx| Poll::Ready(leaves.as_mut().poll(cx).is_ready())).await;
            assert!(!is_ready);
        }
        drop(first);
        for one in waiting {
            one.await.unwrap();
        }
        assert_eq!(*order.lock(), ["a", "b", "a", "b", "a"]);
        drop(turns.turn("d").await);
    }
}
