#!/usr/bin/env python3
"""Plays several games at once with asyncio and httpx, each seat on a stream that resumes.

    pip install httpx
    async_tables.py http://127.0.0.1:8080 mount-drago tic-tac-toe kuhn-poker

All seats of all tables are coroutines of one process. A stream with `include=actions,view` carries everything that a player needs,
so a game costs one request per move."""
import asyncio
import json
import random
import sys

import httpx


async def messages(client, session):
    """The messages of a stream as (kind, data). After an interruption it goes on behind the last message."""
    last = {}
    while True:
        try:
            wish = {"Accept": "text/event-stream", **last}
            path = session + "/events?include=actions,view"
            async with client.stream("GET", path, headers=wish, timeout=httpx.Timeout(10, read=60)) as answer:
                answer.raise_for_status()
                kind = data = None
                async for line in answer.aiter_lines():
                    field, _, value = line.partition(": ")
                    if field == "id":
                        last = {"Last-Event-ID": value}
                    elif field == "event":
                        kind = value
                    elif field == "data":
                        data = value
                    elif not line and kind:
                        yield kind, json.loads(data)
                        kind = data = None
        except httpx.TransportError:
            pass  # the server is gone, or says nothing: connect again
        await asyncio.sleep(1)


async def play(client, session, choose):
    """Plays the client's seat to the end and returns the outcome."""
    version = -1
    async for kind, now in messages(client, session):
        while kind in ("snapshot", "change") and now["version"] > version or now.get("decisions"):
            version = max(version, now["version"])
            if (now.get("view") or now)["outcome"]:
                return (now.get("view") or now)["outcome"]
            if not now["decisions"]:
                break
            choice = choose(now["decisions"][0])
            answer = await client.post(session + "/moves?include=actions,view", json={"id": choice["id"]})
            if answer.status_code in (409, 412):
                break  # the session has changed meanwhile: the stream tells how
            now = answer.raise_for_status().json()


async def table(server, game):
    """One game in which this program has every seat."""
    async with httpx.AsyncClient(base_url=server) as client:
        facts = (await client.get("/v1/games/" + game)).raise_for_status().json()
        seats = ["open"] * facts["players"][0]
        created = (await client.post("/v1/sessions", json={"game": game, "seats": seats})).raise_for_status().json()
        session = "/v1/sessions/" + created["id"]
        clients = []
        for seat in range(1, len(seats) + 1):
            taken = (await client.put(f"{session}/seats/{seat}", json={})).raise_for_status().json()
            headers = {"Authorization": "Bearer " + taken["token"]}
            clients.append(httpx.AsyncClient(base_url=server, headers=headers))
        outcomes = await asyncio.gather(*(play(client, session, pick) for client in clients))
        await asyncio.gather(*(client.aclose() for client in clients))
        return game, outcomes[0]


def pick(decision):
    return random.choice(decision["choices"])


async def main(server, games):
    for game, outcome in await asyncio.gather(*(table(server, game) for game in games)):
        print(f"{game}: won by {outcome['winners'] or 'nobody'}")


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2:]))
