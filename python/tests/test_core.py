"""Games in process: rules, states, actions, observations, batches."""

import copy
import pickle
import random
import threading
import unittest

import numpy as np
import wyrmgate
from games import NAMES, game, rules


def played(state, seed):
    """Plays at random to the end; returns the actions."""
    dice, actions = random.Random(seed), []
    while not state.is_over:
        action = dice.choice(state.legal_actions())
        state.step(action)
        actions.append(action)
    return actions


class Rules(unittest.TestCase):
    def test_wrong_rules_are_diagnosed(self):
        text = "game: wrong\nplayers: 2\nbound: 9\neffects:\n  play: finish drawm\n"
        with self.assertRaises(wyrmgate.RulesError) as caught:
            wyrmgate.loads(text)
        found = caught.exception.diagnostics
        self.assertTrue(any(one.line == 5 and one.file == "game.yaml" for one in found), found)

    def test_rules_come_from_text(self):
        files = dict(rules("nim")._native.texts()[1])
        one, other = wyrmgate.loads(files, name="nim"), game("nim")
        self.assertEqual(one.num_actions, other.num_actions)
        self.assertEqual(one.rules.digest, other.rules.digest)

    def test_rules_nest_as_deep_as_they_may_on_a_small_stack(self):
        """In a thread of 2 MiB: at each limit, rules are loaded and played; far beyond it, they are refused."""
        nested = {
            "negation": (254, lambda depth: ("", f"if {'not ' * depth}true: say \"yes\"")),
            "brackets": (64, lambda depth: ("", f"let x = {'(' * depth}1{')' * depth}")),
            "sums": (255, lambda depth: ("", f"let x = score[seat(1)]{' + 1' * depth}")),
            "queries": (255, lambda depth: (
                "queries:\n" + "".join(f"  q{at}: q{at + 1} + 1\n" for at in range(depth)) + f"  q{depth}: 1\n",
                "if q0 > 0: say \"yes\"",
            )),
        }
        found = {}

        def load(name, depth):
            sections, before = nested[name][1](depth)
            text = (
                f"game: nested\nplayers: 2\n{sections}effects:\n  play: |\n    {before}\n    turn of seat(1):\n"
                "      choose n in 1..3: score[active] += n\n    finish drawn\n"
            )
            try:
                played(wyrmgate.loads(text).new_state(seed=1), 1)
                found[name, depth] = "played"
            except wyrmgate.RulesError as refused:
                found[name, depth] = refused.diagnostics[0].code

        usual = threading.stack_size(2 << 20)
        try:
            for name, (most, _) in nested.items():
                for depth in (most, 1500):
                    thread = threading.Thread(target=load, args=(name, depth))
                    thread.start()
                    thread.join()
        finally:
            threading.stack_size(usual)
        for name, (most, _) in nested.items():
            self.assertEqual(found[name, most], "played", name)
            self.assertIn(found[name, 1500], ("nesting", "operators", "query-depth"), name)

    def test_what_does_not_exist_is_named(self):
        with self.assertRaisesRegex(ValueError, "no game"):
            wyrmgate.load("no-such-game", folder="rules")
        with self.assertRaisesRegex(ValueError, "9"):
            rules("tic-tac-toe").game(9)


