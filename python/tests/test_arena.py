"""Contests: endpoints that misbehave, kills, budgets, ratings, the command, the suite."""

import contextlib
import io
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

from endpoint import endpoint
from games import GALLERY, ROOT, RULES, rules

from wyrmgate import arena
from wyrmgate.arena import __main__ as command
from wyrmgate.arena import changes, rating, report, suites
from wyrmgate.arena.answers import read
from wyrmgate.arena.table import Table, rules_text

AGENT = f"{sys.executable} {Path(__file__).with_name('agent.py')}"


def entry(name):
    return arena.Entry(name, folder=str(RULES))


def contest(players, names=("tic-tac-toe",), **settings):
    return arena.Contest([entry(name) for name in names], players, **settings)


class Folder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.journal = self.folder / "journal.jsonl"


class Games(Folder):
    def test_equal_seeds_and_swapped_seats(self):
        found = list(contest({"a": arena.Bot("random"), "b": arena.Bot("greedy")}, games=2).matches())
        self.assertEqual([match.players for match in found], [("a", "b"), ("b", "a")] * 2)
        self.assertEqual(found[0].seed, found[1].seed)
        self.assertNotEqual(found[0].seed, found[2].seed)

    def test_bots_play_the_same_games_again(self):
        players = {"greedy": arena.Bot("greedy"), "random": arena.Bot("random"), "guess": arena.Function(arena.players.guess)}
        wanted = contest(players, ("tic-tac-toe", "nim"), games=3)
        one = arena.run(wanted, self.journal, parallel=3)
        other = arena.run(wanted, self.folder / "other.jsonl")
        self.assertTrue(one.is_complete)
        self.assertEqual(len(one.games), 2 * 3 * 3 * 2)
        plain = lambda results: [[(move["choice"]) for move in game["moves"]] for game in results.games]
        self.assertEqual(plain(one), plain(other))
        self.assertEqual(one.document()["players"][-1]["illegal"], 0)

    def test_answers_are_numbers_words_or_documents(self):
        game = entry("tic-tac-toe").loaded
        for said, meant in [
            ("4", 4), ("#4", 4), ("choice: 4", 4), ("**4**", 4), ("I think.\n`4`", 4), ("Square 2 2", 4), ("4 Square 2 2", 4),
            ('{"args": {"s": "square-2-2"}}', 4), ("move: square 2 2.", 4),
        ]:  # fmt: skip
            table = Table(game, 1, "")
            decision = table.state.decision()
            self.assertEqual(read(table.state, said, decision), meant, said)

    def test_a_number_that_is_a_label_means_the_label(self):
        table = Table(rules("magic-dragon").game(2), 1, "")
        decision = table.state.decision()
        decision["choices"] = [{**choice, "label": label} for choice, label in zip(decision["choices"], ["0", "2", "1", "4", "3"])]
        self.assertEqual(read(table.state, "1", decision), 2)
        self.assertEqual(read(table.state, "#.1", decision), 1)
        self.assertEqual(read(table.state, "7", decision).kind, "not-listed")

    def test_illegal_moves_name_the_clause(self):
        asked = []

        def repeat(turn):
            asked.append(turn.text)
            return "Square 2 2"

        results = arena.run(contest({"same": arena.Function(repeat), "random": arena.Bot("random")}, games=2), self.journal)
        found = report.clauses(results.games)
        self.assertEqual({row["clause"] for row in found}, {"TTT-01"})
        self.assertTrue(any("That is refused: " in text for text in asked))
        row = next(row for row in results.document()["players"] if row["player"] == "same")
        self.assertGreater(row["illegal"], 0.3)
        self.assertGreater(row["drawn_by_arena"], 0.3)

    def test_without_lists_players_must_know_the_forms(self):
        texts = []

        def first(turn):
            texts.append(turn.text)
            return re.search(r"\{.*\}\}", turn.text)[0]

        wanted = contest({"first": arena.Function(first), "random": arena.Bot("random")}, is_listed=False)
        results = arena.run(wanted, self.journal)
        self.assertEqual(results.document()["clauses"], [])
        self.assertIn("answer with words such as `Square 1 1`", texts[0])
        self.assertNotIn("Square 1 2", texts[0])

    def test_a_game_that_is_too_long_is_nobodys(self):
        players = {"a": arena.Bot("random"), "b": arena.Bot("random")}
        results = arena.run(contest(players, budget=arena.Budget(moves=3)), self.journal)
        self.assertTrue(all(not game["is_over"] and not game["winners"] for game in results.games))


