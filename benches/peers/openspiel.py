"""Random playouts per CPU second of OpenSpiel's own C++ loop.

`RandomRolloutEvaluator` plays from a state to the end, again and again, without leaving C++: at every decision it asks
for the legal actions and applies one at random. A tree search of one simulation, which has to evaluate its root, is the
way to call it from Python. Such a search cannot begin with chance: where a game does (a deal, the first prize), that is
done before the clock starts, to OpenSpiel's advantage. One line of JSON a game.

    python openspiel.py SECONDS [GAME ...]
"""

import json
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
}
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


def main():
    seconds = float(sys.argv[1])
    wanted = sys.argv[2:] or list(GAMES)
    for game in wanted:
        rate = playouts_per_second(GAMES[game], seconds)
        print(json.dumps({"game": game, "openspiel": rate}), flush=True)


if __name__ == "__main__":
    main()
