//! Plays many random games or games between bots on all cores, and computes statistics.

mod chart;
mod failures;
mod playout;
mod recorder;
mod stats;
mod table;

pub use chart::svg;
pub use failures::{Failure, Failures};
pub use playout::{Playout, play};
pub use recorder::Recorder;
pub use stats::Spread;

use serde::Serialize;
use serde_json::{Map, Value};

use crate::record::Record;
use crate::statistics::{Bar, Counts, Share, Wins};
use crate::threads::on_threads;
use crate::told::{computes, untold_in_game};
use table::BotTable;
pub use table::Thoughts;
use wyrmgate_base::hex;
use wyrmgate_engine::Fault;
use wyrmgate_program::Program;
use wyrmgate_runner::Runner;
use wyrmgate_search::bot::{Bot, RandomBot};
use wyrmgate_view::Stopped;

/// One game in this many is looked at for texts that cannot be made, besides the first.
const TOLD_EVERY: u64 = 20;

/// Maximum number of bars in the histogram of lengths.
const BARS_MAX: u32 = 12;

/// The games to play.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The number of the first game, from 1.
    pub first: u64,
    pub games: u64,
    /// The seed from which the seeds of all games are derived.
    pub seed: [u8; 32],
    pub threads: usize,
    /// One bot for each seat of the first game; they change seats from game to game. If absent, every seat chooses at
    /// random.
    pub players: Vec<Bot>,
    /// If present, records every game with these options.
    pub records: Option<Map<String, Value>>,
}

/// One game of a simulation.
#[derive(Debug)]
pub struct SimulatedGame {
    /// The number, from 1.
    pub number: u64,
    pub result: Result<Playout, Stopped>,
    /// The bots by seat. Empty if every seat chose at random.
    pub seated: Vec<Bot>,
    /// Number of searched decisions by seat.
    pub thoughts: Vec<Thoughts>,
    pub record: Option<Record>,
    /// A text that could not be made, in the games that are looked at for that.
    pub untold: Option<Stopped>,
}

/// The statistics of a simulation.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Summary {
    pub game: String,
    pub ruleset: String,
    pub seats: usize,
    /// The seed of the simulation, in hexadecimal digits. The same seed gives the same games.
    pub seed: String,
    pub games: u64,
    /// Number of games that did not end; `failures` has the causes, and texts that could not be made.
    pub failed: u64,
    pub failures: Vec<Failure>,
    pub wins: Vec<SeatWins>,
    /// Results of named bots over all seats.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub players: Vec<PlayerWins>,
    pub drawn: Share,
    /// Decisions per game.
    pub length: Spread,
    pub lengths: Vec<Bar>,
}

impl Summary {
    /// Returns the name of the shares of wins, which says why they can be more than 100 % together.
    pub fn wins_title(&self) -> &'static str {
        let seats = self.wins.iter().map(|wins| wins.share.share);
        match seats.sum::<f64>() + self.drawn.share > 1.000_001 {
            true => "wins (a shared one counts for each seat)",
            false => "wins",
        }
    }
}

/// The wins of a seat. A shared win counts for each seat.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct SeatWins {
    pub seat: usize,
    #[serde(flatten)]
    pub share: Share,
}

/// The wins of a bot over all of its seats.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct PlayerWins {
    pub player: Bot,
    #[serde(flatten)]
    pub share: Share,
    /// Number of searched decisions. 0 for bots that do not search.
    pub thoughts: u64,
    /// Number of those for which no sampled world was found, so that the bot chose at random.
    pub blind: u64,
    /// How sure the bot was on average, as in [`wyrmgate_search::bot::BotDecision::sure`].
    pub sure: u64,
}

/// Returns the seed of game `number` of a simulation.
pub fn seed_of_game(seed: &[u8; 32], number: u64) -> [u8; 32] {
    let mut input = [0; 40];
    let (first, last) = input.split_at_mut(32);
    first.copy_from_slice(seed);
    last.copy_from_slice(&number.to_le_bytes());
    blake3::derive_key("wyrmgate 1 simulated game", &input)
}

