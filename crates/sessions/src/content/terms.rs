//! The terms of a session: settings agreed on at its creation, besides rules and seats.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::content::tolerant::known_members;
use wyrmgate_engine::sides;
use wyrmgate_program::{Op, Program, RankedFinish};
use wyrmgate_search::bot::Bot;

/// The terms. Sessions from before their introduction have the defaults.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Terms {
    pub spectators: SpectatorView,
    pub undo: Undo,
    pub forks: Forks,
    pub messages: MessagePolicy,
    #[serde(deserialize_with = "known_members")]
    pub clock: Option<Clock>,
    #[serde(deserialize_with = "known_members")]
    pub replies: Replies,
    #[serde(deserialize_with = "known_members")]
    pub endings: Endings,
    /// Whether the game counts for the ratings of its players.
    pub rated: bool,
}

/// How a game may end besides by its rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Endings {
    /// What follows when a seat resigns: `never` forbids it; `loses` takes the seat out of the game as the rules say, or gives
    /// the win to the other one of two sides; otherwise, this built-in player plays on (`default` takes the defaults of the
    /// rules). Defaults to `loses` where that is possible (`resigns` of the game, or two sides), otherwise to `greedy`.
    #[schema(value_type = Option<String>, pattern = "^(never|loses|random|greedy|search-[123]|default)$")]
    pub resignations: Option<Resignations>,
    /// Whether all seats together can agree on a draw. Only if the rules allow it (`draws` of the game), which is the default.
    pub draws: Option<bool>,
    /// Whether a seat can call the game off while no seat has moved twice.
    pub aborts: bool,
    /// After this time without any change, a seat that owes nothing can claim the win with two seats; with more, the seats
    /// that owe a decision are left to others. Null: never. With a clock, who is absent runs out of time; a claim is then only
    /// a vote.
    #[schema(minimum = 1_000, maximum = 2_592_000_000i64)]
    pub claims_after_ms: Option<u64>,
}

impl Default for Endings {
    fn default() -> Endings {
        Endings {
            resignations: None,
            draws: None,
            aborts: true,
            claims_after_ms: Some(86_400_000),
        }
    }
}

/// What follows when a seat resigns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Resignations {
    Never,
    Loses,
    #[serde(untagged)]
    PlayedBy(Bot),
}

impl Endings {
    /// Returns the built-in player who plays on for a seat.
    pub fn successor(&self) -> Bot {
        match self.resignations {
            Some(Resignations::PlayedBy(bot)) => bot,
            Some(Resignations::Never | Resignations::Loses) | None => Bot::Greedy,
        }
    }

    /// Returns the endings with their defaults for this game.
    pub fn completed(self, program: &Program) -> Endings {
        let usual = if can_lose(program) {
            Resignations::Loses
        } else {
            Resignations::PlayedBy(Bot::Greedy)
        };
        Endings {
            resignations: self.resignations.or(Some(usual)),
            draws: Some(self.draws != Some(false) && may_agree_on_draw(program)),
            ..self
        }
    }
}

impl Terms {
    /// Returns the terms with their defaults for this game, or the place and the reason why they do not fit it.
    pub fn completed(self, program: &Program) -> Result<Terms, (&'static str, &'static str)> {
        let loses = self.endings.resignations == Some(Resignations::Loses);
        let late = self
            .clock
            .is_some_and(|clock| clock.at_end == Some(TimeEnd::Lose));
        if loses && !can_lose(program) {
            let only = "`loses` needs two sides or a game that says what follows; name the built-in player who plays on, or `never`";
            return Err(("/endings/resignations", only));
        }
        if late && !can_lose(program) {
            let only = "`lose` needs two sides or a game that says what follows";
            return Err(("/clock", only));
        }
        if self.endings.draws == Some(true) && !may_agree_on_draw(program) {
            return Err(("/endings/draws", "this game is never drawn by agreement"));
        }
        if self.rated && sides(program).len() < 2 {
            return Err(("/rated", "a game without opponents cannot be rated"));
        }
        Ok(Terms {
            endings: self.endings.completed(program),
            ..self
        })
    }
}

/// Returns whether a seat can lose before the rules end the game.
pub fn can_lose(program: &Program) -> bool {
    program.code.resigns.is_some() || sides(program).len() == 2
}

/// Returns whether all may agree on a draw: as the rules say, or if they can end the game as one.
pub fn may_agree_on_draw(program: &Program) -> bool {
    let knows_draws = || knows_draws(program);
    program.identity.draws.unwrap_or_else(knows_draws)
}

