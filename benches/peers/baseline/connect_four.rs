//! Connect Four: seven columns of six. Searches for lines around the last disc.

use super::Random;

const WAYS: [(i32, i32); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

pub fn playout(random: &mut Random) -> u64 {
    let mut board = [[0u8; 6]; 7];
    let mut heights = [0usize; 7];
    let mut player = 1;
    let mut moves = Vec::with_capacity(7);
    for ply in 1..=42 {
        moves.clear();
        moves.extend((0..7).filter(|column| heights[*column] < 6));
        let column: usize = random.pick(&moves);
        let row = heights[column];
        board[column][row] = player;
        heights[column] += 1;
        if has_four(&board, column as i32, row as i32, player) {
            return ply;
        }
        player = 3 - player;
    }
    42
}

fn has_four(board: &[[u8; 6]; 7], column: i32, row: i32, player: u8) -> bool {
    let run = |across: i32, up: i32| {
        let mut length = 0;
        loop {
            let (x, y) = (column + across * (length + 1), row + up * (length + 1));
            let inside = (0..7).contains(&x) && (0..6).contains(&y);
            if !inside || board[x as usize][y as usize] != player {
                return length;
            }
            length += 1;
        }
    };
    WAYS.iter()
        .any(|(across, up)| 1 + run(*across, *up) + run(-across, -up) >= 4)
}
