//! Tic-tac-toe: nine squares, eight lines.

use super::Random;

const LINES: [[usize; 3]; 8] = [
    [0, 1, 2],
    [3, 4, 5],
    [6, 7, 8],
    [0, 3, 6],
    [1, 4, 7],
    [2, 5, 8],
    [0, 4, 8],
    [2, 4, 6],
];

pub fn playout(random: &mut Random) -> u64 {
    let mut board = [0u8; 9];
    let mut player = 1;
    let mut moves = Vec::with_capacity(9);
    for ply in 1..=9 {
        moves.clear();
        moves.extend((0..9).filter(|square| board[*square] == 0));
        board[random.pick(&moves)] = player;
        if LINES
            .iter()
            .any(|line| line.iter().all(|square| board[*square] == player))
        {
            return ply;
        }
        player = 3 - player;
    }
    9
}