fn knows_draws(program: &Program) -> bool {
    program.code.ops.iter().any(|op| {
        matches!(
            op,
            Op::FinishDrawn
                | Op::FinishRanked(RankedFinish {
                    ties_drawn: true,
                    ..
                })
        )
    })
}

/// Range of the delay before a standing order answers. Each delay is drawn at random, so that others cannot tell a
/// standing order from a player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Replies {
    #[schema(minimum = 0, maximum = 60_000)]
    pub least_ms: u64,
    #[schema(minimum = 0, maximum = 60_000)]
    pub most_ms: u64,
}

impl Default for Replies {
    /// About as long as a person takes who has already decided.
    fn default() -> Replies {
        Replies {
            least_ms: 1_000,
            most_ms: 4_000,
        }
    }
}

/// The view of spectators.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SpectatorView {
    /// Nothing before the game is over.
    Nothing,
    /// The public view, without delay.
    #[default]
    Live,
    /// The public view as it was this many changes ago.
    Behind { versions: u64 },
    /// The public view as it was this many milliseconds ago.
    Later { ms: u64 },
}

/// Whether a seat can undo its choices, and replies of bots to them. Unless stated, an undo is possible only if nobody has gained
/// information since.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = UndoPolicy)]
pub enum Undo {
    Never,
    /// The seat can undo by itself.
    Free,
    /// All other people at the table must agree; then also past their choices.
    #[default]
    Agreed,
    /// The same, also past information gains. Such an undo makes the session practice, and its record says so.
    AnythingAgreed,
}

/// When a session can be forked. A player in a fork can see information that was hidden from others.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = ForkPolicy)]
pub enum Forks {
    Never,
    /// After the game is over.
    #[default]
    Finished,
    /// At any time. A fork before the end makes this session practice.
    Always,
}

/// Who can write to each other during the game.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum MessagePolicy {
    /// The people at the table and the owner; teams among themselves.
    #[default]
    Table,
    /// Nobody.
    Off,
}

/// Time limits.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Clock {
    /// Time for one decision.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 100, maximum = 2_592_000_000i64)]
    pub decision_ms: Option<u64>,
    /// Total time of a seat for all of its decisions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 100, maximum = 2_592_000_000i64)]
    pub game_ms: Option<u64>,
    /// Time added to `game_ms` after each decision.
    #[serde(default)]
    #[schema(minimum = 0, maximum = 2_592_000_000i64)]
    pub increment_ms: u64,
    /// Time for each decision that costs nothing of `game_ms`.
    #[serde(default, skip_serializing_if = "is_zero")]
    #[schema(minimum = 0, maximum = 2_592_000_000i64)]
    pub delay_ms: u64,
    #[serde(default, skip_serializing_if = "DelayKind::is_usual")]
    pub delay: DelayKind,
    /// Byo-yomi: periods after `game_ms`. A decision that takes less than one costs none.
    #[serde(default, skip_serializing_if = "is_zero")]
    #[schema(minimum = 0, maximum = 60)]
    pub periods: u64,
    /// How long a period is.
    #[serde(default, skip_serializing_if = "is_zero")]
    #[schema(minimum = 0, maximum = 2_592_000_000i64)]
    pub period_ms: u64,
    /// What follows when a seat runs out of time. Defaults to `lose` with two seats and to `default` with more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_end: Option<TimeEnd>,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// When the time of a delay does not count: the clock waits before it runs (`simple`), or what the decision took, at most
/// the delay, is given back after it (`bronstein`).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum DelayKind {
    #[default]
    Simple,
    Bronstein,
}

impl DelayKind {
    fn is_usual(&self) -> bool {
        *self == DelayKind::Simple
    }
}

/// What follows when a seat runs out of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum TimeEnd {
    /// The seat loses, as if it resigned where `resignations` is `loses`.
    Lose,
    /// The server plays the default that the rules declare: to decline, or "no". If they declare none, the seat becomes
    /// open.
    Default,
    /// The server makes a choice at random.
    Random,
    /// A built-in player takes the seat: the one of `endings.resignations`, or `greedy`.
    Bot,
    /// The seat becomes open for another player.
    Free,
}

impl Clock {
    /// Returns the clock with its defaults for this number of seats.
    pub fn completed(self, seats: usize) -> Clock {
        let usual = if seats == 2 {
            TimeEnd::Lose
        } else {
            TimeEnd::Default
        };
        let at_end = self.at_end.or(Some(usual));
        Clock { at_end, ..self }
    }
}
