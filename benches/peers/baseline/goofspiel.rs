//! Goofspiel with 13 cards for two; both bids are decisions.

use super::Random;

pub fn playout(random: &mut Random) -> u64 {
    let cards: Vec<usize> = (1..=13).collect();
    let (mut prizes, mut hands) = (cards.clone(), [cards.clone(), cards]);
    let mut scores = [0usize; 2];
    let mut decisions = 0;
    while !prizes.is_empty() {
        let prize = prizes.remove(random.below(prizes.len()));
        let bids = hands
            .each_mut()
            .map(|hand| hand.remove(random.below(hand.len())));
        decisions += 2;
        if bids[0] != bids[1] {
            scores[usize::from(bids[1] > bids[0])] += prize;
        }
    }
    std::hint::black_box(scores);
    decisions
}