class Endpoints(Folder):
    def play(self, url, **settings):
        chat = arena.Chat("m", url, pause=0.01, **{"timeout": 0.3, "retries": 30, **settings})
        return contest({"model": chat, "random": arena.Bot("random")}, games=2)

    def test_an_endpoint_that_misbehaves_is_asked_again(self):
        faults = [None, None, None, 429, 500, "garbage", "empty", "null", "slow", "drip"]
        with endpoint(faults) as (url, server):
            results = arena.run(self.play(url), self.journal, parallel=2)
            self.assertTrue(results.is_complete, results.failures)
            row = next(row for row in results.document()["players"] if row["player"] == "model")
            # A third of the answers is nonsense, so about a third of the moves had an illegal one.
            self.assertTrue(0.1 < row["illegal"] < 0.7, row)
            self.assertGreaterEqual(row["tokens"], 7)
            self.assertIn("unreadable", {line["clause"] for line in results.document()["clauses"]})
            asked = len(server.asked)
            again = arena.run(self.play(url), self.journal)
            self.assertEqual((again.games, len(server.asked)), (results.games, asked))
        self.assertIn("TTT-02", server.asked[0]["messages"][0]["content"])

    def test_who_never_answers_fails_and_is_asked_again_later(self):
        with endpoint([500]) as (url, _):
            results = arena.run(self.play(url, retries=1), self.journal)
            self.assertEqual(len(results.failures), 4)
            self.assertIn("HTTP 500", next(iter(results.failures.values())))
        with endpoint([401]) as (url, server):
            arena.run(self.play(url, retries=9), self.folder / "other.jsonl")
            self.assertEqual(len(server.asked), 4)  # who is not let in need not ask again
        self.assertIn('"failed"', self.journal.read_text())

    def test_budgets_end_a_contest_that_can_go_on(self):
        with endpoint(nonsense=0) as (url, _):
            chat = lambda: {"model": arena.Chat("m", url), "random": arena.Bot("random")}
            some = arena.run(contest(chat(), games=4, budget=arena.Budget(tokens=60)), self.journal)
            self.assertEqual((some.stopped, some.is_complete), ("tokens", False))
            self.assertTrue(0 < len(some.games) < 8)
            rest = arena.run(contest(chat(), games=4), self.journal)
            self.assertTrue(rest.is_complete)
            none = arena.run(contest(chat(), games=5, budget=arena.Budget(seconds=0)), self.folder / "b.jsonl")
            self.assertEqual((none.stopped, none.games), ("seconds", []))

    def test_an_agent_is_started_again_when_it_has_ended(self):
        agent = arena.Agent(AGENT)
        self.addCleanup(agent.close)
        results = arena.run(contest({"agent": agent, "random": arena.Bot("random")}, games=2), self.journal)
        self.assertTrue(results.is_complete or all("ended" in text for text in results.failures.values()))
        moves = [move for game in results.games for move in game["moves"] if move["player"] == "agent"]
        self.assertTrue(all(move["choice"] == move["choices"] - 1 and move["tokens"] == 3 for move in moves))
        rest = results
        for _ in range(8):
            rest = arena.run(contest({"agent": agent, "random": arena.Bot("random")}, games=2), self.journal)
        self.assertTrue(rest.is_complete)
        with self.assertRaises(arena.EndpointError):
            arena.Agent("false").answer(arena.Turn("", "", (), 0, None))


