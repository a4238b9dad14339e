"""Steps per second of processor time on one core, beside other libraries: python python/benches/speed.py

Every row plays random games; the other libraries play their own versions of the games. Run it from the repository, with
an installed (optimized) package.
"""

import os
import random
import sys
import time

import numpy as np
import wyrmgate

SECONDS = float(os.environ.get("SECONDS", "1"))
ROUNDS = int(os.environ.get("ROUNDS", "3"))


def measured(name, play):
    """Prints the median of several rounds; `play` plays something and returns the number of steps."""
    found = []
    play()
    for _ in range(ROUNDS):
        steps, began = 0, time.process_time()
        while time.process_time() - began < SECONDS:
            steps += play()
        found.append(steps / (time.process_time() - began))
    median = sorted(found)[ROUNDS // 2]
    print(f"{name:<52}{median:>14,.0f} steps/s", flush=True)
    return median


def by_number(game):
    """One call for each step; choices by number."""
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
    """Two calls for each step: the legal actions, and the step; with tensors, a third."""
    seed, out = 0, np.zeros(game.observation_size, np.float32)

    def play():
        nonlocal seed
        seed += 1
        state, steps, draw = game.new_state(seed), 0, random.random
        while not state.is_over:
            legal = state.legal_actions()
            if tensors:
                state.observe(None, out)
            state.step(legal[int(draw() * len(legal))])
            steps += 1
        return steps

    return play


def one_call(game):
    """The time of the step call alone: numbers are drawn before."""
    seed = 0

    def play():
        nonlocal seed
        seed += 1
        state, steps = game.new_state(seed), 0
        take = state.take
        while take(0):
            steps += 1
        return steps + 1

    return play


def in_batches(game, size, work):
    batch = wyrmgate.Batch(game, size, 1)

    def play():
        if work == "random":
            batch.step_random(8)
            return 8 * size
        masks = batch.masks()
        if work == "tensors":
            batch.observe()
        batch.step(masks.argmax(axis=1))
        return size

    return play


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
        steps = 0
        for agent in env.agent_iter():
            observation, _, over, cut, _ = env.last()
            if over or cut:
                env.step(None)
                continue
            legal = np.flatnonzero(observation["action_mask"])
            env.step(int(random.choice(legal)))
            steps += 1
        return steps

    return play


def main():
    rules = "rules/gallery/"
    three, way = wyrmgate.load(rules + "tic-tac-toe"), wyrmgate.load("rules/way-of-the-dragon")
    for game in (three, way, wyrmgate.load(rules + "kuhn-poker"), wyrmgate.load("rules/drakon")):
        game.simulate(20_000 if game is three else 2_000)  # machine code is made in the background meanwhile
        time.sleep(1)
        measured(f"{game.name}: one call a step, first choice", one_call(game))
        measured(f"{game.name}: one call a step, random number", by_number(game))
        measured(f"{game.name}: legal_actions + step", by_action(game, False))
        measured(f"{game.name}: legal_actions + tensor + step", by_action(game, True))
        measured(f"{game.name}: batch of 1,024, random", in_batches(game, 1024, "random"))
        if not game.is_factored:
            measured(f"{game.name}: batch of 1,024, masks + actions", in_batches(game, 1024, "actions"))
            measured(f"{game.name}: batch of 1,024, masks + tensors + actions", in_batches(game, 1024, "tensors"))
    try:
        import pyspiel  # noqa: F401

        for name in ("tic_tac_toe", "kuhn_poker"):
            measured(f"pyspiel {name}: legal_actions + apply_action", of_spiel(name, False))
            measured(f"pyspiel {name}: with observation tensors", of_spiel(name, True))
    except ImportError:
        print("no pyspiel")
    try:
        from pettingzoo.classic import tictactoe_v3

        measured("PettingZoo's own tictactoe_v3", of_pettingzoo(tictactoe_v3.env()))
        from wyrmgate.pettingzoo import aec

        measured("tic-tac-toe in wyrmgate.pettingzoo.aec", of_pettingzoo(aec(three)))
    except ImportError as error:
        print(f"no PettingZoo: {error}")


if __name__ == "__main__":
    sys.exit(main())
