"""Games as tables."""

import tempfile
import unittest
from pathlib import Path

import pyarrow.parquet as parquet
from games import game

from wyrmgate import tables


def last(state):
    return state.legal_actions()[-1]


class Tables(unittest.TestCase):
    def test_games_are_the_same_however_they_are_cut(self):
        for name in ("kuhn-poker", "hearts", "goofspiel"):
            all_at_once = tables.play(game(name), 4, seed=3)
            in_two = tables.play(game(name), 1, seed=3)
            in_two.extend(tables.play(game(name), 3, seed=3, first=2))
            self.assertEqual(all_at_once, in_two)
            self.assertNotEqual(all_at_once, tables.play(game(name), 4, seed=4))
            self.assertEqual(sum(all_at_once.games["decisions"]), len(all_at_once.decisions["game"]))
            self.assertEqual(all_at_once.events["type"].count("finished"), 4)

    def test_a_function_plays_by_actions(self):
        for name in ("tic-tac-toe", "hearts"):
            of = game(name)
            played = tables.play(of, 2, ["random", last] + ["random"] * (of.seats - 2), seed=1, events=False)
            self.assertEqual(set(played.decisions["player"]), {"random", "last"})
            self.assertEqual(played.events["game"], [])
            seed, steps = played.games["seed"][1], 0
            state = of.new_state(seed)
            for number, choice, action in zip(*(played.decisions[name] for name in ("game", "choice", "action"))):
                if number == 2:
                    self.assertEqual(state.choice_of(action), choice)
                    self.assertEqual(state.action_of(choice), action)
                    for part in action:
                        state.step(part)
                    steps += 1
            self.assertEqual((state.returns(), steps), (played.games["returns"][1], played.games["decisions"][1]))
        with self.assertRaises(ValueError):
            tables.play(game("tic-tac-toe"), 1, ["random"])

    def test_arrow_pandas_and_parquet_have_the_columns_that_are_documented(self):
        played = tables.play(game("kuhn-poker"), 20, seed=5)
        arrow, frames = played.to_arrow(), played.to_pandas()
        with tempfile.TemporaryDirectory() as folder:
            played.to_parquet(folder)
            read = {name: parquet.read_table(Path(folder) / f"{name}.parquet") for name in arrow}
        for name, columns in tables.COLUMNS.items():
            self.assertEqual(arrow[name], read[name])
            self.assertEqual(list(frames[name].columns), list(columns))
            for field in arrow[name].schema:
                self.assertEqual(field.metadata[b"description"].decode(), columns[field.name][1])
            self.assertGreater(arrow[name].num_rows, 0)
        won = frames["games"].returns.map(lambda returns: returns[0])
        self.assertEqual(set(won.abs()), {1.0, 2.0})

    def test_a_tournament_ranks_players(self):
        players = {"last": last, "greedy": "greedy", "random": "random"}
        rows = tables.tournament(game("tic-tac-toe"), players, 10, seed=1)
        self.assertEqual(rows[0]["player"], "greedy")
        self.assertEqual([row["games"] for row in rows], [40, 40, 40])
        self.assertAlmostEqual(sum(row["mean"] for row in rows), 0)
        self.assertLess(rows[0]["low"], rows[0]["mean"])


if __name__ == "__main__":
    unittest.main()
