//! `wyrmgate bench --profile`: the time that each line of the rules takes in random games.
//!
//! The interpreter tells which operation runs next. The time up to the following one belongs to the line of its
//! statement; the time in which choices are drawn belongs to the options of the decision, in proportion to the time in which
//! the choices of each are counted.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::{Args, Game, RulesLine, Stop, Verdict, numbered, stopped};
use crate::bot::RandomBot;
use crate::diagnostic::{FileId, Sources, Span};
use crate::engine::{
    At, Event, Observer, Pending, Seeded, State, count_choices_of, pending, start, step_legal,
};
use crate::program::{Program, Site};
use crate::view::Stopped;

/// The number of lines that the text lists.
const LINES: usize = 20;

/// Measures the time between operations.
struct Profile<'p> {
    program: &'p Program,
    last: Instant,
    at: Span,
    by_place: BTreeMap<(FileId, u32), Cost>,
}

#[derive(Debug, Default, Clone, Copy)]
struct Cost {
    time: Duration,
    runs: u64,
}

impl Profile<'_> {
    /// Charges the time since the last call to the place where it was spent.
    fn charge(&mut self) {
        let now = Instant::now();
        let cost = self.by_place.entry((self.at.file, self.at.start));
        cost.or_default().time += now - self.last;
        self.last = now;
    }

    /// Charges the time since the last call to the options of a decision.
    fn charge_options(&mut self, site: &Site, state: &State, owed: &Pending) {
        let all = self.last.elapsed();
        let counting = |option: usize| {
            let began = Instant::now();
            // A fault has stopped the game before.
            count_choices_of(self.program, state, owed, option).ok();
            began.elapsed()
        };
        let times: Vec<Duration> = (0..site.options.len()).map(counting).collect();
        let total: Duration = times.iter().sum();
        for (option, time) in site.options.iter().zip(times) {
            let share = time.as_secs_f64() / total.as_secs_f64().max(f64::EPSILON);
            let cost = self.by_place.entry((option.span.file, option.span.start));
            cost.or_default().time += all.mul_f64(share);
        }
        self.last = Instant::now();
    }

    fn go_on_at(&mut self, place: Span) {
        self.charge();
        self.at = place;
        let cost = self.by_place.entry((place.file, place.start));
        cost.or_default().runs += 1;
    }
}

impl Observer for Profile<'_> {
    fn wants_events(&self) -> bool {
        false
    }

    fn event(&mut self, _: Event) {}

    fn operation(&mut self, At { address, .. }: At<'_>) {
        let spans = &self.program.code.spans;
        let place = spans.get(address as usize).copied();
        self.go_on_at(place.unwrap_or_default());
    }
}

pub fn run(args: &Args) -> Result<Verdict, Stop> {
    let game = args.game.load()?;
    let limit = super::seconds(args.seconds)?;
    let mut bot = RandomBot::for_game(&args.seed.0);
    let mut profile = Profile {
        program: &game.program,
        last: Instant::now(),
        at: Span::default(),
        by_place: BTreeMap::new(),
    };
    let began = Instant::now();
    let mut playouts = 0;
    while match args.playouts {
        Some(wanted) => playouts < wanted,
        None => playouts == 0 || began.elapsed() < limit,
    } {
        let seed = numbered(args.seed.0, playouts);
        playouts += 1;
        if let Err(error) = play(&game.program, seed, &mut bot, &mut profile) {
            return Ok(stopped(args, &game, &error, playouts));
        }
    }
    print(args, &game, &profile, playouts);
    Ok(Verdict::Good)
}

fn play(
    program: &Program,
    seed: [u8; 32],
    bot: &mut RandomBot,
    profile: &mut Profile<'_>,
) -> Result<(), Box<Stopped>> {
    profile.last = Instant::now();
    let mut state = start(program, seed, &mut Seeded, profile).map_err(Stopped::from)?;
    let mut decisions = 0;
    while let Some(owed) = pending(program, &state).first().copied() {
        if decisions >= program.identity.bound {
            return Err(Stopped::unbounded(program, &state).into());
        }
        let site = program.site(owed.site);
        profile.go_on_at(site.map(|site| site.span).unwrap_or_default());
        let Some(choice) = bot.choose(program, &state, &owed).map_err(Stopped::from)? else {
            return Err(Stopped::stuck(program, &state).into());
        };
        if let Some(site) = site {
            profile.charge_options(site, &state, &owed);
        }
        let taken = step_legal(
            program,
            &mut state,
            owed.index,
            &choice,
            &mut Seeded,
            profile,
        );
        taken.map_err(|error| Stopped::from(error).after(decisions))?;
        profile.charge();
        decisions += 1;
    }
    Ok(())
}

fn print(args: &Args, game: &Game, profile: &Profile<'_>, playouts: u64) {
    let lines = lines(&game.sources, profile);
    let total: Duration = lines.iter().map(|(_, cost)| cost.time).sum();
    let share = |cost: Cost| cost.time.as_secs_f64() / total.as_secs_f64().max(f64::EPSILON);
    let per_game = |cost: Cost| cost.runs as f64 / playouts as f64;
    if args.json {
        let lines = lines.iter().map(|(line, cost)| {
            json!({
                "file": line.file,
                "line": line.number,
                "share": share(*cost),
                "seconds": cost.time.as_secs_f64(),
                "runs_per_playout": per_game(*cost),
            })
        });
        let lines: Vec<Value> = lines.collect();
        return say_json!({"game": game.program.name(), "playouts": playouts, "lines": lines});
    }
    let (name, seats) = (game.program.name(), game.program.seats);
    say!("{name}, {seats} seats, {playouts} playouts, without machine code");
    say!("  share  runs per playout");
    for (RulesLine { file, number, text }, cost) in lines.iter().take(LINES) {
        let (percent, runs) = (share(*cost) * 100.0, per_game(*cost));
        say!("{percent:>6.1}% {runs:>17.1}  {file}:{number}  {text}");
    }
    let rest: f64 = lines.iter().skip(LINES).map(|(_, cost)| share(*cost)).sum();
    let others = lines.len().saturating_sub(LINES);
    if others > 0 {
        say!("{:>6.1}% in {others} other lines", rest * 100.0);
    }
}

/// Returns the lines with their costs, the most expensive first.
fn lines<'s>(sources: &'s Sources, profile: &Profile<'_>) -> Vec<(RulesLine<'s>, Cost)> {
    let mut by_line: BTreeMap<(FileId, usize), Cost> = BTreeMap::new();
    for ((file, byte), cost) in &profile.by_place {
        let (number, _) = sources.line_column(*file, *byte);
        let sum = by_line.entry((*file, number)).or_default();
        sum.time += cost.time;
        sum.runs += cost.runs;
    }
    by_line.retain(|(file, _), _| sources.get(*file).is_some());
    let lines = by_line.into_iter();
    let lines = lines.map(|((file, number), cost)| (RulesLine::of(sources, file, number), cost));
    let mut lines: Vec<(RulesLine<'_>, Cost)> = lines.collect();
    lines.sort_by_key(|(_, cost)| std::cmp::Reverse(cost.time));
    lines
}
