"""States and batches as values; long calls and Ctrl-C; messages; texts that tell no secrets."""

import multiprocessing
import os
import pickle
import random
import signal
import threading
import time
import unittest

import numpy as np
import wyrmgate
from games import NAMES, ROOT, game


def middle(name, seed=3, decisions=12, seats=None):
    """A position after some random choices."""
    state, dice = game(name, seats).new_state(seed), random.Random(seed)
    while not state.is_over and state.decisions < decisions:
        state.take(dice.randrange(state.count()))
    return state


def played_on(state):
    """Plays on in another process: tests of `multiprocessing.Pool`."""
    state.take(0)
    return state


class Values(unittest.TestCase):
    def test_states_of_all_games_pickle_compare_and_print(self):
        for name in NAMES:
            state = middle(name)
            copy = pickle.loads(pickle.dumps(state))
            self.assertEqual(state, copy, name)
            self.assertEqual(state, state.clone())
            self.assertEqual(str(state), str(copy))
            self.assertIn(f"{state.decisions} decisions", repr(state))
            if state.is_over:
                continue
            self.assertEqual(state.bot_choice("greedy", 5), copy.bot_choice("greedy", 5), name)
            copy.take(0)
            self.assertNotEqual(state, copy, name)
        self.assertNotEqual(middle("nim", decisions=0), middle("pig", decisions=0))
        self.assertNotEqual(middle("nim"), 7)
        self.assertIn("Connect Four", str(middle("connect-four")))

    def test_parts_of_a_choice_are_kept(self):
        of = next(game(name) for name in NAMES if game(name).is_factored)
        state = of.new_state(1)
        state.step(state.legal_actions()[0])
        self.assertTrue(state.begun)
        copy = pickle.loads(pickle.dumps(state))
        self.assertEqual((copy.begun, copy.legal_actions()), (state.begun, state.legal_actions()))
        state.step(state.legal_actions()[0])
        self.assertNotEqual(state, copy)

    def test_many_states_share_one_game(self):
        states = [middle("chess", seed) for seed in range(20)]
        one, all_of_them = len(pickle.dumps(states[0])), len(pickle.dumps(states))
        self.assertLess(all_of_them, 5 * one)
        self.assertEqual(pickle.loads(pickle.dumps(states)), states)

    def test_other_processes_play_on(self):
        states = [middle("drakon", seed) for seed in range(4)]
        with multiprocessing.get_context("spawn").Pool(2) as pool:
            found = pool.map(played_on, states)
        for state in states:
            state.take(0)
        self.assertEqual(found, states)

    def test_batches_pickle_compare_and_print(self):
        batch = wyrmgate.Batch(game("way-of-the-dragon"), 6, seed=4)
        batch.step_random(30)
        copy = pickle.loads(pickle.dumps(batch))
        self.assertEqual(batch, copy)
        self.assertIn("6 games", repr(batch))
        self.assertEqual(str(batch[-1]), str(copy[5]))
        with self.assertRaisesRegex(IndexError, "6"):
            batch[6]
        for one in (batch, copy):
            one.step_random(200)
        self.assertEqual(batch, copy)
        self.assertTrue((batch.masks() == copy.masks()).all())
        copy.step_random()
        self.assertNotEqual(batch, copy)


class Interrupts(unittest.TestCase):
    LONGEST = 0.2

    def test_long_calls_stop_at_ctrl_c(self):
        drakon, chess = game("drakon", 3), game("chess")
        state = middle("drakon", seats=3)
        batch = wyrmgate.Batch(drakon, 64)
        calls = {
            "simulate": lambda: chess.simulate(10**7),
            "threads": lambda: drakon.simulate(10**7, threads=2),
            "bots": lambda: drakon.simulate(10**4, players=["search-3"] * 3),
            "perft": lambda: chess.perft(12),
            "perft by threads": lambda: drakon.perft(9, seed=1, threads=2),
            "sample": lambda: state.sample(0, 10**7),
            "search": lambda: [state.bot_choice("search-3") for _ in range(10**4)],
            "batch": lambda: batch.step_random(10**9),
            "new batch": lambda: wyrmgate.Batch(drakon, 10**6),
        }
        for name, call in calls.items():
            times = []
            for _ in range(3):  # other programs of a busy machine can delay one
                times.append(self.stopped(call))
                if times[-1] < self.LONGEST:
                    break
            self.assertLess(min(times), self.LONGEST, name)

    def stopped(self, call):
        """Returns the seconds from the signal to the exception."""
        sent = []

        def send():
            sent.append(time.monotonic())
            os.kill(os.getpid(), signal.SIGINT)

        timer = threading.Timer(0.3, send)
        timer.start()
        with self.assertRaises(KeyboardInterrupt):
            call()
            time.sleep(5)  # the signal was late
        timer.join()
        return time.monotonic() - sent[0]