class Play(unittest.TestCase):
    def test_equal_seeds_and_actions_give_equal_games(self):
        for name in NAMES:
            one, other = game(name).new_state(3), game(name).new_state(3)
            actions = played(one, 1)
            for action in actions:
                other.step(action)
            self.assertEqual(one.to_bytes(), other.to_bytes(), name)
            self.assertEqual(one.returns(), other.returns(), name)
            self.assertLessEqual(len(actions), game(name).max_game_length, name)

    def test_a_step_in_one_call_is_the_step_the_observation_and_the_legal_actions(self):
        for name in NAMES:
            state, dice = game(name).new_state(0), random.Random(3)
            out = np.zeros(game(name).observation_size, np.float32)
            for seed in (4, 5):
                other, legal = game(name).new_state(seed), state.restart(seed, out)
                while legal:
                    self.assertEqual(legal, other.legal_actions(), name)
                    np.testing.assert_array_equal(out, other.observe(), name)
                    action = dice.choice(legal)
                    other.step(action)
                    legal = state.step_legal(action, out)
                self.assertTrue(other.is_over, name)
                self.assertEqual(state.to_bytes(), other.to_bytes(), name)
                self.assertEqual(state.returns(), other.returns(), name)
            with self.assertRaisesRegex(ValueError, "places"):
                state.restart(6, np.zeros(out.size + 1, np.float32))
            with self.assertRaises(ValueError):
                state.step_legal(game(name).num_actions)

    def test_a_restarted_game_has_a_history_of_its_own(self):
        state = game("kuhn-poker").new_state(1)
        while not state.is_over:
            state.step(state.legal_actions()[0])
        state.restart(2)
        self.assertEqual(state.decisions, 0)
        self.assertEqual(len(state.sample(0, 2)), 2)

    def test_masks_are_the_legal_actions_and_others_are_refused(self):
        for name in NAMES:
            state, dice = game(name).new_state(5), random.Random(2)
            for _ in range(12):
                if state.is_over:
                    break
                legal, mask = state.legal_actions(), state.mask()
                self.assertEqual(legal and sorted(legal), np.flatnonzero(mask).tolist(), name)
                self.assertEqual(len(mask), game(name).num_actions)
                wrong = next((action for action, is_legal in enumerate(mask) if not is_legal), None)
                if wrong is not None:
                    before = state.to_bytes()
                    self.assertRaises(ValueError, state.step, wrong)
                    self.assertEqual(before, state.to_bytes())
                self.assertTrue(all(game(name).describe_action(action) for action in legal[:20]))
                state.step(dice.choice(legal))

    def test_an_action_means_the_same_in_every_position(self):
        for name in NAMES:
            if game(name).is_factored:
                continue
            meaning = {}
            for seed in range(3):
                state, dice = game(name).new_state(seed), random.Random(seed)
                for _ in range(40):
                    if state.is_over:
                        break
                    decision = state.decision()
                    chosen = [choice["action"] for choice in decision["choices"]]
                    self.assertEqual(len(set(chosen)), len(chosen), f"{name}: {decision['name']}")
                    for choice in decision["choices"]:
                        args = {
                            name: sorted(value) if isinstance(value, list) else value
                            for name, value in choice["args"].items()
                        }
                        told = (decision["name"], choice.get("option"), str(args))
                        hidden = "#" in told[2]
                        self.assertTrue(hidden or meaning.setdefault(choice["action"], told) == told, (name, told))
                    state.step(dice.choice(chosen))

    def test_copies_go_their_own_way(self):
        state = game("backgammon").new_state(1)
        other = copy.deepcopy(state)
        before = other.to_bytes()
        state.step(state.legal_actions()[0])
        self.assertEqual(other.to_bytes(), before)
        self.assertEqual(game("backgammon").from_bytes(before).legal_actions(), other.legal_actions())
        self.assertEqual(pickle.loads(pickle.dumps(game("nim"))).num_actions, game("nim").num_actions)

    def test_choices_are_taken_by_number_too(self):
        for name in ["tic-tac-toe", "drakon", "leduc-poker"]:
            state, dice = game(name).new_state(2), random.Random(4)
            count = state.count()
            while not state.is_over:
                self.assertEqual(count, state.count())
                count = state.take(dice.randrange(count))
            self.assertEqual(count, 0)
            self.assertRaises(ValueError, state.take, 0)

    def test_views_and_events_are_those_of_the_viewer(self):
        state = game("kuhn-poker").new_state(1)
        own, public = state.view(0), state.view()
        self.assertIn("id", own["zones"]["hand-1"]["components"][0])
        self.assertNotIn("id", str(public["zones"]["hand-1"]["components"]))
        events = state.step_events(state.legal_actions()[0])
        self.assertEqual(events[0]["type"], "chose")

    def test_bots_and_samples_know_what_their_seat_knows(self):
        state = game("leduc-poker").new_state(5)
        worlds = state.sample(0, 20, seed=1)
        self.assertEqual(len(worlds), 20)
        seen = state.observe(0)
        for world in worlds:
            np.testing.assert_array_equal(world.observe(0), seen)
        self.assertGreater(len({world.observe(1).tobytes() for world in worlds}), 1)
        while not state.is_over:
            state.take(state.bot_choice("search-1", 1))

    def test_studies(self):
        self.assertEqual([ply["nodes"] for ply in game("tic-tac-toe").perft(3)], [1, 9, 72, 504])
        summary = game("nim").simulate(20, players=["greedy", "random"], seed=1)
        self.assertEqual(summary["games"], 20)
        self.assertEqual(summary, game("nim").simulate(20, players=["greedy", "random"], seed=1))


