//! Built-in players that think: their choices are worked out aside, and then made as any other.

use std::sync::Arc;

use super::Refusal;
use super::change::Change;
use super::clock;
use super::live::Live;
use super::service::{Answered, NoAnswers, Service, bot};
use crate::bot::Bot;
use crate::engine::{Choice, Pending, StepError};

/// A choice of a built-in player, for one position of a session.
struct Thought {
    of: Arc<Live>,
    pending: Pending,
    choice: Choice,
}

impl Service {
    /// Lets built-in players make the moves that a single change had no room for, or that a stopped node left.
    pub(super) async fn settle(&self, mut live: Arc<Live>) -> Result<Arc<Live>, Refusal> {
        while self.bots_owe(&live) {
            let slot = self.cache.slot(&live.id);
            let _thinking = slot.thinking.lock().await;
            // Another request of this process may have done it meanwhile.
            live = slot
                .live()
                .filter(|known| known.is_after(&live))
                .unwrap_or(live);
            if !self.bots_owe(&live) {
                break;
            }
            let thought = self.think(&live).await?;
            let before = live.position;
            live = self.let_bots_play(&live, thought).await?;
            if live.position == before {
                break; // they cannot move
            }
        }
        Ok(live)
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
        let thinking = tokio::task::spawn_blocking(move || {
            player.choose(&program, &history, pending.seat, &mut dice)
        });
        let choice = match thinking.await {
            Ok(Ok(choice)) => choice,
            Ok(Err(error)) => given_up(live, player, &error),
            Err(_) => None,
        };
        Ok(choice.map(|choice| Thought {
            of: live.clone(),
            pending,
            choice,
        }))
    }
}

fn given_up(live: &Live, player: Bot, error: &StepError) -> Option<Choice> {
    let error = match error {
        StepError::Rejected(rejection) => rejection.to_string(),
        StepError::Fault(fault) => fault.to_string(),
    };
    tracing::error!(session = %live.id, %player, error, "a player cannot choose");
    None
}
