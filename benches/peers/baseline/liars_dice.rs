//! Liar's dice, one die each: twelve bids in order, and doubt.

use super::Random;

const DOUBT: usize = 12;

pub fn playout(random: &mut Random) -> u64 {
    let dice = [(); 2].map(|()| random.below(6));
    let mut moves = Vec::with_capacity(13);
    let mut last = None;
    let (mut player, mut decisions) = (0, 0);
    loop {
        moves.clear();
        moves.extend(last.map_or(0, |bid| bid + 1)..DOUBT);
        moves.extend(last.map(|_| DOUBT));
        let chosen = random.pick(&moves);
        decisions += 1;
        if let (DOUBT, Some(bid)) = (chosen, last) {
            let face = bid % 6;
            let shown = dice
                .iter()
                .filter(|die| **die == face || **die == 5)
                .count();
            let bidder_wins = shown > bid / 6;
            std::hint::black_box(if bidder_wins { 1 - player } else { player });
            return decisions;
        }
        last = Some(chosen);
        player = 1 - player;
    }
}
