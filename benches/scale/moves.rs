//! Moves in sessions picked at random.

use std::time::{Duration, Instant};

use futures_util::future::join_all;
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

use crate::client::Client;
use crate::play::Played;
use crate::times::Times;

/// Makes about this many moves. Each connection uses its own share of the sessions and skips sessions that have ended.
pub async fn make(
    address: &str,
    sessions: &mut [Played],
    connections: usize,
    moves: usize,
    seed: u64,
) -> Times {
    let share = sessions.len().div_ceil(connections).max(1);
    let each = moves.div_ceil(connections);
    let began = Instant::now();
    let made = sessions
        .chunks_mut(share)
        .enumerate()
        .map(|(number, sessions)| one_after_another(address, sessions, each, seed + number as u64));
    let times: Vec<Duration> = join_all(made).await.into_iter().flatten().collect();
    Times::of(times, began.elapsed())
}

async fn one_after_another(
    address: &str,
    sessions: &mut [Played],
    moves: usize,
    seed: u64,
) -> Vec<Duration> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut client = Client::connect(address).await;
    let mut times = Vec::with_capacity(moves);
    // Where most have ended, fewer moves are made.
    for _ in 0..moves * 4 {
        if times.len() == moves {
            break;
        }
        let session = &mut sessions[random.random_range(0..sessions.len())];
        if session.owing.is_some() {
            let began = Instant::now();
            session.make_a_move(&mut client).await;
            times.push(began.elapsed());
        }
    }
    times
}
