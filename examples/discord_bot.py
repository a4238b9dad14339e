#!/usr/bin/env python3
"""The core of a bot for Discord, or for any other chat: it turns messages into requests and answers into messages.

    printf 'ada: !new tic-tac-toe random\\nada: !look\\nada: !play 1\\n' | discord_bot.py http://127.0.0.1:8080

`Table` knows nothing of a network: it gets who wrote what, and returns what to write, to the channel or to one person. The loop
at the end reads "person: text" lines. With discord.py, `on_message` takes its place:

    for to, text in table.handle(message.author.name, message.content):
        await (message.channel if to is None else message.author).send(f"```{text}```")

Hands stay secret, because the server draws each view for one seat, and the bot sends it to that person alone."""
import json
import sys
import urllib.error
import urllib.request

HELP = "!games  !new GAME [BOT…]  !join  !look  !play NUMBER  !board"


class Table:
    """One game of a channel."""

    def __init__(self, server):
        self.server, self.session, self.tokens, self.decisions = server, None, {}, {}

    def call(self, method, path, body=None, person=None, text=False):
        headers = {"Content-Type": "application/json", "Accept": "text/plain" if text else "application/json"}
        if person in self.tokens:
            headers["Authorization"] = "Bearer " + self.tokens[person]
        data = body and json.dumps(body).encode()
        answer = urllib.request.urlopen(urllib.request.Request(self.server + path, data, headers, method=method)).read()
        return answer.decode() if text else json.loads(answer)

    def handle(self, person, text):
        """What to write after a message: (person or None for the channel, text)."""
        command, *words = text.split() or [""]
        action = getattr(self, "on_" + command.removeprefix("!"), None) if command.startswith("!") else None
        if action is None:
            return [(person, HELP)] if command.startswith("!") else []
        try:
            return action(person, *words)
        except urllib.error.HTTPError as error:
            problem = json.load(error)
            return [(person, problem.get("detail") or problem["title"])]
        except TypeError:
            return [(person, HELP)]

    def on_games(self, person):
        games = self.call("GET", "/v1/games?limit=100&fields=items.name,items.title")["items"]
        return [(person, "\n".join(f"{game['name']}: {game['title']}" for game in games))]

    def on_new(self, person, game, *bots):
        fewest = self.call("GET", "/v1/games/" + game)["players"][0]
        seats = ["open"] * max(1, fewest - len(bots)) + list(bots)
        session = self.call("POST", "/v1/sessions", {"game": game, "seats": seats})
        self.session, self.tokens = "/v1/sessions/" + session["id"], {}
        return [(None, f"A table of {game}, seats: {', '.join(seats)}"), *self.on_join(person)]

    def on_join(self, person):
        seats = self.call("GET", self.session)["seats"]
        seat = next((seat["seat"] for seat in seats if seat["status"] == "open"), 1)
        self.tokens[person] = self.call("PUT", f"{self.session}/seats/{seat}", {"name": person})["token"]
        return [(None, f"{person} takes seat {seat}"), *self.turn()]

    def on_look(self, person):
        path = self.session + "/view?include=actions"
        decisions = self.call("GET", path, person=person)["decisions"]
        self.decisions[person] = [choice for decision in decisions for choice in decision["choices"]]
        choices = [f"{number}  {choice['label']}" for number, choice in enumerate(self.decisions[person], 1)]
        return [(person, "\n".join([self.call("GET", self.session + "/view", person=person, text=True), *choices]))]

    def on_play(self, person, number):
        if not number.isdecimal() or not 0 < int(number) <= len(self.decisions.get(person, [])):
            return [(person, "!look shows your choices and their numbers")]
        chosen = self.decisions.pop(person)[int(number) - 1]
        told = self.call("POST", self.session + "/moves", {"id": chosen["id"]}, person)
        secret = "something in secret" if told["secret"] else chosen["label"]
        return [(None, f"{person} plays {secret}"), *self.turn()]

    def on_board(self, person):
        return [(None, self.call("GET", self.session + "/board.txt?size=60", text=True))]

    def turn(self):
        now = self.call("GET", self.session)
        if now["outcome"]:
            names = {seat["seat"]: seat.get("name") or seat.get("bot") for seat in now["seats"]}
            return [(None, "Won by " + (", ".join(names[seat] for seat in now["outcome"]["winners"]) or "nobody"))]
        return [(seat["name"], "It is your turn: !look") for seat in now["seats"] if seat["seat"] in now["owing"] and "name" in seat]


if __name__ == "__main__":
    table = Table(sys.argv[1])
    for line in sys.stdin:
        writer, _, message = line.strip().partition(": ")
        for to, reply in table.handle(writer, message):
            print(f"→ {to or 'everybody'}: {reply}", flush=True)