class Journals(Folder):
    def test_a_cut_line_is_played_again_and_another_contest_is_refused(self):
        players = {"a": arena.Bot("greedy"), "b": arena.Bot("random")}
        whole = arena.run(contest(players, games=3), self.journal)
        read = self.journal.read_bytes()
        self.journal.write_bytes(read[:-30])
        again = arena.run(contest(players, games=3), self.journal)
        self.assertEqual([game["winners"] for game in again.games], [game["winners"] for game in whole.games])
        with self.assertRaisesRegex(arena.JournalError, "another contest"):
            arena.run(contest(players, games=4), self.journal)
        self.journal.write_text("{}\n")
        with self.assertRaises(arena.JournalError):
            arena.run(contest(players, games=3), self.journal)

    def run_command(self, url, *more):
        arguments = [sys.executable, "-m", "wyrmgate.arena", "play", "--rules", str(RULES), "--game", "tic-tac-toe", "--games", "6"]
        arguments += ["--player", f"model=chat:m@{url}", "--player", "random", "--out", str(self.folder), *more]
        return subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def wait_for_answers(self, count):
        until = time.monotonic() + 30
        while time.monotonic() < until:
            if self.journal.exists() and self.journal.read_text().count('"answer"') >= count:
                return
            time.sleep(0.02)
        self.fail("no answers")

    def test_a_killed_contest_goes_on_without_asking_twice(self):
        with endpoint(["slow"], nonsense=0, delay=0.03) as (url, server):
            program = self.run_command(url)
            self.wait_for_answers(9)
            program.kill()
            program.communicate()
            answered = self.journal.read_text().count('"answer"')
            server.delay, before = 0, len(server.asked)
            program = self.run_command(url, "--json")
            out, told = program.communicate(timeout=60)
            self.assertEqual(program.returncode, 0, told)
            document = json.loads(out)
            self.assertEqual((document["complete"], document["games"]), (True, 12))
            questions = [json.dumps(body) for body in server.asked]
            # At most the answer that was under way when the kill came was asked for twice.
            self.assertLessEqual(len(questions) - len(set(questions)), 1)
            self.assertGreaterEqual(answered, 9)
            self.assertGreaterEqual(before, answered)

    def test_ctrl_c_leaves_the_results_so_far(self):
        with endpoint(["slow"], nonsense=0, delay=0.05) as (url, server):
            program = self.run_command(url)
            self.wait_for_answers(9)
            server.delay = 90
            began = time.monotonic()
            program.send_signal(signal.SIGINT)
            out, told = program.communicate(timeout=60)
            self.assertLess(time.monotonic() - began, 30)  # the report takes seconds on a busy machine
            self.assertEqual(program.returncode, 130, told)
            self.assertIn("interrupted; the same command continues", told)
            self.assertIn("of 12 games", out)
            self.assertIn("The contest stopped", (self.folder / "report.html").read_text())


class Reports(Folder):
    def test_ratings_have_intervals_that_hold_the_truth(self):
        game = lambda players, winners: {"players": players, "winners": winners}
        games = [game(["a", "b"], [0])] * 30 + [game(["b", "a"], [0])] * 10 + [game(["a", "b"], [])] * 2
        best, worst = rating.ratings(games)
        self.assertEqual((best.player, best.games, best.wins), ("a", 42, 30))
        self.assertTrue(best.low < 30 / 42 < best.high and best.elo_low < best.elo < best.elo_high)
        # 31 points of 42 are an expected score of 0.738, 180 points of Elo.
        self.assertAlmostEqual(best.elo - worst.elo, 180, delta=15)
        self.assertEqual(rating.ratings([]), [])
        low, high = rating.wilson(8, 10)
        self.assertAlmostEqual(low, 0.490, 3)
        self.assertAlmostEqual(high, 0.943, 3)
        shared = rating.ratings([game(["a", "b", "c"], [0, 1])])
        self.assertEqual([(row.player, row.wins) for row in shared], [("a", 0.5), ("b", 0.5), ("c", 0)])

    def test_tables_and_a_page_are_written(self):
        players = {"<b>": arena.Function(lambda turn: "what?", key="silly"), "random": arena.Bot("random")}
        results = arena.run(contest(players), self.journal)
        paths = report.save(results, self.folder / "out")
        self.assertEqual([Path(path).stem for path in paths], ["games", "moves", "refusals", "report"])
        from pyarrow import feather

        moves = feather.read_table(paths[1])
        self.assertEqual(moves.num_rows, sum(len(game["moves"]) for game in results.games))
        page = Path(paths[3]).read_text()
        self.assertIn("&lt;b&gt;", page)
        self.assertNotIn("<b>", page)
        self.assertNotRegex(page, r"(src|href)=")


