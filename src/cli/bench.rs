//! `wyrmgate bench`: random games on one core, with the choices counted, or all visited, at every step.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use serde_json::json;

use super::setup::{self, GameArgs, Seed};
use super::{Stop, Verdict};
use crate::bot::RandomBot;
use crate::engine::{self, Choice, Pending, Seeded, Silent, State};
use crate::program::Program;
use crate::simulate::{self, PlayoutError};

const EXAMPLES: &str = "\
Examples:
  wyrmgate bench my-game
  wyrmgate bench my-game --seconds 10 --seats 4 --json";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    game: GameArgs,
    /// How long to play
    #[arg(long, default_value_t = 3.0, value_name = "SECONDS")]
    seconds: f64,
    /// A number or 64 hexadecimal digits; the same seed plays the same games
    #[arg(long, default_value = "1", value_parser = setup::seed)]
    seed: Seed,
    /// Visit every single choice at every step, instead of counting them
    #[arg(long)]
    list: bool,
    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
}

/// What was counted.
#[derive(Debug, Default, Clone, Copy)]
struct Count {
    games: u64,
    steps: u64,
    choices: u64,
}

pub fn run(args: &Args) -> Result<Verdict, Stop> {
    let program = args.game.load()?.program;
    let limit = Duration::try_from_secs_f64(args.seconds).map_err(Stop::usage)?;
    let began = Instant::now();
    let mut count = Count::default();
    while count.games == 0 || began.elapsed() < limit {
        count.games += 1;
        let seed = simulate::seed_of_game(&args.seed.0, count.games);
        play(&program, seed, args.list, &mut count).map_err(Stop::failure)?;
    }
    let seconds = began.elapsed().as_secs_f64();
    if args.json {
        say!("{}", json_of(&program, count, seconds));
    } else {
        print_text(&program, count, seconds);
    }
    Ok(Verdict::Good)
}

/// One game; at every step all choices are counted or visited, then one of them is taken.
fn play(
    program: &Program,
    seed: [u8; 32],
    list: bool,
    count: &mut Count,
) -> Result<(), PlayoutError> {
    let mut bot = RandomBot::for_game(&seed);
    let mut state = engine::start(program, seed, &mut Seeded, &mut Silent)?;
    while state.outcome().is_none() {
        step(program, &mut state, &mut bot, list, count)?;
    }
    Ok(())
}

fn step(
    program: &Program,
    state: &mut State,
    bot: &mut RandomBot,
    list: bool,
    count: &mut Count,
) -> Result<(), PlayoutError> {
    let owed = engine::pending(program, state);
    let pending = owed.first().ok_or(PlayoutError::Stuck)?;
    let (choices, choice) = if list {
        drawn_from_all(program, state, pending, bot)?
    } else {
        let choices = engine::count_choices(program, state, pending)?;
        let choice = engine::nth_choice(program, state, pending, bot.below(choices))?;
        (choices, choice)
    };
    let choice = choice.ok_or(PlayoutError::Stuck)?;
    engine::step_legal(
        program,
        state,
        pending.index,
        &choice,
        &mut Seeded,
        &mut Silent,
    )?;
    count.steps += 1;
    count.choices += choices;
    Ok(())
}

/// Visits all choices and keeps one of them, each with the same chance.
fn drawn_from_all(
    program: &Program,
    state: &State,
    pending: &Pending,
    bot: &mut RandomBot,
) -> Result<(u64, Option<Choice>), PlayoutError> {
    let mut seen = 0;
    let mut kept = None;
    engine::for_each_choice(program, state, pending, &mut |choice| {
        seen += 1;
        if bot.below(seen) == 0 {
            kept = Some(choice.clone());
        }
        ControlFlow::Continue(())
    })?;
    Ok((seen, kept))
}

fn json_of(program: &Program, count: Count, seconds: f64) -> serde_json::Value {
    json!({
        "game": program.game,
        "seats": program.seats,
        "seconds": seconds,
        "games": count.games,
        "steps": count.steps,
        "choices": count.choices,
        "games_per_second": count.games as f64 / seconds,
        "steps_per_second": count.steps as f64 / seconds,
    })
}

fn print_text(program: &Program, count: Count, seconds: f64) {
    let per_second = |number: u64| number as f64 / seconds;
    say!(
        "{}, {} seats, one core, {seconds:.1} s",
        program.game,
        program.seats
    );
    say!("{:>12.0} steps a second", per_second(count.steps));
    say!("{:>12.0} games a second", per_second(count.games));
    say!("{:>12.0} choices a second", per_second(count.choices));
    say!(
        "{:>12.1} steps a game",
        count.steps as f64 / count.games.max(1) as f64
    );
}
