"""Random playouts and steps per CPU second of OpenSpiel's own C++ loop.

`RandomRolloutEvaluator` plays from a state to the end, again and again, without leaving C++: at every decision it asks
for the legal actions and applies one at random. A tree search of one simulation, which has to evaluate its root, is the
way to call it from Python. Such a search cannot begin with chance: where a game does (a deal, the first prize), that is
done before the clock starts, to OpenSpiel's advantage. Steps are playouts times the mean number of decisions in random games,
without chance, which is counted apart. One line of JSON a game.

    python openspiel.py SECONDS [GAME ...]
    python openspiel.py --list
"""

import json
import random
import sys
import time

import pyspiel

GAMES = {
    "tic-tac-toe": "tic_tac_toe",
    "connect-four": "connect_four",
    "breakthrough": "breakthrough",
    "pig": "pig(players=2,winscore=100)",
    "goofspiel": "turn_based_simultaneous_game(game=goofspiel(num_cards=13,points_order=random))",
    "kuhn-poker": "kuhn_poker",
    "liars-dice": "liars_dice",
    "chess": "chess",
    "go": "go(board_size=9)",
    "othello": "othello",
    "hex": "hex(board_size=11)",
    "oware": "oware",
    "draughts": "checkers",
    "nine-mens-morris": "nine_mens_morris",
    "backgammon": "backgammon",
    "leduc-poker": "leduc_poker",
    "gin-rummy": "gin_rummy",
    "hearts": "hearts",
    "quoridor": "quoridor",
    "havannah": "havannah(board_size=6)",
}
# Random games in which decisions are counted.
COUNTED = 200
ROLLOUTS = 500


def first_decision(game):
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[0][0])
    return state


def playouts_per_second(name, seconds):
    game = pyspiel.load_game(name)
    root = first_decision(game)
    evaluator = pyspiel.RandomRolloutEvaluator(ROLLOUTS, 1)
    search = pyspiel.MCTSBot(game, evaluator, 1.0, 1, 100, False, 1, False)
    search.mcts_search(root)
    began = time.process_time()
    games = 0
    while time.process_time() - began < seconds:
        search.mcts_search(root)
        games += ROLLOUTS
    return games / (time.process_time() - began)


def decisions_per_playout(name):
    game = pyspiel.load_game(name)
    chance = random.Random(1)
    decisions = 0
    for _ in range(COUNTED):
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                actions, weights = zip(*state.chance_outcomes())
                state.apply_action(chance.choices(actions, weights)[0])
            else:
                decisions += 1
                state.apply_action(chance.choice(state.legal_actions()))
    return decisions / COUNTED


def main():
    if sys.argv[1:] == ["--list"]:
        return print("\n".join(GAMES))
    seconds = float(sys.argv[1])
    wanted = sys.argv[2:] or list(GAMES)
    for game in wanted:
        rate = playouts_per_second(GAMES[game], seconds)
        steps = rate * decisions_per_playout(GAMES[game])
        print(json.dumps({"game": game, "openspiel": rate, "openspiel_steps": steps}), flush=True)


if __name__ == "__main__":
    main()