class Command(Folder):
    def run_main(self, *arguments):
        out, told = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(told):
            try:
                code = command.main(list(arguments))
            except SystemExit as exit:
                code = exit.code
        return code, out.getvalue(), told.getvalue()

    def test_exit_codes_are_honest(self):
        out = ["--out", str(self.folder), "--rules", str(RULES)]
        bots = ["--player", "greedy", "--player", "random"]
        self.assertEqual(self.run_main("play", "--game", "nim", *bots, *out)[0], 0)
        self.assertEqual(self.run_main("play", "--game", "no-such", *bots, *out)[0], 1)
        self.assertEqual(self.run_main("play", *bots, *out)[0], 1)
        self.assertEqual(self.run_main("play", "--game", "pig", *bots, *out)[0], 1)  # the journal is of another contest
        self.assertEqual(self.run_main("play", "--game", "nim")[0], 2)
        code, _, told = self.run_main("play", "--game", "nim", "--player", "chess-master", *out)
        self.assertEqual((code, "there is no bot `chess-master`" in told), (1, True))
        other = ["--out", str(self.folder / "other"), "--rules", str(RULES)]
        code, text, _ = self.run_main("play", "--game", "pig:3", *bots, *other, "--max-seconds", "0.0001", "--json")
        self.assertEqual((code, json.loads(text)["stopped"]), (3, "seconds"))
        self.assertIn("examples:", self.run_main("--help")[1])

    def test_changes_and_suites_are_listed(self):
        code, out, _ = self.run_main("changes", "connect-four", "--rules", str(GALLERY), "--count", "1", "--json")
        self.assertEqual((code, len(json.loads(out)["changes"])), (0, 1))
        self.assertEqual(self.run_main("changes", "connect-four", "--rules", str(GALLERY), "--kinds", "colors")[0], 1)
        code, out, _ = self.run_main("suite", "--rules", str(RULES))
        self.assertEqual((code, len(out.splitlines())), (0, 50))


class Suites(unittest.TestCase):
    def test_changes_are_overlays_that_change_play(self):
        for name in ("connect-four", "kuhn-poker"):
            of, seats = rules(name), rules(name).seats[0]
            found = changes.changes(of, seats, count=3, seed=4)
            self.assertEqual(found, changes.changes(of, seats, count=3, seed=4))
            self.assertTrue(found)
            for change in found:
                game = of.changed(change.overlay, "changed").game(seats)
                self.assertEqual(changes.differs(of.game(seats), game, change.seed), change.decisions)

    def test_sentences_say_the_number(self):
        found = [edit for edit in changes._edits(rules("connect-four")) if edit.clauses == ("FOUR-03",) and edit.numbers == (4, 5)]
        sentence, clauses = changes._sentence(found[0], dict(rules("connect-four").game().clauses()))
        self.assertEqual(sentence, "FOUR-03 now reads: Who has five discs in an unbroken row, column or diagonal wins.")
        self.assertEqual(list(clauses), ["FOUR-03"])

    def test_wyrm_50_is_what_was_measured(self):
        suite = arena.suite("wyrm-50", str(RULES))
        self.assertEqual([sum(one.level == level for one in suite.entries) for level in (1, 2, 3)], [16, 18, 16])
        again = "after changes of rules, run `python -m wyrmgate.arena suite --write`"
        for one in suite.entries:
            try:
                game = one.loaded
            except ValueError as error:
                self.fail(f"{error}; {again}")
            if one.level > 1:
                texts = rules_text(game, one.changes)
                self.assertIn("This game is changed:", texts)
        self.assertEqual(set(suite.baselines["entries"]), {one.label for one in suite.entries}, again)
        best = suite.baselines["all"]
        self.assertLess(best["random"]["elo"], best["search-1"]["elo"])
        self.assertEqual(set(suites.LEVELS), set(map(int, suite.baselines["levels"])))


if __name__ == "__main__":
    os.chdir(ROOT)
    unittest.main()