/// Plays all games and calls `each` after every one, in the order in which they end.
pub fn run(program: &Program, plan: &Plan, each: &mut dyn FnMut(&SimulatedGame)) -> Summary {
    let mut course = PartialSimulation::new(program, plan.clone());
    course.play(program, plan.games, || false, each);
    course.summary(program)
}

/// A simulation that is played in parts.
pub struct PartialSimulation {
    plan: Plan,
    tally: SimulationTally,
    played: u64,
}

impl PartialSimulation {
    pub fn new(program: &Program, plan: Plan) -> PartialSimulation {
        PartialSimulation {
            tally: SimulationTally::new(program.seats, &plan.players),
            plan,
            played: 0,
        }
    }

    /// Returns the number of games played so far.
    pub fn played(&self) -> u64 {
        self.played
    }

    /// Plays up to this number of further games, or begins no more once it is stopped.
    pub fn play(
        &mut self,
        program: &Program,
        games: u64,
        is_stopped: impl Fn() -> bool + Sync,
        each: &mut dyn FnMut(&SimulatedGame),
    ) {
        let (plan, tally) = (&self.plan, &mut self.tally);
        let games = games.min(plan.games.saturating_sub(self.played));
        let first = plan.first.saturating_add(self.played);
        let work = |numbers: &mut dyn Iterator<Item = u64>, pass_on: &dyn Fn(SimulatedGame)| {
            let mut runner = Runner::new(program);
            numbers.for_each(|number| pass_on(one(program, &mut runner, plan, number)));
        };
        let numbers = first..first.saturating_add(games);
        on_threads(plan.threads, numbers, is_stopped, work, |played| {
            each(&played);
            tally.add(plan, &played);
            self.played += 1;
        });
    }

    pub fn is_over(&self) -> bool {
        self.played >= self.plan.games
    }

    /// Returns the widest distance from a share of wins to an end of its interval; infinite before the first result.
    pub fn imprecision(&self) -> f64 {
        let seats = self.tally.wins.tests().into_iter().map(|test| test.share);
        let players = self.tally.players.iter();
        let players = players.map(|of| Share::of(of.wins, of.seats));
        let sides = |of: Share| (of.high - of.share).max(of.share - of.low);
        match self.tally.lengths.total() {
            0 => f64::INFINITY,
            _ => seats.chain(players).map(sides).fold(0.0, f64::max),
        }
    }

    /// Returns the statistics of the games played so far.
    pub fn summary(&self, program: &Program) -> Summary {
        self.tally.summary(program, &self.plan)
    }
}

fn one(
    program: &Program,
    runner: &mut Result<Runner<'_>, Fault>,
    plan: &Plan,
    number: u64,
) -> SimulatedGame {
    let seed = seed_of_game(&plan.seed, number);
    let seated = table::seated(&plan.players, number);
    let mut table = BotTable::new(program, seed, &seated, RandomBot::for_game(&seed));
    let mut recorder = plan.records.as_ref().map(|_| Recorder::of(program));
    let result = match runner {
        _ if recorder.is_some() || !seated.is_empty() => table.play(recorder.as_mut()),
        Ok(runner) => play(program, runner, seed, &mut table.dice),
        Err(fault) => Err(fault.clone().into()),
    };
    let thoughts = table.thoughts;
    let outcome = result.as_ref().ok().map(|playout| &playout.outcome);
    let recorded = recorder.zip(plan.records.as_ref());
    let record = recorded.map(|(recorder, options)| recorder.record(seed, options, outcome));
    let is_looked_at = number == plan.first || number.is_multiple_of(TOLD_EVERY);
    let untold = (is_looked_at && computes(program)).then(|| untold_in_game(program, seed));
    SimulatedGame {
        untold: untold.and_then(Result::ok).flatten(),
        number,
        result,
        seated,
        thoughts,
        record,
    }
}