class Observations(unittest.TestCase):
    def test_planes_fill_the_tensor(self):
        for name in NAMES:
            planes = game(name).planes
            self.assertEqual(sum(plane.size for plane in planes), game(name).observation_size)
            self.assertEqual(len({plane.name for plane in planes}), len(planes))

    def test_a_board_is_a_plane_of_its_shape(self):
        state = game("breakthrough").new_state()
        plane = next(plane for plane in game("breakthrough").planes if plane.name.startswith("zone."))
        board = plane.of(state.observe(0))
        self.assertEqual(board.ndim, 3)
        self.assertEqual(board.sum(), state.observe(0)[game("breakthrough").plane("counts").offset :].sum())

    def test_seats_do_not_see_what_is_hidden(self):
        """Whatever a seat cannot tell apart gives the same numbers, and the same actions."""
        for name in ["leduc-poker", "hearts", "gin-rummy", "sneaky-dragons", "magic-dragon", "coup"]:
            state, dice = game(name).new_state(8), random.Random(1)
            for _ in range(14):
                if state.is_over:
                    break
                state.step(dice.choice(state.legal_actions()))
            if state.begun or state.is_over or state.is_secret:
                continue
            for seat in range(game(name).seats):
                for world in state.sample(seat, 2, seed=3):
                    np.testing.assert_array_equal(world.observe(seat), state.observe(seat), name)
                    if world.seat == seat:
                        self.assertEqual(world.legal_actions(), state.legal_actions(), name)


class Batches(unittest.TestCase):
    def test_a_batch_plays_like_single_games(self):
        for name in ["tic-tac-toe", "way-of-the-dragon", "kuhn-poker", "drakon"]:
            batch = wyrmgate.Batch(game(name), 16, seed=1)
            dice = np.random.default_rng(1)
            ended = 0
            for _ in range(60):
                masks = batch.masks()
                self.assertTrue(masks.any(axis=1).all())
                seats = batch.seats()
                self.assertTrue(((seats >= 0) & (seats < game(name).seats)).all())
                actions = np.array([dice.choice(np.flatnonzero(mask)) for mask in masks])
                rewards, over = batch.step(actions)
                ended += int(over.sum())
                self.assertTrue((rewards[~over] == 0).all())
                self.assertEqual(batch.observe().shape, (16, game(name).observation_size))
            self.assertEqual(batch.games, 16 + ended)

    def test_legal_actions_are_those_of_the_masks(self):
        for name in ["tic-tac-toe", "way-of-the-dragon", "drakon"]:
            batch = wyrmgate.Batch(game(name), 8, seed=2)
            for _ in range(20):
                actions, starts = batch.legal()
                self.assertEqual(len(starts), 9)
                for at, mask in enumerate(batch.masks()):
                    legal = actions[starts[at] : starts[at + 1]]
                    self.assertEqual(sorted(legal), np.flatnonzero(mask).tolist(), name)
                batch.step(actions[starts[1:] - 1])

    def test_random_steps_are_counted_and_end_games(self):
        batch = wyrmgate.Batch(game("tic-tac-toe"), 8, seed=3)
        rewards, ended = batch.step_random(4)
        self.assertFalse(rewards.any() or ended.any())
        for _ in range(5):  # nobody can have fewer than five steps or more than nine
            _, over = batch.step_random(1)
            ended = ended | over
        self.assertTrue(ended.all())

    def test_a_wrong_action_is_refused(self):
        batch = wyrmgate.Batch(game("tic-tac-toe"), 2)
        batch.step(np.array([0, 1]))
        with self.assertRaisesRegex(ValueError, "game 1"):
            batch.step(np.array([1, 1]))


if __name__ == "__main__":
    unittest.main()
