//! Built-in players make their moves: the node that has written a change goes on with what they owe after it, and some
//! other one is offered what that has left lying ([`super::Duty::Bots`]).
//!
//! Nobody holds a claim. A move of a built-in player is a commit as any other; of two nodes that think about the same
//! decision one wins, and the other finds nothing left to do. So that this is rare, a node leaves what was written by
//! another one alone for a while.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{Mutex, Semaphore, mpsc};

use super::Refusal;
use super::budget::budget;
use super::change::Change;
use super::clock;
use super::live::Live;
use super::service::{Answered, NoAnswers, Service, bot};
use wyrmgate_engine::{Choice, Pending, StepError};
use wyrmgate_runtime::surroundings::beside;
use wyrmgate_search::bot::Bot;
use wyrmgate_search::imagine::Imagination;
use wyrmgate_view::Stopped;

/// Sessions that wait for the players of this node; more are found by looking.
const WAITING_MAX: usize = 1_024;
/// A decision that has been owed for so long was left lying.
pub(super) const LEFT_LYING: Duration = Duration::from_secs(3);

/// Sessions whose built-in players are to move.
pub(super) struct Waiting {
    tell: mpsc::Sender<Arc<str>>,
    told: Mutex<mpsc::Receiver<Arc<str>>>,
    /// Thoughts at once.
    thoughts: Semaphore,
}

impl Default for Waiting {
    fn default() -> Self {
        let (tell, told) = mpsc::channel(WAITING_MAX);
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Waiting {
            tell,
            told: Mutex::new(told),
            thoughts: Semaphore::new(cores),
        }
    }
}

/// A choice of a built-in player, for one position of a session.
struct Thought {
    of: Arc<Live>,
    pending: Pending,
    choice: Choice,
}

impl Service {
    /// Has the built-in players of this node move, if they owe something.
    pub(super) fn drive(&self, live: &Live) {
        if live.status.bots_since_ms.is_some() {
            // With so many waiting it is found later, by looking.
            let _ = self.bots.tell.try_send(live.id.clone());
        }
    }

    /// The next session in which built-in players are to move. For one reader, which then calls [`Service::move_bots`].
    pub async fn next_for_bots(&self) -> Option<Arc<str>> {
        self.bots.told.lock().await.recv().await
    }

    /// As [`Service::move_bots`], where players were to move long ago: a node has stopped, or has too much to do. If they
    /// think on this node, they are left to it.
    pub(super) async fn move_bots_left(&self, id: &str) -> Result<(), Refusal> {
        let slot = self.cache.get(id);
        if slot.is_some_and(|slot| slot.thinking.try_lock().is_err()) {
            return Ok(());
        }
        self.move_bots(id).await
    }

    /// Lets built-in players make all moves they owe.
    pub async fn move_bots(&self, id: &str) -> Result<(), Refusal> {
        let mut live = self.load(id).await?;
        let slot = self.cache.slot(&live.id);
        let _thinking = slot.thinking.lock().await;
        loop {
            // Somebody else may have done it meanwhile.
            live = self.load(id).await?;
            if owed_by_bot(&live).is_none() {
                return Ok(());
            }
            let thought = self.think(&live).await?;
            let before = live.position;
            live = self.let_bots_play(&live, thought).await?;
            if live.position == before {
                return Ok(()); // they cannot move
            }
        }
    }

    async fn let_bots_play(
        &self,
        live: &Arc<Live>,
        thought: Option<Thought>,
    ) -> Result<Arc<Live>, Refusal> {
        let id = live.id.clone();
        let move_bots = |live: &Arc<Live>| {
            let mut change = Change::of(live.clone(), clock::now_ms());
            if let Some(thought) = &thought
                && thought.of.position == live.position
            {
                change.choose_as_bot(&thought.pending, &thought.choice)?;
            }
            change.play_bots(&mut bot()?);
            Ok(change)
        };
        let made = Box::pin(self.write(&id, None, &move_bots, &NoAnswers)).await?;
        match made {
            Answered::Fresh(made) => Ok(made.live),
            Answered::Replayed(_) => Ok(live.clone()),
        }
    }

    /// The choice of a player that thinks, if it is such a one's turn.
    async fn think(&self, live: &Arc<Live>) -> Result<Option<Thought>, Refusal> {
        let Some((pending, player)) = Change::of(live.clone(), 0).owed_by_thinker() else {
            return Ok(None);
        };
        let history = self.history_of(live).await?;
        let program = live.program.clone();
        let mut dice = bot()?;
        let _turn = self.bots.thoughts.acquire().await;
        let thinking = beside(move || {
            let mut imagination = Imagination::new(&program, &history, pending.seat)?;
            player.choose(&mut imagination, dice.dice())
        });
        let choice = match thinking.await {
            Some(Ok(decision)) => {
                self.metrics.thought(decision.is_blind);
                if decision.is_blind {
                    tracing::info!(session = %live.id, %player, "a player has found no world to think in");
                }
                decision.choice
            }
            Some(Err(error)) => given_up(live, player, &error),
            None => None,
        };
        Ok(choice.map(|choice| Thought {
            of: live.clone(),
            pending,
            choice,
        }))
    }
}

fn owed_by_bot(live: &Arc<Live>) -> Option<Pending> {
    Change::of(live.clone(), 0).owed_by_bot()
}

fn given_up(live: &Live, player: Bot, error: &StepError) -> Option<Choice> {
    if let StepError::Fault(fault) = error {
        // Tells the log where in the rules it was.
        budget(live, fault.clone());
    }
    let error = Stopped::from(error.clone()).reason;
    tracing::error!(session = %live.id, %player, error, "a player cannot choose");
    None
}
