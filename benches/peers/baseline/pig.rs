//! Pig to 100 for two.

use super::Random;

pub fn playout(random: &mut Random) -> u64 {
    let mut scores = [0usize; 2];
    let (mut player, mut won) = (0, 0);
    let mut decisions = 0;
    loop {
        let moves = [true, false];
        decisions += 1;
        if random.pick(&moves) {
            let face = random.below(6) + 1;
            if face > 1 {
                won += face;
                continue;
            }
        } else {
            scores[player] += won;
            if scores[player] >= 100 {
                return decisions;
            }
        }
        won = 0;
        player = 1 - player;
    }
}
