"""Plays on a local Ray cluster of two workers: `PYTHONPATH=… python python/tests/cluster.py`. It is not a part of `./test`,
because Ray is large and slow to start."""

import os
import tempfile
import time
import unittest
from pathlib import Path

import ray
from games import game

import wyrmgate.ray
from wyrmgate import tables


class Cluster(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        paths = os.pathsep.join([os.environ.get("PYTHONPATH", ""), os.path.dirname(__file__)])
        ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, runtime_env={"env_vars": {"PYTHONPATH": paths}})

    @classmethod
    def tearDownClass(cls):
        ray.shutdown()

    def test_a_cluster_plays_the_games_of_one_process(self):
        kuhn = game("kuhn-poker")
        alone = tables.play(kuhn, 40, ["greedy", "random"], seed=7)
        self.assertEqual(alone, wyrmgate.ray.play(kuhn, 40, ["greedy", "random"], seed=7))
        self.assertEqual(alone, wyrmgate.ray.play(kuhn, 40, ["greedy", "random"], seed=7, chunk=3))
        told = wyrmgate.ray.simulate(kuhn, 40, players=["greedy", "random"], seed=7)
        self.assertEqual(told["won"], [alone.games["winners"].count([seat]) for seat in range(2)])

    def test_workers_may_die(self):
        with tempfile.TemporaryDirectory() as folder:
            grave = Path(folder) / "died"

            def mortal(state):
                time.sleep(0.01)
                if state.decisions == 2 and not grave.exists():
                    grave.touch()
                    os._exit(1)
                return state.legal_actions()[0]

            of = game("tic-tac-toe")
            played = wyrmgate.ray.play(of, 12, [mortal, "random"], seed=7, chunk=2)
            self.assertTrue(grave.exists())
            self.assertEqual(played, tables.play(of, 12, [mortal, "random"], seed=7))

    def test_a_tournament_is_spread(self):
        players = {"greedy": "greedy", "random": "random"}
        spread = tables.tournament(game("tic-tac-toe"), players, 20, seed=2, play=wyrmgate.ray.play)
        self.assertEqual(spread, tables.tournament(game("tic-tac-toe"), players, 20, seed=2))


if __name__ == "__main__":
    unittest.main()
