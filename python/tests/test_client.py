"""The client of a server, against the server of `WYRMGATE_URL`."""

import asyncio
import os
import random
import subprocess
import sys
import threading
import typing
import unittest
from unittest import mock

from games import ROOT, game

import wyrmgate
from wyrmgate import api

URL = os.environ.get("WYRMGATE_URL")


@unittest.skipUnless(URL, "WYRMGATE_URL names no server")
class Server(unittest.TestCase):
    def setUp(self):
        self.client = wyrmgate.Client(URL)

    def test_a_bot_is_a_matter_of_five_lines(self):
        for game in ("way-of-the-dragon", "magic-dragon"):
            session = self.client.create(game, ["open", "random"])
            seat = self.client.join(session["id"], 1, name="Ada")
            outcome = self.client.play(session["id"], seat, lambda decision: random.choice(decision["choices"])["id"])
            self.assertEqual(len(outcome["ranking"]), 2)

    def test_steps_have_the_numbers_of_the_package(self):
        for name in ("kuhn-poker", "hearts", "way-of-the-dragon"):
            of = game(name)
            wanted = {"game": name, "viewer": "owing", "include": ["state", "actions"]}
            step = self.client.step(wanted)
            space = self.client.action_space(step["ruleset"], numbers="0,1")
            self.assertEqual((space["size"], space["factored"]), (of.num_actions, of.is_factored))
            self.assertEqual(space["max_game_length"], of.max_game_length)
            self.assertEqual(space["actions"][1]["text"], of.describe_action(1))
            measure = {name: space["returns"][name] for name in ("measure", "low", "high", "zero_sum")}
            self.assertEqual(measure, of.returns)
            step = self.client.step({**wanted, "seed": "07" * 32})
            state = of.new_state("07" * 32)
            for _ in range(20):
                if step["status"] == "finished":
                    break
                self.assertEqual(step["actions"], sorted(set(state.legal_actions())))
                action = state.action_of(0)
                for part in action:
                    state.step(part)
                again = {"state": step["state"], "viewer": "owing", "include": ["state", "actions"]}
                step = self.client.step({**again, "action": action})
        listed = self.client.step({"steps": [{"game": "tic-tac-toe"}, {"game": "none"}]})["steps"]
        self.assertEqual(listed[1]["problem"]["code"], "not-found")

    def test_two_clients_play_in_one_loop(self):
        async def both():
            client = wyrmgate.AsyncClient(URL)
            session = await client.create("tic-tac-toe", ["open", "open"])
            seats = [await client.join(session["id"], number) for number in (1, 2)]

            async def choose(decision):
                await asyncio.sleep(0)
                return decision["choices"][0]["id"]

            return await asyncio.gather(*(client.play(session["id"], seat, choose) for seat in seats))

        one, other = asyncio.run(both())
        self.assertEqual(one, other)

    def test_a_stream_ends_with_the_game_and_survives_a_lost_connection(self):
        session = self.client.create("tic-tac-toe", ["open", "random"])
        seat = self.client.join(session["id"], 1)
        first = lambda decision: decision["choices"][0]["id"]
        player = threading.Thread(target=self.client.play, args=(session["id"], seat, first))
        opened, lost = self.client._open, []

        def losing(method, path, *more):
            answer = opened(method, path, *more)
            if path.endswith("/stream") and len(lost) < 2:
                lost.append(answer)
                lines = [next(answer) for _ in range(5)]
                answer.close()
                broken = mock.MagicMock(status=200)
                broken.__enter__.return_value = broken
                broken.__exit__.return_value = False
                broken.__iter__.return_value = iter(lines)
                return broken
            return answer

        player.start()
        with mock.patch.object(self.client, "_open", losing):
            events = list(self.client.events(session["id"]))
        player.join()
        versions = [event.data["version"] for event in events if event.kind == "change"]
        self.assertEqual(versions, sorted(set(versions)))
        self.assertEqual(len(lost), 2)
        self.assertEqual(events[-1].data["status"], "finished")

    def test_the_history_of_a_game_that_is_over_can_be_read(self):
        session = self.client.create("tic-tac-toe", ["open", "random"])
        seat = self.client.join(session["id"], 1)
        self.client.play(session["id"], seat, lambda decision: decision["choices"][0]["id"])
        events = list(self.client.events(session["id"], seat, after=0))
        self.assertEqual(events[0].kind, "snapshot")
        self.assertEqual([event.data["version"] for event in events[1:]], list(range(1, len(events))))
        self.assertEqual(events[-1].data["status"], "finished")
        self.assertEqual([event.kind for event in self.client.events(session["id"], seat)], ["snapshot"])

    def test_a_repeated_request_counts_once(self):
        session = self.client.create("tic-tac-toe", ["open", "open"])
        seats = [self.client.join(session["id"], number) for number in (1, 2)]
        choice = self.client.decisions(session["id"], seats[0])[0]["choices"][0]["id"]
        opened, tries = self.client._open, []

        def losing(method, path, *more):
            answer = opened(method, path, *more)
            tries.append(path)
            if len(tries) == 1:
                raise ConnectionResetError("the answer was lost")
            return answer

        with mock.patch.object(self.client, "_open", losing):
            receipt = self.client.move(session["id"], seats[0], choice)
        self.assertEqual(len(tries), 2)
        self.assertEqual(self.client.view(session["id"])["version"], receipt["version"])

    def test_problems_are_exceptions_with_codes(self):
        with self.assertRaises(wyrmgate.ServerError) as caught:
            self.client.create("no-such-game", ["open"])
        self.assertEqual((caught.exception.status, caught.exception.code), (404, "not-found"))


class Types(unittest.TestCase):
    def test_they_are_those_of_the_document(self):
        subprocess.run([sys.executable, ROOT / "python/generate", "--check"], check=True)
        for name in dir(api):
            if typing.is_typeddict(getattr(api, name)):
                typing.get_type_hints(getattr(api, name), vars(api))


class Parsing(unittest.TestCase):
    def test_streams_are_read_line_by_line(self):
        from wyrmgate.client import _parsed

        lines = ["retry: 2000\n", "event: change\n", "id: 5-a\n", 'data: {"version":\n', "data: 5}\n", ": alive\n", "\n"]
        (event,) = _parsed(iter(lines))
        self.assertEqual((event.kind, event.id, event.data), ("change", "5-a", {"version": 5}))


if __name__ == "__main__":
    unittest.main()
