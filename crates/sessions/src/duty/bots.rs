//! Moves of built-in players. The node that has written a change also makes the bot moves that follow it. If it does
//! not, another node is offered the pending moves ([`crate::Duty::Bots`]).
//!
//! There are no locks between nodes. A bot move is a commit like any other: if two nodes think about the same decision,
//! one wins and the other finds nothing left to do. To make this rare, a node waits for a while before it moves bots
//! after a change of another node.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::time::timeout;

use crate::Refusal;
use crate::changing::call::Answered;
use crate::changing::pending::PendingChange;
use crate::content::budget::budget;
use crate::content::live::Live;
use crate::content::play::seat_of;
use crate::service::{Service, bot};
use wyrmgate_base::cancel::until;
use wyrmgate_engine::{Choice, Pending, StepError};
use wyrmgate_runtime::queue::beside_while_awaited;
use wyrmgate_runtime::surroundings::now_ms;
use wyrmgate_search::bot::{Bot, Mind};
use wyrmgate_search::imagine::Made;
use wyrmgate_view::Stopped;

/// Time after which an owed bot decision counts as pending for any node.
pub(super) const PENDING_AFTER: Duration = Duration::from_secs(3);

/// How long before its deadline a bot ends its search.
const DEADLINE_MARGIN_MS: u64 = 250;

/// A choice of a bot for one position of a session.
struct BotChoice {
    of: Arc<Live>,
    pending: Pending,
    choice: Choice,
}

impl Service {
    /// Returns the next session whose built-in players have to move. For one reader, which then calls
    /// [`Service::move_bots`].
    pub async fn next_for_bots(&self) -> Option<Arc<str>> {
        self.bots.queue.next().await
    }

    /// Lets built-in players make all moves that they owe. Does nothing if this node is already at it.
    pub async fn move_bots(&self, id: &str) -> Result<(), Refusal> {
        let (slot, _) = self.placed(id).await?;
        slot.thinking
            .run(async || self.play_for_bots(id).await)
            .await
    }

    async fn play_for_bots(&self, id: &str) -> Result<(), Refusal> {
        loop {
            // Another node may have done it in the meantime.
            let live = self.load(id).await?;
            if live.owed_by_bot(|_| true).is_none() {
                return Ok(());
            }
            let thought = self.think(&live).await?;
            let after = self.let_bots_play(&live, thought).await?;
            if after.position == live.position {
                return Ok(()); // they cannot move
            }
        }
    }

    async fn let_bots_play(
        &self,
        live: &Arc<Live>,
        thought: Option<BotChoice>,
    ) -> Result<Arc<Live>, Refusal> {
        let id = live.id.clone();
        let move_bots = |mut change: PendingChange| {
            if let Some(thought) = &thought
                && thought.of.position == change.before.position
            {
                change.choose(&thought.pending, &thought.choice, true)?;
            }
            change.play_bots(&mut bot()?);
            Ok(change)
        };
        let made = Box::pin(self.write_own(&id, &move_bots)).await?;
        match made {
            Answered::Fresh(made) => Ok(made.live),
            Answered::Replayed(_) => Ok(live.clone()),
        }
    }

    /// Returns the choice of a searching bot, if it is such a bot's turn.
    async fn think(&self, live: &Arc<Live>) -> Result<Option<BotChoice>, Refusal> {
        let Some((pending, player)) = live.owed_by_thinker() else {
            return Ok(None);
        };
        let mut history = self.history_of(live).await?;
        let own = live
            .play
            .iter()
            .flat_map(|play| play.given(seat_of(&pending)));
        let own: Vec<Made> = own.map(|made| made.made(true)).collect();
        let is_amid = !own.is_empty();
        history.made.extend(own);
        let program = live.program.clone();
        let mut dice = bot()?;
        let time = time_to_think(live, &pending);
        let deadline = time.map(|time| Instant::now() + time);
        let turn = self.bots.thoughts.acquire();
        // A bot whose deadline passes while it waits chooses at once, by what it thought before.
        let _turn = match time {
            Some(time) => timeout(time, turn).await.ok(),
            None => Some(turn.await),
        };
        let since_ms = live.status.bots_since_ms.unwrap_or(u64::MAX);
        let waited = now_ms().saturating_sub(since_ms);
        self.metrics.waited("bots", Duration::from_millis(waited));
        // Amid its secret answers, a bot knows what the log will have in another order.
        let memory = self
            .bots
            .minds
            .take(&live.id, pending.seat)
            .filter(|_| !is_amid);
        let thinking = beside_while_awaited(move || {
            let mut mind = Mind::recall(&program, memory, &history, pending.seat)?;
            let decision = until(deadline, || player.choose(&mut mind, dice.dice()))?;
            Ok((decision, mind.into_memory()))
        });
        let choice = match thinking.await {
            Some(Ok((decision, memory))) => {
                if !is_amid {
                    self.bots.minds.keep(&live.id, pending.seat, memory);
                }
                self.metrics.thought(decision.found_no_world);
                if decision.found_no_world {
                    tracing::info!(session = %live.id, %player, "a bot found no sampled world");
                }
                decision.choice
            }
            Some(Err(error)) => given_up(live, player, &error),
            None => None,
        };
        Ok(choice.map(|choice| BotChoice {
            of: live.clone(),
            pending,
            choice,
        }))
    }
}

/// Returns how long the bot of a seat may think, if its clock runs: a share of its time, and until a little before its
/// deadline, so that the choice is made by then.
fn time_to_think(live: &Live, owed: &Pending) -> Option<Duration> {
    let of_seat = live.status.clock_of(seat_of(owed))?;
    let clock = live.facts.terms.clock.as_ref()?;
    let left_ms = of_seat.deadline_ms(clock)?.saturating_sub(now_ms());
    let margin_ms = (left_ms / 4).min(DEADLINE_MARGIN_MS);
    let most_ms = left_ms - margin_ms;
    let share_ms = of_seat.share_ms(clock).unwrap_or(most_ms);
    Some(Duration::from_millis(most_ms.min(share_ms)))
}

fn given_up(live: &Live, player: Bot, error: &StepError) -> Option<Choice> {
    if let StepError::Fault(fault) = error {
        // Logs the place in the rules.
        budget(live, fault.clone());
    }
    let error = Stopped::from(error.clone()).reason;
    tracing::error!(session = %live.id, %player, error, "a searching bot failed to choose");
    None
}
