"""Random games of chess, as another program writes and reads them.

    notation.py write COUNT SEED    prints games, each with its last position in the tag `End`
    notation.py positions COUNT SEED    prints variants, positions and how many moves each has
    notation.py read < GAMES        prints the last position of each game and its moves, as this program writes them
"""

import random
import sys

import chess
import chess.pgn
import chess.variant


def is_over(board):
    return board.is_game_over() or board.is_repetition(3) or board.halfmove_clock >= 100


def random_game(dice):
    board, game = chess.Board(), chess.pgn.Game()
    node, length = game, dice.randrange(1, 240)
    while board.ply() < length and not is_over(board):
        moves = list(board.legal_moves)
        # Captures and promotions are rare among all moves, and hard to write.
        loud = [move for move in moves if board.is_capture(move) or move.promotion]
        move = dice.choice(loud or moves) if dice.random() < 0.3 else dice.choice(moves)
        if dice.random() < 0.05:
            node.add_variation(dice.choice(moves), comment="not (this) one; 1. e4 *")
        board.push(move)
        node = node.add_main_variation(move)
        if dice.random() < 0.1:
            node.comment, node.nags = "a remark", {1}
    over = "1/2-1/2" if is_over(board) else "*"
    game.headers["Result"] = board.result() if board.is_game_over() else over
    game.headers["End"] = board.fen(en_passant="fen")
    return game


def write(count, seed):
    dice = random.Random(seed)
    for _ in range(count):
        print(random_game(dice), end="\n\n")


def positions(count, seed):
    dice = random.Random(seed)
    for name in ["chess", "antichess", "atomic", "horde", "kingofthehill", "racingkings"]:
        for _ in range(count):
            board = chess.variant.find_variant(name)()
            for _ in range(dice.randrange(60)):
                after = board.copy()
                after.push(dice.choice(list(board.legal_moves)))
                if is_over(after):
                    break
                board = after
            print(name, board.fen(en_passant="fen"), board.legal_moves.count(), sep="\t")


def read():
    while game := chess.pgn.read_game(sys.stdin):
        board, texts = game.board(), []
        for move in game.mainline_moves():
            texts.append(board.san(move))
            board.push(move)
        wrong = [str(error) for error in game.errors]
        print("; ".join(wrong) or board.fen(en_passant="fen"), " ".join(texts), sep="\t")


if __name__ == "__main__":
    what = {"write": write, "positions": positions, "read": read}[sys.argv[1]]
    what(*map(int, sys.argv[2:]))