class Messages(unittest.TestCase):
    def test_messages_name_the_argument_and_its_range(self):
        nim = game("nim")
        state, batch, node = nim.new_state(1), wyrmgate.Batch(nim, 2), nim.new_node()
        wrong = {
            "`games` is -1": lambda: nim.simulate(-1),
            "`threads` is 0; it counts from 1": lambda: nim.simulate(1, threads=0),
            "`depth` is -1": lambda: nim.perft(-1),
            "`seed` is -1; .* below 2\\^64": lambda: nim.new_state(-1),
            "`seed` is junk": lambda: nim.new_state("junk"),
            "`action` is -1": lambda: state.step(-1),
            "action 99999 .*`legal_actions`": lambda: state.step(99999),
            "`action` is -2": lambda: state.step_legal(-2),
            "`number` is -1": lambda: state.take(-1),
            "no choice 99; see `count`": lambda: state.take(99),
            "`number` is -3": lambda: state.action_of(-3),
            "`limit` is -1": lambda: state.decision(-1),
            "`count` is -1": lambda: state.sample(0, -1),
            "no seat 300": lambda: state.view(300),
            "no seat -1": lambda: state.observe(-1),
            "no seat 9": lambda: state.text(9),
            "`bytes` are no state of nim": lambda: nim.from_bytes(b"junk"),
            "`size` is -1": lambda: wyrmgate.Batch(nim, -1),
            "`steps` is -1": lambda: batch.step_random(-1),
            "`seat` is 2": lambda: batch.observe(2),
            "`action` is -4": lambda: node.step(-4),
            "no seat 2": lambda: node.observe(2),
            "no game `/nope`": lambda: wyrmgate.load("/nope"),
        }
        for words, call in wrong.items():
            with self.assertRaisesRegex(ValueError, words):
                call()
        with self.assertRaisesRegex(TypeError, "`games` is 1.5"):
            nim.simulate(1.5)


class Texts(unittest.TestCase):
    def test_worlds_that_a_seat_cannot_tell_apart_read_alike(self):
        hidden = [name for name in NAMES if game(name).has_hidden_information]
        self.assertGreater(len(hidden), 8)
        compared = 0
        for name in hidden:
            for seed in (1, 2):
                state = middle(name, seed, 8 + 9 * seed)
                for seat in range(game(name).seats):
                    for world in state.sample(seat, 4, seed):
                        if world.decisions != state.decisions:
                            continue  # worlds begin before answers that are still secret
                        self.assertEqual(world.text(seat, 10**6), state.text(seat, 10**6), (name, seed, seat))
                        compared += world != state
        self.assertGreater(compared, 40)

    def test_what_is_told_does_not_depend_on_the_world(self):
        compared = 0
        for name in ("magic-dragon", "drakon", "hearts"):
            state = middle(name, 5, 20)
            seat = state.seat
            for world in state.sample(seat, 4):
                copy, lines = state.clone(), None
                lines = copy.take_told(0)[seat]
                told = world.take_told(0)[seat]
                # What chance brings later may differ; what the choice itself shows may not.
                self.assertEqual(told[:1], lines[:1], name)
                compared += 1
        self.assertGreater(compared, 3)

    def test_whose_and_worth_are_told(self):
        state = game("drakon", 3).new_state(5)
        for _ in range(3):
            state.take(0)
        self.assertRegex(state.text(0), "Amazon: owner 1 · .*owner 2")
        bids = game("magic-dragon", 3).new_state(5).text(None)
        self.assertIn("Bid 0: worth 7", bids)

    def test_numbers_before_choices_that_are_numbers_have_a_sign(self):
        state = game("magic-dragon", 3).new_state(5)
        self.assertIn("#0 0\n#1 1\n", state.text(state.seat))

    def test_refusals_name_their_clauses(self):
        state = game("tic-tac-toe").new_state(1)
        state.take(4)
        found = state.read_choice('{"args": {"s": "square-2-2"}}')
        self.assertEqual((found["code"], found["clauses"]), ("illegal-choice", ["TTT-01"]))
        self.assertEqual(state.read_choice('{"args": {"s": "square-1-1"}}'), {"number": 0})
        with self.assertRaises(ValueError):
            state.read_choice("no JSON")


class Batches(unittest.TestCase):
    def test_a_large_batch_is_no_slower_than_one_game(self):
        """Per step, with masks and tensors, in processor time. Measured in turns, because machines are busy."""
        for name in ("quoridor", "tic-tac-toe", "drakon", "way-of-the-dragon"):
            of, times = game(name), {1: [], 512: []}
            batches = {size: wyrmgate.Batch(of, size, 1) for size in times}
            for _ in range(4):
                for size, batch in batches.items():
                    rounds = max(1, 2048 // size)
                    began = time.process_time()
                    for _ in range(rounds):
                        actions, starts = batch.legal()
                        batch.step(actions[starts[:-1]])
                        batch.observe()
                    times[size].append((time.process_time() - began) / (rounds * size))
            self.assertLess(min(times[512]), min(times[1]) * 1.1, (name, times))


if __name__ == "__main__":
    os.chdir(ROOT)
    unittest.main()