/// Plays a random game and returns its record.
pub fn play_and_record(
    program: &Program,
    seed: [u8; 32],
    options: &Map<String, Value>,
    bot: RandomBot,
) -> Result<(Playout, Record), Stopped> {
    let mut recorder = Recorder::of(program);
    let played = BotTable::new(program, seed, &[], bot).play(Some(&mut recorder))?;
    let record = recorder.record(seed, options, Some(&played.outcome));
    Ok((played, record))
}

/// Counters while games come in.
struct SimulationTally {
    wins: Wins,
    players: Vec<PlayerTally>,
    drawn: u64,
    lengths: Counts,
    failed: u64,
    failures: Failures,
}

/// The counters of one bot.
struct PlayerTally {
    player: Bot,
    wins: u64,
    /// Number of seats played.
    seats: u64,
    thoughts: Thoughts,
}

impl SimulationTally {
    /// Bots are reported in the order in which they were named.
    fn new(seats: usize, named: &[Bot]) -> SimulationTally {
        let mut players: Vec<PlayerTally> = Vec::new();
        for player in named {
            if players.iter().all(|known| known.player != *player) {
                players.push(PlayerTally {
                    player: *player,
                    wins: 0,
                    seats: 0,
                    thoughts: Thoughts::default(),
                });
            }
        }
        SimulationTally {
            wins: Wins::new(seats),
            players,
            drawn: 0,
            lengths: Counts::default(),
            failed: 0,
            failures: Failures::default(),
        }
    }

    fn add(&mut self, plan: &Plan, played: &SimulatedGame) {
        match &played.result {
            Ok(playout) => {
                self.add_playout(playout);
                self.add_players(playout, played);
            }
            Err(_) => self.failed += 1,
        }
        for stopped in played
            .result
            .as_ref()
            .err()
            .into_iter()
            .chain(&played.untold)
        {
            self.failures.add(&plan.seed, played.number, stopped);
        }
    }

    fn add_playout(&mut self, playout: &Playout) {
        self.lengths.add(playout.decisions);
        self.drawn += u64::from(playout.outcome.drawn);
        self.wins.add(&playout.outcome.winners);
    }

    fn add_players(&mut self, playout: &Playout, played: &SimulatedGame) {
        for ((seat, player), thoughts) in (0u8..).zip(&played.seated).zip(&played.thoughts) {
            let won = u64::from(playout.outcome.winners.contains(&seat));
            let mut players = self.players.iter_mut();
            if let Some(tally) = players.find(|known| known.player == *player) {
                tally.wins += won;
                tally.seats += 1;
                tally.thoughts.thought += thoughts.thought;
                tally.thoughts.blind += thoughts.blind;
                tally.thoughts.sure += thoughts.sure;
            }
        }
    }

    fn summary(&self, program: &Program, plan: &Plan) -> Summary {
        let ended = self.lengths.total();
        let wins = self.wins.tests().into_iter().map(|test| SeatWins {
            seat: test.seat,
            share: test.share,
        });
        let players = self.players.iter().map(|tally| PlayerWins {
            player: tally.player,
            share: Share::of(tally.wins, tally.seats),
            thoughts: tally.thoughts.thought,
            blind: tally.thoughts.blind,
            sure: tally.thoughts.sure / tally.thoughts.thought.max(1),
        });
        Summary {
            players: players.collect(),
            game: program.name(),
            ruleset: program.identity.digest.clone(),
            seats: program.seats,
            seed: hex::encode(&plan.seed),
            games: ended + self.failed,
            failed: self.failed,
            wins: wins.collect(),
            drawn: Share::of(self.drawn, ended),
            length: Spread::of(&self.lengths),
            lengths: self.lengths.even_bars(BARS_MAX),
            failures: self.failures.clone().into_sorted(),
        }
    }
}
