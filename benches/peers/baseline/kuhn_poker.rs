//! Kuhn poker.

use super::Random;

pub fn playout(random: &mut Random) -> u64 {
    let mut deck = vec![0, 1, 2];
    let cards = [(); 2].map(|()| deck.remove(random.below(deck.len())));
    let higher = if cards[0] > cards[1] { 1 } else { -1 };
    let moves = [true, false];
    let mut decisions = 0;
    let mut bets = |decisions: &mut u64| {
        *decisions += 1;
        random.pick(&moves)
    };
    let payoff = if bets(&mut decisions) {
        if bets(&mut decisions) { 2 * higher } else { 1 }
    } else if !bets(&mut decisions) {
        higher
    } else if bets(&mut decisions) {
        2 * higher
    } else {
        -1
    };
    std::hint::black_box(payoff);
    decisions
}
