//! Random play on one core: steps per second, with the legal choices counted at every step, and the time of cloning a
//! state.
//!
//! `cargo bench --bench playouts`; `cargo bench --bench playouts -- way` for one game, `-- clone` for the clones. Every game in `rules/` is
//! played with its smallest and its largest number of seats.

#![expect(
    clippy::expect_used,
    reason = "a benchmark may stop at the first surprise"
)]

use std::hint::black_box;
use std::path::Path;
use std::time::Duration;

use criterion::{BenchmarkId, Criterion, Throughput};
use wyrmgate::check::{Checked, check};
use wyrmgate::engine::{Seeded, Silent, State, count_choices, pending, random_choice, start, step};
use wyrmgate::lang::load::load_dir;
use wyrmgate::program::Program;
use wyrmgate::rules::game_folders;

/// Steps of one measured round.
const STEPS: u64 = 1_000;

fn main() {
    let mut criterion = Criterion::default()
        .measurement_time(Duration::from_secs(5))
        .warm_up_time(Duration::from_secs(1))
        .sample_size(20)
        .configure_from_args();
    for (name, checked) in games() {
        let ends = [checked.seats.first(), checked.seats.last()];
        let mut seats: Vec<usize> = ends.into_iter().flatten().copied().collect();
        seats.dedup();
        for seats in seats {
            if let Some(program) = program(&checked, seats) {
                playouts(&mut criterion, &name, seats, &program);
                clones(&mut criterion, &name, seats, &program);
            }
        }
    }
    criterion.final_summary();
}

fn games() -> Vec<(String, Checked)> {
    let rules = Path::new(env!("CARGO_MANIFEST_DIR")).join("rules");
    let folders = game_folders(&rules).unwrap_or_default();
    let games = folders.iter().filter_map(|folder| {
        let mut loaded = load_dir(folder).ok()?;
        let checked = check(&loaded.definition?, &mut loaded.report)?;
        let name = folder.file_name()?.to_string_lossy();
        Some((name.into_owned(), checked))
    });
    games.collect()
}

fn program(checked: &Checked, seats: usize) -> Option<Program> {
    let setup = checked.setup(seats, &Default::default()).ok()?;
    checked.compile(&setup)
}

fn playouts(criterion: &mut Criterion, name: &str, seats: usize, program: &Program) {
    let mut group = criterion.benchmark_group(name);
    group.throughput(Throughput::Elements(STEPS));
    let mut play = Play::new(program);
    group.bench_function(BenchmarkId::from_parameter(format!("{seats} seats")), |b| {
        b.iter(|| {
            for _ in 0..STEPS {
                play.step();
            }
        });
    });
    group.finish();
}

/// Clones a state in mid-game, into new memory and into memory of an earlier clone.
fn clones(criterion: &mut Criterion, name: &str, seats: usize, program: &Program) {
    const STEPS_BEFORE: usize = 12;
    let mut play = Play::new(program);
    for _ in 0..STEPS_BEFORE {
        play.step();
    }
    let state = play.state;
    let mut copy = state.clone();
    let mut group = criterion.benchmark_group(format!("{name}/{seats} seats/clone"));
    group.throughput(Throughput::Bytes(state.size() as u64));
    group.bench_function("new", |b| b.iter(|| black_box(&state).clone()));
    group.bench_function("kept", |b| {
        b.iter(|| black_box(&mut copy).clone_from(black_box(&state)));
    });
    group.finish();
}

/// Plays one game after another.
struct Play<'p> {
    program: &'p Program,
    state: State,
    number: u64,
    dice: u64,
}

impl<'p> Play<'p> {
    fn new(program: &'p Program) -> Play<'p> {
        Play {
            program,
            state: begin(program, 0),
            number: 0,
            dice: 0x9e37_79b9_7f4a_7c15,
        }
    }

    fn step(&mut self) {
        let Some(owed) = pending(self.program, &self.state).first().copied() else {
            self.number += 1;
            self.state = begin(self.program, self.number);
            return;
        };
        let count = count_choices(self.program, &self.state, &owed).expect("within the limits");
        black_box(count);
        let dice = &mut self.dice;
        let choice = random_choice(self.program, &self.state, &owed, &mut |n| below(dice, n))
            .expect("within the limits")
            .expect("a decision has a choice");
        let stepped = step(
            self.program,
            &mut self.state,
            owed.index,
            &choice,
            &mut Seeded,
            &mut Silent,
        );
        stepped.expect("a listed choice is accepted");
    }
}

fn begin(program: &Program, number: u64) -> State {
    let mut seed = [0; 32];
    seed[..8].copy_from_slice(&number.to_le_bytes());
    start(program, seed, &mut Seeded, &mut Silent).expect("the game begins")
}

/// xorshift: the opponent costs next to nothing.
fn below(dice: &mut u64, n: u64) -> u64 {
    *dice ^= *dice << 13;
    *dice ^= *dice >> 7;
    *dice ^= *dice << 17;
    *dice % n.max(1)
}
