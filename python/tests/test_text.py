"""Games as conversations, and the hosts of such games that are installed."""

import importlib.util
import os
import random
import tempfile
import time
import unittest

import wyrmgate
import wyrmgate.text
from games import NAMES, ROOT, game


def has(host):
    return unittest.skipUnless(importlib.util.find_spec(host), f"{host} is not installed")


def played(env, seed, answer):
    """Plays a game; returns its texts and its reward."""
    dice, texts = random.Random(seed), [env.reset(seed)]
    while not env.is_over:
        texts.append(env.step(answer(dice, env)).text)
    return texts, env.reward


def at_random(dice, env):
    return f"#{dice.randrange(env.table.state.count())}"


class Conversations(unittest.TestCase):
    def test_games_are_played_to_their_end(self):
        for name in ("tic-tac-toe", "connect-four", "kuhn-poker", "magic-dragon", "goofspiel"):
            env = wyrmgate.text.Env(game(name), game(name).seats - 1)
            texts, reward = played(env, 3, at_random)
            self.assertEqual((texts, reward), played(env, 3, at_random), name)
            self.assertRegex(texts[-1], "Won by|Drawn", name)

    def test_all_games_can_be_played(self):
        for name in NAMES:
            env, dice = wyrmgate.text.Env(game(name)), random.Random(1)
            env.reset(1)
            for _ in range(3):
                if not env.is_over:
                    self.assertIsNone(env.step(at_random(dice, env)).refused, name)

    def test_refused_answers_change_nothing_and_then_lose(self):
        env = wyrmgate.text.Env(game("tic-tac-toe"), attempts=2)
        first = env.reset(1)
        step = env.step("the middle, please")
        self.assertTrue(step.text.startswith("That is refused: ") and step.text.endswith(first))
        self.assertEqual((step.reward, step.is_over, step.refused.kind), (0, False, "unreadable"))
        self.assertFalse(env.step("Square 2 2").refused)
        env.step("Square 2 2")
        step = env.step("Square 2 2")
        self.assertEqual((step.reward, step.is_over, env.is_over), (-1, True, True))
        with self.assertRaises(RuntimeError):
            env.step("0")
        with self.assertRaisesRegex(ValueError, "`seat` is 2"):
            wyrmgate.text.Env(game("tic-tac-toe"), 2)

    def test_texts_are_the_same_in_worlds_that_a_seat_cannot_tell_apart(self):
        """What differs between such worlds must not reach the seat, also not by what it is told of others' moves."""
        compared = 0
        for name in ("magic-dragon", "kuhn-poker", "drakon", "hearts", "goofspiel"):
            table = wyrmgate.text.Table(game(name))
            table.reset(4)
            dice = random.Random(4)
            for _ in range(30):
                if table.state.is_over:
                    break
                state, seat = table.state, table.state.seat
                mine = table.text(seat)
                for world in state.sample(seat, 2):
                    if world.decisions == state.decisions:  # worlds begin before answers that are still secret
                        table._state = world
                        self.assertEqual(mine, table.text(seat), name)
                        compared += 1
                table._state = state
                table.take(dice.randrange(table.state.count()))
        self.assertGreater(compared, 50)

    def test_many_environments_in_one_process(self):
        """The floor is for unoptimized builds on busy machines; releases are measured by `python/benches/speed.py`."""
        envs = [wyrmgate.text.Env(game("tic-tac-toe")) for _ in range(256)]
        for seed, env in enumerate(envs):
            env.reset(seed)
        began, steps = time.process_time(), 0
        for _ in range(4):
            for env in envs:
                if env.is_over:
                    env.reset(steps)
                env.step("#0")
                steps += 1
        speed = steps / (time.process_time() - began)
        self.assertGreater(speed, 500)


class Hosts(unittest.TestCase):
    @has("textarena")
    def test_textarena(self):
        import textarena
        import wyrmgate.textarena

        for name in ("connect-four", "kuhn-poker", "magic-dragon", "goofspiel"):
            wyrmgate.textarena.register(f"wyrmgate-{name}", game(name))
            env = textarena.make(f"wyrmgate-{name}")
            wrapped = textarena.wrappers.LLMObservationWrapper(env)
            wrapped.reset(num_players=game(name).seats, seed=5)
            dice, done = random.Random(5), False
            while not done:
                player, text = wrapped.get_observation()
                self.assertEqual(player, env.table.state.seat)
                self.assertIn(env.table.text(player).splitlines()[-1], text)
                done, _ = wrapped.step(f"#{dice.randrange(env.table.state.count())}")
            rewards, infos = wrapped.close()
            self.assertEqual(list(rewards.values()), env.table.state.returns())
            self.assertEqual(set(infos), set(range(game(name).seats)))
        env = wyrmgate.textarena.Env(game("connect-four"), attempts=2)
        env.reset(2, seed=1)
        self.assertFalse(env.step("nonsense")[0])
        done, info = env.step("nonsense")
        self.assertEqual((done, env.close()[0]), (True, {0: -1.0, 1: 0.0}))
        self.assertIn("refused", info)

    @has("inspect_ai")
    def test_inspect(self):
        from inspect_ai import eval as evaluate
        from inspect_ai.model import ModelOutput, ModelUsage, get_model

        import wyrmgate.inspect_ai

        def answer(at):
            said = ModelOutput.from_content("mockllm/model", "#9" if at % 5 == 4 else "#0")
            said.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)  # or it loads a tokenizer
            return said

        answers = map(answer, range(1000))
        task = wyrmgate.inspect_ai.task(game("tic-tac-toe"), games=4)
        with tempfile.TemporaryDirectory() as logs:
            model = get_model("mockllm/model", custom_outputs=answers)
            (log,) = evaluate(task, model=model, log_dir=logs, display="none", max_samples=1)
            self.assertEqual(log.status, "success", log.error)
            values = [sample.scores["outcome"].value for sample in log.samples]
            self.assertEqual(len(values), 4)
            self.assertTrue(all(value["reward"] in (-1, 0, 1) for value in values), values)
            self.assertTrue(any(value["refused"] > 0 for value in values), values)

    @has("openenv")
    def test_openenv(self):
        from fastapi.testclient import TestClient

        import wyrmgate.openenv as host

        table = host.Table(game("magic-dragon"))
        seen, dice = table.reset(seed=3), random.Random(3)
        self.assertIn("MAG-01", seen.rules)
        self.assertTrue(table.step(host.Said(text="nonsense")).refused)
        while not seen.done:
            seen = table.step(host.Said(text=f"#{dice.randrange(table._env.table.state.count())}"))
        self.assertIn(seen.reward, (-1, 0, 1))
        self.assertGreater(table.state.step_count, 5)
        self.assertEqual(set(table.state.model_dump()), {"episode_id", "step_count"})
        with TestClient(host.app(game("tic-tac-toe"))) as client:
            self.assertEqual(client.get("/health").status_code, 200)
            seen = client.post("/reset", json={"seed": 1}).json()
            self.assertIn("9 choices", seen["observation"]["text"])
            self.assertIn("text", client.get("/schema").json()["action"]["properties"])


if __name__ == "__main__":
    os.chdir(ROOT)
    unittest.main()
