//! Breakthrough on 8×8: an array of squares, the list of moves made anew at every turn.

use super::Random;

const SIZE: i32 = 8;

pub fn playout(random: &mut Random) -> u64 {
    let mut board = [0u8; 64];
    board[..16].fill(1);
    board[48..].fill(2);
    let mut left = [0, 16, 16];
    let mut player = 1u8;
    let mut moves: Vec<(usize, usize)> = Vec::with_capacity(48);
    let mut ply = 0;
    loop {
        list(&board, player, &mut moves);
        let (from, to) = random.pick(&moves);
        let other = 3 - player;
        ply += 1;
        left[usize::from(other)] -= i32::from(board[to] == other);
        board[from] = 0;
        board[to] = player;
        let last_row = if player == 1 { 7 } else { 0 };
        if to / 8 == last_row || left[usize::from(other)] == 0 {
            return ply;
        }
        player = other;
    }
}

fn list(board: &[u8; 64], player: u8, moves: &mut Vec<(usize, usize)>) {
    moves.clear();
    let forward = if player == 1 { 1 } else { -1 };
    for from in 0..64 {
        if board[from] != player {
            continue;
        }
        let (column, row) = (from as i32 % SIZE, from as i32 / SIZE + forward);
        for side in -1..=1 {
            let to = (row * SIZE + column + side) as usize;
            if !(0..SIZE).contains(&(column + side)) {
                continue;
            }
            if board[to] == 0 || (side != 0 && board[to] != player) {
                moves.push((from, to));
            }
        }
    }
}
