"""Every shipped game passes the hosts' own tests."""

import contextlib
import io
import random
import sys
import types
import unittest
import warnings

import numpy as np
import pyspiel
from gymnasium.utils.env_checker import check_env

# The solvers import OpenSpiel's own Python games, which need more packages.
sys.modules["open_spiel.python.games"] = types.ModuleType("open_spiel.python.games")
from open_spiel.python.algorithms import cfr, exploitability, expected_game_score
from pettingzoo.test import api_test, parallel_api_test
from games import NAMES, game

import wyrmgate.gymnasium
import wyrmgate.openspiel
import wyrmgate.pettingzoo
import wyrmgate.rlcard

warnings.filterwarnings("ignore")


def quietly(work, *arguments, **more):
    with contextlib.redirect_stdout(io.StringIO()):
        return work(*arguments, **more)


class Hosts(unittest.TestCase):
    def test_pettingzoo(self):
        for name in NAMES:
            with self.subTest(name):
                quietly(api_test, wyrmgate.pettingzoo.aec(game(name)), num_cycles=30)

    def test_pettingzoo_in_parallel(self):
        for name in NAMES:
            if game(name).has_simultaneous_decisions or name == "tic-tac-toe":
                with self.subTest(name):
                    quietly(parallel_api_test, wyrmgate.pettingzoo.parallel(game(name)), num_cycles=30)

    def test_gymnasium(self):
        for name in NAMES:
            with self.subTest(name):
                check_env(wyrmgate.gymnasium.Single(game(name)), skip_render_check=True)

    def test_gymnasium_in_vectors(self):
        for seat in (0, None):
            env = wyrmgate.gymnasium.Vector(game("connect-four"), 8, seat=seat)
            _, info = env.reset(seed=1)
            dice, wins = np.random.default_rng(1), 0
            for _ in range(60):
                actions = [dice.choice(np.flatnonzero(mask)) for mask in info["action_mask"]]
                observations, rewards, ended, _, info = env.step(np.array(actions))
                self.assertIn(observations, env.observation_space)
                self.assertTrue(seat is None or (info["seat"] == seat).all())
                wins += int((rewards > 0).sum())
                self.assertTrue((ended | (rewards == 0)).all())
            self.assertGreater(wins, 0)

    def test_openspiel(self):
        for name in NAMES:
            with self.subTest(name):
                spiel = pyspiel.load_game(wyrmgate.openspiel.register(game(name)))
                is_small = game(name).max_game_length < 100
                pyspiel.random_sim_test(spiel, num_sims=1, serialize=is_small, verbose=False)

    def test_published_values(self):
        """Kuhn (1950): the first player loses 1/18 of a chip."""
        spiel = pyspiel.load_game(wyrmgate.openspiel.register(game("kuhn-poker")))
        solver = cfr.CFRPlusSolver(spiel)
        for _ in range(150):
            solver.evaluate_and_update_policy()
        policy = solver.average_policy()
        self.assertLess(exploitability.exploitability(spiel, policy), 0.01)
        found = expected_game_score.policy_value(spiel.new_initial_state(), [policy] * 2)
        self.assertAlmostEqual(found[0], -1 / 18, delta=0.004)

    def test_published_value_of_leduc(self):
        """Lanctot and others (OpenSpiel): the first player loses 0.0856 chips."""
        leduc = game("leduc-poker")
        self.assertEqual(leduc.returns, {"measure": "points", "low": -13.0, "high": 13.0, "zero_sum": True})
        spiel = pyspiel.load_efg_game(wyrmgate.openspiel.efg(leduc))
        solver = pyspiel.CFRPlusSolver(spiel)
        for _ in range(100):
            solver.evaluate_and_update_policy()
        policy = solver.average_policy()
        self.assertLess(pyspiel.exploitability(spiel, policy), 0.02)
        found = pyspiel.expected_returns(spiel.new_initial_state(), policy, -1, False)
        self.assertAlmostEqual(found[0], -0.0856, delta=0.002)
        with self.assertRaises(ValueError):
            wyrmgate.openspiel.efg(leduc, most=100)

    def test_rlcard(self):
        class Agent:
            use_raw = False

            def step(self, state):
                return random.choice(list(state["legal_actions"]))

            def eval_step(self, state):
                return self.step(state), {}

        env = wyrmgate.rlcard.Env(game("leduc-poker"), seed=1)
        env.set_agents([Agent(), Agent()])
        for training in (False, True):
            trajectories, payoffs = env.run(is_training=training)
            self.assertEqual(payoffs.sum(), 0)
            self.assertTrue(all(len(trajectory) % 2 for trajectory in trajectories))
        state, player = env.reset()
        action = next(iter(state["legal_actions"]))
        env.step(action)
        self.assertEqual(env.step_back()[1], player)


if __name__ == "__main__":
    unittest.main()
