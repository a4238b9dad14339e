"""Steps per second of processor time on one core, beside other libraries: python python/benches/speed.py [GAME …]

Every row plays random games; the other libraries play their own versions of the games, each in the fastest way that its
documentation shows. All rows come from one run, and so do the comparisons at its end. Run it from the repository, with an
installed (optimized) package. SECONDS is the time of a row, ROUNDS how often it is measured; the median counts.
"""

import os
import random
import sys
import time

import numpy as np
import wyrmgate

SECONDS = float(os.environ.get("SECONDS", "0.5"))
ROUNDS = int(os.environ.get("ROUNDS", "3"))
BATCH = 1024

#: Our games, and their names in the other libraries.
GAMES = {
    "gallery/tic-tac-toe": ("tic_tac_toe", "tictactoe_v3"),
    "way-of-the-dragon": (None, None),
    "gallery/connect-four": ("connect_four", "connect_four_v3"),
    "gallery/kuhn-poker": ("kuhn_poker", None),
    "drakon": (None, None),
}


def measured(play):
    """Returns the median of several rounds; `play` plays something and returns the number of steps."""
    found = []
    play()
    for _ in range(ROUNDS):
        steps, began = 0, time.process_time()
        while time.process_time() - began < SECONDS:
            for _ in range(20):
                steps += play()
        found.append(steps / (time.process_time() - began))
    return sorted(found)[ROUNDS // 2]


# ---- this library, one call for each step


def by_number(game):
    """One call for each step, and nothing else: choices by number."""
    seed = 0

    def play():
        nonlocal seed
        seed += 1
        state, steps, draw = game.new_state(seed), 0, random.random
        count = state.count()
        while count:
            count = state.take(int(draw() * count))
            steps += 1
        return steps

    return play


def by_action(game, tensors):
    """The legal actions, and the step; with tensors, these are written before."""
    seed, out = 0, np.zeros(game.observation_size, np.float32)

    def play():
        nonlocal seed
        seed += 1
        state, steps, draw = game.new_state(seed), 0, random.random
        while legal := state.legal_actions():
            if tensors:
                state.observe(None, out)
            state.step(legal[int(draw() * len(legal))])
            steps += 1
        return steps

    return play


def in_one_call(game, tensors):
    """The step, the observation and the next legal actions in one call, and one state for all games."""
    seed, out = 0, np.zeros(game.observation_size, np.float32) if tensors else None
    state = game.new_state(seed)

    def play():
        nonlocal seed
        seed += 1
        steps, draw, step = 0, random.random, state.step_legal
        legal = state.restart(seed, out)
        while legal:
            legal = step(legal[int(draw() * len(legal))], out)
            steps += 1
        return steps

    return play


# ---- this library, many games at once


def at_random(game):
    batch = wyrmgate.Batch(game, BATCH, 1)

    def play():
        batch.step_random(8)
        return 8 * BATCH

    return play


def in_batches(game, tensors):
    """Actions are drawn from the legal ones, whose number differs from game to game."""
    batch, dice = wyrmgate.Batch(game, BATCH, 1), np.random.default_rng(1)

    def play():
        actions, starts = batch.legal()
        drawn = starts[:-1] + (dice.random(BATCH) * np.diff(starts)).astype(np.int64)
        if tensors:
            batch.observe()
        batch.step(actions[drawn])
        return BATCH

    return play


# ---- other libraries


def of_spiel(name, tensors):
    import pyspiel

    game = pyspiel.load_game(name)

    def play():
        state, steps, draw = game.new_initial_state(), 0, random.random
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes = state.chance_outcomes()
                state.apply_action(outcomes[int(draw() * len(outcomes))][0])
                continue
            legal = state.legal_actions()
            if tensors:
                state.observation_tensor(state.current_player())
            state.apply_action(legal[int(draw() * len(legal))])
            steps += 1
        return steps

    return play


def of_pettingzoo(env):
    seed = 0

    def play():
        nonlocal seed
        seed += 1
        env.reset(seed=seed)
        steps, draw = 0, random.random
        for _ in env.agent_iter():
            observation, _, over, cut, _ = env.last()
            if over or cut:
                env.step(None)
                continue
            legal = observation["action_mask"].nonzero()[0]
            env.step(int(legal[int(draw() * len(legal))]))
            steps += 1
        return steps

    return play


def own_pettingzoo(name, checked):
    """As documented (`env`), which checks actions, or without the checks (`raw_env`)."""
    import importlib

    module = importlib.import_module(f"pettingzoo.classic.{name}")
    return of_pettingzoo(module.env() if checked else module.raw_env())


def as_pettingzoo(game):
    from wyrmgate.pettingzoo import aec

    return of_pettingzoo(aec(game))


# ---- the report


def rows_of(game, spiel, zoo):
    """Yields the name of each row and what it plays."""
    yield "take: one call a step", lambda: by_number(game)
    yield "legal_actions, step", lambda: by_action(game, False)
    yield "legal_actions, observe, step", lambda: by_action(game, True)
    yield "step_legal", lambda: in_one_call(game, False)
    yield "step_legal with tensors", lambda: in_one_call(game, True)
    yield "batch: step_random", lambda: at_random(game)
    yield "batch: legal, step", lambda: in_batches(game, False)
    yield "batch: legal, observe, step", lambda: in_batches(game, True)
    if spiel:
        yield "OpenSpiel", lambda: of_spiel(spiel, False)
        yield "OpenSpiel with tensors", lambda: of_spiel(spiel, True)
    if zoo:
        yield "PettingZoo's own", lambda: own_pettingzoo(zoo, True)
        yield "PettingZoo's own, raw_env", lambda: own_pettingzoo(zoo, False)
        yield "wyrmgate.pettingzoo.aec", lambda: as_pettingzoo(game)


#: What is compared with what.
COMPARED = [
    ("legal_actions, step", "OpenSpiel"),
    ("legal_actions, observe, step", "OpenSpiel with tensors"),
    ("step_legal with tensors", "OpenSpiel with tensors"),
    ("batch: legal, observe, step", "OpenSpiel with tensors"),
    ("wyrmgate.pettingzoo.aec", "PettingZoo's own"),
    ("batch: legal, observe, step", "PettingZoo's own"),
    ("batch: legal, observe, step", "PettingZoo's own, raw_env"),
]


def report(name):
    """Measures a game and prints its rows; returns them by their names."""
    game = wyrmgate.load("rules/" + name)
    print(f"\n{game.name}: {game.num_actions} actions, tensors of {game.observation_size}", flush=True)
    game.simulate(20_000)  # machine code is made in the background meanwhile
    time.sleep(1)
    found = {}
    for row, make in rows_of(game, *GAMES.get(name, (None, None))):
        try:
            found[row] = measured(make())
        except ImportError as error:
            print(f"    {row:<40}not installed: {error}")
            continue
        print(f"    {row:<40}{found[row]:>14,.0f} steps/s", flush=True)
    return found


def main(names):
    found = {name: report(name) for name in names or GAMES}
    print("\nTimes as fast")
    for name, rows in found.items():
        for ours, theirs in COMPARED:
            if ours in rows and theirs in rows:
                print(f"    {name:<24}{ours:<32}{theirs:<24}{rows[ours] / rows[theirs]:>8.1f}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
